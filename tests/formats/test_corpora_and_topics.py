"""Corpora and topics: every format by its content, what is wrong named with its line, one document at a time."""

import gzip
import io
import json
import tracemalloc
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path
from unittest.mock import Mock

import pytest

from cranfield.errors import InputError
from cranfield.formats import Document, Topic, read_corpus, read_topics, write_corpus
from cranfield.formats.files import Latin1, Utf8Stream
from tests.arrow import pa, parquet
from tests.conftest import Cranfield, usually

IDS = "docno, _id, id, pid, passage_id, docid, doc_id, document_id, cord_uid"
READ = {
    "jsonl": (
        '{"_id": "1", "title": "a", "text": "b", "url": "u", "metadata": {"x": 1}, "y": [2]}\n\n{"docno": 2}\n',
        [Document("1", "a", "b", "u", {"x": 1, "y": [2]}), Document("2")],
    ),
    "jsonl, other names": (
        '{"id": "1", "contents": "b"}\n{"docid": "2", "headline": "a", "body": "b"}\n{"pid": "3", "passage": "c"}',
        [Document("1", text="b"), Document("2", "a", "b"), Document("3", text="c")],
    ),
    "trec": (
        "<DOC>\n<DOCNO> FT911-3 </DOCNO>\n<DOCID>7</DOCID>\n<HEADLINE>\n<P>a\nb</P>\n</HEADLINE>\n<TEXT>\n"
        "<P>\nR&amp;D, x < y\n</P>\n</TEXT>\n<TEXT>c</TEXT>\n</DOC>\n<DOC><DOCNO>2</DOCNO>loose</DOC>",
        [Document("FT911-3", "a b", "R&D, x < y\nc", metadata={"docid": "7"}), Document("2", text="loose")],
    ),
    "trec, xml without a root": (
        "<doc>\n<docno>1</docno>\n<author>x</author>\n<text>a\n b</text>\n</doc>\n<doc><docno>2</docno><text/></doc>",
        [Document("1", text="a\n b", metadata={"author": "x"}), Document("2")],
    ),
    "trec, web pages": (
        "<DOC>\n<DOCNO>WT01-1</DOCNO>\n<DOCHDR>\nhttp://x.org/ 1997\n</DOCHDR>\n"
        "<html><TITLE>A\npage</TITLE><p>one<p>two</html>\n</DOC>",
        [Document("WT01-1", "A page", "A\npage  one two", metadata={"dochdr": "http://x.org/ 1997"})],
    ),
    "smart": (
        ".I 1\n.T\na\nb\n.A\nx\n.W\nc\n  d\n.X\n1\t5\t1\n.W\ne\n.I 2\n.T\n.W\n",
        [Document("1", "a b", "c\n  d\ne", metadata={"author": "x", "references": "1\t5\t1"}), Document("2")],
    ),
    "tsv": (
        'docno\ttitle\ttext\tyear\n1\ta "b\tc, d\t1958\n\n2\t\t\t\n',
        [Document("1", 'a "b', "c, d", metadata={"year": "1958"}), Document("2", metadata={"year": ""})],
    ),
    "csv": (
        'Id,Text,url\r\n1,"a, ""b""\nc",u\r\n2,,\r\n',
        [Document("1", text='a, "b"\nc', url="u"), Document("2")],
    ),
}
REFUSED = {
    "nothing that is known": (
        "a b\n",
        ":1: not a known corpus format; available formats: folder, beir, jsonl, trec, smart, parquet, tsv, csv"
        "; choose one with --format NAME",
    ),
    "no header": (
        "1\ta\n",
        f":1: no header line contains one of {IDS}; for a file without a header, name the columns:"
        " --no-header --columns docno,text",
    ),
    "too few columns": ("docno\ttext\n1\ta\n2\n", ":3: 1 column; expected 2, as in the header"),
    "too many columns": ("docno,text\n1,a,b\n", ":2: 3 columns; expected 2, as in the header"),
    "bad quotes": ('docno,text\n1,"a" b\n', ":2: not CSV: ',' expected after '\"'"),
    "no id": (
        '{"_id": "1"}\n{"text": "a"}\n',
        f":2: the id is missing; expected it in one of the fields {IDS}",
    ),
    "an unclosed document": ("<DOC>\n<DOCNO>1</DOCNO>\n</DOC>\n<DOC>\n<DOCNO>2</DOCNO>\n", ":4: <DOC> without </DOC>"),
    "a lost closing tag": ("<DOC><DOCNO>1</DOCNO>\n<DOC><DOCNO>2</DOCNO></DOC>", ":1: <DOC> without </DOC>"),
    "a document without docno": (
        "<DOC></DOC>\n\n<DOC></DOC>",
        f":1: the id is missing; expected it in one of the fields {IDS}",
    ),
}


