"""What other tools write, as they write it: runs of ranx, rank_llm and MTEB, scores of trec_eval and MTEB."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cranfield import compare, evaluate
from cranfield.analysis.comparison import read_score_table
from cranfield.errors import InputError
from cranfield.formats import read_qrels, read_runs
from cranfield.formats.score_files import read_scores, read_topic_scores
from cranfield.formats.table import format_of
from tests.arrow import pa
from tests.conftest import Cranfield
from tests.files import json_lines
from tests.hardening.samples import cbor, lz4

RUN = {"q1": {"d1": 0.5, "d2": 2.0}, "q2": {"d1": -1e3}}
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\nq3 0 d1 1\n"


def rows(path: Path) -> dict[str, dict[str, float]]:
    run = read_runs(path)
    scores: dict[str, dict[str, float]] = {}
    for topic, document, score in zip(run.topic, run.document, run.score.tolist(), strict=True):
        scores.setdefault(run.topics.names[topic], {})[run.docnos.names[document]] = score
    return scores


def test_runs_of_ranx(tmp_path: Path) -> None:
    """Its .lz4 by its own writer, and ranxhub's; the run is named by the file."""
    ranx = pytest.importorskip("ranx", reason="needs ranx")
    from ranx import ranxhub

    ranx.Run(RUN, name="theirs").save(str(tmp_path / "mine.lz4"))
    (tmp_path / "card.yaml").write_text("run: {model: [bm25, 1.5, null, true]}\n")
    ranxhub.save(ranx.Run(RUN, name="theirs"), str(tmp_path / "card.yaml"), str(tmp_path / "hub.lz4"))
    assert rows(tmp_path / "mine.lz4") == rows(tmp_path / "hub.lz4") == RUN
    assert format_of("run", tmp_path / "mine.lz4") == "ranx"
    assert read_runs(tmp_path / "mine.lz4").tags == ("mine",)


@pytest.mark.parametrize("score", [0, 23, 24, -25, 300, 70_000, 2**40, 0.1, -1.5, 1e300])
def test_numbers_of_cbor(tmp_path: Path, score: float) -> None:
    """Integers of every size, and doubles."""
    (tmp_path / "a.lz4").write_bytes(lz4(lz4(cbor({"q": {"d": score}}))))
    assert rows(tmp_path / "a.lz4") == {"q": {"d": float(score)}}


def test_halves_and_singles_of_cbor(tmp_path: Path) -> None:
    for head, form, score in ((0xF9, ">e", 0.25), (0xFA, ">f", -2.5)):
        data = cbor({"q": {"d": 0}})[:-1] + bytes([head]) + struct.pack(form, score)
        (tmp_path / "a.lz4").write_bytes(lz4(lz4(data)))
        assert rows(tmp_path / "a.lz4") == {"q": {"d": score}}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (lambda: lz4(b"\x80"), "a value of another type; expected a map, at byte 1 of its CBOR"),
        (lambda: lz4(b"\xa1\x01\x01"), "a value of another type; expected a text"),
        (lambda: lz4(cbor({"q": {"d": "high"}})), "a value that is not a number; expected a score"),
        (lambda: lz4(cbor({"q": {"d": 1}})[:-1]), "the file ends too early"),
        (lambda: lz4(b"\xbf\xff"), "a value without a length"),
        (lambda: lz4(b"\xa1\x61\xff\xa0"), "an id that is not UTF-8"),
        (lambda: lz4(b"\xa1\x7b" + b"\xff" * 8), "the file ends too early"),
        (lambda: lz4(cbor({"q": {"d": 1}}))[:9], "the compressed data is truncated or damaged"),
        (lambda: b"\x04\x22\x4d\x18 nothing", "the compressed data is truncated or damaged"),
    ],
)
def test_what_is_no_run_of_ranx_is_told_why(tmp_path: Path, data: Callable[[], bytes], message: str) -> None:
    (tmp_path / "a.lz4").write_bytes(lz4(data()))
    with pytest.raises(InputError, match=message) as error:
        read_runs(tmp_path / "a.lz4")
    assert str(error.value).startswith(str(tmp_path / "a.lz4"))


