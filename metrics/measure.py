"""What a measure is; and its name as ir_measures, trec_eval and ranx write it, where that differs.

Most names are the same, or are synonyms in the table of measures. Here are the rest: options with other names, and
measure objects of ir_measures, which have to give ir_measures' numbers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, NamedTuple, Protocol, cast, runtime_checkable

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Mask
from cranfield.errors import MeasureError
from cranfield.metrics.options import MOST_RANKS, OPTIONS, Alias

Aggregate = Literal["mean", "sum", "geometric mean"]
ScoredKind = Literal["rankings", "answers"]
Needs = Literal[
    "judgments", "nuggets", "support", "contexts", "reference", "statements", "questions", "correctness", "rubric",
    "comparisons",
]  # fmt: skip
Extremes = Literal[
    "one way", "best on top", "best on top, equal gains", "average precision", "nDCG", "rank-biased"
]  # see diagnosis/bounds.py
Difference = Literal["sum", "sum of binary gains"]  # see forecast/outcomes.py
REQUIRED = inspect.Parameter.empty
COMMON_OPTIONS: Mapping[str, object] = {"judged_only": False}  # the options that every measure has


MAX_LEVEL_IN_HINT = 10


class DescribedNames(NamedTuple):
    """Names that are not names of a Measure: those to complete, and what describes a name; empty for any other name."""

    names: Iterable[str]
    describe: Callable[[str], str]


@dataclass(frozen=True, eq=False)
class Measure:
    """Measure: a function that scores judged rankings, with its name and options.

    A measure of answers scores JudgedAnswers (answers/judged.py) instead.

    The function's parameters after the first are the options with their defaults. The first line of its docstring is
    the description.

    Parameters
    ----------
    name : str
        Name without options.
    function : callable
        Returns a number for each ranking of Judged.
    synonyms : tuple of str
        Names in other tools; {} stands for the option that is written after @.
    range : tuple of float
        Lowest and highest possible score.
    aggregate : {"mean", "sum", "geometric mean"}
        How to combine the scores of topics.
    of : {"rankings", "answers"}
        Whether it scores rankings or answers.
    needs : str
        Kind of labels that it needs.
    at : str
        The option written after @.
    aliases : tuple of Alias
        Names in other tools that imply options.
    tells_unjudged, condenses, needs_strata, needs_subtopics : bool
        Whether the measure distinguishes unjudged from nonrelevant documents, reads the condensed ranking, estimates
        from a stratified sample, and needs judgments of subtopics.
    extremes, difference : str, optional
        Which labels of unjudged documents give the score's bounds, and whether a difference is a sum over documents.
    under : callable, optional
        Faster function that scores one topic under many subsets of its judgments.
    explanation : str
        Purpose, weaknesses and source.
    settings : mapping
        Options with values that differ from the default.
    """

    name: str
    function: Callable[..., Floats]
    synonyms: tuple[str, ...] = ()
    range: tuple[float, float] = (0.0, 1.0)
    aggregate: Aggregate = "mean"
    of: ScoredKind = "rankings"
    needs: Needs = "judgments"  # of which kind the labels are
    at: str = "cutoff"  # the option written after @
    aliases: tuple[Alias, ...] = ()  # other tools' names that also imply options
    tells_unjudged: bool = False  # whether it treats an unjudged document differently from one judged not relevant
    condenses: bool = False  # whether it looks at the condensed ranking, unless rel is 0
    needs_strata: bool = False  # whether it estimates from a stratified sample
    needs_subtopics: bool = False  # whether it needs judgments of subtopics
    extremes: Extremes | None = None  # which labels of unjudged documents give its bounds; None: unknown
    difference: Difference | None = None  # whether the difference of two runs is a sum over documents
    under: Callable[..., Floats] | None = None  # a faster way to score one topic under many subsets of its judgments
    explanation: str = ""  # what it is for, when it misleads, its source; your own have it in the function's docstring
    settings: Mapping[str, object] = field(default_factory=dict)  # the options that were given

    @cached_property
    def defaults(self) -> dict[str, object]:
        """All options with their defaults; REQUIRED marks an option without a default."""
        return dict(_defaults(self.function))

    @cached_property
    def options(self) -> dict[str, object]:
        """All options with their values."""
        return {**self.every_option, **self.settings}

    @cached_property
    def every_option(self) -> dict[str, object]:
        """All options with their defaults, including common options."""
        return {**self.defaults, **(COMMON_OPTIONS if self.of == "rankings" else {})}

    @cached_property
    def sees_nonrelevant(self) -> bool:
        """Whether, with these options, unjudged documents count differently from documents judged not relevant."""
        tells_by_options = self.options.get("judged_only") or str(self.options.get("gains")).startswith("0=")
        return self.tells_unjudged or bool(tells_by_options) or self.options.get("rel") == 0

    @property
    def description(self) -> str:
        """One-sentence description."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def about(self) -> str:
        """Purpose, weaknesses and source, and what `cranfield diagnose` can compute with it."""
        text = self.explanation.strip() or inspect.getdoc(self.function) or ""
        return "\n\n".join(filter(None, [text, self.diagnosis]))

    @property
    def diagnosis(self) -> str:
        """Note on the exact bounds of `cranfield diagnose` for this measure."""
        condition = ", if all relevant documents have the same gain" * (self.extremes == "best on top, equal gains")
        start = "For a run with unjudged documents, `cranfield diagnose` computes exact bounds on the score"
        return f"{start}{condition}." if self.extremes else ""

    @property
    def row(self) -> dict[str, str]:
        """Row of this measure in the table of measures."""
        low, high = ("" if abs(bound) == float("inf") else f"{bound:g}" for bound in self.range)
        return {
            "measure": self.name,
            "options": ", ".join(self.defaults),
            "range": f"{low}..{high}",
            "trec_eval": ", ".join(self.synonyms).replace("{}", "k"),
            "what": self.description,
        }

    def set(self, /, **options: object) -> Measure:
        """Return the same measure with other options.

        Parameters
        ----------
        **options : object
            The options by name.

        Returns
        -------
        Measure
            A new measure.

        Examples
        --------
        >>> from cranfield.metrics.measures.discounted_gain import NDCG
        >>> NDCG.set(gains="exp", cutoff=5)
        nDCG(gains="exp")@5
        """
        for name, value in options.items():
            self._check(name, value)
        tidy = {
            name: OPTIONS[name].tidy(value) for name, value in options.items() if name in OPTIONS and value is not None
        }
        settings = {**self.settings, **options, **tidy}
        return replace(self, settings={name: settings[name] for name in self.every_option if name in settings})

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
        """Score each ranking.

        Parameters
        ----------
        judged : Judged or JudgedAnswers
            The judged rankings, or the judged answers for a measure of answers.

        Returns
        -------
        array of float, shape (rankings,)
            One number for each ranking.
        """
        batch = judged.condensed() if self.options.get("judged_only") else judged
        return self.function(batch, **self._given_options)

    def scores_under(self, topic: Judged, subsets: Mask) -> Floats:
        """Score one topic under several subsets of its judgments.

        Parameters
        ----------
        topic : Judged
            The rankings of one topic.
        subsets : array of bool, shape (subsets, judgments)
            The judgments that each subset keeps.

        Returns
        -------
        array of float, shape (subsets, runs)
            The scores.
        """
        assert self.under
        return self.under(topic, subsets, **self._given_options)

    @cached_property
    def _given_options(self) -> dict[str, object]:
        """The options that were given, of those that the function has; an error where a required one is missing."""
        return {name: value for name, value in self.complete().settings.items() if name not in COMMON_OPTIONS}

    def complete(self) -> Measure:
        """Return this measure if it has all required options.

        Returns
        -------
        Measure
            This measure.

        Raises
        ------
        MeasureError
            If a required option is missing, such as a cutoff.
        """
        if REQUIRED in self.options.values():
            right = f", where k is {OPTIONS[self.at].right}" if self.at in OPTIONS else ""
            raise MeasureError(f"{self} needs a {self.at}: {self}@k{right}")
        return self

    def _check(self, name: str, value: object) -> None:
        defaults = self.every_option
        if name not in defaults:
            raise MeasureError(self._describe_unknown_option(name, value))
        unset = value is None and defaults[name] is None
        if name in OPTIONS and not unset and not OPTIONS[name].allows(value):
            large = isinstance(value, int | float) and abs(value) >= MOST_RANKS
            right = f"{OPTIONS[name].right}{f' and below {MOST_RANKS:,}' if large else ''}"
            digits = isinstance(value, float) and value.is_integer() and OPTIONS[name].allows(int(value))
            remedy = f"; write {int(cast('float', value))}" if digits else ""
            raise MeasureError(f"{self.name}: {name} is {_option_text(value)}; expected {right}{remedy}")

    def _describe_unknown_option(self, name: str, value: object) -> str:
        if name in (self.at, "cutoff"):
            return f"{self.name} takes no {name}"
        if name == "rel" and "gains" in self.defaults:
            level = value if isinstance(value, int) and 1 < value <= MAX_LEVEL_IN_HINT else 2
            gains = ",".join(f"{grade}=0" for grade in range(1, level))
            return (
                f"{self.name} has no option rel (or suffix -l3), because grades are its gains; expected {self.name};"
                f' {self.name}(gains="{gains}") counts only grades of at least {level}'
            )
        options = [option for option in self.defaults if option != self.at]
        return f"{self.name} has no option '{name}'; available: {', '.join(options) or 'none'}"

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        default = self.every_option
        texts = {name: _option_text(value) for name, value in self.settings.items() if value != default[name]}
        at = f"@{texts.pop(self.at)}" if self.at in texts else ""
        options = ",".join(f"{name}={value}" for name, value in texts.items())
        return self.name + (f"({options})" if options else "") + at

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The measure for a notebook: its row, and its options with their values."""
        from cranfield.html_table import html_table

        options = ", ".join(
            f"{name}={_option_text(value)}" for name, value in self.options.items() if value is not REQUIRED
        )
        return html_table([self.row | {"measure": str(self), "options": options}])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


@cache
def _defaults(function: Callable[..., Floats]) -> Mapping[str, object]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return {parameter.name: parameter.default for parameter in parameters}


REGISTERED: dict[tuple[str, str], Measure] = {}  # your own measures, by module and name


def _option_text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f'"{value}"' if isinstance(value, str) else str(value)


NOTATION = re.compile(r"(?P<name>[^\s(@]+?)\s*(\((?P<options>[^()]*)\))?\s*(@\s*(?P<at>\S+?))?(-l(?P<level>\d+))?")
GAINS = re.compile(r"gains=\{(?P<pairs>[^{}]*)\}")
MTEB_CUTOFF = re.compile(r"^([A-Za-z]\w*?)_at_(\d+)$")  # as in MTEB's JSON: ndcg_at_10
RANX_RBP = re.compile(r"rbp[.@](?P<p>\d+)(-l(?P<level>\d+))?")
OWN = "cranfield_measure"  # the attribute of an object of ir_measures that stands for a measure of ours
Texts = Mapping[str, str]  # options, as they are written
Rule = Callable[[str, Texts], tuple[str, Texts]]


@runtime_checkable
class ForeignMeasure(Protocol):
    """A measure object of ir_measures; its str is its name."""

    NAME: Any


def own_measure_name(name: str | ForeignMeasure) -> str:
    """The name of a measure given by its name here, in ir_measures, trec_eval or ranx, or as ir_measures' object.

    >>> own_measure_name("nDCG(dcg='exp-log2')@10"), own_measure_name("NumRet(rel=2)"), own_measure_name("set_F_4")
    ('nDCG(gains=exp)@10', 'NumRelRet(rel=2)', 'F(beta=2)')
    >>> own_measure_name("nDCG(gains={0:1,2:4})@10"), own_measure_name("rbp.80-l2")
    ('nDCG(gains="0=1,2=4")@10', 'RBP(p=0.80,gains="1=0",normalize=False)')
    >>> own_measure_name("ndcg_at_10"), own_measure_name("hit_rate_at_1")
    ('ndcg@10', 'hit_rate@1')
    >>> own_measure_name("ndcg_cut.10"), own_measure_name("map@100-l2"), own_measure_name("AP( rel=2 )@100")
    ('ndcg_cut_10', 'map(rel=2)@100', 'AP( rel=2 )@100')
    """
    return _translate(str(name).strip(), not isinstance(name, str))


@lru_cache
def _translate(name: str, is_object: bool) -> str:
    text = MTEB_CUTOFF.sub(r"\1@\2", GAINS.sub(_list_gains, name))
    parts = NOTATION.fullmatch(text)
    if parts is None:
        return text
    ranx = RANX_RBP.fullmatch(text)
    if ranx:  # has the digits of p after a dot, and takes a relevant document's grade for its gain as it is
        gains = ",".join(f"{grade}=0" for grade in range(1, int(ranx["level"] or 1))) or "linear"
        return f'RBP(p=0.{ranx["p"]},gains="{gains}",normalize=False)'
    before: tuple[str, Texts] = (parts["name"], _parse_options(parts["options"] or ""))
    reading = before
    for rule in (*RULES, *OBJECT_RULES) if is_object else RULES:
        reading = rule(*reading)
    if parts["level"]:
        reading = (reading[0], {**reading[1], "rel": parts["level"]})
    if reading == before:
        return text
    own_name, options = reading
    inner = ",".join(f"{option}={value}" for option, value in options.items())
    return own_name + (f"({inner})" if inner else "") + (f"@{parts['at']}" if parts["at"] else "")


def _parse_options(text: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    return {name.strip(): value.strip() for name, _, value in parts}


def _list_gains(gains: re.Match[str]) -> str:
    """ir_measures writes gains as a dict; grades that it does not name keep their own there, too."""
    pairs = [pair.partition(":") for pair in gains["pairs"].split(",") if pair.strip()]
    return 'gains="' + ",".join(f"{grade.strip()}={gain.strip()}" for grade, _, gain in pairs) + '"' if pairs else ""


def _dots(name: str, options: Texts) -> tuple[str, Texts]:
    """trec_eval takes its parameters after a dot and prints them after an underscore."""
    return re.sub(r"^([A-Za-z](?:\w*[A-Za-z])?)\.([\d.]+)$", r"\1_\2", name), options


def _squared_beta(name: str, options: Texts) -> tuple[str, Texts]:
    """The parameter of trec_eval's set_F is the square of beta."""
    match = re.fullmatch(r"set_F_(\d+\.?\d*|\.\d+)", name)
    return ("F", {**options, "beta": f"{float(match[1]) ** 0.5:.17g}"}) if match else (name, options)


