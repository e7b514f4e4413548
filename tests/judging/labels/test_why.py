"""Why: from a line of the qrels to everything behind it."""

import json
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from cranfield.cli.commands.progress import why as command
from cranfield.cli.common_options import spread
from cranfield.errors import DamageError, StoreError
from cranfield.formats import RunInfo
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import disputes
from cranfield.judging.labels.policies import derive
from cranfield.judging.labels.why import as_document, rests_on, why
from cranfield.judging.planning.assign import organise
from cranfield.metrics.inputs import as_runs
from cranfield.store.assignments import REPEAT
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.runs import add_runs
from cranfield.store.store import Store, sha256
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, at, session_of, store_of


def decide(store: Store, who: str, kind: str = "label", grade: int | None = 1, **more: object) -> int:
    add_assessor(store, who)
    return append(store, Event(kind, "q1", "d1", who, grade=grade, **more))[0]  # type: ignore[arg-type]


def fates(store: Store) -> list[str]:
    return [fate for _, fate in why(store, "q1", "d1").events]


def test_one_label() -> None:
    """The only label counts, with the pool and what the assessor saw."""
    store = store_of()
    at(session_of(store)).grade(2)
    found = why(store, "q1", "d1")
    assert (found.grade, found.reason) == (2, "it is the only label")
    assert found.counts is not None
    assert found.text_of(found.counts) == "as now"
    assert found.pools[0].documents[0].runs == (SECRET_RUN,)


def test_what_was_taken_back_and_replaced_is_told() -> None:
    """Every event is there, each with what became of it."""
    store = store_of()
    session = session_of(store)
    at(session).note("hm")
    at(session).grade(2)
    at(session).undo()
    at(session).grade(0)
    decide(store, "ada", grade=1)
    assert fates(store) == ["-", "taken back", "-", "replaced", "counts"]


def test_a_text_that_changed_is_told() -> None:
    """A label or an import on another text than the one that is here now says so; without a text nobody knows."""
    store = store_of()
    at(session_of(store)).grade(2)
    decide(store, "nist", "import")
    store.db.execute("UPDATE document SET text = 'another text' WHERE docno = 'd1'")
    found = why(store, "q1", "d1")
    assert [found.text_of(event) for event, _ in found.events] == ["changed since", "changed since"]
    assert found.sha256 == sha256("another text")
    assert found.text_of(Event("label", "q1", "d1", "ada", grade=1)) == "not recorded"


def test_which_of_several_labels_counts() -> None:
    """Who came first, else the topic's first assessor, else an adjudication; the reason says which it was."""
    store = store_of()
    decide(store, "bob", grade=0)
    decide(store, "ada", grade=2)
    found = why(store, "q1", "d1")
    assert (found.grade, found.reason) == (0, "bob came to this store before 1 other who labelled it")
    organise(store, ["ada"])
    found = why(store, "q1", "d1")
    assert (found.grade, found.reason) == (2, "ada is the topic's first assessor, of 2 who labelled it")
    assert fates(store) == ["stands", "counts"]
    decide(store, "eve", "adjudicate", grade=1)
    found = why(store, "q1", "d1")
    assert (found.grade, found.reason) == (1, "an adjudication overrides 2 other labels")


def test_a_model_waits_behind_people() -> None:
    """Although it came first; alone it counts, and is called what it is."""
    store = store_of()
    add_assessor(store, "gpt", "model")
    decide(store, "gpt", grade=2)
    assert (why(store, "q1", "d1").grade, why(store, "q1", "d1").reason) == (2, "it is the only label, a model's")
    decide(store, "ada", grade=0)
    found = why(store, "q1", "d1")
    assert (found.grade, found.reason) == (0, "it is the only label that is not a model's")
    assert fates(store) == ["stands", "counts"]
    decide(store, "bob", grade=1)
    assert why(store, "q1", "d1").reason == "ada came to this store before 1 other who labelled it"


def test_why_there_is_no_line() -> None:
    """Unjudged, later and cannot-judge are told apart; none of them is a grade."""
    store = store_of()
    assert (why(store, "q1", "d1").grade, why(store, "q1", "d1").reason) == (None, "there is no current label")
    at(session_of(store)).later()
    assert why(store, "q1", "d1").reason == "there is no current label (later)"
    at(session_of(store, "bob")).cannot_judge("unreadable")
    assert why(store, "q1", "d1").reason == "there is no current label (cannot-judge, later)"


