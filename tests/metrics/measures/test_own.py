"""Measures of one's own: a registered function is a measure in every command and in Python, and fails in one line."""

import json
import re
import sys
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest

import cranfield as api
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import MeasureError
from cranfield.metrics import parse, register
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.measure import REGISTERED
from tests.conftest import ROOT, Cranfield
from tests.files import track_files
from tests.needed_extras import skip_without

PAGE = (ROOT / "docs" / "measure" / "own-measure.md").read_text(encoding="utf-8")
MINE, USE, TRY = re.findall(r"^```python\n(.+?)^```", PAGE, re.DOTALL | re.MULTILINE)
GRADES = {"1": {"a": 2, "c": 1}, "2": {"a": 1}, "3": {"c": 1}}
QRELS = {qid: {docno: of.get(docno, 0) for docno in "abcd"} for qid, of in GRADES.items()}
RUNS = {"x": "abcd", "y": "bacd", "z": "dcba", "w": "cdab"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> None:
    """A small collection and mine.py."""
    track_files(tmp_path, QRELS, {tag: dict.fromkeys("123", ranking) for tag, ranking in RUNS.items()})
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)


def wrote(text: str) -> None:
    """Another module in the folder."""
    Path("other.py").write_text("from cranfield.metrics import register\n" + text)


def test_a_module_and_a_file_give_the_measure(cranfield: Cranfield) -> None:
    """By the module here or by a path; the name is what was asked for, with its options."""
    names = ["mine:FirstTwo", "./mine.py:FirstTwo(rel=2)", "mine:Weighted(weight=0.25)@1", "mine:LastRank"]
    words = [word for name in names for word in ("-m", name)]
    document = json.loads(cranfield("evaluate", "qrels", "x", *words, "--format", "json").out)["scores"]
    assert [score["measure"] for score in document] == names
    assert [score["value"] for score in document] == pytest.approx([1 / 3, 1 / 6, (0.5 + 0.25) / 3, 7 / 3])


def test_what_the_page_says_runs(workshop: Path, cranfield: Cranfield) -> None:
    """The page's commands and Python, on the demo's store."""
    copyfile(workshop, "workshop.db")
    demo, *commands = re.findall(r"^    cranfield (.+)$", PAGE, re.MULTILINE)
    assert (demo, len(commands)) == ("demo", 5)
    for command in commands:
        words = re.findall(r'"[^"]*"|\S+', command.replace("runs/*", " ".join(map(str, Path().glob("runs/*")))))
        assert cranfield(*(word.strip('"') for word in words)).code == 0, command
    REGISTERED.clear()
    del sys.modules["mine"]
    exec(USE, {})
    REGISTERED.clear()
    names: dict[str, Any] = {"__name__": "test_mine"}
    exec(TRY, names)
    names["test_laws"]()


