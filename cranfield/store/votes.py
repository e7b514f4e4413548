"""Votes that come from elsewhere, as events: who said what, under whose name, and what could not be kept."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import NamedTuple
from uuid import uuid4

from cranfield.errors import CranfieldError, InputError, Path
from cranfield.formats import Vote, Votes
from cranfield.formats.layout import as_score, fractional_grade_remedy, parse_whole_grade
from cranfield.store.chain import INSERT, Event, add_origin, chain_links
from cranfield.store.log import add_external_assessor, assessors, current_decisions, scale_in_words
from cranfield.store.qrels import scale_error
from cranfield.store.store import Collection, Store, now
from cranfield.text import counted

YES_NO = {"true": 1, "false": 0}


@dataclass
class Grading:
    """How the grades of a file become those of a collection; `scale_error` counts those that were set aside.

    `grades` says what each becomes. Without it a whole number, `times` multiplied, is itself, a word is the grade of
    that meaning, and true and false are 1 and 0.
    """

    collection: Collection
    path: Path
    grades: Mapping[str, int] | None = None
    times: int = 1
    set_aside: bool = False
    off_scale: int = 0

    def __call__(self, vote: Vote) -> tuple[int | None, str]:
        """The grade of a vote and its reason; no grade, and why, for one that is set aside.

        >>> grading = Grading(Collection("c", "", "", "", {0: "no", 1: "yes"}, 1), "votes.csv", set_aside=True)
        >>> [grading(Vote(1, "ada", "q", "d", "label", grade)) for grade in ("1.0", "Yes", "FALSE", "2")]
        [(1, ''), (1, ''), (0, ''), (None, 'grade 2 is off the scale')]
        """
        grade = self._grade_of(vote)
        if grade is not None and grade in self.collection.grades:
            return grade, vote.reason
        if not self.set_aside:
            raise self._grade_error(vote)
        self.off_scale += 1
        return None, scale_error(vote.grade)

    def _grade_of(self, vote: Vote) -> int | None:
        """The grade, None for what is no whole number and no word."""
        whole = parse_whole_grade(vote.grade.encode(), self.times)
        if self.grades is not None:
            grades = self.grades or {}
            match = next(
                (text for text in (vote.grade, str(whole), fold_case_and_space(vote.grade)) if text in grades), None
            )
            if match is None:
                message = f"grade {vote.grade!r:.40}; expected one of {', '.join(grades)}"
                raise InputError(message, self.path, vote.record)
            return grades[match]
        meanings = {fold_case_and_space(meaning): number for number, meaning in self.collection.grades.items()}
        return (
            whole
            if whole is not None
            else meanings.get(fold_case_and_space(vote.grade), self._grade_of_yes_or_no(vote))
        )

    def _grade_of_yes_or_no(self, vote: Vote) -> int | None:
        """1 for true and 0 for false, where the one is relevant and the other is not."""
        grade, least = YES_NO.get(fold_case_and_space(vote.grade)), self.collection.min_relevant
        if grade is not None and least != 1:
            message = f"{vote.grade!r}, but grades are relevant from {least}; map it with --grades true={least},false=0"
            raise InputError(message, self.path, vote.record)
        return grade

    def _grade_error(self, vote: Vote) -> InputError:
        value, grade = vote.grade.encode(), f"grade {vote.grade!r:.40}"
        whole = parse_whole_grade(value, self.times)
        if as_score(value) is not None and whole is None:
            found = f"{grade} is not a whole number"
            return InputError(f"{found}; {fractional_grade_remedy(vote.grade, 'votes')}", self.path, vote.record)
        if self.grades is None and self.times != 1 and whole is not None:
            grade = f"{grade}, which becomes {whole},"
        scale = f"is not on this collection's scale: {scale_in_words(self.collection.grades)}"
        remedy = "map it with --grades OLD=NEW, or set such labels aside with --off-scale cannot-judge"
        return InputError(f"{grade} {scale}; {remedy}", self.path, vote.record)


def fold_case_and_space(text: str) -> str:
    """A text whatever its case and white space.

    >>> fold_case_and_space(" Not  Relevant")
    'not relevant'
    """
    return " ".join(text.split()).casefold()


class VoteImport(NamedTuple):
    """What became of the votes of a file."""

    format: str
    grades: int
    cannot_judge: int
    later: int
    changed: int  # of these: how many replaced an earlier vote of the same person on the same pair
    repeated: int  # the same vote again; left out
    empty: int  # records without a vote
    assessors: tuple[str, ...]
    lost: Mapping[str, int]  # fields without a place, and how many records had them
    off_scale: int = 0  # of what cannot be judged: how many grades are not on the scale

    def __str__(self) -> str:
        """What came, and what did not.

        >>> print(VoteImport("csv", 3, 1, 0, 1, 0, 2, ("ada", "bob"), {"mood": 4}))
        imported 3 grades, 1 "cannot judge" and 0 "judge later" by ada, bob (format csv).
        1 vote replaced an earlier vote. 0 repeated votes and 2 records without a vote were skipped.
        skipped fields that the store does not have: mood (4 records)
        """
        losses = ", ".join(f"{name} ({counted(count, 'record')})" for name, count in self.lost.items())
        aside = f" ({self.off_scale:,} for a grade off the scale)" if self.off_scale else ""
        return (
            f'imported {counted(self.grades, "grade")}, {self.cannot_judge:,} "cannot judge"{aside} and {self.later:,}'
            f' "judge later" by {", ".join(self.assessors)} (format {self.format}).\n'
            f"{counted(self.changed, 'vote')} replaced an earlier vote. {counted(self.repeated, 'repeated vote')} and"
            f" {counted(self.empty, 'record')} without a vote were skipped."
            + (f"\nskipped fields that the store does not have: {losses}" if losses else "")
        )


def import_votes(
    store: Store,
    source: Votes,
    *,
    kind: str = "import",
    grades: Mapping[str, int] | None = None,
    rename: Mapping[str, str] | None = None,
    times: int = 1,
    set_aside: bool = False,
) -> VoteImport:
    """Add votes as events with provenance "import", in one transaction: all of them or, if one is wrong, none.

    `grades` says what each grade of the file becomes; without it a whole number, `times` multiplied, is itself, a word
    is the grade of that meaning on the store's scale, and true and false are 1 and 0. With `set_aside` a grade off the
    scale cannot be judged; else it is refused. `rename` gives assessors the names they have here. A pair that one of
    them has decided here already is refused. Times and notes come along; a time that cannot be read counts as lost.
    """
    renames, graded = rename or {}, Grading(store.collection, source.path, grades, times, set_aside)
    votes, repeats = _drop_repeats([v._replace(assessor=renames.get(v.assessor, v.assessor)) for v in source.votes])
    losses = Counter(source.unplaced)
    with store.writing():
        votes = _find_topics(store, source, votes)
        standing = {
            name: current_decisions(store, name) for name in {vote.assessor for vote in votes} & assessors(store).keys()
        }
        for vote in votes:
            if (vote.qid, vote.docno) in standing.get(vote.assessor, {}):
                pair = f"topic {vote.qid!r}, document {vote.docno!r}"
                raise InputError(f"{vote.assessor} has already judged {pair}", source.path, vote.record)
        store.ensure_docnos(sorted({vote.docno for vote in votes}))
        names = tuple(dict.fromkeys(vote.assessor for vote in votes))
        _add_voting_assessors(store, source, votes, kind)
        events = [_vote_event(source, vote, graded, losses) for vote in votes]
        origin = add_origin(store.conn, "import", PurePath(source.path).name)
        links = chain_links(store.conn, events, origin, forward=False)  # their times are those of another clock
        store.conn.executemany(INSERT, (event._asdict() for event in links))
    store.forget()
    kinds = Counter(event.kind for event in events)
    replacements = len(votes) - len({(vote.assessor, vote.qid, vote.docno) for vote in votes})
    counts = (kinds["import"], kinds["cannot-judge"], kinds["later"], replacements, repeats, source.empty)
    return VoteImport(source.format, *counts, names, dict(sorted(losses.items())), graded.off_scale)


def _drop_repeats(votes: Sequence[Vote]) -> tuple[list[Vote], int]:
    """Without votes that say the same once more; in the order of their times where all of them have one."""
    distinct = list({vote._replace(record=0): vote for vote in reversed(votes)}.values())[::-1]
    times = [_stored_time(vote.at) for vote in distinct]
    if all(times):
        distinct = [vote for _, _, vote in sorted(zip(times, range(len(distinct)), distinct, strict=True))]
    return distinct, len(votes) - len(distinct)


def _find_topics(store: Store, source: Votes, votes: Sequence[Vote]) -> list[Vote]:
    """Votes that know a topic by its text only get its qid; a qid that is not here is refused."""
    titles: dict[str, list[str]] = {}
    for topic in store.topics():
        titles.setdefault(fold_case_and_space(topic.title), []).append(topic.qid)
    own = [vote if vote.qid else _resolve_title(source, vote, titles) for vote in votes]
    qids = sorted({vote.qid for vote in own})
    try:
        store.require_qids(qids)
    except InputError as error:
        there = {topic.qid for topic in store.topics()}
        record = next(vote.record for vote in own if vote.qid not in there)
        raise InputError(error.message, source.path, record) from error
    return own


def _resolve_title(source: Votes, vote: Vote, titles: Mapping[str, Sequence[str]]) -> Vote:
    qids = titles.get(fold_case_and_space(vote.query), ())
    if len(qids) != 1:
        what = f"topics {', '.join(qids)} have" if qids else "no topic has"
        raise InputError(
            f"{what} the title {vote.query!r:.60}; expected exactly one topic with this title", source.path, vote.record
        )
    return vote._replace(qid=qids[0])


def _add_voting_assessors(store: Store, source: Votes, votes: Sequence[Vote], kind: str) -> None:
    first = dict[str, Vote]()
    for vote in votes:
        first.setdefault(vote.assessor, vote)
    for vote in first.values():
        try:
            add_external_assessor(store, vote.assessor, kind)
        except CranfieldError as error:
            raise InputError(str(error), source.path, vote.record) from error


def _vote_event(source: Votes, vote: Vote, graded: Grading, losses: Counter[str]) -> Event:
    grade, reason = graded(vote) if vote.state == "label" else (None, vote.reason)
    kind = vote.state if vote.state != "label" else "cannot-judge" if grade is None else "import"
    at = _stored_time(vote.at)
    if vote.at and not at:
        losses["at"] += 1
    event = Event(kind, vote.qid, vote.docno, vote.assessor, grade, reason=reason, note=vote.note)
    return event._replace(source=source.format, seconds=vote.seconds, at=at or now(), event_id=uuid4().hex)


def _stored_time(text: str) -> str:
    """A time as the store writes it, empty where it cannot be read; one without a zone is taken as UTC.

    >>> _stored_time("2024-05-01T10:00:00Z"), _stored_time("2024-05-01 10:00"), _stored_time("in May")
    ('2024-05-01T10:00:00.000+00:00', '2024-05-01T10:00:00.000+00:00', '')
    """
    try:
        moment = datetime.fromisoformat(text)
        aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return aware.isoformat(timespec="milliseconds")
