"""Every method: its lists with their probabilities, its credit, and whom it favours when clicks are random."""

import subprocess
import sys
from itertools import product
from math import prod

import pytest

from cranfield.errors import InputError
from cranfield.online.interleaving.method import SystemRankings
from cranfield.online.interleaving.methods import Left
from cranfield.online.interleaving.optimized import mixture, weighed
from cranfield.online.interleaving.table import METHODS, interleave
from tests.online.interleaving.every import Scripted, credit, every, lists

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
    found = lists(method, orders, 3)
    assert sum(found.values()) == pytest.approx(1)
    for _, drawn in every(method, orders, 3):
        assert drawn.probability == pytest.approx(found.get("".join(map(str, drawn.docs)), 0), abs=1e-12)
        assert len(drawn.docs) == len(drawn.teams) == len(set(drawn.docs)) == min(3, len(set("".join(orders))))


@pytest.mark.parametrize("name", ["team-draft", "pairwise"])
def test_three_systems(name: str) -> None:
    method = METHODS[name]
    orders = ["1234", "2143", "4123"]
    found = lists(method, orders, 4)
    assert sum(found.values()) == pytest.approx(1)
    expected = [0.0, 0.0, 0.0]
    for probability, drawn in every(method, orders, 4):
        assert drawn.probability == pytest.approx(found["".join(map(str, drawn.docs))])
        for doc in drawn.docs:
            gained = credit(method, orders, "".join(map(str, drawn.docs)), str(doc), drawn.teams)
            expected = [one + probability * own for one, own in zip(expected, gained, strict=True)]
    assert max(expected) == pytest.approx(min(expected))


def outcome(name: str, gained: list[float]) -> float:
    difference = gained[0] - gained[1]
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
    found = lists(METHODS["optimized"], ["123", "231"], 3)
    assert found == {"123": pytest.approx(3 / 7), "213": pytest.approx(13 / 35), "231": pytest.approx(1 / 5)}
    for a, b in (("abcdefghij", "jihgfedcba"), ("abcdefghij", "badcfehgji")):
        assert mixture(SystemRankings.of([a, b]), 10)[2] == 0


def test_one_mixture_serves_all_queries_with_the_same_ranks() -> None:
    """It is solved once, whatever the documents are called and whatever is below the depth."""
    weighed.cache_clear()
    queries = ("123x", "231"), ("abc", "bca"), ("123y", "231")
    named = [mixture(SystemRankings.of(orders), 3)[0] for orders in queries]
    assert named[0] == named[2] == [tuple("123"), tuple("213"), tuple("231")]
    assert named[1] == [tuple("abc"), tuple("bac"), tuple("bca")]
    assert weighed.cache_info().misses == 1


@pytest.mark.parametrize(
    ("clicks", "a", "b"),
    [("1", 0.964286, 0.035714), ("2", 0.464627, 0.535373), ("12", 0.448033, 0.019120), ("3", 0.5, 0.5)],
)
def test_probabilistic_credit(clicks: str, a: float, b: float) -> None:
    found = credit(METHODS["probabilistic"], ["123", "231"], "123", clicks)
    assert found == pytest.approx([a, b], abs=5e-7)


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
    taken = (0, 3, 4, 17, 99)
    weights = {rank: (rank + 1) ** -3 for rank in range(100) if rank not in taken}
    found: dict[int, float] = {}
    for script in product(range(2), repeat=9):
        left, random = Left(100), Scripted([2, *script])
        assert [left.take(rank) > 0 for rank in (*taken, 3, 100)] == [True] * 5 + [False] * 2
        rank = left.draw(random)
        found[rank] = prod(chances[made] for made, chances in zip(random.made, random.chances, strict=True))
    assert left.runs == [(1, 3), (5, 17), (18, 99)]
    total = sum(weights.values())
    assert found == {rank: pytest.approx(weights[rank] / total, rel=1e-12) for rank in range(18, 99)}
    assert Left(5).take(4) == pytest.approx(5**-3 / sum(rank**-3 for rank in range(1, 6)), rel=1e-12)


def test_a_hundred_documents_have_a_credit() -> None:
    """Summed over all ways to draw them one after the other, it would take for ever."""
    docs = [f"d{number}" for number in range(100)]
    orders = [docs, docs[::-1]]
    assert credit(METHODS["probabilistic"], orders, docs, docs) == pytest.approx([1, 0])  # type: ignore[arg-type]


def test_documents_that_all_have_first_are_nobodys() -> None:
    assert interleave(["xyab", "xyba"], seed=1, depth=4).teams[:2] == "--"
    assert set(interleave(["xyab", "xyba"], seed=1, depth=4).teams[2:]) == {"a", "b"}
    assert interleave(["xy", "xy"], seed=1).teams == "--"


def test_the_same_seed_gives_the_same_list() -> None:
    one, other = (interleave(["abcdef", "fedcba"], seed="request 7", depth=3) for _ in range(2))
    assert one == other
    assert len({interleave(["abcdef", "fedcba"], depth=3).token for _ in range(3)}) == 3


def test_a_live_service_waits_for_one_linear_program() -> None:
    """That of optimized is solved once for all queries whose documents have the same ranks."""
    weighed.cache_clear()
    for seed, name in enumerate("pqrst"):
        orders = [[f"{name}{number}" for number in order] for order in (range(1000), range(500, 1500))]
        assert len(interleave(orders, "optimized", seed=seed, depth=10).docs) == 10
    assert weighed.cache_info().misses == 1


def test_interleaving_loads_no_heavy_library() -> None:
    code = "import sys, cranfield; cranfield.interleave(['ab', 'ba']); print({'scipy', 'pandas'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize(
    ("orders", "how", "error"),
    [
        (["ab"], {}, "team-draft interleaves 2 or more systems; given 1"),
        (["ab", "ba", "b"], {"method": "balanced"}, "balanced interleaves 2 systems; given 3"),
        (["aba", "ab"], {}, "ranking 1 has document 'a' twice; expected each document once"),
        (["ab", "ba"], {"depth": 0}, "the depth is 0; expected a whole number from 1"),
        (["ab", "ba"], {"method": "fair"}, "unknown method 'fair'; available: " + ", ".join(METHODS)),
        (
            ["abcdefghijklmnop", "qrstuvwxyz012345"],
            {"method": "optimized", "depth": 14},
            "optimized weighs every possible list, and of depth 14 there are more than 4,096;"
            " expected a depth of at most 12",
        ),
    ],
)
def test_what_cannot_be_interleaved(orders: list[str], how: dict[str, int], error: str) -> None:
    with pytest.raises(InputError, match=f"^{error}$"):
        interleave(orders, **how)  # type: ignore[arg-type]
