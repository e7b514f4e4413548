"""Line mode of comparing pairs."""

from typing import TextIO

from cranfield.features.preferences.session import PreferenceSession
from cranfield.judging.frontends.keys import DEFAULT, PREFERRING, Keys
from cranfield.judging.frontends.line_mode import LineMode


class PlainPreferences(LineMode):
    """The line mode of a session of pairs.

    >>> import io
    >>> from cranfield.store.store import Store
    >>> out = io.StringIO()
    >>> with Store.memory("empty") as store:
    ...     PlainPreferences(PreferenceSession(store, "ada"), io.StringIO("q\\n"), out).run()
    >>> print(out.getvalue(), end="")
    Everything is done. u undoes the last decision, q quits.
    1, 2 or 0, ? for help >
    """

    commands = PREFERRING
    prompt = "1, 2 or 0, ? for help > "
    act = "say which document is better"
    item = "an answer"

    def __init__(
        self, session: PreferenceSession, source: TextIO, target: TextIO, *, width: int = 80, keys: Keys = DEFAULT,
        guidelines: str = "",
    ) -> None:  # fmt: skip
        super().__init__(session, source, target, width=width, keys=keys, guidelines=guidelines)
