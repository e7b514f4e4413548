"""Releases: whatever happens to a store afterwards, a release and its commands show what a copy of that time shows."""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from sqlite3 import IntegrityError, OperationalError
from typing import Any

import pytest

import cranfield as api
from cranfield.analysis.changes import content_changes
from cranfield.errors import InputError, StoreError
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.publishing.describe import describe, description_of
from cranfield.formats import Document, RunInfo, Topic
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.selection import Labellers
from cranfield.store.chain import Event
from cranfield.store.history import importing
from cranfield.store.log import add_assessor, append
from cranfield.store.releases import make_release, releases, tables_of_releases
from cranfield.store.removal import remove
from cranfield.store.schema import create_schema
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield, usually
from tests.store.releases.histories import DEEDS, begin, happens
from tests.stores import filled, new_file, new_store
from tests.views import view_of

pytestmark = pytest.mark.full

NOT_RELEASED = {
    "release", "earlier_document", "earlier_topic", "feature",  # what releases are made of
    "publication",  # what people say of the collection when they publish it
    "invitation", "serving_key",  # who may judge in the browser
    "assessor_salt", "unrecorded", "erasure", "redaction",  # what the chains need
    "user_salt", "experiment", "arm", "query", "impression", "action", "attribute", "log_file",  # what users did
    "document_fts", "document_fts_config", "document_fts_data", "document_fts_docsize", "document_fts_idx",
    "team_contact", "team_link", "submission_upload", "submission_piece",  # of the teams of a task
    "sqlite_sequence", "_sqlite_migrations",
}  # fmt: skip


def copy_of(store: Store) -> Store:
    """A copy of a store in memory."""
    copy = Store(":memory:")
    store.conn.backup(copy.conn)
    return copy


def everything(store: Store) -> dict[str, Counter[tuple[Any, ...]]]:
    """Every row of every table and view that releases have and that is not empty."""
    views = [name for (name,) in store.rows("SELECT name FROM main.sqlite_master WHERE type = 'view'")]
    tables = (*tables_of_releases(store.conn), *views)
    return {table: Counter(rows) for table in tables if (rows := store.rows(f"SELECT * FROM {table}"))}


def test_every_table_is_in_releases_or_not() -> None:
    """Whoever adds a table says so."""
    with closing(sqlite3.connect(":memory:")) as conn:
        create_schema(conn)
        tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        in_releases = {*tables_of_releases(conn)}
    assert tables == in_releases | NOT_RELEASED
    assert not in_releases & NOT_RELEASED


@pytest.mark.parametrize("seed", range(usually(2, 300)))
def test_a_release_shows_what_a_copy_shows(seed: int) -> None:
    """Every row of every table and view, after any history, of several releases."""
    random, copies = Random(seed), dict[str, Store]()
    with begin(random) as store:
        for name in ("1.0", "1.1", "2.0"):
            happens(store, random, random.randint(0, 40))
            make_release(store, name)
            copies[name] = copy_of(store)
        happens(store, random, 60)
        for name, copy in copies.items():
            with store.release(name) as then, copy:
                assert everything(then) == everything(copy), name
        assert verify(store).releases == 3


def test_everything_happens_in_some_history() -> None:
    """So that the histories test something."""
    output, random = Counter[str](), Random(1)
    with begin(random) as store:
        for deed in DEEDS * 6:
            before = store.conn.total_changes
            with suppress(InputError, StoreError):
                deed(store, random)
            output[deed.__name__] += store.conn.total_changes > before
    assert not [name for name, times in output.items() if not times]


@pytest.fixture
def store() -> Iterator[Store]:
    """A store with a release, and judging that went on."""
    with new_store() as opened:
        with importing(opened, "corpus", ["corpus"]):
            filled(opened, documents={"d1": "one", "d2": "two"})
        with importing(opened, "topics", ["topics"]):
            filled(opened, topics={"q1": "first", "q2": "second"})
        with importing(opened, "runs", ["a"]):
            ranking = {"q1": {"d1": 2.0, "x": 1.0}}
            filled(opened, runs={"a": ranking, "b": ranking}, teams={"b": RunInfo("b", pooled=False)})
        with importing(opened, "answers", ["rag"]):
            add_answers(opened, [Answer("rag", "q1", [Sentence("one")])])
        build(opened, PoolRequest("depth", depth=1))
        filled(opened, labels={"ada": {("q1", "d1"): 1}})
        make_release(opened, "1.0", "2026-01-31", "the first round")
        append(opened, Event("label", "q1", "d1", "ada", grade=0))
        yield opened


