"""How what models send is read, and the files that say how they are asked."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cranfield.features.models.asking.assess import PLACEHOLDERS, assessment, take_batch
from cranfield.features.models.asking.grammar import (
    AnswerError,
    labels_by_id,
    number_in_json,
    number_on_line,
    rows_in,
    rows_under,
)
from cranfield.features.models.asking.journal import Entry, line_of, replies_in
from cranfield.features.models.asking.limits import parameters_in
from cranfield.features.models.asking.prompt import prompt_text, read_prompt, scale_for
from cranfield.features.models.asking.server import ModelReply, read_answer, read_embedding
from cranfield.store.store import Store
from tests.stores import new_store

ANSWER = {
    "model": "m",
    "choices": [{"message": {"content": "M 1\n##final score: 1", "reasoning_content": "r"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 2},
}
LISTED = {"choices": [{"message": {"content": '<think>3</think>[{"id": "n1", "label": "support"}]'}}]}
ANSWERS = (json.dumps(ANSWER), json.dumps(LISTED), '{"choices": [{"message": {"content": "{\\"score\\": 1}"}}]}')
PARAMETERS = ('max_tokens=200\nstop=["x"]\nseed=\n', "temperature=0.5\nname=a text\n")


LEFT = line_of(Entry(1, "0" * 64, ModelReply("Grade: 1"))) + line_of(Entry(2, "1" * 64, ModelReply(error="500")))


def journal(path: Path) -> list[Entry]:
    """What a killed program leaves of the answers that came."""
    return [*replies_in(path)]


def sound_prompts() -> Iterator[str]:
    """The prompts that come with the project."""
    for name in ("basic", "umbrela"):
        yield prompt_text(name)


def prompt(path: Path) -> object:
    """A prompt for relevance, with its scale."""
    template = read_prompt(str(path), PLACEHOLDERS)
    return scale_for(template, [0, 1, 2, 3]), template.record


def answer(path: Path) -> list[Any]:
    """The body of a response, read by every grammar."""
    reply, values = read_answer(path.read_bytes()), []
    scale = {0: 0, 1: 1}
    for read in (
        lambda text: number_on_line(text, "##final score:", scale),
        lambda text: number_in_json(text, scale),
        rows_in,
        lambda text: labels_by_id(rows_in(text), ["n1"], ["support"]),
        lambda text: rows_under(text, "labels"),
    ):
        with suppress(AnswerError):
            values.append(read(reply.text))
    return [reply, read_embedding(path.read_bytes()), *values]


def _store_and_requests() -> tuple[Store, str]:
    """A store that asks a model in a batch file, and that file."""
    store = new_store(documents=["s1"], topics={"s1": "lift"}, pool={"s1": ["s1"]})
    with TemporaryDirectory() as folder:
        assessment(store, "m", url=None, prompt="basic").write(Path(folder, "requests"))
        return store, Path(folder, "requests").read_text("utf-8")


def batch_answer() -> str:
    """The answer to that file."""
    response = {"status_code": 200, "body": ANSWER}
    names = [json.loads(line)["custom_id"] for line in _store_and_requests()[1].splitlines()]
    return "".join(f"{json.dumps({'custom_id': name, 'response': response})}\n" for name in names)


def batch(path: Path) -> object:
    """The answers to a batch file."""
    return take_batch(_store_and_requests()[0], path)


def parameters(path: Path) -> object:
    """Parameters, one per line."""
    return parameters_in(path.read_text("utf-8", "surrogateescape").splitlines())
