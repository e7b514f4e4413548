"""Export of the judgments as qrels, what is not in them, and qrels derived anew by `store verify --manifest`."""

import hashlib
import json
from pathlib import Path

import pytest

from cranfield.commands.stores import verify as store_verify
from cranfield.errors import InputError, StoreError
from cranfield.judging.labels.policies import ELSE, POLICIES
from cranfield.store.assignments import Plan, add_plan, give_assignment
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.open_pools import add
from cranfield.store.pools import PooledDocument, stored_pool
from cranfield.store.store import Store
from cranfield.text import counted
from tests.conftest import Cranfield
from tests.hardening import damage
from tests.judging.cases import at, session_of, store_of
from tests.store.test_upgrade import upgrade_once
from tests.stores import derive_and_export, new_store


def test_labels_sorted_and_nothing_else(tmp_path: Path) -> None:
    """Four columns, sorted in byte order, LF; only labels, and of everything else a count."""
    store, path = store_of({"q2": ["d10", "d9"], "q10": ["d1", "d2", "d3", "d4"]}), tmp_path / "out.qrels"
    session = session_of(store)
    at(session).grade(0)
    at(session).toggle_unsure()
    at(session).grade(2)
    at(session).later()
    at(session).cannot_judge("unreadable")
    at(session).grade(-1)
    summary = derive_and_export(store, path)
    assert path.read_bytes() == b"q10 0 d3 -1\nq2 0 d10 0\nq2 0 d9 2\n"
    assert summary.counts == {
        "labels": 3, "unsure": 1, "outside": 0, "pooled": 6, "cannot_judge": 1, "later": 1, "unlabelled": 1,
        "unsure_left_out": 0, "ties": 0, "adjudicated": 0, "models": 0, "negative": 0,
    }  # fmt: skip


def test_one_assessor(tmp_path: Path) -> None:
    """Only her labels are written; what others said of a pair does not count as hers, nor what was taken back.

    Of all, a label of anybody makes a pair labelled; else a cannot-judge of anybody makes it one; else a later.
    """
    store = store_of({"q1": ["d1", "d2", "d3"]})
    ada, bob = session_of(store, "ada"), session_of(store, "bob")
    at(ada).grade(1)
    at(ada).undo()
    with pytest.raises(InputError, match="no labels to write"):
        derive_and_export(store, tmp_path / "ada.qrels")
    assert not (tmp_path / "ada.qrels").exists()
    at(ada).later()
    at(ada).later()
    assert derive_and_export(store, tmp_path / "ada.qrels", assessors=["ada"], missing={"later": -2}).later == 2
    assert (tmp_path / "ada.qrels").read_bytes() == b"q1 0 d1 -2\nq1 0 d2 -2\n"
    at(bob).grade(1)
    at(bob).cannot_judge("unreadable")
    assert str(derive_and_export(store, tmp_path / "bob.qrels", assessors=["bob"])) == (
        "wrote 1 label (0 unsure, 0 outside the pool); the pool has 3 pairs, including 1 that cannot be judged,"
        " 0 deferred and 1 unlabelled"
    )
    summary = derive_and_export(store, tmp_path / "all.qrels")
    assert (summary.labels, summary.cannot_judge, summary.later, summary.unlabelled) == (1, 1, 0, 1)
    with pytest.raises(StoreError, match="no assessor 'eve'"):
        derive_and_export(store, tmp_path / "eve.qrels", assessors=["eve"])


def test_without_a_pool(tmp_path: Path) -> None:
    """Labels from elsewhere are written where there is no pool, and counted as outside of it."""
    with new_store(qrels={"nist": [("q1", "Q0", "d1", "1")]}) as store:
        summary = derive_and_export(store, tmp_path / "out.qrels")
    assert (tmp_path / "out.qrels").read_text() == "q1 Q0 d1 1\n"
    assert (summary.labels, summary.outside, summary.pooled) == (1, 1, 0)


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


def export(cranfield: Cranfield, path: Path, *options: str, out: str = "q.txt") -> Path:
    """Export qrels; their manifest."""
    result = cranfield("export", "qrels", path, path.with_name(out), *options)
    assert result.code == 0, result.err
    return path.with_name(f"{out}.manifest.json")


