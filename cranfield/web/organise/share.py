"""Sharing out topics: what it would be, and doing so, by the same function as `cranfield assign`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.errors import CranfieldError, InputError
from cranfield.judging.planning.assign import Distribution, Given, distribution, organise, percentage
from cranfield.report.blocks import Table
from cranfield.store.assignments import Work, pooled
from cranfield.store.store import Store
from cranfield.text import counted, visible_line

from .section import Asked, Done, Fields, Form, Section, name_in
from .topics import share_fields

QUEUE = "the queue"


def _values(asked: Asked) -> Mapping[str, Any]:
    typed = share_fields(asked)
    try:
        found = distribution(asked.store, *_options(typed))
    except CranfieldError as error:
        return {"typed": typed, "wrong": str(error)}
    work = pooled(asked.store)
    twice = sum(one.purpose == "overlap" for one in found.drawn)
    again = len(found.drawn) - twice
    documents = sum(len(work[qid]) for qid in found.first)
    return {
        "typed": typed,
        "wrong": "",
        "topics": counted(len(found.first), "topic"),
        "summary": f"{counted(documents, 'document')}, of which {twice:,} are judged by a second assessor"
        f" and {again:,} shown twice to the first.",
        "blocks": [Table("shares", "Who gets what", _rows(found, work))],
    }


def _rows(found: Distribution, work: Work) -> list[dict[str, Any]]:
    """One row per assessor: the topics and documents of each role."""
    second = {
        qid: [one.docno for one in found.drawn if (one.qid, one.purpose) == (qid, "overlap")] for qid in found.second
    }
    names = dict.fromkeys([*found.first.values(), *found.second.values()])
    return [
        {
            "assessor": QUEUE if name is None else visible_line(name),
            "topics": len(own := _of(found.first, name)),
            "documents": sum(len(work[qid]) for qid in own),
            "as second, topics": len(also := _of(found.second, name)),
            "as second, documents": sum(len(second[qid]) for qid in also),
        }
        for name in names
    ]


def _of(given: Given, name: str | None) -> list[str]:
    return [qid for qid, taker in given.items() if taker == name]


def _assign(store: Store, fields: Fields, base: str) -> Done:
    with store.writing():
        organise(store, *_options(fields))
    return Done("The topics are assigned. Assessors who judge now see their new work when they go on.")


def _options(fields: Fields) -> tuple[list[str], list[str], float, int, int, int, bool]:
    """What `organise` is asked for."""
    names = [name_in(line) for line in fields.get("assessors", "").splitlines() if line.strip()]
    queue = fields.get("to") == "queue"
    if not queue and not names:
        raise InputError("no assessor is named; name one per line, or choose the queue")
    return (
        [] if queue else names,
        fields.get("topics", "").split(),
        percentage(fields.get("overlap", "").strip() or "0%"),
        _number(fields, "repeats"),
        _number(fields, "seed"),
        round(_hours(fields) * 3600),
        bool(fields.get("cannot_judge")),
    )


def _number(fields: Fields, name: str) -> int:
    text = fields.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InputError(f"{name} is {text!r}; expected a whole number from 0")
    return int(text)


def _hours(fields: Fields) -> float:
    text = fields.get("lease", "").strip() or "24"
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0.01 <= hours <= 10_000:
        raise InputError(f"lease is {text!r}; expected hours, from 0.01 to 10,000")
    return hours


SHARING = Section("Share out topics", "organise_share.html", _values)
ASSIGN = Form(_assign, after="topics", back="topics")
