"""How hard each topic is, by its relevant documents, its runs and its assessors; and which topics to judge next.

A topic is hard where most runs that answered it score low. That is due to the topic, to the runs and to what was
judged: with few judgments a low mean says little. Agreement is the share of the documents with several labels on which
those are equal.

Which topics a comparison of two runs gains most from: those where unjudged documents stand at the most different ranks.
An unjudged document that is at rank r of one run and at rank s of the other moves the difference of their DCG by
|1 / log2(1 + r) - 1 / log2(1 + s)| times its gain (a rank below the depth counts 0); their sum over a topic is what is
open. Source: the weights of documents of Carterette, Allan and Sitaraman, Minimal test collections for retrieval
evaluation, SIGIR 2006, with DCG in place of AP. It misleads where topics that were chosen so are tested as if drawn at
random: what the runs do has chosen them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.unjudged_topics import unjudged_topics
from cranfield.arrays.rankings import Qrels, Runs, is_judged
from cranfield.arrays.selection import PAIR, pair_keys
from cranfield.call_view import CallView
from cranfield.errors import InputError
from cranfield.judging.agreement.agreement import agreement_of_topics
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.store.log import assessors
from cranfield.store.names import resolve_run_name
from cranfield.store.store import Store
from cranfield.text import name_hint
from cranfield.view import View

AGREEMENT = "raw agreement"
ADVICE = (
    "this is advice on where to judge, not a test; the topics were chosen based on the runs' results, so a p-value"
    " computed on these topics would be invalid"
)


class HardTopic(NamedTuple):
    """A topic: its judgments, how the runs that answered it do, how many of them score 0, and the agreement, if any."""

    topic: str
    title: str
    judged: int
    relevant: int
    runs: int
    mean: float
    best: float
    worst: float
    spread: float
    zero: int
    agreement: float | None


class NextTopic(NamedTuple):
    """A topic with unjudged documents between two runs: how many, what is open of the difference, and for each."""

    topic: str
    title: str
    documents: int
    open: float
    each: float
    judged: int


def hardness(
    view: View, measure: Measure, titles: Mapping[str, str], agreement: Mapping[str, float]
) -> list[HardTopic]:
    """The judged topics, the one with the lowest mean first.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> from cranfield.metrics.notation import parse
    >>> runs = as_runs({"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}, "2": {"e": 1.0}}})
    >>> view = View({"1": {"d": 1}, "2": {"d": 1, "f": 0}}, runs)
    >>> [(one.topic, one.relevant, one.mean, one.zero) for one in hardness(view, parse("AP"), {}, {})]
    [('2', 1, 0.5, 1), ('1', 1, 1.0, 0)]
    """
    judged, values = view.judged, score(view.judged, [measure])[..., 0]
    answered = judged.retrieved.reshape(values.shape) > 0
    labels = view.qrels.rows(is_judged(view.qrels.grade))
    rows = []
    for at, qid in enumerate(judged.qids):
        of, scores = labels.topics.names[labels.topic] == qid, values[answered[:, at], at]
        numbers = int(of.sum()), int((labels.grade[of] >= view.min_relevant).sum()), len(scores)
        whole = (scores.mean(), scores.max(), scores.min(), scores.std()) if len(scores) else (np.nan,) * 4
        mean, best, worst, spread = map(float, whole)
        zero, kappa = int((scores == 0).sum()), agreement.get(qid)
        rows.append(HardTopic(qid, titles.get(qid, ""), *numbers, mean, best, worst, spread, zero, kappa))
    return sorted(rows, key=lambda row: (np.nan_to_num(row.mean, nan=np.inf), row.topic))


def agreement_by_topic(store: Store) -> dict[str, float]:
    """The share of documents with equal labels, of each topic that has documents with several."""
    if len([kind for kind in assessors(store).values() if kind != "repeat"]) < 2:
        return {}
    matrix = matrix_of_store(store)
    if len(matrix.assessors) < 2 or not matrix.has_two_labels.any():
        return {}
    return {
        coefficient.topic: float(coefficient.interval.value) for coefficient in agreement_of_topics(matrix, [AGREEMENT])
    }


def next_topics(
    runs: Runs, qrels: Qrels, pair: Sequence[str], titles: Mapping[str, str], *, depth: int = 10
) -> list[NextTopic]:
    """The topics where something is open between two runs to a depth, the one with most of it first.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"1": {"d": 2.0, "e": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}, "2": {"f": 1.0}}})
    >>> [(one.topic, one.documents, round(one.open, 2)) for one in next_topics(runs, as_qrels({}), ["a", "b"], {})]
    [('2', 2, 2.0), ('1', 1, 0.63)]
    """
    if len(pair) != 2 or pair[0] == pair[1]:
        raise InputError(f"expected two different runs; got {', '.join(pair) or 'none'}")
    for tag in pair:
        if tag not in runs.tags:
            raise InputError(f"no run {tag!r}{name_hint(tag, runs.tags)}")
    two = runs.select(list(pair))
    top = two.rows(two.rank <= depth)
    weight = 1 / np.log2(1 + top.rank) * np.where(top.run == 0, 1, -1)
    keys, at = np.unique(top.topic * PAIR + top.document, return_inverse=True)
    open_ = np.abs(np.bincount(at, weight, len(keys)))
    labelled = qrels.rows(is_judged(qrels.grade))
    judged_topic = runs.topics.codes(labelled.topics.names[labelled.topic])
    judged_document = runs.docnos.codes(labelled.docnos.names[labelled.document])
    is_shared = (judged_topic >= 0) & (judged_document >= 0)
    judged = np.isin(keys, pair_keys(judged_topic[is_shared], judged_document[is_shared]))
    rows = []
    for topic in np.unique(keys // PAIR).tolist():
        here = keys // PAIR == topic
        unjudged = here & ~judged & (open_ > 0)
        if unjudged.any():
            qid, total = str(two.topics.names[topic]), float(open_[unjudged].sum())
            number, labels = int(unjudged.sum()), int((here & judged).sum())
            rows.append(NextTopic(qid, titles.get(qid, ""), number, total, total / number, labels))
    return sorted(rows, key=lambda row: (-row.open, row.topic))


class Hardness(NamedTuple):
    """The topics, and what is said of those that are judged in part or not at all, a line each."""

    topics: list[HardTopic]
    notes: Sequence[str] = ()


def hardness_of(view: CallView, measure: Measure) -> Hardness:
    """The hardness of the topics of a view that count, with what its store knows of them, if it is of one."""
    view = view.select_topics(view.which)
    stored = view.read_from_store(lambda store: hardness_in(store, view, measure), None)
    return Hardness(hardness(view, measure, {}, {})) if stored is None else stored


def hardness_in(store: Store, view: View, measure: Measure) -> Hardness:
    """The hardness of the topics of a view, with what its store knows of them."""
    titles = {topic.qid: topic.title for topic in store.topics()}
    hard_topics = hardness(view, measure, titles, agreement_by_topic(store))
    return Hardness(hard_topics, unjudged_topics(store))


def hardness_rows(rows: Sequence[HardTopic], measure: Measure) -> list[dict[str, Any]]:
    """The rows as the command shows them; without titles and agreement where no topic has any."""
    spare = {"title": any(row.title for row in rows), "agreement": any(row.agreement is not None for row in rows)}
    table = []
    for row in rows:
        cells = {name: value for name, value in row._asdict().items() if spare.get(name, True)}
        table.append({f"mean {measure}" if name == "mean" else name: value for name, value in cells.items()})
    return table


def next_topics_of(view: View, pair: Sequence[str], depth: int) -> list[NextTopic]:
    """The topics where something is open between two runs, with their titles; a store may know the runs by round."""
    among = view.runs.tags
    # in a store, somebody may name the round and the team of a run as well
    tags = view.read_from_store(
        lambda store: [tag if tag in among else resolve_run_name(store, tag, among) for tag in pair], list(pair)
    )
    titles = view.read_from_store(lambda store: {topic.qid: topic.title for topic in store.topics()}, dict[str, str]())
    return next_topics(view.runs, view.qrels, tags, titles, depth=depth)
