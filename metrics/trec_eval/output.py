"""trec_eval 10.0: its names, its order, its numbers, its lines.

A name that is asked for, such as map, P.5,10 or all_trec, becomes lines; a line is the name that is printed and the
measure of this project that gives the number. What trec_eval does otherwise than `evaluate` is here: documents cut
off (-M) or left out (-J) first, topics without a ranking, sums in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isnan
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Mask, Qrels, Runs
from cranfield.errors import InputError, MeasureError
from cranfield.metrics.evaluate import FLOOR
from cranfield.metrics.measure import Aggregate, Measure
from cranfield.metrics.measures.iprec import rounded
from cranfield.metrics.notation.parse import parse

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
POINTS = tuple(point / 10 for point in range(11))
MULTIPLES = tuple(multiple / 5 for multiple in range(1, 11))
RELSTRING = 10


class TrecEvalMeasure(NamedTuple):
    """A measure of trec_eval: its name, what its parameter is, and the parameters that it has by default."""

    name: str
    takes: Literal["nothing", "cutoffs", "points", "options"] = "nothing"
    default: Sequence[float] = ()


ENTRIES: tuple[TrecEvalMeasure, ...] = (
    *map(TrecEvalMeasure, ["runid", "num_q", "num_ret", "num_rel", "num_rel_ret"]),
    *map(TrecEvalMeasure, ["map", "gm_map", "Rprec", "bpref", "recip_rank"]),
    TrecEvalMeasure("iprec_at_recall", "points", POINTS),
    TrecEvalMeasure("P", "cutoffs", CUTOFFS),
    TrecEvalMeasure("relstring", "cutoffs"),
    TrecEvalMeasure("recall", "cutoffs", CUTOFFS),
    TrecEvalMeasure("infAP"),
    TrecEvalMeasure("gm_bpref"),
    TrecEvalMeasure("Rprec_mult", "points", MULTIPLES),
    TrecEvalMeasure("utility", "options"),
    TrecEvalMeasure("11pt_avg", "options"),
    TrecEvalMeasure("binG"),
    TrecEvalMeasure("G", "options"),
    TrecEvalMeasure("ndcg", "options"),
    TrecEvalMeasure("ndcg_rel", "options"),
    TrecEvalMeasure("Rndcg", "options"),
    TrecEvalMeasure("ndcg_cut", "cutoffs", CUTOFFS),
    TrecEvalMeasure("map_cut", "cutoffs", CUTOFFS),
    TrecEvalMeasure("relative_P", "cutoffs", CUTOFFS),
    TrecEvalMeasure("success", "cutoffs", (1, 5, 10)),
    *map(TrecEvalMeasure, ["set_P", "set_relative_P", "set_recall", "set_map"]),
    TrecEvalMeasure("set_F", "options"),
    TrecEvalMeasure("num_nonrel_judged_ret"),
    TrecEvalMeasure("rbp", "options"),
    TrecEvalMeasure("rbp_resid", "options"),
    TrecEvalMeasure("unj", "cutoffs", (5, 10, 20)),
    TrecEvalMeasure("dcg", "options"),
    TrecEvalMeasure("ideal_dcg", "options"),
    TrecEvalMeasure("yaap"),
)
_OFFICIAL = ENTRIES[: [entry.name for entry in ENTRIES].index("P") + 1]
NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": tuple(entry.name for entry in _OFFICIAL),
    "all_trec": tuple(entry.name for entry in ENTRIES if entry.name not in ("dcg", "ideal_dcg", "yaap")),
    "set": (
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility",
        "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    ),
}  # fmt: skip


class OutputLine(NamedTuple):
    """A line of the output: the name as printed; the measure, which only runid and relstring have not."""

    name: str
    measure: Measure | None = None
    length: int = RELSTRING


class TrecEvalOptions(NamedTuple):
    """trec_eval's options: -l, -c, -M, -J, -N, -q and not -n."""

    level: int = 1
    complete: bool = False
    most: int | None = None
    judged_only: bool = False
    size: int = 0
    per_topic: bool = False
    summary: bool = True


