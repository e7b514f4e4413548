"""Which nuggets and which labels of answers count: people's where there are any, else models', and never both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.store.answers.labels import SUPPORT, Item, LabelLog
from cranfield.store.answers.nuggets import Nugget, current_nuggets
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import counted


class CountedLabels(NamedTuple):
    """The labels that count: 1 support, .5 partly, 0 no; None could not be judged, or a model failed."""

    labels: Mapping[Item, float | None]
    names: tuple[str, ...]  # whose they are
    by_models: bool
    left_out: int  # labels of models, where people's count

    def said(self, what: str) -> str:
        """Whose labels these are, in a line; nothing where all are people's and none failed.

        >>> CountedLabels({(1, 1): 1.0}, ("ada",), False, 0).said("nugget")
        ''
        >>> CountedLabels({(1, 1): 1.0}, ("ada",), False, 3).said("nugget")
        '1 nugget label by ada; 3 by models are left out, and --labels models uses them instead'
        >>> CountedLabels({(1, 1): 1.0, (1, 2): None}, ("llm",), True, 0).said("support")
        '2 support labels by llm, a model; 1 of them failed or cannot be judged'
        """
        failed = sum(label is None for label in self.labels.values())
        if not self.by_models and not self.left_out and not failed:
            return ""
        who = ", a model" * self.by_models if len(self.names) == 1 else ", models" * self.by_models
        is_are = "is" if self.left_out == 1 else "are"
        left = f"; {self.left_out} by models {is_are} left out, and --labels models uses them instead"
        lost = f"; {failed} of them failed or cannot be judged" * bool(failed)
        return f"{counted(len(self.labels), f'{what} label')} by {', '.join(self.names)}{who}{lost}" + left * bool(
            self.left_out
        )


class CountedNuggets(NamedTuple):
    """The nuggets that count, and how many are left out."""

    nuggets: Sequence[Nugget]
    left_out: int

    @property
    def numbers(self) -> set[int]:
        """Their numbers."""
        return {one.number for one in self.nuggets}

    def said(self) -> str:
        """Whose nuggets these are, in a line; nothing where all are people's.

        >>> mine, its = Nugget(1, "q", "a", "vital", "ada", (), 1), Nugget(2, "q", "b", "okay", "qwen", (), 2, True)
        >>> CountedNuggets([mine], 1).said()
        '1 nugget by people; 1 by models is left out, and --nuggets all uses it as well'
        >>> CountedNuggets([its], 0).said(), CountedNuggets([mine, its], 0).said()
        ('1 nugget by models', '2 nuggets, of which 1 by models')
        """
        number, by_models = counted(len(self.nuggets), "nugget"), sum(one.by_model for one in self.nuggets)
        if not (by_models or self.left_out):
            return ""
        if 0 < by_models < len(self.nuggets):
            return f"{number}, of which {by_models} by models"
        others = "people" if by_models else "models"
        is_it = ("is", "it") if self.left_out == 1 else ("are", "them")
        left = f"; {self.left_out} by {others} {is_it[0]} left out, and --nuggets all uses {is_it[1]} as well"
        return f"{number} by {'models' if by_models else 'people'}{left * bool(self.left_out)}"


def counted_nuggets(store: Store, whose: LabelledBy | None = None) -> CountedNuggets:
    """The nuggets of people, of models, or of all; without `whose` people's where there are any, else models'."""
    found = current_nuggets(store)
    wanted = whose or (LabelledBy.models if all(one.by_model for one in found) else LabelledBy.people)
    kept = [one for one in found if wanted.counts("model" if one.by_model else "human")]
    if found and not kept:
        raise InputError(f"no nugget is by {wanted}: {counted(len(found), 'nugget')} by others", store.path)
    return CountedNuggets(kept, len(found) - len(kept))


def counted_labels(
    store: Store,
    log: LabelLog,
    assessor: str | None = None,
    whose: LabelledBy = LabelledBy.all,
    nuggets: Collection[int] | None = None,
) -> CountedLabels:
    """The current labels of one assessor or of people or models; of several that of who came first.

    With `nuggets` only labels of these.
    """
    if assessor is not None and assessor not in assessors(store):
        raise StoreError(f"no assessor {assessor!r} in this store; available: {', '.join(assessors(store)) or 'none'}")
    columns = ", ".join(log.columns)
    rows = store.rows(
        f"SELECT assessor_kind = 'model', name, label, {columns} FROM current_{log.table}"
        " WHERE kind <> 'later' AND name = coalesce(?, name) ORDER BY label IS NULL, assessor",
        [assessor],
    )
    kept = [
        row for row in rows if whose.counts("model" if row[0] else "human") and (nuggets is None or row[-1] in nuggets)
    ]
    of_models = all(row[0] for row in kept)
    found: dict[Item, float | None] = {}
    for by_model, _, label, *item in kept:
        if by_model == of_models:
            found.setdefault((*item[:-1], log.read(item[-1])), None if label is None else SUPPORT[label])
    names = tuple(dict.fromkeys(row[1] for row in kept if row[0] == of_models))
    return CountedLabels(found, names, bool(kept) and of_models, 0 if of_models else sum(row[0] for row in kept))
