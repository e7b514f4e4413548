"""`import log`, `measures --online`, and the names that the shell completes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import in_python
from cranfield.cli.common_options import InputPaths, StorePath
from cranfield.cli.tables import note, say_with
from cranfield.commands.measures import MeasureDescription
from cranfield.features.online.options import LogImportOptions
from cranfield.results import Result
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.log import LogImport


MOST_BOTS = 10  # that are named


@in_python("store.import_log")
def log(path: StorePath, files: InputPaths, *, options: LogImportOptions) -> None:
    """Import an interaction log: the lists that users were shown, and what they did with them.

    Detected are Cranfield's JSONL, OpenSearch UBI (queries and events given together), Yandex's RelPred, the Open
    Bandit Dataset, Google Analytics 4 as BigQuery exports it, and tables (CSV, TSV, Parquet) with a row for each
    document shown or each event: id, at, user, session, qid or query, experiment, arm, doc, position, and click,
    seconds, value, or kind. Cranfield's has one object per line, with docs, teams, propensity and actions. --attribute
    keeps a further field, for `online show --by`. Users and sessions are stored as salted hashes. A list that is in the
    log already is left as it is, but for a new --attribute, so the same file can be imported again; another list under
    its id is refused.

    Example: cranfield import log track.db clicks.jsonl.gz --experiment "first page" --arms bm25,dense

    Example: cranfield import log track.db ubi.jsonl
    """
    from cranfield.features.online.analysis.log import import_log
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        outcome = import_log(store, files, options, beside=True)
    for line in (*outcome.notes, *outcome.first):
        note(line)
    _tell_bots(outcome)
    _tell_unmatched(outcome)
    repeats = f"; {counted(outcome.repeated, 'list')} already in the log" if outcome.repeated else ""
    bad = f"; {counted(sum(outcome.bad.values()), 'line')} left out" if outcome.bad else ""
    say_with(f"{counted(outcome.impressions, 'list')} and {counted(outcome.actions, 'action')} added{repeats}{bad}", [])


def _tell_bots(outcome: LogImport) -> None:
    """Users who may be programs, and what became of their lists."""
    for bot in outcome.bots[:MOST_BOTS]:
        note(f"user {bot.user & (1 << 64) - 1:016x} searched {counted(bot.searches, 'time')} on {bot.day}")
    if outcome.bots:
        lists = (
            f"their {counted(outcome.dropped, 'list')} left out"
            if outcome.dropped
            else "kept; --drop-bots leaves them out"
        )
        note(f"{counted(len(outcome.bots), 'user')} may be programs, given their searches per day: {lists}")


def _tell_unmatched(outcome: LogImport) -> None:
    """How many queries are no topic's."""
    if outcome.unmatched:
        lists = counted(sum(query.lists for query in outcome.unmatched), "list")
        queries = counted(len(outcome.unmatched), "query that matches", "queries that match")
        note(f"{lists} of {queries} no topic; `cranfield online clicks topics` makes topics of the frequent ones")


class OnlineMeasures(NamedTuple):
    """Whether measures are those of logs."""

    online: Annotated[
        bool,
        typer.Option("--online", help="List the measures of interaction logs, which `cranfield online show` takes."),
    ] = False


def list_measures(options: OnlineMeasures, name: str | None) -> Result:
    """List the measures of logs, or describe one."""
    from cranfield.features.online.measures import ONLINE_MEASURES, online_measure

    if name is not None:
        return MeasureDescription(measure=name, about=online_measure(name).about)
    return Result([{"measure": str(each), "what": each.description} for each in ONLINE_MEASURES.values()])


def about(name: str) -> str:
    """What a measure of logs is about; nothing of another.

    >>> about("ctr@10").partition(",")[0], about("AP")
    ('CTR', '')
    """
    from cranfield.features.online.measures import ONLINE_MEASURES, online_measure

    return online_measure(name).about if name.partition("@")[0].lower() in map(str.lower, ONLINE_MEASURES) else ""
