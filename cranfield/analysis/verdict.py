"""The verdict of leave-one-out: how much the runs of each left-out unit lose, the main numbers first."""

from collections.abc import Sequence
from dataclasses import asdict
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks
from cranfield.arrays.rankings import is_judged
from cranfield.contributors import Contributors
from cranfield.errors import replace_options
from cranfield.formats.text_tables import format_cell
from cranfield.html_table import html_table
from cranfield.metrics.evaluate import score_block
from cranfield.metrics.forecast.next_system import LossBound
from cranfield.metrics.forecast.track_record import BOUND_RECORDS, find_bound_records
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.results import RICH, USUAL, Reusability, ScoreChange
from cranfield.metrics.reusability.stability import Floor, noise_floor
from cranfield.text import counted


class Loss(NamedTuple):
    """What a run of a left-out unit loses."""

    unit: str
    change: ScoreChange

    @property
    def score(self) -> float:
        """How much lower its score is, in the measure's own unit."""
        return self.change.full - self.change.reduced

    @property
    def ranks(self) -> str:
        """Its ranks in words.

        >>> Loss("a", ScoreChange("a", "AP", 0.5, 0.25, 1, 3, 3)).ranks
        'from rank 1 to 3'
        """
        return f"from rank {self.change.full_rank} to {self.change.reduced_rank}"

    @property
    def scores(self) -> str:
        """Its scores in words.

        >>> Loss("a", ScoreChange("a", "AP", 0.5, 0.25, 1, 3, 3)).scores
        'from 0.5000 to 0.2500'
        """
        return f"from {format_cell(self.change.full)} to {format_cell(self.change.reduced)}"


def left_out_losses(left_out: Reusability, measure: str) -> list[Loss]:
    """Every left-out run whose score is defined with its unit and without."""
    changes = [(unit.unit, change) for unit in left_out.units for change in unit.changes if change.measure == measure]
    return [loss for change in changes if not isnan((loss := Loss(*change)).score)]


def runs_by_ranks_lost(left_out: Reusability, measure: str) -> list[Loss]:
    """The runs that drop, by ranks lost."""
    return sort_by_ranks_lost(left_out_losses(left_out, measure))


def runs_by_score_lost(left_out: Reusability, measure: str) -> list[Loss]:
    """The runs whose score falls, by the score lost."""
    return sort_by_score_lost(left_out_losses(left_out, measure))


def sort_by_ranks_lost(losses: Sequence[Loss]) -> list[Loss]:
    """Those that drop, by ranks lost."""
    drops = [loss for loss in losses if loss.change.rank_drop > 0]
    return sorted(drops, key=lambda loss: (-loss.change.rank_drop, -loss.score, loss.change.run))


def sort_by_score_lost(losses: Sequence[Loss]) -> list[Loss]:
    """Those whose score falls, by the score lost."""
    fallen = [loss for loss in losses if loss.score > 0]
    return sorted(fallen, key=lambda loss: (-loss.score, -loss.change.rank_drop, loss.change.run))


NAMED = 3  # of the runs that lose most
NOT_TESTED = "Not tested"
NOT_A_TEST = "The score changes of these runs do not show how much another system would lose."


