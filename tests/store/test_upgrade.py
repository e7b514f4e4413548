"""Stores, bundles, pages and manifests that were made before there were seals and recorded changes.

They are in stores/, as SQL: written by the program of that time from the store of full_store.py, with a bundle that was
judged while it was away, a page that was downloaded, and qrels with their manifest.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp

import pytest

from cranfield.commands.rounds import start
from cranfield.errors import BusyError, StoreError
from cranfield.formats import Document
from cranfield.hooks import tables_of_features
from cranfield.store.bundles.bundle import merge_bundle
from cranfield.store.chain import JUDGMENTS, OTHERS, Event, log_head
from cranfield.store.log import add_assessor, append, read_events
from cranfield.store.schema import add_tables, stored_feature_parts
from cranfield.store.schema_check import has_built_in_schema
from cranfield.store.store import Store
from cranfield.store.upgrade import upgrade
from cranfield.store.verification import verify
from cranfield.store.withdrawals import present_name_by_docno
from tests.conftest import Cranfield
from tests.hardening.damage import behind_its_back
from tests.real import made_once
from tests.store.earlier import STORES, earlier
from tests.store.full_store import ADA, full_store

pytestmark = pytest.mark.full


def upgrade_once(folder: Path, name: str) -> Path:
    """One of the stores, converted."""
    path = folder / f"{name}.db"
    path.write_bytes(made_once(f"{name} upgraded", lambda to: upgrade(earlier(to.parent, name).rename(to))))
    return path


@pytest.mark.parametrize("name", ["full", "sealed", "one_step", "rounds"])
def test_an_earlier_store_is_converted_once(tmp_path: Path, cranfield: Cranfield, name: str) -> None:
    """Until then every command names the remedy; the old file is kept, and its mode; the schema is the new one."""
    path = earlier(tmp_path, name)
    path.chmod(0o600)
    refusal = cranfield("info", path)
    remedy = f"convert it with `cranfield store upgrade {path}`, which keeps the old file"
    assert (refusal.code, refusal.err) == (1, f"error: {path}: made by an earlier cranfield; {remedy}\n")
    output = cranfield("store", "upgrade", path)
    assert (output.code, output.out.splitlines()[-1]) == (0, f"the old store is {path}.before-upgrade")
    assert cranfield("store", "upgrade", path).out == f"{path} already has the current version\n"
    assert oct(path.stat().st_mode)[-3:] == "600"
    assert sorted(file.name for file in tmp_path.iterdir()) == [path.name, f"{path.name}.before-upgrade"]
    with Store.create(tmp_path / "new.db", "new") as new:
        new.add_documents([Document("d1", text="a text")])
        with Store.open(path) as converted, new.writing():
            assert has_built_in_schema(converted.conn)
            add_tables(new.conn, stored_feature_parts(converted.conn))
    assert schema(path) == schema(tmp_path / "new.db")


VIEWS = ("second_by_other_name", "settled_by_other_name", "other_name", "present_name")  # of which others are made


def test_a_store_from_before_panels_and_present_names_is_converted(tmp_path: Path) -> None:
    """Assessors can be of more kinds, new names stay what they were; the heads of its chains are as they were."""
    path = full_store(tmp_path)
    with Store.open(path) as store:
        store.ensure_docnos(["new"])
    start(path, "3", renamed={"d1": "new"})
    with closing(sqlite3.connect(path)) as shell:
        for view in VIEWS:
            shell.execute(f"DROP VIEW {view}")
        heads = [log_head(shell, log) for log in (JUDGMENTS, OTHERS)]
        shell.execute("PRAGMA writable_schema = ON")
        shell.execute("UPDATE sqlite_master SET sql = replace(sql, ' ''panel'',', '') WHERE name = 'assessor'")
        shell.execute("UPDATE _sqlite_migrations SET name = 'the_features' WHERE name = 'the_rounds'")
        shell.commit()
    with pytest.raises(StoreError, match="made by an earlier cranfield"):
        Store.open(path)
    upgrade(path)
    with Store.open(path) as store:
        assert [log_head(store.conn, log) for log in (JUDGMENTS, OTHERS)] == heads
        add_assessor(store, "three", "panel")
        assert present_name_by_docno(store) == {"d1": "new"}
        verify(store)


def rows_of(path: Path) -> list[str]:
    """A store as SQL."""
    with closing(sqlite3.connect(path)) as shell:
        return list(shell.iterdump())


def schema(path: Path) -> set[tuple[str, ...]]:
    """What a store's tables, views and triggers are."""
    with closing(sqlite3.connect(path)) as shell:
        return set(shell.execute("SELECT type, name, sql FROM sqlite_master").fetchall())


