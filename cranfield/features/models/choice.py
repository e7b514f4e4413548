"""The recorded choice of whose labels count: read, shown in a store's history, made by the recipe of a collection."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from cranfield.judging.labels.recorded import record_label_choice
from cranfield.selection import Labellers
from cranfield.store.history import Happening
from cranfield.store.store import Store


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
