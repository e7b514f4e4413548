"""`python -m benchmarks.coverage`: how often intervals hold the truth, and how often p values raise a false alarm.

Every row of benchmarks/designs/ is drawn 2,000 times or, where that takes long, 40 times or more. A row of an interval
fails if its count is binomially below .94 (of a nominal .95) at 1%, after Holm's correction over the table. A row of a
p value fails if, where nothing differs, p is at most .05 binomially more often than in 6%, or at most .01 more often
than in 1.2%, by the same rule. Then the exit code is 1, except for rows that say why they are kept. What was drawn is
kept in benchmarks/coverage.json, so that a run that was stopped goes on; docs/reference/coverage.md has the tables, and
docs/explanation/verdict.md a summary with a row for each command.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from zlib import crc32

import numpy as np

from benchmarks.designs.design import Design, PValueDesign
from benchmarks.designs.new_run_forecasts import bound_name
from benchmarks.designs.table import TABLE
from benchmarks.forecasts import DEPTHS, MEASURES, RECORD
from cranfield.formats.text_tables import as_markdown
from cranfield.metrics.forecast.track_record import BOUND_TESTS
from cranfield.metrics.significance.pairs import holm
from cranfield.parallel import Several, map_in_processes

AnyDesign = Design | PValueDesign
ROOT = Path(__file__).resolve().parents[1]
PAGE, KEPT = ROOT / "docs" / "reference" / "coverage.md", ROOT / "benchmarks" / "coverage.json"
MIN_INTERVALS = 100  # of a design whose coverage the summary takes; fewer have a share that says little
SUMMARY = ROOT / "docs" / "explanation" / "verdict.md"
FORECASTS = ROOT / "docs" / "explanation" / "forecasts.md"
BLOCKS = 20  # of a row; what is kept when a run is stopped is whole blocks
SLACK, LEVEL = 0.01, 0.01  # how far below the nominal coverage a row may be, and how sure it is that one is below that
BAR = re.compile(r"\|")  # all that ends a cell that is Markdown itself
START, END = "<!-- coverage -->\n", "<!-- /coverage -->"
START_OF_SUMMARY, END_OF_SUMMARY = "<!-- coverage summary -->\n", "<!-- /coverage summary -->"
START_OF_P, END_OF_P = "<!-- false alarms -->\n", "<!-- /false alarms -->"
LEVELS_OF_P, SLACK_OF_P = (0.05, 0.01), 1.2  # nominal shares of false alarms, and how many times as many are allowed


class Count(NamedTuple):
    """What was drawn of a row; of `none` no interval was printed."""

    draws: int = 0
    holding: int = 0
    none: int = 0
    seconds: float = 0.0

    def and_(self, more: Count) -> Count:
        """Both together."""
        draws, holding, none, seconds = (one + other for one, other in zip(self, more, strict=True))
        return Count(int(draws), int(holding), int(none), seconds)

    def chance(self, nominal: float) -> float:
        """The probability of so few that hold, or fewer, were the coverage just good enough.

        >>> round(Count(2000, 1850).chance(0.95), 4), Count(10, 0, 10).chance(0.95)
        (0.0035, 1.0)
        """
        from scipy.stats import binom

        return float(binom.cdf(self.holding, self.draws - self.none, nominal - SLACK))


class FalseAlarms(NamedTuple):
    """Draws in which nothing differs: in how many p was at most .05 and .01, and in how many no p was printed."""

    draws: int = 0
    at_5: int = 0
    at_1: int = 0
    none: int = 0
    seconds: float = 0.0

    def and_(self, more: FalseAlarms) -> FalseAlarms:
        """Both together."""
        draws, at_5, at_1, none, seconds = (one + other for one, other in zip(self, more, strict=True))
        return FalseAlarms(int(draws), int(at_5), int(at_1), int(none), seconds)

    @property
    def printed(self) -> int:
        """The draws with a p."""
        return self.draws - self.none

    @property
    def chance(self) -> float:
        """The probability of so many false alarms, or more, were they as frequent as allowed; of two levels the less.

        >>> [round(FalseAlarms(2000, *alarms).chance, 4) for alarms in ((140, 20), (110, 40), (100, 20))]
        [0.0709, 0.0032, 1.0]
        >>> FalseAlarms(10, 0, 0, 10).chance
        1.0
        """
        from scipy.stats import binom

        pairs = zip((self.at_5, self.at_1), LEVELS_OF_P, strict=True)
        return min(1.0, 2 * min(float(binom.sf(n - 1, self.printed, SLACK_OF_P * level)) for n, level in pairs))


AnyCount = Count | FalseAlarms
Counts = dict[str, AnyCount]
ONE_MORE = len(FalseAlarms._fields)  # numbers that are kept of a row of a p value


def load(path: Path) -> Counts:
    """What was drawn so far, by row."""
    rows = json.loads(path.read_text()).items() if path.exists() else ()
    return {name: (FalseAlarms if len(count) == ONE_MORE else Count)(*count) for name, count in rows}


def save(path: Path, counts: Counts) -> None:
    """A line a row, so that rows can be drawn on several machines and put together."""
    rows = {name: [*count[:-1], round(count.seconds, 1)] for name, count in sorted(counts.items())}
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def count_draws(row: AnyDesign, start: int, stop: int) -> AnyCount:
    """These draws of a row: the same each time, in whatever blocks."""
    began = perf_counter()
    outcomes = [row.draw(np.random.default_rng([crc32(row.name.encode()), at])) for at in range(start, stop)]
    if isinstance(row, PValueDesign):
        p = np.array([one for one in outcomes if one is not None])
        at_5, at_1 = (int((p <= level + 1e-12).sum()) for level in LEVELS_OF_P)
        return FalseAlarms(len(outcomes), at_5, at_1, outcomes.count(None), perf_counter() - began)
    return Count(len(outcomes), outcomes.count(True), outcomes.count(None), perf_counter() - began)


def blocks(row: AnyDesign, first: int, draws: int) -> Iterator[tuple[str, int, int]]:
    """What is left to draw of a row."""
    size = -(-draws // BLOCKS)
    return ((row.name, start, min(start + size, draws)) for start in range(first, draws, size))


def _count_block(block: tuple[str, int, int]) -> tuple[str, AnyCount]:
    name, start, stop = block
    return name, count_draws(TABLE[name], start, stop)


def draw(rows: Sequence[AnyDesign], counts: Counts, most: int | None, processes: int, keep: Callable[[], None]) -> None:
    """Draw what is left of these rows, and keep each block at once."""
    here = [row for row in rows if not row.lack]
    drawn = {row.name: counts[row.name].draws if row.name in counts else 0 for row in here}
    todo = [block for row in here for block in blocks(row, drawn[row.name], most or row.draws)]
    several: Several[tuple[str, int, int], tuple[str, AnyCount]] = map_in_processes(processes)
    for name, count in several(_count_block, todo) if todo else ():
        counts[name] = added(counts.get(name), count)
        keep()


def added(before: AnyCount | None, count: AnyCount) -> AnyCount:
    """The counts of a row together."""
    if before is None:
        return count
    if isinstance(before, Count) and isinstance(count, Count):
        return before.and_(count)
    if isinstance(before, FalseAlarms) and isinstance(count, FalseAlarms):
        return before.and_(count)
    raise TypeError("counts of an interval and of a p value; expected two of a kind")


def failing(counts: Mapping[str, AnyCount], with_kept: bool = False) -> list[str]:
    """The rows that hold less often than they may, or have more false alarms; those that are kept only if wanted."""
    chances = holm(np.array([_chance(TABLE[name], count) for name, count in counts.items()]))
    rows = [name for name, chance in zip(counts, chances.tolist(), strict=True) if chance < LEVEL]
    return [name for name in rows if with_kept or not getattr(TABLE[name], "kept", "")]


def _chance(row: AnyDesign, count: AnyCount) -> float:
    if isinstance(count, FalseAlarms):
        return count.chance
    return count.chance(row.nominal) if isinstance(row, Design) else 1.0


def cells(row: Design, count: Count) -> dict[str, str]:
    """A line of the table.

    >>> list(cells(Design("compare", "2 topics", lambda random: None), Count(2000, 1425, 500)).values())
    ['`compare`', '2 topics', '95%', '95.0%', '25%', '2,000']
    """
    intervals = count.draws - count.none
    share = f"{100 * count.holding / intervals:.1f}%" if intervals else "-"
    none = f"{100 * count.none / count.draws:.3g}%" if count.none else ""
    nominal = f"{100 * row.nominal:g}%"
    what = {"command": f"`{row.command}`", "design": row.design.replace(" %", "%"), "nominal": nominal}
    return {**what, "held": share, "none": none, "draws": f"{count.draws:,}"}


def p_cells(row: PValueDesign, count: FalseAlarms) -> dict[str, str]:
    """A line of the table of p values.

    >>> list(p_cells(PValueDesign("compare", "10 topics", lambda random: 1.0), FalseAlarms(2000, 90, 15, 400)).values())
    ['`compare`', '10 topics', '5.6%', '0.9%', '20%', '2,000', '']
    """
    at_5, at_1 = (f"{100 * n / count.printed:.1f}%" if count.printed else "-" for n in (count.at_5, count.at_1))
    none = f"{100 * count.none / count.draws:.3g}%" if count.none else ""
    what = {
        "command": f"`{row.command}`",
        "design": row.design.replace(" %", "%"),
        "p up to 0.05": at_5,
        "p up to 0.01": at_1,
    }
    return {**what, "none": none, "draws": f"{count.draws:,}", "too frequent": row.kept}


def render(text: str, counts: Mapping[str, AnyCount]) -> str:
    """The page with its tables written again."""
    rows = [(row, counts[name]) for name, row in TABLE.items() if name in counts]
    intervals = [cells(row, one) for row, one in rows if isinstance(row, Design) and isinstance(one, Count)]
    alarms = [p_cells(row, one) for row, one in rows if isinstance(row, PValueDesign) and isinstance(one, FalseAlarms)]
    for start, end, lines in ((START, END, intervals), (START_OF_P, END_OF_P, alarms)):
        before, found, rest = text.partition(start)
        if found or start == START:
            text = before + start + as_markdown(lines, special=BAR) + end + rest.partition(end)[2]
    return text


def summary_cells(command: str, counts: Mapping[str, AnyCount]) -> dict[str, str]:
    """Return the row of a command in the summary; `counts` has the designs of all commands.

    Parameters
    ----------
    command : str
        The command.
    counts : mapping of str to Count or FalseAlarms
        The counts by design.

    Returns
    -------
    dict of str to str
        The cells by column.
    """
    rows = [(TABLE[name], count) for name, count in counts.items() if TABLE[name].command == command]
    held = [count.holding / (count.draws - count.none) for _, count in rows
            if isinstance(count, Count) and count.draws - count.none >= MIN_INTERVALS]  # fmt: skip
    tests = [(row.kept, count.at_5 / count.printed) for row, count in rows
             if isinstance(row, PValueDesign) and isinstance(count, FalseAlarms) and count.printed]  # fmt: skip
    alarms, exceptions = [share for kept, share in tests if not kept], sum(bool(kept) for kept, _ in tests)
    return {
        "command": f"`{command}`",
        "interval designs": f"{sum(isinstance(count, Count) for _, count in rows) or ''}",
        "lowest coverage": f"{100 * min(held):.1f}%" if held else "",
        "p value designs": f"{len(tests) or ''}",
        "most false alarms": f"{100 * max(alarms):.1f}%" if alarms else "",
        "exceptions": f"{exceptions or ''}",
    }


def render_summary(text: str, counts: Mapping[str, AnyCount]) -> str:
    """Return a page with its summary of the tables, a row for each command, written again."""
    before, found, rest = text.partition(START_OF_SUMMARY)
    if not found:
        return text
    commands = dict.fromkeys(row.command for name, row in TABLE.items() if name in counts)
    known = {name: count for name, count in counts.items() if name in TABLE}
    rows = [summary_cells(command, known) for command in commands]
    return before + found + as_markdown(rows, special=BAR) + END_OF_SUMMARY + rest.partition(END_OF_SUMMARY)[2]


def bound_counts(counts: Mapping[str, AnyCount]) -> dict[tuple[str, int, str], tuple[int, int]]:
    """The bounds of the next system by measure, depth and test: systems with a bound, and those for which it held."""
    found = {}
    for measure, depth, test in product(MEASURES, DEPTHS, BOUND_TESTS):
        count = counts.get(f"reusability: {bound_name(test, measure, depth)}")
        if isinstance(count, Count):
            found[measure, depth, test] = count.draws - count.none, count.holding
    return found


def bound_table(counts: Mapping[str, AnyCount]) -> str:
    """The table on the page of forecasts.

    >>> counts = {"reusability: bound of AP for the next system, pool depth 5, Robust 2003": Count(100, 57, 40)}
    >>> print(bound_table(counts).splitlines()[-1])
    | AP | 5 | Robust 2003 | 60 | 0.950 |
    """
    rows = [
        {"measure": measure, "pool depth": depth, "test": test, "systems": n, "bound holds": f"{held / n:.3f}"}
        for (measure, depth, test), (n, held) in bound_counts(counts).items()
    ]
    return as_markdown(rows)


def write_bounds(counts: Mapping[str, AnyCount], record: Path = RECORD, page: Path = FORECASTS) -> None:
    """Write the records of bounds into the module that decides what is printed, and into the page of forecasts."""
    by_row = bound_counts(counts)
    if len(by_row) < len(MEASURES) * len(DEPTHS) * len(BOUND_TESTS):
        return
    lines = ["BOUND_RECORDS: Mapping[str, Mapping[int, Sequence[tuple[int, int]]]] = {"]
    for measure in MEASURES:
        lines.append(f'    "{measure}": {{')
        for depth in DEPTHS:
            lines.append(f"        {depth}: ({', '.join(str(by_row[measure, depth, test]) for test in BOUND_TESTS)}),")
        lines.append("    },")
    for path, start, end, text in (
        (record, "# <bounds>\n", "# </bounds>", "\n".join([*lines, "}", ""])),
        (page, "<!-- bounds -->\n", "<!-- /bounds -->", f"\n{bound_table(counts)}\n"),
    ):
        before, _, rest = path.read_text(encoding="utf-8").partition(start)
        path.write_text(before + start + text + end + rest.partition(end)[2], encoding="utf-8")


def options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME", help="rows whose names contain one of these")
    parser.add_argument("--draws", type=int, help="fewer draws of each row, for a look; then nothing is kept")
    parser.add_argument("--again", action="store_true", help="draw these rows again, after their interval has changed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="list the rows, and draw nothing")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None, file: Path = KEPT, page: Path = PAGE) -> int:
    """Draw what was asked for, print it, write the page; 1 if a row fails."""
    args = options(arguments)
    rows = [row for name, row in TABLE.items() if any(part in name for part in args.only)]
    if args.list:
        print("\n".join(row.name for row in rows))
        return 0
    counts = {} if args.draws else {name: count for name, count in load(file).items() if name in TABLE}
    for row in rows if args.again else ():
        if not row.lack:
            counts.pop(row.name, None)
    draw(rows, counts, args.draws, args.processes, (lambda: None) if args.draws else partial(save, file, counts))
    if not args.draws:
        page.write_text(render(page.read_text(encoding="utf-8"), counts), encoding="utf-8")
        if file == KEPT:
            SUMMARY.write_text(render_summary(SUMMARY.read_text(encoding="utf-8"), counts), encoding="utf-8")
            write_bounds(counts)
    return tell(rows, counts)


def tell(rows: Iterable[AnyDesign], counts: Counts) -> int:
    """Print these rows; 1 if one of them fails."""
    fail = set(failing(counts))
    for row in rows:
        if row.name not in counts:
            print(f"{row.name}: not drawn, as it {row.lack}")
            continue
        count = counts[row.name]
        if isinstance(row, PValueDesign):
            columns = p_cells(row, count) if isinstance(count, FalseAlarms) else {}
        else:
            columns = cells(row, count) if isinstance(count, Count) else {}
        line = " | ".join(columns.values())
        print(f"{line} | {counts[row.name].seconds:.0f} s" + (" | FAILS" if row.name in fail else ""))
    return int(any(row.name in fail for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
