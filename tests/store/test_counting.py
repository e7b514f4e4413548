"""What counts of a selected store is worked out once, and again after the store has changed."""

from pathlib import Path

import pytest

import cranfield
from cranfield.selection import Selection
from cranfield.store import withdrawals
from cranfield.store.reading import Reading
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.store.topic_sets import store_topic_set
from cranfield.store.withdrawals import withdraw, withdrawal_and_round_filter
from tests.stores import new_file


@pytest.fixture
def track(tmp_path: Path) -> Path:
    rankings = {tag: {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}} for tag in ("a", "b")}
    labels = {"ada": {("q1", "d1"): 1, ("q1", "d2"): 0, ("q2", "d1"): 1}}
    path = new_file(tmp_path / "track.db", documents=["d1", "d2"], topics=["q1", "q2"], people=["ada"], models=[],
                    runs=rankings, pool=2, labels=labels)  # fmt: skip
    with Store.open(path) as store:
        store_topic_set(store, "dev", ["q1"])
    return path


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables of runs for which it was worked out what counts."""
    calls, find = list[str](), withdrawals._find_what_counts

    def counted(store: Store, runs: str) -> withdrawals.WhatCounts:
        calls.append(runs)
        return find(store, runs)

    monkeypatch.setattr(withdrawals, "_find_what_counts", counted)
    return calls


def test_handles_of_one_call_share_what_counts(track: Path, worked_out: list[str]) -> None:
    with Reading(Selection(topics="dev")) as reading:
        for _ in range(3):
            with reading.select_place(track).open() as store:
                assert withdrawal_and_round_filter(store).selection.topics.tolist() == [True, False]  # type: ignore[union-attr]
        assert worked_out == ["run"]
        assert reading.left_out.others == {"topics not in dev": 1}


def test_it_is_worked_out_again_after_a_change(track: Path, worked_out: list[str]) -> None:
    with Reading() as reading, reading.select_place(track).open() as store:
        assert [*run_info(store)] == ["a", "b"]
        withdraw(store, "run", ["a"], "wrong index")
        assert [*run_info(store)] == ["b"]
        before = len(worked_out)
        with Store.open(track) as other:
            withdraw(other, "run", ["b"], "wrong index")
        assert not run_info(store)
        assert len(worked_out) > before


def test_selections_do_not_share_it(track: Path) -> None:
    with Store.open(track) as store:
        dev, every = (store.select(Selection(topics=name)) for name in ("dev", ""))
        for _ in range(2):
            assert withdrawal_and_round_filter(dev).selection.topics is not None
            assert withdrawal_and_round_filter(every).selection.topics is None


def test_an_analysis_works_it_out_once(track: Path, worked_out: list[str]) -> None:
    with pytest.warns(UserWarning, match="left out: 1 topic not in dev"):
        cranfield.evaluate(track, measures="AP", topics="dev")
    assert worked_out == ["run"]
