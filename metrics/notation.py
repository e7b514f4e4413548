"""From names to measures: the notation, its synonyms, other tools' names, and your own measures."""

from __future__ import annotations

import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache, update_wrapper
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from cranfield import hooks
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import MeasureError
from cranfield.metrics import measures as table
from cranfield.metrics.measure import (
    COMMON_OPTIONS,
    OWN,
    REGISTERED,
    REQUIRED,
    Aggregate,
    ForeignMeasure,
    Measure,
    ScoredKind,
    own_measure_name,
)
from cranfield.metrics.options import Options, parse_value


def feature_measures() -> tuple[Measure, ...]:
    """The measures that features add."""
    return tuple(hooks.collect_from_extensions(lambda extension: extension.measures()))


def every_measure() -> tuple[Measure, ...]:
    """Return all measures, in the order of the tables.

    Returns
    -------
    tuple of Measure
        The core measures, then the measures that features add.

    Examples
    --------
    >>> [str(measure) for measure in every_measure()][:2] == [str(measure) for measure in table.MEASURES][:2]
    True
    """
    return (*table.MEASURES, *feature_measures())


def _load(path: str) -> ModuleType:
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        return _load_module(Path(path)) if path.endswith(".py") else import_module(path)
    except ModuleNotFoundError as error:
        if error.name is not None and (path == error.name or path.startswith(f"{error.name}.")):
            raise MeasureError(f"there is no module '{path}', neither in {here} nor installed") from error
        raise MeasureError(f"{path} cannot be loaded: {one_line_error(error)}") from error
    except MeasureError as error:
        raise MeasureError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:
        raise MeasureError(f"{path} cannot be loaded: {one_line_error(error)}") from error


