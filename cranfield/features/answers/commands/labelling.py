"""What the commands that label answers share: a session at the keyboard, or a model instead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import completion
from cranfield.cli.build import refuse_taken_output
from cranfield.cli.commands.judge import full_screen, run_terminal
from cranfield.cli.common_options import KeyFile, OnlyTopics, PlainMode, Printer
from cranfield.cli.tables import note, print_notes, say, streams, width
from cranfield.features.answers.asking import ask_about
from cranfield.features.models.asked import Asked, outcome_of
from cranfield.features.models.commands.asking import check_url, say_cost, show_asked
from cranfield.features.models.options import Asking, Batch, PromptName
from cranfield.results import CallContext
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.answers.by_model.labelling import AnsweredKind
    from cranfield.features.answers.by_model.shared import QuestionKind
    from cranfield.features.answers.judging.editing import NuggetEditing
    from cranfield.features.answers.judging.labelling import AnswerLabelling
    from cranfield.features.models.asking.limits import AskLimits
    from cranfield.store.store import Store

Labeller = Annotated[
    str,
    typer.Option(metavar="NAME", help="Your name as an assessor; labels are stored under it."),
    completion.ASSESSORS,
]
AnswersStore = Annotated[Path, typer.Argument(metavar="STORE", help="A store with topics and answers.")]
Seed = Annotated[int | None, typer.Option(help="Random seed of the order of the answers. [default: as before, else 0]")]


def run(session: AnswerLabelling, store: Store, plain: bool, keys: Path | None) -> None:
    """Label until the assessor quits."""
    from cranfield.judging.frontends.keys import DEFAULT, read_keys
    from cranfield.store.log import guidelines

    bindings, text = read_keys(keys) if keys else DEFAULT, guidelines(store)
    if plain or not full_screen(session.grades):
        from cranfield.features.answers.plain import PlainLabelling

        PlainLabelling(session, *streams(), width=width(), keys=bindings, guidelines=text).run()
    else:
        from cranfield.features.answers.screen import LabellingTerminal

        run_terminal(LabellingTerminal(session, bindings, text))
        say(session.summary)


def edit_nuggets(session: NuggetEditing, plain: bool) -> None:
    """Edit until the assessor quits."""
    if plain or not full_screen(()):
        from cranfield.features.answers.plain import PlainEditing

        PlainEditing(session, *streams(), width()).run()
    else:
        from cranfield.features.answers.screen import EditTerminal

        run_terminal(EditTerminal(session))


Name = Annotated[
    str | None,
    typer.Option(
        "--assessor",
        metavar="NAME",
        help="Your name as an assessor; with --model, the name of its labels. [default: the model's]",
    ),
    completion.ASSESSORS,
]


class ModelInstead(NamedTuple):
    """The model that is asked instead of a person, with which prompt and how, and how it is said what came of it."""

    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Ask this model instead, as its server names it.")
    ] = None
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The base URL of the model's server; needed with --model, without --batch."),
    ] = None
    prompt: PromptName = ""
    asking: Asking = Asking()
    batch: Batch = None
    printer: Printer = Printer()

    @property
    def asks_model(self) -> bool:
        """Whether a model is to be asked."""
        return self.model is not None or self.url is not None

    def person(self, assessor: str | None) -> str:
        """The name of the person who labels instead; wrong usage without one, or with options of asking a model."""
        if self._replace(asking=Asking()) != ModelInstead() or self.asking.is_given:
            raise typer.BadParameter("needed with options that are about asking a model", param_hint="--model")
        if assessor is None:
            raise typer.BadParameter("needed, or --model with --url", param_hint="--assessor")
        return assessor

    def ask(self, path: Path, assessor: str | None, kind: QuestionKind, topics: Sequence[str] | None) -> None:
        """Ask until nothing is left, and say what came of it; or write what would be asked as a batch file."""
        show_asked(self.replies(path, assessor, kind, topics), self.printer)

    def replies(self, path: Path, assessor: str | None, kind: QuestionKind, topics: Sequence[str] | None) -> Asked:
        """What came of asking; or what would be asked, or the batch file of it."""
        from cranfield.store.store import Store

        check_url(self.model, self.url, self.batch)
        if not self.asking.dry_run:
            refuse_taken_output("--batch", self.batch, self.printer)
        with Store.open(path, tell=note) as store:
            return ask_about(
                store,
                kind,
                self.model or "",
                self.url,
                self.asking,
                prompt=self.prompt,
                assessor=assessor,
                topics=topics,
                batch=self.batch,
            )


class AnswerLabeller(NamedTuple):
    """Who labels which answers, in which order and how; or which model does."""

    assessor: Name = None
    plain: PlainMode = False
    topic: OnlyTopics = None
    seed: Seed = None
    keys: KeyFile = None
    instead: ModelInstead = ModelInstead()

    def label(self, path: Path, kind: AnsweredKind, left_out: Callable[[Store], str] = lambda store: "") -> None:
        """Ask a model; or label at the keyboard until the assessor quits, where `left_out` is what is noted before."""
        from cranfield.features.answers.judging.labelling import AnswerLabelling
        from cranfield.store.store import Store

        if self.instead.asks_model:
            self.instead.ask(path, self.assessor, kind.questions, self.topic)
            return
        name = self.instead.person(self.assessor)
        with Store.open(path, tell=note) as store:
            print_notes(filter(None, [left_out(store)]))
            session = AnswerLabelling(store, name, kind.begin, kind.log, seed=self.seed, topics=self.topic)
            run(session, store, self.plain, self.keys)


def check_embedder(path: Path, assessor: str, model: str, url: str) -> None:
    """An error where embeddings could not be asked for, before anything is paid for."""
    from cranfield.features.answers.by_model.making import embedder_of
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        embedder_of(store, model, url, assessor)


def embed(
    path: Path,
    assessor: str,
    model: str,
    *,
    url: str,
    again: str,
    topics: Collection[str] | None,
    limits: AskLimits,
) -> Asked | None:
    """Ask for the embeddings that an assessor's questions still need; None where there are none."""
    from cranfield.features.answers.by_model.making import embedder_of, plan_embeddings
    from cranfield.parallel import progress_bar
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        plan = plan_embeddings(store, embedder_of(store, model, url, assessor), topics, again)
        if not plan.subjects:
            return None
        with progress_bar("embedding") as advance:
            return outcome_of(plan, plan.run(limits, advance), CallContext(), noun="text")


def say_embedded(result: Asked) -> None:
    """Say what came of it."""
    assert result.tally is not None
    tally = result.tally
    texts = counted(tally.answered + tally.remaining + tally.doubtful, "text")
    say(f"{counted(tally.outcomes['ok'], 'embedding')} by {result.asker.model}, of {texts}")
    say_cost(tally)
