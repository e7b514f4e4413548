"""What changed between two states of a store, by name: topics, documents, runs and labels; and what that does to runs.

States are releases, or the store as it stands. Names are those that documents have in the later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.judging.labels.choice import decisions_by_settled_choice, resolve_labellers
from cranfield.judging.labels.diff import KINDS, SystemChanges, system_changes
from cranfield.metrics.inputs import as_qrels
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.selection import EVERYBODY, Labellers
from cranfield.store.releases import release_named, releases
from cranfield.store.runs import run_info, sizes_of_runs, stored_runs
from cranfield.store.store import Store
from cranfield.store.withdrawals import COLUMN, present_document_numbers, withdrawals
from cranfield.text import counted

Labels = Mapping[tuple[str, str], int]
KIND_ORDER = ("new", "gone", "renamed", "withdrawn", "restored", "changed")
NOW = "now"  # the store as it stands


class Change(NamedTuple):
    """A topic, document, run or label that is new, gone, renamed, withdrawn, restored or changed, and how."""

    what: str
    change: str
    name: str
    detail: str = ""


@dataclass(frozen=True)
class ContentChanges:
    """All changes from one state to another, and the runs of both under the labels of either."""

    a: str
    b: str
    changes: Sequence[Change]
    systems: SystemChanges | None
    labelled_by: Mapping[str, str] = field(default_factory=dict)  # by side, whose labels were chosen

    def changes_of_kind(self, what: str, change: str) -> list[Change]:
        """Those of one kind."""
        return [one for one in self.changes if (one.what, one.change) == (what, change)]

    @property
    def counts(self) -> list[dict[str, Any]]:
        """How many there are of each kind, with the first names."""
        kinds = sorted({(one.what, one.change) for one in self.changes}, key=lambda kind: (_place(kind[0]), kind[1]))
        return [
            {"what": what, "change": change, "number": len(several), "names": _sample_words(several)}
            for what, change in kinds
            for several in [self.changes_of_kind(what, change)]
        ]

    @property
    def rows(self) -> list[dict[str, str]]:
        """A row for each."""
        return [one._asdict() for one in self.changes]

    @property
    def scores(self) -> list[dict[str, Any]]:
        """The scores of the runs that both have, by the labels of either, on the topics of both."""
        systems = self.systems
        return [
            {"run": it.run, "measure": it.measure, "a": it.a, "b": it.b, "change": it.b - it.a}
            for measure in (systems.tau if systems else ())
            for it in (systems.changes_of_measure(measure) if systems else ())
        ]

    @property
    def document(self) -> dict[str, Any]:
        """The JSON."""
        whose = {"labelled_by": dict(self.labelled_by)} if self.labelled_by else {}
        return {"a": self.a, "b": self.b, "changes": self.rows, "scores": self.scores, **whose}


def _place(what: str) -> int:
    return [*COLUMN, "label"].index(what)


def _sample_words(changes: Sequence[Change], most: int = 3) -> str:
    names = [f"{one.name} ({one.detail})" if one.detail else one.name for one in changes[:most]]
    return ", ".join(names) + ", ..." * (len(changes) > most)


def content_changes(
    store: Store,
    names: Sequence[str],
    measures: MeasureLike | Iterable[MeasureLike] = ("AP", "nDCG@10"),
    labellers: Labellers = EVERYBODY,
    *,
    own_choices: bool = False,
) -> ContentChanges:
    """What changed from a release to another, or to the store as it stands.

    Parameters
    ----------
    store : Store
        The open store.
    names : sequence of str
        One release or two.
    measures : measure or iterable of measures, optional
        The measures of the runs.
    labellers : Labellers, optional
        Whose labels count; by default the choice on record.
    own_choices : bool, default False
        Whether `labellers` is of the later state only, where the earlier one has a choice on record.

    Returns
    -------
    ContentChanges
        The changes, and the scores of the runs of both.

    Raises
    ------
    InputError
        The names are not one or two releases of the store.
    UndecidedError
        If labels of a state differ and nothing was chosen.

    Examples
    --------

    >>> from cranfield.formats import Topic
    >>> from cranfield.store.releases import make_release
    >>> with Store.memory("growing") as store:
    ...     first, made = store.add_topics([Topic("1", "one")]), make_release(store, "1.0")
    ...     more = store.add_topics([Topic("2", "two")])
    ...     content_changes(store, ["1.0"]).changes
    [Change(what='topic', change='new', name='2', detail='')]
    """
    states = [_release_name(store, name) for name in names]
    if not 1 <= len(states) <= 2:
        raise InputError("--contents compares two releases, or one release with the current store")
    a, b = states[0], states[1] if len(states) > 1 else ""
    with store.release(a) as old:
        recorded = resolve_labellers(old, EVERYBODY) if own_choices else EVERYBODY
        whose = (labellers if recorded == EVERYBODY else recorded, labellers)
        if not b:
            return _events_between(store, ((a, old), (store.as_of or NOW, store)), measures, whose)
        with store.release(b) as new:
            return _events_between(store, ((a, old), (b, new)), measures, whose)


def _release_name(store: Store, name: str) -> str:
    kind, mark, rest = name.partition(":")
    name = rest if mark and kind == "release" else name
    if mark and kind in KINDS and kind != "release":
        raise InputError(f"--contents compares releases; {kind}:{rest} is not a release")
    if not releases(store):
        raise InputError(f"{store.path}: there are no releases in this store; make one with `cranfield store release`")
    return release_named(store, name).name


def _events_between(
    store: Store,
    states: Sequence[tuple[str, Store]],
    measures: MeasureLike | Iterable[MeasureLike],
    labellers: Sequence[Labellers],
) -> ContentChanges:
    (a, old), (b, new) = states
    earlier, present = _present_names(old), _present_names(new)
    # documents that have another name in the later state, withdrawn or not
    names = {docno: name for docno, name in present.items() if earlier.get(docno, docno) != name}
    (before, one), (after, other) = (
        _labels(store, state, present, state_labellers)
        for state, state_labellers in zip((old, new), labellers, strict=True)
    )
    changes = [
        *_topic_changes(old, new),
        *_document_changes(old, new, names),
        *_runs(old, new),
        *_label_changes(before, after),
    ]
    whose = {name: chosen for name, chosen in (("a", one), ("b", other)) if chosen}
    return ContentChanges(a, b, changes, _systems(old, new, before, after, measures), whose)


def _present_names(store: Store) -> dict[str, str]:
    """The present name of each document that has another one now."""
    now = present_document_numbers(store)
    if now is None:
        return {}
    docnos, rows = store.docnos.names, np.flatnonzero(now != np.arange(len(now)))
    return dict(zip(docnos[rows].tolist(), docnos[now[rows]].tolist(), strict=True))


def _withdrawals(old: Store, new: Store, what: str) -> list[Change]:
    """What is withdrawn, or no more."""
    then, now = ({one.name: one.reason for one in withdrawals(store) if one.what == what} for store in (old, new))
    recent = [Change(what, "withdrawn", name, why) for name, why in now.items() if name not in then]
    return recent + [Change(what, "restored", name) for name in then if name not in now]


def _topic_changes(old: Store, new: Store) -> list[Change]:
    then, now = ({topic.qid: topic for topic in store.topics()} for store in (old, new))
    return _find_changes("topic", then, now, _differing_fields) + _withdrawals(old, new, "topic")


def _document_changes(old: Store, new: Store, names: Mapping[str, str]) -> list[Change]:
    columns = "docno, coalesce(sha256, ''), coalesce(title, ''), coalesce(url, ''), coalesce(metadata, '')"
    query = f"SELECT {columns} FROM document WHERE removed = 0 AND "
    then, now = (
        {docno: rest for docno, *rest in store.rows(f"{query}{store.complete_import_condition()} ORDER BY docno")}
        for store in (old, new)
    )
    renames = [Change("document", "renamed", one, f"now {other}") for one, other in names.items()]
    changes = _find_changes("document", then, now, lambda one, other: "text" if one[0] != other[0] else "about it")
    targets = {*names.values()}
    changes = [one for one in changes if not (one.change == "new" and one.name in targets)]
    return changes + renames + _withdrawals(old, new, "document")


def _runs(old: Store, new: Store) -> list[Change]:
    then, now = ({tag: (info, *sizes_of_runs(store).get(tag, (0, 0))) for tag, info in run_info(store, True).items()}
                 for store in (old, new))  # fmt: skip

    def change_sentence(one: Any, other: Any) -> str:
        more = other[1] - one[1]
        return f"{counted(more, 'more topic')}" if more > 0 else _differing_fields(one[0], other[0]) or "its documents"

    return _find_changes("run", then, now, change_sentence) + _withdrawals(old, new, "run")


def _differing_fields(one: Any, other: Any) -> str:
    return ", ".join(name for name in one._fields if getattr(one, name) != getattr(other, name))


def _find_changes(what: str, then: Mapping[str, Any], now: Mapping[str, Any], how: Any) -> list[Change]:
    new = [Change(what, "new", name) for name in now if name not in then]
    removals = [Change(what, "gone", name) for name in then if name not in now]
    other = [name for name in then if name in now and then[name] != now[name]]
    return [*new, *removals, *(Change(what, "changed", name, how(then[name], now[name])) for name in other)]


def _labels(store: Store, state: Store, names: Mapping[str, str], labellers: Labellers) -> tuple[Labels, str]:
    """The labels that count, with the present names of documents, and whose labels were chosen."""
    decisions, whose = decisions_by_settled_choice(state, store, labellers)
    return {(qid, names.get(docno, docno)): grade for (qid, docno), grade in decisions.labels.items()}, whose


def _label_changes(before: Labels, after: Labels) -> list[Change]:
    def name_of(pair: tuple[str, str]) -> str:
        return f"{pair[0]} {pair[1]}"

    new = [Change("label", "new", name_of(pair), f"{grade}") for pair, grade in after.items() if pair not in before]
    old = [Change("label", "gone", name_of(pair), f"{grade}") for pair, grade in before.items() if pair not in after]
    other = [pair for pair, grade in before.items() if after.get(pair, grade) != grade]
    return [
        *new,
        *old,
        *(Change("label", "changed", name_of(one), f"{before[one]}, now {after[one]}") for one in other),
    ]


def _systems(
    old: Store, new: Store, before: Labels, after: Labels, measures: MeasureLike | Iterable[MeasureLike]
) -> SystemChanges | None:
    """The runs that both have, as the later state has them, by all labels of either on the topics of both."""
    tags = [tag for tag in run_info(new) if tag in run_info(old)]
    if not tags or not {qid for qid, _ in before} & {qid for qid, _ in after}:
        return None
    by = parse_measures(measures, new.collection.min_relevant)
    return system_changes(stored_runs(new, tags), as_qrels(_nest_by_topic(before)), as_qrels(_nest_by_topic(after)), by)


def _nest_by_topic(labels: Labels) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (qid, docno), grade in labels.items():
        nested.setdefault(qid, {})[docno] = grade
    return nested
