"""What evaluate, compare and reusability score of generated answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pandas import DataFrame

from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting
from cranfield.analysis.outcomes import CompareSetting
from cranfield.analysis.reusability import ReusabilitySetting
from cranfield.arrays import WhichTopics
from cranfield.arrays.judged import Unmet
from cranfield.call_view import CallView
from cranfield.commands.subject import Subject
from cranfield.errors import InputError
from cranfield.features.answers.analysis import evaluation
from cranfield.features.answers.analysis.evaluation import NuggetsLeftOut
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.hooks import OptionError
from cranfield.metrics.measure import ScoredKind
from cranfield.options.trusting import MEASURES


@dataclass(frozen=True)
class GeneratedAnswers(Subject):
    """Score the generated answers of a store by the labels of their nuggets and citations.

    `evaluate`, `compare`, `plan_topics`, `reusability` and `leave_one_out` take it. The last two leave out the nuggets
    that come from the answers of one run or team; nuggets whose origin is not on record stay.

    Parameters
    ----------
    nuggets : {"people", "models", "all"}, optional
        Whose nuggets count; people's where there are any, otherwise models'. A nugget that a model wrote is people's
        once a person has worded or weighed it.
    labelled_topics_only : bool
        Leave out topics on which the labels of any answer are missing; only for `evaluate`.
    """

    nuggets: Literal["people", "models", "all"] | None = None
    labelled_topics_only: bool = False

    scored: ClassVar[ScoredKind] = "answers"

    def __post_init__(self) -> None:
        nuggets_by(self.nuggets)

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        nuggets, labellers = nuggets_by(self.nuggets), view.setting.labellers
        if labellers.ignore_own_id:
            raise OptionError("ignore_own_id", "is of rankings, and works without --answers")
        if setting.depth is not None:
            raise OptionError("depth", "is of rankings, and works without --answers")
        values, measures = evaluation.scores_of(
            view, setting.chosen_measures, labellers, view.tell,
            labelled_topics_only=self.labelled_topics_only, nuggets=nuggets,
        )  # fmt: skip
        return values, measures, Unmet()

    def score_topics(self, view: CallView, setting: CompareSetting) -> DataFrame:
        nuggets = nuggets_by(self.nuggets)
        self._check_options(view.which)
        return evaluation.topic_scores(view, setting.measures, view.setting.labellers, view.tell, nuggets=nuggets)

    def leave_out_units(
        self, view: CallView, setting: ReusabilitySetting, units: Mapping[str, Sequence[str]] | None
    ) -> NuggetsLeftOut:
        nuggets = nuggets_by(self.nuggets)
        self._check_options(setting.which)
        pool, teams = view.setting.pool, view.setting.teams
        if any((setting.depth, pool, teams, setting.protect, setting.relevant_only, units)) or setting.by == "cluster":
            raise OptionError("answers", "works with --by run, team or kind, -m, --assessor, --labels and --nuggets")
        measures = None if setting.measures is MEASURES else setting.measures
        return evaluation.left_out(
            view, measures, setting.by or "run", labellers=view.setting.labellers, tell=view.tell, nuggets=nuggets
        )

    def _check_options(self, topics: WhichTopics) -> None:
        if topics is not WhichTopics.all:
            raise OptionError("topics", "is of rankings, and works without --answers")
        if self.labelled_topics_only:
            raise InputError("labelled_topics_only is True; only evaluate takes it")
