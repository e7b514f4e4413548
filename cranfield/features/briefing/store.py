"""Practice and questions in the store: the right grades, what assessors gave, what they ask and are answered."""

from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.judging.planning.overview import Attention
from cranfield.store.links import append_item
from cranfield.store.log import is_recorded
from cranfield.store.store import Store, sha256
from cranfield.text import counted

LONGEST = 2000  # characters of a question, and of an answer


class GoldLabel(NamedTuple):
    """A document to practise on: the right grade, and why."""

    qid: str
    docno: str
    grade: int
    reason: str


class TopicQuestion(NamedTuple):
    """What an assessor asked about a topic, and the last answer; empty where there is none."""

    id: int
    at: str
    qid: str
    assessor: str
    question: str
    answer: str


def set_gold(store: Store, qid: str, assessor: str) -> int:
    """Let everybody practise on a topic: somebody's grades of it are right, her notes say why. How many there are.

    They take the place of those that were set before.
    """
    rows = store.rows(
        "SELECT t.id, d.id, c.grade, c.id FROM current_judgment c JOIN topic t USING (qid)"
        " JOIN document d USING (docno) WHERE qid = ? AND assessor = ? AND grade IS NOT NULL ORDER BY docno",
        [qid, assessor],
    )
    if not rows:
        raise InputError(f"{assessor!r} has no labels on topic {qid!r}; judge it under that name first")
    with store.writing():
        store.conn.execute("DELETE FROM gold_label")
        store.conn.executemany("INSERT INTO gold_label VALUES (?, ?, ?, ?)", rows)
    return len(rows)


def labelled_topics(store: Store) -> list[tuple[str, str, int]]:
    """The topics that people have labelled: topic, assessor, and the number of labels."""
    return store.rows(
        "SELECT qid, c.assessor, count(*) FROM current_judgment c JOIN assessor a ON a.name = c.assessor"
        " WHERE c.grade IS NOT NULL AND a.kind = 'human' AND a.repeats IS NULL GROUP BY qid, c.assessor"
        " ORDER BY count(*) DESC, qid, c.assessor LIMIT 200"
    )


def gold(store: Store) -> list[GoldLabel]:
    """The documents to practise on, in the order of their docnos."""
    names = (
        "JOIN topic t ON t.id = g.topic JOIN document d ON d.id = g.document JOIN judgment_event e ON e.id = g.label"
    )
    rows = store.rows(f"SELECT qid, docno, g.grade, e.note FROM gold_label g {names} ORDER BY qid, docno")
    return [GoldLabel(*row) for row in rows]


class PracticeStep(NamedTuple):
    """A practice document with the grade that an assessor gave, None before they graded it."""

    qid: str
    docno: str
    right: int
    reason: str
    given: int | None = None


def practice_of(store: Store, assessor: str) -> list[tuple[str, str, int, int]]:
    """An assessor's practice grades: topic, document, last grade and right grade, in the order of the first grades."""
    rows = store.rows("SELECT qid, docno, grade, gold FROM practice WHERE assessor = ? ORDER BY id", [assessor])
    grades = {(qid, docno): (grade, right) for qid, docno, grade, right in rows}
    return [(*pair, *values) for pair, values in grades.items()]


def practice_steps(store: Store, assessor: str) -> list[PracticeStep]:
    """The documents that an assessor has graded in practice, then those that remain."""
    reasons = {(one.qid, one.docno): one.reason for one in gold(store)}
    graded = [
        PracticeStep(qid, docno, right, reasons.get((qid, docno), ""), grade)
        for qid, docno, grade, right in practice_of(store, assessor)
    ]
    return graded + [PracticeStep(*one) for one in to_practise(store, assessor)]


def to_practise(store: Store, assessor: str) -> list[GoldLabel]:
    """What of it somebody has not graded yet."""
    graded = {(qid, docno) for qid, docno, *_ in practice_of(store, assessor)}
    return [one for one in gold(store) if (one.qid, one.docno) not in graded]


