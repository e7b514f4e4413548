"""What the commands that ask models share: what they say."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import typer

from cranfield.cli.common_options import Printer
from cranfield.cli.tables import print_note, print_notes, print_summary, say
from cranfield.features.models.asked import Asked, title_of
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.asking.limits import AskingTally

SLOW_PROMPT_SECONDS = 0.05  # after which replies are on disk, where that is not slow


def show_asked(result: Asked, printer: Printer) -> None:
    """Print what came of asking, or what would be asked."""
    if is_unsent(result, printer):
        return
    if printer.is_for_terminal:
        say_answered(result)
    else:
        printer.emit(result.rows(), title=result.title, document=result.document)
    end(result)


def show_assessed(result: Asked, printer: Printer) -> None:
    """Print how many documents had which outcome, or what would be asked."""
    if is_unsent(result, printer):
        return
    printer.emit(result.rows(), title=result.title, document=result.document)
    if printer.is_for_terminal:
        say_cost(result.tally)
    end(result)


def show_written(result: Asked) -> None:
    """Say how many requests a batch file has."""
    assert result.batch is not None
    print_summary(result.batch, f"{counted(result.requests, 'request')} written to {result.batch}")
    print_notes(result.remarks)


def is_unsent(result: Asked, printer: Printer) -> bool:
    """Whether nothing was sent; then print what would be asked, or how many requests were written to a file."""
    if result.tally is not None:
        return False
    if not printer.is_for_terminal:
        printer.emit(result.rows(), title=result.title, document=result.document)
    elif result.batch is not None:
        show_written(result)
        return True
    elif result.prospect is None:
        say("Nothing is left to ask.")
    else:
        prospect = result.prospect
        for message in prospect.messages:
            say(f"[{message['role']}]\n{message['content']}\n")
        say(title_of(result.asker))
        out = "an unknown number of tokens out" if prospect.tokens_out is None else f"about {prospect.tokens_out:,} out"
        cost = "" if prospect.cost is None else f", cost about {prospect.cost:.4f}"
        cost += " without answers" * (prospect.cost is not None and prospect.tokens_out is None)
        say(f"{counted(prospect.calls, 'call')}, about {counted(prospect.tokens_in, 'token')} in, {out}{cost}")
    print_notes(result.remarks)
    return True


def say_answered(result: Asked) -> None:
    """Say what came of asking."""
    tally = result.tally
    assert tally is not None
    say(result.title)
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in tally.outcomes.most_common())
    say(f"{counted(tally.answered, 'question')} about {result.about}{f': {outcomes}' if outcomes else ''}")
    say_cost(tally)


def say_cost(tally: AskingTally | None) -> None:
    """Say what asking took."""
    if tally is None:
        return
    calls = counted(tally.calls, "call")
    extra = [f"{number} {what}" for number, what in
             ((tally.retried, "repeated after a failure"), (tally.reminded, "with a reminder")) if number]  # fmt: skip
    more = f" ({', '.join(extra)})" if extra else ""
    cost = "" if tally.cost is None else f", cost {tally.cost:.4f}"
    tokens = f"{counted(tally.tokens_in, 'token')} in, {tally.tokens_out:,} out"
    say(f"{calls}{more}, {tokens}{cost}, {tally.seconds:.1f} seconds")
    if tally.unsaved > SLOW_PROMPT_SECONDS:
        slow = f"; the slowest write to the disk took {tally.disk * 1000:.0f}" if tally.disk else ""
        print_note(f"the slowest reply reached the disk {tally.unsaved * 1000:.0f} ms after its arrival{slow}")


def end(result: Asked) -> None:
    """Note what was not asked, or not as it is; after Ctrl-C or failures alone the command ends so."""
    print_notes(result.remarks)
    if result.tally is not None and result.tally.stopped == "Ctrl-C":
        raise typer.Exit(130)
    result.refuse_failures_alone()


def check_url(model: str | None, url: str | None, batch: str | PathLike[str] | None) -> None:
    """Wrong usage where it is not known who is asked, or where."""
    if model is None or (url is None) == (batch is None):
        raise typer.BadParameter("expected --model with --url (a server) or with --batch (files)", param_hint="--url")
