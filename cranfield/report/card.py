"""The reusability card: how far a collection can be trusted for systems that did not contribute to its pool.

JSON: the document of `cranfield reusability --format json` (by, depth, topics, pool, measures' units and summary,
no_verdict, relevant_share, floor), and "collection" {"name", "licence", "runs", "judgments", "relevant_from",
"qrels_sha256"}, "closure" {"closed_topics", "topics"} (null if runs were pooled to different depths), "dial", the
document of `cranfield depths`, "stability", that of `cranfield stability`, and "made_by" {"command", "version"}.
Closure and dial are null for a pool that is not of depth k, and if there is no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple

from cranfield import __version__
from cranfield.analysis.depths import LeaveOutSetting, depth_document, has_depth, leave_out_setting, spread_depths
from cranfield.analysis.reusability import contributors, reusability_of
from cranfield.analysis.stability import stability_of
from cranfield.analysis.verdict import Verdict
from cranfield.errors import InputError
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.thresholds import CARE, NOISE
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
    return verify(source.runs, source.qrels, pooled, setting.depth).closed_topics


def headline(verdict: Verdict) -> str:
    """The finding in two sentences."""
    found, measure = verdict.found, verdict.found.measures[0]
    if found.no_verdict:
        return f"No verdict: {found.no_verdict}."
    summary = found.summary[measure]
    if isnan(summary.max_change_percent):
        return f"No {found.by} has a defined {measure} that could change."
    fall = summary.max_rank_drop
    falls = f"the largest rank drop is {fall}" if fall else "none drops in rank"
    return (
        f"If a {found.by} had not contributed to the pool, its {measure} would change by"
        f" {summary.mean_change_percent:.1f} % on average and {summary.max_change_percent:.1f} % at most; {falls}."
        f"{_with_fewest(verdict, measure)} {advice(summary.mean_change_percent, summary.max_change_percent)}"
    )


def _with_fewest(verdict: Verdict, measure: str) -> str:
    """The mean change with as few contributing runs as possible."""
    if verdict.least is None:
        return ""
    change = verdict.least.summary[measure].mean_change_percent
    return f" The average is {change:.1f} % if as few as possible of the undecided runs were pooled."


def advice(mean: float, largest: float) -> str:
    """The meaning of the mean and the largest change of own scores; at NIST 1 % is noise and 6 to 10 % is not.

    >>> advice(0.8, 3.0)
    'This is within the noise of assessors and topics: new systems can be compared with the pooled ones.'
    >>> advice(0.8, 9.9)[-50:]
    'a system unlike the pooled ones may be underrated.'
    """
    if not mean < CARE:
        return "This calls for care: report how many documents of a new system's ranking are judged, or judge more."
    if mean < NOISE and largest < CARE:
        return "This is within the noise of assessors and topics: new systems can be compared with the pooled ones."
    start = "On average this is within the noise, but" if mean < NOISE else "This is more than noise:"
    return f"{start} look at the largest changes, since a system unlike the pooled ones may be underrated."
