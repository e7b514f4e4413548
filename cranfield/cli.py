"""The command line: gathers the commands of all parts and turns errors into one line."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from cranfield import __version__
from cranfield.errors import CranfieldError

PANELS: Mapping[str, Mapping[str, str]] = {
    "Build": {
        "demo": "cranfield.demo:demo",
        "init": "cranfield.commands.stores:init",
        "info": "cranfield.commands.stores:info",
        "collection": "cranfield.commands.collection:app",
        "import": "cranfield.commands.imports:app",
        "search": "cranfield.commands.search:search",
        "pool": "cranfield.pooling.app:app",
        "fuse": "cranfield.pooling.fuse_cli:fuse",
        "export": "cranfield.commands.exports:app",
    },
    "Judge": {
        "assign": "cranfield.judging.assign_cli:assign",
        "judge": "cranfield.judging.cli:judge",
        "progress": "cranfield.judging.progress_cli:progress",
        "agreement": "cranfield.judging.agreement_cli:agreement",
        "adjudicate": "cranfield.judging.adjudicate_cli:adjudicate",
        "diff": "cranfield.judging.diff_cli:diff",
        "why": "cranfield.judging.why_cli:why",
        "rehearse": "cranfield.judging.rehearse_cli:rehearse",
    },
    "Measure": {
        "evaluate": "cranfield.metrics.cli:evaluate",
        "compare": "cranfield.metrics.compare_cli:compare",
        "correlate": "cranfield.metrics.correlate_cli:correlate",
        "curve": "cranfield.metrics.cli:curve",
        "measures": "cranfield.metrics.cli:measures",
        "trec-eval": "cranfield.metrics.trec_eval_cli:trec_eval",
    },
    "Trust": {
        "reusability": "cranfield.metrics.cli:reusability",
        "dial": "cranfield.metrics.dial_cli:dial_command",
        "stability": "cranfield.metrics.stability_cli:stability",
        "clinic": "cranfield.metrics.clinic_cli:clinic",
        "report": "cranfield.report.cli:report",
    },
}


class Commands(Mapping[str, Any]):
    """The commands by name; each is imported and made ready when it is asked for."""

    def __init__(self, panels: Mapping[str, Mapping[str, str]]) -> None:
        self.rows = {name: (place, panel) for panel, places in panels.items() for name, place in places.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Any:
        return made(name, *self.rows[name])


@cache
def made(name: str, place: str, panel: str) -> Any:
    """The command that a function, or the group that a typer.Typer, describes."""
    module, _, attribute = place.partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False)
        found.command(name)(function)
    command = typer.main.get_command(found)
    command.name, cast("Any", command).rich_help_panel = name, panel
    return command


class Lazily(TyperGroup):
    """A group of Commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": {}})
        self.commands = cast("Any", Commands(PANELS))

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(self.commands)


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
        typer.echo(f"cranfield {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Build a test collection, judge it, measure systems on it, and tell how far it can be trusted."""


def main() -> None:
    """Run the command line. Exit 0: done, 1: the data is at fault (one line says how), 2: wrong usage."""
    try:
        app()
    except CranfieldError as error:
        _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except sqlite3.Error as error:
        _fail(f"the store cannot be used: {error}")
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(message: str) -> None:
    typer.echo(f"error: {message}", err=True)
    sys.exit(1)
