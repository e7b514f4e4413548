"""A store's interaction log: its measures, its click models, and its differences beside those of the judgments."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.arrays.rankings import Vocabulary
from cranfield.errors import InputError, MeasureError, StoreError
from cranfield.features.online.analysis.clicks import (
    as_document,
    click_fits,
    parameter_rows,
    parameters_by_rank,
    prediction_rows,
    relevance_rows,
    store_labels,
    thresholds_of,
)
from cranfield.features.online.analysis.divergence import (
    ArmPair,
    Difference,
    agreement,
    agreement_rows,
    divergence,
    missing_interval_notes,
    offline_difference,
    online_difference,
    pair_rows,
    verdict,
)
from cranfield.features.online.analysis.divergence import as_document as divergence_document
from cranfield.features.online.analysis.log import GROUPINGS, first_groups, online_rows
from cranfield.features.online.estimates import estimate
from cranfield.features.online.experiments import ENOUGH
from cranfield.features.online.interactions import KINDS, Actions, Interactions, example
from cranfield.features.online.measures import ONLINE_MEASURES, ListSums, online_measure
from cranfield.features.online.store.read import LogChoice, interactions
from cranfield.store import import_log
from cranfield.store.log import assessors
from cranfield.store.qrels import labels_that_count
from cranfield.store.store import Store
from tests.files import json_lines
from tests.stores import new_store

LOG = example("abc:a", "bac:", "bca:ca", "cab:b", ":", arms="xyxyx", users="uvwuw")


def with_actions(log: Interactions, *actions: tuple[int, str, int, float, float]) -> Interactions:
    """The log with these actions: of which list, kind, position, at, seconds."""
    impression, kind, position, at, seconds = (np.array(column) for column in zip(*actions, strict=True))
    kinds = np.array([KINDS.index(one) for one in kind], np.int8)
    nan = np.full(len(actions), np.nan)
    return replace(
        log, actions=Actions(impression, kinds, position, at=at.astype(float), seconds=seconds.astype(float), value=nan)
    )


def values(log: Interactions, name: str) -> list[float]:
    counts = online_measure(name)(log)
    totals: list[float] = counts.total[counts.times > 0].tolist()
    return totals


ADDS = {
    "CTR": [1, 0, 1, 1, 0], "CTR@1": [1, 0, 0, 0, 0], "CTR@2": [1, 0, 1, 0, 0], "Abandonment": [0, 1, 0, 0, 1],
    "ClicksPerSearch": [1, 0, 2, 1, 0], "MaxRR": [1, 0, 1 / 2, 1 / 3, 0], "MeanRR": [1, 0, 5 / 12, 1 / 3, 0],
    "ZeroHits": [0, 0, 0, 0, 1], "Conversion": [0, 0, 0, 0, 0], "Satisfied": [], "Dwell": [],
}  # fmt: skip


def test_what_each_list_adds() -> None:
    """Of clicks; of what was done, and when; and another query in the same session is a reformulation."""
    for name, expected in ADDS.items():
        assert values(LOG, name) == pytest.approx(expected), name
    log = with_actions(
        LOG, (0, "click", 0, 4, np.nan), (0, "click", 1, 2, np.nan), (0, "dwell", 0, 4, 31), (0, "dwell", 1, 2, 5),
        (2, "dwell", 0, 9, 29), (3, "convert", -1, 9, np.nan), (4, "reformulate", -1, 9, np.nan),
    )  # fmt: skip
    assert values(log, "TimeToClick") == [2]
    assert values(log, "Dwell") == [36, 29]
    assert values(log, "Satisfied") == [1, 0, 0, 0, 0]
    assert values(log, "Conversion") == [0, 0, 0, 1, 0]
    assert values(log, "Reformulation") == [0, 0, 0, 0, 1]
    session, query = np.array([0, 0, 0, 0, 1]), np.array([0, 0, 1, 2, 0])
    log = replace(LOG, session=session, query=query, at=np.array([0, 10, 20, 20 + 1801.0, 30]))
    assert values(log, "Reformulation") == [0, 1, 0, 0, 0]


def test_lists_of_a_user_are_not_independent() -> None:
    """Four users who always do the same say as much as four lists, not as forty."""
    total, count = np.tile([1.0, 0, 1, 0], 10), np.ones(40)
    ctr = online_measure("CTR")
    by_list = estimate(ctr, ListSums(total, count), np.arange(40))
    by_user = estimate(ctr, ListSums(total, count), np.tile(np.arange(4), 10))
    assert (by_user.value, by_user.users, by_user.lists) == (0.5, 4, 40)
    assert (by_user.high - by_user.low) / (by_list.high - by_list.low) > 2


def test_the_interval_of_a_median_is_over_users() -> None:
    generator = np.random.default_rng(1)
    user = np.repeat(np.arange(50), 4)
    seconds = np.exp(generator.normal(size=50)[user])
    estimates = estimate(online_measure("TimeToClick"), ListSums(seconds, np.ones(200)), user)
    alone = estimate(online_measure("TimeToClick"), ListSums(seconds, np.ones(200)), np.arange(200))
    assert estimates.low < estimates.value < estimates.high
    assert estimates.high - estimates.low > 1.5 * (alone.high - alone.low)
    few = estimate(online_measure("TimeToClick"), ListSums(seconds[:8], np.ones(8)), user[:8])
    assert few.value == np.median(seconds[:8])
    assert np.isnan([few.low, few.high]).all()


def test_intervals_stay_within_their_range_and_need_users() -> None:
    """Shares from two users on, of whatever size; clicks from two hundred."""
    ctr, clicks = online_measure("CTR"), online_measure("ClicksPerSearch")
    for hits in range(4):
        estimates = estimate(ctr, ListSums((np.arange(3) < hits).astype(float), np.ones(3)), np.arange(3))
        assert 0 <= estimates.low <= estimates.value <= estimates.high <= 1
        assert estimates.low < estimates.high
    clicked, lists = np.random.default_rng(1).binomial(20, 0.05, 1000), np.full(1000, 20.0)  # users who are alike
    half = 1.96 * np.std(clicked / 20) / np.sqrt(1000)
    estimates = estimate(ctr, ListSums(clicked.astype(float), lists), np.arange(1000))
    assert estimates.low < estimates.value - half < estimates.value + half < estimates.high
    for users in (ENOUGH - 1, ENOUGH):
        of = ListSums(np.random.default_rng(1).poisson(0.5, users).astype(float), np.ones(users))
        estimates = estimate(clicks, of, np.arange(users))
        assert np.isnan(estimates.low) == (users < ENOUGH)
        assert np.isnan(estimates.low) or 0 < estimates.low < estimates.value < estimates.high


def test_groups() -> None:
    rows = online_rows(LOG, measures=["CTR"])
    assert [(row["arm"], row["value"], row["lists"], row["users"]) for row in rows] == [
        ("x", pytest.approx(2 / 3), 3, 2), ("y", 0.5, 2, 2)
    ]  # fmt: skip
    assert [(row["position"], row["value"]) for row in online_rows(LOG, "position")] == [(1, 0.25), (2, 0.25), (3, 0.5)]
    assert online_rows(LOG, "query", ["CTR"]) == []
    assert [row["query"] for row in online_rows(LOG, "query", ["CTR"], min_users=3)] == ["q"]
    nobody = np.full(len(LOG), -1)
    sessions = replace(LOG, user=nobody, session=np.arange(len(LOG)) % 3)
    assert [len(online_rows(sessions, "query", ["CTR"], min_users=least)) for least in (3, 4)] == [1, 0]
    unknown = replace(LOG, user=nobody, session=nobody)
    assert [len(online_rows(unknown, "query", ["CTR"], min_users=least)) for least in (0, 1)] == [1, 0]
    assert set(GROUPINGS) == {"arm", "run", "position", "query"}
    first, groups = first_groups(online_rows(LOG, "position"), "position", 2)
    assert ([row["position"] for row in first], groups) == ([1, 2], 3)


def test_documents_of_interleaved_lists_are_their_teams() -> None:
    log = example("ab:b", "ba:b", teams="abba")
    log = replace(log, arm=np.full(2, -1), arms=Vocabulary(["one", "two"]))
    assert [(row["run"], row["value"]) for row in online_rows(log, "run")] == [("one", 0.0), ("two", 1.0)]
    assert [row["arm"] for row in online_rows(log, measures=["CTR"])] == [""]


def test_a_measure_of_lists_is_not_one_of_documents() -> None:
    with pytest.raises(MeasureError, match="ZeroHits measures whole lists; with --by position, use CTR"):
        online_rows(LOG, "position", ["ZeroHits"])
    with pytest.raises(MeasureError, match="Dwell has no cutoff"):
        online_measure("Dwell@3")
    assert all(measure.about and measure.description for measure in ONLINE_MEASURES.values())


@pytest.mark.needs_extra("plot")
def test_a_figure_has_a_row_for_each_arm_of_each_experiment() -> None:
    from cranfield.features.online.charts import online_plot

    rows = [row | {"experiment": one} for one in ("first", "second") for row in online_rows(LOG, measures=["CTR"])]
    names = [text.get_text() for text in online_plot(rows, "arm").axes[0].get_yticklabels()]
    assert names == ["first: x", "first: y", "second: x", "second: y"]


QUERY_LOG = example(*["ab:a"] * 30, *["ba:a"] * 20, *["ba:b"] * 10)


@pytest.fixture
def store() -> Iterator[Store]:
    with new_store(grades={0: "no", 1: "some", 2: "highly"}, topics={"1": "wing lift"}) as store:
        yield store


def test_held_out_sessions_are_predicted() -> None:
    fits = click_fits(QUERY_LOG, ["gctr", "pbm", "cm"], 0.25)
    assert (fits.lists, fits.held_out) == (45, 15)
    likelihood = {row["model"]: row["log_likelihood"] for row in prediction_rows(fits)}
    assert max(likelihood, key=lambda name: likelihood[name]) != "gctr"
    assert len(as_document(fits)["models"][1]["prediction"]["perplexity_by_rank"]) == 2
    assert [row["of"] for row in parameter_rows(fits) if row["model"] == "pbm"] == ["rank 1", "rank 2"]
    assert prediction_rows(click_fits(QUERY_LOG, ["pbm"])) == []


def test_ranks_that_no_document_connects_are_noted() -> None:
    log = example(*["abc:a"] * 9, *["bac:b"] * 9)
    assert click_fits(log, ["pbm"]).notes == [
        "pbm: no clicked document connects the 2 groups of the 3 ranks in the log, so examination and attractiveness"
        " cannot be compared between groups"
    ]
    assert click_fits(log, ["dctr"]).notes == click_fits(QUERY_LOG, ["pbm"]).notes == []


def test_what_cannot_be_fitted_or_labelled_is_refused() -> None:
    with pytest.raises(InputError, match="none of the 9 lists was clicked"):
        click_fits(example(*["ab:"] * 9), ["gctr"])
    with pytest.raises(InputError, match="leaves no sessions to fit or no sessions to predict"):
        click_fits(example("ab:a"), ["pbm"], 0.25)
    fits = click_fits(QUERY_LOG, ["rctr"])
    with pytest.raises(InputError, match="rctr has no document parameters"):
        next(relevance_rows(fits, fits.models[0], 1))
    for thresholds in ([0.5], [0.5, 0.2], [0, 0.5], [0.5, 1]):
        with pytest.raises(InputError, match="expected 2 increasing numbers between 0 and 1"):
            thresholds_of([0, 1, 2], thresholds)


def test_labels_are_of_a_model_and_quantised(store: Store) -> None:
    fits = click_fits(QUERY_LOG, ["dctr"])
    assert store_labels(store, fits, fits.models[0], thresholds_of([0, 1, 2]), enough=60) == ("clicks-dctr", 2)
    assert assessors(store)["clicks-dctr"] == "model"
    assert labels_that_count(store).qrels.grade.tolist() == [2, 0]  # relevance 51/62 and 11/62
    with pytest.raises(InputError, match="assessor 'clicks-dctr' already exists"):
        store_labels(store, fits, fits.models[0], thresholds_of([0, 1, 2]))
    with pytest.raises(InputError, match="no document was shown at least 61 times"):
        store_labels(store, fits, fits.models[0], thresholds_of([0, 1, 2]), enough=61, assessor="other")


def test_rare_queries_are_left_out() -> None:
    """Unless they are topics."""
    on_topic = example("ab:a", "ab:", "ab:b", users="xyx")
    untold = replace(on_topic, topic=np.full(3, -1))
    rows = [len(list(relevance_rows(fits := click_fits(log, ["dctr"]), fits.models[0], least)))
            for log, least in ((untold, 2), (untold, 3), (on_topic, 3))]  # fmt: skip
    assert rows == [2, 0, 2]


@pytest.mark.needs_extra("plot")
def test_what_depends_on_the_rank_is_drawn() -> None:
    """What a user does after a click that satisfied is of no rank."""
    from cranfield.features.online.charts import examination_plot

    lines = {"pbm": ["examination"], "ubm": ["no click above", "after a click at rank 1"], "dbn": [], "ccm": []}
    for model, expected in lines.items():
        parameters = parameters_by_rank(click_fits(QUERY_LOG, [model]).models[0])
        axes = examination_plot(model, parameters).axes[0].get_lines() if parameters else []
        assert (bool(parameters), [str(line.get_label()) for line in axes]) == (bool(expected), expected)


ARMS = {"best": "abcd", "good": "acbd", "fair": "cadb", "poor": "dcba", "unknown": "abdc"}
QIDS = [str(number) for number in range(1, 13)]


@pytest.fixture(scope="module")
def arms_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Users click a where it is among the first two, but on topic 6 only d; every arm is shown 12 times each."""
    lines = [
        {"id": f"{arm} {qid} {time}", "at": 2e9 + 86400 * time, "user": f"u{time % 8}", "qid": qid, "arm": arm,
         "docs": list(order), "actions": [{"kind": "click", "doc": doc, "at": 2e9 + 86400 * time + 5}]
         if (doc := "d" if qid == "6" else "a") in order[: 1 + time % 3] else []}
        for arm, order in ARMS.items() for qid in QIDS for time in range(12)
    ]  # fmt: skip
    log = tmp_path_factory.mktemp("log") / "log.jsonl"
    log.write_text(json_lines(lines))
    rankings = {
        tag: {doc: 4.0 - rank for rank, doc in enumerate(ARMS[tag])} for tag in ("best", "good", "fair", "poor")
    }
    runs = {tag: dict.fromkeys(QIDS, ranking) for tag, ranking in rankings.items()}
    grades = {qid: {"a": 1, "b": int(qid < "4"), "c": 0} for qid in QIDS}
    with new_store(topics=QIDS, people=["ada"], runs=runs, qrels={"ada": grades}) as store:
        import_log(store, [log], experiment="page", arms=list(ARMS))
        yield store


