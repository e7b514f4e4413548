"""Systems outside, by kind: one over HTTP, page by page; a command; a model of embeddings.

A command gets topics as JSON lines and gives a TREC run, without a shell. Of embeddings the score is the exact inner
product of unit vectors of topic and document.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import InputError
from cranfield.features.collecting.systems.client import Client, NoResponseError, value_at
from cranfield.features.collecting.systems.definition import NUMBERS, PLACEHOLDER, Engine
from cranfield.formats import Document, Topic, read_runs
from cranfield.search.index import best_documents
from cranfield.search.systems import query_text

Hits = list[tuple[str, float]]


def ask_topic(system: Engine, client: Client, topic: Topic, depth: int) -> tuple[Hits, int]:
    """The documents of a topic with their scores, the first of a duplicate, and how many were duplicates."""
    request, answer = system.values["request"], system.values["answer"]
    size = int(request.get("page_size", depth))
    scores, twice, start, page = dict[str, float](), 0, 0, int(request.get("first_page", 0))
    while start < depth:
        now = min(size, depth - start)
        numbers = {"from": start, "page": page, "size": now}
        content = client.ask(
            fill(request["url"], topic, numbers, escapes_url=True),
            fill(request.get("body"), topic, numbers),
            request.get("method"),
        )
        hits = hits_of(content, answer)
        for place, hit in enumerate(hits[:now]):
            docno, score = _hit(hit, answer, depth - start - place)
            twice += docno in scores
            scores.setdefault(docno, score)
        start, page = start + now, page + 1
        if len(hits) < now:
            break
    return list(scores.items()), twice


def hits_of(content: Any, answer: Mapping[str, Any]) -> list[Any]:
    """The hits of an answer that is whole."""
    for path, right in answer.get("require", {}).items():
        if (is_there := value_at(content, path)) != right:
            raise NoResponseError(f"{path} is {is_there!r}; required is {right!r}")
    try:
        hits = value_at(content, answer["hits"])
    except NoResponseError:
        if answer.get("absent") == "none":
            return []
        raise
    if not isinstance(hits, list):
        raise NoResponseError(f"{answer['hits']} is {hits!r:.40}; expected a list")
    return hits


def _hit(hit: Any, answer: Mapping[str, Any], rank_score: float) -> tuple[str, float]:
    score = rank_score if answer.get("score", "none") == "none" else value_at(hit, answer["score"])
    try:
        value = float(score)
    except (TypeError, ValueError):
        value = float("nan")
    if not isfinite(value):
        raise NoResponseError(f"{answer['score']} is {score!r:.40}; expected a number")
    return str(value_at(hit, answer["id"])), value


def fill(value: Any, topic: Topic, numbers: Mapping[str, int], escapes_url: bool = False) -> Any:
    """A template with the words of a topic and the numbers of a page; what is a number alone stays one.

    >>> topic = Topic("7", "wings (swept)")
    >>> fill({"q": "{title:any}", "size": "{size}"}, topic, {"size": 10})
    {'q': 'wings OR swept', 'size': 10}
    >>> fill("/s?q={title}", topic, {}, escapes_url=True)
    '/s?q=wings%20%28swept%29'
    """
    if isinstance(value, Mapping):
        return {name: fill(each, topic, numbers, escapes_url) for name, each in value.items()}
    if isinstance(value, list):
        return [fill(each, topic, numbers, escapes_url) for each in value]
    if not isinstance(value, str):
        return value
    if (alone := PLACEHOLDER.fullmatch(value)) and alone[1] in numbers:
        return numbers[alone[1]]
    return PLACEHOLDER.sub(lambda match: _text(match, topic, numbers, escapes_url), value)


def _text(match: re.Match[str], topic: Topic, numbers: Mapping[str, int], escapes_url: bool) -> str:
    name, how = match[1], match[2]
    if name in NUMBERS:
        return str(numbers.get(name, ""))
    text = str(getattr(topic, name))
    if how:
        text = (" OR " if how == "any" else " ").join(re.findall(r"\w+", text))
    return quote(text, safe="") if escapes_url else text


def environment_of_command(system: Engine) -> dict[str, str]:
    """Return the variables that a command gets: PATH and those that the user names."""
    return {name: os.environ[name] for name in ("PATH", *sorted(system.variables)) if name in os.environ}


def ran(system: Engine, topics: Sequence[Topic], depth: int) -> dict[str, Hits]:
    """The rankings of a command by topic; `{size}` among its arguments is the depth."""
    lines = "".join(
        json.dumps(dict(zip(("qid", "title", "description", "narrative"), topic[:4], strict=True))) + "\n"
        for topic in topics
    )
    argv = [str(part).replace("{size}", str(depth)) for part in system.values["argv"]]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run.txt"
        with out.open("wb") as file:
            try:
                process = subprocess.run(
                    argv,
                    check=False,
                    input=lines.encode(),
                    env=environment_of_command(system),
                    stdout=file,
                    stderr=subprocess.PIPE,
                    timeout=system.limit("timeout") * len(topics),
                )
            except subprocess.TimeoutExpired as error:
                raise InputError(f"{argv[0]} took longer than {error.timeout:.0f} seconds", system.path) from None
            except OSError as error:
                raise InputError(f"{argv[0]} cannot be run: {error.strerror}", system.path) from None
        if process.returncode:
            last = (process.stderr.decode("utf-8", "replace").strip().splitlines() or ["nothing"])[-1]
            raise InputError(
                f"{argv[0]} ended with status {process.returncode}; its last line is: {last:.200}", system.path
            )
        if out.stat().st_size > system.limit("max_bytes"):
            raise InputError(f"{argv[0]} wrote more than max_bytes, {system.limit('max_bytes')} bytes", system.path)
        return _hits_by_topic(out, system, {topic.qid for topic in topics}, depth)


def _hits_by_topic(out: Path, system: Engine, qids: set[str], depth: int) -> dict[str, Hits]:
    try:
        runs = read_runs([out])
    except InputError as error:
        raise InputError(
            f"its output is not a run: {str(error).replace(str(out), 'its output')}", system.path
        ) from None
    rankings: dict[str, Hits] = {}
    for topic, document, score, rank in zip(runs.topic, runs.document, runs.score.tolist(), runs.rank, strict=True):
        qid = str(runs.topics.names[topic])
        if qid not in qids:
            raise InputError(f"it answered topic {qid!r}, which was not requested", system.path)
        if rank <= depth:
            rankings.setdefault(qid, []).append((str(runs.docnos.names[document]), score))
    return rankings


MOST = 2048  # texts of a request
BLOCK = 10_000  # documents whose vectors are in memory at a time
T = TypeVar("T")
Vectors = NDArray[np.float32]


def embed(system: Engine, client: Client, texts: Sequence[str], folder: Path) -> Vectors:
    """The unit vectors of texts, those that were made before from a folder: by model and text."""
    folder.mkdir(parents=True, exist_ok=True)
    model = system.values["model"]
    names = [folder / f"{sha256(json.dumps([model, text]).encode()).hexdigest()}.npy" for text in texts]
    missing = [number for number, name in enumerate(names) if not name.exists()]
    for some in _parts(missing, min(int(system.values.get("batch", 64)), MOST)):
        new = _request_unit_vectors(system, client, [texts[number] for number in some])
        for number, vector in zip(some, new, strict=True):
            np.save(names[number], vector)
    vectors = [np.load(name) for name in names]
    _check_dimension(vectors, folder)
    return np.stack(vectors)


def _check_dimension(vectors: Sequence[Vectors], folder: Path) -> None:
    if len({vector.shape[-1] for vector in vectors}) > 1:
        raise NoResponseError(
            f"the embeddings have different dimensions, because the model has changed; remove {folder}", stop=True
        )


def _parts(every: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(every)
    while some := list(islice(rest, size)):
        yield some


def _request_unit_vectors(system: Engine, client: Client, texts: Sequence[str]) -> Vectors:
    """One request: as many vectors as texts, each finite and not zero, made unit vectors."""
    body = {"model": system.values["model"], "input": list(texts), "encoding_format": "float"}
    content: Any = client.ask(f"{system.url.rstrip('/')}/embeddings", body)
    try:
        vectors_by_index = {int(one["index"]): one["embedding"] for one in content["data"]}
        vectors = np.array([vectors_by_index[number] for number in range(len(texts))], np.float32)
    except (KeyError, TypeError, ValueError) as error:
        raise NoResponseError(
            f"the answer does not contain {len(texts)} embeddings of the same dimension: {error!r:.60}"
        ) from None
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    if len(vectors_by_index) != len(texts) or not np.isfinite(vectors).all() or not length.all():
        raise NoResponseError("an embedding is missing, zero or not finite")
    return np.asarray(vectors / length, np.float32)


def text_to_embed(system: Engine, text: str, prefix: str) -> str:
    """What is embedded of a text."""
    return f"{system.values.get(prefix, '')}{text}"[: int(system.values.get("max_chars", 8000))]


def nearest(
    system: Engine, client: Client, documents: Iterable[Document], topics: Sequence[Topic], depth: int, *, folder: Path
) -> dict[str, Hits]:
    """The rankings by topic."""
    queries = embed(
        system, client, [text_to_embed(system, query_text(t, "title"), "query_prefix") for t in topics], folder
    )
    rankings: dict[str, Hits] = {topic.qid: [] for topic in topics}
    for some in _parts(documents, BLOCK):
        texts = {d.docno: text_to_embed(system, f"{d.title} {d.text}".strip(), "document_prefix") for d in some}
        docnos = sorted(texts)
        rows = embed(system, client, [texts[docno] for docno in docnos], folder)
        _check_dimension([rows, queries], folder)
        for topic, query in zip(topics, queries, strict=True):
            scores = (rows @ query).astype(float)
            hits = [
                *rankings[topic.qid],
                *((docnos[number], float(scores[number])) for number in best_documents(scores, depth)),
            ]
            rankings[topic.qid] = sorted(hits, key=lambda hit: (hit[1], hit[0]), reverse=True)[:depth]
    return rankings
