"""export runs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.export_options import OutputFolder, refuse_empty
from cranfield.cli.options import StorePath
from cranfield.cli.run_files import renamed, run_files
from cranfield.cli.tables import note, say
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.arrays.rankings import Runs
    from cranfield.formats import RunInfo


class RunLayout(StrEnum):
    """What files runs are written to."""

    trec = "trec"
    parquet = "parquet"


def runs(
    path: StorePath,
    folder: OutputFolder,
    metadata: Annotated[bool, typer.Option("--metadata", help="Begin each file with an ir_metadata header.")] = False,
    layout: Annotated[
        RunLayout, typer.Option("--as", help="One TREC run file per run, or all runs as Parquet, by blocks of topics.")
    ] = RunLayout.trec,
) -> None:
    """Write every run as a TREC run file named after its tag: all of them, or none if any has an error.

    With --metadata each file begins with comment lines in the YAML of ir_metadata: the header that the run was imported
    with, its team and its description. trec_eval 10 skips them; earlier versions stop at the first line.

    With --as parquet the folder gets qid_block=.../*.parquet with the columns run, qid, docno and score, a block of
    topics each, which `cranfield evaluate QRELS FOLDER` and others read, as do DuckDB, polars and Spark.

    Example: cranfield export runs track.db runs/ --metadata
    """
    from cranfield.formats.whole_files import folder_created
    from cranfield.store.names.unknown import strangers
    from cranfield.store.runs import run_info, stored_runs
    from cranfield.store.store import Store

    in_parquet = layout is RunLayout.parquet
    if in_parquet and metadata:
        raise typer.BadParameter("works with --as trec", param_hint="--metadata")
    with Store.open(path) as store:
        stored = stored_runs(store)
        runs = stored.answering()
        refuse_empty(path, "runs", bool(runs.tags))
        files, about = run_files(runs.tags), run_info(store)
        with folder_created(folder) as part:
            lines = _parquet(folder, part, runs) if in_parquet else _trec(part, files, runs, about, metadata)
        notes = strangers(store, runs, "in these runs")
        left = [tag for tag in runs.tags if about[tag].metadata and not metadata]
    say(lines)
    for text in (*(() if in_parquet else renamed(files)), *notes):
        note(text)
    if left:
        remedy = "" if in_parquet else "; --metadata writes it"
        note(f"the metadata of {len(left)} of them is not in the files{remedy}")
    if silent := [tag for tag in stored.tags if tag not in runs.tags]:
        note(f"no files for runs that retrieved nothing: {', '.join(silent)}")


def _trec(part: Path, files: Mapping[str, str], runs: Runs, about: Mapping[str, RunInfo], metadata: bool) -> str:
    """Write one file per run."""
    from cranfield.formats import write_run
    from cranfield.formats.runs.ir_metadata import with_known

    for tag, file in files.items():
        info = about[tag]
        team = "" if info.team == tag else info.team  # its own team, because no other was given
        known = with_known(info.metadata, tag, team, info.description) if metadata else {}
        write_run(part / file, runs, tag, metadata=known)
    return counted(len(files), "run")


def _parquet(folder: Path, part: Path, runs: Runs) -> str:
    """Write all runs, by blocks of topics."""
    from cranfield.formats.runs.parts import refuse_filled, write_parts

    refuse_filled(folder)
    return f"{counted(len(runs.tags), 'run')} in {counted(write_parts(part, runs), 'block')} of topics"
