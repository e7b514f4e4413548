"""Distribution of work: everything is somebody's, nothing is two people's, nothing is stuck."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from cranfield.analysis.collections import overview
from cranfield.errors import CranfieldError
from cranfield.features.publishing.gathering import collection_facts
from cranfield.formats import Document
from cranfield.judging.planning.assign import assign_topics_to_assessors, restrict_pool_to_work
from cranfield.judging.planning.overview import assigned_work_in_pool, work_to_judge_or_none
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.session.order import (
    event_in_log,
    event_in_session,
    second_showing_docno,
    space_out,
    stored_docno,
)
from cranfield.judging.session.session import Session
from cranfield.store.assignments import (
    Work,
    assignments,
    claim_topic,
    documents_drawn_for,
    give_assignment,
    plans,
    repeats_of,
    work_of,
)
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, assessors, read_events, tallies
from cranfield.store.pools import PooledDocument, add_pool, stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.cases import POOLED, Clock, as_the_command, at, pool_of, store_of

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LONG = {f"q{topic}": [f"d{topic}-{number:02}" for number in range(40)] for topic in range(5)}


def label(store: Store, qid: str, docno: str, assessor: str, *, grade: int = 1, at: datetime = NOON) -> int:
    add_assessor(store, assessor)
    stamp = at.isoformat(timespec="milliseconds")
    return append(store, Event("label", qid, docno, assessor, grade=grade, at=stamp))[0]


def finish(store: Store, qid: str, assessor: str) -> None:
    for docno in work_of(store, assessor)[qid]:
        label(store, qid, docno, assessor)


def pairs(work: Work) -> set[tuple[str, str]]:
    return {(qid, docno) for qid, docnos in work.items() for docno in docnos}


def test_every_topic_is_dealt_to_one_assessor() -> None:
    """All pairs are dealt, none twice, and the largest topic counts for its size; before that, all is everybody's."""
    store = store_of()
    assert (work_of(store, "ada"), claim_topic(store, "ada", NOON)) == (POOLED, None)
    assign_topics_to_assessors(store, ["ada", "bob"])
    ada, bob = work_of(store, "ada"), work_of(store, "bob")
    assert (sorted(ada), sorted(bob)) == (["q1"], ["q2", "q3"])
    assert pairs(ada) | pairs(bob) == pairs(POOLED)
    assert work_of(store, "eve") == {}
    session = Session(store, "bob", restrict_pool_to_work(stored_pool(store), bob), clock=Clock())
    assert session.view.overall.of == 3


def new_pool(store: Store) -> None:
    """A pool of other documents, one for each topic."""
    store.add_documents([Document(f"n{qid}", text="new") for qid in POOLED])
    add_pool(store, pool_of({qid: [f"n{qid}"] for qid in POOLED}))


def test_an_old_pool_can_be_named() -> None:
    """Topics that were assigned without --pool follow the newest; of one that is named they are the same people's."""
    store = store_of()
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.5, seed=1)
    new_pool(store)
    whose = {one.qid: one.assessor for one in assignments(store) if one.role == "first"}
    overlap = pairs(documents_drawn_for(store, "overlap"))
    for name in ("ada", "bob"):
        work, old = work_of(store, name), assigned_work_in_pool(store, name, 1)
        assert {qid for qid in work if whose[qid] == name} == {qid for qid in POOLED if whose[qid] == name}
        assert old is not None
        own = {(qid, docno) for qid, docnos in POOLED.items() for docno in docnos if whose[qid] == name}
        assert {(d.qid, d.docno) for d in old.documents} == own | {pair for pair in overlap if whose[pair[0]] != name}
        session = Session(store, name, old, clock=Clock())
        while not session.view.done:
            at(session).grade(1)
    assert {event.pool for event in read_events(store)} == {1}
    rows = progress_of(store, 1).work
    assert {name: pairs(work) for name, work in rows.items()} == {
        name: {(e.qid, e.docno) for e in read_events(store, name)} for name in ("ada", "bob")
    }
    assert pairs(progress_of(store).work["ada"]).isdisjoint(pairs(rows["ada"]))


