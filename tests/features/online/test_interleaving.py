"""Interleaving: every method's lists and credit, whom users prefer by a log, and the commands from runs to that."""

import csv
import io
import json
import subprocess
import sys
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import cranfield as library
from cranfield.errors import InputError
from cranfield.features.online.interactions import example
from cranfield.features.online.interleaving import METHODS, interleave
from cranfield.features.online.interleaving.method import SystemRankings
from cranfield.features.online.interleaving.methods import Remaining
from cranfield.features.online.interleaving.optimized import mixture, weigh
from cranfield.features.online.interleaving.preference import credit_of, preference, sign_flips, sign_test
from tests.conftest import Cranfield
from tests.features.online.interleaved import Scripted, credit, every, lists
from tests.files import json_lines, track_files
from tests.real import copied

UNBIASED = ["team-draft", "probabilistic", "optimized", "pairwise"]
PAIRS = [("123", "231"), ("123", "213"), ("1234", "4321"), ("1234", "1243"), ("abc", "bcd"), ("ab", "cd")]


def test_team_draft_draws_as_its_authors_say() -> None:
    method = METHODS["team-draft"]
    quarter = pytest.approx(0.25, abs=1e-12)
    assert lists(method, ["abcd", "beaf"], 4) == {"abce": quarter, "abec": quarter, "bace": quarter, "baec": quarter}
    assert lists(method, ["123", "213"], 3) == {"123": pytest.approx(0.5), "213": pytest.approx(0.5)}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("orders", [*PAIRS, ("123", ""), ("12", "1345")])
def test_the_probability_is_that_of_the_list(name: str, orders: tuple[str, str]) -> None:
    method = METHODS[name]
    chances = lists(method, orders, 3)
    assert sum(chances.values()) == pytest.approx(1)
    for _, draw in every(method, orders, 3):
        assert draw.probability == pytest.approx(chances.get("".join(map(str, draw.docs)), 0), abs=1e-12)
        assert len(draw.docs) == len(draw.teams) == len(set(draw.docs)) == min(3, len(set("".join(orders))))


@pytest.mark.parametrize("name", ["team-draft", "pairwise"])
def test_three_systems(name: str) -> None:
    method, orders = METHODS[name], ["1234", "2143", "4123"]
    chances = lists(method, orders, 4)
    assert sum(chances.values()) == pytest.approx(1)
    expected = np.zeros(3)
    for probability, draw in every(method, orders, 4):
        docs = "".join(map(str, draw.docs))
        assert draw.probability == pytest.approx(chances[docs])
        for doc in docs:
            expected += probability * np.array(credit(method, orders, docs, doc, draw.teams))
    assert max(expected) == pytest.approx(min(expected))


def outcome(name: str, gains: list[float]) -> float:
    difference = gains[0] - gains[1]
    return difference if METHODS[name].weighs else float(difference > 0) - float(difference < 0)


def by_chance(name: str, orders: tuple[str, str], depth: int) -> float:
    """The mean outcome of a user who clicks one document of the list at random."""
    return sum(
        probability * outcome(name, credit(METHODS[name], orders, "".join(map(str, drawn.docs)), str(doc), drawn.teams))
        for probability, drawn in every(METHODS[name], orders, depth)
        for doc in drawn.docs
    ) / min(depth, len(set("".join(orders))))


@pytest.mark.parametrize("name", UNBIASED)
@pytest.mark.parametrize("orders", PAIRS)
def test_random_clicks_prefer_none(name: str, orders: tuple[str, str]) -> None:
    assert by_chance(name, orders, len(orders[0])) == pytest.approx(0, abs=1e-9)


def test_balanced_is_biased() -> None:
    """Random clicks give the second system two of three: its outcome is +1 there and -1 in the third."""
    assert by_chance("balanced", ("123", "231"), 3) == pytest.approx(-1 / 3)
    assert "2 of 3" in METHODS["balanced"].bias