class Verdict(NamedTuple):
    """Leave-one-out findings, each measure's noise floor, and the share of judged documents that are relevant.

    `least` are the findings if as few as possible of the undecided runs were pooled; `partial_answers` says which runs
    did not answer all topics.
    """

    left_out: Reusability
    floor: dict[str, Floor]
    relevant_share: float
    who: Contributors | None = None
    least: Reusability | None = None
    partial_answers: Sequence[str] = ()
    kinds: Reusability | None = None  # leave-one-out by kind, where the kinds of the pooled runs are known
    bounds: Sequence[LossBound] = ()  # of what a system outside the pool could lose, by its unjudged share

    @property
    def notes(self) -> list[str]:
        """Which runs were pooled, if inferred, and why there is no verdict, if there is none: one line each."""
        lack = [f"not tested: {self.left_out.no_verdict}"] if self.left_out.no_verdict else []
        return [*(self.who.notes if self.who else ()), *lack, *(unit.note for unit in self.left_out.untested)]

    @property
    def reservations(self) -> list[str]:
        """What the verdict assumes or leaves open, in sentences; nothing where there is no verdict."""
        if self.left_out.no_verdict:
            return []
        assumption = self.who.assumption if self.who else ""
        rich = (
            f"{100 * self.relevant_share:.1f}% of the judged documents are relevant. At {RICH:.0f}% or more, the pool"
            " has probably missed other relevant documents."
        )
        missed = rich if 100 * self.relevant_share >= RICH else ""
        return [*filter(None, (assumption, *self.left_out.pool.reservations, self.left_out.missed_in_words, missed))]

    @property
    def worst_measure(self) -> str:
        """The measure by which left-out runs change most on average; the first where none is defined."""
        return worst_measure(self.left_out)

    def __repr__(self) -> str:
        left_out = self.left_out
        if left_out.no_verdict:
            return " ".join(filter(None, [f"{NOT_TESTED}: {left_out.no_verdict}.", remedy(left_out, ""), NOT_A_TEST]))
        return replace_options(verdict_sentences(self))

    def _repr_html_(self) -> str:
        """The verdict for a notebook: the numbers by the first measure, and how to read them."""
        return html_table(verdict_rows(self, self.left_out.measures[0]), repr(self))

    def to_json(self) -> dict[str, Any]:
        """The findings' JSON with `contributors`, `floor`, `relevant_share` and `partial_answers`."""
        floor = {measure: floor._asdict() for measure, floor in self.floor.items()}
        who = self.who and self.who.to_json() | {"mean_change_with_fewest": self._mean_changes_if_fewest_pooled()}
        return self.left_out.to_json() | {
            "reservations": self.reservations, "relevant_share": self.relevant_share, "floor": floor,
            "contributors": who, "partial_answers": list(self.partial_answers),
            "remedy": remedy(self.left_out) or None,
            "worst_measure": None if self.left_out.no_verdict else self.worst_measure,
            "kinds": None if self.kinds is None else self.kinds.to_json()["units"],
            "next_system": [asdict(bound) | {"held": _held_share(bound, self.left_out.depth)} for bound in self.bounds],
        }  # fmt: skip

    def _mean_changes_if_fewest_pooled(self) -> dict[str, float] | None:
        """By measure the mean change if as few as possible of the undecided runs were pooled."""
        if self.least is None or self.left_out.no_verdict:
            return None
        return {measure: summary.mean_change_percent for measure, summary in self.least.summary.items()}


def _held_share(bound: LossBound, depth: object) -> float | None:
    """The lowest share of tested systems for which such bounds held; None where they were not tested."""
    records = find_bound_records(bound.measure, depth) if isinstance(depth, int) else None
    return records and records.worst.share


def remedy(left_out: Reusability, dashes: str = "--") -> str:
    """Say what to supply where the runs do not explain the pool; empty where nothing helps.

    Parameters
    ----------
    left_out : Reusability
        The numbers.
    dashes : str, default "--"
        The prefix of an option's name; empty in Python.

    Returns
    -------
    str
        A sentence.
    """
    if not left_out.pool.lack:
        return ""
    if left_out.pool.lack.endswith("in the pool are not judged"):
        return (
            "For a test, judge the rest of the pool. If the pool is judged, state which runs were pooled with"
            f" {dashes}teams, and the pool's depth with {dashes}depth."
        )
    return (
        f"For a test, give all pooled runs. State which runs were pooled with {dashes}teams, the pool's depth with"
        f" {dashes}depth, and the judgments from other sources with {dashes}protect."
    )


def explain_no_verdict(verdict: Verdict) -> str:
    """Say why nothing was tested, what to do, and how to read the numbers; empty where there is a verdict.

    Parameters
    ----------
    verdict : Verdict
        The verdict.

    Returns
    -------
    str
        A few sentences.
    """
    lack = verdict.left_out.no_verdict
    said = [f"{NOT_TESTED}: {lack}.", remedy(verdict.left_out), NOT_A_TEST]
    return " ".join(filter(None, said)) if lack else ""


def mean_changes(verdict: Verdict, measure: str) -> list[float]:
    """The mean changes with all runs that may have been pooled and with as few as possible, the smallest first."""
    either = (verdict.left_out, verdict.least) if verdict.least else (verdict.left_out,)
    return sorted(left_out.summary[measure].mean_change_percent for left_out in either)


