"""Runs, judgments, scores and documents that the tests of figures share."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from cranfield.metrics.evaluate import evaluate, precision_recall, topic_curves

TOPICS, DOCUMENTS, RUNS = 8, 40, 17
GENERATOR = np.random.default_rng(7)
QRELS = {f"t{t}": {f"d{d}": int(GENERATOR.random() < 0.2) for d in range(DOCUMENTS)} for t in range(TOPICS)}
SYSTEMS = {
    f"run-{r}": {
        qid: {f"d{d}": float(GENERATOR.random() + QRELS[qid][f"d{d}"] * 0.05 * r) for d in range(DOCUMENTS)}
        for qid in QRELS
    }
    for r in range(RUNS)
}
SCORES = evaluate(QRELS, SYSTEMS, ["AP", "P@5"], per_topic=True)
MEANS = evaluate(QRELS, SYSTEMS, ["AP11", "AP"]).set_index(["run", "measure"])["value"]
CURVES = precision_recall(QRELS, SYSTEMS)
BY_TOPIC = topic_curves(QRELS, SYSTEMS)
FEW = ["run-1", "run-2", "run-3"]


def best(measure: str) -> list[str]:
    """The runs by their mean, the best first."""
    return sorted(SYSTEMS, key=lambda run: -float(MEANS[run, measure]))


def stability_document(measures: int = 1) -> dict[str, Any]:
    """As `cranfield stability` gives it, with numbers that are undefined."""
    sizes, nan = (10, 20, 30), float("nan")
    one = {
        "measure": "AP",
        "discriminative_power": 0.7,
        "by_topics": [
            {"topics": size, "swap_rate": 2 / size if size < 30 else nan, "tau": 0.9 if size < 30 else nan,
             "told_apart": size / 50, "difference": 0.04 if size == 20 else nan}
            for size in sizes
        ],
        "swap_rates": [
            {"topics": size, "from": place / 100, "pairs": pairs,
             "rate": 0.4 / (1 + place) if pairs else nan}
            for size in sizes[:2]
            for place, pairs in enumerate((90, 40, 20, 0, 19))
        ],
    }  # fmt: skip
    return {"topics": 30, "runs": 5, "measures": [{**one, "measure": f"P@{n}"} for n in range(1, measures + 1)]}


def depths_document(depths: int = 30, measures: tuple[str, ...] = ("AP",)) -> dict[str, Any]:
    """As `cranfield depths` gives it."""
    rows = [
        {"depth": depth, "judged": 40 * depth, "measure": measure, "tau": 1 - 0.2 / depth,
         "max_change_percent": 30 / depth, "mean_change_percent": 10 / depth}
        for depth in range(1, depths + 1)
        for measure in measures
    ]  # fmt: skip
    return {"by": "run", "depth": depths, "topics": 9, "no_verdict": None, "rows": rows}


def reusability_document(ranks: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """As much of what `cranfield reusability` gives as is drawn."""
    units = [
        {"unit": run, "scores": [{"run": run, "measure": "AP", "full_rank": full, "reduced_rank": without}]}
        for run, (full, without) in ranks.items()
    ]  # fmt: skip
    return {"by": "run", "no_verdict": None, "units": units}


def texts_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]


def overlaps(figure: Figure) -> list[tuple[str, str]]:
    """The pairs of texts that cover each other, or that leave the figure, once it is laid out, without leads."""
    figure.draw_without_rendering()
    unseen = {id(label) for axes in figure.findobj(Axes) for label in _not_drawn(axes)}
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), Text.get_window_extent(text).padded(-1)) for text in texts if id(text) not in unseen]
    edge = figure.bbox.padded(2)
    outside = [(text, "the edge") for text, box in boxes if Bbox.union([edge, box]).bounds != edge.bounds]
    return outside + [(a[0], b[0]) for a, b in combinations(boxes, 2) if a[1].overlaps(b[1])]


def _not_drawn(axes: Axes) -> Iterator[Text]:
    """The names of ticks outside the limits, and of all ticks where the axes are off."""
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not axes.axison or not low <= tick.get_loc() <= high:
                yield from (tick.label1, tick.label2)
