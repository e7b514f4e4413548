"""Topics in XML: <topic number="1"> with <query>, <question> or <description>, <narrative>, <subtopic>.

It is read by the rules of `sgml.py`, so that a missing root or a bare "&" does no harm; what is written is well-formed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator

from cranfield.errors import InputError
from cranfield.formats import sgml
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import DESCRIPTION, NARRATIVE, QID, TOPIC_TITLE, Fields, Format, Located, Topic, topic
from cranfield.formats.whole_files import write_lines

_START = re.compile(rb"<topic[\s>]", re.IGNORECASE)
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RESERVED = frozenset({*QID, *TOPIC_TITLE, *DESCRIPTION, *NARRATIVE, "subtopic", "metadata"})


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"<") and _START.search(head) is not None


def read(source: OpenFile) -> Iterator[Located]:
    """Topics; attributes and further elements are metadata, and so is the list of subtopics."""
    content = sgml.without_comments(source.text().read())
    for element in sgml.elements(io.StringIO(content), "topic", source.path):
        yield Located(element.line, topic(_fields(element), source.path, element.line, source.names))


def write(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics as TREC's later tracks have them."""
    write_lines(path, _lines(path, topics))


def _fields(element: sgml.Element) -> Fields:
    fields: Fields = dict(element.attributes)
    subtopics = []
    for field in sgml.fields(element.content):
        text = sgml.plain(field.content)
        if field.name == "subtopic":
            subtopics.append(field.attributes | {"text": text})
        elif text:
            fields[field.name or "text"] = " ".join(text.split()) if field.name in TOPIC_TITLE else text
    return fields | ({"subtopics": subtopics} if subtopics else {})


def _lines(path: Path, topics: Iterable[Topic]) -> Iterator[str]:
    yield "<topics>"
    for each in topics:
        yield f'  <topic number="{_escaped(path, each.qid, quoted=True)}">'
        yield from _elements(path, each)
        yield "  </topic>"
    yield "</topics>"


def _elements(path: Path, topic: Topic) -> Iterator[str]:
    metadata = dict(topic.metadata)
    subtopics = metadata.pop("subtopics", [])
    texts = {"query": topic.title, "description": topic.description, "narrative": topic.narrative}
    texts |= sgml.text_metadata(path, f"topic {topic.qid}", metadata, _RESERVED)
    for name, text in texts.items():
        if text:
            yield f"    <{name}>{_escaped(path, text)}</{name}>"
    for subtopic in _subtopics(path, topic.qid, subtopics):
        attributes = dict(subtopic)
        text = _escaped(path, attributes.pop("text", ""))
        quoted = "".join(f' {name}="{_escaped(path, value, quoted=True)}"' for name, value in attributes.items())
        yield f"    <subtopic{quoted}>{text}</subtopic>"


def _subtopics(path: Path, qid: str, subtopics: object) -> list[dict[str, str]]:
    if isinstance(subtopics, list) and all(isinstance(subtopic, dict) for subtopic in subtopics):
        return subtopics
    raise InputError(f"metadata 'subtopics' of topic {qid} cannot be written: it is not a list of objects", path)


def _escaped(path: Path, text: str, quoted: bool = False) -> str:
    if _FORBIDDEN.search(text):
        raise InputError(f"{text!r:.40} cannot be written: it has a character that XML does not allow", path)
    escaped = sgml.escape(text, all_ampersands=True).replace(">", "&gt;")
    return escaped.replace('"', "&quot;") if quoted else escaped


TOPICS = Format("topics", "xml", "XML: <topic number=> <query> <question> <narrative>", detect, read, write)
