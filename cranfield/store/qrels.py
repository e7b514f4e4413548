"""Qrels of a store: judgments made elsewhere, as events of the log, and the labels that count."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from cranfield import hooks
from cranfield.arrays.rankings import UNJUDGED, Ints, Qrels, Subtopics, Vocabulary
from cranfield.errors import InputError, StoreError
from cranfield.formats.layout import fractional_grade_remedy
from cranfield.selection import EVERYBODY, LabelledBy, Labellers
from cranfield.store.chain import INSERT, Event, add_origin, chain_links
from cranfield.store.labels import CountingLabels, current_labels
from cranfield.store.log import (
    add_external_assessor,
    assessors,
    check_assessor_name,
    check_grades_on_scale,
    current_decisions,
)
from cranfield.store.pools import add_sample, stratified_qrels
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_name_by_docno, withdrawal_and_round_filter
from cranfield.text import name_hint


def qrels_of_topic(store: Store, qid: str) -> dict[str, int]:
    """The grades of a topic that count, by docno."""
    if store.count("renamed"):
        every = labels_that_count(store).qrels
        own = every.topic == store.numbers("topic", "qid", [qid])[0] - 1
        return dict(zip(every.docnos.names[every.document[own]], every.grade[own].tolist(), strict=True))
    topic = store.numbers("topic", "qid", [qid])[0]
    query = "SELECT docno, grade FROM qrels_event JOIN document d ON d.id = document WHERE topic = ? ORDER BY docno"
    return dict(store.rows(query, [topic]))


def qrels_of_document(store: Store, docno: str) -> dict[str, int]:
    """The grades of a document that count, by qid; of one that has another name now, under that."""
    if store.count("renamed"):
        every, now = labels_that_count(store).qrels, present_name_by_docno(store)
        own = every.document == store.numbers("document", "docno", [now.get(docno) or docno])[0] - 1
        return dict(zip(every.topics.names[every.topic[own]], every.grade[own].tolist(), strict=True))
    document = store.numbers("document", "docno", [docno])[0]
    query = "SELECT qid, grade FROM qrels_event JOIN topic t ON t.id = topic WHERE document = ? ORDER BY t.id"
    return dict(store.rows(query, [document]))


class JudgedBeforeError(InputError):
    """An import has a pair that its assessor has judged already."""


def import_qrels(
    store: Store,
    qrels: Qrels,
    assessor: str,
    kind: str = "import",
    set_aside: bool = False,
    *,
    cumulative: bool = False,
    rejudged: bool = False,
) -> int:
    """Add judgments made elsewhere as events of an assessor, in one transaction; how many.

    `kind` is what the assessor is: human, model or import (unknown). A pair that the assessor has already judged is
    refused. With `cumulative` it stays as it is, unless its grade differs: then it is refused, or with `rejudged`
    replaced. With `set_aside` a grade off the scale becomes a document that cannot be judged; otherwise it is refused.
    Judgments of a stratified sample bring their strata, as a pool of what was judged; those of subtopics bring these.
    """
    if assessor not in assessors(store):
        check_assessor_name(assessor)
    fractions = np.flatnonzero(qrels.grade % 1)
    if len(fractions):
        row = fractions[0]
        pair = f"topic {qrels.topics.names[qrels.topic[row]]!r}, document {qrels.docnos.names[qrels.document[row]]!r}"
        grade = f"{qrels.grade[row]:.12g}"
        raise InputError(f"{pair}: the relevance is {grade}; expected a whole number; {fractional_grade_remedy(grade)}")
    if qrels.stratum is not None:
        with store.writing():
            judged = replace(qrels.rows(qrels.grade != UNJUDGED), stratum=None)
            count = import_qrels(store, judged, assessor, kind, set_aside, cumulative=cumulative, rejudged=rejudged)
            store.require_qids(qrels.qids)
            store.ensure_rows("document", qrels.docnos.names_at(qrels.docnos.sorted_codes(qrels.document)))
            add_sample(store, qrels)
        return count
    with store.writing():
        qrels, before = _unknown_and_changed_judgments(store, qrels, assessor, cumulative=cumulative, rejudged=rejudged)
        qids, docnos = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
        sources = [""] * len(qrels) if qrels.iteration is None else qrels.iteration.tolist()
        store.require_qids(sorted(set(qids)))
        store.ensure_docnos(sorted(set(docnos)))
        add_external_assessor(store, assessor, kind)
        columns = zip(qids, docnos, qrels.grade.tolist(), subtopics_as_json(qrels), sources, strict=True)
        new = (
            Event("import", q, d, assessor, grade, evidence=e, source=source, supersedes=before.get((q, d)))
            for q, d, grade, e, source in columns
        )
        labels = _set_aside_events(store, new) if set_aside else new
        links = chain_links(store.conn, check_grades_on_scale(store, labels), add_origin(store.conn, "import"))
        store.conn.executemany(INSERT, (event._asdict() for event in links))
    store.forget()
    return len(qrels)


def _unknown_and_changed_judgments(
    store: Store, qrels: Qrels, assessor: str, *, cumulative: bool, rejudged: bool
) -> tuple[Qrels, dict[tuple[str, str], int]]:
    """The judgments of pairs that the assessor has not judged, and those that take the place of an event."""
    standing, before = current_decisions(store, assessor), dict[tuple[str, str], int]()
    keep = np.ones(len(qrels), bool)
    columns = (qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist())
    for row, (qid, docno, grade) in enumerate(zip(*columns, strict=True)):
        if (event := standing.get((qid, docno))) is not None:
            pair = f"topic {qid!r}, document {docno!r}"
            if not cumulative:
                raise JudgedBeforeError(f"{assessor} has already judged {pair}")
            keep[row] = event.grade != grade
            if keep[row] and not rejudged:
                raise InputError(
                    f"{pair} has grade {event.grade} here, and {grade} in the file; replace it with --rejudged"
                )
            before[qid, docno] = int(event.id or 0)
    return qrels.rows(keep), before


def scale_error(grade: object) -> str:
    """Why a label that is set aside cannot be judged."""
    return f"grade {grade} is off the scale"


def _set_aside_events(store: Store, labels: Iterable[Event]) -> Iterator[Event]:
    scale = store.collection.grades
    for label in labels:
        aside = Event("cannot-judge", *label[1:4], source=label.source, reason=scale_error(label.grade))
        yield label if label.grade in scale else aside


def check_assessor(store: Store, labellers: Labellers) -> None:
    """Refuse an assessor that the store does not have, or whose labels do not count."""
    assessor, whose = labellers.assessor, labellers.kind
    kinds = assessors(store) if assessor is not None else {}
    if assessor is not None and assessor not in kinds:
        raise StoreError(f"no assessor {assessor!r} in this store{name_hint(assessor, kinds)}")
    if assessor is not None and not whose.counts(kinds[assessor]):
        raise StoreError(
            f"{assessor!r} is not a {'model' if whose is LabelledBy.models else 'person'}; --labels excludes them"
        )


def labels_that_count(store: Store, labellers: Labellers = EVERYBODY) -> CountingLabels:
    """The labels that count: everybody's, people's or models', or the current ones of one assessor."""
    check_assessor(store, labellers)
    counting = withdrawal_and_round_filter(store)
    now = counting.selection.document
    several = {} if now is None else _repeated_documents(store, now)
    labels = current_labels(store, counting.labels, labellers, several)
    if counting.dropped is not None:
        labels = labels.rows(~counting.dropped[labels.qrels.document])
    return labels if counting.selection.changes_nothing else labels.restrict_rows(counting.selection)


