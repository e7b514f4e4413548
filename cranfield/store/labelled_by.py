"""Whose labels count: people's, models', or people's before models'."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class LabelledBy(StrEnum):
    """Whose labels count. What is of unknown provenance, such as qrels of an earlier track, counts as people's."""

    people = "people"
    models = "models"
    all = "all"  # a model's only where nobody else labelled

    def counts(self, kind: str) -> bool:
        """Whether the labels of an assessor of this kind count.

        >>> [kind for kind in ("human", "import", "model") if LabelledBy.people.counts(kind)]
        ['human', 'import']
        """
        return self is LabelledBy.all or (kind == "model") == (self is LabelledBy.models)


def said(whose: LabelledBy, labels: int, by_models: int, named: Sequence[str] = ()) -> str:
    """Whose labels were used, in one line; nothing where all are people's and nobody asked.

    >>> said(LabelledBy.all, 9, 0), said(LabelledBy.models, 9, 9)
    ('', "9 labels, models' alone")
    >>> said(LabelledBy.all, 9, 2)
    "2 of 9 labels are models', where nobody else labelled; --labels people leaves them out"
    >>> said(LabelledBy.all, 9, 9, ["llm"]), said(LabelledBy.all, 9, 4, ["ada", "llm"])
    ('9 labels of llm, a model', "9 labels of ada, llm; 4 of them are models'")
    """
    if named and by_models:
        who = ", a model" if len(named) == 1 else f"; {by_models} of them are models'"
        return f"{labels} labels of {', '.join(named)}{who}"
    if whose is not LabelledBy.all:
        return f"{labels} labels, {whose}' alone" if whose is LabelledBy.models else f"{labels} labels, people's alone"
    if not by_models:
        return ""  # people's, and nobody asked
    if by_models == labels:
        return f"all {labels} labels are models'; no person labelled anything"
    return f"{by_models} of {labels} labels are models', where nobody else labelled; --labels people leaves them out"
