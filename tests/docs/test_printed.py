"""What the tutorial shows of the commands is what they print; `python docs/pictures.py` mends it."""

import re
from functools import partial
from importlib import import_module
from pathlib import Path
from shutil import copyfile

import pytest

from tests.conftest import ROOT, Cranfield, repeats_others, usually

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
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("cranfield.cli.commands.demo._build", partial(copyfile, workshop))
    told = "\n".join(line.rstrip() for line in cranfield("demo").out.strip().splitlines())
    assert told
    assert told in PAGE


@pytest.mark.parametrize("words", usually(["measures --for web-search"], []))
def test_a_command_that_needs_nothing(
    cranfield: Cranfield, checkout: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """As the page shows it."""
    monkeypatch.setenv("COLUMNS", "100")
    marked = next(mark[0] for mark in printing.MARK.finditer(PAGE) if mark[3] == words)
    shown = printing.fill_outputs(f"    cranfield {words}\n{marked}", lambda typed: cranfield(*typed.split()).out)
    assert shown.partition("\n")[2] in PAGE


@repeats_others
def test_all_commands(cranfield: Cranfield, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(words: str) -> str:
        typed = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', words)]
        done = cranfield(*(found for word in typed for found in _names(word)))
        assert done.code == 0, done.err
        return done.out

    assert printing.fill_outputs(PAGE, run) == PAGE


def _names(word: str) -> list[str]:
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]
