"""A sample of a model's labels as a pool to judge."""

from cranfield.errors import InputError
from cranfield.features.models.calls import audit_sample
from cranfield.store.pools import Pool, PooledDocument
from cranfield.store.store import Store


def sample_for(store: Store, assessor: str, number: int) -> Pool:
    """The documents of a sample of a model's labels, for the one who judges it; they show nothing of the labels."""
    sample = audit_sample(store, number)
    if sample.assessor != assessor:
        raise InputError(f"sample {number} is for {sample.assessor!r} to judge, not for {assessor!r}")
    documents = [PooledDocument(pair.qid, pair.docno, 1, ()) for pair in sample.pairs]
    return Pool("audit", {}, documents)
