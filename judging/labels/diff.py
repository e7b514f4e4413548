"""What changes when one qrels replaces another: the labels, the system ranking, and the claims it supports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Qrels, Runs
from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.judging.labels.choice import (
    PRIMARY,
    decisions_by_settled_choice,
    require_decided_labellers,
    resolve_labellers,
)
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.labels.policies import ELSE, POLICIES, Decisions, apply_policy
from cranfield.metrics.correlation.coefficients import kendall_tau, tau_ap
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.leave_one_out import means, run_rank
from cranfield.metrics.reusability.results import Flips, count_claim_flips, significance_matrix
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.log import assessors
from cranfield.store.releases import Release, release_named, releases
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.store.topic_sets import qids_of_set
from cranfield.store.withdrawals import present_name_by_docno

WHOSE = ", ".join(LabelledBy)
KINDS = ("policy", "assessor", "labels", "release", "file")


class Side(NamedTuple):
    """Qrels and where they come from: a policy, an assessor, people or models, a release, or a file."""

    name: str
    qrels: Qrels
    release: Release | None = None
    runs: tuple[str, ...] | None = None  # the tags of a release
    whose: str = ""  # the recorded choice, of people, models or all

    @property
    def labels(self) -> dict[Pair, int]:
        """The grade of each judged pair."""
        judged = self.qrels.rows(self.qrels.judged)
        return dict(zip(judged.pairs, judged.grade.tolist(), strict=True))

    @property
    def pairs(self) -> list[Pair]:
        """The topic and document of each row."""
        return self.qrels.pairs

    def select_pairs(self, pairs: Set[Pair]) -> Side:
        """Only the labels of these pairs; an error where the rows are a sample that stands for the rest."""
        if self.qrels.stratum is not None:
            raise InputError(f"{self.name} is a stratified sample; compare it as a whole with --all")
        return self._replace(qrels=self.qrels.rows(np.array([pair in pairs for pair in self.pairs], bool)))


def read_side(store: Store, name: str) -> Side:
    """The qrels that a name stands for; the prefix "policy:", "assessor:", "labels:", "release:" or "file:"
    says which it is.

    >>> with Store.memory("nothing") as store:
    ...     read_side(store, "nobody")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'nobody'; expected a policy, an assessor or a
    release of this store, a file, or one of people, models, all
    """
    kind, _, rest = name.partition(":")
    if kind in KINDS and rest:
        return _read_side_of_kind(store, kind, rest)
    is_policy = name.removeprefix(ELSE) in POLICIES
    kinds = {"policy": is_policy, "assessor": name in assessors(store), "labels": name in list(LabelledBy)}
    kinds["release"] = name in [release.name for release in releases(store)]
    kinds["file"] = Path(name).is_file()
    matches = [kind for kind, it_is in kinds.items() if it_is]
    if not matches:
        raise InputError(
            f"{name!r}; expected a policy, an assessor or a release of this store, a file, or one of {WHOSE}"
        )
    if len(matches) > 1:
        raise InputError(
            f"{name!r} is {' and '.join(matches)}; write {' or '.join(f'{kind}:{name}' for kind in matches)}"
        )
    return _read_side_of_kind(store, matches[0], name)


def _read_side_of_kind(store: Store, kind: str, name: str) -> Side:
    if kind == "file":
        return _side_of_set(store, Side(name, read_qrels(name)))
    if kind == "labels":
        if name not in list(LabelledBy):
            raise InputError(f"labels:{name}; expected one of {WHOSE}")
        chosen = require_decided_labellers(store, Labellers(kind=LabelledBy(name)))
        names = None if chosen.assessor is None else [chosen.assessor]
        labels = apply_policy(store, rule=chosen.policy or PRIMARY, whose=chosen.kind, names=names)
        recorded = resolve_labellers(store, Labellers(kind=chosen.kind))
        whose = recorded.assessor or (recorded.policy and f"policy {recorded.policy}")
        return Side(name, labels.qrels(), whose=whose or "")
    if kind == "release":
        with store.release(name) as then:
            (labels, whose), tags = decisions_by_settled_choice(then, store), tuple(run_info(then))
        qrels = _rename_labels(store, labels).qrels()
        return _side_of_set(store, Side(name, qrels, release_named(store, name), tags, whose))
    return Side(
        name,
        (
            apply_policy(store, rule=name) if kind == "policy" else apply_policy(store, rule="primary", names=[name])
        ).qrels(),
    )


def _rename_labels(store: Store, labels: Decisions) -> Decisions:
    """The labels of a release by the names that documents have now; of two that are one now, those of the present name.

    If nobody labelled that one, those of the other.
    """
    names, decisions = present_name_by_docno(store), labels.decisions
    order = sorted(decisions, key=lambda pair: (decisions[pair].grade is not None, pair[1] not in names))
    present = {(qid, names.get(docno) or docno): (qid, docno) for qid, docno in order}
    return replace(
        labels,
        by_pair={pair: labels.by_pair[then] for pair, then in present.items()},
        decisions={pair: decisions[then] for pair, then in present.items()},
    )


def _side_of_set(store: Store, whole: Side) -> Side:
    """A side on the topics that are asked for, as the store has their set now."""
    if not store.selection.topics:
        return whole
    qrels, qids = whole.qrels, qids_of_set(store, store.selection.topics)
    return whole._replace(qrels=qrels.rows(np.isin(qrels.topics.names, qids)[qrels.topic]))


def shared_sides(a: Side, b: Side, instead: str = "") -> tuple[Side, Side]:
    """Both sides on the pairs that both label; where there is none, an error that ends with what to do instead.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> a, b = Side("a", as_qrels({"q": {"d": 1, "e": 0}})), Side("b", as_qrels({"q": {"d": 2, "f": 1}}))
    >>> [it.labels for it in shared_sides(a, b)]
    [{('q', 'd'): 1}, {('q', 'd'): 2}]
    """
    pairs = set(a.pairs) & set(b.pairs)
    if not pairs:
        raise InputError(f"no document has labels from both {a.name} and {b.name}{instead}")
    return a.select_pairs(pairs), b.select_pairs(pairs)


@dataclass(frozen=True)
class LabelChanges:
    """The pairs that both label, how often each grade became which other, and the pairs that only one labels."""

    grades: Mapping[tuple[int, int], int]
    changes: Sequence[tuple[Pair, int | None, int | None]]
    only_a: int
    only_b: int

    @property
    def n_same(self) -> int:
        """How many labels are the same."""
        return sum(times for (a, b), times in self.grades.items() if a == b)

    @property
    def n_different(self) -> int:
        """How many labels are another grade."""
        return sum(times for (a, b), times in self.grades.items() if a != b)


def label_changes(a: Side, b: Side) -> LabelChanges:
    """How the labels differ; a label that only one side has does not become a grade on the other.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> a, b = Side("a", as_qrels({"q": {"d": 1, "e": 0}})), Side("b", as_qrels({"q": {"d": 2}}))
    >>> changes = label_changes(a, b)
    >>> changes.changes, changes.grades, changes.only_a
    ([(('q', 'd'), 1, 2), (('q', 'e'), 0, None)], {(1, 2): 1}, 1)
    """
    left, right = a.labels, b.labels
    both = left.keys() & right.keys()
    grades = Counter((left[pair], right[pair]) for pair in both)
    pairs = sorted(left.keys() | right.keys())
    changes = [(pair, left.get(pair), right.get(pair)) for pair in pairs if left.get(pair) != right.get(pair)]
    return LabelChanges(dict(sorted(grades.items())), changes, len(left) - len(both), len(right) - len(both))


class SystemChange(NamedTuple):
    """A run's score and rank by one measure under either qrels."""

    run: str
    measure: str
    a: float
    b: float
    rank_a: int
    rank_b: int


