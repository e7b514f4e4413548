"""Labels compared, and disagreements of those of a store: their effects on its runs, and estimates from a sample.

Compared are labels of assessors of a store or of qrels files of the same documents, and two sets and their effect.
Estimates are from documents with two labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cranfield import hooks
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import respelled_notes
from cranfield.arrays.rankings import Qrels, Runs, occurring_codes
from cranfield.errors import InputError
from cranfield.formats import read_qrels, read_runs
from cranfield.formats.files import collected_notes, report_note
from cranfield.formats.given_files import expand_folders, file_name_without_suffixes
from cranfield.judging.adjudication.cases import Dispute, Effect, disputes, effects, rank_disputes
from cranfield.judging.adjudication.sample import (
    CorrectedShares,
    Phases,
    adjudicated_number_and_seed,
    disputes_with_two_labels,
    draw_sample,
    split_into_phases,
)
from cranfield.judging.agreement.agreement import (
    Coefficient,
    LabelMatrix,
    agreement_by_pair,
    agreement_of_topics,
    matrix_of_qrels,
    overall_agreement,
)
from cranfield.judging.labels.choice import decisions_by_given_or_recorded_policy
from cranfield.judging.labels.diff import (
    LabelChanges,
    Side,
    SystemChanges,
    as_document,
    label_changes,
    read_side,
    shared_sides,
    system_changes,
)
from cranfield.judging.labels.pairs import Pair, PairLabels, assessors_that_count, labels_by_pair, matrix_of_store
from cranfield.judging.labels.policies import Decisions, Policy
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.parallel import progress_bar
from cranfield.selection import LabelledBy, Labellers
from cranfield.source import refuse_store_options
from cranfield.store.assignments import assignments, documents_drawn_for, plans
from cranfield.store.chain import Event
from cranfield.store.log import assessors
from cranfield.store.reading import Place, Reading, name_of, open_store_at, selection_for_files
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import join_words, name_hint


def labels_in_store(
    place: Place,
    assessors_to_compare: Sequence[str] | None = None,
    of: str = "documents",
    whose: LabelledBy = LabelledBy.all,
    *,
    pool: int | None = None,
) -> tuple[LabelMatrix, dict[str, str]]:
    """The labels of at least two assessors of a store with documents in common, and the kind of each assessor."""
    names = assessors_to_compare and list(assessors_to_compare)
    with open_store_at(place) as store:
        kinds = assessors(store)
        if of != DOCUMENTS:
            panel = _compare_feature_labels(store, of, names, whose, pool)
        else:
            panel = matrix_of_store(store, names, whose, pool)
            if not names:
                _refuse_single_assessor(store, panel, whose)
    _check_panel(panel, name_of(place))
    return panel, kinds


def labels_in_files(
    files: Sequence[Path],
    reading: Reading,
    names: Sequence[str] | None = None,
    of: str = "documents",
    whose: LabelledBy = LabelledBy.all,
    *,
    pool: int | None = None,
    scale: Sequence[float] | None = None,
    min_relevant: float = 1,
) -> LabelMatrix:
    """The labels of at least two qrels files with documents in common."""
    if len(files) == 1:
        raise InputError("there is only one qrels file; agreement needs two or more qrels files, or a store", files[0])
    if of != DOCUMENTS:
        raise InputError("--of needs a store; qrels files contain only document labels", files[0])
    refuse_store_options(files[0], Labellers(kind=whose), pool)
    choice = selection_for_files(reading)
    by_name = {file_name_without_suffixes(path): path for path in files}
    if len(by_name) < len(files):
        by_name = {str(path): path for path in files}
    for name in names or ():
        if name not in by_name:
            raise InputError(f"unknown assessor {name!r}{name_hint(name, by_name)}")
    several = {name: read_qrels(path, fractions=True) for name, path in by_name.items() if not names or name in names}
    several = {name: choice.select_qrels(qrels) for name, qrels in several.items()} if choice else several
    _note_respelled(several)
    panel = matrix_of_qrels(several, scale, min_relevant)
    _check_panel(panel, files[0])
    return panel


DOCUMENTS = "documents"
LabelReader = Callable[[Store, Sequence[str] | None, LabelledBy], LabelMatrix]


def label_readers() -> dict[str, LabelReader]:
    """Return what reads the labels of each kind that extensions add."""
    return dict(hooks.collect_from_extensions(lambda extension: extension.label_matrices().items()))


def kinds_of_labels() -> list[str]:
    return [DOCUMENTS, *label_readers()]


def _compare_feature_labels(
    store: Store, of: str, names: Sequence[str] | None, whose: LabelledBy, pool: int | None
) -> LabelMatrix:
    """The labels of a kind that a feature adds."""
    kinds = label_readers()
    if of not in kinds:
        raise InputError(f"unknown kind of labels {of!r}; expected {join_words(kinds_of_labels(), 'or')}")
    if pool is not None:
        raise InputError("--pool applies only to document labels; omit --pool when you use --of", Path(store.path))
    return kinds[of](store, names, whose)


def _refuse_single_assessor(store: Store, panel: LabelMatrix, whose: LabelledBy) -> None:
    """Raise InputError that names the labels which two assessors gave, where they gave none of documents."""
    if len(panel.assessors) > 1:
        return
    kinds = label_readers()
    several = [name for name, read in kinds.items() if len(read(store, None, whose).assessors) > 1]
    if several:
        found = f"only {panel.assessors[0]} labelled documents" if panel.assessors else "no document has a label"
        others = join_words([f"--of {name}" for name in several], "or")
        raise InputError(f"{found}; {others} compares other labels", Path(store.path))


def agreement_of(
    panel: LabelMatrix, by: str = "overall", names: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0
) -> list[Coefficient]:
    """How far they agree, by coefficient, and by pair or topic if it is asked for."""
    if by == "topic":
        return agreement_of_topics(panel, names)
    return (agreement_by_pair if by == "pair" else overall_agreement)(panel, names, resamples, seed)


def labels_of_qrels(
    several: Mapping[str, Qrels], scale: Sequence[float] | None = None, min_relevant: float = 1
) -> LabelMatrix:
    """The labels of several qrels, of at least two assessors with documents in common."""
    _note_respelled(several)
    panel = matrix_of_qrels(several, scale, min_relevant)
    _check_panel(panel)
    return panel


def _check_panel(panel: LabelMatrix, path: Path | None = None) -> None:
    if len(panel.assessors) < 2:
        names = ", ".join(panel.assessors) or "none"
        raise InputError(
            f"there is only one assessor ({names}), but agreement needs two; "
            "judge documents or import labels under another name",
            path,
        )
    if not panel.has_two_labels.any():
        raise InputError("no document was labelled by two of these assessors", path)


def _note_respelled(several: Mapping[str, Qrels]) -> None:
    """Note topics and documents of these judgments that differ only in Unicode normalisation."""
    topics = {name: qrels.qids for name, qrels in several.items()}
    docnos = {name: qrels.docnos.names[occurring_codes(qrels.document)].tolist() for name, qrels in several.items()}
    for line in (*respelled_notes("topic", topics), *respelled_notes("document", docnos)):
        report_note(line)


class LabelDiff(NamedTuple):
    """What differs between two sets of judgments, and the JSON document; no systems where there are no runs."""

    labels: LabelChanges
    systems: SystemChanges | None
    document: dict[str, Any]


ALL_OPTION_HINT = "; compare all labels of both sides with --all"


def label_diffs_in_store(
    place: Place, names: Sequence[str], measures: MeasureLike | Iterable[MeasureLike], every: bool
) -> list[tuple[str, str, LabelDiff]]:
    """Compare each two sides of a store."""
    with open_store_at(place) as store:
        how = {"every": every, "several": len(names) > 2}
        diffs = [(a, b, label_diff(store, a, b, measures, **how)) for a, b in combinations(names, 2)]
        return [(_name_labellers(a, one, "a"), _name_labellers(b, one, "b"), one) for a, b, one in diffs]


def label_diffs_in_files(
    paths: Sequence[str], reading: Reading, measures: MeasureLike | Iterable[MeasureLike], every: bool
) -> list[tuple[str, str, LabelDiff]]:
    """Compare each two of some qrels files, after which runs may come."""
    sides, rest = list[Side](), list(paths)
    while rest and (side_of_file := _qrels_side(rest[0])):
        sides.append(side_of_file)
        rest.pop(0)
    if len(sides) < 2:
        raise InputError("not a store; expected a store, or at least two qrels files followed by runs", Path(paths[0]))
    runs = read_runs(expand_folders([Path(path) for path in rest])) if rest else None
    if selection := selection_for_files(reading):
        sides = [one._replace(qrels=selection.select_qrels(one.qrels)) for one in sides]
        runs = None if runs is None else selection.select_runs(runs)
    _note_respelled({one.name: one.qrels for one in sides})
    how = {"every": every, "several": len(sides) > 2}
    return [(a.name, b.name, _diff_of_files(a, b, runs, measures, **how)) for a, b in combinations(sides, 2)]


def _name_labellers(name: str, diff: LabelDiff, key: str) -> str:
    whose = diff.document.get("labelled_by", {}).get(key)
    return f"{name} ({whose})" if whose else name


def _qrels_side(path: str) -> Side | None:
    """The judgments of a file; None for a folder, or what is no file of judgments."""
    if not Path(path).exists():
        raise InputError("no such file", Path(path))
    if Path(path).is_dir():
        return None
    try:
        with collected_notes() as notes:
            qrels = read_qrels(path, fractions=True)
    except InputError:
        return None
    for line in notes:
        report_note(line)
    return Side(path, qrels)


def _diff_of_files(
    left: Side,
    right: Side,
    runs: Runs | None,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    every: bool,
    several: bool,
) -> LabelDiff:
    labels, both = label_changes(left, right), _scored_by(left, right, every, several)
    systems = None
    if runs is not None and both:
        systems = system_changes(runs, both[0].qrels, both[1].qrels, parse_measures(measures))
    return LabelDiff(labels, systems, as_document(left.name, right.name, every, labels, systems))


def _scored_by(left: Side, right: Side, every: bool, several: bool) -> tuple[Side, Side] | None:
    """By which labels runs are scored: what both label or `every` one; by none where two of `several` share nothing."""
    if every:
        return left, right
    return None if several and not {*left.pairs} & {*right.pairs} else shared_sides(left, right, ALL_OPTION_HINT)


def label_diff(
    store: Store,
    a: str,
    b: str,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    every: bool,
    several: bool = False,
) -> LabelDiff:
    """Compare two sides; runs are scored on what both label or, with `every`, on all labels of either side."""
    left, right = read_side(store, a), read_side(store, b)
    _note_respelled({a: left.qrels, b: right.qrels})
    labels, both = label_changes(left, right), _scored_by(left, right, every, several)
    systems = _systems(store, *both, measures) if both else None
    releases = {name: dict(it.release.counts) for name, it in (("a", left), ("b", right)) if it.release}
    document = as_document(a, b, every, labels, systems) | ({"releases": releases} if releases else {})
    whose = {name: one.whose for name, one in (("a", left), ("b", right)) if one.whose}
    return LabelDiff(labels, systems, document | ({"labelled_by": whose} if whose else {}))


def _systems(store: Store, a: Side, b: Side, measures: MeasureLike | Iterable[MeasureLike]) -> SystemChanges | None:
    runs = stored_runs(
        store, [tag for tag in run_info(store) if all(it.runs is None or tag in it.runs for it in (a, b))]
    )
    if not runs.tags:
        return None
    return system_changes(runs, a.qrels, b.qrels, parse_measures(measures, store.collection.min_relevant))


def weighed_disputes(
    store: Store,
    between: Sequence[str] | None = None,
    *,
    pool: int | None = None,
    measure: MeasureLike = "AP",
    policy: str | None = None,
    top: int = 5,
) -> tuple[list[Dispute], Decisions, int]:
    """The disagreements with their effects on the qrels by a policy, these qrels, and the number of runs considered."""
    whose = LabelledBy.all if between else LabelledBy.people
    outcome = decisions_by_given_or_recorded_policy(store, policy)
    several = disputes(labels_by_pair(store, assessors_that_count(store, between, whose), pool=pool))
    if not several:
        others = "" if between else "; labels by models are included only if --between names the models"
        pool_words = f" in pool {pool}" if pool else ""
        message = f"there are no disagreements{pool_words}: no document has two different labels{others}"
        readers = {} if between else label_readers()
        panels = {kind: read(store, None, LabelledBy.people) for kind, read in readers.items()}
        if kinds := [f"--of {kind}" for kind, panel in panels.items() if panel.differs]:
            message += f"; {join_words(kinds, 'or')} settles differences between other labels"
        raise InputError(message, Path(store.path))
    several, runs = _weigh(store, outcome, several, measure, top)
    return several, outcome, runs


def ranked_disputes(store: Store) -> list[Dispute]:
    """The disagreements between people, the most important first; none where all agree."""
    try:
        several, _, _ = weighed_disputes(store)
    except InputError:
        return []
    return rank_disputes(several)


def dispute_rows(several: Sequence[Dispute], outcome: Decisions) -> list[dict[str, Any]]:
    """One row per disagreement, with how it was settled."""
    # grades are sorted, so that their order does not reveal the assessors
    return [
        {
            "topic": it.pair[0], "document": it.pair[1],
            "labels": " ".join(map(str, sorted((vote.grade for vote in it.votes), key=lambda grade: grade or 0))),
            "moves top": it.effect.moves_top, "pairs of runs exchanged": it.effect.swaps, "spread": it.effect.spread,
            **_settlement(outcome.by_pair[it.pair].adjudications if it.pair in outcome.by_pair else ()),
        }
        for it in several
    ]  # fmt: skip


def _settlement(answers: Sequence[Event]) -> dict[str, str | None]:
    """How a disagreement was settled, by whom and why; None for open ones."""
    grades = "; ".join("cannot judge" if event.grade is None else str(event.grade) for event in answers)
    names = "; ".join(event.assessor for event in answers)
    why = "; ".join(filter(None, (event.note or event.reason for event in answers)))
    return {"settled": grades or None, "settled by": names or None, "why": why or None}


def _weigh(
    store: Store, outcome: Decisions, several: list[Dispute], measure: MeasureLike, top: int
) -> tuple[list[Dispute], int]:
    """The disagreements with their effects, and the number of runs considered."""
    runs = stored_runs(store)
    rel = store.collection.min_relevant
    if not runs.tags:
        return several, 0
    by_pair = _effects(runs, outcome, several, measure=measure, rel=rel, top=top)
    return [it._replace(effect=by_pair[it.pair]) for it in several], len(runs.tags)


def _effects(
    runs: Runs, outcome: Decisions, several: Sequence[Dispute], *, measure: MeasureLike, rel: int, top: int
) -> dict[Pair, Effect]:
    (by,) = parse_measures(measure, rel)
    judged = join_runs_and_qrels(runs, outcome.qrels())
    pairs = list(outcome.labels)
    others = {it.pair: [grade for grade in it.grades if grade != outcome.labels.get(it.pair)] for it in several}
    with progress_bar("weighing disagreements", len(judged.qids)) as advance:
        return effects(judged, others, pairs, by, top=top, progress=advance)


class DrawnSample(NamedTuple):
    """The documents with two labels or more, and the sample of them."""

    several: Sequence[Dispute]
    disputes: Sequence[Dispute]
    number: int
    seed: int
    rel: int


def sample_of(store: Store, path: Path, between: Sequence[str] | None, number: int | None, seed: int) -> DrawnSample:
    """The requested sample or, without a number, the one in the log."""
    several = disputes_with_two_labels(
        labels_by_pair(store, assessors_that_count(store, between, LabelledBy.all if between else LabelledBy.people))
    )
    if not several:
        raise InputError("nothing to sample: no document has two labels", path)
    size, seed = (number, seed) if number else adjudicated_number_and_seed(store)
    rel = store.collection.min_relevant
    return DrawnSample(several, draw_sample(several, size, seed, rel), size, seed, rel)


class SampleEstimate(NamedTuple):
    """Estimates from the sample for all documents with two labels or more."""

    both: Phases
    rows: Sequence[CorrectedShares]  # one per assessor, and one for the policy
    pool: dict[str, Any] | None


def estimates_of(store: Store, sample: DrawnSample, rule: Policy) -> SampleEstimate:
    """The estimates from the part of the sample that is adjudicated."""
    by_pair = labels_by_pair(store, assessors_that_count(store, None))
    both = split_into_phases(sample.several, {it.pair for it in sample.disputes}, _settlements(by_pair), sample.rel)
    scale = tuple(store.collection.grades)
    labels = {it.pair: rule.grade([vote.grade or 0 for vote in it.votes], scale) or 0 for it in both.documents}
    rows = [*both.share_by_assessor(), both.correction(f"policy {rule.name}", labels)]
    return SampleEstimate(both, rows, _pool(store, both, by_pair))


def _settlements(by_pair: Mapping[Pair, PairLabels]) -> dict[Pair, int | None]:
    """By pair: the grade of the adjudication; None if it only says that the document cannot be judged."""
    answers = {pair: [event.grade for event in ballot.adjudications] for pair, ballot in by_pair.items()}
    return {pair: next((g for g in grades if g is not None), None) for pair, grades in answers.items() if grades}


def _pool(store: Store, both: Phases, by_pair: Mapping[Pair, PairLabels]) -> dict[str, Any] | None:
    """The share of relevant documents in the pool, if an overlap drawn from all of it has been judged."""
    overlap = {(qid, docno) for qid, docnos in documents_drawn_for(store, "overlap").items() for docno in docnos}
    judged = all(pair in by_pair and len(by_pair[pair].decisions) > 1 for pair in overlap)
    if len(plans(store)) != 1 or not overlap or not judged:
        return None
    own = both.select_rows(np.array([document.pair in overlap for document in both.documents], bool))
    documents = sum(assignment.documents for assignment in assignments(store) if assignment.role == "first")
    if not own.documents:
        return None
    return {"documents": documents, "relevant": own.relevant(1 / len(own.documents) - 1 / documents)._asdict()}


def sample_document(sample: DrawnSample, estimate: SampleEstimate) -> dict[str, Any]:
    """The JSON."""
    return {
        "sample": {"size": sample.number, "seed": sample.seed},
        "strata": estimate.both.strata_rows(),
        "assessors": [
            {
                "assessor": row.assessor,
                "documents": row.documents,
                "labelled_relevant": row.labelled,
                "relevant": row.relevant._asdict(),
                "agreement": row.agreement._asdict(),
            }
            for row in estimate.rows
        ],
        "pool": estimate.pool,
    }
