"""The attack that recovers labels from a leaderboard, and the leaderboard that withstands it."""

from contextlib import closing
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import InputError
from cranfield.features.tasks.description import LEAST_TOPICS, STEPS
from cranfield.features.tasks.scoring import leaderboard_value, results_of, round_to_step
from cranfield.features.tasks.store import describe
from cranfield.features.tasks.submissions import bits_told, scores_of, take_runs
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.store.qrels import import_qrels
from cranfield.store.topic_sets import store_topic_set
from cranfield.store.withdrawals import withdraw
from tests.conftest import usually
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


@pytest.mark.full
def test_the_attack_recovers_labels_from_four_decimals() -> None:
    """A mean over 30 topics to four decimals, as others show it, tells all 8 labels of a submission."""
    runs, qids = attack(30)
    tables = [evaluate(truth(labels, qids), runs, measures=RBP) for labels in LABELS]
    assert certain([round(float(table["value"].iloc[0]), 4) for table in tables]) == len(DOCNOS)


UNKNOWN = 14  # labels that the search is after, each 0 or 1 with probability 1/2
RELEVANT = np.array(list(product((False, True), repeat=UNKNOWN)))  # all that they can be
ROUNDS = 3
EASY = tuple(f"q{number}" for number in range(LEAST_TOPICS))


