"""Variations of queries: read, searched for, pooled as one system's, and scored by means with their spread."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from cranfield import evaluate, subjects
from cranfield.errors import InputError
from cranfield.features.collecting.variations import (
    Variation,
    add_variations,
    read_variations,
    search_variations,
    variations,
)
from cranfield.formats.files import open_file
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store import search_corpus
from cranfield.store.pools import stored_pool
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.collecting.corpora import TOPICS, documents, store_of
from tests.features.collecting.test_learning import judged

LINES = "1\ta\twing lift\t3\n1\tb\tflutter drag\n2\ta\theat flame\n"


def with_variations(path: Path, cranfield: Cranfield) -> Path:
    """A store with variations of both topics, all documents judged."""
    with store_of(path, run=False) as store:
        for qid in TOPICS:
            judged(store, qid, [document.docno for document in documents()])
    path.with_suffix(".tsv").write_text(LINES)
    output = cranfield("import", "variations", path, path.with_suffix(".tsv"))
    assert (output.code, output.out) == (0, "3 variations\n"), output.err
    assert cranfield("import", "variations", path, path.with_suffix(".tsv")).out == "0 variations\n"
    return path


def test_a_header_is_known_by_its_names(tmp_path: Path, cranfield: Cranfield) -> None:
    """Ours, or those that are given for them; else there is none. What is wrong is one line, and nothing is written."""
    path, file = tmp_path / "s.db", tmp_path / "v.tsv"
    for text, fields in (
        (LINES, {}),
        ("query\tvid\tqid\tcount\nwing lift\ta\t1\t3\nflutter drag\tb\t1\t\nheat flame\ta\t2\n", {}),
        ("Topic\tUser\tSpelled\tcount\n" + LINES, {"qid": "Topic", "vid": "User", "query": "Spelled"}),
    ):
        file.write_text(text)
        with open_file(file) as source:
            by_line = read_variations(source, fields)
        assert [*by_line.values()] == [
            Variation("1", "a", "wing lift", 3), Variation("1", "b", "flutter drag"), Variation("2", "a", "heat flame"),
        ]  # fmt: skip
    with store_of(path, run=False) as store:
        with pytest.raises(InputError, match="no variations in this store"):
            search_variations(store, ["bm25"], 5)
        add_variations(store, by_line)
    for text, message in (
        ("qid\tvid\tquery\n", "v.tsv: the file contains no variations"),
        ("1\ta\tx\n1\ta\ty\n", "v.tsv:2: variation 'a' of topic '1' is a duplicate"),
        (
            "1\ta\tx\nb\n",
            "v.tsv:2: a field is missing or invalid; expected qid, vid (without /), query and, optionally, a count",
        ),
        ("1\ta/b\tx\n", "v.tsv:1: a field is missing or invalid; expected qid, vid (without /)"),
        ("1\ta\tx\t0\n", "v.tsv:1: the count is '0'; expected a whole number of at least 1"),
        ("9\ta\tx\n", "v.tsv:1: variation 'a' is for topic '9', which is not in the store"),
        ("1\ta\twing drag\n", "v.tsv:1: variation 'a' of topic '1' has a different query in the store"),
    ):
        file.write_text(text)
        output = cranfield("import", "variations", path, file)
        assert (output.code, message in output.err) == (1, True)
        with Store.open(path) as store:
            assert len(variations(store)) == 3


@pytest.mark.needs_extra("search")
def test_means_over_variations(tmp_path: Path, cranfield: Cranfield) -> None:
    """Equal to a loop over what each run scores; weighted by counts; a variation that finds nothing counts 0."""
    path = with_variations(tmp_path / "s.db", cranfield)
    output = cranfield("search", path, "--variations", "--system", "bm25,tfidf")
    assert "4 runs: bm25.a, bm25.b, tfidf.a, tfidf.b" in output.out, output.err
    with pytest.warns(UserWarning, match="did not answer all 2 judged topics|count separately, for 2 systems"):
        each = evaluate(path, measures="P@10", per_topic=True).frame.set_index(["run", "query_id"])["value"]
    for option, share in (([], 0.5), (["--weighted"], 0.75)):
        output = cranfield("evaluate", path, "--variations", *option, "-m", "P@10", "-q", "--format", "json")
        values = {(row["run"], row["query_id"]): row["value"] for row in json.loads(output.out)["scores"]}
        for system in ("bm25", "tfidf"):
            one = share * each[f"{system}.a", "1"] + (1 - share) * each[f"{system}.b", "1"]
            assert values[system, "1"] == pytest.approx(one)
            assert values[system, "2"] == pytest.approx(each[f"{system}.a", "2"])
            assert values[system, "all"] == pytest.approx((one + each[f"{system}.a", "2"]) / 2)
    both = cranfield("evaluate", path, "--variations", "-m", "P@10")
    spread = re.search(
        r"vary by ([\d.]+) between the variations of a system and by ([\d.]+) between 2 systems",
        " ".join(both.err.split()),
    )
    assert spread is not None
    pairs = [[each[f"{system}.{vid}", "1"] for vid in "ab"] for system in ("bm25", "tfidf")]
    assert float(spread[1]) == pytest.approx(np.mean(np.std(pairs, axis=1)) / 2, abs=1e-4)
    assert cranfield("evaluate", path, "--weighted").code == 2


@pytest.mark.full
def test_python_searches_for_variations(tmp_path: Path, cranfield: Cranfield) -> None:
    path = with_variations(tmp_path / "s.db", cranfield)
    found = search_corpus(path, systems="bm25", subject=subjects.Variations())
    assert {*found.frame["run"]} == {"bm25.a", "bm25.b"}
    with pytest.raises(InputError, match="needs a store"):
        search_corpus(subject=subjects.Variations())


@pytest.mark.needs_extra("search")
def test_runs_that_answer_variations(tmp_path: Path, cranfield: Cranfield) -> None:
    """As qid/vid in a file: a run for each id, of one team; pooled together, and left out together."""
    path = with_variations(tmp_path / "s.db", cranfield)
    lines = [("1/a", "wing00"), ("1/b", "flow00"), ("2/a", "heat00")]
    (tmp_path / "own.run").write_text("".join(f"{name} Q0 {docno} 1 1 own\n" for name, docno in lines))
    (tmp_path / "bad.run").write_text("1/a Q0 wing00 1 1 bad\n1/z Q0 wing00 1 1 bad\n")
    assert cranfield("import", "runs", path, tmp_path / "own.run", "--strict").code == 0
    assert "'1/z', which is not a variation" in cranfield("import", "runs", path, tmp_path / "bad.run").err
    with Store.open(path) as store:
        assert {tag: info.team for tag, info in run_info(store).items()} == {"own.a": "own", "own.b": "own"}
        search_variations(store, ["bm25"], 5)
        build(store, PoolRequest("depth", 5))
        pooled = {d[:2] for d in stored_pool(store).documents}
        assert {("1", "wing00"), ("1", "flow00"), ("2", "heat00")} <= pooled
    alone = "count separately, for 2 systems; combine"
    judging = ["pool", "simulate", path, "--method", "take", "--budgets", 1, "--workers", 1]
    for command in (["compare", path], ["reusability", path, "--by", "run"], ["depths", path, "--by", "run"], judging):
        assert " ".join(cranfield(*command, "-m", "AP").err.split()).count(alone) == 1
    output = cranfield("reusability", path, "--by", "team", "-m", "AP", "--format", "json")
    assert alone not in " ".join(output.err.split())
    units = {unit["unit"]: unit["runs"] for unit in json.loads(output.out)["units"]}
    assert units == {"bm25": ["bm25.a", "bm25.b"], "own": ["own.a", "own.b"]}
