"""Which runs were pooled: as the stored pool lists them, else as given, else as inferred from the judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cranfield.arrays.rankings import Ints, Mask, lists_nonrelevant
from cranfield.contributors import Contributors
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.view import View

SomeView = TypeVar("SomeView", bound="View")
NOBODY = "none of these runs contributed to the pool"
NOBODY_CAN = (
    "no run can have been pooled{}, because all runs have unjudged documents; mark the pooled runs in the"
    " --teams file (column pooled)"
)
NOBODY_CAN_BY_RELEVANT = (
    "pooled runs cannot be inferred{}, because the qrels list only relevant documents; import the other judgments, or"
    " mark the pooled runs in the --teams file (column pooled)"
)


def with_contributors(view: SomeView, depth: int | None = None) -> SomeView:
    """The view with its contributors, and only these marked as pooled in `run_info`.

    The stored pool's own list decides; without one the marks of --teams, and without these the judgments,
    for a pool of `depth`, or of the depth that explains most of them.
    """
    if view.contributors is not None:
        return view
    pooled = tuple(tag for tag, info in view.run_info.items() if info.pooled)
    if view.pool_runs is not None:
        who = _stored_contributors(view, view.pool_runs)
    elif view.states_pooled:
        who = Contributors(pooled, "teams", refusal="" if pooled else NOBODY)
    else:
        who = _infer_contributors(view, depth)
    return view.settle_contributors(who._replace(origins=_non_run_origins(view)))


def _stored_contributors(view: View, tags: Sequence[str]) -> Contributors:
    name, lack = f"pool {view.pool_number}", [tag for tag in tags if tag not in view.run_info]
    late = tuple(tag for tag, info in view.run_info.items() if info.pooled and tag not in tags)
    here = tuple(tag for tag in view.run_info if tag in tags)
    refusal = f"run {lack[0]!r} of {name} is missing, so no run can be left out" if lack else ""
    return Contributors(here, name, late, refusal=refusal or ("" if here else NOBODY))


FOUND = {
    "search": "{was} found by an assessor through search and not judged blind, so {does} not count as unique to a run",
    "development": "{was} judged during topic development and not judged blind, so {does} not count as unique to a run",
    "random-draw": "{was} drawn at random from the runs' unjudged documents, so {does} not count as unique to a run",
    "draw": "{was} drawn at random from the corpus before learning, so {does} not count as unique to a run",
}


def protected_judgments(view: View, row: Ints, mark: str | None = None) -> Mask | None:
    """Which judgments, rows of the qrels, have another origin than runs: a mark of provenance, or found by hand."""
    qrels = view.qrels
    is_marked = None if mark is None else qrels.sources[row] == mark
    if not view.found_apart:
        return is_marked
    pairs = zip(qrels.topics.names[qrels.topic[row]], qrels.docnos.names[qrels.document[row]], strict=True)
    apart = np.array([pair in view.found_apart for pair in pairs], bool)
    return apart if is_marked is None else apart | is_marked


def add_judged_share_below_depth(who: Contributors, view: View, depth: int) -> Contributors:
    """The same runs with what is judged directly below the depth that was inferred for all of them.

    Runs that are pooled each to a depth of its own, or that a stored pool has, stay as they are.
    """
    from cranfield.pooling.infer import judged_share_below

    if view.pool_runs is not None or any(view.run_info[tag].depth for tag in who.runs):
        return who
    pooled = np.isin(np.array(view.judged.tags, object), who.runs)
    return who._replace(judged_below=judged_share_below(view.judged, pooled, depth), depth=depth)


def _non_run_origins(view: View) -> tuple[str, ...]:
    """How else than from runs documents came to be judged, and in which order."""
    from cranfield.pooling.methods import METHODS

    methods = [METHODS[stage.pool.method] for stage in view.pool_stages if stage.pool.method in METHODS]
    learnt = [method.name for method in methods if method.corpus and not method.is_random]
    early = (
        "proposed documents from the whole corpus. Its first proposals were more likely to be relevant, and assessors"
        " may have noticed. A second assessor gets the whole pool in hash order"
    )
    several = Counter(view.found_apart.values())
    return (
        *(f"the method {name} {early}" for name in learnt[:1]),
        *(_document_count_sentence(several[how], words) for how, words in FOUND.items() if several[how]),
    )


def _document_count_sentence(number: int, words: str) -> str:
    was, does = ("was", "does") if number == 1 else ("were", "do")
    return f"{counted(number, 'document')} {words.format(was=was, does=does)}"


def _infer_contributors(view: View, depth: int | None) -> Contributors:
    from cranfield.pooling.infer import infer_pool, judged_share_below, mask_dispensable_runs, max_pool_depths_by_block
    from cranfield.pooling.verify import count_pool_gaps

    judged = view.judged if depth is None else view.judged.rows(view.judged.rank <= depth)
    far = max_pool_depths_by_block(view.runs, view.blocks, view.qrels, depth, None if depth is None else judged)
    pool = infer_pool(view.runs, judged, depth, far)

    def names(mask: Any) -> tuple[str, ...]:
        return tuple(tag for tag, there in zip(view.runs.tags, mask.tolist(), strict=True) if there)

    runs, without = names(pool.runs), names(mask_dispensable_runs(judged, pool))
    others = len(view.runs.tags) - len(runs)
    reason = NOBODY_CAN if lists_nonrelevant(view.qrels.grade_or_unjudged) else NOBODY_CAN_BY_RELEVANT
    refusal = "" if runs else reason.format(f" to depth {depth}" if depth else "")
    gaps = count_pool_gaps(judged, runs, far, pool.depth)
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
