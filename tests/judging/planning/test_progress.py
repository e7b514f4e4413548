"""Progress and what needs attention: what is counted, what the time left is based on, and what looks unusual."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cranfield.analysis.pools import pool_rows_and_title
from cranfield.errors import StoreError
from cranfield.judging.planning import overview
from cranfield.judging.planning.assign import assign_topics_to_assessors, restrict_pool_to_work
from cranfield.judging.planning.checks import CHECKS, findings
from cranfield.judging.planning.daily import daily_work
from cranfield.judging.planning.forecast import forecast_person, forecast_pool, forecast_work
from cranfield.judging.planning.overview import working_people
from cranfield.judging.planning.progress import Progress, pool_progress_row, progress_of
from cranfield.judging.planning.sections import (
    agreement_rows,
    agreement_with_others,
    drift_rows,
    pace_rows,
    repeat_rows,
    topic_states,
    work_rows,
)
from cranfield.judging.session.session import Session
from cranfield.metrics.inputs import as_qrels
from cranfield.store.assignments import (
    assignments,
    claim_topic,
    documents_drawn_for,
    format_timestamp,
    give_assignment,
    repeats_of,
    work_of,
)
from cranfield.store.chain import Event
from cranfield.store.invitations import Invitation
from cranfield.store.log import REPEAT, add_assessor, append, assessors, last_signs
from cranfield.store.pools import add_pool, stored_pool
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.cases import Clock, at, pool_of, session_of, store_of
from tests.judging.session.test_adaptive_pools import store_with
from tests.stores import filled, new_file, new_store

LONG = {f"q{topic}": [f"d{topic}-{number:02}" for number in range(30)] for topic in range(3)}


def decide(
    store: Store, qid: str, docno: str, who: str, *, grade: int = 1, seconds: float | None = None, position: int = 1
) -> None:
    add_assessor(store, who)
    append(store, Event("label", qid, docno, who, grade=grade, seconds=seconds, position=position))


def test_the_four_states_are_told_apart() -> None:
    """Judged, later, cannot judge and remaining add up to the documents; nobody's topics wait in the queue."""
    store = store_of({"q1": ["d1", "d2", "d3", "d4"], "q2": ["d1"]})
    session = session_of(store)
    at(session).grade(0)
    at(session).later()
    at(session).cannot_judge("unreadable")
    rows = work_rows(progress_of(store))
    counts = ("documents", "judged", "later", "cannot judge", "remaining")
    assert [[row[name] for name in ("assessor", "topic", *counts)] for row in rows] == [
        ["ada", "q1", 4, 1, 1, 1, 1],
        ["(queue)", "q2", 1, 0, 0, 0, 1],
    ]


def test_assigned_work_counts_before_it_is_begun() -> None:
    """With assignments everybody's own documents count, the queue's are the queue's, and nobody else's are hers."""
    store = store_of(LONG)
    assign_topics_to_assessors(store, ["ada"], ["q0"])
    assign_topics_to_assessors(store)
    rows = {(row["assessor"], row["topic"]): row["remaining"] for row in work_rows(progress_of(store))}
    assert rows == {("ada", "q0"): 30, ("(queue)", "q1"): 30, ("(queue)", "q2"): 30}
    claim_topic(store, "bob")
    assert [row["assessor"] for row in pace_rows(progress_of(store))] == ["ada", "bob", "(queue)"]


@pytest.mark.full
def test_the_time_left_follows_from_the_mean() -> None:
    """Ten of her own decisions of 36 seconds and twenty documents left are 0.2 hours.

    At a second for every ten characters, what is four times as long as what was judged takes four times as long.
    """
    store = store_of({"q1": LONG["q0"]})
    for number, docno in enumerate(LONG["q0"][:10]):
        decide(store, "q1", docno, "ada", seconds=30.0 + 12 * (number % 2))
    row = pace_rows(progress_of(store))[0]
    assert (row["hours left"], row["basis"], row["median seconds"]) == (0.2, "own 10 decisions", 36)
    assert row["from"] < 0.2 < row["to"]
    assert row["per active hour"] == 100
    pooled = {"q1": LONG["q0"][:10], "q2": LONG["q1"][:10]}
    texts = {d: "x" * (100 + 10 * int(d[-2:])) * (1 if d[1] == "0" else 4) for own in pooled.values() for d in own}
    longer = store_of(pooled, texts=texts)
    for docno in pooled["q1"]:
        decide(longer, "q1", docno, "ada", seconds=len(texts[docno]) / 10)
    rows = {row["assessor"]: row for row in pace_rows(progress_of(longer))}
    assert rows["(queue)"]["hours left"] == round(10 * 58 / 3600, 2)


