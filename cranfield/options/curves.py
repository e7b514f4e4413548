"""Options of recall-precision curves."""

from collections.abc import Callable
from math import isfinite
from typing import (
    Annotated,
    Literal,
)

from cranfield.errors import InputError
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
    rel: Annotated[
        float | None,
        Option(
            "Lowest grade that counts as relevant, such as 0.5. [default: the store's; 1 for files]", metavar="GRADE"
        ),
    ] = None
    pivot: bool = False

    def relevance_threshold(self, default: Callable[[], float]) -> float:
        """Return the lowest relevant grade: the one that was given, otherwise the default."""
        if self.rel is None:
            return default()
        if not isfinite(self.rel):
            raise InputError(f"rel is {self.rel}; expected a grade, such as 0.5")
        return self.rel
