"""The full screen of labelling answers: that of judging, with a nugget or sentence above the text."""

from __future__ import annotations

from cranfield.judging.frontends.keys import LABELLING
from cranfield.judging.frontends.terminal.reading import Reading
from cranfield.judging.frontends.terminal.terminal import Terminal


class Labelling(Reading):
    """An assessor labels what is on screen."""

    commands = LABELLING


class LabellingTerminal(Terminal):
    """A session that labels answers on the full screen."""

    reading = Labelling
