"""The full screen of comparing pairs: one document below the other, each with its number in the margin."""

from collections.abc import Callable

from cranfield.features.preferences.session import spans
from cranfield.judging.frontends.keys import PREFERRING
from cranfield.judging.frontends.terminal.reading import ReadingMode
from cranfield.judging.frontends.terminal.terminal import Terminal


class Preferring(ReadingMode):
    """An assessor says which document of the pair on screen is better."""

    commands = PREFERRING
    item = "possible answer"

    def acts(self) -> dict[str, Callable[[], object]]:
        return {**super().acts(), "document": self._switch_document}

    def _switch_document(self) -> None:
        """Go to the beginning of the second document or, from there, of the first."""
        self.require_document()
        (first, _), (second, _) = spans(self.session.view.parts)
        self.document.show_from(first if self.document.reaches(second) else second)


class PreferenceTerminal(Terminal):
    """A session of pairs on the full screen."""

    reading = Preferring

    def draw(self) -> None:
        """Redraw all but the text of the documents."""
        for number, span in enumerate(spans(self.session.view.parts) if self.session.view.parts else (), 1):
            self.document.spans[f"part {number}"] = [span]
        super().draw()
