"""TREC-COVID's rounds, to the digit of what NIST published of them and of what was recomputed from its files."""

import csv
import lzma
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import cranfield as package
from cranfield.selection import Selection
from cranfield.store.reading import Reading
from tests.conftest import usually
from tests.views import view_of

COLUMNS = {4: ("ndcg@20", "P@20", "rbp_p5", "bpref", "map"), 2: ("NDCG@10", "P@5", "RBP(p=.5)", "bpref", "MAP")}
RBP = 'RBP(p=0.5,gains="linear")'
ROUND_1 = ["nDCG@10", "P@5", "AP", "Bpref"]


def measures_of(number: int) -> list[str]:
    top = ("nDCG@20", "P@20") if number == 4 else ("nDCG@10", "P@5")
    return [*top, RBP, "Bpref", "AP"]


def table(runs: Sequence[Path] | Path, qrels: Path, measures: Sequence[str], **options: Any) -> pd.DataFrame:
    """A row for each run, a column for each measure."""
    scores = package.evaluate(qrels, runs, measures=measures, **options).frame
    return scores.pivot(index="run", columns="measure", values="value")[list(measures)]


def agreements(scores: pd.DataFrame, folder: Path, number: int) -> int:
    """How many values are the published ones, at four decimals."""
    with (folder / "leaderboard.csv").open() as file:
        rows_of = {row["tag"]: [row[name] for name in COLUMNS[number]] for row in csv.DictReader(file)}
    rows = [([f"{value:.4f}" for value in row], rows_of[str(run)]) for run, row in scores.T.items()]
    return sum(own == other for values, theirs in rows for own, other in zip(values, theirs, strict=True))


def test_round_4(shared: Path) -> None:
    """NIST scored rows that were judged before; without those, fewer than half of the values stay."""
    folder = shared / "treccovid-r4"
    qrels, before = (folder / f"qrels.covid-round{which}.txt.xz" for which in ("4", "3-cumulative"))
    own = table(folder / "runs", qrels, measures_of(4))
    with pytest.warns(UserWarning, match="left out: 1,748 rows judged earlier"):
        strict = table(folder / "runs", qrels, measures_of(4), remove_judged=str(before))
    reading = Reading(Selection(remove_judged=before))
    _ = view_of(reading.select_places([qrels, folder / "runs"])).blocks
    rows_of = {tag: number for tag, number in reading.left_out.rows.items() if number}
    assert (len(rows_of), sum(rows_of.values())) == (21, 1748)
    assert (own.size, agreements(own, folder, 4), agreements(strict, folder, 4)) == (120, 115, 46)


def lines_of(path: Path) -> list[str]:
    return lzma.decompress(path.read_bytes()).decode().splitlines()


def with_judged_on_top(folder: Path, runs: Sequence[Path], judged: Path) -> list[Path]:
    """The runs with all that was judged before at the top of each ranking."""
    docnos_of = defaultdict(list)
    for line in lines_of(judged):
        qid, _, docno, _ = line.split()
        docnos_of[qid].append(docno)
    for run in runs:
        lines = lines_of(run)
        tag = lines[0].split()[-1]
        qids = {line.split(maxsplit=1)[0] for line in lines}
        top = [f"{qid} Q0 {docno} 0 {1e9 - at:.0f} {tag}" for qid in qids for at, docno in enumerate(docnos_of[qid])]
        (folder / run.stem).write_text("\n".join([*top, *lines]) + "\n")
    return [folder / run.stem for run in runs]


@pytest.mark.filterwarnings("ignore:left out", "ignore:.*ranks contradict scores")
def test_what_was_judged_before_on_top(shared: Path, tmp_path: Path) -> None:
    """Residual evaluation gives the published values; without it, the runs collapse."""
    folder = shared / "treccovid-r2"
    before, qrels = (folder / f"qrels.covid-round{number}.txt.xz" for number in (1, 2))
    runs = sorted((folder / "runs").glob(usually("mpiid5*", "*")))
    with_judged = with_judged_on_top(tmp_path, runs, before)
    residual = table(with_judged, qrels, measures_of(2), remove_judged=str(before))
    assert agreements(residual, folder, 2) == residual.size == 5 * len(runs)
    wrong, plain = (table(some, qrels, ["nDCG@10"])["nDCG@10"] for some in (with_judged, runs))
    assert (round(plain["mpiid5_run3"], 4), round(wrong["mpiid5_run3"], 4)) == (0.6893, 0.1001)
    if usually(False, True):
        assert (len(runs), round(plain.mean(), 4), round(wrong.mean(), 4)) == (136, 0.4495, 0.0445)


