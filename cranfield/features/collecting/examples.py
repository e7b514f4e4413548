"""A tiny corpus to try things on."""

from types import SimpleNamespace
from typing import Any, cast

from cranfield.features.collecting.vectors import VectorCorpus, vectors_of
from cranfield.pooling.candidates import Candidates, corpus_candidates
from cranfield.pooling.examples import example

TEXTS = {"a": "wing flutter", "b": "wing flow", "c": "heat flow", "d": "heat shield wing"}


def wings(**texts: str) -> VectorCorpus:
    """Documents a, b, c and d, and the topic q, about flutter; or others."""
    documents = [SimpleNamespace(docno=docno, title="", text=text * 2) for docno, text in (texts or TEXTS).items()]
    return VectorCorpus(vectors_of(cast("Any", documents)), {"q": "wing flutter"})


def wide(*rankings: str, budget: int | None = None) -> Candidates:
    """The topic q with that corpus, and what runs retrieved."""
    topics = [example(*rankings)] if rankings else []
    return corpus_candidates(topics, wings(), topics[0].tags if topics else (), budget)[0]