def test_a_second_showing_is_told_and_does_not_count() -> None:
    """A repeated label is shown for what it is."""
    store = store_of({"q1": [f"d{number}" for number in range(30)]})
    organise(store, ["ada"], repeats=1)
    decide(store, "ada", grade=2)
    decide(store, "ada" + REPEAT, grade=0)
    assert fates(store) == ["counts", "a second showing"]
    assert why(store, "q1", "d1").reason == "it is the only label"


def test_the_runs_that_retrieved_it() -> None:
    """Every run with the rank in canonical order, pooled or not, best first."""
    store = store_of()
    run = {"q1": {"d2": 3.0, "d1": 1.0, "d3": 1.0}}
    add_runs(store, as_runs({"a": run, "b": {"q1": {"d1": 9.0}}, "c": {"q2": {"d1": 9.0}}}), {"b": RunInfo("team b")})
    assert [tuple(rank) for rank in why(store, "q1", "d1").ranks] == [("b", "team b", 1, 9.0), ("a", "a", 3, 1.0)]


@pytest.mark.parametrize(("qid", "docno", "what"), [("q9", "d1", "topic 'q9'"), ("q1", "d9", "document 'd9'")])
def test_what_is_not_there_is_named(qid: str, docno: str, what: str) -> None:
    """An unknown topic or document is refused."""
    with pytest.raises(StoreError, match=f"there is no {what}"):
        why(store_of(), qid, docno)


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
    found = why(store, "q1", "d1")
    told = {event.id: list(rests_on(found, event)) for event, _ in found.events}
    assert [*told.values()] == [
        [], [], [], ['marked "tail"', 'marked "none"'],
        ['marked "wing"', 'marked "lift."', "had these terms highlighted: wing, lift"],
    ]  # fmt: skip
    passages = as_document(found)["events"][4]["passages"]
    assert passages[0] == {"start": 2, "end": 6, "quote": "wing", "in_text": True}
    store.db.execute("UPDATE document SET text = 'A wind' WHERE docno = 'd1'")
    found = why(store, "q1", "d1")
    assert next(rests_on(found, found.events[4][0])) == 'marked "wing", which the text no longer has there'


def test_what_an_adjudication_rests_on() -> None:
    """The labels that were seen, with the events that they are."""
    store = store_of({"q1": ["d1"]})
    for name, grade in (("ada", 0), ("bob", 2)):
        at(session_of(store, name)).grade(grade)
    at(Adjudication(store, "eve", disputes(derive(store).by_pair))).grade(2, why="it tells of wings")
    found = why(store, "q1", "d1")
    *_, (event, fate) = found.events
    assert (fate, event.note) == ("counts", "it tells of wings")
    assert sorted(text[len("saw A: ") :] for text in rests_on(found, event)) == [
        "grade 0 (event 1)",
        "grade 2 (event 2)",
    ]
    assert as_document(found)["events"][-1]["passages"] == []


@pytest.mark.parametrize("evidence", ["{", "[1]", '{"a": 1}', '["wing"]', "7"])
def test_damaged_evidence_is_named(evidence: str) -> None:
    """With its row, in judging and in why."""
    store = store_of({"q1": ["d1"]})
    decide(store, "ada", evidence=evidence)
    found = why(store, "q1", "d1")
    with pytest.raises(DamageError, match="table judgment_event, row 1: evidence"):
        list(rests_on(found, found.events[0][0]))
    decide(store, "bob", "note", None, evidence=evidence)
    with pytest.raises(DamageError, match="table judgment_event, row 2: evidence"):
        session_of(store, "bob")


def test_the_command(tmp_path: Path) -> None:
    """In words, as a table and as JSON; hostile notes are shown, never obeyed."""
    path = tmp_path / "a.db"
    store = store_of(path=path)
    session = session_of(store)
    at(session).note("red \x1b[31m")
    at(session).quote("text")
    at(session).grade(2)
    store.close()
    app = Typer()
    app.command()(spread(command))
    output = CliRunner().invoke(app, [str(path), "q1", "d1"], catch_exceptions=False).output
    assert "Topic q1, document d1: grade 2 in the qrels (policy primary), as it is the only label." in output
    assert f"In pool 1 (depth) from rank {SECRET_DEPTH} of {SECRET_RUN}." in output
    assert "\x1b" not in output
    assert "␛[31m" in output
    found = json.loads(CliRunner().invoke(app, [str(path), "q1", "d1", "--format", "json"]).output)
    assert (found["grade"], found["events"][2]["fate"], found["runs"]) == (2, "counts", [])
    assert output.endswith('ada (event 3) marked "text".\n')
    table = CliRunner().invoke(app, [str(path), "q1", "d1", "--format", "csv"]).output
    assert table.splitlines()[-1].endswith('"marked ""text"""')
    assert found["counts"] == found["events"][2]["event_id"]
