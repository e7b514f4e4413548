"""Outcomes of comparisons by what is unjudged: the judged share of each run, and which differences stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from cranfield.analysis.random_draws import carry_grades
from cranfield.arrays.judged import Judged, JudgedBlocks
from cranfield.arrays.rankings import Floats, Mask, Runs
from cranfield.errors import InputError
from cranfield.metrics.evaluate import mean, score
from cranfield.metrics.forecast.comparisons import (
    ComparisonSettings,
    Family,
    FamilyOutcomes,
    compare_under_labels,
    fully_judged_outcome,
    keep_judged_pairs,
)
from cranfield.metrics.forecast.draws import MEASURES_OF_COVERAGE, Labels
from cranfield.metrics.forecast.forecaster import NO_POOLED_RUNS, Forecaster, unjudged_pairs
from cranfield.metrics.forecast.outcomes import Outcome, PairOutcome, state_share
from cranfield.metrics.forecast.random_draw import RandomDraw, check_draw, draw_documents, label_notes
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.counts import JUDGED, UNJUDGED
from cranfield.metrics.significance.compare import correction_for
from cranfield.metrics.significance.pairs import Correction
from cranfield.metrics.significance.tests import TESTS
from cranfield.text import counted, join_words, name_hint

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.metrics.inputs import RunsLike
    from cranfield.metrics.notation import MeasureLike

CUTOFF = re.compile(r"@(\d+)$")  # at the end of a measure's name
DEFAULT_DEPTH = 10  # of measures without a cutoff, where no pool is known
SETTLE_SIZE = 50  # documents of a draw that decides about half of what is not decided (docs/explanation/forecasts.md)
SETTLE_SENTENCE = (
    f"Judging {SETTLE_SIZE} random documents of a run decides about half of such cases: draw them with --settle."
)
MAX_SENTENCES = 5  # of each kind below a table
OUTCOME_COLUMNS = (
    "judged_a", "judged_b", "judged_cutoff", "outcome", "significant_as_judged", "share_higher", "share_lower",
    "forecast_low", "forecast_high", "labellings",
)  # fmt: skip
RELEVANT_ONLY = (
    "the judgments list only relevant documents and do not show which documents were judged; the tests count all"
    " other documents as not relevant"
)

SCORES_ONLY = (
    "scores contain no judgments, so the effect of unjudged documents is unknown; compare qrels and runs to check it"
)


class CompareSetting(NamedTuple):
    """Which differences are tested, and how; the pooled runs and the labelled draws that are given with the runs."""

    measures: MeasureLike | Iterable[MeasureLike] | None = None
    baseline: str | None = None
    test: str = "t"
    correction: str | None = None
    alpha: float = 0.05
    samples: int = 100_000
    seed: int = 0
    zeros: Literal["wilcox", "pratt", "zsplit"] = "wilcox"
    pool_runs: RunsLike | None = None
    drawn: str | PathLike[str] | Iterable[str | PathLike[str] | RandomDraw] | None = None

    @property
    def compare_arguments(self) -> dict[str, Any]:
        """The arguments of `metrics.significance.compare` other than the measures."""
        names = ("baseline", "test", "correction", "alpha", "samples", "seed", "zeros")
        return {name: getattr(self, name) for name in names}


class ComparedInput(NamedTuple):
    """The compared runs with all their documents, what decides, and the draws that a store holds, with labels."""

    runs: Runs
    forecaster: Forecaster
    draws: Sequence[RandomDraw] = ()


@dataclass(frozen=True, eq=False)
class ComparedOutcomes:
    """A comparison with the outcome of each difference.

    Parameters
    ----------
    table : DataFrame
        The comparison with the columns of `OUTCOME_COLUMNS`; `significant` holds for differences that stand.
    families : mapping
        The outcomes by measure.
    depth : int
        The depth within which unjudged documents count, for measures without a cutoff.
    forecaster : Forecaster, optional
        What decided; None where all documents are judged.
    runs : Runs, optional
        The compared runs; None where all documents are judged.
    notes : sequence of str
        What a reader has to know.
    draws : sequence of RandomDraw
        The labelled draws of the compared runs.
    pool_notes : sequence of str
        How the runs that the pool is stated to be made from are used, where this needs no warning.
    """

    table: DataFrame
    families: Mapping[str, FamilyOutcomes]
    depth: int
    forecaster: Forecaster | None = None
    runs: Runs | None = None
    notes: Sequence[str] = ()
    draws: Sequence[RandomDraw] = ()
    pool_notes: Sequence[str] = ()

    @property
    def has_unjudged(self) -> bool:
        """Whether any compared run has unjudged documents within a cutoff."""
        return bool((self.table[["judged_a", "judged_b"]] < 1).to_numpy().any())


def measure_cutoff(measure: Measure, depth: int) -> int:
    """Return the cutoff of a measure, or the depth for a measure without one.

    >>> from cranfield.metrics.notation import parse
    >>> measure_cutoff(parse("P@5"), 10), measure_cutoff(parse("AP"), 10)
    (5, 10)
    """
    cutoff = measure.options.get("cutoff")
    return cutoff if isinstance(cutoff, int) else depth


def judged_by_cutoff(judged: Judged | JudgedBlocks, cutoffs: Sequence[int]) -> dict[int, Floats]:
    """Return the judged share of each ranking within each cutoff, as arrays (runs, topics).

    >>> from cranfield.metrics.examples import example
    >>> judged_by_cutoff(example([1, None]), [1, 2])
    {1: array([[1.]]), 2: array([[0.5]])}
    """
    different = sorted({*cutoffs})
    shares = score(judged, [JUDGED.set(cutoff=cutoff) for cutoff in different])
    return {cutoff: shares[..., number] for number, cutoff in enumerate(different)}


def add_outcomes(
    table: DataFrame,
    judged: Judged | JudgedBlocks,
    measures: Sequence[Measure],
    setting: CompareSetting,
    *,
    depth: int | None,
    load: Callable[[], ComparedInput],
    draws: Sequence[tuple[str, RandomDraw]] = (),
    correction: Correction | None = None,
) -> ComparedOutcomes:
    """Add the judged shares and the outcome of each difference to a comparison.

    Parameters
    ----------
    table : DataFrame
        The comparison, as `compare` returns it.
    judged : Judged or JudgedBlocks
        The judged positions of the compared runs.
    measures : sequence of Measure
        The compared measures.
    setting : CompareSetting
        The test, its correction and its level.
    depth : int or None
        The pool's depth; None where it is unknown.
    load : callable
        Fits the forecaster to the pool; called only where documents are unjudged.
    draws : sequence of (str, RandomDraw), optional
        Labelled draws of the runs' unjudged documents, each with the name of its file.
    correction : Correction, optional
        A correction that replaces the one of the setting.

    Returns
    -------
    ComparedOutcomes
        The comparison with its outcomes.
    """
    within = DEFAULT_DEPTH if depth is None else depth
    by_name = {str(measure): measure for measure in measures}
    cutoffs = {name: measure_cutoff(measure, within) for name, measure in by_name.items()}
    ends = {name: cutoff if depth is None else min(cutoff, depth) for name, cutoff in cutoffs.items()}
    shares = judged_by_cutoff(judged, [*cutoffs.values(), *ends.values()])
    place = {tag: number for number, tag in enumerate(judged.tags)}
    families = {name: _family(table, by_name[name], place) for name in by_name}
    differences = {name: _rows_of(table, name)["difference"].to_numpy(float) for name in by_name}
    is_known = bool((judged.bare if isinstance(judged, JudgedBlocks) else judged).has_nonrelevant)
    closed = {
        name: _fully_judged_pairs(families[name], shares[ends[name]], by_name[name], is_known) for name in by_name
    }
    found = {name: _as_judged(families[name], differences[name]) for name in by_name}
    forecaster, runs, known = None, None, list[RandomDraw]()
    notes = [] if is_known or not _has_unlisted(judged, cutoffs) else [RELEVANT_ONLY]
    notes += [line for name, draw in draws for line in label_notes(draw, name)]
    undecided = [name for name in by_name if not closed[name].all()]
    if undecided:
        runs, forecaster, stored = load()
        number = {tag: run for run, tag in enumerate(runs.tags)}
        settings = ComparisonSettings(
            TESTS[setting.test], correction or correction_for(TESTS[setting.test], setting.correction), setting.alpha,
            setting.seed, setting.zeros,
        )  # fmt: skip
        numbers = np.array([number[tag] for tag in judged.tags], np.int64)
        asked = {name: _renumbered(families[name], numbers) for name in undecided}
        known = [*stored, *check_draws(draws, forecaster, runs)]
        qids, labels = judged.qids, labels_by_run(known)
        if forecaster.model is None and depth is None:
            decided = [
                compare_under_labels(
                    replace(forecaster, depth=cutoffs[name]), runs, [family], settings, topics=qids, labels=labels
                )[0]
                for name, family in asked.items()
            ]
        else:
            decided = compare_under_labels(forecaster, runs, [*asked.values()], settings, topics=qids, labels=labels)
        for name, outcomes in zip(undecided, decided, strict=True):
            found[name] = keep_judged_pairs(outcomes, families[name], differences[name], closed[name])
    if depth is not None and is_known:
        notes += _note_deep_cutoffs(cutoffs, shares, depth)
    table = _add_columns(table, found, cutoffs, shares, place)
    return ComparedOutcomes(table, found, within, forecaster, runs, notes, known)


def add_judged_shares(scores: DataFrame) -> DataFrame:
    """Return scores by topic with the column `judged`, from the rows of Judged@k that `evaluate` wrote next to them.

    Parameters
    ----------
    scores : DataFrame
        Scores with the columns run, query_id, measure and value.

    Returns
    -------
    DataFrame
        The scores. The share of a measure with a cutoff is of that cutoff, otherwise of the deepest one.
    """
    found = {name: re.fullmatch(rf"{JUDGED.name}@(\d+)", name) for name in scores["measure"].unique()}
    names_by_cutoff = {int(match[1]): name for name, match in found.items() if match}
    if "judged" in scores or not names_by_cutoff:
        return scores
    names = {
        name: names_by_cutoff.get(int(match[1]) if match else max(names_by_cutoff))
        for name in found
        for match in [CUTOFF.search(name)]
    }
    shares = scores[scores["measure"].isin(names_by_cutoff.values())].rename(
        columns={"measure": "_name", "value": "judged"}
    )
    keyed = scores.assign(_name=scores["measure"].map(names))
    return keyed.merge(shares, on=["run", "query_id", "_name"], how="left").drop(columns="_name")


def add_outcomes_of_scores(table: DataFrame, scores: DataFrame) -> DataFrame:
    """Add the judged shares, where the scores have them, and the outcomes to a comparison of scores.

    Parameters
    ----------
    table : DataFrame
        The comparison, as `compare` returns it.
    scores : DataFrame
        The compared scores; the column `judged`, if any, holds the judged shares.

    Returns
    -------
    DataFrame
        The comparison with the columns of `OUTCOME_COLUMNS`. Where all documents are judged, the test decides. Where
        some are unjudged, the difference is not decided. Where that is not known, it is "not checked: unjudged
        documents".
    """
    means = scores.groupby(["measure", "run"])["judged"].mean().to_dict() if "judged" in scores else {}
    a, b = (
        [means.get((name, run), np.nan) for name, run in zip(table["measure"], table[column], strict=True)]
        for column in ("run_a", "run_b")
    )
    cutoffs = [CUTOFF.search(name) for name in table["measure"]]
    tested = [Outcome.SIGNIFICANT if significant else Outcome.NOT_SIGNIFICANT for significant in table["significant"]]
    least = np.fmin(np.array(a, float), np.array(b, float))
    is_known = ~np.isnan(np.array([a, b], float)).any(axis=0)
    outcomes = [
        Outcome.UNDECIDED if share < 1 else outcome if known else Outcome.UNCHECKED
        for outcome, share, known in zip(tested, least.tolist(), is_known.tolist(), strict=True)
    ]
    undefined = dict.fromkeys(("share_higher", "share_lower", "forecast_low", "forecast_high"), np.nan)
    return table.assign(
        judged_a=a,
        judged_b=b,
        judged_cutoff=np.array([int(match[1]) if match else None for match in cutoffs], object),
        outcome=[str(outcome) for outcome in outcomes],
        significant_as_judged=table["significant"],
        significant=table["significant"] & np.array([outcome is not Outcome.UNDECIDED for outcome in outcomes], bool),
        **undefined,
        labellings=0,
    )


def _note_deep_cutoffs(cutoffs: Mapping[str, int], shares: Mapping[int, Floats], depth: int) -> list[str]:
    """Return a note on measures that look below the pool's depth, where unjudged documents stay not relevant."""
    names = [
        name for name, cutoff in cutoffs.items() if cutoff > depth and np.nan_to_num(shares[cutoff], nan=1.0).min() < 1
    ]
    return [f"unjudged documents below rank {depth} count as not relevant in {join_words(names)}"] if names else []


