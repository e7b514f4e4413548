"""import log."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.import_options import pairs
from cranfield.cli.options import InputFormat, InputPaths, StorePath
from cranfield.cli.tables import note, say_with
from cranfield.text import counted


def log(
    path: StorePath,
    files: InputPaths,
    format: InputFormat = "auto",
    experiment: Annotated[
        str, typer.Option(metavar="NAME", help="The experiment of lines that do not name one.")
    ] = "log",
    arms: Annotated[
        str,
        typer.Option(metavar="A,B", help="The arms of the experiment; in interleaved lists, team a is the first."),
    ] = "",
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="OURS=THEIRS", help="Name of a field in the files, as user=visitor; may be repeated."),
    ] = None,
    skip: Annotated[bool, typer.Option("--skip", help="Leave out lines that cannot be used.")] = False,
) -> None:
    """Import an interaction log: the lists that users were shown, and what they did with them.

    One JSON object per line: id, at, user, session, qid or query, experiment, arm, docs, teams, propensity, actions.
    Users and sessions are stored as salted hashes. A list that is in the log already is left as it is, so the same file
    can be imported again; another list under its id is refused.

    Example: cranfield import log track.db clicks.jsonl.gz --experiment "first page" --arms bm25,dense
    """
    from cranfield.analysis.online.importing import import_log
    from cranfield.store.store import Store

    given = [name.strip() for name in arms.split(",") if name.strip()]
    with Store.open(path) as store:
        done = import_log(store, files, format, dict(pairs(field, "--field")), experiment, given, skip)
    for line in done.first:
        note(line)
    before = f"; {counted(done.repeated, 'list')} in the log before" if done.repeated else ""
    left = f"; {counted(sum(done.bad.values()), 'line')} left out" if done.bad else ""
    say_with(f"{counted(done.impressions, 'list')} and {counted(done.actions, 'action')} added{before}{left}", [])
