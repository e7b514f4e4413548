"""trec_eval's measures in its order, and the lines that it prints for the names given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from cranfield.errors import MeasureError
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation.parse import parse

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
POINTS = tuple(point / 10 for point in range(11))
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
    TrecEvalMeasure("iprec_at_recall", "points", POINTS, OFFICIAL, quirk="0/0 where nothing is retrieved"),
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
    cranfield.errors.MeasureError: map of trec_eval takes no parameter, where there is 'map.10'
    """
    given: dict[str, list[str]] = {}
    for single in (single for name in names for single in NICKNAMES.get(name, (name,))):
        row, parameter = _row(single)
        given.setdefault(row.name, []).extend([parameter] if parameter else [])
    return [line for row in ROWS if row.name in given for line in _lines(row, given[row.name])]


def _row(name: str) -> tuple[TrecEvalMeasure, str]:
    """The measure with the longest matching name, and the parameter."""
    for row in sorted(ROWS, key=lambda row: len(row.name), reverse=True):
        rest = name.removeprefix(row.name)
        if rest == "" or (rest != name and rest[0] in "._"):
            if rest and row.takes == "nothing":
                raise MeasureError(f"{row.name} of trec_eval takes no parameter, where there is {name!r}")
            return row, rest[1:]
    known = ", ".join(row.name for row in ROWS)
    raise MeasureError(f"trec_eval has no measure {name!r}; it has: {known}; and the nicknames {', '.join(NICKNAMES)}")


def _lines(row: TrecEvalMeasure, parameters: Sequence[str]) -> list[OutputLine]:
    if row.name == "runid":
        return [OutputLine("runid", row)]
    if row.takes == "options":
        return [_with_options(row, parameter) for parameter in dict.fromkeys(parameters)] or [_plain(row)]
    numbers = sorted({_number(row, text) for part in parameters for text in part.split(",")}) or row.default
    if row.name == "relstring":
        return [OutputLine(f"relstring_{int(k)}", row, length=int(k)) for k in numbers] or [
            OutputLine("relstring", row)
        ]
    return [_at(row, number) for number in numbers] or [_plain(row)]


def _plain(row: TrecEvalMeasure) -> OutputLine:
    return OutputLine(row.name, row, parse(row.name))


def _with_options(row: TrecEvalMeasure, parameter: str) -> OutputLine:
    used = parameter.partition(",")[0] if row.name == "set_F" else parameter
    return OutputLine(f"{row.name}_{parameter}", row, parse(f"{row.name}_{used}"))


def _at(row: TrecEvalMeasure, number: float) -> OutputLine:
    """The measure at a cutoff or a point."""
    measure = parse(f"{row.name}_{number if row.takes == 'points' else int(number)}")
    return OutputLine(f"{row.name}_{number:{'.2f' if row.takes == 'points' else '.0f'}}", row, measure)


def _number(row: TrecEvalMeasure, text: str) -> float:
    """A cutoff, of which only the whole part counts, or a point."""
    try:
        number = float(text)
        number = float(int(number)) if row.takes == "cutoffs" else number
    except (ValueError, OverflowError):
        raise MeasureError(f"{row.name}: {text!r} is no number") from None
    if number < 1 and row.takes == "cutoffs":
        raise MeasureError(f"{row.name}: {text} is no cutoff; a whole number from 1 is right")
    return number
