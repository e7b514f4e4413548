"""Labelling answers over two streams of text: for terminals of any kind, screen readers, pipes and scripts."""

from __future__ import annotations

from cranfield.judging.frontends.keys import LABELLING
from cranfield.judging.frontends.line_mode import LineMode


class PlainLabelling(LineMode):
    """The line mode of a session that labels answers."""

    commands = LABELLING
    prompt = "0 no, 1 partial, 2 support, ? for help > "
    act = "give the label"

    def run(self) -> None:
        """Label until the assessor quits or the input ends."""
        super().run()
        self._say(self._session.summary)
