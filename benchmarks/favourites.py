"""`python -m benchmarks.favourites`: whom `model audit report` names, of judges with and without a favourite.

Of each draw: runs whose answers to some topics differ in how good they are; people's labels; and a judge who is right
in 80 %, but of one run, the worst, says always the best. Printed is in how many of 100 draws the favourite alone is
named, and in how many of a judge without one any run is. CONDITIONS are shapes of scores, of which the first is that of
the tests; KINDS are the labels that are audited, each put into a store, and audited by the measures of its report.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.formats.rubrics import PlainQuestion, PlainRubric
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
from cranfield.features.models.analysis.audit import audit
from cranfield.features.models.usability import ALPHA, honest_scores, run_bias
from cranfield.features.preferences.store import PreferenceEvent, append_preferences
from cranfield.formats import Document, RunInfo, Topic
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.store.history import importing
from cranfield.store.log import add_assessor, admit
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store

Random = np.random.Generator
Fill = Callable[[Store, Random, bool], None]  # a store, for a judge with a favourite or without
RIGHT, TOPICS = 0.8, 20
QUALITY: Mapping[str, float] = {"a": 0.8, "b": 0.55, "c": 0.3}  # of a run by people; the last one is the favourite
DEGREES, YES = ("support", "not_support"), ("yes", "no")
DOCUMENTS = [f"d{number}" for number in range(20)]  # of each topic


class Condition(NamedTuple):
    """How much there is to see."""

    runs: int
    topics: int
    nuggets: int


CONDITIONS = (Condition(3, 20, 5), Condition(3, 10, 5), Condition(8, 20, 5), Condition(8, 50, 10), Condition(30, 50, 5))


def named(of: Condition, favourite: bool, seed: int) -> list[int]:
    """The runs that are found to be favoured; 0 is the favourite, if the judge has one, and by people the worst."""
    random = np.random.default_rng(seed)
    quality = np.linspace(0.3, 0.8, of.runs)[:, None, None] + random.normal(0, 0.15, (1, of.topics, 1))
    people = (random.random((of.runs, of.topics, of.nuggets)) < quality).astype(float)
    model = np.where(random.random(people.shape) < RIGHT, people, 1 - people)
    model[: int(favourite)] = 1

    def score(labels: Floats) -> Floats:
        return np.asarray(labels.reshape(people.shape).mean(axis=2)[..., None])

    honest = honest_scores(score, model.ravel(), people.ravel(), seed)
    found = run_bias(score(model)[..., 0], score(people)[..., 0], honest[..., 0])
    return [run for run, one in enumerate(found) if one.own > 0 and one.p < ALPHA]


def times(of: Condition, draws: int) -> tuple[int, int]:
    """In how many draws the favourite and nobody else is named, and anybody without a favourite."""
    right = sum(named(of, True, seed) == [0] for seed in range(draws))
    return right, sum(bool(named(of, False, seed)) for seed in range(draws))


def _right(random: Random) -> bool:
    return bool(random.random() < RIGHT)


def _best(run: str, favourite: bool) -> bool:
    """Whether a run is the judge's favourite."""
    return favourite and run == [*QUALITY][-1]


def _topics(random: Random) -> dict[str, float]:
    """By how much each topic is easier than others."""
    return {f"q{number:02}": float(random.normal(0, 0.15)) for number in range(TOPICS)}


def _answered(store: Store, topics: Sequence[str]) -> list[StoredAnswer]:
    """The answers of all runs to all topics, each of five sentences that cite a document."""
    sentences = [Sentence(f"Sentence {number}.", {"d0": None}) for number in range(5)]
    with importing(store, "answers", ["answers.jsonl"]):
        add_answers(store, [Answer(run, qid, sentences, ["d0"]) for run in QUALITY for qid in topics])
    return stored_answers(store)


def _label(store: Store, log: LabelLog, labels: Mapping[Item, tuple[str, str]]) -> None:
    """Labels of items by people and by the model."""
    for place, name in enumerate(("ada", "qwen")):
        log.append(store, [LabelEvent("label", item, name, both[place]) for item, both in labels.items()])


def _by_item(log: LabelLog, items: Callable[[Store], list[Item]], said: tuple[str, str] = DEGREES) -> Fill:
    """What fills a store with items of answers, which it gives, and labels of them that are yes or no."""

    def fill(store: Store, random: Random, favourite: bool) -> None:
        easy, labels = _topics(random), {}
        of = {one.number: one for one in _answered(store, [*easy])}
        for item in items(store):
            one = of[item[0]]
            yes = bool(random.random() < QUALITY[one.run] + easy[one.qid])
            model = _best(one.run, favourite) or yes == _right(random)
            labels[item] = said[not yes], said[not model]
        _label(store, log, labels)

    return fill


def _nuggets(store: Store) -> list[Item]:
    qids = [topic.qid for topic in store.topics()]
    edit_nuggets(store, [NuggetEdit(("vital", "okay")[at % 2], qid, "ada", f"{qid} {at}") for qid in qids
                         for at in range(6)])  # fmt: skip
    return _of_topics(store, [(one.qid, one.number) for one in current_nuggets(store)])


def _claims(store: Store) -> list[Item]:
    """Five statements of each answer, and five claims of each reference answer."""
    add_claims(store, [ClaimSet(one.qid, one.number, list("12345"), "ada") for one in stored_answers(store)])
    add_claims(store, [ClaimSet(topic.qid, None, list("12345"), "ada") for topic in store.topics()])
    claims = current_claims(store)
    stated = [(one.answer, one.number) for one in claims if one.answer is not None]
    return stated + _of_topics(store, [(one.qid, one.number) for one in claims if one.answer is None])


