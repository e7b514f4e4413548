"""Shared tasks: described, their teams, submissions and results; and runs checked and submitted."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.commands.calls import open_store_call
from cranfield.errors import ArgumentError, CranfieldError, InputError, file_named_in_errors, give_warning
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
from cranfield.options import Argument, Option, Written
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.parallel import Tell
from cranfield.results import Result, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.tasks.checking import CheckedRun, SubmissionError
    from cranfield.features.tasks.description import SharedTask, TaskDate
    from cranfield.features.tasks.results import TaskResults
else:
    TaskDate = lazy_type("cranfield.features.tasks.description", "TaskDate")
    SharedTask = lazy_type("cranfield.features.tasks.description", "SharedTask")
    TaskResults = lazy_type("cranfield.features.tasks.results", "TaskResults")

AnyPath = str | PathLike[str]


TaskFile = Annotated[
    str | PathLike[str] | None,
    Argument("TOML file; without one, print the description.", metavar="FILE", typed=Path | None),
]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class TaskDescription(ResultInLines):
    """The description of a task: one row with its name and dates.

    Parameters
    ----------
    text : str
        The TOML text as given, or a template if the store has no task.
    """

    text: str


@check_arguments
def describe(store: PresentStore, file: TaskFile = None, *, text: str | None = None) -> TaskDescription:
    """Describe a shared task with a TOML file, or print its description.

    Use it to set the dates, terms, limits, fields of runs and visibility of a task. Without a file, it prints the
    current description, or a template if the store has no task. The log keeps earlier descriptions.

    Example: cranfield task describe track.db task.toml

    Example: cranfield task describe track.db

    Parameters
    ----------
    store : path or Store
        The store.
    file : path, optional
        TOML file with the description.
    text : str, optional
        TOML text, instead of a file.

    Returns
    -------
    TaskDescription
        One row: name, open and close. Without a file there is no row; `text` contains the description.

    Raises
    ------
    InputError
        If the file is not a valid task description.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("My track") as store:
    ...     described = describe(store, text=describe(store).text)
    >>> described.rows()[0]["name"]
    'My track'
    """
    from cranfield.features.tasks import store as tasks
    from cranfield.features.tasks.description import TEMPLATE, read_task

    with open_store_call(store) as call:
        if file is None and text is None:
            there = tasks.description_text(call.store) or TEMPLATE
            return TaskDescription(text=there, context=call.context("tasks.describe"))
        words = text if file is None else read_task(Path(file))[1]
        with file_named_in_errors(Path(file)) if file is not None else nullcontext():
            task = tasks.describe(call.store, words or "")
        row = {"name": task.name, "open": task.dates["open"], "close": task.dates["close"]}
        line = f"{task.name}: runs from {row['open'][:16]} to {row['close'][:16]} UTC"
        return TaskDescription([row], lines=[line], text=words or "", context=call.context("tasks.describe"))


TaskRound = Annotated[
    str | None,
    Option("Round to show. By default, the last round with runs is shown.", metavar="NAME", complete="round"),
]
TeamName = Annotated[str, Argument("Name of the team.", metavar="TEAM")]
WithdrawnRun = Annotated[str, Argument("Tag of the run.", metavar="TAG", complete="run")]
IsGranted = Annotated[
    bool, Option("Whether to withdraw the run or to keep it.", "--grant/--refuse", show_default=False)
]
DecisionReason = Annotated[str, Option("Reason for the decision, required for --refuse.", metavar="TEXT")]
Contact = Annotated[str, Option("Contact address of the team, which is never published.", metavar="TEXT")]
ShownRun = Annotated[str, Option("Show this run topic by topic, next to all runs.", metavar="TAG", complete="run")]
ArchiveFolder = Annotated[str | PathLike[str], Argument("A new or empty folder.", metavar="DIR", typed=Path)]
ReceiptFile = Annotated[str | PathLike[str], Argument("The receipt file from the server.", metavar="FILE", typed=Path)]
PublishedArchive = Annotated[
    str | PathLike[str] | None,
    Argument("The task's archive, or its log.jsonl.", metavar="ARCHIVE", typed=Path | None),
]


@check_arguments
def invite(store: PresentStore, team: TeamName, *, contact: Contact = "") -> Result:
    """Print an invitation link for a team.

    Send the link to the team. The team opens the link in a browser, or uses the last part of the link as a token for
    programs. The link is shown once, because the store keeps only its hash. Earlier links of the team stay valid.

    Example: cranfield task invite track.db cuni --contact someone@example.org

    Example: cranfield task invite track.db delft --contact someone@example.org

    Parameters
    ----------
    store : path or Store
        The store.
    team : str
        The team's name.
    contact : str
        Contact address of the team, which is never published.

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
    >>> store.close()
    """
    from cranfield.features.tasks.store import invite_team
    from cranfield.store.connection import readable_store_notes

    with open_store_call(store) as call:
        token = invite_team(call.store, team, contact)
        if call.place.is_file():
            call.keep(*readable_store_notes(call.place))
        return Result([{"team": team, "token": token}], context=call.context("tasks.invite"))


@check_arguments
def revoke(store: PresentStore, team: TeamName) -> ResultInLines:
    """Revoke all links of a team.

    Use it if a link has leaked. The links stop working at once, and the team's runs are kept. `cranfield task invite`
    prints a new link.

    Example: cranfield task revoke track.db cuni

    Example: cranfield task revoke track.db delft

    Parameters
    ----------
    store : path or Store
        The store.
    team : str
        The team's name.

    Returns
    -------
    ResultInLines
        One row: the team and the number of revoked links.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     _ = invite(store, "red")
    ...     revoke(store, "red")
    1 link of red revoked
    """
    from cranfield.features.tasks.store import revoke_team

    with open_store_call(store) as call:
        number = revoke_team(call.store, team)
        lines, context = [f"{counted(number, 'link')} of {team} revoked"], call.context("tasks.revoke")
        return ResultInLines([{"team": team, "links": number}], lines=lines, context=context)


@check_arguments
def list_teams(store: PresentStore) -> Result:
    """List the teams with their links, terms, runs and submissions.

    The columns are team, links (valid links), terms, runs (current runs), submissions and contact.

    Example: cranfield task teams track.db

    Example: cranfield task teams track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    Result
        One row per team.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     _ = describe(store, text=describe(store).text), invite(store, "red", contact="red@example.org")
    ...     list_teams(store).frame[["team", "contact"]].values.tolist()
    [['red', 'red@example.org']]
    """
    from cranfield.features.tasks.store import contacts
    from cranfield.features.tasks.submissions import team_rows

    with open_store_call(store) as call:
        addresses = contacts(call.store)
        rows = [{**row, "contact": addresses.get(row["team"], "")} for row in team_rows(call.store)]
        return Result(rows, context=call.context("tasks.list_teams"))


@check_arguments
def list_withdrawals(store: PresentStore) -> Result:
    """List the withdrawal requests that teams made after the task closed.

    The newest request comes first. Before the close, a team withdraws a run without a request. After the close, a
    request needs a reason, and the organiser accepts or refuses it with `cranfield task decide`.

    Example: cranfield task withdrawals track.db

    Example: cranfield task withdrawals track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    Result
        One row per request.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     list_withdrawals(store)
    No team has asked to withdraw a run after the close.
    """
    from cranfield.features.tasks.withdrawing import request_rows

    with open_store_call(store) as call:
        rows = request_rows(call.store)
        title = "" if rows else "No team has asked to withdraw a run after the close."
        return Result(rows, title=title, context=call.context("tasks.list_withdrawals"))


@check_arguments
def decide_withdrawal(
    store: PresentStore, team: TeamName, run: WithdrawnRun, *, grant: IsGranted, reason: DecisionReason = ""
) -> ResultInLines:
    """Grant or refuse a request to withdraw a run after the close.

    A withdrawn run is neither scored nor published. Tables report the withdrawal and its reason.

    Example: cranfield task decide track.db cuni bm25 --grant

    Example: cranfield task decide track.db cuni bm25 --refuse --reason "the pool is built"

    Parameters
    ----------
    store : path or Store
        The store.
    team : str
        The team's name.
    run : str
        Tag of the run.
    grant : bool
        True withdraws the run; False keeps it.
    reason : str
        Reason for the decision, required for a refusal.

    Returns
    -------
    ResultInLines
        One row: the team, the run and the state of the request.

    Raises
    ------
    InputError
        If the team has no open request for the run, or a refusal has no reason.

    Examples
    --------
    >>> import cranfield
    >>> with cranfield.Store.memory("small") as store:
    ...     decide_withdrawal(store, "red", "bm25", grant=True)
    Traceback (most recent call last):
    cranfield.errors.StoreError: team red has no open request to withdraw run 'bm25'
    """
    from cranfield.features.tasks.withdrawing import decide_request

    with open_store_call(store) as call:
        request = decide_request(call.store, team, run, grant=grant, reason=reason)
        row = {"team": request.team, "run": request.tag, "state": request.state}
        lines = [f"the request of {request.team} to withdraw run {request.tag} is {request.state}"]
        return ResultInLines([row], lines=lines, context=call.context("tasks.decide_withdrawal"))


@check_arguments
def list_submissions(store: PresentStore) -> Result:
    """List all submissions with their states, in order of arrival.

    Use it to follow the submissions to a task. A note below the table estimates how much judging would follow if the
    task closed now.

    Example: cranfield task submissions track.db

    Example: cranfield task submissions track.db --format csv

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    Result
        One row per submission: team, run, received, priority, kind and state. With several rounds, each row also has
        the round. A note estimates the judging effort.
    """
    require_extra("report", "a table of submissions")
    from cranfield.features.tasks.results import cost_of
    from cranfield.features.tasks.submissions import submission_rows

    with open_store_call(store) as call:
        rows = submission_rows(call.store)
        call.keep(f"{cost_of(call.store)}")
        return Result(rows, context=call.context("tasks.list_submissions"))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RankedRuns(Result):
    """The results of a task's runs, one row per run.

    Parameters
    ----------
    found : TaskResults
        The scores of all runs, and the tables of their pages.
    task : SharedTask
        The task.
    dates : sequence of TaskDate
        The dates of the task.
    """

    found: TaskResults
    task: SharedTask
    dates: Sequence[TaskDate]


@check_arguments
def list_results(store: PresentStore, *, run: ShownRun = "", round: TaskRound = None) -> RankedRuns:
    """Show the results of all runs, or write a page for each run.

    Use it once the runs are judged. With DIR, it writes pages like the run pages in TREC's proceedings. Each page shows
    the run's summary, its recall and precision, and its result on each topic. If there are at least five runs from
    three teams, each topic also shows the median, best and worst score. Documents judged before the round do not count,
    as with `evaluate
    --round`.

    Example: cranfield task results track.db

    Example: cranfield task results track.db pages --round 2

    Parameters
    ----------
    store : path or Store
        The store.
    run : str
        Tag of a run to show topic by topic.
    round : str, optional
        Name of a round; by default the last round with runs.

    Returns
    -------
    RankedRuns
        One row per run, sorted by the first measure, the best run first. With `run`, one row per topic.
    """
    require_extra("report", "a table of results")
    from cranfield.features.tasks.scoring import results_of, scored_round
    from cranfield.features.tasks.store import task_dates, task_of
    from cranfield.features.tasks.submissions import not_taken

    with open_store_call(store) as call:
        task, dates, own = task_of(call.store), task_dates(call.store), scored_round(call.store, round)
        found = results_of(call.store, round)
        call.keep(*not_taken(call.store))
        if run:
            rows = [one._asdict() for one in found.topic_results(run, 0)]
            title = f"{run}, {found.measures[0]} by topic: {found.said_of(run, 0)}"
        else:
            rows = found.overview()
            round_arguments = [f"round {own.name}"] if own else []
            title = ", ".join([task.name, *round_arguments, counted(len(found.judged.qids), "topic")])
            call.keep(*filter(None, [found.p_caption, *found.withdrawn, found.trust.sentence()]))
        context = call.context("tasks.list_results")
        context = replace(context, left_out=replace(context.left_out, labelled_by=found.labelled_by))
        return RankedRuns(rows, title=title, found=found, task=task, dates=dates, context=context)


@check_arguments
def write_archive(store: PresentStore, folder: ArchiveFolder) -> ResultInLines:
    """Write the archive of a task, for publication.

    The archive contains the runs, topics, qrels, pool, results, receipts and log, but no contacts. The same store
    always gives the same bytes. Check its files with `sha256sum -c SHA256SUMS`, and receipts with `cranfield task
    receipt`.

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
    require_extra("report", "an archive of a task")
    from cranfield.features.tasks.archive import write_archive
    from cranfield.features.tasks.submissions import not_taken

    with open_store_call(store) as call:
        runs = write_archive(call.store, Path(folder))
        call.keep(*not_taken(call.store))
        line = f"{Path(folder)}: {counted(runs, 'run')}"
        return ResultInLines([{"runs": runs}], lines=(line,), context=call.context("tasks.write_archive"))


