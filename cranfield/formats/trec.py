"""TREC's documents and topics in SGML, and the XML of its later topics."""

import io
import re
from collections.abc import Iterable, Iterator

from cranfield.errors import InputError, Path
from cranfield.formats import sgml
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.records import (
    DOCNO,
    DOCUMENT_TITLE,
    TEXT,
    TOPIC_FIELDS,
    TOPIC_TITLE,
    URL,
    Document,
    Fields,
    LocatedTopic,
    Topic,
    document_from_fields,
    topic_from_fields,
)
from cranfield.formats.whole_files import write_lines

_DOC = re.compile(rb"<doc[\s>]", re.IGNORECASE)
_HEADER_END = re.compile(r"</dochdr>", re.IGNORECASE)
_PAGE_TITLE, _PAGE_TITLE_END = re.compile("<title>", re.IGNORECASE), re.compile("</title>", re.IGNORECASE)
DOCUMENT_TAGS = frozenset({*DOCNO, *DOCUMENT_TITLE, *URL, "text", "metadata", "dochdr"})


def detect_corpus(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"<") and _DOC.search(head) is not None


def read_corpus(source: OpenFile) -> Iterator[Document]:
    """TREC documents: <DOC> <DOCNO> ... <TEXT> ..., with or without a root, one document in memory at a time.

    Pages of the web tracks (<DOCHDR> and then the page) have their markup taken off and its <title> as their title.
    """
    for element in sgml.elements(source.text(), "doc", source.path):
        if not element.closed:
            raise InputError("<DOC> without </DOC>", source.path, element.line)
        yield document_from_fields(_document_fields(element.content), source.path, element.line, source.names)


def write_corpus(path: Path, documents: Iterable[Document]) -> None:
    """Write documents as <DOC>; the white space around their texts is not kept."""
    write_lines(path, (_document_markup(path, document) for document in documents))


def _document_fields(content: str) -> Fields:
    """The fields by name; a repeated one continues the first, text outside all of them is the document's.

    >>> _document_fields("<DOCNO> F911 </DOCNO><HEADLINE>Wings</HEADLINE>\\n<TEXT><P>One</P></TEXT>\\n<TEXT>two</TEXT>")
    {'docno': 'F911', 'headline': 'Wings', 'text': 'One\\ntwo'}
    """
    header, *page = _HEADER_END.split(content, maxsplit=1)
    parts: dict[str, list[str]] = {}
    for field in sgml.fields(header + "</dochdr>" if page else content):
        if text := sgml.element_text(field.content):
            parts.setdefault(field.name or "text", []).append(text)
    fields: Fields = {name: "\n".join(texts) for name, texts in parts.items()}
    titles = {name: " ".join(str(fields[name]).split()) for name in DOCUMENT_TITLE if name in fields}
    return fields | titles | (_page(page[0]) if page else {})


def _page(markup: str) -> Fields:
    start = _PAGE_TITLE.search(markup)
    end = _PAGE_TITLE_END.search(markup, start.end()) if start else None
    title = markup[start.end() : end.start()] if start and end else ""
    return {"title": " ".join(sgml.element_text(title).split()), "text": sgml.element_text(markup)}


def _document_markup(path: Path, document: Document) -> str:
    own_fields = DOCUMENT_TAGS if document.text else DOCUMENT_TAGS | set(TEXT)
    metadata = sgml.text_metadata(path, f"document {document.docno}", document.metadata, own_fields)
    fields = {"DOCNO": document.docno, "TITLE": document.title, "URL": document.url, **metadata, "TEXT": document.text}
    lines = [f"<{name}>{sgml.escape(text)}</{name}>" for name, text in fields.items() if text]
    return "\n".join(["<DOC>", *lines, "</DOC>"])


CORPUS = Format(
    "corpus",
    "trec",
    "TREC SGML or XML: <DOC> <DOCNO> <TEXT>",
    detect=detect_corpus,
    read=read_corpus,
    write=write_corpus,
)


LABELS = {
    "num": "Number", "title": "Topic", "desc": "Description", "narr": "Narrative", "dom": "Domain", "smry": "Summary",
    "con": "Concept(s)", "fac": "Factor(s)", "def": "Definition(s)", "nat": "Nationality", "time": "Time",
    "price": "Price",
}  # fmt: skip
_LABELLED = frozenset({"num", "desc", "narr"})


def detect_topics(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"<") and b"<top>" in head.lower()


def read_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    """TREC topics in SGML: <top> <num> Number: 301 <title> ... <desc> Description: ... <narr> Narrative: ...

    Closing tags are optional and the labels are no text. Other fields (smry, con, fac, docid, querytime, ...) are
    metadata.
    """
    content = sgml.without_comments(source.text().read())
    for element in sgml.elements(io.StringIO(content), "top", source.path):
        yield LocatedTopic(
            element.line, topic_from_fields(_topic_fields(element.content), source.path, element.line, source.names)
        )


