"""LICENSE: the licence and where its text is."""

from __future__ import annotations

from cranfield.publishing.cards.publication import Publication
from cranfield.publishing.description.licence import link
from cranfield.text import visible_line


def licence_file(published: Publication) -> str:
    """A line on the licence, and one on the rights of others."""
    said = published.description
    url = said.licence_url or link(said.licence)
    name = f"{visible_line(published.title)} {visible_line(said.version)}".strip()
    lines = [f"{name} is published under the licence {said.licence or 'TODO'}{f': {url}' if url else '.'}"]
    if said.terms:
        lines += ["", visible_line(said.terms)]
    return "".join(f"{one}\n" for one in lines)
