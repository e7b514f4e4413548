"""What the functions of models return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cranfield.lazy import type_in
from cranfield.results import Display, Result

if TYPE_CHECKING:
    from cranfield.features.models.analysis.audit import ModelAudit
    from cranfield.features.models.analysis.estimate import AuditEstimate
    from cranfield.features.models.panel import Panel
    from cranfield.features.models.usability import Use
    from cranfield.judging.agreement.agreement import Interval
else:
    Use = type_in("cranfield.features.models.usability", "Use")
    Panel = type_in("cranfield.features.models.panel", "Panel")
    ModelAudit = type_in("cranfield.features.models.analysis.audit", "ModelAudit")
    Interval = type_in("cranfield.judging.agreement.agreement", "Interval")
    AuditEstimate = type_in("cranfield.features.models.analysis.estimate", "AuditEstimate")


@dataclass(frozen=True, repr=False, eq=False)
class PromptTable(Result):
    """The prompts that models are asked with, or one of them.

    Parameters
    ----------
    name : str, optional
        The prompt that was asked for.
    """

    display: ClassVar[Display] = Display(spare=("source", "sha256", "version", "scale"))

    name: str | None = None


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class FormedPanel(Result):
    """The judges of a panel: how many labels each gave and failed to give, and the share that the panel shares.

    Parameters
    ----------
    panel : Panel
        The panel: its labels by number, its judges and their agreement.
    """

    panel: Panel


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AuditReport(Result):
    """The bias of each run by a model's labels, and what the labels can be used for.

    Parameters
    ----------
    findings : ModelAudit
        Everything that the audit found.
    """

    columns: ClassVar[tuple[str, ...]] = ("run", "measure", "family", "bias", "own", "low", "high", "p")

    findings: ModelAudit

    @property
    def verdict(self) -> str:
        """What the labels can be used for, in a sentence."""
        return self.findings.verdict

    @property
    def uses(self) -> Sequence[Use]:
        """Each use of labels, whether they will do for it, and why."""
        return self.findings.uses

    @property
    def kappa(self) -> Interval | None:
        """Quadratic kappa with people; None where nothing was compared."""
        return self.findings.kappa

    @property
    def at_chance(self) -> bool:
        """Whether the model agrees with people no better than chance."""
        return self.findings.at_chance

    @property
    def people(self) -> tuple[str, ...]:
        """The people whose labels the model's were compared with."""
        return self.findings.people

    @property
    def policy(self) -> str | None:
        """The policy that decided where labels of people differ."""
        return self.findings.policy

    def __repr__(self) -> str:
        return f"{self.verdict}\n{super().__repr__()}"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class EstimatedLabels(Result):
    """Scores that people's labels would have given, with intervals.

    Parameters
    ----------
    estimate : AuditEstimate
        The sample, and the estimate of each score.
    """

    estimate: AuditEstimate
