"""What a simulation finds, as records, as rows of a table, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, nan
from statistics import fmean
from typing import Any, NamedTuple

from cranfield.metrics.reusability.results import ScoreChange
from cranfield.text import counted


class TopicPool(NamedTuple):
    """A topic's pool: how many documents, how many of them relevant, how many that nobody had judged."""

    query_id: str
    documents: int
    relevant: int
    unjudged: int


class LeftOutUnit(NamedTuple):
    """A unit without which the pool was rebuilt: what its runs lose, and how much of that pool is judged."""

    unit: str
    documents: int
    unjudged: int
    changes: tuple[ScoreChange, ...]


class Point(NamedTuple):
    """A method at a budget; `tau` is of the ranking of all runs against that by all judgments."""

    budget: int
    tau: float
    topics: tuple[TopicPool, ...]
    units: tuple[LeftOutUnit, ...]

    @property
    def documents(self) -> int:
        """In all topics."""
        return sum(topic.documents for topic in self.topics)

    @property
    def relevant(self) -> int:
        """In all topics."""
        return sum(topic.relevant for topic in self.topics)

    @property
    def unjudged(self) -> int:
        """In all topics: documents that were taken to be not relevant since nobody had judged them."""
        return sum(topic.unjudged for topic in self.topics)

    @property
    def changes(self) -> list[ScoreChange]:
        """The changes of all runs whose unit was left out."""
        return [change for unit in self.units for change in unit.changes]

    @property
    def bias(self) -> dict[str, float | int | None]:
        """The mean and the largest absolute change of own scores and ranks; NaN or None where nothing was left out."""
        percent = [x for change in self.changes if not isnan(x := change.absolute_percent)]
        drops = [change.rank_drop for change in self.changes]
        return {
            "mean_change_percent": fmean(percent) if percent else nan,
            "max_change_percent": max(percent, default=nan),
            "mean_rank_drop": fmean(drops) if drops else nan,
            "max_rank_drop": max([0, *drops]) if drops else None,
        }

    @property
    def worst(self) -> str | None:
        """The unit whose run changes most."""
        known = [(x, unit.unit) for unit in self.units for c in unit.changes if not isnan(x := c.absolute_percent)]
        return max(known, key=lambda pair: pair[0])[1] if known else None


class Replay(NamedTuple):
    """A method at every budget."""

    label: str
    method: str
    options: Mapping[str, Any]
    points: tuple[Point, ...]


class Simulation(NamedTuple):
    """A whole simulation. `reachable` are the relevant documents that pooled runs have within the depth."""

    by: str
    measure: str
    depth: int
    topics: int
    runs: int
    pooled: int
    relevant: int
    reachable: int
    budget_of: str  # each topic, or all
    seed: int
    batch: int
    replays: tuple[Replay, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain dicts and lists; `pool simulate` documents the fields."""
        head = {name: getattr(self, name) for name in self._fields if name != "replays"}
        return head | {"methods": [_replay(replay) for replay in self.replays]}


def rows(found: Simulation) -> list[dict[str, Any]]:
    """A row a method and budget; documents are means over topics."""
    each = max(found.topics, 1)
    return [
        {
            "method": replay.label,
            "budget": point.budget,
            "judged": round(point.documents / each, 1),
            "relevant": round(point.relevant / each, 2),
            "unjudged": round(point.unjudged / each, 2),
            "tau": point.tau,
            "mean change %": point.bias["mean_change_percent"],
            "max change %": point.bias["max_change_percent"],
            "mean rank drop": point.bias["mean_rank_drop"],
            "max rank drop": point.bias["max_rank_drop"],
        }
        for replay in found.replays
        for point in replay.points
    ]


def title(found: Simulation) -> str:
    """What was simulated, in a line."""
    return (
        f"{found.pooled} of {counted(found.runs, 'run')} pooled to depth {found.depth};"
        f" {counted(found.topics, 'topic')} with {found.reachable / max(found.topics, 1):.1f} relevant documents each"
        f" on average; by {found.measure}"
    )


def headline(found: Simulation) -> str:
    """At the largest budget: which method finds most, and which is least unfair."""
    last = [(replay.label, replay.points[-1]) for replay in found.replays]
    most, point = max(last, key=lambda pair: pair[1].relevant)
    each = "per topic" if found.budget_of == "topic" else "in total"
    text = (
        f"At {counted(point.budget, 'document')} {each} {most} finds the most relevant ones,"
        f" {point.relevant / max(found.topics, 1):.1f} per topic."
    )
    known = [(label, p.bias["mean_change_percent"]) for label, p in last]
    fair = [(label, x) for label, x in known if x is not None and not isnan(x)]
    if fair:
        least, change = min(fair, key=lambda pair: pair[1])
        text += (
            f" A left-out {found.by} changes least with {least}: its own {found.measure} by {change:.2f} % on"
            f" average. About 1 % is within the noise of assessors and topics; 6 % and more calls for care."
        )
    return text


def _replay(replay: Replay) -> dict[str, Any]:
    return {
        "label": replay.label,
        "method": replay.method,
        "options": dict(replay.options),
        "budgets": [_as_json(point) for point in replay.points],
    }


def _as_json(point: Point) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "budget": point.budget,
        "documents": point.documents,
        "relevant": point.relevant,
        "unjudged": point.unjudged,
        "tau": point.tau,
        **point.bias,
        "worst": point.worst,
        "topics": [topic._asdict() for topic in point.topics],
        "units": [
            unit._asdict() | {"scores": [_change_as_json(change) for change in unit.changes]} for unit in point.units
        ],
    }
    for unit in plain["units"]:
        del unit["changes"]
    return plain


def _change_as_json(change: ScoreChange) -> dict[str, Any]:
    fields = ("run", "full", "reduced", "change_percent", "full_rank", "reduced_rank")
    return {name: getattr(change, name) for name in fields}