@check_arguments
def check_receipt(receipt: ReceiptFile, *, archive: PublishedArchive = None) -> ResultInLines:
    """Check a receipt, by itself or against the published log.

    Without ARCHIVE, the command checks that nobody changed the receipt. With ARCHIVE, it also checks that the published
    log contains the submission.

    Example: cranfield task receipt bm25.receipt.json archive

    Example: cranfield task receipt bm25.receipt.json results

    Parameters
    ----------
    receipt : path
        The receipt file from the server.
    archive : path, optional
        The task's archive, or its log.jsonl.

    Returns
    -------
    ResultInLines
        One row: the fields of the receipt.

    Raises
    ------
    InputError
        If the receipt or the log was changed.
    """
    require_extra("report", "a check of a receipt")
    from cranfield.features.tasks.archive import check_receipt, read_receipt

    if archive is None:
        content = read_receipt(Path(receipt))
        status = "the receipt is unchanged; add ARCHIVE to check it against the log"
    else:
        proof = check_receipt(Path(receipt), Path(archive))
        content = proof.receipt
        status = f"the receipt is line {proof.line} of {proof.lines} in the log with head {proof.head}"
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

    corpus = None if documents is None else frozenset(_read_docnos(documents))
    pairs = frozenset[tuple[bytes, bytes]]()
    if judged is not None:
        pairs = frozenset((qid.encode(), docno.encode()) for qid, docno in read_qrels(judged).pairs)

    def unknown(docnos: Collection[str]) -> Collection[str]:
        return [docno for docno in docnos if corpus is not None and docno not in corpus]

    qids = [topic.qid for topic in read_topics(topics)]
    return check_file(run, RunRules(qids, unknown, most=most, judged=pairs))[0]