def verify(cranfield: Cranfield, path: Path, manifest: Path) -> str:
    """The last line that verify says, where all holds."""
    result = cranfield("store", "verify", path, "--manifest", manifest)
    assert result.code == 0, result.err
    return result.out.splitlines()[-1]


def refusal(cranfield: Cranfield, path: Path, manifest: Path) -> str:
    """What verify says where something does not hold."""
    result = cranfield("store", "verify", path, "--manifest", manifest)
    assert (result.code, result.err.count("\n")) == (1, 1), result.err
    return result.err


def go_on(path: Path) -> None:
    """Work after an export that would give other qrels by any policy."""
    with Store.open(path) as store:
        give_assignment(store, "q1", "first", "bob")
        add_plan(store, Plan(1), {"q3": "bob"}, {})
        append(
            store, *(Event("label", "q1", f"d{n}", "ada", 0) for n in (1, 2, 3)), Event("label", "q3", "d5", "bob", 2)
        )
        append(store, Event("adjudicate", "q1", "d3", "eve", 2), Event("label", "q2", "d4", "bob", 1))


@pytest.mark.full
def test_each_policy_gives_the_same_again(track: Path, cranfield: Cranfield) -> None:
    """At once, and whatever came since; all that decides the lines is in the manifest, whatever was asked for."""
    manifests = {}
    commands = [
        ["--assessor", "bob", "--assessor", "ada"], ["--labels", "people"], ["--unsure", "leave-out"],
        ["--later", "-3", "--unlabelled", "-4", "--cannot-judge", "-5"],
    ]  # fmt: skip
    for number, options in enumerate([*(["--policy", rule] for rule in RULES), *commands]):
        manifest = export(cranfield, track, *options, out=f"q{number}.txt")
        size = counted(len(manifest.with_name(f"q{number}.txt").read_text().splitlines()), "judgment")
        rule = options[1] if options[0] == "--policy" else "primary"
        manifests[manifest] = f"{size} were re-derived with policy {rule} and match q{number}.txt"
    assert verify(cranfield, track, manifest) == manifests[manifest]
    go_on(track)
    for manifest, words in manifests.items():
        assert verify(cranfield, track, manifest) == words


def test_every_format(tmp_path: Path, cranfield: Cranfield) -> None:
    """Compressed as well; with strata and subtopics, of a store with something of everything."""
    path = damage.sound_store(tmp_path)
    for name in ("trec", "beir", "subtopics", "sample-eval", "grade-stratum"):
        out = tmp_path / f"{name}.txt.gz"
        assert cranfield("export", "qrels", path, out, "--format", name, "--policy", "primary").code == 0
        manifest = tmp_path / f"{name}.txt.gz.manifest.json"
        assert f"re-derived with policy primary and match {name}.txt.gz" in verify(cranfield, path, manifest)
    out.unlink()
    assert verify(cranfield, path, manifest).endswith("grade-stratum.txt.gz, which is known only by its hash")


def rehash(manifest: Path) -> None:
    """Let a manifest name the file that is beside it."""
    record = json.loads(manifest.read_text())
    record["sha256"] = hashlib.sha256(manifest.with_name(record["qrels"]).read_bytes()).hexdigest()
    manifest.write_text(json.dumps(record))


def test_a_file_and_its_hash_that_were_changed_together(track: Path, cranfield: Cranfield) -> None:
    """The first line that differs is named, or the hash where the file is not here."""
    manifest, out = export(cranfield, track), track.with_name("q.txt")
    right = out.read_text()
    out.write_text(right.replace("d1 1", "d1 2"))
    assert "the file is not the exported file: its SHA-256 differs" in refusal(cranfield, track, manifest)
    rehash(manifest)
    by = "the log at that time, with policy primary, gives"
    assert f"q.txt, line 1: 'q1 0 d1 2'; {by} 'q1 0 d1 1'" in refusal(cranfield, track, manifest)
    out.write_text("".join(right.splitlines(keepends=True)[:-1]))
    rehash(manifest)
    assert f"line 3: nothing; {by} 'q1 0 d3 1'" in refusal(cranfield, track, manifest)
    out.unlink()
    assert "the SHA-256 differs" in refusal(cranfield, track, manifest)


