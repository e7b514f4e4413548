"""Judging: what `cranfield agreement`, `progress`, `diff`, `why`, `rehearse`, `assign` and `adjudicate --list` show,
and work that leaves the store as a page and comes back."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Literal

from cranfield.api.arguments import checked
from cranfield.api.keywords import adding, of_runs
from cranfield.errors import InputError
from cranfield.options import ScopeOptions, SetOptions
from cranfield.options.judging import RehearseOptions
from cranfield.store.reading import Reading
from cranfield.view import (
    Measures,
    QrelsGiven,
    RunsGiven,
    StoreGiven,
    store_in,
    store_open,
)

if TYPE_CHECKING:
    from pandas import DataFrame


@checked
@adding("diff", ScopeOptions)
def compare_judgments(
    store: StoreGiven,
    a: str | PathLike[str],
    b: str | None = None,
    *,
    show: Literal["systems", "labels", "flips", "contents"] = "systems",
    measures: Measures = ("AP", "nDCG@10"),
    every: bool = False,
    reading: Reading,
) -> DataFrame:
    """Two sets of judgments: the runs' scores and ranks by both, the labels that differ, or the significance lost.

    `a` and `b` are policies, assessors, people or models, or qrels files, as in `cranfield diff`; `every` compares all
    labels of either side, not only the pairs that both label. Two qrels files may be given instead of a store and `a`,
    and runs as `b`. With show="contents" both are releases, `b` by default the store as it stands: a row for each
    topic, document, run and label that changed, with what, change, name and detail.
    """
    import pandas as pd

    from cranfield.analysis.changes import Change, content_changes
    from cranfield.analysis.labels import label_diff, label_diffs

    if show not in ("systems", "labels", "flips", "contents"):
        raise InputError(f"show is {show!r}; expected systems, labels, flips or contents")
    if show == "contents" and reading.selection.topics:
        raise InputError("contents are all that changed; topics does not go with them")
    if show == "contents":
        with store_open(store) as there:
            changes = content_changes(there, [str(a), *([] if b is None else [b])], measures).changes
        return pd.DataFrame(changes, columns=Change._fields)
    if store_in(store) is None and isinstance(store, str | PathLike):
        paths = [str(store), str(a), *([] if b is None else [str(b)])]
        [(_, _, difference)] = label_diffs(paths, measures, every, reading)
        return pd.DataFrame(difference.document["labels"]["changes"] if show == "labels" else difference.document[show])
    if b is None:
        raise InputError("name two sets of judgments to compare")
    with store_open(store) as there:
        document = label_diff(there, str(a), b, measures, every=every).document
    return pd.DataFrame(document["labels"]["changes"] if show == "labels" else document[show])


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