@pytest.mark.parametrize(
    ("kind", "name", "what"),
    [
        ("topic", "q2", "topic 'q2'"),
        ("run", "rag", "run 'rag'"),
        ("run", "b", "run 'b'"),
        ("pool", "1", "pool 1"),
        ("import", "4", "import 4"),
    ],
)
def test_what_a_release_has_stays(store: Store, kind: str, name: str, what: str) -> None:
    """It is refused in a line that names the release; without labels and pools nothing else would forbid it."""
    with store.writing():  # nothing else depends on these
        append(store, *(Event("retract", "q1", "d1", "ada", supersedes=number) for number in (2, 1)))
    with pytest.raises(StoreError) as error:
        remove(store, kind, [name])
    assert str(error.value) == f"{what} cannot be removed: release 1.0 contains it, and releases never change"


def test_what_came_later_can_be_removed(store: Store) -> None:
    """And a text that came later to a document that the release has without one."""
    with importing(store, "corpus", ["more"]) as number:
        store.add_documents([Document("x", text="now known"), Document("d3", text="new")])
    assert remove(store, "import", [str(number)]) == [
        f"import {number}: 2 documents removed; runs still refer to 1 of them"
    ]
    with store.release("1.0") as then:
        assert then.document("x").text == ""
    assert verify(store).releases == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE document SET text = 'other', sha256 = 'x' WHERE docno = 'd1'",
        "UPDATE topic SET title = 'other' WHERE qid = 'q1'",
        "UPDATE ranking SET scores = zeroblob(8)",
        "DELETE FROM ranking",
        "DELETE FROM run",
        "DELETE FROM pool WHERE false OR id = 1",
        "DELETE FROM answer",
        "UPDATE release SET note = ''",
        "DELETE FROM release",
        "INSERT OR REPLACE INTO release SELECT * FROM release",
    ],
)
def test_no_sql_changes_a_release(store: Store, change: str) -> None:
    """Of anybody who opens the file."""
    with pytest.raises(IntegrityError, match=r"release|append-only"):
        store.conn.execute(change)


@pytest.mark.parametrize(
    ("trigger", "change", "message"),
    [
        ("document_released", "UPDATE document SET text = 'other' WHERE docno = 'd2'",
         "the text of document d2 has changed since it was imported"),
        ("topic_released", "UPDATE topic SET title = 'other' WHERE qid = 'q1'",
         "release 1.0: the rows of table topic differ from the released rows"),
        ("ranking_released", "UPDATE ranking SET scores = zeroblob(16)",
         "release 1.0: the rows of table ranking differ from the released rows"),
        ("release_unchanged", "UPDATE release SET date = '2020-01-01'",
         "release 1.0: its record has changed since it was made"),
    ],
)  # fmt: skip
def test_verify_finds_what_was_changed(store: Store, trigger: str, change: str, message: str) -> None:
    """Without its guard, and with the guard put back."""
    [(sql,)] = store.rows("SELECT sql FROM sqlite_master WHERE name = ?", [trigger])
    store.conn.execute(f"DROP TRIGGER {trigger}")
    store.conn.execute(change)
    store.conn.execute(sql)
    with pytest.raises(StoreError, match=message):
        verify(store)


@pytest.mark.parametrize("name", ["2.0", "spring-round_2+a"])
def test_a_release_is_published_with_its_date(store: Store, name: str) -> None:
    """And with its name as the version; what is changed for a folder comes first."""
    describe(store, {"version": "0.9", "date": "2020-01-01"})
    make_release(store, name, "2026-03-31")
    with store.release(name) as then:
        own, second = description_of(then), description_of(then, {"version": "2.1"})
    assert (own.version, own.date, second.version) == (name, "2026-03-31", "2.1")
    assert description_of(store).date == "2020-01-01"


def test_a_release_is_read_only(store: Store) -> None:
    """And says what to do instead."""
    with store.release("1.0") as then:
        with pytest.raises(StoreError, match=r"release 1\.0 never changes; omit @1\.0"):
            add_assessor(then, "bob")
        with pytest.raises(OperationalError, match="readonly"):
            then.conn.execute("DELETE FROM main.judgment_event")
        with pytest.raises(StoreError, match="whose verification includes its releases"):
            verify(then)


