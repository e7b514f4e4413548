"""Options of `evaluate`."""

from typing import Annotated

from cranfield.options import Option

PerTopic = Annotated[bool, Option("Also show each topic, before the run's mean, 'all'.", "--per-topic", "-q")]
OwnTopicsOnly = Annotated[bool, Option("Average only over the topics for which the run retrieved documents.")]
JudgedDepth = Annotated[
    int | None,
    Option("Rank to which the judged share is shown for measures without a cutoff; else the pool's, or 10.", min=1),
]
