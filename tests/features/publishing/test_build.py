"""What a published folder has, and what it never shows."""

import gzip
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import InputError
from cranfield.features.models.calls import AuditedPair, add_audit
from cranfield.features.publishing.formats import CORPUS, JUDGMENTS, QRELS, QUERIES, read_table, write_shards
from cranfield.features.publishing.gathering import check_publishable, notes
from cranfield.features.publishing.manifest import files_below
from cranfield.features.publishing.publication import PublishOptions
from cranfield.features.publishing.store.published import left_out
from cranfield.formats import read_metadata, read_qrels, read_runs
from cranfield.formats.runs.files import START, metadata_path
from cranfield.judging.labels.choice import undecided_pairs
from cranfield.metrics.inputs import as_qrels
from cranfield.report.facts import fingerprint
from cranfield.selection import release_path
from cranfield.store.log import add_assessor
from cranfield.store.qrels import import_qrels
from cranfield.store.releases import make_release
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.conftest import ROOT, Cranfield
from tests.features.publishing.conftest import TARGETS, build_draft
from tests.features.publishing.stores import ASSESSORS, WORDS
from tests.stores import new_store

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("arrow", "files", "report")]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path."""
    return {path: (folder / path).read_bytes() for path in files_below(folder)}


def readable(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file as text: compressed ones as they are read, of tables every cell."""
    from pyarrow import parquet

    for path, content in contents(folder).items():
        if path.endswith(".parquet"):
            yield (
                path,
                "\n".join(str(cell) for row in parquet.read_table(folder / path).to_pylist() for cell in row.values()),
            )
        else:
            yield path, (gzip.decompress(content) if path.endswith(".gz") else content).decode()


def test_it_has_what_the_store_has(workshop_folder: Path) -> None:
    data = workshop_folder / "data"
    [corpus] = (data / "corpus").iterdir()
    counts = [
        len(list(read_table(path, columns)))
        for path, columns in (
            (corpus, CORPUS),
            (data / "queries" / "test.parquet", QUERIES),
            (data / "qrels" / "test.parquet", QRELS),
            (data / "log" / "judgments.parquet", JUDGMENTS),
        )
    ]
    assert counts == [232, 25, 1028, 1227]
    grades = [row[2] for row in read_table(data / "qrels" / "test.parquet", QRELS)]
    assert [grades.count(grade) for grade in (0, 1, 2)] == [813, 150, 65]


ELSEWHERE = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "COLUMNS": "40", "HOME": "/nonexistent"}
IN_ANOTHER_PROCESS = """
import sys
from pathlib import Path
from tests.features.publishing.conftest import TARGETS, build_draft
build_draft(Path(sys.argv[1]), Path("again"), *TARGETS[1:])
"""


