"""From stored runs to lists, from a log of them to whom users prefer: by the commands."""

import csv
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import cranfield as library
from tests.conftest import Cranfield

A, B = "bm25", "dense"
ORDERS = {A: "abcdefgh", B: "badchgfe"}
BEST = "b d h f"  # what users click


@pytest.fixture
def track(tmp_path: Path, cranfield: Cranfield) -> Path:
    """A store of two topics and two runs."""
    topics = tmp_path / "topics.tsv"
    topics.write_text("1\twing lift\n2\theat flow\n")
    runs = []
    for tag, order in ORDERS.items():
        runs.append(tmp_path / f"{tag}.run")
        lines = [f"{qid} Q0 {doc} 1 {9 - at} {tag}\n" for qid in "12" for at, doc in enumerate(order)]
        runs[-1].write_text("".join(lines))
    path = tmp_path / "track.db"
    for words in (
        ["init", path, "--name", "clicks"], ["import", "topics", path, topics], ["import", "runs", path, *runs],
    ):  # fmt: skip
        assert cranfield(*words).code == 0
    return path


def lists(track: Path, cranfield: Cranfield, *words: str) -> list[dict[str, Any]]:
    out = track.with_name("lists.jsonl")
    done = cranfield("online", "interleave", "lists", track, A, B, "--lists", "60", "-o", out, *words)
    assert done.code == 0, done.err
    return [json.loads(line) for line in out.read_text().splitlines()]


def logged(track: Path, cranfield: Cranfield, shown: list[dict[str, Any]], clicks: str = BEST) -> None:
    """Show each list once; users click on what is best, most of the time."""
    random = Random(1)
    lines = []
    for number, one in enumerate(shown):
        docs = [str(doc) for doc in one["docs"]]
        clicked = [doc for doc in docs[:4] if doc in clicks and random.random() < 0.7]
        actions = [{"kind": "click", "doc": doc, "at": number + 0.5} for doc in clicked]
        lines.append({**one, "id": f"i{number}", "at": number, "user": f"u{number % 30}", "actions": actions})
    log = track.with_name("log.jsonl")
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = cranfield("import", "log", track, log)
    assert done.code == 0, done.err


def document(cranfield: Cranfield, track: Path, *words: str) -> dict[str, Any]:
    done = cranfield("online", "preference", track, "--format", "json", *words)
    assert done.code == 0, done.err
    return json.loads(done.out)["experiments"][0]  # type: ignore[no-any-return]


def test_lists_are_of_each_topic(track: Path, cranfield: Cranfield) -> None:
    shown = lists(track, cranfield)
    assert [sum(one["qid"] == qid for one in shown) for qid in "12"] == [60, 60]
    assert {tuple(one) for one in shown} == {("experiment", "qid", "query", "docs", "teams", "probability", "token")}
    assert {one["query"] for one in shown} == {"wing lift", "heat flow"}
    assert {one["experiment"] for one in shown} == {f"team-draft: {A}, {B}"}
    assert len({one["token"] for one in shown}) == 120
    assert lists(track, cranfield) == shown


@pytest.mark.parametrize("method", ["team-draft", "balanced", "probabilistic", "optimized", "pairwise"])
def test_users_prefer_the_system_with_the_better_documents(track: Path, cranfield: Cranfield, method: str) -> None:
    logged(track, cranfield, lists(track, cranfield, "--method", method, "--experiment", "x", "--depth", "6"))
    found = document(cranfield, track)
    assert (found["experiment"], found["method"], found["impressions"], found["users"]) == ("x", method, 120, 30)
    (pair,) = found["pairs"]
    assert (pair["a"], pair["b"], pair["prefers"]) == (A, B, B)
    assert pair["delta"] < 0
    assert pair["low"] < pair["delta"] < pair["high"] < 0
    assert pair["wins"] + pair["losses"] + pair["ties"] == pair["impressions"] == 120


def test_what_people_see(track: Path, cranfield: Cranfield, tmp_path: Path) -> None:
    logged(track, cranfield, lists(track, cranfield))
    figure = tmp_path / "preference.svg"
    done = cranfield("online", "preference", track, "--plot", figure)
    assert f"Users prefer {B} to {A}." in done.out
    assert "120 impressions of 30 users" in done.out
    assert B in figure.read_text()
    rows = list(csv.DictReader(io.StringIO(cranfield("online", "preference", track, "--format", "csv").out)))
    table = library.online_preference(track)
    assert [row["prefers"] for row in rows] == table["prefers"].tolist() == [B]
    assert [float(row["delta"]) for row in rows] == table["delta"].tolist()
    balanced = cranfield("online", "preference", track, "--method", "balanced")
    assert "balanced interleaving is biased" in balanced.err


def test_a_period_leaves_out_what_is_not_of_it(track: Path, cranfield: Cranfield) -> None:
    """The log has a list a second."""
    logged(track, cranfield, lists(track, cranfield))
    period = ("--since", "1970-01-01T00:00:10", "--until", "1970-01-01T00:01:40")
    found = document(cranfield, track, *period)
    assert found["impressions"] == 90
    table = library.online_preference(track, since=10, until=100)
    assert table["impressions"].tolist() == [found["pairs"][0]["impressions"]]
    none = cranfield("online", "preference", track, "--since", "1971-01-01")
    assert (none.code, none.out) == (0, "")
    assert "no lists in this period" in none.err