@pytest.mark.daily
@pytest.mark.filterwarnings(
    "ignore:left out", "ignore:.*ranks contradict scores", "ignore:.*judged topics and scores 0"
)
def test_runs_of_round_1_in_round_2(shared: Path, tmp_path: Path) -> None:
    """Means of 143 runs, and how far nDCG ranks them as in their own round."""
    first, second = shared / "treccovid-r1", shared / "treccovid-r2"
    (thirty := tmp_path / "thirty.txt").write_text("".join(f"{qid}\n" for qid in range(1, 31)))
    cumulative, of_second = (second / f"qrels.covid-round2{part}.txt.xz" for part in ("-cumulative", ""))
    before, topics = {"remove_judged": str(second / "qrels.covid-round1.txt.xz")}, {"topics": str(thirty)}
    rows = [
        (first / "qrels-rnd1.txt.gz", {}, [0.3569, 0.4568, 0.1469, 0.3128], 1.0),
        (cumulative, topics, [0.3756, 0.4721, 0.0946, 0.2168], 0.960),
        (cumulative, {}, [0.3219, 0.4047, 0.0811, 0.1859], 0.960),
        (of_second, topics | before, [0.1212, 0.1853, 0.0225, 0.1227], 0.698),
        (of_second, topics, [0.0207, 0.0153, 0.0102, 0.1227], 0.224),
    ]
    runs = sorted((first / "runs").iterdir())
    tags = [run.name.removesuffix(".gz") for run in runs]
    of_round_1: pd.Series | None = None
    for qrels, options, means, tau in rows:
        scores = pd.concat([table(run, qrels, ROUND_1, **options) for run in runs]).set_axis(tags)
        of_round_1 = scores["nDCG@10"] if of_round_1 is None else of_round_1
        assert scores.mean().round(4).to_list() == means, options
        assert round(of_round_1.corr(scores["nDCG@10"], method="kendall"), 3) == pytest.approx(tau), options


def test_a_run_without_the_new_topics(shared: Path, tmp_path: Path) -> None:
    """Over all topics and over its own; round 2 by its old and its new topics."""
    folder = shared / "treccovid-r2"
    runs, qrels = folder / "runs", folder / "qrels.covid-round2.txt.xz"
    old = [line for line in lines_of(runs / "mpiid5_run3.xz") if int(line.split()[0]) <= 30]
    (partial := tmp_path / "mpiid5_run3").write_text("\n".join(old))
    for own, value in ((False, 0.5892), (True, 0.6874)):
        with pytest.warns(UserWarning, match="answered 30 of 35 judged topics"):
            scores = table([partial], qrels, ["nDCG@10"], retrieved_topics_only=own)
        assert round(float(scores.to_numpy()[0, 0]), 4) == value


@pytest.mark.daily
@pytest.mark.filterwarnings("ignore:left out", "ignore:.*ranks contradict scores")
@pytest.mark.parametrize(
    ("first", "last", "mean", "best", "highest"),
    [(1, 30, 0.4725, "mpiid5_run2", 0.6957), (31, 35, 0.3113, "mpiid5_run3", 0.7004)],
)
def test_round_2_by_topics(  # noqa: PLR0917
    shared: Path, tmp_path: Path, first: int, last: int, mean: float, best: str, highest: float
) -> None:
    folder = shared / "treccovid-r2"
    (some := tmp_path / "some.txt").write_text("".join(f"{qid}\n" for qid in range(first, last + 1)))
    scores = table(folder / "runs", folder / "qrels.covid-round2.txt.xz", ["nDCG@10"], topics=str(some))["nDCG@10"]
    assert (round(scores.mean(), 4), scores.idxmax(), round(scores.max(), 4)) == (mean, best, highest)
