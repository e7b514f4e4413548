"""The store: one readable file, all or nothing, nothing deleted."""

import pickle
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import CranfieldError, InputError, StoreError
from cranfield.formats import Document, RunInfo, Topic
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.selection import Labellers
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, add_criterion, append, current_decisions, read_events
from cranfield.store.pools import Pool, PooledDocument, add_pool, stored_pool
from cranfield.store.qrels import import_qrels, qrels_of
from cranfield.store.releases import make_release
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from tests.judging.cases import at, session_of, store_of
from tests.stores import new_file, new_store

DOCUMENTS = [Document("d1", "One", "first text", "http://example.org/1", {"year": 1958}), Document("d2", text="second")]
TOPICS = [Topic("q2", "two", "a description", "a narrative", {"source": "x"}), Topic("q1", "one")]
RUN = {"q1": {"d1": 2.5, "d9": 2.5, "d2": 1e-30}, "q2": {"d2": 0.1}}


@pytest.fixture
def store() -> Store:
    """A small collection in memory."""
    return new_store(grades={0: "no", 1: "yes", 2: "very"}, documents=DOCUMENTS, topics=TOPICS)


def test_documents_and_topics_come_back_as_they_were(store: Store) -> None:
    """What is put in is what comes out, in the same order."""
    assert list(store.documents()) == DOCUMENTS
    assert store.topics() == TOPICS


def test_a_file_is_opened_again(tmp_path: Path) -> None:
    """A store outlives the process that made it."""
    path = tmp_path / "a.db"
    with Store.create(
        path, "name", description="about", licence="CC0", grades={0: "no", 2: "yes"}, min_relevant=2
    ) as store:
        store.add_documents(DOCUMENTS)
    with Store.open(path) as store:
        assert store.collection[:3] == ("name", "about", "CC0")
        assert (store.collection.grades, store.collection.min_relevant) == ({0: "no", 2: "yes"}, 2)
        assert store.document("d2").text == "second"


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"x" * 2000])
def test_what_is_no_store_is_refused(tmp_path: Path, content: bytes) -> None:
    """A file that is no store is named in one line, and stays as it is."""
    path = tmp_path / "a.db"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"a\.db: .*store") as refusal:
        Store.open(path)
    assert "\n" not in str(refusal.value)
    assert path.read_bytes() == content


def test_another_database_is_refused(tmp_path: Path) -> None:
    """An SQLite file of some other program is not taken for a store, nor changed."""
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="an SQLite file, but not a cranfield store"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_new_store_replaces_nothing(tmp_path: Path) -> None:
    """init never overwrites."""
    path = tmp_path / "a.db"
    path.write_text("precious")
    with pytest.raises(StoreError, match="already exists"):
        Store.create(path, "name")
    assert path.read_text() == "precious"


@pytest.mark.parametrize(("grades", "min_relevant"), [({0: "no"}, 0), ({0: "no", 1: "yes"}, 0), ({0: "no", 1: "y"}, 2)])
def test_a_scale_separates_relevant_from_not(grades: dict[int, str], min_relevant: int) -> None:
    """A scale without a grade on each side of min_relevant is refused."""
    with pytest.raises(StoreError, match=r"expected grades below \d and from \d on, such as "):
        Store.memory("x", grades, min_relevant)


def test_a_grade_of_a_scale_has_at_most_18_digits() -> None:
    with pytest.raises(StoreError, match=f"grade {2**63} of the scale has more than 18 digits"):
        Store.memory("x", {0: "no", 1: "yes", 2**63: "most"})


@pytest.mark.parametrize("again", ["d2", "d3"])
def test_a_duplicate_document_leaves_the_corpus_as_it_was(store: Store, again: str) -> None:
    """A docno that is there, or comes twice in the file, stops the whole import."""
    with pytest.raises(InputError, match=f"document 2: docno '{again}' is already in the corpus"):
        store.add_documents([Document("d3", text="x"), Document(again, text="y")])
    assert list(store.documents()) == DOCUMENTS


