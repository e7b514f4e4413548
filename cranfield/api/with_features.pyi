"""Made by `python -m tests.stubs` from the functions and from what features add to their commands."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Literal

from pandas import DataFrame

from cranfield.api.inputs import Labels, QrelsGiven, RunsGiven
from cranfield.metrics.notation import MeasureLike

def compare(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    baseline: str | None = None,
    test: str = "t",
    correction: str | None = None,
    measures: MeasureLike | Iterable[MeasureLike] | None = None,
    alpha: float = 0.05,
    samples: int = 100000,
    seed: int = 0,
    zeros: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
    pivot: bool = False,
    topics: str = "all",
    assessor: str | None = None,
    labels: Literal["people", "models", "all"] = "all",
    cluster: str | None = None,
    answers: bool = False,
    nuggets: Labels | None = None,
    round: str | None = None,
    judged: str | None = None,
    remove_judged: str | None = None,
) -> DataFrame: ...
def evaluate(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    measures: MeasureLike | Iterable[MeasureLike] = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "Judged@10"),
    per_topic: bool = False,
    retrieved_topics_only: bool = False,
    pivot: bool = False,
    release: str | None = None,
    topics: str = "all",
    assessor: str | None = None,
    labels: Literal["people", "models", "all"] = "all",
    cluster: str | None = None,
    answers: bool = False,
    labelled_topics_only: bool = False,
    nuggets: Labels | None = None,
    of: str | None = None,
    round: str | None = None,
    judged: str | None = None,
    remove_judged: str | None = None,
) -> DataFrame: ...
def leave_one_out(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    units: Mapping[str, Sequence[str]] | None = None,
    pivot: bool = False,
    by: Literal["run", "team", "kind", "cluster"] = "run",
    depth: int | None = None,
    pool: int | None = None,
    measures: MeasureLike | Iterable[MeasureLike] = ("AP", "nDCG@10", "P@10"),
    teams: str | PathLike[str] | Mapping[str, str] | None = None,
    protect: str | None = None,
    relevant_only: bool = False,
    release: str | None = None,
    topics: str = "all",
    assessor: str | None = None,
    labels: Literal["people", "models", "all"] = "all",
    cluster: str | None = None,
    answers: bool = False,
    nuggets: Labels | None = None,
    round: str | None = None,
    judged: str | None = None,
    remove_judged: str | None = None,
) -> DataFrame: ...
