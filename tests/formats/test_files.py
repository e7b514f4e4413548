"""Opening and creating files: compression by content, one-line errors, nothing left open or half written."""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from cranfield.errors import InputError
from cranfield.formats import Document, open_plain, read_corpus, read_qrels, read_runs, read_topics, write_corpus
from cranfield.formats.files import each_file
from cranfield.formats.whole_files import write_lines

RUN = b"1 Q0 d1 1 2.0 t\n1 Q0 d2 2 1.0 t\n"


def zstandard(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue().to_pybytes())


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "zstandard": zstandard,
    "bzip2": bz2.compress,
}


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_compression_is_told_by_content(tmp_path: Path, compression: str) -> None:
    """The name may say something else."""
    (tmp_path / "run.gz").write_bytes(COMPRESSIONS[compression](b"\xef\xbb\xbf" + RUN))
    assert len(read_runs(tmp_path / "run.gz")) == 2


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_standard_input_is_read_and_stays_open(monkeypatch: pytest.MonkeyPatch, compression: str) -> None:
    """A dash is standard input, compressed or not; whoever owns it closes it."""
    stdin = io.TextIOWrapper(io.BytesIO(COMPRESSIONS[compression](RUN)))
    monkeypatch.setattr("sys.stdin", stdin)
    assert len(read_runs("-")) == 2
    assert not stdin.buffer.closed


def test_streams_of_several_members_are_read_whole(tmp_path: Path) -> None:
    """Files that were compressed and then joined are one file."""
    for name, compress in COMPRESSIONS.items():
        (tmp_path / name).write_bytes(compress(RUN[:16]) + compress(RUN[16:]))
        assert len(read_runs(tmp_path / name)) == 2


@pytest.mark.parametrize("compression", ["gzip", "xz", "zstandard"])
@pytest.mark.parametrize(
    ("read", "line"),
    [
        (read_runs, "1 Q0 {} 1 1 t\n"),
        (read_qrels, "1 0 {} 1\n"),
        (read_topics, "{}\ta\n"),
        (lambda path: list(read_corpus(path)), '{{"_id": "{}"}}\n'),
    ],
)
def test_a_truncated_file_is_refused(
    tmp_path: Path, compression: str, read: Callable[[Path], object], line: str
) -> None:
    """Whatever was in it up to there is not taken for all of it."""
    path = tmp_path / "file"
    lines = "".join(line.format(hashlib.sha256(b"%d" % number).hexdigest()) for number in range(3000))
    path.write_bytes(COMPRESSIONS[compression](lines.encode())[:-99])
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}: the compressed data is truncated or damaged"


def test_damaged_data_are_refused(tmp_path: Path) -> None:
    """A wrong checksum is enough."""
    data = bytearray(gzip.compress(RUN))
    data[-6] ^= 1
    (tmp_path / "run").write_bytes(data)
    with pytest.raises(InputError, match="truncated or damaged"):
        read_runs(tmp_path / "run")


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    """No traceback for a wrong path, a folder, or an unknown format."""
    missing = tmp_path / "missing"
    for read in (read_runs, read_qrels, read_topics):
        with pytest.raises(InputError) as error:
            read(missing)
        assert str(error.value) == f"{missing}: no such file"
        with pytest.raises(InputError, match=r"unknown \w+ format 'odd'; available:"):
            read(__file__, "odd")
    with pytest.raises(InputError) as error:
        read_runs(tmp_path)
    assert str(error.value) == f"{tmp_path}: a folder without files"
    with pytest.raises(InputError) as error:
        read_qrels(tmp_path)
    remedy = f"expected the layout of BEIR, or the files themselves, as {tmp_path}/*"
    assert str(error.value) == f"{tmp_path}: a folder without qrels/test.tsv; {remedy}"


def test_another_compression_is_refused(tmp_path: Path) -> None:
    """Bare zlib is not read, and not taken for text."""
    (tmp_path / "run").write_bytes(zlib.compress(RUN))
    with pytest.raises(InputError):
        read_runs(tmp_path / "run")


def test_a_corpus_that_is_not_read_to_its_end_is_closed(tmp_path: Path) -> None:
    """Who stops early leaves no open file."""
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": "1"}\n{"_id": "2"}\n')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        documents = read_corpus(path)
        assert next(documents).docno == "1"
        del documents
        read_corpus(path)


def test_open_plain_gives_the_bytes_as_they_are(tmp_path: Path) -> None:
    """Decompressed, and nothing else: checksums of plain files depend on it."""
    for compress in COMPRESSIONS.values():
        (tmp_path / "file").write_bytes(compress(b"\xef\xbb\xbfa\r\n"))
        with open_plain(tmp_path / "file") as stream:
            assert stream.read() == b"\xef\xbb\xbfa\r\n"


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_files_are_compressed_as_their_names_say(tmp_path: Path, suffix: str) -> None:
    """And are the same bytes when written again."""
    path = tmp_path / f"file{suffix}"
    write_lines(path, ["é", "b"])
    first = path.read_bytes()
    with open_plain(path) as stream:
        assert stream.read() == "é\nb\n".encode()
    assert first.startswith("é\nb\n".encode()) == (suffix == "")
    write_lines(path, ["é", "b"])
    assert path.read_bytes() == first


def test_what_fails_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    """A file is there whole, or as it was."""

    def lines() -> Iterator[str]:
        yield "new"
        raise InputError("cannot be written")

    path = tmp_path / "file.gz"
    path.write_bytes(b"old")
    with pytest.raises(InputError):
        write_lines(path, lines())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_dash_is_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Written and left open."""
    write_corpus("-", [Document("1", text="é")])
    assert capsysbinary.readouterr().out == '{"_id": "1", "title": "", "text": "é"}\n'.encode()


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    """UTF-8 has no place for one."""
    with pytest.raises(InputError, match=r"file: 'a\\ud800' cannot be written: it contains an incomplete character$"):
        write_lines(tmp_path / "file", ["a\ud800"])
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_path_is_named(tmp_path: Path) -> None:
    """A folder that is not there."""
    with pytest.raises(InputError, match=r"file: no such folder: .*no$"):
        write_lines(tmp_path / "no" / "file", ["a"])


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("nowhere")], ids=["pipe", "link"])
def test_what_is_no_file_in_a_folder_is_told(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """It is not passed over: a run would be missing, and nobody would know."""
    (tmp_path / "a.run").write_text("1 Q0 d 1 1 a\n")
    (tmp_path / "sub").mkdir()
    make(tmp_path / "b.run")
    with pytest.raises(InputError, match=r"b\.run: neither a file nor a folder; a pipe is read where it is named"):
        each_file([tmp_path])