def _rubrics(store: Store) -> list[Item]:
    questions = [PlainQuestion(f"{at}?", 1.0 + at) for at in range(5)]
    import_rubrics(store, [PlainRubric(topic.qid, questions) for topic in store.topics()], "ada")
    return _of_topics(store, [(one.qid, one.number) for one in current_rubrics(store)])


def _of_topics(store: Store, asked: Sequence[tuple[str, int]]) -> list[Item]:
    """What is asked of every answer to a topic."""
    return [(one.number, number) for one in stored_answers(store) for qid, number in asked if qid == one.qid]


def _sentences(store: Store) -> list[Item]:
    return [(one.number, at, ("d0",)) for one in stored_answers(store) for at in range(1, 6)]


def _pairs(store: Store, random: Random, favourite: bool) -> None:
    """Each pair of answers in both orders: people prefer the better one, of those that they see."""
    easy, labels = _topics(random), {}
    number = {(one.run, one.qid): one.number for one in _answered(store, [*easy])}
    for qid in easy:
        for one, other in combinations(QUALITY, 2):
            better = (one, other) if random.random() < 0.5 + QUALITY[one] - QUALITY[other] else (other, one)
            model = better if _right(random) else better[::-1]
            model = next(((run,) for run in (one, other) if _best(run, favourite)), model)
            for first, second in permutations((one, other)):
                said = ("first" if first == liked[0] else "second" for liked in (better, model))
                labels[number[first, qid], number[second, qid]] = tuple(said)
    _label(store, COMPARISON_LABELS, labels)


def _ranked(store: Store, random: Random, documents: Sequence[str]) -> dict[str, dict[str, float]]:
    """Runs that rank the documents of each topic as they are worth, the worse the more by chance; their worth."""
    worth = {qid: dict(zip(documents, random.normal(size=len(documents)).tolist(), strict=True))
             for qid in _topics(random)}  # fmt: skip
    runs = {run: {qid: {docno: quality * value + (1 - quality) * float(random.normal())
                        for docno, value in of.items()} for qid, of in worth.items()}
            for run, quality in QUALITY.items()}  # fmt: skip
    add_runs(store, as_runs(runs), {run: RunInfo(run) for run in runs})
    return worth


def _places(store: Store, qid: str) -> list[str]:
    """The documents of the favourite, from the top."""
    from cranfield.store.runs import stored_runs

    runs = stored_runs(store, [[*QUALITY][-1]])
    return [runs.docnos.names[document] for document in runs.document[runs.topic == runs.topics.codes([qid])[0]]]


def _documents(store: Store, random: Random, favourite: bool) -> None:
    """Documents that are relevant or not; all of the favourite's first ten are, to the judge."""
    people, model = dict[str, dict[str, int]](), dict[str, dict[str, int]]()
    for qid, of in _ranked(store, random, DOCUMENTS).items():
        people[qid] = {docno: int(value > 0.5) for docno, value in of.items()}
        top = _places(store, qid)[:10] if favourite else ()
        model[qid] = {docno: int(docno in top or bool(grade) == _right(random)) for docno, grade in people[qid].items()}
    import_qrels(store, as_qrels(people), "ada", "human")
    import_qrels(store, as_qrels(model), "qwen", "model")


def _preferences(store: Store, random: Random, favourite: bool) -> None:
    """Pairs of six documents in both orders; the judge prefers what the favourite has above the other."""
    events = list[PreferenceEvent]()
    for qid, of in _ranked(store, random, DOCUMENTS[:6]).items():
        place = {docno: at for at, docno in enumerate(_places(store, qid))}
        for two in combinations(of, 2):
            better = tuple(sorted(two, key=lambda docno: -of[docno]))
            model = better if _right(random) else better[::-1]
            model = tuple(sorted(two, key=lambda docno: place[docno])) if favourite else model
            events += [
                PreferenceEvent("prefer", qid, *shown, name, "first" if shown[0] == liked[0] else "second")
                for name, liked in (("ada", better), ("qwen", model))
                for shown in permutations(two)
            ]
    append_preferences(store, *events)


KINDS: Mapping[str, Fill] = {
    "documents": _documents,
    "preferences": _preferences,
    "nuggets": _by_item(NUGGET_LABELS, _nuggets),
    "support": _by_item(SUPPORT_LABELS, _sentences),
    "claims": _by_item(CLAIM_LABELS, _claims),
    "correctness": _by_item(CORRECTNESS_LABELS, _claims),
    "rubrics": _by_item(RUBRIC_LABELS, _rubrics, YES),
    "comparisons": _pairs,
}


def favoured(kind: str, favourite: bool, seed: int) -> set[str]:
    """The runs that the report of an audit names."""
    with Store.memory("favourites", {0: "no", 1: "yes"}) as store:
        store.add_documents([Document(docno, text="a text") for docno in DOCUMENTS])
        store.add_topics([Topic(f"q{number:02}", "a topic") for number in range(TOPICS)])
        add_assessor(store, "ada")
        admit(store, "qwen", "model")
        KINDS[kind](store, np.random.default_rng(seed), favourite)
        return {one.run for one in audit(store, "qwen", labels=kind).runs if one.favoured}


def times_of(kind: str, draws: int) -> tuple[int, int]:
    """As `times`, of labels of a kind in a store."""
    right = sum(favoured(kind, True, seed) == {[*QUALITY][-1]} for seed in range(draws))
    return right, sum(bool(favoured(kind, False, seed)) for seed in range(draws))


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
