"""A bundle is not trusted: whatever somebody did to the file, one line says what is wrong and nothing is taken."""

import gzip
import shutil
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.assignments import assignments, give_assignment
from cranfield.store.bundles.bundle import merge_bundle, write_bundle
from cranfield.store.bundles.check import UntrustedStore
from cranfield.store.chain import Event, event_of, hash_of, person_by_name
from cranfield.store.log import append
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.hardening.damage import behind_its_back, take_triggers_away
from tests.judging.cases import store_of

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, and a bundle of it in which ada gave two labels besides the one she had given at home."""
    return make(tmp_path_factory.mktemp("made"))


def make(folder: Path, rule: int = 2) -> Path:
    """The store and the bundle, with judgments hashed by a rule."""
    with store_of(path=folder / "track.db") as store:
        with store.writing():
            store.conn.execute(f"UPDATE collection SET rule = {rule}")
        assign_topics_to_assessors(store, ["ada", "bob"])
        append(store, Event("label", "q1", "d3", "ada", grade=1), Event("label", "q2", "d4", "bob", grade=1))
        write_bundle(store, folder / "ada.db", "ada")
        with store.writing():
            store.conn.execute("UPDATE collection SET rule = 2")
    with Store.open(folder / "ada.db") as bundle:
        with bundle.writing():
            bundle.conn.execute(f"UPDATE collection SET rule = {rule}")
        append(bundle, *(Event("label", "q1", docno, "ada", grade=2, pool=1) for docno in ("d1", "d2")))
    return folder


@pytest.fixture
def track(home: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(home / "track.db", tmp_path))


@pytest.fixture
def bundle(home: Path, tmp_path: Path) -> Path:
    """The bundle: event 1 is from home, 2 and 3 came into being in it."""
    return Path(shutil.copy(home / "ada.db", tmp_path))


def edit(path: Path, statements: str) -> None:
    """Change a file by hand, in a shell that neither checks foreign keys nor has triggers left to stop it."""
    with closing(sqlite3.connect(path)) as shell, shell:
        take_triggers_away(shell)
        shell.executescript(statements)


def forge(path: Path) -> None:
    """Make every hash anew, as somebody does who knows how."""
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("UPDATE judgment_event SET rule = 2")
        columns = ", ".join(f"l.{name}" for name in Event._fields)
        names = f"SELECT {columns}, s.event_id FROM judgment_log l"
        last, persons = dict[str, str](), person_by_name(shell)
        joins = " LEFT JOIN judgment_event s ON s.id = l.supersedes ORDER BY l.id"
        for *row, earlier in shell.execute(names + joins).fetchall():
            event = event_of(tuple(row))
            event = event._replace(previous=last.get(event.origin, ""))
            last[event.origin] = hash_of(event, persons[event.assessor], earlier)
            change = "UPDATE judgment_event SET previous = ?, hash = ? WHERE id = ?"
            shell.execute(change, [event.previous, last[event.origin], event.id])


def state(path: Path) -> list[object]:
    """What is in a store's log, and what it knows of bundles."""
    with closing(sqlite3.connect(path)) as shell:
        tables = ("judgment_event", "origin", "criterion", "assessor", "document", "topic")
        return [shell.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


LABEL = """INSERT INTO judgment_event (event_id, at, kind, topic, document, assessor, grade, origin)
SELECT 'new', '2030-01-01T00:00:00.000+00:00', 'label', {topic}, {document}, {assessor}, 2, origin FROM collection;"""
ANOTHER_TOPIC = "INSERT INTO topic (id, qid) VALUES (2, '{}');"
EVENT_2 = "UPDATE judgment_event SET {} WHERE id = 2"
TO_BOB = "UPDATE bundle SET assessor = 'bob'; UPDATE assessor SET name = 'bob'"
ROW_2 = "table judgment_event, row 2"
OTHER = "differs from this store's"
NOT_SAME = "differs from the event with the same id in this store"
HERE = "this store is 'small' of AT, scale -1, 0, 1, 2 (1 is relevant)"
ANOTHER = f"a bundle of another collection, 'small' of AT, scale {{}}; {HERE}"
NO_JUDGING = "an assessor cannot record such an event in a bundle"
NOT_HERS = "it retracts an event that this assessor cannot retract"
UNTRUE = "its content has changed since it was recorded"

FORGED = {  # with a chain that holds
    "adjudications": (EVENT_2.format("kind = 'adjudicate'"), f"event 2 (adjudicate by ada): {NO_JUDGING}"),
    "imports": (EVENT_2.format("kind = 'import'"), f"event 2 (import by ada): {NO_JUDGING}"),
    "an adjudicated cannot-judge": (
        EVENT_2.format("kind = 'cannot-judge', grade = NULL, source = 'adjudication'"),
        f"event 2 (cannot-judge by ada): {NOT_HERS}",
    ),
    "grade 99": (EVENT_2.format("grade = 99"), f"{ROW_2}: the grade is not on the scale of this collection"),
    "an unknown kind": (
        "PRAGMA ignore_check_constraints = ON; " + EVENT_2.format("kind = 'guess'"),
        f"{ROW_2}: it has a value that is not allowed",
    ),
    "another owner's name": ("UPDATE bundle SET assessor = 'bob'", "the bundle belongs to bob, but contains labels by"
        " ada"),
    "another owner everywhere": (
        TO_BOB,
        f"event 1 {NOT_SAME}",
    ),
    "another owner without what she had": (
        f"{TO_BOB}; DELETE FROM judgment_event WHERE id = 1;"
        " UPDATE judgment_event SET id = id - 1",
        "the bundle was made for 'ada', but it claims to belong to 'bob'",
    ),
    "another owner and an invented origin": (
        f"{TO_BOB}; DELETE FROM judgment_event WHERE id = 1;"
        " UPDATE judgment_event SET id = id - 1, origin = 'x'; UPDATE collection SET origin = 'x';"
        " INSERT INTO origin VALUES ('x', 'bundle', '', '')",
        "event 1 (label by bob): topic 'q1' is not assigned to this assessor",
    ),
    "somebody else": (
        "INSERT INTO assessor (id, name, kind) VALUES (2, 'eve', 'human');"
        + LABEL.format(topic=1, document=1, assessor=2),
        "the bundle belongs to ada, but contains labels by eve",
    ),
    "a model": ("UPDATE assessor SET kind = 'model'", "the assessor 'ada' is model in the bundle, but human in this"
        " store"),
    "a stranger": (
        "INSERT INTO assessor (name, kind) VALUES ('eve', 'human')",
        "the assessor 'eve' is human in the bundle, but unknown in this store",
    ),
    "somebody else's topic": (
        ANOTHER_TOPIC.format("q2") + LABEL.format(topic=2, document=2, assessor=1),
        "event 4 (label by ada): topic 'q2' is not assigned to this assessor",
    ),
    "a topic from nowhere": (ANOTHER_TOPIC.format("q9"), "topic 'q9' is not in this store"),
    "a document that was not pooled": (
        "INSERT INTO document (id, docno) VALUES (9, 'd5');" + LABEL.format(topic=1, document=9, assessor=1),
        "event 4 (label by ada): document 'd5' is in no pool for topic 'q1'",
    ),
    "a document from nowhere": ("INSERT INTO document (docno) VALUES ('d9')", "document 'd9' is not in this store"),
    "another text": (
        "UPDATE document SET text = 'other' WHERE docno = 'd1'",
        f"the text of document 'd1' {OTHER}",
    ),
    "another title": ("UPDATE document SET title = 'x'", f"the title of document 'd1' {OTHER}"),
    "another narrative": ("UPDATE topic SET narrative = 'x'", f"the narrative of topic 'q1' {OTHER}"),
    "the hash of another text": (
        EVENT_2.format("document_sha256 = 'x'"),
        "event 2 (label by ada): the text of 'd1' differs from the text that the assessor saw",
    ),
    "another scale": (
        """UPDATE collection SET grades = '{"0": "no", "1": "yes", "2": "very", "99": "best"}'""",
        ANOTHER.format("0, 1, 2, 99 (1 is relevant)"),
    ),
    "what counts as relevant": (
        "UPDATE collection SET min_relevant = 2",
        ANOTHER.format("-1, 0, 1, 2 (2 is relevant)"),
    ),
    "takes back nothing": (
        EVENT_2.format("supersedes = 77"), f"{ROW_2}: it refers to a row that does not exist",
    ),
    "takes back another pair's label": (
        "UPDATE judgment_event SET kind = 'retract', grade = NULL, supersedes = 2 WHERE id = 3",
        f"event 3 (retract by ada): {NOT_HERS}",
    ),
    "brings back another grade": (
        "UPDATE judgment_event SET kind = 'retract', grade = NULL, supersedes = 2, document = 1, document_sha256 = NULL"
        " WHERE id = 3;"
        + LABEL.format(topic=1, document=1, assessor=1)
        + "UPDATE judgment_event SET grade = 0, supersedes = 3 WHERE id = 4",
        "event 4 (label by ada): it does not state which decision it replaces",
    ),
    "a changed event from home": (
        "UPDATE judgment_event SET grade = 2 WHERE id = 1", f"event 1 {NOT_SAME}",
    ),
    "an invented event from home": (
        EVENT_2.format("origin = (SELECT origin FROM judgment_event WHERE id = 1)"),
        "event 2 was recorded elsewhere and is not in this store",
    ),
    "no time": (EVENT_2.format("at = '1'"), "event 2 (label by ada): '1' is not a time"),
    "endless seconds": (EVENT_2.format("seconds = 9e999"), "event 2 (label by ada): it took inf seconds"),
    "no evidence": (
        EVENT_2.format("evidence = '[7]'"),
        "event 2 (label by ada): the evidence '[7]' does not mark passages",
    ),
    "an id that is kept": (
        EVENT_2.format("event_id = 'x outweighed'"),
        "event 2 (label by ada): the id 'x outweighed' is reserved for this store",
    ),
    "an unknown pool": (
        EVENT_2.format("pool = 2") + "; INSERT INTO pool VALUES (2, '', '{}', NULL, '', '')",
        "event 2 (label by ada): pool 2, from which this bundle was made, is not in this store",
    ),
    "somebody else's diary": (
        "INSERT INTO assessor (id, name, kind) VALUES (2, 'bob', 'human');"
        " INSERT INTO criterion (at, topic, assessor, text) VALUES ('', 1, 2, 'x')",
        "the bundle belongs to ada, but contains labels by bob",
    ),
    "a diary of another topic": (
        ANOTHER_TOPIC.format("q2") + " INSERT INTO criterion (at, topic, assessor, text) VALUES ('', 2, 1, 'x')",
        "criterion 1: topic 'q2' is not assigned to this assessor",
    ),
    "no bundle": ("DELETE FROM bundle", "a store, but not a bundle; `cranfield export bundle` makes one"),
}  # fmt: skip

EDITED = {  # by somebody who knows nothing of chains, or so that it is no matter of chains
    "a grade": (EVENT_2.format("grade = 0"), f"event 2 (label by ada): {UNTRUE}"),
    "a kind": (EVENT_2.format("kind = 'adjudicate'"), f"event 2 (adjudicate by ada): {UNTRUE}"),
    "a link": (EVENT_2.format("previous = 'x'"), f"event 2 (label by ada): {UNTRUE}"),
    "a gap": ("DELETE FROM judgment_event WHERE id = 2", "event 3 (label by ada): event 2 is missing"),
    "an origin": ("DELETE FROM origin", "event 1 (label by ada): its origin is unknown"),
    "a view for a table": (
        "ALTER TABLE judgment_event RENAME TO other; DROP VIEW judgment_log;"
        " CREATE VIEW judgment_event AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id FROM n) SELECT * FROM n",
        "judgment_event is not a plain table; expected one, as in every store",
    ),
    "a virtual table": (
        "ALTER TABLE criterion RENAME TO other; DROP VIEW criteria;"
        " CREATE VIRTUAL TABLE criterion USING fts5 (id, at, topic, assessor, text)",
        "criterion is not a plain table; expected one, as in every store",
    ),
    "no table": ("DROP TABLE bundle", "bundle is not a plain table; expected one, as in every store"),
    "no column": ("ALTER TABLE bundle RENAME assessor TO who", "table bundle has no plain column assessor"),
    "a generated column": (
        "DROP TABLE bundle; CREATE TABLE bundle (id INTEGER PRIMARY KEY, made TEXT, assessor AS (hex(zeroblob(9999))))",
        "table bundle has no plain column assessor",
    ),
    "a table without numbers": (
        "DROP TABLE bundle; CREATE TABLE bundle (made, assessor)", "table bundle has no plain column id",
    ),
    "columns of other types": (
        "DROP TABLE bundle; CREATE TABLE bundle (id, made, assessor); INSERT INTO bundle VALUES (1, '', x'00')",
        "table bundle, row 1: cannot store BLOB value in TEXT column bundle.assessor",
    ),
    "a newer version": (
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('cranfield', 'the_future', '')",
        "made by a newer cranfield, which has 'the future'; update this program to open it",
    ),
    "no step": ("DELETE FROM _sqlite_migrations", "its schema does not belong to any version of cranfield"),
    "a step of an old version": (
        "UPDATE _sqlite_migrations SET name = 'the_first_store'",
        "made by another version of cranfield, which has 'the first store'; "
        "update this program if it is older",
    ),
    "no collection": (
        "DELETE FROM collection; DELETE FROM judgment_event", "table collection is empty",
    ),
    "another application": ("PRAGMA application_id = 7", "not a cranfield store"),
}  # fmt: skip


def refusal(cranfield: Cranfield, track: Path, bundle: Path) -> str:
    """The one line with which a bundle is refused, without its name; nothing was taken."""
    before, content = state(track), bundle.read_bytes()
    result = cranfield("import", "bundle", track, bundle)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"error: {bundle}: ")
    assert result.err.count("\n") == 1
    assert (state(track), bundle.read_bytes()) == (before, content)
    with closing(sqlite3.connect(track)) as shell:
        moment = shell.execute("SELECT created FROM collection").fetchone()[0]
    return result.err.removeprefix(f"error: {bundle}: ").rstrip("\n").replace(moment, "AT")