def check_draws(draws: Sequence[tuple[str, RandomDraw]], forecaster: Forecaster, runs: Runs) -> list[RandomDraw]:
    """Return draws, once each was found to be one of these runs' unjudged documents.

    Raises
    ------
    InputError
        If a draw is of another run, depth, frame or order, or two are of one run.
    """
    checked = dict[str, RandomDraw]()
    pairs = unjudged_pairs(forecaster, runs) if draws else None
    for name, draw in draws:
        if pairs is None or draw.run not in runs.tags:
            raise InputError(f"{name}:2: unknown run {draw.run!r}{name_hint(draw.run, runs.tags)}")
        if draw.run in checked:
            raise InputError(f"{name}:2: found a second draw from run {draw.run!r}; expected one draw per run")
        if draw.depth != forecaster.depth:
            raise InputError(
                f"{name}:3: found a draw from the first {draw.depth} documents; expected {forecaster.depth}, the pool's"
                " depth (10 without a pool); state the pooled runs with --pool-runs"
            )
        checked[draw.run] = check_draw(draw, pairs, name)
    return [*checked.values()]


def labels_by_run(draws: Sequence[RandomDraw]) -> Labels:
    """Return the labels of draws that count, by run; where two label a document of a run, the later one counts."""
    labels = dict[str, dict[tuple[str, str], float]]()
    for draw in draws:
        labels.setdefault(draw.run, {}).update(draw.labels)
    return labels


