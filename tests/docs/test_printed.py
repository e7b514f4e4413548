"""What the tutorial shows of the commands is what they print; `python docs/pictures.py` mends it."""

from functools import partial
from importlib import import_module
from pathlib import Path
from shutil import copyfile

import pytest

from tests.conftest import ROOT, Cranfield, usually
from tests.docs import expand

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
printing = import_module("docs.printed")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bundled collection, and a terminal of 100 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "collections").symlink_to(ROOT / "collections")
    return tmp_path


def test_the_demo(cranfield: Cranfield, checkout: Path, workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that it prints of the store it has built."""
    monkeypatch.setattr("cranfield.cli.commands.demo._build", partial(copyfile, workshop))
    output = "\n".join(line.rstrip() for line in cranfield("demo").out.strip().splitlines())
    assert output
    assert output in PAGE


@pytest.mark.parametrize("words", usually(["measures --for web-search"], []))
def test_a_command_that_needs_nothing(cranfield: Cranfield, checkout: Path, words: str) -> None:
    """As the page shows it."""
    place = next(mark[0] for mark in printing.MARK.finditer(PAGE) if mark[3] == words)
    text = printing.fill_outputs(f"    cranfield {words}\n{place}", cranfield.out)
    assert text.partition("\n")[2] in PAGE


@pytest.mark.daily
def test_all_commands(cranfield: Cranfield, checkout: Path) -> None:
    """In the order of the page."""
    assert printing.fill_outputs(PAGE, lambda words: cranfield.out(*expand(words))) == PAGE
