"""docs/measure/migration.md is true: its commands and calls run, its names are known, its numbers agree."""

import math
import re
import shlex
from itertools import takewhile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from cranfield.errors import MeasureError
from cranfield.features.answers.measures import ANSWER_MEASURES
from cranfield.metrics import parse, shapes
from cranfield.metrics.evaluate import evaluate
from tests.conftest import ROOT, Cranfield
from tests.files import qrels_lines, run_lines
from tests.needed_features import EVERY_FEATURE

PAGE = (ROOT / "docs" / "measure" / "migration.md").read_text(encoding="utf-8")

NAN = float("nan")
QRELS = {"1": {"d1": 2, "d2": 0, "d3": 1, "d4": 1, "d5": 0}, "2": {"d1": 0, "d2": 1, "d6": 2}}
RUN = {
    "1": {"d2": 5.0, "d1": 4.0, "d9": 3.5, "d3": 3.0, "d5": 2.0},
    "2": {"d6": 3.0, "d7": 2.0, "d1": 1.5, "d2": 1.0},
}


def section(title: str) -> str:
    """What stands below a heading."""
    return re.split(r"^## ", PAGE, flags=re.MULTILINE)[[*re.findall(r"^## (.+)$", PAGE, re.MULTILINE)].index(title) + 1]


def rows(title: str) -> list[list[str]]:
    """The cells of a section's tables, without their headers."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    rules = [number for number, row in enumerate(cells) if set(row[0]) == {"-"} and len(row[0]) == 3]
    return [row for number, row in enumerate(cells) if number not in rules and number + 1 not in rules]


def code(cell: str) -> str:
    """What stands between backquotes."""
    return cell.strip("`") if cell.startswith("`") else ""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the page speaks of."""
    (tmp_path / "qrels.txt").write_text(qrels_lines(QRELS))
    for tag in ("a", "b"):
        (tmp_path / f"{tag}.run").write_text(run_lines(tag, RUN))
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMANDS = [code(row[1]) for row in rows("Commands")]
CALLS = [code(row[1]) for row in rows("Calls")]


def test_the_page_has_what_it_is_for() -> None:
    """No table was missed by its reading here."""
    assert (len(COMMANDS), len(CALLS), len(rows("Measures")), len(DIVERSE)) == (11, 9, 36, 9)
    assert all(COMMANDS)
    assert all(CALLS)


OTHERS = rows("Coming from ragas, DeepEval, GrowthBook or Quepid")


@EVERY_FEATURE
def test_what_takes_the_place_of_other_tools_is_there(cranfield: Cranfield) -> None:
    """Each measure, command and option that the table names; an option alone is of the command before it."""
    assert len(OTHERS) == 26
    for row in OTHERS:
        path = ["online", "ab"]
        for text in re.findall(r"`([^`]+)`", row[1]):
            words = shlex.split(text)
            if re.fullmatch(r"[A-Z]\w*(@\d+)?|nDCG.*", words[0]):
                assert words[0] in {measure.name for measure in ANSWER_MEASURES} or parse(text)
                continue
            path = [*takewhile(lambda word: not word.startswith("-"), words)] or path
            output = cranfield.out(*path, "--help", "all")
            assert [word for word in words if word.startswith("-") and word not in output] == [], text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(folder: Path, cranfield: Cranfield, command: str) -> None:
    """Each cranfield line of the page, as it stands there."""
    words = shlex.split(command)
    assert words[0] == "cranfield"
    result = cranfield(*words[1:])
    if result.code == 2 and "No such command" in result.err:
        pytest.skip(f"cranfield has no {words[1]} yet")
    assert (result.code, result.err) == (0, "")
    assert result.out or (folder / words[-1]).read_text()


def test_every_block_of_code_runs(folder: Path) -> None:
    """One after the other, as a reader would."""
    names: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.+?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 4
    for block in blocks:
        exec(block, names)


@pytest.mark.parametrize("call", CALLS)
def test_every_call_runs(folder: Path, call: str) -> None:
    import cranfield

    frame = pd.DataFrame([(q, d, s) for q, scores in RUN.items() for d, s in scores.items()])
    names = {
        "cranfield": cranfield,
        "run": RUN,
        "qrels": QRELS,
        "frame": frame.set_axis(["q_id", "doc_id", "score"], axis=1),
    }
    result = eval(call, names)
    assert len(getattr(result, "frame", result))


MEASURES = [(row[0], [code(cell) for cell in row[1:]]) for row in rows("Measures")]


@pytest.mark.parametrize(("what", "names"), MEASURES, ids=[names[-1] for _, names in MEASURES])
def test_every_name_of_a_row_is_one_measure(what: str, names: list[str]) -> None:
    """The last column is the name here, to the letter; the others mean the same measure."""
    *theirs, ours = names
    assert str(parse(ours)) == ours
    assert {parse(name) for name in theirs if name} == {parse(ours)}


DIVERSE = [[code(cell) for cell in row[1:]] for row in rows("Diversity measures")]


@pytest.mark.parametrize("names", DIVERSE, ids=[names[-1] for names in DIVERSE])
def test_every_name_of_a_measure_of_diversity(names: list[str]) -> None:
    """ndeval's, with the defaults, and ir_measures', as they are written there."""
    ndeval, theirs, ours = names
    assert str(parse(ours)) == ours
    assert parse(theirs) == parse(ours)
    assert parse(ndeval).name == parse(ours).name


