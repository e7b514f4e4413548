"""OpenSearch's User Behavior Insights, as JSONL: queries (`ubi_queries`) and events (`ubi_events`), schema 1.3.0.

The two files are joined by query_id. A query's list is its query_response_hit_ids; where these are absent it comes from
its impression events, in the order of their positions. The schema counts positions (ordinal) from 1, the plugin's own
generator from 0: which it is shows where documents are known by the list, or where a position is 0.

Actions like click are clicks, those like purchase conversions; dwell has seconds, impression makes lists, and
others are counted and left out. Records of a search's answer (_source) are unwrapped. User, query and arm are fields of
the query or of its query_attributes.

Source: github.com/o19s/ubi, schema 1.3.0, and the OpenSearch plugin; no file of a real system was at hand.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats import jsonl
from cranfield.formats.files import OpenFile
from cranfield.formats.logs.own import docs_of, number, seconds_of, text_of, whole_number
from cranfield.formats.logs.parts import LATEST, NAN, ActionRow, BadLine, ListRow, LogPart, part_of_rows
from cranfield.formats.records import Format, Names
from cranfield.text import counted

KIND_OF = {
    "click": "click", "item_click": "click", "product_click": "click", "result_click": "click", "view": "click",
    "watch": "dwell", "dwell": "dwell", "add_to_cart": "convert", "purchase": "convert", "convert": "convert",
    "conversion": "convert", "download": "convert", "hover": "hover", "product_hover": "hover",
    "reformulate": "reformulate",
}  # fmt: skip
SHOWN = "impression"
HITS = "query_response_hit_ids"
UNREAD = "lines that cannot be read"
USUAL = {"user": ("client_id", "user_id"), "query": ("user_query",), "arm": ("arm", "variant")}
Records = Sequence[tuple[int, dict[str, Any]]]


class UbiEvent(NamedTuple):
    """An event: its line, query, action, time, the document and its position as written, and the seconds."""

    line: int
    query_id: str
    action: str
    at: float
    doc: str
    ordinal: int | None
    seconds: float
    fields: dict[str, Any]


def detect_ubi(head: bytes, path: str) -> bool:
    first = head.lstrip().partition(b"\n")[0]
    queries = b'"user_query"' in first and b'"query_id"' in first
    return first.startswith(b"{") and (queries or (b'"action_name"' in first and b'"timestamp"' in first))


def is_events(record: dict[str, Any]) -> bool:
    """Whether a record is an event, not a query."""
    return "action_name" in record


def read_ubi(source: OpenFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records, of queries or of events, with their lines."""
    for line, record in jsonl.objects(source):
        inside = record.get("_source", record)
        if not isinstance(inside, dict):
            raise InputError(f"_source is {inside!r:.40}; expected an object", source.path, line)
        yield line, inside


class Joined(NamedTuple):
    """The lists of both files, what cannot be used, and what is said about how they were read."""

    part: LogPart
    bad: list[BadLine]
    notes: list[str]


def joined(queries: Records, events: Records, names: Names) -> Joined:
    """The lists of queries with what the events say of them; lines are those of the queries, or of the events."""
    bad: list[BadLine] = []
    known = [(line, record) for line, record in events if record.get("query_id")]
    found = [event for line, record in known if (event := _event(line, record, bad)) is not None]
    by_query: dict[str, list[UbiEvent]] = {}
    for event in sorted(found, key=lambda event: (event.at, event.line)):
        by_query.setdefault(event.query_id, []).append(event)
    asked = _asked(queries, bad)
    origin, hint = _origin(found, asked)
    rows, others = [], Counter[str]()
    for query_id in {**asked, **by_query}:
        line, record = asked.get(query_id, (0, {}))
        row = _list(query_id, line, record, by_query.get(query_id, []), origin, others, bad, names)
        if row is not None:
            rows.append(row)
    rows.sort(key=lambda row: row.at)
    notes = [hint] if hint else []
    if nameless := sum(not record.get("query_id") for _, record in (*queries, *events)):
        notes.append(f"{counted(nameless, 'record')} without a query_id left out")
    if others:
        notes.append("actions left out: " + ", ".join(f"{name} ({number})" for name, number in others.most_common(9)))
    return Joined(part_of_rows(rows), bad, notes)


def _asked(queries: Records, bad: list[BadLine]) -> dict[str, tuple[int, dict[str, Any]]]:
    """The queries with an id, by it; of two with the same the first."""
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for line, record in queries:
        query_id = str(record.get("query_id") or "")
        if query_id in found:
            bad.append(BadLine(line, "queries given twice", f"query {query_id!r:.40} is given twice; expected once"))
        elif query_id:
            found[query_id] = line, record
    return found


def _event(line: int, record: dict[str, Any], bad: list[BadLine]) -> UbiEvent | None:
    """A record as an event; None where it cannot be read."""
    wrong = partial(InputError, line=line)
    try:
        at, about = _time(record, wrong), _inside(record, "event_attributes", wrong)
        doc = text_of("object_id", _inside(about, "object", wrong).get("object_id"), wrong)
        action = text_of("action_name", record.get("action_name"), wrong)
        ordinal = whole_number("ordinal", _inside(about, "position", wrong).get("ordinal"), wrong)
        seconds = number("dwell_time", about.get("dwell_time", about.get("seconds")), wrong)
    except InputError as error:
        bad.append(BadLine(line, UNREAD, error.message))
        return None
    stayed = NAN if seconds is None else seconds
    return UbiEvent(line, str(record["query_id"]), action or "", at, doc or "", ordinal, stayed, record)


