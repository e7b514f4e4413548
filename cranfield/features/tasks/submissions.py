"""What teams submitted: accepted within the limits, replaced, withdrawn, taken into the collection; and receipts.

A submission and the event that accepts it are one transaction: whoever has a receipt finds the run in the store. The
receipt has the hash of that event in the store's chain, which is published with the archive.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import log2
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from cranfield.arrays.rankings import Runs
from cranfield.errors import StoreError
from cranfield.features.tasks.checking import CheckedRun
from cranfield.features.tasks.description import SharedTask
from cranfield.features.tasks.run_meta import RunMeta
from cranfield.features.tasks.sent_files import SentFile
from cranfield.features.tasks.store import has_accepted, phase, task_of, team_number
from cranfield.formats import RunInfo, read_runs
from cranfield.formats.runs.files import description_of
from cranfield.store.chain import item_hash
from cranfield.store.links import append_item
from cranfield.store.rounds import rounds
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.text import counted, format_moment

STANDING = ("accepted", "taken")
DAY = timedelta(days=1)
NO_TERMS = "accept the terms on your team's page first (a program posts accept=yes to /team/terms)"


class SubmissionRefusedError(StoreError):
    """A submission that is refused, whatever the run: the status of the answer, and the seconds to wait."""

    def __init__(self, status: int, message: str, wait: int = 0) -> None:
        super().__init__(message)
        self.status, self.wait = status, wait


class Submission(NamedTuple):
    """A run as a team sent it, and what became of it."""

    number: int
    team: str
    tag: str
    received: str
    late: bool
    bytes: int
    sha256: str
    unpacked: int
    unpacked_sha256: str
    priority: int
    metadata: Mapping[str, Any]
    state: str
    round: int = 1  # the number of the one that was open

    @property
    def stands(self) -> bool:
        """Whether it was neither replaced nor withdrawn."""
        return self.state in STANDING


SELECT = (
    "SELECT s.id, t.name, s.tag, s.received, s.late, s.bytes, s.sha256, s.unpacked, s.unpacked_sha256, s.priority,"
    " s.metadata, (SELECT kind FROM submission_event e WHERE e.submission = s.id AND kind <> 'scored'"
    " ORDER BY e.id DESC LIMIT 1), (SELECT coalesce(max(id), 1) FROM round WHERE opened <= s.received)"
    " FROM submission s JOIN team t ON t.id = s.team"
)


def submissions(store: Store, team: str = "") -> list[Submission]:
    """All submissions, or those of a team, in the order in which they came."""
    rows = store.rows(f"{SELECT} WHERE ?1 IN ('', t.name) ORDER BY s.id", [team])
    return [Submission._make([*row[:4], bool(row[4]), *row[5:10], json.loads(row[10]), *row[11:]]) for row in rows]


def submission_of(store: Store, team: str, tag: str, round: int = 0) -> Submission:
    """The newest submission of a team under a tag, in a round or in all; the same error for another team's tag as for
    nobody's."""
    matches = [one for one in submissions(store, team) if one.tag == tag and round in (0, one.round)]
    if not matches:
        raise SubmissionRefusedError(404, f"team {team} has no run {tag!r:.60}")
    return matches[-1]


def standing(store: Store) -> list[Submission]:
    """The runs that stand, by priority within each team, then by time."""
    return sorted((one for one in submissions(store) if one.stands), key=lambda one: (one.priority, one.received))


