"""Documents whose id is the id of their topic: noted, and removed from runs and judgments with --ignore-own-id."""

import json
from pathlib import Path

import pytest

import cranfield as package
from tests.conftest import Cranfield
from tests.files import qrels_lines, run_lines

QRELS = "q1 0 q1 1\nq1 0 d1 1\nq1 0 d2 0\nq2 0 d2 1\nq2 0 d1 0\n"
RUN_A = "q1 Q0 q1 1 3 a\nq1 Q0 d1 2 2 a\nq2 Q0 q2 1 3 a\nq2 Q0 d2 2 2 a\n"
RUN_B = "q1 Q0 d2 1 3 b\nq1 Q0 d1 2 2 b\nq2 Q0 d2 1 3 b\n"
NOTE = "2 retrieved and 1 judged documents have the id of their topic; remove them from runs and"
WITHOUT = {"a": 1.0, "b": 0.75}  # AP once q1 and q2 are removed
WITH = {"a": 0.75, "b": 0.625}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in {"qrels": QRELS, "a": RUN_A, "b": RUN_B}.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)


def scores_in(output: str) -> dict[str, float]:
    return {score["run"]: score["value"] for score in json.loads(output)["scores"]}


@pytest.mark.parametrize("form", ["trec", "json"])
def test_files_are_scored_without_documents_that_are_the_topic(cranfield: Cranfield, form: str) -> None:
    """In TREC's form, which a scanner reads, and in JSON, which is read whole."""
    files = ["qrels", "a", "b"]
    if form == "json":
        for name in "ab":
            run: dict[str, dict[str, float]] = {}
            for line in Path(name).read_text().splitlines():
                qid, _, docno, _, score, _ = line.split()
                run.setdefault(qid, {})[docno] = float(score)
            Path(f"{name}.json").write_text(json.dumps(run))
        files = ["qrels", "a.json", "b.json"]
    words = ["evaluate", *files, "-m", "AP", "--format", "json"]
    plain = cranfield(*words)
    assert scores_in(plain.out) == WITH
    assert plain.err.count(NOTE) == 1
    ignoring = cranfield(*words, "--ignore-own-id")
    assert scores_in(ignoring.out) == WITHOUT
    assert "own-id" not in ignoring.err


