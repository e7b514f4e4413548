"""`compare --fail-if`: conditions, their checks against a loop by hand, exit status, lines and JUnit XML."""

import json
import os
import threading
import xml.etree.ElementTree as Xml
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import cranfield as api
from cranfield.analysis.gate import (
    SIGNS,
    ConditionResult,
    check_conditions,
    failure_lines,
    parse_condition,
    parse_conditions,
)
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import CranfieldError, InputError
from cranfield.formats.text_tables import Case, as_junit
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.significance.compare import compare
from tests.conftest import Cranfield
from tests.metrics.forecast.made_up import made_up, pool_of

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
    results = check_conditions(compare(scores(), baseline="b"), [parse_condition(f"AP {sign} {bound}")], "b")
    thousandths = (3000, round(limit * 10_000))
    right = {"<": thousandths[0] < thousandths[1], "<=": thousandths[0] <= thousandths[1],
             ">": thousandths[0] > thousandths[1], ">=": thousandths[0] >= thousandths[1]}  # fmt: skip
    assert of(results, "a") == {f"AP {sign} {bound}": right[sign]}
    assert next(one.bound for one in results if one.run == "a") == pytest.approx(limit)


@pytest.mark.parametrize(
    ("sign", "bound", "words"),
    [
        ("<", 0.2, "not below 0.2000"), ("<", 0.4, "below 0.4000"), ("<=", 0.2, "above 0.2000"),
        ("<=", 0.4, "not above 0.4000"), (">", 0.2, "above 0.2000"), (">", 0.4, "not above 0.4000"),
        (">=", 0.2, "not below 0.2000"), (">=", 0.4, "below 0.4000"),
    ],
)  # fmt: skip
def test_a_message_has_no_double_negation(sign: str, bound: float, words: str) -> None:
    results = check_conditions(compare(scores(), baseline="b"), [parse_condition(f"AP {sign} {bound}")], "b")
    [message] = [one.message for one in results if one.run == "a"]
    assert message == f"AP is 0.3000, {words}"


def test_what_cannot_be_told_fails() -> None:
    """An undefined mean, on either side, and a loss that was not tested."""
    results = check_conditions(
        compare(scores(), baseline="b"), parse_conditions(["AP < 0.1", "AP > baseline", "significant-loss"]), "b"
    )
    assert of(results, "c") == {"AP < 0.1": True, "AP > baseline": True, "significant-loss": False}  # of P@5, the last
    lines = [line for line in failure_lines(results) if line.startswith("c:")]
    assert [line.partition(";")[0] for line in lines] == [
        "c: AP is undefined on these topics",
        "c: AP is undefined on these topics",
        "c: AP is not tested: the test needs at least two topics with scores for both this run and b",
    ]


@pytest.mark.parametrize("correction", ["none", "holm"])
def test_a_significant_loss_is_that_of_the_table(correction: str) -> None:
    """Lower and significant, run by run and measure by measure."""
    table = compare(scores(), baseline="a", correction=correction)
    results = check_conditions(table, [parse_condition("significant-loss")], "a")
    losses = [row["difference"] < 0 and row["significant"] for row in table.to_dict("records") if row["p"] == row["p"]]
    assert [one.failed for one in results if "not tested" not in one.message] == losses
    assert any(losses)
    assert not all(losses)


