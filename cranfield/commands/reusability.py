"""What each unit of runs loses when the pool is built without it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.subject import Subject
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewedCall, ViewOptions, open_view
from cranfield.errors import InputError
from cranfield.extras import require
from cranfield.lazy import type_in
from cranfield.options import (
    Assessor,
    Cluster,
    IgnoreOwnId,
    Labels,
    Measures,
    PolicyName,
    PoolDepth,
    PoolNumber,
    Teams,
    Topics,
    Units,
)
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.options.trusting import MEASURES, Protect, RelevantOnly
from cranfield.results import Display, Result, TypesetTable, signed_formatter, with_labellers

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.reusability import ReusabilitySetting
    from cranfield.analysis.verdict import Verdict
    from cranfield.metrics.reusability.results import Reusability
else:
    DataFrame = type_in("pandas", "DataFrame")
    Verdict = type_in("cranfield.analysis.verdict", "Verdict")
    Reusability = type_in("cranfield.metrics.reusability.results", "Reusability")


@dataclass(frozen=True, repr=False, eq=False)
class UnitLosses(Result):
    """What each unit of runs loses: `rows()` as the command prints them; `.frame` has a row for each run and measure.

    Parameters
    ----------
    left_out : Reusability
        The findings.
    is_wide : bool
        Whether `.frame` has the changes, with a row for each unit and run, and a column for each measure.
    """

    left_out: Reusability = field(kw_only=True)
    is_wide: bool = False

    @property
    def frame(self) -> DataFrame:
        """The losses as a new pandas DataFrame."""
        import pandas as pd

        from cranfield.api.frames import pivot_table

        untested = {unit.result.unit for unit in self.left_out.untested}
        unknown = dict.fromkeys(("reduced", "change_percent", "reduced_rank", "tau"), nan)
        rows = [
            {
                "unit": unit.unit, "run": c.run, "unique": unit.unique, "unique_relevant": unit.unique_relevant,
                "measure": c.measure, "full": c.full, "reduced": c.reduced, "change_percent": c.change_percent,
                "full_rank": c.full_rank, "reduced_rank": c.reduced_rank, "tau": unit.tau[c.measure],
                "reduced_low": c.reduced_low, "reduced_high": c.reduced_high,
            } | (unknown if unit.unit in untested else {})
            for unit in (*self.left_out.units, *(unit.result for unit in self.left_out.untested))
            for c in unit.changes
        ]  # fmt: skip
        table = pd.DataFrame(rows)
        if self.is_wide:
            return pivot_table(table, ["unit", "run"], "measure", "change_percent")
        return with_labellers(table, self.context.left_out)


@dataclass(frozen=True, repr=False, eq=False)
class ReusabilityVerdict(UnitLosses):
    """What leaving units out of the pool tested. It shows itself in sentences, and in a notebook with a table.

    Parameters
    ----------
    verdict : Verdict or None
        The findings with what they assume; None where something other than rankings was measured.
    """

    verdict: Verdict | None = None

    @property
    def typeset(self) -> TypesetTable:
        """The rows, with the reason where nothing was tested."""
        from cranfield.analysis.verdict import not_tested

        display = Display(digits={"change %": signed_formatter(1)})
        return TypesetTable(self.rows(), display, "" if self.verdict is None else not_tested(self.verdict))

    def plot(self, ax: Any = None) -> Any:
        """Draw each run's rank with and without its own unit, by each measure."""
        require("plot", "a plot")
        if self.verdict is None:
            return super().plot(ax)
        from cranfield.charts.rankings import rank_plot

        return rank_plot(self.verdict.to_json(), ax)

    def __repr__(self) -> str:
        return super().__repr__() if self.verdict is None else repr(self.verdict)

    def _repr_html_(self) -> str:
        return super()._repr_html_() if self.verdict is None else self.verdict._repr_html_()


