"""The lines of a run file that hold given documents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Names
from cranfield.errors import Path
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import open_file
from cranfield.formats.layout import as_score
from cranfield.formats.runs.files import TREC_LAYOUT

RANKED_LAYOUT = TREC_LAYOUT._replace(columns=("qid", "Q0", "docno", "iteration", "score", "tag"))


class SubmittedLines(NamedTuple):
    """Where some documents stand in a run file: the place of their lines, and what the rank column says."""

    line: Ints
    rank: Floats  # nan where the column has no number


def submitted_lines(path: Path, qids: Names, docnos: Names) -> SubmittedLines:
    """Look up the lines of these topics and documents, all of which the file has.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     print("q Q0 d1 2 .5 r", "q Q0 d2 1 .5 r", sep="\\n", file=file, flush=True)
    ...     submitted_lines(file.name, np.array(["q", "q"], object), np.array(["d2", "d1"], object))
    SubmittedLines(line=array([1, 0]), rank=array([1., 2.]))
    """
    from cranfield.formats.arrow import vocabulary_in_file_order

    with open_file(path) as source:
        columns = UnreadTable(path, source.data(), RANKED_LAYOUT).columns()
    topics, topic = vocabulary_in_file_order(columns.qid)
    documents, document = vocabulary_in_file_order(columns.docno)
    ranks, rank = vocabulary_in_file_order(columns.iteration)
    pair = topic * len(documents.names) + document
    pairs = topics.codes(qids) * len(documents.names) + documents.codes(docnos)
    order = np.argsort(pair)
    line = order[np.searchsorted(pair, pairs, sorter=order)]
    number = np.array([np.nan if (score := as_score(name.encode())) is None else score for name in ranks.names])
    return SubmittedLines(line, number[rank[line]])
