"""Topics: every format by its content, labels removed, what is wrong named with its line."""

from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.formats import Topic, read_topics

READ = {
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
REFUSED = {
    "nothing": ("", ": no topics"),
    "no tab": ("1\ta\n2 b\n", ":2: 1 column where topics have 2: id, tab, text"),
    "two tabs": ("1\ta\tb\n", ":1: 3 columns where topics have 2: id, tab, text"),
    "no id": ("1\ta\n \tb\n", ":2: no id before the tab"),
    "an id twice": ("1\ta\n2\tb\n1\tc\n", ":3: duplicate topic 1, first on line 1"),
    "an id twice in sgml": (
        "<top>\n<num> 1\n</top>\n\n<top>\n<num> 1\n</top>",
        ":5: duplicate topic 1, first on line 1",
    ),
    "sgml without an id": (
        "<!-- a\n -->\n<top>\n<title> a\n</top>",
        ":3: no id; expected in one of the fields qid, _id, id, query_id, num, number, topic_id, topic_number",
    ),
    "no JSON": ('{"qid": "1"}\n{"qid": \n', ":2: not JSON: Expecting value at column 9"),
    "JSON of another kind": ('{"qid": "1"}\n[1]\n', ":2: a JSON list; expected one object per line"),
    "JSON that is no text": ('{"qid": "1", "title": ["a"]}\n', ":1: title is ['a']; expected text"),
    "Boolean queries": ("#q1= #and ('titles', #or ('a'));", ":1: 1 column where topics have 2: id, tab, text"),
    "text outside SMART's parts": (
        ".I 1\nhello\n",
        ":2: text outside a part; a record starts with .I, a part with .T or .W",
    ),
    "binary": ("1\ta\0b\n", ":1: binary data; expected text"),
}


@pytest.mark.parametrize("case", READ)
def test_topics_are_read_by_their_content(tmp_path: Path, case: str) -> None:
    """Nobody has to say what format a file has."""
    text, topics = READ[case]
    path = tmp_path / "topics"
    path.write_bytes(text.encode())
    assert read_topics(path) == topics


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_topics_are_refused_in_one_line(tmp_path: Path, case: str) -> None:
    """File, line, what was found, what is right."""
    text, message = REFUSED[case]
    path = tmp_path / "topics"
    path.write_bytes(text.encode())
    with pytest.raises(InputError) as error:
        read_topics(path)
    assert str(error.value) == f"{path}{message}"


def test_bytes_that_are_not_utf8_are_latin1(tmp_path: Path) -> None:
    """Older topics are; nothing of them is lost."""
    (tmp_path / "topics").write_bytes("1\tNestlé\n".encode("latin-1"))
    notes = list[str]()
    assert read_topics(tmp_path / "topics", note=notes.append) == [Topic("1", "Nestlé")]
    assert notes == ["1 byte that is not UTF-8 was read as Latin-1, as in '1 Nestlé'"]


def test_half_characters_in_json_are_replaced(tmp_path: Path) -> None:
    """A lone surrogate cannot be stored anywhere; a pair is a character."""
    (tmp_path / "topics").write_text('{"qid": "1", "title": "\\ud83d \\ud83d\\ude00"}')
    assert read_topics(tmp_path / "topics") == [Topic("1", "\ufffd \U0001f600")]


def test_a_format_can_be_named(tmp_path: Path) -> None:
    """What looks like one format can be read as another."""
    (tmp_path / "topics").write_text("<topic>\ta\n")
    assert read_topics(tmp_path / "topics", "tsv") == [Topic("<topic>", "a")]


@pytest.mark.parametrize("name", ["title", "query", "text", "content", "contents", "body", "query-text", "question"])
def test_usual_names_of_the_text_are_known(tmp_path: Path, name: str) -> None:
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
def test_a_text_under_an_unknown_name_is_refused_until_it_is_named(tmp_path: Path, text: str) -> None:
    """Topics without a text are refused, unless they are said to have none."""
    path = tmp_path / "topics"
    path.write_text(text)
    with pytest.raises(InputError, match=r"no topic has a title; the fields in the file are .*prompt: name the "):
        read_topics(path)
    assert read_topics(path, names={"title": "prompt"}) == [Topic("1", "a")]
    assert read_topics(path, names={"title": ""}) == [Topic("1", metadata={"prompt": "a"})]


def test_a_header_names_the_columns(tmp_path: Path) -> None:
    """As many as there are, in any order after the id."""
    (tmp_path / "topics").write_text("query_id\tnarrative\tquery\tyear\n1\tc\ta\t1958\n")
    assert read_topics(tmp_path / "topics") == [Topic("1", "a", narrative="c", metadata={"year": "1958"})]


def test_topics_without_a_title_are_told(tmp_path: Path) -> None:
    """A title is what baselines search with."""
    told = list[str]()
    (tmp_path / "topics").write_text('{"qid": "1", "description": "a", "narrative": "b"}\n{"qid": "2", "title": "c"}\n')
    read_topics(tmp_path / "topics", note=told.append)
    assert told == ["1 of 2 topics have no title (1 of these have a description): 1"]


def test_a_format_that_finds_nothing_says_what_the_file_looks_like(tmp_path: Path) -> None:
    """No topics are an error."""
    (tmp_path / "topics").write_text(".I 1\n.W\na\n")
    with pytest.raises(InputError, match=r"topics: no topics, read as xml; it looks like smart$"):
        read_topics(tmp_path / "topics", "xml")
