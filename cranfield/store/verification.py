"""Whether a store's logs are what their chains say: every hash recomputed, the first break named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.formats.files import read_text
from cranfield.store.answers.answers import changed_answer
from cranfield.store.chain import Context, digest, head_of, own_origin, scale_of
from cranfield.store.events import Event, event_of
from cranfield.store.links.verifying import verify_links
from cranfield.store.model_calls.settings import changed_prompt
from cranfield.store.releases.releases import releases
from cranfield.store.releases.verification import verify_releases
from cranfield.store.store import Store, sha256
from cranfield.text import counted

CLOCKED = ("store", "bundle")  # the kinds of origin in which time runs forward; imports bring the times of other clocks


class Verified(NamedTuple):
    """Logs that hold: the events of judgments, in how many chains, and their head; the same of all else.

    `releases` is how many releases hold.
    """

    events: int
    chains: int
    head: str
    other_events: int = 0  # of nuggets, support, claims, preferences and calls of models
    other_head: str = ""
    releases: int = 0


class Link(NamedTuple):
    """An event in the log with what it is hashed with, and the text of its document as it is now, if it stands."""

    event: Event
    context: Context
    text: str | None


class Chains:
    """The chains while they are walked: what the last event of each was, and all hashes seen so far."""

    def __init__(self, store: Store) -> None:
        self.kinds = dict(store.rows("SELECT id, kind FROM origin"))
        self.own = own_origin(store.conn)
        self.is_bundle = self.kinds.get(self.own) == "bundle"
        self.seen: dict[str, tuple[str, str]] = {}  # hash -> its origin, its time
        self.last: dict[str, str] = {}  # origin -> the hash of its last event

    def walk(self, link: Link) -> None:
        """Check the next event, and go on to it."""
        event, number = link.event, len(self.seen) + 1
        for wrong, what in self._checks(link, number):
            if wrong:
                raise StoreError(f"event {event.id} ({event.kind} by {event.assessor}): {what}")
        self.seen[event.hash] = event.origin, event.at
        self.last[event.origin] = event.hash

    def _checks(self, link: Link, number: int) -> Iterator[tuple[bool, str]]:
        event, text = link.event, link.text
        yield event.id != number, f"event {number} is missing"
        yield event.origin not in self.kinds, "its origin is unknown"
        yield event.hash != digest(event, link.context), "its content has changed since it was recorded"
        yield not self._follows(event), "the event before it is not the one that preceded it when it was recorded"
        yield self._goes_back(event), "it is earlier than the event before it"
        changed = text is not None and event.document_sha256 not in (None, sha256(text))
        yield changed, f"the text of document {event.docno} is not the one that was judged"

    def _follows(self, event: Event) -> bool:
        kind = self.kinds[event.origin]
        if self.is_bundle and event.origin != self.own:
            return True  # an excerpt
        if kind == "bundle" and event.origin != self.own:  # copies of a bundle may have been judged apart
            return event.previous == "" or self.seen.get(event.previous, ("",))[0] == event.origin
        return event.previous == self.last.get(event.origin, "")

    def _goes_back(self, event: Event) -> bool:
        before = self.seen.get(event.previous)
        return before is not None and self.kinds[event.origin] in CLOCKED and event.at < before[1]


def verify(store: Store, against: tuple[int, str] | None = None) -> Verified:
    """Recompute all logs; the first thing that is not as it was recorded is an error.

    `against` is how many events a log once had, and its head then, as the manifest of an export has them.
    """
    if store.released:
        raise StoreError(f"{store.path}: verify the store itself; its releases are verified with it")
    _same_schema(store)
    if changed := changed_answer(store):
        raise StoreError(f"the answer of run {changed.run} to topic {changed.qid}: it is not the one that was imported")
    if (prompt := changed_prompt(store)) is not None:
        raise StoreError(f"the prompt {prompt}: it is not the one that models were asked with")
    events, head = verify_links(store)
    if released := releases(store):
        _same_texts(store, max(release.last["document"] for release in released))
    found = recomputed(store, against)._replace(other_events=events, other_head=head)
    return found._replace(releases=verify_releases(store))


def recomputed(store: Store, against: tuple[int, str] | None = None) -> Verified:
    """The judgment log of a store whose schema is known to be right."""
    chains = Chains(store)
    links: list[tuple[str, str]] = []
    for link in _links(store):
        chains.walk(link)
        links.append((link.event.previous, link.event.hash))
    _none_cut_off(store, len(links))
    if against is not None:
        _as_published(links, *against)
    return Verified(len(links), len(chains.last), head_of(links))


def published(manifest: Path) -> tuple[int, str]:
    """How many events a log had when qrels were exported from it, and its head then."""
    try:
        log = json.loads(read_text(manifest))["log"]
        events, head = int(log["events"]), str(log["head"])
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
        raise InputError("not a manifest of exported qrels with the head of their log", manifest) from error
    return events, head


def _links(store: Store) -> Iterator[Link]:
    scale = scale_of(store.conn)
    columns = ", ".join(f"l.{name}" for name in Event._fields)
    found = store.conn.execute(
        f"SELECT {columns}, l.assessor_kind, s.event_id,"
        " CASE WHEN l.id IN (SELECT id FROM standing_event) THEN d.text END FROM judgment_log l"
        " LEFT JOIN judgment_event s ON s.id = l.supersedes JOIN document d ON d.docno = l.docno ORDER BY l.id"
    )
    for *row, kind, superseded, text in found:
        yield Link(event_of(tuple(row)), Context(scale, kind, superseded), text)


def _same_texts(store: Store, last: int) -> None:
    """Compare the texts of documents with their hashes, which are what releases have."""
    texts = "SELECT docno, text, sha256 FROM document WHERE text IS NOT NULL AND id <= ? ORDER BY id"
    for docno, text, was in store.conn.execute(texts, [last]):
        if sha256(text) != was:
            raise StoreError(f"the text of document {docno} has changed since it was imported")


def _none_cut_off(store: Store, events: int) -> None:
    """Refuse a log that once had more events."""
    counted = store.rows("SELECT seq FROM sqlite_sequence WHERE name = 'judgment_event'")
    there = store.rows("SELECT count(*) FROM judgment_event")[0][0]
    if there != events:
        raise StoreError(f"{there - events} events name a topic, a document or an assessor that does not exist")
    if counted and counted[0][0] != events:
        raise StoreError(f"event {events + 1} is missing: {counted[0][0]} events were recorded, {events} are there")


def _as_published(links: list[tuple[str, str]], events: int, head: str) -> None:
    if len(links) < events:
        raise StoreError(
            f"the log has {counted(len(links), 'event')}, fewer than the {events} it had when it was published"
        )
    if head_of(links[:events]) != head:
        raise StoreError(f"the first {events} events are not those that were published: their head differs")


def _same_schema(store: Store) -> None:
    """Refuse a store whose triggers or views are not those that guard and show the log."""
    with Store.memory("as it should be") as fresh:
        right = _rules(fresh)
    found = _rules(store)
    for name, (kind, sql) in right.items():
        if name not in found:
            raise StoreError(f"the {kind} {name} is missing: without it the log can be changed by hand")
        if found[name] != (kind, sql):
            raise StoreError(f"the {kind} {name} differs from the one that this program makes")
    strange = sorted(name for name in found.keys() - right.keys() if found[name][0] == "trigger")
    if strange:
        raise StoreError(f"the trigger {strange[0]} is not one that this program makes")


def _rules(store: Store) -> dict[str, tuple[str, str]]:
    rows = store.rows("SELECT name, type, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name")
    return {name: (kind, " ".join(sql.split())) for name, kind, sql in rows}
