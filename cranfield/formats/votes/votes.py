"""Reading votes: each Ballot of a format becomes a Vote, whose fields are known by any of their usual names.

What no name is known for is counted as lost. A vote without a grade is never a grade of 0: it was put off, could not be
judged, or is no vote at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from cranfield.errors import InputError
from cranfield.formats.files import Path, opened
from cranfield.formats.records import Names, spelled
from cranfield.formats.table import AUTO, chosen, nothing_read
from cranfield.formats.votes.vote import NAMES, STATES, Answers, Ballot, State, Vote
from cranfield.text import counted


@dataclass
class Votes:
    """The votes of a file; `lost` counts the records of each field that has no place, `empty` those without a vote.

    `doubts` counts the votes that may be none, by what the format leaves open.
    """

    format: str
    path: Path
    votes: list[Vote] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    doubts: Counter[str] = field(default_factory=Counter)

    @property
    def notes(self) -> list[str]:
        """What is to be said of votes that may be none."""
        return [f"{self.path}: {counted(count, 'vote')} {doubt}" for doubt, count in self.doubts.items()]


def read_votes(path: Path, format: str = AUTO, names: Mapping[str, str] | None = None, assessor: str = "") -> Votes:
    """The votes of a file.

    `names` says under which name the file has a field, as {"qid": "topic_number"}; `assessor` whose votes they are
    where the file does not say.
    """
    for name in names or {}:
        if name not in NAMES:
            raise InputError(f"a vote has no field {name!r}; available: {', '.join(NAMES)}")
    asked = Names(dict(names or {}))
    with opened(path) as source:
        row = chosen("votes", format, source)
        found = Votes(row.name, path)
        for ballot in row.read(source):
            asked.seen.update(dict.fromkeys([*ballot.fields, *(ballot.answers or ())]))
            _count(found, ballot, asked.asked, assessor)
        if not found.votes and not found.empty:
            raise nothing_read(row, source)
        asked.check_seen(path)
    return found


def _count(found: Votes, ballot: Ballot, names: Mapping[str, str], assessor: str) -> None:
    answers = None if ballot.answers is None else dict(ballot.answers)
    take = _BallotFields(dict(ballot.fields), answers, names, found.path, ballot.record)
    vote = take.vote(assessor)
    found.lost.update(take.left())
    if vote.state == "none":
        found.empty += 1
    else:
        found.votes.append(vote)
        found.doubts.update([ballot.doubt] * bool(ballot.doubt))


@dataclass
class _BallotFields:
    """Takes the fields of a vote out of a record."""

    fields: Answers
    answers: Answers | None
    names: Mapping[str, str]
    path: Path
    record: int

    def vote(self, assessor: str) -> Vote:
        grade, note = self._grade(), self._text("note") or self._from_answers("note")
        reason = self._text("reason")
        state = self._state(self._text("state"), grade)
        who, query = self._text("assessor") or assessor, self._text("query")
        qid, docno = self._text("qid"), self._text("docno")
        if state != "none":
            self._check(who, qid or query, docno)
        vote = Vote(self.record, who, qid, docno, state, "", reason, note, self._seconds(), self._text("at"), query)
        return vote._replace(grade=grade) if state == "label" else vote

    def _check(self, assessor: str, topic: str, docno: str) -> None:
        for value, name in ((assessor, "assessor"), (topic, "qid"), (docno, "docno")):
            if not value:
                looked = self.names.get(name) or ", ".join(NAMES[name])
                raise self.wrong(f"no {name}; expected in one of the fields {looked}")
            if "\0" in value:
                raise self.wrong(f"{name} {value!r:.60} contains a NUL")

    def _state(self, text: str, grade: str) -> State:
        for said in (text.lower(), grade.lower()):
            if said in STATES and STATES[said] != "label":
                return STATES[said]
        if text.lower() not in STATES:
            raise self.wrong(f"state {text!r:.40}; expected one of {', '.join(filter(None, STATES))}")
        return "label" if grade else "none"

    def _grade(self) -> str:
        if self.answers is None:
            return self._text("grade")
        return self._from_answers("grade", only=True)

    def _from_answers(self, what: str, only: bool = False) -> str:
        """The answer to a question of this name; `only`: or the only one there is."""
        answers = self.answers or {}
        name = self._name(what, answers)
        others = [name for name in answers if name not in NAMES["note"]]
        if name is None and only and what not in self.names and others:
            if len(others) > 1:
                raise self.wrong(f"answers to {', '.join(others)}; name the one with the grade: --field grade=NAME")
            name = others[0]
        return "" if name is None else self._plain(name, answers.pop(name), what)

    def _text(self, what: str) -> str:
        name = self._name(what, self.fields)
        return "" if name is None else self._plain(name, self.fields.pop(name), what)

    def _name(self, what: str, fields: Answers) -> str | None:
        """Under which of the fields a vote has this: as the user says, in any spelling, or under a usual name."""
        if what in self.names:
            return next((name for name in fields if spelled(name) == spelled(self.names[what])), None)
        return next((name for name in NAMES[what] if name in fields), None)

    def _seconds(self) -> float | None:
        text = self._text("seconds")
        if not text:
            return None
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if not isfinite(number) or number < 0:
            raise self.wrong(f"{text!r:.40} is not a number of seconds")
        return number

    def _plain(self, name: str, value: object, what: str) -> str:
        """A value as text; a list of one is that one, a whole number is written without a point."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) and what == "grade":
            return "true" if value else "false"
        if isinstance(value, (bool, list, dict)):
            raise self.wrong(f"{name} is {value!r:.60}; expected one text or number")
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value).strip().encode("utf-8", "replace").decode()

    def left(self) -> Iterator[str]:
        """The fields and answers that have no place in a vote; empty ones and marks that are not set are no loss."""
        for left in (self.fields, self.answers or {}):
            yield from (name for name, value in left.items() if value is not False and value not in (None, "", [], {}))

    def wrong(self, message: str) -> InputError:
        return InputError(message, self.path, self.record)
