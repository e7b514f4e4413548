""".zenodo.json: what Zenodo takes over when it archives a repository, and the table of the fields that it knows.

Source: Zenodo, Developers, Deposit metadata; how to use .zenodo.json.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from cranfield.publishing.cards.people import family_first, given
from cranfield.publishing.cards.publication import Publication
from cranfield.publishing.cards.safe import json_text
from cranfield.publishing.description.licence import link
from cranfield.publishing.description.record import Creator
from cranfield.text import visible

RELATIONS = {"isDerivedFrom", "isCitedBy", "isSupplementTo", "isDocumentedBy", "cites", "references", "isNewVersionOf"}


def zenodo_json(published: Publication) -> str:
    """The document as text."""
    return json_text(zenodo(published))


def zenodo(published: Publication) -> dict[str, Any]:
    """The document; a licence that SPDX does not list is named in the description, for Zenodo takes no other."""
    said, listed = published.description, bool(link(published.description.licence))
    text = "".join(f"<p>{escape(part)}</p>" for part in visible(said.description).split("\n\n") if part.strip())
    licence = "" if listed else f"<p>Licence: {escape(said.licence)} {escape(said.licence_url)}</p>"
    return given(
        title=published.title,
        upload_type="dataset",
        description=text + licence,
        creators=[_zenodo_creator(creator) for creator in said.creators],
        access_right="open",
        license=said.licence.lower() if listed else "",
        version=said.version,
        publication_date=said.date,
        doi=said.doi,
        keywords=list(said.keywords),
        references=list(said.citations),
        communities=[{"identifier": one} for one in said.communities],
        related_identifiers=[
            *({"identifier": one, "relation": "isDerivedFrom"} for one in said.derived_from),
            *({"identifier": one, "relation": "isCitedBy"} for one in said.paper_dois),
        ],
    )


def _zenodo_creator(creator: Creator) -> dict[str, object]:
    return given(name=family_first(creator), affiliation=creator.affiliation, orcid=creator.orcid)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


def _tables(required: frozenset[str], more: frozenset[str]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list)
        and all(
            isinstance(one, dict) and required <= one.keys() <= required | more and all(map(_text, one.values()))
            for one in value
        )
    )


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


FIELDS: Mapping[str, Callable[[Any], bool]] = {  # what Zenodo takes, and what is right for each
    "title": _text,
    "upload_type": lambda value: value == "dataset",
    "description": _text,
    "creators": _tables(frozenset({"name"}), frozenset({"affiliation", "orcid"})),
    "access_right": lambda value: value in ("open", "embargoed", "restricted", "closed"),
    "license": lambda value: isinstance(value, str) and bool(re.fullmatch(r"[a-z0-9.+-]+", value)),
    "version": _text,
    "publication_date": lambda value: isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value)),
    "doi": _text,
    "keywords": _texts,
    "references": _texts,
    "communities": _tables(frozenset({"identifier"}), frozenset()),
    "related_identifiers": lambda value: (
        _tables(frozenset({"identifier", "relation"}), frozenset())(value)
        and {one["relation"] for one in value} <= RELATIONS
    ),
}
REQUIRED = ("title", "upload_type", "description", "creators")


def zenodo_faults(document: object) -> list[str]:
    """What Zenodo would refuse.

    >>> zenodo_faults({"title": "A", "upload_type": "dataset", "licence": "mit", "creators": [{"orcid": ""}]})
    ['unknown field licence', 'creators is wrong', 'description is missing']
    """
    if not isinstance(document, dict):
        return ["it is not an object"]
    unknown = [f"unknown field {name}" for name in document if name not in FIELDS]
    wrong = [f"{name} is wrong" for name, right in FIELDS.items() if name in document and not right(document[name])]
    return [*unknown, *wrong, *(f"{name} is missing" for name in REQUIRED if not document.get(name))]
