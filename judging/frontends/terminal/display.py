"""The parts of the full screen, its layout without a colour of its own, and how it is drawn with the lines around.

What keys do is in terminal.py, reading.py and modes.py.
"""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.driver import Driver
from textual.events import Resize
from textual.widgets import Static

from cranfield.judging.frontends.keys import Keys
from cranfield.judging.frontends.terminal.driver import make_driver_lenient
from cranfield.judging.frontends.terminal.modes import InputLine, Mode, Page, TopicPage, WaitingToRecord
from cranfield.judging.frontends.terminal.pane import Pane
from cranfield.judging.frontends.terminal.reading import ReadingMode
from cranfield.judging.frontends.view_text import label_lines, terminal_width, topic_lines, wrap
from cranfield.judging.labels.pairs import Evidence, visible_marks
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.view import SessionView, term_highlighter
from cranfield.text import SOFT_HYPHEN, counted, visible_line

SIDE = 42  # columns of the topic beside the document

CSS = """
#head { height: auto; max-height: 2; text-style: reverse; }
#place, #more { height: 1; }
#grades { height: auto; max-height: 3; }
#commands { height: 2; }
#place, #more { text-style: dim; }
#status { height: auto; max-height: 4; }
#labels { height: auto; max-height: 7; }
#page { display: none; }
#side { width: SIDE_COLUMNS; border-left: solid ansi_default; }
#line { display: none; height: 1; border: none; padding: 0; background: transparent; }
#line > .input--cursor { color: ansi_default; background: ansi_default; text-style: reverse; }
#grades { text-style: bold; }
""".replace("SIDE_COLUMNS", str(SIDE))


WORD_GAP = "   "


def cut_to_width(text: str, width: int) -> str:
    """The text, cut to the width.

    >>> cut_to_width("one two", 7), cut_to_width("one two three", 7)
    ('one two', 'one tw…')
    """
    used = 0
    for place, character in enumerate(text):
        used += terminal_width(character)
        if used > width or (used == width and place + 1 < len(text)):
            return text[:place] + "…"
    return text


def spread_texts(left: str, right: str, width: int) -> str:
    """Two texts at the ends of a line; the left one is cut if necessary.

    >>> spread_texts("a long title", "3/12", 14)
    'a long t… 3/12'
    """
    room = max(width - sum(map(terminal_width, right)) - 1, 0)
    left = cut_to_width(left, room)
    return left + " " * (room - sum(map(terminal_width, left)) + 1) + right


def head_bar(view: SessionView, width: int, whole: bool = True) -> str:
    """Topic, title, overall progress, time left; the whole title on two lines, or one line of it."""
    total = view.total
    right = f"{total.judged + total.cannot_judge}/{sum(total)} done{f', {view.eta} left' * bool(view.eta)} "
    title = f" {view.topic.qid}  {view.topic.title}" if view.topic else " everything is done"
    if not whole or sum(map(terminal_width, f"{title} {right}")) <= width:
        return spread_texts(title, right, width)
    first, *more = wrap(title, width)
    return f"{first}\n{spread_texts('   ' + ' '.join(more), right, width)}"


def place_bar(view: SessionView, progress: str, width: int) -> str:
    """The position of the document, what the assessor added to it, how much of it has been seen."""
    if view.document is None:
        return ""
    parts = [
        f"{view.noun.capitalize()} {view.position.number} of {view.position.of}",
        counted(len(view.document.text), "character"),
    ]
    parts += [f"{view.counts.later} later"] * bool(view.counts.later)
    parts += ["UNSURE"] * view.unsure + ["note"] * bool(view.note)
    parts += [f"evidence {len(view.evidence)}"] * bool(view.evidence)
    parts += [f"id {view.document.docno}"] * view.docno_shown
    parts += [f"highlighting {view.terms}"] * bool(view.terms)
    return spread_texts("  " + " · ".join(parts), f"{progress} ", width)