@pytest.mark.parametrize(
    "text",
    [
        "nDCG@10", "nDCG@10 is worse", "baseline > AP", "AP < baseline * 2", "AP < baseline -", "AP = 0.3",
        "AP << 1", "AP < 1.2.3", "AP < base - 0.1", "AP < baseline - nan", "AP < 3%", "significant loss", "AP < .",
        "0.3 > AP < 1",
    ],
)  # fmt: skip
def test_what_is_no_condition_is_told_what_is(text: str, folder: Path, cranfield: Cranfield) -> None:
    """Wrong usage, before anything is compared."""
    with pytest.raises(CranfieldError, match=r"is not a condition; expected 'nDCG@10 <|unknown measure"):
        parse_condition(text)
    result = cranfield(*GATE, "--fail-if", text, "--junit", "gate.xml")
    assert (result.code, result.out) == (2, "")
    assert "Invalid value for --fail-if" in " ".join(result.err.replace("│", "").split())
    assert not Path("gate.xml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("compare qrels base worse --fail-if significant-loss", "needs a baseline; name it with --baseline TAG"),
        ("compare qrels base worse --junit x.xml", "Error: --junit requires --fail-if"),
        ("compare qrels base worse --baseline base --plan 0.1 --fail-if significant-loss", "be used with --plan"),
        ("compare qrels base worse --test tukey --plan 0.1", "--test: cannot be used with --plan"),
        (
            "compare qrels base worse --baseline base -m AP --fail-if P@5<0.1",
            "P@5 is not one of the compared measures (AP",
        ),
        ("compare qrels base worse --baseline base --fail-if ndgc@10<0.1", "did you mean nDCG"),
    ],
)
def test_wrong_usage(words: str, message: str, folder: Path, cranfield: Cranfield) -> None:
    """What is missing or does not go together."""
    result = cranfield(words)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.replace("│", "").split())


@pytest.mark.full
def test_files_of_scores_have_gates_too(folder: Path, cranfield: Cranfield) -> None:
    """Of what evaluate and trec_eval write; a measure that is not in them is wrong usage."""
    cranfield("evaluate qrels base worse -m AP,RR --per-topic --format json -o s.json")
    Path("printed").mkdir()
    for run in ("base", "worse"):
        Path("printed", run).write_text(cranfield("trec-eval", "-q", "qrels", run).out)
    for paths, mean in (("s.json", "0.6181"), ("printed", "0.6180")):  # trec_eval prints four decimals of each topic
        output = cranfield("compare", paths, "--baseline", "base", "--fail-if", "map < baseline - 1%")
        assert output.code == 3
        unchecked = (
            "" if paths == "s.json" else "; the effect of unjudged documents was not checked"
        )  # all judged, as s.json says
        start, end = output.err.split("failed: ")[1].splitlines()[0].split("; difference -0.38")
        assert start == f"worse: AP is {mean}, below 0.9900 (base 1.0000"
        assert end.endswith(f" to -0.3055){unchecked}; map < baseline - 1%")
        assert ("note: scores contain no judgments, so the effect of unjudged" in output.err) == bool(unchecked)
    missing = cranfield("compare", "s.json", "--baseline", "base", "--fail-if", "P@7 < 0.1")
    assert (missing.code, missing.out) == (2, "")
    message = " ".join(missing.err.replace("│", "").split())
    assert "Invalid value for --fail-if: 'P@7 < 0.1': P@7 is not one of the compared measures (AP, RR" in message


@pytest.mark.parametrize("name", ["s.json", "s.csv", "s.tsv"])
def test_scores_say_what_is_judged_where_evaluate_wrote_it(name: str, folder: Path, cranfield: Cranfield) -> None:
    """The test decides where all documents are judged; otherwise nothing is decided, by the gate either."""
    lines = (folder / "worse").read_text().replace("d2", "x").splitlines(keepends=True)
    (folder / "worse").write_text("".join(line.replace("worse", "open") for line in lines))
    (folder / "other").write_text(run_of("other", [2, 0, 1]))
    cranfield("evaluate", "qrels", "base", "other", "worse", "-m", "RR,P@2", "--per-topic", "-o", name)
    result = cranfield("compare", name, "--baseline", "base", "--format", "json")
    found = {(row["run_a"], row["measure"]): row for row in json.loads(result.out)["pairs"]}
    closed, unknown = found["other", "P@2"], found["open", "P@2"]
    assert (closed["outcome"], closed["judged_a"], closed["judged_cutoff"]) == ("significant", 1, 2)
    assert (unknown["outcome"], unknown["judged_a"]) == ("not decided: unjudged documents", pytest.approx(6.5 / 12))
    assert (unknown["significant"], unknown["significant_as_judged"]) == (False, True)
    assert found["open", "RR"]["outcome"] == "not decided: unjudged documents"
    cranfield("evaluate", "qrels", "base", "worse", "-m", "P@2", "--per-topic", "-o", f"two{name}")
    words = ("compare", f"two{name}", "--baseline", "base", "--fail-if")
    loss, bound = (cranfield(*words, text) for text in ("significant-loss", "P@2 < baseline - 0.01"))
    assert (loss.code, bound.code) == (4, 4)
    assert "score files contain no judgments; compare the qrels and run files instead; significant-loss" in loss.err
    floor = cranfield(*words, "P@2 < 0.01")  # more relevant documents can only raise P
    ceiling = cranfield(*words, "P@2 < 0.99")
    assert (floor.code, ceiling.code) == (0, 4)