def test_a_small_file_that_becomes_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a file is that of what is in it, however often it is compressed."""
    from cranfield.formats.files import limited

    (tmp_path / "a.lz4").write_bytes(lz4(lz4(bytes(3 << 20))))
    with limited(file="2M"), pytest.raises(InputError, match="allow twice as much with --max-file 4M"):
        read_runs(tmp_path / "a.lz4")


REQUESTS = [
    {"query": {"text": "lift", "qid": "q1"}, "candidates": [
        {"docid": "d2", "score": 2.0, "doc": {"contents": "x"}}, {"docid": "d1", "score": 0.5, "doc": {}}]},
    {"query": {"text": "drag", "qid": "q2"}, "candidates": [{"docid": "d1", "score": -1e3, "doc": {}}]},
]  # fmt: skip


def test_runs_of_rank_llm(tmp_path: Path) -> None:
    """JSONL and JSON; whole numbers as ids are text."""
    (tmp_path / "a.jsonl").write_text(json_lines(REQUESTS))
    (tmp_path / "b.json").write_text(json.dumps(REQUESTS, indent=2))
    assert rows(tmp_path / "a.jsonl") == rows(tmp_path / "b.json") == RUN
    (tmp_path / "c.jsonl").write_text('{"query": {"qid": 7}, "candidates": [{"docid": 3, "score": 1}]}\n')
    assert rows(tmp_path / "c.jsonl") == {"7": {"3": 1.0}}


def test_the_writer_of_rank_llm(tmp_path: Path) -> None:
    """Its own files give the scores of the run that it writes of the same."""
    data = pytest.importorskip("rank_llm.data", reason="needs rank_llm")
    results = [
        data.Result(data.Query(**one["query"]), [data.Candidate(**candidate) for candidate in one["candidates"]])  # type: ignore[arg-type]
        for one in REQUESTS
    ]
    writer = data.DataWriter(results)
    writer.write_in_jsonl_format(str(tmp_path / "a.jsonl"))
    writer.write_in_json_format(str(tmp_path / "b.json"))
    writer.write_in_trec_eval_format(str(tmp_path / "c.txt"))
    assert rows(tmp_path / "a.jsonl") == rows(tmp_path / "b.json") == rows(tmp_path / "c.txt") == RUN


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"query": {"text": "a"}, "candidates": []}',
            "a, entry 1: the query lacks a qid, or the candidates are missing",
        ),
        ('{"query": {"qid": 1}}', "a, entry 1: the query lacks a qid, or the candidates are missing"),
        ('{"query": {"qid": 1}, "candidates": [{"docid": "d"}]}', "score is null; expected text or a number"),
        ('{"query": {"qid": 1}, "candidates": {}}', "candidates is {}; expected a list of objects"),
        (
            '{"mteb_model_meta": {}, "default": {"dev": {}, "test": {}}}',
            "the subsets and splits default, dev; default, test",
        ),
        ('{"mteb_model_meta": {}}', "the subsets and splits none"),
        ('{"mteb_model_meta": {}, "default": {"test": [1, 0]}}', r"default, test is \[1, 0\]; expected an object"),
        ('{"mteb_model_meta": {}, "default": {"test": {"q": 1}}}', "topic q is 1; expected an object"),
    ],
)
def test_what_is_wrong_in_their_json(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(InputError, match=message):
        read_runs(tmp_path / "a")


def test_predictions_of_mteb(tmp_path: Path) -> None:
    """The model is the tag."""
    meta = {"model_name": "intfloat/e5", "revision": "1"}
    (tmp_path / "NFCorpus_predictions.json").write_text(json.dumps({"mteb_model_meta": meta, "default": {"test": RUN}}))
    assert rows(tmp_path / "NFCorpus_predictions.json") == RUN
    assert read_runs(tmp_path / "NFCorpus_predictions.json").tags == ("intfloat/e5",)


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """Two runs, and what trec_eval prints of each, in a folder."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("a").write_text("q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\nq2 Q0 d1 1 1 a\n")
    Path("b").write_text("q1 Q0 d2 1 2 b\nq1 Q0 d1 2 1 b\nq2 Q0 d1 1 1 b\n")
    Path("printed").mkdir()
    for run in "ab":
        Path(f"printed/{run}.txt").write_text(cranfield("trec-eval", "-q", "-c", "qrels", run).out)
    return tmp_path


def test_output_of_trec_eval(outputs: Path, cranfield: Cranfield) -> None:
    """By topic and over all, under our names, to its four decimals; counts that are not the run's are left."""
    table = read_score_table(Path("printed/a.txt"))
    assert table is not None
    assert table["AP"] == {"a": 0.6667}
    assert not {"NumQ", "NumRel", "runid", "map"} & {*table}
    with pytest.warns(UserWarning, match="did not answer all 3 judged topics"):
        theirs = compare(evaluate("qrels", ["a", "b"], measures="AP", per_topic=True).frame).frame
    columns = ["run_a", "mean_a", "run_b", "mean_b", "topics"]
    for paths in (["printed"], ["printed/a.txt", "printed/b.txt"]):
        result = json.loads(cranfield("compare", *paths, "-m", "AP", "--format", "json").out)
        (pair,) = result["pairs"]
        assert [pair[name] for name in columns] == pytest.approx(theirs[columns].values.tolist()[0])


