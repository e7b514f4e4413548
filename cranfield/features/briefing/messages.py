"""Messages from the organiser to assessors, each to one person, open until that person dismisses it."""

from collections.abc import Sequence
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.features.briefing.store import LONGEST
from cranfield.store.invitations import invitations
from cranfield.store.links import append_items
from cranfield.store.log import assessors, is_recorded
from cranfield.store.store import Store, now, sha256


class Message(NamedTuple):
    """A message to an assessor, and whether they dismissed it."""

    id: int
    at: str
    assessor: str
    text: str
    dismissed: bool


def send_message(store: Store, names: Sequence[str], text: str, event_id: str) -> int:
    """Send a message to each of these people; returns their number. The same event is recorded once."""
    people = {name for name, kind in assessors(store).items() if kind == "human"}
    if unknown := [name for name in names if name not in people]:
        raise InputError(f"no assessor {unknown[0]!r:.60} in this store")
    if not names:
        raise InputError("there is nobody to send the message to")
    if not text.strip():
        raise InputError("the message is empty")
    if len(text) > LONGEST:
        raise InputError(f"the message has {len(text):,} characters; expected at most {LONGEST:,}")
    content = {name: sha256(f"{name}\0{text.strip()}") for name in names}
    events = {name: f"{event_id}-{content[name]}" for name in names}  # a corrected text is another message
    with store.writing():
        new = [name for name in names if not is_recorded(store, events[name], "message")]
        rows = [{"event_id": events[name], "assessor": name, "text": text.strip()} for name in new]
        append_items(store, "message", rows)
    return len(names)


def people_with_judging_page(store: Store) -> list[str]:
    """Return the people who have a valid link for judging, whose page shows messages."""
    moment = now()
    valid = {one.assessor for one in invitations(store) if one.role == "judge" and one.state(moment) == "valid"}
    return [name for name, kind in assessors(store).items() if kind == "human" and name in valid]


def messages_to(store: Store, assessor: str) -> list[Message]:
    """Return the messages to an assessor, the newest first."""
    rows = store.rows("SELECT * FROM messages WHERE assessor = ? ORDER BY id DESC", [assessor])
    return [Message(number, at, name, text, bool(dismissed)) for number, at, name, text, dismissed in rows]


def open_messages(store: Store, assessor: str) -> list[Message]:
    """Return the messages that an assessor has not dismissed, the oldest first; erased messages have no text."""
    return [one for one in reversed(messages_to(store, assessor)) if not one.dismissed and one.text]


def dismiss_message(store: Store, assessor: str, number: int) -> None:
    """Dismiss a message; a message to somebody else, or dismissed before, stays as it is."""
    with store.writing():
        if any(one.id == number for one in open_messages(store, assessor)):
            append_items(store, "message", [{"event_id": "", "assessor": assessor, "text": "", "dismisses": number}])
