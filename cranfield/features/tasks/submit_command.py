"""`submit`: check a run as the server does, and send it."""

import json
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from cranfield.cli import in_python
from cranfield.cli.reading_options import TEXTS_AND_QRELS
from cranfield.cli.tables import note, notes, say
from cranfield.errors import CranfieldError, InputError
from cranfield.options import Written
from cranfield.text import counted


@in_python("tasks.submit")
def submit(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run, plain or compressed."), TEXTS_AND_QRELS],
    *,
    meta: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A TOML file with tag, priority, kind, description and what the task asks."),
    ] = None,
    to: Annotated[str, typer.Option(metavar="URL", help="Where the task is served.")] = "",
    check: Annotated[
        Path | None, typer.Option(metavar="TOPICS", help="Check the run against these topics, before or without --to.")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --check: the docnos of the collection, one a line.")
    ] = None,
    judged: Annotated[
        Path | None, typer.Option(metavar="QRELS", help="With --check: judgments of earlier rounds.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="With --check: documents of a topic, at most.")] = 1000,
    save: Annotated[
        Path | None, typer.Option("--receipt", metavar="FILE", help="Where to write the receipt."), Written()
    ] = None,
) -> None:
    """Submit a run to a shared task, or check it as the server would: the first 25 errors, each with its line.

    The team's token, the last part of its link, is read from CRANFIELD_TEAM_TOKEN. Exit 1 where the run is not taken.

    Example: cranfield submit run.gz --meta run.toml --to https://track.example.org

    Example: cranfield submit run.gz --check topics.txt
    """
    if check is None and not to:
        raise typer.BadParameter("give --to URL, --check TOPICS, or both", param_hint="--to")
    if check is None and (documents or judged):
        raise typer.BadParameter("needs --check TOPICS", param_hint="--documents" if documents else "--judged")
    if check is not None:
        _check(run, check, documents, judged, most)
    if to:
        _send(run, meta, to, save)


def _check(run: Path, topics: Path, documents: Path | None, judged: Path | None, most: int) -> None:
    from cranfield.features.tasks.functions import submit_check

    check = submit_check(run, topics, documents=documents, judged=judged, most=most)
    _say_found(run, check.errors, check.warnings, check.more)
    if documents is None:
        note("documents were not checked; --documents FILE has those of the collection")
    say(f"{run}: run {check.tag}, {counted(check.topics, 'topic')}, {counted(check.documents, 'document')}")


def _say_found(run: Path, errors: Any, warnings: Any, more: int) -> None:
    for text in warnings:
        note(f"{run}: {text}")
    for error in errors:
        note(f"{run}:{error.line}: {_without_line(error)}" if error.line else f"{run}: {error}")
    if errors:
        rest = f", {more} of them not shown" if more else ""
        number = sum(error.lines for error in errors) + more
        raise CranfieldError(f"{run}: {counted(number, 'error')}{rest}; correct the file")


def _without_line(error: Any) -> str:
    others = f" (and {counted(error.lines - 1, 'other line')})" if error.lines > 1 else ""
    return f"{error._replace(line=None)}{others}"


def _send(run: Path, meta: Path | None, url: str, save: Path | None) -> None:
    from cranfield.features.tasks.client import TOKEN, parts_of, send
    from cranfield.formats.whole_files import create_file

    if not (token := os.environ.get(TOKEN, "").strip()):
        raise InputError(f"no token; set {TOKEN} to the last part of your team's link")
    parts = parts_of(run, meta)
    with create_file(save) if save else nullcontext() as file:  # before the run is sent, so that no receipt is lost
        answer = send(parts, url, token)
        if answer.status != 201:
            _say_refused(run, answer)
        receipt = answer.content["receipt"]
        if file is not None:
            file.write((json.dumps(receipt, indent=1) + "\n").encode())
    notes(answer.content["warnings"])
    say(f"{run}: run {receipt['tag']} taken at {receipt['received']}, receipt {receipt['hash']}")


def _say_refused(run: Path, answer: Any) -> NoReturn:
    from cranfield.features.tasks.checking import SubmissionError

    errors = [SubmissionError(**error) for error in answer.content.get("errors", ())]
    if answer.status == 422:
        _say_found(run, errors, answer.content.get("warnings", ()), answer.content.get("more", 0))
    wait = f"; try again in {answer.wait} seconds" if answer.wait else ""
    reason = errors[0].found if errors else f"the server answered {answer.status}"
    raise CranfieldError(f"{run}: not taken: {reason}{wait}")
