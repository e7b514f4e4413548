"""Made by `python -m tests.stubs` from the functions and from what features add to their commands."""

from collections.abc import Mapping
from os import PathLike
from typing import Literal

from pandas import DataFrame

from cranfield.view import QrelsGiven, RunsGiven

def forecast_completeness(
    qrels: QrelsGiven,
    runs: RunsGiven | None = None,
    *,
    depth: int | None = None,
    to: int | None = None,
    last: int = 50,
    draw: tuple[int, str | PathLike[str]] | None = None,
    pool_out: str | PathLike[str] | None = None,
    store_pool: bool = False,
    drawn: str | PathLike[str] | None = None,
    new_run: str | None = None,
    frame_depth: int = 50,
    seed: int = 0,
    topics: str | None = None,
    round: str | None = None,
    judged: Literal["residual", "own", "cumulative"] | None = None,
    remove_judged: str | PathLike[str] | None = None,
    teams: str | PathLike[str] | Mapping[str, str] | None = None,
    ignore_own_id: bool = False,
    assessor: str | None = None,
    policy: str | None = None,
    labels: Literal["people", "models", "all"] = "all",
    pool: int | None = None,
) -> DataFrame: ...
