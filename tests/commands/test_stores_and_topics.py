"""Functions of stores, topic sets and recipes: what Python gets is what the command prints."""

from pathlib import Path

import pytest

import cranfield
from cranfield.analysis.recipes import bundled_recipes
from cranfield.errors import InputError
from cranfield.store.topic_sets import topic_set
from tests.conftest import Cranfield
from tests.stores import new_file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return new_file(tmp_path / "t.db", topics=["q1", "q2", "q3"], people=["ada"], qrels={"ada": {"q1": {"d1": 1}}})


def test_topic_ids_and_a_file_of_them_make_one_set(store: Path, tmp_path: Path) -> None:
    """A file is also kept as the origin of the set; an unknown topic is an error of the file."""
    (file := tmp_path / "dev.txt").write_text("q1\nq2\n")
    by_ids = cranfield.topics.save_set(store, "dev", ["q2", "q1"])
    assert by_ids.rows() == [{"set": "dev", "version": 1, "topics": 2, "members": ["q1", "q2"]}]
    by_file = cranfield.topics.save_set(store, "by-file", str(file))
    assert (repr(by_file), by_file.rows()[0]["members"]) == ("by-file, version 1: 2 topics", ["q1", "q2"])
    with cranfield.Store.open(store) as there:
        assert [topic_set(there, name).origin.get("file") for name in ("dev", "by-file")] == [None, "dev.txt"]
    file.write_text("nowhere\n")
    with pytest.raises(InputError, match=r"dev\.txt: .*nowhere"):
        cranfield.topics.save_set(store, "dev", file)


def test_folds_are_a_row_and_a_line_each(store: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    folds = package.topics.split_into_folds(store, "fold", folds=2, rng=1)
    assert folds.frame["set"].tolist() == ["fold-1", "fold-2"]
    assert sorted(qid for row in folds.rows() for qid in row["members"]) == ["q1", "q2", "q3"]
    assert cranfield.out("topics", "split", store, "fold", "--folds", 2, "--seed", 1).splitlines() == [*folds.lines]


def test_a_release_is_a_row_and_is_listed(store: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    assert repr(package.store.list_releases(store)) == "No release yet; `cranfield store release` makes one."
    made = package.store.create_release(store, "1.0", note="first")
    assert made.rows() == package.store.list_releases(store).rows()
    assert package.store.list_releases(store).to_json() == cranfield.out("store", "releases", store, "--format", "json")
    assert package.store.verify(store).lines[0] == cranfield.out("store", "verify", store).splitlines()[0]


def test_a_recipe_warns_in_python_of_what_the_command_notes(tmp_path: Path, cranfield: Cranfield) -> None:
    import cranfield as package

    folder, notes = bundled_recipes()["workshop"].parent, list[str]()
    built = package.recipes.build_collection("workshop", folder, tmp_path / "a.db", tell=notes.append)
    result = cranfield("collection", "build", "workshop", folder, tmp_path / "b.db")
    assert result.out.replace("b.db", "a.db") == f"{built.lines[0]}\n"
    assert result.err.splitlines() == [f"note: {line}" for line in built.notes] == [f"note: {line}" for line in notes]
    assert built.frame.equals(package.store.info(tmp_path / "a.db").frame)
    assert "workshop" in package.recipes.list_collections().frame["name"].tolist()
