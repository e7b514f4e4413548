"""The options of measures: what each means, which values are allowed, what grades are worth as gains."""

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError


def gain_of(grade: Ints, gains: str) -> Floats:
    """The gain of each grade; a negative grade (unjudged) and grade 0 have none.

    Gains are "linear" (the grade itself), "exp" (2^grade - 1), "binary" (1 from grade 1 on), or a list such as
    "1=3,2=9", where grades not in the list keep their own number.

    >>> grades = np.array([-1, 0, 1, 2, 3])
    >>> gain_of(grades, "linear").tolist(), gain_of(grades, "exp").tolist(), gain_of(grades, "1=3,2=9").tolist()
    ([0.0, 0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 1.0, 3.0, 7.0], [0.0, 0.0, 3.0, 9.0, 3.0])
    """
    level = np.maximum(grade, 0)
    if gains == "exp":
        highest = level.max(initial=0).item()
        if highest > HIGHEST_EXPONENT:
            found = f'the grade {int(highest):,} is too large for gains="exp": its gain would be 2^{highest:g} - 1'
            remedy = 'use gains="linear", or list gains, as in gains="1=1,2=3"'
            raise InputError(f"{found}; expected grades of at most {HIGHEST_EXPONENT}; {remedy}")
        return np.asarray(2.0**level - 1)
    gain = np.asarray(level >= 1 if gains == "binary" else level, float)
    for one, worth in pairs(gains):
        gain[grade == one] = worth
    return gain


HIGHEST_EXPONENT = 500  # the squares of gains of 2^500 are still finite


def pairs(gains: str) -> list[tuple[float, float]]:
    r"""The grades that a list of gains names, ascending, with their gains.

    >>> pairs("2=9, 1=.5"), pairs("exp"), pairs("\x1c1=2")
    ([(1, 0.5), (2, 9.0)], [], [(1, 2.0)])
    """
    parts = (part.split("=") for part in gains.split(",")) if "=" in gains else ()
    return sorted((_grade_named(grade.strip()), float(gain.strip())) for grade, gain in parts)


def _grade_named(text: str) -> float:
    return float(text) if "." in text else int(text)


def gains_text(gains: object) -> str:
    """Gains as text; a dict of them as a list.

    >>> gains_text({0: 1, 1: 4}), gains_text("exp")
    ('0=1,1=4', 'exp')
    """
    if isinstance(gains, Mapping):
        return ",".join(f"{grade}={gain}" for grade, gain in gains.items())
    return str(gains)


class Ideal(NamedTuple):
    """The best ranking of each topic: its positive gains in descending order, one row each."""

    topic: Ints
    rank: Ints
    gain: Floats
    sizes: Ints  # per topic

    def sum(self, values: Floats) -> Floats:
        """Per topic: the sum of values over its rows."""
        return np.bincount(self.topic, values, minlength=len(self.sizes)).astype(float, copy=False)

    def first(self, values: Floats, topic: Ints, rank: Ints) -> Floats:
        """The sum of values over the first `rank` rows of a topic, or over all where it has fewer."""
        start = np.cumsum(self.sizes) - self.sizes
        so_far = np.append(running_sum(self.topic, values), 0.0)
        last = start[topic] + np.minimum(rank, self.sizes[topic]) - 1
        return np.where(self.sizes[topic] > 0, so_far[last], 0.0)


def ideal_rankings(r: Judged, gains: str) -> Ideal:
    """The best rankings of the topics; judged documents without a gain are left out.

    >>> from cranfield.metrics.examples import example
    >>> ideal_rankings(example([0, 1, 3, None], unretrieved=[2]), "1=0.9,2=0.5").gain
    array([3. , 0.9, 0.5])
    """
    return r.compute_once(_ideal, gains)


def _ideal(r: Judged, gains: str) -> Ideal:
    gain = gain_of(r.qrels_grade, gains)
    order = np.lexsort((-gain, r.qrels_topic))
    order = order[gain[order] > 0]
    topic = r.qrels_topic[order]
    rank = np.arange(len(topic)) - np.searchsorted(topic, topic) + 1
    return Ideal(topic, rank, gain[order], np.bincount(topic, minlength=len(r.qids)))


