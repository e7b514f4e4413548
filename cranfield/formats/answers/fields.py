"""What the formats of answers share: taking fields out of a record, and the citations of its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from sys import float_info
from typing import Any

from cranfield.errors import InputError
from cranfield.formats import jsonl
from cranfield.formats.answers.answer import Sentence
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.records import unfit


@dataclass
class AnswerFields:
    """The fields of a record, or of an object in it; what is taken is gone, the rest is metadata."""

    fields: dict[str, Any]
    path: Path
    line: int

    def wrong(self, what: str) -> InputError:
        """An error of this line."""
        return InputError(what, self.path, self.line)

    def name(self, *names: str) -> str:
        """A name under the first of these fields that is there; a whole number is one, too."""
        found = next((self.fields.pop(name) for name in names if self.fields.get(name) is not None), None)
        text = str(found) if type(found) in (str, int) else ""
        if not text.strip() or "\0" in text:
            what = f"{names[0]} is {found!r:.40}" if found is not None else f"no {' or '.join(names)}"
            raise self.wrong(f"{what}; expected a name")
        return text.strip()

    def text(self, name: str) -> str:
        """A text, empty where there is none."""
        found = self.fields.pop(name, None)
        if not isinstance(found, str | None):
            raise self.wrong(f"{name} is {found!r:.40}; expected text")
        return found or ""

    def inside(self, name: str) -> AnswerFields:
        """An object in this one."""
        found = self.fields.pop(name, None)
        if not isinstance(found, dict):
            raise self.wrong(f"{name} is {found!r:.40}; expected an object")
        return AnswerFields(dict(found), self.path, self.line)

    def listed(self, name: str) -> list[Any]:
        """A list, empty where there is none."""
        found = self.fields.pop(name, None)
        if not isinstance(found, list | None):
            raise self.wrong(f"{name} is {found!r:.40}; expected a list")
        return found or []

    def documents(self, name: str = "references") -> list[str]:
        """A list of docnos."""
        found = self.listed(name)
        for docno in found:
            if not isinstance(docno, str) or not docno.strip() or "\0" in docno:
                raise self.wrong(f"{name} has {docno!r:.40}; expected docnos")
        return found

    def sentences(self, name: str, documents: Sequence[str] | None) -> list[Sentence]:
        """The sentences, whose citations are among `documents` unless that is None."""
        if name not in self.fields:
            raise self.wrong(f"no {name}; expected a list of sentences")
        return [self._sentence(at, each, documents) for at, each in enumerate(self.listed(name), 1)]

    def _sentence(self, at: int, found: object, documents: Sequence[str] | None) -> Sentence:
        text = found.get("text") if isinstance(found, dict) else None
        if not isinstance(found, dict) or not isinstance(text, str):
            raise self.wrong(f"sentence {at} is {found!r:.40}; expected an object with text and citations")
        if not text.strip():
            raise self.wrong(f"sentence {at} is empty")
        cited = found.get("citations")
        pairs = self._by_confidence(at, cited) if isinstance(cited, dict) else self._in_order(at, cited, documents)
        return Sentence(text, dict(pairs))

    def _by_confidence(self, at: int, cited: Mapping[str, Any]) -> list[tuple[str, float | None]]:
        """Documents with confidences, the highest first; of equals the first comes first."""
        for docno, sure in cited.items():
            if type(sure) not in (int, float) or not abs(sure) <= float_info.max:
                raise self.wrong(f"sentence {at} cites {docno!r:.40} with confidence {sure!r:.40}; expected a number")
        return sorted(cited.items(), key=lambda pair: -pair[1])

    def _in_order(self, at: int, cited: object, documents: Sequence[str] | None) -> list[tuple[str, float | None]]:
        if not isinstance(cited, list | None):
            raise self.wrong(f"the citations of sentence {at} are {cited!r:.40}; expected a list or an object")
        return [(self._cited(at, one, documents), None) for one in cited or []]

    def _cited(self, at: int, one: object, documents: Sequence[str] | None) -> str:
        """The document that a citation names or, by its position from 0, points at."""
        if type(one) is int and documents is not None:
            if 0 <= one < len(documents):
                return documents[one]
            right = f"positions 0 to {len(documents) - 1}" if documents else "no documents"
            raise self.wrong(f"sentence {at} cites position {one}; references has {right}")
        if not isinstance(one, str) or not one.strip() or "\0" in one:
            raise self.wrong(
                f"sentence {at} cites {one!r:.40}; expected a docno{' or a position' * (documents is not None)}"
            )
        if documents and one not in documents:
            raise self.wrong(f"sentence {at} cites {one!r:.60}, which is not among the references")
        return one

    def rest(self) -> Mapping[str, object]:
        """What was not taken."""
        for name, value in self.fields.items():
            if not isinstance(value, str) and (reason := unfit(value)):
                raise self.wrong(f"{name} {reason}")
        return self.fields


def records(source: OpenFile) -> Iterator[AnswerFields]:
    """The objects of a file, one a line."""
    for line, fields in jsonl.objects(source):
        yield AnswerFields(dict(fields), source.path, line)


def with_cited(documents: Sequence[str], sentences: Sequence[Sentence]) -> list[str]:
    """The list of references, or where there is none, what the sentences cite, in order.

    >>> with_cited([], [Sentence("a", {"d2": None}), Sentence("b", {"d1": None, "d2": None})])
    ['d2', 'd1']
    """
    return list(dict.fromkeys(documents or [docno for sentence in sentences for docno in sentence.citations]))


def positions(sentences: Sequence[Sentence], documents: Sequence[str], path: Path, format: str) -> list[dict[str, Any]]:
    """Sentences as formats write them whose citations are positions; a confidence is refused."""
    if any(sure is not None for sentence in sentences for sure in sentence.citations.values()):
        raise InputError(f"citations have a confidence, which {format} cannot store; ragtime can", path)
    place = {docno: at for at, docno in enumerate(documents)}
    return [
        {"text": sentence.text, "citations": [place[docno] for docno in sentence.citations]} for sentence in sentences
    ]
