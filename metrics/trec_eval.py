"""What trec_eval 10.0 prints: its measures in its order, its names, numbers and lines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Mask, Qrels, Runs
from cranfield.errors import InputError, MeasureError
from cranfield.formats.preferences import PreferenceLine
from cranfield.metrics.evaluate import FLOOR
from cranfield.metrics.measure import Aggregate, Measure
from cranfield.metrics.measures.average_precision import RECALL_POINTS, round_half_up
from cranfield.metrics.notation import parse
from cranfield.metrics.preferences import MEASURES, mean, rankings, scores

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MULTIPLES = tuple(multiple / 5 for multiple in range(1, 11))
RELSTRING = 10
ALL, OFFICIAL, SET = ("all_trec",), ("official", "all_trec"), ("all_trec", "set")
OFFICIAL_AND_SET = ("official", "all_trec", "set")
Quirk = Literal[
    "",
    "0 where a topic has no ranking",  # and it has no parameters
    "0 where a topic has no relevant document",  # by -l, which it otherwise ignores
    "0/0 where nothing is retrieved",  # and no document reaches a recall point
    "summed over all judgments with -c",  # whatever -l is
]


class TrecEvalMeasure(NamedTuple):
    """A measure of trec_eval: its name, what its parameter is, and the parameters that it has by default."""

    name: str
    takes: Literal["nothing", "cutoffs", "points", "options"] = "nothing"
    default: Sequence[float] = ()
    nicknames: Sequence[str] = ALL  # those that it belongs to
    only_in_summary: bool = False
    quirk: Quirk = ""


ROWS: tuple[TrecEvalMeasure, ...] = (
    TrecEvalMeasure("runid", nicknames=OFFICIAL_AND_SET, only_in_summary=True),
    TrecEvalMeasure("num_q", nicknames=OFFICIAL_AND_SET, only_in_summary=True),
    TrecEvalMeasure("num_ret", nicknames=OFFICIAL_AND_SET),
    TrecEvalMeasure("num_rel", nicknames=OFFICIAL_AND_SET, quirk="summed over all judgments with -c"),
    TrecEvalMeasure("num_rel_ret", nicknames=OFFICIAL_AND_SET),
    TrecEvalMeasure("map", nicknames=OFFICIAL),
    TrecEvalMeasure("gm_map", nicknames=OFFICIAL),
    TrecEvalMeasure("Rprec", nicknames=OFFICIAL),
    TrecEvalMeasure("bpref", nicknames=OFFICIAL),
    TrecEvalMeasure("recip_rank", nicknames=OFFICIAL),
    TrecEvalMeasure("iprec_at_recall", "points", RECALL_POINTS, OFFICIAL, quirk="0/0 where nothing is retrieved"),
    TrecEvalMeasure("P", "cutoffs", CUTOFFS, OFFICIAL),
    TrecEvalMeasure("relstring", "cutoffs"),
    TrecEvalMeasure("recall", "cutoffs", CUTOFFS),
    TrecEvalMeasure("infAP"),
    TrecEvalMeasure("gm_bpref"),
    TrecEvalMeasure("Rprec_mult", "points", MULTIPLES),
    TrecEvalMeasure("utility", "options", nicknames=SET),
    TrecEvalMeasure("11pt_avg", "options", quirk="0/0 where nothing is retrieved"),
    TrecEvalMeasure("binG"),
    TrecEvalMeasure("G", "options"),
    TrecEvalMeasure("ndcg", "options"),
    TrecEvalMeasure("ndcg_rel", "options"),
    TrecEvalMeasure("Rndcg", "options", quirk="0 where a topic has no relevant document"),
    TrecEvalMeasure("ndcg_cut", "cutoffs", CUTOFFS),
    TrecEvalMeasure("map_cut", "cutoffs", CUTOFFS),
    TrecEvalMeasure("relative_P", "cutoffs", CUTOFFS),
    TrecEvalMeasure("success", "cutoffs", (1, 5, 10)),
    TrecEvalMeasure("set_P", nicknames=SET),
    TrecEvalMeasure("set_relative_P", nicknames=SET),
    TrecEvalMeasure("set_recall", nicknames=SET),
    TrecEvalMeasure("set_map", nicknames=SET),
    TrecEvalMeasure("set_F", "options", nicknames=SET),
    TrecEvalMeasure("num_nonrel_judged_ret"),
    TrecEvalMeasure("rbp", "options"),
    TrecEvalMeasure("rbp_resid", "options", quirk="0 where a topic has no ranking"),
    TrecEvalMeasure("unj", "cutoffs", (5, 10, 20)),
    TrecEvalMeasure("dcg", "options", nicknames=()),
    TrecEvalMeasure("ideal_dcg", "options", nicknames=()),
    TrecEvalMeasure("yaap", nicknames=()),
)
NICKNAMES: Mapping[str, tuple[str, ...]] = {
    nickname: tuple(row.name for row in ROWS if nickname in row.nicknames)
    for nickname in ("official", "all_trec", "set")
}


class OutputLine(NamedTuple):
    """A line of the output: the name as printed; the measure, which runid and relstring do not have."""

    name: str
    row: TrecEvalMeasure
    measure: Measure | None = None
    length: int = RELSTRING


def lines_of(names: Sequence[str]) -> list[OutputLine]:
    """The lines that trec_eval prints for these names and nicknames, in its order.

    A name, such as map, P.5,10 or all_trec, becomes lines; a line is the printed name and the measure that gives its
    number. trec_eval's names themselves are synonyms and aliases in the rows of those measures.

    >>> [line.name for line in lines_of(["P.10,5", "map", "iprec_at_recall..25", "utility.2,-1,0,0", "P_20"])]
    ['map', 'iprec_at_recall_0.25', 'P_5', 'P_10', 'P_20', 'utility_2,-1,0,0']
    >>> lines_of(["ndcg_cut_10"])[0].measure
    nDCG@10
    >>> lines_of(["map.10"])
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: 'map.10': trec_eval's map takes no parameter; expected map
    """
    parameters: dict[str, list[str]] = {}
    for single in (single for name in names for single in NICKNAMES.get(name, (name,))):
        row, parameter = _find_measure(single)
        parameters.setdefault(row.name, []).extend([parameter] if parameter else [])
    return [line for row in ROWS if row.name in parameters for line in _output_lines(row, parameters[row.name])]


def _find_measure(name: str) -> tuple[TrecEvalMeasure, str]:
    """The measure with the longest matching name, and the parameter."""
    for row in sorted(ROWS, key=lambda row: len(row.name), reverse=True):
        rest = name.removeprefix(row.name)
        if rest == "" or (rest != name and rest[0] in "._"):
            if rest and row.takes == "nothing":
                raise MeasureError(f"{name!r}: trec_eval's {row.name} takes no parameter; expected {row.name}")
            return row, rest[1:]
    names = ", ".join(row.name for row in ROWS)
    raise MeasureError(f"{name!r} is not a measure of trec_eval; expected one of {names}, {', '.join(NICKNAMES)}")


def _output_lines(row: TrecEvalMeasure, parameters: Sequence[str]) -> list[OutputLine]:
    if row.name == "runid":
        return [OutputLine("runid", row)]
    if row.takes == "options":
        return [_parametrized_line(row, parameter) for parameter in dict.fromkeys(parameters)] or [_plain_line(row)]
    numbers = sorted({_parse_cutoff(row, text) for part in parameters for text in part.split(",")}) or row.default
    if row.name == "relstring":
        return [OutputLine(f"relstring_{int(k)}", row, length=int(k)) for k in numbers] or [
            OutputLine("relstring", row)
        ]
    return [_measure_at(row, number) for number in numbers] or [_plain_line(row)]


def _plain_line(row: TrecEvalMeasure) -> OutputLine:
    return OutputLine(row.name, row, parse(row.name))


def _parametrized_line(row: TrecEvalMeasure, parameter: str) -> OutputLine:
    used = parameter.partition(",")[0] if row.name == "set_F" else parameter
    return OutputLine(f"{row.name}_{parameter}", row, parse(f"{row.name}_{used}"))


def _measure_at(row: TrecEvalMeasure, number: float) -> OutputLine:
    measure = parse(f"{row.name}_{number if row.takes == 'points' else int(number)}")
    return OutputLine(f"{row.name}_{number:{'.2f' if row.takes == 'points' else '.0f'}}", row, measure)


def _parse_cutoff(row: TrecEvalMeasure, text: str) -> float:
    """A cutoff, of which only the whole part counts, or a point."""
    try:
        number = float(text)
        number = float(int(number)) if row.takes == "cutoffs" else number
    except (ValueError, OverflowError):
        raise MeasureError(f"{row.name}: {text!r}; expected a number") from None
    if number < 1 and row.takes == "cutoffs":
        raise MeasureError(f"{row.name}: {text}; expected a whole number of at least 1")
    return number


class TrecEvalOptions(NamedTuple):
    """trec_eval's options: -l, -c, -M, -J, -N, -q and not -n."""

    level: int = 1
    complete: bool = False
    most: int | None = None
    judged_only: bool = False
    size: int = 0
    per_topic: bool = False
    summary: bool = True


