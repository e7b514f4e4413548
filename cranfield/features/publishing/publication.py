"""Publication, the record that every card is made from, and what is in it: options, files, and facts of the store.

gathering.py fills the facts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cranfield.features.publishing.description import Description

POLICY = "primary"  # what a store's own qrels follow
LogAs = Literal["full", "pseudonymous", "no"]


def splits_of(qids: Iterable[str], test: Iterable[str] | None) -> dict[str, frozenset[str]]:
    """The topics of each split that has any: those of test, and the others as train; all are test if none are named.

    >>> splits_of(["q1"], None), splits_of(["q1"], ["q1"]), splits_of(["q1"], [])
    ({'test': frozenset({'q1'})}, {'test': frozenset({'q1'})}, {'train': frozenset({'q1'})})
    """
    every = frozenset(qids)
    if test is None:
        return {"test": every}
    test_qids = every & {*test}
    return {name: some for name, some in (("test", test_qids), ("train", every - test_qids)) if some}


@dataclass(frozen=True)
class PublishOptions:
    """For which targets, under which policy, with or without texts, runs and the log; the topics of the split test.

    A draft may leave required fields of the description open. With `run_headers` a run begins with its ir_metadata,
    which are else in a file beside it.
    """

    targets: tuple[str, ...]
    policy: str = POLICY
    text: bool = True
    runs: bool = True
    log: LogAs = "pseudonymous"
    split: tuple[str, ...] | None = None
    draft: bool = False
    run_headers: bool = False
    part: str = ""  # the set of topics that the folder has, if it is not all
    topics: tuple[str, ...] | None = None  # these
    earlier_train: tuple[str, ...] = ()  # topics of test that were train before
    since: str = ""  # the release since which changes are listed

    def to_json(self) -> Mapping[str, object]:
        """The options as the folder states them; folders of earlier versions, whose runs have headers, state none."""
        return {
            "targets": list(self.targets), "policy": self.policy, "text": self.text, "runs": self.runs,
            "log": self.log, "split": None if self.split is None else list(self.split), "draft": self.draft,
            **({} if self.run_headers else {"run_headers": False}),
            **({"part": self.part} if self.part else {}),
            **({"reused": [*self.earlier_train]} if self.earlier_train else {}),
        }  # fmt: skip


class PublishedColumn(NamedTuple):
    """A column of a published table, its type as Hugging Face's `datasets` names it."""

    name: str
    dtype: str  # string, int32, int64, float64, bool


class PublishedFile(NamedTuple):
    """A file: its path in the folder, separated by /, and the rows and columns of a table or of a shard of one."""

    path: str
    sha256: str
    bytes: int
    table: str = ""  # corpus, queries, qrels, judgments; empty: not a table
    rows: int | None = None
    columns: tuple[PublishedColumn, ...] = ()


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

    kind: str  # human, model, panel, import
    assessors: int
    labels: int
    counting_labels: int
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
    refusal: str = ""


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
    overflows: Mapping[str, float]  # topics much of whose judged documents are relevant, with the share
    runs: int
    teams: int  # 0 where none were given
    assessors: tuple[AssessorFacts, ...]
    adjudications: int
    second_labels: int  # pairs with labels of several assessors
    agreement: tuple[AgreementFacts, ...]
    text: TextFacts
    publishes_runs: bool = True  # whether the runs are published
    guidelines: str = ""
    pool: PoolFacts | None = None
    reusability: ReusabilityFacts | None = None
    held_out: tuple[HeldOutFacts, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)  # of each model that was asked: the model and the prompt
    texts: str = ""  # how much of the corpus is here, where that is not all
    sources: tuple[str, ...] = ()  # of that part
    policy: tuple[str, str] | None = None  # by which several labels become one: its name, what it does
    splits: Mapping[str, int] = field(default_factory=dict)  # the topics of each, where there are two
    earlier_train: tuple[str, ...] = ()  # topics of test that were train before
    part: str = ""  # the set of topics that it is, where it is not all
    withdrawals: Mapping[str, str] = field(default_factory=dict)  # topics and documents, with the reason


DRAFT = "DRAFT"


class Publication(NamedTuple):
    """A collection that is published: what people say of it, what the store knows, its files.

    Every card of a draft says so. `text`: whether the texts of the documents are published.
    """

    description: Description
    facts: CollectionFacts
    files: Sequence[PublishedFile] = ()
    draft: bool = False
    text: bool = True

    @property
    def title(self) -> str:
        """The title, with the stamp of a draft."""
        title = self.description.title or self.facts.name
        return f"{DRAFT}: {title}" if self.draft else title

    def table(self, name: str) -> list[PublishedFile]:
        """The files of a table."""
        return [file for file in self.files if file.table == name]

    def rows(self, name: str) -> int:
        """How many rows a table has in all its files."""
        return sum(file.rows or 0 for file in self.table(name))
