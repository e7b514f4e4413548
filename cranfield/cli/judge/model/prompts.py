"""model prompts."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import Display, TableFormat, emit, say


def prompts(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A prompt, or the path of your own.")] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """List the prompts that models are asked with; with a name, show one in full, as a file to begin your own with.

    The hash is of everything that makes the messages and reads the answers.

    Example: cranfield model prompts umbrela
    """
    from cranfield.judging.models.asking.prompt import prompt_files, prompt_row, prompt_text, read_prompt

    rows = [prompt_row(read_prompt(one)) for one in ([name] if name else prompt_files())]
    if name is None or format is not TableFormat.table or output is not None:
        short = [{**row, "sha256": row["sha256"][:8]} for row in rows] if format is TableFormat.table else rows
        emit(short, format, output, document=rows, display=Display(spare=("source", "sha256", "version", "scale")))
        return
    say(f"# sha256: {rows[0]['sha256']}\n{prompt_text(name).rstrip()}")
