"""Runs and qrels: the quick reading agrees with the exact one, and what is wrong is named with its line.

Partitioned Parquet data sets of runs are written by export and read by block.
"""

import hashlib
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield import evaluate
from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError
from cranfield.formats import arrow, jsonl, read_qrels, read_runs
from cranfield.formats import qrels as qrels_cranqrel
from cranfield.formats import qrels as qrels_smart
from cranfield.formats import qrels as qrels_trec
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import collected_notes, open_file
from cranfield.formats.layout import Columns, Layout
from cranfield.formats.named import is_unknown_header
from cranfield.formats.qrels import read_small_qrels
from cranfield.formats.runs import SCANNER_SWITCH, blocks, united
from cranfield.formats.runs import files as run_trec
from cranfield.formats.runs.partitioned import open_partitioned_runs, write_parts
from cranfield.formats.runs.united import united_runs
from cranfield.formats.runs_and_qrels import _as_run, _read_table, read_runs_of
from cranfield.formats.table import choose_format, formats_of, is_plain_trec, plain_formats
from cranfield.metrics.inputs import as_runs
from tests.arrow import pa, parquet
from tests.conftest import Cranfield

RUN, QRELS, BEIR = run_trec.TREC_LAYOUT, qrels_trec.TREC_LAYOUT, jsonl.BEIR_LAYOUT
LAYOUTS = (RUN, QRELS, BEIR, qrels_cranqrel.CRANQREL_LAYOUT, qrels_smart.SMART_LAYOUT)

