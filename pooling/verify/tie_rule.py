"""The tie rule of a pool: which documents of one score went in, where a ranking has a tie across the pool's depth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Qrels, Runs
from cranfield.formats.runs.lines import submitted
from cranfield.pooling.verify.judged_depth import stretches
from cranfield.pooling.verify.verify import judged_pairs, pooled_pairs

RULES = ("docno descending", "docno ascending", "file order", "rank column")


class Fit(NamedTuple):
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
    tried: tuple[Fit, ...]

    @property
    def best(self) -> tuple[str, ...]:
        """The rules that leave the fewest exceptions; none where that tells nothing."""
        fewest = min((fit.exceptions for fit in self.tried), default=0)
        found = tuple(fit.rule for fit in self.tried if fit.exceptions == fewest)
        return found if len(found) < len(self.tried) else ()

    def to_json(self) -> dict[str, object]:
        """Plain lists and dicts."""
        return {"rankings": self.rankings, "best": list(self.best), "tried": [fit._asdict() for fit in self.tried]}

    def rows(self) -> list[tuple[str, str]]:
        """The findings in words: the rule, and what each leaves."""
        return [
            ("tie rule", self._verdict()),
            *(
                (f"with ties by {rule}", f"{unjudged} pooled, not judged; {outside} judged, not pooled")
                for rule, unjudged, outside in self.tried
            ),
        ]

    def _verdict(self) -> str:
        if not self.rankings:
            return f"any; no tie crosses depth {self.depth}"
        crossed = f"{self.rankings} {'ranking has' if self.rankings == 1 else 'rankings have'} a tie across the depth"
        untried = [rule for rule in RULES if rule not in {fit.rule for fit in self.tried}]
        note = f" (not tried: {', '.join(untried)})" if untried else ""
        if not self.best:
            return f"undetermined; {crossed}, and all rules fit equally well{note}"
        fewest, second = sorted({fit.exceptions for fit in self.tried})[:2]
        more = f"{second - fewest} more exception{'s' * (second > fewest + 1)}"
        return f"{' or '.join(self.best)}; {crossed}, and the next best rule leaves {more}{note}"


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
    >>> found = tie_rule(runs, as_qrels({"q": {"d1": 0}}), 1)
    >>> found.rankings, found.best, [fit.exceptions for fit in found.tried]
    (1, ('docno ascending',), [2, 0])
    """
    stretch = stretches(runs)
    crossing = _crossing(runs, qrels, depth, stretch)
    rows = np.flatnonzero(np.isin(stretch, crossing))
    labelled = judged_pairs(qrels.rows(qrels.judged))
    tried = []
    for rule, key in _orders(runs, rows, files or {}) if len(rows) else ():
        documents = runs.document.copy()
        documents[rows] = runs.document[rows[np.lexsort((key, stretch[rows]))]]
        pooled = pooled_pairs(replace(runs.whole, document=documents), qrels, np.full(len(runs.tags), depth))
        tried.append(Fit(rule, len(pooled - labelled), len(labelled - pooled)))
    return TieRule(depth, len(crossing), tuple(tried))


def _crossing(runs: Runs, qrels: Qrels, depth: int, stretch: Ints) -> Ints:
    """The stretches that go on below the depth, in topics that are judged."""
    judged = np.isin(runs.topics.names, qrels.qids)[runs.topic]
    last = np.flatnonzero((runs.rank == depth) & judged)
    last = last[last + 1 < len(runs)]
    return np.asarray(stretch[last][stretch[last] == stretch[last + 1]])


def _orders(runs: Runs, rows: Ints, files: Mapping[str, Path]) -> Iterator[tuple[str, Floats | Ints]]:
    """Each rule that can be tried, with what it sorts these rows by."""
    by_docno = np.arange(len(rows))
    yield RULES[0], by_docno
    yield RULES[1], -by_docno
    tags = [runs.tags[run] for run in np.unique(runs.run[rows])]
    if all(tag in files and files[tag].is_file() for tag in tags):  # a pipe cannot be read again
        line, rank = _as_submitted(runs, rows, files)
        yield RULES[2], line
        if not np.isnan(rank).any():
            yield RULES[3], rank


def _as_submitted(runs: Runs, rows: Ints, files: Mapping[str, Path]) -> tuple[Ints, Floats]:
    """Of these rows the line in the run's file, and the rank there."""
    line, rank = np.zeros(len(rows), np.int64), np.zeros(len(rows))
    for run in np.unique(runs.run[rows]):
        own = runs.run[rows] == run
        qids, docnos = runs.topics.names[runs.topic[rows[own]]], runs.docnos.names[runs.document[rows[own]]]
        line[own], rank[own] = submitted(files[runs.tags[run]], qids, docnos)
    return line, rank