class Flip(NamedTuple):
    """Two runs whose claim differs; 1: the first is significantly better, -1: the second, 0: no claim.

    The first is the one that a calls better; where a makes no claim, the one that b does.
    """

    measure: str
    run: str
    other: str
    a: int
    b: int


@dataclass(frozen=True)
class SystemChanges:
    """The runs under both qrels, on the topics that both have; by measure, a being the truth."""

    topics: int
    changes: Sequence[SystemChange]
    tau: Mapping[str, float]
    tau_ap: Mapping[str, float]
    claims: Mapping[str, Flips]
    flips: Sequence[Flip]

    def changes_of_measure(self, measure: str) -> list[SystemChange]:
        """The changes by one measure, the best run under a first."""
        return sorted((it for it in self.changes if it.measure == measure), key=lambda it: (it.rank_a, it.run))


def system_changes(runs: Runs, a: Qrels, b: Qrels, measures: Sequence[Measure]) -> SystemChanges:
    """How scores, ranks and claims differ.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> from cranfield.metrics.notation import parse_measures
    >>> runs = as_runs({"x": {"q": {"d": 2.0, "e": 1.0}}, "y": {"q": {"e": 2.0, "d": 1.0}}})
    >>> found = system_changes(runs, as_qrels({"q": {"d": 1}}), as_qrels({"q": {"e": 1}}), parse_measures("AP"))
    >>> found.changes[0], found.tau
    (SystemChange(run='x', measure='AP', a=1.0, b=0.5, rank_a=1, rank_b=2), {'AP': -1.0})
    """
    first, second = align_topics(join_runs_and_qrels(runs, a), join_runs_and_qrels(runs, b))
    if not first.qids:
        raise InputError("the two qrels have no topic in common")
    return changes_of_scores(runs.tags, measures, *(score(it, measures) for it in (first, second)))


