"""Defects found in the source of other labelling tools, each as a test that fails where the defect is.

Those of reading a model's answer are with the votes (UMBRELA), that of Quepid's aggregate is with the policies.
"""

import json
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest

from cranfield.errors import InputError, StoreError
from cranfield.formats import read_votes
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import disputes
from cranfield.judging.frontends.keys import DEFAULT, read_keys
from cranfield.judging.frontends.plain import PlainJudging
from cranfield.judging.labels.policies import apply_policy, find_policy
from cranfield.judging.labels.why import explain_grade
from cranfield.judging.planning.assign import assign_topics_to_assessors, restrict_pool_to_work
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import agreement_rows, pace_rows
from cranfield.judging.session.session import Session
from cranfield.store import connection
from cranfield.store.assignments import assignments, claim_topic, documents_drawn_for, work_of
from cranfield.store.bundles.bundle import merge_bundle, write_bundle
from cranfield.store.chain import Event
from cranfield.store.log import (
    add_assessor,
    add_criterion,
    append,
    assessors,
    criteria,
    current_decisions,
    guidelines,
    read_events,
    set_guidelines,
)
from cranfield.store.pools import Pool, add_pool, stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from cranfield.store.votes import import_votes
from tests.conftest import Cranfield
from tests.judging.cases import SCALE, Clock, at, on_screen, session_of, store_of
from tests.judging.screen import keys_of, on_the_screen
from tests.stores import derive_and_export, new_store

# Relevation


def test_relevation_a_digit_is_its_grade_and_not_the_place_of_a_button() -> None:
    """There 1 was "unjudged", 2 and 3 were each other's grades, 4 was grade 0. A digit off the scale does nothing."""
    store = store_of({"q1": [f"d{number}" for number in range(6)]})
    on_the_screen(session_of(store), "1", "4", "0", "3", "2")
    assert [event.grade for event in read_events(store)] == [1, 0, 2]


def test_relevation_a_digit_in_a_comment_is_a_digit() -> None:
    """There it submitted the form."""
    store = store_of({"q1": ["d1", "d2"]})
    on_the_screen(session_of(store), "n", *keys_of("0 of 12"), "escape", "2")
    (label,) = [event for event in read_events(store) if event.kind == "label"]
    assert (label.docno, label.grade, label.note) == ("d1", 2, "0 of 12")


def test_relevation_a_label_is_somebodys() -> None:
    """There no judgment had a user, and the second replaced the first."""
    store = store_of({"q1": ["d1"]})
    for grade, name in enumerate(("ada", "bob")):
        at(session_of(store, name)).grade(grade)
    assert {(event.assessor, event.grade) for event in read_events(store)} == {("ada", 0), ("bob", 1)}


def test_relevation_topics_have_any_name_and_any_length() -> None:
    """There a topic's id had to be a number, the next was the id plus one, and a query had 250 characters at most."""
    long, pooled = "wing " * 200, {"q 7/ü": ["d/1"], "2": ["D 2"]}
    store = new_store(grades=SCALE, documents=["d/1", "D 2"], topics={"q 7/ü": long, "2": "short"}, pool=pooled)
    session = session_of(store)
    assert session.view.topic is not None
    assert session.view.topic.title.split() == long.split()
    assert on_screen(session) == ("q 7/ü", "d/1")
    at(session).grade(2)
    assert on_screen(session) == ("2", "D 2")


def test_relevation_no_message_can_pass_for_a_document() -> None:
    """There a document that could not be read was an error message in its place, to be judged."""
    texts, out = {"d1": "", "d2": "The store has no text for this document."}, StringIO()
    store = store_of({"q1": ["d1", "d2"]}, texts=texts)
    PlainJudging(session_of(store), StringIO("0\nq\n"), out).run()
    lines = out.getvalue().splitlines()
    assert lines.count("The store has no text for this document.") == 1  # the program's own words begin the line
    assert lines.count("  The store has no text for this document.") == 1  # a document's are set in


# Quepid


