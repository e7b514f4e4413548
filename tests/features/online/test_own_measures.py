"""Measures of one's own and of value, capped, by segment, and as guardrails: against brute force and statsmodels."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as library
from cranfield.errors import InputError, MeasureError
from cranfield.features.online.own_measures import declared_measures
from cranfield.metrics.significance.pairs import CORRECTIONS, correct_p_values
from cranfield.store import import_log
from tests.conftest import Cranfield
from tests.files import json_file
from tests.stores import new_store

USERS = 500
TOML = """
[RevenuePerUser]
numerator = "value"
denominator = "users"
unit = "EUR"

[ValuePerClick]
numerator = "value"
denominator = "clicks"

[PhoneClicks]
numerator = "clicks"
filter = {device = "phone"}
better = "less"
"""


def lines() -> Iterator[dict[str, Any]]:
    """Users with one to four lists; arm b is paid a little more, on phones."""
    random = np.random.default_rng(4)
    for user in range(USERS):
        arm, device = "ab"[user % 2], ("phone", "desk")[user // 2 % 2]
        for number in range(1 + user % 4):
            clicks = int(random.integers(0, 3))
            price = (
                float(random.exponential(10 + 8 * (arm == "b" and device == "phone"))) if random.random() < 0.5 else 0
            )
            acts: list[dict[str, Any]] = [{"kind": "click", "doc": "d"}] * clicks
            acts += [{"kind": "convert", "doc": "d", "value": round(price, 2)}] if price else []
            yield {"id": f"{user}-{number}", "at": user, "user": f"u{user}", "arm": arm, "query": "q", "docs": ["d"],
                   "actions": acts, "device": device}  # fmt: skip


LINES = list(lines())


def make_shop(folder: Path, lines: list[dict[str, Any]]) -> None:
    """A store of a log."""
    with new_store(folder / "shop.db") as store:
        import_log(store, [json_file(folder / "log", *lines)], attributes=["device"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shop = tmp_path_factory.mktemp("shop")
    (shop / "shop.toml").write_text(TOML)
    make_shop(shop, LINES)
    return shop


def by_user(what: str, arm: str, device: str = "") -> np.ndarray[Any, Any]:
    """A total of each user of an arm, by a loop."""
    totals: dict[str, float] = {}
    for line in LINES:
        if line["arm"] == arm and device in ("", line["device"]):
            acts = line["actions"]
            value = {"lists": 1, "clicks": sum(each["kind"] == "click" for each in acts)}
            value["value"] = sum(each.get("value", 0) for each in acts)
            totals[line["user"]] = totals.get(line["user"], 0) + value[what]
    return np.array(list(totals.values()))


def ab(folder: Path, **options: Any) -> list[dict[Any, Any]]:
    rows: list[dict[Any, Any]] = library.online.compare_arms(folder / "shop.db", **{"control": "a", **options}).rows()
    return rows


@pytest.mark.full
def test_value_per_user_is_a_mean_of_users(folder: Path) -> None:
    weights = pytest.importorskip("statsmodels.stats.weightstats", reason="needs statsmodels, which is not installed")
    row, own = ab(folder, measures=["ValuePerUser", str(folder / "shop.toml")])[:2]
    a, b = by_user("value", "a"), by_user("value", "b")
    ends = [min(*a, *b), max(*a, *b)]  # of any user, added to each arm
    oracle = weights.CompareMeans.from_data(*(np.append(values, ends) for values in (b, a)))
    low, high = oracle.tconfint_diff(usevar="unequal")
    assert (row["control"], row["value"]) == pytest.approx((a.mean(), b.mean()))
    assert (row["low"], row["high"]) == pytest.approx((low, high))
    assert row["p"] == pytest.approx(oracle.ttest_ind(usevar="unequal")[1])
    assert own["measure"] == "RevenuePerUser"
    assert [own[name] for name in ("difference", "low", "p")] == [row[name] for name in ("difference", "low", "p")]


@pytest.mark.full
def test_value_per_click_is_a_ratio(folder: Path) -> None:
    """The difference and the variance of the delta method."""
    row = ab(folder, measures=[str(folder / "shop.toml")])[1]
    ratio, variance = [], 0.0
    for arm in "ab":
        y, x = by_user("value", arm), by_user("clicks", arm)
        y, x = y[x > 0], x[x > 0]
        ratio.append(y.sum() / x.sum())
        variance += (y - ratio[-1] * x).var(ddof=1) / len(y) / x.mean() ** 2
    assert row["difference"] == pytest.approx(ratio[1] - ratio[0])
    half = (row["high"] - row["low"]) / 2
    assert 1 < half / (1.97 * variance**0.5) < 1.05  # with two users more in each arm


@pytest.mark.needs_extra("arrow")
@pytest.mark.filterwarnings("ignore:some rows have no interval")
def test_a_filter_chooses_lists(folder: Path) -> None:
    effect = ab(folder, measures=[str(folder / "shop.toml")])[2]
    assert effect["control"] == pytest.approx(
        by_user("clicks", "a", "phone").sum() / by_user("lists", "a", "phone").sum()
    )
    table = library.online.summarize_log(folder / "shop.db", measures=[str(folder / "shop.toml"), "Value"])
    of = {(row["arm"], row["measure"]): row["value"] for row in table.rows()}
    assert of["a", "PhoneClicks"] == pytest.approx(effect["control"])
    assert of["b", "Value"] == pytest.approx(by_user("value", "b").sum() / by_user("lists", "b").sum())
    assert of["b", "RevenuePerUser"] == pytest.approx(by_user("value", "b").mean())


@pytest.mark.needs_extra("arrow")
def test_what_is_above_the_cap_counts_as_the_cap(folder: Path, cranfield: Cranfield) -> None:
    (row,) = ab(folder, measures="ValuePerUser", cap=0.9)
    a, b = by_user("value", "a"), by_user("value", "b")
    most = np.quantile(np.append(a, b), 0.9)
    assert (row["control"], row["value"]) == pytest.approx((np.minimum(a, most).mean(), np.minimum(b, most).mean()))
    outcome = cranfield("online", "ab", str(folder / "shop.db"), "--control", "a", "-m", "ValuePerUser", "--cap", "90%")
    assert f"ValuePerUser of 50 users is above {most:g} and counts as {most:g} (--cap)" in outcome.err
    with pytest.raises(InputError, match="the cap is 120"):
        ab(folder, cap=1.2)


@pytest.mark.full
def test_segments_are_tests_of_their_own_corrected_together(folder: Path, cranfield: Cranfield) -> None:
    rows = ab(folder, measures=["ValuePerUser", "CTR"], by="device")
    assert [row["segment"] for row in rows] == ["desk", "desk", "phone", "phone"]
    for row in rows[::2]:
        a, b = (by_user("value", arm, row["segment"]) for arm in "ab")
        assert (row["users"], row["difference"]) == (len(b), pytest.approx(b.mean() - a.mean()))
    p = correct_p_values(np.array([row["p"] for row in rows]), CORRECTIONS["holm"])
    assert [row["p_corrected"] for row in rows] == pytest.approx(p)
    output = cranfield(
        "online", "ab", str(folder / "shop.db"), "--control", "a", "-m", "ValuePerUser", "--by", "device"
    )
    assert "b raises ValuePerUser for phone." in output.out


@pytest.mark.needs_extra("arrow")
def test_a_segment_whose_sample_ratio_fails_is_withheld(tmp_path: Path, cranfield: Cranfield) -> None:
    """Of 40 users with a television all are in one arm: the whole holds, the segment does not."""
    more = [
        {**line, "id": f"t{at}", "user": f"t{at}", "arm": "a", "device": "tv"} for at, line in enumerate(LINES[:40])
    ]
    make_shop(tmp_path, [*LINES, *more])
    rows = ab(tmp_path, measures="CTR", by="device")
    assert [row["segment"] for row in rows] == ["desk", "phone"]
    output = cranfield("online", "ab", str(tmp_path / "shop.db"), "--control", "a", "-m", "CTR", "--by", "device")
    assert "note: device 'tv': result withheld because of a sample ratio mismatch" in output.err
    tests = ab(tmp_path, measures="CTR", by="device", despite_srm=True)
    assert [row["segment"] for row in tests] == ["desk", "phone", "tv"]


@pytest.mark.full
def test_a_guardrail_holds_where_a_one_sided_test_says_so(folder: Path) -> None:
    """Against statsmodels' t test of a difference above minus the margin, at .025; arm a against b, which is better."""
    weights = pytest.importorskip("statsmodels.stats.weightstats", reason="needs statsmodels, which is not installed")
    a, b = by_user("value", "a"), by_user("value", "b")
    for margin in ("0.5", "3", "40", "5%", "60%"):
        found = ab(folder, control="b", measures="CTR", margins={"ValuePerUser": margin})
        size = float(margin.removesuffix("%"))
        limit, control = (0.0, b * (1 - size / 100)) if margin.endswith("%") else (-size, b)
        above = weights.ttest_ind(a, control, "larger", "unequal", value=limit)[1]
        below = weights.ttest_ind(a, control, "smaller", "unequal", value=limit)[1]
        verdict = "holds" if above < 0.025 else "broken" if below < 0.025 else "undecided"
        assert found[1]["guardrail"] == verdict, margin


