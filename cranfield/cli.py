"""The command line: gathers the commands of all parts and turns errors into one line."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from cranfield import __version__, demo
from cranfield.commands import collection, exports, imports, search, stores
from cranfield.errors import CranfieldError
from cranfield.judging import cli as judging
from cranfield.judging.adjudicate_cli import adjudicate
from cranfield.judging.agreement_cli import agreement
from cranfield.judging.assign_cli import assign
from cranfield.judging.diff_cli import diff
from cranfield.judging.progress_cli import progress
from cranfield.judging.rehearse_cli import rehearse
from cranfield.judging.why_cli import why
from cranfield.metrics import cli as metrics
from cranfield.metrics.clinic_cli import clinic
from cranfield.metrics.compare_cli import compare
from cranfield.metrics.correlate_cli import correlate
from cranfield.metrics.dial_cli import dial_command
from cranfield.metrics.stability_cli import stability
from cranfield.metrics.trec_eval_cli import trec_eval
from cranfield.pooling import cli as pooling
from cranfield.pooling.estimate_cli import estimate
from cranfield.pooling.forecast_cli import forecast
from cranfield.pooling.fuse_cli import fuse
from cranfield.pooling.simulate_cli import simulate
from cranfield.report.cli import report

app = typer.Typer(
    help="Build a test collection, judge it, measure systems on it, and tell how far it can be trusted.",
    epilog="Start with: cranfield demo",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

PANELS: dict[str, dict[str, Callable[..., Any] | typer.Typer]] = {
    "Build": {
        "demo": demo.demo,
        "init": stores.init,
        "info": stores.info,
        "collection": collection.app,
        "import": imports.app,
        "search": search.search,
        "pool": pooling.app,
        "fuse": fuse,
        "export": exports.app,
    },
    "Judge": {
        "assign": assign,
        "judge": judging.judge,
        "progress": progress,
        "agreement": agreement,
        "adjudicate": adjudicate,
        "diff": diff,
        "why": why,
        "rehearse": rehearse,
    },
    "Measure": {
        "evaluate": metrics.evaluate,
        "compare": compare,
        "correlate": correlate,
        "curve": metrics.curve,
        "measures": metrics.measures,
        "trec-eval": trec_eval,
    },
    "Trust": {
        "reusability": metrics.reusability,
        "dial": dial_command,
        "stability": stability,
        "clinic": clinic,
        "report": report,
    },
}

for command in (simulate, forecast, estimate):
    pooling.app.command()(command)

for panel, commands in PANELS.items():
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, rich_help_panel=panel)
        else:
            app.command(name, rich_help_panel=panel)(command)


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
