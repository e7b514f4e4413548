"""p-MRR: whether a system follows a changed instruction, from its runs before and after the change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints, Qrels, Runs
from cranfield.errors import InputError
from cranfield.metrics.inputs import QrelsLike, RunsLike, as_qrels, as_runs

ORIGINAL, CHANGED = "-og", "-changed"  # what FollowIR and MTEB append to a qid


class InstructionScores(NamedTuple):
    """p-MRR over all topics, and by topic."""

    mean: float
    by_topic: Mapping[str, float]


class InstructionChange(NamedTuple):
    """Which documents a changed instruction makes not relevant, by topic.

    `unjudged` counts the relevant documents without a grade after the change.
    """

    documents: Mapping[str, Sequence[str]]
    unjudged: int


def instruction_change(original: QrelsLike, changed: QrelsLike, min_relevant: float = 1) -> InstructionChange:
    r"""Find the documents that are no longer relevant under a changed instruction, for `p_mrr`.

    Parameters
    ----------
    original : qrels
        The judgments under the original instructions: a path, a frame, or a dict {qid: {docno: grade}}.
    changed : qrels
        The judgments under the changed instructions. A qid may end in -og or -changed, as in MTEB.
    min_relevant : float, default 1
        The lowest relevant grade.

    Returns
    -------
    InstructionChange
        `documents` contains, for each topic, the documents that are relevant in `original` and judged not relevant in
        `changed`; topics without such a document are absent. `unjudged` is the number of documents that are relevant in
        `original` and unjudged in `changed`; they are not in `documents`.

    Raises
    ------
    InputError
        If no document changes from relevant to not relevant.

    Notes
    -----
    MTEB uses every document whose grade differs. This function uses only documents that change from
    relevant to not relevant, because p-MRR rewards a document that moves down.

    Examples
    --------
    >>> instruction_change({"q1": {"d1": 1, "d2": 1, "d3": 0}}, {"q1": {"d1": 0, "d2": 1, "d3": 0}}).documents
    {'q1': ['d1']}
    """
    before, after = _grades(as_qrels(original), ORIGINAL), _grades(as_qrels(changed), CHANGED)
    documents, unjudged = dict[str, list[str]](), 0
    for qid, grades in before.items():
        new_grades = after.get(qid, {})
        relevant = [docno for docno, grade in grades.items() if grade >= min_relevant]
        unjudged += sum(docno not in new_grades for docno in relevant)
        if lost := [docno for docno in relevant if new_grades.get(docno, min_relevant) < min_relevant]:
            documents[qid] = lost
    if not documents:
        raise InputError(
            "none of the relevant documents is judged not relevant in the changed judgments; expected at least one"
        )
    return InstructionChange(documents, unjudged)


def _grades(qrels: Qrels, suffix: str) -> dict[str, dict[str, float]]:
    """The grade of each document, by topic without its suffix."""
    found = dict[str, dict[str, float]]()
    rows = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True)
    for qid, docno, grade in rows:
        found.setdefault(str(qid).removesuffix(suffix), {})[str(docno)] = grade
    return found


def p_mrr(original: RunsLike, new: RunsLike, changed: Mapping[str, Collection[str]]) -> InstructionScores:
    r"""Measure how well a system's ranking follows a change of the instructions.

    Parameters
    ----------
    original : run
        The run with the original instructions: a path, a frame, or a dict {qid: {docno: score}}.
    new : run
        The run of the same system with the changed instructions. A qid may end in -og or -changed, as in MTEB.
    changed : mapping from str to a collection of str
        The documents of each qid that are no longer relevant under the changed instruction; `instruction_change` finds
        them.

    Returns
    -------
    InstructionScores
        `mean` over topics, from -1 to 1, and `by_topic`. 0 means that the change had no effect on the ranks. Above 0,
        the documents moved down, as the instruction asks. Below 0, they moved up.

    Raises
    ------
    InputError
        If a run does not contain exactly one system or lacks a topic, or if a topic has no changed document.

    Notes
    -----
    For a document with the ranks o (original) and n (new), p-MRR is n/o - 1 where o >= n, and 1 - o/n otherwise. A
    document that a run did not retrieve gets the rank after the run's last one. The mean is over the documents of a
    topic, then over topics. The formula, the rank of a missing document and the means follow `calculate_pmrr` and
    `rank_score` of MTEB, which implement the paper's measure. Ties are broken as in trec_eval, not by the order of the
    file.

    References
    ----------
    Weller, Chang, MacAvaney, Lo, Cohan, Van Durme, Lawrie and Soldaini: FollowIR: Evaluating and Teaching Information
    Retrieval Models to Follow Instructions, 2024 (arXiv 2403.15246).

    Examples
    --------
    >>> original = {"q1": {"d1": 4.0, "d2": 3.0, "d3": 2.0, "d4": 1.0}}
    >>> new = {"q1": {"d2": 4.0, "d3": 3.0, "d4": 2.0, "d1": 1.0}}
    >>> p_mrr(original, new, {"q1": ["d1"]}).mean
    0.75
    """
    before, after = _ranks(as_runs(original), "original"), _ranks(as_runs(new), "new")
    by_topic = dict[str, float]()
    for qid, docnos in changed.items():
        if not docnos:
            raise InputError(
                f"the list of changed documents is empty for topic {qid!r}; expected at least one, or omit the topic"
            )
        old, now = (_topic_ranks(ranks, qid, name) for ranks, name in ((before, "original"), (after, "new")))
        ranks = [(old.get(docno, len(old) + 1), now.get(docno, len(now) + 1)) for docno in docnos]
        by_topic[qid] = float(np.mean([n / o - 1 if o >= n else 1 - o / n for o, n in ranks]))
    if not by_topic:
        raise InputError("no topics; expected the changed documents of at least one topic")
    return InstructionScores(float(np.mean([*by_topic.values()])), by_topic)


def _ranks(runs: Runs, name: str) -> dict[str, dict[str, int]]:
    """The rank of each document, by topic."""
    if len(runs.tags) != 1:
        raise InputError(f"the {name} run contains {len(runs.tags)} systems; expected one")
    ranks: Ints = runs.rank
    found = dict[str, dict[str, int]]()
    rows = zip(runs.topics.names[runs.topic], runs.docnos.names[runs.document], ranks.tolist(), strict=True)
    for qid, docno, rank in rows:
        found.setdefault(str(qid), {})[str(docno)] = rank
    return found


def _topic_ranks(ranks: Mapping[str, dict[str, int]], qid: str, name: str) -> dict[str, int]:
    suffix = ORIGINAL if name == "original" else CHANGED
    for spelling in (qid, qid + suffix):
        if spelling in ranks:
            return ranks[spelling]
    raise InputError(f"topic {qid!r} is missing from the {name} run; expected {qid!r} or {qid + suffix!r}")
