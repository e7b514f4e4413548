"""Why: from a line of the qrels to everything behind it."""

import json
from pathlib import Path

import pytest

from cranfield.errors import DamageError, InputError, StoreError
from cranfield.formats import RunInfo
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import disputes
from cranfield.judging.labels.policies import apply_policy
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.judging.labels.why import as_document, describe_grounds, explain_grade, verdict
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.metrics.inputs import as_runs
from cranfield.store.chain import Event
from cranfield.store.log import REPEAT, add_assessor, append
from cranfield.store.runs import add_runs
from cranfield.store.store import Store, sha256
from tests.conftest import Cranfield
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, at, session_of, store_of


def decide(store: Store, who: str, kind: str = "label", grade: int | None = 1, **more: object) -> int:
    add_assessor(store, who)
    return append(store, Event(kind, "q1", "d1", who, grade=grade, **more))[0]  # type: ignore[arg-type]


def fates(store: Store) -> list[str]:
    return [fate for _, fate in explain_grade(store, "q1", "d1").events]


def test_one_label() -> None:
    """The only label counts, with the pool and what the assessor saw; another text than it was of is told."""
    store = store_of()
    at(session_of(store)).grade(2)
    account = explain_grade(store, "q1", "d1")
    assert (account.grade, account.reason) == (2, "it is the only label")
    assert [account.text_of(event) for event in account.counts] == ["as now"]
    assert account.pools[0].documents[0].runs == (SECRET_RUN,)
    decide(store, "nist", "import")
    store.db.execute("UPDATE document SET text = 'another text' WHERE docno = 'd1'")
    account = explain_grade(store, "q1", "d1")
    assert [account.text_of(event) for event, _ in account.events] == ["changed since", "changed since"]
    assert account.sha256 == sha256("another text")
    assert account.text_of(Event("label", "q1", "d1", "ada", grade=1)) == "not recorded"


def test_labels_that_differ_have_no_grade_until_somebody_chooses() -> None:
    store = store_of()
    decide(store, "ada", grade=1)
    decide(store, "bob", grade=0)
    account = explain_grade(store, "q1", "d1")
    assert (account.undecided, as_document(account)["grade"]) == (True, None)
    assert verdict(account).startswith(
        "it has no grade in the qrels, because labels differ without a recorded choice (policy"
    )
    assert explain_grade(store, "q1", "d1", "max").undecided is False
    record_label_choice(store, policy="max")
    assert (explain_grade(store, "q1", "d1").undecided, explain_grade(store, "q1", "d1").grade) == (False, 1)


def test_what_was_taken_back_and_replaced_is_told() -> None:
    """Every event is there, each with what became of it; a second showing does not count."""
    store = store_of()
    session = session_of(store)
    at(session).note("hm")
    at(session).grade(2)
    at(session).undo()
    at(session).grade(0)
    decide(store, "ada", grade=1)
    assert fates(store) == ["-", "taken back", "-", "replaced", "counts"]
    twice = store_of({"q1": [f"d{number}" for number in range(30)]})
    assign_topics_to_assessors(twice, ["ada"], repeats=1)
    decide(twice, "ada", grade=2)
    decide(twice, "ada" + REPEAT, grade=0)
    assert fates(twice) == ["counts", "a second showing"]
    assert explain_grade(twice, "q1", "d1").reason == "it is the only label"


def test_which_of_several_labels_counts() -> None:
    """Who came first, else the topic's first assessor, else an adjudication; the reason says which it was."""
    store = store_of()
    decide(store, "bob", grade=0)
    decide(store, "ada", grade=2)
    case = explain_grade(store, "q1", "d1")
    assert (case.grade, case.reason) == (0, "bob joined this store before 1 other assessor who labelled it")
    assign_topics_to_assessors(store, ["ada"])
    case = explain_grade(store, "q1", "d1")
    assert (case.grade, case.reason) == (2, "ada is the topic's first assessor among the 2 assessors who labelled it")
    assert fates(store) == ["stands", "counts"]
    decide(store, "eve", "adjudicate", grade=1)
    case = explain_grade(store, "q1", "d1")
    assert (case.grade, case.reason) == (1, "an adjudication overrides 2 other labels")


