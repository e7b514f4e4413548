"""Pools: one of a store to build or grow; a view's verified, simulated, replayed in a rehearsal, or fused."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.reusability import depth_of, group_runs_by_unit, note_single_run_units, require_contributors
from cranfield.arrays.judged import Judged, respelled_notes
from cranfield.arrays.rankings import Runs, occurring_codes
from cranfield.arrays.selection import join_first_names
from cranfield.call_view import CallView
from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_runs
from cranfield.formats.files import fail_on_notes
from cranfield.judging.labels.choice import (
    choose_labels,
    decided_labels,
    labellers_line,
    labels_by_recorded_choice,
    note_labellers,
)
from cranfield.judging.labels.policies import find_policy
from cranfield.judging.planning.forecast import forecast_pool
from cranfield.judging.planning.rehearsal import Rehearsal, RehearsalSetting, rehearse
from cranfield.judging.planning.rehearsal import as_document as rehearsal_document
from cranfield.judging.planning.rehearsal import assessor_named as simulated_assessor
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.parallel import Tell, ignore_note, progress_bar
from cranfield.pooling.estimate import JudgedSample
from cranfield.pooling.methods import method_named
from cranfield.pooling.replay import Trial
from cranfield.pooling.simulate import Simulation, simulate, sort_budgets
from cranfield.pooling.stored.contents import (
    contribution_by_topic,
    contribution_by_unit,
    pair_certainty,
    pairs_title,
    pool_difference_by_topic,
    title,
)
from cranfield.pooling.stored.growth import PlannedPool, extend, plan_pool, store_planned_pool
from cranfield.pooling.stored.request import PoolRequest, PoolResult
from cranfield.pooling.verify import Closure, TieRule, judged_pairs, pooled_pairs, tie_rule, verify
from cranfield.selection import Labellers
from cranfield.store.labels import CountingLabels
from cranfield.store.pools import Pool, newest_built_pool, pool_record, pool_within_selected_topics
from cranfield.store.reading import Place, name_of, open_store_at, reading_of, selection_for_files
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import counted, name_hint
from cranfield.view import View

Rows = list[dict[str, Any]]


def build_stored_pool(store: Store, request: PoolRequest) -> PoolResult:
    """Build a pool; an adaptive method learns from the labels by the choice on record.

    Parameters
    ----------
    store : Store
        The open store.
    request : PoolRequest
        The pool asked for.

    Returns
    -------
    PoolResult
        The pool, and notes: whose labels an adaptive method learned from where several people or models labelled.

    Raises
    ------
    UndecidedError
        If the method is adaptive, labels differ, and no choice is on record.
    """
    return store_planned(store, plan_stored_pool(store, request))


def plan_stored_pool(store: Store, request: PoolRequest) -> PlannedPool:
    """Work out the pool that `build_stored_pool` stores, and store nothing."""
    labels = decided_labels(store) if method_named(request.method).adaptive else None
    return plan_pool(store, request, labels)


def store_planned(store: Store, planned: PlannedPool) -> PoolResult:
    """Store a pool that was worked out, with the notes of `build_stored_pool`."""
    return _add_labellers_note(store, store_planned_pool(store, planned), planned.labels)


def extend_stored_pool(store: Store, number: int | None = None, **changes: Any) -> PoolResult:
    """Extend a pool; an adaptive method learns from the labels by the choice on record.

    Parameters
    ----------
    store : Store
        The open store.
    number : int, optional
        Number of the stored pool; the newest by default.
    **changes
        The depth, budget, total, batch or runs of the larger pool.

    Returns
    -------
    PoolResult
        The pool and notes, as of `build_stored_pool`.

    Raises
    ------
    UndecidedError
        If the method is adaptive, labels differ, and no choice is on record.
    """
    before = pool_record(store, newest_built_pool(store) if number is None else number)
    labels = decided_labels(store) if method_named(before.method).adaptive else None
    return _add_labellers_note(store, extend(store, number=number, labels=labels, **changes), labels)


def _add_labellers_note(store: Store, result: PoolResult, labels: CountingLabels | None) -> PoolResult:
    """Note whose labels the pool learned from, where that is a question."""
    if labels is None or not len(labels.qrels):
        return result
    line = labellers_line(store, labels, refused_chance=False)
    return result._replace(notes=[*result.notes, f"learned from {line}"]) if line else result


def pool_rows_and_title(
    store: Store, number: int | None, by: str, counting: CountingLabels | None = None
) -> tuple[Rows, str]:
    """The rows of a pool by topic, run, team or pair, and their title.

    By run, team or pair they count relevant documents: by the labels given, otherwise by the choice on record, which
    labels that differ need.
    """
    pool = pool_within_selected_topics(store, number)
    whose = ""
    if counting is None:
        counting = labels_by_recorded_choice(store) if by == "topic" else decided_labels(store)
        whose = "" if by == "topic" else note_labellers(store, counting, refused_chance=False)
    qrels, by_model, _ = counting
    models = judged_pairs(qrels.rows(by_model))
    head, least = title(pool, qrels, _time_left(store, pool.number), models), store.collection.min_relevant
    head += f"; {whose}" if whose else ""
    if by == "pair":
        pairs = pair_certainty(store, pool, qrels)
        return [pair._asdict() for pair in pairs], f"{head}; {pairs_title(pairs)}"
    if by == "topic":
        return contribution_by_topic(pool, qrels, models), head
    units = {tag: info.team if by == "team" else tag for tag, info in run_info(store).items()}
    return contribution_by_unit(pool, qrels, units, by, least), head


def _time_left(store: Store, number: int | None) -> str:
    """The forecast for a pool, with second labels and second showings; empty where it is not known."""
    forecast = forecast_pool(store, number, datetime.now(UTC))
    if not forecast.left or forecast.seconds is None:
        return ""
    return f"{forecast.hours_in_words} for {counted(forecast.left, 'label')} left"


def pool_difference_rows(store: Store, one: int, other: int, labellers: Labellers) -> tuple[Rows, str]:
    """How two pools differ by topic, and whose labels were used where that is a question."""
    labels_used = choose_labels(store, labellers)
    rows = pool_difference_by_topic(
        pool_within_selected_topics(store, one), pool_within_selected_topics(store, other), labels_used.qrels
    )
    return rows, note_labellers(store, labels_used, labellers)


class PoolEstimates(NamedTuple):
    """What a sampled pool estimates: scores, and relevant documents by topic; notes on either."""

    pool: Pool
    scores: Rows
    topics: Rows
    whose: str
    lack: str | None  # why there are no scores by some measure


def estimates_of(
    store: Store,
    measures: "MeasureLike | Iterable[MeasureLike]",
    labellers: Labellers,
    *,
    number: int | None = None,
    confidence: float = 0.95,
) -> PoolEstimates:
    """Estimate the scores of the runs and the numbers of relevant documents from a sampled pool."""
    from cranfield.pooling.estimate import check_frame, estimate, samples, why_no_precision_intervals

    labels_used, least = choose_labels(store, labellers), store.collection.min_relevant
    pool, chosen = pool_within_selected_topics(store, number), parse_measures(measures, least)
    runs, judged_samples = stored_runs(store), samples(pool, labels_used.qrels, least)
    check_frame(pool, runs, {tag: about.depth for tag, about in run_info(store).items()})
    scores = estimate(pool, runs, labels_used.qrels, measures=chosen, min_relevant=least, confidence=confidence)
    topics = [_topic_row(sample, confidence) for sample in judged_samples]
    whose = note_labellers(store, labels_used, labellers)
    return PoolEstimates(pool, scores, topics, whose, why_no_precision_intervals(judged_samples, chosen))


def _topic_row(sample: JudgedSample, confidence: float) -> dict[str, Any]:
    """The estimated number of relevant documents of a topic."""
    from cranfield.pooling.estimate import number_relevant

    number = number_relevant(sample, confidence)
    return {
        "query_id": sample.qid,
        "sampled": len(sample.docnos),
        "found": int(sample.relevant.sum()),
        "relevant": number.value,
        "low": number.low,
        "high": number.high,
    }


def pool_closure(view: CallView, depth: int | None) -> tuple[Closure, TieRule]:
    """How well the pool closes, and its inferred order of ties.

    Where a file has several runs, the order in files is not looked at.
    """
    tags = [tag for tag, info in view.run_info.items() if info.pooled] if view.states_pooled else None
    pooled = tags if view.pool_runs is None else [tag for tag in view.run_info if tag in view.pool_runs]
    closure = verify(view.runs, view.qrels, pooled, depth)
    if origins := {**_stratum_by_document(view), **view.found_apart}:
        how = Counter(origins.get(pair, "unexplained") for pair in closure.judged_not_pooled)
        closure = closure._replace(otherwise=how)
    read = view.run_files
    files = dict(zip(view.runs.tags, read, strict=True)) if len(read) == len(view.runs.tags) else {}
    return closure, tie_rule(view.runs.select(closure.runs), view.qrels, closure.depth, files)


def _stratum_by_document(view: View) -> dict[tuple[str, str], str]:
    """How the documents of a stored pool came into it that no run brought."""
    pool = view.pool_stages[-1].pool if view.pool_stages else None
    return {
        document[:2]: "sampled" if (document.probability or 1) < 1 else pool.method
        for document in (pool.documents if pool else ())
        if pool and not document.runs
    }


def judged_and_unjudged_pool(view: View, depth: int | None) -> tuple[Judged, int]:
    """The judged documents of the pool, and the number of unjudged ones."""
    judged = view.judged.drop_unjudged()
    if depth is None:
        return judged, 0
    pooled = np.zeros(len(judged.qrels_grade), bool)
    pooled[judged.judgment[judged.rank <= depth]] = True
    pairs = pooled_pairs(view.runs, view.qrels, np.full(len(view.runs.tags), depth))
    return judged.select_judgments(pooled), len(pairs) - int(pooled.sum())


def simulation_of(
    view: View, trials: list[Trial], budgets: Sequence[int], *, is_total: bool, depth: int | None,
    measure: MeasureLike, by: str, batch: int, seed: int, workers: int,
) -> Simulation:  # fmt: skip
    """Replay the methods on the pool of a view; each run or team, as `by` says, is left out in turn."""
    who, depth = require_contributors(view), depth_of(view, depth)
    (scored_by,) = parse_measures(measure, view.min_relevant)
    note_single_run_units(view, by)
    left_out, depths = (
        group_runs_by_unit(view.run_info, who.runs, by),
        {tag: view.run_info[tag].depth for tag in who.runs},
    )
    with progress_bar("replaying", len(trials) * (1 + len(left_out) * (len(left_out) > 1))) as advance:
        return simulate(
            view.runs,
            view.qrels,
            left_out,
            depth,
            methods=trials,
            budgets=sort_budgets(budgets),
            measure=scored_by,
            depths=depths,
            min_relevant=view.min_relevant,
            by=by,
            seed=seed,
            batch=batch,
            workers=workers,
            progress=advance,
            total=is_total,
            corpus=view.corpus,
        )


def read_stored_runs_to_fuse(place: Place, tags: Sequence[str] | None) -> Runs:
    """Read the runs of a store; a run that is itself fused only if it is named."""
    with open_store_at(place) as store:
        runs = stored_runs(store, tags or [tag for tag, info in run_info(store).items() if info.kind != "fused"])
        runs.docnos.names  # noqa: B018 - loaded while the store is open
    return runs


def read_run_files_to_fuse(files: Sequence[Place]) -> Runs:
    """Read the runs of files."""
    runs, selection = read_runs([name_of(file) for file in files]), selection_for_files(reading_of(files[0]))
    return selection.select_runs(runs) if selection else runs


def select_runs_to_fuse(runs: Runs, tags: Sequence[str] | None, path: Path) -> Runs:
    """The runs with these tags, or all; `path` is the store, or the first file, for messages."""
    missing = [tag for tag in tags or () if tag not in runs.tags]
    if missing:
        raise InputError(f"unknown run {missing[0]!r}{name_hint(missing[0], runs.tags)}", path)
    if not runs.tags:
        raise InputError(
            "there are no runs in this store; add runs with `cranfield import runs` or `cranfield search`", path
        )
    return runs.select(tags) if tags else runs


def disjoint_run_notes(runs: Runs) -> list[str]:
    """Which runs did not answer all topics that are fused, and which share no document with another, a line each.

    >>> from cranfield.metrics.inputs import as_runs
    >>> several = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}}, "c": {"1": {"x:d": 1.0}}}
    >>> print(*disjoint_run_notes(as_runs(several)), sep="\\n")
    2 of 3 runs did not answer all 2 topics: b 1, c 1; their missing topics are fused from the other runs
    1 of 3 runs shares no document with another run: c; check its docnos, such as 'x:d'
    """
    respelled = _respelled(runs)
    fail_on_notes(respelled)
    return [*respelled, *_partial(runs), *(_isolated_run_notes(runs) if len(runs.tags) > 1 else [])]


def _respelled(runs: Runs) -> list[str]:
    columns = (("topic", runs.topics, runs.topic), ("document", runs.docnos, runs.document))
    return [
        note
        for what, names, codes in columns
        if not "".join(names.names.tolist()).isascii()
        for note in respelled_notes(
            what,
            {
                f"run {tag}": names.names[occurring_codes(codes[runs.run == number])].tolist()
                for number, tag in enumerate(runs.tags)
            },
        )
    ]


def _partial(runs: Runs) -> list[str]:
    total = len(occurring_codes(runs.topic))
    topics = np.bincount(runs.run[runs.starts], minlength=len(runs.tags)).tolist()
    fewer = sorted((number, tag) for number, tag in zip(topics, runs.tags, strict=True) if number < total)
    if not fewer:
        return []
    names = join_first_names([f"{tag} {number}" for number, tag in fewer])
    missing = f"{len(fewer)} of {len(runs.tags)} runs did not answer all {total} topics: {names}"
    return [f"{missing}; their missing topics are fused from the other runs"]


def _isolated_run_notes(runs: Runs) -> list[str]:
    pairs = np.unique(runs.document * len(runs.tags) + runs.run)
    document, run = np.divmod(pairs, len(runs.tags))
    shared = np.bincount(document)[document] > 1
    alone = np.setdiff1d(run, run[shared])
    if not len(alone):
        return []
    docno = runs.docnos.names_at(runs.document[runs.run == alone[0]][:1]).tolist()[0]
    share, its = ("shares", "its") if len(alone) == 1 else ("share", "their")
    names = join_first_names([runs.tags[one] for one in alone])
    check = f"check {its} docnos, such as {docno!r}"
    return [f"{len(alone)} of {len(runs.tags)} runs {share} no document with another run: {names}; {check}"]


def add_fused(path: Path, runs: Runs, description: str, *, tell: Tell = ignore_note) -> None:
    """Add a fused run, which does not contribute to pools."""
    about = RunInfo("fusion", "fused", description, pooled=False)
    with Store.open(path, tell=tell) as store:
        add_runs(store, runs, {runs.tags[0]: about})


class RehearsalRequest(NamedTuple):
    """Which assessors are simulated, on what, and which policies are compared."""

    simulate: Sequence[str]
    overlap: float
    depth: int | None
    seconds: float
    policies: Sequence[str]
    measures: "MeasureLike | Iterable[MeasureLike]"
    repeats: int
    seed: int


def rehearsal(view: View, request: RehearsalRequest) -> tuple[Rehearsal, dict[str, Any], RehearsalSetting]:
    """Assessors simulated on the judgments of a view: what came of it, its JSON, and what was simulated."""
    panel, policies = (
        [simulated_assessor(name) for name in request.simulate],
        [find_policy(name) for name in request.policies],
    )
    setting = RehearsalSetting(panel, request.overlap, request.seconds, view.min_relevant)
    measures = parse_measures(request.measures, view.min_relevant)
    judged, unknown = judged_and_unjudged_pool(view, request.depth)
    with progress_bar("rehearsing", request.repeats) as advance:
        outcome = rehearse(
            judged, setting, policies, measures, unknown=unknown, repeats=request.repeats, seed=request.seed,
            progress=advance,
        )  # fmt: skip
    return outcome, rehearsal_document(outcome, setting), setting
