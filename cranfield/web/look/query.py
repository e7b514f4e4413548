"""What an address asks of a view: its parameters, each read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cranfield.store.store import Store
from cranfield.text import visible_line

NAMED = 60  # characters of a wrong value that are repeated


class QueryError(Exception):
    """What cannot be answered: 400 where it is not a question, 404 where it asks for what is not there."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


class Parameter(NamedTuple):
    """A parameter of a view: its name in the address and its label in the form.

    `read` makes a value of the text or raises a QueryError; `default` is the text where the address has none.
    With `choices` the form offers these; a parameter without label is not in the form.
    """

    name: str
    label: str
    read: Callable[[Store, str], Any]
    default: Callable[[Store], str] = lambda store: ""
    choices: Callable[[Store], Sequence[str]] | None = None
    nothing: str = ""  # what the form calls the choice of none


@dataclass(frozen=True)
class Query:
    """The parameters of a request: as text, of which those `given` are in the address, and as values.

    >>> Query("topic", {"topic": "a&b"}).address(page=2)
    '/look/topic?topic=a%26b&page=2'
    """

    view: str
    given: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def address(self, kind: str = "", **changed: object) -> str:
        """The address of the same view with some parameters changed; `kind` is .json or .csv."""
        return address(self.view + kind, **{**self.given, **changed})


def address(view: str, **parameters: object) -> str:
    """The address of a view.

    >>> address("why", topic="51", docno="<d>")
    '/look/why?topic=51&docno=%3Cd%3E'
    """
    return f"/look/{view}" + (f"?{urlencode(parameters)}" if parameters else "")


def query(store: Store, view: str, parameters: Sequence[Parameter], asked: Iterable[tuple[str, str]]) -> Query:
    """What is asked of a view; a QueryError where it has no such parameter, or not this value."""
    given = _given([one.name for one in parameters], asked)
    texts = {one.name: given.get(one.name) or one.default(store) for one in parameters}
    values = {one.name: one.read(store, texts[one.name]) if texts[one.name] else None for one in parameters}
    return Query(view, given, texts, values)


def _given(names: Sequence[str], asked: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The parameters that have a value; a form sends its empty fields, too."""
    given: dict[str, str] = {}
    for name, text in asked:
        if name not in names:
            raise QueryError(f"unknown parameter {named(name)}; available: {', '.join(names) or 'none'}")
        if name in given:
            raise QueryError(f"parameter {name} is given twice")
        given |= {name: text} if text else {}
    return given


def named(text: str) -> str:
    """A value in a message, shortened."""
    line = visible_line(text)
    return f"'{line[:NAMED]}…'" if len(line) > NAMED else f"'{line}'"
