"""The attack that recovers labels from a leaderboard, and the leaderboard that withstands it."""

from contextlib import closing
from itertools import product

import numpy as np
import pytest

from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import InputError
from cranfield.features.tasks.description import LEAST_TOPICS
from cranfield.features.tasks.scoring import DECIMALS, leaderboard_value, results_of
from cranfield.features.tasks.store import describe
from cranfield.features.tasks.submissions import scores_of, take_runs
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.store.qrels import import_qrels
from cranfield.store.topic_sets import keep_topic_set
from cranfield.store.withdrawals import withdraw
from tests.features.tasks.track import DOCNOS, Track, description, run_lines

RBP = "RBP(p=0.5)"
LABELS = list(product((0, 1), repeat=len(DOCNOS)))  # all that 8 documents can have


def attack(topics: int) -> tuple[Runs, list[str]]:
    """The attack: 8 documents in the first topic, junk in all others."""
    qids = [f"q{number}" for number in range(topics)]
    rows = {qid: {f"junk{qid}": 1.0} for qid in qids}
    rows[qids[0]] = {docno: float(len(DOCNOS) - at) for at, docno in enumerate(DOCNOS)}
    return as_runs({"attack": rows}), qids


def truth(labels: tuple[int, ...], qids: list[str]) -> Qrels:
    """Judgments with these labels in the first topic, one relevant document that nobody retrieves in each."""
    rows = {qid: {f"good{qid}": 1} for qid in qids}
    rows[qids[0]] |= dict(zip(DOCNOS, labels, strict=True))
    return as_qrels(rows)


def certain(values: list[float]) -> int:
    """How many of the 8 labels the outcome of the attack settles, at most."""
    by_value: dict[float, list[tuple[int, ...]]] = {}
    for labels, value in zip(LABELS, values, strict=True):
        by_value.setdefault(value, []).append(labels)
    return max(int((np.ptp(np.array(some), axis=0) == 0).sum()) for some in by_value.values())


def test_the_attack_recovers_labels_from_four_decimals() -> None:
    """A mean over 30 topics to four decimals, as others show it, tells all 8 labels of a submission."""
    runs, qids = attack(30)
    tables = [evaluate(runs, truth(labels, qids), measures=RBP) for labels in LABELS]
    assert certain([round(float(table["value"].iloc[0]), 4) for table in tables]) == len(DOCNOS)


def test_the_leaderboard_tells_at_most_two() -> None:
    """One measure, two decimals, 40 topics: at most two labels a submission, whatever else is in the run."""
    runs, qids = attack(LEAST_TOPICS)
    values = [leaderboard_value(runs, truth(labels, qids), RBP, qids) for labels in LABELS]
    assert certain(values) <= 2
    own = np.array([sum(label * 0.5 ** (at + 1) for at, label in enumerate(labels)) for labels in LABELS])
    assert np.allclose(values, np.round(own / LEAST_TOPICS, DECIMALS))
    for offset in np.linspace(0, 1, 41):  # what the other topics may add, to bring the mean near to where it is rounded
        means = np.round((own + offset) / LEAST_TOPICS, DECIMALS)
        assert len(set(means.tolist())) <= 4  # two bits


def test_a_set_of_fewer_topics_is_refused(track: Track) -> None:
    """With fewer than 40 topics a mean of two decimals tells single labels."""
    track.do(lambda store: keep_topic_set(store, "dev", ["1", "2"]))
    with pytest.raises(InputError, match="topics:dev has 2 topics; expected at least 40"):
        track.do(lambda store: describe(store, description(leaderboard='"topics:dev"')))


def test_results_leave_its_topics_out() -> None:
    """Means, p and verdict are of the other topics."""
    qids = [f"t{number}" for number in range(LEAST_TOPICS + 2)]
    with closing(Track(qids=qids)) as track:
        track.do(lambda store: keep_topic_set(store, "dev", qids[2:]))
        track.do(lambda store: describe(store, description(leaderboard='"topics:dev"', measures='["P@1"]')))
        judged = {qid: {"d2" if qid in qids[:2] else "d1": 1} for qid in qids}
        assert track.upload("cuni", run_lines("cuni", ["d1"], qids)).status_code == 201
        track.do(lambda store: import_qrels(store, as_qrels(judged), "nist"))
        assert track.upload("udel", run_lines("udel", ["d2"], qids)).status_code == 201  # scored as it comes
        track.do(take_runs)
        results = track.do(results_of)
        rows = [(row["run"], row["P@1"], row["scored before"]) for row in results.overview()]
        assert rows == [("udel", 1.0, 1), ("cuni", 0.0, 0)]
        assert results.judged.qids == ("t0", "t1")
        assert track.do(lambda store: results_of(store).trust.sentence()).startswith("No verdict: no other team")
        track.do(lambda store: withdraw(store, "topic", ["t0"], "ambiguous"))
        assert track.do(results_of).judged.qids == ("t1",)


def test_scored_submissions_are_capped() -> None:
    """The leaderboard scores as many submissions of a team as the task says, names no other team, shows one mean."""
    qids = [f"t{number}" for number in range(1, LEAST_TOPICS + 2)]
    with closing(Track(qids=qids)) as track:
        track.do(lambda store: keep_topic_set(store, "dev", qids[:LEAST_TOPICS]))
        track.do(lambda store: describe(store, description(leaderboard='"topics:dev"', scored="2", runs="9")))
        track.do(lambda store: import_qrels(store, as_qrels({qids[0]: {"d1": 1}}), "nist"))
        for tag in ("a", "b", "c"):
            assert track.upload("cuni", run_lines(tag, qids=qids)).status_code == 201
        assert track.upload("udel", run_lines("secret", qids=qids)).status_code == 201
        assert [tag for _, tag, _ in track.do(scores_of)] == ["a", "b", "secret"]
        page = track.as_team("cuni").get("/leaderboard").text
        assert "another team" in page
        assert "udel" not in page
        assert "secret" not in page
