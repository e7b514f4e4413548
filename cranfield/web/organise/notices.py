"""What is said on the page that follows a form, once: a page that is loaded again neither says nor does it again."""

from __future__ import annotations

import secrets
from collections import OrderedDict

from .section import Done

MOST = 100  # that nobody has seen yet


class Notices:
    """What forms have done, by a name that nobody can guess, until it is shown.

    >>> notices = Notices()
    >>> name = notices.keep(Done("done"))
    >>> notices.take(name).said, notices.take(name).said, notices.take("").said
    ('done', '', '')
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Done] = OrderedDict()

    def keep(self, done: Done) -> str:
        """Keep something to say; the name by which it is taken."""
        name = secrets.token_urlsafe(16)
        self._kept[name] = done
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return name

    def take(self, name: str) -> Done:
        """What is to be said, this once."""
        return self._kept.pop(name, Done(""))
