"""A model's labels of answers beside people's."""

import json
from pathlib import Path

import pytest

from cranfield.analysis.answers.audit import audit_answers
from cranfield.errors import InputError
from cranfield.judging.agreement.chance_corrected import COHEN
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from tests.analysis.answers.stores import SAID, answered_store, label_nuggets, label_support
from tests.conftest import Cranfield

BY_MODEL = {("a", "1"): "sspnx", ("a", "2"): "ss", ("b", "1"): "nnnns", ("b", "2"): "nn"}


def labelled(store: Store) -> Store:
    """People's labels of all 14 pairs, a model's with a failure, a second person's of 2."""
    answered_store(store)
    add_assessor(store, "bob")
    label_nuggets(store, "ada", SAID)
    label_nuggets(store, "llm", BY_MODEL)
    label_nuggets(store, "bob", {("a", "2"): "sn"})
    return store


def test_labels_are_compared_on_what_both_gave() -> None:
    """By hand: people spns|ss|nnnnn|pn, the model sspn|ss|nnnns|nn; the failure is counted and no label."""
    with labelled(Store.memory("audit")) as store:
        found = audit_answers(store, "nuggets", "llm", "ada")
    assert (found.items, found.topics, found.failed) == (13, 2, 1)
    people = [2, 1, 0, 2, 2, 2, 0, 0, 0, 0, 0, 1, 0]
    model = [2, 2, 1, 0, 2, 2, 0, 0, 0, 0, 2, 0, 0]
    pairs = list(zip(people, model, strict=True))
    assert dict(found.grades) == {pair: pairs.count(pair) for pair in pairs}
    values = {one.coefficient: one.interval.value for one in found.agreement}
    assert values["raw agreement"] == pytest.approx(sum(a == b for a, b in pairs) / 13)
    assert values["Cohen kappa"] == pytest.approx(COHEN["plain"](pairs))
    assert found.over[0].over == pytest.approx((sum(model) - sum(people)) / 13)
    assert {one.coefficient: one.interval.value for one in found.ceiling}["raw agreement"] == 0.5


def test_who_is_no_model_or_has_nothing_in_common_is_refused() -> None:
    with labelled(Store.memory("audit")) as store:
        with pytest.raises(InputError, match="'ada' is not a model of this store"):
            audit_answers(store, "nuggets", "ada")
        with pytest.raises(InputError, match="'llm' is not a person of this store"):
            audit_answers(store, "nuggets", "llm", "llm")
        label_support(store, "ada", "spns")
        with pytest.raises(InputError, match="nothing has labels of support by both 'llm' and people"):
            audit_answers(store, "support", "llm")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> None:
    monkeypatch.chdir(tmp_path)
    labelled(Store.create("t.db", "audit")).close()
    done = cranfield("model", "audit", "answers", "t.db", "nuggets", "--model", "llm")
    assert done.code == 0, done.err
    assert "nuggets: agreement of llm with people on 13 labels of 2 topics that both gave" in done.out
    assert "1 label that people gave, and llm failed to give, left out." in done.out
    done = cranfield("model", "audit", "answers", "t.db", "nuggets", "--model", "llm", "--format", "json")
    document = json.loads(done.out)
    assert (document["items"], document["failed"], document["over_rating"][0]["people"]) == (13, 1, "all")
