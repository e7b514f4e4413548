"""Panels of models: what is combined, what it rests on, and who may be in one."""

from collections.abc import Sequence
from math import isnan, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.features.answers.store.labels import NUGGET_LABELS
from cranfield.features.models.panel import dawid_skene, names_of_judge, panel
from cranfield.features.publishing.gathering import collection_facts
from cranfield.judging.labels.why import describe_grounds, explain_grade
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.chain import Event
from cranfield.store.erasing import erase
from cranfield.store.log import add_assessor, append, assessors, current_decisions
from cranfield.store.qrels import labels_that_count
from cranfield.store.releases import make_release
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.features.answers.stores import answered_store, label_nuggets
from tests.stores import filled, new_store

JUDGES = ("a", "b", "c")


def store_of(votes: Sequence[Sequence[int | None]]) -> Store:
    """A store with a document for each row, and what each judge says of it."""
    pairs = [("12"[at % 2], f"d{at:03}") for at in range(len(votes))]
    return new_store(
        grades={0: "no", 1: "partly", 2: "yes"},
        documents=[docno for _, docno in pairs],
        topics="12",
        models=JUDGES,
        labels={
            name: {pair: grade for pair, grade in zip(pairs, own, strict=True) if grade != 9}
            for name, own in zip(JUDGES, zip(*votes, strict=True), strict=True)
        },
    )


def by_hand(votes: Floats, classes: int, steps: int) -> list[list[float]]:
    """Dawid and Skene's estimate, counted one by one."""
    units, judges = votes.shape
    share = [[sum(vote == k for vote in row) / sum(not isnan(vote) for vote in row) for k in range(classes)]
             for row in votes.tolist()]  # fmt: skip
    for _ in range(steps):
        prior = [sum(row[k] for row in share) / units for k in range(classes)]
        rate: dict[tuple[int, int, int], float] = {}
        for j in range(judges):
            for k in range(classes):
                total = sum(share[u][k] for u in range(units) if not isnan(votes[u, j]))
                for label in range(classes):
                    hits = sum(share[u][k] for u in range(units) if votes[u, j] == label)
                    rate[j, k, label] = hits / total if total else 0.0
        for u in range(units):
            weight = [prior[k] for k in range(classes)]
            for k in range(classes):
                for j in range(judges):
                    if not isnan(votes[u, j]):
                        weight[k] *= rate[j, k, int(votes[u, j])]
            share[u] = [one / sum(weight) for one in weight]
    return share


@pytest.mark.parametrize("seed", range(4))
def test_the_estimate_is_that_of_the_paper(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, 60)
    votes = np.where(random.random((60, 4)) < [0.9, 0.8, 0.7, 0.4], truth[:, None], random.integers(0, 3, (60, 4)))
    votes = np.where(random.random((60, 4)) < 0.1, np.nan, votes.astype(float))
    votes[:, 0] = np.where(np.isnan(votes).all(axis=1), 0, votes[:, 0])
    monkeypatch.setattr("cranfield.features.models.panel.STEPS", 12)
    monkeypatch.setattr("cranfield.features.models.panel.STILL", -1.0)
    grades = dawid_skene(votes, [0, 1, 2])
    assert np.allclose(grades.probability, by_hand(votes, 3, 12), atol=1e-9)


def test_a_judge_who_says_the_contrary_is_read_the_other_way() -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 400)
    right = random.random((400, 3)) < [0.9, 0.85, 0.15]
    votes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(float)
    grades = dawid_skene(votes, [0, 1])
    majority = votes.sum(axis=1) >= 2
    assert (grades.probability.argmax(axis=1) == truth).mean() > (majority == truth).mean() + 0.04
    assert np.abs(grades.accuracy - [0.9, 0.85, 0.15]).max() < 0.06
    entropy = -sum(one * log(one) for one in grades.probability[0] if one)
    assert entropy < log(2)


@pytest.mark.parametrize(
    ("method", "grades"), [("majority", [0, 2, 1, None]), ("mean", [1, 1, 2, None]), ("dawid-skene", [0, 2, 1, None])]
)
def test_what_a_panel_says(method: str, grades: list[int | None]) -> None:
    with store_of([[0, 0, 2], [2, 2, 0], [1, 2, None], [0, None, 9]]) as store:
        if method == "dawid-skene":
            append(store, *(Event("label", "1", "d000", name, grade=0) for name in JUDGES))
            append(store, *(Event("label", "1", "d002", name, grade=1) for name in JUDGES))
        three = panel(store, JUDGES, "three", method=method)
        labels = current_decisions(store, "three")
        assert [labels["12"[at % 2], f"d{at:03}"].grade for at in range(4)] == grades
        assert (three.labelled, three.undecided, three.new) == (3, 1, 4)
        assert labels["2", "d003"].reason == "labels by 1 of 3 judges"
        assert [*describe_grounds(explain_grade(store, "2", "d001"), labels["2", "d001"])] == [
            "combined from a 2, b 2, c 0"
        ]
        assert panel(store, JUDGES, "three", method=method).new == 0
        verify(store)


