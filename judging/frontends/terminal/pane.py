"""A scrolling text of up to megabytes: rows are wrapped as they are needed, and only visible ones are drawn."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style
from textual.events import Resize
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cranfield.judging.frontends.view_text import Span, WrappedRows
from cranfield.text import SOFT_HYPHEN

WIDEST = 100  # cells: longer rows are hard to read
FIRST, SLICE = 300, 3000  # rows wrapped at once, and between two keys
GUTTER = 2
CONTEXT = 80  # characters beyond a row in which a term of several words may begin or end

STYLES: Mapping[str, Style] = {  # never a colour
    "title": Style(bold=True),
    "heading": Style(bold=True),
    "terms": Style(bold=True, underline=True),
    "find": Style(reverse=True),
    "hit": Style(reverse=True, bold=True, underline=True),
    "evidence": Style(underline=True),
    "mark": Style(reverse=True),
    "part": Style(),
}
SIGNS = {"evidence": "┃", "mark": ">", "hit": "*"}  # in the gutter, so that marks show without any style


def mark_sign(name: str) -> str:
    """The sign of a mark, which is the letter that follows its name, if any.

    >>> mark_sign("mark"), mark_sign("evidence B"), mark_sign("title")
    ('>', 'B', '')
    """
    kind, _, letter = name.partition(" ")
    return letter or SIGNS.get(kind, "")


class Pane(ScrollView, can_focus=False):
    """A text with marked parts: `spans` are offsets, `patterns` are searched for in what is visible."""

    DEFAULT_CSS = "Pane { height: 1fr; scrollbar-size: 0 0; overflow-x: hidden; }"

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.text = ""
        self.spans: dict[str, list[Span]] = {}
        self.patterns: dict[str, re.Pattern[str]] = {}
        self.moved: Callable[[], None] = lambda: None  # called when the visible part changes
        self._source: Callable[[int], str] = lambda _: ""
        self._rows = WrappedRows("", WIDEST)
        self._wrapped = 0  # the width in cells
        self._anchor = 0  # the offset of the text that stays at the top when the width changes

    def load(self, source: str | Callable[[int], str]) -> None:
        """Show another text from its beginning; one that depends on the width is requested again when that changes."""
        self._source = source if callable(source) else lambda _: source
        self._anchor = 0
        self._wrap()

    def exchange(self, text: str) -> None:
        """Show another text of the same length, at the same position."""
        self._source = lambda _: text
        self._wrap()

    def reload(self) -> None:
        """Show what the source gives now, at the same position."""
        self._wrap()

    def _wrap(self) -> None:
        """Wrap again, with the same offset of the text at the top."""
        self._wrapped = self._width
        self.text = self._source(self._wrapped)
        self._rows = WrappedRows(self.text, self._wrapped)
        self._rows.grow(FIRST)
        row = self._rows.row_of(self._anchor) if self._anchor else 0
        self._fit_rows()
        self.scroll_to(y=row, animate=False, force=True)
        self.refresh()
        self._later(self._rows)

    def _later(self, rows: WrappedRows) -> None:
        """Wrap the rest bit by bit, between keys."""
        if rows is self._rows and not rows.complete:
            rows.grow(SLICE)
            self._fit_rows()
            self.set_timer(0.005, lambda: self._later(rows))

    def _fit_rows(self) -> None:
        self.virtual_size = Size(self.size.width, len(self._rows.spans))

    @property
    def _width(self) -> int:
        return max(min(self.size.width - GUTTER - 1, WIDEST), 8)

    def _on_resize(self, event: Resize) -> None:
        if self._width != self._wrapped:
            self._wrap()
        self.moved()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.moved()

    # The position

    @property
    def top(self) -> int:
        """The offset of the text at the top of the pane."""
        row = int(self.scroll_offset.y)
        return self._rows.spans[row][0] if row < len(self._rows.spans) else 0

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is visible."""
        return self._rows.complete and int(self.scroll_offset.y) + self.size.height >= len(self._rows.spans)

    @property
    def progress(self) -> str:
        """How far down the text has been scrolled."""
        if self.is_at_end:
            return "all" if self.scroll_offset.y == 0 else "end"
        last = min(int(self.scroll_offset.y) + self.size.height, len(self._rows.spans)) - 1
        return f"{self._rows.spans[last][1] / max(len(self.text), 1):.0%}" if last >= 0 else ""

    def move(self, by: int) -> None:
        """Scroll by rows."""
        self._rows.grow(max(int(self.scroll_offset.y) + by + 2 * self.size.height - len(self._rows.spans), 0))
        self._fit_rows()
        self.scroll_to(y=self.scroll_offset.y + by, animate=False, force=True)
        self._anchor = self.top

    def page(self, by: int) -> None:
        """Scroll by pages, keeping one row of the last one."""
        self.move(by * max(self.size.height - 1, 1))

    def to_start(self) -> None:
        """Go to the first row."""
        self.move(-(10**9))

    def to_end(self) -> None:
        """Go to the last row."""
        self._rows.grow()
        self.move(len(self._rows.spans))

    def show_from(self, offset: int) -> None:
        """Scroll to the row of an offset of the text, as far up as the text allows."""
        row = self._rows.row_of(offset)
        self.move(row - int(self.scroll_offset.y))

    def reaches(self, offset: int) -> bool:
        """Whether the text is scrolled to an offset, or as far as it goes."""
        return self.top >= offset or (self.is_at_end and self.scroll_offset.y > 0)

    def scroll_to_offset(self, offset: int) -> None:
        """Scroll to an offset of the text, unless it is visible."""
        row = self._rows.row_of(offset)
        self._fit_rows()
        if not self.scroll_offset.y <= row < self.scroll_offset.y + self.size.height:
            self.scroll_to(y=max(row - self.size.height // 3, 0), animate=False, force=True)
            self._anchor = self.top

    # Drawing

    def render_line(self, y: int) -> Strip:
        row, base = y + int(self.scroll_offset.y), self.rich_style
        if row >= len(self._rows.spans):
            return Strip.blank(self.size.width, base)
        start, end = self._rows.spans[row]
        marks = [*self._marks(start, end)]
        sign = next((mark_sign(name) for name, _, _ in reversed(marks) if mark_sign(name)), "")
        segments = [Segment(f"{sign:{GUTTER}}", base), *self._segments(start, end, marks, base)]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def _marks(self, start: int, end: int) -> Iterator[tuple[str, int, int]]:
        """The marked parts of a row: name, start, end."""
        for name, spans in self.spans.items():
            for first, last in spans:
                if first < end and last > start:
                    yield name, max(first, start), min(last, end)
        for name, pattern in self.patterns.items():
            for match in pattern.finditer(self.text, max(start - CONTEXT, 0), end + CONTEXT):
                if match.start() < end and match.end() > start:
                    yield name, max(match.start(), start), min(match.end(), end)

    def _segments(self, start: int, end: int, marks: list[tuple[str, int, int]], base: Style) -> Iterator[Segment]:
        cuts = sorted({start, end, *(place for _, first, last in marks for place in (first, last))})
        for first, last in pairwise(cuts):
            style = base
            for name, begin, finish in marks:
                if begin <= first and last <= finish:
                    style += STYLES[name.split()[0]]
            yield Segment(self.text[first:last].replace(SOFT_HYPHEN, ""), style)


def scroll_by_key(pane: Pane, key: str) -> bool:
    """Whether a key scrolls, which it then does; Space and Enter never do anything else."""
    moves: dict[str, Callable[[], None]] = {
        "up": lambda: pane.move(-1),
        "down": lambda: pane.move(1),
        "pageup": lambda: pane.page(-1),
        "pagedown": lambda: pane.page(1),
        "space": lambda: pane.page(1),
        "enter": lambda: pane.page(1),
        "home": pane.to_start,
        "end": pane.to_end,
    }
    if key in moves:
        moves[key]()
    return key in moves
