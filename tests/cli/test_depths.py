"""The commands `depths` and `stability`: what they print, their JSON, and what they refuse."""

import csv
import json
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.analysis.comparison import stability_sentences
from cranfield.analysis.depths import MOST, spread_depths
from cranfield.metrics.reusability.stability import power_of_sets, reversal_threshold, swap_rows, topic_set_sizes
from tests.conftest import Cranfield

GENERATOR = np.random.default_rng(11)
SYSTEMS, TOPICS, DOCUMENTS = 6, 12, 40


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A qrels file and six runs, each better than the one before, with judgments to depth 40."""
    folder = tmp_path_factory.mktemp("depths")
    relevant = GENERATOR.random((TOPICS, DOCUMENTS)) < 0.25
    lines = [f"q{t} 0 d{d} {int(relevant[t, d])}\n" for t in range(TOPICS) for d in range(DOCUMENTS)]
    (folder / "qrels").write_text("".join(lines))
    for system in range(SYSTEMS):
        scores = GENERATOR.random((TOPICS, DOCUMENTS)) + 0.1 * system * relevant
        rows = [f"q{t} Q0 d{d} 1 {scores[t, d]:.6f} s{system}\n" for t in range(TOPICS) for d in range(DOCUMENTS)]
        (folder / f"run{system}").write_text("".join(rows))
    return [folder / "qrels", *(folder / f"run{system}" for system in range(SYSTEMS))]


def test_dial_has_a_row_a_depth(files: list[Path], cranfield: Cranfield) -> None:
    """All depths of a shallow pool; what is judged and what is relevant never gets less with depth."""
    document = json.loads(cranfield.out("depths", *files, "--depth", 8, "--format", "json"))
    assert set(document) == {"by", "depth", "topics", "no_verdict", "rows"}
    assert [row["depth"] for row in document["rows"]] == list(range(1, 9))
    for name in ("judged", "relevant"):
        values = [row[name] for row in document["rows"]]
        assert values == sorted(values)
    assert set(document["rows"][0]) == {
        "depth", "judged", "relevant", "measure", "tau", "mean_change_percent", "max_change_percent", "max_rank_drop",
    }  # fmt: skip


def test_csv_says_why_nothing_was_tested(files: list[Path], cranfield: Cranfield) -> None:
    """In a column, as `reusability` does; it is empty where there was a test. Markdown has it above the table."""
    reason = "the pool of these runs does not explain the judgments: 384 of 480 judged documents are outside it"
    for paths, expected in ((files, ""), (files[:2], reason)):
        lines = cranfield.out(
            "depths", *paths, "--by", "run", "--depth", 8 if expected else 40, "--format", "csv"
        ).splitlines()
        assert {row["not tested"] for row in csv.DictReader(lines)} == {expected}
    assert cranfield.out("depths", *files[:2], "--depth", 8, "--format", "markdown").startswith(
        f"Not tested: {reason}."
    )


def test_dial_of_a_deep_pool_shows_some_depths_unless_all_are_wanted(files: list[Path], cranfield: Cranfield) -> None:
    """At most 30 rows; --all gives every depth."""
    few = json.loads(cranfield.out("depths", *files, "--depth", 40, "--format", "json"))["rows"]
    every = json.loads(cranfield.out("depths", *files, "--depth", 40, "--all", "--format", "json"))["rows"]
    assert len(few) == MOST
    assert (few[0]["depth"], few[-1]["depth"]) == (1, 40)
    assert len(every) == 40


@pytest.mark.needs_extra("plot")
def test_dial_explains_itself_and_draws(files: list[Path], cranfield: Cranfield, tmp_path: Path) -> None:
    """The table says what it is of and how to read it; the plot is a file."""
    output = cranfield.out("depths", *files, "--depth", 3, "-m", "AP", "-m", "P@5", "--plot", tmp_path / "depths.svg")
    assert output.startswith("AP, P@5, with each cluster left out in turn at every depth; pool depth 3, 12 topics\n")
    assert "own score levels off" in output
    assert output.count("P@5") == 4
    assert (tmp_path / "depths.svg").read_bytes().startswith(b"<?xml")


def test_dial_refuses_a_provenance_that_is_not_there(files: list[Path], cranfield: Cranfield) -> None:
    """A typo in --protect is not silently nothing."""
    assert "'x' does not occur in the second column" in cranfield.error("depths", *files, "--protect", "x")


@pytest.mark.parametrize(("depth", "most"), [(1, 2), (7, 30), (31, 30), (100, 12), (1000, 30), (5, 5)])
def test_spread_is_ascending_and_whole(depth: int, most: int) -> None:
    """From 1 to the depth, without doubles, as many as asked for or all."""
    spread_out = spread_depths(depth, most)
    assert spread_out == sorted(set(spread_out))
    assert (spread_out[0], spread_out[-1], len(spread_out)) == (1, depth, min(depth, most))


def test_stability_by_json(files: list[Path], cranfield: Cranfield) -> None:
    """Fields, and numbers that cannot be had are null."""
    document = json.loads(cranfield.out("stability", *files, "-m", "AP", "-m", "P@5", "--format", "json"))
    assert (document["topics"], document["runs"]) == (12, 6)
    measure = document["measures"][0]
    assert set(measure) == {"measure", "floor", "discriminative_power", "by_topics", "swap_rates"}
    assert [row["topics"] for row in measure["by_topics"]] == [5, 10, 12]
    assert measure["by_topics"][-1]["swap_rate"] is None
    assert measure["by_topics"][-1]["told_apart"] == measure["discriminative_power"]
    assert 0 < measure["floor"]["bootstrap_p5"] <= measure["floor"]["bootstrap_mean"] <= 1


@pytest.mark.needs_extra("plot")
def test_stability_says_how_to_read_it(files: list[Path], cranfield: Cranfield, tmp_path: Path) -> None:
    """The sentences stand under the table, and the picture is drawn."""
    output = cranfield.out("stability", *files, "--plot", tmp_path / "stability.svg")
    assert "AP: on average, tau is" in output
    heading = "significant pairs % (paired t)"
    assert heading in output
    assert "discriminative" not in output
    assert b"Pairs that two topic sets order differently" in (tmp_path / "stability.svg").read_bytes()


def test_stability_refuses_one_run(files: list[Path], cranfield: Cranfield) -> None:
    """There is nothing to disagree on."""
    message = cranfield.error("stability", *files[:2])
    assert "at least two runs and two topics; got 1 and 12" in message


def test_steady_systems_never_swap_and_noise_swaps_half() -> None:
    """The extremes of swap_rows."""
    steady = np.arange(5)[:, None] * 0.1 + GENERATOR.random((5, 20)) * 1e-3
    rows = swap_rows(steady)
    assert all(
        row["swap_rate"] == 0 and row["difference"] == 0 and row["tau"] == 1 for row in rows if row["topics"] < 11
    )
    assert all(row["told_apart"] == 1 for row in rows)
    noise = swap_rows(np.random.default_rng(2).random((20, 40)))
    assert all(0.4 < row["swap_rate"] < 0.6 for row in noise if not isnan(row["swap_rate"]))


def test_more_topics_tell_more_apart() -> None:
    """Power grows with topics where systems differ."""
    scores = np.linspace(0, 0.2, 8)[:, None] + np.random.default_rng(4).normal(size=(8, 40)) * 0.2
    shares = [power_of_sets(scores, size) for size in (5, 20, 40)]
    assert shares == sorted(shares)


def test_no_difference_is_enough_where_all_bins_swap() -> None:
    """NaN, and the sentence says so; empty bins prove nothing."""
    assert isnan(reversal_threshold(np.array([[10, 5], [10, 4], [0, 0]])))
    assert topic_set_sizes(7) == [5, 7]
    row: dict[str, Any] = {
        "topics": 5,
        "swap_rate": 0.4,
        "difference": np.nan,
        "tau": 0.1,
        "told_apart": 0.0,
    }
    floor = dict.fromkeys(("split_half_mean", "bootstrap_mean", "bootstrap_p5"), 0.5)
    measure = {"measure": "AP", "floor": floor, "discriminative_power": 0.5, "by_topics": [row]}
    assert "They disagree on 5% or more, however much the scores differ" in "\n".join(stability_sentences(measure, 10))
