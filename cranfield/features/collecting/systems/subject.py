"""A system outside, with which `search_corpus` searches."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import typer

from cranfield.cli.tables import print_note
from cranfield.commands.calls import open_store_call
from cranfield.commands.runs import searched_runs
from cranfield.commands.subject import Subject
from cranfield.errors import file_named_in_errors
from cranfield.features.collecting.systems.asking import search_outside, try_words
from cranfield.features.collecting.systems.definition import read_system
from cranfield.features.collecting.systems.permission import require_permission
from cranfield.hooks import OptionError
from cranfield.options.arguments import StoreLike
from cranfield.results import Result, ResultInLines


@dataclass(frozen=True)
class ExternalSystem(Subject):
    """Search with the system that a file such as shop.toml describes, for `search_corpus`.

    Parameters
    ----------
    preset : str, optional
        Return a template system file for this search engine, such as elasticsearch, without searching.
    try_words : str, optional
        Search for these words, without storing anything.
    partial : bool
        Store the run even if some topics failed.
    yes : bool
        Allow a new system file to run its actions and to send texts for embeddings.
    env : sequence of str
        The environment variables that the file may read.
    """

    preset: str | None = None
    try_words: str | None = None
    partial: bool = False
    yes: bool = False
    env: Sequence[str] = ()

    def search(
        self, store: StoreLike | None, systems: Sequence[str] | None, depth: int, *, extend: bool, tag: str | None
    ) -> Result:
        if (extend or tag is not None) and (self.preset is not None or self.try_words is not None):
            raise OptionError("extend" if extend else "tag", "works only with stored runs")
        if self.preset is not None:
            folder = resources.files("cranfield.features.collecting.systems").joinpath("presets")
            presets = {Path(file.name).stem: file for file in folder.iterdir()}
            if self.preset not in presets:
                raise OptionError("preset", f"{self.preset!r} is unknown; expected {', '.join(sorted(presets))}")
            return ResultInLines(lines=[presets[self.preset].read_text("utf-8").rstrip()])
        files = [Path(name) for name in systems or () if name.endswith(".toml")]
        if len(files) != 1 or len(files) != len(systems or ()):
            raise OptionError("system", "accepts exactly one system file, such as shop.toml")
        system = read_system(files[0], self.env)
        allowed = require_permission(system, self.yes, _ask if sys.stdin.isatty() and sys.stderr.isatty() else None)
        if self.try_words is not None:
            with file_named_in_errors(files[0]):
                return Result(try_words(system, self.try_words, allow=allowed))
        if store is None:
            raise OptionError("system", "needs a store; --try WORDS works without one")
        with open_store_call(store) as call:
            run = search_outside(
                call.store, system, depth, allow=allowed, partial=self.partial, consent=self.yes, extend=extend, tag=tag
            )
            call.note(*run.notes)
            return searched_runs(call, [run.tag], f"1 run: {run.tag}")


def _ask(lines: list[str]) -> bool:
    for line in lines:
        print_note(f"this file {line}")  # which shows escape sequences as marks
    return typer.confirm("Allow it?", err=True)
