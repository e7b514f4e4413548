"""DATASHEET.md: the questions of a datasheet, answered by the store where it can and by people where it cannot.

Source: Gebru, Morgenstern, Vecchione, Vaughan, Wallach, Daumé III and Crawford, Datasheets for datasets, CACM 64(12),
2021.
"""

from __future__ import annotations

from cranfield.publishing.cards.people import reference
from cranfield.publishing.cards.publication import DRAFT, Publication
from cranfield.publishing.cards.safe import line, paragraphs
from cranfield.publishing.cards.sentences import known_facts
from cranfield.publishing.description.licence import link
from cranfield.publishing.description.open_fields import open_fields
from cranfield.publishing.description.record import FIELDS, SECTIONS, TARGET_NAMES, Creator
from cranfield.text import counted

TODO, NOT_ANSWERED = "**TODO**", "Not answered."


def datasheet(published: Publication) -> str:
    """The whole datasheet."""
    head = f"# Datasheet: {line(published.description.title or published.facts.name)}"
    return "\n\n".join([head, *stamp(published), _about(published), *sections(published)]) + "\n"


def stamp(published: Publication) -> list[str]:
    """What a draft says first."""
    if not published.draft:
        return []
    lacking = open_fields(published.description, TARGET_NAMES, withheld=not published.text)
    are = "is" if len(lacking) == 1 else "are"
    still = f" {counted(len(lacking), 'required field')} {are} still open: {', '.join(lacking)}." if lacking else ""
    return [f"> **{DRAFT}**, not for publication.{still}"]


def _about(published: Publication) -> str:
    said = published.description
    parts = [paragraphs(said.description)] if said.description else []
    dated = [f"Version {line(said.version)}" if said.version else "", f"of {line(said.date)}" if said.date else ""]
    return "\n\n".join([*parts, *([" ".join(filter(None, dated)) + "."] if any(dated) else [])]) or TODO


def sections(published: Publication) -> list[str]:
    """The sections, each a heading with questions and answers."""
    facts = known_facts(published.facts)
    own = {"Motivation": _creators(published), "Distribution": _terms(published), "Maintenance": _contact(published)}
    found = []
    for name in SECTIONS:
        known = [*own.get(name, []), *facts.get(name, [])]
        answers = [_answer(published, field.name) for field in FIELDS.values() if field.section == name]
        found.append("\n\n".join([f"## {name}", *known, *answers]))
    return found


def _answer(published: Publication, name: str) -> str:
    field, said = FIELDS[name], getattr(published.description, name)
    lacking = TODO if published.draft or field.required else NOT_ANSWERED
    return f"### {field.about}\n\n{paragraphs(said) if said else lacking}"


def _creators(published: Publication) -> list[str]:
    said = published.description
    made = "; ".join(map(_creator, said.creators)) or TODO
    by = f" It is published by {line(said.publisher)}." if said.publisher else ""
    return [f"The collection was created by {made}.{by}"]


def _creator(creator: Creator) -> str:
    where = f" ({line(creator.affiliation)})" if creator.affiliation else ""
    return f"{line(creator.name)}{where}{f', ORCID {creator.orcid}' if creator.orcid else ''}"


def _terms(published: Publication) -> list[str]:
    said = published.description
    url = said.licence_url or link(said.licence)
    licence = f"[{line(said.licence)}]({url})" if url else line(said.licence) or TODO
    from_ = ", ".join(map(line, said.derived_from))
    lines = [
        f"The licence is {licence}.",
        f"DOI: {line(said.doi)}." if said.doi else "",
        f"Home page: {line(said.url)}" if said.url else "",
        f"Derived from: {from_}." if from_ else "",
        *(f"How to cite it: {line(one)}" for one in said.citations or [reference(said)]),
    ]
    return ["\n".join(f"- {one}" for one in lines if one), *_texts(published)]


def _texts(published: Publication) -> list[str]:
    if published.text:
        return []
    how = published.description.obtain
    without = "The texts of the documents are not published, only their identifiers and SHA-256 sums."
    return [without, f"How to obtain the texts: {paragraphs(how) if how else TODO}"]


def _contact(published: Publication) -> list[str]:
    said = published.description.contact
    return [f"Contact: {line(said)}"] if said else []
