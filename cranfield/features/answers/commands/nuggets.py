"""`answers nuggets`: the facts that an answer should have, and which answers have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli import not_in_python
from cranfield.cli.build import command, show_lines, show_summary, show_table
from cranfield.cli.common_options import (
    OnlyTopics,
    PlainMode,
)
from cranfield.cli.tables import note
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
    NuggetSource,
    SeedAsBefore,
    SeedOfAnswers,
    StoreOfAnswers,
    WhoseNuggets,
)
from cranfield.features.answers.transfers import export_nuggets, import_nuggets
from cranfield.results import ResultInLines

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


import_ = command(import_nuggets, show_lines, "answers")
export = command(export_nuggets, show_summary, "answers")
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
