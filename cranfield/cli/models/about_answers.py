"""Asking models about answers: what the commands for nuggets and support share."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli.models.options import Asking, Reported
from cranfield.cli.models.said import emitted, end, say_cost, show_prospect, title_of, write_batch
from cranfield.cli.tables import say
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.judging.answers.by_model.shared import Subject
    from cranfield.judging.models.asking.planned import PlannedAsking
    from cranfield.judging.models.asking.prompt import PromptTask
    from cranfield.judging.models.asking.tally import Tally
    from cranfield.judging.models.asking.task import Asker
    from cranfield.store.store import Store

    Plan = Callable[[Store, Asker, str, Collection[Subject]], PlannedAsking]

Name = Annotated[
    str | None,
    typer.Option(
        "--assessor",
        metavar="NAME",
        help="Your name as an assessor; with --model that of its labels. [default: the model's]",
    ),
]


class ModelInstead(NamedTuple):
    """The model that is asked instead of a person, and with which prompt."""

    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Ask this model instead, as its server names it.")
    ] = None
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="The base URL of the model's server, needed with --model.")
    ] = None
    prompt: Annotated[
        str | None, typer.Option(metavar="NAME", help="A prompt of `cranfield model prompts`, or your own FILE.toml.")
    ] = None

    @property
    def given(self) -> bool:
        """Whether a model is to be asked."""
        return self.model is not None or self.url is not None


def person(assessor: str | None, instead: ModelInstead, asking: Asking, batch: Path | None, reported: Reported) -> str:
    """The name of the person who labels; wrong usage without one, or with options of asking a model."""
    if instead.prompt is not None or asking != Asking() or batch is not None or reported != Reported():
        raise typer.BadParameter("needed with options that are about asking a model", param_hint="--model")
    if assessor is None:
        raise typer.BadParameter("needed, or --model with --url", param_hint="--assessor")
    return assessor


def check_url(model: str | None, url: str | None, batch: Path | None) -> None:
    """Wrong usage where it is not known who is asked, or where."""
    if model is None or (url is None) == (batch is None):
        raise typer.BadParameter(
            "a model is asked with --model and --url, or by files with --batch", param_hint="--url"
        )


def ask_about_answers(
    path: Path,
    assessor: str | None,
    instead: ModelInstead,
    asking: Asking,
    about: PromptTask,
    prompt: str,
    plan: Plan,
    noun: str,
    batch: Path | None,
    reported: Reported,
) -> None:
    """Ask a model until nothing is left, and say what came of it; or write what would be asked as a batch file."""
    if asked := asked_about_answers(path, assessor, instead, asking, about, prompt, plan, batch):
        if not emitted(*asked, reported):
            say_answered(*asked, noun)
        end(*asked, "question")


def asked_about_answers(
    path: Path,
    assessor: str | None,
    instead: ModelInstead,
    asking: Asking,
    about: PromptTask,
    prompt: str,
    plan: Plan,
    batch: Path | None,
) -> tuple[PlannedAsking, Tally] | None:
    """What was asked first, and what came of it all; None where nothing was to be sent."""
    from cranfield.judging.answers.by_model.shared import in_rounds
    from cranfield.judging.models.asking.planned import asker_of
    from cranfield.progress_bar import progress_bar
    from cranfield.store.store import Store

    model, url, chosen = instead
    check_url(model, url, batch)
    limits, sent = asking.limits, asking.parameters
    with Store.open(path) as store:
        asker = asker_of(
            store, about, model or "", url, chosen or prompt, assessor, asking.max_chars, sent,
            json_answer=asking.json_answer,
        )  # fmt: skip
        first = plan(store, asker, asking.anew, ())
        if asking.dry_run:
            show_prospect(first, first.prospect(limits), "question")
            return None
        if batch is not None:
            write_batch(first, batch)
            return None
        with progress_bar("asking") as advance:
            tally = in_rounds(lambda again, done: plan(store, asker, again, done), asking.anew, limits, advance)
    return first, tally


def say_answered(planned: PlannedAsking, tally: Tally, noun: str) -> None:
    """Say what came of asking."""
    say(title_of(planned))
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in tally.outcomes.most_common())
    say(f"{counted(tally.answered, 'question')} about {noun}{f': {outcomes}' if outcomes else ''}")
    say_cost(tally)
