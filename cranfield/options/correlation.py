"""Options of `correlate`."""

from typing import TYPE_CHECKING, Annotated

from cranfield.lazy import lazy_type
from cranfield.options import Option, measures_of

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasuresLike
else:
    MeasuresLike = lazy_type("cranfield.metrics.notation", "MeasuresLike")

CorrelatedMeasures = Annotated[
    MeasuresLike,
    Option(
        "Measure to compare by. With two score files, the default is every measure in both. Otherwise the first"
        " measure is the reference for the others. Give several as -m AP,P@10.",
        "-m", "--measure", metavar="MEASURE", complete="measures", typed=list[str] | None, parse=measures_of,
    ),
]  # fmt: skip
EstimateMeasures = Annotated[
    MeasuresLike,
    Option(
        "Measure in the second score file, if it is a different one. Give one for each -m, in the same order.",
        "--as", metavar="MEASURE", complete="measures", typed=list[str] | None, parse=measures_of,
    ),
]  # fmt: skip