@pytest.mark.full
def test_a_holder_who_was_another_only_while_the_export_was_made(track: Path, cranfield: Cranfield) -> None:
    """And is again who it was, or a policy that is another in the manifest: what it names has to give the file."""
    was = "line 1: 'q1 0 d1 0'; the log at that time, with policy"
    manifest = export(cranfield, track, "--policy", "min")
    manifest.write_text(manifest.read_text().replace('"name": "min"', '"name": "max"'))
    assert f"{was} max, gives 'q1 0 d1 1'" in refusal(cranfield, track, manifest)
    damage.behind_its_back(track, "UPDATE holder SET assessor = 1")
    manifest = export(cranfield, track)
    damage.behind_its_back(track, "UPDATE holder SET assessor = 2")
    assert f"{was} primary, gives 'q1 0 d1 1'" in refusal(cranfield, track, manifest)


def test_what_cannot_be_derived_anew_is_said(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """A policy of another version, a manifest from before, an assessor who was erased: never taken as right."""
    manifest = export(cranfield, track, "--assessor", "ada")
    record = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(record | {"policy": {**record["policy"], "version": 2}}))
    result = verify(cranfield, track, manifest)
    assert (
        result == "q.txt was not re-derived: it was derived by version 2 of policy primary; this program has version 3"
    )
    manifest.write_text(json.dumps({name: value for name, value in record.items() if name != "other_logs"}))
    assert "was not re-derived: the store has no record of the topics' assessors" in verify(cranfield, track, manifest)
    manifest.write_text(json.dumps(record))
    assert "re-derived with policy" in verify(cranfield, track, manifest)
    assert cranfield("store", "erase", track, "assessor", "ada", "--reason", "asked").code == 0
    assert "was not re-derived: it was derived from the labels of ada" in verify(cranfield, track, manifest)
    (tmp_path / "bad").write_text(json.dumps({name: record[name] for name in ("log", "policy", "qrels")}))
    assert "the manifest does not describe how the qrels were derived" in refusal(cranfield, track, tmp_path / "bad")


@pytest.mark.needs("online")  # whose tables that store has
def test_a_store_from_before_changes_were_recorded(tmp_path: Path, cranfield: Cranfield) -> None:
    """Whose its topics were before it was brought up to date nobody recorded."""
    path = upgrade_once(tmp_path, "full")
    with Store.open(path) as store:
        [(items,)] = store.rows("SELECT min(l.id) FROM event_link l WHERE log = 'change'")
    manifest = export(cranfield, path)
    assert "re-derived with policy primary" in verify(cranfield, path, manifest)
    record = json.loads(manifest.read_text())
    with Store.open(path) as store:
        from cranfield.store.chain import OTHERS, log_head

        record["other_logs"] = log_head(store.conn, OTHERS, items - 1)._asdict()
    manifest.write_text(json.dumps(record))
    assert "was not re-derived: the store has no record of the topics' assessors" in verify(cranfield, path, manifest)


@pytest.mark.full
def test_a_pool_that_has_grown(track: Path, cranfield: Cranfield) -> None:
    """It decides which pairs are unlabelled; where only labels are written it decides nothing. So in Python."""
    plain = verify(cranfield, track, export(cranfield, track))
    manifest = export(cranfield, track, "--unlabelled", "-4")
    with Store.open(track) as store:
        add(store, stored_pool(store, 1), [PooledDocument("q1", "d5", 0, ())])
    words = "q.txt was not re-derived: its pool 1 has changed since"
    assert verify(cranfield, track, manifest) == words
    manifest = export(cranfield, track)
    assert verify(cranfield, track, manifest) == plain
    assert store_verify(track, manifest=manifest).frame["qrels"].tolist() == [plain]
    assert plain == "3 judgments were re-derived with policy primary and match q.txt"
    assert store_verify(track).frame["qrels"].tolist() == [""]
