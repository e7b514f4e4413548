"""Taking back an import of preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.store.links.imported import standing_links
from cranfield.store.preferences.events import PreferenceEvent, append_preferences, preference_events
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.history import Import
    from cranfield.store.store import Store


def take_preferences(store: Store, one: Import, reason: str) -> tuple[dict[str, int], str]:
    """Append an event that takes it back for each preference of an import that nobody took back."""
    standing = set(standing_links(store, "preference_event", one.number))
    events = [event for event in preference_events(store) if event.id in standing]
    append_preferences(store, *(_retract(event, f"import {one.number} removed") for event in events))
    said = f"{counted(len(events), 'preference')} retracted, by one event each"
    return {"preferences": len(events)}, said


def _retract(event: PreferenceEvent, note: str) -> PreferenceEvent:
    return PreferenceEvent("retract", *event[1:5], note=note, supersedes=event.id)
