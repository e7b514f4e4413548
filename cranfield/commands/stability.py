"""What pool depths would have cost, and how far the ranking of systems depends on the topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
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
from cranfield.options.trusting import EveryDepth, Protect
from cranfield.results import CHANGES, Result, TypesetTable
from cranfield.rng import Rng, seed_of

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = type_in("pandas", "DataFrame")


@dataclass(frozen=True, repr=False, eq=False)
class PoolDepths(Result):
    """What each pool depth would have cost and changed.

    Parameters
    ----------
    by_depth : mapping
        The JSON document.
    is_wide : bool
        Whether `.frame` has the mean changes, with a row for each depth and a column for each measure.
    """

    by_depth: dict[str, Any] = field(default_factory=dict)
    is_wide: bool = False

    @property
    def typeset(self) -> TypesetTable:
        """The rows, with the reason where nothing was tested."""
        from cranfield.analysis.depths import rows

        return TypesetTable(rows(self.by_depth), CHANGES, f"Not tested: {self.lack}." if self.lack else "")

    @property
    def lack(self) -> str:
        """Why nothing was tested; empty where it was."""
        return self.by_depth["no_verdict"] or ""

    @property
    def frame(self) -> DataFrame:
        """The rows as a new pandas DataFrame."""
        from cranfield.api.frames import pivot_table

        table = super().frame
        return pivot_table(table, ["depth"], "measure", "mean_change_percent") if self.is_wide else table

    def plot(self, ax: Any = None) -> Any:
        """Draw losses and tau against the documents to judge, by each measure."""
        require("plot", "a plot")
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
    """Show for each pool depth what judging would have cost, and what left-out systems would have lost.

    One row per depth: the documents to judge, the relevant ones among them, Kendall's tau with the ranking by the whole
    collection, and how much of its own score a left-out unit would have lost. Judging could have stopped where the
    losses stop falling. What deeper pools would find is not estimated: see `cranfield pool forecast`.

    `.plot()` draws losses and tau against the documents to judge, by each measure.

    Example: cranfield depths track.db --by team --plot depths.svg

    Example: cranfield depths qrels.txt runs/*.gz -m nDCG@10

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
    every : bool
        Every depth instead of at most 30.
    measures : measure or iterable of measures
        The measures.
    teams : path or mapping, optional
        A file that states which runs were pooled, or the team of each run.
    protect : str, optional
        Value in the qrels' second column of judgments that did not come from the pool.
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
    pivot : bool
        Whether `.frame` has the mean changes, with a row for each depth and a column for each measure.

    Returns
    -------
    PoolDepths
        A row for each depth and measure. judged and relevant count documents; the mean and the largest change of a
        left-out unit's own score are absolute, in percent.

    Raises
    ------
    InputError
        If the depth cannot be inferred, or the pool was not built to a depth.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> table = depths({"q": {"d1": 1, "d2": 1, "d3": 0}}, runs, depth=2, measures="P@1").frame
    >>> table[["depth", "judged", "relevant", "mean_change_percent"]].values.tolist()
    [[1.0, 2.0, 2.0, 100.0], [2.0, 3.0, 2.0, 50.0]]
    """
    from cranfield.analysis.depths import depths_document, title

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
            document["rows"], title(document), document, call.context("trust.depths"), by_depth=document, is_wide=pivot
        )


@dataclass(frozen=True, repr=False, eq=False)
class Stability(Result):
    """How far the ranking of systems depends on the topics.

    Parameters
    ----------
    by_measure : mapping
        The JSON document.
    is_wide : bool
        Whether `.frame` has the taus, with a column for each measure.
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
        """A row for each number of topics, with shares in per cent."""
        from cranfield.analysis.comparison import stability_rows

        return TypesetTable(stability_rows(self.by_measure))

    def plot(self, ax: Any = None) -> Any:
        """Draw the numbers by topics, and how often two sets disagree by the difference of the two systems."""
        require("plot", "a plot")
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
    """Measure how far the ranking of systems depends on the topics: the noise floor for any other change.

    One row per number of topics: how often two disjoint sets of that size disagree on which of two systems is better;
    the difference in means from which on they rarely do, where at least 20 pairs differ so much; Kendall's tau between
    the rankings by the two sets; and the discriminative power: the share of pairs of systems that differ significantly
    by one set (paired t test, .05, uncorrected).

    `.plot()` draws the same numbers, and how often the two sets disagree by the difference of the two systems.

    Example: cranfield stability qrels.txt runs/*.gz -m AP

    Example: cranfield stability track.db --topics dev

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    measures : measure or iterable of measures
        The measures.
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
    rng : int or numpy.random.Generator, optional
        Random seed of the sets of topics, or a generator that draws it; 0 by default.
    pivot : bool
        Whether `.frame` has the taus, with a column for each measure.

    Returns
    -------
    Stability
        A row for each measure and number of topics. swap_rate and told_apart are shares of pairs of runs, difference is
        in the measure's unit, tau is between two disjoint sets of topics of that size.

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