def worst_measure(left_out: Reusability) -> str:
    """The measure by which the left-out runs change most on average; the first where no change is defined."""
    changes = {measure: summary.mean_change_percent for measure, summary in left_out.summary.items()}
    return max(left_out.measures, key=lambda measure: -1.0 if isnan(changes[measure]) else changes[measure])


def unit_noun(left_out: Reusability) -> str:
    """Return the noun for a left-out unit; a cluster is a "run" if every cluster has only one.

    Parameters
    ----------
    left_out : Reusability
        The units.

    Returns
    -------
    str
        run, team, kind or cluster.
    """
    single = all(len(unit.runs) == 1 for unit in left_out.units)
    return "run" if left_out.by == "cluster" and left_out.units and single else left_out.by


def units_in_words(left_out: Reusability) -> str:
    """How many units of which kind were left out; clusters of one run each are runs.

    >>> from cranfield.metrics.reusability.results import PoolOverlap, Reusability
    >>> units_in_words(Reusability("team", 10, 25, PoolOverlap(9, 9, 0, 0), ("AP",), ()))
    '0 teams'
    """
    number = len(left_out.units)
    noun = unit_noun(left_out)
    return f"{counted(number, noun)} of near-duplicate runs" if noun == "cluster" else counted(number, noun)


def verdict(
    left_out: Reusability,
    judged: Judged | JudgedBlocks,
    *,
    rel: int = 1,
    who: Contributors | None = None,
    least: Reusability | None = None,
    partial_answers: Sequence[str] = (),
    kinds: Reusability | None = None,
    bounds: Sequence[LossBound] = (),
    seed: int = 0,
) -> Verdict:
    """The findings with what to compare them with."""
    blocks, measures = as_judged_blocks(judged), [parse(measure) for measure in left_out.measures]
    scores = np.nan_to_num(blocks.join([*blocks.map_blocks(score_block, (measures,))]))
    floors = {measure: noise_floor(scores[..., at], seed) for at, measure in enumerate(left_out.measures)}
    grade = blocks.bare.qrels_grade
    graded = is_judged(grade)
    share = float(np.mean(grade[graded] >= rel)) if graded.any() else np.nan
    return Verdict(
        left_out,
        floors,
        share,
        who=who,
        least=least,
        partial_answers=partial_answers,
        kinds=kinds,
        bounds=bounds,
    )


def pool_in_words(left_out: Reusability) -> str:
    """What the findings hold for: the pool's runs, depth or method, and topics."""
    every_unit = [*left_out.units, *(unit.result for unit in left_out.untested)]
    runs = counted(sum(len(unit.runs) for unit in every_unit), "run")
    how = f"depth {left_out.depth}" if isinstance(left_out.depth, int) else "a depth for each run"
    how = f"built by {left_out.method}" if left_out.method else how
    return f"the pool ({runs}, {how}, {counted(left_out.topics, 'topic')})"


class Number(NamedTuple):
    """A number of the verdict: its value by one measure, what is particular to that, and how to read any such value."""

    name: str
    value: str
    about: str = ""
    reading: str = ""
    shared: bool = False  # whether it is the same by every measure


def verdict_rows(result: Verdict, measure: str) -> list[dict[str, Any]]:
    """One row per number, most telling first: what it is, its value, how to read it."""
    return [
        {
            measure: number.name,
            "value": number.value,
            "how to read it": "; ".join(filter(None, (number.about, number.reading))),
        }
        for number in numbers(result, measure)
    ]


