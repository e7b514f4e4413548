"""The programs in the docs do what their pages say."""

import json
import random
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.docs.programs import post_json, run_program, serve_program, start_program, text_of_page, write_programs
from tests.files import qrels_lines, run_lines
from tests.stores import new_file

pytestmark = pytest.mark.full

DRAW = random.Random(1)
DOCNOS = [f"d{number}" for number in range(100)]
QRELS = {f"q{topic}": {docno: DRAW.choice([0, 0, 1, 2]) for docno in DRAW.sample(DOCNOS, 40)} for topic in range(10)}
MEASURES = ["nDCG@10", "AP"]


def serve_judgments(folder: Path, lines: str) -> AbstractContextManager[int]:
    """Serve the service of operate/service.md with these judgments."""
    pytest.importorskip("fastapi", reason="needs fastapi (pip install 'cranfield[test]')")
    pytest.importorskip("uvicorn", reason="needs uvicorn (pip install 'cranfield[serve]')")
    write_programs(text_of_page("operate/service.md"), folder)
    (folder / "qrels.txt").write_text(lines)
    return serve_program(folder)


def random_run(seed: int) -> dict[str, dict[str, float]]:
    """A run that answers some of the topics."""
    draw = random.Random(seed)
    qids = draw.sample(sorted(QRELS), draw.randrange(5, 11))
    return {qid: {docno: draw.random() for docno in draw.sample(DOCNOS, 30)} for qid in qids}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of the service."""
    with serve_judgments(tmp_path_factory.mktemp("service"), qrels_lines(QRELS)) as port:
        yield port


def answer_of(port: int, body: object) -> tuple[int, Any]:
    status, text = post_json(port, "/scores", json.dumps(body).encode())
    return status, json.loads(text)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")  # which the notes repeat
def test_concurrent_requests_get_the_figures_and_notes_of_their_run(service: int) -> None:
    """To the last bit, while other requests are answered, some of which are errors."""
    runs = [random_run(seed) for seed in range(60)]
    wrong = {"unknown": {"d1": 1.0}}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda run: answer_of(service, run), [run for one in runs for run in (one, wrong)]))
    for run, (status, answer) in zip(runs, found[::2], strict=True):
        result = cranfield.evaluate(QRELS, run, MEASURES)
        (row,) = result.rows()
        assert (status, answer) == (200, {"scores": {m: row[m] for m in MEASURES}, "notes": list(result.notes)})
    assert {status for status, _ in found[1::2]} == {422}
    assert len({str(answer) for _, answer in found[1::2]}) == 1
    assert len({str(answer["notes"]) for _, answer in found[::2]}) > 1


def test_the_answer_is_that_of_the_page(tmp_path: Path) -> None:
    page = text_of_page("operate/service.md")
    with serve_judgments(tmp_path, page.split("```text\n")[1].split("```")[0]) as port:
        status, answer = post_json(port, "/scores", page.split("-d '")[1].split("'")[0].encode())
    assert (status, answer.decode()) == (200, page.split("```json\n")[1].split("\n```")[0])


def test_what_is_not_a_run_is_an_error_of_the_client(service: int) -> None:
    """A string is never opened as a path."""
    wrong = ["qrels.txt", {"q1": "qrels.txt"}, {"q1": ["d1"]}, {"q1": {"d1": "x"}}, {"q1": {"d1": float("nan")}}, []]
    assert [answer_of(service, body)[0] for body in wrong] == [422] * len(wrong)
    assert answer_of(service, {"q1": {"d1": float("nan")}})[1] == {
        "detail": "run 'run', topic 'q1', document 'd1': the score is nan; expected a number"
    }


def test_trials_in_threads_have_the_figures_of_processes(tmp_path: Path) -> None:
    """They share one evaluator."""
    pytest.importorskip("joblib")
    write_programs(text_of_page("operate/parallel.md"), tmp_path)
    (tmp_path / "qrels.txt").write_text(qrels_lines(QRELS))
    (tmp_path / "runs").mkdir()
    for number, tag in enumerate(("bm25", "lsa")):
        run = {qid: DRAW.sample(DOCNOS, 30 - number) for qid in QRELS}
        (tmp_path / "runs" / f"{tag}.run").write_text(run_lines(tag, run))
    found = {how: run_program(tmp_path, "sweep.py", how) for how in ("processes", "threads")}
    assert found["threads"] == found["processes"]
    assert len({*found["threads"].splitlines()}) == 6


@pytest.fixture
def command_line(request: pytest.FixtureRequest) -> Cranfield:
    """The commands; the module of the same name is imported above."""
    found: Cranfield = request.getfixturevalue("cranfield")
    return found


@pytest.fixture
def shared_store(tmp_path: Path) -> Path:
    """A store for which two programs of operate/open-store.md are in the same folder."""
    write_programs(text_of_page("operate/open-store.md"), tmp_path)
    docnos = [f"d{number}" for number in range(60)]
    path = new_file(tmp_path / "track.db", documents=docnos, topics=["1"])
    cranfield.store.import_runs(path, {"a": {"1": {docno: -float(rank) for rank, docno in enumerate(docnos)}}})
    return path


def lines_until(program: "subprocess.Popen[str]", start: str) -> str:
    """The first line with this start that a program prints."""
    assert program.stdout
    return next(line for line in program.stdout if line.startswith(start))


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")  # of labels of documents that no run has
def test_an_open_store_sees_each_change_of_other_programs(shared_store: Path, command_line: Cranfield) -> None:
    """Labels, a run and documents that a command imports while the program has the store open."""
    (shared_store.parent / "qrels.txt").write_text("1 0 d1 1\n1 0 e1 1\n")
    (shared_store.parent / "b.run").write_text("1 Q0 e1 1 2 b\n")
    [printed] = re.findall(
        r"^```text\n(2 labels.*?)```", text_of_page("operate/open-store.md"), re.MULTILINE | re.DOTALL
    )
    labels, run, last = printed.splitlines(keepends=True)
    with start_program(shared_store.parent, "watch.py", "0.01") as watch:
        assert lines_until(watch, "0 labels").startswith("0 labels, track.db: ")
        command_line.out("import", "qrels", shared_store, shared_store.parent / "qrels.txt", "--assessor", "ada")
        assert lines_until(watch, "2 labels") == labels
        command_line.out("import", "runs", shared_store, shared_store.parent / "b.run")
        assert lines_until(watch, "2 labels, b") == run
        cranfield.store.import_qrels(shared_store, {"1": {"d0": 1}}, assessor="kim", kind="human")
        assert lines_until(watch, "3 labels") == last


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_no_label_is_lost_next_to_other_writers(shared_store: Path, command_line: Cranfield) -> None:
    """Two programs that keep the store open and a command write at the same time; each acknowledged label is there."""
    folder, each = shared_store.parent, 20
    (folder / "qrels.txt").write_text("".join(f"1 0 d{place} 1\n" for place in range(2 * each, 3 * each)))
    with start_program(folder, "record.py") as first, start_program(folder, "record.py") as second:
        for number, program in enumerate((first, second)):
            assert program.stdin
            docnos = [f"d{place}" for place in range(number * each, (number + 1) * each)]
            label = {"topic": "1", "grade": 1, "assessor": f"person {number}"}
            program.stdin.write("".join(json.dumps({**label, "document": docno}) + "\n" for docno in docnos))
            program.stdin.close()
        command_line.out("import", "qrels", shared_store, folder / "qrels.txt", "--assessor", "ada")
        for program in (first, second):
            assert program.stdout
            assert sum(line.startswith("stored") for line in program.stdout) == each
            assert program.wait() == 0
    assert sorted(cranfield.read_qrels(shared_store)["doc_id"]) == sorted(f"d{place}" for place in range(3 * each))
    assert f"{3 * each} events" in command_line.out("store", "verify", shared_store)
    with Store.open(shared_store) as store:
        assert store.counts()["judgment_event"] == 3 * each


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_a_label_that_is_sent_twice_is_stored_once(shared_store: Path) -> None:
    """Another grade of the same person replaces it, and the log has both."""
    labels = [{"topic": "1", "document": "d1", "grade": grade, "assessor": "ada"} for grade in (1, 1, 0)]
    with start_program(shared_store.parent, "record.py") as record:
        printed, _ = record.communicate("".join(json.dumps(label) + "\n" for label in labels))
        assert record.returncode == 0
    assert printed.count("stored") == 3
    assert cranfield.read_qrels(shared_store)["relevance"].tolist() == [0]
    with Store.open(shared_store) as store:
        assert store.counts()["judgment_event"] == 2
