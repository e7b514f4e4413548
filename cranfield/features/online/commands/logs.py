"""`import log`, `measures --online`, and the names that the shell completes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import completion
from cranfield.cli.commands.imports import pairs
from cranfield.cli.completion import listed, single
from cranfield.cli.options import InputFormat, InputPaths, Printer, StorePath
from cranfield.cli.tables import note, say, say_with
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.online.analysis.log import LogImport


MOST_BOTS = 10  # that are named


def log(
    path: StorePath,
    files: InputPaths,
    *,
    format: InputFormat = "auto",
    experiment: Annotated[
        str, typer.Option(metavar="NAME", help="The experiment of lines that do not name one."), completion.EXPERIMENTS
    ] = "log",
    arms: Annotated[
        str,
        typer.Option(metavar="A,B", help="The arms of the experiment; in interleaved lists, team a is the first."),
        completion.ARMS,
    ] = "",
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="OURS=THEIRS", help="Name of a field in the files, as user=visitor; may be repeated."),
    ] = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Keep a further field, as device or price; may be repeated."),
    ] = None,
    skip: Annotated[bool, typer.Option("--skip", help="Leave out lines that cannot be used.")] = False,
    max_searches: Annotated[
        int, typer.Option(min=1, help="List users with more searches on a day: they may be programs.")
    ] = 500,
    drop_bots: Annotated[bool, typer.Option("--drop-bots", help="Leave out the lists of these users.")] = False,
    salt: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", dir_okay=False, help="Keep the salt of users in this file, made if new, not in the store."
        ),
    ] = None,
) -> None:
    """Import an interaction log: the lists that users were shown, and what they did with them.

    Detected are Cranfield's JSONL, OpenSearch UBI (queries and events given together), Yandex's RelPred, the Open
    Bandit Dataset, Google Analytics 4 as BigQuery exports it, and tables (CSV, TSV, Parquet) with a row for each
    document shown or each event: id, at, user, session, qid or query, experiment, arm, doc, position, and click,
    seconds, value, or kind. Cranfield's has one object per line, with docs, teams, propensity and actions. --attribute
    keeps a further field, for `online show --by`. Users and sessions are stored as salted hashes. A list that is in the
    log already is left as it is, so the same file can be imported again; another list under its id is refused.

    Example: cranfield import log track.db clicks.jsonl.gz --experiment "first page" --arms bm25,dense
    """
    from cranfield.features.online.analysis.log import import_log
    from cranfield.store.store import Store

    names = dict(pairs(field, "--field"))
    given = [name.strip() for name in arms.split(",") if name.strip()]
    with Store.open(path) as store:
        done = import_log(
            store,
            files,
            format=format,
            names=names,
            experiment=experiment,
            arms=given,
            skip=skip,
            max_searches=max_searches,
            drop_bots=drop_bots,
            beside=True,
            salt=salt,
            attributes=attribute or (),
        )
    for line in (*done.notes, *done.first):
        note(line)
    _tell_bots(done)
    _tell_unmatched(done)
    before = f"; {counted(done.repeated, 'list')} already in the log" if done.repeated else ""
    left = f"; {counted(sum(done.bad.values()), 'line')} left out" if done.bad else ""
    say_with(f"{counted(done.impressions, 'list')} and {counted(done.actions, 'action')} added{before}{left}", [])


def _tell_bots(done: LogImport) -> None:
    """Users who may be programs, and what became of their lists."""
    for bot in done.bots[:MOST_BOTS]:
        note(f"user {bot.user & (1 << 64) - 1:016x} searched {counted(bot.searches, 'time')} on {bot.day}")
    if done.bots:
        kept = (
            f"their {counted(done.dropped, 'list')} left out" if done.dropped else "kept; --drop-bots leaves them out"
        )
        note(f"{counted(len(done.bots), 'user')} may be programs, given their searches per day: {kept}")


def _tell_unmatched(done: LogImport) -> None:
    """How many queries are no topic's."""
    if done.unmatched:
        lists = counted(sum(query.lists for query in done.unmatched), "list")
        queries = counted(len(done.unmatched), "query that matches", "queries that match")
        note(f"{lists} of {queries} no topic; `cranfield online clicks topics` makes topics of the frequent ones")


class OnlineMeasures(NamedTuple):
    """Whether measures are those of logs."""

    online: Annotated[
        bool,
        typer.Option("--online", help="List the measures of interaction logs, which `cranfield online show` takes."),
    ] = False


def list_measures(asked: OnlineMeasures, name: str | None, printer: Printer) -> None:
    """List the measures of logs, or describe one."""
    from cranfield.features.online.measures import ONLINE_MEASURES, online_measure

    if name is not None:
        say(online_measure(name).about)
        return
    printer.emit([{"measure": str(each), "what": each.description} for each in ONLINE_MEASURES.values()])


def about(name: str) -> str:
    """What a measure of logs is about; nothing of another.

    >>> about("ctr@10").partition(",")[0], about("AP")
    ('CTR', '')
    """
    from cranfield.features.online.measures import ONLINE_MEASURES, online_measure

    return online_measure(name).about if name.partition("@")[0].lower() in map(str.lower, ONLINE_MEASURES) else ""


def completed(*_: object) -> Iterable[str]:
    """Each measure of logs, and where it takes a cutoff, with common ones."""
    from cranfield.features.online.measures import ONLINE_MEASURES

    for measure in ONLINE_MEASURES.values():
        yield measure.name
        yield from (f"{measure.name}@{cutoff}" for cutoff in (1, 5, 10) if measure.has_cutoff)


def _interleaving(*_: object) -> Iterable[str]:
    from cranfield.features.online.interleaving import METHODS

    return METHODS


def _click_models(*_: object) -> Iterable[str]:
    from cranfield.features.online.click_models import CLICK_MODELS

    return CLICK_MODELS


def _estimators(*_: object) -> Iterable[str]:
    from cranfield.features.online.counterfactual.estimators import ESTIMATORS

    return ESTIMATORS


ONLINE, ONLINE_MEASURE, INTERLEAVING = listed(completed), single(completed), single(_interleaving)
CLICK_MODELS, ESTIMATORS = listed(_click_models), listed(_estimators)
BY = single(lambda *_: ("variant", "run", "position", "query"))
PROPENSITIES = single(lambda *_: ("logged", "pbm", "swap"))
