"""What the store keeps of preferences: pairs of documents, and which of them is better."""

from pathlib import Path

from cranfield.store.tables import Presentation, Table, Tables, TopicUse

SAID = """
SELECT e.id, e.event_id, e.at, e.kind, t.qid, f.docno AS first, d.docno AS second, a.name AS assessor,
    a.kind AS assessor_kind, e.choice, e.reason, e.note, e.evidence, e.seconds, e.position, e.order_seed,
    e.document_sha256, e.input, e.fast, coalesce(s.event_id, e.supersedes) AS supersedes
FROM preference_event e JOIN topic t ON t.id = e.topic JOIN document f ON f.id = e.first
JOIN document d ON d.id = e.second JOIN assessor a ON a.id = e.assessor
LEFT JOIN preference_event s ON s.id = e.supersedes
"""
SHOWN = {
    "current_preference": Presentation("Current preferences", None, ("assessor", "choice", "kind")),
    "preference_event": Presentation("Preferences: log", None, ("kind", "assessor", "choice")),
    "preference_log": Presentation("Preferences: log, with names", None, ("kind", "assessor", "choice")),
    "preference_pair": Presentation("Pairs of documents to compare", None, ("assessor", "topic")),
}
TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("preference_pair", "copy", key="assessor", columns="topic first second source made",
              order="assessor topic first second"),
        Table("preference_event", "rows", log=True, said=SAID, personal="reason note evidence seconds",
              unpublished=("preference", "preferences")),
    ),
    topic_uses=(
        TopicUse("SELECT count(*) FROM preference_event WHERE topic = ?", "event",
                 "its documents were compared ({} in the log)"),
    ),
    imports={"preferences": {"preference_event": "preference"}},
    shown=SHOWN,
)  # fmt: skip
