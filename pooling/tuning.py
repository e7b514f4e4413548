"""Fusion whose method and options are chosen on other topics than those that it is scored on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels, Runs
from cranfield.errors import InputError
from cranfield.metrics.evaluate import aggregate_scores, score_block
from cranfield.metrics.measure import Measure
from cranfield.pooling.build import fuse
from cranfield.pooling.methods import fusion_method_named


class FusionSetting(NamedTuple):
    """A method with options, and its name."""

    name: str
    method: str
    options: Mapping[str, object]


class Fold(NamedTuple):
    """Held-out topics, the setting chosen on the others, and means on both."""

    topics: Ints
    chosen: int
    training: float
    held_out: float
    untuned: float


class TunedFusion(NamedTuple):
    """The folds, and the means over all topics, each held out once; of runs by tag."""

    folds: Sequence[Fold]
    tuned: float
    untuned: float
    runs: Mapping[str, float]


def tune_fusion_settings(
    runs: Runs,
    qrels: Qrels,
    measure: Measure,
    settings: Sequence[FusionSetting],
    *,
    untuned: FusionSetting,
    n_folds: int = 5,
    seed: int = 0,
    depth: int = 1000,
) -> TunedFusion:
    """Choose for each fold the setting with the best mean on the topics of the others; the first one of equals.

    A setting has nothing to be fitted, so that its mean on the training topics is what an inner cross-validation gives.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> from cranfield.metrics.notation import parse
    >>> runs = as_runs({"a": {t: {"x": 9.0, "y": 1.0} for t in "12"}, "b": {t: {"y": 1.0} for t in "12"}})
    >>> sums = [FusionSetting(name, name, {}) for name in ("combmax", "combsum")]
    >>> qrels = as_qrels({t: {"y": 1} for t in "12"})
    >>> result = tune_fusion_settings(runs, qrels, parse("RR"), sums, untuned=sums[0], n_folds=2)
    >>> result.tuned, result.untuned, result.runs, [fold.chosen for fold in result.folds]
    (1.0, 1.0, {'a': 0.5, 'b': 1.0}, [0, 0])
    """
    fused = [_topic_scores(_fuse_runs(runs, one, depth), qrels, measure) for one in (untuned, *settings)]
    scores, singles = np.concatenate(fused), _topic_scores(runs, qrels, measure)
    n_topics = scores.shape[1]
    if n_topics < 2 or not 2 <= n_folds <= n_topics:
        raise InputError(
            f"{n_folds} folds of {n_topics} judged topics; expected 2 or more folds, and at most 1 fold per topic"
        )
    order = np.random.default_rng(seed).permutation(n_topics)
    folds, tuned = list[Fold](), np.empty((1, n_topics))
    for topics in (np.sort(part) for part in np.array_split(order, n_folds)):
        is_held_out = np.isin(np.arange(n_topics), topics)
        training, held_out = _run_means(scores, measure, ~is_held_out), _run_means(scores, measure, is_held_out)
        chosen = int(np.nanargmax(training[1:].round(12))) if not np.isnan(training[1:]).all() else 0
        tuned[0, topics] = scores[1 + chosen, topics]
        folds.append(Fold(topics, chosen, training[1 + chosen], held_out[1 + chosen], held_out[0]))
    everything = np.ones(n_topics, bool)
    by_tag = dict(zip(runs.tags, _run_means(singles, measure, everything).tolist(), strict=True))
    return TunedFusion(
        folds,
        float(_run_means(tuned, measure, everything)[0]),
        float(_run_means(scores, measure, everything)[0]),
        by_tag,
    )


def _fuse_runs(runs: Runs, setting: FusionSetting, depth: int) -> Runs:
    return fuse(runs, fusion_method_named(setting.method), options=setting.options, depth=depth, keep=depth)


def _topic_scores(runs: Runs, qrels: Qrels, measure: Measure) -> Floats:
    """Runs x topics."""
    return score_block(join_runs_with_common_topics(runs, qrels), [measure])[..., 0]


def _run_means(scores: Floats, measure: Measure, topics: Mask) -> Floats:
    mask = np.broadcast_to(topics, scores.shape)
    return aggregate_scores(scores[..., None], [measure], mask)[:, 0]
