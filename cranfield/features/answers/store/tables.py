"""What the store keeps of generated answers: nuggets, the support of citations, claims, and labels of them."""

from pathlib import Path
from typing import Any

from cranfield.store.tables import Presentation, Table, Tables

EDIT = """
SELECT e.id, e.event_id, e.at, e.kind, t.qid, n.id AS nugget, n.at AS written, n.text, w.name AS author,
    w.kind AS author_kind, n.contributors, n.place, a.name AS assessor, a.kind AS assessor_kind, e.replaces, e.seconds,
    e.input, coalesce(s.event_id, e.supersedes) AS supersedes
FROM nugget_edit e JOIN nugget n ON n.id = e.nugget JOIN topic t ON t.id = n.topic JOIN assessor w ON w.id = n.author
JOIN assessor a ON a.id = e.assessor LEFT JOIN nugget_edit s ON s.id = e.supersedes
"""
CLAIM = """
SELECT e.id, e.at, t.qid, r.tag AS run, w.sha256 AS answer, e.position, e.text, a.name AS author,
    a.kind AS author_kind, e.version, e.evidence, e.import
FROM claim e JOIN topic t ON t.id = e.topic JOIN assessor a ON a.id = e.author
LEFT JOIN answer w ON w.id = e.answer LEFT JOIN answer_run r ON r.id = w.run
"""
LABEL = """
SELECT e.id, e.event_id, e.at, e.kind, r.tag AS run, t.qid, w.sha256 AS answer, {item}, a.name AS assessor,
    a.kind AS assessor_kind, e.label, e.reason, e.note, e.evidence, e.seconds, e.position, e.order_seed, e.fast,
    e.input, coalesce(s.event_id, e.supersedes) AS supersedes
FROM {table} e JOIN answer w ON w.id = e.answer JOIN answer_run r ON r.id = w.run JOIN topic t ON t.id = w.topic
JOIN assessor a ON a.id = e.assessor LEFT JOIN {table} s ON s.id = e.supersedes {more}
"""


def _labels(table: str, item: str, more: str, one: str, several: str, **named: Any) -> Table:
    """A log of labels of what answers say."""
    said = LABEL.format(table=table, item=item, more=more)
    personal = "reason note evidence seconds"
    return Table(table, "rows", log=True, said=said, personal=personal, unpublished=(one, several), **named)


SHOWN = {
    "answer": Presentation("Answers", None, ("run",)),
    "answer_run": Presentation("Runs of answers", "tag", ("team", "kind")),
    "answered": Presentation("Answers, one row per sentence", None, ("run", "qid")),
    "claim": Presentation("Claims, in all versions", "text", ("topic", "author")),
    "claim_event": Presentation("Labels of claims: log", None, ("kind", "assessor", "label")),
    "current_claim": Presentation("Claims that count", None, ("qid", "name")),
    "current_claim_event": Presentation("Current labels of claims", None, ("name", "label", "kind")),
    "current_nugget": Presentation("Nuggets, as they are now", None, ("qid", "importance", "author")),
    "current_nugget_event": Presentation("Current labels of nuggets", None, ("name", "label", "kind")),
    "current_support_event": Presentation("Current labels of support", None, ("name", "label", "kind")),
    "nugget": Presentation("Nuggets, in all wordings", "text", ("topic", "author")),
    "nugget_edit": Presentation("Edits of nuggets", None, ("kind", "assessor")),
    "nugget_event": Presentation("Labels of nuggets: log", None, ("kind", "assessor", "label")),
    "sentence": Presentation("Sentences of answers"),
    "support_event": Presentation("Labels of support: log", None, ("kind", "assessor", "label")),
}
TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("answer_run", "copy", columns="tag team kind description file imported"),
        Table("answer", "rows", key="run", columns="id topic documents metadata sha256 import", order="run id",
              names_topics=True, unpublished=("answer", "answers")),
        Table("sentence", part_of="answer", key="answer", columns="position text citations", order="answer position"),
        Table("nugget", "rows", append_only=True, names_topics=True, json={"contributors": "array"},
              unpublished=("nugget", "nuggets")),
        Table("nugget_edit", "rows", log=True, said=EDIT, personal="seconds", json={"replaces": "array"}),
        _labels("nugget_event", "n.id AS nugget, n.text", "JOIN nugget n ON n.id = e.nugget",
                "label of a nugget", "labels of nuggets"),
        _labels("support_event", "e.sentence, e.citations", "", "label of support", "labels of support",
                json={"citations": "array"}),
        Table("claim", "rows", log=True, said=CLAIM, unpublished=("claim", "claims")),
        _labels("claim_event", "c.id AS claim, c.text", "JOIN claim c ON c.id = e.claim",
                "label of a claim", "labels of claims"),
    ),
    imports={
        "answers": {"answer": "answer"},
        "nuggets": {"nugget_edit": "nugget", "nugget_event": "label"},
        "claims": {"current_claim": "claim"},
    },
    shown=SHOWN,
    hidden=("counted_claim", "latest_claim", "standing_nugget_edit"),
)  # fmt: skip
