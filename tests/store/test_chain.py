"""The logs are tamper-evident: whatever is changed by hand, `verify` names it; SQLite finds nothing else."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.features.answers.store.labels import NUGGET_LABELS, LabelEvent
from cranfield.features.preferences.store import PreferenceEvent, append_preferences
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.bundles.bundle import merge_bundle, write_bundle
from cranfield.store.chain import Event, LogHead, judgment_log_head
from cranfield.store.changes import _state_of_docno_only_documents, item_states, state_of_rows
from cranfield.store.log import add_assessor, append, read_events
from cranfield.store.store import Store
from cranfield.store.tables import BLOCK, TABLE
from cranfield.store.verification import Manifest, Verification, verify
from tests.conftest import Cranfield
from tests.features.answers.stores import SAID, answered_store, label_support
from tests.files import track_files
from tests.hardening.damage import behind_its_back
from tests.stores import filled, new_store

SCALE = {0: "no", 1: "yes", 2: "very"}
OPEN = [
    "DROP TRIGGER judgment_event_unchanged",
    "DROP TRIGGER judgment_event_stays",
    "DROP TRIGGER judgment_event_new",
]


def grow(path: Path) -> Path:
    """A store in which two people judged and one import came in."""
    docnos = [f"d{n}" for n in range(4)]
    with new_store(path, grades=SCALE, documents=docnos, topics=["q1", "q2"], pool={"q1": docnos}) as store:
        for name, grade in (("ada", 2), ("bob", 1)):
            add_assessor(store, name)
            append(store, *(Event("label", "q1", f"d{n}", name, grade=grade, seconds=1.5) for n in range(3)))
        append(store, Event("retract", "q1", "d0", "ada", supersedes=1))
        filled(store, qrels={"nist": {"q2": {"d1": 1, "d2": 0}}})
    return path


def by_hand(path: Path, *statements: str) -> None:
    """Change a store as one can in the sqlite3 shell, where neither foreign keys nor recursive triggers are on."""
    with closing(sqlite3.connect(path)) as shell, shell:
        for statement in statements:
            shell.execute(statement)


def as_published(outcome: Verification) -> Manifest:
    """What a manifest says of the judgments of a store."""
    return Manifest(LogHead(outcome.events, outcome.head), None, Path("-"))


def test_a_log_that_holds(tmp_path: Path) -> None:
    """Events, chains and the head; the head changes with every event and with nothing else."""
    with Store.open(grow(tmp_path / "a.db")) as store:
        first = verify(store)
        assert (first.events, first.chains, len(first.head)) == (9, 2, 64)
        assert verify(store) == first
        append(store, Event("note", "q1", "d3", "bob", note="hm"))
        second = verify(store)
        assert second.events == 10
        assert second.head != first.head
        assert verify(store, as_published(first)) == second
        assert judgment_log_head(store.conn, 9) == first.head


REFUSED = {
    "replace an event": "REPLACE INTO judgment_event (id, event_id, at, kind, topic, document, assessor, grade)"
    " SELECT id, event_id, at, kind, topic, document, assessor, 0 FROM judgment_event WHERE id = 2",
    "the same event id": "INSERT INTO judgment_event (event_id, at, kind, topic, document, assessor, grade)"
    " SELECT event_id, at, kind, topic, document, assessor, 0 FROM judgment_event WHERE id = 2",
    "change": "UPDATE judgment_event SET grade = 0",
    "delete": "DELETE FROM judgment_event",
    "a grade off the scale": "INSERT INTO judgment_event (event_id, at, kind, topic, document, assessor, grade)"
    " VALUES ('x', '', 'label', 1, 1, 1, 9)",
    "an unknown kind": "INSERT INTO judgment_event (event_id, at, kind, topic, document, assessor)"
    " VALUES ('x', '', 'guess', 1, 1, 1)",
    "another kind of assessor": "UPDATE assessor SET kind = 'model' WHERE name = 'ada'",
    "another name": "UPDATE assessor SET name = 'eve' WHERE name = 'ada'",
    "replace an assessor": "REPLACE INTO assessor (id, name, kind) VALUES (1, 'ada', 'model')",
    "delete an assessor": "DELETE FROM assessor",
    "replace the collection": "REPLACE INTO collection SELECT * FROM collection",
    "another scale": "UPDATE collection SET grades = '{}'",
    "another origin": "UPDATE origin SET kind = 'bundle'",
}


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_the_schema_refuses(tmp_path: Path, statement: str) -> None:
    """Whatever connection it comes from, and the log is as it was."""
    path = grow(tmp_path / "a.db")
    with pytest.raises(sqlite3.IntegrityError):
        by_hand(path, statement)
    with Store.open(path) as store:
        assert verify(store).events == 9


TAMPERED = {
    "a grade": ("UPDATE judgment_event SET grade = 0 WHERE id = 5", r"event 5 .* content has changed"),
    "a time": ("UPDATE judgment_event SET at = '1999' WHERE id = 5", r"event 5 .* content has changed"),
    "a person": ("UPDATE judgment_event SET assessor = 1 WHERE id = 5", r"event 5 .* content has changed"),
    "a document": ("UPDATE judgment_event SET document = 4 WHERE id = 5", r"event 5 .* content has changed"),
    "a topic": ("UPDATE judgment_event SET topic = 2 WHERE id = 5", r"event 5 .* content has changed"),
    "what is taken back": ("UPDATE judgment_event SET supersedes = 2 WHERE id = 7", r"event 7 .* content has changed"),
    "the first event": ("DELETE FROM judgment_event WHERE id = 1", "event 1 is missing"),
    "an event between": ("DELETE FROM judgment_event WHERE id = 4", "event 4 is missing"),
    "the last event": ("DELETE FROM judgment_event WHERE id = 9", "event 9 is missing"),
    "one more event": (
        "INSERT INTO judgment_event (event_id, at, kind, topic, document, assessor, grade)"
        " VALUES ('x', '', 'label', 1, 4, 1, 2)",
        "event 10 .* origin",
    ),
    "a text": ("UPDATE document SET text = 'other' WHERE docno = 'd1'", r"event 2 .* text of document d1"),
    "a text and its hash": (
        "UPDATE document SET text = 'other', sha256 = hex('other') WHERE docno = 'd1'",
        r"event 2 .* text of document d1",
    ),
    "a docno": ("UPDATE document SET docno = 'd9' WHERE docno = 'd1'", r"event 2 .* content has changed"),
    "two rows swapped": (
        "UPDATE judgment_event SET id = CASE id WHEN 4 THEN -5 ELSE -4 END WHERE id IN (4, 5)",
        "event -5|event 1 is missing",
    ),
    "an origin": ("DELETE FROM origin WHERE kind = 'import'", r"event 8 .* origin"),
    "a kind of assessor": ("UPDATE assessor SET kind = 'model' WHERE name = 'ada'", "assessor 1: kind differs from"),
    "the scale": ("UPDATE collection SET min_relevant = 2", "collection 1: min_relevant differs from"),
    "a sleeping row": ("DELETE FROM assessor WHERE name = 'ada'", "event 1 is missing"),
}


@pytest.mark.parametrize(("statement", "message"), TAMPERED.values(), ids=TAMPERED)
def test_what_was_changed_behind_its_back_is_named(tmp_path: Path, statement: str, message: str) -> None:
    """Somebody drops the triggers, changes something, and makes the triggers again."""
    path = grow(tmp_path / "a.db")
    behind_its_back(path, statement)
    with Store.open(path) as store, pytest.raises(StoreError, match=message):
        verify(store)


@pytest.mark.full
@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["DROP TRIGGER judgment_event_stays"], "trigger judgment_event_stays is missing"),
        (["DROP VIEW qrels", "CREATE VIEW qrels AS SELECT 1"], "view qrels differs from this program"),
        (["CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END"], "trigger t is not part"),
    ],
)
def test_what_guards_the_log_is_checked_too(tmp_path: Path, statements: list[str], message: str) -> None:
    """A trigger that is gone, a view that shows something else, a trigger of somebody's own."""
    path = grow(tmp_path / "a.db")
    by_hand(path, *statements)
    with pytest.raises(StoreError, match=message), Store.open(path) as store:
        verify(store)


