"""Scores of the answers of a store, for the commands that evaluate and compare runs; what is undefined or lacks labels.

And leaving one out of those whose answers the nuggets come from: what a system would lose that gave no nuggets. Removed
with a unit (a run, a team) is every nugget that comes from its answers alone. All answers are scored again, on the
topics on which the measure is still defined without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from cranfield.analysis.change_rows import change_rows
from cranfield.call_view import CallView
from cranfield.errors import InputError
from cranfield.features.answers.analysis.judged import LabelledAnswers, labelled_answers
from cranfield.features.answers.measures.judged import JudgedAnswers
from cranfield.features.answers.store.answers import answer_runs
from cranfield.features.answers.store.nuggets import Nugget
from cranfield.formats import RunInfo
from cranfield.metrics.correlation.coefficients import DIGITS, kendall_tau, tau_ap
from cranfield.metrics.evaluate import RunScores, topic_table
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, parse_measures
from cranfield.metrics.reusability.leave_one_out import score_changes_of_runs
from cranfield.metrics.reusability.results import (
    PoolOverlap,
    Reusability,
    UnitResult,
    count_claim_flips,
    significance_matrix,
)
from cranfield.selection import LabelledBy, Labellers
from cranfield.source import Tell
from cranfield.store.reading import open_store_at
from cranfield.text import counted

MEASURES = ("V_strict", "V", "A", "W")


def answer_scores(judged: JudgedAnswers, measures: Sequence[Measure]) -> RunScores:
    """The scores of every run; NaN where a label failed or is missing, which `failed` tells from undefined."""
    values = _scores(judged, measures)
    failed = np.isnan(values) & ~np.isnan(_scores(judged.labelled(), measures))
    return RunScores(judged.tags, judged.qids, values, judged.answered, failed)


def _scores(judged: JudgedAnswers, measures: Sequence[Measure]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.stack([measure.scores(judged).reshape(judged.shape) for measure in measures], axis=-1)


def fully_labelled_scores(scores: RunScores) -> RunScores:
    """Only the topics on which no score of any run lacks a label."""
    assert scores.failed is not None
    whole = np.asarray(~scores.failed.any(axis=(0, 2)))
    if not whole.any():
        raise InputError("every topic has an answer that lacks labels; label more answers, or choose fewer measures")
    qids = tuple(qid for qid, one in zip(scores.qids, whole, strict=True) if one)
    return RunScores(scores.tags, qids, scores.values[:, whole], scores.answered[:, whole], scores.failed[:, whole])


def left_open(scores: RunScores, measures: Sequence[Measure], whole: int) -> Iterator[str]:
    """What is NaN and why, a line for each measure; `whole` is how many topics there are."""
    assert scores.failed is not None
    if missing := whole - len(scores.qids):
        used = f"scores use {len(scores.qids)} of {counted(whole, 'topic')}"
        yield f"omitted {counted(missing, 'topic')}, because some answers lack labels; {used}"
    for measure, values, failed in zip(
        measures, np.moveaxis(scores.values, -1, 0), np.moveaxis(scores.failed, -1, 0), strict=True
    ):
        undefined = np.isnan(values) & ~failed
        everywhere = undefined.all(axis=0)
        if (undefined & ~scores.answered)[:, ~everywhere].any():
            yield f"{measure} is undefined where a run gave no answer, so the run's mean excludes these topics"
        if topics := int(everywhere.sum()):
            yield f"the means of {measure} exclude {counted(topics, 'topic')} where it is undefined{WHY[measure.needs]}"
        if n_undefined := int((undefined & scores.answered)[:, ~everywhere].sum()):
            missing_part = MISSING_PART_WORDS.get(measure.needs, "")
            of = f"{n_undefined} of {counted(int(scores.answered.sum()), 'answer')}"
            yield f"the means of {measure} exclude {of}, for which it is undefined{missing_part}"
        if failed.any():
            runs = int(failed.any(axis=1).sum())
            means = "the mean of 1 run is" if runs == 1 else f"the means of {runs} runs are"
            answers = f"{failed.sum()} of {counted(int(scores.answered.sum()), 'answer')}"
            yield (
                f"{measure} is NaN for {answers}, because labels failed or are missing, so {means} NaN;"
                " --labelled-topics-only averages over the other topics"
            )


WHY = {
    "nuggets": " (there are no such nuggets)",
    "support": "",
    "contexts": "",
    "reference": " (there is no reference answer)",
    "statements": " (no answer contains statements)",
    "questions": "",
    "correctness": " (there is no reference answer)",
    "rubric": " (there is no rubric)",
    "comparisons": " (no answers were compared)",
}
MISSING_PART_WORDS = {"statements": " (there are no statements)", "correctness": " (there are no statements)"}


LEAVING_OUT = ("V_strict", "A")


class NuggetsLeftOut(NamedTuple):
    """What left-out units lose; how many nuggets there are, and how many come from answers on record."""

    left_out: Reusability
    nuggets: int
    of_runs: int

    def to_json(self) -> dict[str, Any]:
        """The JSON document: as of pools, with nuggets for documents."""
        plain = self.left_out.to_json()
        sizes = {"nuggets": self.nuggets, "contributed": self.of_runs}
        return {name: plain[name] for name in ("by", "topics")} | sizes | {k: plain[k] for k in ("units", "summary")}

    @property
    def title(self) -> str:
        """How many nuggets there are, and from how many it is known whose answers they come from."""
        return f"{counted(self.nuggets, 'nugget')}, {self.of_runs} of known origin"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per left-out run and measure, the largest change first."""
        return change_rows(self.left_out, relevant="vital")


