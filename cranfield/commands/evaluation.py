"""Scores of runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.commands.subject import Subject
from cranfield.errors import Note, UnjudgedWarning
from cranfield.extras import require_extra
from cranfield.formats.text_tables import as_json
from cranfield.lazy import lazy_type
from cranfield.options import (
    MEASURES,
    Assessor,
    Cluster,
    IgnoreOwnId,
    Labels,
    Measures,
    Option,
    PolicyName,
    Topics,
)
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.results import Result, TypesetTable, add_labellers_column, add_omissions

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.evaluation import Evaluation
else:
    Evaluation = lazy_type("cranfield.analysis.evaluation", "Evaluation")
    DataFrame = lazy_type("pandas", "DataFrame")


PerTopic = Annotated[
    bool, Option("Show the score of each topic, followed by the run's mean ('all').", "--per-topic", "-q")
]
OwnTopicsOnly = Annotated[bool, Option("Average only over topics for which the run retrieved documents.")]
JudgedDepth = Annotated[
    int | None,
    Option(
        "Depth of the judged share, for measures without a cutoff. [default: pool depth, otherwise 10]",
        min=1,
    ),
]


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Result):
    """Scores of runs. `rows()` returns the printed rows, one for each run. `.frame` has a row for each score.

    Parameters
    ----------
    evaluated : Evaluation
        The scores by topic, and the topics over which the means are taken.
    per_topic : bool
        Whether to show each topic.
    is_wide : bool
        Whether `.frame` has a column for each measure.
    """

    evaluated: Evaluation | None = None
    per_topic: bool = False
    is_wide: bool = False

    @property
    def undefined_shares(self) -> str:
        """The note that the qrels list only relevant documents; otherwise empty."""
        from cranfield.analysis.evaluation import undefined_shares

        return undefined_shares(self._parts.scores)

    @cached_property
    def printed(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The rows with a column for each measure, and the JSON document."""
        from cranfield.analysis.evaluation import evaluation

        scores, measures, topic_mask, _ = self._parts
        return evaluation(scores, measures, self.per_topic, topic_mask)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows that the command prints, the best run first."""
        return [dict(row) for row in self.printed[0]]

    @property
    def typeset(self) -> TypesetTable:
        """The rows. A run that did not answer all topics has a second row, with means over the topics that it
        answered."""
        from cranfield.analysis.evaluation import with_own_means

        rows, document = self.printed
        return TypesetTable(rows if self.per_topic else list(with_own_means(rows, document)))

    def to_json(self) -> str:
        """Return the text that the command prints with `--format json`."""
        return as_json(add_omissions(self.printed[1], self.context.left_out))

    @property
    def topic_document(self) -> dict[str, Any]:
        """The JSON document with the scores of each topic."""
        from cranfield.analysis.evaluation import evaluation

        scores, measures, topic_mask, _ = self._parts
        return evaluation(scores, measures, True, topic_mask)[1]

    @property
    def _parts(self) -> Evaluation:
        assert self.evaluated is not None
        return self.evaluated

    @property
    def frame(self) -> DataFrame:
        """The scores as a new pandas DataFrame: run, measure, value and judged, with query_id if scores are by
        topic."""
        from cranfield.api.frames import pivot_table
        from cranfield.metrics.evaluate import run_table, topic_table

        scores, measures, topic_mask, _ = self._parts
        if self.per_topic:
            table = topic_table(scores, measures, topic_mask)
        else:
            shares = scores.judged_shares
            judged_shares = None if shares is None else shares.means(topic_mask)
            table = run_table(scores.tags, measures, scores.means(measures, topic_mask), judged_shares)
        keys = ["run", "query_id"] if self.per_topic else ["run"]
        left_out = self.context.left_out
        return pivot_table(table, keys, "measure", "value") if self.is_wide else add_labellers_column(table, left_out)

    def plot(self, ax: Any = None) -> Any:
        """Draw the scores of each run over topics, with a panel for each measure."""
        require_extra("plot", "a plot")
        from cranfield.charts.scores import score_distribution
        from cranfield.metrics.evaluate import topic_table

        scores, measures, topic_mask, _ = self._parts
        return score_distribution(topic_table(scores, measures, topic_mask), ax=ax)


@check_arguments
def evaluate(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    measures: Measures = MEASURES,
    *,
    per_topic: PerTopic = False,
    retrieved_topics_only: OwnTopicsOnly = False,
    depth: JudgedDepth = None,
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
) -> Scores:
    """Score runs against judgments.

    Means are over the topics of the judgments. A topic that a run did not answer counts as an empty ranking. Such a run
    has a second row in the table, with means over the topics that it answered. The table is sorted by the first
    measure. `.plot()` draws the scores of each run over topics, with a panel for each measure.

    Judged@k is the judged share of the first k documents, where k is the measure's cutoff. Read it before the score.
    Unjudged documents count as not relevant.

    Generated answers are scored by their labels. A topic that a run did not answer counts as an empty answer. If a
    label failed or is missing, the score and the run's mean are NaN. Human labels count if there are any; otherwise
    model labels count. The two are never mixed.

    Example: cranfield evaluate qrels.txt runs/*.gz -m AP -m P@10

    Example: cranfield evaluate track.db --per-topic --output scores.csv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments: a path, a dict {query_id: {doc_id: grade}}, a DataFrame, or another form that `help(cranfield)`
        lists. If you pass a store or a View, leave out `runs`.
    runs : runs, optional
        One or several runs: a dict {query_id: {doc_id: score}} or {name: run}, a DataFrame, a path, a folder, or a list
        of paths such as `sorted(Path("runs").glob("*.run"))`. A dict may mix forms: {"a": "a.run", "rrf": fused}.
    measures : measure or iterable of measures
        Measure names or objects, including objects of ir_measures. `cranfield.metrics.list_measures()` lists the names.
        Names of other tools are accepted (map, ndcg_cut_10); the frame has Cranfield's names (AP, nDCG@10). A measure
        may state its lowest relevant grade. Otherwise the store's lowest relevant grade counts, or 1 without a store.
        Ties are broken as in trec_eval.
    per_topic : bool
        Score each topic.
    retrieved_topics_only : bool
        Average only over the topics for which the run retrieved documents.
    depth : int, optional
        Cutoff of the judged share for measures without a cutoff; by default the pool's depth, or 10.
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
        Whether `.frame` has a column for each measure.
    subject : Subject, optional
        What to score instead of rankings, as an instance of a class in `cranfield.subjects`.

    Returns
    -------
    Scores
        `.frame` has the columns run, measure, value and judged, and query_id if scores are by topic. Runs keep their
        order; runs in a folder are in the order of file names. The column judged is the judged share of the first k
        documents, or NaN if the qrels list only relevant documents. The column labels_of names the assessors or models
        whose labels were used, if that is not obvious.

    Raises
    ------
    InputError
        If runs and judgments have no topic in common, or cannot be read.
    MeasureError
        If a measure is unknown.

    See Also
    --------
    cranfield.compare : Test the differences between runs.
    cranfield.Evaluator : Score runs one at a time, as in a training loop.
    cranfield.metrics.register : Add a measure of your own.
    cranfield.plot : Draw figures of the scores.

    Examples
    --------
    >>> run = {"q1": {"d2": 2.0, "d1": 1.0}}
    >>> evaluate({"q1": {"d1": 1, "d2": 0}}, run, "nDCG@10").frame
       run  measure    value  judged
    0  run  nDCG@10  0.63093     1.0

    Two runs, by topic as well:

    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 1}}
    >>> runs = {"a": {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}, "b": {"q1": {"d1": 1.0}}}
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # b did not answer q2
    ...     evaluate(qrels, runs, measures="AP").frame
    ...     evaluate(qrels, runs, measures="AP", topics="common").frame
    ...     evaluate(qrels, runs, measures=["AP", "P@1"], per_topic=True, pivot=True).frame
      run measure  value  judged
    0   a      AP    0.5     0.5
    1   b      AP    0.5     1.0
      run measure  value  judged
    0   a      AP    1.0     1.0
    1   b      AP    1.0     1.0
                   AP  P@1
    run query_id
    a   q1        1.0  1.0
        q2        0.0  0.0
    b   q1        1.0  1.0
        q2        0.0  0.0
    """
    from cranfield.analysis.evaluation import (
        ScoreSetting,
        evaluation_with_notes,
        refuse_topic_all,
        score_rankings,
        undefined_shares,
    )
    from cranfield.metrics.measures.counts import JUDGED

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, release)
    with open_view(qrels, runs, chosen, cluster=cluster, function="evaluate") as call:
        setting = ScoreSetting(measures, depth, retrieved_topics_only)
        scored = subject.score(call.view, setting) if subject else score_rankings(call.view, setting)
        evaluated = evaluation_with_notes(call.view, setting, scored)
        if per_topic and call.is_command:
            refuse_topic_all(evaluated.scores)
        call.note(*evaluated.notes)
        if any(one.name == JUDGED.name for one in evaluated.measures) and (line := undefined_shares(evaluated.scores)):
            call.note(Note(line, UnjudgedWarning))
        return Scores(
            context=call.context("evaluate"), evaluated=evaluated, per_topic=per_topic,
            is_wide=pivot,
        )  # fmt: skip
