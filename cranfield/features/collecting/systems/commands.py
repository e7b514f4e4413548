"""`search` with a system outside: --system FILE.toml, --preset, --try.

JSON of --try: [{"rank", "docno", "score"}].
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from cranfield.cli.tables import note
from cranfield.commands.runs import searched_runs
from cranfield.hooks import OptionError
from cranfield.options.given import StoreLike
from cranfield.results import Result, ResultInLines


class SystemOptions(NamedTuple):
    """A system outside."""

    preset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Print a file for a search engine, such as elasticsearch, to fill in."),
    ] = None
    try_words: Annotated[
        str | None,
        typer.Option("--try", metavar="WORDS", help="Ask the system of a file for these words, and store nothing."),
    ] = None
    partial: Annotated[
        bool, typer.Option("--partial", help="Store the run of a system outside although some topics failed.")
    ] = False
    yes: Annotated[
        bool, typer.Option("--yes", help="Allow what a new file of a system does; let texts leave for embeddings.")
    ] = False
    env: Annotated[
        list[str] | None,
        typer.Option("--env", metavar="NAME", help="Variable that a file of a system may read. Repeatable."),
    ] = None


def search_with(
    options: SystemOptions, store: StoreLike | None, systems: Sequence[str] | None, depth: int, *, extend: bool = False,
    tag: str | None = None,
) -> Result:  # fmt: skip
    """Search with a system outside, or print a file for one."""
    from cranfield.commands.opened import open_store_call
    from cranfield.errors import blaming
    from cranfield.features.collecting.systems.asking import search_outside, try_words
    from cranfield.features.collecting.systems.definition import read_system
    from cranfield.features.collecting.systems.permission import require_permission

    if (extend or tag is not None) and (options.preset is not None or options.try_words is not None):
        raise OptionError("extend" if extend else "tag", "is of runs that are stored")
    if options.preset is not None:
        from importlib import resources

        folder = resources.files("cranfield.features.collecting.systems").joinpath("presets")
        presets = {Path(file.name).stem: file for file in folder.iterdir()}
        if options.preset not in presets:
            raise OptionError("preset", f"{options.preset!r} is unknown; there are {', '.join(sorted(presets))}")
        return ResultInLines(lines=[presets[options.preset].read_text("utf-8").rstrip()])
    files = [Path(name) for name in systems or () if name.endswith(".toml")]
    if len(files) != 1 or len(files) != len(systems or ()):
        raise OptionError("system", "takes one file of a system outside, such as shop.toml")
    system = read_system(files[0], options.env or ())
    allowed = require_permission(system, options.yes, _ask if sys.stdin.isatty() and sys.stderr.isatty() else None)
    if options.try_words is not None:
        with blaming(files[0]):
            return Result(try_words(system, options.try_words, allow=allowed))
    if store is None:
        raise OptionError("system", "needs a store; --try WORDS asks without one")
    with open_store_call(store) as call:
        run = search_outside(
            call.store, system, depth, allow=allowed, partial=options.partial, consent=options.yes,
            extend=extend, tag=tag,
        )  # fmt: skip
        call.note(*run.notes)
        return searched_runs(call, [run.tag], f"1 run: {run.tag}")


def _ask(lines: list[str]) -> bool:

    for line in lines:
        note(f"this file {line}")  # which shows escape sequences as marks
    return typer.confirm("Allow it?", err=True)
