"""From several labels of a document to one, by a policy; and qrels derived from the log under it.

A policy has a name and a version, which an export records: the same labels under another rule are other qrels. Each is
a function of the labels of one pair and, where several grades are equally right, says whether the lower or the higher
one is taken. `POLICIES` is the table; `policy` also combines "adjudicated-else-" with any of them. Whose labels count
is decided by `derive`.

All of them give a grade between the lowest and the highest label, ignore the order in which labels came, return the
label that all agree on, and never lower their grade for one more label that is at least as high. So one more vote for
relevant never makes a relevant document not relevant. (A rule in use that takes the mean of two labels but, of three,
the lowest unless all agree, does just that: under it 0, 1 is relevant, and 0, 1, 1 is not.)

Under every policy a model's label counts only where nobody else gave one, unless the model is named: then it was said
who counts. So a track's own labels are never outvoted by machines, and a collection that only a model has judged still
has qrels.

Missing stays missing. A pair may be unlabelled, put off, impossible to judge, or have only unsure labels that do not
count: these are four states, and none of them is grade 0.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from statistics import median_high, median_low
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Qrels, Vocabulary
from cranfield.errors import InputError
from cranfield.judging.labels.pairs import (
    Pair,
    PairLabels,
    Standing,
    assessors_that_count,
    labels_by_pair,
    models_among,
)
from cranfield.selection import MODELS, POLICY_NAMES, LabelledBy
from cranfield.store.chain import Event
from cranfield.store.log import has_adjudications
from cranfield.store.store import Store
from cranfield.text import join_words

Grades = Sequence[int]


class PolicyDecision(NamedTuple):
    """What a policy makes of a pair: its grade or None, whether a tie was broken, whether it was adjudicated."""

    grade: int | None
    tied: bool = False
    adjudicated: bool = False


@dataclass(frozen=True)
class Policy:
    """A rule. `candidates` are the grades that it accepts, given the labels (first assessor first) and the scale.

    An adjudication is ignored or binding, whether it is a grade or says that the pair cannot be judged (which leaves no
    label).
    """

    name: str
    about: str
    candidates: Callable[[Grades, Grades], Grades]
    tie: Literal["low", "high"] = "low"
    adjudications: Literal["ignored", "binding"] = "ignored"
    takes_first: bool = False  # whether it looks only at the first label
    version: int = 3  # 2: a model has a vote only where nobody else does; 3: primary heeds an adjudicated cannot-judge

    def decide(self, votes: Grades, scale: Grades = (), adjudications: Sequence[int | None] = ()) -> PolicyDecision:
        """The grade of a pair with these votes and adjudications (None: cannot be judged), first assessor first.

        >>> find_policy("majority-tie-low").decide([0, 1])
        PolicyDecision(grade=0, tied=True, adjudicated=False)
        >>> find_policy("adjudicated-else-min").decide([0, 1], adjudications=[None])
        PolicyDecision(grade=None, tied=False, adjudicated=True)
        >>> find_policy("primary").decide([])
        PolicyDecision(grade=None, tied=False, adjudicated=False)
        """
        if adjudications and self.adjudications == "binding":
            return PolicyDecision(adjudications[0], adjudicated=True)
        return self._decide(votes, scale) if votes else PolicyDecision(None)

    def grade(self, votes: Grades, scale: Grades = ()) -> int | None:
        """The grade alone.

        >>> find_policy("median-low").grade([0, 1, 3, 3]), find_policy("mean-rounded").grade([0, 1])
        (1, 1)
        """
        return self.decide(votes, scale).grade

    def _decide(self, votes: Grades, scale: Grades) -> PolicyDecision:
        grades = self.candidates(votes, scale or range(min(votes), max(votes) + 1))
        return PolicyDecision(min(grades) if self.tie == "low" else max(grades), len(set(grades)) > 1)


def _single(votes: Grades, scale: Grades) -> Grades:
    if len(set(votes)) > 1:
        raise InputError(
            f"labels {', '.join(map(str, votes))}: policy single needs equal labels; choose another policy"
        )
    return votes


def _modes(votes: Grades, scale: Grades) -> Grades:
    times = Counter(votes)
    return [grade for grade in times if times[grade] == max(times.values())]


def _nearest_the_mean(votes: Grades, scale: Grades) -> Grades:
    """The grades of the scale that are nearest to the mean, in exact arithmetic."""
    mean = Fraction(sum(votes), len(votes))
    nearest = min(abs(grade - mean) for grade in scale)
    return [grade for grade in scale if abs(grade - mean) == nearest]


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        it.name: it
        for it in (
            Policy("single", "the label of a pair if all labels agree; different labels are an error", _single),
            Policy(
                "primary",
                "the adjudication, if there is one, even without a label; otherwise the label of the first named "
                "assessor, of the topic's assessor, or of the earliest assessor",
                lambda votes, scale: votes[:1],
                adjudications="binding",
                takes_first=True,
            ),
            Policy(
                "majority-tie-low",
                "the most frequent label, or the lowest in a tie; with more than two grades prefer median-low, "
                "because raising a label can lower the result",
                _modes,
            ),
            Policy("majority-tie-high", "the most frequent label, or the highest in a tie", _modes, "high"),
            Policy(
                "median-low",
                "the median label, or the lower of the two middle labels; with two grades, the majority label, and"
                " a tie is not relevant",
                lambda votes, scale: (median_low(votes), median_high(votes)),
            ),
            Policy(
                "mean-rounded",
                "the grade of the scale nearest to the mean label, with halves rounded up",
                _nearest_the_mean,
                "high",
            ),
            Policy("min", "the lowest label: relevant if all labels are relevant", lambda votes, scale: [min(votes)]),
            Policy("max", "the highest label: relevant if any label is relevant", lambda votes, scale: [max(votes)]),
        )
    }
)
ELSE = "adjudicated-else-"


def find_policy(name: str) -> Policy:
    """The policy with this name.

    >>> find_policy("adjudicated-else-median-low").name
    'adjudicated-else-median-low'
    >>> find_policy("majority")
    Traceback (most recent call last):
    cranfield.errors.InputError: policy 'majority' needs a tie rule: majority-tie-low or majority-tie-high
    """
    rule = name.removeprefix(ELSE)
    if rule in POLICIES:
        base = POLICIES[rule]
        about = f"the adjudication, if there is one, even without a label; otherwise {base.about}"
        return base if rule == name else replace(base, name=name, about=about, adjudications="binding")
    if rule == "majority":
        raise InputError(f"policy {name!r} needs a tie rule: {name}-tie-low or {name}-tie-high")
    names = f"{join_words(POLICY_NAMES, 'or')}, or {ELSE} before a name"
    raise InputError(f"{name!r} is not a policy; expected {names}")


def applicable_policies(store: Store) -> list[str]:
    """Names of the policies to choose from if labels differ; all of them can settle this store's labels.

    A policy that puts an adjudication first is listed only if the store has adjudications. "primary" always does so.
    """
    without = [name for name in POLICY_NAMES if POLICIES[name].adjudications == "ignored"]
    return [*POLICY_NAMES, *(f"{ELSE}{name}" for name in without)] if has_adjudications(store) else [*POLICY_NAMES]


State = Literal["label", "unsure", "cannot-judge", "later", "unlabelled"]


@dataclass(frozen=True)
class Decisions:
    """The decisions of a policy.

    `assessors` gives the kind of each whose events count, `named` whether they were named; `whose` is people, models or
    all.
    """

    policy: Policy
    assessors: Mapping[str, str]
    named: bool
    count_unsure: bool
    by_pair: Mapping[Pair, PairLabels]
    decisions: Mapping[Pair, PolicyDecision]
    whose: LabelledBy = LabelledBy.all

    @cached_property
    def labels(self) -> dict[Pair, int]:
        """The grade of each pair that has one."""
        return {pair: decision.grade for pair, decision in self.decisions.items() if decision.grade is not None}

    def state(self, pair: Pair) -> State:
        """What became of a pair."""
        if pair in self.labels:
            return "label"
        if pair not in self.by_pair:
            return "unlabelled"
        labels = self.by_pair[pair]
        if labels.votes and not self.decisions[pair].adjudicated:
            return "unsure"
        return "cannot-judge" if labels.has("cannot-judge") else "later" if labels.has("later") else "unlabelled"

    def supporting_events(self, pair: Pair) -> list[Event]:
        """The events that the grade of a pair rests on."""
        if pair not in self._supporting_events:
            self._supporting_events[pair] = self._events_behind(pair)
        return self._supporting_events[pair]

    @cached_property
    def _supporting_events(self) -> dict[Pair, list[Event]]:
        return {}

    def _events_behind(self, pair: Pair) -> list[Event]:
        labels = self.by_pair[pair]
        if self.decisions[pair].adjudicated:
            return labels.adjudications[:1]
        votes = voting_events(labels, self.count_unsure)
        return votes[:1] if self.policy.takes_first else votes

    def is_model_label(self, pair: Pair) -> bool:
        """Whether the grade of a pair rests on a model's label."""
        return any(self.assessors[event.assessor] in MODELS for event in self.supporting_events(pair))

    @cached_property
    def models(self) -> int:
        """The number of grades that rest on a model's label."""
        return sum(self.is_model_label(pair) for pair in self.labels) if models_among(self.assessors) else 0

    @cached_property
    def supporting_models(self) -> list[str]:
        """The models on whose labels grades rest, in the order in which they came."""
        if not models_among(self.assessors):
            return []
        names = {event.assessor for pair in self.labels for event in self.supporting_events(pair)}
        return [name for name in models_among(self.assessors) if name in names]

    def qrels(self, missing: Mapping[Pair, int] | None = None) -> Qrels:
        """As qrels, sorted by topic and document in byte order; `missing` has grades for pairs without a label."""
        grades = dict(sorted({**self.labels, **(missing or {})}.items()))
        qids, docnos = (sorted({pair[part] for pair in grades}) for part in (0, 1))
        place_of_qid, place_of_docno = ({name: place for place, name in enumerate(names)} for names in (qids, docnos))
        sources = [self._source(pair) if pair in self.labels else "0" for pair in grades]
        return Qrels(
            Vocabulary(qids), Vocabulary(docnos),
            np.array([place_of_qid[qid] for qid, _ in grades], np.int64),
            document=np.array([place_of_docno[docno] for _, docno in grades], np.int64),
            grade=np.array(list(grades.values()), np.int64),
            iteration=np.array([*sources, None], object)[:-1],
            minus_one_judged=-1 not in (missing or {}).values(),
        )  # fmt: skip

    def _source(self, pair: Pair) -> str:
        """The second column of the qrels of imported labels, where they all have the same."""
        sources = {event.source for event in self.supporting_events(pair)}
        return sources.pop() or "0" if len(sources) == 1 else "0"


