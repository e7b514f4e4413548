"""Adaptive pools that grow while they are judged: the method's batches, each made once, whatever happens in between."""

import json
import re
from collections import Counter
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any, cast

import pytest

from cranfield.features.models.asking.assess import assessment, take_batch
from cranfield.features.models.asking.limits import AskLimits
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.planning.overview import assigned_work_in_pool, work_to_judge_or_none
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import work_rows
from cranfield.judging.session.adaptive import grow, mend, remaining_documents_by_topic, topic_size_limits
from cranfield.judging.session.session import Session
from cranfield.judging.session.work import PassedOnError
from cranfield.metrics.inputs import as_runs
from cranfield.pooling.candidates import candidates_by_topic
from cranfield.pooling.methods import METHODS
from cranfield.pooling.stored.growth import extend, make_pool
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.assignments import assignments, give_assignment, work_of
from cranfield.store.bundles.bundle import merge_bundle, write_bundle
from cranfield.store.chain import Event
from cranfield.store.log import append, current_decisions, read_events
from cranfield.store.open_pools import steps
from cranfield.store.pools import add_pool, stored_pool
from cranfield.store.store import Store
from cranfield.testing.pooling import example_runs, judge_batches
from tests.conftest import Cranfield, usually
from tests.features.models.stand_in import Post, Response, reply, stand_in
from tests.files import json_lines
from tests.judging.cases import Clock, as_the_command, at, on_screen, pool_of, session_of
from tests.pooling.of_runs import OF_RUNS
from tests.pooling.stores import six_run_store

ADAPTIVE = [name for name, method in OF_RUNS.items() if method.adaptive]
TOPICS = ["q0", "q1", "q2"]
BATCH, BUDGET = 4, 10


def store_with(path: Path | None = None, **settings: object) -> Store:
    """Six runs of three topics, and the first batch of an adaptive pool of them."""
    store = six_run_store(path)
    make_pool(
        store,
        PoolRequest(**{"method": "mtf", "depth": 20, "batch": BATCH, "budget": BUDGET, "seed": 7, **settings}),  # type: ignore[arg-type]
    )
    return store


def live(store: Store, assessor: str = "ada", **options: object) -> Session:
    return session_of(store, assessor, order=None, **options)


def relevant(docno: str) -> int:
    """High numbers are relevant, as the tests of pooling methods have it."""
    return int(int(docno[1:]) >= 30)


def judge(session: Session, most: int = 1000) -> list[str]:
    """Judge so many documents, or all; those judged."""
    docnos: list[str] = []
    while (document := session.view.document) is not None and len(docnos) < most:
        docnos.append(document.docno)
        at(session).grade(relevant(document.docno))
    return docnos


def pooled(store: Store, number: int | None = None) -> dict[str, set[str]]:
    docnos: dict[str, set[str]] = {}
    for document in stored_pool(store, number).documents:
        docnos.setdefault(document.qid, set()).add(document.docno)
    return docnos


def pool_sizes(store: Store, number: int | None = None) -> dict[str, int]:
    return {qid: len(docnos) for qid, docnos in pooled(store, number).items()}


def by_the_method(name: str = "mtf") -> dict[str, set[str]]:
    """What the method proposes when every batch is judged before the next."""
    topics = candidates_by_topic(as_runs(example_runs()), 20)
    batches = {topic: judge_batches(METHODS[name], topic, [4, 4, 2]) for topic in topics}
    return {topic.qid: {topic.docnos[d] for batch in of_topic for d in batch} for topic, of_topic in batches.items()}


@pytest.mark.parametrize("name", ADAPTIVE)
def test_judging_goes_on_until_the_budget_is_spent(name: str) -> None:
    """Every batch is the method's own, is in the pool before it is judged, and there is one pool in the end."""
    store = store_with(method=name)
    session = live(store)
    assert (session.order, session.view.position.of, sum(session.view.total)) == ("adaptive", BUDGET, 3 * BUDGET)
    judged = 0
    while not session.view.done:
        judged += len(judge(session, 1))
        assert set(current_decisions(store, "ada")) <= {(d.qid, d.docno) for d in stored_pool(store).documents}
    assert judged == len(stored_pool(store).documents)
    assert pooled(store) == by_the_method(name)
    assert session.view.total == (judged, 0, 0, 0)
    assert {event.pool for event in read_events(store)} == {1}
    assert store.counts()["pool"] == 1


