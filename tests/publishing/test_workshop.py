"""The bundled collection has a whole description, and its datasheet is made of it."""

from __future__ import annotations

from pathlib import Path

from cranfield.publishing.description.open_fields import open_fields
from cranfield.publishing.description.record import TARGETS
from cranfield.publishing.stored import description_of
from cranfield.store.store import Store
from tests.publishing.datasheet import PAGE, rendered


def test_its_datasheet_is_that_of_the_demo(workshop: Path) -> None:
    """A stale one fails; `python -m tests.publishing.datasheet` mends it. Nothing required is open."""
    assert rendered(workshop) == PAGE.read_text(encoding="utf-8")
    with Store.open(workshop) as store:
        assert open_fields(description_of(store), TARGETS) == []
