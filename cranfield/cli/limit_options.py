"""Options that limit how much of a file is read into memory."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperOption

READS = ("SOURCE...", "SOURCE... NEWRUN", "QRELS", "A [B...]")  # arguments that are runs and qrels
READS_TEXTS = ("PATH...", "DIR")  # also documents and topics
LIMITED = {
    "line": "Refuse longer lines (bytes).",
    "document": "Refuse larger documents and topics (bytes).",
    "file": "Refuse larger files, measured decompressed; a corpus or a log is exempt, since it is read piece by piece.",
}


def add_limits(command: Any) -> None:
    """Give --max-line, --max-document and --max-file to a command that reads files."""
    from cranfield.formats.limits import DEFAULT, written

    arguments = {parameter.metavar for parameter in command.params}
    texts, others = arguments & {*READS_TEXTS}, arguments & {*READS}
    for name in LIMITED if texts else [name for name in LIMITED if name != "document"] if others else []:
        default = written(getattr(DEFAULT, name))
        command.params.append(
            TyperOption(
                param_decls=[f"--max-{name}"], metavar="SIZE", default=default, show_default=True, expose_value=False,
                callback=_set, help=LIMITED[name],
            )
        )  # fmt: skip


def _set(context: Any, option: Any, size: str) -> None:
    from cranfield.errors import InputError
    from cranfield.formats.limits import LIMITS, bytes_of

    try:
        LIMITS.set(LIMITS.get()._replace(**{option.name.removeprefix("max_"): bytes_of(size)}))
    except InputError as error:
        raise typer.BadParameter(str(error), ctx=context, param=option) from None