@pytest.mark.parametrize(("stop", "qids"), [(0.0, {"q0"}), (0.99, {"q0", "q1"})])
def test_a_step_records_the_judgments_that_the_method_looks_at(stop: float, qids: set[str]) -> None:
    """Those of its topic; of all topics where the method was asked when judging may stop."""
    store = store_with(method="mtc", options={"stop": stop})
    first = {qid: sorted(docnos)[0] for qid, docnos in pooled(store).items()}
    append(store, *(Event("label", qid, first[qid], "ada", grade=1) for qid in ("q0", "q1")))
    assert grow(store, 1, "q0", BUDGET)
    latest = max(step.number for step in steps(store, 1))
    recorded = {step.qid: step.labels for step in steps(store, 1) if step.number == latest}
    assert recorded == {qid: {first[qid]: True} for qid in qids}


@pytest.mark.full
def test_a_sample_keeps_its_probabilities_up_to_date() -> None:
    """What a method that samples says of the documents it had pooled before is what it says of them now."""
    store = store_with(method="active")
    judge(live(store))
    alone = store_with(method="active", batch=BUDGET)
    judge(live(alone))
    for each in (store, alone):
        probability = {d.docno: d.probability for d in stored_pool(each).documents if d.qid == "q1"}
        assert all(probability.values())
        assert len(set(probability.values())) > 1
    first = next(d for d in store_with(method="active").rows("SELECT docno, probability FROM pooled WHERE qid = 'q1'"))
    assert probability.keys() >= {first[0]}
    assert {d.docno: d.probability for d in stored_pool(store).documents if d.qid == "q1"}[first[0]] > first[1]


@pytest.mark.full
def test_a_budget_for_all_topics_and_none() -> None:
    """It is kept to the document; without one, all that the runs have is judged in the end, each to its own depth."""
    store = store_with(budget=None, total=23)
    session = live(store)
    assert sum(session.view.total) == 23
    judge(session)
    assert Counter(document.qid for document in stored_pool(store).documents) == {"q0": 8, "q1": 8, "q2": 7}
    store = store_with(budget=None, runs=("r0", "r1"))
    store.db.execute("UPDATE run SET depth = 3 WHERE tag = 'r0'")
    judge(live(store))
    topics = candidates_by_topic(as_runs(example_runs()).select(["r0", "r1"]), 20, {"r0": 3})
    assert pooled(store)["q1"] >= set(topics[1].docnos)
    assert topic_size_limits(store, stored_pool(store)) == {topic.qid: len(topic) for topic in topics}


@pytest.mark.full
def test_begun_anew_after_every_label() -> None:
    """The same documents come in the same order, and the pool is the same."""
    one, other = store_with(), store_with()
    docnos = [docno for _ in range(3 * BUDGET) for docno in judge(live(other), 1)]
    assert judge(live(one)) == docnos
    assert pooled(one) == pooled(other) == by_the_method()


@pytest.mark.full
def test_killed_between_a_label_and_the_batch_that_follows() -> None:
    """The label is in the log and the batch not in the pool; whoever begins next makes the same batch."""
    store = store_with()
    judge(live(store), BATCH - 1)
    qid, docno = on_screen(live(store)) or ("", "")
    append(store, Event("label", qid, docno, "ada", grade=relevant(docno)))
    assert len(pooled(store)["q0"]) == BATCH
    assert live(store).view.position == (BATCH + 1, BUDGET)
    assert len(pooled(store)["q0"]) == 2 * BATCH
    judge(live(store))
    assert pooled(store) == by_the_method()


@pytest.mark.full
def test_two_at_the_same_topics_make_each_batch_once() -> None:
    """Whoever is first extends the pool, the other finds it so; both judge the same documents, and no budget breaks."""
    store = store_with()
    ada, bob = live(store, "ada"), live(store, "bob")
    while not (ada.view.done and bob.view.done):
        judge(ada, 3)
        judge(bob, 2)
    assert pooled(store) == by_the_method()
    assert set(current_decisions(store, "ada")) == set(current_decisions(store, "bob"))
    assert stored_pool(store).parameters["batches"] == {qid: [4, 4, 2] for qid in TOPICS}


