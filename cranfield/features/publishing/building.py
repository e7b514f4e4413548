"""Building the folder: the copy, its parts, what each target needs, the manifest.

It is made in DIR.partial beside it, which takes its place when it is whole. Whatever stops the program, DIR is as it
was or whole; if it is killed outright, DIR.partial is left, and the next build replaces it.
"""

import dataclasses
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.features.publishing.changes import CHANGES, changes_text
from cranfield.features.publishing.collection import COLLECTION_PART
from cranfield.features.publishing.description import Description, check_complete
from cranfield.features.publishing.gathering import check_publishable, collection_facts, copy_store, notes, seen_before
from cranfield.features.publishing.manifest import MANIFEST, PAYLOAD, digest_of, files_below, sign, write_manifest
from cranfield.features.publishing.parts import (
    CORPUS_PART,
    LOG_PART,
    POOLS_PART,
    QRELS_PART,
    QUERIES_PART,
    Part,
    PublishedParts,
    PublishedTable,
    Publishing,
)
from cranfield.features.publishing.publication import (
    DRAFT,
    Publication,
    PublishedColumn,
    PublishedFile,
    PublishOptions,
    splits_of,
)
from cranfield.features.publishing.store.publication import stored_split
from cranfield.features.publishing.targets import BAGIT, TARGETS, cards_of, make_bag
from cranfield.features.publishing.trec import RUNS_PART, TREC_PART
from cranfield.formats.whole_files import check_folder, write_text
from cranfield.parallel import progress_bar
from cranfield.selection import Labellers, Selection
from cranfield.store.store import Store
from cranfield.text import counted


def write_page(publishing: Publishing) -> Sequence[PublishedTable]:
    from cranfield.call_view import CallView
    from cranfield.metrics.notation import parse_measures
    from cranfield.options.trusting import MEASURES
    from cranfield.report.facts import subject_of
    from cranfield.report.page import ReportOptions, write_report

    policy = publishing.options.policy
    # the store is not opened again: its view of the labels that count may be a table
    subject = subject_of(CallView.view_of_store(publishing.store, Labellers(policy=policy)))
    if publishing.options.draft and subject.collection:
        subject = subject._replace(collection=subject.collection._replace(name=f"{DRAFT}: {subject.name}"))
    measures = parse_measures(MEASURES, subject.scored.min_relevant if subject.scored else 1)
    made_by = f"cranfield report track.db report.html --policy {policy}"
    write_report(publishing.published_path("report.html"), subject, ReportOptions(measures, command=made_by))
    return []


REPORT_PART = Part("report", write_page)


PARTS: Sequence[Part] = (
    CORPUS_PART, QUERIES_PART, QRELS_PART, LOG_PART, POOLS_PART, TREC_PART, RUNS_PART, REPORT_PART, COLLECTION_PART,
)  # fmt: skip


MARK = ".cranfield-partial"  # is in what may be removed
OLD, NEW = "old", "new"


def check_place(folder: Path, replace: bool) -> None:
    """Refuse a place that is taken: a file, a folder that is not empty, unless it is to be replaced and was built."""
    check_folder(folder)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise InputError("not a folder; expected a new folder", folder)
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not replace:
        raise InputError(
            "this folder is not empty; choose another folder, or replace a published folder with --replace", folder
        )
    if not (folder / MANIFEST).is_file():
        raise InputError(
            f"not a published folder, because it has no {MANIFEST}; --replace replaces only published folders", folder
        )


@contextmanager
def folder_made(folder: Path, replace: bool) -> Iterator[Path]:
    """An empty folder to work in; what is in its folder `new` takes the place of `folder` in the end."""
    check_place(folder, replace)
    partial = folder.with_name(f"{folder.name}.partial")
    if partial.exists():  # a killed build left it
        if not (partial / MARK).is_file():
            raise InputError("this file or folder is in the way; move it or delete it", partial)
        if (partial / OLD).exists():
            what = f"an interrupted build left the old folder here ({OLD}); move it away first"
            raise InputError(what, partial)
        shutil.rmtree(partial)
    try:
        partial.mkdir(parents=True)
        (partial / MARK).touch()
    except OSError as error:
        raise InputError(error.strerror or str(error), partial) from error
    try:
        yield partial
        if folder.exists():
            folder.rename(partial / OLD)
        (partial / NEW).rename(folder)
    except OSError as error:
        raise InputError(error.strerror or str(error), error.filename or folder) from error
    finally:
        if (partial / OLD).exists() and not folder.exists():
            (partial / OLD).rename(folder)
        shutil.rmtree(partial)


COPY, BAG = "copy.db", "bag"


