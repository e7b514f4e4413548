"""Precision-recall curves of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import InputError, blaming_argument
from cranfield.extras import require
from cranfield.lazy import type_in
from cranfield.options import Assessor, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.curves import LowestRelevant, Points, RecallRule
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.results import Result, TypesetTable, with_labellers

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.arrays.judged import Judged
else:
    Judged = type_in("cranfield.arrays.judged", "Judged")
    DataFrame = type_in("pandas", "DataFrame")


@dataclass(frozen=True, repr=False, eq=False)
class RecallCurve(Result):
    """Points of precision-recall curves: run, recall, precision; raw curves also have query_id and rank.

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
        """Whether the curves are of topics, and not interpolated."""
        return self.points.columns[1] == "query_id"

    @property
    def points(self) -> DataFrame:
        """The table of points."""
        assert self.table is not None
        return self.table

    @property
    def n_rankings(self) -> int:
        """The number of rankings, including those that find no relevant document."""
        return 0 if self.judged is None else len(self.judged.retrieved)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each point."""
        return [{str(name): cell for name, cell in row.items()} for row in self.points.to_dict("records")]

    def wide_rows(self, *, by_recall: bool) -> list[dict[str, Any]]:
        """Return a row for each recall point and a column for each run; otherwise a row for each run."""
        rows, columns = ("recall", "run") if by_recall else ("run", "recall")
        wide = (
            self.points.assign(recall=self.points["recall"].map("{:.1f}".format))
            .pivot(index=rows, columns=columns, values="precision")
            .reset_index()
        )
        return [{str(name): value for name, value in row.items()} for row in wide.to_dict("records")]

    @property
    def typeset(self) -> TypesetTable:
        """A row for each run; of raw curves, for each point."""
        return TypesetTable(self.rows() if self.is_raw else self.wide_rows(by_recall=False))

    @property
    def frame(self) -> DataFrame:
        """The points as a new pandas DataFrame."""
        from cranfield.api.frames import pivot_table

        if self.is_wide:
            return pivot_table(self.points, ["recall"], "run", "precision")
        return with_labellers(self.points.copy(), self.context.left_out)

    def plot(self, ax: Any = None, *, runs: Sequence[str] = ()) -> Any:
        """Draw the curves; `runs` are drawn as lines, by default the best, the median and the worst."""
        require("plot", "a plot")
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
    """Show the precision-recall curve of each run, interpolated at 11 recall points or raw.

    Interpolated precision at recall x is the highest precision at any rank at or below the one where the share x of the
    R relevant documents is found. trec_eval, and therefore the default, rounds x R, halves up: with 1 of 3 found,
    recall .4 is reached. The textbook rule, `rule` exact, requires 2 of 3 there, and never gives a higher value.
    `points` raw does not interpolate: it has a point for each relevant document that a run finds, topic by topic.

    `.plot()` draws the interpolated curves in one panel, with the range of the runs that are not drawn as lines; with
    `points` raw, one panel per run with a line for each topic.

    Example: cranfield curve qrels.txt runs/*.gz --rule exact --plot curves.svg

    Example: cranfield curve track.db --format csv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    points : {"eleven", "raw"}
        Interpolate at eleven recall points and average over topics, or show the raw curve of each topic.
    rule : {"trec_eval", "exact"}, optional
        When a recall point is reached: see the measure IPrec. For eleven points only; trec_eval by default.
    rel : float, optional
        Lowest grade that counts as relevant; by default the store's, or 1.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.
    pivot : bool
        Whether `.frame` has a row for each recall point, and a column for each run.

    Returns
    -------
    RecallCurve
        Columns run, recall and precision; raw: run, query_id, rank, recall and precision.

    Raises
    ------
    InputError
        If no judged topic was retrieved, or `rel` is not a number.

    Examples
    --------
    >>> curve({"q": {"d2": 1}}, {"q": {"d1": 2.0, "d2": 1.0}}, points="raw").frame.values.tolist()
    [['run', 'q', 2, 1.0, 0.5]]
    """
    from cranfield.metrics.evaluate import precision_recall, topic_curves

    if points == "raw" and rule is not None:
        with blaming_argument("rule"):
            raise InputError("for the interpolated curve only, not for --points raw")
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
