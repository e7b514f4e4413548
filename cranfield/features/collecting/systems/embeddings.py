"""A system outside that is a model of embeddings: the exact inner product of unit vectors of topics and documents."""

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.features.collecting.systems.client import Client, NoResponseError
from cranfield.features.collecting.systems.definition import Engine
from cranfield.features.collecting.systems.http import Hits
from cranfield.formats import Document, Topic
from cranfield.search.index import best
from cranfield.search.systems import query_text

MOST = 2048  # texts of a request
BLOCK = 10_000  # documents whose vectors are in memory at a time
T = TypeVar("T")
Vectors = NDArray[np.float32]


def embedded(system: Engine, client: Client, texts: Sequence[str], folder: Path) -> Vectors:
    """The unit vectors of texts, those that were made before from a folder: by model and text."""
    folder.mkdir(parents=True, exist_ok=True)
    model = system.values["model"]
    names = [folder / f"{sha256(json.dumps([model, text]).encode()).hexdigest()}.npy" for text in texts]
    missing = [number for number, name in enumerate(names) if not name.exists()]
    for some in _parts(missing, min(int(system.values.get("batch", 64)), MOST)):
        made = _asked(system, client, [texts[number] for number in some])
        for number, vector in zip(some, made, strict=True):
            np.save(names[number], vector)
    found = [np.load(name) for name in names]
    _check_dimension(found, folder)
    return np.stack(found)


def _check_dimension(vectors: Sequence[Vectors], folder: Path) -> None:
    if len({vector.shape[-1] for vector in vectors}) > 1:
        raise NoResponseError(
            f"the embeddings have different dimensions; the model has changed: remove {folder}", stop=True
        )


def _parts(every: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(every)
    while some := list(islice(rest, size)):
        yield some


def _asked(system: Engine, client: Client, texts: Sequence[str]) -> Vectors:
    """One request: as many vectors as texts, each finite and not zero, made unit vectors."""
    body = {"model": system.values["model"], "input": list(texts), "encoding_format": "float"}
    said: Any = client.ask(f"{system.url.rstrip('/')}/embeddings", body)
    try:
        by_index = {int(one["index"]): one["embedding"] for one in said["data"]}
        found = np.array([by_index[number] for number in range(len(texts))], np.float32)
    except (KeyError, TypeError, ValueError) as error:
        raise NoResponseError(f"not {len(texts)} embeddings of one dimension: {error!r:.60}") from None
    length = np.linalg.norm(found, axis=1, keepdims=True)
    if len(by_index) != len(texts) or not np.isfinite(found).all() or not length.all():
        raise NoResponseError("an embedding is missing, zero or not finite")
    return np.asarray(found / length, np.float32)


def shown(system: Engine, text: str, prefix: str) -> str:
    """What is embedded of a text."""
    return f"{system.values.get(prefix, '')}{text}"[: int(system.values.get("max_chars", 8000))]


def nearest(
    system: Engine, client: Client, documents: Iterable[Document], topics: Sequence[Topic], depth: int, *, folder: Path
) -> dict[str, Hits]:
    """The rankings by topic."""
    queries = embedded(system, client, [shown(system, query_text(t, "title"), "query_prefix") for t in topics], folder)
    found: dict[str, Hits] = {topic.qid: [] for topic in topics}
    for some in _parts(documents, BLOCK):
        texts = {d.docno: shown(system, f"{d.title} {d.text}".strip(), "document_prefix") for d in some}
        docnos = sorted(texts)
        rows = embedded(system, client, [texts[docno] for docno in docnos], folder)
        _check_dimension([rows, queries], folder)
        for topic, query in zip(topics, queries, strict=True):
            scores = (rows @ query).astype(float)
            hits = [*found[topic.qid], *((docnos[number], float(scores[number])) for number in best(scores, depth))]
            found[topic.qid] = sorted(hits, key=lambda hit: (hit[1], hit[0]), reverse=True)[:depth]
    return found
