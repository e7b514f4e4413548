"""How far assessors agree, with each other and with themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .section import Asked, Section, view_table

TABLES = {
    "pairs": "No document has labels by two people yet.",
    "agreement": "No document has labels by two people yet.",
    "repeats": "No documents are shown twice: `repeats` when topics are shared out asks for that.",
    "drift": "No topic with nine labels yet.",
}


def _values(asked: Asked) -> Mapping[str, Any]:
    return {"tables": [view_table(asked.store, name, empty) for name, empty in TABLES.items()]}


AGREEING = Section("Agreement", "organise_tables.html", _values, entry="Agreement", heavy=True)
