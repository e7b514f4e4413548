"""Functions that maintain a store and invite assessors: what they return, what they refuse, and their notes."""

from pathlib import Path

import pytest

import cranfield
from cranfield.errors import ArgumentError, InputError, StoreError
from cranfield.formats import Topic
from cranfield.store.erasing import erase
from cranfield.store.log import add_assessor
from cranfield.store.store import Store

RUN = {"q": {"d1": 2.0, "d2": 1.0}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "track.db"
    with Store.create(place, "track") as store:
        store.add_topics([Topic("q", "flutter")])
        add_assessor(store, "ada")
    cranfield.store.import_runs(place, {"a": RUN, "b": RUN})
    return place


def test_all_names_are_removed_or_none(path: Path) -> None:
    with pytest.raises(StoreError, match="no run 'c' in this store"):
        cranfield.store.remove(path, "run", ["a", "c"])
    removed = cranfield.store.remove(path, "run", ("a", "b"), reason="wrong index")
    assert removed.rows() == [{"what": "run", "name": "a"}, {"what": "run", "name": "b"}]
    assert cranfield.store.list_history(path).rows()[-1]["reason"] == "wrong index"


@pytest.mark.parametrize("kind", ["pool", "import"])
def test_pools_and_imports_have_numbers(path: Path, kind: str) -> None:
    with pytest.raises(ArgumentError, match="found 'first'; expected the number of a pool or import"):
        cranfield.store.remove(path, kind, "first")  # type: ignore[arg-type]


def test_a_dry_run_erases_nothing(path: Path) -> None:
    planned = cranfield.store.erase(path, "assessor", "ada", reason="asked", dry_run=True)
    done = cranfield.store.erase(path, "assessor", "ada", reason="asked")
    assert planned.rows() == done.rows() == [{"table": "assessor", "rows": 1}]
    assert done.notes == ("backups, bundles, pages and folders made from this store are not changed",)
    with pytest.raises(InputError, match="no assessor 'ada' in this store"):
        cranfield.store.erase(path, "assessor", "ada", reason="asked")


def test_the_reason_of_an_erasure_has_no_name(path: Path) -> None:
    with pytest.raises(ArgumentError, match="contains the name, and the log would keep it"):
        cranfield.store.erase(path, "assessor", "ada", reason="ada asked")


def test_only_people_of_installed_features_are_erased(path: Path) -> None:
    with Store.open(path) as store, pytest.raises(InputError, match="'visitor' cannot be erased; expected assess"):
        erase(store, "visitor", "ann", "asked")


def test_copies_have_the_head_of_the_store(path: Path, tmp_path: Path) -> None:
    cranfield.store.import_qrels(path, {"q": {"d1": 1}}, assessor="bob", kind="human")
    head = cranfield.store.verify(path).rows()[0]["head"]
    backup = cranfield.store.backup(path, tmp_path / "copy.db")
    adopted = cranfield.store.adopt(path, tmp_path / "mine.db")
    upgraded = cranfield.store.upgrade_store(path)
    assert [(result.rows()[0]["events"], result.rows()[0]["head"]) for result in (backup, adopted, upgraded)] == [
        (1, head)
    ] * 3
    assert upgraded.rows()[0]["before"] == ""
    with pytest.raises(StoreError, match=r"mine\.db"):
        cranfield.store.adopt(path, tmp_path / "mine.db")


def test_a_choice_of_labels_is_shown_and_taken_back(path: Path) -> None:
    choose = cranfield.judging.choose_labels
    row = {"assessor": None, "policy": None, "chosen_by": "default", "different_labels": 0}
    assert choose(path).rows() == [row]
    chosen = {**row, "assessor": "ada", "chosen_by": "choice"}
    assert choose(path, assessor="ada").rows() == choose(path).rows() == [chosen]
    with pytest.raises(ArgumentError, match="cannot be combined with assessor or policy"):
        choose(path, policy="min", none=True)
    assert choose(path, none=True).lines == ("no choice is recorded", "no document has different labels")


@pytest.mark.needs_extra("serve")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"adjudicate": True, "role": "judge"}, "expected only one role per link"),
        ({"adjudicate": True, "search": True}, "works only for a judging link"),
        ({"role": "organise"}, "'organise'; expected judge, adjudicate"),
        ({"expires": "soon"}, "'soon' is not a time"),
    ],
)
def test_a_wrong_invitation_is_refused(path: Path, options: dict[str, str | bool], message: str) -> None:
    with pytest.raises(InputError, match=message):
        cranfield.judging.invite_assessor(path, "ada", **options)  # type: ignore[arg-type]
    assert cranfield.judging.list_invitations(path).rows() == []


@pytest.mark.needs_extra("serve")
def test_the_notes_of_an_invitation_tell_who_can_read_the_store(path: Path) -> None:
    path.chmod(0o644)
    [note] = cranfield.judging.invite_assessor(path, "ada").notes
    assert "other users of this machine can read" in note
    path.chmod(0o600)
    assert cranfield.judging.invite_assessor(path, "ada", role="adjudicate").notes == ()
    roles = [row["role"] for row in cranfield.judging.list_invitations(path).rows()]
    assert roles == ["judge", "adjudicate"]
    assert cranfield.judging.revoke_invitations(path, "ada").rows() == [{"assessor": "ada", "links": 2}]
