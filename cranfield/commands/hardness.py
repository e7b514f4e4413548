"""How hard topics are, and which topics to judge next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import InputError, argument_named_in_errors
from cranfield.options import Assessor, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.topics import HardnessMeasure, LookedAt, RunPair
from cranfield.results import Display, Result, TypesetTable


@dataclass(frozen=True, repr=False, eq=False)
class TopicHardness(Result):
    """Hardness of each topic.

    Parameters
    ----------
    shown : sequence of mappings
        The rows that the command shows, without empty columns.
    """

    columns: ClassVar[tuple[str, ...]] = (
        "topic", "title", "judged", "relevant", "runs", "mean", "best", "worst", "spread", "zero", "agreement",
    )  # fmt: skip
    display: ClassVar[Display] = Display(spare=("title",))

    shown: Sequence[dict[str, Any]] = ()

    @property
    def typeset(self) -> TypesetTable:
        """The rows that the command shows."""
        return TypesetTable(self.shown, self.display)


@check_arguments
def measure_hardness(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    measure: HardnessMeasure = "AP",
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> TopicHardness:
    """Show how hard each topic is for the runs.

    The table is sorted by the mean over the runs that answered the topic, the lowest first. The column spread is the
    standard deviation over these runs, and zero is the number of runs that score 0. The column agreement is the share
    of documents with several labels whose labels agree. With few judged documents, a low mean means little.

    JSON: [{"topic", "title", "judged", "relevant", "runs", "mean", "best", "worst", "spread", "zero", "agreement"}].

    Example: cranfield topics hardness track.db -m nDCG@10

    Example: cranfield topics hardness qrels.txt runs/*.gz --output hardness.csv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form.
    measure : measure
        The measure to score runs by.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).

    Returns
    -------
    TopicHardness
        A row for each judged topic, the lowest mean first. The column agreement has values only for stores.

    Examples
    --------
    >>> hardness = measure_hardness({"1": {"d": 1}, "2": {"d": 1}}, {"a": {"1": {"d": 1.0}, "2": {"e": 1.0}}})
    >>> hardness.frame[["topic", "relevant", "mean"]].values.tolist()
    [['2', 1, 0.0], ['1', 1, 1.0]]
    """
    from cranfield.analysis.hardness import hardness_of, hardness_rows

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, chosen, function="measure_hardness") as call:
        [scored] = call.view.measures(measure)
        found = hardness_of(call.view, scored)
        call.note(*found.notes)
        rows, shown = [row._asdict() for row in found.topics], hardness_rows(found.topics, scored)
        return TopicHardness(rows, shown=shown, context=call.context("topics.measure_hardness"))


class NextTopics(Result):
    """The topics to judge next."""

    columns: ClassVar[tuple[str, ...]] = ("topic", "title", "documents", "open", "each", "judged")
    display: ClassVar[Display] = Display(spare=("title",))


@check_arguments
def choose_next(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    pair: RunPair = (),
    depth: LookedAt = 10,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> NextTopics:
    """Show which topics to judge next to compare two runs.

    Topics are sorted by `open`: how far the unjudged documents at the top of both runs could change the difference in
    DCG. It is large if these documents have very different ranks in the two runs. The column `each` is `open` divided
    by the number of documents to judge. This is advice on where to judge, not a test. A p-value over these topics would
    be invalid, because they were chosen from the runs' results.

    JSON: [{"topic", "title", "documents", "open", "each", "judged"}].

    Example: cranfield topics next track.db --run bm25 --run new

    Example: cranfield topics next track.db --run bm25 --run new --topics dev

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form.
    pair : sequence of str
        The tags of the two runs.
    depth : int
        Number of top documents of each run to consider.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).

    Returns
    -------
    NextTopics
        A row for each topic with unjudged documents, sorted by the column open, largest first.

    Raises
    ------
    InputError
        If `pair` does not name two different runs.

    Examples
    --------
    >>> runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}}
    >>> choose_next({"1": {"d": 1}}, runs, pair=["a", "b"]).frame[["topic", "documents", "open"]].values.tolist()
    [['1', 1, 1.0]]
    """
    from cranfield.analysis.hardness import next_topics_of

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, chosen, function="choose_next", has_measures=False) as call:
        _ = call.view.runs  # what is wrong with it is reported first
        if len(pair) != 2:
            with argument_named_in_errors("pair"):
                raise InputError(f"expected two runs; got {len(pair)}")
        rows = [row._asdict() for row in next_topics_of(call.view, pair, depth)]
        return NextTopics(rows, context=call.context("topics.choose_next"))
