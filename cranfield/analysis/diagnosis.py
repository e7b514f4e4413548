"""What a new run would score on an old collection: both are opened, the pooled runs fitted, the new run forecast.

A random draw of the new run's unjudged documents becomes a judging task: a file, or a pool in a store.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.pool_model import PoolModel, find_pool, fit_pool_model, forecaster_of_differences
from cranfield.analysis.random_draws import (
    carry_grades,
    draws_in_store,
    read_draw_with_grade_check,
    store_draw,
    without_pairs,
    write_draw,
)
from cranfield.analysis.reusability import refuse_active_learning, require_protected_judgments
from cranfield.arrays import WhichTopics
from cranfield.arrays.merging import merged_runs
from cranfield.arrays.rankings import Ints, Qrels, Runs, lists_nonrelevant
from cranfield.call_view import CallView, note_on_highest_grade, notes_on_qrels
from cranfield.contributors import join_first_few
from cranfield.errors import InputError, MeasureError
from cranfield.formats import read_runs
from cranfield.formats.given_files import file_name_without_suffixes
from cranfield.formats.text_tables import Row
from cranfield.metrics.evaluate import aggregate_scores
from cranfield.metrics.forecast.comparisons import forecaster_with_labels
from cranfield.metrics.forecast.draws import MEASURES_OF_COVERAGE, Labels, score_draws
from cranfield.metrics.forecast.forecaster import Forecaster, UnjudgedPairs, unjudged_pairs
from cranfield.metrics.forecast.forecasts import forecast_scores, worst_case_scores
from cranfield.metrics.forecast.outcomes import Test, decide_outcomes, make_test, worst_case_outcomes
from cranfield.metrics.forecast.random_draw import (
    RandomDraw,
    check_draw,
    draw_documents,
    label_notes,
)
from cranfield.metrics.forecast.sentences import (
    PairStatement,
    ScoreStatement,
    ScoreStatus,
    more_labels_help,
    needs_draw,
    proposed_draw_size,
    state_labels,
    state_pair,
    state_score,
    status_of,
)
from cranfield.metrics.forecast.track_record import PoolKind
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.significance.pairs import CORRECTIONS
from cranfield.metrics.significance.tests import TESTS
from cranfield.options import DEFAULT_SEED
from cranfield.options.draws import DrawSetting
from cranfield.options.trusting import MEASURES
from cranfield.parallel import progress_bar
from cranfield.source import Tell, qrels_of_file, silent
from cranfield.store.reading import selection_for_files
from cranfield.store.store import Store
from cranfield.text import counted, name_hint
from cranfield.view import Measures, View, view_of_runs

RELEVANT_ONLY = (
    "the qrels list only relevant documents and do not show which documents were judged; every document that is not in"
    " the qrels counts as unjudged"
)


class ComparedNewRun(NamedTuple):
    """The old collection, None where no other run is there; the same together with the new run; the new run's tag."""

    old: View | None
    whole: View
    tag: str


class DiagnoseSetting(NamedTuple):
    """What is forecast of a new run, from which pool, and the seed of the simulated labels."""

    measures: Measures = MEASURES
    depth: int | None = None
    protect: str | None = None
    against: str | None = None
    drawn: str | PathLike[str] | None = None
    seed: int = DEFAULT_SEED


def open_case(view: CallView, last: Path) -> ComparedNewRun:
    """The old collection and the new run, on these topics; the view tells which runs did not answer all.

    The new run is the last path, or with a store, before any file of that name, the tag of one of its runs.
    """
    return new_run_on_topics(_read_case(view, last), view.which)


def new_run_on_topics(case: ComparedNewRun, topics: WhichTopics) -> ComparedNewRun:
    """The same on these topics, once it is told which runs did not answer all."""
    whole = case.whole.select_topics_and_tell(topics)
    new = whole.runs.select([case.tag])
    retrieved, judged = (one.topics.names[np.unique(one.topic)].tolist() for one in (new, whole.qrels))
    if not set(retrieved) & set(judged):
        raise InputError(
            f"{case.tag} has results for topics {join_first_few(retrieved)}; expected judged topics, such as"
            f" {join_first_few(judged)}"
        )
    if topics is WhichTopics.all or case.old is None:
        return case._replace(whole=whole)
    common = np.flatnonzero(np.isin(np.array(case.old.blocks.qids, object), whole.blocks.qids))
    return case._replace(old=case.old.restrict_topics(common), whole=whole)


