"""The pool of runs that a user states, where the runs in question may be among them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cranfield.analysis.pool_model import KnownPool, find_pool_of_runs, unjudged_shares
from cranfield.arrays.merging import merged_runs
from cranfield.arrays.rankings import Floats, Qrels, Runs
from cranfield.metrics.forecast.forecaster import MIN_DEPTH
from cranfield.metrics.reusability.near_duplicates import MIN_SHARE, shared_document_shares
from cranfield.text import join_words


class StatedPool(NamedTuple):
    """The pool of stated runs, and what became of those that are runs in question as well.

    Parameters
    ----------
    pool : KnownPool
        The pool of the runs that were pooled.
    warnings : sequence of str
        A line for each stated run that cannot have been pooled and is not used.
    notes : sequence of str
        A line on stated runs that are compared as well, if there are any.
    """

    pool: KnownPool
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()


def find_stated_pool(stated: Runs, compared: Runs, qrels: Qrels, rel: int = 1) -> StatedPool:
    """Find the depth of a pool that is stated to be made from these runs.

    A run in question that was not pooled has unjudged documents. A stated run that shares at least 90% of its first
    documents with it was not pooled either; the model is not fitted to it.

    Parameters
    ----------
    stated : Runs
        The runs that the pool is stated to be made from.
    compared : Runs
        The runs in question.
    qrels : Qrels
        The judgments.
    rel : int, default 1
        The lowest relevant grade.

    Returns
    -------
    StatedPool
        The pool.
    """
    shares = _shared_with(stated, compared, MIN_DEPTH)
    twins = {tag: compared.tags[int(row.argmax())] for tag, row in zip(stated.tags, shares, strict=True)
             if row.max(initial=0) >= MIN_SHARE}  # fmt: skip
    others = [tag for tag in stated.tags if tag not in twins]
    if not twins:
        pool = find_pool_of_runs(stated, qrels, rel)
        return StatedPool(pool, pool.notes)
    pool = find_pool_of_runs(stated.select(others), qrels, rel) if others else find_pool_of_runs(stated, qrels, rel)
    depth = pool.depth or MIN_DEPTH
    unjudged = unjudged_shares(compared.select([*dict.fromkeys(twins.values())]), qrels, depth)
    outside = {tag: twin for tag, twin in twins.items() if unjudged[twin] > 1 - MIN_SHARE}
    if not others or pool.kind != "depth" or pool.reason:
        outside = {}  # whether these were pooled cannot be told
    kept = [tag for tag in stated.tags if tag not in outside]
    pool = pool if kept == others else find_pool_of_runs(stated.select(kept), qrels, rel)
    warnings = [
        f"run {tag} was probably not pooled, so the model is not fitted to it: it shares at least {MIN_SHARE:.0%} of"
        f" its first {MIN_DEPTH} documents with the compared run {twin}, and {unjudged[twin]:.0%} of the first {depth}"
        f" documents of {twin} are unjudged"
        for tag, twin in outside.items()
    ]
    fitted_to_both = [] if pool.reason else _note_runs_in_both(stated, compared, kept, depth)
    return StatedPool(pool, [*warnings, *pool.notes], fitted_to_both)


def _note_runs_in_both(stated: Runs, compared: Runs, kept: Sequence[str], depth: int) -> list[str]:
    shares = _shared_with(stated.select(kept), compared, depth)
    tags = [tag for tag, column in zip(compared.tags, shares.T, strict=True) if column.max(initial=0) >= 1]
    if not tags:
        return []
    verb, them = ("is", "it") if len(tags) == 1 else ("are", "them")
    return [f"{join_words(tags)} {verb} compared and also pooled, so the model is also fitted to {them}"]


def _shared_with(stated: Runs, compared: Runs, depth: int) -> Floats:
    """The share of first documents in common, an array (stated runs, compared runs)."""
    first, second = (
        replace(runs.loaded, tags=tuple(f"{place} {tag}" for tag in runs.tags))
        for place, runs in enumerate((stated, compared))
    )
    both = merged_runs(first, second)
    return shared_document_shares(both, depth)[: len(stated.tags), len(stated.tags) :]
