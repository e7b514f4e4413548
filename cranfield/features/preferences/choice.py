"""Whose preferences score where several people, or several models, contradict each other on a pair."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from cranfield.errors import UndecidedError, row_named
from cranfield.features.preferences.files import preferences_of
from cranfield.features.preferences.pairs import Preference, ResolvedPreferences
from cranfield.features.preferences.store import DocumentPair
from cranfield.judging.labels.choice import MAX_NAMES, resolve_labellers
from cranfield.selection import EVERYBODY
from cranfield.store.store import Store
from cranfield.text import counted, join_words

ALL, MAJORITY = "all", "majority"
PREFERENCE_POLICIES = {
    ALL: "the preferences of all assessors count, each as one vote",
    MAJORITY: "the preference of most assessors counts; equal numbers give a tie",
}


class ChosenPreferences(NamedTuple):
    """The preferences that score, and a line that names whose they are."""

    answers: ResolvedPreferences
    line: str
    was_chosen: bool  # by an assessor, a policy or the record of the store, as opposed to nobody


def contradicted_pairs(preferences: Iterable[Preference]) -> dict[DocumentPair, list[str]]:
    """Return the pairs on which assessors contradict each other, with the assessors.

    >>> pair = DocumentPair("q", "d1", "d2")
    >>> contradicted_pairs([Preference("ada", pair, "d1"), Preference("ben", pair, "d2")])
    {DocumentPair(qid='q', first='d1', second='d2'): ['ada', 'ben']}
    """
    votes: dict[DocumentPair, dict[str, str]] = {}
    for preference in preferences:
        votes.setdefault(preference.pair, {})[preference.assessor] = preference.better
    return {pair: list(pair_grades) for pair, pair_grades in votes.items() if len(set(pair_grades.values())) > 1}


def majority(preferences: Iterable[Preference]) -> list[Preference]:
    """Return one preference for each pair: that of most assessors, or a tie where two have equally many.

    >>> pair = DocumentPair("q", "d1", "d2")
    >>> votes = [("ada", "d1"), ("ben", "d2"), ("eve", "d2")]
    >>> [one.better for one in majority(Preference(name, pair, better) for name, better in votes)]
    ['d2']
    """
    votes: dict[DocumentPair, Counter[str]] = {}
    for preference in preferences:
        votes.setdefault(preference.pair, Counter())[preference.better] += 1
    return [Preference(MAJORITY, pair, _most_frequent(pair_grades)) for pair, pair_grades in votes.items()]


def _most_frequent(votes: Counter[str]) -> str:
    (better, most), *others = votes.most_common(2)
    return "" if others and others[0][1] == most else better


def refuse_contradictions(store: Store, preferences: Sequence[Preference], choices: str) -> None:
    """Raise UndecidedError if assessors contradict each other on a pair.

    Parameters
    ----------
    store : Store
        The open store.
    preferences : sequence of Preference
        The preferences of all assessors that could count.
    choices : str
        What can be chosen, as the error shows it.

    Raises
    ------
    UndecidedError
        If any pair has different preferences.
    """
    contradicted = contradicted_pairs(preferences)
    if contradicted:
        names = list(dict.fromkeys(name for pair_grades in contradicted.values() for name in pair_grades))
        few = [*names[:MAX_NAMES], *(["others"] if len(names) > MAX_NAMES else [])]
        has = "has" if len(contradicted) == 1 else "have"
        found_now = f"{counted(len(contradicted), 'pair')} {has} contradicting preferences by {join_words(few)}"
        raise UndecidedError(f"{found_now}; choose which preferences count with {choices}", store.path, tuple(names))


def choose_preferences(store: Store, names: Sequence[str] = (), policy: str | None = None) -> ChosenPreferences:
    """Choose the preferences that score: those of the assessors named, or of people, or else of models.

    Parameters
    ----------
    store : Store
        The open store.
    names : sequence of str, optional
        The assessors whose preferences count. Without names, the choice that the store has on record counts.
    policy : str, optional
        What counts where assessors contradict each other: "all" or "majority".

    Returns
    -------
    ChosenPreferences
        The preferences, and a line that names the assessors and the policy.

    Raises
    ------
    UndecidedError
        If assessors contradict each other on a pair and nothing was chosen.
    InputError
        If the policy or an assessor is unknown, or there are no preferences.
    """
    if policy is not None:
        row_named(PREFERENCE_POLICIES, policy, "policy")
    recorded = ""
    if not names and policy is None:
        names, policy = _recorded_choice(store)
        recorded = ", the store's choice" if names or policy else ""
    answers = preferences_of(store, names)
    if policy is None and len(names) < 2:
        choices = f"--assessor NAME or --policy {join_words(list(PREFERENCE_POLICIES), 'or')}"
        refuse_contradictions(
            store, answers.preferences, f"{choices}, or record a choice with `cranfield store labels`"
        )
    assessors = list(dict.fromkeys(preference.assessor for preference in answers.preferences))
    if policy is None and len(names) > 1:
        policy = ALL
    if policy == MAJORITY:
        answers = replace(answers, preferences=majority(answers.preferences))
    rule = f"; policy: {policy}" if policy and len(assessors) > 1 else ""
    line = f"preferences by {join_words(assessors)}{rule}{recorded}"
    return ChosenPreferences(answers, line, was_chosen=bool(names or policy))


def _recorded_choice(store: Store) -> tuple[Sequence[str], str | None]:
    """The assessor, or the policy for preferences, that the store has on record for labels."""
    recorded = resolve_labellers(store, EVERYBODY)
    if recorded.assessor is not None:
        [(number,)] = store.rows(
            "SELECT count(*) FROM preference_event e JOIN assessor a ON a.id = e.assessor WHERE a.name = ?",
            [recorded.assessor],
        )
        return ([recorded.assessor] if number else []), None
    return [], MAJORITY if (recorded.policy or "").startswith(MAJORITY) else None
