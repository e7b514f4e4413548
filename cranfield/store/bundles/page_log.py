"""Bringing back what was judged on a page: every line is checked before anything is taken, as with any bundle."""

import hmac
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from os import PathLike, fspath
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.store.assignments import format_timestamp
from cranfield.store.bundles.check import Hers, event_content, faults, known_events
from cranfield.store.bundles.page import CRITERION, FORMAT, VERSION, FileLine, OfflinePage, lines_of, opaque_id
from cranfield.store.chain import Event, grade_scale_text
from cranfield.store.log import REPEAT, assessors, read_events
from cranfield.store.store import Store
from cranfield.text import stored_span, visible_text

AHEAD = timedelta(days=1)  # by which the clock of an assessor's machine may be fast
Shown = tuple[str, str, bool]  # a topic, a document, whether it is its second showing


class CheckedDownload(NamedTuple):
    """A download that was checked: its page, the events in their order, those that are new, and the criteria.

    An event's number is that of its line, negative: numbers of the store are positive.
    """

    page: OfflinePage
    events: tuple[Event, ...]
    new: tuple[Event, ...]
    criteria: tuple[tuple[str, str, str, str], ...]  # at, qid, assessor, text
    recorded: bool


def judged(store: Store, path: str | PathLike[str]) -> CheckedDownload:
    """Read and check a download; the first thing that is not as it has to be is an InputError."""
    lines = list(lines_of(fspath(path)))
    page = _known_page(store, lines, path)
    reader = Reader(store, page, path)
    for line in lines[1:]:
        reader.take(line)
    origin = store.rows("SELECT name FROM origin WHERE id = ?", [page.page])
    return CheckedDownload(page, tuple(reader.events), tuple(reader.new), tuple(reader.criteria), bool(origin))


def _known_page(store: Store, lines: list[FileLine], path: str | PathLike[str]) -> OfflinePage:
    """The page that the first line names, if this store made it."""
    fields = lines[0].fields if lines else {}
    where = (path, lines[0].line if lines else 1)
    if fields.get("format") != FORMAT:
        raise InputError(f'not the download of a page; expected a first line with "format": "{FORMAT}"', *where)
    if fields.get("version") != VERSION:
        raise InputError(f"the page has version {fields.get('version')!r:.60}; expected {VERSION}", *where)
    page = OfflinePage(*(fields.get(name) for name in OfflinePage._fields))  # type: ignore[arg-type]
    about = store.collection
    here = (about.name, about.created, grade_scale_text(store.conn))
    if (page.collection, page.created, page.scale) != here:
        theirs = f"{page.collection!r:.60} of {page.created!r:.60}, scale {page.scale!r:.200}"
        raise InputError(f"a page of another collection, {theirs}; this store is {here[0]!r} of {here[1]}", *where)
    if not hmac.compare_digest(
        str(fields.get("seal")).encode(errors="replace"), page.line(page.key(store))["seal"].encode()
    ):
        raise InputError("this store did not make this page, or its first line was changed; expected the unchanged"
            " download", *where)  # fmt: skip
    if assessors(store).get(page.assessor) != "human":
        raise InputError(f"{page.assessor!r} is not an assessor of this store", *where)
    return page


