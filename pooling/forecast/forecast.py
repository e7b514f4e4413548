"""How complete a pool is: what greater depth would still bring, what nobody found, and which topics overflow.

    new relevant by depth    n(p) + 1 = C p^s, fitted on a log-log scale, with its own back-test        (Zobel)
    found by one team only   N >= S + (m-1)/m f1² / 2 f2                                       (Chao's lower bound)
    share of relevant ones   where much of what is judged is relevant, much more is likely to be there
    still finding            how many of the last judgments were "relevant"

None of these sees a relevant document that no system of this kind would retrieve; only a random sample of what is below
the pool does (`tail`, `estimate`). The power law has been seen to promise too much (TREC-8: 1,261 for the depths 51-100
from those before, 1,010 came), which is why the back-test stands beside every forecast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Ints, Mask, Qrels, Runs, is_judged
from cranfield.errors import InputError
from cranfield.formats.runs.metadata import teams_given
from cranfield.metrics.reusability.leave_one_out import pool_entries, unit_of_rows
from cranfield.pooling.forecast.chao import Bound, chao
from cranfield.pooling.forecast.extrapolation import (
    LEAST_DEPTHS,
    PowerLaw,
    Prediction,
    back_test,
    extrapolated,
    power_law,
)
from cranfield.text import runs_of_teams

DEEPEST = 1_000_000  # every depth up to it is a number in memory
LEVELS = ((1 / 3, "too many"), (0.174, "many"))  # Voorhees 2018; AQUAINT 2005 and Terabyte, both found biased

# For a forecast of one topic: with fewer relevant documents or depths there is hardly a law to fit.
LEAST_RELEVANT, LEAST_TOPIC_DEPTHS = 40, 20


class TopicForecast(NamedTuple):
    """A topic: what is judged, what is relevant, what only one team found, whether it goes on yielding."""

    query_id: str
    judged: int
    relevant: int
    share: float
    level: str
    by_one: int
    missing: float  # Chao's lower bound less what was found
    deeper_half: int  # relevant ones that came in the deeper half of the depths only
    recent: int | None = None  # relevant among the last judgments
    recent_of: int | None = None
    prediction: Prediction | None = None  # by depth; None where there is too little to go by
    back_test: Prediction | None = None


@dataclass(frozen=True)
class Forecast:
    """All of it. `new` are the relevant documents that depth 1, 2, ... brought."""

    depth: int
    runs: int
    teams: int
    new: tuple[int, ...]
    fit: PowerLaw | None
    prediction: Prediction | None
    back_test: Prediction | None
    bound: Bound
    topics: tuple[TopicForecast, ...]
    teams_given: bool = True  # or each run counts as its own team

    @property
    def unit(self) -> str:
        """What searches: a team, or a run where no teams were given."""
        return "team" if self.teams_given else "run"

    @property
    def about(self) -> str:
        """The runs, their teams and the depth."""
        return f"{runs_of_teams(self.runs, self.teams, self.teams_given)} to depth {self.depth}"


def forecast(
    runs: Runs,
    qrels: Qrels,
    teams: Mapping[str, Sequence[str]],
    depth: int,
    to: int | None = None,
    min_relevant: int = 1,
    order: Mapping[str, Sequence[bool]] | None = None,
    last: int = 50,
) -> Forecast:
    """Forecast a pool of depth `depth` down to depth `to`, twice as deep by default.

    `teams` are the pooled runs by team, `order` is whether each document was relevant in the order they were judged, by
    topic. Only judged documents count, so that a depth below the judged pool's finds too little.
    """
    target = to or 2 * depth
    if target <= depth:
        raise InputError(f"the forecast is to depth {target}; expected one beyond the pool's depth {depth}")
    if target > DEEPEST:
        raise InputError(f"the forecast is to depth {target}; expected {DEEPEST} at most")
    judged = judge(runs, qrels)
    came_in = pool_entries(judged, teams, depth)
    relevant = (judged.qrels_grade >= min_relevant) & came_in.pooled(depth)
    new = np.bincount(came_in.first[relevant], minlength=depth + 1)[1:]
    by = _finders(judged, teams, depth)
    fit = power_law(new) if depth >= LEAST_DEPTHS else None
    return Forecast(
        depth, sum(map(len, teams.values())), len(teams), tuple(new.tolist()), fit,
        None if fit is None else extrapolated(fit, depth + 1, target), back_test(new),
        chao(by[relevant], len(teams)),
        _topics(
            judged, came_in.first, by, judged.qrels_grade >= min_relevant, len(teams), depth, order, last,
            target,
        ),
        teams_given({tag: team for team, tags in teams.items() for tag in tags}),
    )  # fmt: skip


def level(share: float) -> str:
    """Whether the share of judged documents that are relevant is a warning.

    About 6 % is usual in newswire collections since TREC-4. AQUAINT 2005 had 17.4 %, the Terabyte collections 18 to
    23 %, and all of these were found to be biased against new systems (Buckley et al. 2007): "many". Above a third,
    as in 21 topics of the Common Core 2017, judging stopped amid relevant documents (Voorhees, CIKM 2018): "too many".
    A topic may be easy, or have a narrow pool; look whether it is still finding.

    >>> [level(share) for share in (0.06, 0.2, 0.4, float("nan"))]
    ['', 'many', 'too many', '']
    """
    return next((name for least, name in LEVELS if share >= least), "")


def still_finding(relevant: Sequence[bool], last: int = 50) -> tuple[int, int]:
    """How many of the last judgments were "relevant", and of how many.

    It says most where documents came with the most promising first. Where they came at random, it is but the share of
    relevant ones over again.

    >>> still_finding([True, True, False, True, False], last=3)
    (1, 3)
    """
    recent = list(relevant)[-last:]
    return sum(recent), len(recent)


def _finders(judged: Judged, teams: Mapping[str, Sequence[str]], depth: int) -> Ints:
    """Per judgment: how many teams have it within the depth."""
    unit = unit_of_rows(judged, teams, depth)
    rows = unit >= 0
    pairs = np.unique(judged.judgment[rows] * max(len(teams), 1) + unit[rows])
    return np.bincount(pairs // max(len(teams), 1), minlength=len(judged.qrels_grade))


def _topics(
    judged: Judged,
    first: Ints,
    by: Ints,
    relevant: Mask,
    teams: int,
    depth: int,
    order: Mapping[str, Sequence[bool]] | None,
    last: int,
    target: int,
) -> tuple[TopicForecast, ...]:
    found = []
    for number, qid in enumerate(judged.qids):
        here = judged.qrels_topic == number
        labelled, hits = int(np.sum(here & is_judged(judged.qrels_grade))), int(np.sum(here & relevant))
        pooled = here & relevant & (first <= depth)
        bound = chao(by[pooled], teams)
        share = hits / labelled if labelled else nan
        recent, of = still_finding((order or {}).get(qid, ()), last) if order is not None else (None, None)
        late = int(np.sum(pooled & (first > depth // 2)))
        missing = bound.estimate - bound.found
        by_depth = _by_depth(first[pooled], depth, target)
        found.append(
            TopicForecast(qid, labelled, hits, share, level(share), bound.by_one, missing, late, recent, of, *by_depth)
        )
    return tuple(found)


def _by_depth(first: Ints, depth: int, target: int) -> tuple[Prediction, Prediction] | tuple[None, None]:
    """The forecast and the back-test of a topic from the depths its relevant documents came at, if there are enough."""
    new = np.bincount(first, minlength=depth + 1)[1:]
    enough = len(first) >= LEAST_RELEVANT and depth >= LEAST_TOPIC_DEPTHS
    test = back_test(new) if enough else None
    return (None, None) if test is None else (extrapolated(power_law(new), depth + 1, target), test)


def judged_order(pairs: Sequence[tuple[str, str]], relevant: Mapping[tuple[str, str], bool]) -> dict[str, list[bool]]:
    """Whether each document was relevant in the order they were first judged, by topic.

    `pairs` are topic and document of every judgment in order, `relevant` is what holds of them now.

    >>> judged_order([("q", "a"), ("q", "b"), ("q", "a")], {("q", "a"): True, ("q", "b"): False})
    {'q': [True, False]}
    """
    found: dict[str, list[bool]] = {}
    for pair in dict.fromkeys(pairs):
        if pair in relevant:
            found.setdefault(pair[0], []).append(relevant[pair])
    return found
