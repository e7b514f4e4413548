"""Which runs were pooled: as the stored pool lists them, else as given, else as inferred from the judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays.rankings import Ints, Mask, lists_nonrelevant
from cranfield.contributors import Contributors
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.source import Source

NOBODY = "none of these runs contributed to the pool"
NOBODY_CAN = "no run can have been pooled{}: all have unjudged documents; the column pooled of --teams says which were"
NOBODY_CAN_BY_RELEVANT = (
    "no run can have been pooled{}: the judgments list relevant documents only; import the judgments of the others, or"
    " name the pooled runs in the column pooled of --teams"
)


def with_contributors(source: Source, depth: int | None = None) -> Source:
    """The source with its contributors, and only these marked as pooled in `about`.

    The stored pool's own list decides; without one the marks of --teams, and without these the judgments,
    for a pool of `depth`, or of the depth that explains most of them.
    """
    if source.contributors is not None:
        return source
    pooled = tuple(tag for tag, info in source.about.items() if info.pooled)
    if source.pool_runs is not None:
        who = _stored_contributors(source, source.pool_runs)
    elif source.states_pooled:
        who = Contributors(pooled, "teams", refusal="" if pooled else NOBODY)
    else:
        who = _infer(source, depth)
    return source.with_contributors(who._replace(origins=_origins(source)))


def _stored_contributors(source: Source, tags: Sequence[str]) -> Contributors:
    name, lack = f"pool {source.number}", [tag for tag in tags if tag not in source.about]
    late = tuple(tag for tag, info in source.about.items() if info.pooled and tag not in tags)
    here = tuple(tag for tag in source.about if tag in tags)
    refusal = f"{name} was also built from run {lack[0]!r}, which is missing: no run can be left out" if lack else ""
    return Contributors(here, name, late, refusal=refusal or ("" if here else NOBODY))


FOUND = {
    "search": "found by an assessor who searched: not blind, and no run's alone",
    "development": "judged while their topic was developed: not blind, and no run's alone",
    "random-draw": "drawn at random from the runs' unjudged documents: no run's alone",
    "draw": "drawn at random from the corpus before learning: no run's alone",
}


def protection(source: Source, row: Ints, mark: str | None = None) -> Mask | None:
    """Which judgments, rows of the qrels, have another origin than runs: a mark of provenance, or found by hand."""
    qrels = source.qrels
    is_marked = None if mark is None else qrels.sources[row] == mark
    if not source.found_apart:
        return is_marked
    pairs = zip(qrels.topics.names[qrels.topic[row]], qrels.docnos.names[qrels.document[row]], strict=True)
    apart = np.array([pair in source.found_apart for pair in pairs], bool)
    return apart if is_marked is None else apart | is_marked


def add_judged_below(who: Contributors, source: Source, depth: int) -> Contributors:
    """The same runs with what is judged directly below the depth that was inferred for all of them.

    Runs that are pooled each to a depth of its own, or that a stored pool has, stay as they are.
    """
    from cranfield.pooling.infer import judged_share_below

    if source.pool_runs is not None or any(source.about[tag].depth for tag in who.runs):
        return who
    pooled = np.isin(np.array(source.judged.tags, object), who.runs)
    return who._replace(judged_below=judged_share_below(source.judged, pooled, depth), depth=depth)


def _origins(source: Source) -> tuple[str, ...]:
    """How else than from runs documents came to be judged, and in which order."""
    from cranfield.pooling.methods import METHODS

    methods = [METHODS[stage.pool.method] for stage in source.stages if stage.pool.method in METHODS]
    learnt = [method.name for method in methods if method.corpus and not method.is_random]
    early = (
        "proposed documents from the whole corpus: early ones were likelier to be relevant, and assessors may have"
        " noticed; a second assessor gets the whole pool in hash order"
    )
    several = Counter(source.found_apart.values())
    return (
        *(f"method {name} {early}" for name in learnt[:1]),
        *(f"{counted(several[how], 'document')} {words}" for how, words in FOUND.items() if several[how]),
    )


def _infer(source: Source, depth: int | None) -> Contributors:
    from cranfield.pooling.infer import infer, judged_share_below, max_pool_depths_by_block, spare_runs
    from cranfield.pooling.verify import gaps_among

    judged = source.judged if depth is None else source.judged.rows(source.judged.rank <= depth)
    far = max_pool_depths_by_block(source.runs, source.blocks, source.qrels, depth, None if depth is None else judged)
    pool = infer(source.runs, judged, depth, far)

    def names(mask: Any) -> tuple[str, ...]:
        return tuple(tag for tag, there in zip(source.runs.tags, mask.tolist(), strict=True) if there)

    runs, without = names(pool.runs), names(spare_runs(judged, pool))
    others = len(source.runs.tags) - len(runs)
    reason = NOBODY_CAN if lists_nonrelevant(source.qrels.grade_or_unjudged) else NOBODY_CAN_BY_RELEVANT
    refusal = "" if runs else reason.format(f" to depth {depth}" if depth else "")
    gaps = gaps_among(judged, runs, far, pool.depth)
    return Contributors(
        runs,
        "judgments",
        (),
        depth=pool.depth,
        undecided=names(pool.undecided),
        spare=without,
        others=others,
        refusal=refusal,
        gaps=gaps,
        judged_below=judged_share_below(judged, pool.runs, pool.depth) if depth is None else 0.0,
    )