def _read_docnos(path: AnyPath) -> list[str]:
    from cranfield.formats.files import read_text

    text = read_text(path)
    if text.lstrip().startswith("{"):
        raise InputError("found JSON; expected one docno per line", path, 1)
    return text.split()


RunToSubmit = Annotated[
    str | PathLike[str],
    Argument("Run file, plain or compressed.", metavar="RUN", typed=Path, reads="texts and qrels"),
]
RunMeta = Annotated[
    str | PathLike[str] | None,
    Option(
        "TOML file with tag, priority, kind, description and the task's own fields.", metavar="FILE", typed=Path | None
    ),
]
TaskAddress = Annotated[str, Option("Address of the task's server.", metavar="URL")]
TopicsToCheck = Annotated[
    str | PathLike[str] | None,
    Option("Topics to check the run against; with --to, before it is sent.", metavar="TOPICS", typed=Path | None),
]
DocumentsToCheck = Annotated[
    str | PathLike[str] | None,
    Option("Docnos of the collection, one per line, with --check.", metavar="FILE", typed=Path | None),
]
JudgedEarlier = Annotated[
    str | PathLike[str] | None,
    Option("Judgments of earlier rounds, with --check.", metavar="QRELS", typed=Path | None),
]
MostOfTopic = Annotated[int, Option("Maximum number of documents per topic, with --check.", min=1)]
ReceiptToWrite = Annotated[
    str | PathLike[str] | None,
    Option("File to write the receipt to.", "--receipt", metavar="FILE", typed=Path | None),
    Written(),
]


