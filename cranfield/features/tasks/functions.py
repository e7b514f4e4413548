"""Shared tasks: described, their teams, submissions and results; and runs checked and submitted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.api.arguments import checked
from cranfield.commands.opened import opened
from cranfield.errors import InputError
from cranfield.lazy import type_in
from cranfield.options import Argument, Option
from cranfield.options.given import PresentStore
from cranfield.results import Result, ResultInLines
from cranfield.text import counted
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from cranfield.features.tasks.checking import CheckedRun
    from cranfield.features.tasks.description import SharedTask, TaskDate
    from cranfield.features.tasks.results import TaskResults
else:
    TaskDate = type_in("cranfield.features.tasks.description", "TaskDate")
    SharedTask = type_in("cranfield.features.tasks.description", "SharedTask")
    TaskResults = type_in("cranfield.features.tasks.results", "TaskResults")

AnyPath = str | PathLike[str]


@checked
def describe(store: StoreGiven, text: str) -> str:
    """Describe the task of a store by the text of a TOML file; its name.

    >>> from cranfield import Store
    >>> from cranfield.features.tasks.description import TEMPLATE
    >>> with Store.memory("My track") as store:
    ...     describe(store, TEMPLATE), list_submissions(store).rows()
    ('My track', [])
    """
    from cranfield.features.tasks.store import describe

    with store_open(store) as there:
        return describe(there, text).name


TaskRound = Annotated[
    str | None,
    Option("The results of this round; by default of the last with runs.", metavar="NAME", complete="round"),
]
TeamName = Annotated[str, Argument("Name of the team.", metavar="TEAM")]
Contact = Annotated[str, Option("How to reach the team; never published.", metavar="TEXT")]
ShownRun = Annotated[str, Option("Show this run topic by topic, beside all runs.", metavar="TAG", complete="run")]
ArchiveFolder = Annotated[str | PathLike[str], Argument("The folder, new or empty.", metavar="DIR", typed=Path)]
ReceiptFile = Annotated[str | PathLike[str], Argument("A receipt, as the server gave it.", metavar="FILE", typed=Path)]
PublishedArchive = Annotated[
    str | PathLike[str] | None,
    Argument("The archive of the task, or its log.jsonl.", metavar="ARCHIVE", typed=Path | None),
]


@checked
def invite(store: PresentStore, team: TeamName, *, contact: Contact = "") -> Result:
    """Print a link with which a team takes part, in the browser, or by its last part as a token.

    The link is shown once: the store keeps only a hash of it. Earlier links of the team stay valid.

    Example: cranfield task invite track.db cuni --contact someone@example.org

    Example: cranfield task invite track.db delft --contact someone@example.org

    Parameters
    ----------
    store : path or Store
        The store.
    team : str
        The team's name.
    contact : str
        How to reach the team; never published.

    Returns
    -------
    Result
        One row: the team and its token, which is not stored.

    Examples
    --------
    >>> import cranfield
    >>> store = cranfield.Store.memory("small")
    >>> invite(store, "red").frame["team"].tolist()
    ['red']
    """
    from cranfield.features.tasks.store import invite_team
    from cranfield.store.connection import readable_by_others

    with opened(store) as call:
        token = invite_team(call.store, team, contact)
        if call.place.is_file():
            call.keep(*readable_by_others(call.place))
        return Result([{"team": team, "token": token}], context=call.context("invite"))


@checked
def list_submissions(store: PresentStore) -> Result:
    """List what was submitted, in the order in which it came, and what became of it.

    Below it stands what judging would cost if the task closed now.

    Example: cranfield task submissions track.db

    Example: cranfield task submissions track.db --format csv

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    Result
        A row for each submission: team, run, received, priority, kind and state; where there are several rounds, also
        its round. The notes say what judging would cost.
    """
    from cranfield.features.tasks.results import cost_of
    from cranfield.features.tasks.submissions import submission_rows

    with opened(store) as call:
        rows = submission_rows(call.store)
        call.keep(f"{cost_of(call.store)}")
        return Result(rows, context=call.context("list_submissions"))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RankedRuns(Result):
    """The results of the runs of a task.

    Parameters
    ----------
    found : TaskResults
        The scores of all runs, with what pages show of them.
    task : SharedTask
        The task.
    dates : sequence of TaskDate
        Its dates.
    """

    found: TaskResults
    task: SharedTask
    dates: Sequence[TaskDate]


@checked
def list_results(store: PresentStore, *, run: ShownRun = "", round: TaskRound = None) -> RankedRuns:
    """Show the results of all runs by the task's measures; with DIR, as the pages that TREC's proceedings print.

    A page has the summary of its run, recall and precision, and each topic beside the median, the best and the worst of
    all runs, where there are five of three teams. What was judged before a round is left out, as `evaluate --round`
    leaves it out.

    Example: cranfield task results track.db pages

    Example: cranfield task results track.db pages --round 2

    Parameters
    ----------
    store : path or Store
        The store.
    run : str
        The tag of a run to show topic by topic.
    round : str, optional
        The name of a round; by default the last that has runs.

    Returns
    -------
    RankedRuns
        A row for each run, the best by the first measure first; or a row for each topic of one run.
    """
    from cranfield.features.tasks.scoring import results_of, scored_round
    from cranfield.features.tasks.store import task_dates, task_of
    from cranfield.features.tasks.submissions import not_taken

    with opened(store) as call:
        task, dates, own = task_of(call.store), task_dates(call.store), scored_round(call.store, round)
        found = results_of(call.store, round)
        call.keep(*not_taken(call.store))
        if run:
            rows = [one._asdict() for one in found.by_topic(run, 0)]
            title = f"{run}, {found.measures[0]} by topic: {found.said_of(run, 0)}"
        else:
            rows = found.overview()
            of_round = [f"round {own.name}"] if own else []
            title = ", ".join([task.name, *of_round, counted(len(found.judged.qids), "topic")])
            call.keep(*filter(None, [found.about_p, *found.withdrawn, found.trust.sentence()]))
        context = call.context("list_results")
        context = replace(context, left_out=replace(context.left_out, labelled_by=found.labelled_by))
        return RankedRuns(rows, title=title, found=found, task=task, dates=dates, context=context)


@checked
def write_archive(store: PresentStore, folder: ArchiveFolder) -> ResultInLines:
    """Write the archive of a task: runs, topics, qrels, pool, results, receipts and log; the same bytes each time.

    It has no contacts. `cranfield task receipt` checks receipts against it, `sha256sum -c SHA256SUMS` its files.

    Example: cranfield task archive track.db archive

    Example: cranfield task archive track.db archive-2026

    Parameters
    ----------
    store : path or Store
        The store.
    folder : path
        A new or empty folder.

    Returns
    -------
    ResultInLines
        One row: the number of runs.
    """
    from cranfield.features.tasks.archive import write_archive
    from cranfield.features.tasks.submissions import not_taken

    with opened(store) as call:
        runs = write_archive(call.store, Path(folder))
        call.keep(*not_taken(call.store))
        line = f"{Path(folder)}: {counted(runs, 'run')}"
        return ResultInLines([{"runs": runs}], lines=(line,), context=call.context("write_archive"))


@checked
def check_receipt(receipt: ReceiptFile, *, archive: PublishedArchive = None) -> ResultInLines:
    """Check a receipt: that it is as it was given and, with ARCHIVE, that the published log has what it says.

    Example: cranfield task receipt bm25.receipt.json archive

    Example: cranfield task receipt bm25.receipt.json results

    Parameters
    ----------
    receipt : path
        The receipt, as the server gave it.
    archive : path, optional
        The archive of the task, or its log.jsonl.

    Returns
    -------
    ResultInLines
        One row: the fields of the receipt.

    Raises
    ------
    InputError
        If the receipt or the log was changed.
    """
    from cranfield.features.tasks.archive import check_receipt, read_receipt

    if archive is None:
        content = read_receipt(Path(receipt))
        status = "it is as it was given; give the ARCHIVE as well to check it against the log"
    else:
        proof = check_receipt(Path(receipt), Path(archive))
        content = proof.receipt
        status = f"line {proof.line} of {proof.lines} of the log, whose head is {proof.head}"
    line = f"run {content['tag']} of {content['team']}, received {content['received']}: {status}"
    return ResultInLines([dict(content)], lines=(line,))


def submit_check(
    run: AnyPath,
    topics: AnyPath,
    *,
    documents: AnyPath | None = None,
    judged: AnyPath | None = None,
    most: int = 1000,
) -> CheckedRun:
    """Check a run as a server would: errors (line, found, expected) and warnings; the tag, topics and documents.

    `documents` has the docnos of the collection, one a line; `judged` the judgments of earlier rounds.
    """
    from cranfield.features.tasks.checking import RunRules
    from cranfield.features.tasks.sent_files import check_file
    from cranfield.formats import read_qrels, read_topics
    from cranfield.judging.agreement.agreement import pairs_in

    corpus = None if documents is None else frozenset(_docnos(documents))
    pairs = frozenset[tuple[bytes, bytes]]()
    if judged is not None:
        pairs = frozenset((qid.encode(), docno.encode()) for qid, docno in pairs_in(read_qrels(judged)))

    def unknown(docnos: Collection[str]) -> Collection[str]:
        return [docno for docno in docnos if corpus is not None and docno not in corpus]

    qids = [topic.qid for topic in read_topics(topics)]
    return check_file(run, RunRules(qids, unknown, most=most, judged=pairs))[0]


def _docnos(path: AnyPath) -> list[str]:
    """The docnos in a file, one a line."""
    from cranfield.formats.files import read_text

    text = read_text(path)
    if text.lstrip().startswith("{"):
        raise InputError("JSON; expected the docnos, one a line", path, 1)
    return text.split()


@checked
def submit(run: AnyPath, url: str, token: str, *, meta: AnyPath | None = None) -> dict[str, Any]:
    """Submit a run to the server of a task: its receipt; an error where it is not taken."""
    from cranfield.errors import CranfieldError
    from cranfield.features.tasks.client import submit_run

    answer = submit_run(Path(run), None if meta is None else Path(meta), url, token)
    if answer.status != 201:
        raise CranfieldError(f"{run}: not taken: {answer.content['errors'][0]['found']}")
    return dict(answer.content["receipt"])
