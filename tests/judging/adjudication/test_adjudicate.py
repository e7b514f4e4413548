"""Adjudication: blind, what matters first, every answer an event, and nothing ever edited."""

import io
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import InputError, StoreError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import (
    Dispute,
    Effect,
    adjudicated_share_sentence,
    disputes,
    effects,
    rank_disputes,
    summary,
)
from cranfield.judging.frontends.plain import PlainAdjudication
from cranfield.judging.labels.pairs import ADJUDICATION
from cranfield.judging.labels.policies import apply_policy
from cranfield.judging.labels.why import explain_grade
from cranfield.judging.session.command import LateError
from cranfield.judging.session.work import PassedOnError
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append, read_events
from cranfield.store.runs import add_runs, stored_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.judging.cases import SECRET_DEPTH, at, session_of, store_of
from tests.stores import filled

POOLED = {"q1": ["d1", "d2", "d3"], "q2": ["d4"]}
LABELS: dict[str, list[int]] = {"ada": [1, 0, 2, 0], "bob": [0, 0, 1, 2]}
RUNS = {
    "x": {"q1": {"d1": 3.0, "d2": 2.0}, "q2": {"d4": 1.0}},
    "y": {"q1": {"d3": 3.0, "d1": 2.0}, "q2": {}},
}


def judged_store(path: Path | None = None, texts: Mapping[str, str] | None = None) -> Store:
    """Ada and Bob disagree on d1, d3 and d4; there are two runs."""
    store = store_of(POOLED, path, texts)
    for name, grades in LABELS.items():
        session = session_of(store, name)
        for grade in grades:
            at(session).grade(grade)
    add_runs(store, as_runs(RUNS))
    return store


def adjudication(store: Store, name: str = "eve", seed: int = 0) -> Adjudication:
    """Eve adjudicates all, in the order of topics and documents."""
    return Adjudication(store, name, disputes(apply_policy(store).by_pair), seed=seed, clock=lambda: 0.0)


def run_script(store: Store, *lines: str, limit: int | None = None) -> str:
    """What is printed for these lines of input."""
    out = io.StringIO()
    PlainAdjudication(adjudication(store), io.StringIO("".join(line + "\n" for line in lines)), out, limit=limit).run()
    return out.getvalue()


def answers(store: Store) -> list[tuple[str, str, int | None]]:
    """What adjudicators did."""
    return [(e.kind, e.docno, e.grade) for e in read_events(store) if e.assessor == "eve"]


# What is in dispute, and what it can do


worlds = st.tuples(
    st.lists(st.permutations(range(5)), min_size=3, max_size=3),
    st.lists(st.permutations(range(5)), min_size=3, max_size=3),
    st.lists(st.integers(-1, 2), min_size=10, max_size=10),
)


@given(
    worlds,
    st.sampled_from(
        ["AP", "nDCG@3", "P@2", "RR", "Bpref", "AP(rel=2)", "ERR(max_grade=2)@5", "Judged@3", "P(rel=0)@2"]
    ),
)
@settings(deadline=None, max_examples=25)
def test_effects_are_those_of_evaluating_anew(
    world: tuple[list[list[int]], list[list[int]], list[int]], name: str
) -> None:
    """Each flip alone, by brute force: the orders of runs it exchanges, and whether the first two change."""
    rankings, grades = {"q1": world[0], "q2": world[1]}, world[2]
    runs = as_runs(
        {f"r{r}": {qid: {f"{qid}d{d}": 9.0 - rank for rank, d in enumerate(order[:4])} for qid, orders in
                   rankings.items() for order in [orders[r]]} for r in range(3)}
    )  # fmt: skip
    qrels = {qid: {f"{qid}d{d}": grades[5 * q + d] for d in range(5)} for q, qid in enumerate(("q1", "q2"))}
    pairs = [(qid, docno) for qid, of_topic in qrels.items() for docno in of_topic]
    others = {pair: [g for g in (0, 1, 2) if g != qrels[pair[0]][pair[1]]] for pair in pairs[::3]}
    effect = effects(join_runs_and_qrels(runs, as_qrels(qrels)), others, pairs, parse(name), top=2)

    def scores(grades: Mapping[str, Mapping[str, int]]) -> np.ndarray:
        return evaluate(grades, runs, name)["value"].to_numpy().round(10)

    before = scores(qrels)
    for (qid, docno), grades_of in others.items():
        worst = Effect()
        for grade in grades_of:
            after = scores({**qrels, qid: {**qrels[qid], docno: grade}})
            worst = max(worst, _effect(before, after))
        assert effect[qid, docno][:2] == worst[:2]
        assert effect[qid, docno].spread == pytest.approx(worst.spread, abs=1e-9)


