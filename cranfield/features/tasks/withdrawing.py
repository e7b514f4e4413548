"""Withdrawals of runs: at once while the task is open; after the close on request, because tables of others change."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cranfield.errors import StoreError
from cranfield.features.tasks.store import phase
from cranfield.features.tasks.submissions import (
    Submission,
    SubmissionRefusedError,
    delete_file,
    run_name,
    submission_of,
    submissions,
)
from cranfield.store.links import append_item
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdraw as withdraw_names
from cranfield.store.withdrawals import withdrawals
from cranfield.text import counted, format_moment, visible_line

MAX_REASON_CHARS = 500


class WithdrawalRequest(NamedTuple):
    """A request of a team to withdraw a run, and the organiser's decision."""

    submission: int
    team: str
    tag: str
    at: str  # UTC
    reason: str
    state: str  # asked, granted or refused
    decided: str = ""  # UTC
    answer: str = ""

    @property
    def waits(self) -> bool:
        """Whether the organiser has not decided yet."""
        return self.state == "asked"


def is_immediate(store: Store, one: Submission) -> bool:
    """Whether a team may withdraw a run by itself: it was not taken, and the task is still open.

    Parameters
    ----------
    store : Store
        The store of the task.
    one : Submission
        The run.

    Returns
    -------
    bool
        False after the close: the run counts in tables that others see.
    """
    return one.state == "accepted" and phase(store) not in ("closed", "results")


def withdraw(store: Store, team: str, tag: str, reason: str = "") -> Submission:
    """Withdraw a run of a team, or ask the organiser to withdraw it after the close.

    Parameters
    ----------
    store : Store
        The store of the task.
    team, tag : str
        The team and the tag of its newest run of that name.
    reason : str
        Why; required after the close.

    Returns
    -------
    Submission
        The run as it was before.

    Raises
    ------
    SubmissionRefusedError
        If the run was withdrawn or replaced, a request waits already, or the reason is missing.
    """
    reason = " ".join(reason.split())
    with store.writing():
        one = submission_of(store, team, tag)
        if not one.stands:
            raise SubmissionRefusedError(409, f"run {tag!r} is already {one.state}")
        if is_immediate(store, one):
            append_item(store, "submission_event", submission=one.number, kind="withdrawn")
            delete_file(store, one.number)
            return one
        if not reason:
            raise SubmissionRefusedError(
                409, "a withdrawal after the close needs a reason, because the organiser decides it"
            )
        if len(reason) > MAX_REASON_CHARS:
            raise SubmissionRefusedError(
                409, f"the reason has {len(reason)} characters; expected at most {MAX_REASON_CHARS}"
            )
        if waiting_request(store, one.number):
            raise SubmissionRefusedError(409, f"a request to withdraw run {tag!r} is already waiting for the organiser")
        append_item(store, "withdrawal_request", submission=one.number, kind="asked", reason=reason)
    return one


def withdrawal_requests(store: Store, team: str = "") -> list[WithdrawalRequest]:
    """List the requests of all teams, or of one, the oldest first.

    Parameters
    ----------
    store : Store
        The store of the task.
    team : str
        A team; empty for all.

    Returns
    -------
    list of WithdrawalRequest
        One item a request, with the decision if there is one.
    """
    team_submissions = {one.number: one for one in submissions(store, team)}
    found: list[WithdrawalRequest] = []
    waiting: dict[int, int] = {}  # by submission: the place of its open request
    for at, number, kind, reason in store.rows(
        "SELECT at, submission, kind, reason FROM withdrawal_request ORDER BY id"
    ):
        if number not in team_submissions:
            continue
        if kind == "asked":
            waiting[number] = len(found)
            one = team_submissions[number]
            found.append(WithdrawalRequest(number, one.team, one.tag, at, reason, kind))
        elif number in waiting:
            place = waiting.pop(number)
            found[place] = found[place]._replace(state=kind, decided=at, answer=reason)
    return found


def waiting_request(store: Store, number: int) -> WithdrawalRequest | None:
    """The request for a submission that waits for the organiser, if there is one."""
    return next((one for one in withdrawal_requests(store) if one.waits and one.submission == number), None)


