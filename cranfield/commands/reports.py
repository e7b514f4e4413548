"""The report on a collection."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.options import (
    Assessor,
    IgnoreOwnId,
    Labels,
    Measures,
    PolicyName,
    PoolDepth,
    PoolNumber,
    TeamsFile,
    Topics,
    Units,
)
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.trusting import MEASURES, CardOnly, PageTitle, Protect, ReportFile
from cranfield.results import ResultInLines


@dataclass(frozen=True, repr=False, eq=False)
class WrittenReport(ResultInLines):
    """Written report.

    Parameters
    ----------
    path : Path
        The page or card.
    """

    path: Path = field(kw_only=True)


@check_arguments
def write_report(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    out: ReportFile,
    by: Units = None,
    depth: PoolDepth = None,
    pool: PoolNumber = None,
    measures: Measures = MEASURES,
    teams: TeamsFile = None,
    protect: Protect = None,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    title: PageTitle = None,
    card_only: CardOnly = False,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> WrittenReport:
    """Write an HTML report on a collection and its reusability.

    The report is a single HTML file that works offline. The same source always gives the same bytes. The report shows
    the collection's contents, the scores of its runs, and its reusability card. The card shows the effect of leaving
    each unit out of the pool, of the pool depth, and of the choice of topics. For a store without runs or judgments,
    the report shows the available data.

    Example: cranfield report track.db report.html --by team

    Example: cranfield report qrels.txt runs/*.gz report.html

    Parameters
    ----------
    qrels : path, Store or View
        A store, a View, or a qrels file.
    runs : path or list of paths, optional
        Run files.
    out : path
        Output file: an .html page, or an .md or .json file with only the reusability card.
    by : {"run", "team", "kind", "cluster"}, optional
        Unit to leave out; team if teams are known, otherwise cluster.
    depth : int, optional
        Pool depth; stored or inferred by default.
    pool : int, optional
        Number of the stored pool; the newest by default.
    measures : measure or iterable of measures
        The measures.
    teams : path or mapping, optional
        A table file with the runs' teams and whether they were pooled, or a mapping from run to team.
    protect : str, optional
        Value in the qrels' second column that marks judgments from outside the pool.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    title : str, optional
        Heading of the page; by default the collection's name.
    card_only : bool
        Write only the reusability card.
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).

    Returns
    -------
    WrittenReport
        `path` is the written file.

    Raises
    ------
    InputError
        If runs and judgments are neither files nor a store, or `out` is not an .html, .md or .json file.
    """
    require_extra("report", "a report")
    from cranfield.report.page import ReportRequest, check_suffix, report_on

    page = Path(out)
    check_suffix(page)
    chosen = ViewOptions(
        topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, chosen, function="write_report", takes_pool=True) as call:
        if not call.view.paths:
            raise InputError("expected the path of a store, or paths of qrels and run files")
        request = ReportRequest(
            by, depth, pool, measures, teams, protect, labels, assessor, policy, title, topics, card_only
        )
        notes = report_on(call.view, page, request)
        call.note(*(notes if call.is_command else ()))
        kind = "report" if page.suffix not in (".md", ".json") else "card"
        line = f"{page}: {kind} written"
        return WrittenReport([{"file": str(page)}], context=call.context("trust.write_report"), lines=[line], path=page)
