"""export qrels, runs, pool, judgments, topics, corpus, beir."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cranfield.options import Assessor, StorePath

app = typer.Typer(help="Write what a store holds as files others can read.", no_args_is_help=True)

OutputFile = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")]
OutputFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write into.")]


@app.command()
def qrels(path: StorePath, out: OutputFile, assessor: Assessor = None) -> None:
    """Write the judgments as TREC qrels, and say what was left out and why.

    Example: cranfield export qrels track.db qrels.txt
    """
    from cranfield.judging.export import export_qrels
    from cranfield.store import Store

    with Store.open(path) as store:
        typer.echo(export_qrels(store, out, assessor))


@app.command()
def runs(path: StorePath, folder: OutputFolder) -> None:
    """Write every run as a TREC run file, named by its tag.

    Example: cranfield export runs track.db runs/
    """
    from cranfield.formats import write_run
    from cranfield.holdings import stored_runs
    from cranfield.store import Store

    folder.mkdir(parents=True, exist_ok=True)
    with Store.open(path) as store:
        stored = stored_runs(store)
        for tag in stored.tags:
            write_run(folder / f"{tag.replace('/', '_')}.run", stored, tag)
    typer.echo(f"{len(stored.tags)} runs")


@app.command()
def pool(path: StorePath, out: OutputFile) -> None:
    """Write the newest pool as a table: qid, docno, depth, runs.

    Example: cranfield export pool track.db pool.tsv
    """
    from cranfield.holdings import stored_pool
    from cranfield.store import Store

    with Store.open(path) as store:
        documents = stored_pool(store).documents
    lines = [f"{d.qid}\t{d.docno}\t{d.depth}\t{','.join(d.runs)}\n" for d in documents]
    out.write_text("qid\tdocno\tdepth\truns\n" + "".join(lines), encoding="utf-8")
    typer.echo(f"{len(documents)} documents")


@app.command()
def judgments(path: StorePath, out: OutputFile) -> None:
    """Write every event of the judgment log, one JSON object a line.

    Example: cranfield export judgments track.db judgments.jsonl
    """
    from cranfield.log import events
    from cranfield.store import Store

    with Store.open(path) as store:
        log = events(store)
    lines = [json.dumps(event._asdict(), ensure_ascii=False) + "\n" for event in log]
    out.write_text("".join(lines), encoding="utf-8")
    typer.echo(f"{len(log)} events")


@app.command()
def topics(path: StorePath, out: OutputFile, format: Annotated[str, typer.Option(help="How.")] = "jsonl") -> None:
    """Write the topics.

    Example: cranfield export topics track.db topics.jsonl
    """
    from cranfield.formats import write_topics
    from cranfield.store import Store

    with Store.open(path) as store:
        write_topics(out, store.topics(), format)


@app.command()
def corpus(path: StorePath, out: OutputFile, format: Annotated[str, typer.Option(help="How.")] = "jsonl") -> None:
    """Write the documents.

    Example: cranfield export corpus track.db corpus.jsonl
    """
    from cranfield.formats import write_corpus
    from cranfield.store import Store

    with Store.open(path) as store:
        write_corpus(out, store.documents(), format)


@app.command()
def beir(path: StorePath, folder: OutputFolder) -> None:
    """Write corpus, queries and judgments as a BEIR folder.

    Example: cranfield export beir track.db track-beir/
    """
    from cranfield.formats import write_beir
    from cranfield.log import qrels_of
    from cranfield.store import Store

    with Store.open(path) as store:
        write_beir(folder, store.documents(), store.topics(), qrels_of(store))
