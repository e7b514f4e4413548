"""Description: what people say of a collection that is to be published; its fields are the keys of `publish describe`.

A field says what it is about and for which targets it is required. The answers are those of the datasheet that no
machine can give (cards/datasheet.py has the others).

Source of the questions: Gebru et al., Datasheets for datasets, CACM 64(12), 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

TARGET_NAMES = ("hf", "ir-datasets", "croissant", "bagit", "zenodo", "beir")
SECTIONS = (
    "Motivation", "Composition", "Collection process", "Labelling", "Uses", "Distribution", "Maintenance",
)  # fmt: skip


class Creator(NamedTuple):
    """Somebody who made the collection."""

    name: str
    orcid: str = ""  # 0000-0002-1825-0097
    affiliation: str = ""


class DescriptionField(NamedTuple):
    """A field of a description: what it is about, for which targets it is required, its section of the datasheet."""

    name: str
    about: str
    required: tuple[str, ...]
    several: bool
    section: str  # empty: not a question of the datasheet


def _text(about: str, *required: str, section: str = "") -> Any:
    return field(default="", metadata={"about": about, "required": required, "section": section})


def _several(about: str, *required: str) -> Any:
    return field(default=(), metadata={"about": about, "required": required, "section": ""})


def _answer(section: str, question: str, required: bool = False) -> Any:
    return _text(question, *(TARGET_NAMES if required else ()), section=section)


@dataclass(frozen=True)
class Description:
    """What people say of a collection; whatever nobody has said is empty."""

    name: str = _text("a short name for folders and code, of lower-case letters, digits and -", *TARGET_NAMES)
    title: str = _text("the full title", *TARGET_NAMES)
    version: str = _text("the version, for example 1.0.0", *TARGET_NAMES)
    date: str = _text("the date of publication, for example 2026-03-31", *TARGET_NAMES)
    description: str = _text("what the collection is, in a paragraph", *TARGET_NAMES)
    creators: tuple[Creator, ...] = _several("who made it: name; affiliation; ORCID", *TARGET_NAMES)
    publisher: str = _text("who publishes it", "zenodo")
    licence: str = _text("the licence by its SPDX identifier, for example CC-BY-4.0", *TARGET_NAMES)
    licence_url: str = _text("where the text of a licence is that SPDX does not list")
    language: tuple[str, ...] = _several(
        "the languages of the documents by their BCP 47 tags, for example en", *TARGET_NAMES
    )
    keywords: tuple[str, ...] = _several("keywords")
    doi: str = _text("the DOI, for example 10.5281/zenodo.1234")
    url: str = _text("the home page")
    citations: tuple[str, ...] = _several("how to cite it: papers, each in one line")
    paper_dois: tuple[str, ...] = _several("DOIs of the papers that describe it")
    derived_from: tuple[str, ...] = _several("DOIs or URLs of the corpus or collections it was derived from")
    communities: tuple[str, ...] = _several("communities of Zenodo by the names in their addresses")
    contact: str = _text("whom to write to: a mail address or a URL")
    obtain: str = _text("how to obtain the texts, where they are not published")

    purpose: str = _answer("Motivation", "For what purpose was the collection created?", True)
    funding: str = _answer("Motivation", "Who funded the creation of the collection?")
    overview: str = _answer("Composition", "What do the documents and topics represent?")
    sampling: str = _answer("Composition", "What are the documents a sample of, and how were they selected?", True)
    topic_source: str = _answer("Composition", "Where do the topics come from, and how were they selected?", True)
    splits: str = _answer("Composition", "Are there recommended splits into training, development and test topics?")
    errors: str = _answer("Composition", "Are there known errors, sources of noise, or redundancies?")
    sensitive: str = _answer("Composition", "Does it contain confidential, offensive or personal data?", True)
    model_written: str = _answer("Composition", "Which texts, topics or labels did language models write?")
    acquisition: str = _answer("Collection process", "How were documents and topics acquired?")
    period: str = _answer("Collection process", "Over what time was the data collected?")
    ethics: str = _answer("Collection process", "Was there an ethical review, and did the people concerned consent?")
    preprocessing: str = _answer("Labelling", "How were the texts cleaned or preprocessed?")
    assessors: str = _answer(
        "Labelling", "Who were the assessors, and how were they selected, instructed and paid?", True
    )
    labelling: str = _answer("Labelling", "How were the documents judged?")
    quality: str = _answer("Labelling", "How far can the labels be trusted?")
    used_for: str = _answer("Uses", "What has the collection been used for?")
    suitable_for: str = _answer("Uses", "What is it suitable for?")
    unsuitable_for: str = _answer("Uses", "What should it not be used for?", True)
    terms: str = _answer("Distribution", "Do third parties hold rights in the texts, or restrict their use?")
    maintenance: str = _answer("Maintenance", "Who maintains the collection, and how are errors reported?", True)
    updates: str = _answer("Maintenance", "Will it be updated, and will older versions stay available?")


def _field(name: str, default: object, about: Mapping[str, Any]) -> DescriptionField:
    return DescriptionField(name, about["about"], about["required"], default == (), about["section"])


FIELDS: Mapping[str, DescriptionField] = {
    one.name: _field(one.name, one.default, one.metadata) for one in fields(Description)
}
