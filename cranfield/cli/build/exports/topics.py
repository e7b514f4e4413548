"""export topics."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.dropped_fields import Dropping, TopicField
from cranfield.cli.export_options import OutputFile, TextFormat, refuse_empty
from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, summary
from cranfield.text import counted


def topics(
    path: StorePath,
    out: OutputFile,
    format: TextFormat = "jsonl",
    drop: Annotated[
        list[TopicField] | None,
        typer.Option(help="Drop this field, if the format has no place for it; may be repeated."),
    ] = None,
) -> None:
    """Write the topics: as jsonl, trec, xml, smart, tsv or a beir folder.

    Example: cranfield export topics track.db topics.tsv --format tsv --drop narrative --drop description
    """
    from cranfield.formats import write_topics
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = store.topics()
        refuse_empty(path, "topics", bool(found))
        dropping = Dropping(drop or [], "topic")
        write_topics(out, dropping(found), format)
    summary(out, counted(dropping.count, "topic"))
    for text in dropping.notes:
        note(text)
