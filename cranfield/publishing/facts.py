"""What a store knows of a collection that is to be published, as records; gathering.py fills them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PoolFacts:
    """How the pool was built, and what is judged of it."""

    method: str
    options: Mapping[str, int | float | str]
    runs: int
    teams: int  # 0 where none were given
    topics: int
    documents: int
    judged: int
    judged_outside: int
    version: str  # of the program that built it


@dataclass(frozen=True)
class AssessorFacts:
    """The assessors of a kind: how many there are, their current labels, and how many of these count."""

    kind: str  # human, model, import
    assessors: int
    labels: int
    counted: int
    names: tuple[str, ...] = ()  # of models; people stay unnamed


@dataclass(frozen=True)
class AgreementFacts:
    """A coefficient over all documents that several assessors labelled; None where it is undefined."""

    whose: str  # people or models
    coefficient: str
    assessors: int
    documents: int
    value: float | None
    low: float | None
    high: float | None
    no_interval: str = ""


@dataclass(frozen=True)
class ReusabilityFacts:
    """What teams (or runs) left out of the pool lose; or why that cannot be told."""

    by: str  # team or run
    units: int
    measure: str
    mean_change: float | None  # per cent of the own score
    max_change: float | None
    headline: str  # in sentences
    unjudged_10: float | None  # mean share of the first 10 documents of a left-out unit's runs that is then unjudged
    max_unjudged_10: float | None
    refused: str = ""


@dataclass(frozen=True)
class HeldOutFacts:
    """A stored run that did not contribute to the pool: the mean share of its first 10 documents that is unjudged."""

    run: str
    unjudged_10: float


@dataclass(frozen=True)
class TextFacts:
    """What is odd about texts: of documents, and of what was judged, with the first examples."""

    duplicates: int  # documents whose text an earlier one has
    changed_since_judged: int  # current labels of a text that has changed since
    judged_without_text: int
    first_without_text: tuple[tuple[str, str], ...]  # topic and docno
    disagreeing_duplicates: int  # texts with two grades for one topic
    first_disagreeing: tuple[tuple[str, str, str], ...]  # topic and two docnos


@dataclass(frozen=True)
class CollectionFacts:
    """What the store knows of a collection."""

    name: str
    grades: Mapping[int, str]
    min_relevant: int
    documents: int  # with a text
    documents_without_text: int
    topics: int
    judged_topics: int
    judgments: int
    judgments_by_grade: Mapping[int, int]
    judged_per_topic: tuple[int, float, int]  # fewest, median, most
    relevant_per_topic: tuple[int, float, int]
    topics_without_relevant: int
    overflowed: Mapping[str, float]  # topics much of whose judged documents are relevant, with the share
    runs: int
    teams: int  # 0 where none were given
    assessors: tuple[AssessorFacts, ...]
    adjudicated: int
    second_labels: int  # pairs with labels of several assessors
    agreement: tuple[AgreementFacts, ...]
    text: TextFacts
    guidelines: str = ""
    pool: PoolFacts | None = None
    reusability: ReusabilityFacts | None = None
    held_out: tuple[HeldOutFacts, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)  # of each model that was asked: the model and the prompt
    policy: tuple[str, str] | None = None  # by which several labels become one: its name, what it does
