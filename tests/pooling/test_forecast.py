"""Forecasts: exact on exact data, honest on noisy data, and told from a store and from files."""

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from cranfield.analysis.reusability import group_runs_by_unit
from cranfield.cli.commands.pool_checks import estimate
from cranfield.cli.commands.pool_checks import forecast as forecast_command
from cranfield.cli.commands.pool_checks import simulate as simulate_command
from cranfield.cli.common_options import expand_option_records
from cranfield.errors import InputError
from cranfield.formats import read_teams
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.build import build_pool
from cranfield.pooling.forecast import (
    back_test_forecast,
    chao_bound,
    extrapolate_power_law,
    forecast,
    power_law,
    warning_level,
)
from cranfield.pooling.methods import METHODS
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.pools import Pool, add_pool
from cranfield.store.qrels import import_qrels, qrels_of
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from tests.real import robust
from tests.stores import new_file, new_store

app = typer.Typer()
app.command("forecast")(expand_option_records(forecast_command))
app.command("simulate")(expand_option_records(simulate_command))
app.command("estimate")(expand_option_records(estimate))


def output_of(*arguments: object) -> str:
    """What a command says."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def powers(c: float, s: float, depths: int) -> list[float]:
    return [c * depth**s - 1 for depth in range(1, depths + 1)]


@pytest.mark.parametrize(("c", "s"), [(396.3, -0.6304), (398.2, -0.634), (50.0, -0.2)])
def test_a_power_law_is_found_again(c: float, s: float) -> None:
    """With the constants of TREC-5 and TREC-8: C and s exactly, and the sum beyond."""
    law = power_law(powers(c, s, 50))
    assert (law.c, law.s, law.residual) == pytest.approx((c, s, 0.0), abs=1e-9)
    beyond = extrapolate_power_law(law, 51, 100)
    assert beyond.predicted == pytest.approx(sum(powers(c, s, 100)[50:]))


def test_the_fit_is_that_of_scipy() -> None:
    """Slope, intercept and the standard deviation of the errors."""
    from scipy.stats import linregress

    counts = np.random.default_rng(1).poisson(powers(100, -0.7, 40))
    x, y = np.log(np.arange(1, 41)), np.log(counts + 1.0)
    law, line = power_law(counts), linregress(x, y)
    assert (np.log(law.c), law.s) == pytest.approx((line.intercept, line.slope))
    assert law.residual == pytest.approx(line.stderr * np.sqrt(((x - x.mean()) ** 2).sum()))


def test_the_back_test_is_the_forecast_of_the_first_half() -> None:
    """Fitted on the first half alone, with what came beside it."""
    counts = np.random.default_rng(3).poisson(powers(200, -0.5, 21))
    test = back_test_forecast(counts)
    assert test == extrapolate_power_law(power_law(counts[:10]), 11, 21)._replace(observed=int(counts[10:].sum()))
    assert back_test_forecast(counts[:5]) is None


@pytest.mark.parametrize("depths", [0, 1, 2])
def test_too_few_depths_are_refused(depths: int) -> None:
    """Two points lie on any line."""
    with pytest.raises(InputError, match="a fit needs at least 3"):
        power_law([5] * depths)


def test_chao_is_right_where_all_are_alike() -> None:
    """1,000 documents, each found by each of 12 teams with a chance of .1: 1,000 on average."""
    random = np.random.default_rng(4)
    bounds = [chao_bound(random.binomial(12, 0.1, 1000), 12) for _ in range(200)]
    assert np.mean([bound.estimate for bound in bounds]) == pytest.approx(1000, rel=0.01)


def test_chao_is_a_lower_bound_where_they_are_not() -> None:
    """Documents hard and easy to find: fewer than there are, more than were found."""
    random = np.random.default_rng(5)
    chance = random.beta(0.5, 4, 1000)
    bounds = [chao_bound(random.binomial(12, chance), 12) for _ in range(100)]
    assert np.mean([bound.estimate for bound in bounds]) < 1000
    assert all(bound.estimate >= bound.found for bound in bounds)


@pytest.mark.parametrize(
    ("finders", "teams", "missing"),
    [
        ([1] * 43 + [2] * 16 + [3] * 8 + [4] * 6 + [6] * 2 + [7], 18, 17 / 18 * 43**2 / 32),  # Edwards and Eberhardt
        ([], 5, 0),
        ([3, 3, 4], 5, 0),
        ([2, 2, 3], 5, 0),
        ([1, 1, 1, 3], 4, 3 / 4 * 3),  # f2 = 0: f1 (f1 - 1) / 2, times (m - 1) / m
    ],
)
def test_chao_by_hand(finders: list[int], teams: int, missing: float) -> None:
    """Of the cottontails; where nothing was found once, nothing is missing; none found twice still has a bound."""
    bound = chao_bound(finders, teams)
    assert bound.found == len(finders)
    assert bound.estimate == pytest.approx(len(finders) + missing)


def test_levels_are_those_of_the_literature() -> None:
    """AQUAINT's share is many, TREC-8's 5.4 % is not, above a third is too many."""
    assert [warning_level(share) for share in (0.054, 0.17, 0.174, 0.23, 0.34)] == ["", "", "many", "many", "too many"]


def test_a_forecast_counts_documents_by_the_depth_they_came_at() -> None:
    """a came at depth 1, b at 2, c at 3 by one team only; d, judged and relevant, is in no run."""
    runs = as_runs({"r": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "s": {"q": {"n": 3.0, "a": 2.0, "b": 1.0}}})
    qrels = as_qrels({"q": {"a": 1, "b": 2, "c": 1, "d": 1, "n": 0}, "p": {"a": 0}})
    prediction = forecast(runs, qrels, {"x": ["r"], "y": ["s"]}, 3)
    assert prediction.new == (1, 1, 1)
    assert (prediction.bound.found, prediction.bound.by_one, prediction.bound.by_two) == (3, 1, 2)
    p, q = prediction.topics
    assert (p.query_id, p.judged, p.relevant, p.level) == ("p", 1, 0, "")
    assert (q.judged, q.relevant, q.by_one, q.deeper_half, q.recent) == (5, 4, 1, 2, None)
    assert prediction.back_test is None
    assert forecast(runs, qrels, {"x": ["r"], "y": ["s"]}, 2).fit is None
    with pytest.raises(InputError, match="to depth 3; expected a depth greater than the pool's depth 3"):
        forecast(runs, qrels, {"x": ["r"], "y": ["s"]}, 3, to=3)


@pytest.mark.parametrize("depths", [(873_000_000, None), (3, 873_000_000)])
def test_depths_that_memory_has_no_room_for_are_refused(depths: tuple[int, int | None]) -> None:
    """A number that somebody mistyped, or a damaged store."""
    runs, qrels = as_runs({"r": {"q": {"a": 1.0}}}), as_qrels({"q": {"a": 1}})
    with pytest.raises(InputError, match="; expected at most 1000000"):
        forecast(runs, qrels, {"x": ["r"]}, depths[0], to=depths[1])


def test_robust03_is_forecast(shared: Path) -> None:
    """17 runs to depth 100: the second half of the depths is what the first half says."""
    source = robust(shared)
    prediction = forecast(source.runs, source.qrels, group_runs_by_unit(source.run_info, source.runs.tags, "team"), 100)
    assert prediction.back_test is not None
    assert prediction.back_test.observed == sum(prediction.new[50:])
    assert prediction.back_test.predicted == pytest.approx(prediction.back_test.observed, rel=0.2)
    assert sum(prediction.new) == prediction.bound.found
    assert prediction.bound.estimate < 5667 + 407  # the other 61 runs found more
    assert not any(topic.level == "too many" for topic in prediction.topics)


@pytest.mark.daily
def test_rich_topics_are_forecast_one_by_one(shared: Path) -> None:
    """Robust 2003: 33 topics with 40 relevant documents; the sums are the topic's own."""
    folder = shared / "robust03"
    files = [folder / "qrels.robust03.txt.gz", *sorted((folder / "runs").iterdir())]
    source = robust(shared)
    prediction = forecast(source.runs, source.qrels, group_runs_by_unit(source.run_info, source.runs.tags, "team"), 100)
    rich = [topic for topic in prediction.topics if topic.back_test]
    assert len(rich) == 33
    tests = [topic.back_test for topic in rich if topic.back_test]
    assert [test.observed for test in tests] == [topic.deeper_half for topic in rich]
    assert all(topic.prediction is None for topic in prediction.topics if topic not in rich)
    shallow = forecast(source.runs, source.qrels, {"all": source.runs.tags}, 19)
    assert not any(topic.back_test for topic in shallow.topics)
    lines = output_of("forecast", *files, "--depth", 100, "--by-topic", "--format", "csv").splitlines()
    assert lines[0].endswith("deeper half,forecast,back-test")
    assert lines[1].endswith(",0,,")
    assert lines[2].endswith(',22,16,"25, 22 found"')


