"""Files that the organiser uploads on the page Deliver, besides those of the set-up."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from cranfield.errors import InputError
from cranfield.store.reading import SelectedPlace
from cranfield.web.language import Language

MAX_TEXT = 200  # characters of a text field


class ImportResult(Protocol):
    """The result of an import: a line, and notes."""

    @property
    def lines(self) -> Sequence[str]:
        """Lines that say what was imported."""

    @property
    def notes(self) -> Sequence[str]:
        """Notes on the import."""


class TextField(NamedTuple):
    """A field of the form: its name, its label, whether it may be empty, and whether it is a checkbox."""

    name: str
    label: str
    required: bool = True
    is_checkbox: bool = False

    def typed(self, fields: Mapping[str, str]) -> str:
        """The text that a form has; raise InputError if it is missing or too long."""
        text = fields.get(self.name, "").strip()
        if self.required and not text:
            raise InputError(f"{self.label}: the text is missing")
        if len(text) > MAX_TEXT:
            raise InputError(f"{self.label}: {len(text):,} characters; expected at most {MAX_TEXT}")
        return text


class Upload(NamedTuple):
    """Files to upload: `read` imports all of them into a store, or none if one has an error.

    An upload that `is_archive` is one zip or tar file; `read` gets the folder in it, and writes its own transaction.
    """

    title: str
    about: str
    read: Callable[[SelectedPlace, Sequence[Path], Mapping[str, str]], ImportResult]
    fields: tuple[TextField, ...] = ()
    multiple: bool = True
    is_archive: bool = False

    def translate_texts(self, language: Language) -> "Upload":
        """The form with its texts in a language."""
        fields = tuple(one._replace(label=language.look_up(one.label)) for one in self.fields)
        return self._replace(title=language.look_up(self.title), about=language.look_up(self.about), fields=fields)
