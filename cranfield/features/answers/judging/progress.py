"""How much of each kind of labels of answers is done, by whom, and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cranfield.features.answers.judging.tasks import Assigning, Attributing, Supporting
from cranfield.features.answers.judging.whole import Comparing, Correcting, Rating
from cranfield.features.answers.store.answers import topic_ids_with_answers
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NOT_BY_HAND,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    CurrentLabel,
    Item,
    LabelLog,
)
from cranfield.features.answers.store.nuggets import current_nuggets, last_edits
from cranfield.judging.planning.label_work import LabellerWork, LabelWork, TimedLabel, counted_seconds
from cranfield.selection import MODELS
from cranfield.store.log import assessors

if TYPE_CHECKING:
    from cranfield.features.answers.judging.labelling import Begin
    from cranfield.store.store import Store

SETTLING, SETTLING_ROLE = "settle answer labels", "settle-answers"


class LabelKind(NamedTuple):
    """A kind of labels of answers: its name in `--of`, its task, what one label is, and the roles that give it."""

    name: str
    task: str
    noun: str
    log: LabelLog
    begin: Begin
    roles: tuple[str, ...]


LABEL_KINDS: Mapping[str, LabelKind] = {
    kind.name: kind
    for kind in (
        LabelKind("nuggets", "assign nuggets", "nugget label", NUGGET_LABELS, Assigning, ("assign",)),
        LabelKind("support", "support", "support label", SUPPORT_LABELS, Supporting, ("support", "support-each")),
        LabelKind("claims", "claims", "claim label", CLAIM_LABELS, Attributing, ("claims",)),
        LabelKind("correctness", "correctness", "correctness label", CORRECTNESS_LABELS, Correcting, ("correctness",)),
        LabelKind("rubrics", "rubrics", "rubric label", RUBRIC_LABELS, Rating, ("rubrics",)),
        LabelKind("comparisons", "compare answers", "comparison", COMPARISON_LABELS, Comparing, ("compare-answers",)),
    )
}


NUGGET_TASK = "make nuggets"


def label_work_of_answers(store: Store) -> list[LabelWork]:
    """Return the work on answers: nuggets to make, and the labels of each kind that has anything to label."""
    if not store.has_rows("answer"):
        return []
    every = (_label_work(store, kind) for kind in LABEL_KINDS.values())
    topics, kinds, last = topic_ids_with_answers(store), assessors(store), last_edits(store)
    nuggets = [one for one in current_nuggets(store) if one.qid in {*topics}]
    numbers = Counter(one.author for one in nuggets)
    labelled_by_people = {one.qid for one in nuggets if not one.by_model}
    labelled_by_models = {one.qid for one in nuggets} - labelled_by_people
    labellers = [LabellerWork(name, kinds[name], done, last=last.get(name, "")) for name, done in numbers.items()]
    making = LabelWork(
        NUGGET_TASK,
        "topic",
        len(topics),
        len(labelled_by_people),
        len(labelled_by_models),
        differing=0,
        labellers=labellers,
        roles=("nuggets",),
        each=False,
    )
    return [making, *(one for one in every if one.items or one.labellers)]


def last_signs_on_answers(store: Store) -> dict[str, str]:
    """Return when each assessor last labelled answers or edited nuggets in this program, in UTC."""
    signs = last_edits(store)
    for kind in LABEL_KINDS.values():
        for name, at in kind.log.last_signs(store).items():
            signs[name] = max(at, signs.get(name, ""))
    return signs


def _label_work(store: Store, kind: LabelKind) -> LabelWork:
    items = {item for several in kind.begin(store, 0, None).items().values() for item in several}
    labels = kind.log.current(store)
    asked = items | _labelled_apart(store, kind, labels)
    labelled = [one for one in labels if one.kind == "label" and one.item in items]
    labelled_by_people = {one.item for one in labelled if one.assessor_kind not in MODELS}
    labelled_by_models = {one.item for one in labelled} - labelled_by_people
    by_item: dict[Item, set[str]] = {}
    settled = {one.item for one in labels if one.settles}
    for one in labels:
        if one.label is not None and not one.settles and one.assessor_kind not in MODELS:
            by_item.setdefault(one.item, set()).add(one.label)
    differing = sum(len(several) > 1 and item in asked and item not in settled for item, several in by_item.items())
    return LabelWork(
        kind.task,
        kind.noun,
        len(items),
        len(labelled_by_people),
        len(labelled_by_models),
        differing=differing,
        labellers=[_labeller(name, own, items) for name, own in _group_by_assessor(labels).items()],
        roles=kind.roles,
        settling=SETTLING,
        settling_role=SETTLING_ROLE,
    )


def _labelled_apart(store: Store, kind: LabelKind, labels: Iterable[CurrentLabel]) -> set[Item]:
    """Items with labels that the task does not show now but that still count, such as further citations."""
    if kind.name in ("support", "comparisons"):
        return {one.item for one in labels}
    if kind.name == "nuggets":
        numbers = {one.number for one in current_nuggets(store)}
        return {one.item for one in labels if one.item[1] in numbers}
    return set()


def _group_by_assessor(labels: Iterable[CurrentLabel]) -> dict[str, list[CurrentLabel]]:
    by_name: dict[str, list[CurrentLabel]] = {}
    for one in labels:
        by_name.setdefault(one.assessor, []).append(one)
    return by_name


def _labeller(name: str, own: list[CurrentLabel], items: set[Item]) -> LabellerWork:
    kinds = Counter(one.kind for one in own)
    decided = {one.item for one in own if one.kind != "later"}
    by_hand = [one for one in own if one.input not in NOT_BY_HAND]
    labels = [one.seconds for one in by_hand if one.kind == "label" and not one.settles]
    return LabellerWork(
        name,
        own[0].assessor_kind,
        done=kinds["label"],
        later=kinds["later"],
        cannot_judge=kinds["cannot-judge"],
        left=len(items - decided) if own[0].assessor_kind == "human" else None,
        seconds=counted_seconds(labels),
        last=max((one.at for one in by_hand), default=""),
        labels=[TimedLabel(one.at, one.seconds) for one in by_hand if one.kind != "later" and not one.settles],
    )
