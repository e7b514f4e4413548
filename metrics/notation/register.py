"""Your own measures: a function registered under a name, which every command finds through its module."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import MeasureError
from cranfield.metrics.measure import FOR_EVERY, REGISTERED, REQUIRED, Aggregate, Measure
from cranfield.metrics.notation.own_modules import said_of
from cranfield.metrics.notation.parse import parse


def register(name: str, function: Callable[..., Any], aggregate: Aggregate = "mean", at: str = "cutoff") -> Measure:
    """Register a function as a measure of this name in the calling module, and return the measure.

        def first_two(r, rel=1):
            '''The share of relevant documents among the first two.'''
            return r.sum(r.relevant(rel, 2)) / 2

        register("FirstTwo", first_two)

    In mine.py this is the measure `mine:FirstTwo`, or `mine:FirstTwo(rel=2)`, wherever a measure is named; a path works
    too: `folder/mine.py:FirstTwo`. docs/measures.md describes what the function gets and what it has to return.

    The function takes Judged, and by name its options, each with a default; it returns a number for each ranking. `at`
    is the option that is written after @, which needs no default. A module may register a name again; the names of the
    table are taken.

    >>> from cranfield.metrics.evaluate import evaluate
    >>> measure = register("FirstTwo", lambda r, rel=1: r.sum(r.relevant(rel, 2)) / 2)
    >>> evaluate({"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d1": 1}}, ["FirstTwo", "FirstTwo(rel=2)"])["value"].tolist()
    [0.5, 0.0]
    >>> register("nDCG", lambda r: r.retrieved)
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: the name nDCG is taken by nDCG; choose another
    """
    if not re.fullmatch(r"[A-Za-z]\w*", name):
        raise MeasureError(f"invalid name of a measure, {name!r}; expected a letter, then letters, digits and _")
    module = sys._getframe(1).f_globals["__name__"]
    if not any(name == known for _, known in REGISTERED):
        _refuse_taken(name)
    _check_options(name, function, at)
    measure = Measure(name, guarded(name, function), aggregate=aggregate, at=at, tells_unjudged=True)
    REGISTERED[module, name] = measure
    return measure


def _refuse_taken(name: str) -> None:
    try:
        known = parse(name)
    except MeasureError:
        return
    raise MeasureError(f"the name {name} is taken by {known.name}; choose another")


def _check_options(name: str, function: Callable[..., Any], at: str) -> None:
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters:
        raise MeasureError(f"{name}: its function has no parameter; the first has to be Judged")
    plain = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    for option in parameters[1:]:
        if option.kind not in plain or option.name in FOR_EVERY:
            raise MeasureError(f"{name}: {option} cannot be an option of a measure")
        if option.default is REQUIRED and option.name != at:
            raise MeasureError(f"{name}: {option.name} needs a default, as every option except the one after @ does")


def guarded(name: str, function: Callable[..., Any]) -> Callable[..., Floats]:
    """The function with its errors on one line and its results checked.

    >>> from cranfield.metrics.examples import example
    >>> guarded("Mine", lambda r: [1.0, 2.0])(example([1]))
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: Mine returned an array of shape (2,); expected one number per ranking, (1,)
    """

    @wraps(function)
    def scores(r: Judged, **options: object) -> Floats:
        try:
            found = np.asarray(function(r, **options), float)
        except MeasureError:
            raise
        except Exception as error:
            raise MeasureError(f"{name} failed: {said_of(error)}") from error
        if found.shape != r.retrieved.shape:
            right = f"expected one number per ranking, {r.retrieved.shape}"
            raise MeasureError(f"{name} returned an array of shape {found.shape}; {right}")
        return found

    return scores
