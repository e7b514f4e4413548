"""JSONL, one object a line: corpora and topics, BEIR's `_id` and `text` or the names that others use; BEIR's folders.

A BEIR folder has corpus.jsonl, queries.jsonl and qrels/test.tsv, each perhaps compressed; its qrels also alone.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any, NoReturn, TypeVar

from cranfield.arrays.rankings import Qrels
from cranfield.errors import EntryNumber, InputError, Path
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import Format, OpenFile, open_file
from cranfield.formats.given_files import COMPRESSIONS
from cranfield.formats.layout import Layout
from cranfield.formats.records import (
    TOPIC_FIELDS,
    Document,
    Fields,
    LocatedTopic,
    Topic,
    document_from_fields,
    fold_field_name,
    topic_from_fields,
)
from cranfield.formats.whole_files import check_cells, write_lines
from cranfield.text import json_value

T = TypeVar("T")


def detect(head: bytes, path: str) -> bool:
    """Whether an object comes first, alone or in a list, which the reader of a corpus refuses."""
    return head.lstrip().removeprefix(b"[").lstrip().startswith(b"{")


def read_corpus(source: OpenFile) -> Iterator[Document]:
    for line, fields in read_json_objects(source):
        yield document_from_fields(fields, source.path, line, source.names)


def read_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    for line, fields in listed_objects(source):
        yield LocatedTopic(line, topic_from_fields(fields, source.path, line, source.names))


def write_corpus(path: Path, documents: Iterable[Document]) -> None:
    """Write documents as BEIR has them: `_id`, `title`, `text`, and `url` and `metadata` where there are any."""
    write_lines(path, (_json_line(path, _document_fields(document)) for document in documents))


def write_topics(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics under their own names."""
    _write_topics(path, topics, "qid", "title")


