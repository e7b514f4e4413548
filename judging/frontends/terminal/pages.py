"""Texts that cover the document on the full screen, and what their keys do."""

from __future__ import annotations

from collections.abc import Callable, Collection

from cranfield.errors import InputError
from cranfield.judging.frontends.terminal.modes import Hints
from cranfield.judging.frontends.terminal.pane import Pane, scroll
from cranfield.judging.frontends.view_text import recalled_lines
from cranfield.judging.session.view import RecentDecision


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
        if away or (key in ("space", "enter") and self._pane.at_end):
            self._leave()
        elif not scroll(self._pane, key):
            raise InputError("close this page first: Esc")


class TopicPage(Page):
    """The topic; a new one is shown before any document of it."""

    def __init__(
        self,
        lines: Callable[[int], list[str]],
        pane: Pane,
        away: Collection[str],
        leave: Callable[[], None],
        new: bool = False,
    ) -> None:
        super().__init__(lines, pane, away, leave)
        self.label = "Read this topic first" if new else " "
        self.new = new


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
        return ["Your last decisions, the newest first:", "", *self._listed(width)]

    def _listed(self, width: int) -> list[str]:
        """The lines of the list; from then on the position of each decision is known."""
        head = len("Your last decisions, the newest first:\n\n")
        parts = ["\n".join(recalled_lines(n, one, width, self._noun)) for n, one in enumerate(self._recent, 1)]
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
            self._pane.reveal(self._spans[self._chosen][0])
            self._pane.refresh()
        elif key == "enter" and self._recent:
            self._leave()
            self._choose(self._chosen + 1)
        else:
            super().key(key)
