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
    """Score the generated answers in a store by the labels for their nuggets and citations.

    Pass it to `evaluate`, `compare`, `plan_topics`, `reusability` or `leave_one_out`. The last two functions leave out
    the nuggets that come from one run's or team's answers; nuggets without a recorded origin always stay.

    Parameters
    ----------
    nuggets : {"people", "models", "all"}, optional
        Kind of authors whose nuggets count; by default people if they wrote any, otherwise models. A model's nugget
        counts as human-written once a person has reworded it or confirmed its importance.
    labelled_topics_only : bool
        Leave out topics for which any answer lacks labels; only for `evaluate`.
    """

    nuggets: Literal["people", "models", "all"] | None = None
    labelled_topics_only: bool = False

    scored: ClassVar[ScoredKind] = "answers"

    def __post_init__(self) -> None:
        nuggets_by(self.nuggets)

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        nuggets, labellers = nuggets_by(self.nuggets), view.setting.labellers
        if labellers.ignore_own_id:
            raise OptionError("ignore_own_id", "applies only to rankings; omit it when you use --answers")
        if setting.depth is not None:
            raise OptionError("depth", "applies only to rankings; omit it when you use --answers")
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
            raise OptionError("topics", "applies only to rankings; omit it when you use --answers")
        if self.labelled_topics_only:
            raise InputError("labelled_topics_only is True; only evaluate accepts it")