def test_a_bare_docno_gets_its_text_later(store: Store) -> None:
    """A document known from a run becomes searchable once the corpus brings its text."""
    add_runs(store, as_runs({"a": RUN}))
    assert store.document("d9").text == ""
    store.add_documents([Document("d9", text="unheard words")])
    assert [docno for docno, _ in store.search("unheard", 5)] == ["d9"]


def test_search_stems(store: Store) -> None:
    """The full-text index knows inflections."""
    assert [docno for docno, _ in store.search('"texts"', 5)] == ["d1"]


def test_runs_come_back_as_submitted(store: Store) -> None:
    """Canonical order and exact scores survive; d9 stands before d1 as its docno is higher."""
    add_runs(store, as_runs({"a": RUN, "b": {"q1": {"d2": 1.0}}}), {"a": RunInfo("team a", pooled=False, depth=7)})
    runs = stored_runs(store)
    assert runs.tags == ("a", "b")
    rows = list(zip(runs.topics.names[runs.topic], runs.docnos.names[runs.document], runs.score, strict=True))
    assert sorted(rows[:4]) == sorted([("q1", "d9", 2.5), ("q1", "d1", 2.5), ("q1", "d2", 1e-30), ("q2", "d2", 0.1)])
    assert [docno for qid, docno, _ in rows[:4] if qid == "q1"] == ["d9", "d1", "d2"]
    assert run_info(store)["a"] == RunInfo("team a", pooled=False, depth=7)
    assert stored_runs(store, ["b"]).tags == ("b",)


def test_an_unknown_run_is_named(store: Store) -> None:
    """Asking for a run that is not there says which."""
    with pytest.raises(StoreError, match="no run 'zz'"):
        stored_runs(store, ["zz"])


def test_a_known_tag_is_refused(store: Store) -> None:
    """Two runs never share a tag."""
    add_runs(store, as_runs({"a": RUN}))
    with pytest.raises(InputError, match="run 'a' is already in the store"):
        add_runs(store, as_runs({"b": RUN, "a": RUN}))
    assert stored_runs(store).tags == ("a",)


def test_an_unknown_topic_is_refused(store: Store) -> None:
    """A run for other topics is refused whole; no document of it stays."""
    with pytest.raises(InputError, match="topic 'q7' is not in the store"):
        add_runs(store, as_runs({"a": {"q7": {"d77": 1.0}}}))
    with pytest.raises(StoreError, match="no document 'd77'"):
        store.document("d77")


def test_without_topics_any_qid_is_taken() -> None:
    """A store that was given no topics takes them from runs and qrels, and their texts later."""
    store = new_store(runs={"a": RUN}, qrels={"nist": {"q1": {"d1": 1}}})
    assert store.add_topics(TOPICS) == 2
    assert {topic.qid: topic.title for topic in store.topics()} == {"q1": "one", "q2": "two"}
    with pytest.raises(InputError, match="topic 1: qid 'q1' is already in the store"):
        store.add_topics(TOPICS[1:])


def test_qrels_come_back_with_their_second_column(store: Store) -> None:
    """An import keeps whose judgments they are and where they came from."""
    qrels = as_qrels({"q1": {"d1": 2, "d5": 0}})
    assert import_qrels(store, qrels, "nist", "human") == 2
    back = qrels_of(store)
    assert back.grade.tolist() == [2, 0]
    assert join_runs_and_qrels(as_runs({"a": RUN}), back).grade.tolist() == [2]
    with pytest.raises(InputError, match="nist has already judged topic 'q1', document 'd1'"):
        import_qrels(store, as_qrels({"q1": {"d1": 1}}), "nist")
    with pytest.raises(InputError, match="grade 3 is not on this collection's scale: 0 no, 1 yes, 2 very"):
        import_qrels(store, as_qrels({"q1": {"d2": 3}}), "nist")


