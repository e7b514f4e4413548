"""Runs and qrels whose columns have names: TSV, CSV, JSONL, JSON and Parquet.

Rows become tab-separated lines, which one reader checks. Each line has the number that it has in its file; where there
are no lines, as in Parquet, that of the row. A run without scores is ordered by its ranks.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from math import isnan
from typing import Any, NamedTuple

from cranfield.errors import EntryNumber, InputError
from cranfield.extras import require_extra
from cranfield.formats.columns import UnreadTable
from cranfield.formats.delimited import (
    detect_parquet,
    open_parquet,
    read_csv_cells,
    read_header,
    read_tsv_cells,
    rows_with_names,
)
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.given_files import file_name_without_suffixes
from cranfield.formats.jsonl import decode_json, listed_objects, loads_pairs, number_entries
from cranfield.formats.layout import Layout, are_measure_names, as_score, excerpt, parse_whole_grade, rank_number
from cranfield.formats.records import DOCUMENT_OF, TOPIC_OF, Fields, Kind, Names, fold_field_name
from cranfield.text import json_value


class RankedLine(NamedTuple):
    """A line of a run that only its ranks order: its number, its topic (and tag), and the rank as it is written."""

    line: int
    topic: object
    rank: bytes


def check_ranks(source: OpenFile, lines: Iterable[RankedLine], remedy: str) -> None:
    """Refuse ranks that are not whole numbers or, where the format was guessed, do not count from 0 or 1 by topic."""
    by_topic: dict[object, dict[int, int]] = {}
    for line, topic, text in lines:
        if not (text.isdigit() and len(text) <= MAX_RANK_DIGITS):
            right = f"expected a whole number of at least 0; {remedy}"
            raise InputError(f"rank {excerpt(text)}; {right}", source.path, line)
        rank, ranks = int(text), by_topic.setdefault(topic, {})
        if source.is_guessed and rank in ranks:
            what = f"rank {rank} is also on line {ranks[rank]} for the same topic; expected each rank once"
            raise InputError(f"{what}; {remedy}", source.path, line)
        ranks[rank] = line
    for ranks in by_topic.values() if source.is_guessed else ():
        numbers = sorted(ranks)
        for rank, before in zip(numbers, [-1 if numbers[0] == 0 else 0, *numbers], strict=False):
            if rank != before + 1:
                what = f"rank {rank}, but no rank {rank - 1} in its topic; expected ranks from 0 or 1 without gaps"
                raise InputError(f"{what}; {remedy}", source.path, ranks[rank])


MAX_RANK_DIGITS = 15  # exact as scores
NAME_RANKS = "to accept gaps, give --field rank=NAME; to name a score column, give --field score=NAME"
LAYOUTS = {
    "run": Layout("a run has", ("score", "qid", "docno"), number="score", tabs=True),
    "runs": Layout("runs have", ("score", "qid", "docno", "run"), number="score", tabs=True),
    "qrels": Layout("qrels have", ("grade", "qid", "docno"), tabs=True),
}
COLUMNS: Mapping[Kind, str] = {"run": "qid, docno, score or rank, tag", "qrels": "qid, docno, grade"}


def has_names(kind: Kind, cells: Iterable[str], names: Names | None = None) -> bool:
    """Whether these name the topics and the documents of a run or of qrels, perhaps as `names` has them.

    >>> has_names("qrels", ["query-id", "corpus-id", "score"]), has_names("run", ["1", "Q0", "d1"])
    (True, False)
    >>> has_names("run", ["question", "docno"], Names({"qid": "question"}))
    True
    """
    found, expected = set(map(fold_field_name, cells)), names or Names()
    return all(found & set(map(fold_field_name, expected.spellings(kind, name))) for name in ("qid", "docno"))


def topic_document_columns(names: Collection[object]) -> str:
    """Two of these names, if they are the topic and the document column of a table; otherwise "".

    >>> [topic_document_columns(names) for names in (["qid", "docno", "score"], {"q1": 0, "docno": 1}, [1])]
    ["'qid' and 'docno'", '', '']
    """
    pairs = ([name for name in columns if name in names] for columns in (TABLE_TOPICS, TABLE_DOCUMENTS))
    found = [names[0] for names in pairs if names]
    return " and ".join(map(repr, found)) if len(found) == 2 else ""


TABLE_TOPICS = (*TOPIC_OF, "query-id")
TABLE_DOCUMENTS = (*DOCUMENT_OF, "corpus-id", "doc-id")


def format_by_header(kind: Kind, head: bytes, names: Names) -> str:
    r"""The format of a table of runs or qrels whose first line has the names that its user gives; empty for others.

    >>> format_by_header("run", b"question,docno,score\nq1,d1,0.5\n", Names({"qid": "question"}))
    'csv'
    """
    formats = {"tsv": "\t", "csv": ",;"} if any(names.mapping.values()) else {}
    first = _first_line(head)
    for name, separators in formats.items():
        if any(has_names(kind, _cells_of(first, mark), names) for mark in separators):
            return name
    return ""


def is_unknown_header(head: bytes) -> bool:
    r"""Whether the first line is one word with commas or semicolons between texts, as the header of a CSV file is.

    >>> is_unknown_header(b"question,docno,score\nq1,d1,0.5\n"), is_unknown_header(b"q1,d1,0.5\n")
    (True, False)
    >>> is_unknown_header(b'{"qid":"1","docno":"d1"}\n')
    False
    """
    first = _first_line(head)
    marks = [mark for mark in ",;" if len(_cells_of(first, mark)) > 1]
    is_word = len(first.split()) == 1 and not first.startswith(("#", "{", "["))
    return is_word and any(all(as_score(cell.encode()) is None for cell in _cells_of(first, mark)) for mark in marks)


def _first_line(head: bytes) -> str:
    return head.lstrip().partition(b"\n")[0].decode("utf-8", "replace")


def _cells_of(line: str, separator: str) -> list[str]:
    return [cell.strip('" \r') for cell in line.split(separator)]


def rows_as_table(source: OpenFile, kind: Kind, rows: Iterable[tuple[int, Fields]]) -> UnreadTable:
    """The rows, each with its line, as lines of columns."""
    lines, tagged, has_entries, ranked = list[str](), None, False, list[RankedLine]()
    rank_cells, number = dict[int, str](), ""
    for line, fields in rows:
        names = source.names.fields_of(kind, fields)
        if number not in ("", number_field_name(kind, names)):
            raise InputError(
                f"the {number} is missing; expected it in every row, as in earlier rows", source.path, line
            )
        number = number_field_name(kind, names)
        has_tag = "tag" in names
        if tagged not in (None, has_tag):
            what = (
                ("the tag is missing; expected a tag, as in earlier rows")
                if tagged
                else "found a tag; expected no tag, as in earlier rows"
            )
            raise InputError(what, source.path, line)
        tagged, has_entries = has_tag, isinstance(line, EntryNumber)
        lines += [""] * (line - len(lines) - 1)
        cells = [*_cells(source, kind, line, fields)]
        lines.append("\t".join(cells))
        if number == "rank":
            ranked.append(RankedLine(line, (cells[1], *cells[3:]), format_rank(fields[names["rank"]])))
        elif "rank" in names:
            rank_cells[len(lines) - 1] = rank_or_empty(fields[names["rank"]])
    _check_named_ranks(source, ranked)
    if rank_cells:
        lines = [f"{text}\t{rank_cells.get(row, '')}" if text else "" for row, text in enumerate(lines)]
    data = "\n".join(lines).encode()
    return replace(unread_table(source, kind, data, bool(tagged), bool(rank_cells)), has_entries=has_entries)


def unread_table(
    source: OpenFile, kind: Kind, data: bytes, has_tag: bool = False, has_scores_and_ranks: bool = False
) -> UnreadTable:
    """The table of such lines; `has_tag`: each has the tag of its run. A run without one is named by its file.

    `has_scores_and_ranks`: each line ends with its rank, which does not order the run.
    """
    tag, layout = "" if has_tag else file_name_without_suffixes(source.path), LAYOUTS["runs" if has_tag else kind]
    if not has_scores_and_ranks:
        return UnreadTable(source.path, data, layout, tag=tag)
    layout, named_rank = layout._replace(columns=(*layout.columns, "rank")), source.names.mapping.get("rank", "")
    return UnreadTable(source.path, data, layout, tag=tag, named_rank=named_rank)


def rank_or_empty(value: object) -> str:
    """A rank next to a score as a cell, which is empty where the rank is not a number.

    >>> rank_or_empty("2"), rank_or_empty(2.5), rank_or_empty(None)
    ('2', '2.5', '')
    """
    text = str(value).strip()
    return "" if isnan(rank_number(text.encode("utf-8", "replace"))) else text


def number_field_name(kind: Kind, fields: Mapping[str, str]) -> str:
    """Which field has the number of a row: the grade; of a run the score or, without one, the rank.

    >>> number_field_name("run", {"qid": "query", "rank": "position"})
    'rank'
    """
    names = ("grade",) if kind == "qrels" else ("score", "rank")
    return next((name for name in names if name in fields), names[0])


def file_field_names(source: OpenFile, kind: Kind, fields: Mapping[str, str], line: int) -> dict[str, str]:
    """What number, qid, docno and, if there is one, the tag are called in the file, in this order."""
    number = number_field_name(kind, fields)
    for name in (number, "qid", "docno"):
        if name not in fields:
            source.names.check_names(source.path)
            names = ", ".join(source.names.spellings(kind, name))
            hint = f"; the file has {source.names.sample}; name the field with --field {kind}.{name}=NAME"
            raise InputError(f"no {name}; expected it in one of the fields {names}{hint}", source.path, line)
    return {name: fields[name] for name in (number, "qid", "docno", "tag") if name in fields}


def checked_cell(source: OpenFile, line: int, name: str, value: object) -> str:
    """A value as a cell: no other than text and numbers, and nothing in it that parts cells or lines."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{name} is {json_value(value)}; expected text or a number", source.path, line)
    text = str(value).strip()
    if name in ("score", "grade") and text.startswith("#"):  # a line that starts so would be a comment
        raise InputError(f"{name} {excerpt(text.encode())}; expected a number", source.path, line)
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"{name} {text!a:.40} contains an incomplete character", source.path, line)
    if any(control in text for control in "\t\r\n\0"):
        raise InputError(f"{name} {excerpt(text.encode())} contains a tab, a line end or a NUL", source.path, line)
    if name == "rank":
        # A score that orders as the rank does: the first rank has the highest.
        number = as_score(text.encode())
        if number is None:
            raise InputError(f"rank {excerpt(text.encode())} is not a number", source.path, line)
        return repr(-number)
    return text


