"""What a measure is."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Literal

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Mask
from cranfield.errors import MeasureError
from cranfield.metrics.options import MOST_RANKS, OPTIONS, Alias

Aggregate = Literal["mean", "sum", "geometric mean"]
Of = Literal["rankings", "answers"]
Needs = Literal[
    "judgments", "nuggets", "support", "contexts", "reference", "statements", "questions", "correctness", "rubric",
    "comparisons",
]  # fmt: skip
Extremes = Literal[
    "one way", "best on top", "best on top, equal gains", "average precision", "nDCG", "rank-biased"
]  # see diagnosis/bounds.py
Difference = Literal["sum", "sum of binary gains", "average precision", "recall"]  # see diagnosis/difference.py
REQUIRED = inspect.Parameter.empty
FOR_EVERY: Mapping[str, object] = {"judged_only": False}  # the options that every measure has


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure: a function from judged rankings to one number a ranking, with its name and its options.

    A measure of answers is one from JudgedAnswers (answers/judged.py) to one number an answer.

    The function's parameters after the first are the options, with their defaults; the first line of its docstring
    is the description. In `synonyms` {} stands for what is otherwise written after @. What other modules need to
    know about a measure is in its row, never in a list of names elsewhere.
    """

    name: str
    function: Callable[..., Floats]
    synonyms: tuple[str, ...] = ()
    range: tuple[float, float] = (0.0, 1.0)
    aggregate: Aggregate = "mean"
    of: Of = "rankings"
    needs: Needs = "judgments"  # of which kind the labels are
    at: str = "cutoff"  # the option written after @
    aliases: tuple[Alias, ...] = ()  # other tools' names that also imply options
    tells_unjudged: bool = False  # whether it treats an unjudged document differently from one judged not relevant
    condenses: bool = False  # whether it looks at the condensed ranking, unless rel is 0
    by_strata: bool = False  # whether it estimates from a stratified sample
    extremes: Extremes | None = None  # which labels of unjudged documents give its bounds; None: unknown
    difference: Difference | None = None  # how labels make up the difference of two runs; None: unknown
    under: Callable[..., Floats] | None = None  # a faster way to score one topic under many subsets of its judgments
    explanation: str = ""  # what it is for, when it misleads, its source; your own have it in the function's docstring
    settings: Mapping[str, object] = field(default_factory=dict)  # the options that were given

    @cached_property
    def defaults(self) -> dict[str, object]:
        """Every option with its default, REQUIRED where it has none."""
        return dict(_defaults(self.function))

    @cached_property
    def options(self) -> dict[str, object]:
        """Every option with its value."""
        return {**self.known, **self.settings}

    @cached_property
    def known(self) -> dict[str, object]:
        """The options that it has, with their defaults."""
        return {**self.defaults, **(FOR_EVERY if self.of == "rankings" else {})}

    @cached_property
    def sees_nonrelevant(self) -> bool:
        """Whether, with these options, it treats an unjudged document differently from one judged not relevant."""
        tells_by_options = self.options.get("judged_only") or str(self.options.get("gains")).startswith("0=")
        return self.tells_unjudged or bool(tells_by_options) or self.options.get("rel") == 0

    @property
    def description(self) -> str:
        """One sentence."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def about(self) -> str:
        """What it is for, when it misleads, its source, and what `cranfield diagnose` can say by it."""
        text = self.explanation.strip() or inspect.getdoc(self.function) or ""
        return "\n\n".join(filter(None, [text, self.diagnosed]))

    @property
    def diagnosed(self) -> str:
        """What `cranfield diagnose` can say by this measure."""
        exact = "has exact bounds" + (", if gains are equal" * (self.extremes == "best on top, equal gains"))
        binary = ", with binary gains" * (self.difference == "sum of binary gains")
        decides = f"can list what to judge to decide between two runs{binary}"
        found = " and ".join([exact] * bool(self.extremes) + [decides] * bool(self.difference))
        return f"With unjudged documents, `cranfield diagnose` {found}." if found else ""

    @property
    def row(self) -> dict[str, str]:
        """The measure as a row of the table of measures."""
        low, high = ("" if abs(bound) == float("inf") else f"{bound:g}" for bound in self.range)
        return {
            "measure": self.name,
            "options": ", ".join(self.defaults),
            "range": f"{low}..{high}",
            "trec_eval": ", ".join(self.synonyms).replace("{}", "k"),
            "what": self.description,
        }

    def set(self, /, **options: object) -> Measure:
        """The same measure with these options.

        >>> from cranfield.metrics.measures.discounted_gain import NDCG
        >>> NDCG.set(gains="exp", cutoff=5)
        nDCG(gains="exp")@5
        """
        for name, value in options.items():
            self._check(name, value)
        tidied = {
            name: OPTIONS[name].tidy(value) for name, value in options.items() if name in OPTIONS and value is not None
        }
        merged = {**self.settings, **options, **tidied}
        return replace(self, settings={name: merged[name] for name in self.known if name in merged})

    def __call__(self, /, **options: object) -> Measure:
        """The same measure with these options, as in ir_measures.

        >>> from cranfield.metrics import RBP, P
        >>> RBP(p=0.5), P(rel=2)@5
        (RBP(p=0.5), P(rel=2)@5)
        """
        return self.set(**options)

    def __matmul__(self, at: object) -> Measure:
        """The same measure at a cutoff, or at what else is written after @."""
        return self.set(**{self.at: at})

    def scores(self, judged: Any) -> Floats:
        """One number a ranking of Judged or, if it is a measure of answers, an answer of JudgedAnswers."""
        condensed = judged.condensed() if self.options.get("judged_only") else judged
        return self.complete().function(condensed, **self._own)

    def scores_under(self, topic: Judged, kept: Mask) -> Floats:
        """The scores of one topic under each row of `kept`, a mask (subsets, judgments): (subsets, runs)."""
        assert self.under
        return self.under(topic, kept, **self._own)

    @cached_property
    def _own(self) -> dict[str, object]:
        """The options that were given, of those that the function has."""
        return {name: value for name, value in self.settings.items() if name not in FOR_EVERY}

    def complete(self) -> Measure:
        """This measure; an error where a required option is missing."""
        if REQUIRED in self.options.values():
            right = f", where k is {OPTIONS[self.at].right}" if self.at in OPTIONS else ""
            raise MeasureError(f"{self} needs a {self.at}: {self}@k{right}")
        return self

    def _check(self, name: str, value: object) -> None:
        defaults = self.known
        if name not in defaults:
            raise MeasureError(self._no_option(name))
        unset = value is None and defaults[name] is None
        if name in OPTIONS and not unset and not OPTIONS[name].allows(value):
            large = isinstance(value, int | float) and abs(value) >= MOST_RANKS
            right = f"{OPTIONS[name].right}{', smaller than this' if large else ''}"
            raise MeasureError(f"{self.name}: {name} is {_written(value)}; expected {right}")

    def _no_option(self, name: str) -> str:
        if name in (self.at, "cutoff"):
            return f"{self.name} takes no {name}"
        options = [option for option in self.defaults if option != self.at]
        return f"{self.name} has no option '{name}'; it has: {', '.join(options) or 'none'}"

    def __str__(self) -> str:
        default = self.known
        given = {name: _written(value) for name, value in self.settings.items() if value != default[name]}
        at = f"@{given.pop(self.at)}" if self.at in given else ""
        options = ",".join(f"{name}={value}" for name, value in given.items())
        return self.name + (f"({options})" if options else "") + at

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The measure for a notebook: its row, and its options with their values."""
        from cranfield.notebook import html_table

        options = ", ".join(
            f"{name}={_written(value)}" for name, value in self.options.items() if value is not REQUIRED
        )
        return html_table([self.row | {"measure": str(self), "options": options}])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


@cache
def _defaults(function: Callable[..., Floats]) -> Mapping[str, object]:
    """The options of a measure's function, with their defaults."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return {parameter.name: parameter.default for parameter in parameters}


REGISTERED: dict[tuple[str, str], Measure] = {}  # your own measures, by module and name


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f'"{value}"' if isinstance(value, str) else str(value)