def evaluation(runs: Runs, qrels: Qrels, lines: Sequence[OutputLine], settings: TrecEvalOptions) -> Iterator[str]:
    """What trec_eval prints for one run, line by line.

    What it does differently from `evaluate` is here: documents cut off (-M) or left out (-J) first, topics without a
    ranking, sums in its order, and the quirks of single measures.
    """
    full = join_runs_and_qrels(runs, qrels).drop_negative_grades()
    answered = full.retrieved > 0
    topic_mask = np.ones(len(full.qids), bool) if settings.complete else answered
    if not topic_mask.any():
        raise InputError(f"no topic of run {full.tags[0]} was judged; with -c, the run scores 0")
    judged = first(full, settings.most) if settings.most is not None else full
    judged = judged.condensed() if settings.judged_only else judged
    columns = [_line_values(line, judged, answered, settings) for line in lines]
    if settings.per_topic:
        for topic in np.flatnonzero(topic_mask):
            for line, column in zip(lines, columns, strict=True):
                geometric = line.measure is not None and line.measure.aggregate == "geometric mean"
                if not (geometric or line.row.only_in_summary):
                    yield format_line(line.name, full.qids[topic], column(int(topic)))
    if settings.summary:
        yield from _summary(full, lines, columns, topic_mask, settings)


