"""`python -m benchmarks` on a few lines, and what it makes of results."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import PAGE, main
from benchmarks.calls import main as measure_calls
from benchmarks.calls import pytrec_eval
from benchmarks.figure import figure
from benchmarks.goals import GOALS, HUNDRED, LARGE, TWENTY
from benchmarks.goals import main as compare_with_goals
from benchmarks.growth import Growth
from benchmarks.house import main as measure_house
from benchmarks.outputs import HELP
from benchmarks.programs import measure_parallel, measure_service
from benchmarks.results import GROWTH, growth_of, load, rewrite
from benchmarks.rows import LEFT_OUT, ROWS
from benchmarks.timing import Timing
from benchmarks.unexplained import main as unexplained
from cranfield.charts.style import figure_bytes
from tests.conftest import ROOT

pytestmark = pytest.mark.full


def test_a_quick_row_is_measured_kept_and_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page, path = PAGE.read_text(), tmp_path / "results.json"
    main(["--quick", "--rounds", "1", "--peers", "--only", "20 runs", "--results", str(path)])
    assert capfd.readouterr().out.startswith("20 runs of 50 topics | 3x")
    (row,) = load(path).items()
    assert row[0] == "20 runs of 50 topics"
    assert list(row[1]) == ["cranfield"]
    assert PAGE.read_text() == page


def test_the_help_of_all_commands_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(HELP.replace("all_commands()", "all_commands()[:2]"), "HELP", "exec"), {})
    output = capsys.readouterr().out
    assert output.startswith("$ evaluate\nUsage: ")
    assert "\n$ compare\nUsage: " in output


def test_the_rows_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--list"])
    assert capsys.readouterr().out.splitlines() == [*ROWS, GROWTH]


def test_the_page_has_ratios_and_slopes() -> None:
    """A task that does a part counts for as many times its work as there are parts."""
    row = "leave one run out, 100 runs"
    results = {
        row: {"cranfield": [1.0, 1.0, 200.0, 0.5], "pytrec_eval": [9.0, 9.0, 90.0, 0.6]},
        GROWTH: {"runs": {"cranfield": [[10, [1.0, 1.0, 50.0, None]], [100, [10.0, 1.0, 50.0, None]]]}},
    }
    page = rewrite(PAGE.read_text(encoding="utf-8"), results)
    assert f"pytrec_eval {20 * 3 / LEFT_OUT:.3g} s of work, 90 MB: 40x" in page
    assert "runs: 10, 100" in page
    assert "1.00, 0.00" in page
    assert rewrite(page, results) == page


def test_the_figure_has_a_panel_for_each_size_and_number() -> None:
    points = [(10, Timing(1.0, 1.0, 50.0)), (100, Timing(2.0, 1.0, 60.0))]
    growth: Growth = {"runs": {"cranfield": points, "ranx": points}, "pool": {"cranfield": points, "ranx": points}}
    panels = figure(growth)
    assert len(panels.axes) == 4
    text = figure_bytes(panels, ".svg").decode()
    assert all(word in text for word in ("cranfield", "ranx", "pool depth", "peak memory, MB"))
    assert growth_of({GROWTH: growth}) == growth


@pytest.mark.daily  # the same code as `reusability`, on a share of the judgments
def test_unexplained_judgments_make_losses_seem_larger(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of TREC-COVID's first round, about as docs/explanation/verdict.md says."""
    folder = shared / "treccovid-r1"
    files = [folder / "qrels-rnd1.txt.gz", folder / "teams.tsv", *sorted((folder / "runs").iterdir())]
    unexplained([*map(str, files), "--given", "0.9", "0.4", "--draws", "2"])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[1:]]
    page = (PAGE.parent / "verdict.md").read_text(encoding="utf-8").replace(" times as much", "")
    for percent, *numbers in rows:
        (line,) = [line for line in page.splitlines() if line.startswith(f"| {percent} |")]
        share, *times = np.array([cell.rstrip(" %") for cell in numbers], float)
        page_share, *page_times = np.array([cell.rstrip(" %") for cell in line.strip("| ").split(" | ")[1:]], float)
        assert share == pytest.approx(page_share, abs=10)
        assert times == pytest.approx(page_times, abs=0.1)


def test_each_figure_is_printed_with_its_goal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of runs of a few lines, and without the peer, which the first line says."""
    monkeypatch.setattr("benchmarks.goals.SIZES", {False: {LARGE: 2, TWENTY: 1, HUNDRED: 10}})
    monkeypatch.setattr("benchmarks.goals.PEERS", {})
    compare_with_goals(["--rounds", "1"])
    first, size, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("pytrec_eval is not installed")
    assert size == "seconds of CPU, the least of 1; reduced size"
    assert [line.partition(" (")[0] for line in lines] == [*GOALS]
    for line, (name, goal) in zip(lines, GOALS.items(), strict=True):
        found = line.partition(" lines a run): ")[2]
        assert found.endswith(f"; goal at full size: {goal}")
        assert float(found.split()[0]) > 0
        assert ("is not installed" in found) == (name in (LARGE, TWENTY))


def test_calls_are_measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line has a shape, a tool and a number; ranx would compile."""
    monkeypatch.setattr("benchmarks.calls.PEERS", (pytrec_eval,) if find_spec("pytrec_eval") else ())
    measure_calls(rounds=1, loop=2)
    lines = [line.split(": ") for line in capsys.readouterr().out.splitlines() if not line.startswith("not")]
    assert len(lines) == (3 * 3 + 2 if find_spec("pytrec_eval") else 3 * 2 + 1)
    assert all(float(number.split()[1].replace(",", "")) >= 0 for _, number in lines)


@pytest.mark.daily
def test_programs_are_measured_and_give_right_answers(capsys: pytest.CaptureFixture[str]) -> None:
    """A service and joblib, on a few topics."""
    for package in ("fastapi", "joblib"):
        pytest.importorskip(package)
    measure_service(8, (3, 10))
    measure_parallel(2, (3, 10))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8 + 5
    assert all(line.endswith(", 0 wrong answers") for line in lines)


@pytest.mark.daily
def test_the_house_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """Each figure is a number and what it counts."""
    if not (ROOT / ".git").exists():
        pytest.skip("it measures what git has, and this is no checkout")
    measure_house()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 21
    assert all(float(line.split()[0].replace(",", "")) >= 0 for line in lines)
