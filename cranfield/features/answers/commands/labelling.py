"""What the commands that label answers share: a session at the keyboard, or a model instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import completion
from cranfield.cli.build import BuiltCommand, command
from cranfield.cli.commands.judge import can_show_full_screen, require_terminal_extra, run_terminal
from cranfield.cli.common_options import GivenOptions, Printer
from cranfield.cli.tables import escaping_streams, max_line_width, print_notes, say
from cranfield.commands.calls import open_store_call
from cranfield.features.models.commands.asking import check_url, show_asked
from cranfield.features.models.options import Asking
from cranfield.options.arguments import StoreLike
from cranfield.results import Result, ResultInLines

if TYPE_CHECKING:
    from cranfield.features.answers.by_model.labelling import AnsweredKind
    from cranfield.features.answers.judging.editing import NuggetEditing
    from cranfield.features.answers.judging.labelling import AnswerLabelling
    from cranfield.store.store import Store

Labeller = Annotated[
    str,
    typer.Option(metavar="NAME", help="Your name as an assessor; labels are stored under it."),
    completion.ASSESSORS,
]
AnswersStore = Annotated[Path, typer.Argument(metavar="STORE", help="A store with topics and answers.")]


def run(session: AnswerLabelling, store: Store, plain: bool, keys: Path | None) -> None:
    """Label until the assessor quits."""
    from cranfield.judging.frontends.keys import DEFAULT, read_keys
    from cranfield.store.log import guidelines

    bindings, text = read_keys(keys) if keys else DEFAULT, guidelines(store)
    if plain or not can_show_full_screen(session.grades):
        from cranfield.features.answers.plain import PlainLabelling

        PlainLabelling(session, *escaping_streams(), width=max_line_width(), keys=bindings, guidelines=text).run()
    else:
        from cranfield.features.answers.screen import LabellingTerminal

        run_terminal(LabellingTerminal(session, bindings, text))
        say(session.summary)


def edit_nuggets(session: NuggetEditing, plain: bool) -> None:
    """Edit until the assessor quits."""
    require_terminal_extra(plain)
    if plain or not can_show_full_screen(()):
        from cranfield.features.answers.plain import PlainEditing

        PlainEditing(session, *escaping_streams(), max_line_width()).run()
    else:
        from cranfield.features.answers.screen import EditTerminal

        run_terminal(EditTerminal(session))


class LabellingOptions(NamedTuple):
    """The options of every command by which a person labels answers."""

    topics: Sequence[str]
    plain: bool
    seed: int | None
    keys: str | PathLike[str] | None


def label_by_hand(
    store: StoreLike,
    kind: AnsweredKind,
    assessor: str | None,
    options: LabellingOptions,
    describe_missing: Callable[[Store], str] = lambda store: "",
) -> ResultInLines:
    """Label until the assessor quits; `describe_missing` describes what the store leaves out."""
    from cranfield.features.answers.judging.labelling import AnswerLabelling

    require_terminal_extra(options.plain)
    topics, seed = options.topics or None, options.seed
    with open_store_call(store) as call:
        if left_out := describe_missing(call.store):
            print_notes([left_out])
        session = AnswerLabelling(call.store, assessor or "", kind.begin, kind.log, seed=seed, topics=topics)
        run(session, call.store, options.plain, Path(options.keys) if options.keys is not None else None)
    return ResultInLines([])


def show_labelled(result: ResultInLines, given: GivenOptions) -> None:
    """Print nothing: the assessor saw what was labelled."""


MODEL_OPTIONS = (*(field.name for field in fields(Asking) if field.name != "assessor"), *Printer._fields)


def check_person(assessor: str | None, given: GivenOptions) -> None:
    """Refuse options of asking a model, and labels without a name."""
    if any(name in given for name in MODEL_OPTIONS):
        raise typer.BadParameter("is required, because other options apply only to a model", param_hint="--model")
    if assessor is None:
        raise typer.BadParameter("needed, or --model with --url", param_hint="--assessor")


def label_command(function: Callable[..., Result], by_hand: Callable[..., Result]) -> BuiltCommand:
    """Return the command that asks a model, or lets a person label."""
    person = command(by_hand, show_labelled, check=check_person)
    return command(function, show_asked, "answers", check=check_url, needs=("model", "url"), otherwise=person)
