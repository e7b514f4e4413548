"""The session of comparing pairs, in which two documents are one text, and its line mode."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO
from uuid import uuid4

from cranfield.display.layout import as_lists, layout_of, move_regions
from cranfield.features.preferences.pairs import ANSWERS, Showings, inward, outward, resolve, split
from cranfield.features.preferences.store import (
    LOG,
    append_preferences,
    current_preferences,
    pairs_of,
    preference_events,
    that_count,
)
from cranfield.formats import Document
from cranfield.judging.frontends.keys import DEFAULT, PREFERRING, Keys
from cranfield.judging.frontends.plain import LineMode
from cranfield.judging.labels.pairs import Evidence, Pair, pair_of
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.command import CommandTarget
from cranfield.judging.session.pace import IDLE, Pace
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.view import (
    NAMES,
    EarlierDecision,
    RecentDecision,
    SessionView,
    decision_words,
    document_heading,
    safe_document,
    safe_topic,
    text_placeholder,
)
from cranfield.judging.session.work import register_assessor
from cranfield.store.chain import Event
from cranfield.store.corpus import count_text_bytes
from cranfield.store.log import is_recorded
from cranfield.store.store import Store
from cranfield.text import visible_line, visible_position_map, visible_text

PART_GAP = "\n\n\n"


def composite(parts: Sequence[Document]) -> Document:
    """The documents one after the other, each under its name.

    >>> composite([Document("a", "on wings", "lift"), Document("b")]).text.split("\\n")[:4]
    ['First document', '', 'on wings', '']
    """
    return Document("", text=PART_GAP.join(_texts(parts)))


def spans(parts: Sequence[Document]) -> list[tuple[int, int]]:
    """Where each document is in that text.

    >>> spans([Document("a", text="lift"), Document("b", text="drag")])
    [(0, 20), (23, 44)]
    """
    places: list[tuple[int, int]] = []
    for text in _texts(parts):
        start = places[-1][1] + len(PART_GAP) if places else 0
        places.append((start, start + len(text)))
    return places


def _texts(parts: Sequence[Document]) -> list[str]:
    return [
        "\n\n".join(filter(None, [name, document_heading(part), part.text.strip("\n") or text_placeholder(part)]))
        for name, part in zip(NAMES, parts, strict=True)
    ]


class PreferenceSession(Recording):
    """One assessor comparing the documents of pairs, each in both orders; without a `seed`, in the order as before.

    >>> from cranfield.formats import Topic
    >>> from cranfield.features.preferences.store import DocumentPair, add_pairs
    >>> from cranfield.store.log import add_assessor
    >>> store = Store.memory("one pair")
    >>> documents = [Document("d1", text="wings"), Document("d2", text="tyres")]
    >>> store.add_documents(documents), store.add_topics([Topic("q")])
    (2, 1)
    >>> add_assessor(store, "ada"), add_pairs(store, "ada", [DocumentPair("q", "d1", "d2")], "file")
    (None, 1)
    >>> session = PreferenceSession(store, "ada")
    >>> [part.text for part in session.view.parts], session.view.position
    (['tyres', 'wings'], Position(number=1, of=2))
    >>> [part.text for part in session.grade(session.command_target(), 2).parts]
    ['wings', 'tyres']
    >>> session.grade(session.command_target(), 1).done, session.summary
    (True, 'judged 2, later 0, cannot judge 0, remaining 0; 1 pair judged in both orders, 0 with different
    answers (0%)')
    >>> store.close()
    """

    grade_words = ("an answer", "answers")

    def __init__(
        self, store: Store, assessor: str, *, seed: int | None = None, clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex, idle: float = IDLE,
    ) -> None:  # fmt: skip
        super().__init__(store, assessor, clock, ids, idle)
        register_assessor(store, assessor, verb="compare")
        self.grades = dict(ANSWERS)
        past = [one.order_seed for one in preference_events(store, assessor) if one.order_seed is not None]
        self._seed = (past or [0])[-1] if seed is None else seed
        self._topics = {topic.qid: topic for topic in store.topics()}
        self._take()
        self._show()

    def _take(self) -> None:
        """Take up the assessor's pairs, without what is withdrawn."""
        self._own, self._last_id, self._again = AssessorState(), 0, None
        self._withdrawals = self._store.count("withdrawal")
        self._showings = Showings(that_count(self._store, pairs_of(self._store, self.assessor)), self._seed, self._own)
        self._pace = Pace(self._length, lambda: [docno for _, docno in self._showings.all])
        self._catch_up()

    def _is_outdated(self) -> bool:
        return self._store.count("withdrawal") != self._withdrawals

    def _read(self, docno: str) -> Document:
        return composite([self._store.document(one) for one in split(docno)])

    def _length(self, docno: str) -> int:
        return sum(count_text_bytes(self._store, one) for one in split(docno))

    # What front ends ask

    @property
    def marks(self) -> Sequence[Evidence]:
        """No evidence is marked in pairs."""
        return ()

    @property
    def summary(self) -> str:
        """The progress in one line, with how often the order shown changed the answer."""
        return f"{self.view.total}; {resolve(current_preferences(self._store, self.assessor))}"

    # What is recorded

    @property
    def _state(self) -> AssessorState:
        return self._own

    def _event(self, about: CommandTarget, kind: str, pair: Pair, **more: Any) -> Event:
        how = {"order_seed": self._seed, "position": self._showings.place(pair).number}
        by = {"event_id": about.event_id, "input": self.input}
        return Event(kind, *pair, self.assessor, **{**how, **by, **self._screen.record(), **more})

    def _is_recorded(self, event_id: str) -> bool:
        return is_recorded(self._store, event_id, LOG)

    def _append(self, event: Event) -> None:
        append_preferences(self._store, outward(event))

    @contextmanager
    def _permission(self, pair: Pair, kind: str) -> Iterator[None]:
        with self._store.writing():
            yield

    def _give_up(self, pair: Pair) -> None:
        """Pairs are nobody else's."""

    # What comes next

    def _catch_up(self) -> None:
        for event in preference_events(self._store, self.assessor, after=self._last_id):
            self._last_id = event.id or self._last_id
            if (inner := inward(event)) and pair_of(inner) in self._showings:
                self._own.add(inner)

    def _show(self, anew: bool = True) -> SessionView:
        if self._is_outdated():
            self._take()
        self._screen.put_on_screen(self._again or self._showings.next(), anew)
        self.view = self._view(self._screen.pair)
        return self.view

    def _view(self, pair: Pair | None) -> SessionView:
        place, counts, last = self._showings.place(pair), self._showings.counts(), self._own.done[-1:]
        parts = tuple(self._part(docno) for docno in split(pair[1])) if pair else ()
        return SessionView(
            topic=safe_topic(self._topics[pair[0]]) if pair else None,
            document=composite(parts) if parts else None,
            grades=self.grades,
            position=place,
            overall=place,
            counts=counts,
            total=counts,
            last=self._earlier_decision(last[0]) if last and pair_of(last[0]) != pair else None,
            can_undo=bool(self._own.done),
            can_redo=bool(self._own.undone),
            note=visible_text(self._own.draft(pair).note),
            unsure=False,
            terms=visible_line(self._screen.terms),
            eta=self._pace.time_left(self._own.timed, counts.remaining + counts.later),
            noun="pair",
            parts=parts,
        )

    def _part(self, docno: str) -> Document:
        document = self._store.document(docno)
        safe, layout = safe_document(document), layout_of(document.metadata, document.text)
        about = {"layout": as_lists(move_regions(layout, visible_position_map(document.text)))} if layout else {}
        return safe._replace(docno="", metadata={**safe.metadata, **about})

    def _earlier_decision(self, event: Event) -> EarlierDecision:
        words = decision_words(event, self.grades)
        words = f"answer {words.removeprefix('grade ')}" if words.startswith("grade ") else words
        return EarlierDecision(visible_line(event.qid), self._showings.place(pair_of(event)).number, words)

    def _recent_decision(self, event: Event) -> RecentDecision:
        titles = (self._store.document(docno).title for docno in split(event.docno))
        return RecentDecision(self._earlier_decision(event), visible_line(" / ".join(titles)), visible_line(event.note))


class PlainPreferences(LineMode):
    """The line mode of a session of pairs.

    >>> import io
    >>> from cranfield.store.store import Store
    >>> out = io.StringIO()
    >>> with Store.memory("empty") as store:
    ...     PlainPreferences(PreferenceSession(store, "ada"), io.StringIO("q\\n"), out).run()
    >>> print(out.getvalue(), end="")
    Everything is done. u undoes the last decision, q quits.
    1, 2 or 0, ? for help >
    """

    commands = PREFERRING
    prompt = "1, 2 or 0, ? for help > "
    act = "say which document is better"
    item = "an answer"

    def __init__(
        self, session: PreferenceSession, source: TextIO, target: TextIO, *, width: int = 80, keys: Keys = DEFAULT,
        guidelines: str = "",
    ) -> None:  # fmt: skip
        super().__init__(session, source, target, width=width, keys=keys, guidelines=guidelines)
