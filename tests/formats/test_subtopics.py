"""Qrels of subtopics are recognised whatever the subtopics are called and however the file is sorted."""

import csv
import warnings
from collections import namedtuple
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.formats.files import notes_as_warnings
from cranfield.metrics.evaluate import evaluate
from tests.conftest import Cranfield

Judgment = namedtuple("Judgment", "query_id doc_id relevance iteration")
GOOD, WORSE = {"t7": {"pa": 1.0}}, {"t7": {"pb": 1.0}}


def score(qrels: object, run: object) -> float:
    with warnings.catch_warnings(action="ignore"):  # that the file was read as subtopics
        return float(evaluate(qrels, run, ["alpha_nDCG@10"])["value"].iloc[0])  # type: ignore[arg-type]


@pytest.mark.parametrize("names", [("0", "1"), ("a", "b"), ("1", "2"), ("blue", "0")])
def test_subtopics_may_have_any_name(names: tuple[str, str], tmp_path: Path) -> None:
    rows = [("t7", names[0], "pa"), ("t7", names[1], "pa"), ("t7", names[0], "pb")]
    (tmp_path / "q").write_text("".join(f"{qid} {subtopic} {docno} 1\n" for qid, subtopic, docno in rows))
    records = [Judgment(qid, docno, 1, subtopic) for qid, subtopic, docno in rows]
    for qrels in (tmp_path / "q", records):
        assert (round(score(qrels, GOOD), 4), round(score(qrels, WORSE), 4)) == (0.8638, 0.4319)


def test_a_file_sorted_by_subtopic_is_recognised_far_below_its_start(tmp_path: Path, cranfield: Cranfield) -> None:
    pairs = [f"t{topic} %d d{number} 1" for topic in (1, 2) for number in range(9_000)]
    judgments = [pair % subtopic for subtopic in (1, 2) for pair in pairs]
    (tmp_path / "q").write_text("\n".join(judgments) + "\n")
    ranking = [f"t{topic} Q0 d{rank} {rank} {100 - rank} r\n" for topic in (1, 2) for rank in range(1, 20)]
    (tmp_path / "r").write_text("".join(ranking))
    with notes_as_warnings(), pytest.warns(UserWarning, match=r"q: read as subtopics \("):
        qrels = read_qrels(tmp_path / "q")
    assert qrels.subtopics is not None
    assert [*qrels.subtopics.names] == ["1", "2"]
    found = cranfield("evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-m", "alpha_nDCG@10", "--format", "csv")
    assert (found.code, found.err.count("duplicate"), found.err.count("read as subtopics (")) == (0, 0, 1)
    words = ("evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "--input-format", "qrels=trec")
    assert "duplicate document d0 of topic t1" in cranfield(*words).err
    [row] = csv.DictReader(found.out.splitlines())
    assert float(row["alpha_nDCG@10"]) == pytest.approx(1)


@pytest.mark.parametrize("lines", ["1 0 d 1\n1 0 d 1\n", "1 0.5 d 1\n1 1 d 0\n", "1 -1 d 1\n1 1 d 0\n"])
def test_a_judgment_twice_and_rounds_stay_refused(lines: str, tmp_path: Path) -> None:
    (tmp_path / "q").write_text(lines)
    with pytest.raises(InputError, match="duplicate document d"):
        read_qrels(tmp_path / "q")