def lines_of(names: Sequence[str]) -> list[OutputLine]:
    """The lines that trec_eval prints for these names and nicknames, in its order.

    >>> [line.name for line in lines_of(["P.10,5", "map", "iprec_at_recall..25", "utility.2,-1,0,0", "P_20"])]
    ['map', 'iprec_at_recall_0.25', 'P_5', 'P_10', 'P_20', 'utility_2,-1,0,0']
    >>> lines_of(["ndcg_cut_10"])[0].measure
    nDCG@10
    >>> lines_of(["map.10"])
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: map of trec_eval takes no parameter, where there is 'map.10'
    """
    given: dict[str, list[str]] = {}
    for single in (single for name in names for single in NICKNAMES.get(name, (name,))):
        entry, parameter = _entry(single)
        given.setdefault(entry.name, []).extend([parameter] if parameter else [])
    return [line for entry in ENTRIES if entry.name in given for line in _lines(entry, given[entry.name])]


def _entry(name: str) -> tuple[TrecEvalMeasure, str]:
    """The measure meant, by the longest name that fits, and its parameter."""
    for entry in sorted(ENTRIES, key=lambda entry: len(entry.name), reverse=True):
        rest = name.removeprefix(entry.name)
        if rest == "" or (rest != name and rest[0] in "._"):
            if rest and entry.takes == "nothing":
                raise MeasureError(f"{entry.name} of trec_eval takes no parameter, where there is {name!r}")
            return entry, rest[1:]
    known = ", ".join(entry.name for entry in ENTRIES)
    raise MeasureError(f"trec_eval has no measure {name!r}; it has: {known}; and the nicknames {', '.join(NICKNAMES)}")


def _lines(entry: TrecEvalMeasure, parameters: Sequence[str]) -> list[OutputLine]:
    if entry.name == "runid":
        return [OutputLine("runid")]
    if entry.takes == "options":
        return [_with_options(entry.name, parameter) for parameter in dict.fromkeys(parameters)] or [_plain(entry)]
    numbers = sorted({_number(entry, text) for part in parameters for text in part.split(",")}) or entry.default
    if entry.name == "relstring":
        return [OutputLine(f"relstring_{int(k)}", length=int(k)) for k in numbers] or [OutputLine("relstring")]
    return [_at(entry, number) for number in numbers] or [_plain(entry)]


def _plain(entry: TrecEvalMeasure) -> OutputLine:
    return OutputLine(entry.name, parse(entry.name))


def _with_options(name: str, parameter: str) -> OutputLine:
    used = parameter.partition(",")[0] if name == "set_F" else parameter
    return OutputLine(f"{name}_{parameter}", parse(f"{name}_{used}"))


def _at(entry: TrecEvalMeasure, number: float) -> OutputLine:
    """The measure at a cutoff or a point."""
    measure = parse(f"{entry.name}_{number if entry.takes == 'points' else int(number)}")
    return OutputLine(
        f"{entry.name}_{number:.2f}" if entry.takes == "points" else f"{entry.name}_{number:.0f}", measure
    )


def _number(entry: TrecEvalMeasure, text: str) -> float:
    """A cutoff, of which only the whole part counts, or a point."""
    try:
        number = float(text)
        number = float(int(number)) if entry.takes == "cutoffs" else number
    except (ValueError, OverflowError):
        raise MeasureError(f"{entry.name}: {text!r} is no number") from None
    if number < 1 and entry.takes == "cutoffs":
        raise MeasureError(f"{entry.name}: {text} is no cutoff; a whole number from 1 is right")
    return number


def evaluation(runs: Runs, qrels: Qrels, lines: Sequence[OutputLine], settings: TrecEvalOptions) -> Iterator[str]:
    """What trec_eval prints for one run, line by line."""
    full = judge(runs, qrels)
    answered = full.retrieved > 0
    counted = np.ones(len(full.qids), bool) if settings.complete else answered
    if not counted.any():
        raise InputError(f"no topic of run {full.tags[0]} was judged; with -c it scores 0")
    judged = first(full, settings.most) if settings.most is not None else full
    judged = judged.condensed() if settings.judged_only else judged
    columns = [_column(line, judged, answered, settings) for line in lines]
    if settings.per_topic:
        for topic in np.flatnonzero(counted):
            for line, column in zip(lines, columns, strict=True):
                if not _only_in_summary(line):
                    yield printed(line.name, full.qids[topic], column(int(topic)))
    if settings.summary:
        yield from _summary(full, lines, columns, counted, settings)


Column = Callable[[int], str | float]


