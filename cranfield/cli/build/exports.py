"""export qrels, runs, pool, judgments, topics, corpus, beir, bundle."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.build.dropping import (Dropping, OfDocument, OfTopic)
from cranfield.cli.build.file_names import (renamed, run_files)
from cranfield.errors import InputError
from cranfield.cli.options import (Labels, PoolNumber, StorePath)
from cranfield.cli.build import pool as pooling
from cranfield.cli.tables import note, say, summary
from cranfield.store.whose import (Whose, said)

app = typer.Typer(help="Write what a store holds as files others can read.", no_args_is_help=True, add_completion=False)

OutputFile = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; - for the standard output.")]
OutputFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write into.")]
MissingGrade = Annotated[
    int | None,
    typer.Option(max=-1, metavar="GRADE", help="Write such pairs with this negative grade. [default: leave out]"),
]


class QrelsFormat(StrEnum):
    """The formats in which qrels are written."""

    trec = "trec"
    beir = "beir"
    subtopics = "subtopics"
    sample_eval = "sample-eval"
    grade_stratum = "grade-stratum"


TextFormat = Annotated[str, typer.Option(metavar="NAME", help="The format to write.")]


class Unsure(StrEnum):
    """What becomes of labels that are marked as unsure."""

    counted = "count"
    leave_out = "leave-out"


@app.command()
def qrels(
    path: StorePath,
    out: OutputFile,
    policy: Annotated[str, typer.Option(metavar="NAME", help="How many labels become one, as median-low.")] = "primary",
    assessor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Whose labels count, the first one first; may be repeated. [default: all]"),
    ] = None,
    labels: Labels = Whose.all,
    pool: PoolNumber = None,
    unsure: Annotated[Unsure, typer.Option(help="What becomes of labels that are marked as unsure.")] = Unsure.counted,
    later: MissingGrade = None,
    cannot_judge: MissingGrade = None,
    unlabelled: MissingGrade = None,
    format: Annotated[
        QrelsFormat,
        typer.Option(help="The format; strata are a pool's, subtopics those of imported labels."),
    ] = QrelsFormat.trec,
) -> None:
    """Write the judgments as qrels, and say what was left out and why.

    OUT.manifest.json beside it, if OUT is a file, tells how they came about: policy, assessors, pool, scale, counts,
    checksum. Where several assessors labelled a document, --policy decides: single, primary, majority-tie-low,
    majority-tie-high, median-low, mean-rounded, min, max, or adjudicated-else- and one of these. A model's label counts
    only where nobody else gave one, unless the model is named; --labels people leaves models' out. --pool says which
    pool's pairs are counted as unlabelled.

    Example: cranfield export qrels track.db qrels.txt --policy adjudicated-else-median-low --format sample-eval
    """
    from cranfield.judging.labels.derive import State
    from cranfield.judging.labels.export import export_qrels
    from cranfield.store.log import qrels_of
    from cranfield.store.store import Store
    from cranfield.store.unknown import strangers

    asked: dict[State, int | None] = {"later": later, "cannot-judge": cannot_judge, "unlabelled": unlabelled}
    missing = {state: grade for state, grade in asked.items() if grade is not None}
    with Store.open(path) as store:
        done = export_qrels(store, out, assessor, policy, unsure is Unsure.counted, missing, labels, pool, format)
        summary(out, str(done))
        for text in done.notes:
            note(text)
        for text in strangers(store, qrels_of(store), "that are judged"):
            note(text)
    if whose := said(labels, done.labels, done.models, assessor or ()):
        note(whose)


@app.command()
def runs(
    path: StorePath,
    folder: OutputFolder,
    metadata: Annotated[
        bool, typer.Option("--metadata", help="Begin each file with what is known of the run, as ir_metadata has it.")
    ] = False,
) -> None:
    """Write every run as a TREC run file, named by its tag: all of them or, if anything is wrong, none.

    With --metadata comment lines at the start say what is known of the run, in the YAML of ir_metadata: what the header
    of its own file said, with the team and the description.

    Example: cranfield export runs track.db runs/ --metadata
    """
    from cranfield.formats import write_run
    from cranfield.formats.runs.ir_metadata import with_known
    from cranfield.formats.output import folder_created
    from cranfield.store.runs import (run_info, stored_runs)
    from cranfield.store.store import Store
    from cranfield.store.unknown import strangers

    with Store.open(path) as store:
        stored = stored_runs(store)
        runs = stored.answering()
        _refuse_empty(path, "runs", bool(runs.tags))
        files, about = run_files(runs.tags), run_info(store)
        with folder_created(folder) as part:
            for tag, file in files.items():
                info = about[tag]
                team = "" if info.team == tag else info.team  # a team of its own, as nobody said another
                known = with_known(info.metadata, team, info.description) if metadata else {}
                write_run(part / file, runs, tag, metadata=known)
        notes = strangers(store, runs, "in these runs")
        left = [tag for tag in runs.tags if about[tag].metadata and not metadata]
    say(f"{len(files)} runs")
    for text in (*renamed(files), *notes):
        note(text)
    if left:
        note(f"the metadata of {len(left)} of them is not in the files; --metadata writes it")
    if silent := [tag for tag in stored.tags if tag not in runs.tags]:
        note(f"no file for runs that retrieved nothing: {', '.join(silent)}")


def _refuse_empty(path: Path, what: str, there: bool) -> None:
    """What is written can be read again, which a file of nothing cannot."""
    if not there:
        raise InputError(f"no {what} here to write; `cranfield import {what}` adds them", path)


app.command("pool")(pooling.export)


@app.command()
def judgments(path: StorePath, out: OutputFile) -> None:
    """Write every event of the judgment log, one JSON object a line.

    Example: cranfield export judgments track.db judgments.jsonl
    """
    from cranfield.formats.output import write_lines
    from cranfield.store.log import (events, qrels_of)
    from cranfield.store.store import Store
    from cranfield.store.unknown import strangers

    with Store.open(path) as store:
        log = events(store)
        for text in strangers(store, qrels_of(store), "that are judged"):
            note(text)
    write_lines(out, (json.dumps(event._asdict(), ensure_ascii=False) for event in log))
    summary(out, f"{len(log)} events")


@app.command()
def topics(
    path: StorePath,
    out: OutputFile,
    format: TextFormat = "jsonl",
    drop: Annotated[
        list[OfTopic] | None, typer.Option(help="Leave this out, if the format has no place for it; may be repeated.")
    ] = None,
) -> None:
    """Write the topics: as jsonl, trec, xml, smart, tsv or a beir folder.

    Example: cranfield export topics track.db topics.tsv --format tsv --drop narrative --drop description
    """
    from cranfield.formats import write_topics
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = store.topics()
        _refuse_empty(path, "topics", bool(found))
        dropping = Dropping(drop or [], "topic")
        write_topics(out, dropping(found), format)
    summary(out, f"{dropping.count} topics")
    for text in dropping.notes:
        note(text)


@app.command()
def corpus(
    path: StorePath,
    out: OutputFile,
    format: TextFormat = "jsonl",
    drop: Annotated[
        list[OfDocument] | None,
        typer.Option(help="Leave this out, if the format has no place for it; may be repeated."),
    ] = None,
) -> None:
    """Write the documents: as jsonl, trec, smart, tsv, csv or a beir folder.

    Example: cranfield export corpus track.db corpus.tsv --format tsv --drop metadata
    """
    from cranfield.formats import write_corpus
    from cranfield.store.store import Store

    with Store.open(path) as store:
        _refuse_empty(path, "corpus", store.has("document"))
        dropping = Dropping(drop or [], "document")
        write_corpus(out, dropping(store.documents()), format)
    summary(out, f"{dropping.count} documents")
    for text in dropping.notes:
        note(text)


@app.command()
def beir(path: StorePath, folder: OutputFolder, labels: Labels = Whose.all) -> None:
    """Write corpus, queries and judgments as a BEIR folder.

    Example: cranfield export beir track.db track-beir/
    """
    from cranfield.formats import write_beir
    from cranfield.store.log import counted
    from cranfield.store.store import Store
    from cranfield.store.unknown import strangers

    with Store.open(path) as store:
        found = counted(store, whose=labels)
        for what, there in {"corpus": store.has("document"), "topics": store.topics(), "qrels": found.qrels}.items():
            _refuse_empty(path, what, bool(there))
        write_beir(folder, store.documents(), store.topics(), found.qrels)
        for text in strangers(store, found.qrels, "that are judged"):
            note(text)
    if whose := found.said(labels):
        note(whose)


@app.command()
def bundle(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new file, such as ada.db.")],
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Whose work.")],
) -> None:
    """Put one assessor's work into a file of its own, to be judged anywhere: `cranfield judge OUT --assessor NAME`.

    It holds her topics, documents and own labels; no runs, no ranks, nobody else's labels. `cranfield import bundle`
    brings it back.

    Example: cranfield export bundle track.db ada.db --assessor ada
    """
    from cranfield.store.bundles import write_bundle
    from cranfield.store.store import Store

    with Store.open(path) as store:
        topics, documents, events = write_bundle(store, out, assessor)
    say(f"{out}: {topics} topics, {documents} documents to judge, {events} events so far")
