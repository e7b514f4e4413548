"""The options of the commands that check pools."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.errors import InputError
from cranfield.options.option import Option
from cranfield.options.shared import (
    ClusterOptions,
    LabelOptions,
    Labels,
    Measures,
    PoolDepth,
    PoolNumber,
    PoolOptions,
    Seed,
    SetOptions,
    TeamOptions,
    Teams,
    WhoseOptions,
    methods,
)

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike


def sizes(text: str) -> tuple[int, ...]:
    """Sizes of pools, ascending.

    >>> sizes("100,50")
    (50, 100)
    """
    from cranfield.pooling.simulate import ascending

    try:
        return ascending([int(part) for part in text.split(",")])
    except (ValueError, InputError) as error:
        raise InputError(f"{text!r}; expected numbers from 1, such as 50,100") from error


class VerifyOptions(SetOptions, WhoseOptions):
    """Which runs are pooled again, how deep."""

    teams: Teams = None
    depth: Annotated[int | None, Option("The pool's depth; inferred by default.", min=1)] = None
    labels: Labels = "all"
    pool: PoolNumber = None
    examples: Annotated[int, Option("How many exceptions of each kind to show.", min=0)] = 5


class SimulateOptions(SetOptions, ClusterOptions, TeamOptions, LabelOptions, PoolOptions):
    """Which methods are replayed, on what."""

    methods: Annotated[
        Sequence[str] | None,
        Option(
            "A method of `cranfield pool methods`, with options; or several: rrf,depth. By default ten of them.",
            "--method", metavar="NAME[:opt=value,...]", complete="methods", typed=list[str] | None, parse=methods,
        ),
    ] = None  # fmt: skip
    budgets: Annotated[
        Sequence[int] | None,
        Option(
            "Numbers of documents to judge per topic; 50,100,200 by default.", metavar="N,N,...", typed=str | None,
            parse=sizes,
        ),
    ] = None  # fmt: skip
    total: Annotated[
        Sequence[int] | None,
        Option(
            "Instead: numbers of documents over all topics, distributed or competed for.", metavar="N,N,...",
            typed=str | None, parse=sizes,
        ),
    ] = None  # fmt: skip
    by: Annotated[Literal["run", "team"], Option("The unit to leave out of the pool, one at a time.")] = "run"
    measure: Annotated[
        "MeasureLike",
        Option("The measure to score runs by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
    ] = "AP"
    depth: Annotated[
        int | None, Option("Depth to which runs are considered; the judged pool's depth by default.", min=1)
    ] = None
    batch: Annotated[int, Option("Batch size of adaptive methods: documents awaiting judgment at a time.", min=1)] = 1
    seed: Seed = 0


class ForecastOptions(SetOptions, TeamOptions, LabelOptions, PoolOptions):
    """How deep is looked ahead."""

    depth: PoolDepth = None
    to: Annotated[int | None, Option("Forecast to this depth; twice the pool's depth by default.", min=2)] = None
    last: Annotated[int, Option("Number of most recent judgments per topic to consider.", min=1)] = 50


class EstimateOptions(SetOptions, LabelOptions):
    """What is estimated of a sample."""

    number: PoolNumber = None
    by_topic: Annotated[bool, Option("Estimate the number of relevant documents per topic instead of scores.")] = False
    measures: Measures = ("AP", "P@10")
    confidence: Annotated[float, Option("Confidence level of the intervals.", min=0.01, max=0.9999)] = 0.95