def numbers(result: Verdict, measure: str) -> list[Number]:
    """The numbers of the verdict by a measure, the most telling first."""
    left_out, floor, by = result.left_out, result.floor[measure], unit_noun(result.left_out)
    summary = left_out.summary[measure]
    changes = [change for unit in left_out.units for change in unit.changes if change.measure == measure]
    counts = [unit.flips[measure] for unit in left_out.units]
    most = max(counts, key=lambda flips: (flips.lost + flips.reversed, flips.gained))
    unique, relevant = (sum(getattr(unit, name) for unit in left_out.units) for name in ("unique", "unique_relevant"))
    taus = [tau for unit in left_out.units if not np.isnan(tau := unit.tau_ap[measure])] or [np.nan]
    note = (
        f"5th percentile {_format_tau(floor.bootstrap_p5)}; between random halves {_format_tau(floor.split_half_mean)}"
    )
    share = f"{100 * result.relevant_share:.1f}%"
    return [
        _mean(left_out, measure),
        *_change_if_not_pooled(result, measure),
        _largest_score_loss(left_out, measure),
        _largest_rank_loss(left_out, measure, len(changes)),
        Number("significant pairs that change", f"{most.lost + most.reversed:,} of {most.claims:,}",
               f"at worst: {most.lost:,} lost, {most.reversed:,} reversed; {most.gained:,} gained", "paired t, 0.05"),
        Number("unique documents", f"{unique:,}", f"{relevant:,} of them relevant",
               "removing a unit removes only its unique documents", True),
        *_missed_document_numbers(left_out),
        *_overlap(left_out),
        Number("judged documents that are relevant", share, "",
               f"{USUAL:.0f}% is usual, {RICH:.0f}% is alarming", True),
        Number("Kendall's tau, lowest", _format_tau(summary.tau_min), "1 means an unchanged ranking",
               f"near 1 with many runs, because only one {by} moves"),
        Number("tau_AP, lowest", _format_tau(min(taus)), "", "like tau, but the top ranks count more"),
        Number("tau from resampling topics", _format_tau(floor.bootstrap_mean), note),
    ]  # fmt: skip


def _format_percent(value: float) -> str:
    return f"{value:.2f}%"


def _mean(left_out: Reusability, measure: str) -> Number:
    """The mean change, with its interval where grades were drawn."""
    summary = left_out.summary[measure]
    low, high = summary.mean_change_low, summary.mean_change_high
    ends = "" if np.isnan(low) else f"95% interval: {_format_percent(low)} to {_format_percent(high)}"
    return Number(
        "own score, mean absolute change",
        _format_percent(summary.mean_change_percent),
        ends,
        "mean over the runs of all left-out units",
    )


def _change_if_not_pooled(result: Verdict, measure: str) -> list[Number]:
    """The mean change if the undecided runs were not pooled."""
    if result.least is None or result.who is None:
        return []
    change = result.least.summary[measure].mean_change_percent
    count, of = len(result.who.spare), counted(len(result.who.undecided), "undecided run")
    without = f"if {count} of {of} {'was' if count == 1 else 'were'} not pooled"
    return [Number("own score, alternative mean change", _format_percent(change), "", without)]


def _overlap(left_out: Reusability) -> list[Number]:
    """What was judged outside the pool, and what of the pool was not."""
    pool = left_out.pool
    outside = Number(
        "documents judged outside the pool", f"{pool.unexplained:,}", "", "they stay judged in every test", True
    )
    unjudged = Number(
        "unjudged documents in the pool", f"{pool.unjudged or 0:,}", "", "they count as not relevant", True
    )
    return [*([outside] if pool.unexplained else []), *([unjudged] if pool.unjudged else [])]


def _missed_document_numbers(left_out: Reusability) -> list[Number]:
    """How many documents of the rebuilt pools are unjudged."""
    if not left_out.method:
        return []
    worst = max(left_out.units, key=lambda unit: unit.missed)
    most = f"; most without {worst.unit}: {worst.missed:,}" if worst.missed else ""
    grades = f"; grades drawn {left_out.draws} times" if left_out.draws else ""
    unjudged = f"unjudged documents in the pools that {left_out.method} builds without one {left_out.by}{most}{grades}"
    return [Number("missed documents", f"{left_out.missed:,}", "", unjudged, True)]


def _format_tau(value: float) -> str:
    """A tau in words.

    >>> _format_tau(0.9), _format_tau(float("nan"))
    ('0.900', 'undefined')
    """
    return "undefined" if np.isnan(value) else f"{value:.3f}"


def _largest_score_loss(left_out: Reusability, measure: str) -> Number:
    """The largest loss of score, in the measure's own unit, and the runs that lose most."""
    worst = runs_by_score_lost(left_out, measure)
    names = ", ".join(f"{loss.change.run} {loss.scores}" for loss in worst[:NAMED])
    return Number("own score, largest loss", f"{worst[0].score:.4f}" if worst else "0", names or "no score falls")