def _repeated_documents(store: Store, now: Ints) -> dict[int, int]:
    """The documents that were judged in a topic under several of their names, and the present name of each, from 1."""
    moves = np.flatnonzero((now >= 0) & (now != np.arange(len(now))))
    names = {one + 1: int(now[one]) + 1 for one in {*moves.tolist(), *now[moves].tolist()}}
    judged = "SELECT DISTINCT topic, document FROM settled JOIN json_each(?) ON document = value"
    numbers: dict[tuple[int, int], set[int]] = {}
    for topic, document in store.rows(judged, [json.dumps([*names])]):
        numbers.setdefault((topic, names[document]), set()).add(document)
    return {document: names[document] for several in numbers.values() if len(several) > 1 for document in several}


def qrels_of(store: Store, labellers: Labellers = EVERYBODY) -> Qrels:
    """The judgments that count, without whose each is."""
    return labels_that_count(store, labellers).qrels


def pairs_found_outside_pools(store: Store) -> dict[tuple[str, str], str]:
    """How judged pairs were found, of a topic and a document, that were not found by pools alone."""
    ways = hooks.ask(lambda extension: extension.judged_apart(store))
    drawn = store.rows(
        "SELECT DISTINCT qid, docno FROM pooled JOIN pool ON pool.id = pooled.pool WHERE method = 'random-draw'"
        " AND json_extract(parameters, '$.run') LIKE '% %'"  # of all runs: those from one run do not count in scores
    )
    return {pair: how for pairs in (dict.fromkeys(drawn, "random-draw"), *ways) for pair, how in pairs.items()}


