"""Pools and runs made of runs: what `cranfield pool` does and shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.api.keywords import of_runs
from cranfield.lazy import type_in
from cranfield.options.pools import ForecastOptions
from cranfield.store.reading import Reading
from cranfield.view import QrelsGiven, RunsGiven

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = type_in("pandas", "DataFrame")


@checked
@of_runs(ForecastOptions, "pool forecast")
def forecast_completeness(qrels: QrelsGiven, runs: RunsGiven, options: ForecastOptions, reading: Reading) -> DataFrame:
    """How complete the judgments are: one row per topic, with its forecast and back-test where it is rich enough.

    `cranfield pool forecast` also shows what deeper pools would find over all topics.

    With `draw`, such as (100, "draw.tsv"), random unjudged documents in the first `frame_depth` of the runs: order,
    query_id, doc_id. They are written to that file, and with `store_pool` the store keeps them as a pool. Once it is
    judged, a pool of active learning has one row: an exact interval of the relevant documents that are missing in this
    frame. `drawn` is the file of a draw with labels, which gives the same row.
    """
    import pandas as pd

    from cranfield.analysis.forecast import forecast_of, rows
    from cranfield.analysis.random_draws import (
        check_destinations,
        draw_for_forecast,
        missing_relevant,
        missing_row,
        read_draw,
        store_draw,
        stored_draw,
        write_draw,
    )
    from cranfield.analysis.reusability import is_answered_by_draw
    from cranfield.call_view import CallView
    from cranfield.results import with_labellers

    view = CallView.view_of_objects(runs, qrels, options, reading)
    check_destinations(options.drawing, view)
    source = view.source
    if options.draw is not None:
        draw = draw_for_forecast(view, options)
        write_draw(draw, options.drawing)
        if options.store_pool:
            view.ask_store(lambda store: store_draw(store, draw), None)
        pairs = [(number, *pair) for number, pair in enumerate(draw.documents, 1)]
        return pd.DataFrame(pairs, columns=["order", "query_id", "doc_id"])
    stored = view.ask_store(lambda store: stored_draw(store, source), None)
    drawn = None if options.drawn is None else read_draw(Path(options.drawn), source)
    learnt = stored.draw if stored and is_answered_by_draw(source, options.depth) else None
    if (labelled := drawn or learnt) is not None:
        return pd.DataFrame([missing_row(missing_relevant(source, labelled))])
    _, forecasts, _ = forecast_of(view, options)
    return with_labellers(pd.DataFrame(rows(forecasts, by_depth=True)), reading.left_out)
