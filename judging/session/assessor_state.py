"""The state of one assessor's work, replayed from the events alone.

The state of a pair (topic, document) is its last label, later or cannot-judge that was not undone. Undo is a `retract`
that names the event it undoes. Redo is that event again, naming the retract that it undoes in turn.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable

from cranfield.judging.labels.pairs import Pair, is_adjudicator_event, pair_of
from cranfield.judging.session.transitions import TRANSITIONS, State
from cranfield.store.chain import Event
from cranfield.store.log import OUTWEIGHED

PACE = 50  # labels from which the pace is estimated


class AssessorState:
    """The state of one assessor's work.

    >>> one, two = Event("label", "q", "d", "ada", grade=1, id=1), Event("label", "q", "d", "ada", grade=0, id=2)
    >>> state = AssessorState([one, two, Event("retract", "q", "d", "ada", supersedes=2, id=3)])
    >>> state.decision(("q", "d")).grade, state.focus, len(state.undone)
    (1, ('q', 'd'), 1)
    """

    def __init__(self, events: Iterable[Event] = (), adjudicates: bool = False) -> None:
        self._adjudicates = adjudicates  # whether adjudications are what can be undone, or all else
        self.done: list[Event] = []  # current decisions that can be undone, in order
        self.undone: list[tuple[Event, int | None]] = []  # what redo restores, with the retract that undid it
        self.drafts: dict[Pair, Event] = {}  # the last note of each pair: text, evidence, unsure mark
        self.decided: defaultdict[str, dict[str, None]] = defaultdict(dict)  # by topic: every document ever decided
        self.counts: defaultdict[str, Counter[State]] = defaultdict(Counter)  # by topic: number of documents, by state
        self.focus: Pair | None = None  # what undo restored
        self.last: Event | None = None
        self.timed: deque[tuple[str, float]] = deque(maxlen=PACE)  # docno and seconds of the last labels
        self.fast = 0  # labels given before anybody can have read the document
        self._standing: defaultdict[Pair, list[Event]] = defaultdict(list)
        for event in events:
            self.add(event)

    def decision(self, pair: Pair) -> Event | None:
        """The current decision on a pair; None if it is undecided."""
        standing = self._standing.get(pair)
        return standing[-1] if standing else None

    def draft(self, pair: Pair | None) -> Event:
        """The last note on a pair: its text, its evidence and the unsure mark."""
        return self.drafts.get(pair or ("", "")) or Event("note", "", "", "")

    def add(self, event: Event) -> None:
        """Take in one more event."""
        self.last = event
        if event.kind == "retract":
            self._take_back(event)
            return
        if not (event.kind == "note" and self._repeats_note(event)):
            # a redo keeps what was undone before it; any other event ends redoing
            if self.undone and event.supersedes is not None and self.undone[-1][1] == event.supersedes:
                self.undone.pop()
            else:
                self.undone.clear()
        if event.kind == "note":
            self.drafts[pair_of(event)] = event
            if self.focus != pair_of(event):
                self.focus = None
        else:
            self._decide(event)

    def _repeats_note(self, note: Event) -> bool:
        """Whether a note repeats the one before it: then it only records that the docno was shown."""
        before = self.draft(pair_of(note))
        return (note.note, note.unsure, note.evidence) == (before.note, before.unsure, before.evidence)

    def _mark(self, event: Event, unsure: bool) -> None:
        """Set the unsure mark of a pair, or clear it: what an event took along, the next needs anew."""
        if "unsure" in TRANSITIONS[event.kind].takes and (pair := pair_of(event)) in self.drafts:
            self.drafts[pair] = self.drafts[pair]._replace(unsure=unsure)

    def _decide(self, event: Event) -> None:
        self._count_event(event, True)
        self.decided[event.qid][event.docno] = None
        self.focus = None
        self.fast += event.fast and event.kind == "label"
        if TRANSITIONS[event.kind].undoable and is_adjudicator_event(event) == self._adjudicates:
            self.done.append(event)
        self._mark(event, unsure=False)
        if event.kind in ("label", "adjudicate") and event.seconds is not None and event.supersedes is None:
            self.timed.append((event.docno, event.seconds))

    def _take_back(self, retract: Event) -> None:
        places = reversed(range(len(self.done)))
        place = next((place for place in places if self.done[place].id == retract.supersedes), None)
        if place is not None:
            event = self.done.pop(place)
            self._count_event(event, False)
            if retract.event_id.endswith(OUTWEIGHED):  # nobody has undone it: it came back after a newer one was made
                return
            self.undone.append((event, retract.id))
            self._mark(event, event.unsure)
            self.focus = pair_of(event)

    def _count_event(self, event: Event, stands: bool) -> None:
        pair = pair_of(event)
        self._count(pair, -1)
        if stands:
            self._standing[pair].append(event)
        else:
            self._standing[pair].remove(event)
        self._count(pair, 1)

    def _count(self, pair: Pair, by: int) -> None:
        if (decision := self.decision(pair)) and (state := TRANSITIONS[decision.kind].state):
            self.counts[pair[0]][state] += by
