"""The reusability card: how far a collection can be trusted for systems that did not contribute to its pool.

JSON: the document of `cranfield reusability --format json` (by, depth, topics, pool, measures' units and summary,
no_verdict, relevant_share, floor), and "collection" {"name", "licence", "runs", "judgments", "relevant_from",
"qrels_sha256"}, "closure" {"closed_topics", "topics"} (null if runs were pooled to different depths), "dial", the
document of `cranfield depths`, "stability", that of `cranfield stability`, and "made_by" {"command", "version"}.
Closure and dial are null for a pool that is not of depth k, and if there is no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cranfield import __version__
from cranfield.analysis.depths import LeaveOutSetting, depth_document, has_depth, leave_out_setting, spread_depths
from cranfield.analysis.reusability import contributors, reusability_of
from cranfield.analysis.stability import stability_of
from cranfield.analysis.verdict import Verdict
from cranfield.errors import InputError
from cranfield.metrics.measure import Measure
from cranfield.pooling.verify.verify import verify
from cranfield.source import Source

from .subject import Subject, fingerprint

DEPTHS = 12  # at most, in its table of depths


class Card(NamedTuple):
    """The verdict with its context."""

    name: str
    licence: str
    runs: int
    judgments: int
    relevant_from: int
    qrels_sha256: str
    verdict: Verdict
    closed_topics: int | None
    dial: dict[str, Any] | None
    stability: dict[str, Any]
    command: str

    @property
    def measure(self) -> str:
        """The first measure, by which depths and stability are reported."""
        return self.verdict.found.measures[0]

    def to_json(self) -> dict[str, Any]:
        """The card as dicts and lists."""
        document = self.verdict.to_json()
        about = {
            name: getattr(self, name)
            for name in ("name", "licence", "runs", "judgments", "relevant_from", "qrels_sha256")
        }
        closure = (
            None if self.closed_topics is None else {"closed_topics": self.closed_topics, "topics": document["topics"]}
        )
        made = {"command": self.command, "version": __version__}
        return {"collection": about, "closure": closure, **document, "dial": self.dial, "stability": self.stability,
                "made_by": made}  # fmt: skip


def card_of(
    subject: Subject, by: str, depth: int | None, measures: Sequence[Measure], protect: str | None, command: str
) -> Card:
    """The card of a subject that has runs and judgments."""
    source = subject.source
    if source is None:
        raise InputError(subject.lack, subject.paths[0])
    _enough(source)
    verdict = reusability_of(source, by, depth, measures, protect)
    deep = has_depth(source, depth) and not verdict.found.no_verdict
    setting = leave_out_setting(source, by, depth, protect) if deep else None
    return Card(
        subject.name,
        subject.collection.licence if subject.collection else "",
        len(source.runs.tags),
        len(source.qrels),
        source.min_relevant,
        fingerprint(source.qrels),
        verdict,
        setting and _closed(source, setting),
        setting and depth_document(source, setting, measures[:1], spread_depths(setting.depth, DEPTHS)),
        stability_of(source.judged, measures[:1]),
        command,
    )


def _enough(source: Source) -> None:
    """Refuse a source on which leave-one-out says nothing."""
    contributors(source)
    runs, topics = len([info for info in source.about.values() if info.pooled]), len(source.qrels.qids)
    if runs < 2 or topics < 2:
        raise InputError(
            f"a reusability card needs two pooled runs and two judged topics; this source has {runs} and {topics}"
        )
    if not (source.qrels.grade >= source.min_relevant).any():
        raise InputError("a reusability card needs relevant documents; there are none")


def _closed(source: Source, setting: LeaveOutSetting) -> int | None:
    """The number of topics judged to the pool's depth; None if runs have their own depths."""
    pooled = [tag for tag, info in source.about.items() if info.pooled]
    if any(source.about[tag].depth not in (None, setting.depth) for tag in pooled):
        return None
    return verify(source.runs, source.qrels, pooled, setting.depth, source.judged).closed_topics
