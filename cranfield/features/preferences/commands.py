"""Preferences: import, export, and ask a model for them."""

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.build import command, show_lines
from cranfield.cli.commands.exports import OutputFile
from cranfield.cli.common_options import Printer, ReadStore
from cranfield.cli.tables import note, say, summary
from cranfield.features.models.asked import Asked
from cranfield.features.models.commands.asking import end, is_unsent, say_cost
from cranfield.features.preferences import functions
from cranfield.text import counted

import_preferences = command(functions.import_preferences, show_lines, "store")


class PreferenceForm(StrEnum):
    """What is written."""

    prefs = "prefs"
    copeland = "copeland"


class PreferencePolicy(StrEnum):
    """What counts where assessors contradict each other."""

    all = "all"
    majority = "majority"


@in_python("judging.list_preferences")
def export_preferences(
    path: ReadStore,
    out: OutputFile,
    assessor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The assessor; may be repeated. [default: all people's, else models']"),
        completion.ASSESSORS,
    ] = None,
    policy: Annotated[
        PreferencePolicy | None,
        typer.Option(help="What counts where assessors contradict each other: every vote, or the majority of a pair."),
    ] = None,
    form: Annotated[
        PreferenceForm, typer.Option("--format", help="Preferences as trec_eval reads them, or Copeland's levels.")
    ] = PreferenceForm.prefs,
) -> None:
    """Write preferences between documents: those with answers in both orders, where different answers are a tie.

    Where assessors contradict each other on a pair, choose --assessor or --policy; otherwise nothing is written.

    prefs is a file for `trec-eval -R prefs`, with a group per assessor. Preferences that contradict each other
    through others get groups of their own. copeland is a qrels file of levels: documents of a topic in the order of
    wins and half of the ties, from 0. Levels order the documents of one topic; they are not grades, and nothing mixes
    them with the store's.

    Example: cranfield export preferences track.db prefs.txt

    Example: cranfield export preferences track.db prefs.txt --assessor ada
    """
    from cranfield.features.preferences.choice import choose_preferences
    from cranfield.features.preferences.files import as_lines, as_qrels
    from cranfield.features.preferences.pairs import copeland, incomplete
    from cranfield.formats import write_preferences, write_qrels
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        answers, whose, _ = choose_preferences(store, assessor or (), policy)
    if form is PreferenceForm.prefs:
        lines, circular = as_lines(answers.preferences)
        write_preferences(out, lines)
        remark = f"{counted(circular, 'preference')} in circles; each has a group of its own" if circular else ""
    else:
        levels = copeland(answers.preferences)
        write_qrels(out, as_qrels(levels))
        some = incomplete(levels)
        remark = f"not every document was compared with every other: {counted(len(some), 'topic')}" if some else ""
    summary(out, str(answers))
    for text in filter(None, (whose, remark, _omission_words(answers.once, answers.cannot))):
        note(text)


def _omission_words(once: int, cannot: int) -> str:
    both = [f"{once} with an answer in one order only"] * bool(once) + [f"{cannot} that cannot be compared"] * bool(
        cannot
    )
    return f"left out: pairs, {', '.join(both)}" if both else ""


def show_preferences(result: Asked, printer: Printer) -> None:
    """Print how the pairs were answered, or what would be asked."""
    if is_unsent(result, printer):
        return
    if printer.is_for_terminal:
        say(result.title)
        say(result.about)
        say_cost(result.tally)
    else:
        printer.emit(result.rows(), title=result.title, document=result.document)
    end(result)


prefer = command(functions.label_preferences, show_preferences, "models")
