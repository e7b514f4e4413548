"""The table of coverage: what is kept is whole and printed, and a little of it is drawn again."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from benchmarks import coverage
from benchmarks.coverage import KEPT, PAGE, Count, blocks, count_draws, failing, load, main, render, save
from benchmarks.designs.design import Design
from benchmarks.designs.table import MODULES, TABLE
from cranfield.cli.tree import CommandName, at_top
from tests.conftest import usually

ENDS = re.compile(r"""(?<![-\w])(\w*_)?low["']|["']from["'], ["']to["']""")  # of an interval, in JSON or code
SECTION = re.compile(r"^## (?P<command>[^\n]+)\n(?P<said>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def code(command: CommandName) -> str:
    """The function of a command, and what it uses of its own module."""
    function = command.load()
    tree = ast.parse(inspect.getsource(inspect.getmodule(function)))  # type: ignore[arg-type]
    parts = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    used, queue = set[str](), {function.__name__}
    while queue:
        used |= queue
        names = {node.id for name in queue for node in ast.walk(parts[name]) if isinstance(node, ast.Name)}
        queue = (names & parts.keys()) - used
    return "\n".join(ast.unparse(parts[name]) for name in used)


def with_intervals() -> set[str]:
    """The commands that print numbers with ends, as docs/json.md or their own code names them."""
    sections = SECTION.finditer((PAGE.parent / "json.md").read_text(encoding="utf-8"))
    names = {section["command"].partition(" --")[0] for section in sections if ENDS.search(section["said"])}
    commands = [place for top in at_top().values() for place in top.places if not place.below]
    return names | {" ".join(command.words) for command in commands if ENDS.search(code(command))}


def test_every_command_that_prints_an_interval_has_rows() -> None:
    """None is exempt, but what docs/verdict.md says is no interval."""
    page, names = PAGE.read_text(encoding="utf-8"), with_intervals()
    (none,) = re.findall(r"^Some numbers in pairs are no intervals.*?\n\n", page, re.MULTILINE | re.DOTALL)
    drawn_of = {row.command.partition(" --")[0] for row in TABLE.values()}
    assert {"agreement", "compare", "progress", "reusability", "model audit report"} <= names
    assert {command for command in names - drawn_of if f"`{command}`" not in none} == set()
    assert drawn_of - names == {"report"}  # whose intervals are in pictures and small print


def quickest() -> list[Design]:
    """A row of each command, of those that print an interval; one on real data where there is no other."""
    counts = load(KEPT)
    with_ends = [row for row in TABLE.values() if counts.get(row.name, Count(holding=1)).holding]
    rows = sorted(with_ends, key=lambda row: (row.needs is None, -counts.get(row.name, Count()).seconds / row.draws))
    return list({row.command: row for row in rows}.values())


def test_every_row_is_drawn_and_printed() -> None:
    """`python -m benchmarks.coverage` draws what is missing; `--again --only NAME` what has changed."""
    counts = load(KEPT)
    assert len(TABLE) == sum(len(getattr(module, "ROWS", ())) for module in MODULES)
    assert {name: count.draws for name, count in counts.items()} == {row.name: row.draws for row in TABLE.values()}
    assert PAGE.read_text(encoding="utf-8") == render(PAGE.read_text(encoding="utf-8"), counts)


def test_every_row_holds() -> None:
    """None is binomially below .94 at 1 %, after Holm."""
    assert failing(load(KEPT)) == []


@pytest.mark.parametrize("row", quickest(), ids=lambda row: row.name)
def test_what_is_kept_is_what_is_drawn(row: Design) -> None:
    """Some draws of one row a command: as likely as the kept ones, or an interval has changed since."""
    if row.lack:
        pytest.skip(row.lack)
    if usually(row.needs is not None, False):
        pytest.skip("takes long to read what it draws from; CRANFIELD_EVERY_RUN=1 runs it")
    before = load(KEPT)[row.name]
    number = usually(min(max(int(before.draws / before.seconds), 5), 50), 100)  # as many as take a second
    now = count_draws(row, 0, number)
    assert abs(now.holding / number - before.holding / before.draws) < 1.5 / number**0.5
    assert now.chance(row.nominal) > 1e-6


def test_an_interval_that_holds_too_seldom_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that happens to be a little below .94 does not; none printed is none that fails."""
    counts = {"bad": Count(2000, 1820), "luck": Count(2000, 1860), "good": Count(300, 285), "none": Count(300, 0, 300)}
    monkeypatch.setattr(coverage, "TABLE", {name: Design(name, "", lambda random: True) for name in counts})
    assert failing(counts) == ["bad"]


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
    assert "| `some` | coin | 95 % |" in page.read_text()
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
