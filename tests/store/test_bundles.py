"""Bundles: one assessor's work away from home, and back without a conflict."""

import sqlite3
from io import StringIO
from itertools import permutations
from pathlib import Path

import pytest

from cranfield.errors import StoreError
from cranfield.formats import RunInfo
from cranfield.judging.planning.assign import assign_topics_to_assessors, restrict_pool_to_work
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import pace_rows
from cranfield.judging.session.session import Session
from cranfield.metrics.inputs import as_runs
from cranfield.selection import Labellers
from cranfield.store.assignments import assignments, claim_topic, repeats_of, work_of
from cranfield.store.bundles.bundle import merge_bundle, write_bundle
from cranfield.store.log import add_assessor, add_criterion, append, assessors, criteria, current_decisions, read_events
from cranfield.store.pools import add_pool, stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.judging.cases import POOLED, SECRET_DEPTH, SECRET_RUN, Clock, at, pool_of, session_of, store_of

LONG = {f"q{topic}": [f"d{topic}-{number:02}" for number in range(30)] for topic in range(3)}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store whose topic q1 is ada's and whose others are bob's; bob has a label and a note already."""
    store = store_of(path=tmp_path / "track.db")
    add_runs(store, as_runs({SECRET_RUN: {"q1": {"d1": 1.0}}}), {SECRET_RUN: RunInfo("team")})
    assign_topics_to_assessors(store, ["ada", "bob"])
    bob = session(store, "bob")
    at(bob).note("bob's secret thought")
    at(bob).grade(2)
    return store


def session(store: Store, assessor: str, **options: object) -> Session:
    pool = restrict_pool_to_work(stored_pool(store), work_of(store, assessor))
    return Session(store, assessor, pool, **({"order": "docid", "clock": Clock()} | options))  # type: ignore[arg-type]


def standing(store: Store, assessor: str = "ada") -> dict[tuple[str, str], tuple[str, int | None]]:
    return {pair: (event.kind, event.grade) for pair, event in current_decisions(store, assessor).items()}


@pytest.mark.full
def test_each_label_has_the_pool_of_its_topic(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A topic that stays with an older pool, and one of the newest: away and at home, shown twice or once."""
    path, away = tmp_path / "track.db", tmp_path / "ada.db"
    with store_of(LONG, path=path) as store:
        assign_topics_to_assessors(store, ["ada"], ["q0"], number=1, repeats=2)
        add_pool(store, pool_of({"q2": LONG["q2"]}))
        add_pool(store, pool_of({"q1": LONG["q1"][:3]}))
        assign_topics_to_assessors(store, ["ada"], ["q1"])
        work, twice = work_of(store, "ada"), repeats_of(store, "ada")
        assert [len(docnos) for docnos in twice.values()] == [2]
        assert write_bundle(store, away, "ada")[:2] == (2, 33)
    with Store.open(away) as bundle:
        assert (work_of(bundle, "ada"), repeats_of(bundle, "ada")) == (work, twice)
        assert [work_of(bundle, "ada", number) for number in (1, 2, 3)] == [{"q0": work["q0"]}, {}, {"q1": work["q1"]}]
    for typed in ("1\nu\n1\n0\nq\n", "1\n" * 50):
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        assert cranfield("judge", away, "--assessor", "ada", "--plain").code == 0
    with Store.open(path) as store:
        merge_bundle(store, away)
        assert {(event.qid, event.pool) for event in read_events(store)} == {("q0", 1), ("q1", 3)}
        assert all(one.unfinished == 0 for one in assignments(store))
        assert verify(store).events == len(read_events(store)) == 33 + 2 + 2


