"""`store verify --manifest` derives exported qrels anew from the events of their time, and names what differs."""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.api.building import store_verify
from cranfield.judging.labels.policies import ELSE, POLICIES
from cranfield.store.assignments import Plan, add_plan, give
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.open_pools import add
from cranfield.store.pools import PooledDocument, stored_pool
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.hardening import damage
from tests.judging.cases import store_of
from tests.store.test_upgrade import upgraded

RULES = [*(name for name in POLICIES if name != "single"), f"{ELSE}median-low"]


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """Ada has topic q1; she and bob disagree on it; eve has settled one document."""
    path = tmp_path / "track.db"
    with store_of(path=path) as store:
        for name in ("bob", "ada", "eve"):
            add_assessor(store, name)
        add_plan(store, Plan(1), {"q1": "ada"}, {})
        append(store, *(Event("label", "q1", docno, "bob", 0, unsure=docno == "d2") for docno in ("d1", "d2", "d3")))
        append(store, *(Event("label", "q1", docno, "ada", 2) for docno in ("d1", "d3")))
        append(store, Event("later", "q2", "d4", "bob"), Event("adjudicate", "q1", "d3", "eve", 1))
        append(store, Event("retract", "q1", "d1", "ada", supersedes=4), Event("label", "q1", "d1", "ada", 1))
    return path


def by_hand(path: Path, *statements: str) -> None:
    """Change a store with its triggers away, and make them again."""
    with closing(sqlite3.connect(path)) as shell, shell:
        triggers = shell.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for statement in (
            *(f"DROP TRIGGER {name}" for name, _ in triggers),
            *statements,
            *(sql for _, sql in triggers),
        ):
            shell.execute(statement)


def exported(cranfield: Cranfield, path: Path, *options: str) -> Path:
    """Export qrels; their manifest."""
    out = path.with_name("q.txt")
    done = cranfield("export", "qrels", path, out, *options)
    assert done.code == 0, done.err
    return out.with_name("q.txt.manifest.json")


def verified(cranfield: Cranfield, path: Path, manifest: Path) -> str:
    """The last line that verify says, where all holds."""
    done = cranfield("store", "verify", path, "--manifest", manifest)
    assert done.code == 0, done.err
    return done.out.splitlines()[-1]


def refused(cranfield: Cranfield, path: Path, manifest: Path) -> str:
    """What verify says where something does not hold."""
    done = cranfield("store", "verify", path, "--manifest", manifest)
    assert (done.code, done.err.count("\n")) == (1, 1), done.err
    return done.err


def go_on(path: Path) -> None:
    """Work after an export that would give other qrels by any policy."""
    with Store.open(path) as store:
        give(store, "q1", "first", "bob")
        add_plan(store, Plan(1), {"q3": "bob"}, {})
        append(
            store, *(Event("label", "q1", f"d{n}", "ada", 0) for n in (1, 2, 3)), Event("label", "q3", "d5", "bob", 2)
        )
        append(store, Event("adjudicate", "q1", "d3", "eve", 2), Event("label", "q2", "d4", "bob", 1))


@pytest.mark.parametrize("rule", RULES)
def test_each_policy_gives_the_same_again(track: Path, cranfield: Cranfield, rule: str) -> None:
    """At once, and whatever came since."""
    manifest = exported(cranfield, track, "--policy", rule)
    before = verified(cranfield, track, manifest)
    assert before.endswith(f"judgments derived anew by policy {rule}: those of q.txt")
    go_on(track)
    assert verified(cranfield, track, manifest) == before


@pytest.mark.parametrize(
    "options",
    [
        ["--assessor", "bob", "--assessor", "ada"], ["--labels", "people"], ["--unsure", "leave-out"],
        ["--later", "-3", "--unlabelled", "-4", "--cannot-judge", "-5"],
    ],
)  # fmt: skip
def test_whatever_was_asked_for(track: Path, cranfield: Cranfield, options: Sequence[str]) -> None:
    """All that decides the lines is in the manifest."""
    manifest = exported(cranfield, track, *options)
    assert "derived anew" in verified(cranfield, track, manifest)
    go_on(track)
    assert "derived anew" in verified(cranfield, track, manifest)


@pytest.mark.parametrize("format", ["trec", "beir", "subtopics", "sample-eval", "grade-stratum"])
def test_every_format(tmp_path: Path, cranfield: Cranfield, format: str) -> None:
    """Compressed as well; with strata and subtopics, of a store with something of everything."""
    path, out = damage.made(tmp_path), tmp_path / "q.txt.gz"
    assert cranfield("export", "qrels", path, out, "--format", format).code == 0
    manifest = tmp_path / "q.txt.gz.manifest.json"
    assert "derived anew by policy primary: those of q.txt.gz" in verified(cranfield, path, manifest)
    out.unlink()
    assert verified(cranfield, path, manifest).endswith("those of q.txt.gz, of which only the hash is here")


