"""What comes into a store and out again: runs, and documents and topics for a store that has labels."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.verify import pooled_pairs
from cranfield.store.runs import add_runs, run_info, stored_runs, unread_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.files import json_file
from tests.real import copied
from tests.stores import new_file, new_store

DOCUMENTS: list[dict[str, Any]] = [
    {"docno": "d1", "title": "Wings", "text": "wings lift", "year": 1958, "by": ["Ada"]},
    {"docno": "d2", "text": "tails steer", "url": "http://d2"},
]
TOPICS: list[dict[str, Any]] = [
    {"qid": "q1", "title": "lift", "description": "What lifts?"},
    {"qid": "q2", "title": "steer"},
]


@pytest.fixture
def track(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of two documents and topics, one of each judged."""
    monkeypatch.chdir(copied(_judged_once, tmp_path, cranfield))
    return tmp_path / "t.db"


def _judged_once(cranfield: Cranfield) -> None:
    Path("qrels").write_text("q1 0 d1 1\n")
    json_file(Path("corpus"), *DOCUMENTS)
    json_file(Path("topics"), *TOPICS)
    for words in (["init", "t.db", "--name", "n"], *(["import", what, "t.db", what] for what in ("corpus", "topics"))):
        assert cranfield(*words).code == 0
    assert cranfield("import qrels t.db qrels --assessor ada").code == 0


