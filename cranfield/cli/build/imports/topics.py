"""import topics."""

from __future__ import annotations

from cranfield.cli.import_options import (
    Columns,
    Fields,
    NoHeader,
    named_fields,
    telling,
)
from cranfield.cli.options import InputFormat, InputPaths, StorePath
from cranfield.cli.tables import say_with
from cranfield.errors import blaming
from cranfield.text import counted


def topics(
    path: StorePath,
    files: InputPaths,
    format: InputFormat = "auto",
    field: Fields = None,
    columns: Columns = None,
    no_header: NoHeader = False,
) -> None:
    """Import topics. Those that the store has already are left alone if they are the same, and refused if not.

    The fields of a topic are qid, title, description and narrative, recognized by their usual names; other fields
    become metadata. If a topic has a single text, it is the title.

    Example: cranfield import topics track.db topics.xml
    """
    from cranfield.formats import read_topics
    from cranfield.store.history import importing
    from cranfield.store.names.matching import still_unknown
    from cranfield.store.rows.unchanged import said_of_unchanged
    from cranfield.store.store import Store

    names, notes, came, added = named_fields(field, columns, no_header), list[str](), 0, 0
    with Store.open(path) as store, importing(store, "topics", files):
        for file in files:
            with blaming(file):
                found = read_topics(file, format, names, telling(notes, file))
                came, added = came + len(found), added + store.add_topics(found)
        notes += [*said_of_unchanged("topic", came, added), *still_unknown(store, "topic")]
    say_with(counted(added, "topic"), notes)
