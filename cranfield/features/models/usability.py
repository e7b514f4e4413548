"""What a model's labels can be used for in place of people's: for each use yes, no, or not known, and why.

- single labels: the model agrees with people at least as well as people agree with each other, by quadratic kappa.
- mean scores: the interval of how far grades are too high or too low, on average, is within a tenth of a grade; no
  where it is off 0, and not known otherwise.
- the order of the runs: tau is .9 or more, no claim is reversed, and no run is favoured.

tau of .9 is the usual bound from which on two system rankings are called equivalent: Voorhees, Variations in relevance
judgments and the measurement of retrieval effectiveness, IP&M 36(5), 2000. It is not enough alone: one run that is
favoured hardly moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import NamedTuple

from cranfield.features.models.bias import OverRating
from cranfield.judging.agreement.agreement import Interval
from cranfield.text import counted, in_words

ENOUGH = 0.9  # tau
CLOSE = 0.1  # of a grade
ALPHA = 0.05


class Use(NamedTuple):
    """A use of labels; `usable` None is not known."""

    use: str
    usable: bool | None
    why: str


class Ranking(NamedTuple):
    """What happens to the system ranking by one measure."""

    measure: str
    tau: float
    reversed: int  # claims
    favoured: Sequence[str]  # runs whose own bias differs from 0


def single_labels(kappa: Interval, people: Interval | None) -> Use:
    """Whether a label of the model may stand for one of a person; `people` is their agreement with each other.

    >>> single_labels(Interval(0.5, 0.45, 0.55), None).usable, single_labels(Interval(0.5), Interval(0.6)).usable
    (None, False)
    """
    use = "single labels"
    if people is None or isnan(people.value):
        return Use(use, None, "no document has labels by two people, so nobody knows how far people agree")
    if isnan(kappa.value):
        return Use(use, None, "kappa is undefined")
    enough = kappa.value >= people.value
    compared = "at least as well as" if enough else "less well than"
    return Use(
        use, enough, f"kappa {kappa.value:.2f} with people, {compared} people with each other, {people.value:.2f}"
    )


def mean_scores(over: OverRating) -> Use:
    """Whether grades are right on average.

    >>> mean_scores(OverRating("", "all", 9, 0.2, 0.1, 0.3))
    Use(use='mean scores', usable=False, why='grades are 0.20 too high on average (0.10 to 0.30)')
    >>> mean_scores(OverRating("", "all", 9, 0.1, -0.1, 0.3)).usable
    """
    use, between = "mean scores", f"({over.low:.2f} to {over.high:.2f})"
    if isnan(over.low):
        return Use(use, None, "there are fewer than 10 topics, or 8 on which the grades differ")
    off = f"grades are {abs(over.over):.2f} too {'high' if over.over > 0 else 'low'} on average {between}"
    if -CLOSE <= over.low <= over.high <= CLOSE:
        return Use(use, True, off)
    return Use(use, False if over.low > 0 or over.high < 0 else None, off)


def order_of_runs(rankings: Sequence[Ranking], topics: int) -> Use:
    """Whether the order of the runs is that of people's labels.

    >>> order_of_runs([Ranking("AP", 0.95, 0, ["x"])], 50).why
    'AP favours 1 run: x'
    >>> order_of_runs([], 50).usable
    """
    use = "the order of the runs"
    if not rankings:
        return Use(use, None, "there are fewer than two runs")
    if topics < 10:
        return Use(use, None, "there are fewer than 10 topics")
    failed: list[Callable[[Ranking], str]] = [_favours, _reverses, _disorders]
    reasons = [reason for one in rankings for test in failed if (reason := test(one))]
    if reasons:
        return Use(use, False, "; ".join(reasons))
    lowest = min(one.tau for one in rankings)
    return Use(use, True, f"no run is favoured, no claim is reversed, and tau is at least {lowest:.2f}")


def _favours(one: Ranking) -> str:
    if not one.favoured:
        return ""
    named = ", ".join(one.favoured[:3]) + (", ..." if len(one.favoured) > 3 else "")
    return f"{one.measure} favours {counted(len(one.favoured), 'run')}: {named}"


def _reverses(one: Ranking) -> str:
    return f"{one.measure} reverses {counted(one.reversed, 'claim')}" if one.reversed else ""


def _disorders(one: Ranking) -> str:
    if isnan(one.tau):
        return f"tau of {one.measure} is undefined"
    return f"tau of {one.measure} is {one.tau:.2f}, below {ENOUGH}" if one.tau < ENOUGH else ""


def verdict(uses: Sequence[Use]) -> str:
    """All of it in one sentence.

    >>> verdict([Use("single labels", None, ""), Use("mean scores", False, ""), Use("the order of the runs", True, "")])
    'Usable for the order of the runs; not for mean scores; not known for single labels.'
    >>> verdict([Use(use, None, "") for use in ("single labels", "mean scores", "the order of the runs")])
    'Not known for single labels, mean scores or the order of the runs.'
    """
    said = ((True, "usable for"), (False, "not for"), (None, "not known for"))
    parts = [
        f"{words} {in_words(named, 'and' if usable else 'or')}"
        for usable, words in said
        if (named := [one.use for one in uses if one.usable is usable])
    ]
    return ("; ".join(parts) + ".")[:1].upper() + ("; ".join(parts) + ".")[1:]
