"""Options of `correlate`."""

from typing import TYPE_CHECKING, Annotated

from cranfield.lazy import type_in
from cranfield.options import Option
from cranfield.options.values import measures_of

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasuresLike
else:
    MeasuresLike = type_in("cranfield.metrics.notation", "MeasuresLike")

CorrelatedMeasures = Annotated[
    MeasuresLike,
    Option(
        "With two files: compare by this measure (by default, by all measures in both). Otherwise: the first is the"
        " truth, and each other measure is compared with it. Several: -m AP,P@10.",
        "-m", "--measure", metavar="MEASURE", complete="measures", typed=list[str] | None, parse=measures_of,
    ),
]  # fmt: skip
EstimateMeasures = Annotated[
    MeasuresLike,
    Option(
        "With two files: the measure of the second file, if it differs; one for each -m, in order.",
        "--as", metavar="MEASURE", complete="measures", typed=list[str] | None, parse=measures_of,
    ),
]  # fmt: skip
