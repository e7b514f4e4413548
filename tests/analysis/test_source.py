"""SOURCE: an open store does wherever its path does, and only readers tell a store from files."""

import re
from pathlib import Path

import pytest

from benchmarks.house import ROOT, modules
from cranfield.call_view import CallView
from cranfield.collection import open_collection
from cranfield.errors import InputError
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.selection import Labellers, LeftOut, Selection
from cranfield.store.reading import is_store, name_of, open_store_at
from cranfield.store.store import Store
from cranfield.store.topic_sets import store_topic_set
from cranfield.view import load_given_qrels
from tests.stores import filled, new_file, new_store
from tests.views import view_of


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
            assert view_of([place]).min_relevant == 2
            source = view_of([place])
            assert (source.runs.tags, len(source.qrels), list(source.run_info)) == (("a",), 1, ["a"])
            assert view_of([place]).blocks.joined.rank.tolist() == [2]
            with open_store_at(place) as there:
                assert there.collection.name == "t"
        assert store.counts()["run"] == 1


def test_a_store_in_memory_is_one(path: Path) -> None:
    with Store.memory("m") as store:
        with pytest.raises(InputError, match="no runs in this store"):
            _ = view_of([store]).runs
        filled(store, runs={"a": {"q": {"d1": 1.0}}})
        with pytest.raises(InputError, match="there are no judgments in this store yet"):
            _ = view_of([store]).runs


def test_a_chosen_assessor_without_judgments_is_named() -> None:
    """Other people have judged, so the store has judgments."""
    with new_store(people=["ada"], runs={"a": {"q": {"d1": 1.0}}}, qrels={"bo": {"q": {"d1": 1}}}) as store:
        with pytest.raises(InputError, match="there are no judgments by ada in this store yet; choose other labels"):
            load_given_qrels(store, Labellers("ada"))
        record_label_choice(store, assessor="ada")
        with pytest.raises(InputError, match=r"there are no judgments by ada .* `cranfield store labels`"):
            _ = view_of([store]).runs
        with pytest.raises(InputError, match="there are no judgments by ada"):
            load_given_qrels(store)


def test_a_store_stands_alone(path: Path) -> None:
    with Store.open(path) as store, pytest.raises(InputError, match="a store next to other files"):
        _ = view_of([store, path]).blocks


def test_the_view_of_an_open_store_reads_what_was_selected_of_it(path: Path) -> None:
    """It notes what it leaves out with the store's own notes, and leaves the store open."""
    with Store.open(path) as store:
        filled(store, runs={"b": {"p": {"d1": 1.0}}}, labels={"ada": {("p", "d1"): 2}})
        store_topic_set(store, "one", ["q"])
        left_out = LeftOut()
        view = CallView.view_of_store(store.select(Selection(topics="one"), left_out))
        assert (view.scored_blocks.qids, view.judged.qids, view.selection.topics) == (("q",), ("q",), "one")
        assert CallView.view_of_store(store).scored_blocks.qids == ("p", "q")
        assert left_out.others == {"topics not in one": 1}
        assert store.counts()["run"] == 2


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A qrels file and a run file."""
    qrels, run = tmp_path / "qrels", tmp_path / "b.run"
    qrels.write_text("q 0 d1 1\n")
    run.write_text("q Q0 d1 1 2.0 b\n")
    return [qrels, run]


def test_a_view_of_a_store_provides_what_later_commands_name(path: Path, files: list[Path]) -> None:
    view = view_of([path])
    assert view.find_stored_run(Path("a")) == "a"
    assert view.find_stored_run(files[1]) is None
    with pytest.raises(InputError, match=r"neww: neither a file nor a run in .*t\.db; available: a$"):
        view.find_stored_run(Path("neww"))
    assert (view.store_path, view.run_files, view.draw_options) == (path, [], ("--store-pool",))
    assert view.known_pool_view is view
    assert name_of(view.require_store(InputError("needs a store"))) == path


def test_a_view_of_files_provides_what_later_commands_name(files: list[Path]) -> None:
    view = view_of(files)
    assert view.find_stored_run(Path("b")) is None
    assert (view.store_path, view.run_files, view.draw_options) == (None, files[1:], ())
    assert view.known_pool_view is None
    with pytest.raises(InputError, match=r"^needs a store$"):
        view.require_store(InputError("needs a store"))


def test_the_path_of_a_store_is_known_before_it_is_read(path: Path) -> None:
    """Also where the view is derived, and of a store in memory."""
    view = open_collection(path).select()
    assert view.store_path == path
    assert "not read yet" in repr(view)
    assert view.replace_qrels(view.qrels).store_path == path
    with Store.memory("m") as store:
        assert view_of([store]).store_path == Path(":memory:")
    assert open_collection({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}}).select().store_path is None


READERS = {  # in the order of their layers
    "cranfield/formats/files.py", "cranfield/formats/whole_files.py", "cranfield/store/reading.py",
    "cranfield/source.py", "cranfield/view.py", "cranfield/call_view.py",
}  # fmt: skip
READING = re.compile(
    r"\b(is_store|is_stored|is_store_alone|is_sqlite|read_source|read_judged|view_of_source)\b|import.*\bSource\b"
)


def test_only_readers_ask_whether_a_place_is_a_store() -> None:
    program = modules("cranfield", "metrics", "pooling", "judging")
    asking = {path.relative_to(ROOT).as_posix() for path in program if READING.search(path.read_text("utf-8"))}
    assert asking - READERS == set()
