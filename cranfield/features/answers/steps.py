"""What evaluate, compare and reusability do for answers, in place of what they do for rankings."""

from collections.abc import Iterable
from typing import TypeAlias

from pandas import DataFrame

from cranfield.analysis.evaluation import ScoreSetting
from cranfield.analysis.outcomes import CompareSetting
from cranfield.analysis.reusability import ReusabilitySetting
from cranfield.arrays import WhichTopics
from cranfield.arrays.judged import Unmet
from cranfield.call_view import CallView
from cranfield.features.answers.analysis import evaluation
from cranfield.features.answers.analysis.evaluation import NuggetsLeftOut
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.features.answers.options import AnswerOptions, NuggetOptions
from cranfield.hooks import OptionError
from cranfield.metrics.evaluate import RunScores
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike
from cranfield.options.trusting import MEASURES
from cranfield.selection import LabelledBy
from cranfield.source import Tell

Measures: TypeAlias = "MeasureLike | Iterable[MeasureLike] | None"


def scores(
    own: AnswerOptions, view: CallView, setting: ScoreSetting, *, tell: Tell
) -> tuple[RunScores, tuple[Measure, ...], Unmet]:
    """The scores of the answers of a store."""
    nuggets = _whose_nuggets(own)
    labellers = view.setting.labellers
    if labellers.ignore_own_id:
        raise OptionError("ignore_own_id", "is of rankings, and works without --answers")
    if setting.depth is not None:
        raise OptionError("depth", "is of rankings, and works without --answers")
    values, measures = evaluation.scores_of(
        view, setting.chosen_measures, labellers, tell,
        labelled_topics_only=own.labelled_topics_only, nuggets=nuggets,
    )  # fmt: skip
    return values, measures, Unmet()


def topic_scores(own: NuggetOptions, view: CallView, setting: CompareSetting, *, tell: Tell) -> DataFrame:
    """The scores by topic, to be compared."""
    nuggets = _whose_nuggets(own)
    _refuse_topics(view.which)
    return evaluation.topic_scores(view, setting.measures, view.setting.labellers, tell, nuggets=nuggets)


def left_out(
    own: NuggetOptions, view: CallView, setting: ReusabilitySetting, *, tell: Tell, units: object = None
) -> NuggetsLeftOut:
    """What each unit whose answers gave nuggets loses without them; options of pools, and `units`, are refused."""
    nuggets = _whose_nuggets(own)
    _refuse_topics(setting.which)
    pool_options = (setting.depth, view.setting.pool, view.setting.teams, setting.protect, setting.relevant_only, units)
    if any(pool_options) or setting.by == "cluster":
        raise OptionError("answers", "works with --by run, team or kind, -m, --assessor, --labels and --nuggets")
    measures = None if setting.measures is MEASURES else setting.measures
    return evaluation.left_out(
        view, measures, setting.by or "run", labellers=view.setting.labellers, tell=tell, nuggets=nuggets
    )


def _whose_nuggets(options: AnswerOptions | NuggetOptions) -> LabelledBy | None:
    """Whose nuggets; an error where answers are not asked for."""
    if not options.answers:
        first = next(name for name, value in options._asdict().items() if value)
        raise OptionError(first, "works with --answers")
    return nuggets_by(options.nuggets)


def _refuse_topics(topics: WhichTopics) -> None:
    if topics is not WhichTopics.all:
        raise OptionError("topics", "is of rankings, and works without --answers")