def test_the_queue_of_an_old_pool_is_told(tmp_path: Path, cranfield: Cranfield) -> None:
    """`progress --pool` has it; `judge --pool` claims nothing, and says so."""
    path = tmp_path / "t.db"
    with store_of(path=path) as store:
        assign_topics_to_assessors(store)
        new_pool(store)
        assert {name: pairs(work) for name, work in progress_of(store, 1).work.items()} == {"(queue)": pairs(POOLED)}
    result = cranfield("judge", path, "--assessor", "ada", "--plain", "--pool", "1")
    assert result.err == (
        "error: 'ada' has no assigned documents in pool 1; with --pool, no topic is claimed from the queue\n"
    )


def test_the_queue_gives_each_topic_once_and_the_same_again() -> None:
    """Who comes back gets the topic she has not finished; nobody else gets it."""
    store = store_of()
    assign_topics_to_assessors(store)
    assert [claim_topic(store, name, NOON) for name in ("ada", "bob", "ada", "eve", "dan")] == [
        "q1",
        "q2",
        "q1",
        "q3",
        None,
    ]
    finish(store, "q1", "ada")
    assert claim_topic(store, "ada", NOON) is None


def test_cannot_judge_finishes_and_later_does_not() -> None:
    """What cannot be judged is done with; what was put off, or taken back, comes back to the same person."""
    store = store_of()
    assign_topics_to_assessors(store)
    assert claim_topic(store, "ada", NOON) == "q1"
    append(store, Event("cannot-judge", "q1", "d1", "ada", reason="unreadable"), Event("later", "q1", "d2", "ada"))
    label(store, "q1", "d3", "ada")
    assert claim_topic(store, "ada", NOON) == "q1"
    assert assignments(store)[0].unfinished == 1
    number = label(store, "q1", "d2", "ada")
    append(store, Event("retract", "q1", "d2", "ada", supersedes=number))
    assert claim_topic(store, "ada", NOON) == "q1"
    label(store, "q1", "d2", "ada")
    assert claim_topic(store, "ada", NOON) == "q2"


def test_a_lapsed_claim_passes_on_only_what_is_not_finished() -> None:
    """After the lease somebody else gets the rest; labels stay with who gave them, and nothing is done twice."""
    store = store_of()
    assign_topics_to_assessors(store, lease=3600)
    claim_topic(store, "ada", NOON)
    label(store, "q1", "d2", "ada", at=NOON)
    append(store, Event("later", "q1", "d3", "ada", at="2026-03-01T12:00:00.000+00:00"))
    assert claim_topic(store, "bob", NOON + HOUR / 2) == "q2"
    finish(store, "q2", "bob")
    assert claim_topic(store, "bob", NOON + 2 * HOUR) == "q1"
    assert work_of(store, "bob")["q1"] == ["d1", "d3"]
    assert work_of(store, "ada") == {"q1": ["d2"]}
    finish(store, "q1", "bob")
    labels = {
        (event.docno, event.assessor) for event in read_events(store) if (event.qid, event.kind) == ("q1", "label")
    }
    assert labels == {("d1", "bob"), ("d2", "ada"), ("d3", "bob")}


def test_every_event_renews_the_lease() -> None:
    """A note, a label or an undo is a sign of life; an event with an odd or an old time never shortens a lease."""
    store = store_of()
    assign_topics_to_assessors(store, lease=3600)
    claim_topic(store, "ada", NOON)
    append(store, Event("note", "q1", "d1", "ada", note="hm", at="2026-03-01T12:50:00.000+00:00"))
    assert claim_topic(store, "bob", NOON + 1.5 * HOUR) == "q2"
    assert assignments(store)[0].lease == "2026-03-01T13:50:00.000+00:00"
    for odd in ("2020-01-01T00:00:00.000+00:00", "yesterday"):
        append(store, Event("note", "q1", "d1", "ada", note="hm", at=odd))
    assert assignments(store)[0].lease == "2026-03-01T13:50:00.000+00:00"