def apply_policy(
    store: Store,
    *,
    rule: str | Policy = "primary",
    names: Sequence[str] | None = None,
    count_unsure: bool = True,
    whose: LabelledBy = LabelledBy.all,
    then: Standing | None = None,
) -> Decisions:
    """What a policy makes of the labels in a store, or of what stood there at an earlier moment.

    `names` says whose labels and adjudications count, and who comes first; `whose` restricts them to people or to
    models. Without either, everyone's count, a model's only where nobody else labelled. "primary" then equals the view
    `qrels`: the assessor a topic was assigned to comes first, then the one who came first.

    >>> from cranfield.store.log import add_assessor, append
    >>> store = Store.memory("two labels of one document")
    >>> store.require_qids(["q"]), store.ensure_docnos(["d"])
    (None, None)
    >>> for grade, name in enumerate(["ada", "bob"]):
    ...     add_assessor(store, name)
    ...     numbers = append(store, Event("label", "q", "d", name, grade=grade))
    >>> primary = apply_policy(store, rule="primary", names=["bob", "ada"])
    >>> apply_policy(store).labels, apply_policy(store, rule="max").labels, primary.labels
    ({('q', 'd'): 0}, {('q', 'd'): 1}, {('q', 'd'): 1})
    >>> store.close()
    """
    rule = rule if isinstance(rule, Policy) else find_policy(rule)
    among = assessors_that_count(store, names, whose)
    by_pair = labels_by_pair(store, among, as_named=bool(names), then=then)
    if not names:
        models = models_among(among)
        by_pair = (
            {pair: labels.drop_model_labels_beside_peoples(models) for pair, labels in by_pair.items()}
            if models
            else by_pair
        )
    scale = tuple(store.collection.grades)
    decisions = {pair: _decide(rule, pair, labels, scale, count_unsure) for pair, labels in by_pair.items()}
    return Decisions(
        rule, among, bool(names), count_unsure=count_unsure, by_pair=by_pair, decisions=decisions, whose=whose
    )


def voting_events(labels: PairLabels, count_unsure: bool) -> list[Event]:
    """The votes that count."""
    return [vote for vote in labels.votes if count_unsure or not vote.unsure]


def _decide(rule: Policy, pair: Pair, labels: PairLabels, scale: Sequence[int], count_unsure: bool) -> PolicyDecision:
    votes = [vote.grade for vote in voting_events(labels, count_unsure) if vote.grade is not None]
    try:
        return rule.decide(votes, scale, [event.grade for event in labels.adjudications])
    except InputError as error:
        raise InputError(f"topic {pair[0]!r}, document {pair[1]!r}: {error.message}") from error


def count_display_orders(outcome: Decisions) -> list[dict[str, object]]:
    """The orders in which documents with labels in use were shown: policy, seed, number of labels."""
    events = (event for pair in outcome.labels for event in outcome.supporting_events(pair))
    times = Counter((event.order_policy or "unknown", event.order_seed) for event in events)
    return [{"policy": name, "seed": seed, "labels": count} for (name, seed), count in sorted(times.items(), key=str)]
