"""BEIR: a folder of corpus.jsonl, queries.jsonl and qrels/test.tsv, each perhaps compressed; its qrels also alone."""

import os
from collections.abc import Iterable, Iterator

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.formats import jsonl
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import COMPRESSIONS, OpenFile, Path, opened
from cranfield.formats.layout import Layout
from cranfield.formats.records import Document, Format, Located, Topic
from cranfield.formats.whole_files import check_cells, write_lines

CORPUS_FILE, QUERIES_FILE, QRELS_FILE = "corpus.jsonl", "queries.jsonl", os.path.join("qrels", "test.tsv")
BEIR_HEADER = b"query-id\tcorpus-id\tscore"
BEIR_LAYOUT = Layout("BEIR qrels have", ("qid", "docno", "grade"), tabs=True, header=b"query-id")


def detect_beir(head: bytes, path: str) -> bool:
    return os.path.isdir(path)


def detect_beir_qrels(head: bytes, path: str) -> bool:
    return head.partition(b"\n")[0].strip() == BEIR_HEADER or os.path.isdir(path)


def read_beir_corpus(source: OpenFile) -> Iterator[Document]:
    with opened(_member(source.path, CORPUS_FILE), source.names, whole=False) as member:
        yield from jsonl.read_corpus(member)


def read_beir_topics(source: OpenFile) -> Iterator[Located]:
    with opened(_member(source.path, QUERIES_FILE), source.names) as member:
        yield from jsonl.read_topics(member)


def read_beir_qrels(source: OpenFile) -> UnreadTable:
    """The judgments of a file, or those a folder has for testing; train.tsv or dev.tsv has to be named itself."""
    if not os.path.isdir(source.path):
        return UnreadTable(source.path, source.data(), BEIR_LAYOUT)
    with opened(_member(source.path, QRELS_FILE)) as member:
        return read_beir_qrels(member)


def write_beir_corpus(path: Path, documents: Iterable[Document]) -> None:
    jsonl.write_corpus(_new_member(path, CORPUS_FILE), documents)


def write_beir_topics(path: Path, topics: Iterable[Topic]) -> None:
    jsonl.write_queries(_new_member(path, QUERIES_FILE), topics)


def write_beir_qrels(path: Path, qrels: Qrels) -> None:
    """Write the judgments, into a folder if `path` is one; the iteration has no place here."""
    file = _new_member(path, QRELS_FILE) if os.path.isdir(path) else path
    write_lines(file, _qrels_lines(file, qrels))


def _member(folder: Path, name: str) -> str:
    """A file of the folder, plain or compressed."""
    candidates = (os.path.join(folder, name + suffix) for suffix in ("", *COMPRESSIONS))
    if found := next(filter(os.path.exists, candidates), None):
        return found
    files = os.path.join(folder, "*")
    raise InputError(
        f"a folder without {name}; expected the layout of BEIR, or the files themselves, as {files}", folder
    )


def _new_member(folder: Path, name: str) -> str:
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def _qrels_lines(path: Path, qrels: Qrels) -> Iterator[str]:
    yield BEIR_HEADER.decode()
    qids, docnos = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    for qid, docno, grade in zip(qids, docnos, qrels.grade.tolist(), strict=True):
        check_cells(path, f"document {docno} of topic {qid}", (qid, docno))
        yield f"{qid}\t{docno}\t{grade}"


BEIR_CORPUS = Format(
    "corpus", "beir", "BEIR folder: corpus.jsonl", detect_beir, read_beir_corpus, write_beir_corpus, "folder"
)
BEIR_TOPICS = Format(
    "topics", "beir", "BEIR folder: queries.jsonl", detect_beir, read_beir_topics, write_beir_topics, "folder"
)
BEIR_QRELS = Format(
    "qrels",
    "beir",
    "BEIR: query-id TAB corpus-id TAB score, with this header",
    detect_beir_qrels,
    read_beir_qrels,
    write_beir_qrels,
    "either",
)
