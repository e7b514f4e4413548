"""A law for every analysis: what is withdrawn is said, and its numbers are those of a store that never had it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as package
from cranfield.cli.tree import EVERY, ready
from cranfield.errors import InputError
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdraw
from tests.conftest import Cranfield, usually

GONE = {"run": "x", "topic": "9", "document": "d0"}
TOPICS, TAGS, DOCUMENTS, DEPTH = [*map(str, range(1, 13)), "9a"], "abcx", 12, 3
SOME = TOPICS[:8:2]
LINE = "left out: 1 run (x: wrong), 1 topic (wrong), 1 document (wrong)"
ELSEWHERE = (
    "assign",
    "pool build",
    "pool extend",
    "pool estimate",
    "fuse",
    "report",
    "publish build",
    "round start",
    "lag",
)
ANALYSES = {  # the words after the store
    "evaluate": [], "compare": [], "curve": [], "correlate": [], "reusability": [], "depths": [], "stability": [],
    "diagnose": ["a"], "pool show": [], "pool show --by run": [], "pool show --by pair": [], "pool verify": [],
    "pool diff": ["1", "2"],
    "pool simulate": ["--budgets", "2"], "pool forecast": [], "agreement": [], "diff": ["ada", "bob"],
    "topics hardness": [], "topics next": ["--run", "a", "--run", "b"], "rehearse": ["--repeats", "2"], "progress": [],
}  # fmt: skip


def rankings() -> dict[str, dict[str, dict[str, float]]]:
    """All documents in any order; the one that is withdrawn is below the pool."""
    random, shift = np.random.default_rng(7), DEPTH + 1
    return {
        tag: {
            qid: {f"d{at}": float(-rank - shift * (at == 0)) for rank, at in enumerate(random.permutation(DOCUMENTS))}
            for qid in TOPICS
        }
        for tag in TAGS
    }


def labels() -> dict[str, dict[str, int]]:
    random = np.random.default_rng(8)
    return {qid: {f"d{at}": int(random.integers(2)) for at in range(DOCUMENTS)} for qid in TOPICS}


def without(found: dict[str, dict[str, Any]], document: str = GONE["document"]) -> dict[str, dict[str, Any]]:
    """What is left of rankings or labels by topic."""
    return {
        qid: {docno: value for docno, value in by_docno.items() if docno != document}
        for qid, by_docno in found.items()
        if qid != GONE["topic"]
    }


def store_of(path: Path, withdrawn: bool, topics: Sequence[str] = ()) -> Path:
    """A store with two assessors, once with what is withdrawn, once as if that had never been there."""
    runs, grades = rankings(), labels()
    if not withdrawn:
        runs = {tag: without(found) for tag, found in runs.items() if tag != GONE["run"]}
        grades = without(grades)
    if topics:
        runs = {tag: {qid: found[qid] for qid in topics} for tag, found in runs.items()}
        grades = {qid: grades[qid] for qid in topics}
    with Store.create(path, "living") as store:
        add_runs(store, as_runs(runs))
        import_qrels(store, as_qrels(grades), "ada", "human")
        add_assessor(store, "bob")
        append(store, *(Event("label", qid, docno, "bob", int(hash_of(qid, docno) % 3 > 0) * grade, seconds=9.0)
                        for qid, found in grades.items() for docno, grade in found.items()))  # fmt: skip
    return path


def hash_of(*names: str) -> int:
    return sum(map(ord, "".join(names)))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The store with withdrawals, whose pool was built before them, and the store that never had these."""
    one, other = (store_of(tmp_path_factory.mktemp("left_out") / "track.db", there) for there in (True, False))
    for depth in (DEPTH - 1, DEPTH):
        package.pool_build(one, depth=depth, runs=["a", "b", "x"])
        package.pool_build(other, depth=depth, runs=["a", "b"])
    with Store.open(one) as store:
        for what, name in GONE.items():
            withdraw(store, what, [name], "wrong")
    return one, other


def test_every_analysis_is_here() -> None:
    """Every command that takes a set of topics, but those that change a store or write a folder."""
    takes = {" ".join(place.words) for place in EVERY if any(one.name == "topics" for one in ready(place).params)}
    assert takes - {command.partition(" --")[0] for command in ANALYSES} == {*ELSEWHERE}


@pytest.mark.parametrize("command", ANALYSES)
def test_what_is_withdrawn_was_never_there(both: tuple[Path, Path], cranfield: Cranfield, command: str) -> None:
    left = {f"{what}s": {name: "wrong"} for what, name in GONE.items()}
    check(cranfield, [words_of(command, path) for path in both], left)
    table = cranfield(*words_of(command, both[0]))
    assert {LINE, f"note: {LINE}"} & {*(table.out + table.err).splitlines()}


@pytest.mark.parametrize("command", usually(("pool show", "progress", "diff", "curve"), ANALYSES))
def test_a_set_of_topics_is_a_store_of_these(
    both: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield, command: str
) -> None:
    """Numbers are those of a store that has these topics alone."""
    (some := tmp_path / "some.txt").write_text("".join(f"{qid}\n" for qid in SOME))
    small = store_of(tmp_path / "track.db", False, SOME)
    for depth in (DEPTH - 1, DEPTH):
        package.pool_build(small, depth=depth, runs=["a", "b"])
    words = [[*words_of(command, both[1]), "--topics", some], words_of(command, small)]
    check(cranfield, words, {f"topics not in {some}": len(TOPICS) - 1 - len(SOME)})