def _effect(before: np.ndarray, after: np.ndarray) -> Effect:
    swaps = sum((before[a] - before[b]) * (after[a] - after[b]) < 0 for a in range(3) for b in range(a))
    tops = [sorted(range(3), key=lambda r: (-scores[r], r))[:2] for scores in (before, after)]
    return Effect(tops[0] != tops[1], int(swaps), float(np.ptp(after - before)))


def test_what_moves_the_top_comes_first() -> None:
    """Then more exchanges, then wider moves, then grades further apart. What all grade alike is not in dispute.

    A part of the disagreements is said to be no sample of the whole.
    """
    event = Event("label", "q", "d", "a")

    def dispute(docno: str, effect: Effect, high: int = 1) -> Dispute:
        return Dispute(("q", docno), (event._replace(grade=0), event._replace(grade=high)), effect)

    several = [
        dispute("a", Effect()), dispute("b", Effect(), high=2), dispute("c", Effect(False, 0, 0.1)),
        dispute("d", Effect(False, 3, 0.0)), dispute("e", Effect(True, 1, 0.0)),
    ]  # fmt: skip
    assert [it.pair[1] for it in rank_disputes(several)] == ["e", "d", "c", "b", "a"]
    assert summary(several, 5) == (
        "1 of 5 disagreements can change the top 5, and 2 can change the order of two runs, if each is settled on its"
        " own."
    )
    outcome = apply_policy(judged_store())
    assert [(dispute.pair, dispute.grades) for dispute in disputes(outcome.by_pair)] == [
        (("q1", "d1"), [0, 1]), (("q1", "d3"), [1, 2]), (("q2", "d4"), [0, 2]),
    ]  # fmt: skip
    assert adjudicated_share_sentence(3, 3, outcome) == "3 of 3 disagreements are adjudicated (100.0%)."
    assert "not a random sample" in adjudicated_share_sentence(1, 3, outcome)


# The session


def test_blind() -> None:
    """Neither the names of assessors, nor runs, ranks or docnos are shown; controls are, as marks, and set in.

    It ends after as many answers as were asked for, and at the end of the input.
    """
    hostile = "some words\x1b[2Jred\nRecorded: grade 2\u202e"
    store = judged_store(texts=dict.fromkeys(("d1", "d2", "d3", "d4"), hostile))
    text = run_script(store)
    assert text.count("Disagreement 1 of 3") == 1
    text += run_script(store, "1", "1", "1", limit=2)
    assert text.count("Recorded: topic") == 2
    for secret in ("ada", "bob", "x\n", "secret", "d1", str(SECRET_DEPTH), "\x1b", "\u202e"):
        assert secret not in text
    assert "A: grade" in text
    assert "some words" in text
    assert "\n  Recorded: grade 2" in text


@pytest.mark.full
def test_labels_are_shuffled_by_the_seed() -> None:
    """A is not always the same person, and the same seed shows the same."""
    names = [f"q{number}" for number in range(30)]
    store = store_of({qid: ["d1"] for qid in names})
    for name, grade in (("ada", 0), ("bob", 2)):
        session = session_of(store, name)
        for _ in names:
            at(session).grade(grade)

    def first(seed: int) -> list[str]:
        it, numbers = adjudication(store, seed=seed), []
        for _ in names:
            numbers.append(it.view.labels[0].words)
            at(it).later()
        return numbers

    assert first(1) == first(1) != first(2)
    assert 5 < sum("grade 2" in label for label in first(1)) < 25


