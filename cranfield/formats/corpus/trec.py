"""TREC documents: <DOC> <DOCNO> ... <TEXT> ..., with or without a root, one document in memory at a time.

Pages of the web tracks (<DOCHDR> and then the page) have their markup taken off and its <title> as their title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cranfield.errors import InputError
from cranfield.formats import sgml
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import DOCNO, DOCUMENT_TITLE, TEXT, URL, Document, Fields, Format, document
from cranfield.formats.whole_files import write_lines

_START = re.compile(rb"<doc[\s>]", re.IGNORECASE)
_HEADER_END = re.compile(r"</dochdr>", re.IGNORECASE)
_TITLE, _TITLE_END = re.compile("<title>", re.IGNORECASE), re.compile("</title>", re.IGNORECASE)
_RESERVED = frozenset({*DOCNO, *DOCUMENT_TITLE, *URL, "text", "metadata", "dochdr"})


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"<") and _START.search(head) is not None


def read(source: OpenFile) -> Iterator[Document]:
    for element in sgml.elements(source.text(), "doc", source.path):
        if not element.closed:
            raise InputError("<DOC> without </DOC>", source.path, element.line)
        yield document(_fields(element.content), source.path, element.line, source.names)


def write(path: Path, documents: Iterable[Document]) -> None:
    """Write documents as <DOC>; the white space around their texts is not kept."""
    write_lines(path, (_written(path, document) for document in documents))


def _fields(content: str) -> Fields:
    """The fields by name; a repeated one continues the first, text outside all of them is the document's.

    >>> _fields("<DOCNO> FT911-3 </DOCNO><HEADLINE>Wings</HEADLINE>\\n<TEXT><P>One</P></TEXT>\\n<TEXT>two</TEXT>")
    {'docno': 'FT911-3', 'headline': 'Wings', 'text': 'One\\ntwo'}
    """
    header, *page = _HEADER_END.split(content, maxsplit=1)
    found: dict[str, list[str]] = {}
    for field in sgml.fields(header + "</dochdr>" if page else content):
        if text := sgml.plain(field.content):
            found.setdefault(field.name or "text", []).append(text)
    fields: Fields = {name: "\n".join(texts) for name, texts in found.items()}
    titles = {name: " ".join(str(fields[name]).split()) for name in DOCUMENT_TITLE if name in fields}
    return fields | titles | (_page(page[0]) if page else {})


def _page(markup: str) -> Fields:
    start = _TITLE.search(markup)
    end = _TITLE_END.search(markup, start.end()) if start else None
    title = markup[start.end() : end.start()] if start and end else ""
    return {"title": " ".join(sgml.plain(title).split()), "text": sgml.plain(markup)}


def _written(path: Path, document: Document) -> str:
    reserved = _RESERVED if document.text else _RESERVED | set(TEXT)
    metadata = sgml.text_metadata(path, f"document {document.docno}", document.metadata, reserved)
    fields = {"DOCNO": document.docno, "TITLE": document.title, "URL": document.url, **metadata, "TEXT": document.text}
    lines = [f"<{name}>{sgml.escape(text)}</{name}>" for name, text in fields.items() if text]
    return "\n".join(["<DOC>", *lines, "</DOC>"])


CORPUS = Format("corpus", "trec", "TREC SGML or XML: <DOC> <DOCNO> <TEXT>", detect, read, write)
