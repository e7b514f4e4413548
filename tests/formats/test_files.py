"""Opening and creating files: compression by content, pipes that are read once, runs in blocks, one-line errors."""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import random
import signal
import threading
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.arrays.join import Judgments
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Vocabulary
from cranfield.errors import InputError
from cranfield.formats import (
    Document,
    each_run,
    open_decompressed,
    read_corpus,
    read_qrels,
    read_runs,
    read_topics,
    write_corpus,
)
from cranfield.formats.files import LIMITS
from cranfield.formats.given_files import expand_folders
from cranfield.formats.runs import blocks
from cranfield.formats.runs.blocks import places, read_rankings
from cranfield.formats.whole_files import write_lines
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.arrow import pa, parquet
from tests.conftest import Cranfield, usually

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
    assert str(error.value) == f"{path}: the compressed data is truncated or damaged; copy it again"


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
            read(__file__, format="odd")
    with pytest.raises(InputError) as error:
        read_runs(tmp_path)
    assert str(error.value) == f"{tmp_path}: a folder without files; expected at least one file"
    with pytest.raises(InputError) as error:
        read_qrels(tmp_path)
    remedy = f"expected the layout of BEIR, or the files themselves: {tmp_path}/*"
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
        with open_decompressed(tmp_path / "file") as stream:
            assert stream.read() == b"\xef\xbb\xbfa\r\n"


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_files_are_compressed_as_their_names_say(tmp_path: Path, suffix: str) -> None:
    """And are the same bytes when written again."""
    path = tmp_path / f"file{suffix}"
    write_lines(path, ["é", "b"])
    first = path.read_bytes()
    with open_decompressed(path) as stream:
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
    with pytest.raises(InputError, match=r"b\.run: neither a file nor a folder; name a pipe directly to read it"):
        expand_folders([tmp_path])