def test_the_mixture_is_fair() -> None:
    chances = lists(METHODS["optimized"], ["123", "231"], 3)
    assert chances == {"123": pytest.approx(3 / 7), "213": pytest.approx(13 / 35), "231": pytest.approx(1 / 5)}
    for a, b in (("abcdefghij", "jihgfedcba"), ("abcdefghij", "badcfehgji")):
        assert mixture(SystemRankings.from_orders([a, b]), 10)[2] == 0


def test_one_mixture_serves_all_queries_with_the_same_ranks() -> None:
    """It is solved once, whatever the documents are called and whatever is below the depth."""
    weigh.cache_clear()
    queries = ("123x", "231"), ("abc", "bca"), ("123y", "231")
    choices = [mixture(SystemRankings.from_orders(orders), 3)[0] for orders in queries]
    assert choices[0] == choices[2] == [tuple("123"), tuple("213"), tuple("231")]
    assert choices[1] == [tuple("abc"), tuple("bac"), tuple("bca")]
    assert weigh.cache_info().misses == 1


@pytest.mark.parametrize(
    ("clicks", "a", "b"),
    [("1", 0.964286, 0.035714), ("2", 0.464627, 0.535373), ("12", 0.448033, 0.019120), ("3", 0.5, 0.5)],
)
def test_probabilistic_credit(clicks: str, a: float, b: float) -> None:
    shares = credit(METHODS["probabilistic"], ["123", "231"], "123", clicks)
    assert shares == pytest.approx([a, b], abs=5e-7)


def test_probabilistic_credit_is_that_of_every_assignment() -> None:
    """Over all ways in which the documents can have come from the systems, each with its probability."""
    orders, docs, clicks = ["abcd", "dbea"], "badec", "bde"
    own = [credit(METHODS["probabilistic"], orders, docs, doc)[0] for doc in docs]
    a = b = 0.0
    for teams in product((0, 1), repeat=len(docs)):
        chance = prod(one if team == 0 else 1 - one for one, team in zip(own, teams, strict=True))
        of_a = sum(doc in clicks and team == 0 for doc, team in zip(docs, teams, strict=True))
        a, b = a + chance * (of_a > len(clicks) - of_a), b + chance * (of_a < len(clicks) - of_a)
    assert credit(METHODS["probabilistic"], orders, docs, clicks) == pytest.approx([a, b])


def test_what_is_left_of_a_long_ranking_is_drawn_by_its_weights() -> None:
    """Whatever was taken of it; a rank that was taken, or never was there, is not drawn again."""
    ranks = (0, 3, 4, 17, 99)
    weights = {rank: (rank + 1) ** -3 for rank in range(100) if rank not in ranks}
    probabilities: dict[int, float] = {}
    for script in product(range(2), repeat=9):
        remaining, random = Remaining(100), Scripted([2, *script])
        assert [remaining.take(rank) > 0 for rank in (*ranks, 3, 100)] == [True] * 5 + [False] * 2
        rank = remaining.draw(random)
        probabilities[rank] = prod(chances[pick] for pick, chances in zip(random.picks, random.chances, strict=True))
    assert remaining.runs == [(1, 3), (5, 17), (18, 99)]
    total = sum(weights.values())
    assert probabilities == {rank: pytest.approx(weights[rank] / total, rel=1e-12) for rank in range(18, 99)}
    assert Remaining(5).take(4) == pytest.approx(5**-3 / sum(rank**-3 for rank in range(1, 6)), rel=1e-12)


def test_a_hundred_documents_have_a_credit() -> None:
    """Summed over all ways to draw them one after the other, it would take for ever."""
    docs = [f"d{number}" for number in range(100)]
    orders = [docs, docs[::-1]]
    assert credit(METHODS["probabilistic"], orders, docs, docs) == pytest.approx([1, 0])  # type: ignore[arg-type]


def test_documents_that_all_have_first_are_nobodys_and_a_seed_gives_one_list() -> None:
    assert interleave(["xyab", "xyba"], rng=1, depth=4).teams[:2] == "--"
    assert set(interleave(["xyab", "xyba"], rng=1, depth=4).teams[2:]) == {"a", "b"}
    assert interleave(["xy", "xy"], rng=1).teams == "--"
    one, other = (interleave(["abcdef", "fedcba"], rng="request 7", depth=3) for _ in range(2))
    assert one == other
    assert len({interleave(["abcdef", "fedcba"], depth=3).token for _ in range(3)}) == 3