def _read_case(view: CallView, last: Path) -> ComparedNewRun:
    if view.is_qrels_alone:
        qrels, runs = qrels_of_file(view.paths[0], view.tell), _single_run(last)
        if choice := selection_for_files(view.setting.reading):
            asked_for, qrels = choice.select_both(runs, qrels)
            runs = asked_for if len(asked_for) else runs  # a run without any of these topics is refused later
        return ComparedNewRun(None, view_of_runs(runs, qrels, {}, tell=view.tell), runs.tags[0])
    if (tag := view.find_stored_run(last)) is not None:
        return prepare_new_run_comparison(view, tag)
    new = _single_run(last)
    if new.tags[0] in view.runs.tags:
        new = replace(new, tags=(file_name_without_suffixes(last),))
    return prepare_new_run_comparison(view, new, last, view.known_run_remedy)


def prepare_new_run_comparison(
    view: View, new: Runs | str, path: Path | None = None, remedy: str = "remove its file from the known runs"
) -> ComparedNewRun:
    """A collection and a new run, or one of its own runs by its tag.

    `remedy` is what to do if the new run is one of the known runs.
    """
    if isinstance(new, str):
        tags = [other for other in view.runs.tags if other != new]
        about = {other: info for other, info in view.run_info.items() if other != new}
        pool_runs = view.pool_runs and tuple(other for other in view.pool_runs if other != new)
        others = view.replace_runs(view.runs.select(tags), about, pool_runs) if tags else None
        return ComparedNewRun(others, view, new)
    if len(new.tags) != 1:
        raise InputError(f"{len(new.tags)} runs; expected one new run", path)
    if new.tags[0] in view.runs.tags:
        raise InputError(f"the run {new.tags[0]!r} is already one of the known runs; {remedy}", path)
    if view.selection.topics:
        parts = view.runs, view.qrels
        qids = sorted({str(qid) for part in parts for qid in part.topics.names[np.unique(part.topic)]})
        is_selected = np.isin(new.topics.names[new.topic].astype(object), qids)
        new = new.rows(is_selected) if is_selected.any() else new  # a run without any of these topics is refused later
    return ComparedNewRun(view, view.replace_runs(merged_runs(view.runs, new)), new.tags[0])


def _single_run(path: Path) -> Runs:
    runs = read_runs([path])
    if not len(runs):
        raise InputError("an empty run", path)
    if len(runs.tags) > 1:
        raise InputError(f"{len(runs.tags)} runs; expected one", path)
    return runs


class StoredDraws(NamedTuple):
    """The draws of a store as they were stored, and the number of the pool that left their documents unjudged."""

    number: int | None = None
    draws: Sequence[Mapping[str, Any]] = ()


NO_STORED_DRAWS = StoredDraws()


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What is said of a new run.

    `kind` is how the pool was built, `n_retrieved` how many documents the run retrieved within the depth, and
    `reasons` say why there is no model.
    """

    run: str
    n_topics: int
    kind: PoolKind
    n_pooled: int
    n_retrieved: int
    scores: tuple[ScoreStatement, ...]
    pairs: tuple[PairStatement, ...]
    forecaster: Forecaster
    unjudged: UnjudgedPairs
    labels: Labels
    draws: Sequence[RandomDraw] = ()
    stored: StoredDraws = NO_STORED_DRAWS

    @property
    def depth(self) -> int:
        """The depth d."""
        return self.forecaster.depth

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why there is no model; empty where there is one."""
        return self.forecaster.reasons

    @property
    def n_unjudged(self) -> int:
        """The unjudged documents within the depth, with those that were drawn."""
        return self.unjudged.n_pairs

    @property
    def n_labels(self) -> int:
        """The unjudged documents with a drawn label."""
        return self.scores[0].forecast.n_labels if self.scores else 0

    @property
    def unjudged_share(self) -> float:
        """The unjudged share of the documents that the run retrieved within the depth."""
        return float(self.unjudged.share[0])

    @property
    def n_proposed(self) -> int:
        """The documents of the draw that would help; 0 where none would."""
        open_documents = self.n_unjudged - self.n_labels
        if not open_documents or not needs_draw(self.scores, self.pairs):
            return 0
        if self.n_labels and not more_labels_help(self.scores, self.pairs, self.kind):
            return self.n_unjudged
        return self.n_labels + proposed_draw_size(open_documents)


