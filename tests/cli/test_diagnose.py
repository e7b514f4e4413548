"""cranfield diagnose: on plain files, on a store, and what it hands out to be judged."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cranfield.cli import program
from cranfield.store.pools import stored_pool
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.text import counted
from tests.conftest import ROOT, Cranfield, Result

RUN_A = "q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq2 Q0 e1 1 9 a\nq2 Q0 e2 2 8 a\n"
RUN_B = "q1 Q0 d2 1 9 b\nq1 Q0 d3 2 8 b\nq2 Q0 e1 1 9 b\nq2 Q0 e3 2 8 b\n"
NEW = "q1 Q0 x1 1 9 new\nq1 Q0 d1 2 8 new\nq2 Q0 x2 1 9 new\nq2 Q0 e2 2 8 new\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 1\nq2 0 e1 1\nq2 0 e2 0\nq2 0 e3 0\n"
TOPICS = '{"qid": "q1", "title": "one"}\n{"qid": "q2", "title": "two"}\n'
DOCNOS = ["d1", "d2", "d3", "e1", "e2", "e3", "x1"]
CORPUS = "".join(json.dumps({"docno": docno, "text": f"about {docno}"}) + "\n" for docno in DOCNOS)

Diagnose = Callable[[str], Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two pooled runs, a new one, judgments, topics and a corpus that lacks x2."""
    files = {"a": RUN_A, "b": RUN_B, "new": NEW, "qrels": QRELS, "topics": TOPICS, "corpus": CORPUS}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "teams.tsv").write_text("run\tteam\tkind\tpooled\na\tx\tautomatic\tyes\nb\ty\tautomatic\tyes\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def track(folder: Path, cranfield: Cranfield) -> Path:
    """The same in a store, pooled to depth 2."""
    cranfield.run("init track.db --name small", "import corpus track.db corpus", "import topics track.db topics",
                  "import runs track.db a b", "pool build track.db --depth 2",
                  "import qrels track.db qrels")  # fmt: skip
    return folder / "track.db"


@pytest.fixture
def diagnose(folder: Path, cranfield: Cranfield) -> Diagnose:
    """The command, as a function of its words."""
    return lambda words: cranfield(f"diagnose {words}")


def as_json(diagnose: Diagnose, words: str) -> Any:
    result = diagnose(f"{words} --format json")
    assert result.code == 0, result
    return json.loads(result.out)


def test_the_tables_and_the_verdict(diagnose: Diagnose) -> None:
    """The hole profile, the scores with what each column is, the left-out runs, and sentences; the verdict is last."""
    out = diagnose("qrels a b new --depth 2").out
    assert out.startswith("run new on 2 topics; pool depth 2, 2 pooled runs\n")
    for word in ("of pooled runs", "judged only", "low, all", "Webber-Park", "Lipani", "high, ideal kept", "left out"):
        assert word in out
    assert "  judged only: over judged documents only" in out
    assert "It has 2 unjudged documents in its first 2; 0 of 2 topics have none." in out
    assert out.splitlines()[-1].startswith("Verdict: not fair. Similar pooled runs change by ")


def test_the_json_is_the_documented_shape(diagnose: Diagnose) -> None:
    """The keys are those of docs/json.md, and the numbers those of a case done by hand."""
    document = as_json(diagnose, "qrels a b new --depth 2 -m P@2 -m AP --against b --by team --teams teams.tsv")
    assert list(document) == [
        "run", "topics", "depth", "by", "pooled_runs", "gaps", "scores", "expected", "against", "verdict"
    ]  # fmt: skip
    assert (document["run"], document["topics"], document["depth"], document["by"], document["pooled_runs"]) == (
        "new",
        2,
        2,
        "team",
        2,
    )
    assert document["gaps"]["profile"][0] == {"k": 1, "judged": 0, "judged_pooled": 1, "relevant": 0}
    score = document["scores"][0]
    assert (score["measure"], score["score"], score["low"], score["high"]) == ("P@2", 0.25, 0.25, 0.75)
    assert (score["condensed"], score["common_topics"], score["high_ideal_kept"]) == (0.25, None, None)
    assert document["expected"][0]["nearest"][0].keys() == {"unit", "run", "unjudged", "full", "without", "loss"}
    against = document["against"]
    assert (against["run"], against["measure"], against["outcome"], against["unjudged"]) == ("b", "P@2", "open", 2)
    assert against["to_judge"][0].keys() == {"query_id", "doc_id", "speaks_if_relevant"}
    page = (ROOT / "docs/json.md").read_text().split("## diagnose")[1].split("##")[0]
    parts = (
        document,
        document["gaps"],
        document["gaps"]["profile"][0],
        score,
        document["expected"][0],
        against,
        against["chance"],
    )
    keys = {key for part in (*parts, document["expected"][0]["nearest"][0], against["to_judge"][0]) for key in part}
    assert keys == set(re.findall(r'"(\w+)":', page))


def test_with_no_other_run_it_tells_what_it_can(diagnose: Diagnose) -> None:
    result = diagnose("qrels new -m P@2")
    assert result.code == 0
    assert "no pool to compare with" in result.out
    assert result.out.endswith("Verdict: unknown. Without pooled runs to leave out, there are only bounds.\n")


def test_a_store_and_its_files_say_the_same(track: Path, diagnose: Diagnose, cranfield: Cranfield) -> None:
    """The store knows its pool's depth. A run that it holds is meant by its tag, whatever file is called so."""
    by_file = as_json(diagnose, "track.db new --against b")
    assert by_file == as_json(diagnose, "qrels a b new --against b --depth 2")
    assert cranfield("import runs track.db new").code == 0
    Path("new").write_text(RUN_A.replace(" a\n", " other\n"))
    assert as_json(diagnose, "track.db new --against b") == by_file
    Path("new").rename("file")
    Path("file").write_text(NEW)
    assert as_json(diagnose, "track.db file")["run"] == "file"


def test_what_to_judge_goes_to_a_file(diagnose: Diagnose) -> None:
    """By topic and docno; judging it as it speaks decides, which the next call says."""
    against = as_json(diagnose, "qrels a b new --depth 2 --against b --pool-out list.tsv")["against"]
    documents = against["to_judge"]
    lines = Path("list.tsv").read_text().splitlines()
    assert lines[0] == "qid\tdocno"
    assert lines[1:] == sorted(f"{d['query_id']}\t{d['doc_id']}" for d in documents)
    labels = [f"{d['query_id']} 0 {d['doc_id']} {int(d['speaks_if_relevant'])}\n" for d in documents]
    Path("qrels").write_text(QRELS + "".join(labels))
    after = diagnose("qrels a b new --depth 2 --against b --pool-out list.tsv")
    assert "and no judgment can change that" in after.out
    assert after.out.endswith("0 documents to judge in list.tsv\n")


def test_what_to_judge_becomes_a_pool(track: Path, diagnose: Diagnose, cranfield: Cranfield) -> None:
    """It holds the earlier pool, keeps its depth, and says which documents have no text to judge by."""
    result = diagnose("track.db new --against a --store-pool")
    assert result.code == 0, result
    with Store.open(track) as store:
        before, after = stored_pool(store, 1), stored_pool(store)
        assert list(run_info(store)) == ["a", "b"]
    more = {(d.qid, d.docno) for d in after.documents} - {(d.qid, d.docno) for d in before.documents}
    assert (after.method, after.parameters["depth"], after.parameters["holds"]) == ("mtc", 2, 1)
    assert after.parameters["decides"] == ["new", "a"]
    assert set(before.documents) < set(after.documents)
    assert more <= {("q1", "x1"), ("q2", "x2")}
    assert f"pool 2: {counted(len(more), 'document')} to judge besides those of pool 1" in result.out
    assert ("for lack of text" in result.out) == (("q2", "x2") in more)
    cranfield.run("pool show track.db", "pool show track.db --by run", "pool diff track.db 1 2")
    assert as_json(diagnose, "track.db new")["depth"] == 2


def test_a_pool_that_is_not_of_a_depth_is_told(track: Path, cranfield: Cranfield) -> None:
    """The depth is then found in the judgments, which the reader should know; asked for, there is nothing to tell."""
    assert cranfield("pool build track.db --method take --budget 2").code == 0
    output = cranfield("diagnose track.db new")
    assert output.code == 0
    assert output.err.startswith("note: pool 2 was built by take, not to a depth; unjudged documents begin ")
    assert cranfield("diagnose track.db new --depth 2").err == ""
    cranfield.run("pool build track.db --depth 2", "import runs track.db new", "pool extend track.db --depth 1")
    assert cranfield("diagnose track.db new").err.startswith("note: pool 4 was built to several depths; ")
    assert "error: the pool was built to several depths; --depth K" in cranfield("depths track.db").err


def test_a_pool_that_is_a_sample_is_left_alone(track: Path, diagnose: Diagnose, cranfield: Cranfield) -> None:
    """More documents would make its probabilities wrong."""
    output = cranfield("pool build track.db --method uniform --budget 2")
    assert output.code == 0, output.err
    result = diagnose("track.db new --against a --depth 2 --store-pool")
    assert result.err.startswith("error: track.db: pool 2 is a sample (uniform)")


@pytest.mark.parametrize(
    ("words", "measure", "shortest"), [("", "AP@2", False), ("-m nDCG -m RBP", "RBP@2", True), ("-m P@3", "P@3", True)]
)
def test_the_first_measure_that_can_be_is_decided(diagnose: Diagnose, words: str, measure: str, shortest: bool) -> None:
    """By default AP; cut at the pool's depth unless it has a cutoff of its own."""
    against = as_json(diagnose, f"qrels a b new --depth 2 --against b {words}")["against"]
    assert (against["measure"], against["shortest"]) == (measure, shortest)
    assert against["chance"]["better"] + against["chance"]["worse"] + against["chance"]["equal"] == pytest.approx(1)
    assert against["least"] < against["chance"]["expected"] < against["most"]
    output = diagnose(f"qrels a b new --depth 2 --against b {words}").out
    assert f"Against b: {measure} differs by " in output
    assert "If those are relevant as often as one pooled run's unique documents (" in output
    assert ("No list is shorter." in output) == shortest
    assert ("Below the pool's depth fewer are relevant." in output) == measure.endswith("@3")


def test_where_nothing_was_brought_by_one_alone_all_judged_documents_tell_the_chances(diagnose: Diagnose) -> None:
    """Both old runs are alike; then the topic's judged documents stand in, which is said."""
    Path("b").write_text(RUN_A.replace(" a\n", " b\n"))
    assert as_json(diagnose, "qrels a b new --depth 2 --against b")["against"]["chance"]["of"] == "judged"
    assert (
        "relevant as often as the judged documents of their topics ("
        in diagnose("qrels a b new --depth 2 --against b").out
    )


def test_near_duplicates_can_be_left_out_together(diagnose: Diagnose) -> None:
    assert as_json(diagnose, "qrels a b new --depth 2 --by cluster")["by"] == "cluster"


def test_a_run_without_gaps_has_nothing_to_lose(diagnose: Diagnose) -> None:
    """No forecast, and the verdict says so."""
    Path("new").write_text(RUN_A.replace(" a\n", " new\n"))
    output = diagnose("qrels a b new --depth 2 --against b").out
    assert "Verdict: fair to depth 2 on 2 topics. All of its first 2 documents are judged.\n" in output
    assert "most similar gaps" not in output
    assert "as judged.\n\nIt is " in output
    Path("first").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 e1 1\n")
    output = diagnose("first a b new --depth 1").out
    assert "\nIts first document is judged in each topic, like those of a pooled run.\n" in output
    assert "Verdict: fair to depth 1 on 2 topics. Its first document is judged in each topic." in output


def test_fair_only_as_deep_as_the_pool(diagnose: Diagnose) -> None:
    """Below it the run is unjudged: so it says how much is judged, and which of the measures look there."""
    lines = [f"{qid} Q0 z{n} 0 {-n} new\n" for qid in ("q1", "q2") for n in range(1, 19)]
    Path("new").write_text(RUN_A.replace(" a\n", " new\n") + "".join(lines))
    fair = "Verdict: fair to depth 2 on 2 topics. All of its first 2 documents are judged."
    output = diagnose("qrels a b new --depth 2 -m AP -m P@2 -m P@3").out
    deepest = as_json(diagnose, "qrels a b new --depth 2")["gaps"]["profile"][-1]
    assert deepest["judged"] < 0.5
    assert (
        f"{fair} Below that it is not known: of its first {deepest['k']} documents {deepest['judged']:.0%} are"
        in output
    )
    assert "and AP and P@3 count the others as not relevant." in output
    assert diagnose("qrels a b new --depth 2 -m P@2").out.endswith(f"{fair}\n")


def test_where_pooled_runs_score_nothing_nothing_is_known(diagnose: Diagnose) -> None:
    output = diagnose("qrels a b new --depth 2 -m P(rel=3)@2").out
    assert output.endswith("Similar pooled runs have nothing to lose: they score 0 in P(rel=3)@2.\n")


def test_sentences_are_as_wide_as_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """In a pipe they are one line each."""
    monkeypatch.setenv("COLUMNS", "80")
    words = ["diagnose", "qrels", "a", "b", "new", "--depth", "2", "--against", "b"]
    program.app(words, standalone_mode=False)
    assert max(map(len, capsys.readouterr().out.splitlines())) > 120
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    program.app(words, standalone_mode=False)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(len, plain.splitlines())) <= 80


