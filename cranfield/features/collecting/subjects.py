"""Variations of topics, which are searched and scored."""

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting, score_rankings
from cranfield.call_view import CallView
from cranfield.commands.calls import open_store_call
from cranfield.commands.runs import searched_runs
from cranfield.commands.subject import Subject
from cranfield.errors import InputError
from cranfield.features.collecting.variations import search_variations, spread_lines, variation_means, variations
from cranfield.hooks import OptionError
from cranfield.options.arguments import StoreLike
from cranfield.results import Result
from cranfield.text import counted


@dataclass(frozen=True)
class Variations(Subject):
    """Score systems by their means over the variations of each topic, or search for each variation.

    Pass it to `evaluate` to score runs, or to `search_corpus` to search.

    Parameters
    ----------
    weighted : bool
        Weight each variation by the number of people who used it.
    """

    weighted: bool = False

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        view.require_store(InputError("--variations needs a store with variations"))
        rankings, measures, unmet = score_rankings(view, setting, view.blocks)
        means = variation_means(rankings, view.run_info, view.read_from_store(variations, []), weighted=self.weighted)
        if missing := len(rankings.qids) - len(means.scores.qids):
            view.tell(f"{counted(missing, 'topic')} without variations left out")
        for line in spread_lines(means, measures):
            view.tell(line)
        return means.scores, measures, unmet

    def search(
        self, store: StoreLike | None, systems: Sequence[str] | None, depth: int, *, extend: bool, tag: str | None
    ) -> Result:
        if store is None:
            raise OptionError("variations", "needs a store")
        if extend or tag is not None:
            raise OptionError("variations", "goes without --extend and --tag")
        with open_store_call(store) as call:
            tags = search_variations(call.store, systems, depth)
            line = f"{counted(len(tags), 'run')}: {', '.join(tags[:10])}{', ...' if len(tags) > 10 else ''}"
            return searched_runs(call, tags, line)
