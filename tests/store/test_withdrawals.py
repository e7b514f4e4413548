"""What is withdrawn, and sets of topics: every analysis leaves the rest out, says so, and equals a store without it."""

import json
import sqlite3
from pathlib import Path

import pytest

import cranfield as package
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.judging.labels.policies import apply_policy
from cranfield.selection import LeftOut, Selection
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import run_info, stored_runs, unread_runs
from cranfield.store.store import Store
from cranfield.store.topic_sets import find_topic_set, set_rows, store_topic_set
from cranfield.store.verification import verify
from cranfield.store.withdrawals import restore, withdraw
from tests.conftest import Cranfield
from tests.files import qrels_lines, run_lines
from tests.stores import new_file, new_store

RUNS = {
    "a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "2": {"d4": 2.0, "d1": 1.0}},
    "b": {"1": {"d3": 2.0, "d5": 1.0}, "2": {"d1": 2.0, "d2": 1.0}},
}
GRADES = {"1": {"d1": 1, "d2": 0, "d3": 1, "d5": 0}, "2": {"d1": 0, "d4": 1}}


@pytest.fixture
def track(tmp_path: Path) -> Path:
    return new_file(tmp_path / "track.db", runs=RUNS, qrels={"official": GRADES})


def as_dicts(runs: Runs) -> dict[str, dict[str, list[str]]]:
    rankings: dict[str, dict[str, list[str]]] = {}
    for run, topic, document in zip(
        runs.run, runs.topics.names[runs.topic], runs.docnos.names[runs.document], strict=True
    ):
        rankings.setdefault(runs.tags[run], {}).setdefault(topic, []).append(document)
    return rankings


def pairs(qrels: Qrels) -> set[tuple[str, str]]:
    return {*zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True)}


@pytest.mark.parametrize(
    ("what", "name", "line"),
    [
        ("run", "b", "1 run (b: wrong)"),
        ("topic", "2", "1 topic (wrong)"),
        ("document", "d1", "1 document (wrong)"),
    ],
)
def test_what_is_withdrawn_counts_nowhere(track: Path, cranfield: Cranfield, what: str, name: str, line: str) -> None:
    """Runs, rows and labels are those of files without it; restored, all is as it was; nothing is deleted."""
    runs = {
        tag: {qid: [d for d in omitted if (what, d) != ("document", name)] for qid, omitted in topics.items()
              if (what, qid) != ("topic", name)}
        for tag, topics in RUNS.items() if (what, tag) != ("run", name)
    }  # fmt: skip
    judged = {
        (q, d)
        for q, omitted in GRADES.items()
        for d in omitted
        if name not in {"topic": q, "document": d}.get(what, "")
    }
    before = cranfield("evaluate", track, "--format", "json").out
    assert cranfield("store", "withdraw", track, what, name, "--reason", "wrong").out == f"{what} {name}: withdrawn\n"
    omitted = LeftOut()
    with Store.open(track) as whole:
        store = whole.select(Selection(), omitted)
        assert as_dicts(stored_runs(store)) == as_dicts(unread_runs(store).loaded) == runs
        assert pairs(qrels_of(store)) == {*apply_policy(store).labels} == judged
        assert omitted.line == f"left out: {line}"
        assert verify(store).events == 6
    output = cranfield("evaluate", track, "-m", "AP")
    assert output.out.splitlines()[-1] == f"left out: {line}"
    assert json.loads(cranfield("evaluate", track, "--format", "json").out)["left_out"] == {f"{what}s": {name: "wrong"}}
    assert cranfield("store", "withdraw", track, what, name, "--reason", "x").err.endswith(
        "is already withdrawn: wrong\n"
    )
    assert cranfield("store", "restore", track, what, name).code == 0
    events = json.loads(cranfield("store", "history", track, "--format", "json").out)
    assert [(one["what"], one["name"], one["reason"]) for one in events] == [(what, name, "wrong"), (what, name, "")]
    assert cranfield("evaluate", track, "--format", "json").out == before
    assert cranfield("store", "restore", track, what, name).err.endswith("is not withdrawn\n")