Column = Callable[[int], str | float]


def _line_values(line: OutputLine, judged: Judged, answered: Mask, settings: TrecEvalOptions) -> Column:
    """The values of a line, by topic."""
    if line.measure is None:
        return lambda topic: _relstring(judged, topic, line.length)
    options = {"rel": settings.level, "size": settings.size}  # trec_eval's -l and -N
    taken = {name: value for name, value in options.items() if name in line.measure.defaults}
    values = line.measure.set(**taken).scores(judged)
    if line.row.quirk == "0 where a topic has no ranking" and line.name == line.row.name:
        values = np.where(answered, values, 0.0)
    if line.row.quirk == "0 where a topic has no relevant document":
        values = np.where(judged.num_relevant(settings.level) > 0, values, 0.0)
    if line.row.quirk == "0/0 where nothing is retrieved":
        empty = (judged.retrieved == 0) & (answered | settings.judged_only)
        points = line.measure.options.get("points") or line.measure.options.get("recall", 0)
        lowest = min(float(point) for point in str(points).split(","))
        asks_for_none = np.asarray(round_half_up(np.float64(lowest) * judged.num_relevant(settings.level)) == 0)
        values = np.where(empty & asks_for_none, np.nan, values)
    whole = line.measure.aggregate == "sum"
    return lambda topic: int(values[topic]) if whole else float(values[topic])


def first(judged: Judged, most: int) -> Judged:
    """The rankings cut off after this many documents.

    >>> from cranfield.metrics.examples import example
    >>> cut = first(example([1, None, 1]), 2)
    >>> cut.rank, cut.retrieved
    (array([1]), array([2]))
    """
    rows = judged.is_within(most)
    return replace(
        judged, ranking=judged.ranking[rows], rank=judged.rank[rows], grade=judged.grade[rows],
        judgment=judged.judgment[rows], retrieved=np.minimum(judged.retrieved, most),
    )  # fmt: skip


