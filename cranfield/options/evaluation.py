"""Options of `evaluate` and `measures`."""

from typing import Annotated

from cranfield.options import Argument, Option

PerTopic = Annotated[bool, Option("Also show each topic, before the run's mean, 'all'.", "--per-topic", "-q")]
OwnTopicsOnly = Annotated[bool, Option("Average only over the topics for which the run retrieved documents.")]
JudgedDepth = Annotated[
    int | None,
    Option("Rank to which the judged share is shown for measures without a cutoff; else the pool's, or 10.", min=1),
]
ShownMeasure = Annotated[str | None, Argument("Describe this measure.", metavar="[MEASURE]", complete="every measure")]
TaskOption = Annotated[
    str | None,
    Option("Show which measures fit a task: known-item, RAG, recall@k, ...", "--for", metavar="TASK", complete="tasks"),
]
