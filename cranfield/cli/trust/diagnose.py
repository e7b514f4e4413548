"""diagnose; what its JSON has is in docs/json.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import (
    Assessor,
    By,
    Format,
    Labels,
    Measures,
    Output,
    PoolDepth,
    PoolNumber,
    Protect,
    Teams,
    UnitKind,
)
from cranfield.cli.tables import TableFormat, emit, note, notes, say
from cranfield.errors import InputError
from cranfield.formats.output import write_text
from cranfield.store.whose import Whose

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Mask
    from cranfield.metrics.diagnosis.decisive import RunComparison
    from cranfield.metrics.diagnosis.diagnose import Diagnosis
    from cranfield.metrics.measure import Measure
    from cranfield.metrics.reusability.results import Reusability
    from cranfield.source import Source

DEFAULT = ["AP", "nDCG@10", "P@10", "RBP"]


def diagnose(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE... NEWRUN",
            help="A store, or a qrels file and the runs known so far; last the new run: a file, or a tag of the store.",
        ),
    ],
    measure: Measures = None,
    depth: PoolDepth = None,
    against: Annotated[
        str | None, typer.Option(metavar="TAG", help="Is it better than this run? What to judge to know.")
    ] = None,
    pool_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what to judge: a table of qid and docno.")
    ] = None,
    store_pool: Annotated[
        bool, typer.Option("--store-pool", help="Add what to judge to the store, as a pool.")
    ] = False,
    by: By = UnitKind.run,
    teams: Teams = None,
    protect: Protect = None,
    common: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QID", help="A topic on which the new run was judged to the pool's depth; may be repeated."
        ),
    ] = None,
    assessor: Assessor = None,
    labels: Labels = Whose.all,
    pool: PoolNumber = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Tell whether a collection is fair to a new system that did not help to build it.

    Read the verdict first, at the end: how much pooled runs with as many
    gaps lost when they were left out. Then the share judged by rank, and
    what the scores could become. With --against: whether judging more
    could still change who is ahead to the pool's depth, how probably, and
    the shortest list to judge that would settle it; by the first measure
    that is AP, R, P, RBP, DCG or CG.

    Bounds of a score, low and high, are exact. There are some of AP, nDCG,
    P, R, R_cap, F, SetAP, Utility, RR, Success, Rprec, RprecMult, gMAP, Q
    (with equal gains), Compat, ERR, nERR, RBP, INSQ, INST, DCG, IDCG,
    nDCGrel (with equal gains), RnDCG, binG, CG, SDCG, IPrec, AP11, YAAP,
    NumQ, NumRet, NumRel, NumRelRet and Hits.

    Example: cranfield diagnose qrels.txt runs/*.gz new.run --against bm25
    """
    from cranfield.analysis.diagnosis import opened

    if len(paths) < 2:
        raise typer.BadParameter("a store or a qrels file, and then the new run", param_hint="SOURCE... NEWRUN")
    if (pool_out or store_pool) and against is None:
        raise typer.BadParameter("--pool-out and --store-pool need --against TAG", param_hint="--against")
    _check_places(paths[0], pool_out, store_pool)
    source, whole, tag = opened(paths, teams, assessor, labels, note, pool)
    if protect is not None and protect not in whole.qrels.sources:
        raise InputError(f"no judgment has {protect!r} in the second column", paths[0])
    _check(against, tag, source)
    found = _examined(source, whole, tag, measure, depth, against, by.value, protect, common or [])
    _tell(found, format, output)
    if found.decision is not None:
        _hand_out(found.decision, paths[0], pool_out, store_pool, quiet=format is not TableFormat.table)


def _check_places(source: Path, pool_out: Path | None, stored: bool) -> None:
    """Can the list be handed out where it is to go?"""
    from cranfield.source import is_store

    if stored and not is_store(source):
        raise InputError("not a store, so that no pool can be stored in it; --pool-out FILE writes the list", source)
    if pool_out is not None and not pool_out.absolute().parent.is_dir():
        raise InputError("there is no such folder", pool_out.parent)