def _relstring(judged: Judged, topic: int, length: int) -> str:
    """The grades of the first documents: a digit, > above 9, - where there is no judgment, . for a negative one."""
    rows = (judged.ranking == topic) & judged.is_within(length)
    signs = ["-"] * min(int(judged.retrieved[topic]), length)
    for rank, grade in zip(judged.rank[rows], judged.grade[rows], strict=True):
        signs[rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(grade)
    return f"'{''.join(signs)}'"


def _summary(
    full: Judged, lines: Sequence[OutputLine], columns: Sequence[Column], topic_mask: Mask, settings: TrecEvalOptions
) -> Iterator[str]:
    for line, column in zip(lines, columns, strict=True):
        if line.measure is not None:
            values = np.array([column(int(topic)) for topic in np.flatnonzero(topic_mask)], float)
            value = summarize(values, line.measure.aggregate)
            if line.row.quirk == "summed over all judgments with -c" and settings.complete:
                value = int(np.sum(full.qrels_grade > 0))
            yield format_line(line.name, "all", value)
        elif line.name == "runid":
            yield format_line("runid", "all", full.tags[0])


def summarize(values: Floats, aggregate: Aggregate) -> float:
    """The sum, the mean or the geometric mean, added up one by one; undefined if any value is.

    >>> round(summarize(np.array([0.1, 0.001]), "geometric mean"), 6), summarize(np.array([1.0, np.nan]), "mean")
    (0.01, nan)
    """
    terms = np.log(np.maximum(values, FLOOR)) if aggregate == "geometric mean" else values
    total = float(np.cumsum(terms)[-1])
    if aggregate == "sum":
        return int(total)
    return float(np.exp(total / len(values))) if aggregate == "geometric mean" else total / len(values)


def format_line(name: str, topic: str, value: str | float) -> str:
    """A line; 0/0 is "-nan", as C writes it on x86.

    >>> format_line("map", "301", 0.125), format_line("num_q", "all", 3)
    ('map                   \\t301\\t0.1250', 'num_q                 \\tall\\t3')
    >>> format_line("11pt_avg", "all", float("nan"))
    '11pt_avg              \\tall\\t  -nan'
    """
    if isinstance(value, float):
        value = "  -nan" if isnan(value) else f"{value:6.4f}"
    return f"{name:<22}\t{topic}\t{value}"


TALLY_LINES = ("runid", "num_q")
PREFERENCE_NICKNAMES: Mapping[str, Sequence[str]] = {
    "all_prefs": (*TALLY_LINES, *MEASURES),
    "prefs": (*TALLY_LINES, *list(MEASURES)[:6]),
}


def preference_lines(names: Sequence[str]) -> list[str]:
    """The measures that trec_eval prints for these names and nicknames, in its order.

    >>> preference_lines(["prefs_simp", "num_q"])
    ['num_q', 'prefs_simp']
    >>> preference_lines(["map"])
    Traceback (most recent call last):
    cranfield.errors.MeasureError: 'map' is not a preference measure; expected one of all_prefs, prefs, runid, num_q,
    prefs_num_prefs_poss, prefs_num_prefs_ful, prefs_num_prefs_ful_ret, prefs_simp, ...
    """
    choices = [*TALLY_LINES, *MEASURES]
    singles = [single for name in names for single in PREFERENCE_NICKNAMES.get(name, (name,))]
    for name in singles:
        if name not in choices:
            few = ", ".join([*PREFERENCE_NICKNAMES, *choices[:6]])
            raise MeasureError(f"{name!r} is not a preference measure; expected one of {few}, ...")
    return [name for name in choices if name in singles]


def preference_evaluation(
    runs: Runs, lines: Sequence[PreferenceLine], names: Sequence[str], settings: TrecEvalOptions
) -> Iterator[str]:
    """What trec_eval prints for one run, line by line."""
    ranked = rankings(runs, settings.most)
    measures = [name for name in names if name in MEASURES]
    by_topic = list(scores(lines, ranked, measures, settings.complete))
    if not by_topic:
        raise InputError(
            f"run {runs.tags[0]} retrieved no documents for the topics with preferences; with -c, the run scores 0"
        )
    if settings.per_topic:
        for qid, values in by_topic:
            yield from (format_line(name, qid, value) for name, value in values.items())
    if settings.summary:
        about: dict[str, str | int] = {"runid": runs.tags[0], "num_q": len(by_topic)}
        for name in names:
            value = about.get(name) or mean(name, [values[name] for _, values in by_topic])
            yield format_line(name, "all", value)
