"""What a check of a published folder is given and finds, without a network; and the checks of what its files say.

A signature, where there is one, is of this folder and, where the signers are given, theirs. What collection.json names
is there, inside the folder, and what it was. The tables have their columns, and what they name is there. The events of
the log are those of which log.json has the head.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which
from typing import Literal, NamedTuple

from packaging.requirements import Requirement

from cranfield.features.publishing.collection import Declaration, collection_sum, is_source, read_declaration, state_of
from cranfield.features.publishing.description import Description, parse_description
from cranfield.features.publishing.formats import (
    CORPUS,
    CORPUS_WITHOUT_TEXT,
    FRAME,
    JUDGMENTS,
    POOLS,
    QRELS,
    QUERIES,
    Columns,
    read_column,
    rows_of,
)
from cranfield.features.publishing.manifest import (
    MANIFEST,
    MISSING,
    PROGRAM,
    SHOWN,
    SIGNATURE,
    PublishedFolder,
    signed_by,
    verify,
)
from cranfield.features.publishing.parts import COLLECTION, JUDGED, STATE
from cranfield.features.publishing.publication import PublishedColumn, PublishedFile
from cranfield.features.publishing.store.published import LogState
from cranfield.formats.runs.files import metadata_path
from cranfield.text import counted

OTHER_TABLES: Mapping[str, tuple[str, Columns]] = {
    "log/judgments.parquet": ("judgments", JUDGMENTS),
    "pools/pools.parquet": ("pools", POOLS),
    "pools/frame.parquet": ("frame", FRAME),
}


class CheckResult(NamedTuple):
    """What a check found: that something is right, wrong, or was not looked at, and why."""

    state: Literal["ok", "wrong", "skipped"]
    what: str
    path: str = ""


@dataclass(frozen=True)
class CheckedFolder:
    """A folder whose files are what its manifest says; `folder` is the one that was given, a bag perhaps.

    `signer` says who should have signed it: a public key, or a file of allowed signers.
    """

    folder: Path
    payload: PublishedFolder
    signer: Path | None = None

    @cached_property
    def declaration(self) -> Declaration:
        """What collection.json says."""
        return read_declaration(self.payload)

    @cached_property
    def description(self) -> Description:
        """The description of the collection."""
        return parse_description(self.declaration.description)

    @cached_property
    def sum_in_log(self) -> str:
        """The SHA-256 of collection.json that log.json has; "" in older folders."""
        return collection_sum(self.payload.root / STATE) if self.has(STATE) else ""

    @property
    def tables(self) -> dict[str, Columns]:
        """The columns of each table; the table is the folder that its files are in."""
        corpus = CORPUS if self.declaration.text else CORPUS_WITHOUT_TEXT
        return {"corpus": corpus, "queries": QUERIES, "qrels": QRELS}

    def table_of(self, path: str) -> tuple[str, Columns] | None:
        """The table that a file is of, and its columns; None if it is none."""
        folder = path.partition("/")[0]
        if folder in self.tables and path.endswith(".parquet"):
            return folder, self.tables[folder]
        return OTHER_TABLES.get(path)

    @cached_property
    def files(self) -> list[PublishedFile]:
        """The files, those of tables with their rows and columns."""
        return [self._file(path, digest) for path, digest in sorted(self.payload.files.items())]

    def _file(self, path: str, digest: str) -> PublishedFile:
        place, table = self.payload.root / path, self.table_of(path)
        file = PublishedFile(path, digest, place.stat().st_size)
        if table is None:
            return file
        columns = tuple(PublishedColumn(*column) for column in table[1].items())
        return file._replace(table=table[0], rows=rows_of(place), columns=columns)

    def has(self, path: str) -> bool:
        """Whether a file is in the folder."""
        return path in self.payload.files


@dataclass(frozen=True)
class FolderCheck:
    """One row of the table of checks; `needs` says without which package it is skipped, `of` which file it is about."""

    name: str
    run: Callable[[CheckedFolder], Iterator[CheckResult]]
    needs: str = ""
    of: str = ""

    def findings(self, folder: CheckedFolder) -> Iterator[CheckResult]:
        """What it finds; nothing where the folder has nothing for it."""
        if self.of and not folder.has(self.of) and not (folder.folder / self.of).exists():
            return
        if lack := self.needs and lacking(self.needs):
            yield CheckResult("skipped", lack)
            return
        yield from self.run(folder)


def lacking(needs: str) -> str:
    """Why a package cannot be used; "" if it can.

    >>> lacking("no-such-package"), lacking("packaging>=2") == "", lacking("packaging<1").partition(" ")[0]
    ('the package no-such-package is not installed', True, 'packaging')
    """
    requirement = Requirement(needs)
    try:
        present_version = version(requirement.name)
    except PackageNotFoundError:
        return f"the package {requirement.name} is not installed"
    enough = requirement.specifier.contains(present_version, prereleases=True)
    return "" if enough else f"{requirement.name} {present_version} is installed; expected {needs}"


def check_signature(folder: CheckedFolder) -> Iterator[CheckResult]:
    has_signature, signer = (folder.folder / SIGNATURE).is_file(), folder.signer
    if not has_signature:
        if signer:
            yield CheckResult("wrong", f"not signed; expected a signature by {signer.name}", SIGNATURE)
    elif which(PROGRAM) is None:
        yield CheckResult("wrong" if signer else "skipped", f"signed, but not checked: {MISSING}", SIGNATURE)
    elif signer:
        yield CheckResult("ok", f"{MANIFEST} is signed by {verify(folder.folder, signer)}")
    else:
        yield CheckResult(
            "skipped",
            f"signed with {signed_by(folder.folder)}; to check who signed, name the expected signer with --signer",
            SIGNATURE,
        )


SIGNATURE_CHECK = FolderCheck("signature", check_signature)


def check_runs(folder: CheckedFolder) -> Iterator[CheckResult]:
    """Every run has its file in runs/, and every file there its run."""
    if not folder.declaration.publish_options.runs:
        return
    wrong = [*_duplicate_values(folder, "tag"), *_duplicate_values(folder, "file")]
    runs_by_file = {f"runs/{run['file']}": run for run in folder.declaration.runs}
    paths = {path for path in folder.payload.files if path.startswith("runs/")}
    if not folder.declaration.publish_options.run_headers:
        metadata = {metadata_path(path) for path in runs_by_file}
        wrong += [CheckResult("wrong", "this file is missing", path) for path in sorted(metadata - paths)]
        paths -= metadata
    for path in sorted(runs_by_file.keys() - paths):
        what = f"the run {runs_by_file[path]['tag']!r:.60} names the file {runs_by_file[path]['file']!r:.60}"
        wrong.append(CheckResult("wrong", f"{what}; expected the name of a file in runs/", COLLECTION))
    for path in sorted(paths - runs_by_file.keys()):
        wrong.append(CheckResult("wrong", f"no run in {COLLECTION} names this file", path))
    yield from wrong
    if not wrong:
        yield CheckResult("ok", f"{counted(len(folder.declaration.runs), 'run')}, each with its file")


def check_head(folder: CheckedFolder) -> Iterator[CheckResult]:
    """collection.json is the one that log.json names."""
    stated_digest, digest = folder.sum_in_log, folder.payload.files[COLLECTION]
    if stated_digest and stated_digest != digest:
        yield CheckResult(
            "wrong", f"its SHA-256 begins with {digest[:SHOWN]!r}; {STATE} says {stated_digest[:SHOWN]!r}", COLLECTION
        )


def _duplicate_values(folder: CheckedFolder, name: str) -> Iterator[CheckResult]:
    for value, number in Counter(run[name] for run in folder.declaration.runs).most_common(1):
        if number > 1:
            yield CheckResult("wrong", f"{number} runs have the {name} {value!r:.60}; expected one", COLLECTION)


def check_sums(folder: CheckedFolder) -> Iterator[CheckResult]:
    """The files that a store is made of are those that collection.json names, with the same SHA-256."""
    digests = folder.declaration.files
    if digests is None:
        yield CheckResult(
            "skipped", "not checked: this older folder does not state the checksums of its files", COLLECTION
        )
        return
    there = {path: digest for path, digest in folder.payload.files.items() if is_source(path)}
    wrong = [
        CheckResult("wrong", f"names {path!r:.60}, which is not in the folder", COLLECTION)
        for path in sorted(digests.keys() - there.keys())
    ]
    for path in sorted(there.keys() - digests.keys()):
        wrong.append(CheckResult("wrong", f"{COLLECTION} does not name this file", path))
    for path in sorted(there.keys() & digests.keys()):
        if there[path] != digests[path]:
            stated = f"{COLLECTION} says {digests[path][:SHOWN]!r}"
            wrong.append(CheckResult("wrong", f"its SHA-256 begins with {there[path][:SHOWN]!r}; {stated}", path))
    if folder.has(STATE) and not folder.sum_in_log:
        wrong.append(CheckResult("wrong", f"has no SHA-256 of {COLLECTION}", STATE))
    yield from wrong
    if not wrong:
        yield CheckResult("ok", f"{counted(len(digests), 'file')} as {COLLECTION} lists them")


HEAD_CHECK, NAMES_CHECK, SUMS_CHECK = (
    FolderCheck("head", check_head),
    FolderCheck("names", check_runs),
    FolderCheck("sums", check_sums),
)


def check_tables(folder: CheckedFolder) -> Iterator[CheckResult]:
    ids = {table: read_column(_paths(folder, table), folder.tables[table], "_id") for table in ("corpus", "queries")}
    for table, own_ids in ids.items():
        if repeats := len(own_ids) - len(set(own_ids)):
            yield CheckResult("wrong", f"{counted(repeats, 'id appears', 'ids appear')} more than once", table)
        yield CheckResult("ok", f"{table}: {counted(len(own_ids), 'row')}")
    if sorted(ids["queries"]) != sorted(folder.declaration.topics):
        yield CheckResult("wrong", "the topics differ from collection.json", "queries")
    yield from _judged(folder, {*ids["queries"]}, {*ids["corpus"]})


def _paths(folder: CheckedFolder, table: str) -> list[Path]:
    return [folder.payload.root / file.path for file in folder.files if file.table == table]


def _judged(folder: CheckedFolder, qids: set[str], docnos: set[str]) -> Iterator[CheckResult]:
    judged = (
        read_column(_paths(folder, "qrels"), folder.tables["qrels"], name)
        for name in ("query-id", "corpus-id", "score")
    )
    topics, documents, scores = judged
    scale = [float(grade) for grade in folder.declaration.collection.grades]
    for qid in sorted({*topics} - qids)[:1]:
        yield CheckResult("wrong", f"the topic {qid!r} is not among the queries", "qrels")
    for grade in sorted({*scores} - {*scale})[:1]:
        yield CheckResult("wrong", f"the grade {grade} is not on the scale {', '.join(map(str, scale))}", "qrels")
    strangers = sum(docno not in docnos for docno in documents)
    without = f", {strangers:,} of them for documents that are not in the corpus" if strangers else ""
    yield CheckResult("ok", f"qrels: {counted(len(topics), 'row')}{without}")


TABLES_CHECK = FolderCheck("tables", check_tables)


def check_log(folder: CheckedFolder) -> Iterator[CheckResult]:
    commitments = read_column([folder.payload.root / JUDGED], JUDGMENTS, "commitment")
    states = state_of(folder.payload.root / STATE)
    stated_events = sum(state.events for state in states)
    wrong = [*_states(commitments, states)]
    if len(commitments) != stated_events:
        wrong.append(
            CheckResult("wrong", f"{counted(len(commitments), 'event')}; {STATE} says {stated_events:,}", JUDGED)
        )
    if repeats := len(commitments) - len(set(commitments)):
        wrong.append(
            CheckResult(
                "wrong", f"{counted(repeats, 'commitment repeats', 'commitments repeat')} an earlier one", JUDGED
            )
        )
    yield from wrong
    if not wrong:
        yield CheckResult("ok", f"{counted(len(commitments), 'event')}, as {STATE} says")


def _states(commitments: Sequence[str], states: Sequence[LogState]) -> Iterator[CheckResult]:
    """Of each log, what is wrong with its head: its chains end with events of its own, one with the last of them."""
    start = 0
    for state in states:
        own = commitments[start : start + state.events]
        start += state.events
        if strange := len({*state.chains} - {*own}):
            yield CheckResult(
                "wrong", f"{counted(strange, 'chain does', 'chains do')} not end with an event of the log", STATE
            )
        if own and own[-1] not in state.chains:
            yield CheckResult("wrong", f"no chain ends with the log's last event, {own[-1][:12]!r}", STATE)
        head = sha256("\n".join(sorted(state.chains)).encode()).hexdigest()
        if head != state.head:
            yield CheckResult(
                "wrong", f"the head is {state.head[:12]!r}; expected {head[:12]!r}, as computed from the chains", STATE
            )


LOG_CHECK = FolderCheck("log", check_log, of=JUDGED)