def grades_bar(view: SessionView, width: int) -> str:
    """All grades in words, on two lines at most; where they do not fit, shortened rather than left out."""
    whole = [f"{grade} {meaning}" for grade, meaning in view.grades.items()]
    brief = [re.split("[:;,(]", word)[0].rstrip() for word in whole]
    longest = max(map(len, brief), default=0)
    short = ([cut_to_width(word, room) for word in brief] for room in range(longest, 3, -1))
    packs = [_wrap_words(words, width) for words in (whole, brief)]
    one_line = next((lines for lines in packs if len(lines) == 1), None)
    two_lines = (lines for words in short if len(lines := _wrap_words(words, width)) <= 2)
    return "\n".join(one_line or next(two_lines, _wrap_words([str(grade) for grade in view.grades], width)))


def labels_bar(view: SessionView, width: int, rows: int) -> str:
    """What an adjudicator decides between: a line each with as much of the note and evidence as fits, or all packed.

    >>> from types import SimpleNamespace as Shown
    >>> from cranfield.judging.session.view import LabelShown
    >>> labels = [LabelShown("A", "grade 0", "dull", ()), LabelShown("B", "grade 1", "", ("wings",))]
    >>> print(labels_bar(Shown(labels=labels, settled=()), 40, 3))
    A: grade 0 · dull
    B: grade 1 · "wings"
    >>> print(labels_bar(Shown(labels=labels, settled=()), 40, 1))
    A: 0   B: 1
    """
    labels = [f"{letter}: {words}" for letter, words, _, _ in view.labels]
    more = ([visible_line(one.note), *(f'"{quote}"' for quote in one.quotes)] for one in view.labels)
    lines = [" · ".join(filter(None, [words, *rest])) for words, rest in zip(labels, more, strict=True)]
    lines = lines if len(lines) <= rows else _wrap_words([word.replace("grade ", "") for word in labels], width)
    return "\n".join(cut_to_width(line, width) for line in [*lines, *(f"settled: {words}" for words in view.settled)])


def _wrap_words(words: Sequence[str], width: int) -> list[str]:
    """The words on as few lines as they need.

    >>> _wrap_words(["0 no", "1 partly", "2 fully"], 16)
    ['0 no   1 partly', '2 fully']
    """
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}{WORD_GAP if lines[-1] else ''}{word}"
        if lines[-1] and sum(map(terminal_width, longer)) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def commands_bar(hints: Sequence[tuple[str, str]], keys: Keys, width: int, reading: bool) -> str:
    """As many keys as fit on two lines, always including help and quit.

    >>> from cranfield.judging.frontends.keys import DEFAULT
    >>> print(commands_bar([("u", "undo"), ("s", "later"), ("x", "cannot judge")], DEFAULT, 17, True))
    u undo  s later
    ? help  q quit
    """
    last = [f"{keys['help']} help", f"{keys['quit']} quit"] if reading else []
    rows = [""]
    room = width - sum(len(word) + 2 for word in last)
    for word in (f"{key} {brief}" for key, brief in hints):
        if len(rows) == 1 and len(rows[0]) + len(word) > width:
            rows.append("")
        if len(rows[-1]) + len(word) > (width if len(rows) == 1 else room):
            break
        rows[-1] += word + "  "
    if len(rows) == 1 and len(rows[0]) > room:
        rows.append("")
    rows[-1] += "  ".join(last)
    return "\n".join(row.rstrip() for row in rows)


LABELS = 5  # lines that labels may take below a document
TALL = 20  # lines from which the grades stay below a topic
WIDE = 110  # columns from which the topic stays beside the document


