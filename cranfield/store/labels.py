"""The labels that stand in a store, whatever of them counts in an analysis."""

import json
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints, Mask, Qrels
from cranfield.arrays.selection import RowSelection
from cranfield.selection import EVERYBODY, LabelledBy, Labellers, labels_line
from cranfield.store.store import Store

EVENTS = {
    LabelledBy.all: "qrels_event",
    LabelledBy.people: "qrels_event_people",
    LabelledBy.models: "qrels_event_models",
}


OWN_EVENTS = """(
    SELECT e.id, e.topic, e.document, e.grade, e.source, a.kind IN ('model', 'panel') AS by_model FROM current_event c
    JOIN judgment_event e ON e.id = c.id JOIN assessor a ON a.id = e.assessor AND a.name = ?
)"""


class CountingLabels(NamedTuple):
    """The labels that count, sorted by topic and document, and of each whether it is a model's."""

    qrels: Qrels
    by_model: Mask
    event: Ints  # the event that each rests on

    def rows(self, keep: Mask | Ints) -> "CountingLabels":
        """Only these."""
        return CountingLabels(self.qrels.rows(keep), self.by_model[keep], self.event[keep])

    def restrict_rows(self, selection: RowSelection) -> "CountingLabels":
        """Those that count by a selection, by the present names of their documents."""
        rows = self.rows(selection.rows_of(self.qrels))
        return rows._replace(qrels=selection.select_qrels(self.qrels))

    def labels_sentence(self, labellers: Labellers = EVERYBODY) -> str:
        """Whose labels these are, in one line; nothing where all are people's and nobody asked."""
        names = [labellers.assessor] if labellers.assessor else ()
        return labels_line(labellers.kind, len(self.qrels), int(self.by_model.sum()), names)


def current_labels(
    store: Store,
    condition: str = "",
    labellers: Labellers = EVERYBODY,
    several: Mapping[int, int] | None = None,
) -> CountingLabels:
    """The labels that stand among the events `e` of a condition in SQL, whatever of them counts in an analysis.

    What is said of the documents of `several` is said of the one that each is now: who decides there is one question.
    """
    events = f"{'temp' if store.as_of else 'main'}.judgment_event e"
    rows = _label_rows(store, f"SELECT e.* FROM {events} WHERE {condition}" if condition else "", labellers)
    if several:
        one = "e.id, e.kind, e.topic, n.value AS document, e.assessor, e.grade, e.source, e.supersedes"
        by_name = f"{events} JOIN json_each('{json.dumps(several)}') n ON CAST(n.key AS INTEGER) = e.document"
        query = f"SELECT {one} FROM {by_name} WHERE e.kind <> 'later' AND {condition or 'true'}"
        rest = rows[~np.isin(rows["document"] + 1, [*several])]
        rows = np.concatenate([rest, _label_rows(store, query, labellers)])
    rows["source"][rows["source"] == ""] = "0"
    order = np.lexsort((rows["document"], rows["topic"]))
    store.catch_up()  # another program may have added topics and documents together with these labels
    qrels = Qrels(
        store.qids,
        store.docnos,
        rows["topic"],
        document=rows["document"],
        grade=rows["grade"],
        iteration=rows["source"],
        minus_one_judged=True,
    )
    return CountingLabels(qrels.rows(order), rows["model"][order], rows["event"][order])


def _label_rows(store: Store, events: str, labellers: Labellers) -> NDArray[np.void]:
    """The labels that stand, of all events, or of those of a query."""
    assessor, whose = labellers.assessor, labellers.kind
    view, names = (EVENTS[whose], []) if assessor is None else (OWN_EVENTS, [assessor])
    before = ""
    if events:
        if assessor is None:
            view = f"({_view_query(store, view)})"
        else:
            view = view.replace("current_event", f"({_view_query(store, 'current_event')})")
        before = f"WITH judgment_event AS NOT MATERIALIZED ({events})"
    return np.fromiter(
        store.conn.execute(
            f"{before} SELECT topic - 1, document - 1, grade, source, by_model, id FROM {view} WHERE grade IS NOT NULL",
            names,
        ),
        [("topic", "i8"), ("document", "i8"), ("grade", "i8"), ("source", "O"), ("model", "?"), ("event", "i8")],
    )


def _view_query(store: Store, view: str) -> str:
    """The query of a view, to be asked of some of the events."""
    [(sql,)] = store.rows("SELECT sql FROM main.sqlite_master WHERE type = 'view' AND name = ?", [view])
    return str(sql).partition(" AS")[2]
