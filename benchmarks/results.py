"""The results that are kept, so that a row can be measured again alone, and the tables made of them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.growth import CALLED, Growth, slopes
from benchmarks.rows import ROWS, Row
from benchmarks.timing import Timing
from cranfield.formats.text_tables import as_markdown

Results = dict[str, Any]
GROWTH, OURS = "growth", "cranfield"


def load(path: Path) -> Results:
    """The results kept so far: by row, then by command."""
    return json.loads(path.read_text()) if path.exists() else {}


def keep(path: Path, results: Results, name: str, result: Mapping[str, Timing] | Growth) -> None:
    """Add what was found of a row, or of the growth."""
    results[name] = result
    path.write_text(json.dumps(results, indent=1) + "\n")


def table(results: Results) -> str:
    """Cranfield beside its peers, as Markdown; the lines of each row that was measured."""
    rows = [row for row in ROWS.values() if row.name in results]
    return as_markdown([line for row in rows for line in lines(row, timings(results[row.name]))])


def timings(document: Mapping[str, Any]) -> dict[str, Timing]:
    """As they were before they were written as JSON."""
    return {label: Timing(*numbers) for label, numbers in document.items()}


def lines(row: Row, timings_of: Mapping[str, Timing]) -> Iterator[dict[str, str]]:
    """A line for each command of ours, with the ratio of each peer to it."""
    own = {label: timing for label, timing in timings_of.items() if label.startswith(OURS)}
    for label, ours in own.items():
        peers = []
        for peer in [each for each in timings_of if each not in own]:
            scale = row.scale.get(peer, 1)
            peers.append(
                f"{peer} {in_words(timings_of[peer], scale)}: {timings_of[peer].cost * scale / ours.cost:.3g}x"
            )
        name = row.name + label.removeprefix(OURS).replace(",", ":", 1)
        yield {"work": name, "goal": row.goal, OURS: in_words(ours), "peers": "; ".join(peers) or "-"}


def in_words(timing: Timing, scale: float = 1) -> str:
    """Seconds and memory in words.

    >>> in_words(Timing(1.234, 2.5, 190.4)), in_words(Timing(1.2, 1.5, 30.0, 0.5), 100)
    ('1.23 s (2.50 s of CPU), 190 MB', '50 s of work, 30 MB')
    """
    if timing.work is not None:
        return f"{timing.work * scale:.3g} s of work, {timing.memory:.0f} MB"
    return f"{timing.seconds:.2f} s ({timing.cpu:.2f} s of CPU), {timing.memory:.0f} MB"


def growth_of(results: Results) -> Growth:
    """The growth that was measured, if it was."""
    return {
        what: {tool: [(size, Timing(*numbers)) for size, numbers in points] for tool, points in tools.items()}
        for what, tools in results.get(GROWTH, {}).items()
    }


def _growth_rows(growth: Growth) -> Iterator[Iterator[tuple[str, str]]]:
    for what, tools in growth.items():
        sizes = [str(size) for size, _ in next(iter(tools.values()))]
        slope = {tool: slopes(points) for tool, points in tools.items()}
        cells = ((tool, f"{each['seconds']:.2f}, {each['memory']:.2f}") for tool, each in slope.items())
        yield iter([("size", f"{CALLED[what]}: {', '.join(sizes)}"), *cells])


def rewrite(text: str, results: Results) -> str:
    """A page with both tables between their marks made anew."""
    for name, content in {
        "results": table(results),
        "growth": as_markdown([dict(cells) for cells in _growth_rows(growth_of(results))]),
    }.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(start)
        text = before + start + content + end + rest.partition(end)[2]
    return text