class Probe(NamedTuple):
    """A run of an attacker: the ranking of each topic as labels by number, -1 for known and -2 for junk documents."""

    rankings: tuple[tuple[int, ...], ...]

    def reciprocal_ranks(self, relevant: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The mean reciprocal rank for each assignment of labels."""
        total = np.zeros(len(relevant))
        for ranking in self.rankings:
            missed = np.ones(len(relevant), bool)
            for rank, document in enumerate(ranking, 1):
                hit = relevant[:, document] if document >= 0 else np.full(len(relevant), document == -1)
                total += (missed & hit) / rank
                missed &= ~hit
        return total / LEAST_TOPICS


def draw_probe(rng: np.random.Generator) -> Probe:
    """Any run: the unknown documents over some topics and ranks, and known ones that bring the mean anywhere."""
    topics = int(rng.integers(1, UNKNOWN + 1))
    rankings: list[list[int]] = [[] for _ in range(LEAST_TOPICS)]
    for document in rng.permutation(UNKNOWN)[: rng.integers(1, UNKNOWN + 1)]:
        ranking = rankings[rng.integers(topics)]
        ranking += [-2] * int(rng.integers(0, 3) == 2) + [int(document)]
    for number in range(topics, LEAST_TOPICS):
        rankings[number] = [-2] * int(rng.integers(0, 4)) + [-1] if rng.random() < rng.random() else []
    return Probe(tuple(map(tuple, rankings)))


def transcripts_of(step: float, rounds: int, tries: int, seed: int) -> np.ndarray[Any, Any]:
    """The answers to the best runs that a search finds, as a number for each assignment of labels.

    In each round the search keeps the run whose answer splits best what is still possible (greatest entropy).
    """
    rng, known = np.random.default_rng(seed), np.zeros(len(RELEVANT), int)
    for _ in range(rounds):
        found = []
        for _ in range(tries):
            shown = np.rint(draw_probe(rng).reciprocal_ranks(RELEVANT) / step).astype(int)
            together = np.unique(known * 1000 + shown, return_inverse=True)[1]
            found.append((entropy(together), together))
        known = max(found, key=lambda one: one[0])[1]
    return known


def entropy(classes: np.ndarray[Any, Any]) -> float:
    """The entropy in bits: what the answers tell of labels that are equally likely."""
    share = np.bincount(classes) / len(classes)
    share = share[share > 0]
    return float(-(share * np.log2(share)).sum())


def settled(classes: np.ndarray[Any, Any]) -> int:
    """How many labels an answer settles if the attacker is lucky."""
    return max(int((np.ptp(RELEVANT[classes == one].astype(int), axis=0) == 0).sum()) for one in np.unique(classes))


@pytest.mark.full
def test_two_labels_a_submission_is_no_bound() -> None:
    """Three submissions of RR at two decimals settle more than six labels: what the guide once promised is false."""
    classes = transcripts_of(0.01, ROUNDS, 40, seed=1)
    assert settled(classes) >= 7


@pytest.mark.full
@pytest.mark.parametrize("step", STEPS)
def test_no_search_beats_the_bound(step: float) -> None:
    """Whatever run a search tries: N scores of V values tell N log2(V) bits at most; so with the chance to guess all.

    Many random runs are tried in each round, with known documents that bring the mean next to where it is rounded.
    """
    values = round(1 / step) + 1
    for rounds in range(1, ROUNDS + 1):
        classes = transcripts_of(step, rounds, usually(25, 200), seed=rounds)
        assert 0.5 < entropy(classes) <= rounds * np.log2(values)
        chance = len(np.unique(classes)) / len(classes)  # of the best guess, for labels that are equally likely
        assert chance <= values**rounds / 2**UNKNOWN


@pytest.mark.full
def test_coarser_steps_tell_less() -> None:
    """The same search learns less with each coarser step."""
    told = [entropy(transcripts_of(step, ROUNDS, 20, seed=7)) for step in (0.01, *STEPS)]
    assert told == sorted(told, reverse=True)
    assert told[-1] < told[0] - 1


def test_the_search_knows_what_the_leaderboard_shows() -> None:
    """The means of the search are those of the real leaderboard, for random runs and labels."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        probe, labels = draw_probe(rng), RELEVANT[rng.integers(len(RELEVANT))]
        rows, judged = dict[str, dict[str, float]](), dict[str, dict[str, int]]()
        for qid, ranking in zip(EASY, probe.rankings, strict=True):
            names = [
                f"u{one}" if one >= 0 else f"known{qid}" if one == -1 else f"junk{rank}"
                for rank, one in enumerate(ranking)
            ]
            rows[qid] = {name: float(-rank) for rank, name in enumerate(names)} or {"nothing": 0.0}
            judged[qid] = {f"known{qid}": 1, f"unseen{qid}": 1} | {
                f"u{one}": int(labels[one]) for one in ranking if one >= 0
            }
        value = leaderboard_value(as_runs({"a": rows}), as_qrels(judged), "RR", EASY, step=0.05)
        assert value == round_to_step(float(probe.reciprocal_ranks(labels[None])[0]), 0.05)
        assert value in np.round(np.arange(21) * 0.05, 6)


def test_the_budget_is_that_of_all_teams() -> None:
    """Scores are shown until all teams together have been told the bits of the task; later runs are taken, unscored."""
    qids = [f"t{number}" for number in range(1, LEAST_TOPICS + 2)]
    with closing(Track(qids=qids)) as track:
        track.do(lambda store: store_topic_set(store, "dev", qids[:LEAST_TOPICS]))
        track.do(lambda store: describe(store, description(leaderboard='"topics:dev"', bits="10", runs="9")))
        track.do(lambda store: import_qrels(store, as_qrels({qids[0]: {"d1": 1}}), "nist"))
        for team in ("cuni", "udel", "uni3"):
            assert track.upload(team, run_lines(f"a.{team}", qids=qids)).status_code == 201
        assert [team for team, *_ in track.do(scores_of)] == ["cuni", "udel"]
        assert track.do(bits_told) == pytest.approx(2 * np.log2(21))
        page = track.as_team("uni3").get("/leaderboard").text
        assert "have revealed at most 9 of 10 bits about the labels" in page
        assert "rounded to steps of 0.05" in page
        track.do(
            lambda store: describe(store, description(leaderboard='"topics:dev"', bits="10", step="0.1", runs="9"))
        )
        assert track.upload("uni4", run_lines("b", qids=qids)).status_code == 201
        assert len(track.do(scores_of)) == 2  # another step gives no new budget


def test_what_bounds_nothing_is_refused(track: Track) -> None:
    """A finer step, and a measure that counts."""
    qids = [f"t{number}" for number in range(LEAST_TOPICS)]
    with pytest.raises(InputError, match=r"limits.step is 0.01; expected 0.02, 0.05 or 0.1"):
        track.do(lambda store: describe(store, description(step="0.01")))
    with closing(Track(qids=qids)) as other:
        other.do(lambda store: store_topic_set(store, "dev", qids))
        text = description(leaderboard='"topics:dev"', measures='["NumRelRet", "AP"]')
        with pytest.raises(
            InputError, match="the first measure is NumRelRet; expected a measure with values from 0 to 1"
        ):
            other.do(lambda store: describe(store, text))


def test_a_set_of_fewer_topics_is_refused(track: Track) -> None:
    """With fewer than 40 topics the steps of a mean follow single topics."""
    track.do(lambda store: store_topic_set(store, "dev", ["1", "2"]))
    with pytest.raises(
        InputError, match="the topic set dev of the leaderboard contains 2 topics; expected at least 40"
    ):
        track.do(lambda store: describe(store, description(leaderboard='"topics:dev"')))


def test_results_leave_its_topics_out() -> None:
    """Means, p and verdict are of the other topics."""
    qids = [f"t{number}" for number in range(LEAST_TOPICS + 2)]
    with closing(Track(qids=qids)) as track:
        track.do(lambda store: store_topic_set(store, "dev", qids[2:]))
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
        assert track.do(lambda store: results_of(store).trust.sentence()).startswith("Not tested: no team except udel")
        track.do(lambda store: withdraw(store, "topic", ["t0"], "ambiguous"))
        assert track.do(results_of).judged.qids == ("t1",)


def test_scored_submissions_are_capped() -> None:
    """The leaderboard scores as many submissions of a team as the task says, names no other team, shows one mean."""
    qids = [f"t{number}" for number in range(1, LEAST_TOPICS + 2)]
    with closing(Track(qids=qids)) as track:
        track.do(lambda store: store_topic_set(store, "dev", qids[:LEAST_TOPICS]))
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