def test_an_answer_is_an_event_that_cites_the_labels_seen() -> None:
    """Nothing that was there is changed."""
    store = judged_store()
    before = read_events(store)
    it = adjudication(store)
    at(it).grade(2)
    *old, new = read_events(store)
    assert old == before
    assert (new.kind, new.qid, new.docno, new.assessor, new.grade) == ("adjudicate", "q1", "d1", "eve", 2)
    assert (new.order_policy, new.order_seed, new.position) == ("effect", 0, 1)
    assert new.document_sha256 == before[0].document_sha256
    labels_seen = json.loads(new.evidence or "")["labels_seen"]
    assert sorted(label["label"] for label in labels_seen) == ["A", "B"]
    labels = {event.event_id: event.grade for event in before if event.docno == "d1"}
    assert {label["event"]: label["grade"] for label in labels_seen} == labels


def test_settling_to_nothing_is_possible() -> None:
    """A pair that is settled as beyond judging has no label where adjudicated grades count; the votes are still there.

    The view `qrels` says the same, and `explain_grade` says so.
    """
    store = judged_store()
    it = adjudication(store)
    at(it).cannot_judge("blurred")
    last = read_events(store)[-1]
    assert (last.kind, last.source, last.reason, last.grade) == ("cannot-judge", ADJUDICATION, "blurred", None)
    for name in ("primary", "adjudicated-else-primary", "adjudicated-else-max"):
        outcome = apply_policy(store, rule=name)
        assert ("q1", "d1") not in outcome.labels
        assert outcome.state(("q1", "d1")) == "cannot-judge"
    assert apply_policy(store, rule="max").labels["q1", "d1"] == 1
    assert ("q1", "d1") not in {(qid, docno) for qid, docno, *_ in store.rows("SELECT * FROM qrels")}
    assert explain_grade(store, "q1", "d1").reason == "an adjudicator recorded that it cannot be judged"
    with pytest.raises(InputError, match="the reason why it cannot be judged"):
        at(it).cannot_judge(" ")


def test_undo_and_redo_across_sessions() -> None:
    """They reach the adjudicator's own answers of any session, whoever answered since, and bring up their cases."""
    store = judged_store()
    it = adjudication(store)
    at(it).grade(1, why="of wings")
    at(it).grade(1)
    again = adjudication(store)
    assert again.progress() == (2, 3)
    at(again).undo()
    assert at(again).undo().position.number == 1
    assert again.progress() == (0, 3)
    with pytest.raises(InputError, match="nothing to undo"):
        at(again).undo()
    assert apply_policy(store).labels["q1", "d1"] == 1
    once_more = adjudication(store)
    assert (at(once_more).redo().can_redo, at(once_more).redo().can_redo) == (True, False)
    assert once_more.progress() == (2, 3)
    first = [event for event in read_events(store) if (event.kind, event.docno) == ("adjudicate", "d1")]
    assert len({(event.note, event.evidence, event.grade) for event in first}) == 1
    with pytest.raises(InputError, match="nothing to redo"):
        at(once_more).redo()


def test_what_is_put_off_comes_back_after_the_others() -> None:
    """It is no event: what is open stays open to everybody."""
    store = judged_store()
    it = adjudication(store)
    numbers = [at(it).later().position.number for _ in range(4)]
    assert numbers == [2, 3, 1, 2]
    assert (it.view.total, answers(store)) == ((0, 3, 0, 0), [])
    assert adjudication(store).view.position.number == 1


def test_a_case_that_was_labelled_by_the_adjudicator_is_left_out() -> None:
    """Its labels would give away which is whose. A model may not adjudicate as a person, nor may nobody."""
    store = judged_store()
    at(session_of(store, "eve")).grade(1)
    it = adjudication(store)
    assert (it.left_out, it.progress(), it.view.position.of) == (1, (0, 3), 2)
    assert it.view.remark == ""
    theirs = adjudication(store, "ada").view
    assert theirs.done
    assert theirs.remark == "You labelled these documents, so another adjudicator settles 3 disagreements."
    add_assessor(store, "gpt", "model")
    with pytest.raises(StoreError, match="has kind"):
        adjudication(store, "gpt")
    with pytest.raises(InputError, match="needs a name"):
        adjudication(store, " ")


