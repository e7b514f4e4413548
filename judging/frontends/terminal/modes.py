"""What the keys of the full screen do while no document is read: a page, a reason, marking, typing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from textual.events import Paste
from textual.widgets import Input

from cranfield.errors import InputError
from cranfield.judging.frontends.view_text import recalled_lines, topic_lines
from cranfield.judging.labels.evidence import sentences
from cranfield.judging.session.reasons import OTHER, REASONS
from cranfield.text import visible, visible_line, whence

if TYPE_CHECKING:
    from cranfield.judging.frontends.terminal.pane import Pane
    from cranfield.judging.frontends.terminal.terminal import Terminal

Hints = list[tuple[str, str]]


class Mode(Protocol):
    """What keys do; `label` stands where the grades are, if digits do not grade."""

    @property
    def label(self) -> str:
        """Nothing where the grades are to be seen."""

    def key(self, key: str) -> None:
        """Obey a key, or raise an InputError that explains it."""

    def hints(self) -> Hints:
        """The keys that are of use now, with a word for each."""


class InputLine(Input):
    """A line to type in, in which no control character ever is."""

    def insert(self, text: str, index: int) -> None:
        super().insert(visible_line(text) if text.strip() else visible(text), index)

    def _on_paste(self, event: Paste) -> None:
        """Take all lines of what is pasted, as one."""
        super()._on_paste(Paste(visible_line(event.text)))
        event.prevent_default().stop()


def scroll(pane: Pane, key: str) -> bool:
    """Whether a key scrolls, which it then does; the space and Enter only ever do this."""
    moves: dict[str, Callable[[], None]] = {
        "up": lambda: pane.move(-1),
        "down": lambda: pane.move(1),
        "pageup": lambda: pane.page(-1),
        "pagedown": lambda: pane.page(1),
        "space": lambda: pane.page(1),
        "enter": lambda: pane.page(1),
        "home": lambda: pane.move(-(10**9)),
        "end": pane.to_end,
    }
    if key in moves:
        moves[key]()
    return key in moves


class Page:
    """A text lies over the document; no key grades until it is put away."""

    label = " "

    def __init__(self, it: Terminal, lines: Callable[[int], list[str]]) -> None:
        self._it, self.lines = it, lines

    def hints(self) -> Hints:
        """The keys of a page."""
        return [("Space", "on"), ("Esc", "to the document")]

    def key(self, key: str) -> None:
        """Scroll, or put the page away."""
        away = key in ("escape", self._it.keys["quit"], self._it.keys["topic"])
        if away or (key in ("space", "enter") and self._it.page.at_end):
            self._it.leave()
        elif not scroll(self._it.page, key):
            raise InputError("first put this page away: Esc")


class TopicPage(Page):
    """The topic; a new one is read before any document of it."""

    def __init__(self, it: Terminal, new: bool = False) -> None:
        super().__init__(it, lambda width: topic_lines(it.session.view, width, it.keys)[1:])
        self.label = "A topic to read first" if new else " "
        self.new = new


class Recall(Page):
    """The last decisions: one is chosen to be judged anew."""

    def __init__(self, it: Terminal) -> None:
        self._recent, self._chosen = it.session.recent(), 0
        super().__init__(it, lambda width: ["Your last decisions, the newest first:", "", *self._listed(width)])

    def _listed(self, width: int) -> list[str]:
        """The lines of the list; where those of each decision are is known from then on."""
        head = len("Your last decisions, the newest first:\n\n")
        parts = ["\n".join(recalled_lines(n, one, width)) for n, one in enumerate(self._recent, 1)]
        starts = [head + sum(len(part) + 1 for part in parts[:n]) for n in range(len(parts))]
        self._spans = [(start, start + len(part)) for start, part in zip(starts, parts, strict=True)]
        self._it.page.spans["mark"] = self._spans[self._chosen : self._chosen + 1]
        return parts or ["Nothing is decided yet."]

    def hints(self) -> Hints:
        """The keys of the list."""
        return [("up/down", "choose"), ("Enter", "judge it anew"), ("Esc", "to the document")]

    def key(self, key: str) -> None:
        """Choose, go there, or put the list away."""
        if key in ("up", "down") and self._recent:
            self._chosen = min(max(self._chosen + (1 if key == "down" else -1), 0), len(self._recent) - 1)
            self._it.page.spans["mark"] = self._spans[self._chosen : self._chosen + 1]
            self._it.page.reveal(self._spans[self._chosen][0])
            self._it.page.refresh()
        elif key == "enter" and self._recent:
            self._it.leave()
            told = "judge it anew, or Esc: it stays as it is"
            self._it.decide(key, lambda: self._it.session.again(self._chosen + 1), said=told)
        else:
            super().key(key)


class Reason:
    """Why a document cannot be judged: a digit chooses, and is no grade."""

    label = "Why can it not be judged?"

    def __init__(self, it: Terminal) -> None:
        self._it = it

    def hints(self) -> Hints:
        """The reasons."""
        return [(str(n), reason) for n, reason in enumerate((*REASONS, "other"), 1)] + [("Esc", "it can be judged")]

    def key(self, key: str) -> None:
        """Take a reason, or leave."""
        if key == "escape":
            self._it.leave()
        elif key == str(len(REASONS) + 1):
            self._it.enter(Typing(self._it, "What is it that keeps you from judging", "", self._other))
        elif key in (str(number) for number in range(1, len(REASONS) + 1)):
            self._it.leave()
            self._decide(REASONS[int(key) - 1])
        elif not scroll(self._it.document, key):
            raise InputError("why can it not be judged? Type the number of the reason, or Esc")

    def _other(self, text: str) -> None:
        self._decide(OTHER + text.strip())

    def _decide(self, reason: str) -> None:
        self._it.decide(self._it.keys["cannot_judge"], lambda: self._it.session.cannot_judge(reason))


class Marking:
    """Sentences of the document are chosen as evidence."""

    label = "Evidence: which sentence decides it?"

    def __init__(self, it: Terminal) -> None:
        self._it, pane = it, it.document
        if not it.session.text.strip():
            raise InputError("there is no text to mark")
        self._spans = list(sentences(pane.text, it.body))
        starts = (number for number, (start, _) in enumerate(self._spans) if start >= pane.top)
        self._first = self._last = next(starts, max(len(self._spans) - 1, 0))

    def hints(self) -> Hints:
        """The keys of marking."""
        return [("up/down", "choose a sentence"), ("Space", "one more"), ("Enter", "mark it"),
                ("Esc", "leave"), ("Backspace", "one less, or the last mark away")]  # fmt: skip

    def show(self) -> None:
        """Show what is chosen."""
        pane = self._it.document
        pane.spans["mark"] = [(self._spans[self._first][0], self._spans[self._last][1])]
        pane.reveal(pane.spans["mark"][0][0])
        pane.refresh()

    def key(self, key: str) -> None:
        """Choose, keep or leave."""
        if key in ("up", "down"):
            place = self._first - 1 if key == "up" else self._last + 1
            self._first = self._last = min(max(place, 0), len(self._spans) - 1)
        elif key == "space":
            self._last = min(self._last + 1, len(self._spans) - 1)
        elif key == "backspace" and self._last > self._first:
            self._last -= 1
        elif key == "backspace":
            self._it.record(key, self._it.session.unmark, self._it.draw)
        elif key in ("enter", "escape"):
            self._done(key == "enter")
            return
        elif not scroll(self._it.document, key):
            raise InputError("a sentence is being marked: Enter marks it, Esc leaves; then grade")
        self.show()

    def _done(self, keep: bool) -> None:
        span = self._it.document.spans.pop("mark")[0]
        if keep:
            of = whence(self._it.session.text)
            first, last = (of(place - self._it.body) for place in span)
            key = self._it.keys["evidence"]
            self._it.record(key, lambda: self._it.session.mark(first, last), self._it.leave)
        else:
            self._it.leave()


class Typing:
    """A line of text is typed: every key is a letter of it. With `keep` the text is kept, also by Esc."""

    def __init__(
        self,
        it: Terminal,
        label: str,
        value: str,
        done: Callable[[str], object],
        keep: Callable[[str], object] | None = None,
    ) -> None:
        self._it, self.label, self.value, self._done, self._keep = it, f"{label}:", value, done, keep

    @property
    def kept(self) -> bool:
        """Whether the text is put on disk while it is being written."""
        return self._keep is not None

    def hints(self) -> Hints:
        """How to end."""
        return [("Enter", "done"), ("Esc", "back; what you wrote is kept" if self.kept else "leave it")]

    def key(self, key: str) -> None:
        """A key that the line itself does not take, be it that it came before the line was there."""
        if key == "escape":
            self.end(self._it.prompt.value if self.kept else None)
        elif key == "enter":
            self.end(self._it.prompt.value)
        elif len(key) == 1 or key == "space":
            self._it.prompt.insert_text_at_cursor(key if len(key) == 1 else " ")
        elif key not in ("home", "end"):
            scroll(self._it.document, key)

    def keep(self) -> None:
        """Put a text that is kept on disk, though it is being written."""
        if self._keep:
            self._keep(self._it.prompt.value)

    def end(self, text: str | None) -> None:
        """Leave, with the text or without."""
        self._it.leave()
        if text is not None and (text.strip() or self.value):
            self._done(text)
        self._it.draw()
