"""P@10 of a run outside an active-learning pool: bounds, and an interval from a random draw of its documents."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.random_draws import (
    grades_of,
    read_draw_with_grade_check,
    store_draw,
    stored_draw,
    without_pairs,
    write_draw,
)
from cranfield.analysis.reusability import active_learning_method_name
from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Pair
from cranfield.errors import InputError
from cranfield.formats.text_tables import Row
from cranfield.metrics.diagnosis.bounds import mean_bounds
from cranfield.metrics.evaluate import aggregate_scores, score
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.metrics.forecast.precision import NewRunPrecision, forecast_precision
from cranfield.metrics.forecast.random_draw import RandomDraw, check_draw, draw_documents, label_notes
from cranfield.metrics.measure import Measure
from cranfield.options.draws import DrawSetting
from cranfield.pooling.methods import METHODS
from cranfield.text import counted, name_hint
from cranfield.view import View

CUTOFF = 10
N_LABELS = 50  # where a message proposes a draw
NOT_RETRIEVED = "this pool lacks relevant documents that no run retrieved"


class NewRunCase(NamedTuple):
    """A run's unjudged documents without the labels of a draw, that draw, and all other grades of the view."""

    pairs: UnjudgedPairs
    draw: RandomDraw | None
    grades: Mapping[Pair, int]


NewRunModel = Callable[[View, str, int, Collection[Pair]], UnjudgedPairs]


def new_run_models() -> dict[str, NewRunModel]:
    """Return the models of new runs, by pooling method."""
    return {name: method.new_run_model for name, method in METHODS.items() if method.new_run_model}


def open_new_run_case(view: View, tag: str, drawn: Path | None = None) -> NewRunCase:
    """The unjudged documents of a run, by the model of the pool's method, and the draw that the store or a file has."""
    if tag not in view.runs.tags:
        raise InputError(f"unknown run {tag!r}{name_hint(tag, view.runs.tags)}")
    method, models = active_learning_method_name(view), new_run_models()
    if method not in models:
        built = f"the pool was built by {method}" if method else "the pool was built from runs"
        raise InputError(
            f"{built}; --new-run expects a pool built by {', '.join(models)}; for other pools use `diagnose`"
        )
    if drawn is not None:
        draw: RandomDraw | None = read_draw_with_grade_check(drawn, view)
    else:
        stored = view.read_from_store(lambda store: stored_draw(store, view, tag), None)
        draw = stored and stored.draw
    without = {*draw.documents} if draw else set[Pair]()
    pairs = models[method](view, tag, CUTOFF, without)
    if draw is not None and draw.run != tag:
        raise InputError(f"{drawn}:2: found a draw from the run {draw.run}; expected a draw from {tag}")
    if draw is not None and drawn is not None:
        for line in label_notes(check_draw(draw, pairs, str(drawn)), str(drawn)):
            view.tell(line)
    grades = {pair: grade for pair, grade in grades_of(view.qrels) if pair not in without}
    return NewRunCase(pairs, draw, grades)


def new_run_precision(view: View, case: NewRunCase) -> NewRunPrecision:
    """P@10 of the run: as judged, its bounds, and an interval where enough of its documents have drawn labels."""
    [tag] = case.pairs.tags
    run, place, relevant = view.runs.loaded.select([tag]), dict[str, int](), 0
    for qid, docno in zip(run.topics.names[run.topic].tolist(), run.docnos.names[run.document].tolist(), strict=True):
        place[qid] = place.get(qid, 0) + 1
        relevant += place[qid] <= CUTOFF and case.grades.get((qid, docno), -1) >= view.min_relevant
    labels = case.draw.labels if case.draw else {}
    return forecast_precision(case.pairs, relevant, CUTOFF, labels, view.min_relevant)


class LearntDiagnosis(NamedTuple):
    """What `diagnose` says of a new run where active learning built the pool: a row for each measure, and the case."""

    run: str
    n_topics: int
    n_retrieved: int
    rows: list[Row]
    case: NewRunCase
    reason: str

    @property
    def n_unjudged(self) -> int:
        """The unjudged documents in the run's first ranks, with those that were drawn."""
        return self.case.pairs.n_pairs

    @property
    def n_proposed(self) -> int:
        """The documents of the draw that would help; 0 where an interval is known or no measure asked for has one."""
        can_help = any(row["measure"] == f"P@{CUTOFF}" and isnan(row["low"]) for row in self.rows)
        return min(N_LABELS, self.n_unjudged) if can_help else 0


