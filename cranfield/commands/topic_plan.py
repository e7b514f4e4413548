"""How many topics it takes to find a difference."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.commands.comparison import open_compared
from cranfield.commands.subject import Subject
from cranfield.options import Assessor, Cluster, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.comparison import Alpha, ComparedMeasures, PlannedDifference
from cranfield.results import Result, TypesetTable


@dataclass(frozen=True, repr=False, eq=False)
class TopicPlan(Result):
    """Number of topics needed to find a difference, with one row per measure.

    Parameters
    ----------
    difference : float
        Difference to find.
    alpha : float
        Significance level.
    """

    difference: float = 0.0
    alpha: float = 0.05

    @property
    def typeset(self) -> TypesetTable:
        """The rows, with spaces instead of underscores in the column names."""
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
    """Estimate how many topics are needed to find a difference between two runs.

    Parameters
    ----------
    qrels : judgments, store, View or scores
        The judgments in any form. Without `runs`, a store, a View or a table of scores by topic.
    runs : runs, optional
        The runs in any form.
    measures : measure or iterable of measures, optional
        Measures; AP by default, or all measures in a table of scores.
    difference : float
        Difference to find, in the measure's unit.
    alpha : float
        Significance level.
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
    subject : Subject, optional
        What to score instead of rankings, as an instance of a class in `cranfield.subjects`.

    Returns
    -------
    TopicPlan
        One row per measure. Columns: topics (number of available topics), residual_variance, deviation, difference,
        topics_needed and detectable. The column detectable is the smallest difference that can be found with the
        available topics, or NaN if no difference is large enough.

    Raises
    ------
    InputError
        If the measure is defined for all runs on fewer than two topics.

    Examples
    --------
    >>> qrels = {topic: {"d": 1} for topic in "123456"}
    >>> best, second = {"d": 1.0}, {"e": 2.0, "d": 1.0}
    >>> runs = {"x": dict.fromkeys("123456", best), "y": dict.fromkeys("123", best) | dict.fromkeys("456", second)}
    >>> plan_topics(qrels, runs, "RR", difference=0.2).frame[["measure", "topics_needed"]].values.tolist()
    [['RR', 17]]
    """
    from cranfield.analysis.outcomes import CompareSetting
    from cranfield.metrics.significance.topic_set_size import plan_topic_count

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, chosen, cluster=cluster, function="plan_topics") as call:
        opened = open_compared(call, CompareSetting(measures, alpha=alpha), subject)
        table = plan_topic_count(opened.subject, difference=difference, measures=opened.measures, alpha=alpha)
        rows = [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]
        document = {"alpha": alpha, "power": 0.8, "difference": difference, "measures": rows}
        return TopicPlan(
            rows, document=document, context=call.context("plan_topics"), difference=difference, alpha=alpha
        )
