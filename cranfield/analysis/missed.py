"""What left-out units lose where a pool that is not of depth k is rebuilt without them, by the same method.

Where documents compete for a budget, a pool without a run is not the pool less that run's unique documents: others take
their places. So the method is run again without the unit (see pooling/stored/rebuild.py). What is in the new pool but
was never judged is missed; it stays unjudged. With no unit left out the rebuilt pool has to equal the stored one: where
it does not, the pool without a unit is unknown, too, and there are no findings.

What that pool asks for and nobody judged gets drawn grades.
To count them as not relevant would be wrong: there is more to find in that pool, and a left-out run may have found some
of it. So all candidates that nobody judged get grades from a model of those that are judged
(pooling/stored/rebuild.py), DRAWS times over. Each time the pool is rebuilt without each unit, a method that uses
judgments hearing the drawn ones, and all runs are scored. Scores are the means over the draws. What judges would have
found is like one draw more, but further off: documents differ by run, too, which the model does not know. So the
interval is that of a further draw from a normal distribution, and WIDER, which is what it takes to hold in
simulations (`python -m benchmarks.coverage`). Of pools by some methods it does not hold even so: they have none.

Source: Rubin, Multiple Imputation for Nonresponse in Surveys, 1987.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from cranfield import __version__
from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import UNJUDGED, Floats, Ints, Mask, Pair, Qrels, Runs, is_judged
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.metrics.inputs import as_qrels
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.judgment_subsets import Worlds, score_subsets
from cranfield.metrics.reusability.leave_one_out import Units, means, results_of
from cranfield.metrics.reusability.results import Imputation, ScoreChange, UnitResult
from cranfield.pooling.candidates import Candidates, Corpus, candidates_by_topic, corpus_candidates, select_candidates
from cranfield.pooling.methods import METHODS
from cranfield.pooling.stored.rebuild import GradeModel, Rebuilder, Rebuilt, grade_model, stage_steps
from cranfield.selection import LeftOut
from cranfield.store.open_pools import Stage
from cranfield.text import counted


class Repooling(NamedTuple):
    """Per unit: the judgments lost without it, and how many documents of the rebuilt pool are unjudged."""

    losses: list[Mask]
    missed: list[int]
    pooled: Mask  # per judgment: is it in the pool as it was built?
    builder: Rebuilder
    whole: Rebuilt  # the pool with all units

    @property
    def listens(self) -> bool:
        """Whether the pool depends on judgments."""
        return any(METHODS[stage.pool.method].adaptive for stage in self.builder.stages)

    @property
    def is_of_corpus(self) -> bool:
        """Whether documents that no run retrieved may be asked for."""
        return any(METHODS[stage.pool.method].corpus for stage in self.builder.stages)


def repool_without_units(
    runs: Runs,
    qrels: Qrels,
    judged: Judged,
    stages: Sequence[Stage],
    units: Mapping[str, Sequence[str]],
    *,
    rel: int = 1,
    about: Mapping[str, RunInfo] | None = None,
    corpus: Callable[[str], Corpus] | None = None,
    left_out: LeftOut | None = None,
    progress: Callable[[int], None] | None = None,
) -> Repooling:
    """Rebuild a stored pool without each unit in turn; `stages` are the pool and those it was built from.

    An error, with the reason, where it cannot be rebuilt with all units in it.
    """
    place = judgment_number_by_pair(judged, qrels)
    builder = Rebuilder(
        stages,
        [_retrieved_candidates(runs, stage, about or {}, corpus) for stage in stages],
        relevance_by_topic(judged, place, rel),
    )
    everybody = {document[:2] for document in stages[-1].pool.documents}
    inside = mask_of(judged, place, everybody)
    if not inside.any():
        raise InputError(f"{_pool_name(stages[-1])} is unjudged: none of its {len(everybody)} documents has a label")
    whole = builder.pool_all_runs()
    _check_rebuilt_pool(stages, whole, left_out or LeftOut())
    losses, missed = [], []
    for tags in units.values():
        pairs = pairs_of(builder.pool_without_runs(tags, whole))
        losses.append(inside & ~mask_of(judged, place, pairs))
        missed.append(sum(pair not in place for pair in pairs - everybody))
        if progress:
            progress(1)
    return Repooling(losses, missed, inside, builder, whole)


def pool_rebuilder(
    runs: Runs,
    qrels: Qrels,
    judged: Judged,
    stages: Sequence[Stage],
    *,
    pooled: Sequence[str],
    rel: int = 1,
    about: Mapping[str, RunInfo] | None = None,
    corpus: Callable[[str], Corpus] | None = None,
    left_out: LeftOut | None = None,
) -> Callable[[Sequence[str]], Mask]:
    """Return a function from some of the pooled runs to the judgments, rows of the qrels, that their pool would hold.

    Runs of the stages that are not in `pooled` are never kept. An error, with the reason, where the pool cannot be
    rebuilt with all its runs.
    """
    place = judgment_number_by_pair(judged, qrels)
    builder = Rebuilder(
        stages,
        [_retrieved_candidates(runs, stage, about or {}, corpus) for stage in stages],
        relevance_by_topic(judged, place, rel),
    )
    whole = builder.pool_all_runs()
    _check_rebuilt_pool(stages, whole, left_out or LeftOut())
    others = {tag for stage in stages for tag in stage.pool.parameters["runs"]} - set(pooled)

    def rebuild(kept: Sequence[str]) -> Mask:
        without = others | (set(pooled) - set(kept))
        inside = mask_of(judged, place, pairs_of(builder.pool_without_runs(without, whole)))
        rows = np.zeros(len(qrels), bool)
        rows[judged.qrels_row[inside]] = True
        return rows

    return rebuild


def judgment_number_by_pair(judged: Judged, qrels: Qrels) -> dict[Pair, int]:
    """Where each judged pair stands among the judgments; a grade of -1 is none."""
    qids = [judged.qids[topic] for topic in judged.qrels_topic]
    docnos = qrels.docnos.names[qrels.document[judged.qrels_row]].tolist()
    pairs = zip(qids, docnos, is_judged(judged.qrels_grade), strict=True)
    return {(qid, docno): place for place, (qid, docno, graded) in enumerate(pairs) if graded}


def relevance_by_topic(judged: Judged, place: Mapping[Pair, int], rel: int) -> dict[str, dict[str, bool]]:
    by_topic: dict[str, dict[str, bool]] = {}
    for (qid, docno), at in place.items():
        by_topic.setdefault(qid, {})[docno] = bool(judged.qrels_grade[at] >= rel)
    return by_topic


def _retrieved_candidates(
    runs: Runs, stage: Stage, about: Mapping[str, RunInfo], corpus: Callable[[str], Corpus] | None
) -> list[Candidates]:
    """What the runs of a pool retrieved, as deep as the pool looked."""
    parameters, name = stage.pool.parameters, _pool_name(stage)
    if stage.pool.method not in METHODS or "runs" not in parameters:
        raise InputError(f"{name}: the store does not record how it was built, so no run can be left out")
    if names := [tag for tag in parameters["runs"] if tag not in runs.tags]:
        raise InputError(f"run {names[0]!r} of {name} is missing, so no run can be left out")
    depths = {tag: about[tag].depth for tag in parameters["runs"] if tag in about}
    topics = (
        candidates_by_topic(runs.select(parameters["runs"]), depth_of(parameters), depths) if parameters["runs"] else []
    )
    if METHODS[stage.pool.method].corpus is None:
        return select_candidates(topics, parameters.get("topics"))
    if corpus is None:
        raise InputError(
            f"the documents of {name} were chosen from a whole corpus, which is missing here, so no run can be left out"
        )
    return select_candidates(
        corpus_candidates(topics, corpus(stage.pool.method), parameters["runs"], parameters.get("budget")),
        parameters.get("topics"),
    )


def depth_of(parameters: Mapping[str, Any]) -> int:
    """How deep a pool with these parameters looked into its runs."""
    return int(parameters.get("depth") or parameters.get("considered") or 100)


def _pool_name(stage: Stage) -> str:
    number = stage.pool.number
    return f"the pool ({stage.pool.method})" if number is None else f"pool {number} ({stage.pool.method})"


def pairs_of(rebuilt: Rebuilt) -> set[Pair]:
    return {(qid, docno) for qid, docnos in rebuilt.moments.items() for docno in docnos}


def mask_of(judged: Judged, place: Mapping[Pair, int], pairs: Iterable[Pair]) -> Mask:
    """The judgments of some documents."""
    mask = np.zeros(len(judged.qrels_grade), bool)
    mask[[place[pair] for pair in pairs if pair in place]] = True
    return mask


def _check_rebuilt_pool(stages: Sequence[Stage], whole: Rebuilt, left_out: LeftOut) -> None:
    before, again = {d[:2] for d in stages[-1].pool.documents}, pairs_of(whole)
    if before == again:
        return
    differs = f"{counted(len(before ^ again), 'document differs', 'documents differ')}"
    other = f"{_pool_name(stages[-1])} cannot be rebuilt from its runs ({differs}), so no run can be left out"
    raise InputError(f"{other}; {_why_pool_may_differ(stages, left_out)}")


def _why_pool_may_differ(stages: Sequence[Stage], left_out: LeftOut) -> str:
    """Why a rebuilt pool may differ."""
    versions = {stage.pool.version for stage in stages} - {__version__, ""}
    if any(step.number < 0 for both in zip(stages, [None, *stages], strict=False) for step in stage_steps(*both, {})):
        return "the store does not record which labels each batch was based on"
    if versions:
        return f"it was built by version {', '.join(sorted(versions))}, and this is version {__version__}"
    if left_out.runs or left_out.documents:
        return "it was built with runs or documents that are now withdrawn; build a new pool (labels are kept)"
    return "its runs or their depths have changed"


CORPUS_REASON = "documents chosen from the whole corpus have no ranks in runs, so their grades cannot be drawn"
DRAWS = 20
WIDER = 1.4
INTERVAL_FREE_METHODS = frozenset({"hedge"})  # weights of runs go their own way with drawn grades
LEAST = 10  # judged documents, relevant and not, from which a model is made


def why_unknown(qrels: Qrels, rel: int) -> str:
    """Why no grades can be drawn for what nobody judged; empty where they can."""
    if qrels.subtopics is not None or qrels.stratum is not None:
        return f"grades cannot be drawn for {'subtopics' if qrels.stratum is None else 'samples'}"
    relevant = int(np.sum(qrels.grade >= rel))
    fewest = min(relevant, int(np.sum(is_judged(qrels.grade))) - relevant)
    return (
        ""
        if fewest >= LEAST
        else f"drawing grades needs {LEAST} documents judged relevant and {LEAST} judged not relevant"
    )


def losses_with_missed(
    runs: Runs,
    qrels: Qrels,
    judged: Judged,
    *,
    again: Repooling,
    units: Units,
    measures: Sequence[Measure],
    protected: Mask,
    rel: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[tuple[UnitResult, ...], dict[str, Imputation]]:
    """What units lose, and by measure the mean absolute change; `protected` are judgments with another origin, too."""
    case, draw_scores = _case(runs, qrels, judged, again, protected), list[Floats]()
    total = np.zeros((1 + len(units), *judged.shape, len(measures)))
    for scores in case.scores(units, measures, rel):
        total += scores
        draw_scores.append(means(scores, measures))
        if progress:
            progress(1)
    results = results_of(judged, units, [loss & ~protected for loss in again.losses], total / DRAWS, measures, rel=rel)
    wider = np.nan if INTERVAL_FREE_METHODS & {stage.pool.method for stage in again.builder.stages} else WIDER
    draws = _Drawn(judged.tags, tuple(measures), np.stack(draw_scores), wider)
    return draws.with_intervals(results), draws.mean_changes(units)


@dataclass(frozen=True, eq=False)
class _Case:
    """All candidates as if they were judged; `labelled`, `inside` and `protected` are masks over these judgments."""

    judged: Judged
    again: Repooling
    place: Mapping[Pair, int]  # which judgment, of all but what is in the pool and was not judged: that stays so
    model: GradeModel
    candidate: Ints  # per document of the model: which judgment
    labelled: Mask
    inside: Mask
    protected: Mask

    def scores(self, units: Units, measures: Sequence[Measure], rel: int) -> Iterator[Floats]:
        """The scores (1 + units, runs, topics, measures) of each draw; no unit is left out of the first."""
        random, pools = np.random.default_rng(0), list[Mask]()
        for _ in range(DRAWS):
            judged = self._draw(random)
            if self.again.listens or not pools:
                pools = list(self._pools_without_units(judged, units, rel))
            stays = self.labelled & (self.protected | ~self.inside)
            worlds = np.stack([self.labelled, *(pool | stays for pool in pools)])
            yield score_subsets(judged, measures, Worlds(worlds)).scores_of_subsets(np.arange(len(worlds)))

    def _draw(self, random: np.random.Generator) -> Judged:
        """With drawn grades for what nobody judged."""
        grade = self.judged.qrels_grade.copy()
        grade[self.candidate] = self.model.draw(random)
        grade[self.labelled] = self.judged.qrels_grade[self.labelled]
        return replace(self.judged, qrels_grade=grade, grade=grade[self.judged.judgment])

    def _pools_without_units(self, judged: Judged, units: Units, rel: int) -> Iterator[Mask]:
        builder = replace(self.again.builder, judged=relevance_by_topic(judged, self.place, rel))
        for tags in units.values():
            yield mask_of(judged, self.place, pairs_of(builder.pool_without_runs(tags, self.again.whole)))


def _case(runs: Runs, qrels: Qrels, judged: Judged, again: Repooling, protected: Mask) -> _Case:
    parameters = [stage.pool.parameters for stage in again.builder.stages]
    tags = list(dict.fromkeys(tag for one in parameters for tag in one["runs"]))
    topics = [
        topic
        for topic in candidates_by_topic(runs.select(tags), max(map(depth_of, parameters)))
        if topic.qid in judged.qids
    ]
    pairs = [(topic.qid, docno) for topic in topics for docno in topic.docnos.tolist()]
    old, wider = judgment_number_by_pair(judged, qrels), _add_candidates(judged, qrels, pairs)
    batch = join_runs_with_common_topics(runs, wider)
    place = judgment_number_by_pair(batch, wider)
    was, candidate = np.full(len(batch.qrels_grade), -1), np.array([place[pair] for pair in pairs])
    was[list(place.values())] = [old.get(pair, -1) for pair in place]
    labelled, inside = was >= 0, {document[:2] for document in again.builder.stages[-1].pool.documents}
    model = grade_model(topics, batch.qrels_grade[candidate], labelled[candidate])
    judged_places = {pair: at for pair, at in place.items() if labelled[at] or pair not in inside}
    return _Case(
        batch,
        again,
        judged_places,
        model=model,
        candidate=candidate,
        labelled=labelled,
        inside=labelled & again.pooled[was],
        protected=labelled & protected[was],
    )


def _add_candidates(judged: Judged, qrels: Qrels, pairs: Sequence[Pair]) -> Qrels:
    """The judgments, and grade 0 for candidates without one."""
    grades: dict[str, dict[str, int]] = {}
    docnos = qrels.docnos.names[qrels.document[judged.qrels_row]].tolist()
    for topic, docno, grade in zip(judged.qrels_topic.tolist(), docnos, judged.qrels_grade.tolist(), strict=True):
        grades.setdefault(judged.qids[topic], {})[docno] = grade
    for qid, docno in pairs:
        if grades[qid].get(docno, UNJUDGED) == UNJUDGED:
            grades[qid][docno] = 0
    return as_qrels(grades)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Scores by draw: (draws, 1 + units, runs, measures); no unit is left out of the first."""

    tags: tuple[str, ...]
    measures: tuple[Measure, ...]
    scores: Floats
    wider: float  # NaN for no intervals

    def with_intervals(self, results: Sequence[UnitResult]) -> tuple[UnitResult, ...]:
        """The same results, each score without the unit with its interval, within what the measure can be."""
        least, most = np.array([measure.range for measure in self.measures]).T
        names, (_, low, high) = (
            [str(measure) for measure in self.measures],
            interval_of_next_draw(self.scores, self.wider),
        )
        low, high = np.maximum(low, least), np.minimum(high, most)

        def widen(number: int, change: ScoreChange) -> ScoreChange:
            at = number, self.tags.index(change.run), names.index(change.measure)
            return replace(change, reduced_low=float(low[at]), reduced_high=float(high[at]))

        return tuple(
            replace(unit, changes=tuple(widen(number, change) for change in unit.changes))
            for number, unit in enumerate(results, 1)
        )

    def mean_changes(self, units: Units) -> dict[str, Imputation]:
        """By measure the mean absolute change over the units' own runs, in per cent; NaN where none is defined."""
        own = [(number, self.tags.index(tag)) for number, tags in enumerate(units.values(), 1) for tag in tags]
        unit, run = np.array(own).T
        full, without = self.scores[:, 0, run], self.scores[:, unit, run]
        defined = full != 0
        change = np.abs(np.divide(without - full, full, out=np.zeros_like(full), where=defined)) * 100
        count = defined.sum(axis=1)
        mean = np.divide(change.sum(axis=1), count, out=np.full(count.shape, np.nan), where=count > 0)
        value, low, high = interval_of_next_draw(mean, self.wider)
        ends = zip(map(str, self.measures), value.tolist(), np.maximum(low, 0).tolist(), high.tolist(), strict=True)
        return {measure: Imputation(*three) for measure, *three in ends}


def interval_of_next_draw(draws: Floats, wider: float) -> tuple[Floats, Floats, Floats]:
    """The mean of draws, the first axis, and the 95 % interval of one draw more, so many times wider.

    >>> [round(float(end), 2) for end in interval_of_next_draw(np.array([1.0, 2.0, 3.0]), 1)]
    [2.0, -2.97, 6.97]
    """
    from scipy.special import stdtrit

    mean, count = draws.mean(axis=0), len(draws)
    wide = wider * stdtrit(count - 1, 0.975) * sqrt(1 + 1 / count) * draws.std(axis=0, ddof=1)
    return mean, mean - wide, mean + wide