@pytest.mark.parametrize(("statements", "line"), FORGED.values(), ids=FORGED)
def test_what_was_forged(cranfield: Cranfield, track: Path, bundle: Path, statements: str, line: str) -> None:
    """Every hash fits, and still it is not what ada can have done."""
    edit(bundle, statements)
    forge(bundle)
    assert refusal(cranfield, track, bundle) == line


@pytest.mark.parametrize(("statements", "line"), EDITED.values(), ids=EDITED)
def test_what_was_edited(cranfield: Cranfield, track: Path, bundle: Path, statements: str, line: str) -> None:
    """The chain does not hold, or the file is built in another way."""
    edit(bundle, statements)
    assert refusal(cranfield, track, bundle) == line


RECURSIVE = "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id FROM n) SELECT * FROM n"
HOSTILE = {
    "views that never end": f"DROP VIEW judgment_log; CREATE VIEW judgment_log AS {RECURSIVE};"
    f" DROP VIEW criteria; CREATE VIEW criteria AS {RECURSIVE}; CREATE VIEW qrels2 AS SELECT * FROM judgment_log",
    "triggers": "CREATE TRIGGER t BEFORE UPDATE ON collection BEGIN SELECT RAISE (ABORT, 'obeyed'); END;"
    " CREATE TRIGGER u BEFORE INSERT ON origin BEGIN SELECT RAISE (ABORT, 'obeyed'); END",
    "conditions that never end": "PRAGMA ignore_check_constraints = ON; DROP TABLE bundle;"
    " CREATE TABLE bundle (id INTEGER PRIMARY KEY, assessor TEXT CHECK"
    " (printf('%.*c', 5000, 'a') GLOB replace(printf('%.*c', 5000, 'x'), 'x', '*a')),"
    " made TEXT); INSERT INTO bundle VALUES (1, 'ada', '')",
    "other tables": "CREATE TABLE qrels3 (a); CREATE INDEX strange ON judgment_event (hex(zeroblob(grade)))",
}


