"""Judging: what `cranfield agreement`, `progress`, `diff`, `why`, `rehearse`, `assign` and `adjudicate --list` show,
and work that leaves the store as a page and comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cranfield.api.arguments import checked
from cranfield.api.frames import wide
from cranfield.api.keywords import adding, of_runs, of_store
from cranfield.errors import InputError
from cranfield.metrics.inputs import QrelsLike, as_qrels
from cranfield.options import ScopeOptions, SetOptions
from cranfield.options.judging import AgreementOptions, RehearseOptions
from cranfield.options.values import expected
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


class AgreementHere(AgreementOptions):
    """The same, as a table of which form, of which release."""

    pivot: bool = False
    release: str | None = None


@checked
@of_store(AgreementHere, "agreement")
def measure_agreement(
    given: StoreGiven | Sequence[str | PathLike[str]] | Mapping[str, QrelsLike],
    options: AgreementHere,
    reading: Reading,
) -> DataFrame:
    """How far assessors agree: one row per coefficient, and per pair of assessors or topic.

    `given` is a store, paths of qrels, or a dict of judgments by assessor; `release` names one of the store's releases.
    value, low and high are NaN if undefined;
    intervals are 95 % bootstrap intervals over topics. With `pivot`, the values with one column per coefficient.

    >>> labels = {"ada": {"q": {"d1": 1, "d2": 0}}, "bob": {"q": {"d1": 1, "d2": 1}}}
    >>> measure_agreement(labels, coefficients=["overlap"])[["coefficient", "units", "value"]].values.tolist()
    [['overlap', 2, 0.5]]
    """
    import pandas as pd

    from cranfield.analysis.labels import agreement_of, labels_of_qrels, labels_to_compare

    if isinstance(given, Mapping):
        if options.topics is not None:
            raise InputError("topics is for a store or files; leave the other topics out of the dict")
        by_name = {name: as_qrels(qrels) for name, qrels in given.items()}
        panel = labels_of_qrels(by_name, options.scale, options.min_relevant)
    else:
        place = store_in(given)
        files: Any = [given] if isinstance(given, str | PathLike) else given
        if place is None and (expected(Sequence[str | PathLike[str]], {}, files) or not len(files)):
            raise InputError("labels are those of a store, of paths of qrels, or of a dict of judgments by assessor")
        paths = [place] if place is not None else [reading.of(Path(one)) for one in files]
        panel, _ = labels_to_compare(paths, options)
    by, coefficients = options.by, agreement_of(panel.binary() if options.binary else panel, options)
    table = pd.DataFrame([one.document() | {"assessors": ", ".join(one.assessors)} for one in coefficients])
    keys = {"overall": "assessors", "pair": "assessors", "topic": "topic"}
    return wide(table, [keys[by]], "coefficient", "value") if options.pivot else table


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
