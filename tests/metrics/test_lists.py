"""Law: each shape of the same judgments and runs gives the same figures; each wrong shape is refused in one line."""

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.metrics import retrieved_run


@dataclass
class Document:
    """What LangChain's Document has."""

    page_content: str
    id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class Node:
    """What LlamaIndex's TextNode has."""

    node_id: str
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class NodeWithScore:
    """What LlamaIndex's NodeWithScore has."""

    node: Node
    score: float | None = None

    @property
    def node_id(self) -> str:
        return self.node.node_id

    @property
    def metadata(self) -> dict[str, Any]:
        return self.node.metadata


@dataclass
class InformationRetrievalEvaluator:
    """What the evaluator of sentence-transformers has."""

    queries_ids: list[str]
    relevant_docs: dict[str, set[str]]


QRELS = {"q1": {"d1": 1, "d4": 1}, "q2": {"d2": 1}}
RANKED = {"q1": ["d3", "d1", "d2"], "q2": ["d2", "d9"]}
RUN = {qid: {docno: 0.9 - rank / 10 for rank, docno in enumerate(ids)} for qid, ids in RANKED.items()}
MEASURES = ["AP", "nDCG@10", "P@1", "R@2"]
SCORED = {qid: [*ranking.items()] for qid, ranking in RUN.items()}

QRELS_SHAPES: dict[str, Any] = {
    "sets": {qid: {*judged} for qid, judged in QRELS.items()},
    "frozensets": {qid: frozenset(judged) for qid, judged in QRELS.items()},
    "lists": {qid: [*judged] for qid, judged in QRELS.items()},
    "tuples": {qid: tuple(judged) for qid, judged in QRELS.items()},
    "arrays": {qid: np.array([*judged]) for qid, judged in QRELS.items()},
    "keys": {qid: judged.keys() for qid, judged in QRELS.items()},
    "pairs": {qid: [*judged.items()] for qid, judged in QRELS.items()},
    "mixed": {"q1": QRELS["q1"], "q2": {"d2"}},
    "evaluator": InformationRetrievalEvaluator([*QRELS], {qid: {*judged} for qid, judged in QRELS.items()}),
}
RUN_SHAPES: dict[str, Any] = {
    "ids": RANKED,
    "tuples": {qid: tuple(ids) for qid, ids in RANKED.items()},
    "arrays": {qid: np.array(ids) for qid, ids in RANKED.items()},
    "ids by tag": {"run": RANKED},
    "pairs": SCORED,
    "lists of two": {qid: [[*pair] for pair in pairs] for qid, pairs in SCORED.items()},
    "pairs by tag": {"run": SCORED},
    "unsorted pairs": {qid: pairs[::-1] for qid, pairs in SCORED.items()},
    "mixed": {"q1": RUN["q1"], "q2": RANKED["q2"]},
    "documents": {qid: [Document("", one) for one in ids] for qid, ids in RANKED.items()},
    "documents with scores": {qid: [(Document("", one), x) for one, x in pairs] for qid, pairs in SCORED.items()},
    "nodes": {qid: [Node(one) for one in ids] for qid, ids in RANKED.items()},
    "nodes with scores": {qid: [NodeWithScore(Node(one), x) for one, x in pairs] for qid, pairs in SCORED.items()},
    "nodes without scores": {qid: [NodeWithScore(Node(one)) for one in ids] for qid, ids in RANKED.items()},
    "metadata": retrieved_run(
        {q: [Document("", metadata={"source": one}) for one in ids] for q, ids in RANKED.items()}, "source"
    ),
}


