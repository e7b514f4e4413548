"""How complete a pool is: what greater depth would still bring, what nobody found, and which topics overflow.

    new relevant by depth    n(p) + 1 = C p^s, fitted on a log-log scale, with its own back-test        (Zobel)
    found by one team only   N >= S + (m-1)/m f1² / 2 f2                                       (Chao's lower bound)
    share of relevant ones   where much of what is judged is relevant, much more is likely to be there
    still finding            how many of the last judgments were "relevant"

None of these sees a relevant document that no system of this kind would retrieve; only a random sample of what is below
the pool does (`tail`, `estimate`). The power law has been seen to promise too much (TREC-8: 1,261 for the depths 51-100
from those before, 1,010 came), which is why the back-test stands beside every forecast.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, nan, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Ints, Mask, Qrels, Runs, is_judged
from cranfield.errors import InputError
from cranfield.formats.runs.files import has_named_teams
from cranfield.metrics.reusability.leave_one_out import pool_entries, unit_of_rows
from cranfield.text import counted, runs_and_teams_text


class Bound(NamedTuple):
    """Chao's lower bound of how many there are, from how many units found each."""

    found: int
    by_one: int
    by_two: int
    estimate: float


def chao_bound(finders: Sequence[int] | Ints, units: int) -> Bound:
    """How many documents there are at least, from how many of `units` units found each one that was found.

        N >= S + (m-1)/m f1² / (2 f2);   where f2 = 0:   S + (m-1)/m f1 (f1 - 1) / 2

    f1 documents were found by one unit only, f2 by two, S in all, m units. Assumes that units find documents
    independently of each other and search equally deep; documents may be as unlike in being found as they like, which
    is why it is a lower bound. Strengths: it needs only the pool. Weaknesses: units that resemble each other find the
    same documents, so the bound is too low (with duplicates, far too low). It does not count documents that no such
    unit could find. It has no interval: the interval of Colwell's EstimateS contained the true number in 12% to 93% of
    simulated pools, least often if documents differ a lot. Source: Chao, Estimating the population size for
    capture-recapture data with unequal catchability, Biometrics 43, 1987; the factor (m-1)/m as in EstimateS, "Chao2".

    Rabbits caught on 18 nights, 43 of 76 only once and 16 twice (there were 135):

    >>> round(chao_bound([1] * 43 + [2] * 16 + [3] * 8 + [4] * 6 + [6] * 2 + [7], 18).estimate)
    131
    >>> chao_bound([], 3).estimate
    0.0
    """
    counts = np.bincount(np.asarray(finders, np.int64), minlength=3)
    total, f1, f2 = int(counts[1:].sum()), int(counts[1]), int(counts[2])
    share = (units - 1) / units if units else 0.0
    missing = share * (f1**2 / (2 * f2) if f2 else f1 * (f1 - 1) / 2)
    return Bound(total, f1, f2, total + missing)


LEAST_DEPTHS = 3  # a line through two points has no error


class PowerLaw(NamedTuple):
    """n(p) + 1 = C p^s over depths p, and how well it is known.

        n(p) + 1 = C p^s,   ln(n(p) + 1) = ln C + s ln p        for the n(p) relevant documents that depth p brings

    Strengths: before judging, it predicts how many relevant documents another ten ranks would add. Weaknesses: it can
    predict too many. On TREC-8, fitted on depths 1-50, it predicts 1,261 for depths 51-100, where there were 1,010. On
    TREC-5, Zobel predicted 1,296, and there were 1,350. Look at the back-test before the forecast. The forecast has no
    interval: if documents do not follow a power law, the interval of the fit contained the true number in 0% to 90% of
    simulated pools. Source: Zobel, How reliable are the
    results of large-scale information retrieval experiments?, SIGIR 1998.
    """

    c: float
    s: float
    depths: tuple[int, int]  # fitted on these, first and last
    residual: float  # standard deviation of ln(n + 1) about the line