@check_arguments
def reusability(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    by: Units = None,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    measures: Measures = MEASURES,
    teams: Teams = None,
    protect: Protect = None,
    relevant_only: RelevantOnly = False,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    cluster: Cluster = None,
    release: str | None = None,
    subject: Subject | None = None,
) -> ReusabilityVerdict:
    """Leave out each team, or group of similar runs, and see what it loses: the next system may lose as much.

    The first lines name the worst unit and measure, and what the next system may lose by its share of unjudged
    documents. Read the change of a unit's own score before Kendall's tau, which hardly changes when a single unit
    moves: even at a tau of .99 the left-out run may have lost most of its score. `cranfield stability` measures how far
    topics move the scores.

    The test needs the runs that were pooled. Without most of them the output begins with "Not tested" and the reason,
    and its numbers do not say what another system would lose. The limit is a third: of the judged documents or of the
    relevant documents from elsewhere, of the pool unjudged, or of the topics judged otherwise. Give more of the pooled
    runs; `teams` states which runs were pooled, `depth` how deep, and `protect` which judgments have another origin.

    A stored pool that was not built to a depth k is rebuilt without each unit, by the same method; documents that it
    then requests and nobody judged are "missed": their grades are drawn 20 times from a model of the judged ones, and
    scores are means with 95 per cent intervals. If the pool cannot be reproduced with all units, the reason is given
    instead of numbers. In CSV and TSV the reason is in the column "not tested".

    A late run whose new documents are not judged yet is not tested. Its row has no change, and means, worst cases and
    tau leave it out. The same holds for any unit that gave a pool of depth k more unjudged documents than judged ones
    of its own.

    With --answers, what came from the answers of only one run or team is left out, and all answers are scored without
    it.

    `.plot()` draws each run's rank with and without its own unit's contribution, by each measure.

    Example: cranfield reusability qrels.txt runs/*.gz --by run --depth 100

    Example: cranfield reusability track.db --teams teams.tsv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    by : {"run", "team", "kind", "cluster"}, optional
        The unit to leave out; team where teams are known, otherwise cluster.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    pool : int, optional
        Number of the stored pool; the newest by default.
    measures : measure or iterable of measures
        The measures.
    teams : path or mapping, optional
        A file that states which runs were pooled, or the team of each run.
    protect : str, optional
        Value in the qrels' second column of judgments that did not come from the pool.
    relevant_only : bool
        Remove only relevant unique documents.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
    release : str, optional
        The name of a release of the store.
    subject : Subject, optional
        What to score instead of rankings; `cranfield.subjects` has the classes.

    Returns
    -------
    ReusabilityVerdict
        `repr` is the verdict in sentences, `.frame` has the columns that `leave_one_out` describes.

    Raises
    ------
    InputError
        If no run is known to have been pooled, or the depth cannot be inferred.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> found = reusability({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2, measures="P@1")
    >>> repr(found)[:152]
    '2 runs were left out of the pool of 2 runs to depth 2 on 1 topic, one at a time. A left-out run changes by 50.0% \
on average in P@1. Most ranks and score'
    """
    from cranfield.analysis.change_rows import change_rows, pool_line
    from cranfield.analysis.reusability import ReusabilitySetting
    from cranfield.analysis.verdict import not_tested

    chosen = ViewOptions(
        topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, release, pool, teams
    )
    with open_view(
        qrels, runs, chosen, cluster=cluster, function="reusability", takes_pool=True
    ) as call:  # fmt: skip
        setting = ReusabilitySetting(by, depth, measures, protect, relevant_only, call.view.which)
        if subject is not None:
            losses = subject.leave_out_units(call.view, setting, None)
            return ReusabilityVerdict(
                losses.rows, losses.title, losses.to_json(), call.context("trust.reusability"), left_out=losses.left_out
            )
        verdict = _verdict(call, setting)
        left_out = verdict.left_out
        return ReusabilityVerdict(
            change_rows(left_out), "\n".join(filter(None, [not_tested(verdict), pool_line(left_out)])),
            verdict.to_json(), call.context("trust.reusability"), left_out=left_out, verdict=verdict,
        )  # fmt: skip


def _verdict(call: ViewedCall, setting: ReusabilitySetting) -> Verdict:
    from cranfield.analysis.reusability import verdict_of

    verdict = verdict_of(call.view, setting, call.view.path, call.view.tell)
    who = verdict.who
    is_told = call.is_command or not (
        who is not None and who.known_by == "judgments" and not (who.others or who.undecided)
    )  # in Python nothing is said where all runs were inferred to be pooled
    call.note(*(line for line in verdict.notes if is_told or line not in _notes_on_runs(verdict)))
    return verdict


