"""Runs read in blocks: judged as when the whole file is read, or left to that."""

import gzip
import random
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.arrays.join import Judgments
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Vocabulary
from cranfield.errors import InputError
from cranfield.formats import each_run, read_qrels, read_runs
from cranfield.formats.files import LIMITS
from cranfield.formats.runs import blocks
from cranfield.formats.runs.blocks import places, read_rankings
from tests.conftest import usually

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
    for name in (field.name for field in fields(Judged)):
        left, right = getattr(first, name), getattr(second, name)
        if name == "unmet":
            left, right = ((one.qids, one.docno != "", one.judged) for one in (left, right))
        assert np.array_equal(left, right) if isinstance(left, np.ndarray) else left == right, name


def both(qrels: Path, run: Path) -> tuple[Judged, Judged]:
    """A run judged in blocks, and judged after it was read as a whole."""
    judged = Judgments(read_qrels(qrels, in_order=False))
    rankings = read_rankings(run, places(judged.docnos))
    assert rankings is not None
    return judged.meet(rankings), judged.meet(read_runs([run]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("blocks")


@given(documents, judgments, st.integers(25, 200))
def test_blocks_are_judged_as_the_whole(
    folder: Path, rows: list[tuple[str, str, float]], labels: list[tuple[str, str, int]], size: int
) -> None:
    """Ties, scores that rise, topics that come again, docnos of several bytes and lengths, blocks of every size."""
    qrels, run = folder / "qrels", folder / "run"
    qrels.write_text("".join(f"{qid} 0 {docno} {grade}\n" for qid, docno, grade in labels))
    lines = [f"{qid} Q0 {docno} 1 {score!r} r" for qid, docno, score in rows]
    run.write_text("\n".join(lines) + "\n" * (size % 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", max(size, *(len(line.encode()) + 1 for line in lines)))
        same(*both(qrels, run))


@pytest.mark.parametrize("order", ["sorted", "shuffled", "tied", "one topic"])
def test_large_files_are_judged_as_the_whole(tmp_path: Path, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of lines, plain and compressed."""
    monkeypatch.setattr(blocks, "BLOCK", 1 << 12)
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
    packed = tmp_path / "run.gz"
    packed.write_bytes(gzip.compress(run.read_bytes()))
    same(*both(qrels, run))
    same(*both(qrels, packed))


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
    monkeypatch.setattr(blocks, "BLOCK", 16)
    monkeypatch.setattr(blocks, "LONG", 24)
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
    assert read_rankings(run, places(Vocabulary(["d1\0", "d1\0\0"]))).document.tolist() == []  # type: ignore[union-attr]
    assert read_rankings(run, places(Vocabulary(["d1\0", "d1"]))).document.tolist() == [1]  # type: ignore[union-attr]


def test_several_files_are_read_each_as_alone(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 d1 1\n1 0 d2 0\n")
    paths = [tmp_path / name for name in "abc"]
    for path in paths:
        path.write_text(f"1 Q0 d2 1 1.0 {path.name}\n1 Q0 d1 2 1.0 {path.name}\n")
    judged = Judgments(read_qrels(qrels))
    for path, run in zip(paths, each_run(paths, judged.docnos), strict=True):
        alone, whole = judged.meet(run), judged.meet(read_runs([path]))
        same(alone, whole)
        assert alone.tags == (path.name,)


def test_real_runs_are_judged_as_the_whole(shared: Path) -> None:
    """Robust 2003 and TREC-COVID, with their ties."""
    for name, qrels in (("robust03", "qrels.robust03.txt.gz"), ("treccovid-r1", "qrels-rnd1.txt.gz")):
        for run in sorted((shared / name / "runs").iterdir())[:: usually(30, 1)]:
            same(*both(shared / name / qrels, run))


def test_a_run_larger_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 16)
    run = tmp_path / "run"
    run.write_text("".join(f"1 Q0 d{number} 1 {-number} r\n" for number in range(99)))
    token = LIMITS.set(LIMITS.get()._replace(file=1000))
    try:
        with pytest.raises(InputError, match="--max-file"):
            read_rankings(run, places(Vocabulary(["d1"])))
    finally:
        LIMITS.reset(token)
