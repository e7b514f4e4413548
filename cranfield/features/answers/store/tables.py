"""What the store keeps of generated answers: nuggets, the support of citations, claims, and labels of them."""

from pathlib import Path
from typing import Any

from cranfield.store.tables import Presentation, Table, Tables, TopicUse

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


def _labels(table: str, item: str, more: str, one: str, several: str, **keywords: Any) -> Table:
    """A log of labels of what answers say."""
    labels = LABEL.format(table=table, item=item, more=more)
    personal = "reason note evidence seconds"
    return Table(table, "rows", log=True, said=labels, personal=personal, unpublished=(one, several), **keywords)


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
    counts={"answer": "answer", "answer_run": "answer_run", "nugget": "current_nugget"},
    topic_uses=(
        TopicUse("SELECT count(*) FROM answer WHERE topic = ?", "run",
                 "{} generated answers to it; remove their import first"),
        TopicUse("SELECT count(*) FROM current_nugget WHERE qid = (SELECT qid FROM topic WHERE id = ?)", "nugget",
                 "it has {}; drop them first"),
    ),
    imports={
        "answers": {"answer": "answer"},
        "nuggets": {"nugget_edit": "nugget", "nugget_event": "label"},
        "claims": {"current_claim": "claim"},
    },
    shown=SHOWN,
    hidden=("counted_claim", "latest_claim", "standing_nugget_edit"),
)  # fmt: skip


RUBRIC = """
SELECT e.id, e.at, t.qid, e.position, e.text, e.weight, a.name AS author, a.kind AS author_kind, e.version, e.import
FROM rubric e JOIN topic t ON t.id = e.topic JOIN assessor a ON a.id = e.author
"""
OTHER = "q.tag AS other_run, o.sha256 AS other"
SUPPORT_LABELS = ("support", "partial_support", "not_support")
_RUBRICS = """
CREATE TABLE rubric (  -- append-only: what is asked of every answer to a topic, each question with its weight
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,  -- UTC
    topic INTEGER NOT NULL REFERENCES topic (id),
    position INTEGER NOT NULL CHECK (position >= 1),
    text TEXT NOT NULL CHECK (text <> ''),
    weight REAL NOT NULL CHECK (weight > 0),
    author INTEGER NOT NULL REFERENCES assessor (id),
    version INTEGER NOT NULL,  -- of the questions of this topic; the last one counts
    import INTEGER REFERENCES import (id)
) STRICT;

CREATE VIEW current_rubric AS  -- the questions that count: the last version of each topic whose import was not removed
WITH there AS (SELECT r.* FROM rubric r WHERE r.import IS NULL OR NOT EXISTS (
    SELECT 1 FROM removal g WHERE g.kind = 'import' AND g.name = CAST(r.import AS TEXT)))
SELECT r.*, t.qid, a.name FROM there r JOIN topic t ON t.id = r.topic JOIN assessor a ON a.id = r.author
WHERE r.version = (SELECT max(o.version) FROM there o WHERE o.topic = r.topic);
"""
_LOG = """
CREATE TABLE {table} (  -- append-only: {about}
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,  -- UTC
    kind TEXT NOT NULL CHECK (kind IN ('label', 'retract', 'later', 'cannot-judge', 'note')),
    answer INTEGER NOT NULL REFERENCES answer (id),
    {item} INTEGER NOT NULL REFERENCES {of} (id),
    assessor INTEGER NOT NULL REFERENCES assessor (id),
    label TEXT  -- of a retract, later or cannot-judge: none
        CHECK ((label IS NOT NULL) = (kind = 'label')) CHECK (label IN {labels}),
    reason TEXT NOT NULL DEFAULT '',  -- why it cannot be judged, or why a model failed
    note TEXT NOT NULL DEFAULT '',
    evidence TEXT,  -- JSON, of a model: its call
    seconds REAL,  -- of active time
    position INTEGER,  -- in the order shown
    order_seed INTEGER,
    fast INTEGER NOT NULL DEFAULT 0 CHECK (fast IN (0, 1)),  -- decided hardly after it was drawn
    input TEXT NOT NULL DEFAULT '',  -- key: full screen, plain: line mode, browser: served
    supersedes INTEGER REFERENCES {table} (id)
) STRICT;

CREATE INDEX {table}_item ON {table} (answer, {item}, assessor);
CREATE INDEX {table}_retracted ON {table} (supersedes) WHERE kind = 'retract';

-- the last word of each assessor that was not taken back: {about}
CREATE VIEW current_{table} AS
SELECT e.*, a.name, a.kind AS assessor_kind FROM {table} e JOIN assessor a ON a.id = e.assessor WHERE e.id IN (
    SELECT max(w.id) FROM {table} w WHERE w.kind IN ('label', 'later', 'cannot-judge')
        AND NOT EXISTS (SELECT 1 FROM {table} r WHERE r.kind = 'retract' AND r.supersedes = w.id)
    GROUP BY answer, {item}, assessor);
"""


def _log(table: str, item: str, of: str, labels: tuple[str, ...], about: str) -> str:
    return _LOG.format(table=table, item=item, of=of, labels=labels, about=about)


WHOLE = Tables(
    _RUBRICS
    + _log("rubric_event", "rubric", "rubric", ("yes", "no"), "whether an answer meets a question of its rubric")
    + _log("correctness_event", "claim", "claim", SUPPORT_LABELS,
           "whether an answer says a claim of the reference, or the reference a statement of the answer")
    + _log("comparison_event", "other", "answer", ("first", "second", "equal"),
           "which of two answers to a topic is better, in the order shown"),
    (
        Table("rubric", "rows", log=True, said=RUBRIC, names_topics=True,
              unpublished=("question of a rubric", "questions of rubrics")),
        _labels("rubric_event", "c.id AS rubric, c.text", "JOIN rubric c ON c.id = e.rubric",
                "label of a rubric", "labels of rubrics"),
        _labels("correctness_event", "c.id AS claim, c.text", "JOIN claim c ON c.id = e.claim",
                "label of correctness", "labels of correctness"),
        _labels("comparison_event", OTHER, "JOIN answer o ON o.id = e.other JOIN answer_run q ON q.id = o.run",
                "comparison of answers", "comparisons of answers"),
    ),
    topic_uses=(
        TopicUse("SELECT count(*) FROM rubric WHERE topic = ?", "question",
                 "it has a rubric of {}, which stays on record"),
    ),
    imports={"rubrics": {"current_rubric": "question"}},
    names={"run of answers": "SELECT tag FROM answer_run"},
    shown={
        "rubric": Presentation("Rubrics, in all versions", "text", ("topic", "author")),
        "current_rubric": Presentation("Rubrics that count", None, ("qid", "name")),
        "rubric_event": Presentation("Labels of rubrics: log", None, ("kind", "assessor", "label")),
        "current_rubric_event": Presentation("Current labels of rubrics", None, ("name", "label", "kind")),
        "correctness_event": Presentation("Labels of correctness: log", None, ("kind", "assessor", "label")),
        "current_correctness_event": Presentation("Current labels of correctness", None, ("name", "label", "kind")),
        "comparison_event": Presentation("Comparisons of answers: log", None, ("kind", "assessor", "label")),
        "current_comparison_event": Presentation("Current comparisons of answers", None, ("name", "label", "kind")),
    },
)  # fmt: skip
