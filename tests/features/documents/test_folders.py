"""Folders of files: what each becomes, what is skipped and told, and what a hostile file can do: nothing."""

import bz2
import gzip
import io
import lzma
import os
import random
import signal
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cranfield import subjects
from cranfield.errors import InputError
from cranfield.features.documents.conversion import process
from cranfield.features.documents.conversion.builder import Conversion, SkipError, align
from cranfield.features.documents.conversion.email_messages import email
from cranfield.features.documents.conversion.files import docx, pdf
from cranfield.features.documents.conversion.html import html, markdown
from cranfield.features.documents.conversion.texts import decode, txt
from cranfield.features.documents.folder import Folder, FolderSettings, docno_of
from cranfield.store import import_corpus
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually
from tests.files import json_lines

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("files")]

PAGE = b"""<!doctype html><html lang=de><head><title>Bremsen</title><meta charset=utf-8>
<meta name=author content="Ada"><link rel=canonical href="https://example.org/b"></head>
<body><header>Logo</header><nav>Start</nav><script>alert(1)</script>
<h1>Bremsen</h1><p>Die Kette <em>zuerst</em>.<br>Dann <b>H<sub>2</sub>O</b>.</p>
<ul><li>eins<li>zwei<ol><li>innen</ol></ul>
<table><tr><th>Teil<th>Preis<tr><td><td><p>5 \xe2\x82\xac</p></table>
<pre>  a
b</pre><p hidden>nicht</p><img src=x.png alt="Ein Rad"><blockquote dir=rtl><p>zitat</p></blockquote>
<footer>Impressum</footer></body></html>"""