@pytest.mark.parametrize("statements", HOSTILE.values(), ids=HOSTILE)
def test_what_is_never_run(track: Path, bundle: Path, statements: str) -> None:
    """Views, triggers and conditions of the file: it is as if they were not there."""
    edit(bundle, statements)
    with Store.open(track) as store:
        assert merge_bundle(store, bundle).new == 2


@pytest.mark.daily
def test_a_tree_that_hardly_ends(cranfield: Cranfield, track: Path, bundle: Path) -> None:
    """Pages that are shared dozens of times over, on several levels, give no table of billions of rows."""
    edit(bundle, "CREATE TABLE bulk (a); " + "INSERT INTO bulk VALUES (zeroblob(3000));" * 60)
    with closing(sqlite3.connect(bundle)) as shell, shell:
        query = "SELECT page_size, rootpage FROM pragma_page_size, sqlite_master WHERE name = 'bulk'"
        size, root = shell.execute(query).fetchone()
        shell.execute("PRAGMA writable_schema = ON")
        shell.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = 'criterion'", [root])
    content = bytearray(bundle.read_bytes())
    start = size * (root - 1)
    places = [start + int.from_bytes(content[start + at : start + at + 2], "big") for at in range(12, 100, 2)]
    levels = [root, *(int.from_bytes(content[place : place + 4], "big") for place in places[:4])]
    for upper, lower in pairwise(levels):
        content[size * (upper - 1) : size * upper] = content[start : start + size]
        for place in (start + 8, *places):
            at = size * (upper - 1) + place - start
            content[at : at + 4] = lower.to_bytes(4, "big")
    bundle.write_bytes(content)
    assert refusal(cranfield, track, bundle).startswith("table criterion, row ")
    with (
        UntrustedStore(bundle) as foreign,
        pytest.raises(StoreError, match="criterion is damaged: it has more data than the file"),
    ):
        list(foreign.table("criterion", ["text"]))