def test_the_first_assessor_decides_and_an_adjudication_overrules(store: Store) -> None:
    """The view `qrels` is the policy primary; each assessor's own labels stay to be had."""
    import_qrels(store, as_qrels({"q1": {"d1": 2, "d2": 1}}), "first")
    import_qrels(store, as_qrels({"q1": {"d1": 0, "d2": 1}}), "second")
    assert qrels_of(store).grade.tolist() == [2, 1]
    assert qrels_of(store, Labellers("second")).grade.tolist() == [0, 1]
    append(store, Event("adjudicate", "q1", "d1", "second", grade=1))
    assert qrels_of(store).grade.tolist() == [1, 1]
    with pytest.raises(StoreError, match="no assessor 'third' in this store; available: first, second"):
        qrels_of(store, Labellers("third"))


def test_taking_back_uncovers_what_was_before(store: Store) -> None:
    """A retract withdraws one event; an earlier label of the pair counts again."""
    add_assessor(store, "ada")
    one, two = append(
        store, Event("label", "q1", "d1", "ada", grade=1), Event("label", "q1", "d1", "ada", grade=2, note="changed")
    )
    assert current_decisions(store, "ada")["q1", "d1"].grade == 2
    append(store, Event("retract", "q1", "d1", "ada", supersedes=two))
    assert current_decisions(store, "ada")["q1", "d1"].id == one
    assert [event.kind for event in read_events(store, "ada")] == ["label", "label", "retract"]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE judgment_event SET grade = 0",
        "DELETE FROM judgment_event",
        "UPDATE collection SET grades = '{}'",
        "UPDATE collection SET min_relevant = 2",
        "DELETE FROM document",
        "DELETE FROM topic",
    ],
)
def test_what_must_stay_stays(store: Store, sql: str) -> None:
    """Even plain SQL cannot rewrite judgments, the scale they were made on, or what they are about."""
    import_qrels(store, as_qrels({"q1": {"d1": 2}}), "nist")
    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|never|frozen"):
        store.db.execute(sql)
    assert qrels_of(store).grade.tolist() == [2]


def test_a_label_without_a_grade_is_refused(store: Store) -> None:
    """The table itself keeps grades and kinds together."""
    add_assessor(store, "ada")
    with pytest.raises(InputError):
        append(store, Event("label", "q1", "d1", "ada"))
    with pytest.raises(sqlite3.IntegrityError):
        append(store, Event("later", "q1", "d1", "ada", grade=1))


def test_a_failed_append_leaves_no_event(store: Store) -> None:
    """Events given together are written together."""
    add_assessor(store, "ada")
    with pytest.raises(sqlite3.IntegrityError):
        append(store, Event("label", "q1", "d1", "ada", grade=1), Event("label", "q1", "unknown", "ada", grade=1))
    assert read_events(store) == []


def test_a_pool_comes_back(store: Store) -> None:
    """A pool keeps entry depth and contributing runs; the newest is the one meant."""
    documents = [
        PooledDocument("q1", "d1", 3, ("a", "b")),
        PooledDocument("q2", "d2", 1, runs=("a",), stratum="top", probability=0.5),
    ]
    with pytest.raises(StoreError, match="no pool in this store"):
        stored_pool(store)
    add_pool(store, Pool("depth", {"depth": 1}, []))
    number = add_pool(store, Pool("depth", {"depth": 3}, documents, seed=4))
    pool = stored_pool(store)
    assert (pool.number, pool.documents, pool.parameters, pool.seed) == (number, documents, {"depth": 3}, 4)
    assert stored_pool(store, 1).documents == []
    with pytest.raises(StoreError, match="no pool 9"):
        stored_pool(store, 9)