@pytest.fixture(scope="module")
def log(arms_store: Store) -> Interactions:
    return interactions(arms_store)


@pytest.mark.needs_extra("arrow")
def test_pairs_topics_and_agreement(arms_store: Store, log: Interactions) -> None:
    from cranfield.features.online.charts import divergence_plot

    differences = divergence(arms_store, log, ["AP", "P@1"], "CTR")
    assert differences.without_run == ["unknown"]
    assert len(differences.pairs) == 12
    poor = {one.a: one for one in differences.pairs if one.b == "poor" and one.measure == "AP"}
    assert poor["best"].verdict == "same"
    assert poor["best"].online.value == pytest.approx(11 / 12 - 1 / 12)
    rows = agreement_rows(differences)
    assert {row["measure"] for row in rows} == {"AP", "P@1"}
    assert all(row["pairs"] == 6 and 0 < row["share"] <= 1 for row in rows)
    assert {row["query_id"] for row in differences.topics[:3]} == {"6"}
    first = differences.topics[0]
    assert first["offline"] * first["online"] < 0
    assert first["judged_a"] == pytest.approx(3 / 4)
    assert first["days"] > 0
    assert len(divergence_document(differences)["topics"]) == 72
    key = divergence_plot(pair_rows(differences), "CTR").legends[0].get_texts()
    assert {text.get_text() for text in key} <= {"same", "opposite", "undecided"}


