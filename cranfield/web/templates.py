"""The templates of the pages, in which every value is escaped; and the text of a document in blocks and pieces."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from cranfield.judging.labels.evidence import Evidence
from cranfield.judging.session.view import highlighter, seen
from cranfield.report.components.markup import shown, told
from cranfield.report.components.table import table
from cranfield.text import UNSEEN, whence

BLOCK = 10_000  # characters of a block at most


class LookAlikes(NamedTuple):
    """Characters that look alike."""

    text: str
    evidence: bool = False
    highlighted: bool = False


Span = tuple[str, int, int]  # what it is, where it starts and ends in the visible text


class ShownText:
    r"""A stored text, made visible; the pieces of all blocks, joined, are `visible(text)`.

    >>> shown = ShownText("Oil the chain.")
    >>> [tuple(piece) for piece in shown.blocks([Evidence(8, 13, "chain")], "oil")[0]]
    [('Oil', False, True), (' the ', False, False), ('chain', True, False), ('.', False, False)]
    >>> [[piece.text for piece in block] for block in ShownText("Oil it.\n" * 2, longest=10).blocks()]
    [['Oil it.\n'], ['Oil it.\n']]
    """

    def __init__(self, stored: str, longest: int = BLOCK) -> None:
        self.stored, self.seen = stored, seen(stored)
        self.cuts = [0, *_cuts(self.seen, longest), len(self.seen)] if self.seen else []
        self._made: tuple[object, list[list[LookAlikes]]] = None, []  # the blocks that were asked for last

    def blocks(self, marks: Sequence[Evidence] = (), terms: str = "") -> list[list[LookAlikes]]:
        """The pieces of each block; no block at all if there is no text."""
        if self._made[0] != (wanted := (tuple(marks), terms)):
            self._made = wanted, self._blocks(*wanted)
        return self._made[1]

    def _blocks(self, marks: Sequence[Evidence], terms: str) -> list[list[LookAlikes]]:
        found: list[list[LookAlikes]] = [[] for _ in self.cuts[1:]]
        for start, piece in self._pieces([*self._evidence(marks), *self._hits(terms)]):
            found[bisect_right(self.cuts, start) - 1].append(piece)
        return found

    def stored_span(self, start: int, end: int) -> tuple[int, int]:
        r"""The stored characters of a selection in a browser, which counts UTF-16 units of the visible text.

        >>> ShownText("a\t\U0001f600 tyre").stored_span(10, 15), "a\t\U0001f600 tyre"[3:8]
        ((3, 8), ' tyre')
        """
        units = self.seen.encode("utf-16-le", "surrogatepass")
        first, last = (len(units[: 2 * place].decode("utf-16-le", "ignore")) for place in (start, end))
        return self._stored_place(first), self._stored_place(last)

    @cached_property
    def _stored_place(self) -> Callable[[int], int]:
        return whence(self.stored)

    def _evidence(self, marks: Sequence[Evidence]) -> Iterator[Span]:
        places = range(len(self.seen) + 1)
        for mark in marks:
            start, end = (bisect_left(places, place, key=self._stored_place) for place in (mark.start, mark.end))
            yield "evidence", start, end

    def _hits(self, terms: str) -> Iterator[Span]:
        pattern = highlighter(terms)
        yield from (("highlighted", *hit.span()) for hit in pattern.finditer(self.seen)) if pattern else ()

    def _pieces(self, spans: Sequence[Span]) -> Iterator[tuple[int, LookAlikes]]:
        """Each piece, and where it starts."""
        changes = defaultdict[int, Counter[str]](Counter, {cut: Counter() for cut in self.cuts})
        for kind, start, end in spans:
            changes[start][kind] += 1
            changes[end][kind] -= 1
        inside = Counter[str]()
        for start, end in pairwise(sorted(changes)):
            inside.update(changes[start])
            yield start, LookAlikes(self.seen[start:end], inside["evidence"] > 0, inside["highlighted"] > 0)


def _cuts(text: str, longest: int) -> Iterator[int]:
    r"""Where to cut a text: after a line or, where lines are too long, a word, or wherever a block is full.

    >>> list(_cuts("a line\nanother\n", 10)), list(_cuts("two words", 5)), list(_cuts("x" * 25, 10))
    ([7], [4], [10, 20])
    """
    start = 0
    while len(text) - start > longest:
        end = start + longest
        line, word = (text.rfind(gap, start + longest // 2, end) + 1 for gap in ("\n", " "))
        start = line or word or end
        yield start


PAGES = files("cranfield.web") / "pages"
REPORT = files("cranfield.report")
SHARED = ("blocks.html.jinja", "top.html.jinja", "page.js")  # of the report


@cache
def environment() -> Environment:
    """The environment of all pages."""
    found = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["table"] = table
    found.filters |= {"shown": shown, "told": told, "exact": exact}
    return found


def exact(value: str) -> Markup:
    """A value that a form sends back as it is; its control characters are written as references.

    >>> print(exact('a"\x1b'))
    a&#34;&#27;
    """
    return Markup(UNSEEN.sub(lambda found: f"&#{ord(found[0])};", str(escape(value))))


def _source(name: str) -> str:
    return ((REPORT if name in SHARED else PAGES) / name).read_text("utf-8")


def rendered(name: str, **values: object) -> str:
    """A page."""
    return environment().get_template(name).render(**values)


@cache
def asset(name: str) -> str:
    """The content of a style sheet or script."""
    return _source(name)


@cache
def components() -> str:
    """The style sheet of the report's tables and charts."""
    return (REPORT / "components" / "components.css").read_text("utf-8")
