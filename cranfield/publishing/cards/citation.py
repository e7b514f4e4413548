"""CITATION.cff: how to cite the collection, in the Citation File Format 1.2.0.

Source: https://github.com/citation-file-format/citation-file-format, schema guide of 1.2.0.
"""

from __future__ import annotations

from cranfield.publishing.cards.front_matter import yaml_text
from cranfield.publishing.cards.people import given, names_of, orcid_url
from cranfield.publishing.cards.publication import Publication
from cranfield.publishing.description.licence import link
from cranfield.publishing.description.record import Creator


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
