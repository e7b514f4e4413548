"""What was said of answers as a whole: of their correctness, by rubrics, and of two of them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from math import nan
from typing import Any, NamedTuple

from cranfield.features.answers.analysis.choice import decide_label
from cranfield.features.answers.store.answers import StoredAnswer
from cranfield.features.answers.store.labels import COMPARISON_LABELS, Claim, Item
from cranfield.features.answers.store.nuggets import CountedLabels, counted_labels
from cranfield.features.answers.store.rubrics import RubricQuestion
from cranfield.selection import Labellers
from cranfield.store.store import Store

ItemLabels = Mapping[Item, float | None]
TIE = 0.5


def both_orders(labels: ItemLabels) -> dict[Item, float | None]:
    """Of each pair of answers, the lower number first: 1 the first is better, 0 the second, .5 a tie; None: no answer.

    Where the two orders differ, it is a tie; a pair with a label in one order only has none yet.

    >>> both_orders({(1, 2): 1.0, (2, 1): 0.0, (1, 3): 1.0, (3, 1): 1.0, (2, 3): 1.0, (4, 1): None, (1, 4): 1.0})
    {(1, 2): 1.0, (1, 3): 0.5, (1, 4): None}
    """
    pairs: dict[Item, float | None] = {}
    for first, second in sorted({(min(item), max(item)) for item in labels}):
        if {(first, second), (second, first)} <= labels.keys():
            one, other = labels[first, second], labels[second, first]
            pairs[first, second] = None if one is None or other is None else one if one == 1 - other else TIE
    return pairs


def pair_labels(store: Store, labellers: Labellers) -> CountedLabels:
    """The comparisons that count, by pair: both orders by one assessor; a policy decides where several differ.

    Without a policy the first assessor's count, and `undecided` names those who differ.
    """
    comparisons = counted_labels(store, COMPARISON_LABELS, labellers)
    pairs: dict[Item, float | None] = {}
    votes: dict[Item, dict[str, float]] = {}
    settled = {(min(item), max(item)): name for item, name in comparisons.settled.items()}
    for name in sorted(comparisons.names, key=lambda one: one not in settled.values()):
        by_pair = both_orders(counted_labels(store, COMPARISON_LABELS, Labellers(name)).labels)
        by_pair = {pair: label for pair, label in by_pair.items() if settled.get(pair, name) == name}
        pairs.update({pair: label for pair, label in by_pair.items() if pairs.get(pair) is None})
        for pair, label in by_pair.items():
            if label is not None:
                votes.setdefault(pair, {})[name] = label
    differences = {pair: tuple(by) for pair, by in votes.items() if len({*by.values()}) > 1}
    if labellers.policy is not None and labellers.assessor is None:
        pairs |= {pair: decide_label([*by.values()], labellers.policy) for pair, by in votes.items()}
        differences = {}
    differing = {name for by in differences.values() for name in by}
    once = {(min(item), max(item)): None for item in comparisons.labels}
    undecided = tuple(name for name in comparisons.names if name in differing)
    return comparisons._replace(
        labels=once | pairs, undecided=undecided, items=len(differences), differences=differences
    )


def identical_ties(answers: Sequence[StoredAnswer], pairs: ItemLabels) -> dict[int, int]:
    """Count each answer's ties with identical answers. Such pairs are never shown to assessors.

    If every labelled pair contains an answer of the same run, this run is a baseline, and only ties with it count.
    """
    runs = {one.number: one.run for one in answers}
    several = [{runs[one], runs[other]} for one, other in pairs if one in runs and other in runs]
    shared = set.intersection(*several) if several and len({*runs.values()}) > 2 else set()
    baseline = next(iter(shared)) if len(shared) == 1 else None
    same: dict[tuple[str, tuple[str, ...]], list[StoredAnswer]] = defaultdict(list)
    for one in answers:
        if one.sentences:
            same[one.qid, tuple(sentence.text for sentence in one.sentences)].append(one)
    ties: dict[int, int] = defaultdict(int)
    for group in same.values() if pairs else ():
        for one, other in combinations(group, 2):
            labelled = (min(one.number, other.number), max(one.number, other.number)) in pairs
            if not labelled and (baseline is None or baseline in (one.run, other.run)):
                ties[one.number] += 1
                ties[other.number] += 1
    return dict(ties)


class WholeLabels(NamedTuple):
    """What was said: labels of claims, of questions, and of pairs of answers; `ties` are those of identical answers."""

    claims: Sequence[Claim]
    correct: ItemLabels
    without: Collection[int]  # the answers that state nothing
    questions: Mapping[str, Sequence[RubricQuestion]]
    ratings: ItemLabels
    pairs: ItemLabels
    ties: Mapping[int, int] = {}

    def labels_of_answer(self, qid: str, answer: StoredAnswer | None) -> dict[str, Any]:
        """The fields of a JudgedAnswer; one without a sentence says nothing, meets nothing and wins nowhere."""
        reference = [claim.number for claim in self.claims if claim.qid == qid and claim.answer is None]
        questions = self.questions.get(qid, ())
        weights = [one.weight for one in questions]
        if answer is None or not answer.sentences:
            return {
                "claims": [0.0] * len(reference),
                "rubric": [0.0] * len(questions),
                "weights": weights,
                "wins": [0.0],
            }
        number = answer.number
        statements = [claim.number for claim in self.claims if claim.answer == number]
        right = _labels(self.correct, number, statements) or ([] if number in self.without else [nan])
        first = [label for (one, _), label in self.pairs.items() if one == number]
        second = [None if label is None else 1 - label for (_, other), label in self.pairs.items() if other == number]
        return {
            "claims": _labels(self.correct, number, reference), "right": right if reference else [],
            "rubric": _labels(self.ratings, number, [one.number for one in questions]), "weights": weights,
            "wins": [nan if label is None else label for label in (*first, *second)] + [TIE] * self.ties.get(number, 0),
        }  # fmt: skip


def _labels(labels: ItemLabels, answer: int, numbers: Sequence[int]) -> list[float]:
    values = [labels.get((answer, number)) for number in numbers]
    return [nan if label is None else label for label in values]


def questions_by_topic(questions: Sequence[RubricQuestion], counts: Callable[[int], bool] = lambda number: True) -> Any:
    """The questions of each topic."""
    topics: dict[str, list[RubricQuestion]] = defaultdict(list)
    for one in questions:
        if counts(one.number):
            topics[one.qid].append(one)
    return topics
