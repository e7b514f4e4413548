"""Fusion that is tuned on other topics than those that it is scored on."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.errors import InputError
from tests.conftest import Cranfield

TOPICS = [f"q{number}" for number in range(12)]
RNG = np.random.default_rng(7)
QRELS = {qid: {f"d{n}": int(RNG.random() < 0.3 or n == 0) for n in range(20)} for qid in TOPICS}
RUNS = {
    tag: {qid: {docno: float(RNG.normal() + weight * grade) for docno, grade in QRELS[qid].items()} for qid in TOPICS}
    for tag, weight in {"good": 2.0, "fair": 1.0, "poor": 0.0}.items()
}
SETTINGS = ["rrf:c=1", "combsum:norm=zmuv", "combmax"]
TUNED = cranfield.pooling.tune_fusion(QRELS, RUNS, methods=SETTINGS, folds=4, rng=3)


def scores(setting: str) -> dict[str, float]:
    """AP by topic of a fused run, by the functions that users have."""
    method, _, option = setting.partition(":")
    name, _, value = option.partition("=")
    fused = cranfield.fuse(RUNS, method=method, options={name: value} if name else None)
    table = cranfield.evaluate(QRELS, fused.frame, measures="AP", per_topic=True).frame
    return dict(zip(table["query_id"], table["value"], strict=True))


BY_SETTING = {setting: scores(setting) for setting in [*SETTINGS, "rrf"]}


def mean_over(setting: str, qids: Any) -> float:
    return float(np.mean([BY_SETTING[setting][qid] for qid in qids]))


def test_each_fold_is_scored_by_what_is_best_on_the_others() -> None:
    """By the scores that evaluate gives to what fuse makes."""
    qids = sorted(TOPICS)
    table = TUNED.frame
    assert TUNED.tuned is not None
    held_out = dict[str, float]()
    for number, fold in enumerate(TUNED.tuned.folds, 1):
        inside = [qids[topic] for topic in fold.topics]
        outside = [qid for qid in qids if qid not in inside]
        best = max(SETTINGS, key=lambda setting: round(mean_over(setting, outside), 9))
        row = table[(table["fold"] == str(number)) & (table["system"] == "tuned")].iloc[0]
        assert (row["setting"], row["topics"]) == (best, 3)
        assert row["training"] == pytest.approx(mean_over(best, outside))
        assert row["held_out"] == pytest.approx(mean_over(best, inside))
        held_out |= {qid: BY_SETTING[best][qid] for qid in inside}
    means = table[table["fold"] == "all"].set_index("system")["held_out"]
    assert sorted(held_out) == qids
    assert means["tuned"] == pytest.approx(np.mean([*held_out.values()]))
    assert means["untuned"] == pytest.approx(mean_over("rrf", qids))
    singles = cranfield.evaluate(QRELS, RUNS, measures="AP").frame.set_index("run")["value"]
    assert means[["good", "fair", "poor"]].tolist() == pytest.approx(singles[["good", "fair", "poor"]].tolist())


def test_the_seed_decides_on_the_folds() -> None:
    again = cranfield.pooling.tune_fusion(QRELS, RUNS, methods=SETTINGS, folds=4, rng=3)
    other = cranfield.pooling.tune_fusion(QRELS, RUNS, methods=SETTINGS, folds=4, rng=4)
    assert TUNED.tuned is not None
    assert other.tuned is not None
    assert again.to_json() == TUNED.to_json()
    folds, others = ([fold.topics.tolist() for fold in one.tuned.folds] for one in (TUNED, other) if one.tuned)
    assert folds != others


def test_held_out_judgments_do_not_decide() -> None:
    """Other judgments of a fold's topics change its score, and not its setting."""
    assert TUNED.tuned is not None
    qids, first = sorted(TOPICS), TUNED.tuned.folds[0]
    inside = {qids[topic] for topic in first.topics}
    changed = {qid: {d: 1 - g if qid in inside else g for d, g in judged.items()} for qid, judged in QRELS.items()}
    tuned = cranfield.pooling.tune_fusion(changed, RUNS, methods=SETTINGS, folds=4, rng=3).tuned
    assert tuned is not None
    assert tuned.folds[0].chosen == first.chosen
    assert tuned.folds[0].training == first.training
    assert tuned.folds[0].held_out != first.held_out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": ["mtf"]}, "mtf is a pooling method that does not rank documents; expected a fusion method"),
        ({"methods": ["rrf:k=1"]}, "rrf has no option 'k'; available: c"),
        ({"folds": 13}, "13 folds of 12 judged topics; expected 2 or more folds, and at most 1 fold per topic"),
        ({"runs": {"good": RUNS["good"]}}, "found 1 run; expected at least two runs to fuse"),
    ],
)
def test_what_cannot_be_tuned_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        cranfield.pooling.tune_fusion(QRELS, options.pop("runs", RUNS), **options)


def test_the_command_prints_the_same(cranfield: Cranfield, tmp_path: Path) -> None:
    paths = [tmp_path / f"{tag}.run" for tag in RUNS]
    for path, run in zip(paths, RUNS.values(), strict=True):
        lines = [f"{qid} Q0 {d} 1 {x!r} {path.stem}" for qid, ranking in run.items() for d, x in ranking.items()]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    qrels = tmp_path / "qrels.txt"
    lines = [f"{qid} 0 {d} {grade}" for qid, judged in QRELS.items() for d, grade in judged.items()]
    qrels.write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = [word for setting in SETTINGS for word in ("--method", setting)]
    output = cranfield("pool", "tune", qrels, *paths, *options, "--folds", "4", "--seed", "3").out
    assert TUNED.title in output
    assert f"{TUNED.rows()[0]['held_out']:.4f}" in output