@pytest.mark.daily
def test_trec_covid_overflows(shared: Path) -> None:
    """Depth 7 of round 1: 27 % of what is judged is relevant, and most relevant documents are one team's alone."""
    folder = shared / "treccovid-r1"
    pooled = [tag for tag, info in read_teams(folder / "teams.tsv").items() if info.pooled]
    files = [folder / "runs" / f"{tag}.gz" for tag in pooled]
    text = output_of("forecast", folder / "qrels-rnd1.txt.gz", *files, "--depth", 7, "--format", "json")
    document = json.loads(text)
    assert (document["depth"], document["to"], document["runs"], document["teams"]) == (7, 14, 56, 56)
    assert sum(topic["judged"] for topic in document["topics"]) == 8691
    assert sum(topic["relevant"] for topic in document["topics"]) == 1115 + 1237
    assert sum(topic["level"] == "too many" for topic in document["topics"]) == 8
    assert document["bound"]["by_one"] > document["bound"]["found"] / 2
    assert document["topics"][0]["recent"] is None


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A uniform sample of a small pool, judged in an order of its own."""
    path = tmp_path / "track.db"
    runs = as_runs(
        {f"r{run}": {"q": {f"d{(d * (run + 2)) % 11}": float(11 - d) for d in range(11)}} for run in range(3)}
    )
    documents = build_pool(METHODS["uniform"], runs, 10, budget=6, seed=1)
    pool = Pool("uniform", {"depth": 10, "runs": list(runs.tags)}, documents, 1)
    grades = {("q", one.docno): int(at in (0, 1, 4)) for at, one in enumerate(reversed(documents))}
    teams = {tag: f"t{tag}" for tag in runs.tags}
    with new_store(path, runs=runs, teams=teams, pool=pool, labels={"ada": grades}) as track:
        append(track, Event("later", "q", documents[0].docno, "ada"))
        append(track, Event("label", "q", documents[0].docno, "ada", grade=1))
    return path


@pytest.mark.full
def test_the_last_judgments_are_those_of_the_log(store: Path) -> None:
    """In the order they were first judged, with the grades of now: 1 1 0 0 1 and then 1, changed from 0."""
    (topic,) = json.loads(output_of("forecast", store, "--last", 4, "--format", "json"))["topics"]
    assert (topic["recent"], topic["recent_of"]) == (2, 4)
    assert "2 of 4" in output_of("forecast", store, "--last", 4)


def test_a_forecast_has_no_interval(store: Path) -> None:
    """Those of the power law and of Chao's bound hold too seldom where runs are what they are."""
    text = output_of("forecast", store, "--by-topic") + output_of("forecast", store, "--format", "json")
    assert "[" not in text.partition("{")[0]
    assert not {"low", "high", "interval"} & set(text.replace('"', " ").split())


