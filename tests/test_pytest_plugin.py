"""The plugin of pytest, in a pytest of its own, and the page on it: its test, its workflow."""

import json
import os
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as Xml
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT, Cranfield
from tests.files import track_files
from tests.metrics.forecast.made_up import made_up, pool_of

pytestmark = pytest.mark.full

PAGE = (ROOT / "docs" / "measure" / "ci.md").read_text(encoding="utf-8")
PLUGIN = "cranfield.pytest_plugin"
SEARCH = """
def topics():
    return {"1": "wings", "2": "drag"}

def search(text):
    return {"d1": 2.0, "d2": 1.0}
"""
PAGE_TESTS = {"test_search_is_as_good_as_the_release", "test_search_has_not_fallen_beyond_doubt"}
TESTS = """
import pandas as pd
import pytest

QRELS = {str(q): {"d1": 1, "d2": 0} for q in range(12)}
GOOD = {str(q): {"d1": 2.0, "d2": 1.0} for q in range(12)}
POOR = {str(q): {"d1": 1.0, "d2": 2.0 if q else 0.5} for q in range(12)}

def test_passes(cranfield_compare):
    table = cranfield_compare(QRELS, GOOD, POOR, fail_if=["nDCG@10 < baseline", "significant-loss"])
    assert table["measure"].tolist() == ["nDCG@10"]

def test_fails(cranfield_compare):
    cranfield_compare(QRELS, POOR, GOOD)

def test_fails_twice(cranfield_compare):
    cranfield_compare(QRELS, POOR, GOOD, fail_if=["RR < baseline - 10%", "RR < 0.9"], measures=["AP", "RR"])

def test_says_what_is_wrong(cranfield_compare):
    cranfield_compare(QRELS, POOR, GOOD, fail_if="RR < 0.9", measures="AP")

def test_frames(cranfield_compare):
    rows = [(q, d, s) for q, by in GOOD.items() for d, s in by.items()]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    cranfield_compare(QRELS, frame, "perfect.run", fail_if="AP < baseline", correction="none", topics="common")

def test_warns_that_no_loss_can_be_found(cranfield_compare):
    with pytest.warns(UserWarning, match="significant-loss cannot occur here"):
        two = [{q: of[q] for q in "12"} for of in (QRELS, POOR, GOOD)]
        cranfield_compare(*two, test="permutation")
"""


UNJUDGED = """
import pytest

QRELS = {str(q): {"d1": 1, "d2": 0} for q in range(12)}
GOOD = {str(q): {"d1": 2.0, "d2": 1.0} for q in range(12)}
NEW = {str(q): {"new": 2.0, "d2": 1.0} for q in range(12)}
ASKED = {"fail_if": "P@1 < 0.5"}
pytestmark = pytest.mark.filterwarnings("ignore:1 of 1 difference is not decided")

def test_undecided_fails(cranfield_compare):
    cranfield_compare(QRELS, NEW, GOOD, **ASKED)

def test_undecided_skips(cranfield_compare):
    cranfield_compare(QRELS, NEW, GOOD, undecided="skip", **ASKED)

def test_undecided_passes(cranfield_compare):
    cranfield_compare(QRELS, NEW, GOOD, undecided="pass", **ASKED)

def test_says_what_undecided_can_be(cranfield_compare):
    cranfield_compare(QRELS, NEW, GOOD, undecided="maybe", **ASKED)

def test_takes_pooled_runs(cranfield_compare):
    with pytest.warns(UserWarning, match="training pair"):
        cranfield_compare(QRELS, NEW, GOOD, undecided="pass", pool_runs={"good": GOOD, "other": GOOD}, **ASKED)
"""


POOLED = """
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")
ASKED = {"fail_if": "P@10 < 0", "measures": "P@10"}
POOL = [f"r{number}" for number in range(6)]

def width(table):
    [row] = table.to_dict("records")
    return row["labellings"], row["forecast_high"] - row["forecast_low"]

def test_draws_of_the_command_line_are_taken(cranfield_compare):
    without = width(cranfield_compare("qrels", "r6", "r0", pool_runs=POOL, **ASKED))
    labelled = width(cranfield_compare("qrels", "r6", "r0", pool_runs=POOL, drawn="drawn.tsv", **ASKED))
    assert without[0] == labelled[0] == 500
    assert labelled[1] < without[1]

def test_a_store_has_its_pool(cranfield_compare):
    of_store = cranfield_compare("t.db", "r6", "r0", **ASKED)
    assert width(of_store) == width(cranfield_compare("qrels", "r6", "r0", pool_runs=POOL, **ASKED))
"""


