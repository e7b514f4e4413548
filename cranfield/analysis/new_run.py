"""P@10 of a run outside an active-learning pool: bounds, and an interval from a random draw of its documents."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cranfield import hooks
from cranfield.analysis.random_draws import Pair, judged_grades, parse_draw_of, stored_draw
from cranfield.analysis.reusability import active_learning_method
from cranfield.errors import InputError
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.metrics.forecast.precision import NewRunPrecision, forecast_precision
from cranfield.metrics.forecast.random_draw import RandomDraw, check_draw
from cranfield.source import Place, Source

CUTOFF = 10
N_LABELS = 50  # where a message proposes a draw


class NewRunCase(NamedTuple):
    """A run's unjudged documents without the labels of a draw, that draw, and all other grades of the source."""

    pairs: UnjudgedPairs
    draw: RandomDraw | None
    grades: Mapping[Pair, int]


def open_new_run(source: Source, tag: str, place: Place, drawn: Path | None = None) -> NewRunCase:
    """The unjudged documents of a run, by the model of the pool's method, and the draw that the store or a file has."""
    if tag not in source.runs.tags:
        raise InputError(f"unknown run {tag!r}; expected one of {', '.join(source.runs.tags)}")
    method, models = active_learning_method(source), hooks.objects_of("forecast.new_run")
    if method not in models:
        built = f"the pool was built by {method}" if method else "the pool is one of runs"
        raise InputError(f"{built}; --new-run expects a pool built by {', '.join(models)}, others take `diagnose`")
    if drawn is not None:
        draw: RandomDraw | None = parse_draw_of(drawn)
    else:
        stored = stored_draw(place, source, tag)
        draw = stored and stored.draw
    without = {*draw.documents} if draw else set[Pair]()
    pairs = models[method](source, tag, CUTOFF, without)
    if draw is not None and draw.run != tag:
        raise InputError(f"{drawn}:2: found a draw from the run {draw.run}; expected a draw from {tag}")
    if draw is not None and drawn is not None:
        check_draw(draw, pairs, str(drawn))
    grades = {pair: grade for pair, grade in judged_grades(source).items() if pair not in without}
    return NewRunCase(pairs, draw, grades)


def new_run_precision(source: Source, case: NewRunCase) -> NewRunPrecision:
    """P@10 of the run: as judged, its bounds, and an interval where enough of its documents have drawn labels."""
    [tag] = case.pairs.tags
    run, place, relevant = source.runs.whole.select([tag]), dict[str, int](), 0
    for qid, docno in zip(run.topics.names[run.topic].tolist(), run.docnos.names[run.document].tolist(), strict=True):
        place[qid] = place.get(qid, 0) + 1
        relevant += place[qid] <= CUTOFF and case.grades.get((qid, docno), -1) >= source.min_relevant
    labels = case.draw.labels if case.draw else {}
    return forecast_precision(case.pairs, relevant, CUTOFF, labels, source.min_relevant)


def precision_row(tag: str, found: NewRunPrecision) -> dict[str, Any]:
    """The forecast as a row of a table."""
    return {
        "run": tag, "measure": f"P@{CUTOFF}", "as judged": found.as_judged, "lowest": found.lowest,
        "highest": found.highest, "low": found.low, "high": found.high, "unjudged": found.n_unjudged,
        "labelled": found.n_labels,
    }  # fmt: skip


def precision_lines(tag: str, found: NewRunPrecision, command: str) -> list[str]:
    """The forecast in sentences; `command` is what to type before the number of documents of a draw."""
    name = f"P@{CUTOFF}"
    lines = [f"{name} of {tag} is {found.as_judged:.4f} as judged; {found.n_unjudged} of its documents are unjudged."]
    if found.low == found.low:
        lines.append(
            f"If its first {CUTOFF} documents were judged, {name} would be between {found.low:.4f} and"
            f" {found.high:.4f} (95% interval, from {found.n_labels} drawn labels of this run)."
        )
    else:
        lines.append(
            f"Without drawn labels of this run there is no interval: {name} is between {found.lowest:.4f} and"
            f" {found.highest:.4f}. Draw documents to judge: {command} --draw {min(N_LABELS, found.n_unjudged)}"
        )
    lines.append(
        "AP, nDCG, recall and RR are not forecast: relevant documents that nobody retrieved are missing from this pool."
    )
    return lines
