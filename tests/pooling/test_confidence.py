"""How sure an order of runs is: by enumeration of all labels, by hand, and against what judging everything said."""

import json
from collections.abc import Iterator
from itertools import product
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.metrics.inputs import as_runs
from cranfield.pooling.build import build_pool
from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.examples import example
from cranfield.pooling.methods import METHODS
from cranfield.pooling.methods.mtc import ROUNDING, Beliefs, beliefs
from cranfield.pooling.replay import proposals
from cranfield.pooling.stored.growth import latest, make_pool
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import Pool, add_pool, stored_pool
from cranfield.store.store import Store
from cranfield.testing.pooling import example_runs
from tests.conftest import Cranfield
from tests.real import covid, covid_pooled
from tests.stores import new_store

CHANCE = st.lists(st.sampled_from([0.0, 1.0, 0.5, 0.3, 0.9]), min_size=6, max_size=6)
RANKING = st.lists(st.sampled_from("abcdef"), unique=True, min_size=1).map(" ".join)


def enumerate_labels(topic: Candidates, chance: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of AP times R over all labels, each as probable as its documents make it."""
    values, weights = [], []
    for labels in product([0, 1], repeat=len(topic)):
        weights.append(np.prod([p if label else 1 - p for p, label in zip(chance, labels, strict=True)]))
        rows = []
        for ranks in topic.rank:
            hits = sorted(int(rank) for rank, label in zip(ranks, labels, strict=True) if rank and label)
            rows.append(sum(nth / rank for nth, rank in enumerate(hits, 1)))
        values.append(rows)
    value, weight = np.array(values), np.array(weights)
    mean = weight @ value
    return mean, (value - mean).T @ ((value - mean) * weight[:, None])


@given(st.lists(RANKING, min_size=2, max_size=3), CHANCE)
@settings(max_examples=40)
def test_mean_and_covariance_are_those_of_all_labels(runs: list[str], chance: list[float]) -> None:
    """Exactly, whatever is judged and believed; over two topics they add up."""
    topic = example(*runs)
    chance = chance[: len(topic)]
    mean, covariance = enumerate_labels(topic, chance)
    scale = 1 / sum(chance) if sum(chance) else 0.0
    belief = beliefs([(topic, np.array(chance))])
    assert belief.mean == pytest.approx(scale * mean)
    assert belief.covariance == pytest.approx(scale**2 * covariance, abs=1e-12)
    both = beliefs([(topic, np.array(chance))] * 2)
    assert both.mean == pytest.approx(belief.mean)
    assert both.covariance == pytest.approx(belief.covariance / 2)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The products may be made a few at a time."""
    topic = candidates_by_topic(as_runs(example_runs()), 20)[1]
    chance = np.random.default_rng(1).random(len(topic))
    whole = beliefs([(topic, chance)])
    monkeypatch.setattr("cranfield.pooling.methods.mtc.BLOCK", 7)
    assert beliefs([(topic, chance)]).covariance == pytest.approx(whole.covariance)


def test_pairs_are_sure_unsure_or_alike() -> None:
    """All judged: certain; nothing known of the difference: one half; the same ranking twice: neither."""
    topic = example("a b", "b a", "b a")
    certain = {pair[:2]: pair for pair in beliefs([(topic, np.array([1.0, 0.0]))]).pairs()}
    assert certain["r1", "r2"].difference == pytest.approx(0.5)
    assert certain["r1", "r2"].confidence == 1
    assert isnan(certain["r2", "r3"].confidence)
    open_ = beliefs([(topic, np.array([0.5, 0.5]))])
    assert [pair.confidence for pair in open_.pairs()][:2] == [0.5, 0.5]
    assert (open_.share(0.5), open_.share(0.6)) == (1.0, 0.0)
    assert Beliefs((), np.zeros(0), np.zeros((0, 0))).pairs() == beliefs([]).pairs() == []


def test_a_variance_of_rounding_counts_as_none() -> None:
    """Runs b and c cannot differ if the variance of their difference is rounding of the largest variance."""
    for times, is_none in ((0.5, True), (1.0, True), (2.0, False)):
        tiny = np.diag([1.0, times * ROUNDING, 0.0])
        found = {pair[:2]: pair.confidence for pair in Beliefs(("a", "b", "c"), np.zeros(3), tiny).pairs()}
        assert isnan(found["b", "c"]) == is_none


def test_confidence_is_that_of_a_normal_difference() -> None:
    """By hand: a and b in two orders and a known relevant c above both; D is ± 1/6 or 0, R is 2."""
    topic = example("c a b", "c b a")
    (pair,) = beliefs([(topic, np.array([0.9, 0.1, 1.0]))]).pairs()
    labels = np.array(list(product([0, 1], repeat=2)))
    weight = np.prod(np.where(labels, [0.9, 0.1], [0.1, 0.9]), axis=1)
    worth = (labels[:, 0] - labels[:, 1]) * (2 / 2 - 2 / 3)
    mean = weight @ worth
    deviation = np.sqrt(weight @ (worth - mean) ** 2)
    assert pair.difference == pytest.approx(mean / 2)
    from scipy.stats import norm

    assert pair.confidence == pytest.approx(norm.cdf(mean / deviation))


@pytest.fixture
def store() -> Iterator[Store]:
    """Four runs of three topics."""
    with new_store(people=["ada"], runs=example_runs(n_runs=4)) as store:
        yield store


def judged_until_it_stops(store: Store, stop: float) -> tuple[int, list[str]]:
    """Build and judge an MTC pool as long as it grows; how many documents, and the last notes."""
    request = PoolRequest("mtc", 20, batch=3, options={"stop": stop})
    while (result := make_pool(store, request, latest(store, request))).pool:
        labelled = {row[0:2] for row in store.rows("SELECT qid, docno FROM current_judgment")}
        new = [d for d in result.pool.documents if (d.qid, d.docno) not in labelled]
        append(store, *(Event("label", d.qid, d.docno, "ada", grade=int(int(d.docno[1:]) >= 30)) for d in new))
    return len(stored_pool(store).documents), result.notes


def test_judging_stops_when_the_order_is_sure(store: Store) -> None:
    """With fewer documents than there are, and a note that says why; all pairs are as sure as was asked for."""
    size, notes = judged_until_it_stops(store, 0.95)
    assert size < sum(len(topic) for topic in candidates_by_topic(as_runs(example_runs(n_runs=4)), 20))
    assert notes == ["judging may stop: 100.0% of run pairs are ordered with a confidence of 0.95"]


def test_judging_goes_on_where_it_is_not_to_stop(store: Store) -> None:
    """By default until all is judged."""
    size, notes = judged_until_it_stops(store, 0.0)
    assert size == sum(len(topic) for topic in candidates_by_topic(as_runs(example_runs(n_runs=4)), 20))
    assert notes == []


def test_a_pool_that_may_stop_at_once_is_none(store: Store) -> None:
    """Nothing is stored where nothing is to be judged."""
    result = make_pool(store, PoolRequest("mtc", options={"stop": 0.5, "pairs": 0.0}))
    assert (result.pool, result.line, store.counts()["pool"]) == (None, "nothing to add: no pool was built", 0)


def test_a_table_of_pairs(tmp_path: Path, cranfield: Cranfield) -> None:
    """The least sure pair first, for pools of any method; the prior of an MTC pool is taken."""
    path = tmp_path / "track.db"
    runs = as_runs(example_runs(n_runs=4))
    with new_store(path, people=["ada"], runs=runs) as store:
        for options in ({}, {"options": {"prior": 0.1}}):
            documents = build_pool(METHODS["depth"], runs, 10)
            add_pool(
                store, Pool("mtc", {"depth": None, "considered": 10, "runs": list(runs.tags), **options}, documents)
            )
        append(
            store, *(Event("label", d.qid, d.docno, "ada", grade=int(int(d.docno[1:]) >= 35)) for d in documents[:40])
        )
        labels = {(d.qid, d.docno): float(int(d.docno[1:]) >= 35) for d in documents[:40]}
    for number, prior in ((1, 0.5), (2, 0.1)):
        document = json.loads(cranfield("pool", "show", path, "--pool", number, "--by", "pair", "--format", "json").out)
        topics = candidates_by_topic(runs, 10)
        reference = beliefs(
            (topic, np.array([labels.get((topic.qid, docno), prior) for docno in topic.docnos])) for topic in topics
        ).pairs()
        assert document == [pytest.approx(pair._asdict()) for pair in reference]
        assert [row["confidence"] for row in document] == sorted(row["confidence"] for row in document)
    text = " ".join(cranfield("pool", "show", path, "--by", "pair").out.split())
    assert "of 6 run pairs are ordered with a confidence of 0.95" in text


@pytest.mark.daily
def test_treccovid_pairs_that_are_sure_are_right(shared: Path) -> None:
    """60 judgments a topic by MTC: 1,168 of 1,540 pairs at .99 and more, all but a few of them as by all judgments."""
    runs, qrels = covid_pooled(shared), covid(shared).qrels
    mask = qrels.grade >= 1
    relevant = set(zip(qrels.topics.names[qrels.topic[mask]], qrels.docnos.names[qrels.document[mask]], strict=True))
    topics = candidates_by_topic(runs, 7)
    truth = [np.array([(topic.qid, docno) in relevant for docno in topic.docnos], float) for topic in topics]
    chances = []
    for topic, grades in zip(topics, truth, strict=True):
        order = proposals(METHODS["mtc"].start(topic), grades > 0, 60)
        chances.append(np.full(len(topic), 0.5))
        chances[-1][order] = grades[order]
    mean = dict(zip(topics[0].tags, beliefs(zip(topics, truth, strict=True)).mean, strict=True))
    sure = [pair for pair in beliefs(zip(topics, chances, strict=True)).pairs() if pair.confidence >= 0.99]
    assert len(sure) == pytest.approx(1168, abs=2)
    assert np.mean([mean[pair.run] > mean[pair.other] for pair in sure]) > 0.995
