"""Values of Python that tend to come instead of the right ones: NumPy's numbers, long texts, None, closed stores."""

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import CranfieldError, InputError, StoreError
from cranfield.formats import Document, Topic, read_runs
from cranfield.metrics import retrieved_run
from cranfield.pooling import build_pool, tune_fusion
from cranfield.store import import_qrels, import_runs
from cranfield.store.store import Store
from cranfield.topics import split_into_folds

QRELS = {q: {"d1": 1, "d2": 0} for q in ("1", "2")}
RUNS = {"a": {q: {"d1": 2.0, "d2": 1.0} for q in QRELS}, "b": {q: {"d1": 1.0, "d2": 2.0} for q in QRELS}}
NAN = float("nan")
ONE_MEASURE: Any = ["AP"]
TWO_MEASURES: Any = ["AP", "P@1"]


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.memory("x") as store:
        store.add_topics([Topic(qid, f"topic {qid}") for qid in QRELS])
        store.add_documents([Document("d1", text="wing"), Document("d2", text="drag")])
        import_runs(store, RUNS)
        yield store


def test_numbers_of_numpy_are_numbers(store: Store) -> None:
    one: Any = np.int64(1)
    assert str(build_pool(store, depth=one)).startswith("pool 1: 4 documents")
    assert str(build_pool(store, depth=one + one, budget=one)).startswith("pool 2: 2 documents")
    folds: Any = np.uint8(2)
    assert len(split_into_folds(store, "fold", folds=folds, rng=folds).frame) == 2
    assert "AP on held-out topics" in str(tune_fusion(QRELS, RUNS, folds=folds, methods=["rrf"]))


LONG = "some words " * 40
LONG_PATHS: list[Callable[[], object]] = [
    lambda: cranfield.evaluate(LONG, RUNS),
    lambda: cranfield.evaluate(QRELS, LONG),
    lambda: cranfield.compare(QRELS, LONG),
    lambda: cranfield.open_collection(LONG),
    lambda: read_runs(LONG),
    lambda: Store.open(LONG),
    lambda: Store.create(LONG, "x"),
    lambda: import_qrels(Store.memory("x"), LONG, assessor="ada"),
]


@pytest.mark.parametrize("call", LONG_PATHS)
def test_a_content_for_a_path_is_one_line(call: Callable[[], object]) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == "'some words some words' and 419 more characters; expected a path"


def scores() -> pd.DataFrame:
    return cranfield.evaluate(QRELS, RUNS, ["AP"], per_topic=True).frame


def unnamed() -> pd.DataFrame:
    table = scores().pivot(index="query_id", columns="run", values="value")
    return table.rename_axis(index=None, columns=None)


TWICE = pd.DataFrame([["1", "d1", 1, 2]], columns=["qid", "docno", "score", "score"])
WRONG: list[tuple[Callable[[], object], str]] = [
    (
        lambda: tune_fusion(QRELS, RUNS, measure=TWO_MEASURES, folds=2),
        "measure is ['AP', 'P@1']; expected one measure",
    ),
    (lambda: cranfield.evaluate(QRELS, TWICE), "a DataFrame with two columns 'score'; expected each name once"),
    (
        lambda: cranfield.compare(unnamed(), measures="AP"),
        "the score table has columns a, b; expected run, query_id, measure and value, or topics by runs, with "
        '.rename_axis(index="query_id", columns="run")',
    ),
    (lambda: Store.memory("x").add_documents([Document("d", text=None)]), "document 1: text is None; expected a text"),  # type: ignore[arg-type]
    (lambda: Store.memory("x").add_topics([Topic("1", 3)]), "topic 1: title is 3; expected a text"),  # type: ignore[arg-type]
    (lambda: Store.open("x", patience="x"), "patience is 'x'; expected a number of seconds from 0"),  # type: ignore[arg-type]
    (lambda: Store.open("x", patience=-1), "patience is -1; expected a number of seconds from 0"),
    (lambda: retrieved_run(None), "results is None; expected a dict of each topic's results"),  # type: ignore[arg-type]
    (lambda: retrieved_run({"1": None}), "topic '1' is None; expected a list of results in rank order"),  # type: ignore[dict-item]
    (lambda: retrieved_run({None: ["d1"]}), "a key is None; expected the id of a topic"),  # type: ignore[dict-item]
    (
        lambda: retrieved_run({"1": [("d1", None)]}),
        "topic '1': the score at rank 1 is None; expected a finite number",
    ),
    (lambda: retrieved_run({"1": [("d1", NAN)]}), "topic '1': the score at rank 1 is nan; expected a finite number"),
    (
        lambda: retrieved_run({"1": ["d1", ("d2", 1)]}),
        "topic '1' lists 'd1' next to pairs; expected a list of ids by rank, pairs (id, score), or {docno: score}",
    ),
    (
        lambda: retrieved_run({"1": [SimpleNamespace(id="7", metadata={"source": NAN})]}, "source"),
        "topic '1': the document id at rank 1 is nan; expected an id",
    ),
    (
        lambda: retrieved_run({"1": [SimpleNamespace(id="7", metadata={})]}, lambda _: None),
        "topic '1': the document id at rank 1 is None; expected an id",
    ),
]


