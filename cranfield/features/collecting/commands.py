"""Commands of collecting: when to stop judging, and variations of topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cranfield.cli.build import command, show_lines
from cranfield.errors import InputError, file_named_in_errors
from cranfield.features.collecting.functions import import_variations
from cranfield.hooks import OptionError

if TYPE_CHECKING:
    from cranfield.features.collecting.added_options import StopOptions
    from cranfield.features.collecting.stopping import CertifyingRule, Curve
    from cranfield.store.pools import Pool
    from cranfield.store.store import Store


def stop_table(options: StopOptions, store: Store, pool: int | None) -> tuple[list[dict[str, Any]], str]:
    """The table of a rule, and its title."""
    from cranfield.features.collecting.stopping import RULES, CertifyingRule

    rule = options.stop or ""
    certificate = CertifyingRule.read(rule)
    if rule not in RULES and not certificate:
        raise OptionError(
            "stop", f"{rule!r} is not a stopping rule; expected {', '.join((*RULES, 'target', 'qbcb:0.8'))}"
        )
    with file_named_in_errors(store.path):
        rows = certified_stops(store, certificate, pool) if certificate else stops(store, rule, pool)
    stopping = sum(row["stop"] for row in rows)
    promise = (
        f"the recall of these topics is at least {certificate.recall:.2g} with 95% confidence"
        if certificate
        else "the rule does not guarantee a recall"
    )
    return rows, f"{stopping} of {len(rows)} topics may stop by {rule}; {promise}"


def knee_rows(store: Store) -> list[dict[str, Any]]:
    """What knee6 says of the newest pool, where that is by active learning."""
    return stop_rows(newest_curves(store), "knee6")


def stops(store: Store, rule: str, number: int | None = None) -> list[dict[str, Any]]:
    """Return a row for each topic of an active-learning pool, with its labels and whether the rule would stop."""
    return stop_rows(curves(store, number), rule)


def stop_rows(by_topic: Mapping[str, Curve], rule: str) -> list[dict[str, Any]]:
    """These rows of curves."""
    from cranfield.features.collecting.stopping import RULES

    return [
        {
            "topic": qid, "judged": int(at.judged[-1]), "relevant": int(at.relevant[-1]), "ratio": at.ratio,
            "stop": RULES[rule](at),
        }
        if len(at.judged)
        else {"topic": qid, "judged": 0, "relevant": 0, "ratio": 0.0, "stop": False}
        for qid, at in by_topic.items()
    ]  # fmt: skip


def certified_stops(store: Store, rule: CertifyingRule, number: int | None = None) -> list[dict[str, Any]]:
    """The same by a rule that certifies: what it needs of the relevant documents of the draw, and what was found.

    Refused, with the price, where there is no draw that was made before the pool, or none with enough of them. A topic
    of whose draw something is unjudged does not stop.
    """
    from cranfield.judging.labels.choice import decided_labels
    from cranfield.pooling.stored.request import judgments
    from cranfield.store.open_pools import pool_history
    from cranfield.store.pools import pool_with_present_names
    from cranfield.store.withdrawals import settled_pairs

    every, rows = curves(store, number), list[dict[str, Any]]()
    pool, pairs = pool_with_present_names(store, number), settled_pairs(store)
    judged = judgments(store, decided_labels(store).qrels)
    price = rule.price(_documents(store), [sum(labels.values()) for labels in judged.values()])
    began = pool_history(store, pool.number)[0].number
    draw = store.rows("SELECT max(id) FROM pool WHERE method = 'draw' AND id < ?", [began])[0][0]
    if draw is None:
        late = [one for (one,) in store.rows("SELECT id FROM pool WHERE method = 'draw'")]
        raise InputError(f"pool {late[0]} was drawn after learning began; {price}" if late else price)
    draws, in_pool = _docnos_by_topic(pool_with_present_names(store, draw)), _docnos_by_topic(pool)
    for qid, at in every.items():
        end = int(at.judged[-1]) if len(at.judged) else 0
        proposals, own = in_pool.get(qid, [])[:end], draws.get(qid, [])
        relevant = [docno for docno in own if judged.get(qid, {}).get(docno)]
        least, hits = (
            rule.threshold(len(relevant)),
            sum(docno in proposals for docno in relevant[: rule.limit(len(own))]),
        )
        unjudged = sum((qid, docno) not in pairs for docno in own)
        stop = least is not None and not unjudged and hits >= least
        rows.append({
            "topic": qid, "judged": end, "relevant": int(at.relevant[-1]) if end else 0, "drawn": len(own),
            "unjudged": unjudged, "drawn_relevant": len(relevant), "needed": least, "found": hits, "stop": stop,
        })  # fmt: skip
    if all(row["needed"] is None and not row["unjudged"] for row in rows):
        most = max((row["drawn_relevant"] for row in rows), default=0)
        raise InputError(f"in pool {draw} (the draw), no topic has more than {most} relevant documents; {price}")
    return rows


def is_by_learning(store: Store) -> bool:
    """Whether the newest pool is by active learning."""
    from cranfield.store.pools import newest_built_pool, pool_record

    newest = newest_built_pool(store)
    return bool(newest) and pool_record(store, newest).method == "cal"


def newest_curves(store: Store) -> dict[str, Curve]:
    """Those of the newest pool; empty where that is not by active learning."""
    from cranfield.store.pools import newest_built_pool, pool_record

    newest = newest_built_pool(store)
    return curves(store, newest) if newest and pool_record(store, newest).method == "cal" else {}


def curves(store: Store, number: int | None = None) -> dict[str, Curve]:
    """The number of known relevant documents per topic after each batch of an active-learning pool."""
    import numpy as np

    from cranfield.features.collecting.stopping import Curve
    from cranfield.judging.labels.choice import decided_labels
    from cranfield.pooling.stored.request import judgments
    from cranfield.store.pools import pool_with_present_names
    from cranfield.store.withdrawals import topics_that_count

    pool, size = pool_with_present_names(store, number), _documents(store)
    if pool.method != "cal":
        raise InputError(f"pool {pool.number} was built by {pool.method}; stopping rules need a pool built by cal")
    judged = judgments(store, decided_labels(store).qrels)
    by_topic, counting, in_pool, batches = (
        {},
        topics_that_count(store),
        _docnos_by_topic(pool),
        pool.parameters["batches"],
    )
    for (qid,) in store.rows("SELECT qid FROM topic ORDER BY id"):
        if qid not in batches or (counting is not None and qid not in counting):
            continue
        labels = [judged.get(qid, {}).get(docno) for docno in in_pool.get(qid, [])]
        whole = next((place for place, label in enumerate(labels) if label is None), len(labels))
        ends = np.array([end for end in np.cumsum(batches[qid]) if end <= whole], np.int64)
        by_topic[qid] = Curve(ends, np.cumsum([0, *(bool(label) for label in labels[:whole])])[ends], size)
    return by_topic


def _docnos_by_topic(pool: Pool) -> dict[str, list[str]]:
    """The docnos of each topic of a pool, in the order they came."""
    from cranfield.pooling.stored.growth import docnos_by_topic

    return docnos_by_topic(sorted(pool.documents, key=lambda one: one.depth))


def _documents(store: Store) -> int:
    return store.count_added("document")


variations = command(import_variations, show_lines, "store")
