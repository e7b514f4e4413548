"""How the collection is cited and licensed: creators as formats of metadata name people, CITATION.cff, LICENSE.

Source: https://github.com/citation-file-format/citation-file-format, schema guide of 1.2.0.
"""

from __future__ import annotations

import re
from importlib.resources import files

from cranfield.features.publishing.description import Creator, Description
from cranfield.features.publishing.identifiers import link
from cranfield.features.publishing.markup import yaml_text
from cranfield.features.publishing.publication import Publication
from cranfield.text import visible_line


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


def citation(published: Publication) -> str:
    """The file."""
    said = published.description
    listed = link(said.licence)
    found = {
        "cff-version": "1.2.0",
        "message": "If you use this test collection, please cite it as below.",
        "title": published.title,
        "type": "dataset",
        **given(authors=[_author(creator) for creator in said.creators], abstract=said.description),
        **given(version=said.version, doi=said.doi, url=said.url, license=said.licence if listed else ""),
        **({"license-url": said.licence_url} if said.licence_url and not listed else {}),
        **({"date-released": said.date} if said.date else {}),
        **given(keywords=list(said.keywords)),
    }
    return yaml_text(found)


def _author(creator: Creator) -> dict[str, object]:
    """A person, or an organisation where nothing tells that it is one."""
    family, first = names_of(creator)
    url = orcid_url(creator)
    if not family:
        return given(name=creator.name, orcid=url)
    person = {"family-names": family, "given-names": first}
    return person | given(orcid=url, affiliation=creator.affiliation)


IN_FULL = ("MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0")  # short ones; they require a copy of their text


def licence_file(published: Publication) -> str:
    """A line on the licence, one on the rights of others, and the texts that have to be there."""
    said = published.description
    url = said.licence_url or link(said.licence)
    name = f"{visible_line(published.title)} {visible_line(said.version)}".strip()
    lines = [f"{name} is published under the licence {said.licence or 'TODO'}{f': {url}' if url else '.'}"]
    if said.terms:
        lines += ["", visible_line(said.terms)]
    if texts := texts_of(said.licence):
        lines += ["", notice(said), *(f"\n{text.rstrip()}" for text in texts)]
    return "".join(f"{one}\n" for one in lines)


def texts_of(licence: str) -> list[str]:
    """The texts of the licences in an expression, of those that have to go with every copy.

    >>> [text.split()[0] for text in texts_of("(MIT OR Apache-2.0) AND CC-BY-4.0")]
    ['Permission', 'Apache']
    """
    folder = files("cranfield.features.publishing") / "licence_texts"
    names = dict.fromkeys(name for name in re.findall(r"[\w.-]+", licence) if name in IN_FULL)
    return [folder.joinpath(f"{name}.txt").read_text(encoding="utf-8") for name in names]


def notice(said: Description) -> str:
    """Whose the collection is, as these licences want it said.

    >>> notice(Description(publisher="A University", date="2026-03-31"))
    'Copyright (c) 2026 A University'
    """
    holders = ", ".join(visible_line(creator.name) for creator in said.creators) or visible_line(said.publisher)
    return " ".join(filter(None, ["Copyright (c)", said.date[:4], holders or "TODO"]))
