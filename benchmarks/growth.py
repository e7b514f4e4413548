"""How time and memory grow with each size, for cranfield and its peers: whole processes, files to seven measures."""

import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import log
from pathlib import Path
from statistics import linear_regression

from benchmarks.data import Shape
from benchmarks.file_shapes import FileTask
from benchmarks.timing import Timing, in_turn, without

BASE = Shape(runs=20, topics=50, depth=1000, pool=100)
SIZES = {
    "runs": (5, 20, 80),
    "topics": (12, 50, 200),
    "depth": (250, 1000, 4000),
    "pool": (25, 100, 400),
}
TINY = {"runs": (1, 2), "topics": (1, 2), "depth": (10, 20), "pool": (2, 4)}
CALLED = {"runs": "runs", "topics": "topics", "depth": "documents per topic", "pool": "pool depth"}

Growth = dict[str, dict[str, list[tuple[int, Timing]]]]  # by size that grows and by tool


def growth(root: Path, quick: bool, rounds: int, absent: Collection[str] = ()) -> Growth:
    """The time and memory of each tool but the `absent` at each size, the others as in `BASE`."""
    base, times = replace(BASE, runs=2, topics=2, depth=20, pool=4) if quick else BASE, dict[Shape, dict[str, Timing]]()
    points: Growth = {}
    for what, sizes in (TINY if quick else SIZES).items():
        for size in sizes:
            shape = replace(base, **{what: size})
            if shape not in times:
                times[shape] = at(root / "-".join(map(str, vars(shape).values())), shape, rounds, absent)
            for tool, timing in times[shape].items():
                points.setdefault(what, {}).setdefault(tool, []).append((size, timing))
    return points


def at(folder: Path, shape: Shape, rounds: int, absent: Collection[str]) -> dict[str, Timing]:
    """Each tool on files of this shape."""
    folder.mkdir()
    numbers = map(str, vars(shape).values())
    subprocess.run([sys.executable, "-m", "benchmarks.data", str(folder), *numbers], check=True)
    runs = sorted(folder.glob("run*.txt"))
    timings = in_turn(without(FileTask("growth", shape).commands(folder / "qrels.txt", runs), absent), rounds)
    for file in folder.iterdir():
        file.unlink()
    return timings


def slopes(points: Sequence[tuple[int, Timing]]) -> Mapping[str, float]:
    """The slopes of time and memory on log-log axes: 1 is proportional.

    >>> slopes([(10, Timing(1.0, 1.0, 50.0)), (100, Timing(10.0, 10.0, 50.0))])
    {'seconds': 1.0, 'memory': 0.0}
    """
    sizes = [log(size) for size, _ in points]
    return {
        field: linear_regression(sizes, [log(getattr(timing, field)) for _, timing in points]).slope
        for field in ("seconds", "memory")
    }
