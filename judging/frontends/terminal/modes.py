"""What keys do on the full screen where no document is read: a reason, marking, typing, waiting, covering texts."""

from collections.abc import Callable, Collection
from typing import Protocol

from textual.events import Paste
from textual.widgets import Input

from cranfield.errors import InputError
from cranfield.judging.frontends.terminal.pane import Pane, scroll_by_key
from cranfield.judging.frontends.view_text import recent_decision_lines
from cranfield.judging.labels.pairs import sentences
from cranfield.judging.session.command import OTHER, REASONS
from cranfield.judging.session.view import RecentDecision, word_finder
from cranfield.text import original_position_map, visible_line, visible_text

Hints = list[tuple[str, str]]


class Mode(Protocol):
    """What keys do; `label` replaces the grades where digits do not grade."""

    @property
    def label(self) -> str:
        """Empty where the grades are shown."""

    def key(self, key: str) -> None:
        """Obey a key, or raise an InputError that explains it."""

    def hints(self) -> Hints:
        """The keys that are useful now, with a word for each."""


class InputLine(Input):
    """A line to type in, which never holds a control character."""

    def insert(self, text: str, index: int) -> None:
        super().insert(visible_line(text) if text.strip() else visible_text(text), index)

    def _on_paste(self, event: Paste) -> None:
        """Insert all lines of a paste as one."""
        super()._on_paste(Paste(visible_line(event.text)))
        event.prevent_default().stop()


class ReasonMenu:
    """Why a document cannot be judged: a digit chooses a reason instead of a grade."""

    label = "Why can the document not be judged?"

    def __init__(
        self,
        pane: Pane,
        leave: Callable[[], None],
        cannot_judge: Callable[[str], object],
        type_other: Callable[[Callable[[str], object]], object],
    ) -> None:
        self._pane, self._leave, self._cannot_judge, self._type_other = pane, leave, cannot_judge, type_other

    def hints(self) -> Hints:
        """The reasons."""
        return [(str(n), reason) for n, reason in enumerate((*REASONS, "other"), 1)] + [("Esc", "cancel")]

    def key(self, key: str) -> None:
        """Choose a reason, or cancel."""
        if key == "escape":
            self._leave()
        elif key == str(len(REASONS) + 1):
            self._type_other(lambda text: self._cannot_judge(OTHER + text.strip()))
        elif key in (str(number) for number in range(1, len(REASONS) + 1)):
            self._leave()
            self._cannot_judge(REASONS[int(key) - 1])
        elif not scroll_by_key(self._pane, key):
            raise InputError("type the number of a reason, or Esc to cancel")


class Marking:
    """Choosing sentences of the document as evidence; its `text` begins at the offset `body` of the pane."""

    label = "Evidence: which sentence decides the label?"

    def __init__(
        self,
        pane: Pane,
        text: str,
        body: int,
        *,
        leave: Callable[[], None],
        mark: Callable[[int, int], object],
        unmark: Callable[[], object],
    ) -> None:
        if not text.strip():
            raise InputError("there is no text to mark")
        self._pane, self._text, self._body = pane, text, body
        self._leave, self._mark, self._remove_mark = leave, mark, unmark
        self._spans = list(sentences(pane.text, body))
        starts = (number for number, (start, _) in enumerate(self._spans) if start >= pane.top)
        self._first = self._last = next(starts, max(len(self._spans) - 1, 0))

    def hints(self) -> Hints:
        """The keys of marking."""
        return [("up/down", "choose a sentence"), ("Space", "extend"), ("Enter", "mark it"),
                ("Esc", "cancel"), ("Backspace", "shrink the mark, or remove the last mark")]  # fmt: skip

    def show(self) -> None:
        """Show what is chosen."""
        self._pane.spans["mark"] = [(self._spans[self._first][0], self._spans[self._last][1])]
        self._pane.scroll_to_offset(self._pane.spans["mark"][0][0])
        self._pane.refresh()

    def key(self, key: str) -> None:
        """Choose, mark or cancel."""
        if key in ("up", "down"):
            place = self._first - 1 if key == "up" else self._last + 1
            self._first = self._last = min(max(place, 0), len(self._spans) - 1)
        elif key == "space":
            self._last = min(self._last + 1, len(self._spans) - 1)
        elif key == "backspace" and self._last > self._first:
            self._last -= 1
        elif key == "backspace":
            self._remove_mark()
        elif key in ("enter", "escape"):
            span = self._pane.spans.pop("mark")[0]
            if key == "enter":
                of = original_position_map(self._text)
                self._mark(*(of(place - self._body) for place in span))
            else:
                self._leave()
            return
        elif not scroll_by_key(self._pane, key):
            raise InputError("you are marking a sentence; press Enter to mark it or Esc to cancel, then grade")
        self.show()


