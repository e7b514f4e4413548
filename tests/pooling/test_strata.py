"""Samples that could not draw some documents: refused where they are built, and where they are estimated from."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.build import build_pool, make_pooled_documents
from cranfield.pooling.candidates import candidates_by_topic
from cranfield.pooling.methods import METHODS
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import Pool, PooledDocument, add_pool, stored_pool
from cranfield.store.store import Store
from cranfield.testing.pooling import example_runs
from tests.conftest import Cranfield
from tests.pooling.of_runs import OF_RUNS
from tests.stores import new_file


def spread_runs(topics: int = 3) -> Runs:
    """Four runs of forty documents a topic, in orders of their own; a depth of 20 leaves some 35 of them."""
    random = np.random.default_rng(2)
    orders = [[random.permutation(40) for _ in range(topics)] for _ in range(4)]
    return as_runs(
        {
            f"r{run}": {
                f"q{at}": {f"d{d:02}": -float(rank) for rank, d in enumerate(order)} for at, order in enumerate(row)
            }
            for run, row in enumerate(orders)
        }
    )


REFUSED = {
    ("tail", "budget", 8): r"tail: a budget of 8 draws none of the \d+ documents of topic 'q\d' in stratum 'tail'",
    ("tail", "budget", 13): r"draws 1 of the \d+ documents of topic 'q\d' in stratum 'tail', but an estimate needs 2",
    ("tail", "total", 30): r"tail: a total of 30 draws none of the \d+ documents of topic 'q\d' in stratum 'tail'",
    ("stratified", "budget", 3): r"a budget of 3 draws 1 of the \d+ documents .* use a budget of 4",
    ("uniform", "total", 2): r"a total of 2 draws none of the \d+ documents of topic 'q2', .*; use a total of 6",
    ("uniform", "budget", 1): r"a budget of 1 draws 1 of the \d+ documents .* use a budget of 2",
    ("statap", "total", 5): r"a total of 5 draws 1 of the \d+ documents of topic 'q2'",
    ("active", "total", 2): r"a total of 2 draws none of the \d+ documents of topic 'q2'",
}  # fmt: skip


@pytest.mark.parametrize(("design", "words"), REFUSED.items())
def test_a_design_that_could_not_draw_some_documents_is_refused(design: tuple[str, str, int], words: str) -> None:
    """With what would be enough, which is; of a budget not one document less."""
    name, kind, size = design
    method, options = METHODS[name], {"k": 3} if name == "tail" else {}

    def build(size: int) -> list[PooledDocument]:
        budget, total = (size, None) if kind == "budget" else (None, size)
        return build_pool(method, spread_runs(), 20, options=options, budget=budget, total=total)

    with pytest.raises(InputError, match=words) as refusal:
        build(size)
    enough = int(re.findall(r"; use a \w+ of (\d+)", str(refusal.value))[0])
    assert build(enough)
    if kind == "budget":
        with pytest.raises(InputError, match="but an estimate needs"):
            build(enough - 1)


def test_a_tail_of_which_nothing_is_drawn_is_refused() -> None:
    """By its rate; no budget is told then that would do."""
    with pytest.raises(InputError, match=r"tail with k=3, rate=0\.0 draws none of .* but an estimate needs 2$"):
        build_pool(METHODS["tail"], spread_runs(), 20, options={"k": 3, "rate": 0.0})


@pytest.mark.parametrize("name", [name for name, row in OF_RUNS.items() if row.samples and not row.adaptive])
def test_what_is_built_has_two_of_every_stratum(name: str) -> None:
    """Or the one that there is; so that every pair of documents could be drawn together."""
    method, options = METHODS[name], {"k": 3, "rate": 0.01} if name == "tail" else {}
    for budget in range(2, 36):
        try:
            documents = build_pool(method, spread_runs(), 20, options=options, budget=budget)
        except InputError:
            continue
        if name != "statap":
            sizes = {(d.qid, d.stratum): 0.0 for d in documents}
            counts = Counter((d.qid, d.stratum) for d in documents)
            sizes |= {(d.qid, d.stratum): counts[d.qid, d.stratum] / (d.probability or 0) for d in documents}
            assert all(counts[one] >= min(2, round(size)) for one, size in sizes.items())
        assert all(d.probability for d in documents)


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """A store with runs of three topics and no pool yet."""
    teams = {f"r{run}": f"t{run}" for run in range(4)}
    return new_file(tmp_path / "track.db", people=["ada"], runs=spread_runs(), teams=teams)


def judge(path: Path, relevant: Sequence[str] = ("d00", "d01", "d02", "d03")) -> None:
    with Store.open(path) as store:
        pairs = [(d.qid, d.docno) for d in stored_pool(store).documents]
        append(store, *(Event("label", qid, docno, "ada", grade=int(docno in relevant)) for qid, docno in pairs))


@pytest.mark.full
def test_a_pool_that_could_not_draw_some_is_not_built(track: Path, cranfield: Cranfield) -> None:
    """Nothing is written, and the budget that is said to be enough is."""
    command = ["pool", "build", track, "--method", "tail", "--option", "k=3", "--depth", 20]
    for few in (["--budget", 8], ["--total", 20], ["--option", "rate=0"]):
        refusal = cranfield(*command, *few)
        assert (refusal.code, refusal.err.count("\n")) == (1, 1)
        assert "of topic 'q" in refusal.err
    with Store.open(track) as store:
        assert store.counts()["pool"] == 0
    enough = re.findall(r"use a budget of (\d+)", cranfield(*command, "--budget", 8).err)[0]
    assert cranfield(*command, "--budget", enough).code == 0
    judge(track)
    assert cranfield("pool", "estimate", track).code == 0


def test_a_stored_pool_with_a_stratum_that_was_not_drawn_is_not_estimated(track: Path, cranfield: Cranfield) -> None:
    """As they were once made: the top in part, or all of the top and none of the tail, or no topic q2."""
    parameters = {"depth": None, "runs": [f"r{run}" for run in range(4)], "considered": 20, "options": {"k": 3}}
    topics = candidates_by_topic(spread_runs(), 20)
    cases = {5: "the top of topic 'q0' was drawn with a probability of 0", 0: "drew none of the .* in stratum 'tail'"}
    for less, words in cases.items():
        documents = []
        for topic in topics:
            state = METHODS["tail"].start(topic, {"k": 3})
            documents += make_pooled_documents(topic, state.next(int(np.sum(topic.best <= 3)) - less), state)
        with Store.open(track) as store:
            add_pool(store, Pool("tail", parameters, documents, seed=0))
        judge(track)
        refusal = cranfield("pool", "estimate", track)
        assert refusal.code == 1
        assert re.search(words, refusal.err)
    two = build_pool(METHODS["uniform"], spread_runs(topics=2), 20, budget=9)
    with Store.open(track) as store:
        add_pool(store, Pool("uniform", parameters | {"options": {}, "budget": 9}, two, seed=0))
    judge(track)
    assert "drew none of the 3" in cranfield("pool", "estimate", track).err


def test_the_command_says_why_there_are_no_intervals(track: Path, cranfield: Cranfield) -> None:
    """In a note; in JSON they are null, those of P are there; with relevant documents enough they are, too."""
    assert cranfield("pool", "build", track, "--method", "uniform", "--budget", 12, "--depth", 20).code == 0
    judge(track, ["d03"])
    output = cranfield("pool", "estimate", track, "-m", "AP", "-m", "AP@10", "-m", "P@5", "--format", "json")
    assert (
        "note: there are no intervals for AP, AP@10, because the samples of 3 of 3 topics contain fewer than two"
        in output.err
    )
    rows = json.loads(output.out)["scores"]
    assert {row["measure"] for row in rows if row["low"] is None and row["high"] is None} == {"AP", "AP@10"}
    assert "no intervals" not in cranfield("pool", "estimate", track, "--by-topic").err
    assert "no intervals" not in cranfield("pool", "estimate", track, "-m", "P@5").err
    judge(track, [f"d{d:02}" for d in range(30)])
    output = cranfield("pool", "estimate", track, "-m", "AP", "--format", "json")
    assert "no intervals" not in output.err
    assert all(row["low"] < row["value"] < row["high"] for row in json.loads(output.out)["scores"])


@pytest.mark.parametrize("rates", ["0", "4,0,1", "4,-2,1", "4,inf,1", "4,two,1"])
def test_rates_are_above_0(rates: str) -> None:
    """A stratum that is never drawn from cannot be estimated."""
    with pytest.raises(InputError, match=rf"^rates={rates}; expected rates above 0 such as 4,2,1$"):
        build_pool(METHODS["stratified"], as_runs(example_runs()), 20, budget=6, options={"rates": rates})