HEADER = "# ir_metadata.start\n# actor:\n#   team: delta\n# ir_metadata.end\n"
FILES = {
    "corpus": '{"_id": "d1", "text": "wing"}\n{"_id": "d2", "text": "lift"}\n',
    "topics": "<top>\n<num>1\n<title>wing\n</top>\n",
    "runs": HEADER + "".join(f"1 Q0 d{n} {n} {-n} a\n" for n in range(5000)),
    "qrels": "1 0 d1 1\n1 0 d2 0\n",
    "votes": '{"qid": "1", "docno": "d1", "grade": 1, "assessor": "ada"}\n',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """A folder with two empty stores."""
    monkeypatch.chdir(tmp_path)
    for name in ("piped.db", "filed.db"):
        cranfield("init", name, "--name", "x")
    return tmp_path


def trickle(fifo: Path, content: bytes) -> threading.Thread:
    """Write it once, the first bytes one at a time, so that no reader can count on having a whole block."""

    def write() -> None:
        with fifo.open("wb", buffering=0) as stream:
            for at in range(12):
                stream.write(content[at : at + 1])
            stream.write(content[12:])

    os.mkfifo(fifo)
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


class WaitsError(Exception):
    """A command waits for a second writer."""


@pytest.fixture
def run(cranfield: Cranfield) -> Iterator[Callable[..., str]]:
    """A function that gives what a command says; the command is stopped if it waits."""

    def stop(*_: object) -> NoReturn:
        raise WaitsError

    def run_command(*words: object) -> str:
        signal.alarm(60)
        outcome = cranfield(*words)
        signal.alarm(0)
        assert outcome.code == 0, outcome.err
        return outcome.out + outcome.err

    before = signal.signal(signal.SIGALRM, stop)
    yield run_command
    signal.signal(signal.SIGALRM, before)


def contents_of(store: str) -> dict[str, list[Any]]:
    """What a store holds, but when it came."""
    with Store.open(store) as collection:
        return {
            "corpus": list(collection.documents()),
            "topics": collection.topics(),
            "runs": [info._replace(file="") for info in run_info(collection).values()],
            "labels": qrels_of(collection).grade.tolist(),
        }


@pytest.mark.full
@pytest.mark.parametrize(("kind", "compress"), [*((kind, bytes) for kind in FILES), ("runs", gzip.compress)])
def test_a_named_pipe_is_opened_once(
    folder: Path, cranfield: Cranfield, run: Callable[..., str], kind: str, compress: Any
) -> None:
    """It gives what the file gives, the hash of a run's bytes as they are and its header among that."""
    content = compress(FILES[kind].encode())
    Path("file").write_bytes(content)
    cranfield("import", kind, "filed.db", "file")
    writer = trickle(Path("fifo"), content)
    run("import", kind, "piped.db", "fifo")
    writer.join(timeout=60)
    assert not writer.is_alive()
    assert contents_of("piped.db") == contents_of("filed.db")
    if kind == "runs":
        (about,) = contents_of("piped.db")["runs"]
        assert (about.team, about.sha256) == ("delta", hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize("kind", FILES)
def test_the_standard_input_is_read_once(
    folder: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It cannot be sought in."""

    class Once(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: Any) -> int:
            raise io.UnsupportedOperation("seek")

    Path("file").write_text(FILES[kind])
    cranfield("import", kind, "filed.db", "file")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Once(FILES[kind].encode())))
    assert cranfield("import", kind, "piped.db", "-").code == 0
    assert contents_of("piped.db") == contents_of("filed.db")


def test_analyses_read_pipes_too(folder: Path, run: Callable[..., str]) -> None:
    """Qrels, runs and teams; rules that need a second look at a run's file are not tried, and that is said."""
    Path("qrels").write_text(FILES["qrels"])
    Path("run").write_text("1 Q0 d1 1 1 a\n1 Q0 d2 2 1 a\n")
    Path("teams").write_text("run\tteam\tpooled\na\tx\tyes\n")
    with_teams = ["reusability", "--teams", "teams"]
    for number, words in enumerate(usually([with_teams], [with_teams, ["pool", "verify"]])):
        pipes = {name: Path(f"{name}-{number}") for name in ("qrels", "run", "teams")}
        used = ["qrels", "run", *(["teams"] if "teams" in words else [])]
        writers = [trickle(pipes[name], Path(name).read_bytes()) for name in used]
        output = run(*(pipes.get(word, word) for word in words), pipes["qrels"], pipes["run"])
        for writer in writers:
            writer.join(timeout=60)
        assert output.splitlines()[-1] == run(*words, "qrels", "run").splitlines()[-1] or words == ["pool", "verify"]


def test_parquet_from_a_pipe_is_refused_in_a_line(folder: Path, cranfield: Cranfield) -> None:
    """It is read from its end, so that it has to be a file."""
    parquet.write_table(pa.table({"docno": ["d1"], "text": ["wing"]}), "c.parquet")
    trickle(Path("fifo"), Path("c.parquet").read_bytes())
    assert (
        cranfield.error("import corpus piped.db fifo")
        == "fifo: Parquet from a pipe; expected a file, because Parquet is not read sequentially"
    )


DOCNOS = ["d1", "d10", "d9", "D1", "é", "long-name-of-a-document-1", "long-name-of-a-document-10", "long-name"]
documents = st.lists(
    st.tuples(st.sampled_from("ab1"), st.sampled_from(DOCNOS), st.sampled_from([0.5, 1.0, 2.0, -0.0, 0.0])),
    min_size=1,
    unique_by=lambda row: row[:2],
)
judgments = st.lists(
    st.tuples(st.sampled_from("a1"), st.sampled_from(DOCNOS), st.integers(0, 2)),
    min_size=1,
    unique_by=lambda row: row[:2],
)


def same(first: Judged, second: Judged) -> None:
    """Both batches say the same; the document that is told as an example is the first of the file in one of them."""
    for name in (field.name for field in fields(Judged) if field.compare):
        a, b = getattr(first, name), getattr(second, name)
        if name == "unmet":
            a, b = ((one.qids, one.docno != "", one.judged) for one in (a, b))
        assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b, name


def both(qrels: Path, run: Path) -> tuple[Judged, Judged]:
    """A run judged in blocks, and judged after it was read as a whole."""
    judged = Judgments(read_qrels(qrels, sorts_rows=False))
    rankings, _ = read_rankings(run, places(judged.docnos)) or (None, None)
    assert rankings is not None
    return judged.meet(rankings), judged.meet(read_runs([run]))


@pytest.fixture(scope="module")
def blocks_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("blocks")


@given(documents, judgments, st.integers(25, 200))
def test_blocks_are_judged_as_the_whole(
    blocks_folder: Path, rows: list[tuple[str, str, float]], labels: list[tuple[str, str, int]], size: int
) -> None:
    """Ties, scores that rise, topics that come again, docnos of several bytes and lengths, blocks of every size."""
    qrels, run = blocks_folder / "qrels", blocks_folder / "run"
    qrels.write_text("".join(f"{qid} 0 {docno} {grade}\n" for qid, docno, grade in labels))
    lines = [f"{qid} Q0 {docno} 1 {score!r} r" for qid, docno, score in rows]
    run.write_text("\n".join(lines) + "\n" * (size % 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK_BYTES", max(size, *(len(line.encode()) + 1 for line in lines)))
        same(*both(qrels, run))


@pytest.mark.full
@pytest.mark.parametrize("order", ["sorted", "shuffled", "tied", "one topic"])
def test_large_files_are_judged_as_the_whole(tmp_path: Path, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of lines, plain and compressed."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1 << 12)
    draw = random.Random(7)
    lines = [
        f"{1 if order == 'one topic' else topic} Q0 clueweb12-{draw.randrange(100):04}-{place:05} 1 {score} r\n"
        for topic in range(usually(8, 50))
        for place, score in enumerate(
            sorted((0 if order == "tied" else draw.random() for _ in range(500)), reverse=True)
        )
    ]
    if order == "one topic":
        lines = [line.replace("-0", f"-{number}", 1) for number, line in enumerate(lines)]
    qrels = tmp_path / "qrels"
    judged = draw.sample(lines, 60)
    qrels.write_text("".join(f"{line.split()[0]} 0 {line.split()[2]} {draw.randrange(3)}\n" for line in judged))
    if order == "shuffled":
        draw.shuffle(lines)
    run = tmp_path / "run"
    run.write_text("\ufeff" + "".join(lines))
    archive = tmp_path / "run.gz"
    archive.write_bytes(gzip.compress(run.read_bytes()))
    same(*both(qrels, run))
    same(*both(qrels, archive))


@pytest.mark.parametrize(
    "data",
    [
        b"1 Q0 d1 1 2.0 r\n1 Q0 d1 2 1.0 r\n",  # a document twice
        b"1 Q0 d1 1 2.0 r\n2 Q0 d1 1 1.0 r\n1 Q0 d1 2 1.0 r\n",  # the same, in another block
        b"1 Q0 d1 1 2.0 r\n1 Q0 a-long-docno 2 1.0 r\n1 Q0 d1 3 0.5 r\n",  # beside a longer one
        b"1 Q0 d1 1 nan r\n",
        b"1 Q0 d1 1 2.0\n",
        b"1 Q0 d\0 1 2.0 r\n",
        b"1 Q0 d\xff 1 2.0 r\n",
        "1 Q0 d1 1 2.0 r\n".encode("utf-16"),
        b"1 Q0 d1 1 2.0 r\r1 Q0 d2 1 1.0 r\r" * 2,
        b"1 Q0 d1 1 2.0 r\n1 Q0 d2 2 1.0 r\n# the end\n",
        b"1 Q0 d1 1 2.0 r\n1 Q0 a-name-longer-than-lines-are 2 1.0 r\n",
        b"",
    ],
)
def test_what_is_unusual_is_left_to_the_reading_of_the_whole(
    tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 16)
    monkeypatch.setattr(blocks, "LONG_LINE_BYTES", 24)
    run = tmp_path / "run"
    run.write_bytes(data)
    assert data == b"" or read_rankings(run, places(Vocabulary(["d1"]))) is None


@pytest.mark.parametrize(
    "data",
    [
        "1 Q0 d1 1 2.0 r",
        "1 Q0 d1 1 -inf r\n1 Q0 d2 1 inf r\n",
        "1 Q0 d1 1 1e-3 r\n1 Q0 d2 1 .001 r\n1 Q0 d9 1 0.00100 r\n",
        "1 Q0 d1 1 2.0 r\r\n1 Q0 d2 1 2 r\r\n",
        "1\tQ0\td1\t1\t2.0\tr\n1\tQ0\td2\t1\t2\tr\n",
        "  1 Q0  d1 1 2.0 r \n\n1 Q0 d2 1 2 r\n\n",
        "# a comment of six words here\n1 Q0 d1 1 2.0 r\n# one more of six words\n1 Q0 d2 1 2 r\n",
        "1 Q0 d1\x01 1 2.0 r\n1 Q0 d2\x1f 1 2.0 r\n1 Q0 d2 1 1.0 r\n",
        "1 Q0 é 1 2.0 ü\n1 Q0 d2 1 2.0 ü\n",
        "a-topic-of-many-letters-1 Q0 d1 1 2.0 r\na-topic-of-many-letters-2 Q0 d1 1 2.0 r\n1 Q0 d2 1 2.0 r\n",
    ],
)
def test_lines_of_every_make(tmp_path: Path, data: str) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 d1 1\n1 0 d2 2\n1 0 é 1\na-topic-of-many-letters-2 0 d1 1\n")
    run.write_bytes(data.encode())
    same(*both(qrels, run))


def test_a_docno_that_ends_in_nul_is_another(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.write_text("1 Q0 d1 1 2.0 r\n")
    assert read_rankings(run, places(Vocabulary(["d1\0", "d1\0\0"])))[0].document.tolist() == []  # type: ignore[index]
    assert read_rankings(run, places(Vocabulary(["d1\0", "d1"])))[0].document.tolist() == [1]  # type: ignore[index]


def test_several_files_are_read_each_as_alone(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 d1 1\n1 0 d2 0\n")
    paths = [tmp_path / name for name in "abc"]
    for path in paths:
        path.write_text(f"1 Q0 d2 1 1.0 {path.name}\n1 Q0 d1 2 1.0 {path.name}\n")
    judged = Judgments(read_qrels(qrels))
    for path, run in zip(paths, each_run(paths, judged), strict=True):
        alone, whole = judged.meet(run), judged.meet(read_runs([path]))
        same(alone, whole)
        assert alone.tags == (path.name,)


def test_real_runs_are_judged_as_the_whole(shared: Path) -> None:
    """Robust 2003 and TREC-COVID, with their ties."""
    for name, qrels in (("robust03", "qrels.robust03.txt.gz"), ("treccovid-r1", "qrels-rnd1.txt.gz")):
        for run in sorted((shared / name / "runs").iterdir())[:: usually(30, 1)]:
            same(*both(shared / name / qrels, run))


def test_a_run_larger_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 16)
    run = tmp_path / "run"
    run.write_text("".join(f"1 Q0 d{number} 1 {-number} r\n" for number in range(99)))
    token = LIMITS.set(LIMITS.get()._replace(file=1000))
    try:
        with pytest.raises(InputError, match="--max-file"):
            read_rankings(run, places(Vocabulary(["d1"])))
    finally:
        LIMITS.reset(token)