def test_a_lapsed_lease_nobody_wanted_is_still_hers() -> None:
    """Coming late is no loss while nobody else has claimed the topic; what was given by name never lapses."""
    store, by_name = store_of(), store_of()
    assign_topics_to_assessors(store, lease=60)
    claim_topic(store, "ada", NOON)
    assert work_of(store, "ada") == {"q1": POOLED["q1"]}
    assert claim_topic(store, "ada", NOON + 99 * HOUR) == "q1"
    assert assignments(store)[0].lease == "2026-03-05T15:01:00.000+00:00"
    assign_topics_to_assessors(by_name, ["ada"], lease=60)
    assert claim_topic(by_name, "bob", NOON + 10_000 * HOUR) is None


@pytest.mark.full
def test_the_overlap_is_drawn_beforehand_and_on_record() -> None:
    """As many pairs as asked for, the same for the same seed, and who is second is never the first."""
    store, again, other = store_of(LONG), store_of(LONG), store_of(LONG)
    for each, seed in ((store, 7), (again, 7), (other, 8)):
        assign_topics_to_assessors(each, ["ada", "bob", "eve"], overlap=0.1, seed=seed)
    overlap = documents_drawn_for(store, "overlap")
    assert len(pairs(overlap)) == 20
    assert overlap == documents_drawn_for(again, "overlap") != documents_drawn_for(other, "overlap")
    assert [(plan.overlap, plan.seed, plan.pool) for plan in plans(store)] == [(0.1, 7, 1)]
    roles = {(assignment.qid, assignment.role): assignment.assessor for assignment in assignments(store)}
    assert all(roles[qid, "first"] != roles[qid, "second"] is not None for qid in overlap)
    everybody = [pair for name in ("ada", "bob", "eve") for pair in pairs(work_of(store, name))]
    assert len(everybody) == 200 + 20
    assert len(set(everybody)) == 200


def test_a_second_opinion_from_the_queue_is_somebody_elses() -> None:
    """Nobody claims both roles of a topic. The label of its first assessor decides, whoever came to the store first."""
    store = store_of({"q1": ["d1", "d2"]})
    add_assessor(store, "bob")
    assign_topics_to_assessors(store, overlap=0.5)
    assert claim_topic(store, "ada", NOON) == "q1"
    assert claim_topic(store, "bob", NOON) == "q1"
    [docno] = work_of(store, "bob")["q1"]
    label(store, "q1", docno, "bob", grade=0)
    assert qrels_of(store).grade.tolist() == [0]
    label(store, "q1", docno, "ada", grade=2)
    assert qrels_of(store).grade.tolist() == [2]
    finish(store, "q1", "ada")
    assert claim_topic(store, "ada", NOON) is None


def cannot(store: Store, qid: str, docno: str, assessor: str) -> int:
    add_assessor(store, assessor)
    return append(store, Event("cannot-judge", qid, docno, assessor, reason="wrong language"))[0]


def test_what_the_first_cannot_judge_goes_to_the_second() -> None:
    """As soon as she says so, beside the sample and in every topic; what she merely put off is still hers."""
    store = store_of()
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.1, seed=2, cannot_judge=True)
    overlap = pairs(documents_drawn_for(store, "overlap"))
    roles = {(assignment.qid, assignment.role): assignment.assessor for assignment in assignments(store)}
    assert len(roles) == 6
    assert all(roles[qid, "first"] != roles[qid, "second"] for qid in POOLED)
    before = pairs(work_of(store, "bob"))
    assert ("q1", "d1") not in before | overlap
    cannot(store, "q1", "d1", "ada")
    append(store, Event("later", "q1", "d2", "ada"))
    assert pairs(work_of(store, "bob")) == before | {("q1", "d1")}
    assert claim_topic(store, "bob", NOON) is not None
    label(store, "q1", "d1", "bob", grade=2)
    assert qrels_of(store).grade.tolist() == [2]