def has_learnt_model(view: View, depth: int | None) -> bool:
    """Whether a method of active learning built the pool that has a model for new runs; `depth` takes it otherwise."""
    return depth is None and active_learning_method_name(view) in new_run_models()


def diagnose_learnt(view: View, tag: str, measures: Sequence[Measure], drawn: Path | None = None) -> LearntDiagnosis:
    """Say what is known of a new run's scores where active learning built the pool.

    Parameters
    ----------
    view : View
        The runs and judgments of the store, with the new run; the store may have a draw of the run.
    tag : str
        The new run.
    measures : sequence of Measure
        The measures; P@10 has bounds, and with drawn labels an interval. Others have the score as judged only.
    drawn : Path, optional
        A draw of the run's unjudged documents with labels; by default the store's newest one.

    Returns
    -------
    LearntDiagnosis
        The rows, with the columns of `diagnose`.
    """
    case = open_new_run_case(view, tag, drawn)
    found = new_run_precision(view, case)
    number, method = view.pool_stages[-1].pool.number, active_learning_method_name(view)
    reason = f"pool {number} was built by {method}, which chooses from the whole corpus"
    run = view.runs.loaded.select([tag])
    qrels = without_pairs(view.qrels, {*case.draw.documents} if case.draw else set())
    scores = aggregate_scores(score(join_runs_with_common_topics(run, qrels), measures), measures)[0].tolist()
    rows = list[Row]()
    for measure, mean in zip(measures, scores, strict=True):
        if str(measure) == f"P@{CUTOFF}":
            rows.append(_precision_cells(found, float(case.pairs.share[0])))
            continue
        row = _result_row(
            str(measure), mean, float(case.pairs.share[0]), found.n_labels, status="no model", sentence=""
        )
        rows.append({**row, **_bounds_cells(join_runs_with_common_topics(run, qrels), measure, mean)})
    top = np.isin(run.topics.names[run.topic], qrels.qids) & (run.rank <= CUTOFF)
    return LearntDiagnosis(tag, len(qrels.qids), int(top.sum()), rows, case, reason)


def _result_row(
    measure: str, mean: float, share: float, n_labels: int, *, status: str, sentence: str
) -> dict[str, Any]:
    return {
        "measure": measure, "score": mean, "low": nan, "high": nan, "lowest": nan, "highest": nan,
        "unjudged": share, "labels": n_labels, "status": status, "sentence": sentence,
    }  # fmt: skip


def _bounds_cells(judged: Judged, measure: Measure, mean: float) -> Row:
    """The bounds of a measure that does not depend on documents that nobody retrieved; otherwise the sentence only."""
    start = f"{measure} is {mean:.4f} as judged. No forecast is given"
    if depends_on_not_retrieved(judged, measure):
        return {"sentence": f"{start}: {NOT_RETRIEVED}."}
    lowest, highest = mean_bounds(judged, measure)
    if isnan(lowest):
        return {"sentence": f"{start}: for such pools, only P@{CUTOFF} was tested. No bounds on {measure} are known."}
    bounds = f"Under any labels of its unjudged documents, {measure} is between {lowest:.4f} and {highest:.4f}."
    sentence = f"{start}: for such pools, only P@{CUTOFF} was tested. {bounds}"
    return {"lowest": lowest, "highest": highest, "sentence": sentence}


def depends_on_not_retrieved(judged: Judged, measure: Measure) -> bool:
    """Whether a relevant document that the run did not retrieve would change a score.

    >>> from cranfield.metrics import AP, P, RR
    >>> from cranfield.metrics.examples import example
    >>> [depends_on_not_retrieved(example([0, 1]), measure) for measure in (AP, P @ 10, RR)]
    [True, False, False]
    """
    n_topics = len(judged.qids)
    topic = np.append(judged.qrels_topic, np.arange(n_topics))
    order = np.argsort(topic, kind="stable")
    place = np.empty(len(topic), np.int64)
    place[order] = np.arange(len(topic))
    one_more = replace(
        judged, qrels_topic=topic[order],
        qrels_grade=np.append(judged.qrels_grade, np.full(n_topics, max(judged.highest_grade, 1)))[order],
        qrels_row=np.arange(len(topic)), judgment=place[judged.judgment],
    )  # fmt: skip
    return not np.array_equal(measure.scores(judged), measure.scores(one_more), equal_nan=True)