def _largest_rank_loss(left_out: Reusability, measure: str, runs: int) -> Number:
    """The largest drop in rank, and the runs that drop most."""
    worst = runs_by_ranks_lost(left_out, measure)
    names = "".join(f"; {loss.change.run} {loss.ranks}" for loss in worst[:NAMED])
    drop = f"{left_out.summary[measure].max_rank_drop}"
    return Number("own rank, largest drop", drop, f"{len(worst)} of {counted(runs, 'run')} dropped{names}")


NEXT_STEP = "To forecast the scores of your own system, run `cranfield diagnose`."


def describe_finding(verdict: Verdict) -> str:
    """What was left out of which pool and how much the scores change, without the name of a run; why if not tested."""
    left_out, measure = verdict.left_out, verdict.worst_measure
    if left_out.no_verdict:
        return f"{NOT_TESTED}: {left_out.no_verdict}."
    if isnan(mean_changes(verdict, measure)[-1]):
        return (
            f"{NOT_TESTED}: the {measure} of every left-out run is 0 or undefined, so no percentage change can be"
            " computed."
        )
    several = len(left_out.measures)
    most = f" Of the {several} measures, {measure} changes most." if several > 1 else ""
    units = units_in_words(left_out)
    units = f"one of the {units}" if len(left_out.units) > 1 else units
    its = "its" if unit_noun(left_out) == "run" else "its runs'"
    return (
        f"Removing {units} from {pool_in_words(left_out)} changes {its} {measure} by"
        f" {_mean_change_text(verdict, measure)}.{most}"
    )


def reservations(verdict: Verdict) -> list[str]:
    """What the test assumes or leaves open, and how else than from runs documents came to be judged, in sentences."""
    if verdict.left_out.no_verdict:
        return []
    origins = [f"{line[:1].upper()}{line[1:]}." for line in (verdict.who.origins if verdict.who else ())]
    return [*verdict.reservations, *origins]


def _mean_change_text(verdict: Verdict, measure: str) -> str:
    texts = list(dict.fromkeys(f"{mean:.1f}" for mean in mean_changes(verdict, measure)))
    if len(texts) == 1 or verdict.who is None:
        summary = verdict.left_out.summary[measure]
        low, high = summary.mean_change_low, summary.mean_change_high
        interval = "" if np.isnan(low) else f" (95% interval: {low:.1f}% to {high:.1f}%)"
        return f"{summary.mean_change_percent:.1f}%{interval} on average"
    runs = counted(len(verdict.who.undecided), "run")
    whether = f"depending on whether {runs} {'was' if runs == '1 run' else 'were'} pooled"
    return f"{texts[0]}% to {texts[1]}% on average, {whether}"


def worst_cases(verdict: Verdict) -> list[tuple[str, Loss, str]]:
    """The run that loses the most ranks and the one that loses the most score, each with what it loses, and a sentence.

    By the measure that changes most. One entry where both are the same run; no entry where nothing was tested or lost.
    """
    left_out, measure = verdict.left_out, verdict.worst_measure
    if left_out.no_verdict:
        return []
    ranks, score = runs_by_ranks_lost(left_out, measure)[:1], runs_by_score_lost(left_out, measure)[:1]
    if ranks and ranks == score:
        return [("most ranks and score lost", ranks[0], _rank_loss_sentence(ranks[0]))]
    return [
        *(("most ranks lost", loss, _rank_loss_sentence(loss)) for loss in ranks),
        *(("most score lost", loss, _score_loss_sentence(loss)) for loss in score),
    ]


def _rank_loss_sentence(loss: Loss) -> str:
    change = loss.change
    ranks = counted(change.rank_drop, "rank")
    return f"{_run_of_unit(loss)} falls {ranks}, {loss.ranks}; its {change.measure} falls {loss.scores}"


def _score_loss_sentence(loss: Loss) -> str:
    change = loss.change
    ranks = f"moves {loss.ranks}" if change.rank_drop else f"stays at rank {change.full_rank}"
    return f"the {change.measure} of {_run_of_unit(loss)} falls {loss.scores}; the run {ranks}"


