"""Reading corpora, topics, runs and qrels, whatever their format."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np

from cranfield.errors import InputError
from cranfield.formats.columns import Columns, Table
from cranfield.formats.files import Path, bare_name, opened
from cranfield.formats.records import Document, Topic
from cranfield.formats.table import AUTO, chosen
from cranfield.rankings import Ints, Qrels, Runs, Vocabulary, by_subtopic, canonical

Progress = Callable[[int], object]
Coded = tuple[Vocabulary, Ints]  # names, and the integer of each row
_BATCH = 1000


def read_corpus(path: Path, format: str = AUTO, progress: Progress | None = None) -> Iterator[Document]:
    """The documents of a corpus, one at a time; `progress` is told of every thousand.

    Nothing is opened, and nothing refused, before the first document is asked for. Two documents may
    have the same docno: whoever keeps them finds out.
    """
    count = 0
    with opened(path) as source:
        for document in chosen("corpus", format, source).read(source):
            yield document
            count += 1
            if progress and count % _BATCH == 0:
                progress(_BATCH)
    if progress and count % _BATCH:
        progress(count % _BATCH)


def read_topics(path: Path, format: str = AUTO) -> list[Topic]:
    """The topics of a file, in its order. A file without topics, or with two of one id, is refused."""
    lines: dict[str, int] = {}
    topics = []
    with opened(path) as source:
        for line, topic in chosen("topics", format, source).read(source):
            first = lines.setdefault(topic.qid, line)
            if first != line:
                raise InputError(f"topic {topic.qid} again, as on line {first}; it may be there once", path, line)
            topics.append(topic)
    if not topics:
        raise InputError("no topics", path)
    return topics


def read_runs(paths: Path | Iterable[Path], format: str = AUTO, progress: Progress | None = None) -> Runs:
    """The runs of many files, in canonical order; `progress` is told of every file.

    A run is called by the tag of its last line. Files that share a tag are called by their names instead.
    """
    from cranfield.formats.arrow import unordered, vocabulary

    paths, runs = _run_columns(paths, format, progress)
    vocabularies = vocabulary([run.qid for run in runs]), unordered([run.docno for run in runs])
    return _runs(_tags(paths, [run.tag for run in runs]), runs, *vocabularies)


def read_qrels(path: Path, format: str = AUTO, grades: Mapping[int, int] | None = None) -> Qrels:
    """The judgments of a file, sorted by topic and document.

    `grades` says what each grade of the file becomes; a grade it does not name is refused. Negative grades are
    kept as they are: in TREC's web tracks -2 is spam.
    """
    from cranfield.formats.arrow import vocabulary

    table = _qrels_table(path, format)
    columns = table.columns()
    if grades is not None:
        columns = _graded(table, columns, grades)
    if table.layout.by_subtopic:
        return _by_subtopic(columns)
    return _judgments(columns, table.layout.more_of_it, vocabulary([columns.qid]), vocabulary([columns.docno]))


def read_both(qrels: Path, runs: Iterable[Path], progress: Progress | None = None) -> tuple[Runs, Qrels]:
    """Runs and judgments over one vocabulary, so that they meet without a look at names."""
    from cranfield.formats.arrow import unordered, vocabulary

    table = _qrels_table(qrels, AUTO)
    if table.layout.by_subtopic:
        return read_runs(runs, progress=progress), read_qrels(qrels)
    judgments = table.columns()
    paths, read = _run_columns(runs, AUTO, progress)
    topics, topic = vocabulary([judgments.qid, *(run.qid for run in read)])
    docnos, document = unordered([judgments.docno, *(run.docno for run in read)])
    size = len(judgments.number)
    return (
        _runs(_tags(paths, [run.tag for run in read]), read, (topics, topic[size:]), (docnos, document[size:])),
        _judgments(judgments, table.layout.more_of_it, (topics, topic[:size]), (docnos, document[:size])),
    )


def _run_columns(
    paths: Path | Iterable[Path], format_name: str, progress: Progress | None
) -> tuple[list[Path], list[Columns]]:
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not paths:
        raise InputError("no run files")
    runs = []
    with ThreadPoolExecutor() as pool:
        for run in pool.map(partial(_read_run, format_name), paths):
            runs.append(run)
            if progress:
                progress(1)
    return paths, runs


def _qrels_table(path: Path, format_name: str) -> Table:
    with opened(path) as source:
        table: Table = chosen("qrels", format_name, source).read(source)
        return table


def _read_run(format_name: str, path: Path) -> Columns:
    with opened(path) as source:
        table: Table = chosen("run", format_name, source).read(source)
    return table.columns()


def _tags(paths: Sequence[Path], tags: Sequence[str]) -> list[str]:
    """The name of each run; names are told apart or refused.

    >>> _tags(["a/input.r1.gz", "a/r2.txt", "a/r3"], ["prceo1", "prceo1", "Sel50"])
    ['r1', 'r2', 'Sel50']
    """
    uses = Counter(tags)
    names = [tag if uses[tag] == 1 else bare_name(path) for path, tag in zip(paths, tags, strict=True)]
    first: dict[str, Path] = {}
    for name, path in zip(names, paths, strict=True):
        if name in first:
            raise InputError(f"a run called {name!r} again, as {os.fspath(first[name])}; names may be there once", path)
        first[name] = path
    return names


def _runs(tags: Sequence[str], runs: Sequence[Columns], topics: Coded, docnos: Coded) -> Runs:
    score = np.concatenate([run.number for run in runs])
    run = np.repeat(np.arange(len(runs)), [len(run.number) for run in runs])
    return canonical(tags, topics[0], docnos[0], run, topics[1], docnos[1], score)


def _graded(table: Table, columns: Columns, grades: Mapping[int, int]) -> Columns:
    found, at = np.unique(columns.number, return_inverse=True)
    if any(grade not in grades for grade in found.tolist()):
        row = next(row for row in table.rows() if row.number not in grades)
        known = ", ".join(map(str, grades))
        raise InputError(f"grade {row.number}, where the known grades are {known}", table.path, row.line)
    return replace(columns, number=np.array([grades[grade] for grade in found.tolist()], np.int64)[at])


def _judgments(columns: Columns, kept: str, topics: Coded, docnos: Coded) -> Qrels:
    from cranfield.formats.arrow import decoded

    grade: Ints = columns.number.astype(np.int64)
    more = decoded(columns.iteration)
    iteration, stratum = (None, more) if kept == "stratum" else (more, None)
    order = np.lexsort((docnos[1], topics[1]))
    return Qrels(topics[0], docnos[0], topics[1], docnos[1], grade, iteration, stratum).rows(order)


def _by_subtopic(columns: Columns) -> Qrels:
    from cranfield.formats.arrow import vocabulary

    topics, topic = vocabulary([columns.qid])
    docnos, document = vocabulary([columns.docno])
    subtopics, subtopic = vocabulary([columns.iteration])
    grade: Ints = columns.number.astype(np.int64)
    return by_subtopic(topics, docnos, subtopics, topic, document, subtopic, grade)
