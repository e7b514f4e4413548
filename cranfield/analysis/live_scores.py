"""Scores of runs while judging goes on: how far the missing labels can move them, and which orders are still open."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Runs
from cranfield.metrics.evaluate import aggregate_scores, mean, score
from cranfield.metrics.forecast.forecaster import Forecaster, fit_forecaster, unjudged_pairs
from cranfield.metrics.forecast.forecasts import worst_case_scores
from cranfield.metrics.forecast.outcomes import difference_bounds
from cranfield.metrics.measure import Measure
from cranfield.text import counted, join_words
from cranfield.view import View

N_BEST = 5  # runs of which every pair is examined
MAX_NAMED = 3
ROUNDING = 1e-12


class LiveScore(NamedTuple):
    """The score of a run as judged, its bounds, and the judged share of its documents within the depth.

    The bounds range over the labels of the run's own unjudged documents. They are NaN if they are not known for the
    measure.
    """

    run: str
    score: float
    low: float
    high: float
    judged: float


class LiveScores(NamedTuple):
    """The scores of all runs, best first, and the pairs of the best runs whose order is open.

    The order of a pair is open if labels of the unjudged documents of its two runs can change it. `challengers` are the
    other runs whose order with the last of the best runs is open. `topics` have labels and are scored;
    `unlabelled_topics` are topics of the pool without labels.
    """

    measure: Measure
    depth: int
    scores: Sequence[LiveScore]
    topics: int
    unlabelled_topics: int
    open_pairs: Sequence[tuple[str, str]]
    examined_pairs: int
    challengers: Sequence[str] = ()

    @property
    def has_bounds(self) -> bool:
        """Whether the bounds of the measure are known."""
        return any(one.low == one.low for one in self.scores)

    @property
    def order_in_words(self) -> str:
        """Which of the best runs cannot be told apart yet, and which other runs can still catch up with one of them.

        >>> def words(*pairs, examined=3, unlabelled=0, low=0.1, challengers=()):
        ...     runs = [LiveScore(name, 0.5, low, 0.9, 1.0) for name in "abc"]
        ...     return LiveScores(None, 10, runs, 4, unlabelled, pairs, examined, challengers).order_in_words
        >>> words(("a", "b"))
        'The order of 1 of the 3 pairs of the 3 best runs is open: a and b.'
        >>> words(("a", "b"), examined=1)
        'The order of all pairs of the 3 best runs is open: a and b.'
        >>> words(unlabelled=2)
        'On the 4 topics with labels, the order of the 3 best runs is settled to 10 ranks.'
        >>> words(challengers=["d"])
        'The order of the 3 best runs is settled to 10 ranks. Another run can still catch up with one of them: d.'
        >>> words(("a", "b"), challengers="defgh").partition(": ")[2]
        'a and b. Another 5 runs can still catch up with one of them: d, e and f; and 2 more.'
        >>> words(low=float("nan"))
        'Bounds are not known for this measure, so this page cannot say whether missing labels can change the order.'
        """
        if len(self.scores) < 2:
            return "There is only one run, so there is no order that could change."
        if not self.has_bounds:
            reason = "so this page cannot say whether missing labels can change the order"
            return f"Bounds are not known for this measure, {reason}."
        best = counted(min(len(self.scores), N_BEST), "best run")
        where = f"On the {counted(self.topics, 'topic')} with labels, " if self.unlabelled_topics else ""
        if not self.open_pairs:
            text = f"{where}the order of the {best} is settled to {counted(self.depth, 'rank')}."
        else:
            named = "; ".join(join_words(pair, "and") for pair in self.open_pairs[:MAX_NAMED])
            others = len(self.open_pairs) - MAX_NAMED
            is_all = len(self.open_pairs) == self.examined_pairs
            pairs = "all pairs" if is_all else f"{len(self.open_pairs)} of the {counted(self.examined_pairs, 'pair')}"
            rest = f"; and {others} more" if others > 0 else ""
            text = f"{where}the order of {pairs} of the {best} is open: {named}{rest}."
        return text[:1].upper() + text[1:] + self._challengers_text

    @property
    def _challengers_text(self) -> str:
        if not self.challengers:
            return ""
        runs = "run" if len(self.challengers) == 1 else f"{len(self.challengers)} runs"
        more = len(self.challengers) - MAX_NAMED
        rest = f"; and {more} more" if more > 0 else ""
        named = join_words(self.challengers[:MAX_NAMED], "and")
        return f" Another {runs} can still catch up with one of them: {named}{rest}."


def live_scores(view: View, measure: Measure, depth: int) -> LiveScores:
    """Score the runs of a view as judged, with bounds over all labels of their unjudged documents to a depth.

    >>> from cranfield.metrics.notation import parse
    >>> runs = {"a": {"q": {"d": 2.0, "e": 1.0}}, "b": {"q": {"e": 2.0, "f": 1.0}}}
    >>> found = live_scores(View({"q": {"d": 1, "e": 0}}, runs), parse("P@2"), 10)
    >>> [tuple(one) for one in found.scores], found.open_pairs
    ([('a', 0.5, 0.5, 0.5, 1.0), ('b', 0.0, 0.0, 0.5, 0.5)], [('a', 'b')])
    """
    judged, runs, qrels = view.judged, view.runs.loaded, view.qrels
    forecaster = _unfitted_forecaster(view, depth)
    means = aggregate_scores(score(judged, [measure]), [measure])[:, 0].tolist()
    bounds = [limits[0] for limits in worst_case_scores(forecaster, runs, [measure])]
    judged_shares = (1 - unjudged_pairs(forecaster, runs).share).tolist()
    scores = [
        LiveScore(tag, value, low, high, share)
        for tag, value, (low, high), share in zip(judged.tags, means, bounds, judged_shares, strict=True)
    ]
    scores.sort(key=lambda one: (-one.score if one.score == one.score else np.inf, one.run))
    best = [one.run for one in scores[:N_BEST]]
    pairs = list(combinations(best, 2))
    reach = scores[len(best) - 1].low if best else np.nan
    challenges = [(best[-1], one.run) for one in scores[N_BEST:] if one.high > reach - ROUNDING]
    without = sum(qid not in set(qrels.qids) for qid in view.pool_sizes)
    open_pairs = _open_pairs(forecaster, runs, measure, pairs)
    challengers = [other for _, other in _open_pairs(forecaster, runs, measure, challenges)]
    return LiveScores(measure, depth, scores, len(judged.qids), without, open_pairs, len(pairs), challengers)


def _unfitted_forecaster(view: View, depth: int) -> Forecaster:
    """A forecaster of one run, of which no model is fitted: bounds need only its judgments and its depth."""
    runs = view.runs.loaded
    return fit_forecaster(runs.select(list(runs.tags[:1])), view.qrels, depth, rel=view.min_relevant)


def _open_pairs(
    forecaster: Forecaster, runs: Runs, measure: Measure, pairs: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    if not pairs:
        return []
    runs = runs.select(list(dict.fromkeys(tag for pair in pairs for tag in pair)))
    places = {tag: place for place, tag in enumerate(runs.tags)}
    first, second = (np.array([places[pair[side]] for pair in pairs]) for side in (0, 1))
    low, high, _ = difference_bounds(forecaster, runs, measure, first, second)
    least, greatest = (np.nan_to_num(mean(ends)) for ends in (low, high))
    is_open = (least < ROUNDING) & (greatest > -ROUNDING) & (greatest - least > ROUNDING)
    return [pair for pair, one in zip(pairs, is_open, strict=True) if one]
