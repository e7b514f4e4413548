"""How far the results of a task can be trusted for systems that did not take part: the verdict on its collection."""

from __future__ import annotations

from typing import Any, NamedTuple

from cranfield.analysis.headline import ADVICE, finding
from cranfield.analysis.reusability import verdict_of
from cranfield.analysis.verdict import FAIRNESS, Verdict, level
from cranfield.errors import CranfieldError
from cranfield.options.trusting import ReusabilityOptions
from cranfield.report.blocks import Block, Section, Text
from cranfield.report.facts import said
from cranfield.report.trust import verdict_blocks
from cranfield.source import Source


class TaskTrust(NamedTuple):
    """The verdict, each team left out of the pool in turn; or why there is none."""

    verdict: Verdict | None
    lack: str = ""

    def sentence(self, named: bool = True) -> str:
        """The verdict in a sentence; without what names a run, unless they may be named."""
        if self.verdict is None:
            return f"{FAIRNESS['none']}: {self.lack}." if named else f"{FAIRNESS['none']}."
        if named:
            return finding(self.verdict)
        return f"{FAIRNESS[level(self.verdict)]}. {ADVICE[level(self.verdict)]}".strip()

    def section(self, named: bool = True) -> Section:
        """The verdict as a part of a page."""
        whole = verdict_blocks(self.verdict) if named and self.verdict else []
        blocks: list[Block] = [Text(self.sentence(named)), *whole]
        return Section("trust", "New systems on this collection", blocks)

    def to_json(self) -> dict[str, Any]:
        """The verdict as dicts and lists."""
        return self.verdict.to_json() if self.verdict else {"no_verdict": self.lack}


def trust_of(source: Source, measure: str) -> TaskTrust:
    """The verdict on a source by a measure."""
    try:
        return TaskTrust(verdict_of(source, ReusabilityOptions(by="team", measures=measure)))
    except CranfieldError as error:
        return TaskTrust(None, said(error))
