"""Pools of judged data: verify how they were made, and replay methods on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import ArgumentError, blaming_argument
from cranfield.extras import require
from cranfield.lazy import type_in
from cranfield.options import Assessor, Cluster, IgnoreOwnId, Labels, PolicyName, PoolNumber, Seed, Teams
from cranfield.options.given import JudgedBefore, OnlyTopics, Round, RoundJudgments
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
from cranfield.rng import seed_of
from cranfield.store.reading import SelectedPlace

if TYPE_CHECKING:
    from cranfield.pooling.replay import Trial
    from cranfield.pooling.simulate import Simulation
else:
    Simulation = type_in("cranfield.pooling.simulate", "Simulation")

MAX_SERIAL_WORK = 100_000  # retrieved documents of all replays, which are done before another process has started


class VerifiedPool(Result):
    """Whether pooling the runs again reproduces the judgments: what and found."""

    @property
    def typeset(self) -> TypesetTable:
        """The rows; numbers are text, because they are about different things."""
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
    """Check whether pooling the runs again reproduces the judgments; infer the depth and the contributing runs.

    With a stored pool its runs are used, with `teams` the runs marked as pooled. Otherwise the contributors are
    inferred: the depth is the one at which the runs without gaps explain the most judgments, and those runs are the
    contributors. A run with an unjudged document above that depth was not pooled; a run without one and without unique
    documents remains undecided. Gaps where scores tie across the depth do not count, and where some topics were judged
    otherwise, up to half of them are set aside: "runs without a gap" and "topics without a gap" count all of these.

    Documents with equal scores are ordered by docno descending, as in trec_eval. "tie rule" is the order that the pool
    itself used, where this can be inferred; for files their line order and rank column are tried as well, which a store
    does not keep.

    Example: cranfield pool verify qrels.txt runs/*.gz --teams teams.tsv

    Example: cranfield pool verify track.db

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form. The tie rule is tried on line order and rank column only if all are paths.
    teams : path or mapping, optional
        A file that states which runs were pooled, or the team of each run.
    depth : int, optional
        The pool's depth; inferred by default.
    labels : {"people", "models", "all"}
        Whose labels count.
    pool : int, optional
        Number of the stored pool; the newest by default.
    examples : int
        Number of exceptions of each kind to show.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy : str, optional
        Count only the labels of this assessor, or count by this policy where labels differ.

    Returns
    -------
    VerifiedPool
        Columns what and found.

    Raises
    ------
    InputError
        If no depth can be inferred, or active learning chose the documents of the stored pool and `depth` is not given.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> result = verify_pool({"q": {"d1": 1, "d2": 1}}, runs, depth=1)
    >>> result.frame.set_index("what")["found"]["depth"]
    1
    """
    from cranfield.analysis.pools import pool_closure
    from cranfield.analysis.reusability import refuse_active_learning
    from cranfield.arrays.selection import answered_topics
    from cranfield.formats.files import refuse_notes
    from cranfield.pooling.verify import summary

    options = ViewOptions(
        topics or "all", ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, options, function="verify_pool", takes_pool=True, has_measures=False) as call:
        refuse_active_learning(call.view, depth, "no depth or contributing runs explain its documents")
        respelled = answered_topics(call.view.judged).respelled_lines()
        refuse_notes(respelled)
        call.note(*respelled)
        closure, ties = pool_closure(call.view, depth)
        rows = [{"what": what, "found": found} for what, found in (*summary(closure, examples), *ties.rows())]
        document = {**closure._asdict(), "gaps": closure.gaps.to_json(), "ties": ties.to_json()}
        return VerifiedPool(rows, document=document, context=call.context("pooling.verify_pool"))


@dataclass(frozen=True, repr=False, eq=False)
class SimulatedPools(Result):
    """What pooling methods find within budgets, and what left-out systems lose: a row for each method and budget.

    Parameters
    ----------
    simulation : Simulation
        The replays.
    """

    display: ClassVar[Display] = CHANGES

    simulation: Simulation | None = None

    @property
    def headline(self) -> str:
        """Which method finds most at the largest budget, and with which left-out units change least."""
        from cranfield.pooling.simulate import headline

        assert self.simulation is not None
        return headline(self.simulation)

    def plot(self, ax: Any = None) -> Any:
        """Draw the relevant documents found by budget, and the bias."""
        require("plot", "a plot")
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
    """Replay pooling methods on judged data: what they find within a budget, and what left-out systems lose.

    Each method obtains the known judgments for the documents it asks for. Then each run or team is left out, the method
    is run again without it, and its own runs are scored with that pool: the change is the bias. Consider both: the
    method that finds the most is seldom the one with the least bias. "unjudged" counts documents that a method asked
    for and nobody had judged; they count as not relevant, so that many of them make that method look worse than it is.
    `.plot()` draws the relevant documents found by budget, and the bias.

    Example: cranfield pool simulate qrels.txt runs/*.gz --method rrf --method maxmean:credit=arm --budgets 50,100

    Example: cranfield pool simulate track.db --method mtf --budgets 100 --by team

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    methods : sequence of str, optional
        Names of methods, with options as "maxmean:credit=arm"; ten of them by default.
    budgets, total : sequence of int, optional
        Numbers of documents to judge per topic, or over all topics; 50, 100 and 200 per topic by default.
    by : {"run", "team"}
        The unit to leave out of the pool, one at a time.
    measure : measure
        The measure to score runs by.
    depth : int, optional
        The depth to which runs are considered; the judged pool's by default.
    batch : int
        Number of documents of a topic awaiting judgment at a time, for adaptive methods.
    rng : int or numpy.random.Generator, optional
        Random seed, or a generator that draws it; 0 by default.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.
    workers : int, optional
        Number of processes; 1 by default, since a script that starts more has to guard its main part. A command starts
        one per core by default, or one for little work. Results do not depend on it.
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
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
    SimulatedPools
        A row for each method and budget; documents are means over topics.

    Raises
    ------
    InputError
        If a method, its options and the budgets do not go together, or nobody knows which runs were pooled.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "b": 1.0}}, "c": {"q": {"b": 2.0, "d2": 1.0}}}
    >>> result = simulate_methods({"q": {"d1": 1, "b": 1, "d2": 0}}, runs, methods=["take"], budgets=[1], depth=2)
    >>> result.frame[["method", "budget", "relevant"]].values.tolist()
    [['take', 1, 1.0]]
    """
    from cranfield.analysis.contributors import with_contributors
    from cranfield.analysis.pools import simulation_of
    from cranfield.analysis.reusability import contributors
    from cranfield.pooling.simulate import BUDGETS, rows, title

    trials = _trials(methods, budgets, total)
    options = ViewOptions(
        topics or "all", ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, options, cluster=cluster, function="simulate_methods", takes_pool=True) as call:
        view = with_contributors(call.view, depth)
        who, is_command = contributors(view), isinstance(qrels, SelectedPlace)
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
            title(simulation),
            simulation.to_json(),
            call.context("pooling.simulate_methods"),
            simulation,
        )


def _trials(methods: Sequence[str] | None, budgets: Sequence[int] | None, total: Sequence[int] | None) -> list[Trial]:
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.methods import method_named
    from cranfield.pooling.simulate import DEFAULT, parse_trial

    if budgets and total:
        raise ArgumentError("give budgets per topic (--budgets) or over all topics (--total), not both")
    with blaming_argument("methods"):
        trials = [parse_trial(text) for text in methods or DEFAULT]
        for one in trials:
            method = method_named(one.method)
            method.fill_options(one.options)
            check_sizes(method, None if total else 1, 1 if total else None, options=one.options)
    return trials


def _n_cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