def test_what_an_open_pool_may_still_get_is_left_to_do() -> None:
    """With whoever takes the topic further: the first assessor, the queue or, without assignments, who has begun."""
    store = store_with(budget=10)
    lines = [
        (row["assessor"], row["topic"], row["documents"], row["remaining"]) for row in work_rows(progress_of(store))
    ]
    assert lines == [("(queue)", qid, 10, 10) for qid in ("q0", "q1", "q2")]
    assign_topics_to_assessors(store, ["ada"], ["q0"], overlap=0.5)
    assign_topics_to_assessors(store)
    sizes = [(row["assessor"], row["topic"], row["documents"]) for row in work_rows(progress_of(store))]
    assert sizes == [("ada", "q0", 10), ("(queue)", "q0", 2), ("(queue)", "q1", 10), ("(queue)", "q2", 10)]


def test_no_forecast_from_nothing() -> None:
    """With fewer than ten timed decisions there is no forecast; everybody's serve whoever has none of her own."""
    store = store_of({"q1": LONG["q0"], "q2": LONG["q1"]})
    for docno in LONG["q0"][:9]:
        decide(store, "q1", docno, "ada", seconds=10)
    assert [row["hours left"] for row in pace_rows(progress_of(store))] == [None, None]
    decide(store, "q1", LONG["q0"][9], "ada", seconds=10)
    decide(store, "q2", LONG["q1"][0], "bob")
    rows = {row["assessor"]: row for row in pace_rows(progress_of(store))}
    assert (rows["bob"]["hours left"], rows["bob"]["basis"]) == (0.08, "everybody's 10 decisions")


def test_what_was_taken_back_and_noted_takes_no_time_twice() -> None:
    """A label given, taken back and given again counts once; its notes do not count beside it.

    An adjudication is no work of a topic and no second opinion: it was made with the others' in sight.
    """
    store, clock = store_of({"q1": ["d1", "d2"]}), Clock()
    session = Session(store, "ada", stored_pool(store), order="docid", clock=clock)
    clock.now += 10
    at(session).note("a thought")
    clock.now += 10
    at(session).grade(1)
    clock.now += 5
    at(session).undo()
    clock.now += 3
    at(session).grade(0)
    add_assessor(store, "eve")
    append(store, Event("adjudicate", "q1", "d1", "eve", grade=2, seconds=60))
    state = progress_of(store)
    assert agreement_rows(state) == []
    rows = pace_rows(state)
    assert [(row["assessor"], row["median seconds"], row["active hours"]) for row in rows] == [("ada", 3, 0.0)]


def test_agreement_counts_planned_pairs_apart_from_accidents() -> None:
    """Only pairs drawn beforehand estimate agreement; a pair that two people happened to label stands on its own."""
    store = store_of(LONG)
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.1)
    for name, grade in (("ada", 1), ("bob", 2)):
        for qid, docnos in documents_drawn_for(store, "overlap").items():
            for number, docno in enumerate(docnos):
                decide(store, qid, docno, name, grade=0 if number % 2 else grade)
    rows = agreement_rows(progress_of(store))
    assert [(row["assessors"], row["sample"], row["pairs"]) for row in rows] == [("ada, bob", "planned", 9)]
    assert rows[0]["same grade"] < rows[0]["same relevance"] == 1
    free = next(d for d in LONG["q0"] if d not in documents_drawn_for(store, "overlap").get("q0", []))
    decide(store, "q0", free, "ada", grade=0)
    decide(store, "q0", free, "bob", grade=1)
    assert agreement_rows(progress_of(store))[1] == {
        "assessors": "ada, bob", "sample": "unplanned", "pairs": 1, "same grade": 0, "same relevance": 0,
        "mean difference": 1,
    }  # fmt: skip


