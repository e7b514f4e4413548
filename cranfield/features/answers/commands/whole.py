"""Whole answers: `import answers`, `export answers`, and labels by `answers rubrics`, `correctness` and `prefer`."""

from __future__ import annotations

from cranfield.cli.build import command, show_lines, show_summary
from cranfield.features.answers import transfers
from cranfield.features.answers.commands.labelling import label_by_hand, label_command
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
    """Label whether each answer meets the questions of its topic's rubric, at the keyboard: 1 is yes, 0 no.

    The other keys are those of `judge`. Neither runs nor weights are shown. The labels give Rubric and RubricShare.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers rubrics label track.db --assessor ada

    Example: cranfield answers rubrics label track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(store, answered_kind("rubric"), assessor, topics=topics, plain=plain, seed=seed, keys=keys)


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
    """Label whether answers say what the reference answer says, and the reverse, at the keyboard.

    You see a claim above a text: a claim of the reference answer above the answer, then each statement of the answer
    above the reference answer. 2 is support, 1 partial support, 0 no support, and the other keys are those of `judge`.
    Reference answers and statements are claims (`answers claims import`, `answers claims make`). The labels give
    Correct, CorrectP and CorrectR, for which partial support is not enough.

    With --model a language model labels them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's labels go before a model's.

    Example: cranfield answers correctness track.db --assessor ada

    Example: cranfield answers correctness track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(
        store, answered_kind("correctness"), assessor, topics=topics, plain=plain, seed=seed, keys=keys
    )


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
    """Compare the answers of runs to each topic, two at a time, at the keyboard: 1 or 2 is better, 0 is neither.

    Each pair is shown in both orders, the second ones after all others of the topic; different answers are a tie. Runs
    are not shown. The labels give WinRate.

    With --model a language model compares them instead, over any server with OpenAI's interface, by the
    rules of `model assess run`: what cannot be read is no label. People's comparisons go before a model's.

    Example: cranfield answers prefer track.db --assessor ada

    Example: cranfield answers prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1
    """
    from cranfield.features.answers.by_model.labelling import answered_kind

    return label_by_hand(
        store, answered_kind("answers", baseline=baseline), assessor, topics=topics, plain=plain, seed=seed, keys=keys
    )


prefer = label_command(label_preferences, label_preferences_by_hand)


import_answers = command(add_answers, show_lines, "store")
export_answers = command(transfers.export_answers, show_summary, "answers")