def figures(qrels: Any, runs: Any) -> list[float]:
    """The scores without notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)
        return list(cranfield.evaluate(qrels, runs, measures=MEASURES).frame["value"])


@pytest.mark.parametrize("shape", QRELS_SHAPES)
def test_judgments_in_each_shape_score_equally(shape: str) -> None:
    assert figures(QRELS_SHAPES[shape], RUN) == figures(QRELS, RUN)
    assert cranfield.Evaluator(QRELS_SHAPES[shape], MEASURES).evaluate(RUN) == cranfield.Evaluator(
        QRELS, MEASURES
    ).evaluate(RUN)


@pytest.mark.parametrize("shape", RUN_SHAPES)
def test_runs_in_each_shape_score_equally(shape: str) -> None:
    assert figures(QRELS, RUN_SHAPES[shape]) == figures(QRELS, RUN)


def test_both_may_be_lists() -> None:
    assert figures(QRELS_SHAPES["sets"], RANKED) == figures(QRELS, RUN)


def test_numbers_are_ids() -> None:
    """As positions in an index are."""
    assert figures({1: {7}}, {1: [8, 7]}) == figures({"1": {"7": 1}}, {"1": {"8": 2.0, "7": 1.0}})


def test_scores_from_ranks_are_noted_once() -> None:
    with pytest.warns(
        cranfield.CranfieldWarning, match="run 'a' and 1 other run: the lists have no scores; the first"
    ) as said:
        cranfield.evaluate(QRELS, {"a": RANKED, "b": RANKED}, measures="AP")
    assert len(said) == 1
    evaluator = cranfield.Evaluator(QRELS, "AP")
    with pytest.warns(cranfield.CranfieldWarning, match="the lists have no scores") as said:
        assert evaluator.evaluate(RANKED) == evaluator.evaluate(RANKED)
    assert len(said) == 1


def test_unsorted_pairs_are_noted() -> None:
    with pytest.warns(
        cranfield.CranfieldWarning, match="contradicts their scores in 2 topics; documents are ranked by score"
    ):
        cranfield.evaluate(QRELS, RUN_SHAPES["unsorted pairs"], measures="AP")


def test_passages_count_once_for_their_document() -> None:
    passages = [
        (Document("", str(n), {"source": d}), x) for n, (d, x) in enumerate([("b", 0.9), ("a", 0.8), ("b", 0.7)])
    ]
    assert retrieved_run({"q": passages}, "source", repeated="first") == {"q": [("b", 0.9), ("a", 0.8)]}
    assert retrieved_run({"q": iter(passages)}, lambda one: one.id) == {"q": [("0", 0.9), ("1", 0.8), ("2", 0.7)]}
    with pytest.raises(
        InputError, match="topic 'q' lists document 'b' twice; to keep its first result, pass repeated=\"first\""
    ):
        retrieved_run({"q": passages}, "source")


RISING = [(Document("", "d1"), 0.1), (Document("", "d2"), 0.4)]
WRONG_RUNS: dict[str, tuple[Any, str]] = {
    "set": (
        {"q1": {"d1"}},
        r"^topic 'q1' is a set, which has no order; expected a list of ids by rank, pairs \(id",
    ),
    "text": ({"q1": "d1"}, r"^run 'q1' is 'd1', which is not an existing file; expected a path, or a list"),
    "number": ({"q1": ["d1"], "q2": 3}, r"^topic 'q2' is 3; expected a list of ids by rank"),
    "scores": ({"q1": ["d1", 0.5]}, r"^topic 'q1' lists 0.5 at place 2; expected a list of ids"),
    "half": ({"q1": [("d1", 0.5), "d2"]}, r"^topic 'q1' lists 'd2' next to pairs; expected a list of ids"),
    "twice": ({"q1": ["d1", "d2", "d1"]}, r"^topic 'q1' lists document 'd1' at ranks 1 and 3; expected it once"),
    "two ids": ({"q1": [("d1", "d2")]}, r"topic 'q1', document 'd1': the score is 'd2'; expected a number"),
    "results without topics": (RISING[0][:1], r"^a list of Document has no topic; expected \{qid: results\}"),
    "no id": ({"q1": [Document("wing")]}, r"^topic 'q1': the Document at rank 1 has no id; name its metadata field"),
    "distances": ({"q1": RISING}, r"^topic 'q1': the scores rise from 0.1 to 0.4; expected scores that fall"),
    "some scores": (
        {"q1": [NodeWithScore(Node("d1"), 0.5), NodeWithScore(Node("d2"))]},
        r"^topic 'q1': the result at rank 2 has no score; expected a score for every result",
    ),
    "lines": (
        "q1 Q0 d1 1 0.5 bm25\nq1 Q0 d2 2 0.4 bm25\n",
        r"^text like a run: 'q1 Q0 d1 1 0.5 bm25'; expected a path",
    ),
    "list of lines": (["q1 Q0 d1 1 0.5 bm25"], r"^text like a run: .*, or \[line.split\(\) for line in lines\]"),
    "json": ('{"q1": {"d1": 0.5}}', r"^text like JSON: .*; expected a path, or the result of json.loads"),
    "missing file": ("bm25.run", "^bm25.run: no such file"),
}
WRONG_QRELS: dict[str, tuple[Any, str]] = {
    "text": ({"q1": "d1"}, r"^topic 'q1' is 'd1'; expected a set or list of relevant ids, or \{docno: grade\}"),
    "number": ({"q1": 1}, r"^topic 'q1' is 1; expected a set or list of relevant ids"),
    "twice": ({"q1": ["d1", "d1"]}, r"^topic 'q1' lists document 'd1' at ranks 1 and 2; expected it once"),
    "grade": ({"q1": [("d1", "high")]}, r"topic 'q1', document 'd1': the relevance is 'high'; expected a number"),
    "lines": ("q1 0 d1 1\nq1 0 d2 0", r"^text like qrels: 'q1 0 d1 1'; expected a path, or \[line.split\(\) for line"),
    "one line": ("q1 0 d1 1", r"^text like qrels: 'q1 0 d1 1'; expected a path"),
    "bytes": (b"q1 0 d1 1", r"^qrels are a path, a DataFrame, a dict or records, not bytes"),
}


@pytest.mark.parametrize("case", WRONG_RUNS)
def test_wrong_runs_are_refused_in_one_line(case: str) -> None:
    wrong, message = WRONG_RUNS[case]
    with pytest.raises(InputError, match=message) as error:
        cranfield.evaluate(QRELS, list(wrong) if isinstance(wrong, tuple) else wrong, measures="AP")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("case", WRONG_QRELS)
def test_wrong_judgments_are_refused_in_one_line(case: str) -> None:
    wrong, message = WRONG_QRELS[case]
    with pytest.raises(InputError, match=message) as error:
        cranfield.evaluate(wrong, RUN, measures="AP")
    assert "\n" not in str(error.value)


def test_a_file_with_a_name_like_a_line_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q1 0 d1 1").write_text("q1 0 d1 1\n", encoding="utf-8")
    assert figures("q1 0 d1 1", {"q1": {"d1": 1.0}})[0] == 1


def test_rows_of_a_text_are_taken() -> None:
    """As the error on a text says."""
    text = "q1 0 d1 1\nq1 0 d4 1\nq2 0 d2 1\n"
    assert figures([line.split() for line in text.splitlines()], RUN) == figures(QRELS, RUN)


def test_wrong_metadata_is_named() -> None:
    results = {"q": [Document("", metadata={"title": "x", "url": "y"})]}
    with pytest.raises(
        InputError,
        match=("topic 'q': the metadata of the result at rank 1 lack the field 'source'; available: title, url"),
    ):
        retrieved_run(results, "source")
    with pytest.raises(InputError, match="repeated is 'last'; expected refuse or first"):
        retrieved_run(results, "title", repeated="last")  # type: ignore[arg-type]


def test_frames_are_taken_as_before() -> None:
    rows = [(qid, docno, score) for qid, ranking in RUN.items() for docno, score in ranking.items()]
    assert figures(QRELS, pd.DataFrame(rows, columns=["qid", "docno", "score"])) == figures(QRELS, RUN)
