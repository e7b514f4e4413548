"""Asking for nuggets of the relevant documents of topics, some documents at a time; merged and ranked as it goes on.

The way of AutoNuggetizer: each question has the nuggets so far and a window of documents, the best first. The answer
adds nuggets, says several as one, or weighs one anew; the last question of a topic has all nuggets and no documents.
The model changes only nuggets that are its own, and that nobody has edited. They come from the answers of no run.

Source: Pradeep et al., Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer framework,
arXiv 2411.09607, 2024; merging and weighing in one question is ours.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.answers.by_model.making import MOST, new_nuggets
from cranfield.features.answers.by_model.shared import QuestionKind, Subject, is_open_question, task_of, topics_of
from cranfield.features.answers.judging.tasks import documents_text
from cranfield.features.answers.store.nuggets import (
    IMPORTANCES,
    Nugget,
    NuggetEdit,
    current_nuggets,
    edit_nuggets,
    nugget_texts,
)
from cranfield.features.models.asking.grammar import AnswerError, rows_in, rows_under
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import PromptTask
from cranfield.features.models.asking.task import Asker, Question, Reply, Task, rows_format
from cranfield.features.models.calls import last_outcomes, texts_missing, unconfirmed_calls
from cranfield.judging.labels.choice import decided_labels
from cranfield.store.decoding import decode_json_column
from cranfield.store.store import Store
from cranfield.text import name_hint

WINDOW = 10  # documents of a question
FROM_DOCUMENTS = PromptTask(
    "document-nuggets", frozenset({"query", "nuggets", "documents"}), frozenset({"description", "narrative"}),
    quotes=frozenset({"nuggets", "documents"}), graded=False,
    json_format=rows_format("nuggets", {
        "text": {"type": "string"}, "importance": {"type": "string", "enum": [*IMPORTANCES]},
        "replaces": {"type": "array", "items": {"type": "string"}},
    }),
)  # fmt: skip
Docnos = tuple[str, ...]


class ListedNugget(NamedTuple):
    """A nugget as a question lists it; one that is not the model's own stays as it is."""

    number: int
    importance: str
    own: bool


class SubjectParts(NamedTuple):
    """What a question is about: documents, none in the last one of a topic, and the nuggets so far."""

    documents: Docnos
    nuggets: Sequence[ListedNugget]

    @property
    def subject(self) -> str:
        return json.dumps({"documents": self.documents, "nuggets": [*self.nuggets]}, ensure_ascii=False)


def subject_parts(subject: str) -> SubjectParts:
    """What a subject says.

    >>> subject_parts('{"documents": ["d1"], "nuggets": [[3, "okay", true]]}')
    SubjectParts(documents=('d1',), nuggets=[ListedNugget(number=3, importance='okay', own=True)])
    """
    about: dict[str, Any] = decode_json_column(dict, subject, "model_request", subject, "subject")
    return SubjectParts(tuple(about["documents"]), [ListedNugget(*one) for one in about["nuggets"]])


def plan_document_nuggets(
    store: Store,
    asker: Asker,
    topics: Collection[str] | None = None,
    again: str = "",
    before: Collection[Subject] = (),
    *,
    window: int = WINDOW,
) -> PlannedAsking:
    """Ask about the next relevant documents of each topic that are not in `before`."""
    outcomes = last_outcomes(store, asker.assessor, FROM_DOCUMENTS.name)
    last = {_key(about): outcome for about, outcome in outcomes.items()}
    doubtful = {_key(about): about[1] for about in unconfirmed_calls(store, asker.assessor, FROM_DOCUMENTS.name)}
    now = {_key(about) for about in before}
    subjects: list[Subject] = []
    later = 0
    for qid, docnos in _relevant(store, topics).items():
        nuggets = current_nuggets(store, qid)
        windows = _windows(docnos, [of for topic, of in {**last, **doubtful} if topic == qid], window)
        open_ = [one for one in windows if (qid, one) not in now and is_open_question(last.get((qid, one)), again)]
        open_ = open_ if len(nuggets) < MOST else []
        new = bool(open_) or any(topic == qid for topic, _ in now)
        if (qid, ()) not in now and (new or (nuggets and is_open_question(last.get((qid, ())), again))):
            open_.append(())
        if open_:
            listing = [ListedNugget(one.number, one.importance, _is_own(one, asker.assessor)) for one in nuggets]
            subjects.append((qid, doubtful.get((qid, open_[0])) or SubjectParts(open_[0], listing).subject))
            later += len(open_) - 1
    return PlannedAsking(store, asker, document_nuggets_task(store, asker), subjects, bool(again), later=later)


def _key(about: Subject) -> tuple[str, Docnos]:
    return about[0], subject_parts(about[1]).documents