def diagnosis_of(
    case: ComparedNewRun, setting: DiagnoseSetting, *, path: Path | None = None, tell: Tell = silent
) -> Diagnosis:
    """Fit the forecast's model to the pooled runs and forecast the new run; `path` has the judgments."""
    against = setting.against
    require_protected_judgments(case.whole, setting.protect, path)
    measures = parse_measures(setting.measures, case.whole.min_relevant)
    for measure in measures:
        if measure.name in MEASURES_OF_COVERAGE:
            raise MeasureError(f"{measure} measures the judged share, so it has no forecast; choose another measure")
        needs = "judgments of subtopics" if measure.needs_subtopics else "a stratified sample"
        if measure.needs_subtopics or measure.needs_strata:
            raise MeasureError(f"{measure} needs {needs}, whose labels cannot be simulated; choose another measure")
    _check_other_run(against, case)
    whole, drawn = case.whole, draws_in_store(case.whole)
    if not lists_nonrelevant(whole.qrels.grade_or_unjudged):
        tell(RELEVANT_ONLY)
    for line in notes_on_qrels(whole.qrels, whole.min_relevant):
        tell(line)
    if line := note_on_highest_grade(whole.qrels, measures, whole.grade_scale):
        tell(line)
    qrels = without_pairs(whole.qrels, {pair for draw in drawn for pair in draw.documents})
    old = case.old.replace_qrels(qrels) if case.old and drawn else case.old
    forecaster, kind, n_pooled = _fit(old, whole, qrels, setting, tell)
    new = whole.runs.select([case.tag]).loaded
    pairs = unjudged_pairs(forecaster, new)
    draws = [draw for draw in drawn if draw.run == case.tag]
    if setting.drawn is not None:
        file = Path(setting.drawn)
        draws.append(check_draw(_read_draw(file, whole, case.tag, forecaster.depth), pairs, str(file)))
    labels = {case.tag: labels_of_draws(draws, tell, str(setting.drawn or ""))}
    is_judged_topic = np.isin(new.topics.names[new.topic], forecaster.qrels.qids)
    n_retrieved = int(np.sum(is_judged_topic & (new.rank <= forecaster.depth)))
    simulation = LabelSimulation(forecaster, kind, labels, setting.seed)
    with progress_bar("simulating labels"):
        scores = state_scores(simulation, new, measures)
        both = None if against is None else whole.runs.select([case.tag, against]).loaded
        statements = () if both is None else state_pairs(simulation, both, case.tag, measures)
    return Diagnosis(
        case.tag,
        len(forecaster.qrels.qids),
        kind,
        n_pooled,
        n_retrieved,
        scores,
        statements,
        forecaster,
        pairs,
        labels,
        draws,
        StoredDraws(whole.pool_number, whole.random_draws),
    )


def _fit(old: View | None, whole: View, qrels: Qrels, setting: DiagnoseSetting, tell: Tell) -> PoolModel:
    if old is not None:
        refuse_active_learning(old, setting.depth, "a leave-one-out test cannot show what a new run would score")
    pool = find_pool(old, setting.depth)
    if pool.view is None or pool.reason:
        pool = pool._replace(depth=pool.depth or setting.depth)
    who = pool.view.contributors if pool.view else None
    for line in (*(who.notes if who else ()), *pool.notes):
        tell(line)
    return fit_pool_model(pool, whole.runs.loaded, qrels, rel=whole.min_relevant, protect=setting.protect)


class LabelSimulation(NamedTuple):
    """What labels are simulated from: the model, how the pool was built, drawn labels, the seed."""

    forecaster: Forecaster
    kind: PoolKind
    labels: Labels
    seed: int


def state_scores(simulation: LabelSimulation, new: Runs, measures: Sequence[Measure]) -> tuple[ScoreStatement, ...]:
    """Say by each measure what is known of the score of a run."""
    forecaster, kind, labels, seed = simulation
    found = list[ScoreStatement]()
    for number, forecast in enumerate(forecast_scores(forecaster, new, measures, seed=seed, labels=labels)):
        lowest, highest = forecast.lowest, forecast.highest
        if status_of(forecast, kind) in (ScoreStatus.TOO_WIDE, ScoreStatus.UNRELIABLE):
            [[(lowest, highest)]] = worst_case_scores(forecaster, new, [measures[number]], labels)
        found.append(state_score(replace(forecast, lowest=lowest, highest=highest), kind))
    return tuple(found)