def test_quepid_later_comes_back_to_the_same_person_and_uses_nothing_up() -> None:
    """There it never did, and it counted as one of the three ratings."""
    store = store_of({"q1": ["d1", "d2"]})
    assign_topics_to_assessors(store, overlap=1.0)
    claim_topic(store, "ada")
    pool = restrict_pool_to_work(stored_pool(store), work_of(store, "ada"))
    at(session_of(store, "ada")).later()
    again = Session(store, "ada", pool, order="docid", clock=Clock())
    at(again).grade(1)
    assert on_screen(again) == ("q1", "d1")
    assert {(assignment.role, assignment.unfinished) for assignment in assignments(store)} == {
        ("first", 1),
        ("second", 2),
    }
    assert export_counts(store)["unlabelled"] + export_counts(store)["later"] == 1


def export_counts(store: Store) -> dict[str, int]:
    """How many pairs of the pool are in each state."""
    outcome = apply_policy(store)
    states = [outcome.state((document.qid, document.docno)) for document in stored_pool(store).documents]
    return {state: states.count(state) for state in ("label", "later", "cannot-judge", "unsure", "unlabelled")}


def test_quepid_two_windows_overwrite_nothing(tmp_path: Path) -> None:
    """There overlapping creates were caught and overwritten. Here both are on record, and the later one stands."""
    path = tmp_path / "a.db"
    store_of({"q1": ["d1"]}, path).close()
    with Store.open(path) as one, Store.open(path) as other:
        windows = [session_of(one), session_of(other)]
        for window, grade in zip(windows, (2, 0), strict=True):
            at(window).grade(grade)
        assert [event.grade for event in read_events(one)] == [event.grade for event in read_events(other)] == [2, 0]
        assert current_decisions(one, "ada")["q1", "d1"].grade == 0


WRITES: dict[str, Callable[[Store], object]] = {
    "a label": lambda store: append(store, Event("label", "q1", "d1", "ada", grade=1)),
    "an assessor": lambda store: add_assessor(store, "bob"),
    "a criterion": lambda store: add_criterion(store, "q1", "ada", "says how"),
    "the guidelines": lambda store: set_guidelines(store, "read it all"),
}


@pytest.mark.full
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_quepid_whoever_writes_waits_for_her_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Store], object]
) -> None:
    """While another program writes nothing gets in between, and who waits in vain is told so; then it works."""
    monkeypatch.setattr(connection, "PATIENCE", 0)
    path = tmp_path / "a.db"
    store_of({"q1": ["d1"]}, path).close()
    other = sqlite3.connect(path, isolation_level=None)
    with Store.open(path) as store:
        add_assessor(store, "ada")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program has been writing"):
            write(store)
        other.execute("ROLLBACK")
        write(store)
        assert not store.db.conn.in_transaction
    other.close()


def test_quepid_criteria_and_guidelines_are_part_of_the_transaction_they_are_in(tmp_path: Path) -> None:
    """Undone with it; and not to be seen from elsewhere before its end."""
    path = tmp_path / "a.db"
    store_of({"q1": ["d1"]}, path).close()
    with Store.open(path) as store, Store.open(path) as other:
        add_assessor(store, "ada")
        with suppress(KeyboardInterrupt), store.writing():
            add_criterion(store, "q1", "ada", "says how")
            set_guidelines(store, "read it all")
            assert (criteria(other, "q1", "ada"), guidelines(other)) == ([], "")
            raise KeyboardInterrupt
        assert (criteria(store, "q1", "ada"), guidelines(store)) == ([], "")


# Relevance Studio


def test_relevance_studio_unjudged_and_zero_are_two_things(tmp_path: Path) -> None:
    """There a document without a rating was drawn as 0, and a rating of 0 could not be cleared."""
    store = store_of({"q1": ["d1", "d2"]})
    session = session_of(store)
    at(session).grade(0)
    assert (session.view.counts.judged, session.view.counts.remaining) == (1, 1)
    assert (explain_grade(store, "q1", "d1").grade, explain_grade(store, "q1", "d2").grade) == (0, None)
    assert export_counts(store) == {"label": 1, "later": 0, "cannot-judge": 0, "unsure": 0, "unlabelled": 1}
    derive_and_export(store, tmp_path / "qrels")
    assert (tmp_path / "qrels").read_text() == "q1 0 d1 0\n"
    at(session).undo()
    assert (len(qrels_of(store)), session.view.counts.remaining) == (0, 2)