def changes_of_scores(tags: Sequence[str], measures: Sequence[Measure], *scores: Floats) -> SystemChanges:
    """The same of scores by each, (runs, topics, measures)."""
    before, after = (means(it, measures) for it in scores)
    columns = list(enumerate(map(str, measures)))
    by_name = {name: [significance_matrix(it[..., place]) for it in scores] for place, name in columns}
    return SystemChanges(
        scores[0].shape[1],
        [change for place, name in columns for change in _changes(tags, name, before[:, place], after[:, place])],
        {name: kendall_tau(before[:, place], after[:, place]) for place, name in columns},
        tau_ap={name: tau_ap(before[:, place], after[:, place]) for place, name in columns},
        claims={name: count_claim_flips(*both) for name, both in by_name.items()},
        flips=[flip for name, both in by_name.items() for flip in flips_between(tags, name, *both)],
    )


def align_topics(a: Judged, b: Judged) -> tuple[Judged, Judged]:
    """Both on the topics that both have, and with the same highest grade, so that ERR means the same."""
    common = set(a.qids) & set(b.qids)
    highest = max(a.highest_grade, b.highest_grade)
    rows_a, rows_b = (np.array([n for n, qid in enumerate(it.qids) if qid in common], np.int64) for it in (a, b))
    return replace(a.select_topics(rows_a), highest_grade=highest), replace(
        b.select_topics(rows_b), highest_grade=highest
    )


def _changes(tags: Sequence[str], measure: str, before: Floats, after: Floats) -> list[SystemChange]:
    return [
        SystemChange(
            tag,
            measure,
            float(before[run]),
            b=float(after[run]),
            rank_a=run_rank(before, run),
            rank_b=run_rank(after, run),
        )
        for run, tag in enumerate(tags)
    ]


def flips_between(tags: Sequence[str], measure: str, before: Ints, after: Ints) -> list[Flip]:
    """The pairs of runs whose claim differs: reversed claims first, then lost ones, then gained ones.

    >>> before, after = [[0, 0, 1], [0, 0, 1], [-1, -1, 0]], [[0, -1, 0], [1, 0, 1], [0, -1, 0]]
    >>> flips_between(["x", "y", "z"], "AP", np.array(before), np.array(after))
    [Flip(measure='AP', run='x', other='z', a=1, b=0), Flip(measure='AP', run='y', other='x', a=0, b=1)]
    """
    better = np.argwhere((before != after) & ((before > 0) | ((before == 0) & (after > 0))))
    rows = [Flip(measure, tags[x], tags[y], int(before[x, y]), int(after[x, y])) for x, y in better]
    return sorted(rows, key=lambda flip: (flip.b - flip.a if flip.a else 0, flip.run, flip.other))


def as_document(a: str, b: str, every: bool, labels: LabelChanges, systems: SystemChanges | None) -> dict[str, Any]:
    """Everything, as JSON."""
    which = "all" if every else "common"
    document: dict[str, Any] = {
        "a": a,
        "b": b,
        "compared": which,
        "labels": {
            "same": labels.n_same,
            "changed": labels.n_different,
            "only_a": labels.only_a,
            "only_b": labels.only_b,
            "grades": [{"a": old, "b": new, "labels": times} for (old, new), times in labels.grades.items()],
            "changes": [
                {"query_id": qid, "doc_id": docno, "a": old, "b": new} for (qid, docno), old, new in labels.changes
            ],
        },
    }
    document |= {"systems": [], "flips": [], "summary": {}}
    if systems is not None:
        document |= {"topics": systems.topics, "systems": [it._asdict() for it in systems.changes]}
        document["flips"] = [it._asdict() for it in systems.flips]
        document["summary"] = {name: summary(systems, name) for name in systems.tau}
    return document


def summary(systems: SystemChanges, measure: str) -> dict[str, Any]:
    """How much the system ranking moves by one measure."""
    changes = systems.changes_of_measure(measure)
    return {
        "tau": systems.tau[measure],
        "tau_ap": systems.tau_ap[measure],
        "max_change": max((abs(it.b - it.a) for it in changes), default=np.nan),
        "max_rank_change": max((abs(it.rank_b - it.rank_a) for it in changes), default=0),
        "top_5_left": count_leaving_top(changes),
        "flips": systems.claims[measure]._asdict(),
    }


def count_leaving_top(changes: Sequence[SystemChange], top: int = 5) -> int:
    """How many of the best runs under a are not among the best under b."""
    return sum(it.rank_a <= top < it.rank_b for it in changes)
