"""Scores of the answers of a store, for the commands that evaluate and compare runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.analysis.answers.judged import LabelledAnswers, labelled_answers
from cranfield.analysis.answers.leave_one_out import LEAVING_OUT, NuggetsLeftOut, without_contributors
from cranfield.analysis.answers.scores import MEASURES, answer_scores, left_open, of_labelled_topics
from cranfield.errors import InputError
from cranfield.metrics.evaluate import RunScores
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation.parse import MeasureLike, parse_all
from cranfield.source import Place, Tell, is_store, name_of, opened
from cranfield.store.answers.answers import answer_runs
from cranfield.store.labelled_by import LabelledBy


def answers_of(
    paths: Sequence[Place],
    measures: MeasureLike | Iterable[MeasureLike] | None,
    assessor: str | None,
    labels: LabelledBy,
    tell: Tell,
    nuggets: LabelledBy | None = None,
) -> tuple[LabelledAnswers, tuple[Measure, ...]]:
    """The labelled answers of a store, and the measures; files have no answers."""
    place, *more = paths
    if not is_store(place) or more:
        raise InputError("answers are in a store; give a store, and nothing else", name_of(more[0] if more else place))
    asked = parse_all(measures or MEASURES, of="answers")
    with opened(place) as store:
        return labelled_answers(store, asked, assessor, labels, tell, nuggets), asked


def evaluated(
    paths: Sequence[Place],
    measures: MeasureLike | Iterable[MeasureLike] | None,
    assessor: str | None,
    labels: LabelledBy,
    tell: Tell,
    labelled_topics_only: bool = False,
    nuggets: LabelledBy | None = None,
) -> tuple[RunScores, tuple[Measure, ...]]:
    """The scores of the answers of a store; `tell` is called with whose labels count, and what is NaN and why."""
    found, asked = answers_of(paths, measures, assessor, labels, tell, nuggets)
    scores = answer_scores(found.judged, asked)
    whole = len(scores.qids)
    if labelled_topics_only:
        scores = of_labelled_topics(scores)
    for line in left_open(scores, asked, whole):
        tell(line)
    return scores, asked


def left_out(
    paths: Sequence[Place],
    measures: MeasureLike | Iterable[MeasureLike] | None,
    by: str,
    assessor: str | None,
    labels: LabelledBy,
    tell: Tell,
    nuggets: LabelledBy | None = None,
) -> NuggetsLeftOut:
    """What each unit whose answers gave nuggets loses without them."""
    found, asked = answers_of(paths, measures or LEAVING_OUT, assessor, labels, tell, nuggets)
    with opened(paths[0]) as store:
        about = answer_runs(store)
    return without_contributors(found, about, by, asked, tell)
