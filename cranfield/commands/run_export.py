"""Exports of runs: one file per run, or all of them as Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.commands.calls import open_store_call
from cranfield.commands.exports import refuse_empty
from cranfield.errors import ArgumentError, CorpusWarning, Note
from cranfield.options.arguments import ReadStore, check_arguments
from cranfield.options.exports import HasRunHeader, NewFolder, RunLayout
from cranfield.results import WrittenFile
from cranfield.text import CHANGED, counted

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Runs
    from cranfield.formats import RunInfo

MAX_STEM_BYTES = 200  # of the 255 that file systems have room for
MAX_NAMES = 3  # of files in a note


@check_arguments
def export_runs(
    store: ReadStore, folder: NewFolder, *, metadata: HasRunHeader = False, layout: RunLayout = "trec"
) -> WrittenFile:
    """Write every run to a TREC run file named after its tag.

    If a run has an error, nothing is written. With `metadata`, each file begins with an ir_metadata header in YAML
    comment lines, which contains the imported header, the team and the description. Version 10 of trec_eval skips these
    lines, but earlier versions stop at the first line.

    With `layout` parquet, the folder contains qid_block=.../*.parquet files, one per block of topics, with the columns
    run, qid, docno and score. `cranfield evaluate QRELS FOLDER`, DuckDB, polars and Spark can read them.

    Example: cranfield export runs track.db runs/ --metadata

    Example: cranfield export runs track.db runs

    Parameters
    ----------
    store : path or Store
        The store.
    folder : path
        Folder to write.
    metadata : bool
        Begin each file with an ir_metadata header.
    layout : {"trec", "parquet"}
        One TREC run file per run, or Parquet files with all runs.

    Returns
    -------
    WrittenFile
        Columns run and file. With the layout "parquet", the column file is empty.

    Raises
    ------
    InputError
        If the store has no runs, or the folder is not empty.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from cranfield.formats import Topic
    >>> from cranfield.store import import_runs
    >>> from cranfield.store.store import Store
    >>> with Store.memory("one run") as store, TemporaryDirectory() as folder:
    ...     _ = store.add_topics([Topic("q1", "wing flutter")]), store.ensure_docnos(["d1"])
    ...     _ = import_runs(store, {"bm25": {"q1": {"d1": 2.0}}})
    ...     export_runs(store, f"{folder}/runs").rows()
    [{'run': 'bm25', 'file': 'bm25.run'}]
    """
    from cranfield.formats.whole_files import write_folder_atomically
    from cranfield.store.names import unknown_name_notes
    from cranfield.store.runs import run_info, submitted_runs

    is_parquet, path = layout == "parquet", Path(folder)
    if is_parquet and metadata:
        raise ArgumentError("works with --as trec", "metadata")
    with open_store_call(store, function="export_runs") as call:
        about = run_info(call.store)
        submitted = submitted_runs(call.store, list(about))
        runs = submitted.answering()
        refuse_empty(call, "runs", bool(runs.tags))
        files = run_files(runs.tags)
        with write_folder_atomically(path) as part:
            line = _write_parquet(path, part, runs) if is_parquet else _write_trec(part, files, runs, about, metadata)
        call.note(*(() if is_parquet else renamed_file_notes(files)))
        call.note(*(Note(one, CorpusWarning) for one in unknown_name_notes(call.store, runs, "in these runs")))
        if header_tags := [tag for tag in runs.tags if about[tag].metadata and not metadata]:
            remedy = "" if is_parquet else "; --metadata writes it"
            call.note(f"the files lack the metadata of {counted(len(header_tags), 'run')}{remedy}")
        if silent := [tag for tag in submitted.tags if tag not in runs.tags]:
            call.note(f"no file is written for runs that retrieved nothing: {', '.join(silent)}")
        rows = [{"run": tag, "file": "" if is_parquet else files[tag]} for tag in runs.tags]
        return WrittenFile(rows, lines=[line], context=call.context("store.export_runs"), path=path)


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
    r"""A tag without slashes and control characters; a long one is cut, and ends in part of its hash.

    >>> _file_stem("a/b\x1b[2J\u202ec")
    'a_b_[2J_c'
    """
    name = re.sub(f"/|{CHANGED}", "_", tag)
    if len(name.encode()) <= MAX_STEM_BYTES:
        return name
    return f"{name.encode()[: MAX_STEM_BYTES - 9].decode(errors='ignore')}-{sha256(tag.encode()).hexdigest()[:8]}"


def renamed_file_notes(files: Mapping[str, str]) -> Iterator[str]:
    """Which runs are in files not named after their tags, in one line if there are any.

    >>> list(renamed_file_notes(run_files(["a/b", "c"])))
    ["1 of 2 runs is in a file not named after its tag: 'a/b' is in a_b.run"]
    """
    other = [
        f"{_shorten_file_name(tag)!r} is in {_shorten_file_name(file)}"
        for tag, file in sorted(files.items())
        if file != f"{tag}.run"
    ]
    if other:
        have = "is in a file not named after its tag" if len(other) == 1 else "are in files not named after their tags"
        names = ", ".join([*other[:MAX_NAMES], *(["..."] if len(other) > MAX_NAMES else [])])
        yield f"{len(other)} of {len(files)} runs {have}: {names}"


def _shorten_file_name(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:40]}...{name[-14:]}"


def _write_trec(part: Path, files: Mapping[str, str], runs: Runs, about: Mapping[str, RunInfo], metadata: bool) -> str:
    """Write one file per run."""
    from cranfield.formats import write_run
    from cranfield.formats.runs.files import add_run_details

    for tag, file in files.items():
        info = about[tag]
        team = "" if info.team == tag else info.team  # its own team, because no other was given
        header = add_run_details(info.metadata, tag, team, info.description) if metadata else {}
        write_run(part / file, runs, tag, metadata=header)
    return counted(len(files), "run")


def _write_parquet(folder: Path, part: Path, runs: Runs) -> str:
    """Write all runs, by blocks of topics."""
    from cranfield.formats.runs.partitioned import refuse_blocks, write_parts

    refuse_blocks(folder)
    return f"{counted(len(runs.tags), 'run')} in {counted(write_parts(part, runs), 'block')} of topics"
