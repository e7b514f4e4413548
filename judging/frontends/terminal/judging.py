"""The keys of judging: those of reading, and evidence, the unsure mark, criteria, docnos and the next topic."""

from __future__ import annotations

from collections.abc import Callable

from cranfield.judging.frontends.keys import COMMANDS
from cranfield.judging.frontends.terminal.modes import Marking
from cranfield.judging.frontends.terminal.reading import Reading
from cranfield.judging.session.session import Session


class Judging(Reading):
    """An assessor judges the document on screen."""

    commands = COMMANDS
    session: Session

    def acts(self) -> dict[str, Callable[[], object]]:
        screen, session, keys = self.screen, self.session, self.keys
        return {
            **super().acts(),
            "unsure": lambda: screen.record(keys["unsure"], session.toggle_unsure),
            "evidence": self.choose_evidence,
            "criterion": self._criterion,
            "docno": lambda: screen.record(keys["docno"], session.toggle_docno),
            "next_topic": lambda: screen.decide(keys["next_topic"], session.next_topic),
        }

    def choose_evidence(self) -> None:
        """Ask for the sentences that decide."""
        self.on_screen()
        self.screen.enter(Marking(self.document, self.session.text, self.screen.body, leave=self.screen.leave,
                                  mark=self._mark, unmark=self._unmark))  # fmt: skip

    def _criterion(self) -> None:
        def noted() -> None:
            self.screen.say(f"noted; {self.keys['topic']} shows your criteria with the topic")
            self.screen.draw()

        def criterion(text: str) -> None:
            self.screen.record(self.keys["criterion"], lambda about: self.session.criterion(about, text), noted)

        self.type("Counts as relevant if", "", criterion)

    def _mark(self, first: int, last: int) -> None:
        key = self.keys["evidence"]
        self.screen.record(key, lambda about: self.session.mark(about, first, last), self.screen.leave)

    def _unmark(self) -> None:
        self.screen.record("backspace", self.session.unmark)
