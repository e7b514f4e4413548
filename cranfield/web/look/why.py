"""Why a line of the qrels is what it is: what `cranfield why` says."""

from collections.abc import Sequence

from cranfield.judging.labels.why import Why, as_document, event_rows, evidence, pooled, text_there, verdict, why
from cranfield.report.blocks import Block, Cell, Text
from cranfield.store.store import Store
from cranfield.text import counted, moment
from cranfield.web.look.view import DOCNO, TOPIC, LookView, Query, QueryError, Row, address, leads, table_of


def _why(store: Store, query: Query) -> Why:
    if query["topic"] is None or query["docno"] is None:
        raise QueryError("a label has a topic and a document; expected topic= and docno=")
    return why(store, query["topic"], query["docno"])


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return event_rows(store, _why(store, query))


def _document(store: Store, query: Query) -> object:
    return as_document(_why(store, query))


def _parts(store: Store, query: Query) -> Sequence[Block]:
    if query["topic"] is None or query["docno"] is None:
        return [Text("Give a topic and a document to see what is behind its grade.")]
    found = _why(store, query)
    grade = verdict(found)
    return [
        Text(f"{grade[:1].upper()}{grade[1:]}"),
        Text(text_there(found)),
        *_events(store, found),
        Text("Pools", 2),
        *[Text(line) for line in pooled(found)],
        *_runs(found),
        leads(
            [
                ("Read the document", address("document", docno=found.docno)),
                ("Topic", address("topic", topic=found.qid)),
            ]
        ),
    ]


def _events(store: Store, found: Why) -> list[Block]:
    """What happened, and the evidence that was marked."""
    if not found.events:
        return [Text("Events", 2), Text("Nobody has judged it.")]
    caption = 'Everything that was recorded, in order; "counts" marks the label that is in the qrels'
    rows = [{**row, "at": Cell(moment(row["at"]), kind="whole")} for row in event_rows(store, found)]
    table = table_of("events", caption, [{name: row[name] for name in row if name != "evidence"} for row in rows])
    return [Text("Events", 2), *table, *[Text(line) for line in evidence(found)]]


def _runs(found: Why) -> list[Block]:
    """Where each run has it."""
    if not found.ranks:
        return [Text("Runs", 2), Text("In no run.")]
    rows = [{"run": one.tag, "team": one.team, "rank": one.rank, "score": one.score} for one in found.ranks]
    return [Text("Runs", 2), *table_of("runs", f"{counted(len(rows), 'run')} retrieved it, best rank first", rows)]


def _heading(store: Store, query: Query) -> str:
    return f"Why: topic {query['topic']}, document {query['docno']}" if query["docno"] else "Why"


WHY = LookView("Why", _rows, (TOPIC, DOCNO), parts=_parts, document=_document, heading=_heading, entry="Why")
