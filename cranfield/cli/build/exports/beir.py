"""export beir."""

from __future__ import annotations

from cranfield.cli.export_options import OutputFolder, refuse_empty
from cranfield.cli.options import Labels, StorePath
from cranfield.cli.tables import note
from cranfield.store.labelled_by import LabelledBy


def beir(path: StorePath, folder: OutputFolder, labels: Labels = LabelledBy.all) -> None:
    """Write corpus, queries and judgments as a BEIR folder.

    Example: cranfield export beir track.db track-beir/
    """
    from cranfield.formats import write_beir
    from cranfield.store.names.unknown import strangers
    from cranfield.store.qrels import counted
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = counted(store, whose=labels)
        for what, there in {"corpus": store.has("document"), "topics": store.topics(), "qrels": found.qrels}.items():
            refuse_empty(path, what, bool(there))
        write_beir(folder, store.documents(), store.topics(), found.qrels)
        for text in strangers(store, found.qrels, "that are judged"):
            note(text)
    if whose := found.said(labels):
        note(whose)