@pytest.mark.parametrize(
    ("name", "day", "message"),
    [
        ("1.0", "", "release 1.0 of 2026-01-31 is already in this store"),
        ("one two", "", "not a valid release name"),
        ("1/0", "", "not a valid release name"),
        ("1.", "", "not a valid release name"),
        ("1" * 65, "", "not a valid release name"),
        ("2.0", "31.1.2026", "not a date; expected YYYY-MM-DD"),
    ],
)
def test_what_is_no_release_is_refused(store: Store, name: str, day: str, message: str) -> None:
    """In one line."""
    with pytest.raises(StoreError, match=message):
        make_release(store, name, day)
    assert len(releases(store)) == 1


PRINTS = (
    "evaluate STORE --per-topic --format json",
    "reusability STORE -m AP --format json",
    "agreement STORE --resamples 0 --format json",
    "info STORE --format json",
    "pool show STORE --format csv",
    "diff STORE primary min --all --format json",
    "answers nuggets show STORE --format json",
)
WRITES = ("export qrels STORE out", "export runs STORE out", "export judgments STORE out", "export topics STORE out",
          "export corpus STORE out")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a release and a history since, and a copy of the time of the release."""
    folder, random = tmp_path_factory.mktemp("releases"), Random(5)
    with begin(random) as store:
        happens(store, random, 80)
        record_label_choice(store, policy="primary")
        make_release(store, "1.0", "2026-01-31")
        store.conn.execute("VACUUM INTO ?", [str(folder / "copy.db")])
        happens(store, random, 60)
        store.add_documents([Document("late", text="a late text")])
        store.add_topics([Topic("late", "a late topic")])
        make_release(store, "2.0", "2026-02-28")
        store.conn.execute("VACUUM INTO ?", [str(folder / "a@b.db")])
    return folder


@pytest.fixture
def there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder as the current one."""
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("words", PRINTS)
def test_a_command_prints_what_it_printed(there: Path, cranfield: Cranfield, words: str) -> None:
    """To the byte: with --release, where it has that option, and as STORE@NAME; the present state is another."""
    then = cranfield(*words.replace("STORE", "copy.db").split())
    by_name = cranfield(*words.replace("STORE", "a@b.db@1.0").split())
    assert (by_name.code, by_name.out) == (then.code, then.out)
    assert then.code == 0, then.err
    assert cranfield(*words.replace("STORE", "a@b.db").split()).out != then.out
    if not words.startswith("diff"):
        by_option = cranfield(*words.replace("STORE", "a@b.db").split(), "--release", "1.0")
        assert (by_option.code, by_option.out) == (0, then.out)


@pytest.mark.parametrize("words", WRITES)
def test_a_command_writes_what_it_wrote(there: Path, cranfield: Cranfield, words: str) -> None:
    """To the byte, manifests of qrels too."""
    contents: dict[str, dict[str, bytes]] = {}
    for place in ("copy.db", "a@b.db@1.0", "a@b.db"):
        cranfield(*words.replace("STORE", place).split())
        paths = sorted(there.glob("out*"))
        files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.iterdir()))]
        contents[place] = {file.name: file.read_bytes() for file in files}
        for path in paths:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert contents["copy.db"] == contents["a@b.db@1.0"] != {}
    assert contents["a@b.db"] != contents["copy.db"]


