"""Measures against what trec_eval 10 prints for its own test data, and against published tables."""

import csv
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.rankings import Qrels, Runs, sort_runs
from cranfield.errors import MeasureError
from cranfield.formats import read_qrels, read_runs
from cranfield.metrics import Measure, parse, shapes
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from tests import real
from tests.metrics.test_interop import Qrel

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
    topics = evaluate(qrels, runs, measures, per_topic=True).set_index(["measure", "query_id"])["value"]
    means = evaluate(qrels, runs, measures).set_index("measure")["value"]
    for measure, topic, digits in lines:
        value = means[str(measure)] if topic == "all" else topics[str(measure), topic]
        assert f"{value:.4f}" == f"{float(digits):.4f}", f"{measure} of topic {topic}"
    assert len(measures) == 97


def table(runs: Runs, qrels: Qrels, measures: list[str]) -> pd.DataFrame:
    return evaluate(qrels, runs, measures).pivot(index="run", columns="measure", values="value")


def test_robust_2003_scores_are_the_published_ones(shared: Path) -> None:
    folder = shared / "robust03"
    theirs = pd.read_csv(folder / "published.tsv", sep="\t", index_col="run")
    scores = table(real.robust(shared).runs, real.robust(shared).qrels, ["AP", "P@15", "P@100"])
    scores = scores[["AP", "P@15", "P@100"]].loc[theirs.index]
    assert len(scores) == 17
    assert np.all(abs(scores.to_numpy() - theirs[["map", "P_15", "P_100"]].to_numpy()) <= 0.5e-4 + 1e-9)


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
    as_floats = sort_runs(
        run.tags, run.topics, run.docnos, run=run.run, topic=run.topic, document=run.document, score=score
    )
    measures = ["AP", "P@5", "nDCG@10"]
    assert evaluate(qrels, as_floats, measures)["value"].to_numpy() == pytest.approx(leaderboard[BERT], abs=0.5e-4)
    assert evaluate(qrels, run, measures)["value"].to_numpy() != pytest.approx(leaderboard[BERT], abs=0.5e-4)


DOCNOS = [f"d{number}" for number in range(60)]
QIDS = [str(number) for number in range(20)]


