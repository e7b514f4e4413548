"""Reusability of a view: which units to leave out, how deep they were pooled, and the findings as tables."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield.analysis.contributors import NOBODY, add_judged_share_below_depth, protected_judgments, with_contributors
from cranfield.analysis.missed import CORPUS_REASON, DRAWS, losses_with_missed, repool_without_units, why_unknown
from cranfield.analysis.random_draws import DRAW_SIZE
from cranfield.analysis.verdict import Verdict, verdict, worst_measure
from cranfield.arrays import WhichTopics
from cranfield.arrays.rankings import Mask, is_judged
from cranfield.arrays.selection import topics_answered_by_run
from cranfield.call_view import note_on_highest_grade
from cranfield.contributors import Contributors
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.formats.runs.files import has_named_teams
from cranfield.metrics.forecast.next_system import LossBound, left_out_losses, loss_bounds
from cranfield.metrics.forecast.track_record import find_bound_records
from cranfield.metrics.forecast.training import make_splits
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.leave_one_out import leave_one_out, pool_overlap, score_without
from cranfield.metrics.reusability.near_duplicates import cluster_near_duplicates
from cranfield.metrics.reusability.results import Imputation, Reusability, UnitResult, UntestedUnit
from cranfield.options.trusting import MEASURES
from cranfield.parallel import progress_bar
from cranfield.pooling.infer import max_pool_depths_by_block
from cranfield.pooling.methods import METHODS
from cranfield.pooling.verify import count_pool_gaps, depth_of_pool, pool_size
from cranfield.source import Tell, silent
from cranfield.store.pools import IMPORTED, Pool
from cranfield.store.runs import note_query_variations
from cranfield.text import counted
from cranfield.view import Measures, View


class ReusabilitySetting(NamedTuple):
    """What is left out of which pool, and by which measures and on which topics that is scored."""

    by: str | None = None
    depth: int | None = None
    measures: Measures = MEASURES
    protect: str | None = None
    relevant_only: bool = False
    which: WhichTopics = WhichTopics.all


class LeaveOut(NamedTuple):
    """What is left out in turn, the runs of each unit; how that is scored, and which judgments stay whatever is."""

    by: str
    units: Mapping[str, Sequence[str]]
    measures: Sequence[Measure]
    protected: Mask | None = None
    relevant_only: bool = False


def reusability_verdict(
    view: View,
    by: str | None,
    depth: int | None,
    measures: Sequence[Measure],
    *,
    protect: str | None = None,
    relevant_only: bool = False,
) -> Verdict:
    """Leave every unit out of the pool of a view in turn, and every kind of run where the kinds are known.

    Late runs, and others that were not pooled, are scored but never left out (see contributors.py). `by` is run, team,
    kind or cluster; None is team where teams are known, otherwise cluster. `depth` None is the stored pool's or, on
    plain files, what `pool verify` infers; a stored pool of another method is rebuilt without each unit. `protect` is
    the second column of judgments that did not come from these runs.
    """
    refuse_imported_sample(view.pool)
    refuse_active_learning(view, depth, "a leave-one-out test cannot show what a run outside the pool would lose")
    unit = by or default_unit(view.run_info)
    note_single_run_units(view, unit)
    view = with_contributors(view, depth)
    who = require_contributors(view)
    protected = protected_judgments(view, view.blocks.bare.qrels_row, protect)
    repooled = view.pool is not None and depth is None
    if view.pool is not None and repooled:
        _check_topics(view, view.pool)
    elif view.pool_runs is None and who.gaps is None:
        depths = depths_of(view, depth)
        far = max_pool_depths_by_block(view.runs, view.blocks, view.qrels, max(depths.values(), default=0))
        who = who._replace(gaps=count_pool_gaps(view.judged, who.runs, far, depths))
        who = add_judged_share_below_depth(who, view, depth_of(view, depth)) if depth is None else who

    def leave_out(by: str, without: Collection[str] = ()) -> Reusability:
        groups = drop_runs_from_units(units_of(view, who.runs, by, depth), without)
        setting = LeaveOut(by, groups, measures, protected, relevant_only)
        return _losses_by_repooling(view, setting) if repooled else _leave_out_to_depth(view, depth, setting)

    def set_aside(left_out: Reusability) -> Reusability:
        return left_out if repooled or relevant_only else set_unjudged_units_aside(view, left_out)

    left_out = set_aside(_withhold_verdict(leave_out(unit), who, view))
    deep = left_out.depth if isinstance(left_out.depth, int) and not repooled else None
    return verdict(
        left_out,
        view.blocks,
        rel=view.min_relevant,
        who=who,
        least=set_aside(leave_out(unit, who.spare)) if who.spare and not repooled else None,
        partial_answers=view.partial_answers,
        kinds=set_aside(_withhold_verdict(leave_out("kind"), who, view))
        if has_known_kinds(view.run_info, who.runs)
        else None,
        bounds=() if left_out.no_verdict or deep is None else next_system_bounds(view, left_out, deep),
    )


MAX_UNJUDGED_SHARE = 1 / 3  # of a unit's pooled documents; a verdict needs two thirds of the pool judged, too


def set_unjudged_units_aside(view: View, left_out: Reusability) -> Reusability:
    """Move units to `untested` that have too many unjudged documents in the pool: more than a third of theirs.

    An unjudged document counts as not relevant with the unit and without it, so such a unit seems to lose nothing.
    """
    judged, depth = view.judged, left_out.depth
    deep = np.array([depth.get(tag, 0) if isinstance(depth, Mapping) else depth for tag in judged.tags])
    due = np.minimum(judged.retrieved, np.repeat(deep, len(judged.qids)))
    is_pooled = (judged.rank <= due[judged.ranking]) & is_judged(judged.qrels_grade[judged.judgment])
    labelled = np.bincount(judged.ranking[is_pooled], minlength=len(due))
    pooled_by_run, unjudged_by_run = (
        dict(zip(judged.tags, counts.reshape(judged.shape).sum(axis=1).tolist(), strict=True))
        for counts in (due, due - labelled)
    )
    tested, untested = list[UnitResult](), list[UntestedUnit]()
    for unit in left_out.units:
        pooled, unjudged = (sum(counts[tag] for tag in unit.runs) for counts in (pooled_by_run, unjudged_by_run))
        if unjudged > max(unit.unique, MAX_UNJUDGED_SHARE * pooled):
            untested.append(UntestedUnit(unit, unjudged, pooled))
        else:
            tested.append(unit)
    return replace(left_out, units=tuple(tested), untested=tuple(untested)) if len(tested) > 1 else left_out


def next_system_bounds(view: View, left_out: Reusability, depth: int) -> list[LossBound]:
    """Bound what a system outside the pool could lose by its unjudged share.

    The measure is the one that changes most of those whose bounds held often enough in tests. A measure whose bounds
    did not, or were not tested, has no bound.

    Parameters
    ----------
    view : View
        The runs and the judgments.
    left_out : Reusability
        The leave-one-out of a depth pool.
    depth : int
        The pool depth of all pooled runs.

    Returns
    -------
    list of LossBound
        One for each band of the unjudged share, from few unjudged documents to many.
    """
    pooled = [tag for unit in left_out.units for tag in unit.runs]
    groups = {tag: view.run_info[tag].team for tag in pooled}
    if not has_named_teams(groups):
        groups = {tag: view.run_info[tag].kind for tag in pooled}
    rel = view.min_relevant
    judged = view.judged.select_runs(np.flatnonzero(np.isin(np.array(view.judged.tags, object), pooled)))
    splits = [*make_splits(sorted(judged.tags), groups, np.random.default_rng(0))] if len(pooled) > 1 else []
    kept = [measure for measure in left_out.measures if has_bound(measure, depth)]
    measure = worst_measure(replace(left_out, measures=tuple(kept))) if kept else worst_measure(left_out)
    bounds = loss_bounds(left_out_losses(judged, depth, splits, parse_measures([measure], rel)))
    return bounds if kept else [replace(bound, bound=None) for bound in bounds]


def has_bound(measure: str, depth: int) -> bool:
    """Whether bounds for the next system held often enough by a measure on pools to about this depth."""
    records = find_bound_records(measure, depth)
    return records is not None and records.is_kept


UNKNOWN_KIND = RunInfo("").kind  # of a run whose kind nobody stated


def default_unit(about: Mapping[str, RunInfo]) -> str:
    """The unit that is left out: the team where teams are known, otherwise the cluster of near-duplicates."""
    return "team" if has_named_teams({tag: info.team for tag, info in about.items()}) else "cluster"


def has_known_kinds(about: Mapping[str, RunInfo], tags: Sequence[str]) -> bool:
    """Whether somebody stated of which kinds these runs are."""
    return any(about[tag].kind != UNKNOWN_KIND for tag in tags)


def units_of(view: View, tags: Sequence[str], by: str, depth: int | None) -> dict[str, list[str]]:
    """The pooled runs by unit; clusters are of near-duplicates within the pool's depth."""
    if by == "cluster":
        deepest = max(depths_of(view, considered_depth(view, depth)).values(), default=1)
        return cluster_near_duplicates(view.runs.select(tags), deepest)
    return group_runs_by_unit(view.run_info, tags, by)


