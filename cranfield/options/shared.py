"""Options that several commands share, and records of those that go together.

Options whose names come from tables of cranfield take several at once: `-m AP,P@10` is `-m AP -m P@10`. Names from
data (run tags, topics, assessors) may contain commas, so their options are repeated.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.arrays import WhichTopics
from cranfield.arrays.left_out import on_set
from cranfield.metrics.other_tools import measures_in
from cranfield.options.option import Option, Options
from cranfield.store.labelled_by import LabelledBy

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasureLike

BEFORE_METHOD = re.compile(r",(?=[^=,:]+(?:[,:]|$))")


def measures_of(value: Sequence[str]) -> list[str]:
    """Measures, split at the commas outside their own options.

    >>> measures_of(["AP,P@10", 'nDCG(gains="0=1,2=4")@10,RBP(p=0.8,rel=2)', "AP(rel=2"])
    ['AP', 'P@10', 'nDCG(gains="0=1,2=4")@10', 'RBP(p=0.8,rel=2)', 'AP(rel=2']
    """
    return [name for text in value for name in measures_in(text)]


def names(value: Sequence[str]) -> list[str]:
    """Names, split at commas.

    >>> names(["bm25,lsa", "rm3"])
    ['bm25', 'lsa', 'rm3']
    """
    return [name.strip() for text in value for name in text.split(",")]


def methods(value: Sequence[str]) -> list[str]:
    """Pooling methods, split at the commas before a name; after others the options of a method go on.

    >>> methods(["rrf,maxmean:credit=arm,rate=.9,depth", "rrf:c=60,borda:n=0"])
    ['rrf', 'maxmean:credit=arm,rate=.9', 'depth', 'rrf:c=60', 'borda:n=0']
    """
    return [name.strip() for text in value for name in BEFORE_METHOD.split(text)]


OF_MEASURES = Option(
    "A measure, such as AP, nDCG@10 or P(rel=2)@5; module:name for your own. Several: -m AP,P@10 or -m AP -m P@10.",
    "-m", "--measure", metavar="MEASURE", complete="measures", typed=list[str] | None, parse=measures_of,
)  # fmt: skip
Measures = Annotated["MeasureLike | Iterable[MeasureLike]", OF_MEASURES]
Units = Annotated[
    Literal["run", "team", "kind", "cluster"], Option("The unit to leave out of the pool, one at a time.", "--by")
]
PoolDepth = Annotated[int | None, Option("The pool's depth; taken from the stored pool or inferred by default.", min=1)]
PoolNumber = Annotated[
    int | None,
    Option("The pool's number in the store; the newest by default.", "--pool", min=1, metavar="N", complete="pool"),
]
OF_TEAMS = Option(
    "A table with a header: run, team, and optionally kind, pooled (yes/no) and depth.", metavar="TSV",
    typed=Path | None,
)  # fmt: skip
Teams = Annotated["str | PathLike[str] | Mapping[str, str] | None", OF_TEAMS]
TeamsFile = Annotated["str | PathLike[str] | None", OF_TEAMS]
Protect = Annotated[
    str | None,
    Option(
        "Value in the qrels' second column of judgments that did not come from the pool; they are kept.",
        metavar="VALUE",
    ),
]
Topics = Annotated[
    str,
    Option(
        "The judged topics that count: all, where a topic that a run did not answer is 0 for it; common, those that all"
        " runs answered; or those of a set of the store, or of a file.",
        metavar="all|common|NAME|FILE", complete="topic set",
    ),
]  # fmt: skip
Assessor = Annotated[
    str | None, Option("Use only this assessor's judgments (stores only).", metavar="NAME", complete="assessor")
]
Labels = Annotated[
    Literal["people", "models", "all"],
    Option("Whose labels count (stores only); all: a model's label counts only where no person gave one."),
]
Seed = Annotated[int, Option("Random seed.", min=0)]


class WhoseOptions(Options):
    """Whose labels count."""

    labels: Labels = "all"

    @property
    def whose(self) -> LabelledBy:
        """Whose labels count."""
        return LabelledBy(self.labels)


class LabelOptions(WhoseOptions):
    """Whose labels count, or which assessor's."""

    assessor: Assessor = None


class TeamOptions(Options):
    """Who was pooled."""

    teams: Teams = None


class PoolOptions(Options):
    """Which pool of a store is meant."""

    pool: PoolNumber = None


class TopicOptions(Options):
    """Which topics count."""

    topics: Topics = "all"

    @property
    def which(self) -> WhichTopics:
        """Which topics count: all, also those of a set, or the common ones."""
        return WhichTopics(self.topics) if self._is_no_set else WhichTopics.all

    @property
    def _is_no_set(self) -> bool:
        return self.topics in list(WhichTopics)

    @contextmanager
    def running(self) -> Iterator[None]:
        """What is read meanwhile is of the topics of a set, if one is named."""
        with super().running(), nullcontext() if self._is_no_set else on_set(self.topics):
            yield


class SetOptions(Options):
    """Of which topics it is."""

    topics: Annotated[
        str | None,
        Option("Only these topics: a set of the store, or a list of ids.", metavar="NAME|FILE", complete="topic set"),
    ] = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """What is read meanwhile is of these topics."""
        with super().running(), nullcontext() if self.topics is None else on_set(self.topics):
            yield


class ClusterOptions(Options):
    """Where it is computed."""

    cluster: Annotated[
        str | None,
        Option(
            "Compute in the workers of a Dask cluster, tcp://HOST:PORT, or in N processes here, local:N.",
            metavar="ADDRESS",
        ),
    ] = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Work runs on the cluster meanwhile; without one it runs here."""
        if self.cluster is None:
            yield
            return
        from cranfield.cluster import cluster

        with cluster(self.cluster):
            yield


class JudgedOptions(TopicOptions, LabelOptions):
    """Which judgments count, of which topics."""


class MeanOptions(JudgedOptions, ClusterOptions):
    """What means over topics are made of."""
