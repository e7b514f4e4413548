"""How far to trust a collection: what `cranfield reusability`, `depths`, `stability` and `diagnose` show."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield import hooks
from cranfield.api.arguments import checked
from cranfield.api.frames import wide
from cranfield.api.keywords import of_runs
from cranfield.errors import InputError, give_warning
from cranfield.lazy import type_in
from cranfield.metrics.notation import parse_all
from cranfield.options.trusting import (
    DiagnoseOptions,
    LeaveOutOptions,
    ReusabilityOptions,
    WriteReportOptions,
)
from cranfield.store.reading import Reading, SelectedPlace
from cranfield.view import (
    QrelsGiven,
    RunsGiven,
    View,
    runs_in,
)

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.verdict import Verdict
    from cranfield.call_view import CallView
    from cranfield.metrics.reusability.results import Reusability
else:
    DataFrame = type_in("pandas", "DataFrame")
    Verdict = type_in("cranfield.analysis.verdict", "Verdict")


@checked
@of_runs(LeaveOutOptions, "reusability")
def leave_one_out(qrels: QrelsGiven, runs: RunsGiven, options: LeaveOutOptions, reading: Reading) -> DataFrame:
    """What each unit of runs loses when the pool is built without it: the numbers of `cranfield reusability`.

    One row per unit, run and measure, with the score and rank in full and without the unit, and tau over all runs.
    A change is in %, a loss negative; where grades of missed documents were drawn, `reduced_low` and `reduced_high` are
    the 95 % interval, else NaN. With `pivot`, the changes, one row per unit and run, one column per measure.
    `qrels` are judgments for the `runs`, or a store alone; `release` names one of the store's releases. `depth` is the
    pool's; by default the stored pool's, or inferred. Units are `by` run, team, kind or cluster, or given in
    `units`, which must then cover all pooled runs; `teams` is a file that states which runs were pooled, or a dict of
    the runs' teams. `protect` is the second column of judgments that did not come from the pool. Notes of the command
    are warnings here: which runs were not pooled, and why nothing was tested.

    With `answers`, what is left out are the nuggets that come from the answers of a unit alone, and the answers of a
    store are scored without them, by V_strict and A unless measures say otherwise; `nuggets`,
    `cluster` and `topics` are those of `evaluate`.

    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> table = leave_one_out({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2, measures="P@1")
    >>> table[["unit", "unique", "full", "reduced"]].values.tolist()
    [['a', 1, 1.0, 0.0], ['b', 1, 1.0, 1.0]]
    """
    from cranfield.call_view import CallView

    view = CallView.of_objects(runs, qrels, options, reading)
    if other := hooks.instead("reusability", reading.added):
        reuse = other.run(view, options, tell=give_warning, others=options.units).left_out
    elif options.units is not None:
        from cranfield.metrics.reusability.leave_one_out import leave_one_out as left_out

        if options.depth is None:
            raise InputError("units of your own require the depth of the pool")
        measures, rel = view.measures(options.measures), view.min_relevant
        reuse = left_out(view.blocks, options.units or {}, options.depth, measures=measures, rel=rel)
    else:
        reuse = _verdict(view, options).left_out
    table = _loss_table(reuse)
    return wide(table, ["unit", "run"], "measure", "change_percent") if options.pivot else table


@checked
@of_runs(ReusabilityOptions, "reusability")
def reusability(qrels: QrelsGiven, runs: RunsGiven, options: ReusabilityOptions, reading: Reading) -> Verdict:
    """The verdict on a collection, which shows itself in a notebook; `leave_one_out` has its numbers as a table.

    Its `to_json()` is the JSON of `cranfield reusability`, and `notes` says why nothing was tested, if nothing was.
    `cluster` and `topics` are those of `evaluate`.

    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> verdict = reusability({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2, measures="P@1")
    >>> repr(verdict)[:152]
    '2 runs were left out of the pool of 2 runs to depth 2 on 1 topic, one at a time. A left-out run changes by 50.0% \
on average in P@1. Most ranks and score'
    """
    if other := hooks.instead("reusability", reading.added):
        raise InputError(f"a verdict is of rankings; leave_one_out has the numbers of {other.of}")
    from cranfield.call_view import CallView

    return _verdict(CallView.of_objects(runs, qrels, options, reading), options)


def _verdict(view: CallView, options: ReusabilityOptions) -> Verdict:
    from cranfield.analysis.reusability import verdict_of

    verdict = verdict_of(view.source, options, tell=view.tell)
    who = verdict.who
    plain = who is not None and who.known_by == "judgments" and not (who.others or who.undecided)
    for line in verdict.notes:
        if not (plain and who and line in who.notes):  # which says that all were inferred to be pooled
            give_warning(line)
    return verdict


def _loss_table(losses: Reusability) -> DataFrame:
    import pandas as pd

    rows = [
        {
            "unit": unit.unit, "run": c.run, "unique": unit.unique, "unique_relevant": unit.unique_relevant,
            "measure": c.measure, "full": c.full, "reduced": c.reduced, "change_percent": c.change_percent,
            "full_rank": c.full_rank, "reduced_rank": c.reduced_rank, "tau": unit.tau[c.measure],
            "reduced_low": c.reduced_low, "reduced_high": c.reduced_high,
        }
        for unit in losses.units
        for c in unit.changes
    ]  # fmt: skip
    return pd.DataFrame(rows)


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

    from cranfield.analysis.diagnosis import diagnosis_of, hand_out, on_topics, score_rows, with_new_run
    from cranfield.analysis.new_run import diagnose_learnt, hand_out_learnt, has_learnt_model
    from cranfield.analysis.random_draws import check_destinations
    from cranfield.call_view import CallView

    view, new = CallView.of_objects(runs, qrels, options, reading), options.new
    check_destinations(options, view)
    source = view.source
    one = new if isinstance(new, str) and new in source.runs.tags else runs_in(new)
    case = on_topics(with_new_run(source, one), options.which)
    if has_learnt_model(case.whole, options.depth):
        drawn = None if options.drawn is None else Path(options.drawn)
        measures = parse_all(options.measures, case.whole.min_relevant)
        learnt = diagnose_learnt(case.whole, case.tag, measures, view, drawn)
        hand_out_learnt(learnt, options, view)
        return pd.DataFrame(learnt.rows)
    diagnosis = diagnosis_of(case, options, tell=give_warning)
    hand_out(diagnosis, options, view)
    return pd.DataFrame(score_rows(diagnosis))


class ReportFileOptions(WriteReportOptions):
    """The same, and the page."""

    out: str | PathLike[str]


@checked
@of_runs(ReportFileOptions, "report")
def write_report(qrels: QrelsGiven, runs: RunsGiven, options: ReportFileOptions, reading: Reading) -> Path:
    """Write the report on a store, or on files of runs and judgments; the path of the page, an .html, .md or .json."""
    from cranfield.call_view import CallView
    from cranfield.report.page import report_on

    several = runs if isinstance(runs, list | tuple) else [runs]
    given: list[Any] = [one.store or one if isinstance(one, View) else one for one in (qrels, *several)]
    places = [one for one in given if one is not None]
    if not all(isinstance(one, str | PathLike) for one in places):
        raise InputError("a report is on the path of a store, or on those of runs and qrels")
    page = Path(options.out)
    selected_places = [one if isinstance(one, SelectedPlace) else reading.of(Path(one)) for one in places]
    report_on(CallView.of_places(selected_places, options, reading, give_warning), page, options)
    return page
