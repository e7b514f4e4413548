"""Logs as others keep them: OpenSearch's User Behavior Insights, the Open Bandit Dataset, and Yandex's challenge.

UBI is JSONL: queries (`ubi_queries`) and events (`ubi_events`), schema 1.3.0. The two files are joined by query_id. A
query's list is its query_response_hit_ids; where these are absent it comes from its impression events, in the order of
their positions. The schema counts positions (ordinal) from 1, the plugin's own generator from 0: which it is shows
where documents are known by the list, or where a position is 0. An event that contradicts its list is an error.

Actions like click are clicks, those like purchase conversions; dwell has seconds, impression makes lists. Other
actions, and events on documents or positions beyond the list, are counted and left out: a log may have the first hits
alone. An event that cannot be used is an error of its own line and file, and its list stays. Records of a search's
answer (_source) are unwrapped. User, query and arm are fields of the query or of its query_attributes.

Source: github.com/o19s/ubi, schema 1.3.0, and the OpenSearch plugin; no file of a real system was at hand.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.online.formats.own import docs_of, number, seconds_of, text_of, whole_number
from cranfield.features.online.formats.parts import LATEST, NAN, ActionRow, BadLine, ListRow, LogPart, part_of_rows
from cranfield.features.online.formats.ubi_events import KIND_OF, SHOWN, UbiEvent, actions_of_events, usable_events
from cranfield.formats import jsonl
from cranfield.formats.delimited import check_distinct_columns
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.records import Names
from cranfield.text import counted, json_value

HITS = "query_response_hit_ids"
UNREAD = "lines that cannot be read"
USUAL = {"user": ("client_id", "user_id"), "query": ("user_query",), "arm": ("arm", "variant")}
Records = Sequence[tuple[int, dict[str, Any]]]


def detect_ubi(head: bytes, path: str) -> bool:
    first = head.lstrip().partition(b"\n")[0]
    queries = b'"user_query"' in first and b'"query_id"' in first
    return (
        first.startswith(b"{")
        and b'"docs"' not in first
        and (queries or (b'"action_name"' in first and b'"timestamp"' in first))
    )


def is_events(record: dict[str, Any]) -> bool:
    """Whether a record is an event, not a query."""
    return "action_name" in record


def read_ubi(source: OpenFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records, of queries or of events, with their lines."""
    for line, record in jsonl.read_json_objects(source):
        inside = record.get("_source", record)
        if not isinstance(inside, dict):
            raise InputError(f"_source is {json_value(inside)}; expected an object", source.path, line)
        yield line, inside


class JoinedLists(NamedTuple):
    """The lists of both files, what cannot be used, and what is said about how they were read."""

    part: LogPart
    bad: list[BadLine]
    notes: list[str]


def join(queries: Records, events: Records, names: Names) -> JoinedLists:
    """The lists of queries with what the events say of them; lines are those of the queries, or of the events."""
    bad: list[BadLine] = []
    query_events = [(line, record) for line, record in events if record.get("query_id")]
    read = [event for line, record in query_events if (event := _event(line, record, bad)) is not None]
    events_by_query: dict[str, list[UbiEvent]] = {}
    for event in sorted(read, key=lambda event: (event.at, event.line)):
        events_by_query.setdefault(event.query_id, []).append(event)
    query_of_id = _queries_by_id(queries, bad)
    origin, hint = _origin(read, query_of_id)
    events_by_query = {
        query_id: list(_rightly_placed(events, query_of_id, origin, bad))
        for query_id, events in events_by_query.items()
    }
    rows, others = [], Counter[str]()
    for query_id in {**query_of_id, **events_by_query}:
        line, record = query_of_id.get(query_id, (0, {}))
        row = _list(
            query_id,
            line,
            record,
            events=events_by_query.get(query_id, []),
            origin=origin,
            others=others,
            bad=bad,
            names=names,
        )
        if row is not None:
            rows.append(row)
    rows.sort(key=lambda row: row.at)
    notes = [hint] if hint else []
    if nameless := sum(not record.get("query_id") for _, record in (*queries, *events)):
        notes.append(f"omitted {counted(nameless, 'record')} without a query_id")
    if others:
        notes.append("events left out: " + ", ".join(f"{name} ({number:,})" for name, number in others.most_common(9)))
    return JoinedLists(part_of_rows(rows), bad, notes)


