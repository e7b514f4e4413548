"""Assessors simulated on known judgments, before any are paid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.lazy import lazy_type
from cranfield.options import Labels, Measures, seed_of
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.judging import (
    ComparedPolicies,
    RehearsalSeed,
    RehearsedDepth,
    RehearsedOverlap,
    RehearsedTopics,
    Repeats,
    SecondsPerJudgment,
    SimulatedAssessors,
)
from cranfield.results import Result

if TYPE_CHECKING:
    from cranfield.judging.planning.rehearsal import Rehearsal, RehearsalSetting
else:
    Rehearsal = lazy_type("cranfield.judging.planning.rehearsal", "Rehearsal")
    RehearsalSetting = lazy_type("cranfield.judging.planning.rehearsal", "RehearsalSetting")


@dataclass(frozen=True, repr=False, eq=False)
class RehearsalResult(Result):
    """Cost of a judging plan, and effect of each policy. One row per policy and
    measure.

    Parameters
    ----------
    outcome : Rehearsal
        Plan, agreement and rankings.
    setting : RehearsalSetting
        Description of the simulation.
    content : dict
        The JSON document.
    repeats : int
        Number of simulations.
    """

    outcome: Rehearsal = field(kw_only=True)
    setting: RehearsalSetting = field(kw_only=True)
    content: dict[str, Any] = field(kw_only=True)
    repeats: int = field(kw_only=True)


@check_arguments
def rehearse(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    simulate: SimulatedAssessors = ("strict", "lenient", "tired"),
    overlap: RehearsedOverlap = 0.1,
    depth: RehearsedDepth = None,
    seconds: SecondsPerJudgment = 80.0,
    policies: ComparedPolicies = ("primary", "median-low", "mean-rounded", "min", "max"),
    measures: Measures = ("AP", "nDCG@10"),
    labels: Labels = "all",
    repeats: Repeats = 10,
    rng: RehearsalSeed = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    topics: RehearsedTopics = None,
) -> RehearsalResult:
    """Simulate assessors to plan judging before it costs anything.

    The output shows the hours needed, the expected agreement, and each policy's effect on the ranking of the systems.
    Nothing is stored. The given judgments are assumed to be true. Simulated errors are independent, but people's errors
    are correlated on hard topics, so the result is a best case.

    Example: cranfield rehearse qrels.txt runs/*.gz --simulate strict --simulate lenient:0.1 --overlap 0.2

    Example: cranfield rehearse track.db --overlap 10%

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form.
    simulate : sequence of str
        Simulated assessors: oracle, strict, lenient, tired or random, optionally with an error rate, such as
        "tired:0.1".
    overlap : float
        Share of documents that all assessors judge, from 0 to 1.
    depth : int, optional
        Depth to which the runs' documents are used; by default, all judged documents are used.
    seconds : float
        Seconds per judgment.
    policies : sequence of str
        Policies to compare.
    measures : measure or iterable of measures
        Measures by which systems are ranked.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels are assumed to be true (stores only).
    repeats : int
        Number of simulations.
    rng : int or numpy.random.Generator, optional
        Random seed, or a generator that draws the seed; 0 by default.
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids. All topics by default.

    Returns
    -------
    RehearsalResult
        One row per policy and measure, with the change in the ranking of the systems. Most columns, such as tau, are
        means over the simulations. The columns tau_min and max_change contain the worst values.

    Raises
    ------
    InputError
        If a simulated assessor or a policy is unknown.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d1": 1.0}}}
    >>> qrels = {"q": {"d1": 1, "d2": 0}}
    >>> found = rehearse(qrels, runs, simulate=["oracle"], policies=["min"], measures="AP", repeats=1)
    >>> found.frame[["policy", "measure", "tau"]].values.tolist()
    [['min', 'AP', 1.0]]
    """
    from cranfield.analysis.pools import RehearsalRequest, rehearsal

    chosen = ViewOptions(topics or "all", labels=labels, round=round, judged=judged, remove_judged=remove_judged)
    with open_view(qrels, runs, chosen, function="rehearse") as call:
        request = RehearsalRequest(
            simulate, overlap, depth, seconds, policies, measures, repeats, seed_of(rng, min_seed=0)
        )
        call.view.refuse_undecided_labels()
        outcome, document, setting = rehearsal(call.view, request)
        return RehearsalResult(
            document["systems"], document=document, context=call.context("judging.rehearse"), outcome=outcome,
            setting=setting, content=document, repeats=repeats,
        )  # fmt: skip
