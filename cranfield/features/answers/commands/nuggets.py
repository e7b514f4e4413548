"""`answers nuggets`: the facts that an answer should have, and which answers have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli import not_in_python
from cranfield.cli.build import command, show_lines, show_summary, show_table
from cranfield.cli.common_options import (
    OnlyTopics,
    PlainMode,
)
from cranfield.cli.tables import print_note
from cranfield.commands.calls import open_store_call
from cranfield.errors import ArgumentError
from cranfield.features.answers.commands.labelling import (
    AnswersStore,
    Labeller,
    LabellingOptions,
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
    """Write nuggets while reading the answers to each topic.

    The screen shows a topic, its nuggets so far, and one answer at a time. Answers come in random order, and their runs
    are hidden. The store records which run's answer each nugget comes from. You can reword, merge and drop nuggets, and
    mark them vital or okay; ? lists the commands. Every edit is saved immediately. Stop at any time, and run the same
    command again to resume. Several people can edit the same topic. If somebody else has changed a nugget in the
    meantime, your edit is not recorded, and a message gives the reason.

    With --model, a language model writes the nuggets, answer by answer. Any server with an OpenAI-compatible API works,
    and the rules of `model assess run` apply. Once people have written nuggets, a model's nuggets do not count until
    somebody has edited them, unless `evaluate --nuggets` selects them.

    With --from documents, the model reads the judged relevant documents of each topic instead, --window at a time, the
    highest grades first. It merges similar nuggets, and decides at the end which are vital. Such nuggets favour no run,
    but they come only from the judged documents.

    A batch file has one question for each topic, because each question contains the nuggets so far. Import its answers
    and write the next file; repeat until no request is left.

    Example: cranfield answers nuggets make track.db --assessor ada

    Example: cranfield answers nuggets make track.db --model qwen3 --url http://127.0.0.1:8000/v1 --dry-run
    """
    from cranfield.features.answers.judging.editing import NuggetEditing

    if source == "documents":
        raise ArgumentError("works only with --model; people write nuggets from documents with `edit`", "source")
    with open_store_call(store) as call:
        edit_nuggets(NuggetEditing(call.store, assessor or "", topics=topics or None, seed=seed), plain)
    return ResultInLines([])


make = label_command(make_nuggets, make_nuggets_by_hand)


@not_in_python("people write nuggets at the terminal")
def edit(store: AnswersStore, assessor: Labeller, plain: PlainMode = False, topic: OnlyTopics = None) -> None:
    """Add, reword, merge and drop nuggets interactively.

    You can also mark nuggets vital or okay. This is `make` without the answers: you write nuggets from your own
    knowledge of the topic. A reworded nugget needs new labels; a nugget that becomes vital or okay keeps its labels.
    The list shows the author of each nugget. A model's nugget counts as human-written once somebody has reworded it or
    marked it vital or okay, even if the mark was the same before.

    Example: cranfield answers nuggets edit track.db --assessor ada --topic q1

    Example: cranfield answers nuggets edit track.db --assessor bob
    """
    from cranfield.features.answers.judging.editing import NuggetEditing
    from cranfield.store.store import Store

    with Store.open(store, tell=print_note) as there:
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
    """Label interactively whether answers contain nuggets.

    The screen shows one nugget and one answer at a time. Press 2 for support, 1 for partial support and 0 for no
    support; the other keys are the keys of `judge`. An answer is shown with all nuggets of its topic before the next
    answer. Answers come in random order; their runs and the importance of nuggets are hidden. Every label is saved
    before the next nugget is shown. Stop at any time, and run the same command again to resume. Several assessors can
    label the same answers independently.

    With --model, a language model labels the answers on any server with an OpenAI-compatible API. The rules of `model
    assess run` apply: an unreadable answer does not count as a label. People's labels take precedence over a model's.

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
        LabellingOptions(topics, plain, seed, keys),
        describe_missing,
    )


assign = label_command(assign_nuggets, assign_nuggets_by_hand)
