"""Judging: what `cranfield agreement`, `progress`, `diff`, `why`, `rehearse`, `assign` and `adjudicate --list` show,
and work that leaves the store as a page and comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.api.keywords import of_runs
from cranfield.lazy import type_in
from cranfield.options import SetOptions
from cranfield.options.judging import RehearseOptions
from cranfield.store.reading import Reading
from cranfield.view import (
    QrelsGiven,
    RunsGiven,
)

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = type_in("pandas", "DataFrame")


class RehearseHere(RehearseOptions, SetOptions):
    """The same, of which topics."""


@checked
@of_runs(RehearseHere, "rehearse")
def rehearse(qrels: QrelsGiven, runs: RunsGiven, options: RehearseHere, reading: Reading) -> DataFrame:
    """Simulate assessors on known judgments: one row per policy and measure, how far the system ranking moves.

    tau and the other columns are means over the repeats, tau_min and max_change the worst of them.
    """
    import pandas as pd

    from cranfield.analysis.pools import rehearsal
    from cranfield.call_view import CallView

    view = CallView.of_objects(runs, qrels, options, reading).by_settled_labellers()
    _, document, _ = rehearsal(view.source, options)
    return pd.DataFrame(document["systems"])
