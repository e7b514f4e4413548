"""JSONL, one object a line: corpora and topics, BEIR's `_id` and `text` or the names that others use."""

import json
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any, NoReturn

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import Document, Fields, Format, Located, Topic, document, topic
from cranfield.formats.whole_files import write_lines


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{")


def read_corpus(source: OpenFile) -> Iterator[Document]:
    for line, fields in objects(source):
        yield document(fields, source.path, line, source.names)


def read_topics(source: OpenFile) -> Iterator[Located]:
    for line, fields in objects(source):
        yield Located(line, topic(fields, source.path, line, source.names))


def write_corpus(path: Path, documents: Iterable[Document]) -> None:
    """Write documents as BEIR has them: `_id`, `title`, `text`, and `url` and `metadata` where there are any."""
    write_lines(path, (_line(path, _document_fields(document)) for document in documents))


def write_topics(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics under their own names."""
    _write_topics(path, topics, "qid", "title")


def write_queries(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics as BEIR has them: `_id`, `text`, and what else there is."""
    _write_topics(path, topics, "_id", "text")


def _write_topics(path: Path, topics: Iterable[Topic], qid: str, title: str) -> None:
    objects = ({qid: topic.qid, title: topic.title} | _further(topic) for topic in topics)
    write_lines(path, (_line(path, fields) for fields in objects))


def objects(source: OpenFile) -> Iterator[tuple[int, Fields]]:
    for line, text in source.lines():
        if text.strip():
            yield line, object_of(text, source.path, line)


def object_of(text: str, path: Path, line: int) -> Fields:
    """The object that a line holds."""
    try:
        fields = loads(_without_lone_surrogates(text) if "\\ud" in text.lower() else text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} at column {error.colno}", path, line) from None
    except (ValueError, RecursionError) as error:
        raise InputError(beyond(error), path, line) from None
    if not isinstance(fields, dict):
        raise InputError(f"a JSON {type(fields).__name__}; expected one object per line", path, line)
    return fields


class NoNumberError(ValueError):
    """NaN or an infinite number, which Python writes and reads, and JSON has not."""


def _refused(name: str) -> NoReturn:
    raise NoNumberError(f"not JSON: {name:.20} is not a number in JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _refused(digits)


_DECODER = json.JSONDecoder(parse_constant=_refused, parse_float=_finite)


def loads(text: str) -> Any:
    """JSON as the standard has it.

    >>> loads("[1e400]")
    Traceback (most recent call last):
    cranfield.formats.jsonl.NoNumberError: not JSON: 1e400 is not a number in JSON
    """
    return _DECODER.decode(text)


def loads_pairs(text: str) -> Any:
    """The same with every object as a tuple of its names and values, in which a name that is there twice stays so.

    >>> loads_pairs('{"q1": {"d1": 1, "d1": 2}}')
    (('q1', (('d1', 1), ('d1', 2))),)
    """
    decoder = json.JSONDecoder(parse_constant=_refused, parse_float=_finite, object_pairs_hook=tuple)
    return decoder.decode(text)


def beyond(error: ValueError | RecursionError) -> str:
    """Why JSON cannot be read that is written as it should be.

    >>> beyond(RecursionError())
    'JSON nested too deeply'
    """
    if isinstance(error, NoNumberError):
        return str(error)
    return (
        "JSON nested too deeply" if isinstance(error, RecursionError) else "JSON with a number thousands of digits long"
    )


def _without_lone_surrogates(text: str) -> str:
    """The same JSON with U+FFFD for half a character, which no UTF-8 file can hold."""
    characters = json.dumps(json.loads(text), ensure_ascii=False)
    return characters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _document_fields(document: Document) -> Fields:
    optional = _filled({"url": document.url, "metadata": dict(document.metadata)})
    return {"_id": document.docno, "title": document.title, "text": document.text} | optional


def _further(topic: Topic) -> Fields:
    metadata = dict(topic.metadata)
    return _filled({"description": topic.description, "narrative": topic.narrative, "metadata": metadata})


def _filled(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value}


def _line(path: Path, fields: Fields) -> str:
    try:
        return json.dumps(fields, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"metadata cannot be written as JSON: {error}", path) from None


CORPUS = Format(
    "corpus", "jsonl", "one JSON object a line: _id or docno, title, text, url", detect, read_corpus, write_corpus
)
TOPICS = Format(
    "topics",
    "jsonl",
    "one JSON object a line: qid or _id, title or text, description, narrative",
    detect,
    read_topics,
    write_topics,
)
