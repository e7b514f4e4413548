"""pool build, extend, show, diff, export, methods, verify."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.errors import InputError, blaming
from cranfield.cli.options import (Format, Labels, Output, PoolNumber, SourcePaths, StorePath, Teams)
from cranfield.cli.tables import TableFormat, emit, note, summary
from cranfield.store.whose import Whose

if TYPE_CHECKING:
    from cranfield.pooling.told import Made
    from cranfield.pooling.protocol import Method

app = typer.Typer(help="Choose the documents that assessors are to judge.", no_args_is_help=True, add_completion=False)


class Unit(StrEnum):
    """What a table of a pool has a row for."""

    topic = "topic"
    run = "run"
    team = "team"
    pair = "pair"


Budget = Annotated[int | None, typer.Option(min=1, help="How many documents of each topic at most.")]
Total = Annotated[int | None, typer.Option(min=1, help="How many documents of all topics together, shared out.")]
Batch = Annotated[
    int | None, typer.Option(min=1, help="Adaptive methods: how many documents of a topic wait for judgment; 10.")
]
Runs = Annotated[list[str] | None, typer.Option("--run", metavar="TAG", help="Only this run; may be repeated.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the method; `cranfield pool methods` has them."),
]


@app.command()
def build(
    path: StorePath,
    method: Annotated[str, typer.Option(help="How documents are chosen; `cranfield pool methods` has them.")] = "depth",
    depth: Annotated[int, typer.Option(min=1, help="How many documents of each run and topic are considered.")] = 100,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    seed: Annotated[int, typer.Option(help="For methods that leave something to chance.")] = 0,
    option: Options = None,
    run: Runs = None,
    per_team: Annotated[int | None, typer.Option(min=1, help="Only the first runs of each team, so many.")] = None,
) -> None:
    """Pool the runs of a store that contribute to pools, and store the pool.

    A run with a depth of its own, given at its import, is pooled to that. An adaptive method proposes documents a batch
    at a time, and goes on from the labels that are there, people's before models', until a batch waits or the budget is
    spent. Then `cranfield judge` takes the pool further, or build again, in the same words or on a larger budget, when
    some are judged. On a smaller one, or in smaller batches, another pool is made: what is pooled stays.

    Example: cranfield pool build track.db --method maxmean --batch 10
    """
    sizes = {"budget": budget, "total": total, "batch": batch}
    made = _build(path, method, depth, option or [], seed=seed, runs=run, per_team=per_team, **sizes)
    _tell(path, made)


def build_pool(path: Path, depth: int, method: str = "depth") -> str:
    """Pool the runs of a store; what came of it, in one line."""
    return _build(path, method, depth).line


def _build(path: Path, method: str, depth: int, option: list[str] | None = None, **rest: Any) -> Made:
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.told import Wanted
    from cranfield.pooling.stored import build
    from cranfield.store.store import Store

    row, options = _method(method), _options(option or [])
    try:
        row.filled(options)
        check_sizes(row, rest.get("budget"), rest.get("total"), rest.get("batch"), options)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    wanted = Wanted(method, depth, options=options, **rest)
    with Store.open(path) as store, blaming(path), store.writing():  # an open pool stays as it is meanwhile
        return build(store, wanted)


def _method(name: str) -> Method:
    from cranfield.pooling.methods.table import METHODS

    if name not in METHODS:
        raise typer.BadParameter(f"{name} is none of {', '.join(METHODS)}", param_hint="--method")
    return METHODS[name]


def _options(given: list[str]) -> dict[str, str]:
    wrong = [text for text in given if "=" not in text]
    if wrong:
        raise typer.BadParameter(f"{wrong[0]!r}, where NAME=VALUE is right", param_hint="--option")
    return dict(text.split("=", 1) for text in given)


def _tell(path: Path, made: Made) -> None:
    from cranfield.store.store import Store
    from cranfield.store.unknown import strangers_among

    docnos = sorted({document.docno for document in made.pool.documents}) if made.pool else []
    with Store.open(path) as store:
        unknown = strangers_among(store, "document", docnos, "documents of this pool")
    typer.echo(made.line)
    for text in (*made.notes, *(f"{told}; nobody can read such documents" for told in unknown)):
        note(text)


@app.command()
def extend(
    path: StorePath,
    number: PoolNumber = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Consider the runs to this depth.")] = None,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="TAG", help="Add this run; all that came since by default.")
    ] = None,
) -> None:
    """Take a pool further: with runs that came late, to a greater depth, or on a larger budget.

    Makes a new pool that holds the old one, so that nothing judged is lost. A sample takes a larger budget only: other
    runs or depths would make its probabilities wrong.

    Example: cranfield pool extend track.db --depth 20
    """
    from cranfield.pooling.stored import extend
    from cranfield.store.store import Store

    with Store.open(path) as store, blaming(path), store.writing():
        made = extend(store, number, depth, budget, total, batch, run)
    _tell(path, made)


@app.command()
def show(
    path: StorePath,
    number: PoolNumber = None,
    by: Annotated[Unit, typer.Option(help="A row for each of these.")] = Unit.topic,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show a pool: by topic its documents, how many only one run brought, how many are judged.

    By run or team: what each brought to the pool, and what it alone brought, which would be missing without it. By pair
    of runs: how sure it is by now, on the judgments so far, which has the higher mean AP to the depth considered.

    Example: cranfield pool show track.db --by team
    """
    from cranfield.store.runs import (run_info, stored_pool)
    from cranfield.store.log import counted
    from cranfield.pooling.show import by_pair, by_topic, by_unit, pairs_title, seconds_each, title
    from cranfield.pooling.verify import judged_pairs
    from cranfield.store.store import Store

    with Store.open(path) as store:
        pool, seconds, (qrels, by_model, _) = stored_pool(store, number), seconds_each(store), counted(store)
        models = judged_pairs(qrels.rows(by_model))
        head, least = title(pool, qrels, seconds, models), store.collection.min_relevant
        rows: list[Any]
        if by is Unit.pair:
            pairs = by_pair(store, pool)
            rows, head = [pair._asdict() for pair in pairs], f"{head}; {pairs_title(pairs)}"
        elif by is Unit.topic:
            rows = by_topic(pool, qrels, models)
        else:
            units = {tag: info.team if by is Unit.team else tag for tag, info in run_info(store).items()}
            rows = by_unit(pool, qrels, units, by, least)
    emit(rows, format, output, title=head)