def test_forecast_says_what_it_found(store: Path) -> None:
    """A table, then sentences, the back-test first."""
    text = output_of("forecast", store)
    assert text.index("Back-test: depths 1-5") < text.index("Forecast: depths 11-20") < text.index("Chao's")
    assert "No forecast by depth: a pool of depth 2 is too shallow" in output_of("forecast", store, "--depth", 2)


@pytest.mark.needs_extra("plot")
def test_runs_without_teams_are_not_called_teams(store: Path, tmp_path: Path) -> None:
    """In the title, the sentences, the figure and JSON; a team of one run with another name is a team."""
    with Store.open(store) as there:
        bare = new_file(tmp_path / "b.db", runs=stored_runs(there), pool=2, qrels={"ada": qrels_of(there)})
    text = output_of("forecast", bare, "--plot", tmp_path / "f.svg")
    assert text.startswith("3 runs (no teams given, so each counts as its own team) to depth 2;")
    assert "were found by only one run" in text
    assert "(no teams given, so each counts as its own team)" in (tmp_path / "f.svg").read_text()
    assert json.loads(output_of("forecast", bare, "--format", "json"))["teams_given"] is False
    assert output_of("forecast", store, "--depth", 2).startswith("3 runs of 3 teams to depth 2;")


@pytest.mark.full
def test_a_sample_is_estimated_from_its_store(store: Path) -> None:
    """Scores with intervals; with --by-topic how many relevant documents there are."""
    document = json.loads(output_of("estimate", store, "--format", "json", "-m", "AP"))
    (topic,) = document["topics"]
    assert (topic["sampled"], topic["found"], document["method"]) == (6, 4, "uniform")
    assert topic["found"] <= topic["low"] < topic["relevant"] < topic["high"]
    assert all(row["low"] <= row["value"] <= row["high"] for row in document["scores"])
    assert [row["run"] for row in document["scores"]] == ["r0", "r1", "r2"]
    assert "relevant" in output_of("estimate", store, "--by-topic")


