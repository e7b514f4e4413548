"""How far to trust a collection: what `cranfield reusability`, `depths`, `stability` and `diagnose` show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.api.arguments import checked
from cranfield.api.keywords import of_runs
from cranfield.errors import give_warning
from cranfield.lazy import type_in
from cranfield.metrics.notation import parse_all
from cranfield.options.trusting import (
    DiagnoseOptions,
)
from cranfield.store.reading import Reading
from cranfield.view import (
    QrelsGiven,
    RunsGiven,
    runs_in,
)

if TYPE_CHECKING:
    from pandas import DataFrame

else:
    DataFrame = type_in("pandas", "DataFrame")


class NewRunOptions(DiagnoseOptions):
    """The same, of this run."""

    new: RunsGiven


@checked
@of_runs(NewRunOptions, "diagnose", third="new")
def diagnose(qrels: QrelsGiven, runs: RunsGiven, options: NewRunOptions, reading: Reading) -> DataFrame:
    """Forecast what a run that did not help to build the pool would score: the numbers of `cranfield diagnose`.

    Parameters
    ----------
    qrels : judgments or store
        The judgments in any form, or a store alone.
    runs : runs, optional
        The known runs in any form; not with a store.
    new : run or str
        The new run in any form, or the tag of one of the others.
    measures : measure or list of measures
        The measures.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    teams : file or mapping, optional
        Which runs were pooled, or the team of each run.
    protect : str, optional
        The second column of judgments that did not come from the pool.
    draw : (int, path), optional
        Draw so many of the run's unjudged documents at random, and write them to this file, to be judged.
    pool_out : path, optional
        With `draw`, a file for a table of the drawn documents: qid, docno.
    store_pool : bool, default False
        With `draw`, add the drawn documents to the store as a pool.
    drawn : path, optional
        The file of a random draw of the run's unjudged documents, with grades.
    seed : int, default 0
        The seed of the simulated labels and of the draw.
    topics, ignore_own_id, labels, assessor, policy, pool
        As in `evaluate`.

    Returns
    -------
    DataFrame
        One row for each measure: `score` as judged; `low` and `high`, the 95% interval of the score if the run's first
        documents were judged to the pool's depth; `lowest` and `highest`, the bounds under any labels where there is no
        interval; `unjudged`, a share; `labels`, the number of drawn labels; `status` and `sentence`. Numbers that are
        not known are NaN.

    Raises
    ------
    InputError
        If the new run answers no judged topic, or the draw is not one of this run.
    MeasureError
        If a measure needs judgments of subtopics or a stratified sample.

    >>> runs, new = {"a": {"q": {"d1": 2.0}}, "b": {"q": {"d2": 2.0}}}, {"q": {"d3": 2.0, "d1": 1.0}}
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # on which runs were pooled
    ...     table = diagnose({"q": {"d1": 1, "d2": 0}}, runs, new=new, depth=1, measures="P@1")
    >>> table[["measure", "score", "lowest", "highest", "status"]].values.tolist()
    [['P@1', 0.0, 0.0, 1.0, 'no model']]
    """
    import pandas as pd

    from cranfield.analysis.diagnosis import diagnosis_of, hand_out, new_run_on_topics, open_new_run, score_rows
    from cranfield.analysis.new_run import diagnose_learnt, hand_out_learnt, has_learnt_model
    from cranfield.analysis.random_draws import check_destinations
    from cranfield.call_view import CallView

    view, new = CallView.view_of_objects(runs, qrels, options, reading), options.new
    check_destinations(options, view)
    source = view.source
    one = new if isinstance(new, str) and new in source.runs.tags else runs_in(new)
    case = new_run_on_topics(open_new_run(source, one), options.which_topics)
    if has_learnt_model(case.whole, options.depth):
        drawn = None if options.drawn is None else Path(options.drawn)
        measures = parse_all(options.measures, case.whole.min_relevant)
        learnt = diagnose_learnt(case.whole, case.tag, measures, view, drawn)
        hand_out_learnt(learnt, options, view)
        return pd.DataFrame(learnt.rows)
    diagnosis = diagnosis_of(case, options, tell=give_warning)
    hand_out(diagnosis, options, view)
    return pd.DataFrame(score_rows(diagnosis))
