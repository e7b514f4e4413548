"""Labels of whole answers: correctness, rubrics, comparisons; by people and models, measured and audited."""

import io
import json
from collections.abc import Iterator, Mapping
from math import isnan
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.features.answers.analysis.evaluation import scores_of
from cranfield.features.answers.by_model.whole import (
    COMPARISON,
    CORRECTNESS,
    RUBRIC,
    plan_comparing,
    plan_correcting,
    plan_rating,
)
from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.formats.nuggets import read_rubrics
from cranfield.features.answers.judging.labelling import AnswerLabelling
from cranfield.features.answers.judging.whole import Comparing, Correcting, Rating
from cranfield.features.answers.plain import PlainLabelling
from cranfield.features.answers.store.answers import add_answers, stored_answers
from cranfield.features.answers.store.labels import (
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    RUBRIC_LABELS,
    ClaimSet,
    Item,
    LabelEvent,
    LabelLog,
    add_claims,
    current_claims,
)
from cranfield.features.answers.store.rubrics import current_rubrics, import_rubrics
from cranfield.features.models.asking.planned import asker_of
from cranfield.features.models.calls import calls
from cranfield.judging.frontends.keys import DEFAULT
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.history import importing
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.features.models.answering import QUICK, same_label
from tests.features.models.stand_in import reply, stand_in
from tests.stores import filled, new_store
from tests.views import view_of

RUBRICS = """
["1"]
questions = ["Does it name lift?", {question = "Does it warn?", weight = 3}]
"""


def store_of(runs: str = "abc", topics: str = "12") -> Store:
    store = new_store(topics={qid: f"question {qid}" for qid in topics}, people=["ada"], models=["llm"])
    sentences = {run: [Sentence(f"{run} says lift.")] for run in runs}
    add_answers(store, [Answer(run, qid, sentences[run]) for run in runs for qid in topics])
    return store


@pytest.fixture
def store() -> Iterator[Store]:
    """Three runs, two topics."""
    with store_of() as store:
        yield store


def with_rubrics(store: Store, folder: Path, text: str = RUBRICS) -> None:
    """Import rubrics from a file."""
    (path := folder / "rubrics.toml").write_text(text)
    with importing(store, "rubrics", [str(path)]):
        import_rubrics(store, read_rubrics(path), "ada")


def label(store: Store, log: LabelLog, assessor: str, labels: Mapping[Item, str | None]) -> None:
    """Record labels, None a failure."""
    events = [
        LabelEvent("cannot-judge" if one is None else "label", item, assessor, one) for item, one in labels.items()
    ]
    log.append(store, events)


def scores(store: Store, measure: str, **how: object) -> dict[tuple[str, str], float]:
    """The score of each run and topic."""
    labellers = Labellers(how.pop("assessor", None), LabelledBy(str(how.pop("labels", "all"))))  # type: ignore[arg-type]
    view = view_of([store])
    table, _ = scores_of(view, measure, labellers, lambda line: None)
    return {(tag, qid): float(table.values[run, topic, 0]) for run, tag in enumerate(table.tags)
            for topic, qid in enumerate(table.qids)}  # fmt: skip


def numbers(store: Store) -> dict[tuple[str, str], int]:
    return {(one.run, one.qid): one.number for one in stored_answers(store)}


def add_two_claims(store: Store) -> None:
    """One of the reference answer to topic 1, one of the answer of run a."""
    add_claims(store, [ClaimSet("1", None, ["Wings lift."], "ada")])
    add_claims(store, [ClaimSet("1", numbers(store)["a", "1"], ["It lifts."], "ada")])


