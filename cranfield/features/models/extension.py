"""What an extension adds to labels by language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield import hooks
from cranfield.features.models.asking.extension import ModelTasks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.features.models.audited import AuditedKind


class ModelLabels(ModelTasks):
    """An extension whose labels language models give, next to people."""

    def audited_kinds(self) -> Mapping[str, AuditedKind]:
        """Return the kinds of labels that a model and people give, to be compared."""
        return {}


def audited_kinds() -> dict[str, AuditedKind]:
    """Return the audited kinds of labels of all extensions, by name.

    >>> list(audited_kinds())[:1]
    ['documents']
    """
    return dict(
        hooks.collect_from_extensions(lambda one: one.audited_kinds().items() if isinstance(one, ModelLabels) else ())
    )