class Prediction(NamedTuple):
    """Predicted number of new relevant documents in a range of depths, and the observed number if they are judged."""

    first: int
    last: int
    predicted: float
    observed: int | None = None


def power_law(new: Sequence[float] | Ints) -> PowerLaw:
    """The least-squares line of ln(n + 1) on ln p; `new` are the documents new at depth 1, 2, ...

    >>> law = power_law([99, 49, 100 / 3 - 1, 24])  # 100 p^-1 - 1
    >>> round(law.c, 6), round(law.s, 6)
    (100.0, -1.0)
    """
    counts = np.asarray(new, float)
    if len(counts) < LEAST_DEPTHS:
        raise InputError(f"the pool has {counted(len(counts), 'depth')}, but a fit needs at least {LEAST_DEPTHS}")
    depths = np.arange(1, 1 + len(counts))
    design = np.stack([np.ones(len(counts)), np.log(depths)], axis=1)
    a, s = np.linalg.inv(design.T @ design) @ design.T @ np.log(counts + 1)
    errors = np.log(counts + 1) - design @ np.array([a, s])
    variance = float(errors @ errors) / (len(counts) - 2)
    return PowerLaw(exp(a), float(s), (1, len(counts)), sqrt(variance))


def extrapolate_power_law(law: PowerLaw, first: int, last: int) -> Prediction:
    """What the depths `first` to `last` would bring: the sum of C p^s - 1, never below 0.

    C p^s is the median of a depth, if errors are normal; the mean is a little above.

    >>> round(extrapolate_power_law(PowerLaw(398.2, -0.634, (1, 50), 0.0), 51, 100).predicted)
    1259
    """
    depths = np.arange(first, last + 1)
    return Prediction(first, last, max(0.0, float((law.c * depths**law.s - 1).sum())))


def back_test_forecast(new: Sequence[int] | Ints) -> Prediction | None:
    """The second half of the depths as the first half predicts it, and as it came; None for fewer than six depths.

    >>> back_test_forecast([100, 40, 20, 12, 9, 7])._replace(predicted=0)
    Prediction(first=4, last=6, predicted=0, observed=28)
    >>> back_test_forecast([9, 5, 3, 2]) is None
    True
    """
    half = len(new) // 2
    if half < LEAST_DEPTHS:
        return None
    prediction = extrapolate_power_law(power_law(np.asarray(new)[:half]), half + 1, len(new))
    return prediction._replace(observed=int(np.sum(np.asarray(new)[half:])))


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
        return f"{runs_and_teams_text(self.runs, self.teams, self.teams_given)} to depth {self.depth}"


