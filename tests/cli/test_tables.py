"""Tables on a terminal and in a pipe: no number and no tag is broken, whatever the command; colours are extra."""

import io
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cranfield.cli import tables
from cranfield.cli.tables import BAD, GOOD, STYLES, UNSURE, Display, TableFormat, output_table, print_note, say
from cranfield.formats.text_tables import FittedTable, align_columns, fit_table, format_cell, table_lines
from tests.conftest import Cranfield
from tests.stores import new_file

Capture = pytest.CaptureFixture[str]
COMMANDS = (
    "info S", "evaluate S", "evaluate S --per-topic -m AP",
    "evaluate S -m AP,P@5,P@10,P@20,R@5,R@10,RR,nDCG,nDCG@5,Rprec",
    "compare S", "compare S --baseline lsa -m AP,P@10", "correlate S", "curve S", "curve S --points raw",
    "measures", "reusability S -m AP", "reusability S --by team -m AP", "depths S", "stability S",
    "diagnose S lsa -m AP,P@10", "pool show S", "pool show S --by team", "pool show S --by pair", "pool methods",
    "pool methods maxmean", "pool verify S", "pool forecast S", "pool simulate S --method rrf --budgets 9 --workers 1",
    "search --list", "store history S", "collection list", "agreement S", "progress S --show work", "why S W01 bw-002",
    "rehearse S --repeats 1 -m AP", "diff S first second",
)  # fmt: skip
CODES = re.compile(r"\x1b\[[0-9;]*m")
PROGRESS = re.compile(r"\x1b\[\?25l.*?\x1b\[\?25h(\r|\x1b\[1A|\x1b\[2K)*", re.DOTALL)  # a bar, until it is wiped away
NUMBER = re.compile(r"[-+<]?\d*\.?\d+[%*]?")
ON_WHITE_AND_BLACK = 3.8  # contrast to either; 4.58 is the most that both can have


def body(table: FittedTable) -> Iterator[str]:
    """The words of a table below its head."""
    numbers: list[int] = []

    def paint(row: int, head: str, text: str) -> str:
        numbers.append(row)
        return text

    for line in table_lines(table, paint):
        if numbers and numbers[-1] >= 0:
            yield from line.split()


@pytest.mark.full
@pytest.mark.parametrize("command", COMMANDS)
def test_no_number_and_no_tag_is_broken(
    monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, workshop: Path, command: str
) -> None:
    """Below the head, each word of the narrow table is one of the wide table, or a number rounded to 3 decimals."""
    printed: list[tuple[Any, Any]] = []

    def note(rows: Any, title: str, display: Display, raw: Any, columns: int) -> None:
        printed.append((rows, display.spare and [display.heads.get(name, name) for name in display.spare]))

    monkeypatch.setattr(tables, "_print_fitted", note)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    result = cranfield(*(str(workshop) if word == "S" else word for word in command.split()))
    assert (result.code, bool(printed)) == (0, True), result
    for rows, spare in printed:
        wide = {*body(fit_table(rows, 10_000, spare))}
        wide |= {f"{value:.3f}" for row in rows for value in row.values() if isinstance(value, float)}
        for room in (80, 60):
            table = fit_table(rows, room, spare)
            words = {*body(table)} if room == 80 else {word for word in body(table) if NUMBER.fullmatch(word)}
            assert words <= wide, room
            assert all(len(line) <= room for line in table_lines(table, lambda row, head, text: text)), room


def draw(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, columns: int, rows: Any, *, wide: bool = False, **more: Any
) -> str:
    """A table on a terminal of so many columns."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    output_table(rows, TableFormat.table, display=Display(**more), wide=wide)
    return capsys.readouterr().out


def test_columns_give_way_in_order(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Heads are stacked, numbers rounded, columns left out; a line says so; tags are broken last; --wide shows all."""
    rows = [{"run": "a-long-tag", "AP": 0.25, "P@10": 0.5, "unique relevant": 3}]
    assert draw(monkeypatch, capsys, 36, rows).splitlines() == [
        "                              unique",
        "run             AP    P@10  relevant",
        "a-long-tag  0.2500  0.5000         3",
    ]
    assert draw(monkeypatch, capsys, 34, rows).splitlines()[2:] == [
        "a-long-tag  0.250  0.500         3", "Rounded to fit the width. --wide", "shows all.",
    ]  # fmt: skip
    assert draw(monkeypatch, capsys, 26, rows).splitlines()[1:] == [
        "a-long-tag  0.2500  0.5000", "Left out to fit the width:", "unique relevant. --wide", "shows all.",
    ]  # fmt: skip
    assert "a-long-tag  0.2500         3" in draw(monkeypatch, capsys, 28, rows, spare=["P@10"])
    assert draw(monkeypatch, capsys, 14, rows).splitlines()[1:3] == ["a-long-  0.250", "tag"]
    wide = draw(monkeypatch, capsys, 14, rows, wide=True)
    assert wide.splitlines()[1] == "a-long-tag  0.2500  0.5000                3"


