"""Running `trec-eval` in process, and writing the small files that it is run on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import typer
from typer.testing import CliRunner

from cranfield.cli.commands.measures import trec_eval
from tests.files import qrels_lines, run_lines

APP = typer.Typer()
APP.command()(trec_eval)


def run_trec_eval(*arguments: object, stdin: bytes = b"") -> str:
    """What the command prints; its error, if it has one, is raised."""
    result = CliRunner().invoke(APP, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes.decode()


class Files:
    """A qrels file and a run file in a folder."""

    def __init__(self, folder: Path) -> None:
        self.qrels, self.run = folder / "qrels", folder / "run"

    def write(self, qrels: str, run: str) -> Files:
        self.qrels.write_bytes(qrels.encode())
        self.run.write_bytes(run.encode())
        return self

    def grades(self, qrels: Mapping[str, Mapping[str, int]], ranked: Mapping[str, str]) -> Files:
        """Judgments by topic and document; documents by topic, best first, separated by spaces."""
        return self.write(qrels_lines(qrels), run_lines("tag", {qid: docnos.split() for qid, docnos in ranked.items()}))

    def text(self, *arguments: object) -> str:
        """What trec-eval prints for them."""
        return run_trec_eval(*arguments, self.qrels, self.run)

    def values(self, *arguments: object) -> dict[tuple[str, str], str]:
        """The printed value by measure and topic."""
        lines = (line.split("\t") for line in self.text(*arguments).splitlines())
        return {(name.rstrip(), qid): value for name, qid, value in lines}