def forecast(
    runs: Runs,
    qrels: Qrels,
    teams: Mapping[str, Sequence[str]],
    depth: int,
    *,
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
        raise InputError(f"the forecast is to depth {target}; expected a depth greater than the pool's depth {depth}")
    if target > DEEPEST:
        raise InputError(f"the forecast is to depth {target}; expected at most {DEEPEST}")
    judged = join_runs_and_qrels(runs, qrels)
    entry = pool_entries(judged, teams, depth)
    relevant = (judged.qrels_grade >= min_relevant) & entry.pooled(depth)
    new = np.bincount(entry.first[relevant], minlength=depth + 1)[1:]
    unit = unit_of_rows(judged, teams, depth)
    rows = unit >= 0
    pairs = np.unique(judged.judgment[rows] * max(len(teams), 1) + unit[rows])  # each judgment with each team once
    by = np.bincount(pairs // max(len(teams), 1), minlength=len(judged.qrels_grade))
    fit = power_law(new) if depth >= LEAST_DEPTHS else None
    return Forecast(
        depth,
        sum(map(len, teams.values())),
        len(teams),
        new=tuple(new.tolist()),
        fit=fit,
        prediction=None if fit is None else extrapolate_power_law(fit, depth + 1, target),
        back_test=back_test_forecast(new),
        bound=chao_bound(by[relevant], len(teams)),
        topics=_topics(
            judged,
            entry.first,
            by,
            relevant=judged.qrels_grade >= min_relevant,
            teams=len(teams),
            depth=depth,
            order=order,
            last=last,
            target=target,
        ),
        teams_given=has_named_teams({tag: team for team, tags in teams.items() for tag in tags}),
    )


def warning_level(share: float) -> str:
    """Whether the share of judged documents that are relevant is a warning.

    About 6 % is usual in newswire collections since TREC-4. AQUAINT 2005 had 17.4 %, the Terabyte collections 18 to
    23 %, and all of these were found to be biased against new systems (Buckley et al. 2007): "many". Above a third,
    as in 21 topics of the Common Core 2017, judging stopped amid relevant documents (Voorhees, CIKM 2018): "too many".
    A topic may be easy, or have a narrow pool; look whether it is still finding.

    >>> [warning_level(share) for share in (0.06, 0.2, 0.4, float("nan"))]
    ['', 'many', 'too many', '']
    """
    return next((name for least, name in LEVELS if share >= least), "")


def count_recent_relevant(relevant: Sequence[bool], last: int = 50) -> tuple[int, int]:
    """How many of the last judgments were "relevant", and of how many.

    It says most where documents came with the most promising first. Where they came at random, it is but the share of
    relevant ones over again.

    >>> count_recent_relevant([True, True, False, True, False], last=3)
    (1, 3)
    """
    recent = list(relevant)[-last:]
    return sum(recent), len(recent)


def _topics(
    judged: Judged,
    first: Ints,
    by: Ints,
    *,
    relevant: Mask,
    teams: int,
    depth: int,
    order: Mapping[str, Sequence[bool]] | None,
    last: int,
    target: int,
) -> tuple[TopicForecast, ...]:
    forecasts = []
    for number, qid in enumerate(judged.qids):
        here = judged.qrels_topic == number
        labelled, hits = int(np.sum(here & is_judged(judged.qrels_grade))), int(np.sum(here & relevant))
        pooled = here & relevant & (first <= depth)
        bound = chao_bound(by[pooled], teams)
        share = hits / labelled if labelled else nan
        recent, of = count_recent_relevant((order or {}).get(qid, ()), last) if order is not None else (None, None)
        late = int(np.sum(pooled & (first > depth // 2)))
        missing = bound.estimate - bound.found
        by_depth = _forecast_topic(first[pooled], depth, target)
        forecasts.append(
            TopicForecast(
                qid, labelled, hits, share, warning_level(share), bound.by_one, missing, late, recent, of, *by_depth
            )
        )
    return tuple(forecasts)


def _forecast_topic(first: Ints, depth: int, target: int) -> tuple[Prediction, Prediction] | tuple[None, None]:
    """The forecast and the back-test of a topic from the depths its relevant documents came at, if there are enough."""
    new = np.bincount(first, minlength=depth + 1)[1:]
    enough = len(first) >= LEAST_RELEVANT and depth >= LEAST_TOPIC_DEPTHS
    test = back_test_forecast(new) if enough else None
    return (None, None) if test is None else (extrapolate_power_law(power_law(new), depth + 1, target), test)


def relevance_in_order(
    pairs: Sequence[tuple[str, str]], relevant: Mapping[tuple[str, str], bool]
) -> dict[str, list[bool]]:
    """Whether each document was relevant in the order they were first judged, by topic.

    `pairs` are topic and document of every judgment in order, `relevant` is what holds of them now.

    >>> relevance_in_order([("q", "a"), ("q", "b"), ("q", "a")], {("q", "a"): True, ("q", "b"): False})
    {'q': [True, False]}
    """
    by_topic: dict[str, list[bool]] = {}
    for pair in dict.fromkeys(pairs):
        if pair in relevant:
            by_topic.setdefault(pair[0], []).append(relevant[pair])
    return by_topic
