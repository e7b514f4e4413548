"""What commands and functions that ask models are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cranfield.errors import InputError
from cranfield.options import Argument, Option, Options, PoolNumber, Written
from cranfield.options.groups import ASKING

if TYPE_CHECKING:
    from cranfield.features.models.asking.assess import Assessment
    from cranfield.features.models.asking.limits import AskLimits
    from cranfield.features.models.asking.prompt import PromptTask
    from cranfield.features.models.asking.task import Asker
    from cranfield.store.store import Store


def _parameters(words: Sequence[str]) -> dict[str, Any]:
    from cranfield.features.models.asking.limits import parameters_in

    return parameters_in(words)


def _budget(text: str) -> str:
    from cranfield.features.models.asking.limits import UNLIMITED

    UNLIMITED.with_budget(text)
    return text


def price(text: str) -> tuple[float, float]:
    """What a million tokens cost, in and out.

    >>> price("0.5,1.5")
    (0.5, 1.5)
    """
    try:
        one, other = (float(part) for part in text.split(","))
        if not (0 <= one < 1e9 and 0 <= other < 1e9):
            raise ValueError
    except ValueError:
        raise InputError(f"{text!r}; expected IN,OUT, such as 0.5,1.5") from None
    return one, other


PriceGiven = Annotated[
    tuple[float, float] | None,
    Option(
        "What a million tokens cost, where the server does not report it.", "--price",
        rich_help_panel=ASKING, metavar="IN,OUT",
        typed=str | None, parse=price,
    ),
]  # fmt: skip
PromptName = Annotated[
    str,
    Option(
        "A prompt of `cranfield model prompts`, or your own FILE.toml.",
        "--prompt",
        rich_help_panel=ASKING,
        metavar="NAME",
        complete="cranfield.features.models.asking.prompt:prompt_files",
    ),
]
ShownPrompt = Annotated[str | None, Argument("A prompt, or the path of your own.", metavar="[NAME]")]
LabelsName = Annotated[
    str | None,
    Option(
        "The name of its labels: one model, one prompt, one set of parameters. [default: the model's]", "--assessor",
        metavar="NAME", complete="assessor",
    ),
]  # fmt: skip
OnlyTopics = Annotated[
    Sequence[str], Option("Restrict to this topic; may be repeated.", "--topic", metavar="QID", complete="topic")
]
Batch = Annotated[
    str | PathLike[str] | None,
    Option(
        "Write the questions as a batch file of OpenAI's interface; `model assess import` reads the answers.",
        rich_help_panel=ASKING,
        metavar="FILE", typed=Path | None,
    ),
    Written(),
]  # fmt: skip


def check_topics(topics: Sequence[str]) -> None:
    """An error for one topic in place of several, whose letters would be topics."""
    if isinstance(topics, str):
        raise InputError(f"topics is {topics!r:.60}; expected a list of names")


class SentOptions(Options):
    """What is sent to a model."""

    again: Annotated[
        Literal["", "failed", "all"],
        Option(
            "Also ask again about what failed, or about all; recorded answers are not used.",
            rich_help_panel=ASKING,
            typed=Literal["failed", "all"] | None,
        ),
    ] = ""
    max_chars: Annotated[
        int | None, Option("Cut longer texts to this many characters.", rich_help_panel=ASKING, min=1)
    ] = None
    parameters: Annotated[
        Mapping[str, Any] | None,
        Option(
            "A parameter of requests, such as max_tokens=2000; empty leaves it out. Temperature and seed are 0.",
            "--parameter", rich_help_panel=ASKING, metavar="NAME=VALUE", typed=list[str] | None, parse=_parameters,
        ),
    ] = None  # fmt: skip
    json_answer: Annotated[
        bool, Option("Ask the server to allow only JSON answers (response_format).", "--json", rich_help_panel=ASKING)
    ] = False


class AskOptions(SentOptions):
    """How a model is asked, and how much at most."""

    limit: Annotated[int | None, Option("Ask at most this many questions.", min=1, rich_help_panel=ASKING)] = None
    budget: Annotated[
        str | None,
        Option(
            "Stop before this is used up: 200000tokens, in and out, or 2.50usd (see --price).",
            rich_help_panel=ASKING, metavar="AMOUNT",
            parse=_budget,
        ),
    ] = None  # fmt: skip
    parallel: Annotated[int, Option("Requests under way at a time.", rich_help_panel=ASKING, min=1, max=256)] = 8
    price: PriceGiven = None
    attempts: Annotated[
        int, Option("Attempts at a request that fails (429, 5xx, no answer).", rich_help_panel=ASKING, min=1, max=20)
    ] = 3
    timeout: Annotated[float, Option("Seconds until an answer must be complete.", rich_help_panel=ASKING, min=0.01)] = (
        120
    )

    @property
    def limits(self) -> AskLimits:
        """How much is asked at most."""
        from cranfield.features.models.asking.limits import AskLimits, Price

        if self.price is not None and not (isinstance(self.price, tuple | list) and len(self.price) == 2):
            raise InputError(f"price is {self.price!r:.60}; expected a pair of numbers, in and out")
        costs = Price(*self.price) if self.price else None
        options = self.among("parallel", "attempts", "timeout")
        return AskLimits(self.limit, price=costs, **options).with_budget(self.budget)

    def asker(
        self, store: Store, about: PromptTask, model: str, *, url: str | None, prompt: str, assessor: str | None
    ) -> Asker:
        """The model with its prompt and parameters, as an assessor."""
        from cranfield.features.models.asking.planned import asker_of

        options = self.among("max_chars", "parameters", "json_answer")
        return asker_of(store, about, model, url, prompt, assessor=assessor, **options)


class AskedOptions(AskOptions):
    """How a model is asked, with which prompt and about which topics; or the file of questions to write instead."""

    prompt: PromptName = ""
    assessor: LabelsName = None
    topics: OnlyTopics = ()
    batch: Batch = None

    def asker_at(self, store: Store, about: PromptTask, model: str, url: str | None, *, prompt: str = "") -> Asker:
        """The model at a server, or with None as the URL by a file."""
        check_topics(self.topics)
        if (url is None) == (self.batch is None):
            raise InputError("a model is asked at a url, or with url None by a file, batch")
        return self.asker(store, about, model, url=url, prompt=self.prompt or prompt, assessor=self.assessor)


class AssessOptions(SentOptions):
    """Which documents a model labels, and with which prompt."""

    prompt: PromptName = "basic"
    assessor: LabelsName = None
    pool: PoolNumber = None
    topics: OnlyTopics = ()

    def assessment(self, store: Store, model: str, url: str | None, repeat: int | None = None) -> Assessment:
        """What is to be asked."""
        from cranfield.features.models.asking.assess import assessment

        check_topics(self.topics)
        options = self.among(*AssessOptions.__annotations__, *SentOptions.__annotations__)
        return assessment(store, model, url=url, repeat=repeat, **options)


class AssessRunOptions(AssessOptions, AskOptions):
    """Labels that a server is asked for."""

    repeat: Annotated[
        int | None,
        Option(
            "Ask again about this many graded documents, drawn at random: how stable are the grades?", min=1,
            before="again",
        ),
    ] = None  # fmt: skip


class AssessExportOptions(AssessOptions):
    """Labels that are asked for by a file."""

    limit: Annotated[int | None, Option("Write at most this many questions.", min=1, before="again")] = None