def test_a_count_is_summed_over_topics(diagnose: Diagnose) -> None:
    """And not adjusted, as a mean may be."""
    (score,) = as_json(diagnose, "qrels a b new --depth 2 -m NumRelRet")["scores"]
    assert (score["score"], score["low"], score["high"], score["webber_park"]) == (1, 1, 3, None)


def test_common_topics_are_checked(diagnose: Diagnose) -> None:
    """A topic is common only if the run was judged there."""
    refusal = diagnose("qrels a b new --depth 2 --common q1")
    assert "the common topic 'q1' has 1 unjudged document among the run's first 2" in refusal.err
    assert "'q9' is not among the judged topics" in diagnose("qrels new --common q9").err
    assert "no score is adjusted by the common topics" in diagnose("qrels new --common q1").err
    Path("qrels").write_text(QRELS + "q1 0 x1 1\n")
    (score,) = as_json(diagnose, "qrels a b new --depth 2 --common q1 -m P@2")["scores"]
    assert score["common_topics"] == pytest.approx((1 + 0 + 0.5) / 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("qrels a b new --against c", "there is no run 'c' to compare with; available: a, b"),
        ("qrels a b new --against new", "'new' is the new run itself; --against takes another"),
        ("qrels new --against a --depth 2", "there is no run 'a' to compare with; only the new one was given"),
        ("qrels a b new --against b -m nDCG -m RR", "no list decides by nDCG, RR; there are lists for AP, P, R, "),
        ("nowhere new", "nowhere: no such file"),
        ("qrels a b new --protect 7", "qrels: no judgment has '7' in the second column"),
        ("qrels a b new --depth 2 --against b --store-pool", "qrels: not a store, so no pool can be added"),
        ("qrels a b new --depth 2 --against b --pool-out no/list.tsv", "no: no such folder"),
        ("qrels a b nowhere", "nowhere: no such file"),
    ],
)
def test_what_cannot_be_done_is_said(diagnose: Diagnose, words: str, message: str) -> None:
    """In one line, as any other fault of the data."""
    result = diagnose(words)
    assert (result.code, result.err.count("error: ")) == (1, 1)
    assert f"error: {message}" in result.err


