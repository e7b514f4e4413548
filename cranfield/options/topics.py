"""Options of commands on topics."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cranfield.lazy import lazy_type
from cranfield.options import Option

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike
else:
    MeasureLike = lazy_type("cranfield.metrics.notation", "MeasureLike")

HardnessMeasure = Annotated[
    MeasureLike,
    Option("Measure to score runs by.", "-m", "--measure", metavar="MEASURE", complete="measures", typed=str),
]
RunPair = Annotated[Sequence[str], Option("Run to compare; give two.", "--run", metavar="TAG", complete="run")]
LookedAt = Annotated[int, Option("Number of top documents of each run to consider.", min=1)]
