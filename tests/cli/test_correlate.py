"""`correlate`: score files and sources in, every coefficient out, one line for what is wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cranfield as library
from cranfield.errors import CranfieldWarning, InputError, MissingTopicWarning
from cranfield.formats.score_files import read_scores
from cranfield.metrics.correlation.coefficients import kendall_tau
from cranfield.metrics.correlation.correlate import CORRELATIONS
from cranfield.metrics.evaluate import evaluate
from tests.conftest import Cranfield, Result
from tests.files import track_files

GRADES = {"1": {"a": 1, "b": 1, "c": 0}, "2": {"a": 1, "d": 0}}
RANKINGS = {"w": "abc", "x": "acb", "y": "cab", "z": "cba"}

Correlate = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Score files and a source of four runs."""
    track_files(tmp_path, GRADES, {tag: {"1": ranking} for tag, ranking in RANKINGS.items()})
    scores = [
        ("p", "AP", 0.4),
        ("q", "AP", 0.3),
        ("r", "AP", 0.2),
        ("p", "P@10", 0.1),
        ("q", "P@10", 0.3),
        ("r", "P@10", 0.2),
    ]
    document = {"topics": 2, "scores": [dict(zip(("run", "measure", "value"), row, strict=True)) for row in scores]}
    (tmp_path / "a.json").write_text(json.dumps(document))
    (tmp_path / "b.csv").write_text("run,AP,nDCG@10\nr,0.3,0.1\nq,0.4,0.2\np,0.5,0.3\nother,0.9,0.9\n")
    (tmp_path / "c.tsv").write_text("run\tAP\nq\t0.5\nr\t0.5\np\t0.5\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, cranfield: Cranfield) -> Correlate:
    """The command, as a function of its arguments."""
    return lambda *arguments: cranfield("correlate", *arguments)


def comparisons(result: Result) -> list[dict[str, object]]:
    """What the JSON holds."""
    assert result.code == 0, result
    several = json.loads(result.out)["comparisons"]
    assert isinstance(several, list)
    return several


def test_measures_of_a_source(run: Correlate) -> None:
    """The first measure is the truth; every other is compared with it."""
    several = comparisons(
        run("qrels", *RANKINGS, "-m", "AP", "-m", "P@1", "-m", "RR", "--format", "json"),
    )
    assert [(one["truth"], one["estimate"], one["systems"]) for one in several] == [("AP", "P@1", 4), ("AP", "RR", 4)]
    average_precision = [1 / 2, (1 + 2 / 3) / 4, (1 / 2 + 2 / 3) / 4, (1 / 2 + 2 / 3) / 4]
    coefficients = several[0]["coefficients"]
    assert isinstance(coefficients, dict)
    assert list(coefficients) == [c.name for c in CORRELATIONS]
    assert coefficients["tau_b"] == pytest.approx(kendall_tau(average_precision, [0.5, 0.5, 0, 0]))


def test_the_table_says_what_is_compared_and_how_to_read_it(run: Correlate) -> None:
    result = run("qrels", *RANKINGS, "-m", "AP", "-m", "RR")
    lines = result.out.splitlines()
    assert lines[0] == "truth: AP; estimate: RR; 4 systems"
    assert lines[1].split() == ["coefficient", "value", "how", "to", "read", "it"]
    assert len(lines) == 2 + len(CORRELATIONS)
    assert all(c.reading in line for c, line in zip(CORRELATIONS, lines[2:], strict=True))


def test_two_files_by_the_measures_that_both_have(run: Correlate) -> None:
    """Runs are matched by name, whatever their order; what only one file has is left out, and that is said."""
    (one,) = comparisons(run("a.json", "b.csv", "--format", "json"))
    assert (one["truth"], one["estimate"]) == ("AP in a.json", "AP in b.csv")
    assert (one["systems"], one["left_out"], one["undefined"]) == (3, 1, None)
    coefficients = one["coefficients"]
    assert isinstance(coefficients, dict)
    assert coefficients["tau_b"] == pytest.approx(1)
    assert coefficients["max change"] == pytest.approx(0.1)
    assert "3 systems (1 more with scores on only one side)" in run("a.json", "b.csv").out


def test_a_measure_against_another_of_the_other_file(cranfield: Cranfield, folder: Path) -> None:
    """AP against AP over judged documents alone, each by its own file; names in any spelling, several in order."""
    Path("few").write_text("1 0 b 1\n1 0 c 0\n2 0 a 1\n")
    for measure, qrels, out in (("AP", "qrels", "full.json"), ("AP(judged_only=True)", "few", "few.json")):
        cranfield("evaluate", qrels, *RANKINGS, "-m", measure, "-m", "P@1", "--format", "json", "-o", out)
    pairs = ["-m", "map", "--as", "AP(judged_only=True)", "-m", "P@1", "--as", "P_1"]
    result = cranfield("correlate", "full.json", "few.json", *pairs, "--format", "json")
    first, second = json.loads(result.out)["comparisons"]
    assert (first["truth"], first["estimate"]) == ("AP in full.json", "AP(judged_only=True) in few.json")
    assert (second["truth"], second["estimate"]) == ("P@1 in full.json", "P@1 in few.json")
    full, few = (
        evaluate(qrels, [*RANKINGS], measure)["value"].tolist()
        for measure, qrels in (("AP", "qrels"), ("AP(judged_only=True)", "few"))
    )
    assert first["coefficients"]["tau_b"] == pytest.approx(kendall_tau(full, few))
    assert first["coefficients"]["max change"] == pytest.approx(max(abs(x - y) for x, y in zip(full, few, strict=True)))
    assert "cranfield correlate full.json" in " ".join(cranfield("correlate --help").out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.json", "b.csv", "-m", "AP", "-m", "P@10", "--as", "nDCG@10"], "got 1 measure, but -m names 2"),
        (["a.json", "b.csv", "--as", "nDCG@10"], "got 1 measure, but -m names 0"),
        (["a.json", "-m", "AP", "--as", "P@10"], "needs two score files"),
        (["qrels", "w", "x", "-m", "AP", "--as", "P@10"], "needs two score files"),
    ],
)
def test_as_is_for_each_measure_of_two_files(
    folder: Path, cranfield: Cranfield, arguments: list[str], message: str
) -> None:
    result = cranfield("correlate", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.replace("│", " ").split())


