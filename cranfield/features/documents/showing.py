"""`init --show`: which fields of its documents a collection shows to assessors, and what each has of them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from cranfield.commands.subject import Subject
from cranfield.display.layout import MOST, TYPES
from cranfield.features.documents.conversion.builder import SkipError
from cranfield.features.documents.pictures import IllustratedDocument, Pictures
from cranfield.features.documents.store.documents import keep_pictures, keep_shown, shown_of
from cranfield.formats.records import Document
from cranfield.hooks import OptionError
from cranfield.store.store import Store

NUMBER = re.compile(r"[-+]?\d[\d,. \u00a0\u202f']*")
LONGEST = 1000  # characters of a value


def asked_fields(text: str) -> list[tuple[str, str]]:
    """Names and types, as they are given on the command line.

    >>> asked_fields("author, date:date,dc:title:text")
    [('author', 'text'), ('date', 'date'), ('dc:title', 'text')]
    >>> asked_fields("price:money")
    Traceback (most recent call last):
    cranfield.hooks.OptionError: show contains 'price:money'; expected fields such as author, date:date, price:number
    """
    fields = []
    for one in text.split(","):
        name, _, kind = one.strip().rpartition(":") if ":" in one else (one.strip(), "", "text")
        if not name or kind not in TYPES:
            raise OptionError(
                "show", f"contains {one.strip()!r:.60}; expected fields such as author, date:date, price:number"
            )
        fields.append((name, kind))
    if len(fields) > MOST or len(dict(fields)) < len(fields):
        raise OptionError("show", f"names a field twice, or more than {MOST} fields")
    return fields


@dataclass(frozen=True)
class ShownFields(Subject):
    """Show fields of documents to assessors, for `create_store`.

    Parameters
    ----------
    fields : str
        The names of fields and their types, such as "author, date:date, price:number, url:link".
    """

    fields: str

    def begin_store(self, store: Store) -> None:
        keep_shown(store, asked_fields(self.fields))


def add_shown_fields(store: Store, documents: Iterable[Document]) -> Iterator[Document]:
    """Documents with what is shown of them, whose pictures are kept; a field of which one has no value of its type is
    left out."""
    names = shown_of(store)
    for document in documents:
        pictures = document.pictures if isinstance(document, IllustratedDocument) else None
        fields = [field for name, kind in names if (field := _field(document, name, kind, pictures))]
        if pictures:
            keep_pictures(store, pictures.take())
        yield document._replace(metadata={**document.metadata, "shown": fields}) if fields else document


def _field(document: Document, name: str, kind: str, pictures: Pictures | None) -> list[str]:
    """A field as it is shown; nothing where it has no value of its type."""
    if kind != "image":
        value = _value(document, name, kind)
        return [name, kind, value] if value else []
    source = str(document.metadata.get(name, ""))
    with suppress(SkipError):
        if pictures and source:
            return [name, kind, source[:LONGEST], pictures.digest(source, str(document.metadata.get("path", "")))]
    return []


def _value(document: Document, name: str, kind: str) -> str:
    """The value of a field as text, on one line; nothing where there is none."""
    value: Any = document.metadata.get(name, document.url if name == "url" else "")
    several: Sequence[Any] = value if isinstance(value, list) else [value]
    texts = [" ".join(str(one).split()) for one in several if isinstance(one, str | int | float)]
    return ", ".join(text for text in texts if text and IS[kind](text))[:LONGEST]


def _is_date(text: str) -> bool:
    """Whether a text begins with a day, or is a month or a year.

    >>> _is_date("2024-05-01T10:00:00Z"), _is_date("1957"), _is_date("May")
    (True, True, False)
    """
    if re.fullmatch(r"\d{4}(-\d\d)?", text):
        return True
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        try:
            datetime.strptime(text[:16], "%a, %d %b %Y")
        except ValueError:
            return False
    return True


IS: Mapping[str, Callable[[str], bool]] = {
    "text": lambda text: True,
    "date": _is_date,
    "number": lambda text: NUMBER.match(text) is not None,
    "link": lambda text: text.startswith(("http://", "https://")),
}