class FolderSummary(NamedTuple):
    """What is in a folder, what is noted of it, and what a person types to publish it."""

    files: int
    bytes: int
    documents: int
    topics: int
    judgments: int
    runs: int
    notes: tuple[str, ...]
    commands: tuple[str, ...]


def build(
    store: Store, folder: Path, description: Description, options: PublishOptions, *, replace: bool = False,
    consents: Sequence[str] = (), key: Path | None = None,
) -> FolderSummary:  # fmt: skip
    """Build the folder: all of it or, whatever is wrong, nothing. It is signed with `key`, of SSH."""
    require_extra("arrow", "a published folder")
    require_extra("files", "a card in YAML", "yaml")
    require_extra("report", "a report")
    check_place(folder, replace)
    earlier = stored_split(store) if options.split is None else None
    options = options if earlier is None else dataclasses.replace(options, split=earlier)
    if options.topics is not None:
        here = tuple(qid for qid in options.split or () if qid in options.topics)
        options = dataclasses.replace(options, log="no", split=None if options.split is None else here)
    options = dataclasses.replace(options, earlier_train=seen_before(store, options.split or ()))
    if not options.draft:
        check_complete(description, options.targets, withheld=not options.text)
    check_publishable(store, options, consents)
    part = store.select(Selection(topics=options.part)) if options.part else store
    with folder_made(folder, replace) as partial, copy_store(part, partial / COPY, options) as copy:
        publishing = Publishing(copy, partial / NEW, description, options)
        publishing.root.mkdir()
        _fill(publishing)
        if options.since:
            write_text(publishing.published_path(CHANGES), changes_text(store, options))
        write_manifest(publishing.root)
        if BAGIT.name in options.targets:
            (publishing.root / MANIFEST).unlink()
            publishing.root.rename(partial / BAG)
            make_bag(partial / BAG, publishing.root, description)
        counts = _count(publishing)
        if key is not None:
            sign(publishing.root, key)
    lines = []
    if earlier is not None:
        splits = splits_of([topic.qid for topic in store.topics()], earlier).items()
        sizes = ", ".join(f"{name} {counted(len(qids), 'topic')}" for name, qids in splits)
        lines.append(f"the splits come from the imported folder ({sizes}); choose other splits with --split")
    root = str(folder / PAYLOAD if BAGIT.name in options.targets else folder)
    commands = (command for name in options.targets for command in TARGETS[name].commands(description))
    return counts._replace(
        notes=(*lines, *notes(store, options)),
        commands=tuple(command.replace("DIR", shlex.quote(root)) for command in commands),
    )


def _fill(publishing: Publishing) -> None:
    parts = [part for part in PARTS if part.applies(publishing.options)]
    targets = [TARGETS[name] for name in publishing.options.targets]
    with progress_bar("building the folder", len(parts) + len(targets) + 1) as advance:
        tables = dict[str, PublishedTable]()
        for part in parts:
            tables |= {
                table.file.path.relative_to(publishing.root).as_posix(): table for table in part.write(publishing)
            }
            advance(1)
        root = publishing.root
        files = [_file(root / path, path, tables.get(path)) for path in files_below(root)]
        folder = PublishedParts(publishing, files, root)
        for path, text in texts_of(folder).items():
            write_text(publishing.published_path(path), text)
        advance(1)
        for target in targets:
            target.write(folder)
            advance(1)


def texts_of(folder: PublishedParts) -> dict[str, str]:
    """The cards and what each target needs, by path."""
    options, facts = (
        folder.publishing.options,
        collection_facts(folder.publishing.store, folder.publishing.options),
    )
    about = Publication(folder.description, facts, folder.files, options.draft, options.text)
    cards = cards_of(about, options.targets)
    return cards | {path: text for name in options.targets for path, text in TARGETS[name].texts(folder).items()}


def _file(place: Path, path: str, table: PublishedTable | None) -> PublishedFile:
    file = PublishedFile(path, digest_of(place), place.stat().st_size)
    if table is None:
        return file
    columns = tuple(PublishedColumn(name, dtype) for name, dtype in table.columns.items())
    return file._replace(table=table.table, rows=table.file.rows, columns=columns)


def _count(publishing: Publishing) -> FolderSummary:
    counts, files = publishing.store.counts(), list(files_below(publishing.root))
    size = sum((publishing.root / path).stat().st_size for path in files)
    return FolderSummary(
        len(files),
        size,
        counts["document"],
        topics=counts["topic"],
        judgments=len(publishing.judgments.labels),
        runs=counts["run"] if publishing.options.runs else 0,
        notes=(),
        commands=(),
    )
