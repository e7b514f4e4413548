"""Pool closure: do these runs, pooled to some depth, give these judgments?

A collection whose pool cannot be rebuilt cannot be asked what a left-out run would have lost. The evidence is in how
far down each ranking is judged without a gap: to the depth of the pool gaps are rare, right below it they are not. Who
contributed, where that is not known, is found in the same way (see infer.py). It misleads where few rankings reach the
pool's depth, and where topics were pooled to different depths.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged, JudgedBlocks
from cranfield.arrays.rankings import Floats, Ints, Mask, Pair, Qrels, Runs
from cranfield.formats.runs.partitioned import PartitionedRuns
from cranfield.formats.runs.submitted_lines import submitted_lines
from cranfield.pooling.infer import (
    GapCount,
    Gaps,
    count_gaps_to_depth,
    infer_pool,
    judged_prefix_lengths,
    max_pool_depths,
    pool_depth,
    rankings_of_parts,
    stretch_of_row,
)
from cranfield.text import counted

CLOSED = 0.98  # the share of judged documents from which a topic's pool counts as closed


class Closure(NamedTuple):
    """What pooling `runs` to `depth` gives, against what is judged."""

    depth: int
    runs: tuple[str, ...]  # that contribute
    outside: tuple[str, ...]  # that do not
    inferred: bool  # whether the contributing runs were inferred, not given
    undecided: tuple[str, ...]  # of the inferred, those that brought nothing of their own
    with_gaps: dict[str, int]  # of the given runs, in how many topics; they cannot have been pooled so deep
    gaps: Gaps  # of the contributing runs, and the topics with them
    topics: int
    closed_topics: int  # whose pool is judged, except for 2 % at most
    pooled: int
    judged: int
    pooled_not_judged: list[Pair]
    judged_not_pooled: list[Pair]
    otherwise: Mapping[str, int] = {}  # of these, how many came by searching, in development, as a sample, ...


def verify(
    runs: Runs,
    qrels: Qrels,
    contributing: Sequence[str] | None = None,
    depth: int | None = None,
    judged: Judged | None = None,
) -> Closure:
    """Infer the depth and the contributing runs where they are not given, rebuild the pool and compare.

    `judged` is what `join_runs_and_qrels` makes of the runs and the judgments, where that is at hand.
    """
    judged = (judged or join_runs_and_qrels(runs, qrels)).drop_unjudged()
    if contributing is None:
        far = max_pool_depths(runs.loaded, judged, depth)
        pool = infer_pool(runs, judged, depth, far)
        depth, contributors = pool.depth, _tags_in(judged, pool.runs)
        uncertain, with_gaps = _tags_in(judged, pool.undecided), dict[str, int]()
    else:
        depth = depth or depth_of_pool(judged, contributing)
        far = max_pool_depths(runs.loaded, judged, depth)
        gaps = (far < np.minimum(depth, judged.retrieved.reshape(judged.shape))).sum(axis=1)
        contributors, uncertain = tuple(contributing), ()
        with_gaps = {tag: int(n) for tag, n in zip(judged.tags, gaps, strict=True) if n and tag in contributing}
    pooled = pooled_pairs(runs.select(contributors), qrels, np.full(len(contributors), depth))
    labelled = judged_pairs(qrels.rows(qrels.judged))
    n_judged = Counter(qid for qid, _ in pooled & labelled)
    return Closure(
        depth,
        contributors,
        tuple(tag for tag in judged.tags if tag not in contributors),
        inferred=contributing is None,
        undecided=uncertain,
        with_gaps=with_gaps,
        gaps=count_pool_gaps(judged, contributors, far, depth),
        topics=len(judged.qids),
        closed_topics=sum(n_judged[qid] >= CLOSED * size for qid, size in Counter(qid for qid, _ in pooled).items()),
        pooled=len(pooled),
        judged=len(labelled),
        pooled_not_judged=sorted(pooled - labelled),
        judged_not_pooled=sorted(labelled - pooled),
    )


def depth_of_pool(judged: Judged, contributing: Sequence[str]) -> int:
    """The depth from which on gaps become common in the rankings of these runs."""
    rows = np.isin(np.array(judged.tags, object), np.array(contributing, object))
    return pool_depth(judged_prefix_lengths(judged)[rows], judged.retrieved.reshape(judged.shape)[rows])


def count_pool_gaps(judged: Judged, tags: Sequence[str], far: Ints, depth: int | Mapping[str, int]) -> Gaps:
    """How many of these runs, and of the topics, have gaps to a depth, for all or by run; `far` is their `reach`."""
    places = [judged.tags.index(tag) for tag in tags]
    deep = np.array([depth if isinstance(depth, int) else depth[tag] for tag in tags])
    return count_gaps_to_depth(
        deep, judged_prefix_lengths(judged)[places], far[places], judged.retrieved.reshape(judged.shape)[places]
    )


def _tags_in(judged: Judged, mask: Mask) -> tuple[str, ...]:
    return tuple(tag for tag, there in zip(judged.tags, mask.tolist(), strict=True) if there)


def summary(closure: Closure, examples: int = 5) -> list[tuple[str, object]]:
    """The findings in words, with some of the exceptions."""

    def example_pairs(pairs: list[Pair]) -> str:
        return ", ".join(f"{qid} {docno}" for qid, docno in pairs[:examples])

    def names(runs: Iterable[str]) -> str:
        return ", ".join(runs)

    rows: list[tuple[str, object]] = [
        ("depth", closure.depth),
        ("contributing runs", len(closure.runs)),
        ("contributing runs by name", names(closure.runs) if closure.inferred else ""),
        ("undecided among them", names(closure.undecided)),
        ("with gaps among them", names(f"{tag} ({counted(n, 'topic')})" for tag, n in closure.with_gaps.items())),
        ("other runs", len(closure.outside)),
        ("runs without a gap", _gap_note(closure.gaps.runs)),
        ("topics without a gap", _gap_note(closure.gaps.topics)),
        ("topics judged to this depth (at most 2% unjudged)", f"{closure.closed_topics} of {closure.topics}"),
        ("documents pooled", closure.pooled),
        ("documents judged", closure.judged),
        ("pooled, not judged", len(closure.pooled_not_judged)),
        ("judged, not pooled", len(closure.judged_not_pooled)),
        *((f"judged, not pooled: {how}", several) for how, several in sorted(closure.otherwise.items())),
        ("pooled, not judged, for example", example_pairs(closure.pooled_not_judged)),
        ("judged, not pooled, for example", example_pairs(closure.judged_not_pooled)),
    ]
    return [row for row in rows if row[1] != ""]


def _gap_note(count: GapCount) -> str:
    """How many have no gap, and why the others have.

    >>> _gap_note(GapCount(24, 6, 0)), _gap_note(GapCount(30, 0, 0))
    ('24 of 30; 6 have gaps only where scores tie', '30 of 30')
    >>> _gap_note(GapCount(2, 30, 13))
    '2 of 45; 30 have gaps only where scores tie, 13 elsewhere'
    """
    tied = f"{count.tied} {'has' if count.tied == 1 else 'have'} gaps only where scores tie" if count.tied else ""
    other = f"{count.open} elsewhere" if count.open else ""
    return "; ".join(filter(None, (f"{count.closed} of {sum(count)}", ", ".join(filter(None, (tied, other))))))


def pooled_pairs(runs: Runs, qrels: Qrels, depths: Ints) -> set[Pair]:
    """The pairs of judged topics that the runs have down to the depth of each."""
    answered_pairs, first = set[Pair](), 0
    for part in runs.parts():
        deep = part.rank <= depths[first + part.run]
        rows = np.flatnonzero(deep & np.isin(runs.topics.names, qrels.qids)[part.topic])
        pairs = np.unique(part.topic[rows] * len(runs.docnos.names) + part.document[rows])
        topic, document = np.divmod(pairs, len(runs.docnos.names))
        answered_pairs.update(zip(runs.topics.names[topic], runs.docnos.names[document], strict=True))
        first += len(part.tags)
    return answered_pairs


def pool_size(runs: Runs, judged: JudgedBlocks, qrels: Qrels, depths: Mapping[str, int]) -> int:
    """Count such pairs; only runs with unjudged documents to their depths are read."""
    deep = np.array([depths.get(tag, 0) for tag in judged.tags])
    if isinstance(runs, PartitionedRuns):
        return sum(runs.map_blocks(_pool_size, qrels, deep))
    return _pool_size(runs, judged.joined, deep)


def _pool_size(runs: Runs, judged: Judged, depths: Ints) -> int:
    due = np.minimum(judged.retrieved, np.repeat(depths, len(judged.qids)))
    rows = np.flatnonzero(judged.rank <= due[judged.ranking])
    is_pooled = np.zeros(len(judged.qrels_topic), bool)
    is_pooled[judged.judgment[rows]] = True
    gaps = np.flatnonzero(np.bincount(judged.ranking[rows], minlength=len(due)) < due)
    keys = [np.zeros(0, np.int64)]
    for part, ranking, start, labelled in rankings_of_parts(runs, judged, gaps):
        is_unjudged, size = np.zeros(len(part), bool), due[ranking]
        is_unjudged[np.repeat(start - np.cumsum(size) + size, size) + np.arange(size.sum())] = True
        is_unjudged[labelled] = False
        unjudged = np.flatnonzero(is_unjudged)
        keys.append(part.document[unjudged] * len(part.topics.names) + part.topic[unjudged])
    return int(np.count_nonzero(is_pooled)) + len(np.unique(np.concatenate(keys)))


def judged_pairs(qrels: Qrels) -> set[Pair]:
    """The pairs that have a judgment."""
    return set(zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True))


RULES = ("docno descending", "docno ascending", "file order", "rank column")


class RuleFit(NamedTuple):
    """What is left when the pool is made by a rule."""

    rule: str
    pooled_not_judged: int
    judged_not_pooled: int

    @property
    def exceptions(self) -> int:
        """Of both kinds."""
        return self.pooled_not_judged + self.judged_not_pooled


class TieRule(NamedTuple):
    """How many rankings have a tie across the depth, and how well each rule fits; none is tried where there is none."""

    depth: int
    rankings: int
    fits: tuple[RuleFit, ...]

    @property
    def best(self) -> tuple[str, ...]:
        """The rules that leave the fewest exceptions; none where that tells nothing."""
        fewest = min((fit.exceptions for fit in self.fits), default=0)
        rules = tuple(fit.rule for fit in self.fits if fit.exceptions == fewest)
        return rules if len(rules) < len(self.fits) else ()

    def to_json(self) -> dict[str, object]:
        """Plain lists and dicts."""
        return {"rankings": self.rankings, "best": list(self.best), "tried": [fit._asdict() for fit in self.fits]}

    def rows(self) -> list[tuple[str, str]]:
        """The findings in words: the rule, and what each leaves."""
        return [
            ("tie rule", self._verdict()),
            *(
                (f"with ties by {rule}", f"{unjudged} pooled, not judged; {outside} judged, not pooled")
                for rule, unjudged, outside in self.fits
            ),
        ]

    def _verdict(self) -> str:
        if not self.rankings:
            return f"any; no tie crosses depth {self.depth}"
        crossing = f"{self.rankings} {'ranking has' if self.rankings == 1 else 'rankings have'} a tie across the depth"
        others = [rule for rule in RULES if rule not in {fit.rule for fit in self.fits}]
        note = f" (not tried: {', '.join(others)})" if others else ""
        if not self.best:
            return f"undetermined; {crossing}, and all rules fit equally well{note}"
        fewest, second = sorted({fit.exceptions for fit in self.fits})[:2]
        more = f"{second - fewest} more exception{'s' * (second > fewest + 1)}"
        return f"{' or '.join(self.best)}; {crossing}, and the next best rule leaves {more}{note}"


def tie_rule(runs: Runs, qrels: Qrels, depth: int, files: Mapping[str, Path] | None = None) -> TieRule:
    """Try every rule on the runs that made a pool of this depth; `files` are the runs' files, which a store has not.

        docno descending   trec_eval's order, and this project's everywhere else
        docno ascending    the obvious order
        file order         as the lines of the run file stand
        rank column        as the run file numbers them

    Each rule is tried on all rankings at once: it leaves some documents pooled and not judged, and others judged and
    not pooled. The rule of the fewest is the likeliest. Scores always come first: a pool made by rank columns that
    contradict their scores fits none of these. It misleads where most of the pool's runs are missing. Depth and
    contributing runs are those found in trec_eval's order.

    On TREC-8 docno descending leaves nothing, docno ascending 4,476 exceptions; on TREC-COVID round 1, which has little
    to tell by, docno descending leaves 12 more.

    A run with a tie for the first place, of which the first docno is judged:

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"q": {"d1": 1.0, "d2": 1.0}}})
    >>> rule_fits = tie_rule(runs, as_qrels({"q": {"d1": 0}}), 1)
    >>> rule_fits.rankings, rule_fits.best, [fit.exceptions for fit in rule_fits.fits]
    (1, ('docno ascending',), [2, 0])
    """
    stretch = stretch_of_row(runs)
    # the stretches that go on below the depth, in topics that are judged
    judged = np.isin(runs.topics.names, qrels.qids)[runs.topic]
    last = np.flatnonzero((runs.rank == depth) & judged)
    last = last[last + 1 < len(runs)]
    crossing = stretch[last][stretch[last] == stretch[last + 1]]
    rows = np.flatnonzero(np.isin(stretch, crossing))
    labelled = judged_pairs(qrels.rows(qrels.judged))
    fits = []
    for rule, key in _orders(runs, rows, files or {}) if len(rows) else ():
        documents = runs.document.copy()
        documents[rows] = runs.document[rows[np.lexsort((key, stretch[rows]))]]
        pooled = pooled_pairs(replace(runs.loaded, document=documents), qrels, np.full(len(runs.tags), depth))
        fits.append(RuleFit(rule, len(pooled - labelled), len(labelled - pooled)))
    return TieRule(depth, len(crossing), tuple(fits))


def _orders(runs: Runs, rows: Ints, files: Mapping[str, Path]) -> Iterator[tuple[str, Floats | Ints]]:
    """Each rule that can be tried, with what it sorts these rows by."""
    docno_order = np.arange(len(rows))
    yield RULES[0], docno_order
    yield RULES[1], -docno_order
    tags = [runs.tags[run] for run in np.unique(runs.run[rows])]
    if all(tag in files and files[tag].is_file() for tag in tags):  # a pipe cannot be read again
        line, rank = _submitted_lines_and_ranks(runs, rows, files)
        yield RULES[2], line
        if not np.isnan(rank).any():
            yield RULES[3], rank


def _submitted_lines_and_ranks(runs: Runs, rows: Ints, files: Mapping[str, Path]) -> tuple[Ints, Floats]:
    """Of these rows the line in the run's file, and the rank there."""
    line, rank = np.zeros(len(rows), np.int64), np.zeros(len(rows))
    for run in np.unique(runs.run[rows]):
        own = runs.run[rows] == run
        qids, docnos = runs.topics.names[runs.topic[rows[own]]], runs.docnos.names[runs.document[rows[own]]]
        line[own], rank[own] = submitted_lines(files[runs.tags[run]], qids, docnos)
    return line, rank