def write_topics(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics as TREC does since 1994, with closing tags."""
    write_lines(path, (_topic_markup(path, topic) for topic in topics))


def _topic_fields(content: str) -> Fields:
    """The fields by name; the title is one line, a repeated field continues the first, what is empty is left out.

    >>> _topic_fields("<num> Number: 051 <title> Topic: Airbus\\n Aid <fac> Factor(s): <nat> Nationality: U.S. </fac>")
    {'num': '051', 'title': 'Airbus Aid', 'fac': 'Nationality: U.S.'}
    """
    parts: dict[str, list[str]] = {}
    for field in sgml.fields(content):
        if text := _strip_label(field.name, sgml.element_text(field.content)):
            parts.setdefault(field.name or "text", []).append(text)
    fields: Fields = {name: "\n".join(texts) for name, texts in parts.items()}
    titles = {name: " ".join(str(fields[name]).split()) for name in TOPIC_TITLE if name in fields}
    return fields | titles


def _strip_label(name: str, text: str) -> str:
    label = LABELS.get(name)
    return re.sub(rf"^{re.escape(label)}:\s*", "", text, count=1, flags=re.IGNORECASE) if label else text


def _topic_markup(path: Path, topic: Topic) -> str:
    metadata = sgml.text_metadata(path, f"topic {topic.qid}", topic.metadata, TOPIC_FIELDS)
    fields = {"num": topic.qid, "title": topic.title, "desc": topic.description, "narr": topic.narrative} | metadata
    lines = [f"<{name}> {_add_label(name, text)} </{name}>" for name, text in fields.items() if text]
    return "\n".join(["<top>", *lines, "</top>", ""])


def _add_label(name: str, text: str) -> str:
    """The text with its label, where one is customary or where the text would lose its start for one."""
    needs_label = name in _LABELLED or _strip_label(name, text) != text
    return sgml.escape(f"{LABELS[name]}: {text}" if needs_label else text)


TOPICS = Format(
    "topics",
    "trec",
    "TREC SGML: <top> <num> <title> <desc> <narr>",
    detect=detect_topics,
    read=read_topics,
    write=write_topics,
)


_TOPIC = re.compile(rb"<topic[\s>]", re.IGNORECASE)
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
XML_TOPIC_FIELDS = TOPIC_FIELDS | {"subtopic"}


def detect_xml(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"<") and _TOPIC.search(head) is not None


def read_xml(source: OpenFile) -> Iterator[LocatedTopic]:
    """Topics in XML: <topic number="1"> with <query>, <question> or <description>, <narrative>, <subtopic>.

    It is read by the rules of `sgml.py`, so that a missing root or a bare "&" does no harm; what is written is
    well-formed.

    Topics; attributes and further elements are metadata, and so is the list of subtopics.
    """
    content = sgml.without_comments(source.text().read())
    for element in sgml.elements(io.StringIO(content), "topic", source.path):
        fields: Fields = dict(element.attributes)
        subtopics = []
        for field in sgml.fields(element.content):
            text = sgml.element_text(field.content)
            if field.name == "subtopic":
                subtopics.append(field.attributes | {"text": text})
            elif text:
                name = field.name or "text"
                fields[name] = " ".join(text.split()) if name in TOPIC_TITLE else text
        if subtopics:
            fields["subtopics"] = subtopics
        yield LocatedTopic(element.line, topic_from_fields(fields, source.path, element.line, source.names))


def write_xml(path: Path, topics: Iterable[Topic]) -> None:
    """Write topics as TREC's later tracks have them."""
    write_lines(path, _xml_lines(path, topics))


def _xml_lines(path: Path, topics: Iterable[Topic]) -> Iterator[str]:
    yield "<topics>"
    for each in topics:
        yield f'  <topic number="{_escape(path, each.qid, quoted=True)}">'
        metadata = dict(each.metadata)
        subtopics = metadata.pop("subtopics", [])
        texts = {"query": each.title, "description": each.description, "narrative": each.narrative}
        texts |= sgml.text_metadata(path, f"topic {each.qid}", metadata, XML_TOPIC_FIELDS)
        for name, text in texts.items():
            if text:
                yield f"    <{name}>{_escape(path, text)}</{name}>"
        for subtopic in _subtopics(path, each.qid, subtopics):
            attributes = dict(subtopic)
            text = _escape(path, attributes.pop("text", ""))
            attribute_text = "".join(
                f' {name}="{_escape(path, value, quoted=True)}"' for name, value in attributes.items()
            )
            yield f"    <subtopic{attribute_text}>{text}</subtopic>"
        yield "  </topic>"
    yield "</topics>"


def _subtopics(path: Path, qid: str, subtopics: object) -> list[dict[str, str]]:
    if isinstance(subtopics, list) and all(isinstance(subtopic, dict) for subtopic in subtopics):
        return subtopics
    raise InputError(f"metadata 'subtopics' of topic {qid} cannot be written: it is not a list of objects", path)


def _escape(path: Path, text: str, quoted: bool = False) -> str:
    if _FORBIDDEN.search(text):
        raise InputError(f"{text!r:.40} cannot be written: it has a character that XML does not allow", path)
    entities = sgml.escape(text, all_ampersands=True).replace(">", "&gt;")
    return entities.replace('"', "&quot;") if quoted else entities


XML_TOPICS = Format(
    "topics",
    "xml",
    "XML: <topic number=> <query> <question> <narrative>",
    detect=detect_xml,
    read=read_xml,
    write=write_xml,
)