@pytest.mark.needs_extra("arrow")
def test_guardrails_are_not_corrected_and_know_their_side(folder: Path, cranfield: Cranfield) -> None:
    rows = ab(folder, measures=["CTR"], margins={"Abandonment": 0.5, "ClicksPerSearch": 0.001})
    assert [row["guardrail"] for row in rows] == ["", "holds", "undecided"]
    assert rows[0]["p_corrected"] == rows[0]["p"]
    output = cranfield("online", "ab", str(folder / "shop.db"), "--control", "a", "--margin", "Abandonment=.5")
    assert "Abandonment of b: holds." in output.out
    with pytest.raises(InputError, match="the margin is 'x'"):
        ab(folder, margins={"CTR": "x"})
    with pytest.raises(MeasureError, match="unknown online measure 'Revenue'"):
        ab(folder, measures="Revenue")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[A]\n", r"\[A\]: the numerator is missing"),
        ("[A]\nnumerator = 'sales'\n", "numerator is 'sales'; expected one of lists, documents, value"),
        ("[A]\nnumerator = 'value'\ndenominator = 1\n", "denominator is 1; expected one of lists"),
        ("[A]\nnumerator = 'value'\nbetter = 'bigger'\n", "better is 'bigger'; expected 'more' or 'less'"),
        ("[A]\nnumerator = 'value'\nfilter = 'phone'\n", "filter is 'phone'; expected attributes"),
        ("[A]\nnumerator = 'value'\ncolour = 1\n", "unknown 'colour'; expected numerator"),
        ("", "no measure; expected"),
        ("[A\n", "not TOML"),
    ],
)
def test_a_bad_declaration_is_named(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(InputError, match=f"own.toml:.*{why}"):
        declared_measures(tmp_path / "own.toml")
