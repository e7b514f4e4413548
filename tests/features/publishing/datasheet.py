"""The datasheet of the bundled collection: `python -m tests.features.publishing.datasheet` writes it again."""

from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield.cli.commands.demo import _build
from cranfield.features.publishing.datasheet import datasheet
from cranfield.features.publishing.describe import description_of
from cranfield.features.publishing.gathering import collection_facts
from cranfield.features.publishing.publication import Publication
from cranfield.store.store import Store
from tests.conftest import ROOT

PAGE = ROOT / "collections" / "workshop" / "DATASHEET.md"


def render(path: Path) -> str:
    """The datasheet of the demo's store."""
    with Store.open(path) as store:
        return datasheet(Publication(description_of(store), collection_facts(store)))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        _build(Path(folder, "workshop.db"))
        PAGE.write_text(render(Path(folder, "workshop.db")), encoding="utf-8")
