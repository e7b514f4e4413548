"""Creators as the formats of metadata name people."""

from __future__ import annotations

from cranfield.publishing.description.record import Creator, Description


def names_of(creator: Creator) -> tuple[str, str]:
    """Family name and given names; none of somebody who may be an organisation.

    A comma parts them. Without one the last word is the family name of who has an ORCID iD, and so is a person.

    >>> names_of(Creator("Lovelace, Ada")), names_of(Creator("Ada Lovelace", "0000-0002-1825-0097"))
    (('Lovelace', 'Ada'), ('Lovelace', 'Ada'))
    >>> names_of(Creator("A University"))
    ('', '')
    """
    family, comma, given = creator.name.partition(",")
    if comma and family.strip() and given.strip():
        return family.strip(), given.strip()
    given, _, family = creator.name.rpartition(" ")
    return (family, given) if creator.orcid and given else ("", "")


def family_first(creator: Creator) -> str:
    """The name as bibliographies sort it.

    >>> family_first(Creator("Ada Lovelace", "0000-0002-1825-0097")), family_first(Creator("A University"))
    ('Lovelace, Ada', 'A University')
    """
    family, given = names_of(creator)
    return f"{family}, {given}" if family else creator.name


def reference(said: Description) -> str:
    """How to cite a collection that names no paper.

    >>> reference(Description(title="Tiny", date="2026-01-31", creators=(Creator("Ada"), Creator("Bob")), version="1"))
    'Ada and Bob (2026). Tiny (version 1) [Data set].'
    """
    *most, last = [creator.name for creator in said.creators] or ["Anonymous"]
    who = f"{', '.join(most)} and {last}" if most else last
    year, version = said.date[:4] or "n.d.", f" (version {said.version})" if said.version else ""
    end = [said.publisher, f"https://doi.org/{said.doi}" if said.doi else said.url]
    return " ".join([f"{who} ({year}). {said.title}{version} [Data set].", *(f"{one}." for one in end if one)])


def orcid_url(creator: Creator) -> str:
    """The address of an ORCID iD; empty without one."""
    return f"https://orcid.org/{creator.orcid}" if creator.orcid else ""


def given(**values: object) -> dict[str, object]:
    """What is not empty.

    >>> given(a=1, b="", c=[])
    {'a': 1}
    """
    return {name: value for name, value in values.items() if value or value == 0}
