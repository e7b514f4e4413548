"""`answers nuggets`: the facts that an answer should have, and which answers have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command, show_table
from cranfield.cli.commands.exports import OutputFile
from cranfield.cli.commands.imports import check_kind
from cranfield.cli.common_options import (
    InputFormat,
    InputPaths,
    OnlyTopics,
    PlainMode,
    ReadStore,
    StorePath,
)
from cranfield.cli.tables import note, print_notes, say, summary
from cranfield.commands.opened import open_store_call
from cranfield.errors import ArgumentError
from cranfield.features.answers.commands.labelling import (
    AnswersStore,
    Labeller,
    edit_nuggets,
    label_by_hand,
    label_command,
)
from cranfield.features.answers.functions import list_nuggets, make_nuggets
from cranfield.features.answers.labels_by_model import assign_nuggets
from cranfield.features.answers.nugget_labellers import nuggets_by
from cranfield.features.answers.options import (
    AnsweredTopics,
    KeyFile,
    LabellerName,
    LineMode,
    Nuggets,
    NuggetSource,
    SeedAsBefore,
    SeedOfAnswers,
    StoreOfAnswers,
    WhoseNuggets,
)
from cranfield.results import ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store


def make_nuggets_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    topics: AnsweredTopics = (),
    source: NuggetSource = "answers",
    plain: LineMode = False,
    seed: SeedOfAnswers = 0,
) -> ResultInLines:
    """Write down nuggets while reading the answers to each topic, at the keyboard.

    You see a topic, its nuggets so far, and one answer at a time, in random order and without its run. What you add is
    on record as coming from the run of that answer. You can reword, merge and drop nuggets, and make them vital or
    okay; ? lists the commands. Every edit is on disk before the next one; stop at any time, and resume with the same
    command. Several people can edit a topic: a nugget that somebody has changed meanwhile is left as it is, and you are
    told.

    With --model a language model writes them down, answer by answer, over any server with OpenAI's interface, by the
    rules of `model assess run`. Where people have written nuggets, those of models do not count before somebody has
    edited them, unless --nuggets of `evaluate` says so. With --from documents it reads the judged relevant documents of
    each topic instead, --window at a time, the highest grades first, says several nuggets as one where they are, and
    weighs all of them at the end: such nuggets favour no run, but know only what was judged. Since each question has
    the nuggets so far, a batch file has one question of each topic: import its answers and write the next file, until
    no request is left.

    Example: cranfield answers nuggets make track.db --assessor ada

    Example: cranfield answers nuggets make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --dry-run
    """
    from cranfield.features.answers.judging.editing import NuggetEditing

    if source == "documents":
        raise ArgumentError("is for a model; people write nuggets of documents with `edit`", "source")
    with open_store_call(store) as call:
        edit_nuggets(NuggetEditing(call.store, assessor or "", topics=topics or None, seed=seed), plain)
    return ResultInLines([])


make = label_command(make_nuggets, make_nuggets_by_hand)


@not_in_python("people write at the terminal")
def edit(store: AnswersStore, assessor: Labeller, plain: PlainMode = False, topic: OnlyTopics = None) -> None:
    """Add, reword, merge and drop nuggets, and make them vital or okay, at the keyboard.

    It is `make` without the answers: nuggets come from what you know of the topic. A reworded nugget needs new labels;
    one that becomes vital or okay keeps those it has. All nuggets are listed with their authors; one of a model counts
    as people's once somebody has reworded it or made it vital or okay, also if it was so before.

    Example: cranfield answers nuggets edit track.db --assessor ada --topic q1

    Example: cranfield answers nuggets edit track.db --assessor bob
    """
    from cranfield.features.answers.judging.editing import NuggetEditing
    from cranfield.store.store import Store

    with Store.open(store, tell=note) as there:
        edit_nuggets(NuggetEditing(there, assessor, topics=topic, reads=False), plain)


@not_in_python("cranfield.features.answers.store.imports.import_nuggets does it")
def import_(
    path: StorePath,
    files: InputPaths,
    assessor: Annotated[
        str,
        typer.Option(metavar="NAME", help="Whose nuggets and labels these are where the file does not say."),
        completion.ASSESSORS,
    ],
    format: InputFormat = "auto",
    kind: Annotated[
        str,
        typer.Option(help="Kind of assessors where the file does not say: human, model, or import if unknown."),
        completion.KINDS,
    ] = "human",
) -> None:
    """Import nuggets, and labels of answers if the files have any: JSON lines, or what nuggetizer writes.

    A nugget that its topic already has is not added again; one that has another importance here is an error, as is a
    label of an answer that the store does not have. An assignment that failed becomes "cannot judge", never a label.
    Everything is imported, or nothing. Nuggets that a model wrote, as nuggetizer's, come with --kind model.

    Example: cranfield answers nuggets import track.db nuggets.jsonl --assessor ada

    Example: cranfield answers nuggets import track.db labels.jsonl --assessor qwen3 --kind model
    """
    from cranfield.arrays.selection import first_names
    from cranfield.features.answers.store.answers import answer_runs
    from cranfield.features.answers.store.imports import import_nuggets
    from cranfield.formats import read_nuggets
    from cranfield.store.history import importing
    from cranfield.store.store import Store

    check_kind(kind)
    nuggets = [nugget for file in files for nugget in read_nuggets(file, format)]
    with Store.open(path, tell=note) as store, importing(store, "nuggets", files):
        new = import_nuggets(store, nuggets, assessor, kind)
        runs = answer_runs(store)
    say(f"{counted(new.nuggets, 'new nugget')}, {counted(new.labels, 'new label')}")
    if unread := dict.fromkeys(name for nugget in nuggets for name in nugget.unread):
        note(f"fields left out: {', '.join(unread)}; whose answer led to a nugget is a list, contributors")
    if strange := sorted({tag for nugget in nuggets for tag in nugget.contributors} - runs.keys()):
        note(
            f"contributors without answers in this store: {first_names(strange)}; `reusability --answers` needs theirs"
        )


@not_in_python("cranfield.features.answers.store.imports.nuggets_for_export returns them")
def export(
    path: ReadStore,
    file: OutputFile,
    labels: Annotated[bool, typer.Option("--labels", help="Also write everybody's current labels of answers.")] = False,
    nuggets: Nuggets = None,
) -> None:
    """Write the current nuggets as JSON lines, which `cranfield answers nuggets import` reads.

    Each has its author and the author's kind. A model's nuggets are left out where there are people's, unless --nuggets
    says otherwise.

    Example: cranfield answers nuggets export track.db nuggets.jsonl --labels

    Example: cranfield answers nuggets export track.db nuggets.jsonl
    """
    from cranfield.errors import InputError
    from cranfield.features.answers.formats.nuggets import write_nuggets
    from cranfield.features.answers.store.imports import nuggets_for_export
    from cranfield.features.answers.store.nuggets import counted_nuggets
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        rows, whose = nuggets_for_export(store, labels, nuggets), counted_nuggets(store, nuggets).note()
    if not rows:
        raise InputError("no nuggets in this store; `cranfield answers nuggets make` adds some", path)
    write_nuggets(file, rows)
    label_words = f" with {counted(sum(len(one.labels) for one in rows), 'label')}" if labels else ""
    summary(file, f"{counted(len(rows), 'nugget')}{label_words}")
    print_notes(filter(None, [whose]))


show = command(list_nuggets, show_table, "answers")


def assign_nuggets_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    nuggets: WhoseNuggets = None,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Label whether answers contain nuggets, at the keyboard.

    You see one nugget and one answer at a time; 2 is support, 1 partial support, 0 no support, and the other keys are
    those of `judge`. All nuggets of a topic come with one answer before the next answer is shown. Answers are in
    random order, and neither their runs nor the importance of a nugget is shown. Every label is on disk before the next
    nugget is shown; stop at any time, and resume with the same command. Several assessors can label the same answers
    independently.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers nuggets assign track.db --assessor ada

    Example: cranfield answers nuggets assign track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind
    from cranfield.features.answers.store.nuggets import counted_nuggets

    whose = nuggets_by(nuggets)

    def describe_missing(there: Store) -> str:
        return counted_nuggets(there, whose).note()

    return label_by_hand(
        store,
        answered_kind("assignment", nuggets=whose),
        assessor,
        topics=topics,
        plain=plain,
        seed=seed,
        keys=keys,
        describe_missing=describe_missing,
    )


assign = label_command(assign_nuggets, assign_nuggets_by_hand)
