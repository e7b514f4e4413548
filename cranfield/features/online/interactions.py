"""An interaction log in memory: the lists that were shown and what users did with them, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask, Vocabulary

Small = NDArray[np.int8]
KINDS = ("click", "dwell", "convert", "reformulate", "hover")  # of actions; an action has the place of its kind here


@dataclass(frozen=True, eq=False)
class Actions:
    """One row per action, by impression and then by time."""

    impression: Ints  # the row of its impression
    kind: Small  # its place in KINDS
    position: Ints  # of the document in the list, from 0; -1 where the action is of no document
    at: Floats  # seconds since 1970, NaN where unknown
    seconds: Floats  # of dwelling; NaN where unknown
    value: Floats  # of a conversion; NaN where unknown

    def __len__(self) -> int:
        return len(self.impression)

    def is_kind(self, kind: str) -> Mask:
        """Which actions are of this kind."""
        return np.equal(self.kind, KINDS.index(kind))


class Attribute(NamedTuple):
    """What else a log says of its lists, or of the documents that they show: a device, a price."""

    codes: Ints  # of each list, or of each document shown: a place in `names`; -1 where unknown
    names: Sequence[str]
    of_documents: bool = False

    def rows(self, lists: Mask | Ints, documents: Mask | Ints) -> Attribute:
        """Only of these lists, which show these documents."""
        return self._replace(codes=self.codes[documents if self.of_documents else lists])


@dataclass(frozen=True, eq=False)
class Interactions:
    """One row per impression (one list, shown once), by time; -1 and NaN where something is unknown.

    The documents of all impressions stand in flat columns: those of impression i at bounds[i]:bounds[i + 1].

    >>> log = example("abc:a", "bac:", "bca:ca")
    >>> len(log), log.clicks.astype(int).tolist(), log.position.tolist()
    (3, [1, 0, 0, 0, 0, 0, 0, 1, 1], [0, 1, 2, 0, 1, 2, 0, 1, 2])
    """

    at: Floats  # seconds since 1970
    experiment: Ints
    arm: Ints
    user: Ints
    session: Ints
    query: Ints  # a text, whether or not it is a topic of the store
    topic: Ints
    first: Ints  # documents on earlier pages: the rank of the first document is first + 1
    bounds: Ints  # one more than there are impressions
    document: Ints
    team: Small  # whose document it is in an interleaved list: a place in `arms` of its experiment; -1 for nobody's
    propensity: Floats  # the probability that the document was shown at its position
    actions: Actions
    experiments: Vocabulary
    arms: Vocabulary  # in the order in which each experiment has them
    queries: Vocabulary
    topics: Vocabulary
    documents: Vocabulary
    users: int  # how many; their names are never kept
    attributes: Mapping[str, Attribute] = field(default_factory=dict)  # those that were asked for

    def __len__(self) -> int:
        return len(self.at)

    @property
    def length(self) -> Ints:
        """The number of documents of each impression."""
        return np.diff(self.bounds)

    @cached_property
    def impression(self) -> Ints:
        """The impression of each document shown."""
        return np.repeat(np.arange(len(self)), self.length)

    @cached_property
    def position(self) -> Ints:
        """The position of each document in its list, from 0."""
        return np.arange(len(self.document)) - self.bounds[:-1][self.impression]

    @cached_property
    def clicks(self) -> Mask:
        """Which of the documents shown were clicked, however often."""
        mask = np.zeros(len(self.document), bool)
        click = self.actions.is_kind("click") & (self.actions.position >= 0)
        mask[self.bounds[self.actions.impression[click]] + self.actions.position[click]] = True
        return mask

    def choose(self, impressions: Mask) -> Interactions:
        """Only these impressions, with their actions; codes stay.

        >>> log = example("abc:a", "bac:", "bca:ca").choose(np.array([False, True, True]))
        >>> log.bounds.tolist(), log.actions.impression.tolist(), log.clicks.astype(int).tolist()
        ([0, 3, 6], [1, 1], [0, 0, 0, 0, 1, 1])
        """
        documents, acts = impressions[self.impression], impressions[self.actions.impression]
        row = np.cumsum(impressions) - 1
        actions = {name: column[acts] for name, column in vars(self.actions).items()}
        actions["impression"] = row[actions["impression"]]
        rows = {name: getattr(self, name)[impressions] for name in ROW}
        flat = {name: getattr(self, name)[documents] for name in FLAT}
        bounds = np.concatenate([[0], np.cumsum(self.length[impressions])])
        attributes = {name: each.rows(impressions, documents) for name, each in self.attributes.items()}
        return replace(self, **rows, **flat, bounds=bounds, actions=Actions(**actions), attributes=attributes)

    def split_by_document(self) -> Interactions:
        """Each document shown as a list of its own, with its actions; those of no document are left out.

        >>> log = example("abc:ca", "ba:").split_by_document()
        >>> log.clicks.astype(int).tolist(), log.first.tolist(), log.user.tolist()
        ([1, 0, 1, 0, 0], [0, 1, 2, 0, 1], [0, 0, 0, 1, 1])
        """
        has_document = self.actions.position >= 0
        actions = {name: column[has_document] for name, column in vars(self.actions).items()}
        actions["impression"] = self.bounds[actions["impression"]] + actions["position"]
        actions["position"] = np.zeros_like(actions["position"])
        order = np.argsort(actions["impression"], kind="stable")
        rows = {name: getattr(self, name)[self.impression] for name in ROW}
        return replace(
            self,
            **rows | {"first": rows["first"] + self.position},
            bounds=np.arange(len(self.document) + 1),
            actions=Actions(**{name: column[order] for name, column in actions.items()}),
            attributes={
                name: each.rows(self.impression, np.arange(len(self.document)))._replace(of_documents=False)
                for name, each in self.attributes.items()
            },
        )


ROW = ("at", "experiment", "arm", "user", "session", "query", "topic", "first")
FLAT = ("document", "team", "propensity")


def example(*lists: str, arms: str = "", users: str = "", teams: str = "") -> Interactions:
    """Impressions of one query for doctests and tests: "abc:a" shows a, b, c, of which a is clicked.

    `arms` and `users` have one letter per impression (arm a for all, and a user each, by default); `teams` has one
    letter per document shown, over all lists.

    >>> example("ab:b", "ba:", arms="xy", teams="abba").arm.tolist()
    [0, 1]
    """
    orders, hits = zip(*(one.split(":") for one in lists), strict=True)
    docs = sorted(set("".join(orders)))
    clicks = [(row, order.index(doc)) for row, order in enumerate(orders) for doc in hits[row]]
    impression, position = np.array(clicks, np.int64).reshape(-1, 2).T
    n, unknown = len(lists), np.full(len(clicks), np.nan)
    arms, users = arms or "a" * n, users or "".join(chr(ord("a") + row) for row in range(n))
    arm, user = sorted(set(arms)), sorted(set(users))
    return Interactions(
        at=np.arange(n, dtype=float),
        experiment=np.zeros(n, np.int64),
        arm=np.array([arm.index(one) for one in arms], np.int64),
        user=np.array([user.index(one) for one in users], np.int64),
        session=np.arange(n),
        query=np.zeros(n, np.int64),
        topic=np.zeros(n, np.int64),
        first=np.zeros(n, np.int64),
        bounds=np.cumsum([0, *map(len, orders)]),
        document=np.array([docs.index(doc) for order in orders for doc in order], np.int64),
        team=np.array([ord(one) - ord("a") for one in teams] or [-1] * sum(map(len, orders)), np.int8),
        propensity=np.full(sum(map(len, orders)), np.nan),
        actions=Actions(
            impression,
            np.zeros(len(clicks), np.int8),
            position,
            at=impression + (position + 1) / 100,
            seconds=unknown,
            value=unknown,
        ),
        experiments=Vocabulary(["log"]),
        arms=Vocabulary(arm),
        queries=Vocabulary(["q"]),
        topics=Vocabulary(["1"]),
        documents=Vocabulary(docs),
        users=len(user),
    )
