"""Run files as lines of columns: TREC's and MS MARCO's, their tags, and the order in which they were submitted."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Names, Runs
from cranfield.errors import InputError
from cranfield.formats.arrow import has_one_tag, last_tag, made_regular
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile, Path, opened
from cranfield.formats.layout import Layout, as_grade, as_score, first_rows
from cranfield.formats.named import unread
from cranfield.formats.records import Format
from cranfield.formats.runs.metadata import header
from cranfield.formats.whole_files import check_words, write_lines

TREC_LAYOUT = Layout("a run has", ("qid", "Q0", "docno", "rank", "score", "tag"), number="score", more=True)


def read_trec(source: OpenFile) -> UnreadTable:
    """TREC runs: `qid Q0 docno rank score tag`, and trec_eval's reading of them.

    The second and the rank column are ignored; columns after the tag are too; the run's tag is that of its last line.
    What comment lines at the start say of the run, `ir_metadata.py` reads and writes.
    """
    return UnreadTable(source.path, source.data(), TREC_LAYOUT)


def write_trec(path: Path, run: Runs, metadata: Mapping[str, object]) -> None:
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


TREC = Format("run", "trec", "qid Q0 docno rank score tag", lambda head, path: True, read_trec, write_trec)


MSMARCO_LINE = re.compile(rb"^[ \t]*(\S+)[ \t]+(\S+)[ \t]+(\d+)[ \t]*$", re.MULTILINE)


def detect_msmarco(head: bytes, path: str) -> bool:
    """Whether the lines at the start have three columns, a whole number in the last.

    >>> detect_msmarco(b"1048585\\t7187158\\t1\\n1048585\\t7187157\\t2\\n", "run"), detect_msmarco(b"1 0 d1 1", "run")
    (True, False)
    """
    rows = first_rows(head, 3)
    return bool(rows) and all(len(row) == 3 and as_grade(row[2]) is not None for row in rows)


def read_msmarco(source: OpenFile) -> UnreadTable:
    """MS MARCO runs: `qid docno rank`, ordered by rank; a run is named after its file."""
    return unread(source, "run", MSMARCO_LINE.sub(rb"-\3\t\1\t\2", source.data().replace(b"\r\n", b"\n")))


MSMARCO = Format("run", "msmarco", "qid docno rank, as MS MARCO's runs", detect_msmarco, read_msmarco)


def other_tags(table: UnreadTable) -> tuple[str, ...]:
    r"""The tags of a file besides that of its last line, in the order in which they come.

    >>> from cranfield.formats.runs.lines import TREC_LAYOUT
    >>> other_tags(UnreadTable("a.run", b"1 Q0 d1 1 2 b\n1 Q0 d2 2 1 a\n2 Q0 d1 1 1 c\n", TREC_LAYOUT))
    ('b', 'a')
    """
    if "tag" not in table.layout.columns:
        return ()
    regular = made_regular(table.body, table.layout.tabs)
    tag = last_tag(regular)
    if tag is not None and has_one_tag(regular, tag, regular.count(b"\n") + (not regular.endswith(b"\n"))):
        return ()
    tags = [row.tag for row in table.rows()]
    return tuple(one for one in dict.fromkeys(tags) if one != tags[-1])


WITH_RANKS = replace(TREC_LAYOUT, columns=("qid", "Q0", "docno", "iteration", "score", "tag"))


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
