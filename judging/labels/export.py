"""Qrels from the judgment log, with a count of everything that is left out, and a manifest that records how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats import write_qrels
from cranfield.formats.whole_files import folder_created, is_file
from cranfield.judging.labels.derive import Derived, State, derive
from cranfield.judging.labels.extra_columns import STRATIFIED, by_content, detailed
from cranfield.judging.labels.manifest import write_manifest
from cranfield.judging.labels.pairs import Pair
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.pools import Pool, newest_sample, stored_pool
from cranfield.store.store import Store

MISSING: tuple[State, ...] = ("unsure", "cannot-judge", "later", "unlabelled")


class Exported(NamedTuple):
    """What was written and, of the pairs of the pool, what was not."""

    labels: int
    unsure: int  # of the labels: how many are marked so
    outside: int  # of the labels: how many are of pairs that are not in the pool
    pooled: int
    cannot_judge: int
    later: int
    unlabelled: int  # no event at all
    unsure_left_out: int = 0  # all labels are unsure, and those do not count
    ties: int = 0  # of the labels: how many a tie rule decided
    adjudicated: int = 0  # of the labels
    models: int = 0  # of the labels: how many rest on a model's
    negative: int = 0  # pairs without a label that were written with a negative grade
    notes: tuple[str, ...] = ()  # what the file leaves out

    @property
    def counts(self) -> dict[str, int]:
        """The numbers, by name."""
        return {name: count for name, count in self._asdict().items() if name != "notes"}

    def __str__(self) -> str:
        """One line that leaves nothing out.

        >>> print(Exported(2, 1, 0, 5, 1, 0, 2))
        2 labels written (1 unsure, 0 outside the pool); of 5 pooled pairs 1 cannot be judged, 0 later, 2 unlabelled
        """
        more = {
            "{} left out as unsure": self.unsure_left_out,
            "{} ties broken": self.ties,
            "{} adjudicated": self.adjudicated,
            "{} by models": self.models,
            "{} pairs without a label written with a negative grade": self.negative,
        }
        return (
            f"{self.labels} {'label' if self.labels == 1 else 'labels'} written ({self.unsure} unsure, {self.outside}"
            f" outside the pool); of {self.pooled} pooled pairs {self.cannot_judge} cannot be judged,"
            f" {self.later} later, {self.unlabelled} unlabelled"
            + "".join(f"; {words.format(count)}" for words, count in more.items() if count)
        )


def export_qrels(
    store: Store,
    path: str | PathLike[str],
    assessors: str | Sequence[str] | None = None,
    policy: str = "primary",
    count_unsure: bool = True,
    missing: Mapping[State, int] | None = None,
    whose: LabelledBy = LabelledBy.all,
    number: int | None = None,
    format: str = "trec",
) -> Exported:
    """Write the qrels that a policy derives, sorted by topic and document, and PATH.manifest.json beside them.

    `assessors` says whose labels count, the first one first, or `whose` that people's or models' do; without them
    `derive` decides. `number` is the pool to use, the newest by default. A pair without a label is left out and
    counted, never written as 0. `missing` writes the pairs in a state with a negative grade, for programs that use it
    to tell pooled from unjudged. A pair that one assessor put off and another could not judge counts as the latter.
    What `format` needs beside grades, strata or subtopics, comes from the pool or from the labels; notes say which of
    them are not written.
    """
    derived = derive(store, policy, [assessors] if isinstance(assessors, str) else assessors, count_unsure, whose)
    return export_derived(store, path, derived, missing, number, format)


def export_derived(
    store: Store,
    path: str | PathLike[str],
    derived: Derived,
    missing: Mapping[State, int] | None = None,
    number: int | None = None,
    format: str = "trec",
) -> Exported:
    """Write what a policy has decided already."""
    if format in STRATIFIED:
        number = number or newest_sample(store)
    pool: Pool | None = stored_pool(store, number) if number or store.counts()["pool"] else None
    pooled = pairs_of(pool) if pool else set()
    added = negative_grades(store, derived, pooled, missing or {})
    if not derived.labels and not added:
        raise InputError("there are no labels to write: nothing that was asked for has a label", path)
    written = detailed(store, derived, added, format, number)
    summary = _summary(derived, pooled)._replace(negative=len(added), notes=written.notes)
    if not is_file(path):
        write_qrels(path, written.qrels, format)
        return summary._replace(
            notes=(*written.notes, "no manifest: it would be a file beside the qrels, which are not in a file")
        )
    layout = {"format": format, **({"strata": written.strata} if written.strata else {})}
    with folder_created(Path(path).parent) as part:
        file = part / Path(path).name
        write_qrels(file, written.qrels, format)
        write_manifest(store, derived, file, summary.counts, pool, missing or {}, layout)
        return summary._replace(notes=(*written.notes, *by_content(file, format)))


def pairs_of(pool: Pool) -> set[Pair]:
    """The pairs of a pool."""
    return {(document.qid, document.docno) for document in pool.documents}


def negative_grades(store: Store, derived: Derived, pooled: set[Pair], missing: Mapping[State, int]) -> dict[Pair, int]:
    """The grades for pairs without a label, by their state; an error if one could be taken for a label."""
    for state, grade in missing.items():
        if grade >= 0 or grade in store.collection.grades:
            raise InputError(f"{state}: {grade} could be taken for a label; give a negative number not on the scale")
    states = {pair: derived.state(pair) for pair in pooled | set(derived.by_pair)} if missing else {}
    return {pair: missing[state] for pair, state in states.items() if state in missing}


def _summary(derived: Derived, pooled: set[Pair]) -> Exported:
    written = derived.labels
    states = [derived.state(pair) for pair in pooled]
    found = [derived.decisions[pair] for pair in written]
    return Exported(
        labels=len(written),
        unsure=sum(any(event.unsure for event in derived.by_pair[pair].events) for pair in written),
        outside=len(written.keys() - pooled),
        pooled=len(pooled),
        cannot_judge=states.count("cannot-judge"),
        later=states.count("later"),
        unlabelled=states.count("unlabelled"),
        unsure_left_out=states.count("unsure"),
        ties=sum(decision.tied for decision in found),
        adjudicated=sum(decision.adjudicated for decision in found),
        models=derived.models,
    )
