"""Practice and questions: what `cranfield assessor` does with them, and what Python has of it."""

from __future__ import annotations

from typing import Annotated, ClassVar
from uuid import uuid4

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call
from cranfield.options import Argument, Option
from cranfield.options.given import PresentStore
from cranfield.results import Result, ResultInLines
from cranfield.text import counted

PracticeTopic = Annotated[str, Argument("The topic to practise on.", metavar="QID", complete="topic")]
GoldAssessor = Annotated[
    str, Option("Who gave the right grades; her notes say why.", metavar="NAME", complete="assessor")
]
QuestionNumber = Annotated[int, Argument("Its number in `assessor questions`.", metavar="ID", min=1)]
AnswerText = Annotated[str, Argument("The answer.", metavar="TEXT")]


@check_arguments
def set_practice_topic(store: PresentStore, qid: PracticeTopic, *, gold: GoldAssessor) -> ResultInLines:
    """Let assessors practise on a topic before their first one: the grades of one person are right.

    After each document they see the right grade and the note that came with it. What they give counts for nothing; how
    they did is shown by `cranfield assessor results`. Assign the topic to nobody.

    Example: cranfield assessor practice track.db 1 --gold kim

    Example: cranfield assessor practice track.db 2 --gold kim

    Parameters
    ----------
    store : path or Store
        The store.
    qid : str
        The topic to practise on.
    gold : str
        The assessor whose grades are right.

    Returns
    -------
    ResultInLines
        One row: topic, gold, and the number of documents.

    Raises
    ------
    InputError
        If this assessor has no labels on the topic.

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
    practice: 3 documents of topic q, by the grades of ada
    >>> store.close()
    """
    from cranfield.features.briefing.store import set_gold

    with open_store_call(store) as call:
        number = set_gold(call.store, qid, gold)
        line = f"practice: {counted(number, 'document')} of topic {qid}, by the grades of {gold}"
        row = {"topic": qid, "gold": gold, "documents": number}
        return ResultInLines([row], lines=(line,), context=call.context("judging.set_practice_topic"))


class PracticeResults(Result):
    """How assessors did while they practised."""

    columns: ClassVar[tuple[str, ...]] = ("assessor", "documents", "right", "above", "below")


@check_arguments
def list_practice_results(store: PresentStore) -> PracticeResults:
    """Show how assessors did while they practised: how many of their grades were right, too high and too low.

    JSON: [{"assessor", "documents", "right", "above", "below"}].

    Example: cranfield assessor results track.db

    Example: cranfield assessor results track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    PracticeResults
        A row for each assessor: assessor, documents, right, above and below; counts are of documents.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("no practice yet") as store:
    ...     list_practice_results(store).frame.columns.tolist()
    ['assessor', 'documents', 'right', 'above', 'below']
    """
    from cranfield.features.briefing.store import results

    with open_store_call(store) as call:
        return PracticeResults(results(call.store), context=call.context("judging.list_practice_results"))


class QuestionTable(Result):
    """What assessors asked, with the answers."""

    columns: ClassVar[tuple[str, ...]] = ("id", "at", "qid", "assessor", "question", "answer")


@check_arguments
def list_questions(store: PresentStore) -> QuestionTable:
    """List what assessors asked about topics, with the answers.

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
        A row for each question: id, at, qid, assessor, question, and answer, which is empty without one.

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
    """Answer a question. Everybody who judges its topic sees both, without the name of who asked.

    Example: cranfield assessor answer track.db 1 "A cause alone is partly relevant."

    Example: cranfield assessor answer track.db 2 "Yes, if it names the place."

    Parameters
    ----------
    store : path or Store
        The store.
    number : int
        The id of the question, as `list_questions` has it.
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
        line = f"question {number} on topic {question.qid}: answered"
        row = {"id": number, "qid": question.qid, "answer": text}
        return ResultInLines([row], lines=(line,), context=call.context("judging.answer_question"))
