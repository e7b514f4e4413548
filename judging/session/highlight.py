"""Words to search for in a document."""

from __future__ import annotations

import re


def terms_of(text: str) -> list[str]:
    """The terms of a comma-separated line, each once.

    >>> terms_of(" brake pads, squeal,, Squeal ")
    ['brake pads', 'squeal']
    """
    given = (" ".join(term.split()).lower() for term in text.split(","))
    return list(dict.fromkeys(term for term in given if term))


def highlighter(text: str) -> re.Pattern[str] | None:
    """Finds words that begin with one of the terms; case and white space do not matter.

    >>> highlighter("brak, oil").findall("Brakes need no oil: handbrake")
    ['Brakes', 'oil']
    """
    spelt = [_loosely(term) for term in sorted(terms_of(text), key=len, reverse=True)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelt)})\w*", re.IGNORECASE) if spelt else None


def finder(text: str) -> re.Pattern[str] | None:
    """Finds a text as it is, also within words; case and white space do not matter.

    >>> finder("the  c").findall("on the\\nchain"), finder(" ")
    (['the\\nc'], None)
    """
    return re.compile(_loosely(text), re.IGNORECASE) if text.strip() else None


def _loosely(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))
