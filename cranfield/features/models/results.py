"""What the functions of models return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cranfield.lazy import lazy_type
from cranfield.results import Display, Result

if TYPE_CHECKING:
    from cranfield.features.models.analysis.audit import ModelAudit
    from cranfield.features.models.analysis.estimate import AuditEstimate
    from cranfield.features.models.panel import Panel
    from cranfield.features.models.usability import Use
    from cranfield.judging.agreement.agreement import Interval
else:
    Use = lazy_type("cranfield.features.models.usability", "Use")
    Panel = lazy_type("cranfield.features.models.panel", "Panel")
    ModelAudit = lazy_type("cranfield.features.models.analysis.audit", "ModelAudit")
    Interval = lazy_type("cranfield.judging.agreement.agreement", "Interval")
    AuditEstimate = lazy_type("cranfield.features.models.analysis.estimate", "AuditEstimate")


@dataclass(frozen=True, repr=False, eq=False)
class PromptTable(Result):
    """The prompts for models, or one of them.

    Parameters
    ----------
    name : str, optional
        Name of the only prompt in the table.
    """

    display: ClassVar[Display] = Display(spare=("source", "sha256", "version", "scale"))

    name: str | None = None


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class FormedPanel(Result):
    """The judges of a panel: the labels that each gave or failed to give, and the share that equals the panel's.

    Parameters
    ----------
    panel : Panel
        The panel: its labels by number, its judges and their agreement.
    """

    panel: Panel


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AuditReport(Result):
    """The bias of a model's labels for each run, and what the labels can be used for.

    Parameters
    ----------
    findings : ModelAudit
        Everything that the audit found.
    """

    columns: ClassVar[tuple[str, ...]] = ("run", "measure", "family", "bias", "own", "low", "high", "p")

    findings: ModelAudit

    @property
    def verdict(self) -> str:
        """The possible uses of the labels, in a sentence."""
        return self.findings.verdict

    @property
    def uses(self) -> Sequence[Use]:
        """Each use of the labels: whether the labels suffice for it, and why."""
        return self.findings.uses

    @property
    def kappa(self) -> Interval | None:
        """Quadratic kappa between the model and people; None if no labels were compared."""
        return self.findings.kappa

    @property
    def at_chance(self) -> bool:
        """Whether the model's agreement with people is no better than chance."""
        return self.findings.at_chance

    @property
    def people(self) -> tuple[str, ...]:
        """The people whose labels were compared with the model's labels."""
        return self.findings.people

    @property
    def policy(self) -> str | None:
        """The policy for items that people labelled differently."""
        return self.findings.policy

    def __repr__(self) -> str:
        return f"{self.verdict}\n{super().__repr__()}"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class EstimatedLabels(Result):
    """Scores estimated for people's labels, with intervals.

    Parameters
    ----------
    estimate : AuditEstimate
        The sample, and the estimate of each score.
    """

    estimate: AuditEstimate