def test_a_changed_mind_takes_the_second_look_back() -> None:
    """Taken back, or judged after all, a document is not the second one's; another cannot-judge in its place is."""
    store = store_of({"q1": ["d1", "d2", "d3"]})
    assign_topics_to_assessors(store, ["ada", "bob"], cannot_judge=True)
    one = cannot(store, "q1", "d1", "ada")
    cannot(store, "q1", "d2", "ada")
    assert work_of(store, "bob") == {"q1": ["d1", "d2"]}
    append(store, Event("retract", "q1", "d1", "ada", supersedes=one))
    label(store, "q1", "d2", "ada")
    assert work_of(store, "bob") == {}
    cannot(store, "q1", "d1", "ada")
    cannot(store, "q1", "d1", "ada")
    append(store, Event("note", "q1", "d1", "ada", note="in Greek"))
    assert work_of(store, "bob") == {"q1": ["d1"]}
    cannot(store, "q1", "d1", "bob")  # nor can she: nobody is asked a third time
    assert [(assignment.role, assignment.unfinished) for assignment in assignments(store)] == [
        ("first", 1),
        ("second", 0),
    ]


def test_second_looks_wait_in_the_queue_until_there_is_something_to_look_at() -> None:
    """Nobody claims a topic with nothing to do in it; whoever said "cannot judge" does not get it herself."""
    store = store_of({"q1": ["d1", "d2"]})
    assign_topics_to_assessors(store, cannot_judge=True)
    assert [claim_topic(store, name, NOON) for name in ("ada", "bob")] == ["q1", None]
    cannot(store, "q1", "d1", "ada")
    label(store, "q1", "d2", "ada")
    assert [claim_topic(store, name, NOON) for name in ("ada", "bob", "eve")] == [None, "q1", None]
    assert work_of(store, "bob") == {"q1": ["d1"]}


def test_without_the_option_nobody_is_asked_twice() -> None:
    """A second assessor of a sample gets the sample alone."""
    store = store_of()
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=1.0)
    before = [work_of(store, name) for name in ("ada", "bob")]
    cannot(store, "q1", "d1", "ada")
    assert [work_of(store, name) for name in ("ada", "bob")] == before
    assert not any(assignment.cannot_judge for assignment in assignments(store))
    sample = store_of()
    assign_topics_to_assessors(sample, ["ada", "bob"], overlap=0.1, seed=2)
    cannot(sample, "q1", "d1", "ada")
    assert ("q1", "d1") not in pairs(work_of(sample, "bob"))


def test_topics_pass_on_by_hand() -> None:
    """The organiser gives a topic to somebody else, or back to the queue; what is finished stays finished."""
    store = store_of()
    assign_topics_to_assessors(store, ["ada"])
    label(store, "q1", "d1", "ada")
    give_assignment(store, "q1", "first", "bob")
    give_assignment(store, "q2", "first", None)
    assert (work_of(store, "bob"), work_of(store, "ada")) == ({"q1": ["d2", "d3"]}, {"q1": ["d1"], "q3": ["d5"]})
    assert claim_topic(store, "eve", NOON) == "q2"
    with pytest.raises(CranfieldError, match="topic 'q9' has no first assessor"):
        give_assignment(store, "q9", "first", "bob")


def test_new_topics_are_assigned_later() -> None:
    """A second plan deals what the first left; what is dealt is not dealt again."""
    store = store_of()
    assign_topics_to_assessors(store, ["ada"], ["q2"])
    assign_topics_to_assessors(store, ["bob"])
    assert (list(work_of(store, "ada")), list(work_of(store, "bob"))) == (["q2"], ["q1", "q3"])
    with pytest.raises(CranfieldError, match="every topic of the pool is already assigned"):
        assign_topics_to_assessors(store, ["bob"])
    with pytest.raises(CranfieldError, match="topic 'q2' is already assigned"):
        assign_topics_to_assessors(store, ["bob"], ["q2"])


def test_what_cannot_be_planned_leaves_nothing() -> None:
    """A plan is recorded as a whole or not at all."""
    store = store_of()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"topics": ["q9"]}, "topic 'q9' is not in the pool"),
        ({"overlap": 1.5}, "the overlap is 150%"),
        ({"repeats": -1}, "the number of repeats is -1"),
        ({"assessors": ["ada", "ada"]}, "named twice"),
        ({"assessors": ["ada (repeat)"]}, "not a valid assessor name"),
        ({"assessors": [" "]}, "not a valid assessor name"),
        ({"assessors": ["ada "]}, "'ada ' is not a valid assessor name: it begins"),
    ]
    for options, message in wrong:
        with pytest.raises(CranfieldError, match=message):
            assign_topics_to_assessors(store, **options)
        assert (assignments(store), plans(store)) == ([], [])


