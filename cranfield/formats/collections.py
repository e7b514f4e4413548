"""Whole collections: documents, topics and judgments from one place, a folder or the package ir_datasets."""

import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.formats.columns import UnreadTable
from cranfield.formats.delimited import json_cell
from cranfield.formats.files import Note, latin1_text, read_text
from cranfield.formats.given_files import file_name_without_suffixes
from cranfield.formats.layout import Layout
from cranfield.formats.mappings import parse_yaml_fields
from cranfield.formats.qrels import SUBTOPICS_LAYOUT as BY_SUBTOPIC
from cranfield.formats.records import Document, Fields, Topic, document_from_fields, topic_from_fields
from cranfield.formats.runs_and_qrels import qrels_of_table, read_qrels
from cranfield.formats.table import read_corpus, read_topics


class CollectionRequest(NamedTuple):
    """What is asked of a form: a folder or an id, and which split of the judgments; `note` takes what is reported.

    Without a name the split is test.
    """

    source: str
    split: str | None = None
    note: Note | None = None


@dataclass(frozen=True)
class WholeCollection:
    """A collection as it was found; `documents` are read when asked for, and may be asked for once.

    `grades` are those of the judgments with their meanings, as far as the collection gives them. `origin` is what the
    store's history calls it.
    """

    name: str
    origin: str
    documents: Iterator[Document]
    topics: Sequence[Topic]
    qrels: Sequence[Qrels]
    grades: Mapping[int, str]
    description: str = ""
    licence: str = ""


@dataclass(frozen=True)
class CollectionForm:
    """One row of the table of forms: `detect` sees what the user gave, `read` what is asked of it."""

    name: str
    description: str
    detect: Callable[[str], bool]
    read: Callable[[CollectionRequest], WholeCollection]


FOLDER_PREFIX = "hf:"
CARD = re.compile(r"---\r?\n(.*?\n)---\s*(?:\n|$)", re.DOTALL)
PIECE = re.compile(r"-\d{5}-of-\d{5}$")
USUAL: Mapping[str, Sequence[str]] = {
    "corpus": ("corpus.*", "corpus/*"),
    "queries": ("queries.*", "queries/*"),
    "default": ("qrels/*", "default/*", "data/*", "qrels.*"),
}
NAMES = {"default": ("default", "qrels")}  # of configurations, where there are others than ours
Splits = dict[str, list[Path]]


def detect_folder(source: str) -> bool:
    return source.startswith(FOLDER_PREFIX) or os.path.isdir(source)


def read_folder(request: CollectionRequest) -> WholeCollection:
    """Folders in the layouts of Hugging Face (MTEB) and BEIR: a corpus, queries, and judgments by split.

    Where README.md begins with a card that lists the files of the configurations corpus, queries and default, these are
    read. Without one, files are found by their usual names: corpus.jsonl, corpus/*.parquet; queries the same; judgments
    in qrels/, default/ or data/, named after their split. Any of them may be Parquet, JSONL, TSV or CSV, in several
    pieces.

    The collection of a folder; the documents are of all splits, the judgments of one.
    """
    folder = Path(request.source.removeprefix(FOLDER_PREFIX))
    if not folder.is_dir():
        how = "hf download --repo-type dataset OWNER/NAME --local-dir FOLDER"
        raise InputError(f"no such folder; download the data set first with {how}", folder)
    card = _read_card(folder)
    files = {part: _files_of_part(folder, card, part) for part in USUAL}
    for part, what in (("corpus", "corpus.jsonl or corpus/"), ("queries", "queries.jsonl or queries/")):
        if not files[part]:
            raise InputError(f"no {part}; expected {what}, or a README.md that names its files", folder)
    noted = set[str]()
    topics = [
        topic
        for path in _all_paths(files["queries"])
        for topic in read_topics(path, note=_located_note(request.note, path, noted))
    ]
    qrels = [read_qrels(path) for path in _files_of_split(folder, files["default"], request.split)]
    others = [name for name in files["default"] if name != "test"]
    if request.note and request.split is None and "test" in files["default"] and others:
        also = f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} also available"
        request.note(f"read the judgments of the split test; {also}; choose a split with --split")
    documents = _folder_documents(_all_paths(files["corpus"]), request)
    name, licence = str(card.get("pretty_name") or folder.resolve().name), card.get("license") or ""
    licence_text = licence if isinstance(licence, str) else ""
    return WholeCollection(
        name, folder.resolve().name, documents, topics=topics, qrels=qrels, grades={}, licence=licence_text
    )