def test_relevance_studio_a_zero_decides_as_any_grade_does() -> None:
    """Adjudicated to 0, a pair is not relevant, whatever the votes; a vote of 0 is a vote."""
    for name in ("primary", "adjudicated-else-max"):
        assert find_policy(name).decide([2, 2], adjudications=[0]) == (0, False, True)
    assert find_policy("mean-rounded").grade([0, 2]) == 1
    store = store_of({"q1": ["d1"]})
    for name, grade in (("ada", 0), ("bob", 2)):
        at(session_of(store, name)).grade(grade)
    adjudication = Adjudication(store, "eve", disputes(apply_policy(store).by_pair))
    at(adjudication).grade(0)
    assert (adjudication.progress(), explain_grade(store, "q1", "d1").grade) == ((1, 1), 0)


# HiCAL


def test_hical_time_away_is_neither_lost_nor_counted_as_work() -> None:
    """There a variable that nobody had declared lost the time away after idling, and active time came out too long."""
    store, clock = store_of({"q1": ["d1", "d2"]}), Clock()
    session = session_of(store, clock=clock, idle=60.0)
    for pause in (10, 5000, 20, 7000, 5):
        clock.now += pause
        session.touch()
    at(session).grade(1)
    clock.now += 3
    at(session).grade(1)
    assert [event.seconds for event in read_events(store)] == [10 + 20 + 5, 3.0]


def test_hical_judging_again_is_blind_to_the_first_time() -> None:
    """There undo opened a list with the grade in it, which then was in sight. Here what was taken back is not."""
    store = store_of({"q1": ["d1", "d2"]})
    on_the_screen(session_of(store), "2")
    again = session_of(store)
    fresh = on_the_screen(session_of(store_of({"q1": ["d1", "d2"]})), "U").text
    back = on_the_screen(again, "u").text
    assert "text of d1" in back
    assert [row for row in back.splitlines() if "2" in row and "highly" in row] == [
        row for row in fresh.splitlines() if "2" in row and "highly" in row
    ]


# INCEpTION


def test_inception_to_nothing_is_an_answer() -> None:
    """There a unit could not be settled as having no annotation. Here it is settled, and nobody is asked again."""
    store = store_of({"q1": ["d1"]})
    for name, grade in (("ada", 0), ("bob", 2)):
        at(session_of(store, name)).grade(grade)
    several = disputes(apply_policy(store).by_pair)
    at(Adjudication(store, "eve", several)).cannot_judge("torn in half")
    again = Adjudication(store, "fay", several)
    assert (again.view.done, again.progress()) == (True, (1, 1))
    outcome = apply_policy(store, rule="adjudicated-else-primary")
    assert (outcome.labels, outcome.state(("q1", "d1"))) == ({}, "cannot-judge")


# Label Studio


