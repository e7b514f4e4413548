"""Comparisons of runs, topic set size design, and the command for both."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from cranfield.analysis.comparison_rows import display_of, reading_guide
from cranfield.analysis.outcomes import OUTCOME_COLUMNS
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.cli.commands import compare as compare_cli
from cranfield.cli.common_options import expand_option_records
from cranfield.cli.tree import commands_by_first_word, load_command
from cranfield.errors import InputError, MeasureError
from cranfield.formats.text_tables import fit_table
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.significance.compare import compare
from cranfield.metrics.significance.pairs import CORRECTIONS, Pairs, all_pairs, correct_p_values, p_values
from cranfield.metrics.significance.tests import TESTS
from cranfield.metrics.significance.topic_set_size import (
    detectable_difference,
    plan_topic_count,
    power,
    residual_variance,
    topics_needed,
)
from tests import real
from tests.conftest import Cranfield, usually
from tests.files import track_files

TOPICS = [str(topic) for topic in range(20)]


def table(runs: int = 4, seed: int = 1) -> pd.DataFrame:
    """Scores of runs A, B, ... by AP and nDCG@10, as evaluate gives them."""
    rng = np.random.default_rng(seed)
    rows = [
        (chr(65 + run), topic, measure, float(np.clip(0.3 + 0.1 * run + rng.normal(0, 0.15), 0, 1).round(4)))
        for run in range(runs)
        for topic in TOPICS
        for measure in ("AP", "nDCG@10")
    ]
    return pd.DataFrame(rows, columns=["run", "query_id", "measure", "value"])


def small_collection() -> tuple[dict[str, Any], dict[str, dict[str, int]]]:
    """Three runs over twenty topics with one relevant document each."""
    rng = np.random.default_rng(2)
    qrels = {topic: {f"d{d}": int(d == 0) for d in range(6)} for topic in TOPICS}
    runs = {
        tag: {topic: {f"d{d}": float(rng.random() + (d == 0) * luck) for d in range(6)} for topic in TOPICS}
        for tag, luck in (("good", 0.8), ("fair", 0.3), ("poor", -0.3))
    }
    return runs, qrels


# compare


def test_a_row_a_pair_and_measure() -> None:
    """The table is tidy, its columns are those promised, and its numbers agree with each other."""
    rows = compare(table())
    assert list(rows) == [
        "run_a", "run_b", "measure", "mean_a", "mean_b", "difference", "low", "high", "effect",
        "wins", "ties", "losses", "topics", "p", "p_corrected", "significant",
            "p_test",
            "exact",
    ]  # fmt: skip
    assert len(rows) == 6 * 2
    assert not rows.duplicated(["run_a", "run_b", "measure"]).any()
    assert rows["difference"].to_numpy() == pytest.approx((rows["mean_a"] - rows["mean_b"]).to_numpy())
    assert (rows["wins"] + rows["ties"] + rows["losses"] == rows["topics"]).all()
    assert (rows["significant"] == (rows["p_corrected"] <= 0.05)).all()


def test_run_a_is_the_better_one_by_the_first_measure() -> None:
    rows = compare(table())
    assert (rows.loc[rows["measure"] == "AP", "difference"] >= 0).all()


@pytest.mark.parametrize("test", list(TESTS))
def test_the_order_of_the_rows_does_not_matter(test: str) -> None:
    """Not of runs, nor of topics: the same bits come out."""
    scores_given, other = table(), table().sample(frac=1, random_state=3)
    options: dict[str, Any] = {"test": test, "measures": "AP", **({"samples": 500} if TESTS[test].resamples else {})}
    pd.testing.assert_frame_equal(compare(scores_given, **options), compare(other, **options), check_exact=True)


def test_a_baseline_is_run_b_of_every_row() -> None:
    rows = compare(table(), baseline="B")
    assert set(rows["run_b"]) == {"B"}
    assert rows["run_a"].tolist() == ["D", "C", "A"] * 2
    everything = compare(table(), correction="none").set_index(["run_a", "run_b", "measure"])
    assert rows["p"][0] == everything.loc[("D", "B", "AP"), "p"]


def test_corrections_are_over_the_pairs_of_a_measure() -> None:
    for name, correction in CORRECTIONS.items():
        rows = compare(table(), correction=name)
        for _, group in rows.groupby("measure"):
            assert group["p_corrected"].tolist() == correct_p_values(group["p"].to_numpy(), correction).tolist()


def test_a_table_of_scores_says_the_same_as_runs_and_qrels() -> None:
    runs, qrels = small_collection()
    by_topic = evaluate(qrels, runs, ["AP", "RR"], per_topic=True)
    pd.testing.assert_frame_equal(compare(by_topic), compare(qrels, runs, measures=["AP", "RR"]))
    pd.testing.assert_frame_equal(compare(by_topic, measures="RR"), compare(qrels, runs, measures="RR"))


def test_wilcoxons_zeros_can_be_chosen() -> None:
    scores_given = table().assign(value=lambda t: t["value"].round(1))
    several = [
        compare(scores_given, test="wilcoxon", zeros=zeros, measures="AP")["p"].tolist()
        for zeros in ("wilcox", "pratt")
    ]
    assert several[0] != several[1]


RUNS, QRELS = small_collection()
WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: compare(QRELS, RUNS, baseline="god"), "unknown run 'god'; did you mean good"),
    (lambda: compare(QRELS, RUNS, baseline="zzz"), "unknown run 'zzz'; available: "),
    (lambda: compare(QRELS, {"good": RUNS["good"]}), r"only one run \('good'\); a comparison needs two"),
    (lambda: compare({"0": QRELS["0"]}, RUNS), r"only one topic \('0'\); a comparison needs at least two"),
    (lambda: compare(QRELS, RUNS, test="z"), "unknown test 'z'; available: t, permutation, tukey, bootstrap"),
    (lambda: compare(QRELS, RUNS, correction="x"), "unknown correction 'x'; available: holm, bh, bonferroni, none"),
    (lambda: compare(QRELS, RUNS, test="tukey", correction="bh"), "found the correction bh, expected none"),
    (lambda: compare(QRELS, RUNS, alpha=5), "alpha is 5; expected a number above 0 and below 1"),
    (lambda: compare(QRELS, RUNS, samples=0), "samples is 0"),
    (lambda: compare(QRELS, RUNS, seed=-1), "the seed is -1"),
    (lambda: compare(QRELS, RUNS, zeros="none"), "zeros is 'none'; expected one of wilcox, pratt, zsplit"),
    (lambda: compare(QRELS, RUNS, zeros="pratt"), "zeros is pratt, which only wilcoxon uses, not t"),
    (lambda: compare(QRELS, RUNS, samples=9, test="sign"), "only permutation, tukey and bootstrap use, not sign"),
    (lambda: compare(QRELS, RUNS, seed=1, test="wilcoxon"), "seed is 1, which only permutation"),
    (
        lambda: compare(RUNS),
        "without runs, expected a DataFrame of scores with the columns run, query_id, measure, value",
    ),
    (lambda: compare(table().iloc[[0, 0, 1]]), "run 'A', topic '0' has two scores by AP"),
    (lambda: compare(table(), measures="P@5"), "there are no scores by P@5; the table has scores by AP, nDCG@10"),
    (lambda: compare(table().iloc[:0]), "no run; a comparison"),
    (lambda: plan_topic_count(table(), difference=0), "the difference is 0; expected a number above 0"),
    (lambda: plan_topic_count(table(), difference=0.1, beta=0), "beta is 0"),
    (lambda: plan_topic_count(table(), difference=1e-9), "would need more than 10000000 topics"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_wrong_input_is_told_in_one_line(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        wrong()
    assert "\n" not in str(error.value)


def test_a_geometric_mean_is_refused() -> None:
    with pytest.raises(MeasureError, match="is a geometric mean; a comparison needs arithmetic means"):
        compare(QRELS, RUNS, measures="GMAP")


# plan


def test_twice_the_residual_variance_is_the_mean_variance_of_differences() -> None:
    """An identity: averaged over all pairs of runs."""
    scores = np.random.default_rng(5).random((7, 30))
    a, b = all_pairs(7)
    assert 2 * residual_variance(scores) == pytest.approx(float((scores[a] - scores[b]).var(axis=1, ddof=1).mean()))


@pytest.mark.parametrize("difference", [0.05, 0.1, 0.3])
def test_the_topics_needed_are_the_fewest_that_do(difference: float) -> None:
    number = topics_needed(difference, 0.04, alpha=0.01, beta=0.1)
    assert power(number, difference, 0.04, 0.01) >= 0.9 > power(number - 1, difference, 0.04, 0.01)
    assert (
        detectable_difference(number, 0.04, 0.01, 0.1)
        <= difference
        < detectable_difference(number - 1, 0.04, 0.01, 0.1)
    )


def test_power_is_how_often_t_finds_the_difference() -> None:
    """By simulation: 4000 pairs over as many topics as are needed."""
    number = topics_needed(0.1, 0.05)
    rng = np.random.default_rng(6)
    differences = rng.normal(0.1, np.sqrt(0.05), (4000, number))
    rows = np.vstack([differences, np.zeros(number)])
    p = p_values(TESTS["t"], Pairs(rows, np.arange(4000), np.full(4000, 4000)))
    assert np.mean(p <= 0.05) == pytest.approx(power(number, 0.1, 0.05), abs=3 * np.sqrt(0.16 / 4000))


def test_runs_that_differ_by_the_same_everywhere_need_two_topics() -> None:
    runs = table().query("measure == 'AP' and run in ['A', 'B']").copy()
    runs["value"] = runs["run"].map({"A": 0.25, "B": 0.5})
    row = plan_topic_count(runs, difference=0.1).iloc[0]
    assert (row["topics_needed"], row["detectable"]) == (2, 0)


def test_no_difference_above_the_range_is_detectable() -> None:
    """Four topics on which AP is all or nothing would need a difference above 1; a measure of no range has no limit."""
    qrels = {topic: {"d": 1} for topic in "1234"}
    runs = {name: {topic: {"d" if topic in hits else "x": 1.0} for topic in "1234"}
            for name, hits in (("a", "1"), ("b", "34"))}  # fmt: skip
    assert np.isnan(plan_topic_count(qrels, runs, difference=0.2, measures="AP")["detectable"][0])
    scores = evaluate(qrels, runs, "AP", per_topic=True).assign(measure="mine")
    assert plan_topic_count(scores, difference=0.2)["detectable"][0] > 1


# TREC-COVID, round 1: 143 runs, 10,153 pairs


@pytest.fixture(scope="module")
def covid(shared: Path) -> pd.DataFrame:
    """AP of every run and topic."""
    return evaluate(real.covid(shared).qrels, real.covid(shared).runs, "AP", per_topic=True)


def test_how_many_pairs_of_trec_covid_differ(covid: pd.DataFrame) -> None:
    """Of 10,153 pairs by the paired t test: 7,693 uncorrected, and fewer with every stricter correction."""
    numbers = {name: int(compare(covid, correction=name)["significant"].sum()) for name in CORRECTIONS}
    assert numbers == {"none": 7693, "bh": 7497, "holm": 3314, "bonferroni": 3128}


def test_tukey_claims_less_than_holm_and_holm_less_than_no_correction(covid: pd.DataFrame) -> None:
    """On every third run of TREC-COVID."""
    some = covid[covid["run"].isin(sorted(set(covid["run"]))[::3])]
    tukey = compare(some, test="tukey", samples=2000)["significant"].sum()
    holm = compare(some)["significant"].sum()
    plain = compare(some, correction="none")["significant"].sum()
    assert 0 < tukey < holm < plain


def test_t_and_permutation_agree_on_trec_covid(covid: pd.DataFrame) -> None:
    """On every seventh run: the two decide alike on 98 of 100 pairs, and nearly the same p comes out."""
    some = covid[covid["run"].isin(sorted(set(covid["run"]))[::7])]
    t, other = compare(some), compare(some, test="permutation", samples=usually(4000, 20_000))
    assert np.mean((t["p"] <= 0.05) == (other["p"] <= 0.05)) > 0.98
    assert np.sqrt(np.mean((t["p"] - other["p"]) ** 2)) < 0.02


# The command


def command(*arguments: object) -> str:
    """What it prints; its errors are raised."""
    app = typer.Typer()
    app.command("compare")(expand_option_records(compare_cli.compare))
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A qrels file and three run files."""
    return track_files(tmp_path, QRELS, RUNS)


