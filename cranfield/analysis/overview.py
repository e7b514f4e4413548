"""What a store contains, as table rows and as the JSON document of `cranfield info`."""

from typing import Any, NamedTuple

from cranfield.store.answers.answers import answers_here
from cranfield.store.log import spelled
from cranfield.store.names import lacks
from cranfield.store.qrels import counted
from cranfield.store.releases import releases
from cranfield.store.store import Store


class Overview(NamedTuple):
    """What a store contains, in words and as the JSON document."""

    rows: list[dict[str, str]]
    document: dict[str, Any]


def overview(store: Store) -> Overview:
    """The collection, how much of everything is here, and what is unknown."""
    collection, counts, lacking = store.collection, store.counts(), {lack.table: lack for lack in lacks(store)}
    counts["qrels_by_models"] = int(counted(store).by_model.sum())
    counts |= {"impression": lists} if (lists := store.count("impression")) else {}
    counts |= answers_here(store)
    bare = counts["document"] > 0 and not store.has("document")
    unknown = {f"unknown_{table}": lacking.get(table) for table in ("document", "topic")}
    shown = {name: f"{lack.missing}, first {lack.first!r}" if lack else 0 for name, lack in unknown.items()}
    lacked = {name: lack.missing if lack else 0 for name, lack in unknown.items()}
    what = collection._asdict() | {"grades": spelled(collection.grades)} | counts | shown
    what |= {"corpus": "none; only the docnos of documents are known"} if bare else {}
    if names := [f"{release.name} of {release.date}" for release in releases(store)]:
        counts, what = counts | {"release": len(names)}, what | {"releases": ", ".join(names)}
    rows = [{"what": name.replace("_", " "), "value": str(value)} for name, value in what.items()]
    return Overview(rows, collection._asdict() | counts | lacked)
