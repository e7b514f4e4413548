"""`python -m benchmarks.favourites`: whom `model audit report` names, of judges with and without a favourite.

Of each draw: runs whose answers to some topics differ in how good they are; people's labels; and a judge who is right
in 80 %, but of one run, the worst, says always the best. Printed is in how many of 100 draws the favourite alone is
named, and in how many of a judge without one any run is. CONDITIONS are shapes of scores, of which the first is that of
the tests; KINDS are the labels that are audited, each in a store, and named by the measures of its report.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from cranfield.arrays.rankings import Floats
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.formats.nuggets import PlainQuestion, PlainRubric
from cranfield.features.answers.store.answers import StoredAnswer, add_answers, stored_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    ClaimSet,
    Item,
    LabelEvent,
    LabelLog,
    add_claims,
    current_claims,
)
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.features.answers.store.rubrics import current_rubrics, import_rubrics
from cranfield.features.models.analysis.audit import biased_runs
from cranfield.features.models.audited import Comparison
from cranfield.features.models.extension import audited_kinds
from cranfield.features.models.usability import ALPHA, honest_scores, run_bias
from cranfield.features.preferences.store import PreferenceEvent, append_preferences
from cranfield.formats import Document, RunInfo, Topic
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.history import importing
from cranfield.store.log import add_assessor, add_external_assessor
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store

PEOPLE = Labellers(kind=LabelledBy.people)

RIGHT, TOPICS = 0.8, 20
QUALITY: Mapping[str, float] = {"a": 0.8, "b": 0.55, "c": 0.3}  # of a run by people
FAVOURITE = "c"


class Condition(NamedTuple):
    """How much there is to see."""

    runs: int
    topics: int
    nuggets: int


CONDITIONS = (Condition(3, 20, 5), Condition(3, 10, 5), Condition(8, 20, 5), Condition(8, 50, 10), Condition(30, 50, 5))


def suspects(of: Condition, favourite: bool, seed: int) -> list[int]:
    """The runs that are found to be favoured; 0 is the favourite, if the judge has one, and by people the worst."""
    random = np.random.default_rng(seed)
    quality = np.linspace(0.3, 0.8, of.runs)[:, None, None] + random.normal(0, 0.15, (1, of.topics, 1))
    people = (random.random((of.runs, of.topics, of.nuggets)) < quality).astype(float)
    model = np.where(random.random(people.shape) < RIGHT, people, 1 - people)
    model[: int(favourite)] = 1

    def score(labels: Floats) -> Floats:
        return np.asarray(labels.reshape(people.shape).mean(axis=2)[..., None])

    honest = honest_scores(score, model.ravel(), people.ravel(), seed)
    biases = run_bias(score(model)[..., 0], score(people)[..., 0], honest[..., 0])
    return [run for run, one in enumerate(biases) if one.own > 0 and one.p < ALPHA]


def times(of: Condition, draws: int) -> tuple[int, int]:
    """In how many draws the favourite and nobody else is named, and anybody without a favourite."""
    right = sum(suspects(of, True, seed) == [0] for seed in range(draws))
    return right, sum(bool(suspects(of, False, seed)) for seed in range(draws))


class Scene(NamedTuple):
    """Labels of a kind in a store, of which each draw gives other ones; all arrays are (units,)."""

    comparison: Comparison
    chance: Floats  # that people say yes: yes to an item, or that the first of two is better
    hard: float  # how far topics differ, as a standard deviation
    favourite: Floats  # what a judge with a favourite says, as a grade; NaN: as any judge


def _add_answers(store: Store) -> list[StoredAnswer]:
    """The answers of all runs to all topics, each of five sentences that cite a document."""
    sentences = [Sentence(f"Sentence {number}.", {"d0": None}) for number in range(5)]
    with importing(store, "answers", ["answers.jsonl"]):
        add_answers(store, [Answer(run, topic.qid, sentences, ["d0"]) for run in QUALITY for topic in store.topics()])
    return stored_answers(store)


def _compare(
    store: Store, kind: str, log: LabelLog, items: Sequence[Item], label: str
) -> tuple[Comparison, list[Item]]:
    """The comparison of labels that are all alike, and the item of each of its units."""
    for name in ("ada", "qwen"):
        log.append(store, [LabelEvent("label", item, name, label) for item in items])
    by_name = {str(item): item for item in items}
    comparison = audited_kinds()[kind].compare(store, "qwen", PEOPLE, None)
    return comparison, [by_name[name] for _, name in comparison.matrix.units]


def _of_items(kind: str, log: LabelLog, items: Callable[[Store], list[Item]], yes: str) -> Callable[[Store], Scene]:
    """What makes the scene of items of answers, labelled yes or no; the favourite's are all yes."""

    def scene(store: Store) -> Scene:
        run = {one.number: one.run for one in _add_answers(store)}
        comparison, units = _compare(store, kind, log, items(store), yes)
        runs = [run[item[0]] for item in units]
        favourite = [2.0 if one == FAVOURITE else np.nan for one in runs]
        return Scene(comparison, np.array([QUALITY[one] for one in runs]), 0.15, np.array(favourite))

    return scene


