"""Published folders that tests share; who changes one changes a copy."""

import shutil
from pathlib import Path

import pytest

from cranfield.features.publishing.building import build
from cranfield.features.publishing.describe import description_of
from cranfield.features.publishing.folder import CONTENTS
from cranfield.features.publishing.publication import PublishOptions
from cranfield.store.store import Store
from tests.features.publishing.stores import judged_store
from tests.needed_extras import skip_without

TARGETS = ("bagit", "hf", "ir-datasets", "croissant", "zenodo", "beir")


@pytest.fixture
def contents_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the programs of the targets, which find nothing that is not found before, and take long."""
    monkeypatch.setattr("cranfield.features.publishing.folder.CHECKS", CONTENTS)


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a small collection."""
    return judged_store(tmp_path_factory.mktemp("small") / "small.db")


def build_draft(store: Path, folder: Path, *targets: str, **changes: object) -> Path:
    for extra in ("arrow", "files", "report"):
        skip_without(extra)
    with Store.open(store) as there:
        options = PublishOptions(targets, draft=True, **changes)  # type: ignore[arg-type]
        build(there, folder, description_of(there, {"name": "small", "date": "2026-03-31"}), options)
    return folder


@pytest.fixture(scope="package")
def published_folder(small: Path) -> Path:
    """The folder of the small collection, for every target but a bag."""
    return build_draft(small, small.parent / "published", *TARGETS[1:])


@pytest.fixture
def folder(published_folder: Path, tmp_path: Path) -> Path:
    """A copy of that folder, which a test may change."""
    return shutil.copytree(published_folder, tmp_path / "copy")


@pytest.fixture(scope="package")
def workshop_folder(workshop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the bundled collection, for every target, so a bag."""
    return build_draft(workshop, tmp_path_factory.mktemp("workshop") / "published", *TARGETS)
