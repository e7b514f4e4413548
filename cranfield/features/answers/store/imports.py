"""Nuggets and their labels from files and back; and taking back imports of answers and nuggets.

What is taken back are whole imports or runs, unless somebody labelled one of them.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from os import fspath
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError, StoreError
from cranfield.features.answers.formats.answers import Answer, AnswerPlace, Answers
from cranfield.features.answers.formats.nuggets import AnswerLabel, PlainNugget
from cranfield.features.answers.store.labels import NUGGET_LABELS, LabelEvent
from cranfield.features.answers.store.nuggets import NuggetEdit, counted_nuggets, current_nuggets, edit_nuggets
from cranfield.selection import MODELS, LabelledBy
from cranfield.store.decoding import decode_json_column, decode_names
from cranfield.store.history import Import
from cranfield.store.links import links_not_retracted
from cranfield.store.log import add_assessor, add_external_assessor, assessors
from cranfield.store.names import NameMatcher, NamePlace
from cranfield.store.releases import refuse_released
from cranfield.store.removal import Removal
from cranfield.store.store import Store
from cranfield.text import counted


class ImportedNuggets(NamedTuple):
    """How many nuggets and labels are new."""

    nuggets: int
    labels: int


def import_nuggets(store: Store, nuggets: Sequence[PlainNugget], assessor: str, kind: str = "human") -> ImportedNuggets:
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
    nuggets = [nugget._replace(text=" ".join(nugget.text.split())) for nugget in nuggets]
    with store.writing():
        _check_topics(store, nuggets)
        for name, of in dict.fromkeys([(assessor, kind), *((one.author, one.kind or kind) for one in nuggets)]):
            if name:
                add_external_assessor(store, name, of)
        nugget_of = {(nugget.qid, nugget.text): nugget for nugget in current_nuggets(store)}
        for one in nuggets:
            old = nugget_of.get((one.qid, one.text))
            if old and old.importance != one.importance:
                what = f"nugget {one.text!r:.60} is {one.importance}; in this store it is {old.importance}"
                raise InputError(what, one.path, one.line)
        new = {(one.qid, one.text): one for one in reversed(nuggets) if (one.qid, one.text) not in nugget_of}
        edits = [
            NuggetEdit(one.importance, one.qid, one.author or assessor, one.text, contributors=tuple(one.contributors))
            for one in reversed(new.values())
        ]
        numbers = edit_nuggets(store, edits)
        own = [
            NuggetEdit(one.importance, one.qid, assessor, nugget=number)
            for one, number in zip(reversed(new.values()), numbers, strict=True)
            if (one.kind, one.by) == ("model", "people") and kind not in MODELS
        ]
        edit_nuggets(store, own)
        return ImportedNuggets(len(edits), _import_labels(store, nuggets, assessor, kind))


def _check_topics(store: Store, nuggets: Sequence[PlainNugget]) -> None:
    first = {one.qid: one for one in reversed(nuggets)}
    for qid, one in first.items():
        try:
            store.require_qids([qid])
        except InputError as error:
            raise InputError(f"topic {qid!r} is not in the store", one.path, one.line) from error


def _import_labels(store: Store, nuggets: Sequence[PlainNugget], assessor: str, kind: str) -> int:
    """Append the labels that are not the current ones already; how many."""
    answers = dict(_pairs(store))
    numbers = {(nugget.qid, nugget.text): nugget.number for nugget in current_nuggets(store)}
    current = {name: NUGGET_LABELS.labels(store, name) for name in assessors(store)}
    events = []
    first: dict[tuple[str, tuple[int, int]], tuple[AnswerLabel, PlainNugget]] = {}
    for one in nuggets:
        for label in one.labels:
            if (label.run, one.qid) not in answers:
                what = f"run {label.run!r} has no answer to topic {one.qid!r} in this store"
                raise InputError(what, one.path, one.line)
            name, item = label.assessor or assessor, (answers[label.run, one.qid], numbers[one.qid, one.text])
            before, where = first.setdefault((name, item), (label, one))
            if before.label != label.label:
                what = f"{name} gives nugget {one.text!r:.60} in run {label.run!r} the label {label.label}"
                earlier = f"line {where.line}" if where.path == one.path else f"{where.path}:{where.line}"
                raise InputError(f"{what}, but {before.label} on {earlier}; expected one label", one.path, one.line)
            new_label = None if label.label == "failed" else label.label
            mine = current.setdefault(name, {})
            if item not in mine or mine[item] != new_label:
                add_assessor(store, name, label.kind or kind)
                mine[item] = new_label
                reason = "" if new_label else "failed in the imported file"
                event = "label" if new_label else "cannot-judge"
                events.append(LabelEvent(event, item, name, new_label, reason=reason, input="import"))
    NUGGET_LABELS.append(store, events)
    return len(events)


def _pairs(store: Store) -> list[tuple[tuple[str, str], int]]:
    rows = store.rows(
        "SELECT r.tag, t.qid, a.id FROM answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic"
    )
    return [((tag, qid), number) for tag, qid, number in rows]


def nuggets_for_export(store: Store, labels: bool = False, whose: LabelledBy | None = None) -> list[PlainNugget]:
    """The nuggets that count, of people where there are any, or as asked; perhaps with all labels of everybody."""
    kinds, counting = assessors(store), counted_nuggets(store, whose).nuggets
    labels_of: dict[int, list[AnswerLabel]] = {}
    rows = store.rows(
        "SELECT e.nugget, r.tag, coalesce(e.label, 'failed'), e.name, assessor_kind FROM current_nugget_event e"
        " JOIN answer a ON a.id = e.answer JOIN answer_run r ON r.id = a.run WHERE e.kind <> 'later'"
        " ORDER BY e.nugget, r.id, e.assessor"
    )
    for nugget, *label in rows if labels else []:
        labels_of.setdefault(nugget, []).append(AnswerLabel(*label))
    return [
        PlainNugget(
            one.qid, one.text, one.importance, one.contributors, labels_of.get(one.number, []),
            author=one.author, kind=kinds[one.author], by=one.author_kind,
        )
        for one in counting
    ]  # fmt: skip


NAMED = (
    "SELECT d.id FROM answer a, json_each(a.documents) c JOIN document d ON d.docno = c.value WHERE d.id {0} UNION"
    " SELECT d.id FROM sentence s, json_each(s.citations) c JOIN document d ON d.docno = c.key WHERE d.id {0}"
)
EDITED_SINCE = """
SELECT count(*) FROM json_each(?) WHERE value IN (
    SELECT nugget FROM standing_nugget_edit UNION SELECT o.value FROM standing_nugget_edit s, json_each(s.replaces) o
)"""


def take_answers(store: Store, column: str, number: int, what: str) -> Removal:
    """Remove the answers with this number in a column, and runs that have none left; an error where one has labels."""
    answers = store.rows(f"SELECT id, documents FROM answer WHERE {column} = ?", [number])
    sentences = store.rows(
        f"SELECT answer, position, citations FROM sentence s JOIN answer a ON a.id = answer WHERE {column} = ?",
        [number],
    )
    docnos = {docno for row, text in answers for docno in decode_names(text, "answer", row, "documents")}
    docnos |= {
        docno for *row, text in sentences for docno in decode_json_column(dict, text, "sentence", row, "citations")
    }
    if answers:
        refuse_released(store, "answer", min(row for row, _ in answers), what)
    try:
        store.conn.execute(f"DELETE FROM answer WHERE {column} = ?", [number])
    except sqlite3.IntegrityError as error:
        raise StoreError(f"{what} cannot be removed: some of its answers have labels") from error
    store.conn.execute("DELETE FROM answer_run WHERE id NOT IN (SELECT run FROM answer)")
    documents = store.row_numbers("document", "docno", np.array(sorted(docnos), object))
    return Removal({"answers": len(answers)}, counted(len(answers), "answer"), documents)


def take_run(store: Store, tag: str) -> list[Removal]:
    """Remove the answers of a run, and the run of answers."""
    columns = ("id", "tag", "team", "kind", "description", "file", "imported")
    rows = store.rows(f"SELECT {', '.join(columns)} FROM answer_run WHERE tag = ?", [tag])
    removals = [take_answers(store, "run", row[0], f"run {tag!r}") for row in rows]
    about = (dict(zip(columns, row, strict=True)) for row in rows)
    return [one._replace(what=what | one.what) for what, one in zip(about, removals, strict=True)]


def take_import(store: Store, one: Import, reason: str) -> Removal:
    """Remove the answers of an import."""
    removal = take_answers(store, "import", one.number, f"import {one.number}")
    return removal._replace(message=f"{removal.message} removed")


def take_nuggets(store: Store, one: Import, reason: str) -> Removal:
    """Append an event that takes it back for each nugget and label of an import; an error where others labelled them.

    Nuggets that were edited since stay as they are.
    """
    edits = _rows(store, "nugget_edit", ("qid", "name", "nugget"), one.number)
    labels = _rows(store, "nugget_event", ("answer", "nugget", "name"), one.number)
    numbers = json.dumps([nugget for *_, nugget in edits])
    others = store.rows(
        "SELECT count(*) FROM current_nugget_event WHERE nugget IN (SELECT value FROM json_each(?1)) AND id NOT IN"
        " (SELECT event FROM event_link WHERE log = 'nugget_event' AND import = ?2)",
        [numbers, one.number],
    )[0][0]
    if others:
        is_are = "is" if others == 1 else "are"
        raise StoreError(
            f"import {one.number} cannot be removed: {counted(others, 'label')} of its nuggets {is_are} from elsewhere;"
            " `cranfield answers nuggets edit` drops single nuggets"
        )
    note = f"import {one.number} removed"
    NUGGET_LABELS.append(
        store, [LabelEvent("retract", (a, n), who, note=note, supersedes=event) for event, a, n, who in labels]
    )
    edit_nuggets(store, [NuggetEdit("retract", q, who, nugget=n, supersedes=event) for event, q, who, n in edits])
    later = store.rows(EDITED_SINCE, [numbers])[0][0]
    stay = f"; {counted(later, 'nugget')} edited since remain" if later > 1 else "; 1 nugget edited since remains"
    summary = f"{counted(len(edits), 'nugget')} and {counted(len(labels), 'label')} retracted, with one event each"
    return Removal({"nuggets": len(edits), "labels": len(labels)}, summary + stay * bool(later))


def _rows(store: Store, log: str, columns: Sequence[str], number: int) -> list[tuple[Any, ...]]:
    """The events of an import that stand: their ids and columns."""
    return store.rows(
        f"SELECT e.id, {', '.join(columns)} FROM {log} e JOIN assessor a ON a.id = e.assessor"
        " JOIN nugget n ON n.id = e.nugget JOIN topic t ON t.id = n.topic"
        " WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id",
        [json.dumps(links_not_retracted(store, log, number))],
    )


def take_claims(store: Store, one: Import, reason: str) -> Removal:
    """Count the claims of an import no more; an error where they have labels."""
    ours = "SELECT count(*) FROM current_claim_event WHERE claim IN (SELECT id FROM claim WHERE import = ?)"
    if labels := store.rows(ours, [one.number])[0][0]:
        raise StoreError(f"import {one.number} cannot be removed: its claims have {counted(labels, 'label')}")
    claims = store.rows("SELECT count(*) FROM claim WHERE import = ? AND position > 0", [one.number])[0][0]
    return Removal({"claims": claims}, f"{counted(claims, 'claim')} kept on record, but no longer counted")


def still_named(store: Store, documents: Ints) -> Ints:
    """Those of the documents that answers name."""
    if not store.rows("SELECT 1 FROM answer LIMIT 1"):
        return documents[:0]
    numbers = json.dumps(documents.tolist())
    query = NAMED.format("IN (SELECT value FROM json_each(?1))")
    return np.array([number for (number,) in store.rows(query, [numbers])], np.int64)


def resolve_names(matcher: NameMatcher, answers: Answers) -> list[Answer]:
    """The answers of files, with the names of the store."""
    label = fspath(answers.places[0].path) if len({place.path for place in answers.places}) == 1 else "these files"
    pairs = list(zip(answers.answers, answers.places, strict=True))[::-1]
    position_of_docno = {docno: at for answer, at in pairs for docno in answer.documents}
    position_of_qid = {answer.qid: at for answer, at in pairs}
    docnos, qids = (
        _names_of(matcher, "document", position_of_docno, label),
        _names_of(matcher, "topic", position_of_qid, label),
    )
    return [_rename(answer, docnos, qids) for answer in answers.answers]


def _names_of(matcher: NameMatcher, table: str, first: Mapping[str, AnswerPlace], label: str) -> Mapping[str, str]:
    place = NamePlace(label, lambda name: first[name].path, lambda name: first[name].line)
    return matcher.names_of(table, sorted(first), place)


def _rename(answer: Answer, docnos: Mapping[str, str], qids: Mapping[str, str]) -> Answer:
    if not docnos:
        return answer._replace(qid=qids.get(answer.qid, answer.qid))
    cites = [{docnos.get(docno, docno): sure for docno, sure in each.citations.items()} for each in answer.sentences]
    sentences = [each._replace(citations=citations) for each, citations in zip(answer.sentences, cites, strict=True)]
    documents = [docnos.get(docno, docno) for docno in answer.documents]
    return answer._replace(qid=qids.get(answer.qid, answer.qid), sentences=sentences, documents=documents)
