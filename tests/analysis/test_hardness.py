"""Hardness of topics, and which to judge next: against a recomputation from rankings and labels."""

import json
from math import log2
from pathlib import Path

import numpy as np
import pytest

import cranfield as package
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.selection import Selection
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.stores import new_file

Rankings = dict[str, dict[str, dict[str, float]]]


def random_collection(seed: int) -> tuple[Rankings, dict[str, dict[str, int]]]:
    """Three runs of six topics, five of them judged in part; byte order of docnos is another than that of ranks."""
    random = np.random.default_rng(seed)
    runs: Rankings = {}
    for tag in ("a", "b", "c"):
        for qid in "123456":
            docnos = random.permutation(30)[: random.integers(3, 15)]
            runs.setdefault(tag, {})[qid] = {f"d{d}": float(-at) for at, d in enumerate(docnos)}
    grades = {qid: {f"d{d}": int(random.integers(0, 3)) for d in random.permutation(30)[:12]} for qid in "12345"}
    return runs, grades


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """The first, with two assessors who agree on three of four documents of topic 1, in a store."""
    runs, grades = random_collection(1)
    first = list(grades["1"].items())[:4]
    bob = {"1": {d: g if at else (g + 1) % 3 for at, (d, g) in enumerate(first)}}
    scale = {0: "no", 1: "some", 2: "yes"}
    path = new_file(tmp_path / "track.db", grades=scale, topics="123456", runs=runs, qrels={"ada": grades, "bob": bob})
    with Store.open(path) as store:
        record_label_choice(store, policy="primary", reason="of two assessors who differ")
    return path


@pytest.mark.parametrize("seed", range(3))
def test_hardness_is_that_of_the_scores(seed: int) -> None:
    """Of the runs that answered the topic: one that did not is no 0."""
    runs, grades = random_collection(seed)
    del runs["b"]["3"]
    topics = package.topics.measure_hardness(grades, runs, measure="P@5").frame.set_index("topic")
    assert topics["mean"].is_monotonic_increasing
    for qid, labels in grades.items():
        values = [sum(labels.get(d, 0) > 0 for d in list(own[qid])[:5]) / 5 for own in runs.values() if qid in own]
        row = topics.loc[qid]
        relevant = sum(grade > 0 for grade in labels.values())
        assert (row["judged"], row["relevant"], row["runs"]) == (len(labels), relevant, 3 - (qid == "3"))
        assert [row["mean"], row["best"], row["worst"], row["spread"]] == pytest.approx(
            [np.mean(values), max(values), min(values), np.std(values)]
        )
        assert row["zero"] == values.count(0)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_open_is_what_unjudged_documents_can_move(seed: int) -> None:
    runs, grades = random_collection(seed)
    topics = package.topics.choose_next(grades, runs, pair=["a", "c"], depth=5).frame.set_index("topic")
    reference: dict[str, list[float]] = {}
    for qid in "123456":
        gains = [{d: 1 / log2(2 + at) for at, d in enumerate(list(runs[tag][qid])[:5])} for tag in ("a", "c")]
        moves = {d: abs(gains[0].get(d, 0) - gains[1].get(d, 0)) for d in {*gains[0], *gains[1]}}
        rest = [move for d, move in moves.items() if d not in grades.get(qid, {}) and move > 0]
        if rest:
            reference[qid] = [len(rest), sum(rest), sum(rest) / len(rest)]
    assert {*topics.index} == reference.keys()
    assert topics["open"].is_monotonic_decreasing
    for qid, values in reference.items():
        assert topics.loc[[qid], ["documents", "open", "each"]].to_numpy()[0].tolist() == pytest.approx(values)


@pytest.mark.needs_extra("serve")
def test_of_a_store(track: Path, cranfield: Cranfield) -> None:
    """Titles, agreement and what is not judged; sets of topics; the page has the same rows."""
    from cranfield.web.look.topics import HARDNESS
    from cranfield.web.look.view import parse_view_query

    assert cranfield("pool", "build", track, "--depth", "1", "--run", "a").code == 0
    output = cranfield("topics", "hardness", track, "--format", "json")
    rows = {row["topic"]: row for row in json.loads(output.out)}
    lines = output.err.splitlines()
    assert lines[0] == ("note: 60 labels by ada; 1 document has different labels; policy: primary, the store's choice")
    assert lines[1] == "note: 1 topic not judged: 6"
    runs, grades = random_collection(1)
    part = [f"{qid} (0 of 1)" for qid in "12345" if next(iter(runs["a"][qid])) not in grades[qid]]
    number = "1 topic" if len(part) == 1 else f"{len(part)} topics"
    assert lines[2:] == ([f"note: {number} judged in part: {', '.join(part)}"] if part else [])
    assert (rows["1"]["agreement"], rows["2"]["agreement"], rows["1"]["title"]) == (0.75, None, "title 1")
    (track.parent / "dev.txt").write_text("1\n2\n")
    some = json.loads(
        cranfield("topics", "hardness", track, "--topics", track.parent / "dev.txt", "--format", "json").out
    )
    assert {row["topic"] for row in some} == {"1", "2"}
    with Store.open(track) as store:
        answer = parse_view_query(store, "hardness", HARDNESS.parameters, [])
        assert {row["topic"]: row for row in HARDNESS.rows(store, answer)} == rows
        assert any("1 topic not judged: 6" in str(block) for block in HARDNESS.blocks(store, answer))
        of_set = store.select(Selection(topics=str(track.parent / "dev.txt")))
        assert len(HARDNESS.rows(of_set, answer)) == 2


def test_advice_says_what_it_is(track: Path, cranfield: Cranfield) -> None:
    output = cranfield("topics", "next", track, "--run", "a", "--run", "b", "--format", "json")
    assert "advice on where to judge, not a test" in output.err
    assert not any("p" in row for row in json.loads(output.out))
    assert "6" in {row["topic"] for row in json.loads(output.out)}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["next", "T", "--run", "a"], 2, "expected two runs; got 1"),
        (["next", "T", "--run", "a", "--run", "aa"], 1, "no run 'aa'; did you mean a?"),
        (["next", "T", "--run", "a", "--run", "a"], 1, "expected two different runs; got a, a"),
        (["hardness", "T", "--topics", "dex"], 1, "no topic set and no file 'dex'"),
        (["hardness", "T", "-m", "XX@5"], 1, "unknown measure"),
    ],
)
def test_bad_input(track: Path, cranfield: Cranfield, words: list[str], code: int, message: str) -> None:
    output = cranfield("topics", *(track if word == "T" else word for word in words))
    assert (output.code, output.out) == (code, "")
    assert message in output.err