def state_pairs(
    simulation: LabelSimulation, both: Runs, tag: str, measures: Sequence[Measure]
) -> tuple[PairStatement, ...]:
    """Say by each measure what is known of the difference between a run and another one.

    The rule for pairs was tested on pools to a depth; for other pools, and without a model, worst-case bounds decide.
    """
    labels, seed = simulation.labels, simulation.seed
    forecaster = forecaster_of_differences(simulation.forecaster, simulation.kind)
    settled = forecaster if forecaster.model else forecaster_with_labels(forecaster, both, labels)
    first = np.array([both.tags.index(tag)])
    second = 1 - first
    scores = score_draws(forecaster, both, measures, seed=seed, labels=labels)
    means = aggregate_scores(scores.judged, measures)
    found = list[PairStatement]()
    for number, measure in enumerate(measures):
        if scores.reasons:
            [outcome] = worst_case_outcomes(
                settled, both, measure, first, second, test=lambda values, a, b: _paired_t(a, b)(values)
            )
        else:
            judged, draws = scores.judged[..., number], scores.draws[..., number]
            [outcome] = decide_outcomes(judged, draws, first, second, _paired_t(first, second))
        difference = float(means[first[0], number] - means[second[0], number])
        found.append(state_pair(str(measure), tag, both.tags[int(second[0])], difference, outcome))
    return tuple(found)


def _paired_t(a: Ints, b: Ints) -> Test:
    return make_test(TESTS["t"], CORRECTIONS["none"], a, b)


def _check_other_run(against: str | None, case: ComparedNewRun) -> None:
    if against == case.tag:
        raise InputError(f"{against!r} is the new run itself; name another run with --against")
    if against is not None and (case.old is None or against not in case.old.runs.tags):
        others = name_hint(against, case.old.runs.tags if case.old else (), "only the new run was given")
        raise InputError(f"there is no run {against!r} to compare with{others}")


def labels_of_draws(draws: Sequence[RandomDraw], tell: Tell = silent, file: str = "") -> dict[tuple[str, str], float]:
    """The labels of draws that count, by topic and document; `tell` is called where others do not count."""
    labels = dict[tuple[str, str], float]()
    for draw in draws:
        labels |= draw.labels
        for line in label_notes(draw, file if draw.lines else ""):
            tell(line)
    return labels


def _read_draw(path: Path, view: View, tag: str, depth: int) -> RandomDraw:
    draw = read_draw_with_grade_check(path, view)
    if draw.run != tag:
        raise InputError(f"{path}:2: found a draw from run {draw.run!r}; expected {tag!r}")
    if draw.depth != depth:
        raise InputError(
            f"{path}:3: found depth {draw.depth}; expected {depth}; to use this draw, add --depth {draw.depth}"
        )
    return draw


def score_rows(diagnosis: Diagnosis) -> list[Row]:
    """A row for each measure; NaN where a number is not known."""
    return [
        {
            "measure": one.forecast.measure, "score": one.forecast.as_judged, "low": one.forecast.low,
            "high": one.forecast.high, "lowest": one.forecast.lowest, "highest": one.forecast.highest,
            "unjudged": one.forecast.unjudged_share, "labels": one.forecast.n_labels, "status": str(one.status),
            "sentence": one.sentence,
        }
        for one in diagnosis.scores
    ]  # fmt: skip


def pair_rows(diagnosis: Diagnosis) -> list[Row]:
    """A row for each measure by which the new run was compared with another one."""
    return [
        {
            "measure": one.measure, "against": one.against, "difference": one.difference, "low": one.outcome.low,
            "high": one.outcome.high, "outcome": str(one.outcome.outcome),
            "significant": one.outcome.significant_as_judged, "share": one.outcome.share,
            "draws": one.outcome.n_draws, "sentence": one.sentence,
        }
        for one in diagnosis.pairs
    ]  # fmt: skip


def wide_rows(diagnosis: Diagnosis) -> list[Row]:
    """A row for each measure with the score and, where the run was compared, the difference."""
    rows = score_rows(diagnosis)
    names = {"low": "difference low", "high": "difference high", "sentence": "difference sentence"}
    pairs = [{names.get(name, name): value for name, value in pair.items()} for pair in pair_rows(diagnosis)]
    return [{**row, **pair} for row, pair in zip(rows, pairs or [{}] * len(rows), strict=True)]


def as_document(diagnosis: Diagnosis) -> dict[str, Any]:
    """The JSON document of the command, without a proposed command."""
    return {
        "run": diagnosis.run, "topics": diagnosis.n_topics, "depth": diagnosis.depth, "pool": diagnosis.kind,
        "pooled_runs": diagnosis.n_pooled, "retrieved": diagnosis.n_retrieved, "unjudged": diagnosis.unjudged_share,
        "unjudged_documents": diagnosis.n_unjudged, "labels": diagnosis.n_labels, "reasons": list(diagnosis.reasons),
        "scores": score_rows(diagnosis), "against": pair_rows(diagnosis), "proposal": None,
    }  # fmt: skip


