"""`adjudicate --of`: labels of answers that differ, listed and settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cranfield.cli.tables import print_note, say
from cranfield.errors import InputError
from cranfield.features.answers.added_options import AdjudicateOptions
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.cli.common_options import Printer

PROMPTS = {
    "nuggets": "assignment", "support": "support", "claims": "attribution", "correctness": "correctness",
    "rubrics": "rubric", "comparisons": "answers",
}  # fmt: skip


def adjudicate(
    own: AdjudicateOptions,
    path: Path,
    assessor: str | None,
    between: Sequence[str] | None,
    *,
    plain: bool,
    keys: Path | None,
    list_only: bool,
    printer: Printer,
) -> None:
    """Settle differing labels of answers, or list them."""
    from cranfield.features.answers.by_model.labelling import answered_kind
    from cranfield.features.answers.commands.labelling import run
    from cranfield.features.answers.judging.adjudicating import AnswerAdjudication, disputed_items
    from cranfield.features.answers.store.answers import answers_that_count
    from cranfield.selection import LabelledBy
    from cranfield.store.store import Store

    if own.of not in PROMPTS:
        raise typer.BadParameter(f"{own.of!r}; expected documents, {join_words([*PROMPTS], 'or')}", param_hint="--of")
    labelled = {"nuggets": LabelledBy.all} if own.of == "nuggets" else {}  # whoever wrote a nugget
    kind = answered_kind(PROMPTS[own.of], **labelled)
    with Store.open(path, tell=print_note) as store:
        disputed = disputed_items(store, kind.log, kind.begin, between)
        if not disputed:
            others = "" if between else "; to include models, name them with --between"
            raise InputError(
                f"there are no disagreements about {own.of}: no item received two different labels{others}", path
            )
        if list_only:
            places = answers_that_count(store)
            rows = [
                {
                    "run": places[one.item[0]][0], "topic": places[one.item[0]][1],
                    "item": _item_text(one.item[1:]),
                    "labels": " ".join(sorted(one.labels.values())), "settled": one.settled,
                    "settled by": one.settled_by,
                }
                for one in disputed
            ]  # fmt: skip
            printer.emit(rows, title=f"{own.of}: {counted(len(rows), 'item')} with different labels")
            return
        if assessor is None:
            raise InputError("give the adjudicator with --assessor NAME, or list the disagreements with --list", path)
        session = AnswerAdjudication(store, assessor, kind.begin, kind.log, [one.item for one in disputed])
        say(f"{counted(len(disputed), 'disagreement')} about {own.of} to settle; the differing labels are not shown.")
        if session.left_out:
            say(
                f"{session.left_out} of them are left to other adjudicators, because {assessor} has already labelled"
                " them."
            )
        run(session, store, plain, keys)
        still = sum(one.settled is None for one in disputed_items(store, kind.log, kind.begin, between))
        say(f"{len(disputed) - still} of {len(disputed)} settled.")


def _item_text(parts: Iterable[object]) -> str:
    """The parts of an item without the marks of tuples.

    >>> _item_text((1,)), _item_text((1, ("d1", "d2")))
    ('1', '1 d1 d2')
    """
    return " ".join(_item_text(part) if isinstance(part, tuple) else str(part) for part in parts)