def _pairs(store: Store) -> Scene:
    """Pairs of answers: people prefer the better one, the judge its favourite."""
    run = {one.number: one.run for one in _add_answers(store)}
    qid = {one.number: one.qid for one in stored_answers(store)}
    items = [(one, other) for one, other in permutations(run, 2) if qid[one] == qid[other]]
    comparison, units = _compare(store, "comparisons", COMPARISON_LABELS, items, "equal")
    two = [(run[one], run[other]) for one, other in units]
    chance = np.array([0.5 + QUALITY[one] - QUALITY[other] for one, other in two])
    favourite = [2.0 * (one == FAVOURITE) if FAVOURITE in (one, other) else np.nan for one, other in two]
    return Scene(comparison, chance, 0.0, np.array(favourite))


def _ranked(store: Store, documents: int) -> tuple[dict[tuple[str, str], float], dict[tuple[str, str], int]]:
    """What each document of a topic is worth, and its rank by the favourite; runs rank the better the more by worth."""
    random, docnos = np.random.default_rng(1), [f"d{number}" for number in range(documents)]
    worth = {(topic.qid, docno): float(random.normal()) for topic in store.topics() for docno in docnos}
    scores = {run: {pair: quality * value + (1 - quality) * float(random.normal()) for pair, value in worth.items()}
              for run, quality in QUALITY.items()}  # fmt: skip
    runs = {run: {topic.qid: {docno: of[topic.qid, docno] for docno in docnos} for topic in store.topics()}
            for run, of in scores.items()}  # fmt: skip
    add_runs(store, as_runs(runs), {run: RunInfo(run) for run in runs})
    best = sorted(worth, key=lambda pair: -scores[FAVOURITE][pair])
    return worth, {pair: [one for one in best if one[0] == pair[0]].index(pair) for pair in worth}


def _documents(store: Store) -> Scene:
    """Documents that are relevant or not; all of the favourite's first ten are, to the judge."""
    worth, place = _ranked(store, 20)
    labels = {topic.qid: {docno: 1 for qid, docno in worth if qid == topic.qid} for topic in store.topics()}
    for name, kind in (("ada", "human"), ("qwen", "model")):
        import_qrels(store, as_qrels(labels), name, kind)
    comparison = audited_kinds()["documents"].compare(store, "qwen", PEOPLE, None)
    favourite = [1.0 if place[pair] < 10 else np.nan for pair in comparison.matrix.units]
    return Scene(
        comparison, expit([3 * worth[pair] - 1 for pair in comparison.matrix.units]), 0.15, np.array(favourite)
    )


def _preferences(store: Store) -> Scene:
    """Pairs of six documents; the judge prefers what the favourite has above the other."""
    worth, place = _ranked(store, 6)
    append_preferences(store, *(
        PreferenceEvent("prefer", one[0], one[1], other[1], name, "equal") for name in ("ada", "qwen")
        for one, other in permutations(worth, 2) if one[0] == other[0]
    ))  # fmt: skip
    comparison = audited_kinds()["preferences"].compare(store, "qwen", PEOPLE, None)
    two = [[(qid, docno) for docno in both.split()] for qid, both in comparison.matrix.units]
    chance = expit([3 * (worth[one] - worth[other]) for one, other in two])
    return Scene(comparison, chance, 0.0, np.array([2.0 * (place[one] < place[other]) for one, other in two]))


