"""Help pages at every width: nothing is cut, nothing exceeds the line, and what an option is called stands whole."""

import re
from itertools import pairwise
from typing import Any

import pytest
import typer.main

from cranfield.cli.pages import WIDEST
from cranfield.cli.program import app
from cranfield.cli.tree import TOP, ready

PLACES = [place for top in TOP.values() for place in (top, *top.below.values())]


def page(command: Any, words: tuple[str, ...]) -> list[str]:
    """The lines of a help page."""
    context = command.context_class(
        command, info_name=" ".join(["cranfield", *words]), max_content_width=WIDEST, help_option_names=["-h", "--help"]
    )
    return str(command.get_help(context)).splitlines()


@pytest.mark.parametrize("columns", [80, 140])
def test_pages_show_the_names_of_options_whole(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Each on a line with all its spellings and values; no line exceeds the width or breaks a word at its hyphen."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for place in PLACES:
        command = ready(place)
        lines = page(command, place.words)
        context = command.context_class(command, info_name="cranfield")
        assert max(map(len, lines)) <= columns, place
        assert not any("…" in line for line in lines), place
        assert not any(re.search(r"\w-$", line) for line in lines), place
        for option in command.params:
            if option.param_type_name == "option":
                names, _ = option.get_help_record(context)
                assert any(line == f"  {names}" or line.startswith(f"  {names}  ") for line in lines), (place, names)


@pytest.mark.parametrize("columns", [80, 140])
def test_paragraphs_fill_the_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """The first word of a line does not fit on the line before, unless a paragraph begins with it."""
    monkeypatch.setenv("COLUMNS", str(columns))
    room = min(columns, WIDEST) - 2
    for place in PLACES:
        lines = page(ready(place), place.words)
        body = lines[: next((at for at, line in enumerate(lines) if line.endswith(":")), len(lines))]
        for line, following in pairwise(body):
            if line.startswith("  ") and following.strip():
                assert len(line) + 1 + len(following.split()[0]) > room, (place, line)


def test_the_page_of_the_program_has_the_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of each in one list, and at the end how to begin."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = page(typer.main.get_command(app), ())
    assert [line for line in lines if line.endswith(":") and line[0] != " "] == [
        "Build:",
        "Judge:",
        "Measure:",
        "Online:",
        "Trust:",
        "Options:",
    ]
    assert lines[-1] == "  Start with: cranfield demo"


def test_the_usage_line_names_the_arguments() -> None:
    """Those that may be left out in brackets."""
    places = {name: TOP[name] for name in ("demo", "diff")}
    found = {name: page(ready(place), place.words)[0] for name, place in places.items()}
    assert found == {
        "demo": "Usage: cranfield demo [OPTIONS] [STORE]",
        "diff": "Usage: cranfield diff [OPTIONS] STORE A B",
    }