def _inside(record: dict[str, Any], name: str, wrong: Any) -> dict[str, Any]:
    """An object inside another; an empty one where there is none."""
    found = record.get(name)
    if not isinstance(found, dict | None):
        raise wrong(f"{name} is {found!r:.40}; expected an object")
    return found or {}


def _time(record: dict[str, Any], wrong: Any) -> float:
    """The time of a record; numbers of 12 digits and more are milliseconds."""
    stamp = record.get("timestamp")
    if isinstance(stamp, int | float) and not isinstance(stamp, bool) and 1e11 <= abs(stamp) < 1000 * LATEST:
        stamp = stamp / 1000
    if (found := seconds_of(stamp, wrong)) is None:
        raise wrong("no timestamp; expected an ISO 8601 time or milliseconds since 1970")
    return found


def _origin(events: Sequence[UbiEvent], asked: dict[str, tuple[int, dict[str, Any]]]) -> tuple[int, str]:
    """Whether positions are counted from 0 or from 1, by where documents stand in lists, or by the least."""
    votes = Counter[int]()
    for event in events:
        hits = _hits(asked.get(event.query_id, (0, {}))[1])
        if event.ordinal is not None and hits and event.doc in hits:
            votes[event.ordinal - hits.index(event.doc)] += 1
    ordinals = [event.ordinal for event in events if event.ordinal is not None]
    if not ordinals:
        return 1, ""
    origin = 0 if votes[0] > votes[1] or (not votes and min(ordinals) == 0) else 1
    how = "as documents stand in the lists" if votes else f"the least position is {min(ordinals)}"
    return origin, f"positions (ordinal) count from {origin}: {how}"


def _hits(record: dict[str, Any]) -> list[str]:
    hits = record.get(HITS)
    return [str(hit) for hit in hits] if isinstance(hits, list) else []


def _list(
    query_id: str, line: int, record: dict[str, Any], events: Sequence[UbiEvent], origin: int, others: Counter[str],
    bad: list[BadLine], names: Names,
) -> ListRow | None:  # fmt: skip
    """The list of a query, with the actions on it; None where nobody knows what was shown, or when."""
    shown = sorted((event for event in events if event.action == SHOWN and event.doc), key=lambda e: e.ordinal or 0)
    docs = _hits(record) or list(dict.fromkeys(event.doc for event in shown))
    fields = _attributes(record or events[0].fields)
    where = line or events[0].line
    called = names.found("log", fields)
    if not docs and record.get(HITS) is None:
        bad.append(BadLine(where, "queries without a list", f"query {query_id!r} has neither hit ids nor impressions"))
        return None
    try:
        at, user, query, arm = _query(
            fields, {ours: called.get(ours) for ours in names.asked}, partial(InputError, line=where)
        )
    except InputError as error:
        bad.append(BadLine(where, UNREAD, error.message))
        return None
    session = next((str(event.fields["session_id"]) for event in events if event.fields.get("session_id")), "")
    acts = _actions(events, origin, others)
    return ListRow(where, query_id, at, user, session, query=query, arm=arm, docs=docs, actions=acts)


def _actions(events: Sequence[UbiEvent], origin: int, others: Counter[str]) -> list[ActionRow]:
    """What was done with a list; actions that have no kind here are counted."""
    found = []
    for event in events:
        if kind := KIND_OF.get(event.action.lower()):
            position = -1 if event.doc or event.ordinal is None else event.ordinal - origin
            found.append(ActionRow(kind, event.doc, position, event.at, event.seconds))
        elif event.action != SHOWN:
            others[event.action] += 1
    return found


def _attributes(record: dict[str, Any]) -> dict[str, Any]:
    """The fields of a record and of its query_attributes, if these are an object."""
    inside = record.get("query_attributes")
    return (inside if isinstance(inside, dict) else {}) | record


def _query(fields: dict[str, Any], asked: Mapping[str, str | None], wrong: Any) -> tuple[float, str, str, str]:
    """When a query was asked, its user, words and arm; an error where its record cannot be read."""
    docs_of(HITS, fields.get(HITS), wrong)
    _inside(fields, "query_attributes", wrong)
    user, query, arm = (_field(ours, fields, asked, wrong) for ours in USUAL)
    return _time(fields, wrong), user, query, arm


def _field(ours: str, fields: dict[str, Any], asked: Mapping[str, str | None], wrong: Any) -> str:
    """A field of a query under its usual name, or where it was asked for."""
    wanted = (asked[ours],) if ours in asked else USUAL[ours]
    return next((text for name in wanted if name and (text := text_of(name, fields.get(name), wrong))), "")


UBI = Format(
    "log", "ubi", "OpenSearch UBI 1.3.0, JSONL: ubi_queries and ubi_events, given together", detect_ubi, read_ubi
)