class SessionDisplay(App[None]):
    """What a session shows, on the whole screen."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]
    CSS = CSS
    mode: Mode

    def __init__(self, session: Recording, keys: Keys) -> None:
        super().__init__(ansi_color=True)  # before NO_COLOR is read: otherwise it would paint black on black
        self.theme = "ansi-dark"  # the terminal's own colours
        self.session, self.keys = session, keys
        self.body = 0  # where in the pane the document's text begins
        self._beside, self._message, self._reminder = True, "", ""

    def get_driver_class(self) -> type[Driver]:
        """The driver that reads the keys."""
        return make_driver_lenient(super().get_driver_class())

    def compose(self) -> ComposeResult:
        """The parts of the screen, from the top."""
        self.document, self.page, self.topic = Pane("document"), Pane("page"), Pane("topic")
        self.line = InputLine(id="line", select_on_focus=False)
        yield Static(id="head")
        with Horizontal():
            with Vertical():
                yield Static(id="place")
                yield self.document
                yield self.page
            with Vertical(id="side") as self.side:
                yield self.topic
                yield Static(id="more")
        for name in ("status", "labels", "grades"):
            yield Static(id=name)
        yield self.line
        yield Static(id="commands")

    def on_mount(self) -> None:
        """Connect the parts."""
        self.document.moved = self.page.moved = self.topic.moved = self.show_bars
        self.topic.load(self._side_lines)

    def _side_lines(self, width: int) -> str:
        """What is beside the document: the labels to decide between, then the topic."""
        view = self.session.view
        return "\n".join([*label_lines(view, width), *topic_lines(view, width, self.keys)[not view.labels :]])

    def say(self, text: str) -> None:
        """Show a message, beside the others since the last key."""
        self._message = "; ".join([*[self._message] * bool(self._message), visible_line(text)])
        self.show_bars()

    def clear_messages(self) -> None:
        """Clear the messages."""
        self._message = ""

    def refuse(self, why: str) -> None:
        """Show why a key did nothing."""
        self.bell()
        self.clear_messages()
        self.say(f"! {why}")

    def draw(self) -> None:
        """Redraw all but the text of the document."""
        view, pane = self.session.view, self.document
        pane.spans["title"] = [(0, self.body)]
        pane.spans = {name: spans for name, spans in pane.spans.items() if not name.startswith("evidence")}
        pane.spans |= {
            name: list(visible_marks(it, self.session.text, self.body)) for name, it in self._evidence().items()
        }
        terms = term_highlighter(view.terms)
        pane.patterns = {name: pattern for name, pattern in pane.patterns.items() if name != "terms"}
        pane.patterns |= {"terms": terms} if terms else {}
        pane.refresh()
        self.arrange_panes()

    def _evidence(self) -> Mapping[str, Sequence[Evidence]]:
        """The marked passages: one's own, or those of each letter."""
        return {"evidence": self.session.marks}

    def arrange_panes(self) -> None:
        """The document or a page, and the topic beside the document where there is room."""
        self.page.display = isinstance(self.mode, Page)
        self.document.display = not self.page.display
        self.side.display = self.is_wide and self._beside and self.document.display and not self.session.view.done
        if self.side.display:
            self.topic.reload()
        self.show_bars()

    @property
    def is_wide(self) -> bool:
        """Whether there is room for the topic beside the document."""
        return self.size.width >= WIDE

    def show_bars(self) -> None:
        """The lines above and below."""
        view, width = self.session.view, self.size.width
        waits = isinstance(self.mode, WaitingToRecord) and not self.mode.has_waited
        reading = isinstance(self.mode, ReadingMode) or waits
        pane = self.page if self.page.display else self.document
        status = [self._message] if self._message else []
        if view.last:
            elsewhere = view.topic is None or view.topic.qid != view.last.qid
            which = f"Topic {view.last.qid}, {view.noun}" if elsewhere else view.noun.capitalize()
            decision = f"{which} {view.last.number}: {view.last.words}"
            status.append(spread_texts(decision, f"{self.keys['undo']} undoes it ", width))
        if self._reminder:  # of the last decision
            status.append(f"Check: {self._reminder} ({self.keys['undo']})")
        texts = {
            "head": head_bar(view, width, not self.side.display),
            "place": place_bar(view, pane.progress, width - SIDE * self.side.display),
            "more": "" if self.topic.is_at_end else f"  ... {self.keys['topic']} shows all of it",
            "status": "\n".join(status),
            "labels": labels_bar(view, width, LABELS) if self.document.display else "",
            "grades": self._grades(width),
            "commands": commands_bar(self.mode.hints(), self.keys, width, reading),
        }
        for name, text in texts.items():
            self.query_one(f"#{name}", Static).update(Content(text.replace(SOFT_HYPHEN, "")))
        self.query_one("#labels").display = bool(texts["labels"])

    def _grades(self, width: int) -> str:
        """The grades, or what stands in their place; of a topic both, where there is room."""
        label, grades = self.mode.label, grades_bar(self.session.view, width)
        both = isinstance(self.mode, TopicPage) and self.size.height >= TALL
        return f"{label.strip()}\n{grades}".strip() if both else label or grades

    def on_resize(self, event: Resize) -> None:
        """The terminal has another size."""
        if self.document.is_mounted and hasattr(self, "mode"):
            self.call_after_refresh(self.draw)
