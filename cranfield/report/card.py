"""The reusability card as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple

from cranfield import __version__
from cranfield.analysis import comparison, depths
from cranfield.analysis.change_rows import change_rows, overlap_sentence, sort_worst_first
from cranfield.analysis.comparison import stability_of
from cranfield.analysis.depths import LeaveOutSetting, depth_document, leave_out_setting, spread_depths
from cranfield.analysis.reusability import is_depth_pool, require_contributors, reusability_verdict
from cranfield.analysis.verdict import Verdict, verdict_rows, verdict_sentences
from cranfield.errors import InputError
from cranfield.formats.text_tables import as_markdown
from cranfield.metrics.measure import Measure
from cranfield.pooling.verify import verify
from cranfield.report.facts import ReportSubject, fingerprint
from cranfield.selection import LeftOut
from cranfield.view import View

MARKS = re.compile(r"[\\`*<\[]|(?<!\w)_|_(?!\w)")


def card_markdown(card: Card) -> str:
    """The card as Markdown: the finding, its numbers by each measure, units, depths and stability."""
    left_out = card.verdict.left_out
    units = _markdown_table(sort_worst_first(change_rows(left_out, [card.measure])))
    first = card.stability["measures"][0]
    sentences = "\n".join(f"- {line}" for line in comparison.stability_sentences(first, card.stability["topics"]))
    stability = _markdown_table(comparison.stability_rows(card.stability))
    parts = [
        f"# Reusability card: {markdown_cell(card.name)}\n",
        f"{markdown_cell(verdict_sentences(card.verdict))}\n",
        _markdown_table(_card_facts(card)),
        *(
            f"## By {name}\n\n{_markdown_table(verdict_rows(card.verdict, name))}"
            for name in left_out.measures
            if not left_out.no_verdict
        ),
        f"## Each {left_out.by} left out, by {card.measure}\n\n{units}",
        *_depth_lines(card),
        f"## Stability over topics, by {card.measure}\n\n{stability}\n{sentences}\n",
        f"---\nMade with cranfield {__version__}: `{card.command}`\n",
    ]
    return "\n".join(parts)


def _card_facts(card: Card) -> list[dict[str, Any]]:
    left_out = card.verdict.left_out
    share = f"{card.closed_topics} of {left_out.topics}"
    who = card.verdict.who.notes if card.verdict.who else []
    pairs = [
        *([("licence", card.licence)] if card.licence else []),
        ("topics", left_out.topics),
        ("runs", card.runs),
        ("judgments", f"{card.judgments:,}, relevant from grade {card.relevant_from}"),
        ("pool", overlap_sentence(left_out)),
        *(("topics answered", line) for line in card.verdict.partial_answers),
        *(("contributing runs", line) for line in who),
        *([] if card.closed_topics is None else [("topics judged to the pool depth (at most 2% missing)", share)]),
        *([("left out", card.left_out.line.removeprefix("left out: "))] if card.left_out.line else []),
        ("SHA-256 of the judgments", card.qrels_sha256),
    ]
    return [{"fact": term, "value": value} for term, value in pairs]


def _depth_lines(card: Card) -> list[str]:
    """Nothing if the pool is not of depth k."""
    if card.dial is None:
        return []
    rows = _markdown_table(depths.rows(card.dial))
    return [f"## Pool depths, by {card.measure}\n\n{rows}", f"{depths.HOW_TO_READ}\n"]


def _markdown_table(rows: list[dict[str, Any]]) -> str:
    """A table: percentages with two decimals, and nothing in a name read as Markdown."""

    def as_text(name: str, value: Any) -> Any:
        if isinstance(value, str):
            return markdown_cell(value)
        return f"{value:.2f}" if name.endswith("%") and isinstance(value, float) and not isnan(value) else value

    return as_markdown([{name: as_text(name, value) for name, value in row.items()} for row in rows])


def markdown_cell(text: str) -> str:
    r"""Text of the data on one line, nothing in it read as Markdown or HTML; the table escapes bars.

    >>> print(markdown_cell("a_b <b>bold</b>\n_and_ *so* on"))
    a_b \<b>bold\</b> \_and\_ \*so\* on
    """
    return MARKS.sub(r"\\\g<0>", " ".join(text.split()))


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
    left_out: LeftOut = LeftOut()

    @property
    def measure(self) -> str:
        """The first measure, by which depths and stability are reported."""
        return self.verdict.left_out.measures[0]

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
        origin = {"command": self.command, "version": __version__}
        return {"collection": about, "closure": closure, **document, "dial": self.dial, "stability": self.stability,
                "made_by": origin, **({"left_out": record} if (record := self.left_out.record) else {})}  # fmt: skip


def card_of(
    subject: ReportSubject,
    by: str | None,
    depth: int | None,
    *,
    measures: Sequence[Measure],
    protect: str | None,
    command: str,
) -> Card:
    """The card of a subject that has runs and judgments."""
    view = subject.scored
    if view is None:
        raise InputError(subject.lack, subject.paths[0])
    # Refuse a view on which leave-one-out shows nothing.
    require_contributors(view)
    runs, topics = len([info for info in view.run_info.values() if info.pooled]), len(view.qrels.qids)
    if runs < 2 or topics < 2:
        raise InputError(
            f"a reusability card needs two pooled runs and two judged topics; this source has {runs} and {topics}"
        )
    if not (view.qrels.grade >= view.min_relevant).any():
        raise InputError("a reusability card needs relevant documents; there are no relevant documents in this source")
    verdict = reusability_verdict(view, by, depth, measures, protect=protect)
    deep = is_depth_pool(view, depth) and not verdict.left_out.no_verdict
    setting = leave_out_setting(view, by, depth, protect) if deep else None
    return Card(
        subject.name,
        subject.collection.licence if subject.collection else "",
        len(view.runs.tags),
        judgments=int(view.qrels.judged.sum()),
        relevant_from=view.min_relevant,
        qrels_sha256=fingerprint(view.qrels),
        verdict=verdict,
        closed_topics=setting and _topics_to_depth(view, setting),
        dial=setting and depth_document(view, setting, measures[:1], spread_depths(setting.depth, DEPTHS)),
        stability=stability_of(view.judged, measures[:1]),
        command=command,
        left_out=subject.left_out,
    )


def _topics_to_depth(view: View, setting: LeaveOutSetting) -> int | None:
    """The number of topics judged to the pool's depth; None if runs have their own depths."""
    pooled = [tag for tag, info in view.run_info.items() if info.pooled]
    if any(view.run_info[tag].depth not in (None, setting.depth) for tag in pooled):
        return None
    return verify(view.runs, view.qrels, pooled, setting.depth, view.judged).closed_topics
