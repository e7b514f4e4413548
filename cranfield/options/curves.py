"""Options of recall-precision curves."""

from typing import (
    Annotated,
    Literal,
)

from cranfield.options import JudgedOptions, Option


class CurveOptions(JudgedOptions):
    """Which points a curve has."""

    points: Annotated[
        Literal["eleven", "raw"],
        Option("Interpolate at eleven recall points and average over topics, or show the raw curve of each topic."),
    ] = "eleven"
    rule: Annotated[
        Literal["trec_eval", "exact"] | None,
        Option("For eleven points: recall x is reached by x R documents, rounded (trec_eval) or rounded up (exact)."),
    ] = None
    pivot: bool = False
