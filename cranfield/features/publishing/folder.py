"""A published folder: checked, first every file against the manifest, then what they say; and made into a store."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from os import fspath
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import CranfieldError, InputError, file_named_in_errors
from cranfield.extras import MissingExtraError, require_extra
from cranfield.features.publishing.checks import (
    HEAD_CHECK,
    LOG_CHECK,
    NAMES_CHECK,
    SIGNATURE_CHECK,
    SUMS_CHECK,
    TABLES_CHECK,
    CheckedFolder,
    CheckResult,
    FolderCheck,
)
from cranfield.features.publishing.citation import DATACITE_CHECK, ZENODO_CHECK
from cranfield.features.publishing.collection import Declaration, read_declaration
from cranfield.features.publishing.croissant import CROISSANT_CHECK
from cranfield.features.publishing.describe import take_description
from cranfield.features.publishing.hf import HF_CHECK
from cranfield.features.publishing.ir_datasets import IR_DATASETS_CHECK
from cranfield.features.publishing.manifest import (
    BAG,
    MANIFEST,
    PAYLOAD,
    SIGNATURE,
    PublishedFolder,
    check_file,
    files_below,
    folder_of,
    root_of,
)
from cranfield.features.publishing.parts import COLLECTION
from cranfield.features.publishing.rebuilding import (
    ASSESSOR,
    REBUILT_CHECK,
    add_corpus,
    add_topics,
    fill,
    fill_runs,
    names,
    run_paths,
)
from cranfield.features.publishing.store import published
from cranfield.features.publishing.store.publication import keep_split
from cranfield.features.publishing.store.standing import add_standing, part_of
from cranfield.features.publishing.targets import BAGIT_CHECK
from cranfield.formats import read_qrels
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.parallel import Tell, progress_bar
from cranfield.source import silent
from cranfield.store.collection_settings import has_data, replace_collection
from cranfield.store.connection import atomic_path
from cranfield.store.history import importing
from cranfield.store.log import assessors
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store
from cranfield.text import counted

# of what a store is made of, so also before it is
CONTENTS: Sequence[FolderCheck] = (
    SIGNATURE_CHECK,
    NAMES_CHECK,
    TABLES_CHECK,
    LOG_CHECK,
    REBUILT_CHECK,
    SUMS_CHECK,
    HEAD_CHECK,
)
CHECKS: Sequence[FolderCheck] = (
    *CONTENTS, HF_CHECK, CROISSANT_CHECK, IR_DATASETS_CHECK, DATACITE_CHECK, ZENODO_CHECK, BAGIT_CHECK,
)  # fmt: skip


class CheckedRow(NamedTuple):
    """A finding, and the check that found it."""

    check: str
    state: str
    what: str
    path: str


def check(folder: Path, signer: Path | None = None) -> list[CheckedRow]:
    """All findings; what files say is looked at only if all of them are what the manifest says.

    `signer` is a public key, or a file of allowed signers, one of whom has to have signed the folder.
    """
    there = folder_of(folder)
    require_extra("arrow", "a published folder")
    rows = [CheckedRow("files", *finding) for finding in _check_files(there)]
    if any(row.state == "wrong" for row in rows):
        return [*rows, CheckedRow("contents", "skipped", "not checked, because some files are wrong", "")]
    return [*rows, *findings(CHECKS, CheckedFolder(folder, there, signer))]


def check_contents(folder: Path) -> PublishedFolder:
    """Refuse a folder in which anything is wrong that a store is made of; the folder, if all is well."""
    there = folder_of(folder)
    require_extra("arrow", "a published folder")
    rows = (CheckedRow("files", *finding) for finding in _check_files(there))
    for row in chain(rows, findings(CONTENTS, CheckedFolder(folder, there))):
        if row.state == "wrong":
            raise fault(folder, row, "; `cranfield publish check` lists all faults")
    return there


def fault(folder: Path, wrong: CheckedRow, more: str = "") -> InputError:
    """An error that says what is wrong."""
    inside = root_of(folder) / wrong.path
    return InputError(f"{wrong.what}{more}", inside if inside.exists() else folder / wrong.path)


def _check_files(there: PublishedFolder) -> Iterator[CheckResult]:
    wrong = 0
    with progress_bar("checking files", len(there.files)) as advance:
        for path in there.files:
            try:
                check_file(there, path)
            except InputError as error:
                wrong += 1
                yield CheckResult("wrong", error.message, path)
            advance(1)
    others = {MANIFEST, BAG, SIGNATURE} | there.files.keys()
    if extra := [path for path in files_below(there.root) if path not in others]:
        more = f" and {len(extra) - 1} more" if len(extra) > 1 else ""
        yield CheckResult("skipped", f"not listed in {MANIFEST}: {extra[0]}{more}")
    right = f"{len(there.files) - wrong} of " if wrong else ""
    yield CheckResult("ok", f"{right}{counted(len(there.files), 'file')} as listed in {MANIFEST}")


def findings(checks: Sequence[FolderCheck], folder: CheckedFolder) -> Iterator[CheckedRow]:
    """What some checks find in a folder."""
    for one in checks:
        try:
            yield from (CheckedRow(one.name, *finding) for finding in one.findings(folder))
        except MissingExtraError:
            raise
        except CranfieldError as error:
            yield CheckedRow(one.name, "wrong", *_locate_error(error, folder))


def _locate_error(error: CranfieldError, folder: CheckedFolder) -> tuple[str, str]:
    """What an error says, and of which file of the folder, or of the bag around it."""
    place = Path(fspath(error.path)) if isinstance(error, InputError) and error.path else None
    inside = [root for root in (folder.payload.root, folder.folder) if place and root in place.parents]
    if not isinstance(error, InputError) or place is None or not inside:
        return str(error), ""
    line = "" if error.line is None else f"line {error.line}: "
    return f"{line}{error.message}", place.relative_to(inside[0]).as_posix()


FILES = ((COLLECTION,), (MANIFEST,))
BAG_FILES = ((PAYLOAD, COLLECTION), (MANIFEST,), (BAG,))


def restore(folder: Path, place: Path | Store, split: str | None = None, note: Tell = silent) -> Store:
    """A new store of what a folder has; whatever is wrong with it, there is no store then.

    With `split` it has the topics of one split, their rankings and grades; `note` is called with what that leaves out.
    An open store without data is filled in place of a new one, and stays as it was if anything is wrong.
    """
    if isinstance(place, Store) and has_data(place):
        raise InputError("a published folder can only be imported into a store without data", place.path)
    if isinstance(place, Path) and place.exists():
        raise InputError(
            "a published folder can only be imported into a new store; to add only its documents, topics and"
            f" judgments to this store, import hf:{folder}",
            place,
        )
    there = check_contents(folder)
    declaration = read_declaration(there)
    if split is not None and split not in declaration.splits:
        raise InputError(f"no split {split!r}; --split takes {', '.join(declaration.splits)}", there.root)
    if split is not None and len(declaration.splits) > 1:
        return _restored_split(there, place, declaration, split, note)
    with _store_to_fill(place, there, declaration, note) as store:
        fill(store, there, declaration)
        # Several assessors labelled: the store counts their labels by the policy of the published qrels.
        if sum(kind != "repeat" for kind in assessors(store).values()) > 1:
            reason = f"the policy of the published qrels ({declaration.collection.name})"
            record_label_choice(store, policy=declaration.publish_options.policy, reason=reason)
    return Store.open(place) if isinstance(place, Path) else place


@contextmanager
def _store_to_fill(
    place: Path | Store, there: PublishedFolder, declaration: Declaration, note: Tell
) -> Iterator[Store]:
    """A new store in a file, which is kept if nothing fails; or the open store, in one transaction."""
    if isinstance(place, Path):
        with atomic_path(place) as part, Store.begin(part, declaration.collection) as store:
            yield store
        return
    with published.restoring(place, there.root):
        replace_collection(place, declaration.collection)
        yield place
    grades = ", ".join(map(str, declaration.collection.grades))
    note(f"the store now has the name {declaration.collection.name} and the grades {grades} of the collection")


def restored_published(source: str, place: Path | Store, split: str | None = None, note: Tell = silent) -> Store | None:
    """The same of a folder that `publish build` made; nothing of any other."""
    return restore(Path(source), place, split, note) if is_published(source) else None


def _restored_split(
    there: PublishedFolder, place: Path | Store, declaration: Declaration, split: str, note: Tell
) -> Store:
    """A new store of one of several splits: the chain of the log and the pools are of all topics, and not in it."""
    some = [qid for qid in declaration.topics if qid in declaration.splits[split]]
    own_part = declaration._replace(topics=some, pools=[], first_assessors=[])
    qrels = check_file(there, f"qrels/{split}.parquet")
    with _store_to_fill(place, there, declaration, note) as store, published.restoring(store, there.root):
        published.add_guidelines(store, declaration.guidelines)
        with importing(store, "corpus", names(there, "corpus/")):
            add_corpus(store, there, declaration)
        with importing(store, "topics", [f"queries/{split}.parquet"]):
            add_topics(store, there, own_part, split)
        with importing(store, "runs", run_paths(there)):
            fill_runs(store, there, own_part, only=True)
        with importing(store, "qrels", [f"qrels/{split}.parquet"]), file_named_in_errors(qrels):
            import_qrels(store, read_qrels(qrels, format="parquet"), ASSESSOR)
        add_standing(store, part_of(declaration.standing, some))
        take_description(store, declaration.description)
        keep_split(store, some if split == "test" else [])
    size = f"{len(some)} of {counted(len(declaration.topics), 'topic')}"
    note(
        f"imported the split {split} ({size}) without the pools and the judgment log, which cover all topics; the"
        f" judgments are stored under the assessor {ASSESSOR!r}"
    )
    return Store.open(place) if isinstance(place, Path) else place


def is_published(source: str) -> bool:
    """Whether this is a folder that `publish build` made, or a bag of one."""
    return any(all(os.path.lexists(Path(source, *names)) for names in files) for files in (FILES, BAG_FILES))


def unread(source: str) -> str:
    """What is said of a published folder that was read as one of Hugging Face; nothing of any other."""
    folder = Path(source.removeprefix("hf:")).resolve()
    if not (folder / COLLECTION).is_file():
        return ""
    above = is_published(str(folder.parent)) and folder.name == PAYLOAD
    remedy = (
        f"import the bag, {folder.parent}"
        if above
        else f"to restore them, import a folder with {MANIFEST} into a new store"
    )
    return f"the pools, runs and judgment log of this collection were not imported; {remedy}"