def test_a_case_that_another_adjudicator_settled_stays_theirs() -> None:
    """An answer that comes second, or that was undone, is refused and recorded nowhere; the next case comes then."""
    store = judged_store()
    mine, hers = adjudication(store, "eve"), adjudication(store, "fay")
    at(mine).grade(1)
    before = read_events(store)
    with pytest.raises(PassedOnError, match="another adjudicator has already settled this case; their answer is kept"):
        at(hers).grade(0)
    assert hers.view.position.number == 2
    assert read_events(store) == before
    assert apply_policy(store).labels["q1", "d1"] == 1
    assert mine.progress() == hers.progress() == (1, 3)
    at(mine).undo()
    at(adjudication(store, "fay")).grade(2)
    with pytest.raises(PassedOnError):
        at(mine).redo()
    assert apply_policy(store).labels["q1", "d1"] == 2


def test_a_repeated_command_acts_once_and_a_late_one_never() -> None:
    """A command names its case and brings the id of its event."""
    store = judged_store()
    it = adjudication(store)
    about = it.command_target()
    assert it.grade(about, 2) is it.grade(about, 2)
    with pytest.raises(LateError):
        it.grade(about._replace(event_id="another"), 1)
    assert answers(store) == [("adjudicate", "d1", 2)]


def test_what_others_record_is_taken_in() -> None:
    """A case settled elsewhere, by whoever wrote the log, is not asked again; the one on screen stays and says so."""
    store = judged_store()
    mine = adjudication(store, "eve")
    add_assessor(store, "fay")
    append(store, Event("adjudicate", "q1", "d1", "fay", grade=1))
    another = adjudication(store, "gil")
    assert (another.progress(), another.view.position.number, mine.view.settled) == ((1, 3), 2, ())
    view = mine.refresh()
    assert (view.position.number, view.total.judged) == (1, 1)
    assert view.settled == ("grade 1, relevant, by another adjudicator",)
    with pytest.raises(PassedOnError):
        at(mine).grade(2)
    assert mine.view.position.number == 2


def test_new_disagreements_are_taken_up() -> None:
    """The case on screen stays, what was put off stays put off, and undo reaches back."""
    store = judged_store()
    it = adjudication(store)
    at(it).grade(1)
    at(it).later()
    several = disputes(apply_policy(store).by_pair)
    views = it.take([several[2], several[1], several[0]])
    assert (views.position.number, views.total, views.can_undo) == (1, (1, 1, 0, 1), True)
    assert at(it).grade(0).position.number == 2


def test_judging_and_adjudicating_undo_their_own() -> None:
    """Somebody who does both undoes in each what they did there."""
    store = store_of({"q1": ["d1"], "q2": ["d2"]})
    for name, grade in (("ada", 0), ("bob", 1)):
        at(session_of(store, name, topics=["q1"])).grade(grade)
    it, session = adjudication(store), session_of(store, "eve", topics=["q2"])
    at(session).grade(1)
    at(it).note("of wings")
    at(it).cannot_judge("torn")
    at(session_of(store, "eve")).undo()
    assert [(event.kind, event.docno) for event in read_events(store, "eve")] == [
        ("label", "d2"), ("note", "d1"), ("cannot-judge", "d1"), ("retract", "d2"),
    ]  # fmt: skip
    at(adjudication(store)).undo()
    assert read_events(store, "eve")[-1][:3] == ("retract", "q1", "d1")