@pytest.mark.needs_extra("arrow")
def test_of_a_measure_where_less_is_better(arms_store: Store, log: Interactions) -> None:
    by = {name: divergence(arms_store, log, ["AP"], name) for name in ("CTR", "Abandonment")}
    assert [one.verdict for one in by["CTR"].pairs] == [one.verdict for one in by["Abandonment"].pairs]
    a, b = (by[name].agreements["AP"] for name in by)
    np.testing.assert_allclose(a or (), b or (0,))


def test_a_user_in_both_arms_is_one_user() -> None:
    """The difference of an arm from itself has less error if its users are the same, and none but of those added."""
    one, users = ListSums(np.array([2.0, 0, 5, 1] * 60), np.array([4.0, 3, 8, 2] * 60)), np.arange(240)
    same, other = (online_difference(one, one, (users, users + more), share=True) for more in (0, 240))
    assert same.value == other.value == 0
    assert same.high - same.low < 0.3 * (other.high - other.low)
    assert np.isnan(online_difference(one, one, (users, users), share=False).low)
    assert online_difference(one, one, (users, users + 240), share=False).low < 0


def test_arms_of_few_or_alike_users_are_no_certainty() -> None:
    """All of one arm click and nobody of the other: certain of few users, and an interval all the same."""
    every, none = ListSums(np.ones(5), np.ones(5)), ListSums(np.zeros(5), np.ones(5))
    users = np.arange(5), np.arange(5, 10)
    difference = online_difference(every, none, users, share=True)
    assert 0 < difference.low < difference.value == difference.high == 1
    assert np.isnan(online_difference(every, none, users, share=False).low)
    assert np.isnan(offline_difference(np.repeat([0.0, 0.1], [20, 7])).low)
    assert offline_difference(np.repeat([0.0, 0.1], [20, 8])).low > 0


