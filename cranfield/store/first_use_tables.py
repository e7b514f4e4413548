"""The tables that a store gets when they are first written: one of the core, and those of features."""

from cranfield.hooks import tables_of_features
from cranfield.store.tables import Presentation, Table, Tables

CHOICES = """
CREATE TABLE label_choice (  -- append-only: whose labels count where several differ; the last row holds
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    assessor INTEGER REFERENCES assessor (id),  -- whose labels alone count
    policy TEXT CHECK (assessor IS NULL OR policy IS NULL),  -- what decides; without both nothing is chosen
    reason TEXT NOT NULL
) STRICT;
"""
CHOICE = Tables(
    CHOICES,
    (Table("label_choice", "rows", append_only=True, columns="at assessor policy reason"),),
    shown={"label_choice": Presentation("Choices of labels", None, ("policy",))},
)
CORE_TABLES = {("models", "tables:CHOICE"): CHOICE}  # by the name that stores have for it, from when a feature had it


def first_use_tables() -> dict[tuple[str, str], Tables]:
    """The tables that are made on first use, by the feature and their name in it.

    >>> ("models", "tables:CHOICE") in first_use_tables()
    True
    """
    return CORE_TABLES | tables_of_features()
