"""Other tools' names of measures, with the options that they imply: ndcg_1=3,2=9 or rbp_p=0.8 of trec_eval."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cranfield.metrics.options import value_of

Options = Mapping[str, object]
NUMBERS = r"[-+\d.,]+"
PAIRS = r"[-+\d.,=p]+"
EXPONENTIAL: Options = {"gains": "exp"}


def nothing(parameter: str) -> Options:
    """No options."""
    return {}


@dataclass(frozen=True)
class Alias:
    """A name, the pattern of its parameter if it has one, the options which that implies, and those always implied.

    A measure lists its aliases in its row, beside its synonyms, which imply no options. trec_eval writes a parameter
    after _ or a dot; where the name stands alone, the defaults are trec_eval's.
    """

    name: str
    parameter: str | None = None
    read: Callable[[str], Options] = nothing  # "" where there is no parameter
    options: Options = field(default_factory=dict)

    def options_of(self, text: str) -> Options | None:
        """The options that a name implies; None where it is another name.

        >>> Alias("rbp_resid", NUMBERS, persistence).options_of("rbp_resid_0.8"), Alias("f1").options_of("f2")
        ({'p': 0.8}, None)
        """
        after = "" if self.parameter is None else rf"(?:[_.](?P<parameter>{self.parameter}))?"
        found = re.fullmatch(re.escape(self.name) + after, text)
        return {**self.options, **self.read(found.groupdict()["parameter"] or "" if after else "")} if found else None


def with_gains(name: str) -> Alias:
    """A name of trec_eval's whose parameter is a list of gains."""
    return Alias(name, PAIRS, gains)


def weights(parameter: str) -> Options:
    """Up to four weights, by their order.

    >>> weights("2,-1")
    {'p1': 2, 'p2': -1}
    """
    return {f"p{place}": value_of(weight) for place, weight in enumerate(parameter.split(","), 1) if weight}


def gains(parameter: str) -> Options:
    """A list of gains."""
    return {"gains": parameter} if parameter else {}


def points(parameter: str) -> Options:
    """A list of recall points."""
    return {"points": parameter} if parameter else {}


def persistence(parameter: str) -> Options:
    """The probability that a reader continues, .9 by default.

    >>> persistence("p=0.8"), persistence("")
    ({'p': 0.8}, {'p': 0.9})
    """
    return {"p": value_of(parameter.removeprefix("p=") or "0.9")}


def persistence_and_gains(parameter: str) -> Options:
    """The p of rank-biased precision and its list of gains, both by their names.

    >>> persistence_and_gains("1=0.3,p=0.8,2=1")
    {'p': 0.8, 'gains': '1=0.3,2=1'}
    """
    parts = parameter.split(",")
    rest = ",".join(part for part in parts if not part.startswith("p="))
    p = next((part for part in parts if part.startswith("p=")), "")
    return {**persistence(p), "gains": rest or "linear"}