class NotTakenError(CranfieldError):
    """A run that a server did not take; `result` is what was found before it was sent."""

    def __init__(self, message: str, result: ResultInLines) -> None:
        super().__init__(message)
        self.result = result


@check_arguments
def submit(
    run: RunToSubmit,
    *,
    meta: RunMeta = None,
    to: TaskAddress = "",
    check: TopicsToCheck = None,
    documents: DocumentsToCheck = None,
    judged: JudgedEarlier = None,
    most: MostOfTopic = 1000,
    receipt: ReceiptToWrite = None,
    token: str | None = None,
    tell: Tell = give_warning,
) -> ResultInLines:
    """Submit a run to a shared task, or check it as the server would.

    Use `check` before the deadline to find errors: the command reports the first 25, each with its line. Submitting
    needs the team's token, which is the last part of its link, in CRANFIELD_TEAM_TOKEN. The exit status is 1 if the
    server does not accept the run.

    Example: cranfield submit run.gz --meta run.toml --to https://track.example.org

    Example: cranfield submit run.gz --check topics.txt

    Parameters
    ----------
    run : path
        Run file, plain or compressed.
    meta : path, optional
        TOML file with tag, priority, kind, description and the task's own fields.
    to : str
        Address of the task's server.
    check : path, optional
        Topics to check the run against. With `to`, the run is checked before it is sent.
    documents : path, optional
        Docnos of the collection, one per line, with `check`.
    judged : path, optional
        Judgments of earlier rounds, with `check`.
    most : int
        Maximum number of documents per topic, with `check`.
    receipt : path, optional
        File to write the receipt to.
    token : str, optional
        The team's token; by default CRANFIELD_TEAM_TOKEN.
    tell : function
        Function that receives each note and each error of the run. By default, each is a warning.

    Returns
    -------
    ResultInLines
        One row: the counts of the checked run, or the receipt of the submitted run.

    Raises
    ------
    CranfieldError
        If the run has errors, or the server does not accept it.

    Examples
    --------
    >>> submit("a.run")
    Traceback (most recent call last):
    cranfield.errors.ArgumentError: give to=URL, check=TOPICS, or both
    """
    if check is None and not to:
        raise ArgumentError("give --to URL, --check TOPICS, or both", "to")
    if check is None and (documents or judged):
        raise ArgumentError("needs --check TOPICS", "documents" if documents else "judged")
    checked = ResultInLines()
    if check is not None:
        found = submit_check(run, check, documents=documents, judged=judged, most=most)
        _tell_errors(run, found.errors, found.warnings, found.more, tell)
        counts = f"{counted(found.topics, 'topic')}, {counted(found.documents, 'document')}"
        row = {"tag": found.tag, "topics": found.topics, "documents": found.documents}
        checked = ResultInLines([row], lines=[f"{run}: run {found.tag}, {counts}"])
        if documents is None:
            tell("the documents were not checked against the collection; give its docnos with --documents FILE")
    if not to:
        return checked
    try:
        taken = _send_run(Path(run), None if meta is None else Path(meta), to, receipt=receipt, token=token, tell=tell)
    except CranfieldError as error:
        raise NotTakenError(str(error), checked) from error
    line = f"{run}: run {taken['tag']} accepted at {taken['received']}, receipt {taken['hash']}"
    return ResultInLines([taken], lines=[*checked.lines, line])


