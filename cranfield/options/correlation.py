"""Options of `correlate`."""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cranfield.lazy import type_in
from cranfield.options import Argument, Option
from cranfield.options.values import measures_of

if TYPE_CHECKING:
    from cranfield.metrics.correlation.correlate import ScoresLike
    from cranfield.metrics.notation import MeasuresLike
    from cranfield.store.store import Store
    from cranfield.view import View
else:
    ScoresLike = type_in("cranfield.metrics.correlation.correlate", "ScoresLike")
    MeasuresLike = type_in("cranfield.metrics.notation", "MeasuresLike")
    Store, View = type_in("cranfield.store.store", "Store"), type_in("cranfield.view", "View")

ScoresOrFile: TypeAlias = ScoresLike | str | PathLike[str]
SourceOfScores: TypeAlias = str | PathLike[str] | Store | View
TrueScores = Annotated[
    ScoresOrFile | SourceOfScores,
    Argument(
        "One or two files of scores, written by `evaluate` (JSON, CSV, TSV), trec_eval, MTEB or AutoJudge, or"
        " folders of them; or a store, or a qrels file followed by run files. The first is the truth.",
        metavar="A [B...]", typed=list[Path], reads="store, or qrels and runs",
    ),
]  # fmt: skip
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
