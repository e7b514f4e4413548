"""How hard topics are, and which topics to judge next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import InputError, blaming_argument
from cranfield.options import Assessor, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.options.topics import HardnessMeasure, LookedAt, RunPair
from cranfield.results import Display, Result, TypesetTable


@dataclass(frozen=True, repr=False, eq=False)
class TopicHardness(Result):
    """How hard each topic is.

    Parameters
    ----------
    shown : sequence of mappings
        The rows that the command shows, without columns that have no values.
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
    """Show how hard each topic is: how many documents are relevant, how the runs do, how far assessors agree.

    The topic with the lowest mean comes first, over the runs that answered it. Spread is the standard deviation over
    these, zero how many of them score 0; agreement the share of equal labels, of documents with several. A low mean of
    few judged documents says little.

    JSON: [{"topic", "title", "judged", "relevant", "runs", "mean", "best", "worst", "spread", "zero", "agreement"}].

    Example: cranfield topics hardness track.db -m nDCG@10

    Example: cranfield topics hardness qrels.txt runs/*.gz --output hardness.csv

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    measure : measure
        The measure to score runs by.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.

    Returns
    -------
    TopicHardness
        A row for each judged topic, the lowest mean first; agreement only of a store.

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
    """Which topics to judge next."""

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
    """Show which topics to judge next, so that the comparison of two runs gains most.

    Those come first where the unjudged among the first documents of both runs stand at the most different ranks: `open`
    is how far they can move the difference of DCG, if all are relevant to one run's favour, `each` the same for each
    document to be judged. It is advice on what to judge, no test: there is no p-value over topics that were chosen so.

    JSON: [{"topic", "title", "documents", "open", "each", "judged"}].

    Example: cranfield topics next track.db --run bm25 --run new

    Example: cranfield topics next track.db --run bm25 --run new --topics dev

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which stands alone.
    runs : runs, optional
        The runs in any form.
    pair : sequence of str
        The tags of the two runs.
    depth : int
        Number of documents of each run that are looked at.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.

    Returns
    -------
    NextTopics
        A row for each topic with unjudged documents, the one with most to gain first.

    Raises
    ------
    InputError
        If the pair is not two different runs.

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
            with blaming_argument("pair"):
                raise InputError(f"{len(pair)} given; a comparison is of two runs")
        rows = [row._asdict() for row in next_topics_of(call.view, pair, depth)]
        return NextTopics(rows, context=call.context("topics.choose_next"))
