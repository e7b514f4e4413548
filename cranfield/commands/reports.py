"""The report on a collection."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import InputError
from cranfield.extras import require
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
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.options.trusting import MEASURES, CardOnly, PageTitle, Protect, ReportFile
from cranfield.results import ResultInLines


@dataclass(frozen=True, repr=False, eq=False)
class WrittenReport(ResultInLines):
    """The report that was written.

    Parameters
    ----------
    path : Path
        The page, or the card.
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
    """Write a report on a collection: what it contains, the scores of its runs, and its reusability card.

    The report is a single HTML file that needs no network; the same source gives the same bytes. The card shows the
    effect of leaving each unit out of the pool, of the pool's depth, and of the choice of topics. For a store without
    runs or judgments, the report covers what there is.

    Example: cranfield report track.db report.html --by team

    Example: cranfield report qrels.txt runs/*.gz report.html

    Parameters
    ----------
    qrels : path, Store or View
        A store, a View of one, or the file of the judgments.
    runs : path or list of paths, optional
        The files of the runs.
    out : path
        The page, an .html file; with .md or .json, only the reusability card.
    by : {"run", "team", "kind", "cluster"}, optional
        The unit to leave out; team where teams are known, otherwise cluster.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    pool : int, optional
        Number of the stored pool; the newest by default.
    measures : measure or iterable of measures
        The measures.
    teams : path or mapping, optional
        A file that states which runs were pooled, or the team of each run.
    protect : str, optional
        Value in the qrels' second column of judgments that did not come from the pool.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    title : str, optional
        The heading of the page; by default the collection's name.
    card_only : bool
        Write only the reusability card.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.

    Returns
    -------
    WrittenReport
        `path` is the file that was written.

    Raises
    ------
    InputError
        If runs and judgments are not files or a store, or `out` is not an .html, .md or .json file.
    """
    require("report", "a report")
    from cranfield.report.page import ReportRequest, check_suffix, report_on

    page = Path(out)
    check_suffix(page)
    chosen = ViewOptions(
        topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, chosen, function="write_report", takes_pool=True) as call:
        if not call.view.paths:
            raise InputError("a report is on the path of a store, or on those of runs and qrels")
        request = ReportRequest(
            by, depth, pool, measures, teams, protect, labels, assessor, policy, title, topics, card_only
        )
        notes = report_on(call.view, page, request)
        call.note(*(notes if call.is_command else ()))
        kind = "report" if page.suffix not in (".md", ".json") else "card"
        line = f"{page}: {kind} written"
        return WrittenReport([{"file": str(page)}], context=call.context("trust.write_report"), lines=[line], path=page)
