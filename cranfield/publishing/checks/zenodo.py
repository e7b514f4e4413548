"""datacite.json by the schema of the package datacite, .zenodo.json by our table of Zenodo's fields."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cranfield.errors import InputError
from cranfield.formats.files import read_text
from cranfield.publishing.cards.zenodo import zenodo_faults
from cranfield.publishing.checks.check import Check, Checked, Finding

DATACITE_FILE, ZENODO_FILE = "datacite.json", ".zenodo.json"


def check_datacite(folder: Checked) -> Iterator[Finding]:
    from datacite import schema45

    faults = [error.message for error in schema45.validator.iter_errors(_json_of(folder, DATACITE_FILE))]
    if folder.stated.options.get("draft") and faults:
        yield Finding("skipped", f"a draft: {faults[0]:.100}", DATACITE_FILE)
        return
    yield from (Finding("wrong", f"by DataCite's schema 4.5: {fault:.200}", DATACITE_FILE) for fault in faults)
    if not faults:
        yield Finding("ok", "right by DataCite's schema 4.5")


def check_zenodo(folder: Checked) -> Iterator[Finding]:
    faults = zenodo_faults(_json_of(folder, ZENODO_FILE))
    if folder.stated.options.get("draft") and faults:
        yield Finding("skipped", f"a draft: {faults[0]}", ZENODO_FILE)
        return
    yield from (Finding("wrong", fault, ZENODO_FILE) for fault in faults)
    if not faults:
        yield Finding("ok", "right by the fields of Zenodo")


def _json_of(folder: Checked, name: str) -> object:
    path = folder.found.root / name
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", path) from None


DATACITE_CHECK = Check("datacite", check_datacite, needs="datacite", of=DATACITE_FILE)
ZENODO_CHECK = Check("zenodo", check_zenodo, of=ZENODO_FILE)