def test_what_is_the_same_is_left_alone(track: Path, cranfield: Cranfield) -> None:
    """And counted; what is new is added, whatever the order of the fields of the rest."""
    json_file(
        Path("corpus"), {**dict(reversed(DOCUMENTS[0].items()))}, {"docno": "d3", "text": "noses cut"}, DOCUMENTS[1]
    )
    output = cranfield("import corpus t.db corpus")
    assert (output.code, output.out) == (0, "1 document\n")
    assert "note: 2 documents were already in the store and left unchanged\n" in output.err
    json_file(Path("topics"), *TOPICS, {"qid": "q3", "title": "cut"})
    output = cranfield("import topics t.db topics --format jsonl")
    assert (output.out, output.err) == ("1 topic\n", "note: 2 topics were already in the store and left unchanged\n")
    with Store.open(track) as store:
        assert [document.docno for document in store.documents()] == ["d1", "d2", "d3"]
        assert [topic.qid for topic in store.topics()] == ["q1", "q2", "q3"]
        assert store.search("noses", 1)[0][0] == "d3"
    assert cranfield("store verify t.db").code == 0


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a judged text": ("corpus", {"docno": "d1", "title": "Wings", "text": "wings do not lift"},
        "document 2: docno 'd1' is in the corpus with another text, and has judgments;"
        " import it under another docno"),
    "a judged title": ("corpus", DOCUMENTS[0] | {"title": "Tails"},
        "document 2: docno 'd1' is in the corpus with another title, and has judgments"),
    "metadata": ("corpus", DOCUMENTS[1] | {"year": 1959},
        "document 2: docno 'd2' is in the corpus with other metadata, and belongs to an earlier import;"
        " import it under another docno, or remove that import with `cranfield store remove` first"),
    "twice": ("corpus", {"docno": "new", "text": "again"}, "document 2: docno 'new' is already in the corpus"),
    "a judged topic": ("topics", TOPICS[0] | {"description": "What sinks?"},
        "topic 2: qid 'q1' is in the store with another description, and has judgments;"
        " import it under another qid"),
    "a topic": ("topics", {"qid": "q2", "title": "steers"},
        "topic 2: qid 'q2' is in the store with another title, and belongs to an earlier import"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_change_is_refused(track: Path, cranfield: Cranfield, case: str) -> None:
    """In one line with the remedy; nothing of the file is added."""
    kind, record, what = REFUSED[case]
    json_file(Path("more"), {"docno": "new", "qid": "new", "title": "new", "text": "new"}, record)
    assert cranfield.error("import", kind, "t.db", "more").startswith(f"more: {what}")
    with Store.open(track) as store:
        assert (store.count("document"), store.count("topic")) == (2, 2)


@pytest.mark.full
def test_an_import_that_was_removed_may_come_in_another_text(track: Path, cranfield: Cranfield) -> None:
    """As the error says."""
    json_file(Path("more"), {"docno": "d3", "text": "noses"})
    assert cranfield("import corpus t.db more").code == 0
    json_file(Path("more"), {"docno": "d3", "text": "other noses"})
    assert cranfield("import corpus t.db more").code == 1
    cranfield.run("store remove t.db import 4", "import corpus t.db more")


CORPUS = '{"docno": "d1", "text": "a wing"}\n{"docno": "d2", "text": "wings"}\n{"docno": "d3", "text": "a tail"}\n'
TWO_TOPICS = '{"qid": "q1", "title": "wing"}\n{"qid": "q2", "title": "zebra"}\n{"qid": "q3", "title": "tail"}\n'


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Cranfield:
    """The command line in a folder with a store of documents without titles, and of a topic that nothing answers."""
    monkeypatch.chdir(copied(_without_titles, tmp_path, cranfield))
    return cranfield


def _without_titles(cranfield: Cranfield) -> None:
    Path("corpus").write_text(CORPUS)
    Path("topics").write_text(TWO_TOPICS)
    cranfield.run("init track.db --name small", "import corpus track.db corpus", "import topics track.db topics")


def tags(path: str = "track.db") -> list[str]:
    """The runs of a store."""
    with Store.open(path) as store:
        return list(run_info(store))


@pytest.mark.full
def test_a_baseline_that_retrieves_nothing_is_not_stored(commands: Cranfield) -> None:
    """Without any title there is nothing to find in titles; that is told once, and the run is nowhere after."""
    result = commands("search track.db --system bm25 --system bm25-titles")
    assert (result.code, result.out) == (0, "1 run\n")
    assert result.err == "note: not stored, because they retrieved no documents: bm25-titles\n"
    assert tags() == ["bm25"]
    assert " from 1 run" in commands("pool build track.db --depth 5").out


@pytest.mark.full
def test_search_goes_on_after_a_baseline(commands: Cranfield) -> None:
    """The missing baselines are added, and it says which were there."""
    commands("search track.db --system lsa --system bm25")
    result = commands("search track.db --system bm25 --system tfidf --system fts5")
    assert (result.code, result.out) == (0, "2 runs\n")
    assert result.err == "note: already in the store and unchanged: bm25\n"
    assert tags() == ["lsa", "bm25", "tfidf", "fts5"]
    again = commands("search track.db --system bm25")
    assert (again.code, again.out) == (0, "0 runs\n")


@pytest.mark.needs_extra("search")
def test_a_run_that_is_called_as_a_baseline_is_told_apart(commands: Cranfield) -> None:
    """Somebody's own bm25 is no baseline."""
    Path("mine").write_text("q1 Q0 d1 1 9 bm25\n")
    commands("import runs track.db mine")
    result = commands("search track.db --system bm25 --system tfidf")
    assert result.out == "1 run\n"
    assert result.err == "note: skipped, because runs of other teams have these names: bm25\n"


@pytest.mark.full
@pytest.mark.parametrize(("lacks", "has"), [("corpus", "topics"), ("topics", "corpus")])
def test_nothing_to_search_is_said(commands: Cranfield, lacks: str, has: str) -> None:
    """Without documents or without topics there are no runs, and certainly not fourteen empty ones."""
    commands.run("init bare.db --name bare", f"import {has} bare.db {has}")
    result = commands("search bare.db")
    assert (result.code, result.out) == (1, "")
    adds = f"`cranfield import {lacks}` adds {'it' if lacks == 'corpus' else 'them'}"
    assert result.err == f"error: bare.db: no {lacks} in this store to search; {adds}\n"


def test_a_run_of_nothing_is_refused(commands: Cranfield) -> None:
    """Whoever adds it: a store has no empty run."""
    with Store.open("track.db") as store, pytest.raises(InputError, match="run 'b' retrieved no documents"):
        add_runs(store, as_runs({"a": {"q1": {"d1": 1.0}}, "b": {}}))
    assert tags() == []


EVEN = r"note: .* and 8 other files: all documents of a topic have the same score, so they are ordered by .*\n"


@pytest.mark.full
def test_a_topic_that_a_run_did_not_answer_survives(commands: Cranfield) -> None:
    """Out of a store and into another: the same rankings, the same scores over all topics."""
    Path("qrels").write_text("q1 0 d1 1\nq2 0 d3 1\nq3 0 d3 1\n")
    commands.run(
        "search track.db",
        "import qrels track.db qrels",
        "export runs track.db runs",
        "export topics track.db out.topics --format jsonl",
        "export corpus track.db out.corpus",
        "export qrels track.db out.qrels",
        "init again.db --name again",
    )
    files = sorted(Path("runs").iterdir())
    for what in (
        "corpus out.corpus --format jsonl",
        "topics out.topics --format jsonl",
        f"runs {' '.join(map(str, files))}",
        "qrels out.qrels",
    ):
        kind, _, paths = what.partition(" ")
        result = commands(f"import {kind} again.db {paths}")
        assert result.code == 0
        assert re.fullmatch(EVEN if kind == "runs" else "", result.err)
    assert len(files) == 13
    assert commands("evaluate track.db -m AP -m NumQ").out == commands("evaluate again.db -m AP -m NumQ").out
    with Store.open("track.db") as one, Store.open("again.db") as other:
        assert rows(one, "bm25") == rows(other, "bm25") != []


def rows(store: Store, tag: str) -> list[tuple[str, str, float]]:
    runs = stored_runs(store, [tag])
    names = runs.topics.names[runs.topic].tolist(), runs.docnos.names[runs.document].tolist()
    return list(zip(*names, runs.score.tolist(), strict=True))


def empty(tag: str) -> None:
    """A run without a ranking, as version 0.1 stored it."""
    with Store.open("track.db") as store:
        row = {"tag": tag, **RunInfo("baseline bm25")._asdict(), "imported": ""}
        store.db.table("run").insert(row)


@pytest.mark.needs_extra("search")
def test_an_old_empty_run_has_no_file(commands: Cranfield) -> None:
    """An exported file is never one that the import refuses."""
    commands("search track.db --system bm25")
    empty("silent")
    result = commands("export runs track.db runs")
    assert result == (0, "1 run\n", "note: no file is written for runs that retrieved nothing: silent\n")
    assert [file.name for file in Path("runs").iterdir()] == ["bm25.run"]


def test_two_runs_never_share_a_file(commands: Cranfield) -> None:
    """A slash in a tag becomes an underscore, which another run may have."""
    Path("one").write_text("q1 Q0 d1 1 9 a/b\n")
    Path("two").write_text("q1 Q0 d2 1 9 a_b\n")
    commands("import runs track.db one two")
    result = commands("export runs track.db out")
    assert (result.code, result.out) == (0, "2 runs\n")
    line = "note: 1 of 2 runs is in a file not named after its tag: 'a/b' is in a_b-c14cddc0.run\n"
    assert result.err.startswith(line)
    assert {path.name for path in Path("out").iterdir()} == {"a_b.run", "a_b-c14cddc0.run"}


@pytest.fixture
def anserini(commands: Cranfield) -> Cranfield:
    """Two files whose lines have one tag, and a store that has it already."""
    for name, docno in (("one.run", "d1"), ("two.run", "d2"), ("three.run", "d3")):
        Path(name).write_text(f"q1 Q0 {docno} 1 9 Anserini\n")
    assert commands("import runs track.db three.run").code == 0
    return commands


@pytest.mark.full
def test_files_that_share_a_tag_are_told_apart_aloud(anserini: Cranfield) -> None:
    """Their runs are called by the names of the files, and that is told."""
    result = anserini("import runs track.db one.run two.run")
    assert result.out == "2 runs, 2 retrieved documents\n"
    assert result.err == "note: 2 files have the tag 'Anserini'; their runs are named after the files\n"
    assert tags() == ["Anserini", "one", "two"]


def test_several_tags_in_a_file_are_named(commands: Cranfield) -> None:
    """All lines are the run of the last line's tag, as in trec_eval."""
    Path("two.run").write_text("q1 Q0 d1 1 9 one\nq1 Q0 d2 2 8 two\n")
    line = "two.run: all lines are read as one run with the last line's tag 'two'; 1 other tag: 'one'; if these are"
    assert commands("import runs track.db two.run").err == f"note: {line} several runs, give each in its own file\n"
    assert tags() == ["two"]


@pytest.mark.full
def test_a_clash_names_the_way_out(anserini: Cranfield) -> None:
    """The error suggests both options; each of them works."""
    result = anserini("import runs track.db one.run")
    remedy = "set another tag with --tag NAME or --tag-from-name"
    assert (result.code, result.err) == (1, f"error: one.run: the store already has a run 'Anserini'; {remedy}\n")
    anserini.run("import runs track.db one.run --tag bm25-rm3", "import runs track.db two.run --tag-from-name")
    assert tags() == ["Anserini", "bm25-rm3", "two"]
    with Store.open("track.db") as store:
        assert rows(store, "bm25-rm3") == [("q1", "d1", 9.0)]
        assert run_info(store)["bm25-rm3"].team == "bm25-rm3"


def test_a_name_given_that_is_taken_is_refused(anserini: Cranfield) -> None:
    """So are two files of one name under --tag-from-name; the store stays as it was."""
    result = anserini("import runs track.db one.run --tag Anserini")
    assert result.err.endswith("the store already has a run 'Anserini'; set another --tag\n")
    Path("other").mkdir()
    Path("other/one.run").write_text("q1 Q0 d2 1 9 x\n")
    result = anserini("import runs track.db one.run other/one.run --tag-from-name")
    again = "the tag 'one' is also used by one.run; import one of them separately with --tag NAME"
    assert (result.code, result.err) == (1, f"error: other/one.run: {again}\n")
    assert tags() == ["Anserini"]


@pytest.mark.parametrize("options", [["--tag", "x", "two.run"], ["--tag", "x", "--tag-from-name"], ["--tag", "a b"]])
def test_a_tag_is_one_word_for_one_run(anserini: Cranfield, cranfield: Cranfield, options: list[str]) -> None:
    """Anything else is wrong usage."""
    assert cranfield("import", "runs", "track.db", "one.run", *options).code == 2
    assert tags() == ["Anserini"]


def test_a_name_that_no_run_file_could_hold(tmp_path: Path, cranfield: Cranfield) -> None:
    """A tag is refused: no run file could be written; files alone are scored. Of a topic's id there is a note."""
    track = new_file(tmp_path / "new.db")
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq 1,d1,1\n")
    (tmp_path / "run.csv").write_text("run,query_id,doc_id,score\nmy run,q 1,d1,1\n")
    (tmp_path / "topics.jsonl").write_text(json.dumps({"_id": "q 1", "text": "wings"}))
    output = cranfield("import", "runs", track, tmp_path / "run.csv")
    assert (output.code, "run.csv: run tag 'my run' has white space, which run" in output.err) == (1, True), output
    assert cranfield("evaluate", tmp_path / "qrels.csv", tmp_path / "run.csv").code == 0
    output = cranfield("import", "topics", track, tmp_path / "topics.jsonl")
    assert (output.code, "1 id of topics contain white space, for example 'q 1'; TREC run" in output.err) == (
        0,
        True,
    ), output
    with Store.open(track) as store:
        assert (store.count("run"), store.count("topic")) == (0, 1)


@pytest.mark.full
def test_a_baseline_older_than_the_topics_is_said(commands: Cranfield) -> None:
    """What came since is not in its run; taken back and searched again, it is."""
    commands("search track.db --system bm25")
    Path("more").write_text('{"qid": "q4", "title": "wings"}\n')
    commands("import topics track.db more")
    result = commands("search track.db --system bm25 --system tfidf")
    assert result.err.splitlines() == [
        "note: already in the store and unchanged: bm25",
        "note: older than the newest corpus or topics: bm25;"
        " search new topics with --extend, or all topics again with --tag NAME",
    ]
    commands("store remove track.db run bm25")
    assert commands("search track.db --system bm25") == (0, "1 run\n", "")
    with Store.open("track.db") as store:
        assert "q4" in {qid for qid, _, _ in rows(store, "bm25")}


@pytest.mark.full
@pytest.mark.parametrize("what", ["corpus", "topics", "runs", "qrels", "beir"])
def test_a_file_of_nothing_is_not_written(commands: Cranfield, what: str) -> None:
    """The import would refuse it."""
    commands("init bare.db --name bare")
    assert commands.error(f"export {what} bare.db out").startswith(
        ("bare.db: no ", "out: there are no labels to write")
    )
    assert not Path("out").exists()


@pytest.mark.full
def test_unread_runs_are_the_runs(tmp_path: Path, connections: list[sqlite3.Connection]) -> None:
    """All of them or some, whole or in parts, also once the store is closed: it is opened once for all parts."""
    rankings = {f"r{run}": {f"q{run % 3}": {"d1": 1.0, f"d{run}": 2.0}, "q9": {"d7": 0.5}} for run in range(9)}
    with new_store(tmp_path / "a.db", runs=rankings) as store:
        runs, expected = unread_runs(store), stored_runs(store)
        none, qrels = runs.select([]), as_qrels({"q0": {"d1": 1}, "q9": {"d7": 2, "d8": 0}})
        assert len(none) == 0
        assert join_runs_and_qrels(none, qrels).shape == (0, 2)
    some = runs.select(["r7", "r2"])
    assert (some.tags, len(some)) == (("r2", "r7"), len(expected.select(["r2", "r7"])))
    before = len(connections)
    assert [len(part.tags) for part in runs.parts()] == [4, 4, 1]
    assert len(connections) == before + 1
    for name in ("ranking", "rank", "grade", "judgment", "retrieved"):
        assert np.array_equal(
            getattr(join_runs_and_qrels(runs, qrels), name), getattr(join_runs_and_qrels(expected, qrels), name)
        )
    for name in ("run", "topic", "document", "score", "rank", "starts"):
        assert np.array_equal(getattr(runs, name), getattr(expected, name))
    assert [part.tags for part in runs.parts()] == [runs.tags]
    assert pooled_pairs(runs, qrels, np.arange(9)) == pooled_pairs(expected, qrels, np.arange(9))