def _read_card(folder: Path) -> Mapping[str, Any]:
    """What the card at the start of README.md says; nothing where there is none."""
    path = folder / "README.md"
    card = CARD.match(read_text(path)) if path.is_file() else None
    return parse_yaml_fields(card[1], path, 2, "a card") if card else {}


def _files_of_part(folder: Path, card: Mapping[str, Any], part: str) -> Splits:
    """The files of a part, by split: those that the card lists, or else those of its usual names."""
    patterns = [
        (str(entry.get("split", "")), pattern)
        for config in _as_list(card.get("configs"))
        if isinstance(config, Mapping) and config.get("config_name") in NAMES.get(part, (part,))
        for entry in _as_list(config.get("data_files"))
        if isinstance(entry, Mapping)
        for pattern in _as_list(entry.get("path"))
    ]
    if not patterns:
        return next(filter(None, (_splits_of_folder(folder, pattern) for pattern in USUAL[part])), {})
    splits: Splits = {}
    for split, pattern in patterns:
        splits.setdefault(split, []).extend(_files_of_pattern(folder, str(pattern)))
    return splits


def _as_list(value: object) -> list[Any]:
    """A value as a list, where one may stand alone."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _files_of_pattern(folder: Path, pattern: str) -> list[Path]:
    """The files of a pattern, none of which may be outside the folder."""
    parts = Path(pattern).parts
    if os.path.isabs(pattern) or ".." in parts or not parts:
        raise InputError(f"README.md names {pattern!r:.60}; expected a path inside the folder", folder / "README.md")
    files = list[Path]()
    with suppress(OSError, ValueError):  # of what is no pattern, and of names that are too long
        files = sorted(path for path in folder.glob(pattern) if path.is_file())
    if not files:
        raise InputError(f"README.md names {pattern!r:.60}, but there is no such file", folder / "README.md")
    return files


def _splits_of_folder(folder: Path, pattern: str) -> Splits:
    """Files by their names without the numbers of pieces."""
    splits: Splits = {}
    for path in sorted(folder.glob(pattern)):
        if path.is_file() and not path.name.startswith("."):
            splits.setdefault(PIECE.sub("", file_name_without_suffixes(path)), []).append(path)
    return splits


def _all_paths(splits: Splits) -> list[Path]:
    return [path for paths in splits.values() for path in paths]


def _files_of_split(folder: Path, splits: Splits, split: str | None) -> list[Path]:
    """The judgments of a split; if none is named those of test, or of the only one."""
    name = split or "test"
    if name in splits or not (splits or split):
        return splits.get(name, [])
    if len(splits) == 1 and name == "test":
        return _all_paths(splits)
    which = f"expected --split {' or '.join(splits)}" if splits else "this folder has no judgments"
    raise InputError(f"found no judgments of the split {name!r}; {which}", folder)


def _folder_documents(paths: Sequence[Path], request: CollectionRequest) -> Iterator[Document]:
    noted = set[str]()
    for path in paths:
        yield from read_corpus(path, note=_located_note(request.note, path, noted))


def _located_note(note: Note | None, path: Path, noted: set[str]) -> Note | None:
    """A function that reports a line with its file, unless an earlier piece of the same part had the same line."""

    def report(line: str) -> None:
        if note and line not in noted:
            noted.add(line)
            note(f"{path}: {line}")

    return note and report


FOLDER = CollectionForm(
    "folder", "a folder in the layout of BEIR or Hugging Face (hf:FOLDER)", detect_folder, read_folder
)


ZIPPED = re.compile(r"(?:[^/]+/)?(README\.md|(?:corpus|queries)\.jsonl|qrels/[\w-]+\.tsv)")
MOST_UNPACKED = 64 << 30  # bytes


def detect_zip(source: str) -> bool:
    return source.endswith(".zip") and os.path.isfile(source)


def read_zip(request: CollectionRequest) -> WholeCollection:
    """A BEIR folder as it is downloaded, in a zip file; what is none of its files is left there."""
    place = TemporaryDirectory()
    try:
        _unpack(request.source, Path(place.name))
        collection = read_folder(request._replace(source=place.name))
    except BaseException:
        place.cleanup()
        raise
    name = Path(request.source).name
    title = name.removesuffix(".zip") if collection.origin == collection.name else collection.name
    return replace(collection, name=title, origin=name, documents=_yield_in_folder(place, collection.documents))


def _unpack(source: str, folder: Path) -> None:
    try:
        with ZipFile(source) as archive:
            members = {match[1]: one for one in archive.infolist() if (match := ZIPPED.fullmatch(one.filename))}
            size = sum(one.file_size for one in members.values())
            if size > MOST_UNPACKED:
                raise InputError(f"{size:,} bytes after unpacking; unpack it yourself, and give the folder", source)
            for name, member in members.items():
                (folder / name).parent.mkdir(exist_ok=True)
                with archive.open(member) as content, (folder / name).open("wb") as file:
                    copyfileobj(content, file)
    except (BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise InputError(f"not a readable zip file: {error}", source) from error
    if "corpus.jsonl" not in members:
        raise InputError("no corpus.jsonl at the top or in its only folder; expected a BEIR folder", source)


def _yield_in_folder(place: TemporaryDirectory[str], documents: Iterator[Document]) -> Iterator[Document]:
    with place:
        yield from documents


ZIP = CollectionForm("zip", "a zip file of a BEIR folder", detect_zip, read_zip)


IR_DATASETS_PREFIX = "ir_datasets:"
LAYOUT = Layout("qrels have", ("qid", "iteration", "docno", "grade"), tabs=True)


def detect_ir_datasets(source: str) -> bool:
    return source.startswith(IR_DATASETS_PREFIX)


def read_ir_datasets(request: CollectionRequest) -> WholeCollection:
    """Collections of the package ir_datasets, by their id: documents, queries and judgments, whichever there are.

    The package downloads what it does not have yet.

    The collection of this id; what goes wrong in the package is an error of one line.
    """
    if request.split is not None:
        raise InputError(
            "--split applies only to folders; name the subset in the id, such as ir_datasets:msmarco-passage/dev",
            request.source,
        )
    dataset = _load_dataset(request.source)
    try:
        if not any(map(dataset.has, ("docs", "queries", "qrels"))):
            raise InputError("no documents, queries or judgments", request.source)
        topics = list(_dataset_topics(dataset, request.source)) if dataset.has("queries") else []
        qrels = [_read_dataset_qrels(dataset, request.source)] if dataset.has("qrels") else []
        grades = dataset.qrels_defs() if dataset.has("qrels") else {}
        meanings = {int(grade): str(meaning) for grade, meaning in grades.items()}
        documents = _dataset_documents(dataset, request.source) if dataset.has("docs") else iter(())
    except (OSError, RuntimeError, ValueError) as error:
        raise _dataset_error(error, request.source) from error
    return WholeCollection(
        request.source.removeprefix(IR_DATASETS_PREFIX),
        request.source,
        documents,
        topics=topics,
        qrels=qrels,
        grades=meanings,
    )


def _load_dataset(source: str) -> Any:
    require_extra("interop", "a collection of ir_datasets", "ir_datasets", path=source)
    import ir_datasets

    name = source.removeprefix(IR_DATASETS_PREFIX)
    try:
        return ir_datasets.load(name)
    except KeyError:
        near = get_close_matches(name, list(ir_datasets.registry), 3)
        hint = f"; similar: {', '.join(near)}" if near else "; https://ir-datasets.com lists them"
        raise InputError(f"ir_datasets has no {name!r}{hint}", source) from None


def _dataset_documents(dataset: Any, source: str) -> Iterator[Document]:
    try:
        for number, record in enumerate(dataset.docs_iter(), 1):
            read = document_from_fields(_record_fields(record), source, number)
            yield read if read.text else read._replace(text=record.default_text())
    except (OSError, RuntimeError, ValueError) as error:
        raise _dataset_error(error, source) from error


def documents_of_ir_datasets(source: str, docnos: Sequence[str]) -> tuple[int | None, Iterator[Document]]:
    """How many documents a collection of ir_datasets has, if it says so, and those of these docnos that it has."""
    dataset = _load_dataset(source)
    if not dataset.has("docs"):
        raise InputError("no documents", source)
    count = dataset.metadata().get("docs", {}).get("count")
    return count, _wanted_documents(dataset, source, docnos)


def _wanted_documents(dataset: Any, source: str, docnos: Sequence[str]) -> Iterator[Document]:
    try:
        for number, record in enumerate(dataset.docs_store().get_many_iter(docnos), 1):
            read = document_from_fields(_record_fields(record), source, number)
            yield read if read.text else read._replace(text=record.default_text())
    except (OSError, RuntimeError, ValueError) as error:
        raise _dataset_error(error, source) from error


def _dataset_topics(dataset: Any, source: str) -> Iterator[Topic]:
    for number, record in enumerate(dataset.queries_iter(), 1):
        read = topic_from_fields(_record_fields(record), source, number)
        yield read if read.title else read._replace(title=record.default_text())


def _record_fields(record: Any) -> Fields:
    """The fields of a record that are not empty; bytes are text as in other files."""
    texts = {
        name: latin1_text(value.decode("utf-8", "surrogateescape")) if isinstance(value, bytes) else value
        for name, value in record._asdict().items()
    }
    return {name: json_cell(value) for name, value in texts.items() if value not in (None, "", (), [])}


def _read_dataset_qrels(dataset: Any, source: str) -> Qrels:
    has_subtopics = "subtopic_id" in dataset.qrels_cls()._fields
    second = "subtopic_id" if has_subtopics else "iteration"
    rows = (
        (one.query_id, getattr(one, second, None) or "0", one.doc_id, one.relevance) for one in dataset.qrels_iter()
    )
    lines = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    return qrels_of_table(UnreadTable(source, lines.encode(), BY_SUBTOPIC if has_subtopics else LAYOUT))


def _dataset_error(error: Exception, source: str) -> InputError:
    return InputError(f"ir_datasets cannot read it: {error or type(error).__name__}".splitlines()[0], source)


IR_DATASETS = CollectionForm("ir_datasets", "ir_datasets:ID", detect_ir_datasets, read_ir_datasets)


ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst", ".zip")


def forms() -> tuple[CollectionForm, ...]:
    """The forms, in the order of detection.

    >>> [form.name for form in forms()]
    ['ir_datasets', 'folder', 'zip']
    """
    return IR_DATASETS, FOLDER, ZIP


def read_collection(request: CollectionRequest) -> WholeCollection:
    """The collection that is asked for; a source that is of no form is refused.

    >>> read_collection(CollectionRequest("beir:scifact"))
    Traceback (most recent call last):
    cranfield.errors.InputError: beir:scifact: no such folder; a collection is ir_datasets:ID, or a folder in the layout
    of BEIR or Hugging Face (hf:FOLDER), or a zip file of a BEIR folder
    """
    form = next((form for form in forms() if form.detect(request.source)), None)
    if form is None:
        descriptions = ", or ".join(form.description for form in forms())
        raise InputError(f"{_refusal_reason(request.source)}; a collection is {descriptions}", request.source)
    return form.read(request)


def _refusal_reason(source: str) -> str:
    if "://" in source:
        return "an address; expected a local path; download the collection first"
    if not os.path.exists(source):
        return "no such folder"
    return "an archive; unpack it first" if source.endswith(ARCHIVES) else "a file"
