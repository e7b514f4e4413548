"""A/B tests of a log, by the command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as library
from cranfield.errors import InputError
from cranfield.online.experiments import linearised, welch
from tests.conftest import Cranfield

DAY = 86400
Made = Callable[..., Path]


def line(number: int, user: object, arm: str | None, at: float, clicks: int, experiment: str = "page") -> str:
    actions = [{"kind": "click", "doc": doc, "at": at + 1} for doc in "ab"[:clicks]]
    of = {"arm": arm} if arm else {}
    row = {"id": f"i{number}", "user": user, "at": at, "query": "wing", "experiment": experiment, "docs": ["a", "b"]}
    return json.dumps({**row, **of, "actions": actions}) + "\n"


@pytest.fixture
def made(tmp_path: Path, cranfield: Cranfield) -> Made:
    """A store with an experiment: so many users of two arms, each with one to five lists."""

    def make(users: dict[str, int], better: float = 0.0, extra: str = "", earlier: bool = False) -> Path:
        generator, lines, number = np.random.default_rng(3), [extra], 0
        for arm, size in users.items():
            for user in range(size):
                likes = generator.beta(2, 3)
                rate = min(1, likes + better * (arm != "old"))
                for at in range(1 + user % 5):
                    clicks = int(generator.random() < rate)
                    lines.append(line(number := number + 1, f"{arm}{user}", arm, 40 * DAY + at, clicks))
                if earlier:
                    for at in range(10):
                        clicks = int(generator.random() < likes)
                        lines.append(line(number := number + 1, f"{arm}{user}", None, 35 * DAY + at, clicks, "log"))
        path, log = tmp_path / "track.db", tmp_path / "log.jsonl"
        path.unlink(missing_ok=True)
        log.write_text("".join(lines))
        for words in (["init", path, "--name", "clicks"], ["import", "log", path, log, "--experiment", "page"]):
            done = cranfield(*words)
            assert done.code == 0, done.err
        return path

    return make


def document(cranfield: Cranfield, path: Path, *words: str) -> dict[str, Any]:
    done = cranfield("online", "ab", path, "--control", "old", "--format", "json", *words)
    assert done.code == 0, done.err
    return json.loads(done.out)  # type: ignore[no-any-return]


def test_the_effect_is_that_of_welch_over_users(made: Made, cranfield: Cranfield) -> None:
    path = made({"old": 150, "new": 140}, better=0.15)
    found = document(cranfield, path, "-m", "CTR", "-m", "Abandonment")
    assert found["sample_ratio"]["users"] == {"old": 150, "new": 140}
    assert found["sample_ratio"]["holds"]
    ctr, abandonment = found["effects"]
    values = []
    rows = [json.loads(text) for text in path.with_name("log.jsonl").read_text().splitlines()]
    for arm in ("old", "new"):
        of = [row for row in rows if row["arm"] == arm]
        users = sorted({row["user"] for row in of})
        lists = np.array([[row["user"] == user for row in of] for user in users], float)
        clicked = np.array([bool(row["actions"]) for row in of], float)
        values.append(linearised(lists @ clicked, lists.sum(axis=1)))
    a, b = (np.append(of_arm, [0.0, 1.0]) for of_arm in values)  # a share, as by Agresti and Caffo
    expected = [*welch(values[0], values[1])[:3], *welch(a, b)[3:]]
    assert [ctr[name] for name in ("control", "value", "difference", "low", "high", "p")] == pytest.approx(expected)
    assert abandonment["difference"] == pytest.approx(-ctr["difference"])
    assert ctr["p_corrected"] == pytest.approx(2 * ctr["p"])  # Holm, over the two measures
    assert ctr["significant"]
    table = library.online_ab(path, "old", ["CTR", "Abandonment"])
    assert table["p"].tolist() == [ctr["p"], abandonment["p"]]


def test_what_users_did_before_narrows_the_interval(made: Made, cranfield: Cranfield) -> None:
    path = made({"old": 150, "new": 150}, better=0.1, earlier=True)
    plain, cuped = (document(cranfield, path, *words)["effects"][0] for words in ((), ("--before", "7")))
    width = (cuped["high"] - cuped["low"]) / (plain["high"] - plain["low"])
    assert 0.6 < width < 0.95
    assert cuped["users"] == plain["users"]
    none = cranfield("online", "ab", path, "--control", "old", "--before", "2")
    assert "CTR is not adjusted: no user has a value from before" in none.err


def test_a_failed_sample_ratio_withholds_the_result(made: Made, cranfield: Cranfield) -> None:
    path = made({"old": 160, "new": 80}, better=0.2)
    command = ["online", "ab", path, "--control", "old"]
    refused = cranfield(*command)
    assert (refused.code, refused.out) == (1, "")
    assert "sample ratio mismatch: old 160 of 120 expected, new 80 of 120 expected" in refused.err
    shown = cranfield(*command, "--despite-srm")
    assert shown.code == 0
    assert "FAILS" in shown.out
    assert "the arms are not alike" in shown.err
    assert "holds" in cranfield(*command, "--share", "old=2").out
    with pytest.raises(InputError, match="sample ratio mismatch"):
        library.online_ab(path, "old")


def test_a_period_leaves_out_what_is_not_of_it(made: Made, cranfield: Cranfield) -> None:
    """As if the log had the period alone; what users did before is what they did before the experiment."""
    sizes, wrong = {"old": 60, "new": 60}, [line(9000 + n, f"old{n % 60}", "old", 39.5 * DAY, 2) for n in range(120)]
    right = document(cranfield, made(sizes, better=0.1, earlier=True), "--before", "7")
    with_wrong = made(sizes, better=0.1, earlier=True, extra="".join(wrong))
    assert document(cranfield, with_wrong, "--before", "7")["effects"] != right["effects"]
    period = ("--since", "1970-02-10", "--until", "1970-02-11T12:00:00")
    found = document(cranfield, with_wrong, "--before", "7", *period)
    assert (found["since"], found["until"]) == (40 * DAY, 41.5 * DAY)
    assert found["effects"][0] == pytest.approx(right["effects"][0])
    table = library.online_ab(with_wrong, "old", before=7, since=40 * DAY, until=41.5 * DAY)
    assert table.to_dict("records") == found["effects"]
    none = cranfield("online", "ab", with_wrong, "--control", "old", "--since", "1971-01-01")
    assert (none.code, none.err) == (1, "error: experiment 'page' has no lists in this period\n")


def test_sequences_and_peeking(made: Made, cranfield: Cranfield, tmp_path: Path) -> None:
    path = made({"old": 100, "new": 100}, better=0.1)
    fixed, always = (document(cranfield, path, *words)["effects"][0] for words in ((), ("--sequential",)))
    assert always["low"] < fixed["low"]
    assert always["high"] > fixed["high"]
    assert always["p"] > fixed["p"]
    command = ["online", "ab", path, "--control", "old"]
    assert "p holds for one look" in cranfield(*command).err
    assert "peeking: 200 of 900 planned users" in cranfield(*command, "--planned-users", "900").err
    assert cranfield(*command, "--planned-users", "200").err == ""
    figure = tmp_path / "ab.svg"
    assert cranfield(*command, "--sequential", "--plot", figure).err == ""
    assert "confidence sequences" in figure.read_text()


def test_how_many_users_it_takes(made: Made, cranfield: Cranfield) -> None:
    path = made({"old": 60, "new": 60})
    (row,) = json.loads(cranfield("online", "ab", path, "--control", "old", "--plan", ".05", "--format", "json").out)
    assert row["users"] == 60
    assert row["users_needed"] == pytest.approx(2 * (1.96 + 0.8416) ** 2 * (row["deviation"] / 0.05) ** 2, rel=0.01)
    assert row["detectable"] > 0.05


def test_users_in_several_arms_and_without(made: Made, cranfield: Cranfield) -> None:
    both = "".join(line(9000 + at, "both", arm, 40 * DAY, 1) for at, arm in enumerate(("old", "new")))
    unknown = "".join(line(9010 + at, None, "old", 40 * DAY, 1) for at in range(3))
    path = made({"old": 50, "new": 50}, extra=both + unknown)
    found = document(cranfield, path)
    assert (found["in_several_arms"], found["lists_left_out"]) == (1, 3)
    done = cranfield("online", "ab", path, "--control", "old")
    assert "left out: 1 user in several arms" in done.err
    assert "left out: 3 lists without a user or an arm" in done.err
    assert document(cranfield, path, "--unit", "list")["sample_ratio"]["users"] == {"old": 154, "new": 151}


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--control", "odd"], "no arm 'odd' in this log; available: new, old"),
        (["--control", "old", "--experiment", "x"], "no experiment 'x' in this store; available: page"),
        (["--control", "old", "-m", "TimeToClick"], "TimeToClick is a median"),
        (["--control", "old", "-m", "nDCG"], "unknown online measure 'nDCG'"),
        (["--control", "old", "--share", "odd=2"], "--share names 'odd', which is not an arm; available: old, new"),
        (["--control", "old", "--share", "old=0"], "a share is 0 or less"),
        (["--control", "old", "--unit", "list", "--before", "3"], "only users are known from before the experiment"),
        (["--control", "old", "--plan", "-1"], "the difference is -1; expected a number above 0"),
    ],
)
def test_what_cannot_be_tested(made: Made, cranfield: Cranfield, words: list[str], error: str) -> None:
    done = cranfield("online", "ab", made({"old": 4, "new": 4}), *words)
    assert (done.code, error in done.err) == (1, True), done


def answered(users: int, docs: str, clicks: int) -> str:
    """Lists of two arms: the old one has two documents and a click for everybody, the new one these."""
    rows = []
    for number in range(2 * users):
        arm = "old" if number < users else "new"
        row = json.loads(line(number, f"u{number}", arm, 40.0 * DAY, 1 if arm == "old" else clicks))
        rows.append(json.dumps(row if arm == "old" else {**row, "docs": list(docs)}) + "\n")
    return "".join(rows)


@pytest.mark.parametrize("sequential", [False, True])
def test_an_arm_that_returns_nothing_does_not_pass(tmp_path: Path, cranfield: Cranfield, sequential: bool) -> None:
    """Neither arm has any variance: ZeroHits is 0 of all users against 1 of all."""
    path, log = tmp_path / "track.db", tmp_path / "log.jsonl"
    log.write_text(answered(60, "", 0))
    cranfield("init", path, "--name", "clicks")
    cranfield("import", "log", path, log, "--experiment", "page")
    words = ["-m", "ZeroHits,CTR,ClicksPerSearch", *["--sequential"] * sequential]
    zero_hits, ctr, clicks = document(cranfield, path, *words)["effects"]
    assert (zero_hits["difference"], ctr["difference"]) == (1, -1)
    assert zero_hits["significant"]
    assert ctr["significant"]
    assert zero_hits["p"] < 1e-6
    assert 0.7 < zero_hits["low"] < zero_hits["high"] == 1
    assert clicks["low"] is None  # 60 users are too few for what has no upper end
    assert clicks["significant"] == (not sequential)
    shown = cranfield("online", "ab", path, "--control", "old", *words)
    assert "new raises ZeroHits" in shown.out
    assert "ClicksPerSearch has no interval" in shown.err
    assert ("1 difference not tested." in shown.out) == sequential


def test_arms_that_are_all_alike_do_not_differ(tmp_path: Path, cranfield: Cranfield) -> None:
    path, log = tmp_path / "track.db", tmp_path / "log.jsonl"
    log.write_text(answered(5, "ab", 1))
    cranfield("init", path, "--name", "clicks")
    cranfield("import", "log", path, log, "--experiment", "page")
    for row in document(cranfield, path, "-m", "ZeroHits,CTR,ClicksPerSearch")["effects"]:
        assert (row["difference"], row["p"], row["significant"]) == (0, 1, False)
        assert row["measure"] == "ClicksPerSearch" or row["low"] < 0 < row["high"]
