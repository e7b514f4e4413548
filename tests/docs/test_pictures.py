"""The pictures of the docs say what the program says now; `python docs/pictures.py` draws them again."""

from importlib import import_module
from pathlib import Path
from shutil import copyfile
from types import ModuleType

import pytest

from tests.browser import InBrowser
from tests.conftest import ROOT, Cranfield, usually

pytestmark = pytest.mark.full

DOCS = ROOT / "docs"
IMAGES = DOCS / "images"
QUICK = ("curve", "compare")  # plots that take a second


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch, workshop: Path, tmp_path: Path) -> ModuleType:
    """The module that draws them, here in a folder that has the demo's store, of the day of the pictures."""
    monkeypatch.syspath_prepend(DOCS)
    import_module("organiser_pictures")
    pictures, screens = map(import_module, ("pictures", "screens"))
    monkeypatch.setattr(pictures, "IMAGES", tmp_path)
    monkeypatch.setattr(screens, "IMAGES", tmp_path)
    copyfile(workshop, tmp_path / "workshop.db")
    pictures.set_date(tmp_path / "workshop.db")
    return pictures


def stale(folder: Path) -> list[str]:
    """The pictures in a folder whose words are not those of the docs' picture of the same name."""
    words_of = import_module("screens").words_of
    pictures = sorted([*folder.glob("*.png"), *folder.glob("*.svg")])
    assert pictures
    return [one.name for one in pictures if words_of(one) != words_of(IMAGES / one.name)]


@pytest.mark.parametrize("part", usually(["judging"], ["judging", "documents", "organiser", "reports"]))
def test_the_pages(pictures: ModuleType, in_browser: InBrowser, tmp_path: Path, part: str) -> None:
    """Of judging, of documents of each kind, of the organiser, and reports."""
    in_browser(lambda browser: pictures.PARTS[part](tmp_path, browser, ""))
    assert stale(tmp_path) == [], f"mend with: python docs/pictures.py {part}"


@pytest.mark.daily
def test_the_screens(pictures: ModuleType, tmp_path: Path) -> None:
    """Of judging and adjudicating in the terminal."""
    pictures.PARTS["terminal"](tmp_path, None, "")
    assert stale(tmp_path) == [], "mend with: python docs/pictures.py terminal"


@pytest.mark.parametrize("name", usually(QUICK, ("curve", "compare", "evaluate", "depths", "stability", "simulate")))
def test_the_plots(pictures: ModuleType, cranfield: Cranfield, tmp_path: Path, name: str) -> None:
    """Those of the gallery."""
    picture = tmp_path / f"{name}.svg"
    command = pictures.PLOTS[name].replace("workshop.db", str(tmp_path / "workshop.db")).format(picture)
    assert cranfield(*command.split()).code == 0
    assert stale(tmp_path) == [], "mend with: python docs/pictures.py plots"
