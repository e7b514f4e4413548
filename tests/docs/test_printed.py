"""Outputs on the pages are what their commands print; `python docs/pictures.py typed printed` writes them again."""

import io
from functools import partial
from importlib import import_module
from pathlib import Path
from shutil import copyfile

import pytest

from tests.conftest import ROOT, Cranfield, usually
from tests.docs import expand
from tests.needed_features import EVERY_FEATURE

PAGE = (ROOT / "docs" / "start" / "build.md").read_text(encoding="utf-8")
printing = import_module("docs.printed")
example_files = import_module("docs.example_files")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bundled collection, and a terminal of 100 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "collections").symlink_to(ROOT / "collections")
    return tmp_path


@EVERY_FEATURE
def test_the_demo(cranfield: Cranfield, checkout: Path, workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that it prints of the store it has built."""
    monkeypatch.setattr("cranfield.cli.commands.demo._build", partial(copyfile, workshop))
    output = "\n".join(line.rstrip() for line in cranfield("demo").out.strip().splitlines())
    assert output
    assert output in (ROOT / "docs" / "start" / "demo.md").read_text(encoding="utf-8")


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


MARKED = [
    str(path.relative_to(ROOT / "docs"))
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if printing.MARK.search(path.read_text("utf-8")) and path.name != "build.md"
]


@pytest.mark.full
@pytest.mark.parametrize("name", usually(MARKED[:1], MARKED))
def test_marked_commands(
    cranfield: Cranfield, checkout: Path, workshop: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the demo's store, in the order of the page; nobody types an answer."""

    def run(words: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO())
        return cranfield.out(*expand(words))

    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    printing.write_start(page, checkout, workshop, run, example_files.write_example_files)
    assert printing.fill_marks(page, run) == page


@pytest.mark.full
def test_conditions(cranfield: Cranfield, checkout: Path, workshop: Path) -> None:
    """The page on continuous integration shows a condition that fails, and one that is undecided."""
    page = (ROOT / "docs" / "measure" / "ci.md").read_text(encoding="utf-8")
    example_files.write_example_files(checkout, workshop, lambda words: cranfield.out(*expand(words)))
    failing, undecided, *_ = printing.COMMAND.findall(page)
    commands = [(failing, 3), (undecided, 4), (undecided.partition(" --pool-runs")[0], 4)]
    for (words, code), block in zip(commands, page.split("```text\n")[1:], strict=True):
        result = cranfield(*expand(words))
        assert result.code == code
        assert " ".join(block.split("```")[0].split()) in result.err.splitlines()
