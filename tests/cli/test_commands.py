"""The tree of commands: each is in the module of its name, groups only hold commands, and there are not too many."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
import typer.main

import cranfield.cli
from cranfield.cli.commands import COMMANDS, RENAMED, TOP, CommandName
from cranfield.cli.program import app
from tests.conftest import ROOT, Cranfield

MOST = 36  # names at the top: a help page that is read at once


def places() -> list[CommandName]:
    """Every command and group."""
    return [place for top in TOP.values() for place in top.places]


def walked(command: Any, words: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Every command and group of the program itself, with its words."""
    below = getattr(command, "commands", {})
    return [one for name, child in below.items() for one in [((*words, name), child), *walked(child, (*words, name))]]


def test_every_module_in_a_panel_is_a_command() -> None:
    """A new module there without a row in the table is a command that nobody can call."""
    panels = {f"cranfield.cli.{panel.lower()}" for panel in COMMANDS}
    modules = {one.name for one in walk_packages(cranfield.cli.__path__, "cranfield.cli.")}
    assert {name for name in modules if any(name.startswith(f"{panel}.") for panel in panels)} == {
        place.module for place in places()
    } - panels  # a panel that is one group


@pytest.mark.parametrize("place", places(), ids=lambda place: " ".join(place.words))
def test_a_command_is_a_function_and_a_group_is_a_package(place: CommandName) -> None:
    """A name is one or the other: of a group there is a help text, and nothing that it could do."""
    found, module = place.load(), import_module(place.module)
    assert hasattr(module, "__path__") == bool(place.below)
    if place.below:
        assert found is module
        own = {name.rstrip("_") for name in vars(module) if not name.startswith("__")} - {
            name.replace("-", "_") for name in place.below
        }
        assert (own, bool(module.__doc__)) == (set(), True)
    else:
        assert found.__name__.rstrip("_") in (
            place.module.rpartition(".")[2].rstrip("_"),
            "pool",
        )  # `pool export` is `export pool`


def test_the_program_has_the_table() -> None:
    """What can be called is what the table has, in its order; a group does nothing by itself."""
    found = walked(typer.main.get_command(app))
    assert [words for words, _ in found] == [place.words for place in places()]
    for (_, command), place in zip(found, places(), strict=True):
        below = place.below
        assert (list(getattr(command, "commands", {})), command.callback is None) == (list(below), bool(below))


def test_the_top_level_can_be_read_at_once() -> None:
    """Names at the top are few, and none is there twice."""
    names = [name for panel in COMMANDS.values() for name in panel]
    assert len(names) == len(set(names)) <= MOST


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


def test_a_command_of_a_group_is_loaded_alone() -> None:
    """Not with all the others of its group."""
    code = "import sys; from cranfield.cli.program import app; app(sys.argv[1:], standalone_mode=False)"
    told = "; print(*(name for name in sys.modules if name.startswith('cranfield.cli.build.')))"
    done = subprocess.run(
        [sys.executable, "-c", code + told, "pool", "methods"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split("\n")[-2].split() == ["cranfield.cli.build.pool", "cranfield.cli.build.pool.methods"]