def test_label_studio_nobody_is_deleted_from_under_her_labels(tmp_path: Path) -> None:
    """There deleting a user left labels of nobody. Here it is refused, as is another name for her."""
    path = tmp_path / "a.db"
    with store_of({"q1": ["d1"]}, path) as store:
        at(session_of(store, "ada")).grade(2)
        for change in ("DELETE FROM assessor", "UPDATE assessor SET name = 'assessor 1'"):
            with pytest.raises(sqlite3.IntegrityError):
                store.db.conn.execute(f"{change} WHERE name = 'ada'")
            store.db.conn.rollback()
        assert list(assessors(store)) == ["ada"]
        assert [(event.assessor, event.grade) for event in read_events(store)] == [("ada", 2)]
        assert explain_grade(store, "q1", "d1").grade == 2


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
POOLED = {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d2", "d3"]}


def own(store: Store, assessor: str, clock: Clock | None = None) -> Session:
    """A session on an assessor's own work."""
    pool = restrict_pool_to_work(stored_pool(store), work_of(store, assessor))
    return Session(store, assessor, pool, order="docid", clock=clock or Clock())


def test_01_one_key_a_document() -> None:
    """quepid#190, relevation#8, doccano#718: three presses, or a mouse, for each of a thousand documents.

    One key is the grade, saves, and brings the next document; nothing else needs a press, and Enter submits nothing.
    """
    docnos = [f"d{number:02}" for number in range(12)]
    store = store_of({"q1": docnos})
    on_the_screen(session_of(store), *"012012", "enter", "space", *"012012")
    assert [(event.docno, event.grade) for event in read_events(store)] == list(zip(docnos, [0, 1, 2] * 4, strict=True))


@pytest.mark.full
def test_02_the_thirty_first_answer_can_be_taken_back() -> None:
    """doccano#2020, argilla#2278, gender-balance#30: a run of same answers makes the next automatic, and it stayed.

    Undo goes back over sessions, as far as one likes. argilla#5113: Backspace, meant for a text, threw the record away.
    """
    store = store_of({"q1": [f"d{number:02}" for number in range(31)]})
    on_the_screen(session_of(store), *"0" * 31)
    on_the_screen(session_of(store), "u", "n", "o", "x", "backspace", "k", "escape", "backspace", "2")
    on_the_screen(session_of(store), *"uuu")
    standing = current_decisions(store, "ada")
    assert {docno for _, docno in standing} == {f"d{number:02}" for number in range(28)}
    notes = [event for event in read_events(store) if event.note]
    assert {(event.docno, event.note) for event in notes} == {("d30", "ok")}
    assert [event.grade for event in notes if event.kind == "label"] == [2]


def test_keys_work_on_every_keyboard_and_in_every_terminal(tmp_path: Path) -> None:
    """label-studio#1957: a label's key was also the program's; harlequin#425, textual#4215: some never arrive.

    No two commands share a key, none takes a digit from the grades, and none needs Ctrl, Alt or Shift with Enter. On
    keyboards whose digits need Shift (label-studio#208, AZERTY) it is the digit that counts, not the key it is on.
    """
    assert all(len(key) == 1 and key.isprintable() and not key.isdigit() for key in DEFAULT.values())
    path = tmp_path / "keys.toml"
    path.write_text('undo = "w"\nlater = "w"\n')
    with pytest.raises(InputError, match="later and undo have the same key 'w'"):
        read_keys(path)
    path.write_text('later = "à"\nundo = "é"\n')
    store = store_of({"q1": ["d1", "d2"]})
    on_the_screen(session_of(store), "1", "é", "à", "2", keys=read_keys(path))
    assert [(event.kind, event.docno) for event in read_events(store)] == [
        ("label", "d1"), ("retract", "d1"), ("later", "d1"), ("label", "d2"),
    ]  # fmt: skip


@pytest.mark.full
def test_03_what_i_cannot_judge_is_not_what_i_put_off() -> None:
    """quepid#626, wikilabels#58, quepid#841: a skip came back at random, why was lost, and the parked never came back.

    Cannot-judge keeps its reason and stays away; what was put off comes back, to the same person, and before the topic
    counts as finished.
    """
    store = store_of(POOLED)
    assign_topics_to_assessors(store)
    claim_topic(store, "ada", NOON)
    session = own(store, "ada")
    at(session).cannot_judge("wrong language")
    at(session).later()
    at(session).grade(1)
    assert on_screen(session) == ("q1", "d2")
    assert claim_topic(store, "ada", NOON) == "q1"
    assert [event.reason for event in read_events(store, "ada") if event.kind == "cannot-judge"] == ["wrong language"]


def test_04_one_persons_discard_is_her_own() -> None:
    """argilla#5757: is it meant that one person's discard leaves others' queues alone? Here it is."""
    store = store_of(POOLED)
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=1.0)
    ada = own(store, "ada")
    while not ada.view.done:
        at(ada).cannot_judge("unreadable")
    assert work_of(store, "bob") == POOLED
    assert own(store, "bob").view.total.remaining == 6


def test_05_no_more_labels_than_were_planned() -> None:
    """quepid#1019, label-studio#795: "up to three" labels became as many as there were judges.

    Five people at one queue give every pair one label, and those drawn beforehand a second: not one more.
    """
    store = store_of(POOLED)
    assign_topics_to_assessors(store, overlap=0.5)
    for name in ("ada", "bob", "eve", "dan", "kim") * 3:
        while claim_topic(store, name, NOON) and not (session := own(store, name)).view.done:
            at(session).grade(1)
    twice = sum(map(len, documents_drawn_for(store, "overlap").values()))
    assert twice == 3
    assert len([event for event in read_events(store) if event.kind == "label"]) == 6 + twice


