"""What pool depths would have cost, and how far the ranking of systems depends on the topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
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
    Rng,
    Teams,
    Topics,
    Units,
    seed_of,
)
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.trusting import EveryDepth, Protect
from cranfield.results import CHANGES, Result, TypesetTable

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = lazy_type("pandas", "DataFrame")


@dataclass(frozen=True, repr=False, eq=False)
class PoolDepths(Result):
    """Cost and loss at each pool depth.

    Parameters
    ----------
    by_depth : mapping
        The JSON document.
    is_wide : bool
        Whether `.frame` contains the mean changes: a row for each depth, and a column for each measure.
    """

    by_depth: dict[str, Any] = field(default_factory=dict)
    is_wide: bool = False

    @property
    def typeset(self) -> TypesetTable:
        """The rows, with the reason if nothing was tested."""
        from cranfield.analysis.depths import rows

        return TypesetTable(rows(self.by_depth), CHANGES, f"Not tested: {self.lack}." if self.lack else "")

    @property
    def lack(self) -> str:
        """The reason why nothing was tested; empty if there was a test."""
        return self.by_depth["no_verdict"] or ""

    @property
    def frame(self) -> DataFrame:
        """The rows as a new pandas DataFrame."""
        from cranfield.api.frames import pivot_table

        table = super().frame
        return pivot_table(table, ["depth"], "measure", "mean_change_percent") if self.is_wide else table

    def plot(self, ax: Any = None) -> Any:
        """Draw the losses and tau against the number of documents to judge, for each measure."""
        require_extra("plot", "a plot")
        from cranfield.charts.pools import depths_plot

        return depths_plot(self.by_depth, ax)


@check_arguments
def depths(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    by: Units = None,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    every: EveryDepth = False,
    measures: Measures = "AP",
    teams: Teams = None,
    protect: Protect = None,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    cluster: Cluster = None,
    pivot: bool = False,
) -> PoolDepths:
    """Show the judging cost, and the loss of left-out runs, at each pool depth.

    The table has a row for each depth. It shows the documents to judge, the relevant documents among them, and
    Kendall's tau with the ranking by the whole collection. It also shows how much a left-out unit's own score would
    have changed. Judging could have stopped where these changes stop falling. To estimate what deeper pools would find,
    use `cranfield pool forecast`.

    `.plot()` draws the losses and tau against the number of documents to judge, for each measure.

    Example: cranfield depths track.db --by team --plot depths.svg

    Example: cranfield depths qrels.txt runs/*.gz -m nDCG@10

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
    every : bool
        Whether to show every depth instead of at most 30.
    measures : measure or iterable of measures
        The measures.
    teams : path or mapping, optional
        A table file with the runs' teams and whether they were pooled, or a mapping from run to team.
    protect : str, optional
        Value in the qrels' second column that marks judgments from outside the pool.
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
    pivot : bool
        Whether `.frame` contains the mean changes: a row for each depth, and a column for each measure.

    Returns
    -------
    PoolDepths
        A row for each depth and measure. judged, relevant: numbers of documents. The mean and the largest change of a
        left-out unit's own score are absolute, in percent.

    Raises
    ------
    InputError
        If the depth cannot be inferred, or the pool was not built to a fixed depth.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> table = depths({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2, measures="P@1").frame
    >>> table[["depth", "judged", "relevant", "mean_change_percent"]].values.tolist()
    [[1.0, 2.0, 2.0, 100.0], [2.0, 3.0, 2.0, 50.0]]
    """
    from cranfield.analysis.depths import depth_table_title, depths_document

    chosen = ViewOptions(
        topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, chosen, function="depths", cluster=cluster, takes_pool=True) as call:
        document, lines = depths_document(
            call.view, call.view.which, by=by, depth=depth, protect=protect, every=every, measures=measures
        )
        lack = document["no_verdict"]
        call.note(*(lines if call.is_command else ()), f"not tested: {lack}" if lack else None)
        return PoolDepths(
            document["rows"],
            depth_table_title(document),
            document,
            call.context("trust.depths"),
            by_depth=document,
            is_wide=pivot,
        )


@dataclass(frozen=True, repr=False, eq=False)
class Stability(Result):
    """Dependence of the system ranking on the topics.

    Parameters
    ----------
    by_measure : mapping
        The JSON document.
    is_wide : bool
        Whether `.frame` contains the taus, with a column for each measure.
    """

    by_measure: dict[str, Any] = field(default_factory=dict)
    is_wide: bool = False

    @property
    def frame(self) -> DataFrame:
        """The rows as a new pandas DataFrame."""
        from cranfield.api.frames import pivot_table

        table = super().frame
        return pivot_table(table, ["topics"], "measure", "tau") if self.is_wide else table

    @property
    def typeset(self) -> TypesetTable:
        """A row for each number of topics, with shares in percent."""
        from cranfield.analysis.comparison import stability_rows

        return TypesetTable(stability_rows(self.by_measure))

    def plot(self, ax: Any = None) -> Any:
        """Draw the numbers by the number of topics, and the share of reversed pairs by the difference in score."""
        require_extra("plot", "a plot")
        from cranfield.charts.rankings import stability_plot

        return stability_plot(self.by_measure, ax)


@check_arguments
def stability(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    measures: Measures = "AP",
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    cluster: Cluster = None,
    rng: Rng = None,
    pivot: bool = False,
) -> Stability:
    """Measure how much the system ranking depends on the topics.

    Treat this as the noise floor for any other change in scores. The table has a row for each number of topics. Each
    row compares two disjoint topic sets of this size. "reversed %" is the share of system pairs that the two sets order
    differently. Pairs whose means differ by more than the "reliable difference" are reversed in fewer than 5% of cases.
    It is shown only if the means of at least 20 pairs differ by that much. Kendall's tau compares the rankings by the
    two sets. "significant pairs %" is the share of system pairs that differ significantly on one set (paired t test,
    0.05, uncorrected).

    `.plot()` draws the same numbers, and the share of pairs on which two sets disagree, by difference in score.

    Example: cranfield stability qrels.txt runs/*.gz -m AP

    Example: cranfield stability track.db --topics dev

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form.
    measures : measure or iterable of measures
        The measures.
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
    rng : int or numpy.random.Generator, optional
        Random seed of the topic sets, or a generator that draws the seed; 0 by default.
    pivot : bool
        Whether `.frame` contains the taus, with a column for each measure.

    Returns
    -------
    Stability
        A row for each measure and number of topics. The columns swap_rate and told_apart are shares of run pairs. The
        column difference is in the measure's unit, and tau is between two disjoint topic sets of that size.

    Raises
    ------
    InputError
        If there are fewer than two runs or two topics.

    Examples
    --------
    All topics together have no second set, so swap_rate and tau are NaN there:

    >>> runs = {"a": {q: {"d": 1.0} for q in "1234"}, "b": {q: {"e": 1.0} for q in "1234"}}
    >>> table = stability({q: {"d": 1, "e": 0} for q in "1234"}, runs, measures="P@1").frame
    >>> table[["topics", "swap_rate", "tau"]].values.tolist()
    [[4.0, nan, nan]]
    """
    from cranfield.analysis.comparison import stability_of, stability_title

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, chosen, function="stability", cluster=cluster) as call:
        document = stability_of(call.view.scored_blocks, call.view.measures(measures), seed_of(rng, min_seed=0))
        rows = [{"measure": of["measure"], **row} for of in document["measures"] for row in of["by_topics"]]
        return Stability(
            rows,
            stability_title(document),
            document,
            call.context("trust.stability"),
            by_measure=document,
            is_wide=pivot,
        )