def test_a_model_waits_behind_people() -> None:
    """Although it came first; alone it counts, and is called what it is."""
    store = store_of()
    add_assessor(store, "gpt", "model")
    decide(store, "gpt", grade=2)
    assert (explain_grade(store, "q1", "d1").grade, explain_grade(store, "q1", "d1").reason) == (
        2,
        "it is the only label, a model's",
    )
    decide(store, "ada", grade=0)
    case = explain_grade(store, "q1", "d1")
    assert (case.grade, case.reason) == (0, "it is the only label that is not a model's")
    assert fates(store) == ["stands", "counts"]
    decide(store, "bob", grade=1)
    assert explain_grade(store, "q1", "d1").reason == "ada joined this store before 1 other assessor who labelled it"


def test_a_policy_rests_on_all_labels() -> None:
    """The grade, the labels behind it and the reason follow the policy, the one asked for before the one on record."""
    store = store_of()
    for name, grade in (("ada", 2), ("bob", 0), ("eve", 1)):
        decide(store, name, grade=grade)
    record_label_choice(store, policy="median-low")
    case = explain_grade(store, "q1", "d1")
    assert (case.grade, case.reason) == (1, "policy median-low derives 1 from the labels 2 (ada), 0 (bob) and 1 (eve)")
    assert fates(store) == ["counts"] * 3
    assert verdict(case).startswith("grade 1 in the qrels (policy median-low, the store's choice), as policy")
    asked = explain_grade(store, "q1", "d1", "primary")
    assert (asked.grade, [fate for _, fate in asked.events]) == (2, ["counts", "stands", "stands"])
    assert "(policy primary), as ada joined" in verdict(asked)
    record_label_choice(store, assessor="bob")
    case = explain_grade(store, "q1", "d1")
    assert (case.grade, case.reason) == (0, "bob gave it; 2 other labels are not used")
    assert "(labels by bob, the store's choice)" in verdict(case)
    decide(store, "eve", "adjudicate", grade=1)
    record_label_choice(store, policy="adjudicated-else-max")
    assert explain_grade(store, "q1", "d1").reason == "an adjudication overrides 2 other labels"
    add_assessor(store, "zoe")
    record_label_choice(store, assessor="zoe")
    assert (explain_grade(store, "q1", "d1").grade, explain_grade(store, "q1", "d1").reason) == (
        None,
        "zoe gave no label",
    )
    with pytest.raises(InputError, match="'mode' is not a policy; expected primary, majority-tie-low, "):
        explain_grade(store, "q1", "d1", "mode")


def test_why_there_is_no_line() -> None:
    """Unjudged, later and cannot-judge are told apart, none is a grade; an unknown topic or document is refused.

    Every run that retrieved it has the rank in canonical order, pooled or not, best first.
    """
    store = store_of()
    assert (explain_grade(store, "q1", "d1").grade, explain_grade(store, "q1", "d1").reason) == (
        None,
        "there is no current label",
    )
    at(session_of(store)).later()
    assert explain_grade(store, "q1", "d1").reason == "there is no current label (later)"
    at(session_of(store, "bob")).cannot_judge("unreadable")
    assert explain_grade(store, "q1", "d1").reason == "there is no current label (cannot-judge, later)"
    for qid, docno, what in (("q9", "d1", "topic 'q9'"), ("q1", "d9", "document 'd9'")):
        with pytest.raises(StoreError, match=f"there is no {what}"):
            explain_grade(store, qid, docno)
    run = {"q1": {"d2": 3.0, "d1": 1.0, "d3": 1.0}}
    add_runs(store, as_runs({"a": run, "b": {"q1": {"d1": 9.0}}, "c": {"q2": {"d1": 9.0}}}), {"b": RunInfo("team b")})
    assert [tuple(rank) for rank in explain_grade(store, "q1", "d1").ranks] == [
        ("b", "team b", 1, 9.0),
        ("a", "a", 3, 1.0),
    ]


