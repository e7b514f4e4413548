"""Asking models about answers: what the commands for nuggets and support share."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli.models.options import Asking
from cranfield.cli.models.said import end, say_cost, show_prospect, title_of
from cranfield.cli.tables import say

if TYPE_CHECKING:
    from cranfield.judging.answers.by_model import Subject
    from cranfield.judging.models.asking.planned import PlannedAsking
    from cranfield.judging.models.asking.prompt import PromptTask
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


def person(assessor: str | None) -> str:
    """The name of the person who labels; wrong usage without one."""
    if assessor is None:
        raise typer.BadParameter("needed, or --model with --url", param_hint="--assessor")
    return assessor


def ask_about_answers(
    path: Path,
    assessor: str | None,
    instead: ModelInstead,
    asking: Asking,
    about: PromptTask,
    prompt: str,
    plan: Plan,
    noun: str,
) -> None:
    """Ask a model until nothing is left, and say what came of it."""
    from cranfield.judging.answers.by_model import in_rounds
    from cranfield.judging.models.asking.planned import asker_of
    from cranfield.progress_bar import progress_bar
    from cranfield.store.store import Store
    from cranfield.text import counted

    model, url, chosen = instead
    if url is None or model is None:
        raise typer.BadParameter("a model is asked with --model and --url", param_hint="--url")
    limits, sent = asking.limits, asking.parameters
    with Store.open(path) as store:
        asker = asker_of(store, about, model, url, chosen or prompt, assessor, asking.max_chars, sent)
        first = plan(store, asker, asking.anew, ())
        if asking.dry_run:
            show_prospect(first, first.prospect(limits), "question")
            return
        with progress_bar("asking") as advance:
            tally = in_rounds(lambda again, done: plan(store, asker, again, done), asking.anew, limits, advance)
    say(title_of(first))
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in tally.outcomes.most_common())
    say(f"{counted(tally.answered, 'question')} about {noun}{f': {outcomes}' if outcomes else ''}")
    say_cost(tally)
    end(first, tally, "question")
