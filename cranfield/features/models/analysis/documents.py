"""A model's labels of documents beside people's, for an audit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import UndecidedError
from cranfield.features.models.analysis.audit import repeated_labels, two_who_share_most
from cranfield.features.models.analysis.estimate import model_labels
from cranfield.features.models.asking.assess import RELEVANCE
from cranfield.features.models.audited import Asked, AuditedKind, Comparison, PanelKind, PanelLabel
from cranfield.features.models.usability import Group, group_by_length, group_by_rank
from cranfield.judging.agreement.agreement import LabelMatrix, matrix_of_qrels
from cranfield.judging.labels.choice import PRIMARY, undecided_pairs
from cranfield.judging.labels.diff import Side, read_side, shared_sides
from cranfield.judging.labels.differences import NO_DIFFERENCES, LabelDifferences, differences_among
from cranfield.judging.labels.pairs import Pair, assessors_that_count, labels_by_pair, matrix_of_store
from cranfield.judging.labels.policies import apply_policy
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.chain import Event
from cranfield.store.corpus import listed_documents
from cranfield.store.log import append, current_decisions, read_events
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store

DEFAULT = ("AP", "nDCG@10")
DRAW = "; `cranfield model audit draw` draws documents for a person to judge"


def compare(store: Store, model: str, chosen: Labellers, names: Asked) -> Comparison:
    """The grades of the documents that both graded."""
    model_labels(store, model)
    if chosen.assessor is not None:
        human_labels = read_side(store, f"assessor:{chosen.assessor}")
    else:
        human_labels = Side(
            str(chosen.kind), apply_policy(store, rule=chosen.policy or PRIMARY, whose=chosen.kind).qrels()
        )
    people, machine = shared_sides(human_labels, read_side(store, f"assessor:{model}"), DRAW)
    if chosen.assessor is None and chosen.policy is None:
        _refuse_undecided(store, people.pairs)
    matrix = matrix_of_qrels(
        {"people": people.qrels, "model": machine.qrels},
        tuple(store.collection.grades), store.collection.min_relevant,
    )  # fmt: skip
    runs = stored_runs(store)
    judged, measures = (
        join_runs_and_qrels(runs, people.qrels),
        parse_measures(names or DEFAULT, store.collection.min_relevant),
    )
    groups = [*group_by_length(_lengths(store, matrix.units))]
    return Comparison(
        matrix, two_who_share_most(matrix_of_store(store, whose=LabelledBy.people)), runs.tags, measures,
        score=_score(judged, people, matrix, measures),
        groups=[*groups, *(_group_by_rank(judged, people, matrix) if runs.tags else ())],
        repeats=repeated_labels(read_events(store, model)),
        people=[chosen.assessor] if chosen.assessor else _names_of_people(store, people.pairs),
        differences=NO_DIFFERENCES if chosen.assessor else _differences_of_people(store, people.pairs),
    )  # fmt: skip


def _refuse_undecided(store: Store, pairs: Sequence[Pair]) -> None:
    """Raise UndecidedError if people labelled any of these pairs differently and nothing decides."""
    if (undecided := undecided_pairs(store, Labellers(kind=LabelledBy.people), among={*pairs})).items:
        how = "; `cranfield adjudicate` settles differences"
        raise UndecidedError(undecided.message(how=how, option="--human"), store.path, tuple(undecided.names))


def _names_of_people(store: Store, pairs: Sequence[Pair]) -> list[str]:
    kinds, wanted = assessors_that_count(store, None, LabelledBy.people), {*pairs}
    found = {
        event.assessor
        for pair, labels in labels_by_pair(store, kinds).items()
        if pair in wanted
        for event in (*labels.adjudications, *labels.votes)
    }
    return [name for name in kinds if name in found]


def _differences_of_people(store: Store, pairs: Sequence[Pair]) -> LabelDifferences:
    by_pair, wanted = labels_by_pair(store, assessors_that_count(store, None, LabelledBy.people)), {*pairs}
    return differences_among(labels for pair, labels in by_pair.items() if pair in wanted)


def _labels(store: Store, assessor: str) -> dict[Pair, int | None]:
    """The current labels of an assessor; None where there is none for a reason."""
    return {pair: event.grade for pair, event in current_decisions(store, assessor).items() if event.kind != "later"}


def _record(store: Store, assessor: str, labels: Mapping[Pair, PanelLabel]) -> None:
    """Append the labels of a panel."""
    append(store, *(
        Event("cannot-judge" if one.grade is None else "label", *pair, assessor, grade=one.grade, reason=one.reason,
              evidence=one.evidence, input="model")
        for pair, one in labels.items()
    ))  # fmt: skip


PANEL = PanelKind(
    RELEVANCE, lambda store: tuple(store.collection.grades), _labels,
    topics=lambda store, pairs: {pair: pair[0] for pair in pairs}, record=_record,
)  # fmt: skip
KIND = AuditedKind(compare, panel=PANEL)


def _score(
    judged: Judged, people: Side, matrix: LabelMatrix, measures: Sequence[Measure]
) -> Callable[[Floats], Floats]:
    """The scores of the runs by other grades of the same documents; the highest grade stays, so that ERR means one."""
    place = {pair: number for number, pair in enumerate(matrix.units)}
    unit = np.array([place[pair] for pair in people.pairs], np.int64)[judged.qrels_row]
    highest = int(matrix.grades.max(initial=0))

    def scores(labels: Floats) -> Floats:
        grade = labels[unit].astype(np.int64)
        other = replace(judged, qrels_grade=grade, grade=grade[judged.judgment], highest_grade=highest)
        return score(other, measures)

    return scores


def _lengths(store: Store, pairs: Sequence[Pair]) -> Floats:
    """The length of the document of each pair; NaN has no text."""
    about = listed_documents(store, [docno for _, docno in pairs])
    lengths = [about[docno].length if docno in about else None for _, docno in pairs]
    return np.array([length or np.nan for length in lengths], float)


def _group_by_rank(judged: Judged, people: Side, matrix: LabelMatrix) -> Iterator[Group]:
    """The pairs by the best rank at which a run has them."""
    best = np.full(len(people.qrels), np.nan)
    np.fmin.at(best, judged.qrels_row[judged.judgment], judged.rank)
    rank = dict(zip(people.pairs, best.tolist(), strict=True))
    return group_by_rank(np.array([rank[pair] for pair in matrix.units]))
