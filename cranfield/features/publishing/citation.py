"""How the collection is cited, licensed and deposited: CITATION.cff, LICENSE, Zenodo's .zenodo.json and datacite.json.

Zenodo takes .zenodo.json over with a repository; the folder goes up as one archive. datacite.json is checked by the
schema of the package datacite, .zenodo.json by our table of Zenodo's fields.

Sources: https://github.com/citation-file-format/citation-file-format, schema guide of 1.2.0; Zenodo, Developers,
Deposit metadata, and how to use .zenodo.json; DataCite Metadata Schema 4.5.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from cranfield.features.publishing.checks import CheckedFolder, CheckResult, FolderCheck
from cranfield.features.publishing.description import Creator, Description
from cranfield.features.publishing.identifiers import DOI, link
from cranfield.features.publishing.markup import json_text, yaml_text
from cranfield.features.publishing.parts import Target
from cranfield.features.publishing.publication import Publication
from cranfield.formats.files import read_text
from cranfield.formats.jsonl import decode_json
from cranfield.text import visible_line, visible_text


def names_of(creator: Creator) -> tuple[str, str]:
    """Family name and given names; none of somebody who may be an organisation.

    A comma parts them. Without one the last word is the family name of who has an ORCID iD, and so is a person.

    >>> names_of(Creator("Lovelace, Ada")), names_of(Creator("Ada Lovelace", "0000-0002-1825-0097"))
    (('Lovelace', 'Ada'), ('Lovelace', 'Ada'))
    >>> names_of(Creator("A University"))
    ('', '')
    """
    family, comma, first_names = creator.name.partition(",")
    if comma and family.strip() and first_names.strip():
        return family.strip(), first_names.strip()
    first_names, _, family = creator.name.rpartition(" ")
    return (family, first_names) if creator.orcid and first_names else ("", "")


def family_first(creator: Creator) -> str:
    """The name as bibliographies sort it.

    >>> family_first(Creator("Ada Lovelace", "0000-0002-1825-0097")), family_first(Creator("A University"))
    ('Lovelace, Ada', 'A University')
    """
    family, first_names = names_of(creator)
    return f"{family}, {first_names}" if family else creator.name


def reference(about: Description) -> str:
    """How to cite a collection that names no paper.

    >>> reference(Description(title="Tiny", date="2026-01-31", creators=(Creator("Ada"), Creator("Bob")), version="1"))
    'Ada and Bob (2026). Tiny (version 1) [Data set].'
    """
    *most, last = [creator.name for creator in about.creators] or ["Anonymous"]
    who = f"{', '.join(most)} and {last}" if most else last
    year, version = about.date[:4] or "n.d.", f" (version {about.version})" if about.version else ""
    end = [about.publisher, f"https://doi.org/{about.doi}" if about.doi else about.url]
    return " ".join([f"{who} ({year}). {about.title}{version} [Data set].", *(f"{one}." for one in end if one)])


def orcid_url(creator: Creator) -> str:
    """The address of an ORCID iD; empty without one."""
    return f"https://orcid.org/{creator.orcid}" if creator.orcid else ""


def nonempty(**values: object) -> dict[str, object]:
    """What is not empty.

    >>> nonempty(a=1, b="", c=[])
    {'a': 1}
    """
    return {name: value for name, value in values.items() if value or value == 0}


def citation(publication: Publication) -> str:
    """The file."""
    about = publication.description
    address = link(about.licence)
    fields = {
        "cff-version": "1.2.0",
        "message": "If you use this test collection, please cite it as below.",
        "title": publication.title,
        "type": "dataset",
        **nonempty(authors=[_author(creator) for creator in about.creators], abstract=about.description),
        **nonempty(version=about.version, doi=about.doi, url=about.url, license=about.licence if address else ""),
        **({"license-url": about.licence_url} if about.licence_url and not address else {}),
        **({"date-released": about.date} if about.date else {}),
        **nonempty(keywords=list(about.keywords)),
    }
    return yaml_text(fields)


def _author(creator: Creator) -> dict[str, object]:
    """A person, or an organisation where nothing tells that it is one."""
    family, first = names_of(creator)
    url = orcid_url(creator)
    if not family:
        return nonempty(name=creator.name, orcid=url)
    person = {"family-names": family, "given-names": first}
    return person | nonempty(orcid=url, affiliation=creator.affiliation)


FULL_TEXT_LICENCES = (
    "MIT",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Apache-2.0",
)  # short ones; they require a copy of their text


def licence_file(publication: Publication) -> str:
    """A line on the licence, one on the rights of others, and the texts that have to be there."""
    about = publication.description
    url = about.licence_url or link(about.licence)
    name = f"{visible_line(publication.title)} {visible_line(about.version)}".strip()
    lines = [f"{name} is published under the licence {about.licence or 'TODO'}{f': {url}' if url else '.'}"]
    if about.terms:
        lines += ["", visible_line(about.terms)]
    if texts := texts_of(about.licence):
        lines += ["", notice(about), *(f"\n{text.rstrip()}" for text in texts)]
    return "".join(f"{one}\n" for one in lines)


def texts_of(licence: str) -> list[str]:
    """The texts of the licences in an expression, of those that have to go with every copy.

    >>> [text.split()[0] for text in texts_of("(MIT OR Apache-2.0) AND CC-BY-4.0")]
    ['Permission', 'Apache']
    """
    folder = files("cranfield.features.publishing") / "licence_texts"
    names = dict.fromkeys(name for name in re.findall(r"[\w.-]+", licence) if name in FULL_TEXT_LICENCES)
    return [folder.joinpath(f"{name}.txt").read_text(encoding="utf-8") for name in names]


def notice(about: Description) -> str:
    """Whose the collection is, as these licences want it said.

    >>> notice(Description(publisher="A University", date="2026-03-31"))
    'Copyright (c) 2026 A University'
    """
    holders = ", ".join(visible_line(creator.name) for creator in about.creators) or visible_line(about.publisher)
    return " ".join(filter(None, ["Copyright (c)", about.date[:4], holders or "TODO"]))


SCHEMA = "http://datacite.org/schema/kernel-4"


def datacite_json(publication: Publication) -> str:
    """The document as text."""
    return json_text(datacite(publication))


def datacite(publication: Publication) -> dict[str, Any]:
    """The document."""
    about, facts = publication.description, publication.facts
    spdx_page = link(about.licence)
    rights = nonempty(
        rights=about.licence,
        rightsUri=about.licence_url or spdx_page,
        rightsIdentifier=about.licence if spdx_page else "",
    )
    if spdx_page:
        rights |= {"rightsIdentifierScheme": "SPDX", "schemeUri": "https://spdx.org/licenses/"}
    return nonempty(
        doi=about.doi,
        url=about.url,
        creators=[_datacite_creator(creator) for creator in about.creators],
        titles=[{"title": publication.title}],
        publisher=nonempty(name=about.publisher),
        publicationYear=about.date[:4],
        subjects=[{"subject": keyword} for keyword in about.keywords],
        dates=[{"date": about.date, "dateType": "Issued"}] if about.date else [],
        language=about.language[0] if about.language else "",
        types={"resourceType": "Test collection", "resourceTypeGeneral": "Dataset"},
        relatedIdentifiers=[
            *(_relation(one, "IsDerivedFrom") for one in about.derived_from),
            *(_relation(one, "IsCitedBy") for one in about.paper_dois),
        ],
        sizes=[
            f"{facts.documents} documents",
            f"{facts.topics} topics",
            f"{facts.judged_topics} judged topics",
            f"{facts.judgments} judgments",
        ],
        version=about.version,
        rightsList=[rights] if about.licence else [],
        descriptions=[
            {"description": about.description, "descriptionType": "Abstract"},
        ]
        if about.description
        else [],
        schemaVersion=SCHEMA,
    )


def _datacite_creator(creator: Creator) -> dict[str, Any]:
    family, first = names_of(creator)
    url = orcid_url(creator)
    return nonempty(
        name=family_first(creator),
        nameType="Personal" if family else "",
        givenName=first,
        familyName=family,
        affiliation=[{"name": creator.affiliation}] if creator.affiliation else [],
        nameIdentifiers=[{"nameIdentifier": url, "nameIdentifierScheme": "ORCID", "schemeUri": "https://orcid.org"}]
        if url
        else [],
    )


def _relation(identifier: str, relation: str) -> dict[str, Any]:
    kind = "DOI" if DOI.fullmatch(identifier) else "URL"
    return {"relatedIdentifier": identifier, "relatedIdentifierType": kind, "relationType": relation}


RELATIONS = {"isDerivedFrom", "isCitedBy", "isSupplementTo", "isDocumentedBy", "cites", "references", "isNewVersionOf"}


def zenodo_json(publication: Publication) -> str:
    """The document as text."""
    return json_text(zenodo(publication))


def zenodo(publication: Publication) -> dict[str, Any]:
    """The document; a licence that SPDX does not list is named in the description, for Zenodo takes no other."""
    about, has_address = publication.description, bool(link(publication.description.licence))
    text = "".join(f"<p>{escape(part)}</p>" for part in visible_text(about.description).split("\n\n") if part.strip())
    licence = "" if has_address else f"<p>Licence: {escape(about.licence)} {escape(about.licence_url)}</p>"
    return nonempty(
        title=publication.title,
        upload_type="dataset",
        description=text + licence,
        creators=[
            nonempty(name=family_first(one), affiliation=one.affiliation, orcid=one.orcid) for one in about.creators
        ],
        access_right="open",
        license=about.licence.lower() if has_address else "",
        version=about.version,
        publication_date=about.date,
        doi=about.doi,
        keywords=list(about.keywords),
        references=list(about.citations),
        communities=[{"identifier": one} for one in about.communities],
        related_identifiers=[
            *({"identifier": one, "relation": "isDerivedFrom"} for one in about.derived_from),
            *({"identifier": one, "relation": "isCitedBy"} for one in about.paper_dois),
        ],
    )


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


def _tables(needs: frozenset[str], more: frozenset[str]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list)
        and all(
            isinstance(one, dict) and needs <= one.keys() <= needs | more and all(map(_text, one.values()))
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
        return ["it is not a JSON object"]
    unknown = [f"unknown field {name}" for name in document if name not in FIELDS]
    wrong = [f"{name} is wrong" for name, right in FIELDS.items() if name in document and not right(document[name])]
    return [*unknown, *wrong, *(f"{name} is missing" for name in REQUIRED if not document.get(name))]


def zenodo_commands(about: Description) -> Sequence[str]:
    """How the archive is made; it is uploaded on a page."""
    archive = shlex.quote(f"{'-'.join(filter(None, [about.name, about.version]))}.tar.gz")
    return [f"tar -czf {archive} -C DIR .    # then upload it at https://zenodo.org/uploads/new"]


ZENODO = Target("zenodo", "a Zenodo record", commands=zenodo_commands)


DATACITE_FILE, ZENODO_FILE = "datacite.json", ".zenodo.json"


def check_datacite(folder: CheckedFolder) -> Iterator[CheckResult]:
    from datacite import schema45

    faults = [error.message for error in schema45.validator.iter_errors(_json_of(folder, DATACITE_FILE))]
    if folder.declaration.options.get("draft") and faults:
        yield CheckResult("skipped", f"a draft: {faults[0]:.100}", DATACITE_FILE)
        return
    yield from (
        CheckResult("wrong", f"invalid against DataCite's schema 4.5: {fault:.200}", DATACITE_FILE) for fault in faults
    )
    if not faults:
        yield CheckResult("ok", "valid against DataCite's schema 4.5")


def check_zenodo(folder: CheckedFolder) -> Iterator[CheckResult]:
    faults = zenodo_faults(_json_of(folder, ZENODO_FILE))
    if folder.declaration.options.get("draft") and faults:
        yield CheckResult("skipped", f"a draft: {faults[0]}", ZENODO_FILE)
        return
    yield from (CheckResult("wrong", fault, ZENODO_FILE) for fault in faults)
    if not faults:
        yield CheckResult("ok", "all fields are valid for Zenodo")


def _json_of(folder: CheckedFolder, name: str) -> object:
    path = folder.payload.root / name
    return decode_json(read_text(path), path)


DATACITE_CHECK = FolderCheck("datacite", check_datacite, needs="datacite", of=DATACITE_FILE)
ZENODO_CHECK = FolderCheck("zenodo", check_zenodo, of=ZENODO_FILE)