def considered_depth(view: View, depth: int | None) -> int | None:
    """The depth to which a pool that is not a depth pool looked into its runs; otherwise `depth`."""
    if depth is None and view.pool is not None and not is_depth_pool(view, None):
        parameters = view.pool.parameters
        return int(parameters.get("depth") or parameters.get("considered") or 100)
    return depth


def verdict_of(view: View, setting: ReusabilitySetting, path: Path | None = None, tell: Tell = silent) -> Verdict:
    """The verdict on a view; `path` is the file of its judgments."""
    require_protected_judgments(view, setting.protect, path)
    view = view.select_topics_and_tell(setting.which)
    measures = parse_measures(setting.measures, view.min_relevant)
    if line := note_on_highest_grade(view.qrels, measures, view.grade_scale):
        tell(line)
    return reusability_verdict(
        view, setting.by, setting.depth, measures, protect=setting.protect, relevant_only=setting.relevant_only
    )


def require_protected_judgments(view: View, protect: str | None, path: Path | None = None) -> None:
    """Raise InputError if no judgment has this mark in the second column of the qrels, unless it is None."""
    if protect is not None and protect not in view.qrels.sources:
        raise InputError(f"{protect!r} does not occur in the second column of the qrels", path)


def refuse_imported_sample(pool: Pool | None) -> None:
    """Raise an error for a pool imported as the judgments of a sample."""
    if pool and pool.method == IMPORTED:
        unknown = "the runs behind the sample are unknown, so no run can be left out"
        raise InputError(f"pool {pool.number} was imported with sampled judgments: {unknown}")


