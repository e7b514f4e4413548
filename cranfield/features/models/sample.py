"""A random sample of what a model labelled, for a person to judge: pairs within strata, or whole topics.

Pairs are drawn within the grades that the model gave, or within topics: small strata get more than their share, and at
least two documents each, so that there is a variance (`allocate_draws`). Whole topics are drawn at random: what
measures such as AP need, whose score of a topic depends on all its labels at once.
"""

from collections.abc import Mapping, Sequence

from cranfield.errors import InputError
from cranfield.features.models.calls import AuditedPair, audit_sample
from cranfield.judging.adjudication.sample import allocate_draws
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.session.order import sort_by_hash
from cranfield.store.pools import Pool, PooledDocument
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_name_by_docno, topics_that_count
from cranfield.text import counted

ALL = "all"  # the stratum where there is only one
Draw = tuple[dict[str, int], list[AuditedPair]]  # the units by stratum, and the sample


def strata(labels: Mapping[Pair, int], by: str) -> dict[Pair, str]:
    """The stratum of each pair: the model's grade, the topic, or the only one.

    >>> strata({("q1", "d1"): 2}, "grade"), strata({("q1", "d1"): 2}, "")
    ({('q1', 'd1'): '2'}, {('q1', 'd1'): 'all'})
    """
    return {pair: str(grade) if by == "grade" else pair[0] if by == "topic" else ALL for pair, grade in labels.items()}


def draw_pairs(labels: Mapping[Pair, int], size: int, seed: int, by: str = "grade") -> Draw:
    """A random sample of pairs within strata.

    >>> sizes, sample = draw_pairs({("q", f"d{number}"): number % 2 for number in range(9)}, 4, seed=1)
    >>> sizes, sorted(pair.stratum for pair in sample)
    ({'0': 5, '1': 4}, ['0', '0', '1', '1'])
    """
    groups: dict[str, list[Pair]] = {}
    for pair, stratum in sorted(strata(labels, by).items()):
        groups.setdefault(stratum, []).append(pair)
    _check(size, len(labels), 2 * len(groups), "document", f"its {counted(len(groups), 'stratum', 'strata')}")
    sizes = {name: len(pairs) for name, pairs in groups.items()}
    each = dict(zip(sizes, allocate_draws([*sizes.values()], size), strict=True))
    sample = [AuditedPair(*pair, name) for name, pairs in groups.items() for pair in _random(pairs, seed)[: each[name]]]
    return sizes, sample


def some_topics(topics: Sequence[str], size: int, seed: int) -> list[str]:
    """A random sample of topics, in the order drawn."""
    _check(size, len(topics), 2, "topic", "an interval")
    return sort_by_hash(sorted(topics), "audit", seed)[:size]


def draw_topics(labels: Mapping[Pair, int], size: int, seed: int) -> Draw:
    """All documents of a random sample of topics."""
    topics = sorted({qid for qid, _ in labels})
    qids = set(some_topics(topics, size, seed))
    return {ALL: len(topics)}, [AuditedPair(*pair, ALL) for pair in sorted(labels) if pair[0] in qids]


def _random(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    pair_of = {"\t".join(pair): pair for pair in pairs}
    return [pair_of[name] for name in sort_by_hash(pair_of, "audit", seed)]


def _check(size: int, units: int, least: int, noun: str, needs: str) -> None:
    if size > units:
        raise InputError(f"a sample of {size} is too large: the model labelled {counted(units, noun)}")
    if size < min(least, units):
        raise InputError(f"a sample of {size} is too small: {min(least, units)} are needed for {needs}")


def sample_for(store: Store, assessor: str, number: int) -> Pool:
    """The documents of a sample of a model's labels, for the one who judges it; they show nothing of the labels."""
    sample = audit_sample(store, number)
    if sample.assessor != assessor:
        raise InputError(f"sample {number} belongs to {sample.assessor!r}, not to {assessor!r}")
    if sample.topics:
        raise InputError(f"sample {number} was drawn from labels of {sample.labels}, not of documents")
    qids, names = topics_that_count(store), present_name_by_docno(store)
    documents = [
        PooledDocument(pair.qid, pair.docno, 1, ())
        for pair in sample.pairs
        if (qids is None or pair.qid in qids) and names.get(pair.docno, "") is not None
    ]
    return Pool("audit", {}, documents)