def decide_request(store: Store, team: str, tag: str, *, grant: bool, reason: str = "") -> WithdrawalRequest:
    """Grant or refuse a team's request to withdraw a run.

    Parameters
    ----------
    store : Store
        The store of the task.
    team, tag : str
        The team and the run.
    grant : bool
        Whether the run is withdrawn.
    reason : str
        Why; required if the request is refused.

    Returns
    -------
    WithdrawalRequest
        The request with the decision.

    Raises
    ------
    StoreError
        If no such request waits, or a refusal has no reason.
    """
    reason = " ".join(reason.split())
    with store.writing():
        matches = [one for one in withdrawal_requests(store, team) if one.waits and one.tag == tag]
        if not matches:
            raise StoreError(f"team {team} has no open request to withdraw run {tag!r:.60}")
        if not grant and not reason:
            raise StoreError("a refusal needs a reason, which the team can read")
        request = matches[-1]
        append_item(
            store, "withdrawal_request", submission=request.submission, kind="granted" if grant else "refused",
            reason=reason or request.reason,
        )  # fmt: skip
        if grant:
            _withdraw_after_close(store, request)
    return next(one for one in withdrawal_requests(store, team)[::-1] if one.submission == request.submission)


def _withdraw_after_close(store: Store, request: WithdrawalRequest) -> None:
    one = next(one for one in submissions(store, request.team) if one.number == request.submission)
    append_item(store, "submission_event", submission=one.number, kind="withdrawn")
    if one.state == "accepted":
        delete_file(store, one.number)
        return
    name = run_name(store, one)
    if name not in {row.name for row in withdrawals(store) if row.what == "run"}:
        withdraw_names(store, "run", [name], f"its team withdrew it: {request.reason}")


def request_rows(store: Store) -> list[dict[str, Any]]:
    """The rows of the organiser's list of requests, the newest first."""
    return [
        {
            "team": one.team,
            "run": one.tag,
            "asked": f"{format_moment(one.at)} UTC",
            "reason": visible_line(one.reason),
            "state": "waits for you" if one.waits else one.state,
            "decided": f"{format_moment(one.decided)} UTC" if one.decided else "",
            "answer": visible_line(one.answer),
        }
        for one in reversed(withdrawal_requests(store))
    ]


def withdrawn_lines(store: Store, round: int = 0, team: str | None = None) -> Sequence[str]:
    """Say below a table which runs and topics were withdrawn from it, a sentence each.

    Parameters
    ----------
    store : Store
        The store of the task.
    round : int
        The number of the table's round; 0 for all rounds.
    team : str or None
        Who reads the table: the runs of other teams are then counted and not named. None names all runs.

    Returns
    -------
    sequence of str
        Sentences; none if nothing was withdrawn.
    """
    teams = dict(store.rows("SELECT tag, coalesce(team, '') FROM run WHERE ?1 IN (0, coalesce(round, 1))", [round]))
    standing = withdrawals(store)
    runs = [(one.name, one.reason) for one in standing if one.what == "run" and one.name in teams]
    named = [(name, reason) for name, reason in runs if team is None or teams[name] == team]
    lines = [
        f"Withdrawn after the close: {name} ({visible_line(reason)}). Ranks and p do not include it."
        for name, reason in named
    ]
    if hidden := len(runs) - len(named):
        whose = "another team" if hidden == 1 else "other teams"
        were, them = ("was", "it") if hidden == 1 else ("were", "them")
        lines.append(
            f"{counted(hidden, 'run')} from {whose} {were} withdrawn after the close. Ranks and p do"
            f" not include {them}."
        )
    if topics := [one.name for one in standing if one.what == "topic"]:
        lines.append(f"The organiser withdrew {counted(len(topics), 'topic')}: {', '.join(topics)}.")
    return lines


def waiting_lines(store: Store) -> Sequence[str]:
    """Say how many requests wait for the organiser's decision."""
    waiting = [one for one in withdrawal_requests(store) if one.waits]
    if not waiting:
        return ()
    names = ", ".join(f"{one.team}/{one.tag}" for one in waiting)
    verb = "waits" if len(waiting) == 1 else "wait"
    return (
        f"{counted(len(waiting), 'request')} to withdraw a run {verb} for a decision ({names}); see `cranfield task"
        " withdrawals`",
    )