def test_scores_cannot_be_settled(folder: Path, cranfield: Cranfield) -> None:
    cranfield("evaluate", "qrels", "base", "worse", "-m", "P@2", "--per-topic", "-o", "s.csv")
    output = cranfield("compare", "s.csv", "--baseline", "base", "--settle", "draw.tsv")
    assert (output.code, Path("draw.tsv").exists()) == (2, False)
    assert "--settle and --drawn require qrels and runs; score files contain no" in " ".join(output.err.split())


def test_one_known_share_is_enough_to_leave_a_difference_open() -> None:
    some = scores().assign(judged=lambda table: table["run"].map({"b": 0.9}))
    found = api.compare(some, measures="P@5", baseline="b").frame
    assert set(found["outcome"]) == {"not decided: unjudged documents"}


def test_python_says_that_scores_are_not_checked() -> None:
    """In the outcome; a column of judged shares decides as for files."""
    assert set(api.compare(scores()).frame["outcome"]) == {"not checked: unjudged documents"}
    judged = scores().assign(judged=1.0)
    assert set(api.compare(judged, measures="P@5").frame["outcome"]) == {"significant", "not significant"}
    open_pairs = api.compare(scores().assign(judged=0.9), measures="P@5").frame
    assert set(open_pairs["outcome"]) == {"not decided: unjudged documents"}


@pytest.mark.parametrize("options", [{}, {"measures": "P@5"}])
def test_judged_runs_without_qrels_are_refused(options: dict[str, Any]) -> None:
    judged: Any = join_runs_and_qrels(
        as_runs({"a": {"q": {"d": 1.0}}, "b": {"q": {"e": 1.0}}}), as_qrels({"q": {"d": 1}})
    )
    with pytest.raises(InputError, match="found judged runs without qrels; expected qrels followed by runs"):
        api.compare(judged, **options)


@pytest.mark.full
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
        "failed: worse: AP is 0.6181, below 0.9900 (base 1.0000; difference -0.3819, interval -0.4584 to -0.3055);"
        " AP < baseline - 0.01",
        "failed: worse: AP is 0.6181, significantly below 1.0000 of base (p 5.7e-07, paired t test); significant-loss",
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


@pytest.mark.full
def test_a_gate_through_which_all_pass_is_told(folder: Path, cranfield: Cranfield) -> None:
    """Two topics cannot tell a loss by a permutation test, which is no success of the run."""
    for name in ("base", "worse"):
        lines = Path(name).read_text().splitlines(keepends=True)
        Path(name).write_text("".join(line for line in lines if line.startswith(("1 ", "2 "))))
    Path("qrels").write_text("".join(line for line in QRELS.splitlines(keepends=True) if line.startswith(("1 ", "2 "))))
    words = ["compare", "qrels", "base", "worse", "--baseline", "base", "--test", "permutation"]
    result = cranfield(*words, "--fail-if", "significant-loss")
    assert result.code == 0
    assert "note: significant-loss cannot occur here: no p is below 0.5 with 2 topics" in result.err
    assert "never found" not in cranfield(*words, "--fail-if", "AP < 0.1").err