def test_measures_of_one_file(run: Correlate) -> None:
    """The first two by default; trec_eval's names do, too."""
    (one,) = comparisons(run("a.json", "--format", "json"))
    assert (one["truth"], one["estimate"]) == ("AP", "P@10")
    (other,) = comparisons(run("a.json", "-m", "P_10", "-m", "map", "--format", "json"))
    assert (other["truth"], other["estimate"]) == ("P@10", "AP")


def test_what_is_undefined_is_a_dash_and_a_reason(run: Correlate) -> None:
    result = run("a.json", "c.tsv", "-m", "AP")
    assert result.out.splitlines()[2].split()[:2] == ["tau_b", "-"]
    assert result.out.endswith("A dash means undefined: all systems tie in the estimate.\n")
    (one,) = comparisons(run("a.json", "c.tsv", "--format", "json"))
    coefficients = one["coefficients"]
    assert isinstance(coefficients, dict)
    assert coefficients["tau_b"] is None
    assert coefficients["RMSE"] is not None


def test_other_formats_say_which_comparison_a_row_is_of(run: Correlate) -> None:
    lines = run("a.json", "b.csv", "--format", "tsv").out.splitlines()
    assert lines[0].split("\t") == ["truth", "estimate", "systems", "coefficient", "value", "how to read it"]
    assert len(lines) == 1 + len(CORRELATIONS)
    assert run("a.json", "b.csv", "-o", "out").out == ""
    assert Path("out").read_text().startswith("truth")


ROW = '{"run_id": "p", "topic_id": "all", "measure": "AP", "value": "0.4"}\n'  # as autojudge-base 1.0.0 writes
WRONG = [
    (["a.json", "b.csv", "-m", "P@10"], {}, "b.csv: no scores by P@10 in this file; it contains scores by AP, nDCG@10"),
    (["a.json", "-m", "AP"], {}, "a.json: there is only one measure, AP; give a second one with -m"),
    (["a.json", "-m", "APP"], {}, "unknown measure 'APP'"),
    (["qrels", "w"], {"w": "1 Q0 a\n"}, "w:1: "),
    (
        ["a.json", "d.csv"],
        {"d.csv": "run,RR\np,1\n"},
        "d.csv: the files have no measure in common (AP, P@10; RR), so choose a measure from each with -m and --as",
    ),
    (["a.json", "d.csv"], {"d.csv": "run,AP\np,high\n"}, "d.csv:2: AP of p is 'high'; expected a number"),
    (["a.json", "d.csv"], {"d.csv": "run,AP\np\n"}, "d.csv:2: 1 columns; expected 2, as in the header"),
    (["a.json", "d.csv"], {"d.csv": "run,AP\np,1\np,1\n"}, "d.csv:3: run 'p' has two scores by AP"),
    (
        ["a.json", "d.csv"],
        {"d.csv": "run,query_id,AP\np,1,1\n"},
        "d.csv:1: the file contains scores by topic; expected means; write the file without",
    ),
    (["a.json", "nowhere"], {}, "nowhere: no such file"),
    (
        ["a.json", "d.jsonl"],
        {"d.jsonl": f'{ROW}{{"run_id": "q"}}\n'},
        "d.jsonl:2: the field topic_id is missing; expected a score row",
    ),
    (["a.json", "d.jsonl"], {"d.jsonl": ROW * 2}, "d.jsonl:2: run 'p' has two scores by AP"),
    (["a.json", "d.jsonl"], {"d.jsonl": f"{ROW}{{\n"}, "d.jsonl:2: not JSON: "),
    (["qrels", "b.csv"], {}, "qrels: not a score file of `cranfield evaluate`"),
    (["nowhere", "w"], {}, "nowhere: no such file"),
    (["nowhere", "w", "x"], {}, "nowhere: no such file"),
    (["a.json", "b.csv", "c.tsv"], {}, "c.tsv: expected at most two score files; this is the third"),
]