def new_run_title(diagnosis: Diagnosis) -> str:
    """A line on the run, the pool and the run's unjudged documents."""
    depth = diagnosis.depth
    pooled = counted(diagnosis.n_pooled, "pooled run") if diagnosis.n_pooled else "no pooled run is known"
    documents = f"{counted(diagnosis.n_retrieved, 'document')} at its ranks 1 to {depth}"
    unjudged = f"{diagnosis.n_unjudged} of the {documents} are unjudged ({diagnosis.unjudged_share:.1%})"
    return (
        f"run {diagnosis.run} on {counted(diagnosis.n_topics, 'topic')}; pool depth {depth}, {pooled};"
        f" {unjudged if diagnosis.n_unjudged else f'no unjudged document among the {documents}'}"
    )


def lines_of(diagnosis: Diagnosis) -> list[str]:
    """What counts as not relevant, why there is no model, what the drawn labels say: lines for people."""
    lines = [f"Unjudged documents below rank {diagnosis.depth} count as not relevant in all numbers above."]
    if any("too low by" in one.sentence for one in diagnosis.scores):
        lines.append(
            "Percentages are relative to the score that the run would have if its unjudged documents were judged."
        )
    lines += [f"No forecast: {reason}." for reason in diagnosis.reasons] if diagnosis.n_unjudged else []
    grades = diagnosis.labels.get(diagnosis.run, {}).values()
    if grades:
        n_relevant = sum(grade >= diagnosis.forecaster.rel for grade in grades)
        lines.append(state_labels(n_relevant, len(grades), diagnosis.n_unjudged))
    return lines


def command_to_draw(paths: Sequence[Path], n: int, given: Sequence[str] = (), added: Sequence[str] = ()) -> str:
    """The command that draws n documents to judge.

    `given` are the options of this command as words, and `added` those that the proposed command has after --draw.

    Many run files are abbreviated: a shell had written them out. A draw that was read is not overwritten.
    """
    from shlex import quote

    names = [quote(str(path)) for path in paths]
    if len(names) > 5:
        names = [names[0], "RUNS...", names[-1]]
    out = next(name for name in ("draw.tsv", "more.tsv", "draw-3.tsv") if name not in given)
    return " ".join(["cranfield diagnose", *names, *map(quote, given), f"--draw {n} {out}", *added])


def draw_unjudged(diagnosis: Diagnosis, n: int, seed: int) -> RandomDraw:
    """Draw unjudged documents of the new run at random; an earlier draw goes on, with its seed and its grades."""
    if not diagnosis.n_unjudged:
        raise InputError(
            f"the first {diagnosis.depth} documents of {diagnosis.run} are all judged, so there is nothing to draw"
        )
    seed = diagnosis.draws[-1].seed if diagnosis.draws else seed
    draw = draw_documents(diagnosis.unjudged, diagnosis.run, n, diagnosis.depth, seed=seed)
    return carry_grades(draw, diagnosis.draws)


def draw_for_diagnosis(diagnosis: Diagnosis, drawing: DrawSetting, view: View) -> list[str]:
    """Draw unjudged documents, write the draw, and add it to the store on request; lines about it."""
    if drawing.draw is None:
        return []
    draw = draw_unjudged(diagnosis, drawing.draw[0], drawing.seed)
    lines = write_draw(draw, drawing)
    line = (
        view.read_from_store(partial(_store_pool, draw=draw, stored=diagnosis.stored), "") if drawing.store_pool else ""
    )
    return [*lines, *filter(None, [line])]


def _store_pool(store: Store, draw: RandomDraw, stored: StoredDraws) -> str:
    """Add a pool of the drawn documents to a store, unless it has this draw already; a line about it."""
    n_labelled = sum(grade is not None for grade in draw.grades)
    labels = f"{n_labelled} labelled, {len(draw.documents) - n_labelled} to judge in this order"
    documents = [list(pair) for pair in draw.documents]
    if same := next((one for one in stored.draws if one["run"] == draw.run and one["documents"] == documents), None):
        return f"this draw is already stored as pool {same['pool']}: {counted(len(documents), 'document')}, {labels}"
    number = store_draw(store, draw, {"beside": stored.number})
    shown = [store.document(docno) for _, docno in draw.documents]
    blank = sum(not (document.text or document.title) for document in shown)
    note = f"; {blank} of them cannot be judged without a text" if blank else ""
    size = f"{len(documents)} of {counted(draw.frame_size, 'unjudged document')}, drawn at random from {draw.run}"
    return f"pool {number}: {size}, {labels}{note}"
