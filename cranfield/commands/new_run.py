"""What a run that did not help to build the pool would score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.viewed import KnownRuns, ViewedCall, ViewOptions, open_view
from cranfield.errors import ArgumentError, CranfieldError, InputError
from cranfield.lazy import type_in
from cranfield.options import (
    Argument,
    Assessor,
    IgnoreOwnId,
    Labels,
    Measures,
    PolicyName,
    PoolDepth,
    PoolNumber,
    Teams,
    Topics,
)
from cranfield.options.draws import DrawSetting, DrawSize, DrawTable, StoresDraw
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.options.trusting import MEASURES, ComparedRun, DrawOfNewRun, Protect, SimulationSeed
from cranfield.results import Result
from cranfield.rng import seed_of
from cranfield.store.reading import SelectedPlace

if TYPE_CHECKING:
    from cranfield.analysis.diagnosis import ComparedNewRun, DiagnoseSetting
    from cranfield.view import QrelsGiven, RunsGiven
else:
    QrelsGiven, RunsGiven = type_in("cranfield.view", "QrelsGiven"), type_in("cranfield.view", "RunsGiven")

QrelsBeforeNewRun = Annotated[
    QrelsGiven,
    Argument(
        "A store, or a qrels file and the known runs; then the new run: a file, or the tag of a stored run.",
        metavar="SOURCE... NEWRUN", typed=list[Path], reads="source and new run",
    ),
]  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False)
class NewRunDiagnosis(Result):
    """What a new run would score: a row for each measure. As text it is sentences.

    Parameters
    ----------
    content : dict
        The JSON document.
    lines : sequence of str
        What holds for all measures, such as why there is no forecast.
    n_proposed : int
        Number of unjudged documents whose labels would say more; 0 if there are none.
    paths : sequence of Path
        The store, or the files of the judgments and of the runs.
    is_stored : bool
        Whether a store has the runs.
    is_learnt : bool
        Whether active learning built the pool.
    written : sequence of str
        What was drawn, a line for each file or pool.
    """

    content: Mapping[str, Any] = field(kw_only=True)
    lines: Sequence[str] = ()
    n_proposed: int = 0
    paths: Sequence[Path] = ()
    is_stored: bool = False
    is_learnt: bool = False
    written: Sequence[str] = ()

    @property
    def sentences(self) -> list[str]:
        """What is known of the score by each measure, then of the difference to the other run."""
        differences = [row["difference sentence"] for row in self.records if "difference sentence" in row]
        return [*(row["sentence"] for row in self.records), *differences]

    def __repr__(self) -> str:
        return "\n".join([self.title, *self.lines, *self.sentences])


@check_arguments
def diagnose(
    qrels: QrelsBeforeNewRun,
    runs: KnownRuns = None,
    new: RunsGiven | None = None,
    *,
    measures: Measures = MEASURES,
    depth: PoolDepth = None,
    teams: Teams = None,
    protect: Protect = None,
    draw: DrawSize = None,
    pool_out: DrawTable = None,
    store_pool: StoresDraw = False,
    drawn: DrawOfNewRun = None,
    rng: SimulationSeed = None,
    against: ComparedRun = None,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    pool: PoolNumber = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> NewRunDiagnosis:
    """Forecast what a run that did not help to build the pool would score.

    Use it before you report scores of a new system on an old collection.
    For each measure it prints the score as judged and a 95% interval: what
    the score would be if the run's first documents were judged to the
    pool's depth. Where no forecast can be made, it prints worst-case bounds
    and the command that draws documents to judge.

    low, high: the 95% interval. lowest, highest: the bounds under any
    labels. With `against`: whether the difference to another run is
    significant, not decided, or due to unjudged documents.

    Example: cranfield diagnose qrels.txt runs/*.gz new.run --against bm25

    Example: cranfield diagnose track.db new.run --draw 50 draw.tsv --store-pool

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form; or a store or a View, which has its runs.
    runs : runs, optional
        The known runs in any form.
    new : run or str
        The new run in any form, or the tag of one of the others.
    measures : measure or iterable of measures
        The measures.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    teams : path or mapping, optional
        A file that states which runs were pooled, or the team of each run.
    protect : str, optional
        Value in the qrels' second column of judgments that did not come from the pool.
    draw : (int, path), optional
        Draw so many of the run's unjudged documents at random, and write them to this file, to be judged.
    pool_out : path, optional
        With `draw`, a file for a table of the drawn documents: qid, docno.
    store_pool : bool
        With `draw`, add the drawn documents to the store as a pool.
    drawn : path, optional
        The file of a random draw of the run's unjudged documents, with grades.
    rng : int or numpy.random.Generator, optional
        Random seed of the simulated labels and of the draw, or a generator that draws it; 0 by default.
    against : str, optional
        The tag of a known run: test the difference between the new run and this one.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    pool : int, optional
        Number of the stored pool; the newest by default.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.

    Returns
    -------
    NewRunDiagnosis
        A row for each measure: score as judged; low and high, the 95% interval of the score if the run's first
        documents were judged to the pool's depth; lowest and highest, the bounds under any labels where there is no
        interval; unjudged, a share; labels, the number of drawn labels; status and sentence. Numbers that are not known
        are NaN. With `against`, the row also has the difference, its interval and its outcome.

    Raises
    ------
    InputError
        If the new run answers no judged topic, or the draw is not one of this run.
    MeasureError
        If a measure needs judgments of subtopics or a stratified sample.

    Examples
    --------
    >>> runs, new = {"a": {"q": {"d1": 2.0}}, "b": {"q": {"d2": 2.0}}}, {"q": {"d3": 2.0, "d1": 1.0}}
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # on which runs were pooled
    ...     found = diagnose({"q": {"d1": 1, "d2": 0}}, runs, new, depth=1, measures="P@1")
    >>> found.frame[["measure", "score", "lowest", "highest", "status"]].values.tolist()
    [['P@1', 0.0, 0.0, 1.0, 'no model']]
    """
    from cranfield.analysis.diagnosis import DiagnoseSetting
    from cranfield.analysis.new_run import has_learnt_model
    from cranfield.analysis.random_draws import check_destinations

    if new is None:
        if isinstance(qrels, SelectedPlace):
            raise ArgumentError("give a store or a qrels file, and then the new run", "qrels")
        raise TypeError("diagnose() missing a required argument: 'new'")
    seed = seed_of(rng, min_seed=0)
    setting = DiagnoseSetting(measures, depth, protect, against, drawn, seed)
    drawing = DrawSetting(draw, pool_out, store_pool, seed)
    chosen = ViewOptions(
        topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged, pool=pool, teams=teams
    )
    with open_view(qrels, runs, chosen, function="diagnose", takes_pool=True) as call:
        check_destinations(drawing, call.view)
        case = _open_case(call, new)
        result = (_diagnose_learnt if has_learnt_model(case.whole, depth) else _diagnose)(call, case, setting, drawing)
        paths = [*call.view.paths, *([new] if isinstance(new, Path) else [])]
        return replace(result, paths=paths, is_stored=call.view.is_stored, context=call.context("trust.diagnose"))


def _open_case(call: ViewedCall, new: RunsGiven) -> ComparedNewRun:
    from cranfield.analysis.diagnosis import new_run_comparison, new_run_on_topics, open_case
    from cranfield.view import runs_in

    view = call.view
    if call.is_command and isinstance(new, Path):
        return open_case(view, new)
    run = new if isinstance(new, str) and new in view.runs.tags else runs_in(new)
    return new_run_on_topics(new_run_comparison(view, run), view.which)


def _diagnose(
    call: ViewedCall, case: ComparedNewRun, setting: DiagnoseSetting, drawing: DrawSetting
) -> NewRunDiagnosis:
    from cranfield.analysis.diagnosis import (
        as_document,
        diagnosis_of,
        draw_for_diagnosis,
        lines_of,
        new_run_title,
        wide_rows,
    )

    view = call.view
    diagnosis = diagnosis_of(case, setting, path=view.path, tell=view.tell)
    document = as_document(diagnosis)
    result = NewRunDiagnosis(
        wide_rows(diagnosis), new_run_title(diagnosis), document, content=document, lines=lines_of(diagnosis),
        n_proposed=0 if drawing.draw else diagnosis.n_proposed,
    )  # fmt: skip
    with _show_result_on_error(result):
        return replace(result, written=draw_for_diagnosis(diagnosis, drawing, view))


def _diagnose_learnt(
    call: ViewedCall, case: ComparedNewRun, setting: DiagnoseSetting, drawing: DrawSetting
) -> NewRunDiagnosis:
    from cranfield.analysis.new_run import diagnose_learnt, hand_out_learnt, learnt_document, learnt_title
    from cranfield.metrics.notation import parse_all

    measures = parse_all(setting.measures, case.whole.min_relevant)
    drawn = None if setting.drawn is None else Path(setting.drawn)
    found = diagnose_learnt(case.whole, case.tag, measures, drawn)
    if setting.against is not None:
        raise InputError(f"{found.reason}: no difference is forecast for it; leave out --against")
    document = learnt_document(found)
    result = NewRunDiagnosis(
        found.rows, learnt_title(found), document, content=document,
        lines=[f"No forecast by the pooled runs: {found.reason}."],
        n_proposed=0 if drawing.draw else found.n_proposed, is_learnt=True,
    )  # fmt: skip
    with _show_result_on_error(result):
        return replace(result, written=hand_out_learnt(found, drawing, call.view))


@contextmanager
def _show_result_on_error(result: NewRunDiagnosis) -> Iterator[None]:
    """Let an error of the block have the result, which a command shows before the error."""
    try:
        yield
    except CranfieldError as error:
        error.result = result
        raise
