"""Asking for what is made of answers: nuggets, the questions that they would answer with their embeddings, statements.

Nuggets are asked for one answer after the other, as each question has the nuggets so far. A question names these by
number, and a nugget is never changed: an answer that comes later, in a batch file, finds the question as it was asked,
whatever people did to the nuggets meanwhile.

Embeddings are of the topics' questions and of those that a model made. The assessor is the one who made these: each
has one embedding model, so all its cosines are of one kind.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.features.answers.by_model.shared import (
    Plan,
    QuestionKind,
    Subject,
    is_open_question,
    one_by_one,
    task_of,
    topics_of,
)
from cranfield.features.answers.judging.tasks import AnswersRead
from cranfield.features.answers.store.answers import answers_that_count
from cranfield.features.answers.store.labels import ClaimSet, add_claims
from cranfield.features.answers.store.nuggets import (
    IMPORTANCES,
    NuggetEdit,
    current_nuggets,
    edit_nuggets,
    nugget_texts,
)
from cranfield.features.models.asking.grammar import AnswerError, rows_in, rows_under
from cranfield.features.models.asking.planned import PlannedAsking
from cranfield.features.models.asking.prompt import Prompt, PromptTask
from cranfield.features.models.asking.server import checked_url
from cranfield.features.models.asking.task import Asker, Question, Reply, Task, rows_format
from cranfield.features.models.calls import calls, check_setting, last_outcomes, unconfirmed_calls
from cranfield.store.decoding import decode_json_column
from cranfield.store.store import Store

MOST = 30  # nuggets of a topic, after which no more are asked for
LONGEST_NUGGET = 200  # characters of a nugget
MAKING = PromptTask(
    "nugget-making",
    frozenset({"query", "nuggets", "response"}),
    frozenset({"description", "narrative"}),
    quotes=frozenset({"nuggets", "response"}),
    graded=False,
    json_format=rows_format(
        "nuggets", {"text": {"type": "string"}, "importance": {"type": "string", "enum": [*IMPORTANCES]}}
    ),
)


def plan_making(
    store: Store,
    asker: Asker,
    topics: Collection[str] | None = None,
    again: str = "",
    before: Collection[Subject] = (),
) -> PlannedAsking:
    """Ask for the nuggets of the next answer to each topic that is not in `before`."""
    outcomes = last_outcomes(store, asker.assessor, MAKING.name)
    last = {_answer_and_nuggets(subject)[0]: outcome for (_, subject), outcome in outcomes.items()}
    doubtful = {
        _answer_and_nuggets(subject)[0]: subject for _, subject in unconfirmed_calls(store, asker.assessor, MAKING.name)
    }
    read = {_answer_and_nuggets(subject)[0] for _, subject in before}
    subjects: list[Subject] = []
    later = 0
    for qid, answers in AnswersRead(store, 0, topics).to_read().items():
        unread = [answer for answer in answers if answer not in read and is_open_question(last.get(answer), again)]
        nuggets = current_nuggets(store, qid)
        if unread and len(nuggets) < MOST:
            numbers = " ".join(str(nugget.number) for nugget in nuggets) or "none"
            subjects.append((qid, doubtful.get(unread[0]) or f"answer {unread[0]}, nuggets {numbers}"))
            later += len(unread) - 1
    return PlannedAsking(store, asker, making_task(store, asker), subjects, bool(again), later=later)


def check_batch(again: str) -> None:
    """Refuse to ask for all once more by batch files: each would be about the first answer to each topic."""
    if again == "all":
        raise InputError(
            "--again all does not work with a batch file, because every file would contain the same"
            " questions; use --again failed, or --url"
        )


def _answer_and_nuggets(subject: str) -> tuple[int, list[int]]:
    """The answer that a question is about, and the nuggets that it has.

    >>> _answer_and_nuggets("answer 3, nuggets 1 2"), _answer_and_nuggets("answer 3, nuggets none")
    ((3, [1, 2]), (3, []))
    """
    answer, *nuggets = map(int, re.findall(r"\d+", subject))
    return answer, nuggets


def making_task(store: Store, asker: Asker) -> Task:
    """The task of asking for nuggets."""
    read, topics = AnswersRead(store, 0), topics_of(store)

    def question(qid: str, subject: str) -> Question:
        topic, (answer, nuggets) = topics[qid], _answer_and_nuggets(subject)
        values = {
            "query": topic.title, "description": topic.description, "narrative": topic.narrative,
            "nuggets": "\n".join(nugget_texts(store, nuggets)) or "(none)",
            "response": "\n".join(read.sentences(answer)),
        }  # fmt: skip
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[tuple[str, str]]:
        return new_nuggets(rows_under(answer, "nuggets") if asker.json_answer else rows_in(answer))

    def record(store: Store, question: Question, reply: Reply) -> None:
        """Write down the nuggets that are new, as coming from the run of the answer."""
        texts = {nugget.text.casefold() for nugget in current_nuggets(store, question.qid)}
        run = (read.answer(_answer_and_nuggets(question.subject)[0]).run,)
        new: dict[str, NuggetEdit] = {}
        for text, importance in reply.value or ():
            if text.casefold() not in texts:
                edit = NuggetEdit(importance, question.qid, asker.assessor, text, contributors=run, input="model")
                new.setdefault(text.casefold(), edit)
        edit_nuggets(store, new.values())

    return task_of(MAKING, question, parse, record)


def new_nuggets(rows: Collection[object]) -> list[tuple[str, str]]:
    """The texts and importances of new nuggets.

    >>> new_nuggets([{"text": "wings give lift", "importance": "vital"}])
    [('wings give lift', 'vital')]
    >>> new_nuggets([{"text": "wings give lift", "importance": "high"}])
    Traceback (most recent call last):
    cranfield.features.models.asking.grammar.AnswerError: 'high' is not an importance; expected vital, okay
    """
    nuggets = []
    for row in rows:
        if not isinstance(row, dict) or not {"text", "importance"} <= row.keys():
            raise AnswerError(f"{row!r:.60} lacks the field text or importance")
        text, importance = row["text"], row["importance"]
        if not isinstance(text, str) or not 0 < len(" ".join(text.split())) <= LONGEST_NUGGET:
            raise AnswerError(f"{text!r:.60} is not a nugget; expected a text of at most {LONGEST_NUGGET} characters")
        if importance not in IMPORTANCES:
            raise AnswerError(f"{importance!r:.60} is not an importance; expected {', '.join(IMPORTANCES)}")
        nuggets.append((" ".join(text.split()), importance))
    return nuggets


COUNT = 3  # questions of an answer
LONGEST = 600  # characters of a question or a statement
QUESTIONS = PromptTask(
    "questions", frozenset({"response", "count"}), quotes=frozenset({"response"}), graded=False,
    json_format=rows_format("questions", {"text": {"type": "string"}, "evasive": {"type": "boolean"}}),
)  # fmt: skip


class AnswerQuestion(NamedTuple):
    """A question that an answer would answer, and whether the model found the answer evasive."""

    text: str
    evasive: bool


def plan_questions(store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = "") -> PlannedAsking:
    """Ask for the questions of the answers of which this model was not asked yet."""
    return one_by_one(store, asker, questions_task(store, asker), topics, again)


def questions_task(store: Store, asker: Asker) -> Task:
    """The task of asking for questions; the log of calls is the record of them."""
    read = AnswersRead(store, 0)

    def question(qid: str, subject: str) -> Question:
        values = {"response": "\n".join(read.sentences(int(subject))), "count": str(COUNT)}
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[AnswerQuestion]:
        return questions_in(answer, asker.json_answer)

    return task_of(QUESTIONS, question, parse, lambda store, question_, reply: None)


def questions_in(answer: str, as_json: bool = False) -> list[AnswerQuestion]:
    """The questions that a model gives, no more and no fewer than it was asked for.

    >>> questions_in('[{"text": "Why fly?", "evasive": false}]')
    Traceback (most recent call last):
    cranfield.features.models.asking.grammar.AnswerError: 1 of 3 questions
    """
    rows = rows_under(answer, "questions") if as_json else rows_in(answer)
    questions = [_question(row) for row in rows]
    if len(questions) != COUNT:
        raise AnswerError(f"{len(questions)} of {COUNT} questions")
    return questions


def _question(row: object) -> AnswerQuestion:
    text, evasive = text_of(row, "question"), row.get("evasive") if isinstance(row, dict) else None
    if not isinstance(evasive, bool):
        raise AnswerError(f"{row!r:.60} lacks the field evasive (true or false)")
    return AnswerQuestion(text, evasive)


def text_of(row: object, noun: str) -> str:
    """The text of a row, without needless blanks."""
    text = row.get("text") if isinstance(row, dict) else None
    if not isinstance(text, str) or not 0 < len(" ".join(text.split())) <= LONGEST:
        raise AnswerError(f"{row!r:.60} is not a {noun}; expected a text of at most {LONGEST} characters")
    return " ".join(text.split())


def last_questions(store: Store, assessor: str) -> dict[tuple[str, int], list[AnswerQuestion]]:
    """What a model last made of each answer, by topic and answer; a later failure takes nothing back."""
    return {
        (call.qid, int(call.subject)): questions_in(
            call.answer,
            "response_format" in decode_json_column(dict, call.parameters, "model_call", call.subject, "parameters"),
        )
        for call in calls(store, assessor, QUESTIONS.name)
        if call.outcome == "ok"
    }


EMBEDDING = "embedding"
TEXT = Prompt(EMBEDDING, EMBEDDING, 1, "{text}", "", "only the text for which an embedding is requested")


def embedder_of(store: Store, model: str, url: str, assessor: str) -> Asker:
    """The embedding model of an assessor; an error where that is another one already."""
    asker = Asker(assessor, model, checked_url(url), TEXT, {})
    check_setting(store, asker.setting(EMBEDDING))
    return asker


def plan_embeddings(
    store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = ""
) -> PlannedAsking:
    """Ask for the embeddings that are missing, each text of a topic once."""
    last = last_outcomes(store, asker.assessor, EMBEDDING)
    texts = dict.fromkeys(_texts(store, asker.assessor, topics))
    subjects = [about for about in texts if is_open_question(last.get(about), again)]
    return PlannedAsking(store, asker, EMBEDDING_TASK, subjects, bool(again))


def _texts(store: Store, assessor: str, topics: Collection[str] | None) -> Iterator[Subject]:
    topic_of, counting = topics_of(store), answers_that_count(store)
    for (qid, answer), questions in last_questions(store, assessor).items():
        if answer in counting and (not topics or qid in topics):
            texts = [topic_of[qid].title, *(one.text for one in questions)]
            yield from ((qid, text) for text in texts if text.strip())


def embeddings(store: Store, assessor: str) -> Mapping[Subject, list[float]]:
    """The last embedding of each text, by topic and text."""
    answers = calls(store, assessor, EMBEDDING)
    return {(call.qid, call.subject): _numbers(call.subject, call.answer) for call in answers if call.outcome == "ok"}


def _numbers(text: str, answer: str) -> list[float]:
    return decode_json_column(list, answer, "model_call", text, "answer")


EMBEDDING_TASK = Task(
    PromptTask(EMBEDDING, frozenset({"text"}), graded=False),
    lambda qid, subject: Question(qid, subject, {"text": subject}),
    lambda question, answer: _numbers(question.subject, answer),
    lambda store, settled: None, embeds=True,
)  # fmt: skip


STATING = PromptTask(
    "statements", frozenset({"response"}), frozenset({"query"}), frozenset({"response"}), False,
    rows_format("statements", {"text": {"type": "string"}}),
)  # fmt: skip


def plan_stating(store: Store, asker: Asker, topics: Collection[str] | None = None, again: str = "") -> PlannedAsking:
    """Ask for the statements of the answers of which this model was not asked yet."""
    return one_by_one(store, asker, statement_task(store, asker), topics, again)


def statement_task(store: Store, asker: Asker) -> Task:
    """The task of asking for statements."""
    read, topics = AnswersRead(store, 0), topics_of(store)

    def question(qid: str, subject: str) -> Question:
        values = {"query": topics[qid].title, "response": "\n".join(read.sentences(int(subject)))}
        return Question(qid, subject, values)

    def parse(question: Question, answer: str) -> list[str]:
        return statements(rows_under(answer, "statements") if asker.json_answer else rows_in(answer))

    def record(store: Store, question: Question, reply: Reply) -> None:
        if reply.outcome == "ok":
            call = json.dumps({"call": reply.call})
            add_claims(store, [ClaimSet(question.qid, int(question.subject), reply.value, asker.assessor, call)])

    return task_of(STATING, question, parse, record)


def statements(rows: Collection[object]) -> list[str]:
    """The texts of statements; an answer may make none.

    >>> statements([{"text": "Wings  lift."}])
    ['Wings lift.']
    >>> statements([{}])
    Traceback (most recent call last):
    cranfield.features.models.asking.grammar.AnswerError: {} is not a statement; expected a text of at most 600
    characters
    """
    return [text_of(row, "statement") for row in rows]


def plan_independent(plan: Callable[[Store, Asker, Collection[str] | None, str], PlannedAsking]) -> Plan:
    """A plan of questions that do not depend on what was asked just now."""
    return lambda store, asker, topics, again, done: plan(store, asker, topics, again)


NUGGETS_OF_ANSWERS = QuestionKind(MAKING, "nuggets", plan_making, "answers")
STATEMENTS = QuestionKind(STATING, "statements", plan_independent(plan_stating), "answers")
QUESTIONS_OF_ANSWERS = QuestionKind(QUESTIONS, "questions", plan_independent(plan_questions), "answers")
