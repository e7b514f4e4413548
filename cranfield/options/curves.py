"""Options of recall-precision curves."""

from typing import Annotated, Literal

from cranfield.options import Option

Points = Annotated[
    Literal["eleven", "raw"],
    Option("Interpolate at eleven recall points and average over topics, or show the raw curve of each topic."),
]
RecallRule = Annotated[
    Literal["trec_eval", "exact"] | None,
    Option("For eleven points: recall x is reached by x R documents, rounded (trec_eval) or rounded up (exact)."),
]
LowestRelevant = Annotated[
    float | None,
    Option("Lowest grade that counts as relevant, such as 0.5. [default: the store's; 1 for files]", metavar="GRADE"),
]