def subtopics_as_json(qrels: Qrels) -> list[str | None]:
    """What the event of each judgment says of single subtopics, as JSON; None where none was judged.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> subtopics_as_json(as_qrels({"q": {"d1": 1}}))
    [None]
    """
    rows: list[dict[str, int]] = [{} for _ in range(len(qrels))]
    about = qrels.subtopics
    if about is not None:
        columns = (about.judgment.tolist(), about.names[about.subtopic].tolist(), about.grade.tolist())
        for row, name, grade in zip(*columns, strict=True):
            rows[row][name] = grade
    return [json.dumps({"subtopics": grades}) if grades else None for grades in rows]


def with_subtopics(store: Store, qrels: Qrels, events: Ints) -> Qrels:
    """The judgments with their grades by subtopic, where the events they rest on (-1: none) came with any.

    Topics and docnos are in byte order then.
    """
    triples = store.rows(
        "SELECT e.id, key, value FROM judgment_event e, json_each(evidence, '$.subtopics')"
        " WHERE kind = 'import' AND evidence IS NOT NULL"
    )
    row_of = {event: row for row, event in enumerate(events.tolist()) if event >= 0}
    grades = [(row_of[event], name, grade) for event, name, grade in triples if event in row_of]
    if not grades:
        return qrels
    names = sorted({name for _, name, _ in grades})
    place = {name: number for number, name in enumerate(names)}
    row, subtopic, grade = (
        np.array(column, np.int64)
        for column in zip(*((row, place[name], grade) for row, name, grade in grades), strict=True)
    )
    order = np.lexsort((subtopic, row))
    about = Subtopics(row[order], subtopic[order], grade[order], np.array([*names, None], object)[:-1])
    return sort_qrels(replace(qrels, subtopics=about))


def sort_qrels(qrels: Qrels) -> Qrels:
    """The same judgments over names in byte order."""
    (topics, topic), (docnos, document) = (
        _sort_codes(names, codes) for names, codes in ((qrels.topics, qrels.topic), (qrels.docnos, qrels.document))
    )
    anew = replace(qrels, topics=topics, topic=topic, docnos=docnos, document=document)
    return anew.rows(np.lexsort((document, topic)))


def _sort_codes(names: Vocabulary, codes: Ints) -> tuple[Vocabulary, Ints]:
    used = names.sorted_codes(codes)
    place = np.zeros(int(used.max(initial=-1)) + 1, np.int64)
    place[used] = np.arange(len(used))
    return Vocabulary(names.names[used]), place[codes]


def add_subtopics_or_strata(store: Store, labels: CountingLabels, tell: Callable[[str], object]) -> Qrels:
    """The labels of a store with their subtopics, or else as the sample that its newest stratified pool drew."""
    qrels = with_subtopics(store, labels.qrels, labels.event)
    sample = stratified_qrels(store, qrels) if qrels.subtopics is None else None
    if sample is None:
        return qrels
    if sample.otherwise:
        outside = f"{sample.otherwise} of {len(qrels)} judged documents were not drawn for pool {sample.pool}"
        tell(f"{outside}; measures for samples treat them as a separate stratum")
    return sample.qrels