class Reader:
    """Makes events of lines, one after the other."""

    def __init__(self, store: Store, page: OfflinePage, path: str | PathLike[str]) -> None:
        self.store, self.page, self.path = store, page, path
        self.events: list[Event] = []
        self.new: list[Event] = []
        self.criteria: list[tuple[str, str, str, str]] = []
        names = [page.assessor, page.assessor + REPEAT]
        self._hers = Hers.from_store(store, page.assessor)
        key = page.key(store)
        self._shown = {
            opaque_id(key, *pair, again): (*pair, again) for pair in self._hers.pairs for again in (False, True)
        }
        self._topics = {opaque_id(key, qid): qid for qid in self._hers.topics}
        self._known = known_events(store, page.assessor)
        self._before = {event.id or 0: event for name in names for event in read_events(store, name)}
        self._numbers = {event.event_id: number for number, event in self._before.items()}
        self._lines: dict[str, int] = {}  # where each event id was first
        self._latest, self._now = page.made, datetime.now(UTC)
        self._text = lru_cache(8)(lambda docno: store.document(docno).text)

    def take(self, line: FileLine) -> None:
        """Check one more line."""
        for wrong in self._faults(line):
            raise InputError(wrong, self.path, line.line)
        self._lines[line.fields["event_id"]] = line.line
        self._latest = line.fields["at"]

    def _faults(self, line: FileLine) -> Iterator[str]:
        fields = line.fields
        if first := self._lines.get(fields["event_id"]):
            yield f"duplicate event_id, first on line {first}"
        yield from self._time_faults(fields["at"])
        yield from self._criterion_faults(fields) if fields["kind"] == CRITERION else self._event_faults(line)

    def _time_faults(self, at: str) -> Iterator[str]:
        try:
            moment = datetime.fromisoformat(at)
            good = moment.tzinfo is not None and format_timestamp(moment) == at
        except (ValueError, OverflowError):
            good = False
        if not good:
            yield f"at is {at!r:.60}; expected a time in UTC such as {format_timestamp(self._now)}"
        if at < self._latest:
            yield f"at is {at}, which precedes {self._latest} on the line above; expected times in order"
        if at > format_timestamp(self._now + AHEAD):
            yield f"at is {at}, which is in the future; expected at most one day after {format_timestamp(self._now)}"

    def _criterion_faults(self, fields: Mapping[str, Any]) -> Iterator[str]:
        qid = self._topics.get(fields["topic"])
        if qid is None:
            yield f"topic {fields['topic']!r:.60} is not on this page"
        else:
            self.criteria.append((fields["at"], qid, self.page.assessor, fields["text"]))

    def _event_faults(self, line: FileLine) -> Iterator[str]:
        fields = line.fields
        place = self._shown.get(fields["document"])
        if place is None:
            yield f"document {fields['document']!r:.60} is not on this page, or no longer in a pool of the store"
            return
        earlier = fields.get("supersedes")
        if earlier is not None and earlier not in self._numbers:
            yield f"supersedes is {earlier!r:.60}; expected the event_id of this assessor's earlier event"
            return
        yield from self._marks(fields, place[1])
        event = self._as_event(line, place)
        self._before[-line.line] = event
        ids = {number: one.event_id for number, one in self._before.items() if number == event.supersedes}
        if event.event_id in self._known:
            content, _ = self._known[event.event_id] or ([], "")
            if content != event_content(event, ids):
                yield "it differs from the event with the same id in this store"
        else:
            yield from (what for wrong, what in faults(self.store, event, self._before, self._hers) if wrong)
            self.new.append(event)
        self.events.append(event)
        self._numbers.setdefault(event.event_id, -line.line)

    def _marks(self, fields: Mapping[str, Any], docno: str) -> Iterator[str]:
        for mark in fields.get("evidence", ()):
            units = visible_text(self._text(docno)).encode("utf-16-le")
            if units[2 * mark["start"] : 2 * mark["end"]].decode("utf-16-le", "replace") != mark["quote"]:
                yield f"the evidence {mark['quote']!r:.60} is not at character {mark['start']} of the document"

    def _as_event(self, line: FileLine, place: Shown) -> Event:
        """The event of a line, as other front ends record it."""
        qid, docno, again = place
        own: dict[str, Any] = {name: value for name, value in line.fields.items() if name in Event._fields}
        how: dict[str, Any] = {
            "order_policy": self.page.order,
            "order_seed": self.page.seed,
            "pool": self.page.pool,
            "input": "page",
        }
        supersedes = self._numbers.get(own.pop("supersedes", ""))
        evidence = self._evidence(own.pop("evidence", ()), docno)
        who = self.page.assessor + REPEAT * again
        more = {**own, **how, "id": -line.line, "origin": self.page.page}
        more |= {"seconds": float(own["seconds"])} if "seconds" in own else {}
        return Event(qid=qid, docno=docno, assessor=who, evidence=evidence, supersedes=supersedes, **more)

    def _evidence(self, marks: list[dict[str, Any]], docno: str) -> str | None:
        text = self._text(docno) if marks else ""
        spans = [stored_span(text, mark["start"], mark["end"]) for mark in marks]
        evidence = [{"start": start, "end": end, "quote": text[start:end]} for start, end in spans]
        return json.dumps(evidence, ensure_ascii=False) if evidence else None
