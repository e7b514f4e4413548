"""The policy by which a published folder makes one label of several."""

from collections.abc import Sequence

from cranfield.errors import InputError
from cranfield.judging.labels.choice import choose_policy
from cranfield.judging.labels.policies import policy as policy_named
from cranfield.store.store import Store


def policy_to_publish(store: Store, policy: str | None = None) -> tuple[str, Sequence[str]]:
    """Return the policy of a folder: the given one, otherwise the one on record, otherwise "primary".

    Parameters
    ----------
    store : Store
        The store that is published.
    policy : str, optional
        The policy that the command or the caller named.

    Returns
    -------
    tuple of str and sequence of str
        The policy, and notes: what the store has on record, or that labels differ and nothing was chosen.

    Raises
    ------
    InputError
        If the policy is unknown, or the store has an assessor on record, whom a folder cannot declare as its policy.
    """
    if policy is not None:
        return policy_named(policy).name, ()
    chosen = choose_policy(store)
    if chosen.names is not None:
        name = ", ".join(chosen.names)
        raise InputError(
            f"the store's choice is the labels of {name}, and a folder has labels by a policy; choose --policy NAME",
            store.path,
        )
    return chosen.rule, chosen.notes
