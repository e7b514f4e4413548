"""collection show."""

from __future__ import annotations

from pathlib import Path

from cranfield.cli.options import RecipeName
from cranfield.errors import InputError
from cranfield.formats.whole_files import as_written


def show(name: RecipeName) -> None:
    """Show a recipe: its parts, grades, citation, checksums and quirks.

    Example: cranfield collection show cranfield1400
    """
    from cranfield.analysis.recipes import bundled_recipes

    path = bundled_recipes().get(name, Path(name))
    if not path.is_file():
        raise InputError(f"unknown recipe {name!r}; available: {', '.join(bundled_recipes())}")
    as_written(path.read_text(encoding="utf-8", errors="backslashreplace"))
