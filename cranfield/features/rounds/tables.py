"""What the store keeps of rounds: their topics and documents, new names of documents, and runs of one system."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables

TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("round", "rows", columns="name opened first_event topics documents_sha256"),
        Table("round_end", "rows", columns="closed"),  # a round may be closed after a release
        Table("round_import", part_of="import", part_by="id", columns="round"),
        Table("same_system", "rows", columns="at run earlier"),
    ),
    shown={
        "round": Presentation("Rounds", "name"),
    },
    hidden=("round_end", "round_import", "same_system"),
    names={"round": "SELECT name FROM round"},
)

WITHDRAWN_BY = Tables(
    Path(__file__).with_name("withdrawn_by.sql").read_text("utf-8"),
    (Table("withdrawn_by", "rows", append_only=True, columns="assessor"),),
    hidden=("withdrawn_by",),
)
