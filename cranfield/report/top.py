"""The top of the page: the verdict in a sentence, its sign, the worst cases, and the ranks with and without."""

from collections.abc import Sequence

from cranfield.analysis.headline import ADVICE, finding, worst_cases
from cranfield.analysis.verdict import FAIRNESS, Loss, Verdict, level, losses, most_ranks, most_score
from cranfield.plots.palette import STATUS
from cranfield.report.components.lines import Slope, slopegraph
from cranfield.text import counted

from .blocks import Figure, Top

BY_RANKS, BY_SCORE = 3, 2  # runs that the graph names
NO_SIGN = "\N{EN DASH}"
HOW = (
    "To get one, give all the runs that were pooled; --teams says which they are, and --protect which judgments have"
    " another origin."
)


def top(verdict: Verdict) -> Top:
    """The top for a verdict."""
    which = level(verdict)
    label, _, sentence = finding(verdict).partition(": ")
    sign = STATUS[which].sign if which in STATUS else NO_SIGN
    cases = [(_capital(name), said) for name, _, said in worst_cases(verdict)]
    advice = ADVICE[which] or (HOW if verdict.found.pool.lack else "")
    return Top(
        which,
        sign,
        label,
        sentence=_capital(sentence),
        cases=cases,
        advice=advice,
        figure=None if which == "none" else ranks(verdict),
    )


def no_card(lack: str) -> Top:
    """The top of a page without a card."""
    return Top(
        "none",
        NO_SIGN,
        FAIRNESS["none"],
        sentence=f"There is no reusability card: {lack}.",
        cases=[],
        advice="",
        figure=None,
    )


def _capital(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"


def ranks(verdict: Verdict) -> Figure:
    """The ranks of the left-out runs, with their unit's own contribution and without."""
    found, measure = verdict.found, verdict.found.measures[0]
    return rank_figure("ranks", found.by, measure, losses(found, measure))


def rank_figure(key: str, by: str, measure: str, every: Sequence[Loss]) -> Figure:
    """The same of what left-out runs lose."""
    worst = [*most_ranks(every)[:BY_RANKS], *most_score(every)[:BY_SCORE]]
    named = {run: at for at, run in enumerate(dict.fromkeys(loss.change.run for loss in worst))}
    slopes = [
        Slope(loss.change.run, loss.change.full_rank, loss.change.reduced_rank, named.get(loss.change.run))
        for loss in every
    ]
    fallen = sum(slope.after > slope.before for slope in slopes)
    caption = (
        f"Rank by {measure}, with the {by}'s own contribution to the pool and without. Each line is a separate"
        f" leave-one-out, so runs may share a rank. {fallen} of {counted(len(slopes), 'run')} fall."
    )
    title = f"Ranks by {measure} with and without the own contribution"
    return Figure(key, slopegraph(key, slopes, ("as judged", "if left out"), title, caption), caption)
