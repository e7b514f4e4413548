"""info."""

from __future__ import annotations

from pathlib import Path

from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import TableFormat, emit, note


def info(path: StorePath, format: Format = TableFormat.table, output: Output = None) -> None:
    """Show what a store contains. Unknown documents and topics occur in runs or judgments but were never imported.

    Example: cranfield info track.db
    """
    from cranfield.store.log import spelled
    from cranfield.store.names.unknown import lacks
    from cranfield.store.qrels import counted
    from cranfield.store.store import Store

    if Path(f"{path}-wal").exists():
        beside = f"the latest changes may still be in {path}-wal"
        note(f"{path} is open in another program, and {beside}: copy the store with `cranfield store backup`")
    with Store.open(path) as store:
        collection, counts, lacking = store.collection, store.counts(), {lack.table: lack for lack in lacks(store)}
        counts["qrels_by_models"] = int(counted(store).by_model.sum())
        bare = counts["document"] > 0 and not store.has("document")
    unknown = {f"unknown_{table}": lacking.get(table) for table in ("document", "topic")}
    shown = {name: f"{lack.missing}, first {lack.first!r}" if lack else 0 for name, lack in unknown.items()}
    lacked = {name: lack.missing if lack else 0 for name, lack in unknown.items()}
    what = collection._asdict() | {"grades": spelled(collection.grades)} | counts | shown
    what |= {"corpus": "none; only the docnos of documents are known"} if bare else {}
    rows = [{"what": name.replace("_", " "), "value": str(value)} for name, value in what.items()]
    emit(rows, format, output, document=collection._asdict() | counts | lacked)