def test_a_pool_without_probabilities_is_not_estimated(store: Path) -> None:
    """It is refused, naming the store and the pool."""
    with Store.open(store) as there:
        runs = as_runs({"r0": {"q": {"d0": 1.0}}})
        add_pool(there, Pool("depth", {"depth": 10, "runs": ["r0"]}, build_pool(METHODS["depth"], runs, 10)))
    with pytest.raises(InputError, match=r"track.db: pool 2 \(depth\) has no inclusion probabilities"):
        output_of("estimate", store)


@pytest.mark.needs_extra("plot")
def test_simulate_is_told_in_a_table_a_picture_and_json(store: Path, tmp_path: Path) -> None:
    """The same numbers everywhere; the picture is there."""
    options = ["--method", "rrf", "--method", "maxmean:credit=arm", "--budgets", "2,4", "--workers", 1]
    text = output_of("simulate", store, *options, "--plot", tmp_path / "found.svg")
    assert text.count("maxmean:credit=arm") >= 2
    assert (tmp_path / "found.svg").read_text().startswith("<?xml")
    document = json.loads(output_of("simulate", store, *options, "--format", "json"))
    assert [method["label"] for method in document["methods"]] == ["rrf", "maxmean:credit=arm"]
    assert [point["budget"] for point in document["methods"][0]["budgets"]] == [2, 4]


@pytest.mark.parametrize(
    "options",
    [
        ["--method", "rff"], ["--method", "rrf:k=1"], ["--budgets", "2,x"], ["--budgets", "0"],
        pytest.param(["--plot", "a.gif"], marks=pytest.mark.needs_extra("plot")),
    ],
)  # fmt: skip
def test_simulate_refuses_wrong_usage(store: Path, options: list[str]) -> None:
    """With exit code 2, before it starts."""
    result = CliRunner().invoke(app, ["simulate", str(store), *options])
    assert result.exit_code == 2


@pytest.mark.full
def test_imported_judgments_have_no_order(store: Path) -> None:
    """What came from a file was not judged in the file's order."""
    with Store.open(store) as there:
        import_qrels(there, as_qrels({"q": {"d1": 1, "d2": 1}}), "nist")
    (topic,) = json.loads(output_of("forecast", store, "--format", "json"))["topics"]
    assert topic["recent_of"] <= 6


@pytest.mark.full
def test_the_order_of_judging_is_that_of_the_labels_asked_for(store: Path) -> None:
    """Somebody else's log says nothing of the order in which a model judged, nor the other way round."""
    with Store.open(store) as there:
        add_assessor(there, "llm", "model")
        rows = there.rows("SELECT docno FROM judgment_log GROUP BY docno ORDER BY max(id) DESC")
        docnos = [docno for (docno,) in rows]
        last = set(docnos[-2:])  # judged first by people, last by the model
        append(there, *(Event("label", "q", docno, "llm", grade=int(docno in last)) for docno in docnos))
    options = ("forecast", store, "--labels", "models", "--last", 2, "--format", "json")
    (topic,) = json.loads(output_of(*options))["topics"]
    assert (topic["recent"], topic["recent_of"]) == (2, 2)