def test_the_command_offers_what_the_tables_hold() -> None:
    options = {option.name: option.metavar for option in load_command(commands_by_first_word()["compare"]).params}
    assert options["test"] == f"<{'|'.join(TESTS)}>"
    assert options["correction"] == f"<{'|'.join(CORRECTIONS)}>"


def test_the_table_fits_80_columns_and_says_how_to_read_it(files: list[Path]) -> None:
    lines = command(*files).splitlines()
    assert lines[0] == "all pairs by AP; 20 topics; paired t test, Holm"
    assert lines[1].split() == ["run", "a", "run", "b", "means", "a", "-", "b", "interval", "d", "w/t/l", "p", "holm"]
    assert all(len(line) <= 80 for line in lines[:5])
    assert lines[2].split()[:2] == ["good", "fair"]
    assert lines[6].startswith("Significant at 0.05 (*): ")
    assert "Read the difference and its 95% interval (paired t, not corrected) first" in lines[7]
    assert command(*files, "--plan", ".05").startswith("measure")  # as that line says
    assert "--plan 0.05 estimates" in lines[7]


def test_the_interval_is_the_last_column_to_go_and_the_legend_names_what_is_shown() -> None:
    cells = {"run a": "bm25plus", "run b": "lsa", "means": ".518 .411", "a - b": "+.106", "interval": "+.038 +.253"}
    row = {**cells, "d": "+.50", "w/t/l": "15/0/10", "p holm": "1.0000", "judged@10": "100% 100%", "outcome": "open"}
    fitted = fit_table([row], 52, display_of([row]).spare)
    assert "interval" not in fitted.left_out
    assert {"means", "d", "w/t/l"} <= {*fitted.left_out} <= {"means", "d", "w/t/l", "judged@10"}
    assert fit_table([row], 30, display_of([row]).spare).left_out.count("interval") == 1
    runs = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"e": 1.0}, "2": {"d": 1.0}}}
    table = compare(join_runs_and_qrels(as_runs(runs), as_qrels({"1": {"d": 1}, "2": {"d": 1}})), measures="RR")
    settings = {"alpha": 0.05, "test": "t", "correction": "holm", "samples": None, "seed": None, "zeros": None}
    guide = reading_guide(table, settings, fitted.left_out)
    assert "Read the difference and its 95% interval" in guide
    assert "w/t/l" not in guide
    assert "Read the difference first, then p." in reading_guide(table, settings, ["interval"])


