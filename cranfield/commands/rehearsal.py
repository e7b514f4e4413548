"""Assessors simulated on known judgments, before any are paid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.lazy import type_in
from cranfield.options import Labels, Measures
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
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
from cranfield.rng import seed_of

if TYPE_CHECKING:
    from cranfield.judging.planning.rehearsal import Rehearsal, RehearsalSetting
else:
    Rehearsal = type_in("cranfield.judging.planning.rehearsal", "Rehearsal")
    RehearsalSetting = type_in("cranfield.judging.planning.rehearsal", "RehearsalSetting")


@dataclass(frozen=True, repr=False, eq=False)
class RehearsalResult(Result):
    """What a judging plan would cost, and what each policy would change: a row for each policy and measure.

    Parameters
    ----------
    outcome : Rehearsal
        The plan, the agreement and the rankings.
    setting : RehearsalSetting
        What was simulated.
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
    """Simulate assessors before any are paid: cost, expected agreement, and effect of policies. Nothing is stored.

    The given judgments are taken as the truth. The output shows the hours needed, the agreement to expect, and the
    effect of each policy on the ranking of the systems. Simulated errors are independent, while people err together on
    hard topics, so treat the result as the best case.

    Example: cranfield rehearse qrels.txt runs/*.gz --simulate strict --simulate lenient:0.1 --overlap 0.2

    Example: cranfield rehearse track.db --overlap 10%

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    simulate : sequence of str
        The simulated assessors: oracle, strict, lenient, tired or random, with the error rate, such as "tired:0.1".
    overlap : float
        Share of documents that all assessors judge, from 0 to 1.
    depth : int, optional
        Use only documents that the runs retrieve to this depth.
    seconds : float
        Seconds per judgment.
    policies : sequence of str
        The policies to compare.
    measures : measure or iterable of measures
        The measures by which systems are ranked.
    labels : {"people", "models", "all"}
        Of a store: whose labels are taken as the truth.
    repeats : int
        Number of simulations.
    rng : int or numpy.random.Generator, optional
        Random seed, or a generator that draws it; 0 by default.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.
    topics : str, optional
        A topic set of the store, or the file of a list; by default all topics.

    Returns
    -------
    RehearsalResult
        A row for each policy and measure: how far the ranking of the systems moves. tau and the other columns are means
        over the repeats, tau_min and max_change the worst of them.

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
        outcome, document, setting = rehearsal(call.view.select_settled_labellers(), request)
        return RehearsalResult(
            document["systems"], document=document, context=call.context("judging.rehearse"), outcome=outcome,
            setting=setting, content=document, repeats=repeats,
        )  # fmt: skip