@pytest.mark.filterwarnings("ignore:.* by models:UserWarning", "ignore:.* (scores?|counts? as) 0:UserWarning")
@pytest.mark.filterwarnings("ignore:.*judged in part")
def test_python_reads_releases(there: Path) -> None:
    """By name, as a path, and from an open store."""
    then = api.evaluate("copy.db", measures="AP").frame
    assert api.evaluate("a@b.db", measures="AP", release="1.0").frame.equals(then)
    assert api.evaluate("a@b.db@1.0", measures="AP").frame.equals(then)
    with Store.open("a@b.db") as store, store.release("1.0") as release:
        assert api.evaluate(release, measures="AP").frame.equals(then)
    assert api.store.list_releases("a@b.db").frame[["release", "date"]].values.tolist() == [
        ["1.0", "2026-01-31"],
        ["2.0", "2026-02-28"],
    ]
    with new_store() as store, pytest.raises(InputError, match="this store is in memory"):
        api.evaluate(store, release="1.0")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("evaluate a@b.db@1.1", "error: a@b.db: no release '1.1' in this store; did you mean 1.0?"),
        ("evaluate a@b.db --release first", "error: a@b.db: no release 'first' in this store; available: 1.0, 2.0"),
        ("evaluate qrels qrels --release 1.0", "error: qrels: not a store; only a store has a release '1.0'"),
        ("evaluate nowhere.db@1.0", "error: nowhere.db@1.0: no such file; `cranfield init` creates a store"),
        ("pool build a@b.db@1.0", "error: a@b.db: release 1.0 never changes; omit @1.0 to change the store"),
        ("store release a@b.db 1.0",
         "error: release 1.0 of 2026-01-31 is already in this store; releases never change"),
        ("store backup a@b.db@1.0 c.db",
         "error: a@b.db: this is a release; expected the whole store, with its releases; omit @1.0"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(there: Path, cranfield: Cranfield, words: str, message: str) -> None:
    """That says what is right."""
    (there / "qrels").write_text("q0 0 d0 1\n")
    output = cranfield(words)
    assert (output.code, output.err.strip()) == (1, message)


def test_a_backup_has_the_releases(there: Path, cranfield: Cranfield) -> None:
    """And they hold in it."""
    assert cranfield("store backup a@b.db backup.db").code == 0
    assert "2 releases verified" in cranfield("store verify backup.db").out
    assert cranfield("store releases backup.db").out == cranfield("store releases a@b.db").out


def test_a_list_of_nothing_says_so(tmp_path: Path, cranfield: Cranfield) -> None:
    """And what makes the first one."""
    track = new_file(tmp_path / "new.db")
    for words, line in (
        ("store releases", "No release yet; `cranfield store release` makes one.\n"),
        ("store history", "Nothing has been imported, removed or withdrawn yet.\n"),
        ("assessor list", "Nobody has been invited yet. `cranfield assessor invite` makes a link.\n"),
    ):
        assert cranfield(*words.split(), track).out == line
        assert cranfield(*words.split(), track, "--format", "json").out == "[]\n"


def test_two_releases_are_compared(there: Path, cranfield: Cranfield) -> None:
    """Their labels, and the runs that both have."""
    output = cranfield("diff a@b.db 1.0 2.0 --all")
    assert output.code == 0
    assert len([line for line in output.out.splitlines() if line.startswith("1.0 (policy primary) has ")]) == 1
    assert cranfield("diff a@b.db@2.0 1.0 release:2.0 --all").out == output.out.replace("2.0", "release:2.0")


@pytest.mark.needs_extra("report")
def test_a_report_names_its_release(there: Path) -> None:
    """And that of the store as it stands has none."""
    from cranfield.report.facts import _store_facts as facts_of
    from cranfield.report.facts import subject_of

    facts = [dict(facts_of(subject_of(view_of([Path(place)])))) for place in ("a@b.db@1.0", "a@b.db")]
    assert facts[0]["release"] == "1.0 of 2026-01-31"
    assert "release" not in facts[1]


def test_a_store_that_cannot_be_written_shows_its_releases(there: Path, cranfield: Cranfield) -> None:
    """The release is read from a copy."""
    folder = there / "locked"
    folder.mkdir()
    shutil.copy("a@b.db", folder)
    folder.chmod(0o500)
    try:
        assert cranfield("evaluate locked/a@b.db@1.0").out == cranfield("evaluate copy.db").out
    finally:
        folder.chmod(0o700)


def test_a_changed_choice_of_labels_changes_labels() -> None:
    """Compared with its own recorded choice, a release shows what another choice made of the same labels."""
    with new_store(people=["ada", "bob"], qrels={}, topics=["q"], documents={"d": "text"}) as store:
        for name, grade in (("ada", 0), ("bob", 1)):
            append(store, Event("label", "q", "d", name, grade=grade))
        record_label_choice(store, policy="min")
        make_release(store, "1.0")
        record_label_choice(store, policy="max")
        labellers = Labellers(policy="max")
        found = content_changes(store, ["1.0"], labellers=labellers, own_choices=True)
        assert [(one.what, one.change, one.name) for one in found.changes] == [("label", "changed", "q d")]
        assert content_changes(store, ["1.0"], labellers=labellers).changes == []
