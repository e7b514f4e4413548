"""Our own log format: JSONL, one list per line, with its actions.

    {"id", "at", "user", "session", "qid" or "query", "experiment", "arm", "docs": [...], "first",
     "teams": "abba", "propensity": [...], "actions": [{"kind": "click", "doc", "at"}, ...]}

Arrow reads many lines at once; lines that are not as it expects are read one by one, which finds the wrong one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from io import BufferedReader
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cranfield.errors import InputError, Path
from cranfield.extras import require_extra
from cranfield.features.online.formats.columns import LogTable, part_of
from cranfield.features.online.formats.parts import BadLine, LogPart
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.jsonl import parse_json_object
from cranfield.formats.records import Fields
from cranfield.formats.whole_files import write_lines
from cranfield.parallel import map_in_threads
from cranfield.text import json_value

if TYPE_CHECKING:
    import pyarrow as pa


BLOCK = 1 << 23  # bytes of lines that are read at once
NULL = re.compile(rb"\n(?:\xef\xbb\xbf)?[ \t\r]*null")  # Arrow ends the process where the first line begins so
KEPT = "attributes"  # of a row, those that are kept
TEXTS = ("id", "user", "session", "qid", "query", "experiment", "arm", "teams")


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{")


def read(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The lines of a file, many at a time, and what cannot be read of them."""
    require_extra("arrow", "a log of interactions", path=source.path)
    for number, (part, bad) in enumerate(map_in_threads(lambda block: _read(*block, source), _blocks(source))):
        if not number and not len(part):
            fields = source.names.fields_of("log", dict.fromkeys(source.names.present))
            if absent := [name for name in ("id", "docs") if fields and name not in fields]:
                remedy = f"name it with --field {absent[0]}=NAME; the fields are {', '.join(source.names.present)}"
                raise InputError(f"no field {absent[0]}; {remedy}", source.path, 1)
        yield part, bad


def _blocks(source: OpenFile) -> Iterator[tuple[bytes, int, bool]]:
    """The lines of a file, many at a time, with the number of the first, and whether times are texts."""
    buffer, line, texts = cast("BufferedReader", source.text().buffer), 1, False
    while block := buffer.read(BLOCK):
        block += buffer.readline()
        texts = texts or (line == 1 and _has_texts(block, source))
        yield block, line, texts
        line += block.count(b"\n")


def _read(block: bytes, line: int, texts: bool, source: OpenFile) -> tuple[LogPart, list[BadLine]]:
    import pyarrow as pa

    try:
        table = _table(block, line, texts, source)
        if table is not None:
            return part_of(table, [])
    except pa.ArrowInvalid:
        pass
    # A line is wrong, or written in another way: read them one by one.
    rows, lines, bad = [], [], []
    for number, text in enumerate(block.split(b"\n"), line):
        if not text.strip():
            continue
        try:
            rows.append(_row(text, number, source))
            lines.append(number)
        except InputError as error:
            bad.append(BadLine(number, "lines that cannot be read", error.message))
    schema = pa.schema(list(_types(texts=False).items()))
    table = pa.Table.from_pylist(rows, schema)
    columns = {name: table[name] for name in schema.names}
    return part_of(LogTable(np.array(lines, np.int64), columns, _attributes(rows, source.names.others)), bad)


def _has_texts(block: bytes, source: OpenFile) -> bool:
    """Whether times are texts, by the first line."""
    try:
        fields = parse_json_object(block.partition(b"\n")[0].decode(), source.path, 1)
    except (InputError, UnicodeDecodeError):
        return False
    at = source.names.fields_of("log", fields).get("at", "")
    return isinstance(fields.get(at), str)