def _has_unlisted(judged: Judged | JudgedBlocks, cutoffs: Mapping[str, int]) -> bool:
    """Whether any run has a document within a cutoff that the judgments do not list."""
    deepest = max(cutoffs.values(), default=DEFAULT_DEPTH)
    return bool((score(judged, [UNJUDGED.set(cutoff=deepest)]) > 0).any())


def _rows_of(table: DataFrame, name: str) -> DataFrame:
    return table[table["measure"] == name]


def _family(table: DataFrame, measure: Measure, place: Mapping[str, int]) -> Family:
    rows = _rows_of(table, str(measure))
    a, b = (np.array([place[tag] for tag in rows[column]], np.int64) for column in ("run_a", "run_b"))
    return Family(measure, a, b, rows["significant"].to_numpy(bool))


def _renumbered(family: Family, numbers: np.ndarray) -> Family:
    return replace(family, a=numbers[family.a], b=numbers[family.b])


def _fully_judged_pairs(family: Family, shares: Floats, measure: Measure, is_known: bool) -> Mask:
    """Per pair: whether no unjudged document of either run counts."""
    if not is_known or measure.needs_strata or measure.name in MEASURES_OF_COVERAGE:
        return np.ones(len(family.a), bool)
    full = np.nan_to_num(shares, nan=1.0).min(axis=1, initial=1.0) >= 1
    return np.asarray(full[family.a] & full[family.b])


