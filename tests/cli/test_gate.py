"""`compare --fail-if`: conditions, their checks against a loop by hand, exit status, lines and JUnit XML."""

import json
import xml.etree.ElementTree as Xml
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest

from cranfield.analysis.gate import SIGNS, ConditionResult, checks, condition, conditions, failures
from cranfield.errors import CranfieldError
from cranfield.formats.text_tables import Case, as_junit
from cranfield.metrics.significance.compare import compare
from tests.conftest import Cranfield

QRELS = "".join(f"{q} 0 d{n} {int(n < 2)}\n" for q in range(12) for n in range(6))
GATE = ["compare", "qrels", "base", "same", "worse", "--baseline", "base"]


def run_of(tag: str, first: Iterable[int]) -> str:
    """A run of twelve topics; these documents come first."""
    order = [*first, *(n for n in range(6) if n not in first)]
    return "".join(f"{q} Q0 d{n} {r} {9 - r} {tag}\n" for q in range(12) for r, n in enumerate(order, 1))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments, a baseline, a run that is the same and one that is worse on all topics but one."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "base").write_text(run_of("base", [0, 1]))
    (tmp_path / "same").write_text(run_of("same", [0, 1]))
    worse = run_of("worse", [2, 0, 1]).splitlines(keepends=True)
    (tmp_path / "worse").write_text("".join([*run_of("worse", [0, 1]).splitlines(keepends=True)[:6], *worse[6:]]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores() -> pd.DataFrame:
    """Two runs and a baseline by two measures; the means of AP are 0.30, 0.31 and, undefined, none."""
    rows = [
        (run, str(topic), measure, value + (0.1 if topic % 2 else -0.1))
        for run, by in {"a": (0.3, 0.5), "b": (0.31, 0.4)}.items()
        for measure, value in zip(("AP", "P@5"), by, strict=True)
        for topic in range(10)
    ] + [("c", str(topic), "P@5", 0.4) for topic in range(10)]
    return pd.DataFrame(rows, columns=["run", "query_id", "measure", "value"])


def of(results: list[ConditionResult], run: str) -> dict[str, bool]:
    return {one.condition: one.failed for one in results if one.run == run}


@pytest.mark.parametrize("sign", [*SIGNS])
@pytest.mark.parametrize(
    ("bound", "limit"),
    [("baseline", 0.31), ("baseline - 0.01", 0.30), ("baseline-0.02", 0.29), ("baseline + 1%", 0.3131), ("0.3", 0.3)],
)
def test_a_bound_is_arithmetic(sign: str, bound: str, limit: float) -> None:
    """Decided on decimals, as a person would: 0.31 - 0.01 is 0.3, which 0.3 is not below."""
    results = checks(compare(scores(), baseline="b"), [condition(f"AP {sign} {bound}")], "b")
    thousandths = (3000, round(limit * 10_000))
    right = {"<": thousandths[0] < thousandths[1], "<=": thousandths[0] <= thousandths[1],
             ">": thousandths[0] > thousandths[1], ">=": thousandths[0] >= thousandths[1]}  # fmt: skip
    assert of(results, "a") == {f"AP {sign} {bound}": right[sign]}
    assert next(one.bound for one in results if one.run == "a") == pytest.approx(limit)


def test_what_cannot_be_told_fails() -> None:
    """An undefined mean, on either side, and a loss that was not tested."""
    results = checks(
        compare(scores(), baseline="b"), conditions(["AP < 0.1", "AP > baseline", "significant-loss"]), "b"
    )
    assert of(results, "c") == {"AP < 0.1": True, "AP > baseline": True, "significant-loss": False}  # of P@5, the last
    lines = [line for line in failures(results) if line.startswith("c:")]
    assert [line.partition(";")[0] for line in lines] == [
        "c: AP is undefined on these topics",
        "c: AP is undefined on these topics",
        "c: AP is not tested: it takes two topics with scores of this run and of b",
    ]


@pytest.mark.parametrize("correction", ["none", "holm"])
def test_a_significant_loss_is_that_of_the_table(correction: str) -> None:
    """Lower and significant, run by run and measure by measure."""
    table = compare(scores(), baseline="a", correction=correction)
    results = checks(table, [condition("significant-loss")], "a")
    losses = [row["difference"] < 0 and row["significant"] for row in table.to_dict("records") if row["p"] == row["p"]]
    assert [one.failed for one in results if "not tested" not in one.message] == losses
    assert any(losses)
    assert not all(losses)


@pytest.mark.parametrize(
    "text",
    [
        "", "nDCG@10", "nDCG@10 is worse", "baseline > AP", "AP < baseline * 2", "AP < baseline -", "AP = 0.3",
        "AP << 1", "AP < 1.2.3", "AP < base - 0.1", "AP < baseline - nan", "AP < 3%", "significant loss", "AP < .",
        "0.3 > AP < 1",
    ],
)  # fmt: skip
def test_what_is_no_condition_is_told_what_is(text: str, folder: Path, cranfield: Cranfield) -> None:
    """Wrong usage, before anything is compared."""
    with pytest.raises(CranfieldError, match=r"is not a condition; expected 'nDCG@10 <|unknown measure"):
        condition(text)
    result = cranfield(*GATE, "--fail-if", text, "--junit", "gate.xml")
    assert (result.code, result.out) == (2, "")
    assert "Invalid value for --fail-if" in " ".join(result.err.replace("│", "").split())
    assert not Path("gate.xml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("compare qrels base worse --fail-if significant-loss", "compares with a baseline; name its run with --base"),
        ("compare qrels base worse --junit x.xml", "of the conditions of --fail-if"),
        ("compare qrels base worse --baseline base --plan 0.1 --fail-if significant-loss", "be used with --plan"),
        ("compare qrels base worse --test tukey --plan 0.1", "--test: cannot be used with --plan"),
        ("compare qrels base worse --baseline base -m AP --fail-if P@5<0.1", "P@5 is not compared, only AP"),
        ("compare qrels base worse --baseline base --fail-if ndgc@10<0.1", "did you mean nDCG"),
    ],
)
def test_wrong_usage(words: str, message: str, folder: Path, cranfield: Cranfield) -> None:
    """What is missing or does not go together."""
    result = cranfield(words)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.replace("│", "").split())


