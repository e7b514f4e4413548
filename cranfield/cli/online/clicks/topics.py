"""online clicks topics."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFile, TextFormat
from cranfield.cli.online_options import MinUsers
from cranfield.cli.options import StorePath
from cranfield.cli.tables import summary
from cranfield.text import counted


def topics(
    path: StorePath,
    out: OutputFile,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="How many topics to make.")] = 50,
    min_users: MinUsers = 5,
    format: TextFormat = "jsonl",
) -> None:
    """Make topics of a log's frequent queries that are not topics yet, for `cranfield import topics`.

    A query is a topic if its text is the title of one, whatever its case and blanks. Rare queries may tell who asked
    them: those of fewer than --min-users users are left out.

    Example: cranfield online clicks topics track.db frequent.jsonl --top 50
    """
    from cranfield.analysis.online.new_topics import new_topics
    from cranfield.formats import write_topics
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = new_topics(store, top, min_users)
    write_topics(out, found.topics, format)
    rare = f"; {counted(found.rare, 'query', 'queries')} of fewer than {counted(min_users, 'user')} left out"
    summary(out, counted(len(found.topics), "topic") + (rare if found.rare else ""))