def _notes_on_runs(verdict: Verdict) -> Iterable[str]:
    return verdict.who.notes if verdict.who else ()


@check_arguments
def leave_one_out(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    by: Units = None,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    measures: Measures = MEASURES,
    teams: Teams = None,
    protect: Protect = None,
    relevant_only: RelevantOnly = False,
    units: Mapping[str, Sequence[str]] | None = None,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    cluster: Cluster = None,
    release: str | None = None,
    pivot: bool = False,
    subject: Subject | None = None,
) -> UnitLosses:
    """Build the pool without each unit of runs, and score all runs again.

    The numbers are those of `cranfield reusability`, whose notes are warnings here: which runs were not pooled, and why
    nothing was tested.

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form that `cranfield.evaluate` takes; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form that `cranfield.evaluate` takes.
    by : {"run", "team", "kind", "cluster"}, optional
        The unit to leave out: "run" leaves out single runs. By default team where teams are known, otherwise clusters
        of similar runs.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    pool : int, optional
        Number of the stored pool; the newest by default.
    measures : measure or iterable of measures
        The measures.
    teams : path or mapping, optional
        A file that states which runs were pooled, or the team of each run.
    protect : str, optional
        Value in the qrels' second column of judgments that did not come from the pool.
    relevant_only : bool
        Remove only relevant unique documents.
    units : mapping, optional
        The runs of each unit, instead of `by`. They must cover all pooled runs, and need `depth`.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
    release : str, optional
        The name of a release of the store.
    pivot : bool
        Whether `.frame` has the changes, with a row for each unit and run, and a column for each measure.
    subject : Subject, optional
        What to score instead of rankings; `cranfield.subjects` has the classes.

    Returns
    -------
    UnitLosses
        `.frame` has a row for each unit that is left out, each run of this unit, and each measure:

        - unit, run, measure
        - unique, unique_relevant: the numbers of judged and of relevant documents that only this unit had within
          `depth`. Only their judgments are removed.
        - full, reduced: the run's scores by all judgments and by the reduced judgments
        - change_percent: the change of the score (a loss is negative)
        - full_rank, reduced_rank: the run's ranks among all runs
        - tau: Kendall's tau between the rankings of all runs by full and by reduced judgments
        - reduced_low, reduced_high: a 95% interval; NaN where no grades of missed documents were drawn

    Raises
    ------
    InputError
        If no run is known to have been pooled, or the depth cannot be inferred.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> table = leave_one_out({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2, measures="P@1").frame
    >>> table[["unit", "unique", "full", "reduced"]].values.tolist()
    [['a', 1, 1.0, 0.0], ['b', 1, 1.0, 1.0]]
    """
    from cranfield.analysis.change_rows import change_rows
    from cranfield.analysis.reusability import ReusabilitySetting

    chosen = ViewOptions(
        topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, release, pool, teams
    )
    with open_view(
        qrels, runs, chosen, cluster=cluster, function="leave_one_out", takes_pool=True
    ) as call:  # fmt: skip
        setting = ReusabilitySetting(by, depth, measures, protect, relevant_only, call.view.which)
        if subject is not None:
            left_out = subject.leave_out_units(call.view, setting, units).left_out
        elif units is not None:
            left_out = _without_units(call, setting, units)
        else:
            left_out = _verdict(call, setting).left_out
        rows = change_rows(left_out)
        return UnitLosses(rows, context=call.context("trust.leave_one_out"), left_out=left_out, is_wide=pivot)


def _without_units(call: ViewedCall, setting: ReusabilitySetting, units: Mapping[str, Sequence[str]]) -> Reusability:
    from cranfield.metrics.reusability.leave_one_out import leave_one_out as score_without_units

    if setting.depth is None:
        raise InputError("units of your own require the depth of the pool")
    measures, rel = call.view.measures(setting.measures), call.view.min_relevant
    return score_without_units(call.view.scored_blocks, units, setting.depth, measures=measures, rel=rel)
