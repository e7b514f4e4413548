"""From names to measures: the notation, its synonyms, other tools' names, and modules with your own measures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TypeAlias

from cranfield.errors import MeasureError
from cranfield.metrics.aliases import Options
from cranfield.metrics.answers import table as of_answers
from cranfield.metrics.measure import REGISTERED, Measure, Of
from cranfield.metrics.measures import table
from cranfield.metrics.notation.other_tools import ForeignMeasure, in_our_notation
from cranfield.metrics.notation.own_modules import of_module
from cranfield.metrics.options import value_of

MeasureLike: TypeAlias = "str | Measure | ForeignMeasure"


def parse(name: MeasureLike) -> Measure:
    """The measure of this name; ir_measures' names and objects are accepted, and module:name for your own.

    A name is the measure, its options where they differ from the default, and after @ its cutoff: `AP(rel=2)@100`. The
    notation is that of ir_measures (MacAvaney, Macdonald & Ounis, ECIR 2022); trec_eval's names are accepted as
    synonyms. Measures with equal names are equal.

    >>> parse("AP( rel=2 )@100"), parse("map_cut_100"), parse("nDCG(gains=exp)@10")
    (AP(rel=2)@100, AP@100, nDCG(gains="exp")@10)
    >>> parse("RBP(p=0.8)") == parse("RBP")
    True
    >>> parse("AP(depth=3)")
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: AP has no option 'depth'; it has: rel

    >>> parse("ndgc@10")
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: unknown measure 'ndgc@10'; did you mean nDCG, RnDCG, DCG, nDCGrel, infNDCG?
    """
    if isinstance(name, Measure):
        return name
    name = in_our_notation(name)
    written = re.fullmatch(r"([^\s(@]+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S+))?", name.strip())
    measure, implied = _find(written[1]) if written else (None, {})
    if written is None or measure is None or (measure.at in implied and written[3]):
        raise MeasureError(f"unknown measure '{name}'; {_near(name)}")
    at = {measure.at: value_of(written[3])} if written[3] else {}
    return measure.set(**{**implied, **_options(written[2] or ""), **at})


def parse_all(names: MeasureLike | Iterable[MeasureLike], rel: int = 1, of: Of = "rankings") -> tuple[Measure, ...]:
    """The measures of these names, each once; `rel` is given to those that have this option and do not set it.

    With 1 they stay as they are. One that is not `of` what is measured is an error.

    >>> parse_all(["map", "AP", "P_10"])
    (AP, P@10)
    >>> parse_all(["AP", "AP(rel=1)", "nDCG"], rel=2)
    (AP(rel=2), AP, nDCG)
    >>> parse_all("V_strict")
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: V_strict is a measure of answers: `cranfield evaluate track.db --answers -m V_strict`
    """
    several = [
        parse(name).complete() for name in ([names] if isinstance(names, str | Measure | ForeignMeasure) else names)
    ]
    for measure in several:
        _check_of(measure, of)
    if rel != 1:
        several = [m.set(rel=rel) if "rel" in m.defaults and "rel" not in m.settings else m for m in several]
    measures = tuple(dict.fromkeys(several))
    if not measures:
        raise MeasureError("no measure given; for example AP, nDCG@10, P@10")
    return measures


def _check_of(measure: Measure, of: Of) -> None:
    """Refuse a measure of answers for rankings, and one of rankings for answers."""
    if measure.of == of:
        return
    if of == "rankings":
        raise MeasureError(
            f"{measure} is a measure of answers: `cranfield evaluate track.db --answers -m {measure.name}`"
        )
    available = ", ".join(each.name for each in of_answers.ANSWER_MEASURES)
    raise MeasureError(f"{measure} is a measure of rankings; measures of answers: {available}")


def _find(name: str) -> tuple[Measure | None, Options]:
    """The measure of this name, and the options that the name implies."""
    path, colon, own = name.rpartition(":")
    if colon:
        return of_module(path, own), {}
    registered = [module for module, known in REGISTERED if known == name]
    if len(registered) > 1:
        raise MeasureError(f"several modules register {name}: {', '.join(f'{place}:{name}' for place in registered)}")
    if registered:
        return REGISTERED[registered[0], name], {}
    for measure in table.candidates(name):
        for alias in measure.aliases:
            options = alias.options_of(name)
            if options is not None:
                return measure, options
        for synonym in (measure.name, *measure.synonyms):
            match = re.fullmatch(re.escape(synonym).replace(r"\{\}", r"([\d.]+)"), name)
            if match:
                return measure, {measure.at: value_of(match[1])} if "{}" in synonym else {}
    return next(of_answers.candidates(name), None), {}


def _near(name: str) -> str:
    names = {
        written.lower(): m.name
        for m in (*table.MEASURES, *of_answers.ANSWER_MEASURES)
        for written in (m.name, *m.synonyms)
    }
    bare = re.split(r"[(@]", name.strip().lower())[0]
    near = [names[match] for match in get_close_matches(bare, names, n=5, cutoff=0.5)]
    if near:
        return f"did you mean {', '.join(dict.fromkeys(near))}?"
    return f"available: {', '.join(measure.name for measure in table.MEASURES)}"


def _options(text: str) -> dict[str, object]:
    parts = re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+""", text)
    named = [part.partition("=") for part in parts if part.strip()]
    return {name.strip(): value_of(value) for name, _, value in named}
