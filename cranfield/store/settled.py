"""What needs no judgment any more, under whatever name of its document it was judged."""

from collections.abc import Mapping, Sequence

from cranfield.store.store import Store


def settled_pairs(store: Store) -> set[tuple[str, str]]:
    """The pairs that need no judgment: somebody has labelled them, or cannot, by any name of the document."""
    return _pairs(store, f"SELECT topic, document FROM settled UNION {BY_OTHER_NAME}")


def names_now(store: Store) -> dict[str, str]:
    """The present name of each document that was ever renamed."""
    called = "SELECT o.docno, n.docno FROM present_name p JOIN document o ON o.id = p.document"
    return dict(store.rows(f"{called} JOIN document n ON n.id = p.name"))


def under_one_name(store: Store, assessor: str, work: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Some work without what the assessor has settled under another name; of several names of a document one stays."""
    names = names_now(store)
    if not names:
        return {qid: [*docnos] for qid, docnos in work.items()}
    done = settled_by_other_name(store, assessor)
    remaining: dict[str, list[str]] = {}
    for qid, docnos in work.items():
        by_name: dict[str, str] = {}
        for docno in docnos:
            name = names.get(docno, docno)
            if (qid, docno) not in done and (name not in by_name or docno == name):
                by_name[name] = docno
        remaining[qid] = [*by_name.values()]
    return remaining


def renamings(store: Store) -> int:
    """How many documents were ever renamed: whether what was taken up before is still under the right names."""
    return store.count("renamed")


def settled_by_other_name(store: Store, assessor: str) -> set[tuple[str, str]]:
    """The pairs that an assessor has settled under another name of the document, and not under this one."""
    if not renamings(store):
        return set()
    own = "SELECT topic, document FROM settled WHERE assessor = :me"
    query = f"{BY_OTHER_NAME} WHERE assessor = :me EXCEPT {own}"
    return _pairs(store, query, {"me": store.numbers("assessor", "name", [assessor])[0]})


BY_OTHER_NAME = "SELECT topic, document FROM settled_by_other_name"


def _pairs(store: Store, query: str, values: Mapping[str, object] | None = None) -> set[tuple[str, str]]:
    joined = "JOIN topic t ON t.id = p.topic JOIN document d ON d.id = p.document"
    return set(store.rows(f"SELECT qid, docno FROM ({query}) p {joined}", values or {}))