def test_notes_and_evidence_are_shown_without_names() -> None:
    """Under the letter of the label that they belong to; the passages are marked in the text."""
    store = store_of({"q1": ["d1"]})
    ada, bob = session_of(store, "ada"), session_of(store, "bob")
    at(ada).note("says \x1bhow")
    at(ada).quote("text")
    at(ada).toggle_unsure()
    at(ada).grade(1)
    at(bob).grade(0)
    it = adjudication(store)
    notes = {label.words: (label.note, label.quotes) for label in it.view.labels}
    assert notes == {"grade 1, relevant (unsure)": ("says ␛how", ("text",)), "grade 0, not relevant": ("", ())}
    assert [mark.quote for mark in it.marks] == ["text"]
    assert it.view.document is not None
    assert it.view.document.docno == ""


# Lines


def test_a_script() -> None:
    """Answers, refusals, undo and help over two streams."""
    store = judged_store()
    text = run_script(store, "7", "", "zz", "2", "x no text at all", "u", "U", "u", "0", "s", "?", "q", "1")
    assert "Not recorded: 7 is not a grade here" in text
    assert "Enter by itself does nothing" in text
    assert "'zz' is not a command" in text
    text = " ".join(text.split())
    assert "Recorded: topic q1, disagreement 1: grade 2, highly relevant. u undoes it." in text
    assert text.count("Recorded: topic q1, disagreement 2: cannot judge, no text at all. u undoes it.") == 2
    assert text.count("? show this help") == 1
    there_and_back = [("cannot-judge", "d3", None), ("retract", "d3", None)]
    assert answers(store) == [("adjudicate", "d1", 2), *there_and_back, *there_and_back, ("adjudicate", "d3", 0)]


def test_a_reason_goes_with_a_grade() -> None:
    """What follows the grade on its line; the prompt says so, and what has no words is no reason."""
    store = judged_store()
    text = " ".join(run_script(store, "2 it tells of \x1bwings", "1 2", "0", "?").split())
    assert "grade [why], ? for help > " in text
    assert "Recorded: topic q1, disagreement 1: grade 2, highly relevant: it tells of ␛wings. u undoes it." in text
    assert "Not recorded: '2' is not a reason; after a grade, type a reason in words or press Enter" in text
    assert "a reason may follow the grade: -1 spam, 0 not relevant" in text
    answers = [(event.kind, event.grade, event.note) for event in read_events(store) if event.assessor == "eve"]
    assert answers == [("adjudicate", 2, "it tells of \x1bwings"), ("adjudicate", 0, "")]


def test_recent_cases_are_settled_again() -> None:
    """One's own last answers are listed, the newest first; undo brings back the answer before."""
    store = judged_store()
    at(adjudication(store, "fay")).grade(1, why="fay says so")
    lines = ("2 of wings", "n of lift", "1", "l", "l 2", "0 on second thought", "l", "u", "l 0", "U", "l 9", "l x")
    text = " ".join(run_script(store, *lines).split())
    assert "fay" not in text
    recent = "1. topic q2, disagreement 3: grade 1, relevant: of lift 2. topic q1, disagreement 2: grade 2, highly"
    assert recent in text
    assert "Settled: grade 2, highly relevant: of wings" in text
    assert "2. topic q2, disagreement 3: grade 1, relevant: of lift" in text.partition("on second thought")[2]
    assert "Not recorded: number 9 is not among your last 3 decisions" in text
    assert "Not recorded: l 3 goes to the third of your last decisions" in text
    first, again = ("adjudicate", "d3", 2), ("adjudicate", "d3", 0)
    later = [("note", "d4", None), ("adjudicate", "d4", 1)]
    assert answers(store) == [first, *later, again, ("retract", "d3", None), again]
    assert apply_policy(store, rule="primary").labels["q1", "d3"] == 0


# The command


