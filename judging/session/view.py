"""What an assessor sees: the document on screen, words found in it, and records in which every text is safe to show.

Nothing here reveals which runs found a document, at what rank or score, how deep the pool is, or what others said.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from cranfield.display.layout import Region, fields_of, layout_of
from cranfield.errors import InputError
from cranfield.extras import missing_packages
from cranfield.formats import Document, Topic
from cranfield.judging.labels.pairs import Pair, evidence_of, pair_of
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.pace import ActiveTime, Pace
from cranfield.judging.session.worklist import Counts, Position, Worklist
from cranfield.store.chain import Event
from cranfield.store.log import criteria
from cranfield.store.store import Store, document_hash
from cranfield.text import visible_line, visible_text


def terms_of(text: str) -> list[str]:
    """The terms of a comma-separated line, each once.

    >>> terms_of(" brake pads, squeal,, Squeal ")
    ['brake pads', 'squeal']
    """
    terms = (" ".join(term.split()).lower() for term in text.split(","))
    return list(dict.fromkeys(term for term in terms if term))


def words_of(text: str) -> list[str]:
    """The terms that find the words of a text and their inflections: stems, of all but stop words.

    Without the extra `search` they are the words themselves.

    >>> words_of("Do the tyres of bicycles in cities squeal?")
    ['tyre', 'bicycl', 'citi', 'city', 'squeal']
    >>> term_highlighter(", ".join(words_of("cities"))).findall("a city, cities")
    ['city', 'cities']
    """
    from cranfield.search.index import split_words, stem

    if missing_packages("search", "bm25s", "Stemmer"):
        return list(dict.fromkeys(word for word in split_words(text) if len(word) > 1))
    pairs = [(short, word) for word in split_words(text) for short in stem(word) if len(short) > 1]
    terms = [(short, word if not word.startswith(short) else "", f"{short[:-1]}y" if short[-1] == "i" else "")
             for short, word in pairs]  # fmt: skip
    return list(dict.fromkeys(term for several in terms for term in several if term))


def term_highlighter(text: str) -> re.Pattern[str] | None:
    """Finds words that begin with one of the terms; case and white space do not matter.

    >>> term_highlighter("brak, oil").findall("Brakes need no oil: handbrake")
    ['Brakes', 'oil']
    """
    spelt = [_loose_pattern(term) for term in sorted(terms_of(text), key=len, reverse=True)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelt)})\w*", re.IGNORECASE) if spelt else None


def word_finder(text: str) -> re.Pattern[str] | None:
    """Finds a text as it is, also within words; case and white space do not matter.

    >>> word_finder("the  c").findall("on the\\nchain"), word_finder(" ")
    (['the\\nc'], None)
    """
    return re.compile(_loose_pattern(text), re.IGNORECASE) if text.strip() else None


def _loose_pattern(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


class ScreenState:
    """The document on screen, the terms highlighted in it, whether its docno is shown, and the active time.

    How a document was shown belongs to its label: what was shown once stays on record until there is another document.
    """

    def __init__(self, read: Callable[[str], Document], clock: Callable[[], float], idle: float) -> None:
        self._read = read
        self.time = ActiveTime(clock, idle)
        self.pair: Pair | None = None
        self.document: Document | None = None
        self._sha256: str | None = None
        self._terms: dict[str, str] = {}  # by topic
        self._highlighting = self.docno_shown = False  # as they are now
        self._terms_seen, self._docno_seen = "", False  # as they were with this document

    def recall(self, past: Iterable[Event]) -> None:
        """Take up the terms of earlier sessions."""
        self._terms |= {event.qid: event.highlight_terms for event in past if event.highlight_terms}

    def put_on_screen(self, pair: Pair | None, anew: bool) -> None:
        """Put another document on screen, or the same one again, or (if not anew) keep the same one."""
        if anew or pair != self.pair:
            self.pair = pair
            self.document = self._read(pair[1]) if pair else None
            self._sha256 = document_hash(self.document.text, self.document.metadata) if self.document else None
            self._terms_seen, self._docno_seen = "", False
            self.time.start()
        self._terms_seen = self.terms or self._terms_seen
        self._docno_seen = self._docno_seen or self.docno_shown

    @property
    def current_pair(self) -> Pair:
        """The pair on screen; an error when everything is done."""
        if self.pair is None:
            raise InputError("everything is done; there is no document on screen")
        return self.pair

    @property
    def text(self) -> str:
        """The text of the document as stored: not safe to show."""
        return self.document.text if self.document else ""

    @property
    def layout(self) -> list[Region]:
        """The layout of the text, if it has one."""
        return layout_of(self.document.metadata, self.document.text) if self.document else []

    @property
    def terms(self) -> str:
        """The terms highlighted now."""
        return self._terms.get(self.pair[0], "") if self.pair and self._highlighting else ""

    def set_terms(self, text: str) -> None:
        """Highlight these terms in this topic from now on; none if empty."""
        self._terms[self.current_pair[0]] = ", ".join(terms_of(text))
        self._highlighting = bool(terms_of(text))

    def toggle_terms(self) -> None:
        """Turn highlighting on or off."""
        if not self._highlighting and not self._terms.get(self.current_pair[0]):
            raise InputError("you have not set terms to highlight in this topic")
        self._highlighting = not self._highlighting

    def toggle_docno(self) -> bool:
        """Show or hide docnos; returns whether they are shown now."""
        self.docno_shown = bool(self.current_pair) and not self.docno_shown
        self._docno_seen = self._docno_seen or self.docno_shown
        return self.docno_shown

    def record(self) -> dict[str, Any]:
        """How the document was shown, for the record."""
        return {
            "seconds": self.time.seconds(),
            "document_sha256": self._sha256,
            "highlight_terms": self._terms_seen,
            "docno_shown": self._docno_seen,
        }


NAMES = ("First document", "Second document")  # of the parts of a view
NO_TEXT = "The store has no text for this document."
A_PICTURE = "This document is a picture; view it in the browser."


def text_placeholder(document: Document) -> str:
    """What stands where a document, safe to show, has no text."""
    return A_PICTURE if document.metadata.get("picture") else NO_TEXT


class CriterionShown(NamedTuple):
    """A criterion of the assessor, and the day it was noted."""

    day: str
    text: str


class EarlierDecision(NamedTuple):
    """A current decision: on which document of which topic, and what it was, in words."""

    qid: str
    number: int
    words: str


class RecentDecision(NamedTuple):
    """A decision, with the title of its document and the note saved with it."""

    decision: EarlierDecision
    title: str
    note: str


class LabelShown(NamedTuple):
    """What an assessor said, under a letter that hides who it was: the label, the note and the quotations with it."""

    letter: str
    words: str
    note: str
    quotes: tuple[str, ...]


@dataclass(frozen=True)
class SessionView:
    """All that is on the screen; `topic` and `document` are None when everything is done.

    `last` is None too if it is about the document on screen: an earlier grade is not shown while judging again.
    """

    topic: Topic | None
    document: Document | None
    grades: Mapping[int, str]
    position: Position
    overall: Position
    counts: Counts  # of this topic
    total: Counts
    last: EarlierDecision | None
    can_undo: bool
    can_redo: bool
    note: str
    unsure: bool
    evidence: tuple[str, ...] = ()  # the quotations
    criteria: tuple[CriterionShown, ...] = ()  # of this topic, oldest first
    terms: str = ""  # highlighted now
    docno_shown: bool = False
    eta: str = ""  # how long the rest will take; empty while unknown
    noun: str = "document"  # what is decided on
    labels: tuple[LabelShown, ...] = ()  # what an adjudicator decides between
    settled: tuple[str, ...] = ()  # how a case that is shown again was settled
    parts: tuple[Document, ...] = ()  # the documents of a pair, which `document` has one after the other
    part_noun: str = "document"  # what each of them is
    remark: str = ""  # on what is not shown

    @property
    def done(self) -> bool:
        """Whether nothing is left to judge."""
        return self.document is None


def view_of(
    store: Store,
    assessor: str,
    grades: Mapping[int, str],
    *,
    documents: Worklist,
    state: AssessorState,
    screen: ScreenState,
    pace: Pace,
) -> SessionView:
    """What is on the screen now."""
    pair, draft = screen.pair, state.draft(screen.pair)
    total = documents.counts(documents.topics)
    last = state.done[-1] if state.done else None
    diary = criteria(store, pair[0], assessor) if pair else []
    return SessionView(
        topic=safe_topic(documents.topics[pair[0]]) if pair else None,
        document=safe_document(screen.document) if screen.document else None,
        grades=safe_grades(grades),
        position=documents.place(pair) if pair else Position(0, 0),
        overall=documents.overall(pair) if pair else Position(0, sum(total)),
        counts=documents.counts([pair[0]] if pair else []),
        total=total,
        last=decision_of(last, documents, grades) if last and pair_of(last) != pair else None,
        can_undo=bool(state.done),
        can_redo=bool(state.undone),
        note=visible_text(draft.note),
        unsure=draft.unsure,
        evidence=tuple(visible_text(one.quote) for one in evidence_of(draft)),
        criteria=tuple(CriterionShown(one.at[:10], visible_line(one.text)) for one in diary),
        terms=visible_line(screen.terms),
        docno_shown=screen.docno_shown,
        eta=pace.time_left(state.timed, total.remaining + total.later),
    )


def safe_grades(grades: Mapping[int, str]) -> dict[int, str]:
    """Grades whose meanings are safe to show."""
    return {grade: visible_line(meaning) for grade, meaning in grades.items()}


def decision_of(event: Event, documents: Worklist, grades: Mapping[int, str]) -> EarlierDecision:
    """A decision that is safe to show."""
    return EarlierDecision(
        visible_line(event.qid), documents.place(pair_of(event)).number, decision_words(event, grades)
    )


def recent_decision(event: Event, documents: Worklist, grades: Mapping[int, str], title: str) -> RecentDecision:
    """A decision for the list of recent ones."""
    return RecentDecision(decision_of(event, documents, grades), visible_line(title), visible_line(event.note))


def safe_document(document: Document) -> Document:
    r"""A document that is safe to show: without its address and metadata, which reveal where it came from.

    Of these, it has what the collection shows.

    >>> safe_document(Document("d1", "a\ntitle", "red: \x1b[31m", "https://example.org"))
    Document(docno='d1', title='a title', text='red: ␛[31m', url='', metadata={})
    """
    fields = [[visible_line(part) for part in one] for one in fields_of(document.metadata)]
    about: dict[str, object] = {"shown": fields} if fields else {}
    if not document.text and any(one.picture for one in layout_of(document.metadata, "")):
        about["picture"] = True
    return Document(
        visible_line(document.docno), visible_line(document.title), visible_document_text(document.text), metadata=about
    )


@lru_cache(maxsize=4)
def visible_document_text(text: str) -> str:
    """The text of a document, made visible once while it is on screen: that takes a while if the text is long."""
    return visible_text(text)


def document_heading(document: Document) -> str:
    r"""The title, unless the text begins with it.

    >>> document_heading(Document("d", "on wings", "on\nwings are"))
    ''
    >>> document_heading(Document("d", "on wings", "wings are"))
    'on wings'
    """
    begin = " ".join(document.text[: 2 * len(document.title) + 80].split())
    return "" if begin.startswith(document.title) else document.title


def safe_topic(topic: Topic) -> Topic:
    """A topic that is safe to show."""
    return Topic(
        visible_line(topic.qid),
        visible_line(topic.title),
        visible_text(topic.description),
        visible_text(topic.narrative),
    )


def decision_words(event: Event, grades: Mapping[int, str]) -> str:
    """A decision in words.

    >>> decision_words(Event("label", "q", "d", "ada", grade=1, unsure=True), {1: "relevant"})
    'grade 1, relevant (unsure)'
    """
    words = event.kind
    if event.grade is not None:
        words = f"grade {event.grade}, {grades.get(event.grade, 'not on the scale')}"
    elif event.kind == "cannot-judge":
        words = f"cannot judge, {event.reason}"
    return visible_line(words + (" (unsure)" if event.unsure else ""))
