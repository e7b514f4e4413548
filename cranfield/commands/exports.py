"""Exports of judgments, topics and documents: from a store to files in standard formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cranfield.commands.calls import OpenedStore, open_store_call
from cranfield.commands.subject import Subject
from cranfield.errors import ArgumentError, CorpusWarning, InputError, Note, ProvenanceWarning
from cranfield.formats import Document, Topic
from cranfield.lazy import lazy_type
from cranfield.options import Labels, PoolNumber
from cranfield.options.arguments import (
    JudgedBefore,
    PresentStore,
    ReadStore,
    Round,
    RoundJudgments,
    check_arguments,
    selection_of,
)
from cranfield.options.exports import (
    AssessorsOfQrels,
    DocumentField,
    DroppedDocumentFields,
    DroppedTopicFields,
    ExportedFormat,
    GradeOfUnlabelled,
    NewFolder,
    OnlyAssessor,
    PolicyOfQrels,
    QrelsFormat,
    QuotesFormulas,
    TopicField,
    UnsureLabels,
)
from cranfield.options.transfers import NewFile
from cranfield.results import WrittenFile
from cranfield.selection import LabelledBy, Labellers, labels_line
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.judging.labels.export import ExportCounts
    from cranfield.judging.labels.policies import State
else:
    ExportCounts = lazy_type("cranfield.judging.labels.export", "ExportCounts")

T = TypeVar("T", Document, Topic)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ExportedQrels(WrittenFile):
    """Qrels that were written, and what was left out.

    Parameters
    ----------
    counts : ExportCounts
        The numbers of labels that were written and, of the pairs of the pool, of those that were not.
    """

    counts: ExportCounts


@check_arguments
def export_qrels(
    store: ReadStore,
    out: NewFile,
    *,
    policy: PolicyOfQrels = None,
    assessors: AssessorsOfQrels = None,
    labels: Labels = "all",
    pool: PoolNumber = None,
    unsure: UnsureLabels = "count",
    later: GradeOfUnlabelled = None,
    cannot_judge: GradeOfUnlabelled = None,
    unlabelled: GradeOfUnlabelled = None,
    format: QrelsFormat = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    subject: Subject | None = None,
) -> WrittenFile:
    """Write judgments as qrels, and report which were left out and why.

    The file FILE.manifest.json next to the qrels records their policy, assessors, pool, scale, counts and checksum. If
    assessors' labels differ, use `assessors`, `policy` or `store labels` to choose; otherwise the export fails. The
    policy adjudicated-else-POLICY uses an adjudication if there is one, otherwise POLICY. A model's label counts only
    for documents that no person labelled, unless `assessors` names the model. To exclude models, use `labels` people.
    `pool` selects the pool whose unlabelled pairs are counted.

    Example: cranfield export qrels track.db qrels.txt --policy adjudicated-else-median-low --format sample-eval

    Example: cranfield export qrels track.db qrels.txt --labels people

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write; "-" is the standard output.
    policy : str, optional
        Policy for documents with differing labels; by default the recorded choice.
    assessors : sequence of str, optional
        Assessors whose labels count, in order of precedence; all by default.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count. With "all", a model's label counts only for documents that no person
        labelled.
    pool : int, optional
        Pool whose unlabelled pairs are counted; the newest by default.
    unsure : {"count", "leave-out"}
        Whether labels marked as unsure count.
    later, cannot_judge, unlabelled : int, optional
        Negative grade for unlabelled pairs in this state; such pairs are omitted by default.
    format : {"trec", "beir", "subtopics", "sample-eval", "grade-stratum"}, optional
        Format of the file; by default trec, or beir for a file name that ends in .tsv.
    round : str, optional
        Export only this round.
    judged : {"residual", "own", "cumulative"}, optional
        Judgments of the round to export.
    remove_judged : path, optional
        Qrels file of earlier judgments.
    subject : Subject, optional
        What to write instead, such as `cranfield.subjects.PassageDocuments()`.

    Returns
    -------
    WrittenFile
        One row: the number of labels and the number of unlabelled pairs. With `subject`, only the number of labels.

    Raises
    ------
    InputError
        If there are no labels, labels differ and no policy was chosen, or the labels lack data that the format
        requires.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from cranfield.formats import Topic
    >>> from cranfield.store import import_qrels
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store, TemporaryDirectory() as folder:
    ...     _ = store.add_topics([Topic("q1", "wing flutter")]), store.add_documents([Document("d1"), Document("d2")])
    ...     _ = import_qrels(store, {"q1": {"d1": 1, "d2": 0}}, assessor="ada", kind="human")
    ...     export_qrels(store, f"{folder}/qrels.txt").frame[["labels", "unsure"]].values.tolist()
    [[2, 0]]
    """
    from cranfield.formats.output_names import QRELS, NamedFormat, format_by_name
    from cranfield.judging.labels.export import LabelRule, QrelsRequest, export_derived
    from cranfield.store.draws import notes_on_exported
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.qrels import qrels_of

    path, selection = Path(out), selection_of(None, round, judged, remove_judged)
    named = NamedFormat(format) if format else format_by_name(path, QRELS, "trec")
    rule = LabelRule(policy, assessors, LabelledBy(labels), unsure == "count")
    if subject is not None:
        return subject.export_qrels(store, QrelsRequest(path, named.name, rule, selection))
    grades: dict[State, int | None] = {"later": later, "cannot-judge": cannot_judge, "unlabelled": unlabelled}
    missing = {state: grade for state, grade in grades.items() if grade is not None}
    with open_store_call(store, selection, function="export_qrels") as call:
        decided = rule.decide(call.store, call.note)
        counts = export_derived(call.store, path, decided, missing=missing, number=pool, format=named.name)
        judgments = qrels_of(call.store)
        call.note(named.note, *counts.notes)
        _tell_unknown(call, unknown_name_notes(call.store, judgments, "that are judged"))
        call.note(*notes_on_exported(call.store, judgments))
        if whose := labels_line(rule.whose, counts.labels, counts.models, assessors or ()):
            call.note(Note(whose, ProvenanceWarning))
        context = call.context("store.export_qrels")
        return ExportedQrels([counts.counts], lines=[str(counts)], context=context, path=path, counts=counts)


def _tell_unknown(call: OpenedStore, lines: Iterable[str]) -> None:
    call.note(*(Note(line, CorpusWarning) for line in lines))


@check_arguments
def export_judgments(store: ReadStore, out: NewFile) -> WrittenFile:
    """Write every judgment event as one JSON object per line.

    Example: cranfield export judgments track.db judgments.jsonl

    Example: cranfield export judgments track.db judgments.jsonl.gz

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write; "-" is the standard output.

    Returns
    -------
    WrittenFile
        One row: the number of events.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("empty") as store:
    ...     export_judgments(store, "/dev/null")
    0 events
    """
    from cranfield.formats.output_names import JSON_LINES, format_by_name
    from cranfield.formats.whole_files import write_lines
    from cranfield.store.log import read_events
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.qrels import qrels_of

    path = Path(out)
    named = format_by_name(path, JSON_LINES, "jsonl")
    with open_store_call(store, function="export_judgments") as call:
        call.note(named.note)
        log = read_events(call.store)
        _tell_unknown(call, unknown_name_notes(call.store, qrels_of(call.store), "that are judged"))
        write_lines(path, (json.dumps(event._asdict(), ensure_ascii=False) for event in log))
        lines, context = [counted(len(log), "event")], call.context("store.export_judgments")
        return WrittenFile([{"events": len(log)}], lines=lines, context=context, path=path)


class Dropping:
    """Drops fields, and counts how many records lose content.

    >>> dropping = Dropping(["metadata"], "document")
    >>> [document.metadata for document in dropping([Document("d1", metadata={"author": "Ada"}), Document("d2")])]
    [{}, {}]
    >>> dropping.notes
    ['dropped: metadata of 1 document (author)']
    """

    def __init__(self, fields: Sequence[str], what: str) -> None:
        self.fields, self.what = fields, what
        self.count = 0
        self._nothing: dict[str, Any] = {field: {} if field == "metadata" else "" for field in fields}
        self.lost: Counter[str] = Counter()
        self.keys: dict[str, None] = {}

    def __call__(self, records: Iterable[T]) -> Iterator[T]:
        """The records without these fields."""
        for record in records:
            for field in self.fields:
                self.lost[field] += bool(getattr(record, field))
            if "metadata" in self.fields:
                self.keys.update(dict.fromkeys(record.metadata))
            self.count += 1
            yield record._replace(**self._nothing)

    @property
    def notes(self) -> list[str]:
        """What was lost, in one line; empty if nothing was."""
        losses = [
            f"{field} of {count} {self.what}{'' if count == 1 else 's'}"
            + (f" ({', '.join(self.keys)})" if field == "metadata" else "")
            for field, count in self.lost.items()
            if count
        ]
        return [f"dropped: {'; '.join(losses)}"] if losses else []


@check_arguments
def export_topics(
    store: ReadStore, out: NewFile, *, format: ExportedFormat = None, drop: DroppedTopicFields = ()
) -> WrittenFile:
    """Write topics as jsonl, trec, xml, smart, tsv or a beir folder.

    Example: cranfield export topics track.db topics.tsv --format tsv --drop narrative --drop description

    Example: cranfield export topics track.db topics.jsonl

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file or folder to write; "-" is the standard output.
    format : str, optional
        Format; by default by the file extension, otherwise jsonl.
    drop : sequence of {"description", "narrative", "metadata"}
        Fields to drop if the format cannot store them.

    Returns
    -------
    WrittenFile
        One row: the number of topics.

    Raises
    ------
    InputError
        If the store has no topics, or the format cannot store a field that was not dropped.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "wing flutter")])
    ...     export_topics(store, "/dev/null", format="tsv")
    1 topic
    """
    from cranfield.formats import write_topics
    from cranfield.formats.output_names import TOPICS, NamedFormat, format_by_name

    path, dropping = Path(out), Dropping(_check_fields(drop, TopicField), "topic")
    named = NamedFormat(format) if format else format_by_name(path, TOPICS, "jsonl")
    with open_store_call(store, function="export_topics") as call:
        topics = call.store.topics()
        refuse_empty(call, "topics", bool(topics))
        write_topics(path, dropping(topics), named.name)
        call.note(named.note, *dropping.notes)
        lines, context = [counted(dropping.count, "topic")], call.context("store.export_topics")
        return WrittenFile([{"topics": dropping.count}], lines=lines, context=context, path=path)


@check_arguments
def export_corpus(
    store: ReadStore,
    out: NewFile,
    *,
    format: ExportedFormat = None,
    drop: DroppedDocumentFields = (),
    safe_csv: QuotesFormulas = False,
) -> WrittenFile:
    """Write documents as jsonl, trec, smart, tsv, csv or a beir folder.

    Example: cranfield export corpus track.db corpus.tsv --format tsv --drop metadata

    Example: cranfield export corpus track.db corpus.jsonl.gz

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file or folder to write; "-" is the standard output.
    format : str, optional
        Format; by default by the file extension, otherwise jsonl.
    drop : sequence of {"title", "url", "metadata"}
        Fields to drop if the format cannot store them.
    safe_csv : bool
        Quote text in CSV and TSV that a spreadsheet would read as a formula.

    Returns
    -------
    WrittenFile
        One row: the number of documents.

    Raises
    ------
    InputError
        If the store has no documents, or the format cannot store a field that was not dropped.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one document") as store:
    ...     _ = store.add_documents([Document("d1", text="wing flutter")])
    ...     export_corpus(store, "/dev/null")
    1 document
    """
    from cranfield.formats import write_corpus
    from cranfield.formats.output_names import CORPUS, NamedFormat, format_by_name

    path, dropping = Path(out), Dropping(_check_fields(drop, DocumentField), "document")
    named = NamedFormat(format) if format else format_by_name(path, CORPUS, "jsonl")
    if safe_csv and named.name not in ("csv", "tsv"):
        raise ArgumentError("--safe-csv requires --format csv or tsv", "safe_csv")
    with open_store_call(store, function="export_corpus") as call:
        refuse_empty(call, "corpus", call.store.has("document"))
        documents = dropping(call.store.documents())
        write_corpus(path, map(_escape_formulas, documents) if safe_csv else documents, named.name)
        call.note(named.note, *dropping.notes)
        lines, context = [counted(dropping.count, "document")], call.context("store.export_corpus")
        return WrittenFile([{"documents": dropping.count}], lines=lines, context=context, path=path)


def _check_fields(drop: Sequence[str], fields: type[StrEnum]) -> list[str]:
    """The names of fields that are dropped; an error for another one."""
    if isinstance(drop, str) or not {*drop} <= {*map(str, fields)}:
        raise InputError(f"drop is {drop!r:.60}; expected a list of {join_words([*fields], 'or')}")
    return [str(field) for field in drop]


def refuse_empty(call: OpenedStore, what: str, has_content: bool) -> None:
    """Refuse to write an empty file, which could not be read again."""
    if not has_content:
        raise InputError(f"no {what} in this store; `cranfield import {what}` adds them", call.place)


def _escape_formulas(document: Document) -> Document:
    from cranfield.formats.text_tables import quote_formula

    docno, title, text, url = map(quote_formula, document[:4])
    return document._replace(docno=docno, title=title, text=text, url=url)


@check_arguments
def export_beir(
    store: ReadStore,
    folder: NewFolder,
    *,
    assessor: OnlyAssessor = None,
    policy: PolicyOfQrels = None,
    labels: Labels = "all",
) -> WrittenFile:
    """Write corpus, queries and judgments as a BEIR folder.

    If assessors' labels differ, use `assessor`, `policy` or `store labels` to choose; otherwise the export fails.

    Example: cranfield export beir track.db track-beir/

    Example: cranfield export beir track.db track-beir --labels people

    Parameters
    ----------
    store : path or Store
        The store.
    folder : path
        The folder to write.
    assessor : str, optional
        Use only this assessor's labels.
    policy : str, optional
        Policy for documents with differing labels; by default the recorded choice.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count. With "all", a model's label counts only for documents that no person
        labelled.

    Returns
    -------
    WrittenFile
        One row: the numbers of documents, topics and labels.

    Raises
    ------
    InputError
        If the store has no documents, topics or labels, or labels differ and no policy was chosen.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("empty") as store:
    ...     export_beir(store, "beir")
    Traceback (most recent call last):
    cranfield.errors.InputError: :memory:: no corpus in this store; `cranfield import corpus` adds them
    """
    from cranfield.formats import write_beir
    from cranfield.judging.labels.choice import choose_labels, note_labellers
    from cranfield.judging.labels.export import negative_grade_note
    from cranfield.store.names import unknown_name_notes

    labellers = Labellers(assessor, LabelledBy(labels), policy)
    with open_store_call(store, function="export_beir") as call:
        labelled = choose_labels(call.store, labellers)
        topics, judgments = call.store.topics(), labelled.qrels
        refuse_empty(call, "corpus", call.store.has("document"))
        refuse_empty(call, "topics", bool(topics))
        refuse_empty(call, "qrels", bool(judgments))
        write_beir(Path(folder), call.store.documents(), topics, judgments)
        call.note(*negative_grade_note(judgments))
        _tell_unknown(call, unknown_name_notes(call.store, judgments, "that are judged"))
        call.note(note_labellers(call.store, labelled, labellers))
        row = {"documents": call.store.count_added("document"), "topics": len(topics), "labels": len(judgments)}
        return WrittenFile([row], context=call.context("store.export_beir"), path=Path(folder))


@check_arguments
def export_datasette_metadata(store: PresentStore, out: NewFile) -> WrittenFile:
    """Write metadata for browsing a store in Datasette.

    With this file, Datasette shows titles, descriptions, labels and facets, and
    hides internal tables. Do not rename the store, because the metadata refer
    to its file name.

    Example: cranfield export datasette-metadata track.db metadata.json

    Example: cranfield export datasette-metadata track.db -

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write; "-" is the standard output.

    Returns
    -------
    WrittenFile
        One row: the store and the file.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("empty") as store:
    ...     export_datasette_metadata(store, "/dev/null")
    Next: datasette :memory: --metadata /dev/null
    """
    from cranfield.formats.files import STANDARD_STREAM
    from cranfield.formats.text_tables import as_json
    from cranfield.formats.whole_files import write_text
    from cranfield.store.datasette import datasette_metadata

    path = Path(out)
    with open_store_call(store, function="export_datasette_metadata") as call:
        write_text(path, as_json(datasette_metadata(call.store)))
        lines = [] if str(path) == STANDARD_STREAM else [f"Next: datasette {call.place} --metadata {path}"]
        row, context = {"store": str(call.place), "file": str(path)}, call.context("store.export_datasette_metadata")
        return WrittenFile([row], lines=lines, context=context, path=path)