@pytest.mark.parametrize("case", READ)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_corpus_is_read_by_its_content(tmp_path: Path, case: str, end: str) -> None:
    """Nobody has to say what format a file has, nor which line ends."""
    text, documents = READ[case]
    path = tmp_path / "corpus"
    path.write_bytes(text.replace("\r\n", "\n").replace("\n", end).encode())
    assert list(read_corpus(path)) == documents


NAMES_FOLDERS = "nothing that is known"  # the error lists all formats, those of features as well


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.needs("documents") if case == NAMES_FOLDERS else ()) for case in REFUSED],
)
def test_a_wrong_corpus_is_refused_in_one_line(tmp_path: Path, case: str) -> None:
    """File, line, what was found, what is right."""
    text, message = REFUSED[case]
    path = tmp_path / "corpus"
    path.write_bytes(text.encode())
    with pytest.raises(InputError) as error:
        list(read_corpus(path))
    assert str(error.value) == f"{path}{message}"


def test_parquet_is_read(tmp_path: Path) -> None:
    """Columns by their usual names, the others are metadata."""
    table = pa.table({"docid": ["1", "2"], "title": ["a", None], "Content": [None, "b"], "year": [1958, None]})
    parquet.write_table(table, tmp_path / "corpus")
    documents = [Document("1", "a", metadata={"year": 1958}), Document("2", text="b", metadata={"year": None})]
    assert list(read_corpus(tmp_path / "corpus")) == documents


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    """In one line."""
    (tmp_path / "corpus").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InputError, match=r"corpus: not Parquet: [^\n]*$"):
        list(read_corpus(tmp_path / "corpus"))


def test_long_csv_cells_are_read(tmp_path: Path) -> None:
    """A document may be longer than Python's csv allows by default."""
    (tmp_path / "corpus.csv").write_text(f"docno,text\n1,{'a' * 200_000}\n")
    assert len(next(read_corpus(tmp_path / "corpus.csv")).text) == 200_000


def test_documents_are_found_across_blocks(tmp_path: Path) -> None:
    """A document may be longer than what is read at once, and start anywhere."""
    documents = [Document(str(number), text="ab " * (number * 70_000) + "end") for number in range(12)]
    write_corpus(tmp_path / "corpus", documents, "trec")
    assert list(read_corpus(tmp_path / "corpus")) == documents


@pytest.mark.daily
@pytest.mark.parametrize("format", usually(["trec"], ["jsonl", "trec", "tsv"]))
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path, format: str) -> None:
    """A hundred times the documents need no more memory, written and read."""

    def documents(number: int) -> Iterator[Document]:
        return (Document(str(at), text="wing " * 200) for at in range(number))

    def peak(number: int) -> int:
        tracemalloc.start()
        path = tmp_path / "corpus.gz"
        write_corpus(path, documents(number), format)
        assert sum(1 for _ in read_corpus(path)) == number
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(10)
    assert peak(5_000) < 4_500_000


def test_progress_is_told(tmp_path: Path) -> None:
    """By thousands, and the rest at the end."""
    path = tmp_path / "corpus.gz"
    path.write_bytes(gzip.compress(b"".join(b'{"_id": "%d"}\n' % number for number in range(2500))))
    numbers: list[int] = []
    assert len(list(read_corpus(path, progress=numbers.append))) == 2500
    assert numbers == [1000, 1000, 500]