def test_fused_runs_and_longer_pools(both: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield) -> None:
    """Of what counts, of a set of topics; a pool that is extended on a set is of its topics alone."""
    (some := tmp_path / "some.txt").write_text("".join(f"{qid}\n" for qid in SOME))
    fused, longer = list[str](), list[set[tuple[str, ...]]]()
    for at, path in enumerate(both):
        (copy := tmp_path / f"{at}.db").write_bytes(path.read_bytes())
        words = ("fuse", copy, "--run", "a", "--run", "b", "-o", tmp_path / f"{at}.run", "--topics", some)
        assert cranfield(*words).code == 0
        fused.append((tmp_path / f"{at}.run").read_text())
        assert cranfield("pool", "extend", copy, "--run", "c", "--topics", some).code == 0
        longer.append({tuple(row) for row in package.pool(copy)[["query_id", "doc_id"]].to_numpy().tolist()})
    assert fused[0] == fused[1]
    runs = {tag: without(rankings()[tag]) for tag in "abc"}
    top = {
        (qid, docno)
        for by_topic in runs.values()
        for qid in SOME
        for docno in sorted(by_topic[qid], key=lambda one: (by_topic[qid][one], one))[: -DEPTH - 1 : -1]
    }
    assert longer == [top, top]


@pytest.mark.filterwarnings("ignore:left out")
def test_the_same_in_python(both: tuple[Path, Path], tmp_path: Path) -> None:
    """A set of topics is a keyword; what is left out is a warning."""
    (some := tmp_path / "some.txt").write_text("".join(f"{qid}\n" for qid in SOME))
    one = both[0]
    for found in (
        package.pool_show(one, topics=str(some))["topic"],
        package.pool_diff(one, 1, 2, topics=str(some))["topic"],
        package.progress(one, topics=str(some))["topic"],
        package.fuse(one, topics=str(some))["query_id"],
        package.diff(one, "ada", "bob", show="labels", topics=str(some))["query_id"],
    ):
        assert len(found)
        assert {*found} - {"all"} <= {*SOME}
    with pytest.warns(UserWarning, match="left out: 1 run .x: wrong., 1 topic"):
        package.pool_show(one)


def test_a_report_says_it_in_every_form(both: tuple[Path, Path], tmp_path: Path, cranfield: Cranfield) -> None:
    """In the page, in Markdown and in JSON."""
    for form in ("html", "md", "json"):
        told = cranfield("report", both[0], tmp_path / f"report.{form}", "--card-only", "-m", "P@5")
        assert told.code == 0, told.err
        text = (tmp_path / f"report.{form}").read_text("utf-8")
        left = {f"{what}s": {name: "wrong"} for what, name in GONE.items()}
        assert json.loads(text)["left_out"] == left if form == "json" else "1 run (x: wrong), 1 topic (wrong)" in text


def words_of(command: str, path: Path) -> list[object]:
    words = command.split()
    group = 2 if words[0] in ("pool", "topics") else 1
    return [*words[:group], path, *words[group:], *ANALYSES[command]]


def check(cranfield: Cranfield, several: list[list[object]], left: Mapping[str, object]) -> None:
    """Both give the same, and the first says what it leaves out."""
    told = [cranfield(*words, "--format", "json") for words in several]
    assert [done.code for done in told] == [0, 0], told
    found, expected = (json.loads(done.out) for done in told)
    if isinstance(found, dict):
        assert found.pop("left_out") == left
    else:
        assert "note: left out: " in told[0].err
    assert found == expected
    assert "left out: " not in told[1].err


def test_a_verdict_where_a_document_of_the_pool_is_withdrawn(tmp_path: Path, cranfield: Cranfield) -> None:
    """What comes within its depth then counts as pooled, which is said: as in a store that never had the document."""
    found = []
    for withdrawn in (True, False):
        runs, grades = {tag: rankings()[tag] for tag in "ab"}, labels()
        if not withdrawn:
            runs, grades = {tag: without(own, "d1") for tag, own in runs.items()}, without(grades, "d1")
        (folder := tmp_path / str(withdrawn)).mkdir()
        with Store.create(folder / "track.db", "living") as store:
            add_runs(store, as_runs(runs))
            import_qrels(store, as_qrels(grades), "ada", "human")
        package.pool_build(store.path, depth=DEPTH)
        if withdrawn:
            package.store_withdraw(store.path, "document", "d1", reason="wrong")
            package.store_withdraw(store.path, "topic", GONE["topic"], reason="wrong")
        found.append(cranfield("reusability", store.path, "--format", "json"))
    assert "documents are within depth 3 now that others are withdrawn, and taken as pooled" in found[0].err
    one, other = (json.loads(told.out) for told in found)
    assert one.pop("left_out") == {"topics": {"9": "wrong"}, "documents": {"d1": "wrong"}}
    assert one == other


@pytest.mark.filterwarnings("ignore:left out", "ignore:no verdict")
@pytest.mark.parametrize("gone", [("run", "x"), ("document", "d3"), ("topic", "9")])
def test_a_pool_that_was_chosen_otherwise(tmp_path: Path, gone: tuple[Any, str]) -> None:
    """What a withdrawn run or document helped to choose cannot be rebuilt without it, which is said; a topic leaves."""
    track = store_of(tmp_path / "track.db", True)
    package.pool_build(track, method="rrf", depth=6, budget=4)
    package.store_withdraw(track, *gone, reason="wrong")
    if gone[0] == "topic":
        assert len(package.leave_one_out(track))
        return
    with pytest.raises(InputError, match="what is withdrawn helped to choose it; build another pool, the labels stay"):
        package.leave_one_out(track)
