"""How many documents have different labels."""

from collections.abc import Mapping

import pytest

from cranfield.judging.labels.choice import choose_labels
from cranfield.judging.labels.differences import count_differences
from cranfield.judging.labels.pairs import can_labels_differ
from cranfield.selection import EVERYBODY
from cranfield.store.chain import Event, add_person
from cranfield.store.log import REPEAT, add_assessor, append
from tests.judging.cases import store_of


@pytest.mark.parametrize(
    ("kinds", "differing"),
    [
        ({"ada": "human"}, 0),
        ({"ada": "human", "m": "model"}, 0),
        ({"ada": "human", "bo": "human"}, 1),
        ({"m": "model", "p": "panel"}, 1),
        ({"ada": "human", "bo": "human", "m": "model"}, 1),
    ],
)
def test_only_two_people_or_two_models_differ(kinds: Mapping[str, str], differing: int) -> None:
    """A person's label counts where a model's is another one."""
    with store_of() as store:
        for name, kind in kinds.items():
            add_assessor(store, name, kind)
        append(store, *(Event("label", "q1", "d1", name, number % 2) for number, name in enumerate(kinds)))
        assert can_labels_differ(store) is bool(differing)
        labels = choose_labels(store, EVERYBODY._replace(policy="max"))
        assert count_differences(store, labels, EVERYBODY).documents == differing


def test_a_second_label_by_the_same_person_is_no_difference() -> None:
    """Documents shown twice measure consistency; the second label does not count."""
    with store_of() as store:
        add_assessor(store, "ada")
        with store.writing():
            add_person(store.conn, f"ada{REPEAT}", "human", "ada")
        append(store, Event("label", "q1", "d1", "ada", 1), Event("label", "q1", "d1", f"ada{REPEAT}", 0))
        assert not can_labels_differ(store)
        add_assessor(store, "bo")
        append(store, Event("label", "q1", "d1", "bo", 1))
        assert count_differences(store, choose_labels(store, EVERYBODY), EVERYBODY).documents == 0