def test_verdicts_and_summaries() -> None:
    up, down, flat = Difference(0.1, 0.05, 0.15), Difference(-0.1, -0.2, -0.05), Difference(0.1, -0.1, 0.3)
    assert [verdict(up, one) for one in (up, down, flat)] == ["same", "opposite", "undecided"]
    assert agreement([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]) is None
    summary = agreement([-0.1, 0.2, 0.3, 0.1], [-0.01, 0.02, 0.03, 0.01])
    assert summary is not None
    assert (summary.same, summary.tau, round(summary.pearson, 9), round(summary.slope, 9)) == (4, 1, 1, 0.001)


@pytest.mark.needs_extra("arrow")
@pytest.mark.filterwarnings("ignore:some rows have no interval")
def test_functions_take_the_period_of_their_commands(arms_store: Store) -> None:
    """The store's lists are all from after 2e9 seconds."""
    for function in (
        cranfield.online.measure_divergence,
        cranfield.online.fit_click_model,
        cranfield.online.summarize_log,
    ):
        function(arms_store, since=2e9)
        with pytest.raises(StoreError, match="no lists for this experiment, these arms and this period"):
            function(arms_store, until=2e9)


@pytest.mark.needs_extra("arrow")
@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"since": "2026-02-01"}, "since is '2026-02-01'; expected a number"),
        ({"confidence": 95}, "confidence is 95; expected a number from 0.01 to 0.9999"),
        ({"arms": "best"}, "arms is 'best'; expected a list of names"),
        ({"measures": [5]}, r"measures is \[5\]; expected a list of names"),
    ],
)
def test_what_is_no_value_of_an_option_is_named(arms_store: Store, options: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        cranfield.online.summarize_log(arms_store, **options)


@pytest.mark.needs_extra("arrow")
def test_bad_questions(arms_store: Store, log: Interactions) -> None:
    with pytest.raises(InputError, match="TimeToClick cannot be compared"):
        divergence(arms_store, log, ["AP"], "TimeToClick")
    with pytest.raises(
        InputError, match=r"CTR@5 is an online measure \(use --online CTR@5\); expected an offline measure"
    ):
        divergence(arms_store, log, ["AP", "CTR@5"], "CTR")
    with pytest.raises(InputError, match="fewer than two arms of the log correspond to runs"):
        divergence(
            arms_store,
            interactions(arms_store, LogChoice(arms=["unknown"])),
            ["AP"],
            "CTR",
        )
    name, code = next(iter(ARMS)), log.arms.codes([next(iter(ARMS))])[0]
    for arm, why in ((code, f"{name} is the only arm"), (-1, "the lists have no arms")):
        lists = replace(log, arm=np.full(len(log), arm))
        with pytest.raises(InputError, match=f"fewer than two arms .*: {why}"):
            divergence(arms_store, lists, ["AP"], "CTR")


@pytest.mark.full
@pytest.mark.parametrize(("pairs", "opposite", "names"), [(6, 6, 6), (28, 3, 3), (60, 30, 20)])
def test_names_of_many_pairs_do_not_overlap(pairs: int, opposite: int, names: int) -> None:
    """Of more than twelve, those that are opposite are named; all at the right, one below the other."""
    from matplotlib.text import Text

    from cranfield.features.online.charts import divergence_plot

    ends = dict.fromkeys(("offline", "online", "offline_low", "online_low", "offline_high", "online_high"), 0.1)
    row = {"arm_a": "a", "arm_b": "b", "measure": "AP", **ends}
    figure = divergence_plot(
        [{**row, "verdict": "opposite"}] * opposite + [{**row, "verdict": "same"}] * (pairs - opposite), "CTR"
    )
    figure.draw_without_rendering()
    heights = sorted((box.y0, box.y1) for box in map(Text.get_window_extent, figure.axes[0].texts))
    assert len(heights) == names
    assert all(above[0] >= below[1] - 2 for below, above in pairwise(heights))


def test_comparisons_without_an_interval_are_counted() -> None:
    nan, known = float("nan"), Difference(0.1, 0.05, 0.15)
    unknown = Difference(0.1, nan, nan)
    pairs = [
        ArmPair("e", "a", "b", measure="AP", offline=offline, online=online, verdict="undecided")
        for offline, online in ((unknown, known), (unknown, unknown), (known, known))
    ]
    assert missing_interval_notes(pairs) == [
        "2 of 3 comparisons are undecided, because they have no offline interval; an offline interval needs at least 8"
        " topics with different scores",
        "1 of 3 comparisons is undecided, because it has no online interval; an online interval needs at least 2 users"
        " in each arm, or 200 for measures in clicks or seconds",
    ]
    assert missing_interval_notes(pairs[2:]) == []
