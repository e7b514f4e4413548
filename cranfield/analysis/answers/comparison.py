"""The answers of a store by topic, as runs are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pandas import DataFrame

from cranfield.analysis.answers.evaluation import answers_of
from cranfield.analysis.answers.scores import answer_scores
from cranfield.metrics.evaluate import topic_table
from cranfield.metrics.notation.parse import MeasureLike
from cranfield.source import Place, Tell
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

DEFAULT = ("V_strict",)


def topic_scores(
    paths: Sequence[Place],
    measures: MeasureLike | Iterable[MeasureLike] | None,
    assessor: str | None,
    labels: LabelledBy,
    tell: Tell,
    nuggets: LabelledBy | None = None,
) -> DataFrame:
    """The scores by topic; runs are compared where both are defined."""
    found, asked = answers_of(paths, measures or DEFAULT, assessor, labels, tell, nuggets)
    scores = answer_scores(found.judged, asked)
    assert scores.failed is not None
    if failed := int(scores.failed.any(axis=2).sum()):
        what = "lacks" if failed == 1 else "lack"
        of = found.judged.answered.size
        tell(f"{counted(failed, 'answer')} of {of} {what} labels; pairs are compared without them")
    return topic_table(scores, asked, scores.counted(False))