NAMES = ["text", "contents", "content", "body", "passage", "passage_text", "abstract", "raw", "Content", "passage-text"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", ["jsonl", "tsv", "csv", "parquet"])
def test_usual_names_of_the_text_are_known(tmp_path: Path, name: str, format: str) -> None:
    """However they are spelled, in every format that has names."""
    path = tmp_path / f"corpus.{format}"
    rows = {"_id": ["1"], name: ["a wing"], "year": ["1958"]}
    lines = list(rows), [value[0] for value in rows.values()]
    if format == "parquet":
        parquet.write_table(pa.table(rows), path)
    elif format == "jsonl":
        path.write_text(json.dumps({key: value[0] for key, value in rows.items()}))
    else:
        path.write_text("\n".join(("\t" if format == "tsv" else ",").join(line) for line in lines))
    assert list(read_corpus(path)) == [Document("1", text="a wing", metadata={"year": "1958"})]


TEXTLESS = {
    "jsonl": '{"_id": "1", "title": "a", "story": "b"}\n',
    "tsv": "docno\ttitle\tstory\n1\ta\tb\n",
    "csv": "docno,title,story\n1,a,b\n",
    "trec": "<DOC><DOCNO>1</DOCNO><TITLE>a</TITLE><STORY>b</STORY></DOC>",
}


@pytest.mark.parametrize("format", TEXTLESS)
def test_a_text_under_an_unknown_name_is_refused_until_it_is_named(tmp_path: Path, format: str) -> None:
    """Nothing is dropped in silence: the fields are named, and the option that says which one it is."""
    path = tmp_path / "corpus"
    path.write_text(TEXTLESS[format])
    with pytest.raises(InputError, match=r"no document has a text; the fields in the file are .*story; name the "):
        list(read_corpus(path))
    assert list(read_corpus(path, names={"text": "story"})) == [Document("1", "a", "b")]
    assert list(read_corpus(path, names={"text": ""})) == [Document("1", "a", metadata={"story": "b"})]
    with pytest.raises(InputError, match=r"no field 'stori'; the fields in the file are"):
        list(read_corpus(path, names={"text": "stori"}))


def test_every_field_can_be_named(tmp_path: Path) -> None:
    """The id as well, of which a header line is known; a field that documents do not have is refused."""
    path = tmp_path / "corpus"
    path.write_text("key\tname\tstory\tlink\n1\ta\tb\tu\n")
    names = {"docno": "key", "title": "name", "text": "story", "url": "link"}
    assert list(read_corpus(path, names=names)) == [Document("1", "a", "b", "u")]
    with pytest.raises(InputError, match="a corpus has no field 'body'; available: docno, title, text"):
        list(read_corpus(path, names={"body": "story"}))


def test_empty_documents_and_a_choice_of_texts_are_told(tmp_path: Path) -> None:
    """In a line each; nothing is told where there is nothing to tell."""
    path, notes = tmp_path / "corpus", list[str]()
    read = partial(read_corpus, format="jsonl", note=notes.append)
    path.write_text('{"_id": 1, "text": "a"}\n{"_id": 2, "title": "b"}\n{"_id": 3}\n')
    assert len(list(read(path))) == 3
    assert notes.pop() == "2 of 3 documents have no text (1 of these with a title): 2, 3"
    path.write_text('{"_id": 1, "body": "a", "Abstract": "b"}\n')
    assert [d.text for d in read(path)] == ["a"]
    assert notes.pop() == "of the fields body, abstract, the first becomes the text and the others become metadata"
    path.write_text('{"_id": 1, "text": "a"}\n')
    assert [d.text for d in read(path)] == ["a"]
    assert notes == []


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("trec", ".I 1\n.W\na\n", "no documents, read as trec; it looks like smart"),
        ("trec", '{"_id": "1", "text": "a"}\n', "no documents, read as trec; it looks like jsonl"),
        ("jsonl", "\n", "no documents"),
        ("tsv", "docno\ttext\n", "no documents"),
        ("beir", "docno\ttext\n", "a file; expected a BEIR folder"),
    ],
)
def test_a_format_that_finds_nothing_says_what_the_file_looks_like(
    tmp_path: Path, format: str, text: str, message: str
) -> None:
    """No documents are an error."""
    (tmp_path / "corpus").write_text(text)
    with pytest.raises(InputError) as error:
        list(read_corpus(tmp_path / "corpus", format=format))
    assert str(error.value) == f"{tmp_path / 'corpus'}: {message}"