def _gains(name: str, options: Texts) -> tuple[str, Texts]:
    """ir_measures says with `dcg` what `gains` says here."""
    if options.get("dcg", "").strip("\"'") not in {"log2", "exp-log2"}:
        return name, options
    rest = {option: value for option, value in options.items() if option != "dcg"}
    return name, rest if "exp" not in options["dcg"] else {"gains": "exp", **rest}


def _relevant_retrieved(name: str, options: Texts) -> tuple[str, Texts]:
    """ir_measures' NumRet with a grade counts the relevant ones."""
    return ("NumRelRet" if name == "NumRet" and "rel" in options else name), options


def _relative(name: str, options: Texts) -> tuple[str, Texts]:
    """ir_measures' SetP has a switch for what is trec_eval's set_relative_P."""
    if name != "SetP" or "relative" not in options:
        return name, options
    rest = {option: value for option, value in options.items() if option != "relative"}
    return ("SetRelP" if options["relative"] == "True" else name), rest


def _scale(name: str, options: Texts) -> tuple[str, Texts]:
    """ir_measures names both ends of the grades; here the lower is 0."""
    if "max_rel" not in options or options.get("min_rel", "0") != "0":
        return name, options
    rest = {option: value for option, value in options.items() if option not in ("min_rel", "max_rel")}
    return name, {**rest, "max_grade": options["max_rel"]}


def _gdeval(name: str, options: Texts) -> tuple[str, Texts]:
    """ir_measures takes ERR from gdeval, whose scale always ends at 4."""
    return name, {"max_grade": "4", **options} if name == "ERR" else options


def _beta_of_trec_eval(name: str, options: Texts) -> tuple[str, Texts]:
    """ir_measures hands the beta of SetF to trec_eval, which takes it for its square."""
    if name != "SetF" or "beta" not in options:
        return name, options
    return name, {**options, "beta": f"{float(options['beta']) ** 0.5:.17g}"}


RULES: tuple[Rule, ...] = (
    _dots,
    _squared_beta,
    _gains,
    _relevant_retrieved,
    _relative,
    _scale,
)
OBJECT_RULES: tuple[Rule, ...] = (_gdeval, _beta_of_trec_eval)
