"""Publishing: the description of a collection, its folder, and what is wrong with a folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_store_call
from cranfield.commands.viewed import release_of_call
from cranfield.errors import ArgumentError, InputError
from cranfield.lazy import type_in
from cranfield.options import LABELS_DIFFER, Argument, Option
from cranfield.options.given import PresentStore, ReadStore
from cranfield.options.groups import SELECTION
from cranfield.results import Display, Result, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.publishing.description import Description
else:
    Description = type_in("cranfield.features.publishing.description", "Description")

LogAs = Literal["full", "pseudonymous", "no"]


class TargetName(StrEnum):
    """The targets of a folder, as they are typed."""

    hf = "hf"
    ir_datasets = "ir-datasets"
    croissant = "croissant"
    bagit = "bagit"
    zenodo = "zenodo"
    beir = "beir"
    all = "all"


TARGET_CHOICES = tuple(name.value for name in TargetName if name is not TargetName.all)
USUAL_TARGETS = ("hf", "ir-datasets", "croissant", "zenodo")
MAX_VALUE_CHARS = 60  # of a value that the table shows


def is_yes(word: str) -> bool:
    """Whether yes was typed."""
    return word == "yes"


def targets_named(names: Sequence[str]) -> tuple[str, ...]:
    """The targets in the order of the table, each once.

    >>> targets_named(["zenodo", "hf"])
    ('hf', 'zenodo')
    """
    return TARGET_CHOICES if "all" in names else tuple(name for name in TARGET_CHOICES if name in names)


DescriptionValues = Annotated[
    Mapping[str, Any] | Sequence[str] | None,
    Option(
        "Set a field; repeat a list's KEY for each entry. KEY= clears it.", "--set", metavar="KEY=VALUE",
        typed=list[str] | None,
    ),
]  # fmt: skip
DescriptionFile = Annotated[
    str | PathLike[str] | None, Option("Set the fields of a TOML file.", "--from", metavar="FILE", typed=Path | None)
]
EditsFields = Annotated[bool, Option("Edit all fields in your editor ($VISUAL or $EDITOR).", "--edit")]
NewFolder = Annotated[str | PathLike[str], Argument("The folder to create.", metavar="DIR", typed=Path, reads="texts")]
Targets = Annotated[
    Sequence[str],
    Option(
        "For whom; may be repeated. [default: hf, ir-datasets, croissant and zenodo]", "--as",
        typed=list[TargetName] | None,
        parse=targets_named,
    ),
]  # fmt: skip
PublishedPolicy = Annotated[
    str | None,
    Option(
        f"{LABELS_DIFFER} [default: the choice of `store labels`]", metavar="NAME", complete="policy",
        rich_help_panel=SELECTION,
    ),
]  # fmt: skip
PublishesTexts = Annotated[
    bool,
    Option("Whether to publish the texts of the documents.", typed=Literal["yes", "no"], parse=is_yes, default="yes"),
]
PublishesRuns = Annotated[
    bool, Option("Whether to publish the runs.", typed=Literal["yes", "no"], parse=is_yes, default="yes")
]
PublishedLog = Annotated[LogAs, Option("How to publish the judgment log.")]
Consents = Annotated[
    str | PathLike[str] | Sequence[str] | None,
    Option("For --log full: the assessors who agreed to be named, one per line.", metavar="FILE", typed=Path | None),
]
TestTopics = Annotated[
    Iterable[str] | str | None,
    Option(
        "The topics of the split test, a set or a list; the others are train.", metavar="NAME|FILE",
        complete="topic set", typed=str | None,
    ),
]  # fmt: skip
PublishedTopics = Annotated[
    str | None,
    Option(
        "Publish only these topics, a set or a list, without pools and log.", metavar="NAME|FILE",
        complete="topic set",
    ),
]  # fmt: skip
SinceRelease = Annotated[
    str | None,
    Option("List in CHANGES.md what changed since a release of the store.", metavar="RELEASE", complete="release"),
]
PublishedVersion = Annotated[str | None, Option("The version of this publication.", metavar="1.0.0")]
PublishedDate = Annotated[str | None, Option("The date of this publication.", metavar="YYYY-MM-DD")]
WithRunHeaders = Annotated[
    bool, Option("Begin each run with its ir_metadata, instead of a file beside it.", "--run-headers")
]
IsDraft = Annotated[bool, Option("Allow required fields of the description to be open.", "--draft")]
ReplacesFolder = Annotated[bool, Option("Replace a published folder.", "--replace")]
SigningKey = Annotated[
    str | PathLike[str] | None, Option("Sign the folder with a private key of SSH.", metavar="KEY", typed=Path | None)
]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class DescribedCollection(Result):
    """The description of a collection, a row for each field; `document` is its JSON.

    Parameters
    ----------
    description : Description
        The fields.
    """

    display: ClassVar[Display] = Display(spare=["about", "required for"])

    description: Description

    @property
    def open_fields(self) -> dict[str, list[str]]:
        """The required fields that nobody has filled, by target."""
        return cast("dict[str, Any]", self.document)["open"]  # type: ignore[no-any-return]


@check_arguments
def describe(
    store: PresentStore, *, values: DescriptionValues = None, file: DescriptionFile = None, edit: EditsFields = False
) -> DescribedCollection:
    """Describe a collection for its publication: who made it, its licence, and the answers of its datasheet.

    Without options it shows what is set and what is still open. A creator is written as NAME; AFFILIATION; ORCID.

    Example: cranfield publish describe track.db --set licence=CC-BY-4.0 --set language=en

    Example: cranfield publish describe track.db

    Parameters
    ----------
    store : path or Store
        The store.
    values : mapping or sequence of str, optional
        Fields to set, by name or as KEY=VALUE; an empty value removes what was set.
    file : path, optional
        Set the fields of this TOML file first.
    edit : bool
        Edit all fields in your editor.

    Returns
    -------
    DescribedCollection
        A row for each field. `document` has "description", "inherited" (fields that come from the collection) and
        "open" (required fields that nobody has filled, by target).

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("My track") as store:
    ...     found = describe(store, values={"licence": "cc-by-4.0", "language": ["en"]}).document
    >>> found["description"]
    {'name': 'my-track', 'title': 'My track', 'licence': 'CC-BY-4.0', 'language': ['en']}
    >>> found["open"]["hf"][:4]
    ['version', 'date', 'description', 'creators']
    """
    from cranfield.features.publishing import describe as describing
    from cranfield.features.publishing.description import pairs_of

    several = values if isinstance(values, Mapping) else pairs_of(values or [])
    changed = (describing.read_description(Path(file)) if file else {}) | dict(several)
    with open_store_call(store) as call:
        there = call.store
        description = describing.describe(there, changed) if changed else describing.description_of(there)
        if edit:
            edited = describing.edit_description(description)
            description = describing.describe(
                there, {key: value for key, value in edited.items() if value != getattr(description, key)}
            )
        if (lack := describing.licence_lack(there)) and not description.licence:
            call.note(lack)
        document = describing.description_document(there)
        return DescribedCollection(
            _field_rows(description, document),
            document=document,
            context=call.context("publish.describe"),
            description=description,
        )


def _field_rows(description: Description, document: dict[str, Any]) -> list[dict[str, Any]]:
    from cranfield.features.publishing.description import FIELDS, TARGET_NAMES, value_text

    lacking = {name for names in document["open"].values() for name in names}
    return [
        {
            "field": field.name,
            "value": _short(value_text(getattr(description, field.name))),
            "status": "inherited" if field.name in document["inherited"] else "open" if field.name in lacking else "",
            "required for": "all" if field.targets == TARGET_NAMES else ", ".join(field.targets),
            "about": field.about,
        }
        for field in FIELDS.values()
    ]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_VALUE_CHARS else f"{line[:MAX_VALUE_CHARS]}..."


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class PublishedCollection(ResultInLines):
    """A folder in which a collection is published, a row with counts.

    Parameters
    ----------
    folder : Path
        The folder.
    commands : sequence of str
        The commands that upload it.
    is_draft : bool
        Whether required fields of the description may be open.
    """

    folder: Path
    commands: Sequence[str] = ()
    is_draft: bool = False


@check_arguments
def build_folder(
    store: ReadStore,
    folder: NewFolder,
    *,
    targets: Targets = USUAL_TARGETS,
    policy: PublishedPolicy = None,
    text: PublishesTexts = True,
    runs: PublishesRuns = True,
    log: PublishedLog = "pseudonymous",
    consents: Consents = None,
    split: TestTopics = None,
    topics: PublishedTopics = None,
    since: SinceRelease = None,
    version: PublishedVersion = None,
    date: PublishedDate = None,
    run_headers: WithRunHeaders = False,
    draft: IsDraft = False,
    replace: ReplacesFolder = False,
    sign: SigningKey = None,
    values: Mapping[str, Any] | None = None,
    release: str | None = None,
) -> PublishedCollection:
    """Build the folder in which a collection is published; the same store and options give the same bytes.

    It has the documents, topics and judgments in Parquet and in the formats of TREC, the pools, the runs, the judgment
    log without names and notes, the report, and what each target needs. With `text` no it has the hash of each document
    in place of the text. Nothing is uploaded: the commands that do so are printed.

    With `split` the topics are train and test, which `topics` takes from then on; topics of test that were train before
    are named in README.md. Sets of topics and what is withdrawn are in the folder, and come back with it.

    `cranfield publish describe` fills in the description that is required.

    Example: cranfield publish build track.db published --as all --version 1.0.0 --date 2026-03-31

    Example: cranfield publish build track.db published --as all --since 1.0.0

    Parameters
    ----------
    store : path or Store
        The store.
    folder : path
        The folder to create.
    targets : sequence of str
        For whom: hf, ir-datasets, croissant, bagit, zenodo, beir, or all.
    policy : str, optional
        What counts where labels differ; by default the policy that the store has on record, otherwise primary.
    text, runs : bool
        Whether to publish the texts of the documents, and the runs.
    log : {"full", "pseudonymous", "no"}
        How to publish the judgment log.
    consents : path or sequence of str, optional
        For a full log: the assessors who agreed to be named.
    split : str or iterable of str, optional
        The topics of the split test: a set, the file of a list, or the ids.
    topics : str, optional
        Publish only these topics, without pools and log: a set or the file of a list.
    since : str, optional
        The release since which CHANGES.md lists changes.
    version, date : str, optional
        The version and the date of this publication.
    run_headers : bool
        Begin each run with its ir_metadata, instead of a file next to it.
    draft : bool
        Allow required fields of the description to be open.
    replace : bool
        Replace a published folder.
    sign : path, optional
        A private key of SSH that signs the folder.
    values : mapping, optional
        Fields of the description for this folder.
    release : str, optional
        The name of a release of the store.

    Returns
    -------
    PublishedCollection
        One row: folder, files, documents, topics, judgments and runs. `.notes` says what is not in the folder.

    Raises
    ------
    InputError
        If a required field of the description is open, or the folder has other files.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("My track") as store:
    ...     build_folder(store, "published", since="1.0", topics="dev")
    Traceback (most recent call last):
    cranfield.errors.ArgumentError: is of the whole collection, and does not go with topics
    """
    from cranfield.features.publishing.building import build
    from cranfield.features.publishing.describe import description_of, licence_lack
    from cranfield.features.publishing.policy import policy_to_publish
    from cranfield.features.publishing.publication import PublishOptions
    from cranfield.formats.files import read_text
    from cranfield.store.erasing import feature_file_lines
    from cranfield.store.topic_sets import chosen_topics

    if since and topics:
        raise ArgumentError("is of the whole collection, and does not go with --topics", "since")
    options = PublishOptions(
        targets_named(targets), text=text, runs=runs, log=log, draft=draft, run_headers=run_headers, part=topics or "",
        since=since or "",
    )  # fmt: skip
    stated = {name: value for name, value in (("version", version), ("date", date)) if value}
    with open_store_call(release_of_call(store, release)) as call:
        qids_of_sets: dict[str, Any] = {
            name: chosen_topics(call.store, choice) if isinstance(choice, str) else tuple(choice)
            for name, choice in (("split", split), ("topics", topics))
            if choice
        }
        rule, policy_note = policy_to_publish(call.store, policy, options.part)
        options = dataclasses.replace(options, policy=rule, **qids_of_sets)
        description = description_of(call.store, {**(values or {}), **stated})
        if (lack := licence_lack(call.store)) and not description.licence:
            call.note(lack)
        if isinstance(consents, str | PathLike):
            consents = read_text(Path(consents)).splitlines()
        key = None if sign is None else Path(sign)
        made = build(call.store, Path(folder), description, options, replace=replace, consents=consents or (), key=key)
        numbers = {"document": made.documents, "topic": made.topics, "judgment": made.judgments, "run": made.runs}
        row = {"folder": str(folder), "files": made.files, **{f"{noun}s": many for noun, many in numbers.items()}}
        counts = ", ".join(counted(number, noun) for noun, number in numbers.items())
        call.note(*policy_note, *made.notes, *feature_file_lines(call.store))
        return PublishedCollection(
            [row], lines=[f"{folder}: {counted(made.files, 'file')}, {counts}"],
            context=call.context("publish.build_folder"), folder=Path(folder), commands=made.commands, is_draft=draft,
        )  # fmt: skip


PublishedPlace = Annotated[
    str | PathLike[str], Argument("A published folder.", metavar="DIR", typed=Path, reads="texts")
]
Signer = Annotated[
    str | PathLike[str] | None,
    Option(
        "Who should have signed it: a public key of SSH, or a file of allowed signers.",
        metavar="FILE",
        typed=Path | None,
    ),
]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class FolderFindings(Result):
    """What is right and wrong with a published folder.

    Parameters
    ----------
    error : InputError, optional
        The first fault; None where nothing is wrong.
    """

    columns: ClassVar[tuple[str, ...]] = ("check", "state", "what", "path")

    error: InputError | None = None


@check_arguments
def check_folder(folder: PublishedPlace, *, signer: Signer = None) -> FolderFindings:
    """Check a published folder without a network: whether its files agree, and the targets' own programs load it.

    After the checksums, all that follows from the tables, the log and the runs is made again and compared with what is
    there: grades, topics, documents and pools in every form, counts, cards and report. That takes about as long as
    building the folder. What is not installed is skipped, and listed as such. The module for ir_datasets is run only if
    it is, byte for byte, the one that this program writes. The exit code is 1 if anything is wrong.

    Whoever rewrites all of a folder can make it agree with itself; a signature shows who wrote it.

    Example: cranfield publish check published --signer allowed_signers

    Example: cranfield publish check published

    Parameters
    ----------
    folder : path
        The folder.
    signer : path, optional
        A public key of SSH, or a file of allowed signers, one of whom has to have signed the folder.

    Returns
    -------
    FolderFindings
        A row for each finding: check, state (ok, wrong or skipped), what and path.
    """
    from cranfield.features.publishing.folder import check, fault

    found = check(Path(folder), None if signer is None else Path(signer))
    wrong = [row for row in found if row.state == "wrong"]
    more = f" ({counted(len(wrong) - 1, 'other fault')})" if len(wrong) > 1 else ""
    error = fault(Path(folder), wrong[0], more) if wrong else None
    return FolderFindings([row._asdict() for row in found], error=error)