@pytest.mark.full
def test_a_bundle_has_ones_own_work_and_nothing_else(store: Store, tmp_path: Path) -> None:
    """No run, rank, depth, URL, metadata, other assessor or other label is anywhere in the file."""
    out = tmp_path / "ada.db"
    assert write_bundle(store, out, "ada") == (1, 3, 0, 0)
    content = out.read_bytes()
    for secret in (SECRET_RUN, str(SECRET_DEPTH), "secret.example", "bob", "text of d4", "title of q2"):
        assert secret.encode() not in content
    with Store.open(out) as bundle:
        assert work_of(bundle, "ada") == {"q1": POOLED["q1"]}
        assert [topic.qid for topic in bundle.topics()] == ["q1"]
        assert {document.depth for document in stored_pool(bundle).documents} == {0}
        assert bundle.collection == store.collection
        assert (bundle.counts()["run"], bundle.counts()["judgment_event"]) == (0, 0)


@pytest.mark.full
def test_it_is_one_file(store: Store, tmp_path: Path) -> None:
    """Nothing stays behind beside it, not even while it is judged."""
    out = tmp_path / "sub"
    out.mkdir()
    write_bundle(store, out / "ada.db", "ada")
    with Store.open(out / "ada.db") as bundle:
        at(session(bundle, "ada")).grade(1)
        assert [path.name for path in out.iterdir()] == ["ada.db"]


@pytest.mark.full
def test_judged_elsewhere_and_brought_back(store: Store, tmp_path: Path) -> None:
    """Labels, undone labels, laters, notes and criteria come back as they were; judging goes on where it stopped."""
    out = tmp_path / "ada.db"
    write_bundle(store, out, "ada")
    with Store.open(out) as bundle:
        away = session(bundle, "ada")
        at(away).grade(2)
        at(away).grade(1)
        at(away).undo()
        at(away).later()
        at(away).note("why")
        at(away).grade(0)
        add_criterion(bundle, "q1", "ada", "only wings")
        log = read_events(bundle, "ada")
    merge = merge_bundle(store, out)
    assert merge[:4] == ("ada", len(log), 0, 0)
    assert standing(store) == {("q1", "d1"): ("label", 2), ("q1", "d2"): ("later", None), ("q1", "d3"): ("label", 0)}
    plain = [event._replace(id=None, supersedes=None) for event in read_events(store, "ada")]
    assert plain == [event._replace(id=None, supersedes=None) for event in log]
    assert [note.text for note in criteria(store, "q1", "ada")] == ["only wings"]
    assert session(store, "ada").view.counts[:2] == (2, 1)


@pytest.mark.full
def test_twice_is_harmless_and_more_work_can_follow(store: Store, tmp_path: Path) -> None:
    """The same file again adds nothing; the same file judged further adds what is new."""
    out = tmp_path / "ada.db"
    write_bundle(store, out, "ada")
    with Store.open(out) as bundle:
        at(session(bundle, "ada")).grade(2)
        add_criterion(bundle, "q1", "ada", "only wings")
    merge_bundle(store, out)
    before = read_events(store)
    assert merge_bundle(store, out)[:4] == ("ada", 0, 1, 0)
    assert read_events(store) == before
    assert len(criteria(store, "q1", "ada")) == 1
    with Store.open(out) as bundle:
        at(session(bundle, "ada")).undo()
    assert merge_bundle(store, out)[:4] == ("ada", 1, 1, 0)
    assert standing(store) == {}


@pytest.mark.full
def test_own_work_travels_along(store: Store, tmp_path: Path) -> None:
    """What she did before the bundle was made is in it, can be taken back there, and is not doubled on return."""
    at_home = session(store, "ada")
    at(at_home).grade(1)
    at(at_home).undo()
    at(at_home).redo()
    at(at_home).grade(1)
    out = tmp_path / "ada.db"
    assert write_bundle(store, out, "ada").events == 4
    with Store.open(out) as bundle:
        assert standing(bundle) == standing(store)
        at(session(bundle, "ada")).undo()
    assert merge_bundle(store, out).new == 1
    assert standing(store) == {("q1", "d1"): ("label", 1)}


