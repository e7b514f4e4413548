"""`evaluate` and `curve` on the command line: every score with its mean, every curve that there is."""

import json
import warnings
from pathlib import Path

import pytest

from benchmarks.house import walk
from cranfield import compare, evaluate, hooks
from cranfield.formats.files import open_file
from cranfield.formats.runs import scanner_in_c
from cranfield.formats.table import is_plain_trec
from cranfield.metrics.evaluate import topic_curves
from tests.conftest import Cranfield

QRELS = "q1 0 d1 1\nq1 0 d2 1\nq1 0 d3 1\nq2 0 d1 1\nq2 0 d9 0\n"
RUN_A = "".join(f"q1 Q0 {docno} 0 {-rank} a\n" for rank, docno in enumerate(["d1", "x", "d2", "y", "z", "d3"]))
RUN_B = "q2 Q0 d9 1 9 b\nq2 Q0 d1 2 8 b\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments and two runs, which is where commands run."""
    for name, content in {"qrels": QRELS, "a": RUN_A, "b": RUN_B}.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)


ROWS = [
    ("a", "q1", "0.7222222222222222", "3.0"),
    ("a", "q2", "0.0", "0.0"),
    ("a", "all", "0.3611111111111111", "3.0"),
    ("b", "q1", "0.0", "0.0"),
    ("b", "q2", "0.5", "1.0"),
    ("b", "all", "0.25", "1.0"),
]


@pytest.mark.parametrize(
    ("form", "before", "between"),
    [("csv", "", ","), ("tsv", "", "\t"), ("markdown", "| ", " | "), ("latex", "", " & ")],
)
def test_topics_are_followed_by_the_mean(cranfield: Cranfield, form: str, before: str, between: str) -> None:
    """In every format each run's topics come first and then their mean, or sum, under the name all."""
    result = cranfield("evaluate", "qrels", "a", "b", "-m", "AP", "-m", "NumRelRet", "--per-topic", "--format", form)
    full = form in ("csv", "tsv")
    rows = [row if full else (*row[:2], *(f"{float(cell):.4f}" for cell in row[2:])) for row in ROWS]
    lines = [line for line in result.out.splitlines() if between in line][-6:]
    assert [line.startswith(before + between.join(row)) for line, row in zip(lines, rows, strict=True)] == [True] * 6


def test_the_mean_as_a_table_and_as_json(cranfield: Cranfield) -> None:
    """A table and JSON mark the mean in the same way."""
    table = cranfield("evaluate qrels a b -m AP -q").out.splitlines()
    assert [line.split() for line in table][3] == ["a", "all", "0.3611", "0.5000"]
    document = json.loads(cranfield("evaluate qrels a b -m AP -q --format json").out)
    assert document["topics"] == 2
    mean = {"run": "a", "query_id": "all", "measure": "AP", "value": pytest.approx(13 / 36), "judged": 0.5}
    assert document["scores"][2] == mean | {"topics": 1, "own": pytest.approx(13 / 18)}
    means = json.loads(cranfield("evaluate qrels a b -m AP --format json").out)["scores"]
    assert [s["value"] for s in document["scores"] if s["query_id"] == "all"] == [s["value"] for s in means]


def test_the_mean_is_over_the_topics_that_count(cranfield: Cranfield) -> None:
    words = ["evaluate", "qrels", "a", "b", "-m", "AP", "-q", "--retrieved-topics-only", "--format", "csv"]
    assert [line.split(",")[1:] for line in cranfield(*words).out.splitlines()[3:]] == [
        ["q2", "0.5", "1.0"],
        ["all", "0.5", "1.0"],
    ]


def test_a_topic_called_all_is_not_taken_for_a_mean(cranfield: Cranfield) -> None:
    Path("qrels").write_text(QRELS + "all 0 d1 1\n")
    assert (
        cranfield.error("evaluate qrels a -q")
        == "a topic is called 'all', the name of the mean; rename it to use --per-topic"
    )
    assert cranfield("evaluate qrels a").code == 0


# Relevant at ranks 1, 3 and 6, of 3: precision 1 to recall 1/3, 2/3 to 2/3, 1/2 to 1. trec_eval rounds 1.2 to 1.
BY_TREC_EVAL = [1] * 5 + [2 / 3] * 4 + [1 / 2] * 2
EXACT = [1] * 4 + [2 / 3] * 3 + [1 / 2] * 4


