"""What is to be asked of a model: all of it, a look at what it would be, and batch files of OpenAI's interface.

Requests go out as JSONL, and answers come in.
What is written counts as sent, so `assess run` does not ask for it as well; what comes back is matched by `custom_id`.

Source: OpenAI, Batch API guide and the schema of its input and output objects.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.models.asking.asking import ask
from cranfield.features.models.asking.journal import Entry, replies_beside
from cranfield.features.models.asking.limits import (
    UNLIMITED,
    AskingTally,
    AskLimits,
    Price,
    check_request,
    cost_of,
    tally_document,
)
from cranfield.features.models.asking.prompt import Message, Prompt, PromptTask, check_json, prompt_of, read_prompt
from cranfield.features.models.asking.server import ModelReply, checked_url, read_answer
from cranfield.features.models.asking.task import DEFAULTS, Asker, Reply, Request, Task, call_of, read, request_of
from cranfield.features.models.calls import (
    add_calls,
    add_requests,
    answer_to,
    check_setting,
    keep_setting,
    mean_use,
    sent_request,
    setting_of,
    unconfirmed_calls,
)
from cranfield.formats.files import read_text
from cranfield.formats.whole_files import create_file, is_file
from cranfield.store.store import Store
from cranfield.text import counted

BATCH_URL = "batch://file"  # where such requests go
NAME = "cranfield"
_ID = re.compile(rf'"{NAME}-(\d{{1,15}})-([0-9a-f]{{16}})"')


def _waiting_in(path: Path, store: Store, again: Collection[tuple[str, ...]]) -> int:
    """How many requests of a file have no answer in the store and are not written again; 0 where it is no batch."""
    if not (is_file(path) and path.exists()):
        return 0
    number = 0
    for text in path.read_text("utf-8", "replace").split("\n"):
        if (match := _ID.search(text)) and (about := _waits(store, *match.groups())) is not None:
            number += about not in again
    return number


def _waits(store: Store, number: str, sha: str) -> tuple[str, ...] | None:
    """What the request of a batch file is about if it has no answer; nothing where another store has asked."""
    record = sent_request(store, int(number))
    if record is None or not record.request_sha256.startswith(sha):
        return ()
    return None if record.has_call else record.about


def _lines(store: Store, asker: Asker, task: Task, subjects: Sequence[tuple[str, str]]) -> Iterator[str]:
    for about in subjects:
        request = request_of(asker, task, *about)
        [number] = add_requests(store, [(request.target, request.sha256)])
        body = {"model": asker.model, "messages": request.messages, **asker.parameters}
        name = f"{NAME}-{number}-{request.sha256[:16]}"
        line = {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}
        yield json.dumps(line)


class BatchRead(NamedTuple):
    """What became of the lines of a file."""

    outcomes: Counter[str]
    earlier: int  # answers that were here before


TaskMakers = Mapping[str, Callable[[Store, Asker], Task]]  # by the name of the task


def read_batch(store: Store, path: Path, tasks: TaskMakers, price: Price | None = None) -> BatchRead:
    """Record the answers in a file, in one transaction; one that answers nothing that was asked is an error."""
    result = BatchRead(Counter(), 0)
    cache: dict[tuple[str, str], tuple[Asker, Task]] = {}
    with store.writing():
        lines = [_Line(path, line, text) for line, text in enumerate(read_text(path).split("\n"), 1) if text.strip()]
        if not lines:
            raise InputError("no answers in the file", path)
        for line in lines:
            result = _take(store, line, tasks, cache=cache, price=price, batch=result)
    return result


class _Line(NamedTuple):
    path: Path
    number: int
    text: str

    def error(self, message: str) -> InputError:
        return InputError(message, self.path, self.number)


def _take(
    store: Store,
    line: _Line,
    tasks: TaskMakers,
    *,
    cache: dict[tuple[str, str], tuple[Asker, Task]],
    price: Price | None,
    batch: BatchRead,
) -> BatchRead:
    name, answer = _read_line(line)
    number, sha = _number(line, name)
    record = sent_request(store, number)
    if record is None or not record.request_sha256.startswith(sha):
        raise line.error(f"{name!r} is not a request of this store")
    if record.has_call and (record.has_answer or answer.error):
        return batch._replace(earlier=batch.earlier + 1)
    about = record.about
    if about[:2] not in cache:
        setting = setting_of(store, about.assessor, about.task)
        if setting is None or about.task not in tasks:
            raise InputError(f"no batch file contains requests to {about.assessor!r} for {about.task}")
        prompt, parameters = prompt_of(setting.prompt), dict(setting.parameters)
        most = parameters.pop("max_chars", None)
        asker = Asker(about.assessor, setting.model, BATCH_URL, prompt=prompt, parameters=parameters, max_chars=most)
        cache[about[:2]] = asker, tasks[about.task](store, asker)
    asker, task = cache[about[:2]]
    try:
        request = request_of(asker, task, about.qid, about.subject)
    except InputError as error:
        raise line.error(str(error)) from None
    if request.sha256 != record.request_sha256:
        raise line.error(f"topic {about.qid!r}, {about.subject!r}: the topic or the text has changed since the request")
    if record.has_call:  # it failed, and was sent once more
        [number] = add_requests(store, [(about, record.request_sha256)])
    outcome, value, reason = read(request, answer)
    cost = cost_of(answer, price)
    [call] = add_calls(store, [call_of(request, answer, outcome, reason, cost)._replace(request=number)])
    task.record(store, [(request.question, Reply(outcome, value, reason, call))])
    batch.outcomes[outcome] += 1
    return batch


def _read_line(line: _Line) -> tuple[str, ModelReply]:
    """The name of a request and its answer."""
    try:
        row: Any = json.loads(line.text)
        name, response, error = row["custom_id"], row.get("response"), row.get("error")
        status, body = (response["status_code"], response["body"]) if response else (None, None)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise line.error("not a line of batch answers; expected an object with custom_id and response") from None
    if not (response or error):
        raise line.error("neither a response nor an error; expected a file of answers, not of requests")
    if not isinstance(name, str) or not (status is None or type(status) is int):
        raise line.error("custom_id is not a text, or status_code is not a number")
    if status == 200:
        return name, read_answer(json.dumps(body).encode())
    message = " ".join(json.dumps(error if error else body).split())
    return name, ModelReply(error=f"{status or 'no answer'}: {message:.300}", status=status)


def _number(line: _Line, name: str) -> tuple[int, str]:
    kind, _, rest = name.partition("-")
    number, _, sha = rest.partition("-")
    if kind != NAME or not number.isdecimal() or len(number) > 15 or len(sha) != 16:
        raise line.error(f"{name!r:.60} is not a custom_id of a request that cranfield wrote")
    return int(number), sha


SAMPLE = 500  # requests of which tokens are estimated


class Prospect(NamedTuple):
    """What asking would be: one prompt in full, how many calls, and about how many tokens."""

    messages: list[Message]
    calls: int
    known: int  # answers that are known and cost nothing, among the first ones
    tokens_in: int
    tokens_out: int | None  # None: nothing is known of this model's answers
    cost: float | None
    cut: int  # texts that are cut, among the first ones
    addressing: int  # texts that talk to their judge, among the first ones
    sample: int  # how many of the first ones
    more: bool  # whether answers lead to further questions


NOTHING = Prospect(
    [], 0, 0, tokens_in=0, tokens_out=0, cost=0.0, cut=0, addressing=0, sample=0, more=False
)  # left to ask


@dataclass(frozen=True)
class PlannedAsking:
    """A model, and what it is to be asked about: (qid, subject).

    `later` questions can only be asked after these; None where their number depends on the answers.
    """

    store: Store
    asker: Asker
    task: Task
    subjects: Sequence[tuple[str, str]]
    again: bool
    later: int | None = field(default=0, kw_only=True)

    def run(self, limits: AskLimits = UNLIMITED, advance: Callable[[int], None] = lambda done: None) -> AskingTally:
        """Ask, and record every answer."""
        return ask(
            self.store, self.asker, self.task, self.subjects, limits=limits._replace(again=self.again), advance=advance
        )

    @property
    def doubtful(self) -> int:
        """How many are not asked: they were sent before, and no answer is on record."""
        doubtful = set() if self.again else unconfirmed_calls(self.store, self.asker.assessor, self.task.name)
        return sum(about in doubtful for about in self.subjects)

    def write(self, out: Path, most: int | None = None) -> int:
        """Write a request for each question, at most `most`, as a batch file, and record them as sent; how many.

        The record is on disk before the file has its name, so that no file is of requests that are not known. A file
        whose requests wait for answers is not overwritten, unless all of them are written again.
        """
        who = self.asker.assessor, self.task.name
        with create_file(out) as stream, self.store.writing():
            keep_setting(self.store, self.asker.setting(self.task.name))
            doubtful = set() if self.again else unconfirmed_calls(self.store, *who)
            open_ = [about for about in self.subjects if about not in doubtful][:most]
            if waiting := _waiting_in(out, self.store, {(*who, *about) for about in open_}):
                what = (
                    f"{counted(waiting, 'request')} of an earlier batch in this file"
                    f" {'awaits' if waiting == 1 else 'await'} an answer"
                )
                raise InputError(f"{what}; import the answers first, or name another file", out)
            stream.writelines(f"{line}\n".encode() for line in _lines(self.store, self.asker, self.task, open_))
        return len(open_)

    def prospect(self, limits: AskLimits = UNLIMITED) -> Prospect | None:
        """What would be asked, without asking; None if nothing is left."""
        who = self.store, self.asker.assessor, self.task.name
        replies = replies_beside(*who)
        doubtful = set() if self.again else unconfirmed_calls(*who) - {*replies}
        open_ = [about for about in self.subjects if about not in doubtful]
        subjects, later = open_[: limits.questions], self.later or 0
        if limits.questions is not None:
            later = min(later, limits.questions - len(subjects))
        if not subjects:
            return None
        some = [request_of(self.asker, self.task, *about) for about in subjects[:SAMPLE]]
        free = sum(self._is_known(one, replies.get(one.target[2:])) for one in some)
        calls, each = len(subjects) - free + later, sum(one.tokens for one in some) / len(some)
        mean = mean_use(*who).tokens_out
        tokens, out = round(calls * each), None if mean is None else round(calls * mean)
        cost = limits.price.cost(tokens, out) if limits.price else None
        cut, addressing = sum(one.characters_cut > 0 for one in some), sum(one.addresses_judge for one in some)
        sample_limits = cut, addressing, len(some)
        return Prospect(some[0].messages, calls, free, tokens, out, cost, *sample_limits, self.later is None)

    def _is_known(self, request: Request, reply: Entry | None) -> bool:
        """Whether the answer to a request costs nothing, or was paid for in other words, which are not asked again."""
        if reply and (reply.request_sha256 == request.sha256 or not self.again):
            return True
        return (reply is not None or not self.again) and answer_to(self.store, request.sha256) is not None


def asked_document(plan: PlannedAsking, tally: AskingTally, **more: object) -> dict[str, Any]:
    """The JSON of what came of asking, with more about it after the prompt."""
    return asker_document(plan.asker) | more | tally_document(tally)


def prospect_document(plan: PlannedAsking, prospect: Prospect | None, **more: object) -> dict[str, Any]:
    """The JSON of what asking would be, with more about it after the prompt."""
    return asker_document(plan.asker) | more | (prospect or NOTHING)._asdict()


def asker_document(asker: Asker) -> dict[str, Any]:
    """The JSON of who is asked, and with which prompt."""
    return {"assessor": asker.assessor, "model": asker.model, "prompt": asker.prompt.name,
            "prompt_sha256": asker.prompt.sha256}  # fmt: skip


def asker_of(
    store: Store,
    about: PromptTask,
    model: str,
    url: str | None,
    prompt: str,
    *,
    assessor: str | None = None,
    max_chars: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    answer_format: Callable[[Prompt], Mapping[str, Any]] = lambda prompt: {},
    json_answer: bool = False,
) -> Asker:
    """A model as an assessor; an error where the name is taken by another. `url` None: by batch files.

    `parameters` are those of requests, beside temperature 0 and seed 0; one that is None is left out. With
    `json_answer` the server is told the form of answers, where that is the same for all prompts; else `answer_format`.
    """
    check_request(model, parameters)
    text = read_prompt(prompt, about)
    options = {**DEFAULTS, **(parameters or {}), **answer_format(text)}
    if json_answer:
        check_json(text)
        options["response_format"] = about.json_format
    set_options = {key: value for key, value in options.items() if value is not None}
    asker = Asker(
        assessor or model,
        model,
        BATCH_URL if url is None else checked_url(url),
        prompt=text,
        parameters=set_options,
        max_chars=max_chars,
    )
    check_setting(store, asker.setting(about.name))
    return asker
