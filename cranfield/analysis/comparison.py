"""Comparison of the runs of a source, or of scores by topic; correlation of system rankings, and how stable it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isnan
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pandas import DataFrame

from cranfield.analysis.gate import LOSS, Condition, ConditionResult
from cranfield.analysis.outcomes import (
    DEFAULT_DEPTH,
    ComparedInput,
    ComparedOutcomes,
    CompareSetting,
    add_judged_shares,
    add_outcomes,
)
from cranfield.analysis.pool_model import KnownPool, find_pool, fit_pool_model
from cranfield.analysis.random_draws import draws_in_store
from cranfield.analysis.stated_pool import StatedPool, find_stated_pool
from cranfield.arrays import WhichTopics
from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks, respelled_notes
from cranfield.arrays.rankings import Floats, Qrels, Runs
from cranfield.call_view import CallView, notes_on_judgments
from cranfield.errors import InputError, MeasureError
from cranfield.formats import read_runs
from cranfield.formats.files import fail_on_notes
from cranfield.formats.given_files import expand_folders
from cranfield.formats.score_files import all_topic_scores, read_scores
from cranfield.metrics.correlation.coefficients import why_undefined
from cranfield.metrics.correlation.correlate import CORRELATIONS, align_systems
from cranfield.metrics.evaluate import evaluate, mean, score_runs
from cranfield.metrics.forecast.forecaster import PAIRS_NOT_TESTED
from cranfield.metrics.forecast.random_draw import RandomDraw
from cranfield.metrics.inputs import RunsLike, as_runs
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.counts import JUDGED
from cranfield.metrics.notation import as_measure_list, parse
from cranfield.metrics.significance.compare import compare, correction_for, unreachable_significance
from cranfield.metrics.significance.pairs import CORRECTIONS, Correction
from cranfield.metrics.significance.tests import TESTS
from cranfield.parallel import progress_bar
from cranfield.source import refuse_store_options
from cranfield.text import counted, join_words
from cranfield.view import ObjectsGiven, View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cranfield.charts.style import OnAxes
    from cranfield.formats.score_files import ScoreTable


JudgedOrScores: TypeAlias = Judged | JudgedBlocks | DataFrame
Measured: TypeAlias = list[str] | tuple[Measure, ...] | None  # None: all measures in the files


class OpenedSubject(NamedTuple):
    """Scores or the judged runs of a view, and the measures to compare by."""

    subject: JudgedOrScores
    measures: Measured
    view: CallView
    has_outcomes: bool = True  # whether it is known, or can be asked, which documents are unjudged

    @property
    def scores(self) -> DataFrame:
        """The scores by topic of a subject that has no documents."""
        assert isinstance(self.subject, DataFrame)
        return self.subject


def open_subject(view: CallView, setting: CompareSetting) -> OpenedSubject:
    """Scores from files, or the judged runs of a view; and the measures to compare by."""
    paths = view.paths
    scores = all_topic_scores(paths)
    if scores is not None:
        labellers = view.setting.labellers
        refuse_store_options(paths[0], labellers)
        if labellers.ignore_own_id:
            raise InputError("--ignore-own-id needs runs; score files contain no documents", paths[0])
        run_scores = scores.groupby("run", sort=False)["measure"]
        scores = scores.assign(measure=run_scores.transform(lambda names: names.map(own_measure_names(names.unique()))))
        scores = add_judged_shares(scores)
        if not setting.measures:
            scores = scores[~scores["measure"].map(is_judged_share)]
        if view.which is WhichTopics.common:
            scores = common_topic_scores(scores)
        elif line := lacking_topics_note(scores):
            view.tell(line)
        respelled = respelled_topic_notes(scores)
        fail_on_notes(respelled)
        for line in respelled:
            view.tell(line)
        names = [str(one) for one in as_measure_list(setting.measures)] if setting.measures else None
        return OpenedSubject(scores, names, view)
    return open_judged_subject(view, setting)


SCORE_COLUMNS = ("run", "query_id", "measure", "value")


def open_scores(view: CallView, setting: CompareSetting) -> OpenedSubject:
    """A table of scores that a function was given, and the measures to compare by."""
    scores: Any = view.given.runs if isinstance(view.given, ObjectsGiven) else None
    if isinstance(scores, Judged):
        raise InputError("found judged runs without qrels; expected qrels followed by runs, or a table of scores")
    if view.setting.labellers.ignore_own_id:
        raise InputError("ignore_own_id needs runs; a score table contains no documents")
    if isinstance(scores, DataFrame) and not {*SCORE_COLUMNS} <= {*scores.columns}:
        found = ", ".join(map(str, scores.columns[:5])) + ", ..." * (len(scores.columns) > 5)
        right = 'or topics by runs, with .rename_axis(index="query_id", columns="run")'
        raise InputError(f"the score table has columns {found}; expected {join_words(SCORE_COLUMNS)}, {right}")
    if isinstance(scores, DataFrame):
        scores = common_topic_scores(scores) if view.which is WhichTopics.common else scores
        for line in respelled_topic_notes(scores):
            view.tell(line)
    names = None if setting.measures is None else [str(one) for one in as_measure_list(setting.measures)]
    return OpenedSubject(scores, names, view)


def open_judged_subject(view: CallView, setting: CompareSetting) -> OpenedSubject:
    """The judged runs of a view, and the measures to compare by; the view tells what the judgments lack."""
    measures = view.measures("AP" if setting.measures is None else setting.measures)
    view.cache_small_files()
    for line in notes_on_judgments(view.scored_blocks.bare, measures, view.min_relevant, view.top_of_scale):
        view.tell(line)
    return OpenedSubject(view.scored_blocks, measures, view)


def own_measure_names(names: Iterable[str]) -> dict[str, str]:
    """What measures are called here: trec_eval's names in our notation, unless two would be one.

    >>> own_measure_names(["map", "P_5", "relstring"]), own_measure_names(["AP", "map"])
    ({'map': 'AP', 'P_5': 'P@5', 'relstring': 'relstring'}, {'AP': 'AP', 'map': 'map'})
    """
    ours_by_name = {str(name): _own_notation(str(name)) for name in names}
    often = Counter(ours_by_name.values())
    return {name: ours if often[ours] == 1 else name for name, ours in ours_by_name.items()}


def _own_notation(name: str) -> str:
    try:
        return str(parse(name))
    except MeasureError:
        return name


def is_judged_share(name: str) -> bool:
    """Whether a column of scores is a judged share, which `evaluate` writes next to the scores.

    >>> is_judged_share("Judged@10"), is_judged_share("AP")
    (True, False)
    """
    return name.startswith(f"{JUDGED.name}@")


def read_score_table(path: Path) -> ScoreTable | None:
    """The scores in a file or folder by measure, in our notation, and run; None where it is none of scores."""
    table = read_scores(path)
    return table and {ours: table[name] for name, ours in own_measure_names(table).items()}


def lacking_topics_note(scores: DataFrame) -> str:
    """What is said where runs lack scores on topics that others have."""
    topics, of = scores["query_id"].nunique(), scores.groupby("run")["query_id"].nunique()
    few = int((of < topics).sum())
    lack = (
        f"{few} of {counted(len(of), 'run')} {'lacks' if few == 1 else 'lack'} scores for some of the {topics} topics"
    )
    return f"{lack}; each pair is compared on the topics for which both runs have scores" if few else ""


def respelled_topic_notes(scores: DataFrame) -> list[str]:
    """Notes on topics of runs that differ only in Unicode normalisation."""
    topics = {f"the scores of {run}": several.unique() for run, several in scores.groupby("run")["query_id"]}
    return respelled_notes("topic", topics)


def common_topic_scores(scores: DataFrame) -> DataFrame:
    """The scores on the topics that all runs have."""
    runs = scores.groupby("query_id")["run"].transform("nunique")
    common = scores[runs == scores["run"].nunique()]
    if common.empty:
        raise InputError("no topic has scores for all runs")
    return common


def plot_comparison(
    subject: JudgedOrScores, table: DataFrame, baseline: str | None, alpha: float, ax: OnAxes = None
) -> Figure:
    """Plot the differences: of a single pair topic by topic, else of all runs from the baseline, or of all pairs."""
    from cranfield.charts.differences import comparison_chart, difference_bars

    first = table.iloc[0]
    if len(table) > 1:
        return comparison_chart(table, baseline, alpha, ax)
    if isinstance(subject, Judged | JudgedBlocks):
        subject = evaluate(as_judged_blocks(subject).joined, measures=first["measure"], per_topic=True)
    scores = subject[subject["measure"] == first["measure"]]
    return difference_bars(scores, first["run_a"], first["run_b"], ax=ax)


def comparison_of(subject: JudgedOrScores, measures: Measured, setting: CompareSetting) -> DataFrame:
    """The comparison, with a progress bar if it resamples."""
    if setting.test not in TESTS or not TESTS[setting.test].resamples:
        return compare(subject, measures=measures, **setting.compare_arguments)
    with progress_bar("sampling", setting.samples * (len(measures) if measures else 1)) as advance:
        return compare(subject, measures=measures, advance=advance, **setting.compare_arguments)


def add_common_difference(subject: JudgedOrScores, table: DataFrame) -> DataFrame:
    """The comparison with the difference on the topics that both runs answered, where one did not answer all.

    Columns topics_common and difference_common; the table as it is where all runs answered all topics.
    """
    if not isinstance(subject, Judged | JudgedBlocks):
        return table
    scores = score_runs(subject, [parse(name) for name in table["measure"].unique()])
    if scores.answered.all():
        return table
    run = {tag: at for at, tag in enumerate(scores.tags)}
    column = {name: at for at, name in enumerate(table["measure"].unique())}
    common = []
    for a, b, name in table[["run_a", "run_b", "measure"]].itertuples(index=False):
        both = scores.answered[run[a]] & scores.answered[run[b]]
        differences = (scores.values[run[a]] - scores.values[run[b]])[both, column[name]]
        common.append((int(both.sum()), float(mean(differences))))
    return table.assign(topics_common=[topics for topics, _ in common], difference_common=[d for _, d in common])


def outcomes_of(opened: OpenedSubject, table: DataFrame, setting: CompareSetting) -> ComparedOutcomes | None:
    """Return the comparison with the outcome of each difference; None for files of scores, which know no documents."""
    subject, measures, view = opened.subject, opened.measures, opened.view
    if isinstance(subject, DataFrame):
        if setting.pool_runs:
            raise InputError(
                "scores do not show which documents are unjudged, so --pool-runs has no effect; leave it out", view.path
            )
        return None
    pooled = view.known_pool_view
    if pooled is not None and setting.pool_runs:
        raise InputError("the store has a list of its pooled runs; leave out --pool-runs", view.path)
    if pooled is not None or setting.pool_runs is None:
        stated = StatedPool(find_pool(pooled))
    else:
        runs, compared = _read_pool_runs(setting.pool_runs), view.runs.select(subject.tags).loaded
        stated = find_stated_pool(runs, compared, view.qrels, view.min_relevant)
    found = outcomes_under_pool(view, subject, measures, table, setting, pool=stated.pool)
    return replace(found, notes=[*found.notes, *stated.warnings], pool_notes=stated.notes)


def _read_pool_runs(given: RunsLike) -> Runs:
    if isinstance(given, list) and all(isinstance(one, Path) for one in given):
        return read_runs(expand_folders(given))
    return as_runs(given)


def outcomes_under_pool(
    view: View,
    subject: Judged | JudgedBlocks,
    measures: Measured,
    table: DataFrame,
    setting: CompareSetting,
    *,
    pool: KnownPool,
    correction: Correction | None = None,
) -> ComparedOutcomes:
    """Return the outcomes of a comparison of some runs of a view, whose differences a model of the pool decides.

    `correction` replaces the one of the setting.
    """

    def load() -> ComparedInput:
        stored = [draw for draw in draws_in_store(view) if draw.run in subject.tags]
        return fit_compared(pool, view, view.qrels, subject, stored)

    depth = (pool.view.pool_depth if pool.view else None) or pool.depth
    draws = read_draws(setting, view)
    return add_outcomes(
        table, subject, _measures(measures), setting, depth=depth, load=load, draws=draws, correction=correction
    )


def fit_compared(
    pool: KnownPool, view: View, qrels: Qrels, subject: Judged | JudgedBlocks, draws: Sequence[RandomDraw] = ()
) -> ComparedInput:
    """Fit the forecaster that decides the differences between the runs of a subject; `draws` are those of a store."""
    if pool.depth is None:
        pool = pool._replace(depth=view.pool_depth or DEFAULT_DEPTH)
    if pool.kind == "budget" and not pool.reason:
        pool = pool._replace(reason=PAIRS_NOT_TESTED)  # which saves rebuilding the pool
    runs = view.runs.loaded
    model = fit_pool_model(pool, runs, qrels, rel=view.min_relevant)
    return ComparedInput(runs.select(subject.tags), model.forecaster, draws)


def read_draws(setting: CompareSetting, view: View) -> list[tuple[str, RandomDraw]]:
    """Return the labelled draws of the option `drawn`, each with the name of its file; draws may be given as well."""
    from cranfield.analysis.random_draws import check_grades_of, read_draw_with_grade_check

    given = setting.drawn
    paths = [given] if isinstance(given, str | PathLike) else [*(given or ())]
    return [
        (f"draw of {one.run}", check_grades_of(one, view, f"draw of {one.run}")) if isinstance(one, RandomDraw)
        else (str(one), read_draw_with_grade_check(Path(one), view))
        for one in paths
    ]  # fmt: skip


def _measures(measures: Measured) -> tuple[Measure, ...]:
    return tuple(one for one in measures or () if isinstance(one, Measure))


def settings_of(setting: CompareSetting) -> dict[str, Any]:
    """The settings of the result, null for those that the test does not use."""
    resamples = TESTS[setting.test].resamples
    return {
        "test": setting.test,
        "correction": correction_for(TESTS[setting.test], setting.correction).name,
        "alpha": setting.alpha,
        "samples": setting.samples if resamples else None,
        "seed": setting.seed if resamples else None,
        "zeros": setting.zeros if setting.test == "wilcoxon" else None,
    }


def full_rows(table: DataFrame) -> list[dict[str, Any]]:
    """All columns, for programs."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def rows_with_settings(table: DataFrame, settings: Mapping[str, Any], baseline: str | None) -> list[dict[str, Any]]:
    """All columns, and what all rows share: the baseline, the test, the correction and alpha."""
    shared = {"baseline": baseline, **{name: settings[name] for name in ("test", "correction", "alpha")}}
    return [row | shared for row in full_rows(table)]