@pytest.mark.full
def test_repeats_are_of_ones_own_work_and_only_where_the_first_can_be_forgotten() -> None:
    """Long topics get as many as asked for, short ones none."""
    store = store_of(LONG | {"short": ["d1", "d2"]})
    assign_topics_to_assessors(store, ["ada", "bob"], repeats=2)
    for name in ("ada", "bob"):
        own, twice = work_of(store, name), repeats_of(store, name)
        assert pairs(twice) <= pairs(own)
        assert {qid: len(docnos) for qid, docnos in twice.items()} == {qid: 2 for qid in own if qid != "short"}


def test_a_second_showing_is_far_from_the_first() -> None:
    """At least ten documents lie between, twenty where there is room; whatever is not repeated keeps its order."""
    docnos = LONG["q0"]
    for number, again in enumerate(docnos):
        repeats = {again, *docnos[: number % 9], docnos[-1]}
        order = space_out(docnos, repeats)
        assert [docno for docno in order if stored_docno(docno) not in repeats] == [
            d for d in docnos if d not in repeats
        ]
        for docno in repeats:
            between = order[order.index(docno) + 1 : order.index(second_showing_docno(docno))]
            assert len({stored_docno(other) for other in between}) >= 10
    assert space_out(docnos, []) == space_out(docnos, docnos[:30]) == docnos


def test_a_repeated_label_replaces_nothing_and_is_nobodys_opinion() -> None:
    """It stands in the log under the assessor's second name, and in no qrels, even where the first is missing."""
    store = store_of(LONG)
    assign_topics_to_assessors(store, ["ada", "bob"], repeats=1)
    qid, (docno,) = next(iter(repeats_of(store, "ada").items()))
    second = Event("label", qid, second_showing_docno(docno), "ada", grade=0)
    append(store, event_in_log(second))
    assert len(qrels_of(store)) == 0
    label(store, qid, docno, "ada", grade=2)
    assert qrels_of(store).grade.tolist() == [2]
    assert assessors(store)["ada (repeat)"] == "repeat"
    back = event_in_session(read_events(store, "ada (repeat)")[0])
    assert (back.docno, back.assessor, back.grade) == (second_showing_docno(docno), "ada", 0)
    with pytest.raises(CranfieldError, match=r"has kind repeat"):
        Session(store, "ada (repeat)", stored_pool(store))


@pytest.mark.needs_extra("report")
def test_who_was_shown_documents_twice_is_counted_once() -> None:
    """Her second name is nobody else: in the overview, the report's and the page's table, and the published facts."""
    from cranfield.report.facts import assessor_rows

    store = store_of(LONG)
    assign_topics_to_assessors(store, ["ada", "bob"], repeats=1)
    ((qid, (docno,)), *_) = repeats_of(store, "ada").items()
    label(store, qid, docno, "ada", grade=2)
    append(store, event_in_log(Event("label", qid, second_showing_docno(docno), "ada", grade=0, seconds=36.0)))
    assert (store.counts()["assessor"], overview(store).document["assessor"]) == (2, 2)
    assert "2 assessors" in repr(store)
    (row,) = assessor_rows(tallies(store), assessors(store), [0, 1, 2])
    cells = [getattr(row[name], "text", row[name]) for name in ("assessor", "labels", "grade 0", "grade 2", "hours")]
    assert cells == ["ada", 1, 0, 1, "0.01"]
    assert [(one.assessors, one.labels) for one in collection_facts(store).assessors] == [(1, 1)]


# One of several pools


def two_pools(path: Path | None = None) -> Store:
    """A pool of three topics, and a newer one of other documents for two of them."""
    store = store_of({"q1": ["d1", "d2"], "q2": ["d1"], "q3": ["d2"]}, path)
    store.add_documents([Document("d3", text="three"), Document("d4", text="four")])
    add_pool(store, pool_of({"q1": ["d3", "d4"], "q2": ["d1", "d3"]}))
    return store