def active_learning_method_name(view: View) -> str:
    """The method of active learning that chose documents of the pool from the whole corpus; empty if none did."""
    methods = [METHODS[stage.pool.method] for stage in view.pool_stages if stage.pool.method in METHODS]
    return next((method.name for method in reversed(methods) if method.corpus), "")


def refuse_active_learning(view: View, depth: int | None, unknown: str) -> None:
    """Raise InputError if active learning chose the pool's documents, unless `depth` takes it as a depth pool.

    `unknown` says what cannot be known of such a pool; the message names the draw that says what can.
    """
    method = "" if depth is not None else active_learning_method_name(view)
    if method:
        how = f"pool {view.pool_stages[-1].pool.number} was built by {method}, which chooses from the whole corpus"
        raise InputError(f"{how}: {unknown}; {_remedy(view)}")


def refuse_other_than_depth(view: View, depth: int | None) -> None:
    """Raise InputError if the stored pool is not a depth pool, unless `depth` says to take it as one."""
    if not is_depth_pool(view, depth):
        how = describe_pool_without_depth(view.pool.method if view.pool else "another method")
        raise InputError(f"the pool was built {how}; {_remedy(view)}")


def _remedy(view: View) -> str:
    draw = f"`cranfield pool forecast {view.store_path or 'STORE'} --draw {DRAW_SIZE} draw.tsv --store-pool`"
    return (
        f"estimate the missing relevant documents from a random draw with {draw}, or treat the pool as a depth-K pool"
        " with --depth K"
    )


def is_answered_by_draw(view: View, depth: int | None) -> bool:
    """Whether only a random draw says what the pool lacks: it is not a depth pool, and not taken as one by `depth`."""
    return depth is None and (bool(active_learning_method_name(view)) or not is_depth_pool(view, depth))


def is_depth_pool(view: View, depth: int | None) -> bool:
    """Whether the pool is a depth pool, or `depth` says to take it as one."""
    return depth is not None or view.pool_depth is not None or view.pool is None


def _check_topics(view: View, pool: Pool) -> None:
    """Refuse to rebuild a pool for some of its topics: it was built, and may have shared a budget, for all of them."""
    if len(view.blocks.qids) < len(view.answered.qids):
        how = f"pool {pool.number} was built by {pool.method} for all topics, and can only be rebuilt for all topics"
        raise InputError(f"{how}; leave out --topics common, or treat the pool as a depth-K pool with --depth K")


