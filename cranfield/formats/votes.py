"""Votes: what somebody else's labelling tool says that assessors said, one at a time.

A reader finds the records of its format and gives each as a Ballot: its fields under the names they have there.
`read_votes` makes each a Vote, whose fields are known by any of their usual names; what no name is known for is counted
as lost. A vote without a grade is never a grade of 0: it was put off, could not be judged, or is no vote at all.

Votes may be a table with a header or JSON objects, a record a line: assessor, qid, docno, grade, and more: note,
reason, seconds, at (when), and state: label, later, cannot-judge. A record with neither a grade nor a state is counted
as no vote. Instead of a grade, the word of a state may stand there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, NamedTuple

from cranfield.errors import InputError, Path
from cranfield.formats import delimited, jsonl
from cranfield.formats.files import LIMITS, Format, OpenFile, open_file, report_notes
from cranfield.formats.records import Names, fold_field_name
from cranfield.formats.table import AUTO, choose_format, format_guess_notes, nothing_read_error
from cranfield.text import counted, join_words, json_value

MAX_NAMED_ASSESSORS = 3  # assessors that an error names
State = Literal["label", "cannot-judge", "later", "none"]
Answers = dict[str, object]

NAMES: Mapping[str, tuple[str, ...]] = {
    "assessor": ("assessor", "annotator", "user", "user_email", "user_id", "rater", "judge", "completed_by"),
    "qid": ("qid", "query_id", "query-id", "topic", "topic_id"),
    "docno": ("docno", "doc_id", "docid", "document_id", "corpus-id", "corpus_id"),
    "query": ("query", "query_text"),
    "grade": ("grade", "relevance", "rating", "label"),
    "state": ("state", "status"),
    "reason": ("reason",),
    "note": ("note", "comment", "explanation", "rationale"),
    "seconds": ("seconds", "lead_time", "duration"),
    "at": ("at", "time", "timestamp", "created_at"),
}
STATES: Mapping[str, State] = {
    "later": "later", "judge_later": "later", "draft": "later", "pending": "later",
    "cannot-judge": "cannot-judge", "cannot judge": "cannot-judge", "unrateable": "cannot-judge",
    "skipped": "cannot-judge", "discarded": "cannot-judge", "failed": "cannot-judge", "error": "cannot-judge",
    "": "label", "label": "label", "submitted": "label", "completed": "label",
    "unjudged": "none",
}  # fmt: skip


class Ballot(NamedTuple):
    """A record as its format has it; `answers` are to what the assessor was asked; None: the format has but fields.

    `doubt` is what the format leaves open about it, `by` whose it is by the file's name, where nobody says.
    """

    record: int
    fields: Answers
    answers: Answers | None = None
    doubt: str = ""
    by: str = ""


class Vote(NamedTuple):
    """One assessor's vote on a pair; `query` is the topic's text if the file has no qid."""

    record: int
    assessor: str
    qid: str
    docno: str
    state: State
    grade: str = ""
    reason: str = ""
    note: str = ""
    seconds: float | None = None
    at: str = ""
    query: str = ""


def first_set_state(*states: tuple[object, str]) -> str:
    """The first state whose mark is set.

    >>> first_set_state((False, "unrateable"), (True, "judge_later")), first_set_state((None, "unrateable"))
    ('judge_later', '')
    """
    return next((state for mark, state in states if mark), "")


@dataclass
class Votes:
    """Votes of a file.

    `unplaced` counts the records with each field that the store lacks, and `empty` the records without a vote. `doubts`
    counts the votes that may be invalid, by reason. `guess` describes the detected format if no format was named.
    """

    format: str
    path: Path
    votes: list[Vote] = field(default_factory=list)
    unplaced: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    doubts: Counter[str] = field(default_factory=Counter)
    guess: Sequence[str] = ()

    @property
    def notes(self) -> list[str]:
        """Notes on the detected format, and on votes that may be invalid or another person's."""
        return [*self.guess, *(f"{counted(count, 'vote')} {doubt}" for doubt, count in self.doubts.items())]