def _run_of_unit(loss: Loss) -> str:
    return loss.change.run if loss.unit == loss.change.run else f"{loss.change.run} ({loss.unit})"


def state_tested_kinds(verdict: Verdict) -> str:
    """Which kinds of system the pooled runs are of, and how much a left-out kind changes; empty where not tested."""
    left_out, kinds = verdict.left_out, verdict.kinds
    if left_out.no_verdict:
        return ""
    if kinds is None:
        return "The kinds of the pooled runs are unknown, so no kind was left out; state the kinds with --teams."
    names = [unit.unit for unit in kinds.units]
    if len(names) == 1:
        return f"Tested on {names[0]} runs only."
    if kinds.no_verdict:
        return f"Tested on {_list_names(names)} runs only. No kind was left out: {kinds.no_verdict}."
    measure = worst_measure(kinds)
    changes = {
        unit.unit: max((c.absolute_percent for c in unit.changes if c.measure == measure), default=0.0)
        for unit in kinds.units
    }
    worst = max(changes, key=lambda kind: 0.0 if isnan(changes[kind]) else changes[kind])
    return (
        f"Tested on {_list_names(names)} runs only. Removing a whole kind changes {worst} runs most: their {measure}"
        f" changes by up to {changes[worst]:.1f}%."
    )


def describe_next_system_loss(verdict: Verdict) -> str:
    """How much a system outside the pool could lose, by its unjudged share; empty where nothing was tested."""
    if verdict.left_out.no_verdict:
        return ""
    if not verdict.bounds or not isinstance(verdict.left_out.depth, int):
        return "The loss of a new system was not tested: this test needs a pool with one depth for all runs."
    return bounds_in_words(verdict.bounds, verdict.left_out.depth)


def bounds_in_words(bounds: Sequence[LossBound], depth: int) -> str:
    """The bounds of the bands of the unjudged share, by one measure, in a sentence or two.

    >>> from cranfield.metrics.forecast.next_system import LossBound
    >>> bounds = [LossBound("RR", 0.0, 0.15, 40, None)]
    >>> bounds_in_words(bounds, 10)
    "There is no bound on a new system's RR loss: only AP, nDCG@10 and P@10 were tested."
    """
    records = find_bound_records(bounds[0].measure, depth)
    if records is None:
        tested_measures = _list_names([*BOUND_RECORDS])
        return f"There is no bound on a new system's {bounds[0].measure} loss: only {tested_measures} were tested."
    if not records.is_kept:
        return records.sentence
    tested = [(bound, bound.bound) for bound in bounds if bound.bound is not None]
    untested = [_band_in_words(bound) for bound in bounds if bound.bound is None]
    if not tested:
        return "The loss of a new system was not tested: too few left-out runs have unjudged documents."
    parts = list[str]()
    for bound, lost in tested:
        amount = f"up to {100 * lost:.1f}%" if lost < 1 else "all of it"
        parts.append(f"{amount} with {_band_in_words(bound)}{'' if parts else ' unjudged'}")
    first = f"first {depth} documents" if depth > 1 else "first document"
    lack = f" Unjudged shares of {_list_names(untested)} were not tested here." if untested else ""
    return (
        f"A new system could lose {bounds[0].measure}, depending on the unjudged share of its {first}:"
        f" {_list_names(parts)}. {records.sentence}{lack}"
    )


def _band_in_words(bound: LossBound) -> str:
    low, high = round(100 * bound.above), round(100 * bound.up_to)
    return f"up to {high}%" if not low else f"more than {low}%" if high == 100 else f"{low}% to {high}%"


def _list_names(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def verdict_sentences(verdict: Verdict) -> str:
    """What was tested, the worst cases, the kinds, and what to do next, in sentences."""
    cases = [f"{name[0].upper()}{name[1:]}: {words}." for name, _, words in worst_cases(verdict)]
    ahead = "" if verdict.left_out.no_verdict else NEXT_STEP
    return " ".join(
        filter(
            None,
            [
                describe_finding(verdict),
                *cases,
                state_tested_kinds(verdict),
                describe_next_system_loss(verdict),
                *reservations(verdict),
                ahead,
            ],
        )
    )
