"""publish check.

JSON: [{"check", "state", "what", "path"}]; state is ok, wrong or skipped.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.common_options import TEXTS
from cranfield.cli.options import Format, Output
from cranfield.cli.tables import TableFormat, emit
from cranfield.text import counted


def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A published folder."), TEXTS],
    signer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Who should have signed it: a public key of SSH, or a file of allowed signers."
        ),
    ] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Check a published folder without a network: whether its files agree, and the targets' own programs load it.

    After the checksums, all that follows from the tables, the log and the runs is made again and compared with what is
    there: grades, topics, documents and pools in every form, counts, cards and report. That takes about as long as
    building the folder. What is not installed is skipped, and listed as such. The module for ir_datasets is run only if
    it is, byte for byte, the one that this program writes. The exit code is 1 if anything is wrong.

    Whoever rewrites all of a folder can make it agree with itself; a signature shows who wrote it.

    Example: cranfield publish check published --signer allowed_signers
    """
    from cranfield.publishing.folder import check as check_folder
    from cranfield.publishing.folder import fault

    rows = check_folder(folder, signer)
    emit([row._asdict() for row in rows], format, output)
    if wrong := [row for row in rows if row.state == "wrong"]:
        more = f" ({counted(len(wrong) - 1, 'other fault')})" if len(wrong) > 1 else ""
        raise fault(folder, wrong[0], more)
