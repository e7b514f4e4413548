"""A model's labels of nuggets, citations or claims beside people's, for an audit."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.features.answers.analysis.choice import decide_labels_of, refuse_undecided
from cranfield.features.answers.analysis.evaluation import answer_scores
from cranfield.features.answers.analysis.judged import PAIRS, saying
from cranfield.features.answers.analysis.whole import ItemLabels, pair_labels
from cranfield.features.answers.by_model.labelling import ASSIGNMENT, ATTRIBUTION
from cranfield.features.answers.by_model.labelling import SUPPORT as SUPPORTING
from cranfield.features.answers.by_model.whole import COMPARISON, RUBRIC
from cranfield.features.answers.by_model.whole import CORRECTNESS as CORRECTING
from cranfield.features.answers.judging.tasks import BETTER, SUPPORTS, YES_NO, LabelScale
from cranfield.features.answers.measures.judged import JudgedAnswers
from cranfield.features.answers.store.answers import stored_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    Item,
    LabelEvent,
    LabelLog,
)
from cranfield.features.answers.store.labels import SUPPORT as SUPPORT_OF_LABEL
from cranfield.features.answers.store.nuggets import CountedLabels, counted_labels
from cranfield.features.models.analysis.audit import two_who_share_most
from cranfield.features.models.analysis.estimate import check_model
from cranfield.features.models.audited import Asked, AuditedKind, Comparison, PanelKind, PanelLabel, ScoredBy
from cranfield.judging.agreement.agreement import LabelMatrix
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.selection import MODELS, LabelledBy, Labellers
from cranfield.store.log import assessors
from cranfield.store.store import Store

GRADES = (0, 1, 2)  # no, in part, yes; of two answers: the second is better, a tie, the first


class LabelsOfAnswers(NamedTuple):
    """A kind of labels: the task of models that give them, their log, measures by default, and what these need."""

    task: str
    log: LabelLog
    measures: tuple[str, ...]
    needs: tuple[str, ...]
    scale: LabelScale = SUPPORTS

    def labels(self, store: Store, labellers: Labellers) -> ItemLabels:
        """The labels of an assessor, or those that count; of pairs of answers, where both orders have one."""
        return self.counted(store, labellers).labels

    def counted(self, store: Store, labellers: Labellers) -> CountedLabels:
        """The same labels, with whose they are and who differ."""
        if self.log is COMPARISON_LABELS:
            return pair_labels(store, labellers)
        return counted_labels(store, self.log, labellers, decide=decide_labels_of(self.log))


LABELS: Mapping[str, LabelsOfAnswers] = {
    "nuggets": LabelsOfAnswers(ASSIGNMENT.name, NUGGET_LABELS, ("V_strict", "A"), ("nuggets",)),
    "support": LabelsOfAnswers(SUPPORTING.name, SUPPORT_LABELS, ("SupportP", "SupportR"), ("support",)),
    "claims": LabelsOfAnswers(ATTRIBUTION.name, CLAIM_LABELS, ("Faithful", "CtxR"), ("statements", "reference")),
    "correctness": LabelsOfAnswers(CORRECTING.name, CORRECTNESS_LABELS, ("Correct",), ("correctness",)),
    "rubrics": LabelsOfAnswers(RUBRIC.name, RUBRIC_LABELS, ("Rubric",), ("rubric",), YES_NO),
    PAIRS: LabelsOfAnswers(COMPARISON.name, COMPARISON_LABELS, ("WinRate",), (PAIRS,), BETTER),
}


def compare(what: str, store: Store, model: str, chosen: Labellers, names: Asked) -> Comparison:
    """The labels of what both labelled; the scores are of answers of which all that a measure needs has labels."""
    of, human = LABELS[what], chosen.assessor
    check_model(store, model)
    machine = of.labels(store, Labellers(model, LabelledBy.models))
    counting = of.counted(store, chosen)
    theirs = counting.labels
    common = [item for item, label in theirs.items() if label is not None and item in machine]
    both = [item for item in common if machine[item] is not None]
    refuse_undecided(store, counting.select_items({*common}), "--human")
    if not both:
        raise InputError(f"no item has labels of {what} by both {model!r} and {human or 'people'}")
    matrix, items = _matrix(store, {"people": theirs, "model": machine}, both)
    judged = saying(store, what, items)
    score, measures = partial(_scores, judged, items), measures_of(what, names)
    if not names:
        measures = [one for one in measures if not np.isnan(score([one], matrix.grades[:, 0])).all()]
    kinds = assessors(store)
    labels = {
        name: of.labels(store, Labellers(name, LabelledBy.people))
        for name in of.log.counts(store)
        if kinds[name] not in MODELS
    }
    shared_items = list(dict.fromkeys(item for one in labels.values() for item in one))
    ceiling = two_who_share_most(_matrix(store, labels, shared_items)[0]) if shared_items else None
    return Comparison(
        matrix,
        ceiling,
        judged({}).tags,
        measures,
        score=partial(score, measures),
        ordered=of.scale is not BETTER,
        failures=len(common) - len(both),
        people=counting.names,
    )


def scored_by(what: str, store: Store, assessor: str, names: Asked) -> ScoredBy:
    """The scores by the labels of one assessor; those of claims by default of the answers' statements."""
    of = LABELS[what]
    measures = measures_of(what, names or of.measures[: 1 if what == "claims" else None])
    qids = {answer.number: answer.qid for answer in stored_answers(store)}
    labels = of.labels(store, Labellers(assessor))
    present = {item: label for item, label in labels.items() if label is not None}
    items = [item for name in of.log.counts(store) for item in of.labels(store, Labellers(name))]
    scores = answer_scores(saying(store, what, items)(present), measures)
    every = {qids[one[0]] for one in of.log.labels(store, assessor)}
    return ScoredBy(scores, measures, {qids[one[0]] for one in labels}, len(every))