def _leave_out_to_depth(view: View, depth: int | None, leave_out: LeaveOut) -> Reusability:
    """Leave-one-out of a pool that holds all that its runs have to a depth, or each to a depth of its own."""
    depths, rel = depths_of(view, depth), view.min_relevant
    size = count_pool_documents(view, depths)
    own_size = sum(view.pool_sizes.values()) if view.pool_sizes and depth is None else size
    if view.pool_lost_documents and own_size < size:
        what = counted(size - own_size, "document is", "documents are")
        view.tell(f"{what} now within depth {view.pool_depth} because of withdrawals, and treated as pooled")
    elif own_size != size:
        raise InputError(
            f"pool {view.pool_number} contains {own_size} documents, but its runs retrieved {size} documents to depth"
            f" {view.pool_depth}, so no run can be left out"
        )
    deep = depths if len(set(depths.values())) > 1 else max(depths.values())
    by, groups, measures, protected, relevant_only = leave_out
    left_out = leave_one_out(
        view.blocks,
        groups,
        deep,
        measures=measures,
        protected=protected,
        by=by,
        pool_documents=size,
        rel=rel,
        relevant_only=relevant_only,
    )
    if not left_out.pool.judged:
        raise InputError(f"the pool is unjudged: none of its {size} documents has a label")
    return left_out


def _withhold_verdict(left_out: Reusability, who: Contributors, view: View) -> Reusability:
    """The findings, without a verdict where only one unit was pooled, or many topics were judged otherwise.

    Nor is there one where only one unit answered some topics.
    """
    if left_out.pool.lack:
        lack = ""
    else:
        lack = explain_missing_units(left_out.by, [unit.unit for unit in left_out.units])
        lack = lack or who.lack or _describe_topics_answered_alone(left_out, view)
    return replace(left_out, refusal=left_out.refusal or lack)


def explain_missing_units(by: str, units: Sequence[str]) -> str:
    """Why nothing can be left out; empty if there are two units or more."""
    return f"no {by} except {units[0]} was pooled, so the pool would be empty without it" if len(units) == 1 else ""


def _describe_topics_answered_alone(left_out: Reusability, view: View) -> str:
    """Which unit alone answered topics, and how many; nothing where each topic was answered by others, too."""
    tags, _, answered, *_ = topics_answered_by_run(view.blocks)
    unit_topics = {
        unit.unit: answered[np.isin(tags, [change.run for change in unit.changes])] for unit in left_out.units
    }
    many = sum(rows.any(axis=0).astype(int) for rows in unit_topics.values())
    alone = {unit: int((rows.any(axis=0) & (many == 1)).sum()) for unit, rows in unit_topics.items()}
    unit = max(alone, key=alone.__getitem__)
    if not alone[unit]:
        return ""
    were, its = ("was", "its pool") if alone[unit] == 1 else ("were", "their pools")
    topics = f"{alone[unit]} of {counted(left_out.topics, 'topic')} {were} answered by {unit} only"
    return f"{topics}, so {its} would be empty without this {left_out.by}"


def count_pool_documents(view: View, depths: Mapping[str, int]) -> int:
    """How many documents these runs give to their depths, and a stored pool has in topics without a judgment."""
    qids = set(view.qrels.qids)
    waiting = sum(size for qid, size in view.pool_sizes.items() if qid not in qids)
    return waiting + pool_size(view.runs, view.blocks, view.qrels, depths)


def require_contributors(view: View) -> Contributors:
    """The runs that the pool was built from; an error where none is known."""
    who = with_contributors(view).contributors or Contributors((), "", refusal=NOBODY)
    who.check()
    return who


def drop_runs_from_units(groups: Mapping[str, Sequence[str]], tags: Collection[str]) -> dict[str, list[str]]:
    """The units without some runs; a unit of nothing else is gone.

    >>> drop_runs_from_units({"x": ["a", "b"], "y": ["c"]}, ["b", "c"])
    {'x': ['a']}
    """
    rest = {unit: [tag for tag in runs if tag not in tags] for unit, runs in groups.items()}
    return {unit: runs for unit, runs in rest.items() if runs}


