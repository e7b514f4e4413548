"""What evaluate scores of variations of topics."""

from dataclasses import dataclass

from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting, score_rankings
from cranfield.call_view import CallView
from cranfield.commands.subject import Subject
from cranfield.errors import InputError
from cranfield.features.collecting.variations import spread_lines, variation_means, variations
from cranfield.text import counted


@dataclass(frozen=True)
class Variations(Subject):
    """Score the systems of a store by their means over the variations of each topic, for `evaluate`.

    Parameters
    ----------
    weighted : bool
        Weight each variation by the number of people who phrased the topic so.
    """

    weighted: bool = False

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        if not view.is_stored:
            raise InputError("--variations needs a store, which has them")
        rankings, measures, unmet = score_rankings(
            view.blocks, setting, view.min_relevant, view.tell, view.pool_depth, scale_top=view.top_of_scale
        )
        means = variation_means(rankings, view.run_info, view.ask_store(variations, []), weighted=self.weighted)
        if missing := len(rankings.qids) - len(means.scores.qids):
            view.tell(f"{counted(missing, 'topic')} without variations left out")
        for line in spread_lines(means, measures):
            view.tell(line)
        return means.scores, measures, unmet
