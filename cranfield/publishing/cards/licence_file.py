"""LICENSE: the licence, where its text is, and the text itself where it has to go with every copy."""

from __future__ import annotations

import re
from importlib.resources import files

from cranfield.publishing.cards.publication import Publication
from cranfield.publishing.description.licence import link
from cranfield.publishing.description.record import Description
from cranfield.text import visible_line

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
    folder = files("cranfield.publishing.cards") / "licence_texts"
    names = dict.fromkeys(name for name in re.findall(r"[\w.-]+", licence) if name in IN_FULL)
    return [folder.joinpath(f"{name}.txt").read_text(encoding="utf-8") for name in names]


def notice(said: Description) -> str:
    """Whose the collection is, as these licences want it said.

    >>> notice(Description(publisher="A University", date="2026-03-31"))
    'Copyright (c) 2026 A University'
    """
    holders = ", ".join(visible_line(creator.name) for creator in said.creators) or visible_line(said.publisher)
    return " ".join(filter(None, ["Copyright (c)", said.date[:4], holders or "TODO"]))
