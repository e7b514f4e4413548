"""Double sampling: a random sample is adjudicated blind, and tells of all that several people judged."""

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import Dispute
from cranfield.judging.adjudication.sample import (
    STRATA,
    Phases,
    adjudicated_number_and_seed,
    allocate_draws,
    disputes_with_two_labels,
    draw_sample,
    estimate_double_sample,
    sample_policy_name,
    split_into_phases,
    stratum_index,
)
from cranfield.judging.frontends.plain import PlainAdjudication
from cranfield.judging.labels.pairs import ADJUDICATION
from cranfield.judging.labels.policies import apply_policy
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.chain import Event
from cranfield.store.log import append, read_events
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.cases import at, store_of
from tests.stores import filled

DOCNOS = [f"d{number:03}" for number in range(120)]
Labels = Mapping[str, Mapping[str, int]]


def random_labels(seed: int = 0, documents: int = 120) -> tuple[Labels, dict[str, int]]:
    """Two assessors who miss three of ten relevant documents and take one of twenty others for one; and the truth."""
    random = np.random.default_rng(seed)
    truth = {docno: int(random.random() < 0.25) for docno in DOCNOS[:documents]}
    wrong = {1: 0.3, 0: 0.05}
    labels = {
        name: {docno: grade ^ int(random.random() < wrong[grade]) for docno, grade in truth.items()}
        for name in ("ada", "bob")
    }
    return labels, truth


def labelled(store: Store, labels: Labels) -> Store:
    by_pair = {name: {("q1", docno): grade for docno, grade in own.items()} for name, own in labels.items()}
    return filled(store, labels=by_pair)


def pairs_of(store: Store) -> list[Dispute]:
    return disputes_with_two_labels(apply_policy(store).by_pair)


# The sample


def test_agreeing_documents_are_among_them() -> None:
    """Documents with one label are not, whatever it is; the strata are by who called them relevant."""
    labels = {"ada": {"d1": 0, "d2": 0, "d3": 1, "d4": 2}, "bob": {"d1": 0, "d2": 1, "d3": 2}}
    several = pairs_of(labelled(store_of({"q1": ["d1", "d2", "d3", "d4"]}), labels))
    assert [(it.pair[1], STRATA[stratum_index(it, 1)]) for it in several] == [
        ("d1", "nobody"), ("d2", "some"), ("d3", "everybody"),
    ]  # fmt: skip
    assert [stratum_index(it, 2) for it in several] == [0, 0, 1]


@given(st.lists(st.integers(0, 300), min_size=3, max_size=3), st.integers(6, 200))
def test_allocation(sizes: list[int], number: int) -> None:
    """The number asked for, as far as there is any; two of each stratum at least; more of all in a larger sample."""
    sizes_taken = allocate_draws(sizes, number)
    assert sum(sizes_taken) == min(number, sum(sizes))
    assert all(min(2, size) <= each <= size for each, size in zip(sizes_taken, sizes, strict=True))
    assert all(a <= b for a, b in zip(sizes_taken, allocate_draws(sizes, number + 1), strict=True))


def test_the_same_seed_draws_the_same() -> None:
    """In the same order; another seed draws others, a larger sample has all of a smaller one."""
    several = pairs_of(labelled(store_of({"q1": DOCNOS}), random_labels()[0]))
    sample = draw_sample(several, 30, 1, 1)
    assert sample == draw_sample(several[::-1], 30, 1, 1)
    assert {it.pair for it in sample} != {it.pair for it in draw_sample(several, 30, 2, 1)}
    assert {it.pair for it in sample} < {it.pair for it in draw_sample(several, 50, 1, 1)}


def test_within_a_stratum_every_document_is_as_likely() -> None:
    """Over four hundred seeds each comes up as often as the sizes say, and each stratum as early as the others."""
    several = pairs_of(labelled(store_of({"q1": DOCNOS}), random_labels()[0]))
    strata = Counter(stratum_index(it, 1) for it in several)
    times: Counter[str] = Counter()
    places: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for seed in range(400):
        for place, it in enumerate(draw_sample(several, 40, seed, 1)):
            times[it.pair[1]] += 1
            places[stratum_index(it, 1)].append(place)
    sizes = allocate_draws([strata[place] for place in range(3)], 40)
    for it in several:
        expected = sizes[stratum_index(it, 1)] / strata[stratum_index(it, 1)]
        assert times[it.pair[1]] / 400 == pytest.approx(expected, abs=0.12)
    assert all(np.mean(own) == pytest.approx(19.5, abs=1.5) for own in places.values())


