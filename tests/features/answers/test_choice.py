"""Labels of answers that differ between models, or between people: whose score, agreement, and settlement."""

import csv
import io
import json
from pathlib import Path

import pytest

from cranfield.errors import InputError, UndecidedError
from cranfield.features.answers.analysis.judged import labelled_answers
from cranfield.features.answers.store.answers import stored_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    NUGGET_LABELS,
    SUPPORT_LABELS,
    ClaimSet,
    LabelEvent,
    add_claims,
    current_claims,
)
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.metrics.notation import parse_measures
from cranfield.selection import Labellers
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.answers.stores import answered_store, label_nuggets

YES = {("a", "1"): "sssss", ("a", "2"): "ss", ("b", "1"): "sssss", ("b", "2"): "ss"}
NO = {pair: "n" * len(letters) for pair, letters in YES.items()}


def labelled_twice(path: Path | None, kind: str) -> Store:
    """All nuggets are in all answers by yea, and in none by nay."""
    store = answered_store(path)
    for name, labels in (("yea", YES), ("nay", NO)):
        add_assessor(store, name, kind)
        label_nuggets(store, name, labels)
    return store


@pytest.mark.parametrize("kind", ["model", "human"])
def test_nuggets_are_refused_without_a_choice_and_scored_with_one(
    tmp_path: Path, cranfield: Cranfield, kind: str
) -> None:
    path = tmp_path / "s.db"
    labelled_twice(path, kind).close()
    words = ["evaluate", path, "--answers", "-m", "V_strict"]
    for command in (words, ["compare", path, "--answers"]):
        refused = cranfield(*command)
        assert (refused.code, "14 items have different labels by yea and nay" in refused.err) == (1, True)
        assert ("cranfield model panel" in refused.err) is (kind == "model")
    for choice, value in ((["--assessor", "yea"], 1.0), (["--assessor", "nay"], 0.0), (["--policy", "max"], 1.0),
                          (["--policy", "majority-tie-low"], 0.0), (["--policy", "mean-rounded"], 0.0)):  # fmt: skip
        result = cranfield(*words, *choice, "--format", "json")
        document = json.loads(result.out)
        assert {row["value"] for row in document["scores"]} == {value}
        assessors = [choice[1]] if choice[0] == "--assessor" else ["yea", "nay"]
        assert document["labelled_by"]["nuggets"]["assessors"] == assessors
        assert ", ".join(assessors) in document["labelled_by"]["nuggets"].get("line", ", ".join(assessors))
    for command in (words, ["compare", path, "--answers", "-m", "V_strict"]):
        rows = csv.DictReader(io.StringIO(cranfield.out(*command, "--policy", "max", "--format", "csv")))
        assert {"yea, nay" in row["labels_of"] and "policy: max" in row["labels_of"] for row in rows} == {True}
    assert cranfield(*words, "--policy", "max", "--assessor", "yea").code == 1
    assert cranfield("store", "labels", path, "--assessor", "nay").code == 0
    assert {row["value"] for row in json.loads(cranfield(*words, "--format", "json").out)["scores"]} == {0.0}


