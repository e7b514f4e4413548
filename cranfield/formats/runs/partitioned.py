"""Runs as a partitioned Parquet data set, FOLDER/qid_block=.../*.parquet with the columns run, qid, docno and score.

A block has all rows of its topics, so that it can be read, joined and scored without the others: the runs are read as a
whole when a command asks for all of them, else block by block. The folder is on this machine or where fsspec finds it,
as s3://bucket/runs. Messages name the file and the row.
"""

import os
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from cranfield.arrays.join import Judgments
from cranfield.arrays.judged import Judged, JudgedBlocks, Unmet, UnreadRuns
from cranfield.arrays.rankings import Ints, Qrels, Runs, Vocabulary, distinct_codes_and_places, sort_runs
from cranfield.errors import InputError
from cranfield.errors import Path as FilePath
from cranfield.extras import require_extra
from cranfield.formats.arrow import as_numpy, codes_of, merge_chunks, sorted_vocabulary, vocabulary_in_file_order
from cranfield.formats.delimited import check_distinct_columns
from cranfield.formats.given_files import TOPIC_BLOCK, URL_PATTERN
from cranfield.parallel import map_blocks, map_in_threads

COLUMNS = ("run", "qid", "docno", "score")
MOST_TOPICS, MOST_ROWS = 50, 2_000_000  # of a block
FEWEST_BLOCKS = 16  # of a data set with that many topics
UNTIDY = r"[\t\r\n\x00]|^\s|\s$|^$"


class Partition(NamedTuple):
    """One block of topics: its name, and its files."""

    name: str
    files: tuple[str, ...]

    def topics_and_tags(self) -> tuple[list[str], list[str]]:
        """Which topics and which runs it has, in byte order."""
        tables = [_read_columns(file, COLUMNS[:2]) for file in self.files]
        qids, tags = ({one for table in tables for one in table[name].unique().to_pylist()} for name in ("qid", "run"))
        return sorted(qids), sorted(tags)

    def runs(self, tags: Sequence[str]) -> Runs:
        """These runs, in canonical order; a document twice in a ranking is an error."""
        import pyarrow as pa

        tables = [_read_columns(file, COLUMNS) for file in self.files]
        columns = {name: pa.chunked_array([table[name] for table in tables]) for name in COLUMNS}
        run, qid, docno = (merge_chunks(columns[name]) for name in COLUMNS[:3])
        (topics, topic), (docnos, document) = sorted_vocabulary(qid), vocabulary_in_file_order(docno)
        code, score = codes_of(run).astype(np.int64), as_numpy(pa.concat_arrays(columns["score"].chunks))
        self._check_duplicates(columns, code, topic, document)
        number = {tag: at for at, tag in enumerate(tags)}
        code = np.array([number.get(tag, -1) for tag in run.dictionary.to_pylist()], np.int64)[code]
        keep = slice(None) if (code >= 0).all() else np.flatnonzero(code >= 0)
        return sort_runs(
            tuple(tags), topics, docnos, run=code[keep], topic=topic[keep], document=document[keep], score=score[keep]
        )

    def _check_duplicates(self, columns: Any, run: Ints, topic: Ints, document: Ints) -> None:
        key = (run * (topic.max(initial=0) + 1) + topic) * (document.max(initial=0) + 1) + document
        keys = np.sort(key)
        twice = keys[1:][keys[1:] == keys[:-1]]
        if not len(twice):
            return
        first, second = np.flatnonzero(np.isin(key, twice[:1]))[:2].tolist()
        tag, qid, docno = (columns[name][second].as_py() for name in COLUMNS[:3])
        (file, row), (other, at) = self._file_and_row(second), self._file_and_row(first)
        where = f"in row {at}" if file == other else f"in row {at} of {other}"
        raise InputError(f"duplicate document {docno} of topic {qid} in run {tag}, first {where}", file, row)

    def _file_and_row(self, row: int) -> tuple[str, int]:
        """The file of a row of all of them, and its number there."""
        for file in self.files:
            with _open_parquet(file) as parquet:
                size = parquet.metadata.num_rows
            if row < size:
                return file, row + 1
            row -= size
        raise IndexError(row)


