"""trec_eval's preference measures: how many preferences a ranking fulfils, of those that it could."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Mask
from cranfield.metrics.preferences.group import PreferenceGroup

Counted = Literal["all", "retrieved", "implied"]


class Preferences(NamedTuple):
    """How many are fulfilled, of how many.

    A preference of a over b is fulfilled where a is ranked above b; where only a is retrieved, that is implied. They
    differ in what is averaged (all preferences alike: simp; pairs of documents: pair; judgment groups: avgjg) and in
    what counts: everything, where a preference between documents that were not retrieved is not fulfilled; only
    preferences between retrieved documents (_ret); or those with at least one retrieved document (_imp). _Rnonrel takes
    as many documents that are not relevant as are relevant, so that it does not matter how many were judged: of more
    the first, and fewer are made up for.

    Source: the measures m_prefs_*.c and form_prefs_counts.c of trec_eval, whose results these are in every case, such
    as 0 where nothing can be fulfilled. Of a group without subgroups _Rnonrel also compares documents that are not
    relevant.
    """

    fulfilled: int
    possible: int


def preferences(prefers: Mask, retrieved: int, counted: Counted = "all") -> Preferences:
    """The preferences of a matrix.

    >>> prefers = np.array([[0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], bool)
    >>> [tuple(preferences(prefers, 2, counted)) for counted in ("all", "retrieved", "implied")]
    [(2, 4), (0, 1), (2, 3)]
    """
    both, one, other = prefers[:retrieved, :retrieved], prefers[:retrieved, retrieved:], prefers[retrieved:, :retrieved]
    fulfilled, possible = int(np.triu(both, 1).sum()), int(both.sum())
    if counted != "retrieved":
        fulfilled, possible = fulfilled + int(one.sum()), possible + int(one.sum()) + int(other.sum())
    if counted == "all":
        possible += int(prefers[retrieved:, retrieved:].sum())
    return Preferences(fulfilled, possible)


Groups = Sequence[PreferenceGroup]


def _total(groups: Groups, counted: Counted = "all") -> Preferences:
    each = [preferences(group.prefers, group.retrieved, counted) for group in groups]
    return Preferences(sum(one.fulfilled for one in each), sum(one.possible for one in each))


def simple(groups: Groups, counted: Counted = "all") -> float:
    """All preferences alike."""
    fulfilled, possible = _total(groups, counted)
    return fulfilled / possible if possible else 0.0


def by_pair(groups: Groups, counted: Counted = "all") -> float:
    """Pairs of documents alike: of one that two groups order one way and a third the other, 2/3 or 1/3 is fulfilled."""
    times = np.sum([group.prefers for group in groups], axis=0, dtype=np.int64)
    both = times + times.T
    fulfilled = np.divide(times, both, out=np.zeros(both.shape), where=both > 0)
    known, retrieved = np.triu(both > 0, 1), groups[0].retrieved
    known[retrieved:, retrieved:] &= counted == "all"
    known[:, retrieved:] &= counted != "retrieved"
    there = fulfilled[:retrieved][known[:retrieved]].sum()
    return float(there / known.sum()) if known.any() else 0.0


def by_group(groups: Groups, counted: Counted = "all") -> float:
    """Judgment groups alike; one in which nothing can be fulfilled counts as 0."""
    each = (preferences(group.prefers, group.retrieved, counted) for group in groups)
    return sum(one.fulfilled / one.possible if one.possible else 0.0 for one in each) / len(groups)


def as_many_nonrelevant(groups: Groups, counted: Counted = "all") -> float:
    """Judgment groups alike, each with as many documents that are not relevant as are relevant."""
    each = [_as_many(group, counted) for group in groups]
    undefined = any(one.possible == 0 for one in each)
    return 0.0 if undefined else sum(one.fulfilled / one.possible for one in each) / len(groups)


def _as_many(group: PreferenceGroup, counted: Counted) -> Preferences:
    part = group.first(group.retrieved) if counted == "retrieved" else group
    relevant = int(part.relevant.sum())
    more = relevant - int(part.nonrelevant.sum())
    if more < 0:
        return preferences(_fewer(part, relevant, int(group.relevant.sum())), part.retrieved)
    fulfilled, possible = preferences(part.prefers, part.retrieved)
    top = int(part.relevant[: part.retrieved].sum())
    return Preferences(fulfilled + top * more, possible + int(group.relevant.sum()) * more)


def _fewer(part: PreferenceGroup, relevant: int, of_all: int) -> Mask:
    """The preferences without those on documents that are one too many and not relevant."""
    prefers = part.prefers.copy()
    if part.partial:
        gone = np.flatnonzero(part.nonrelevant)[of_all:]
        prefers[gone, :] = prefers[:, gone] = False
        return prefers
    last = np.flatnonzero(part.level == np.nanmin(part.level))
    prefers[:, last[relevant:]] = False
    prefers[np.ix_(last, last[:relevant])] = True
    return prefers


class PreferenceMeasure(NamedTuple):
    """A measure: its value for a topic, and whether it is summed over topics."""

    value: Callable[[Groups], float]
    summed: bool = False


MEASURES: Mapping[str, PreferenceMeasure] = {
    "prefs_num_prefs_poss": PreferenceMeasure(lambda groups: _total(groups).possible, summed=True),
    "prefs_num_prefs_ful": PreferenceMeasure(lambda groups: _total(groups).fulfilled, summed=True),
    "prefs_num_prefs_ful_ret": PreferenceMeasure(lambda groups: _total(groups, "retrieved").fulfilled, summed=True),
    "prefs_simp": PreferenceMeasure(simple),
    "prefs_pair": PreferenceMeasure(by_pair),
    "prefs_avgjg": PreferenceMeasure(by_group),
    "prefs_avgjg_Rnonrel": PreferenceMeasure(as_many_nonrelevant),
    "prefs_simp_ret": PreferenceMeasure(lambda groups: simple(groups, "retrieved")),
    "prefs_pair_ret": PreferenceMeasure(lambda groups: by_pair(groups, "retrieved")),
    "prefs_avgjg_ret": PreferenceMeasure(lambda groups: by_group(groups, "retrieved")),
    "prefs_avgjg_Rnonrel_ret": PreferenceMeasure(lambda groups: as_many_nonrelevant(groups, "retrieved")),
    "prefs_simp_imp": PreferenceMeasure(lambda groups: simple(groups, "implied")),
    "prefs_pair_imp": PreferenceMeasure(lambda groups: by_pair(groups, "implied")),
    "prefs_avgjg_imp": PreferenceMeasure(lambda groups: by_group(groups, "implied")),
}
