"""The options of asking a model, each declared once; and their values together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cranfield.errors import ArgumentError, InputError
from cranfield.options import ASKING, Argument, Grouped, Option, Written
from cranfield.options.arguments import keywords_in_errors

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


MAX_PRICE = 1e9  # of a million tokens


def price(text: str) -> tuple[float, float]:
    """What a million tokens cost, in and out.

    >>> price("0.5,1.5")
    (0.5, 1.5)
    """
    try:
        one, other = (float(part) for part in text.split(","))
        if not (0 <= one < MAX_PRICE and 0 <= other < MAX_PRICE):
            raise ValueError
    except ValueError:
        raise InputError(f"{text!r}; expected IN,OUT, such as 0.5,1.5") from None
    return one, other


ModelName = Annotated[str, Option("Name of the model on its server.", "--model", metavar="NAME")]
SERVER = "Base URL of the server, such as http://127.0.0.1:8000/v1."
Url = Annotated[str, Option(SERVER, metavar="URL", required=True)]
UrlUnlessBatch = Annotated[str | None, Option("Base URL of the model's server; needed without --batch.", metavar="URL")]


def prompt_option(default: str | None = None) -> Option:
    """Return the option --prompt of a command whose task has this prompt."""
    return Option(
        "Prompt: a name from `cranfield model prompts`, or your own FILE.toml.",
        "--prompt",
        rich_help_panel=ASKING,
        metavar="NAME",
        complete="cranfield.features.models.asking.prompt:prompt_files",
        default=default,
    )


PromptName = Annotated[str, prompt_option()]
ShownPrompt = Annotated[str | None, Argument("Name of a prompt, or the path of your own.", metavar="[NAME]")]


def labels_name(before: str = "") -> Option:
    """Return the option --assessor, the name of a model's labels."""
    return Option(
        "Name for the labels from this model, prompt and set of parameters. [default: the model's name]", "--assessor",
        metavar="NAME", complete="assessor", before=before,
    )  # fmt: skip


LabelsName = Annotated[str | None, labels_name()]


def topics_option(before: str) -> Option:
    """Return the option --topic, which may be repeated, before another option on the help page."""
    return Option("Topic to use; may be repeated.", "--topic", metavar="QID", complete="topic", before=before)


OnlyTopics = Annotated[Sequence[str], topics_option(before="limit")]
MostQuestions = Annotated[int | None, Option("Maximum number of questions to ask.", min=1, rich_help_panel=ASKING)]
MostWritten = Annotated[int | None, Option("Maximum number of questions to write.", min=1)]
BudgetOfAsking = Annotated[
    str | None,
    Option(
        "Budget at which to stop, such as 200000tokens (input and output) or 2.50usd (see --price).",
        rich_help_panel=ASKING, metavar="AMOUNT",
        parse=_budget,
    ),
]  # fmt: skip
Parallel = Annotated[int, Option("Number of concurrent requests.", rich_help_panel=ASKING, min=1, max=256)]
PriceGiven = Annotated[
    tuple[float, float] | None,
    Option(
        "Price per million input and output tokens, if the server does not report the cost.", "--price",
        rich_help_panel=ASKING, metavar="IN,OUT",
        typed=str | None, parse=price,
    ),
]  # fmt: skip
Attempts = Annotated[
    int,
    Option("Number of attempts at a request that fails (429, 5xx, no answer).", rich_help_panel=ASKING, min=1, max=20),
]
Timeout = Annotated[float, Option("Time limit for a complete answer, in seconds.", rich_help_panel=ASKING, min=0.01)]
Repeat = Annotated[
    int | None,
    Option(
        "Number of graded documents to ask about again, drawn at random, to measure how stable the grades are.",
        min=1,
        before="dry_run",
    ),
]
DryRun = Annotated[
    bool,
    Option(
        "Show one prompt in full and the calls, tokens and cost; send nothing.", "--dry-run", rich_help_panel=ASKING
    ),
]
Again = Annotated[
    Literal["", "failed", "all"],
    Option(
        "Questions to ask again: failed (no usable answer) or all (ignore recorded answers).",
        rich_help_panel=ASKING,
        typed=Literal["failed", "all"] | None,
    ),
]
MaxChars = Annotated[
    int | None, Option("Maximum number of characters of a text; longer texts are cut.", rich_help_panel=ASKING, min=1)
]
Parameters = Annotated[
    Mapping[str, Any] | None,
    Option(
        "Request parameter, such as max_tokens=2000; an empty value leaves it out. Temperature and seed are 0 "
        "by default.",
        "--parameter", rich_help_panel=ASKING, metavar="NAME=VALUE", typed=list[str] | None, parse=_parameters,
    ),
]  # fmt: skip
JsonAnswer = Annotated[
    bool, Option("Require JSON answers from the server (response_format).", "--json", rich_help_panel=ASKING)
]
Batch = Annotated[
    str | PathLike[str] | None,
    Option(
        "Batch file to write instead of asking a server, in OpenAI's format; `model assess import` reads the answers.",
        rich_help_panel=ASKING,
        metavar="FILE", typed=Path | None,
    ),
    Written(),
]  # fmt: skip


NewBatch = Annotated[
    str | PathLike[str], Argument("Batch file to write, as JSON lines.", metavar="OUT", typed=Path), Written()
]
AnsweredBatch = Annotated[
    str | PathLike[str], Argument("File with the answers to a batch file, as JSON lines.", metavar="FILE", typed=Path)
]


