"""Precision-recall curves of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import InputError, argument_named_in_errors
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
from cranfield.options import Assessor, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.curves import LowestRelevant, Points, RecallRule
from cranfield.results import Result, TypesetTable, add_labellers_column

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.arrays.judged import Judged
else:
    Judged = lazy_type("cranfield.arrays.judged", "Judged")
    DataFrame = lazy_type("pandas", "DataFrame")


@dataclass(frozen=True, repr=False, eq=False)
class RecallCurve(Result):
    """Points of precision-recall curves. Columns: run, recall, precision; for raw curves also query_id and rank.

    Parameters
    ----------
    table : DataFrame
        A row for each point.
    judged : Judged
        The judged positions of the runs.
    rel : float
        The lowest relevant grade.
    is_wide : bool
        Whether `.frame` has a row for each recall point, and a column for each run.
    """

    table: DataFrame | None = None
    judged: Judged | None = None
    rel: float = 1
    is_wide: bool = False

    @property
    def is_raw(self) -> bool:
        """Whether there is a curve for each topic, not interpolated."""
        return self.points.columns[1] == "query_id"

    @property
    def points(self) -> DataFrame:
        """The table of points."""
        assert self.table is not None
        return self.table

    @property
    def n_rankings(self) -> int:
        """The number of rankings, including rankings without a relevant document."""
        return 0 if self.judged is None else len(self.judged.retrieved)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each point."""
        return [{str(name): cell for name, cell in row.items()} for row in self.points.to_dict("records")]

    def wide_rows(self, *, by_recall: bool) -> list[dict[str, Any]]:
        """Return a row for each recall point and a column for each run if `is_wide`; otherwise a row for each run."""
        rows, columns = ("recall", "run") if by_recall else ("run", "recall")
        wide = (
            self.points.assign(recall=self.points["recall"].map("{:.1f}".format))
            .pivot(index=rows, columns=columns, values="precision")
            .reset_index()
        )
        return [{str(name): value for name, value in row.items()} for row in wide.to_dict("records")]

    @property
    def typeset(self) -> TypesetTable:
        """A row for each run; for raw curves, a row for each point."""
        return TypesetTable(self.rows() if self.is_raw else self.wide_rows(by_recall=False))

    @property
    def frame(self) -> DataFrame:
        """The points as a new pandas DataFrame."""
        from cranfield.api.frames import pivot_table

        if self.is_wide:
            return pivot_table(self.points, ["recall"], "run", "precision")
        return add_labellers_column(self.points.copy(), self.context.left_out)

    def plot(self, ax: Any = None, *, runs: Sequence[str] = ()) -> Any:
        """Draw the curves, with `runs` as lines; by default the best, the median and the worst run."""
        require_extra("plot", "a plot")
        from cranfield.charts.scores import precision_recall_curves, topic_recall_curves
        from cranfield.metrics.evaluate import precision_recall

        if not self.is_raw:
            return precision_recall_curves(self.points, runs, ax)
        assert self.judged is not None
        return topic_recall_curves(self.points, precision_recall(self.judged, rel=self.rel), runs, ax)


@check_arguments
def curve(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    points: Points = "eleven",
    rule: RecallRule = None,
    rel: LowestRelevant = None,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    pivot: bool = False,
) -> RecallCurve:
    """Show the precision-recall curve of each run, interpolated or raw.

    Interpolated precision at recall x is the highest precision at the rank that reaches recall x, or at any later rank.
    `rule` decides how many relevant documents reach recall x. By default, the number is x times all relevant documents,
    rounded (halves up), as in trec_eval. For example, 1 of 3 relevant documents is enough for recall 0.4. The textbook
    rule (`rule` exact) requires 2 of 3 in this case, and its precision is never higher.

    With `points` raw, the curves are not interpolated: each topic has a point for each relevant document that the run
    found. `.plot()` draws the interpolated curves in one panel, and shades the range of the runs that are not drawn as
    lines. With `points` raw, it draws a panel for each run, with a line for each topic.

    Example: cranfield curve qrels.txt runs/*.gz --rule exact --plot curves.svg

    Example: cranfield curve track.db --format csv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form.
    points : {"eleven", "raw"}
        Interpolate at eleven recall points and average over topics, or show the raw curve of each topic.
    rule : {"trec_eval", "exact"}, optional
        The rule that decides when a recall point is reached (see the measure IPrec); trec_eval by default. Only for
        eleven points.
    rel : float, optional
        Lowest grade that counts as relevant; by default the store's, or 1.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).
    pivot : bool
        Whether `.frame` has a row for each recall point, and a column for each run.

    Returns
    -------
    RecallCurve
        Columns: run, recall and precision. Raw curves: run, query_id, rank, recall and precision.

    Raises
    ------
    InputError
        If the runs answer no judged topic, or `rel` is not a number.

    Examples
    --------
    >>> curve({"q": {"d2": 1}}, {"q": {"d1": 2.0, "d2": 1.0}}, points="raw").frame.values.tolist()
    [['run', 'q', 2, 1.0, 0.5]]
    """
    from cranfield.metrics.evaluate import precision_recall, topic_curves

    if points == "raw" and rule is not None:
        with argument_named_in_errors("rule"):
            raise InputError("applies only to interpolated curves; leave it out with --points raw")
    if rel is not None and not isfinite(rel):
        raise InputError(f"rel is {rel}; expected a grade, such as 0.5")
    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, chosen, function="curve", has_measures=False) as call:
        lowest = call.view.min_relevant if rel is None else rel
        found = call.view.scored_blocks.joined
        table = (
            topic_curves(found, rel=lowest) if points == "raw"
            else precision_recall(found, rel=lowest, rule=rule or "trec_eval")
        )  # fmt: skip
        return RecallCurve(
            table=table, judged=found, rel=lowest, is_wide=pivot and points != "raw", context=call.context("curve")
        )