def test_06_a_second_label_needs_no_second_project() -> None:
    """label-studio#6233, doccano#2044: the second annotator found the queue empty, so people cloned projects."""
    store = store_of(POOLED)
    assign_topics_to_assessors(store, ["ada"], overlap=1.0)
    assert [claim_topic(store, "bob", NOON), own(store, "bob").view.total.remaining] == ["q1", 3]


@pytest.mark.full
def test_07_nobody_sees_what_others_said(tmp_path: Path) -> None:
    """label-studio#5172, webanno#1320: later annotators saw earlier labels, and names bias who adjudicates."""
    store = store_of(POOLED, tmp_path / "a.db")
    assign_topics_to_assessors(store, ["zenobia", "bob"], overlap=1.0)
    before = own(store, "bob").view
    at(session_of(store, "zenobia")).grade(2)
    assert own(store, "bob").view == before
    write_bundle(store, tmp_path / "bob.db", "bob")
    assert b"zenobia" not in (tmp_path / "bob.db").read_bytes()


@pytest.mark.full
def test_08_rank_is_nowhere_in_what_travels(tmp_path: Path) -> None:
    """quepid#514, #810: whether ranks are shown was taste. A bundle has none, whatever the pool knew."""
    store = store_of(POOLED, tmp_path / "a.db")
    assign_topics_to_assessors(store, ["ada"])
    write_bundle(store, tmp_path / "ada.db", "ada")
    with Store.open(tmp_path / "ada.db") as bundle:
        assert {(document.depth, document.runs) for document in stored_pool(bundle).documents} == {(0, ())}


@pytest.mark.full
def test_09_time_is_active_time_and_counted_once() -> None:
    """quepid#1003, doccano#2251 asked for time per item; label-studio PR#6406 doubled it for drafts.

    A pause does not count, and a note does not add its time to its label's.
    """
    store, clock = store_of({"q1": [f"d{number:02}" for number in range(11)]}), Clock()
    assign_topics_to_assessors(store, ["ada"])
    session = own(store, "ada", clock)
    for _ in range(10):
        clock.now += 10
        at(session).note("hm")
        clock.now += 100_000
        at(session).grade(1)
    row = pace_rows(progress_of(store))[0]
    assert row["median seconds"] == 10
    assert row["hours left"] == round(10 / 3600, 2)


def test_10_agreement_needs_no_other_tool() -> None:
    """doccano#1846, #114: agreement was asked for, for years."""
    store = store_of(POOLED)
    assign_topics_to_assessors(store, ["ada", "bob"], overlap=1.0)
    for name, grade in (("ada", 1), ("bob", 2)):
        session = own(store, name)
        while not session.view.done:
            at(session).grade(grade)
    (row,) = agreement_rows(progress_of(store))
    assert (row["pairs"], row["same grade"], row["same relevance"]) == (6, 0, 1)


def test_11_who_said_what_is_in_the_export(tmp_path: Path, cranfield: Cranfield) -> None:
    """doccano#2329, quepid#758: the annotator was missing, or one rating stood under all three raters' names."""
    store = store_of({"q1": ["d1"]}, tmp_path / "a.db")
    for number, name in enumerate(("ada", "bob", "eve")):
        at(session_of(store, name)).grade(number)
    store.close()
    assert cranfield("export", "judgments", tmp_path / "a.db", tmp_path / "log").code == 0
    log = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {(event["assessor"], event["grade"]) for event in log} == {("ada", 0), ("bob", 1), ("eve", 2)}


def test_12_grabbed_work_is_not_stuck_and_finished_work_not_abandoned() -> None:
    """inception#2264: a grabbed document stayed unfinished for ever; #3229: the timeout then hit finished ones."""
    store = store_of(POOLED)
    assign_topics_to_assessors(store, lease=3600)
    claim_topic(store, "ada", NOON)
    session = own(store, "ada")
    while not session.view.done:
        at(session).grade(1)
    claim_topic(store, "ada", NOON)
    later = NOON + timedelta(days=9000)
    assert [claim_topic(store, "bob", later), claim_topic(store, "eve", later)] == ["q2", None]
    assert {(assignment.qid, assignment.assessor) for assignment in assignments(store)} == {
        ("q1", "ada"),
        ("q2", "bob"),
    }


