"""The scores of runs by measures of answers, and what is undefined or lacks labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.arrays.rankings import Mask
from cranfield.errors import InputError
from cranfield.metrics.answers.judged import JudgedAnswers
from cranfield.metrics.evaluate import RunScores
from cranfield.metrics.measure import Measure
from cranfield.text import counted

MEASURES = ("V_strict", "V", "A", "W")


def answer_scores(judged: JudgedAnswers, measures: Sequence[Measure]) -> RunScores:
    """The scores of every run; NaN where a label failed or is missing, which `failed` tells from undefined."""
    values = _scores(judged, measures)
    failed = np.isnan(values) & ~np.isnan(_scores(judged.labelled(), measures))
    return RunScores(judged.tags, judged.qids, values, judged.answered, failed)


def _scores(judged: JudgedAnswers, measures: Sequence[Measure]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.stack([measure.scores(judged).reshape(judged.shape) for measure in measures], axis=-1)


def of_labelled_topics(scores: RunScores) -> RunScores:
    """Only the topics on which no score of any run lacks a label."""
    assert scores.failed is not None
    kept = np.asarray(~scores.failed.any(axis=(0, 2)))
    if not kept.any():
        raise InputError("on every topic some answer lacks labels; label more, or ask for fewer measures")
    qids = tuple(qid for qid, one in zip(scores.qids, kept, strict=True) if one)
    return RunScores(scores.tags, qids, scores.values[:, kept], scores.answered[:, kept], scores.failed[:, kept])


def left_open(scores: RunScores, measures: Sequence[Measure], whole: int) -> Iterator[str]:
    """What is NaN and why, a line for each measure; `whole` is how many topics there are."""
    assert scores.failed is not None
    if left := whole - len(scores.qids):
        answers = "an answer that lacks" if left == 1 else "answers that lack"
        yield f"{counted(left, 'topic')} left out, with {answers} labels; {len(scores.qids)} of {whole} are counted"
    for measure, values, failed in zip(
        measures, np.moveaxis(scores.values, -1, 0), np.moveaxis(scores.failed, -1, 0), strict=True
    ):
        yield from _undefined(measure, np.isnan(values) & ~failed)
        if failed.any():
            runs = int(failed.any(axis=1).sum())
            has = "the mean of its run is" if runs == 1 else f"the means of {runs} runs are"
            answers = counted(int(failed.sum()), "answer")
            yield (
                f"{measure} is NaN for {answers} of {failed.size}, with labels that failed or are missing, and so"
                f" {has}; --labelled-topics-only averages over the other topics"
            )


def _undefined(measure: Measure, undefined: Mask) -> Iterator[str]:
    """On which topics a measure is undefined for every run, and for how many answers to other topics."""
    everywhere = undefined.all(axis=0)
    if topics := int(everywhere.sum()):
        yield f"{measure} is undefined on {counted(topics, 'topic')}, which its means leave out{WHY[measure.needs]}"
    if answers := int(undefined[:, ~everywhere].sum()):
        of = f"{counted(answers, 'answer')} of {undefined.size}"
        runs = "the mean of its run leaves" if answers == 1 else "the means of their runs leave"
        yield f"{measure} is undefined for {of}{WITHOUT.get(measure.needs, '')}, which {runs} out"


WHY = {
    "nuggets": ": they have no such nugget",
    "support": "",
    "contexts": "",
    "reference": ": they have no reference answer",
    "statements": ": no answer states anything",
    "questions": "",
}
WITHOUT = {"statements": ", without statements"}