@pytest.mark.parametrize(("arguments", "files", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_line(
    run: Correlate, arguments: list[str], files: dict[str, str], message: str
) -> None:
    for name, content in files.items():
        Path(name).write_text(content)
    result = run(*arguments)
    assert (result.code, result.out, result.err.count("\n")) == (1, "", 1)
    assert result.err.startswith(f"error: {message}")


def test_an_undefined_score_is_read_back(run: Correlate) -> None:
    """evaluate writes null and an empty cell for NaN; then nothing is defined, and that is said."""
    Path("d.csv").write_text("run,AP\np,0.1\nq,\nr,0.2\n")
    (one,) = comparisons(run("a.json", "d.csv", "--format", "json"))
    assert one["undefined"] == "a score is undefined in the estimate"


def test_score_rows_of_autojudge_are_scores(tmp_path: Path) -> None:
    """Of a file by topic, the means; one line alone is a file as well."""
    path = tmp_path / "scores.jsonl"
    path.write_text(ROW)
    assert read_scores(path) == {"AP": {"p": 0.4}}
    path.write_text(f"\ufeff{ROW.replace('all', '1')}\n{ROW}")
    assert read_scores(path) == {"AP": {"p": 0.4}}


def test_blank_lines_and_blanks_around_names_are_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("\n  \n run,AP\n\na,0.5\n")
    assert read_scores(path) == {"AP": {"a": 0.5}}


def test_python_reads_files_stores_and_scores_as_the_command_does(run: Correlate) -> None:
    """Two files, one file, a view of qrels and runs, and a file with scores of a dict."""
    with pytest.warns(CranfieldWarning, match="omitted 1 system with scores on only one side: other"):
        files = library.correlate("a.json", "b.csv", "AP")
    assert files.to_json() == run("a.json", "b.csv", "-m", "AP", "--format", "json").out
    assert files.to_latex() == run("a.json", "b.csv", "-m", "AP", "--format", "latex").out
    assert files.notes == ("omitted 1 system with scores on only one side: other",)
    assert library.correlate("a.json").to_json() == run("a.json", "--format", "json").out
    view = library.open_collection("qrels", [*RANKINGS]).select()
    of_source = run("qrels", *RANKINGS, "-m", "AP", "-m", "P@1", "--format", "json").out
    with pytest.warns(MissingTopicWarning, match="4 of 4 runs did not answer all 2 judged topics"):
        assert library.correlate(view, measures=["AP", "P@1"]).to_json() == of_source
    mixed = library.correlate("c.tsv", {"p": 0.5, "q": 0.4, "r": 0.3})
    assert mixed.comparisons[0]["undefined"] == "all systems tie in the truth"


def test_python_refuses_what_scores_do_not_have(run: Correlate) -> None:
    with pytest.raises(InputError, match=r"a\.json: scores by 2 measures: AP, P@10; choose one with measures=NAME"):
        library.correlate("a.json", {"p": 0.5})
    with pytest.raises(InputError, match="measures applies only to score files"):
        library.correlate({"p": 0.5}, {"p": 0.5}, "AP")
    everything: Any = library.correlate
    with pytest.raises(InputError, match="topics needs a store or a View"):
        everything("a.json", "b.csv", topics="common")
    with pytest.raises(InputError, match="expected one for each"):
        library.correlate("a.json", "b.csv", "AP", estimate_measures=["AP", "RR"])
