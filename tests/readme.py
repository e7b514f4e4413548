"""The README's tables, made from the code: `python -m tests.readme` writes them anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer.main

from cranfield.cli.program import app
from cranfield.formats import FORMATS, formats_of
from cranfield.formats.text_tables import as_markdown
from cranfield.metrics import MEASURES

README = Path(__file__).resolve().parents[1] / "README.md"
BAR = re.compile(r"\|")  # all that ends a cell that is Markdown itself


def leaves(command: Any, path: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """Every command below this one, with its words."""
    below = getattr(command, "commands", None)
    if below is None:
        return [(" ".join(path), command)]
    return [leaf for name, child in below.items() for leaf in leaves(child, (*path, name))]


def commands() -> str:
    """A row a command, with the first sentence of its help."""
    found = leaves(typer.main.get_command(app))
    rows = [{"command": f"`cranfield {name}`", "what": command.get_short_help_str(200)} for name, command in found]
    return as_markdown(rows, special=BAR)


def measures() -> str:
    """A row a measure."""
    return as_markdown([measure.row for measure in MEASURES], special=BAR)


def formats() -> str:
    """A row a format."""
    return as_markdown(
        [
            {"of": kind, "format": row.name, "written": row.write is not None, "what": row.description}
            for kind in FORMATS
            for row in formats_of(kind)
        ],
        special=BAR,
    )


def rendered(text: str) -> str:
    """The README with its tables as they should be."""
    for name, table in {"commands": commands(), "measures": measures(), "formats": formats()}.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(start)
        text = before + start + table + end + rest.partition(end)[2]
    return text


if __name__ == "__main__":
    README.write_text(rendered(README.read_text(encoding="utf-8")), encoding="utf-8")
