"""What is read without Arrow is what is read with it, by every format, with and without the compiled scanner."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.arrays.join import Judgments
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import InputError
from cranfield.formats import each_run, read_qrels, read_runs
from cranfield.formats.arrow import TextVocabulary, json_list, parse_regular_table, text_array, unite_texts
from cranfield.formats.columns import UnreadTable
from cranfield.formats.layout import Layout
from cranfield.formats.qrels import TREC_LAYOUT as QRELS
from cranfield.formats.runs import SCANNER_SWITCH
from cranfield.formats.runs.files import TREC_LAYOUT as RUN
from cranfield.formats.runs_and_qrels import read_runs_of
from cranfield.formats.split_tables import split_table
from cranfield.formats.table import formats_of
from cranfield.formats.text_arrays import ARROW_SWITCH, encode_texts, text_array_of, uses_arrow
from tests.formats.test_files import same
from tests.hardening.samples import of_formats
from tests.texts import CHARACTER

pytestmark = pytest.mark.needs_extra("arrow")

NEEDS_ARROW = {"parquet", "ranx"}
TEXTS = st.lists(st.text(CHARACTER, max_size=9) | st.sampled_from(["", "d1", "d10", "d1\0", "d" * 300]))
ROWS = [row for kind in ("run", "qrels") for row in formats_of(kind) if row.place != "folder"]


@contextmanager
def switched(**variables: bool) -> Iterator[None]:
    """Arrow or the scanner are switched off meanwhile."""
    before = {name: os.environ.pop(name, None) for name in variables}
    os.environ.update({name: "1" for name, value in variables.items() if value})
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("without-arrow")


def rows_of(read: Runs | Qrels) -> list[object]:
    """All rows, their integers as names, in order."""
    columns = [read.topics.names[read.topic].tolist(), read.docnos.names[read.document].tolist()]
    if isinstance(read, Runs):
        return [read.tags, *columns, read.run.tolist(), read.score.tolist()]
    about = read.subtopics and [column.tolist() for column in read.subtopics]
    return [*columns, read.grade.tolist(), read.grade.dtype, read.sources.tolist(), read.stratum is None, about]


def judged_rows(judged: Judged) -> dict[str, Any]:
    values = {field.name: getattr(judged, field.name) for field in fields(judged) if field.compare}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}


def everything_read(kind: str, format_name: str, path: Path) -> list[object]:
    """What each way to read a file gives."""
    if kind == "qrels":
        return [rows_of(read_qrels(path, format=format_name, sorts_rows=is_sorted)) for is_sorted in (True, False)]
    return [rows_of(read_runs([path], format=format_name)), rows_of(read_runs_of([path], format_name, None)[0])]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.name not in NEEDS_ARROW], ids=lambda row: f"{row.kind} {row.name}"
)
def test_every_format_is_read_alike(row: Any, tmp_path: Path) -> None:
    for number, content in enumerate(of_formats()[row.kind, row.name]):
        path = tmp_path / f"sample{number}"
        path.write_bytes(content)
        results = []
        for variables in ({}, {SCANNER_SWITCH: True}):
            for arrow in (True, False):
                with switched(**{SCANNER_SWITCH: False, **variables, ARROW_SWITCH: not arrow}):
                    assert uses_arrow() == arrow
                    results.append(everything_read(row.kind, row.name, path))
        assert all(result == results[0] for result in results), path


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(0, 5)), min_size=1, unique_by=lambda row: row[:2]
    ),
    st.sampled_from(["{0} Q0 d{1} {3} {2} r\n", "{0}\tQ0\té{1}\t{3}\t{2}.5e-1\tr\r\n", " {0}  Q0 {0} {3} -{2} r \n\n"]),
    st.integers(1, 3),
)
def test_runs_are_judged_alike(folder: Path, rows: Sequence[tuple[int, int, int]], line: str, copies: int) -> None:
    """By the scanner, in blocks and as a table: ranks, ties, ids of topics, and the notes' counts."""
    if "d{1}" not in line and "é" not in line:
        rows = list({row[0]: row for row in rows}.values())
    run, qrels = folder / "run", folder / "qrels"
    run.write_text("".join(line.format(*row, rank) for rank, row in enumerate(rows, 1)), encoding="utf-8")
    qrels.write_text(
        "".join(f"{qid} 0 {name}{doc} 1\n" for qid in range(3) for doc in range(9) for name in ("d", "é")), "utf-8"
    )
    found: dict[tuple[bool, bool], list[Judged]] = {}
    for scanner, arrow in product((True, False), repeat=2):
        with switched(**{SCANNER_SWITCH: not scanner, ARROW_SWITCH: not arrow}):
            judgments = Judgments(read_qrels(qrels, sorts_rows=False))
            found[scanner, arrow] = [judgments.meet(each) for each in each_run([run] * copies, judgments)]
    for scanner in (True, False):
        assert [*map(judged_rows, found[scanner, True])] == [*map(judged_rows, found[scanner, False])]
        for first, second in zip(found[scanner, False], found[not scanner, False], strict=True):
            same(first, second)


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_texts_are_united_alike(several: list[list[str]]) -> None:
    """In the order they come; names are found, taken, sorted and written as those of Arrow."""
    results = []
    for arrow in (True, False):
        with switched(**{ARROW_SWITCH: not arrow}):
            names, codes = unite_texts([text_array(texts) for texts in several])
            every = np.arange(len(names.names))
            other = TextVocabulary(text_array([*reversed(names.names.tolist()), "new"]))
            results.append([
                names.names.tolist(), [code.tolist() for code in codes], names.codes_in(other).tolist(),
                other.codes_in(names).tolist(), names.sorted_codes(every).tolist(),
                names.names_at(every[::-1]).tolist(), names.equals(every, other, every).tolist(),
                json_list(names.names_at(every)),
            ])  # fmt: skip
    assert results[0] == results[1]
    assert results[0][0] == [*dict.fromkeys(text for texts in several for text in texts)]


