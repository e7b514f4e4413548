"""A clinic in tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from .analogues import Expected
from .case import Clinic, Score
from .decide import Decision

Row = dict[str, Any]
HALF = 0.5
# By how many per cent a left-out run changes: below one within noise, from the other on bad.
NOISE, CARE = 1.0, 6.0
COLUMNS: Mapping[str, str] = {
    "score": "score",
    "condensed": "judged only",
    "low": "low",
    "high": "high",
    "high_ideal_kept": "high, ideal kept",
    "low_all": "low, all",
    "high_all": "high, all",
    "webber_park": "Webber-Park",
    "common_topics": "common topics",
    "lipani": "Lipani",
}
READING: Mapping[str, str] = {
    "score": "as judged; what nobody judged counts as not relevant.",
    "condensed": "over the judged documents alone; it tends to over-estimate runs that were not pooled.",
    "low": "low and high are the least and the greatest score that any labels of its unjudged documents down to the"
    " pool's depth can give: what is possible, not what is likely. The ideal of nDCG is made anew.",
    "high_ideal_kept": "the greatest nDCG by the ideal ranking of the present judgments, which may be above 1.",
    "low_all": "the least and the greatest over all labels of what it retrieves unjudged; for RBP also of the rest.",
    "webber_park": "the score and what pooled runs lose on average when they are left out of the pool.",
    "common_topics": "the score and, on the other topics, what it would lose without its own judged documents.",
    "lipani": "precision corrected by how pooled runs fare in the order of this run.",
}


def profile_rows(clinic: Clinic) -> list[Row]:
    """A row a cutoff."""
    return [
        {
            "first": seen.k,
            "judged": seen.judged,
            **({} if isnan(seen.judged_pooled) else {"of pooled runs": seen.judged_pooled}),
            "relevant a topic": seen.relevant,
        }
        for seen in clinic.gaps.profile
    ]


def score_rows(clinic: Clinic) -> list[Row]:
    """A row a measure, with the columns that any of them has."""
    told = _told(clinic.scores)
    return [{"measure": s.measure, **{COLUMNS[name]: getattr(s, name) for name in told}} for s in clinic.scores]


def _told(scores: Sequence[Score]) -> list[str]:
    return [name for name in COLUMNS if any(not isnan(getattr(score, name)) for score in scores)]


def how_to_read(clinic: Clinic) -> list[str]:
    """What each column of the scores is."""
    told = _told(clinic.scores)
    return [text if name == "low" else f"{COLUMNS[name]}: {text}" for name, text in READING.items() if name in told]


def nearest_rows(clinic: Clinic) -> list[Row]:
    """A row a measure and left-out run with about as many gaps."""
    return [
        {
            "measure": forecast.measure,
            **({} if clinic.by == "run" else {clinic.by: run.unit}),
            "run": run.run,
            "unjudged": run.unjudged,
            "score": run.full,
            "left out": run.without,
            "loss": run.loss,
        }
        for forecast in clinic.expected
        for run in forecast.nearest
    ]


def title(clinic: Clinic) -> str:
    """What was examined."""
    depth = "no pool to compare with" if clinic.depth is None else f"pool depth {clinic.depth}"
    return f"run {clinic.run} on {clinic.topics} topics; {depth}, {clinic.pooled} pooled runs"


def verdict(clinic: Clinic) -> list[str]:
    """The findings in sentences, the most important ones first."""
    told = [_on_gaps(clinic)]
    told += [_forecast(forecast, _value(clinic, forecast.measure)) for forecast in clinic.expected]
    told += [_fair(clinic)]
    return told if clinic.decision is None else [*told, *_decision(clinic.decision)]


def _value(clinic: Clinic, measure: str) -> float:
    return next(score.score for score in clinic.scores if score.measure == measure)


def _on_gaps(clinic: Clinic) -> str:
    gaps = clinic.gaps
    where = f"first {clinic.depth}" if clinic.depth else "rankings"
    if not gaps.unjudged:
        return f"All of its {where} is judged, as of a run that was pooled."
    told = [
        f"It has {gaps.unjudged} unjudged documents in its {where}; {gaps.topics_without} of {clinic.topics} topics"
        f" have none. Where there are some, the first is at rank {gaps.first_median:g} in the median, at rank"
        f" {gaps.first_least} at the earliest."
    ]
    if clinic.depth:
        told.append(
            f"Of the relevant documents that it finds, {gaps.relevant_to_depth} are in its {where} and"
            f" {gaps.relevant_beyond} below."
        )
    poor = [seen.k for seen in gaps.profile if seen.judged < HALF and not seen.judged_pooled < HALF]
    if poor:
        told.append(f"Of its first {poor[0]} less than half is judged: do not report measures that look at so many.")
    return " ".join(told)


def _forecast(forecast: Expected, value: float) -> str:
    losses, shares = ([getattr(run, name) for run in forecast.nearest] for name in ("loss", "unjudged"))
    told = (
        f"{forecast.measure}: of its first {forecast.k} documents {forecast.unjudged:.1%} are unjudged. The"
        f" {len(losses)} pooled runs nearest to that when left out ({min(shares):.1%} to {max(shares):.1%}) lost"
        f" {forecast.loss:.4f} on average, from {min(losses):.4f} to {max(losses):.4f}; judged as they were it would"
        f" score {value + forecast.loss:.4f}, not {value:.4f}."
    )
    if forecast.beyond:
        told += f" No left-out run had more than {forecast.most_unjudged:.1%} unjudged: it may well lose more."
    return told


def _fair(clinic: Clinic) -> str:
    """The verdict, by the first measure."""
    if not clinic.expected:
        return "Verdict: not known. With no pooled runs to leave out, the bounds are all there is."
    first = clinic.expected[0]
    percent = abs(first.loss_percent)
    loss = f"pooled runs with such gaps change by {percent:.1f} % in {first.measure} when they are left out"
    if first.beyond:
        return f"Verdict: not known to be fair. It has more gaps than any left-out run; {loss}, and it may change more."
    if percent < NOISE:
        return f"Verdict: fair. The {loss}, which is within the noise of assessors and topics (about 1 %)."
    if percent < CARE:
        return f"Verdict: usable with care. The {loss}; smaller differences to pooled runs mean nothing."
    return f"Verdict: not fair. The {loss} (6 % and more calls for care): judge its documents before you compare."


def _decision(decision: Decision) -> list[str]:
    measure, outcome = f"AP@{decision.depth}", decision.outcome
    head = (
        f"Against {decision.against}: {measure} differs by {decision.difference:+.4f} as judged; over all labels of the"
        f" {decision.unjudged} documents that the two have unjudged there by {decision.least:+.4f} at least and"
        f" {decision.most:+.4f} at most."
    )
    if outcome == "equal":
        return [head, "The two are equal, and no judgment changes that."]
    if outcome != "open":
        return [head, f"It is {outcome}, and no judgment changes that; `cranfield compare` tells if significantly."]
    return [head, _needed(decision)]


def _needed(decision: Decision) -> str:
    if not decision.to_judge:
        return "Not decided, but no labels were found that would put one of them ahead."
    sides = [
        f"no labels were found that show it to be {word}"
        if side is None
        else f"{len(side)} labels show it to be {word}"
        for word, side in (("better", decision.better), ("worse", decision.worse))
    ]
    return (
        f"Not decided. If every label spoke for it, {sides[0]}, and {sides[1]}. The list to judge has the"
        f" {len(decision.to_judge)} of the shorter way: judge them and run this again, since each label against it"
        f" asks for more. The list is greedy; all {decision.unjudged} documents decide for certain."
    )
