"""Recording whose labels count where several differ: an assessor or a policy, appended to the store's log."""

from cranfield.errors import InputError, StoreError
from cranfield.judging.labels.policies import find_policy as policy_named
from cranfield.store.log import assessors
from cranfield.store.store import Store, now
from cranfield.text import name_hint


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
        raise InputError("--assessor and --policy exclude each other: one assessor has one label of each document")
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