def test_the_command_against_a_baseline_by_two_measures(files: list[Path]) -> None:
    measures = ["-m", "AP", "-m", "P@1"]
    lines = command(*files, "--baseline", "poor", *measures, "--test", "tukey", "--samples", 500).splitlines()
    assert lines[0].startswith("b is poor (AP .")
    assert lines[0].endswith("; 20 topics; randomised Tukey HSD")
    assert [line.split()[:2] for line in lines[2:6]] == [[by, run] for by in ("AP", "P@1") for run in ("good", "fair")]


def test_the_command_says_when_no_pair_could_be_significant(files: list[Path]) -> None:
    output = command(*files, "--test", "permutation", "--samples", 9)
    assert (
        "No pair could be significant: no p is below 0.1 with 9 samples, and Holm over 3 pairs asks for 0.01667"
        in output
    )
    assert "take 59 samples or more" in output


def test_the_command_says_why_the_bootstrap_has_no_p(files: list[Path]) -> None:
    """Below 50 topics it gives false alarms."""
    output = command(*files, "--test", "bootstrap", "--samples", 99)
    assert (
        "No p (-) for 3 of 3 pairs: the bootstrap test gives too many false alarms with fewer than 50 topics" in output
    )
    assert "*" not in output.splitlines()[2]


def test_the_command_says_whether_p_is_exact(files: list[Path]) -> None:
    """Three runs on 20 topics are sampled; a test that tries all says for how many pairs; t has nothing to say."""
    assert "p is exact" not in command(*files) + command(*files, "--test", "tukey", "--samples", 99)
    output = command(*files, "--test", "permutation", "--samples", 2**20)
    exact = compare(QRELS, RUNS, test="permutation", samples=2**20)["exact"]
    assert exact.sum() > 0
    assert f"p is exact for {'all' if exact.all() else f'{exact.sum()} of 3'} pairs, because " in output
    few = [[topic, run, 0.1 * (run + topic)] for topic in range(4) for run in range(3)]
    table = pd.DataFrame(few, columns=["query_id", "run", "value"]).assign(measure="AP")
    tukey = compare(table, test="tukey")
    assert tukey["exact"].all()
    assert tukey["p"].min() == pytest.approx(6**-3)
    assert compare(table)["exact"].isna().all()


