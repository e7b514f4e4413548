"""What a format cannot carry is refused before it is written."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.errors import InputError
from cranfield.formats.files import Path


def check_words(path: Path, **columns: Iterable[str]) -> None:
    """Refuse a name that is empty or has white space in it, and a first column that starts a comment.

    >>> check_words("a.run", qid=["1"], docno=["d 1"])
    Traceback (most recent call last):
    cranfield.errors.InputError: a.run: docno 'd 1' cannot be written: it is empty or has white space
    """
    for at, (column, names) in enumerate((column, list(names)) for column, names in columns.items()):
        encoded = [name.encode() for name in names]
        if b" ".join(encoded).split() == encoded and not (at == 0 and any(name.startswith("#") for name in names)):
            continue
        for name in names:
            if len(name.encode().split()) != 1 or name.encode().split() != [name.encode()]:
                raise InputError(f"{column} {name!r} cannot be written: it is empty or has white space", path)
            if at == 0 and name.startswith("#"):
                raise InputError(f"{column} {name!r} cannot be written: a line that starts with # is a comment", path)


def check_cells(path: Path, name: str, cells: Iterable[str]) -> None:
    r"""Refuse a cell of a tab-separated line that has a tab or a line end in it.

    >>> check_cells("topics.tsv", "topic 7", ["7", "lift\tdrag"])
    Traceback (most recent call last):
    cranfield.errors.InputError: topics.tsv: topic 7 cannot be written as tab-separated text: it has a tab or a line end
    """
    if any(end in cell for cell in cells for end in "\t\n\r"):
        raise InputError(f"{name} cannot be written as tab-separated text: it has a tab or a line end", path)


def check_empty(path: Path, name: str, format: str, **fields: object) -> None:
    """Refuse what has a field that the format has no place for.

    >>> check_empty("topics.tsv", "topic 7", "TSV", narrative="relevant if ...")
    Traceback (most recent call last):
    cranfield.errors.InputError: topics.tsv: topic 7 has a narrative, which TSV cannot store; write JSONL, or leave it
    out with --drop narrative
    """
    for field, value in fields.items():
        if value:
            article = "" if field == "metadata" else "a "
            remedy = f"write JSONL, or leave it out with --drop {field}"
            raise InputError(f"{name} has {article}{field}, which {format} cannot store; {remedy}", path)
