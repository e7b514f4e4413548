"""What is unusual in the labels, with the threshold of each check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.judging.planning.checks import CHECKS
from cranfield.judging.planning.progress import progress_of
from cranfield.report.blocks import Table, rounded

from .section import Asked, Section


def _values(asked: Asked) -> Mapping[str, Any]:
    state = progress_of(asked.store)
    checks = [(check, list(check.find(state))) for check in CHECKS.values()]
    found = [
        (check, Table(f"{check.name}-found", "", [_row(one._asdict()) for one in rows]))
        for check, rows in checks
        if rows
    ]
    return {"found": found, "nothing": [check for check, rows in checks if not rows]}


def _row(found: dict[str, Any]) -> dict[str, Any]:
    return {"assessor": found["assessor"], "topic": found["topic"] or "all", "found": found["found"],
            "labels": rounded(found["labels"], 0)}  # fmt: skip


CHECKED = Section("What is unusual", "organise_checks.html", _values, entry="Unusual")
