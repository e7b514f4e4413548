"""Offline against online differences of arms that are runs."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield.analysis.online.divergence import agreement_rows, as_document, divergence
from cranfield.analysis.online.log import import_log
from cranfield.arrays.interactions import Interactions
from cranfield.errors import InputError
from cranfield.formats import Topic
from cranfield.online.divergence import Difference, agreement, offline_difference, online_difference, verdict
from cranfield.online.measures import Counts
from cranfield.store.online.read import LogChoice, interactions
from cranfield.store.store import Store

ARMS = {"best": "abcd", "good": "acbd", "fair": "cadb", "poor": "dcba", "unknown": "abdc"}
QIDS = [str(number) for number in range(1, 13)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Users click a where it is among the first two, but on topic 6 only d; every arm is shown 12 times each."""
    lines = [
        {"id": f"{arm} {qid} {time}", "at": 2e9 + 86400 * time, "user": f"u{time % 8}", "qid": qid, "arm": arm,
         "docs": list(order), "actions": [{"kind": "click", "doc": doc, "at": 2e9 + 86400 * time + 5}]
         if (doc := "d" if qid == "6" else "a") in order[: 1 + time % 3] else []}
        for arm, order in ARMS.items() for qid in QIDS for time in range(12)
    ]  # fmt: skip
    log = tmp_path_factory.mktemp("log") / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Store.memory("arms") as made:
        made.add_topics([Topic(qid, f"title {qid}") for qid in QIDS])
        for tag in ("best", "good", "fair", "poor"):
            ranking = {doc: 4.0 - rank for rank, doc in enumerate(ARMS[tag])}
            cranfield.import_runs(made, {tag: dict.fromkeys(QIDS, ranking)})
        labels = {qid: {"a": 1, "b": int(qid < "4"), "c": 0} for qid in QIDS}
        cranfield.import_qrels(made, labels, "ada", "human")
        import_log(made, [log], experiment="page", arms=list(ARMS))
        yield made


@pytest.fixture(scope="module")
def log(store: Store) -> Interactions:
    return interactions(store)


def test_pairs_topics_and_agreement(store: Store, log: Interactions) -> None:
    found = divergence(store, log, ["AP", "P@1"], "CTR")
    assert found.without_run == ["unknown"]
    assert len(found.pairs) == 12
    poor = {one.a: one for one in found.pairs if one.b == "poor" and one.measure == "AP"}
    assert poor["best"].verdict == "same"
    assert poor["best"].online.value == pytest.approx(11 / 12 - 1 / 12)
    rows = agreement_rows(found)
    assert {row["measure"] for row in rows} == {"AP", "P@1"}
    assert all(row["pairs"] == 6 and 0 < row["share"] <= 1 for row in rows)
    assert {row["query_id"] for row in found.topics[:3]} == {"6"}
    first = found.topics[0]
    assert first["offline"] * first["online"] < 0
    assert first["judged_a"] == pytest.approx(3 / 4)
    assert first["days"] > 0
    assert len(as_document(found)["topics"]) == 72


def test_of_a_measure_where_less_is_better(store: Store, log: Interactions) -> None:
    by = {name: divergence(store, log, ["AP"], name) for name in ("CTR", "Abandonment")}
    assert [one.verdict for one in by["CTR"].pairs] == [one.verdict for one in by["Abandonment"].pairs]
    a, b = (by[name].agreements["AP"] for name in by)
    np.testing.assert_allclose(a or (), b or (0,))


def test_a_user_in_both_arms_is_one_user() -> None:
    """The difference of an arm from itself has less error if its users are the same, and none but of those added."""
    one, users = Counts(np.array([2.0, 0, 5, 1] * 60), np.array([4.0, 3, 8, 2] * 60)), np.arange(240)
    same, other = (online_difference(one, one, (users, users + more), share=True) for more in (0, 240))
    assert same.value == other.value == 0
    assert same.high - same.low < 0.3 * (other.high - other.low)
    assert np.isnan(online_difference(one, one, (users, users), share=False).low)
    assert online_difference(one, one, (users, users + 240), share=False).low < 0


def test_arms_of_few_or_alike_users_are_no_certainty() -> None:
    """All of one arm click and nobody of the other: certain of few users, and an interval all the same."""
    every, none = Counts(np.ones(5), np.ones(5)), Counts(np.zeros(5), np.ones(5))
    users = np.arange(5), np.arange(5, 10)
    found = online_difference(every, none, users, share=True)
    assert 0 < found.low < found.value == found.high == 1
    assert np.isnan(online_difference(every, none, users, share=False).low)
    assert np.isnan(offline_difference(np.repeat([0.0, 0.1], [20, 7])).low)
    assert offline_difference(np.repeat([0.0, 0.1], [20, 8])).low > 0


def test_verdicts_and_summaries() -> None:
    up, down, flat = Difference(0.1, 0.05, 0.15), Difference(-0.1, -0.2, -0.05), Difference(0.1, -0.1, 0.3)
    assert [verdict(up, one) for one in (up, down, flat)] == ["same", "opposite", "undecided"]
    assert agreement([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]) is None
    turned = agreement([-0.1, 0.2, 0.3, 0.1], [-0.01, 0.02, 0.03, 0.01])
    assert turned is not None
    assert (turned.same, turned.tau, round(turned.pearson, 9), round(turned.slope, 9)) == (4, 1, 1, 0.001)


def test_bad_questions(store: Store, log: Interactions) -> None:
    with pytest.raises(InputError, match="TimeToClick cannot be compared"):
        divergence(store, log, ["AP"], "TimeToClick")
    with pytest.raises(InputError, match="CTR@5 is a measure of logs: --online CTR@5; expected a measure of judgments"):
        divergence(store, log, ["AP", "CTR@5"], "CTR")
    with pytest.raises(InputError, match="fewer than two arms of the log are runs"):
        divergence(store, interactions(store, LogChoice(arms=["unknown"])), ["AP"], "CTR")


def test_a_figure(store: Store, log: Interactions, tmp_path: Path) -> None:
    from cranfield.analysis.online.divergence import pair_rows
    from cranfield.plots.online import divergence_plot

    figure = divergence_plot(pair_rows(divergence(store, log, ["AP"], "CTR")), "CTR")
    assert {text.get_text() for text in figure.legends[0].get_texts()} <= {"same", "opposite", "undecided"}


@pytest.mark.parametrize(("pairs", "opposite", "names"), [(6, 6, 6), (28, 3, 3), (60, 30, 20)])
def test_names_of_many_pairs_do_not_overlap(pairs: int, opposite: int, names: int) -> None:
    """Of more than twelve, those that are opposite are named; all at the right, one below the other."""
    from matplotlib.text import Text

    from cranfield.plots.online import divergence_plot

    ends = dict.fromkeys(("offline", "online", "offline_low", "online_low", "offline_high", "online_high"), 0.1)
    row = {"arm_a": "a", "arm_b": "b", "measure": "AP", **ends}
    figure = divergence_plot(
        [{**row, "verdict": "opposite"}] * opposite + [{**row, "verdict": "same"}] * (pairs - opposite), "CTR"
    )
    figure.draw_without_rendering()
    heights = sorted((box.y0, box.y1) for box in map(Text.get_window_extent, figure.axes[0].texts))
    assert len(heights) == names
    assert all(above[0] >= below[1] - 2 for below, above in pairwise(heights))
