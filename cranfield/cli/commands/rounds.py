"""`round`: open, close and list rounds; `lag`: the same systems from round to round."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.common_options import Measures, Printer, ReadStore, StorePath
from cranfield.cli.tables import SEPARATED, Display, TableFormat, note, notes, say
from cranfield.formats.text_tables import FormattedNumber
from cranfield.options import OneOf, TopicOptions
from cranfield.selection import ROUND_LABELS
from cranfield.store.reading import Reading
from cranfield.text import counted, moment

Named = Annotated[str, typer.Argument(metavar="NAME", help="The name of the round, such as 2.")]


@in_python("rounds.start")
def start(
    path: StorePath,
    name: Named,
    *,
    topics: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="Its topics: a set, or ids, one a line; by default all that have come."),
        completion.TOPIC_SETS,
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its documents, one docno a line; by default all.")
    ] = None,
    renamed: Annotated[
        Path | None,
        typer.Option(metavar="TSV", help="Documents that have another name from now on: old and new docno."),
    ] = None,
) -> None:
    """Open a round. The round before it must be closed; what came before any round is of round 1.

    Runs and judgments that come from now on are of this round, unless --round says otherwise. A renamed document keeps
    its judgments. `cranfield evaluate --round NAME` and all other analyses then leave out of the rankings what was
    judged in earlier rounds, and say how much that is.

    Example: cranfield round start track.db 2 --topics topics2.txt --renamed renamed.tsv

    Example: cranfield round start track.db 3
    """
    from cranfield.formats.round_files import docnos_in, pairs_in
    from cranfield.store.round_changes import round_rows, start_round
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import qids_of_set

    names = {} if renamed is None else pairs_in(renamed)
    docnos = None if documents is None else docnos_in(documents)
    lists = (("old name", renamed, list(names)), ("document", documents, docnos or []))
    with Store.open(path, tell=note) as store:
        numbers = [store.numbers("document", "docno", some) for _, _, some in lists]
        start_round(
            store,
            name,
            topics=None if topics is None else list(dict.fromkeys(qids_of_set(store, topics))),
            documents=docnos,
            new_names=names,
        )
        row = round_rows(store)[-1]
    for (what, file, some), present in zip(lists, numbers, strict=True):
        if unknown := [docno for docno, number in zip(some, present, strict=True) if number < 0]:
            note(f"{counted(len(unknown), what)} of {file} unknown to the store until now, first {unknown[0]!r}")
    sizes = ", ".join(counted(row[f"{what}s"], what) for what in ("topic", "document"))
    say(f"round {name}: open, with {sizes}" + (f", {row['renamed']:,} of them renamed" if row["renamed"] else ""))


@in_python("rounds.close")
def close(path: StorePath, name: Named) -> None:
    """Close a round, so that the next one can be opened. Judgments that come until then are still of it.

    Example: cranfield round close track.db 1

    Example: cranfield round close track.db 2
    """
    from cranfield.store.round_changes import close_round, line_of, round_rows
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        one = close_round(store, name)
        row = next(row for row in round_rows(store) if row["round"] == name)
    say(line_of(one, row["judgments"]))


@in_python("rounds.summarize")
def list_(path: ReadStore, *, printer: Printer, reading: Reading) -> None:
    """List the rounds, with how much each has; judgments are its own.

    JSON: [{"round", "opened", "closed", "topics", "documents", "renamed", "runs", "judgments"}].

    Example: cranfield round list track.db

    Example: cranfield round list track.db --format json
    """
    from cranfield.store.round_changes import round_rows

    with reading.store(path) as store:
        rows = round_rows(store)
    printer.emit(rows, display=Display(digits={"opened": moment, "closed": moment}, spare=("renamed",)))


@in_python("rounds.declare_same_system")
def same(
    path: StorePath,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The later run, such as 2/cuni/run1."), completion.RUNS],
    earlier: Annotated[str, typer.Argument(metavar="EARLIER", help="The run of an earlier round."), completion.RUNS],
) -> None:
    """Declare that two runs of different rounds are of one system, for `cranfield lag`.

    Runs of the same team and tag always are; of others it is never guessed.

    Example: cranfield round same track.db 2/bm25-v2 1/bm25

    Example: cranfield round same track.db 3/bm25 2/bm25-v2
    """
    from cranfield.store.round_changes import declare_same
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        declare_same(store, run, earlier)
    say(f"{run} is of the system of {earlier}")


@in_python("rounds.compare_systems")
def lag(
    path: ReadStore,
    *,
    rounds: Annotated[
        str, typer.Option(metavar="NAME,...", help="The rounds, the one to compare with first, such as 1,2.")
    ],
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="TAG", help="Only this system; may be repeated."),
        completion.RUNS,
    ] = None,
    pivot: Annotated[
        str | None,
        typer.Option(metavar="TAG", help="The system that shows what is due to topics and documents."),
        completion.RUNS,
    ] = None,
    measure: Measures = None,
    topics: TopicOptions,
    judged: Annotated[
        str | None,
        typer.Option(metavar="|".join(ROUND_LABELS), help="Which judgments count in the rounds after the first."),
        OneOf("cranfield.selection", "ROUND_LABELS"),
    ] = None,
    printer: Printer,
    reading: Reading,
) -> None:
    """Show how the same systems do from round to round: the change of their means, with 95 % intervals over topics.

    A system is in two rounds if its team and tag are, or if `cranfield round same` said so. Topics and documents differ
    between rounds, and with them every mean. A pivot, a system that has not changed itself, shows how much: dRI is how
    far the relative improvement over it has fallen since the first round, 0 if not at all; ER how much of the
    improvement is left, 1 if all. --topics common takes the topics that these rounds share.

    JSON: [{"system", "measure", "round", "topics", "first", "now", "change", "change_low", "change_high", "delta_ri",
    "delta_ri_low", "delta_ri_high", "er", "er_low", "er_high"}].

    Example: cranfield lag track.db --rounds 1,2 --pivot bm25 --topics common

    Example: cranfield lag track.db --rounds 1,2,3 --pivot bm25 -m nDCG@10
    """
    from cranfield.analysis.lag import as_rows
    from cranfield.analysis.lag import lag as lag_of
    from cranfield.metrics.notation import parse_all

    names = [name.strip() for name in rounds.split(",") if name.strip()]
    with reading.store(path) as store:
        measures = parse_all(measure or ["nDCG@10"], store.collection.min_relevant)
        rows, lines = lag_of(store, names, measures, pivot=pivot, runs=run or (), topics=topics.which, judged=judged)
    notes(lines)
    table = as_rows(rows)
    printer.emit(table if printer.format in (TableFormat.json, *SEPARATED) else [_short(row) for row in table])


def _short(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row for people: each number with its interval."""

    def with_ends(name: str) -> FormattedNumber:
        value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
        return FormattedNumber(f"{value:+.4f} [{low:+.3f} {high:+.3f}]")

    ends = {head: with_ends(name) for head, name in HEADS.items() if name in row}
    plain = {name: row[name] for name in ("system", "measure", "round", "topics", "first", "now")}
    return {**plain, **ends}


HEADS = {"change": "change", "dRI": "delta_ri", "ER": "er"}