def _load_module(path: Path) -> ModuleType:
    """A file's module, loaded once; its name is the file's path, so that it hides no other module."""
    name = str(path.resolve())
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise MeasureError("no such file")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def one_line_error(error: BaseException) -> str:
    """What went wrong and where, on one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {' '.join(str(error).split())} ({last.filename}:{last.lineno})"


MeasureLike: TypeAlias = str | Measure | ForeignMeasure
MeasuresLike: TypeAlias = MeasureLike | Iterable[MeasureLike]


def parse(name: MeasureLike) -> Measure:
    """Parse the name of a measure.

    A name consists of the measure, its options and, after @, its cutoff: `AP(rel=2)@100`. This is the notation of
    ir_measures. trec_eval's names are synonyms. Measures with equal names are equal.

    Parameters
    ----------
    name : str or measure
        The name, or module:name for your own measure. A measure of ir_measures is converted.

    Returns
    -------
    Measure
        The measure with its options.

    Raises
    ------
    MeasureError
        If the measure is unknown or has no such option.

    References
    ----------
    MacAvaney, Macdonald and Ounis, Streamlining Evaluation with ir-measures, ECIR 2022.

    Examples
    --------
    >>> parse("AP( rel=2 )@100"), parse("map_cut_100"), parse("nDCG(gains=exp)@10")
    (AP(rel=2)@100, AP@100, nDCG(gains="exp")@10)
    >>> parse("RBP(p=0.8)") == parse("RBP")
    True
    >>> parse("AP(depth=3)")
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: AP has no option 'depth'; available: rel

    >>> parse("ndgc@10")
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: unknown measure 'ndgc@10'; did you mean nDCG, RnDCG, DCG, nDCGrel, infNDCG?
    """
    if isinstance(name, Measure):
        return name
    if isinstance(own := getattr(name, OWN, None), Measure):
        return own
    if inspect.isfunction(name):
        raise MeasureError(
            f"the function {name.__name__} is not a measure; expected a name or a measure; to make one, call"
            f' cranfield.metrics.register("NAME", {name.__name__})'
        )
    name = own_measure_name(name)
    return _parse(name) if REGISTERED or ":" in name else _parsed_once(name)


@lru_cache(500)
def _parsed_once(name: str) -> Measure:
    return _parse(name)


def _parse(name: str) -> Measure:
    parts = re.fullmatch(r"([^\s(@]+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S+))?", name.strip())
    measure, preset = _find(parts[1]) if parts else (None, {})
    if parts is None or measure is None or (measure.at in preset and parts[3]):
        raise MeasureError(f"unknown measure '{name}'; {_explain_measure_list(name) or _suggest_names(name)}")
    at = {measure.at: parse_value(parts[3])} if parts[3] else {}
    return measure.set(**{**preset, **_parse_options(parts[2] or ""), **at})


def parse_measures(
    names: MeasureLike | Iterable[MeasureLike], rel: int = 1, of: ScoredKind = "rankings"
) -> tuple[Measure, ...]:
    """The measures of these names, each once; `rel` is given to those that have this option and do not set it.

    With 1 they stay as they are. One that is not `of` what is measured is an error.

    >>> parse_measures(["map", "AP", "P_10"])
    (AP, P@10)
    >>> parse_measures(["AP", "AP(rel=1)", "nDCG"], rel=2)
    (AP(rel=2), AP, nDCG)
    """
    several = [parse(name).complete() for name in as_measure_list(names)]
    for measure in several:
        if measure.of == of:
            continue
        if of == "rankings":
            raise MeasureError(
                f"{measure} is a measure of {measure.of}:"
                f" `cranfield evaluate track.db --{measure.of} -m {measure.name}`"
            )
        available = ", ".join(each.name for each in feature_measures() if each.of == of)
        raise MeasureError(f"{measure} is a measure of {measure.of}; for {of}, choose from {available}")
    if rel != 1:
        several = [m.set(rel=rel) if "rel" in m.defaults and "rel" not in m.settings else m for m in several]
    measures = tuple(dict.fromkeys(several))
    if not measures:
        raise MeasureError("no measure was given; expected names such as AP, nDCG@10 or P@10")
    return measures


def as_measure_list(names: MeasureLike | Iterable[MeasureLike]) -> list[MeasureLike]:
    """The names; one is a list of itself.

    >>> as_measure_list("AP"), as_measure_list(("AP", "P@5"))
    (['AP'], ['AP', 'P@5'])
    """
    if isinstance(names, list | tuple):
        return list(names)
    if isinstance(names, str | Measure | ForeignMeasure):
        return [names]
    if not isinstance(names, Iterable):
        raise MeasureError(f"measures is {names!r:.60}; expected their names, such as AP and nDCG@10")
    return list(names)


def _find(name: str) -> tuple[Measure | None, Options]:
    """The measure of this name, and the options that the name implies."""
    path, colon, own = name.rpartition(":")
    if colon:
        module = _load(path).__name__
        if (module, own) not in REGISTERED:
            names = ", ".join(f"{place}:{other}" for place, other in REGISTERED) or "none"
            raise MeasureError(f"{path} registers no measure '{own}'; registered: {names}")
        return replace(REGISTERED[module, own], name=f"{path}:{own}"), {}
    places = [place for place, other in REGISTERED if other == name]
    if len(places) > 1:
        raise MeasureError(f"several modules register {name}: {', '.join(f'{place}:{name}' for place in places)}")
    if places:
        return REGISTERED[places[0], name], {}
    return _look_up_measure(name)


@lru_cache
def _look_up_measure(name: str) -> tuple[Measure | None, Options]:
    if name in table.MEASURE_PLACES:  # other measures need not be loaded
        return table.load_measure(name), {}
    for measure in table.MEASURES:
        for alias in measure.aliases:
            options = alias.options_of(name)
            if options is not None:
                return measure, options
        for synonym in (measure.name, *measure.synonyms):
            match = re.fullmatch(re.escape(synonym).replace(r"\{\}", r"([\d.]+)"), name)
            if match:
                return measure, {measure.at: parse_value(match[1])} if "{}" in synonym else {}
    return next((measure for measure in feature_measures() if measure.name.lower() == name.lower()), None), {}


OTHER_NAMES = {
    "qmeasure": "Q", "f1": "F", "rprecision": "Rprec", "hitrate": "Success", "hit": "Success",
    "fmeasure": "F", "fscore": "F",
    "averageprecision": "AP", "meanaverageprecision": "AP", "reciprocalrank": "RR", "meanreciprocalrank": "RR",
    "precision": "P", "recall": "R", "cappedrecall": "R_cap", "recallcap": "R_cap",
}  # fmt: skip


def _explain_measure_list(text: str) -> str:
    """Explain how to give several measures, where a text has several, separated by commas.

    >>> _explain_measure_list("AP, P@10"), _explain_measure_list("AP,"), _explain_measure_list("MAPP")
    ("give several measures as a list: ['AP', 'P@10']", '', '')
    """
    names = [name.strip() for name in text.split(",")]
    with suppress(MeasureError):
        if len(names) > 1 and all(map(parse, names)):
            return f"give several measures as a list: {names}"
    return ""


def _suggest_names(name: str) -> str:
    """What may have been meant.

    >>> _suggest_names("nDCG10"), _suggest_names("ndgc@10")
    ('did you mean nDCG@10?', 'did you mean nDCG, RnDCG, DCG, nDCGrel, infNDCG?')
    >>> _suggest_names("F1@10"), _suggest_names("NERR8@5"), _suggest_names("p@5"), _suggest_names("Q-measure")
    ('did you mean F@10?', 'did you mean nERR@5?', 'did you mean P@5?', 'did you mean Q?')
    """
    if name.strip().lower() in ("p-mrr", "p_mrr", "pmrr"):
        how = "`cranfield compare QRELS RUN NEWRUN --changed-qrels FILE`, or cranfield.metrics.p_mrr in Python"
        return f"p-MRR compares a system's runs on original and changed instructions; use {how}"
    if (hit := re.fullmatch(r"accuracy(?:@|_at_|_)(\d+)", name.strip())) is not None:
        return f"did you mean Success@{hit[1]}?"
    names = {spelling.lower(): m.name for m in every_measure() for spelling in (m.name, *m.synonyms)}
    bare, *cutoffs = re.findall(r"^[^(@]+|(?<=@)\d+", name.strip().lower()) or [""]
    if (meant := names.get(bare) or OTHER_NAMES.get(re.sub(r"[-_ ]", "", bare))) and meant != name.strip():
        return f"did you mean {'@'.join([meant, *cutoffs[-1:]])}?"
    if (cut := re.fullmatch(r"(.+?)_?(\d+)", bare)) and cut[1] in names:
        return f"did you mean {names[cut[1]]}@{[cut[2], *cutoffs][-1]}?"
    long_spellings = [spelling for spelling in names if len(spelling) > 1]
    near = [names[match] for match in get_close_matches(bare, long_spellings, n=5, cutoff=0.5)]
    if near:
        return f"did you mean {', '.join(dict.fromkeys(near))}?"
    return f"available: {', '.join(measure.name for measure in table.MEASURES)}"


def _parse_options(text: str) -> dict[str, object]:
    parts = re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+""", text)
    pairs = [part.partition("=") for part in parts if part.strip()]
    return {name.strip(): parse_value(value) for name, _, value in pairs}


