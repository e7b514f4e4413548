"""The answers of a store with the labels that count: what the measures of answers are computed from.

So are the nuggets, and how many answers say each; and the questions that a model made from answers with their
embeddings, from which AnsRel is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from math import nan
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.features.answers.analysis.choice import (
    check_choice,
    choose_counted_labels,
    decide_labels_of,
    refuse_undecided,
)
from cranfield.features.answers.analysis.whole import (
    ItemLabels,
    WholeLabels,
    identical_ties,
    pair_labels,
    questions_by_topic,
)
from cranfield.features.answers.by_model.making import EMBEDDING, QUESTIONS, AnswerQuestion, embeddings, last_questions
from cranfield.features.answers.by_model.shared import topics_of
from cranfield.features.answers.measures.judged import JudgedAnswer, JudgedAnswers, Labels
from cranfield.features.answers.store.answers import (
    StoredAnswer,
    answer_runs,
    answers_that_count,
    stored_answers,
    topic_ids_with_answers,
)
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    Claim,
    Item,
    answers_without_claims,
    current_claims,
)
from cranfield.features.answers.store.nuggets import (
    CountedNuggets,
    Nugget,
    counted_labels,
    counted_nuggets,
    current_nuggets,
)
from cranfield.features.answers.store.rubrics import current_rubrics
from cranfield.features.models.calls import assessors_with_calls, setting_of
from cranfield.judging.labels.choice import choose_labels, labelled_by, resolve_labellers
from cranfield.metrics.measure import Measure
from cranfield.selection import EVERYBODY, LabelledBy, Labellers
from cranfield.store.store import Store
from cranfield.text import counted, join_words

PAIRS = "comparisons"
ASK_QUESTIONS = (
    "there are no generated questions for any answer; create them with `cranfield answers questions make` (to retry"
    " failed requests, add `--again failed`)"
)
REMEDY = {
    "nuggets": "no answer has nugget labels; `cranfield answers nuggets assign` records them",
    "support": "no citation has support labels; `cranfield answers support` records them",
    "contexts": "this store has no judgments yet",
    "reference": "no claim of a reference answer is labelled; `cranfield answers claims label` records them",
    "statements": "no claim of an answer is labelled; `cranfield answers claims label` records them",
    "questions": ASK_QUESTIONS,
    "correctness": "no claim has correctness labels; `cranfield answers correctness` records them",
    "rubric": "no rubric question is labelled; `cranfield answers rubrics label` records them",
    "comparisons": "no two answers were compared; `cranfield answers prefer` compares them",
}
LOGS = {
    "nuggets": NUGGET_LABELS, "support": SUPPORT_LABELS, "reference": CLAIM_LABELS, "statements": CLAIM_LABELS,
    "correctness": CORRECTNESS_LABELS, "rubric": RUBRIC_LABELS,
}  # fmt: skip
NOUNS = {"nuggets": "nugget", "support": "support", "correctness": "correctness", "rubric": "rubric",
         "comparisons": "comparison"}  # fmt: skip


class LabelledAnswers(NamedTuple):
    """The answers of a store with their labels, and the nuggets of each topic in the order of their labels."""

    judged: JudgedAnswers
    nuggets: Mapping[str, Sequence[Nugget]]


def labelled_answers(
    store: Store,
    measures: Iterable[Measure],
    *,
    labellers: Labellers = EVERYBODY,
    tell: Callable[[str], None] = lambda line: None,
    by: LabelledBy | None = None,
) -> LabelledAnswers:
    """The answers with the labels that some measures need; `tell` is called with whose these are.

    Nuggets are `by` people, models or all; by default by people where there are any.
    """
    needs = {measure.needs for measure in measures}
    qids = topic_ids_with_answers(store)
    if not answer_runs(store):
        raise InputError("no answers in this store; add answers with `cranfield import answers`", store.path)
    counting = counted_nuggets(store, by) if "nuggets" in needs else CountedNuggets([], 0)
    nuggets: dict[str, list[Nugget]] = {qid: [] for qid in qids}
    for nugget in counting.nuggets:
        nuggets.get(nugget.qid, []).append(nugget)
    if line := counting.note():
        tell(line)
    labels = _Labels(
        nuggets,
        _labels(store, "nuggets", needs, labellers=labellers, tell=tell, nuggets=counting.numbers),
        _support(_labels(store, "support", needs, labellers=labellers, tell=tell)),
        relevant=_relevance(store, labellers) if "contexts" in needs else {},
        claims=_claims(store, needs, labellers, tell),
        questions=questions_of_model(store, labellers, tell) if "questions" in needs else EmbeddedQuestions({}, {}, {}),
        whole=_labels_of_answers(store, needs, partial(_labels, store, needs=needs, labellers=labellers, tell=tell)),
    )
    return LabelledAnswers(_AnswersByRun.from_store(store).judged(labels), nuggets)


class _AnswersByRun(NamedTuple):
    """The answers, by run and topic."""

    tags: Sequence[str]
    qids: Sequence[str]
    answers: Mapping[tuple[str, str], StoredAnswer]

    @classmethod
    def from_store(cls, store: Store) -> _AnswersByRun:
        """Those of a store."""
        answers = {(answer.run, answer.qid): answer for answer in stored_answers(store)}
        return cls(list(answer_runs(store)), topic_ids_with_answers(store), answers)

    def judged(self, labels: _Labels) -> JudgedAnswers:
        """The answers with what was said of them."""
        pairs = [(tag, qid) for tag in self.tags for qid in self.qids]
        answers = [labels.judged(qid, self.answers.get((tag, qid))) for tag, qid in pairs]
        answered = np.array([pair in self.answers for pair in pairs], bool).reshape(len(self.tags), len(self.qids))
        return JudgedAnswers(tuple(self.tags), tuple(self.qids), answers, answered)


def saying(store: Store, kind: str, items: Iterable[Item]) -> Callable[[ItemLabels], JudgedAnswers]:
    """The answers with whatever labels of a kind these items are given; of nuggets, no others count."""
    answers, claims = _AnswersByRun.from_store(store), current_claims(store) if kind == "claims" else []
    correcting = current_claims(store) if kind == "correctness" else []
    without = answers_without_claims(store) if claims or correcting else frozenset()
    items = list(items)
    numbers = {item[-1] for item in items}
    ties = identical_ties([*answers.answers.values()], dict.fromkeys(items)) if kind == PAIRS else {}
    rubrics = questions_by_topic(current_rubrics(store), numbers.__contains__) if kind == "rubrics" else {}
    nuggets: dict[str, list[Nugget]] = {qid: [] for qid in answers.qids}
    for nugget in current_nuggets(store) if kind == "nuggets" else ():
        if nugget.number in numbers:
            nuggets[nugget.qid].append(nugget)

    def judged(labels: ItemLabels) -> JudgedAnswers:
        support = _support(labels) if kind == "support" else {}
        statements = AttributedClaims(claims, _strict(labels) if claims else {}, without)
        whole = WholeLabels(
            correcting,
            _strict(labels) if correcting else {},
            without,
            rubrics,
            labels,
            labels if kind == PAIRS else {},
            ties,
        )
        return answers.judged(
            _Labels(
                nuggets=nuggets,
                labels=labels,
                support=support,
                relevant={},
                claims=statements,
                questions=EmbeddedQuestions({}, {}, {}),
                whole=whole,
            )
        )

    return judged


def _labels(
    store: Store,
    kind: str,
    needs: Collection[str],
    *,
    labellers: Labellers,
    tell: Callable[[str], None],
    nuggets: Collection[int] | None = None,
) -> ItemLabels:
    if kind not in needs:
        return {}
    labellers = resolve_labellers(store, labellers)
    check_choice(labellers)
    counting = (
        pair_labels(store, labellers) if kind == PAIRS else choose_counted_labels(store, LOGS[kind], labellers, nuggets)
    )
    refuse_undecided(store, counting)
    if not counting.labels:
        raise InputError(REMEDY[kind] + _none_is(labellers), store.path)
    if line := counting.note(NOUNS.get(kind, "claim"), labellers.assessor is not None):
        tell(line)
    number = sum(label is not None for label in counting.labels.values())
    models = number if counting.by_models else 0
    store.left_out.labelled_by[kind] = labelled_by(counting.names, number, models, labellers=labellers, line=line)
    return counting.labels


def _none_is(labellers: Labellers) -> str:
    return f" (none is{labellers.words})" if labellers.words else ""


def _labels_of_answers(store: Store, needs: Collection[str], labels: Callable[..., ItemLabels]) -> WholeLabels:
    """What was said of answers as a whole, as far as it is needed."""
    correct, rubric = _strict(labels(kind="correctness")), labels(kind="rubric")
    claims = current_claims(store) if "correctness" in needs else []
    without = answers_without_claims(store) if claims else frozenset()
    questions = questions_by_topic(current_rubrics(store)) if "rubric" in needs else {}
    pairs = labels(kind=PAIRS)
    counting = answers_that_count(store) if pairs else {}
    answers = [one for one in stored_answers(store) if one.number in counting] if pairs else []
    return WholeLabels(claims, correct, without, questions, rubric, pairs, identical_ties(answers, pairs))


def _claims(
    store: Store, needs: Collection[str], labellers: Labellers, tell: Callable[[str], None]
) -> AttributedClaims:
    """The claims with their labels, of which partial support is none."""
    if not (kinds := {"reference", "statements"}.intersection(needs)):
        return AttributedClaims([], {}, frozenset())
    kind = min(kinds)
    labels = _strict(_labels(store, kind, {kind}, labellers=labellers, tell=tell))
    return AttributedClaims(current_claims(store), labels, answers_without_claims(store))


def _strict(labels: ItemLabels) -> ItemLabels:
    """Partial support is none."""
    return {item: label and float(label == 1) for item, label in labels.items()}


def _support(labels: ItemLabels) -> dict[int, dict[tuple[int, frozenset[str]], float]]:
    """The labels of sets of citations by answer, their sentences from 0."""
    support: dict[int, dict[tuple[int, frozenset[str]], float]] = {}
    for (answer, position, docnos), label in labels.items():
        support.setdefault(answer, {})[position - 1, frozenset(docnos)] = nan if label is None else label
    return support


def _relevance(store: Store, labellers: Labellers) -> dict[tuple[str, str], float]:
    """Whether each judged document is relevant."""
    qrels = choose_labels(store, labellers).qrels
    if not len(qrels):
        raise InputError(REMEDY["contexts"], store.path)
    relevant = (qrels.grade >= store.collection.min_relevant).astype(float).tolist()
    qids, docnos = qrels.topics.names_at(qrels.topic).tolist(), qrels.docnos.names_at(qrels.document).tolist()
    return dict(zip(zip(qids, docnos, strict=True), relevant, strict=True))


class AttributedClaims(NamedTuple):
    """The claims that count, and their labels: 1 the documents of the answer say it, 0 not."""

    claims: Sequence[Claim]
    labels: ItemLabels
    without: Collection[int]  # the answers that state nothing

    def reference(self, qid: str, answer: StoredAnswer | None) -> list[float]:
        """Of the claims of the reference answer to a topic; no documents say nothing."""
        ours = [claim.number for claim in self.claims if claim.qid == qid and claim.answer is None]
        if answer is None or not answer.documents:
            return [0.0] * len(ours)
        return [self._label(answer, number) for number in ours]

    def statements(self, answer: StoredAnswer) -> list[float]:
        """Of the claims of an answer; where nobody said what these are, one label that is missing."""
        if answer.number in self.without:
            return []
        ours = [claim.number for claim in self.claims if claim.answer == answer.number]
        if ours and not answer.documents:
            return [0.0] * len(ours)
        return [self._label(answer, number) for number in ours] or [nan]

    def _label(self, answer: StoredAnswer, number: int) -> float:
        label = self.labels.get((answer.number, number))
        return nan if label is None else label


class _Labels(NamedTuple):
    """What was said of answers."""

    nuggets: Mapping[str, Sequence[Nugget]]
    labels: ItemLabels
    support: Mapping[int, Mapping[tuple[int, frozenset[str]], float]]
    relevant: Mapping[tuple[str, str], float]
    claims: AttributedClaims
    questions: EmbeddedQuestions
    whole: WholeLabels

    def judged(self, qid: str, answer: StoredAnswer | None) -> JudgedAnswer:
        """An answer with its labels; one without a sentence says no nugget, and nobody is asked."""
        nuggets = self.nuggets[qid]
        vital = [nugget.importance == "vital" for nugget in nuggets]
        if answer is None or not answer.sentences:
            none = JudgedAnswer(vital, [0.0] * len(nuggets), reference=self.claims.reference(qid, answer))
            return none._replace(**self.whole.labels_of_answer(qid, answer))
        labels = [self.labels.get((answer.number, nugget.number)) for nugget in nuggets]
        return JudgedAnswer(
            vital,
            [nan if label is None else label for label in labels],
            [list(sentence.citations) for sentence in answer.sentences],
            self.support.get(answer.number, {}),
            [self.relevant.get((qid, docno), nan) for docno in answer.documents],
            self.claims.reference(qid, answer),
            self.claims.statements(answer),
            *self.questions.labelled_questions(answer),
            **self.whole.labels_of_answer(qid, answer),
        )


Vector = Sequence[float]


class EmbeddedQuestions(NamedTuple):
    """The questions of answers by topic and answer, and the embeddings by topic and text."""

    questions: Mapping[tuple[str, int], Sequence[AnswerQuestion]]
    vectors: Mapping[tuple[str, str], Vector]
    titles: Mapping[str, str]  # the question of each topic

    def labelled_questions(self, answer: StoredAnswer) -> tuple[Vector, Sequence[Vector], Labels]:
        """The embeddings of the topic's question and the answer's, and whether each found it evasive; else failed."""
        questions = self.questions.get((answer.qid, answer.number), ())
        question = self.vectors.get((answer.qid, self.titles.get(answer.qid, "")))
        vectors = [self.vectors.get((answer.qid, one.text)) for one in questions]
        present = [vector for vector in vectors if vector is not None]
        if question is None or not present or len(present) < len(vectors):
            return [1.0], [[1.0]], [nan]
        return question, present, [float(one.evasive) for one in questions]


def questions_of_model(store: Store, labellers: Labellers, tell: Callable[[str], None]) -> EmbeddedQuestions:
    """What one model made; an error where none did, or several and none is chosen."""
    names = assessors_with_calls(store, QUESTIONS.name) if labellers.kind.counts("model") else []
    names = [name for name in names if labellers.assessor in (None, name)]
    if not names:
        raise InputError(ASK_QUESTIONS + _none_is(labellers), store.path)
    if len(names) > 1:
        raise InputError(f"{', '.join(names)} made questions; --assessor NAME chooses one", store.path)
    [name] = names
    vectors = embeddings(store, name)
    if len(sizes := {len(vector) for vector in vectors.values()}) > 1:
        lengths = " and ".join(map(str, sorted(sizes)))
        raise InputError(
            f"the embeddings from {name} differ in length ({lengths}); request all again with --again all", store.path
        )
    if not vectors:
        raise InputError(
            f"the questions from {name} have no embeddings; request embeddings with --embedding-model", store.path
        )
    by_model = setting_of(store, name, EMBEDDING)
    tell(f"AnsRel uses the questions from {name} and the embeddings from {by_model.model if by_model else '?'}")
    return EmbeddedQuestions(
        last_questions(store, name), vectors, {qid: topic.title for qid, topic in topics_of(store).items()}
    )


UNDECIDED = -1.0  # labels differ, and nothing was chosen
COLUMNS = {"support": 1.0, "partial": 0.5, "no": 0.0, "failed": None}


def nugget_rows(
    store: Store,
    *,
    topics: Collection[str] | None = None,
    labellers: Labellers = EVERYBODY,
    tell: Callable[[str], None] = lambda line: None,
    nuggets: LabelledBy | None = None,
) -> list[dict[str, Any]]:
    """A row for each nugget: what it says, whose it is, and how many answers have which label.

    `nuggets` chooses people's, models' or all; by default people's where there are any.
    """
    counting = counted_nuggets(store, nuggets)
    rows = [one for one in counting.nuggets if not topics or one.qid in topics]
    if not rows:
        raise InputError("no nuggets in this store; make nuggets with `cranfield answers nuggets make`", store.path)
    chosen = resolve_labellers(store, labellers)
    labels = counted_labels(store, NUGGET_LABELS, chosen, counting.numbers, decide_labels_of(NUGGET_LABELS))
    is_recorded = chosen.assessor != labellers.assessor
    for line in filter(None, (counting.note(), labels.note("nugget", is_recorded))):
        tell(line)
    if labels.undecided:
        choice = "--assessor NAME chooses between the labels, and `cranfield store labels` records the choice"
        tell(
            f"{join_words(labels.undecided)} labelled {counted(labels.items, 'item')} differently; these count as"
            f" undecided. {choice}"
        )
    number = Counter(
        (item[1], UNDECIDED if item in labels.differences else label) for item, label in labels.labels.items()
    )
    return [
        {
            "query_id": one.qid,
            "nugget": one.text,
            "importance": one.importance,
            "author": one.author,
            "by": one.author_kind,
            "contributors": ", ".join(one.contributors),
            **{name: number[one.number, label] for name, label in COLUMNS.items()},
            "undecided": number[one.number, UNDECIDED],
        }
        for one in rows
    ]
