"""The tables of a published collection: their columns, each with its type as Hugging Face's `datasets` names it."""

from __future__ import annotations

from collections.abc import Mapping

Columns = Mapping[str, str]  # name -> string, int64, float64 or bool

CORPUS: Columns = {
    "_id": "string", "title": "string", "text": "string", "url": "string", "sha256": "string", "metadata": "string",
}  # fmt: skip
CORPUS_WITHOUT_TEXT: Columns = {"_id": "string", "url": "string", "sha256": "string"}
QUERIES: Columns = {
    "_id": "string", "text": "string", "description": "string", "narrative": "string", "language": "string",
    "metadata": "string",
}  # fmt: skip
QRELS: Columns = {
    "query-id": "string", "corpus-id": "string", "score": "float64", "stratum": "string", "probability": "float64",
    "pool_depth": "int64", "labels": "int64", "source": "string",
}  # fmt: skip
JUDGMENTS: Columns = {
    "event": "int64", "at": "string", "kind": "string", "query-id": "string", "corpus-id": "string",
    "assessor": "string", "grade": "int64", "unsure": "bool", "reason": "string", "note": "string",
    "evidence": "string", "source": "string", "seconds": "float64", "position": "int64", "order_policy": "string",
    "order_seed": "int64", "document_sha256": "string", "pool": "int64", "supersedes": "int64", "input": "string",
    "fast": "bool", "highlight_terms": "string", "docno_shown": "bool", "commitment": "string",
}  # fmt: skip
POOLS: Columns = {
    "pool": "int64", "query-id": "string", "corpus-id": "string", "depth": "int64", "runs": "string",
    "stratum": "string", "probability": "float64",
}  # fmt: skip
MAY_BE_EMPTY = frozenset({
    "stratum", "probability", "pool_depth", "grade", "evidence", "seconds", "position", "order_seed",
    "document_sha256", "pool", "supersedes",
})  # fmt: skip
FRAME: Columns = {"pool": "int64", "query-id": "string", "corpus-id": "string", "stratum": "string"}
