"""P@k of a new run on an active-learning pool: features before each label, recovery, coverage, and what is withheld."""

import json
from pathlib import Path

import numpy as np
import pytest

import cranfield as api
from cranfield.features.collecting.learning import Learner
from cranfield.features.collecting.new_run import JudgedOrder, fit_label_model, topic_features
from cranfield.features.collecting.vectors import VectorCorpus, vectors_of
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.metrics.forecast.precision import forecast_precision, new_run_pairs
from cranfield.pooling.candidates import corpus_candidates
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually
from tests.features.collecting.corpora import TOPICS, documents, judge, relevant, store_of

pytestmark = pytest.mark.full

QIDS = [f"q{number:02}" for number in range(30)]


def made_up(
    random: np.random.Generator, shift: float
) -> tuple[UnjudgedPairs, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The unjudged documents of a run, five a topic, and which are relevant: with odds that are exp(shift) as large."""
    probability = random.beta(1, 4, 150)
    odds = probability / (1 - probability) * np.exp(shift)
    topic, docnos = np.repeat(np.arange(30), 5), [f"d{number:03}" for number in range(150)]
    pairs = new_run_pairs("new", QIDS, topic, topic % 10 + 1, docnos, probability=probability, share=0.5)
    return pairs, random.random(150) < odds / (1 + odds)


def test_features_are_those_before_the_label() -> None:
    """A label changes the features of later documents only; the position of others goes on after the judged ones."""
    corpus = VectorCorpus(vectors_of(documents()), TOPICS)
    [topic] = [one for one in corpus_candidates([], corpus, ()) if one.qid == "1"]
    truth = np.array([relevant("1", docno) for docno in topic.docnos])
    order = proposals(METHODS["cal"].start(topic), truth, 24)
    others = np.setdiff1d(np.arange(len(truth)), order)
    changed = truth[order].copy()
    changed[12] = not changed[12]
    learner = Learner(corpus, "1", 0)
    first = topic_features(learner, JudgedOrder("1", order, truth[order]), others)
    second = topic_features(learner, JudgedOrder("1", order, changed), others)
    assert np.array_equal(first.judged[:13], second.judged[:13])
    assert (first.judged[13:, 2] != second.judged[13:, 2]).all()
    assert sorted(np.exp(first.wanted[:, 0]).round().astype(int)) == list(range(25, 61))
    model = fit_label_model([first.judged], [truth[order]])
    assert (
        model.probabilities(first.judged)[truth[order]].mean() > model.probabilities(first.judged)[~truth[order]].mean()
    )


def test_without_labels_there_are_bounds_only() -> None:
    """The bounds count all labelled documents; fewer than ten labels give no interval."""
    pairs, truth = made_up(np.random.default_rng(0), 0.0)
    found = forecast_precision(pairs, 60, 10, {})
    assert (found.as_judged, found.lowest) == (0.2, 0.2)
    assert found.highest == pytest.approx(0.7)
    assert np.isnan([found.low, found.median, found.high]).all()
    labels = {(QIDS[pairs.topic[row]], pairs.docno[row]): int(truth[row]) for row in range(9)}
    few = forecast_precision(pairs, 60, 10, labels)
    assert np.isnan(few.low)
    assert few.highest == pytest.approx(0.7 - (9 - truth[:9].sum()) / 300)


def test_with_all_labels_it_is_known() -> None:
    """The interval is the score."""
    pairs, truth = made_up(np.random.default_rng(1), 0.0)
    labels = {
        (QIDS[topic], docno): int(label) for topic, docno, label in zip(pairs.topic, pairs.docno, truth, strict=True)
    }
    found = forecast_precision(pairs, 60, 10, labels)
    assert found.low == found.median == found.high == found.lowest == found.highest == (60 + truth.sum()) / 300


@pytest.mark.parametrize("n_labels", [20, 50])
def test_intervals_hold_for_runs_that_differ(n_labels: int) -> None:
    """Runs whose odds are half to twice those of the model, on average; and the true label of the draw is kept."""
    trials, holds, errors, judged_errors = usually(60, 400), 0, list[float](), list[float]()
    for seed in range(trials):
        random = np.random.default_rng(seed)
        pairs, truth = made_up(random, float(random.normal(0, 0.7)))
        drawn = random.permutation(150)[:n_labels]
        labels = {(QIDS[pairs.topic[row]], pairs.docno[row]): int(truth[row]) for row in drawn}
        found = forecast_precision(pairs, 60, 10, labels, seed=seed)
        score = (60 + truth.sum()) / 300
        holds += found.low <= score <= found.high
        errors.append(abs(found.median - score))
        judged_errors.append(abs(found.as_judged - score))
    assert holds >= 0.88 * trials
    assert np.mean(errors) < 0.4 * np.mean(judged_errors)


@pytest.fixture
def learnt_store(tmp_path: Path) -> Path:
    """A store with a judged pool by cal and a run that is not in it."""
    path, run = tmp_path / "s.db", tmp_path / "new.run"
    docnos = [one.docno for one in documents()][::3]
    run.write_text(
        "".join(f"{qid} Q0 {docno} {rank} {-rank} new\n" for qid in TOPICS for rank, docno in enumerate(docnos))
    )
    with store_of(path) as store:
        build(store, PoolRequest("cal", 20, 12, seed=1, options={"first": 4}, runs=("poor",)))
        judge(store)
    return path


def test_a_new_run_gets_bounds_and_then_an_interval(cranfield: Cranfield, learnt_store: Path, tmp_path: Path) -> None:
    """Without labels bounds and the command to draw; with all unjudged documents labelled, the score."""
    assert cranfield("import", "runs", learnt_store, tmp_path / "new.run").code == 0
    command = ("pool", "forecast", learnt_store, "--new-run", "new")
    bounds = cranfield(*command)
    assert bounds.code == 0, bounds.err
    before = json.loads(cranfield(*command, "--format", "json").out)
    assert (before["low"], before["n_labels"]) == (None, 0)
    assert before["highest"] == pytest.approx(before["lowest"] + before["n_unjudged"] / 20)
    assert f"Draw documents to judge: cranfield pool forecast {learnt_store} --new-run new --draw" in bounds.out
    drawn = cranfield(*command, "--draw", 100, tmp_path / "draw.tsv", "--store-pool")
    assert f"{before['n_unjudged']} documents drawn at random from {before['n_unjudged']} unjudged" in drawn.out
    with Store.open(learnt_store) as store:
        judge(store)
    after = json.loads(cranfield(*command, "--format", "json").out)
    docnos = [one.docno for one in documents()][::3][:10]
    truth = sum(relevant(qid, docno) for qid in TOPICS for docno in docnos) / 20
    assert after["low"] == after["high"] == pytest.approx(truth)
    assert after["as_judged"] == before["as_judged"]
    assert "95% interval" in cranfield(*command).out
    assert cranfield("pool", "forecast", learnt_store).code == 1  # this draw says nothing of what is missing


def test_labels_drawn_for_a_new_run_count_for_no_other(
    cranfield: Cranfield, learnt_store: Path, tmp_path: Path
) -> None:
    """Nor in scores: a run with the same documents has the score and the bounds that it had."""
    twin = tmp_path / "twin.run"
    twin.write_text((tmp_path / "new.run").read_text().replace(" new\n", " twin\n"))
    cranfield.run(f"import runs {learnt_store} {tmp_path / 'new.run'} {twin}")
    words = (
        ("evaluate", learnt_store, "-m", "P@10", "--format", "csv"),
        ("pool", "forecast", learnt_store, "--new-run", "twin", "--format", "csv"),
    )
    before = [cranfield.out(*one) for one in words]
    draw = ("--draw", 100, tmp_path / "draw.tsv", "--store-pool")
    assert cranfield("pool", "forecast", learnt_store, "--new-run", "new", *draw).code == 0
    with Store.open(learnt_store) as store:
        judge(store)
    assert [cranfield.out(*one) for one in words] == before
    assert "labels from random draws of new do not count in scores" in cranfield(*words[0]).err


def test_a_draw_of_a_file(cranfield: Cranfield, learnt_store: Path, tmp_path: Path) -> None:
    """Labels filled in from the top; another run's draw, an unknown run and files are refused."""
    cranfield("import", "runs", learnt_store, tmp_path / "new.run")
    command, draw = ("pool", "forecast", learnt_store, "--new-run", "new"), tmp_path / "draw.tsv"
    assert cranfield(*command, "--draw", 11, draw).code == 0
    lines = draw.read_text().splitlines()
    assert lines[1] == "# run\tnew"
    assert "note: " + f"{draw}: none of the 11 drawn documents has a label" in cranfield(*command, "--drawn", draw).err
    filled = [f"{line[:-1]}{int(relevant(*line.split()[1:3]))}" for line in lines[6:]]
    draw.write_text("\n".join(lines[:6] + filled))
    found = json.loads(cranfield(*command, "--drawn", draw, "--format", "json").out)
    assert found["n_labels"] == 11
    assert found["lowest"] <= found["low"] <= found["high"] <= found["highest"]
    unknown = cranfield("pool", "forecast", learnt_store, "--new-run", "none")
    assert (unknown.code, "unknown run 'none'; available: " in unknown.err) == (1, True)
    draw.write_text(draw.read_text().replace("# run\tnew", "# run\tpoor"))
    other = cranfield(*command, "--drawn", draw)
    assert (other.code, other.out) == (1, "")


def test_measures_of_a_prefix_have_bounds(cranfield: Cranfield, learnt_store: Path, tmp_path: Path) -> None:
    """Documents that nobody retrieved do not change RR or P@5; only AP depends on them."""
    words = ("diagnose", learnt_store, tmp_path / "new.run", "-m", "AP,P@5,P@10,RR", "--format", "json")
    scores = {one["measure"]: one for one in json.loads(cranfield(*words).out)["scores"]}
    assert scores["AP"]["lowest"] is None
    for name in ("P@5", "P@10", "RR"):
        assert scores[name]["lowest"] <= scores[name]["score"] <= scores[name]["highest"]
    assert "for such pools, only P@10 was tested" in scores["RR"]["sentence"]
    assert "this pool lacks relevant documents" in scores["AP"]["sentence"]


def test_diagnose_answers_for_active_learning(cranfield: Cranfield, learnt_store: Path, tmp_path: Path) -> None:
    """P@10 by bounds, then by a judged draw in the store; other measures are refused by name; the pool stays."""
    command = ("diagnose", learnt_store, tmp_path / "new.run")
    out = cranfield(*command).out
    assert "The pooled runs give no forecast: pool 1 was built by cal, which chooses from the whole corpus." in out
    assert "AP is 0." in out
    assert "No forecast is given: this pool lacks relevant documents that no run retrieved." in out
    before = json.loads(cranfield(*command, "--format", "json").out)
    precision = before["scores"][-1]
    assert (precision["measure"], precision["low"], precision["status"]) == ("P@10", None, "no model")
    share = before["unjudged_documents"] / before["retrieved"]
    assert precision["highest"] == pytest.approx(precision["lowest"] + share)
    assert before["unjudged"] == pytest.approx(share)
    n = before["unjudged_documents"]
    assert (
        before["proposal"]
        == f"cranfield diagnose {learnt_store} {tmp_path / 'new.run'} --draw {n} draw.tsv --store-pool"
    )
    assert (
        f"pool 2: {n} documents to judge" in cranfield(*command, "--draw", n, tmp_path / "draw.tsv", "--store-pool").out
    )
    with Store.open(learnt_store) as store:
        judge(store)
    after = json.loads(cranfield(*command, "--format", "json").out)
    docnos = [one.docno for one in documents()][::3][:10]
    truth = sum(relevant(qid, docno) for qid in TOPICS for docno in docnos) / 20
    known = after["scores"][-1]
    assert (known["low"], known["high"]) == (pytest.approx(truth), pytest.approx(truth))
    assert (known["score"], known["labels"], known["status"]) == (precision["score"], n, "forecast")
    assert "would be between" in known["sentence"]
    assert (after["proposal"], after["scores"][0]["score"]) == (None, before["scores"][0]["score"])
    refusal = cranfield(*command, "--against", "poor")
    assert (refusal.code, "so no difference can be forecast; leave out --against" in refusal.err) == (1, True)
    assert cranfield(*command, "--depth", 3).code == 0


def test_diagnose_in_python_has_the_rows(cranfield: Cranfield, learnt_store: Path, tmp_path: Path) -> None:
    rows = json.loads(cranfield("diagnose", learnt_store, tmp_path / "new.run", "--format", "json").out)["scores"]
    table = api.trust.diagnose(learnt_store, new=tmp_path / "new.run").frame
    assert table["sentence"].tolist() == [row["sentence"] for row in rows]
    assert table["highest"].iloc[-1] == rows[-1]["highest"]


def test_a_pool_that_nobody_judged_has_no_model(cranfield: Cranfield, tmp_path: Path) -> None:
    """Judgments from elsewhere alone fit no classifier of the pool's documents; no warning of NumPy, but an error."""
    path, run = tmp_path / "s.db", tmp_path / "new.run"
    run.write_text("".join(f"{qid} Q0 {documents()[0].docno} 1 1 new\n" for qid in TOPICS))
    with store_of(path) as store:
        build(store, PoolRequest("cal", 20, 12, seed=1, options={"first": 4}, runs=("poor",)))
    cranfield.run(f"export pool {path} {tmp_path / 'pool.tsv'}")
    pooled = {tuple(line.split("\t")[:2]) for line in (tmp_path / "pool.tsv").read_text().splitlines()}
    docno = next(one.docno for one in documents() if all((qid, one.docno) not in pooled for qid in TOPICS))
    (tmp_path / "qrels").write_text("".join(f"{qid} 0 {docno} 1\n" for qid in TOPICS))
    cranfield.run(f"import qrels {path} {tmp_path / 'qrels'}")
    result = cranfield("diagnose", path, run, "-m", "P@10")
    assert (result.code, result.out) == (1, "")
    assert "documents of pool 1 has a label, so a new run cannot be forecast; judge the pool first" in result.err
