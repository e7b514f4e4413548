"""What leave-one-out tested, in a few sentences: the units, the worst measure, the worst case, the kinds tested."""

from collections.abc import Sequence
from math import isnan

from cranfield.analysis.verdict import (
    NOT_TESTED,
    Loss,
    Verdict,
    by_ranks,
    by_score,
    mean_changes,
    mean_in_words,
    pool_in_words,
    unit_noun,
    units_in_words,
    worst_measure,
)
from cranfield.metrics.forecast.next_system import LossBound
from cranfield.metrics.forecast.track_record import bound_records
from cranfield.text import counted

NEXT_STEP = "`cranfield diagnose` forecasts the scores of a system that you have."


def finding(verdict: Verdict) -> str:
    """What was left out of which pool and how much the scores change, without the name of a run; why if not tested."""
    left_out, measure = verdict.left_out, verdict.worst_measure
    if left_out.no_verdict:
        return f"{NOT_TESTED}: {left_out.no_verdict}."
    if isnan(mean_changes(verdict, measure)[-1]):
        return f"{NOT_TESTED}: no {unit_noun(left_out)} has a defined {measure} that could change."
    were = "was" if len(left_out.units) == 1 else "were"
    units = f"{units_in_words(left_out)} {were} left out of {pool_in_words(left_out)}, one at a time."
    noun = unit_noun(left_out)
    runs = "A left-out run" if noun == "run" else f"A run of a left-out {noun}"
    return f"{units} {runs} changes by {_mean_change(verdict, measure)}."


def reservations(verdict: Verdict) -> list[str]:
    """What the test assumes or leaves open, and how else than from runs documents came to be judged, in sentences."""
    if verdict.left_out.no_verdict:
        return []
    origins = [f"{line[:1].upper()}{line[1:]}." for line in (verdict.who.origins if verdict.who else ())]
    return [*verdict.reservations, *origins]


def _mean_change(verdict: Verdict, measure: str) -> str:
    several = len(verdict.left_out.measures)
    worst = f", which changes most of the {several} measures" if several > 1 else ""
    by = f"in {measure}{worst}"
    texts = list(dict.fromkeys(f"{mean:.1f}" for mean in mean_changes(verdict, measure)))
    if len(texts) == 1 or verdict.who is None:
        return f"{mean_in_words(verdict.left_out, measure)} on average {by}"
    runs = counted(len(verdict.who.undecided), "run")
    whether = f"depending on whether {runs} {'was' if runs == '1 run' else 'were'} pooled"
    return f"{texts[0]}% to {texts[1]}% on average ({whether}) {by}"


def worst_cases(verdict: Verdict) -> list[tuple[str, Loss, str]]:
    """The run that loses the most ranks and the one that loses the most score, each with what it loses, and a sentence.

    By the measure that changes most. One entry where both are the same run; no entry where nothing was tested or lost.
    """
    left_out, measure = verdict.left_out, verdict.worst_measure
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
    return f"{_run_of_unit(loss)} falls {ranks}, {loss.ranks}; its {change.measure} falls {loss.scores}"


def _loses(loss: Loss) -> str:
    change = loss.change
    ranks = loss.ranks if change.rank_drop else f"and stays at rank {change.full_rank}"
    return f"{_run_of_unit(loss)} falls in {change.measure} {loss.scores}, {ranks}"


def _run_of_unit(loss: Loss) -> str:
    return loss.change.run if loss.unit == loss.change.run else f"{loss.change.run} ({loss.unit})"


def kinds_tested(verdict: Verdict) -> str:
    """Which kinds of system the pooled runs are of, and how much a left-out kind changes; empty where not tested."""
    left_out, kinds = verdict.left_out, verdict.kinds
    if left_out.no_verdict:
        return ""
    if kinds is None:
        return "The kinds of the pooled runs are not known, so no kind was left out; --teams can name them."
    names = [unit.unit for unit in kinds.units]
    if len(names) == 1:
        return f"Tested on {names[0]} runs only."
    if kinds.no_verdict:
        return f"Tested on {_in_words(names)} runs only; no kind was left out: {kinds.no_verdict}."
    measure = worst_measure(kinds)
    changes = {
        unit.unit: max((c.absolute_percent for c in unit.changes if c.measure == measure), default=0.0)
        for unit in kinds.units
    }
    worst = max(changes, key=lambda kind: 0.0 if isnan(changes[kind]) else changes[kind])
    return (
        f"Tested on {_in_words(names)} runs only. With a whole kind left out, its runs change most in {measure}:"
        f" {worst} runs by up to {changes[worst]:.1f}%."
    )


def next_system(verdict: Verdict) -> str:
    """How much a system outside the pool could lose, by its unjudged share; empty where nothing was tested."""
    if verdict.left_out.no_verdict:
        return ""
    if not verdict.bounds or not isinstance(verdict.left_out.depth, int):
        return "How much a new system could lose was not tested: this needs a pool to one depth."
    return bounds_in_words(verdict.bounds, verdict.left_out.depth)


def bounds_in_words(bounds: Sequence[LossBound], depth: int) -> str:
    """The bounds of the bands of the unjudged share, by one measure, in a sentence or two.

    >>> from cranfield.metrics.forecast.next_system import LossBound
    >>> bounds = [LossBound("AP", 0.0, 0.15, 40, 0.021), LossBound("AP", 0.15, 0.3, 9, None)]
    >>> bounds_in_words(bounds, 10)
    'A new system could lose up to 2.1% of its AP with up to 15% of its first 10 documents unjudged. In tests, such
    bounds of AP held for 90% of 280 systems (classic collections with 6 lexical pooled runs), 95% of 205 systems
    (Robust 2003) and 100% of 299 systems (TREC-COVID 1). Not tested here: 15% to 30% unjudged.'
    """
    tested = [(bound, bound.bound) for bound in bounds if bound.bound is not None]
    untested = [_band_in_words(bound) for bound in bounds if bound.bound is None]
    if not tested:
        return "How much a new system could lose was not tested: too few left-out runs have unjudged documents."
    parts = list[str]()
    for bound, lost in tested:
        amount = f"up to {100 * lost:.1f}%" if lost < 1 else "all"
        of = "" if parts else f" of its {bound.measure}"
        documents = "" if parts else f" of its first {f'{depth} documents' if depth > 1 else 'document'} unjudged"
        parts.append(f"{amount}{of} with {_band_in_words(bound)}{documents}")
    lack = f" Not tested here: {_in_words(untested)} unjudged." if untested else ""
    return f"A new system could lose {_in_words(parts)}. {bound_records(bounds[0].measure).sentence}{lack}"


def _band_in_words(bound: LossBound) -> str:
    low, high = round(100 * bound.above), round(100 * bound.up_to)
    return f"up to {high}%" if not low else f"more than {low}%" if high == 100 else f"{low}% to {high}%"


def _in_words(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def headline(verdict: Verdict) -> str:
    """What was tested, the worst cases, the kinds, and what to do next, in sentences."""
    cases = [f"{name[0].upper()}{name[1:]}: {words}." for name, _, words in worst_cases(verdict)]
    ahead = "" if verdict.left_out.no_verdict else NEXT_STEP
    return " ".join(
        filter(
            None, [finding(verdict), *cases, kinds_tested(verdict), next_system(verdict), *reservations(verdict), ahead]
        )
    )