@pytest.mark.parametrize("name", ["full", "sealed", "one_step", "rounds"])
def test_no_row_is_lost_or_changed(tmp_path: Path, name: str) -> None:
    """Every column of every table has what it had; numbers that were given are not given again."""
    path = upgrade_once(tmp_path, name)
    with closing(sqlite3.connect(path)) as shell:
        shell.execute("ATTACH ? AS old", [str(earlier(Path(mkdtemp(dir=tmp_path)), name))])
        tables = shell.execute("SELECT name FROM old.sqlite_master WHERE sql LIKE '%STRICT%'").fetchall()
        assert len(tables) > 50
        for (table,) in tables:
            columns = ", ".join(row[1] for row in shell.execute(f"PRAGMA old.table_info({table})"))
            one, other = (set(shell.execute(f"SELECT {columns} FROM {of}.{table}")) for of in ("old", "main"))
            assert one <= other, table
        sequences = "SELECT count(*) FROM old.sqlite_sequence o LEFT JOIN main.sqlite_sequence n USING (name)"
        assert shell.execute(f"{sequences} WHERE n.seq IS NULL OR n.seq < o.seq").fetchone() == (0,)


@pytest.mark.parametrize("name", ["sealed", "one_step", "rounds"])
def test_chains_and_heads_stay_as_they_were(tmp_path: Path, name: str) -> None:
    path = earlier(tmp_path, name)
    with closing(sqlite3.connect(path)) as shell:
        before = [log_head(shell, log) for log in (JUDGMENTS, OTHERS)]
    verification = upgrade(path).verified
    assert [verification.head, verification.other_head] == [then.head for then in before]
    with Store.open(path) as store:
        assert [log_head(store.conn, log) for log in (JUDGMENTS, OTHERS)] == before


def test_a_store_that_does_not_verify_stays_as_it_was(tmp_path: Path) -> None:
    path = earlier(tmp_path, "sealed")
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("UPDATE judgment_event SET grade = 0 WHERE id = (SELECT id FROM judgment_event WHERE grade > 0)")
    before = rows_of(path)
    with pytest.raises(StoreError, match="its content has changed"):
        upgrade(path)
    assert (rows_of(path), [*tmp_path.iterdir()]) == (before, [path])


@pytest.mark.parametrize("protects_folder", [False, True])
def test_a_write_protected_store_is_not_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protects_folder: bool
) -> None:
    """The message names the file or the folder, and the remedy. Root may write anything, so the permission is faked."""
    path = earlier(tmp_path, "sealed")
    place = tmp_path if protects_folder else path
    monkeypatch.setattr("cranfield.store.upgrade.os.access", lambda one, mode: one != place)
    with pytest.raises(StoreError, match=rf"{place}: write-protected; .* upgrade a copy, or .*: chmod u\+w {place}$"):
        upgrade(path)


def test_a_store_in_use_is_not_converted(tmp_path: Path) -> None:
    path = earlier(tmp_path, "full")
    with closing(sqlite3.connect(path)) as somebody:
        somebody.execute("BEGIN")
        somebody.execute("SELECT count(*) FROM run").fetchone()
        with pytest.raises(
            BusyError, match="another program has opened this store; close that program, then try again"
        ):
            upgrade(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            "DELETE FROM _sqlite_migrations WHERE name = 'the_linked_calls'",
            "another version of cranfield, which has .*; update this program if it is older",
        ),
        (
            "INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('cranfield', 'the_rounds')",
            "made by a newer",
        ),
        ("PRAGMA application_id = 7", "not a cranfield store"),
    ],
)
def test_what_cannot_be_converted_is_refused(tmp_path: Path, change: str, message: str) -> None:
    path = earlier(tmp_path, "full")
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute(change)
    with pytest.raises(StoreError, match=message):
        upgrade(path)