def test_a_corpus_without_text_is_refused_at_import(tmp_path: Path, cranfield: Cranfield) -> None:
    """Nothing is stored until the text is named; what is empty is counted."""
    store, path = tmp_path / "track.db", tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "1", "story": "b"}\n{"_id": "2"}\n')
    assert cranfield("init", store, "--name", "a").code == 0
    refusal = cranfield("import", "corpus", store, path)
    assert (refusal.code, refusal.out) == (1, "")
    assert refusal.err.count("\n") == 1
    outcome = cranfield("import", "corpus", store, path, "--field", "text=story")
    assert (outcome.code, outcome.out) == (0, "2 documents\n")
    guess, empty = outcome.err.splitlines()
    assert guess == f"note: {path}: read as jsonl (columns: _id as docno, story as text)"
    assert empty == f"note: {path}: 1 of 2 documents have no text: 2"
    assert cranfield("import", "corpus", store, path, "--field", "text").code == 2


TOPICS_READ = {
    "a JSON list": (
        '[{"qid": 1, "query": "a \\ud83d"},\n{"qid": "2", "query": "b"}]',
        [Topic("1", "a \ufffd"), Topic("2", "b")],
    ),
    "sgml": (
        "<top>\n<num> Number: 301 \n<title> Topic: Crime\n and punishment \n<desc> Description: \nWho?\n"
        "<narr> Narrative: \nAT&T, R&amp;D, x < y.\n</top>\n<top><num> 302 </num><title>a</title></top>",
        [Topic("301", "Crime and punishment", "Who?", "AT&T, R&D, x < y."), Topic("302", "a")],
    ),
    "sgml without </top>": (
        "<top>\n<num> 1\n<title> a\n<top>\n<num> 2\n<title> b\n",
        [Topic("1", "a"), Topic("2", "b")],
    ),
    "sgml, upper case": ("<TOP><NUM>1<TITLE>A B</TOP>", [Topic("1", "A B")]),
    "sgml, further fields": (
        "<top><num>1<query>q<con> Concept(s):\n1. a <fac>Factor(s): <nat> Nationality: U.S. </fac>"
        "<def>Definition(s):</top>",
        [Topic("1", "q", metadata={"con": "1. a", "fac": "Nationality: U.S."})],
    ),
    "sgml, with a root and a declaration": (
        "<?xml version='1.0'?>\r\n<xml>\r\n<top>\r\n<num> 1</num>\r\n<title>\r\na\r\nb\r\n</title>\r\n</top>\r\n</xml>",
        [Topic("1", "a b")],
    ),
    "xml": (
        '<topics task="t"><topic number="1"><query>a</query><question>b &lt; c</question>'
        "<narrative>d</narrative></topic></topics>",
        [Topic("1", "a", "b < c", "d")],
    ),
    "xml, no root, not well-formed": (
        "<topic number='1'>\n<query>AT&T\n</topic>\n<topic number=2><query>b</query>",
        [Topic("1", "AT&T"), Topic("2", "b")],
    ),
    "xml, comments and CDATA": (
        '<!-- <topic number="0"> --><topic number="1"><query><![CDATA[a <b> & c]]></query><!-- no --></topic>',
        [Topic("1", "a <b> & c")],
    ),
    "xml, subtopics": (
        '<topic number="1" type="faceted"><query>a</query><description> b </description>'
        '<subtopic number="1" type="inf">b</subtopic></topic>',
        [
            Topic(
                "1", "a", "b", metadata={"type": "faceted", "subtopics": [{"number": "1", "type": "inf", "text": "b"}]}
            )
        ],
    ),
    "xml, the id as an element": ("<topic><num>7</num><title>a</title></topic>", [Topic("7", "a")]),
    "tsv": ("1\ta b\n\n2024-1\té\r\n", [Topic("1", "a b"), Topic("2024-1", "é")]),
    "tsv with a header": ("query-id\ttext\n1\ta\n", [Topic("1", "a")]),
    "jsonl": (
        '{"qid": 1, "title": "a", "description": "b", "narrative": "c", "by": "x"}\n\n{"_id": "2", "text": "d"}\n',
        [Topic("1", "a", "b", "c", {"by": "x"}), Topic("2", "d")],
    ),
    "jsonl, metadata": (
        '{"_id": "2", "text": "d", "metadata": {"a": 1}, "b": null}',
        [Topic("2", "d", metadata={"a": 1, "b": None})],
    ),
    "smart": (".I 001\r\n.W\r\na\r\nb .\r\n.I 2\r\n.W\r\nc\r\n", [Topic("001", "a b ."), Topic("2", "c")]),
    "smart with a title": (
        ".I 1\n.T\na\n.A\nx\ny\n.W\nb\n.W\nc\n.B\n(z)\n\n",
        [Topic("1", "a", "b\nc", metadata={"author": "x\ny", "bibliography": "(z)"})],
    ),
}
TOPICS_REFUSED = {
    "nothing": ("", ": no topics"),
    "no tab": ("1\ta\n2 b\n", ":2: 1 column; expected 2: id, tab, text"),
    "two tabs": ("1\ta\tb\n", ":1: 3 columns; expected 2: id, tab, text"),
    "no id": ("1\ta\n \tb\n", ":2: no id before the tab"),
    "an id twice": ("1\ta\n2\tb\n1\tc\n", ":3: duplicate topic 1, first on line 1"),
    "an id twice in sgml": (
        "<top>\n<num> 1\n</top>\n\n<top>\n<num> 1\n</top>",
        ":5: duplicate topic 1, first on line 1",
    ),
    "sgml without an id": (
        "<!-- a\n -->\n<top>\n<title> a\n</top>",
        ":3: the id is missing; expected it in one of the fields"
        " qid, _id, id, query_id, num, number, topic_id, topic_number",
    ),
    "no JSON": ('{"qid": "1"}\n{"qid": \n', ":2: not JSON: Expecting value at column 9"),
    "half a text": ('{"qid": "1\n', ":1: not JSON: Unterminated string starting at column 9"),
    "a list with a number": ('[{"qid": "1"}, 2]\n', ", entry 2: a JSON int; expected each record to be an object"),
    "a broken list": ('[{"qid": "1"},\n{"qid" 2}]\n', ":2: not JSON: Expecting ':' delimiter at column 8"),
    "a list with an id twice": ('[{"qid": "1"}, {"qid": "1"}]\n', ", entry 2: duplicate topic 1, first in entry 1"),
    "JSON of another kind": ('{"qid": "1"}\n[1]\n', ":2: a JSON list; expected one object per line"),
    "JSON that is no text": ('{"qid": "1", "title": ["a"]}\n', ":1: title is ['a']; expected text"),
    "Boolean queries": ("#q1= #and ('titles', #or ('a'));", ":1: 1 column; expected 2: id, tab, text"),
    "text outside SMART's parts": (
        ".I 1\nhello\n",
        ":2: text outside a part; expected .I before a record, and .T or .W before a part",
    ),
    "binary": ("1\ta\0b\n", ":1: binary data; expected text"),
}


