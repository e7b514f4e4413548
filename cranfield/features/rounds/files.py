"""The files that say what a round has: lists of names, and new names of documents."""

from pathlib import Path

from cranfield.errors import InputError
from cranfield.formats.files import read_text
from cranfield.store.topic_sets import qids_in


def names_in(path: Path) -> list[str]:
    """The names of a list, one a line, or of a file of topics; one that comes twice counts once."""
    return list(dict.fromkeys(qids_in(path)))


def pairs_in(path: Path) -> dict[str, str]:
    """Old and new names of documents, a pair a line; a document that is renamed twice is refused."""
    names: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if len(words) != 2:
            raise InputError(f"{line!r:.60}; expected the old and the new docno", path, number)
        old, new = words
        if old == new:
            raise InputError(f"document {old!r} keeps its name; a line has the old and the new docno", path, number)
        if old in names:
            raise InputError(f"document {old!r} is renamed on line {names[old][1]} already", path, number)
        names[old] = new, number
    if circle := [(old, new, number) for old, (new, number) in names.items() if new in names]:
        old, new, number = circle[0]
        raise InputError(f"document {old!r} becomes {new!r}, which is renamed as well", path, number)
    return {old: new for old, (new, _) in names.items()}