def test_the_file_explains_itself(tmp_path: Path) -> None:
    """The schema in the file has its comments, and the plain views answer in any SQLite tool."""
    path = tmp_path / "a.db"
    with Store.create(path, "name") as store:
        store.add_documents(DOCUMENTS)
        import_qrels(store, as_qrels({"q1": {"d1": 1}}), "nist")
    plain = sqlite3.connect(path)
    schema = " ".join(sql for (sql,) in plain.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL"))
    assert "append-only: the record of everything assessors did" in schema
    assert plain.execute("SELECT qid, docno, grade, assessor, policy FROM qrels").fetchall() == [
        ("q1", "d1", 1, "nist", "primary")
    ]
    plain.close()


INTERRUPTED = """
import os, signal, sys
from cranfield.formats import Document
from cranfield.store.store import Store

def documents():
    for number in range(5000):
        if number == 4500:
            os.kill(os.getpid(), signal.SIGKILL)
        yield Document(f"new{number}", text="words " * 50)

Store.open(sys.argv[1]).add_documents(documents())
"""


@pytest.mark.full
def test_kill_during_an_import_leaves_no_half(tmp_path: Path) -> None:
    """kill -9 in the middle of an import: what was there is there, of the rest nothing."""
    path = new_file(tmp_path / "a.db", documents=DOCUMENTS)
    output = subprocess.run([sys.executable, "-c", INTERRUPTED, str(path)], check=False)
    assert output.returncode == -9
    with Store.open(path) as store:
        assert list(store.documents()) == DOCUMENTS
        assert store.search("words", 5) == []


def test_a_copy_without_its_log_file_is_whole(tmp_path: Path) -> None:
    """Closing a store leaves one file that can be copied."""
    path = tmp_path / "a.db"
    with Store.create(path, "name") as store:
        store.add_documents(DOCUMENTS)
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]
    shutil.copy(path, tmp_path / "b.db")
    with Store.open(tmp_path / "b.db") as store:
        assert list(store.documents()) == DOCUMENTS


def test_errors_have_one_root() -> None:
    """Whoever catches CranfieldError catches everything that is the data's fault."""
    assert issubclass(InputError, CranfieldError)
    assert issubclass(StoreError, CranfieldError)


def test_what_is_loaded_later_is_there_when_the_store_is_closed(tmp_path: Path) -> None:
    """Scores and docnos are read when they are asked for, from the file, whoever has closed it."""
    with new_store(tmp_path / "track.db", runs={"r": {"q1": {"d1": 1.0, "d2": 2.5}}}) as store:
        runs = stored_runs(store)
    assert runs.docnos.names[runs.document].tolist() == ["d2", "d1"]
    assert runs.rows(runs.rank == 2).score.tolist() == [1.0]
    assert runs.score.tolist() == [2.5, 1.0]


@pytest.mark.full
def test_reading_a_store_needs_no_pandas(tmp_path: Path) -> None:
    """A command that only reads starts without the libraries that writing needs."""
    Store.create(tmp_path / "track.db", "light").close()
    code = "import sys, cranfield.store.store as s; s.Store.open(sys.argv[1]).close(); print('pandas' in sys.modules)"
    command = [sys.executable, "-c", code, str(tmp_path / "track.db")]
    output = subprocess.run(command, capture_output=True, text=True, check=True)
    assert output.stdout == "False\n"


@pytest.mark.parametrize("change", ["UPDATE criterion SET text = 'x'", "DELETE FROM criterion"])
def test_criteria_are_never_changed(change: str) -> None:
    """The diary of criteria is append-only."""
    store = store_of()
    session_of(store)
    add_criterion(store, "q1", "ada", "counts if it says how")
    with pytest.raises(sqlite3.IntegrityError, match="criterion is append-only"):
        store.db.execute(change)


