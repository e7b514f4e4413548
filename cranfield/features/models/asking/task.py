"""What is asked of models, and of which: questions, tasks, the form of answers, and the assessor that a model is."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from cranfield.features.models.asking.grammar import (
    VERSION,
    AnswerError,
    addresses_judge,
    number_in_json,
    number_on_line,
)
from cranfield.features.models.asking.prompt import Message, Prompt, PromptTask, messages_of
from cranfield.features.models.asking.server import ModelReply, host_of
from cranfield.features.models.calls import Call, CallTarget, ModelSetting
from cranfield.store.store import Store

DEFAULTS: Mapping[str, Any] = {"temperature": 0, "seed": 0}
CUT = " [...]"  # the end of a text that was too long
REMINDER = "That answer could not be read: {reason}. Answer again in the form asked for, with nothing else."


class Question(NamedTuple):
    """What is asked about a topic: `subject` tells it from others, `values` take the place of placeholders."""

    qid: str
    subject: str
    values: Mapping[str, str]
    docno: str | None = None  # where it is about one document
    document_sha256: str | None = None


class Reply(NamedTuple):
    """What came of a question: a value where the outcome is "ok", else a reason; and the number of the call."""

    outcome: str
    value: Any
    reason: str
    call: int


GOT_ERROR = "error: "  # what the recorded reason of a question begins with that got an error


def reason_of(reply: Reply) -> str:
    """Why a question has no label, as it is recorded.

    >>> reason_of(Reply("error", None, "500: down", 7))
    'error: 500: down'
    """
    return f"{reply.outcome}: {reply.reason}"


class Task(NamedTuple):
    """A kind of question: its prompts, how one is made, what is read from answers and recorded of them."""

    prompts: PromptTask
    question: Callable[[str, str], Question]  # of a topic and subject
    parse: Callable[[Question, str], Any]
    record: Callable[[Store, Sequence[tuple[Question, Reply]]], None]
    embeds: bool = False  # what is asked for is the embedding of the text itself

    @property
    def name(self) -> str:
        """That of its prompts, settings and calls."""
        return self.prompts.name


@dataclass(frozen=True)
class Asker:
    """An assessor that is a model: what answers, where, and how it is asked."""

    assessor: str
    model: str
    url: str
    prompt: Prompt
    parameters: Mapping[str, Any] = field(default_factory=lambda: dict(DEFAULTS))  # of the body of requests
    max_chars: int | None = None  # of each quoted text

    @property
    def json_answer(self) -> bool:
        """Whether the server is told the form of answers."""
        return "response_format" in self.parameters

    @cached_property
    def prompt_sha256(self) -> str:
        """The hash of the prompt."""
        return self.prompt.sha256

    @cached_property
    def parameters_json(self) -> str:
        """The parameters as they are recorded."""
        return json.dumps(self.parameters, sort_keys=True)

    def setting(self, task: str) -> ModelSetting:
        """What does not change."""
        parameters = {**self.parameters, **({"max_chars": self.max_chars} if self.max_chars else {})}
        return ModelSetting(self.assessor, task, self.model, self.prompt.record, parameters)


@dataclass(frozen=True)
class Request:
    """A question as it is sent: its messages, and what is known of them before there is an answer."""

    asker: Asker
    task: Task
    question: Question
    messages: list[Message]
    characters_cut: int
    addresses_judge: bool
    attempt: int = 1
    reminded: bool = False

    @property
    def target(self) -> CallTarget:
        """What is asked."""
        return CallTarget(self.asker.assessor, self.task.name, self.question.qid, self.question.subject)

    @cached_property
    def sha256(self) -> str:
        """The key of the cache: of the model, the URL, the parameters and all messages."""
        asker = self.asker
        content = [asker.model, asker.url.rstrip("/"), asker.parameters, self.messages]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @property
    def tokens(self) -> int:
        """About how many tokens the messages are."""
        return sum(len(message["content"]) for message in self.messages) // 4 + 1

    def reminding(self, answer: str, reason: str) -> Request:
        """The same, with an answer that could not be read and a reminder."""
        more = [{"role": "assistant", "content": answer}, {"role": "user", "content": REMINDER.format(reason=reason)}]
        return replace(self, messages=[*self.messages, *more], attempt=1, reminded=True)


def request_of(asker: Asker, task: Task, qid: str, subject: str) -> Request:
    """The first request for a question."""
    question = task.question(qid, subject)
    texts = {name: text for name, text in question.values.items() if name in task.prompts.quotes}
    values = {**question.values, **{name: shorten(text, asker.max_chars) for name, text in texts.items()}}
    if task.embeds:
        messages = [{"role": "user", "content": values["text"]}]
    else:
        messages = messages_of(asker.prompt, asker.prompt_sha256, values, quotes=texts, json_answer=asker.json_answer)
    cut = sum(max(0, len(text) - (asker.max_chars or len(text))) for text in texts.values())
    return Request(
        asker,
        task,
        question,
        messages=messages,
        characters_cut=cut,
        addresses_judge=any(map(addresses_judge, texts.values())),
    )


def shorten(text: str, most: int | None) -> str:
    """A text that is not too long.

    >>> shorten("abcdef", 3), shorten("abc", 3), shorten("abc", None)
    ('abc [...]', 'abc', 'abc')
    """
    return text if most is None or len(text) <= most else text[:most] + CUT


APOLOGY = re.compile(
    r"""\W*(?: (?:i['\u2019]?m|i\ am)\s+(?:\w+\s+)?(?:sorry|afraid|unable|not\ able)\b
    | (?:my\s+)?(?:sorry|apologies)\b | i\s+(?:must\s+)?(?:apologi[sz]e|decline)\b | as\ an?\ (?:ai|language)\b
    | i\s+(?:can['\u2019]?t|cannot|can\ not|won['\u2019]?t|will\ not)\s+(?:\w+\s+)?(?:help|assist|provide|comply|do
        |judge|rate|answer|evaluate|grade|engage|continue|fulfil)\w*\b)""",
    re.IGNORECASE | re.VERBOSE,
)  # what begins an answer that is a refusal in words


def read(request: Request, answer: ModelReply) -> tuple[str, Any, str]:
    """The outcome of an answer, its value, and what was wrong."""
    if answer.error:
        return "error", None, answer.error
    if answer.refused:
        return "refused", None, " ".join(answer.text.split())[:200] or answer.finish_reason
    if answer.finish_reason == "length":
        return "cut-off", None, "the answer was cut off at the limit of tokens"
    try:
        return "ok", request.task.parse(request.question, answer.text), ""
    except AnswerError as error:
        if error.outcome == "unparsable" and APOLOGY.match(answer.text):
            return "refused", None, " ".join(answer.text.split())[:200]
        return error.outcome, None, error.reason


def call_of(request: Request, answer: ModelReply, outcome: str, reason: str, cost: float | None) -> Call:
    """The record of a call."""
    asker, question = request.asker, request.question
    return Call(
        *request.target, question.docno, asker.prompt_sha256, question.document_sha256, asker.model, answer.model,
        host_of(asker.url), asker.parameters_json, request.sha256, answer.text,
        answer.reasoning, answer.finish_reason, answer.tokens_in, answer.tokens_out, cost, round(answer.seconds, 3),
        request.attempt, answer.status, outcome, reason, VERSION, request.characters_cut, request.addresses_judge,
    )  # fmt: skip


Schema = Mapping[str, Any]


def number_format(numbers: Collection[int]) -> Schema:
    """One number, {"score": N}.

    >>> number_format([0, 1])["json_schema"]["schema"]["properties"]
    {'score': {'type': 'integer', 'enum': [0, 1]}}
    """
    return _format("grade", {"score": {"type": "integer", "enum": list(numbers)}})


def rows_format(name: str, fields: Mapping[str, Schema]) -> Schema:
    """A list of objects under a name, {"labels": [{"id": ..., "label": ...}]}."""
    return _format(name, {name: {"type": "array", "items": _object(fields)}})


def _format(name: str, fields: Mapping[str, Schema]) -> Schema:
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": _object(fields)}}


def _object(fields: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def number_of(answer: str, asker: Asker, numbers: Collection[int]) -> int:
    """The one number of an answer, in the form that was asked for."""
    return grade_in(answer, asker.prompt, {number: number for number in numbers}, asker.json_answer)


def grade_in(answer: str, prompt: Prompt, scale: Mapping[int, int], json_answer: bool = False) -> int:
    """The grade of that number, by a scale."""
    if json_answer or prompt.key:
        return number_in_json(answer, scale, "score" if json_answer else prompt.key)
    return number_on_line(answer, prompt.line, scale)