@pytest.mark.full
def test_a_pool_loses_what_only_a_withdrawn_run_brought(track: Path, cranfield: Cranfield) -> None:
    """Nobody is to judge it any more; a pool that is built afterwards does not have it, the labels stay."""
    cranfield("pool", "build", track, "--depth", 2)
    cranfield("assign", track, "--assessor", "ada")
    cranfield("store", "withdraw", track, "run", "b", "--reason", "wrong index")
    rows = json.loads(cranfield("pool", "show", track, "--format", "json").out)
    assert {row["topic"]: row["documents"] for row in rows} == {"1": 2, "2": 2, "all": 4}
    with Store.open(track) as store:
        assert store.rows("SELECT count(*) FROM assigned") == [(4,)]
        assert len(qrels_of(store)) == 6
    cranfield("pool", "build", track, "--depth", 2)
    assert cranfield("pool", "diff", track, 1, 2).code == 0
    with Store.open(track) as store:
        of_a = {("1", "d1"), ("1", "d2"), ("2", "d4"), ("2", "d1")}
        assert {(one.qid, one.docno) for one in stored_pool(store).documents} == of_a
        restore(store, "run", ["b"])
        assert {(one.qid, one.docno) for one in stored_pool(store, 1).documents} > of_a
        assert list(run_info(store)) == ["a", "b"]


@pytest.mark.full
def test_releases_keep_what_was_withdrawn_later(track: Path, cranfield: Cranfield) -> None:
    cranfield("store", "release", track, "1.0")
    output = cranfield("store", "withdraw", track, "run", "b", "--reason", "late")
    assert output.out == "run b: withdrawn; release 1.0 keeps it\n"
    assert "b" in cranfield("evaluate", f"{track}@1.0", "-m", "AP").out.split()
    with Store.open(track) as store:
        assert verify(store).releases == 1


def test_who_withdrew_is_kept_and_can_be_erased(track: Path, cranfield: Cranfield) -> None:
    """With the reason, in the history; her name goes with her, and the log still verifies."""
    assert cranfield("store", "withdraw", track, "run", "b", "--reason", "wrong", "--by", "Quill").code == 0
    package.store.restore(track, "run", "b", reason="it was right", by="ada")
    happenings = json.loads(cranfield("store", "history", track, "--format", "json").out)
    assert [(one["reason"], one["by"]) for one in happenings] == [("wrong", "Quill"), ("it was right", "ada")]
    assert cranfield("store", "erase", track, "assessor", "Quill", "--reason", "asked").code == 0
    assert package.store.list_history(track).frame["by"].tolist() == ["erased 1", "ada"]
    assert b"Quill" not in track.read_bytes()
    assert cranfield("store", "verify", track).code == 0


