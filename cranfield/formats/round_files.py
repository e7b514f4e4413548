"""The files that say what a round has: lists of documents, and their new names. A first line may name the columns."""

import re
from collections.abc import Iterator
from pathlib import Path

from cranfield.errors import InputError
from cranfield.formats.files import read_text

COLUMN = re.compile(r"(old|new|from|to)?[_-]*(doc|document)?[_-]*(no|id|name)?", re.IGNORECASE)


def read_docno_list(path: Path) -> list[str]:
    """The documents of a list, one a line; one that comes twice counts once."""
    docnos: dict[str, None] = {}
    for number, words in _split_lines(path):
        if len(words) != 1 or words[0].startswith("{"):
            raise InputError(f"{' '.join(words)!r:.60}; expected one docno per line", path, number)
        docnos[words[0]] = None
    if not docnos:
        raise InputError("the file contains no documents; expected one docno per line", path)
    return list(docnos)


def read_renamed_docnos(path: Path) -> dict[str, str]:
    """Old and new names of documents, a pair a line; a document that is renamed twice is refused."""
    names: dict[str, tuple[str, int]] = {}
    for number, words in _split_lines(path):
        if len(words) != 2:
            raise InputError(f"found {' '.join(words)!r:.60}; expected the old and the new docno", path, number)
        old, new = words
        if old == new:
            raise InputError(
                f"the docno {old!r} occurs twice; expected the old docno and a different new one", path, number
            )
        if old in names:
            raise InputError(f"document {old!r} is already renamed on line {names[old][1]}", path, number)
        names[old] = new, number
    if circle := [(old, new, number) for old, (new, number) in names.items() if new in names]:
        old, new, number = circle[0]
        raise InputError(
            f"document {old!r} is renamed to {new!r}, which is also renamed; expected a docno that is not renamed",
            path,
            number,
        )
    return {old: new for old, (new, _) in names.items()}


def _split_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The words of each line, with its number; without blank lines and the names of columns."""
    lines = ((number, line.split()) for number, line in enumerate(read_text(path).splitlines(), 1))
    return ((number, words) for number, words in lines if words and not (number == 1 and _are_columns(words)))


def _are_columns(words: list[str]) -> bool:
    """Whether these are the names of columns, not of documents.

    >>> _are_columns(["docno"]), _are_columns(["old_docno", "new_docno"]), _are_columns(["Old", "ID", "New", "ID"])
    (True, True, True)
    >>> _are_columns(["d1"]), _are_columns(["d1", "new"]), _are_columns(["doc1", "new1"])
    (False, False, False)
    """
    return all(map(COLUMN.fullmatch, words))
