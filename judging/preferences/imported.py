"""Preferences from a file: an event for every two documents of a subgroup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from cranfield.errors import InputError
from cranfield.formats.preferences import PreferenceLine
from cranfield.store.log import admit
from cranfield.store.preferences import Choice, PreferenceEvent, append_preferences, check_known, document_pair
from cranfield.store.store import Store

MOST = 1_000_000  # preferences of a file


def import_preferences(store: Store, lines: Sequence[PreferenceLine], assessor: str = "", kind: str = "import") -> int:
    """Append the preferences of a file, all or none; how many there are."""
    events = list(_events(lines, assessor))
    if len(events) > MOST:
        raise InputError(f"{len(events):,} preferences; {MOST:,} at most can be imported")
    check_known(store, [document_pair(event.qid, event.first, event.second) for event in events])
    with store.writing():
        for name in dict.fromkeys(event.assessor for event in events):
            admit(store, name, kind)
        append_preferences(store, *events)
    return len(events)


def _events(lines: Sequence[PreferenceLine], assessor: str) -> Iterator[PreferenceEvent]:
    groups: dict[tuple[str, str, str], list[PreferenceLine]] = {}
    for one in lines:
        groups.setdefault((one.qid, one.group, one.subgroup), []).append(one)
    for several in groups.values():
        for a, b in combinations(several, 2):
            choice: Choice = "first" if a.level > b.level else "second" if a.level < b.level else "equal"
            yield PreferenceEvent("import", a.qid, a.docno, b.docno, assessor or a.group, choice)
