"""The command line: gathers the commands of all parts and turns errors into one line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from inspect import getdoc
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from cranfield import __version__
from cranfield.cli.limits import add_limits
from cranfield.cli.tables import SAFE_CELLS, TableFormat, note, one_line, say
from cranfield.errors import CranfieldError
from cranfield.store.waiting import TELL

UsageError: Any = typer.BadParameter.__base__
SELDOM = 100_000  # new containers between two looks for garbage, of which arrays leave hardly any
PANELS: Mapping[str, Mapping[str, str]] = {
    "Build": {
        "demo": "cranfield.cli.build.demo:demo",
        "init": "cranfield.cli.build.stores:init",
        "info": "cranfield.cli.build.stores:info",
        "collection": "cranfield.cli.build.collection:app",
        "import": "cranfield.cli.build.imports:app",
        "search": "cranfield.cli.build.search:search",
        "pool": "cranfield.cli.build.pool_app:app",
        "fuse": "cranfield.cli.build.fuse:fuse",
        "export": "cranfield.cli.build.exports:app",
        "store": "cranfield.cli.build.store:app",
    },
    "Judge": {
        "assign": "cranfield.cli.judge.assign:assign",
        "judge": "cranfield.cli.judge.judge:judge",
        "progress": "cranfield.cli.judge.progress:progress",
        "agreement": "cranfield.cli.judge.agreement:agreement",
        "adjudicate": "cranfield.cli.judge.adjudicate:adjudicate",
        "diff": "cranfield.cli.judge.diff:diff",
        "why": "cranfield.cli.judge.why:why",
        "rehearse": "cranfield.cli.judge.rehearse:rehearse",
    },
    "Measure": {
        "evaluate": "cranfield.cli.measure.evaluate:evaluate",
        "compare": "cranfield.cli.measure.compare:compare",
        "correlate": "cranfield.cli.measure.correlate:correlate",
        "curve": "cranfield.cli.measure.evaluate:curve",
        "measures": "cranfield.cli.measure.evaluate:measures",
        "trec-eval": "cranfield.cli.measure.trec_eval:trec_eval",
    },
    "Trust": {
        "reusability": "cranfield.cli.measure.evaluate:reusability",
        "dial": "cranfield.cli.trust.dial:dial_command",
        "stability": "cranfield.cli.trust.stability:stability",
        "clinic": "cranfield.cli.trust.clinic:clinic",
        "report": "cranfield.cli.trust.report:report",
    },
}


class Commands(Mapping[str, Any]):
    """The commands by name; each is imported and made when it is asked for."""

    def __init__(self, make: Callable[[str, str, str], Any]) -> None:
        self.rows = {name: (place, panel) for panel, places in PANELS.items() for name, place in places.items()}
        self.make = make

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Any:
        return self.make(name, *self.rows[name])


def described(place: str) -> Any:
    """What describes a command: a function or, of a group, a typer.Typer."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


@cache
def ready(name: str, place: str, panel: str) -> Any:
    """A command or group, ready to run."""
    found = described(place)
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False)
        found.command(name)(function)
    command = typer.main.get_command(found)
    _add_safe_csv(command)
    add_limits(command)
    _tell_literally(command)
    command.name, cast("Any", command).rich_help_panel = name, panel
    return command


def _add_safe_csv(command: Any) -> None:
    """Give --safe-csv to each command that writes tables."""
    for each in getattr(command, "commands", {}).values():
        _add_safe_csv(each)
    if any([*getattr(parameter.type, "choices", ())] == [*TableFormat] for parameter in command.params):
        told = "Quote text that a spreadsheet would take for a formula, in CSV and TSV."
        command.params.append(
            TyperOption(param_decls=["--safe-csv"], is_flag=True, expose_value=False, callback=_guard_cells, help=told)
        )


def _tell_literally(command: Any) -> None:
    """Let the help page show what is written of a command, of those below it and of their options."""
    command.help = literal(command.help)
    for parameter in command.params:
        parameter.help = literal(getattr(parameter, "help", None))
    for each in getattr(command, "commands", {}).values():
        _tell_literally(each)


def literal(told: str | None) -> str:
    r"""A text whose brackets are no markup, and whose paragraphs are as wide as the page, not as the source.

    >>> literal("How many\nlines. [default: all]"), literal("One paragraph.\n\nAnother.")
    ('How many lines. \\[default: all]', 'One paragraph.\n\nAnother.')
    """
    return "\n\n".join(" ".join(lines.split("\n")) for lines in (told or "").replace("[", "\\[").split("\n\n"))


def _guard_cells(context: Any, option: Any, wanted: bool) -> None:
    SAFE_CELLS.set(wanted)


def summary(name: str, place: str, panel: str) -> TyperCommand:
    """A command for the help page, which says what each is for and nothing of its options."""
    found = described(place)
    told = found.info.help if isinstance(found, typer.Typer) else getdoc(found)
    return TyperCommand(name, help=literal(told), rich_help_panel=panel)


class Lazily(TyperGroup):
    """A group of Commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": {}})
        self.commands = cast("Any", Commands(ready))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The page with a line for each command."""
        self.commands = cast("Any", Commands(summary))
        super().format_help(ctx, formatter)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(self.commands)

    def make_context(self, *words: Any, **settings: Any) -> Any:
        """What is to be done, told from the words of the command line."""
        with _readable_errors():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Do it."""
        with _readable_errors():
            return super().invoke(ctx)


@contextmanager
def _readable_errors() -> Iterator[None]:
    """What was typed wrong is told with its controls visible."""
    try:
        yield
    except UsageError as error:
        error.message = one_line(error.message)
        raise


app = typer.Typer(
    cls=Lazily,
    help="Build a test collection, judge it, measure systems on it, and tell how far it can be trusted.",
    epilog="Start with: cranfield demo",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"cranfield {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Build a test collection, judge it, measure systems on it, and tell how far it can be trusted."""


def _open_streams() -> None:
    """Have all standard streams, whatever was closed, in the order of their numbers; print what has no letter, too."""
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        cast("Any", stream).reconfigure(errors="backslashreplace")


def main() -> None:
    """Run the command line. Exit 0: done, 1: the data is at fault (one line says how), 2: wrong usage."""
    gc.set_threshold(SELDOM)
    TELL.set(note)
    _open_streams()
    try:
        app()
    except CranfieldError as error:
        _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except UnicodeEncodeError as error:
        _fail(f"{error.object[max(error.start - 20, 0) : error.start + 20]!r} is not UTF-8, so it cannot be written")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        from cranfield.store.connection import DatabaseError

        if not isinstance(error, DatabaseError):
            raise
        _fail(f"the store cannot be used: {error}")


def _fail(message: str) -> None:
    typer.echo(f"error: {one_line(message)}", err=True)
    sys.exit(1)