@pytest.mark.parametrize("case", TOPICS_READ)
def test_topics_are_read_by_their_content(tmp_path: Path, case: str) -> None:
    """Nobody has to say what format a file has."""
    text, topics = TOPICS_READ[case]
    path = tmp_path / "topics"
    path.write_bytes(text.encode())
    assert read_topics(path) == topics


@pytest.mark.parametrize("case", TOPICS_REFUSED)
def test_wrong_topics_are_refused_in_one_line(tmp_path: Path, case: str) -> None:
    """File, line, what was found, what is right."""
    text, message = TOPICS_REFUSED[case]
    path = tmp_path / "topics"
    path.write_bytes(text.encode())
    with pytest.raises(InputError) as error:
        read_topics(path)
    assert str(error.value) == f"{path}{message}"


def test_bytes_that_are_not_utf8_are_latin1(tmp_path: Path) -> None:
    """Older topics are; nothing of them is lost."""
    (tmp_path / "topics").write_bytes("1\tNestlé\n".encode("latin-1"))
    notes = list[str]()
    assert read_topics(tmp_path / "topics", format="tsv", note=notes.append) == [Topic("1", "Nestlé")]
    assert notes == ["1 byte that is not UTF-8 was read as Latin-1, for example in '1 Nestlé'"]


