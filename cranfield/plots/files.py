"""The files that figures are written to, by the ends of their names."""

from pathlib import Path
from typing import Any

from cranfield.errors import InputError

WRITTEN: dict[str, dict[str, Any]] = {  # how matplotlib writes them, without a date
    ".png": {"metadata": {"Software": None}, "dpi": "figure"},
    ".svg": {"metadata": {"Date": None, "Creator": None}},
    ".pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


def check_drawable(path: Path) -> None:
    """Refuse a file that is not PNG, SVG or PDF, or that has no folder."""
    if path.suffix.lower() not in WRITTEN:
        raise InputError("a figure is written as .png, .svg or .pdf", path)
    if not path.absolute().parent.is_dir():
        raise InputError("no such folder", path.parent)