values = st.sampled_from(
    ["1", "q1", "Q0", "0", "2", "-1", "+3", "2.9", "0.5", "1e3", ".5", "inf", "nan", "0x10", "1_0", "d1", "d10", "é",
     "#", "#1", '"', "'", "a,b", "\\", "NULL", "true", "99999999999999999999", "1e999", "\x1c", "\x85", "\u2028"]
)  # fmt: skip
gaps = st.sampled_from([" ", " ", "\t", "\t", "  ", " \t", "\v", "\f"])
ends = st.sampled_from(["\n", "\n", "\r\n", "\r", " \n", "\n\n", "\n  \n", "\t\n"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Lines that are nearly right: mostly as many columns as a table has, any white space, any line ends."""
    width = draw(st.sampled_from([3, 4, 4, 6, 6]))
    lines = []
    for number in range(draw(st.integers(0, 5))):
        columns = draw(st.lists(values, min_size=width, max_size=width))
        if draw(st.booleans()):
            columns[1 if width == 3 else 2] = f"doc{number}"
        if draw(st.booleans()):
            columns[4 if width == 6 else -1] = "1"
        columns = columns[draw(st.sampled_from([0, 0, 0, 0, 1])) :]
        start = draw(st.sampled_from(["", "", "", " ", "#", "\t"]))
        lines.append(start + columns[0] + "".join(draw(gaps) + column for column in columns[1:]) + draw(ends))
    text = "".join(lines).encode()
    return text.rstrip() if draw(st.booleans()) else text


def plain(columns: Columns) -> tuple[object, ...]:
    """The same as lists, so that two can be compared."""
    names = [None if a is None else a.to_pylist() for a in (columns.qid, columns.docno, columns.iteration)]
    return *names, columns.number.tolist(), columns.number.dtype, columns.tag


def exact_or_error(table: UnreadTable) -> Columns | InputError:
    try:
        return table.exact()
    except InputError as error:
        return error


@given(texts(), st.sampled_from(LAYOUTS))
def test_the_quick_reading_agrees_or_gives_up(text: bytes, layout: Layout) -> None:
    """What the exact reading refuses, the quick one never accepts; what both accept is the same."""
    table = UnreadTable("file", layout.header + text, layout)
    quick, exact = arrow.parse_regular_table(table.body, layout), exact_or_error(table)
    if isinstance(exact, InputError):
        assert quick is None
    elif quick is not None:
        assert plain(quick) == plain(exact)


@given(texts())
@example(b"1 0 d1 2\n1 0 d9 1\n2\t0\td1\t-1")
@example(b"# 0 d1 2\n1 0 d9 1\n")
@example(b"1 0 d1 2\n1 1 d9 1\n")
@example("1 0 é 2\r\n1 0 d1 1\r\n".encode())
def test_few_judgments_are_those_of_the_exact_reading(text: bytes) -> None:
    """Or they are left to it; comments are no judgments."""
    table = UnreadTable("qrels", text, QRELS)
    few, exact = read_small_qrels(table), exact_or_error(table)
    if isinstance(exact, InputError):
        assert few is None
    elif few is not None:
        columns = (few.topics.names[few.topic], few.sources, few.docnos.names[few.document], few.grade)
        assert sorted(zip(*columns, strict=True)) == sorted(
            zip(*(a.to_pylist() for a in (exact.qid, exact.iteration, exact.docno)), exact.number, strict=True)
        )


@given(texts(), st.sampled_from(["run", "qrels"]))
@example(b"1 Q0 d1 1 0.5 a\n", "run")
@example(b"1 Q0 d1 1 0.5 a\r\n2 Q0 d1 1", "run")
@example(b"qid\tdocno\tgrade\t1\n1\td1\t1\t7\n", "qrels")
@example(b"query-id\tcorpus-id\tscore\t0\n", "qrels")
@example(b"1 28 0 0\n1 35 0 0\n", "qrels")
@example(b"1 a d1 0\n1 b d1 1\n", "qrels")
@example(b'{"1": 0 d1 1\n', "qrels")
@example(b"[1] Q0 d1 1 1 a\n", "run")
@example(b"1 Q0 d1 1 1.0 tag\n", "run")
@example(b"1 Q0 docno 1 1.0 run\n", "run")
@example(b"1 0 grade 1\n", "qrels")
def test_plain_trec_files_are_found_as_by_all_formats(text: bytes, kind: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(text)
        with open_file(path) as source:
            if not is_plain_trec(kind, source):
                return
            assert not is_unknown_header(source.head)
            found = [
                next(row.name for row in formats if row.detect(source.head, str(path)))
                for formats in (plain_formats(kind), formats_of(kind))
            ]
    assert found[0] == found[1]


def test_ordinary_judgments_are_few() -> None:
    table = UnreadTable("qrels", b"2 0 d1 2\n1 0 d9 1\n", QRELS)
    few = read_small_qrels(table)
    assert few is not None
    assert (few.qids, few.grade.tolist()) == (["1", "2"], [1, 2])
    assert read_small_qrels(replace(table, data=table.data * 100_000)) is None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 99), st.floats(allow_nan=False)), min_size=1, max_size=50))
def test_ordinary_runs_are_read_quickly(rows: list[tuple[int, int, float]]) -> None:
    """A run as programs write it never needs the exact reading, and its scores are the same to the last bit."""
    unique = {(qid, docno): score for qid, docno, score in rows}
    text = "".join(f"{qid}\tQ0\td{docno}\t1\t{score!r}\ttag\n" for (qid, docno), score in unique.items()).encode()
    quick = arrow.parse_regular_table(text, RUN)
    assert quick is not None
    assert plain(quick) == plain(UnreadTable("run", text, RUN).exact())
    assert quick.number.tolist() == list(unique.values())


@pytest.mark.parametrize(
    ("file", "layout"),
    [
        pytest.param("robust03/runs/input.humR03dc.gz", RUN, marks=pytest.mark.daily),
        ("robust03/runs/input.NLPR03vb10.gz", RUN),
        ("treccovid-r1/runs/run3.gz", RUN),
        pytest.param("treccovid-r1/runs/RMITBM1.gz", RUN, marks=pytest.mark.daily),
        ("trec_eval/comment/run", RUN),
        ("trec_eval/qrels_comments/qrels", QRELS),
        ("treccovid-r1/qrels-rnd1.txt.gz", QRELS),
        ("cranfield1400/trec-xml/cranqrel.trec.txt", QRELS),
        ("cranfield1400/smart/cranqrel", qrels_cranqrel.CRANQREL_LAYOUT),
        ("cisi/CISI.REL", qrels_smart.SMART_LAYOUT),
        ("beir-dbpedia50/qrels/test.tsv", BEIR),
    ],
)
def test_real_files_are_read_quickly_and_exactly_alike(shared: Path, file: str, layout: Layout) -> None:
    """On real files both readings succeed, with the same result."""
    with open_file(shared / file) as source:
        table = UnreadTable(source.path, source.data(), layout)
    quick = arrow.parse_regular_table(table.body, layout)
    assert quick is not None
    assert plain(quick) == plain(table.exact())


WRONG_RUNS = {
    b"": "empty; a run has lines of qid Q0 docno rank score tag",
    b"# only\n\n": "empty; a run has lines of qid Q0 docno rank score tag",
    b"1 Q0 d1 1 2.5 t\n1 Q0 d2 2 2.0\n": "2: 5 columns; a run has 6: qid Q0 docno rank score tag",
    b"# c\n\nq\n": "3: 1 column; a run has 6: qid Q0 docno rank score tag",
    b"1 Q0  1 2.5 t\n": "1: 5 columns; a run has 6: qid Q0 docno rank score tag",
    b"1 Q0 d1 1 2.5 t\r\n1 Q0 d2 2 high t\r\n": "2: score 'high' is not a number",
    b"1 Q0 d1 1 nan t\n": "1: score 'nan' is not a number",
    b"1 Q0 d1 1 1_0 t\n": "1: score '1_0' is not a number",
    b"1 Q0 d1 1 \x1b[31m t\n": "1: score '\\x1b[31m' is not a number",
    b"1 Q0 d1 1 3 t\n2 Q0 d1 1 3 t\n1 Q0 d1 2 1 t\n": (
        "3: duplicate document d1 of topic 1, first on line 1 with score 3, here 1; remove the wrong line"
    ),
    b"1 Q0 d\xe9 1 3 t\n": "1: docno 'd\\\\xe9' is not UTF-8; convert the file, for example with iconv -f latin1 "
    "-t utf8",
    b"1 Q0 d1 1 3 t\xe9\n": "1: tag 't\\\\xe9' is not UTF-8; convert the file, for example with iconv -f latin1 "
    "-t utf8",
    b"1 Q0 d1 1 3 t\n1 Q0 \0\n": "2: binary data; expected text",
    b"\xff\xfe1\0": "1: UTF-16 text; expected UTF-8; convert the file, for example with iconv -f utf16 -t utf8",
    b"1,d1,2.5\n": (
        "1: 1 column; a run has 6: qid Q0 docno rank score tag; a CSV file needs a header line, such as qid,docno,score"
    ),
    b"PK\x03\x04\0": "a zip archive or a file of an office program; unpack it, or save it as CSV",
    b"a.run".ljust(257, b"\0") + b"ustar": "a tar archive; unpack it",
    b"SQLite format 3\0": "an SQLite database; expected a text file with judgments or runs; to read "
    "a store, give no other files",
}
WRONG_QRELS = {
    b"": "empty; qrels have lines of qid iteration docno grade",
    b"1 0 d1 1\n1 0 d2 1 x\n": (
        "2: 5 columns; qrels have 4: qid iteration docno grade; if one column is a stratum, name the format: "
        "sample-eval (stratum, then grade) or grade-stratum"
    ),
    b"1 0 d1 1\n1 0 d2\n": "2: 3 columns; qrels have 4: qid iteration docno grade",
    b"1 0 d1 1\n1 0 d2 2.9\n": (
        "2: grade '2.9' is not a whole number; stores and trec-eval need whole grades; "
        "`cranfield import qrels --times 10` imports it as 29, and `cranfield evaluate` with "
        'gains="29=2.9,..." counts it as 2.9'
    ),
    b"1 0 d1 x\n": "1: grade 'x' is not a whole number",
    b"1 0 d1 0x10\n": "1: grade '0x10' is not a whole number",
    b"1 0 d1 9999999999999999999\n": "1: grade '9999999999999999999' is not a whole number of at most 18 digits",
    b"1 0 d1 0\n1 0 d1 0\n": (
        "2: duplicate document d1 of topic 1, first on line 1 with the same grade; remove one of the lines"
    ),
    b"query-id\tcorpus-id\tscore\nq1\td1\n": "2: 2 columns; BEIR qrels have 3: qid docno grade",
    b"query-id\tcorpus-id\tscore\nq1\t\t1\n": "2: no docno",
    b"query-id\tcorpus-id\tscore\n": "empty; BEIR qrels have lines of qid docno grade",
    b"1 2 x\n": "1: grade 'x' is not a whole number",
}


def refusal(path: Path, read: object, **options: object) -> str:
    """The whole message, without the name of the folder."""
    with pytest.raises(InputError) as error:
        read(path, **options)  # type: ignore[operator]
    return str(error.value).removeprefix(f"{path.parent}/")


@pytest.mark.parametrize(
    ("name", "text"), [*(("a.run", text) for text in WRONG_RUNS), *(("qrels", text) for text in WRONG_QRELS)]
)
def test_what_is_wrong_is_refused_in_one_line(tmp_path: Path, name: str, text: bytes) -> None:
    """File, line, what was found, what is right; also where trec_eval would read a grade of its own making."""
    (tmp_path / name).write_bytes(text)
    read, message = (read_qrels, WRONG_QRELS[text]) if name == "qrels" else (read_runs, WRONG_RUNS[text])
    assert refusal(tmp_path / name, read) == f"{name}:{'' if message[0].isdigit() else ' '}{message}"


def test_beir_qrels_without_a_header_are_refused(tmp_path: Path) -> None:
    """The first line is never taken for one."""
    (tmp_path / "test.tsv").write_text("q1\td1\t1\n")
    message = "test.tsv:1: no header line; expected a line that starts with query-id"
    assert refusal(tmp_path / "test.tsv", read_qrels, format="beir") == message


def ranking(runs: Runs) -> list[tuple[str, str, str]]:
    return [
        (runs.tags[run], runs.topics.names[topic], runs.docnos.names[document])
        for run, topic, document in zip(runs.run, runs.topic, runs.document, strict=True)
    ]


def test_ties_are_broken_by_docno_descending_in_byte_order(tmp_path: Path) -> None:
    """zz > é's bytes is wrong: UTF-8 is above ASCII; d9 > d10 > d-1 > D9. The rank column says nothing."""
    docnos = ["d10", "D9", "zz", "d-1", "é", "d9"]
    lines = [f"1 Q0 {docno} {rank} 1.0 t" for rank, docno in enumerate(docnos)]
    (tmp_path / "run").write_text("\n".join(lines), encoding="utf-8")
    runs = read_runs(tmp_path / "run")
    assert [docno for _, _, docno in ranking(runs)] == ["é", "zz", "d9", "d10", "d-1", "D9"]


def test_topics_are_in_byte_order_and_may_be_interleaved(tmp_path: Path) -> None:
    """10 comes before 2, and 02 is another topic than 2."""
    (tmp_path / "run").write_text("2 Q0 a 1 1 t\n10 Q0 a 1 1 t\n02 Q0 a 1 1 t\n2 Q0 b 1 2 t\n")
    runs = read_runs(tmp_path / "run")
    assert [(qid, docno) for _, qid, docno in ranking(runs)] == [("02", "a"), ("10", "a"), ("2", "b"), ("2", "a")]


def test_scores_are_doubles(tmp_path: Path) -> None:
    """What differs only past the seventh digit is no tie."""
    (tmp_path / "run").write_text("1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1.0 t\n")
    assert [docno for _, _, docno in ranking(read_runs(tmp_path / "run"))] == ["a", "b"]


@pytest.mark.parametrize("end", ["", "\n", "\r\n", " \n\n\n"])
@pytest.mark.parametrize("gap", [" ", "\t", "   ", " \t "])
@pytest.mark.parametrize("start", ["", "\ufeff", "# comment\n", "#1\n#2\n\n", "  "])
def test_white_space_comments_and_marks_do_not_matter(tmp_path: Path, start: str, gap: str, end: str) -> None:
    """Any white space separates, the last line may lack its end, a byte order mark is no text."""
    lines = [gap.join(["1", "Q0", docno, "0", score, "t"]) for docno, score in (("a", "1"), ("b", "2e0"))]
    (tmp_path / "run").write_text(start + "\n".join(lines) + end, encoding="utf-8", newline="")
    runs = read_runs(tmp_path / "run")
    assert (ranking(runs), runs.score.tolist()) == ([("t", "1", "b"), ("t", "1", "a")], [2.0, 1.0])


def test_the_tag_is_that_of_the_last_line(tmp_path: Path) -> None:
    """As in trec_eval, also where columns follow it."""
    (tmp_path / "run").write_text("1 Q0 a 1 1 first\n1 Q0 b 2 1 last and more\n")
    assert read_runs(tmp_path / "run").tags == ("last",)


@pytest.mark.parametrize(
    ("text", "others"),
    [("1 Q0 a 1 3 x\n1 Q0 b 2 2 y\n1 Q0 c 3 1 x", ("y",)), ("1 Q0 a 1 2 x\n1 Q0 b 2 1 x", ()), ("1 Q0 a 1 1 x y", ())],
)
def test_other_tags_are_known(text: str, others: tuple[str, ...], tmp_path: Path) -> None:
    """A column after the tag is none."""
    (tmp_path / "run").write_text(text)
    with collected_notes() as notes:
        read_runs_of([tmp_path / "run"], "auto", None)
    said = [f"{tmp_path / 'run'}: all lines are read as one run with the last line's tag 'x'; 1 other tag: {other!r}; "
            "if these are several runs, give each in its own file" for other in others]  # fmt: skip
    assert notes == said


@pytest.mark.parametrize("scanner", ["", "1"])
@pytest.mark.parametrize("lines", [1, 2_000])
def test_two_tags_are_noted_once_by_every_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scanner: str, lines: int
) -> None:
    """The last tag counts, as in trec_eval, also if other tags are in another block of the file."""
    monkeypatch.setenv("CRANFIELD_NO_SCANNER", scanner)
    monkeypatch.setattr("cranfield.formats.runs.blocks.BLOCK_BYTES", 1 << 14)
    path, qrels = tmp_path / "run", {"1": {"d0": 1, "d1": 0}}
    (tmp_path / "qrels").write_text("1 0 d0 1\n1 0 d1 0\n")
    first = "".join(f"1 Q0 d{number} {number + 1} {lines - number + 1} x\n" for number in range(lines))
    path.write_text(first + f"1 Q0 last {lines + 1} 1 y\n")
    for judgments in (qrels, tmp_path / "qrels"):
        with pytest.warns(UserWarning, match="with the last line's tag 'y'; 1 other tag: 'x'") as found:
            scores = evaluate(judgments, path, measures=["RR"]).frame
        assert (len(found), scores["run"].tolist()) == (1, ["y"])


@pytest.mark.parametrize("grade", [-0.5, -1.5])
def test_fractions_below_0_are_no_grades(tmp_path: Path, grade: float) -> None:
    """In a file, a dict and a frame; -1 is unjudged, and -0.5 would be judged."""
    path = tmp_path / "qrels"
    path.write_text(f"1 0 a 1\n1 0 b {grade}\n")
    frame = pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "relevance": [1, grade]})
    for qrels in (path, {"1": {"a": 1, "b": grade}}, frame):
        with pytest.raises(InputError, match=r"expected a grade|is not a grade") as error:
            evaluate(qrels, {"1": {"a": 2.0, "b": 1.0}}, measures=["RR"])
        assert "expected whole numbers for grades below 0 (-1 is unjudged, -2 is judged and not relevant)" in str(
            error.value
        )