@pytest.mark.full
def test_two_windows_of_one_assessor() -> None:
    """What was shown in the other window is counted, not shown again, and nothing is negative."""
    store = store_with()
    one, other = live(store), live(store)
    judge(one, 6)
    at(other).grade(0)  # what lay there still
    judge(other, 3)
    assert at(one).undo().total == (8, 0, 0, 22)
    judge(one)
    assert one.view.total == (3 * BUDGET, 0, 0, 0)
    assert (
        Counter((event.qid, event.docno) for event in read_events(store) if event.kind == "label").most_common(3)[2][1]
        == 1
    )
    assert at(other).undo().total == (3 * BUDGET - 1, 0, 0, 1)


@pytest.mark.full
def test_what_is_put_off_or_taken_back_changes_no_batch_that_is_there() -> None:
    """Put off, a document holds nothing up; taken back, it is judged again, and what was proposed stays in the pool."""
    store = store_with()
    session = live(store)
    put_off = on_screen(session)
    at(session).later()
    judge(session, BATCH - 1)
    before = pooled(store)
    assert len(before["q0"]) == 2 * BATCH
    assert at(session).undo().position.number == BATCH
    at(session).grade(1)
    assert pooled(store) == before
    judge(session, BUDGET - BATCH)
    assert on_screen(session) == put_off
    judge(session)
    assert pool_sizes(store) == dict.fromkeys(TOPICS, BUDGET)


def test_the_organiser_takes_the_pool_further_meanwhile() -> None:
    """A session goes on in the pool that was made from its own, and its labels name that one."""
    store = store_with()
    session = live(store)
    judge(session, 2)
    extend(store, budget=12, batch=BATCH)
    assert stored_pool(store).number == 2
    judge(session)
    assert {event.pool for event in read_events(store)[-5:]} == {2}
    assert pool_sizes(store) == dict.fromkeys(TOPICS, 12)
    assert len(stored_pool(store, 1).documents) == 3 * BATCH


@pytest.mark.full
def test_another_pool_changes_nothing() -> None:
    """The session goes on to the budget of its own pool, and the other one is left alone; so does the progress."""
    store = store_with()
    session = live(store)
    other = add_pool(store, pool_of({"q0": ["d1"]}))
    assert sum(row["remaining"] for row in work_rows(progress_of(store, 1))) == 3 * BUDGET
    assert len(judge(session, 5)) == 5
    rows = work_rows(progress_of(store, 1))
    assert (sum(row["documents"] for row in rows), sum(row["remaining"] for row in rows)) == (30, 25)
    assert sum(row["documents"] for row in work_rows(progress_of(store))) == 1
    judge(session)
    assert session.view.done
    assert pooled(store, 1) == by_the_method()
    assert stored_pool(store).number == other
    assert len(stored_pool(store).documents) == 1


@pytest.mark.full
def test_each_pool_grows_by_itself() -> None:
    """One that is not the newest is judged in its own batches to its own budget, whatever other pools there are."""
    store = store_with()
    make_pool(store, PoolRequest(method="hedge", depth=20, batch=3, budget=6))
    add_pool(store, pool_of({"q0": ["d1", "d2"]}))
    for number, most in ((1, BUDGET), (2, 6)):
        work = assigned_work_in_pool(store, "ada", number) or pytest.fail("nothing to judge")
        session = Session(store, "ada", work, clock=Clock())
        assert (session.order, sum(session.view.total)) == ("adaptive", 3 * most)
        judge(session)
        assert session.view.done
        assert pool_sizes(store, number) == dict.fromkeys(TOPICS, most)
    assert pooled(store, 1) == by_the_method()
    assert {event.pool for event in read_events(store)} == {1, 2}


def test_nothing_is_left_where_judging_may_stop() -> None:
    """The method is sure enough: what the budget would allow is not counted as left to do."""
    store = store_with(method="mtc", budget=None, options={"stop": 0.6})
    judge(live(store))
    assert len(stored_pool(store).documents) < sum(topic_size_limits(store, stored_pool(store)).values())
    assert sum(row["remaining"] for row in work_rows(progress_of(store))) == 0


