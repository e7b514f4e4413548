"""Nuggets and their labels from files and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.nuggets import AnswerLabel, PlainNugget
from cranfield.store.answers.counted import counted_nuggets
from cranfield.store.answers.labels import NUGGET_LABELS, LabelEvent
from cranfield.store.answers.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import add_assessor, admit, assessors
from cranfield.store.store import Store


class ImportedNuggets(NamedTuple):
    """How many nuggets and labels are new."""

    nuggets: int
    labels: int


def import_nuggets(store: Store, found: Sequence[PlainNugget], assessor: str, kind: str = "human") -> ImportedNuggets:
    """Add nuggets and labels in one transaction; those that are here already are not added again.

    They are the assessor's where they do not say whose they are. A model's nugget that a person took over is taken over
    by the assessor, unless that is a model. A nugget that is here with another importance is refused, as is a label of
    an answer that is not here.

    >>> with Store.memory("tiny") as store:
    ...     import_nuggets(store, [PlainNugget("q1", "Lift grows.", "vital")], "ada")
    ...     [(nugget.qid, nugget.text, nugget.importance) for nugget in current_nuggets(store)]
    ImportedNuggets(nuggets=1, labels=0)
    [('q1', 'Lift grows.', 'vital')]
    """
    found = [nugget._replace(text=" ".join(nugget.text.split())) for nugget in found]
    with store.writing():
        _check_topics(store, found)
        for name, of in dict.fromkeys([(assessor, kind), *((one.author, one.kind or kind) for one in found)]):
            if name:
                admit(store, name, of)
        known = {(nugget.qid, nugget.text): nugget for nugget in current_nuggets(store)}
        for one in found:
            there = known.get((one.qid, one.text))
            if there and there.importance != one.importance:
                what = f"nugget {one.text!r:.60} is {one.importance}; in this store it is {there.importance}"
                raise InputError(what, one.path, one.line)
        new = {(one.qid, one.text): one for one in reversed(found) if (one.qid, one.text) not in known}
        edits = [
            NuggetEdit(one.importance, one.qid, one.author or assessor, one.text, contributors=tuple(one.contributors))
            for one in reversed(new.values())
        ]
        numbers = edit_nuggets(store, edits)
        adopted = [
            NuggetEdit(one.importance, one.qid, assessor, nugget=number)
            for one, number in zip(reversed(new.values()), numbers, strict=True)
            if (one.kind, one.by) == ("model", "people") and kind != "model"
        ]
        edit_nuggets(store, adopted)
        return ImportedNuggets(len(edits), _import_labels(store, found, assessor, kind))


def _check_topics(store: Store, found: Sequence[PlainNugget]) -> None:
    first = {one.qid: one for one in reversed(found)}
    for qid, one in first.items():
        try:
            store.known_qids([qid])
        except InputError as error:
            raise InputError(f"topic {qid!r} is not in the store", one.path, one.line) from error


def _import_labels(store: Store, found: Sequence[PlainNugget], assessor: str, kind: str) -> int:
    """Append the labels that are not the current ones already; how many."""
    answers = dict(_pairs(store))
    numbers = {(nugget.qid, nugget.text): nugget.number for nugget in current_nuggets(store)}
    current = {name: NUGGET_LABELS.labels(store, name) for name in assessors(store)}
    events = []
    for one in found:
        for label in one.labels:
            if (label.run, one.qid) not in answers:
                what = f"run {label.run!r} has no answer to topic {one.qid!r} in this store"
                raise InputError(what, one.path, one.line)
            name, item = label.assessor or assessor, (answers[label.run, one.qid], numbers[one.qid, one.text])
            given = None if label.label == "failed" else label.label
            mine = current.setdefault(name, {})
            if item not in mine or mine[item] != given:
                add_assessor(store, name, label.kind or kind)
                mine[item] = given
                reason = "" if given else "failed in the imported file"
                said = "label" if given else "cannot-judge"
                events.append(LabelEvent(said, item, name, given, reason=reason, input="import"))
    NUGGET_LABELS.append(store, events)
    return len(events)


def _pairs(store: Store) -> list[tuple[tuple[str, str], int]]:
    rows = store.rows(
        "SELECT r.tag, t.qid, a.id FROM answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic"
    )
    return [((tag, qid), number) for tag, qid, number in rows]


def nuggets_for_export(store: Store, labels: bool = False, whose: LabelledBy | None = None) -> list[PlainNugget]:
    """The nuggets that count, of people where there are any, or as asked; perhaps with all labels of everybody."""
    kinds, chosen = assessors(store), counted_nuggets(store, whose).nuggets
    said: dict[int, list[AnswerLabel]] = {}
    rows = store.rows(
        "SELECT e.nugget, r.tag, coalesce(e.label, 'failed'), e.name, assessor_kind FROM current_nugget_event e"
        " JOIN answer a ON a.id = e.answer JOIN answer_run r ON r.id = a.run WHERE e.kind <> 'later'"
        " ORDER BY e.nugget, r.id, e.assessor"
    )
    for nugget, *label in rows if labels else []:
        said.setdefault(nugget, []).append(AnswerLabel(*label))
    return [
        PlainNugget(
            one.qid, one.text, one.importance, one.contributors, said.get(one.number, []),
            author=one.author, kind=kinds[one.author], by=one.by,
        )
        for one in chosen
    ]  # fmt: skip
