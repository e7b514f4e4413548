"""What of each table is in a release.

A table is in one of three groups. Of NUMBERED tables a release has the rows up to its last one: they are never changed.
A row of a PART belongs to a row of another table, and came with it. Of KEPT tables, whose rows may change later, a
release has a copy; so it has of the pools that grow while they are judged. Tables that are in none are not in releases:
invitations, what users of a search system did, and the description for publication. Those of LOG are then empty, since
their documents and topics may have come later.
"""

from __future__ import annotations

from collections.abc import Mapping

NUMBERED = (
    "document", "topic", "judgment_event", "criterion", "preference_event", "answer", "nugget", "nugget_edit",
    "nugget_event", "support_event", "claim", "claim_event", "event_link", "change", "import", "removal", "audit",
    "prompt", "model_request", "model_call",
)  # fmt: skip
PART: Mapping[str, tuple[str, str]] = {  # a table, its column, and the table that this is a number of
    "ranking": ("run", "run"),
    "frame_document": ("pool", "pool"),
    "sampled": ("plan", "plan"),
    "sentence": ("answer", "answer"),
    "audit_stratum": ("audit", "audit"),
    "audited": ("audit", "audit"),
}
GROWING = ("pool_document", "pool_step", "pool_heard")  # parts of a pool: kept where it grows
KEPT = (
    "collection", "assessor", "origin", "run", "pool", "plan", "assignment", "holder", "answer_run",
    "preference_pair", "model_setting", "bundle", "published_log",
)  # fmt: skip

LOG = ("experiment", "arm", "query", "impression", "action")

GROWS = "SELECT id FROM pool WHERE json_type(parameters, '$.batches') = 'object'"  # the pools that grow
LAST_OF = (*NUMBERED, "run", "pool", "plan")  # the tables whose last row counts
ALL = (*NUMBERED, *PART, *GROWING, *KEPT)