def _cells(source: OpenFile, kind: Kind, line: int, fields: Fields) -> Iterator[str]:
    for name, their in file_field_names(source, kind, source.names.fields_of(kind, fields), line).items():
        yield checked_cell(source, line, name, fields[their])


def format_rank(value: object) -> bytes:
    """A rank as it is written; a whole number without decimals.

    >>> format_rank("2.0"), format_rank(3), format_rank("2.5")
    (b'2', b'3', b'2.5')
    """
    text = str(value).strip().encode()
    number = parse_whole_grade(text)
    return text if number is None else str(number).encode()


def _check_named_ranks(source: OpenFile, ranked: list[RankedLine]) -> None:
    is_named = "rank" in source.names.mapping
    check_ranks(replace(source, is_guessed=False) if is_named else source, ranked, NAME_RANKS)


Split = Callable[[OpenFile], Iterator[tuple[int, list[str]]]]


def delimited_reader(kind: Kind, split: Split) -> Callable[[OpenFile], UnreadTable]:
    """A reader of files whose fields are separated so."""

    def read(source: OpenFile) -> UnreadTable:
        rows = split(source)
        _, names = read_header(source, rows)
        return rows_as_table(source, kind, rows_with_names(source, names, rows))

    return read


def header_detector(kind: Kind, separators: str) -> Callable[[bytes, str], bool]:
    """Whether the first line names the columns, which one of these separates."""

    def detect(head: bytes, path: str) -> bool:
        first = _first_line(head)
        return any(has_names(kind, _cells_of(first, mark)) for mark in separators)

    return detect