def test_topics_without_scores_are_told(outputs: Path, cranfield: Cranfield) -> None:
    """Without -c, trec_eval prints no line for a topic that a run did not answer."""
    more = "map                   \tq4\t0.5000\n"
    Path("printed/a.txt").write_text(more + Path("printed/a.txt").read_text())
    result = cranfield("compare printed -m AP")
    line = (
        "1 of 2 runs lacks scores for some of the 4 topics; each pair is compared on the topics for which both runs"
        " have scores"
    )
    assert (result.code, line in result.err) == (0, True)
    assert line not in cranfield("compare printed -m AP --topics common").err


def test_outputs_one_after_the_other(outputs: Path, cranfield: Cranfield) -> None:
    """Each run has the name that trec_eval gives it; without the means, that of the file."""
    both = "".join(Path(f"printed/{run}.txt").read_text() for run in "ab")
    Path("both.txt").write_text(both)
    assert read_scores(Path("both.txt")) == read_scores(Path("printed"))
    Path("alone.txt").write_text(cranfield("trec-eval -q -n qrels a").out)
    table = read_topic_scores(Path("alone.txt"))
    assert table is not None
    assert table["run"].unique().tolist() == ["alone"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("map                   \tall\t0.5\nmap \t0.5\n", "a.txt:2: 2 columns where trec_eval writes 3: measure"),
        ("map                   \tall\tgood\n", "a.txt:1: map of a is 'good'; expected a number"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_output_of_trec_eval(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(InputError, match=message):
        read_scores(tmp_path / "a.txt")


def test_a_run_is_no_output_of_trec_eval(tmp_path: Path) -> None:
    """Three columns with tabs are MS MARCO's."""
    (tmp_path / "a").write_text("1048585\t7187158\t1\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a").write_text("q1 Q0 d1 1 2 a\n")
    assert read_scores(tmp_path / "a") is None
    assert read_scores(tmp_path / "runs") is None


SCORES = {f"q{number}": number / 10 for number in range(1, 10)}
SCORE_FILES = {
    "trec_eval without padding": "".join(f"map\t{qid}\t{score}\n" for qid, score in SCORES.items()) + "map\tall\t0.5\n",
    "ir_measures": "".join(f"{qid}\tAP\t{score:.4f}\n" for qid, score in SCORES.items()) + "all\tAP\t0.5000\n",
    "pytrec_eval": json.dumps({qid: {"map": score, "P_5": 0.2} for qid, score in SCORES.items()}, indent=1),
}


@pytest.mark.parametrize("program", SCORE_FILES)
def test_scores_of_each_program_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, program: str
) -> None:
    """They were read as qrels and runs with measures as documents; two programs may call a measure differently."""
    monkeypatch.chdir(tmp_path)
    Path("a").write_text(SCORE_FILES[program])
    Path("b").write_text("".join(f"map\t{qid}\t{score / 2}\n" for qid, score in SCORES.items()))
    result = cranfield("compare a b -m AP --format json")
    assert (result.code, "read as" in result.err) == (0, False)
    (pair,) = json.loads(result.out)["pairs"]
    assert (pair["run_a"], pair["mean_a"], pair["mean_b"], pair["topics"]) == ("a", pytest.approx(0.5), 0.25, 9)
    Path("run").write_text("q1 Q0 map 1 2 a\n")
    refused = cranfield("evaluate a run")
    assert (refused.code, "this looks like scores by" in refused.err or "scores by the measure" in refused.err) == (
        1,
        True,
    )


def test_a_document_called_as_a_measure_is_one(tmp_path: Path) -> None:
    """In lines of other values, and where a format is named."""
    (tmp_path / "qrels").write_text("1\tAP\t1\n1\tP\t0\n")
    assert read_qrels(tmp_path / "qrels").docnos.names.tolist() == ["AP", "P"]
    (tmp_path / "named.json").write_text('{"1": {"AP": 1}}')
    with pytest.raises(InputError, match="scores by the measure 'AP'"):
        read_qrels(tmp_path / "named.json")
    assert read_qrels(tmp_path / "named.json", format="json").docnos.names.tolist() == ["AP"]


def result_of_mteb(task: str, *scores: float, subsets: tuple[str, ...] = ("default",)) -> str:
    """What MTEB writes of a model and a task."""
    of = [
        {"ndcg_at_10": score, "map_at_100": score / 2, "nauc_ndcg_at_10_max": 0.1, "main_score": score,
         "hf_subset": subset, "languages": ["eng-Latn"]}
        for score, subset in zip(scores, subsets, strict=True)
    ]  # fmt: skip
    about: dict[str, Any] = {"dataset_revision": "1", "task_name": task, "mteb_version": "2.26.24"}
    return json.dumps({**about, "scores": {"test": of}, "evaluation_time": 9.5, "kg_co2_emissions": None}, indent=2)


def test_results_of_mteb(tmp_path: Path, cranfield: Cranfield) -> None:
    """A folder of models is a table of systems; measures say the task where there are two."""
    for name, here, there in (("a/small", 0.3, 0.5), ("a/base", 0.4, 0.6), ("b/large", 0.5, 0.55)):
        folder = tmp_path / "results" / name.replace("/", "__") / "1"
        folder.mkdir(parents=True)
        (folder / "model_meta.json").write_text(json.dumps({"name": name}))
        (folder / "NFCorpus.json").write_text(result_of_mteb("NFCorpus", here))
        (folder / "SciFact.json").write_text(result_of_mteb("SciFact", there))
    table = read_scores(tmp_path / "results")
    assert table is not None
    assert table["nDCG@10 (NFCorpus)"] == {"a/small": 0.3, "a/base": 0.4, "b/large": 0.5}
    assert {*table} == {f"{m} ({t})" for m in ("nDCG@10", "AP@100", "main_score") for t in ("NFCorpus", "SciFact")}
    result = cranfield("correlate", tmp_path / "results", "-m", "nDCG@10 (NFCorpus)", "-m", "nDCG@10 (SciFact)",
                       "--format", "json")  # fmt: skip
    (one,) = json.loads(result.out)["comparisons"]
    assert one["coefficients"]["tau_b"] == pytest.approx(1 / 3)


def test_one_result_of_mteb(tmp_path: Path) -> None:
    """Its model is that of the file beside it, or the file; subsets are told apart."""
    path = tmp_path / "NFCorpus.json"
    path.write_text(result_of_mteb("NFCorpus", 0.3))
    assert read_scores(path) == {
        "nDCG@10": {"NFCorpus": 0.3},
        "AP@100": {"NFCorpus": 0.15},
        "main_score": {"NFCorpus": 0.3},
    }
    path.write_text(result_of_mteb("NFCorpus", 0.3, 0.4, subsets=("en", "de")))
    assert {*(read_scores(path) or {})} >= {"nDCG@10 (en)", "nDCG@10 (de)"}
    with pytest.raises(InputError, match="the file contains means; expected scores by topic"):
        read_topic_scores(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"dataset_revision": "1", "test": {"en": {"main_score": 1}}}', "no scores with a task_name"),
        ('{"task_name": "a", "scores": {"test": 7}}', "scores of test are 7; expected a list of objects"),
        ('{"task_name": "a", "scores": ', "not JSON"),
        ('{"task_name": "a", "scores": {"test": [{"ndcg_at_10": "x"}]}}', "is 'x'; expected a number"),
    ],
)
def test_what_is_wrong_in_results_of_mteb(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=message):
        read_scores(tmp_path / "a.json")


def test_a_folder_of_scores_has_nothing_else(outputs: Path) -> None:
    Path("printed/c").write_text("q1 Q0 d1 1 2 a\n")
    with pytest.raises(InputError, match=r"printed/c: not a score file, although this folder contains score files"):
        read_scores(Path("printed"))


@pytest.mark.full
def test_lz4_is_a_compression(tmp_path: Path, cranfield: Cranfield, workshop: Path) -> None:
    """Of any file, read and written."""
    (tmp_path / "a.run.lz4").write_bytes(lz4(b"q1 Q0 d1 1 2 a\n"))
    assert rows(tmp_path / "a.run.lz4") == {"q1": {"d1": 2.0}}
    assert cranfield("export", "qrels", workshop, tmp_path / "out.lz4").code == 0
    plain = tmp_path / "out.txt"
    assert cranfield("export", "qrels", workshop, plain).code == 0
    with pa.CompressedInputStream(pa.memory_map(str(tmp_path / "out.lz4")), "lz4") as stream:
        assert stream.read() == plain.read_bytes()