@pytest.mark.full
def test_two_peoples_bundles_in_any_order(store: Store, tmp_path: Path) -> None:
    """Merging is a set union: whoever comes first, the judgments are the same."""
    for name in ("ada", "bob"):
        write_bundle(store, tmp_path / f"{name}.db", name)
        with Store.open(tmp_path / f"{name}.db") as bundle:
            at(session(bundle, name)).grade(2)
    store.close()
    ends = []
    for number, order in enumerate(permutations(["ada", "bob", "ada"])):
        copy = tmp_path / f"copy{number}.db"
        copy.write_bytes((tmp_path / "track.db").read_bytes())
        with Store.open(copy) as again:
            for name in order:
                merge_bundle(again, tmp_path / f"{name}.db")
            ends.append((standing(again), standing(again, "bob"), sorted(e.event_id for e in read_events(again))))
    assert all(each == ends[0] for each in ends)


@pytest.mark.full
def test_two_bundles_of_one_person_in_any_order(store: Store, tmp_path: Path) -> None:
    """Of two decisions of one person on one pair the later counts, whichever file comes back first."""
    for name, grade, day in (("laptop", 0, "2030-01-01"), ("desktop", 2, "2031-01-01")):
        write_bundle(store, tmp_path / f"{name}.db", "ada")
        with Store.open(tmp_path / f"{name}.db") as bundle:
            away = session(bundle, "ada", ids=iter([name]).__next__)
            template = away._event(away.command_target(), "label", ("q1", "d1"), grade=grade)
            append(bundle, template._replace(at=f"{day}T00:00:00.000+00:00"))
    store.close()
    for order in (("laptop", "desktop"), ("desktop", "laptop")):
        copy = tmp_path / f"{order[0]}-first.db"
        copy.write_bytes((tmp_path / "track.db").read_bytes())
        with Store.open(copy) as again:
            stale = [merge_bundle(again, tmp_path / f"{name}.db").outdated for name in (*order, *order)]
            assert standing(again) == {("q1", "d1"): ("label", 2)}
            assert stale == ([0, 0, 0, 0] if order[0] == "laptop" else [0, 1, 0, 0])


def test_a_bundle_is_for_one_person(store: Store, tmp_path: Path) -> None:
    """A misspelt name is refused before hours of work are done under it, by the program and by the file itself."""
    out = tmp_path / "ada.db"
    write_bundle(store, out, "ada")
    with Store.open(out) as bundle:
        for start in (lambda: session_of(bundle, "Ada"), lambda: claim_topic(bundle, "Ada")):
            with pytest.raises(StoreError, match="a bundle for 'ada'; 'Ada' cannot judge in it"):
                start()
        with pytest.raises(sqlite3.IntegrityError, match="made for another assessor"):
            bundle.db.execute("INSERT INTO assessor (name, kind) VALUES ('eve', 'human')")


def test_a_bundle_of_another_collection_is_refused(store: Store, tmp_path: Path) -> None:
    """Same name, same topics, but not made from this store: nothing is taken from it."""
    other = store_of(path=tmp_path / "other.db")
    assign_topics_to_assessors(other, ["ada"])
    other.db.execute("UPDATE collection SET created = '1999-01-01T00:00:00.000+00:00'")
    write_bundle(other, tmp_path / "ada.db", "ada")
    with Store.open(tmp_path / "ada.db") as bundle:
        at(session(bundle, "ada")).grade(1)
    before = read_events(store)
    with pytest.raises(StoreError, match="a bundle of another collection, 'small' of 1999"):
        merge_bundle(store, tmp_path / "ada.db")
    with pytest.raises(StoreError, match="a store, but not a bundle"):
        merge_bundle(store, tmp_path / "other.db")
    assert read_events(store) == before


def test_labels_smuggled_into_a_bundle_are_refused(store: Store, tmp_path: Path) -> None:
    """A bundle that speaks for somebody else is not taken, not even in part."""
    out = tmp_path / "ada.db"
    write_bundle(store, out, "ada")
    with Store.open(out) as bundle:
        bundle.db.execute("DROP TRIGGER bundle_is_one_persons")
        bundle.db.execute("UPDATE bundle SET assessor = 'bob'")
        at(session(bundle, "ada")).grade(1)
    with pytest.raises(StoreError, match="the bundle belongs to bob, but contains labels by ada"):
        merge_bundle(store, out)
    assert current_decisions(store, "ada") == {}


