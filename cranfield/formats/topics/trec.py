"""TREC topics in SGML: <top> <num> Number: 301 <title> ... <desc> Description: ... <narr> Narrative: ...

Closing tags are optional and the labels are no text. Other fields (smry, con, fac, docid, querytime, ...) are metadata.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator

from cranfield.formats import sgml
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import DESCRIPTION, NARRATIVE, QID, TOPIC_TITLE, Fields, Format, Located, Topic, topic
from cranfield.formats.whole_files import write_lines

LABELS = {
    "num": "Number", "title": "Topic", "desc": "Description", "narr": "Narrative", "dom": "Domain", "smry": "Summary",
    "con": "Concept(s)", "fac": "Factor(s)", "def": "Definition(s)", "nat": "Nationality", "time": "Time",
    "price": "Price",
}  # fmt: skip
_LABELLED = frozenset({"num", "desc", "narr"})
_RESERVED = frozenset({*QID, *TOPIC_TITLE, *DESCRIPTION, *NARRATIVE, "metadata"})


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"<") and b"<top>" in head.lower()


def read(source: OpenFile) -> Iterator[Located]:
    content = sgml.without_comments(source.text().read())
    for element in sgml.elements(io.StringIO(content), "top", source.path):
        yield Located(element.line, topic(_fields(element.content), source.path, element.line, source.names))


def write(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics as TREC does since 1994, with closing tags."""
    write_lines(path, (_written(path, topic) for topic in topics))


def _fields(content: str) -> Fields:
    """The fields by name; the title is one line, a repeated field continues the first, what is empty is left out.

    >>> _fields("<num> Number: 051 <title> Topic: Airbus\\n Subsidies <fac> Factor(s): <nat> Nationality: U.S. </fac>")
    {'num': '051', 'title': 'Airbus Subsidies', 'fac': 'Nationality: U.S.'}
    """
    found: dict[str, list[str]] = {}
    for field in sgml.fields(content):
        if text := _without_label(field.name, sgml.plain(field.content)):
            found.setdefault(field.name or "text", []).append(text)
    joined: Fields = {name: "\n".join(texts) for name, texts in found.items()}
    titles = {name: " ".join(str(joined[name]).split()) for name in TOPIC_TITLE if name in joined}
    return joined | titles


def _without_label(name: str, text: str) -> str:
    label = LABELS.get(name)
    return re.sub(rf"^{re.escape(label)}:\s*", "", text, count=1, flags=re.IGNORECASE) if label else text


def _written(path: Path, topic: Topic) -> str:
    metadata = sgml.text_metadata(path, f"topic {topic.qid}", topic.metadata, _RESERVED)
    fields = {"num": topic.qid, "title": topic.title, "desc": topic.description, "narr": topic.narrative} | metadata
    lines = [f"<{name}> {_with_label(name, text)} </{name}>" for name, text in fields.items() if text]
    return "\n".join(["<top>", *lines, "</top>", ""])


def _with_label(name: str, text: str) -> str:
    """The text with its label, where one is customary or where the text would lose its start for one."""
    needed = name in _LABELLED or _without_label(name, text) != text
    return sgml.escape(f"{LABELS[name]}: {text}" if needed else text)


TOPICS = Format("topics", "trec", "TREC SGML: <top> <num> <title> <desc> <narr>", detect, read, write)
