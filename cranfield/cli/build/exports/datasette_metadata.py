"""export datasette-metadata."""

from __future__ import annotations

from cranfield.cli.export_options import OutputFile
from cranfield.cli.options import StorePath
from cranfield.cli.tables import say


def datasette_metadata(path: StorePath, out: OutputFile) -> None:
    """Write metadata with which Datasette shows titles, descriptions, labels and facets, and hides internal tables.

    Datasette knows the store by its file name; keep it.

    Example: cranfield export datasette-metadata track.db metadata.json
    """
    from cranfield.formats.files import STANDARD_STREAM
    from cranfield.formats.text_tables import as_json
    from cranfield.formats.whole_files import write_text
    from cranfield.store.datasette import datasette_metadata
    from cranfield.store.store import Store

    with Store.open(path) as store:
        write_text(out, as_json(datasette_metadata(store)))
    if str(out) != STANDARD_STREAM:
        say(f"Next: datasette {path} --metadata {out}")