def _table(block: bytes, line: int, texts: bool, source: OpenFile) -> LogTable | None:
    """Lines as Arrow reads them; None where they are not one object each."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    if NULL.search(b"\n" + block):
        return None
    names = {ours: source.names.first("log", ours) for ours in _types(texts)}
    schema = pa.schema([(names[ours], kind) for ours, kind in _types(texts).items() if names[ours]])
    others = "infer" if source.names.others else "ignore"
    parse = arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others)
    read = arrow_json.read_json(pa.BufferReader(block), parse_options=parse)
    if len(read) != block.count(b"\n") + (not block.endswith(b"\n")):
        return None
    columns = {ours: read[theirs] if theirs in read.column_names else None for ours, theirs in names.items()}
    attributes = {name: _texts(read[name]) for name in source.names.others if name in read.column_names}
    return LogTable(np.arange(line, line + len(read)), columns, attributes)


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """An attribute as texts, or as lists of texts."""
    import pyarrow as pa

    if pa.types.is_list(column.type):
        return column.cast(pa.list_(pa.string()))
    if pa.types.is_nested(column.type):
        raise pa.ArrowInvalid("an object")
    return column.cast(pa.string())


def _types(texts: bool) -> dict[str, pa.DataType]:
    """What Arrow shall read each field as."""
    import pyarrow as pa

    at = pa.string() if texts else pa.float64()
    action = pa.struct(
        {"kind": pa.string(), "doc": pa.string(), "position": pa.int64(), "at": at}
        | dict.fromkeys(("seconds", "value"), pa.float64())
    )
    return {
        **dict.fromkeys(TEXTS, pa.string()),
        "at": at,
        "first": pa.int64(),
        "docs": pa.list_(pa.string()),
        "propensity": pa.list_(pa.float64()),
        "actions": pa.list_(action),
    }


def _attributes(rows: list[Fields], names: Sequence[str]) -> dict[str, pa.ChunkedArray]:
    """The attributes of rows, of documents where one row has them so."""
    import pyarrow as pa

    columns = {}
    for name in names:
        values = [cast("Any", row[KEPT])[name] for row in rows]
        if any(isinstance(value, list) for value in values):
            values = [
                value if isinstance(value, list | None) else [value] * len(cast("Any", row["docs"]) or ())
                for row, value in zip(rows, values, strict=True)
            ]
            columns[name] = pa.chunked_array([pa.array(values, pa.list_(pa.string()))])
        else:
            columns[name] = pa.chunked_array([pa.array(values, pa.string())])
    return columns


def _row(text: bytes, line: int, source: OpenFile) -> Fields:
    wrong = partial(InputError, path=source.path, line=line)
    try:
        fields = parse_json_object(text.decode(), source.path, line)
    except UnicodeDecodeError as error:
        raise wrong(f"not UTF-8: {error.object[error.start : error.start + 1]!r}") from None
    values = {ours: fields[theirs] for ours, theirs in source.names.fields_of("log", fields).items()}
    row: Fields = {name: text_of(name, values.get(name), wrong) for name in TEXTS}
    row["at"] = seconds_of(values.get("at"), wrong)
    row["first"] = whole_number("first", values.get("first"), wrong)
    row["docs"] = docs_of("docs", values.get("docs"), wrong)
    numbers = _list("propensity", values.get("propensity"), wrong)
    row["propensity"] = None if numbers is None else [number("propensity", one, wrong) for one in numbers]
    row["actions"] = [_action(action, wrong) for action in _list("actions", values.get("actions"), wrong) or ()]
    row[KEPT] = {name: attribute_of(name, fields.get(name), wrong) for name in source.names.others}
    return row


def attribute_of(name: str, value: object, wrong: Any) -> str | list[str | None] | None:
    """A text, number or truth as text, a list as a list of them, or none; an error where it is something else."""
    if isinstance(value, list):
        return [text_of(name, _lowercase_truth(one), wrong) for one in value]
    return text_of(name, _lowercase_truth(value), wrong)


def _lowercase_truth(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _action(action: object, wrong: Any) -> Fields:
    if not isinstance(action, dict):
        raise wrong(f"an action is {json_value(action)}; expected an object")
    row: Fields = {name: text_of(name, action.get(name), wrong) for name in ("kind", "doc")}
    row |= {name: number(name, action.get(name), wrong) for name in ("seconds", "value")}
    return row | {
        "position": whole_number("position", action.get("position"), wrong),
        "at": seconds_of(action.get("at"), wrong),
    }


def text_of(name: str, value: object, wrong: Any) -> str | None:
    """A text or a number as text, or none; an error where it is something else."""
    if isinstance(value, bool | list | dict):
        raise wrong(f"{name} is {json_value(value)}; expected text")
    return None if value is None else str(value)


def _list(name: str, value: object, wrong: Any) -> list[object] | None:
    if value is not None and not isinstance(value, list):
        raise wrong(f"{name} is {json_value(value)}; expected a list")
    return value


def docs_of(name: str, value: object, wrong: Any) -> list[str | None] | None:
    """A list of document ids; an error where it is something else or has a null."""
    docs = _list(name, value, wrong)
    if docs is not None and any(doc is None for doc in docs):
        raise wrong(f"{name} contains null; expected document ids")
    return None if docs is None else [text_of(name, doc, wrong) for doc in docs]


def number(name: str, value: object, wrong: Any) -> float | None:
    """A number that is finite, or none; an error where it is something else."""
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise wrong(f"{name} is {json_value(value)}; expected a number")
    try:
        return None if value is None else float(value)
    except OverflowError:
        raise wrong(f"{name} is {json_value(value)}; expected a finite number") from None


def whole_number(name: str, value: object, wrong: Any) -> int | None:
    """A whole number from 0, or none; an error where it is something else."""
    if isinstance(value, bool) or not isinstance(value, int | None) or (value or 0) < 0 or (value or 0) > 1 << 40:
        raise wrong(f"{name} is {json_value(value)}; expected a whole number")
    return value


def seconds_of(value: object, wrong: Any) -> float | None:
    """A time as seconds since 1970: a number of seconds, or ISO 8601, which is UTC where it says nothing else.

    >>> seconds_of("1970-01-01T00:01:00Z", ValueError), seconds_of(60, ValueError), seconds_of(None, ValueError)
    (60.0, 60.0, None)
    """
    if value is None:
        return None
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else _moment(value)
    except (ValueError, TypeError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise wrong(f"the time is {json_value(value)}; expected seconds since 1970 or an ISO 8601 time")
    return number


def _moment(value: Any) -> float:
    moment = datetime.fromisoformat(value)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def write_lists(path: Path, lists: Iterable[Mapping[str, object]]) -> None:
    """Write interleaved lists to show, a line each, as a log that lacks what will happen."""
    write_lines(path, (json.dumps(dict(one), ensure_ascii=False) for one in lists))


LOG = Format("log", "jsonl", "one JSON object per line: id, at, user, qid or query, arm, docs, actions", detect, read)
