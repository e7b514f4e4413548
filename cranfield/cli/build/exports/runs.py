"""export runs."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFolder, refuse_empty
from cranfield.cli.options import StorePath
from cranfield.cli.run_files import renamed, run_files
from cranfield.cli.tables import note, say


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
