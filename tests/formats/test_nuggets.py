"""Nuggets from files, into a store and back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import cranfield as package
from cranfield.store.answers.labels import NUGGET_LABELS
from cranfield.store.answers.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.store.log import assessors
from cranfield.store.store import Store
from tests.analysis.answers.stores import SAID, answered_store, label_nuggets
from tests.conftest import Cranfield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two runs with labels of all nuggets."""
    with Store.create(tmp_path / "t.db", "answers") as made:
        label_nuggets(answered_store(made, {"1 0": ["a"], "1 1": ["a", "b"]}), "ada", SAID)
        yield made


def written(folder: Path, *records: object) -> Path:
    path = folder / "nuggets.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def test_what_is_exported_is_imported_again(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """With contributors and labels; importing the same again adds nothing."""
    done = cranfield("answers", "nuggets", "export", store.path, tmp_path / "out", "--labels")
    assert done.out == "7 nuggets with 14 labels\n"
    again = cranfield("answers", "nuggets", "import", store.path, tmp_path / "out", "--assessor", "ada")
    assert again.out == "0 new nuggets, 0 new labels\n"
    with Store.create(tmp_path / "other.db", "other") as other:
        other.close()
    cranfield("export", "answers", store.path, tmp_path / "answers")
    cranfield("import", "answers", tmp_path / "other.db", tmp_path / "answers")
    cranfield("answers", "nuggets", "import", tmp_path / "other.db", tmp_path / "out", "--assessor", "ada")
    with Store.open(tmp_path / "other.db") as other:
        assert [n[1:6] for n in current_nuggets(other)] == [n[1:6] for n in current_nuggets(store)]
        assert sorted(map(str, NUGGET_LABELS.labels(other).values())) == sorted(
            map(str, NUGGET_LABELS.labels(store).values())
        )


def test_whose_nuggets_and_labels_are_goes_with_them(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """A model's stay a model's, whoever imports them; one that a person took over stays people's."""
    edits = [NuggetEdit("vital", "1", "llm", "its own"), NuggetEdit("okay", "2", "llm", "taken over")]
    _, taken = edit_nuggets(store, edits)
    edit_nuggets(store, [NuggetEdit("okay", "2", "ada", nugget=taken)])
    label_nuggets(store, "llm", {("a", "2"): "sns"})
    done = cranfield("answers", "nuggets", "export", store.path, tmp_path / "out", "--labels", "--nuggets", "all")
    assert done.err == "note: 9 nuggets, of which 1 by models\n"
    lines = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert [(one["author"], one["kind"], one["by"]) for one in lines if one["author"] == "llm"] == [
        ("llm", "model", "models"), ("llm", "model", "people"),
    ]  # fmt: skip
    cranfield("export", "answers", store.path, tmp_path / "answers")
    with Store.create(tmp_path / "other.db", "other"):
        pass
    cranfield("import", "answers", tmp_path / "other.db", tmp_path / "answers")
    cranfield("answers", "nuggets", "import", tmp_path / "other.db", tmp_path / "out", "--assessor", "eve")
    with Store.open(tmp_path / "other.db") as other:
        for field in ("text", "author", "by_model"):
            assert [getattr(n, field) for n in current_nuggets(other)] == [
                getattr(n, field) for n in current_nuggets(store)
            ]
        assert assessors(other)["llm"] == "model"
    few = cranfield("answers", "nuggets", "export", store.path, tmp_path / "people")
    assert (few.out, few.err) == (
        "8 nuggets\n", "note: 8 nuggets by people; 1 by models is left out, and --nuggets all uses it as well\n"
    )  # fmt: skip


def test_assignments_of_nuggetizer_are_labels_of_a_model(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """A failed one is a failure, and no label; any other word is an error."""
    nuggets = [{"text": "1 0", "importance": "vital", "assignment": "partial_support"},
               {"text": "new", "importance": "okay", "assignment": "failed"}]  # fmt: skip
    path = written(tmp_path, {"qid": "1", "run_id": "a", "query": "x", "nuggets": nuggets})
    done = cranfield("answers", "nuggets", "import", store.path, path, "--assessor", "llm", "--kind", "model")
    assert done.out == "1 new nugget, 2 new labels\n", done
    assert sorted(NUGGET_LABELS.labels(store, "llm").values(), key=str) == [None, "partial_support"]
    with pytest.warns(UserWarning, match="7 nuggets by people; 1 by models is left out"):
        assert len(package.answers_nuggets_show(store, assessor="ada")) == 7
    with pytest.warns(UserWarning, match="8 nuggets, of which 1 by models"):
        rows = package.answers_nuggets_show(store, assessor="ada", nuggets="all")
    assert rows[rows["query_id"] == "1"]["support"].tolist() == [1, 0, 0, 1, 0, 0]
    assert rows["contributors"].tolist()[:3] == ["a", "a, b", ""]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"qid": "1", "text": "1 0", "importance": "okay"}, "nugget '1 0' is okay; in this store it is vital"),
        ({"qid": "9", "text": "x", "importance": "okay"}, "topic '9' is not in the store"),
        ({"qid": "1", "text": "x", "importance": "high"}, "importance is 'high'; expected vital or okay"),
        ({"qid": "1", "text": "x", "importance": "okay", "labels": [{"run": "a", "label": "yes"}]},
         "label is 'yes'; expected one of support, partial_support, not_support, failed"),
        ({"qid": "1", "text": "x", "importance": "okay", "labels": [{"run": "z", "label": "support"}]},
         "run 'z' has no answer to topic '1' in this store"),
        ({"qid": "1", "text": "x", "importance": "okay", "author": "m", "kind": "robot"},
         "kind is 'robot'; expected one of human, model, import"),
        ({"qid": "1", "nuggets": [{"text": "x", "importance": "okay", "assignment": "support"}]},
         "an assignment without a run_id"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_and_nothing_is_added(
    store: Store, tmp_path: Path, cranfield: Cranfield, record: object, message: str
) -> None:
    """The file, the line, what would be right."""
    sound = {"nuggets": [{"text": "sound", "importance": "okay"}]} if "nuggets" in str(record) else {}
    path = written(tmp_path, {"qid": "1", "text": "sound", "importance": "okay", **sound}, record)
    done = cranfield("answers", "nuggets", "import", store.path, path, "--assessor", "ada")
    assert done.code == 1
    assert f"nuggets.jsonl:2: {message}" in done.err
    assert len(current_nuggets(store)) == 7
