"""What evaluate scores of passages."""

from dataclasses import dataclass

from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting, score_rankings
from cranfield.arrays.blocks import as_judged_blocks
from cranfield.arrays.join import meet
from cranfield.call_view import CallView
from cranfield.commands.subject import Subject
from cranfield.features.documents.relation import Relation, best_passages, highest_grades, said_of_short
from cranfield.metrics.notation import parse_all

FEWEST = 100  # documents that a ranking should have for a measure without a cutoff


@dataclass(frozen=True)
class PassageDocuments(Subject):
    """Score the documents of passages, for `evaluate`: each by its best passage and its highest grade."""

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        relation = view.ask_store(Relation.from_store, Relation())
        relation.check(view.runs.loaded, view.qrels)
        runs, judgments = best_passages(view.runs, relation), highest_grades(view.qrels, relation)
        cutoffs = [measure.options.get("cutoff") for measure in parse_all(setting.measures, view.min_relevant)]
        depth = max(cutoff if isinstance(cutoff, int) else FEWEST for cutoff in cutoffs)
        for line in (*judgments.notes(), *said_of_short(runs, depth)):
            view.tell(line)
        return score_rankings(
            as_judged_blocks(meet(runs, judgments.qrels)), setting, view.min_relevant, view.tell, view.pool_depth,
            scale_top=max(view.grade_scale, default=None),
        )  # fmt: skip