def _queries_by_id(queries: Records, bad: list[BadLine]) -> dict[str, tuple[int, dict[str, Any]]]:
    """The queries with an id, by it; of two with the same the first."""
    query_of_id: dict[str, tuple[int, dict[str, Any]]] = {}
    for line, record in queries:
        query_id = str(record.get("query_id") or "")
        if query_id in query_of_id:
            bad.append(BadLine(line, "queries given twice", f"query {query_id!r:.40} appears twice; expected once"))
        elif query_id:
            query_of_id[query_id] = line, record
    return query_of_id


def _event(line: int, record: dict[str, Any], bad: list[BadLine]) -> UbiEvent | None:
    """A record as an event; None where it cannot be read."""
    wrong = partial(InputError, line=line)
    try:
        at, about = _time(record, wrong), _nested_object(record, "event_attributes", wrong)
        doc = text_of("object_id", _nested_object(about, "object", wrong).get("object_id"), wrong)
        action = text_of("action_name", record.get("action_name"), wrong)
        ordinal = whole_number("ordinal", _nested_object(about, "position", wrong).get("ordinal"), wrong)
        seconds = number("dwell_time", about.get("dwell_time", about.get("seconds")), wrong)
    except InputError as error:
        bad.append(BadLine(line, UNREAD, error.message))
        return None
    dwell = NAN if seconds is None else seconds
    return UbiEvent(
        line,
        str(record["query_id"]),
        action or "",
        at=at,
        document=doc or "",
        ordinal=ordinal,
        seconds=dwell,
        fields=record,
    )


def _nested_object(record: dict[str, Any], name: str, wrong: Any) -> dict[str, Any]:
    """An object inside another; an empty one where there is none."""
    value = record.get(name)
    if not isinstance(value, dict | None):
        raise wrong(f"{name} is {json_value(value)}; expected an object")
    return value or {}


def _time(record: dict[str, Any], wrong: Any) -> float:
    """The time of a record; numbers of 12 digits and more are milliseconds."""
    stamp = record.get("timestamp")
    if isinstance(stamp, int | float) and not isinstance(stamp, bool) and 1e11 <= abs(stamp) < 1000 * LATEST:
        stamp = stamp / 1000
    if (seconds := seconds_of(stamp, wrong)) is None:
        raise wrong("no timestamp; expected an ISO 8601 time or milliseconds since 1970")
    return seconds


def _origin(events: Sequence[UbiEvent], queries: dict[str, tuple[int, dict[str, Any]]]) -> tuple[int, str]:
    """Whether positions are counted from 0 or from 1, by where documents stand in lists, or by the least."""
    votes = Counter[int]()
    for event in events:
        hits = _hits(queries.get(event.query_id, (0, {}))[1])
        if event.ordinal is not None and hits and event.document in hits:
            votes[event.ordinal - hits.index(event.document)] += 1
    ordinals = [event.ordinal for event in events if event.ordinal is not None]
    if not ordinals:
        return 1, ""
    agree = max(votes[0], votes[1])
    origin = 0 if votes[0] > votes[1] or (not agree and min(ordinals) == 0) else 1
    how = f"{agree} of {counted(votes.total(), 'event')} match{'es' * (agree == 1)} the lists"
    return (
        origin,
        f"positions (ordinal) are counted from {origin}, because"
        f" {how if agree else f'the smallest position is {min(ordinals)}'}",
    )


def _rightly_placed(
    events: Sequence[UbiEvent], queries: Mapping[str, tuple[int, dict[str, Any]]], origin: int, bad: list[BadLine]
) -> Iterator[UbiEvent]:
    """The events whose position is that of their document in the list, if both are known; others are bad lines."""
    for event in events:
        hits = _hits(queries.get(event.query_id, (0, {}))[1])
        place = hits.index(event.document) + origin if event.document in hits else event.ordinal
        if event.ordinal is None or event.action.lower() not in (*KIND_OF, SHOWN):
            yield event
        elif event.ordinal != place:
            what = f"ordinal {event.ordinal} of {event.document!r:.40}; expected {place}, its place in the list"
            bad.append(BadLine(event.line, "positions of other documents", f"{what}, counted from {origin}"))
        elif event.ordinal < origin:
            what = f"ordinal {event.ordinal}; expected {origin} or more, because positions count from {origin}"
            bad.append(BadLine(event.line, f"positions below {origin}", what))
        else:
            yield event


