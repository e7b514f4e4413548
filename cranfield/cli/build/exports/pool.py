"""export pool and pool export, the same command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.export_options import SafeCsv
from cranfield.cli.options import PoolNumber, StorePath
from cranfield.cli.tables import note, summary
from cranfield.text import counted


def pool(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Output file: .csv or .tsv, optionally with .gz.")],
    number: PoolNumber = None,
    safe_csv: SafeCsv = False,
) -> None:
    """Write a pool as a table: qid, docno, depth, runs; comma-separated if OUT ends in .csv, else tab-separated.

    Example: cranfield pool export track.db pool.tsv --pool 1

    Example: cranfield export pool track.db pool.tsv --pool 1
    """
    from cranfield.formats.pool_table import write_pool
    from cranfield.store.names.unknown import strangers_among
    from cranfield.store.pools.pools import stored_pool
    from cranfield.store.store import Store

    with Store.open(path) as store:
        documents = stored_pool(store, number).documents
        unknown = strangers_among(store, "document", sorted({d.docno for d in documents}), "documents of this pool")
    write_pool(out, documents, safe_csv)
    summary(out, counted(len(documents), "document"))
    for text in unknown:
        note(text)