# The estimate


def all_samples(strata: np.ndarray, sizes: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Every sample that has so many of each stratum, as a mask."""
    members = [np.flatnonzero(strata == place) for place in range(3)]
    for parts in product(*(combinations(own, size) for own, size in zip(members, sizes, strict=True))):
        mask = np.zeros(len(strata), bool)
        mask[[row for rows in parts for row in rows]] = True
        yield mask


@pytest.mark.parametrize("answer", [[0, 0, 0, 1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 0, 0, 1, 1, 1], [0] * 9])
def test_right_on_average_over_all_samples(answer: list[float]) -> None:
    """By enumeration: unbiased; and the interval is as wide as the errors are, or wider."""
    strata, values = np.array([0, 0, 0, 0, 0, 1, 1, 1, 2]), np.array(answer, float)
    estimates = [estimate_double_sample(values, mask, strata) for mask in all_samples(strata, (3, 2, 1))]
    assert np.mean([it.value for it in estimates]) == pytest.approx(values.mean())
    error = np.mean([(it.value - values.mean()) ** 2 for it in estimates])
    half = np.mean([max(it.high - it.value, it.value - it.low) ** 2 for it in estimates])
    assert half / 1.96**2 >= error * 0.95


def test_how_sure_a_share_is() -> None:
    """Of those that can be judged, sure if all are adjudicated, but not where it came out alike: some may be relevant.

    A first phase adds its own variance; of the whole pool it adds nothing.
    """
    strata, answer = np.array([0, 0, 0, 1]), np.array([0.0, np.nan, np.nan, 1.0])
    assert estimate_double_sample(answer, np.ones(4, bool), strata) == (0.5, 0.5, 0.5)
    assert np.isnan(estimate_double_sample(np.full(2, np.nan), np.ones(2, bool), np.array([0, 0])).value)
    strata = np.zeros(100, np.int64)
    few, many = (estimate_double_sample(np.zeros(100), np.arange(100) < number, strata) for number in (10, 50))
    assert (few.value, many.value) == (0, 0)
    assert 0.1 < few.high < 0.3
    assert 0 < many.high < few.high
    answer, every = np.tile([0.0, 1.0], 50), np.ones(100, bool)
    alone, of_all, of_many = (
        estimate_double_sample(answer, every, strata, first) for first in (0.0, 1 / 100 - 1 / 100, 1 / 100)
    )
    assert alone == of_all == (0.5, 0.5, 0.5)
    assert of_many.high - 0.5 == pytest.approx(1.96 * np.sqrt(0.25 / 100), abs=1e-4)


def sampled_phases(several: list[Dispute], truth: Mapping[str, int], number: int, seed: int) -> Phases:
    sample = {it.pair for it in draw_sample(several, number, seed, 1)}
    return split_into_phases(several, sample, {pair: truth[pair[1]] for pair in sample}, 1)


@pytest.mark.full
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Over three hundred samples: share of relevant documents, and how often an assessor is right."""
    labels, truth = random_labels(3)
    several = pairs_of(labelled(store_of({"q1": DOCNOS}), labels))
    share = np.mean(list(truth.values()))
    right = np.mean([labels["ada"][docno] == truth[docno] for docno in truth])
    inside = []
    for seed in range(300):
        both = sampled_phases(several, truth, 40, seed)
        ada = both.share_by_assessor()[0]
        inside.append(
            (ada.relevant.low <= share <= ada.relevant.high, ada.agreement.low <= right <= ada.agreement.high)
        )
    assert all(0.92 <= each <= 1.0 for each in np.mean(inside, axis=0))


@pytest.mark.full
def test_what_all_miss_together_is_found() -> None:
    """Both miss every third relevant document: the labels do not know, nor do adjudicated disagreements; this does."""
    truth = random_labels(3)[1]
    answers = {docno: int(grade and number % 3 > 0) for number, (docno, grade) in enumerate(truth.items())}
    labels = {"ada": answers, "bob": {docno: grade ^ int(number % 17 == 0) for number, (docno, grade) in
                                   enumerate(answers.items())}}  # fmt: skip
    several = pairs_of(labelled(store_of({"q1": DOCNOS}), labels))
    share = np.mean(list(truth.values()))
    final = [truth[it.pair[1]] if stratum_index(it, 1) == 1 else answers[it.pair[1]] for it in several]
    assert share - np.mean(final) > 0.03
    estimates = [sampled_phases(several, truth, 40, seed).relevant().value for seed in range(200)]
    assert np.mean(estimates) == pytest.approx(share, abs=0.01)


def test_every_assessor_is_corrected_on_her_own_documents() -> None:
    """All adjudicated: her count, the true one of the same documents, and how often she is right, without error."""
    labels = {"ada": {"d1": 0, "d2": 0, "d3": 1, "d4": 1}, "bob": {"d1": 0, "d2": 1}, "eve": {"d3": 1, "d4": 0}}
    several = pairs_of(labelled(store_of({"q1": ["d1", "d2", "d3", "d4"]}), labels))
    final = {("q1", "d1"): 0, ("q1", "d2"): 1, ("q1", "d3"): 2, ("q1", "d4"): None}
    both = split_into_phases(several, final, final, 1)
    rows = {row.assessor: (row.documents, row.labelled, row.relevant.value, row.agreement.value)
            for row in both.share_by_assessor()}  # fmt: skip
    assert rows == {
        "ada": (4, 2, pytest.approx(2 / 3), pytest.approx(2 / 3)),
        "bob": (2, 1, 0.5, 1),
        "eve": (2, 1, 1, 1),
    }
    assert [row["cannot_judge"] for row in both.strata_rows()] == [0, 1, 0]


# The session and the command


def test_a_sample_is_adjudicated_without_labels() -> None:
    """Neither the labels nor whether they differ are shown, as is on record; none, or two samples, are refused."""
    store = labelled(store_of({"q1": DOCNOS}), random_labels()[0])
    with pytest.raises(InputError, match="no sample has been adjudicated in this store; draw a sample with --sample N"):
        adjudicated_number_and_seed(store)
    documents, out = draw_sample(pairs_of(store), 8, 5, 1), io.StringIO()
    session = Adjudication(store, "eve", documents, seed=5, order_policy=sample_policy_name(8), hides_labels=True)
    PlainAdjudication(session, io.StringIO("1\nx 4 torn\nq\n"), out).run()
    assert "Document 1 of 8" in out.getvalue()
    assert "Labels" not in out.getvalue()
    assert "A:" not in out.getvalue()
    one, other = [event for event in read_events(store) if event.assessor == "eve"]
    assert (one.docno, one.grade, one.order_policy, one.order_seed) == (documents[0].pair[1], 1, "sample 8", 5)
    assert json.loads(one.evidence or "") == {"labels_seen": []}
    assert (other.source, other.grade) == (ADJUDICATION, None)
    assert adjudicated_number_and_seed(store) == (8, 5)
    documents = draw_sample(pairs_of(store), 10, 0, 1)
    at(Adjudication(store, "eve", documents, order_policy=sample_policy_name(10), hides_labels=True)).grade(1)
    with pytest.raises(InputError, match="choose one with --sample 8 --seed 5, --sample 10 --seed 0"):
        adjudicated_number_and_seed(store)


def adjudicate(path: Path, truth: Mapping[str, int], number: int, seed: int) -> None:
    """Eve adjudicates a sample, and is right."""
    with Store.open(path) as store:
        sample = draw_sample(pairs_of(store), number, seed, 1)
        session = Adjudication(
            store, "eve", sample, seed=seed, order_policy=sample_policy_name(number), hides_labels=True
        )
        for it in sample:
            at(session).grade(truth[it.pair[1]])


def test_the_command(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what was drawn, goes on where it stopped, and tells what comes of it with the sample of the log."""
    track = tmp_path / "track.db"
    labelled(store_of({"q1": DOCNOS}, track), random_labels()[0]).close()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n0\nq\n"))
    start = cranfield("adjudicate", track, "--sample", "30", "--seed", "2", "--assessor", "eve")
    assert start.out.startswith(
        "30 documents, drawn at random from the 120 with at least two labels. Their labels are not"
    )
    assert start.out.endswith(
        "2 of 30 sampled documents are adjudicated. Run the command with --estimate to see the estimates.\n"
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n"))
    again = cranfield("adjudicate", track, "--sample", "30", "--seed", "2", "--assessor", "eve")
    assert "Document 3 of 30" in again.out
    output = cranfield("adjudicate", track, "--estimate")
    assert output.out.startswith("120 documents with at least two labels, of which 30 were sampled (seed 2)\n")
    assert "labels are assumed to be right" in output.out


@pytest.mark.full
def test_the_numbers(tmp_path: Path, cranfield: Cranfield) -> None:
    """As JSON, stable names; with everything adjudicated they are the truth.

    What was adjudicated for its effect is no random sample: unless it was drawn, it changes nothing.
    """
    (labels, truth), every, some = random_labels(), tmp_path / "every.db", tmp_path / "some.db"
    for path, number in ((every, 120), (some, 30)):
        labelled(store_of({"q1": DOCNOS}, path), labels).close()
        adjudicate(path, truth, number, 1)
    output = json.loads(cranfield("adjudicate", every, "--estimate", "--format", "json").out)
    assert set(output) == {"sample", "strata", "assessors", "pool"}
    assert (output["sample"], output["pool"]) == ({"size": 120, "seed": 1}, None)
    assert [row["called_relevant_by"] for row in output["strata"]] == ["nobody", "some", "everybody"]
    assert all(row["documents"] == row["drawn"] == row["adjudicated"] for row in output["strata"])
    ada, bob, rule = output["assessors"]
    right = np.mean([labels["ada"][docno] == grade for docno, grade in truth.items()])
    assert (ada["documents"], ada["labelled_relevant"]) == (120, sum(labels["ada"].values()))
    assert list(ada["agreement"].values()) == pytest.approx([right] * 3)
    assert ada["relevant"]["value"] == bob["relevant"]["value"] == pytest.approx(sum(truth.values()) / 120)
    assert (rule["assessor"], rule["labelled_relevant"]) == ("policy primary", ada["labelled_relevant"])
    before = cranfield("adjudicate", some, "--estimate", "--format", "json").out
    with Store.open(some) as store:
        sample = {it.pair for it in draw_sample(pairs_of(store), 30, 1, 1)}
        others = [it.pair[1] for it in pairs_of(store) if it.pair not in sample]
        append(store, *(Event("adjudicate", "q1", docno, "eve", grade=2, order_policy="effect") for docno in others))
    assert cranfield("adjudicate", some, "--estimate", "--format", "json").out == before


def test_a_planned_overlap_tells_of_the_pool(tmp_path: Path, cranfield: Cranfield) -> None:
    """If it was drawn from all of it and is judged; with an interval that is wider, as it is a sample twice over."""
    path, (labels, truth) = tmp_path / "a.db", random_labels()
    with store_of({"q1": DOCNOS}, path) as store:
        assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.5, seed=4)
        overlap = {docno for (docno,) in store.rows("SELECT docno FROM sampled JOIN document d ON d.id = document")}
        labelled(store, {name: {d: own[d] for d in overlap} for name, own in labels.items()})
    adjudicate(path, truth, 60, 0)
    output = json.loads(cranfield("adjudicate", path, "--estimate", "--format", "json").out)
    share = sum(truth[docno] for docno in overlap) / 60
    assert output["pool"]["documents"] == 120
    assert output["pool"]["relevant"]["value"] == output["assessors"][0]["relevant"]["value"] == pytest.approx(share)
    wide = output["pool"]["relevant"]["high"] - share
    assert wide == pytest.approx(1.96 * np.sqrt(share * (1 - share) * (1 / 60 - 1 / 120)), abs=1e-4)
    assert "relevant documents in the pool of 120 documents, " in cranfield("adjudicate", path, "--estimate").out
