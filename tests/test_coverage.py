"""The table of coverage: what is kept is whole and printed, and a little of it is drawn again."""

import ast
import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import coverage
from benchmarks.coverage import (
    FORECASTS,
    KEPT,
    PAGE,
    SUMMARY,
    AnyCount,
    Count,
    FalseAlarms,
    added,
    blocks,
    bound_counts,
    bound_table,
    count_draws,
    failing,
    load,
    main,
    render,
    render_summary,
    save,
    write_bounds,
)
from benchmarks.designs.design import Design, PValueDesign
from benchmarks.designs.table import MODULES, TABLE
from cranfield.cli.build import BuiltCommand
from cranfield.cli.tree import CommandName, commands_by_first_word
from cranfield.metrics.forecast.track_record import BOUND_RECORDS, BOUND_TESTS
from tests.conftest import usually

ENDS = re.compile(r"""(?<![-\w])(\w*_)?low["']|["']from["'], ["']to["']""")  # of an interval, in JSON or code
ROWS = re.compile(r"from (cranfield\.analysis\.\w+_rows) import (.*)")
SECTION = re.compile(r"^## (?P<command>[^\n]+)\n(?P<said>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def code(command: CommandName) -> str:
    """The function of a command and its renderer, with what they use of their own modules and modules of rows."""
    loaded = command.load()
    functions = [loaded.function, loaded.show] if isinstance(loaded, BuiltCommand) else [loaded]
    text = "\n".join(map(code_of, functions))
    rows = [
        getattr(import_module(module), name)
        for module, names in ROWS.findall(text)
        for name in re.findall(r"\w+", names)
    ]
    return "\n".join([text, *map(code_of, filter(callable, rows))])


def code_of(function: Callable[..., object]) -> str:
    """A function, and the functions and classes of its module that it uses."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(function)))  # type: ignore[arg-type]
    parts = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    used, queue = set[str](), {function.__name__} & parts.keys()
    while queue:
        used |= queue
        names = {node.id for name in queue for node in ast.walk(parts[name]) if isinstance(node, ast.Name)}
        queue = (names & parts.keys()) - used
    return "\n".join(ast.unparse(parts[name]) for name in used)


def with_intervals() -> set[str]:
    """The commands that print numbers with ends, as docs/reference/json.md or their own code names them."""
    sections = SECTION.finditer((PAGE.parents[1] / "reference" / "json.md").read_text(encoding="utf-8"))
    names = {section["command"].partition(" --")[0] for section in sections if ENDS.search(section["said"])}
    commands = [place for top in commands_by_first_word().values() for place in top.places if not place.members]
    return names | {" ".join(command.words) for command in commands if ENDS.search(code(command))}


@pytest.mark.full
def test_every_command_that_prints_an_interval_has_rows() -> None:
    """None is exempt, but the numbers that docs/reference/coverage.md says are not intervals."""
    page, names = PAGE.read_text(encoding="utf-8"), with_intervals()
    (none,) = re.findall(
        r"^Some commands print pairs of numbers that are not intervals.*?^Intervals of", page, re.MULTILINE | re.DOTALL
    )
    drawn_of = {row.command.partition(" --")[0] for row in TABLE.values() if isinstance(row, Design)}
    assert {"agreement", "compare", "progress", "reusability", "model audit report"} <= names
    shown_again = {"demo"}  # the tables of other commands
    assert {command for command in names - drawn_of - shown_again if f"`{command}`" not in none} == set()
    assert drawn_of - names == {"report"}  # whose intervals are in pictures and small print


P_VALUE = re.compile(r"""["']p(_corrected)?["']|\bp_value\(""")


@pytest.mark.full
def test_every_command_that_prints_a_p_value_has_rows() -> None:
    """Or shares its test with one that has; docs/reference/coverage.md says which."""
    sections = SECTION.finditer((PAGE.parents[1] / "reference" / "json.md").read_text(encoding="utf-8"))
    names = {section["command"].partition(" --")[0] for section in sections if P_VALUE.search(section["said"])}
    commands = [place for top in commands_by_first_word().values() for place in top.places if not place.members]
    names |= {" ".join(command.words) for command in commands if P_VALUE.search(code(command))}
    drawn_of = {row.command.partition(" --")[0] for row in TABLE.values() if isinstance(row, PValueDesign)}
    assert {"compare", "online ab", "online preference", "model audit report"} <= drawn_of
    assert names - drawn_of == set()
    assert drawn_of - names == {"report"}  # which marks runs, and prints no p


def quickest() -> list[Design | PValueDesign]:
    """A row of each command and kind, of those that print something; one on real data where there is no other."""
    counts = load(KEPT)
    seconds = {name: count.seconds for name, count in counts.items()}
    silent = {name for name, count in counts.items() if isinstance(count, Count) and not count.holding}
    silent |= {
        name for name, count in counts.items() if isinstance(count, FalseAlarms) and count.at_5 < count.draws / 50
    }
    printing = [row for name, row in TABLE.items() if name not in silent]
    rows = sorted(printing, key=lambda row: (row.needs is None, -seconds.get(row.name, 0.0) / row.draws))
    return list({(type(row), row.command): row for row in rows}.values())


def test_every_row_is_drawn_and_printed() -> None:
    """`python -m benchmarks.coverage` draws what is missing; `--again --only NAME` what has changed."""
    counts = load(KEPT)
    assert len(TABLE) == sum(len(getattr(module, kind, ())) for module in MODULES for kind in ("ROWS", "P_VALUES"))
    assert {name: count.draws for name, count in counts.items()} == {row.name: row.draws for row in TABLE.values()}
    assert PAGE.read_text(encoding="utf-8") == render(PAGE.read_text(encoding="utf-8"), counts)
    assert SUMMARY.read_text(encoding="utf-8") == render_summary(SUMMARY.read_text(encoding="utf-8"), counts)


def test_the_summary_has_a_row_for_each_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the worst design; one of few intervals, and a p value that is kept though it fails, do not count."""
    designs: list[Design | PValueDesign] = [
        Design("a", "good", lambda random: True), Design("a", "worse", lambda random: True),
        Design("a", "few", lambda random: True), Design("b --x", "one", lambda random: True),
        PValueDesign("a", "fair", lambda random: 1.0), PValueDesign("a", "bad", lambda random: 1.0, kept="why"),
    ]  # fmt: skip
    numbers: list[AnyCount] = [
        Count(2000, 1960), Count(2000, 1740, 200), Count(2000, 1, 1998), Count(100, 95), FalseAlarms(2000, 90, 10),
        FalseAlarms(2000, 900, 10),
    ]  # fmt: skip
    monkeypatch.setattr(coverage, "TABLE", {row.name: row for row in designs})
    counts = {row.name: count for row, count in zip(designs, numbers, strict=True)}
    page = render_summary("top\n<!-- coverage summary -->\nold\n<!-- /coverage summary -->\nend\n", counts)
    lines = page.splitlines()
    assert lines[4:6] == ["| `a` | 3 | 96.7% | 2 | 4.5% | 1 |", "| `b --x` | 1 | 95.0% |  |  |  |"]
    assert (lines[0], lines[-1]) == ("top", "end")
    assert render_summary("without marks", counts) == "without marks"


def test_every_row_holds() -> None:
    """None is binomially below .94 at 1%, after Holm, and no p is up to .05 in more than 6%, or .01 in 1.2%."""
    assert failing(load(KEPT)) == []


def test_a_row_that_is_kept_though_it_fails_fails() -> None:
    """And says why."""
    counts = load(KEPT)
    kept = {name for name, row in TABLE.items() if getattr(row, "kept", "")}
    assert set(failing(counts, with_kept=True)) <= kept
    assert {name for name in kept if "bootstrap test" in name or "a few topics decide" in name} == kept


@pytest.mark.daily
@pytest.mark.parametrize("row", quickest(), ids=lambda row: row.name)
def test_what_is_kept_is_what_is_drawn(row: Design | PValueDesign) -> None:
    """Some draws of one row a command: as likely as the kept ones, or an interval has changed since."""
    if row.lack:
        pytest.skip(row.lack)
    if usually(row.needs is not None, False):
        pytest.skip("takes long to read what it draws from; --daily runs it")
    before = load(KEPT)[row.name]
    number = usually(min(max(int(before.draws / before.seconds), 5), 50), 100)  # as many as take a second
    now = count_draws(row, 0, number)
    if isinstance(row, Design):
        assert isinstance(now, Count)
        assert now.chance(row.nominal) > 1e-6
    else:
        assert isinstance(now, FalseAlarms)
        assert now.chance > 1e-6
    assert abs(now[1] / number - before[1] / before.draws) < 1.5 / number**0.5


def test_an_interval_that_holds_too_seldom_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that happens to be a little below .94 does not; none printed is none that fails."""
    counts: dict[str, AnyCount] = {
        "bad": Count(2000, 1820),
        "luck": Count(2000, 1860),
        "good": Count(300, 285),
        "none": Count(300, 0, 300),
    }
    monkeypatch.setattr(coverage, "TABLE", {name: Design(name, "", lambda random: True) for name in counts})
    assert failing(counts) == ["bad"]


def test_a_p_value_that_is_too_often_small_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """At either level; one that happens to be a little above does not, nor one that is never printed."""
    counts: dict[str, AnyCount] = {
        "bad": FalseAlarms(2000, 170, 20), "rare": FalseAlarms(2000, 100, 50), "luck": FalseAlarms(2000, 125, 26),
        "none": FalseAlarms(300, 0, 0, 300), "kept": FalseAlarms(500, 150, 75),
    }  # fmt: skip
    rows = {name: PValueDesign(name, "", lambda random: 1.0, kept="why" * (name == "kept")) for name in counts}
    monkeypatch.setattr(coverage, "TABLE", rows)
    assert failing(counts) == ["bad", "rare"]
    assert failing(counts, with_kept=True) == ["bad", "rare", "kept"]


def test_false_alarms_are_counted_printed_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever blocks, with a table of their own."""
    row = PValueDesign("some", "coin", lambda random: float(random.random()) if random.random() < 0.9 else None, 200)
    monkeypatch.setattr(coverage, "TABLE", {row.name: row})
    path, page = tmp_path / "kept.json", tmp_path / "page.md"
    page.write_text("a\n<!-- coverage -->\n<!-- /coverage -->\n<!-- false alarms -->\n<!-- /false alarms -->\nz\n")
    save(path, {row.name: count_draws(row, 0, 90)})
    assert main(["--processes", "1"], path, page) == 0
    alarms = load(path)[row.name]
    assert isinstance(alarms, FalseAlarms)
    assert alarms[:4] == count_draws(row, 0, 200)[:4]
    assert 0 < alarms.at_1 <= alarms.at_5 < alarms.printed < 200
    assert "| `some` | coin |" in page.read_text().partition("<!-- false alarms -->")[2]
    with pytest.raises(TypeError, match="two of a kind"):
        added(Count(1), alarms)


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are the same draws wherever they begin, and what was drawn is not drawn again."""
    row = Design("some", "coin", lambda random: bool(random.random() < 0.99) if random.random() < 0.9 else None, 100)
    monkeypatch.setattr(coverage, "TABLE", {row.name: row})
    path, page = tmp_path / "kept.json", tmp_path / "page.md"
    page.write_text("before\n<!-- coverage -->\n<!-- /coverage -->\nafter\n")
    save(path, {row.name: count_draws(row, 0, 45), "a row that is no more": Count(9, 9)})
    assert main(["--processes", "1"], path, page) == 0
    assert load(path)[row.name][:3] == count_draws(row, 0, 100)[:3]
    assert list(load(path)) == [row.name]
    assert list(blocks(row, 100, 100)) == []
    assert "| `some` | coin | 95% |" in page.read_text()
    assert main(["--draws", "10", "--again", "--processes", "1"], path, page) == 0
    assert load(path)[row.name].draws == 100


def test_a_failing_row_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In its line, and by the exit code."""
    row = Design("some", "coin", lambda random: bool(random.random() < 0.5), 100)
    monkeypatch.setattr(coverage, "TABLE", {row.name: row})
    (page := tmp_path / "page.md").write_text("")
    assert main(["--processes", "1"], tmp_path / "kept.json", page) == 1
    assert capsys.readouterr().out.rstrip().endswith("FAILS")
    assert main(["--list"]) == 0
    assert capsys.readouterr().out == "some: coin\n"


def test_what_cannot_be_drawn_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the data are absent, and it is said; what was drawn elsewhere is kept."""
    row = Design("some", "coin", lambda random: True, 100, needs=tmp_path / "shared" / "data")
    monkeypatch.setattr(coverage, "TABLE", {row.name: row})
    path, page = tmp_path / "kept.json", tmp_path / "page.md"
    page.write_text("")
    assert main(["--processes", "1"], path, page) == 0
    assert capsys.readouterr().out == "some: coin: not drawn, as it needs ../shared/data, which is not here\n"
    save(path, {row.name: Count(100, 95)})
    assert main(["--processes", "1", "--again"], path, page) == 0
    assert load(path) == {row.name: Count(100, 95)}


def test_the_printed_record_of_bounds_is_that_of_the_table() -> None:
    """As is the table on the page of forecasts; `python -m benchmarks.coverage --only "next system"` writes both."""
    counts = load(KEPT)
    printed = {
        (measure, depth, test): pair
        for measure, by_depth in BOUND_RECORDS.items()
        for depth, pairs in by_depth.items()
        for test, pair in zip(BOUND_TESTS, pairs, strict=True)
    }
    assert printed == bound_counts(counts)
    assert len(printed) == 36
    assert f"<!-- bounds -->\n\n{bound_table(counts)}\n<!-- /bounds -->" in FORECASTS.read_text(encoding="utf-8")


def test_records_of_bounds_are_written_where_each_row_was_drawn(tmp_path: Path) -> None:
    """Into the module and the page, between their marks; not before all rows were drawn."""
    record, page = tmp_path / "record.py", tmp_path / "page.md"
    record.write_text("# <bounds>\nold\n# </bounds>\nend\n")
    page.write_text("<!-- bounds -->\n<!-- /bounds -->\nend\n")
    counts = {name: Count(40, 30, 8) for name in TABLE if name.startswith("reusability: bound of ")}
    first = next(iter(counts))
    write_bounds({name: count for name, count in counts.items() if name != first}, record, page)
    assert "old" in record.read_text()
    write_bounds(counts, record, page)
    assert "\n        20: ((32, 30), (32, 30), (32, 30), (32, 30)),\n" in record.read_text()
    assert page.read_text().count("| 32 | 0.938 |") == len(counts) == 36
    assert record.read_text().endswith("# </bounds>\nend\n")