def test_a_document_twice_under_two_tags_is_told_as_two_runs(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 1 x\n1 Q0 a 2 1 y\n")
    with pytest.raises(InputError, match="with the tag 'x', here 'y'; split the runs by the last column"):
        read_runs(tmp_path / "run")


def write_runs(folder: Path, **tags: str) -> list[Path]:
    paths = [folder / name.replace("_", ".") for name in tags]
    for path, tag in zip(paths, tags.values(), strict=True):
        path.write_text(f"1 Q0 d 1 1 {tag}\n")
    return paths


def test_runs_of_one_tag_are_called_by_their_files(tmp_path: Path) -> None:
    """Both are, and only they."""
    paths = write_runs(tmp_path, input_prc1="prceo1", prc2_run="prceo1", x_txt="Sel50")
    assert read_runs(paths).tags == ("prc1", "prc2", "Sel50")


def test_runs_that_no_name_tells_apart_are_refused(tmp_path: Path) -> None:
    """One run given twice is refused, naming both."""
    (path,) = write_runs(tmp_path, a_run="t")
    with pytest.raises(InputError) as error:
        read_runs([path, path])
    assert str(error.value).startswith(f"{path}: duplicate run name 'a', also used for {path}; pass each file once")


def test_no_files_are_refused() -> None:
    """An empty list of runs is a mistake."""
    with pytest.raises(InputError, match=r"^no run files$"):
        read_runs([])


def test_many_runs_share_their_vocabularies(tmp_path: Path) -> None:
    """The integers of one run mean the same in another."""
    (tmp_path / "a").write_text("1 Q0 x 1 2 a\n2 Q0 y 1 1 a\n")
    (tmp_path / "b").write_text("2 Q0 x 1 2 b\n0 Q0 w 1 1 b\n")
    runs = read_runs([tmp_path / "b", tmp_path / "a"])
    assert runs.docnos.names.tolist() == ["x", "w", "y"]
    assert ranking(runs) == [("b", "0", "w"), ("b", "2", "x"), ("a", "1", "x"), ("a", "2", "y")]


def test_qrels_are_sorted_and_keep_their_iteration(tmp_path: Path) -> None:
    """Sorted by topic and document in byte order; the second column goes with its row."""
    (tmp_path / "qrels").write_text("2 b z 1\n10 a y 0\n2 c x -2\n")
    qrels = read_qrels(tmp_path / "qrels")
    assert qrels.qids == ["10", "2"]
    assert [qrels.docnos.names[document] for document in qrels.document] == ["y", "x", "z"]
    assert qrels.grade.tolist() == [0, -2, 1]
    assert qrels.grade.dtype == np.int64
    assert qrels.iteration is not None
    assert qrels.iteration.tolist() == ["a", "c", "b"]


def test_grades_are_mapped(tmp_path: Path) -> None:
    """Cranfield's codes, of which 1 is the best, become grades."""
    (tmp_path / "qrels").write_text("1 a 1\n1 b 4\n1 c -1\n")
    assert read_qrels(tmp_path / "qrels", grades={1: 4, 4: 1, -1: 0}).grade.tolist() == [4, 1, 0]


def test_a_grade_that_is_not_in_the_map_is_refused(tmp_path: Path) -> None:
    """With the first line that has it."""
    (tmp_path / "qrels").write_text("# a comment\n1 0 a 1\n1 0 b 5\n1 0 c 7\n")
    message = "qrels:3: grade 5; expected one of 0, 1"
    assert refusal(tmp_path / "qrels", read_qrels, grades={0: 0, 1: 1}) == message


def test_smart_pairs_are_all_relevant(tmp_path: Path) -> None:
    """They are told by their last columns, which are 0, as CISI and CACM write it."""
    for text in ("     1     28\t0\t0.000000\r\n     1     35\t0\t0.000000\r\n", "1 28  0 0\n1 35  0 0\n"):
        (tmp_path / "CISI.REL").write_text(text)
        for name in ("auto", "smart-rel"):
            qrels = read_qrels(tmp_path / "CISI.REL", format=name)
            assert (qrels.docnos.names.tolist(), qrels.grade.tolist()) == (["28", "35"], [1, 1])


def test_other_qrels_are_no_smart_pairs(tmp_path: Path) -> None:
    """Their docnos would all be the iteration."""
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    with pytest.raises(InputError, match=r"qrels:1: '1 0 d1 1'; expected qid docno 0 0\.000000"):
        read_qrels(tmp_path / "qrels", format="smart-rel")


@pytest.mark.parametrize("text", ["1 0 a 1.0\n1 0 b -2.\n1 0 c +0.00\n", "1 0 a 1\n1 0 b -2\n1 0 c 0\n"])
@pytest.mark.parametrize("beir", [False, True])
def test_whole_floats_are_grades(tmp_path: Path, text: str, beir: bool) -> None:
    """MTEB writes 1.0; the quick reading and the exact one agree."""
    if beir:
        text = "query-id\tcorpus-id\tscore\n" + text.replace(" 0 ", " ").replace(" ", "\t")
    (tmp_path / "qrels").write_text(text)
    with open_file(tmp_path / "qrels") as source:
        table = choose_format("qrels", "auto", source).read(source)
    assert table.columns().number.tolist() == table.exact().number.tolist() == [1, -2, 0]


def test_fractional_grades_are_refused_with_the_remedy(tmp_path: Path) -> None:
    """Which works: multiplied, they are whole."""
    (tmp_path / "qrels").write_text("1 0 a 0.25\n1 0 b 1.0\n")
    message = "qrels:1: grade '0.25' is not a whole number; stores and trec-eval need whole grades"
    remedy = "`cranfield import qrels --times 100` imports it as 25, and `cranfield evaluate` with"
    assert refusal(tmp_path / "qrels", read_qrels) == f'{message}; {remedy} gains="25=0.25,..." counts it as 0.25'
    assert read_qrels(tmp_path / "qrels", fractions=True).grade.tolist() == [0.25, 1.0]
    assert read_qrels(tmp_path / "qrels", times=100).grade.tolist() == [25, 100]
    assert read_qrels(tmp_path / "qrels", grades={25: 1, 100: 2}, times=100).grade.tolist() == [1, 2]
    (tmp_path / "qrels").write_text("1 0 a 0.3333333333\n")
    assert refusal(tmp_path / "qrels", read_qrels).endswith("is not a whole number; round these grades first")


def test_a_grade_off_the_scale_is_refused_with_its_line(tmp_path: Path) -> None:
    """After it was mapped; the remedies are named."""
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 5\n")
    remedy = "map it with --grades OLD=NEW, or set such labels aside with --off-scale cannot-judge"
    message = f"qrels:2: grade 5 is not on the scale 0, 1: {remedy}"
    assert refusal(tmp_path / "qrels", read_qrels, scale=[0, 1]) == message
    message = f"qrels:2: grade 5, which becomes 7, is not on the scale 0, 1: {remedy}"
    assert refusal(tmp_path / "qrels", read_qrels, scale=[0, 1], grades={1: 1, 5: 7}) == message
    assert read_qrels(tmp_path / "qrels", scale=[0, 1], grades={1: 0, 5: 1}).grade.tolist() == [0, 1]


NAMES = ["d1", "d10", "d9", "D1", "é", "e\u0301", "𝄞", "a" * 8, "a" * 9, "a" * 17, "a" * 16 + "b", "ÿ", "0", "00"]


def rows(run: Runs) -> dict[str, list[tuple[str, float]]]:
    """The ranking of each topic."""
    rankings: dict[str, list[tuple[str, float]]] = {}
    names = run.topics.names[run.topic].tolist(), run.docnos.names[run.document].tolist(), run.score.tolist()
    for qid, docno, score in zip(*names, strict=True):
        rankings.setdefault(qid, []).append((docno, score))
    return rankings


@pytest.mark.parametrize("seed", range(12))
def test_it_reads_what_the_slow_reading_reads(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Topics in any order and apart, ties, unsorted scores, names of any length, over several blocks."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 300)
    random, path = Random(seed), tmp_path / "run"
    names = [*NAMES, *(f"x-{random.randrange(10 ** random.randint(1, 12))}" for _ in range(40))]
    pairs = [(qid, docno) for qid in ("7", "10", "q") for docno in set(random.sample(names, random.randint(1, 40)))]
    if seed % 2:
        random.shuffle(pairs)
    lines = [f"{qid} Q0 {docno} 1 {random.choice([1, 2.5, random.random()])} tag\n" for qid, docno in pairs]
    path.write_text("".join(lines))
    digest = hashlib.sha256()
    found = blocks.read_run(path, "auto", bool(seed % 3), digest)
    assert found is not None
    run, ranks = united_runs([found[0]], np.int64), found[1]
    slow, slow_ranks = _as_run(_read_table("run", "auto", path)[0])
    assert ranks == slow_ranks
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
    for alone in (True, False):
        assert blocks.read_run(tmp_path / "run", "auto", alone, hashlib.sha256()) is None


@pytest.mark.parametrize("off", ["", "1"])
@pytest.mark.parametrize("lines", [1, 60, 1 << 22])
def test_several_files_are_read_as_one_by_one(
    off: str, lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the scanner and without it, united all at once and a few at a time; one has a comment, one a long docno."""
    monkeypatch.setenv(SCANNER_SWITCH, off)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 300)
    monkeypatch.setattr(united, "LINES_AT_ONCE", lines)
    random, paths = Random(lines), [tmp_path / f"run{number}" for number in range(5)]
    for number, path in enumerate(paths):
        found = [(qid, docno) for qid in random.sample("2197", 3) for docno in random.sample([*NAMES, *"abcdef"], 9)]
        random.shuffle(found)
        ranked = [f"{qid} Q0 {docno} 0 {random.choice([1, 2.5])} run{number}\n" for qid, docno in found]
        last = f"1 Q0 {'d' * 300 if number == 2 else 'x'} 0 1 run{number}\n"
        path.write_text("".join(["# a note\n" * (number == 1), *ranked, last]))
    together, origins = read_runs_of(paths, "auto", None)
    assert [rows(together.select([tag])) for tag in together.tags] == [rows(read_runs(path)) for path in paths]
    assert [origin.sha256 for origin in origins] == [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    assert len(set(together.docnos.names)) == len(together.docnos.names)


def test_a_document_twice_in_one_of_several_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1 Q0 d 1 2 a\n1 Q0 e 2 1 a\n")
    (tmp_path / "b").write_text("1 Q0 d 1 3 b\n2 Q0 d 1 3 b\n1 Q0 e 2 2 b\n1 Q0 d 3 1 b\n")
    with pytest.raises(InputError, match=r"b:4: duplicate document d of topic 1, first on line 1 with score 3, here 1"):
        read_runs_of([tmp_path / "a", tmp_path / "b"], "auto", None)


ROWS = [("b", "1", "d9", 1.0), ("b", "1", "d10", 2.0), ("a", "1", "d9", 1.0), ("a", "1", "d10", 1.0)]


def write(folder: Path, block: str, rows: list[Any], names: str = "run qid docno score") -> Path:
    path = folder / f"qid_block={block}" / "part-0.parquet"
    path.parent.mkdir(parents=True)
    parquet.write_table(pa.table(dict(zip(names.split(), map(list, zip(*rows, strict=True)), strict=True))), path)
    return path


def test_order_is_that_of_run_files(tmp_path: Path) -> None:
    """Scores descending, ties by docno descending; runs by tag; ids may be numbers."""
    write(tmp_path, "0", ROWS)
    write(tmp_path, "x", [("b", 7, 12, 3)])
    runs = open_partitioned_runs(tmp_path)
    assert runs.tags == ("a", "b")
    docnos, qids = runs.docnos.names[runs.document].tolist(), runs.topics.names[runs.topic].tolist()
    assert list(zip(runs.run.tolist(), qids, docnos, runs.score.tolist(), strict=True)) == [
        (0, "1", "d9", 1.0), (0, "1", "d10", 1.0), (1, "1", "d10", 2.0), (1, "1", "d9", 1.0), (1, "7", "12", 3.0)
    ]  # fmt: skip
    assert runs.select(["b"]).run.tolist() == [0, 0, 0]


WRONG: dict[str, list[Any]] = {
    "part-0.parquet:3: duplicate document d9 of topic 1 in run a, first in row 1": [("a", "1", "d9", 1.0), *ROWS[1:3]],
    "part-0.parquet:2: score is nan; expected a number": [ROWS[0], ("b", "1", "d8", np.nan)],
    "part-0.parquet:2: docno is ' d8'; expected an id without blanks around it": [ROWS[0], ("b", "1", " d8", 1.0)],
    "part-0.parquet:1: qid is None; expected an id without blanks around it": [("b", None, "d8", 1.0)],
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_has_a_place(tmp_path: Path, message: str) -> None:
    write(tmp_path, "0", WRONG[message])
    with pytest.raises(InputError) as error:
        _ = open_partitioned_runs(tmp_path).loaded
    assert str(error.value) == f"{tmp_path}/qid_block=0/{message}"


def test_a_column_is_missing(tmp_path: Path) -> None:
    path = write(tmp_path, "0", ROWS, "tag qid docno score")
    with pytest.raises(InputError, match="no column 'run'; expected run, qid, docno, score") as error:
        open_partitioned_runs(tmp_path)
    assert error.value.path == str(path)


def test_a_topic_is_in_one_block(tmp_path: Path) -> None:
    write(tmp_path, "0", ROWS)
    write(tmp_path, "1", ROWS)
    with pytest.raises(InputError, match="topic 1 is in qid_block=0 and in qid_block=1; expected each topic in one"):
        open_partitioned_runs(tmp_path)


@pytest.fixture
def qrels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 d9 1\n1 0 d10 0\n2 0 d1 1\n")
    Path("runs").mkdir()
    write_parts(Path("runs"), as_runs({"a": {"1": {"d9": 1.0}}, "b": {"1": {"d10": 1.0}, "3": {"d1": 1.0}}}))
    return "qrels"


def test_at_an_address(cranfield: Cranfield, qrels: str) -> None:
    """On file:// and in memory:// as in a folder; a topic that no run answers counts 0."""
    fsspec = pytest.importorskip("fsspec", reason="needs the extra: pip install 'cranfield[cluster]'")
    fsspec.filesystem("memory").put("runs", "/bucket/runs", recursive=True)
    here = cranfield("evaluate", qrels, "runs", "-m", "RR", "--format", "csv")
    assert here.out == "run,RR,Judged@10\na,0.5,1.0\nb,0.0,1.0\n"
    for address in (f"file://{Path('runs').absolute()}", "memory://bucket/runs"):
        assert cranfield("evaluate", qrels, address, "-m", "RR", "--format", "csv") == here
    assert "no runs in this folder; expected qid_block=.../*.parquet" in cranfield.error(
        "evaluate", qrels, "memory://bucket/none"
    )


def test_a_store_writes_it(cranfield: Cranfield, qrels: str) -> None:
    """Once: blocks that are there already would be part of it."""
    Path("a.run").write_text("1 Q0 d9 1 1.0 a\n2 Q0 d1 1 1.0 a\n")
    cranfield.run(
        "init t.db --name t --scale 0=no,1=yes", "import runs t.db a.run", "export runs t.db out --as parquet"
    )
    paths = sorted(map(str, Path("out").rglob("*.parquet")))
    assert paths == [f"out/qid_block=0000{n}/part-0.parquet" for n in "01"]
    assert cranfield("evaluate", qrels, "out", "-m", "RR", "--format", "csv").out == "run,RR,Judged@10\na,1.0,1.0\n"
    again = cranfield("export runs t.db out --as parquet")
    assert again.err == (
        "error: out/qid_block=00000: a block of runs already exists; remove it, or choose another folder\n"
    )


def test_a_block_without_judged_topics_is_checked(tmp_path: Path, qrels: str, cranfield: Cranfield) -> None:
    """As a run file is, whose topics nobody judged."""
    path = write(tmp_path / "runs", "z", [("a", "9", "d1", 1.0), ("a", "9", "d1", 2.0)])
    code, _, err = cranfield("evaluate", qrels, "runs")
    assert (code, err) == (1, f"error: {path}:2: duplicate document d1 of topic 9 in run a, first in row 1\n")