def test_an_old_store_holds_and_goes_on(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its events keep their hashes, new ones follow by the new rule; the qrels and their manifest are the same."""
    path, out = earlier(tmp_path, "full"), tmp_path / "q.txt"
    with closing(sqlite3.connect(path)) as shell:
        links = shell.execute("SELECT previous, hash FROM judgment_event ORDER BY id").fetchall()
    upgrade(path)
    with Store.open(path) as store:
        before = verify(store)
        assert [(event.previous, event.hash) for event in read_events(store)] == links
        assert {event.rule for event in read_events(store)} == {1}
        append(store, Event("note", "1", "d1", ADA, note="hm"))
        assert verify(store)[:2] == (before.events + 1, before.chains)
        assert read_events(store)[-1].rule == 2
        own = [event for event in read_events(store) if event.origin == read_events(store)[-1].origin]
        assert own[-1].previous == own[-2].hash
    assert cranfield("export", "qrels", path, out).code == 0
    assert out.read_bytes() == (STORES / "qrels.txt").read_bytes()
    output = cranfield("store", "verify", path, "--manifest", STORES / "qrels.txt.manifest.json")
    assert (output.code, output.err) == (0, "")


def test_what_was_out_comes_home(tmp_path: Path) -> None:
    """A bundle, as it is and judged further with this version, and a page; as often as one likes."""
    path, away = upgrade_once(tmp_path, "full"), earlier(tmp_path, "away")
    with Store.open(path) as store:
        first = verify(store).events
        assert [merge_bundle(store, away)[:4] for _ in range(2)] == [(ADA, 1, 3, 0), (ADA, 0, 4, 0)]
        upgrade(away)
        with Store.open(away) as bundle:
            qid, docno = bundle.rows("SELECT qid, docno FROM pooled ORDER BY qid, docno")[0]
            append(bundle, Event("note", qid, docno, ADA, note="still away", pool=3))
            assert verify(bundle).events == 5
        assert [merge_bundle(store, away)[:2] for _ in range(2)] == [(ADA, 1), (ADA, 0)]
        assert merge_bundle(store, STORES / "page.jsonl")[:2] == (ADA, 2)
        assert verify(store).events >= first + 4
        assert {event.rule for event in read_events(store)[first:]} == {1, 2}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE judgment_event SET grade = 0 WHERE id = 4", "event 4 .* its content has changed"),
        ("UPDATE nugget SET text = 'x' WHERE id = 1", "nugget_edit, event 1: its content has changed"),
        ("UPDATE judgment_event SET rule = 2 WHERE id = 4", "event 4 .* its content has changed"),
        ("UPDATE holder SET assessor = 2 WHERE assignment = 1", "holder 1/2: it was not recorded"),
    ],
)
def test_what_was_changed_in_an_old_store_is_named(tmp_path: Path, statement: str, message: str) -> None:
    """By hand, after it was brought up to date."""
    path = upgrade_once(tmp_path, "full")
    behind_its_back(path, statement)
    with Store.open(path) as store, pytest.raises(StoreError, match=message):
        verify(store)


def test_an_old_store_records_as_it_was_found(tmp_path: Path) -> None:
    """Every table, and where its logs stood."""
    with Store.open(upgrade_once(tmp_path, "full")) as store:
        kinds = {kind for (kind,) in store.rows("SELECT DISTINCT kind FROM change")}
        assert {"collection", "topic", "document", "run", "pool_document", "holder", "audited", "sampled"} <= kinds
        manifest = json.loads((STORES / "qrels.txt.manifest.json").read_text())["log"]
        [(heads,)] = store.rows("SELECT said FROM change WHERE kind = 'heads'")
        assert json.loads(heads)["judgments"] == manifest


def test_stores_know_the_tables_of_features_by_names_that_stay() -> None:
    """A part that is named otherwise would be made again in each store that has it, and none would open."""
    names = {
        "models": ["tables:TABLES", "tables:TOPICS"],
        "answers": ["store.tables:TABLES", "store.tables:WHOLE"],
        "briefing": ["tables:TABLES"],
        "collecting": ["tables:TABLES"],
        "documents": ["store.tables:TABLES", "store.tables:PICTURES"],
        "online": ["store.tables:TABLES", "store.tables:ATTRIBUTES"],
        "preferences": ["tables:TABLES"],
        "publishing": ["store.tables:TABLES"],
        "tasks": ["tables:TABLES"],
    }
    assert {(name, part) for name, parts in names.items() for part in parts} <= tables_of_features().keys()
