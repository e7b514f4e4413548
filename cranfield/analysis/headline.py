"""What a verdict says in a few sentences: how fair the collection is to new systems, and the worst cases."""

from math import isnan

from cranfield.analysis.verdict import (
    FAIRNESS,
    Level,
    Loss,
    Verdict,
    by_ranks,
    by_score,
    ends,
    level,
    mean_in_words,
    means,
    pool_in_words,
)
from cranfield.metrics.reusability.results import CARE, NOISE
from cranfield.text import counted

ADVICE: dict[Level, str] = {
    "good": "New systems can be compared with the pooled ones.",
    "unsure": "Look at the worst cases: a system unlike the pooled ones may be underrated.",
    "bad": "Report how many documents of a new system's ranking are judged (Judged@10), or judge more.",
    "none": "",
}


def finding(verdict: Verdict) -> str:
    """The verdict in a sentence, and what it assumes or leaves open."""
    left_out, measure = verdict.left_out, verdict.left_out.measures[0]
    if left_out.no_verdict:
        return f"{FAIRNESS['none']}: {left_out.no_verdict}."
    if isnan(means(verdict)[-1]):
        return f"{FAIRNESS['none']}: no {left_out.by} has a defined {measure} that could change."
    which = level(verdict)
    of = "" if left_out.by == "run" else "'s run"
    change = f"left out of {pool_in_words(left_out)}, a {left_out.by}{of} changes by {_mean(verdict, measure)}"
    origins = [f"{line[:1].upper()}{line[1:]}." for line in (verdict.who.origins if verdict.who else ())]
    return " ".join([f"{FAIRNESS[which]}: {change}{_beside(verdict, which)}.", *verdict.reservations, *origins])


def _mean(verdict: Verdict, measure: str) -> str:
    """The mean change; a range where it depends on runs that may not have been pooled."""
    texts = list(dict.fromkeys(f"{mean:.1f}" for mean in means(verdict)))
    if len(texts) == 1 or verdict.who is None:
        return f"{mean_in_words(verdict.left_out, measure)} in {measure} on average"
    runs = counted(len(verdict.who.undecided), "run")
    whether = f"depending on whether {runs} {'was' if runs == '1 run' else 'were'} pooled"
    return f"{texts[0]} to {texts[1]} % in {measure} on average ({whether})"


def _beside(verdict: Verdict, which: Level) -> str:
    """What to compare the mean with, and the run that is beyond that; empty where nobody knows how far off both are."""
    if verdict.left_out.missed_in_words:
        return ""
    if which == "bad":
        return f", over the bound of {CARE:.0f} %"
    mean = ends(verdict) or means(verdict)
    if mean[-1] >= NOISE:
        return f", {'maybe ' if ends(verdict) and mean[0] < NOISE else ''}more than the threshold of {NOISE:.0f} %"
    worst = by_score(verdict.left_out, verdict.left_out.measures[0])[:1]
    far = [
        f", but {loss.change.run} by {loss.change.absolute_percent:.1f} %"
        for loss in worst
        if loss.change.absolute_percent >= CARE
    ]
    return "".join(far) or f", below the threshold of {NOISE:.0f} %"


def worst_cases(verdict: Verdict) -> list[tuple[str, Loss, str]]:
    """The run that loses the most ranks and the one that loses the most score, each with what it loses, and a sentence.

    One entry where both are the same run; none where there is no verdict or nothing is lost.
    """
    left_out, measure = verdict.left_out, verdict.left_out.measures[0]
    if left_out.no_verdict:
        return []
    ranks, score = by_ranks(left_out, measure)[:1], by_score(left_out, measure)[:1]
    if ranks and ranks == score:
        return [("most ranks and score lost", ranks[0], _falls(ranks[0]))]
    return [
        *(("most ranks lost", loss, _falls(loss)) for loss in ranks),
        *(("most score lost", loss, _loses(loss)) for loss in score),
    ]


def _falls(loss: Loss) -> str:
    change = loss.change
    ranks = counted(change.rank_drop, "rank")
    return f"{change.run} falls {ranks}, {loss.ranks}; its {change.measure} falls {loss.scores}"


def _loses(loss: Loss) -> str:
    change = loss.change
    ranks = loss.ranks if change.rank_drop else f"and stays at rank {change.full_rank}"
    return f"{change.run} falls in {change.measure} {loss.scores}, {ranks}"


def headline(verdict: Verdict) -> str:
    """The verdict, its worst cases and what to do, in sentences."""
    cases = [f"{name[0].upper()}{name[1:]}: {words}." for name, _, words in worst_cases(verdict)]
    return " ".join(filter(None, [finding(verdict), *cases, ADVICE[level(verdict)]]))
