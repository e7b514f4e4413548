"""Preferences between documents, and trec_eval's measures of how many of them a ranking fulfils."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Mask, Runs
from cranfield.errors import InputError
from cranfield.formats.preferences import PreferenceLine


@dataclass(frozen=True, eq=False)
class PreferenceGroup:
    """Who is preferred to whom, and the level of each document, NaN outside the group.

    Documents that were retrieved come first, in their order; those that were not follow. A group with one subgroup
    prefers every document to all of a lower level. With several subgroups, what follows from two of them is preferred
    as well.

    `partial`: of several subgroups, which may leave documents uncompared.
    """

    level: Floats
    prefers: Mask
    retrieved: int
    partial: bool = False

    def first(self, documents: int) -> "PreferenceGroup":
        """The same for the first documents only."""
        inside = slice(documents)
        return PreferenceGroup(self.level[inside], self.prefers[inside, inside], self.retrieved, self.partial)

    @property
    def relevant(self) -> Mask:
        """The documents with a level above 0."""
        return self.level > 0

    @property
    def nonrelevant(self) -> Mask:
        """The documents with a level of 0, or below in a group without subgroups."""
        return self.level == 0 if self.partial else self.level <= 0


def groups_of(lines: Sequence[PreferenceLine], ranking: Sequence[str]) -> list[PreferenceGroup]:
    """The groups of a topic for a ranking, in the order of their names.

    >>> lines = [PreferenceLine(1, "q", "ada", "0", "a", 2), PreferenceLine(2, "q", "ada", "0", "b", 1)]
    >>> groups_of(lines, ["b", "x", "a"])[0].prefers
    array([[False, False],
           [ True, False]])
    """
    judged = {one.docno for one in lines}
    retrieved = [docno for docno in ranking if docno in judged]
    place = {docno: number for number, docno in enumerate([*retrieved, *sorted(judged - set(retrieved))])}
    groups: dict[str, dict[str, list[PreferenceLine]]] = {}
    for one in sorted(lines, key=lambda one: (one.group, one.subgroup, -one.level)):
        groups.setdefault(one.group, {}).setdefault(one.subgroup, []).append(one)
    return [_group(list(parts.values()), place, len(retrieved)) for parts in groups.values()]


def _group(parts: Sequence[Sequence[PreferenceLine]], place: dict[str, int], retrieved: int) -> PreferenceGroup:
    level = np.full(len(place), np.nan)
    prefers = np.zeros((len(place), len(place)), np.bool_)
    for part in parts:
        at = np.array([place[one.docno] for one in part])
        levels = np.array([one.level for one in part])
        before = level[at]
        both = ~np.isnan(before) & ((before > 0) & (levels == 0) | (before == 0) & (levels > 0))
        if both.any():
            one = part[int(np.argmax(both))]
            raise InputError(
                f"line {one.line}: document {one.docno!r} of topic {one.qid} is on level {one.level:g} in group"
                f" {one.group!r}, but not in all groups; expected level 0 (not relevant) in all groups or none"
            )
        level[at] = levels
        prefers[np.ix_(at, at)] |= levels[:, None] > levels
    partial = len(parts) > 1
    if partial:
        prefers = transitive_closure(prefers)
        circular = np.flatnonzero(prefers.diagonal())
        if len(circular):
            first, docno = parts[0][0], list(place)[circular[0]]
            raise InputError(
                f"line {first.line}: topic {first.qid}, group {first.group!r}: the preferences for document {docno!r}"
                " form a cycle; expected no cycle; put contradictory preferences into separate groups"
            )
    return PreferenceGroup(level, prefers, retrieved, partial)


def transitive_closure(prefers: Mask) -> Mask:
    """The preferences, and those that follow: what is preferred to a document is preferred to all below it.

    >>> transitive_closure(np.array([[False, True, False], [False, False, True], [False, False, False]]))[0]
    array([False,  True,  True])
    """
    order = prefers
    while True:
        further = order | (order.astype(np.float32) @ order.astype(np.float32) > 0)
        if np.array_equal(further, order):
            return order
        order = further


Scope = Literal["all", "retrieved", "implied"]


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


def count_preferences(prefers: Mask, retrieved: int, scope: Scope = "all") -> Preferences:
    """The preferences of a matrix.

    >>> prefers = np.array([[0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], bool)
    >>> [tuple(count_preferences(prefers, 2, counted)) for counted in ("all", "retrieved", "implied")]
    [(2, 4), (0, 1), (2, 3)]
    """
    both, one, other = prefers[:retrieved, :retrieved], prefers[:retrieved, retrieved:], prefers[retrieved:, :retrieved]
    fulfilled, possible = int(np.triu(both, 1).sum()), int(both.sum())
    if scope != "retrieved":
        fulfilled, possible = fulfilled + int(one.sum()), possible + int(one.sum()) + int(other.sum())
    if scope == "all":
        possible += int(prefers[retrieved:, retrieved:].sum())
    return Preferences(fulfilled, possible)


Groups = Sequence[PreferenceGroup]


def _sum_preferences(groups: Groups, scope: Scope = "all") -> Preferences:
    each = [count_preferences(group.prefers, group.retrieved, scope) for group in groups]
    return Preferences(sum(one.fulfilled for one in each), sum(one.possible for one in each))


def simple_preference(groups: Groups, scope: Scope = "all") -> float:
    """All preferences alike."""
    fulfilled, possible = _sum_preferences(groups, scope)
    return fulfilled / possible if possible else 0.0


def pair_preference(groups: Groups, scope: Scope = "all") -> float:
    """Pairs of documents alike: of one that two groups order one way and a third the other, 2/3 or 1/3 is fulfilled."""
    times = np.sum([group.prefers for group in groups], axis=0, dtype=np.int64)
    both = times + times.T
    fulfilled = np.divide(times, both, out=np.zeros(both.shape), where=both > 0)
    pairs, retrieved = np.triu(both > 0, 1), groups[0].retrieved
    pairs[retrieved:, retrieved:] &= scope == "all"
    pairs[:, retrieved:] &= scope != "retrieved"
    credit = fulfilled[:retrieved][pairs[:retrieved]].sum()
    return float(credit / pairs.sum()) if pairs.any() else 0.0


def group_preference(groups: Groups, scope: Scope = "all") -> float:
    """Judgment groups alike; one in which nothing can be fulfilled counts as 0."""
    each = (count_preferences(group.prefers, group.retrieved, scope) for group in groups)
    return sum(one.fulfilled / one.possible if one.possible else 0.0 for one in each) / len(groups)


def as_many_nonrelevant(groups: Groups, scope: Scope = "all") -> float:
    """Judgment groups alike, each with as many documents that are not relevant as are relevant."""
    each = [_preferences_with_as_many_nonrelevant(group, scope) for group in groups]
    undefined = any(one.possible == 0 for one in each)
    return 0.0 if undefined else sum(one.fulfilled / one.possible for one in each) / len(groups)


def _preferences_with_as_many_nonrelevant(group: PreferenceGroup, scope: Scope) -> Preferences:
    part = group.first(group.retrieved) if scope == "retrieved" else group
    relevant = int(part.relevant.sum())
    more = relevant - int(part.nonrelevant.sum())
    if more < 0:
        return count_preferences(_drop_excess_preferences(part, relevant, int(group.relevant.sum())), part.retrieved)
    fulfilled, possible = count_preferences(part.prefers, part.retrieved)
    top = int(part.relevant[: part.retrieved].sum())
    return Preferences(fulfilled + top * more, possible + int(group.relevant.sum()) * more)


def _drop_excess_preferences(part: PreferenceGroup, relevant: int, n_groups: int) -> Mask:
    """The preferences without those on documents that are one too many and not relevant."""
    prefers = part.prefers.copy()
    if part.partial:
        rest = np.flatnonzero(part.nonrelevant)[n_groups:]
        prefers[rest, :] = prefers[:, rest] = False
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
    "prefs_num_prefs_poss": PreferenceMeasure(lambda groups: _sum_preferences(groups).possible, summed=True),
    "prefs_num_prefs_ful": PreferenceMeasure(lambda groups: _sum_preferences(groups).fulfilled, summed=True),
    "prefs_num_prefs_ful_ret": PreferenceMeasure(
        lambda groups: _sum_preferences(groups, "retrieved").fulfilled, summed=True
    ),
    "prefs_simp": PreferenceMeasure(simple_preference),
    "prefs_pair": PreferenceMeasure(pair_preference),
    "prefs_avgjg": PreferenceMeasure(group_preference),
    "prefs_avgjg_Rnonrel": PreferenceMeasure(as_many_nonrelevant),
    "prefs_simp_ret": PreferenceMeasure(lambda groups: simple_preference(groups, "retrieved")),
    "prefs_pair_ret": PreferenceMeasure(lambda groups: pair_preference(groups, "retrieved")),
    "prefs_avgjg_ret": PreferenceMeasure(lambda groups: group_preference(groups, "retrieved")),
    "prefs_avgjg_Rnonrel_ret": PreferenceMeasure(lambda groups: as_many_nonrelevant(groups, "retrieved")),
    "prefs_simp_imp": PreferenceMeasure(lambda groups: simple_preference(groups, "implied")),
    "prefs_pair_imp": PreferenceMeasure(lambda groups: pair_preference(groups, "implied")),
    "prefs_avgjg_imp": PreferenceMeasure(lambda groups: group_preference(groups, "implied")),
}


def rankings(runs: Runs, most: int | None = None) -> dict[str, list[str]]:
    """The documents of a single run by topic; ties by docno ascending, as in trec_eval's preference measures only."""
    docnos_by_topic: dict[str, list[str]] = {}
    topics = runs.topics.names[runs.topic].tolist()
    docnos = runs.docnos.names[runs.document].tolist()
    for qid, _, docno in sorted(zip(topics, (-runs.score).tolist(), docnos, strict=True)):
        docnos_by_topic.setdefault(qid, []).append(docno)
    return {qid: ranking[:most] for qid, ranking in docnos_by_topic.items()}


def scores(
    lines: Sequence[PreferenceLine], ranked: Mapping[str, Sequence[str]], names: Sequence[str], complete: bool = False
) -> Iterator[tuple[str, dict[str, float]]]:
    """The measures of these names for each topic with a ranking; `complete`: also of those without one.

    >>> lines = [PreferenceLine(1, "q", "ada", "0", "a", 2), PreferenceLine(2, "q", "ada", "0", "b", 1)]
    >>> list(scores(lines, {"q": ["b", "x"]}, ["prefs_simp", "prefs_num_prefs_poss"]))
    [('q', {'prefs_simp': 0.0, 'prefs_num_prefs_poss': 1})]
    """
    lines_by_topic: dict[str, list[PreferenceLine]] = {}
    for one in sorted(lines, key=lambda one: one.qid):
        lines_by_topic.setdefault(one.qid, []).append(one)
    for qid, part in lines_by_topic.items():
        if complete or qid in ranked:
            groups = groups_of(part, ranked.get(qid, []))
            yield qid, {name: MEASURES[name].value(groups) for name in names}


def mean(name: str, values: Sequence[float]) -> float:
    """The sum or the mean over topics, added up one by one."""
    total = float(np.cumsum(values)[-1])
    return int(total) if MEASURES[name].summed else total / len(values)