def test_a_run_that_a_store_does_not_have(track: Path, diagnose: Diagnose) -> None:
    refusal = diagnose("track.db neww")
    assert refusal.err == "error: neww: neither a file nor a run in track.db; available: a, b\n"


@pytest.mark.parametrize("words", ["qrels", "qrels a new --store-pool", "qrels a new --pool-out list.tsv"])
def test_wrong_usage_is_told_apart(diagnose: Diagnose, words: str) -> None:
    assert diagnose(words).code == 2


def test_a_run_of_other_topics_is_not_fair_but_refused(folder: Path, diagnose: Diagnose, cranfield: Cranfield) -> None:
    """It said "fair ... All of its first 2 documents are judged" or stopped with an IndexError."""
    (folder / "other").write_text("t9 Q0 d1 1 9 other\n")
    result = cranfield("diagnose qrels a b other")
    assert result.code == 1
    assert result.err.endswith("error: other answers t9; expected topics that are judged: q1, q2\n")


def test_two_runs_of_one_name(diagnose: Diagnose) -> None:
    """The new run goes by its file's name where its tag is taken, and is refused where that is taken, too."""
    Path("better.gz").write_text(RUN_A)
    assert as_json(diagnose, "qrels a b better.gz --depth 2")["run"] == "better"
    assert "the run 'a' is among the others already" in diagnose("qrels a b a --depth 2").err
