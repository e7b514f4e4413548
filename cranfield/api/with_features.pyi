"""Made by `python -m tests.stubs` from the functions and from what features add to their commands."""

from collections.abc import Mapping, Sequence
from typing import Any

from pandas import DataFrame

from cranfield.api.inputs import (
    Labels,
    Measures,
    QrelsGiven,
    RunsGiven,
    TeamsGiven,
    Topics,
    Units,
)

def compare(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    measures: Measures | None = None,
    baseline: str | None = None,
    assessor: str | None = None,
    labels: Labels = "all",
    pivot: bool = False,
    cluster: str | None = None,
    topics: Topics = "all",
    answers: bool = False,
    nuggets: Labels | None = None,
    **how: Any,
) -> DataFrame: ...
def evaluate(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    measures: Measures = ...,
    per_topic: bool = False,
    retrieved_topics_only: bool = False,
    assessor: str | None = None,
    labels: Labels = "all",
    pivot: bool = False,
    release: str | None = None,
    cluster: str | None = None,
    topics: Topics = "all",
    answers: bool = False,
    labelled_topics_only: bool = False,
    nuggets: Labels | None = None,
) -> DataFrame: ...
def leave_one_out(
    runs: RunsGiven,
    qrels: QrelsGiven = None,
    *,
    depth: int | None = None,
    units: Mapping[str, Sequence[str]] | None = None,
    measures: Measures = ...,
    by: Units = "run",
    teams: TeamsGiven = None,
    protect: str | None = None,
    relevant_only: bool = False,
    pool: int | None = None,
    assessor: str | None = None,
    labels: Labels = "all",
    pivot: bool = False,
    release: str | None = None,
    cluster: str | None = None,
    topics: Topics = "all",
    answers: bool = False,
    nuggets: Labels | None = None,
) -> DataFrame: ...
