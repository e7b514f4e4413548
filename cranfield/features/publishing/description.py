"""Description: what people say of a collection that is to be published; its fields are the keys of `publish describe`.

A field says what it is about, for which targets it is required, and what is right for it. The answers are those of the
datasheet that no machine can give (datasheet.py has the others).

Source of the questions: Gebru et al., Datasheets for datasets, CACM 64(12), 2021.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.publishing import identifiers
from cranfield.features.publishing.identifiers import OWN, spdx
from cranfield.text import counted

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
    targets: tuple[str, ...]
    several: bool
    section: str  # empty: not a question of the datasheet


def _text(about: str, *targets: str, section: str = "") -> Any:
    return field(default="", metadata={"about": about, "targets": targets, "section": section})


def _texts(about: str, *targets: str) -> Any:
    return field(default=(), metadata={"about": about, "targets": targets, "section": ""})


def _answer(section: str, question: str, required: bool = False) -> Any:
    return _text(question, *(TARGET_NAMES if required else ()), section=section)


@dataclass(frozen=True)
class Description:
    """What people say of a collection; whatever nobody has said is empty."""

    name: str = _text("a short name for folders and code (lower-case letters, digits and -)", *TARGET_NAMES)
    title: str = _text("the full title", *TARGET_NAMES)
    version: str = _text("the version, for example 1.0.0", *TARGET_NAMES)
    date: str = _text("the date of publication, for example 2026-03-31", *TARGET_NAMES)
    description: str = _text("a description of the collection in one paragraph", *TARGET_NAMES)
    creators: tuple[Creator, ...] = _texts("the creators, each as `name; affiliation; ORCID`", *TARGET_NAMES)
    publisher: str = _text("the publisher", "zenodo")
    licence: str = _text("the SPDX identifier of the licence, for example CC-BY-4.0", *TARGET_NAMES)
    licence_url: str = _text("the URL of the licence text, for a licence that SPDX does not list")
    language: tuple[str, ...] = _texts("the languages of the documents as BCP 47 tags, for example en", *TARGET_NAMES)
    keywords: tuple[str, ...] = _texts("keywords")
    doi: str = _text("the DOI, for example 10.5281/zenodo.1234")
    url: str = _text("the home page")
    citations: tuple[str, ...] = _texts("the papers to cite, one line each")
    paper_dois: tuple[str, ...] = _texts("the DOIs of the papers that describe the collection")
    derived_from: tuple[str, ...] = _texts(
        "the DOIs or URLs of the corpus or collections that this one was derived from"
    )
    communities: tuple[str, ...] = _texts("Zenodo communities, by the names in their addresses")
    contact: str = _text("the contact, as an e-mail address or URL")
    obtain: str = _text("how to obtain the texts if they are not published")

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
    period: str = _answer("Collection process", "Over what period was the data collected?")
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
    return DescriptionField(name, about["about"], about["targets"], default == (), about["section"])


FIELDS: Mapping[str, DescriptionField] = {
    one.name: _field(one.name, one.default, one.metadata) for one in fields(Description)
}


ALL = "all"


def targets_of(name: str) -> tuple[str, ...]:
    """The targets of a name: one, or all.

    >>> targets_of("all") == TARGET_NAMES, targets_of("hf")
    (True, ('hf',))
    >>> targets_of("zenodoo")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown target 'zenodoo'; nearest: zenodo
    """
    if name == ALL:
        return TARGET_NAMES
    if name not in TARGET_NAMES:
        near = get_close_matches(name, TARGET_NAMES, 1)
        remedy = f"nearest: {near[0]}" if near else f"available: {', '.join(TARGET_NAMES)}, {ALL}"
        raise InputError(f"unknown target {name!r:.60}; {remedy}")
    return (name,)


def open_fields(description: Description, targets: Sequence[str], withheld: bool = False) -> list[str]:
    """The fields that one of the targets requires and nobody has filled; `withheld`: the texts are not published.

    >>> open_fields(Description(name="tiny", title="Tiny", version="1", date="2026-01-01"), ["hf"])[:3]
    ['description', 'creators', 'licence']
    >>> "obtain" in open_fields(Description(), ["hf"], withheld=True)
    True
    """
    also = {"obtain": withheld, "licence_url": OWN in description.licence}
    return [
        field.name
        for field in FIELDS.values()
        if not getattr(description, field.name) and (also.get(field.name) or {*field.targets} & {*targets})
    ]


def check_complete(description: Description, targets: Sequence[str], withheld: bool = False) -> None:
    """An error that names what is open.

    >>> check_complete(Description(), ["zenodo"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cranfield.errors.InputError: zenodo requires 16 fields that are empty: name, title, ...
    """
    if lacking := open_fields(description, targets, withheld):
        who = targets[0] if len(targets) == 1 else "publishing"
        are, them = ("is", "it") if len(lacking) == 1 else ("are", "them")
        what = f"{counted(len(lacking), 'field')} that {are} empty: {', '.join(lacking)}"
        fill = f"fill {them} in with `cranfield publish describe`, --set KEY=VALUE or --edit"
        raise InputError(f"{who} requires {what}; {fill}")


RULES: Mapping[str, Callable[[str], str]] = {
    "name": identifiers.name,
    "version": identifiers.version,
    "date": identifiers.day,
    "licence": spdx,
    "licence_url": identifiers.url,
    "language": identifiers.language,
    "doi": identifiers.doi,
    "url": identifiers.url,
    "paper_dois": identifiers.doi,
    "derived_from": identifiers.doi_or_url,
    "communities": identifiers.community,
}


def parse_description(values: Mapping[str, Any]) -> Description:
    """The description that has these values.

    >>> parse_description({"licence": "mit", "language": ["en"]}).licence
    'MIT'
    >>> parse_description({"language": "english"})
    Traceback (most recent call last):
    cranfield.errors.InputError: language: 'english' is not a BCP 47 language tag; expected a tag such as en or pt-BR
    """
    return Description(**{key: check_field(key, value) for key, value in values.items()})


def check_field(key: str, value: object) -> Any:
    """A value of a field, as the record has it; an error names the field.

    >>> check_field("creators", ["Ada Lovelace; University of London; 0000-0002-1825-0097"])
    (Creator(name='Ada Lovelace', orcid='0000-0002-1825-0097', affiliation='University of London'),)
    >>> check_field("licens", "MIT")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown field 'licens'; nearest: licence, licence_url, splits
    """
    if key not in FIELDS:
        near = get_close_matches(key, FIELDS, 3, 0.5)
        remedy = f"nearest: {', '.join(near)}" if near else "see `cranfield publish describe` for all fields"
        raise InputError(f"unknown field {key!r:.60}; {remedy}")
    try:
        if key == "creators":
            return tuple(_creator(one) for one in _values(value))
        one_by_one = [_value(key, one) for one in _values(value)]
    except InputError as error:
        raise InputError(f"{key}: {error.message}") from None
    if FIELDS[key].several:
        return tuple(dict.fromkeys(filter(None, one_by_one)))
    if len(one_by_one) > 1:
        raise InputError(f"{key}: {len(one_by_one)} values; expected one")
    return one_by_one[0] if one_by_one else ""


def _values(value: object) -> list[object]:
    return (
        [one for one in value if one != ""]
        if isinstance(value, list | tuple) and not isinstance(value, Creator)
        else [value]
    )


def _value(key: str, value: object) -> str:
    text = _as_text(value)
    if not FIELDS[key].section and key != "description":
        text = " ".join(text.split())
    return RULES[key](text) if text and key in RULES else text


def _as_text(value: object) -> str:
    """A text without blanks at its ends; numbers and dates are text without quotes."""
    if isinstance(value, dict | list | bool | float) or value is None:
        raise InputError(f"{value!r:.60} is not text")
    text = str(value).strip()
    if text.encode("utf-8", "ignore").decode() != text or "\0" in text:
        raise InputError(f"{text!r:.60} is not UTF-8")
    return text


def _creator(value: object) -> Creator:
    """A creator from a table with name, orcid and affiliation, or from a text: name; affiliation; ORCID."""
    if isinstance(value, Mapping):
        if extra := [key for key in value if key not in Creator._fields]:
            raise InputError(f"unknown key {extra[0]!r:.60}; expected name, orcid and affiliation")
        parts = [_as_text(value.get(key, "")) for key in Creator._fields]
    elif isinstance(value, Creator):
        parts = [*value]
    else:
        parts = _parts(_as_text(value))
    name, orcid, affiliation = (" ".join(part.split()) for part in parts)
    if not name:
        raise InputError("the name of a creator is missing")
    return Creator(name, identifiers.orcid(orcid) if orcid else "", affiliation)


def _parts(text: str) -> list[str]:
    """Name, ORCID and affiliation; what has the shape of an ORCID iD is one, wherever it stands."""
    name, *rest = [part.strip() for part in text.split(";")]
    orcids = [part for part in rest if identifiers.ORCID.fullmatch(part) or "orcid" in part.lower()]
    others = [part for part in rest if part not in orcids]
    if len(orcids) > 1 or len(others) > 1:
        raise InputError(f"{text!r:.60}; expected name; affiliation; ORCID")
    return [name, *(orcids or [""]), *(others or [""])]


def as_json(description: Description) -> dict[str, Any]:
    """What is set, as JSON has it.

    >>> as_json(parse_description({"name": "tiny", "keywords": ["a", "b"], "creators": "Ada"}))
    {'name': 'tiny', 'creators': [{'name': 'Ada', 'orcid': '', 'affiliation': ''}], 'keywords': ['a', 'b']}
    """
    values = {key: value for key, value in asdict(description).items() if value}
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
    return plain | (
        {"creators": [creator._asdict() for creator in description.creators]} if description.creators else {}
    )


def pairs_of(texts: Sequence[str]) -> dict[str, Any]:
    """Fields from texts KEY=VALUE; a key of a list may be repeated.

    >>> pairs_of(["title=Tiny", "keywords=a", "keywords=b", "doi="])
    {'title': 'Tiny', 'keywords': ('a', 'b'), 'doi': ''}
    >>> pairs_of(["keywords=a", "keywords="])
    Traceback (most recent call last):
    cranfield.errors.InputError: keywords: 2 values, one of them empty; use only keywords= to clear the field
    >>> pairs_of(["title=A", "title=B"])
    Traceback (most recent call last):
    cranfield.errors.InputError: title: 2 values; expected one
    """
    entries: dict[str, list[str]] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"{text!r:.60}; expected KEY=VALUE")
        entries.setdefault(key.strip(), []).append(value.strip())
    for key, values in entries.items():
        if "" in values and len(values) > 1:
            raise InputError(f"{key}: {len(values)} values, one of them empty; use only {key}= to clear the field")
    return {key: check_field(key, values) for key, values in entries.items()}


def value_text(value: str | Sequence[str | Creator]) -> str:
    """A value as `--set` takes it, lists separated by |.

    >>> value_text((Creator("Ada", "0000-0002-1825-0097"), Creator("Bob", "", "University")))
    'Ada; 0000-0002-1825-0097 | Bob; University'
    """
    if isinstance(value, str):
        return value
    return " | ".join(
        "; ".join(filter(None, (one.name, one.affiliation, one.orcid))) if isinstance(one, Creator) else one
        for one in value
    )