def test_agreement_with_oneself() -> None:
    """The second showing is compared with the first, and is nobody else's agreement."""
    store = store_of(LONG)
    assign_topics_to_assessors(store, ["ada", "bob"], repeats=2)
    (qid, (one, two)), *_ = repeats_of(store, "ada").items()
    number = sum(map(len, repeats_of(store, "ada").values()))
    assert repeat_rows(progress_of(store))[0] == {
        "assessor": "ada", "planned": number, "pairs": 0, "same grade": None, "same relevance": None,
        "mean difference": None,
    }  # fmt: skip
    for docno, first, second in ((one, 1, 2), (two, 0, 0)):
        decide(store, qid, docno, "ada", grade=first)
        decide(store, qid, docno, "ada" + REPEAT, grade=second)
    state = progress_of(store)
    row = repeat_rows(state)[0]
    assert (row["pairs"], row["same grade"], row["same relevance"], row["mean difference"]) == (2, 0.5, 1, 0.5)
    assert agreement_rows(state) == []
    assert all(REPEAT not in row["assessor"] for row in work_rows(state))


def test_drift_shows_by_thirds() -> None:
    """Grades and seconds of the beginning, the middle and the end of a topic as it was judged; from 9 labels."""
    store = store_of(LONG)
    for number, docno in enumerate(reversed(LONG["q0"])):
        decide(store, "q0", docno, "ada", grade=int(number >= 20), seconds=0.1 if number >= 29 else 9, position=number)
    for number, docno in enumerate(LONG["q1"][:8]):
        decide(store, "q1", docno, "bo", position=number)
    rows = drift_rows(progress_of(store))
    assert [(row["assessor"], row["third"], row["labels"], row["relevant"], row["fast"]) for row in rows] == [
        ("ada", 1, 10, 0, 0), ("ada", 2, 10, 0, 0), ("ada", 3, 10, 1, 1),
    ]  # fmt: skip


def test_the_command_shows_what_there_is(tmp_path: Path, cranfield: Cranfield) -> None:
    """All tables that have something to say, with titles; one of them as CSV; all as JSON; or that there are none.

    Ada has labelled her topic.
    """
    path, empty = tmp_path / "a.db", new_file(tmp_path / "e.db")
    assert cranfield("progress", empty).out == "There is no pool yet; build a pool with `cranfield pool build`.\n"
    with store_of(LONG, path) as store:
        assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.1, repeats=1)
        work = restrict_pool_to_work(stored_pool(store), work_of(store, "ada"))
        session = Session(store, "ada", work, order="docid", clock=Clock())
        for _ in range(12):
            at(session).grade(1)
    output = cranfield("progress", path).out
    assert output.splitlines()[1:3] == [
        "given: 12 of 102 labels",
        "left: hours not known yet, because there are too few timed labels",
    ]
    assert output.splitlines()[3] == "no date: nobody with work left judged in the last 7 days"
    assert "Pace and time left" in output
    assert "Work, by assessor and topic" not in output
    assert output.endswith("rows by assessor and topic: add --show work\n")
    assert "Agreement so far" not in output
    assert cranfield("progress", path, "--format", "csv").out.startswith("assessor,kind,topic,documents,judged,")
    drift = cranfield("progress", path, "--show", "drift", "--format", "csv").out
    assert drift.splitlines()[1].startswith("ada,1,4,1")
    tables = json.loads(cranfield("progress", path, "--format", "json").out)
    assert list(tables) == ["pool", "forecast", "work", "pace", "agreement", "repeats", "drift"]
    assert cranfield("progress", path, "--output", path.with_suffix(".txt")).out == ""
    assert path.with_suffix(".txt").read_text() == output


