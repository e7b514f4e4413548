"""`python -m benchmarks.coverage`: how often each interval that a command prints holds the truth, in simulations.

Every row of benchmarks/designs/ is drawn 2,000 times or, where that takes long, 300 times. A row fails if its count is
binomially below .94 (of a nominal .95) at 1 %, after Holm's correction over the table; then the exit code is 1. What
was drawn is kept in benchmarks/coverage.json, so that a run that was stopped goes on; docs/verdict.md has the table.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from zlib import crc32

import numpy as np

from benchmarks.designs.design import Design
from benchmarks.designs.table import TABLE
from cranfield.formats.text_tables import as_markdown
from cranfield.metrics.significance.pairs import holm
from cranfield.parallel import Several, in_processes

ROOT = Path(__file__).resolve().parents[1]
PAGE, KEPT = ROOT / "docs" / "verdict.md", ROOT / "benchmarks" / "coverage.json"
BLOCKS = 20  # of a row; what is kept when a run is stopped is whole blocks
SLACK, LEVEL = 0.01, 0.01  # how far below the nominal coverage a row may be, and how sure it is that one is below that
BAR = re.compile(r"\|")  # all that ends a cell that is Markdown itself
START, END = "<!-- coverage -->\n", "<!-- /coverage -->"


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


Counts = dict[str, Count]


def load(path: Path) -> Counts:
    """What was drawn so far, by row."""
    return {name: Count(*count) for name, count in json.loads(path.read_text()).items()} if path.exists() else {}


def save(path: Path, counts: Counts) -> None:
    """A line a row, so that rows can be drawn on several machines and put together."""
    rows = {name: [*count[:3], round(count.seconds, 1)] for name, count in sorted(counts.items())}
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def count_draws(row: Design, start: int, stop: int) -> Count:
    """These draws of a row: the same each time, in whatever blocks."""
    began = perf_counter()
    outcomes = [row.draw(np.random.default_rng([crc32(row.name.encode()), at])) for at in range(start, stop)]
    return Count(len(outcomes), outcomes.count(True), outcomes.count(None), perf_counter() - began)


def blocks(row: Design, first: int, draws: int) -> Iterator[tuple[str, int, int]]:
    """What is left to draw of a row."""
    size = -(-draws // BLOCKS)
    return ((row.name, start, min(start + size, draws)) for start in range(first, draws, size))


def _count_block(block: tuple[str, int, int]) -> tuple[str, Count]:
    name, start, stop = block
    return name, count_draws(TABLE[name], start, stop)


def draw(rows: Sequence[Design], counts: Counts, most: int | None, processes: int, keep: Callable[[], None]) -> None:
    """Draw what is left of these rows, and keep each block at once."""
    here = [row for row in rows if not row.lack]
    todo = [block for row in here for block in blocks(row, counts.get(row.name, Count()).draws, most or row.draws)]
    several: Several[tuple[str, int, int], tuple[str, Count]] = in_processes(processes)
    for name, count in several(_count_block, todo) if todo else ():
        counts[name] = counts.get(name, Count()).and_(count)
        keep()


def failing(counts: Mapping[str, Count]) -> list[str]:
    """The rows that hold less often than they may."""
    chances = holm(np.array([count.chance(TABLE[name].nominal) for name, count in counts.items()]))
    return [name for name, chance in zip(counts, chances.tolist(), strict=True) if chance < LEVEL]


def cells(row: Design, count: Count) -> dict[str, str]:
    """A line of the table.

    >>> list(cells(Design("compare", "2 topics", lambda random: None), Count(2000, 1425, 500)).values())
    ['`compare`', '2 topics', '95 %', '95.0 %', '25 %', '2,000']
    """
    intervals = count.draws - count.none
    share = f"{100 * count.holding / intervals:.1f} %" if intervals else "-"
    none = f"{100 * count.none / count.draws:.3g} %" if count.none else ""
    nominal = f"{100 * row.nominal:g} %"
    what = {"command": f"`{row.command}`", "design": row.design, "nominal": nominal}
    return {**what, "held": share, "none": none, "draws": f"{count.draws:,}"}


def render(text: str, counts: Mapping[str, Count]) -> str:
    """The page with its table made anew."""
    before, _, rest = text.partition(START)
    table = as_markdown([cells(row, counts[name]) for name, row in TABLE.items() if name in counts], special=BAR)
    return before + START + table + END + rest.partition(END)[2]


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
    return tell(rows, counts)


def tell(rows: Iterable[Design], counts: Counts) -> int:
    """Print these rows; 1 if one of them fails."""
    fail = set(failing(counts))
    for row in rows:
        if row.name not in counts:
            print(f"{row.name}: not drawn, as it {row.lack}")
            continue
        line = " | ".join(cells(row, counts[row.name]).values())
        print(f"{line} | {counts[row.name].seconds:.0f} s" + (" | FAILS" if row.name in fail else ""))
    return int(any(row.name in fail for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