@pytest.mark.full
def test_an_earlier_pool_can_be_assigned_and_stays_so() -> None:
    """Not the newest or one built later, which it is without a number; one that is not there is refused."""
    store, newest = two_pools(), two_pools()
    assign_topics_to_assessors(store, ["ada"], number=1)
    assign_topics_to_assessors(newest, ["ada"])
    assert work_of(store, "ada") == {"q1": ["d1", "d2"], "q2": ["d1"], "q3": ["d2"]}
    assert work_of(newest, "ada") == {"q1": ["d3", "d4"], "q2": ["d1", "d3"]}
    assert {(assignment.pool, assignment.documents) for assignment in assignments(store)} == {(1, 2), (1, 1)}
    assert [(plan.pool, plan.pinned) for plan in plans(store)] == [(1, True)]
    for each in (store, newest):
        add_pool(each, pool_of({"q1": ["d4"]}))
    assert (work_of(store, "ada")["q1"], work_of(newest, "ada")) == (["d1", "d2"], {"q1": ["d4"]})
    with pytest.raises(CranfieldError, match="no pool 9 in this store; its pools are 1, 2, 3"):
        assign_topics_to_assessors(store, ["bob"], number=9)


def test_work_of_several_pools_is_judged_in_one_session() -> None:
    """One pool after the other, each label with the pool that it came of; then everything is done."""
    store = two_pools()
    assign_topics_to_assessors(store, ["ada"], ["q1"], number=1)
    assign_topics_to_assessors(store, ["ada"], ["q2"])
    works = [work_to_judge_or_none(store, "ada", [qid]) for qid in ("q1", "q2")]
    assert [{one.qid for one in work.documents} for work in works if work] == [{"q1"}, {"q2"}]
    session = as_the_command(store, "ada")
    while not session.view.done:
        at(session).grade(1)
    judged = [(event.qid, event.docno, event.pool) for event in read_events(store)]
    assert sorted(judged) == [("q1", "d1", 1), ("q1", "d2", 1), ("q2", "d1", 2), ("q2", "d3", 2)]
    assert all(assignment.unfinished == 0 for assignment in assignments(store))


def test_a_pool_that_is_asked_for_is_judged_as_far_as_it_is_hers() -> None:
    """What is somebody else's is left out, what was never assigned is anybody's, and nothing is claimed."""
    store = two_pools()
    assign_topics_to_assessors(store, ["ada"], ["q1"], number=1)
    assign_topics_to_assessors(store, topics=["q2"])
    assert {(d.qid, d.docno) for d in in_pool(store, "ada", 1)} == {("q1", "d1"), ("q1", "d2"), ("q3", "d2")}
    assert {(d.qid, d.docno) for d in in_pool(store, "bob", 1)} == {("q3", "d2")}
    assert in_pool(store, "bob", 2) == []
    assert {assignment.assessor for assignment in assignments(store)} == {"ada", None}


def in_pool(store: Store, assessor: str, number: int) -> list[PooledDocument]:
    work = assigned_work_in_pool(store, assessor, number)
    return list(work.documents) if work else []