def test_models_and_imports_have_rows_of_their_own() -> None:
    """What only they labelled is not left to do where nobody has begun; what a person has begun is hers as ever."""
    store = store_of({"q1": ["d1", "d2"], "q2": ["d1", "d2"]})
    filled(store, models=["llm"], qrels={"llm": {"q1": {"d1": 1, "d2": 1}}, "nist": {"q1": {"d1": 1}}})
    assert pool_progress_row(store) == {
        "pool": 1, "method": "depth", "documents": 4, "people": 1, "imported": 1, "models": 1,
        "unlabelled": 2,
    }  # fmt: skip
    names = ("assessor", "kind", "topic", "documents", "judged", "remaining")
    rows = [tuple(row[name] for name in names) for row in work_rows(progress_of(store))]
    others = [("llm", "model", "q1", 2, 2, 0), ("nist", "import", "q1", 1, 1, 0)]
    assert rows == [("(queue)", None, "q2", 2, 0, 2), *others]
    assert [row["assessor"] for row in pace_rows(progress_of(store))] == ["(queue)"]
    decide(store, "q1", "d1", "ada")
    rows = [tuple(row[name] for name in names) for row in work_rows(progress_of(store))]
    assert rows == [("ada", "human", "q1", 2, 1, 1), ("(queue)", None, "q2", 2, 0, 2), *others]


def test_what_a_model_cannot_judge_is_counted_and_left_to_do() -> None:
    """As of people, in the column for it."""
    store = store_of({"q1": ["d1", "d2"]})
    add_assessor(store, "llm", "model")
    append(store, Event("label", "q1", "d1", "llm", grade=1), Event("cannot-judge", "q1", "d2", "llm", reason="error"))
    names = ("assessor", "documents", "judged", "cannot judge", "remaining")
    rows = [tuple(row[name] for name in names) for row in work_rows(progress_of(store))]
    assert rows == [("(queue)", 1, 0, 0, 1), ("llm", 2, 1, 1, 0)]


@pytest.mark.full
def test_progress_and_pool_show_say_the_same(tmp_path: Path, cranfield: Cranfield) -> None:
    """Of a pool that a model labelled nothing is left to judge, and neither says that people did."""
    path = tmp_path / "track.db"
    with store_of({"q1": ["d1", "d2"], "q2": ["d1"]}, path) as store:
        add_assessor(store, "llm", "model")
        pairs = [("q1", "d1"), ("q1", "d2"), ("q2", "d1")]
        append(store, *(Event("label", *pair, "llm", grade=0) for pair in pairs))
    progress_says, show_says = cranfield("progress", path).out, cranfield("pool", "show", path).out
    assert "3 documents, 3 judged only by models, 0 to judge" in show_says
    line = "pool 1: depth, 3 documents; 0 labelled by people, 3 only by models, 0 by nobody\n"
    assert progress_says.startswith(line)
    assert "(queue)" not in progress_says
    document = json.loads(cranfield("progress", path, "--format", "json").out)
    assert (document["pool"]["models"], sum(row["remaining"] for row in document["work"])) == (3, 0)


@pytest.mark.full
def test_the_progress_of_an_earlier_pool(tmp_path: Path, cranfield: Cranfield) -> None:
    """Its documents and the labels of them alone; topics that were never assigned are nobody's, and shown."""
    path = tmp_path / "track.db"
    with store_of({"q1": ["d1", "d2"], "q2": ["d1"]}, path) as store:
        add_pool(store, pool_of({"q1": ["d2"]}))
        decide(store, "q1", "d1", "ada")
        decide(store, "q1", "d2", "bob")
    names = ("assessor", "topic", "documents", "judged", "remaining")

    def rows(*options: object) -> list[tuple[object, ...]]:
        document = json.loads(cranfield("progress", path, *options, "--format", "json").out)
        return [(document["pool"]["pool"], *(row[name] for name in names)) for row in document["work"]]

    assert rows() == [(2, "ada", "q1", 1, 0, 1), (2, "bob", "q1", 1, 1, 0)]
    assert rows("--pool", 1) == [(1, "ada", "q1", 2, 1, 1), (1, "bob", "q1", 2, 1, 1), (1, "(queue)", "q2", 1, 0, 1)]
    with Store.open(path) as store:
        assign_topics_to_assessors(store, ["ada"], ["q1"], number=1)
    assert rows("--pool", 1) == [(1, "ada", "q1", 2, 1, 1), (1, "(nobody)", "q2", 1, 0, 1)]
    assert rows("--pool", 2) == [(2, "ada", "q1", 1, 0, 1)]
    wrong = cranfield("progress", path, "--pool", 3)
    assert (wrong.code, wrong.err) == (1, "error: no pool 3 in this store; its pools are 1, 2\n")


