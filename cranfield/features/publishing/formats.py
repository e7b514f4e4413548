"""The tables of a published collection, in Parquet in which the same rows give the same bytes.

Each table has its columns, with their types as Hugging Face's `datasets` names them; they are written and read a few
rows at a time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.formats.delimited import open_parquet
from cranfield.formats.files import open_file
from cranfield.text import counted

Columns = Mapping[str, str]  # name -> string, int64, float64 or bool

CORPUS: Columns = {
    "_id": "string", "title": "string", "text": "string", "url": "string", "sha256": "string", "metadata": "string",
}  # fmt: skip
CORPUS_WITHOUT_TEXT: Columns = {"_id": "string", "url": "string", "sha256": "string"}
QUERIES: Columns = {
    "_id": "string", "text": "string", "description": "string", "narrative": "string", "language": "string",
    "metadata": "string",
}  # fmt: skip
QRELS: Columns = {
    "query-id": "string", "corpus-id": "string", "score": "float64", "stratum": "string", "probability": "float64",
    "pool_depth": "int64", "labels": "int64", "source": "string",
}  # fmt: skip
JUDGMENTS: Columns = {
    "event": "int64", "at": "string", "kind": "string", "query-id": "string", "corpus-id": "string",
    "assessor": "string", "grade": "int64", "unsure": "bool", "reason": "string", "note": "string",
    "evidence": "string", "source": "string", "seconds": "float64", "position": "int64", "order_policy": "string",
    "order_seed": "int64", "document_sha256": "string", "pool": "int64", "supersedes": "int64", "input": "string",
    "fast": "bool", "highlight_terms": "string", "docno_shown": "bool", "commitment": "string",
}  # fmt: skip
POOLS: Columns = {
    "pool": "int64", "query-id": "string", "corpus-id": "string", "depth": "int64", "runs": "string",
    "stratum": "string", "probability": "float64",
}  # fmt: skip
MAY_BE_EMPTY = frozenset({
    "stratum", "probability", "pool_depth", "grade", "evidence", "seconds", "position", "order_seed",
    "document_sha256", "pool", "supersedes",
})  # fmt: skip
FRAME: Columns = {"pool": "int64", "query-id": "string", "corpus-id": "string", "stratum": "string"}


Row = Sequence[Any]

SHARD = 500_000_000  # bytes of a file at most
GROUP_ROWS, GROUP_BYTES = 10_000, 16 << 20  # of what is held in memory; a row that is larger stands alone
SETTINGS = {"compression": "zstd", "compression_level": 3, "version": "2.6", "store_schema": False}


class TableFile(NamedTuple):
    """A file, and its rows."""

    path: Path
    rows: int


def write_table(path: Path, columns: Columns, rows: Iterable[Row]) -> TableFile:
    r"""Write a table to one file.

    >>> from tempfile import TemporaryDirectory
    >>> columns = {"_id": "string", "probability": "float64"}
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "a.parquet")
    ...     write_table(file, columns, [("q1", 1), ("q2", None)]).rows
    ...     list(read_table(file, columns))
    2
    [('q1', 1.0), ('q2', None)]
    """
    with path.open("xb") as stream, _writer(stream, columns) as writer:
        count = 0
        for group in _groups(columns, rows):
            writer.write_table(group)
            count += group.num_rows
    return TableFile(path, count)


def write_shards(folder: Path, name: str, columns: Columns, rows: Iterable[Row], most: int = SHARD) -> list[TableFile]:
    """Write a table to as many files as it takes, NAME-00000-of-00002.parquet, ..., none larger than `most` bytes."""
    shards, groups = list[TableFile](), _groups(columns, rows)
    group = next(groups, None)
    while group is not None or not shards:
        path = folder / f"{len(shards)}.part"
        with path.open("xb") as stream, _writer(stream, columns) as writer:
            count = 0
            while group is not None and (not count or stream.tell() + group.nbytes <= most):
                writer.write_table(group)
                count += group.num_rows
                group = next(groups, None)
        shards.append(TableFile(path, count))
    names = [f"{name}-{number:05}-of-{len(shards):05}.parquet" for number in range(len(shards))]
    return [TableFile(one.path.rename(folder / own), one.rows) for one, own in zip(shards, names, strict=True)]


def _writer(stream: Any, columns: Columns) -> Any:
    require_extra("arrow", "a Parquet file")
    from pyarrow import parquet

    return parquet.ParquetWriter(stream, _schema(columns), **SETTINGS)


def _schema(columns: Columns) -> Any:
    require_extra("arrow", "a Parquet file")
    import pyarrow as pa

    types = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}
    return pa.schema([(name, types[dtype]) for name, dtype in columns.items()])


def _groups(columns: Columns, rows: Iterable[Row]) -> Iterator[Any]:
    """The rows as Arrow tables, each small enough to be held in memory."""
    require_extra("arrow", "a Parquet file")
    import pyarrow as pa

    schema = _schema(columns)
    for group in _pieces(rows):
        arrays = [pa.array(column, field.type) for column, field in zip(zip(*group, strict=True), schema, strict=True)]
        yield pa.Table.from_arrays(arrays, schema=schema)


def _pieces(rows: Iterable[Row]) -> Iterator[list[Row]]:
    piece, size = list[Row](), 0
    for row in rows:
        length = sum(len(value) for value in row if isinstance(value, str))
        if piece and (len(piece) == GROUP_ROWS or size + length > GROUP_BYTES):
            yield piece
            piece, size = [], 0
        piece.append(row)
        size += length
    if piece:
        yield piece


def read_table(path: Path, columns: Columns) -> Iterator[tuple[Any, ...]]:
    """The rows of a file that has just these columns."""
    with ExitStack() as stack:
        file = stack.enter_context(open_parquet(stack.enter_context(open_file(path, whole=False))))
        _check_columns(path, file.schema_arrow, columns)
        for batch in file.iter_batches(GROUP_ROWS):
            _check_cells(path, batch)
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def read_tables(paths: Iterable[Path], columns: Columns) -> Iterator[tuple[Any, ...]]:
    """The rows of several files, one after another."""
    return chain.from_iterable(read_table(path, columns) for path in paths)


def read_column(paths: Iterable[Path], columns: Columns, name: str) -> list[Any]:
    """One column of several files, one after another."""
    return [cell for path in paths for cell in _read_exact_columns(path, columns, [name]).column(0).to_pylist()]


def table_difference(own: Path, right: Path, columns: Columns, only: Sequence[str] | None = None) -> str:
    r"""The first difference between two files with these columns, `only` of some of them; "" if there is none.

    >>> from tempfile import TemporaryDirectory
    >>> columns = {"_id": "string", "probability": "float64"}
    >>> with TemporaryDirectory() as folder:
    ...     for name, share in (("a", None), ("b", 0.5)):
    ...         written = write_table(Path(folder, name), columns, [("q1", 1.0), ("q2", share)])
    ...     table_difference(*(Path(folder, name) for name in "ab"), columns)
    'row 2 (q2): probability is None; expected 0.5'
    """
    one, other = (_read_exact_columns(path, columns, list(only or columns)) for path in (own, right))
    if one.num_rows != other.num_rows:
        return f"{counted(one.num_rows, 'row')}; expected {other.num_rows:,}"
    if one.equals(other):
        return ""
    places = {name: _first_different(one.column(name), other.column(name)) for name in one.column_names}
    row, name = min((row, name) for name, row in places.items() if row >= 0)
    ids = ", ".join(str(one.column(key)[row]) for key in one.column_names if key.endswith(("_id", "-id")))
    return f"row {row + 1} ({ids:.60}): {name} is {_show(one, name, row)}; expected {_show(other, name, row)}"


def _first_different(one: Any, other: Any) -> int:
    """The first row in which two columns differ, -1 if there is none."""
    from pyarrow import compute

    same = compute.fill_null(compute.equal(one, other), False)
    neither = compute.and_(one.is_null(), other.is_null())
    return int(compute.index(compute.or_(same, neither), False).as_py())


def _show(table: Any, name: str, row: int) -> str:
    return f"{table.column(name)[row].as_py()!r:.60}"


def _read_exact_columns(path: Path, columns: Columns, names: Sequence[str]) -> Any:
    """Some columns of a file that has just these columns, as an Arrow table."""
    with open_file(path, whole=False) as source, open_parquet(source) as file:
        _check_columns(path, file.schema_arrow, columns)
        table = file.read(columns=names)
        _check_cells(path, table)
        return table


def rows_of(path: Path) -> int:
    """How many rows a file has."""
    with open_file(path, whole=False) as source, open_parquet(source) as file:
        return int(file.metadata.num_rows)


def _check_cells(path: Path, batch: Any) -> None:
    empty = (name for name, column in zip(batch.schema.names, batch.columns, strict=True) if column.null_count)
    if (name := next((name for name in empty if name not in MAY_BE_EMPTY), None)) is not None:
        raise InputError(f"the column {name} has empty cells", path)


def _check_columns(path: Path, schema: Any, columns: Columns) -> None:
    right = _schema(columns)
    if schema.remove_metadata() != right:
        there = ", ".join(f"{field.name} {field.type}" for field in schema)
        expectation = ", ".join(f"{field.name} {field.type}" for field in right)
        raise InputError(f"the columns {there}; expected {expectation}", path)
