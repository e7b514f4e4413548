"""datacite.json: metadata by DataCite's schema 4.5, as its registration takes them.

Source: DataCite Metadata Schema 4.5, and its JSON schema in the package datacite.
"""

from __future__ import annotations

from typing import Any

from cranfield.publishing.cards.people import family_first, given, names_of, orcid_url
from cranfield.publishing.cards.publication import Publication
from cranfield.publishing.cards.safe import json_text
from cranfield.publishing.description.identifiers import DOI
from cranfield.publishing.description.licence import link
from cranfield.publishing.description.record import Creator

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
