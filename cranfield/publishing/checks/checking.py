"""Checking a published folder: first every file against the manifest, then what the files say and who can read them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import CranfieldError, InputError
from cranfield.progress_bar import progress_bar
from cranfield.publishing.checks.check import Checked, Finding
from cranfield.publishing.checks.table import CHECKS
from cranfield.publishing.manifest import BAG, FILE, Found, check_file, files_below, found
from cranfield.text import counted


class CheckedRow(NamedTuple):
    """A finding, and the check that found it."""

    check: str
    state: str
    what: str
    path: str


def check(folder: Path) -> list[CheckedRow]:
    """All findings; what files say is looked at only if all of them are what the manifest says."""
    there = found(folder)
    rows = [CheckedRow("files", *finding) for finding in _files(there)]
    if any(row.state == "wrong" for row in rows):
        return [*rows, CheckedRow("contents", "skipped", "not looked at while files are wrong", "")]
    return [*rows, *_contents(Checked(folder, there))]


def _files(there: Found) -> Iterator[Finding]:
    wrong = 0
    with progress_bar("checking files", len(there.files)) as advance:
        for path in there.files:
            try:
                check_file(there, path)
            except InputError as error:
                wrong += 1
                yield Finding("wrong", error.message, path)
            advance(1)
    others = {FILE, BAG} | there.files.keys()
    if unlisted := [path for path in files_below(there.root) if path not in others]:
        more = f" and {len(unlisted) - 1} more" if len(unlisted) > 1 else ""
        yield Finding("skipped", f"not listed in {FILE}: {unlisted[0]}{more}")
    right = f"{len(there.files) - wrong} of " if wrong else ""
    yield Finding("ok", f"{right}{counted(len(there.files), 'file')} as listed in {FILE}")


def _contents(folder: Checked) -> Iterator[CheckedRow]:
    for one in CHECKS:
        try:
            yield from (CheckedRow(one.name, *finding) for finding in one.findings(folder))
        except CranfieldError as error:
            yield CheckedRow(one.name, "wrong", str(error), "")
