"""Asking models about answers: what the commands for nuggets and support share."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
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
        help="Your name as an assessor; with --model, the name of its labels. [default: the model's]",
    ),
]


class ModelInstead(NamedTuple):
    """The model that is asked instead of a person, and with which prompt."""

    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Ask this model instead, as its server names it.")
    ] = None
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The base URL of the model's server; needed with --model, without --batch."),
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


@dataclass(frozen=True)
class AnswerQuestions:
    """What a model is to be asked about the answers of a store, and how it is said what came of it."""

    path: Path
    assessor: str | None
    instead: ModelInstead
    asking: Asking
    about: PromptTask
    prompt: str
    plan: Plan
    batch: Path | None
    reported: Reported

    def ask(self, noun: str) -> None:
        """Ask until nothing is left, and say what came of it; or write what would be asked as a batch file."""
        if asked := self.asked():
            if not emitted(*asked, self.reported):
                say_answered(*asked, noun)
            end(*asked, "question")

    def asked(self) -> tuple[PlannedAsking, Tally] | None:
        """What was asked first, and what came of it all; None where nothing was to be sent."""
        from cranfield.judging.answers.by_model.shared import in_rounds
        from cranfield.progress_bar import progress_bar
        from cranfield.store.store import Store

        check_url(self.instead.model, self.instead.url, self.batch)
        limits, anew = self.asking.limits, self.asking.anew
        with Store.open(self.path) as store:
            asker = self._asker(store)
            first = self.plan(store, asker, anew, ())
            if self.asking.dry_run:
                show_prospect(first, first.prospect(limits), "question", self.reported)
                return None
            if self.batch is not None:
                write_batch(first, self.batch, self.reported)
                return None
            with progress_bar("asking") as advance:
                tally = in_rounds(lambda again, done: self.plan(store, asker, again, done), anew, limits, advance)
        return first, tally

    def _asker(self, store: Store) -> Asker:
        from cranfield.judging.models.asking.planned import asker_of

        model, url, chosen = self.instead
        asking = self.asking
        return asker_of(
            store, self.about, model or "", url, chosen or self.prompt, self.assessor, asking.max_chars,
            asking.parameters, json_answer=asking.json_answer,
        )  # fmt: skip


def say_answered(planned: PlannedAsking, tally: Tally, noun: str) -> None:
    """Say what came of asking."""
    say(title_of(planned))
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in tally.outcomes.most_common())
    say(f"{counted(tally.answered, 'question')} about {noun}{f': {outcomes}' if outcomes else ''}")
    say_cost(tally)
