"""A session that labels answers, on the full screen or in lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.full_screen import full_screen, run_terminal
from cranfield.cli.streams import streams, width
from cranfield.cli.tables import say

if TYPE_CHECKING:
    from cranfield.judging.answers.editing import NuggetEditing
    from cranfield.judging.answers.labelling import AnswerLabelling
    from cranfield.store.store import Store

Labeller = Annotated[str, typer.Option(metavar="NAME", help="Your name as an assessor; labels are stored under it.")]
Answered = Annotated[Path, typer.Argument(metavar="STORE", help="A store with topics and answers.")]
Seed = Annotated[int | None, typer.Option(help="Random seed of the order of the answers. [default: as before, else 0]")]


def run(session: AnswerLabelling, store: Store, plain: bool, keys: Path | None) -> None:
    """Label until the assessor quits."""
    from cranfield.judging.frontends.keys import DEFAULT, read_keys
    from cranfield.store.log import guidelines

    chosen, text = read_keys(keys) if keys else DEFAULT, guidelines(store)
    if plain or not full_screen(session.grades):
        from cranfield.judging.frontends.plain_labelling import PlainLabelling

        PlainLabelling(session, *streams(), width(), chosen, text).run()
    else:
        from cranfield.judging.frontends.terminal.labelling import LabellingTerminal

        run_terminal(LabellingTerminal(session, chosen, text))
        say(session.summary)


def edit_nuggets(session: NuggetEditing, plain: bool) -> None:
    """Edit until the assessor quits."""
    if plain or not full_screen(()):
        from cranfield.judging.frontends.plain_editing import PlainEditing

        PlainEditing(session, *streams(), width()).run()
    else:
        from cranfield.judging.frontends.terminal.editing import EditTerminal

        run_terminal(EditTerminal(session))
