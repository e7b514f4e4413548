"""What is unsettled when a task closes or its results come out: disagreements, and requests to withdraw runs."""

from collections.abc import Sequence

from cranfield.errors import UndecidedError
from cranfield.features.tasks.withdrawing import waiting_lines
from cranfield.judging.labels.choice import require_decided_labellers
from cranfield.judging.labels.pairs import labels_by_pair
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import counted


def count_unsettled(store: Store) -> int:
    """Count the pairs that people label differently and that nobody adjudicated.

    Parameters
    ----------
    store : Store
        The store of the task.

    Returns
    -------
    int
        The number of pairs of a topic and a document.
    """
    people = [name for name, kind in assessors(store).items() if kind == "human"]
    ballots = labels_by_pair(store, people).values()
    return sum(len({vote.grade for vote in one.votes}) > 1 and not one.adjudications for one in ballots)


def unsettled_lines(store: Store) -> list[str]:
    """Say how many disagreements and requests to withdraw a run are unsettled, and what settles them."""
    return [*_disagreement_lines(store), *waiting_lines(store)]


def _disagreement_lines(store: Store) -> Sequence[str]:
    number = count_unsettled(store)
    if not number:
        return ()
    verb = "is" if number == 1 else "are"
    line = (
        f"{counted(number, 'disagreement')} between assessors {verb} not settled; settle them with `cranfield"
        " adjudicate`"
    )
    try:
        require_decided_labellers(store)
    except UndecidedError:
        return (f"{line}. There are no results until you choose which labels count with `cranfield store"
            " labels`",)  # fmt: skip
    return (line,)
