"""A diagnosis as tables and sentences."""

from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import Any

from cranfield.metrics.diagnosis.adjustments import ExpectedLoss
from cranfield.metrics.diagnosis.decisive import Probabilities, RunComparison
from cranfield.metrics.diagnosis.diagnose import Diagnosis, ScoreDiagnosis
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.results import CARE, NOISE
from cranfield.text import counted, in_words

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
    "score": "as judged; unjudged documents count as not relevant.",
    "condensed": "over judged documents only; it tends to overestimate runs that were not pooled.",
    "low": "low and high: the least and the greatest score over all labels of its unjudged documents down to the pool's"
    " depth; what is possible, not what is likely. Exact, or - if unknown. For nDCG the ideal ranking is recomputed.",
    "high_ideal_kept": "the greatest nDCG with the present ideal ranking, which may exceed 1.",
    "low_all": "the least over all labels of all its unjudged documents; high, all: the greatest, for RBP also over"
    " what it does not retrieve.",
    "webber_park": "the score plus what pooled runs lose on average when they are left out of the pool.",
    "common_topics": "the score plus, on other topics, what it loses on the common ones without its unique documents.",
    "lipani": "precision adjusted by how pooled runs fare when reordered like this run.",
}


def profile_rows(diagnosis: Diagnosis) -> list[Row]:
    """One row per cutoff."""
    return [
        {
            "first": share.k,
            "judged": share.judged,
            **({} if isnan(share.judged_pooled) else {"of pooled runs": share.judged_pooled}),
            "relevant per topic": share.relevant,
        }
        for share in diagnosis.gaps.profile
    ]


def score_rows(diagnosis: Diagnosis) -> list[Row]:
    """One row per measure, with the columns that any of them has."""
    columns = _informative(diagnosis.scores)
    return [{"measure": s.measure, **{COLUMNS[name]: getattr(s, name) for name in columns}} for s in diagnosis.scores]


def _informative(scores: Sequence[ScoreDiagnosis]) -> list[str]:
    return [name for name in COLUMNS if any(not isnan(getattr(score, name)) for score in scores)]


def how_to_read(diagnosis: Diagnosis) -> list[str]:
    """What each column of the scores is."""
    columns = _informative(diagnosis.scores)
    return [text if name == "low" else f"{COLUMNS[name]}: {text}" for name, text in READING.items() if name in columns]


def nearest_rows(diagnosis: Diagnosis) -> list[Row]:
    """One row per left-out run with a similar unjudged share, and what it lost by each measure of that depth."""
    measures = [forecast.measure for forecast in diagnosis.expected_losses]
    depths = {forecast.k for forecast in diagnosis.expected_losses}
    rows: dict[tuple[int, str], Row] = {}
    for forecast in diagnosis.expected_losses:
        for run in forecast.nearest:
            row = {
                **({} if diagnosis.by == "run" else {diagnosis.by: run.unit}),
                "run": run.run,
                **({"of first": forecast.k} if len(depths) > 1 else {}),
                "unjudged": run.unjudged,
                **dict.fromkeys(measures, nan),
            }
            rows.setdefault((forecast.k, run.run), row)[forecast.measure] = run.loss
    return list(rows.values())


def title(diagnosis: Diagnosis) -> str:
    """What was diagnosed."""
    depth = "no pool to compare with" if diagnosis.depth is None else f"pool depth {diagnosis.depth}"
    topics, pooled = counted(diagnosis.topics, "topic"), counted(diagnosis.pooled, "pooled run")
    return f"run {diagnosis.run} on {topics}; {depth}, {pooled}"


def verdict(diagnosis: Diagnosis) -> list[str]:
    """The findings in sentences, then the verdict, then what would decide the comparison."""
    sentences = [_on_gaps(diagnosis)]
    if diagnosis.gaps.unjudged:
        sentences += [_forecast(group, diagnosis) for group in _alike(diagnosis.expected_losses)]
    sentences += [_fair(diagnosis)]
    return sentences if diagnosis.comparison is None else [*sentences, *_comparison(diagnosis.comparison, diagnosis)]