def _tsv_format(kind: Kind) -> Format:
    what = f"tab-separated with a header: {COLUMNS[kind]}"
    return Format(kind, "tsv", what, header_detector(kind, "\t"), delimited_reader(kind, read_tsv_cells))


def _csv_format(kind: Kind) -> Format:
    what = f"comma-separated with a header: {COLUMNS[kind]}"
    return Format(kind, "csv", what, header_detector(kind, ",;"), delimited_reader(kind, read_csv_cells))


RUN_TSV, RUN_CSV, QRELS_TSV, QRELS_CSV = (
    _tsv_format("run"),
    _csv_format("run"),
    _tsv_format("qrels"),
    _csv_format("qrels"),
)


NAMED_FIELD = re.compile(rb'\s*(\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')


def detect_objects(head: bytes, path: str) -> bool:
    """Whether an object with a named field comes first, alone or in a list; the id of a topic may start with a brace.

    >>> detect_objects(b'{"qid": 1, "docno": "d1"}', "run"), detect_objects(b"{ Q0 d1 1 0.5 tag", "run")
    (True, False)
    """
    return bool(NAMED_FIELD.match(head))


OBJECTS = "JSON objects, one per line or in a list"
KINDS: tuple[Kind, ...] = ("run", "qrels")


def jsonl_reader(kind: Kind) -> Callable[[OpenFile], UnreadTable]:
    return lambda source: rows_as_table(source, kind, _refuse_lists(source, kind, listed_objects(source)))


