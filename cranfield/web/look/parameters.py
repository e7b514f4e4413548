"""The parameters that views share."""

from __future__ import annotations

from cranfield.errors import CranfieldError, DamageError, StoreError
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_all
from cranfield.store.pools import pool_numbers
from cranfield.store.runs import run_info
from cranfield.store.store import Store

from .query import Parameter, QueryError, named

MOST = 10**6  # of a number
LONGEST = 1000  # characters of a text


def number(what: str) -> Parameter:
    """A whole number from 1."""

    def read(store: Store, text: str) -> int:
        found = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(MOST)) else 0
        if not 1 <= found <= MOST:
            raise QueryError(f"{what} is {named(text)}; expected a whole number from 1 to {MOST:,}")
        return found

    return Parameter(what, what.capitalize(), read)


def _pool(store: Store, text: str) -> int:
    found = number("pool").read(store, text)
    if found not in pool_numbers(store):
        raise QueryError(f"no pool {found} in this store", 404)
    return int(found)


def _pools(store: Store) -> list[str]:
    return [str(number) for number in pool_numbers(store)]


def _topic(store: Store, text: str) -> str:
    if text not in _topics(store):
        raise QueryError(f"no topic {named(text)} in this store", 404)
    return text


def _topics(store: Store) -> list[str]:
    return [topic.qid for topic in store.topics()]


def _document(store: Store, text: str) -> str:
    try:
        return store.document(text).docno
    except DamageError:
        raise
    except StoreError:
        raise QueryError(f"no document {named(text)} in this store", 404) from None


def _run(store: Store, text: str) -> str:
    if store.numbers("run", "tag", [text])[0] < 0:
        raise QueryError(f"no run {named(text)} in this store", 404)
    return text


def _runs(store: Store) -> list[str]:
    return list(run_info(store))


def _measure(store: Store, text: str) -> Measure:
    """A measure that comes with cranfield: an address loads no module."""
    if ":" in text:
        raise QueryError(f"unknown measure {named(text)}")
    try:
        return parse_all(text, store.collection.min_relevant)[0]
    except CranfieldError as error:
        raise QueryError(str(error)) from None


def _text(store: Store, text: str) -> str:
    if len(text) > LONGEST:
        raise QueryError(f"{named(text)} is too long; expected at most {LONGEST:,} characters")
    return text


PAGE = number("page")._replace(label="", default=lambda store: "1")
POOL = Parameter("pool", "Pool", _pool, lambda store: (_pools(store) or [""])[-1], _pools)
TOPIC = Parameter("topic", "Topic", _topic, lambda store: (_topics(store) or [""])[0], _topics)
DOCNO = Parameter("docno", "Document", _document)
RUN = Parameter("run", "Run", _run, lambda store: (_runs(store) or [""])[0], _runs)
MEASURE = Parameter("measure", "Measure", _measure, lambda store: "AP")
CUTOFF = number("cutoff")._replace(label="Cut-off")
DEPTH = number("depth")
SEARCH = Parameter("search", "Search", _text)