def _alike(forecasts: Sequence[ExpectedLoss]) -> list[list[ExpectedLoss]]:
    """Forecasts from the same runs and depth together."""
    groups: dict[tuple[object, ...], list[ExpectedLoss]] = {}
    for forecast in forecasts:
        groups.setdefault((forecast.k, *(run.run for run in forecast.nearest)), []).append(forecast)
    return list(groups.values())


def _on_gaps(diagnosis: Diagnosis) -> str:
    gaps = diagnosis.gaps
    where = f"first {diagnosis.depth}" if diagnosis.depth else "rankings"
    if not gaps.unjudged and diagnosis.depth == 1:
        return "Its first document is judged in each topic, like those of a pooled run."
    if not gaps.unjudged:
        return f"All documents in its {where} are judged, like those of a pooled run."
    sentences = [
        f"It has {counted(gaps.unjudged, 'unjudged document')} in its {where}; {gaps.topics_without} of"
        f" {counted(diagnosis.topics, 'topic')} {'has' if gaps.topics_without == 1 else 'have'} none. On the others the"
        f" median rank of the first is {gaps.first_median:g}, the least {gaps.first_least}."
    ]
    if diagnosis.depth:
        sentences.append(
            f"Of the relevant documents it retrieves, {gaps.relevant_to_depth} are in its {where} and"
            f" {gaps.relevant_beyond} below."
        )
    poor = [share.k for share in gaps.profile if share.judged < HALF and not share.judged_pooled < HALF]
    if poor:
        sentences.append(f"Less than half of its first {poor[0]} are judged: do not report measures that deep.")
    return " ".join(sentences)


def _forecast(group: Sequence[ExpectedLoss], diagnosis: Diagnosis) -> str:
    """What runs with similar unjudged shares lost, by all measures for which these runs are the same."""
    first, scores = group[0], {score.measure: score.score for score in diagnosis.scores}
    shares = [run.unjudged for run in first.nearest]
    losses = ", ".join(f"{forecast.loss:.4f} of {forecast.measure}" for forecast in group)
    then = ", ".join(f"{scores[forecast.measure] + forecast.loss:.4f} {forecast.measure}" for forecast in group)
    closest = f"{len(shares)} left-out pooled runs" if len(shares) > 1 else "left-out pooled run"
    sentences = (
        f"Of its first {first.k} documents {first.unjudged:.1%} are unjudged. The {closest} closest to that"
        f" ({min(shares):.1%} to {max(shares):.1%}) lost {losses} on average. Adding this, it would score {then}."
    )
    if first.beyond:
        sentences += f" No left-out run had more than {first.most_unjudged:.1%} unjudged, so it may well lose more."
    return sentences


def _fair(diagnosis: Diagnosis) -> str:
    """The verdict, by the first measure."""
    if not diagnosis.expected_losses:
        return f"Verdict: unknown. {diagnosis.lack[0].upper()}{diagnosis.lack[1:]}."
    if not diagnosis.gaps.unjudged:
        all_judged = f"All of its first {diagnosis.depth} documents are judged."
        judged = "Its first document is judged in each topic." if diagnosis.depth == 1 else all_judged
        return f"{_fair_to(diagnosis)} {judged}{_below(diagnosis)}"
    first = diagnosis.expected_losses[0]
    percent = abs(first.loss_percent)
    if isnan(percent):
        return f"Verdict: unknown. Similar pooled runs have nothing to lose: they score 0 in {first.measure}."
    loss = f"similar pooled runs change by {percent:.1f} % in {first.measure} when left out"
    if first.beyond:
        return (
            f"Verdict: not shown to be fair. It has more unjudged than any left-out run; {loss}, and it may lose more."
        )
    return _by_loss(percent, f"S{loss[1:]}", diagnosis)


def _fair_to(diagnosis: Diagnosis) -> str:
    return f"Verdict: fair to depth {diagnosis.depth} on {counted(diagnosis.topics, 'topic')}."