def leave_contributors_out(
    answers: LabelledAnswers, about: Mapping[str, RunInfo], by: str, measures: Sequence[Measure], tell: Tell
) -> NuggetsLeftOut:
    """Leave out each run, team or kind whose answers gave nuggets, and score all answers again."""
    for measure in measures:
        if measure.needs != "nuggets":
            right = "use V_strict, V, A_strict, A, W_strict or W"
            raise InputError(f"{measure} does not use nuggets, so leaving out a run's nuggets changes nothing; {right}")
    nuggets = [nugget for several in answers.nuggets.values() for nugget in several]
    units = _units(nuggets, about, by)
    run_nuggets = sum(bool(nugget.contributors) for nugget in nuggets)
    if run_nuggets < len(nuggets):
        others = f"{len(nuggets) - run_nuggets} of {counted(len(nuggets), 'nugget')}"
        tell(f"the store does not record an answer as the source of {others}, so they stay in every test")
    full = answer_scores(answers.judged, measures)
    assert full.failed is not None
    if full.failed.any():
        whole, full = len(full.qids), fully_labelled_scores(full)
        for line in left_open(full, measures, whole):
            tell(line)
    fewer: dict[str, dict[str, int]] = {}  # by measure and unit, the number of topics that the unit's row leaves out
    results = tuple(
        _leave_unit_out(answers, unit, runs, measures=measures, full=full, fewer=fewer) for unit, runs in units.items()
    )
    for name, topics in fewer.items():
        left_out = ", ".join(f"{unit} {number}" for unit, number in topics.items())
        rows = (
            f"the row for {next(iter(topics))} omits these topics, so its score differs from the score"
            if len(topics) == 1
            else "their rows omit these topics, so their scores differ from the scores"
        )
        tell(
            f"without a {by}'s nuggets, {name} is undefined on some of the {counted(len(full.qids), 'topic')}"
            f" ({left_out}); {rows} that `cranfield evaluate --answers` prints"
        )
    pool = PoolOverlap(None, run_nuggets, None, 0)
    names = tuple(map(str, measures))
    return NuggetsLeftOut(
        Reusability(by, 0, len(full.qids), pool=pool, measures=names, units=results), len(nuggets), run_nuggets
    )


def _units(nuggets: Sequence[Nugget], about: Mapping[str, RunInfo], by: str) -> dict[str, list[str]]:
    """The runs that nuggets come from, by unit; an error where there is nothing to compare."""
    tags = {tag for nugget in nuggets for tag in nugget.contributors}
    if not tags:
        raise InputError(
            "the store does not record which answers the nuggets come from; `cranfield answers nuggets"
            " make` records this"
        )
    units: dict[str, list[str]] = {}
    for tag, info in about.items():
        if tag in tags:
            units.setdefault({"run": tag, "team": info.team, "kind": info.kind}[by], []).append(tag)
    if unknown := sorted(tags - about.keys()):
        raise InputError(f"a nugget comes from run {unknown[0]!r}, but this store contains no answers of this run")
    if len(units) < 2:
        raise InputError(f"all nuggets come from the answers of one {by}; expected nuggets from two or more")
    return units