def test_lists_alike_say_nothing(track: Path, cranfield: Cranfield) -> None:
    shown = lists(track, cranfield)
    for one in shown[:7]:
        one["teams"] = "--------"
    logged(track, cranfield, shown)
    found = document(cranfield, track)
    assert (found["uninformative"], found["left_out"]) == (0, 7)


def test_methods_say_their_bias(cranfield: Cranfield) -> None:
    rows = json.loads(cranfield("online", "interleave", "methods", "--format", "json").out)
    assert [row["method"] for row in rows if row["bias"].startswith("yes")] == ["balanced"]
    assert "2 of 3" in cranfield("online", "interleave", "methods", "--help").out


def test_an_ab_test_of_the_same_systems_is_another_experiment(track: Path, cranfield: Cranfield) -> None:
    logged(track, cranfield, lists(track, cranfield, "--experiment", "mixed"))
    words = ["online", "ab", track, "--control", A, "--format", "json"]
    assert "'mixed' is interleaved: `cranfield online preference` compares its arms" in cranfield(*words).err
    pages = [{"id": f"p{n}", "at": n, "user": n, "query": "wing lift", "arm": (A, B)[n % 2], "experiment": "page",
              "docs": ["a"], "actions": [{"kind": "click", "doc": "a"}] * (n % 3 == 0)} for n in range(40)]  # fmt: skip
    log = track.with_name("pages.jsonl")
    log.write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    assert cranfield("import", "log", track, log).code == 0
    assert json.loads(cranfield(*words).out)["experiment"] == "page"


def test_a_release_has_no_log(track: Path, cranfield: Cranfield) -> None:
    """Its documents and topics may have come later than the release."""
    shown = lists(track, cranfield)
    assert cranfield("store", "release", track, "1.0").code == 0
    logged(track, cranfield, [{**one, "docs": [*one["docs"][:-1], "new"]} for one in shown])
    for words in (["show"], ["ab", "--control", A], ["preference"], ["clicks", "fit", "--model", "pbm"]):
        done = cranfield("online", *words, f"{track}@1.0")
        assert (done.code, done.out) == (1, "")
        assert "release 1.0 has no interaction log: logs are not part of releases; leave @1.0 out" in done.err
    assert "impression" in cranfield("info", track).out
    assert "impression" not in cranfield("info", f"{track}@1.0").out


def test_what_cannot_be_done(track: Path, cranfield: Cranfield) -> None:
    cases = {
        ("interleave", "lists", track, A, "-o", "x"): "team-draft interleaves 2 or more systems; given 1",
        ("interleave", "lists", track, A, "c", "-o", "x"): "no run 'c' in this store",
        ("interleave", "lists", track, A, A, "-o", "x"): f"run '{A}' is named twice; expected different runs",
        ("preference", track): "this store has no interleaved lists",
        ("preference", track, "--experiment", "y"): "no experiment 'y' in this store; available: none",
    }
    for words, error in cases.items():
        done = cranfield("online", *words)
        assert (done.code, error in done.err) == (1, True), done
    ten = [track.with_name(f"{tag}.run") for tag in "pq"]
    for path, order in zip(ten, ("abcdefghijklmnop", "qrstuvwxyzABCDEF"), strict=True):
        path.write_text("".join(f"1 Q0 {doc} 1 {99 - at} {path.stem}\n" for at, doc in enumerate(order)))
    assert cranfield("import", "runs", track, *ten).code == 0
    deep = cranfield(
        "online", "interleave", "lists", track, "p", "q", "--method", "optimized", "--depth", "14", "-o", "z"
    )
    assert (deep.code, "expected a depth of at most 12" in deep.err) == (1, True)
    assert "this store has no interleaved lists" in cranfield("online", "preference", track).err
    lists(track, cranfield, "--experiment", "x")
    empty = cranfield("online", "preference", track)
    assert (empty.out, "x: no lists in the log yet" in empty.err) == ("", True)
    again = ["online", "interleave", "lists", track, A, B, "-o", track.with_name("y"), "--experiment", "x"]
    assert "already exists, with the method team-draft" in cranfield(*again, "--method", "balanced").err
    log = track.with_name("bare.jsonl")
    log.write_text(json.dumps({"id": "1", "at": 1, "query": "wing", "experiment": "x", "docs": ["a"]}) + "\n")
    assert cranfield("import", "log", track, log).code == 0
    assert "the lists have no teams" in cranfield("online", "preference", track).err
    assert "needs the rankings" in cranfield("online", "preference", track, "--method", "balanced").err


@pytest.mark.parametrize("method", ["balanced", "probabilistic", "optimized"])
@pytest.mark.parametrize("arms", ["x", "x,y,z"])
def test_a_method_of_two_systems_is_not_for_others(track: Path, cranfield: Cranfield, method: str, arms: str) -> None:
    row = {"id": "i", "at": 1, "user": "u", "qid": "1", "docs": ["a", "b"], "teams": "aa"}
    log = track.with_name("log.jsonl")
    log.write_text(json.dumps(row) + "\n")
    assert cranfield("import", "log", track, log, "--experiment", "e", "--arms", arms).code == 0
    done = cranfield("online", "preference", track, "--method", method)
    given = len(arms.split(","))
    assert (done.code, done.err) == (1, f"error: experiment 'e': {method} interleaves 2 systems; given {given}\n")
