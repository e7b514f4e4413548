"""The values of a description: from text or TOML to fields, each checked, and from fields to JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from typing import Any

from cranfield.errors import InputError
from cranfield.publishing.description import identifiers
from cranfield.publishing.description.licence import spdx
from cranfield.publishing.description.record import FIELDS, Creator, Description

RULES: Mapping[str, Callable[[str], str]] = {
    "name": identifiers.name,
    "version": identifiers.version,
    "date": identifiers.day,
    "licence": spdx,
    "licence_url": identifiers.url,
    "language": identifiers.language,
    "doi": identifiers.doi,
    "url": identifiers.url,
    "paper_dois": identifiers.doi,
    "derived_from": identifiers.doi_or_url,
    "communities": identifiers.community,
}


def described(values: Mapping[str, Any]) -> Description:
    """The description that has these values.

    >>> described({"licence": "mit", "language": ["en"]}).licence
    'MIT'
    >>> described({"language": "english"})
    Traceback (most recent call last):
    cranfield.errors.InputError: language: 'english' is not a BCP 47 tag of a language; expected one such as en or pt-BR
    """
    return Description(**{key: checked(key, value) for key, value in values.items()})


def checked(key: str, value: object) -> Any:
    """A value of a field, as the record has it; an error names the field.

    >>> checked("creators", ["Ada Lovelace; University of London; 0000-0002-1825-0097"])
    (Creator(name='Ada Lovelace', orcid='0000-0002-1825-0097', affiliation='University of London'),)
    >>> checked("licens", "MIT")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown field 'licens'; nearest: licence, licence_url, splits
    """
    if key not in FIELDS:
        near = get_close_matches(key, FIELDS, 3, 0.5)
        known = f"nearest: {', '.join(near)}" if near else "`cranfield publish describe` lists all"
        raise InputError(f"unknown field {key!r:.60}; {known}")
    try:
        if key == "creators":
            return tuple(_creator(one) for one in _values(value))
        one_by_one = [_value(key, one) for one in _values(value)]
    except InputError as error:
        raise InputError(f"{key}: {error.message}") from None
    if FIELDS[key].several:
        return tuple(dict.fromkeys(filter(None, one_by_one)))
    if len(one_by_one) > 1:
        raise InputError(f"{key}: {len(one_by_one)} values; expected one")
    return one_by_one[0] if one_by_one else ""


def _values(value: object) -> list[object]:
    return (
        [one for one in value if one != ""] if isinstance(value, list | tuple) and not _is_creator(value) else [value]
    )


def _is_creator(value: object) -> bool:
    return isinstance(value, Creator)


def _value(key: str, value: object) -> str:
    text = _as_text(value)
    if not FIELDS[key].section and key != "description":
        text = " ".join(text.split())
    return RULES[key](text) if text and key in RULES else text


def _as_text(value: object) -> str:
    """A text without blanks at its ends; numbers and dates are text without quotes."""
    if isinstance(value, dict | list | bool | float) or value is None:
        raise InputError(f"{value!r:.60} is not a text")
    text = str(value).strip()
    if text.encode("utf-8", "ignore").decode() != text or "\0" in text:
        raise InputError(f"{text!r:.60} is not UTF-8")
    return text


def _creator(value: object) -> Creator:
    """A creator from a table with name, orcid and affiliation, or from a text: name; affiliation; ORCID."""
    if isinstance(value, Mapping):
        if extra := [key for key in value if key not in Creator._fields]:
            raise InputError(f"unknown key {extra[0]!r:.60}; a creator has name, orcid and affiliation")
        parts = [_as_text(value.get(key, "")) for key in Creator._fields]
    elif isinstance(value, Creator):
        parts = [*value]
    else:
        parts = _parts(_as_text(value))
    name, orcid, affiliation = (" ".join(part.split()) for part in parts)
    if not name:
        raise InputError("a creator without a name")
    return Creator(name, identifiers.orcid(orcid) if orcid else "", affiliation)


def _parts(text: str) -> list[str]:
    """Name, ORCID and affiliation; what has the shape of an ORCID iD is one, wherever it stands."""
    name, *rest = [part.strip() for part in text.split(";")]
    orcids = [part for part in rest if identifiers.ORCID.fullmatch(part) or "orcid" in part.lower()]
    others = [part for part in rest if part not in orcids]
    if len(orcids) > 1 or len(others) > 1:
        raise InputError(f"{text!r:.60}; expected name; affiliation; ORCID")
    return [name, *(orcids or [""]), *(others or [""])]


def as_json(description: Description) -> dict[str, Any]:
    """What is set, as JSON has it.

    >>> as_json(described({"name": "tiny", "keywords": ["a", "b"], "creators": "Ada"}))
    {'name': 'tiny', 'creators': [{'name': 'Ada', 'orcid': '', 'affiliation': ''}], 'keywords': ['a', 'b']}
    """
    values = {key: value for key, value in asdict(description).items() if value}
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
    return plain | (
        {"creators": [creator._asdict() for creator in description.creators]} if description.creators else {}
    )


def pairs_of(texts: Sequence[str]) -> dict[str, Any]:
    """Fields from texts KEY=VALUE; a key of a list may be repeated.

    >>> pairs_of(["title=Tiny", "keywords=a", "keywords=b", "doi="])
    {'title': 'Tiny', 'keywords': ('a', 'b'), 'doi': ''}
    >>> pairs_of(["title=A", "title=B"])
    Traceback (most recent call last):
    cranfield.errors.InputError: title: 2 values; expected one
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"{text!r:.60}; expected KEY=VALUE")
        found.setdefault(key.strip(), []).append(value.strip())
    return {key: checked(key, values) for key, values in found.items()}


def shown(value: str | Sequence[str | Creator]) -> str:
    """A value as `--set` takes it, lists separated by |.

    >>> shown((Creator("Ada", "0000-0002-1825-0097"), Creator("Bob", "", "University")))
    'Ada; 0000-0002-1825-0097 | Bob; University'
    """
    if isinstance(value, str):
        return value
    return " | ".join(_creator_text(one) if isinstance(one, Creator) else one for one in value)


def _creator_text(creator: Creator) -> str:
    return "; ".join(filter(None, (creator.name, creator.affiliation, creator.orcid)))
