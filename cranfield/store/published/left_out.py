"""What a store has that a published folder has not, counted."""

from __future__ import annotations

from cranfield.store.store import Store
from cranfield.text import counted

NO_PLACE = {
    "answer": ("answer", "answers"),
    "nugget": ("nugget", "nuggets"),
    "nugget_event": ("label of a nugget", "labels of nuggets"),
    "support_event": ("label of support", "labels of support"),
    "claim": ("claim", "claims"),
    "claim_event": ("label of a claim", "labels of claims"),
    "preference_event": ("preference", "preferences"),
    "model_call": ("call of a model", "calls of models"),
    "impression": ("list of the interaction log", "lists of the interaction log"),
    "criterion": ("criterion of an assessor", "criteria of assessors"),
    "audit": ("audit of a model", "audits of models"),
    "plan WHERE made <> ''": ("plan of assignments", "plans of assignments"),
    "invitation": ("invitation", "invitations"),
    "import": ("import in the history", "imports in the history"),
    "removal": ("removal in the history", "removals in the history"),
    "release": ("release", "releases"),
}
OF_PEOPLE = "judgment_event e JOIN assessor a ON a.id = e.assessor AND a.kind = 'human'"
QUOTES = (
    "CASE WHEN evidence IS NULL THEN 0 WHEN json_valid(evidence) THEN"
    " json_extract(evidence, '$.subtopics') IS NULL OR json_remove(evidence, '$.subtopics') <> '{}' ELSE 1 END"
)
WITHOUT_NAMES = {
    "judgment_event WHERE note <> ''": ("note", "notes"),
    f"{OF_PEOPLE} WHERE reason <> ''": ("reason of an assessor", "reasons of assessors"),
    f"judgment_event WHERE {QUOTES}": ("quoted evidence", "pieces of quoted evidence"),
    "judgment_event WHERE highlight_terms <> ''": ("list of marked terms", "lists of marked terms"),
}


def left_out(store: Store, full_log: bool = False) -> list[str]:
    """What has no place in a folder or, unless the log is published in full, says too much of people."""
    asked = NO_PLACE if full_log else NO_PLACE | WITHOUT_NAMES
    numbers = {rows: store.rows(f"SELECT count(*) FROM {rows}")[0][0] for rows in asked}
    numbers["release"] -= bool(store.released)  # the one that is published
    return [counted(number, *asked[rows]) for rows, number in numbers.items() if number]
