"""Scores of runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.subject import Subject
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import Note, UnjudgedWarning
from cranfield.extras import require
from cranfield.formats.text_tables import as_json
from cranfield.lazy import type_in
from cranfield.options import MEASURES, Assessor, Cluster, IgnoreOwnId, Labels, Measures, PolicyName, Topics
from cranfield.options.evaluation import JudgedDepth, OwnTopicsOnly, PerTopic
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.results import Result, TypesetTable, with_labellers, with_omissions

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.evaluation import Evaluation
else:
    Evaluation = type_in("cranfield.analysis.evaluation", "Evaluation")
    DataFrame = type_in("pandas", "DataFrame")


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Result):
    """Scores of runs: `rows()` has a row for each run, as the command prints them; `.frame` has one for each score.

    Parameters
    ----------
    evaluated : Evaluation
        The scores by topic, and the topics that count.
    per_topic : bool
        Whether each topic is shown.
    is_wide : bool
        Whether `.frame` has a column for each measure.
    """

    evaluated: Evaluation | None = None
    per_topic: bool = False
    is_wide: bool = False

    @property
    def undefined_shares(self) -> str:
        """The note on qrels that list relevant documents only; empty for others."""
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
        """The rows; below the row of a run that did not answer all topics stand its means over those that it did."""
        from cranfield.analysis.evaluation import with_own_means

        rows, document = self.printed
        return TypesetTable(rows if self.per_topic else list(with_own_means(rows, document)))

    def to_json(self) -> str:
        """Return the text that the command prints with `--format json`."""
        return as_json(with_omissions(self.printed[1], self.context.left_out))

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
        """The scores as a new pandas DataFrame: run, measure, value and judged; by topic also query_id."""
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
        return pivot_table(table, keys, "measure", "value") if self.is_wide else with_labellers(table, left_out)

    def plot(self, ax: Any = None) -> Any:
        """Draw the scores of each run over topics, with a panel for each measure."""
        require("plot", "a plot")
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

    Means are over the topics of the judgments: a topic that is missing from a run counts as an empty ranking. The
    printed table is sorted by the first measure. It gives such a run a second row, with means over the topics that the
    run answered. `.plot()` draws the scores of each run over topics, with a panel for each measure.

    Judged@k is the share of the first k documents that were judged: k is the cutoff of each measure. Read it before
    the score. Unjudged documents count as not relevant.

    Generated answers are scored by their labels. A topic that a run does not answer counts as an empty answer. A label
    that failed or is missing makes a score NaN, and the mean of its run; people's labels count where there are any,
    otherwise models', never both.

    Example: cranfield evaluate qrels.txt runs/*.gz -m AP -m P@10

    Example: cranfield evaluate track.db --per-topic --output scores.csv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments: a path, a dict {query_id: {doc_id: grade}}, a DataFrame, or another form that `help(cranfield)`
        lists; or a store or a View, which stands alone.
    runs : runs, optional
        One run or several: a dict {query_id: {doc_id: score}} or {name: run}, a DataFrame, a path, a folder, or a list
        of paths, such as `sorted(Path("runs").glob("*.run"))`. A dict may mix forms: {"a": "a.run", "rrf": fused}.
    measures : measure or iterable of measures
        Names, or measure objects, including those of ir_measures; `cranfield.metrics.list_measures()` lists them. Names
        of other tools work (map, ndcg_cut_10); the frame has Cranfield's names (AP, nDCG@10). Unless a measure says
        which grades are relevant, the store's scale does; without a store, grades from 1 are relevant. Ties are broken
        as in trec_eval.
    per_topic : bool
        Score each topic.
    retrieved_topics_only : bool
        Average only over the topics for which the run retrieved documents.
    depth : int, optional
        Rank to which the judged share is shown for measures without a cutoff; by default the pool's depth, or 10.
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
    release : str, optional
        The name of a release of the store.
    pivot : bool
        Whether `.frame` has a column for each measure.
    subject : Subject, optional
        What to score instead of rankings; `cranfield.subjects` has the classes.

    Returns
    -------
    Scores
        `.frame` has the columns run, measure, value and judged, by topic also query_id. Runs keep the order in which
        they were given (of a folder: by file name); the printed table is sorted by the first measure. judged is the
        share of the first k documents that were judged; it is NaN where the qrels list relevant documents only.
        labels_of says whose labels scored, where that is a question.

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
    from cranfield.analysis.evaluation import ScoreSetting, evaluate_view, refuse_topic_all, undefined_shares
    from cranfield.metrics.measures.counts import JUDGED

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, release)
    with open_view(qrels, runs, chosen, cluster=cluster, function="evaluate") as call:
        setting = ScoreSetting(measures, depth, retrieved_topics_only)
        evaluated = evaluate_view(call.view, setting, subject.score if subject else None)
        if per_topic and call.is_command:
            refuse_topic_all(evaluated.scores)
        call.note(*evaluated.notes)
        if any(one.name == JUDGED.name for one in evaluated.measures) and (line := undefined_shares(evaluated.scores)):
            call.note(Note(line, UnjudgedWarning))
        return Scores(
            context=call.context("evaluate"), evaluated=evaluated, per_topic=per_topic,
            is_wide=pivot,
        )  # fmt: skip
