"""What views measure: the runs and judgments of a store, by measures and by the labels that count."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.arrays.which_topics import WhichTopics
from cranfield.errors import CranfieldError
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import measures_in, parse_all
from cranfield.report.blocks import Block, sentences
from cranfield.source import Source, open_source
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store

from .parameters import LONGEST
from .query import Parameter, Query, QueryError, address, named

MOST = 12  # measures at once


def _measures(store: Store, text: str) -> tuple[Measure, ...]:
    """Measures that come with cranfield: an address loads no module."""
    names = measures_in(text)
    if len(text) > LONGEST or len(names) > MOST:
        raise QueryError(f"{named(text)} is too long; expected at most {MOST} measures")
    if wrong := next((name for name in names if ":" in name), None):
        raise QueryError(f"unknown measure {named(wrong)}")
    try:
        return parse_all(names, store.collection.min_relevant)
    except CranfieldError as error:
        raise QueryError(str(error)) from None


def measures(default: Sequence[str]) -> Parameter:
    """The parameter of several measures."""
    return Parameter("measures", "Measures", _measures, lambda store: ",".join(default))


def choice(name: str, label: str, choices: Sequence[str]) -> Parameter:
    """One of a few words, by default the first."""

    def read(store: Store, text: str) -> str:
        if text not in choices:
            raise QueryError(f"{name} is {named(text)}; expected one of {', '.join(choices)}")
        return text

    return Parameter(name, label, read, lambda store: choices[0], lambda store: choices)


LABELS = choice("labels", "Labels by", [LabelledBy.all.value, LabelledBy.people.value, LabelledBy.models.value])


TOPICS = choice("topics", "Topics that count", list(WhichTopics))


def source_of(store: Store, query: Query, pool: int | None = None) -> tuple[Source, list[Block]]:
    """The runs and judgments that a query is about, and what a reader should know of them."""
    told: list[str] = []
    source = open_source([store], labels=LabelledBy(query["labels"]), pool=pool, tell=told.append)
    source = source.on_topics(WhichTopics(query["topics"]))
    _ = source.judged
    return source, sentences(told)


def titles(store: Store) -> dict[str, str]:
    """The titles of the topics."""
    return {topic.qid: topic.title for topic in store.topics()}


def topic_links(qids: Sequence[str]) -> list[str]:
    """The addresses of topics."""
    return [address("topic", topic=qid) for qid in qids]
