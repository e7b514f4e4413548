"""The kinds of labels of answers that people give at the keyboard, or a model instead of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.features.answers.by_model import labelling, whole
from cranfield.features.answers.by_model.shared import Subject
from cranfield.features.answers.judging.labelling import Begin
from cranfield.features.answers.judging.tasks import Assigning, Attributing, Supporting
from cranfield.features.answers.judging.whole import Comparing, Correcting, Rating
from cranfield.features.answers.store import labels
from cranfield.features.answers.store.labels import LabelLog
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker
from cranfield.store.store import Store


class AnsweredKind(NamedTuple):
    """A kind of labels: what a model is asked and how, what it is of, the prompt; what people do, and the log of both.

    `chosen` are the options of the kind, which both take.
    """

    about: PromptTask
    asks: Callable[..., PlannedAsking]
    noun: str
    prompt: str
    does: Callable[..., Any]
    log: LabelLog
    chosen: Mapping[str, Any] = MappingProxyType({})

    def plan(
        self, store: Store, asker: Asker, topics: Collection[str] | None, again: str, done: Collection[Subject]
    ) -> PlannedAsking:
        """What a model is to be asked, after what it was asked just now."""
        after = {"asked": done} if self.about is labelling.SUPPORT else {}
        return self.asks(store, asker, topics=topics, again=again, **after, **self.chosen)

    @property
    def begin(self) -> Begin:
        """What people do."""
        return partial(self.does, **self.chosen)


def answered_kind(name: str, **chosen: Any) -> AnsweredKind:
    """A kind of labels by its prompt, with its options.

    >>> answered_kind("answers", baseline="bm25").noun
    'pairs of answers'
    """
    return KINDS[name]._replace(chosen=chosen)


KINDS = {
    kind.prompt: kind
    for kind in (
        AnsweredKind(
            labelling.ASSIGNMENT,
            labelling.assigning_asked,
            "nuggets in answers",
            "assignment",
            Assigning,
            labels.NUGGET_LABELS,
        ),
        AnsweredKind(
            labelling.SUPPORT, labelling.supporting_asked, "citations", "support", Supporting, labels.SUPPORT_LABELS
        ),
        AnsweredKind(
            labelling.ATTRIBUTION,
            labelling.attributing_asked,
            "claims",
            "attribution",
            Attributing,
            labels.CLAIM_LABELS,
        ),
        AnsweredKind(whole.RUBRIC, whole.rating_asked, "rubrics", "rubric", Rating, labels.RUBRIC_LABELS),
        AnsweredKind(
            whole.CORRECTNESS,
            whole.correcting_asked,
            "correctness",
            "correctness",
            Correcting,
            labels.CORRECTNESS_LABELS,
        ),
        AnsweredKind(
            whole.COMPARISON, whole.comparing_asked, "pairs of answers", "answers", Comparing, labels.COMPARISON_LABELS
        ),
    )
}
