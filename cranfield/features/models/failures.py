"""What ends `model audit report` with status 3."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol


class AuditFailure(StrEnum):
    """What the labels of a model may fail at."""

    at_chance = "at-chance"
    order = "order"
    mean_scores = "mean-scores"
    single_labels = "single-labels"


USES: Mapping[AuditFailure, str] = MappingProxyType(
    {
        AuditFailure.order: "the order of the runs",
        AuditFailure.mean_scores: "mean scores",
        AuditFailure.single_labels: "single labels",
    }
)


class LabelUse(Protocol):
    """A use of labels; `usable` None is not known."""

    @property
    def use(self) -> str:
        """What the labels are used for."""

    @property
    def usable(self) -> bool | None:
        """Whether they can be."""


def is_failed(at_chance: bool, uses: Sequence[LabelUse], condition: AuditFailure) -> bool:
    """Whether labels are at chance, or are not known to be usable for something."""
    if condition is AuditFailure.at_chance:
        return at_chance
    return not any(one.usable for one in uses if one.use == USES[condition])
