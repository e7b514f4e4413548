"""Measures against what trec_eval 10 prints for its own test data, and against published tables."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cranfield.arrays.rankings import Qrels, Runs, canonical
from cranfield.errors import MeasureError
from cranfield.formats import read_qrels, read_runs
from cranfield.metrics import Measure, parse
from cranfield.metrics.evaluate import evaluate
from tests import real

FOLDERS = ["test", "trunc", "302", "rel_level", "comment", "qrels_comments"]
NO_REFERENCE = "rbp_resid"  # leaves the tail out where everything is judged; rbp is right on binary and on these grades
BERT = "BERT"  # its scores differ past the 7th digit; the leaderboard compared them in 32 bits


def expected_lines(path: Path) -> list[tuple[Measure, str, str]]:
    """The lines of trec_eval's output whose measure exists here: measure, topic, value as printed."""
    lines = []
    for line in path.read_text().splitlines():
        name, topic, value = (part.strip() for part in line.split("\t"))
        if name == NO_REFERENCE:
            continue
        try:
            lines.append((parse(name), topic, value))
        except MeasureError:
            continue
    return lines


@pytest.mark.parametrize("folder", FOLDERS)
def test_values_are_trec_evals_to_the_printed_digit(shared: Path, folder: str) -> None:
    """Every topic and the summary; with -c, so that topics missing from the run count."""
    lines = expected_lines(shared / "trec_eval" / folder / "expected_c.txt")
    measures = list(dict.fromkeys(measure for measure, _, _ in lines))
    runs = read_runs([shared / "trec_eval" / folder / "run"])
    qrels = read_qrels(shared / "trec_eval" / folder / "qrels")
    topics = evaluate(runs, qrels, measures, per_topic=True).set_index(["measure", "query_id"])["value"]
    means = evaluate(runs, qrels, measures).set_index("measure")["value"]
    for measure, topic, printed in lines:
        value = means[str(measure)] if topic == "all" else topics[str(measure), topic]
        assert f"{value:.4f}" == f"{float(printed):.4f}", f"{measure} of topic {topic}"
    assert len(measures) == 97


def table(runs: Runs, qrels: Qrels, measures: list[str]) -> pd.DataFrame:
    return evaluate(runs, qrels, measures).pivot(index="run", columns="measure", values="value")


def test_robust_2003_scores_are_the_published_ones(shared: Path) -> None:
    folder = shared / "robust03"
    published = pd.read_csv(folder / "published.tsv", sep="\t", index_col="run")
    scores = table(real.robust(shared).runs, real.robust(shared).qrels, ["AP", "P@15", "P@100"])
    scores = scores[["AP", "P@15", "P@100"]].loc[published.index]
    assert len(scores) == 17
    assert np.all(abs(scores.to_numpy() - published[["map", "P_15", "P_100"]].to_numpy()) <= 0.5e-4 + 1e-9)


@pytest.fixture(scope="module")
def covid(shared: Path) -> tuple[Runs, Qrels, dict[str, list[float]]]:
    """TREC-COVID round 1: runs, judgments, and the leaderboard's MAP, P@5 and nDCG@10."""
    folder = shared / "treccovid-r1"
    with (folder / "leaderboard.csv").open() as file:
        leaderboard = {
            row["run"]: [float(row[name]) for name in ("MAP", "p@5", "ndcg@10")] for row in csv.DictReader(file)
        }
    source = real.covid(shared)
    return replace(source.runs, tags=file_names(folder)), source.qrels, leaderboard


def file_names(folder: Path) -> tuple[str, ...]:
    return tuple(path.name.removesuffix(".gz") for path in sorted((folder / "runs").iterdir()))


def test_trec_covid_scores_are_the_leaderboards(covid: tuple[Runs, Qrels, dict[str, list[float]]]) -> None:
    runs, qrels, leaderboard = covid
    scores = table(runs, qrels, ["AP", "P@5", "nDCG@10"])[["AP", "P@5", "nDCG@10"]]
    assert set(scores.index) == set(leaderboard)
    assert len(leaderboard) == 143
    for run, values in leaderboard.items():
        if run != BERT:
            assert scores.loc[run].to_numpy() == pytest.approx(values, abs=0.5e-4 + 1e-9), run


def test_the_one_run_that_differs_does_so_for_its_32_bit_scores(
    covid: tuple[Runs, Qrels, dict[str, list[float]]],
) -> None:
    """As doubles its scores order differently; rounded to floats they tie, and give the leaderboard's values."""
    runs, qrels, leaderboard = covid
    run = runs.select([BERT])
    score = run.score.astype(np.float32).astype(np.float64)
    rounded = canonical(run.tags, run.topics, run.docnos, run.run, run.topic, run.document, score)
    measures = ["AP", "P@5", "nDCG@10"]
    assert evaluate(rounded, qrels, measures)["value"].to_numpy() == pytest.approx(leaderboard[BERT], abs=0.5e-4)
    assert evaluate(run, qrels, measures)["value"].to_numpy() != pytest.approx(leaderboard[BERT], abs=0.5e-4)