def depths_of(view: View, depth: int | None) -> dict[str, int]:
    """How deep each contributing run was pooled: to its own depth where it has one, else to that of the pool."""
    pooled, deep = require_contributors(view).runs, depth_of(view, depth)
    return {tag: view.run_info[tag].depth or deep for tag in pooled}


def depth_of(view: View, depth: int | None) -> int:
    """The depth of the pool: the one asked for, the stored one's, or that below which unjudged documents begin."""
    who = require_contributors(view)
    if depth or view.pool_depth or who.depth:
        return depth or view.pool_depth or who.depth or 0
    pool_depth = depth_of_pool(view.judged, who.runs)
    if view.pool:
        about = f"pool {view.pool.number} was built {describe_pool_without_depth(view.pool.method)}"
        view.tell(f"{about}; unjudged documents begin below {pool_depth}; --depth sets another")
    return pool_depth


def describe_pool_without_depth(method: str) -> str:
    """How a pool was built that is of no one depth; one by depth holds another that is deeper."""
    return "to several depths" if method == "depth" else f"by {method}, not to a fixed depth"


def _losses_by_repooling(view: View, leave_out: LeaveOut) -> Reusability:
    """Leave-one-out where the pool is not of depth k: it is rebuilt without each unit."""
    by, groups, measures, protected, relevant_only = leave_out
    pool, judged, rel = view.pool_stages[-1].pool, view.judged, view.min_relevant
    with progress_bar(f"rebuilding the pool without each {by}", len(groups)) as advance:
        again = repool_without_units(
            view.runs,
            view.qrels,
            judged,
            view.pool_stages,
            groups,
            rel=rel,
            about=view.run_info,
            corpus=view.corpus,
            left_out=view.left_out,
            progress=advance,
        )
    stays = np.zeros(len(judged.qrels_grade), bool) if protected is None else protected
    if relevant_only:
        stays = stays | (judged.qrels_grade < rel)
    by_measure, why = dict[str, Imputation](), why_unknown(view.qrels, rel) if any(again.missed) else ""
    if any(again.missed) and again.is_of_corpus:
        why = CORPUS_REASON
    if any(again.missed) and not why:
        with progress_bar("drawing grades for missed documents", DRAWS) as advance:
            results, by_measure = losses_with_missed(
                view.runs, view.qrels, judged, again=again, units=groups, measures=measures, protected=stays,
                rel=rel, progress=advance,
            )  # fmt: skip
    else:
        results = score_without(view.blocks, groups, [loss & ~stays for loss in again.losses], measures, rel)
    result = tuple(replace(unit, missed=number) for unit, number in zip(results, again.missed, strict=True))
    inside = pool_overlap(judged, again.pooled, len(pool.documents), protected, view.min_relevant)
    inside = replace(inside, to_come=view.n_documents_to_come)
    depth = pool.parameters.get("depth") or pool.parameters.get("considered") or 0
    names, draws = tuple(map(str, measures)), DRAWS if by_measure else 0
    return Reusability(
        by,
        depth,
        len(judged.qids),
        pool=inside,
        measures=names,
        units=result,
        refusal="",
        method=pool.method,
        draws=draws,
        mean_changes=by_measure,
        not_drawn=why,
    )


def note_single_run_units(view: View, by: str) -> None:
    """Tell that runs count one by one that answer variations of queries, or whose teams are asked for and not known."""
    if by == "run":
        note_query_variations(view.run_info, view.tell)
    if by == "team" and not has_named_teams({tag: info.team for tag, info in view.run_info.items()}):
        view.tell("the teams behind these runs are unknown, so each run counts as a team; state the teams with --teams")
    if by == "kind" and not has_known_kinds(view.run_info, view.runs.tags):
        view.tell("the kinds of these runs are unknown, so all runs count as one kind; state the kinds with --teams")


def group_runs_by_unit(about: Mapping[str, RunInfo], pooled: Sequence[str], by: str) -> dict[str, list[str]]:
    """The pooled runs by run, team or kind.

    >>> group_runs_by_unit({"a": RunInfo("x"), "b": RunInfo("x"), "c": RunInfo("y")}, ["a", "b", "c"], "team")
    {'x': ['a', 'b'], 'y': ['c']}
    """
    members: dict[str, list[str]] = {}
    for tag in pooled:
        members.setdefault({"run": tag, "team": about[tag].team, "kind": about[tag].kind}[by], []).append(tag)
    return members