def run_pytest(folder: Path) -> Mapping[str, str | None]:
    """What became of the tests in a folder: None, or why one failed."""
    plugins = ["no:cranfield", PLUGIN, "no:xdist", "no:cacheprovider"]  # once, of this checkout, installed or not
    options = [*(f"-p{name}" for name in plugins), "-W", "error", "--junitxml", "found.xml"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])}
    process = subprocess.run(
        [sys.executable, "-m", "pytest", *options], cwd=folder, check=False, capture_output=True, env=env
    )
    assert (folder / "found.xml").exists(), process.stderr.decode()
    cases = Xml.parse(folder / "found.xml").getroot().iter("testcase")
    outcomes = {
        str(case.get("name")): next(map(_message, [*case.iter("failure"), *case.iter("skipped")]), None)
        for case in cases
    }
    assert outcomes
    return outcomes


def _message(element: Xml.Element) -> str | None:
    return element.get("message")


def test_the_fixture_and_the_page(tmp_path: Path) -> None:
    """It passes, fails with a line for each condition, takes frames and files; the page's test has a search engine."""
    (tmp_path / "test_search.py").write_text(TESTS)
    (tmp_path / "perfect.run").write_text("".join(f"{q} Q0 d1 1 1 base\n" for q in range(12)))
    (tmp_path / "my_search.py").write_text(SEARCH)
    (tmp_path / "test_page.py").write_text(PAGE.split("```python\n")[1].split("```")[0])
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n1 0 d2 0\n2 0 d1 0\n2 0 d2 1\n")
    (tmp_path / "baseline.run").write_text("1 Q0 d1 1 1 base\n2 Q0 d1 1 1 base\n")
    outcomes = run_pytest(tmp_path)
    messages = {name: why for name, why in outcomes.items() if why}
    passes = {"test_passes", "test_frames", "test_warns_that_no_loss_can_be_found"}
    assert set(outcomes) - set(messages) == passes | PAGE_TESTS
    assert messages["test_fails"] == (
        "Failed: candidate: AP is 0.5417, significantly below 1.0000 of baseline (p 2.8e-07, paired t test);"
        " significant-loss"
    )
    assert messages["test_fails_twice"].splitlines() == [
        "Failed: candidate: RR is 0.5417, below 0.9000 (baseline 1.0000; difference -0.4583, interval -0.5500 to"
        " -0.3666); RR < baseline - 10%",
        "candidate: RR is 0.5417, below 0.9000; RR < 0.9",
    ]
    assert "RR is not one of the compared measures (AP); add it with measures" in messages["test_says_what_is_wrong"]


def test_the_tests_of_the_page_fail_with_the_interval(tmp_path: Path) -> None:
    """By a large loss both; by one on two topics, which has no interval, the first alone."""
    (tmp_path / "test_page.py").write_text(PAGE.split("```python\n")[1].split("```")[0])
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 d1 1\n{q} 0 d2 0\n" for q in range(12)))
    (tmp_path / "baseline.run").write_text("".join(f"{q} Q0 d1 1 1 base\n" for q in range(12)))
    found = {}
    for lost in (2, 11):
        code = "def topics():\n    return {str(q): q for q in range(12)}\n"
        code += f"def search(q):\n    return {{'d1': 1.0, 'd2': 2.0 if q < {lost} else 0.5}}\n"
        (tmp_path / "my_search.py").write_text(code)
        found[lost] = {name: (why or "").splitlines()[:1] for name, why in run_pytest(tmp_path).items()}
    first, second = sorted(PAGE_TESTS, reverse=True)
    assert found[2] == {
        first: ["Failed: candidate: nDCG@10 is 0.9385, below 0.9900 (baseline 1.0000); nDCG@10 < baseline - 0.01"],
        second: [],
    }
    assert "interval -0.4060 to -0.2706); nDCG@10 < baseline - 0.01" in found[11][first][0]
    assert "nDCG@10 fell by more than 0.01: interval -0.4060 to -0.2706" in found[11][second][0]


