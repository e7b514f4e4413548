"""croissant.json, validated and read by the package mlcroissant."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from typing import Any

from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.targets.target import rows_of_table

FILE = "croissant.json"
MOST = 100_000  # rows of a table that are read in this way


def check_croissant(folder: Checked) -> Iterator[Finding]:
    import mlcroissant

    logging.getLogger("absl").setLevel(logging.ERROR)  # its warnings are among the findings
    path = folder.found.root / FILE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            dataset = mlcroissant.Dataset(jsonld=str(path))
            yield from _validated(folder, dataset)
            yield from _read(folder, dataset)
        except (mlcroissant.ValidationError, mlcroissant.GenerationError, ValueError) as error:
            yield Finding("wrong", f"mlcroissant: {error}".splitlines()[0], FILE)


def _validated(folder: Checked, dataset: Any) -> Iterator[Finding]:
    report = " ".join(dataset.metadata.ctx.issues.report().split())
    if report:
        yield Finding("skipped" if folder.stated.options.get("draft") else "wrong", f"mlcroissant: {report:.200}", FILE)


def _read(folder: Checked, dataset: Any) -> Iterator[Finding]:
    for table in folder.tables:
        rows = rows_of_table(folder.files, table)
        if rows > MOST:
            yield Finding("skipped", f"{table}: more than {MOST:,} rows are not read by mlcroissant")
            continue
        found = sum(1 for _ in dataset.records(table))
        yield Finding("ok" if found == rows else "wrong", f"mlcroissant reads {found} of {rows} rows of {table}", FILE)


CROISSANT_CHECK = Check("croissant", check_croissant, needs="mlcroissant", of=FILE)
