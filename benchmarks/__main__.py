"""`python -m benchmarks`: time cranfield and its peers, and write docs/explanation/benchmarks.md and its figure.

The result of each row is kept in a file as soon as it is there, so rows can be measured again alone with --only.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.growth import growth
from benchmarks.peers import PEERS
from benchmarks.results import GROWTH, Results, keep, lines, load, rewrite
from benchmarks.rows import ROWS, from_files
from benchmarks.timing import in_turn, without

ROOT = Path(__file__).resolve().parents[1]
PAGE, FIGURE = ROOT / "docs" / "explanation" / "benchmarks.md", ROOT / "docs" / "images" / "benchmarks.svg"


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="rows whose names contain one of these")
    parser.add_argument(
        "--peers", nargs="*", default=list(PEERS), choices=PEERS, help="of those installed; all by default"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each command is run, in turn with the others")
    parser.add_argument("--quick", action="store_true", help="a few lines of each shape, to see that all works")
    parser.add_argument(
        "--results", type=Path, default=ROOT / "benchmarks" / "results.json", help="where they are kept"
    )
    parser.add_argument("--list", action="store_true", help="list the rows, and measure nothing")
    parser.add_argument("--page", action="store_true", help="write the page from the kept results, and measure nothing")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what was asked for, print each row, write the page."""
    args = options(arguments)
    names = [name for name in (*ROWS, GROWTH) if not args.only or any(part in name for part in args.only)]
    if args.list:
        print("\n".join(names))
        return
    results = load(args.results)
    if not args.page:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), names, args, results)
    if not args.quick:
        publish(results)


def measure(root: Path, names: Sequence[str], args: argparse.Namespace, results: Results) -> None:
    """Measure these rows, and keep each result at once."""
    absent = set(PEERS) - set(args.peers)
    in_turn(without(from_files("1,000 topics")(warm(root), True), absent), 1)  # a peer compiles when it is first run
    for name in names:
        if name == GROWTH:
            keep(args.results, results, name, growth(root, args.quick, args.rounds, absent))
            continue
        timings = in_turn(without(ROWS[name].prepare(root, args.quick), absent), args.rounds)
        keep(args.results, results, name, timings)
        for line in lines(ROWS[name], timings):
            print(*line.values(), sep=" | ", flush=True)


def warm(root: Path) -> Path:
    """A folder for the first, small, runs."""
    folder = root / "warm"
    folder.mkdir()
    return folder


def publish(results: Results) -> None:
    """Write the tables into the page, and draw the figure."""
    from benchmarks.figure import figure
    from benchmarks.results import growth_of
    from cranfield.charts.style import save

    PAGE.write_text(rewrite(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    if sizes := growth_of(results):
        FIGURE.parent.mkdir(exist_ok=True)
        save(figure(sizes), FIGURE)


if __name__ == "__main__":
    main()
