"""How many topics it takes to find a difference."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.api.arguments import check_arguments
from cranfield.commands.comparison import open_compared
from cranfield.commands.subject import Subject
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.options import Assessor, Cluster, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.comparison import Alpha, ComparedMeasures, PlannedDifference
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.results import Result, TypesetTable


@dataclass(frozen=True, repr=False, eq=False)
class TopicPlan(Result):
    """How many topics a difference takes: a row for each measure.

    Parameters
    ----------
    difference : float
        The difference to find.
    alpha : float
        The significance level.
    """

    difference: float = 0.0
    alpha: float = 0.05

    @property
    def typeset(self) -> TypesetTable:
        """The rows, with blanks in the names of the columns."""
        return TypesetTable([{name.replace("_", " "): value for name, value in row.items()} for row in self.rows()])


@check_arguments
def plan_topics(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    measures: ComparedMeasures = None,
    *,
    difference: PlannedDifference,
    alpha: Alpha = 0.05,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    cluster: Cluster = None,
    subject: Subject | None = None,
) -> TopicPlan:
    """Estimate how many topics it takes to find a difference between two runs.

    Parameters
    ----------
    qrels : judgments, store, View or scores
        The judgments in any form; or, alone, a store, a View or a table of scores by topic.
    runs : runs, optional
        The runs in any form.
    measures : measure or iterable of measures, optional
        The measures; AP by default, all of a table of scores.
    difference : float
        The difference to find, in the measure's unit.
    alpha : float
        The significance level.
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
    subject : Subject, optional
        What to score instead of rankings; `cranfield.subjects` has the classes.

    Returns
    -------
    TopicPlan
        A row for each measure: topics (those at hand), residual_variance, deviation, difference, topics_needed, and
        detectable, the smallest difference that the topics at hand suffice for; NaN where no difference is so large.

    Raises
    ------
    InputError
        If a measure is defined for all runs on fewer than two topics.

    Examples
    --------
    >>> qrels = {topic: {"d": 1} for topic in "123456"}
    >>> best, second = {"d": 1.0}, {"e": 2.0, "d": 1.0}
    >>> runs = {"x": dict.fromkeys("123456", best), "y": dict.fromkeys("123", best) | dict.fromkeys("456", second)}
    >>> plan_topics(qrels, runs, "RR", difference=0.2).frame[["measure", "topics_needed"]].values.tolist()
    [['RR', 17]]
    """
    from cranfield.analysis.outcomes import CompareSetting
    from cranfield.metrics.significance.topic_set_size import plan

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, chosen, cluster=cluster, function="plan_topics") as call:
        opened = open_compared(call, CompareSetting(measures, alpha=alpha), subject)
        table = plan(opened.subject, difference=difference, measures=opened.measures, alpha=alpha)
        rows = [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]
        document = {"alpha": alpha, "power": 0.8, "difference": difference, "measures": rows}
        return TopicPlan(
            rows, document=document, context=call.context("plan_topics"), difference=difference, alpha=alpha
        )