def _leave_unit_out(
    answers: LabelledAnswers,
    unit: str,
    runs: Sequence[str],
    *,
    measures: Sequence[Measure],
    full: RunScores,
    fewer: dict[str, dict[str, int]],
) -> UnitResult:
    """What a unit loses; it joins those `fewer` by a measure that is undefined on more topics without it."""
    mask = {
        qid: [not nugget.contributors or not {*nugget.contributors} <= {*runs} for nugget in nuggets]
        for qid, nuggets in answers.nuggets.items()
    }
    loss = [
        nugget
        for qid, nuggets in answers.nuggets.items()
        for nugget, stay in zip(nuggets, mask[qid], strict=True)
        if not stay
    ]
    rest = answer_scores(answers.judged.keeping(mask), measures)
    at = [answers.judged.qids.index(qid) for qid in full.qids]
    both: dict[str, tuple[Scores, Scores]] = {}
    for i, measure in enumerate(measures):
        before, after = full.values[..., i], rest.values[:, at, i]
        defined = np.asarray(~(np.isnan(before) | np.isnan(after)).any(axis=0))
        both[str(measure)] = before[:, defined], after[:, defined]
    for place, (name, (_, after)) in enumerate(both.items()):
        before_topics = int((~np.isnan(full.values[..., place])).all(axis=0).sum())
        if after.shape[1] < before_topics:
            fewer.setdefault(name, {})[unit] = before_topics - after.shape[1]
    means = {name: (_mean(before), _mean(after)) for name, (before, after) in both.items()}
    return UnitResult(
        unit=unit,
        runs=tuple(runs),
        unique=len(loss),
        unique_relevant=sum(nugget.importance == "vital" for nugget in loss),
        tau={name: kendall_tau(*pair) for name, pair in means.items()},
        tau_ap={name: tau_ap(*pair) for name, pair in means.items()},
        flips={
            name: count_claim_flips(significance_matrix(before), significance_matrix(after))
            for name, (before, after) in both.items()
        },
        changes=score_changes_of_runs(answers.judged.tags, runs, means),
    )


Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def _mean(scores: Scores) -> Scores:
    if not scores.shape[1]:
        return np.full(len(scores), np.nan)
    return np.asarray(np.round(scores.mean(axis=1), DIGITS))


def answers_of(
    view: CallView,
    names: MeasureLike | Iterable[MeasureLike] | None,
    labellers: Labellers,
    tell: Tell,
    *,
    nuggets: LabelledBy | None = None,
) -> tuple[LabelledAnswers, tuple[Measure, ...]]:
    """The labelled answers of a store, and the measures; files have no answers."""
    place = view.store_alone("answers")
    measures = parse_measures(names or MEASURES, of="answers")
    with open_store_at(place) as store:
        return labelled_answers(store, measures, labellers=labellers, tell=tell, by=nuggets), measures


def scores_of(
    view: CallView,
    names: MeasureLike | Iterable[MeasureLike] | None,
    labellers: Labellers,
    tell: Tell,
    *,
    labelled_topics_only: bool = False,
    nuggets: LabelledBy | None = None,
) -> tuple[RunScores, tuple[Measure, ...]]:
    """The scores of the answers of a store; `tell` is called with whose labels count, and what is NaN and why."""
    answers, measures = answers_of(view, names, labellers, tell, nuggets=nuggets)
    scores = answer_scores(answers.judged, measures)
    whole = len(scores.qids)
    if labelled_topics_only:
        scores = fully_labelled_scores(scores)
    for line in left_open(scores, measures, whole):
        tell(line)
    return scores, measures


def left_out(
    view: CallView,
    names: MeasureLike | Iterable[MeasureLike] | None,
    by: str,
    *,
    labellers: Labellers,
    tell: Tell,
    nuggets: LabelledBy | None = None,
) -> NuggetsLeftOut:
    """What each unit whose answers gave nuggets loses without them."""
    answers, measures = answers_of(view, names or LEAVING_OUT, labellers, tell, nuggets=nuggets)
    about = view.read_from_store(answer_runs, dict[str, RunInfo]())
    return leave_contributors_out(answers, about, by, measures, tell)


DEFAULT = ("V_strict",)


def topic_scores(
    view: CallView,
    names: MeasureLike | Iterable[MeasureLike] | None,
    labellers: Labellers,
    tell: Tell,
    *,
    nuggets: LabelledBy | None = None,
) -> DataFrame:
    """The scores by topic; runs are compared where both are defined."""
    answers, measures = answers_of(view, names or DEFAULT, labellers, tell, nuggets=nuggets)
    scores = answer_scores(answers.judged, measures)
    assert scores.failed is not None
    if number := int(scores.failed.any(axis=2).sum()):
        what = "lacks" if number == 1 else "lack"
        of = answers.judged.answered.size
        tell(f"{number} of {counted(of, 'answer')} {what} labels; pairs of runs are compared without them")
    return topic_table(scores, measures, scores.topic_mask(False))
