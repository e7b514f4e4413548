"""Practice and questions in the store: the right grades, what assessors gave, what they ask and are answered."""

from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.store.links import append_item
from cranfield.store.log import is_recorded
from cranfield.store.store import Store
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


def gold(store: Store) -> list[GoldLabel]:
    """The documents to practise on, in the order of their docnos."""
    names = (
        "JOIN topic t ON t.id = g.topic JOIN document d ON d.id = g.document JOIN judgment_event e ON e.id = g.label"
    )
    rows = store.rows(f"SELECT qid, docno, g.grade, e.note FROM gold_label g {names} ORDER BY qid, docno")
    return [GoldLabel(*row) for row in rows]


def practice_of(store: Store, assessor: str) -> list[tuple[str, str, int, int]]:
    """What somebody gave: topic, document, grade and right grade, in the order given."""
    return store.rows("SELECT qid, docno, grade, gold FROM practice WHERE assessor = ? ORDER BY id", [assessor])


def to_practise(store: Store, assessor: str) -> list[GoldLabel]:
    """What of it somebody has not graded yet."""
    graded = {(qid, docno) for qid, docno, *_ in practice_of(store, assessor)}
    return [one for one in gold(store) if (one.qid, one.docno) not in graded]


def has_practice(store: Store, assessor: str) -> bool:
    """Whether somebody who has judged nothing yet is to practise first."""
    events = "SELECT 1 FROM judgment_event e JOIN assessor a ON a.id = e.assessor WHERE a.name = ? LIMIT 1"
    return bool(to_practise(store, assessor)) and not store.rows(events, [assessor])


def practise(store: Store, assessor: str, one: GoldLabel, grade: int, event_id: str) -> None:
    """Record the grade that somebody gave; the same event is recorded once."""
    if grade not in store.collection.grades:
        raise InputError(f"{grade} is not a grade here; the grades are {', '.join(map(str, store.collection.grades))}")
    _append(
        store, "practice_label", event_id=event_id, topic=one.qid, document=one.docno, assessor=assessor, grade=grade,
        gold=one.grade,
    )  # fmt: skip


def results(store: Store) -> list[dict[str, object]]:
    """How each assessor did: documents, right, too high, too low."""
    return [
        dict(zip(("assessor", "documents", "right", "above", "below"), row, strict=True))
        for row in store.rows(
            "SELECT assessor, count(*), sum(grade = gold), sum(grade > gold), sum(grade < gold) FROM practice"
            " GROUP BY assessor ORDER BY min(id)"
        )
    ]


def ask(store: Store, qid: str, assessor: str, text: str, event_id: str) -> None:
    """Ask the organiser about a topic; the same event is recorded once."""
    if not store.rows("SELECT 1 FROM topic WHERE qid = ?", [qid]):
        raise InputError(f"no topic {qid!r} in this store")
    _append(store, "question", event_id=event_id, topic=qid, assessor=assessor, text=_text(text, "question"))


def answer(store: Store, number: int, text: str, event_id: str) -> TopicQuestion:
    """Answer a question; a later answer takes the place of this one."""
    question = next((one for one in questions(store) if one.id == number), None)
    if question is None:
        raise StoreError(f"no question {number} in this store; it has {counted(len(questions(store)), 'question')}")
    about = {"topic": question.qid, "assessor": question.assessor, "answers": number}
    _append(store, "question", event_id=event_id, text=_text(text, "answer"), **about)
    return question


def questions(store: Store) -> list[TopicQuestion]:
    """All questions in the order asked, each with its last answer."""
    return [TopicQuestion(*row) for row in store.rows("SELECT * FROM questions ORDER BY id")]


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
        raise InputError(f"the {what} has no words")
    if len(text) > LONGEST:
        raise InputError(f"the {what} has {len(text):,} characters; expected at most {LONGEST:,}")
    return text.strip()