def _check(against: str | None, tag: str, source: Source | None) -> None:
    """Is the run to compare with another one that is there?"""
    from cranfield.analysis.diagnosis import near

    if against == tag:
        raise InputError(f"{against!r} is the new run itself, where --against takes another")
    if against is not None and (source is None or against not in source.runs.tags):
        others = near(against, source.runs.tags) if source else "none was given beside the new one"
        raise InputError(f"there is no run {against!r} to compare with; {others}")


def _examined(
    source: Source | None, whole: Source, tag: str, measure: list[str] | None, depth: int | None, against: str | None,
    by: str, protect: str | None, common: list[str],
) -> Diagnosis:  # fmt: skip
    """Leave every pooled run out, where there are any, and examine the new one."""
    from cranfield.analysis.contributors import settled
    from cranfield.metrics.diagnosis.decisive import compare_runs
    from cranfield.metrics.diagnosis.diagnose import DiagnosisInputs, diagnose
    from cranfield.metrics.diagnosis.difference import decidable_measure
    from cranfield.metrics.notation.parse import parse_all

    measures = parse_all(measure or DEFAULT, whole.min_relevant)
    source = source and settled(source, depth)
    who = source.contributors if source else None
    pooled, lack = (list(who.runs), who.refused) if who else ([], "")
    notes(who.notes if who else ())
    left, protected = _left_out(source, pooled, by, depth, measures, protect) if source and not lack else (None, None)
    if left is not None:
        depth = max(left.depth.values()) if isinstance(left.depth, Mapping) else left.depth
        lack = left.no_verdict
    new, others = whole.runs.select([tag]), whole.runs.select(pooled)
    left = None if lack else left
    case = DiagnosisInputs(new, others, whole.qrels, left, protected, depth, whole.min_relevant, tuple(common), lack)
    if against is None:
        return diagnose(case, measures)
    asked = decidable_measure(measures, depth)
    return diagnose(case, measures, compare_runs(new, whole.runs.select([against]), whole.qrels, asked, case.prior))


def _left_out(
    source: Source, pooled: list[str], by: str, depth: int | None, measures: tuple[Measure, ...], protect: str | None
) -> tuple[Reusability, Mask | None]:
    """Leave-one-out of the old collection, and which judgments are protected."""
    from cranfield.analysis.reusability import depths_of, units
    from cranfield.arrays.join import judge
    from cranfield.metrics.reusability.leave_one_out import leave_one_out

    judged = judge(source.runs.select(pooled), source.qrels)
    protected = None if protect is None else source.qrels.sources[judged.qrels_row] == protect
    members = units(source.about, pooled, by, source.runs)
    depths = depths_of(source, depth)
    return leave_one_out(judged, members, depths, measures, protected, by, rel=source.min_relevant), protected


def _tell(found: Diagnosis, format: TableFormat, output: Path | None) -> None:
    """The table of scores; on a screen the others, too, and what it all means."""
    from cranfield.metrics.diagnosis.diagnose import as_document
    from cranfield.metrics.diagnosis.presentation import (
        how_to_read,
        nearest_rows,
        profile_rows,
        score_rows,
        title,
        verdict,
    )

    whole = {**as_document(found), "verdict": verdict(found)}
    if format is not TableFormat.table or output is not None:
        emit(score_rows(found), format, output, title(found), document=whole)
        return
    say(f"{title(found)}\n")
    emit(profile_rows(found), format)
    emit(score_rows(found), format, title="\nwhat it scores, and what it could")
    for line in how_to_read(found):
        say(f"  {line}")
    if found.expected and found.gaps.unjudged:
        emit(nearest_rows(found), format, title="\nwhat pooled runs with the most similar gaps lost when left out")
    for line in verdict(found):
        say(f"\n{line}")


def _hand_out(decision: RunComparison, source: Path, pool_out: Path | None, stored: bool, quiet: bool) -> None:
    """The list as a file or as a pool of the store; what was done goes to the terminal, beside a table in a pipe."""
    from cranfield.analysis.to_judge import pool_text, store_pool

    if pool_out is not None:
        write_text(pool_out, pool_text(decision))
        typer.echo(f"{len(decision.to_judge)} documents to judge in {pool_out}", err=quiet)
    if stored:
        typer.echo(store_pool(source, decision), err=quiet)
