"""Random commands against a model made of lists and dictionaries, the session begun anew at any moment."""

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.judging.session.session import Session
from cranfield.store.log import current
from tests.conftest import usually
from tests.judging.cases import POOLED, SCALE, at, on_screen, session_of, store_of

Pair = tuple[str, str]

COMMANDS = st.one_of(
    st.tuples(st.just("grade"), st.sampled_from([*SCALE, 3])),
    st.tuples(st.just("cannot_judge"), st.sampled_from(["unreadable", "no reason"])),
    st.tuples(st.just("note"), st.sampled_from(["", "1", "a note"])),
    st.tuples(st.sampled_from(["later", "toggle_unsure", "undo", "undo", "redo", "next_topic", "restart", "other"])),
)


class Model:
    """What a session should do, in the plainest way."""

    def __init__(self) -> None:
        self.standing: list[tuple[Pair, Any]] = []
        self.undone: list[tuple[Pair, Any]] = []
        self.notes: dict[Pair, tuple[str, bool]] = {}
        self.brought_back: Pair | None = None
        self.worked_on: str | None = None
        self.left: str | None = None

    def state(self, pair: Pair) -> Any:
        return next((what for known, what in reversed(self.standing) if known == pair), None)

    def open(self, qid: str) -> bool:
        return any(self.state((qid, docno)) in (None, "later") for docno in POOLED[qid])

    def screen(self) -> Pair | None:
        if self.brought_back and not self.left:
            return self.brought_back
        for qid in (self.left, self.worked_on, *POOLED):
            if qid and self.open(qid):
                pairs = [(qid, docno) for docno in POOLED[qid]]
                latest_first = dict.fromkeys(pair for pair, _ in reversed(self.standing) if pair in pairs)
                put_off = [pair for pair in latest_first if self.state(pair) == "later"]
                return next((pair for pair in pairs if self.state(pair) is None), None) or put_off[-1]
        return None

    def do(self, name: str, *values: Any) -> bool:
        """Whether the command is taken."""
        if name in ("restart", "other"):
            self.left = None if name == "restart" else self.left
            return True
        taken = bool(getattr(self, name)(*values))
        if taken and name != "next_topic":
            self.left = None
        return taken

    def decide(self, what: Any) -> bool:
        pair = self.screen()
        if pair:
            self.standing.append((pair, what))
            self.undone, self.brought_back, self.worked_on = [], None, pair[0]
        return pair is not None

    def grade(self, grade: int) -> bool:
        pair = self.screen() or ("", "")
        if grade not in SCALE or not self.decide((grade, self.notes.get(pair, ("", False))[1])):
            return False
        self.mark(pair, unsure=False)
        return True

    def mark(self, pair: Pair, unsure: bool) -> None:
        if pair in self.notes:
            self.notes[pair] = (self.notes[pair][0], unsure)

    def later(self) -> bool:
        return self.decide("later")

    def cannot_judge(self, reason: str) -> bool:
        return reason == "unreadable" and self.decide("cannot-judge")

    def draft(self, text: str | None, toggle: bool) -> bool:
        pair = self.screen()
        if pair:
            note, unsure = before = self.notes.get(pair, ("", False))
            self.notes[pair] = (note if text is None else text, unsure != toggle)
            self.undone = self.undone if self.notes[pair] == before else []
            self.worked_on = pair[0]
            self.brought_back = self.brought_back if self.brought_back == pair else None
        return pair is not None

    def note(self, text: str) -> bool:
        return self.draft(text, toggle=False)

    def toggle_unsure(self) -> bool:
        return self.draft(None, toggle=True)

    def undo(self) -> bool:
        if not self.standing:
            return False
        self.undone.append(self.standing.pop())
        self.brought_back, what = self.undone[-1]
        self.worked_on = self.brought_back[0]
        if isinstance(what, tuple):
            self.mark(self.brought_back, what[1])
        return True

    def redo(self) -> bool:
        if not self.undone:
            return False
        self.standing.append(self.undone.pop())
        self.brought_back, self.worked_on = None, self.standing[-1][0][0]
        if isinstance(self.standing[-1][1], tuple):
            self.mark(self.standing[-1][0], unsure=False)
        return True

    def next_topic(self) -> bool:
        pair, qids = self.screen(), list(POOLED)
        here = qids.index(pair[0]) if pair else 0
        others = [qid for qid in qids[here + 1 :] + qids[:here] if self.open(qid)]
        if pair and others:
            self.left = others[0]
        return bool(pair and others)


def do(session: Session, other: Session, name: str, *values: Any) -> bool:
    try:
        if name == "other":
            at(other).grade(2)
        elif name != "restart":
            getattr(at(session), name)(*values)
    except InputError:
        return name == "other"
    return True


def states(session: Session) -> dict[Pair, Any]:
    found = current(session._store, session.assessor)
    return {pair: (e.grade, e.unsure) if e.kind == "label" else e.kind for pair, e in found.items()}


@settings(max_examples=usually(25, 75), deadline=None)
@given(st.lists(COMMANDS, max_size=40))
@example([("grade", 1), ("later",), ("later",), ("later",), ("later",)])  # put off again, and again
@example([("grade", 1), ("undo",), ("next_topic",), ("note", "1"), ("restart",)])  # away from what undo brought back
def test_a_session_does_what_the_model_does(commands: list[tuple[Any, ...]]) -> None:
    """The same screen, the same refusals, the same labels after every command; restarts and others change nothing."""
    with store_of() as store:
        session, other, model = session_of(store), session_of(store, "bob"), Model()
        for command in commands:
            session = session_of(store) if command == ("restart",) else session
            assert do(session, other, *command) == model.do(*command)
            pair = model.screen()
            assert on_screen(session) == pair
            assert (session.view.note, session.view.unsure) == model.notes.get(pair or ("", ""), ("", False))
            assert (session.view.can_undo, session.view.can_redo) == (bool(model.standing), bool(model.undone))
            assert states(session) == dict(model.standing)
            assert sum(session.view.total) == 6
            assert session.view.total.remaining == 6 - len(dict(model.standing))