def register(
    name: str,
    function: Callable[..., Any],
    aggregate: Aggregate = "mean",
    at: str = "cutoff",
    range: tuple[float, float] = (-np.inf, np.inf),
) -> Measure:
    """Register a function as a measure in the calling module.

        def first_two(r, rel=1):
            '''The share of relevant documents among the first two.'''
            return r.sum(r.relevant(rel, 2)) / 2

        first_two_measure = register("FirstTwo", first_two)
        cranfield.evaluate(qrels, runs, first_two_measure)

    In Python, use the returned measure or its name: "FirstTwo", "FirstTwo(rel=2)". If it is registered in mine.py,
    every command accepts `mine:FirstTwo`, or with a path `folder/mine.py:FirstTwo`.

    If a module registers a name again, the new measure replaces the old one. Names of built-in measures are reserved.

    Parameters
    ----------
    name : str
        Name of the measure: a letter, then letters, digits and underscores.
    function : callable
        Takes `r`, described in Notes, and its options by name, each with a default. Returns an array with one number
        for each ranking, NaN where the measure is undefined.
    aggregate : {"mean", "sum", "geometric mean"}
        How to combine the scores of topics.
    at : str
        The option that is written after @; it needs no default.
    range : tuple of float
        Lowest and highest possible score. Scores outside this range are an error. Confidence intervals of means also
        need the range.

    Returns
    -------
    Measure
        The measure.

    Raises
    ------
    MeasureError
        If the name is invalid or taken, or the function lacks the option `at`.

    Notes
    -----
    The function scores all rankings at once, with one ranking for each run and topic. Documents are rows of NumPy
    arrays, ranking by ranking and from the top. Do not filter rows: give unwanted rows the value 0. With
    `hit = r.relevant(rel, cutoff)`, the measure 1 / rank of the second relevant document is
    `r.sum(hit, (hit.nth == 2) / hit.rank)`.

    - `r.relevant(rel, cutoff)`: the retrieved documents of at least grade `rel` down to rank `cutoff`. The rows have
      the arrays `rank` (from 1), `grade`, `nth` (1 for the first such document of its ranking) and `ranking` (its
      number).
    - `r.judged(cutoff)`: the retrieved documents that were judged, as the same rows
    - `r.sum(rows, values)`: for each ranking, the sum of values over its rows; without values, the number of rows
    - `r.num_relevant(rel)`: for each ranking, the relevant documents of its topic, retrieved or not
    - `r.num_nonrelevant(rel)`: the documents of its topic judged below that grade
    - `r.retrieved`: for each ranking, the number of documents
    - `r.highest_grade`: the highest grade in the judgments

    Options named `rel` and `cutoff` are the lowest relevant grade and the number after @.
    docs/measure/own-measure.md has examples, and `cranfield.testing.check_measure` tests a measure.

    Examples
    --------
    Average precision is the mean of nth / rank over the relevant documents:

    >>> def mean_precision(r, rel=1, cutoff=None):
    ...     hit = r.relevant(rel, cutoff)
    ...     return r.sum(hit, hit.nth / hit.rank) / r.num_relevant(rel)
    >>> import cranfield
    >>> measure = register("MeanPrec", mean_precision)
    >>> qrels, run = {"q": {"d1": 1, "d2": 0, "d3": 1}}, {"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> cranfield.evaluate(qrels, run, [measure @ 2, "AP@2"]).frame
       run     measure  value  judged
    0  run  MeanPrec@2    0.5     1.0
    1  run        AP@2    0.5     1.0

    >>> from cranfield.metrics.evaluate import evaluate
    >>> measure = register("FirstTwo", lambda r, rel=1: r.sum(r.relevant(rel, 2)) / 2)
    >>> evaluate({"q": {"d1": 1}}, {"q": {"d1": 2.0, "d2": 1.0}}, ["FirstTwo", "FirstTwo(rel=2)"])["value"].tolist()
    [0.5, 0.0]
    >>> register("nDCG", lambda r: r.retrieved)
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: the name nDCG is taken by nDCG; choose another name
    """
    if not re.fullmatch(r"[A-Za-z]\w*", name):
        raise MeasureError(f"invalid measure name {name!r}; expected a letter, then letters, digits and _")
    module = sys._getframe(1).f_globals["__name__"]
    if not any(name == other for _, other in REGISTERED):
        _refuse_taken(name)
    _check_options(name, function, at)
    guarded = GuardedFunction(name, function, range)
    measure = Measure(name, guarded, range=range, aggregate=aggregate, at=at, tells_unjudged=True)
    REGISTERED[module, name] = measure
    return measure