def _nuggets(store: Store) -> list[Item]:
    edit_nuggets(store, [NuggetEdit(("vital", "okay")[at % 2], topic.qid, "ada", f"{topic.qid} {at}")
                         for topic in store.topics() for at in range(6)])  # fmt: skip
    return _of_topics(store, [(one.qid, one.number) for one in current_nuggets(store)])


def _claims(store: Store) -> list[Item]:
    """Five statements of each answer, and five claims of each reference answer."""
    add_claims(store, [ClaimSet(one.qid, one.number, list("12345"), "ada") for one in stored_answers(store)])
    add_claims(store, [ClaimSet(topic.qid, None, list("12345"), "ada") for topic in store.topics()])
    claims = current_claims(store)
    statements: list[Item] = [(one.answer, one.number) for one in claims if one.answer is not None]
    return statements + _of_topics(store, [(one.qid, one.number) for one in claims if one.answer is None])


def _rubrics(store: Store) -> list[Item]:
    questions = [PlainQuestion(f"{at}?", 1.0 + at) for at in range(5)]
    import_rubrics(store, [PlainRubric(topic.qid, questions) for topic in store.topics()], "ada")
    return _of_topics(store, [(one.qid, one.number) for one in current_rubrics(store)])


def _of_topics(store: Store, questions: Sequence[tuple[str, int]]) -> list[Item]:
    """What is asked of every answer to a topic."""
    return [(one.number, number) for one in stored_answers(store) for qid, number in questions if qid == one.qid]


def _sentences(store: Store) -> list[Item]:
    return [(one.number, at, ("d0",)) for one in stored_answers(store) for at in range(1, 6)]


KINDS: Mapping[str, Callable[[Store], Scene]] = {
    "documents": _documents,
    "preferences": _preferences,
    "nuggets": _of_items("nuggets", NUGGET_LABELS, _nuggets, "support"),
    "support": _of_items("support", SUPPORT_LABELS, _sentences, "support"),
    "claims": _of_items("claims", CLAIM_LABELS, _claims, "support"),
    "correctness": _of_items("correctness", CORRECTNESS_LABELS, _claims, "support"),
    "rubrics": _of_items("rubrics", RUBRIC_LABELS, _rubrics, "yes"),
    "comparisons": _pairs,
}


@cache
def scene(kind: str) -> Scene:
    """Three runs on 20 topics, of which people and a model gave all labels of a kind."""
    store = Store.memory("favourites", {0: "no", 1: "yes"})
    store.add_documents([Document(f"d{number}", text="a text") for number in range(20)])
    store.add_topics([Topic(f"q{number:02}", "a topic") for number in range(TOPICS)])
    add_assessor(store, "ada")
    add_external_assessor(store, "qwen", "model")
    return KINDS[kind](store)


def suspects_of(kind: str, favourite: bool, seed: int) -> set[str]:
    """The runs that the report of an audit names, of labels drawn anew."""
    of, random = scene(kind), np.random.default_rng(seed)
    matrix = of.comparison.matrix
    easy = random.normal(0, of.hard, TOPICS)[np.unique(matrix.topic, return_inverse=True)[1]]
    people = random.random(len(easy)) < of.chance + easy
    model = np.where(random.random(len(easy)) < RIGHT, people, ~people) * float(max(matrix.scale))
    if favourite:
        model = np.where(np.isnan(of.favourite), model, of.favourite)
    grades = np.column_stack([people * float(max(matrix.scale)), model])
    return {one.run for one in biased_runs(replace(of.comparison, matrix=replace(matrix, grades=grades)))
            if one.favoured}  # fmt: skip


def times_of(kind: str, draws: int) -> tuple[int, int]:
    """As `times`, of labels of a kind in a store."""
    right = sum(suspects_of(kind, True, seed) == {FAVOURITE} for seed in range(draws))
    return right, sum(bool(suspects_of(kind, False, seed)) for seed in range(draws))


def main(draws: int = 100) -> None:
    """Print a line for each condition, and for each kind of labels."""
    for of in CONDITIONS:
        right, wrong = times(of, draws)
        print(f"{of.runs} runs, {of.topics} topics, {of.nuggets} nuggets: named {right} of {draws}, honest {wrong}")
    for kind in KINDS:
        right, wrong = times_of(kind, draws)
        print(f"{kind}: named {right} of {draws}, honest {wrong}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
