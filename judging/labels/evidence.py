"""Evidence: the words of a document that decided its grade, by their position in the stored text."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cranfield.errors import DamageError, InputError
from cranfield.store.chain import Event
from cranfield.store.decoding import are_marks, json_of, shortened
from cranfield.text import whither

BETWEEN = re.compile(r"(?<=[.!?])\s+|\n\s*\n\s*")
LONGEST = 600  # characters of what counts as a sentence


class Evidence(NamedTuple):
    """A quotation: the characters from `start` to `end` (exclusive) of the document's text."""

    start: int
    end: int
    quote: str


def quoted(text: str, words: str) -> Evidence:
    r"""Where these words are in a text; white space and case may differ, the quotation is the text's own.

    >>> quoted("Clean the  chain\nfirst.", "the CHAIN first")
    Evidence(start=6, end=22, quote='the  chain\nfirst')
    >>> quoted("Clean the chain.", "the brake")
    Traceback (most recent call last):
    cranfield.errors.InputError: the document does not contain 'the brake'
    """
    pattern = r"\s+".join(map(re.escape, words.split()))
    found = re.search(pattern, text) or re.search(pattern, text, re.IGNORECASE) if pattern else None
    if found is None:
        raise InputError(f"the document does not contain {words[:60]!r}")
    return Evidence(found.start(), found.end(), found[0])


def dumped(evidence: Sequence[Evidence]) -> str | None:
    """As it is kept in the log.

    >>> dumped([Evidence(0, 5, "Clean")]), dumped([])
    ('[{"start": 0, "end": 5, "quote": "Clean"}]', None)
    """
    return json.dumps([one._asdict() for one in evidence], ensure_ascii=False) if evidence else None


def loaded(event: Event) -> tuple[Evidence, ...]:
    """From the log; a model's label has none, but the number of its call.

    >>> note = Event("note", "q", "d", "ada", evidence='[{"start": 0, "end": 5, "quote": "Clean"}]', id=7)
    >>> loaded(note), loaded(note._replace(evidence=None))
    ((Evidence(start=0, end=5, quote='Clean'),), ())
    >>> loaded(note._replace(evidence='{"call": 5}', input="model"))
    ()
    >>> loaded(note._replace(evidence="[7]"))
    Traceback (most recent call last):
    cranfield.errors.DamageError: table judgment_event, row 7: evidence marks no passages: '[7]'
    """
    if event.input == "model":
        return ()
    found = json_of(list, event.evidence, "judgment_event", event.id, "evidence")
    if not are_marks(found):
        wrong = f"evidence marks no passages: {shortened(event.evidence)}"
        raise DamageError("judgment_event", event.id, wrong)
    return tuple(Evidence(**one) for one in found)


def shown(marks: Sequence[Evidence], text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    r"""Where marks of a text are in `visible(text)`, from an offset on.

    >>> list(shown([Evidence(2, 3, "b")], "a\tb", start=10))
    [(18, 19)]
    """
    of = whither(text) if marks else int
    yield from ((start + of(mark.start), start + of(mark.end)) for mark in marks)


def sentences(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    r"""Where sentences begin and end, as far as full stops and blank lines show.

    >>> text = "It is 1.5 mm. Clean\nit!\n\nThen oil it"
    >>> [text[start:end] for start, end in sentences(text)]
    ['It is 1.5 mm.', 'Clean\nit!', 'Then oil it']
    """
    for between in BETWEEN.finditer(text, start):
        yield from _cut(text, start, between.start())
        start = between.end()
    yield from _cut(text, start, len(text))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split what is too long for a sentence; skip what is blank."""
    while end - start > LONGEST:
        gap = text.rfind(" ", start + 1, start + LONGEST)
        cut = gap if gap > 0 else start + LONGEST
        yield start, cut
        start = cut + (gap > 0)
    ink = text[start:end].strip()
    if ink:
        first = text.index(ink[0], start)
        yield first, first + len(ink)
