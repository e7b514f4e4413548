"""A topic asked of a system over HTTP, page by page."""

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any
from urllib.parse import quote

from cranfield.features.collecting.systems.client import Client, NoResponseError, placed
from cranfield.features.collecting.systems.definition import NUMBERS, PLACEHOLDER, Engine
from cranfield.formats import Topic

Hits = list[tuple[str, float]]


def asked(system: Engine, client: Client, topic: Topic, depth: int) -> tuple[Hits, int]:
    """The documents of a topic with their scores, the first of a duplicate, and how many were duplicates."""
    request, answer = system.values["request"], system.values["answer"]
    size = int(request.get("page_size", depth))
    found, twice, start, page = dict[str, float](), 0, 0, int(request.get("first_page", 0))
    while start < depth:
        now = min(size, depth - start)
        numbers = {"from": start, "page": page, "size": now}
        said = client.ask(
            filled(request["url"], topic, numbers, quoted=True),
            filled(request.get("body"), topic, numbers),
            request.get("method"),
        )
        hits = hits_of(said, answer)
        for place, hit in enumerate(hits[:now]):
            docno, score = _hit(hit, answer, depth - start - place)
            twice += docno in found
            found.setdefault(docno, score)
        start, page = start + now, page + 1
        if len(hits) < now:
            break
    return list(found.items()), twice


def hits_of(said: Any, answer: Mapping[str, Any]) -> list[Any]:
    """The hits of an answer that is whole."""
    for path, right in answer.get("require", {}).items():
        if (is_there := placed(said, path)) != right:
            raise NoResponseError(f"{path} is {is_there!r}; required is {right!r}")
    try:
        hits = placed(said, answer["hits"])
    except NoResponseError:
        if answer.get("absent") == "none":
            return []
        raise
    if not isinstance(hits, list):
        raise NoResponseError(f"{answer['hits']} is {hits!r:.40}; expected a list")
    return hits


def _hit(hit: Any, answer: Mapping[str, Any], rank_score: float) -> tuple[str, float]:
    score = rank_score if answer.get("score", "none") == "none" else placed(hit, answer["score"])
    try:
        value = float(score)
    except (TypeError, ValueError):
        value = float("nan")
    if not isfinite(value):
        raise NoResponseError(f"{answer['score']} is {score!r:.40}; expected a number")
    return str(placed(hit, answer["id"])), value


def filled(value: Any, topic: Topic, numbers: Mapping[str, int], quoted: bool = False) -> Any:
    """A template with the words of a topic and the numbers of a page; what is a number alone stays one.

    >>> topic = Topic("7", "wings (swept)")
    >>> filled({"q": "{title:any}", "size": "{size}"}, topic, {"size": 10})
    {'q': 'wings OR swept', 'size': 10}
    >>> filled("/s?q={title}", topic, {}, quoted=True)
    '/s?q=wings%20%28swept%29'
    """
    if isinstance(value, Mapping):
        return {name: filled(each, topic, numbers, quoted) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, topic, numbers, quoted) for each in value]
    if not isinstance(value, str):
        return value
    if (alone := PLACEHOLDER.fullmatch(value)) and alone[1] in numbers:
        return numbers[alone[1]]
    return PLACEHOLDER.sub(lambda found: _text(found, topic, numbers, quoted), value)


def _text(found: re.Match[str], topic: Topic, numbers: Mapping[str, int], quoted: bool) -> str:
    name, how = found[1], found[2]
    if name in NUMBERS:
        return str(numbers.get(name, ""))
    text = str(getattr(topic, name))
    if how:
        text = (" OR " if how == "any" else " ").join(re.findall(r"\w+", text))
    return quote(text, safe="") if quoted else text