def _as_judged(family: Family, differences: Floats) -> FamilyOutcomes:
    outcomes = [
        fully_judged_outcome(bool(significant), float(difference))
        for significant, difference in zip(family.significant, differences, strict=True)
    ]
    undefined = np.full((0, len(outcomes)), np.nan)
    loses = np.array(family.significant & (differences < 0), float)
    return FamilyOutcomes(outcomes, undefined, undefined, loses, undefined, np.ones(len(outcomes), bool))


def _add_columns(
    table: DataFrame,
    found: Mapping[str, FamilyOutcomes],
    cutoffs: Mapping[str, int],
    shares: Mapping[int, Floats],
    place: Mapping[str, int],
) -> DataFrame:
    means = {cutoff: mean(values) for cutoff, values in shares.items()}
    queues = {name: iter(family.outcomes) for name, family in found.items()}
    outcomes = [next(queues[name]) for name in table["measure"]]
    cutoff = [cutoffs[name] for name in table["measure"]]

    def judged_share(column: str) -> list[float]:
        return [float(means[k][place[tag]]) for k, tag in zip(cutoff, table[column], strict=True)]

    return table.assign(
        significant=[outcome.outcome == Outcome.SIGNIFICANT for outcome in outcomes],
        judged_a=judged_share("run_a"),
        judged_b=judged_share("run_b"),
        judged_cutoff=cutoff,
        outcome=[str(outcome.outcome) for outcome in outcomes],
        significant_as_judged=[outcome.significant_as_judged for outcome in outcomes],
        share_higher=[outcome.share_higher if outcome.n_draws else np.nan for outcome in outcomes],
        share_lower=[outcome.share_lower if outcome.n_draws else np.nan for outcome in outcomes],
        forecast_low=[outcome.low for outcome in outcomes],
        forecast_high=[outcome.high for outcome in outcomes],
        labellings=[outcome.n_draws for outcome in outcomes],
    )


