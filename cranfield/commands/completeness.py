"""How complete the judgments are, and how many relevant documents a random draw shows to be missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewedCall, ViewOptions, open_view
from cranfield.errors import ArgumentError, InputError
from cranfield.extras import require
from cranfield.lazy import type_in
from cranfield.options import Assessor, IgnoreOwnId, Labels, PolicyName, PoolDepth, PoolNumber, Teams
from cranfield.options.draws import DrawSetting, DrawSize, DrawTable, StoresDraw
from cranfield.options.given import JudgedBefore, OnlyTopics, Round, RoundJudgments
from cranfield.options.pools import DepthToForecast, DrawSeed, FrameDepth, GradedDraw, RecentJudgments, RunOutsidePool
from cranfield.results import Result
from cranfield.rng import seed_of
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.metrics.forecast.missing import MissingRelevant
    from cranfield.metrics.forecast.precision import NewRunPrecision
    from cranfield.metrics.forecast.random_draw import RandomDraw
    from cranfield.pooling.forecast import Forecast
else:
    MissingRelevant = type_in("cranfield.metrics.forecast.missing", "MissingRelevant")
    NewRunPrecision = type_in("cranfield.metrics.forecast.precision", "NewRunPrecision")
    RandomDraw = type_in("cranfield.metrics.forecast.random_draw", "RandomDraw")
    Forecast = type_in("cranfield.pooling.forecast", "Forecast")


@dataclass(frozen=True, repr=False, eq=False)
class CompletenessForecast(Result):
    """How complete the judgments are: a row for each topic; or the estimate from a draw; or the documents of a draw.

    Parameters
    ----------
    forecast : Forecast, optional
        The forecast by depth and topic.
    deepest : int
        The depth to which it goes.
    missing : MissingRelevant, optional
        The relevant documents that a labelled draw shows to be missing.
    precision : NewRunPrecision, optional
        P@10 of a run outside the pool.
    draw : RandomDraw, optional
        The documents that were drawn.
    pool : int, optional
        Number of the pool that has the draw.
    paths : sequence of Path
        The store, or the files of the judgments and of the runs.
    is_stored : bool
        Whether a store has the runs.
    """

    forecast: Forecast | None = None
    deepest: int = 0
    missing: MissingRelevant | None = None
    precision: NewRunPrecision | None = None
    draw: RandomDraw | None = None
    pool: int | None = None
    paths: Sequence[Path] = ()
    is_stored: bool = False

    def plot(self, ax: Any = None) -> Any:
        """Draw the new relevant documents by depth with the fitted curve, and what each topic may lack."""
        require("plot", "a plot")
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
    """Estimate how complete the judgments are: what deeper pools would find, what no team found, which topics are rich.

    Read the back-test first: it predicts the second half of the depths from the first half, next to what was found. The
    forecast is as good as that; it has no interval, since those of a power law hold too seldom on real pools.
    Then the topics: "many" and "too many" relevant documents among the judged ones mean that there are more; "missing"
    is a lower bound on the relevant documents that no team found, assuming that teams search independently. A
    topic's forecast needs a pool of depth 20 and 40 relevant documents; with fewer, a power law cannot be fitted.

    `.plot()` draws the new relevant documents by depth with the fitted curve, and what each topic may lack.

    No depth predicts what a pool of active learning (cal, scal) lacks. For it, and for any other pool, `draw` draws
    unjudged documents at random from the first 50 of each run. Judge them, and run the command again: it gives an exact
    interval of the relevant documents that are missing there.

    Example: cranfield pool forecast qrels.txt runs/*.gz --teams teams.tsv

    Example: cranfield pool forecast track.db --draw 100 draw.tsv --store-pool

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    to : int, optional
        The depth to which is forecast; twice the pool's depth by default.
    last : int
        Number of most recent judgments per topic to consider.
    draw : (int, path), optional
        Draw so many unjudged documents at random, and write them to this file, to be judged.
    pool_out : path, optional
        With `draw`, a file for a table of the drawn documents: qid, docno.
    store_pool : bool
        With `draw`, add the drawn documents to the store as a pool.
    drawn : path, optional
        The file of a draw with grades: estimate how many relevant documents are missing.
    new_run : str, optional
        For a store whose pool was built by cal: the tag of a run whose P@10 is estimated, or from which is drawn.
    frame_depth : int
        Documents are drawn from the first `frame_depth` of each run.
    rng : int or numpy.random.Generator, optional
        Random seed of the draw, or a generator that draws it; 0 by default.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.
    teams : path or mapping, optional
        A file that states which runs were pooled, or the team of each run.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy : str, optional
        Count only the labels of this assessor, or count by this policy where labels differ.
    labels : {"people", "models", "all"}
        Whose labels count.
    pool : int, optional
        Number of the stored pool; the newest by default.

    Returns
    -------
    CompletenessForecast
        A row for each topic, with its forecast and back-test where it has enough relevant documents. With `draw`, a row
        for each drawn document: order, query_id, doc_id. With `drawn`, and for a pool of active learning with a judged
        draw, one row: an exact interval of the relevant documents that are missing among the first `frame_depth` of the
        runs. With `new_run`, one row: P@10 as judged, its bounds and its interval.

    Raises
    ------
    InputError
        If no depth can be inferred, nobody knows which runs were pooled, or the draw is not one of these runs.

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
            is_stored=call.view.is_stored,
            context=call.context("pooling.forecast_completeness"),
        )


def _forecast(
    call: ViewedCall, estimated: CompletenessForecast, depth: int | None, to: int | None, last: int
) -> CompletenessForecast:
    from cranfield.analysis.forecast import document, forecast_of, rows, title
    from cranfield.analysis.random_draws import missing_document
    from cranfield.analysis.reusability import contributors

    view, forecast, deepest = forecast_of(call.view, depth, to, last)
    call.note(*(contributors(view).notes if call.is_command else ()))
    missing, pool = estimated.missing, estimated.pool
    content = document(forecast, deepest) | {"missing": missing and missing_document(missing, pool)}
    return CompletenessForecast(
        rows(forecast, by_depth=True), title(forecast), content, forecast=forecast, deepest=deepest, missing=missing,
        pool=pool,
    )  # fmt: skip


def _draw(
    call: ViewedCall, drawing: DrawSetting, frame_depth: int, drawn: str | PathLike[str] | None
) -> CompletenessForecast:
    from cranfield.analysis.random_draws import draw_for_forecast

    draw = draw_for_forecast(call.view, drawing, frame_depth, drawn)
    frame = f"of {counted(draw.frame_size, 'unjudged document')} in the first {draw.depth} of the runs"
    kept = sum(grade is not None for grade in draw.grades)
    labels = f"; {kept} of them have labels of an earlier draw" if kept else ""
    return _hand_out(call, drawing, draw, f"{counted(len(draw.documents), 'document')} drawn at random {frame}{labels}")


def _hand_out(call: ViewedCall, drawing: DrawSetting, draw: RandomDraw, title: str) -> CompletenessForecast:
    """Write a draw, and add it to the store on request."""
    from cranfield.analysis.random_draws import store_draw, write_draw

    write_draw(draw, drawing)
    pool = call.view.ask_store(lambda store: store_draw(store, draw), None) if drawing.store_pool else None
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
    if not view.is_stored:
        raise ArgumentError("files have no pools by active learning; expected a store", "new_run")
    case = open_new_run_case(view, tag, Path(drawn) if drawn else None)
    if drawing.draw is None:
        found = new_run_precision(view, case)
        content = {"run": tag, "measure": f"P@{CUTOFF}", **found._asdict()}
        return CompletenessForecast([precision_row(tag, found)], document=content, precision=found)
    if not case.pairs.n_pairs:
        raise InputError(f"no document in the first {CUTOFF} of {tag} is unjudged; expected some to draw from")
    draw = draw_documents(case.pairs, tag, drawing.draw[0], CUTOFF, seed=drawing.seed)
    frame = f"{counted(draw.frame_size, 'unjudged document')} in the first {CUTOFF} of {tag}"
    return _hand_out(call, drawing, draw, f"{counted(len(draw.documents), 'document')} drawn at random of {frame}")


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
        stored = view.ask_store(lambda store: stored_draw(store, view), None)
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
        waiting = f"pool {pool} is a random draw, and {first}; judge it with `cranfield judge {path}`"
        if is_answered_by_draw(view, depth):
            raise InputError(waiting)
        call.note(waiting)
        return CompletenessForecast(pool=pool)
    missing = missing_relevant(view, draw)
    return CompletenessForecast(
        [missing_row(missing)], missing_title(missing), {"missing": missing_document(missing, pool)}, missing=missing,
        pool=pool,
    )  # fmt: skip
