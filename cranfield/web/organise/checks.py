"""What is unusual in the labels, with the threshold of each check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.judging.planning.checks import CHECKS, Check, Finding
from cranfield.judging.planning.progress import progress_of
from cranfield.report.blocks import Table, rounded

from .section import Asked, Section


def _values(asked: Asked) -> Mapping[str, Any]:
    state = progress_of(asked.store)
    checks = [(_about(check), list(check.find(state))) for check in CHECKS.values()]
    return {
        "found": [(about, _table(about, rows)) for about, rows in checks if rows],
        "nothing": [about for about, rows in checks if not rows],
    }


def _about(check: Check) -> dict[str, str]:
    """What is said about a check."""
    return {"name": check.name, "title": check.title, "listed": check.listed, "reasons": check.reasons}


def _table(about: Mapping[str, str], found: Sequence[Finding]) -> Table:
    return Table(f"{about['name']}-found", "", [_row(one._asdict()) for one in found])


def _row(found: dict[str, Any]) -> dict[str, Any]:
    return {"assessor": found["assessor"], "topic": found["topic"] or "all", "found": found["found"],
            "labels": rounded(found["labels"], 0)}  # fmt: skip


CHECKED = Section("What is unusual", "organise_checks.html", _values, entry="Unusual", heavy=True)