def test_the_command(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is at stake, takes answers from a pipe, and ends with the share."""
    path = tmp_path / "track.db"
    judged_store(path).close()
    several = json.loads(cranfield("adjudicate", path, "--list", "--format", "json").out)
    few = cranfield("adjudicate", path, "--list", "--limit", "2", "--format", "json").out
    assert (json.loads(few), len(several)) == (several[:2], 3)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    result = cranfield("adjudicate", path, "--assessor", "eve", "--limit", "1")
    assert result.code == 0, result.err
    assert result.out.startswith("1 of 3 disagreements can change the top 5, and 1 can change the order of two runs,")
    assert result.out.endswith(
        "1 of 3 disagreements are adjudicated (33.3%). Policy primary decides the others. The adjudicated"
        " disagreements are not a random sample, so they do not represent the others; for a random sample, use"
        " --sample.\n"
    )


def test_the_list(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """What matters first, with the grades in order, so that a place tells nothing of whose they are.

    Then how each is settled, by whom and why; and who goes on is told how many are. A sample, which is adjudicated
    blind, is not listed; models' disagreements are nobody's, unless named.
    """
    path = tmp_path / "track.db"
    judged_store(path).close()
    listing = partial(cranfield, "adjudicate", path, "--list")
    rows = json.loads(listing("--format", "json").out)
    assert [(row["document"], row["labels"], row["moves top"]) for row in rows] == [
        ("d4", "0 2", True), ("d1", "0 1", False), ("d3", "1 2", False),
    ]  # fmt: skip
    assert {(row["settled"], row["settled by"], row["why"]) for row in rows} == {(None, None, None)}
    with Store.open(path) as store:
        assert len(stored_runs(store).tags) == 2
        assert "eve" not in {event.assessor for event in read_events(store)}
    monkeypatch.setattr("sys.stdin", io.StringIO("2 of wings\nx torn\n"))
    cranfield("adjudicate", path, "--assessor", "eve")
    rows = json.loads(listing("--format", "json").out)
    assert [(row["document"], row["settled"], row["settled by"], row["why"]) for row in rows] == [
        ("d4", "2", "eve", "of wings"), ("d1", "cannot judge", "eve", "torn"), ("d3", None, None, None),
    ]  # fmt: skip
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert "\n2 of the disagreements are already settled.\n" in cranfield("adjudicate", path, "--assessor", "eve").out
    assert [listing("--sample", "6").code, listing("--estimate").code] == [2, 2]
    labels = {"gpt": {("q1", "d2"): 0}, "llama": {("q1", "d2"): 2}}
    filled(Store.open(path), models=labels, labels=labels).close()
    assert len(json.loads(listing("--format", "json").out)) == 3
    models = listing("--between", "gpt", "--between", "llama", "--format", "json")
    assert [row["document"] for row in json.loads(models.out)] == ["d2"]


def test_what_is_wrong(tmp_path: Path, cranfield: Cranfield) -> None:
    """One line each; without runs the order is by how far the grades are apart, and that is said."""
    path, models, without = (tmp_path / f"{name}.db" for name in ("track", "models", "without"))
    judged_store(path).close()
    for arguments, message in (
        ([], "the adjudicator is missing; give --assessor NAME"),
        (["--list", "--between", "ada"], "no disagreements: "),
        (["--list", "--between", "zoe"], "no assessor 'zoe'"),
        (["--list", "-m", "APP"], "unknown measure 'APP'"),
        (["--list", "--policy", "majority"], "tie rule"),
        (["--sample", "6"], "the adjudicator is missing; give --assessor NAME"),
        (["--estimate"], "no sample has been adjudicated in this store"),
        (["--sample", "6", "--between", "ada"], "no document has two labels"),
    ):
        result = cranfield("adjudicate", path, *arguments)
        assert (result.code, message in result.err) == (1, True), arguments
    labels = {"gpt": {("q1", "d1"): 0}, "llama": {("q1", "d1"): 2}}
    filled(store_of({"q1": ["d1"]}, models), models=labels, labels=labels).close()
    assert (
        "labels by models are included only if --between names the models"
        in cranfield("adjudicate", models, "--list").err
    )
    with store_of({"q1": ["d1", "d2"]}, without) as store:
        for name, grades in {"ada": [0, 0], "bob": [1, 2]}.items():
            session = session_of(store, name)
            for grade in grades:
                at(session).grade(grade)
    result = cranfield("adjudicate", without, "--list")
    assert result.out.startswith("Without runs")
    assert [line.split()[1] for line in result.out.splitlines()[3:]] == ["d2", "d1"]
