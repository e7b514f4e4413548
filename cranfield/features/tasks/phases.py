"""Phases of a shared task that an organiser begins, whatever the dates: runs come in, are judged, have results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cranfield.commands.calls import OpenedStore, open_store_call
from cranfield.extras import require_extra
from cranfield.options import Option
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store

PhaseReason = Annotated[str, Option("Reason for going back to an earlier phase.", metavar="TEXT")]


@check_arguments
def open_task(store: PresentStore, *, reason: PhaseReason = "") -> ResultInLines:
    """Open the task for runs now, regardless of the planned date.

    Use it to open early, or to reopen the task for a late team. To go back from a later phase, give a `reason`.

    Example: cranfield task open track.db

    Example: cranfield task open track.db --reason "a team was late"

    Parameters
    ----------
    store : path or Store
        The store.
    reason : str
        Reason for going back to an earlier phase, required in that case.

    Returns
    -------
    ResultInLines
        One row: the previous phase and the current phase.

    Raises
    ------
    StoreError
        If the task is in a later phase and no reason is given.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.tasks import describe
    >>> with cranfield.Store.memory("small") as store:
    ...     _ = describe(store, text=describe(store).text)
    ...     open_task(store, reason="a team was late").rows()[0]["phase"]
    'open'
    """
    with open_store_call(store) as call:
        row, line = _begin_phase(call.store, "open", reason)
        return ResultInLines([row], lines=[line], context=call.context("tasks.open_task"))


@check_arguments
def close_task(store: PresentStore, *, reason: PhaseReason = "") -> ResultInLines:
    """Close the task, and add its runs to the collection.

    Use it at the deadline or earlier. Runs are added by priority, then by time, so `cranfield pool build --per-team N`
    pools the first N of each team. Late runs are added by the next `cranfield task close`, and they are not pooled.

    Example: cranfield task close track.db

    Example: cranfield task close track.db --reason "the deadline has passed"

    Parameters
    ----------
    store : path or Store
        The store.
    reason : str
        Reason for going back to an earlier phase, required to hide results.

    Returns
    -------
    ResultInLines
        One row: the previous phase, the current phase, and the number of added runs. The notes list open questions.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.tasks import describe
    >>> with cranfield.Store.memory("small") as store:
    ...     _ = describe(store, text=describe(store).text), open_task(store, reason="a team was late")
    ...     close_task(store)
    the task is closed and being judged; its previous phase was open
    added 0 runs to the collection
    """
    from cranfield.features.tasks.store import phase

    with open_store_call(store) as call:
        before = phase(call.store)
        is_closed = before == "closed" or (before == "results" and not reason)
        row, lines = _take_runs(call, "" if is_closed else "closed", reason)
        return ResultInLines([row], lines=lines, context=call.context("tasks.close_task"))


@check_arguments
def release_results(store: PresentStore, *, reason: PhaseReason = "") -> ResultInLines:
    """Release the results to the teams now, regardless of the planned date.

    Use it when judging is complete. Current runs that are not in the collection yet are added first.

    Example: cranfield task release track.db

    Example: cranfield task release track.db --reason "all is judged"

    Parameters
    ----------
    store : path or Store
        The store.
    reason : str
        Reason to record in the log.

    Returns
    -------
    ResultInLines
        One row: the previous phase, the current phase, and the number of added runs, if any. The notes list open
        questions, and who can read the judgments and results.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.tasks import describe
    >>> with cranfield.Store.memory("small") as store:
    ...     _ = describe(store, text=describe(store).text)
    ...     release_results(store).notes
    ('teams can download the qrels; hide them with qrels = "hidden" in the description',)
    """
    require_extra("serve", "a release of results")
    from cranfield.features.tasks.scoring import is_public
    from cranfield.features.tasks.submissions import waiting
    from cranfield.features.tasks.transfers import gives_qrels
    from cranfield.features.tasks.unsettled import unsettled_lines

    with open_store_call(store) as call:
        if waiting(call.store):
            row, lines = _take_runs(call, "results", reason)
        else:
            row, line = _begin_phase(call.store, "results", reason)
            lines = [line]
            call.keep(*unsettled_lines(call.store))
        if gives_qrels(call.store):
            call.keep('teams can download the qrels; hide them with qrels = "hidden" in the description')
        if is_public(call.store):
            call.keep("anybody can read the results at /leaderboard")
        return ResultInLines([row], lines=lines, context=call.context("tasks.release_results"))


def _begin_phase(store: Store, new: str, reason: str) -> tuple[dict[str, object], str]:
    """Begin a phase; returns the row and the line of the result."""
    from cranfield.features.tasks.description import change_of_phase
    from cranfield.features.tasks.store import begin_phase

    before = begin_phase(store, new, reason)
    return {"before": before, "phase": new}, change_of_phase(before, new)


def _take_runs(call: OpenedStore, new: str, reason: str) -> tuple[dict[str, object], list[str]]:
    """Take the runs that stand, after a new phase has begun, if there is one; returns the row and the lines."""
    from cranfield.features.tasks.store import phase
    from cranfield.features.tasks.submissions import equal_priorities, take_runs
    from cranfield.features.tasks.unsettled import unsettled_lines

    before, same, lines = phase(call.store), equal_priorities(call.store), []
    row: dict[str, object] = {"before": before, "phase": before}
    if new:
        row, line = _begin_phase(call.store, new, reason)
        lines.append(line)
    number = len(take_runs(call.store))
    call.keep(*same, *unsettled_lines(call.store))
    return {**row, "runs": number}, [*lines, f"added {counted(number, 'run')} to the collection"]