def test_half_characters_in_json_are_replaced(tmp_path: Path) -> None:
    """A lone surrogate cannot be stored anywhere; a pair is a character."""
    (tmp_path / "topics").write_text('{"qid": "1", "title": "\\ud83d \\ud83d\\ude00"}')
    assert read_topics(tmp_path / "topics") == [Topic("1", "\ufffd \U0001f600")]


def test_a_format_can_be_named(tmp_path: Path) -> None:
    """What looks like one format can be read as another."""
    (tmp_path / "topics").write_text("<topic>\ta\n")
    assert read_topics(tmp_path / "topics", format="tsv") == [Topic("<topic>", "a")]


@pytest.mark.parametrize("name", ["title", "query", "text", "content", "contents", "body", "query-text", "question"])
def test_usual_names_of_a_topic_are_known(tmp_path: Path, name: str) -> None:
    """A topic's only text is its title."""
    for text in (f'{{"qid": "1", "{name}": "a wing", "year": 1958}}', f"qid\t{name}\n1\ta wing\n"):
        (tmp_path / "topics").write_text(text)
        assert [topic.title for topic in read_topics(tmp_path / "topics")] == ["a wing"]


@pytest.mark.parametrize(
    "text",
    [
        '{"qid": "1", "prompt": "a"}',
        "qid\tprompt\n1\ta\n",
        "<top><num>1<prompt>a</top>",
        "<topic number='1'><prompt>a</prompt></topic>",
    ],
)
def test_a_topic_under_an_unknown_name_is_refused_until_it_is_named(tmp_path: Path, text: str) -> None:
    """Topics without a text are refused, unless they are said to have none."""
    path = tmp_path / "topics"
    path.write_text(text)
    with pytest.raises(InputError, match=r"no topic has a title; the fields in the file are .*prompt; name the "):
        read_topics(path)
    assert read_topics(path, names={"title": "prompt"}) == [Topic("1", "a")]
    assert read_topics(path, names={"title": ""}) == [Topic("1", metadata={"prompt": "a"})]


def test_a_header_names_the_columns(tmp_path: Path) -> None:
    """As many as there are, in any order after the id."""
    (tmp_path / "topics").write_text("query_id\tnarrative\tquery\tyear\n1\tc\ta\t1958\n")
    assert read_topics(tmp_path / "topics") == [Topic("1", "a", narrative="c", metadata={"year": "1958"})]


def test_topics_without_a_title_are_told(tmp_path: Path) -> None:
    """A title is what baselines search with."""
    notes = list[str]()
    (tmp_path / "topics").write_text('{"qid": "1", "description": "a", "narrative": "b"}\n{"qid": "2", "title": "c"}\n')
    read_topics(tmp_path / "topics", format="jsonl", note=notes.append)
    assert notes == ["1 of 2 topics have no title (1 of these with a description): 1"]


def test_a_format_of_topics_that_finds_none_says_what_the_file_looks_like(tmp_path: Path) -> None:
    """No topics are an error."""
    (tmp_path / "topics").write_text(".I 1\n.W\na\n")
    with pytest.raises(InputError, match=r"topics: no topics, read as xml; it looks like smart$"):
        read_topics(tmp_path / "topics", format="xml")


