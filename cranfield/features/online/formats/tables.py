"""Logs as tables: CSV, TSV and Parquet, a row for each document shown, or for each document shown and each action.

Rows of the same id are one list, in the order of their positions or, without any, of the file; lists come in any order.
Without a column of kinds each row is a document that was shown, which may have been clicked (`click` above 0), read for
some `seconds`, or bought for a `value`. With one, rows of the kind impression are documents shown, and others are
actions. A list that showed nothing is one row without a document. Arrow reads a file as a whole, and makes nothing for
each row; without Arrow, `text_columns.py` reads CSV and TSV.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, occurring_codes
from cranfield.errors import InputError
from cranfield.features.online.formats.columns import coded_or_none
from cranfield.features.online.formats.others import detect_yandex
from cranfield.features.online.formats.own import seconds_of
from cranfield.features.online.formats.parts import BadLine, CodedNames, KeptColumn, LoggedActions, LogPart
from cranfield.features.online.formats.text_columns import TextColumn, TextTable, read_text_table
from cranfield.features.online.formats.ubi_events import KIND_OF, SHOWN
from cranfield.features.online.interactions import KINDS
from cranfield.formats.delimited import check_distinct_columns, delimiter_of, detect_parquet, open_parquet
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.text_arrays import uses_arrow

if TYPE_CHECKING:
    import pyarrow as pa

    Column: TypeAlias = pa.ChunkedArray | TextColumn

BATCH_LISTS = 100_000  # lists
NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
TRUE = {"true": "1", "false": "0"}
LIST_FIELDS = ("experiment", "arm", "user", "session", "qid", "query")
NAMES = "id, at, user, session, qid or query, experiment, arm, doc, position, click, seconds, value, propensity, kind"


def detect_csv(head: bytes, path: str) -> bool:
    first = head.lstrip().partition(b"\n")[0]
    return (
        not first.startswith((b"{", b"["))
        and any(mark in first for mark in (b",", b"\t", b";"))
        and not detect_yandex(head, path)
    )


def read_csv(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The lists of a file with a header line, whose cells are separated by commas, semicolons or tabs."""
    first = source.head.lstrip().partition(b"\n")[0]
    try:
        text = first.decode()
    except UnicodeDecodeError as error:
        what = f"the header has a byte that is not UTF-8, {first[error.start : error.start + 1]!r}"
        raise InputError(
            f"{what}; convert the file, for example with iconv -f latin1 -t utf8", source.path, 1
        ) from None
    mark = "\t" if "\t" in text else delimiter_of(text, [])
    bad: list[BadLine] = []
    if not uses_arrow():
        texts = read_text_table(source, mark, bad)
        yield from _parts(source, texts, np.array(texts.lines, np.int64), bad)
        return
    import pyarrow as pa
    from pyarrow import csv

    def leave(row: Any) -> str:
        what = f"{row.actual_columns} cells; the header has {row.expected_columns}"
        if row.text.strip():
            bad.append(BadLine(int(row.number), "lines that cannot be read", what))
        return "skip"

    header = [name.strip().strip('"') for name in text.split(mark)]
    quote = False if mark == "\t" else '"'
    parse = csv.ParseOptions(delimiter=mark, quote_char=quote, invalid_row_handler=leave)
    convert = csv.ConvertOptions(column_types=dict.fromkeys(header, pa.string()), strings_can_be_null=True)
    plain = csv.ReadOptions(use_threads=False)
    try:
        table = csv.read_csv(source.text().buffer, plain, parse_options=parse, convert_options=convert)
    except pa.ArrowInvalid as error:
        raise InputError(f"not a table: {error}".splitlines()[0], source.path) from None
    line = np.arange(len(table) + len(bad)) + 2
    yield from _parts(source, table, line[~np.isin(line, [each.line for each in bad])], bad)


