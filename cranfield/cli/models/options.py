"""The options that say which model labels what, and how it is asked."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import TableFormat
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.judging.models.asking.limits import AskLimits


class Again(StrEnum):
    """What is asked for again."""

    failed = "failed"
    all = "all"


Model = Annotated[str, typer.Option(metavar="NAME", help="The model, as its server names it.")]
PromptName = Annotated[
    str, typer.Option("--prompt", metavar="NAME", help="A prompt of `cranfield model prompts`, or your own FILE.toml.")
]
ModelAssessor = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The name of its labels: one model, one prompt, one set of parameters. [default: the model's]",
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        metavar="NAME=VALUE",
        help="A parameter of requests, such as max_tokens=2000; empty leaves it out. Temperature and seed are 0.",
    ),
]
MaxChars = Annotated[int | None, typer.Option(min=1, help="Cut longer texts to this many characters.")]
Batch = Annotated[
    Path | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help="Write the questions as a batch file of OpenAI's interface; `model assess import` reads the answers.",
    ),
]
JsonAnswer = Annotated[
    bool, typer.Option("--json", help="Ask the server to allow only JSON answers (response_format).")
]
AskAgain = Annotated[
    Again | None, typer.Option(help="Also ask again about what failed, or about all; recorded answers are not used.")
]
Repeat = Annotated[
    int | None,
    typer.Option(min=1, help="Ask again about this many graded documents, drawn at random: how stable are the grades?"),
]
PriceGiven = Annotated[
    str | None, typer.Option("--price", metavar="IN,OUT", help="What a million tokens cost, to log the cost.")
]


Url = Annotated[str, typer.Option(metavar="URL", help="The server's base URL, such as http://127.0.0.1:8000/v1.")]


class Asking(NamedTuple):
    """How a model is asked: the options of every command that asks one."""

    limit: Annotated[int | None, typer.Option(min=1, help="Ask at most this many questions.")] = None
    max_tokens_total: Annotated[
        int | None, typer.Option(min=1, help="Stop before this many tokens are used, in and out.")
    ] = None
    parallel: Annotated[int, typer.Option(min=1, max=256, help="Requests under way at a time.")] = 8
    again: AskAgain = None
    max_chars: MaxChars = None
    parameter: Parameters = None
    price: PriceGiven = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show one prompt in full, the calls, tokens and cost; send nothing.")
    ] = False
    attempts: Annotated[
        int, typer.Option(min=1, max=20, help="Attempts at a request that fails (429, 5xx, no answer).")
    ] = 3
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds until an answer must be complete.")] = 120
    json_answer: JsonAnswer = False

    @property
    def limits(self) -> AskLimits:
        """How much is asked at most."""
        from cranfield.judging.models.asking.limits import AskLimits

        return AskLimits(
            self.limit, self.max_tokens_total, self.parallel, self.attempts, self.timeout, price(self.price)
        )

    @property
    def anew(self) -> str:
        """What is asked for again; nothing if empty."""
        return self.again.value if self.again else ""

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of requests by name."""
        return parameters(self.parameter)


class Reported(NamedTuple):
    """How it is said what came of asking."""

    format: Format = TableFormat.table
    output: Output = None

    @property
    def as_data(self) -> bool:
        """Whether it is wanted as a table or JSON, and not in sentences."""
        return self.format is not TableFormat.table or self.output is not None


def parameters(given: list[str] | None) -> dict[str, Any]:
    """Parameters by name.

    >>> parameters(["max_tokens=200", "seed="])
    {'max_tokens': 200, 'seed': None}
    """
    from cranfield.judging.models.asking.parameters import parameters_in

    try:
        return parameters_in(given or ())
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--parameter") from None


def price(given: str | None) -> Any:
    """What a million tokens cost; None if it is not given.

    >>> price("0.5,1.5")
    Price(tokens_in=0.5, tokens_out=1.5)
    """
    from cranfield.judging.models.asking.limits import Price

    if given is None:
        return None
    try:
        one, other = (float(part) for part in given.split(","))
        if not (0 <= one < 1e9 and 0 <= other < 1e9):
            raise ValueError
    except ValueError:
        raise typer.BadParameter(f"{given!r}; expected IN,OUT, such as 0.5,1.5", param_hint="--price") from None
    return Price(one, other)