def _refuse_taken(name: str) -> None:
    try:
        measure = parse(name)
    except MeasureError:
        return
    raise MeasureError(f"the name {name} is taken by {measure.name}; choose another name")


def _check_options(name: str, function: Callable[..., Any], at: str) -> None:
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters:
        raise MeasureError(f"{name}: the function has no parameters; expected a first parameter for Judged")
    plain = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    for option in parameters[1:]:
        if option.kind not in plain or option.name in COMMON_OPTIONS:
            raise MeasureError(f"{name}: {option} cannot be an option of a measure")
        if option.default is REQUIRED and option.name != at:
            raise MeasureError(f"{name}: {option.name} needs a default; only the option after @ may lack one")


class GuardedFunction:
    """A measure's function with its errors on one line and its scores checked.

    >>> from cranfield.metrics.examples import example
    >>> GuardedFunction("Mine", lambda r: [1.0, 2.0])(example([1]))
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: Mine returned an array of shape (2,); expected one number per ranking, shape (1,)
    >>> GuardedFunction("Mine", lambda r: [1.5], (0, 1))(example([1]))
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: Mine returned 1.5; expected scores in its range, 0 to 1
    """

    def __init__(self, name: str, function: Callable[..., Any], range: tuple[float, float] = (-np.inf, np.inf)) -> None:
        update_wrapper(self, function)
        self.name, self.function, self.range = name, function, range

    def __call__(self, r: Judged, **options: object) -> Floats:
        """Return one score per ranking."""
        try:
            scores = np.asarray(self.function(r, **options), float)
        except MeasureError:
            raise
        except Exception as error:
            raise MeasureError(f"{self.name} failed: {one_line_error(error)}") from error
        if scores.shape != r.retrieved.shape:
            right = f"expected one number per ranking, shape {r.retrieved.shape}"
            raise MeasureError(f"{self.name} returned an array of shape {scores.shape}; {right}")
        low, high = self.range
        if (outside := scores[(scores < low) | (scores > high)]).size:
            right = f"expected scores in its range, {low:g} to {high:g}"
            raise MeasureError(f"{self.name} returned {outside[0]:g}; {right}")
        return scores