def test_nothing_is_bundled_where_nothing_is_assigned(store: Store, tmp_path: Path) -> None:
    """No empty file is made, and no file is overwritten."""
    with pytest.raises(StoreError, match="no topic is assigned to 'eve'"):
        write_bundle(store, tmp_path / "eve.db", "eve")
    assert not (tmp_path / "eve.db").exists()
    (tmp_path / "precious").write_text("precious")
    with pytest.raises(StoreError, match="already exists"):
        write_bundle(store, tmp_path / "precious", "ada")
    assert (tmp_path / "precious").read_text() == "precious"


def test_what_left_the_house_does_not_lapse(tmp_path: Path) -> None:
    """A topic claimed from the queue is hers for good once it is in a bundle."""
    store = store_of(path=tmp_path / "track.db")
    assign_topics_to_assessors(store, lease=1)
    assert claim_topic(store, "ada") == "q1"
    write_bundle(store, tmp_path / "ada.db", "ada")
    assert assignments(store)[0].lease is None


@pytest.mark.full
def test_a_bundle_does_not_tell_what_is_compared(tmp_path: Path) -> None:
    """A second assessor's sample looks like anybody's work; what is to be repeated travels along."""
    store = store_of(LONG, tmp_path / "track.db")
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.2, repeats=2)
    made = write_bundle(store, tmp_path / "bob.db", "bob")
    with Store.open(tmp_path / "bob.db") as bundle:
        [row] = pace_rows(progress_of(bundle))
        assert (made.documents, made.repeats) == (row["remaining"], row["repeats"])
        assert made.repeats == sum(map(len, repeats_of(store, "bob").values())) > 0
        assert {one.role for one in assignments(bundle)} == {"first"}
        assert work_of(bundle, "bob") == work_of(store, "bob")
        assert repeats_of(bundle, "bob") == repeats_of(store, "bob")
        assert list(assessors(bundle)) == ["bob", "bob (repeat)"]
        assert assessors(bundle)["bob (repeat)"] == "repeat"


def test_the_command_counts_second_showings(tmp_path: Path, cranfield: Cranfield) -> None:
    """Both counts are on the line, of a bundle and of a page: their sum is what the assessor has left."""
    with store_of(LONG, tmp_path / "track.db") as store:
        assign_topics_to_assessors(store, ["ada"], repeats=2)
        documents, repeats = (sum(map(len, work(store, "ada").values())) for work in (work_of, repeats_of))
    words = f"{documents} documents to judge, {repeats} to judge again, 0 events so far\n"
    for what, file in (("bundle", "ada.db"), ("page", "ada.html")):
        output = cranfield("export", what, tmp_path / "track.db", tmp_path / file, "--assessor", "ada")
        assert output.out.endswith(words), output


def test_the_commands(store: Store, tmp_path: Path, cranfield: Cranfield) -> None:
    """Out and back on the command line."""
    add_assessor(store, "ada")
    store.close()
    track, out = tmp_path / "track.db", tmp_path / "ada.db"
    assert cranfield("export", "bundle", track, out, "--assessor", "ada").out == (
        f"{out}: 1 topic, 3 documents to judge, 0 events so far\n"
    )
    with Store.open(out) as bundle:
        at(session(bundle, "ada")).grade(2)
    assert cranfield("import", "bundle", track, out).out == (
        "1 new event by ada (0 already known); 0 decisions are replaced by newer decisions in this store\n"
    )
    assert (
        cranfield.error("import", "bundle", track, track)
        == f"{track}: a store, but not a bundle; `cranfield export bundle` makes one"
    )
    again = cranfield("export", "bundle", track, tmp_path / "again.db", "--assessor", "ada").out
    assert again.endswith("again.db: 1 topic, 2 documents to judge, 1 event so far\n")
    with Store.open(track) as merged:
        assert sorted(qrels_of(merged, Labellers("ada")).grade.tolist()) == [2]
