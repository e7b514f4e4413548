"""TREC runs: `qid Q0 docno rank score tag`, and trec_eval's reading of them.

The second and the rank column are ignored; columns after the tag are too; the run's tag is that of its last line. What
comment lines at the start say of the run, `ir_metadata.py` reads and writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np

from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.layout import Layout
from cranfield.formats.records import Format
from cranfield.formats.runs.ir_metadata import header
from cranfield.formats.whole_files import write_lines
from cranfield.formats.writable import check_words

LAYOUT = Layout("a run has", ("qid", "Q0", "docno", "rank", "score", "tag"), number="score", more=True)


def read(source: OpenFile) -> UnreadTable:
    return UnreadTable(source.path, source.data(), LAYOUT)


def write(path: Path, run: Runs, metadata: Mapping[str, object]) -> None:
    """Write one run. What has white space in a name is refused, for it would be read as more columns."""
    if len(run.tags) != 1:
        raise InputError(f"{len(run.tags)} runs; a run file holds one", path)
    qids = run.topics.names[np.unique(run.topic)]
    docnos = run.docnos.names[np.unique(run.document)]
    check_words(path, qid=qids, docno=docnos, tag=run.tags)
    write_lines(path, chain(header(metadata) if metadata else (), _lines(run)))


def _lines(run: Runs) -> Iterator[str]:
    qids, docnos = run.topics.names[run.topic], run.docnos.names[run.document]
    for qid, docno, rank, score in zip(qids, docnos, run.rank.tolist(), run.score.tolist(), strict=True):
        yield f"{qid} Q0 {docno} {rank} {score!r} {run.tags[0]}"


RUN = Format("run", "trec", "qid Q0 docno rank score tag", lambda head, path: True, read, write)