@pytest.mark.full
def test_the_scale_of_a_store_counts(workshop: Path, cranfield: Cranfield) -> None:
    """A condition on AP is on the AP that the store's scale defines, named or not."""
    for words in ([], ["-m", "AP"]):
        result = cranfield(
            "compare", workshop, "--baseline", "bm25", *words, "--fail-if", "AP < 0.1", "--format", "csv"
        )
        assert result.code == 3
        assert "failed: bm25-titles: AP is 0.0798, below 0.1000; AP < 0.1" in result.err


@pytest.fixture
def pool_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pool of seven runs, its judgments, and a run that was not pooled."""
    runs, full = made_up(8)
    (tmp_path / "pool").mkdir()
    for tag, run in runs.items():
        lines = [
            f"{topic} Q0 {docno} {rank} {1000 - rank} {tag}"
            for topic, scores in run.items()
            for rank, docno in enumerate(sorted(scores, key=scores.__getitem__, reverse=True), 1)
        ]
        (tmp_path / ("new" if tag == "r7" else f"pool/{tag}")).write_text("\n".join(lines) + "\n")
    judged = pool_of({tag: runs[tag] for tag in runs if tag != "r7"}, full, 10)
    lines = [f"{topic} 0 {docno} {grade}" for topic, grades in judged.items() for docno, grade in grades.items()]
    (tmp_path / "qrels").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


UNJUDGED_GATE = ["compare", "qrels", "pool/r0", "new", "--baseline", "r0", "--fail-if", "P@10 < baseline + 0.15"]


def test_an_undecided_condition_ends_with_4(pool_folder: Path, cranfield: Cranfield) -> None:
    """JUnit has it as skipped; --undecided lets it fail or pass; a condition that fails wins with 3."""
    result = cranfield(*UNJUDGED_GATE, "--junit", "gate.xml", "--format", "json")
    assert result.code == 4
    [line] = [line for line in result.err.splitlines() if line.startswith("undecided:")]
    assert "r7: P@10 is " in line
    reason = "judging the unjudged documents may change the result (state the pooled runs with --pool-runs)"
    assert f"{reason}; P@10 < baseline + 0.15" in line
    assert "state the pooled runs with --pool-runs" in result.err
    [check] = json.loads(result.out)["checks"]
    assert (check["failed"], check["undecided"], check["share"]) == (False, True, None)
    suite = Xml.parse("gate.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
    [skipped] = suite.findall("testcase/skipped")
    assert str(skipped.get("message")).endswith(reason)
    assert check["message"].endswith(reason)
    assert [cranfield(*UNJUDGED_GATE, "--undecided", how).code for how in ("fail", "pass")] == [3, 0]
    assert cranfield(*UNJUDGED_GATE, "--fail-if", "P@10 < 2").code == 3


@pytest.mark.full
def test_pooled_runs_decide_conditions(pool_folder: Path, cranfield: Cranfield) -> None:
    """Several files, or a folder, after --pool-runs: they fit the model and are not compared."""
    files = sorted(str(path) for path in Path("pool").iterdir())
    outputs = [
        cranfield(*UNJUDGED_GATE, "--pool-runs", *names, "--format", "json")
        for names in (files, ["pool"], [files[0], "--pool-runs", *files[1:]])
    ]
    checks = [json.loads(output.out)["checks"] for output in outputs]
    assert checks[0] == checks[1] == checks[2]
    [check] = checks[0]
    assert 0 <= check["share"] <= 1
    assert outputs[0].code == (3 if check["share"] >= 0.9 else 0 if check["share"] <= 0.1 else 4)
    assert f"the condition holds in {check['share']:.0%} of 500 simulated labellings" in check["message"]
    assert {pair["run_a"] for pair in json.loads(outputs[0].out)["pairs"]} == {"r7"}


@pytest.mark.parametrize("tag", ["r7", "copy"])
def test_a_compared_run_among_the_pooled_ones_that_was_not_pooled(
    pool_folder: Path, cranfield: Cranfield, tag: str
) -> None:
    """It has unjudged documents, so the model is not fitted to it, whatever its name; a note says so."""
    words = [*UNJUDGED_GATE, "--format", "json", "--pool-runs", "pool"]
    right = cranfield(*words)
    Path("copy").write_text(Path("new").read_text().replace("r7", tag))
    result = cranfield(*words, "--pool-runs", "copy")
    assert (result.out, result.code) == (right.out, right.code)
    assert (
        f"note: run {tag} was probably not pooled, so the model is not fitted to it: it shares at least 90% of"
        " its first 10 documents with the compared run r7" in result.err
    )
    assert "documents of r7 are unjudged" in result.err
    assert "was not pooled" not in right.err


def test_a_compared_run_among_the_pooled_ones_that_was_pooled(pool_folder: Path, cranfield: Cranfield) -> None:
    """The model is fitted to it, and a note says so; Python does not warn of that."""
    words = ["compare", "qrels", "pool/r0", "new", "-m", "P@10", "--pool-runs"]
    note = "note: r0 is compared and also pooled, so the model is also fitted to it"
    assert note in cranfield(*words, "pool").err
    assert note not in cranfield(*words, *[f"pool/r{number}" for number in range(1, 7)]).err
    api.compare("qrels", ["pool/r0", "new"], measures="P@10", pool_runs=sorted(Path("pool").iterdir()))


@pytest.mark.full
def test_a_draw_that_settles(pool_folder: Path, cranfield: Cranfield) -> None:
    """--settle draws unjudged documents; --drawn reads their labels, which the labellings keep."""
    words = ["compare", "qrels", "pool/r0", "new", "-m", "P@10", "--pool-runs", "pool"]
    before = cranfield(*words, "--baseline", "r0", "--fail-if", "P@10 < baseline + 0.15", "--settle", "draw.tsv")
    table = json.loads(cranfield(*words, "--format", "json").out)["pairs"][0]
    assert before.code == 4
    assert "draw.tsv lists 50 documents of run r7 to judge, in this order" in before.err
    bare = cranfield(*words, "--drawn", "draw.tsv")
    assert (bare.code, "note: draw.tsv: none of the 50 drawn documents has a label" in bare.err) == (0, True)
    assert "other run" not in before.err  # the only other run is the baseline, all of it judged
    assert "draw them with --settle" in cranfield(*words).out
    assert "draw them with --settle" not in cranfield(*words, "--settle", "draw.tsv").out
    draw = Path("draw.tsv").read_text().splitlines()
    Path("wrong.tsv").write_text("\n".join([*draw[:6], f"{draw[6][:-1]}9"]))
    wrong = cranfield(*words, "--drawn", "wrong.tsv")
    assert (wrong.code, "wrong.tsv:7: found grade 9; expected a whole number from 0 to" in wrong.err) == (1, True)
    relevant = made_up(8)[1]
    labelled = draw[:6] + [f"{line[:-1]}{relevant[line.split()[1]][line.split()[2]]}" for line in draw[6:]]
    Path("draw.tsv").write_text("\n".join(labelled) + "\n")
    after = json.loads(cranfield(*words, "--drawn", "draw.tsv", "--format", "json").out)["pairs"][0]
    widths = [pair["forecast_high"] - pair["forecast_low"] for pair in (table, after)]
    assert widths[1] < widths[0]
    Path("draw.tsv").write_text("\n".join([*labelled[:6], *labelled[7:8]]) + "\n")
    wrong = cranfield(*words, "--drawn", "draw.tsv")
    assert (wrong.code, "draw.tsv:7: found" in wrong.err) == (1, True)


def label_first(path: str, n: int) -> None:
    """Label the first documents of a draw truly."""
    lines, full = Path(path).read_text().splitlines(), made_up(8)[1]
    for number, line in enumerate(lines[6 : 6 + n], 6):
        _, qid, docno, *_ = line.split("\t")
        lines[number] = f"{lines[number][:-1]}{full[qid][docno]}"
    Path(path).write_text("\n".join(lines) + "\n")


def test_settle_keeps_labels(pool_folder: Path, cranfield: Cranfield) -> None:
    """A draw with labels or mistakes is not overwritten; labels of --drawn are in the new draw, with their seed."""
    words = ["compare", "qrels", "pool/r0", "new", "-m", "P@10", "--pool-runs", "pool", "--baseline", "r0"]
    words, seed = [*words, "--fail-if", "P@10 < baseline + 0.15"], ["--test", "permutation", "--seed", "3"]
    cranfield(*words, "--settle", "draw.tsv", *seed)
    label_first("draw.tsv", 5)
    before = Path("draw.tsv").read_bytes()
    refused = cranfield(*words, "--settle", "draw.tsv", *seed, "--junit", "gate.xml")
    assert (refused.code, refused.out, Path("gate.xml").exists()) == (1, "", False)
    assert "draw.tsv: the file contains 5 labels that the new draw would lose; name another file" in refused.err
    Path("bad.tsv").write_bytes(before + b"51\tno\tgrade\tx\n")
    assert "bad.tsv:57: found" in cranfield(*words, "--settle", "bad.tsv").err
    more = cranfield(*words, "--drawn", "draw.tsv", "--settle", "more.tsv")
    assert "more.tsv lists 50 documents of run r7 to judge, in this order (5 more are labelled)" in more.err
    assert Path("draw.tsv").read_bytes() == before
    drawn, longer = (Path(name).read_text().splitlines() for name in ("draw.tsv", "more.tsv"))
    assert longer[: len(drawn)] == drawn
    assert len(longer) == len(drawn) + 5


def test_settle_draws_for_whatever_is_undecided(pool_folder: Path, cranfield: Cranfield) -> None:
    """A row where all conditions are decided, a condition that --undecided lets pass; then nothing is left to draw."""
    words = ["compare", "qrels", "pool/r0", "new", "-m", "P@10", "--baseline", "r0", "--fail-if"]
    row = cranfield(*words, "P@10 < 2", "--settle", "row.tsv")
    assert (row.code, "1 of 1 difference is not decided" in row.err) == (3, True)
    assert "row.tsv lists 50 documents of run r7 to judge" in row.err
    passed = cranfield(*words, "P@10 < baseline + 0.15", "--undecided", "pass", "--settle", "passed.tsv")
    assert (passed.code, "passed.tsv lists 50 documents of run r7 to judge" in passed.err) == (0, True)
    cranfield("diagnose", "qrels", "pool", "new", "--draw", 500, "all.tsv")
    label_first("all.tsv", 500)
    decided = cranfield(*words, "P@10 < 2", "--drawn", "all.tsv", "--settle", "none.tsv")
    assert "everything is decided, so none.tsv was not written" in decided.err
    assert not Path("none.tsv").exists()


@pytest.mark.full
def test_labels_decide_without_pooled_runs(pool_folder: Path, cranfield: Cranfield) -> None:
    """Worst-case bounds keep drawn labels: they shrink, and with all labels the difference is decided."""
    words = ["compare", "qrels", "pool/r0", "new", "-m", "P@10", "--baseline", "r0", "--fail-if", "P@10 < baseline"]
    widths = []
    for n in (0, 10, 500):
        cranfield("diagnose", "qrels", "pool", "new", "--draw", 500, f"{n}.tsv")
        label_first(f"{n}.tsv", n)
        result = cranfield(*words, "--drawn", f"{n}.tsv", "--format", "json")
        [pair] = json.loads(result.out)["pairs"]
        widths.append(pair["forecast_high"] - pair["forecast_low"])
    assert widths[0] > widths[1] > widths[2]
    assert widths[2] == pytest.approx(0)
    assert result.code != 4


def test_wrong_usage_with_unjudged_documents(workshop: Path, pool_folder: Path, cranfield: Cranfield) -> None:
    """A store has its pooled runs; --undecided is for a gate; other runs than those of the topics are no pool."""
    output = cranfield("compare", workshop, "--pool-runs", "pool")
    assert (output.code, "the store has a list of its pooled runs" in output.err) == (1, True)
    output = cranfield("compare qrels pool/r0 new --undecided pass")
    assert (output.code, "applies only with --fail-if" in output.err) == (2, True)
    Path("other").write_text("x Q0 d1 1 1 other\n")
    output = cranfield("compare qrels pool/r0 new --pool-runs other")
    assert (output.code, "no topic of the runs has judgments: the runs have x" in output.err) == (1, True)


def test_the_table_has_judged_shares_and_outcomes(pool_folder: Path, cranfield: Cranfield) -> None:
    """In text, CSV, Markdown and LaTeX; runs that are judged have the table as before."""
    words = ["compare", "qrels", "pool/r0", "new", "-m", "P@10", "-m", "P@5"]
    lines = cranfield(*words).out.splitlines()
    assert "judged@5" in lines[1]
    assert "judged@10" in lines[1]
    assert "not decided" in " ".join(lines)
    for form in ("markdown", "latex"):
        assert "judged@10" in cranfield(*words, "--format", form).out
    header, first = cranfield(*words, "--format", "csv").out.splitlines()[:2]
    cells = dict(zip(header.split(","), first.split(","), strict=True))
    assert cells["outcome"] == "not decided: unjudged documents"
    assert (cells["judged_cutoff"], cells["significant"]) == ("10", "False")
    assert "judged" not in cranfield("compare qrels pool/r0 pool/r1 -m P@10").out
    heading, columns, row = cranfield(*words[:-2], "--baseline", "r7").out.splitlines()[:3]
    share = json.loads(cranfield(*words[:-2], "--baseline", "r7", "--format", "json").out)["pairs"][0]["judged_b"]
    assert f", judged@10 {int(100 * share + 1e-9)}%); " in heading
    assert ("judged@10" in columns, "100%" in row) == (True, True)


def test_junit_of_hostile_names() -> None:
    """A tag with controls and markup is one attribute, which every reader of XML takes."""
    text = as_junit("s", [Case('<a>&"\x1b[2J\x00', "AP < 1", "]]> \x08")])
    case = Xml.fromstring(text.encode()).find("testsuite/testcase")
    assert case is not None
    assert case.get("classname") == '<a>&"␛[2J␀'
    assert case.findtext("failure") == "]]> ␈"


def feed(name: str) -> str:
    """A named pipe with what the file has; who opens it again finds it empty after a while."""
    pipe = Path(f"{name.replace('/', '-')}.pipe").absolute()
    content = Path(name).read_bytes()
    os.mkfifo(pipe)

    def write() -> None:
        pipe.write_bytes(content)
        for _ in range(3):
            threading.Event().wait(10)
            with suppress(OSError):
                os.close(os.open(pipe, os.O_RDWR))  # which lets a reader go that waits

    threading.Thread(target=write, daemon=True).start()
    return str(pipe)


@pytest.mark.full
@pytest.mark.parametrize("more", [[], ["--pool-runs", "pool"]])
def test_pipes_are_read_once(pool_folder: Path, cranfield: Cranfield, more: list[str]) -> None:
    """Judgments and runs from pipes, with unjudged documents: the output is that of files."""
    words = ["-m", "P@10", "--baseline", "r0", "--format", "json", *more]
    files = cranfield("compare", "qrels", "pool/r0", "new", *words)
    pipes = cranfield("compare", feed("qrels"), feed("pool/r0"), feed("new"), *words)
    assert pipes == files
    assert json.loads(files.out)["pairs"][0]["judged_a"] < 1


@pytest.mark.filterwarnings("ignore:1 of 1 difference is not decided")
def test_pipes_are_read_once_in_python(pool_folder: Path) -> None:
    table = api.compare("qrels", ["pool/r0", "new"], measures="P@10").frame
    again = api.compare(feed("qrels"), [feed("pool/r0"), feed("new")], measures="P@10").frame
    pd.testing.assert_frame_equal(again, table)


@pytest.mark.full
def test_large_files_are_read_again_rather_than_kept(
    pool_folder: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output does not depend on it."""
    words = ["compare", "qrels", "pool/r0", "new", "-m", "P@10", "--pool-runs", "pool", "--format", "json"]
    kept = cranfield(*words)
    monkeypatch.setattr("cranfield.view.MAX_KEPT_BYTES", 10)
    assert cranfield(*words) == kept
