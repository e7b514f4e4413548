"""Runs scored by measures, by topic and on average; and their precision-recall curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from cranfield.arrays import WhichTopics
from cranfield.arrays.judged import NOTHING, Judged, JudgedBlocks, Unmet, as_judged_blocks, ratio
from cranfield.arrays.rankings import Floats, Mask
from cranfield.arrays.selection import AnsweredTopics
from cranfield.extras import is_installed
from cranfield.metrics.measure import Aggregate, Measure
from cranfield.metrics.measures.average_precision import IPREC, RECALL_POINTS
from cranfield.metrics.measures.counts import JUDGED, known_judged_share
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.text import join_words

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.metrics.inputs import QrelsLike, RunsLike


FLOOR = 1e-5  # used instead of 0 in a geometric mean


def evaluate(
    qrels: QrelsLike | Judged | JudgedBlocks,
    runs: RunsLike | None = None,
    measures: MeasureLike | Iterable[MeasureLike] = ("AP", "nDCG@10", "P@10"),
    per_topic: bool = False,
    retrieved_topics_only: bool = False,
) -> DataFrame:
    """The scores of runs: one row per run and measure, or with `per_topic` per run, topic and measure.

    Measures are names, or measure objects of ir_measures; `cranfield.metrics.shapes` has the same in the shapes of
    ir_measures and pytrec_eval. Judged positions alone take the place of qrels and runs.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> evaluate(qrels, {"q1": {"d1": 1.0}}, "AP")
       run measure  value
    0  run      AP    0.5
    >>> evaluate(qrels, {"q1": {"d1": 1.0}}, "AP", retrieved_topics_only=True)
       run measure  value
    0  run      AP    1.0
    """
    measure_list = parse_measures(measures)
    if isinstance(qrels, JudgedBlocks):
        scores = score_runs(qrels, measure_list)
    else:
        from cranfield.metrics.inputs import each_judged

        judged = each_judged(qrels, runs)
        parts = [score_runs(part, measure_list) for part in judged]
        scores = concatenate_scores(parts, judged.tags)
    topic_mask = scores.topic_mask(retrieved_topics_only)
    if per_topic:
        return topic_table(scores, measure_list, topic_mask)
    return run_table(scores.tags, measure_list, aggregate_scores(scores.values, measure_list, topic_mask))


class JudgedShares(NamedTuple):
    """The share of the first documents that were judged (runs, topics, cutoffs), and each measure's cutoff.

    It is NaN for an empty ranking, and everywhere where the qrels list relevant documents only.
    """

    by_measure: tuple[int, ...]  # the cutoff of each measure
    cutoffs: tuple[int, ...]  # ascending, each once
    values: Floats
    are_known: bool = True  # False where the qrels list relevant documents only

    def means(self, topic_mask: Mask) -> Floats:
        """Return the mean over topics (runs, measures)."""
        values = self.values
        if np.count_nonzero(topic_mask) < topic_mask.size:
            values = np.where(topic_mask[..., None], values, np.nan)
        return self.spread_cutoffs(mean(values.swapaxes(-2, -1)))

    def spread_cutoffs(self, cutoff_values: Floats) -> Floats:
        """Repeat the last axis, one value per cutoff, for each measure."""
        places = [self.cutoffs.index(cutoff) for cutoff in self.by_measure]
        return cutoff_values if places == [0] else cutoff_values[..., places]


def judged_cutoffs(measures: Sequence[Measure], depth: int) -> tuple[int, ...]:
    """Return the rank to which each measure looks; `depth` for measures without a cutoff.

    >>> judged_cutoffs(parse_measures(["AP", "nDCG@20", "P@5"]), 10)
    (10, 20, 5)
    """
    cutoffs = [measure.options.get("cutoff") for measure in measures]
    return tuple(cutoff if isinstance(cutoff, int) and cutoff > 0 else depth for cutoff in cutoffs)


def with_judged_shares(measures: Sequence[Measure], depth: int) -> list[Measure]:
    """Return the measures followed by Judged@k for each of their cutoffs, without measures that occur twice.

    >>> with_judged_shares(parse_measures(["AP", "nDCG@20", "Judged@10"]), 10)
    [AP, nDCG@20, Judged@10, Judged@20]
    """
    cutoffs = sorted({*judged_cutoffs(measures, depth)})
    named = [str(measure) for measure in measures]
    return [*measures, *(share for k in cutoffs if str(share := JUDGED.set(cutoff=k)) not in named)]


class RunScores(NamedTuple):
    """Scores (runs, topics, measures), and a mask (runs, topics) of which run retrieved anything for which topic.

    `failed` says which scores are NaN because of a label that failed or is missing; it is known of answers alone.
    `any_judged` says which rankings have a judged document, and `judged_shares` how many of the first documents were
    judged; neither is known of answers.
    """

    tags: tuple[str, ...]
    qids: tuple[str, ...]
    values: Floats
    answered: Mask
    failed: Mask | None = None
    any_judged: Mask | None = None
    judged_shares: JudgedShares | None = None

    def topic_mask(self, retrieved_topics_only: bool, topics: WhichTopics = WhichTopics.all) -> Mask:
        """The topics that count: all, or those that a run, or all runs, retrieved anything for."""
        if topics is WhichTopics.common:
            mask = np.zeros_like(self.answered)
            mask[:, self.topics_answered().common] = True
            return mask
        return self.answered if retrieved_topics_only else np.ones_like(self.answered)

    def topics_answered(self, unmet: Unmet = NOTHING) -> AnsweredTopics:
        """Which run answered which topic; `unmet` is what else the runs have."""
        any_judged = self.answered if self.any_judged is None else self.any_judged
        return AnsweredTopics(self.tags, self.qids, self.answered, np.any(any_judged, axis=1), unmet)

    def means(self, measures: Sequence[Measure], topic_mask: Mask) -> Floats:
        """The scores over topics (runs, measures), those of a run with a failed score NaN."""
        means = aggregate_scores(self.values, measures, topic_mask)
        if self.failed is None:
            return means
        return np.where((self.failed & topic_mask[..., None]).any(axis=1), np.nan, means)


def score_runs(
    judged: Judged | JudgedBlocks, measures: Sequence[Measure], judged_depth: int | None = None
) -> RunScores:
    """The scores of judged runs; with `judged_depth` also the judged shares, to it for measures without a cutoff."""
    blocks = as_judged_blocks(judged)
    by_measure = () if judged_depth is None else judged_cutoffs(measures, judged_depth)
    cutoffs = tuple(sorted({*by_measure}))
    values, answered, any_judged, parts = zip(*blocks.map_blocks(_score_block, (measures, cutoffs)), strict=True)
    masks = blocks.join(answered), None, blocks.join(any_judged)
    bare = judged.bare if isinstance(judged, JudgedBlocks) else judged
    shares = JudgedShares(by_measure, cutoffs, blocks.join(parts), bare.has_nonrelevant) if cutoffs else None
    return RunScores(judged.tags, judged.qids, blocks.join(values), *masks, judged_shares=shares)


def _score_block(
    judged: Judged, measures: Sequence[Measure], cutoffs: Sequence[int]
) -> tuple[Floats, Mask, Mask, Floats]:
    columns = [known_judged_share(judged, cutoff).reshape(judged.shape) for cutoff in cutoffs]
    shares = columns[0][..., None] if len(columns) == 1 else np.stack(columns or [np.empty((0, 0))], axis=-1)
    scores = [*map(Measure.scores, measures, _inputs(judged, measures))]
    return _stack(judged, scores), is_answered(judged), judged.any_judged.reshape(judged.shape), shares


def concatenate_scores(parts: Sequence[RunScores], tags: Sequence[str]) -> RunScores:
    """The scores of several batches over the same topics as one, its runs called `tags`."""
    values, mask = (np.concatenate([part[field] for part in parts]) for field in (2, 3))
    any_judged = np.concatenate([part.answered if part.any_judged is None else part.any_judged for part in parts])
    known = [part.judged_shares for part in parts if part.judged_shares is not None]
    shares = known[0]._replace(values=np.concatenate([one.values for one in known])) if known else None
    return RunScores(tuple(tags), parts[0].qids, values, mask, any_judged=any_judged, judged_shares=shares)


def score(judged: Judged | JudgedBlocks, measures: Sequence[Measure]) -> Floats:
    """The scores as an array (runs, topics, measures)."""
    return as_judged_blocks(judged).map_topics(score_block, measures)


def score_block(judged: Judged, measures: Sequence[Measure]) -> Floats:
    """The scores of one block, computed in this process."""
    return _stack(judged, [*map(Measure.scores, measures, _inputs(judged, measures))])


def _inputs(judged: Judged, measures: Sequence[Measure]) -> list[Judged]:
    # most judgments say that a document is not relevant, and most measures do not look at those
    positive = judged.positive()
    return [judged if measure.sees_nonrelevant else positive for measure in measures]


def _stack(judged: Judged, scores: Sequence[Floats]) -> Floats:
    return np.stack([column.reshape(judged.shape) for column in scores], axis=-1)


def aggregate_scores(scores: Floats, measures: Sequence[Measure], topic_mask: Mask | None = None) -> Floats:
    """The scores over topics, each measure in its own way, as an array (runs, measures).

    `topic_mask` is a mask (runs, topics) of the topics that count.
    """
    values = scores
    if topic_mask is not None and np.count_nonzero(topic_mask) < topic_mask.size:
        values = np.where(topic_mask[..., None], scores, np.nan)
    by_measure = np.ascontiguousarray(values.swapaxes(-2, -1))
    by_kind = {kind: AGGREGATES[kind](by_measure) for kind in {measure.aggregate for measure in measures}}
    if len(by_kind) == 1:
        return next(iter(by_kind.values()))
    return np.stack([by_kind[measure.aggregate][..., i] for i, measure in enumerate(measures)], axis=-1)


def is_answered(judged: Judged) -> Mask:
    """Which run retrieved anything for which topic."""
    return (judged.retrieved > 0).reshape(judged.shape)


def mean(values: Floats) -> Floats:
    """The mean of the last axis without the undefined, NaN where nothing is defined.

    >>> mean(np.array([[1.0, np.nan, 0.0], [np.nan, np.nan, np.nan]]))
    array([0.5, nan])
    """
    if size := values.shape[-1]:
        means = np.asarray(_sum_in_order(values) / size)
        if not np.isnan(means).any():
            return means
    return ratio(total(values), np.sum(~np.isnan(values), axis=-1), undefined=np.nan)


def total(values: Floats) -> Floats:
    """The sum of the last axis without the undefined."""
    return _sum_in_order(np.where(np.isnan(values), 0.0, values))


def _sum_in_order(values: Floats) -> Floats:
    # one value after the other, as trec_eval: the last bit decides how a mean such as 0.03325 is rounded
    if not values.shape[-1]:
        return np.zeros(values.shape[:-1])
    return np.asarray(np.add.accumulate(values, axis=-1)[..., -1])


def geometric_mean(values: Floats) -> Floats:
    """The geometric mean of the last axis; what is below .00001 counts as that, as in trec_eval.

    >>> geometric_mean(np.array([[0.1, 0.001], [0.1, 0.0]])).round(6)
    array([0.01 , 0.001])
    """
    return np.exp(mean(np.log(np.maximum(values, FLOOR))))


AGGREGATES: Mapping[Aggregate, Callable[[Floats], Floats]] = {
    "mean": mean,
    "sum": total,
    "geometric mean": geometric_mean,
}


def run_table(
    tags: Sequence[str], measures: Sequence[Measure], values: Floats, judged: Floats | None = None
) -> DataFrame:
    """Values (runs, measures) as a table: run, measure, value and, where they are given, the judged shares."""
    names = tuple(str(measure) for measure in measures)
    runs = tuple(tag for tag in tags for _ in names)
    texts = {"run": _cached_text(runs).copy(), "measure": _cached_text(names * len(tags)).copy()}
    return _make_frame(texts, _number_columns(values, judged))


def topic_table(scores: RunScores, measures: Sequence[Measure], topic_mask: Mask) -> DataFrame:
    """Scores as a table: run, query_id, measure, value and, where known, judged; only topics that count."""
    run, topic = np.nonzero(topic_mask)
    names = [str(measure) for measure in measures]
    texts = {
        "run": np.repeat(_text_column(scores.tags)[run], len(names)),
        "query_id": np.repeat(_text_column(scores.qids)[topic], len(names)),
        "measure": np.tile(_text_column(names), len(run)),
    }
    shares = scores.judged_shares
    judged = None if shares is None else shares.spread_cutoffs(shares.values[topic_mask])
    return _make_frame(
        {name: _text(column) for name, column in texts.items()}, _number_columns(scores.values[topic_mask], judged)
    )


def _number_columns(values: Floats, judged: Floats | None) -> dict[str, Floats]:
    numbers = {"value": values.ravel()}
    return numbers if judged is None else {**numbers, "judged": judged.ravel()}


Texts: TypeAlias = np.ndarray[tuple[int], np.dtype[np.object_]]


def _text_column(names: Sequence[str]) -> Texts:
    return np.array([*names, None], dtype=object)[:-1]


def _make_frame(texts: Mapping[str, Any], numbers: Mapping[str, Floats]) -> DataFrame:
    """Columns of text, and of numbers: what DataFrame makes of them by looking at each value, in a tenth."""
    import pandas as pd

    if (arrow := _arrow()) is None:
        return pd.DataFrame({**texts, **numbers})
    values = np.stack([*numbers.values()])
    blocks = [(column, np.array([at])) for at, column in enumerate(texts.values())]
    blocks.append((values, np.arange(len(texts), len(texts) + len(numbers))))
    rows = pd.RangeIndex.from_range(range(values.shape[1]))
    return cast("DataFrame", arrow.frame(blocks, rows, _header((*texts, *numbers)).view()))


class _Arrow(NamedTuple):
    """What makes text of pandas of an array, and a frame of columns."""

    text: Callable[[Texts], Any]
    frame: Callable[..., Any]


@cache
def _arrow() -> _Arrow | None:
    """None where pandas does not keep text in Arrow."""
    if not is_installed("pyarrow"):
        return None
    import pandas as pd

    kind = pd.StringDtype(na_value=np.nan) if pd.__version__ >= "3" else None
    if kind is None or kind.storage != "pyarrow":
        return None
    import pyarrow as pa

    text: Any = pd.arrays.ArrowStringArray
    frame = import_module("pandas.api.internals").create_dataframe_from_blocks
    return _Arrow(lambda names: text(pa.array(names, pa.large_string()), dtype=kind), frame)


def _text(names: Texts) -> Any:
    arrow = _arrow()
    return names if arrow is None else arrow.text(names)


@lru_cache(20)
def _cached_text(names: tuple[str, ...]) -> Any:
    return _text(_text_column(names))


@cache
def _header(names: tuple[str, ...]) -> Any:
    import pandas as pd

    return pd.Index(names)


def curve(judged: Judged, rel: float = 1, rule: str = "trec_eval") -> Floats:
    """The precision of each run at each of the eleven points, as an array (runs, 11); for the rules see IPrec.

    They show where one system is better than another, early or late, which no single number can. They mislead near
    recall 1, where few topics have points, and between the points of topics with few relevant documents (see IPrec).

    >>> from cranfield.metrics.examples import example
    >>> curve(example([1, 0, 1, 0])).round(2).tolist()[0]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.67, 0.67, 0.67]
    >>> curve(example([1, 0, 1, 0]), rule="exact").round(2).tolist()[0]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.67, 0.67, 0.67, 0.67, 0.67]
    """
    points = [IPREC.set(recall=point, rel=rel, rule=rule) for point in RECALL_POINTS]
    return aggregate_scores(score(judged, points), points)


def precision_recall(
    qrels: QrelsLike | Judged, runs: RunsLike | None = None, rel: float = 1, rule: str = "trec_eval"
) -> DataFrame:
    """The interpolated curve, a mean over topics, as a table: run, recall, precision."""
    import pandas as pd

    from cranfield.metrics.inputs import join_judged

    judged = join_judged(qrels, runs)
    tags = np.repeat(np.array(judged.tags, dtype=object), len(RECALL_POINTS))
    recall = np.tile(RECALL_POINTS, len(judged.tags))
    return pd.DataFrame({"run": tags, "recall": recall, "precision": curve(judged, rel, rule).ravel()})


def topic_curves(qrels: QrelsLike | Judged, runs: RunsLike | None = None, rel: float = 1) -> DataFrame:
    """The curves of single topics, not interpolated: a point at each relevant document found.

    Columns run, query_id, rank, recall, precision; a topic for which a run finds nothing has no point.

    >>> run_scores = {"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> topic_curves({"q": {"d1": 1, "d3": 1}}, run_scores)[["rank", "recall", "precision"]].round(2).values.tolist()
    [[1.0, 0.5, 1.0], [3.0, 1.0, 0.67]]
    """
    import pandas as pd

    from cranfield.metrics.inputs import join_judged

    judged = join_judged(qrels, runs)
    hit = judged.relevant(rel)
    run, topic = np.divmod(hit.ranking, max(len(judged.qids), 1))
    return pd.DataFrame(
        {
            "run": np.array(judged.tags, dtype=object)[run],
            "query_id": np.array(judged.qids, dtype=object)[topic],
            "rank": hit.rank,
            "recall": hit.nth / judged.num_relevant(rel)[hit.ranking],
            "precision": hit.nth / hit.rank,
        }
    )


def note_on_scale(highest: float, measures: Iterable[Measure], scale_top: int | None) -> str:
    """Return the note on measures that assume the scale ends at the highest grade in the judgments, or "".

    >>> from cranfield.metrics.notation import parse_measures
    >>> measures = parse_measures(["AP", "ERR@10", "ERR(max_grade=3)"])
    >>> note_on_scale(2, measures, scale_top=3)
    "ERR@10: 2, the highest grade in the judgments, is used as the highest grade of the scale, but the store's scale
    ends at 3; use ERR(max_grade=3)@10"
    >>> note_on_scale(2, measures, scale_top=None).partition("; ")[2]
    'if the scale ends higher, use ERR(max_grade=N)@10'
    >>> note_on_scale(3, measures, scale_top=3)
    ''
    """
    guessing = [one for one in measures if one.options.get("max_grade", 0) is None]
    if not guessing or highest == scale_top:
        return ""
    found = (
        f"{join_words(list(map(str, guessing)))}: {highest:g}, the highest grade in the judgments, is used as the "
        "highest grade of the scale"
    )
    if scale_top is not None:
        return f"{found}, but the store's scale ends at {scale_top}; use {guessing[0].set(max_grade=scale_top)}"
    example = str(guessing[0].set(max_grade=1)).replace("max_grade=1", "max_grade=N")
    return f"{found}; if the scale ends higher, use {example}"