def test_json_is_settings_and_pairs(files: list[Path]) -> None:
    """Every number of the API is there, and what does not matter to the test is null."""
    document = json.loads(command(*files, "--format", "json", "--baseline", "poor", "--alpha", 0.1))
    pairs = document.pop("pairs")
    assert document == {
        "test": "t", "correction": "holm", "alpha": 0.1, "samples": None, "seed": None, "zeros": None,
        "baseline": "poor",
    }  # fmt: skip
    reference = compare(QRELS, RUNS, baseline="poor", alpha=0.1)
    pd.testing.assert_frame_equal(pd.DataFrame(pairs)[[*reference]], reference, check_dtype=False)
    assert [(pair["judged_a"], pair["judged_b"], pair["judged_cutoff"]) for pair in pairs] == [(1.0, 1.0, 10)] * 2
    settings = json.loads(command(*files, "--format", "json", "--test", "permutation", "--samples", 50, "--seed", 3))
    assert (settings["test"], settings["samples"], settings["seed"]) == ("permutation", 50, 3)


def test_csv_has_every_column(files: list[Path], tmp_path: Path) -> None:
    command(*files, "--format", "csv", "-o", tmp_path / "out.csv")
    shared = ["baseline", "test", "correction", "alpha"]
    assert list(pd.read_csv(tmp_path / "out.csv")) == [*compare(QRELS, RUNS), *OUTCOME_COLUMNS, *shared]


