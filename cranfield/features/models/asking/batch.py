"""Batch files of OpenAI's interface: requests out as JSONL, answers in.

What is written counts as sent, so `assess run` does not ask for it as well; what comes back is matched by `custom_id`.

Source: OpenAI, Batch API guide and the schema of its input and output objects.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.models.asking.limits import Price
from cranfield.features.models.asking.prompt import prompt_of
from cranfield.features.models.asking.server import Answer, read_answer
from cranfield.features.models.asking.task import Asker, Reply, Task, call_of, read, request_of
from cranfield.features.models.calls import (
    About,
    add_call,
    add_request,
    in_doubt,
    keep_setting,
    sent_request,
    setting_of,
)
from cranfield.formats.files import read_text
from cranfield.formats.whole_files import created
from cranfield.store.store import Store

BATCH_URL = "batch://file"  # where such requests go
NAME = "cranfield"


def write_batch(
    store: Store, asker: Asker, task: Task, subjects: Sequence[tuple[str, str]], out: Path, *, again: bool = False
) -> int:
    """Write a request for each subject, `again` also where one is on its way, and record it as sent; how many.

    The record is on disk before the file has its name, so that no file is of requests that are not known.
    """
    with created(out) as stream, store.writing():
        keep_setting(store, asker.setting(task.name))
        doubtful = set() if again else in_doubt(store, asker.assessor, task.name)
        left = [about for about in subjects if about not in doubtful]
        stream.writelines(f"{line}\n".encode() for line in _lines(store, asker, task, left))
    return len(left)


def _lines(store: Store, asker: Asker, task: Task, subjects: Sequence[tuple[str, str]]) -> Iterator[str]:
    for about in subjects:
        request = request_of(asker, task, *about)
        number = add_request(store, request.about, request.sha256)
        body = {"model": asker.model, "messages": request.messages, **asker.parameters}
        name = f"{NAME}-{number}-{request.sha256[:16]}"
        line = {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}
        yield json.dumps(line)


class BatchRead(NamedTuple):
    """What became of the lines of a file."""

    outcomes: Counter[str]
    known: int  # answers that were here before


TaskMakers = Mapping[str, Callable[[Store, Asker], Task]]  # by the name of the task


def read_batch(store: Store, path: Path, tasks: TaskMakers, price: Price | None = None) -> BatchRead:
    """Record the answers in a file, in one transaction; one that answers nothing that was asked is an error."""
    found = BatchRead(Counter(), 0)
    cache: dict[tuple[str, str], tuple[Asker, Task]] = {}
    with store.writing():
        for line, text in enumerate(read_text(path).splitlines(), 1):
            if text.strip():
                found = _take(store, _Line(path, line, text), tasks, cache=cache, price=price, found=found)
    return found


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
    found: BatchRead,
) -> BatchRead:
    name, answer = _read_line(line)
    number, sha = _number(line, name)
    sent = sent_request(store, number)
    if sent is None or not sent.request_sha256.startswith(sha):
        raise line.error(f"{name!r} is not a request of this store")
    if sent.called:
        return found._replace(known=found.known + 1)
    about = sent.about
    if about[:2] not in cache:
        cache[about[:2]] = _asked(store, about, tasks)
    asker, task = cache[about[:2]]
    try:
        request = request_of(asker, task, about.qid, about.subject)
    except InputError as error:
        raise line.error(str(error)) from None
    if request.sha256 != sent.request_sha256:
        raise line.error(
            f"topic {about.qid!r}, {about.subject!r}: the topic or the text has changed since it was asked"
        )
    outcome, value, reason = read(request, answer)
    cost = price.cost(answer.tokens_in, answer.tokens_out) if price else None
    call = add_call(store, call_of(request, answer, outcome, reason, cost)._replace(request=number))
    task.record(store, request.question, Reply(outcome, value, reason, call))
    found.outcomes[outcome] += 1
    return found


def _asked(store: Store, about: About, tasks: TaskMakers) -> tuple[Asker, Task]:
    """The model and the task of a request, as they were when it was written."""
    setting = setting_of(store, about.assessor, about.task)
    if setting is None or about.task not in tasks:
        raise InputError(f"{about.assessor!r} was not asked for {about.task} in a batch file")
    prompt, parameters = prompt_of(setting.prompt), dict(setting.parameters)
    most = parameters.pop("max_chars", None)
    asker = Asker(about.assessor, setting.model, BATCH_URL, prompt=prompt, parameters=parameters, max_chars=most)
    return asker, tasks[about.task](store, asker)


def _read_line(line: _Line) -> tuple[str, Answer]:
    """The name of a request and its answer."""
    try:
        row: Any = json.loads(line.text)
        name, response, error = row["custom_id"], row.get("response"), row.get("error")
        status, body = (response["status_code"], response["body"]) if response else (None, None)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise line.error("not a line of a batch's answers: an object with custom_id and response") from None
    if not isinstance(name, str) or not (status is None or type(status) is int):
        raise line.error("custom_id is not a text, or status_code not a number")
    if status == 200:
        return name, read_answer(json.dumps(body).encode())
    said = " ".join(json.dumps(error if error else body).split())
    return name, Answer(error=f"{status or 'no answer'}: {said:.300}", status=status)


def _number(line: _Line, name: str) -> tuple[int, str]:
    kind, _, rest = name.partition("-")
    number, _, sha = rest.partition("-")
    if kind != NAME or not number.isdecimal() or len(number) > 15 or len(sha) != 16:
        raise line.error(f"{name!r:.60} is not a custom_id of a request that cranfield wrote")
    return int(number), sha
