"""`export`: runs, and what others work with: bundles, offline pages, Datasette."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command, show_lines
from cranfield.cli.commands.exports import OutputFile, OutputFolder, refuse_empty
from cranfield.cli.common_options import ReadStore, StorePath
from cranfield.cli.tables import note, print_notes, say
from cranfield.commands.transfers import export_page
from cranfield.options import Written
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.arrays.rankings import Runs
    from cranfield.formats import RunInfo


LONGEST = 200  # bytes, of the 255 that file systems have room for
NAMED = 3


def run_files(tags: Iterable[str]) -> dict[str, str]:
    """The file of each run: its tag without what file names cannot contain; no two differ only in case.

    >>> run_files(["a/b", "a_b"])
    {'a_b': 'a_b.run', 'a/b': 'a_b-c14cddc0.run'}
    """
    files: dict[str, str] = {}
    used = set[str]()
    for tag in sorted(tags, key=lambda tag: tag != _file_stem(tag)):  # tags that are valid names come first
        name, digest, size = _file_stem(tag), sha256(tag.encode()).hexdigest(), 8
        while name.casefold() in used:
            name, size = f"{_file_stem(tag)}-{digest[:size]}", size + 8
        used.add(name.casefold())
        files[tag] = f"{name}.run"
    return files


def _file_stem(tag: str) -> str:
    """A tag without slashes; a long one is cut, and ends in part of its hash."""
    name = tag.replace("/", "_").replace("\0", "_")
    if len(name.encode()) <= LONGEST:
        return name
    return f"{name.encode()[: LONGEST - 9].decode(errors='ignore')}-{sha256(tag.encode()).hexdigest()[:8]}"


def renamed_file_notes(files: Mapping[str, str]) -> Iterator[str]:
    """Which runs are in files not named after their tags, in one line if there are any.

    >>> list(renamed_file_notes(run_files(["a/b", "c"])))
    ["1 of 2 runs is in a file not named after its tag: 'a/b' is in a_b.run"]
    """
    other = [f"{_short(tag)!r} is in {_short(file)}" for tag, file in sorted(files.items()) if file != f"{tag}.run"]
    if other:
        have = "is in a file not named after its tag" if len(other) == 1 else "are in files not named after their tags"
        names = ", ".join([*other[:NAMED], *(["..."] if len(other) > NAMED else [])])
        yield f"{len(other)} of {len(files)} runs {have}: {names}"


def _short(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:40]}...{name[-14:]}"


class RunLayout(StrEnum):
    """What files runs are written to."""

    trec = "trec"
    parquet = "parquet"


@not_in_python("read_runs returns the table that it writes")
def runs(
    path: ReadStore,
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

    Example: cranfield export runs track.db runs
    """
    from cranfield.formats.whole_files import folder_created
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.runs import run_info, submitted_runs
    from cranfield.store.store import Store

    is_parquet = layout is RunLayout.parquet
    if is_parquet and metadata:
        raise typer.BadParameter("works with --as trec", param_hint="--metadata")
    with Store.open(path, tell=note) as store:
        submitted = submitted_runs(store, list(run_info(store)))
        runs = submitted.answering()
        refuse_empty(path, "runs", bool(runs.tags))
        files, about = run_files(runs.tags), run_info(store)
        with folder_created(folder) as part:
            lines = _parquet(folder, part, runs) if is_parquet else _trec(part, files, runs, about, metadata)
        unknown = unknown_name_notes(store, runs, "in these runs")
        header_tags = [tag for tag in runs.tags if about[tag].metadata and not metadata]
    say(lines)
    print_notes((*(() if is_parquet else renamed_file_notes(files)), *unknown))
    if header_tags:
        remedy = "" if is_parquet else "; --metadata writes it"
        note(f"the metadata of {len(header_tags)} of them is not in the files{remedy}")
    if silent := [tag for tag in submitted.tags if tag not in runs.tags]:
        note(f"no files for runs that retrieved nothing: {', '.join(silent)}")


def _trec(part: Path, files: Mapping[str, str], runs: Runs, about: Mapping[str, RunInfo], metadata: bool) -> str:
    """Write one file per run."""
    from cranfield.formats import write_run
    from cranfield.formats.runs.files import add_run_details

    for tag, file in files.items():
        info = about[tag]
        team = "" if info.team == tag else info.team  # its own team, because no other was given
        header = add_run_details(info.metadata, tag, team, info.description) if metadata else {}
        write_run(part / file, runs, tag, metadata=header)
    return counted(len(files), "run")


def _parquet(folder: Path, part: Path, runs: Runs) -> str:
    """Write all runs, by blocks of topics."""
    from cranfield.formats.runs.partitioned import refuse_blocks, write_parts

    refuse_blocks(folder)
    return f"{counted(len(runs.tags), 'run')} in {counted(write_parts(part, runs), 'block')} of topics"


@not_in_python("it hands work to an assessor at the terminal")
def bundle(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new bundle, such as ada.db."), Written()],
    assessor: Annotated[
        str, typer.Option(metavar="NAME", help="The assessor whose work is exported."), completion.ASSESSORS
    ],
    unjudged: Annotated[
        bool, typer.Option("--unjudged", help="Export only what nobody has judged, as what a late run still needs.")
    ] = False,
) -> None:
    """Write one assessor's work to a bundle that can be judged offline: `cranfield judge OUT --assessor NAME`.

    A bundle holds the assessor's topics, documents and own labels, but no runs, no ranks and no labels of others.
    `cranfield import bundle` merges it when it is judged.

    Example: cranfield export bundle track.db ada.db --assessor ada

    Example: cranfield export bundle track.db bob.db --assessor bob --unjudged
    """
    from cranfield.store.bundles.bundle import write_bundle
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        topics, documents, events = write_bundle(store, out, assessor, unjudged)
    say(
        f"{out}: {counted(topics, 'topic')}, {counted(documents, 'document')} to judge,"
        f" {counted(events, 'event')} so far"
    )


page = command(export_page, show_lines, "judging")


@not_in_python("it configures another program")
def datasette_metadata(path: StorePath, out: OutputFile) -> None:
    """Write metadata with which Datasette shows titles, descriptions, labels and facets, and hides internal tables.

    Datasette knows the store by its file name; keep it.

    Example: cranfield export datasette-metadata track.db metadata.json

    Example: cranfield export datasette-metadata track.db -
    """
    from cranfield.formats.files import STANDARD_STREAM
    from cranfield.formats.text_tables import as_json
    from cranfield.formats.whole_files import write_text
    from cranfield.store.datasette import datasette_metadata
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        write_text(out, as_json(datasette_metadata(store)))
    if str(out) != STANDARD_STREAM:
        say(f"Next: datasette {path} --metadata {out}")
