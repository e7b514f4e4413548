"""The tree of commands: each is a function of its name, groups only hold commands, and there are not too many."""

import re
import subprocess
import sys
from typing import Any

import pytest
import typer.main

from cranfield.cli.program import app
from cranfield.cli.tree import GROUPS, RENAMED, TOP, CommandName, ready
from tests.conftest import ROOT, Cranfield

AS_IT_IS = {  # commands that take no --release: they change the store, or show it and its log as they are now
    "demo", "init", "collection build", "import", "search", "pool build", "pool extend", "export bundle", "export page",
    "export datasette-metadata", "store", "publish describe", "assign", "judge", "serve", "assessor", "adjudicate",
    "model assess", "model prefer", "model audit draw", "model audit answers", "answers nuggets make",
    "answers nuggets edit", "answers nuggets import", "answers nuggets assign", "answers claims", "answers questions",
    "answers support", "online", "diff", "fuse",
}  # fmt: skip
MOST = 36  # names at the top: a help page that is read at once


def places() -> list[CommandName]:
    """Every command and group."""
    return [place for top in TOP.values() for place in top.places]


def walked(command: Any, words: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Every command and group of the program itself, with its words."""
    below = getattr(command, "commands", {})
    return [one for name, child in below.items() for one in [((*words, name), child), *walked(child, (*words, name))]]


def test_every_group_says_what_it_is_for() -> None:
    """And nothing else does."""
    assert {" ".join(place.words) for place in places() if place.below} == {*GROUPS}


@pytest.mark.parametrize(
    "place", [place for place in places() if place.module], ids=lambda place: " ".join(place.words)
)
def test_a_command_has_the_name_of_its_function(place: CommandName) -> None:
    """Where a module imports and exports, with the word before it; `pool export` is `export pool`."""
    names = {"_".join(place.words[-count:]).replace("-", "_") for count in (1, 2)}
    assert place.load().__name__.rstrip("_") in {*names, "pool"}


@pytest.mark.parametrize(
    "place", [place for place in places() if place.module], ids=lambda place: " ".join(place.words)
)
def test_what_only_reads_a_store_reads_its_releases(place: CommandName) -> None:
    """A command whose argument is a store or a source takes --release, or is in the list here."""
    parameters = ready(place).params
    reads = any(one.param_type_name == "argument" and re.search("STORE|SOURCE", str(one.metavar)) for one in parameters)
    listed = any(" ".join(place.words[:count]) in AS_IT_IS for count in (1, 2, 3))
    assert any(one.name == "release" for one in parameters) == (reads and not listed)


@pytest.mark.parametrize(
    "place", [place for place in places() if place.module], ids=lambda place: " ".join(place.words)
)
def test_limits_are_offered_where_files_are_read(place: CommandName) -> None:
    """All commands that take PATHs or a SOURCE limit the length of a line and the size of a file."""
    parameters = ready(place).params
    reads = any(re.match(r"PATH\.|SOURCE\.|QRELS", str(one.metavar)) for one in parameters)
    limited = [one.name for one in parameters if one.name in ("max_line", "max_document", "max_file")]
    assert len(limited) in ((2, 3) if reads else (0, 2, 3)), limited
    assert len(limited) == len({*limited})


def test_the_program_has_the_table() -> None:
    """What can be called is what the table has, in its order; a group does nothing by itself."""
    found = walked(typer.main.get_command(app))
    assert [words for words, _ in found] == [place.words for place in places()]
    for (_, command), place in zip(found, places(), strict=True):
        below = place.below
        assert (list(getattr(command, "commands", {})), command.callback is None) == (list(below), bool(below))


def test_the_top_level_can_be_read_at_once() -> None:
    """Names at the top are few, and none is there twice."""
    assert len(TOP) <= MOST
    assert len({place.words for place in places()}) == len(places())


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_former_names_answer_with_the_new_ones(cranfield: Cranfield, old: str, new: str) -> None:
    """The command runs, a line says what it is called, and no page shows the former name."""
    said, wanted = cranfield(old, "nofile.db", "x"), cranfield(new, "nofile.db", "x")
    assert (said.code, said.out, said.err) == (
        wanted.code, wanted.out, f'note: "{old}" is now called "{new}"\n{wanted.err}',
    )  # fmt: skip
    assert new in cranfield("--help").out
    assert f" {old} " not in cranfield("--help").out
    assert cranfield("pool", old).code == 2


def test_a_command_is_loaded_without_the_others() -> None:
    """But those of its module; `pool export` is `export pool`."""
    code = "import sys; from cranfield.cli.program import app; app(sys.argv[1:], standalone_mode=False)"
    told = "; print(*(name for name in sys.modules if name.startswith('cranfield.cli.commands.')))"
    done = subprocess.run(
        [sys.executable, "-c", code + told, "pool", "methods"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split("\n")[-2].split() == [f"cranfield.cli.commands.{name}" for name in ("exports", "pool")]
