"""Labels of people that a recorded choice of one assessor leaves out, on documents without a label that counts."""

import numpy as np

from cranfield.arrays.selection import PAIR, pair_keys
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.label_choice import recorded_labellers
from cranfield.store.labels import CountingLabels
from cranfield.store.log import assessors
from cranfield.store.qrels import labels_that_count
from cranfield.store.store import Store
from cranfield.text import counted, join_words

MAX_NAMES = 5  # of assessors in the note


def uncounted_labels_note(store: Store, counting: CountingLabels, assessor: str) -> str:
    """Note the labels of people on documents that the chosen assessor did not label; empty if there are none.

    Parameters
    ----------
    store : Store
        The open store.
    counting : CountingLabels
        The labels that count.
    assessor : str
        The assessor whose labels alone count, by `store labels`.

    Returns
    -------
    str
        The number of labels, whose they are, and the command that makes them count.
    """
    if len(assessors(store)) < 2:
        return ""
    people = labels_that_count(store, Labellers(kind=LabelledBy.people))
    counted_keys = pair_keys(counting.qrels.topic, counting.qrels.document)
    left_out = people.rows(~np.isin(people.qrels.topic * PAIR + people.qrels.document, counted_keys))
    if not len(left_out.qrels):
        return ""
    events = dict[int, str](
        store.rows("SELECT e.id, a.name FROM judgment_event e JOIN assessor a ON a.id = e.assessor")
    )
    names = sorted({events[event] for event in left_out.event.tolist()})
    return _sentence(len(left_out.qrels), names, assessor)


def recorded_choice_note(store: Store) -> str:
    """Note the labels of people that the recorded choice leaves out; empty without a recorded assessor."""
    chosen = recorded_labellers(store)
    if chosen.assessor is None:
        return ""
    return uncounted_labels_note(store, labels_that_count(store, chosen), chosen.assessor)


def _sentence(n_labels: int, names: list[str], assessor: str) -> str:
    """Say how many labels do not count.

    >>> print(_sentence(10, ["ada"], "import"))
    10 labels by ada do not count, because `store labels` chose import; `cranfield store labels STORE --policy primary`
    counts them where import did not label
    """
    do, them = ("does", "it") if n_labels == 1 else ("do", "them")
    few = [*names[:MAX_NAMES], *(["others"] if len(names) > MAX_NAMES else [])]
    return (
        f"{counted(n_labels, 'label')} by {join_words(few)} {do} not count, because `store labels` chose {assessor};"
        f" `cranfield store labels STORE --policy primary` counts {them} where {assessor} did not label"
    )


def later_labels_note(store: Store, assessor: str) -> str:
    """Warn an assessor whose labels will not count, because the recorded choice is another assessor."""
    chosen = recorded_labellers(store).assessor
    if chosen is None or chosen == assessor:
        return ""
    return (
        f"labels by {assessor} will not count, because `store labels` chose {chosen}; to count them for documents"
        f" that {chosen} has not labelled, run `cranfield store labels STORE --policy primary`"
    )


def unlabelled_pool_note(store: Store, number: int) -> str:
    """Name the pool whose documents are all unlabelled, if this one has labelled documents; empty otherwise."""
    n_labelled_by_pool = {
        pool: (n_pooled, n_labelled)
        for pool, n_pooled, n_labelled in store.rows(
            "SELECT p.pool, count(*), count(j.qid) FROM pooled p LEFT JOIN (SELECT DISTINCT qid, docno FROM"
            " current_judgment WHERE grade IS NOT NULL) j ON j.qid = p.qid AND j.docno = p.docno GROUP BY p.pool"
        )
    }
    n_pooled, n_labelled = n_labelled_by_pool.get(number, (0, 0))
    unlabelled = [pool for pool, (_, n_other) in n_labelled_by_pool.items() if pool != number and n_other == 0]
    if not n_labelled or not unlabelled:
        return ""
    documents = f"{n_labelled:,} of the {counted(n_pooled, 'document')} in pool {number}"
    have = "has a label" if n_labelled == 1 else "have a label"
    return f"{documents} {have}; --pool {max(unlabelled)} shows only documents without one"
