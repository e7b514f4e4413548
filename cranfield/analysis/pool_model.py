"""The forecast's model of a pool: which runs it was made from, how deep it is, and the model fitted to these runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.analysis.contributors import protected_judgments, with_contributors
from cranfield.analysis.missed import pool_rebuilder
from cranfield.analysis.reusability import active_learning_method_name, count_pool_documents, depths_of, has_known_kinds
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.rankings import Mask, Qrels, Runs
from cranfield.contributors import join_first_few
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.formats.runs.files import has_named_teams
from cranfield.metrics.evaluate import mean, score
from cranfield.metrics.forecast.forecaster import (
    MIN_DEPTH,
    NO_POOLED_RUNS,
    PAIRS_NOT_TESTED,
    Forecaster,
    fit_forecaster,
    infer_forecast_depth,
)
from cranfield.metrics.forecast.pairs import joint_vocabulary, judged_pairs
from cranfield.metrics.forecast.track_record import PoolKind
from cranfield.metrics.forecast.training import Rebuild
from cranfield.metrics.measures.counts import JUDGED
from cranfield.metrics.reusability.results import MOST
from cranfield.parallel import progress_bar
from cranfield.pooling.infer import MAX_JUDGED_BELOW, infer_pool, judged_share_below, max_pool_depths_by_block
from cranfield.text import counted
from cranfield.view import View, view_of_runs

MAX_UNJUDGED = 0.1  # unjudged share of a pooled run's first documents, above which a note names the run


class KnownPool(NamedTuple):
    """The runs that a pool was made from and its depth, or the reason why no model can be fitted to it.

    Parameters
    ----------
    view : View or None
        The pooled runs with the judgments and the contributors; None where no runs are known.
    kind : {"depth", "budget"}
        Whether the pool was built to a depth or by another method.
    depth : int or None
        The depth d; None where no run is known to have been pooled.
    depths : mapping
        Of a depth pool, the depth of each pooled run.
    reason : str
        Why there can be no model; empty where there may be one.
    notes : sequence of str
        A line on runs that are stated to be pooled but have many unjudged documents, if there are any.
    """

    view: View | None
    kind: PoolKind = "depth"
    depth: int | None = None
    depths: Mapping[str, int] = {}
    reason: str = ""
    notes: Sequence[str] = ()

    @property
    def tags(self) -> tuple[str, ...]:
        """The pooled runs; empty where none can be used."""
        who = self.view.contributors if self.view else None
        return () if self.reason or who is None else who.runs


class PoolModel(NamedTuple):
    """The forecaster of a pool, how the pool was built, and how many runs are known to have been pooled."""

    forecaster: Forecaster
    kind: PoolKind
    n_pooled: int


def forecaster_of_differences(forecaster: Forecaster, kind: PoolKind) -> Forecaster:
    """Return the forecaster that decides differences, without its model where the rule for them was not tested."""
    if kind == "depth" or forecaster.model is None:
        return forecaster
    return replace(forecaster, model=None, reasons=(PAIRS_NOT_TESTED,))


def find_pool(view: View | None, depth: int | None = None) -> KnownPool:
    """Find which runs of a view were pooled, and how deep.

    A stored pool says so itself. Of runs that are stated to be pooled, the depth is inferred from the judgments; where
    no depth explains most of them, or most documents directly below it are judged as well, the pool is taken as one
    of another method. Otherwise the judgments show which runs
    were pooled to which depth.

    Parameters
    ----------
    view : View or None
        The known runs with the judgments, without runs that are known not to be pooled.
    depth : int, optional
        The depth to which the pool is taken to be built.

    Returns
    -------
    KnownPool
        The pool.
    """
    if view is None:
        return KnownPool(None, reason=NO_POOLED_RUNS)
    method = active_learning_method_name(view) if depth is None else ""
    if method:
        number = view.pool_stages[-1].pool.number
        return KnownPool(view, reason=f"pool {number} was built by {method}, which chooses from the whole corpus")
    view = with_contributors(view, depth)
    who = view.contributors
    kind: PoolKind = "budget" if view.pool is not None and depth is None else "depth"
    refusal = who.refusal if who and not (kind == "budget" and who.runs) else ""
    if who is None or refusal or not who.runs:
        return KnownPool(view, kind, reason=refusal or "no run is known to have been pooled")
    pooled = view.runs.loaded.select(who.runs)
    if who.known_by == "teams" and depth is None and not any(view.run_info[tag].depth for tag in who.runs):
        stated = view.replace_runs(pooled, {tag: view.run_info[tag] for tag in who.runs})
        found = infer_pool(pooled, stated.judged, None, max_pool_depths_by_block(pooled, stated.blocks, view.qrels))
        goes_on = judged_share_below(stated.judged, found.runs, found.depth) >= MAX_JUDGED_BELOW
        if 2 * int(found.runs.sum()) > len(who.runs) and found.depth > 0 and not goes_on:
            depths = dict.fromkeys(who.runs, found.depth)
            return KnownPool(view, "depth", found.depth, depths, notes=_notes_on_unpooled(pooled, view, found.depth))
        kind = "budget"
    if kind == "budget":
        return KnownPool(view, kind, infer_forecast_depth(pooled, view.qrels))
    depths = depths_of(view, depth)
    return KnownPool(view, kind, max(depths.values()), depths)


def _notes_on_unpooled(pooled: Runs, view: View, depth: int) -> list[str]:
    shares = unjudged_shares(pooled, view.qrels, depth)
    names = [f"{tag} ({share:.0%})" for tag, share in shares.items() if share > MAX_UNJUDGED]
    if not names:
        return []
    have, them = ("has", "it") if len(names) == 1 else ("have", "them")
    return [
        f"{len(names)} of {counted(len(shares), 'run')} named as pooled {have} unjudged documents within depth {depth}:"
        f" {join_first_few(names)}. The model is also fitted to {them}, so name only runs that were pooled"
    ]


def unjudged_shares(runs: Runs, qrels: Qrels, depth: int) -> Mapping[str, float]:
    """Return the unjudged share of each run's first documents, as a mean over topics."""
    shares = score(join_runs_and_qrels(runs, qrels), [JUDGED.set(cutoff=depth)])[..., 0]
    return dict(zip(runs.tags, (1 - mean(np.nan_to_num(shares, nan=1.0))).tolist(), strict=True))


