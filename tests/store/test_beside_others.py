"""An open store beside other programs: it sees what they add, and it does not keep them waiting."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import StoreError
from cranfield.formats import Document, Topic
from cranfield.store.labels import current_labels
from cranfield.store.runs import unread_runs
from cranfield.store.store import Store
from cranfield.view import View
from tests.stores import new_file

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")  # of unknown and partly judged topics


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a run and a label."""
    place = new_file(tmp_path / "track.db", documents=["d1", "d2"], topics=["1"])
    cranfield.store.import_runs(place, {"a": {"1": {"d2": 2.0, "d1": 1.0}}})
    cranfield.store.import_qrels(place, {"1": {"d1": 1}}, assessor="ada", kind="human")
    return place


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


def means(place: Store | Path | View) -> dict[str, float]:
    return {row["run"]: row["AP"] for row in cranfield.evaluate(place, measures="AP").rows()}


def test_an_open_store_sees_what_others_add(store: Store, path: Path) -> None:
    """Documents and topics that come first in order too, and a run and labels of them."""
    assert means(store) == {"a": 0.5}
    with Store.open(path) as other:
        other.add_documents([Document("a1"), Document("a2")])
        cranfield.store.import_topics(other, [Topic("0", "drag")])
        cranfield.store.import_runs(other, {"b": {"0": {"a1": 1.0}, "1": {"a2": 1.0}}})
        cranfield.store.import_qrels(other, {"0": {"a1": 1}, "1": {"a2": 1}}, assessor="kim", kind="human")
    assert means(store) == means(path) == {"a": 0.125, "b": 0.75}
    assert len(cranfield.read_qrels(store)) == 3
    assert sorted(cranfield.pooling.build_pool(store, depth=1).frame["doc_id"]) == ["a1", "a2", "d2"]


def test_a_kept_view_shows_the_state_that_it_read(store: Store, path: Path) -> None:
    view = cranfield.open_collection(store).select()
    assert means(view) == {"a": 0.5}
    cranfield.store.import_qrels(path, {"1": {"d2": 1}}, assessor="kim", kind="human")
    assert means(view) == {"a": 0.5}
    assert means(store) == {"a": 1.0}


def test_the_version_changes_with_each_change_and_with_no_reading(store: Store, path: Path) -> None:
    seen = [store.version]
    cranfield.store.import_qrels(path, {"1": {"d2": 1}}, assessor="ada", kind="human")
    seen.append(store.version)
    cranfield.store.import_qrels(store, {"1": {"d1": 1}}, assessor="kim", kind="human")
    seen.append(store.version)
    means(store)
    store.counts()
    assert len({*seen}) == 3
    assert store.version == seen[-1]


def test_an_open_store_keeps_no_writer_waiting(store: Store, path: Path) -> None:
    """Even amid a loop over its documents."""
    means(store)
    reading = store.documents()
    next(reading)
    with Store.open(path, patience=0) as other:
        cranfield.store.import_qrels(other, {"1": {"d2": 1}}, assessor="kim", kind="human")
    reading.close()
    assert means(store) == {"a": 1.0}


def test_an_unfinished_loop_cannot_write_after_others(store: Store, path: Path) -> None:
    """Which is an error at once, and not a wait for a program that has ended."""
    reading = store.documents()
    next(reading)
    cranfield.store.import_qrels(path, {"1": {"d2": 1}}, assessor="kim", kind="human")
    with pytest.raises(StoreError, match="to this store during a loop over it, and the loop still reads the earlier"):
        cranfield.store.import_qrels(store, {"1": {"d2": 1}}, assessor="ada", kind="human")
    reading.close()
    cranfield.store.import_qrels(store, {"1": {"d2": 1}}, assessor="ada", kind="human")
    assert store.counts()["judgment_event"] == 3


def test_what_is_added_while_a_call_reads_has_its_names(store: Store, path: Path) -> None:
    """The vocabularies were loaded before another program added a run and labels, and the rows are read after it."""
    assert (len(store.qids.names), len(store.docnos.names)) == (1, 2)
    with Store.open(path) as other:
        cranfield.store.import_topics(other, [Topic("0", "drag")])
        cranfield.store.import_runs(other, {"b": {"0": {"a1": 1.0}}})
        cranfield.store.import_qrels(other, {"0": {"a1": 1}}, assessor="kim", kind="human")
    runs = unread_runs(store).select(["b"]).loaded
    assert (runs.topics.names[runs.topic[0]], runs.docnos.names[runs.document[0]]) == ("0", "a1")
    store.forget()
    with Store.open(path) as other:
        assert len(store.qids.names) == 2
        cranfield.store.import_topics(other, [Topic("2", "lift")])
        cranfield.store.import_qrels(other, {"2": {"b1": 1}}, assessor="kim", kind="human")
    assert current_labels(store).qrels.qids == ["0", "1", "2"]