def _hits(record: dict[str, Any]) -> list[str]:
    hits = record.get(HITS)
    return [str(hit) for hit in hits] if isinstance(hits, list) else []


def _list(
    query_id: str, line: int, record: dict[str, Any], *, events: Sequence[UbiEvent], origin: int, others: Counter[str],
    bad: list[BadLine], names: Names,
) -> ListRow | None:  # fmt: skip
    """The list of a query, with the actions on it; None where nobody knows what was shown, or when."""
    impressions = sorted(
        (event for event in events if event.action == SHOWN and event.document), key=lambda e: e.ordinal or 0
    )
    docs = _hits(record) or list(dict.fromkeys(event.document for event in impressions))
    fields = record or events[0].fields
    inside = fields.get("query_attributes")
    fields = (inside if isinstance(inside, dict) else {}) | fields
    where = line or events[0].line
    columns = names.fields_of("log", fields)
    first = 0
    if not _hits(record):
        ordinals = {event.document: event.ordinal for event in reversed(impressions) if event.ordinal is not None}
        first = min(ordinals.values(), default=origin) - origin
        if ordinals and sorted(ordinals.values()) != [origin + first + place for place in range(len(docs))]:
            what = f"the positions of query {query_id!r:.40} have gaps"
            expected = "expected an impression for each document shown"
            bad.append(BadLine(impressions[0].line, "positions with gaps", f"{what}; {expected}"))
            return None
    if not docs and record.get(HITS) is None:
        bad.append(BadLine(where, "queries without a list", f"query {query_id!r} has neither hit ids nor impressions"))
        return None
    wrong = partial(InputError, line=where)
    try:
        docs_of(HITS, fields.get(HITS), wrong)
        _nested_object(fields, "query_attributes", wrong)
        fields_read = {ours: columns.get(ours) for ours in names.mapping}
        user, query, arm = (_field(ours, fields, fields_read, wrong) for ours in USUAL)
        at = _time(fields, wrong)
    except InputError as error:
        bad.append(BadLine(where, UNREAD, error.message))
        return None
    session = next((str(event.fields["session_id"]) for event in events if event.fields.get("session_id")), "")
    acts = actions_of_events(usable_events(events, at, bad), docs, origin + first, others)
    attributes = {name: str(fields[name]) for name in names.others if fields.get(name) is not None}
    return ListRow(
        where, query_id, at, user, session, query=query, arm=arm, documents=docs, first=first, actions=acts,
        attributes=attributes,
    )  # fmt: skip


def _field(ours: str, fields: dict[str, Any], names: Mapping[str, str | None], wrong: Any) -> str:
    """A field of a query under its usual name, or where it was asked for."""
    choices = (names[ours],) if ours in names else USUAL[ours]
    return next((text for name in choices if name and (text := text_of(name, fields.get(name), wrong))), "")


UBI = Format(
    "log", "ubi", "OpenSearch UBI 1.3.0, JSONL: ubi_queries and ubi_events, given together", detect_ubi, read_ubi
)


ROWS_AT_ONCE = 50_000  # rows
FARTHEST = 1 << 40  # position
NEEDED = ("timestamp", "item_id", "position", "click", "propensity_score")


def detect_obd(head: bytes, path: str) -> bool:
    first = head.partition(b"\n")[0]
    return all(name.encode() in first for name in NEEDED)


