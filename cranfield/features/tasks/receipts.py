"""The log of a task as it is published, and receipts checked against it.

The log has a line for each link of the store's chain: its origin, the hash before it there, and its own. Of what
belongs to the task it has what the link seals as well; of all else nothing, so that the log tells only of the task, and
still nothing can be left out of it, or put into it, unseen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.tasks.submissions import RECEIPT, accepted_link
from cranfield.formats.files import opened_strictly
from cranfield.store.chain import Head, item_hash, people
from cranfield.store.links import items_in
from cranfield.store.store import Store
from cranfield.store.tables import logs_in
from cranfield.text import counted

LOG = "log.jsonl"
LOGS = ("task", "task_phase", "team", "terms_accepted", "submission", "submission_event")  # told in full


def log_lines(store: Store) -> Iterator[dict[str, Any]]:
    """The lines of the log, in the order of the chain."""
    known, logs = people(store.conn), logs_in(store.conn)
    said = {(log, item.said["id"]): item.open(known) for log in LOGS for item in items_in(store.conn, logs[log], known)}
    links = "SELECT log, event, origin, import, previous, hash FROM event_link ORDER BY id"
    for log, event, origin, brought, previous, own in store.rows(links):
        line = {"origin": origin, "previous": previous, "hash": own}
        told = {"log": log, "event": event, "said": {**said[log, event], "brought": brought}} if log in LOGS else {}
        yield {**told, **line}


class CheckedReceipt(NamedTuple):
    """A receipt that is in a log: its line there, how many lines there are, and the head of the log."""

    receipt: Mapping[str, Any]
    line: int
    lines: int
    head: str


def read_receipt(path: Path) -> Mapping[str, Any]:
    """A receipt, as the server gave it; an error where it does not agree with its own hash."""
    with opened_strictly(path) as file:
        try:
            found = json.load(file)
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON: {error}", path) from None
    found = found.get("receipt", found) if isinstance(found, dict) else {}
    if missing := [name for name in (*RECEIPT, "hash") if name not in found]:
        raise InputError(f"no {missing[0]}; expected a receipt, as the server gave it", path)
    if accepted_link(found) != found["hash"]:
        raise InputError("its hash is not that of what it says: it was changed", path)
    return found


def check_receipt(path: Path, archive: Path) -> CheckedReceipt:
    """Check a receipt against the log in an archive; an error where either was changed."""
    receipt, log = read_receipt(path), archive / LOG if archive.is_dir() else archive
    with opened_strictly(log) as file:
        hashes = list(_verified(enumerate(file, 1), log))
    head = Head()
    for previous, own in hashes:
        head.follow(previous, own)
    if receipt["hash"] not in (own for _, own in hashes):
        raise InputError(f"this log of {counted(len(hashes), 'line')} does not have it", path)
    line = 1 + [own for _, own in hashes].index(receipt["hash"])
    return CheckedReceipt(receipt, line, len(hashes), head.hash)


def _verified(lines: Iterable[tuple[int, str]], path: Path) -> Iterator[tuple[str, str]]:
    """The hash before each line, and its own."""
    last: dict[str, str] = {}
    for number, text in lines:
        try:
            line = json.loads(text)
            origin, previous, own = line["origin"], line["previous"], line["hash"]
        except (ValueError, LookupError, TypeError):
            raise InputError("expected an object with origin, previous and hash", path, number) from None
        if previous != last.get(origin, ""):
            raise InputError("it does not follow the line before it: the log was changed", path, number)
        if "said" in line and own != item_hash(line["log"], origin, previous, line["said"], ""):
            raise InputError("its hash is not that of what it says: the log was changed", path, number)
        last[origin] = own
        yield previous, own
