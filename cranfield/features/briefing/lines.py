"""Practice in the terminal, before the first topic of `cranfield judge`: each document, a grade, and the right one."""

from collections.abc import Iterator
from typing import TextIO
from uuid import uuid4

from cranfield.features.briefing.store import GoldLabel, has_practice, practice_of, practise, to_practise
from cranfield.judging.frontends.view_text import indented_lines, topic_text, wrap
from cranfield.judging.session.view import heading
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from cranfield.text import visible_line

PROMPT = "practice> "


def practise_in_lines(store: Store, assessor: str, source: TextIO, target: TextIO, width: int) -> bool:
    """Practise, if somebody who judged nothing is to; whether judging may begin. q and the end of the input stop."""
    rest = to_practise(store, assessor) if has_practice(store, assessor) else []
    if rest:
        add_assessor(store, assessor)
        _say(target, *wrap("Practice first: what you give here counts for nothing. q stops.", width))
    for number, one in enumerate(rest, 1):
        _say(target, "", f"Practice, document {number} of {len(rest)}", "", *_practice_lines(store, one, width))
        if (grade := _read_grade(store, source, target, width)) is None:
            return False
        practise(store, assessor, one, grade, uuid4().hex)
        _say(target, *(line for text in _explain_grade(store, one, grade) for line in wrap(text, width)))
    if rest:
        grades = practice_of(store, assessor)
        right = sum(grade == gold for *_, grade, gold in grades)
        _say(target, "", f"Practice is done: {right} of {len(grades)} grades were right.", "")
    return True


def _practice_lines(store: Store, one: GoldLabel, width: int) -> Iterator[str]:
    document = store.document(one.docno)
    yield from topic_text(next(topic for topic in store.topics() if topic.qid == one.qid), width)
    yield from ("", *indented_lines(heading(document) or "Document", width), "")
    yield from indented_lines(document.text or "The store has no text for this document.", width)
    yield from ("", "Grades:")
    for grade, meaning in store.collection.grades.items():
        yield from indented_lines(f"{grade}  {meaning}", width)


def _read_grade(store: Store, source: TextIO, target: TextIO, width: int) -> int | None:
    """A grade of the scale; None to stop."""
    grades = {str(grade): grade for grade in store.collection.grades}
    while True:
        target.write(PROMPT)
        target.flush()
        line = source.readline()
        if line.strip() in grades:
            return grades[line.strip()]
        if not line or line.strip() == "q":
            _say(target)
            return None
        _say(target, *wrap(f"{visible_line(line.strip())[:40]!r} is no grade; type {', '.join(grades)}, or q", width))


def _explain_grade(store: Store, one: GoldLabel, grade: int) -> Iterator[str]:
    meaning = visible_line(store.collection.grades.get(one.grade, str(one.grade)))
    yield f"Right: {meaning}." if grade == one.grade else f"You gave {grade}, right is {one.grade}: {meaning}."
    if one.reason:
        yield f"Why: {visible_line(one.reason)}"


def _say(target: TextIO, *lines: str) -> None:
    target.write("\n".join(lines) + "\n")
    target.flush()
