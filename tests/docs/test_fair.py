"""The outputs in docs/start/fair.md are those of the program; skipped without the data of ../shared/data."""

import gzip
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which

import pytest

from cranfield.metrics.forecast import forecaster
from tests.conftest import ROOT, Cranfield
from tests.docs.cacm import MAKE, run_line

PAGE = (ROOT / "docs/start/fair.md").read_text(encoding="utf-8")
STEP = re.compile(r"^    (\w[^\n]+)\n(?:\n```text\n(.*?)```)?", re.MULTILINE | re.DOTALL)


def steps(section: str) -> list[tuple[str, list[str]]]:
    """The commands of a section, and the lines of the output that follows."""
    [text] = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return [(command, [line for line in output.splitlines() if line]) for command, output in STEP.findall(text)]


def check_output(cranfield: Cranfield, command: str, expected: Sequence[str]) -> None:
    """The command prints these lines in this order, perhaps with others between them."""
    result = run_line(command, cranfield)
    assert result.code == 0, result.err
    printed = iter(result.out.splitlines())
    missing = [line for line in expected if line not in printed]
    assert not missing, f"{command} prints:\n{result.out}"


def test_the_reasons_are_those_of_the_forecast() -> None:
    """The page quotes the expected numbers."""
    for expected in (
        f"pooled runs; expected at least {forecaster.MIN_POOLED_RUNS} |",
        f" training pairs; expected at least {forecaster.MIN_PAIRS} |",
        f"relevant training pairs; expected at least {forecaster.MIN_RELEVANT} |",
        f"of any pooled run; expected at most {forecaster.MAX_UNEXPLAINED:.0%} |",
    ):
        assert expected in PAGE


@pytest.mark.full
def test_a_lexical_pool_and_a_semantic_run(cacm: Path, cranfield: Cranfield) -> None:
    """The forecast, the draw, the forecast with its labels, and the true scores."""
    (make, _), *commands = steps("A lexical pool and a semantic run")
    assert make == MAKE
    [rows] = re.findall(r"```text\n(order\t.*?)```", PAGE, re.DOTALL)
    for command, output in commands:
        check_output(cranfield, command, output)
        if "--draw 40" in command:
            assert Path("lsa.tsv").read_text().splitlines()[5:8] == rows.splitlines()
    [low] = re.findall(r"^AP +\S+ +(\S+) .* 40$", PAGE, re.MULTILINE)
    [true] = re.findall(r"^lsa +(\S+)", PAGE, re.MULTILINE)
    assert f"The true AP is {float(low) - float(true):.4f} below its interval" in PAGE


@pytest.mark.daily  # it trains 3,000 models; tests/features/collecting/test_new_run.py has small pools
def test_a_pool_of_active_learning(cacm: Path, cranfield: Cranfield) -> None:
    """The bounds without labels, and the interval from the labels of a draw."""
    for command, output in steps("A pool built by active learning"):
        check_output(cranfield, command, output)


@pytest.mark.full
def test_a_pool_of_many_unlike_teams(
    shared: Path, tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TREC-COVID, round 1: all runs except the new one are given, and the table of teams names the pooled runs."""
    folder = shared / "treccovid-r1"
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for path in (folder / "runs").iterdir():
        Path("runs", path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    Path("qrels-rnd1.txt").write_bytes(gzip.decompress((folder / "qrels-rnd1.txt.gz").read_bytes()))
    Path("leaderboard.csv").write_bytes((folder / "leaderboard.csv").read_bytes())
    if which("awk") is None:
        pytest.skip("needs awk")
    move, make_teams, (diagnose, output) = steps("A pool from many different teams")
    for command, _ in (move, make_teams):
        subprocess.run(command, shell=True, check=True)
    assert sorted(Path("teams.tsv").read_text().splitlines()) == sorted((folder / "teams.tsv").read_text().splitlines())
    check_output(cranfield, diagnose, output)