def test_an_id_of_somebody_elses_event(cranfield: Cranfield, track: Path, bundle: Path) -> None:
    """It is known here, and is not this one."""
    edit(bundle, f"ATTACH '{track}' AS home; UPDATE judgment_event SET event_id ="
         " (SELECT event_id FROM home.judgment_event WHERE id = 2) WHERE id = 2")  # fmt: skip
    forge(bundle)
    assert refusal(cranfield, track, bundle) == f"event 2 {NOT_SAME}"


def test_what_is_no_bundle(cranfield: Cranfield, track: Path, bundle: Path, tmp_path: Path) -> None:
    """Not there, no database, half of one, one that somebody writes to, the store itself."""
    whole = bundle.read_bytes()
    for content, line in (
        (b"", "not a cranfield store"),
        (b"1 Q0 d1 1 2.0 run\n", "not a store: file is not a database"),
        (whole[:5000], "not a store: database disk image is malformed"),
        (gzip.compress(whole), "the bundle is compressed; decompress it first"),
    ):
        bundle.write_bytes(content)
        assert refusal(cranfield, track, bundle) == line
    bundle.write_bytes(whole)
    Path(f"{bundle}-journal").write_bytes(b"x")
    assert refusal(cranfield, track, bundle).startswith("another program is writing to it or was interrupted")
    assert (
        cranfield("import", "bundle", track, tmp_path / "no.db").err == f"error: {tmp_path / 'no.db'}: no such file\n"
    )
    assert cranfield("import", "bundle", track, tmp_path).err == f"error: {tmp_path}: a folder, not a file\n"
    assert refusal(cranfield, track, track) == "a store, but not a bundle; `cranfield export bundle` makes one"


