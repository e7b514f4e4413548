"""Whole answers: `import answers`, `export answers`, and labels by `answers rubrics`, `correctness` and `prefer`."""

from __future__ import annotations

from cranfield.cli.build import command, show_lines, show_summary
from cranfield.features.answers import transfers
from cranfield.features.answers.commands.labelling import LabellingOptions, label_by_hand, label_command
from cranfield.features.answers.functions import import_answers as add_answers
from cranfield.features.answers.labels_by_model import label_correctness, label_preferences, label_rubrics
from cranfield.features.answers.options import (
    AnsweredTopics,
    ComparedRun,
    KeyFile,
    LabellerName,
    LineMode,
    SeedAsBefore,
    StoreOfAnswers,
)
from cranfield.features.answers.transfers import import_rubrics
from cranfield.results import ResultInLines
from cranfield.store.store import Store

import_ = command(import_rubrics, show_lines, "answers")


def label_rubrics_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Grade answers against rubric questions interactively.

    Press 1 for yes and 0 for no. The other keys are the keys of `judge`. Runs and weights are hidden. The measures
    Rubric and RubricShare use the labels.

    With --model, a language model labels the answers on any server with an OpenAI-compatible API. The rules of `model
    assess run` apply: an unreadable answer does not count as a label. People's labels take precedence over a model's.

    Example: cranfield answers rubrics label track.db --assessor ada

    Example: cranfield answers rubrics label track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(store, answered_kind("rubric"), assessor, LabellingOptions(topics, plain, seed, keys))


label = label_command(label_rubrics, label_rubrics_by_hand)


def label_correctness_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Label interactively whether answers and reference answers agree.

    The screen shows a claim, and below it a text. It first shows each claim of the reference answer with the answer to
    label. It then shows each statement of that answer with the reference answer. Press 2 if the text supports the
    claim, 1 if it supports the claim in part, and 0 otherwise. The other keys are the keys of `judge`.

    `answers claims import` and `answers claims make` add reference answers and statements. The measures Correct,
    CorrectP and CorrectR use the labels, and count partial support as no support.

    With --model, a language model labels the claims on any server with an OpenAI-compatible API. The rules of `model
    assess run` apply: an unreadable answer does not count as a label. People's labels take precedence over a model's.

    Example: cranfield answers correctness track.db --assessor ada

    Example: cranfield answers correctness track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(store, answered_kind("correctness"), assessor, LabellingOptions(topics, plain, seed, keys))


correctness = label_command(label_correctness, label_correctness_by_hand)


def label_preferences_by_hand(
    store: StoreOfAnswers,
    assessor: LabellerName = None,
    *,
    baseline: ComparedRun = None,
    topics: AnsweredTopics = (),
    plain: LineMode = False,
    seed: SeedAsBefore = None,
    keys: KeyFile = None,
) -> ResultInLines:
    """Compare pairs of answers interactively and choose the better one.

    Press 1 or 2 for the better answer, and 0 for neither. Each pair is shown in both orders. The second order comes
    after all other pairs of the topic. Different choices in the two orders count as a tie. Identical answers are not
    shown, and count as a tie. Runs are hidden. The measure WinRate uses the labels.

    With --model, a language model compares the answers on any server with an OpenAI-compatible API. The rules of `model
    assess run` apply: an unreadable answer does not count as a label. People's comparisons take precedence over a
    model's.

    Example: cranfield answers prefer track.db --assessor ada

    Example: cranfield answers prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind
    from cranfield.features.answers.judging.whole import Comparing

    def describe_missing(place: Store) -> str:
        return Comparing(place, 0, topics or None, baseline).remark.removesuffix(".")

    return label_by_hand(
        store,
        answered_kind("answers", baseline=baseline),
        assessor,
        LabellingOptions(topics, plain, seed, keys),
        describe_missing,
    )


prefer = label_command(label_preferences, label_preferences_by_hand)


import_answers = command(add_answers, show_lines, "store")
export_answers = command(transfers.export_answers, show_summary, "answers")