def test_a_chain_made_anew_has_another_head(tmp_path: Path) -> None:
    """Who recomputes every hash after a change is found out by what was published."""
    honest, forgery = grow(tmp_path / "a.db"), tmp_path / "b.db"
    with Store.open(honest) as store:
        verification = verify(store)
    documents = [f"d{n}" for n in range(4)]
    with new_store(forgery, grades=SCALE, documents=documents, topics=["q1"], people=["ada"]) as store:
        append(store, *(Event("label", "q1", f"d{n % 4}", "ada", grade=0) for n in range(9)))
        assert verify(store).events == 9
        with pytest.raises(StoreError, match="differs from the published head"):
            verify(store, as_published(verification))
        with pytest.raises(StoreError, match="expected at least 10"):
            verify(store, as_published(verification._replace(events=10)))


def test_time_runs_forward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that was put back gives no event an earlier time than the one before it."""
    with Store.open(grow(tmp_path / "a.db")) as store:
        append(store, Event("note", "q1", "d3", "bob", note="a", at="2099-01-01T00:00:00.000+00:00"))
        append(store, Event("note", "q1", "d3", "bob", note="b"))
        assert [event.at for event in read_events(store)][-1] == "2099-01-01T00:00:00.000+00:00"
        assert verify(store).events == 11


@pytest.mark.full
def test_a_bundle_comes_home_with_its_chain(tmp_path: Path, judged_bundle: Callable[[Path], Path]) -> None:
    """Her events keep their hashes; doing it twice adds nothing; the head is then another."""
    path = grow(tmp_path / "a.db")
    bundle = judged_bundle(path)
    with Store.open(path) as store:
        before = verify(store)
        assert merge_bundle(store, bundle).new == 2
        after = verify(store)
        assert (after.events, after.chains) == (before.events + 2, 3)
        assert merge_bundle(store, bundle).new == 0
        assert verify(store) == after


@pytest.mark.full
def test_copies_of_a_bundle_judged_apart(tmp_path: Path, judged_bundle: Callable[[Path], Path]) -> None:
    """Both come home: a chain may branch where a bundle was copied."""
    path = grow(tmp_path / "a.db")
    bundle = judged_bundle(path)
    copy = tmp_path / "copy.db"
    copy.write_bytes(bundle.read_bytes())
    for each, docno in ((bundle, "d2"), (copy, "d3")):
        with Store.open(each) as store:
            append(store, Event("label", "q1", docno, "ada", grade=1))
    with Store.open(path) as store:
        assert [merge_bundle(store, each).new for each in (bundle, copy)] == [3, 1]
        assert verify(store).events == 13


@pytest.fixture
def judged_bundle(tmp_path: Path) -> Callable[[Path], Path]:
    """A bundle of a store, for ada, with two labels more."""

    def make(path: Path) -> Path:
        bundle = tmp_path / "ada.db"
        with Store.open(path) as store:
            assign_topics_to_assessors(store, ["ada"])
            write_bundle(store, bundle, "ada")
        with Store.open(bundle) as store:
            append(store, *(Event("label", "q1", docno, "ada", grade=0) for docno in ("d0", "d1")))
            assert verify(store).events == 6
        return bundle

    return make


def test_json(tmp_path: Path) -> None:
    """What a hash is made of is written down with the event."""
    with Store.open(grow(tmp_path / "a.db")) as store:
        first, second = read_events(store)[:2]
        assert (first.previous, second.previous) == ("", first.hash)
        assert json.loads(json.dumps(first._asdict()))["hash"] == first.hash


def test_on_the_command_line(tmp_path: Path, cranfield: Cranfield) -> None:
    """The head stands in the manifest; verify says what holds, and what does not with exit code 1."""
    path, out = grow(tmp_path / "a.db"), tmp_path / "qrels.txt"
    assert cranfield("export", "qrels", path, out, "--policy", "primary").code == 0
    manifest = out.with_name("qrels.txt.manifest.json")
    log = json.loads(manifest.read_text())["log"]
    output = cranfield("store", "verify", path, "--manifest", manifest)
    assert output.out.splitlines()[0] == f"9 events in 2 chains verified; head {log['head']}"
    assert output.out.splitlines()[1] == "11 changes of topics, runs, pools, assignments and other tables verified"
    assert output.out.splitlines()[2].startswith("the first 9 events match ")
    assert "not a manifest" in cranfield("store", "verify", path, "--manifest", out).err
    by_hand(path, "DROP TRIGGER judgment_event_unchanged", "UPDATE judgment_event SET grade = 0 WHERE id = 5")
    assert "trigger judgment_event_unchanged is missing" in cranfield.error("store", "verify", path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """7 nuggets, 14 labels of them, 16 of support, a preference, and one label taken back: 39 events."""
    store = answered_store(labels={"llm": SAID})
    label_support(store, "ada", "spns")
    append_preferences(store, PreferenceEvent("prefer", "1", "d1", second="d2", assessor="ada", choice="second"))
    NUGGET_LABELS.append(store, [LabelEvent("retract", (1, 1), "llm", supersedes=1)])
    assert verify(store)[3:4] == (39,)
    path = tmp_path_factory.mktemp("links") / "whole.db"
    path.write_bytes(store.conn.serialize())
    store.close()
    return path


LAST = "id = (SELECT max(id) FROM event_link)"
TAMPERED_LOGS = {
    "a label": ("UPDATE nugget_event SET label = 'support' WHERE id = 2", "nugget_event, event 2: its content"),
    "the words of a nugget": ("UPDATE nugget SET text = 'x' WHERE id = 3", "nugget_edit, event 3: its content"),
    "an importance": ("UPDATE nugget_edit SET kind = 'okay' WHERE id = 1", "nugget_edit, event 1: its content"),
    "a person": ("UPDATE support_event SET assessor = 2 WHERE id = 4", "support_event, event 4: its content"),
    "a choice": ("UPDATE preference_event SET choice = 'equal'", "preference_event, event 1: its content"),
    "what is taken back": ("UPDATE nugget_event SET supersedes = 2 WHERE kind = 'retract'", "nugget_event, event 15"),
    "an event between": ("DELETE FROM support_event WHERE id = 4", "support_event, event 4: it is missing"),
    "the last event": ("DELETE FROM nugget_event WHERE kind = 'retract'", "nugget_event, event 15: it is missing"),
    "a link": (
        "DELETE FROM event_link WHERE log = 'nugget_event' AND event = 13",
        r"nugget_event, event 14: link \d+ of the chain",
    ),
    "the last link": (f"DELETE FROM event_link WHERE {LAST}", "nugget_event, event 15: it is not in the chain"),
    "the last event with its link": (
        f"DELETE FROM nugget_event WHERE kind = 'retract'; DELETE FROM event_link WHERE {LAST}",
        r"event_link: (\d+) events were recorded, but \d+ exist",
    ),
    "one more event": (
        "INSERT INTO nugget_edit (event_id, at, kind, nugget, assessor) VALUES ('x', '', 'drop', 1, 1)",
        "nugget_edit, event 8: it is not in the chain",
    ),
    "a kind of assessor": ("UPDATE assessor SET kind = 'human'", "assessor 2: kind differs from the recorded value"),
    "an answer and its hash": ("UPDATE answer SET sha256 = 'x' WHERE id = 1", "answer of run a"),
    "the order": (
        "UPDATE event_link SET previous = '' WHERE log = 'nugget_edit' AND event = 5",
        "nugget_edit, event 5: its content",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize(("statements", "message"), TAMPERED_LOGS.values(), ids=TAMPERED_LOGS)
def test_what_was_changed_behind_the_back_of_a_log_is_named(
    tmp_path: Path, whole: Path, statements: str, message: str
) -> None:
    """Somebody drops the triggers, changes something, and makes the triggers again."""
    path = tmp_path / "a.db"
    path.write_bytes(whole.read_bytes())
    behind_its_back(path, *statements.split("; "))
    with Store.open(path) as store, pytest.raises(StoreError, match=message):
        verify(store)


@pytest.mark.full
def test_documents_known_by_docno_are_hashed_as_all_rows_are() -> None:
    kind, changes = TABLE["document"], ["removed = 1", "title = ''", "sha256 = ''", "import = 1"]
    odd = ["a,b", "\x7f", "a\nb", 'a"b', "a\\b", "\t", "é", "\u2028"]
    with new_store() as store, store.writing():
        store.conn.execute("INSERT INTO import VALUES (1, '', 'runs', '[]', 1, 0)")
        store.ensure_docnos([f"d{n}" for n in range(1, BLOCK)])
        for block, name in enumerate(odd, 1):
            store.ensure_docnos([name, *(f"{block}/{n}" for n in range(1, BLOCK))])
        for block, change in enumerate(changes, len(odd) + 1):
            store.ensure_docnos([f"{block}/{n}" for n in range(BLOCK)])
            store.conn.execute(f"UPDATE document SET {change} WHERE id = {block * BLOCK + 7}")
        store.conn.execute("INSERT INTO document (id, docno) VALUES (13000, 'd13000'), (13002, 'd13002')")
        rows = store.rows(f"SELECT id / {BLOCK}, {', '.join(kind.columns.split())} FROM document ORDER BY id")
        expected = {str(block): state_of_rows(several) for block, several in groupby(rows, itemgetter(0))}
        assert dict(item_states(store.conn, kind, {})) == expected
        assert [block for block in range(15) if _state_of_docno_only_documents(store.conn, kind, str(block))] == [0, 1]


@pytest.mark.parametrize("change", ["UPDATE event_link SET import = 1", "DELETE FROM event_link",
                                    "REPLACE INTO event_link SELECT * FROM event_link"])  # fmt: skip
def test_links_only_grow(change: str) -> None:
    refusal = pytest.raises(sqlite3.IntegrityError, match="event_link is append-only")
    with answered_store() as store, refusal:
        store.conn.execute(change)


RUNS = {"a": ("d1", "d2", "d3"), "b": ("d3", "d4", "d1")}


@pytest.fixture
def full(tmp_path: Path, cranfield: Cranfield) -> Path:
    """A store with everything in it: a corpus, topics, runs, a stratified and a growing pool, a plan, labels."""
    store = tmp_path / "track.db"
    (tmp_path / "corpus.jsonl").write_text(
        "".join(f'{{"_id": "d{n}", "text": "wing {n}", "k": [1]}}\n' for n in range(9))
    )
    runs = {tag: dict.fromkeys("12", docnos) for tag, docnos in RUNS.items()}
    track_files(tmp_path, runs=runs, topics={"1": "wing", "2": "lift", "3": "drag"})
    (tmp_path / "qrels").write_text("1 1 d1 1\n1 2 d1 0\n2 1 d4 1\n")
    for words in (
        ["init", store, "--name", "full"],
        ["import", "corpus", store, tmp_path / "corpus.jsonl"],
        ["import", "topics", store, tmp_path / "topics.tsv"],
        ["import", "runs", store, *(tmp_path / tag for tag in RUNS)],
        ["import", "qrels", store, tmp_path / "qrels", "--format", "subtopics"],
        ["search", store, "--system", "bm25"],
        ["pool", "build", store, "--method", "mtf", "--budget", "4"],
        ["pool", "build", store, "--method", "stratified", "--depth", "3", "--budget", "4"],
        ["pool", "build", store, "--depth", "3"],
        ["assign", store, "--assessor", "ada", "--assessor", "bob", "--overlap", "50%", "--repeat", "1"],
        ["store", "remove", store, "topic", "3"],
    ):
        result = cranfield(*words)
        assert result.code == 0, (words, result.err)
    return store


@pytest.mark.full
def test_a_store_with_everything_in_it_is_sound(full: Path) -> None:
    """No table of a store is one that SQLite's check misreads."""
    with Store.open(full) as store:
        tables = {name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        in_use = {name for name in tables if store.rows(f"SELECT 1 FROM {name} LIMIT 1")}
        assert {"sampled", "holder", "pool_document", "frame_document", "pool_step", "ranking", "removal"} <= in_use
        assert store.rows("PRAGMA integrity_check") == [("ok",)]
        assert store.rows("PRAGMA foreign_key_check") == []


def test_a_key_without_rowids_is_the_first_of_the_columns() -> None:
    """What the check of SQLite 3.40 takes for NULLs; others do not find it, so it is looked for here."""
    with Store.memory("any") as store:
        for name, sql in store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'"):
            if "WITHOUT ROWID" in sql:
                keys = [key for *_, key in store.rows(f"PRAGMA table_info({name})")]
                size = max(keys)
                assert keys[:size] == [*range(1, size + 1)], name