def _refuse_lists(source: OpenFile, kind: Kind, rows: Iterable[tuple[int, Fields]]) -> Iterator[tuple[int, Fields]]:
    """The rows; refuse a first one that has a list of documents for each topic."""
    number = "grade" if kind == "qrels" else "score"
    for row, (line, fields) in enumerate(rows):
        if row == 0 and fields and all(isinstance(value, list) for value in fields.values()):
            found = f"a list of documents for topic {next(iter(fields))!r:.40}"
            raise InputError(f"{found}; expected an object {{qid: {{docno: {number}}}}}", source.path)
        yield line, fields


RUN_JSONL, QRELS_JSONL = (
    Format(kind, "jsonl", f"{OBJECTS}: {COLUMNS[kind]}", detect_objects, jsonl_reader(kind)) for kind in KINDS
)


OBJECT_OF_OBJECTS = re.compile(rb'\s*\{\s*("(?:[^"\\]|\\.)*"\s*:\s*\{|\}\s*$)')


def detect_nested(head: bytes, path: str) -> bool:
    """Whether the first value of the object is an object.

    >>> detect_nested(b'{"q1": {"d1": 0.5}}', "run.json"), detect_nested(b'{"qid": "q1", "docno": "d1"}', "run.jsonl")
    (True, False)
    >>> detect_nested(b"{} Q0 d1 1 0.5 tag", "run")
    False
    """
    return bool(OBJECT_OF_OBJECTS.match(head))


def nested_reader(kind: Kind) -> Callable[[OpenFile], UnreadTable]:
    """Runs and qrels as one JSON object {qid: {docno: number}}, as ranx, pytrec_eval and BEIR's tools write them.

    What a message calls a line is the number of the entry.
    """
    return lambda source: rows_as_table(source, kind, number_entries(_entries(source, kind)))


def _entries(source: OpenFile, kind: Kind) -> Iterator[Fields]:
    """Each number with its topic and document; an id that is there twice stays so, and is refused later."""
    number = "grade" if kind == "qrels" else "score"
    topics = _pairs(source, decode_json(source.text().read(), source.path, loads_pairs), "topics")
    _refuse_table(source, number, [qid for qid, _ in topics])
    for number_of_topic, (qid, nested) in enumerate(topics):
        documents = _pairs(source, nested, f"documents of topic {qid}")
        if number_of_topic == 0:
            _refuse_table(source, number, [docno for docno, _ in documents])
        for docno, value in documents:
            yield {"qid": qid, "docno": docno, number: value}