def test_files_of_scores_have_gates_too(folder: Path, cranfield: Cranfield) -> None:
    """Of what evaluate and trec_eval write; a measure that is not in them is wrong usage."""
    cranfield("evaluate qrels base worse -m AP,RR --per-topic --format json -o s.json")
    Path("printed").mkdir()
    for run in ("base", "worse"):
        Path("printed", run).write_text(cranfield("trec-eval", "-q", "qrels", run).out)
    for paths, mean in (("s.json", "0.6181"), ("printed", "0.6180")):  # trec_eval prints four decimals of each topic
        output = cranfield("compare", paths, "--baseline", "base", "--fail-if", "map < baseline - 1%")
        assert output.code == 3
        assert f"failed: worse: AP is {mean}, below 0.9900 (base 1.0000); map < baseline - 1%" in output.err
    missing = cranfield("compare", "s.json", "--baseline", "base", "--fail-if", "P@7 < 0.1")
    assert (missing.code, missing.out) == (2, "")
    message = " ".join(missing.err.replace("│", "").split())
    assert "Invalid value for --fail-if: 'P@7 < 0.1': P@7 is not compared, only AP, RR" in message


def test_a_gate_that_holds(folder: Path, cranfield: Cranfield) -> None:
    """The table as without it, and exit 0; the measures are those of the conditions."""
    gates = ["--fail-if", "nDCG@10 < baseline", "--fail-if", "P_1 <= 0"]
    result = cranfield("compare", "qrels", "base", "same", "--baseline", "base", *gates)
    assert result.code == 0
    assert "failed" not in result.err
    without = cranfield("compare qrels base same --baseline base -m nDCG@10,P@1")
    assert result.out == without.out


def test_a_gate_that_fails(folder: Path, cranfield: Cranfield) -> None:
    """A line for each condition and run, exit 3, the same in JSON and JUnit XML."""
    options = ["--fail-if", "AP < baseline - 0.01", "--fail-if", "AP < 0.1", "--fail-if", "significant-loss"]
    result = cranfield(*GATE, *options, "--junit", "gate.xml", "--format", "json")
    assert result.code == 3
    assert [line for line in result.err.splitlines() if line.startswith("failed:")] == [
        "failed: worse: AP is 0.6181, below 0.9900 (base 1.0000); AP < baseline - 0.01",
        "failed: worse: AP is 0.6181, significantly below 1.0000 of base (p 5.7e-07); significant-loss",
    ]
    rows = json.loads(result.out)["checks"]
    assert [(one["condition"], one["run"], one["failed"]) for one in rows] == [
        (text, run, run == "worse" and text != "AP < 0.1") for text in options[1::2] for run in ("same", "worse")
    ]
    suite = Xml.parse("gate.xml").getroot().find("testsuite")
    assert suite is not None
    assert suite.attrib == {
        "name": "cranfield compare", "tests": "6", "failures": "2", "errors": "0", "skipped": "0"
    }  # fmt: skip
    assert [(case.get("classname"), case.get("name")) for case in suite.findall("testcase[failure]")] == [
        ("worse", "AP < baseline - 0.01"),
        ("worse", "significant-loss: AP"),
    ]


def test_a_gate_through_which_all_pass_is_told(folder: Path, cranfield: Cranfield) -> None:
    """Two topics cannot tell a loss by a permutation test, which is no success of the run."""
    for name in ("base", "worse"):
        lines = Path(name).read_text().splitlines(keepends=True)
        Path(name).write_text("".join(line for line in lines if line.startswith(("1 ", "2 "))))
    Path("qrels").write_text("".join(line for line in QRELS.splitlines(keepends=True) if line.startswith(("1 ", "2 "))))
    words = ["compare", "qrels", "base", "worse", "--baseline", "base", "--test", "permutation"]
    result = cranfield(*words, "--fail-if", "significant-loss")
    assert result.code == 0
    assert "note: significant-loss is never found here: no p is below 0.5 with 2 topics" in result.err
    assert "never found" not in cranfield(*words, "--fail-if", "AP < 0.1").err


def test_the_scale_of_a_store_counts(workshop: Path, cranfield: Cranfield) -> None:
    """A condition on AP is on the AP that the store's scale defines, named or not."""
    for words in ([], ["-m", "AP"]):
        result = cranfield(
            "compare", workshop, "--baseline", "bm25", *words, "--fail-if", "AP < 0.1", "--format", "csv"
        )
        assert result.code == 3
        assert "failed: bm25-titles: AP is 0.0798, below 0.1000; AP < 0.1" in result.err


def test_junit_of_hostile_names() -> None:
    """A tag with controls and markup is one attribute, which every reader of XML takes."""
    text = as_junit("s", [Case('<a>&"\x1b[2J\x00', "AP < 1", "]]> \x08")])
    case = Xml.fromstring(text.encode()).find("testsuite/testcase")
    assert case is not None
    assert case.get("classname") == '<a>&"␛[2J␀'
    assert case.findtext("failure") == "]]> ␈"
