"""Labels of random draws from single runs: they inform forecasts of these runs, and do not count in scores."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Pair, Qrels
from cranfield.store.decoding import parse_pool_parameters
from cranfield.store.labels import CountingLabels
from cranfield.store.pools import RANDOM_DRAW, pool_with_present_names
from cranfield.store.store import Store
from cranfield.store.withdrawals import present_name_by_docno
from cranfield.text import counted


class SplitLabels(NamedTuple):
    """The labels that count in scores, those that were drawn for a single run, and a note on the latter."""

    counting: CountingLabels
    drawn: Qrels
    note: str


def documents_drawn_for_runs(store: Store) -> dict[Pair, str]:
    """Return the run from which each document was drawn at random, without documents that any other pool holds.

    Parameters
    ----------
    store : Store
        The open store.

    Returns
    -------
    dict of (topic, document) to str
        The run of each document's newest draw; empty without draws from single runs.
    """
    # The run of each pool that is a draw from one run; the name for all runs contains a blank.
    rows = store.rows("SELECT id, parameters FROM pool WHERE method = ? ORDER BY id", [RANDOM_DRAW])
    runs = {number: str(parse_pool_parameters(parameters, number).get("run", " ")) for number, parameters in rows}
    draws = {number: run for number, run in runs.items() if " " not in run}
    found = {
        (one.qid, one.docno): run
        for pool, run in draws.items()
        for one in pool_with_present_names(store, pool).documents
    }
    pooled = _pairs_in_other_pools(store, [*draws], sorted({qid for qid, _ in found})) if found else set[Pair]()
    return {pair: run for pair, run in found.items() if pair not in pooled}


def _pairs_in_other_pools(store: Store, draws: Sequence[int], qids: Sequence[str]) -> set[Pair]:
    names = present_name_by_docno(store)
    rows = store.rows(
        "SELECT qid, docno FROM pooled WHERE pool NOT IN (SELECT value FROM json_each(?))"
        " AND qid IN (SELECT value FROM json_each(?))",
        [json.dumps(draws), json.dumps(qids)],
    )
    pairs = ((qid, names.get(docno, docno)) for qid, docno in rows)
    return {(qid, docno) for qid, docno in pairs if docno is not None}


def split_labels(store: Store, labels: CountingLabels) -> SplitLabels:
    """Split labels into those that count in scores and those that were drawn for a single run.

    Drawn labels would favour the run that they were drawn for.

    Parameters
    ----------
    store : Store
        The open store.
    labels : CountingLabels
        All labels that count by the choice of assessors.

    Returns
    -------
    SplitLabels
        Both parts, and a note that is empty without drawn labels.
    """
    runs = documents_drawn_for_runs(store)
    if not runs:
        return SplitLabels(labels, labels.qrels.rows(np.zeros(0, np.int64)), "")
    qrels = labels.qrels
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    run_of_row = [runs.get(pair) for pair in names]
    is_drawn = np.array([run is not None for run in run_of_row], bool)
    return SplitLabels(labels.rows(~is_drawn), qrels.rows(is_drawn), _note_on_drawn(run_of_row))


def _note_on_drawn(run_of_row: Sequence[str | None]) -> str:
    subject, is_one = _drawn_labels(run_of_row)
    if not subject:
        return ""
    return f"{subject} {'does' if is_one else 'do'} not count in scores; diagnose and compare use {_pronoun(is_one)}"


def _drawn_labels(run_of_row: Sequence[str | None]) -> tuple[str, bool]:
    """The drawn labels as the subject of a sentence, "" for none, and whether there is only one."""
    runs = [run for run in run_of_row if run is not None]
    tags = ", ".join(sorted({*runs}))
    return f"{counted(len(runs), 'label')} from random draws of {tags}" if runs else "", len(runs) == 1


def _pronoun(is_one: bool) -> str:
    return "it" if is_one else "them"


def notes_on_exported(store: Store, qrels: Qrels) -> list[str]:
    """Return a note on drawn labels among judgments that leave the store, which other programs count in scores."""
    runs = documents_drawn_for_runs(store)
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    subject, is_one = _drawn_labels([runs.get(pair) for pair in names] if runs else [])
    if not subject:
        return []
    return [
        f"{subject} {'is' if is_one else 'are'} among these judgments; this program does not count"
        f" {_pronoun(is_one)} in scores, but other programs do"
    ]
