"""What a qrels format holds beside grades: strata of a sample, subtopics, the second column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints, Names, Qrels
from cranfield.errors import InputError
from cranfield.formats import format_of
from cranfield.judging.labels.derive import Derived
from cranfield.judging.labels.pairs import Pair
from cranfield.store.pools import newest_sample, stratified
from cranfield.store.qrels import in_byte_order, with_subtopics
from cranfield.store.store import Store
from cranfield.text import counted

STRATIFIED = ("sample-eval", "grade-stratum")
SUBTOPICS = "subtopics"


class Detailed(NamedTuple):
    """Qrels to be written, notes on them, and the names of strata that are written as numbers."""

    qrels: Qrels
    notes: tuple[str, ...] = ()
    strata: Mapping[str, str] = {}


def detailed(
    store: Store, derived: Derived, missing: Mapping[Pair, int], format: str, pool: int | None = None
) -> Detailed:
    """The qrels of a policy with the columns a format has; an error where there is nothing for a column it needs."""
    plain = derived.qrels(missing)
    if format in STRATIFIED:
        return _sampled(store, plain, pool)
    about = with_subtopics(store, plain, _events(derived, plain))
    if format == SUBTOPICS:
        return _by_subtopic(about)
    notes = []
    if about.subtopics is not None:
        notes.append("these labels have subtopics, which this format has no place for; --format subtopics writes them")
    if newest_sample(store) is not None:
        notes.append("the pool has strata, which this format has no place for; --format sample-eval writes them")
    if format != "trec" and set(plain.sources) - {"0", ""}:
        notes.append("this format has no place for the second column of imported labels; --format trec writes it")
    return Detailed(plain, tuple(notes))


def by_content(path: str | PathLike[str], format: str) -> list[str]:
    """A note where the file would be detected as another format."""
    taken = format_of("qrels", path)
    return (
        [] if taken == format else [f"by its content the file would be read as {taken}; read it with --format {format}"]
    )


def _sampled(store: Store, plain: Qrels, pool: int | None) -> Detailed:
    sample = stratified(store, plain, pool)
    if sample is None or sample.qrels.stratum is None:
        which = "there is no stratified pool" if pool is None else f"pool {pool} has no strata of these labels"
        remedy = "`cranfield pool build` with --method stratified, uniform or tail makes one that has"
        raise InputError(f"{which}; {remedy}")
    found = in_byte_order(sample.qrels)
    stratum, names = numbered(sample.qrels.stratum if found.stratum is None else found.stratum)
    notes = []
    if names:
        notes.append(
            f"strata are written as numbers: {', '.join(f'{number} is {name}' for number, name in names.items())}"
        )
    if sample.otherwise:
        notes.append(f"{counted(sample.otherwise, 'label')} of documents that were not drawn: a stratum of their own")
    return Detailed(replace(found, stratum=stratum), tuple(notes), names)


def numbered(strata: Names) -> tuple[Names, dict[str, str]]:
    """Strata as whole numbers, which a file can hold, and the name of each; unchanged where they are numbers already.

    >>> numbered(np.array(["11-", "1-10", "11-"], object))
    (array(['2', '1', '2'], dtype=object), {'1': '1-10', '2': '11-'})
    >>> numbered(np.array(["3", "1"], object))
    (array(['3', '1'], dtype=object), {})
    """
    names = sorted(set(strata.tolist()), key=_naturally)
    if all(name.isdecimal() for name in names):
        return strata, {}
    number = {name: str(place) for place, name in enumerate(names, 1)}
    return np.array([number[name] for name in strata], object), {place: name for name, place in number.items()}


def _naturally(name: str) -> list[tuple[int, str]]:
    """A key that sorts numbers within names by their size."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name) if part]


def _by_subtopic(found: Qrels) -> Detailed:
    if found.subtopics is None:
        raise InputError("these labels have no subtopics; import qrels that have them")
    without = len(found) - len(set(found.subtopics.judgment.tolist()))
    note = f"{counted(without, 'label')} without subtopics left out" if without else ""
    return Detailed(found, tuple(filter(None, [note])))


def _events(derived: Derived, plain: Qrels) -> Ints:
    """The event that each judgment rests on, -1 where it rests on several or none."""
    qids, docnos = plain.topics.names[plain.topic].tolist(), plain.docnos.names[plain.document].tolist()
    return np.array([_event(derived, pair) for pair in zip(qids, docnos, strict=True)], np.int64)


def _event(derived: Derived, pair: Pair) -> int:
    behind = derived.behind(pair) if pair in derived.labels else []
    return -1 if len(behind) != 1 or behind[0].id is None else behind[0].id
