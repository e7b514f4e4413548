"""How many documents have different labels."""

from collections.abc import Mapping

import pytest

from cranfield.judging.labels.choice import choose_labels
from cranfield.judging.labels.differences import count_differences
from cranfield.judging.labels.pairs import can_labels_differ
from cranfield.selection import EVERYBODY
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
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