@dataclass(frozen=True)
class Asking:
    """The model, how to ask it, and the limits.

    Every function that asks a model takes an `Asking`: `models.assess`, `models.export_batch`,
    `models.label_preferences` and the functions of `cranfield.answers`. The same value can be passed to several of
    these functions.

    Parameters
    ----------
    model : str
        The name of the model on its server.
    url : str, optional
        The base URL of the server; not allowed with `batch`.
    prompt : str
        A prompt that `models.list_prompts` lists, or the path of your own; the prompt of the task by default.
    assessor : str, optional
        The name of the model's labels; the model's own name by default.
    limit : int, optional
        Maximum number of questions.
    budget : str, optional
        Budget at which asking stops, in tokens (input and output) or money: "200000tokens" or "2.50usd".
    parallel : int
        Number of concurrent requests.
    price : pair of float, optional
        The price per million input and output tokens, if the server does not report the cost.
    attempts : int
        Number of attempts at a request that fails.
    timeout : float
        Time limit for a complete answer, in seconds.
    dry_run : bool
        Send nothing; return the first prompt and the expected calls, tokens and cost.
    again : {"", "failed", "all"}
        Questions to ask again: "failed" (no usable answer) or "all". Errors are always asked again.
    max_chars : int, optional
        Cut longer texts to this many characters.
    parameters : mapping, optional
        Request parameters by name; None leaves a parameter out. Temperature and seed are 0 by default.
    json_answer : bool
        Ask the server to return only JSON.
    batch : path, optional
        Write the questions to this batch file instead; `models.import_batch` reads the answers.

    Raises
    ------
    InputError
        If a value has the wrong type or is out of bounds.

    Examples
    --------
    >>> import cranfield
    >>> asking = cranfield.models.Asking("qwen3", "http://127.0.0.1:8000/v1", limit=20, budget="2.50usd")
    >>> with cranfield.Store.memory("small") as store:
    ...     cranfield.models.assess(store, asking)
    Traceback (most recent call last):
    cranfield.errors.StoreError: no pool in this store; build one with `cranfield pool build`

    `dataclasses.replace` changes a field:

    >>> from dataclasses import replace
    >>> replace(asking, limit=0)
    Traceback (most recent call last):
    cranfield.errors.InputError: limit is 0; expected a whole number of at least 1
    """

    model: ModelName
    url: UrlUnlessBatch = None
    _: KW_ONLY
    prompt: PromptName = ""
    assessor: LabelsName = None
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
    batch: Batch = None

    def __post_init__(self) -> None:
        fields = Grouped().fields(Asking)
        with keywords_in_errors([field.name for field in fields]):
            for field in fields:
                object.__setattr__(self, field.name, field.accept(getattr(self, field.name)))
            _check_values(self)


def _check_values(asking: Asking) -> None:
    """Raise InputError for values of a right type that cannot be used."""
    from cranfield.features.models.asking.limits import UNLIMITED, check_request
    from cranfield.features.models.asking.server import checked_url

    check_request(asking.model, asking.parameters)
    if asking.url is not None:
        checked_url(asking.url)
    if asking.price is not None and not all(0 <= value < MAX_PRICE for value in asking.price):
        raise InputError(f"price is {asking.price!r:.60}; expected a pair of numbers of at least 0")
    try:
        UNLIMITED.with_budget(asking.budget)
    except InputError as error:
        raise InputError(f"budget is {error.message}") from None


def ask_limits(asking: Asking) -> AskLimits:
    """How much is asked at most."""
    from cranfield.features.models.asking.limits import AskLimits, Price

    price = Price(*asking.price) if asking.price else None
    limits = AskLimits(
        asking.limit, price=price, parallel=asking.parallel, attempts=asking.attempts, timeout=asking.timeout
    )
    return limits.with_budget(asking.budget)


def make_asker(store: Store, asking: Asking, about: PromptTask, prompt: str) -> Asker:
    """The model with its prompt and parameters, as an assessor; `prompt` is the default of the task."""
    from cranfield.features.models.asking.planned import asker_of

    return asker_of(
        store,
        about,
        asking.model,
        asking.url,
        asking.prompt or prompt,
        assessor=asking.assessor,
        max_chars=asking.max_chars,
        parameters=asking.parameters,
        json_answer=asking.json_answer,
    )


def check_server(asking: Asking) -> None:
    """Raise ArgumentError unless either a server or a batch file is given."""
    if (asking.url is None) == (asking.batch is None):
        raise ArgumentError("expected --model with --url (a server) or with --batch (files)", "url")


AskingServer = Annotated[Asking, Grouped("batch", url=Url, prompt=Annotated[str, prompt_option("basic")])]
AskingByFile = Annotated[
    Asking,
    Grouped(
        "url", "budget", "parallel", "price", "attempts", "timeout", "dry_run", "batch",
        limit=MostWritten, prompt=Annotated[str, prompt_option("basic")],
    ),
]  # fmt: skip
AskingEither = Annotated[Asking, Grouped(assessor=Annotated[str | None, labels_name(before="prompt")])]


def check_topics(topics: Sequence[str]) -> None:
    """Raise InputError for one topic in place of several, whose letters would be topics."""
    if isinstance(topics, str):
        raise InputError(f"topics is {topics!r:.60}; expected a list of names")
