"""The policy by which a published folder makes one label of several."""

from collections.abc import Sequence

from cranfield.errors import InputError
from cranfield.judging.labels.choice import chance_notes, resolve_policy
from cranfield.judging.labels.policies import apply_policy
from cranfield.judging.labels.policies import find_policy as policy_named
from cranfield.selection import Selection
from cranfield.store.store import Store


def policy_to_publish(store: Store, policy: str | None = None, topics: str = "") -> tuple[str, Sequence[str]]:
    """Return the policy of a folder: the given one, otherwise the one on record; labels that differ need one of them.

    Parameters
    ----------
    store : Store
        The store that is published.
    policy : str, optional
        The policy that the command or the caller named.
    topics : str, optional
        The only topics that are published, a set or a list; all by default.

    Returns
    -------
    tuple of str and sequence of str
        The policy, and notes: what the store has on record, and models that agree with people no better than chance.

    Raises
    ------
    UndecidedError
        If labels of published topics differ and nothing was chosen.
    InputError
        If the policy is unknown, or the store has an assessor on record, whom a folder cannot declare as its policy, or
        nothing was chosen and a model's labels count that agree with people's no better than chance.
    """
    rule = None if policy is None else policy_named(policy).name
    store = store.select(Selection(topics=topics)) if topics else store
    chosen = resolve_policy(store, rule, option="")
    if chosen.names is not None:
        name = ", ".join(chosen.names)
        raise InputError(
            f"the store counts only the labels of {name}, but a folder needs a policy; choose one with --policy NAME",
            store.path,
        )
    decided = apply_policy(store, rule=chosen.rule)
    return chosen.rule, (*chosen.notes_on(decided), *chance_notes(store, decided.supporting_models))