def random_run(rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Scores above 0 and without ties, in which the programs differ."""
    return {
        qid: {str(d): float(s) for d, s in zip(rng.permutation(DOCNOS)[:40], rng.permutation(99)[:40] + 1, strict=True)}
        for qid in QIDS
    }


@pytest.mark.parametrize(
    "name", ["Compat", "Compat(p=0.8)", "Compat(normalize=False)", "Accuracy", "Accuracy(rel=2)@10",
             "AP(judged_only=True)", "nDCG(judged_only=True)@10", "P(judged_only=True)@5"],
)  # fmt: skip
def test_ir_measures_gives_the_same(name: str) -> None:
    peer: Any = pytest.importorskip("ir_measures", reason="needs ir_measures, which is not here")
    rng = np.random.default_rng(1)
    run = random_run(rng)
    qrels = {qid: {str(d): int(rng.choice([0, 0, 1, 2, 3])) for d in rng.permutation(DOCNOS)[:30]} for qid in QIDS}
    judged = join_runs_and_qrels(as_runs(run), as_qrels(qrels))
    ours = dict(zip(judged.qids, parse(name).scores(judged), strict=True))
    theirs = {metric.query_id: metric.value for metric in peer.iter_calc([peer.parse_measure(name)], qrels, run)}
    assert len(theirs) > 10
    assert {qid: ours[qid] for qid in theirs} == pytest.approx(theirs, abs=1e-12)


def subtopic_rows(rng: np.random.Generator) -> list[tuple[str, str, str, int]]:
    """Topic, subtopic, docno and grade, with documents in several subtopics."""
    return [
        (qid, str(subtopic), str(docno), int(rng.integers(0, 3)))
        for qid in QIDS
        for subtopic in range(1, 7)
        for docno in rng.permutation(DOCNOS)[:15]
    ]


def agree(ours: dict[str, float], theirs: list[Any]) -> None:
    """The same topics' scores, to 1e-9."""
    reference = {metric.query_id: metric.value for metric in theirs}
    assert ours == pytest.approx(reference, abs=1e-9)


@pytest.mark.parametrize("name", ["SDCG(max_rel=3)@10", "SDCG(max_rel=2)@100", "BPM(max_rel=3)@10", "BPM(max_rel=3)@1",
                                  "BPM(T=2.5,max_rel=3)@40", "BPM(T=0.5,max_rel=9)@30"])  # fmt: skip
def test_cwl_eval_gives_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By ir_measures, with grades above the scale's, and a topic that the run leaves out."""
    monkeypatch.chdir(tmp_path)  # it leaves a log where it is imported
    peer: Any = pytest.importorskip("ir_measures", reason="needs ir_measures, which is not here")
    pytest.importorskip("cwl", reason="needs cwl_eval, which is not here")
    rng = np.random.default_rng(3)
    run = random_run(rng)
    qrels = {qid: {str(d): int(rng.choice([-1, 0, 1, 2, 3])) for d in rng.permutation(DOCNOS)[:30]} for qid in QIDS}
    qrels["left out"] = {"d1": 3}
    measure = peer.parse_measure(name)
    judged = join_runs_and_qrels(as_runs(run), as_qrels(qrels))
    agree(
        dict(zip(judged.qids, parse(measure).scores(judged), strict=True)), list(peer.iter_calc([measure], qrels, run))
    )


OF_SUBTOPICS = [
    "ERR_IA@10", "nERR_IA@1", "nERR_IA(rel=2)@20", "alpha_DCG@5", "alpha_DCG(alpha=0.3)@20", "alpha_nDCG@10",
    "NRBP(alpha=0.3,beta=0.7)", "nNRBP", "nNRBP(alpha=0.3,rel=2)", "AP_IA", "AP_IA(rel=2)", "P_IA@1", "P_IA(rel=2)@20",
    "StRecall@5",
]  # fmt: skip


def test_its_records_with_subtopics_give_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Qrel(..., iteration) and a frame of them, by ir_measures' own objects."""
    monkeypatch.chdir(tmp_path)
    peer: Any = pytest.importorskip("ir_measures", reason="needs ir_measures, which is not here")
    pytest.importorskip("pyndeval", reason="needs pyndeval, which is not here")
    rng = np.random.default_rng(4)
    run, measures = random_run(rng), [peer.parse_measure(name) for name in OF_SUBTOPICS]
    records = [peer.Qrel(qid, docno, grade, iteration) for qid, iteration, docno, grade in subtopic_rows(rng)]
    ranked = [peer.ScoredDoc(qid, docno, score) for qid in run for docno, score in run[qid].items()]
    each = (peer.iter_calc([measure], records, ranked) for measure in measures)  # it mixes levels of relevance up
    theirs = by_measure(chain.from_iterable(each))
    for qrels in (records, iter(records), pd.DataFrame(records)):
        ours = by_measure(shapes.iter_calc(measures, qrels, ranked))
        assert ours.keys() == theirs.keys()
        for name, scores in ours.items():
            assert scores == pytest.approx(theirs[name], abs=1e-9), name


def by_measure(metrics: Iterable[Any]) -> dict[str, dict[str, float]]:
    """The scores of topics by the measure's name."""
    scores: dict[str, dict[str, float]] = {}
    for metric in metrics:
        scores.setdefault(str(metric.measure), {})[metric.query_id] = metric.value
    return scores


def test_ndeval_forgets_to_divide_at_1() -> None:
    """alpha-DCG@1 and ERR-IA@1 are there times the number of subtopics."""
    peer: Any = pytest.importorskip("pyndeval", reason="needs pyndeval, which is not here")
    rng = np.random.default_rng(5)
    run, rows = random_run(rng), subtopic_rows(rng)
    records = [Qrel(qid, docno, grade, name) for qid, name, docno, grade in rows]
    evaluator = peer.RelevanceEvaluator([peer.SubtopicQrel(*row) for row in rows], ["alpha-DCG@1", "ERR-IA@1"])
    ranked = [peer.ScoredDoc(qid, docno, score) for qid in run for docno, score in run[qid].items()]
    judged = join_runs_and_qrels(as_runs(run), as_qrels(records))
    for name, theirs in (("alpha_DCG@1", "alpha-DCG@1"), ("ERR_IA@1", "ERR-IA@1")):
        reference = {line["query_id"]: line[theirs] for line in evaluator.evaluate_iter(ranked)}
        ours = dict(zip(judged.qids, 6 * parse(name).scores(judged), strict=True))
        assert ours == pytest.approx(reference, abs=1e-12)


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.3, 0.7)])
def test_ndeval_gives_the_same(rel: int, alpha: float, beta: float, tmp_path: Path) -> None:
    """Except ERR-IA@1, which it does not divide by the number of subtopics."""
    peer: Any = pytest.importorskip("pyndeval", reason="needs pyndeval, which is not here")
    rng = np.random.default_rng(2)
    run = random_run(rng)
    rows = subtopic_rows(rng)
    (tmp_path / "qrels").write_text("".join(f"{qid} {name} {docno} {grade}\n" for qid, name, docno, grade in rows))
    judged = join_runs_and_qrels(as_runs(run), read_qrels(tmp_path / "qrels"))
    names = {
        **{f"alpha-nDCG@{k}": f"alpha_nDCG(alpha={alpha},rel={rel})@{k}" for k in (1, 5, 20)},
        **{f"ERR-IA@{k}": f"ERR_IA(alpha={alpha},rel={rel})@{k}" for k in (5, 20)},
        **{f"alpha-DCG@{k}": f"alpha_DCG(alpha={alpha},rel={rel})@{k}" for k in (5, 20)},
        **{f"nERR-IA@{k}": f"nERR_IA(alpha={alpha},rel={rel})@{k}" for k in (1, 5, 20)},
        **{f"P-IA@{k}": f"P_IA(rel={rel})@{k}" for k in (1, 20)},
        "MAP-IA": f"AP_IA(rel={rel})",
        **{f"strec@{k}": f"StRecall(rel={rel})@{k}" for k in (5, 20)},
        "NRBP": f"NRBP(alpha={alpha},beta={beta},rel={rel})",
    }
    evaluator = peer.RelevanceEvaluator(
        [peer.SubtopicQrel(*row) for row in rows], list(names), relevance_level=rel, alpha=alpha, beta=beta
    )
    ranked = [peer.ScoredDoc(qid, docno, score) for qid in run for docno, score in run[qid].items()]
    theirs = {line["query_id"]: line for line in evaluator.evaluate_iter(ranked)}
    for name, ours in names.items():
        reference = [theirs[qid][name] for qid in judged.qids]
        assert parse(ours).scores(judged) == pytest.approx(reference, abs=1e-12), name
