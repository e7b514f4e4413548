"""Which runs were pooled: as the stored pool lists them, else as given, else as inferred from the judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints, Mask
from cranfield.errors import InputError
from cranfield.metrics.reusability.results import MOST
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.pooling.infer import Gaps
    from cranfield.source import Source

MOST_NAMES = 5
NOBODY = "none of these runs contributed to the pool"
NOBODY_CAN = "no run can have been pooled{}: all have unjudged documents; --teams says which were"


class Contributors(NamedTuple):
    """The pooled runs, how they are known, and what is uncertain about them."""

    runs: tuple[str, ...]
    known_by: str  # such as "pool 3"; "teams" where given, "judgments" where inferred
    late: tuple[str, ...] = ()  # marked as pooled, but that pool was built without them
    depth: int | None = None  # inferred with them
    undecided: tuple[str, ...] = ()  # fully judged, but with no unique document
    spare: tuple[str, ...] = ()  # as many of the undecided as the pool can do without at once
    others: int = 0  # runs with unjudged documents
    refusal: str = ""  # why no run can be left out
    origins: tuple[str, ...] = ()  # how else documents came to be judged, a line each
    gaps: Gaps | None = None  # of these runs and of the topics, to the pool's depth; None where a pool is stored

    @property
    def notes(self) -> list[str]:
        """What to know when reading the findings, one line each."""
        lines = []
        if self.late:
            lines.append(f"late, not in {self.known_by}: {first_few(self.late)}; scored, never left out")
        if self.known_by == "judgments" and self.runs:
            have = "has unjudged documents" if self.others == 1 else "have unjudged documents"
            were = "was" if self.others == 1 else "were"
            rest = f"; {self.others} {have} within that depth, so {were} not pooled" if self.others else ""
            lines.append(
                f"{len(self.runs)} of {counted(len(self.runs) + self.others, 'run')} taken as pooled to depth"
                f" {self.depth}: {first_few(self.runs)}{rest}"
            )
        lines += self._on_gaps
        if self.undecided:
            uncertain = f"{len(self.undecided)} of the {len(self.runs)} {'is' if len(self.undecided) == 1 else 'are'}"
            lines.append(f"{uncertain} uncertain, without a unique document: {first_few(self.undecided)}")
        return [*lines, *self.origins]

    @property
    def _on_gaps(self) -> list[str]:
        """How many of these runs, and of the topics, have gaps; nothing where none has."""
        if self.gaps is None or not (self.gaps.runs.tied or self.gaps.runs.open):
            return []
        runs, topics = self.gaps
        have = f"{runs.closed} of {sum(runs)} pooled runs and {topics.closed} of {counted(sum(topics), 'topic')}"
        tied = f"; {_both(runs.tied, topics.tied)} have some only where scores tie across it"
        ties, others = runs.tied or topics.tied, runs.open
        other = f"; {_both(runs.open, topics.open)} have some{' elsewhere' if ties else ''}"
        return [
            f"{have} have no unjudged document within the pool's depth{tied if ties else ''}{other if others else ''}"
        ]

    @property
    def lack(self) -> str:
        """Why there can be no verdict on a pool of these inferred runs; empty where there can be one."""
        if self.known_by != "judgments" or self.gaps is None:
            return ""
        topics = self.gaps.topics
        if topics.open <= MOST * sum(topics):
            return ""
        where = f"{topics.open} of {counted(sum(topics), 'topic')}"
        return f"{where} were judged otherwise: there the runs taken as pooled have unjudged documents"

    @property
    def assumption(self) -> str:
        """What a verdict on a pool of these runs assumes, in a sentence; empty where nothing."""
        if self.known_by != "judgments" or self.gaps is None or not self.gaps.topics.open:
            return ""
        have = f"{self.gaps.topics.open} of {counted(sum(self.gaps.topics), 'topic')}"
        return f"It assumes that {have}, where pooled runs have unjudged documents, were pooled like the others."

    def check(self) -> None:
        """Raise an error where no run can be left out."""
        if self.refusal:
            raise InputError(self.refusal)

    def to_json(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        names = ("known_by", "runs", "late", "undecided", "origins")
        return {name: getattr(self, name) for name in names} | {"gaps": self.gaps and self.gaps.to_json()}


def _both(runs: int, topics: int) -> str:
    return f"{counted(runs, 'run')} and {counted(topics, 'topic')}"


def first_few(names: Sequence[str]) -> str:
    """The first few names, and how many more there are.

    >>> first_few("abcdefg"), first_few("ab")
    ('a, b, c, d, e and 2 more', 'a, b')
    """
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def with_contributors(source: Source, depth: int | None = None) -> Source:
    """The source with its contributors, and only these marked as pooled in `about`.

    The stored pool's own list decides; without one the marks of --teams, and without these the judgments,
    for a pool of `depth`, or of the depth that explains most of them.
    """
    if source.contributors is not None:
        return source
    pooled = tuple(tag for tag, info in source.about.items() if info.pooled)
    if source.pool_runs is not None:
        who = _of_stored_pool(source, source.pool_runs)
    elif source.states_pooled:
        who = Contributors(pooled, "teams", refusal="" if pooled else NOBODY)
    else:
        who = _infer(source, depth)
    return source.with_contributors(who._replace(origins=_origins(source)))


def _of_stored_pool(source: Source, tags: Sequence[str]) -> Contributors:
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
    by_mark = None if mark is None else qrels.sources[row] == mark
    if not source.found_apart:
        return by_mark
    pairs = zip(qrels.topics.names[qrels.topic[row]], qrels.docnos.names[qrels.document[row]], strict=True)
    apart = np.array([pair in source.found_apart for pair in pairs], bool)
    return apart if by_mark is None else apart | by_mark


def _origins(source: Source) -> tuple[str, ...]:
    """How else than from runs documents came to be judged, and in which order."""
    from cranfield.pooling.methods import METHODS

    methods = [METHODS[stage.pool.method] for stage in source.stages if stage.pool.method in METHODS]
    learnt = [method.name for method in methods if method.corpus and not method.by_chance]
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
    from cranfield.pooling.infer import infer, reach_of, spare
    from cranfield.pooling.verify import gaps_among

    far = reach_of(source.runs, source.blocks, source.qrels)
    pool = infer(source.runs, source.judged, depth, far)

    def names(mask: Any) -> tuple[str, ...]:
        return tuple(tag for tag, there in zip(source.runs.tags, mask.tolist(), strict=True) if there)

    runs, without = names(pool.runs), names(spare(source.judged, pool))
    others = len(source.runs.tags) - len(runs)
    refusal = "" if runs else NOBODY_CAN.format(f" to depth {depth}" if depth else "")
    gaps = gaps_among(source.judged, runs, far, pool.depth)
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
    )