def test_a_file_has_all_columns(
    monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, workshop: Path, tmp_path: Path
) -> None:
    """Whatever the terminal; and no escape code."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    cranfield("evaluate", workshop, "-o", tmp_path / "narrow")
    monkeypatch.undo()
    whole = cranfield("evaluate", workshop).out
    assert (tmp_path / "narrow").read_text() == whole


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, None], ids=["NO_COLOR", "dumb", "pipe"])
def test_colours_are_extra(
    monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, workshop: Path, plain: dict[str, str] | None
) -> None:
    """Without them the words are the same, and there is no escape code but those of a progress bar."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for arguments in (["evaluate", workshop], ["diagnose", workshop, "lsa"], ["evaluate", "no.db"], ["--help"]):
        with monkeypatch.context() as context:
            for stream in ("stdout", "stderr") if plain else ():
                context.setattr(f"sys.{stream}.isatty", lambda: True)
            for name, value in (plain or {}).items():
                context.setenv(name, value)
            bare = cranfield(*arguments)
        bare_words = [PROGRESS.sub("", text) for text in (bare.out, bare.err)]
        assert "\x1b" not in "".join(bare_words)
        if plain:
            for stream in ("stdout", "stderr"):
                monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
            with_colours = cranfield(*arguments)
            assert "\x1b[" in with_colours.out + with_colours.err
            words = [CODES.sub("", PROGRESS.sub("", text)) for text in (with_colours.out, with_colours.err)]
            assert words == bare_words


def test_colours_are_read_on_black_and_on_white() -> None:
    """They are of the 216 of the cube, each with enough contrast to both."""
    for meaning in (GOOD, UNSURE, BAD):
        number = STYLES[meaning]["fg"] - 16
        levels = [(0, 95, 135, 175, 215, 255)[number // 6**place % 6] / 255 for place in (2, 1, 0)]
        linear = [((level + 0.055) / 1.055) ** 2.4 for level in levels]
        light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert min((light + 0.05) / 0.05, 1.05 / (light + 0.05)) >= ON_WHITE_AND_BLACK, meaning


def test_notes_are_wrapped_at_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal; in a pipe a note is a line."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    whole, lines = "note: a run without any documents\n", "note: a run without\nany documents\n"
    for terminal, text in ((False, whole), (True, lines)):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setattr("sys.stderr", stream)
        tables.print_note("a run without any documents")
        assert stream.getvalue() == text


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("a.csv", "method,kind,"), ("a.CSV", "method,kind,"), ("a.tsv", "method\tkind\t"), ("a.json", "[\n"),
        ("a.md", "| method"), ("a.tex", "\\begin{tabular}"), ("a.txt", "method  "), ("a", "method  "),
        ("a.log", "method  "),
    ],
)  # fmt: skip
def test_the_name_of_a_file_says_the_format(cranfield: Cranfield, tmp_path: Path, name: str, begin: str) -> None:
    """A table is for people; a format that is given goes before."""
    for words in ((), ("--format", "json")):
        cranfield("pool", "methods", *words, "-o", tmp_path / name)
        assert (tmp_path / name).read_text().startswith("[\n" if words else begin)


@pytest.mark.parametrize("name", ["s.xlsx", "s.html", "s.parquet", "s.csv.gz", "s.run"])
def test_the_name_of_a_file_in_no_format_of_tables_is_refused(cranfield: Cranfield, tmp_path: Path, name: str) -> None:
    """A table in plain text under such a name would be a surprise; with --format any name is right."""
    refused = cranfield("pool", "methods", "-o", tmp_path / name)
    expected = f"ends in {Path(name).suffix}; expected .json, .csv, .tsv, .md, .tex, or .txt for a table"
    assert (refused.code, expected in refused.err, (tmp_path / name).exists()) == (2, True, False)
    cranfield.out("pool", "methods", "--format", "csv", "-o", tmp_path / name)
    assert (tmp_path / name).read_text().startswith("method,kind,")


def test_a_name_of_no_known_format_has_a_table_and_a_note(cranfield: Cranfield, tmp_path: Path) -> None:
    out = tmp_path / "s.zzz"
    done = cranfield("pool", "methods", "-o", out)
    line = f"note: {out}: written as a table, because no known format ends in .zzz; --format names another\n"
    assert (done.code, done.err, out.read_text()[:8]) == (0, line, "method  ")
    assert cranfield("pool", "methods", "-o", out, "--format", "csv").err == ""


@pytest.mark.parametrize(("short", "name"), [("md", "markdown"), ("tex", "latex"), ("JSON", "json")])
def test_short_names_of_formats(cranfield: Cranfield, short: str, name: str) -> None:
    """What people call a format by the end of its files is the same format."""
    assert cranfield.out("pool", "methods", "--format", short) == cranfield.out("pool", "methods", "--format", name)