def write_queries(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics as BEIR has them: `_id`, `text`, and what else there is."""
    _write_topics(path, topics, "_id", "text")


def _write_topics(path: Path, topics: Iterable[Topic], qid: str, title: str) -> None:
    objects = ({qid: topic.qid, title: topic.title} | _further_fields(topic) for topic in topics)
    write_lines(path, (_json_line(path, fields) for fields in objects))


FIRST_NAME = re.compile(rb'\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*["{]')


def detect_topics_by_id(head: bytes, path: str) -> bool:
    r"""Whether the file may be one object of topics: not one object a line, and no name is that of a topic's field.

    >>> detect_topics_by_id(b'{"176": "red lamp",\n"177": "blue mat"}', "topics.json")
    True
    >>> detect_topics_by_id(b'{"code": "1", "title": "lamp"}', "t"), detect_topics_by_id(b'{"a": "b"}\n{"a": "c"}', "t")
    (False, False)
    """
    start = FIRST_NAME.match(head)
    if start is None:
        return False
    names, (first, _, following) = {start[1].decode("utf-8", "replace")}, head.strip().partition(b"\n")
    with suppress(ValueError, RecursionError):
        names = {*parse_strict_json(first.decode("utf-8", "replace"))}
        if following.strip():
            return False
    return not TOPIC_FIELDS & set(map(fold_field_name, names))


def read_topics_by_id(source: OpenFile) -> Iterator[LocatedTopic]:
    """Topics as one JSON object: {qid: text}, or {qid: {title, ...}}; every value is checked."""
    text = source.text().read()
    try:
        pairs = loads_pairs(_replace_surrogates(text) if "\\ud" in text.lower() else text)
    except json.JSONDecodeError as error:
        raise InputError(_not_json_message(error), source.path, error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise InputError(nesting_error(error), source.path, line_of_first_nan(text)) from None
    for entry, (qid, value) in enumerate(pairs, 1):
        place, fields = EntryNumber(entry), {"title": value} if isinstance(value, str) else _nested_fields(value)
        if fields is None:
            found = f"topic {qid:.40} is {json.dumps(value):.40}"
            raise InputError(f"{found}; expected its text or an object with a title", source.path, place)
        ours = topic_from_fields({**fields, "qid": qid}, source.path, place, source.names)
        if not (ours.title or isinstance(value, str)):
            raise InputError(f"the title of topic {qid:.40} is missing", source.path, place)
        yield LocatedTopic(place, ours)


def _nested_fields(value: object) -> Fields | None:
    """The fields of an object that was read as pairs; None for anything else, or if a name is there twice."""
    is_object = isinstance(value, tuple) and len({name for name, _ in value}) == len(value)
    return dict(value) if is_object and isinstance(value, tuple) else None


def read_json_objects(source: OpenFile) -> Iterator[tuple[int, Fields]]:
    for line, text in source.lines():
        if text.strip():
            yield line, parse_json_object(text, source.path, line)


def listed_objects(source: OpenFile) -> Iterator[tuple[int, Fields]]:
    """The objects of a file that has one a line, or of one that is a JSON list of them, as pandas' records."""
    if not source.head.lstrip().startswith(b"["):
        yield from read_json_objects(source)
        return
    text = source.text().read()
    whole = _replace_surrogates(text) if "\\ud" in text.lower() and _is_json(text) else text
    yield from number_records(decode_json(whole, source.path), source)


def _is_json(text: str) -> bool:
    try:
        return json.loads(text) is not None
    except (ValueError, RecursionError):
        return False


def parse_json_object(text: str, path: Path, line: int) -> Fields:
    """The object that a line holds."""
    try:
        fields = parse_strict_json(_replace_surrogates(text) if "\\ud" in text.lower() else text)
    except json.JSONDecodeError as error:
        wrong = (
            f"a JSON list; expected one object per line{AS_LINES}"
            if text.lstrip().startswith("[")
            else _not_json_message(error)
        )
        raise InputError(wrong, path, line) from None
    except (ValueError, RecursionError) as error:
        raise InputError(nesting_error(error), path, line) from None
    if not isinstance(fields, dict):
        remedy = AS_LINES if isinstance(fields, list) and line == 1 else ""
        raise InputError(f"a JSON {type(fields).__name__}; expected one object per line{remedy}", path, line)
    return fields


AS_LINES = "; convert a list with jq -c '.[]' FILE"


def _not_json_message(error: json.JSONDecodeError) -> str:
    return f"not JSON: {error.msg.removesuffix(' at')} at column {error.colno}"


class NoNumberError(ValueError):
    """NaN or an infinite number, which Python writes and reads, and JSON has not."""


def _refuse(name: str) -> NoReturn:
    raise NoNumberError(f"not JSON: {name:.20} is not a number in JSON")


def _finite_number(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _refuse(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite_number)


def parse_strict_json(text: str) -> Any:
    """JSON as the standard has it.

    >>> parse_strict_json("[1e400]")
    Traceback (most recent call last):
    cranfield.formats.jsonl.NoNumberError: not JSON: 1e400 is not a number in JSON
    """
    return _DECODER.decode(text)


def loads_pairs(text: str) -> Any:
    """The same with every object as a tuple of its names and values, in which a name that is there twice stays so.

    >>> loads_pairs('{"q1": {"d1": 1, "d1": 2}}')
    (('q1', (('d1', 1), ('d1', 2))),)
    """
    decoder = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite_number, object_pairs_hook=tuple)
    return decoder.decode(text)


def nesting_error(error: ValueError | RecursionError) -> str:
    """Why JSON cannot be read that is written as it should be.

    >>> nesting_error(RecursionError())
    'JSON nested too deeply'
    """
    if isinstance(error, NoNumberError):
        return str(error)
    if isinstance(error, RecursionError):
        return "JSON nested too deeply"
    return "JSON with a number that has thousands of digits"


def _replace_surrogates(text: str) -> str:
    """The same JSON with U+FFFD for half a character, which no UTF-8 file can hold."""
    characters = json.dumps(json.loads(text), ensure_ascii=False)
    return characters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _document_fields(document: Document) -> Fields:
    optional = _drop_empty({"url": document.url, "metadata": dict(document.metadata)})
    return {"_id": document.docno, "title": document.title, "text": document.text} | optional


def _further_fields(topic: Topic) -> Fields:
    metadata = dict(topic.metadata)
    return _drop_empty({"description": topic.description, "narrative": topic.narrative, "metadata": metadata})


def _drop_empty(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value}


def _json_line(path: Path, fields: Fields) -> str:
    try:
        return json.dumps(fields, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"metadata cannot be written as JSON: {error}", path) from None


class RecordsOfLines(list[Any]):
    """The records of a file that has one on each line, so that their numbers are those of lines."""


def read_json(source: OpenFile) -> Any:
    """All of a file as JSON, or as a list of objects where it is one object a line."""
    text = source.text().read()
    try:
        return parse_strict_json(text)
    except json.JSONDecodeError as error:
        whole = error
    except (ValueError, RecursionError) as error:
        raise json_error(error, text, source.path) from None
    try:
        return RecordsOfLines(parse_strict_json(line) for line in text.split("\n") if line.strip())
    except json.JSONDecodeError:
        raise json_error(whole, text, source.path) from None
    except (ValueError, RecursionError) as error:
        raise json_error(error, text, source.path) from None


def decode_json(text: str, path: Path, decode: Callable[[str], Any] = parse_strict_json) -> Any:
    """The value of a whole file of JSON; InputError with the line and column where it is broken."""
    try:
        return decode(text)
    except (ValueError, RecursionError) as error:
        raise json_error(error, text, path) from None


def json_error(error: ValueError | RecursionError, text: str, path: Path) -> InputError:
    """Why a whole file cannot be read as JSON, with the line.

    >>> text = '{"q1":\\n {"d1" 1.0}}'
    >>> try:
    ...     parse_strict_json(text)
    ... except ValueError as error:
    ...     str(json_error(error, text, "run.json"))
    "run.json:2: not JSON: Expecting ':' delimiter at column 8"
    """
    if isinstance(error, json.JSONDecodeError):
        return InputError(_not_json_message(error), path, error.lineno)
    return InputError(nesting_error(error), path, line_of_first_nan(text))


_STRING_OR_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*+"|NaN|-?Infinity|-?\d[\d.eE+-]*+')


def line_of_first_nan(text: str) -> int | None:
    """The line of the first NaN or infinite number in a JSON text; None where there is no such number.

    >>> line_of_first_nan('{"NaN": 1,\\n "a": 1e400}'), line_of_first_nan('{"NaN": 1}')
    (2, None)
    """
    for token in _STRING_OR_NUMBER.finditer(text):
        if token[0].startswith('"'):
            continue
        with suppress(ValueError):
            if not isfinite(float(token[0])):
                return text.count("\n", 0, token.start()) + 1
    return None


def number_entries(values: Iterable[T]) -> Iterator[tuple[EntryNumber, T]]:
    """The values with their numbers from 1, by which an error names them."""
    return ((EntryNumber(number), value) for number, value in enumerate(values, 1))


def number_records(records: object, source: OpenFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a list with their numbers from 1."""
    if not isinstance(records, list):
        raise InputError(f"a JSON {type(records).__name__}; expected a list of records", source.path)
    for number, each in enumerate(records, 1):
        record = number if isinstance(records, RecordsOfLines) else EntryNumber(number)
        if not isinstance(each, dict):
            raise InputError(f"a JSON {type(each).__name__}; expected each record to be an object", source.path, record)
        yield record, each


def require_json_objects(value: object, what: str, source: OpenFile, record: int) -> list[dict[str, Any]]:
    """A list of objects inside a record; nothing is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InputError(f"{what} is {json_value(value)}; expected a list of objects", source.path, record)
    return value


def require_json_object(value: object, what: str, source: OpenFile, record: int) -> dict[str, Any]:
    """An object inside a record; nothing is an empty one."""
    if not isinstance(value, dict | None):
        raise InputError(f"{what} is {json_value(value)}; expected an object", source.path, record)
    return value or {}


def drop_fields(fields: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The fields but those."""
    omit = set(names)
    return {name: value for name, value in fields.items() if name not in omit}


CORPUS = Format(
    "corpus",
    "jsonl",
    "one JSON object per line: _id or docno, title, text, url",
    detect=detect,
    read=read_corpus,
    write=write_corpus,
)
TOPICS = Format(
    "topics",
    "jsonl",
    "JSON objects, one per line or in a list: qid or _id, title or text, description, narrative",
    detect=detect,
    read=read_topics,
    write=write_topics,
)


CORPUS_FILE, QUERIES_FILE, QRELS_FILE = "corpus.jsonl", "queries.jsonl", os.path.join("qrels", "test.tsv")
BEIR_HEADER = b"query-id\tcorpus-id\tscore"
BEIR_LAYOUT = Layout("BEIR qrels have", ("qid", "docno", "grade"), tabs=True, header=b"query-id")


def detect_beir(head: bytes, path: str) -> bool:
    return os.path.isdir(path)


def detect_beir_qrels(head: bytes, path: str) -> bool:
    return head.partition(b"\n")[0].strip() == BEIR_HEADER or os.path.isdir(path)


def read_beir_corpus(source: OpenFile) -> Iterator[Document]:
    with open_file(_member_path(source.path, CORPUS_FILE), source.names, whole=False, latin1=source.latin1) as member:
        yield from read_corpus(member)


def read_beir_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    with open_file(_member_path(source.path, QUERIES_FILE), source.names, latin1=source.latin1) as member:
        yield from read_topics(member)


def read_beir_qrels(source: OpenFile) -> UnreadTable:
    """The judgments of a file, or those a folder has for testing; train.tsv or dev.tsv has to be named itself."""
    if not os.path.isdir(source.path):
        return UnreadTable(source.path, source.data(), BEIR_LAYOUT)
    with open_file(_member_path(source.path, QRELS_FILE)) as member:
        return read_beir_qrels(member)


def write_beir_corpus(path: Path, documents: Iterable[Document]) -> None:
    write_corpus(_new_member(path, CORPUS_FILE), documents)


def write_beir_topics(path: Path, topics: Iterable[Topic]) -> None:
    write_queries(_new_member(path, QUERIES_FILE), topics)


def write_beir_qrels(path: Path, qrels: Qrels) -> None:
    """Write the judgments, into a folder if `path` is one; the iteration has no place here."""
    file = _new_member(path, QRELS_FILE) if os.path.isdir(path) else path
    write_lines(file, _qrels_lines(file, qrels))


def _member_path(folder: Path, name: str) -> str:
    """A file of the folder, plain or compressed."""
    candidates = (os.path.join(folder, name + suffix) for suffix in ("", *COMPRESSIONS))
    if file := next(filter(os.path.exists, candidates), None):
        return file
    files = os.path.join(folder, "*")
    raise InputError(f"a folder without {name}; expected the layout of BEIR, or the files themselves: {files}", folder)


def _new_member(folder: Path, name: str) -> str:
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def _qrels_lines(path: Path, qrels: Qrels) -> Iterator[str]:
    yield BEIR_HEADER.decode()
    qids, docnos = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    for qid, docno, grade in zip(qids, docnos, qrels.grade.tolist(), strict=True):
        check_cells(path, f"document {docno} of topic {qid}", (qid, docno))
        yield f"{qid}\t{docno}\t{grade}"


BEIR_CORPUS = Format(
    "corpus",
    "beir",
    "BEIR folder: corpus.jsonl",
    detect=detect_beir,
    read=read_beir_corpus,
    write=write_beir_corpus,
    place="folder",
)
TOPICS_BY_ID = Format(
    "topics", "json", "one JSON object: {qid: text} or {qid: {title, ...}}", detect_topics_by_id, read_topics_by_id
)
BEIR_TOPICS = Format(
    "topics",
    "beir",
    "BEIR folder: queries.jsonl",
    detect=detect_beir,
    read=read_beir_topics,
    write=write_beir_topics,
    place="folder",
)
BEIR_QRELS = Format(
    "qrels",
    "beir",
    "BEIR: query-id TAB corpus-id TAB score, with this header",
    detect=detect_beir_qrels,
    read=read_beir_qrels,
    write=write_beir_qrels,
    place="either",
)
