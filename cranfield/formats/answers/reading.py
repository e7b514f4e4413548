"""Reading answers: of several files together, each run answering a topic once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.answers.answer import Answer
from cranfield.formats.files import Path, opened
from cranfield.formats.table import AUTO, chosen, nothing_read


class Place(NamedTuple):
    """Where an answer is."""

    path: Path
    line: int


class Answers(NamedTuple):
    """The answers of files, in their order, and the place of each."""

    answers: Sequence[Answer]
    places: Sequence[Place]


def read_answers(paths: Sequence[Path], format: str = AUTO) -> Answers:
    """The answers of files; a second answer of a run to a topic is refused, and a run that two teams claim."""
    found = [each for path in paths for each in _of_file(path, format)]
    first: dict[tuple[str, str], Place] = {}
    teams: dict[str, str] = {}
    for answer, place in found:
        before = first.setdefault((answer.run, answer.qid), place)
        if before is not place:
            where = f"line {before.line}" + (f" of {before.path}" if before.path != place.path else "")
            raise InputError(f"run {answer.run!r} answers topic {answer.qid!r} again, first on {where}", *place)
        if teams.setdefault(answer.run, answer.team) != answer.team:
            raise InputError(f"run {answer.run!r} is of team {answer.team!r}; before, of {teams[answer.run]!r}", *place)
    return Answers([answer for answer, _ in found], [place for _, place in found])


def _of_file(path: Path, format: str) -> list[tuple[Answer, Place]]:
    with opened(path) as source:
        row = chosen("answers", format, source)
        found = [(answer, Place(path, line)) for line, answer in row.read(source)]
        if not found:
            raise nothing_read(row, source)
    return found