@app.command()
def export(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write: .csv or .tsv, or either with .gz.")],
    number: PoolNumber = None,
) -> None:
    """Write a pool as a table: qid, docno, depth, runs. It is comma-separated if its name ends in .csv, else by tabs.

    Example: cranfield pool export track.db pool.tsv --pool 1

    Example: cranfield export pool track.db pool.tsv --pool 1
    """
    from cranfield.formats.pools import write_pool
    from cranfield.store.runs import stored_pool
    from cranfield.store.store import Store
    from cranfield.store.unknown import strangers_among

    with Store.open(path) as store:
        documents = stored_pool(store, number).documents
        unknown = strangers_among(store, "document", sorted({d.docno for d in documents}), "documents of this pool")
    write_pool(out, documents)
    summary(out, f"{len(documents)} documents")
    for text in unknown:
        note(text)


@app.command()
def diff(
    path: StorePath,
    one: Annotated[int, typer.Argument(metavar="A", help="The number of a pool.")],
    other: Annotated[int, typer.Argument(metavar="B", help="The number of another.")],
    labels: Labels = Whose.all,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare two pools of a store, topic by topic.

    Read the "judged" columns for what the documents that only one of them has would have cost or told.

    Example: cranfield pool diff track.db 1 2
    """
    from cranfield.store.runs import stored_pool
    from cranfield.store.log import counted
    from cranfield.pooling.show import difference
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = counted(store, whose=labels)
        rows = difference(stored_pool(store, one), stored_pool(store, other), found.qrels)
    if whose := found.said(labels):
        note(whose)
    emit(rows, format, output, title=f"pools {one} and {other}")


@app.command()
def methods(
    name: Annotated[str | None, typer.Argument(metavar="[METHOD]", help="Show this one's options.")] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """List the pooling methods, or the options of one.

    Adaptive methods look at judgments; samples know how likely each document was to be chosen, which estimators need.

    Example: cranfield pool methods maxmean
    """
    from cranfield.pooling.methods.table import METHODS

    if name is None:
        emit([row(method) for method in METHODS.values()], format, output)
    else:
        rows = [
            {"option": o.name, "default": str(o.default), "values": o.right, "what": o.about}
            for o in _method(name).options
        ]
        emit(rows, format, output, title=f"{name}: {METHODS[name].description}" + ("" if rows else "; no options"))


def row(method: Method) -> dict[str, str]:
    """A method as a row of the table."""
    kinds = [word for word, holds in (("adaptive", method.adaptive), ("sample", method.samples)) if holds]
    options = " ".join(f"{option.name}={option.default}" for option in method.options)
    kind = " ".join(kinds) or "static"
    return {
        "method": method.name,
        "kind": kind,
        "what": method.description,
        "options": options,
        "source": method.source,
    }


@app.command()
def verify(
    paths: SourcePaths,
    teams: Teams = None,
    depth: Annotated[int | None, typer.Option(min=1, help="The pool's depth; found out by default.")] = None,
    labels: Labels = Whose.all,
    pool: PoolNumber = None,
    examples: Annotated[int, typer.Option(min=0, help="How many exceptions to show of each kind.")] = 5,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Check whether the runs, pooled anew, give the judgments; find the depth and who contributed.

    On a store with a pool its runs are taken, with --teams those marked as pooled. Else contributors are found out: the
    depth is the one at which the runs without a gap explain most judgments, and these are they. A run with a gap cannot
    have been pooled; one without that brought nothing of its own stays undecided.

    Documents of one score count by docno descending, as in trec_eval. "tie rule" is how the pool itself was made, where
    that shows; on files also their order of lines and their rank column are tried, which a store does not keep.

    Example: cranfield pool verify qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.pooling.ties import tie_rule
    from cranfield.pooling.verify import summary, verify
    from cranfield.source import is_store, open_source

    source, stored = open_source(paths, teams, labels=labels, pool=pool, tell=note), is_store(paths[0])
    marked = [tag for tag, info in source.about.items() if info.pooled] if source.told else None
    pooled = marked if source.listed is None else [tag for tag in source.about if tag in source.listed]
    closure = verify(source.runs, source.qrels, pooled, depth)
    files = {} if stored else dict(zip(source.runs.tags, paths[1:], strict=True))
    ties = tie_rule(source.runs.select(closure.runs), source.qrels, closure.depth, files)
    found = [*summary(closure, examples), *ties.rows()]
    rows = [{"what": name, "found": str(value)} for name, value in found]
    emit(rows, format, output, document={**closure._asdict(), "ties": ties.to_json()})
