"""`export`: what its commands share, and those for texts, pools and judgments."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from cranfield import hooks
from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command
from cranfield.cli.common_options import Labels, QrelsPolicy, ReadStore, SafeCsv
from cranfield.cli.tables import note, print_notes, summary
from cranfield.commands.pools import PooledDocuments, pool_runs
from cranfield.errors import InputError
from cranfield.formats import Document, Topic
from cranfield.options import PoolNumber, Written
from cranfield.options.given import JudgedBefore, Round, RoundJudgments, selection_of
from cranfield.selection import LabelledBy, Labellers, labels_line
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.formats import Document


OutputFile = Annotated[Path, typer.Argument(metavar="OUT", help="Output file; - for the standard output."), Written()]
OutputFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Output folder.")]
TextFormat = Annotated[str, typer.Option(metavar="NAME", help="Output format."), completion.FORMATS]


def refuse_empty(path: Path, what: str, there: bool) -> None:
    """Refuse to write an empty file, which could not be read again."""
    if not there:
        raise InputError(f"no {what} in this store; `cranfield import {what}` adds them", path)


T = TypeVar("T", Document, Topic)


class DocumentField(StrEnum):
    """A document field that may be dropped."""

    heading = "title"
    url = "url"
    metadata = "metadata"


class TopicField(StrEnum):
    """A topic field that may be dropped."""

    description = "description"
    narrative = "narrative"
    metadata = "metadata"


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


MissingGrade = Annotated[
    int | None,
    typer.Option(max=-1, metavar="GRADE", help="Write these pairs with this negative grade. [default: leave out]"),
]


class QrelsFormat(StrEnum):
    """The formats in which qrels are written."""

    trec = "trec"
    beir = "beir"
    subtopics = "subtopics"
    sample_eval = "sample-eval"
    grade_stratum = "grade-stratum"


class Unsure(StrEnum):
    """How labels that are marked as unsure are treated."""

    counts = "count"
    leave_out = "leave-out"


@not_in_python("read_qrels returns the table that it writes")
def qrels(
    path: ReadStore,
    out: OutputFile,
    *,
    policy: QrelsPolicy = None,
    assessor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Whose labels count, in order of precedence; may be repeated. [default: all]"
        ),
        completion.ASSESSORS,
    ] = None,
    labels: Labels = LabelledBy.all,
    pool: PoolNumber = None,
    unsure: Annotated[Unsure, typer.Option(help="How to treat labels that are marked as unsure.")] = Unsure.counts,
    later: MissingGrade = None,
    cannot_judge: MissingGrade = None,
    unlabelled: MissingGrade = None,
    format: Annotated[
        QrelsFormat,
        typer.Option(help="Output format; strata come from the pool, subtopics from imported labels."),
    ] = QrelsFormat.trec,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    reading: Reading,
) -> None:
    """Write the judgments as qrels, and report what was left out and why.

    If OUT is a file, OUT.manifest.json beside it documents the qrels: policy, assessors, pool, scale, counts, checksum.
    Where labels of several assessors differ, --assessor, --policy or the choice of `store labels` decides; without one
    the command refuses them. The policy adjudicated-else-POLICY prefers an adjudication. A model's label counts only
    where no person gave one, unless --assessor names the model; --labels people excludes models. --pool selects
    the pool whose unlabelled pairs are counted.

    Example: cranfield export qrels track.db qrels.txt --policy adjudicated-else-median-low --format sample-eval

    Example: cranfield export qrels track.db qrels.txt --labels people
    """
    from cranfield.judging.labels.choice import chance_notes, resolve_policy
    from cranfield.judging.labels.export import export_derived
    from cranfield.judging.labels.policies import Decisions, State, apply_policy
    from cranfield.store.draws import notes_on_exported
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.qrels import qrels_of
    from cranfield.store.store import Store

    reading = replace(reading, selection=selection_of(None, round, judged, remove_judged))
    grades: dict[State, int | None] = {"later": later, "cannot-judge": cannot_judge, "unlabelled": unlabelled}
    missing = {state: grade for state, grade in grades.items() if grade is not None}

    def decide_policy(store: Store) -> Decisions:
        count_unsure = unsure is Unsure.counts
        choice = resolve_policy(store, policy, assessor, labels, count_unsure=count_unsure)
        outcome = apply_policy(store, rule=choice.rule, names=choice.names, count_unsure=count_unsure, whose=labels)
        print_notes((*choice.notes, *chance_notes(store, outcome.names_behind)))
        return outcome

    if other := hooks.instead("export qrels", reading.added):
        other(reading.select_place(path), out, decide_policy, format)
        return
    with reading.store(path) as store:
        outcome = export_derived(store, out, decide_policy(store), missing=missing, number=pool, format=format)
        summary(out, str(outcome))
        print_notes(outcome.notes)
        judgments = qrels_of(store)
        print_notes([*unknown_name_notes(store, judgments, "that are judged"), *notes_on_exported(store, judgments)])
    if whose := labels_line(labels, outcome.labels, outcome.models, assessor or ()):
        note(whose)


def write_pool_table(
    result: PooledDocuments,
    *,
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Output file: .csv or .tsv, optionally with .gz."), Written()
    ],
    safe_csv: SafeCsv = False,
) -> None:
    """Write the pool."""
    from cranfield.formats.writing import write_pool

    write_pool(out, result.documents, safe_csv)
    summary(out, counted(len(result.documents), "document"))


pool = command(pool_runs, write_pool_table, "pooling")


@not_in_python("cranfield.store.log.events returns the events")
def judgments(path: ReadStore, out: OutputFile) -> None:
    """Write every event of the judgment log, one JSON object per line.

    Example: cranfield export judgments track.db judgments.jsonl

    Example: cranfield export judgments track.db judgments.jsonl.gz
    """
    from cranfield.formats.whole_files import write_lines
    from cranfield.store.log import events
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.qrels import qrels_of
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        log = events(store)
        print_notes(unknown_name_notes(store, qrels_of(store), "that are judged"))
    write_lines(out, (json.dumps(event._asdict(), ensure_ascii=False) for event in log))
    summary(out, counted(len(log), "event"))


@not_in_python("Store.topics returns the topics, cranfield.formats.write_topics writes them")
def topics(
    path: ReadStore,
    out: OutputFile,
    format: TextFormat = "jsonl",
    drop: Annotated[
        list[TopicField] | None,
        typer.Option(help="Drop this field, if the format has no place for it; may be repeated."),
    ] = None,
) -> None:
    """Write the topics: as jsonl, trec, xml, smart, tsv or a beir folder.

    Example: cranfield export topics track.db topics.tsv --format tsv --drop narrative --drop description

    Example: cranfield export topics track.db topics.jsonl
    """
    from cranfield.formats import write_topics
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        several = store.topics()
        refuse_empty(path, "topics", bool(several))
        dropping = Dropping(drop or [], "topic")
        write_topics(out, dropping(several), format)
    summary(out, counted(dropping.count, "topic"))
    print_notes(dropping.notes)


@not_in_python("Store.documents yields the documents, cranfield.formats.write_corpus writes them")
def corpus(
    path: ReadStore,
    out: OutputFile,
    format: TextFormat = "jsonl",
    drop: Annotated[
        list[DocumentField] | None,
        typer.Option(help="Drop this field, if the format has no place for it; may be repeated."),
    ] = None,
    safe_csv: SafeCsv = False,
) -> None:
    """Write the documents: as jsonl, trec, smart, tsv, csv or a beir folder.

    Example: cranfield export corpus track.db corpus.tsv --format tsv --drop metadata

    Example: cranfield export corpus track.db corpus.jsonl.gz
    """
    from cranfield.formats import write_corpus
    from cranfield.store.store import Store

    if safe_csv and format not in ("csv", "tsv"):
        raise typer.BadParameter("--safe-csv is for --format csv and tsv", param_hint="--safe-csv")

    with Store.open(path, tell=note) as store:
        refuse_empty(path, "corpus", store.has("document"))
        dropping = Dropping(drop or [], "document")
        documents = dropping(store.documents())
        write_corpus(out, map(_escape_formulas, documents) if safe_csv else documents, format)
    summary(out, counted(dropping.count, "document"))
    print_notes(dropping.notes)


def _escape_formulas(document: Document) -> Document:
    from cranfield.formats.text_tables import no_formula

    docno, title, text, url = map(no_formula, document[:4])
    return document._replace(docno=docno, title=title, text=text, url=url)


@not_in_python("cranfield.formats writes corpora, topics and judgments")
def beir(
    path: ReadStore,
    folder: OutputFolder,
    *,
    assessor: Annotated[
        str | None, typer.Option(metavar="NAME", help="Use only this assessor's labels."), completion.ASSESSORS
    ] = None,
    policy: QrelsPolicy = None,
    labels: Labels = LabelledBy.all,
) -> None:
    """Write corpus, queries and judgments as a BEIR folder.

    Where labels of several assessors differ, --assessor, --policy or the choice of `store labels` decides; without one
    the command refuses them.

    Example: cranfield export beir track.db track-beir/

    Example: cranfield export beir track.db track-beir --labels people
    """
    from cranfield.formats import write_beir
    from cranfield.judging.labels.choice import choose_labels, note_labellers
    from cranfield.judging.labels.export import negative_grade_note
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.store import Store

    labellers = Labellers(assessor, labels, policy)
    with Store.open(path, tell=note) as store:
        labelled = choose_labels(store, labellers)
        for what, there in {"corpus": store.has("document"), "topics": store.topics(), "qrels": labelled.qrels}.items():
            refuse_empty(path, what, bool(there))
        write_beir(folder, store.documents(), store.topics(), labelled.qrels)
        print_notes(
            (*negative_grade_note(labelled.qrels), *unknown_name_notes(store, labelled.qrels, "that are judged"))
        )
        whose = note_labellers(store, labelled, labellers)
    if whose:
        note(whose)