@pytest.mark.full
def test_sets_of_topics(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """By name, by version and by file; on a store and on files; the other topics are left out and said."""
    (tmp_path / "dev.txt").write_text("2\n")
    assert cranfield("topics", "set", track, "dev", tmp_path / "dev.txt").out == "dev, version 1: 1 topic\n"
    whole = json.loads(cranfield("evaluate", track, "-m", "AP", "--per-topic", "--format", "json").out)["scores"]
    second = {one["run"]: one["value"] for one in whole if one["query_id"] == "2"}
    for name in ("dev", "dev@1", tmp_path / "dev.txt"):
        document = json.loads(cranfield("evaluate", track, "-m", "AP", "--topics", name, "--format", "json").out)
        assert {one["run"]: one["value"] for one in document["scores"]} == second
        assert document["left_out"] == {f"topics not in {name}": 1}
    with Store.open(track) as store:
        assert store_topic_set(store, "dev", ["1"]).version == 2
        assert find_topic_set(store, "dev@1").topics == ("2",)
        of_set = store.select(Selection(topics="dev"))
        assert pairs(qrels_of(of_set)) == {("1", d) for d in GRADES["1"]}
    more = {"diagnose": "b", "report": str(tmp_path / "r.html")}
    for command in ("compare", "reusability", "depths", "diagnose", "stability", "report"):
        words = [more[command]] if command in more else []
        assert cranfield(command, track, *words, "--topics", "nowhere").err.endswith("available: dev\n"), command
    files = [tmp_path / "q.txt", tmp_path / "a.run"]
    files[0].write_text(qrels_lines(GRADES))
    files[1].write_text(run_lines("a", RUNS["a"]))
    document = json.loads(
        cranfield("evaluate", *files, "-m", "AP", "--topics", tmp_path / "dev.txt", "--format", "json").out
    )
    assert (document["scores"][0]["value"], document["topics"]) == (second["a"], 1)


def test_folds_are_sets(track: Path, cranfield: Cranfield) -> None:
    assert cranfield("topics", "list", track).out.startswith("The store has no topic sets. Use `cranfield topics set`")
    assert cranfield("topics", "split", track, "fold", "--folds", 2, "--seed", 1).out.count("1 topic") == 2
    folds = json.loads(cranfield("topics", "list", track, "--format", "json").out)
    assert sorted(one["members"] for one in folds) == ["1", "2"]
    assert {one["from"] for one in folds} == {"2 folds, seed 1"}


def test_members_are_listed_by_their_numbers() -> None:
    qids = ["10", "q10", "2", "q9", "1"]
    with new_store(topics=qids) as store:
        store_topic_set(store, "dev", qids)
        assert [one["members"] for one in set_rows(store)] == ["1 2 10 q9 q10"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["topics", "set", "T", "common", "F"], "'common' is reserved, because --topics common has another meaning"),
        (["topics", "set", "T", "dev", "F"], "topic '10' is not in the store; did you mean 1?"),
        (["topics", "split", "T", "f", "--folds", "3"], "3 folds of 2 topics; expected 2 to 2"),
        (["evaluate", "T", "--topics", "F"], "none of the topics of"),
        (["store", "withdraw", "T", "run", "c", "--reason", "x"], "no run 'c' in this store"),
        (
            ["store", "withdraw", "T", "run", "a", "--reason", " "],
            "a withdrawal needs a reason, which every table shows",
        ),
    ],
)
def test_bad_input(track: Path, tmp_path: Path, cranfield: Cranfield, words: list[str], message: str) -> None:
    (tmp_path / "f.txt").write_text("10\n")
    assert message in cranfield.error(*({"T": track, "F": tmp_path / "f.txt"}.get(word, word) for word in words))


def test_withdrawals_are_append_only(track: Path, cranfield: Cranfield) -> None:
    """All runs may be withdrawn; then there is nothing to score, which is said."""
    with Store.open(track) as store:
        withdraw(store, "run", ["a", "b"], "test")
        for statement in ("UPDATE withdrawal SET reason = ''", "DELETE FROM withdrawal"):
            with pytest.raises(sqlite3.IntegrityError, match="withdrawal is append-only"):
                store.conn.execute(statement)
    assert cranfield("evaluate", track).err.endswith("all runs of this store are withdrawn\n")


@pytest.mark.needs_extra("serve")
@pytest.mark.full
def test_pages_and_reports_say_what_is_left_out(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Who is withdrawn, and why; nothing where all counts."""
    from cranfield.web.look.table import answer

    page = tmp_path / "report.html"
    for withdrawn in (False, True):
        if withdrawn:
            cranfield("store", "withdraw", track, "run", "b", "--reason", "wrong index")
        assert cranfield("report", track, page).code == 0
        assert ("1 run (b: wrong index)" in page.read_text()) == withdrawn
        with Store.open(track) as store:
            systems = answer(store, "systems", "", [("measures", "AP")]).text()
            assert ("Left out: 1 run (b: wrong index)." in systems) == withdrawn
            document = json.loads(answer(store, "systems", "json", [("measures", "AP")]).text())
            assert document.get("left_out") == ({"runs": {"b": "wrong index"}} if withdrawn else None)