def test_the_same_bytes_wherever_it_is_built(
    small: Path, published_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another time zone, with another zlib, folders and rows of queries in another order, another umask."""
    compressobj, listdir, connect = zlib.compressobj, os.listdir, sqlite3.connect

    def connect_without_order(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.execute("PRAGMA reverse_unordered_selects = ON")
        return connection

    with monkeypatch.context() as elsewhere:
        for name, value in ELSEWHERE.items():
            elsewhere.setenv(name, value)
        time.tzset()
        elsewhere.setattr(zlib, "compressobj", lambda level, *others, **named: compressobj(1, *others, **named))
        elsewhere.setattr(os, "listdir", lambda *path: sorted(listdir(*path), reverse=True))
        elsewhere.setattr(sqlite3, "connect", connect_without_order)
        umask = os.umask(0o077)
        again = build_draft(small, tmp_path / "again", *TARGETS[1:])
        os.umask(umask)
    time.tzset()
    assert contents(again) == contents(published_folder)


@pytest.mark.daily
def test_the_same_bytes_in_another_order_of_sets(small: Path, published_folder: Path, tmp_path: Path) -> None:
    there = {**os.environ, **ELSEWHERE, "PYTHONHASHSEED": "7", "PYTHONUTF8": "0", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", IN_ANOTHER_PROCESS, small], cwd=tmp_path, env=there, check=True)
    assert contents(tmp_path / "again") == contents(published_folder)


def test_nobody_is_named_and_no_note_is_shown(published_folder: Path) -> None:
    for path, text in readable(published_folder):
        for secret in (*ASSESSORS, "private note", "10:11:12.345", "3.4567", "I know"):
            assert secret not in text, path


def test_everybody_is_named_who_agreed(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    consents = tmp_path / "consents"
    consents.write_text(f"{ASSESSORS[0]}\n")
    build = ("publish", "build", small, tmp_path / "full", "--draft", "--as", "beir", "--policy", "primary")
    words = (*build, "--log", "full")
    refusal = cranfield(*words, "--consents", consents)
    assert (refusal.code, "bob@example.org" in refusal.err, (tmp_path / "full").exists()) == (1, True, False)
    consents.write_text("\n".join(ASSESSORS))
    assert cranfield(*words, "--consents", consents).code == 0
    rows = list(read_table(tmp_path / "full" / "log" / "judgments.parquet", JUDGMENTS))
    assert (rows[0][5], rows[0][12], "private note" in rows[0][9]) == (ASSESSORS[0], 3.4567, True)


def test_without_texts_nothing_of_them_is_there(small: Path, tmp_path: Path) -> None:
    folder = build_draft(small, tmp_path / "hashes", *TARGETS[1:-1], text=False)
    with Store.open(small) as store:
        texts = [document.text for document in store.documents()]
    pieces = {text[start : start + 40] for text in texts for start in range(len(text) - 39)}
    topics = "\n".join(text for path, text in readable(folder) if "queries" in path)  # they are published
    for path, text in readable(folder):
        there = {text[start : start + 40] for start in range(len(text) - 39)}
        assert not {piece for piece in pieces & there if piece not in topics}, path
    assert WORDS[:40] in next(iter(pieces)) or any(WORDS[:40] in piece for piece in pieces)


def test_the_split_parts_the_topics(small: Path, tmp_path: Path) -> None:
    folder = build_draft(small, tmp_path / "split", "beir", split=("q1",))
    qids = {
        split: [row[0] for row in read_table(folder / "queries" / f"{split}.parquet", QUERIES)]
        for split in ("test", "train")
    }
    assert qids == {"test": ["q1"], "train": ["q2"]}
    assert (folder / "beir" / "qrels" / "train.tsv").read_text().splitlines()[1:] == ["q2\td3\t1"]


def test_all_of_the_folder_has_the_grades_of_the_policy(small: Path, tmp_path: Path) -> None:
    """Of d1 ada says 1, who came first, and bob 0."""
    for policy, grades in (("primary", {1: 3}), ("min", {0: 1, 1: 2})):
        folder = build_draft(small, tmp_path / policy, "hf", policy=policy)
        qrels = read_qrels(folder / "trec" / "qrels.txt")
        assert Counter(qrels.grade.tolist()) == grades
        assert f"| 1 | yes | {grades[1]} |" in (folder / "DATASHEET.md").read_text()
        assert fingerprint(qrels) in (folder / "report.html").read_text()


def test_the_folder_follows_the_recorded_choice(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """As `export qrels` does: labels that differ need a choice, the command's or the store's."""
    path = shutil.copy(small, tmp_path / "small.db")

    def grades(name: str, *options: str) -> tuple[dict[int, int], str]:
        result = cranfield("publish", "build", path, tmp_path / name, "--draft", "--as", "beir", *options)
        assert result.code == 0, result.err
        cranfield.out("export", "qrels", path, tmp_path / f"{name}.qrels", *options)
        qrels, exported = read_qrels(tmp_path / name / "trec" / "qrels.txt"), read_qrels(tmp_path / f"{name}.qrels")
        assert fingerprint(qrels) == fingerprint(exported)
        return Counter(qrels.grade.tolist()), result.err

    for words in (("publish", "build", path, tmp_path / "a", "--draft"), ("export", "qrels", path, tmp_path / "a")):
        refusal = cranfield(*words)
        assert (refusal.code, (tmp_path / "a").exists()) == (1, False)
        assert "1 document has different labels by" in refusal.err
        assert "--policy NAME (primary, " in refusal.err
        assert "record a choice with `cranfield store labels`" in refusal.err
    cranfield.out("store", "labels", path, "--policy", "min")
    found, err = grades("b")
    assert found == {0: 1, 1: 2}
    assert "policy: min, the store's choice" in err
    found, err = grades("c", "--policy", "primary")
    assert found == {1: 3}
    assert "1 document has different labels by Ada Lovelace and bob@example.org; policy: primary\n" in err
    cranfield.out("store", "labels", path, "--assessor", "bob@example.org")
    refusal = cranfield("publish", "build", path, tmp_path / "d", "--draft")
    assert (refusal.code, (tmp_path / "d").exists()) == (1, False)
    assert "the store counts only the labels of bob@example.org" in refusal.err


def test_only_labels_of_published_topics_have_to_agree(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    path = Path(shutil.copy(small, tmp_path / "small.db"))
    with Store.open(path) as store:
        [different] = {qid for qid, _ in undecided_pairs(store).items}
        others = sorted({qid for (qid,) in store.rows("SELECT qid FROM topic")} - {different})
    for name, qids in (("agreed", others), ("different", [different])):
        (tmp_path / f"{name}.txt").write_text("".join(f"{qid}\n" for qid in qids))
    words = ["publish", "build", path, tmp_path / "a", "--draft", "--as", "beir", "--topics"]
    refusal = cranfield(*words, tmp_path / "different.txt")
    assert (refusal.code, "1 document has different labels by" in refusal.err) == (1, True)
    result = cranfield(*words, tmp_path / "agreed.txt")
    assert result.code == 0, result.err
    import cranfield as api

    with warnings.catch_warnings(action="ignore"):  # what is not in the folder
        api.publish.build_folder(
            path, tmp_path / "b", topics=str(tmp_path / "agreed.txt"), draft=True, targets=["beir"]
        )


def test_a_folder_that_is_taken_stays_as_it_is(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    words = ("publish", "build", small, tmp_path / "mine", "--draft", "--as", "beir", "--policy", "primary")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    for option in ((), ("--replace",)):
        refusal = cranfield(*words, *option)
        assert (refusal.code, contents(tmp_path / "mine")) == (1, {"thesis.txt": b"years of work"})
    (tmp_path / "mine" / "thesis.txt").unlink()
    assert cranfield(*words).code == 0
    assert cranfield(*words).code == 1
    assert cranfield(*words, "--replace").code == 0
    assert not (tmp_path / "mine.partial").exists()


def test_commands_can_be_copied_from_a_narrow_terminal(
    small: Path, tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each stands in one line, however long."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    targets = ("--as", "ir-datasets", "--as", "hf")
    output = cranfield("publish", "build", small, "out", "--draft", *targets, "--policy", "primary")
    module = next((tmp_path / "out" / "ir_datasets").glob("small*.py")).stem
    words = [shlex.split(line) for line in output.out.splitlines() if line.startswith("  ")]
    assert [word[0] for word in words] == ["hf", "PYTHONPATH=out/ir_datasets"]
    flat = " ".join(output.out.split())
    assert "To publish it when the description is complete, use one of these commands: hf" in flat
    compile(words[1][-1], "", "exec")
    assert words[1][-1].startswith(f"import {module}, ir_datasets; print(ir_datasets.load('small")


def test_what_is_required_is_asked_for(small: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    refusal = cranfield("publish", "build", small, tmp_path / "out", "--as", "beir", "--policy", "primary")
    assert (refusal.code, "creators" in refusal.err, [*tmp_path.iterdir()]) == (1, True, [])


@pytest.fixture(scope="module")
def with_headers(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same folder, with the metadata of runs the other way."""
    folder = tmp_path_factory.mktemp("headers") / "published"
    return build_draft(small, folder, "hf", "ir-datasets", run_headers=True)


@pytest.mark.parametrize("where", ["published_folder", "with_headers"])
def test_runs_name_the_collection_that_they_came_with(where: str, request: pytest.FixtureRequest) -> None:
    """Beside each run or, with --run-headers, in it."""
    folder: Path = request.getfixturevalue(where)
    [run] = (folder / "runs").glob("two_2-*.run.gz")
    lines = gzip.decompress(run.read_bytes()).decode().splitlines()
    assert [lines[0] == f"# {START}", Path(metadata_path(run)).exists()] == [
        where == "with_headers",
        "headers" not in where,
    ]
    header = read_metadata(run)
    qrels = (folder / "trec" / "qrels.txt").read_bytes()
    assert header["data"]["test collection"] == {
        "name": json.loads((folder / "collection.json").read_text())["description"]["title"],
        "qrels": "trec/qrels.txt",
        "topics": "trec/topics.xml",
        "ir_datasets": "small",
        "qrels sha256": sha256(qrels).hexdigest(),
    }


@pytest.mark.usefixtures("contents_alone")
def test_both_ways_are_the_same_store(
    published_folder: Path, with_headers: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    """Imported, so checked, and published again, each is as it was."""
    about = []
    for number, folder in enumerate((published_folder, with_headers)):
        path = tmp_path / f"{number}.db"
        assert cranfield("import", "collection", path, folder).code == 0
        with Store.open(path) as store:
            about.append({tag: info._replace(sha256="") for tag, info in run_info(store).items()})
        again = build_draft(path, tmp_path / str(number), "hf", "ir-datasets", run_headers=bool(number))
        assert contents(again / "runs") == contents(folder / "runs")
    assert about[0] == about[1]


Reader = Callable[[Path], dict[str, dict[str, float]]]


def by_ranx(path: Path) -> dict[str, dict[str, float]]:
    run = pytest.importorskip("ranx", reason="needs ranx").Run.from_file(str(path))
    return {str(qid): dict(documents) for qid, documents in run.to_dict().items()}


def by_pytrec_eval(path: Path) -> dict[str, dict[str, float]]:
    module = pytest.importorskip("pytrec_eval", reason="needs pytrec_eval")
    with gzip.open(path, "rt") as file:
        return dict(module.parse_run(file))


def by_ir_measures(path: Path) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for one in pytest.importorskip("ir_measures", reason="needs ir_measures").read_trec_run(str(path)):
        scores.setdefault(one.query_id, {})[one.doc_id] = one.score
    return scores


def by_pyterrier(path: Path) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    table = pytest.importorskip("pyterrier", reason="needs PyTerrier").io.read_results(str(path))
    for qid, docno, score in table[["qid", "docno", "score"]].itertuples(index=False):
        scores.setdefault(str(qid), {})[str(docno)] = score
    return scores


@pytest.mark.parametrize(
    "read", [pytest.param(by_ranx, marks=pytest.mark.daily), by_pytrec_eval, by_ir_measures, by_pyterrier]
)
def test_published_runs_are_read_by_other_tools(read: Reader, published_folder: Path) -> None:
    """As they are, with the scores that were submitted."""
    for run in sorted((published_folder / "runs").glob("*.run.gz")):
        ours = read_runs(run)
        right: dict[str, dict[str, float]] = {}
        for topic, document, score in zip(ours.topic, ours.document, ours.score.tolist(), strict=True):
            right.setdefault(ours.topics.names[topic], {})[ours.docnos.names[document]] = score
        assert read(run) == right


def test_what_is_left_out_is_counted(small: Path, tmp_path: Path) -> None:
    """A release that is published is not; those before it are."""
    path = Path(shutil.copy(small, tmp_path / "small.db"))
    with Store.open(path) as store:
        make_release(store, "1.0", "2026-03-31")
        make_release(store, "1.1", "2026-04-30")
        add_assessor(store, "llm", "model")
        add_audit(
            store, "llm", ASSESSORS[0], unit="pair", by="", seed=1, strata={"": 3}, pairs=[AuditedPair("q1", "d1", "")]
        )
        of_people = ["4 notes", "1 reason of an assessor", "1 quoted evidence", "1 list of marked terms"]
        assert left_out(store) == ["1 audit of a model", "2 releases", *of_people]
        import_qrels(store, as_qrels({"q1": {"d3": 1}}), "nist")
        store.conn.execute("INSERT INTO plan (made, pool, overlap, repeats, seed, lease) VALUES ('now', 1, 0, 0, 0, 0)")
        [note] = [one for one in notes(store, PublishOptions(("hf",), log="no", runs=False)) if "not published" in one]
        assert "1 plan of assignments" in note
        assert note.endswith("the judgment log of 8 events, 2 runs")
    with Store.open(release_path(path, "1.1")) as store:
        assert left_out(store, full_log=True) == ["1 release"]


def test_ids_that_files_cannot_hold_are_named() -> None:
    wrong = pytest.raises(InputError, match="'a b' contains white space: TREC files")
    with new_store(qrels={"ada": {"q": {"a b": 1}}}) as store, wrong:
        check_publishable(store, PublishOptions(("beir",)), ())


def test_shards_are_no_larger_than_they_may_be(tmp_path: Path) -> None:
    columns = {"_id": "string", "text": "string"}
    rows = [(f"d{number}", f"{number * 7919:x}" * 40) for number in range(30_000)]
    files = write_shards(tmp_path, "corpus", columns, rows, 1_250_000)
    assert [file.path.name for file in files][:1] == [f"corpus-00000-of-{len(files):05}.parquet"]
    assert len(files) > 1
    assert [row for file in files for row in read_table(file.path, columns)] == rows


def test_the_log_can_be_verified_by_who_has_the_store(
    small: Path, published_folder: Path, cranfield: Cranfield
) -> None:
    verification = cranfield("store", "verify", small, "--manifest", published_folder / "log" / "log.json")
    assert verification.code == 0
    log = json.loads((published_folder / "log" / "log.json").read_text())
    assert (log["as"], log["log"]["events"], log["earlier"]) == ("pseudonymous", 7, [])
