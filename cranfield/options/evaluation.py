"""Options of `evaluate` and `measures`."""

from typing import Annotated

from cranfield.options import Argument, Option

PerTopic = Annotated[
    bool, Option("Show the score of each topic, followed by the run's mean ('all').", "--per-topic", "-q")
]
OwnTopicsOnly = Annotated[bool, Option("Average only over topics for which the run retrieved documents.")]
JudgedDepth = Annotated[
    int | None,
    Option(
        "Depth of the judged share, for measures without a cutoff. [default: pool depth, otherwise 10]",
        min=1,
    ),
]
ShownMeasure = Annotated[str | None, Argument("Measure to describe.", metavar="[MEASURE]", complete="every measure")]
TaskOption = Annotated[
    str | None,
    Option(
        "Task for which to recommend measures, such as known-item, RAG or recall@k.",
        "--for",
        metavar="TASK",
        complete="tasks",
    ),
]
