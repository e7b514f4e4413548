"""Prodigy's `db-out`: JSONL, an annotated task a line, whose task or `meta` has a qid and a docno.

With the choice interface the grade is the option chosen, `accept`. With the others it is the word "accept" or "reject":
say what they are with --grades accept=1,reject=0. What was ignored cannot be judged, nor can a choice that was
rejected. A task without an answer has no vote.
OpenFile: prodi.gy/docs/api-interfaces, prodi.gy/docs/web-app.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from cranfield.formats import jsonl
from cranfield.formats.files import OpenFile
from cranfield.formats.records import Format
from cranfield.formats.votes.vote import Answers, Ballot, mapping, without

OWN = (
    "_input_hash", "_task_hash", "_view_id", "_is_binary", "_annotator_id", "_session_id", "_timestamp",
    "answer", "accept", "options", "config", "meta",
)  # fmt: skip


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"answer"' in head and (b'"_task_hash"' in head or b'"_view_id"' in head)


def read(source: OpenFile) -> Iterator[Ballot]:
    for line, task in jsonl.objects(source):
        about = without(task, OWN) | mapping(task.get("meta"), "meta", source, line)
        who = {"assessor": task.get("_annotator_id") or task.get("_session_id"), "at": _moment(task.get("_timestamp"))}
        yield Ballot(line, {**about, **who, **_said(task)})


def _said(task: dict[str, Any]) -> Answers:
    answer, chosen = task.get("answer"), "accept" in task or "options" in task
    if answer == "ignore" or (answer == "reject" and chosen):
        return {"grade": "", "state": "skipped", "reason": "ignored" if answer == "ignore" else "rejected"}
    return {"grade": (task.get("accept") or "") if answer and chosen else answer}


def _moment(stamp: object) -> str:
    """Seconds since 1970 as a time.

    >>> _moment(1714557600), _moment(None)
    ('2024-05-01T10:00:00+00:00', '')
    """
    try:
        return datetime.fromtimestamp(float(str(stamp)), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


VOTES = Format("votes", "prodigy", "Prodigy's JSONL: a choice, or accept and reject", detect, read)