COMMANDS = {
    "evaluate": ["evaluate", "SOURCE"],
    "by topic": ["evaluate", "SOURCE", "--per-topic", "--plot", "p.svg"],
    "compare": ["compare", "SOURCE", "--plot", "p.svg"],
    "correlate": ["correlate", "SOURCE", "-m", "AP"],
    "reusability": ["reusability", "SOURCE", "--depth", "2"],
    "depths": ["depths", "SOURCE", "--all"],
    "stability": ["stability", "SOURCE"],
    "diagnose": ["diagnose", "SOURCE", "new"],
    "report": ["report", "SOURCE", "out.md", "--depth", "2"],
    "simulate": ["pool", "simulate", "SOURCE", "--method", "mtf", "--budgets", "2", "--workers", "2", "--depth", "2"],
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_takes_it(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    """On files; a worker process finds the module as well."""
    skip_without("plot")
    monkeypatch.setattr("cranfield.charts.style.figure_bytes", lambda *_: b"a figure")
    Path("new").write_text(Path("x").read_text().replace(" x\n", " new\n"))
    sources = {"SOURCE": ["qrels", *RUNS]}
    inputs = [part for word in words for part in sources.get(word, [word])]
    result = cranfield(*inputs, "-m", "mine:FirstTwo")
    assert result.code == 0, result.err
    text = Path("out.md").read_text() if "out.md" in words else result.out
    assert "mine:FirstTwo" in text or "simulate" in words


def test_the_scale_of_a_store_sets_rel(cranfield: Cranfield) -> None:
    cranfield("init", "t.db", "--name", "t", "--scale", "0=no,1=hardly,2=yes", "--min-relevant", "2")
    cranfield("import", "runs", "t.db", *RUNS)
    cranfield("import", "qrels", "t.db", "qrels")
    for words in (["evaluate", "t.db"], ["compare", "t.db"], ["reusability", "t.db", "--depth", "2"]):
        assert "mine:FirstTwo(rel=2)" in cranfield(*words, "-m", "mine:FirstTwo").out


def test_its_help_is_its_own(cranfield: Cranfield) -> None:
    assert cranfield("measures", "mine:FirstTwo").out == "Share of relevant documents among the first two.\n"
    text = " ".join(cranfield("measures", "--help", "all").out.split())
    assert 'cranfield.metrics.register("FirstTwo", first_two)' in text
    assert "the measure as mine:FirstTwo" in text


def test_in_python_it_is_a_name_or_the_measure() -> None:
    """By its name, by the measure, and by module; the same number, and the name round-trips."""

    def mine(r: Judged, rel: int = 1, depth: int = 2) -> Floats:
        return r.sum(r.relevant(rel, depth)) / depth

    measure = register("Mine", mine, at="depth")
    names: list[Any] = [measure, "Mine@1", "mine:FirstTwo", "P(judged_only=True)@2", "Mine(judged_only=True)"]
    table = api.evaluate("qrels", "x", measures=names).frame
    assert table["measure"].tolist() == [
        "Mine",
        "Mine@1",
        "mine:FirstTwo",
        "P(judged_only=True)@2",
        "Mine(judged_only=True)",
    ]
    values = table["value"].tolist()
    assert values[0] == values[2]
    assert values[3] == values[4]
    for name in ("Mine@1", "mine:FirstTwo(rel=2)", "mine:Weighted(weight=0.25)@1"):
        assert str(parse(str(parse(name)))) == name


def test_it_sees_what_was_judged_not_relevant() -> None:
    register("Bad", lambda r: r.sum(r.hits(r.grade == 0)))
    assert evaluate("qrels", "x", "Bad", per_topic=True)["value"].tolist() == [2, 3, 3]


def test_two_modules_may_use_one_name(cranfield: Cranfield) -> None:
    """Each is its own measure; the name alone is then not enough."""
    wrote('register("FirstTwo", lambda r: r.retrieved)')
    result = cranfield("evaluate", "qrels", "x", "-m", "mine:FirstTwo", "-m", "other:FirstTwo", "--format", "csv")
    assert result.out == "run,mine:FirstTwo,other:FirstTwo,Judged@10\nx,0.3333333333333333,4.0,1.0\n"
    with pytest.raises(MeasureError, match="several modules register FirstTwo: mine:FirstTwo, other:FirstTwo"):
        parse("FirstTwo")


def test_a_sum_over_topics() -> None:
    register("Hit", lambda r: r.sum(r.relevant()), aggregate="sum")
    assert evaluate("qrels", "x", ["Hit", "NumRelRet"])["value"].tolist() == [4, 4]


FAILS = {
    "register('Bad', lambda r: 1 / 0)": r"Bad failed: ZeroDivisionError: division by zero (FOLDER/other.py:2)",
    "register('Bad', lambda r: [1.0])": "Bad returned an array of shape (1,); expected one number per ranking, shape"
    " (3,)",
    "register('Bad', lambda r: ['high'] * 3)": "Bad failed: ValueError: could not convert string to float: 'high'",
    "register('Bad', lambda r: None)": "Bad returned an array of shape (); expected one number per ranking, shape (3,)",
    "register('Good', lambda r: r.retrieved)": "other registers no measure 'Bad'; registered: other:Good",
    "register('AP', lambda r: r.retrieved)": "other: the name AP is taken by AP; choose another",
    "register('P_10', lambda r: r.retrieved)": "other: the name P_10 is taken by P; choose another",
    "register('Bad one', lambda r: r)": "other: invalid measure name 'Bad one'; expected a letter, then letters",
    "register('Bad', lambda r, *more: r)": "other: Bad: *more cannot be an option of a measure",
    "register('Bad', lambda r, judged_only=1: r)": "other: Bad: judged_only=1 cannot be an option of a measure",
    "register('Bad', lambda r, depth: r)": "other: Bad: depth needs a default; only the option after @ may lack one",
    "register('Bad', lambda: 1)": "other: Bad: the function has no parameters; expected a first parameter for Judged",
    "register('Bad', lambda r, cutoff: r.retrieved)": "other:Bad needs a cutoff: other:Bad@k, where k is a whole",
    "import nowhere": "other cannot be loaded: ModuleNotFoundError: No module named 'nowhere' (FOLDER/other.py:2)",
    "raise SystemExit(3)": "other cannot be loaded: SystemExit: 3",
    "def broken(": "other cannot be loaded: SyntaxError: '(' was never closed (other.py, line 2)",
}


@pytest.mark.parametrize(("text", "message"), FAILS.items())
def test_what_fails_is_one_line(cranfield: Cranfield, tmp_path: Path, text: str, message: str) -> None:
    """Exit 1, nothing printed or written, where it is and what is wrong."""
    wrote(text)
    result = cranfield("evaluate", "qrels", "x", "-m", "other:Bad", "-o", "out.txt")
    assert (result.code, result.out, Path("out.txt").exists()) == (1, "", False)
    assert result.err.startswith("error: " + message.replace("FOLDER", str(tmp_path)))
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere:Bad", "there is no module 'nowhere', neither in "),
        ("mine.more:Bad", "there is no module 'mine.more'"),
        ("./nowhere.py:Bad", "./nowhere.py: no such file"),
        ("mine:FirstTwo@5", "mine:FirstTwo takes no cutoff"),
        ("mine:FirstTwo(depth=5)", "mine:FirstTwo has no option 'depth'; available: rel"),
        ("mine:FirstTwo(rel=-1)", "mine:FirstTwo: rel is -1; expected a number of at least 0"),
        (":FirstTwo", " cannot be loaded: ValueError: Empty module name"),
        ("mine:", "mine registers no measure ''"),
    ],
)
def test_a_wrong_name_is_one_line(cranfield: Cranfield, name: str, message: str) -> None:
    result = cranfield("evaluate", "qrels", "x", "-m", name)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"error: {message}")
    assert result.err.count("\n") == 1


def test_a_registered_name_can_be_changed_by_its_module() -> None:
    """As in a notebook, where a cell is run again."""
    for value in (1.0, 2.0):
        register("Same", lambda r, value=value: np.full(len(r.retrieved), value))
        assert evaluate("qrels", "x", "Same")["value"].tolist() == [value]


def test_a_report_has_no_interval_without_a_range() -> None:
    """A score above 1 would be cut at 1 by an assumed range."""
    measure = register("Count", lambda r: r.sum(r.relevant()))
    assert measure.range == (-np.inf, np.inf)
    assert register("Half", lambda r: r.sum(r.relevant(1, 2)) / 2, range=(0, 1)).range == (0, 1)


def test_a_score_outside_the_range_is_one_line() -> None:
    register("Count", lambda r: r.sum(r.relevant()), range=(0, 1))
    with pytest.raises(MeasureError, match="Count returned 2; expected scores in its range, 0 to 1"):
        evaluate(QRELS, {"x": {"1": {"a": 2.0, "c": 1.0}}}, ["Count"])
