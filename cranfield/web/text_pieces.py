"""The text of a document as pieces of a page: plain, marked as evidence, highlighted, or both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cranfield.judging.labels.evidence import Evidence, shown
from cranfield.judging.session.highlight import highlighter
from cranfield.text import visible, whence


class Piece(NamedTuple):
    """Characters that look alike."""

    text: str
    evidence: bool = False
    highlighted: bool = False


def pieces(text: str, marks: Sequence[Evidence] = (), terms: str = "") -> Iterator[Piece]:
    """The pieces of a stored text, made visible; joined, they are `visible(text)`.

    >>> [tuple(piece) for piece in pieces("Oil the chain.", [Evidence(8, 13, "chain")], "oil")]
    [('Oil', False, True), (' the ', False, False), ('chain', True, False), ('.', False, False)]
    """
    seen, pattern = visible(text), highlighter(terms)
    hits = (match.span() for match in pattern.finditer(seen)) if pattern else ()
    cuts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    cuts[0], cuts[len(seen)] = Counter(), Counter()
    for kind, spans in (("evidence", shown(marks, text)), ("highlighted", hits)):
        for start, end in spans:
            cuts[start][kind] += 1
            cuts[end][kind] -= 1
    inside = Counter[str]()
    for start, end in pairwise(sorted(cuts)):
        inside.update(cuts[start])
        yield Piece(seen[start:end], inside["evidence"] > 0, inside["highlighted"] > 0)


def stored_span(text: str, start: int, end: int) -> tuple[int, int]:
    r"""The stored characters of a selection in a browser, which counts UTF-16 units of the visible text.

    >>> stored_span("a\t\U0001f600 tyre", 10, 15), "a\t\U0001f600 tyre"[3:8]
    ((3, 8), ' tyre')
    """
    units, of = visible(text).encode("utf-16-le"), whence(text)
    first, last = (len(units[: 2 * place].decode("utf-16-le", "ignore")) for place in (start, end))
    return of(first), of(last)
