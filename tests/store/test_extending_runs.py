"""Runs that get more topics: a baseline searched again, a file with new topics; what must stay is refused."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import cranfield as package
from cranfield.store.runs import run_info, submitted_runs
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.real import copied
from tests.stores import new_file

TEXTS = {"d1": "shock waves", "d2": "wing flutter", "d3": "waves of a wing", "d4": "boundary layer"}
TITLES = {"1": "waves", "2": "wing", "3": "flutter", "4": "layer"}


def topics_file(folder: Path, qids: str) -> Path:
    (path := folder / f"topics{qids}.tsv").write_text("".join(f"{qid}\t{TITLES[qid]}\n" for qid in qids))
    return path


@pytest.fixture
def track(tmp_path: Path, cranfield: Cranfield) -> Path:
    """Two topics searched by bm25 and tfidf; two more topics."""
    return copied(_make, tmp_path, cranfield) / "track.db"


def _make(cranfield: Cranfield) -> None:
    path = new_file("track.db", documents=TEXTS, topics={qid: TITLES[qid] for qid in "12"})
    cranfield("search", path, "--system", "bm25,tfidf")
    cranfield("import", "topics", path, topics_file(Path(), "34"))


def rankings(path: Path, tag: str) -> list[tuple[str, str, float]]:
    with Store.open(path) as store:
        runs = submitted_runs(store, [tag])
        qids, docnos = runs.topics.names[runs.topic], runs.docnos.names[runs.document]
        return sorted(zip(qids.tolist(), docnos.tolist(), runs.score.tolist(), strict=True))


@pytest.mark.needs_extra("arrow")
def test_a_baseline_gets_the_new_topics(track: Path, cranfield: Cranfield) -> None:
    """It is then the run of all topics, byte for byte; where nothing is new nothing happens; the log verifies."""
    output = cranfield("search", track, "--system", "bm25")
    assert "older than the newest corpus or topics: bm25; search new topics with --extend" in output.err
    output = cranfield("search", track, "--system", "bm25", "--extend")
    assert (output.code, output.out) == (0, "1 run\n")
    assert "extended by 2 topics: bm25" in output.err
    assert cranfield("search", track, "--system", "bm25", "--tag", "whole").code == 0
    assert rankings(track, "bm25") == rankings(track, "whole")
    assert {qid for qid, *_ in rankings(track, "tfidf")} == {"1", "2"}
    again = cranfield("search", track, "--system", "bm25", "--extend")
    assert (again.out, "without new topics or new results" in again.err) == ("0 runs\n", True)
    with Store.open(track) as store:
        metadata: Any = run_info(store)["bm25"].metadata
        assert [part["topics"] for part in metadata["extended"]] == [["3", "4"]]
        verify(store)
    with pytest.warns(UserWarning, match="extended by 2 topics: tfidf"):
        assert {*package.store.search_corpus(track, systems=["tfidf"], extend=True).frame["query_id"]} == {*TITLES}


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize(
    ("before", "message"),
    [
        (["store", "release", "T", "1.0"], "run 'bm25' is in release 1.0, and releases never change; make another run"),
        (
            ["store", "withdraw", "T", "run", "bm25", "--reason", "bad"],
            "run 'bm25' is withdrawn: bad; restore it with `cranfield store",
        ),
        (["pool", "build", "T", "--method", "mtf"], "run 'bm25' is in pool 1, which mtf built from all its topics"),
        (["import", "corpus", "T", "C"], "run 'bm25' is older than the newest corpus, so its topics would be"),
    ],
)
def test_what_must_stay(track: Path, cranfield: Cranfield, before: Sequence[str], message: str) -> None:
    """Refused in a line; nothing is added to any run."""
    (corpus := track.parent / "corpus.jsonl").write_text(json.dumps({"_id": "d9", "text": "more waves"}) + "\n")
    places = {"T": track, "C": corpus}
    assert cranfield(*(places.get(word, word) for word in before)).code == 0
    same = {tag: rankings(track, tag) for tag in ("bm25", "tfidf")}
    output = cranfield("search", track, "--system", "bm25", "--extend")
    assert (output.code, output.out, output.err.count("error:")) == (1, "", 1)
    assert message in output.err
    assert {tag: rankings(track, tag) for tag in same} == same


@pytest.mark.needs_extra("search")
@pytest.mark.parametrize(
    ("lines", "more", "message"),
    [
        ("3 Q0 d1 1 2 bm25\n1 Q0 d1 1 2 bm25\n", [], "run 'bm25' has answered 1 topic of these: 1; make another run"),
        (
            "3 Q0 d1 1 2 bm25\n",
            ["--teams", "teams.tsv"],
            "run 'bm25' belongs to team 'baseline bm25' in the store and to team 'u'",
        ),
    ],
)
def test_files_that_do_not_fit(track: Path, cranfield: Cranfield, lines: str, more: list[str], message: str) -> None:
    (track.parent / "teams.tsv").write_text("run\tteam\nbm25\tu\n")
    (file := track.parent / "more.run").write_text(lines)
    words = [track.parent / word if word.endswith(".tsv") else word for word in more]
    assert message in cranfield.error("import", "runs", track, file, "--extend", *words)


def test_a_file_with_new_topics(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """The run of both files is that of one; both hashes stay; a run that is not there is added."""
    both = {"a": {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d2": 1.0}}, "b": {"2": {"d3": 1.0}}}
    (first := tmp_path / "first.run").write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n")
    (second := tmp_path / "a.run").write_text("2 Q0 d2 1 1 a\n")
    cranfield("import", "runs", track, first)
    assert "already has a run 'a'" in cranfield("import", "runs", track, second).err
    assert cranfield("import", "runs", track, second, "--extend").out == "1 run, 1 retrieved document\n"
    assert package.store.import_runs(track, {"b": both["b"]}, extend=True).rows()[0]["runs"] == 1
    events = json.loads(cranfield("store", "history", track, "--format", "json").out)
    assert [one["holds"] for one in events if one["what"] == "runs"] == ["1 run", "0 runs, 1 run extended", "1 run"]
    output = cranfield("store", "remove", track, "import", events[-2]["number"].split()[1])
    assert output.err.endswith("it extended run 'a'; remove that run\n")
    for tag, topics in both.items():
        assert rankings(track, tag) == sorted((q, d, s) for q, ranking in topics.items() for d, s in ranking.items())
    with Store.open(track) as store:
        info: Any = run_info(store)["a"]
        assert len({info.sha256, info.metadata["extended"][0]["sha256"], ""}) == 3


@pytest.mark.needs_extra("arrow")
def test_in_a_new_round_each_is_run_again(track: Path, cranfield: Cranfield) -> None:
    cranfield("round", "close", track, "1")
    cranfield("round", "start", track, "2")
    assert cranfield("search", track, "--system", "bm25").out == "1 run\n"
    assert {qid for qid, *_ in rankings(track, "2/bm25")} == {*TITLES}
    assert "already in the store and unchanged: bm25" in cranfield("search", track, "--system", "bm25").err


@pytest.mark.parametrize("words", [["--tag", "x"], ["--tag", "x", "--extend", "--system", "bm25"]])
def test_wrong_usage(track: Path, cranfield: Cranfield, words: list[str]) -> None:
    assert cranfield("search", track, *words).code == 2
