"""Cutting documents into passages, and a new store of them."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate, count, pairwise
from locale import locale_alias
from os import PathLike
from typing import Any, NamedTuple

from cranfield.display.layout import HEADINGS, Region, layout_of
from cranfield.display.reflow import CJK
from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.features.documents.store.documents import PassageRequest, note_build, refuse_passages, take_along
from cranfield.formats.records import Document
from cranfield.hooks import OptionError
from cranfield.parallel import progress_bar
from cranfield.store.connection import atomic_path
from cranfield.store.history import importing
from cranfield.store.log import guidelines, set_guidelines
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_name_by_docno, topics_that_count
from cranfield.text import counted

Span = tuple[int, int]
WORD = re.compile(f"{CJK.pattern}|(?:(?!{CJK.pattern})\\S)+")
LONGEST_SECTION = 300  # words; a longer section is cut by sentences
LANGUAGES = frozenset(re.split("[_.@]", name)[0] for name in locale_alias)


class Passage(NamedTuple):
    """A stretch of a text, and the headings that it stands below."""

    start: int
    end: int
    headings: tuple[str, ...] = ()


def check(request: PassageRequest) -> None:
    """Refuse options that do not go together, and a language that nobody knows."""
    if request.stride > request.window:
        raise OptionError(
            "stride", f"is {request.stride}, which exceeds --window {request.window}, so sentences would be lost"
        )
    if request.language not in LANGUAGES:
        raise OptionError(
            "language", f"{request.language!r} is not a language code; expected a code such as en, fa or zh"
        )
    if not request.separator or any(one.isspace() for one in request.separator):
        raise OptionError("separator", f"is {request.separator!r}; expected characters without blanks, such as #")


def passages_of(document: Document, request: PassageRequest) -> list[Passage]:
    """The passages of a document, in their order; none of a text of blanks."""
    headings = sorted(one for one in layout_of(document.metadata, document.text) if one.kind in HEADINGS)
    return [
        Passage(start, end, _path(document.text, headings, start))
        for first, last in CUTS[request.by](document.text, headings, request)
        for start, end in [_strip_blanks(document.text, first, last)]
        if start < end
    ]


def as_document(document: Document, passage: Passage, number: int, separator: str) -> Document:
    """A passage as a document, whose metadata say where it is from; its layout is that of the stretch.

    >>> whole = Document("d", "A title", "One. Two.", metadata={"layout": [[0, 9, "p"], [5, 8, "em"]], "year": 1957})
    >>> found = as_document(whole, Passage(5, 9, ("Oil",)), 1, "#")
    >>> found.docno, found.text, found.metadata["layout"]
    ('d#1', 'Two.', [[0, 4, 'p'], [0, 3, 'em']])
    >>> {name: found.metadata[name] for name in ("document", "start", "end", "headings", "year")}
    {'document': 'd', 'start': 5, 'end': 9, 'headings': ['Oil'], 'year': 1957}
    """
    start, end, headings = passage
    about: dict[str, Any] = {name: value for name, value in document.metadata.items() if name != "layout"}
    about |= {"document": document.docno, "start": start, "end": end}
    if headings:
        about["headings"] = list(headings)
    whole: Any = document.metadata["layout"] if layout_of(document.metadata, document.text) else []
    layout = [
        [max(first, start) - start, min(last, end) - start, *kind]
        for first, last, *kind in whole
        if first < end and last > start
    ]
    if layout:
        about["layout"] = layout
    docno = f"{document.docno}{separator}{number}"
    return Document(docno, document.title, document.text[start:end], document.url, about)


def sentences(text: str, language: str) -> list[Span]:
    """Where each sentence begins and ends, with the blanks after it; all of them make up the text.

    >>> sentences("Dr. Smith left. Why?  Nobody knows.", "en")  # doctest: +SKIP
    [(0, 16), (16, 22), (22, 35)]
    """
    require_extra("files", "sentences", "sentencex")
    from sentencex import segment

    ends = accumulate(map(len, segment(language, text)), initial=0)
    return [(start, end) for start, end in pairwise(ends) if text[start:end].strip()]


def _windows(text: str, request: PassageRequest, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Windows of sentences; the last is the first that reaches the end."""
    spans = [(first + start, last + start) for first, last in sentences(text[start:end], request.language)]
    for first in range(0, len(spans), request.stride):
        window = spans[first : first + request.window]
        yield window[0][0], window[-1][1]
        if first + request.window >= len(spans):
            return