def comparison_as_json(
    table: DataFrame, settings: dict[str, Any], baseline: str | None, checks: Sequence[ConditionResult] = ()
) -> dict[str, Any]:
    """The JSON: settings, under "pairs" one row per pair and measure with the columns of `compare`, and any checks."""
    more = {"checks": [one._asdict() for one in checks]} if checks else {}
    return {**settings, "baseline": baseline, "pairs": full_rows(table), **more}


def explain_no_significance(table: DataFrame, settings: Mapping[str, Any]) -> list[str]:
    """Why no pair can be significant, where none is and none can."""
    test, correction = TESTS[settings["test"]], CORRECTIONS[settings["correction"]]
    reasons = []
    for _, group in table.groupby("measure", sort=False):
        topics, pairs = int(group["topics"].max()), int(group["p"].notna().sum())
        runs = len({*group["run_a"], *group["run_b"]})
        why = unreachable_significance(
            test, correction, settings["alpha"], samples=settings["samples"] or 0, topics=topics, pairs=pairs, runs=runs
        )
        reasons += [why] if why and not group["significant"].any() else []
    return list(dict.fromkeys(reasons))


def unreachable_gate_notes(gate: Sequence[Condition], table: DataFrame, settings: Mapping[str, Any]) -> list[str]:
    """What to say of a gate for significant losses through which all pass."""
    has_loss = any(one.text == LOSS for one in gate)
    return [f"{LOSS} cannot occur here: {why}" for why in explain_no_significance(table, settings)] if has_loss else []


