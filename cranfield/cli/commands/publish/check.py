"""publish check.

JSON: [{"check", "state", "what", "path"}]; state is ok, wrong or skipped.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import TableFormat, emit
from cranfield.errors import InputError
from cranfield.text import counted


def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A published folder.")],
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Check a published folder without a network: checksums, counts, and whether the targets' own programs load it.

    What is not installed is skipped, and listed as such. The module for ir_datasets is run only if it is, byte for
    byte, the one that this program writes. The exit code is 1 if anything is wrong.

    Example: cranfield publish check published
    """
    from cranfield.publishing.checks.checking import check as check_folder

    rows = check_folder(folder)
    emit([row._asdict() for row in rows], format, output)
    if wrong := [row for row in rows if row.state == "wrong"]:
        more = f" ({counted(len(wrong) - 1, 'other fault')})" if len(wrong) > 1 else ""
        raise InputError(f"{wrong[0].what}{more}", folder / wrong[0].path)
