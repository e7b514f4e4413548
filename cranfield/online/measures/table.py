"""The table of online measures, and how their names are written: CTR, CTR@10."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cranfield.errors import MeasureError

from cranfield.online.measures.abandonment import ABANDONMENT
from cranfield.online.measures.clicks_per_search import CLICKS_PER_SEARCH
from cranfield.online.measures.conversion import CONVERSION
from cranfield.online.measures.ctr import CTR
from cranfield.online.measures.dwell import DWELL
from cranfield.online.measures.measure import OnlineMeasure
from cranfield.online.measures.reciprocal_ranks import MAX_RR, MEAN_RR
from cranfield.online.measures.reformulation import REFORMULATION
from cranfield.online.measures.satisfied import SATISFIED
from cranfield.online.measures.time_to_click import TIME_TO_CLICK
from cranfield.online.measures.zero_hits import ZERO_HITS

ONLINE_MEASURES: Mapping[str, OnlineMeasure] = {
    measure.name: measure
    for measure in (
        CTR, ABANDONMENT, CLICKS_PER_SEARCH, MAX_RR, MEAN_RR, TIME_TO_CLICK, DWELL, SATISFIED, REFORMULATION,
        CONVERSION, ZERO_HITS,
    )
}  # fmt: skip
NOTATION = re.compile(r"(\w+)(?:@([1-9]\d{0,8}))?")


def online_measure(name: str) -> OnlineMeasure:
    """The measure of this name, whatever its case; CTR@10 has a cutoff.

    >>> str(online_measure("ctr@10")), online_measure("Dwell").unit
    ('CTR@10', 'seconds')
    >>> online_measure("nDCG")
    Traceback (most recent call last):
    cranfield.errors.MeasureError: unknown online measure 'nDCG'; available: CTR, Abandonment, ClicksPerSearch, MaxRR,
    MeanRR, TimeToClick, Dwell, Satisfied, Reformulation, Conversion, ZeroHits
    """
    written = NOTATION.fullmatch(name.strip())
    known = {each.name.lower(): each for each in ONLINE_MEASURES.values()}
    if written is None or written[1].lower() not in known:
        raise MeasureError(f"unknown online measure {name!r}; available: {', '.join(ONLINE_MEASURES)}")
    found = known[written[1].lower()]
    if written[2] and not found.has_cutoff:
        raise MeasureError(f"{found.name} has no cutoff; expected {found.name}")
    return replace(found, cutoff=int(written[2])) if written[2] else found


def online_measures(names: Sequence[str]) -> list[OnlineMeasure]:
    """The measures of these names."""
    return [online_measure(name) for name in names]