def outcome_sentences(compared: ComparedOutcomes, *, drawn: bool = False) -> list[str]:
    """Return a sentence for each difference that unjudged documents leave open or explain, the first few of each kind.

    Parameters
    ----------
    compared : ComparedOutcomes
        The comparison.
    drawn : bool, default False
        Whether documents to judge are drawn, so that no sentence advises it.

    Returns
    -------
    list of str
        The sentences, with the number of those that are left out.
    """
    rows = [
        (row, outcome) for row, outcome in zip(compared.table.to_dict("records"), _sort_as_table(compared), strict=True)
    ]
    sentences = list[str]()
    for kind in (Outcome.UNDECIDED, Outcome.UNJUDGED):
        lines = [
            f"{row['run_a']} and {row['run_b']} by {row['measure']}. {outcome_sentence(outcome, row['difference'])}"
            for row, outcome in rows
            if outcome.outcome == kind
        ]
        sentences += lines[:MAX_SENTENCES]
        if len(lines) > MAX_SENTENCES:
            sentences.append(f"{len(lines) - MAX_SENTENCES} more are {kind}; JSON and CSV list all.")
    can_settle = compared.forecaster is not None and compared.forecaster.model is not None
    if can_settle and not drawn and any(outcome.outcome == Outcome.UNDECIDED for _, outcome in rows):
        sentences.append(SETTLE_SENTENCE)
    return sentences


def _sort_as_table(compared: ComparedOutcomes) -> list[PairOutcome]:
    queues = {name: iter(family.outcomes) for name, family in compared.families.items()}
    return [next(queues[name]) for name in compared.table["measure"]]


def outcome_sentence(outcome: PairOutcome, difference: float) -> str:
    """Return the sentence on a difference that unjudged documents leave open or explain.

    Parameters
    ----------
    outcome : PairOutcome
        The outcome.
    difference : float
        The mean difference as judged.

    Returns
    -------
    str
        The sentence.

    Examples
    --------
    >>> outcome_sentence(PairOutcome(Outcome.UNDECIDED, True, 0.43, 0.0, -0.01, 0.1, 500), 0.05)
    'Not decided: the difference is significant in 43% of 500 simulated labellings.'
    """
    if not outcome.n_draws:
        ends = f"between {outcome.low:+.4f} and {outcome.high:+.4f}"
        return f"Not decided: depending on the labels of unjudged documents, the difference is {ends}."
    start = "Not decided" if outcome.outcome == Outcome.UNDECIDED else "Due to unjudged documents"
    return f"{start}: {state_share(outcome, difference)}."


