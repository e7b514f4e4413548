"""Whose labels of answers score: one assessor's, those of a policy, or those on which nobody disagrees."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from cranfield.errors import InputError, UndecidedError
from cranfield.features.answers.store.labels import RUBRIC_LABELS, LabelLog
from cranfield.features.answers.store.nuggets import CountedLabels, counted_labels
from cranfield.judging.labels.choice import Undecided
from cranfield.judging.labels.policies import find_policy
from cranfield.selection import Labellers
from cranfield.store.store import Store

HALVES = (0, 1, 2)  # of a label: no, partly, yes
YES_OR_NO = (0, 2)


def decide_label(votes: Sequence[float], rule: str, scale: Sequence[int] = HALVES) -> float:
    """Combine the labels of several assessors by a policy for grades.

    Parameters
    ----------
    votes : sequence of float
        A label of each assessor, in the order in which they came: 0, 0.5 or 1.
    rule : str
        The name of a policy.
    scale : sequence of int, optional
        The possible labels in halves.

    Returns
    -------
    float
        The label.

    Raises
    ------
    InputError
        No policy has this name, or it does not decide between labels that differ.

    Examples
    --------
    >>> decide_label([1.0, 0.0, 0.5], "mean-rounded"), decide_label([1.0, 0.0], "min")
    (0.5, 0.0)
    """
    grade = find_policy(rule).grade([int(2 * vote) for vote in votes], scale)
    if grade is None:
        raise InputError(f"policy {rule!r} gives no label")
    return grade / 2


def decide_labels_of(log: LabelLog) -> Callable[[Sequence[float], str], float]:
    """Return the function that combines labels of a log by a policy."""
    return partial(decide_label, scale=YES_OR_NO if log is RUBRIC_LABELS else HALVES)


def choose_counted_labels(
    store: Store, log: LabelLog, labellers: Labellers, nuggets: Collection[int] | None = None
) -> CountedLabels:
    """The labels of a log that score.

    Parameters
    ----------
    store : Store
        The open store.
    log : LabelLog
        The kind of labels.
    labellers : Labellers
        The choice of an assessor, or of a policy where labels differ.
    nuggets : collection of int, optional
        The numbers of the only nuggets whose labels count.

    Returns
    -------
    CountedLabels
        The labels, and whose they are.

    Raises
    ------
    InputError
        Labels differ and nothing was chosen, or both an assessor and a policy were.
    """
    check_choice(labellers)
    counting = counted_labels(store, log, labellers, nuggets, decide_labels_of(log))
    refuse_undecided(store, counting)
    return counting


def check_choice(labellers: Labellers) -> None:
    """Raise InputError if an assessor and a policy are both given, or the policy is unknown."""
    if labellers.policy is not None:
        find_policy(labellers.policy)
        if labellers.assessor is not None:
            raise InputError(
                "--assessor and --policy cannot be used together: an assessor has only one label for each item"
            )


def refuse_undecided(store: Store, counting: CountedLabels, option: str = "--assessor") -> None:
    """Raise UndecidedError if labels differ and nothing decides whose count; `option` names an assessor."""
    if counting.undecided:
        how = "; `cranfield model panel` combines models" * counting.by_models
        message = Undecided(range(counting.items), counting.undecided).message("item", how, option)
        raise UndecidedError(message, store.path, counting.undecided)
