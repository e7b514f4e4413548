"""Options of commands on topics."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cranfield.options import Option, RankingOptions, RoundOptions, TopicOptions

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike


class HardnessOptions(TopicOptions, RankingOptions, RoundOptions):
    """By which measure topics are hard."""

    measure: Annotated[
        "MeasureLike",
        Option("The measure to score runs by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
    ] = "AP"


class NextOptions(TopicOptions, RankingOptions, RoundOptions):
    """Which two runs are compared, how deep."""

    pair: Annotated[
        Sequence[str], Option("A run of the comparison; give two.", "--run", metavar="TAG", complete="run")
    ] = ()
    depth: Annotated[int, Option("How many documents of each run are looked at.", min=1)] = 10
