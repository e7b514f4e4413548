"""The documents whose judgments would decide, as a judging task: a file, or a pool in a store."""

from __future__ import annotations

from pathlib import Path

from cranfield.errors import InputError
from cranfield.metrics.diagnosis.decisive import DecisiveDocument, RunComparison
from cranfield.store.pools import Pool, PooledDocument, add_pool, stored_pool
from cranfield.store.store import Store
from cranfield.text import counted


def pool_text(comparison: RunComparison) -> str:
    """A table: qid, docno; by topic, then docno, so that nothing about rank or promise shows."""
    pairs = sorted((document.qid, document.docno) for document in comparison.to_judge)
    return "qid\tdocno\n" + "".join(f"{qid}\t{docno}\n" for qid, docno in pairs)


def store_pool(path: Path, comparison: RunComparison) -> str:
    """Add a pool of the listed documents and of all that the newest pool holds; what was done, in a line.

    A document that the store does not know yet becomes one without text.
    """
    if not comparison.to_judge:
        return "nothing to judge: no pool was stored"
    with Store.open(path) as store:
        before = stored_pool(store) if store.counts()["pool"] else None
        if before and any(document.probability is not None for document in before.documents):
            raise InputError(
                f"pool {before.number} is a sample ({before.method}), and more documents would make its probabilities"
                " wrong; --pool-out writes the list to a file",
                path,
            )
        with store.writing():
            store.known_docnos(sorted({document.docno for document in comparison.to_judge}))
        pool = _pool(comparison, before)
        number = add_pool(store, pool)
        blank = sum(not store.document(document.docno).text for document in comparison.to_judge)
    note = f"; {blank} of them cannot be judged, for lack of text" if blank else ""
    held = f" besides those of pool {before.number}" if before else ""
    return f"pool {number}: {counted(len(comparison.to_judge), 'document')} to judge{held}{note}"


def _pool(comparison: RunComparison, before: Pool | None) -> Pool:
    """The listed documents, with what the earlier pool holds; the depth that it is complete to stays."""
    old = dict(before.parameters) if before else {"depth": None, "runs": []}
    kept = {(d.qid, d.docno): d for d in before.documents} if before else {}
    tags = [(tag, place) for place, tag in enumerate((comparison.run, comparison.against)) if tag in old["runs"]]
    for document in comparison.to_judge:
        kept.setdefault((document.qid, document.docno), _pooled(document, tags))
    more = {"decides": [comparison.run, comparison.against], "considered": comparison.depth}
    more |= {"holds": before.number} if before else {}
    kept_old = {name: old[name] for name in ("depth", "runs")}
    return Pool("mtc", {**kept_old, **more}, sorted(kept.values(), key=lambda d: d[:2]))


def _pooled(document: DecisiveDocument, tags: list[tuple[str, int]]) -> PooledDocument:
    depth = min(rank for rank in document.ranks if rank)
    return PooledDocument(
        document.qid, document.docno, depth, tuple(tag for tag, place in tags if document.ranks[place])
    )
