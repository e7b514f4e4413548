"""What is said of a forecast: the interval, how far the score is too low, and where neither may be said."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil, floor

from cranfield.metrics.forecast.forecasts import ScoreForecast
from cranfield.metrics.forecast.model import MAX_TESTED_SHARE
from cranfield.metrics.forecast.outcomes import Outcome, PairOutcome, state_share
from cranfield.metrics.forecast.track_record import (
    INTERVAL,
    LARGE_LOSS,
    LARGE_LOSS_SENTENCE,
    SMALL_LOSS_SENTENCE,
    PoolKind,
    find_track_record,
)
from cranfield.text import counted

TOO_WIDE_SENTENCE = "This interval is wider than half of the score."
N_PROPOSED = 50  # documents of the proposed draw; of 1,004 stars, 50 labels decided about half of the undecided ones


class ScoreStatus(StrEnum):
    """What is known of a score.

    `judged`: all documents within the depth are judged. `forecast`: there is an interval. `too wide`: the interval is
    wider than half of the score. `not right often enough`: intervals on such pools held too seldom. `no model`: no
    model can be fitted.
    """

    JUDGED = "judged"
    FORECAST = "forecast"
    TOO_WIDE = "too wide"
    UNRELIABLE = "not right often enough"
    NO_MODEL = "no model"


@dataclass(frozen=True)
class ScoreStatement:
    """What is said of a score.

    Parameters
    ----------
    forecast : ScoreForecast
        The forecast; its interval is NaN where it may not be printed.
    status : ScoreStatus
        What is known.
    sentence : str
        The sentence.
    """

    forecast: ScoreForecast
    status: ScoreStatus
    sentence: str

    @property
    def needs_labels(self) -> bool:
        """Whether a random draw has to be judged before anything is said but bounds."""
        return self.status in (ScoreStatus.TOO_WIDE, ScoreStatus.UNRELIABLE, ScoreStatus.NO_MODEL)


def status_of(forecast: ScoreForecast, pool: PoolKind) -> ScoreStatus:
    """Return what may be said of a score.

    Parameters
    ----------
    forecast : ScoreForecast
        The forecast.
    pool : {"depth", "budget"}
        How the pool was built: to a depth, or by another method.

    Returns
    -------
    ScoreStatus
        What is known of the score.
    """
    if forecast.n_unjudged == forecast.n_labels:
        return ScoreStatus.JUDGED
    if not forecast.is_fitted:
        return ScoreStatus.NO_MODEL
    if not find_track_record(pool, INTERVAL, forecast.measure, forecast.n_labels > 0).is_kept:
        return ScoreStatus.UNRELIABLE
    return ScoreStatus.TOO_WIDE if forecast.is_too_wide else ScoreStatus.FORECAST


def state_score(forecast: ScoreForecast, pool: PoolKind) -> ScoreStatement:
    """Say what is known of a score.

    Parameters
    ----------
    forecast : ScoreForecast
        The forecast, with worst-case bounds where no interval may be printed.
    pool : {"depth", "budget"}
        How the pool was built: to a depth, or by another method.

    Returns
    -------
    ScoreStatement
        The status and the sentence.

    Examples
    --------
    >>> nan = float("nan")
    >>> forecast = ScoreForecast("new", "AP", 0.3, 0.35, 0.33, 0.4, nan, nan, 0.2, 20, 0, 500, 10)
    >>> state_score(forecast, "depth").sentence
    'AP is 0.3000 as judged. If its first 10 documents were judged, AP would be between 0.3300 and 0.4000 \
(95% interval). AP is too low by between 9% and 25% (95% interval); the claim "at least 6%" was right in 5 of 5 tests.'
    """
    status, measure = status_of(forecast, pool), forecast.measure
    documents = "its first document" if forecast.depth == 1 else f"its first {forecast.depth} documents"
    if status is ScoreStatus.JUDGED:
        score, nan = forecast.as_judged, float("nan")
        settled = forecast if forecast.n_labels else replace(forecast, low=score, high=score, lowest=nan, highest=nan)
        if not forecast.n_labels:
            judged = "is judged" if forecast.depth == 1 else "are judged"
            sentence = f"{measure} is {_format_score(forecast.as_judged)}: {documents} {judged}."
            return ScoreStatement(settled, status, sentence)
        if not forecast.is_fitted:
            settled = replace(forecast, low=forecast.lowest, high=forecast.highest, lowest=nan, highest=nan)
        return ScoreStatement(settled, status, _interval(settled, documents))
    if status is ScoreStatus.FORECAST:
        said = (_interval(forecast, documents), _untested_share(forecast), _loss(forecast, pool))
        return ScoreStatement(forecast, status, " ".join(filter(None, said)))
    if status is ScoreStatus.TOO_WIDE:
        wide = (
            _interval(forecast, documents),
            _untested_share(forecast),
            TOO_WIDE_SENTENCE,
            _bounds_sentence(forecast),
        )
        return ScoreStatement(forecast, status, " ".join(filter(None, wide)))
    unknown = replace(forecast, median=float("nan"), low=float("nan"), high=float("nan"))
    reason = "no forecast was possible"
    if status is ScoreStatus.UNRELIABLE:
        record = find_track_record(pool, INTERVAL, measure, forecast.n_labels > 0)
        reason = f"no forecast is given, because {record.sentence}"
    sentence = f"{measure} is {_format_score(forecast.as_judged)} as judged; {reason}. {_bounds_sentence(forecast)}"
    return ScoreStatement(unknown, status, sentence)


def _untested_share(forecast: ScoreForecast) -> str:
    if forecast.unjudged_share <= MAX_TESTED_SHARE:
        return ""
    return (
        f"{forecast.unjudged_share:.0%} of these documents are unjudged. Forecasts were tested up to "
        f"{MAX_TESTED_SHARE:.0%}, so this interval allows for a larger error."
    )


def _interval(forecast: ScoreForecast, documents: str) -> str:
    measure, ends = forecast.measure, f"{_format_score(forecast.low)} and {_format_score(forecast.high)}"
    were = "was" if forecast.depth == 1 else "were"
    if forecast.n_labels and forecast.n_labels == forecast.n_unjudged and forecast.low == forecast.high:
        return (
            f"{measure} is {_format_score(forecast.as_judged)} as judged. With the drawn labels, it is"
            f" {_format_score(forecast.low)}: {documents} {'has a label' if forecast.depth == 1 else 'have labels'}."
        )
    if forecast.low == forecast.high:
        return (
            f"{measure} is {_format_score(forecast.as_judged)} as judged. In each of {forecast.n_draws} simulated"
            f" labellings of {documents}, it is {_format_score(forecast.low)}."
        )
    return (
        f"{measure} is {_format_score(forecast.as_judged)} as judged. If {documents} {were} judged, {measure} would be"
        f" between {ends} (95% interval)."
    )


def _bounds_sentence(forecast: ScoreForecast) -> str:
    if forecast.lowest != forecast.lowest:
        return f"No bounds on {forecast.measure} are known."
    ends = f"{_format_score(forecast.lowest)} and {_format_score(forecast.highest)}"
    ranks = "rank 1" if forecast.depth == 1 else f"ranks 1 to {forecast.depth}"
    return f"Under any labels of its unjudged documents at {ranks}, {forecast.measure} is between {ends}."


def _loss(forecast: ScoreForecast, pool: PoolKind) -> str:
    """How far the score as judged is too low, relative to the score with all labels; "" where it cannot be said."""
    judged, low, high, measure = forecast.as_judged, forecast.low, forecast.high, forecast.measure
    if judged < 0 or high <= 0:
        return ""
    least, most = (1 - judged / low if low > 0 else 0.0), 1 - judged / high
    if most <= 0:
        return f"{measure} is not too low."
    end = f"{ceil(100 * most - 1e-9)}%"
    loss = f"up to {end}" if least < 0.01 else f"between {floor(100 * least + 1e-9)}% and {end}"
    return f"{measure} is too low by {loss} (95% interval){_tested_claim(least, most, measure, pool, forecast)}."


def _tested_claim(least: float, most: float, measure: str, pool: PoolKind, forecast: ScoreForecast) -> str:
    """The claim about a loss of 6% that was tested, with its record; empty where none was right often enough."""
    name = LARGE_LOSS_SENTENCE if least >= LARGE_LOSS else SMALL_LOSS_SENTENCE if most < LARGE_LOSS else None
    record = None if name is None else find_track_record(pool, name, measure, forecast.n_labels > 0)
    if record is None or not record.is_kept:
        return ""
    return f'; the claim "{name} {LARGE_LOSS:.0%}" was right in {record.n_right} of {record.n_cases} tests'


def _format_score(score: float) -> str:
    return f"{score:.4f}" if abs(score) < 100 else f"{score:.1f}"


@dataclass(frozen=True)
class PairStatement:
    """What is said of the difference between the new run and another one.

    Parameters
    ----------
    measure, run, against : str
        The measure and the two runs.
    difference : float
        The score of the run minus that of the other one, as judged.
    outcome : PairOutcome
        The outcome by the rule for pairs.
    sentence : str
        The sentence.
    """

    measure: str
    run: str
    against: str
    difference: float
    outcome: PairOutcome
    sentence: str


def state_pair(measure: str, run: str, against: str, difference: float, outcome: PairOutcome) -> PairStatement:
    """Say what is known of a difference.

    Parameters
    ----------
    measure, run, against : str
        The measure and the two runs.
    difference : float
        The score of the run minus that of the other one, as judged.
    outcome : PairOutcome
        The outcome by the rule for pairs; without draws, by worst-case bounds.

    Returns
    -------
    PairStatement
        The outcome and the sentence.

    Examples
    --------
    >>> found = PairOutcome(Outcome.UNJUDGED, True, 0.0, 0.02, -0.05, 0.06, 500)
    >>> state_pair("nDCG@10", "new", "bm25", -0.1, found).sentence
    'nDCG@10 of new is 0.1000 lower than nDCG@10 of bm25 as judged. Due to unjudged documents: the difference \
is significant in 2% of 500 simulated labellings. If the unjudged documents were judged, \
the difference would be between -0.0500 and 0.0600 (95% interval).'
    """
    direction = "lower" if difference < 0 else "higher"
    start = f"{measure} of {run} is {abs(difference):.4f} {direction} than {measure} of {against} as judged."
    if outcome.n_draws:
        share = state_share(outcome, difference)
        were = "If the unjudged documents were judged, the difference would be"
        ends = f"{were} between {outcome.low:.4f} and {outcome.high:.4f} (95% interval)."
    else:
        share = "unjudged documents could make or undo a significant difference"
        ends = (
            "Under any labels of the unjudged documents, the difference is between"
            f" {outcome.low:.4f} and {outcome.high:.4f}."
        )
    stands = "" if outcome.n_draws else "the smallest and the greatest possible difference give the same result"
    middle = {
        Outcome.SIGNIFICANT: f"Significant: {stands or share}.",
        Outcome.NOT_SIGNIFICANT: f"Not significant: {stands or share}.",
        Outcome.UNDECIDED: f"Not decided: {share}.",
        Outcome.UNJUDGED: f"Due to unjudged documents: {share}.",
    }[outcome.outcome]
    return PairStatement(measure, run, against, difference, outcome, f"{start} {middle} {ends}")


def state_labels(n_relevant: int, n_labels: int, n_unjudged: int) -> str:
    """Say what a random draw says of a run's unjudged documents.

    Parameters
    ----------
    n_relevant, n_labels : int
        The relevant documents of the draw, and its labelled documents.
    n_unjudged : int
        The unjudged documents of the run within the depth.

    Returns
    -------
    str
        The relevant share with its 95% interval, exact for a binomial sample.

    References
    ----------
    Clopper and Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika
    26(4), 1934.

    Examples
    --------
    >>> state_labels(12, 40, 278)
    "12 of the 40 labelled documents in the draw are relevant, so between 17% and 47% of the run's 278 unjudged \
documents are relevant (95% interval)."
    >>> state_labels(35, 278, 278)
    'All 278 unjudged documents have a label: 35 are relevant (13%).'
    """
    from scipy.special import betaincinv

    are = "is" if n_relevant == 1 else "are"
    if n_labels == n_unjudged:
        have = (
            "The only unjudged document has a label"
            if n_labels == 1
            else f"All {n_labels} unjudged documents have a label"
        )
        return f"{have}: {n_relevant} {are} relevant ({n_relevant / n_labels:.0%})."
    low = betaincinv(n_relevant, n_labels - n_relevant + 1, 0.025) if n_relevant else 0.0
    high = betaincinv(n_relevant + 1, n_labels - n_relevant, 0.975) if n_relevant < n_labels else 1.0
    return (
        f"{n_relevant} of the {counted(n_labels, 'labelled document')} in the draw {are} relevant, so between {low:.0%}"
        f" and {high:.0%} of the run's {n_unjudged} unjudged documents are relevant (95% interval)."
    )


def proposed_draw_size(n_unjudged: int) -> int:
    """Return how many documents to draw: 50, or all where there are fewer.

    Parameters
    ----------
    n_unjudged : int
        The unjudged documents of the run within the depth.

    Returns
    -------
    int
        The number of documents.
    """
    return min(N_PROPOSED, n_unjudged)


def needs_draw(scores: Sequence[ScoreStatement], pairs: Sequence[PairStatement]) -> bool:
    """Return whether a random draw would help to say more.

    Parameters
    ----------
    scores : sequence of ScoreStatement
        What is said of the scores.
    pairs : sequence of PairStatement
        What is said of the differences.

    Returns
    -------
    bool
        Whether a score needs labels or a difference is not decided.
    """
    undecided = any(pair.outcome.outcome is Outcome.UNDECIDED for pair in pairs)
    return undecided or any(score.needs_labels for score in scores)


def more_labels_help(scores: Sequence[ScoreStatement], pairs: Sequence[PairStatement], pool: PoolKind) -> bool:
    """Return whether a larger part of the unjudged documents, labelled, would narrow an interval or decide a pair.

    Without a model, and where intervals from drawn labels held too seldom, only labels of all documents do.

    Parameters
    ----------
    scores : sequence of ScoreStatement
        What is said of the scores with drawn labels.
    pairs : sequence of PairStatement
        What is said of the differences with drawn labels.
    pool : {"depth", "budget"}
        How the pool was built: to a depth, or by another method.

    Returns
    -------
    bool
        Whether a score or a difference is open that is decided by simulated labels.
    """
    undecided = any(pair.outcome.outcome is Outcome.UNDECIDED and pair.outcome.n_draws for pair in pairs)
    return undecided or any(
        score.status is ScoreStatus.TOO_WIDE
        or (
            score.status is ScoreStatus.UNRELIABLE
            and find_track_record(pool, INTERVAL, score.forecast.measure, True).is_kept
        )
        for score in scores
    )