def _tell_errors(
    run: AnyPath, errors: Sequence[SubmissionError], warnings: Sequence[str], more: int, tell: Tell
) -> None:
    """Tell what is wrong with a run; an error if anything is."""
    for text in warnings:
        tell(f"{run}: {text}")
    for error in errors:
        same = f" (and {counted(error.lines - 1, 'other line')})" if error.lines > 1 else ""
        tell(f"{run}:{error.line}: {error._replace(line=None)}{same}" if error.line else f"{run}: {error}")
    if errors:
        others = f", {more} of them not shown" if more else ""
        number = sum(error.lines for error in errors) + more
        raise CranfieldError(f"{run}: {counted(number, 'error')}{others}; correct the file")


def _send_run(
    run: Path, meta: Path | None, url: str, *, receipt: AnyPath | None, token: str | None, tell: Tell
) -> dict[str, Any]:
    from cranfield.features.tasks.client import TOKEN, parts_of, send
    from cranfield.formats.whole_files import create_file

    require_extra("submit", "sending a run")
    if not (token := (token or os.environ.get(TOKEN, "")).strip()):
        raise InputError(f"the token is missing; set {TOKEN} to the last part of your team's link")
    parts = parts_of(run, meta)
    with create_file(Path(receipt)) if receipt else nullcontext() as file:  # before it is sent: no receipt is lost
        answer = send(parts, url, token)
        if answer.status != 201:
            from cranfield.features.tasks.checking import SubmissionError

            errors = [SubmissionError(**error) for error in answer.content.get("errors", ())]
            if answer.status == 422:
                _tell_errors(run, errors, answer.content.get("warnings", ()), answer.content.get("more", 0), tell)
            wait = f"; try again in {answer.wait} seconds" if answer.wait else ""
            reason = errors[0].found if errors else f"the server answered {answer.status}"
            raise CranfieldError(f"{run}: not accepted: {reason}{wait}")
        taken = dict(answer.content["receipt"])
        if file is not None:
            file.write((json.dumps(taken, indent=1) + "\n").encode())
    for line in answer.content["warnings"]:
        tell(line)
    return taken