@pytest.mark.parametrize(("rule", "values"), [("trec_eval", BY_TREC_EVAL), ("exact", EXACT)])
def test_a_rule_for_the_points_of_recall(cranfield: Cranfield, rule: str, values: list[float]) -> None:
    """IPrec, AP11 and curve take trec_eval's rule or the textbooks', and agree about what each is."""
    Path("qrels").write_text("q1 0 d1 1\nq1 0 d2 1\nq1 0 d3 1\n")
    names = [f'IPrec(rule="{rule}")@{point / 10}' for point in range(11)] + [f'AP11(rule="{rule}")']
    words = [word for name in names for word in ("-m", name)]
    scores = json.loads(cranfield("evaluate", "qrels", "a", *words, "--format", "json").out)["scores"]
    assert [score["value"] for score in scores] == pytest.approx([*values, sum(values) / 11])
    curve = json.loads(cranfield("curve", "qrels", "a", "--rule", rule, "--format", "json").out)
    assert [point["precision"] for point in curve] == pytest.approx(values)
    assert round(sum(values) / 11, 4) == {"trec_eval": 0.7879, "exact": 0.7273}[rule]


def test_trec_evals_rule_is_the_default(cranfield: Cranfield) -> None:
    assert cranfield("curve qrels a") == cranfield("curve qrels a --rule trec_eval")
    assert cranfield("curve qrels a").out != cranfield("curve qrels a --rule exact").out


@pytest.mark.parametrize("name", ["IPrec", "AP11"])
def test_help_says_which_rule_is_which(cranfield: Cranfield, name: str) -> None:
    output = cranfield("measures", name).out
    assert f'{name}(rule="exact")' in output
    assert "trec_eval" in output
    output = " ".join(cranfield("curve --help all").out.split())
    assert "rounded (halves up), as in trec_eval" in output
    assert "The textbook rule (--rule exact)" in output


@pytest.mark.parametrize(
    "words", ["measures AP11", pytest.param("measures CTR --online", marks=pytest.mark.needs("online"))]
)
def test_a_measure_is_described_in_any_format(cranfield: Cranfield, words: str) -> None:
    """In a file, too."""
    about = cranfield(words).out.strip()
    assert json.loads(cranfield(f"{words} --format json").out) == [{"measure": words.split()[1], "about": about}]
    assert cranfield(f"{words} -o about.csv") == (0, "", "")
    assert Path("about.csv").read_text().startswith("measure,about\n")


def test_a_wrong_rule_is_refused(cranfield: Cranfield) -> None:
    result = cranfield("evaluate qrels a -m IPrec(rule=interpolated)@0.5")
    assert result.code == 1
    assert result.err == ('error: IPrec: rule is "interpolated"; expected one of "trec_eval", "exact"\n')
    assert cranfield("curve qrels a --points raw --rule exact").code == 2


def test_the_curve_as_it_is(cranfield: Cranfield) -> None:
    """A point at each relevant document found, by topic; topics without one are told of."""
    result = cranfield("curve qrels a b --points raw --format csv")
    assert result.err.endswith("note: 2 of 4 rankings contain no relevant document, so they have no points\n")
    assert [line.split(",")[:3] for line in result.out.splitlines()] == [
        ["run", "query_id", "rank"], ["a", "q1", "1"], ["a", "q1", "3"], ["a", "q1", "6"], ["b", "q2", "2"],
    ]  # fmt: skip
    points = json.loads(cranfield("curve qrels a b --points raw --format json").out)
    assert points[1] == {
        "run": "a", "query_id": "q1", "rank": 3, "recall": pytest.approx(2 / 3), "precision": pytest.approx(2 / 3)
    }  # fmt: skip
    assert points == topic_curves("qrels", ["a", "b"]).to_dict("records")


def test_the_curve_of_fractional_grades_has_a_threshold(cranfield: Cranfield) -> None:
    """The note on grades between 0 and 1 names `rel`, which the command has; the curve is IPrec's."""
    Path("graded").write_text("1 0 d1 0.5\n1 0 d2 0.2\n1 0 d3 1\n")
    Path("r").write_text("1 Q0 d2 1 3 r\n1 Q0 d1 2 2 r\n1 Q0 d3 3 1 r\n")
    output = cranfield("curve graded r --rel 0.5 --format json")
    assert "unless you lower rel" in output.err
    assert [point["precision"] for point in json.loads(output.out)] == pytest.approx([2 / 3] * 11)
    raw = json.loads(cranfield("curve graded r --rel 0.2 --points raw --format json").out)
    assert [(point["rank"], point["precision"]) for point in raw] == [(1, 1), (2, 1), (3, 1)]
    assert "rel is nan; expected a grade" in cranfield("curve graded r --rel nan").err