@given(TEXTS, st.integers(0, 3))
def test_texts_are_numbered_by_first_use(texts: list[str], first: int) -> None:
    coded = encode_texts(text_array_of(texts)[first:])
    assert coded.tolist() == texts[first:]
    assert coded.dictionary.tolist() == [*dict.fromkeys(texts[first:])]


CELLS = st.text("1d.-+e_ \tié", max_size=4) | st.sampled_from(
    ["1", "0.5", "nan", "inf", "1e400", "1_0", "0x1", "é" * 200]
)


@given(st.lists(st.lists(CELLS, min_size=5, max_size=7), max_size=4), st.sampled_from([RUN, QRELS]), st.booleans())
@example([["1", "0", "d1", "1"], ["1", "0", "d1", "1"]], QRELS, False)
@example([["1", "0", "d1", "1_0", "1_0", "r"]], RUN, False)
@example([["1", "0", "d1\0", "1", "1\0", "r"]], RUN, False)
def test_a_table_is_split_exactly_or_left(rows: list[list[str]], layout: Layout, tabs: bool) -> None:
    """What is split is what the exact reading reads; what that refuses is left to it."""
    separator = "\t" if tabs else " "
    text = "".join(separator.join(row) + "\n" for row in rows).encode()
    table = UnreadTable("file", text, layout._replace(tabs=tabs))
    with switched(**{ARROW_SWITCH: True}):
        quick = parse_regular_table(table.body, table.layout)
        try:
            exact = table.exact()
        except InputError:
            assert quick is None
            return
    if quick is not None:
        assert [quick.qid.tolist(), quick.docno.tolist()] == [exact.qid.tolist(), exact.docno.tolist()]
        assert (quick.number.tolist(), quick.tag) == (exact.number.tolist(), exact.tag)
        assert repr(quick.rank) == repr(exact.rank)


def test_a_long_table_is_split_in_blocks() -> None:
    """Its blocks end with lines; an ordinary run never needs the exact reading."""
    lines = "".join(
        f"{row // 1000}\tQ0\tdoc-{row * 7919 % 100_003}\t{row % 1000}\t{1 / (row + 1)!r}\tr\n" for row in range(100_000)
    )
    kinds = {"qid": "coded", "docno": "text", "score": "score", "rank": "whole"}
    table = split_table(lines.encode() * 2, RUN.columns, kinds, b"\t")
    assert table is not None
    expected = [1 / (row + 1) for row in range(100_000)] * 2
    assert table["score"].tolist() == expected
    assert table["rank"].tolist() == [row % 1000 for row in range(100_000)] * 2
    assert table["docno"].tolist() == [f"doc-{row * 7919 % 100_003}" for row in range(100_000)] * 2
    assert table["qid"].dictionary.tolist() == [*map(str, range(100))]


