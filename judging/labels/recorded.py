"""Whose labels count where several differ: record an assessor or a policy in the store, or report the choice."""

from typing import Literal, NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.judging.labels.choice import undecided_pairs
from cranfield.judging.labels.differences import LabelDifferences, differences_of
from cranfield.judging.labels.policies import apply_policy
from cranfield.judging.labels.policies import find_policy as policy_named
from cranfield.store.label_choice import recorded_labellers
from cranfield.store.log import assessors
from cranfield.store.store import Store, now
from cranfield.text import counted, name_hint


def record_label_choice(
    store: Store, *, assessor: str | None = None, policy: str | None = None, reason: str = ""
) -> None:
    """Record whose labels count where several differ; neither an assessor nor a policy takes the choice back.

    Parameters
    ----------
    store : Store
        The open store.
    assessor : str, optional
        The assessor whose labels alone count.
    policy : str, optional
        The policy that decides.
    reason : str, optional
        Why, for those who read the log.

    Raises
    ------
    InputError
        Both are given, or the policy is unknown.
    StoreError
        The store has no such assessor.
    """
    if assessor is not None and policy is not None:
        raise InputError(
            "--assessor and --policy cannot be used together: one assessor has only one label for each document"
        )
    if policy is not None:
        policy_named(policy)
    if assessor is not None and assessor not in assessors(store):
        raise StoreError(f"no assessor {assessor!r} in this store{name_hint(assessor, assessors(store))}")
    with store.writing():
        store.conn.execute(
            "INSERT INTO label_choice (at, assessor, policy, reason)"
            " VALUES (?, (SELECT id FROM assessor WHERE name = ?), ?, ?)",
            [now(), assessor, policy, reason],
        )


class ChoiceInForce(NamedTuple):
    """Whose labels count, what chose them, and the lines that report it."""

    chosen_by: Literal["choice", "assign", "default"]
    differences: LabelDifferences
    lines: tuple[str, ...]


def choice_in_force(store: Store) -> ChoiceInForce:
    """Report whose labels count in a store and why.

    Parameters
    ----------
    store : Store
        The open store.

    Returns
    -------
    ChoiceInForce
        The origin is the recorded choice, `cranfield assign`, or the default; lines for people.
    """
    recorded = recorded_labellers(store)
    differences = differences_of(apply_policy(store))
    if recorded.assessor or recorded.policy:
        line = (
            f"the labels of {recorded.assessor} count"
            if recorded.assessor
            else f"policy {recorded.policy} decides where labels differ"
        )
        return ChoiceInForce("choice", differences, (f"{line} (recorded choice)", differences.words))
    if not differences.are_open:
        return ChoiceInForce("default", differences, ("no choice is recorded", differences.words))
    undecided = undecided_pairs(store)
    if undecided.items:
        remedy = "choose with --assessor NAME or --policy NAME, or settle differences with `cranfield adjudicate`"
        line = f"no choice is recorded, and {counted(len(undecided.items), 'document')} needs one; {remedy}"
        if len(undecided.items) > 1:
            line = line.replace(" needs one;", " need one;")
        return ChoiceInForce("default", differences, (line, differences.words))
    line = "policy primary decides where labels differ (set by `cranfield assign`): the topic's assessor decides"
    return ChoiceInForce("assign", differences, (line, differences.words))
