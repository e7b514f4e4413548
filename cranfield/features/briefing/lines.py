"""Practice in the terminal, before the first topic of `cranfield judge`: each document, a grade, and the right step."""

from collections.abc import Iterator, Sequence
from typing import TextIO
from uuid import uuid4

from cranfield.features.briefing.store import PracticeStep, has_practice, practice_steps, practise
from cranfield.judging.frontends.view_text import indented_lines, topic_text, wrap
from cranfield.judging.session.view import document_heading
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from cranfield.text import join_words, visible_line

PROMPT = "practice> "
UNDO, QUIT, NEXT = "u", "q", ""


def practise_in_lines(store: Store, assessor: str, source: TextIO, target: TextIO, width: int) -> bool:
    """Practise, if an assessor who has judged nothing has practice documents; return whether judging may begin."""
    if not has_practice(store, assessor):
        return True
    steps, grades = practice_steps(store, assessor), [str(grade) for grade in store.collection.grades]
    add_assessor(store, assessor)
    _say(target, *wrap("Practice first: these grades do not count. Press u to undo a grade, or q to stop.", width))
    position = sum(step.given is not None for step in steps)
    while position < len(steps):
        step = steps[position]
        _say(target, "", f"Practice, document {position + 1} of {len(steps)}", "", *_practice_lines(store, step, width))
        line = _read_line(source, target, width, [*grades, QUIT, *([UNDO] if position else [])])
        if line == QUIT:
            return False
        if line == UNDO:
            position -= 1
            continue
        practise(store, assessor, step, int(line), uuid4().hex)
        _say(target, *(part for text in _explain_grade(store, step, int(line)) for part in wrap(text, width)))
        _say(target, *wrap("Press Enter to continue, or u to undo the grade.", width))
        line = _read_line(source, target, width, [NEXT, UNDO, QUIT])
        if line == QUIT:
            return False
        position += line == NEXT
    right = sum(step.given == step.right for step in practice_steps(store, assessor))
    _say(target, "", f"Practice is finished: {right} of {len(steps)} grades were right.", "")
    return True


def _practice_lines(store: Store, step: PracticeStep, width: int) -> Iterator[str]:
    document = store.document(step.docno)
    yield from topic_text(next(topic for topic in store.topics() if topic.qid == step.qid), width)
    yield from ("", *indented_lines(document_heading(document) or "Document", width), "")
    yield from indented_lines(document.text or "The store has no text for this document.", width)
    yield from ("", "Grades:")
    for grade, meaning in store.collection.grades.items():
        yield from indented_lines(f"{grade}  {meaning}", width)


def _read_line(source: TextIO, target: TextIO, width: int, choices: Sequence[str]) -> str:
    """One of the choices; q at the end of the input."""
    expected = join_words([choice or "Enter" for choice in choices], "or")
    while True:
        target.write(PROMPT)
        target.flush()
        line = source.readline()
        if (typed := line.strip()) in choices and line:
            if typed == QUIT:
                _say(target)
            return typed
        if not line:
            _say(target)
            return QUIT
        found = repr(visible_line(typed)[:40]) if typed else "Enter"
        _say(target, *wrap(f"{found} is not possible here; type {expected}", width))


def _explain_grade(store: Store, step: PracticeStep, grade: int) -> Iterator[str]:
    meaning = visible_line(store.collection.grades.get(step.right, str(step.right)))
    yield (
        f"Right: {meaning}."
        if grade == step.right
        else f"You gave {grade}. The right grade is {step.right}: {meaning}."
    )
    if step.reason:
        yield f"Why: {visible_line(step.reason)}"


def _say(target: TextIO, *lines: str) -> None:
    target.write("\n".join(lines) + "\n")
    target.flush()
