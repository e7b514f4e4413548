"""From several labels of a document to one: the policies.

A policy has a name and a version, which an export records: the same labels under another rule are other qrels. Each is
a function of the labels of one pair and, where several grades are equally right, says whether the lower or the higher
one is taken. `POLICIES` is the table; `policy` also combines "adjudicated-else-" with any of them. Whose labels count
is decided elsewhere: `derive` passes in people's and, for pairs that nobody else labelled, models'.

All of them give a grade between the lowest and the highest label, ignore the order in which labels came, return the
label that all agree on, and never lower their grade for one more label that is at least as high. So one more vote for
relevant never makes a relevant document not relevant. (A rule in use that takes the mean of two labels but, of three,
the lowest unless all agree, does just that: under it 0, 1 is relevant, and 0, 1, 1 is not.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import median_high, median_low
from types import MappingProxyType
from typing import Literal, NamedTuple

from cranfield.errors import InputError

Grades = Sequence[int]


class PolicyDecision(NamedTuple):
    """What a policy makes of a pair: its grade or None, whether a tie was broken, whether it was adjudicated."""

    grade: int | None
    tied: bool = False
    adjudicated: bool = False


@dataclass(frozen=True)
class Policy:
    """A rule. `candidates` are the grades that it accepts, given the labels (first assessor first) and the scale.

    An adjudication is ignored or binding, whether it is a grade or says that the pair cannot be judged (which leaves no
    label).
    """

    name: str
    about: str
    candidates: Callable[[Grades, Grades], Grades]
    tie: Literal["low", "high"] = "low"
    adjudications: Literal["ignored", "binding"] = "ignored"
    takes_first: bool = False  # whether it looks only at the first label
    version: int = 3  # 2: a model has a vote only where nobody else does; 3: primary heeds an adjudicated cannot-judge

    def decide(self, votes: Grades, scale: Grades = (), adjudications: Sequence[int | None] = ()) -> PolicyDecision:
        """The grade of a pair with these votes and adjudications (None: cannot be judged), first assessor first.

        >>> policy("majority-tie-low").decide([0, 1])
        PolicyDecision(grade=0, tied=True, adjudicated=False)
        >>> policy("adjudicated-else-min").decide([0, 1], adjudications=[None])
        PolicyDecision(grade=None, tied=False, adjudicated=True)
        >>> policy("primary").decide([])
        PolicyDecision(grade=None, tied=False, adjudicated=False)
        """
        if adjudications and self.adjudications == "binding":
            return PolicyDecision(adjudications[0], adjudicated=True)
        return self._of(votes, scale) if votes else PolicyDecision(None)

    def grade(self, votes: Grades, scale: Grades = ()) -> int | None:
        """The grade alone.

        >>> policy("median-low").grade([0, 1, 3, 3]), policy("mean-rounded").grade([0, 1])
        (1, 1)
        """
        return self.decide(votes, scale).grade

    def _of(self, votes: Grades, scale: Grades) -> PolicyDecision:
        found = self.candidates(votes, scale or range(min(votes), max(votes) + 1))
        return PolicyDecision(min(found) if self.tie == "low" else max(found), len(set(found)) > 1)


def _single(votes: Grades, scale: Grades) -> Grades:
    if len(set(votes)) > 1:
        raise InputError(
            f"labels {', '.join(map(str, votes))}: policy single does not decide between labels; choose another policy"
        )
    return votes


def _modes(votes: Grades, scale: Grades) -> Grades:
    times = Counter(votes)
    return [grade for grade in times if times[grade] == max(times.values())]


def _nearest_the_mean(votes: Grades, scale: Grades) -> Grades:
    """The grades of the scale that are nearest to the mean, in exact arithmetic."""
    mean = Fraction(sum(votes), len(votes))
    nearest = min(abs(grade - mean) for grade in scale)
    return [grade for grade in scale if abs(grade - mean) == nearest]


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        it.name: it
        for it in (
            Policy("single", "the label of a pair whose labels agree; an error where they differ", _single),
            Policy(
                "primary",
                "an adjudication, even one that the pair cannot be judged; else the label of the assessor named first;"
                " if none was named, of the one the topic was assigned to; else of the one who came first",
                lambda votes, scale: votes[:1],
                adjudications="binding",
                takes_first=True,
            ),
            Policy(
                "majority-tie-low",
                "the most frequent label, the lower one of a tie; with more than two grades raising a label can lower"
                " the result (0, 1, 1, 2, 2 with high ties), so median-low is the better rule",
                _modes,
            ),
            Policy("majority-tie-high", "the same, the higher one of a tie", _modes, "high"),
            Policy(
                "median-low",
                "the middle label, the lower of two; with two grades the majority, a tie being not relevant",
                lambda votes, scale: (median_low(votes), median_high(votes)),
            ),
            Policy(
                "mean-rounded",
                "the grade of the scale nearest to the mean label, halves rounded up",
                _nearest_the_mean,
                "high",
            ),
            Policy("min", "the lowest label: relevant if everyone says so", lambda votes, scale: [min(votes)]),
            Policy("max", "the highest label: relevant if anyone says so", lambda votes, scale: [max(votes)]),
        )
    }
)
ELSE = "adjudicated-else-"


def policy(name: str) -> Policy:
    """The policy with this name.

    >>> policy("adjudicated-else-median-low").name
    'adjudicated-else-median-low'
    >>> policy("majority")
    Traceback (most recent call last):
    cranfield.errors.InputError: policy 'majority' needs a tie rule: majority-tie-low or majority-tie-high
    """
    rule = name.removeprefix(ELSE)
    if rule in POLICIES:
        found = POLICIES[rule]
        about = f"an adjudication, even one that the pair cannot be judged; else {found.about}"
        return found if rule == name else replace(found, name=name, about=about, adjudications="binding")
    if rule == "majority":
        raise InputError(f"policy {name!r} needs a tie rule: {name}-tie-low or {name}-tie-high")
    raise InputError(f"there is no policy {name!r}; there are {', '.join(POLICIES)}, and {ELSE} before any of them")
