"""The labels that language models give and people check: what a kind of labels is for an audit, and for a panel."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from cranfield.arrays.rankings import Floats
from cranfield.features.models.usability import Group
from cranfield.judging.agreement.agreement import LabelMatrix
from cranfield.judging.labels.differences import NO_DIFFERENCES, LabelDifferences
from cranfield.metrics.evaluate import RunScores
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike
from cranfield.selection import Labellers
from cranfield.store.store import Store

Asked: TypeAlias = "MeasureLike | Iterable[MeasureLike] | None"
Unit = Any  # what is labelled: a pair of topic and document, an answer with a nugget, ...


class PanelLabel(NamedTuple):
    """What a panel says of a unit: a grade, or why there is none; and what it rests on."""

    grade: int | None
    reason: str
    votes: Mapping[str, int]

    @property
    def evidence(self) -> str:
        """As JSON."""
        return json.dumps({"panel": self.votes})


class PanelKind(NamedTuple):
    """Labels that a panel can give: the task of models who give them, their scale, how they are read and kept.

    `labels` are the current labels of an assessor, None where it failed; `topics` those of units.
    """

    task: str
    scale: Callable[[Store], Sequence[int]]
    labels: Callable[[Store, str], Mapping[Unit, int | None]]
    topics: Callable[[Store, Collection[Unit]], Mapping[Unit, str]]
    record: Callable[[Store, str, Mapping[Unit, PanelLabel]], None]
    ordered: bool = True  # whether labels have a mean


class RepeatedLabels(NamedTuple):
    """How many documents the model labelled more than once, and how many of those got another grade the last time."""

    documents: int
    changed: int


NEVER = RepeatedLabels(0, 0)


@dataclass(frozen=True)
class Comparison:
    """What a model and people labelled both, and what follows from such labels for the runs."""

    matrix: LabelMatrix  # of people and of the model, without a gap
    ceiling: LabelMatrix | None  # of the two people who share most, where any do
    tags: Sequence[str]  # the runs
    measures: Sequence[Measure]
    score: Callable[[Floats], Floats]  # from a label of each unit to scores (runs, topics, measures), NaN: unknown
    groups: Sequence[Group] = ()  # of units, besides those of people's labels
    ordered: bool = True  # whether a label can be above another; else it says which of two is better, the middle a tie
    failures: int = 0  # units that people labelled and the model could not
    repeats: RepeatedLabels = NEVER
    people: Sequence[str] = ()  # the names of those whose labels are in the first column
    differences: LabelDifferences = NO_DIFFERENCES  # between the labels of these people


class ScoredBy(NamedTuple):
    """The scores by the labels of one assessor; `qids` are the topics on which there are any that count.

    `labelled` is on how many there are any at all.
    """

    scores: RunScores
    measures: Sequence[Measure]
    qids: Collection[str]
    labelled: int


class AuditedKind(NamedTuple):
    """A kind of labels that can be audited.

    `compare` takes the model and the choice of the people: one of them, or a policy where their labels differ. Without
    a choice it raises UndecidedError where labels of people differ that the model gave as well.
    """

    compare: Callable[[Store, str, Labellers, Asked], Comparison]
    scored_by: Callable[[Store, str, Asked], ScoredBy] | None = None  # where a sample of topics can be drawn
    by_hand: str = ""  # the command by which a person gives these labels
    panel: PanelKind | None = None  # where several models can be combined