def test_agreement_and_disagreements_of_one_pool(tmp_path: Path, cranfield: Cranfield) -> None:
    """Only what is in it; a sample to adjudicate is of all, and says so."""
    path = tmp_path / "track.db"
    with store_of({"q1": ["d1", "d2"]}, path) as store:
        add_pool(store, pool_of({"q1": ["d2"]}))
        for docno, grades in (("d1", (0, 1)), ("d2", (1, 1))):
            for name, grade in zip(("ada", "bob"), grades, strict=True):
                decide(store, "q1", docno, name, grade=grade)
    raw = ("--coefficient", "raw agreement", "--format", "json")
    for pool, value in ((1, 0.5), (2, 1.0)):
        assert json.loads(cranfield("agreement", path, "--pool", pool, *raw).out)[0]["value"] == value
    assert cranfield("agreement", path, "--seed", -1).code == 2
    result = cranfield("adjudicate", path, "--list", "--pool", 1, "--format", "json")
    assert [row["document"] for row in json.loads(result.out)] == ["d1"]
    none = cranfield("adjudicate", path, "--list", "--pool", 2)
    assert (none.code, "no disagreements in pool 2" in none.err) == (1, True)
    assert cranfield("adjudicate", path, "--pool", 1, "--sample", 6).code == 2


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_topics_have_a_state() -> None:
    """Open to everyone, then queued, claimed, begun, lapsed or finished; what was left out is nobody's."""
    with store_of() as store:
        assert {one.state for one in topic_states(store, NOON)} == {"open to everyone"}
        add_assessor(store, "oracle", "model")
        add_assessor(store, "cy")
        for qid, docno, name in (("q3", "d5", "cy"), ("q2", "d2", "oracle")):
            append(store, Event("label", qid, docno, name, grade=1, at=format_timestamp(NOON)))
        assert [one.left for one in topic_states(store, NOON)] == [3, 2, 0]
        assign_topics_to_assessors(store, topics=["q1", "q2"], lease=3600)
        claim_topic(store, "ada", NOON)
        assert [one.state for one in topic_states(store, NOON)] == ["claimed", "in the queue", "not assigned"]
        append(store, Event("label", "q1", "d1", "ada", grade=1, at=format_timestamp(NOON)))
        assert [topic_states(store, moment)[0].state for moment in (NOON, NOON + DAY)] == [
            "in progress",
            "claim lapsed",
        ]
        append(
            store, *(Event("label", "q1", docno, "ada", grade=1, at=format_timestamp(NOON)) for docno in ("d2", "d3"))
        )
        give_assignment(store, "q2", "first", "bo")
        states = topic_states(store, NOON + DAY)
        assert [(one.state, one.assessor, one.left) for one in states] == [
            ("finished", "ada", 0), ("assigned", "bo", 2), ("not assigned", None, 0),
        ]  # fmt: skip


def test_the_states_of_a_topic_stand_together() -> None:
    """In the order of the topics, the first assessor's before the second's, who are two different people."""
    with store_of() as store:
        add_assessor(store, "oracle", "model")
        with pytest.raises(StoreError, match="has kind"):
            assign_topics_to_assessors(store, ["ada", "oracle"])
        assert {one.state for one in topic_states(store, NOON)} == {"open to everyone"}
        assign_topics_to_assessors(store, ["ada", "bo"], topics=["q2", "q3"], overlap=1.0)
        states = topic_states(store, NOON)
        roles = [("q1", "first"), ("q2", "first"), ("q2", "second"), ("q3", "first"), ("q3", "second")]
        assert [(one.topic, one.role) for one in states] == roles
        with pytest.raises(StoreError, match="expected a different assessor"):
            give_assignment(store, "q2", "second", states[1].assessor)
        assert topic_states(store, NOON)[2].assessor == states[2].assessor


