"""Rules for stopping: the published numbers, their definitions, and what is refused with its price."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.features.collecting.commands import certified_stops, stops
from cranfield.features.collecting.stopping import RULES, CertifyingRule, Curve, least_found
from cranfield.features.collecting.vectors import VectorCorpus, vectors_of
from cranfield.pooling.candidates import corpus_candidates
from cranfield.pooling.method import CorpusState
from cranfield.pooling.methods import METHODS
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.pools import stored_pool
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.collecting.corpora import TOPICS, documents, judge, relevant, store_of
from tests.needed_extras import skip_without
from tests.stores import new_store


def test_a_topic_that_has_run_dry_may_stop() -> None:
    """30 relevant documents early and none in the following 870: every rule but the strict knee agrees.

    The ratio is that of its definition.
    """
    ends = np.arange(10, 910, 10)
    dry, rich = Curve(ends, np.minimum(ends, 30), 1000), Curve(ends, ends // 2, 1000)
    assert {name for name, rule in RULES.items() if rule(dry)} == set(RULES)
    assert {name for name, rule in RULES.items() if rule(rich)} == {"budget-knee"}  # of three quarters
    random = np.random.default_rng(1)
    ends, relevant = np.cumsum(random.integers(1, 30, 12)), np.cumsum(random.integers(0, 3, 12))
    pairs = zip(ends[:-1], relevant[:-1], strict=True)
    slow = max((r / i) / ((1 + relevant[-1] - r) / (ends[-1] - i)) for i, r in pairs)
    assert Curve(ends, relevant, 1000).ratio == pytest.approx(slow)


def page(store: Store) -> list[Any]:
    """The blocks of the organiser's page."""
    skip_without("serve")
    from cranfield.features.collecting.stop_page import STOPPING
    from cranfield.web.organise.section import SectionRequest

    return list(STOPPING.values(SectionRequest(store, {}, datetime.now(UTC)))["blocks"])


@pytest.mark.parametrize("pool", [{}, {"pool": {"q1": ["d1"]}}])
def test_the_page_says_whether_there_is_a_pool(pool: Any) -> None:
    skip_without("serve")
    from cranfield.web.language import ENGLISH
    from cranfield.web.organise.section import Done
    from cranfield.web.organise.table import content
    from cranfield.web.organise.table import page_html as page_of

    with new_store(documents=["d1"], topics=["q1"], **pool) as store:
        text = page_of("stopping", content(store, "stopping"), "", Done(""), language=ENGLISH)
    assert ("There is no pool yet, so no stopping rule applies." in text) == (not pool)
    assert ("The newest pool does not use active learning, so no stopping rule applies." in text) == bool(pool)


@pytest.mark.needs_extra("search")
def test_progress_tells_it(cranfield: Cranfield, tmp_path: Path) -> None:
    """By topic; a rule that certifies is refused with its price, one that is none with those that are."""
    path = tmp_path / "s.db"
    with store_of(path) as store:
        build(store, PoolRequest("cal", 20, 18, options={"first": 4}))
        judge(store)
        blocks = page(store)
    sentence = "0 of 2 topics may stop by knee6; the rule does not guarantee a recall"
    assert sentence in cranfield("progress", path, "--stop", "knee6").out
    usual = json.loads(cranfield("progress", path, "--format", "json").out)["stopping"]
    assert [(row["topic"], row["judged"], row["stop"]) for row in usual] == [("1", 18, False), ("2", 18, False)]
    assert [block.kind for block in blocks] == ["html", "table", "text", "text"]
    output = cranfield("progress", path, "--stop", "qbcb:0.8")
    assert output.code == 1
    assert blocks[-1].text in " ".join(output.err.split())
    assert (
        "qbcb:0.8 needs 14 relevant documents from a random draw that was judged blind before learning, which takes"
        " about 60 labels" in output.err
    )
    assert cranfield("progress", path, "--stop", "soon").code == 2


