"""The JSON and CSV of a view are those of the command, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.store.store import Store
from cranfield.web.look.answer import answer
from tests.conftest import Cranfield
from tests.web.look.hostile import evil, hostile_store


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose every name is hostile."""
    path = tmp_path_factory.mktemp("look") / "s.db"
    hostile_store(path).close()
    return path


@pytest.mark.parametrize("kind", ["json", "csv"])
@pytest.mark.parametrize(
    ("command", "given", "view", "asked"),
    [
        ("info", [], "collection", {}),
        ("why", [evil("q0"), evil("d0")], "why", {"topic": evil("q0"), "docno": evil("d0")}),
    ],
    ids=["info", "why"],
)
def test_a_view_says_what_the_command_says(
    cranfield: Cranfield, path: Path, kind: str, command: str, given: list[str], view: str, asked: dict[str, str]
) -> None:
    """Whatever the store contains."""
    said = cranfield(command, path, *given, "--format", kind)
    with Store.open(path) as store:
        assert answer(store, view, kind, asked.items()).text() == said.out