def test_a_run_of_a_store_is_read_alike(tmp_path: Path) -> None:
    """Several files are united; docnos come in byte order."""
    paths = [tmp_path / f"{tag}.run" for tag in "ab"]
    for path in paths:
        path.write_text(
            "".join(f"{q} Q0 {path.stem}{d % 7}é {d} {d % 3} {path.stem}\n" for q in (2, 1) for d in range(7))
        )
    found = []
    for arrow in (True, False):
        with switched(**{ARROW_SWITCH: not arrow}):
            runs, origins = read_runs_of(paths, "auto", None)
            found.append([rows_of(runs), *origins])
    assert found[0] == found[1]


BLOCKED = """
import os, sys
if sys.argv[1] == "blocked":
    sys.modules["pyarrow"] = None
from cranfield.cli.program import main
for line in sys.stdin.read().splitlines():
    sys.argv[1:] = line.split()
    print("$", line, flush=True)
    try:
        main()
    except SystemExit as end:
        print("exit", end.code, flush=True)
"""
COMMANDS = """\
init track.db --name track --scale 0=no,1=yes
import corpus track.db corpus.jsonl
import topics track.db topics.tsv
import runs track.db a.run b.run c.run
import qrels track.db qrels
pool build track.db --method depth --depth 3
pool show track.db
evaluate track.db
compare track.db
reusability track.db --by run
export qrels track.db out.qrels
export runs track.db out
fuse track.db
evaluate qrels a.run b.run c.run
compare qrels a.run b.run c.run
evaluate qrels out/a.run
evaluate out.qrels out/b.run
reusability qrels a.run b.run c.run --by run
store verify track.db
"""


def outputs(folder: Path, blocked: str) -> str:
    """What the commands print in a folder of their own."""
    folder.mkdir()
    (folder / "corpus.jsonl").write_text("".join(f'{{"docno": "d{d}", "text": "text {d}"}}\n' for d in range(12)))
    (folder / "topics.tsv").write_text("1\tlift\n2\tdrag\n")
    (folder / "qrels").write_text("".join(f"{q} 0 d{d} {d % 2}\n" for q in (1, 2) for d in range(12)))
    for number, tag in enumerate("abc", 2):
        lines = (f"{q} Q0 d{(d * number + q) % 12} {d + 1} {9 - d} {tag}\n" for q in (1, 2) for d in range(4 + number))
        rows = {line.split()[0] + line.split()[2]: line for line in lines}
        (folder / f"{tag}.run").write_text("".join(rows.values()))
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, blocked],
        cwd=folder,
        input=COMMANDS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return re.sub(r"head \w+", "head ...", done.stdout + done.stderr)  # events have times


def test_commands_give_the_same_without_arrow(tmp_path: Path) -> None:
    without, with_arrow = (outputs(tmp_path / name, name) for name in ("blocked", "open"))
    assert "exit 1" not in without
    assert "exit 2" not in without
    assert without == with_arrow


REFUSED = """\
evaluate qrels.parquet a.run
import qrels track.db qrels.parquet
evaluate a.run b.run.zst
evaluate a.run c.lz4
export runs track.db written --as parquet
evaluate a.run parts
"""


def test_what_needs_arrow_ends_with_one_line(tmp_path: Path) -> None:
    """Before anything is written."""
    (tmp_path / "a.run").write_text("1 0 d1 1\n")
    (tmp_path / "ok.run").write_text("1 Q0 d1 1 1 ok\n")
    (tmp_path / "qrels.parquet").write_bytes(of_formats()["qrels", "parquet"][0])
    (tmp_path / "c.lz4").write_bytes(of_formats()["run", "ranx"][0])
    (tmp_path / "b.run.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    (tmp_path / "parts/qid_block=00000").mkdir(parents=True)
    (tmp_path / "parts/qid_block=00000/part-0.parquet").write_bytes(b"PAR1")
    commands = f"init track.db --name track --scale 0=no,1=yes\nimport runs track.db ok.run\n{REFUSED}"
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, "blocked"],
        cwd=tmp_path,
        input=commands,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("exit 1\n") == len(REFUSED.splitlines()), done.stdout + done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert [line.partition("needs ")[2] for line in errors] == ["pyarrow: pip install 'cranfield[arrow]'"] * len(errors)
    assert len(errors) == len(REFUSED.splitlines())
    assert not (tmp_path / "written").exists()
