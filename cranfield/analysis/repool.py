"""Leaving units out of a pool that is not of depth k: the pool is rebuilt without them, by the same method.

Where documents compete for a budget, a pool without a run is not the pool less that run's unique documents: others take
their places. So the method is run again without the unit (see pooling/stored/rebuild.py). What is in the new pool but
was never judged is missed; it stays unjudged. With no unit left out the rebuilt pool has to equal the stored one: where
it does not, the pool without a unit is unknown, too, and there are no findings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield import __version__
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Mask, Qrels, Runs, is_judged
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.pooling.candidates import Candidates, by_topic
from cranfield.pooling.methods.table import METHODS
from cranfield.pooling.stored.rebuild import Rebuilder, Rebuilt, steps_of
from cranfield.store.open_pools import Stage
from cranfield.text import counted

Pair = tuple[str, str]


class Repooled(NamedTuple):
    """Per unit: the judgments lost without it, and how many documents of the rebuilt pool are unjudged."""

    lost: list[Mask]
    missed: list[int]
    pooled: Mask  # per judgment: is it in the pool as it was built?
    builder: Rebuilder
    whole: Rebuilt  # the pool with all units

    @property
    def listens(self) -> bool:
        """Whether the pool depends on judgments."""
        return any(METHODS[stage.pool.method].adaptive for stage in self.builder.stages)


def repooled(
    runs: Runs,
    qrels: Qrels,
    judged: Judged,
    stages: Sequence[Stage],
    units: Mapping[str, Sequence[str]],
    *,
    rel: int = 1,
    about: Mapping[str, RunInfo] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Repooled:
    """Rebuild a stored pool without each unit in turn; `stages` are the pool and those it was built from.

    An error, with the reason, where it cannot be rebuilt with all units in it.
    """
    place = places(judged, qrels)
    builder = Rebuilder(stages, [_topics(runs, stage, about or {}) for stage in stages], relevance(judged, place, rel))
    everybody = {document[:2] for document in stages[-1].pool.documents}
    inside = mask_of(judged, place, everybody)
    if not inside.any():
        raise InputError(f"{_name(stages[-1])} is unjudged: none of its {len(everybody)} documents has a label")
    whole = builder.whole()
    _check(stages, whole)
    lost, missed = [], []
    for tags in units.values():
        pairs = pairs_of(builder.leaving_out(tags, whole))
        lost.append(inside & ~mask_of(judged, place, pairs))
        missed.append(sum(pair not in place for pair in pairs - everybody))
        if progress:
            progress(1)
    return Repooled(lost, missed, inside, builder, whole)


def places(judged: Judged, qrels: Qrels) -> dict[Pair, int]:
    """Where each judged pair stands among the judgments; a grade of -1 is none."""
    qids = [judged.qids[topic] for topic in judged.qrels_topic]
    docnos = qrels.docnos.names[qrels.document[judged.qrels_row]].tolist()
    pairs = zip(qids, docnos, is_judged(judged.qrels_grade), strict=True)
    return {(qid, docno): place for place, (qid, docno, graded) in enumerate(pairs) if graded}


def relevance(judged: Judged, place: Mapping[Pair, int], rel: int) -> dict[str, dict[str, bool]]:
    found: dict[str, dict[str, bool]] = {}
    for (qid, docno), at in place.items():
        found.setdefault(qid, {})[docno] = bool(judged.qrels_grade[at] >= rel)
    return found


def _topics(runs: Runs, stage: Stage, about: Mapping[str, RunInfo]) -> list[Candidates]:
    """What the runs of a pool retrieved, as deep as the pool looked."""
    made, name = stage.pool.parameters, _name(stage)
    if stage.pool.method not in METHODS or "runs" not in made:
        raise InputError(f"{name}: how it was built is not stored, so no run can be left out of it")
    if gone := [tag for tag in made["runs"] if tag not in runs.tags]:
        raise InputError(f"{name} was also built from run {gone[0]!r}, which is missing: no run can be left out of it")
    depths = {tag: about[tag].depth for tag in made["runs"] if tag in about}
    return by_topic(runs.select(made["runs"]), considered(made), depths)


def considered(made: Mapping[str, Any]) -> int:
    """How deep a pool with these parameters looked into its runs."""
    return int(made.get("depth") or made.get("considered") or 100)


def _name(stage: Stage) -> str:
    number = stage.pool.number
    return f"the pool ({stage.pool.method})" if number is None else f"pool {number} ({stage.pool.method})"


def pairs_of(found: Rebuilt) -> set[Pair]:
    return {(qid, docno) for qid, docnos in found.came.items() for docno in docnos}


def mask_of(judged: Judged, place: Mapping[Pair, int], pairs: Iterable[Pair]) -> Mask:
    """The judgments of some documents."""
    mask = np.zeros(len(judged.qrels_grade), bool)
    mask[[place[pair] for pair in pairs if pair in place]] = True
    return mask


def _check(stages: Sequence[Stage], whole: Rebuilt) -> None:
    """Raise an error where the rebuilt pool differs."""
    stored, again = {d[:2] for d in stages[-1].pool.documents}, pairs_of(whole)
    if stored == again:
        return
    other = f"rebuilt with all its runs, {_name(stages[-1])} differs in {counted(len(stored ^ again), 'document')}"
    raise InputError(f"{other}, so no run can be left out of it; {_reason(stages)}")


def _reason(stages: Sequence[Stage]) -> str:
    """Why a rebuilt pool may differ."""
    versions = {stage.pool.version for stage in stages} - {__version__, ""}
    if any(step.number < 0 for both in zip(stages, [None, *stages], strict=False) for step in steps_of(*both, {})):
        return "what was judged when each of its batches was proposed was not stored"
    if versions:
        return f"it was built by version {', '.join(sorted(versions))}, this is {__version__}"
    return "its runs or their depths are not what they were"
