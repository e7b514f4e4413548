"""Functions of stores, topic sets and recipes: what Python gets is what the command prints."""

from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield.analysis.recipes import bundled_recipes
from cranfield.errors import InputError
from cranfield.store.log import guidelines
from cranfield.store.topic_sets import find_topic_set
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
        assert [find_topic_set(there, name).origin.get("file") for name in ("dev", "by-file")] == [None, "dev.txt"]
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


def test_a_store_is_created_as_init_creates_it(tmp_path: Path, cranfield: Cranfield) -> None:
    """The scale as a mapping or as text, guidelines from a file, and what a feature keeps of a new store."""
    import cranfield as api

    (tmp_path / "guide.txt").write_text("Judge well.\n")
    path = tmp_path / "new.db"
    options: dict[str, Any] = {"licence": "CC0", "guidelines": tmp_path / "guide.txt"}
    result = api.store.create_store(path, "New", scale={0: "no", 1: "yes"}, private=True, **options)
    assert result.rows() == [{"store": str(path), "collection": "New"}]
    words = ["--name", "New", "--scale", "0=no,1=yes", "--licence", "CC0", "--guidelines", str(tmp_path / "guide.txt")]
    assert cranfield("init", tmp_path / "other.db", *words, "--private").out == (
        f"{result!r}\n".replace(str(path), str(tmp_path / "other.db"))
    )
    with api.Store.open(path) as store, api.Store.open(tmp_path / "other.db") as other:
        assert store.collection._replace(created="") == other.collection._replace(created="")
        assert guidelines(store) == guidelines(other) == "Judge well.\n"
    assert path.stat().st_mode == (tmp_path / "other.db").stat().st_mode
    with pytest.raises(InputError, match="scale: 'no'; expected a list such as 0=not relevant,1=relevant"):
        api.store.create_store(tmp_path / "bad.db", "Bad", scale="no")
    with pytest.raises(InputError, match="create_store does not support the subject"):
        api.store.create_store(tmp_path / "bad.db", "Bad", subject=api.subjects.Subject())
    assert not (tmp_path / "bad.db").exists()


def test_a_recipe_is_shown_as_its_file_has_it(cranfield: Cranfield) -> None:
    import cranfield as api

    recipe = api.recipes.describe_recipe("adi")
    assert cranfield("collection", "show", "adi").out == recipe.text == Path(recipe.rows()[0]["file"]).read_text()
    with pytest.raises(InputError, match="unknown recipe 'nowhere'; available: adi, "):
        api.recipes.describe_recipe("nowhere")