def _refuse_table(source: OpenFile, number: str, names: list[str]) -> None:
    expected = f"expected an object {{qid: {{docno: {number}}}}}"
    if columns := topic_document_columns(names):
        remedy = 'write a data frame with to_json(orient="records", lines=True)'
        raise InputError(f"a table with the columns {columns}; {expected}; {remedy}", source.path)
    if source.is_guessed and are_measure_names(names):
        scores = f"scores by the measure {names[0]!r}, such as pytrec_eval's results"
        raise InputError(
            f"{scores}; {expected}; to compare such files, use `cranfield compare` without qrels", source.path
        )


def _pairs(source: OpenFile, value: object, what: str) -> tuple[tuple[str, Any], ...]:
    if isinstance(value, tuple):
        return value
    raise InputError(f"{json_value(value)}; expected an object of {what}", source.path)


RUN_JSON = Format("run", "json", "one JSON object: {qid: {docno: score}}", detect_nested, nested_reader("run"))
QRELS_JSON = Format("qrels", "json", "one JSON object: {qid: {docno: grade}}", detect_nested, nested_reader("qrels"))


def parquet_reader(kind: Kind) -> Callable[[OpenFile], UnreadTable]:
    """A reader of whole columns; only what one of them should not hold is looked at row by row."""

    def read(source: OpenFile) -> UnreadTable:
        require_extra("arrow", "a Parquet file", path=source.path)
        import pyarrow as pa
        import pyarrow.compute as pc

        with open_parquet(source) as file:
            fields = source.names.fields_of(kind, dict.fromkeys(file.schema_arrow.names))
            names = file_field_names(source, kind, fields, 1)
            has_both = "score" in names and "rank" in fields
            table = file.read([*names.values(), *([fields["rank"]] if has_both else [])])
        columns = [_column_texts(source, name, table[their]) for name, their in names.items()]
        if "rank" in names:
            keys = zip(*(column.to_pylist() for column in (columns[1], *columns[3:])), strict=True)
            rows = enumerate(zip(keys, table[names["rank"]].to_pylist(), strict=True), 1)
            _check_named_ranks(source, [RankedLine(row, key, format_rank(rank)) for row, (key, rank) in rows])
        columns += [_rank_cells(table[fields["rank"]])] if has_both else []
        lines = pc.binary_join_element_wise(*columns, pa.scalar("\t", pa.large_string())).to_pylist()
        return unread_table(source, kind, "\n".join(lines).encode(), "tag" in names, has_both)

    return read


def _column_texts(source: OpenFile, name: str, column: Any) -> Any:
    """A column as texts that fit into cells."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        raise InputError(f"{name} has bytes that are not UTF-8", source.path) from None
    if pa.types.is_floating(column.type):
        column = column.cast(pa.float64())
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_integer, pa.types.is_floating)
    is_plain = name != "rank" and any(is_kind(column.type) for is_kind in kinds)
    texts = column.cast(pa.large_string()) if is_plain else None
    if texts is None or texts.null_count or _has_unusual_space(texts):
        cells = [checked_cell(source, row, name, value) for row, value in enumerate(column.to_pylist(), 1)]
        return pa.array(cells, pa.large_string())
    return texts.combine_chunks()


def _rank_cells(column: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_integer(column.type):
        return pc.fill_null(column.cast(pa.large_string()), "").combine_chunks()
    return pa.array(map(rank_or_empty, column.to_pylist()), pa.large_string())


def _has_unusual_space(texts: Any) -> bool:
    """Whether there is white space other than between words of a text, or a NUL."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(texts, r"[\t\r\n\x00]|^\s|\s$")).as_py())


RUN_PARQUET = Format("run", "parquet", f"Parquet with columns {COLUMNS['run']}", detect_parquet, parquet_reader("run"))
QRELS_PARQUET = Format(
    "qrels", "parquet", f"Parquet with columns {COLUMNS['qrels']}", detect_parquet, parquet_reader("qrels")
)