def check_open(store: Store, team: str, at: str, tag: str = "") -> bool:
    """Refuse what cannot be submitted at a moment: the phase, the terms, the limits; whether it is late."""
    task, now_in = task_of(store), phase(store, at)
    late = now_in == "closed"
    if now_in != "open" and not (late and task.late == "unpooled"):
        raise SubmissionRefusedError(403, f"the task is not open for runs: {_refusal(task, now_in, at)}")
    if not has_accepted(store, team, task.terms):
        raise SubmissionRefusedError(403, NO_TERMS)
    ever, mine = submissions(store, team), round_submissions(store, team, at)
    if len(mine) >= task.total:
        raise SubmissionRefusedError(
            409, f"the team has made {counted(len(mine), 'submission')}; the limit is {task.total}"
        )
    since = (datetime.fromisoformat(at) - DAY).isoformat(timespec="milliseconds")
    recent = [one.received for one in ever if one.received > since]
    if len(recent) >= task.day:
        again = datetime.fromisoformat(recent[-task.day]) + DAY - datetime.fromisoformat(at)
        reason = f"the team has made {counted(len(recent), 'submission')} in 24 hours; the limit is {task.day}"
        raise SubmissionRefusedError(429, reason, int(again.total_seconds()) + 1)
    if tag:
        there = {one.tag: one for one in mine if one.stands}
        taken = {number for (number,) in store.rows("SELECT submission FROM submission_event WHERE kind = 'taken'")}
        if any(one.tag == tag and one.state == "withdrawn" and one.number in taken for one in mine):
            raise SubmissionRefusedError(409, f"run {tag!r} was withdrawn after the close; choose another tag")
        if tag in there and (late or there[tag].state == "taken"):
            when = "was submitted after" if there[tag].late else "was submitted before"
            raise SubmissionRefusedError(409, f"run {tag!r} {when} the deadline; choose another tag")
        if tag not in there and len(there) >= task.runs:
            raise SubmissionRefusedError(
                409,
                f"the team already has {counted(len(there), 'run')}, which is the limit; withdraw a run first",
            )
    return late


def round_submissions(store: Store, team: str, at: str) -> list[Submission]:
    """The submissions of a team to the round that is open at a moment."""
    own = max((one.number for one in rounds(store) if one.opened <= at), default=1)
    return [one for one in submissions(store, team) if one.round == own]


def _refusal(task: SharedTask, now_in: str, at: str) -> str:
    """Why no runs are taken in a phase: dates say so, or an organiser who began it."""
    opens, closes = task.dates["open"], task.dates["close"]
    return {
        "announced": "the task has not begun",
        "topics": f"it opens at {format_moment(opens)} UTC" if opens > at else "it is not open",
        "closed": f"the deadline was {format_moment(closes)} UTC"
        if closes <= at
        else "the organiser closed it before the deadline",
        "results": "the results are released",
    }[now_in]


class BoardScore(NamedTuple):
    """What the leaderboard shows of a run: its mean in steps, one of so many values that it could have been."""

    mean: float
    values: int

    @property
    def bits(self) -> float:
        """What the score tells at most."""
        return log2(self.values)


class NewSubmission(NamedTuple):
    """A run that was checked: who sent it, what was found, its file, which is kept, when its last byte came (UTC)."""

    team: str
    run: CheckedRun
    file: SentFile
    meta: RunMeta
    upload: int
    received: str
    score: BoardScore | None = None  # on the leaderboard


def accept(store: Store, new: NewSubmission) -> dict[str, Any]:
    """Accept a run that was checked, in one transaction; its receipt. One of the same tag is replaced."""
    team, tag = new.team, new.run.tag
    with store.writing():
        late = check_open(store, team, new.received, tag)
        for one in round_submissions(store, team, new.received):
            if one.tag == tag and one.stands:
                append_item(store, "submission_event", submission=one.number, kind="replaced")
                delete_file(store, one.number)
        metadata = {"form": new.meta._replace(tag=tag)._asdict(), "header": new.run.metadata}
        row = {"received": new.received, "late": late, **new.file._asdict(), "priority": new.meta.priority}
        own = {"team": team_number(store, team), "tag": tag, "metadata": json.dumps(metadata)}
        number = append_item(store, "submission", **own, **row)
        store.conn.execute("UPDATE submission_upload SET submission = ? WHERE id = ?", [number, new.upload])
        content = json.dumps({"task": task_of(store).name, "team": team, "tag": tag, **row}, sort_keys=True)
        append_item(store, "submission_event", submission=number, kind="accepted", said=content)
        if new.score is not None and is_within_budget(store, team, new.score):
            score = json.dumps(new.score._asdict())
            append_item(store, "submission_event", submission=number, kind="scored", said=score)
    return receipt(store, number)


RECEIPT = (
    "task", "team", "tag", "received", "late", "bytes", "sha256", "unpacked", "unpacked_sha256", "priority",
    "submission", "at", "origin", "previous",
)  # fmt: skip


