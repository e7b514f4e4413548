"""Memory is bounded by limits that are told, and time grows with the size of what is read, not with its square."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.formats import read_corpus, read_metadata, read_qrels, read_runs, read_topics, read_votes, sgml
from cranfield.formats.files import limited
from cranfield.formats.labelling_tools import umbrela_score
from cranfield.search.index import split_words
from tests.arrow import pa, parquet
from tests.conftest import Cranfield, usually

pytestmark = pytest.mark.full

MANY = 20_000  # a square of it takes minutes
MORE = 150_000
HOSTILE = {
    "comments": "<!--" * MORE,
    "CDATA": "<![CDATA[" * MORE,
    "titles": "<title>" * MANY,
    "paragraphs": "<p>" * MANY,
    "names": "".join(f"<a{number}>" for number in range(MANY)),
    "closed late": "<p>" * MANY + "</p>" * MANY,
    "an attribute": f"<a {'b' * MORE}>",
    "blanks in an attribute": f"<a b{' ' * MORE}>",
    "attributes": f"<a {'b ' * MORE}>",
    "quotes": "<a " + 'b="' * MORE + ">",
    "a name": "<" + "a" * MORE,
    "less than": "<" * MORE,
    "half tags": "</p " * MORE,
    "an entity": "&" + "a" * MORE + ";",
    "digits": "&#" + "9" * MORE + ";",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_markup_is_read_in_time_that_grows_with_it(tmp_path: Path, text: str) -> None:
    """Of documents, of pages and of topics; none of these regular expressions or searches starts over."""
    path = tmp_path / "file"
    path.write_text(f"<DOC><DOCNO>d1</DOCNO><TEXT>wing</TEXT>{text}</DOC>")
    (document,) = read_corpus(path)
    assert document.docno == "d1"
    path.write_text(f"<DOC><DOCNO>d1</DOCNO><DOCHDR></DOCHDR>wing {text}</DOC>")
    (page,) = read_corpus(path)
    assert page.text.startswith("wing")
    path.write_text(f"<top><num>1<title>wing {text}</top>")
    assert read_topics(path)[0].title.startswith("wing")


def test_many_elements_that_nobody_closes(tmp_path: Path) -> None:
    """Each is found once, and its line is counted from the one before."""
    elements = list(sgml.elements(io.StringIO("<top>\n" * MANY), "top"))
    assert [element.line for element in elements] == [*range(1, MANY + 1)]
    assert not any(element.closed for element in elements)


class Endless(io.StringIO):
    """A text without end, and how much of it was read."""

    def __init__(self, start: str) -> None:
        super().__init__()
        self.start, self.seen = start, 0

    def read(self, size: int | None = -1) -> str:
        text, self.start = self.start, ""
        self.seen += size or 0
        return text or "wing " * ((size or 0) // 5)


def test_a_document_that_does_not_end_is_refused_at_the_limit() -> None:
    """It is read once, in pieces that grow with it, so that nothing is looked at a hundred times."""
    text = Endless("\n\n<DOC>")
    message = r"^a:3: a <doc>, or no </doc>, of more than 1M bytes; allow twice as much with --max-document 2M$"
    with limited(document="1M"), pytest.raises(InputError, match=message):
        list(sgml.elements(text, "doc", "a"))
    assert text.seen < 4 << 20


LIMITED = {
    "a line of JSON": ("corpus", '{"_id": "1"}\n{"_id": "' + "d" * 2000, "line 2"),
    "a line of topics": ("topics", "1\twing\n2\t" + "t" * 2000, "line 2"),
    "a line of a run": ("run", "1 Q0 d1 1 1 a\n1 Q0 " + "d" * 2000, "line 2"),
    "a line of qrels": ("qrels", "1 0 d1 1\n1 0 " + "d" * 2000, "line 2"),
    "a document": ("corpus", "\n<DOC><DOCNO>1</DOCNO><TEXT>" + "wing\n" * 400, "document 2"),
    "a document that ends": (
        "corpus",
        "\n<DOC><DOCNO>1</DOCNO><TEXT>" + "wing\n" * 400 + "</TEXT></DOC>",
        "document 2",
    ),
    "a topic": ("topics", "<top><num>1<title>" + "wing\n" * 400 + "</top>", "document 1"),
    "a SMART record": ("corpus", ".I 1\n.W\nwing\n.I 2\n.W\n" + "wing\n" * 400, "document 4"),
    "a CSV record": ("corpus", 'docno,text\n1,"' + "wing\n" * 400, "document"),
    "a run": ("run", "".join(f"1 Q0 d{n} 1 1 a\n" for n in range(9999)), "file"),
    "qrels": ("qrels", "".join(f"1 0 d{n} 1\n" for n in range(9999)), "file"),
    "topics": ("topics", "".join(f"{n}\twing\n" for n in range(9999)), "file"),
    "votes": ("votes", "".join(f'{{"qid": {n}}}\n' for n in range(9999)), "file"),
}
READ = {"corpus": lambda path: list(read_corpus(path)), "topics": read_topics, "run": read_runs,
        "qrels": read_qrels, "votes": read_votes}  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "limit"), LIMITED.values(), ids=list(LIMITED))
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_what_is_too_long_is_refused_with_the_limit_and_how_to_raise_it(
    tmp_path: Path, kind: str, text: str, limit: str, compress: object
) -> None:
    """In a message with file and line. With a higher limit it is let in."""
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(text.encode()) if compress is gzip.compress else text.encode())
    name, _, line = limit.partition(" ")
    with limited(line=1000, document=1000, file=50_000), pytest.raises(InputError) as error:
        READ[kind](path)  # type: ignore[operator]
    size = {"file": (50_000, 100_000)}.get(name, (1000, 2000))
    assert f"of more than {size[0]} bytes; allow twice as much with --max-{name} {size[1]}" in str(error.value)
    assert error.value.path == path
    assert not line or error.value.line == int(line)


def test_a_corpus_may_be_longer_than_any_limit(tmp_path: Path) -> None:
    """One document at a time is read."""
    (tmp_path / "corpus").write_text("".join(f'{{"_id": "{n}", "text": "wing"}}\n' for n in range(9999)))
    with limited(line=1000, document=1000, file=1000):
        assert len(list(read_corpus(tmp_path / "corpus"))) == 9999


def test_a_parquet_row_may_not_be_too_long(tmp_path: Path) -> None:
    """Rows have numbers."""
    parquet.write_table(pa.table({"docno": ["1", "2"], "text": ["a", "a" * 2000]}), tmp_path / "c.parquet")
    with (
        limited(document=1000),
        pytest.raises(InputError, match=r"c.parquet:2: a row of more than 1000 bytes; allow twice"),
    ):
        list(read_corpus(tmp_path / "c.parquet"))


def test_limits_are_options_where_files_are_read(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One command's do not stay for the next; a size that is none is wrong usage."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    Path("run").write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n")
    Path("corpus").write_text('{"_id": "d1", "text": "wing"}\n')
    cranfield("init t.db --name x")
    for command in (
        "import corpus t.db corpus", "import runs t.db run", "import qrels t.db qrels", "evaluate qrels run",
        "reusability qrels run", "pool verify qrels run", "trec-eval qrels run", "diagnose qrels run run",
        "report qrels run out.html",
    ):  # fmt: skip
        outcome = cranfield(*command.split(), "--max-line", "7")
        assert (outcome.code, outcome.out) == (1, ""), command
        assert outcome.err.endswith("a line of more than 7 bytes; allow twice as much with --max-line 14\n"), (
            outcome.err
        )
        output = cranfield(*command.split()[:-1], "--help", "all").out
        assert "--max-line" in output, command
        assert ("--max-document" in output) == command.startswith("import"), command
    assert cranfield("evaluate qrels run").code == 0
    assert cranfield("evaluate qrels run --max-line 0").code == 2
    assert cranfield("evaluate qrels run --max-file 1.5G").code == 2
    assert "--max-line" not in cranfield("info --help").out


MEASURED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from cranfield.errors import InputError
from cranfield.formats import read_corpus, read_qrels, read_topics
read = {"corpus": lambda path: list(read_corpus(path)), "qrels": read_qrels, "topics": read_topics}[sys.argv[1]]
try:
    read(sys.argv[2])
except InputError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("kind", "piece", "message"),
    [
        (
            "corpus",
            b"<DOC>" + b"a" * (1 << 20),
            "a line of more than 32M bytes; allow twice as much with --max-line 64M",
        ),
        ("corpus", b"<DOC>" + b"wing lift\n" * 100_000, "a <doc>, or no </doc>, of more than 32M bytes"),
        ("qrels", b"\n" * (1 << 20), "a file that is read into memory of more than 512M bytes"),
    ][: usually(2, 3)],
    ids=["line", "document", "file"][: usually(2, 3)],
)
def test_a_small_file_of_600_megabytes_takes_no_more_memory_than_the_limit(
    tmp_path: Path, kind: str, piece: bytes, message: str
) -> None:
    """With the limits that hold where none is given, in a process that may not have more than a gigabyte."""
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(piece) + gzip.compress(piece.removeprefix(b"<DOC>")) * 600)
    assert path.stat().st_size < 4 << 20
    outcome = subprocess.run([sys.executable, "-c", MEASURED, kind, path], capture_output=True, text=True, check=False)
    assert message in outcome.stdout, outcome.stderr


def test_a_device_without_end_is_refused_at_once(cranfield: Cranfield, tmp_path: Path) -> None:
    """Zeros are no text, wherever a file is asked for."""
    store, qrels = tmp_path / "t.db", tmp_path / "qrels"
    qrels.write_text("1 0 d1 1\n")
    cranfield("init", store, "--name", "x")
    for kind in ("corpus", "topics", "runs", "qrels", "votes"):
        result = cranfield("import", kind, store, "/dev/zero")
        assert (result.code, result.out) == (1, ""), kind
        assert result.err.startswith("error: /dev/zero"), result.err
    assert cranfield("evaluate", qrels, "/dev/zero").code == 1
    for teams in (["--teams", "/dev/zero"], []):
        assert cranfield("reusability", qrels, "/dev/zero", *teams).code == 1


def test_other_texts_are_bounded_too(cranfield: Cranfield, tmp_path: Path) -> None:
    """Guidelines and teams, which are read as a whole."""
    with limited(line=1000):
        outcome = cranfield("init", tmp_path / "t.db", "--name", "x", "--guidelines", "/dev/zero")
    assert (
        outcome.err == "error: /dev/zero:1: a line of more than 1000 bytes; allow twice as much with --max-line 2000\n"
    )


@pytest.mark.parametrize("header", ["[" * 50_000, "a: " + "{b: " * 50_000, "c: x\n# " * 50_000])
def test_the_header_of_a_run_is_bounded(tmp_path: Path, header: str) -> None:
    """YAML that is nested deeply or long is refused before it is parsed."""
    (tmp_path / "run").write_text(f"# ir_metadata.start\n# {header}\n# ir_metadata.end\n1 Q0 d1 1 1 a\n")
    with pytest.raises(
        InputError, match=r"run:\d: (an ir_metadata header nested|the ir_metadata header has) more than 100"
    ):
        read_metadata(tmp_path / "run")


def test_words_of_accents_without_end() -> None:
    """Sorting accents takes the square of their number in a row; words are what they are."""
    assert split_words("e" + "\u0301\u0323" * MORE + "n") == ["\u1eb9", "n"]
    assert split_words("㈱" * 40) == ["株"] * 40
    assert split_words("-" * 99 + "é") == ["é"]


def test_a_score_of_many_digits() -> None:
    """A range is told once."""
    assert umbrela_score("final score: " + "1" * MORE + " to 5")[0] == ""