def test_agreement_and_judges_are_told_and_people_go_first() -> None:
    with store_of([[at % 3, at % 3, 0] for at in range(12)]) as store:
        three = panel(store, JUDGES, "three")
        filled(store, labels={"ada": {("1", "d000"): 2}})
        assert labels_that_count(store).qrels.grade.tolist() == [2, 2, 1, 0, 2, 1, 1, 0, 2, 1, 0, 2]
    assert [(one.judge, one.labels, one.failed, one.with_panel) for one in three.judges] == [
        ("a", 12, 0, 1.0), ("b", 12, 0, 1.0), ("c", 12, 0, pytest.approx(1 / 3)),
    ]  # fmt: skip
    raw = {tuple(one.judges): one.value for one in three.agreement if one.coefficient == "raw agreement"}
    assert [raw["a", "b"], raw["a", "c"]] == pytest.approx([1, 1 / 3])


@pytest.mark.parametrize(
    ("judges", "name", "how", "error"),
    [
        (("a",), "three", {}, "at least two different judges"),
        (("a", "a"), "three", {}, "a name that no judge has"),
        (("a", "x"), "three", {}, "'x' is not an assessor of this store"),
        (("a", "ada"), "three", {}, "'ada' is not a model; a panel combines only models"),
        (("a", "b"), "c", {}, "'c' is somebody else; give this panel another name"),
        (("a", "b"), "old", {}, "'old' is a panel with .*majority.*; give this panel another name"),
        (JUDGES, "three", {"method": "mode"}, "method is 'mode'"),
        (JUDGES, "three", {"labels": "preferences"}, "a panel cannot combine labels of 'preferences'"),
    ],
)
def test_what_is_no_panel_is_refused(judges: tuple[str, ...], name: str, how: dict[str, Any], error: str) -> None:
    with store_of([[2, 2, 2], [2, 2, 2]]) as store:
        add_assessor(store, "ada")
        panel(store, JUDGES, "old")
        with pytest.raises(InputError, match=error):
            panel(store, judges, name, **how)


def test_a_panel_is_an_assessor_of_its_own_kind(tmp_path: Path) -> None:
    """Audited, released, published and not erased, as models are; its labels count as theirs."""
    with store_of([[at % 3, at % 3, 0] for at in range(12)]) as memory:
        (path := tmp_path / "t.db").write_bytes(memory.conn.serialize())
    with Store.open(path) as store:
        panel(store, JUDGES, "three")
        assert assessors(store)["three"] == "panel"
        filled(store, labels={"ada": {("12"[at % 2], f"d{at:03}"): at % 3 for at in range(12)}})
        report = cranfield.models.audit(store, "three").findings
        assert (report.model, report.items, names_of_judge(store, "three")) == ("three", 12, {"three", *JUDGES})
        assert (
            labels_that_count(store, Labellers("three", LabelledBy.models)).qrels.grade.tolist()
            == labels_that_count(store, Labellers("ada")).qrels.grade.tolist()
        )
        with pytest.raises(InputError, match="'three' is a panel, not a person"):
            erase(store, "assessor", "three", "she asked")
        make_release(store, "one")
        facts = {one.kind: one.names for one in collection_facts(store).assessors}
        assert facts == {"human": (), "model": JUDGES, "panel": ("three",)}
        verify(store)


def test_a_panel_of_labels_of_nuggets() -> None:
    with answered_store() as store:
        for name, letters in {"llm": "spnsp", "second": "ssnsp", "third": "snnsx"}.items():
            add_assessor(store, name, "model")
            label_nuggets(store, name, {("a", "1"): letters})
        three = panel(store, ["llm", "second", "third"], "three", labels="nuggets")
        words = {"s": "support", "p": "partial_support", "n": "not_support"}
        labels = [*NUGGET_LABELS.labels(store, "three").values()]
        assert labels == [words[one] for one in "snnsp"]
        assert (three.labelled, three.judges[2].failed) == (5, 1)
        label_nuggets(store, "ada", {("a", "1"): "sssss"})
        report = cranfield.models.audit(store, "three", of="nuggets").findings
    assert report.items == 5
