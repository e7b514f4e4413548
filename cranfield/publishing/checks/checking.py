"""Checking a published folder: first every file against the manifest, then what the files say and who can read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import fspath
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import CranfieldError, InputError
from cranfield.progress_bar import progress_bar
from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.checks.table import CHECKS, CONTENTS
from cranfield.publishing.manifest import BAG, MANIFEST, SIGNATURE, Found, check_file, files_below, found, root_of
from cranfield.text import counted


class CheckedRow(NamedTuple):
    """A finding, and the check that found it."""

    check: str
    state: str
    what: str
    path: str


def check(folder: Path, signer: Path | None = None) -> list[CheckedRow]:
    """All findings; what files say is looked at only if all of them are what the manifest says.

    `signer` is a public key, or a file of allowed signers, one of whom has to have signed the folder.
    """
    there = found(folder)
    rows = [CheckedRow("files", *finding) for finding in _unchanged(there)]
    if any(row.state == "wrong" for row in rows):
        return [*rows, CheckedRow("contents", "skipped", "not looked at while files are wrong", "")]
    return [*rows, *findings(CHECKS, Checked(folder, there, signer))]


def check_contents(folder: Path) -> Found:
    """Refuse a folder in which anything is wrong that a store is made of; the folder, if all is well."""
    there = found(folder)
    rows = [CheckedRow("files", *finding) for finding in _unchanged(there)]
    if not (wrong := [row for row in rows if row.state == "wrong"]):
        wrong = [row for row in findings(CONTENTS, Checked(folder, there)) if row.state == "wrong"]
    if wrong:
        raise fault(folder, wrong[0], "; `cranfield publish check` lists all that is wrong")
    return there


def fault(folder: Path, wrong: CheckedRow, more: str = "") -> InputError:
    """An error that says what is wrong."""
    inside = root_of(folder) / wrong.path
    return InputError(f"{wrong.what}{more}", inside if inside.exists() else folder / wrong.path)


def _unchanged(there: Found) -> Iterator[Finding]:
    wrong = 0
    with progress_bar("checking files", len(there.files)) as advance:
        for path in there.files:
            try:
                check_file(there, path)
            except InputError as error:
                wrong += 1
                yield Finding("wrong", error.message, path)
            advance(1)
    others = {MANIFEST, BAG, SIGNATURE} | there.files.keys()
    if unlisted := [path for path in files_below(there.root) if path not in others]:
        more = f" and {len(unlisted) - 1} more" if len(unlisted) > 1 else ""
        yield Finding("skipped", f"not listed in {MANIFEST}: {unlisted[0]}{more}")
    right = f"{len(there.files) - wrong} of " if wrong else ""
    yield Finding("ok", f"{right}{counted(len(there.files), 'file')} as listed in {MANIFEST}")


def findings(checks: Sequence[Check], folder: Checked) -> Iterator[CheckedRow]:
    """What some checks find in a folder."""
    for one in checks:
        try:
            yield from (CheckedRow(one.name, *finding) for finding in one.findings(folder))
        except CranfieldError as error:
            yield CheckedRow(one.name, "wrong", *_of_error(error, folder))


def _of_error(error: CranfieldError, folder: Checked) -> tuple[str, str]:
    """What an error says, and of which file of the folder, or of the bag around it."""
    place = Path(fspath(error.path)) if isinstance(error, InputError) and error.path else None
    inside = [root for root in (folder.found.root, folder.folder) if place and root in place.parents]
    if not isinstance(error, InputError) or place is None or not inside:
        return str(error), ""
    line = "" if error.line is None else f"line {error.line}: "
    return f"{line}{error.message}", place.relative_to(inside[0]).as_posix()
