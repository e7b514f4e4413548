"""Folders in the layouts of Hugging Face (MTEB) and BEIR: a corpus, queries, and judgments by split.

Where README.md begins with a card that lists the files of the configurations corpus, queries and default, these are
read. Without one, files are found by their usual names: corpus.jsonl, corpus/*.parquet; queries the same; judgments in
qrels/, default/ or data/, named after their split. Any of them may be Parquet, JSONL, TSV or CSV, in several pieces.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.collections.collection import CollectionForm, Wanted, WholeCollection
from cranfield.formats.corpora_and_topics import read_corpus, read_topics
from cranfield.formats.files import bare_name, read_text
from cranfield.formats.records import Document
from cranfield.formats.runs_and_qrels import read_qrels
from cranfield.formats.texts.yaml_mapping import mapping_of

PREFIX = "hf:"
CARD = re.compile(r"---\r?\n(.*?\n)---\s*(?:\n|$)", re.DOTALL)
PIECE = re.compile(r"-\d{5}-of-\d{5}$")
USUAL: Mapping[str, Sequence[str]] = {
    "corpus": ("corpus.*", "corpus/*"),
    "queries": ("queries.*", "queries/*"),
    "default": ("qrels/*", "default/*", "data/*", "qrels.*"),
}
NAMES = {"default": ("default", "qrels")}  # of configurations, where there are others than ours
Splits = dict[str, list[Path]]


def detect(source: str) -> bool:
    return source.startswith(PREFIX) or os.path.isdir(source)


def read(wanted: Wanted) -> WholeCollection:
    """The collection of a folder; the documents are of all splits, the judgments of one."""
    folder = Path(wanted.source.removeprefix(PREFIX))
    if not folder.is_dir():
        how = "hf download --repo-type dataset OWNER/NAME --local-dir FOLDER"
        raise InputError(f"no such folder; download the data set first: {how}", folder)
    card = _card(folder)
    files = {part: _files(folder, card, part) for part in USUAL}
    for part, what in (("corpus", "corpus.jsonl or corpus/"), ("queries", "queries.jsonl or queries/")):
        if not files[part]:
            raise InputError(f"no {part}; expected {what}, or a README.md that names its files", folder)
    topics = [topic for path in _every(files["queries"]) for topic in read_topics(path, note=wanted.note)]
    qrels = [read_qrels(path) for path in _split(folder, files["default"], wanted.split)]
    documents = _documents(_every(files["corpus"]), wanted)
    name, licence = str(card.get("pretty_name") or folder.resolve().name), card.get("license") or ""
    stated = licence if isinstance(licence, str) else ""
    return WholeCollection(name, folder.resolve().name, documents, topics, qrels, {}, licence=stated)


def _card(folder: Path) -> Mapping[str, Any]:
    """What the card at the start of README.md says; nothing where there is none."""
    path = folder / "README.md"
    found = CARD.match(read_text(path)) if path.is_file() else None
    return mapping_of(found[1], path, 2, "a card") if found else {}


def _files(folder: Path, card: Mapping[str, Any], part: str) -> Splits:
    """The files of a part, by split: those that the card lists, or else those of its usual names."""
    listed = [
        (str(entry.get("split", "")), pattern)
        for config in _list(card.get("configs"))
        if isinstance(config, Mapping) and config.get("config_name") in NAMES.get(part, (part,))
        for entry in _list(config.get("data_files"))
        if isinstance(entry, Mapping)
        for pattern in _list(entry.get("path"))
    ]
    if not listed:
        return next(filter(None, (_by_name(folder, pattern) for pattern in USUAL[part])), {})
    found: Splits = {}
    for split, pattern in listed:
        found.setdefault(split, []).extend(_inside(folder, str(pattern)))
    return found


def _list(value: object) -> list[Any]:
    """A value as a list, where one may stand alone."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _inside(folder: Path, pattern: str) -> list[Path]:
    """The files of a pattern, none of which may be outside the folder."""
    parts = Path(pattern).parts
    if os.path.isabs(pattern) or ".." in parts or not parts:
        raise InputError(f"the card names {pattern!r:.60}, which is not inside the folder", folder / "README.md")
    found = list[Path]()
    with suppress(OSError, ValueError):  # of what is no pattern, and of names that are too long
        found = sorted(path for path in folder.glob(pattern) if path.is_file())
    if not found:
        raise InputError(f"no file {pattern!r:.60}, which the card names", folder / "README.md")
    return found


def _by_name(folder: Path, pattern: str) -> Splits:
    """Files by their names without the numbers of pieces."""
    found: Splits = {}
    for path in sorted(folder.glob(pattern)):
        if path.is_file() and not path.name.startswith("."):
            found.setdefault(PIECE.sub("", bare_name(path)), []).append(path)
    return found


def _every(splits: Splits) -> list[Path]:
    return [path for paths in splits.values() for path in paths]


def _split(folder: Path, splits: Splits, wanted: str | None) -> list[Path]:
    """The judgments of a split; if none is named those of test, or of the only one."""
    name = wanted or "test"
    if name in splits or not (splits or wanted):
        return splits.get(name, [])
    if len(splits) == 1 and name == "test":
        return _every(splits)
    which = f"--split takes {', '.join(splits)}" if splits else "this folder has no judgments"
    raise InputError(f"no judgments of split {name!r}; {which}", folder)


def _documents(paths: Sequence[Path], wanted: Wanted) -> Iterator[Document]:
    for path in paths:
        yield from read_corpus(path, note=wanted.note)


COLLECTION = CollectionForm("folder", "a folder in the layout of BEIR or Hugging Face (hf:FOLDER)", detect, read)
