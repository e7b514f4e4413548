"""model assess export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.models.options import (
    AskAgain,
    JsonAnswer,
    MaxChars,
    Model,
    ModelAssessor,
    Parameters,
    PromptName,
    parameters,
)
from cranfield.cli.models.said import note_left_out
from cranfield.cli.options import OnlyTopics, PoolNumber, StorePath
from cranfield.cli.tables import note, summary


def export(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write: JSON lines.")],
    model: Model,
    prompt: PromptName = "basic",
    assessor: ModelAssessor = None,
    pool: PoolNumber = None,
    topic: OnlyTopics = None,
    again: AskAgain = None,
    max_chars: MaxChars = None,
    json_answer: JsonAnswer = False,
    parameter: Parameters = None,
) -> None:
    """Write what a model would be asked as a batch file of OpenAI's interface, for a provider to answer in its time.

    What is written counts as sent: `model assess run` does not ask for it as well, and another export leaves it out.
    Read the answers with `model assess import`. An adaptive pool then grows with the next export.

    Example: cranfield model assess export track.db batch.jsonl --model gpt-oss --assessor gpt-oss-batch
    """
    from cranfield.judging.models.asking.assess import assessment
    from cranfield.store.store import Store
    from cranfield.text import counted

    with Store.open(path) as store:
        found = assessment(
            store, model, None, prompt, assessor, pool, topic or (), again.value if again else "", None, max_chars,
            json_answer, parameters(parameter),
        ).grown()  # fmt: skip
        written = found.write(out)
    note_left_out(found.work.without_text)
    summary(out, f"{counted(written, 'request')} written to {out}")
    if sent := len(found.subjects) - written:
        note(f"{counted(sent, 'document')} sent before, without an answer on record, left out")