def _split_by_sentences(text: str, headings: Sequence[Region], request: PassageRequest) -> Iterator[Span]:
    return _windows(text, request)


def _split_by_words(text: str, headings: Sequence[Region], request: PassageRequest) -> Iterator[Span]:
    places = [match.span() for match in WORD.finditer(text)]
    for first in range(0, len(places), request.words):
        stretch = places[first : first + request.words]
        yield stretch[0][0], stretch[-1][1]


def _split_by_headings(text: str, headings: Sequence[Region], request: PassageRequest) -> Iterator[Span]:
    """Each section with its heading; headings with no text between them are of one section."""
    starts = [one.start for one in headings]
    first = [
        0,
        *(start for start, before in zip(starts, [None, *headings], strict=False) if _is_text(text, before, start)),
    ]
    for start, end in pairwise([*dict.fromkeys(first), len(text)]):
        if len(WORD.findall(text, start, end)) > LONGEST_SECTION:
            yield from _windows(text, request, start, end)
        else:
            yield start, end


def _is_text(text: str, before: Region | None, start: int) -> bool:
    """Whether text stands between a heading, or the beginning, and a place."""
    return bool(text[before.end if before else 0 : start].strip())


CUTS: Mapping[str, Callable[[str, Sequence[Region], PassageRequest], Iterator[Span]]] = {
    "sentences": _split_by_sentences,
    "words": _split_by_words,
    "headings": _split_by_headings,
}


def _path(text: str, headings: Sequence[Region], start: int) -> tuple[str, ...]:
    """The headings above a place, and those that it begins with: each below one of a higher level."""
    path: list[Region] = []
    for one in headings:
        if text[start : one.start].strip():
            break
        start = max(start, one.end)
        path = [above for above in path if above.kind < one.kind] + [one]
    return tuple(" ".join(text[one.start : one.end].split()) for one in path)


def _strip_blanks(text: str, start: int, end: int) -> Span:
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), start + len(words.rstrip())


class PassagesBuilt(NamedTuple):
    """How many passages were made of how many documents; `without` are those without text."""

    passages: int
    documents: int
    without: int

    def __str__(self) -> str:
        """One line.

        >>> print(PassagesBuilt(12, 3, 1))
        12 passages of 3 documents; 1 document without text
        """
        rest = f"; {counted(self.without, 'document')} without text" if self.without else ""
        return f"{counted(self.passages, 'passage')} of {counted(self.documents, 'document')}{rest}"


def build_passages(store: Store, out: str | PathLike[str], request: PassageRequest) -> PassagesBuilt:
    """Make a new store of the passages of a store; whatever interrupts it, there is none then."""
    check(request)
    refuse_passages(store)
    if not store.has("document"):
        raise InputError("no corpus in this store; `cranfield import corpus` adds one", store.path)
    cut, counting = count(), topics_that_count(store)
    gone = {docno for docno, now in present_name_by_docno(store).items() if now is None}
    with atomic_path(out) as part, Store.begin(part, store.collection) as new:
        set_guidelines(new, guidelines(store))
        with new.writing():
            with importing(new, "corpus", [], origin=f"passages of {store.collection.name}"):
                passages = new.add_documents(_passages_of_store(store, request, cut, gone))
                take_along(store, new)
            if topics := [topic for topic in store.topics() if counting is None or topic.qid in counting]:
                with importing(new, "topics", [], origin=f"topics of {store.collection.name}"):
                    new.add_topics(topics)
            if not passages:
                raise InputError("no document has a text to split into passages", store.path)
            note_build(new, store, request)
    documents = next(cut)
    return PassagesBuilt(passages, documents, store.count("document") - len(gone) - documents)


def _passages_of_store(
    store: Store, request: PassageRequest, cut: "count[int]", gone: Collection[str]
) -> Iterator[Document]:
    with progress_bar("cutting documents", store.count_added("document")) as advance:
        for document in store.documents():
            if document.docno in gone:
                continue
            if request.separator in document.docno:
                raise InputError(
                    f"docno {document.docno!r} contains {request.separator!r}; choose another --separator",
                    store.path,
                )
            passages = passages_of(document, request)
            if passages:
                next(cut)
            for number, passage in enumerate(passages):
                yield as_document(document, passage, number, request.separator)
            advance(1)
