"""Leaving one out of those whose answers the nuggets come from: what a system would lose that gave no nuggets.

Removed with a unit (a run, a team) is every nugget that comes from its answers alone. All answers are scored again, on
the topics on which the measure is still defined without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.answers.judged import LabelledAnswers
from cranfield.analysis.answers.scores import answer_scores, left_open, of_labelled_topics
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.metrics.correlation import kendall_tau, tau_ap
from cranfield.metrics.correlation.base import DIGITS
from cranfield.metrics.evaluate import RunScores
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.flips import claims, flips
from cranfield.metrics.reusability.rescoring import own_changes
from cranfield.metrics.reusability.results import PoolOverlap, Reusability, UnitResult
from cranfield.source import Tell
from cranfield.store.answers.nuggets import Nugget
from cranfield.text import counted

LEAVING_OUT = ("V_strict", "A")


class NuggetsLeftOut(NamedTuple):
    """What left-out units lose; how many nuggets there are, and how many come from answers on record."""

    found: Reusability
    nuggets: int
    contributed: int

    def to_json(self) -> dict[str, Any]:
        """The JSON document: as of pools, with nuggets for documents."""
        plain = self.found.to_json()
        sizes = {"nuggets": self.nuggets, "contributed": self.contributed}
        return {name: plain[name] for name in ("by", "topics")} | sizes | {k: plain[k] for k in ("units", "summary")}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per left-out run and measure, the largest change first."""
        rows = [
            {
                self.found.by: unit.unit,
                **({} if self.found.by == "run" else {"run": change.run}),
                "unique": unit.unique,
                "vital": unit.unique_relevant,
                "measure": change.measure,
                "score": change.full,
                "without": change.reduced,
                "change %": change.change_percent,
                "rank": change.full_rank,
                "rank without": change.reduced_rank,
                "tau": unit.tau[change.measure],
            }
            for unit in self.found.units
            for change in unit.changes
        ]
        order = self.found.measures.index
        return sorted(rows, key=lambda row: (order(row["measure"]), -abs(np.nan_to_num(row["change %"]))))


def without_contributors(
    answers: LabelledAnswers, about: Mapping[str, RunInfo], by: str, measures: Sequence[Measure], tell: Tell
) -> NuggetsLeftOut:
    """Leave out each run, team or kind whose answers gave nuggets, and score all answers again."""
    for measure in measures:
        if measure.needs != "nuggets":
            right = "use V_strict, V, A_strict, A, W_strict or W"
            raise InputError(f"{measure} looks at no nugget, so nothing changes without those of a run; {right}")
    nuggets = [nugget for several in answers.nuggets.values() for nugget in several]
    units = _units(nuggets, about, by)
    contributed = sum(bool(nugget.contributors) for nugget in nuggets)
    if contributed < len(nuggets):
        others = f"{len(nuggets) - contributed} of {counted(len(nuggets), 'nugget')}"
        tell(f"{others} come from no answer on record; they stay")
    full = answer_scores(answers.judged, measures)
    assert full.failed is not None
    if full.failed.any():
        whole, full = len(full.qids), of_labelled_topics(full)
        for line in left_open(full, measures, whole):
            tell(line)
    narrowed: dict[str, list[str]] = {}
    found = tuple(_without(answers, unit, runs, measures, full, narrowed) for unit, runs in units.items())
    for name, those in narrowed.items():
        tell(
            f"{name} is undefined on some topics without the nuggets of {', '.join(those)}; their rows leave these out"
        )
    pool = PoolOverlap(None, contributed, None, 0)
    names = tuple(map(str, measures))
    return NuggetsLeftOut(Reusability(by, 0, len(full.qids), pool, names, found), len(nuggets), contributed)


def _units(nuggets: Sequence[Nugget], about: Mapping[str, RunInfo], by: str) -> dict[str, list[str]]:
    """The runs that nuggets come from, by unit; an error where there is nothing to compare."""
    tags = {tag for nugget in nuggets for tag in nugget.contributors}
    if not tags:
        raise InputError("no nugget says whose answers it comes from; `cranfield answers nuggets make` records that")
    units: dict[str, list[str]] = {}
    for tag, info in about.items():
        if tag in tags:
            units.setdefault({"run": tag, "team": info.team, "kind": info.kind}[by], []).append(tag)
    if unknown := sorted(tags - about.keys()):
        raise InputError(f"a nugget comes from run {unknown[0]!r}, which has no answers in this store")
    if len(units) < 2:
        raise InputError(f"all nuggets come from the answers of one {by}, so none is left without it")
    return units


def _without(
    answers: LabelledAnswers,
    unit: str,
    runs: Sequence[str],
    measures: Sequence[Measure],
    full: RunScores,
    narrowed: dict[str, list[str]],
) -> UnitResult:
    """What a unit loses; it joins those `narrowed` by a measure that is undefined on more topics without it."""
    kept = {
        qid: [not nugget.contributors or not {*nugget.contributors} <= {*runs} for nugget in nuggets]
        for qid, nuggets in answers.nuggets.items()
    }
    gone = [
        nugget
        for qid, nuggets in answers.nuggets.items()
        for nugget, stays in zip(nuggets, kept[qid], strict=True)
        if not stays
    ]
    reduced = answer_scores(answers.judged.keeping(kept), measures)
    at = [answers.judged.qids.index(qid) for qid in full.qids]
    both = {str(m): _defined(full.values[..., i], reduced.values[:, at, i]) for i, m in enumerate(measures)}
    for at_measure, (name, (_, after)) in enumerate(both.items()):
        if after.shape[1] < (~np.isnan(full.values[..., at_measure])).all(axis=0).sum():
            narrowed.setdefault(name, []).append(unit)
    means = {name: (_mean(before), _mean(after)) for name, (before, after) in both.items()}
    return UnitResult(
        unit=unit,
        runs=tuple(runs),
        unique=len(gone),
        unique_relevant=sum(nugget.importance == "vital" for nugget in gone),
        tau={name: kendall_tau(*pair) for name, pair in means.items()},
        tau_ap={name: tau_ap(*pair) for name, pair in means.items()},
        flips={name: flips(claims(before), claims(after)) for name, (before, after) in both.items()},
        changes=own_changes(answers.judged.tags, runs, means),
    )


Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def _defined(before: Scores, after: Scores) -> tuple[Scores, Scores]:
    """Both on the topics on which both are defined."""
    there = np.asarray(~(np.isnan(before) | np.isnan(after)).any(axis=0))
    return before[:, there], after[:, there]


def _mean(scores: Scores) -> Scores:
    if not scores.shape[1]:
        return np.full(len(scores), np.nan)
    return np.asarray(np.round(scores.mean(axis=1), DIGITS))
