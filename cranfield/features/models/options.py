"""The options of asking a model, each declared once; and their values together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cranfield.errors import ArgumentError, InputError
from cranfield.options import Argument, Option, Written
from cranfield.options.groups import ASKING

if TYPE_CHECKING:
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


ModelName = Annotated[str, Option("The model, as its server names it.", "--model", metavar="NAME")]
SERVER = "The server's base URL, such as http://127.0.0.1:8000/v1."
Url = Annotated[str, Option(SERVER, metavar="URL")]
UrlUnlessBatch = Annotated[
    str | None, Option("The base URL of the model's server, needed without --batch.", metavar="URL")
]
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
MostQuestions = Annotated[int | None, Option("Ask at most this many questions.", min=1, rich_help_panel=ASKING)]
MostWritten = Annotated[int | None, Option("Write at most this many questions.", min=1)]
BudgetOfAsking = Annotated[
    str | None,
    Option(
        "Stop before this is used up: 200000tokens, in and out, or 2.50usd (see --price).",
        rich_help_panel=ASKING, metavar="AMOUNT",
        parse=_budget,
    ),
]  # fmt: skip
Parallel = Annotated[int, Option("Requests under way at a time.", rich_help_panel=ASKING, min=1, max=256)]
PriceGiven = Annotated[
    tuple[float, float] | None,
    Option(
        "What a million tokens cost, where the server does not report it.", "--price",
        rich_help_panel=ASKING, metavar="IN,OUT",
        typed=str | None, parse=price,
    ),
]  # fmt: skip
Attempts = Annotated[
    int, Option("Attempts at a request that fails (429, 5xx, no answer).", rich_help_panel=ASKING, min=1, max=20)
]
Timeout = Annotated[float, Option("Seconds until an answer must be complete.", rich_help_panel=ASKING, min=0.01)]
Repeat = Annotated[
    int | None,
    Option("Ask again about this many graded documents, drawn at random: how stable are the grades?", min=1),
]
DryRun = Annotated[
    bool,
    Option("Show one prompt in full, the calls, tokens and cost; send nothing.", "--dry-run", rich_help_panel=ASKING),
]
Again = Annotated[
    Literal["", "failed", "all"],
    Option(
        "Also ask again where an answer was of no use (failed), or about everything (all), without recorded answers.",
        rich_help_panel=ASKING,
        typed=Literal["failed", "all"] | None,
    ),
]
MaxChars = Annotated[int | None, Option("Cut longer texts to this many characters.", rich_help_panel=ASKING, min=1)]
Parameters = Annotated[
    Mapping[str, Any] | None,
    Option(
        "A parameter of requests, such as max_tokens=2000; empty leaves it out. Temperature and seed are 0.",
        "--parameter", rich_help_panel=ASKING, metavar="NAME=VALUE", typed=list[str] | None, parse=_parameters,
    ),
]  # fmt: skip
JsonAnswer = Annotated[
    bool, Option("Ask the server to allow only JSON answers (response_format).", "--json", rich_help_panel=ASKING)
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


NewBatch = Annotated[
    str | PathLike[str], Argument("The file to write: JSON lines.", metavar="OUT", typed=Path), Written()
]
AnsweredBatch = Annotated[
    str | PathLike[str], Argument("The answers to a batch file: JSON lines.", metavar="FILE", typed=Path)
]


class Asking(NamedTuple):
    """How a model is asked, and how much at most: the options of every command that asks one."""

    limit: MostQuestions = None
    budget: BudgetOfAsking = None
    parallel: Parallel = 8
    price: PriceGiven = None
    attempts: Attempts = 3
    timeout: Timeout = 120
    dry_run: DryRun = False
    again: Again = ""
    max_chars: MaxChars = None
    parameters: Parameters = None
    json_answer: JsonAnswer = False

    @property
    def is_given(self) -> bool:
        """Whether any of the options is given."""
        return self._replace(parameters=self.parameters or None) != Asking()

    @property
    def limits(self) -> AskLimits:
        """How much is asked at most."""
        from cranfield.features.models.asking.limits import AskLimits, Price

        if self.price is not None and not (isinstance(self.price, tuple | list) and len(self.price) == 2):
            raise InputError(f"price is {self.price!r:.60}; expected a pair of numbers, in and out")
        costs = Price(*self.price) if self.price else None
        limits = AskLimits(
            self.limit, price=costs, parallel=self.parallel, attempts=self.attempts, timeout=self.timeout
        )
        return limits.with_budget(self.budget)

    def asker(
        self, store: Store, about: PromptTask, model: str, *, url: str | None, prompt: str, assessor: str | None
    ) -> Asker:
        """The model with its prompt and parameters, as an assessor."""
        from cranfield.features.models.asking.planned import asker_of

        return asker_of(
            store,
            about,
            model,
            url,
            prompt,
            assessor=assessor,
            max_chars=self.max_chars,
            parameters=self.parameters,
            json_answer=self.json_answer,
        )


def check_server(url: str | None, batch: str | PathLike[str] | None) -> None:
    """Raise ArgumentError unless either a server or a batch file is given."""
    if (url is None) == (batch is None):
        raise ArgumentError("a model is asked with --model and --url, or by files with --batch", "url")


def check_topics(topics: Sequence[str]) -> None:
    """Raise InputError for one topic in place of several, whose letters would be topics."""
    if isinstance(topics, str):
        raise InputError(f"topics is {topics!r:.60}; expected a list of names")
