"""The recorded choices of whose labels count where several differ."""

from typing import NamedTuple

from cranfield.selection import Labellers
from cranfield.store.store import Store


class LabelChoice(NamedTuple):
    """A recorded choice: its number, its time, the assessor or the policy (neither withdraws a choice), and why."""

    number: int
    at: str
    labellers: Labellers
    reason: str


def label_choices(store: Store) -> list[LabelChoice]:
    """Return all choices in the order in which they were recorded."""
    if not store.has_rows("label_choice"):
        return []
    rows = store.rows(
        "SELECT c.id, c.at, a.name, c.policy, c.reason FROM label_choice c LEFT JOIN assessor a ON a.id = c.assessor"
        " ORDER BY c.id"
    )
    return [LabelChoice(number, at, Labellers(name, policy=policy), why) for number, at, name, policy, why in rows]


def recorded_labellers(store: Store) -> Labellers:
    """Return the choice in force: everybody's labels without one."""
    choices = label_choices(store)
    return choices[-1].labellers if choices else Labellers()
