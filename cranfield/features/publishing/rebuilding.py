"""Filling a store with what a published folder has, and making again what follows from it, to be compared.

Nothing is taken from a file whose checksum is wrong.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cranfield import __version__
from cranfield.errors import InputError, file_named_in_errors
from cranfield.features.documents.store.documents import note_source
from cranfield.features.publishing.building import COPY, REPORT_PART, texts_of
from cranfield.features.publishing.changes import CHANGES
from cranfield.features.publishing.checks import CheckedFolder, CheckResult, FolderCheck
from cranfield.features.publishing.collection import (
    SOURCES,
    Declaration,
    collection_text,
    is_source,
    program_build,
    state_of,
)
from cranfield.features.publishing.describe import take_description
from cranfield.features.publishing.formats import (
    CORPUS,
    CORPUS_WITHOUT_TEXT,
    FRAME,
    JUDGMENTS,
    POOLS,
    QUERIES,
    Columns,
    read_table,
    read_tables,
    table_difference,
)
from cranfield.features.publishing.gathering import count_by
from cranfield.features.publishing.manifest import PublishedFolder, check_file, digest_of, files_below
from cranfield.features.publishing.parts import (
    ASSESSORS,
    COLLECTION,
    JUDGED,
    POOLS_PART,
    QRELS_PART,
    QUERIES_PART,
    PublishedParts,
    Publishing,
    event_of_row,
    read_assessors,
    write_assessors,
    write_head,
)
from cranfield.features.publishing.store import published
from cranfield.features.publishing.store.publication import add_model_settings, keep_split
from cranfield.features.publishing.store.published import StoredText
from cranfield.features.publishing.store.standing import add_standing
from cranfield.features.publishing.targets import BEIR, bag_texts
from cranfield.features.publishing.trec import TREC_PART, collection_block, header_of
from cranfield.formats import RunInfo, Topic, read_metadata, read_qrels, read_runs
from cranfield.formats.given_files import METADATA
from cranfield.formats.runs.files import metadata_path
from cranfield.formats.whole_files import write_text
from cranfield.judging.labels.choice import choose_labels, labellers_line
from cranfield.selection import Labellers
from cranfield.store.chain import link_events
from cranfield.store.decoding import decode_json_column
from cranfield.store.history import importing
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs, run_info, run_lengths
from cranfield.store.store import Store
from cranfield.text import counted

ASSESSOR = "published"  # the assessor of the qrels of a folder without a log


def fill(store: Store, there: PublishedFolder, declaration: Declaration, link: published.Link = link_events) -> None:
    """Fill a new store with all that the folder has; `link` gives the events of its log their hashes."""
    with published.restoring(store, there.root):
        published.add_guidelines(store, declaration.guidelines)
        with importing(store, "corpus", names(there, "corpus/")):
            add_corpus(store, there, declaration)
            for one in declaration.sources:
                note_source(store, one)
        with importing(store, "topics", names(there, "queries/")):
            add_topics(store, there, declaration)
        with importing(store, "runs", run_paths(there)):
            fill_runs(store, there, declaration)
        docnos = set[str]()  # that the log and the pools name: no run and no text may have them
        for start, columns in (("log/judgments", JUDGMENTS), ("pools/pools", POOLS), ("pools/frame", FRAME)):
            place = [*columns].index("corpus-id")
            docnos.update(row[place] for row in _rows(there, start, columns))
        store.ensure_docnos(sorted(docnos))
        published.add_pools(
            store, declaration.pools, _rows(there, "pools/pools", POOLS), _rows(there, "pools/frame", FRAME)
        )
        add_standing(store, declaration.standing)
        with importing(store, "qrels", names(there, "log/")):
            if "log/judgments.parquet" in there.files:
                published.add_assessors(store, read_assessors(check_file(there, ASSESSORS)))
                add_model_settings(store, declaration.models)
                published.add_first_assessors(store, declaration.first_assessors)
                events = (event_of_row(row) for row in _rows(there, "log/judgments", JUDGMENTS))
                published.add_log(store, events, state_of(check_file(there, "log/log.json")), there.root.name, link)
            elif "trec/qrels.txt" in there.files:
                import_qrels(store, read_qrels(check_file(there, "trec/qrels.txt"), format="trec"), ASSESSOR)
        take_description(store, declaration.description)
        if declaration.test is not None:
            keep_split(store, declaration.test)


def names(there: PublishedFolder, start: str) -> list[str]:
    return [path for path in there.files if path.startswith(start)]


def run_paths(there: PublishedFolder) -> list[str]:
    return [path for path in names(there, "runs/") if not path.endswith(METADATA)]


def _checked_tables(there: PublishedFolder, start: str) -> list[Path]:
    return [check_file(there, path) for path in sorted(names(there, start)) if path.endswith(".parquet")]


def _rows(there: PublishedFolder, start: str, columns: Columns) -> Iterator[tuple[Any, ...]]:
    return read_tables(_checked_tables(there, start), columns)


def add_corpus(store: Store, there: PublishedFolder, declaration: Declaration) -> None:
    if not declaration.text:
        published.add_hashes(store, _rows(there, "corpus/", CORPUS_WITHOUT_TEXT))
        return
    for path in _checked_tables(there, "corpus/"):
        with file_named_in_errors(path):
            published.add_texts(store, (StoredText(*row) for row in read_table(path, CORPUS)))


def add_topics(store: Store, there: PublishedFolder, declaration: Declaration, split: str = "") -> None:
    topics: dict[str, Topic] = {}
    for path in _checked_tables(there, f"queries/{split}"):
        for qid, title, description, narrative, _, metadata in read_table(path, QUERIES):
            about = decode_json_column(dict, metadata or None, "queries", qid, "metadata")
            topics[qid] = Topic(qid, title, description, narrative, about)
    if sorted(topics) != sorted(declaration.topics):
        raise InputError("the topics differ from collection.json", there.root / "queries")
    published.add_topics(store, [topics[qid] for qid in declaration.topics])


def fill_runs(store: Store, there: PublishedFolder, declaration: Declaration, only: bool = False) -> None:
    """Add the runs; `only` the rankings of the stated topics, of runs that have any."""
    if not names(there, "runs/"):
        return
    for run in declaration.runs:
        path = check_file(there, f"runs/{run['file']}")
        with file_named_in_errors(path):
            tag, about = run["tag"], (run["team"], run["kind"], run["description"], run["pooled"], run["depth"])
            runs = read_runs([path])
            if list(runs.tags) != [tag]:
                raise InputError(f"the run {runs.tags[0]!r}; expected {tag!r}", path)
            origin = (path.name, there.files[f"runs/{path.name}"])
            if only:
                mask = np.isin(runs.topics.names, np.array(declaration.topics, object))
                runs, origin = runs.rows(mask[runs.topic]), ("", "")
            if len(runs) or not only:
                add_runs(store, runs, {tag: RunInfo(*about, *origin, read_metadata(path))})


LONG_NUMBER = re.compile(r"-?\d+\.\d{9,}(?:e[-+]?\d+)?")  # its last digits may differ from machine to machine
CONTEXT_CHARS, SHOWN = 20, 60  # characters before a difference, and in all


def text_difference(own: bytes, right: bytes) -> str:
    r"""The first difference between two texts; "" if there is none but in the last digits of long numbers.

    >>> text_difference(b"a\nb 0 c\n", b"a\nb 1 c\n")
    "line 2 is 'b 0 c'; expected 'b 1 c'"
    >>> text_difference(b"a\nb", b"a")
    "line 2 is 'b'; expected no such line"
    >>> text_difference(b"0.4199069085511", b"0.4199069085512")
    ''
    """
    if own == right:
        return ""
    lines, right_lines = (content.decode(errors="surrogateescape").split("\n") for content in (own, right))
    for number, (line, other) in enumerate(zip_longest(lines, right_lines), 1):
        if line != other and not (line and other and _close(line, other)):
            pairs = enumerate(zip(line or "", other or "", strict=False))
            at = next((at for at, (one, right_one) in pairs if one != right_one), 0)
            return f"line {number} is {_show(line, at)}; expected {_show(other, at)}"
    return ""


def _close(line: str, other: str) -> bool:
    numbers = (map(float, LONG_NUMBER.findall(text)) for text in (line, other))
    return LONG_NUMBER.sub("#", line) == LONG_NUMBER.sub("#", other) and all(
        isclose(one, two, rel_tol=1e-9) for one, two in zip(*numbers, strict=True)
    )


def _show(line: str | None, at: int) -> str:
    if not line:
        return "no such line" if line is None else "empty"
    start = max(at - CONTEXT_CHARS, 0) if len(line) > SHOWN else 0
    return f"{'...' if start else ''}{line[start : start + SHOWN]!r}{'...' if len(line) > start + SHOWN else ''}"


TABLES = (QUERIES_PART, QRELS_PART, POOLS_PART, TREC_PART)
CARD_PARTS = {*SOURCES, "trec", "report.html", COLLECTION}  # what the cards list
NOT_IN_QRELS = ("labels",)  # what nobody can tell without the log
MANIFEST_OF_QRELS = ".manifest.json"


def check_rebuilt(folder: CheckedFolder) -> Iterator[CheckResult]:
    with TemporaryDirectory(prefix="cranfield-") as work, _refill(folder, Path(work)) as publishing:
        for part in TABLES:
            part.write(publishing)
        if publishing.options.log != "no":
            write_assessors(publishing)
            write_head(publishing, folder.sum_in_log)
        if BEIR.name in publishing.options.targets:
            BEIR.write(PublishedParts(publishing, (), publishing.root))
        paths = [path for path in files_below(publishing.root) if not path.endswith(MANIFEST_OF_QRELS)]
        findings = [*_runs(folder, publishing), *_compare(folder, publishing.root, paths)]
        wrong = any(finding.state == "wrong" for finding in findings)
        if why := "the files from which they are made are wrong" if wrong else _why_no_words(folder):
            findings.append(CheckResult("skipped", f"cards, report and {COLLECTION} are not compared: {why}"))
        elif folder.declaration.build != program_build():
            _make_collection(folder, publishing)
            paths.append(COLLECTION)
            findings += _compare(folder, publishing.root, [COLLECTION])
            findings.append(CheckResult("skipped", OTHER_BUILD))
        else:
            REPORT_PART.write(publishing)
            _make_collection(folder, publishing)
            files = [file for file in folder.files if file.path.partition("/")[0] in CARD_PARTS]
            for path, text in texts_of(PublishedParts(publishing, files, folder.payload.root)).items():
                write_text(publishing.published_path(path), text)
            words = [path for path in files_below(publishing.root) if path not in paths]
            findings += [
                *_compare(folder, publishing.root, words),
                *_compare_bag(folder),
                *_unexpected_files(folder, publishing.root),
            ]
            paths += words
        yield from findings
        if all(finding.state != "wrong" for finding in findings):
            yield CheckResult(
                "ok", f"{counted(len(paths), 'file is', 'files are')} consistent with the tables, the log and the runs"
            )
            labellers = Labellers(policy=publishing.options.policy)
            yield CheckResult(
                "ok", labellers_line(publishing.store, choose_labels(publishing.store, labellers), labellers)
            )


@contextmanager
def _refill(folder: CheckedFolder, work: Path) -> Iterator[Publishing]:
    """A store with what the folder has, from which it can be published again in a folder of `work`."""
    with Store.begin(work / COPY, folder.declaration.collection) as store:
        published.hurry(store)
        fill(store, folder.payload, folder.declaration, published.unlink)
        count_by(store, folder.declaration.publish_options.policy)
        root = work / "made"
        root.mkdir()
        yield Publishing(store, root, folder.description, folder.declaration.publish_options)


def _why_no_words(folder: CheckedFolder) -> str:
    """Why cards, report and collection.json cannot be made again; empty if they can."""
    declaration, ours = folder.declaration, f"cranfield {__version__}"
    if declaration.program != ours:
        return f"{declaration.program or 'another program'} made them, but this is {ours}"
    if declaration.files is None:
        return "an earlier version of the program made the folder"
    lacks = [
        name
        for name, there in (
            ("runs", declaration.publish_options.runs),
            ("log", declaration.publish_options.log != "no"),
        )
        if not there
    ]
    return f"they depend on parts that are not in the folder ({' and '.join(lacks)})" if lacks else ""


OTHER_BUILD = (
    f"another build of cranfield {__version__} made the cards and the report. Their checksums are right, but their"
    " text is not compared"
)


def _make_collection(folder: CheckedFolder, publishing: Publishing) -> None:
    sums = {path: digest for path, digest in sorted(folder.payload.files.items()) if is_source(path)}
    write_text(publishing.published_path(COLLECTION), collection_text(publishing, sums, folder.declaration.build))


def _runs(folder: CheckedFolder, publishing: Publishing) -> Iterator[CheckResult]:
    """The number of lines of each run, and its ir_metadata."""
    if not publishing.options.runs:
        return
    about, lengths, block = run_info(publishing.store), run_lengths(publishing.store), collection_block(publishing)
    for one in folder.declaration.runs:
        tag, path = one["tag"], f"runs/{one['file']}"
        if (lines := one.get("lines", lengths[tag])) != lengths[tag]:
            yield CheckResult("wrong", f"{counted(lengths[tag], 'line')}; {COLLECTION} says {lines!r:.20}", path)
        if not _older(folder) and read_metadata(folder.payload.root / path) != header_of(tag, about[tag], block):
            place, what = (
                (path, "its header is") if publishing.options.run_headers else (metadata_path(path), "the metadata are")
            )
            yield CheckResult(
                "wrong", f"{what} inconsistent with the descriptions of the collection and the run", place
            )


def _compare(folder: CheckedFolder, root: Path, paths: Sequence[str]) -> Iterator[CheckResult]:
    for path in paths:
        if not folder.has(path):
            older = CheckResult("skipped", "not checked: this older folder does not contain the file", path)
            yield older if _older(folder) else CheckResult("wrong", "this file is missing", path)
        elif what := _difference(folder, root, path):
            yield CheckResult("wrong", f"{what}, computed from the other files of the folder", path)


def _compare_bag(folder: CheckedFolder) -> Iterator[CheckResult]:
    if folder.folder == folder.payload.root:
        return
    for name, text in bag_texts(folder.folder, folder.description).items():
        if what := text_difference((folder.folder / name).read_bytes(), text.encode()):
            yield CheckResult("wrong", what, name)


def _older(folder: CheckedFolder) -> bool:
    return folder.declaration.files is None or folder.declaration.program != f"cranfield {__version__}"


def _difference(folder: CheckedFolder, root: Path, path: str) -> str:
    file, right = folder.payload.root / path, root / path
    if digest_of(right) == folder.payload.files[path]:
        return ""
    if not path.endswith(".parquet"):
        return text_difference(file.read_bytes(), right.read_bytes())
    _, columns = folder.table_of(path) or ("", {})
    left_out = NOT_IN_QRELS if folder.declaration.publish_options.log == "no" else ()
    return table_difference(file, right, columns, [name for name in columns if name not in left_out])


def _unexpected_files(folder: CheckedFolder, root: Path) -> Iterator[CheckResult]:
    """Files that are listed, but are none of the parts or of what was made."""
    own_paths = {*files_below(root), JUDGED, CHANGES}
    others = [
        path for path in folder.payload.files if path not in own_paths and not path.startswith(("corpus/", "runs/"))
    ]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        yield CheckResult("skipped", f"not checked, because Cranfield does not write it: {others[0]}{more}")


REBUILT_CHECK = FolderCheck("contents", check_rebuilt)
