"""Runs as other tools keep them: ranx's .lz4, rank_llm's requests and results, MTEB's predictions.

A message names the number of an entry, one for each document of a topic.
"""

import re
import struct
from collections.abc import Iterable, Iterator
from typing import Any

from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import LIMITS, PIECE, Format, OpenFile, limit_message
from cranfield.formats.jsonl import number_entries, number_records, read_json, require_json_object, require_json_objects
from cranfield.formats.named import rows_as_table
from cranfield.formats.records import Fields

LZ4 = b"\x04\x22\x4d\x18"
NATURAL, NEGATIVE, BYTES, TEXT, LIST, MAP, TAG, SIMPLE = range(8)  # the major types of CBOR
FLOATS = {25: ">e", 26: ">f", 27: ">d"}
SIZES = {24: 1, 25: 2, 26: 4, 27: 8}


class Cbor:
    """CBOR, as far as ranx writes it: maps by text, text and numbers; what else there is can be passed over.

    Source: RFC 8949, section 3.

    >>> cbor = Cbor(bytes.fromhex("a1 62 7131 a1 62 6431 fb 3fe0000000000000"), "a.lz4")
    >>> [(name, [(inner, cbor.number()) for inner in cbor.names()]) for name in cbor.names()]
    [('q1', [('d1', 0.5)])]
    """

    def __init__(self, data: bytes, path: object) -> None:
        self.data, self.path, self.at = data, path, 0

    def names(self) -> Iterator[str]:
        """The names of a map; who takes one reads its value before the next."""
        for _ in range(self._read_argument(MAP, "a map")):
            length = self._read_argument(TEXT, "a text")
            try:
                yield self._take_bytes(length).decode()
            except UnicodeDecodeError:
                raise self._input_error("an id that is not UTF-8") from None

    def number(self) -> int | float:
        kind, info = self._read_head()
        if kind == SIMPLE and info in FLOATS:
            return float(struct.unpack(FLOATS[info], self._take_bytes(SIZES[info]))[0])
        if kind not in (NATURAL, NEGATIVE):
            raise self._input_error("a value that is not a number; expected a score")
        argument = self._argument(info)
        return argument if kind == NATURAL else -1 - argument

    def skip_value(self) -> None:
        """Pass over a value, whatever it is."""
        pending = 1
        while pending:
            kind, info = self._read_head()
            size = self._argument(info)
            if kind in (BYTES, TEXT):
                self._take_bytes(size)
            pending += {LIST: size, MAP: 2 * size, TAG: 1}.get(kind, 0) - 1

    def _read_argument(self, major: int, what: str) -> int:
        kind, info = self._read_head()
        if kind != major:
            raise self._input_error(f"a value of another type; expected {what}")
        return self._argument(info)

    def _read_head(self) -> tuple[int, int]:
        first = self._take_bytes(1)[0]
        return first >> 5, first & 31

    def _argument(self, info: int) -> int:
        if info > max(SIZES):
            raise self._input_error("a value without a length")
        return info if info < min(SIZES) else int.from_bytes(self._take_bytes(SIZES[info]))

    def _take_bytes(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise self._input_error("the file ends too early")
        self.at += size
        return self.data[self.at - size : self.at]

    def _input_error(self, what: str) -> InputError:
        return InputError(f"not a run of ranx: {what}, at byte {self.at} of its CBOR", str(self.path))


def detect_ranx(head: bytes, path: str) -> bool:
    return head.startswith(LZ4)


def read_ranx(source: OpenFile) -> UnreadTable:
    """ranx's .lz4: {qid: {docno: score}} as CBOR, compressed twice; or ranxhub's, where that is "run".

    Source: `save_lz4` in ranx/io.py and `save` in ranx/ranxhub.py of AmenRa/ranx, 0.3.21.
    """
    cbor = Cbor(_decompress(source), source.path)
    return rows_as_table(source, "run", number_entries(_ranx_entries(cbor)))


def _decompress(source: OpenFile) -> bytes:
    """What is compressed within the file, which is decompressed already."""
    require_extra("arrow", "ranx's .lz4", path=source.path)
    import pyarrow as pa

    inside, most = pa.BufferReader(source.buffer.read()), LIMITS.get().file
    try:
        with pa.CompressedInputStream(inside, "lz4") as stream:
            data = bytearray()
            while len(data) <= most and (piece := stream.read(PIECE)):
                data += piece
    except OSError:
        raise InputError("the compressed data is truncated or damaged; copy it again", source.path) from None
    if len(data) > most:
        raise InputError(limit_message("a file that is read into memory", "file"), source.path)
    return bytes(data)


def _ranx_entries(cbor: Cbor, inside: bool = False) -> Iterator[Fields]:
    is_hub = False
    for qid in cbor.names():
        if qid == "metadata" and not inside:
            is_hub = True
            cbor.skip_value()
        elif is_hub:
            yield from _ranx_entries(cbor, inside=True)
        else:
            for docno in cbor.names():
                yield {"qid": qid, "docno": docno, "score": cbor.number()}


RANX = Format("run", "ranx", "ranx's .lz4", detect_ranx, read_ranx)


REQUEST = re.compile(rb'\s*\[?\s*\{\s*"query"\s*:\s*\{')


def detect_rank_llm(head: bytes, path: str) -> bool:
    """Whether it begins with an object whose query is one.

    >>> detect_rank_llm(b'{"query": {"text": "lift", "qid": 1}, "candidates": []}', "r")
    True
    >>> detect_rank_llm(b'{"q1": {"d1": 0.5}}', "r")
    False
    """
    return bool(REQUEST.match(head))


def read_rank_llm(source: OpenFile) -> UnreadTable:
    """rank_llm's requests and results, JSON or one a line: a query, and candidates with docid and score.

    Their scores count, as in the run files that rank_llm writes of them; texts, prompts and answers are left.
    Source: `DataWriter` in src/rank_llm/data.py of castorini/rank_llm, 0.25.
    """
    whole = read_json(source)
    requests = number_records([whole] if isinstance(whole, dict) else whole, source)
    return rows_as_table(source, "run", number_entries(_candidates(source, requests)))


def _candidates(source: OpenFile, requests: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Fields]:
    for record, request in requests:
        query = require_json_object(request.get("query"), "query", source, record)
        if "qid" not in query or "candidates" not in request:
            raise InputError("the query lacks a qid, or the candidates are missing; expected both", source.path, record)
        for candidate in require_json_objects(request["candidates"], "candidates", source, record):
            yield {"qid": query["qid"], "docno": candidate.get("docid"), "score": candidate.get("score")}


RANK_LLM = Format(
    "run",
    "rank-llm",
    "rank_llm's JSON or JSONL: query, candidates with docid and score",
    detect_rank_llm,
    read_rank_llm,
)


def detect_mteb(head: bytes, path: str) -> bool:
    return bool(re.match(rb'\s*\{\s*"mteb_model_meta"\s*:', head))


def read_mteb(source: OpenFile) -> UnreadTable:
    """MTEB's predictions of a retrieval task: {subset: {split: {qid: {docno: score}}}}; the model is the tag.

    Source: `_save_task_predictions` in mteb/abstasks/abstask.py of embeddings-benchmark/mteb, 2.26.
    """
    whole = require_json_object(read_json(source), "the file", source, 1)
    model = require_json_object(whole.pop("mteb_model_meta", None), "mteb_model_meta", source, 1).get("model_name")
    parts = {
        f"{subset}, {split}": topics
        for subset, splits in whole.items()
        for split, topics in require_json_object(splits, subset, source, 1).items()
    }
    if len(parts) != 1:
        several = "; ".join(parts) or "none"
        raise InputError(
            f"the subsets and splits {several}; expected predictions for one subset and split", source.path
        )
    (name,) = parts
    rows = _predictions(source, require_json_object(parts[name], name, source, 1), {"tag": model} if model else {})
    return rows_as_table(source, "run", number_entries(rows))


def _predictions(source: OpenFile, topics: dict[str, Any], tag: dict[str, object]) -> Iterator[Fields]:
    for qid, documents in topics.items():
        for docno, score in require_json_object(documents, f"topic {qid}", source, 1).items():
            yield {"qid": qid, "docno": docno, "score": score, **tag}


MTEB = Format("run", "mteb", "MTEB's predictions of a retrieval task", detect_mteb, read_mteb)
