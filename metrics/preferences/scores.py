"""The preference measures of a run, by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cranfield.arrays.rankings import Runs
from cranfield.formats.preferences import PreferenceLine
from cranfield.metrics.preferences.group import groups_of
from cranfield.metrics.preferences.measures import MEASURES


def by_topic(lines: Sequence[PreferenceLine]) -> dict[str, list[PreferenceLine]]:
    """The preferences of each topic, in byte order of the topics."""
    found: dict[str, list[PreferenceLine]] = {}
    for one in sorted(lines, key=lambda one: one.qid):
        found.setdefault(one.qid, []).append(one)
    return found


def rankings(runs: Runs, most: int | None = None) -> dict[str, list[str]]:
    """The documents of a single run by topic; ties by docno ascending, as in trec_eval's preference measures only."""
    found: dict[str, list[str]] = {}
    topics = runs.topics.names[runs.topic].tolist()
    docnos = runs.docnos.names[runs.document].tolist()
    for qid, _, docno in sorted(zip(topics, (-runs.score).tolist(), docnos, strict=True)):
        found.setdefault(qid, []).append(docno)
    return {qid: ranking[:most] for qid, ranking in found.items()}


def scores(
    lines: Sequence[PreferenceLine], ranked: Mapping[str, Sequence[str]], names: Sequence[str], complete: bool = False
) -> Iterator[tuple[str, dict[str, float]]]:
    """The measures of these names for each topic with a ranking; `complete`: also of those without one.

    >>> lines = [PreferenceLine(1, "q", "ada", "0", "a", 2), PreferenceLine(2, "q", "ada", "0", "b", 1)]
    >>> list(scores(lines, {"q": ["b", "x"]}, ["prefs_simp", "prefs_num_prefs_poss"]))
    [('q', {'prefs_simp': 0.0, 'prefs_num_prefs_poss': 1})]
    """
    for qid, preferred in by_topic(lines).items():
        if complete or qid in ranked:
            groups = groups_of(preferred, ranked.get(qid, []))
            yield qid, {name: MEASURES[name].value(groups) for name in names}


def mean(name: str, values: Sequence[float]) -> float:
    """The sum or the mean over topics, added up one by one."""
    total = float(np.cumsum(values)[-1])
    return int(total) if MEASURES[name].summed else total / len(values)
