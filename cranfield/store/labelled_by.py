"""Whose labels count: people's, models', or people's before models'."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from cranfield.errors import InputError
from cranfield.text import counted

KINDS = ("human", "model", "panel", "import")  # of assessors: a panel is several models together
MODELS = ("model", "panel")


class LabelledBy(StrEnum):
    """Whose labels count. What is of unknown provenance, such as qrels of an earlier track, counts as people's."""

    people = "people"
    models = "models"
    all = "all"  # a model's only where nobody else labelled

    def counts(self, kind: str) -> bool:
        """Whether the labels of an assessor of this kind count.

        >>> [kind for kind in ("human", "import", "model", "panel") if LabelledBy.people.counts(kind)]
        ['human', 'import']
        """
        return self is LabelledBy.all or (kind in MODELS) == (self is LabelledBy.models)

    @classmethod
    def of(cls, text: str) -> Self:
        """What somebody has chosen.

        >>> LabelledBy.of("robots")
        Traceback (most recent call last):
        cranfield.errors.InputError: 'robots' is nobody to choose; expected people, models or all
        """
        if text not in list(cls):
            raise InputError(f"{text[:20]!r} is nobody to choose; expected people, models or all")
        return cls(text)


def said(whose: LabelledBy, labels: int, by_models: int, named: Sequence[str] = ()) -> str:
    """Whose labels were used, in one line; nothing where all are by people and it was not asked for.

    >>> said(LabelledBy.all, 9, 0), said(LabelledBy.models, 9, 9)
    ('', '9 labels, all by models')
    >>> said(LabelledBy.all, 9, 2)
    '2 of 9 labels are by models, where no person has labelled; --labels people leaves them out'
    >>> said(LabelledBy.all, 9, 9, ["llm"]), said(LabelledBy.all, 9, 4, ["ada", "llm"])
    ('9 labels by llm, a model', '9 labels by ada, llm; 4 of them by models')
    """
    if named and by_models:
        who = ", a model" if len(named) == 1 else f"; {by_models} of them by models"
        return f"{counted(labels, 'label')} by {', '.join(named)}{who}"
    if whose is not LabelledBy.all:
        return f"{counted(labels, 'label')}, all by {whose}"
    if not by_models:
        return ""  # people's, and nobody asked
    if by_models == labels:
        return f"{counted(labels, 'label')}, all by models; no person has labelled anything"
    some = f"{by_models} of {counted(labels, 'label')} {'is' if by_models == 1 else 'are'} by models"
    return f"{some}, where no person has labelled; --labels people leaves them out"
