"""SOURCE: an open store does wherever its path does."""

from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.source import is_store, min_relevant, open_judged, open_place, open_source
from cranfield.store.store import Store
from tests.stores import filled, new_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a run of two documents, one of them judged."""
    scale = {0: "no", 1: "hardly", 2: "yes"}
    runs, labels = {"a": {"q": {"d1": 2.0, "d2": 1.0}}}, {"ada": {("q", "d2"): 2}}
    return new_file(tmp_path / "t.db", "t", grades=scale, min_relevant=2, runs=runs, labels=labels)


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
        filled(store, runs={"a": {"q": {"d1": 1.0}}})
        with pytest.raises(InputError, match="no judgments in this store yet"):
            open_source([store])


def test_a_store_stands_alone(path: Path) -> None:
    with Store.open(path) as store, pytest.raises(InputError, match="a store takes no further files"):
        open_judged([store, path])