def has_practice(store: Store, assessor: str) -> bool:
    """Whether somebody who has judged nothing yet is to practise first."""
    events = "SELECT 1 FROM judgment_event e JOIN assessor a ON a.id = e.assessor WHERE a.name = ? LIMIT 1"
    return bool(to_practise(store, assessor)) and not store.rows(events, [assessor])


def practise(store: Store, assessor: str, step: PracticeStep, grade: int, event_id: str) -> None:
    """Record a practice grade, which replaces an earlier one of the document; the same event is recorded once."""
    if grade not in store.collection.grades:
        raise InputError(
            f"grade {grade} is not on the scale; expected one of {', '.join(map(str, store.collection.grades))}"
        )
    _append(
        store, "practice_label", event_id=event_id, topic=step.qid, document=step.docno, assessor=assessor, grade=grade,
        gold=step.right,
    )  # fmt: skip


RESULTS = """
SELECT assessor, count(*), sum(grade = gold), sum(grade > gold), sum(grade < gold), sum(given > 1) FROM (
    SELECT assessor, grade, gold, min(id) OVER pair AS first, max(id) OVER pair AS last, count(*) OVER pair AS given, id
    FROM practice WINDOW pair AS (PARTITION BY assessor, qid, docno)
) WHERE id = last GROUP BY assessor ORDER BY min(first)
"""


def results(store: Store) -> list[dict[str, object]]:
    """The practice results of each assessor: numbers of documents, by their last grades, and of changed grades."""
    names = ("assessor", "documents", "right", "above", "below", "changed")
    return [dict(zip(names, row, strict=True)) for row in store.rows(RESULTS)]


def ask(store: Store, qid: str, assessor: str, text: str, event_id: str) -> None:
    """Ask the organiser about a topic; the same event with the same text is recorded once."""
    if not store.rows("SELECT 1 FROM topic WHERE qid = ?", [qid]):
        raise InputError(f"no topic {qid!r} in this store")
    text = _text(text, "question")
    event = f"{event_id}-{sha256(text)}"  # another text is another question
    _append(store, "question", event_id=event, topic=qid, assessor=assessor, text=text)


def answer(store: Store, number: int, text: str, event_id: str) -> TopicQuestion:
    """Answer a question; a later answer takes the place of this one."""
    question = next((one for one in questions(store) if one.id == number), None)
    if question is None:
        raise StoreError(f"there is no question {number}; this store has {counted(len(questions(store)), 'question')}")
    about = {"topic": question.qid, "assessor": question.assessor, "answers": number}
    text = _text(text, "answer")
    _append(store, "question", event_id=f"{event_id}-{number}-{sha256(text)}", text=text, **about)
    return question


def questions(store: Store) -> list[TopicQuestion]:
    """All questions in the order asked, each with its last answer."""
    return [TopicQuestion(*row) for row in store.rows("SELECT * FROM questions ORDER BY id")]


def question_notes(store: Store) -> list[Attention]:
    """Note how many questions have no answer; the list is empty if each has one."""
    number = sum(not one.answer for one in questions(store))
    have = "has" if number == 1 else "have"
    return [Attention(f"{counted(number, 'question')} by assessors {have} no answer", "briefing")] if number else []


def topic_questions(store: Store, assessor: str, qid: str) -> list[TopicQuestion]:
    """What stands with a topic: questions that were answered, whoever asked, and one's own."""
    return [one for one in questions(store) if one.qid == qid and (one.answer or one.assessor == assessor)]


def _append(store: Store, log: str, *, event_id: str, **columns: object) -> None:
    """Append an item whose event is not recorded yet."""
    with store.writing():
        if not is_recorded(store, event_id, log):
            append_item(store, log, event_id=event_id, **columns)


def _text(text: str, what: str) -> str:
    if not text.strip():
        raise InputError(f"the {what} is empty")
    if len(text) > LONGEST:
        raise InputError(f"the {what} has {len(text):,} characters; expected at most {LONGEST:,}")
    return text.strip()
