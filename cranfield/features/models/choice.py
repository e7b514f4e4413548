"""The choice of a store whose labels count where several differ: an assessor or a policy, kept as a log."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from cranfield.errors import InputError, StoreError
from cranfield.judging.labels.policies import policy as policy_named
from cranfield.store import Labellers
from cranfield.store.history import Happening
from cranfield.store.log import assessors
from cranfield.store.store import Store, now


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
        raise StoreError(f"no assessor {assessor!r} in this store; available: {', '.join(assessors(store)) or 'none'}")
    with store.writing():
        store.conn.execute(
            "INSERT INTO label_choice (at, assessor, policy, reason)"
            " VALUES (?, (SELECT id FROM assessor WHERE name = ?), ?, ?)",
            [now(), assessor, policy, reason],
        )


def recorded_choice(store: Store) -> Labellers:
    """The last choice; that of everybody without one."""
    rows = store.rows(
        "SELECT a.name, c.policy FROM label_choice c LEFT JOIN assessor a ON a.id = c.assessor"
        " ORDER BY c.id DESC LIMIT 1"
    )
    return Labellers(rows[0][0], policy=rows[0][1]) if rows else Labellers()


def choices_in_history(store: Store) -> list[Happening]:
    """Return the recorded choices as lines of the store's history.

    Parameters
    ----------
    store : Store
        The open store.

    Returns
    -------
    list of Happening
        The choices, the oldest first, each with its reason.
    """
    rows = store.rows(
        "SELECT c.at, c.id, a.name, c.policy, c.reason FROM label_choice c LEFT JOIN assessor a ON a.id = c.assessor"
        " ORDER BY c.id"
    )
    return [
        Happening(at, f"choice {number}", "labels", _choice_in_words(assessor, policy), holds="", reason=reason)
        for at, number, assessor, policy, reason in rows
    ]


def _choice_in_words(assessor: str | None, policy: str | None) -> str:
    return f"labels by {assessor}" if assessor else f"policy {policy}" if policy else "nothing is chosen"


def choice_of_recipe(folder: Path, store: Store, note: Callable[[str], object] | None = None) -> None:
    """Record the policy that the recipe of a collection names."""
    recipe = folder / "recipe.toml"
    if recipe.is_file() and (rule := tomllib.loads(recipe.read_text("utf-8")).get("policy")):
        record_label_choice(store, policy=rule, reason="the recipe of the collection")