def read_votes(path: Path, format: str = AUTO, names: Mapping[str, str] | None = None, assessor: str = "") -> Votes:
    """Read the votes of a file.

    `names` maps a field to its name in the file, such as {"qid": "topic_number"}. `assessor` is the assessor of votes
    that name no assessor; it is an error if every vote in the file names its assessor.
    """
    for name in names or {}:
        if name not in NAMES:
            raise InputError(f"a vote has no field {name!r}; available: {', '.join(NAMES)}")
    field_names = Names(dict(names or {}))
    with open_file(path) as source:
        row = choose_format("votes", format, source)
        votes, is_table = Votes(row.name, path), True
        for ballot in row.read(source):
            is_table = is_table and ballot.answers is None
            field_names.present.update(dict.fromkeys([*ballot.fields, *(ballot.answers or ())]))
            _add_ballot(votes, ballot, field_names.mapping, assessor)
        if not votes.votes and not votes.empty:
            raise nothing_read_error(row, source)
        field_names.check_names(path)
        if not votes.votes:
            # Refuse a file none of whose fields is a grade or a state.
            judged = (name for what in ("grade", "state") for name in (field_names.mapping.get(what), *NAMES[what]))
            if not {fold_field_name(name) for name in judged if name} & set(map(fold_field_name, field_names.present)):
                right = f"expected a grade in one of the fields {', '.join(NAMES['grade'])}, or --field grade=NAME"
                raise InputError(f"the file contains no votes; its fields are {field_names.sample}; {right}", path)
        # The file may name its assessors itself: refuse one who has no vote in it.
        assessors = list(dict.fromkeys(vote.assessor for vote in votes.votes))
        if assessor and assessors and assessor not in assessors:
            more = ", ..." * (len(assessors) > MAX_NAMED_ASSESSORS)
            found = f"the file names its assessors ({join_words(assessors[:MAX_NAMED_ASSESSORS])}{more})"
            remedy = f"omit --assessor, or rename one with --rename {assessors[0]}={assessor}"
            raise InputError(f"{found}, so no vote is by {assessor!r}; {remedy}", votes.path)
    if is_table:
        # Under which name the file has each field of a vote: as the user says, or the first of the usual names.
        usual = {ours: next((name for name in NAMES[ours] if name in field_names.present), "") for ours in NAMES}
        field_names.places[()] = {ours: name for ours, name in (usual | dict(field_names.mapping)).items() if name}
    votes.guess = format_guess_notes(row, format, field_names)
    if LIMITS.get().reading.fails_on_note:
        report_notes({note: [path] for note in votes.notes})
    return votes


def _add_ballot(votes: Votes, ballot: Ballot, names: Mapping[str, str], assessor: str) -> None:
    answers = None if ballot.answers is None else dict(ballot.answers)
    take = _BallotFields(dict(ballot.fields), answers, names, votes.path, ballot.record)
    vote = take.vote(assessor or ballot.by)
    by_name = (
        (f"are counted as votes of {ballot.by}, because the file has this name") if ballot.by == vote.assessor else ""
    )
    votes.unplaced.update(take.unplaced_fields())
    if vote.state == "none":
        votes.empty += 1
    else:
        votes.votes.append(vote)
        votes.doubts.update(filter(None, [ballot.doubt, by_name if ballot.by and not assessor else ""]))