def receipt(store: Store, number: int) -> dict[str, Any]:
    """The receipt of a submission: what was accepted, and that event's link in the chain.

    Its fields: task, team, tag, received (UTC, the last byte), late, priority, bytes, sha256 (as sent), unpacked,
    unpacked_sha256; submission (its number), at; and of the link origin, previous and hash.
    """
    rows = store.rows(
        "SELECT e.said, e.at, k.origin, k.previous, k.hash FROM submission_event e JOIN event_link k"
        " ON k.log = 'submission_event' AND k.event = e.id WHERE e.submission = ? AND e.kind = 'accepted'",
        [number],
    )
    [(content, at, origin, previous, own)] = rows
    link = {"submission": number, "at": at, "origin": origin, "previous": previous, "hash": own}
    return {**json.loads(content), **link}


def accepted_link(receipt: Mapping[str, Any]) -> str:
    """The hash of the event that a receipt is of, from what it says."""
    own = ("submission", "at", "origin", "previous")
    content = json.dumps({name: receipt[name] for name in RECEIPT if name not in own}, sort_keys=True)
    event = {"at": receipt["at"], "submission": receipt["submission"], "kind": "accepted", "said": content}
    return item_hash("submission_event", receipt["origin"], receipt["previous"], event, "")


FIRST_VALUES = 101  # of scores that an event keeps without their number: two decimals


def bits_told(store: Store) -> float:
    """Sum up what the leaderboard has told of labels at most, over all teams and rounds.

    Parameters
    ----------
    store : Store
        The store of the task.

    Returns
    -------
    float
        The sum of log2(number of possible values) over all scores that were shown.

    Notes
    -----
    A score with V possible values tells at most log2(V) bits, however the run was made. Bounds add up over
    submissions, also if teams work together and choose each run after they have seen all scores before it.

    References
    ----------
    T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., 2006, theorems 2.6.4 and 2.5.2.
    """
    rows = store.rows("SELECT said FROM submission_event WHERE kind = 'scored' ORDER BY id")
    return sum(log2(json.loads(said).get("values", FIRST_VALUES)) for (said,) in rows)


def is_within_budget(store: Store, team: str, score: BoardScore) -> bool:
    """Whether a team has a score left, and all teams together the bits that it tells."""
    task = task_of(store)
    return len(scores_of(store, team)) < task.scored and bits_told(store) + score.bits <= task.bits


def scores_of(store: Store, team: str = "") -> list[tuple[str, str, float]]:
    """Each submission that the leaderboard scored: the team, the tag, its mean."""
    rows = store.rows(
        "SELECT team, tag, said FROM submission_log WHERE kind = 'scored' AND ?1 IN ('', team) ORDER BY id", [team]
    )
    return [(name, tag, float(json.loads(content)["mean"])) for name, tag, content in rows]


def content_of(store: Store, number: int) -> bytes:
    """The file of a submission, as it was sent."""
    pieces = store.rows(
        "SELECT content FROM submission_piece WHERE upload = (SELECT id FROM submission_upload WHERE submission = ?)"
        " ORDER BY id",
        [number],
    )
    if not pieces:
        raise StoreError(f"submission {number} has no file, because the run was replaced or withdrawn")
    return b"".join(piece for (piece,) in pieces)


def begin_file(store: Store) -> int:
    """Begin to keep a file that was checked; the number of its upload."""
    with store.writing():
        return int(store.conn.execute("INSERT INTO submission_upload DEFAULT VALUES").lastrowid or 0)


def keep_piece(store: Store, upload: int, piece: bytes) -> None:
    """Keep a piece of a file: one transaction each, so that labels are recorded in between."""
    with store.writing():
        store.conn.execute("INSERT INTO submission_piece (upload, content) VALUES (?, ?)", [upload, piece])


def drop_files(store: Store, upload: int | None = None) -> None:
    """Delete a file unless it was accepted or, of a server that was killed, all such."""
    where = "FROM submission_upload WHERE submission IS NULL AND (?1 IS NULL OR id = ?1)"
    if store.rows(f"SELECT 1 {where} LIMIT 1", [upload]):
        with store.writing():
            store.conn.execute(f"DELETE {where}", [upload])