TREC_EVAL = [names[0] for _, names in MEASURES if names[0]]
IR_MEASURES = [names[1] for _, names in MEASURES if names[1]]


@pytest.mark.parametrize("name", [name for name in TREC_EVAL if name not in ("11pt_avg", "iprec_at_recall_0.10")])
def test_numbers_are_pytrec_evals(name: str) -> None:
    """By topic; but where the page says that they differ."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="needs pytrec_eval, which is not here")
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, {name}).evaluate(RUN)
    scores = {qid: next(iter(values.values())) for qid, values in theirs.items()}
    ours = shapes.RelevanceEvaluator(QRELS, {name}).evaluate(RUN)
    assert {qid: values[name] for qid, values in ours.items()} == pytest.approx(scores)


@pytest.mark.parametrize("name", [name for name in IR_MEASURES if "RBP" not in name and "IPrec" not in name])
def test_numbers_are_those_of_ir_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Means; but where the page says that they differ, and RBP, for which it needs one package more."""
    monkeypatch.chdir(tmp_path)  # a part of it leaves a log where it is imported
    ir_measures = pytest.importorskip("ir_measures", reason="needs ir_measures, which is not here")
    measure = ir_measures.parse_measure(name)
    try:
        theirs = ir_measures.calc_aggregate([measure], QRELS, RUN)
    except (RuntimeError, ValueError) as error:
        pytest.skip(f"ir_measures cannot compute {name} here: {error}")
    assert shapes.calc_aggregate([measure], QRELS, RUN) == pytest.approx(theirs, abs=1e-5)
    assert evaluate(QRELS, RUN, name)["value"].tolist() == pytest.approx([*theirs.values()], abs=1e-5)


def test_what_is_said_to_differ_is_not_taken_for_the_same() -> None:
    """Each line on where numbers differ that no test elsewhere has."""
    left_out = evaluate(QRELS, {"1": RUN["1"]}, ["NumRel", "NumQ", "AP"])
    assert left_out["value"].tolist()[:2] == [5, 2]
    assert evaluate(QRELS, {"1": {"d1": 1.0, "d3": 1.0 + 1e-9}}, "RR(rel=2)", retrieved_topics_only=True)[
        "value"
    ].tolist() == [0.5]


@pytest.mark.parametrize(
    ("measure", "grade", "theirs", "ours"),
    [("RR@3", 0, 0.5, 1.0), ("Judged@1", 9, 0.0, 1.0), ("Judged@2", -1, 1.0, 0.5)],
)
def test_ir_measures_breaks_ties_upwards(measure: str, grade: int, theirs: float, ours: float) -> None:
    """Of two documents that are tied it takes the docno that sorts first, with some measures; -1 is a grade to it."""
    ir_measures = pytest.importorskip("ir_measures")
    run, qrels = {"1": {"a": 1.0, "b": 1.0}}, {"1": {"b": 1, "c": 0} | ({"a": grade} if grade < 9 else {})}
    asked = ir_measures.parse_measure(measure)
    assert ir_measures.calc_aggregate([asked], qrels, run)[asked] == theirs
    assert evaluate(qrels, run, measure)["value"].tolist() == [ours]


def test_accuracy_without_a_pair_is_undefined() -> None:
    """No relevant document retrieved, or nothing else: both are left out of the mean."""
    run = {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d6": 1.0}}
    assert evaluate(QRELS, run, "Accuracy", per_topic=True)["value"].tolist() == [1.0, pytest.approx(NAN, nan_ok=True)]
    assert evaluate(QRELS, run, "Accuracy")["value"].tolist() == [1.0]


def test_judged_needs_a_cutoff() -> None:
    with pytest.raises(MeasureError, match="Judged needs a cutoff"):
        evaluate(QRELS, RUN, "Judged")


def test_gdeval_calls_exponential_gains_ndcg() -> None:
    """d2 d1 d9 d3 of d1=2 d3=1 d4=1: by gdeval (3/log2(3) + 1/log2(5)) / (3 + 1/log2(3) + 1/2)."""
    theirs = (3 / math.log2(3) + 1 / math.log2(5)) / (3 + 1 / math.log2(3) + 1 / 2)
    run, qrels = {"1": RUN["1"]}, {"1": QRELS["1"]}
    assert evaluate(qrels, run, 'nDCG(gains="exp")@20')["value"].tolist() == [pytest.approx(theirs)]
    assert evaluate(qrels, run, "nDCG@20")["value"][0] < theirs - 0.02


@pytest.mark.parametrize(("name", "share"), [("INSQ", 1.00155), ("INSQ(T=5)", 1.00951), ("INST", 1.0007)])
def test_cwl_eval_ends_at_rank_1000(name: str, share: float) -> None:
    """The weights of 1000 ranks sum to 1 there, and give what the page says."""
    goal = float(parse(name).options["T"])  # type: ignore[arg-type]
    gains = [0.0, 1.0, 0.0, 0.5, *[0.0] * 996]
    weight, weights, missing = 1.0, [], goal
    for rank, gain in enumerate(gains, 1):
        weights.append(weight)
        missing -= gain if name == "INST" else 0
        at = rank + goal + missing
        weight *= ((at - 1) / at) ** 2
    theirs = sum(w * g for w, g in zip(weights, gains, strict=True)) / sum(weights)
    ours = evaluate({"1": QRELS["1"]}, {"1": RUN["1"]}, name)["value"][0]
    assert theirs / ours == pytest.approx(share, abs=5e-5)