def _panel(of: LabelsOfAnswers) -> PanelKind:
    """How several models are combined that label items of a log."""
    log, scale = of.log, of.scale

    def labels(store: Store, assessor: str) -> dict[Item, int | None]:
        return {item: scale.grade_of.get(label or "") for item, label in log.labels(store, assessor).items()}

    def topics(store: Store, items: Collection[Item]) -> dict[Item, str]:
        qids = {answer.number: answer.qid for answer in stored_answers(store)}
        return {item: qids[item[0]] for item in items}

    def record(store: Store, assessor: str, labels: Mapping[Item, PanelLabel]) -> None:
        log.append(store, [
            LabelEvent("cannot-judge" if one.grade is None else "label", item, assessor,
                       None if one.grade is None else scale.labels[one.grade], reason=one.reason, evidence=one.evidence,
                       input="model")
            for item, one in labels.items()
        ])  # fmt: skip

    return PanelKind(of.task, lambda store: sorted(scale.labels), labels, topics, record, scale is not BETTER)


NUGGETS, SUPPORT, CLAIMS, CORRECTNESS, RUBRICS, COMPARISONS = (
    AuditedKind(partial(compare, what), partial(scored_by, what), by_hand, _panel(LABELS[what]))
    for what, by_hand in (
        ("nuggets", "answers nuggets assign"),
        ("support", "answers support"),
        ("claims", "answers claims label"),
        ("correctness", "answers correctness"),
        ("rubrics", "answers rubrics label"),
        (PAIRS, "answers prefer"),
    )
)


def measures_of(what: str, names: Asked) -> Sequence[Measure]:
    """The measures, those by default where none is asked for; an error for one that other labels decide."""
    of = LABELS[what]
    measures = parse_measures(names or of.measures, of="answers")
    for one in measures:
        if one.needs not in of.needs:
            raise InputError(f"{one} cannot be computed from labels of {what}; use {' or '.join(of.measures)}")
    return measures


def _scores(
    judged: Callable[[ItemLabels], JudgedAnswers], items: Sequence[Item], measures: Sequence[Measure], grades: Floats
) -> Floats:
    """By labels of the items, as grades."""
    answers = judged(dict(zip(items, (grades / 2).tolist(), strict=True)))
    return np.stack([one.scores(answers).reshape(answers.shape) for one in measures], axis=-1)


def _matrix(store: Store, labels: Mapping[str, ItemLabels], items: Sequence[Item]) -> tuple[LabelMatrix, list[Item]]:
    """Labels side by side, as grades 0 to 2, NaN where there is none; and the item of each row."""
    qids = {answer.number: answer.qid for answer in stored_answers(store)}
    units = sorted((qids[item[0]], str(item), item) for item in items)
    grades = [[2 * (np.nan if (label := one.get(item)) is None else label) for one in labels.values()]
              for *_, item in units]  # fmt: skip
    matrix = LabelMatrix(tuple(labels), [(qid, name) for qid, name, _ in units], np.array(grades, float), GRADES)
    return matrix, [item for *_, item in units]


def label_matrix(
    what: str, store: Store, names: Sequence[str] | None = None, whose: LabelledBy = LabelledBy.all
) -> LabelMatrix:
    """The labels of answers side by side, one column for each assessor.

    Parameters
    ----------
    what : str
        The kind of labels, such as nuggets.
    store : Store
        The open store.
    names : sequence of str, optional
        The assessors; by default all who labelled, without panels.
    whose : LabelledBy, optional
        People, models or all.

    Returns
    -------
    LabelMatrix
        Grades 0 to 2 (units, assessors), NaN without a label.

    Raises
    ------
    InputError
        A named assessor gave no such label.
    """
    of, kinds = LABELS[what], assessors(store)
    labelling = of.log.counts(store)
    for name in names or ():
        if name not in labelling:
            raise InputError(
                f"{name!r} has no labels of {what}; available: {', '.join(labelling) or 'none'}", store.path
            )
    among = [name for name in names or labelling if whose.counts(kinds[name]) and (names or kinds[name] != "panel")]
    labels = {name: _votes(store, of, name) for name in among}
    labels = {name: votes for name, votes in labels.items() if votes or names}
    items = list(dict.fromkeys(item for one in labels.values() for item in one))
    scale = GRADES if of.scale is not YES_NO else (GRADES[0], GRADES[-1])
    if not items:
        return LabelMatrix((), [], np.zeros((0, 0)), scale)
    grade_names = {
        2 * SUPPORT_OF_LABEL[label]: f"“{of.scale.grades[digit]}”" for digit, label in of.scale.labels.items()
    }
    return replace(_matrix(store, labels, items)[0], scale=scale, grade_names=grade_names)


def _votes(store: Store, of: LabelsOfAnswers, name: str) -> ItemLabels:
    """The labels of an assessor without those by which they settled what others said."""
    settled = counted_labels(store, of.log, Labellers(name)).settled
    items = {tuple(sorted(item)) if of.log is COMPARISON_LABELS else item for item in settled}
    return {item: label for item, label in of.labels(store, Labellers(name)).items() if item not in items}


NUGGET_MATRIX, SUPPORT_MATRIX, CLAIM_MATRIX = (partial(label_matrix, what) for what in ("nuggets", "support", "claims"))
CORRECTNESS_MATRIX, RUBRIC_MATRIX, PAIR_MATRIX = (
    partial(label_matrix, what) for what in ("correctness", "rubrics", PAIRS)
)