def test_labels_that_differ_are_to_be_settled() -> None:
    """An adjudication settles them; who gave the same grade does not disagree."""
    with store_of() as store:
        pairs = [("q1", docno) for docno in ("d1", "d2", "d3")]
        bo = {pair: int(pair[1] == "d3") for pair in pairs}
        filled(store, people=["ada", "bo", "eve"], labels={"ada": dict.fromkeys(pairs, 1), "bo": bo})
        state, differ = progress_of(store), "2 documents have labels that differ and are not settled"
        adjudicator = Invitation("eve", "2026", None, None, "adjudicate")
        for links, note in (
            ([], overview.Attention(f"{differ}; invite an adjudicator", "links?role=adjudicate")),
            (
                [adjudicator._replace(revoked="2026")],
                overview.Attention(f"{differ}; invite an adjudicator", "links?role=adjudicate"),
            ),
            ([adjudicator], overview.Attention(differ, overview.DISAGREEMENTS)),
        ):
            assert list(overview.disagreement_notes(state, links, NOON)) == [note]
        import_qrels(store, as_qrels({"q1": {"d3": 0}}), "nist")
        assert [one.text[:11] for one in overview.disagreement_notes(progress_of(store), [], NOON)] == ["3 documents"]
        append(store, *(Event("adjudicate", "q1", docno, "eve", grade=0) for docno in ("d1", "d2", "d3")))
        assert not list(overview.disagreement_notes(progress_of(store), [], NOON))


def test_people_the_days_left_and_what_needs_attention() -> None:
    """The date follows the pace of those who judged last week, and names those who did not."""
    with store_of() as store:
        assign_topics_to_assessors(store, ["ada", "bo"], topics=["q1", "q2"])
        append(store, Event("label", "q1", "d1", "ada", grade=1, at=format_timestamp(NOON - 4 * DAY)))
        state, moment = progress_of(store), NOON
        pace, forecast = pace_rows(state), forecast_work(state, moment)
        assert (forecast.given, forecast.left, forecast.done_in_words) == (1, 5, "1 of 6 labels")
        assert forecast.date_in_words == (
            "done in about 8 days (9 March 2026) at the pace of the last 7 days, without bo (2 labels left)"
            " and 1 unassigned document"
        )
        assert forecast.reasons_in_words == "In the last 7 days, bo gave no label."
        people = working_people(last_signs(store), assessors(store), pace, moment)
        assert [(one.assessor, one.now, one.left) for one in people] == [("ada", False, 2), ("bo", False, 2)]
        links = [Invitation("bo", "2026", "2026-02-01", None), Invitation("ada", "2026", "2026-03-02", None)]
        texts = [one.text for one in overview.absence_notes(people, links, moment)]
        assert texts == [
            "ada has 2 documents left; last sign on 2026-02-25",
            "ada has 2 documents left; the link expires on 2026-03-02",
            "bo has 2 documents left; no link is valid",
        ]
        texts = [one.text for one in overview.topic_notes(topic_states(store, moment))]
        assert texts == ["1 topic in the pool is not assigned"]
        assign_topics_to_assessors(store, ["ada"])
        state = progress_of(store)
        later = NOON + 8 * DAY
        assert forecast_work(state, later).date_in_words == "no date: nobody with work left judged in the last 7 days"
        append(
            store, *(Event("label", "q2", docno, "bo", grade=0, at=format_timestamp(NOON)) for docno in ("d2", "d4"))
        )
        forecast = forecast_work(progress_of(store), moment)
        assert forecast.date_in_words == "done in about 12 days (13 March 2026) at the pace of the last 7 days"
        assert forecast.reasons_in_words == ""


def test_a_person_has_their_own_forecast() -> None:
    """The parts of all people add up to the forecast of all, without the queue and unassigned documents."""
    with store_of() as store:
        assign_topics_to_assessors(store, ["ada", "bo"], topics=["q1", "q2"])
        append(store, Event("label", "q1", "d1", "ada", grade=1, at=format_timestamp(NOON - 4 * DAY)))
        state = progress_of(store)
        ada, bo = (forecast_person(state, name, NOON) for name in ("ada", "bo"))
        assert (ada.given, ada.left, bo.given, bo.left) == (1, 2, 0, 2)
        assert ada.date_in_words == "done in about 8 days (9 March 2026) at the pace of the last 7 days"
        assert bo.date_in_words == "no date: nobody with work left judged in the last 7 days"


