"""A diagnosis in tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import Any

from cranfield.metrics.diagnosis.decisive import RunComparison
from cranfield.metrics.diagnosis.diagnose import Diagnosis, ScoreDiagnosis
from cranfield.metrics.diagnosis.probability import Probabilities
from cranfield.metrics.diagnosis.similar_runs import ExpectedLoss
from cranfield.metrics.reusability.thresholds import CARE, NOISE

Row = dict[str, Any]
HALF, HUNDREDTH = 0.5, 0.01
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
    "low": "low and high: the least and the greatest score that any labels of its unjudged documents down to the pool's"
    " depth can give; what is possible, not what is likely. Exact, or - if not known. The ideal of nDCG is made anew.",
    "high_ideal_kept": "the greatest nDCG by the ideal ranking of the present judgments, which may be above 1.",
    "low_all": "the least over all labels of what it retrieves unjudged; high, all: the greatest, for RBP also of what"
    " it does not retrieve.",
    "webber_park": "the score and what pooled runs lose on average when they are left out of the pool.",
    "common_topics": "the score and, on the other topics, what it would lose without its own judged documents.",
    "lipani": "precision corrected by how pooled runs fare in the order of this run.",
}


def profile_rows(diagnosis: Diagnosis) -> list[Row]:
    """A row a cutoff."""
    return [
        {
            "first": seen.k,
            "judged": seen.judged,
            **({} if isnan(seen.judged_pooled) else {"of pooled runs": seen.judged_pooled}),
            "relevant a topic": seen.relevant,
        }
        for seen in diagnosis.gaps.profile
    ]


def score_rows(diagnosis: Diagnosis) -> list[Row]:
    """A row a measure, with the columns that any of them has."""
    told = _told(diagnosis.scores)
    return [{"measure": s.measure, **{COLUMNS[name]: getattr(s, name) for name in told}} for s in diagnosis.scores]


def _told(scores: Sequence[ScoreDiagnosis]) -> list[str]:
    return [name for name in COLUMNS if any(not isnan(getattr(score, name)) for score in scores)]


def how_to_read(diagnosis: Diagnosis) -> list[str]:
    """What each column of the scores is."""
    told = _told(diagnosis.scores)
    return [text if name == "low" else f"{COLUMNS[name]}: {text}" for name, text in READING.items() if name in told]


def nearest_rows(diagnosis: Diagnosis) -> list[Row]:
    """A row a left-out run with about as many gaps, and what it lost by each measure that looks as deep."""
    measures = [forecast.measure for forecast in diagnosis.expected]
    depths = {forecast.k for forecast in diagnosis.expected}
    found: dict[tuple[int, str], Row] = {}
    for forecast in diagnosis.expected:
        for run in forecast.nearest:
            row = {
                **({} if diagnosis.by == "run" else {diagnosis.by: run.unit}),
                "run": run.run,
                **({"of first": forecast.k} if len(depths) > 1 else {}),
                "unjudged": run.unjudged,
                **dict.fromkeys(measures, nan),
            }
            found.setdefault((forecast.k, run.run), row)[forecast.measure] = run.loss
    return list(found.values())


def title(diagnosis: Diagnosis) -> str:
    """What was examined."""
    depth = "no pool to compare with" if diagnosis.depth is None else f"pool depth {diagnosis.depth}"
    return f"run {diagnosis.run} on {diagnosis.topics} topics; {depth}, {diagnosis.pooled} pooled runs"


def verdict(diagnosis: Diagnosis) -> list[str]:
    """The findings in sentences; the verdict after them, and what would decide last."""
    told = [_on_gaps(diagnosis)]
    if diagnosis.gaps.unjudged:
        told += [_forecast(group, diagnosis) for group in _alike(diagnosis.expected)]
    told += [_fair(diagnosis)]
    return told if diagnosis.comparison is None else [*told, *_comparison(diagnosis.comparison, diagnosis)]


def _alike(forecasts: Sequence[ExpectedLoss]) -> list[list[ExpectedLoss]]:
    """Forecasts from the same runs and depth together."""
    groups: dict[tuple[object, ...], list[ExpectedLoss]] = {}
    for forecast in forecasts:
        groups.setdefault((forecast.k, *(run.run for run in forecast.nearest)), []).append(forecast)
    return list(groups.values())


def _on_gaps(diagnosis: Diagnosis) -> str:
    gaps = diagnosis.gaps
    where = f"first {diagnosis.depth}" if diagnosis.depth else "rankings"
    if not gaps.unjudged:
        return f"All documents in its {where} are judged, as those of a pooled run are."
    told = [
        f"It has {gaps.unjudged} unjudged documents in its {where}; {gaps.topics_without} of {diagnosis.topics} topics"
        f" have none. Where there are some, the first is at rank {gaps.first_median:g} in the median, at rank"
        f" {gaps.first_least} at the earliest."
    ]
    if diagnosis.depth:
        told.append(
            f"Of the relevant documents that it finds, {gaps.relevant_to_depth} are in its {where} and"
            f" {gaps.relevant_beyond} below."
        )
    poor = [seen.k for seen in gaps.profile if seen.judged < HALF and not seen.judged_pooled < HALF]
    if poor:
        told.append(f"Of its first {poor[0]} less than half is judged: do not report measures that look at so many.")
    return " ".join(told)


def _forecast(group: Sequence[ExpectedLoss], diagnosis: Diagnosis) -> str:
    """What runs with such gaps lost, by all measures for which they are the same."""
    first, scores = group[0], {score.measure: score.score for score in diagnosis.scores}
    shares = [run.unjudged for run in first.nearest]
    lost = ", ".join(f"{forecast.loss:.4f} of {forecast.measure}" for forecast in group)
    then = ", ".join(f"{scores[forecast.measure] + forecast.loss:.4f} {forecast.measure}" for forecast in group)
    told = (
        f"Of its first {first.k} documents {first.unjudged:.1%} are unjudged. The {len(shares)} pooled runs nearest to"
        f" that when left out ({min(shares):.1%} to {max(shares):.1%}) lost {lost} on average. With as much more it"
        f" would have {then}."
    )
    if first.beyond:
        told += f" No left-out run had more than {first.most_unjudged:.1%} unjudged: it may well lose more."
    return told


def _fair(diagnosis: Diagnosis) -> str:
    """The verdict, by the first measure."""
    if not diagnosis.expected:
        return f"Verdict: not known. {diagnosis.lack[0].upper()}{diagnosis.lack[1:]}."
    if not diagnosis.gaps.unjudged:
        return "Verdict: fair. It has no gaps to lose anything by."
    first = diagnosis.expected[0]
    percent = abs(first.loss_percent)
    if isnan(percent):
        return f"Verdict: not known. Pooled runs with such gaps have nothing to lose: they score 0 in {first.measure}."
    loss = f"pooled runs with such gaps change by {percent:.1f} % in {first.measure} when they are left out"
    if first.beyond:
        return f"Verdict: not known to be fair. It has more gaps than any left-out run; {loss}, and it may change more."
    return _by_loss(percent, loss)


def _by_loss(percent: float, loss: str) -> str:
    if percent < NOISE:
        return f"Verdict: fair. The {loss}, which is within the noise of assessors and topics (about 1 %)."
    if percent < CARE:
        return f"Verdict: usable with care. The {loss}; smaller differences to pooled runs mean nothing."
    return f"Verdict: not fair. The {loss} (6 % and more calls for care): judge its documents before you compare."


def _comparison(comparison: RunComparison, diagnosis: Diagnosis) -> list[str]:
    head = f"Against {comparison.against}: {comparison.measure} differs by {comparison.difference:+.4f} as judged"
    if comparison.unjudged:
        head += (
            f", and between {comparison.least:+.4f} and {comparison.most:+.4f} over all labels of the"
            f" {comparison.unjudged} unjudged documents that matter to it"
        )
    if comparison.outcome == "equal":
        return [f"{head}.", "The two are equal, and no judgment changes that."]
    if comparison.outcome != "open":
        told = f"It is {comparison.outcome}, and no judgment changes that; `cranfield compare` tells if significantly."
        return [f"{head}.", told]
    deeper = " Below the pool's depth fewer are." if diagnosis.depth and comparison.depth > diagnosis.depth else ""
    return [f"{head}.", _probably(comparison.chance, diagnosis.by) + deeper, _needed(comparison)]


def _probably(chance: Probabilities, by: str) -> str:
    """The odds, and on what they rest."""
    like = f"what one pooled {by} alone brought" if chance.of == "unique" else "the judged documents of their topics"
    told = (
        f"If those are as often relevant as {like} ({chance.rate:.0%} of them), it is better with probability"
        f" {_share(chance.better)} and worse with {_share(chance.worse)}: so many of {chance.draws} drawn labellings."
    )
    return told if chance.of == "unique" else f"{told} As a rule they are less often relevant, being found by few."


def _share(probability: float) -> str:
    """A probability as far as draws can tell it.

    >>> [_share(probability) for probability in (0.0, 0.004, 0.5, 0.997)]
    ['under .01', 'under .01', '.50', 'over .99']
    """
    if HUNDREDTH <= probability <= 1 - HUNDREDTH:
        return f"{probability:.2f}".removeprefix("0")
    return "under .01" if probability < HUNDREDTH else "over .99"


def _needed(comparison: RunComparison) -> str:
    if not comparison.to_judge:
        return "Not decided, but no labels were found that would put one of them ahead."
    better, worse = (
        f"no labels were found that show it to be {word}"
        if side is None
        else f"{len(side)} judgment{'s' * (len(side) > 1)} can show it to be {word}, if all come out {way} it"
        for word, way, side in (("better", "for", comparison.better), ("worse", "against", comparison.worse))
    )
    return (
        f"Not decided: {better}; {worse}. The list to judge has the {len(comparison.to_judge)} of the shorter way"
        " (--pool-out or --store-pool hands it out): judge them and run this again, since each that comes out otherwise"
        f" asks for more. {_how_short(comparison)} All {comparison.unjudged} decide for certain."
    )


def _how_short(comparison: RunComparison) -> str:
    return "No list is shorter." if comparison.shortest else "A shorter one may exist."
