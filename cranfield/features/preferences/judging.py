"""`judge --pairs`, and comparing pairs in the browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield.cli.commands.judge import JudgeOptions, JudgingTask
from cranfield.errors import StoreError
from cranfield.hooks import OptionError

if TYPE_CHECKING:
    from cranfield.features.preferences.session import PreferenceSession
    from cranfield.store.store import Store
    from cranfield.web.open_sessions import OpenSessions


class PairOptions(NamedTuple):
    """The pairs."""

    pairs: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="Pairs of documents to compare: adjacent, disputed, or a file with lines 'qid docno docno'.",
        ),
    ] = None


def judge_pairs(options: PairOptions, store: Store, session: JudgeOptions) -> JudgingTask:
    """Pairs of documents instead of documents."""
    from cranfield.features.preferences.pairs import give_pairs
    from cranfield.features.preferences.session import PlainPreferences, PreferenceSession

    if session.pool or session.order:
        raise OptionError("pairs", "goes without --pool and --order")
    give_pairs(store, session.assessor, options.pairs or "", session.topics)
    return JudgingTask(PreferenceSession(store, session.assessor, seed=session.seed), PlainPreferences, _terminal)


def _terminal() -> Any:
    from cranfield.features.preferences.screen import PreferenceTerminal

    return PreferenceTerminal


def open_comparisons(store: Store, clock: Callable[[], float] = time.monotonic) -> OpenSessions:
    """The open sessions of those who compare pairs."""
    from cranfield.web.open_sessions import OpenSessions

    return OpenSessions(store, clock, partial(_comparing, clock=clock), "prefer")


def _comparing(store: Store, assessor: str, clock: Callable[[], float]) -> PreferenceSession:
    from cranfield.features.preferences.session import PreferenceSession
    from cranfield.features.preferences.store import has_pairs

    if not has_pairs(store, assessor):
        raise StoreError(
            f"no pairs are assigned to {assessor!r}; the organiser starts a comparison with `cranfield judge --pairs`"
        )
    return PreferenceSession(store, assessor, clock=clock)