def test_a_table_without_rows_is_written(cranfield: Cranfield, tmp_path: Path) -> None:
    """CSV and TSV have the names of the columns, a table has its title."""
    store = new_file(tmp_path / "t.db", topics=["q1"])
    head = ["set", "version", "topics", "made", "from", "members"]
    for name, expected in (
        ("e.csv", ",".join(head)),
        ("e.tsv", "\t".join(head)),
        ("e.txt", "The store has no topic sets."),
    ):
        cranfield.out("topics", "list", store, "-o", tmp_path / name)
        assert (tmp_path / name).read_text().startswith(expected)
    assert cranfield.out("topics", "list", store).startswith("The store has no topic sets.")
    assert cranfield.out("store", "releases", store, "--format", "csv").startswith("release,")


def test_measures_in_a_list(cranfield: Cranfield, workshop: Path) -> None:
    """As if each had its own -m; commas within a measure's options are its own."""
    several = ("AP", "P@10", 'nDCG(gains="0=1,2=4")@10')
    apart = cranfield("evaluate", workshop, *(word for name in several for word in ("-m", name)), "--format", "json")
    assert cranfield("evaluate", workshop, "-m", ",".join(several), "--format", "json").out == apart.out
    assert cranfield("evaluate", workshop, "-m", "AP,").err.startswith("error: unknown measure 'AP,'")


VALUES: list[Any] = ["", "bm25", "日本語", "é", "e\u0301x", "two words", 1, 0.5, -12.25, float("nan"), None, True]
NAMES = ["run", "AP", "nDCG@10", "記号"]


def in_pipe(rows: list[dict[str, Any]]) -> str:
    """The table as the terminal library draws it, without any width to keep."""
    table = Table(box=None, pad_edge=False)
    for name in rows[0]:
        number = any(isinstance(row[name], int | float) and not isinstance(row[name], bool) for row in rows)
        table.add_column(Text(name), justify="right" if number else "left")
    for row in rows:
        table.add_row(*(Text(format_cell(row[name])) for name in rows[0]))
    stream = io.StringIO()
    Console(file=stream, width=10_000, highlight=False).print(table)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


@given(columns=st.lists(st.sampled_from(NAMES), min_size=1, unique=True), data=st.data())
def test_columns_are_aligned(columns: list[str], data: st.DataObject) -> None:
    """Wide and combining characters, numbers, what is undefined."""
    row = st.fixed_dictionaries({name: st.sampled_from(VALUES) for name in columns})
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    assert align_columns(rows, "") == in_pipe(rows)


@pytest.mark.parametrize("text", ["two\nlines", "two\r\nlines", "two\u2028lines"])
def test_a_row_is_a_line(text: str) -> None:
    """A line end inside a cell ends no line; the title stands above, whole."""
    assert align_columns([{"run": text}], "a title wider than it") == "a title wider than it\nrun\ntwo lines\n"


def test_prose_is_broken_between_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """In a pipe a sentence is a line; on a terminal no word is cut."""
    sentence = "a run is left out of the pool with all that only it brought"
    say(f"{sentence}\n\nnext")
    assert capsys.readouterr().out == f"{sentence}\n\nnext\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    say(f"{sentence}\n\nnext")
    assert capsys.readouterr().out == "a run is left out of\nthe pool with all\nthat only it brought\n\nnext\n"


@pytest.mark.parametrize(
    ("form", "head"), [("table", "unique\n"), ("markdown", "| unique |"), ("csv", "alone"), ("json", '"alone"')]
)
def test_heads_are_for_people(capsys: pytest.CaptureFixture[str], form: str, head: str) -> None:
    """In what programs read a column keeps its name."""
    output_table([{"alone": 5}], TableFormat(form), display=Display({"alone": "unique"}))
    assert head in capsys.readouterr().out


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize(
    "quoted", ["`cranfield pool show track.db`", "'nDCG@10 < baseline - 0.01'", '"AP(rel=2) of all"']
)
def test_commands_and_quoted_texts_stay_on_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int, quoted: str
) -> None:
    """So that they can be copied; an apostrophe quotes nothing, and what no line can hold is broken."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for before in range(40):
        print_note(f"{'x' * before} the topics' text isn't here, expected {quoted}, for example; and the runs' tags")
        lines = capsys.readouterr().err.splitlines()
        assert any(quoted in line for line in lines), lines
        assert max(map(len, lines)) <= columns
    print_note(f"'{'word ' * 60}'")
    assert max(map(len, capsys.readouterr().err.splitlines())) <= columns


def test_a_measure_fills_the_width(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its paragraphs are wrapped once: a line ends where the next word does not fit."""
    monkeypatch.setenv("COLUMNS", "72")
    piped = cranfield.out("measures AP")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    shown = cranfield.out("measures AP")
    assert shown.split() == piped.split()
    for line, following in pairwise(shown.splitlines()):
        assert len(line) <= 72
        assert not (line and following) or len(f"{line} {following.split()[0]}") > 72
