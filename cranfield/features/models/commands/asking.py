"""What the commands that ask models share: options, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.common_options import Printer
from cranfield.cli.tables import note, say, summary
from cranfield.features.models.options import AskOptions
from cranfield.options import Option
from cranfield.options.groups import ASKING
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.models.asking.limits import AskingTally
    from cranfield.features.models.asking.planned import PlannedAsking, Prospect

Model = Annotated[str, typer.Option(metavar="NAME", help="The model, as its server names it.")]
Url = Annotated[str, typer.Option(metavar="URL", help="The server's base URL, such as http://127.0.0.1:8000/v1.")]


class Asking(AskOptions):
    """How a model is asked, or what it would be asked: the options of every command that asks one."""

    dry_run: Annotated[
        bool,
        Option(
            "Show one prompt in full, the calls, tokens and cost; send nothing.",
            "--dry-run",
            rich_help_panel=ASKING,
            before="again",
        ),
    ] = False


AGAIN = "--again failed asks again"
LOST = {"document": "got no label and cannot be judged"}  # what is said of failures
PROMPT = 0.05  # seconds after which replies are on disk, where that is not slow
NO_ANSWER = "got no usable answer"


def title_of(plan: PlannedAsking) -> str:
    """Whose labels they are."""
    asker = plan.asker
    return f"Labels of {asker.assessor}: {asker.model}, prompt {asker.prompt.name} ({asker.prompt.sha256[:8]})"


def say_cost(tally: AskingTally) -> None:
    """Say what asking took."""
    calls = counted(tally.calls, "call")
    extra = [f"{number} {what}" for number, what in
             ((tally.retried, "repeated after a failure"), (tally.reminded, "with a reminder")) if number]  # fmt: skip
    more = f" ({', '.join(extra)})" if extra else ""
    cost = "" if tally.cost is None else f", cost {tally.cost:.4f}"
    tokens = f"{counted(tally.tokens_in, 'token')} in, {tally.tokens_out:,} out"
    say(f"{calls}{more}, {tokens}{cost}, {tally.seconds:.1f} seconds")
    if tally.unsaved > PROMPT:
        slow = f"; the slowest write to the disk took {tally.disk * 1000:.0f}" if tally.disk else ""
        note(f"the slowest reply reached the disk {tally.unsaved * 1000:.0f} ms after it came{slow}")


def emit_outcome(plan: PlannedAsking, tally: AskingTally, printer: Printer, **more: object) -> bool:
    """Write what came of asking as data, if so wanted; whether it was. `more` is at the end of the JSON."""
    from cranfield.features.models.asking.planned import asked_document

    if printer.for_people:
        return False
    rows = [{"outcome": outcome, "questions": number} for outcome, number in tally.outcomes.most_common()]
    document = asked_document(plan, tally) | more
    printer.emit(rows, title=title_of(plan), document=document)
    return True


def end(plan: PlannedAsking, tally: AskingTally, noun: str, without_text: int = 0) -> None:
    """Note what was not asked, or not as it is; after Ctrl-C the command ends so."""

    def of(number: int) -> str:
        return counted(number, noun)

    remarks: list[tuple[int, Callable[[int], str]]] = [
        (tally.answered - tally.outcomes["ok"], lambda n: f"{of(n)} {LOST.get(noun, NO_ANSWER)}; {AGAIN}"),
        (tally.outcomes["error"], lambda n: f"the last error: {tally.last_error}"),
        (tally.reused, lambda n: f"{of(n)} got an answer that was recorded before"),
        (tally.cut, lambda n: f"{of(n)} cut to {plan.asker.max_chars:,} characters"),
        (tally.addressing, lambda n: f"{of(n)} with words that address a judge: see addresses_judge in model_call"),
        (tally.estimated, lambda n: f"tokens of {counted(n, 'call')} are estimated: the server does not count them"),
        (tally.doubtful, lambda n: f"{of(n)} sent before, perhaps paid for, without an answer on record; {AGAIN}"),
        (
            tally.remaining,
            lambda n: f"stopped by {tally.stopped}: {of(n)} remaining; run the same command again to continue",
        ),
    ]
    note_left_out(without_text)
    if not (tally.answered or tally.remaining or tally.doubtful):
        note(f"nothing was left to ask; {AGAIN} about what failed")
    for number, line in remarks:
        if number:
            note(line(number))
    if tally.stopped == "Ctrl-C":
        raise typer.Exit(130)
    tally.refuse_errors_alone(plan.asker.url)


def note_left_out(without_text: int) -> None:
    """Note documents that have nothing to label."""
    if without_text:
        note(f"{counted(without_text, 'document')} without a text, or of a topic without one, left out")


def show_prospect(plan: PlannedAsking, prospect: Prospect | None, noun: str, printer: Printer, **more: object) -> None:
    """Show one prompt in full and what asking would take, as data if so wanted. `more` is in the JSON."""
    from cranfield.features.models.asking.planned import NOTHING, prospect_document

    if not printer.for_people:
        names = ("calls", "tokens_in", "tokens_out", "cost")
        rows = [{name: getattr(prospect or NOTHING, name) for name in names}]
        document = prospect_document(plan, prospect, **more)
        printer.emit(rows, title=title_of(plan), document=document)
    elif prospect is None:
        say("Nothing is left to ask.")
    else:
        say_prospect(plan, prospect)
    if prospect is not None:
        _note_first(prospect, noun)


def say_prospect(plan: PlannedAsking, prospect: Prospect) -> None:
    """Say what would be asked first, and what all of it would take."""
    for message in prospect.messages:
        say(f"[{message['role']}]\n{message['content']}\n")
    say(title_of(plan))
    out = "an unknown number out" if prospect.tokens_out is None else f"about {prospect.tokens_out:,} out"
    cost = "" if prospect.cost is None else f", cost about {prospect.cost:.4f}"
    cost += " without answers" * (prospect.cost is not None and prospect.tokens_out is None)
    say(f"{counted(prospect.calls, 'call')}, about {counted(prospect.tokens_in, 'token')} in, {out}{cost}")


def _note_first(prospect: Prospect, noun: str) -> None:
    for number, what in (
        (prospect.known, "answered before: they cost nothing"),
        (prospect.cut, "cut"),
        (prospect.addressing, "with words that address a judge"),
    ):
        if number:
            note(f"{number} of the first {counted(prospect.sample, noun)} {what}")
    if prospect.more:
        note("the answers lead to further questions, which are not counted")


def write_batch(plan: PlannedAsking, out: Path, printer: Printer, limit: int | None) -> None:
    """Write what would be asked as a batch file, and say how many requests it has."""
    from cranfield.features.models.asking.planned import asker_document

    if str(out) == "-" and not printer.for_people and printer.output is None:
        raise typer.BadParameter("is taken by --batch -; write the summary to a file", param_hint="--output")
    doubtful = plan.doubtful
    number = plan.write(out, limit)
    if not printer.for_people:
        row = {"file": str(out), "requests": number, "doubtful": doubtful}
        document = asker_document(plan.asker) | row
        printer.emit([row], title=title_of(plan), document=document)
    else:
        summary(out, f"{counted(number, 'request')} written to {out}")
    note_unwritten(len(plan.subjects) - number, doubtful, "question", limit)


def note_unwritten(unwritten: int, doubtful: int, noun: str, limit: int | None) -> None:
    """Note what a batch file does not have."""
    if doubtful:
        note(f"{counted(doubtful, noun)} sent before, without an answer on record, left out")
    if unwritten > doubtful:
        note(f"--limit {limit} reached: {counted(unwritten - doubtful, noun)} remaining, for another file")


def only_shown(plan: PlannedAsking, asking: Asking, batch: str | PathLike[str] | None, printer: Printer) -> bool:
    """Show what would be asked, or write it as a batch file, where that is wanted; whether it was."""
    if asking.dry_run:
        show_prospect(plan, plan.prospect(asking.limits), "question", printer)
    elif batch is not None:
        write_batch(plan, Path(batch), printer, asking.limit)
    return asking.dry_run or batch is not None


def check_url(model: str | None, url: str | None, batch: str | PathLike[str] | None) -> None:
    """Wrong usage where it is not known who is asked, or where."""
    if model is None or (url is None) == (batch is None):
        raise typer.BadParameter(
            "a model is asked with --model and --url, or by files with --batch", param_hint="--url"
        )
