"""What a verdict says in a few sentences: how fair the collection is to new systems, and the worst cases."""

from __future__ import annotations

from math import isnan
from typing import Literal

from cranfield.analysis.verdict import Verdict
from cranfield.analysis.worst_cases import Loss, by_ranks, by_score
from cranfield.metrics.reusability.thresholds import CARE, NOISE
from cranfield.text import counted

Level = Literal["good", "unsure", "bad", "none"]
FAIRNESS: dict[Level, str] = {
    "good": "Fair to new systems",
    "unsure": "Compare new systems with care",
    "bad": "Unfair to new systems",
    "none": "No verdict",
}
ADVICE: dict[Level, str] = {
    "good": "This is within the noise of assessors and topics: new systems can be compared with the pooled ones.",
    "unsure": "Look at the worst cases: a system unlike the pooled ones may be underrated.",
    "bad": "Report how many documents of a new system's ranking are judged (Judged@10), or judge more.",
    "none": "",
}


def level(verdict: Verdict) -> Level:
    """How fair the collection is, by the first measure; none where there is no verdict.

    It is good where the mean change is within the noise and the run that loses the most score loses less than what
    calls for care.
    """
    found, measure = verdict.found, verdict.found.measures[0]
    mean = found.summary[measure].mean_change_percent
    if found.no_verdict or isnan(mean):
        return "none"
    return fairness(mean, max((loss.change.absolute_percent for loss in by_score(found, measure)[:1]), default=0.0))


def fairness(mean: float, worst: float) -> Level:
    """The level by the mean absolute change and by that of the run that loses the most score, both in per cent.

    >>> fairness(0.8, 3.0), fairness(0.8, 9.9), fairness(1.2, 3.0), fairness(7.0, 9.9)
    ('good', 'unsure', 'unsure', 'bad')
    """
    if mean >= CARE:
        return "bad"
    return "good" if mean < NOISE and worst < CARE else "unsure"


def finding(verdict: Verdict) -> str:
    """The verdict in one sentence."""
    found, measure = verdict.found, verdict.found.measures[0]
    if found.no_verdict:
        return f"{FAIRNESS['none']}: {found.no_verdict}."
    mean = found.summary[measure].mean_change_percent
    if isnan(mean):
        return f"{FAIRNESS['none']}: no {found.by} has a defined {measure} that could change."
    which = level(verdict)
    of = "" if found.by == "run" else "'s run"
    change = f"left out of the pool, a {found.by}{of} changes by {mean:.1f} % in {measure} on average"
    return f"{FAIRNESS[which]}: {change}{_beside(verdict, mean, which)}."


def _beside(verdict: Verdict, mean: float, which: Level) -> str:
    """What to compare the mean with, and the mean with as few contributing runs as possible."""
    beside = {
        "good": f", within the noise of {NOISE:.0f} %",
        "unsure": f", more than the noise of {NOISE:.0f} %" if mean >= NOISE else ", but some by far more",
        "bad": f", where {CARE:.0f} % calls for care",
    }[which]
    if verdict.least is None:
        return beside
    least = verdict.least.summary[verdict.found.measures[0]].mean_change_percent
    return f"{beside} ({least:.1f} % if as few as possible of the undecided runs were pooled)"


def worst_cases(verdict: Verdict) -> list[tuple[str, Loss, str]]:
    """The run that loses the most ranks and the one that loses the most score, each with what it loses, and a sentence.

    One entry where both are the same run; none where there is no verdict or nothing is lost.
    """
    found, measure = verdict.found, verdict.found.measures[0]
    if found.no_verdict:
        return []
    ranks, score = by_ranks(found, measure)[:1], by_score(found, measure)[:1]
    if ranks and ranks == score:
        return [("most ranks and score lost", ranks[0], _falls(ranks[0]))]
    return [
        *(("most ranks lost", loss, _falls(loss)) for loss in ranks),
        *(("most score lost", loss, _loses(loss)) for loss in score),
    ]


def _falls(loss: Loss) -> str:
    change = loss.change
    ranks = counted(change.rank_drop, "rank")
    return f"{change.run} falls {ranks}, {loss.ranks}; its {change.measure} falls {loss.scores}"


def _loses(loss: Loss) -> str:
    change = loss.change
    ranks = loss.ranks if change.rank_drop else f"and stays at rank {change.full_rank}"
    return f"{change.run} falls in {change.measure} {loss.scores}, {ranks}"


def headline(verdict: Verdict) -> str:
    """The verdict, its worst cases and what to do, in sentences."""
    cases = [f"{name[0].upper()}{name[1:]}: {said}." for name, _, said in worst_cases(verdict)]
    return " ".join(filter(None, [finding(verdict), *cases, ADVICE[level(verdict)]]))
