"""A part of a corpus: the documents that are wanted, found in one pass over files of any size.

A line of JSON whose first field is the docno is parsed only if that is wanted; other files are read whole.
"""

import re
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from cranfield.errors import InputError
from cranfield.features.documents.store.wanted import ASKED, wanted_of
from cranfield.formats import read_corpus
from cranfield.formats.files import opened, read_text
from cranfield.formats.jsonl import object_of
from cranfield.formats.records import DOCNO, Document, Names, as_names, document
from cranfield.formats.table import AUTO, chosen
from cranfield.store.store import Store
from cranfield.text import counted, in_words

FIRST = re.compile(r'\s*\{\s*"([^"\\]*)"\s*:\s*(?:"([^"\\]*)"|(-?\d+))\s*[,}]')
BEFORE = {  # a field that is the docno's, to what would be it before that
    name: re.compile(f'"(?:{"|".join(DOCNO[:at])})"') for at, name in enumerate(DOCNO) if at
}
WHICH = (*ASKED, "retrieved")
EXAMPLES = 3


def wanted(store: Store, only: str) -> set[str]:
    """The docnos that are wanted: pooled, judged, retrieved, or those of a file, one a line; none is an error."""
    found = wanted_of(store, only) if only in WHICH else _listed(only)
    if not found:
        raise InputError(f"--only {only}: the store has no {only} documents")
    return found


def _listed(path: str) -> set[str]:
    if not Path(path).is_file():
        raise InputError(f"--only {path!r}: expected {in_words(WHICH, 'or')}, or a file of docnos, one a line")
    return {line.strip() for line in read_text(path).splitlines() if line.strip()}


def _is_docno(name: str, text: str, asked: str | None) -> bool:
    """Whether the first field of a line is the docno, as it was asked for or by the usual names.

    >>> _is_docno("docid", '{"docid": "d", "pid": "p"}', None), _is_docno("pid", '{"pid": "p", "docid": "d"}', None)
    (False, True)
    """
    if asked is not None:
        return name == asked
    return name == DOCNO[0] or (name in BEFORE and not BEFORE[name].search(text))


class PartOfCorpus:
    """The wanted documents of files; how many there were is known once they were read."""

    def __init__(self, docnos: Set[str]) -> None:
        self.docnos = docnos
        self.seen, self.first = 0, ""  # documents in the files, and the docno of the first
        self.found = set[str]()

    @property
    def left(self) -> list[str]:
        """The docnos that were not found yet."""
        return sorted(self.docnos - self.found)

    def documents(self, path: Path, format: str = AUTO, names: Names | None = None) -> Iterator[Document]:
        """The wanted documents of a file, each once."""
        return self._wanted(self._candidates(path, format, as_names(names)))

    def stored(self, documents: Iterable[Document], size: int) -> Iterator[Document]:
        """The same of documents that were asked for by docno, of so many."""
        self.seen += size
        return self._wanted(documents)

    def _wanted(self, documents: Iterable[Document]) -> Iterator[Document]:
        for one in documents:
            if one.docno in self.docnos and one.docno not in self.found:
                self.found.add(one.docno)
                yield one

    def _candidates(self, path: Path, format: str, names: Names) -> Iterator[Document]:
        with opened(path, names, whole=False) as source:
            if chosen("corpus", format, source).name == "jsonl":
                asked = source.names.asked.get("docno")
                for line, text in source.lines():
                    if first := FIRST.match(text):
                        name, docno, number = first.groups()
                        docno = number if docno is None else docno
                        if docno not in self.docnos and _is_docno(name, text, asked):
                            self._see(docno)
                            continue
                    if text.strip():
                        one = document(object_of(text, path, line), path, line, source.names)
                        self._see(one.docno)
                        yield one
                return
        for one in read_corpus(path, format=format, names=names):
            self._see(one.docno)
            yield one

    def _see(self, docno: str) -> None:
        self.first = self.first or docno
        self.seen += 1

    def said(self) -> str:
        """What was found, and what was not; an error where nothing was.

        >>> part = PartOfCorpus({"d1"})
        >>> part._see("x1")
        >>> part.said()
        Traceback (most recent call last):
        cranfield.errors.InputError: no document has a wanted docno; the first is 'x1', wanted is 'd1'
        """
        if not self.found:
            raise InputError(
                f"no document has a wanted docno; the first is {self.first!r}, wanted is {min(self.docnos)!r}"
            )
        missing = self.left
        left = f"; {counted(len(missing), 'wanted document')} not in these files, as {', '.join(missing[:EXAMPLES])}"
        return f"of {counted(self.seen, 'document')} in the files" + (left if missing else "")
