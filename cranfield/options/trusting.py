"""The options of `cranfield reusability`, `depths`, `stability`, `diagnose` and `report`."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from cranfield.options.option import Option
from cranfield.options.shared import (
    MeanOptions,
    Measures,
    PoolDepth,
    PoolNumber,
    Protect,
    Teams,
    Units,
)

MEASURES = ("AP", "nDCG@10", "P@10")


class ReusabilityOptions(MeanOptions):
    """What is left out of which pool, and what is measured."""

    by: Units = "run"
    depth: PoolDepth = None
    pool: PoolNumber = None
    measures: Measures = MEASURES
    teams: Teams = None
    protect: Protect = None
    relevant_only: Annotated[
        bool, Option("Remove only relevant unique documents, an older practice, for comparison.")
    ] = False
    release: str | None = None


class LeaveOutOptions(ReusabilityOptions):
    """The same as a table, or of units of one's own."""

    units: Mapping[str, Sequence[str]] | None = None
    pivot: bool = False


class DepthsOptions(MeanOptions):
    """The same at every depth of a pool."""

    by: Units = "run"
    depth: PoolDepth = None
    pool: PoolNumber = None
    every: Annotated[bool, Option("Show every depth, not a selection of 30.", "--all")] = False
    measures: Measures = "AP"
    teams: Teams = None
    protect: Protect = None
    pivot: bool = False


class StabilityOptions(MeanOptions):
    """What is measured on half of the topics."""

    measures: Measures = "AP"
    pivot: bool = False