@pytest.mark.full
def test_assigned_topics_stay_with_their_pool_and_grow() -> None:
    """Of a plan that stays with an older pool: the first assessors take it further, also after a killed session."""
    store = store_with()
    assign_topics_to_assessors(store, ["ada", "bob"], number=1)
    add_pool(store, pool_of({"q0": ["d1"]}))
    assert sum(row["remaining"] for row in work_rows(progress_of(store))) == 3 * BUDGET
    (first,) = [assignment for assignment in assignments(store) if assignment.qid == "q0"]
    for docno in pooled(store, 1)["q0"]:
        append(store, Event("label", "q0", docno, first.assessor or "", grade=relevant(docno)))
    for name in ("ada", "bob"):
        judge(as_the_command(store, name))
    assert pooled(store, 1) == by_the_method()
    assert sum(row["remaining"] for row in work_rows(progress_of(store))) == 0


@pytest.mark.needs_extra("serve")
def test_the_browser_takes_an_older_pool_further() -> None:
    """The sessions of `cranfield serve` are on the pool that is assigned."""
    from cranfield.web.open_sessions import OpenSessions

    store = store_with()
    assign_topics_to_assessors(store, ["ada"], number=1)
    add_pool(store, pool_of({"q0": ["d1"]}))
    sessions = OpenSessions(store)
    while not (session := sessions.session_of("ada").session).view.done:
        judge(cast("Session", session), 1)
    assert pooled(store, 1) == by_the_method()


@pytest.mark.full
def test_line_mode_takes_an_older_pool_further(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a pool that another was made from it says so, and that it is finished."""
    path = tmp_path / "t.db"
    with store_with(path) as store:
        add_pool(store, pool_of({"q0": ["d1"]}))
    words = ["judge", str(path), "--assessor", "ada", "--plain", "--pool", "1"]
    monkeypatch.setattr("sys.stdin", StringIO("1\n" * 40))
    result = cranfield(*words)
    assert (result.code, result.err) == (0, "")
    assert f"judged {3 * BUDGET}, later 0, cannot judge 0, remaining 0" in result.out
    with Store.open(path) as store:
        assert len(stored_pool(store, 1).documents) == 3 * BUDGET
        extend(store, number=1, budget=12)
    note = "note: pool 1 no longer grows, because pool 3 extends it; use --pool 3\n"
    assert cranfield(*words).err == note


def with_texts(path: Path | None = None) -> Store:
    """Such a store whose topics and documents have texts."""
    store = store_with(path)
    with store.writing():
        store.conn.execute("UPDATE document SET text = 'number ' || docno || '.'")
        store.conn.execute("UPDATE topic SET title = 'of ' || qid")
    return store


def grading(post: Post, before: int) -> Response:
    """A model that finds relevant what people do."""
    docno = re.findall(r"number (d\d+)\.", post.text)[-1]
    return reply(f"Grade: {relevant(docno)}")


@pytest.mark.full
def test_a_model_takes_a_pool_further() -> None:
    """As a person does, batch after batch, also one that is not the newest; a topic of people's is left to them."""
    store = with_texts()
    add_pool(store, pool_of({"q0": ["d1"]}))
    with stand_in(grading) as server:
        assert assessment(store, "m", url=server.url, pool=1).run(AskLimits(questions=5)).stopped == "--limit 5"
        tally = assessment(store, "m", url=server.url, pool=1).run()
        assert (tally.outcomes, tally.remaining) == ({"ok": 3 * BUDGET - 5}, 0)
        assert pooled(store, 1) == by_the_method()
        other = with_texts()
        assign_topics_to_assessors(other, ["ada"], ["q1"])
        assessment(other, "m", url=server.url).run()
    assert pool_sizes(other) == {"q0": BUDGET, "q1": BATCH, "q2": BUDGET}


def test_a_model_is_asked_by_batch_files_batch_by_batch(tmp_path: Path) -> None:
    """The next file has what the answers to the last one led to; nothing is asked twice."""
    store, counts = with_texts(), []
    while size := assessment(store, "m", url=None, assessor="b").grow().write(tmp_path / "out.jsonl"):
        counts.append(size)
        lines = []
        for one in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines()):
            docno = re.findall(r"number (d\d+)\.", json.dumps(one["body"]))[-1]
            body = json.loads(reply(f"Grade: {relevant(docno)}").body)
            lines.append({"custom_id": one["custom_id"], "response": {"status_code": 200, "body": body}, "error": None})
        (tmp_path / "in.jsonl").write_text(json_lines(lines))
        take_batch(store, tmp_path / "in.jsonl")
    assert counts == [3 * 4, 3 * 4, 3 * 2]
    assert pooled(store) == by_the_method()