def test_rubrics_are_read_and_the_last_ones_count(store: Store, tmp_path: Path) -> None:
    with_rubrics(store, tmp_path)
    assert [(one.text, one.weight) for one in current_rubrics(store)] == [
        ("Does it name lift?", 1),
        ("Does it warn?", 3),
    ]
    with_rubrics(store, tmp_path, '["1"]\nquestions = ["Is it short?"]\n["2"]\nquestions = ["Is it long?"]')
    assert [one.text for one in current_rubrics(store)] == ["Is it short?", "Is it long?"]
    verify(store)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[[", "not TOML"),
        ("", "the file contains no topic; expected tables"),
        ('["1"]\nasked = []', r"rubrics.toml:1: topic '1' must contain a list named questions, and nothing else"),
        ('\n["1"]\nquestions = [3]', r"rubrics.toml:2: topic '1': 3; expected a question, or \{question"),
        ('["1"]\nquestions = ["a", " a"]', r"topic '1': 'a' is there twice"),
        ('["1"]\nquestions = [{question = "a", weight = nan}]', r"the weight nan of 'a'; expected a number above 0"),
        ('["7"]\nquestions = ["a"]', r"rubrics.toml:1: topic '7' is not in the store"),
    ],
)
def test_rubrics_that_are_none(store: Store, tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(InputError, match=error):
        with_rubrics(store, tmp_path, text)
    assert current_rubrics(store) == []


def test_rubric_scores(store: Store, tmp_path: Path) -> None:
    with_rubrics(store, tmp_path)
    lift, warn = (one.number for one in current_rubrics(store))
    at = numbers(store)
    labels = {(at["a", "1"], lift): "yes", (at["a", "1"], warn): "no", (at["b", "1"], lift): "yes",
              (at["b", "1"], warn): "yes", (at["c", "1"], lift): "yes", (at["c", "1"], warn): None}  # fmt: skip
    label(store, RUBRIC_LABELS, "ada", labels)
    values = scores(store, "Rubric")
    assert (values["a", "1"], values["b", "1"], scores(store, "RubricShare")["a", "1"]) == (0.25, 1.0, 0.5)
    assert isnan(values["c", "1"])
    assert isnan(values["a", "2"])


def test_correctness_scores(store: Store) -> None:
    at = numbers(store)
    add_claims(store, [ClaimSet("1", None, ["Wings lift.", "Speed helps."], "ada")])
    add_claims(store, [ClaimSet("1", at["a", "1"], ["It lifts.", "It is green."], "ada")])
    add_claims(store, [ClaimSet("1", at["b", "1"], [], "ada")])
    claims = {claim.text: claim.number for claim in current_claims(store)}
    of_a = {
        "Wings lift.": "support",
        "Speed helps.": "partial_support",
        "It lifts.": "support",
        "It is green.": "not_support",
    }
    label(store, CORRECTNESS_LABELS, "ada", {(at["a", "1"], claims[text]): one for text, one in of_a.items()})
    of_b = dict.fromkeys(("Wings lift.", "Speed helps."), "not_support")
    label(store, CORRECTNESS_LABELS, "ada", {(at["b", "1"], claims[text]): one for text, one in of_b.items()})
    correct, precise, recall = (scores(store, name) for name in ("Correct", "CorrectP", "CorrectR"))
    assert (correct["a", "1"], precise["a", "1"], recall["a", "1"]) == (0.5, 0.5, 0.5)
    assert (correct["b", "1"], recall["b", "1"]) == (0.0, 0.0)
    assert [isnan(one) for one in (precise["b", "1"], correct["c", "1"], correct["a", "2"])] == [True] * 3


def test_win_rates_are_of_both_orders(store: Store) -> None:
    a, b, c = (numbers(store)[run, "1"] for run in "abc")
    label(store, COMPARISON_LABELS, "ada", {
        (a, b): "first", (b, a): "second", (a, c): "first", (c, a): "first", (b, c): "equal", (c, b): "equal",
    })  # fmt: skip
    values = scores(store, "WinRate")
    assert [values[run, "1"] for run in "abc"] == [0.75, 0.25, 0.5]
    label(store, COMPARISON_LABELS, "ada", {(c, b): None})
    assert [isnan(scores(store, "WinRate")[run, "1"]) for run in "abc"] == [False, True, True]


def test_identical_answers_are_not_shown_and_tie() -> None:
    """Nobody is asked about them; with a baseline, only ties with its answers count."""
    with new_store(topics={"1": "question"}, people=["ada"]) as store:
        texts = {"a": "lift", "b": "lift", "c": "drag", "d": "drag"}
        add_answers(store, [Answer(run, "1", [Sentence(text)]) for run, text in texts.items()])
        at = {run: numbers(store)[run, "1"] for run in texts}
        task = Comparing(store, 0)
        asked = {frozenset(item) for item in task.items()["1"]}
        assert asked == {frozenset((at[one], at[other])) for one in "ab" for other in "cd"}
        assert task.remark == "2 pairs of identical answers are not shown and count as ties."
        session = AnswerLabelling(store, "ada", Comparing, COMPARISON_LABELS)
        assert [part.text for part in session.view.parts] in (["lift", "drag"], ["drag", "lift"])
        assert session.view.remark == task.remark
        label(store, COMPARISON_LABELS, "ada", {
            (at[one], at[other]): "first" if one in "ab" else "second"
            for one in texts for other in texts if texts[one] != texts[other]
        })  # fmt: skip
        assert [round(scores(store, "WinRate")[run, "1"], 4) for run in "abcd"] == [0.8333, 0.8333, 0.1667, 0.1667]
    with new_store(topics={"1": "question"}, people=["ada"]) as store:
        add_answers(store, [Answer(run, "1", [Sentence(text)]) for run, text in texts.items()])
        pairs = {(at[one], at[other]): "first" if one == "a" else "second" for one, other in ("ac", "ca", "ad", "da")}
        label(store, COMPARISON_LABELS, "ada", pairs)
        found = scores(store, "WinRate")
        assert [round(found[run, "1"], 4) for run in "abcd"] == [0.8333, 0.5, 0.0, 0.0]
        assert Comparing(store, 0, baseline="a").identical == 1


def test_only_identical_answers_leave_nothing_to_compare() -> None:
    with new_store(topics={"1": "question"}, people=["ada"]) as store:
        add_answers(store, [Answer(run, "1", [Sentence("lift")]) for run in "ab"])
        with pytest.raises(InputError, match="1 pair of identical answers is not shown and counts as a tie; no other"):
            Comparing(store, 0).to_label()


def test_a_pair_is_not_made_of_the_words_of_two_people(store: Store) -> None:
    a, b, _ = (numbers(store)[run, "1"] for run in "abc")
    add_assessor(store, "bob")
    label(store, COMPARISON_LABELS, "ada", {(a, b): "first"})
    label(store, COMPARISON_LABELS, "bob", {(b, a): "second"})
    assert isnan(scores(store, "WinRate")["a", "1"])
    label(store, COMPARISON_LABELS, "bob", {(a, b): "second", (b, a): "first"})
    assert scores(store, "WinRate")["b", "1"] == 1.0


def test_people_label_at_the_keyboard(store: Store, tmp_path: Path) -> None:
    with_rubrics(store, tmp_path)
    session = AnswerLabelling(store, "ada", Rating, RUBRIC_LABELS)
    assert session.grades == {0: "no", 1: "yes"}
    for grade in (1, 0, 1, 1, 0, 0):
        session.grade(session.command_target(), grade)
    assert sorted(filter(None, RUBRIC_LABELS.labels(store).values())) == ["no"] * 3 + ["yes"] * 3
    pairs = AnswerLabelling(store, "ada", Comparing, COMPARISON_LABELS)
    texts: list[str] = []
    while pairs.view.document is not None and len(texts) < 12:
        texts.append(pairs.view.document.text)
        pairs.grade(pairs.command_target(), 1)
    assert (len(texts), len(set(texts))) == (12, 6)
    first = [text.split(" says")[0].split("\n")[-1] for text in texts]
    assert "ada" not in "".join(texts)
    assert sorted(first) == sorted("aabbccaabbcc")
    assert set(scores(store, "WinRate").values()) == {0.5}
    add_two_claims(store)
    claims = AnswerLabelling(store, "ada", Correcting, CORRECTNESS_LABELS)
    titles = []
    for _ in range(4):
        assert claims.view.document is not None
        titles.append((claims.view.document.title, claims.view.document.text.split("\n")[0][:9]))
        claims.grade(claims.command_target(), 2)
    assert ("Claim: It lifts.", "Reference") in titles
    assert [one for one in titles if one[0] == "Claim: Wings lift."] == [("Claim: Wings lift.", "Answer 1 ")] + [
        ("Claim: Wings lift.", f"Answer {number} ") for number in (2, 3)
    ]
    verify(store)


def test_a_model_labels_the_same_items(store: Store, tmp_path: Path) -> None:
    with_rubrics(store, tmp_path)
    add_two_claims(store)
    with stand_in(lambda post, before: same_label(post, "yes")) as server:
        rubrics = plan_rating(store, asker_of(store, RUBRIC, "llm", server.url, "rubric")).run(QUICK)
        assert "Does it warn?" in server.posts[0].text
    with stand_in(lambda post, before: same_label(post, "support")) as server:
        plan = plan_correcting(store, asker_of(store, CORRECTNESS, "llm", server.url, "correctness"))
        correctness = plan.run(QUICK)
        read = {text: "a says lift." in text for text in (one.text for one in server.posts)}
        assert (
            sum("It lifts." in text and "Wings lift." in text for text in read) == 1
        )  # the claim, and what it is read in
        assert sum("Wings lift." in text for text in read) == 4
    with stand_in(lambda post, before: reply("Better: 1")) as server:
        comparisons = plan_comparing(
            store, asker_of(store, COMPARISON, "llm", server.url, "answers"), baseline="a"
        ).run(QUICK)
        assert len(server.posts) == 8
    assert (rubrics.outcomes, correctness.outcomes, comparisons.outcomes) == ({"ok": 3}, {"ok": 4}, {"ok": 8})
    assert scores(store, "Rubric")["c", "1"] == 1.0
    assert scores(store, "Correct")["a", "1"] == 1.0
    assert set(scores(store, "WinRate").values()) == {0.5}  # it takes the first
    events = [
        event for log in (RUBRIC_LABELS, CORRECTNESS_LABELS, COMPARISON_LABELS) for event in log.events(store, "llm")
    ]
    assert {json.loads(event.evidence or "")["call"] for event in events} == {call.id for call in calls(store)}
    verify(store)


def test_a_label_that_is_not_yes_or_no_is_none(store: Store, tmp_path: Path) -> None:
    with_rubrics(store, tmp_path)
    with stand_in(lambda post, before: same_label(post, "support")) as server:
        tally = plan_rating(store, asker_of(store, RUBRIC, "llm", server.url, "rubric")).run(QUICK)
    assert tally.outcomes == {"unparsable": 3}
    assert set(RUBRIC_LABELS.labels(store).values()) == {None}


def big(assessors: Mapping[str, str]) -> Store:
    """Twelve topics; people say a is best, then b, then c; `assessors` prefer the named run against all others."""
    store = store_of(topics="ABCDEFGHIJKL")
    at = numbers(store)
    for name, favourite in {"ada": "", **assessors}.items():
        add_assessor(store, name, "human" if name == "ada" else "model")
        order = favourite + "abc".replace(favourite, "")
        label(store, COMPARISON_LABELS, name, {
            (at[one, qid], at[other, qid]): "first" if order.index(one) < order.index(other) else "second"
            for qid in "ABCDEFGHIJKL" for one in "abc" for other in "abc" if one != other
        })  # fmt: skip
    return store


def test_a_judge_with_a_favourite_is_named() -> None:
    with big({"honest": "", "fan": "c"}) as store:
        report = cranfield.models.audit(store, "fan", of="comparisons").findings
        fair = cranfield.models.audit(store, "honest", of="comparisons").findings
    assert (report.items, report.runs[0].run, report.runs[0].favoured) == (36, "c", True)
    assert not any(one.favoured for one in fair.runs)
    assert report.over == []


def test_win_rates_of_all_topics_are_estimated_from_some() -> None:
    with big({"fan": "c"}) as store:
        add_assessor(store, "eve")
        drawn = cranfield.models.draw_audit_sample(store, "fan", "eve", 6, of="comparisons")
        qids = drawn.frame["query_id"].tolist()
        at = numbers(store)
        label(store, COMPARISON_LABELS, "eve", {
            (at[one, qid], at[other, qid]): "first" if one < other else "second"
            for qid in qids for one in "abc" for other in "abc" if one != other
        })  # fmt: skip
        table = cranfield.models.estimate_human_labels(store).frame
    rows: dict[str, Any] = {str(row.run): row for row in table.itertuples()}
    assert {run: row.value for run, row in rows.items()} == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert all(
        row.measure == "WinRate" and row.low <= row.value <= row.high for row in rows.values() if row.low == row.low
    )


def test_a_panel_of_comparisons() -> None:
    with big({"x": "a", "y": "c", "z": "c"}) as store:
        judges = cranfield.models.form_panel(store, ["x", "y", "z"], "three", of="comparisons")
        assert judges.panel.labelled == 72
        rates = scores(store, "WinRate", assessor="three")
        with pytest.raises(InputError, match="comparisons have no mean"):
            cranfield.models.form_panel(store, ["x", "y", "z"], "four", of="comparisons", method="mean")
    assert (rates["c", "A"], rates["b", "A"]) == (1.0, 0.0)


def test_a_panel_of_rubrics_says_yes_or_no(store: Store, tmp_path: Path) -> None:
    with_rubrics(store, tmp_path)
    items = [(numbers(store)["a", "1"], one.number) for one in current_rubrics(store)]
    for name, one in {"x": "yes", "y": "no", "z": "yes"}.items():
        add_assessor(store, name, "model")
        label(store, RUBRIC_LABELS, name, dict.fromkeys(items, one))
    cranfield.models.form_panel(store, ["x", "y", "z"], "three", of="rubrics", method="mean")
    assert RUBRIC_LABELS.labels(store, "three") == dict.fromkeys(items, "yes")


def test_an_answer_that_is_missing_has_nothing() -> None:
    with store_of("ab", "1") as store:
        filled(store, topics="2")
        add_answers(store, [Answer("a", "2", [Sentence("so")])])
        a, b = numbers(store)["a", "1"], numbers(store)["b", "1"]
        label(store, COMPARISON_LABELS, "ada", {(a, b): "first", (b, a): "second"})
        values = scores(store, "WinRate")
    assert (values["b", "2"], values["a", "1"]) == (0.0, 1.0)
    assert isnan(values["a", "2"])


def test_the_line_mode_names_the_keys_of_its_labels(store: Store, tmp_path: Path) -> None:
    with_rubrics(store, tmp_path)
    out = io.StringIO()
    for begin, log in ((Rating, RUBRIC_LABELS), (Comparing, COMPARISON_LABELS)):
        session, keys = AnswerLabelling(store, "ada", begin, log), io.StringIO("2\n1\nq\n")
        PlainLabelling(session, keys, out, width=80, keys=DEFAULT, guidelines="").run()
    assert "0 no, 1 yes, ? for help > " in out.getvalue()
    assert "1 the first, 2 the second, 0 neither, ? for help > " in out.getvalue()
    assert [*RUBRIC_LABELS.labels(store).values()] == ["yes"]
    assert sorted(filter(None, COMPARISON_LABELS.labels(store).values())) == ["first", "second"]
