"""Options of commands on topics."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cranfield.lazy import type_in
from cranfield.options import Option

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike
else:
    MeasureLike = type_in("cranfield.metrics.notation", "MeasureLike")

HardnessMeasure = Annotated[
    MeasureLike,
    Option("The measure to score runs by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
RunPair = Annotated[Sequence[str], Option("A run of the comparison; give two.", "--run", metavar="TAG", complete="run")]
LookedAt = Annotated[int, Option("How many documents of each run are looked at.", min=1)]