def find_pool_of_runs(runs: Runs, qrels: Qrels, rel: int = 1) -> KnownPool:
    """Find the depth of a pool that is stated to be made from these runs."""
    about = {tag: RunInfo(team=tag) for tag in runs.tags}
    return find_pool(view_of_runs(runs, qrels, about, rel, states_pooled=True))


def fit_pool_model(pool: KnownPool, runs: Runs, qrels: Qrels, *, rel: int, protect: str | None = None) -> PoolModel:
    """Fit the forecast's model to the runs of a pool.

    Parameters
    ----------
    pool : KnownPool
        The pool.
    runs : Runs
        All runs, since a stored pool may have been built with the runs in question.
    qrels : Qrels
        The judgments, those of the pool's view.
    rel : int
        The lowest relevant grade.
    protect : str, optional
        The second column of judgments that did not come from the pool.

    Returns
    -------
    PoolModel
        The model; its forecaster has the reasons where none can be fitted.
    """
    view = pool.view
    if view is None or pool.reason:
        known = runs if view is None else view.runs.loaded
        deep = pool.depth or (infer_forecast_depth(known, qrels) if len(known.tags) else MIN_DEPTH)
        forecaster = fit_forecaster(runs.select([]), qrels, deep, rel=rel)
        return PoolModel(replace(forecaster, reasons=(pool.reason,)), pool.kind, 0)
    pooled, deep = view.runs.loaded.select(pool.tags), pool.depth or MIN_DEPTH
    protected = protected_judgments(view, np.arange(len(qrels)), protect)
    rebuild: Rebuild | None = None
    if view.pool_stages and pool.kind == "budget":
        rebuild = _stored_rebuild(view, runs, qrels, pool.tags, rel)
    elif len(set(pool.depths.values())) > 1 or protected is not None:
        depths = pool.depths or dict.fromkeys(pool.tags, deep)
        rebuild = rebuild_to_depths(pooled, qrels, depths, protected)
    with progress_bar("fitting the forecast to the pooled runs"):
        forecaster = fit_forecaster(
            pooled, qrels, deep, kinds=_kinds(view.run_info, pool.tags), rebuild=rebuild, rel=rel
        )
    lack = _explain_missing_judgments(pool, view, forecaster) if pool.kind == "depth" else ""
    if lack:
        forecaster = replace(forecaster, model=None, reasons=(lack, *forecaster.reasons))
    return PoolModel(forecaster, pool.kind, len(pool.tags))


def _explain_missing_judgments(pool: KnownPool, view: View, forecaster: Forecaster) -> str:
    """How much of a pool to a depth is not judged; "" where that is at most a third."""
    if view.contributors and view.contributors.lack:
        return view.contributors.lack
    size = count_pool_documents(view, pool.depths)
    judged = int((forecaster.pool.ranks <= forecaster.depth).any(axis=1).sum())
    if size - judged <= MOST * size:
        return ""
    return f"{size - judged:,} of the {size:,} documents in the pool are not judged"


def _kinds(about: Mapping[str, RunInfo], tags: Sequence[str]) -> dict[str, str]:
    """The kind of each run where kinds are known, otherwise its team where teams are."""
    if has_known_kinds(about, tags):
        return {tag: about[tag].kind for tag in tags}
    teams = {tag: about[tag].team for tag in tags}
    return teams if has_named_teams(teams) else {}


def rebuild_to_depths(runs: Runs, qrels: Qrels, depths: Mapping[str, int], protected: Mask | None = None) -> Rebuild:
    """Return the function that rebuilds a pool to which each run gave its documents to its own depth.

    Judgments in the mask `protected` come from elsewhere and stay.
    """
    docnos, (places,) = joint_vocabulary(runs.docnos, qrels.docnos)
    pairs = judged_pairs(qrels, docnos, places, 1)
    rows = pairs.rows_of(runs.loaded, None, np.arange(len(runs.tags)))
    within = (rows.pair >= 0) & (rows.rank <= np.array([depths[tag] for tag in runs.tags])[rows.run])
    has = np.zeros((len(qrels), len(runs.tags)), bool)
    has[pairs.row[rows.pair[within]], rows.run[within]] = True
    stays = np.zeros(len(qrels), bool) if protected is None else protected

    def rebuild(kept: Sequence[str]) -> Mask:
        return np.asarray(has[:, [runs.tags.index(tag) for tag in kept]].any(axis=1) | stays)

    return rebuild


def _stored_rebuild(view: View, runs: Runs, qrels: Qrels, pooled: Sequence[str], rel: int) -> Rebuild | None:
    """Rebuild a stored pool by its own method; where that cannot be done, a note says so and depth is used."""
    judged = join_runs_and_qrels(runs.select(pooled), qrels)
    try:
        again = pool_rebuilder(
            runs,
            qrels,
            judged,
            view.pool_stages,
            pooled=pooled,
            rel=rel,
            about=view.run_info,
            corpus=view.corpus,
            left_out=view.left_out,
        )
    except InputError as error:
        view.tell(f"the forecast assumes a pool with a fixed depth: {error}")
        return None
    return again
