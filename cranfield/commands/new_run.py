"""What a run that did not help to build the pool would score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cranfield.commands.calls import KnownRuns, ViewedCall, ViewOptions, open_view
from cranfield.errors import ArgumentError, CranfieldError, InputError
from cranfield.lazy import lazy_type
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
    seed_of,
)
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.draws import DrawSetting, DrawSize, DrawTable, StoresDraw
from cranfield.options.trusting import MEASURES, ComparedRun, DrawOfNewRun, Protect, SimulationSeed
from cranfield.results import Result
from cranfield.store.reading import SelectedPlace

if TYPE_CHECKING:
    from cranfield.analysis.diagnosis import ComparedNewRun, DiagnoseSetting
    from cranfield.view import QrelsGiven, RunsGiven
else:
    QrelsGiven, RunsGiven = lazy_type("cranfield.view", "QrelsGiven"), lazy_type("cranfield.view", "RunsGiven")

QrelsBeforeNewRun = Annotated[
    QrelsGiven,
    Argument(
        "A store, or a qrels file and the known runs. Then the new run: a file, or the tag of a stored run.",
        metavar="SOURCE... NEWRUN", typed=list[Path], reads="source and new run",
    ),
]  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False)
class NewRunDiagnosis(Result):
    """Forecast scores of a new run, with a row for each measure. The printed form consists of sentences.

    Parameters
    ----------
    content : dict
        The JSON document.
    lines : sequence of str
        Notes on all measures, such as why there is no forecast.
    n_proposed : int
        Number of unjudged documents whose labels would narrow the result, or 0.
    paths : sequence of Path
        The store, or the files of the judgments and of the runs.
    draw_options : sequence of str
        The options of a proposed command that add a draw to the store; empty for files.
    is_learnt : bool
        Whether active learning built the pool.
    written : sequence of str
        A line for each file or pool of drawn documents.
    """

    content: Mapping[str, Any] = field(kw_only=True)
    lines: Sequence[str] = ()
    n_proposed: int = 0
    paths: Sequence[Path] = ()
    draw_options: Sequence[str] = ()
    is_learnt: bool = False
    written: Sequence[str] = ()

    @property
    def sentences(self) -> list[str]:
        """The forecast of the score by each measure, then of the difference from the other run."""
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
    """Forecast the score of a run that did not contribute to the pool.

    Use it before you report scores of a new system on an old collection. For each measure, it prints the score under
    the current judgments, and a 95% interval. The interval is for the score that the run would have if its documents
    were judged to the pool's depth. If there is no forecast, it prints worst-case bounds and the command that draws
    documents to judge.

    The columns low and high are the 95% interval. The columns lowest and
    highest are the bounds under any labels. With `against`, the command also
    shows whether the difference from another run is significant, not decided,
    or due to unjudged documents.

    Example: cranfield diagnose qrels.txt runs/*.gz new.run --against bm25

    Example: cranfield diagnose track.db new.run --draw 50 draw.tsv --store-pool

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View, which includes its runs.
    runs : runs, optional
        The known runs in any form.
    new : run or str
        The new run in any form, or the tag of a run in the collection.
    measures : measure or iterable of measures
        The measures.
    depth : int, optional
        The pool's depth; taken from the stored pool or inferred by default.
    teams : path or mapping, optional
        A table file with the runs' teams and whether they were pooled, or a mapping from run to team.
    protect : str, optional
        Value in the qrels' second column that marks judgments from outside the pool.
    draw : (int, path), optional
        The number of the run's unjudged documents to draw at random, and the output file for the documents to judge.
    pool_out : path, optional
        A file for a table of the drawn documents (qid, docno).
    store_pool : bool
        Whether to add the documents of `draw` to the store as a pool.
    drawn : path, optional
        A random draw of the run's unjudged documents, with grades.
    rng : int or numpy.random.Generator, optional
        Random seed of the simulated labels and of the draw, or a generator that draws the seed; 0 by default.
    against : str, optional
        The tag of a known run to compare the new run with.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    pool : int, optional
        Number of the stored pool; the newest by default.
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).

    Returns
    -------
    NewRunDiagnosis
        A row for each measure, with the score as judged, its status and a sentence. The columns low and high are the
        95% interval of the score after judging the run's documents to the pool's depth. If there is no interval, lowest
        and highest are the bounds under any labels. The column unjudged is a share, and labels is the number of drawn
        labels. Unknown numbers are NaN. With `against`, the row also has the difference, its interval and its outcome.

    Raises
    ------
    InputError
        If the new run answers no judged topic, or the draw was made from another run.
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
            raise ArgumentError("expected a store or a qrels file, and then the new run", "qrels")
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
        return replace(result, paths=paths, draw_options=call.view.draw_options, context=call.context("trust.diagnose"))


def _open_case(call: ViewedCall, new: RunsGiven) -> ComparedNewRun:
    from cranfield.analysis.diagnosis import new_run_on_topics, open_case, prepare_new_run_comparison
    from cranfield.view import load_given_runs

    view = call.view
    if call.is_command and isinstance(new, Path):
        return open_case(view, new)
    run = new if isinstance(new, str) and new in view.runs.tags else load_given_runs(new)
    case = prepare_new_run_comparison(view, run, remedy=view.known_run_remedy)
    return new_run_on_topics(case, view.which)


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
    from cranfield.analysis.new_run import diagnose_learnt, draw_for_learnt_diagnosis, learnt_document, learnt_title
    from cranfield.metrics.notation import parse_measures

    measures = parse_measures(setting.measures, case.whole.min_relevant)
    drawn = None if setting.drawn is None else Path(setting.drawn)
    found = diagnose_learnt(case.whole, case.tag, measures, drawn)
    if setting.against is not None:
        raise InputError(f"{found.reason}, so no difference can be forecast; leave out --against")
    document = learnt_document(found)
    result = NewRunDiagnosis(
        found.rows, learnt_title(found), document, content=document,
        lines=[f"The pooled runs give no forecast: {found.reason}."],
        n_proposed=0 if drawing.draw else found.n_proposed, is_learnt=True,
    )  # fmt: skip
    with _show_result_on_error(result):
        return replace(result, written=draw_for_learnt_diagnosis(found, drawing, call.view))


@contextmanager
def _show_result_on_error(result: NewRunDiagnosis) -> Iterator[None]:
    """Let an error of the block have the result, which a command shows before the error."""
    try:
        yield
    except CranfieldError as error:
        error.result = result
        raise
