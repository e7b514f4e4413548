"""File names of exported runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

LONGEST = 200  # bytes, of the 255 that file systems have room for
NAMED = 3


def run_files(tags: Iterable[str]) -> dict[str, str]:
    """The file of each run: its tag without what file names cannot contain; no two differ only in case.

    >>> run_files(["a/b", "a_b"])
    {'a_b': 'a_b.run', 'a/b': 'a_b-c14cddc0.run'}
    """
    files: dict[str, str] = {}
    taken = set[str]()
    for tag in sorted(tags, key=lambda tag: tag != _plain(tag)):  # tags that are valid names come first
        name, digest, size = _plain(tag), sha256(tag.encode()).hexdigest(), 8
        while name.casefold() in taken:
            name, size = f"{_plain(tag)}-{digest[:size]}", size + 8
        taken.add(name.casefold())
        files[tag] = f"{name}.run"
    return files


def _plain(tag: str) -> str:
    """A tag without slashes; a long one is cut, and ends in part of its hash."""
    name = tag.replace("/", "_").replace("\0", "_")
    if len(name.encode()) <= LONGEST:
        return name
    return f"{name.encode()[: LONGEST - 9].decode(errors='ignore')}-{sha256(tag.encode()).hexdigest()[:8]}"


def renamed(files: Mapping[str, str]) -> Iterator[str]:
    """Which runs are in files not named after their tags, in one line if there are any.

    >>> list(renamed(run_files(["a/b", "c"])))
    ["1 of 2 runs is in a file not named after its tag: 'a/b' is in a_b.run"]
    """
    other = [f"{_short(tag)!r} is in {_short(file)}" for tag, file in sorted(files.items()) if file != f"{tag}.run"]
    if other:
        have = "is in a file not named after its tag" if len(other) == 1 else "are in files not named after their tags"
        named = ", ".join([*other[:NAMED], *(["..."] if len(other) > NAMED else [])])
        yield f"{len(other)} of {len(files)} runs {have}: {named}"


def _short(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:40]}...{name[-14:]}"