def test_interleaving_loads_no_heavy_library() -> None:
    code = (
        "import sys, cranfield; cranfield.online.interleave(['ab', 'ba']); print({'scipy', 'pandas'} & {*sys.modules})"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize(
    ("orders", "how", "error"),
    [
        (["ab"], {}, "team-draft interleaves 2 or more systems; given 1"),
        (["ab", "ba", "b"], {"method": "balanced"}, "balanced interleaves 2 systems; given 3"),
        (["aba", "ab"], {}, "ranking 1 has document 'a' twice; expected each document once"),
        (["ab", "ba"], {"depth": 0}, "the depth is 0; expected a whole number of at least 1"),
        (["ab", "ba"], {"method": "fair"}, "unknown method 'fair'; available: " + ", ".join(METHODS)),
        (
            ["abcdefghijklmnop", "qrstuvwxyz012345"],
            {"method": "optimized", "depth": 14},
            "depth 14 allows more than 4,096 lists, and optimized considers all of them; expected a depth of at most"
            " 12",
        ),
    ],
)
def test_what_cannot_be_interleaved(orders: list[str], how: dict[str, int], error: str) -> None:
    with pytest.raises(InputError, match=f"^{error}$"):
        interleave(orders, **how)  # type: ignore[arg-type]


def test_wins_losses_and_ties() -> None:
    credit = np.repeat([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [60, 40, 100], axis=0)
    of_users = preference(credit, np.arange(200))
    assert (of_users.wins, of_users.losses, of_users.ties) == (60, 40, 100)
    assert of_users.delta == pytest.approx(0.05)
    assert of_users.p == pytest.approx(0.0569, abs=5e-5)
    half = 1.96 * np.std(np.sign(credit[:, 0] - credit[:, 1]) / 2) / np.sqrt(200)
    assert (of_users.low, of_users.high) == pytest.approx((0.05 - half, 0.05 + half), abs=0.006)
    assert (of_users.p, of_users.p_test) == (sign_test(60, 40), "sign")
    assert preference(credit, np.maximum(np.arange(200), 1)).p_test == "sign-flips"
    nothing = preference(np.zeros((0, 2)), np.zeros(0, np.int64))
    assert np.isnan(nothing[3:-1]).all()
    assert nothing.p_test is None
    assert sign_test(0, 0) == 1


def test_a_user_counts_once_however_busy() -> None:
    """Ten users with the same twenty lists each: as sure as ten lists are, not two hundred."""
    credit = np.repeat(np.eye(2)[[0, 0, 0, 0, 0, 0, 1, 1, 1, 1]], 20, axis=0)
    alone, busy = preference(credit, np.arange(200)), preference(credit, np.repeat(np.arange(10), 20))
    assert alone.delta == busy.delta == pytest.approx(0.1)
    ten = preference(credit[::20], np.arange(10))
    assert (busy.low, busy.high) == pytest.approx((ten.low, ten.high))
    assert alone.p < 0.01
    assert busy.p == sign_test(6, 4) > 0.7  # not the .006 of 200 impressions
    unknown = preference(credit, np.full(200, -1))
    assert (unknown.low, unknown.high) == (alone.low, alone.high)


def test_outcomes_that_weigh() -> None:
    """A system that wins seldom but much: by the difference of credit it is preferred, by wins it is not."""
    credit = np.repeat([[1.0, 0.0], [0.0, 0.1]], [40, 60], axis=0)
    by_weight, by_count = (preference(credit, np.arange(100), weighs=weighs) for weighs in (True, False))
    assert by_weight.delta == pytest.approx(0.17)
    assert by_weight.p == pytest.approx(1 / 2001)
    assert by_count.delta == pytest.approx(-0.1)
    assert (by_count.wins, by_count.losses) == (by_weight.wins, by_weight.losses) == (40, 60)


def test_flips_of_signs_are_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    totals = np.array([3.0, -1.0, 2.0, 0.5, 0.5, -2.0, 4.0, 0.0])
    flips = np.abs(np.array(list(product([-1, 1], repeat=8))) @ totals)
    expected = float(np.mean(flips >= abs(totals.sum()) - 1e-9))
    assert sign_flips(totals, samples=50_000) == pytest.approx(expected, abs=0.01)
    many = np.random.default_rng(2).normal(0.02, 1, 3000)
    by_flips = sign_flips(many, 1000)
    monkeypatch.setattr("cranfield.features.online.interleaving.preference.MOST", 2999)
    assert sign_flips(many) == pytest.approx(by_flips, abs=0.05)
    assert sign_flips(many) != by_flips


@pytest.mark.parametrize("weighs", [False, True])
def test_a_few_users_who_agree_are_no_certainty(weighs: bool) -> None:
    """However often the two come: their resamples all have the same sign, and two coins often do."""
    credit = np.repeat([[1.0, 0.0], [0.7, 0.0]], 50, axis=0)
    of_users = preference(credit, np.repeat([0, 1], 50), weighs=weighs)
    assert of_users.p == pytest.approx(0.5, abs=0.05)
    assert of_users.low < 0 < of_users.high
    assert np.isnan(preference(credit, np.zeros(100, np.int64), weighs=weighs).low)


def test_credit_by_teams() -> None:
    """A document clicked twice counts once; documents that both have first count for nobody, where that is known."""
    log = example("abc:aab", "abc:c", "ab:", teams="abaabaab")
    rankings = {0: SystemRankings.from_orders([[0, 1, 2], [0, 2, 1]])}
    method = METHODS["team-draft"]
    assert credit_of(log, method, {}, 2).credit.tolist() == [[1, 1], [1, 0], [0, 0]]
    assert credit_of(log, method, rankings, 2).credit.tolist() == [[0, 1], [1, 0], [0, 0]]
    assert credit_of(log, method, rankings, 2).informative.all()


def test_lists_that_say_nothing() -> None:
    """They show only what both systems have first; or there are neither teams nor rankings."""
    log, bare = example("ab:a", "abc:b", teams="abaab"), example("ab:a", "ba:b")
    rankings = {0: SystemRankings.from_orders([[0, 1, 2], [0, 1]])}
    for name, method in METHODS.items():
        gains = credit_of(log, method, rankings, 2)
        assert gains.informative.tolist() == [False, True], name
        assert gains.credited.all()
        assert not credit_of(bare, method, {}, 2).credited.any(), name


@pytest.mark.parametrize(("name", "expected"), [("balanced", [1, 0]), ("probabilistic", [0.448033, 0.01912])])
def test_credit_by_rankings(name: str, expected: list[float]) -> None:
    log = example("123:1" if name == "balanced" else "123:12", "123:")
    rankings = {0: SystemRankings.from_orders([[0, 1, 2], [1, 2, 0]])}
    gains = credit_of(log, METHODS[name], rankings, 2)
    assert gains.credit[0] == pytest.approx(expected, abs=1e-6)
    assert gains.credit[1].tolist() == [0, 0]


A, B = "bm25", "dense"
ORDERS = {A: "abcdefgh", B: "badchgfe"}
BEST = "b d h f"  # what users click


@pytest.fixture
def track(tmp_path: Path, cranfield: Cranfield) -> Path:
    """A store of two topics and two runs."""
    return copied(_make_track, tmp_path, cranfield) / "track.db"


def _make_track(cranfield: Cranfield) -> None:
    both = {tag: dict.fromkeys("12", order) for tag, order in ORDERS.items()}
    runs = track_files(Path(), runs=both, topics={"1": "wing lift", "2": "heat flow"}, end=".run")
    for words in (
        ["init", "track.db", "--name", "clicks"],
        ["import", "topics", "track.db", "topics.tsv"],
        ["import", "runs", "track.db", *runs],
    ):
        assert cranfield(*words).code == 0


def lists_of(track: Path, cranfield: Cranfield, *words: str) -> list[dict[str, Any]]:
    out = track.with_name("lists.jsonl")
    outcome = cranfield("online", "interleave", "lists", track, A, B, "--lists", "60", "-o", out, *words)
    assert outcome.code == 0, outcome.err
    return [json.loads(line) for line in out.read_text().splitlines()]


def import_clicks(track: Path, cranfield: Cranfield, rows: list[dict[str, Any]], clicks: str = BEST) -> None:
    """Show each list once; users click on what is best, most of the time."""
    random = Random(1)
    lines = []
    for number, one in enumerate(rows):
        docs = [str(doc) for doc in one["docs"]]
        hits = [doc for doc in docs[:4] if doc in clicks and random.random() < 0.7]
        actions = [{"kind": "click", "doc": doc, "at": number + 0.5} for doc in hits]
        lines.append({**one, "id": f"i{number}", "at": number, "user": f"u{number % 30}", "actions": actions})
    log = track.with_name("log.jsonl")
    log.write_text(json_lines(lines))
    outcome = cranfield("import", "log", track, log)
    assert outcome.code == 0, outcome.err


def document(cranfield: Cranfield, track: Path, *words: str) -> dict[str, Any]:
    outcome = cranfield("online", "preference", track, "--format", "json", *words)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)["experiments"][0]  # type: ignore[no-any-return]


@pytest.mark.full
def test_lists_are_of_each_topic(track: Path, cranfield: Cranfield) -> None:
    rows = lists_of(track, cranfield)
    assert [sum(one["qid"] == qid for one in rows) for qid in "12"] == [60, 60]
    assert {tuple(one) for one in rows} == {("experiment", "qid", "query", "docs", "teams", "probability", "token")}
    assert {one["query"] for one in rows} == {"wing lift", "heat flow"}
    assert {one["experiment"] for one in rows} == {f"team-draft: {A}, {B}"}
    assert len({one["token"] for one in rows}) == 120
    assert lists_of(track, cranfield) == rows
    for one in rows[:7]:  # lists that are alike say nothing
        one["teams"] = "--------"
    import_clicks(track, cranfield, rows)
    report = document(cranfield, track)
    assert (report["uninformative"], report["left_out"]) == (0, 7)


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("method", ["team-draft", "balanced", "probabilistic", "optimized", "pairwise"])
def test_users_prefer_the_system_with_the_better_documents(track: Path, cranfield: Cranfield, method: str) -> None:
    import_clicks(track, cranfield, lists_of(track, cranfield, "--method", method, "--experiment", "x", "--depth", "6"))
    report = document(cranfield, track)
    assert (report["experiment"], report["method"], report["impressions"], report["users"]) == ("x", method, 120, 30)
    (pair,) = report["pairs"]
    assert (pair["a"], pair["b"], pair["prefers"]) == (A, B, B)
    assert pair["delta"] < 0
    assert pair["low"] < pair["delta"] < pair["high"] < 0
    assert pair["wins"] + pair["losses"] + pair["ties"] == pair["impressions"] == 120
    is_biased = "balanced interleaving is biased" in cranfield("online", "preference", track).err
    assert is_biased == (method == "balanced")


@pytest.mark.needs_extra("arrow")
def test_what_people_see(track: Path, cranfield: Cranfield, tmp_path: Path) -> None:
    """The log has a list a second; a period leaves out what is not of it."""
    import_clicks(track, cranfield, lists_of(track, cranfield))
    figure = tmp_path / "preference.svg"
    outcome = cranfield("online", "preference", track, "--plot", figure)
    assert f"Users prefer {B} to {A}." in outcome.out
    assert "120 impressions of 30 users" in outcome.out
    assert B in figure.read_text()
    rows = list(csv.DictReader(io.StringIO(cranfield("online", "preference", track, "--format", "csv").out)))
    table = library.online.infer_preferences(track).frame
    assert [row["prefers"] for row in rows] == table["prefers"].tolist() == [B]
    assert [float(row["delta"]) for row in rows] == table["delta"].tolist()
    balance = cranfield("online", "preference", track, "--method", "balanced")
    assert (balance.code, "--method is balanced, but the lists of" in balance.err, balance.out) == (1, True, "")
    assert cranfield("online", "preference", track, "--method", "team-draft").code == 0
    report = document(cranfield, track, "--since", "1970-01-01T00:00:10", "--until", "1970-01-01T00:01:40")
    assert report["impressions"] == 90
    table = library.online.infer_preferences(track, since=10, until=100).frame
    assert table["impressions"].tolist() == [report["pairs"][0]["impressions"]]
    none = cranfield("online", "preference", track, "--since", "1971-01-01")
    assert (none.code, none.out) == (0, "")
    assert "no lists in this period" in none.err


@pytest.mark.needs_extra("arrow")
@pytest.mark.filterwarnings("ignore:some rows have no interval:UserWarning")
def test_results_render_what_the_commands_print(track: Path, cranfield: Cranfield) -> None:
    """Two experiments are two tables."""
    lists = [one for name in ("first", "second") for one in lists_of(track, cranfield, "--experiment", name)]
    import_clicks(track, cranfield, lists)
    preferences, shown = library.online.infer_preferences(track), library.online.summarize_log(track)
    assert preferences.to_latex().count("tabular") == 4
    for command, result in {"preference": preferences, "show": shown}.items():
        assert cranfield("online", command, track, "--format", "latex").out == result.to_latex(), command
        assert cranfield("online", command, track, "--format", "json").out == result.to_json(), command


def test_methods_say_their_bias(cranfield: Cranfield) -> None:
    rows = json.loads(cranfield("online", "interleave", "methods", "--format", "json").out)
    assert [row["method"] for row in rows if row["bias"].startswith("yes")] == ["balanced"]
    assert "2 of 3" in cranfield("online", "interleave", "methods", "--help", "all").out


@pytest.mark.needs_extra("arrow")
def test_an_ab_test_of_the_same_systems_is_another_experiment(track: Path, cranfield: Cranfield) -> None:
    import_clicks(track, cranfield, lists_of(track, cranfield, "--experiment", "mixed"))
    words = ["online", "ab", track, "--control", A, "--format", "json"]
    assert "'mixed' is interleaved; compare its arms with `cranfield online preference`" in cranfield(*words).err
    pages = [{"id": f"p{n}", "at": n, "user": n, "query": "wing lift", "arm": (A, B)[n % 2], "experiment": "page",
              "docs": ["a"], "actions": [{"kind": "click", "doc": "a"}] * (n % 3 == 0)} for n in range(40)]  # fmt: skip
    log = track.with_name("pages.jsonl")
    log.write_text(json_lines(pages))
    assert cranfield("import", "log", track, log).code == 0
    assert json.loads(cranfield(*words).out)["experiment"] == "page"


@pytest.mark.needs_extra("arrow")
def test_a_release_has_no_log(track: Path, cranfield: Cranfield) -> None:
    """Its documents and topics may have come later than the release."""
    rows = lists_of(track, cranfield)
    assert cranfield("store", "release", track, "1.0").code == 0
    import_clicks(track, cranfield, [{**one, "docs": [*one["docs"][:-1], "new"]} for one in rows])
    for words in (["show"], ["ab", "--control", A], ["preference"], ["clicks", "fit", "--model", "pbm"]):
        outcome = cranfield("online", *words, f"{track}@1.0")
        assert (outcome.code, outcome.out) == (1, "")
        assert "release 1.0 has no interaction log, because releases contain no logs; leave @1.0 out" in outcome.err
    assert "impression" in cranfield("info", track).out
    assert "impression" not in cranfield("info", f"{track}@1.0").out


@pytest.mark.needs_extra("arrow")
def test_what_cannot_be_done(track: Path, cranfield: Cranfield) -> None:
    cases = {
        ("interleave", "lists", track, A, "-o", "x"): "team-draft interleaves 2 or more systems; given 1",
        ("interleave", "lists", track, A, "c", "-o", "x"): "no run 'c' in this store",
        ("interleave", "lists", track, A, A, "-o", "x"): f"run '{A}' is named twice; expected different runs",
        ("preference", track): "this store contains no interleaved lists",
        ("preference", track, "--experiment", "y"): "no experiment 'y' in this store; there are none",
    }
    for words, error in cases.items():
        outcome = cranfield("online", *words)
        assert (outcome.code, error in outcome.err) == (1, True), outcome
    ten = [track.with_name(f"{tag}.run") for tag in "pq"]
    for path, order in zip(ten, ("abcdefghijklmnop", "qrstuvwxyzABCDEF"), strict=True):
        path.write_text("".join(f"1 Q0 {doc} 1 {99 - at} {path.stem}\n" for at, doc in enumerate(order)))
    assert cranfield("import", "runs", track, *ten).code == 0
    deep = cranfield(
        "online", "interleave", "lists", track, "p", "q", "--method", "optimized", "--depth", "14", "-o", "z"
    )
    assert (deep.code, "expected a depth of at most 12" in deep.err) == (1, True)
    for option in ("--thresholds=.3,.7", "--assessor=x"):
        outcome = cranfield("online", "clicks", "fit", track, "--model", "pbm", option)
        assert (outcome.code, "requires --votes" in outcome.err) == (2, True)
    assert "this store contains no interleaved lists" in cranfield("online", "preference", track).err
    lists_of(track, cranfield, "--experiment", "x")
    empty = cranfield("online", "preference", track)
    assert (empty.out, "x: no lists in the log yet" in empty.err) == ("", True)
    again = ["online", "interleave", "lists", track, A, B, "-o", track.with_name("y"), "--experiment", "x"]
    assert "already exists and records the method team-draft" in cranfield(*again, "--method", "balanced").err
    log = track.with_name("bare.jsonl")
    log.write_text(json.dumps({"id": "1", "at": 1, "query": "wing", "experiment": "x", "docs": ["a"]}) + "\n")
    assert cranfield("import", "log", track, log).code == 0
    assert "the lists have no teams" in cranfield("online", "preference", track).err
    log.write_text(json.dumps({"id": "2", "at": 1, "query": "wing", "docs": ["a", "b"], "teams": "ab"}) + "\n")
    assert cranfield("import", "log", track, log, "--experiment", "e", "--arms", "x,z").code == 0
    preference = cranfield("online", "preference", track, "--experiment", "e", "--method", "balanced")
    assert "needs the interleaved rankings" in preference.err


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize("arms", ["x", "x,y,z"])
def test_a_method_of_two_systems_is_not_for_others(track: Path, cranfield: Cranfield, arms: str) -> None:
    row = {"id": "i", "at": 1, "user": "u", "qid": "1", "docs": ["a", "b"], "teams": "aa"}
    (log := track.with_name("log.jsonl")).write_text(json.dumps(row) + "\n")
    assert cranfield("import", "log", track, log, "--experiment", "e", "--arms", arms).code == 0
    for method in ("balanced", "probabilistic", "optimized"):
        outcome = cranfield("online", "preference", track, "--method", method)
        error = f"error: experiment 'e': {method} interleaves 2 systems; given {len(arms.split(','))}\n"
        assert (outcome.code, outcome.err) == (1, error)


@pytest.mark.parametrize("method", list(METHODS))
def test_two_empty_rankings_give_an_empty_list(method: str) -> None:
    """And an empty one leaves the other as it is."""
    for rankings, docs in (([[], []], ()), ([["d1"], []], ("d1",)), ([[], ["d1"]], ("d1",))):
        drawn = interleave(rankings, method=method, rng="k")
        assert (drawn.docs, drawn.probability) == (docs, 1.0)
    with pytest.raises(InputError, match="ranking 1 has document 'd1' twice; expected each document once"):
        interleave([["d1", "d2", "d1"], ["d2", "d3"]], method=method, rng="k")
