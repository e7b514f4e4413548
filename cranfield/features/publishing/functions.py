"""Publishing: the description of a collection, its folder, and what is wrong with a folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from cranfield.api.arguments import checked
from cranfield.errors import InputError, give_warning
from cranfield.options import Argument, Option
from cranfield.results import Result
from cranfield.text import counted
from cranfield.view import StoreGiven, release_of, store_open

LogAs = Literal["full", "pseudonymous", "no"]


@checked
def describe(store: StoreGiven, *, values: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Set fields of the description of a collection for its publication; an empty value removes what was set.

    What it returns is the JSON of `cranfield publish describe`: "description", "inherited" (fields that come from the
    collection) and "open" (required fields that nobody has filled, by target).

    >>> from cranfield import Store
    >>> with Store.memory("My track") as store:
    ...     found = describe(store, values={"licence": "cc-by-4.0", "language": ["en"]})
    >>> found["description"]
    {'name': 'my-track', 'title': 'My track', 'licence': 'CC-BY-4.0', 'language': ['en']}
    >>> found["open"]["hf"][:4]
    ['version', 'date', 'description', 'creators']
    """
    from cranfield.features.publishing.describe import describe, description_document

    with store_open(store) as there:
        if values:
            describe(there, values)
        return description_document(there)


@checked
def build_folder(
    store: StoreGiven,
    folder: str | PathLike[str],
    *,
    targets: Sequence[str] = ("hf", "ir-datasets", "croissant", "zenodo"),
    policy: str | None = None,
    text: bool = True,
    runs: bool = True,
    log: LogAs = "pseudonymous",
    split: Iterable[str] | str | None = None,
    topics: str | None = None,
    since: str | None = None,
    values: Mapping[str, Any] | None = None,
    draft: bool = False,
    replace: bool = False,
    consents: Sequence[str] = (),
    release: str | None = None,
    sign: str | PathLike[str] | None = None,
    run_headers: bool = False,
) -> Path:
    """Build the folder in which a collection is published; where it is. Nothing is uploaded.

    `targets` are hf, ir-datasets, croissant, bagit, zenodo or beir; `split` has the qids of the split test, or names a
    set of topics, `topics` the set or the list that alone is published, without pools and log; `values` changes fields
    of the description for this folder, such as version and date. Without `policy`, the policy that the store has on
    record makes one label of several, otherwise primary. The log is "full", with `consents` of
    all who judged, "pseudonymous", or "no". `release` names one of the store's releases, `sign` a private
    key of SSH that signs the folder. With `run_headers` a run begins with its ir_metadata, which are else in a file
    beside it. `since` names a release: CHANGES.md lists what changed since then. What is not in the folder is told in
    warnings.
    """
    from cranfield.features.publishing.building import build
    from cranfield.features.publishing.describe import description_of
    from cranfield.features.publishing.policy import policy_to_publish
    from cranfield.features.publishing.publication import PublishOptions
    from cranfield.store.topic_sets import chosen_topics

    options = PublishOptions(
        tuple(targets),
        text=text,
        runs=runs,
        log=log,
        draft=draft,
        run_headers=run_headers,
        part=topics or "",
        since=since or "",
    )
    key = None if sign is None else Path(sign)
    with store_open(release_of(store, release)) as there:
        sets = {"topics": topics, "split": split}
        qids_of_sets = {
            name: chosen_topics(there, choice) if isinstance(choice, str) else tuple(choice)
            for name, choice in sets.items()
            if choice is not None
        }
        rule, about_policy = policy_to_publish(there, policy, options.part)
        options = dataclasses.replace(options, policy=rule, **qids_of_sets)  # type: ignore[arg-type]
        summary = build(
            there, Path(folder), description_of(there, values), options, replace=replace, consents=consents, key=key
        )
    for line in (*about_policy, *summary.notes):
        give_warning(line)
    return Path(folder)


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


@checked
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