def write_parts(folder: Path, runs: Runs) -> int:
    """Write runs as a data set, by topic, run and rank; how many blocks it has."""
    require_extra("arrow", "a Parquet file")
    topics = runs.topics.sorted_codes(runs.topic)
    rows_per_topic = -(-len(runs) // max(1, len(topics)))
    size = max(1, min(MOST_TOPICS, -(-len(topics) // FEWEST_BLOCKS), MOST_ROWS // max(1, rows_per_topic)))
    place = np.zeros(int(topics.max(initial=-1)) + 1, np.int64)
    place[topics] = np.arange(len(topics))
    block = place // size
    order = np.argsort(place[runs.topic], kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(block[runs.topic]))[:-1])
    for number, some in enumerate(rows):
        target = folder / f"{TOPIC_BLOCK}{number:05}"
        target.mkdir()
        _write_runs(target / "part-0.parquet", runs.rows(some))
    return len(rows)


def _write_runs(path: Path, runs: Runs) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    tags = Vocabulary(runs.tags)
    names = {"run": (tags, runs.run), "qid": (runs.topics, runs.topic), "docno": (runs.docnos, runs.document)}
    columns = {name: _dictionary_array(*column) for name, column in names.items()} | {"score": pa.array(runs.score)}
    parquet.write_table(pa.table(columns), path, store_schema=False)  # plain text for all other readers


def _dictionary_array(names: Vocabulary, codes: Ints) -> Any:
    """The names of these integers as a dictionary array."""
    import pyarrow as pa

    used, place = distinct_codes_and_places(codes)
    texts = pa.array(names.names_at(used).tolist(), "str")
    return pa.DictionaryArray.from_arrays(pa.array(place.astype(np.int32)), texts)


def refuse_blocks(folder: Path) -> None:
    """Refuse a folder that has blocks already: those that are not replaced would be part of the data set."""
    for block in sorted(folder.glob(f"{TOPIC_BLOCK}*")):
        raise InputError("a block of runs already exists; remove it, or choose another folder", block)


def list_partitions(path: FilePath) -> list[Partition]:
    """The blocks of a data set, by name."""
    files = sorted(_block_files(path))
    blocks: dict[str, list[str]] = {}
    for file in files:
        blocks.setdefault(Path(file).parent.name, []).append(file)
    if not blocks:
        raise InputError(
            f"no runs in this folder; expected {TOPIC_BLOCK}.../*.parquet, as `export runs --as parquet` writes",
            _url_of_path(path) or path,
        )
    return [Partition(name, tuple(some)) for name, some in blocks.items()]


def _block_files(path: FilePath) -> list[str]:
    address = _url_of_path(path)
    if address is None:
        return [str(file) for file in Path(path).absolute().glob(f"{TOPIC_BLOCK}*/*.parquet")]
    require_extra("cluster", "an address", "fsspec", path=address)
    import fsspec

    with _input_errors(address):
        files, root = fsspec.core.url_to_fs(address)
        names = files.glob(f"{root.rstrip('/')}/{TOPIC_BLOCK}*/*.parquet")
        return [files.unstrip_protocol(name) for name in names]


def _url_of_path(path: FilePath) -> str | None:
    """The URL that a path was made from.

    >>> _url_of_path(Path("s3://bucket/runs")), _url_of_path(Path("file:///runs")), _url_of_path("a.run")
    ('s3://bucket/runs', 'file:///runs', None)
    """
    url = URL_PATTERN.fullmatch(os.fspath(path))
    return url and f"{url[1]}://{'/' if url[1] == 'file' else ''}{url[2]}"


@contextmanager
def _input_errors(place: str) -> Iterator[None]:
    """What goes wrong with a file system is an InputError."""
    try:
        yield
    except (OSError, ImportError, ValueError) as error:
        raise InputError(f"cannot be read: {error}".splitlines()[0], place) from error


@contextmanager
def _open_parquet(file: str) -> Iterator[Any]:
    """The file as Arrow's ParquetFile, which keeps ids as dictionary arrays."""
    import pyarrow as pa
    from pyarrow import parquet

    with ExitStack() as stack:
        stack.enter_context(_input_errors(file))
        source: Any = file
        if _url_of_path(file) is not None:
            import fsspec

            source = stack.enter_context(fsspec.open(file))
        try:
            about = parquet.read_metadata(source)
        except pa.ArrowException as error:
            raise InputError(f"not Parquet: {error}".splitlines()[0], file) from error
        check_distinct_columns(about.schema.to_arrow_schema().names, file, None)
        ids = [name for name in COLUMNS[:3] if name in about.schema.names]
        yield stack.enter_context(parquet.ParquetFile(source, metadata=about, read_dictionary=ids))


def _read_columns(file: str, columns: Sequence[str]) -> dict[str, Any]:
    """Some columns: ids as dictionary arrays of text, scores as numbers; what cannot be one is an error."""
    import pyarrow as pa

    with _open_parquet(file) as parquet:
        missing = [name for name in columns if name not in parquet.schema_arrow.names]
        if missing:
            raise InputError(f"no column {missing[0]!r}; expected {', '.join(COLUMNS)}", file)
        table = parquet.read(list(columns))
        return {
            name: _read_scores(file, table[name].cast(pa.float64()))
            if name == "score"
            else _read_ids(file, name, table[name])
            for name in columns
        }


def _read_scores(file: str, column: Any) -> Any:
    import pyarrow.compute as pc

    bad = pc.is_null(column, nan_is_null=True)
    if pc.any(bad).as_py():
        row = pc.index(bad, True).as_py()
        raise InputError(f"score is {column[row].as_py()}; expected a number", file, row + 1)
    return column.combine_chunks()


def _read_ids(file: str, name: str, column: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    is_coded = pa.types.is_dictionary(column.type) and column.type.value_type == pa.string()
    codes = column if is_coded else column.cast(pa.string()).dictionary_encode()
    array = merge_chunks(codes)
    if array.null_count or pc.any(pc.match_substring_regex(array.dictionary, UNTIDY)).as_py():
        texts = array.cast(pa.string())
        bad = pc.fill_null(pc.match_substring_regex(texts, UNTIDY), True)
        if pc.any(bad).as_py():
            row = pc.index(bad, True).as_py()
            what = f"{name} is {texts[row].as_py()!r}; expected an id without blanks around it"
            raise InputError(what, file, row + 1)
    return array


T = TypeVar("T")


class PartitionedRuns(UnreadRuns):
    """Runs by blocks of topics; `blocks` has each block and its topics."""

    def __init__(self, tags: Sequence[str], topics: Vocabulary, blocks: Sequence[tuple[Partition, list[str]]]) -> None:
        everything = Partition("", tuple(file for part, _ in blocks for file in part.files))
        super().__init__(tags, topics, Vocabulary(lambda: self.loaded.docnos.names), partial(map, everything.runs))
        vars(self).update(blocks=blocks)

    blocks: Sequence[tuple[Partition, list[str]]]

    def parts(self, tags: Collection[str] | None = None) -> Iterator[Runs]:
        """All of them at once, as each block has some of every run."""
        yield self.loaded

    def select(self, tags: Sequence[str]) -> Runs:
        """Only these runs, in the order they are here."""
        names = set(tags)
        return PartitionedRuns([tag for tag in self.tags if tag in names], self.topics, self.blocks)

    def map_blocks(self, work: Callable[..., T], qrels: Qrels, *arguments: Any) -> Iterator[T]:
        """The results of `work(runs, judged, *shared)`, block by block; with these judgments."""
        return map_blocks(
            _run_with_judged,
            [(block,) for block in _match_judgments(self, qrels)[1]],
            (work, *arguments),
            map_in_threads,
        )


class JudgedPart(NamedTuple):
    """A block of runs and the judgments of its topics, with what all judgments say about these."""

    part: Partition
    tags: tuple[str, ...]
    qrels: Qrels
    bare: Judged

    def runs(self) -> Runs:
        """The runs of the block."""
        return self.part.runs(self.tags)

    def judged(self, runs: Runs | None = None) -> Judged:
        """The judged positions of its runs."""
        block = Judgments(self.qrels).meet(self.runs() if runs is None else runs)
        return replace(
            block,
            highest_grade=self.bare.highest_grade,
            has_nonrelevant=self.bare.has_nonrelevant,
            qrels_stratum=self.bare.qrels_stratum,
        )


def open_partitioned_runs(path: FilePath) -> PartitionedRuns:
    """The runs of a data set, unread, in the byte order of their tags; a topic in two blocks is an error."""
    parts = list_partitions(path)
    require_extra("arrow", "a Parquet file", path=path)
    names = list(map_blocks(Partition.topics_and_tags, [(part,) for part in parts], here=map_in_threads))
    place: dict[str, Partition] = {}
    for part, (qids, _) in zip(parts, names, strict=True):
        for qid in qids:
            if qid in place:
                message = f"topic {qid} is in {place[qid].name} and in {part.name}; expected each topic in one block"
                raise InputError(message, path)
            place[qid] = part
    tags = sorted({tag for _, some in names for tag in some})
    blocks = [(part, qids) for part, (qids, _) in zip(parts, names, strict=True)]
    return PartitionedRuns(tags, Vocabulary(sorted(place)), blocks)


def judged_blocks(runs: PartitionedRuns, qrels: Qrels) -> JudgedBlocks:
    """The judged positions of runs, in blocks that are read when they are asked for."""
    bare, parts, topics = match_blocks_with_judgments(runs, qrels)
    return JudgedBlocks(bare, topics, parts, JudgedPart.judged)


def match_blocks_with_judgments(runs: PartitionedRuns, qrels: Qrels) -> tuple[Judged, list[JudgedPart], list[Ints]]:
    """All judgments, and each block that has judged topics, with its own judgments and its topics.

    An error where the runs answer other topics than were judged.
    """
    Judgments(qrels).refuse_if_no_topic_is_judged(runs.topics.names.tolist())
    blocks = _match_judgments(runs, qrels)
    # errors in blocks in which no topic was judged are errors, as in run files
    if others := [(part, runs.tags) for part, _ in runs.blocks if part not in {one.part for one in blocks[1]}]:
        deque(map_blocks(_check_known_tags, others, here=map_in_threads), 0)
    return blocks


def _check_known_tags(part: Partition, tags: Sequence[str]) -> None:
    part.runs(tags)


def _match_judgments(runs: PartitionedRuns, qrels: Qrels) -> tuple[Judged, list[JudgedPart], list[Ints]]:
    """All judgments, and each block with its own; topics that no run answers go with the last block."""
    bare = Judgments(qrels).judged_without_runs(runs.tags)
    bare = replace(bare, unmet=Unmet(tuple(sorted({*runs.topics.names.tolist()} - {*bare.qids}))))
    block = np.full(len(bare.qids), len(runs.blocks) - 1)
    number = {qid: at for at, qid in enumerate(bare.qids)}
    for at, (_, qids) in enumerate(runs.blocks):
        block[[number[qid] for qid in qids if qid in number]] = at
    blocks = [(part, np.flatnonzero(block == at)) for at, (part, _) in enumerate(runs.blocks)]
    judged = [(part, some) for part, some in blocks if len(some)]
    parts = [
        JudgedPart(part, runs.tags, _qrels_of_topics(qrels, bare, some), bare.select_topics(some))
        for part, some in judged
    ]
    return bare, parts, [some for _, some in judged]


def _qrels_of_topics(qrels: Qrels, bare: Judged, topics: Ints) -> Qrels:
    """The judgments of some topics, without names that they do not need."""
    rows = np.sort(bare.qrels_row[np.isin(bare.qrels_topic, topics)])
    some = qrels.rows(rows)
    docnos, document = _used_names(qrels.docnos, some.document)
    names, topic = _used_names(qrels.topics, some.topic)
    return replace(some, topics=names, docnos=docnos, topic=topic, document=document)


def _used_names(names: Vocabulary, codes: Ints) -> tuple[Vocabulary, Ints]:
    """Only the names that occur, in the same order, and their integers."""
    used, place = distinct_codes_and_places(codes)
    return Vocabulary(names.names_at(used).tolist()), place


def _run_with_judged(block: JudgedPart, work: Callable[..., T], *arguments: Any) -> T:
    runs = block.runs()
    return work(runs, block.judged(runs), *arguments)