def test_criteria_are_the_assessors_own() -> None:
    """Another assessor sees hers, of this topic, with their day."""
    store = store_of()
    ada, bob = session_of(store), session_of(store, "bob")
    at(ada).criterion("first")
    at(ada).criterion("second")
    assert [one.text for one in ada.view.criteria] == ["first", "second"]
    assert ada.view.criteria[0].day == str(store.rows("SELECT substr(max(at), 1, 10) FROM criterion")[0][0])
    assert bob.view.criteria == ()
    at(ada).next_topic()
    assert ada.view.criteria == ()


def in_another_thread(work: Callable[[], Any]) -> Any:
    """What some work gives there."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(work).result()


@pytest.mark.parametrize(
    "work",
    [
        lambda store: store.count("topic"),
        lambda store: store.db.table_names(),
        lambda store: store.add_topics([]),
        cranfield.evaluate,
        cranfield.store.info,
        Store.close,
    ],
)
def test_another_thread_is_told_what_to_do(tmp_path: Path, work: Callable[[Store], Any]) -> None:
    with Store.create(tmp_path / "track.db", "name") as store:
        with pytest.raises(StoreError, match="this store was opened in another thread") as error:
            in_another_thread(partial(work, store))
        assert str(error.value).endswith(f"open it again in this thread: Store.open({str(store.path)!r})")
        assert "\n" not in str(error.value)
        assert in_another_thread(lambda: repr(store)) == f"Store {store.path}, open in another thread"
        assert in_another_thread(store.later(lambda there: there.count("topic"))) == 0
        assert store.count("topic") == 0


@pytest.mark.parametrize("copied", [pickle.dumps, copy, deepcopy])
def test_a_store_is_not_pickled(tmp_path: Path, copied: Callable[[Store], Any]) -> None:
    with Store.create(tmp_path / "track.db", "name") as store:
        with pytest.raises(StoreError, match="an open store cannot be pickled or copied; pass its path") as error:
            copied(store)
        assert str(error.value).endswith(f"open it there with Store.open({str(store.path)!r})")


def test_a_store_in_memory_cannot_be_shared() -> None:
    with Store.memory("name") as store:
        with pytest.raises(StoreError, match=r":memory:: this store was opened .+; create it in a file$"):
            in_another_thread(store.counts)
        with pytest.raises(StoreError, match=r":memory:: an open store cannot be .+; create it in a file$"):
            pickle.dumps(store)


def test_documents_with_the_id_of_a_topic_are_found_without_reading_the_docnos(tmp_path: Path) -> None:
    """Also in a release, in a store that was closed meanwhile, and as the names themselves find them."""
    path = tmp_path / "a.db"
    with new_store(path, documents=["d1", "q2", "d3"], topics=["q1", "q2"]) as store:
        make_release(store, "1.0")
    for place in (path, Path(f"{path}@1.0")):
        with Store.open(place) as store:
            docnos, qids = store.docnos, store.qids
        document, topic = np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1])
        assert docnos.equals(document, qids, topic).tolist() == [False, False, True, False]
        assert "names" not in vars(docnos)
        names = pickle.loads(pickle.dumps(docnos))
        assert names.equals(document, qids, topic).tolist() == [False, False, True, False]


IMPORT_RUNS = """
import sys
from cranfield.cli.program import app
app(["import", "runs", *sys.argv[1:]], standalone_mode=False)
assert "pandas" not in sys.modules
"""


@pytest.mark.parametrize("number", [1, 2])
def test_importing_runs_needs_no_pandas(tmp_path: Path, number: int) -> None:
    """Its import takes longer than the import of small runs. One run and several are read in different ways."""
    path = tmp_path / "a.db"
    new_file(path)
    runs = [tmp_path / f"run{place}" for place in range(number)]
    for run in runs:
        run.write_text("".join(f"1 Q0 d{rank} {rank} {9 - rank} {run.name}\n" for rank in range(5)))
    subprocess.run([sys.executable, "-c", IMPORT_RUNS, str(path), *map(str, runs)], check=True, capture_output=True)
    with Store.open(path) as store:
        assert store.counts()["run"] == number
