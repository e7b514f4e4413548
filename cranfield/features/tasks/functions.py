"""Shared tasks: described, their teams, submissions and results; and runs checked and submitted."""

from __future__ import annotations

from collections.abc import Collection
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import checked
from cranfield.errors import InputError
from cranfield.view import StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.tasks.checking import CheckedRun

AnyPath = str | PathLike[str]


@checked
def describe(store: StoreGiven, text: str) -> str:
    """Describe the task of a store by the text of a TOML file; its name.

    >>> from cranfield import Store
    >>> from cranfield.features.tasks.description import TEMPLATE
    >>> with Store.memory("My track") as store:
    ...     describe(store, TEMPLATE), len(list_submissions(store))
    ('My track', 0)
    """
    from cranfield.features.tasks.store import describe

    with store_open(store) as there:
        return describe(there, text).name


@checked
def invite(store: StoreGiven, team: str, *, contact: str = "") -> str:
    """Invite a team; its token, which is not stored."""
    from cranfield.features.tasks.store import invite_team

    with store_open(store) as there:
        return invite_team(there, team, contact)


@checked
def list_submissions(store: StoreGiven) -> DataFrame:
    """What was submitted: a row a submission, in the order in which they came, with its state."""
    import pandas as pd

    from cranfield.features.tasks.submissions import Submission, submissions

    with store_open(store) as there:
        return pd.DataFrame(submissions(there), columns=Submission._fields)


@checked
def list_results(store: StoreGiven, *, run: str = "", round: str | None = None) -> DataFrame:
    """The results of all runs by the task's measures, the best first; or those of a run by topic, by the first.

    They are those of a round by its name, or of the last that has runs.
    """
    import pandas as pd

    from cranfield.features.tasks.scoring import results_of

    with store_open(store) as there:
        results = results_of(there, round)
    return pd.DataFrame(results.by_topic(run, 0) if run else results.overview())


@checked
def write_archive(store: StoreGiven, folder: AnyPath) -> int:
    """Write the archive of a task into a new or empty folder; how many runs it has."""
    from cranfield.features.tasks.archive import write_archive

    with store_open(store) as there:
        return write_archive(there, Path(folder))


@checked
def check_receipt(receipt: AnyPath, archive: AnyPath) -> dict[str, Any]:
    """Check a receipt against an archive: what it says; an error where either was changed."""
    from cranfield.features.tasks.archive import check_receipt

    return dict(check_receipt(Path(receipt), Path(archive)).receipt)


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
