"""Options that choose lists of an interaction log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cranfield.store.online.read import LogChoice

Experiment = Annotated[
    str | None, typer.Option(metavar="NAME", help="Only lists of this experiment; all of them by default.")
]
Arms = Annotated[str, typer.Option(metavar="A,B", help="Only lists of these arms.")]
Since = Annotated[
    datetime | None, typer.Option(metavar="TIME", help="Only lists from this time (UTC) on, as 2026-01-31.")
]
Until = Annotated[datetime | None, typer.Option(metavar="TIME", help="Only lists before this time (UTC).")]

MinUsers = Annotated[
    int,
    typer.Option(
        min=0, help="Leave out queries of fewer users. Lists with neither user nor session count for none; 0 takes all."
    ),
]


def choice_of(experiment: str | None, arms: str, since: datetime | None, until: datetime | None) -> LogChoice:
    """The lists that these options choose."""
    from cranfield.store.online.read import LogChoice

    named = tuple(name.strip() for name in arms.split(",") if name.strip())
    return LogChoice(experiment, named, seconds(since), seconds(until))


def seconds(moment: datetime | None) -> float | None:
    """Seconds since 1970.

    >>> seconds(datetime(1970, 1, 2))
    86400.0
    """
    return None if moment is None else moment.replace(tzinfo=UTC).timestamp()