def test_a_panel_scores_where_it_is_named(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "s.db"
    with labelled_twice(path, "model") as store:
        add_assessor(store, "no", "model")
        label_nuggets(store, "no", NO)
    panel = ["model", "panel", path, "--of", "nuggets", "--assessor", "three"]
    assert cranfield(*panel, *(word for name in ("yea", "nay", "no") for word in ("--judge", name))).code == 0
    assert cranfield("evaluate", path, "--answers", "-m", "V_strict").code == 1
    scored = cranfield("evaluate", path, "--answers", "-m", "V_strict", "--assessor", "three", "--format", "json")
    assert {row["value"] for row in json.loads(scored.out)["scores"]} == {0.0}


def test_labels_that_agree_need_no_choice(tmp_path: Path, cranfield: Cranfield) -> None:
    with answered_store(tmp_path / "s.db") as store:
        for name in ("one", "two"):
            add_assessor(store, name)
            label_nuggets(store, name, YES)
    result = cranfield("evaluate", tmp_path / "s.db", "--answers", "-m", "V_strict")
    assert (result.code, "one, two; no item has different labels" in result.err) == (0, True)


def two_of_every_kind(store: Store) -> None:
    """Labels of support, claims and comparisons by two people who differ on every item."""
    answers = stored_answers(store)
    add_claims(store, [ClaimSet(one.qid, one.number, ["It flies."], "ada") for one in answers])
    claims = current_claims(store)
    pairs = [(a.number, b.number) for a in answers for b in answers if a.qid == b.qid and a.number != b.number]
    for name, high in (("yea", True), ("nay", False)):
        add_assessor(store, name)
        support = "support" if high else "not_support"
        SUPPORT_LABELS.append(
            store,
            [
                LabelEvent("label", (one.number, place + 1, (f"d{place + 1}",)), name, support)
                for one in answers
                for place in range(3)
            ],
        )
        CLAIM_LABELS.append(store, [LabelEvent("label", (one.answer, one.number), name, support) for one in claims])
        COMPARISON_LABELS.append(
            store,
            [LabelEvent("label", pair, name, "first" if (pair[0] < pair[1]) is high else "second") for pair in pairs],
        )


@pytest.mark.parametrize(
    ("measure", "yea", "nay"), [("SupportP", 1.0, 0.0), ("Faithful", 1.0, 0.0), ("WinRate", None, None)]
)
def test_support_claims_and_comparisons_as_well(measure: str, yea: float | None, nay: float | None) -> None:
    with answered_store() as store:
        two_of_every_kind(store)
        measures = parse_measures(measure, of="answers")
        with pytest.raises(UndecidedError, match="different labels by yea and nay") as refused:
            labelled_answers(store, measures)
        assert refused.value.names == ("yea", "nay")
        scores = [
            measures[0].scores(labelled_answers(store, measures, labellers=Labellers(name)).judged).tolist()
            for name in ("yea", "nay")
        ]
        assert scores[0] != scores[1]
        if yea is not None:
            assert (set(scores[0]), set(scores[1])) == ({yea}, {nay})
        decided = labelled_answers(store, measures, labellers=Labellers(policy="median-low"))
        assert len(measures[0].scores(decided.judged)) == 4
        with pytest.raises(InputError, match="needs equal labels"):
            labelled_answers(store, measures, labellers=Labellers(policy="single"))


@pytest.mark.parametrize(("of", "items"), [("nuggets", 14), ("support", 12), ("claims", 4), ("comparisons", 2)])
def test_agreement_of_two_people_on_every_kind(tmp_path: Path, cranfield: Cranfield, of: str, items: int) -> None:
    path = tmp_path / "s.db"
    with answered_store(path) as store:
        two_of_every_kind(store)
        label_nuggets(store, "yea", YES)
        label_nuggets(store, "nay", NO)
    result = cranfield("agreement", path, "--of", of, "--format", "json")
    rows = {row["coefficient"]: row for row in json.loads(result.out)}
    assert rows["raw agreement"]["value"] == 0.0
    assert rows["raw agreement"]["units"] == items
    title = cranfield("agreement", path, "--of", of).out.splitlines()[0]
    assert title == f"yea, nay: {items} items of {of} with at least two labels, on 2 topics"
    bare = cranfield("agreement", path)
    assert ": no document has a label; --of " in bare.err
    assert (bare.code, f"--of {of}" in bare.err) == (1, True)
    unknown = cranfield("agreement", path, "--of", of, "--assessor", "nobody")
    assert (unknown.code, f"'nobody' has no labels of {of}; available: yea, nay" in unknown.err) == (1, True)
    assert cranfield("agreement", path, "--of", "stars").code == 1


@pytest.mark.parametrize(("of", "items"), [("nuggets", 14), ("support", 12), ("claims", 4), ("comparisons", 4)])
def test_adjudication_of_every_kind_decides(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, of: str, items: int
) -> None:
    """A third person settles what two label differently: scores need no choice, and agreement stays what it was."""
    path = tmp_path / "s.db"
    with answered_store(path) as store:
        two_of_every_kind(store)
        label_nuggets(store, "yea", YES)
        label_nuggets(store, "nay", NO)
    words = ["adjudicate", path, "--of", of]
    listed = json.loads(cranfield(*words, "--list", "--format", "json").out)
    assert (len(listed), {row["settled"] for row in listed}) == (items, {None})
    assert not any(mark in row["item"] for row in listed for mark in "(,)")
    measure = {"nuggets": "V_strict", "support": "SupportP", "claims": "Faithful", "comparisons": "WinRate"}[of]
    scored = ["evaluate", path, "--answers", "-m", measure, "--format", "json"]
    assert cranfield(*scored).code == 1
    agreement = cranfield("agreement", path, "--of", of, "--format", "json").out
    key = "0" if of == "comparisons" else "2"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{key}\n" * items))
    result = cranfield(*words, "--assessor", "eve", "--plain")
    assert result.code == 0, result.err
    assert result.out.endswith(f"{items} of {items} settled.\n")
    values = {row["value"] for row in json.loads(cranfield(*scored).out)["scores"]}
    assert values == {0.5 if of == "comparisons" else 1.0}
    assert cranfield("agreement", path, "--of", of, "--format", "json").out == agreement
    settled = json.loads(cranfield(*words, "--list", "--format", "json").out)
    assert {row["settled by"] for row in settled} == {"eve"}
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert cranfield(*words, "--assessor", "yea", "--plain").code == 1
    assert cranfield("adjudicate", path, "--of", "stars", "--list").code == 2


def test_a_nugget_of_a_model_is_settled_where_people_wrote_others(
    tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.db"
    with answered_store(path) as store:
        add_assessor(store, "llm", "model")
        [number] = edit_nuggets(store, [NuggetEdit("vital", "1", "llm", "a nugget of a model")])
        answer = next(one for one in stored_answers(store) if one.qid == "1")
        for name, label in (("yea", "support"), ("nay", "not_support")):
            add_assessor(store, name)
            NUGGET_LABELS.append(store, [LabelEvent("label", (answer.number, number), name, label)])
    bare = cranfield("adjudicate", path, "--list")
    assert (bare.code, "--of nuggets settles differences between other labels" in bare.err) == (1, True)
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    result = cranfield("adjudicate", path, "--of", "nuggets", "--assessor", "eve", "--plain")
    assert (result.code, "a nugget of a model" in result.out) == (0, True), result.err
    assert result.out.endswith("1 of 1 settled.\n")


def test_labels_of_a_nugget_that_was_dropped_need_no_settlement(tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "s.db"
    with labelled_twice(path, "human") as store:
        dropped = current_nuggets(store, "1")[0]
        edit_nuggets(store, [NuggetEdit("drop", "1", "yea", nugget=dropped.number, supersedes=dropped.edit)])
    listed = json.loads(cranfield("adjudicate", path, "--of", "nuggets", "--list", "--format", "json").out)
    assert len(listed) == 12
