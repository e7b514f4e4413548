"""What the pages of teams show of the store: the task, a team's runs, a run with its receipt."""

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import quote

from cranfield.features.tasks.description import PHASE_WORDS, PHASES
from cranfield.features.tasks.scoring import has_leaderboard
from cranfield.features.tasks.store import has_accepted, last_change, phase, task_dates, task_of
from cranfield.features.tasks.submissions import (
    Submission,
    receipt,
    round_submissions,
    scores_of,
    submission_of,
    submissions,
)
from cranfield.features.tasks.transfers import gives_qrels
from cranfield.features.tasks.withdrawing import (
    is_immediate,
    withdrawal_requests,
)
from cranfield.formats.text_tables import format_cell
from cranfield.report.blocks import Cell, Facts, TableBlock
from cranfield.store.rounds import rounds
from cranfield.store.store import Store, now
from cranfield.text import format_moment
from cranfield.web.language import Language, translatable

RECEIPT = {  # what a page shows of one
    "team": translatable("team"),
    "received": translatable("received"),
    "late": translatable("late"),
    "bytes": translatable("bytes"),
    "sha256": translatable("SHA-256"),
    "unpacked_sha256": translatable("SHA-256 of the unpacked file"),
    "hash": translatable("hash in the published log"),
}


def context_of(store: Store) -> dict[str, Any]:
    """What every page shows."""
    return {"task": task_of(store), "phase": phase(store), "board": has_leaderboard(store),
            "dates": {one.name: one for one in task_dates(store)}, "changed": last_change(store)}  # fmt: skip


def home_of(store: Store, team: str) -> dict[str, Any]:
    """What a team's own page shows: dates, and its runs, those of the round that is open counted."""
    task, current_phase, mine, at = task_of(store), phase(store), submissions(store, team), now()
    names = {one.number: one.name for one in rounds(store)}
    newest, own = {one.tag: one.number for one in mine}, round_submissions(store, team, at)
    waiting = {request.submission for request in withdrawal_requests(store, team) if request.waits}
    rows = [
        {
            "run": Cell(one.tag, href=_page_of(one, newest)) if one.stands else one.tag,
            **({"round": names[one.round]} if len(names) > 1 else {}),
            "received": f"{format_moment(one.received)} UTC",
            "priority": one.priority,
            "kind": one.metadata["form"]["kind"],
            "state": _state_of(one, waiting),
        }
        for one in reversed(mine)
    ]
    return {
        "phase": current_phase, "about": PHASE_WORDS[current_phase], "now": at,
        "runs": own, "standing": sum(one.stands for one in own),
        "runs_table": TableBlock("runs", translatable("Submissions, newest first"), rows, sortable=False, cards=True)
        if rows else None,
        "accepted": has_accepted(store, team, task.terms), "out": PHASES.index(current_phase) > 0,
        "has_corpus": store.has("document"), "has_qrels": gives_qrels(store), "scored": len(scores_of(store, team)),
    }  # fmt: skip


def _fact(name: str, value: Any, language: Language) -> str:
    """The value of a fact as a page shows it."""
    text = f"{format_moment(value)} UTC" if name == "received" else format_cell(value)
    return language.look_up(text) if name in ("state", "kind", "late") else text


def terms_of(store: Store, team: str) -> dict[str, Any]:
    """The terms as a program reads them, and whether its team has accepted them."""
    terms = task_of(store).terms
    return {"terms": terms, "accepted": has_accepted(store, team, terms)}


def _state_of(one: Submission, waiting: Collection[int]) -> str:
    words = [one.state, *(["late"] if one.late else []), *(["withdrawal asked"] if one.number in waiting else [])]
    return ", ".join(words)


def _page_of(one: Submission, newest: Mapping[str, int]) -> str:
    """The page of a run; where a later round has one of the same tag, it names its own."""
    earlier = "" if newest[one.tag] == one.number else f"?round={one.round}"
    return f"/team/runs/{quote(one.tag, safe='')}{earlier}"


def run_of(store: Store, team: str, tag: str, round: int, language: Language) -> dict[str, Any]:
    """What the page of a run shows: of a round, or the newest of its tag."""
    one, newest = submission_of(store, team, tag, round), submission_of(store, team, tag)
    form = one.metadata["form"]
    own = {name: value for name, value in form.items() if value and name not in ("tag", "fields")} | form["fields"]
    content = receipt(store, one.number)
    requests = [request for request in withdrawal_requests(store, team) if request.submission == one.number]
    facts = [("state", one.state)]
    for request in requests:
        facts.append((f"withdrawal asked {format_moment(request.at)} UTC", request.reason))
        if not request.waits:
            facts.append((f"{request.state} {format_moment(request.decided)} UTC", request.answer))
    facts += [*own.items(), *((words, content[name]) for name, words in RECEIPT.items())]
    return {
        "one": one,
        "is_newest": one.number == newest.number,
        "phase": phase(store),
        "immediate": is_immediate(store, one),
        "asked": any(request.waits for request in requests),
        "receipt_blocks": [Facts([(name, _fact(name, value, language)) for name, value in facts])],
    }