def test_a_topic_that_is_asked_for_is_the_one_that_is_claimed(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the first of the queue; and one that somebody else has is refused, in words."""
    monkeypatch.setattr("sys.stdin", StringIO())
    path = tmp_path / "track.db"
    with store_of(path=path) as store:
        assign_topics_to_assessors(store)
    judge = ("judge", path, "--plain", "--topic", "q2")
    assert cranfield(*judge, "--assessor", "ada").code == 0
    with Store.open(path) as store:
        assert {assignment.qid: assignment.assessor for assignment in assignments(store)} == {
            "q1": None,
            "q2": "ada",
            "q3": None,
        }
    refusal = cranfield(*judge, "--assessor", "bob")
    assert (refusal.code, refusal.err) == (
        1,
        "error: topic q2 is not assigned to you: it is assigned to somebody else\n",
    )
    refusal = cranfield(*judge[:-1], "q9", "--assessor", "ada")
    assert refusal.err == "error: topic 'q9' is not in the pool; available: q1, q2, q3\n"
    with Store.open(path) as store:
        assert {assignment.assessor for assignment in assignments(store)} == {None, "ada"}


@pytest.mark.needs_extra("serve")
def test_no_page_claims_a_topic(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "track.db"
    with store_of(path=path) as store:
        assign_topics_to_assessors(store)
    page = cranfield.error("export", "page", path, tmp_path / "ada.html", "--assessor", "ada", "--topic", "q1")
    assert page == "nothing of topic q1 is assigned to 'ada'; use `cranfield assign`"
    with Store.open(path) as store:
        assert {assignment.assessor for assignment in assignments(store)} == {None}


@pytest.mark.full
def test_the_command_assigns_an_earlier_pool(tmp_path: Path, cranfield: Cranfield) -> None:
    """And shows it alone; where there are several, a column tells them apart."""
    path = tmp_path / "track.db"
    two_pools(path).close()
    assert cranfield("assign", path, "--pool", 1, "--assessor", "ada", "--topic", "q3").code == 0
    both = cranfield("assign", path, "--assessor", "bob", "--format", "csv")
    assert [line.split(",")[:5] for line in both.out.splitlines()] == [
        ["topic", "role", "assessor", "pool", "documents"],
        ["q1", "first", "bob", "2", "2"],
        ["q2", "first", "bob", "2", "2"],
        ["q3", "first", "ada", "1", "1"],
    ]
    one = cranfield("assign", path, "--pool", 1, "--format", "csv")
    assert one.out.splitlines() == [
        "topic,role,assessor,documents,unfinished,repeats,held until",
        "q3,first,ada,1,1,0,",
    ]
    wrong = cranfield("assign", path, "--pool", 7)
    assert (wrong.code, wrong.err) == (1, "error: no pool 7 in this store; its pools are 1, 2\n")


# The command


def test_the_command_shows_the_plan(tmp_path: Path, cranfield: Cranfield) -> None:
    """Who has what, how much is left, and again without changing anything; what was typed wrong exits with 2."""
    path = tmp_path / "a.db"
    store_of(path=path).close()
    assert "no topic is assigned yet" in cranfield("assign", path).err
    for wrong in (("--assessor", "ada", "--queue"), ("--give", "q1"), ("--queue", "--overlap", "lots")):
        refusal = cranfield("assign", path, *wrong)
        assert refusal.code == 2
    assert "'lots'; expected a share" in " ".join(refusal.err.split())
    plan = cranfield("assign", path, "--assessor", "ada", "--assessor", "bob", "--overlap", "10%", "--format", "csv")
    lines = plan.out.splitlines()
    assert (plan.code, lines[0]) == (0, "topic,role,assessor,documents,unfinished,repeats,held until")
    assert lines[1] == "q1,first,ada,3,3,0,"
    assert sum(",second," in line for line in lines) == 1
    assert cranfield("assign", path, "--format", "csv").out == plan.out
    assert "q1,first,bob" in cranfield("assign", path, "--give", "q1=bob", "--format", "csv").out
    assert "q1,first,(queue)" in cranfield("assign", path, "--give", "q1=", "--format", "csv").out
    assert '"overlap": 0.1' in cranfield("assign", path, "--format", "json").out


def test_the_command_says_who_gets_what_the_first_cannot_judge(tmp_path: Path, cranfield: Cranfield) -> None:
    """In words below the table, and in the JSON of each second assignment."""
    path = tmp_path / "a.db"
    store_of(path=path).close()
    plan = cranfield("assign", path, "--assessor", "ada", "--assessor", "bob", "--cannot-judge", "--repeat", 2)
    short = "3 topics get no repeated documents: --repeat 2 needs more than 12 documents per topic"
    assert plan.err == f"note: {short}\n"
    assert "A second assessor also judges the documents that the first cannot judge." in plan.out + plan.err
    rows = json.loads(cranfield("assign", path, "--format", "json").out)["assignments"]
    assert {(one["role"], one["cannot_judge"]) for one in rows} == {("first", False), ("second", True)}
