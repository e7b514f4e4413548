"""The JSON and CSV of a view are those of the command, to the byte."""

from pathlib import Path

import pytest

from cranfield.store.store import Store
from cranfield.web.look.answer import answer
from tests.conftest import Cranfield
from tests.web.look.hostile import evil


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
    cranfield: Cranfield, hostile: Path, kind: str, command: str, given: list[str], view: str, asked: dict[str, str]
) -> None:
    """Whatever the store contains."""
    said = cranfield(command, hostile, *given, "--format", kind)
    with Store.open(hostile) as store:
        assert answer(store, view, kind, asked.items()).text() == said.out
