"""The two sides of a comparison of qrels: a policy, an assessor, people or models, a release, or a file."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.judging.labels.derive import derive
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.labels.policies import ELSE, POLICIES
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors
from cranfield.store.releases import Release, release_named, releases
from cranfield.store.runs import run_info
from cranfield.store.store import Store

WHOSE = ", ".join(LabelledBy)
KINDS = ("policy", "assessor", "labels", "release", "file")


class Side(NamedTuple):
    """Qrels and where they come from: a policy, an assessor, people or models, a release, or a file."""

    name: str
    qrels: Qrels
    release: Release | None = None
    runs: tuple[str, ...] | None = None  # the tags of a release

    @property
    def labels(self) -> dict[Pair, int]:
        """The grade of each pair."""
        return dict(zip(self.pairs, self.qrels.grade.tolist(), strict=True))

    @property
    def pairs(self) -> list[Pair]:
        """The topic and document of each row."""
        qrels = self.qrels
        names = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
        return list(zip(*names, strict=True))

    def among(self, pairs: Set[Pair]) -> Side:
        """Only the labels of these pairs; an error where the rows are a sample that stands for the rest."""
        if self.qrels.stratum is not None:
            raise InputError(f"{self.name} is a stratified sample, which can only be compared as a whole: --all")
        return self._replace(qrels=self.qrels.rows(np.array([pair in pairs for pair in self.pairs], bool)))


def side(store: Store, name: str) -> Side:
    """The qrels that a name stands for; the prefix "policy:", "assessor:", "labels:", "release:" or "file:"
    says which it is.

    >>> with Store.memory("nothing") as store:
    ...     side(store, "nobody")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'nobody' is not a policy, an assessor or a release of this store, a file, or one of
    people, models, all
    """
    kind, _, rest = name.partition(":")
    if kind in KINDS and rest:
        return _side(store, kind, rest)
    is_policy = name.removeprefix(ELSE) in POLICIES
    kinds = {"policy": is_policy, "assessor": name in assessors(store), "labels": name in list(LabelledBy)}
    kinds["release"] = name in [release.name for release in releases(store)]
    kinds["file"] = Path(name).is_file()
    found = [kind for kind, it_is in kinds.items() if it_is]
    if not found:
        raise InputError(f"{name!r} is not a policy, an assessor or a release of this store, a file, or one of {WHOSE}")
    if len(found) > 1:
        raise InputError(f"{name!r} is {' and '.join(found)}; say {' or '.join(f'{kind}:{name}' for kind in found)}")
    return _side(store, found[0], name)


def _side(store: Store, kind: str, name: str) -> Side:
    if kind == "file":
        return Side(name, read_qrels(name))
    if kind == "labels":
        if name not in list(LabelledBy):
            raise InputError(f"labels:{name} is not one of {WHOSE}")
        return Side(name, derive(store, whose=LabelledBy(name)).qrels())
    if kind == "release":
        return _of_release(store, name)
    return Side(name, (derive(store, name) if kind == "policy" else derive(store, "primary", [name])).qrels())


def _of_release(store: Store, name: str) -> Side:
    """The labels that count in a release, and its runs."""
    with store.release(name) as then:
        return Side(name, derive(then).qrels(), release_named(store, name), tuple(run_info(then)))


def in_common(a: Side, b: Side, instead: str = "") -> tuple[Side, Side]:
    """Both sides on the pairs that both label; where there is none, an error that ends with what to do instead.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> a, b = Side("a", as_qrels({"q": {"d": 1, "e": 0}})), Side("b", as_qrels({"q": {"d": 2, "f": 1}}))
    >>> [it.labels for it in in_common(a, b)]
    [{('q', 'd'): 1}, {('q', 'd'): 2}]
    """
    pairs = set(a.pairs) & set(b.pairs)
    if not pairs:
        raise InputError(f"no document has labels from both {a.name} and {b.name}{instead}")
    return a.among(pairs), b.among(pairs)