@pytest.mark.needs_extra("plot")
def test_the_curve_as_it_is_drawn(cranfield: Cranfield) -> None:
    """--plot draws a panel a run with a line a topic."""
    cranfield.run("curve qrels a b --points raw --plot raw.svg", "curve qrels a b --plot eleven.svg")
    raw, eleven = Path("raw.svg").read_text(), Path("eleven.svg").read_text()
    assert "not interpolated" in raw
    assert "not interpolated" not in eleven


def test_strata_of_which_nothing_is_judged_are_told(tmp_path: Path, cranfield: Cranfield) -> None:
    """Once for all runs, and only with measures that estimate by strata."""
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 d1 1 1\n1 0 d2 1 0\n1 0 d3 2 -1\n1 0 d4 2 -1\n2 0 d1 1 1\n2 0 d2 1 -1\n")
    runs = [tmp_path / f"{tag}.run" for tag in "ab"]
    for run in runs:
        run.write_text(f"1 Q0 d1 1 2.0 {run.stem}\n1 Q0 d3 2 1.0 {run.stem}\n2 Q0 d1 1 1.0 {run.stem}\n")
    named = ("--input-format", "qrels=sample-eval")
    output = cranfield("evaluate", qrels, *runs, "-m", "infNDCG", "-m", "xinfAP", *named)
    assert output.code == 0
    assert (
        output.err.count(
            "note: 1 stratum with 2 documents contains no judged document, for example in topic 1; these documents"
        )
        == 1
    )
    assert "stratum" not in cranfield("evaluate", qrels, *runs, "-m", "AP", *named).err