def _column(line: OutputLine, judged: Judged, answered: Mask, settings: TrecEvalOptions) -> Column:
    """The values of a line, by topic."""
    if line.measure is None:
        return lambda topic: _relstring(judged, topic, line.length)
    values = scores(line.measure, judged, settings)
    if line.name == "rbp_resid":
        values = np.where(answered, values, 0.0)
    if line.measure.name == "RnDCG":  # otherwise it has nothing to do with -l
        values = np.where(judged.num_relevant(settings.level) > 0, values, 0.0)
    if line.measure.name in ("IPrec", "AP11"):
        empty = (judged.retrieved == 0) & (answered | settings.judged_only)
        values = np.where(empty & _asks_for_none(line.measure, judged, settings.level), np.nan, values)
    whole = line.measure.aggregate == "sum"
    return lambda topic: int(values[topic]) if whole else float(values[topic])


def scores(measure: Measure, judged: Judged, settings: TrecEvalOptions) -> Floats:
    """One number a topic, with trec_eval's -l and -N where the measure has to do with them."""
    options = {"rel": settings.level, "size": settings.size}
    return measure.set(**{name: value for name, value in options.items() if name in measure.defaults}).scores(judged)


def _asks_for_none(measure: Measure, judged: Judged, level: int) -> Mask:
    """Topics where (the lowest of) the recall points is reached with no document: 0/0 where nothing is retrieved."""
    points = measure.options.get("points") or measure.options.get("recall", 0)
    lowest = min(float(point) for point in str(points).split(","))
    return np.asarray(rounded(np.float64(lowest) * judged.num_relevant(level)) == 0)


def first(judged: Judged, most: int) -> Judged:
    """The rankings cut off after so many documents.

    >>> from cranfield.metrics.examples import example
    >>> cut = first(example([1, None, 1]), 2)
    >>> cut.rank, cut.retrieved
    (array([1]), array([2]))
    """
    kept = judged.within(most)
    return replace(
        judged, ranking=judged.ranking[kept], rank=judged.rank[kept], grade=judged.grade[kept],
        judgment=judged.judgment[kept], retrieved=np.minimum(judged.retrieved, most),
    )  # fmt: skip


def _relstring(judged: Judged, topic: int, length: int) -> str:
    """The grades of the first documents: a digit, > above 9, - where there is no judgment, . for a negative one."""
    rows = (judged.ranking == topic) & judged.within(length)
    written = ["-"] * min(int(judged.retrieved[topic]), length)
    for rank, grade in zip(judged.rank[rows], judged.grade[rows], strict=True):
        written[rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(grade)
    return f"'{''.join(written)}'"


def _only_in_summary(line: OutputLine) -> bool:
    geometric = line.measure is not None and line.measure.aggregate == "geometric mean"
    return geometric or line.name in ("runid", "num_q")


def _summary(
    full: Judged, lines: Sequence[OutputLine], columns: Sequence[Column], counted: Mask, settings: TrecEvalOptions
) -> Iterator[str]:
    for line, column in zip(lines, columns, strict=True):
        if line.measure is not None:
            values = np.array([column(int(topic)) for topic in np.flatnonzero(counted)], float)
            value = summed(values, line.measure.aggregate)
            if line.name == "num_rel" and settings.complete:
                value = int(np.sum(full.qrels_grade > 0))  # without regard to -l
            yield printed(line.name, "all", value)
        elif line.name == "runid":
            yield printed("runid", "all", full.tags[0])


def summed(values: Floats, aggregate: Aggregate) -> float:
    """The sum, the mean or the geometric mean, added up one by one; what is undefined makes it undefined.

    >>> round(summed(np.array([0.1, 0.001]), "geometric mean"), 6), summed(np.array([1.0, np.nan]), "mean")
    (0.01, nan)
    """
    added = np.log(np.maximum(values, FLOOR)) if aggregate == "geometric mean" else values
    total = float(np.cumsum(added)[-1])
    if aggregate == "sum":
        return int(total)
    return float(np.exp(total / len(values))) if aggregate == "geometric mean" else total / len(values)


def printed(name: str, topic: str, value: str | float) -> str:
    """A line; 0/0 is "-nan", as C writes it on x86.

    >>> printed("map", "301", 0.125), printed("num_q", "all", 3)
    ('map                   \\t301\\t0.1250', 'num_q                 \\tall\\t3')
    >>> printed("11pt_avg", "all", float("nan"))
    '11pt_avg              \\tall\\t  -nan'
    """
    if isinstance(value, float):
        value = "  -nan" if isnan(value) else f"{value:6.4f}"
    return f"{name:<22}\t{topic}\t{value}"
