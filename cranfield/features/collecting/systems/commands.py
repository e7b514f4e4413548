"""`search` with a system outside: --system FILE.toml, --preset, --try.

JSON of --try: [{"rank", "docno", "score"}].
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from cranfield.cli.tables import note
from cranfield.hooks import OptionError


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
    options: SystemOptions, path: Path | None, systems: Sequence[str] | None, depth: int, *, extend: bool = False,
    tag: str | None = None,
) -> None:  # fmt: skip
    """What `search` does with a system outside."""
    from cranfield.cli.tables import TableFormat, emit, say
    from cranfield.errors import blaming
    from cranfield.features.collecting.systems.asking import search_outside, try_words
    from cranfield.features.collecting.systems.definition import read_system
    from cranfield.features.collecting.systems.permission import require_permission
    from cranfield.store.store import Store

    if (extend or tag is not None) and (options.preset is not None or options.try_words is not None):
        raise OptionError("extend" if extend else "tag", "is of runs that are stored")
    if options.preset is not None:
        say(_preset(options.preset).rstrip())
        return
    files = [Path(name) for name in systems or () if name.endswith(".toml")]
    if len(files) != 1 or len(files) != len(systems or ()):
        raise OptionError("system", "takes one file of a system outside, such as shop.toml")
    system = read_system(files[0], options.env or ())
    allowed = require_permission(system, options.yes, _ask if sys.stdin.isatty() and sys.stderr.isatty() else None)
    if options.try_words is not None:
        with blaming(files[0]):
            found_now = try_words(system, options.try_words, allow=allowed)
        emit(found_now, TableFormat.table)
        return
    if path is None:
        raise OptionError("system", "needs a store; --try WORDS asks without one")
    with Store.open(path, tell=note) as store:
        run = search_outside(
            store, system, depth, allow=allowed, partial=options.partial, consent=options.yes,
            extend=extend, tag=tag,
        )  # fmt: skip
    say(f"1 run: {run.tag}")
    for text in run.notes:
        note(text)


def _ask(lines: list[str]) -> bool:

    for line in lines:
        note(f"this file {line}")  # which shows escape sequences as marks
    return typer.confirm("Allow it?", err=True)


def _preset(name: str) -> str:
    """The file of a search engine."""
    from importlib.resources import files

    every = {
        Path(file.name).stem: file
        for file in files("cranfield.features.collecting.systems").joinpath("presets").iterdir()
    }
    if name not in every:
        raise OptionError("preset", f"{name!r} is unknown; there are {', '.join(sorted(every))}")
    return every[name].read_text("utf-8")


def search_files(
    path: Path | None, systems: Sequence[str] | None, depth: int, *, extend: bool = False, tag: str | None = None
) -> None:
    """The same where none of its own options is given."""
    search_with(SystemOptions(), path, systems, depth, extend=extend, tag=tag)