def rehashed(manifest: Path) -> None:
    """Let a manifest name the file that is beside it."""
    said = json.loads(manifest.read_text())
    said["sha256"] = hashlib.sha256(manifest.with_name(said["qrels"]).read_bytes()).hexdigest()
    manifest.write_text(json.dumps(said))


def test_a_file_and_its_hash_that_were_changed_together(track: Path, cranfield: Cranfield) -> None:
    """The first line that differs is named, or the hash where the file is not here."""
    manifest, out = exported(cranfield, track), track.with_name("q.txt")
    right = out.read_text()
    out.write_text(right.replace("d1 1", "d1 2"))
    assert "not what was exported" in refused(cranfield, track, manifest)
    rehashed(manifest)
    by = "the log as it was then gives, by policy primary,"
    assert f"q.txt, line 1: 'q1 0 d1 2'; {by} 'q1 0 d1 1'" in refused(cranfield, track, manifest)
    out.write_text("".join(right.splitlines(keepends=True)[:-1]))
    rehashed(manifest)
    assert f"line 3: nothing; {by} 'q1 0 d3 1'" in refused(cranfield, track, manifest)
    out.unlink()
    assert "its SHA-256 differs" in refused(cranfield, track, manifest)


def test_another_policy_in_the_manifest(track: Path, cranfield: Cranfield) -> None:
    """What it names has to give the file."""
    manifest = exported(cranfield, track, "--policy", "min")
    manifest.write_text(manifest.read_text().replace('"name": "min"', '"name": "max"'))
    assert "line 1: 'q1 0 d1 0'; the log as it was then gives, by policy max, 'q1 0 d1 1'" in refused(
        cranfield, track, manifest
    )


def test_a_holder_who_was_another_only_while_the_export_was_made(track: Path, cranfield: Cranfield) -> None:
    """And is again who it was: nothing else tells."""
    by_hand(track, "UPDATE holder SET assessor = 1")
    manifest = exported(cranfield, track)
    by_hand(track, "UPDATE holder SET assessor = 2")
    assert "line 1: 'q1 0 d1 0'; the log as it was then gives, by policy primary, 'q1 0 d1 1'" in refused(
        cranfield, track, manifest
    )


def test_what_cannot_be_derived_anew_is_said(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """A policy of another version, a manifest from before, an assessor who was erased: never taken as right."""
    manifest = exported(cranfield, track, "--assessor", "ada")
    said = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(said | {"policy": {**said["policy"], "version": 2}}))
    told = verified(cranfield, track, manifest)
    assert told == "q.txt was not derived anew: it was by version 2 of policy primary; this program has version 3"
    manifest.write_text(json.dumps({name: value for name, value in said.items() if name != "other_logs"}))
    assert "was not derived anew: whose each topic was then is not on record" in verified(cranfield, track, manifest)
    manifest.write_text(json.dumps(said))
    assert "derived anew by policy" in verified(cranfield, track, manifest)
    assert cranfield("store", "erase", track, "assessor", "ada", "--reason", "asked").code == 0
    assert "was not derived anew: it was by the labels of ada" in verified(cranfield, track, manifest)
    (tmp_path / "bad").write_text(json.dumps({name: said[name] for name in ("log", "policy", "qrels")}))
    assert "does not say how it was derived" in refused(cranfield, track, tmp_path / "bad")


def test_a_store_from_before_changes_were_recorded(tmp_path: Path, cranfield: Cranfield) -> None:
    """Whose its topics were before it was brought up to date nobody recorded."""
    path = upgraded(tmp_path, "full")
    with Store.open(path) as store:
        [(items,)] = store.rows("SELECT min(l.id) FROM event_link l WHERE log = 'change'")
    manifest = exported(cranfield, path)
    assert "derived anew by policy primary" in verified(cranfield, path, manifest)
    said = json.loads(manifest.read_text())
    with Store.open(path) as store:
        from cranfield.store.chain import OTHERS, log_head

        said["other_logs"] = log_head(store.conn, OTHERS, items - 1)._asdict()
    manifest.write_text(json.dumps(said))
    assert "was not derived anew: whose each topic was then" in verified(cranfield, path, manifest)


def test_a_pool_that_has_grown(track: Path, cranfield: Cranfield) -> None:
    """It decides which pairs are unlabelled; where only labels are written it decides nothing."""
    plain = verified(cranfield, track, exported(cranfield, track))
    manifest = exported(cranfield, track, "--unlabelled", "-4")
    with Store.open(track) as store:
        add(store, stored_pool(store, 1), [PooledDocument("q1", "d5", 0, ())])
    told = "q.txt was not derived anew: pool 1, which it was of, has changed since"
    assert verified(cranfield, track, manifest) == told
    assert verified(cranfield, track, exported(cranfield, track)) == plain


def test_from_python(track: Path, cranfield: Cranfield) -> None:
    """One column more."""
    found = store_verify(track, exported(cranfield, track))["qrels"].tolist()
    assert found == ["3 judgments derived anew by policy primary: those of q.txt"]
    assert store_verify(track)["qrels"].tolist() == [""]