@pytest.mark.parametrize(("call", "line"), WRONG)
def test_a_wrong_value_is_named(call: Callable[[], object], line: str) -> None:
    with pytest.raises(CranfieldError) as error:
        call()
    assert str(error.value) == line


def test_one_measure_in_a_list_is_a_measure() -> None:
    assert str(tune_fusion(QRELS, RUNS, measure=ONE_MEASURE, folds=2, methods=["rrf"])).startswith(
        "AP on held-out topics"
    )


CLOSED: list[Callable[[Store], Any]] = [
    cranfield.evaluate, Store.topics, lambda store: list(store.documents()), lambda store: store.collection,
    lambda store: store.add_topics([Topic("1", "x")]), lambda store: import_runs(store, RUNS), build_pool,
]  # fmt: skip


@pytest.mark.parametrize("call", CLOSED)
def test_a_closed_store_is_named(tmp_path: Path, call: Callable[[Store], Any]) -> None:
    path = tmp_path / "t.db"
    store = Store.create(path, "x")
    store.close()
    with pytest.raises(StoreError, match=r"t\.db: this store is closed; open it again with Store\.open\("):
        call(store)
    store.close()  # again does nothing


@pytest.mark.parametrize("name", ["a\x1b[2J", "a\nb", "a\ud800", "a\x7f", "a\x85b", "a\u202eb", "a\tb"])
def test_an_assessor_has_a_name_that_can_be_seen(store: Store, name: str) -> None:
    reason = "it is not UTF-8" if name == "a\ud800" else "it contains an invisible character"
    with pytest.raises(StoreError, match=f"is not a valid assessor name: {reason}$"):
        import_qrels(store, QRELS, assessor=name)


@pytest.mark.parametrize("name", ["Zoë", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "ada lovelace"])
def test_names_of_people_are_names(store: Store, name: str) -> None:
    assert str(import_qrels(store, QRELS, assessor=name)) == f"4 judgments by {name}"


def test_notes_can_be_printed_and_sent() -> None:
    """A topic's name in a note has its control characters and lone surrogates escaped, also in JSON."""
    runs = {"a": {**RUNS["a"], "t\x1b[2J\ud800": {"d1": 1.0}}}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = cranfield.evaluate(QRELS, runs, ["AP"])
    lines = [*result.notes, *(str(one.message) for one in caught)]
    assert lines
    for line in lines:
        json.dumps(line, ensure_ascii=False).encode()
        assert line.isprintable(), line


def test_compare_refuses_runs_without_judgments_on_the_common_topics() -> None:
    runs: Any = RUNS
    with pytest.raises(InputError, match="without runs, expected a DataFrame of scores"):
        cranfield.compare(runs, topics="common")