def test_unjudged_documents_leave_conditions_undecided(tmp_path: Path) -> None:
    """An undecided condition fails the test, skips it or passes, as it is asked; pooled runs are taken."""
    (tmp_path / "test_unjudged.py").write_text(UNJUDGED)
    outcomes = run_pytest(tmp_path)
    judged = "P@1 is 0.0000, below 0.5000 as judged; judging the unjudged documents may change the result (state"
    judged += " the pooled runs with pool_runs)"
    why = f"undecided: candidate: {judged}; P@1 < 0.5"
    why = f"undecided: candidate: {judged}; P@1 < 0.5"
    assert {name: outcomes[name] for name in [*outcomes][:3]} == {
        "test_undecided_fails": f"Failed: {why}", "test_undecided_skips": why, "test_undecided_passes": None,
    }  # fmt: skip
    assert "undecided is 'maybe'; expected fail, skip or pass" in str(outcomes["test_says_what_undecided_can_be"])
    assert outcomes["test_takes_pooled_runs"] is None


def test_draws_and_the_pool_of_a_store(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw is that of the candidate by its tag; the pool of a store that has the judgments fits the model."""
    monkeypatch.chdir(tmp_path)
    (runs, full), tags = made_up(7), [f"r{number}" for number in range(6)]
    track_files(tmp_path, pool_of({tag: runs[tag] for tag in tags}, full, 10), runs)
    docnos = sorted({docno for grades in full.values() for docno in grades})
    Path("corpus").write_text("".join(json.dumps({"docno": docno, "text": docno}) + "\n" for docno in docnos))
    Path("topics").write_text("".join(json.dumps({"qid": qid, "title": qid}) + "\n" for qid in full))
    cranfield.run(
        "init t.db --name t", "import corpus t.db corpus", "import topics t.db topics",
        f"import runs t.db {' '.join(tags)}", "pool build t.db --depth 10", "import qrels t.db qrels",
        f"diagnose qrels {' '.join(tags)} r6 --draw 20 draw.tsv",
    )  # fmt: skip
    lines = Path("draw.tsv").read_text().splitlines()
    labelled = [f"{line[:-1]}{full[line.split()[1]][line.split()[2]]}" for line in lines[6:]]
    Path("drawn.tsv").write_text("\n".join([*lines[:6], *labelled]) + "\n")
    Path("test_pooled.py").write_text(POOLED)
    assert {*run_pytest(tmp_path).values()} == {None}


def test_loading_it_imports_nothing_heavy() -> None:
    """Only itself, the package's own few lines, and pytest, which is there."""
    code = f"import pytest, sys; was = {{*sys.modules}}; import {PLUGIN}; print(*sorted({{*sys.modules}} - was))"
    modules = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert {name for name in modules.split() if name.startswith("cranfield")} == {"cranfield", "cranfield.lazy", PLUGIN}
    assert not {"numpy", "pandas", "scipy", "typer", "sqlite3"} & {*modules.split()}


def test_it_is_registered_and_not_loaded_here(request: pytest.FixtureRequest) -> None:
    """pytest finds it by its entry point; in these tests it stays out, or the installed package would be tested."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"cranfield": PLUGIN}
    assert callable(import_module(PLUGIN).cranfield_compare)
    assert request.config.pluginmanager.is_blocked("cranfield")
    assert not request.config.pluginmanager.has_plugin("cranfield")


def test_the_workflow_runs_the_command_of_the_page() -> None:
    """It is a workflow of known actions, and tests/docs runs its gate."""
    workflow = yaml.safe_load(PAGE.split("```yaml\n")[1].split("```")[0])
    (job,) = workflow["jobs"].values()
    (step,) = [step["run"] for step in job["steps"] if "cranfield compare" in step.get("run", "")]
    assert f"    {' '.join(step.split())}\n" in PAGE
    uses = [step["uses"] for step in job["steps"] if "uses" in step]
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", name) for name in uses)
