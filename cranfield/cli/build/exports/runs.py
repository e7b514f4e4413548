"""export runs."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFolder, refuse_empty
from cranfield.cli.options import StorePath
from cranfield.cli.run_files import renamed, run_files
from cranfield.cli.tables import note, say
from cranfield.text import counted


def runs(
    path: StorePath,
    folder: OutputFolder,
    metadata: Annotated[bool, typer.Option("--metadata", help="Begin each file with an ir_metadata header.")] = False,
) -> None:
    """Write every run as a TREC run file named after its tag: all of them, or none if any has an error.

    With --metadata each file begins with comment lines in the YAML of ir_metadata: the header that the run was imported
    with, its team and its description.

    Example: cranfield export runs track.db runs/ --metadata
    """
    from cranfield.formats import write_run
    from cranfield.formats.runs.ir_metadata import with_known
    from cranfield.formats.whole_files import folder_created
    from cranfield.store.names.unknown import strangers
    from cranfield.store.runs import run_info, stored_runs
    from cranfield.store.store import Store

    with Store.open(path) as store:
        stored = stored_runs(store)
        runs = stored.answering()
        refuse_empty(path, "runs", bool(runs.tags))
        files, about = run_files(runs.tags), run_info(store)
        with folder_created(folder) as part:
            for tag, file in files.items():
                info = about[tag]
                team = "" if info.team == tag else info.team  # its own team, because no other was given
                known = with_known(info.metadata, tag, team, info.description) if metadata else {}
                write_run(part / file, runs, tag, metadata=known)
        notes = strangers(store, runs, "in these runs")
        left = [tag for tag in runs.tags if about[tag].metadata and not metadata]
    say(counted(len(files), "run"))
    for text in (*renamed(files), *notes):
        note(text)
    if left:
        note(f"the metadata of {len(left)} of them is not in the files; --metadata writes it")
    if silent := [tag for tag in stored.tags if tag not in runs.tags]:
        note(f"no files for runs that retrieved nothing: {', '.join(silent)}")
