"""Zenodo: .zenodo.json, which it takes over with a repository, and datacite.json; the folder goes up as one archive.

datacite.json is checked by the schema of the package datacite, .zenodo.json by our table of Zenodo's fields.

Sources: Zenodo, Developers, Deposit metadata, and how to use .zenodo.json; DataCite Metadata Schema 4.5.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from cranfield.errors import InputError
from cranfield.features.publishing.checks import Check, Checked, Finding
from cranfield.features.publishing.citation import family_first, given, names_of, orcid_url
from cranfield.features.publishing.description import Creator, Description
from cranfield.features.publishing.identifiers import DOI, link
from cranfield.features.publishing.markup import json_text
from cranfield.features.publishing.parts import Target
from cranfield.features.publishing.publication import Publication
from cranfield.formats.files import read_text
from cranfield.text import visible

SCHEMA = "http://datacite.org/schema/kernel-4"


def datacite_json(published: Publication) -> str:
    """The document as text."""
    return json_text(datacite(published))


def datacite(published: Publication) -> dict[str, Any]:
    """The document."""
    said, facts = published.description, published.facts
    return given(
        doi=said.doi,
        url=said.url,
        creators=[_datacite_creator(creator) for creator in said.creators],
        titles=[{"title": published.title}],
        publisher=given(name=said.publisher),
        publicationYear=said.date[:4],
        subjects=[{"subject": keyword} for keyword in said.keywords],
        dates=[{"date": said.date, "dateType": "Issued"}] if said.date else [],
        language=said.language[0] if said.language else "",
        types={"resourceType": "Test collection", "resourceTypeGeneral": "Dataset"},
        relatedIdentifiers=[
            *(_related(one, "IsDerivedFrom") for one in said.derived_from),
            *(_related(one, "IsCitedBy") for one in said.paper_dois),
        ],
        sizes=[
            f"{facts.documents} documents",
            f"{facts.topics} topics",
            f"{facts.judged_topics} judged topics",
            f"{facts.judgments} judgments",
        ],
        version=said.version,
        rightsList=[_rights(said.licence, said.licence_url)] if said.licence else [],
        descriptions=[
            {"description": said.description, "descriptionType": "Abstract"},
        ]
        if said.description
        else [],
        schemaVersion=SCHEMA,
    )


def _datacite_creator(creator: Creator) -> dict[str, Any]:
    family, first = names_of(creator)
    url = orcid_url(creator)
    return given(
        name=family_first(creator),
        nameType="Personal" if family else "",
        givenName=first,
        familyName=family,
        affiliation=[{"name": creator.affiliation}] if creator.affiliation else [],
        nameIdentifiers=[{"nameIdentifier": url, "nameIdentifierScheme": "ORCID", "schemeUri": "https://orcid.org"}]
        if url
        else [],
    )


def _related(identifier: str, relation: str) -> dict[str, Any]:
    kind = "DOI" if DOI.fullmatch(identifier) else "URL"
    return {"relatedIdentifier": identifier, "relatedIdentifierType": kind, "relationType": relation}


def _rights(licence: str, url: str) -> dict[str, Any]:
    listed = link(licence)
    spdx = {"rightsIdentifierScheme": "SPDX", "schemeUri": "https://spdx.org/licenses/"} if listed else {}
    return {**given(rights=licence, rightsUri=url or listed, rightsIdentifier=licence if listed else ""), **spdx}


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


def zenodo_commands(about: Description) -> Sequence[str]:
    """How the archive is made; it is uploaded on a page."""
    archive = shlex.quote(f"{'-'.join(filter(None, [about.name, about.version]))}.tar.gz")
    return [f"tar -czf {archive} -C DIR .    # then upload it at https://zenodo.org/uploads/new"]


ZENODO = Target("zenodo", "a record of Zenodo", commands=zenodo_commands)


DATACITE_FILE, ZENODO_FILE = "datacite.json", ".zenodo.json"


def check_datacite(folder: Checked) -> Iterator[Finding]:
    from datacite import schema45

    faults = [error.message for error in schema45.validator.iter_errors(_json_of(folder, DATACITE_FILE))]
    if folder.stated.options.get("draft") and faults:
        yield Finding("skipped", f"a draft: {faults[0]:.100}", DATACITE_FILE)
        return
    yield from (Finding("wrong", f"by DataCite's schema 4.5: {fault:.200}", DATACITE_FILE) for fault in faults)
    if not faults:
        yield Finding("ok", "right by DataCite's schema 4.5")


def check_zenodo(folder: Checked) -> Iterator[Finding]:
    faults = zenodo_faults(_json_of(folder, ZENODO_FILE))
    if folder.stated.options.get("draft") and faults:
        yield Finding("skipped", f"a draft: {faults[0]}", ZENODO_FILE)
        return
    yield from (Finding("wrong", fault, ZENODO_FILE) for fault in faults)
    if not faults:
        yield Finding("ok", "right by the fields of Zenodo")


def _json_of(folder: Checked, name: str) -> object:
    path = folder.found.root / name
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", path) from None


DATACITE_CHECK = Check("datacite", check_datacite, needs="datacite", of=DATACITE_FILE)
ZENODO_CHECK = Check("zenodo", check_zenodo, of=ZENODO_FILE)
