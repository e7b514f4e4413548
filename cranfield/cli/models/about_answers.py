"""Asking models about answers: what the commands for nuggets and support share."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield.cli.models.options import price
from cranfield.cli.models.said import end, say_cost, show_prospect, title_of
from cranfield.cli.tables import say

if TYPE_CHECKING:
    from cranfield.judging.answers.by_model import Subject
    from cranfield.judging.models.asking.planned import PlannedAsking
    from cranfield.judging.models.asking.prompt import PromptTask
    from cranfield.judging.models.asking.task import Asker
    from cranfield.store.store import Store

    Plan = Callable[[Store, Asker, str, Collection[Subject]], PlannedAsking]

AskedModel = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="Ask this model instead, as its server names it.")
]
AskedUrl = Annotated[
    str | None, typer.Option("--url", metavar="URL", help="The base URL of the model's server, needed with --model.")
]
AskedPrompt = Annotated[
    str | None,
    typer.Option("--prompt", metavar="NAME", help="A prompt of `cranfield model prompts`, or your own FILE.toml."),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--assessor",
        metavar="NAME",
        help="Your name as an assessor; with --model that of its labels. [default: the model's]",
    ),
]


class Asked(NamedTuple):
    """How a model is asked."""

    model: str | None
    url: str | None
    prompt: str | None
    limit: int | None
    max_tokens: int | None
    parallel: int
    again: Any
    max_chars: int | None
    parameters: list[str] | None
    price: str | None
    dry_run: bool


def person(assessor: str | None) -> str:
    """The name of the person who labels; wrong usage without one."""
    if assessor is None:
        raise typer.BadParameter("needed, or --model with --url", param_hint="--assessor")
    return assessor


def ask_about_answers(
    path: Path, assessor: str | None, asked: Asked, about: PromptTask, prompt: str, plan: Plan, noun: str
) -> None:
    """Ask a model until nothing is left, and say what came of it."""
    from cranfield.cli.models.options import parameters
    from cranfield.judging.answers.by_model import in_rounds
    from cranfield.judging.models.asking.asking import AskLimits
    from cranfield.judging.models.asking.planned import asker_of
    from cranfield.progress_bar import progress_bar
    from cranfield.store.store import Store
    from cranfield.text import counted

    if asked.url is None or asked.model is None:
        raise typer.BadParameter("a model is asked with --model and --url", param_hint="--url")
    limits = AskLimits(asked.limit, asked.max_tokens, asked.parallel, price=price(asked.price))
    again, sent = asked.again.value if asked.again else "", parameters(asked.parameters)
    with Store.open(path) as store:
        asker = asker_of(store, about, asked.model, asked.url, asked.prompt or prompt, assessor, asked.max_chars, sent)
        first = plan(store, asker, again, ())
        if asked.dry_run:
            show_prospect(first, first.prospect(limits), "question")
            return
        with progress_bar("asking") as advance:
            tally = in_rounds(lambda again, done: plan(store, asker, again, done), again, limits, advance)
    say(title_of(first))
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in tally.outcomes.most_common())
    say(f"{counted(tally.answered, 'question')} about {noun}{f': {outcomes}' if outcomes else ''}")
    say_cost(tally)
    end(first, tally, "question")
