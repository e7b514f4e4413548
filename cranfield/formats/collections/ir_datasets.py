"""Collections of the package ir_datasets, by their id: documents, queries and judgments, whichever there are.

The package downloads what it does not have yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.formats.collections.collection import CollectionForm, Wanted, WholeCollection
from cranfield.formats.columns import UnreadTable
from cranfield.formats.layout import Layout
from cranfield.formats.parquet import plain
from cranfield.formats.qrels.subtopics import LAYOUT as BY_SUBTOPIC
from cranfield.formats.records import Document, Fields, Topic, document, topic
from cranfield.formats.runs_and_qrels import qrels_of_table
from cranfield.formats.texts.latin1 import AS_LATIN1

PREFIX = "ir_datasets:"
LAYOUT = Layout("qrels have", ("qid", "iteration", "docno", "grade"), tabs=True)


def detect(source: str) -> bool:
    return source.startswith(PREFIX)


def read(wanted: Wanted) -> WholeCollection:
    """The collection of this id; what goes wrong in the package is an error of one line."""
    if wanted.split is not None:
        raise InputError(
            "--split is of folders; the id names the subset, such as ir_datasets:msmarco-passage/dev", wanted.source
        )
    dataset = _dataset(wanted.source)
    try:
        if not any(map(dataset.has, ("docs", "queries", "qrels"))):
            raise InputError("no documents, queries or judgments", wanted.source)
        topics = list(_topics(dataset, wanted.source)) if dataset.has("queries") else []
        qrels = [_qrels(dataset, wanted.source)] if dataset.has("qrels") else []
        meanings = {int(grade): str(meaning) for grade, meaning in _meanings(dataset).items()}
        documents = _documents(dataset, wanted.source) if dataset.has("docs") else iter(())
    except (OSError, RuntimeError, ValueError) as error:
        raise _failed(error, wanted.source) from error
    return WholeCollection(wanted.source.removeprefix(PREFIX), wanted.source, documents, topics, qrels, meanings)


def _dataset(source: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise InputError("the package ir_datasets is not installed; pip install ir_datasets", source) from None
    name = source.removeprefix(PREFIX)
    try:
        return ir_datasets.load(name)
    except KeyError:
        near = get_close_matches(name, list(ir_datasets.registry), 3)
        hint = f"; similar: {', '.join(near)}" if near else "; https://ir-datasets.com lists them"
        raise InputError(f"ir_datasets has no {name!r}{hint}", source) from None


def _meanings(dataset: Any) -> Mapping[int, str]:
    return dataset.qrels_defs() if dataset.has("qrels") else {}


def _documents(dataset: Any, source: str) -> Iterator[Document]:
    try:
        for number, record in enumerate(dataset.docs_iter(), 1):
            found = document(_fields(record), source, number)
            yield found if found.text else found._replace(text=record.default_text())
    except (OSError, RuntimeError, ValueError) as error:
        raise _failed(error, source) from error


def _topics(dataset: Any, source: str) -> Iterator[Topic]:
    for number, record in enumerate(dataset.queries_iter(), 1):
        found = topic(_fields(record), source, number)
        yield found if found.title else found._replace(title=record.default_text())


def _fields(record: Any) -> Fields:
    """The fields of a record that are not empty; bytes are text as in other files."""
    texts = {
        name: value.decode("utf-8", AS_LATIN1) if isinstance(value, bytes) else value
        for name, value in record._asdict().items()
    }
    return {name: plain(value) for name, value in texts.items() if value not in (None, "", (), [])}


def _qrels(dataset: Any, source: str) -> Qrels:
    by_subtopic = "subtopic_id" in dataset.qrels_cls()._fields
    second = "subtopic_id" if by_subtopic else "iteration"
    rows = (
        (one.query_id, getattr(one, second, None) or "0", one.doc_id, one.relevance) for one in dataset.qrels_iter()
    )
    lines = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    return qrels_of_table(UnreadTable(source, lines.encode(), BY_SUBTOPIC if by_subtopic else LAYOUT))


def _failed(error: Exception, source: str) -> InputError:
    return InputError(f"ir_datasets cannot read it: {error or type(error).__name__}".splitlines()[0], source)


COLLECTION = CollectionForm("ir_datasets", "ir_datasets:ID", detect, read)
