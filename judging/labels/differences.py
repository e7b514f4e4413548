"""How many documents have different labels, and which policy decides them: one wording for every command."""

from collections.abc import Iterable
from typing import NamedTuple

from cranfield.arrays.selection import PAIR
from cranfield.judging.labels.pairs import (
    PairLabels,
    assessors_that_count,
    can_labels_differ,
    labels_by_pair,
    models_among,
)
from cranfield.judging.labels.policies import Decisions, voting_events
from cranfield.selection import Labellers
from cranfield.store.labels import CountingLabels
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdrawal_and_round_filter
from cranfield.text import counted, join_words

MAX_NAMES = 5  # of assessors in a line
STORE_CHOICE = ", the store's choice"
SET_BY_ASSIGN = "primary, set by `cranfield assign` (the topic's assessor decides)"


class LabelDifferences(NamedTuple):
    """The number of documents with different labels, counted by topic, and the number that were adjudicated."""

    documents: int
    adjudicated: int = 0
    names: tuple[str, ...] = ()  # of the assessors whose labels differ, where a message names them

    @property
    def words(self) -> str:
        """The numbers in words.

        >>> LabelDifferences(3, 1).words
        '3 documents have different labels, 1 of them adjudicated'
        >>> LabelDifferences(2, names=("ada", "bob")).words
        '2 documents have different labels by ada and bob'
        >>> LabelDifferences(1, 1).words, LabelDifferences(0).words
        ('1 document has different labels and is adjudicated', 'no document has different labels')
        """
        if not self.documents:
            return "no document has different labels"
        has, few = "has" if self.documents == 1 else "have", [*self.names[:MAX_NAMES]]
        few += ["others"] if len(self.names) > MAX_NAMES else []
        whose = f" by {join_words(few)}" if few else ""
        line = f"{counted(self.documents, 'document')} {has} different labels{whose}"
        if self.adjudicated and self.adjudicated == self.documents:
            return f"{line} and {'is' if self.documents == 1 else 'are'} adjudicated"
        return f"{line}, {self.adjudicated} of them adjudicated" if self.adjudicated else line

    @property
    def are_open(self) -> bool:
        """Whether a policy decides some of the documents, because no adjudication does."""
        return self.documents > self.adjudicated


NO_DIFFERENCES = LabelDifferences(0)


def policy_words(differences: LabelDifferences, policy: str | None, *, recorded: bool = False) -> str:
    """Which policy is in force and why; empty where no policy was chosen and none is needed.

    >>> policy_words(LabelDifferences(3), "max"), policy_words(LabelDifferences(3), "max", recorded=True)
    ('policy: max', "policy: max, the store's choice")
    >>> policy_words(LabelDifferences(3), None)
    "policy: primary, set by `cranfield assign` (the topic's assessor decides)"
    >>> policy_words(LabelDifferences(3, 3), None), policy_words(LabelDifferences(0), None)
    ('', '')
    """
    if policy is not None:
        return f"policy: {policy}{STORE_CHOICE if recorded else ''}"
    return f"policy: {SET_BY_ASSIGN}" if differences.are_open else ""


def differences_line(differences: LabelDifferences, policy: str | None, *, recorded: bool = False) -> str:
    """The documents with different labels and the policy that decides them, in one line.

    >>> differences_line(LabelDifferences(3), "max")
    '3 documents have different labels; policy: max'
    """
    return "; ".join(filter(None, [differences.words, policy_words(differences, policy, recorded=recorded)]))


def count_differences(store: Store, labels: CountingLabels, labellers: Labellers) -> LabelDifferences:
    """Count the documents with different labels among the documents whose label counts.

    Parameters
    ----------
    store : Store
        The open store.
    labels : CountingLabels
        The labels that count.
    labellers : Labellers
        The kind of assessors whose labels count.

    Returns
    -------
    LabelDifferences
        The documents on which people differ; models only where no person labelled.
    """
    counting = withdrawal_and_round_filter(store)
    if counting.labels or counting.selection.document is not None:
        kinds = assessors_that_count(store, None, labellers.kind)
        models, by_pair = models_among(kinds), labels_by_pair(store, kinds)
        return differences_among(found.drop_model_labels_beside_peoples(models) for found in by_pair.values())
    if not can_labels_differ(store):
        return LabelDifferences(0)
    differing = store.rows(
        "SELECT e.topic - 1, e.document - 1, a.kind IN ('model', 'panel') AS by_model"
        " FROM current_event c JOIN judgment_event e ON e.id = c.id JOIN assessor a ON a.id = e.assessor"
        " WHERE e.kind IN ('label', 'import') AND a.repeats IS NULL"
        " GROUP BY e.topic, e.document, by_model HAVING min(e.grade) < max(e.grade)"
    )
    if not differing:
        return LabelDifferences(0)
    adjudicated = {
        *store.rows(
            "SELECT e.topic - 1, e.document - 1 FROM current_event c JOIN judgment_event e ON e.id = c.id"
            " WHERE e.kind = 'adjudicate' OR e.source = 'adjudication'"
        )
    }
    keys = (labels.qrels.topic * PAIR + labels.qrels.document).tolist()
    by_model = dict(zip(keys, labels.by_model.tolist(), strict=True))
    among = [
        (topic, document) in adjudicated
        for topic, document, model in differing
        if by_model.get(topic * PAIR + document) == bool(model)
    ]
    return LabelDifferences(len(among), sum(among))


def differences_among(
    by_pair: Iterable[PairLabels], names: Iterable[str] = (), *, count_unsure: bool = True
) -> LabelDifferences:
    """Count the pairs with different labels; `names` are the assessors whom the result may name, in order."""
    differing, whose = list[bool](), set[str]()
    for labels in by_pair:
        votes = voting_events(labels, count_unsure)
        if len({vote.grade for vote in votes}) > 1:
            differing.append(bool(labels.adjudications))
            whose |= {vote.assessor for vote in votes}
    return LabelDifferences(len(differing), sum(differing), tuple(name for name in names if name in whose))


def differences_of(decisions: Decisions) -> LabelDifferences:
    """Count the documents with different labels among those that a policy decided."""
    return differences_among(decisions.by_pair.values(), decisions.assessors, count_unsure=decisions.count_unsure)