class Typing:
    """Typing a line of text: every key is a letter of it. With `keep` the text is kept, even on Esc."""

    def __init__(
        self,
        line: InputLine,
        pane: Pane,
        leave: Callable[[], None],
        *,
        label: str,
        value: str,
        then: Callable[[str], object],
        keep: Callable[[str], object] | None = None,
    ) -> None:
        self._line, self._pane, self._leave = line, pane, leave
        self.label, self.value, self._then, self._keep = f"{label}:", value, then, keep

    @property
    def keeps(self) -> bool:
        """Whether the text is saved while it is being written."""
        return self._keep is not None

    def hints(self) -> Hints:
        """The ways to end."""
        return [("Enter", "done"), ("Esc", "back; your text is kept" if self.keeps else "cancel")]

    def key(self, key: str) -> None:
        """A key that the line does not take, perhaps because it came before the line was there."""
        if key == "escape":
            self.end(self._line.value if self.keeps else None)
        elif key == "enter":
            self.end(self._line.value)
        elif len(key) == 1 or key == "space":
            self._line.insert_text_at_cursor(key if len(key) == 1 else " ")
        elif key not in ("home", "end"):
            scroll_by_key(self._pane, key)

    def keep(self) -> None:
        """Save a text that is kept, even while it is being written."""
        if self._keep:
            self._keep(self._line.value)

    def end(self, text: str | None) -> None:
        """Close the line, with or without the text."""
        self._leave()
        if text is not None and (text.strip() or self.value):
            self._then(text)


class WaitingToRecord:
    """What `key` asked for is not recorded yet; until it is, keys only scroll, and nothing else is accepted.

    `before` is the mode it was asked for in; `seconds` gives how long it has waited, once that is long enough to
    mention.
    """

    def __init__(self, key: str, before: Mode, pane: Pane, seconds: Callable[[], float | None]) -> None:
        self.pending, self.before, self._pane, self._seconds = key, before, pane, seconds

    @property
    def has_waited(self) -> bool:
        """Whether it has waited long enough to mention."""
        return self._seconds() is not None

    @property
    def label(self) -> str:
        """What waits, for how long and for what."""
        if (wait := self._seconds()) is None:
            return self.before.label
        long = f"{self.pending} has waited {wait:.0f} s, because another program is writing"
        return f"{long}; it will be recorded when the store is free"

    def hints(self) -> Hints:
        """The way out."""
        return [("Ctrl-C", f"quit ({self.pending} is lost)")] if self.has_waited else self.before.hints()

    def key(self, key: str) -> None:
        """Scroll; anything else has to wait."""
        if not scroll_by_key(self._pane, key):
            raise InputError(f"{key} was ignored, because {self.pending} is not recorded yet")


class Page:
    """A text covers the document; no key grades until it is closed with Esc or one of the keys `away`."""

    label = " "

    def __init__(
        self, lines: Callable[[int], list[str]], pane: Pane, away: Collection[str], leave: Callable[[], None]
    ) -> None:
        self.lines = lines
        self._pane, self._away, self._leave = pane, away, leave

    def hints(self) -> Hints:
        """The keys of a page."""
        return [("Space", "page down"), ("Esc", "back to the document")]

    def key(self, key: str) -> None:
        """Scroll, or close the page."""
        away = key == "escape" or key in self._away
        if away or (key in ("space", "enter") and self._pane.is_at_end):
            self._leave()
        elif not scroll_by_key(self._pane, key):
            raise InputError("close this page first; Esc goes to the document")