def test_the_command_plans(files: list[Path]) -> None:
    output = command(*files, "--plan", 0.05)
    reference = plan_topic_count(QRELS, RUNS, difference=0.05).iloc[0]
    assert f" {reference['topics_needed']} " in output.splitlines()[1]
    assert "finds a true difference of 0.05 in four of five cases" in output
    document = json.loads(command(*files, "--plan", 0.05, "--format", "json"))
    assert (document["power"], document["measures"][0]["topics_needed"]) == (0.8, reference["topics_needed"])


@pytest.mark.needs_extra("plot")
@pytest.mark.parametrize("form", usually(["csv"], ["json", "csv", "tsv"]))
def test_the_command_reads_what_evaluate_wrote(
    cranfield: Cranfield, files: list[Path], tmp_path: Path, form: str
) -> None:
    """Scores by topic, of all runs or of each in a file of its own; the means in it are no topic."""
    measures = ["-m", "AP", "-m", "RR"]
    reference = json.loads(command(*files, *measures, "--format", "json"))["pairs"]
    whole, parts = tmp_path / f"all.{form}", [tmp_path / f"{run.name}.{form}" for run in files[1:]]
    for runs, out in [(files[1:], whole), *(([run], part) for run, part in zip(files[1:], parts, strict=True))]:
        output = cranfield("evaluate", files[0], *runs, *measures, "-q", "--format", form, "-o", out)
        assert (output.code, output.err) == (0, "")
    close = 1e-12 if form == "json" else 1e-3
    for scores in ([whole], parts):
        document = json.loads(command(*scores, "--format", "json"))["pairs"]
        assert [pair["topics"] for pair in document] == [pair["topics"] for pair in reference]
        for name in ("mean_a", "difference", "low"):
            assert [p[name] for p in document] == pytest.approx([p[name] for p in reference], abs=close)
    assert "20 topics" in command(whole, "-m", "map")
    assert "finds a true difference" in command(whole, "--plan", 0.05)
    command(whole, "--plot", tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size


def test_the_command_says_what_is_wrong(cranfield: Cranfield, files: list[Path], tmp_path: Path) -> None:
    """Means, scores beside runs, a score twice; another run or too few: in one line."""
    scores, means = tmp_path / "scores.csv", tmp_path / "means.csv"
    cranfield("evaluate", *files, "-q", "--format", "csv", "-o", scores)
    cranfield("evaluate", *files, "--format", "csv", "-o", means)
    needs = "the file contains means; expected scores by topic; write the file with --per-topic"
    for wrong, message in (
        ([*files, "--baseline", "goof"], "unknown run 'goof'; did you mean good"),
        (files[:2], "only one run ('good')"),
        ([means], f"{means}:1: {needs}"),
        ([scores, files[1]], f"{files[1]}:1: '0 Q0 d0 1 "),
        ([scores, scores], "run 'good', topic '0' has two scores by AP"),
        ([scores, "-m", "P@7"], "there are no scores by P@7; the table has scores by AP, "),
        ([scores, "--assessor", "ada"], f"{scores}: --assessor needs a store"),
    ):
        output = cranfield("compare", *wrong)
        assert (output.code, output.out, output.err.count("\n")) == (1, "", 1)
        assert output.err.startswith(f"error: {message}")


def test_correlate_takes_the_means_of_scores_by_topic(cranfield: Cranfield, files: list[Path], tmp_path: Path) -> None:
    """Which the same file has beside them."""
    scores, means = tmp_path / "scores.json", tmp_path / "means.json"
    cranfield("evaluate", *files, "-q", "--format", "json", "-o", scores)
    cranfield("evaluate", *files, "--format", "json", "-o", means)
    assert cranfield("correlate", scores).out == cranfield("correlate", means).out


def test_equal_differences_have_the_p_of_the_sign_test_and_say_so(cranfield: Cranfield, tmp_path: Path) -> None:
    """By every format; all differ by 0.5 on 10 topics, so t is undefined and p is 2^-9."""
    topics = [str(number) for number in range(10)]
    (tmp_path / "q").write_text("".join(f"{qid} 0 d 1\n{qid} 0 n 0\n" for qid in topics))
    for tag, first in (("a", "d"), ("b", "n")):
        other = "n" if first == "d" else "d"
        (tmp_path / tag).write_text(
            "".join(f"{qid} Q0 {first} 1 2 {tag}\n{qid} Q0 {other} 2 1 {tag}\n" for qid in topics)
        )
    words = ["compare", *(tmp_path / name for name in "qab"), "-m", "RR", "--baseline", "b"]
    text = cranfield.out(*words)
    assert "they differ by the same amount on all topics" in text
    assert "fewer than 8 topics" not in text
    assert "sign test, Holm" in text
    [pair] = json.loads(cranfield.out(*words, "--format", "json"))["pairs"]
    assert (pair["p"], pair["p_test"], pair["low"]) == (2**-9, "sign", None)
    for name in ("markdown", "latex"):
        heading = cranfield.out(*words, "--format", name).splitlines()[0].removeprefix("% ")
        assert heading == "b is b (RR .500); 10 topics; sign test, Holm; * significant at 0.05"
    head, row = cranfield.out(*words, "--format", "csv").splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert [cells[name] for name in ("measure", "baseline", "topics", "test", "p_test", "correction")] == [
        "RR", "b", "10", "t", "sign", "holm",
    ]  # fmt: skip
