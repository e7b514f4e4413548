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
from typing import Literal, TypeAlias

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import MeasureError

from .dialects import Foreign, in_our_notation
from .options import OPTIONS, value_of

Aggregate = Literal["mean", "sum", "geometric mean"]
REQUIRED = inspect.Parameter.empty
FOR_EVERY: Mapping[str, object] = {"judged_only": False}  # the options that every measure has beside its own


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
        """What it is for, when it misleads, what it is confused with, and its source; of one's own, what it says."""
        is_own = any(self.function is one.function for one in REGISTERED.values())
        return inspect.getdoc(self.function if is_own else inspect.getmodule(self.function)) or ""

    def set(self, /, **options: object) -> Measure:
        """The same measure with these options.

        >>> parse("nDCG").set(gains="exp", cutoff=5)
        nDCG(gains="exp")@5
        """
        for name, value in options.items():
            self._check(name, value)
        tidied = {
            name: OPTIONS[name].tidy(value) for name, value in options.items() if name in OPTIONS and value is not None
        }
        merged = {**self.settings, **options, **tidied}
        return replace(self, settings={name: merged[name] for name in {**self.defaults, **FOR_EVERY} if name in merged})

    def scores(self, judged: Judged) -> Floats:
        """One number a ranking."""
        own = {name: value for name, value in self.settings.items() if name not in FOR_EVERY}
        return self.complete().function(judged.condensed() if self.options["judged_only"] else judged, **own)

    def complete(self) -> Measure:
        """This measure, if nothing that it requires is missing."""
        if REQUIRED in self.options.values():
            right = f", where k is {OPTIONS[self.at].right}" if self.at in OPTIONS else ""
            raise MeasureError(f"{self} needs a {self.at}: {self}@k{right}")
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
REGISTERED: dict[tuple[str, str], Measure] = {}  # measures of one's own, by module and name


def parse(name: MeasureLike) -> Measure:
    """The measure of this name; ir_measures' names and objects do as well, and module:name for one's own.

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
    return measure.set(**{**_options(written[2] or ""), **({measure.at: value_of(at)} if at else {})})


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
    from cranfield.metrics.measures.table import candidates

    path, colon, own = name.rpartition(":")
    if colon:
        from .registry import of_module

        return of_module(path, own), None
    registered = [module for module, known in REGISTERED if known == name]
    if len(registered) > 1:
        raise MeasureError(f"several modules register {name}: {', '.join(f'{place}:{name}' for place in registered)}")
    if registered:
        return REGISTERED[registered[0], name], None
    for measure in candidates(name):
        for synonym in (measure.name, *measure.synonyms):
            match = re.fullmatch(re.escape(synonym).replace(r"\{\}", r"([\d.]+)"), name)
            if match:
                return measure, match[1] if "{}" in synonym else None
    return None, None


def _near(name: str) -> str:
    from cranfield.metrics.measures.table import MEASURES

    names = {written.lower(): m.name for m in MEASURES for written in (m.name, *m.synonyms)}
    bare = re.split(r"[(@]", name.strip().lower())[0]
    near = [names[match] for match in get_close_matches(bare, names, n=5, cutoff=0.5)]
    return f"near: {', '.join(dict.fromkeys(near))}" if near else f"there are: {', '.join(m.name for m in MEASURES)}"


def _options(text: str) -> dict[str, object]:
    parts = re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+""", text)
    named = [part.partition("=") for part in parts if part.strip()]
    return {name.strip(): value_of(value) for name, _, value in named}


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f'"{value}"' if isinstance(value, str) else str(value)