def test_no_feature_is_asked_without_its_options(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are scored without any feature; an option that the command does not know by itself is looked for in all."""
    with monkeypatch.context() as absent:
        for name in ("built_in_extensions", "features"):
            absent.setattr(hooks, name, lambda: pytest.fail("a feature was asked"))
        assert cranfield("evaluate qrels a -m AP --format=csv").out == "run,AP,Judged@10\na,0.3611111111111111,0.5\n"
    assert "--round and --judged need a store" in cranfield("evaluate qrels a --round 1").err


SHARES = {  # by cutoff: a's 6 documents of q1 have d1, d2, d3 at ranks 1, 3, 6; b's 2 of q2 are judged
    "a": {"Judged@1": 1.0, "Judged@5": 0.4, "Judged@10": 0.5},
    "b": {"Judged@1": 1.0, "Judged@5": 1.0, "Judged@10": 1.0},
}


@pytest.mark.parametrize(
    ("options", "cutoffs"),
    [("-m AP", [10]), ("-m AP --depth 5", [5]), ("-m P@1 -m AP -m nDCG@5", [1, 10, 5]), ("-m RR@5 -m P@5", [5])],
)
def test_every_cutoff_has_its_judged_share(cranfield: Cranfield, options: str, cutoffs: list[int]) -> None:
    """One column a cutoff, in every format; in JSON each score has the share within its own cutoff."""
    columns = [f"Judged@{cutoff}" for cutoff in cutoffs]
    head, *rows = [line.split(",") for line in cranfield(f"evaluate qrels a b {options} --format csv").out.splitlines()]
    assert head[-len(cutoffs) :] == columns
    assert [name for name in head if name.startswith("Judged")] == columns
    for row in rows:
        assert [float(cell) for cell in row[-len(cutoffs) :]] == [SHARES[row[0]][name] for name in columns]
    for form in ("table", "markdown", "latex"):
        output = cranfield("evaluate", "qrels", "a", "b", *options.split(), "--format", form).out
        assert [name in output for name in columns] == [True] * len(columns)
    scores = json.loads(cranfield(f"evaluate qrels a b {options} --format json").out)["scores"]
    depth = 5 if "--depth" in options else 10
    for score in scores:
        cutoff = score["measure"].partition("@")[2] or depth
        assert score["judged"] == SHARES[score["run"]][f"Judged@{cutoff}"]


def test_a_judged_share_that_is_asked_for_is_shown_once(cranfield: Cranfield) -> None:
    head = cranfield("evaluate qrels a -m Judged@10 -m AP --format csv").out.splitlines()[0]
    assert head == "run,Judged@10,AP"


@pytest.mark.parametrize("unjudged", ["", "q2 0 d9 -1\n"])
def test_qrels_of_relevant_documents_only_leave_the_share_undefined(cranfield: Cranfield, unjudged: str) -> None:
    """A grade of -1 says that nobody judged the document, so it is no judgment of "not relevant"."""
    Path("positives").write_text(QRELS.replace("q2 0 d9 0\n", unjudged))
    output = cranfield("evaluate positives a b -m AP -m P@5 --format json")
    assert {score["judged"] for score in json.loads(output.out)["scores"]} == {None}
    assert [line for line in output.err.splitlines() if "only relevant documents" in line] == [
        "note: the qrels list only relevant documents and do not show which documents were judged; Judged@5 and"
        " Judged@10 are undefined"
    ]
    assert cranfield("evaluate positives a -m AP --format csv").out.splitlines()[1].endswith(",")


@pytest.mark.parametrize("command", ["evaluate qrels a b", "compare qrels a b", "diagnose qrels a b --depth 2"])
def test_topics_without_relevant_documents_are_noted(cranfield: Cranfield, command: str) -> None:
    """By each command that scores runs, as most measures count 0 there; nothing where each topic has one."""
    note = "note: 1 of 3 judged topics has no relevant document; most measures score 0 there\n"
    assert note not in cranfield(command).err
    Path("qrels").write_text(f"{QRELS}q3 0 d1 0\n")
    result = cranfield(command)
    assert (result.code, result.err.count(note)) == (0, 1)


@pytest.mark.parametrize("score", ["inf", "-Infinity", "1e400"])
@pytest.mark.parametrize("command", ["evaluate qrels i", "compare qrels i a", "import runs t.db i"])
def test_infinite_scores_are_noted(cranfield: Cranfield, command: str, score: str) -> None:
    """They order documents as in trec_eval, which NaN cannot."""
    Path("i").write_text(f"q1 Q0 d1 1 2.5 i\nq1 Q0 x 2 {score} i\n")
    cranfield("init t.db --name x")
    result = cranfield(command)
    note = "note: i: 1 score is infinite; inf ranks first and -inf last, as in trec_eval; check the system that"
    assert (result.code, result.err.count(note)) == (0, 1)


@pytest.mark.parametrize("command", ["compare", "diagnose", "reusability"])
def test_other_commands_note_a_scale_of_the_grades_that_occur(cranfield: Cranfield, command: str) -> None:
    note = "note: ERR@10: 1, the highest grade in the judgments, is used as the highest grade of the scale; if"
    assert note in cranfield(command, "qrels", "a", "b", "-m", "ERR@10").err
    assert "highest grade" not in cranfield(command, "qrels", "a", "b", "-m", "ERR(max_grade=3)@10", "-m", "AP").err


@pytest.mark.parametrize("name", ["ERR@10", "nERR", "SDCG@10", "BPM@10", "INST"])
def test_a_scale_of_the_grades_that_occur_is_noted(cranfield: Cranfield, name: str) -> None:
    """In the command and in Python, unless an option or the store's scale has the highest grade."""
    bare, _, cutoff = name.partition("@")
    given = f"{bare}(max_grade=3)" + (f"@{cutoff}" if cutoff else "")
    found = f"{name}: 1, the highest grade in the judgments, is used as the highest grade of the scale"
    assert f"note: {found}; if the scale ends higher, use" in cranfield("evaluate", "qrels", "a", "b", "-m", name).err
    assert "highest grade" not in cranfield("evaluate", "qrels", "a", "b", "-m", given, "-m", "AP").err
    for top in (1, 3):
        scale = ",".join(f"{grade}={grade}" for grade in range(top + 1))
        cranfield("init", f"{top}.db", "--name", "x", "--scale", scale)
        cranfield("import", "qrels", f"{top}.db", "qrels")
        cranfield("import", "runs", f"{top}.db", "a", "b")
        said = (
            f"{found}, but the store's scale ends at 3; use {given}\n"
            in cranfield("evaluate", f"{top}.db", "-m", name).err
        )
        assert said is (top == 3)
    Path("c").write_text(RUN_A.replace(" a\n", " c\n") + RUN_B.replace(" b\n", " c\n"))
    Path("d").write_text(RUN_A.replace(" a\n", " d\n") + RUN_B.replace(" b\n", " d\n"))
    for function in (evaluate, compare):
        with warnings.catch_warnings(record=True, action="always") as several:
            function("qrels", ["c", "d"], measures=name)
        assert sum(found.partition(":")[2] in str(one.message) for one in several) == 1


def test_plain_files_need_few_modules() -> None:
    """A measure, a reader or a writer that no file and no option needs is not loaded."""
    if scanner_in_c() is None:
        pytest.skip("the slower reader of runs has modules of its own")
    n_modules, n_frames = walk("evaluate")
    assert n_modules <= 60
    assert n_frames <= 9


def test_a_run_whose_tag_is_the_name_of_a_field_is_plain(tmp_path: Path) -> None:
    """No module of another format is loaded for it."""
    path = tmp_path / "tagged"
    path.write_text("q1 Q0 d1 1 9.0 tag\n")
    with open_file(path) as source:
        assert is_plain_trec("run", source)
