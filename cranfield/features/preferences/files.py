"""Preferences as files: trec_eval's form, Copeland's levels as qrels, a table; and from files."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Qrels, Vocabulary
from cranfield.errors import InputError
from cranfield.features.preferences.pairs import CopelandLevel, Preference, ResolvedPreferences, resolve
from cranfield.features.preferences.store import (
    Choice,
    PreferenceEvent,
    append_preferences,
    check_known,
    current_preferences,
    document_pair,
    that_count,
)
from cranfield.formats.preferences import PreferenceLine
from cranfield.selection import MODELS
from cranfield.store.log import add_external_assessor, assessors
from cranfield.store.store import Store
from cranfield.text import name_hint

BETTER, WORSE = 2.0, 1.0  # levels; 0 would say that a document is not relevant


class ExportedPreferences(NamedTuple):
    """The lines, and how many preferences are in a circle."""

    lines: list[PreferenceLine]
    circular: int


def preferences_of(store: Store, names: Sequence[str] = ()) -> ResolvedPreferences:
    """The preferences of these assessors or, if none is named, of all people or, without any, of all."""
    kinds = assessors(store)
    for name in names:
        if name not in kinds:
            raise InputError(f"no assessor {name!r} in this store{name_hint(name, kinds)}")
    current = that_count(store, current_preferences(store))
    people = [event for event in current if kinds[event.assessor] not in MODELS]
    answers = resolve([event for event in current if event.assessor in names] if names else people or current)
    if not answers.preferences:
        raise InputError(f"{answers}; `cranfield judge --pairs` compares pairs")
    return answers


def as_rows(preferences: Iterable[Preference]) -> list[dict[str, Any]]:
    """One row per pair and assessor."""
    return [
        {
            "query_id": one.pair.qid, "doc_id": one.pair.first, "other_doc_id": one.pair.second,
            "assessor": one.assessor, "better": one.better or None, "consistent": one.consistent,
        }
        for one in preferences
    ]  # fmt: skip


def as_lines(preferences: Sequence[Preference]) -> ExportedPreferences:
    """The lines of a file of trec_eval; a tie is two documents of the same level.

    >>> from cranfield.features.preferences.store import DocumentPair
    >>> exported = as_lines([Preference("ada", DocumentPair("q", "d1", "d2"), "d2")])
    >>> [(one.group, one.subgroup, one.docno, one.level) for one in exported.lines], exported.circular
    ([('ada', '1', 'd1', 1.0), ('ada', '1', 'd2', 2.0)], 0)
    """
    circular = {one for group in _groups(preferences) for one in cyclic_preferences(group)}
    lines: list[PreferenceLine] = []
    for number, one in enumerate(preferences, 1):
        name = "_".join(one.assessor.split())
        group = f"{name}:{number}" if one in circular else name
        for docno in one.pair[1:]:
            level = BETTER if docno == one.better else WORSE
            lines.append(
                PreferenceLine(len(lines) + 1, one.pair.qid, group, subgroup=str(number), docno=docno, level=level)
            )
    return ExportedPreferences(lines, len(circular))


def _groups(preferences: Sequence[Preference]) -> Iterator[list[Preference]]:
    groups: dict[tuple[str, str], list[Preference]] = {}
    for one in preferences:
        groups.setdefault((one.assessor, one.pair.qid), []).append(one)
    yield from groups.values()


def cyclic_preferences(preferences: Sequence[Preference]) -> list[Preference]:
    """Those of one assessor and topic that lead back to where they begin.

    >>> from cranfield.features.preferences.store import DocumentPair
    >>> pairs = [("a", "b", "a"), ("b", "c", "b"), ("a", "c", "c"), ("c", "d", "c")]
    >>> given = [Preference("ada", DocumentPair("q", a, b), better) for a, b, better in pairs]
    >>> [one.better for one in cyclic_preferences(given)]
    ['a', 'b', 'c']
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    decisions = [one for one in preferences if one.better]
    place = {docno: number for number, docno in enumerate(sorted({d for one in decisions for d in one.pair[1:]}))}
    above, below = ([place[getattr(one, side)] for one in decisions] for side in ("better", "worse"))
    graph = coo_array((np.ones(len(decisions)), (above, below)), shape=(len(place), len(place)))
    _, part = connected_components(graph, connection="strong") if decisions else (0, np.zeros(0))
    return [one for one, a, b in zip(decisions, above, below, strict=True) if part[a] == part[b]]


def as_qrels(levels: Sequence[CopelandLevel]) -> Qrels:
    """Copeland's levels as judgments, whose second column says what they are."""
    qids, docnos = sorted({one.qid for one in levels}), sorted({one.docno for one in levels})
    topics, documents = Vocabulary(qids), Vocabulary(docnos)
    order = sorted(levels, key=lambda one: (one.qid, one.docno))
    return Qrels(
        topics,
        documents,
        topics.codes([one.qid for one in order]),
        document=documents.codes([one.docno for one in order]),
        grade=np.array([one.level for one in order], np.int64),
        iteration=np.array(["copeland"] * len(order), object),
    )


MOST = 1_000_000  # preferences of a file


def import_preferences(store: Store, lines: Sequence[PreferenceLine], assessor: str = "", kind: str = "import") -> int:
    """Append the preferences of a file, all or none; how many there are."""
    events = list(_events(lines, assessor))
    if len(events) > MOST:
        raise InputError(f"the file has {len(events):,} preferences; expected at most {MOST:,}")
    check_known(store, [document_pair(event.qid, event.first, event.second) for event in events])
    with store.writing():
        for name in dict.fromkeys(event.assessor for event in events):
            add_external_assessor(store, name, kind)
        append_preferences(store, *events)
    return len(events)


def _events(lines: Sequence[PreferenceLine], assessor: str) -> Iterator[PreferenceEvent]:
    groups: dict[tuple[str, str, str], list[PreferenceLine]] = {}
    for one in lines:
        groups.setdefault((one.qid, one.group, one.subgroup), []).append(one)
    for several in groups.values():
        for a, b in combinations(several, 2):
            choice: Choice = "first" if a.level > b.level else "second" if a.level < b.level else "equal"
            yield PreferenceEvent("import", a.qid, a.docno, second=b.docno, assessor=assessor or a.group, choice=choice)