def _precision_cells(found: NewRunPrecision, share: float) -> Row:
    name, start = f"P@{CUTOFF}", f"P@{CUTOFF} is {found.as_judged:.4f} as judged"
    if not found.n_unjudged:
        row = _result_row(
            name,
            found.as_judged,
            share,
            found.n_labels,
            status="judged",
            sentence=f"{start}; all of its documents are judged.",
        )
        return row | {"low": found.as_judged, "high": found.as_judged}
    if isnan(found.low):
        bounds = f"between {found.lowest:.4f} and {found.highest:.4f}"
        sentence = f"{start}. Under any labels of its unjudged documents, {name} is {bounds}."
        row = _result_row(name, found.as_judged, share, found.n_labels, status="no model", sentence=sentence)
        return row | {"lowest": found.lowest, "highest": found.highest}
    sentence = (
        f"{start}. If its first {CUTOFF} documents were judged, {name} would be between {found.low:.4f} and"
        f" {found.high:.4f} (95% interval, from {counted(found.n_labels, 'drawn label')} of this run)."
    )
    return _result_row(name, found.as_judged, share, found.n_labels, status="forecast", sentence=sentence) | {
        "low": found.low, "high": found.high,
    }  # fmt: skip


def learnt_title(found: LearntDiagnosis) -> str:
    """A line on the run, the pool and the run's unjudged documents."""
    documents = f"{counted(found.n_retrieved, 'document')} at its ranks 1 to {CUTOFF}"
    unjudged = f"{found.n_unjudged} of the {documents} are unjudged ({found.case.pairs.share[0]:.1%})"
    return (
        f"run {found.run} on {counted(found.n_topics, 'topic')};"
        f" {unjudged if found.n_unjudged else f'no unjudged document among the {documents}'}"
    )


def learnt_document(found: LearntDiagnosis) -> dict[str, Any]:
    """The JSON document of `diagnose` for such a pool, without a proposed command."""
    return {
        "run": found.run, "topics": found.n_topics, "depth": CUTOFF, "pool": "learning", "pooled_runs": 0,
        "retrieved": found.n_retrieved, "unjudged": float(found.case.pairs.share[0]),
        "unjudged_documents": found.n_unjudged, "labels": found.rows[0]["labels"] if found.rows else 0,
        "reasons": [found.reason], "scores": found.rows, "against": [], "proposal": None,
    }  # fmt: skip


def draw_for_learnt_diagnosis(found: LearntDiagnosis, drawing: DrawSetting, view: View) -> list[str]:
    """Draw unjudged documents, write the draw, and add it to the store on request; lines about it."""
    if drawing.draw is None:
        return []
    if not found.n_unjudged:
        raise InputError(f"the first {CUTOFF} documents of {found.run} are all judged, so there is nothing to draw")
    draw = draw_documents(found.case.pairs, found.run, drawing.draw[0], CUTOFF, seed=drawing.seed)
    earlier = found.case.draw
    known = dict(zip(earlier.documents, earlier.grades, strict=True)) if earlier else {}
    draw = replace(draw, grades=tuple(known.get(document) for document in draw.documents))
    lines = write_draw(draw, drawing)
    pool = view.read_from_store(lambda store: store_draw(store, draw), None) if drawing.store_pool else None
    if pool is not None:
        lines.append(f"pool {pool}: {counted(len(draw.documents), 'document')} to judge")
    return lines


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
    unjudged = f"{found.n_unjudged} of the run's documents are unjudged"
    lines = [f"{name} of {tag} is {found.as_judged:.4f} as judged; {unjudged}."]
    if found.low == found.low:
        lines.append(
            f"If its first {CUTOFF} documents were judged, {name} would be between {found.low:.4f} and"
            f" {found.high:.4f} (95% interval, from {found.n_labels} drawn labels of this run)."
        )
    else:
        lines.append(
            f"Without drawn labels of this run there is no interval: {name} is between {found.lowest:.4f} and"
            f" {found.highest:.4f}. Draw documents to judge: {command} --draw {min(N_LABELS, found.n_unjudged)}"
            " draw.tsv --store-pool"
        )
    lines.append(f"AP, nDCG and recall are not forecast: {NOT_RETRIEVED}.")
    return lines