TOPICS_IN_ONE_OBJECT = {
    '{"176": "red lamp", "177": "blue mat"}': [("176", "red lamp"), ("177", "blue mat")],
    '{"176": {"title": "red lamp", "narrative": "Any."},\n "q": "blue mat"}\n': [
        ("176", "red lamp"),
        ("q", "blue mat"),
    ],
    '{\n  "1": ""\n, "2": "mat"}': [("1", ""), ("2", "mat")],
}


@pytest.mark.parametrize(("text", "topics"), TOPICS_IN_ONE_OBJECT.items())
def test_topics_in_one_json_object(tmp_path: Path, text: str, topics: list[tuple[str, str]]) -> None:
    """With a note on what the file was taken for."""
    notes = list[str]()
    (tmp_path / "topics.json").write_text(text)
    read = read_topics(tmp_path / "topics.json", note=notes.append)
    assert [(topic.qid, topic.title) for topic in read] == topics
    assert notes[0].startswith("read as json (columns: qid, title")


@pytest.mark.parametrize(
    ("text", "message"),
    {
        '{"1": "a", "2": 3}': "entry 2: topic 2 is 3; expected its text or an object with a title",
        '{"1": "a", "2": ["b"]}': 'entry 2: topic 2 is ["b"]; expected its text',
        '{"1": {"title": "a"}, "2": {"prompt": "b"}}': "entry 2: the title of topic 2 is missing",
        '{"1": "a", "1": "b"}': "entry 2: duplicate topic 1, first ",
        '{"1": "a", "2": ': ":1: not JSON",
        '{"title": "a"}': ":1: the id is missing; expected it in one of the fields",
        '{"x": "a"}\n{"x": "b"}': ":1: the id is missing; expected it in one of the fields",
    }.items(),
)
def test_every_value_of_such_an_object_is_checked(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "topics.json").write_text(text)
    with pytest.raises(InputError) as error:
        read_topics(tmp_path / "topics.json")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('176\tWhat: a colon, and "quotes"\n177\tC++ vs. C#\ttab in it\n', ":2: 3 columns; expected 2"),
        ("1\n2 no tab here\n", ":1: 1 column; expected 2"),
    ],
)
def test_lines_that_are_not_an_id_a_tab_and_a_text_are_refused(tmp_path: Path, text: str, message: str) -> None:
    """A second tab may begin another column; without a tab, an id and a word of a title look alike."""
    (tmp_path / "topics.tsv").write_text(text)
    with pytest.raises(InputError) as error:
        read_topics(tmp_path / "topics.tsv")
    assert message in str(error.value)


def test_two_corpora_read_side_by_side_count_their_own_bytes(tmp_path: Path) -> None:
    notes: dict[str, list[str]] = {"a": [], "b": []}
    for name, byte in (("a", b"\xe9"), ("b", b"\xfc")):
        lines = (b'{"docno": "%d", "text": "%s"}\n' % (number, byte * 40) for number in range(5_000))
        (tmp_path / name).write_bytes(b"".join(lines))
    readers = [read_corpus(tmp_path / name, note=lines.append) for name, lines in notes.items()]
    documents = list(zip_longest(*readers))
    assert len(documents) == 5_000
    assert {(one.text[0], two.text[0]) for one, two in documents} == {("\xe9", "\xfc")}
    counts = {name: next(line for line in lines if "Latin-1" in line).split()[0] for name, lines in notes.items()}
    assert counts == {"a": "200000", "b": "200000"}


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 64])
def test_pieces_of_any_size_give_the_same_text(piece: int) -> None:
    data = "caf\xe9 \u20ac \U0001f600 ".encode() + b"caf\xe9 \xe2\x82 end \xf0\x9f"
    latin1 = Latin1()
    raw = Mock(read1=Mock(side_effect=[*(data[at : at + piece] for at in range(0, len(data), piece)), b"", b""]))
    text = io.TextIOWrapper(io.BufferedReader(Utf8Stream(raw, latin1)), "utf-8").read()
    assert text == "caf\xe9 \u20ac \U0001f600 caf\xe9 \xe2\x82 end \xf0\x9f"
    assert latin1.bytes == 5
