"""Publishing: the description of a collection, its folder, and what is wrong with a folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

from cranfield.commands.calls import open_store_call, release_of_call
from cranfield.errors import ArgumentError, InputError
from cranfield.lazy import lazy_type
from cranfield.options import LABELS_DIFFER, SELECTION, Argument, Option
from cranfield.options.arguments import PresentStore, ReadStore, check_arguments
from cranfield.results import Display, Result, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.features.publishing.description import Description
else:
    Description = lazy_type("cranfield.features.publishing.description", "Description")

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
        "Set a field. Repeat KEY for each entry of a list; KEY= clears the field.", "--set", metavar="KEY=VALUE",
        typed=list[str] | None,
    ),
]  # fmt: skip
DescriptionFile = Annotated[
    str | PathLike[str] | None, Option("Set the fields from a TOML file.", "--from", metavar="FILE", typed=Path | None)
]
EditsFields = Annotated[bool, Option("Edit all fields in your editor ($VISUAL or $EDITOR).", "--edit")]
NewFolder = Annotated[str | PathLike[str], Argument("The folder to create.", metavar="DIR", typed=Path, reads="texts")]
Targets = Annotated[
    Sequence[str],
    Option(
        "Target; may be repeated. [default: hf, ir-datasets, croissant and zenodo]", "--as",
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
    Option("Whether to publish document texts.", typed=Literal["yes", "no"], parse=is_yes, default="yes"),
]
PublishesRuns = Annotated[
    bool, Option("Whether to publish the runs.", typed=Literal["yes", "no"], parse=is_yes, default="yes")
]
PublishedLog = Annotated[LogAs, Option("Form of the published judgment log.")]
Consents = Annotated[
    str | PathLike[str] | Sequence[str] | None,
    Option(
        "File of assessors who agreed to be named, one per line, for --log full.", metavar="FILE", typed=Path | None
    ),
]
TestTopics = Annotated[
    Iterable[str] | str | None,
    Option(
        "Topics of the test split: a topic set or a list. The other topics are train.", metavar="NAME|FILE",
        complete="topic set", typed=str | None,
    ),
]  # fmt: skip
PublishedTopics = Annotated[
    str | None,
    Option(
        "Publish only these topics (a topic set or a list), without pools and log.", metavar="NAME|FILE",
        complete="topic set",
    ),
]  # fmt: skip
SinceRelease = Annotated[
    str | None,
    Option("Earlier release; CHANGES.md lists the changes since that release.", metavar="RELEASE", complete="release"),
]
PublishedVersion = Annotated[str | None, Option("Version of this publication.", metavar="1.0.0")]
PublishedDate = Annotated[str | None, Option("Date of this publication.", metavar="YYYY-MM-DD")]
WithRunHeaders = Annotated[
    bool, Option("Write ir_metadata at the top of each run, instead of in a separate file.", "--run-headers")
]
IsDraft = Annotated[bool, Option("Allow empty required fields in the description.", "--draft")]
ReplacesFolder = Annotated[bool, Option("Replace an existing published folder.", "--replace")]
SigningKey = Annotated[
    str | PathLike[str] | None, Option("Private SSH key to sign the folder with.", metavar="KEY", typed=Path | None)
]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class DescribedCollection(Result):
    """The description of a collection, one row per field.

    `document` contains the same data in JSON form.

    Parameters
    ----------
    description : Description
        The description fields.
    """

    display: ClassVar[Display] = Display(spare=["about", "required for"])

    description: Description

    @property
    def open_fields(self) -> dict[str, list[str]]:
        """The required fields that are still empty, by target."""
        return cast("dict[str, Any]", self.document)["open"]  # type: ignore[no-any-return]


@check_arguments
def describe(
    store: PresentStore, *, values: DescriptionValues = None, file: DescriptionFile = None, edit: EditsFields = False
) -> DescribedCollection:
    """Describe a collection for publication: creators, licence, datasheet.

    Use it before `cranfield publish build`. Without options, it shows the fields and which required fields are still
    empty. Write a creator as `NAME; AFFILIATION; ORCID`.

    Example: cranfield publish describe track.db --set licence=CC-BY-4.0 --set language=en

    Example: cranfield publish describe track.db

    Parameters
    ----------
    store : path or Store
        The store.
    values : mapping or sequence of str, optional
        Fields to set, by name or as KEY=VALUE. An empty value clears the field.
    file : path, optional
        TOML file whose fields are set first.
    edit : bool
        Edit all fields in your editor.

    Returns
    -------
    DescribedCollection
        One row per field. `document` contains "description", "inherited" (fields taken from the collection) and "open"
        (empty required fields, by target).

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
    """A published folder: one row with counts.

    Parameters
    ----------
    folder : Path
        The folder.
    commands : sequence of str
        The upload commands.
    is_draft : bool
        Whether required fields may be empty.
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
    """Build the folder that publishes a collection.

    Fill in the required description first, with `cranfield publish describe`. Nothing is uploaded: the command prints
    the upload commands. The same store and the same options always give the same bytes.

    The folder contains the documents, topics and judgments, in Parquet and in TREC formats. It also contains the pools,
    the runs, the report, and files for each target. The judgment log contains pseudonyms instead of names, and no
    notes. If the texts are not published (`text`), the folder contains a hash of each document instead.

    `split` divides the topics into test and train, and an import stores them as topic sets for `topics`. README.md
    names the test topics that were in the train split of an earlier version. The folder contains topic sets and
    withdrawals, and an import restores them.

    Example: cranfield publish build track.db published --as all --version 1.0.0 --date 2026-03-31

    Example: cranfield publish build track.db published --as all --since 1.0.0

    Parameters
    ----------
    store : path or Store
        The store.
    folder : path
        The folder to create.
    targets : sequence of str
        Targets: hf, ir-datasets, croissant, bagit, zenodo, beir or all.
    policy : str, optional
        Policy for labels that differ; by default the store's recorded policy, otherwise primary.
    text, runs : bool
        Whether to publish document texts, and runs.
    log : {"full", "pseudonymous", "no"}
        Form of the published judgment log.
    consents : path or sequence of str, optional
        Assessors who agreed to be named, for a full log.
    split : str or iterable of str, optional
        Topics of the test split: a set, a file with a list, or the ids.
    topics : str, optional
        Publish only these topics (a set or a file with a list), without pools and log.
    since : str, optional
        Earlier release; CHANGES.md lists the changes since that release.
    version, date : str, optional
        Version and date of this publication.
    run_headers : bool
        Write ir_metadata at the top of each run, instead of in a separate file.
    draft : bool
        Allow empty required fields in the description.
    replace : bool
        Replace an existing published folder.
    sign : path, optional
        Private SSH key to sign the folder with.
    values : mapping, optional
        Description fields to set only in this folder.
    release : str, optional
        Name of a store release.

    Returns
    -------
    PublishedCollection
        One row: folder, files, documents, topics, judgments and runs. `.notes` lists the parts that are not in the
        folder.

    Raises
    ------
    InputError
        If a required field is empty, or the folder contains other files.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("My track") as store:
    ...     build_folder(store, "published", since="1.0", topics="dev")
    Traceback (most recent call last):
    cranfield.errors.ArgumentError: covers the whole collection, so it cannot be used with topics
    """
    from cranfield.features.publishing.building import build
    from cranfield.features.publishing.describe import description_of, licence_lack
    from cranfield.features.publishing.policy import policy_to_publish
    from cranfield.features.publishing.publication import PublishOptions
    from cranfield.formats.files import read_text
    from cranfield.store.erasing import feature_file_lines
    from cranfield.store.topic_sets import chosen_topics

    if since and topics:
        raise ArgumentError("covers the whole collection, so it cannot be used with --topics", "since")
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
        "Expected signer: a public SSH key, or an allowed_signers file.",
        metavar="FILE",
        typed=Path | None,
    ),
]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class FolderFindings(Result):
    """The findings about a published folder, one row each.

    Parameters
    ----------
    error : InputError, optional
        The first fault; None if there is no fault.
    """

    columns: ClassVar[tuple[str, ...]] = ("check", "state", "what", "path")

    error: InputError | None = None


@check_arguments
def check_folder(folder: PublishedPlace, *, signer: Signer = None) -> FolderFindings:
    """Check a published folder without network access.

    Use it before you upload a folder, or before you import one. It verifies the checksums, and the targets' own
    programs load the folder. It then rebuilds and compares the files that can be computed from the tables, the log and
    the runs. These files contain grades, topics, documents, pools, counts, cards and the report. This takes about as
    long as building the folder. If a program is not installed, its check is listed as skipped. The ir_datasets module
    runs only if it is byte for byte the module that Cranfield writes. The exit code is 1 if anything is wrong.

    Anybody who rewrites the whole folder can make it consistent again, so only a signature shows who wrote it.

    Example: cranfield publish check published --signer allowed_signers

    Example: cranfield publish check published

    Parameters
    ----------
    folder : path
        The folder.
    signer : path, optional
        Expected signer: a public SSH key, or an allowed_signers file with the signer.

    Returns
    -------
    FolderFindings
        One row per finding: `check`, `state` (ok, wrong or skipped), `what` and `path`.
    """
    from cranfield.features.publishing.folder import check, fault

    found = check(Path(folder), None if signer is None else Path(signer))
    wrong = [row for row in found if row.state == "wrong"]
    more = f" ({counted(len(wrong) - 1, 'other fault')})" if len(wrong) > 1 else ""
    error = fault(Path(folder), wrong[0], more) if wrong else None
    return FolderFindings([row._asdict() for row in found], error=error)