def running_sum(group: Ints, values: Floats) -> Floats:
    """The sum so far within each stretch of equal groups, added up one by one.

    >>> running_sum(np.array([0, 0, 2]), np.array([1.0, 2.0, 5.0]))
    array([1., 3., 5.])
    """
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    parts = [np.cumsum(part) for part in np.split(values, starts[1:])]
    return np.concatenate(parts) if parts else values


class MeasureOption(NamedTuple):
    """What an option means and which values are allowed.

    An option means the same in every measure that has it; where it does not, its description names the measures.
    """

    meaning: str
    right: str
    allows: Callable[[object], bool]
    tidy: Callable[[object], object] = lambda value: (
        value
    )  # the form in which a value is kept, so that equal values compare equal


MOST, MOST_RANKS = 10**15, 10**9  # numbers, and cutoffs, are below them


def _integer_check(least: int, most: int = MOST) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value < most


def _number_check(allows: Callable[[float], bool]) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST and allows(value)
    )


def _whole_if_equal(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_share(text: str) -> bool:
    return bool(re.fullmatch(r"\s*[\d.]+\s*", text)) and isinstance(parse_value(text), int | float) and float(text) <= 1


def parse_value(text: str) -> object:
    """A value as it is written in a measure's name.

    >>> parse_value("True"), parse_value("2"), parse_value(" .5"), parse_value('"exp"')
    (True, 2, 0.5, 'exp')
    """
    if text.strip() in ("True", "False"):
        return text.strip() == "True"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text.strip().strip("\"'")


_PAIR = r"\s*(?:\d{1,18}(?:\.\d{1,18})?|\.\d{1,18})\s*=\s*(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})\s*"
_PAIRS = re.compile(f"{_PAIR}(?:,{_PAIR})*")


OPTIONS: Mapping[str, MeasureOption] = {
    "rel": MeasureOption(
        "lowest grade that counts as relevant",
        "a number of at least 0",
        _number_check(lambda x: x >= 0),
        tidy=_whole_if_equal,
    ),
    "cutoff": MeasureOption(
        "number of top documents to score", "a whole number of at least 1", _integer_check(1, MOST_RANKS)
    ),
    "recall": MeasureOption("recall point", "a number from 0 to 1", _number_check(lambda x: 0 <= x <= 1)),
    "p": MeasureOption(
        "probability that a reader continues", "a number above 0 and below 1", _number_check(lambda x: 0 < x < 1)
    ),
    "beta": MeasureOption(
        "F: importance of recall relative to precision. Q: weight of gains relative to precision. NRBP and nNRBP: "
        "probability that a reader continues",
        "a number above 0",
        _number_check(lambda x: 0 < x < float("inf")),
    ),
    "gains": MeasureOption(
        "gain of each grade: the grade itself, 2^grade - 1, 1 from grade 1 on, or a list; unlisted grades are their "
        "own gain",
        'one of "linear", "exp", "binary", or a list such as "1=3,2=9"',
        lambda value: gains_text(value) in {"linear", "exp", "binary"} or bool(_PAIRS.fullmatch(gains_text(value))),
        tidy=lambda value: ",".join(f"{grade}={gain:.12g}" for grade, gain in pairs(gains_text(value))) or value,
    ),
    "rule": MeasureOption(
        "number of relevant documents that reaches recall x: x R rounded, as in trec_eval, or at least x R, as in "
        "textbooks",
        'one of "trec_eval", "exact"',
        {"trec_eval", "exact"}.__contains__,
    ),
    "points": MeasureOption(
        "recall points",
        'a list of numbers from 0 to 1, such as "0.25,0.5"',
        lambda value: all(_is_share(part) for part in str(value).split(",")),
        tidy=lambda value: ",".join(f"{point:.12g}" for point in sorted(map(float, str(value).split(",")))),
    ),
    "mult": MeasureOption("rank in multiples of R", "a number above 0", _number_check(lambda x: 0 < x < float("inf"))),
    "p1": MeasureOption("value of each retrieved relevant document", "a number", _number_check(isfinite)),
    "p2": MeasureOption("value of each other retrieved document", "a number", _number_check(isfinite)),
    "p3": MeasureOption("value of each missed relevant document", "a number", _number_check(isfinite)),
    "p4": MeasureOption("value of each other document that was not retrieved", "a number", _number_check(isfinite)),
    "size": MeasureOption("number of documents in the collection", "a whole number of at least 0", _integer_check(0)),
    "max_grade": MeasureOption("highest grade of the scale", "a whole number of at least 1", _integer_check(1)),
    "base": MeasureOption(
        "base of the discount's logarithm", "a number above 1", _number_check(lambda x: 1 < x < float("inf"))
    ),
    "discount": MeasureOption(
        "divide gains by the logarithm of rank + 1, or by the logarithm of the rank where it is above 1",
        'one of "burges", "jarvelin"',
        {"burges", "jarvelin"}.__contains__,
    ),
    "T": MeasureOption(
        "gain that the reader wants", "a number of at least 0.5", _number_check(lambda x: 0.5 <= x < float("inf"))
    ),
    "alpha": MeasureOption(
        "share of a subtopic's gain that is lost each time the subtopic was covered before",
        "a number from 0 to 1",
        _number_check(lambda x: 0 <= x <= 1),
    ),
    "normalize": MeasureOption(
        "Compat: divide by the score of the ideal ranking; RBP: divide gains by the topic's highest",
        "True or False",
        _is_bool,
    ),
    "smoothing": MeasureOption(
        "rule for empty samples: the paper's, or the rule of NIST's sample_eval",
        'one of "paper", "nist"',
        {"paper", "nist"}.__contains__,
    ),
    "judged_only": MeasureOption("remove unjudged documents from the ranking", "True or False", _is_bool),
}


Options = Mapping[str, object]
NUMBERS = r"[-+\d.,]+"
PAIRS = r"[-+\d.,=p]+"
EXPONENTIAL: Options = {"gains": "exp"}
NO_OPTIONS: Options = {}


def no_options(parameter: str) -> Options:
    """No options."""
    return NO_OPTIONS


class Alias(NamedTuple):
    """A name, the pattern of its parameter if it has one, the options which that implies, and those always implied.

    A measure lists its aliases in its row, beside its synonyms, which imply no options. trec_eval writes a parameter
    after _ or a dot; where the name stands alone, the defaults are trec_eval's.
    """

    name: str
    parameter: str | None = None
    read: Callable[[str], Options] = no_options  # "" where there is no parameter
    options: Options = NO_OPTIONS

    def options_of(self, text: str) -> Options | None:
        """The options that a name implies; None where it is another name.

        >>> Alias("rbp_resid", NUMBERS, persistence_option).options_of("rbp_resid_0.8"), Alias("f1").options_of("f2")
        ({'p': 0.8}, None)
        """
        after = "" if self.parameter is None else rf"(?:[_.](?P<parameter>{self.parameter}))?"
        match = re.fullmatch(re.escape(self.name) + after, text)
        return {**self.options, **self.read(match.groupdict()["parameter"] or "" if after else "")} if match else None


def trec_eval_alias_with_gains(name: str) -> Alias:
    """A name of trec_eval's whose parameter is a list of gains."""
    return Alias(name, PAIRS, gains_option)


def weights(parameter: str) -> Options:
    """Up to four weights, by their order.

    >>> weights("2,-1")
    {'p1': 2, 'p2': -1}
    """
    return {f"p{place}": parse_value(weight) for place, weight in enumerate(parameter.split(","), 1) if weight}


def gains_option(parameter: str) -> Options:
    """A list of gains."""
    return {"gains": parameter} if parameter else {}


def recall_points_option(parameter: str) -> Options:
    """A list of recall points."""
    return {"points": parameter} if parameter else {}


def persistence_option(parameter: str) -> Options:
    """The probability that a reader continues, .9 by default.

    >>> persistence_option("p=0.8"), persistence_option("")
    ({'p': 0.8}, {'p': 0.9})
    """
    return {"p": parse_value(parameter.removeprefix("p=") or "0.9")}


def persistence_and_gains(parameter: str) -> Options:
    """The p of rank-biased precision and its list of gains, both by their names.

    >>> persistence_and_gains("1=0.3,p=0.8,2=1")
    {'p': 0.8, 'gains': '1=0.3,2=1'}
    """
    parts = parameter.split(",")
    rest = ",".join(part for part in parts if not part.startswith("p="))
    p = next((part for part in parts if part.startswith("p=")), "")
    return {**persistence_option(p), "gains": rest or "linear"}
