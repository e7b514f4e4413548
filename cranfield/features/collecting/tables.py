"""What the store keeps of searches by assessors, of topics in development, and of variations of queries."""

from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.store.tables import Presentation, Table, Tables

if TYPE_CHECKING:
    from cranfield.store.store import Store

SEARCH = """
SELECT e.id, e.event_id, e.at, t.qid, a.name AS assessor, e.query, e.engine, e.version, e.shown, e.seconds
FROM search_event e JOIN topic t ON t.id = e.topic JOIN assessor a ON a.id = e.assessor
"""
CANDIDATE = """
SELECT e.id, e.event_id, e.at, e.kind, e.qid, a.name AS assessor, e.texts, d.docno, e.grade, e.reason
FROM candidate_event e JOIN assessor a ON a.id = e.assessor LEFT JOIN document d ON d.id = e.document
"""
TABLES = Tables(
    Path(__file__).with_suffix(".sql").read_text("utf-8"),
    (
        Table("searcher", "copy", key="assessor", columns="assessor at"),
        Table("search_event", "rows", log=True, said=SEARCH, personal="query", unpublished=("search", "searches")),
        Table("candidate_event", "rows", log=True, said=CANDIDATE, personal="texts reason",
              unpublished=("event of a topic in development", "events of topics in development")),
        Table("variation", "copy", key="topic", columns="vid query count", order="topic vid", names_topics=True),
    ),
    names={"topic in development": "SELECT qid FROM candidate"},
    shown={
        "searcher": Presentation("Assessors who may search"),
        "search_event": Presentation("Searches: log", None, ("assessor", "engine")),
        "searches": Presentation("Searches, with names", None, ("assessor", "qid", "engine")),
        "candidate_event": Presentation("Topics in development: log", None, ("kind", "assessor")),
        "candidate": Presentation("Topics in development", None, ("author", "state")),
        "variation": Presentation("Variations of queries", None, ("topic",)),
    },
)  # fmt: skip


def pairs_of_draws(store: "Store") -> dict[tuple[str, str], str]:
    """The judged pairs of random draws, which no run brought alone."""
    rows = store.rows(
        "SELECT DISTINCT p.qid, p.docno FROM pooled p JOIN pool ON pool.id = p.pool JOIN qrels q USING (qid, docno)"
        " WHERE pool.method = 'draw'"
    )
    return dict.fromkeys(rows, "draw")
