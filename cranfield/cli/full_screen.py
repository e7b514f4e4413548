"""The full screen of a terminal, or lines: what the commands share that judge and adjudicate."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cranfield.judging.frontends.terminal.editing import EditTerminal
    from cranfield.judging.frontends.terminal.terminal import Terminal

PlainMode = Annotated[bool, typer.Option("--plain", help="Use line mode, for screen readers, pipes and scripts.")]
KeyFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help='Key bindings: a TOML file with lines such as undo = "z".')
]


def full_screen(grades: Iterable[int]) -> bool:
    """Whether there is a terminal, and one digit for every grade."""
    known = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    terminal = known and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    return terminal and all(-9 <= grade <= 9 for grade in grades)


def run_terminal(terminal: Terminal | EditTerminal) -> None:
    """Run the full screen to its end; what ended it otherwise is raised."""
    terminal.run(mouse=False)
    if terminal.failure:
        raise terminal.failure
    if terminal.status:
        raise typer.Exit(terminal.status)
