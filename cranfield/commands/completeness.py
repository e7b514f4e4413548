"""How complete the judgments are, and how many relevant documents a random draw shows to be missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewedCall, ViewOptions, open_view
from cranfield.errors import ArgumentError, InputError
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
from cranfield.options import Assessor, IgnoreOwnId, Labels, PolicyName, PoolDepth, PoolNumber, Teams, seed_of
from cranfield.options.arguments import JudgedBefore, OnlyTopics, Round, RoundJudgments, check_arguments
from cranfield.options.draws import DrawSetting, DrawSize, DrawTable, StoresDraw
from cranfield.options.pools import DepthToForecast, DrawSeed, FrameDepth, GradedDraw, RecentJudgments, RunOutsidePool
from cranfield.results import Result
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.metrics.forecast.missing import MissingRelevant
    from cranfield.metrics.forecast.precision import NewRunPrecision
    from cranfield.metrics.forecast.random_draw import RandomDraw
    from cranfield.pooling.forecast import Forecast
else:
    MissingRelevant = lazy_type("cranfield.metrics.forecast.missing", "MissingRelevant")
    NewRunPrecision = lazy_type("cranfield.metrics.forecast.precision", "NewRunPrecision")
    RandomDraw = lazy_type("cranfield.metrics.forecast.random_draw", "RandomDraw")
    Forecast = lazy_type("cranfield.pooling.forecast", "Forecast")


@dataclass(frozen=True, repr=False, eq=False)
class CompletenessForecast(Result):
    """The completeness of the judgments, with a row for each topic; with a draw, the estimate or the drawn documents.

    Parameters
    ----------
    forecast : Forecast, optional
        The forecast by depth and topic.
    deepest : int
        The depth up to which the forecast goes.
    missing : MissingRelevant, optional
        The estimate of missing relevant documents from a labelled draw.
    precision : NewRunPrecision, optional
        P@10 of a run outside the pool.
    draw : RandomDraw, optional
        The documents that were drawn.
    pool : int, optional
        Number of the pool that contains the draw.
    paths : sequence of Path
        The store, or the files of the judgments and of the runs.
    draw_options : sequence of str
        The options of a proposed command that add a draw to the store; empty for files.
    """

    forecast: Forecast | None = None
    deepest: int = 0
    missing: MissingRelevant | None = None
    precision: NewRunPrecision | None = None
    draw: RandomDraw | None = None
    pool: int | None = None
    paths: Sequence[Path] = ()
    draw_options: Sequence[str] = ()

    def plot(self, ax: Any = None) -> Any:
        """Draw the new relevant documents by depth with the fitted curve, and the found and missing documents of each
        topic."""
        require_extra("plot", "a plot")
        if self.forecast is None:
            return super().plot(ax)
        from cranfield.charts.pools import forecast_plot

        return forecast_plot(self.forecast, self.deepest, ax)


@check_arguments
def forecast_completeness(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    depth: PoolDepth = None,
    to: DepthToForecast = None,
    last: RecentJudgments = 50,
    draw: DrawSize = None,
    pool_out: DrawTable = None,
    store_pool: StoresDraw = False,
    drawn: GradedDraw = None,
    new_run: RunOutsidePool = None,
    frame_depth: FrameDepth = 50,
    rng: DrawSeed = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    teams: Teams = None,
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    pool: PoolNumber = None,
) -> CompletenessForecast:
    """Estimate how many relevant documents are missing from the judgments.

    Read the back-test first. From the shallower half of the depths, it predicts the number of new relevant documents in
    the deeper half, and compares it with the number found there. The forecast for deeper pools is only as good as the
    back-test. The forecast has no interval, because power-law intervals contain the true number too rarely on real
    pools. Then look at the topics. The levels "many" and "too many" mark topics with so many relevant documents that
    more must exist. The column "missing" is a lower bound on the relevant documents that no team found, if teams search
    independently. A topic's forecast needs a pool depth of at least 20 and at least 40 relevant documents.

    `.plot()` draws the new relevant documents by depth with the fitted curve, and the found and missing documents of
    each topic.

    Pools built by active learning (cal, scal) have no forecast by depth. For these pools, and for any other pool,
    `draw` selects unjudged documents at random from the first 50 of each run. Judge them and run the command again. It
    then prints an exact interval for the number of missing relevant documents.

    Example: cranfield pool forecast qrels.txt runs/*.gz --teams teams.tsv

    Example: cranfield pool forecast track.db --draw 100 draw.tsv --store-pool

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    to : int, optional
        The depth up to which to forecast; twice the pool's depth by default.
    last : int
        Number of most recent judgments per topic to consider.
    draw : (int, path), optional
        The number of unjudged documents to draw at random, and the output file for the documents to judge.
    pool_out : path, optional
        A file for a table of the drawn documents (qid, docno).
    store_pool : bool
        Whether to add the documents of `draw` to the store as a pool.
    drawn : path, optional
        A draw with grades, from which to estimate the number of missing relevant documents.
    new_run : str, optional
        The tag of a run outside the pool, whose P@10 is estimated, or whose documents are drawn. Only for stores with a
        pool built by cal.
    frame_depth : int
        Documents are drawn from the first `frame_depth` of each run.
    rng : int or numpy.random.Generator, optional
        Random seed of the draw, or a generator that draws the seed; 0 by default.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    teams : path or mapping, optional
        A table file with the runs' teams and whether they were pooled, or a mapping from run to team.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy : str, optional
        The assessor whose labels count, or the policy for documents with differing labels.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count.
    pool : int, optional
        Number of the stored pool; the newest by default.

    Returns
    -------
    CompletenessForecast
        A row for each topic, with a forecast and a back-test if it has enough relevant documents. With `draw`, a row
        for each drawn document: order, query_id, doc_id. With a labelled draw (`drawn`, or the draw of an
        active-learning pool), one row. It contains an exact interval for the number of missing relevant documents among
        the first `frame_depth` of the runs. With `new_run`, one row: P@10 as judged, its bounds and its interval.

    Raises
    ------
    InputError
        If no depth can be inferred, the pooled runs are unknown, or the draw was made from other runs.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> found = forecast_completeness({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2)
    >>> found.frame[["topic", "judged", "relevant"]].values.tolist()
    [['q', 3, 2]]
    """
    from cranfield.analysis.random_draws import check_destinations
    from cranfield.analysis.reusability import is_answered_by_draw

    drawing = DrawSetting(draw, pool_out, store_pool, seed_of(rng, min_seed=0))
    options = ViewOptions(
        topics or "all", ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(
        qrels, runs, options, function="forecast_completeness", takes_pool=True, has_measures=False
    ) as call:  # fmt: skip
        check_destinations(drawing, call.view)
        _ = call.view.runs  # what is wrong with it is reported first
        if new_run is not None:
            result = _forecast_new_run(call, new_run, drawing, drawn)
        elif draw is not None:
            result = _draw(call, drawing, frame_depth, drawn)
        else:
            result = _estimate_missing(call, depth, drawn)
            if result.missing is None or not (drawn or is_answered_by_draw(call.view, depth)):
                result = _forecast(call, result, depth, to, last)
        return replace(
            result,
            paths=call.view.paths,
            draw_options=call.view.draw_options,
            context=call.context("pooling.forecast_completeness"),
        )


def _forecast(
    call: ViewedCall, estimated: CompletenessForecast, depth: int | None, to: int | None, last: int
) -> CompletenessForecast:
    from cranfield.analysis.forecast import forecast_as_json, forecast_of, forecast_title, rows
    from cranfield.analysis.random_draws import missing_document
    from cranfield.analysis.reusability import require_contributors

    view, forecast, deepest = forecast_of(call.view, depth, to, last)
    call.note(*(require_contributors(view).notes if call.is_command else ()))
    missing, pool = estimated.missing, estimated.pool
    content = forecast_as_json(forecast, deepest) | {"missing": missing and missing_document(missing, pool)}
    return CompletenessForecast(
        rows(forecast, by_depth=True), forecast_title(forecast), content, forecast=forecast, deepest=deepest,
        missing=missing, pool=pool,
    )  # fmt: skip


def _draw(
    call: ViewedCall, drawing: DrawSetting, frame_depth: int, drawn: str | PathLike[str] | None
) -> CompletenessForecast:
    from cranfield.analysis.random_draws import draw_for_forecast

    draw = draw_for_forecast(call.view, drawing, frame_depth, drawn)
    frame = f"from {counted(draw.frame_size, 'unjudged document')} in the first {draw.depth} of the runs"
    kept = sum(grade is not None for grade in draw.grades)
    labels = f"; {kept} of them have labels from an earlier draw" if kept else ""
    return _write_and_store_draw(
        call, drawing, draw, f"{counted(len(draw.documents), 'document')} drawn at random {frame}{labels}"
    )


def _write_and_store_draw(call: ViewedCall, drawing: DrawSetting, draw: RandomDraw, title: str) -> CompletenessForecast:
    """Write a draw, and add it to the store on request."""
    from cranfield.analysis.random_draws import store_draw, write_draw

    write_draw(draw, drawing)
    pool = call.view.read_from_store(lambda store: store_draw(store, draw), None) if drawing.store_pool else None
    rows = [
        {"order": number, "query_id": qid, "doc_id": docno} for number, (qid, docno) in enumerate(draw.documents, 1)
    ]
    return CompletenessForecast(rows, title, draw=draw, pool=pool)


def _forecast_new_run(
    call: ViewedCall, tag: str, drawing: DrawSetting, drawn: str | PathLike[str] | None
) -> CompletenessForecast:
    """Forecast P@10 of a run, or draw from its unjudged documents."""
    from cranfield.analysis.new_run import CUTOFF, new_run_precision, open_new_run_case, precision_row
    from cranfield.metrics.forecast.random_draw import draw_documents

    view = call.view
    view.require_store(ArgumentError("needs a store; files do not record how a pool was built", "new_run"))
    case = open_new_run_case(view, tag, Path(drawn) if drawn else None)
    if drawing.draw is None:
        found = new_run_precision(view, case)
        content = {"run": tag, "measure": f"P@{CUTOFF}", **found._asdict()}
        return CompletenessForecast([precision_row(tag, found)], document=content, precision=found)
    if not case.pairs.n_pairs:
        raise InputError(f"all documents in the first {CUTOFF} of {tag} are judged, so there is nothing to draw")
    draw = draw_documents(case.pairs, tag, drawing.draw[0], CUTOFF, seed=drawing.seed)
    frame = f"{counted(draw.frame_size, 'unjudged document')} in the first {CUTOFF} of {tag}"
    return _write_and_store_draw(
        call, drawing, draw, f"{counted(len(draw.documents), 'document')} drawn at random from {frame}"
    )


def _estimate_missing(call: ViewedCall, depth: int | None, drawn: str | PathLike[str] | None) -> CompletenessForecast:
    """Estimate the missing relevant documents from a labelled draw; without labels there is no estimate."""
    from cranfield.analysis.random_draws import (
        frame_note,
        missing_document,
        missing_relevant,
        missing_row,
        missing_title,
        read_draw,
        stored_draw,
    )
    from cranfield.analysis.reusability import is_answered_by_draw

    view, path = call.view, call.view.path
    if drawn is not None:
        draw, pool = read_draw(Path(drawn), view), None
    else:
        stored = view.read_from_store(lambda store: stored_draw(store, view), None)
        if stored is None:
            return CompletenessForecast()
        pool, draw = stored
        call.note(frame_note(view, draw))
    if not draw.labels:
        first = "the first drawn document has no label" if any(grade is not None for grade in draw.grades) else (
            f"none of the {len(draw.documents)} drawn documents has a label"
        )  # fmt: skip
        if drawn is not None:
            raise InputError(f"{first}; fill in the grades from the top", Path(drawn))
        waiting = f"pool {pool} is a random draw, and {first}; judge the pool with `cranfield judge {path}`"
        if is_answered_by_draw(view, depth):
            raise InputError(waiting)
        call.note(waiting)
        return CompletenessForecast(pool=pool)
    missing = missing_relevant(view, draw)
    return CompletenessForecast(
        [missing_row(missing)], missing_title(missing), {"missing": missing_document(missing, pool)}, missing=missing,
        pool=pool,
    )  # fmt: skip