class TopicPage(Page):
    """The topic; the key that quits the program does so here as well."""

    new = False
    go_on = "back to the document"

    def __init__(
        self,
        lines: Callable[[int], list[str]],
        pane: Pane,
        away: Collection[str],
        leave: Callable[[], None],
        *,
        quit_key: str,
        exit: Callable[[], None],
    ) -> None:
        super().__init__(lines, pane, [key for key in away if key != quit_key], leave)
        self._quit_key, self._exit = quit_key, exit

    def hints(self) -> Hints:
        """The keys of the page."""
        return [("Space", "page down"), ("Esc", self.go_on), (self._quit_key, "quit")]

    def key(self, key: str) -> None:
        """Scroll, close the page or quit."""
        if key == self._quit_key:
            self._exit()
        else:
            super().key(key)


class NewTopicPage(TopicPage):
    """A new topic, shown before any document of it."""

    label = "Read this topic first; Esc continues"
    new = True
    go_on = "go on to the document"


class RecentPage(Page):
    """The last decisions; the chosen one is judged again."""

    def __init__(
        self,
        recent: list[RecentDecision],
        pane: Pane,
        away: Collection[str],
        *,
        leave: Callable[[], None],
        choose: Callable[[int], object],
        noun: str,
    ) -> None:
        super().__init__(self._all_lines, pane, away, leave)
        self._recent, self._choose, self._noun, self._chosen = recent, choose, noun, 0

    def _all_lines(self, width: int) -> list[str]:
        return ["Your last decisions, the newest first:", "", *self._list(width)]

    def _list(self, width: int) -> list[str]:
        """The lines of the list; from then on the position of each decision is known."""
        head = len("Your last decisions, the newest first:\n\n")
        parts = ["\n".join(recent_decision_lines(n, one, width, self._noun)) for n, one in enumerate(self._recent, 1)]
        starts = [head + sum(len(part) + 1 for part in parts[:n]) for n in range(len(parts))]
        self._spans = [(start, start + len(part)) for start, part in zip(starts, parts, strict=True)]
        self._pane.spans["mark"] = self._spans[self._chosen : self._chosen + 1]
        return parts or ["There are no decisions yet."]

    def hints(self) -> Hints:
        """The keys of the list."""
        return [("up/down", "choose"), ("Enter", "judge it again"), ("Esc", "back to the document")]

    def key(self, key: str) -> None:
        """Choose, judge again, or close the list."""
        if key in ("up", "down") and self._recent:
            self._chosen = min(max(self._chosen + (1 if key == "down" else -1), 0), len(self._recent) - 1)
            self._pane.spans["mark"] = self._spans[self._chosen : self._chosen + 1]
            self._pane.scroll_to_offset(self._spans[self._chosen][0])
            self._pane.refresh()
        elif key == "enter" and self._recent:
            self._leave()
            self._choose(self._chosen + 1)
        else:
            super().key(key)


class SearchMatches:
    """The matches of the last search in the document; one of them is shown."""

    def __init__(self, document: Pane, say: Callable[[str], None]) -> None:
        self._document, self._say = document, say
        self.forget()

    def forget(self) -> None:
        """Another document: there are no matches yet."""
        self._hits: list[int] = []
        self._hit = 0

    @property
    def has_matches(self) -> bool:
        """Whether there are any matches."""
        return bool(self._hits)

    def find(self, text: str) -> None:
        """Search for words and show the first match from here on."""
        pane, pattern = self._document, word_finder(text)
        pane.patterns.pop("find", None)
        pane.spans.pop("hit", None)
        self._hits = [match.start() for match in pattern.finditer(pane.text)] if pattern else []
        if pattern and self._hits:
            pane.patterns["find"] = pattern
            after = (number for number, hit in enumerate(self._hits) if hit >= pane.top)
            self._show(next(after, 0))
        elif pattern:
            raise InputError(f"the document does not contain {text.strip()[:60]!r}")

    def show_match(self, by: int) -> None:
        """Show the match this many further on."""
        self._show(self._hit + by)

    def _show(self, number: int) -> None:
        self._hit = number % len(self._hits)
        pane, start = self._document, self._hits[self._hit]
        match = pane.patterns["find"].match(pane.text, start)
        pane.spans["hit"] = [match.span()] if match else []
        pane.scroll_to_offset(start)
        pane.refresh()
        self._say(f"found {self._hit + 1} of {len(self._hits)}")
