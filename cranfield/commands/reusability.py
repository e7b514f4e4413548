"""What each unit of runs loses when the pool is built without it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewedCall, ViewOptions, open_view
from cranfield.commands.subject import Subject
from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
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
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.trusting import MEASURES, Protect, RelevantOnly
from cranfield.results import Display, Result, TypesetTable, add_labellers_column, signed_formatter

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.reusability import ReusabilitySetting
    from cranfield.analysis.verdict import Verdict
    from cranfield.metrics.reusability.results import Reusability
else:
    DataFrame = lazy_type("pandas", "DataFrame")
    Verdict = lazy_type("cranfield.analysis.verdict", "Verdict")
    Reusability = lazy_type("cranfield.metrics.reusability.results", "Reusability")


@dataclass(frozen=True, repr=False, eq=False)
class UnitLosses(Result):
    """The loss of each left-out unit. `rows()` returns the printed rows; `.frame` has a row for each run and measure.

    Parameters
    ----------
    left_out : Reusability
        The findings.
    is_wide : bool
        Whether `.frame` contains the changes: a row for each unit and run, and a column for each measure.
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
        return add_labellers_column(table, self.context.left_out)


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
        from cranfield.analysis.verdict import explain_no_verdict

        display = Display(digits={"change %": signed_formatter(1)})
        return TypesetTable(self.rows(), display, "" if self.verdict is None else explain_no_verdict(self.verdict))

    def plot(self, ax: Any = None) -> Any:
        """Draw each run's rank with and without its own unit, by each measure."""
        require_extra("plot", "a plot")
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
    """Leave each team out of the pool, and show how much it loses.

    A new system may lose as much as a left-out team. The first lines name the worst cases. They also bound the loss of
    a new system, depending on the share of its documents that are unjudged. Read the change of a unit's own score
    before Kendall's tau, which hardly changes when a single unit moves. Even with a tau of 0.99, the left-out run may
    have lost most of its score. `cranfield stability` shows how much topics change the scores.

    The test needs the pooled runs and finished judgments. Otherwise, the output begins with "Not tested" and the
    reason. For example, more than a third of the judged documents, or of the relevant documents, did not come from
    these runs. Or more than a third of the pool is unjudged, or more than a third of the topics were judged in another
    way. In such cases, the numbers do not show how much another system would lose. To get a test, give more of the
    pooled runs. State the pooled runs with `teams`, the pool's depth with `depth`, and judgments from other sources
    with `protect`.

    A stored pool without a fixed depth is rebuilt without each unit, by the same method. Unjudged documents of the
    rebuilt pool are "missed". Their grades are drawn 20 times from a model of the judged documents, and scores are
    means with 95% intervals. If the pool cannot be rebuilt with all units, the output gives the reason instead of
    numbers. In CSV and TSV, the reason is in the column "not tested".

    A late run is not tested while its new documents are unjudged. Its row shows no change, and means, worst cases and
    tau exclude the run. The same applies to any unit whose unique documents in a depth-k pool are mostly unjudged.

    With --answers, each run or team is left out from the judgments of generated answers, and all answers are scored
    again.

    `.plot()` draws each run's rank with and without the contribution of its unit, for each measure.

    Example: cranfield reusability qrels.txt runs/*.gz --by run --depth 100

    Example: cranfield reusability track.db --teams teams.tsv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
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
        A table file with the runs' teams and whether they were pooled, or a mapping from run to team.
    protect : str, optional
        Value in the qrels' second column that marks judgments from outside the pool.
    relevant_only : bool
        Remove only relevant unique documents.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
    release : str, optional
        The name of a store release.
    subject : Subject, optional
        What to score instead of rankings, as an instance of a class in `cranfield.subjects`.

    Returns
    -------
    ReusabilityVerdict
        `repr` gives the verdict in sentences. `.frame` has the columns of `leave_one_out`.

    Raises
    ------
    InputError
        If no run is known to have been pooled, or the depth cannot be inferred.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> found = reusability({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2, measures="P@1")
    >>> print(repr(found)[:116])
    Removing one of the 2 runs from the pool (2 runs, depth 2, 1 topic) changes its P@1 by 50.0% on average. Most ranks
    """
    from cranfield.analysis.change_rows import change_rows, overlap_sentence
    from cranfield.analysis.reusability import ReusabilitySetting
    from cranfield.analysis.verdict import explain_no_verdict

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
            change_rows(left_out), "\n".join(filter(None, [explain_no_verdict(verdict), overlap_sentence(left_out)])),
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
    """Rebuild the pool with each unit left out in turn, and rescore all runs.

    The function computes the same numbers as `cranfield reusability`. The command's notes become warnings here: which
    runs were not pooled, and why nothing was tested.

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form that `cranfield.evaluate` accepts, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form that `cranfield.evaluate` accepts.
    by : {"run", "team", "kind", "cluster"}, optional
        The unit to leave out: "run" leaves out single runs. The default is team where teams are known, otherwise
        clusters of similar runs.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    pool : int, optional
        Number of the stored pool; the newest by default.
    measures : measure or iterable of measures
        The measures.
    teams : path or mapping, optional
        A table file with the runs' teams and whether they were pooled, or a mapping from run to team.
    protect : str, optional
        Value in the qrels' second column that marks judgments from outside the pool.
    relevant_only : bool
        Remove only relevant unique documents.
    units : mapping, optional
        The runs of each unit, instead of `by`. Each pooled run must be in one of these units, and `depth` must be
        given.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
    release : str, optional
        The name of a store release.
    pivot : bool
        Whether `.frame` contains the changes: a row for each unit and run, and a column for each measure.
    subject : Subject, optional
        What to score instead of rankings, as an instance of a class in `cranfield.subjects`.

    Returns
    -------
    UnitLosses
        `.frame` has a row for each unit that is left out, each run of this unit, and each measure:

        - unit, run, measure
        - unique, unique_relevant: the numbers of judged and relevant documents that only this unit retrieved within
          `depth`. Only their judgments are removed.
        - full, reduced: the run's scores by all judgments and by the reduced judgments
        - change_percent: the change of the score (a loss is negative)
        - full_rank, reduced_rank: the run's ranks among all runs
        - tau: Kendall's tau between the rankings of all runs with full and with reduced judgments
        - reduced_low, reduced_high: a 95% interval, or NaN if no grades of missed documents were drawn

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
        raise InputError("units needs the depth of the pool; pass depth=K")
    measures, rel = call.view.measures(setting.measures), call.view.min_relevant
    return score_without_units(call.view.scored_blocks, units, setting.depth, measures=measures, rel=rel)