def read_parquet(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The lists of a file; lines are rows, from 1."""
    with open_parquet(source) as file:
        table = file.read()
    yield from _parts(source, table, np.arange(len(table)) + 1, [])


class Rows(NamedTuple):
    """The rows of a table as columns: -1 and NaN where something is unknown."""

    line: Ints
    id: CodedNames
    codes: Mapping[str, CodedNames]  # texts of lists, documents and attributes
    numbers: Mapping[str, Floats]
    kind: Ints  # a place in KINDS, -1 for a document shown

    def keep(self, rows: Mask) -> Rows:
        """Only these."""
        return Rows(
            self.line[rows], self.id.rows(rows), {name: each.rows(rows) for name, each in self.codes.items()},
            {name: each[rows] for name, each in self.numbers.items()}, self.kind[rows],
        )  # fmt: skip


def _parts(
    source: OpenFile, table: pa.Table | TextTable, line: Ints, bad: list[BadLine]
) -> Iterator[tuple[LogPart, list[BadLine]]]:
    check_distinct_columns(table.column_names, source.path)
    names = source.names.fields_of("log", dict.fromkeys(table.column_names))
    if absent := [name for name in ("id", "at", "doc") if name not in names]:
        what = (
            f"no column {absent[0]}; --field {absent[0]}=NAME names it; the columns are {', '.join(table.column_names)}"
        )
        raise InputError(what, source.path, 1)
    if not len(table):
        return
    columns = {ours: table[theirs] for ours, theirs in names.items()}
    attributes = {name: table[name] for name in source.names.others if name in table.column_names}
    rows = _rows(columns, attributes, line, bad)
    has_row = np.bincount(rows.id.codes, rows.kind < 0, len(rows.id.names)) > 0
    orphans = ~has_row[rows.id.codes]
    for row in np.unique(rows.id.codes[orphans], return_index=True)[1].tolist():
        what = f"list {rows.id.name(int(np.flatnonzero(orphans)[row]))!r} has no row for a shown document"
        bad.append(BadLine(int(rows.line[orphans][row]), "actions without a list", what))
    rows = rows.keep(~orphans) if orphans.any() else rows
    first = _first(rows)[rows.id.codes]
    wrong = np.zeros(len(rows.line), bool)
    for name in LIST_FIELDS:
        codes = rows.codes[name].codes
        differ = (codes >= 0) & (codes != codes[first]) & ~wrong
        for row in np.flatnonzero(differ).tolist():
            what = f"another {name} than the first row of list {rows.id.name(row)!r}"
            bad.append(BadLine(int(rows.line[row]), "rows that contradict each other", what))
        wrong |= differ
    part = _part(rows.keep(~wrong) if wrong.any() else rows, [*attributes], bad)
    for start in range(0, max(len(part), 1), BATCH_LISTS):
        of = np.arange(len(part)) // BATCH_LISTS == start // BATCH_LISTS
        some = part.rows(of)
        used: dict[str, Any] = {name: _used(getattr(some, name)) for name in LIST_FIELDS}
        yield replace(some, **used), bad if not start else []


def _rows(columns: Mapping[str, Column], attributes: Mapping[str, Column], line: Ints, bad: list[BadLine]) -> Rows:
    n, wrong = len(line), np.zeros(len(line), bool)

    def refuse(rows: Mask, what: Callable[[int], str]) -> None:
        numbers_of = np.flatnonzero(rows).tolist()
        bad.extend(BadLine(int(line[row]), "lines that cannot be read", what(row)) for row in numbers_of)
        wrong[rows] = True

    numbers = {}
    for name in ("position", "click", "seconds", "value", "propensity"):
        numbers[name], odd = _numbers(columns.get(name), n)
        for row in np.flatnonzero(odd).tolist():
            what = f"{name} is {_cell(columns[name], row)!r:.40}; expected a number"
            bad.append(BadLine(int(line[row]), "lines that cannot be read", what))
        wrong |= odd
    numbers["at"], odd = _times(columns["at"], n)
    refuse(
        odd,
        lambda row: f"the time is {_cell(columns['at'], row)!r:.40}; expected seconds since 1970 or an ISO 8601 time",
    )
    codes = {name: _encode(columns.get(name), n) for name in (*LIST_FIELDS, "doc", "teams")}
    codes |= {f"kept {name}": _encode(column, n) for name, column in attributes.items()}
    identity = _encode(columns["id"], n)
    refuse(identity.codes < 0, lambda row: "the id is missing")
    kind = np.full(n, -1)
    if "kind" in columns:
        words = _encode(columns["kind"], n)
        kinds = {name: KINDS.index(ours) for name, ours in KIND_OF.items()} | {SHOWN: -1, "": -1}
        of = np.array([*(kinds.get(name.lower(), -2) for name in words.names), -1], np.int64)
        kind = of[words.codes]
        refuse(kind == -2, lambda row: f"kind {words.name(row)!r:.40}; expected one of {SHOWN}, {', '.join(KINDS)}")
    rows = Rows(line, identity, codes, numbers, kind)
    return rows.keep(~wrong) if wrong.any() else rows


def _cell(column: Column, row: int) -> object:
    return column.texts[row] if isinstance(column, TextColumn) else column[row].as_py()


def _encode(column: Column | None, rows: int) -> CodedNames:
    return column.encode() if isinstance(column, TextColumn) else coded_or_none(_text(column), rows)


def _text(column: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
    if column is None:
        return None
    import pyarrow as pa

    try:
        return column.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise InputError(f"a column of {column.type}; expected text or numbers") from None


def _numbers(column: Column | None, rows: int) -> tuple[Floats, Mask]:
    """The numbers of a column, and the rows where something else stands; true is 1."""
    if column is None:
        return np.full(rows, np.nan), np.zeros(rows, bool)
    if isinstance(column, TextColumn):
        return column.numbers()
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        texts = pc.utf8_trim_whitespace(pc.utf8_lower(_text(column)))
        for word, number in TRUE.items():
            texts = pc.if_else(pc.equal(texts, word), number, texts)
        texts = pc.if_else(pc.equal(texts, ""), None, texts)
        right = pc.fill_null(pc.match_substring_regex(texts, NUMBER), True)
        odd = ~np.asarray(right.to_numpy(), bool)
        numbers = pc.if_else(right, texts, None)
    else:
        numbers, odd = column, np.zeros(len(column), bool)
    return np.asarray(numbers.cast(pa.float64()).to_numpy(), float), odd


def _times(column: Column, rows: int) -> tuple[Floats, Mask]:
    """Seconds since 1970, and the rows that have no time; texts are ISO 8601."""
    if isinstance(column, TextColumn):
        return column.times()
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        moments = column.cast(pa.timestamp("us", getattr(column.type, "tz", None))).cast(pa.int64())
        return np.asarray(moments.cast(pa.float64()).to_numpy(), float) / 1e6, np.zeros(rows, bool)
    seconds, odd = _numbers(column, rows)
    if odd.any():
        texts = pc.replace_substring_regex(_text(column), r"\s*UTC$", "Z").filter(pa.array(odd))
        seconds[odd], wrong = _moments(texts)
        odd[np.flatnonzero(odd)[~wrong]] = False
    return seconds, odd


def _moments(texts: pa.ChunkedArray) -> tuple[Floats, Mask]:
    import pyarrow as pa

    try:
        zone = "UTC" if texts[0].as_py().endswith("Z") else None
        at = texts.cast(pa.timestamp("us", zone)).cast(pa.int64())
        return np.asarray(at.to_numpy(), float) / 1e6, np.zeros(len(texts), bool)
    except pa.ArrowInvalid:
        words = coded_or_none(texts, len(texts))
        seconds = np.array([*map(_moment, words.names), np.nan])[words.codes]
        return seconds, np.isnan(seconds)


def _moment(text: str) -> float:
    try:
        return seconds_of(text, InputError) or 0.0
    except InputError:
        return float("nan")


def _first(rows: Rows) -> Ints:
    """The first row that shows each list, by its code."""
    places = np.flatnonzero(rows.kind < 0)
    first = np.full(len(rows.id.names), -1)
    first[rows.id.codes[places[::-1]]] = places[::-1]
    return first


def _part(rows: Rows, attributes: list[str], bad: list[BadLine]) -> LogPart:
    name_rows, shown = _first(rows), rows.kind < 0
    at = np.full(len(name_rows), np.inf)
    np.minimum.at(at, rows.id.codes[shown], rows.numbers["at"][shown])
    used = np.flatnonzero(name_rows >= 0)
    used = used[np.lexsort((name_rows[used], at[used]))]
    row_of, first = np.full(len(name_rows), -1), name_rows[used]
    row_of[used] = np.arange(len(used))
    row_list, position = row_of[rows.id.codes], rows.numbers["position"]
    # Positions count from 0 or 1: the least of the documents that were shown, or of the actions, tells.
    of_shown = position[shown & ~np.isnan(position)]
    known = of_shown if len(of_shown) else position[~np.isnan(position)]
    position = position - (0.0 if np.min(known, initial=1.0) == 0 else 1.0)
    # The only row of a list, without a document, says that the list showed nothing.
    is_only = np.bincount(row_list[shown], minlength=1 + int(row_list.max(initial=0)))[row_list] == 1
    places = np.flatnonzero(shown & ~(is_only & (rows.codes["doc"].codes < 0)))
    order = places[np.lexsort((places, np.nan_to_num(position[places], nan=np.inf), row_list[places]))]
    length = np.bincount(row_list[order], minlength=len(used))
    bounds = np.concatenate([[0], np.cumsum(length)])
    start, gaps = _starts(position[order], row_list[order], bounds)
    for row in order[gaps].tolist():
        name = rows.id.name(row)
        what = f"the positions of list {name!r} have gaps; expected a row for each document shown"
        bad.append(BadLine(int(rows.line[row]), "positions with gaps", what))
    letters = [ord(name[0]) - ord("a") if name[:1].isalpha() else -1 for name in rows.codes["teams"].names]
    team = np.array([*letters, -1], np.int8)[rows.codes["teams"].codes[order]]
    part = LogPart(
        line=rows.line[first], id=[rows.id.names[code] for code in used.tolist()], at=at[used],
        **{name: CodedNames(rows.codes[name].codes[first], rows.codes[name].names) for name in LIST_FIELDS},
        first=start, bounds=bounds, document=CodedNames(rows.codes["doc"].codes[order], rows.codes["doc"].names),
        team=team, propensity=rows.numbers["propensity"][order], actions=_actions(rows, row_list, position, start, bad),
        attributes={name: _attribute(rows.codes[f"kept {name}"], order, row_list[order], first) for name in attributes},
    )  # fmt: skip
    return part.rows(~np.isin(np.arange(len(part)), row_list[order[gaps]]))


def _starts(position: Floats, row_list: Ints, bounds: Ints) -> tuple[Ints, Ints]:
    """How many documents each list has on earlier pages, by the position of its first; where lists lack some."""
    start = np.zeros(len(bounds) - 1, np.int64)
    has_documents = np.diff(bounds) > 0
    lead = position[bounds[:-1][has_documents]]
    start[has_documents] = np.where(np.isnan(lead), 0, lead).astype(np.int64)
    right = start[row_list] + np.arange(len(row_list)) - bounds[row_list]
    has_position = ~np.isnan(position[bounds[row_list]]) if len(row_list) else np.zeros(0, bool)
    wrong = np.where(has_position, position != right, ~np.isnan(position)) | (start[row_list] < 0)
    places = np.flatnonzero(wrong)
    return np.maximum(start, 0), places[np.unique(row_list[places], return_index=True)[1]]


def _actions(rows: Rows, row_list: Ints, position: Floats, start: Ints, bad: list[BadLine]) -> LoggedActions:
    """What was done: rows of a kind that is one, and clicks, seconds and values of rows of documents.

    Actions before the first position of their list are left out, as bad lines.
    """
    is_document, numbers = rows.kind < 0, rows.numbers
    click = is_document & (numbers["click"] > 0)
    dwell = is_document & ~click & ~np.isnan(numbers["seconds"])
    purchase = is_document & (np.nan_to_num(numbers["value"]) != 0)
    parts = [np.flatnonzero(one) for one in (~is_document, click, dwell, purchase)]
    kinds = [KINDS.index(name) for name in ("click", "dwell", "convert")]
    row = np.concatenate(parts)
    of_shown = (np.full(len(one), number) for one, number in zip(parts[1:], kinds, strict=True))
    kind = np.concatenate([rows.kind[parts[0]], *of_shown])
    by_kind = np.arange(len(row)) < len(parts[0])
    order = np.lexsort((np.arange(len(row)), row, row_list[row]))
    row, kind, by_kind = row[order], kind[order], by_kind[order]
    has_place = by_kind & ~np.isnan(position[row])
    place = np.where(has_place, np.nan_to_num(position[row]) - start[row_list[row]], -1).astype(np.int64)
    is_before = has_place & (place < 0)
    for line in rows.line[row[is_before]].tolist():
        what = "an action at a position before its list; expected the same position numbers as for the documents"
        bad.append(BadLine(int(line), "positions before the list", what))
    convert = kind == KINDS.index("convert")
    actions = LoggedActions(
        impression=row_list[row], kind=kind.astype(np.int8), position=place, document=rows.codes["doc"].codes[row],
        at=np.where(by_kind, numbers["at"][row], np.nan), seconds=np.where(convert, np.nan, numbers["seconds"][row]),
        value=np.where(convert | by_kind, numbers["value"][row], np.nan),
    )  # fmt: skip
    return actions.rows(~is_before)


def _attribute(values: CodedNames, order: Ints, row_list: Ints, first: Ints) -> KeptColumn:
    """Of lists where all rows of each list say the same, else of documents."""
    if np.array_equal(values.codes[order], values.codes[first][row_list]):
        return KeptColumn(CodedNames(values.codes[first], values.names), "list")
    return KeptColumn(CodedNames(values.codes[order], values.names), "document")


def _used(names: CodedNames) -> CodedNames:
    used = occurring_codes(names.codes[names.codes >= 0])
    place = np.full(len(names.names) + 1, -1)
    place[used] = np.arange(len(used))
    return CodedNames(place[names.codes], [names.names[code] for code in used.tolist()])


CSV = Format("log", "csv", f"CSV or TSV, a row for each document shown or event: {NAMES}", detect_csv, read_csv)
PARQUET = Format("log", "parquet", "the same columns as Parquet", detect_parquet, read_parquet)
