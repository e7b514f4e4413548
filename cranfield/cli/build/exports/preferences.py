"""export preferences."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFile
from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, summary
from cranfield.text import counted


class PreferenceForm(StrEnum):
    """What is written."""

    prefs = "prefs"
    copeland = "copeland"


def export_preferences(
    path: StorePath,
    out: OutputFile,
    assessor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The assessor; may be repeated. [default: all people's, else models']"),
    ] = None,
    form: Annotated[
        PreferenceForm, typer.Option("--format", help="Preferences as trec_eval reads them, or Copeland's levels.")
    ] = PreferenceForm.prefs,
) -> None:
    """Write preferences between documents: those with answers in both orders, where different answers are a tie.

    prefs is a file for `trec-eval -R prefs`, with a group per assessor. Preferences that contradict each other by way
    of others get groups of their own. copeland is a qrels file of levels: documents of a topic in the order of wins and
    half of the ties, from 0. Levels order the documents of one topic; they are not grades, and nothing mixes them with
    the store's.

    Example: cranfield export preferences track.db prefs.txt
    """
    from cranfield.formats import write_preferences, write_qrels
    from cranfield.judging.preferences.copeland import copeland, incomplete
    from cranfield.judging.preferences.export import as_lines, as_qrels, resolved
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = resolved(store, assessor or ())
    if form is PreferenceForm.prefs:
        lines, circular = as_lines(found.preferences)
        write_preferences(out, lines)
        remark = f"{counted(circular, 'preference')} in circles; each has a group of its own" if circular else ""
    else:
        levels = copeland(found.preferences)
        write_qrels(out, as_qrels(levels))
        some = incomplete(levels)
        remark = f"not every document was compared with every other: {counted(len(some), 'topic')}" if some else ""
    summary(out, str(found))
    for text in filter(None, (remark, _apart(found.once, found.cannot))):
        note(text)


def _apart(once: int, cannot: int) -> str:
    both = [f"{once} with an answer in one order only"] * bool(once) + [f"{cannot} that cannot be compared"] * bool(
        cannot
    )
    return f"left out: pairs, {', '.join(both)}" if both else ""
