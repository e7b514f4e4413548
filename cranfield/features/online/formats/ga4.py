"""Google Analytics 4, as BigQuery exports it to JSON lines: an event each, of which lists and what followed are made.

A list is an event view_item_list or view_search_results with items, in the order of their index. A click is a
select_item, a conversion an add_to_cart or purchase, with price times quantity for its value: on the last list of the
same session that showed the item. The query is the parameter search_term, the arm the one that `--field arm=KEY` names.

Numbers are texts, or not, as they are exported; ga_session_id is a parameter of the event. Items that no list of the
session showed, and other events, are counted and left out.

Source: support.google.com/analytics/answer/7029846, the schema of the export; no file of a real system was at hand.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.online.formats.parts import NAN, ActionRow, BadLine, ListRow, LogPart, part_of_rows
from cranfield.formats import jsonl
from cranfield.formats.files import Format, OpenFile
from cranfield.text import json_value

LISTS = ("view_item_list", "view_search_results")
KIND = {"select_item": "click", "add_to_cart": "convert", "purchase": "convert"}
USUAL = {"user": "user_pseudo_id", "session": "ga_session_id", "query": "search_term", "arm": ""}
UNKNOWN = ("(not set)", "(not provided)")  # what GA4 writes for nothing
Fields = Mapping[str, Any]


class Ga4Event(NamedTuple):
    """An event: its line, name, time, parameters and the other fields of its record, and its items."""

    line: int
    name: str
    at: float
    fields: Fields
    items: Sequence[Fields]

    def text(self, name: str) -> str:
        """A parameter or a field as text; empty where there is none."""
        value = self.fields.get(name)
        return "" if value is None or value in UNKNOWN or isinstance(value, dict | list) else str(value)


def detect(head: bytes, path: str) -> bool:
    first = head.lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and b'"event_name"' in first and b'"event_timestamp"' in first


def read(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine], list[str]]]:
    """The lists of a file with what followed them, all at once: events come in no order."""
    bad: list[BadLine] = []
    events = []
    for line, record in jsonl.read_json_objects(source):
        try:
            events.append(_event(line, record))
        except InputError as error:
            bad.append(BadLine(line, "lines that cannot be read", error.message))
    others, names = Counter[str](), {ours: source.names.mapping.get(ours, theirs) for ours, theirs in USUAL.items()}
    for ours, theirs in source.names.mapping.items():
        if theirs and not any(theirs in event.fields for event in events):
            raise InputError(
                f"no event contains the field or parameter {theirs!r}, which was named for {ours}", source.path
            )
    events.sort(key=lambda event: (event.at, event.line))
    least = min((_number(item.get("index"), 1.0) for event in events for item in event.items), default=1.0)
    rows = _lists(events, names, source.names.others, origin=min(least, 1.0), others=others)
    notes = [f"events left out: {', '.join(f'{name} ({n:,})' for name, n in others.most_common(9))}"] if others else []
    yield part_of_rows(rows), bad, notes


def _event(line: int, record: Fields) -> Ga4Event:
    wrong = partial(InputError, line=line)
    params, properties, items = (_objects(record, name, wrong) for name in ("event_params", "user_properties", "items"))
    fields = {str(one.get("key")): _value(one.get("value")) for one in (*properties, *params)}
    try:
        at = int(record["event_timestamp"]) / 1e6
    except (KeyError, TypeError, ValueError):
        raise wrong(f"event_timestamp is {json_value(record.get('event_timestamp'))}; expected microseconds") from None
    inside = {
        f"{name}.{key}": value
        for name, of in record.items() if isinstance(of, dict) for key, value in of.items()
    }  # fmt: skip
    return Ga4Event(line, str(record.get("event_name")), at, {**record, **inside, **fields}, items)


def _objects(record: Fields, name: str, wrong: Any) -> list[dict[str, Any]]:
    value = record.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise wrong(f"{name} is {json_value(value)}; expected a list of objects")
    return value


def _value(value: object) -> object:
    """The value of a parameter, which has one under a name for its type."""
    if not isinstance(value, dict):
        return value
    return next((one for name, one in value.items() if name.endswith("_value") and one is not None), None)


def _lists(
    events: Sequence[Ga4Event],
    names: Mapping[str, str],
    attributes: Sequence[str],
    *,
    origin: float,
    others: Counter[str],
) -> list[ListRow]:
    rows: list[ListRow] = []
    where: dict[tuple[str, str, str], ListRow] = {}  # by user, session and item: the last list that showed it
    for event in events:
        user, session = event.text(names["user"]), event.text(names["session"])
        if event.name in LISTS and event.items:
            row = _list(event, names, attributes, f"{user}/{session}" if session else "", origin)
            if twice := len(event.items) - len(row.documents):
                others["items twice in a list"] += twice
            rows.append(row)
            where.update(dict.fromkeys(((user, session, doc) for doc in row.documents), row))
        elif event.name in KIND and event.items:
            for item in event.items:
                row_of = where.get((user, session, str(item.get("item_id"))))
                if row_of is None:
                    others[f"{event.name} of an item that no list showed"] += 1
                else:
                    kind = KIND[event.name]
                    price, quantity = _number(item.get("price"), NAN), _number(item.get("quantity"), 1.0)
                    value = price * quantity if kind == "convert" else NAN
                    row_of.actions.append(ActionRow(kind, str(item.get("item_id")), at=event.at, value=value))
        else:
            others[event.name + " without items" * (event.name in (*LISTS, *KIND))] += 1
    return rows


def _list(event: Ga4Event, names: Mapping[str, str], attributes: Sequence[str], session: str, origin: float) -> ListRow:
    items = sorted(event.items, key=lambda item: _number(item.get("index"), 0.0))
    items = list({str(item.get("item_id") or ""): item for item in reversed(items)}.values())[::-1]
    above = max(_number(items[0].get("index"), origin) - origin, 0)
    list_fields = {name: event.text(name) for name in attributes if name in event.fields}
    item_fields = {
        name: ["" if isinstance(value := item.get(name), dict | list | None) else str(value) for item in items]
        for name in attributes
        if name not in event.fields
    }
    user, query, arm = (event.text(names[name]) for name in ("user", "query", "arm"))
    list_name = next((str(item["item_list_id"]) for item in items if item.get("item_list_id")), "")
    docnos = [str(item.get("item_id") or "") for item in items]
    identity = json.dumps([event.text(names["session"]), event.at, event.name, list_name, docnos])
    return ListRow(
        event.line, blake2b(identity.encode(), digest_size=12).hexdigest(), event.at, user, session,
        query=query or list_name or event.name, arm=arm, documents=docnos, attributes={**list_fields, **item_fields},
        first=int(above),
    )  # fmt: skip


def _number(value: object, absent: float) -> float:
    try:
        return absent if value is None else float(str(value))
    except ValueError:
        return absent


GA4 = Format("log", "ga4", "Google Analytics 4, JSON lines of BigQuery's export: event_name, items, ...", detect, read)
