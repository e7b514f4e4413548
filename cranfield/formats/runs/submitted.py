"""Run files as they were submitted: the order of their lines, and the rank column that trec_eval ignores."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Names
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import Path, opened
from cranfield.formats.layout import as_score
from cranfield.formats.runs.trec import LAYOUT

WITH_RANKS = replace(LAYOUT, columns=("qid", "Q0", "docno", "iteration", "score", "tag"))


class Submitted(NamedTuple):
    """Where some documents stand in a run file: the place of their lines, and what the rank column says."""

    line: Ints
    rank: Floats  # nan where the column has no number


def submitted(path: Path, qids: Names, docnos: Names) -> Submitted:
    """Look up the lines of these topics and documents, all of which the file has.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     print("q Q0 d1 2 .5 r", "q Q0 d2 1 .5 r", sep="\\n", file=file, flush=True)
    ...     submitted(file.name, np.array(["q", "q"], object), np.array(["d2", "d1"], object))
    Submitted(line=array([1, 0]), rank=array([1., 2.]))
    """
    from cranfield.formats.arrow import unordered

    with opened(path) as source:
        columns = UnreadTable(path, source.data(), WITH_RANKS).columns()
    topics, topic = unordered(columns.qid)
    documents, document = unordered(columns.docno)
    ranks, rank = unordered(columns.iteration)
    pair = topic * len(documents.names) + document
    wanted = topics.codes(qids) * len(documents.names) + documents.codes(docnos)
    order = np.argsort(pair)
    line = order[np.searchsorted(pair, wanted, sorter=order)]
    number = np.array([np.nan if (said := as_score(name.encode())) is None else said for name in ranks.names])
    return Submitted(line, number[rank[line]])