def test_days_have_their_labels_and_the_agreement_of_second_labels() -> None:
    """A second label counts on the day it was given, and a day between without labels is there."""
    with store_of() as store:
        for name in ("ada", "bo"):
            add_assessor(store, name)
        first = [("d1", "ada", 1, 10.0, 3), ("d2", "ada", 0, 30.0, 3), ("d1", "bo", 1, 0.1, 1), ("d2", "bo", 1, 8.0, 1)]
        append(
            store,
            *(
                Event("label", "q1", docno, name, grade=grade, seconds=seconds, at=format_timestamp(NOON - days * DAY))
                for docno, name, grade, seconds, days in first
            ),
        )
        state = progress_of(store)
        days = daily_work(state)
        assert [(one.day.day, one.labels, one.seconds, one.compared, one.equal) for one in days] == [
            (26, 2, 20.0, 0, 0), (27, 0, None, 0, 0), (28, 2, 8.0, 2, 1),
        ]  # fmt: skip
        assert [one.agreement for one in days] == [None, None, 0.5]
        own = daily_work(state, "ada")
        assert [(one.day.day, one.labels, one.compared) for one in own] == [(26, 2, 0), (27, 0, 0), (28, 0, 2)]
        assert daily_work(state, "nobody") == []
        assert agreement_with_others(state, "ada") == [
            {"with": "bo", "pairs": 2, "same grade": 0.5, "same relevance": 0.5, "mean difference": 0.5}
        ]


def test_very_fast_labels_are_no_pace() -> None:
    """Whoever only holds a key down has no pace and no date; the hours are those of the others."""
    with store_of({"q1": LONG["q0"], "q2": LONG["q1"]}) as store:
        assign_topics_to_assessors(store, ["ada"], topics=["q1"])
        assign_topics_to_assessors(store, ["bo"], topics=["q2"])
        at = format_timestamp(NOON - DAY)
        append(store, *(Event("label", "q1", d, "ada", grade=0, seconds=36.0, at=at) for d in LONG["q0"][:10]))
        before = forecast_work(progress_of(store), NOON)
        append(store, *(Event("label", "q2", d, "bo", grade=0, seconds=0.2, at=at) for d in LONG["q1"][:14]))
        append(
            store, *(Event("label", "q2", d, "bo", grade=0, seconds=3.0, fast=True, at=at) for d in LONG["q1"][14:20])
        )
        state = progress_of(store)
        forecast, rows = forecast_work(state, NOON), {row["assessor"]: row for row in pace_rows(state)}
        assert before.seconds == pytest.approx([50 * 36] * 3)
        assert forecast.seconds == pytest.approx([30 * 36] * 3)
        assert (rows["bo"]["median seconds"], rows["bo"]["per active hour"], rows["bo"]["fast"]) == (None, None, 20)
        assert rows["bo"]["basis"] == "everybody's 10 decisions"
        assert [one.description for one in forecast.without] == ["bo (10 labels left)"]
        assert forecast.reasons_in_words == "In the last 7 days, bo gave only very fast labels."
        assert forecast.days == 2.0


def test_the_forecast_has_second_labels_and_second_showings() -> None:
    """What a second assessor labels and what is shown twice is left to do, on the pool's line as well."""
    with store_of(LONG) as store:
        assign_topics_to_assessors(store, ["ada", "bo"], overlap=0.1, repeats=2)
        plain = forecast_work(progress_of(store), NOON)
        assert (plain.given, plain.left) == (0, 90 + 9 + 6)
        repeats = progress_of(store).repeats["ada"]
        qid, docno = next((qid, docno) for qid, docnos in repeats.items() for docno in docnos)
        append(store, Event("label", qid, docno, "ada" + REPEAT, grade=0, at=format_timestamp(NOON)))
        assert forecast_work(progress_of(store), NOON)[:2] == (1, 104)
        own = [docno for docno in LONG["q0"] if docno not in repeats.get("q0", [])][:20]
        append(store, *(Event("label", "q0", d, "ada", grade=0, seconds=20.0, at=format_timestamp(NOON)) for d in own))
        title = pool_rows_and_title(store, 1, "topic")[1]
        forecast = forecast_pool(store, 1, NOON)
        assert forecast == forecast_work(progress_of(store), NOON)
        assert title.endswith(f"; {forecast.hours_in_words} for {forecast.left} labels left")