def test_a_part_of_the_store_is_no_bundle(cranfield: Cranfield, track: Path, tmp_path: Path) -> None:
    """A copy of the store that says that it is a bundle does not go on with the store's own chain."""
    copy = Path(shutil.copy(track, tmp_path / "copy.db"))
    with Store.open(copy) as store:
        append(store, Event("label", "q1", "d1", "ada", grade=2))
    edit(copy, "DELETE FROM judgment_event WHERE assessor <> 1; UPDATE judgment_event SET id = rowid - (id > 2);"
         " DELETE FROM assessor_salt WHERE assessor = 2; DELETE FROM assessor WHERE name = 'bob';"
         " INSERT INTO bundle VALUES (1, 'ada', '')")  # fmt: skip
    forge(copy)
    assert refusal(cranfield, track, copy) == "this file is a part of this store; expected a bundle"


def test_reading_a_bundle_leaves_it_as_it_was(track: Path, bundle: Path) -> None:
    """Also where it is write-protected."""
    content = bundle.read_bytes()
    bundle.chmod(0o400)
    with Store.open(track) as store:
        assert merge_bundle(store, bundle) == ("ada", 2, 1, 0, True)
        assert verify(store).events == 4
    assert bundle.read_bytes() == content


def test_a_bundle_of_which_the_store_knows_nothing_is_told(cranfield: Cranfield, home: Path, track: Path) -> None:
    """An earlier version did not record what it made; so nobody can know that this one is ada's."""
    behind_its_back(track, "DELETE FROM origin WHERE kind = 'bundle'")
    with Store.open(track) as store:
        assert not merge_bundle(store, home / "ada.db").recorded
    behind_its_back(track, "DELETE FROM judgment_event WHERE id > 2", "DELETE FROM origin WHERE kind = 'bundle'")
    output = cranfield("import", "bundle", track, home / "ada.db")
    assert output.err == (
        f"note: {home / 'ada.db'}: this store did not record an export of this bundle;"
        " make sure that it comes from ada\n"
    )
    assert cranfield("import", "bundle", track, home / "ada.db").err == ""


# What is late, or old


def test_late_events_on_a_topic_that_passed_on(track: Path, bundle: Path) -> None:
    """They are hers and are taken; the topic stays with its new assessor."""
    with Store.open(track) as store:
        give_assignment(store, "q1", "first", "bob")
        assert merge_bundle(store, bundle).new == 2
        assert [one.assessor for one in assignments(store) if one.qid == "q1"] == ["bob"]
        assert verify(store).events == 4
        with Store.open(bundle) as away:
            append(away, Event("label", "q1", "d3", "ada", grade=0))
        assert merge_bundle(store, bundle)[:4] == ("ada", 1, 3, 0)
        assert merge_bundle(store, bundle)[:4] == ("ada", 0, 4, 0)
        assert verify(store).events == 5
