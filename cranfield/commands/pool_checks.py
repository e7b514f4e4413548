"""Pools of judged data: verify how they were made, and replay methods on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import ArgumentError, argument_named_in_errors
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
from cranfield.options import Assessor, Cluster, IgnoreOwnId, Labels, PolicyName, PoolNumber, Seed, Teams, seed_of
from cranfield.options.arguments import JudgedBefore, OnlyTopics, Round, RoundJudgments, check_arguments
from cranfield.options.pools import (
    BatchOfReplay,
    BudgetsToReplay,
    Examples,
    LeftOutUnit,
    MeasureOfReplay,
    MethodsToReplay,
    PoolDepthToVerify,
    ReplayDepth,
    TotalsToReplay,
    Workers,
)
from cranfield.results import CHANGES, Display, Result, TypesetTable
from cranfield.store.reading import SelectedPlace

if TYPE_CHECKING:
    from cranfield.pooling.replay import Trial
    from cranfield.pooling.simulate import Simulation
else:
    Simulation = lazy_type("cranfield.pooling.simulate", "Simulation")

MAX_SERIAL_WORK = 100_000  # retrieved documents of all replays, which are done before another process has started


class VerifiedPool(Result):
    """Result of pooling the runs again. Columns: what and found."""

    @property
    def typeset(self) -> TypesetTable:
        """The rows, with numbers as text because their units differ."""
        return TypesetTable([{"what": row["what"], "found": str(row["found"])} for row in self.rows()])


@check_arguments
def verify_pool(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    teams: Teams = None,
    depth: PoolDepthToVerify = None,
    labels: Labels = "all",
    pool: PoolNumber = None,
    examples: Examples = 5,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
) -> VerifiedPool:
    """Check whether pooling the runs again reproduces the judgments.

    If the store has a pool, the pool's own runs are used. With `teams`, the runs marked as pooled are used. Otherwise
    the command infers the depth and the contributing runs. It chooses the depth at which the runs without gaps explain
    the most judgments, and takes these runs as the contributors. A run with an unjudged document within the depth was
    not pooled. A run without gaps and without unique documents remains undecided. Gaps where scores tie at the depth do
    not count. If some topics were judged in another way, up to half of the topics are set aside. The rows "runs without
    a gap" and "topics without a gap" count all runs and topics.

    Documents with equal scores are ordered by descending docno, as in trec_eval. The row "tie rule" shows the order
    that the pool itself used, if it can be inferred. For files, the command also tries the line order and the rank
    column; a store does not keep these.

    Example: cranfield pool verify qrels.txt runs/*.gz --teams teams.tsv

    Example: cranfield pool verify track.db

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form. The line order and the rank column are tried as tie rules only if all runs are paths.
    teams : path or mapping, optional
        A table file with the runs' teams and whether they were pooled, or a mapping from run to team.
    depth : int, optional
        Pool depth; inferred by default.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count.
    pool : int, optional
        Number of the stored pool; the newest by default.
    examples : int
        Number of exceptions of each kind to show.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy : str, optional
        The assessor whose labels count, or the policy for documents with differing labels.

    Returns
    -------
    VerifiedPool
        Columns what and found.

    Raises
    ------
    InputError
        If no depth can be inferred, or active learning built the stored pool and `depth` is not given.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> result = verify_pool({"q": {"d1": 1, "d2": 1}}, runs, depth=1)
    >>> result.frame.set_index("what")["found"]["depth"]
    1
    """
    from cranfield.analysis.pools import pool_closure
    from cranfield.analysis.reusability import refuse_active_learning
    from cranfield.arrays.selection import topics_answered_by_run
    from cranfield.formats.files import fail_on_notes
    from cranfield.pooling.verify import summary

    options = ViewOptions(
        topics or "all", ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, options, function="verify_pool", takes_pool=True, has_measures=False) as call:
        refuse_active_learning(call.view, depth, "no depth or contributing runs explain its documents")
        respelled = topics_answered_by_run(call.view.judged).respelled_lines()
        fail_on_notes(respelled)
        call.note(*respelled)
        closure, ties = pool_closure(call.view, depth)
        rows = [{"what": what, "found": found} for what, found in (*summary(closure, examples), *ties.rows())]
        document = {**closure._asdict(), "gaps": closure.gaps.to_json(), "ties": ties.to_json()}
        return VerifiedPool(rows, document=document, context=call.context("pooling.verify_pool"))


@dataclass(frozen=True, repr=False, eq=False)
class SimulatedPools(Result):
    """Documents found by pooling methods, and the bias against left-out systems. One row per method and budget.

    Parameters
    ----------
    simulation : Simulation
        The simulated pools.
    """

    display: ClassVar[Display] = CHANGES

    simulation: Simulation | None = None

    @property
    def headline(self) -> str:
        """A sentence that names the best methods at the largest budget: by relevant documents found, and by bias."""
        from cranfield.pooling.simulate import simulation_headline

        assert self.simulation is not None
        return simulation_headline(self.simulation)

    def plot(self, ax: Any = None) -> Any:
        """Plot the number of relevant documents found and the bias, by budget."""
        require_extra("plot", "a plot")
        from cranfield.charts.pools import simulation_plot

        assert self.simulation is not None
        return simulation_plot(self.simulation, ax)


@check_arguments
def simulate_methods(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    methods: MethodsToReplay = None,
    budgets: BudgetsToReplay = None,
    total: TotalsToReplay = None,
    by: LeftOutUnit = "run",
    measure: MeasureOfReplay = "AP",
    depth: ReplayDepth = None,
    batch: BatchOfReplay = 1,
    rng: Seed = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    workers: Workers = None,
    cluster: Cluster = None,
    teams: Teams = None,
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    pool: PoolNumber = None,
) -> SimulatedPools:
    """Replay pooling methods on judged data, and compare yield and bias.

    Each method requests documents and receives their known judgments. The yield is the number of relevant documents
    that it finds. To measure the bias, the command builds the pool again without each run or team in turn. It then
    scores the left-out runs with the new pool. The bias is the change in their scores. Consider both yield and bias:
    the method with the highest yield rarely has the smallest bias.

    The column "unjudged" counts the requested documents that nobody judged. These documents count as not relevant, so a
    method that requests many of them looks worse than it is. `.plot()` draws the yield for each budget, and the bias.

    Example: cranfield pool simulate qrels.txt runs/*.gz --method rrf --method maxmean:credit=arm --budgets 50,100

    Example: cranfield pool simulate track.db --method mtf --budgets 100 --by team

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form.
    methods : sequence of str, optional
        Method names, if needed with options, such as "maxmean:credit=arm"; ten methods by default.
    budgets, total : sequence of int, optional
        Number of documents to judge per topic, or over all topics; 50, 100 and 200 per topic by default.
    by : {"run", "team"}
        Unit to leave out of the pool, one at a time.
    measure : measure
        Measure to score runs by.
    depth : int, optional
        Depth to which runs are considered; by default the depth of the judged pool.
    batch : int
        Number of unjudged documents per topic in each batch of an adaptive method.
    rng : int or numpy.random.Generator, optional
        Random seed, or a generator that draws the seed; 0 by default.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    workers : int, optional
        Number of processes, which does not affect the results. The default is 1, because a script that starts more
        processes must guard its main part. A command starts one process per core by default, or one for small inputs.
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
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
    SimulatedPools
        One row per method and budget. Numbers of documents are means over topics.

    Raises
    ------
    InputError
        If a method, its options and the budgets are incompatible, or the pooled runs are unknown.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "b": 1.0}}, "c": {"q": {"b": 2.0, "d2": 1.0}}}
    >>> result = simulate_methods({"q": {"d1": 1, "b": 1, "d2": 0}}, runs, methods=["take"], budgets=[1], depth=2)
    >>> result.frame[["method", "budget", "relevant"]].values.tolist()
    [['take', 1, 1.0]]
    """
    from cranfield.analysis.contributors import with_contributors
    from cranfield.analysis.pools import simulation_of
    from cranfield.analysis.reusability import require_contributors
    from cranfield.pooling.simulate import BUDGETS, rows, simulation_title

    trials = _trials(methods, budgets, total)
    options = ViewOptions(
        topics or "all", ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, options, cluster=cluster, function="simulate_methods", takes_pool=True) as call:
        view = with_contributors(call.view, depth)
        who, is_command = require_contributors(view), isinstance(qrels, SelectedPlace)
        are_all_inferred = who.known_by == "judgments" and not (who.others or who.undecided)
        if is_command or not are_all_inferred:  # in Python nobody needs to know that all were pooled
            call.note(*who.notes)
        if workers is None:
            work = len(view.runs) * len(trials) * (1 + len(view.runs.tags))  # documents, or fewer
            workers = _n_cores() if is_command and work > MAX_SERIAL_WORK else 1
        sizes = total or budgets or BUDGETS
        simulation = simulation_of(
            view, trials, sizes, is_total=total is not None, depth=depth, measure=measure, by=by, batch=batch,
            seed=seed_of(rng, min_seed=0), workers=workers,
        )  # fmt: skip
        return SimulatedPools(
            rows(simulation),
            simulation_title(simulation),
            simulation.to_json(),
            call.context("pooling.simulate_methods"),
            simulation,
        )


def _trials(methods: Sequence[str] | None, budgets: Sequence[int] | None, total: Sequence[int] | None) -> list[Trial]:
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.methods import method_named
    from cranfield.pooling.simulate import DEFAULT, parse_trial

    if budgets and total:
        raise ArgumentError("expected budgets either per topic (--budgets) or for all topics together (--total)")
    with argument_named_in_errors("methods"):
        trials = [parse_trial(text) for text in methods or DEFAULT]
        for one in trials:
            method = method_named(one.method)
            method.fill_options(one.options)
            check_sizes(method, None if total else 1, 1 if total else None, options=one.options)
    return trials


def _n_cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