@pytest.mark.full
def test_a_recall_is_certified_from_a_draw(cranfield: Cranfield, tmp_path: Path) -> None:
    """Of 60 documents 20 are relevant: a draw of 45 has at least 14 of them, one of 6 has not."""
    path = tmp_path / "s.db"
    with store_of(path, run=False) as store:
        build(store, PoolRequest("draw", budget=45, seed=1))
        judge(store)
        build(store, PoolRequest("cal", budget=60))
        before = json.loads(cranfield("progress", path, "--stop", "qbcb:0.8", "--format", "json").out)
        judge(store)
        first, pool, last = stored_pool(store, 1), stored_pool(store, 2), page(store)[-1]
        assert {(d.stratum, d.probability) for d in first.documents} == {("draw", 0.75)}
    rows = json.loads(cranfield("progress", path, "--stop", "qbcb:0.8", "--format", "json").out)
    assert [row["stop"] for row in before] == [False, False]
    assert last.rows == [row | {"stop": "may stop"} for row in rows]
    for row in rows:
        there = sum(relevant(row["topic"], d.docno) for d in first.documents if d.qid == row["topic"])
        assert (row["drawn_relevant"], row["found"], row["unjudged"]) == (there, there, 0)
        assert (row["needed"], row["stop"]) == (least_found(there, 0.8), True)
    assert len(pool.documents) == 120  # also those of the draw, which nobody judged twice
    output = cranfield("progress", path, "--stop", "target").out
    assert "2 of 2 topics may stop by target; the recall of these topics is at least 0.74 with 95% confidence" in output


@pytest.mark.needs_extra("search")
def test_too_small_a_draw_and_a_late_one_are_refused() -> None:
    """And a pool of another method; a topic waits for its draw."""
    rule = CertifyingRule("qbcb", 0.8)
    with store_of(run=False) as store:
        build(store, PoolRequest("draw", budget=6, seed=1))
        judge(store)
        build(store, PoolRequest("cal", budget=9))
        with pytest.raises(
            InputError, match=r"in pool 1 \(the draw\), no topic has more than \d relevant documents; qbcb:0.8"
        ):
            certified_stops(store, rule)
    with store_of(run=False) as store:
        build(store, PoolRequest("cal", budget=9))
        build(store, PoolRequest("draw", budget=30))
        with pytest.raises(InputError, match="pool 2 was built by draw; stopping rules need a pool built by cal"):
            certified_stops(store, rule, 2)
        with pytest.raises(InputError, match="pool 2 was built by draw; stopping rules need a pool built by cal"):
            stops(store, "knee6", 2)
        with pytest.raises(InputError, match=r"^pool 2 was drawn after learning began; qbcb:0\.8 needs"):
            certified_stops(store, rule, 1)
    with store_of(run=False) as store:
        build(store, PoolRequest("draw", budget=45))
        build(store, PoolRequest("cal", budget=9))
        assert [(row["unjudged"], row["stop"]) for row in certified_stops(store, rule)] == [(45, False)] * 2
        assert [block.kind for block in page(store)] == ["table"] * 3  # no curve yet


@pytest.mark.needs_extra("search")
def test_learning_does_not_look_at_the_draw() -> None:
    """The order is that without its labels: so the draw stays a sample of what is found and what is not."""
    vectors = VectorCorpus(vectors_of(documents()), TOPICS)
    [topic, _] = corpus_candidates([], vectors, ())
    [with_draw, _] = corpus_candidates([], vectors.replace_topics(TOPICS, {"1": topic.docnos[::3].tolist()}), ())
    truth, orders = {n: relevant("1", docno) for n, docno in enumerate(topic.docnos)}, []
    for judged, labels in ((topic, {}), (with_draw, {n: truth[n] for n in range(0, 60, 3)})):
        state, order = cast("CorpusState", METHODS["cal"].start(judged)), list[int]()
        state.observe(labels)
        while len(order) < 30:
            order += (batch := state.next(5).tolist())
            state.observe({**labels, **{document: truth[document] for document in batch}})
        orders.append(order)
    assert orders[0] == orders[1]