def test_what_a_label_rests_on() -> None:
    """Passages that were marked and terms that were highlighted; of notes the last, as long as nothing is decided."""
    store = store_of(texts={"d1": "A wing has lift.\nA tail has none."})
    session = session_of(store)
    at(session).terms("wing, lift")
    at(session).quote("wing")
    at(session).quote("lift.")
    bob = session_of(store, "bob")
    at(bob).quote("tail")
    at(bob).quote("none")
    at(session).grade(2)
    case = explain_grade(store, "q1", "d1")
    grounds = {event.id: list(describe_grounds(case, event)) for event, _ in case.events}
    assert [*grounds.values()] == [
        [], [], [], ['marked "tail"', 'marked "none"'],
        ['marked "wing"', 'marked "lift."', "had these terms highlighted: wing, lift"],
    ]  # fmt: skip
    passages = as_document(case)["events"][4]["passages"]
    assert passages[0] == {"start": 2, "end": 6, "quote": "wing", "in_text": True}
    store.db.execute("UPDATE document SET text = 'A wind' WHERE docno = 'd1'")
    case = explain_grade(store, "q1", "d1")
    assert (
        next(describe_grounds(case, case.events[4][0])) == 'marked "wing", which is no longer at this place in the text'
    )


def test_what_an_adjudication_rests_on() -> None:
    """The labels that were seen, with the events that they are."""
    store = store_of({"q1": ["d1"]})
    for name, grade in (("ada", 0), ("bob", 2)):
        at(session_of(store, name)).grade(grade)
    at(Adjudication(store, "eve", disputes(apply_policy(store).by_pair))).grade(2, why="it tells of wings")
    case = explain_grade(store, "q1", "d1")
    *_, (event, fate) = case.events
    assert (fate, event.note) == ("counts", "it tells of wings")
    assert sorted(text[len("saw A: ") :] for text in describe_grounds(case, event)) == [
        "grade 0 (event 1)",
        "grade 2 (event 2)",
    ]
    assert as_document(case)["events"][-1]["passages"] == []


@pytest.mark.parametrize("evidence", ["{", "[1]", '{"a": 1}', '["wing"]', "7"])
def test_damaged_evidence_is_named(evidence: str) -> None:
    """With its row, in judging and in why."""
    store = store_of({"q1": ["d1"]})
    decide(store, "ada", evidence=evidence)
    case = explain_grade(store, "q1", "d1")
    with pytest.raises(DamageError, match="table judgment_event, row 1: evidence"):
        list(describe_grounds(case, case.events[0][0]))
    decide(store, "bob", "note", None, evidence=evidence)
    with pytest.raises(DamageError, match="table judgment_event, row 2: evidence"):
        session_of(store, "bob")


def test_the_command(tmp_path: Path, cranfield: Cranfield) -> None:
    """In words, as a table and as JSON; hostile notes are shown, never obeyed."""
    path = tmp_path / "a.db"
    store = store_of(path=path)
    session = session_of(store)
    at(session).note("red \x1b[31m")
    at(session).quote("text")
    at(session).grade(2)
    store.close()
    output = cranfield("why", path, "q1", "d1").out
    assert "Topic q1, document d1: grade 2 in the qrels (policy primary), as it is the only label." in output
    assert f"In pool 1 (depth) from rank {SECRET_DEPTH} of {SECRET_RUN}." in output
    assert "\x1b" not in output
    assert "␛[31m" in output
    document = json.loads(cranfield("why", path, "q1", "d1", "--format", "json").out)
    assert (document["grade"], document["events"][2]["fate"], document["runs"]) == (2, "counts", [])
    assert output.endswith('ada (event 3) marked "text".\n')
    table = cranfield("why", path, "q1", "d1", "--format", "csv").out
    assert table.splitlines()[-1].endswith('"marked ""text"""')
    assert document["counts"] == [document["events"][2]["event_id"]]