Side = tuple[str, Mapping[str, float]]  # a name for the scores, and the scores by run


def coefficients(truth: Side, estimate: Side) -> dict[str, Any]:
    """All coefficients of two sides, over the systems in both; the field names are stable."""
    x, y = align_systems(truth[1], estimate[1])
    return {
        "truth": truth[0],
        "estimate": estimate[0],
        "systems": len(x),
        "left_out": len(truth[1].keys() ^ estimate[1].keys()),
        "undefined": why_undefined(x, y) or None,
        "coefficients": {coefficient.name: coefficient(x, y) for coefficient in CORRELATIONS},
    }


def table_rows(correlations: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per coefficient, with how to read it."""
    readings = {coefficient.name: coefficient.reading for coefficient in CORRELATIONS}
    values = correlations["coefficients"]
    return [{"coefficient": name, "value": values[name], "how to read it": readings[name]} for name in values]


def correlation_title(correlations: dict[str, Any]) -> str:
    """The title of the table."""
    left_out = f" ({correlations['left_out']} more with scores on only one side)" if correlations["left_out"] else ""
    sides, systems = f"truth: {correlations['truth']}; estimate: {correlations['estimate']}", correlations["systems"]
    return f"{sides}; {counted(systems, 'system')}{left_out}"


def require_scores(table: ScoreTable | None, path: Path) -> ScoreTable:
    if table is None:
        problem = "not a score file of `cranfield evaluate`" if path.exists() else "no such file"
        raise InputError(problem, path)
    return table


def pair_by_file(table: ScoreTable, measures: Sequence[str], path: Path | None) -> list[tuple[Side, Side]]:
    """The first measure of one table against each other."""
    names = [measure_name_in_file(table, measure, path) for measure in measures]
    names = names or [name for name in table if not is_judged_share(name)]
    if not names:
        raise InputError("no scores here", path)
    if len(names) < 2:
        raise InputError(f"there is only one measure, {names[0]}; give a second one with -m", path)
    return [((names[0], table[names[0]]), (name, table[name])) for name in names[1:]]


def measure_name_in_file(table: ScoreTable, measure: str, path: Path | None) -> str:
    """The measure as it is written in the file."""
    name = measure if measure in table else str(parse(measure))
    if name not in table:
        raise InputError(f"no scores by {name} in this file; it contains scores by {', '.join(table)}", path)
    return name


def score_table(view: CallView, measures: Sequence[str]) -> ScoreTable:
    """The scores of a view."""
    scores = evaluate(view.scored_blocks.joined, measures=view.measures(measures))
    table: ScoreTable = {}
    for row in scores.to_dict("records"):
        table.setdefault(row["measure"], {})[row["run"]] = row["value"]
    return table


STABILITY_TEST = "paired t"


def stability_of(judged: Judged | JudgedBlocks, measures: Sequence[Measure], seed: int = 0) -> dict[str, Any]:
    """The stability of a source as the JSON document."""
    import numpy as np

    from cranfield.metrics.evaluate import score

    if len(judged.tags) < 2 or len(judged.qids) < 2:
        counts = f"{len(judged.tags)} and {len(judged.qids)}"
        raise InputError(f"stability needs at least two runs and two topics; got {counts}")
    scores = np.moveaxis(score(judged, measures), -1, 0)
    row = [_measure_cells(str(measure), some, seed) for measure, some in zip(measures, scores, strict=True)]
    return {"topics": len(judged.qids), "runs": len(judged.tags), "measures": row}


def _measure_cells(measure: str, scores: Floats, seed: int) -> dict[str, Any]:
    import numpy as np

    from cranfield.metrics.reusability.stability import (
        BIN,
        discriminative_power,
        noise_floor,
        swap_rates,
        swap_rows,
        topic_set_sizes,
    )  # fmt: skip

    values = np.nan_to_num(scores)
    halves = [size for size in topic_set_sizes(values.shape[1]) if 2 * size <= values.shape[1]]
    return {
        "measure": measure,
        "floor": noise_floor(values, seed)._asdict(),
        "discriminative_power": discriminative_power(values),
        "by_topics": swap_rows(values, seed),
        "swap_rates": [
            {"topics": size, "from": round(place * BIN, 2), "pairs": int(pairs), "swapped": int(swaps),
             "rate": float(swaps / pairs) if pairs else np.nan}
            for size in halves
            for place, (pairs, swaps) in enumerate(swap_rates(values, size, seed=seed))
        ],
    }  # fmt: skip


def stability_rows(document: dict[str, Any], to_print: bool = True) -> list[dict[str, Any]]:
    """One row per number of topics, with headings for print or the stable ones of CSV; the measure if several."""
    several = len(document["measures"]) > 1
    return [
        {
            **({"measure": each["measure"]} if several else {}),
            "topics": row["topics"],
            ("reversed %" if to_print else "swapped %"): 100 * row["swap_rate"],
            ("reliable difference" if to_print else "difference to rely on"): row["difference"],
            "tau of two sets": row["tau"],
            (f"significant pairs % ({STABILITY_TEST})" if to_print else "pairs told apart %"): 100 * row["told_apart"],
        }
        for each in document["measures"]
        for row in each["by_topics"]
    ]


def stability_title(document: dict[str, Any]) -> str:
    """What the table is of."""
    names = ", ".join(row["measure"] for row in document["measures"])
    runs, topics = counted(document["runs"], "run"), counted(document["topics"], "topic")
    return f"{names}: {runs}, {topics}; two disjoint topic sets compared"


def stability_sentences(stability: dict[str, Any], topics: int) -> list[str]:
    """How to read the numbers of one measure, in sentences."""
    floor, name = stability["floor"], stability["measure"]
    lines = [
        f"{name}: on average, tau is {floor['split_half_mean']:.3f} between the rankings on two halves of the topics."
        f" It is {floor['bootstrap_mean']:.3f} between the rankings on all topics and on a resample of them"
        f" (5th percentile {floor['bootstrap_p5']:.3f}).",
        "These taus show how much another sample of topics would change the order of the systems. Even if tau is higher"
        " after a change to the collection, a single system may have moved many ranks.",
    ]
    paired = [row for row in stability["by_topics"] if not isnan(row["swap_rate"])]
    if paired:
        lines.append(_reliance_sentence(paired[-1]))
    power = 100 * stability["discriminative_power"]
    lines.append(
        f"With all {topics} topics, {power:.0f}% of the system pairs differ significantly ({STABILITY_TEST}, 0.05)."
    )
    return lines


def _reliance_sentence(row: dict[str, Any]) -> str:
    """What the largest sets say about differences."""
    share, size, difference = f"{100 * row['swap_rate']:.1f}%", row["topics"], row["difference"]
    start = f"Two sets of {size} topics disagree on {share} of the system pairs"
    if isnan(difference):
        return f"{start}. They disagree on 5% or more, however much the scores differ."
    if not difference:
        return f"{start}. They disagree on fewer than 5%, however little the scores differ."
    return f"{start}. They disagree on fewer than 5% if the scores differ by {difference:.2f} or more."