def read_obd(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The Open Bandit Dataset, CSV: one recommendation per row, with its position, click and propensity.

    It has neither users nor whole lists: each row is a list of one document, whose earlier positions are on earlier
    pages, and a user of its own. The features (user_feature_*, user-item_affinity_*) are attributes, if asked for.

    Source: Saito, Aihara, Matsutani and Narita, Open Bandit Dataset and Pipeline, NeurIPS 2021; the files of package
    obp.

    The rows, many at a time.
    """
    lines = csv.DictReader(source.text())
    absent = [name for name in NEEDED if name not in (lines.fieldnames or ())]
    if absent:
        raise InputError(f"no column {absent[0]!r}; expected {', '.join(NEEDED)}", source.path, 1)
    check_distinct_columns(lines.fieldnames or (), source.path)
    rows: list[ListRow] = []
    bad: list[BadLine] = []
    while True:
        try:
            fields = next(lines, None)
        except csv.Error as error:
            raise InputError(f"not CSV: {error}", source.path, lines.line_num) from None
        if fields is None:
            break
        try:
            rows.append(_row(fields, lines.line_num, source))
        except InputError as error:
            bad.append(BadLine(lines.line_num, "lines that cannot be read", error.message))
        if len(rows) >= ROWS_AT_ONCE:
            yield part_of_rows(rows), bad
            rows, bad = [], []
    if rows or bad:
        yield part_of_rows(rows), bad


def _row(fields: Mapping[str | Any, str | Any], line: int, source: OpenFile) -> ListRow:
    wrong = partial(InputError, path=source.path, line=line)
    item, at = fields["item_id"], seconds_of(fields["timestamp"], wrong)
    try:
        position, click, propensity = int(fields["position"]), int(fields["click"]), float(fields["propensity_score"])
    except (TypeError, ValueError):
        raise wrong("position, click or propensity_score is not a number") from None
    if not item or at is None or not 1 <= position <= FARTHEST or click not in (0, 1):
        raise wrong(
            "an invalid field; expected an item_id, a timestamp, a position of at least 1 and a click of 0 or 1"
        )
    acts = [ActionRow("click", item)] if click else []
    name = f"{at:.6f}-{item}-{position}-{fields.get('', line)}"
    return ListRow(line, name, at, qid="", query="recommendation", documents=[item], first=position - 1,
                   propensity=[propensity], actions=acts,
                   attributes={name: fields[name] for name in source.names.others if fields.get(name)})  # fmt: skip


OBD = Format(
    "log", "obd", "CSV of the Open Bandit Dataset: timestamp, item_id, position, click, ...", detect_obd, read_obd
)


LISTS_AT_ONCE = 20_000  # lists
LINE = re.compile(rb"\S+\t\d+\t(?:Q\t\S+\t\S+|C\t\S+)")


def detect_yandex(head: bytes, path: str) -> bool:
    return LINE.match(head) is not None


def read_yandex(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The log of Yandex's Relevance Prediction Challenge, tab-separated: queries with their lists, and clicks.

        session time Q query region url url ...
        session time C url

    Queries and urls are numbers of the challenge; times are units since the session began, whose length was not
    published. A click belongs to the last list of its session that has the url. It has neither users nor arms: a
    session is a user.

    Source: the challenge's description (2011), as PyClick reads it; no file of it was at hand.

    The lists, many sessions at a time.
    """
    rows: list[ListRow] = []
    bad: list[BadLine] = []
    session, start = "", 0
    for line, text in source.lines():
        if not text.strip():
            continue
        fields = text.split("\t")
        try:
            if fields[0] != session:
                if len(rows) >= LISTS_AT_ONCE:
                    yield part_of_rows(rows), bad
                    rows, bad = [], []
                session, start = fields[0], len(rows)
            _take(fields, line, rows, start, source)
        except InputError as error:
            bad.append(BadLine(line, "lines that cannot be read", error.message))
    if rows or bad:
        yield part_of_rows(rows), bad


def _take(fields: list[str], line: int, rows: list[ListRow], start: int, source: OpenFile) -> None:
    """A list, or a click on one of its session; those begin at `start`."""
    if len(fields) < 4 or not fields[1].isascii() or not fields[1].isdecimal():
        raise InputError(
            "an unknown line; expected the session, the time and Q or C, separated by tabs", source.path, line
        )
    session, at, kind, *rest = fields
    if kind == "Q" and len(rest) >= 2:
        query, _, *urls = rest
        name = f"{session}-{len(rows) - start + 1}"
        rows.append(ListRow(line, name, float(at), session, session, query=query, documents=urls))
    elif kind == "C" and len(rest) == 1:
        hit = next((row for row in reversed(rows[start:]) if rest[0] in row.documents), None)
        if hit is None:
            raise InputError(
                f"a click on {rest[0]!r}, which was not shown in session {session}; expected a shown URL",
                source.path,
                line,
            )
        hit.actions.append(ActionRow("click", rest[0], at=float(at)))
    else:
        raise InputError(
            f"a {kind!r} line with {counted(len(rest), 'further field')}; expected Q query region urls, or C url",
            source.path,
            line,
        )


YANDEX = Format(
    "log", "yandex", "session TAB time TAB Q query region urls, or C url: Yandex RelPred", detect_yandex, read_yandex
)
