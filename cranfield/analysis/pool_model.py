"""The forecast's model of a source: fitted to its pooled runs, with the pool rebuilt as it was built."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.analysis.contributors import protection, with_contributors
from cranfield.analysis.missed import rebuild_pool
from cranfield.analysis.reusability import depths_of, kinds_known, pool_documents, refuse_active_learning
from cranfield.arrays.join import judge
from cranfield.arrays.rankings import Mask, Qrels, Runs
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.formats.runs.files import teams_given
from cranfield.metrics.forecast.forecaster import MIN_DEPTH, Forecaster, fit_forecaster, forecast_depth
from cranfield.metrics.forecast.pairs import joint_vocabulary, judged_pairs
from cranfield.metrics.forecast.track_record import PoolKind
from cranfield.metrics.forecast.training import Rebuild
from cranfield.metrics.reusability.results import MOST
from cranfield.parallel import progress_bar
from cranfield.source import Source, Tell


class PoolModel(NamedTuple):
    """The forecaster of a pool, how the pool was built, and how many runs are known to have been pooled."""

    forecaster: Forecaster
    kind: PoolKind
    n_pooled: int


def fit_pool_model(
    source: Source | None, runs: Runs, qrels: Qrels, *, depth: int | None, protect: str | None, tell: Tell, rel: int = 1
) -> PoolModel:
    """Fit the forecast's model to the pooled runs of a source.

    `source` has the known runs without the ones in question, and is None where there are none. `runs` has all runs,
    since a stored pool may have been built with the runs in question. `protect` is the second column of judgments that
    did not come from the pool.
    """
    if source is None:
        return PoolModel(_unfitted(runs, qrels, depth, "no pooled runs were given; expected at least 2"), "depth", 0)
    refuse_active_learning(source, depth, "what a new run would score cannot be known by leaving runs out")
    source = with_contributors(source, depth)
    who = source.contributors
    for line in who.notes if who else ():
        tell(line)
    kind: PoolKind = "budget" if source.pool is not None and depth is None else "depth"
    refusal = who.refusal if who and not (kind == "budget" and who.runs) else ""
    if who is None or refusal or not who.runs:
        reason = refusal or "no run is known to have been pooled"
        return PoolModel(_unfitted(source.runs, qrels, depth, reason), kind, 0)
    pooled = source.runs.select(who.runs)
    protected = protection(source, np.arange(len(qrels)), protect)
    depths = depths_of(source, depth) if kind == "depth" else {}
    if kind == "budget":
        deep, rebuild = forecast_depth(pooled, qrels), _stored_rebuild(source, runs, qrels, who.runs, rel)
    else:
        deep = max(depths.values())
        differ = len(set(depths.values())) > 1 or protected is not None
        rebuild = rebuild_to_depths(pooled, qrels, depths, protected) if differ else None
    with progress_bar("fitting the forecast to the pooled runs"):
        forecaster = fit_forecaster(pooled, qrels, deep, kinds=_kinds(source.about, who.runs), rebuild=rebuild, rel=rel)
    lack = who.lack or (_lack_of_judgments(source, depths, forecaster) if kind == "depth" else "")
    if lack:
        forecaster = replace(forecaster, model=None, reasons=(lack, *forecaster.reasons))
    return PoolModel(forecaster, kind, len(who.runs))


def _lack_of_judgments(source: Source, depths: Mapping[str, int], forecaster: Forecaster) -> str:
    """How much of a pool to a depth is not judged; "" where that is at most a third."""
    size = pool_documents(source, depths)
    judged = int((forecaster.pool.ranks <= forecaster.depth).any(axis=1).sum())
    return f"{size - judged} of the {size} documents in the pool are not judged" if size - judged > MOST * size else ""


def _unfitted(runs: Runs, qrels: Qrels, depth: int | None, reason: str) -> Forecaster:
    deep = depth or (forecast_depth(runs, qrels) if len(runs.tags) else MIN_DEPTH)
    return replace(fit_forecaster(runs.select([]), qrels, deep), reasons=(reason,))


def _kinds(about: Mapping[str, RunInfo], tags: Sequence[str]) -> dict[str, str]:
    """The kind of each run where kinds are known, otherwise its team where teams are."""
    if kinds_known(about, tags):
        return {tag: about[tag].kind for tag in tags}
    teams = {tag: about[tag].team for tag in tags}
    return teams if teams_given(teams) else {}


def rebuild_to_depths(runs: Runs, qrels: Qrels, depths: Mapping[str, int], protected: Mask | None = None) -> Rebuild:
    """Return the function that rebuilds a pool to which each run gave its documents to its own depth.

    Judgments in the mask `protected` come from elsewhere and stay.
    """
    docnos, (places,) = joint_vocabulary(runs.docnos, qrels.docnos)
    pairs = judged_pairs(qrels, docnos, places, 1)
    rows = pairs.rows_of(runs.whole, None, np.arange(len(runs.tags)))
    within = (rows.pair >= 0) & (rows.rank <= np.array([depths[tag] for tag in runs.tags])[rows.run])
    has = np.zeros((len(qrels), len(runs.tags)), bool)
    has[pairs.row[rows.pair[within]], rows.run[within]] = True
    stays = np.zeros(len(qrels), bool) if protected is None else protected

    def rebuild(kept: Sequence[str]) -> Mask:
        return np.asarray(has[:, [runs.tags.index(tag) for tag in kept]].any(axis=1) | stays)

    return rebuild


def _stored_rebuild(source: Source, runs: Runs, qrels: Qrels, pooled: Sequence[str], rel: int) -> Rebuild | None:
    """Rebuild a stored pool by its own method; where that cannot be done, a note says so and depth is used."""
    judged = judge(runs.select(pooled), qrels)
    try:
        again = rebuild_pool(
            runs, qrels, judged, source.stages, pooled=pooled, rel=rel, about=source.about, corpus=source.corpus
        )
    except InputError as error:
        source.tell(f"the forecast takes the pool as one to a depth: {error}")
        return None
    return again
