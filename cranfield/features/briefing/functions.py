"""Practice and questions: what `cranfield assessor` does with them, and what Python has of it."""

from __future__ import annotations

from typing import Annotated, ClassVar
from uuid import uuid4

from cranfield.commands.calls import open_store_call
from cranfield.options import Argument, Option
from cranfield.options.arguments import PresentStore, check_arguments
from cranfield.results import Result, ResultInLines
from cranfield.text import counted

PracticeTopic = Annotated[str, Argument("Topic to practise on.", metavar="QID", complete="topic")]
GoldAssessor = Annotated[
    str,
    Option("Assessor whose grades count as right, and whose notes explain them.", metavar="NAME", complete="assessor"),
]
QuestionNumber = Annotated[int, Argument("Number of the question in `assessor questions`.", metavar="ID", min=1)]
AnswerText = Annotated[str, Argument("The answer.", metavar="TEXT")]


@check_arguments
def set_practice_topic(store: PresentStore, qid: PracticeTopic, *, gold: GoldAssessor) -> ResultInLines:
    """Let assessors practise on a topic before their first real topic.

    One assessor's grades on the topic count as the right grades. After each grade, assessors stay on the document and
    see the right grade and its note; they can undo the grade. Their practice grades do not count. `cranfield assessor
    results` shows how many were right. Do not assign the topic to anybody.

    Example: cranfield assessor practice track.db 1 --gold kim

    Example: cranfield assessor practice track.db 2 --gold kim

    Parameters
    ----------
    store : path or Store
        The store.
    qid : str
        The topic to practise on.
    gold : str
        The assessor whose grades count as correct.

    Returns
    -------
    ResultInLines
        One row: topic, gold, and the number of documents.

    Raises
    ------
    InputError
        If this assessor has no labels for the topic.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> _ = cranfield.pooling.build_pool(store, depth=2)
    >>> labels = {"q": {"d1": 1, "d2": 0, "d3": 1}}
    >>> _ = cranfield.store.import_qrels(store, labels, assessor="ada", kind="human")
    >>> set_practice_topic(store, "q", gold="ada")
    practice on topic q: 3 documents with the right grades from ada
    >>> store.close()
    """
    from cranfield.features.briefing.store import set_gold

    with open_store_call(store) as call:
        number = set_gold(call.store, qid, gold)
        line = f"practice on topic {qid}: {counted(number, 'document')} with the right grades from {gold}"
        row = {"topic": qid, "gold": gold, "documents": number}
        return ResultInLines([row], lines=(line,), context=call.context("judging.set_practice_topic"))


class PracticeResults(Result):
    """The practice results of each assessor."""

    columns: ClassVar[tuple[str, ...]] = ("assessor", "documents", "right", "above", "below", "changed")


@check_arguments
def list_practice_results(store: PresentStore) -> PracticeResults:
    """Show how many practice grades of each assessor were right.

    The last grade of each document counts. `changed` is the number of documents whose grade the assessor changed after
    the right grade was shown.

    JSON: [{"assessor", "documents", "right", "above", "below", "changed"}].

    Example: cranfield assessor results track.db

    Example: cranfield assessor results track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    PracticeResults
        A row for each assessor: the number of practice `documents`, and how many grades were `right`, too high
        (`above`), too low (`below`) and `changed` later.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("no practice yet") as store:
    ...     list_practice_results(store).frame.columns.tolist()
    ['assessor', 'documents', 'right', 'above', 'below', 'changed']
    """
    from cranfield.features.briefing.store import results

    with open_store_call(store) as call:
        return PracticeResults(results(call.store), context=call.context("judging.list_practice_results"))


class QuestionTable(Result):
    """The assessors' questions, with the answers."""

    columns: ClassVar[tuple[str, ...]] = ("id", "at", "qid", "assessor", "question", "answer")


@check_arguments
def list_questions(store: PresentStore) -> QuestionTable:
    """List the assessors' questions about topics, with the answers.

    JSON: [{"id", "at", "qid", "assessor", "question", "answer"}].

    Example: cranfield assessor questions track.db

    Example: cranfield assessor questions track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    QuestionTable
        A row for each question: id, at, qid, assessor, question, and answer (empty if unanswered).

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("no questions yet") as store:
    ...     len(list_questions(store).frame)
    0
    """
    from cranfield.features.briefing.store import questions

    with open_store_call(store) as call:
        rows = [question._asdict() for question in questions(call.store)]
        return QuestionTable(rows, context=call.context("judging.list_questions"))


@check_arguments
def answer_question(store: PresentStore, number: QuestionNumber, text: AnswerText) -> ResultInLines:
    """Answer an assessor's question about a topic.

    Everybody who judges the topic sees the question and the answer, without the name of the person who asked.

    Example: cranfield assessor answer track.db 1 "A cause alone is partly relevant."

    Example: cranfield assessor answer track.db 2 "Yes, if it names the place."

    Parameters
    ----------
    store : path or Store
        The store.
    number : int
        The id of the question, from `list_questions`.
    text : str
        The answer.

    Returns
    -------
    ResultInLines
        One row: id and qid of the question, and the answer.

    Raises
    ------
    StoreError
        If there is no such question.
    """
    from cranfield.features.briefing.store import answer

    with open_store_call(store) as call:
        question = answer(call.store, number, text, uuid4().hex)
        line = f"answered question {number} on topic {question.qid}"
        row = {"id": number, "qid": question.qid, "answer": text}
        return ResultInLines([row], lines=(line,), context=call.context("judging.answer_question"))