NAME_POOLED_RUNS = "state the pooled runs with"


def worst_case_bounds_note(compared: ComparedOutcomes, option: str) -> str:
    """Return why worst-case bounds leave differences open; `option` states the pooled runs."""
    if compared.forecaster is None or compared.forecaster.model is not None:
        return ""
    n = sum(outcome.outcome == Outcome.UNDECIDED for outcome in _sort_as_table(compared))
    if not n:
        return ""
    open_pairs = f"{n} of {counted(len(compared.table), 'difference')} {'is' if n == 1 else 'are'} not decided"
    if _is_pool_unknown(compared.forecaster, option):
        return f"{open_pairs}: without a model of the pool, only worst-case bounds apply; {NAME_POOLED_RUNS} {option}"
    reasons = "; ".join(compared.forecaster.reasons)
    return f"{open_pairs}: without a model of the pool ({reasons}), only worst-case bounds apply"


def explain_missing_model(compared: ComparedOutcomes, option: str) -> str:
    """Return what an undecided condition lacks, a remedy or reasons, in words; empty where labels are simulated.

    `option` states the pooled runs; empty where no option does.
    """
    if compared.forecaster is None or compared.forecaster.model is not None:
        return ""
    if _is_pool_unknown(compared.forecaster, option):
        return f"{NAME_POOLED_RUNS} {option}"
    return f"no model of the pool: {'; '.join(compared.forecaster.reasons)}"


def _is_pool_unknown(forecaster: Forecaster, option: str) -> bool:
    return bool(option) and NO_POOLED_RUNS in forecaster.reasons


def undecided_runs(compared: ComparedOutcomes) -> list[str]:
    """Return the runs of differences that are not decided, each once."""
    is_open = compared.table["outcome"] == str(Outcome.UNDECIDED)
    rows = compared.table[is_open]
    return [*dict.fromkeys([*rows["run_a"], *rows["run_b"]])]


def runs_to_settle(compared: ComparedOutcomes, tags: Sequence[str]) -> list[str]:
    """Return the runs that have unjudged documents, the run with most of them first.

    Parameters
    ----------
    compared : ComparedOutcomes
        The comparison.
    tags : sequence of str
        The runs of differences or conditions that are not decided.

    Returns
    -------
    list of str
        The runs; none where all documents are judged.
    """
    if compared.forecaster is None or compared.runs is None or not tags:
        return []
    pairs = unjudged_pairs(compared.forecaster, compared.runs.select(tags))
    sizes = np.bincount(pairs.run, minlength=len(pairs.tags))
    return [pairs.tags[run] for run in np.argsort(-sizes, kind="stable") if sizes[run]]


def draw_documents_that_decide(compared: ComparedOutcomes, tags: Sequence[str], seed: int = 0) -> RandomDraw | None:
    """Draw documents whose labels help to decide, of the run with most unlabelled documents among those named.

    A draw of the run that has labels goes on: the new one has its seed and its grades.

    Parameters
    ----------
    compared : ComparedOutcomes
        The comparison.
    tags : sequence of str
        The runs of differences or conditions that are not decided.
    seed : int, default 0
        The seed of a first draw of the run.

    Returns
    -------
    RandomDraw or None
        The draw; None where no run has unlabelled documents.
    """
    runs = runs_to_settle(compared, tags)
    if compared.forecaster is None or compared.runs is None or not runs:
        return None
    pairs = unjudged_pairs(compared.forecaster, compared.runs.select(runs))
    labels = labels_by_run(compared.draws)
    n_labelled = np.array([len(labels.get(tag, {})) for tag in pairs.tags], np.int64)
    n_open = np.bincount(pairs.run, minlength=len(pairs.tags)) - n_labelled
    if not (n_open > 0).any():
        return None
    number = int(n_open.argmax())
    run, n = pairs.tags[number], SETTLE_SIZE + int(n_labelled[number])
    earlier = [draw for draw in compared.draws if draw.run == run]
    draw = draw_documents(pairs, run, n, compared.forecaster.depth, seed=earlier[-1].seed if earlier else seed)
    return carry_grades(draw, earlier)
