"""Labelling a pool with a model: by asking a server, by batch files, or only in prospect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.judging.models.asking.asking import UNLIMITED, AskLimits, Price, Tally, ask
from cranfield.judging.models.asking.batch import BATCH_URL, BatchRead, read_batch, write_batch
from cranfield.judging.models.asking.prompt import Message, prompt_of, read_prompt, scale_for
from cranfield.judging.models.asking.relevance import (
    PLACEHOLDERS,
    OpenWork,
    open_work,
    relevance_task,
    response_format,
)
from cranfield.judging.models.asking.server import checked_url
from cranfield.judging.models.asking.task import DEFAULTS, Asker, Task, request_of
from cranfield.store.model_calls.calls import About, answered, in_doubt, mean_tokens
from cranfield.store.model_calls.settings import check_setting, setting_of
from cranfield.store.store import Store

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


@dataclass(frozen=True)
class Assessment:
    """A model that is to label what is left of a pool."""

    store: Store
    asker: Asker
    task: Task
    work: OpenWork
    again: bool

    def run(self, limits: AskLimits = UNLIMITED, advance: Callable[[int], None] = lambda done: None) -> Tally:
        """Ask, and record every answer."""
        return ask(self.store, self.asker, self.task, self.work.pairs, limits._replace(again=self.again), advance)

    def prospect(self, limits: AskLimits = UNLIMITED) -> Prospect | None:
        """What would be asked, without asking; None if nothing is left."""
        doubtful = set() if self.again else in_doubt(self.store, self.asker.assessor, self.task.name)
        pairs = [pair for pair in self.work.pairs if pair not in doubtful][: limits.questions]
        if not pairs:
            return None
        some = [request_of(self.asker, self.task, *pair) for pair in pairs[:SAMPLE]]
        known = 0 if self.again else sum(answered(self.store, one.sha256) is not None for one in some)
        calls, each = len(pairs) - known, sum(one.tokens for one in some) / len(some)
        mean = mean_tokens(self.store, self.asker.assessor, self.task.name)
        tokens, out = round(calls * each), None if mean is None else round(calls * mean)
        cost = limits.price.cost(tokens, out) if limits.price else None
        cut, addressing = sum(one.characters_cut > 0 for one in some), sum(one.addresses_judge for one in some)
        return Prospect(some[0].messages, calls, known, tokens, out, cost, cut, addressing, len(some))

    def write(self, out: Path) -> int:
        """Write what would be asked as a batch file."""
        return write_batch(self.store, self.asker, self.task, self.work.pairs, out)


def assessment(
    store: Store,
    model: str,
    url: str | None = None,
    prompt: str = "basic",
    assessor: str | None = None,
    pool: int | None = None,
    topics: Sequence[str] = (),
    again: str = "",
    max_chars: int | None = None,
    json_answer: bool = False,
    parameters: Mapping[str, Any] | None = None,
) -> Assessment:
    """Prepare to ask a model for labels of a pool's documents; `url` None: by batch files.

    `parameters` are those of requests, beside temperature 0 and seed 0; one that is None is left out.
    """
    if not model.strip():
        raise InputError("a model needs a name, as its server knows it")
    text, name, grades = read_prompt(prompt, PLACEHOLDERS), assessor or model, store.collection.grades
    scale_for(text, grades)
    if reserved := sorted({"model", "messages", "stream", "n", "response_format"} & (parameters or {}).keys()):
        raise InputError(f"the parameter {reserved[0]!r} cannot be set; --json sets the form of answers")
    sent = {
        **DEFAULTS,
        **(parameters or {}),
        **({"response_format": response_format(text, grades)} if json_answer else {}),
    }
    known = {key: value for key, value in sent.items() if value is not None}
    asker = Asker(name, model, BATCH_URL if url is None else checked_url(url), text, known, max_chars)
    check_setting(store, asker.setting(PLACEHOLDERS.name))
    work = open_work(store, name, pool, topics, again)
    return Assessment(store, asker, relevance_task(store, name, text, work.pool, json_answer), work, bool(again))


def take_batch(store: Store, path: Path, price: Price | None = None) -> BatchRead:
    """Record the answers of a batch file to requests that `Assessment.write` wrote."""
    return read_batch(store, path, _asked, price)


def _asked(store: Store, about: About) -> tuple[Asker, Task]:
    """The model and the task of a request, as they were when it was written."""
    setting = setting_of(store, about.assessor, about.task)
    if setting is None or about.task != PLACEHOLDERS.name:
        raise InputError(f"{about.assessor!r} was not asked for relevance in a batch file")
    prompt, parameters = prompt_of(setting.prompt), dict(setting.parameters)
    most = parameters.pop("max_chars", None)
    asker = Asker(about.assessor, setting.model, BATCH_URL, prompt, parameters, most)
    return asker, relevance_task(store, about.assessor, prompt, None, asker.json_answer)


def as_document(assessment: Assessment, tally: Tally) -> dict[str, Any]:
    """The JSON."""
    asker, work = assessment.asker, assessment.work
    about = {"assessor": asker.assessor, "model": asker.model, "prompt": asker.prompt.name,
             "prompt_sha256": asker.prompt.sha256, "pool": work.pool}  # fmt: skip
    return about | asdict(tally) | {"outcomes": dict(tally.outcomes), "without_text": work.without_text}
