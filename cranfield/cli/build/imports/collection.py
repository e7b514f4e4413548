"""import collection."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import NormalizeIds
from cranfield.cli.tables import say_with
from cranfield.text import counted

PUBLISHED = {"document": "document", "topic": "topic", "qrels": "judgment", "run": "run", "pool": "pool"}


def collection(
    path: Annotated[Path, typer.Argument(metavar="STORE", help="A store; created if there is none.")],
    source: Annotated[str, typer.Argument(metavar="COLLECTION", help="ir_datasets:ID, or a folder (hf:FOLDER).")],
    split: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Which split of a folder to import. [default: test; all of a published folder]"
        ),
    ] = None,
    assessor: Annotated[str, typer.Option(metavar="NAME", help="The assessor who made the judgments.")] = "import",
    normalize_ids: NormalizeIds = False,
) -> None:
    """Import a whole collection: documents, topics and judgments, or nothing if any of them has an error.

    A store that does not exist is created, with the collection's name and scale of grades. ir_datasets:ID needs the
    package ir_datasets, which downloads what it does not have. A folder has the layout of BEIR (corpus.jsonl,
    queries.jsonl, qrels/test.tsv) or of Hugging Face and MTEB (a corpus, queries and judgments in Parquet or JSONL, as
    the card in README.md lists them or under their usual names).

    A folder that `cranfield publish build` made gives a new store with all that it has: pools, runs and the judgment
    log as well; with --split, one with the topics of that split, their rankings and grades. If the checksum of a file
    is wrong, the folder is refused.

    Example: cranfield import collection scifact.db hf:scifact
    """
    from cranfield.analysis.collections.importing import import_collection
    from cranfield.formats.collections.collection import Wanted
    from cranfield.progress_bar import progress_bar
    from cranfield.publishing.folder.reading import is_published, restored, unread
    from cranfield.store.names.matching import Demand

    if is_published(source):
        told = list[str]()
        with restored(Path(source), path, split, told.append) as store:
            say_with(", ".join(counted(store.count(table), noun) for table, noun in PUBLISHED.items()), told)
        return
    notes = list[str]()
    with progress_bar("importing documents") as advance:
        added = import_collection(
            path, Wanted(source, split, notes.append), assessor, advance, Demand(normalize=normalize_ids)
        )
    notes += filter(None, [unread(source)])
    parts = {"document": added.documents, "topic": added.topics, "judgment": added.judgments}
    say_with(", ".join(counted(number, noun) for noun, number in parts.items()), notes)