def test_the_note_needs_no_scanner(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_NO_SCANNER", "1")
    found = cranfield("evaluate", "qrels", "a", "b", "-m", "AP", "--format", "json")
    assert scores_in(found.out) == WITH
    assert found.err.count(NOTE) == 1


def test_dicts_and_frames_are_scored_the_same() -> None:
    qrels = {"q1": {"q1": 1, "d1": 1, "d2": 0}, "q2": {"d2": 1, "d1": 0}}
    run = {"q1": {"q1": 3.0, "d1": 2.0}, "q2": {"q2": 3.0, "d2": 2.0}}
    table = package.evaluate(qrels, {"a": run}, measures="AP", ignore_own_id=True).frame
    assert table["value"].tolist() == [WITHOUT["a"]]
    for runs in ({"a": run}, package.read_runs(["a"])):
        with pytest.warns(UserWarning, match="2 retrieved and 1 judged documents have the id of their topic"):
            assert package.evaluate(qrels, runs, measures="AP").frame["value"].tolist() == [WITH["a"]]
        table = package.evaluate(qrels, runs, measures="AP", ignore_own_id=True).frame
        assert table["value"].tolist() == [WITHOUT["a"]]


@pytest.mark.parametrize(
    "words",
    [
        "compare qrels a b -m AP", "reusability qrels a b", "diagnose qrels a b", "curve qrels a b",
        "stability qrels a b",        "correlate qrels a b", "pool verify qrels a b", "topics hardness qrels a b",
    ],
)  # fmt: skip
def test_every_analysis_of_runs_and_judgments_has_the_option(cranfield: Cranfield, words: str) -> None:
    """Each gives what it gives of files without such documents."""
    for name in ("qrels", "a", "b"):
        lines = Path(name).read_text().splitlines(keepends=True)
        Path(f"{name}.clean").write_text("".join(line for line in lines if line.split()[0] != line.split()[2]))
    ignoring = cranfield(*words.split(), "--ignore-own-id")
    clean = cranfield(*[f"{word}.clean" if word in ("qrels", "a", "b") else word for word in words.split()])
    assert (ignoring.code, ignoring.out.replace(".clean", "")) == (clean.code, clean.out.replace(".clean", ""))


@pytest.mark.parametrize("form", ["files", "dicts"])
def test_ids_that_are_equal_by_chance_are_not_noted(cranfield: Cranfield, form: str) -> None:
    """Topics and documents numbered from 1: a few topics retrieve the document of their number, at any rank."""
    run = {
        str(topic): {str((topic + 37 * rank) % 500): float(-rank) for rank in range(1, 200)} for topic in range(1, 51)
    }
    qrels = {qid: dict.fromkeys([*list(ranking)[:5], qid], 1) for qid, ranking in run.items()}
    run["1"]["1"] = 1.0  # by chance at the first rank
    assert sum(qid in ranking for qid, ranking in run.items()) >= 1
    if form == "dicts":
        package.evaluate(qrels, {"a": run}, measures="AP")  # a warning would be an error
        run |= {qid: {**run[qid], qid: 1.0} for qid in list(run)[:10]}
        with pytest.warns(UserWarning, match="have the id of their topic"):
            package.evaluate(qrels, {"a": run}, measures="AP")
        return
    Path("chance").write_text(run_lines("a", {qid: sorted(r, key=lambda d: -r[d]) for qid, r in run.items()}))
    Path("judged").write_text(qrels_lines(qrels))
    assert "id of their topic" not in cranfield("evaluate", "judged", "chance").err
    cranfield.out("init", "chance.db", "--name", "chance")
    assert "id equals the topic id" not in cranfield("import", "runs", "chance.db", "chance").err


def test_files_of_scores_refuse_it(cranfield: Cranfield) -> None:
    for name in ("one", "two"):
        Path(name).write_text("run,AP\na,0.5\nb,0.25\nc,0.125\n")
    assert "--ignore-own-id needs runs" in cranfield.error("correlate one two --ignore-own-id")


def test_a_store_is_scored_without_them_and_an_import_leaves_them_out(cranfield: Cranfield) -> None:
    """Stored runs keep their documents unless the import leaves them out; both give the same scores."""
    documents = "".join(f'{{"_id": "{docno}", "text": "word"}}\n' for docno in ("q1", "q2", "d1", "d2"))
    Path("corpus.jsonl").write_text(documents)
    Path("topics.tsv").write_text("q1\tone\nq2\ttwo\n")
    for store in ("kept.db", "left.db"):
        cranfield.out("init", store, "--name", "own", "--scale", "0=no,1=yes")
        cranfield.out("import", "corpus", store, "corpus.jsonl")
        cranfield.out("import", "topics", store, "topics.tsv")
        cranfield.out("import", "qrels", store, "qrels")
    kept = cranfield("import", "runs", "kept.db", "a", "b")
    assert "stored 2 retrieved documents whose id equals the topic id; --ignore-own-id" in kept.err
    left = cranfield("import", "runs", "left.db", "a", "b", "--ignore-own-id")
    assert "omitted 2 retrieved documents whose id equals the topic id" in left.err
    words = ["-m", "AP", "--format", "json"]
    assert scores_in(cranfield("evaluate", "kept.db", *words).out) == WITH
    assert scores_in(cranfield("evaluate", "kept.db", *words, "--ignore-own-id").out) == WITHOUT
    assert scores_in(cranfield("evaluate", "left.db", *words, "--ignore-own-id").out) == WITHOUT
    means = cranfield("compare", "kept.db", "-m", "AP", "--format", "json", "--ignore-own-id").out
    assert json.loads(means)["pairs"][0]["mean_a"] == WITHOUT["a"]


@pytest.mark.parametrize("command", ["evaluate", "compare", "reusability --depth 1"])
def test_a_topic_that_only_its_own_document_was_judged_for_is_noted_once(cranfield: Cranfield, command: str) -> None:
    Path("qrels").write_text(QRELS + "q3 0 q3 1\n")
    result = cranfield(*command.split(), "qrels", "a", "b", "--ignore-own-id")
    assert result.err.count("1 topic does not count, because the only judged document has") == 1
    assert "the topic's id: q3" in " ".join(result.err.split())


def test_such_a_topic_is_a_warning_in_python() -> None:
    qrels = {"q1": {"q1": 1}, "q2": {"d": 1}}
    with pytest.warns(
        UserWarning, match=r"1 topic does not count, because the only judged document has the topic's id: q1"
    ):
        table = package.evaluate(qrels, {"q2": {"d": 1.0}}, measures="AP", ignore_own_id=True).frame
    assert table["value"].tolist() == [1.0]