def test_imported_labels_and_a_queue_in_the_date() -> None:
    """Whose labels were imported did not work last week; those who work share the queue."""
    with store_of(LONG) as store:
        assign_topics_to_assessors(store, ["ada", "bo"], topics=["q0", "q1"])
        assign_topics_to_assessors(store)
        mine = next(one.qid for one in assignments(store) if one.assessor == "ada")
        append(
            store, *(Event("label", mine, d, "ada", grade=0, at=format_timestamp(NOON - DAY)) for d in LONG[mine][:10])
        )
        other = "q1" if mine == "q0" else "q0"
        append(store, *(Event("import", other, d, "bo", grade=0, at=format_timestamp(NOON)) for d in LONG[other][:10]))
        forecast = forecast_work(progress_of(store), NOON)
        assert [one[:2] for one in forecast.without] == [("bo", 20)]
        assert forecast.days == (20 + 30) / 10


ALL = 90  # documents: thirds of thirty
DOCNOS = [f"d{number:02}" for number in range(ALL)]
USUAL = [number % 3 // 2 for number in range(ALL)]  # a third is relevant, all along


def labels(assessor: str, grades: Iterable[int], **more: object) -> list[Event]:
    """The labels of the first documents, in the order shown, ten seconds each."""
    about = {"seconds": 10.0, "order_policy": "hash", **more}
    return [
        Event("label", "q1", docno, assessor, grade=grade, position=place, **about)  # type: ignore[arg-type]
        for place, (docno, grade) in enumerate(zip(DOCNOS, grades, strict=False))
    ]


def progress_with(*several: list[Event], **plan: object) -> Progress:
    """The progress of a pool of one topic that two assessors judge."""
    with store_of({"q1": DOCNOS}) as store:
        assign_topics_to_assessors(store, ["ada", "bo"], overlap=1.0, **plan)  # type: ignore[arg-type]
        for events in several:
            append(store, *events)
        return progress_of(store)


BO = labels("bo", USUAL)
CASES = {
    "fast": [[*labels("ada", USUAL)[:-3], *labels("ada", USUAL, seconds=0.2)[-3:]]],
    "pace": [labels("ada", USUAL, seconds=2.0), BO],
    "same-grade": [labels("ada", [1] * 20 + [0] * 70)],
    "repeats": [labels("ada", USUAL), labels("ada" + REPEAT, [1 - grade for grade in USUAL])],
    "severity": [labels("ada", [1] * ALL), BO],
    "drift": [labels("ada", [0] * 30 + USUAL[:30] + [1, 1, 0] * 10)],
    "unsure": [labels("ada", USUAL, unsure=True)],
    "cannot-judge": [[one._replace(kind="cannot-judge", grade=None, reason="other") for one in labels("ada", USUAL)]],
    "none-relevant": [labels("ada", [0] * ALL), labels("bo", [0] * ALL)],
    "most-relevant": [labels("ada", [1] * ALL), labels("bo", [1] * ALL)],
}


@pytest.mark.full
def test_labels_like_any_others_are_not_listed() -> None:
    """Nor is it listed that an order that is not blind begins with what is relevant."""
    assert findings(progress_with(labels("ada", USUAL), BO)) == []
    assert findings(progress_with(labels("ada", [1] * 30 + [0] * 60, order_policy="priority"))) == []


def test_a_check_finds_what_it_says() -> None:
    """The finding is the assessor's, and says of how many labels it is."""
    for name, check in CHECKS.items():
        findings_of_it = list(check.find(progress_with(*CASES[name], repeats=10)))
        assert findings_of_it, name
        assert all("ada" in one.assessor or one.assessor == "bo" for one in findings_of_it)
        assert all(0 < one.labels <= 2 * ALL for one in findings_of_it)


def test_imported_labels_are_not_given_by_the_assigned_assessors(tmp_path: Path, cranfield: Cranfield) -> None:
    """The pool counts them as labels by people, the forecast does not; a note states the difference."""
    path = tmp_path / "s.db"
    with new_store(path, documents=["d1", "d2"], topics=["q1"], pool={"q1": ["d1", "d2"]}) as store:
        filled(store, qrels={"nist": {"q1": {"d1": 1}}})
    unassigned = cranfield("progress", path)
    assert "1 labelled by people (1 label is imported)" in unassigned.out
    assert "note" not in unassigned.err
    assert cranfield("assign", path, "--assessor", "ada").code == 0
    result = cranfield("progress", path)
    assert "given: 0 of 2 labels" in result.out
    assert '1 document in the pool has an imported label; "given" and "left" count only labels by the' in result.err
