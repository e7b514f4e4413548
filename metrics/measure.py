"""What a measure is, and the notation of its name.

A name is the measure, its options where they differ from the default, and after @ its cutoff:
`AP(rel=2)@100`. The notation is that of ir_measures (MacAvaney, Macdonald & Ounis, ECIR 2022); trec_eval's names
are understood as synonyms. Equal name, equal measure.

>>> parse("AP( rel=2 )@100"), parse("map_cut_100"), parse("nDCG(gains=exp)@10")
(AP(rel=2)@100, AP@100, nDCG(gains="exp")@10)
>>> parse("RBP(p=0.8)") == parse("RBP")
True
>>> parse("AP(depth=3)")
Traceback (most recent call last):
...
cranfield.errors.MeasureError: AP has no option 'depth'; it has: rel
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from math import isfinite
from typing import Literal, TypeAlias

from cranfield.errors import MeasureError
from cranfield.judged import Judged
from cranfield.rankings import Floats

from .dialects import Foreign, in_our_notation
from .gains import pairs

Aggregate = Literal["mean", "sum", "geometric mean"]
REQUIRED = inspect.Parameter.empty
FOR_EVERY: Mapping[str, object] = {"judged_only": False}  # the options that every measure has beside its own


@dataclass(frozen=True)
class Option:
    """What an option means and which values are right."""

    meaning: str
    right: str
    allows: Callable[[object], bool]
    tidy: Callable[[object], object] = lambda value: value  # a right value as it is kept, so that equal is equal


def _whole(least: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def _number(allows: Callable[[float], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int | float) and not isinstance(value, bool) and allows(value)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_share(text: str) -> bool:
    return bool(re.fullmatch(r"\s*[\d.]+\s*", text)) and isinstance(_value(text), int | float) and float(text) <= 1


_PAIR = r"\s*\d+\s*=\s*(?:\d+\.?\d*|\.\d+)\s*"
_PAIRS = re.compile(f"{_PAIR}(?:,{_PAIR})*")


OPTIONS: Mapping[str, Option] = {
    "rel": Option("the lowest grade that counts as relevant", "a whole number from 0", _whole(0)),
    "cutoff": Option("how many documents are looked at", "a whole number from 1", _whole(1)),
    "recall": Option("the recall point", "a number from 0 to 1", _number(lambda x: 0 <= x <= 1)),
    "p": Option("how probably a reader goes on", "a number above 0 and below 1", _number(lambda x: 0 < x < 1)),
    "beta": Option(
        "F: how many times more recall counts than precision; Q: how much gains count beside precision; "
        "NRBP: how probably a reader goes on",
        "a number above 0",
        _number(lambda x: 0 < x < float("inf")),
    ),
    "gains": Option(
        "a grade's gain: itself, 2^grade - 1, 1 from grade 1 on, or as listed, and itself where the list is silent",
        'one of "linear", "exp", "binary", or a list such as "1=3,2=9"',
        lambda value: value in {"linear", "exp", "binary"} or bool(_PAIRS.fullmatch(str(value))),
        tidy=lambda value: ",".join(f"{grade}={gain:.12g}" for grade, gain in pairs(str(value))) or value,
    ),
    "rule": Option(
        "which found documents reach a recall point: x R rounded, as trec_eval, or no fewer than x R, the textbooks'",
        'one of "trec_eval", "exact"',
        {"trec_eval", "exact"}.__contains__,
    ),
    "points": Option(
        "the recall points",
        'a list of numbers from 0 to 1, such as "0.25,0.5"',
        lambda value: all(_is_share(part) for part in str(value).split(",")),
        tidy=lambda value: ",".join(f"{point:.12g}" for point in sorted(map(float, str(value).split(",")))),
    ),
    "mult": Option("in multiples of R, which rank", "a number above 0", _number(lambda x: 0 < x < float("inf"))),
    "p1": Option("what a relevant document retrieved is worth", "a number", _number(isfinite)),
    "p2": Option("what another document retrieved is worth", "a number", _number(isfinite)),
    "p3": Option("what a relevant document missed is worth", "a number", _number(isfinite)),
    "p4": Option("what another document left alone is worth", "a number", _number(isfinite)),
    "size": Option("how many documents the collection has", "a whole number from 0", _whole(0)),
    "max_grade": Option("the highest grade of the scale", "a whole number from 1", _whole(1)),
    "base": Option("of the logarithm that discounts", "a number above 1", _number(lambda x: 1 < x < float("inf"))),
    "discount": Option(
        "by the logarithm of the rank + 1, or of the rank where that is above 1",
        'one of "burges", "jarvelin"',
        {"burges", "jarvelin"}.__contains__,
    ),
    "T": Option("how much gain a reader wants", "a number from 0.5", _number(lambda x: 0.5 <= x < float("inf"))),
    "alpha": Option(
        "how much less a document gives of what an earlier one gave",
        "a number from 0 to 1",
        _number(lambda x: 0 <= x <= 1),
    ),
    "normalize": Option("in parts of the best ranking there is", "True or False", _is_bool),
    "smoothing": Option(
        "of empty samples: as the paper, or as NIST's sample_eval",
        'one of "paper", "nist"',
        {"paper", "nist"}.__contains__,
    ),
    "judged_only": Option("leave out of the ranking what nobody judged", "True or False", _is_bool),
}


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure: a function from judged rankings to one number a ranking, with its name and its options.

    The function's parameters after the first are the options, with their defaults; the first line of its docstring
    is the description. In `synonyms` {} stands for what is otherwise written after @.
    """

    name: str
    function: Callable[..., Floats]
    synonyms: tuple[str, ...] = ()
    range: tuple[float, float] = (0.0, 1.0)
    aggregate: Aggregate = "mean"
    at: str = "cutoff"  # the option written after @
    tells_unjudged: bool = False  # whether an unjudged document and one judged not relevant differ to it
    settings: Mapping[str, object] = field(default_factory=dict)  # the options that were given

    @cached_property
    def defaults(self) -> dict[str, object]:
        """Every option with its default, REQUIRED where it has none."""
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    @property
    def options(self) -> dict[str, object]:
        """Every option with its value."""
        return {**self.defaults, **FOR_EVERY, **self.settings}

    @property
    def sees_nonrelevant(self) -> bool:
        """Whether, with these options, a document judged not relevant and an unjudged one differ to it."""
        tells_by_options = self.options["judged_only"] or str(self.options.get("gains")).startswith("0=")
        return self.tells_unjudged or bool(tells_by_options) or self.options.get("rel") == 0

    @property
    def description(self) -> str:
        """One sentence."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def about(self) -> str:
        """What it is for, when it misleads, what it is confused with, and its source."""
        return inspect.getdoc(inspect.getmodule(self.function)) or ""

    def set(self, /, **options: object) -> Measure:
        """The same measure with these options.

        >>> parse("nDCG").set(gains="exp", cutoff=5)
        nDCG(gains="exp")@5
        """
        for name, value in options.items():
            self._check(name, value)
        tidied = {name: value if value is None else OPTIONS[name].tidy(value) for name, value in options.items()}
        merged = {**self.settings, **tidied}
        return replace(self, settings={name: merged[name] for name in {**self.defaults, **FOR_EVERY} if name in merged})

    def scores(self, judged: Judged) -> Floats:
        """One number a ranking."""
        own = {name: value for name, value in self.settings.items() if name not in FOR_EVERY}
        return self.complete().function(judged.condensed() if self.options["judged_only"] else judged, **own)

    def complete(self) -> Measure:
        """This measure, if nothing that it requires is missing."""
        if REQUIRED in self.options.values():
            raise MeasureError(f"{self} needs a {self.at}: {self}@k, where k is {OPTIONS[self.at].right}")
        return self

    def _check(self, name: str, value: object) -> None:
        defaults = {**self.defaults, **FOR_EVERY}
        if name not in defaults:
            raise MeasureError(self._no_option(name))
        unset = value is None and defaults[name] is None
        if name in OPTIONS and not unset and not OPTIONS[name].allows(value):
            raise MeasureError(f"{self.name}: {name} is {_written(value)}, where {OPTIONS[name].right} is right")

    def _no_option(self, name: str) -> str:
        if name in (self.at, "cutoff"):
            return f"{self.name} takes no {name}"
        options = [option for option in self.defaults if option != self.at]
        return f"{self.name} has no option '{name}'; it has: {', '.join(options) or 'none'}"

    def __str__(self) -> str:
        default = {**self.defaults, **FOR_EVERY}
        told = {name: _written(value) for name, value in self.settings.items() if value != default[name]}
        at = f"@{told.pop(self.at)}" if self.at in told else ""
        options = ",".join(f"{name}={value}" for name, value in told.items())
        return self.name + (f"({options})" if options else "") + at

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


MeasureLike: TypeAlias = "str | Measure | Foreign"


def parse(name: MeasureLike) -> Measure:
    """The measure of this name; ir_measures' names and objects do as well.

    >>> parse("ndgc@10")
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: no measure is called 'ndgc@10'; near: nDCG, RnDCG, DCG, nDCGrel, infNDCG
    """
    if isinstance(name, Measure):
        return name
    name = in_our_notation(name)
    written = re.fullmatch(r"([^\s(@]+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S+))?", name.strip())
    measure, number = _find(written[1]) if written else (None, None)
    if written is None or measure is None or (number and written[3]):
        raise MeasureError(f"no measure is called '{name}'; {_near(name)}")
    at = number or written[3]
    return measure.set(**{**_options(written[2] or ""), **({measure.at: _value(at)} if at else {})})


def parse_all(names: MeasureLike | Iterable[MeasureLike], rel: int | None = None) -> tuple[Measure, ...]:
    """The measures of these names, each once; `rel` is for those that have this option and do not say it.

    >>> parse_all(["map", "AP", "P_10"])
    (AP, P@10)
    >>> parse_all(["AP", "AP(rel=1)", "nDCG"], rel=2)
    (AP(rel=2), AP, nDCG)
    """
    several = [parse(name).complete() for name in ([names] if isinstance(names, str | Measure | Foreign) else names)]
    if rel is not None:
        several = [m.set(rel=rel) if "rel" in m.defaults and "rel" not in m.settings else m for m in several]
    measures = tuple(dict.fromkeys(several))
    if not measures:
        raise MeasureError("no measure is asked for; for example: AP, nDCG@10, P@10")
    return measures


def _find(name: str) -> tuple[Measure | None, str | None]:
    """The measure called so, and the number that its trec_eval name ends in."""
    from .table import candidates

    for measure in candidates(name):
        for synonym in (measure.name, *measure.synonyms):
            match = re.fullmatch(re.escape(synonym).replace(r"\{\}", r"([\d.]+)"), name)
            if match:
                return measure, match[1] if "{}" in synonym else None
    return None, None


def _near(name: str) -> str:
    from .table import MEASURES

    names = {written.lower(): m.name for m in MEASURES for written in (m.name, *m.synonyms)}
    bare = re.split(r"[(@]", name.strip().lower())[0]
    near = [names[match] for match in get_close_matches(bare, names, n=5, cutoff=0.5)]
    return f"near: {', '.join(dict.fromkeys(near))}" if near else f"there are: {', '.join(m.name for m in MEASURES)}"


def _options(text: str) -> dict[str, object]:
    parts = re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+""", text)
    named = [part.partition("=") for part in parts if part.strip()]
    return {name.strip(): _value(value) for name, _, value in named}


def _value(text: str) -> object:
    if text.strip() in ("True", "False"):
        return text.strip() == "True"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text.strip().strip("\"'")


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f'"{value}"' if isinstance(value, str) else str(value)
