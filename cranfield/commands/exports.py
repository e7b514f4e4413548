"""Exports of judgments, topics and documents: from a store to files in standard formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import OpenedStore, open_store_call
from cranfield.commands.subject import Subject
from cranfield.errors import ArgumentError, CorpusWarning, InputError, Note, ProvenanceWarning
from cranfield.formats import Document, Topic
from cranfield.lazy import type_in
from cranfield.options import Labels, PoolNumber
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
from cranfield.options.given import JudgedBefore, PresentStore, ReadStore, Round, RoundJudgments, selection_of
from cranfield.options.transfers import NewFile
from cranfield.results import WrittenFile
from cranfield.selection import LabelledBy, Labellers, labels_line
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.judging.labels.export import ExportCounts
    from cranfield.judging.labels.policies import State
else:
    ExportCounts = type_in("cranfield.judging.labels.export", "ExportCounts")

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
    format: QrelsFormat = "trec",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    subject: Subject | None = None,
) -> WrittenFile:
    """Write the judgments as qrels, and report what was left out and why.

    Next to a file, FILE.manifest.json documents the qrels: policy, assessors, pool, scale, counts, checksum.
    Where labels of several assessors differ, `assessors`, `policy` or the choice of `store labels` decides; without one
    the export fails. The policy adjudicated-else-POLICY prefers an adjudication. A model's label counts only
    where no person gave one, unless `assessors` names the model; `labels` people excludes models. `pool` selects
    the pool whose unlabelled pairs are counted.

    Example: cranfield export qrels track.db qrels.txt --policy adjudicated-else-median-low --format sample-eval

    Example: cranfield export qrels track.db qrels.txt --labels people

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write; "-" is the standard output.
    policy : str, optional
        What counts where labels differ; by default the choice on record.
    assessors : sequence of str, optional
        Whose labels count, the first one first; by default everybody's.
    labels : {"people", "models", "all"}
        Whose labels count; all: a model's label counts only where no person gave one.
    pool : int, optional
        The pool whose unlabelled pairs are counted; the newest by default.
    unsure : {"count", "leave-out"}
        Whether labels that are marked as unsure count.
    later, cannot_judge, unlabelled : int, optional
        The negative grade of pairs without a label in this state; by default they are left out.
    format : {"trec", "beir", "subtopics", "sample-eval", "grade-stratum"}
        The format of the file.
    round : str, optional
        Only this round.
    judged : {"residual", "own", "cumulative"}, optional
        Which judgments of a round.
    remove_judged : path, optional
        A file with the judgments that were made before.
    subject : Subject, optional
        What is written instead, such as `cranfield.subjects.PassageDocuments()`.

    Returns
    -------
    WrittenFile
        One row: the numbers of labels and of pairs without one; with a subject, the number of labels.

    Raises
    ------
    InputError
        If there are no labels, they differ and nothing was chosen, or the format needs what they do not have.

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
    from cranfield.judging.labels.export import LabelRule, QrelsRequest, export_derived
    from cranfield.store.draws import notes_on_exported
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.qrels import qrels_of

    path, selection = Path(out), selection_of(None, round, judged, remove_judged)
    rule = LabelRule(policy, assessors, LabelledBy(labels), unsure == "count")
    if subject is not None:
        return subject.export_qrels(store, QrelsRequest(path, format, rule, selection))
    grades: dict[State, int | None] = {"later": later, "cannot-judge": cannot_judge, "unlabelled": unlabelled}
    missing = {state: grade for state, grade in grades.items() if grade is not None}
    with open_store_call(store, selection, function="export_qrels") as call:
        decided = rule.decide(call.store, call.note)
        counts = export_derived(call.store, path, decided, missing=missing, number=pool, format=format)
        judgments = qrels_of(call.store)
        call.note(*counts.notes)
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
    """Write every event of the judgment log, one JSON object per line.

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
    from cranfield.formats.whole_files import write_lines
    from cranfield.store.log import events
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.qrels import qrels_of

    path = Path(out)
    with open_store_call(store, function="export_judgments") as call:
        log = events(call.store)
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
    store: ReadStore, out: NewFile, *, format: ExportedFormat = "jsonl", drop: DroppedTopicFields = ()
) -> WrittenFile:
    """Write the topics: as jsonl, trec, xml, smart, tsv or a beir folder.

    Example: cranfield export topics track.db topics.tsv --format tsv --drop narrative --drop description

    Example: cranfield export topics track.db topics.jsonl

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file or folder to write; "-" is the standard output.
    format : str
        The format.
    drop : sequence of {"description", "narrative", "metadata"}
        The fields to drop, if the format has no place for them.

    Returns
    -------
    WrittenFile
        One row: the number of topics.

    Raises
    ------
    InputError
        If the store has no topics, or the format has no place for a field that is not dropped.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one topic") as store:
    ...     _ = store.add_topics([Topic("q1", "wing flutter")])
    ...     export_topics(store, "/dev/null", format="tsv")
    1 topic
    """
    from cranfield.formats import write_topics

    path, dropping = Path(out), Dropping(_check_fields(drop, TopicField), "topic")
    with open_store_call(store, function="export_topics") as call:
        topics = call.store.topics()
        refuse_empty(call, "topics", bool(topics))
        write_topics(path, dropping(topics), format)
        call.note(*dropping.notes)
        lines, context = [counted(dropping.count, "topic")], call.context("store.export_topics")
        return WrittenFile([{"topics": dropping.count}], lines=lines, context=context, path=path)


@check_arguments
def export_corpus(
    store: ReadStore,
    out: NewFile,
    *,
    format: ExportedFormat = "jsonl",
    drop: DroppedDocumentFields = (),
    safe_csv: QuotesFormulas = False,
) -> WrittenFile:
    """Write the documents: as jsonl, trec, smart, tsv, csv or a beir folder.

    Example: cranfield export corpus track.db corpus.tsv --format tsv --drop metadata

    Example: cranfield export corpus track.db corpus.jsonl.gz

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file or folder to write; "-" is the standard output.
    format : str
        The format.
    drop : sequence of {"title", "url", "metadata"}
        The fields to drop, if the format has no place for them.
    safe_csv : bool
        In CSV and TSV, quote text that a spreadsheet would read as a formula.

    Returns
    -------
    WrittenFile
        One row: the number of documents.

    Raises
    ------
    InputError
        If the store has no documents, or the format has no place for a field that is not dropped.

    Examples
    --------
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one document") as store:
    ...     _ = store.add_documents([Document("d1", text="wing flutter")])
    ...     export_corpus(store, "/dev/null")
    1 document
    """
    from cranfield.formats import write_corpus

    if safe_csv and format not in ("csv", "tsv"):
        raise ArgumentError("--safe-csv is for --format csv and tsv", "safe_csv")
    path, dropping = Path(out), Dropping(_check_fields(drop, DocumentField), "document")
    with open_store_call(store, function="export_corpus") as call:
        refuse_empty(call, "corpus", call.store.has("document"))
        documents = dropping(call.store.documents())
        write_corpus(path, map(_escape_formulas, documents) if safe_csv else documents, format)
        call.note(*dropping.notes)
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
    from cranfield.formats.text_tables import no_formula

    docno, title, text, url = map(no_formula, document[:4])
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

    Where labels of several assessors differ, `assessor`, `policy` or the choice of `store labels` decides; without one
    the export fails.

    Example: cranfield export beir track.db track-beir/

    Example: cranfield export beir track.db track-beir --labels people

    Parameters
    ----------
    store : path or Store
        The store.
    folder : path
        The folder to write.
    assessor : str, optional
        Use only the labels of this assessor.
    policy : str, optional
        What counts where labels differ; by default the choice on record.
    labels : {"people", "models", "all"}
        Whose labels count; all: a model's label counts only where no person gave one.

    Returns
    -------
    WrittenFile
        One row: the numbers of documents, topics and labels.

    Raises
    ------
    InputError
        If the store has no documents, topics or labels, or labels differ and nothing was chosen.

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
    """Write metadata with which Datasette shows titles, descriptions, labels and facets, and hides internal tables.

    Datasette knows the store by its file name; keep it.

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
