"""The table of measures, in display order: the more important tend to come first.

A row is a file of this folder; its measure has the file's name in capitals. A file is loaded when its measure is used,
all of them for `MEASURES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cranfield.metrics.measure import Measure, measure_in

TABLE = (
    "ap",
    "ndcg",
    "p",
    "r",
    "r_cap",
    "f",
    "setap",
    "utility",
    "rr",
    "success",
    "rprec",
    "rprecmult",
    "gmap",
    "bpref",
    "gbpref",
    "q",
    "compat",
    "infap",
    "xinfap",
    "infndcg",
    "err",
    "nerr",
    "rbp",
    "rbpresid",
    "insq",
    "inst",
    "dcg",
    "idcg",
    "ndcgrel",
    "rndcg",
    "bing",
    "g",
    "cg",
    "sdcg",
    "bpm",
    "iprec",
    "ap11",
    "yaap",
    "alpha_ndcg",
    "alpha_dcg",
    "err_ia",
    "nerr_ia",
    "nrbp",
    "nnrbp",
    "ap_ia",
    "p_ia",
    "strecall",
    "judged",
    "unjudged",
    "accuracy",
    "numq",
    "numret",
    "numrel",
    "numrelret",
    "hits",
    "numnonrelret",
)
MEASURES: tuple[Measure, ...]
measure_of = partial(measure_in, __package__)


def __getattr__(name: str) -> tuple[Measure, ...]:
    if name != "MEASURES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(map(measure_of, TABLE))


def candidates(name: str) -> Iterator[Measure]:
    """The measures that may have this name, the likeliest first; each file is loaded when it is reached.

    >>> next(candidates("Bpref"))
    Bpref
    """
    return map(measure_of, (*(file for file in TABLE if file == name.lower()), *TABLE))
