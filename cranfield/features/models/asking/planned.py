"""What is to be asked of a model: all of it, and a look at what it would be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.models.asking.asking import Tally, ask, tally_document
from cranfield.features.models.asking.batch import BATCH_URL, write_batch
from cranfield.features.models.asking.limits import UNLIMITED, AskLimits
from cranfield.features.models.asking.prompt import Message, Prompt, PromptTask, check_json, read_prompt
from cranfield.features.models.asking.server import checked_url
from cranfield.features.models.asking.task import DEFAULTS, Asker, Task, request_of
from cranfield.features.models.calls import answered, check_setting, in_doubt, mean_tokens
from cranfield.store.store import Store

SAMPLE = 500  # requests of which tokens are estimated
RESERVED = {"model", "messages", "stream", "n", "response_format"}


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

    def run(self, limits: AskLimits = UNLIMITED, advance: Callable[[int], None] = lambda done: None) -> Tally:
        """Ask, and record every answer."""
        return ask(
            self.store, self.asker, self.task, self.subjects, limits=limits._replace(again=self.again), advance=advance
        )

    def write(self, out: Path) -> int:
        """Write what would be asked as a batch file."""
        return write_batch(self.store, self.asker, self.task, self.subjects, out, again=self.again)

    def prospect(self, limits: AskLimits = UNLIMITED) -> Prospect | None:
        """What would be asked, without asking; None if nothing is left."""
        doubtful = set() if self.again else in_doubt(self.store, self.asker.assessor, self.task.name)
        open_ = [about for about in self.subjects if about not in doubtful]
        subjects, later = open_[: limits.questions], self.later or 0
        if limits.questions is not None:
            later = min(later, limits.questions - len(subjects))
        if not subjects:
            return None
        some = [request_of(self.asker, self.task, *about) for about in subjects[:SAMPLE]]
        known = 0 if self.again else sum(answered(self.store, one.sha256) is not None for one in some)
        calls, each = len(subjects) - known + later, sum(one.tokens for one in some) / len(some)
        mean = mean_tokens(self.store, self.asker.assessor, self.task.name)
        tokens, out = round(calls * each), None if mean is None else round(calls * mean)
        cost = limits.price.cost(tokens, out) if limits.price else None
        cut, addressing = sum(one.characters_cut > 0 for one in some), sum(one.addresses_judge for one in some)
        of_sample = cut, addressing, len(some)
        return Prospect(some[0].messages, calls, known, tokens, out, cost, *of_sample, self.later is None)


def asked_document(planned: PlannedAsking, tally: Tally, **more: object) -> dict[str, Any]:
    """The JSON of what came of asking, with more about it after the prompt."""
    return asker_document(planned.asker) | more | tally_document(tally)


def prospect_document(planned: PlannedAsking, prospect: Prospect | None, **more: object) -> dict[str, Any]:
    """The JSON of what asking would be, with more about it after the prompt."""
    return asker_document(planned.asker) | more | (prospect or NOTHING)._asdict()


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
    if not model.strip():
        raise InputError("a model needs a name, as its server knows it")
    if reserved := sorted(RESERVED & (parameters or {}).keys()):
        raise InputError(f"the parameter {reserved[0]!r} cannot be set; --json sets the form of answers")
    text = read_prompt(prompt, about)
    sent = {**DEFAULTS, **(parameters or {}), **answer_format(text)}
    if json_answer:
        check_json(text)
        sent["response_format"] = about.json_format
    known = {key: value for key, value in sent.items() if value is not None}
    asker = Asker(
        assessor or model,
        model,
        BATCH_URL if url is None else checked_url(url),
        prompt=text,
        parameters=known,
        max_chars=max_chars,
    )
    check_setting(store, asker.setting(about.name))
    return asker
