"""One table says what an event does: every kind of the log has a row, and what else says it agrees."""

import re

from cranfield.judging.labels.pairs import JUDGED
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.transitions import TRANSITIONS
from cranfield.store.chain import Event
from cranfield.store.store import Store


def test_every_kind_of_the_log_has_a_row() -> None:
    """As its table allows them."""
    with Store.memory("a") as store:
        ((sql,),) = store.rows("SELECT sql FROM sqlite_schema WHERE name = 'judgment_event'")
    kinds = re.search(r"kind TEXT NOT NULL CHECK \(kind IN \(([^)]*)\)", sql)
    assert kinds
    assert set(re.findall(r"'([^']*)'", kinds[1])) == {*TRANSITIONS}


def test_a_label_is_a_judgment() -> None:
    """What counts as judged elsewhere is what becomes judged here."""
    assert set(JUDGED) == {kind for kind, one in TRANSITIONS.items() if one.state == "judged"}


def test_each_does_what_its_row_says() -> None:
    """The state of the pair, whether it can be undone, and whether it needs the next mark of being unsure anew."""
    for kind, row in TRANSITIONS.items():
        state = AssessorState(adjudicates=kind == "adjudicate")
        state.add(Event("note", "q", "d", "ada", unsure=True, id=1))
        state.add(Event(kind, "q", "d", "ada", grade=1, unsure=True, id=2))
        assert [*+state.counts["q"]] == [row.state] * (row.state is not None), kind
        assert [event.id for event in state.done] == [2] * row.undoable, kind
        assert state.draft(("q", "d")).unsure == (row.state is None or "unsure" not in row.takes), kind
