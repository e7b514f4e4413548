"""SOURCE: an open store does wherever its path does."""

from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.metrics.inputs import as_runs
from cranfield.source import is_store, min_relevant, open_judged, open_place, open_source
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.runs import add_runs
from cranfield.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a run of two documents, one of them judged."""
    with Store.create(tmp_path / "t.db", "t", grades={0: "no", 1: "hardly", 2: "yes"}, min_relevant=2) as store:
        add_runs(store, as_runs({"a": {"q": {"d1": 2.0, "d2": 1.0}}}))
        add_assessor(store, "ada")
        append(store, Event("label", "q", "d2", "ada", grade=2))
    return tmp_path / "t.db"


def test_an_open_store_does_as_its_path(path: Path) -> None:
    """The same runs, judgments and scale; and it stays open."""
    with Store.open(path) as store:
        for place in (path, store):
            assert is_store(place)
            assert min_relevant(place) == 2
            source = open_source([place])
            assert (source.runs.tags, len(source.qrels), list(source.about)) == (("a",), 1, ["a"])
            assert open_judged([place]).rank.tolist() == [2]
            with open_place(place) as there:
                assert there.collection.name == "t"
        assert store.counts()["run"] == 1


def test_a_store_in_memory_is_one(path: Path) -> None:
    with Store.memory("m") as store:
        with pytest.raises(InputError, match="no runs in this store"):
            open_judged([store])
        add_runs(store, as_runs({"a": {"q": {"d1": 1.0}}}))
        with pytest.raises(InputError, match="no judgments in this store yet"):
            open_source([store])


def test_a_store_stands_alone(path: Path) -> None:
    with Store.open(path) as store, pytest.raises(InputError, match="a store takes no further files"):
        open_judged([store, path])
