"""Label Studio's JSON export: tasks, each with the annotations of several people.

An answer is the result of a Choices, Rating or Number tag, by the tag's name; a TextArea is a note. What was skipped
(`was_cancelled`) cannot be judged. Predictions are a model's and are never taken for somebody's vote. The task's data
have to hold a qid and a docno. `lead_time` is wall time: it includes pauses, and Label Studio has counted it twice.
OpenFile: labelstud.io/guide/task_format, docs/source/includes/task_format.md of HumanSignal/label-studio.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile
from cranfield.formats.records import Format
from cranfield.formats.votes.vote import Answers, Ballot, json_of, listed, mapping, objects, without

KINDS = {"choices": "choices", "rating": "rating", "number": "number", "textarea": "text", "taxonomy": "taxonomy"}
OURS = (
    "id",
    "result",
    "was_cancelled",
    "completed_by",
    "lead_time",
    "created_at",
    "updated_at",
    "task",
    "result_count",
)
SAME = ("unique_id", "project", "parent_prediction", "parent_annotation", "last_action", "last_created_by", "import_id")


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith((b"[", b"{")) and b'"annotations"' in head and b'"result"' in head


def read(source: OpenFile) -> Iterator[Ballot]:
    for record, task in objects(json_of(source), source):
        if "annotations" not in task:
            raise InputError("no annotations; export as JSON, not as JSON-MIN", source.path, record)
        about = mapping(task.get("data"), "data", source, record)
        extra = {"predictions": task.get("predictions"), "drafts": task.get("drafts")}
        for annotation in listed(task["annotations"], "annotations", source, record):
            answers = _answers(annotation, source, record)
            yield Ballot(record, {**about, **extra, **_fields(annotation)}, answers)


def _fields(annotation: dict[str, Any]) -> dict[str, object]:
    skipped = bool(annotation.get("was_cancelled"))
    return {
        **without(annotation, [*OURS, *SAME]),
        "assessor": _who(annotation.get("completed_by")),
        "lead_time": annotation.get("lead_time"),
        "at": annotation.get("created_at"),
        "state": "skipped" if skipped else "",
        "reason": "skipped" if skipped else "",
    }


def _who(user: object) -> str:
    """A user by e-mail address or, where the export has only the number, by that."""
    if isinstance(user, dict):
        return str(user.get("email") or f"user {user.get('id')}")
    return "" if user is None else f"user {user}"


def _answers(annotation: dict[str, Any], source: OpenFile, record: int) -> Answers:
    answers: Answers = {}
    for result in listed(annotation.get("result"), "result", source, record):
        kind, name = str(result.get("type")).lower(), str(result.get("from_name"))
        value = mapping(result.get("value"), "value", source, record)
        answers["note" if kind == "textarea" else name] = value.get(KINDS.get(kind, kind), value)
    return answers


VOTES = Format("votes", "label-studio", "Label Studio's JSON export: choices, rating or number", detect, read)