@dataclass
class _BallotFields:
    """Takes the fields of a vote out of a record."""

    fields: Answers
    answers: Answers | None
    names: Mapping[str, str]
    path: Path
    record: int

    def vote(self, assessor: str) -> Vote:
        grade = self._text("grade") if self.answers is None else self._from_answers("grade", only=True)
        note = self._text("note") or self._from_answers("note")
        reason = self._text("reason")
        state = self._vote_state(self._text("state"), grade)
        who, query = self._text("assessor") or assessor, self._text("query")
        qid, docno = self._text("qid"), self._text("docno")
        if state != "none":
            for value, name in ((who, "assessor"), (qid or query, "qid"), (docno, "docno")):
                if not value:
                    fields = self.names.get(name) or ", ".join(NAMES[name])
                    other = "; or name an assessor with --assessor" if name == "assessor" else ""
                    raise self.wrong(f"no {name}; expected it in one of the fields {fields}{other}")
                if "\0" in value:
                    raise self.wrong(f"{name} {value!r:.60} contains a NUL")
        vote = Vote(
            self.record,
            who,
            qid,
            docno=docno,
            state=state,
            grade="",
            reason=reason,
            note=note,
            seconds=self._seconds(),
            at=self._text("at"),
            query=query,
        )
        return vote._replace(grade=grade) if state == "label" else vote

    def _vote_state(self, text: str, grade: str) -> State:
        for word in (text.lower(), grade.lower()):
            if word in STATES and STATES[word] != "label":
                return STATES[word]
        if text.lower() not in STATES:
            raise self.wrong(f"state {text!r:.40}; expected one of {', '.join(filter(None, STATES))}")
        return "label" if grade else "none"

    def _from_answers(self, what: str, only: bool = False) -> str:
        """The answer to a question of this name; `only`: or the only one there is."""
        answers = self.answers or {}
        name = self._name(what, answers)
        others = [name for name in answers if name not in NAMES["note"]]
        if name is None and only and what not in self.names and others:
            if len(others) > 1:
                raise self.wrong(
                    f"found answers to {', '.join(others)}; name the question that asks for the grade with --field"
                    " grade=NAME"
                )
            name = others[0]
        return "" if name is None else self._text_of_value(name, answers.pop(name), what)

    def _text(self, what: str) -> str:
        name = self._name(what, self.fields)
        return "" if name is None else self._text_of_value(name, self.fields.pop(name), what)

    def _name(self, what: str, fields: Answers) -> str | None:
        """Under which of the fields a vote has this: as the user says, in any spelling, or under a usual name."""
        if what in self.names:
            return next((name for name in fields if fold_field_name(name) == fold_field_name(self.names[what])), None)
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

    def _text_of_value(self, name: str, value: object, what: str) -> str:
        """A value as text; a list of one is that one, a whole number is written without a point."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) and what == "grade":
            return "true" if value else "false"
        if isinstance(value, (bool, list, dict)):
            raise self.wrong(f"{name} is {json_value(value, 60)}; expected one text or number")
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value).strip().encode("utf-8", "replace").decode()

    def unplaced_fields(self) -> Iterator[str]:
        """The fields and answers that have no place in a vote; empty ones and marks that are not set are no loss."""
        for part in (self.fields, self.answers or {}):
            yield from (name for name, value in part.items() if value is not False and value not in (None, "", [], {}))

    def wrong(self, message: str) -> InputError:
        return InputError(message, self.path, self.record)


def detect_votes(head: bytes, path: str) -> bool:
    names = {name.strip().lower() for name in head.partition(b"\n")[0].decode("utf-8", "replace").split(",")}
    return bool(names & set(NAMES["docno"])) and bool(names & set(NAMES["grade"]))


def read_csv(source: OpenFile) -> Iterator[Ballot]:
    rows = delimited.read_csv_cells(source)
    first, names = next(rows, (1, []))
    header = [name.strip().lower() for name in names]
    delimited.check_distinct_columns(header, source.path, first)
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{len(cells)} cells; expected {len(header)}, as in the header", source.path, line)
        yield Ballot(line, dict(zip(header, cells, strict=True)))


def read_jsonl(source: OpenFile) -> Iterator[Ballot]:
    for line, fields in jsonl.read_json_objects(source):
        yield Ballot(line, fields)


VOTES_CSV = Format(
    "votes", "csv", "CSV with a header: assessor, qid, docno, grade, and note, seconds, state", detect_votes, read_csv
)
VOTES_JSONL = Format(
    "votes", "jsonl", "one JSON object per line: assessor, qid, docno, grade, ...", jsonl.detect, read_jsonl
)
