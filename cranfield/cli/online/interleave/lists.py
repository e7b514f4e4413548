"""online interleave lists.

A line is {"experiment", "qid", "query", "docs", "teams", "probability", "token"}: with id, at, user and actions, which
the service adds, it is a line of a log.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, summary
from cranfield.text import counted


def lists(
    path: StorePath,
    tags: Annotated[list[str], typer.Argument(metavar="RUN...", help="Two runs or more; team a is the first.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The new file of lists, JSONL.")],
    method: Annotated[
        str, typer.Option(metavar="METHOD", help="See cranfield online interleave methods.")
    ] = "team-draft",
    depth: Annotated[
        int, typer.Option(min=1, metavar="K", help="Number of documents in a list; optimized: at most 12.")
    ] = 10,
    lists: Annotated[int, typer.Option(min=1, metavar="N", help="Number of lists per topic.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same lists.")] = 0,
    experiment: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the experiment; by default the method and the runs.")
    ] = None,
) -> None:
    """Write interleaved lists of stored runs, for a service to show.

    For each impression the service takes a line of the topic at random, shows its documents, and logs the line with id,
    at, user and actions added; the token can be the id's beginning. The experiment is recorded in the store, so that
    `import log` and `online preference` know its runs and method. A service that has its own rankings calls
    `cranfield.interleave` instead.

    Example: cranfield online interleave lists track.db bm25 dense -o lists.jsonl
    """
    from cranfield.analysis.online.interleaving import ListsWanted, check_wanted, recorded_lists, stored_rankings
    from cranfield.formats.logs.interleaved import write_lists
    from cranfield.progress_bar import progress_bar
    from cranfield.store.store import Store

    wanted = ListsWanted(tags, method, depth, seed, lists)
    name = experiment or f"{method}: {', '.join(tags)}"
    with Store.open(path) as store:
        topics = len(stored_rankings(store, tags))
        check_wanted(store, wanted, name)
        with progress_bar("lists", topics * lists) as advance:
            write_lists(output, recorded_lists(store, wanted, name, advance))
    summary(output, f"{counted(topics * lists, 'list')} of {counted(topics, 'topic')}; experiment {name!r}")
    if not topics:
        note("no topic is answered by all these runs")