def delete_file(store: Store, number: int) -> None:
    """Delete the file of a submission that was replaced or withdrawn."""
    store.conn.execute("DELETE FROM submission_upload WHERE submission = ?", [number])


def runs_of(store: Store, some: Sequence[Submission]) -> list[Runs]:
    """The runs of submissions."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{one.number}") for one in some]
        for path, one in zip(paths, some, strict=True):
            path.write_bytes(content_of(store, one.number))
        return [read_runs(path) for path in paths]


def waiting(store: Store) -> list[Submission]:
    """The runs that stand and are not in the collection yet, by priority within each team, then by time."""
    return [one for one in standing(store) if one.state == "accepted"]


def take_runs(store: Store) -> list[str]:
    """Take the runs that stand into the collection, by priority; their tags there. Late ones are not pooled."""
    new = waiting(store)
    if not new:
        return []
    runs = runs_of(store, new)
    with store.writing():
        for run, one in zip(runs, new, strict=True):
            add_runs(store, run, {one.tag: _run_info(one)._replace(round=one.round)})
            append_item(store, "submission_event", submission=one.number, kind="taken")
    return [run_name(store, one) for one in new]


def run_name(store: Store, one: Submission) -> str:
    """What a run that was taken is called in the collection."""
    query = "SELECT tag FROM run WHERE team = ? AND file = ? ORDER BY coalesce(round, 1) = ?, id"
    rows = store.rows(query, [one.team, one.tag, one.round])
    return str(rows[-1][0])


def _run_info(one: Submission) -> RunInfo:
    form, header = one.metadata["form"], one.metadata["header"]
    about = form["description"] or description_of(header)
    more = {name: form[name] for name in ("priority", "same_system", "fields") if form[name]}
    metadata = {**header, "submission": more | {"received": one.received}}
    return RunInfo(
        team=one.team,
        kind=form["kind"],
        description=about,
        pooled=not one.late,
        depth=None,
        file=one.tag,
        sha256=one.sha256,
        metadata=metadata,
    )


def equal_priorities(store: Store) -> list[str]:
    """What is said of teams whose runs have a priority twice, a line each."""
    ranks = Counter((one.team, one.priority) for one in waiting(store))
    return [
        f"{team} has {counted(runs, 'run')} with priority {priority}; the earlier run comes first"
        for (team, priority), runs in ranks.items()
        if runs > 1
    ]


def team_rows(store: Store) -> list[dict[str, Any]]:
    """A row a team: its valid links, whether it has accepted the terms, its runs and submissions of the open round."""
    terms, every, own = task_of(store).terms, submissions(store), rounds(store)[-1]
    new, several = [one for one in every if one.round == own.number], own.number > 1
    links = "SELECT name, (SELECT count(*) FROM team_link l WHERE l.team = t.id AND revoked IS NULL) FROM team t"
    return [
        {
            "team": name,
            "links": valid,
            "terms": "accepted" if has_accepted(store, name, terms) else "not accepted",
            **({"round": own.name} if several else {}),
            "runs": sum(one.stands for one in new if one.team == name),
            "submissions": sum(one.team == name for one in new),
            **({"submissions of all rounds": sum(one.team == name for one in every)} if several else {}),
        }
        for name, valid in store.rows(f"{links} ORDER BY name")
    ]


def submission_rows(store: Store) -> list[dict[str, Any]]:
    """A row a submission, in the order in which they came."""
    names = {one.number: one.name for one in rounds(store)}
    return [
        {
            "team": one.team,
            "run": one.tag,
            **({"round": names[one.round]} if len(names) > 1 else {}),
            "received": format_moment(one.received),
            "priority": one.priority,
            "kind": one.metadata["form"]["kind"],
            "state": f"{one.state}, late" if one.late else one.state,
        }
        for one in submissions(store)
    ]


def not_taken(store: Store) -> list[str]:
    """Return the note on runs that stand and are not in the collection yet, if there are any."""
    names = [f"{one.team}/{one.tag}" for one in waiting(store)]
    if not names:
        return []
    some = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    it = "it" if len(names) == 1 else "them"
    return [
        f"{counted(len(names), 'run is', 'runs are')} not in the collection yet ({some}); add {it} with"
        " `cranfield task close`"
    ]