def test_the_command_says_that_the_pool_grew(tmp_path: Path, cranfield: Cranfield) -> None:
    """And in which topics it does not."""
    path = tmp_path / "t.db"
    with with_texts(path) as store:
        assign_topics_to_assessors(store, ["ada"], ["q1"])
    with stand_in(grading) as server:
        words = ["model", "assess", "run", str(path), "--model", "m", "--url", server.url]
        assert "note: the answers will lead to further questions" in cranfield(*words, "--dry-run").err
        grown = [line for line in cranfield(*words).err.splitlines() if line.startswith("note: pool 1 ")]
        assert grown == [
            "note: pool 1 is adaptive and grew by 12 documents",
            "note: pool 1 may still grow by 6 documents in topics that are assigned to people",
        ]


@pytest.mark.full
def test_another_order_judges_what_there_is() -> None:
    """Asked for another order, the pool stays as it is; without asking, the next session goes on in batches."""
    store = store_with()
    assert len(judge(session_of(store, order="hash"))) == 3 * BATCH
    assert len(pooled(store)["q0"]) == BATCH
    assert len(judge(live(store))) == 3 * (BUDGET - BATCH)
    add_pool(store, pool_of({"q0": ["d1", "d2"]}))
    assert live(store).order == "hash"  # how batches were judged says nothing on other pools


def test_a_pool_that_another_was_made_from_is_judged_as_it_is() -> None:
    """The one that was made from it grows; what it was made from must stay."""
    store = store_with()
    extend(store, budget=12, runs=["r0"], batch=BATCH + 1)
    session = Session(store, "ada", stored_pool(store, 1), clock=Clock())
    assert session.order == "hash"
    judge(session)
    assert len(stored_pool(store, 1).documents) == 3 * BATCH


# Assigned work


@pytest.mark.full
def test_the_first_assessor_takes_a_topic_further_and_the_second_does_not() -> None:
    """The overlap drawn beforehand stays what it is."""
    store = store_with()
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.25)
    second = {assignment.qid: assignment.documents for assignment in assignments(store) if assignment.role == "second"}
    assert second
    for name in ("ada", "bob"):
        judge(as_the_command(store, name))
    assert pooled(store) == by_the_method()
    labels = Counter(
        (event.qid, event.docno) for name in ("ada", "bob") for event in current_decisions(store, name).values()
    )
    assert labels.total() == 3 * BUDGET + sum(second.values())
    assert sum(assignment.unfinished for assignment in assignments(store)) == 0


@pytest.mark.full
def test_the_queue_is_claimed_topic_after_topic() -> None:
    """The next one only when the budget of the one in hand is spent."""
    store = store_with()
    assign_topics_to_assessors(store)
    session = as_the_command(store, "ada")
    assert list(work_of(store, "ada")) == ["q0"]
    assert sum(session.view.total) == BUDGET
    judge(session, BUDGET - 1)
    assert list(work_of(store, "ada")) == ["q0"]
    judge(session, 1)
    assert list(work_of(store, "ada")) == ["q0", "q1"]
    assert on_screen(session) in {("q1", docno) for docno in pooled(store)["q1"]}
    judge(session)
    assert pooled(store) == by_the_method()
    assert at(session).undo().position.number == BUDGET


@pytest.mark.full
def test_a_topic_left_by_a_killed_session_is_not_lost() -> None:
    """All that is pooled is settled and the budget is not spent: the topic gets its batch before anybody looks."""
    store = store_with()
    assign_topics_to_assessors(store, ["ada"])
    for docno in pooled(store)["q0"]:
        append(store, Event("label", "q0", docno, "ada", grade=relevant(docno)))
    give_assignment(store, "q0", "first", "bob")
    judge(as_the_command(store, "bob"))
    assert pooled(store)["q0"] == by_the_method()["q0"]
    mend(store)
    assert pooled(store)["q0"] == by_the_method()["q0"]


