"""The quick reading of whole runs against the reading line by line."""

import hashlib
from pathlib import Path
from random import Random

import pytest

from cranfield.arrays.rankings import Runs
from cranfield.formats.runs import blocks
from cranfield.formats.runs_and_qrels import _as_run, _table

NAMES = ["d1", "d10", "d9", "D1", "é", "e\u0301", "𝄞", "a" * 8, "a" * 9, "a" * 17, "a" * 16 + "b", "ÿ", "0", "00"]


def rows(run: Runs) -> dict[str, list[tuple[str, float]]]:
    """The ranking of each topic."""
    found: dict[str, list[tuple[str, float]]] = {}
    names = run.topics.names[run.topic].tolist(), run.docnos.names[run.document].tolist(), run.score.tolist()
    for qid, docno, score in zip(*names, strict=True):
        found.setdefault(qid, []).append((docno, score))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_it_reads_what_the_slow_reading_reads(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Topics in any order and apart, ties, unsorted scores, names of any length, over several blocks."""
    monkeypatch.setattr(blocks, "BLOCK", 300)
    random, path = Random(seed), tmp_path / "run"
    names = [*NAMES, *(f"x-{random.randrange(10 ** random.randint(1, 12))}" for _ in range(40))]
    pairs = [(qid, docno) for qid in ("7", "10", "q") for docno in set(random.sample(names, random.randint(1, 40)))]
    if seed % 2:
        random.shuffle(pairs)
    lines = [f"{qid} Q0 {docno} 1 {random.choice([1, 2.5, random.random()])} tag\n" for qid, docno in pairs]
    path.write_text("".join(lines))
    digest = hashlib.sha256()
    run = blocks.read_run(path, "auto", bool(seed % 3), digest)
    assert run is not None
    slow = _as_run(_table("run", "auto", path))
    assert run.tags == slow.tags
    assert rows(run) == rows(slow)
    assert run.docnos.names.tolist() == sorted({docno for _, docno in pairs}, key=str.encode)
    assert digest.hexdigest() == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# a note\n1 Q0 d 1 1 t\n",
        "\n#\n1 Q0 d 1 1 t\n",
        "1 Q0 d 1 1 t\n1 Q0 d 2 0.5 t\n",
        "1 Q0 d 1 nan t\n",
        "1 Q0\n",
    ],
)
def test_what_is_unusual_is_left_to_others(text: str, tmp_path: Path) -> None:
    """No rows, a header, a document twice, a score that is none, a line too short."""
    (tmp_path / "run").write_text(text)
    assert blocks.read_run(tmp_path / "run", "auto", True, hashlib.sha256()) is None
