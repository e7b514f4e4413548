"""Qrels derived from the judgment log: whose labels, under which policy, and what became of every pair.

Under every policy a model's label counts only where nobody else gave one, unless the model is named: then it was said
who counts. So a track's own labels are never outvoted by machines, and a collection that only a model has judged still
has qrels.

Missing stays missing. A pair may be unlabelled, put off, impossible to judge, or have only unsure labels that do not
count: these are four states, and none of them is grade 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from cranfield.arrays.rankings import Qrels, Vocabulary
from cranfield.errors import InputError
from cranfield.judging.labels.pairs import Pair, PairLabels, Standing, counted_assessors, labels_by_pair
from cranfield.judging.labels.policies import Policy, PolicyDecision, policy
from cranfield.store.chain import Event
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store

State = Literal["label", "unsure", "cannot-judge", "later", "unlabelled"]


@dataclass(frozen=True)
class Derived:
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
        return {pair: found.grade for pair, found in self.decisions.items() if found.grade is not None}

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

    def behind(self, pair: Pair) -> list[Event]:
        """The events that the grade of a pair rests on."""
        if pair not in self._behind:
            self._behind[pair] = self._events_behind(pair)
        return self._behind[pair]

    @cached_property
    def _behind(self) -> dict[Pair, list[Event]]:
        return {}

    def _events_behind(self, pair: Pair) -> list[Event]:
        labels = self.by_pair[pair]
        if self.decisions[pair].adjudicated:
            return labels.adjudications[:1]
        votes = voting(labels, self.count_unsure)
        return votes[:1] if self.policy.takes_first else votes

    def by_model(self, pair: Pair) -> bool:
        """Whether the grade of a pair rests on a model's label."""
        return any(self.assessors[event.assessor] == "model" for event in self.behind(pair))

    @cached_property
    def models(self) -> int:
        """How many grades rest on a model's label."""
        return sum(self.by_model(pair) for pair in self.labels)

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
        sources = {event.source for event in self.behind(pair)}
        return sources.pop() or "0" if len(sources) == 1 else "0"


def derive(
    store: Store,
    *,
    rule: str | Policy = "primary",
    names: Sequence[str] | None = None,
    count_unsure: bool = True,
    whose: LabelledBy = LabelledBy.all,
    then: Standing | None = None,
) -> Derived:
    """What a policy makes of the labels in a store, or of what stood there at an earlier moment.

    `names` says whose labels and adjudications count, and who comes first; `whose` restricts them to people or to
    models. Without either, everyone's count, a model's only where nobody else labelled. "primary" then equals the view
    `qrels`: the assessor a topic was assigned to comes first, then the one who came first.

    >>> from cranfield.store.log import add_assessor, append
    >>> store = Store.memory("two labels of one document")
    >>> store.known_qids(["q"]), store.known_docnos(["d"])
    (None, None)
    >>> for grade, name in enumerate(["ada", "bob"]):
    ...     add_assessor(store, name)
    ...     numbers = append(store, Event("label", "q", "d", name, grade=grade))
    >>> primary = derive(store, rule="primary", names=["bob", "ada"])
    >>> derive(store).labels, derive(store, rule="max").labels, primary.labels
    ({('q', 'd'): 0}, {('q', 'd'): 1}, {('q', 'd'): 1})
    >>> store.close()
    """
    rule = rule if isinstance(rule, Policy) else policy(rule)
    among = counted_assessors(store, names, whose)
    found = labels_by_pair(store, among, as_named=bool(names), then=then)
    if not names:
        found = {pair: labels.people_first(among) for pair, labels in found.items()}
    scale = tuple(store.collection.grades)
    decisions = {pair: _decide(rule, pair, labels, scale, count_unsure) for pair, labels in found.items()}
    return Derived(rule, among, bool(names), count_unsure=count_unsure, by_pair=found, decisions=decisions, whose=whose)


def voting(labels: PairLabels, count_unsure: bool) -> list[Event]:
    """The votes that count."""
    return [vote for vote in labels.votes if count_unsure or not vote.unsure]


def _decide(rule: Policy, pair: Pair, labels: PairLabels, scale: Sequence[int], count_unsure: bool) -> PolicyDecision:
    votes = [vote.grade for vote in voting(labels, count_unsure) if vote.grade is not None]
    try:
        return rule.decide(votes, scale, [event.grade for event in labels.adjudications])
    except InputError as error:
        raise InputError(f"topic {pair[0]!r}, document {pair[1]!r}: {error.message}") from error


def orders(derived: Derived) -> list[dict[str, object]]:
    """The orders in which documents with labels in use were shown: policy, seed, number of labels."""
    events = (event for pair in derived.labels for event in derived.behind(pair))
    times = Counter((event.order_policy or "unknown", event.order_seed) for event in events)
    return [{"policy": name, "seed": seed, "labels": count} for (name, seed), count in sorted(times.items(), key=str)]
