"""How lines of columns are laid out, and what their cells are.

Names of measures, as trec_eval, pytrec_eval and ir_measures write them, tell scores from qrels.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import GRADE_LIMIT
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.errors import Path


TREC_EVAL_NAMES = (
    r"num_(?:q|ret|rel|rel_ret|nonrel_judged_ret)|(?:gm_)?(?:map|bpref)|map_cut_\d+|infAP|Rprec(?:_mult_[\d.]+)?"
    r"|recip_rank|iprec_at_recall_[\d.]+|11pt_avg|(?:P|recall|success|relative_P|ndcg_cut)_\d+"
    r"|ndcg(?:_rel)?|Rndcg|set_(?:P|recall|map|F|relative_P)|utility"
)
IR_MEASURES_NAMES = (
    r"(?:AP|nDCG|RR|Rprec|Bpref|ERR|RBP|INST|INSQ|infAP|SetP|SetR|SetF|SetAP|NumRet|NumRel|NumQ|Compat)"
    r"(?:\([^()\s]*\))?(?:@\d+)?"
    r"|(?:P|R|Success|Judged|IPrec|AP|nDCG|RR|ERR|alpha_nDCG|ERR_IA)(?:\([^()\s]*\))?@[\d.]+"
)
MEASURE_NAME = f"{TREC_EVAL_NAMES}|{IR_MEASURES_NAMES}"  # patterns that are compiled at their first use
TREC_EVAL_LINE = rf"({TREC_EVAL_NAMES}|runid)\s*\t\S+\t\S+\s*"
IR_MEASURES_LINE = rf"\S+\t({IR_MEASURES_NAMES})\t-?\d+\.\d+\s*"


def are_measure_names(names: Iterable[object]) -> bool:
    """Whether there are names, and all of them are of measures.

    >>> are_measure_names(["map", "ndcg_cut_10", "nDCG@10"]), are_measure_names(["map", "d1"]), are_measure_names([])
    (True, False, False)
    """
    texts = list(names)
    return bool(texts) and all(isinstance(name, str) and re.fullmatch(MEASURE_NAME, name) for name in texts)


def detect_scoring_program(line: str) -> str:
    r"""Which program writes a line of scores such as this one, "" if neither does.

    >>> lines = ("map\tall\t0.25", "301\tnDCG@10\t0.5000", "1\tmap\t1", "1\tP\t0.5")
    >>> tuple(map(detect_scoring_program, lines))
    ('trec_eval', 'ir_measures', '', '')
    """
    patterns = {"trec_eval": TREC_EVAL_LINE, "ir_measures": IR_MEASURES_LINE}
    return next((program for program, pattern in patterns.items() if re.fullmatch(pattern, line)), "")


Number = Literal["score", "grade"]
OTHER = {  # by the columns that are right and those of the line
    (4, 6): "; this looks like a run; give the qrels before the runs, or use `import runs`",
    (6, 4): "; this looks like qrels; give them before the runs, or use `import qrels`",
    (4, 5): "; if one column is a stratum, name the format: sample-eval (stratum, then grade) or grade-stratum",
}


class Layout(NamedTuple):
    """The columns of a kind of table, whose `subject` messages speak of. Blank lines and lines of "#" are left out.

    Columns are separated by white space, or by single tabs if `tabs`; `more`: further columns may follow.
    `header`: what the first line has to start with. `refuses_shifts`: a line with further columns is refused where a
    blank in a docno may have shifted them. A table without a number column has grade 1 throughout.
    Qrels may have one column that says more of a judgment: its stratum, its subtopic, or else its iteration; a table
    of several runs has the run of each row.
    """

    subject: str
    columns: tuple[str, ...]
    number: Number | None = "grade"
    more: bool = False
    tabs: bool = False
    header: bytes = b""
    refuses_shifts: bool = False

    @property
    def columns_to_read(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(name for name in ("qid", "docno", self.number, self.more_of_it) if name in self.columns)

    @property
    def more_of_it(self) -> str:
        """The column that is kept as the iteration."""
        return next((name for name in ("stratum", "subtopic", "run") if name in self.columns), "iteration")

    @property
    def duplicate_column(self) -> str:
        """The column, if any, for each value of which a topic may have a document once more."""
        return next((name for name in ("subtopic", "run") if name in self.columns), "")

    def check_width(self, values: Sequence[bytes], path: "Path", line: int) -> None:
        """Refuse a line of another number of columns."""
        right, width = len(self.columns), len(values)
        if width < right or (width > right and not self.more):
            columns = "1 column" if width == 1 else f"{width} columns"
            csv = f"; a CSV file needs a header line, such as {','.join(self.columns_to_read[:3])}"
            remedy = csv if (width, line, self.tabs) == (1, 1, False) else OTHER.get((right, width), "")
            if (right, width) == (6, 4) and parse_whole_grade(values[-1]) is None:
                remedy = f"; a table with {width} columns needs a header line, such as qid,docno,rank,score"
            if program := detect_scoring_program(b"\t".join(values).decode("utf-8", "replace")):
                remedy = f"; this looks like scores by {program}"
            raise InputError(f"{columns}; {self.subject} {right}: {' '.join(self.columns)}{remedy}", path, line)


def has_blank_in_docno(values: Sequence[bytes]) -> bool:
    """Whether a line of more than six columns may be a run's line with a blank in its docno.

    The rank has to be a whole number, and neither the tag nor what follows may look like a rank and a score.

    >>> has_blank_in_docno(b"1 Q0 my file.txt 1 9.0 bm25".split())
    True
    >>> has_blank_in_docno(b"1 Q0 report 2 1 9.0 bm25".split())
    True
    >>> has_blank_in_docno(b"1 Q0 d1 1 9.0 my run".split())
    False
    """
    *_, rank, score, _ = values
    is_late = parse_whole_grade(rank) is not None and as_score(score) is not None
    return is_late or parse_whole_grade(values[3]) is None or as_score(values[5]) is not None


class FileRow(NamedTuple):
    """A line of a table: where it is and what it says."""

    line: int
    qid: str
    docno: str
    number: float
    iteration: str
    tag: str
    rank: float = nan


class Columns(NamedTuple):
    """A table read: names as Arrow dictionary arrays, `number` and `rank` as arrays, the tag of the last line."""

    qid: Any
    docno: Any
    number: NDArray[np.generic]
    iteration: Any
    tag: str
    rank: NDArray[np.float64] | None = None  # of a run in TREC's form, NaN where it is not a number


def split_first_lines(head: bytes, columns: int) -> list[list[bytes]]:
    r"""The lines at the start of a table, split; a last one that is cut short is left out.

    >>> split_first_lines(b"# pooled\n1 0 d1 1\n\n1 0 d", 4), split_first_lines(b"1 0 d1 1\n1 0 d2 0", 4)
    ([[b'1', b'0', b'd1', b'1']], [[b'1', b'0', b'd1', b'1'], [b'1', b'0', b'd2', b'0']])
    """
    rows = _split_head_lines(head)
    cut = rows and not head.endswith((b"\n", b"\r")) and len(rows[-1]) < columns
    return rows[:-1] if cut else rows


@lru_cache(maxsize=1)  # several formats look at the same lines
def _split_head_lines(head: bytes) -> list[list[bytes]]:
    return [line.split() for line in head.splitlines() if line.strip() and not line.startswith(b"#")]


def as_score(value: bytes) -> float | None:
    """The number, or None where there is none; NaN is none, for it has no place in a ranking.

    >>> as_score(b"1e3"), as_score(b"inf"), as_score(b"nan"), as_score(b"1_000")
    (1000.0, inf, None, None)
    """
    try:
        number = float(value)
    except ValueError:
        return None
    return None if isnan(number) or b"_" in value else number


def rank_number(value: bytes) -> float:
    """The number in a rank column; NaN where there is none.

    >>> rank_number(b"3"), rank_number(b"0.98"), rank_number(b"Q0")
    (3.0, 0.98, nan)
    """
    number = as_score(value)
    return nan if number is None or not isfinite(number) else number


NEGATIVE_GRADES = "a grade; expected whole numbers for grades below 0 (-1 is unjudged, -2 is judged and not relevant)"
_DECIMAL = re.compile(rb"[+-]?(\d{1,18}\.?\d{0,18}|\.\d{1,18})")


def parse_whole_grade(value: bytes, times: int = 1) -> int | None:
    """The whole number, `times` multiplied, or None: trec_eval reads "2.9" as 2 and "x" as 0, and says nothing.

    >>> [parse_whole_grade(grade) for grade in (b"-2", b"1.0", b"2.9", b"x")], parse_whole_grade(b"2.9", 10)
    ([-2, 1, None, None], 29)
    """
    value = value.strip()
    if not _DECIMAL.fullmatch(value):
        return None
    digits, _, decimals = value.partition(b".")
    number, rest = divmod(int(digits + decimals) * times, 10 ** len(decimals))
    return None if rest or abs(number) >= GRADE_LIMIT else number


def as_number(value: bytes, times: int = 1) -> int | float | None:
    """Return a grade of qrels, multiplied by `times`: an int where it is whole, a float otherwise, None if invalid.

    A fraction below 0 is invalid: -1 is unjudged, and -2 is a judgment.

    >>> as_number(b"1.0"), as_number(b"0.5"), as_number(b"0.7", 10), as_number(b"1e3"), as_number(b"-0.5")
    (1, 0.5, 7, None, None)
    """
    grade, value = parse_whole_grade(value, times), value.strip()
    if grade is not None or not _DECIMAL.fullmatch(value):
        return grade
    number = float(value) * times
    return number if 0 <= number < GRADE_LIMIT else None


def fractional_grade_remedy(grade: str, kind: Literal["qrels", "votes"] = "qrels") -> str:
    """Return the remedy for a fractional grade where a store keeps whole ones.

    >>> fractional_grade_remedy("0.7")
    'stores and trec-eval need whole grades; `cranfield import qrels --times 10` imports it as 7, and `cranfield
    evaluate` with gains="7=0.7,..." counts it as 0.7'
    """
    whole_numbers = ((10**power, parse_whole_grade(grade.encode(), 10**power)) for power in range(1, 7))
    times, whole = next((pair for pair in whole_numbers if pair[1] is not None), (0, 0))
    if not times:
        return "round these grades first"
    remedy = f"stores and trec-eval need whole grades; `cranfield import {kind} --times {times}` imports it as {whole}"
    return f'{remedy}, and `cranfield evaluate` with gains="{whole}={grade},..." counts it as {grade}'


def excerpt(value: bytes) -> str:
    """A value as a message shows it: one line, short, nothing that a terminal obeys."""
    return ascii(value.decode("utf-8", "backslashreplace")[:40])