@pytest.mark.full
def test_who_lost_her_claim_takes_nothing_further() -> None:
    """The topic is somebody else's now: what she labelled stays hers, the rest and the next batch are theirs."""
    store = store_with()
    assign_topics_to_assessors(store)
    ada = as_the_command(store, "ada")
    judge(ada, BATCH - 1)
    give_assignment(store, "q0", "first", "bob")
    with pytest.raises(PassedOnError, match="topic q0 is no longer yours"):
        judge(ada, 1)
    assert (len(work_of(store, "ada")["q0"]), len(work_of(store, "bob")["q0"])) == (BATCH - 1, 1)
    assert (on_screen(ada) or ("",))[0] == "q1"


@pytest.mark.full
def test_second_showings_keep_their_distance() -> None:
    """They come with a later batch, at least ten documents after the first."""
    store = store_with(budget=30, batch=15)
    assign_topics_to_assessors(store, ["ada"], repeats=2)
    docnos = judge(as_the_command(store, "ada"))
    assert len(docnos) == 3 * (30 + 2)
    for part in (docnos[start : start + 32] for start in range(0, 96, 32)):
        twice = [docno for docno, times in Counter(part).items() if times == 2]
        assert len(twice) == 2
        assert all(len(part) - part[::-1].index(docno) - part.index(docno) > 10 for docno in twice)


@pytest.mark.full
def test_a_bundle_has_what_there_was(tmp_path: Path) -> None:
    """It has no runs, so that nothing can be proposed in it; the pool is the one that is assigned, also at home."""
    store = store_with(tmp_path / "home.db")
    assign_topics_to_assessors(store, ["ada"], number=1)
    add_pool(store, pool_of({"q0": ["d1"]}))
    write_bundle(store, tmp_path / "ada.db", "ada")
    with Store.open(tmp_path / "ada.db") as bundle:
        session = as_the_command(bundle, "ada")
        assert session.order == "hash"
        assert len(judge(session)) == 3 * BATCH
    merge_bundle(store, tmp_path / "ada.db")
    assert {event.pool for event in read_events(store)} == {1}


# Many processes


def judge_all(path: str, name: str, together: Any) -> list[str]:
    """Judge as the command does, if anything is left; the documents shown."""
    together.wait()
    with Store.open(path) as store:
        return judge(as_the_command(store, name)) if work_to_judge_or_none(store, name) else []


@pytest.mark.full
@pytest.mark.parametrize("planned", usually([True], [False, True]))
def test_several_processes_at_one_store(tmp_path: Path, planned: bool) -> None:
    """No batch is made twice, no label is lost, and no budget is broken."""
    path, people = tmp_path / "many.db", ["ada", "bob", "eve"]
    with store_with(path) as store:
        if planned:
            assign_topics_to_assessors(store)
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with context.Manager() as manager, context.Pool(len(people)) as workers:
        together = manager.Barrier(len(people))
        results = [workers.apply_async(judge_all, (str(path), name, together)) for name in people]
        docnos = [result.get(timeout=120) for result in results]
    assert sum(map(len, docnos)) == 3 * BUDGET * (1 if planned else len(people))
    with Store.open(path) as store:
        assert stored_pool(store).parameters["batches"] == {qid: [4, 4, 2] for qid in TOPICS}
        assert pool_sizes(store) == dict.fromkeys(TOPICS, BUDGET)
        if planned:
            assert pooled(store) == by_the_method()


def test_the_room_of_a_topic_falls_to_none() -> None:
    """Each topic may get what its budget leaves, and nothing once its budget is spent."""
    store = store_with()
    assert remaining_documents_by_topic(store, stored_pool(store)) == dict.fromkeys(TOPICS, BUDGET - BATCH)
    session = live(store)
    while not session.view.done:
        judge(session, 1)
    assert remaining_documents_by_topic(store, stored_pool(store)) == dict.fromkeys(TOPICS, 0)