def test_13_two_models_never_share_a_label(tmp_path: Path) -> None:
    """search-relevance#525: the model was no part of the key, so that one model's ratings served for another's."""
    store = store_of({"q1": ["d1"]})
    for model, grade in (("model a", 1), ("model b", 0)):
        path = tmp_path / model
        path.write_text(f"assessor,qid,docno,grade\n{model},q1,d1,{grade}\n")
        import_votes(store, read_votes(path), kind="model")
    assert [current_decisions(store, name)["q1", "d1"].grade for name in assessors(store)] == [1, 0]
    assert set(assessors(store).values()) == {"model"}


def test_13_a_failure_is_never_a_zero(tmp_path: Path) -> None:
    """UMBRELA writes 0 for what it could not read: here a failure is a failure."""
    path = tmp_path / "answers.jsonl"
    path.write_text('{"assessor": "m", "qid": "q1", "docno": "d1", "grade": "error", "reason": "no answer"}\n')
    store = store_of({"q1": ["d1"]})
    result = import_votes(store, read_votes(path), kind="model")
    assert (result.grades, result.cannot_judge, len(qrels_of(store))) == (0, 1, 0)


def test_14_a_label_is_mended_where_its_document_is_seen() -> None:
    """dashboards-search-relevance#625: judgments were shown as raw JSON, without the text they are about."""
    store = store_of({"q1": ["d1"]})
    assign_topics_to_assessors(store, ["ada"])
    at(own(store, "ada")).grade(1)
    again = at(own(store, "ada")).undo()
    assert again.document is not None
    assert again.document.text == "text of d1"
    assert "changed since" not in [explain_grade(store, "q1", "d1").text_of(event) for event in read_events(store)]


@pytest.mark.full
def test_15_one_stops_anywhere_and_goes_on_there(tmp_path: Path) -> None:
    """inception#804, doccano#1111: where was I, and the battery took all work. Also away from home."""
    store = store_of(POOLED, tmp_path / "a.db")
    assign_topics_to_assessors(store, ["ada"])
    at(own(store, "ada")).grade(1)
    write_bundle(store, tmp_path / "ada.db", "ada")
    with Store.open(tmp_path / "ada.db") as bundle:
        assert on_screen(own(bundle, "ada")) == ("q1", "d2")
        at(own(bundle, "ada")).grade(0)
    merge_bundle(store, tmp_path / "ada.db")
    assert on_screen(own(store, "ada")) == ("q1", "d3")


def test_15_one_learns_what_became_of_ones_label() -> None:
    """inception#1514: annotators wanted to see how the curator had decided."""
    store = store_of({"q1": ["d1"]})
    at(session_of(store, "bob")).grade(0)
    at(session_of(store, "ada")).grade(2)
    fates = [(event.assessor, fate) for event, fate in explain_grade(store, "q1", "d1").events]
    assert fates == [("bob", "counts"), ("ada", "stands")]


def test_a_label_belongs_to_its_document_not_to_a_rank_or_a_place_in_a_file() -> None:
    """NTCIR WWW-2 to WWW-4: an interface that kept topic and rank spoiled the labels of three rounds.

    A second pool, with the same documents at other ranks and in another order, changes nobody's labels.
    """
    store = store_of({"q1": ["d1", "d2", "d3"]})
    at(session_of(store)).grade(2)
    backwards = [
        document._replace(depth=1 + place) for place, document in enumerate(stored_pool(store).documents[::-1])
    ]
    add_pool(store, Pool("another", {}, backwards))
    at(session_of(store, order="hash", seed=5)).grade(0)
    labels = {docno: event.grade for (_, docno), event in current_decisions(store, "ada").items()}
    assert (labels.pop("d1"), list(labels.values())) == (2, [0])


@pytest.mark.parametrize("votes", [[0, 1], [0, 1, 1], [0, 1, 1, 1], [2, 2, 2, 0, 0, 0, 0]])
def test_one_more_relevant_vote_never_makes_a_document_not_relevant(votes: list[int]) -> None:
    """Quepid's aggregate: {0, 1} is 1 and {0, 1, 1} is 0. Under primary the first assessor decides, whoever joins."""
    store = store_of({"q1": ["d1"]})
    for number, grade in enumerate(votes):
        at(session_of(store, f"assessor {number}")).grade(grade)
        assert qrels_of(store).grade.tolist() == [votes[0]]
