"""model assess import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.models.options import PriceGiven, price
from cranfield.cli.models.said import AGAIN, NO_ANSWER
from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, say


def import_(
    path: StorePath,
    answers: Annotated[Path, typer.Argument(metavar="FILE", help="The answers to a batch file: JSON lines.")],
    price_given: PriceGiven = None,
) -> None:
    """Read the answers to a batch file that `model assess export` wrote, by the rules of `model assess run`.

    It also reads the answers to files that the other commands that ask models write with --batch.

    Answers that were read before are left out; an answer to something that was never asked is refused.

    Example: cranfield model assess import track.db answers.jsonl
    """
    from cranfield.analysis.labels.batch_answers import take_batch
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path) as store:
        found = take_batch(store, answers, price(price_given))
    outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in found.outcomes.most_common())
    say(f"{counted(found.outcomes.total(), 'answer')}{f': {outcomes}' if outcomes else ''}")
    if failed := found.outcomes.total() - found.outcomes["ok"]:
        note(f"{counted(failed, 'question')} {NO_ANSWER}; {AGAIN}")
    if found.known:
        note(f"{counted(found.known, 'answer')} recorded before, left out")
