"""Splits, sets of topics and withdrawals through publishing: in tables, cards and the store that comes back."""

import shutil
from pathlib import Path

import pytest

import cranfield as api
from cranfield.features.publishing.folder import restore
from cranfield.features.publishing.formats import QRELS, QUERIES, read_table
from cranfield.features.publishing.gathering import WHOLE, notes
from cranfield.features.publishing.manifest import MANIFEST, write_manifest
from cranfield.features.publishing.publication import PublishOptions
from cranfield.store.store import Store
from cranfield.store.topic_sets import find_topic_set, store_topic_set, topic_sets
from cranfield.store.verification import verify
from cranfield.store.withdrawals import withdraw, withdrawals
from tests.conftest import Cranfield, usually
from tests.features.publishing.conftest import TARGETS, build_draft
from tests.features.publishing.test_build import contents

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("arrow", "files", "report")]


@pytest.fixture
def track(small: Path, tmp_path: Path) -> Path:
    """The small collection, with the sets train and test, and a document withdrawn."""
    path = tmp_path / "track.db"
    shutil.copy(small, path)
    with Store.open(path) as store:
        store_topic_set(store, "dev", ["q1", "q2"])
        store_topic_set(store, "dev", ["q1"])
        withdraw(store, "document", ["d1"], "a copy")
    return path


def wrong(folder: Path) -> list[str]:
    return [row["what"] for row in api.publish.check_folder(folder).rows() if row["state"] == "wrong"]


def qids(folder: Path, table: str) -> dict[str, set[str]]:
    columns = QUERIES if table == "queries" else QRELS
    return {path.stem: {row[0] for row in read_table(path, columns)} for path in sorted((folder / table).iterdir())}


def test_what_is_withdrawn_is_said_to_be_in_the_folder(track: Path) -> None:
    """The texts of documents and topics; a run that was withdrawn is not there."""
    with Store.open(track) as store:
        withdraw(store, "topic", ["q2"], "vague")
        withdraw(store, "run", ["two/2"], "wrong index")
        said = [line for line in notes(store, WHOLE) if "withdrawn items" in line]
        assert said == ["the folder still contains withdrawn items, with their texts: document d1, topic q2"]
        part = PublishOptions((), text=False, topics=("q1",))
        assert "the folder still contains withdrawn items: document d1" in notes(store, part)
        [line] = [line for line in notes(store, PublishOptions((), runs=False)) if line.startswith("not published")]
        assert line.endswith(", 1 run")


@pytest.mark.filterwarnings("ignore:2 labels by .*")
@pytest.mark.usefixtures("contents_alone")
def test_sets_and_withdrawals_come_back(track: Path, tmp_path: Path) -> None:
    """All versions; the same scores; published again, the same bytes."""
    targets = usually(("hf", "ir-datasets", "beir"), TARGETS[1:])
    folder = build_draft(track, tmp_path / "folder", *targets, split=("q2",))
    assert wrong(folder) == []
    assert "Withdrawn, and therefore not counted: document d1 (a copy)." in (folder / "README.md").read_text()
    assert "\td1\t" not in (folder / "trec" / "qrels.txt").read_text().replace(" ", "\t")
    with restore(folder, tmp_path / "back.db") as store:
        verify(store)
        assert find_topic_set(store, "dev@1").topics == ("q1", "q2")
        assert {one.name: one.topics for one in topic_sets(store)} == {
            "dev": ("q1",),
            "test": ("q2",),
            "train": ("q1",),
        }
        assert [(one.what, one.name, one.reason) for one in withdrawals(store)] == [("document", "d1", "a copy")]
    assert contents(build_draft(tmp_path / "back.db", tmp_path / "again", *targets)) == contents(folder)
    columns = ["query_id", "doc_id", "relevance"]
    before, after = (api.read_qrels(path)[columns].sort_values(columns) for path in (track, tmp_path / "back.db"))
    assert before.to_numpy().tolist() == after.to_numpy().tolist()


@pytest.mark.filterwarnings("ignore:left out", "ignore:the qrels list only relevant documents")
@pytest.mark.usefixtures("contents_alone")
def test_a_set_alone_is_published(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Its topics, rankings and grades, no pool and no log; what is not of it is in no file."""
    output = cranfield("publish", "build", track, tmp_path / "dev", "--draft", "--topics", "dev")
    assert "note: the folder contains only the topic set dev, without pools and judgment log" in output.err
    folder = tmp_path / "dev"
    assert (qids(folder, "queries"), qids(folder, "qrels")) == ({"test": {"q1"}}, {"test": {"q1"}})
    assert not {"log", "pools"} & {path.name for path in folder.iterdir()}
    assert "the topics of the set dev" in (folder / "README.md").read_text()
    assert wrong(folder) == []
    restore(folder, tmp_path / "back.db").close()
    whole, part = (
        api.evaluate(track, topics="dev", per_topic=True).frame,
        api.evaluate(tmp_path / "back.db", per_topic=True).frame,
    )
    assert part.to_csv() == whole.to_csv()
    assert {*api.read_runs(tmp_path / "back.db")["query_id"]} == {"q1"}


@pytest.mark.usefixtures("contents_alone")
def test_train_does_not_become_test_in_silence(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Whoever publishes as test what was train, in a folder before or in a set, says it, and so does the card."""
    folder, back = build_draft(track, tmp_path / "folder", "hf", split=("q2",)), tmp_path / "back.db"
    restore(folder, back).close()
    (tmp_path / "test.txt").write_text("q1\nq2\n")
    output = cranfield("publish", "build", back, tmp_path / "next", "--draft", "--split", tmp_path / "test.txt")
    assert "note: 1 test topic was part of train in an earlier version, as README.md notes: q1\n" in output.err
    assert wrong(tmp_path / "next") == []
    cranfield("topics", "set", track, "train", tmp_path / "test.txt")
    output = cranfield("publish", "build", track, tmp_path / "third", "--draft", "--split", "dev")
    assert "1 test topic was part of train in an earlier version, as README.md notes: q1" in output.err
    sentence = "In the split, test has 1 topic and train has 1 topic. In an earlier version, q1 was in the split train"
    assert sentence in (tmp_path / "third" / "README.md").read_text()
    assert "train before" not in cranfield("publish", "build", track, tmp_path / "no", "--draft", "--topics", "dev").err


@pytest.mark.parametrize("option", ["--split", "--topics"])
def test_an_unknown_set(track: Path, tmp_path: Path, cranfield: Cranfield, option: str) -> None:
    output = cranfield("publish", "build", track, tmp_path / "folder", "--draft", option, "dex")
    assert (output.code, output.err.count("\n"), output.err.endswith("did you mean dev?\n")) == (1, 1, True)
    assert not (tmp_path / "folder").exists()


@pytest.mark.parametrize(
    ("standing", "message"),
    [
        ('"topic_sets": [{"name": "dev"}]', "topic_sets has {'name': 'dev'}; expected name, version, topics"),
        ('"other": []', "standing contains 'other'; expected topic_sets and withdrawn"),
    ],
)
@pytest.mark.usefixtures("contents_alone")
def test_what_is_no_set(track: Path, tmp_path: Path, standing: str, message: str) -> None:
    folder = build_draft(track, tmp_path / "folder", "beir")
    text = (folder / "collection.json").read_text()
    at = text.index('"standing": {')
    (folder / "collection.json").write_text(text[:at] + '"standing": {' + standing + "}\n}\n")
    (folder / MANIFEST).unlink()
    write_manifest(folder)
    assert any(message in what for what in wrong(folder))