def _below(diagnosis: Diagnosis) -> str:
    """What is not known below the pool's depth; empty where all is judged or nothing asks."""
    depth, deepest = diagnosis.depth or 0, diagnosis.gaps.profile[-1]
    cutoffs = {score.measure: parse(score.measure).options.get("cutoff") for score in diagnosis.scores}
    deep = [name for name, cutoff in cutoffs.items() if not isinstance(cutoff, int) or cutoff > depth]
    if deepest.k <= depth or deepest.judged == 1 or not deep:
        return ""
    count = "counts" if len(deep) == 1 else "count"
    rest = f" Below that it is not known: of its first {deepest.k} documents {deepest.judged:.0%} are judged"
    pooled = "" if isnan(deepest.judged_pooled) else f" (of pooled runs' {deepest.judged_pooled:.0%})"
    return f"{rest}{pooled}, and {in_words(deep)} {count} the others as not relevant."


def _by_loss(percent: float, loss: str, diagnosis: Diagnosis) -> str:
    if percent < NOISE:
        noise = f"{loss}, which is below the threshold of {NOISE:.0f} %."
        return f"{_fair_to(diagnosis)} {noise}{_below(diagnosis)}"
    if percent < CARE:
        return f"Verdict: usable with care. {loss} on average: the pool may explain such differences."
    return f"Verdict: not fair. {loss} (6 % is the bound): judge its documents before you compare."


def _comparison(comparison: RunComparison, diagnosis: Diagnosis) -> list[str]:
    head = f"Against {comparison.against}: {comparison.measure} differs by {comparison.difference:+.4f} as judged"
    if comparison.unjudged:
        head += (
            f", and between {comparison.least:+.4f} and {comparison.most:+.4f} over all labels of the"
            f" {counted(comparison.unjudged, 'unjudged document')} that can change it"
        )
    if comparison.outcome == "equal":
        return [f"{head}.", "The two are equal, and no judgment can change that."]
    if comparison.outcome != "open":
        sentence = (
            f"It is {comparison.outcome}, and no judgment can change that; `cranfield compare` tests significance."
        )
        return [f"{head}.", sentence]
    below = diagnosis.depth and comparison.depth > diagnosis.depth
    deeper = " Below the pool's depth fewer are relevant." if below else ""
    return [f"{head}.", _probably(comparison.chance, diagnosis.by) + deeper, _labels_to_decide(comparison)]


def _probably(chance: Probabilities, by: str) -> str:
    """The probabilities, and what they are based on."""
    like = f"one pooled {by}'s unique documents" if chance.of == "unique" else "the judged documents of their topics"
    sentence = (
        f"If those are relevant as often as {like} ({chance.rate:.0%} of them), it is better with probability"
        f" {_share(chance.better)} and worse with {_share(chance.worse)}, by {chance.draws} random labellings."
    )
    if chance.of == "unique":
        return sentence
    return f"{sentence} As a rule they are relevant less often, since few runs found them."


def _share(probability: float) -> str:
    """A probability, as exact as the draws allow.

    >>> [_share(probability) for probability in (0.0, 0.004, 0.5, 0.997)]
    ['under .01', 'under .01', '.50', 'over .99']
    """
    if HUNDREDTH <= probability <= 1 - HUNDREDTH:
        return f"{probability:.2f}".removeprefix("0")
    return "under .01" if probability < HUNDREDTH else "over .99"


def _labels_to_decide(comparison: RunComparison) -> str:
    if not comparison.to_judge:
        return "Undecided, but no labels were found that would put either ahead."
    better, worse = (
        f"no labels were found that show it to be {word}"
        if side is None
        else f"{counted(len(side), 'judgment')} can show it to be {word}, if all come out {way} it"
        for word, way, side in (("better", "for", comparison.better), ("worse", "against", comparison.worse))
    )
    shortest = "No list is shorter." if comparison.shortest else "A shorter one may exist."
    return (
        f"Undecided: {better}; {worse}. The list to judge is the shorter one, {len(comparison.to_judge)} in all"
        " (--pool-out or --store-pool writes it): judge it and diagnose again, since each label that comes out"
        f" otherwise requires more. {shortest} Judging all {comparison.unjudged} is certain to decide."
    )