def made_docx() -> bytes:
    import docx as word

    document, target = word.Document(), io.BytesIO()
    document.core_properties.title, document.core_properties.author = "On brakes", "Ada"
    document.add_heading("Brakes", 1)
    paragraph = document.add_paragraph("Clean it ")
    paragraph.add_run("first").bold = True
    document.add_paragraph("oil", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text, table.cell(1, 1).text = "a", "b", "d"
    document.save(target)
    return target.getvalue()


def made_pdf(*texts: str) -> bytes:
    from benchmarks.folder import pdf as one_page

    return one_page(list(texts))


def kinds(content: Conversion) -> list[tuple[str, str]]:
    """Each stretch of the layout: its kind, and its text."""
    return [(mark[2], content.text[mark[0] : mark[1]]) for mark in content.layout]


def test_a_page_is_what_a_reader_reads() -> None:
    page = html(PAGE)
    assert page.title == "Bremsen"
    assert page.metadata == {
        "encoding": "utf-8", "lang": "de", "author": "Ada", "url": "https://example.org/b"
    }  # fmt: skip
    assert page.text == (
        "Bremsen\n\nDie Kette zuerst.\nDann H2O.\n\n- eins\n- zwei\n  1. innen\n\nTeil\tPreis\n\t5 €\n\n"
        "  a\nb\n\n[image: Ein Rad]\n\nzitat"
    )
    assert [one for one in kinds(page) if one[0] in ("h1", "em", "sub", "th", "td", "pre", "quote")] == [
        ("h1", "Bremsen"), ("em", "zuerst"), ("sub", "2"), ("th", "Teil"), ("th", "Preis"), ("td", ""), ("td", "5 €"),
        ("pre", "  a\nb"), ("quote", "zitat"),
    ]  # fmt: skip
    assert next(mark for mark in page.layout if mark[2] == "quote")[3] == {"dir": "rtl"}


def test_markdown_lists_tables_and_code() -> None:
    page = markdown(
        b"# T\n\n- one\n\n  two\n- three\n  1. in\n\n| a | b |\n|--|--|\n| | 2 |\n\n```\nx <b>\n```\n<i>raw</i>\n"
    )
    assert page.text == "T\n\n- one\n\ntwo\n\n- three\n\n  1. in\n\na\tb\n\t2\n\nx <b>\n\n<i>raw</i>"
    assert ("pre", "x <b>") in kinds(page)
    assert ("li", "- one\n\ntwo") in kinds(page)
    assert ("td", "") in kinds(page)


def test_word_has_headings_lists_and_tables() -> None:
    content = docx(made_docx())
    assert (content.title, content.metadata["author"]) == ("On brakes", "Ada")
    assert content.text == "Brakes\n\nClean it first\n\n- oil\n\na\tb\n\td"
    assert [one for one in kinds(content) if one[0] != "td"] == [
        ("h1", "Brakes"), ("p", "Clean it first"), ("strong", "first"), ("li", "- oil"), ("table", "a\tb\n\td"),
        ("tr", "a\tb"), ("p", "a"), ("p", "b"), ("tr", "\td"), ("p", "d"),
    ]  # fmt: skip


def test_pdf_has_pages() -> None:
    content = pdf(made_pdf("Oil the chain."))
    assert (content.text, content.layout) == ("Oil the chain.", [[0, 14, "page", {"number": 1}]])
    dated = made_pdf("Oil").replace(b"/Helvetica", b"/Helvetica/CreationDate(D:20240501103000Z)")
    dated = dated.replace(b"/Root", b"/Info 5 0 R/Root")
    assert pdf(dated).metadata == {"pages": 1, "date": "2024-05-01"}
    with pytest.raises(SkipError, match=r"^no text \(for a scan"):
        pdf(made_pdf(""))
    with pytest.raises(SkipError, match=r"^damaged: "):
        pdf(b"%PDF-1.4 and no more")


def test_a_message_is_its_text_or_its_page() -> None:
    head = b"Subject: =?utf-8?b?QnJlbXNlbg==?=\nFrom: ada@example.org\n"
    assert email(head + b"\nOil").title == "Bremsen"
    content = email(head + b"Content-Type: text/html\n\n<p>Oil <b>it</b>")
    assert (content.text, kinds(content)) == ("Oil it", [("p", "Oil it"), ("strong", "it")])


@pytest.mark.parametrize(
    ("data", "choice", "text", "encoding"),
    [
        (b"\xef\xbb\xbfa", "", "a", "utf-8"),
        ("é".encode("utf-16"), "", "é", "utf-16"),
        ("Принцип".encode("cp1251"), "cp1251", "Принцип", "cp1251"),
        ("caf\xe9 au lait et un pain".encode("cp1252"), "", "café au lait et un pain", "cp1252"),
    ],
)
def test_encodings(data: bytes, choice: str, text: str, encoding: str) -> None:
    assert decode(data, choice) == (text, encoding)


def test_no_encoding_is_guessed() -> None:
    for text in ("Принцип".encode("koi8-r"), "日本語の文".encode("shift_jis")):
        with pytest.raises(SkipError, match=r"^not UTF-8; name the encoding with --encoding$"):
            decode(text)
    with pytest.raises(SkipError, match="damaged: not shift_jis, as what it declares says"):
        decode(b"\xff\xff", charset="shift_jis")


def test_a_guess_at_an_encoding_is_told(tmp_path: Path, cranfield: Cranfield) -> None:
    western = "un café et un pain".encode("cp1252")
    folder = write(tmp_path / "docs", {"a.txt": western, "b.md": western, "c.txt": b"tea", "d.html": western})
    words = ("import", "corpus", tmp_path / "t.db", folder, "--dry-run")
    assert cranfield("init", tmp_path / "t.db", "--name", "x").code == 0
    note = "note: guessed the encoding of 2 files, cp1252 (Western), not UTF-8; --encoding names another: a.txt, ...\n"
    assert [cranfield(*words, *more).err for more in ((), ("--encoding", "latin-1"))] == [note, ""]


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def test_a_folder_becomes_a_corpus(tmp_path: Path, cranfield: Cranfield) -> None:
    """Another time nothing is added, and a changed file is refused; what is skipped is told."""
    files = {
        "a b.txt": b"Brakes\n\nOil them.\n", "sub/c.html": PAGE, "d.pdf": b"", "e.bin": b"?", ".f": b"",
        "g.docx": b"no zip", "drafts/h.txt": b"no", "i.pdf": made_pdf(""), "k.md": b"text",
    }  # fmt: skip
    folder, store = write(tmp_path / "docs", files), str(tmp_path / "t.db")
    (folder / "link.txt").symlink_to(folder / "k.md")
    os.mkfifo(folder / "pipe.txt")
    assert cranfield("init", store, "--name", "x").code == 0
    words = ("import", "corpus", store, str(folder), "--skip", "drafts/*", "--url-base", "https://x.org/")
    dry = cranfield(*words, "--dry-run", "-o", str(tmp_path / "dry.csv"))
    assert dry.out == f"{folder}: 3 documents would be added (1 html, 1 md, 1 txt)\n"
    assert dry.err.splitlines() == [
        "note: skipped 1 file, hidden: .f",
        "note: skipped 1 file, of an unknown type: e.bin",
        "note: skipped 1 file, a link, which is not followed: link.txt",
        "note: skipped 1 file, no regular file: pipe.txt",
        "note: skipped 1 file, empty: d.pdf",
        "note: skipped 1 file, damaged: File is not a zip file: g.docx",
        "note: skipped 1 file, no text (for a scan, run OCR first, for example with ocrmypdf): i.pdf",
        "note: 1 picture not shown, missing: x.png in sub/c.html",
    ]
    assert cranfield("info", store, "--format", "csv").out.count("document,0")
    documents = subjects.FolderDocuments(skip=["drafts/*"], dry_run=True, output=tmp_path / "dry.csv")
    with pytest.warns(UserWarning, match="1 picture not shown"), pytest.warns(UserWarning, match="skipped 1 file"):
        assert import_corpus(store, folder, subject=documents).rows() == [{"folder": str(folder), "documents": 3}]
    output = cranfield(*words, "-o", str(tmp_path / "skipped.csv"))
    assert (output.out, output.err.count("skipped 1 file")) == ("3 documents\n", 7)
    assert (tmp_path / "skipped.csv").read_text().splitlines()[:2] == ["path,why", ".f,hidden"]
    assert (tmp_path / "dry.csv").read_text() == (tmp_path / "skipped.csv").read_text()
    with Store.open(store) as there:
        document = there.document("a%20b.txt")
        assert (document.title, document.url) == ("Brakes", "https://x.org/a%20b.txt")
        assert document.metadata["bytes"] == 18
        assert there.document("sub/c.html").url == "https://example.org/b"
        assert there.document("sub/c.html").metadata["layout"]
    assert cranfield(*words).out == "0 documents\n"
    (folder / "k.md").write_bytes(b"other")
    assert "docno 'k.md' is in the corpus with another text" in cranfield(*words).err


def test_a_folder_without_documents_is_refused(tmp_path: Path, cranfield: Cranfield) -> None:
    store = str(tmp_path / "t.db")
    cranfield("init", store, "--name", "x")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.xml").write_text("<DOC>")
    result = cranfield("import", "corpus", store, str(tmp_path / "docs"))
    assert result.code == 1
    assert "skipped 1 file, of an unknown type: a.xml; expected documents, BEIR's corpus.jsonl" in result.err
    for words in (["--encoding", "klingon", str(tmp_path)], ["--skip", "x", store]):
        assert cranfield("import", "corpus", store, *words).code == 2


def test_docnos_of_two_files(tmp_path: Path) -> None:
    names = ["caf\u00e9.txt", "cafe\u0301.txt"]
    folder = write(tmp_path, dict.fromkeys(names, b"text"))
    if len(list(folder.iterdir())) < 2:
        pytest.skip("the file system takes both names for one")
    with pytest.raises(InputError, match="have the same docno"):
        list(Folder(folder, FolderSettings()).documents())
    assert docno_of("a\nb\u00a0c") == "a%0Ab%C2%A0c"


def test_dates_are_in_utc_and_only_asked_for(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.txt": b"text"})
    os.utime(folder / "a.txt", (0, 0))
    document = next(Folder(folder, FolderSettings(dates="yes")).documents())
    assert document.metadata["modified"] == "1970-01-01T00:00:00+00:00"
    assert "modified" not in next(Folder(folder, FolderSettings()).documents()).metadata


def bomb() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(50 << 20))
    return target.getvalue()


def test_hostile_files_are_skipped(tmp_path: Path) -> None:
    """What would fill memory or time costs one file; the next is converted."""
    files = {"a.docx": bomb(), "b.html": b"<div>" * 100_000 + b"x", "c.html": b"<p>well"}
    folder = write(tmp_path, files)
    with process.Converter() as converter:
        with pytest.raises(SkipError, match="too large"):
            converter.convert(str(folder / "a.docx"), "docx")
        with pytest.raises(SkipError, match="nested too deep: more than 10,000 elements"):
            converter.convert(str(folder / "b.html"), "html")
        assert converter.convert(str(folder / "c.html"), "html").text == "well"
        assert converter._process is not None
        converter._process.terminate()
        with pytest.raises(SkipError, match="the conversion failed"):
            converter.convert(str(folder / "c.html"), "html")


WORKER = """
import signal, sys, threading, time
from cranfield.features.documents.conversion import process

convert = process.answer_to

def convert_slowly(request):
    name = request["path"].rpartition("/")[2]
    if name.startswith("waits"):
        threading.Event().wait(0.6)
    if name.startswith("killed"):
        signal.raise_signal(signal.SIGKILL)
    seconds = 60 if name.startswith("endless") else 0.4 if name.startswith("computes") else 0
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return convert(request)

process.answer_to = convert_slowly
process.serve(sys.stdin.buffer, sys.stdout.buffer)
"""


@pytest.fixture
def slow_worker(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = tmp_path_factory.mktemp("worker") / "worker.py"
    worker.write_text(WORKER)
    monkeypatch.setattr(process, "COMMAND", (sys.executable, str(worker)))


def slow_converter() -> process.Converter:
    return process.Converter(0.2)


needs_timer = pytest.mark.skipif(not hasattr(signal, "ITIMER_PROF"), reason="the system has no timer of processor time")


@needs_timer
@pytest.mark.usefixtures("slow_worker")
def test_time_on_the_clock_loses_no_document(tmp_path: Path) -> None:
    """A file that waits is no slow file, and one that computes for too long is tried again, after all others."""
    folder = write(tmp_path, {"computes.md": b"second try", "waits.md": b"under load", "z.md": b"last"})
    documents = Folder(folder, FolderSettings(), slow_converter)
    assert [document.docno for document in documents.documents()] == ["waits.md", "z.md", "computes.md"]
    assert (documents.skipped, documents.slow) == ([], [])


@needs_timer
@pytest.mark.usefixtures("slow_worker")
def test_a_slow_document_is_an_error_unless_it_is_allowed(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process.Converter.__init__, "__defaults__", (0.2, ()))
    (tmp_path / "docs").mkdir()
    folder = write(tmp_path / "docs", {"endless.md": b"x", "killed.md": b"x", "z.md": b"Oil"})
    store = str(tmp_path / "t.db")
    cranfield("init", store, "--name", "x")
    for words in ([], ["--dry-run"]):
        refused = cranfield("import", "corpus", store, str(folder), *words)
        assert refused.code == 1
        assert (
            "endless.md and 1 other file: too slow: more than 0.6 seconds of processor time; import the other files"
            " with --allow-skipped, or leave this file out with --skip 'endless.md'"
        ) in " ".join(refused.err.split())
    assert cranfield("info", store, "--format", "csv").out.count("document,0")
    allowed = cranfield("import", "corpus", store, str(folder), "--allow-skipped")
    assert (allowed.code, allowed.out) == (0, "1 document\n")
    assert "skipped 1 file, too slow: more than 0.6 seconds of processor time: endless.md" in allowed.err
    assert "skipped 1 file, killed during the conversion, perhaps for lack of memory: killed.md" in allowed.err


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)]
)
def test_compressed_files_of_a_folder_are_read(tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    texts = {"a.html": PAGE, "b.txt": b"Brakes\n\nOil"}
    damaged = {f"c.md{suffix}": compress(random.Random(1).randbytes(999))[:500], f"d{suffix}": compress(b"x")}
    folder = write(tmp_path, {**{name + suffix: compress(data) for name, data in texts.items()}, **damaged})
    documents = Folder(folder, FolderSettings())
    read = {document.docno: document for document in documents.documents()}
    assert {docno: (document.title, document.text) for docno, document in read.items()} == {
        f"a.html{suffix}": ("Bremsen", align(html(PAGE)).text), f"b.txt{suffix}": ("Brakes", "Brakes\n\nOil")
    }  # fmt: skip
    assert read[f"b.txt{suffix}"].metadata["bytes"] == len(compress(texts["b.txt"]))
    assert {(file.path, file.reason) for file in documents.skipped} == {
        (f"c.md{suffix}", "damaged"), (f"d{suffix}", "of an unknown type")
    }  # fmt: skip


def test_elements_in_elements_take_linear_time_or_are_refused() -> None:
    for page in (b"<div>" * 100_000, b"<b><div>" * 50_000, b"<ul><li>" * 50_000, b"<table><tr><td>" * 50_000):
        with pytest.raises(SkipError, match="nested too deep"):
            html(page)
    unclosed = b"<p>a<li>b<td><img><br><div><i>c</div>" * 20_000  # long, not deep
    assert html(unclosed).text.startswith("a\n\n- b")
    waiting = b"<b>" * 9_000 + b"<br>" * 20_000 + b"x"
    start = time.process_time()
    assert html(waiting).text == "x"
    assert time.process_time() - start < 10


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(request: object) -> dict[str, str]:
        return {"lacks": "selectolax"}

    monkeypatch.setattr(process, "answer_to", lacking)
    with pytest.raises(InputError, match=r"needs selectolax: pip install 'cranfield\[files\]'"):
        process.Converter().convert("a.txt", "txt")


CONVERTERS: dict[str, Any] = {
    "html": (html, lambda: PAGE), "md": (markdown, lambda: b"# T\n\n- a *b*\n\n| a |\n|--|\n| b |\n> q\n"),
    "docx": (docx, made_docx), "pdf": (pdf, lambda: made_pdf("Oil the chain.")),
    "eml": (email, lambda: b"Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nb\n--x--\n"),
    "txt": (txt, lambda: b"a\n\nb"),
}  # fmt: skip


@pytest.mark.parametrize("type", CONVERTERS)
def test_damaged_files_are_converted_or_skipped(type: str) -> None:
    """Whatever is done to its bytes; and its layout lies within its text, each stretch within those around it."""
    convert, make = CONVERTERS[type]
    source, whole = random.Random(37), make()
    for _ in range(usually(30, 300)):
        data = bytearray(whole)
        for _ in range(source.randrange(1, 6)):
            at = source.randrange(len(data) + 1)
            data[at : at + source.randrange(3)] = source.randbytes(source.randrange(3))
        try:
            content = convert(bytes(data))
        except SkipError:
            continue
        ends: list[int] = []
        for start, end, *_ in content.layout:
            while ends and ends[-1] <= start and not start == end == ends[-1]:
                ends.pop()
            assert 0 <= start <= end <= min([len(content.text), *ends])
            ends.append(end)


def test_the_child_answers_as_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Brakes")
    lines = [{"path": str(tmp_path / name), "type": "txt", "encoding": ""} for name in ("a.txt", "b.txt")]
    requests = io.BytesIO(json_lines(lines).encode())
    answers = io.BytesIO()
    limit, process._limit = process._limit, lambda: None
    try:
        process.serve(requests, answers)
    finally:
        process._limit = limit
    assert b'"text": "Brakes"' in answers.getvalue()
    assert b"cannot be read: No such file or directory" in answers.getvalue()


def test_a_table_is_layout() -> None:
    """Navigation is left out; headings and cells stand over the text."""
    page = html(b"<title>Brakes</title><nav>Home</nav><h1>Oil</h1><table><tr><td>a<td>b</table>")
    cells = [[5, 8, "table"], [5, 8, "tr"], [5, 6, "td"], [7, 8, "td"]]
    assert (page.title, page.text, page.layout) == ("Brakes", "Oil\n\na\tb", [[0, 3, "h1"], *cells])


def test_python_files_beside_the_documents_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module in the current folder may be a stranger's; the converter does not import it."""
    (tmp_path / "json.py").write_text("raise SystemExit")
    (tmp_path / "a.html").write_bytes(PAGE)
    monkeypatch.chdir(tmp_path)
    with process.Converter() as converter:
        assert "Bremsen" in converter.convert("a.html", "html").text
