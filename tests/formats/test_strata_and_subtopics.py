"""Qrels of stratified samples and of subtopics: told by their content, read, refused and written back."""

from pathlib import Path

import pandas as pd
import pytest

from cranfield.arrays.rankings import Qrels, Subtopics
from cranfield.errors import InputError
from cranfield.formats import read_qrels, write_qrels
from cranfield.metrics.inputs import as_qrels

SAMPLE = "# a sample\n2 0 d9 2 -1\n1 0 d10 1 2\n1 0 d9 2 0\n"
GRADE_FIRST = "# a sample\n2 0 d9 -1 2\n1 0 d10 2 1\n1 0 d9 0 2\n"
DIVERSITY = "1 1 d9 1\n1 2 d10 0\n1 2 d9 -2\n2 10 d10 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "qrels"


def triples(qrels: Qrels) -> list[tuple[str, str, int]]:
    qids, docnos = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
    return list(zip(qids, docnos, qrels.grade.tolist(), strict=True))


def subtopics(qrels: Qrels) -> list[tuple[str, str, str, int]]:
    about = qrels.subtopics
    assert isinstance(about, Subtopics)
    rows = triples(qrels)
    named = zip(about.judgment.tolist(), about.names[about.subtopic].tolist(), about.grade.tolist(), strict=True)
    return [(rows[judgment][0], name, rows[judgment][1], grade) for judgment, name, grade in named]


@pytest.mark.parametrize("text", [SAMPLE, GRADE_FIRST, SAMPLE.replace(" ", "\t"), SAMPLE.rstrip("\n")])
def test_a_sample_is_read_with_its_strata(file: Path, text: str) -> None:
    """Whichever of the last two columns has the negative numbers is the grade."""
    file.write_text(text)
    qrels = read_qrels(file)
    assert triples(qrels) == [("1", "d10", 2), ("1", "d9", 0), ("2", "d9", -1)]
    assert qrels.stratum is not None
    assert qrels.stratum.tolist() == ["1", "2", "2"]
    assert qrels.iteration is None


def test_a_sample_without_negative_grades_is_read_as_sample_eval_does(file: Path) -> None:
    """Unless the other order is asked for by its name."""
    file.write_text("1 0 d1 2 0\n")
    assert triples(read_qrels(file)) == [("1", "d1", 0)]
    assert triples(read_qrels(file, "grade-stratum")) == [("1", "d1", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "1 0 d1 1 1\n1 0 d2 1\n": "1: 5 columns where qrels have 4",
        "1 0 d1 1 1\n1 0 d2 1 x\n": "1: 5 columns where qrels have 4",
        "1 0 d1 1 1\n1 0 d1 2 1\n": "2: duplicate document d1 of topic 1, first on line 1",
        "1 1 1 d1 1\n": "1: 5 columns where qrels have 4",
    }.items(),
)
def test_what_is_no_sample_is_refused(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_qrels(file)


def test_a_sample_asked_for_by_name_is_checked_line_by_line(file: Path) -> None:
    file.write_text("1 0 d1 a 1\n1 0 d2 b\n")
    with pytest.raises(
        InputError, match="2: 4 columns where stratified qrels have 5: qid iteration docno stratum grade"
    ):
        read_qrels(file, "sample-eval")


def test_a_sample_is_written_as_it_was(file: Path, tmp_path: Path) -> None:
    file.write_text(SAMPLE)
    write_qrels(tmp_path / "again", read_qrels(file), "sample-eval")
    assert (tmp_path / "again").read_text() == "1 0 d10 1 2\n1 0 d9 2 0\n2 0 d9 2 -1\n"


def test_subtopics_are_told_by_a_document_that_has_two(file: Path) -> None:
    """The grade of a document is the best that any subtopic gave it."""
    file.write_text(DIVERSITY)
    qrels = read_qrels(file)
    assert triples(qrels) == [("1", "d10", 0), ("1", "d9", 1), ("2", "d10", 1)]
    assert subtopics(qrels) == [("1", "2", "d10", 0), ("1", "1", "d9", 1), ("1", "2", "d9", -2), ("2", "10", "d10", 1)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_too_long_for_one_look_is_read_to_its_end(file: Path, line_end: str) -> None:
    rows = [f"{qid} {name} doc{number:05} {number % 2}" for qid in (1, 2) for name in (1, 2) for number in range(3000)]
    file.write_text(line_end.join(rows))
    qrels = read_qrels(file, "subtopics")
    assert len(qrels) == 6000
    assert qrels.subtopics is not None
    assert len(qrels.subtopics.grade) == 12000


@pytest.mark.parametrize("text", ["1 0 d1 1\n1 1 d2 1\n", "1 1 d1 1\n1 2 d2 1\n", "1 0.5 d1 1\n1 1 d2 1\n"])
def test_qrels_with_any_second_column_stay_trec_qrels(file: Path, text: str) -> None:
    """As long as no document is there twice: TREC-COVID has rounds there."""
    file.write_text(text)
    qrels = read_qrels(file)
    assert qrels.subtopics is None
    assert qrels.iteration is not None


@pytest.mark.parametrize("text", ["1 0 d1 1\n1 1 d1 0\n", "1 0.5 d1 1\n1 1 d1 1\n", "1 1 d1 1\n1 1 d1 1\n"])
def test_a_document_twice_is_refused_where_the_second_column_tells_of_no_subtopics(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match="2: duplicate document d1 of topic 1"):
        read_qrels(file)


def test_a_document_twice_in_a_subtopic_is_refused(file: Path) -> None:
    file.write_text("1 1 d1 1\n1 2 d1 1\n\n1 1 d1 0\n")
    with pytest.raises(InputError, match="4: duplicate document d1 of topic 1, subtopic 1, first on line 1"):
        read_qrels(file)


def test_subtopics_are_written_as_they_were(file: Path, tmp_path: Path) -> None:
    file.write_text(DIVERSITY)
    write_qrels(tmp_path / "again", read_qrels(file), "subtopics")
    assert sorted((tmp_path / "again").read_text().splitlines()) == sorted(DIVERSITY.splitlines())


@pytest.mark.parametrize("format", ["sample-eval", "subtopics"])
def test_what_judgments_do_not_have_cannot_be_written(file: Path, format: str) -> None:
    with pytest.raises(InputError, match=f"cannot be written as {format}"):
        write_qrels(file, as_qrels({"1": {"d1": 1}}), format)
    assert not file.exists()


def test_frames_carry_strata_and_subtopics_too(file: Path) -> None:
    """A column of that name gives the same judgments as the file."""
    columns = ["query_id", "doc_id", "relevance", "stratum"]
    frame = pd.DataFrame([("2", "d9", -1, 2), ("1", "d10", 2, 1), ("1", "d9", 0, 2)], columns=columns)
    sample = as_qrels(frame)
    assert sample.stratum is not None
    assert (triples(sample), sample.stratum.tolist()) == (
        [("1", "d10", 2), ("1", "d9", 0), ("2", "d9", -1)],
        ["1", "2", "2"],
    )
    file.write_text(DIVERSITY)
    rows = [line.split() for line in DIVERSITY.splitlines()]
    diverse = as_qrels(pd.DataFrame(rows, columns=["query_id", "subtopic", "doc_id", "relevance"]))
    assert subtopics(diverse) == subtopics(read_qrels(file))
