"""Options of recall-precision curves."""

from typing import Annotated, Literal

from cranfield.options import Option

Points = Annotated[
    Literal["eleven", "raw"],
    Option(
        "Points of the curve: eleven (interpolated recall points, averaged over topics) or raw (each topic's own"
        " curve)."
    ),
]
RecallRule = Annotated[
    Literal["trec_eval", "exact"] | None,
    Option(
        "Number of relevant documents that reach recall x, if there are R: x times R, rounded (trec_eval) or rounded"
        " up (exact). Only for eleven points."
    ),
]
LowestRelevant = Annotated[
    float | None,
    Option("Lowest relevant grade, such as 0.5. [default: the store's, or 1 for files]", metavar="GRADE"),
]
