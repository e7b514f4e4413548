"""Preferences of a model: the same pairs as people's, in both orders, in the same log, as an assessor of kind model.

An answer that cannot be read is no preference: the pair "cannot be compared" in that order, with the reason.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Runs
from cranfield.errors import InputError
from cranfield.features.models.analysis.audit import two_who_share_most
from cranfield.features.models.analysis.estimate import check_model
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Reply, Task, number_format, number_of
from cranfield.features.models.audited import Asked, AuditedKind, Comparison
from cranfield.features.models.calls import texts_missing
from cranfield.features.preferences.choice import MAJORITY, majority, refuse_contradictions
from cranfield.features.preferences.pairs import (
    ANSWERS,
    CHOICES,
    Preference,
    no_pairs,
    pairs_of_source,
    resolve,
    showings,
    split,
)
from cranfield.features.preferences.store import (
    DocumentPair,
    PreferenceEvent,
    append_preferences,
    current_preferences,
    document_pair,
    that_count,
)
from cranfield.formats import Topic
from cranfield.judging.agreement.agreement import LabelMatrix
from cranfield.metrics.measure import Measure
from cranfield.selection import MODELS, Labellers
from cranfield.store.decoding import decode_names
from cranfield.store.log import assessors
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store, sha256

PREFERENCE = PromptTask(
    "preference", frozenset({"query", "first", "second"}), frozenset({"description", "narrative"}),
    quotes=frozenset({"first", "second"}), graded=False, json_format=number_format(sorted(ANSWERS)),
)  # fmt: skip


def plan_preferences(
    store: Store, asker: Asker, source: str, topics: Collection[str] = (), again: str = ""
) -> tuple[PlannedAsking, int]:
    """Ask about both orders of the pairs of a source; also how many pairs are left out for want of a text."""
    if not asker.prompt.line:
        raise InputError(
            "the key line is missing from the prompt; expected the text that begins the line with the number",
            asker.prompt.path,
        )
    bare = texts_missing(store)
    source_pairs = [pair for pair in pairs_of_source(store, source) if not topics or pair.qid in topics]
    if not source_pairs:
        raise no_pairs(source, topics)
    pairs = [pair for pair in source_pairs if not {pair.first, pair.second} & bare]
    answers = {
        (event.qid, event.first, event.second)
        for event in current_preferences(store, asker.assessor)
        if again != "all" and not (again == "failed" and event.kind == "cannot-judge")
    }
    by_pair: dict[DocumentPair, list[tuple[str, tuple[str, str]]]] = {}
    for qid, docno in showings(pairs, 0):
        by_pair.setdefault(document_pair(qid, *split(docno)), []).append((qid, split(docno)))
    orders = [one for both in by_pair.values() for one in both]  # pair by pair: a limit leaves whole pairs
    subjects = [(qid, json.dumps(two)) for qid, two in orders if (qid, *two) not in answers]
    planned = PlannedAsking(store, asker, preference_task(store, asker), subjects, bool(again))
    return planned, len(source_pairs) - len(pairs)


def preference_task(store: Store, asker: Asker) -> Task:
    """The task of asking which of two documents is better."""
    topics = {topic.qid: topic for topic in store.topics()}

    def parse(question: Question, answer: str) -> int:
        return number_of(answer, asker, sorted(ANSWERS))

    return Task(PREFERENCE, partial(_question, store, topics), parse, partial(_record, asker.assessor))


def _question(store: Store, topics: Mapping[str, Topic], qid: str, subject: str) -> Question:
    """The topic and both texts, and nothing else that the store knows."""
    topic, both = topics[qid], map(store.document, _two(subject))
    texts = ["\n".join(filter(None, (document.title, document.text))) for document in both]
    values = {
        "query": topic.title or topic.description, "description": topic.description, "narrative": topic.narrative,
        "first": texts[0], "second": texts[1],
    }  # fmt: skip
    return Question(qid, subject, values, None, sha256("\0".join(texts)))


def _two(subject: str) -> tuple[str, ...]:
    """The documents that a question is about, in the order shown."""
    return tuple(decode_names(subject, "model_request", subject, "subject"))


def _record(assessor: str, store: Store, replies: Sequence[tuple[Question, Reply]]) -> None:
    """Append the answers, or that there are none; a failure to get an answer takes nothing back."""
    events, pairs = [], set[tuple[str, str, str]]()
    if any(reply.outcome == "error" for _, reply in replies):
        pairs = {(event.qid, event.first, event.second) for event in current_preferences(store, assessor)}
    for question, reply in replies:
        (first, second), is_answer = _two(question.subject), reply.outcome == "ok"
        if reply.outcome != "error" or (question.qid, first, second) not in pairs:
            event = PreferenceEvent(
                "prefer" if is_answer else "cannot-judge", question.qid, first, second=second, assessor=assessor,
                choice=CHOICES[reply.value] if is_answer else None,
                reason="" if is_answer else f"{reply.outcome}: {reply.reason}",
                evidence=json.dumps({"call": reply.call}), document_sha256=question.document_sha256, input="model",
            )  # fmt: skip
            events.append(event)
    append_preferences(store, *events)


SECOND, TIE, FIRST = GRADES = (0, 1, 2)  # which document of a pair is better, in the order of their docnos
FULFILLED = Measure("prefs_simp", lambda judged: np.zeros(0), explanation="")
Grades = Mapping[DocumentPair, int]


def compare(store: Store, model: str, chosen: Labellers, measures: Asked) -> Comparison:
    """The preferences between the pairs of which both have one."""
    check_model(store, model)
    human = chosen.assessor
    if measures and str(measures) != FULFILLED.name and measures not in ([FULFILLED.name], (FULFILLED.name,)):
        raise InputError(f"only the measure {FULFILLED.name} can score runs from preferences")
    kinds, answers = assessors(store), resolve(that_count(store, current_preferences(store))).preferences
    answers = [one for one in answers if one.assessor == model or (kinds[one.assessor] not in MODELS)]
    by = _group_by_assessor(answers)
    people = {name: grades for name, grades in by.items() if kinds[name] not in MODELS and human in (None, name)}
    theirs = {pair: grade for grades in reversed(people.values()) for pair, grade in grades.items()}
    machine = by.get(model, {})
    if human is None:
        human_preferences = [one for one in answers if one.assessor != model and one.pair in machine]
        if (chosen.policy or "").startswith(MAJORITY):
            theirs |= _group_by_assessor(majority(human_preferences)).get(MAJORITY, {})
        else:
            choices = "--human NAME or --policy majority-tie-low"
            refuse_contradictions(
                store, human_preferences, f"{choices}, or record a choice with `cranfield store labels`"
            )
    if not (both := sorted(theirs.keys() & machine.keys())):
        raise InputError(f"no pair was compared in both orders by both {model!r} and {human or 'people'}")
    runs = stored_runs(store)
    matrix = _matrix({"people": theirs, "model": machine}, both)
    return Comparison(
        matrix,
        two_who_share_most(_matrix(people, sorted({pair for grades in people.values() for pair in grades}))),
        runs.tags,
        [FULFILLED] if runs.tags else [],
        score=partial(
            _scores, _first_above(runs, both), np.unique([pair.qid for pair in both], return_inverse=True)[1]
        ),
        ordered=False,
        people=[name for name, grades in people.items() if grades.keys() & machine.keys()],
    )


KIND = AuditedKind(compare)


def _group_by_assessor(preferences: Iterable[Preference]) -> dict[str, dict[DocumentPair, int]]:
    answers: dict[str, dict[DocumentPair, int]] = {}
    for one in preferences:
        grade = {one.pair.first: FIRST, one.pair.second: SECOND}.get(one.better, TIE)
        answers.setdefault(one.assessor, {})[one.pair] = grade
    return answers


def _matrix(by: Mapping[str, Grades], pairs: list[DocumentPair]) -> LabelMatrix:
    grades = np.array([[answers.get(pair, np.nan) for answers in by.values()] for pair in pairs], float)
    units = [(pair.qid, f"{pair.first} {pair.second}") for pair in pairs]
    return LabelMatrix(tuple(by), units, grades.reshape(len(pairs), len(by)), GRADES)


def _first_above(runs: Runs, pairs: list[DocumentPair]) -> Ints:
    """Of each run and pair: 1 the first document is above the second, -1 below it; 0 neither was retrieved.

    Ties are in the order of docnos, as in trec_eval's measures of preferences.
    """
    size, number = len(runs.docnos.names) + 1, np.zeros(len(runs.docnos.names), np.int64)
    document_order = runs.docnos.sorted_codes(runs.document)
    number[document_order] = np.arange(len(document_order))
    topics = runs.topics.codes([pair.qid for pair in pairs]) * size + 1
    first, second = (topics + runs.docnos.codes([pair[place] for pair in pairs]) for place in (1, 2))
    above = []
    for run in range(len(runs.tags)):
        of = np.flatnonzero(runs.run == run)
        of = of[np.lexsort((number[runs.document[of]], -runs.score[of]))]
        keys = runs.topic[of] * size + 1 + runs.document[of]
        above.append(np.sign(_place(keys, second) - _place(keys, first)))
    return np.array(above, np.int64).reshape(len(runs.tags), len(pairs))


def _place(keys: Ints, targets: Ints) -> Ints:
    """Where each wanted key is among all; after them where it is not."""
    keys_and_end = np.append(keys, np.iinfo(np.int64).max)
    order = np.argsort(keys_and_end, kind="stable")
    place = order[np.searchsorted(keys_and_end, targets, sorter=order)]
    return np.asarray(np.where(keys_and_end[place] == targets, place, len(keys)))


def _scores(above: Ints, topic: Ints, grades: Floats) -> Floats:
    """The share of the preferences that each run fulfils, by topic; NaN where all are ties."""
    preference = np.sign(grades - TIE)
    number = np.bincount(topic, preference != 0)
    hits = np.array(
        [np.bincount(topic, (run == preference) & (preference != 0), minlength=len(number)) for run in above]
    )
    share = np.divide(hits, number, out=np.full(hits.shape, np.nan), where=number > 0)
    return np.asarray(share[..., None])
