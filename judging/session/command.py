"""Commands of a session: repeated, they are done once; late, they are not applied to the next document; and reasons."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from cranfield.errors import InputError
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.session.view import SessionView


class CommandedSession(Protocol):
    """What commands need of a session."""

    view: SessionView
    behind: bool
    obeyed_ids: set[str]

    @property
    def pair(self) -> Pair | None:
        """The pair on screen."""

    def knows(self, event_id: str) -> bool:
        """Whether a command was executed before."""

    def go_on(self) -> SessionView:
        """Show what comes next."""


Args = ParamSpec("Args")
S = TypeVar("S", bound=CommandedSession)


class CommandTarget(NamedTuple):
    """What a command is about: the pair on screen when it was given, and the id that its event gets."""

    pair: Pair | None
    event_id: str


class LateError(InputError):
    """A command is about a document that is no longer on screen; nothing was recorded."""


class ReasonError(InputError):
    """What is said why a document cannot be judged is no reason."""


def session_command(
    act: Callable[Concatenate[S, CommandTarget, Args], SessionView],
) -> Callable[Concatenate[S, CommandTarget, Args], SessionView]:
    """A method that is a command: repeated, it is done once; late, it is not applied to the next document."""

    @wraps(act)
    def obey(session: S, about: CommandTarget, /, *values: Args.args, **keywords: Args.kwargs) -> SessionView:
        if session.behind:
            session.go_on()
        if session.knows(about.event_id):
            return session.view
        if about.pair != session.pair:
            raise LateError("the document of this command is no longer on screen, so nothing was recorded")
        session.obeyed_ids.add(about.event_id)
        try:
            return act(session, about, *values, **keywords)
        except Exception:
            if not session.behind:
                session.obeyed_ids.remove(about.event_id)
            raise

    return obey


REASONS = ("unreadable", "wrong language", "topic unclear")  # or "other: " and a text
OTHER = "other: "


def known_reason(reason: str) -> str:
    """The reason, if it is valid.

    >>> known_reason("unreadable"), known_reason("other: torn")
    ('unreadable', 'other: torn')
    >>> known_reason("dull")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ReasonError: 'dull' is not a reason; the reasons are unreadable, wrong language, topic unclear, or other: and a text
    """
    if reason not in REASONS and not (reason.startswith(OTHER) and reason.removeprefix(OTHER).strip()):
        raise ReasonError(
            f"{reason!r}; expected one of the reasons {', '.join(REASONS)}, or {OTHER.strip()} and a text"
        )
    return reason