def _relevant(store: Store, topics: Collection[str] | None) -> dict[str, list[str]]:
    """The relevant documents of each topic that have a text, the highest grades first."""
    topic_of_qid, bare, qrels = topics_of(store), texts_missing(store), decided_labels(store).qrels
    if unknown := [qid for qid in topics or () if qid not in topic_of_qid]:
        raise InputError(f"topic {unknown[0]!r} is not in the store{name_hint(unknown[0], topic_of_qid)}")
    qids, docnos = qrels.topics.names_at(qrels.topic).tolist(), qrels.docnos.names_at(qrels.document).tolist()
    rows = zip(qids, docnos, qrels.grade.tolist(), strict=True)
    graded: dict[str, list[tuple[int, str]]] = {}
    for qid, docno, grade in rows:
        if grade >= store.collection.min_relevant and docno not in bare and (not topics or qid in topics):
            graded.setdefault(str(qid), []).append((-grade, str(docno)))
    if not graded:
        raise InputError(
            "no topic has a relevant document with a text; judge documents, or import qrels and the corpus"
        )
    return {qid: [docno for _, docno in sorted(graded[qid])] for qid in topic_of_qid if qid in graded}


def _windows(docnos: Sequence[str], earlier: Collection[Docnos], size: int) -> Iterator[Docnos]:
    """Those that were asked about, and the other documents in windows.

    >>> [*_windows(["a", "b", "c", "d"], [("c",), ()], 2)]
    [('c',), ('a', 'b'), ('d',)]
    """
    yield from (one for one in earlier if one)
    old = {docno for one in earlier for docno in one}
    new = [docno for docno in docnos if docno not in old]
    yield from (tuple(new[at : at + size]) for at in range(0, len(new), size))


def _is_own(nugget: Nugget, assessor: str) -> bool:
    return nugget.by_model and nugget.author == assessor


def document_nuggets_task(store: Store, asker: Asker) -> Task:
    """The task of asking for nuggets of documents."""
    topics = topics_of(store)

    def question(qid: str, subject: str) -> Question:
        topic, about = topics[qid], subject_parts(subject)
        texts = nugget_texts(store, [one.number for one in about.nuggets])
        values = {
            "query": topic.title, "description": topic.description, "narrative": topic.narrative,
            "nuggets": "\n".join(map(_row, about.nuggets, texts)) or "(none)",
            "documents": documents_text(store, about.documents) or "(none: go over the nuggets once more)",
        }  # fmt: skip
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[ChangedNugget]:
        rows = rows_under(answer, "nuggets") if asker.json_answer else rows_in(answer)
        return changed_nuggets(rows, {one.number for one in subject_parts(question.subject).nuggets if one.own})

    def record(store: Store, question: Question, reply: Reply) -> None:
        changes = reply.value or ()
        nuggets = current_nuggets(store, question.qid)
        own = {one.number: one for one in nuggets if _is_own(one, asker.assessor)}
        texts, edits = {one.text.casefold() for one in nuggets}, list[NuggetEdit]()
        for text, importance, replaces in changes:
            if not own.keys() >= set(replaces):  # somebody has edited one of them
                continue
            edit = NuggetEdit(importance, question.qid, asker.assessor, text, replaces=replaces, input="model")
            if len(replaces) == 1 and own[replaces[0]].text == text:
                edits.append(edit._replace(text="", nugget=replaces[0], replaces=()))
            elif text.casefold() not in texts - {own[number].text.casefold() for number in replaces}:
                texts.add(text.casefold())
                edits.append(edit)
        edit_nuggets(store, edits)

    return task_of(FROM_DOCUMENTS, question, parse, record)


def _row(nugget: ListedNugget, text: str) -> str:
    own = {"id": f"n{nugget.number}"} if nugget.own else {}
    return json.dumps({**own, "text": text, "importance": nugget.importance}, ensure_ascii=False)


class ChangedNugget(NamedTuple):
    """A nugget that is new or, where it replaces others, says them in other words or weighs one anew."""

    text: str
    importance: str
    replaces: tuple[int, ...]


def changed_nuggets(rows: Collection[object], own: Collection[int]) -> list[ChangedNugget]:
    """What the rows of an answer change; only one's own nuggets can be replaced, each once.

    >>> changed_nuggets([{"text": "wings lift", "importance": "vital", "replaces": ["n3"]}], {3})
    [ChangedNugget(text='wings lift', importance='vital', replaces=(3,))]
    >>> changed_nuggets([{"text": "wings lift", "importance": "vital", "replaces": ["n4"]}], {3})
    Traceback (most recent call last):
    cranfield.features.models.asking.grammar.AnswerError: 'n4' is not the id of a nugget that can be replaced
    """
    ids, used = {f"n{number}": number for number in own}, set[str]()
    changes = []
    for row, (text, importance) in zip(rows, new_nuggets(rows), strict=True):
        replaces: Any = row.get("replaces") or [] if isinstance(row, dict) else []
        for name in replaces if isinstance(replaces, list) else [replaces]:
            if not isinstance(name, str) or name not in ids:
                raise AnswerError(f"{name!r:.60} is not the id of a nugget that can be replaced")
            if name in used:
                raise AnswerError(f"{name} is replaced twice")
            used.add(name)
        changes.append(ChangedNugget(text, importance, tuple(ids[name] for name in replaces)))
    return changes


def nuggets_of_documents(window: int = WINDOW) -> QuestionKind:
    """Nuggets of relevant documents, so many of them at a time."""
    return QuestionKind(FROM_DOCUMENTS, "documents", partial(plan_document_nuggets, window=window), "documents")
