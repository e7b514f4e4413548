"""The sections on the scores of runs, and on runs by topic: a map, two compared, the first ranks, and the topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb, isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.analysis.evaluation import JUDGED_DEPTH, RELEVANT_ONLY
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, is_judged
from cranfield.charts.curves import MANY, recall_curves
from cranfield.charts.intervals import IntervalRow, Quartiles, axis_span, quartiles, summarise_differences
from cranfield.charts.svg.intervals import box_plot_svg, difference_bar, interval_chart
from cranfield.charts.svg.markup import html_text, join_markup
from cranfield.metrics.evaluate import precision_recall, score, with_judged_shares
from cranfield.metrics.forecast.outcomes import Outcome
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.leave_one_out import means as rounded_means
from cranfield.metrics.reusability.leave_one_out import run_rank
from cranfield.metrics.significance.pairs import mean_intervals
from cranfield.metrics.significance.tests import TESTS
from cranfield.metrics.significance.titles import title_of_p_tests
from cranfield.report.blocks import (
    Block,
    Cell,
    Figure,
    Figures,
    Html,
    Section,
    TableBlock,
    Text,
    as_cell,
    figure_of_lines,
    paragraph_blocks,
)
from cranfield.report.table import (
    HOLE,
    NOTHING,
    GridColumn,
    GridRow,
    heatmap,
    rank_grid,
    rank_table,
    rounded_cell,
    signed_cell,
    table,
)
from cranfield.text import counted, natural_sort_key
from cranfield.view import View

if TYPE_CHECKING:
    from cranfield.analysis.best_run import BestRunOutcomes

UNPOOLED_MARK = "†"
MARKS = {Outcome.SIGNIFICANT: UNPOOLED_MARK, Outcome.UNDECIDED: "?", Outcome.UNJUDGED: "‡"}  # before a mean
JUDGED = "Judged"


def scores(view: View, measures: Sequence[Measure]) -> Section:
    """All runs by all measures, with intervals and significance, and precision against recall."""
    judged = view.judged
    every = with_judged_shares(measures, view.pool_depth or JUDGED_DEPTH)
    found = compare_with_best_run(view, every)
    used = {outcome for outcomes in found.below.values() for outcome in outcomes.values()}
    marks = [f" {MARKS[outcome]}: {outcome}." for outcome in (Outcome.UNDECIDED, Outcome.UNJUDGED) if outcome in used]
    tests, pairs = title_of_p_tests(found.p_tests, TESTS["t"]), counted(comb(len(judged.tags), 2), "pair")
    caption = (
        f"Means over {counted(len(judged.qids), 'topic')}, sorted by {every[0]}, with 95% confidence intervals for"
        f" measures that have an upper bound. {UNPOOLED_MARK}: significantly below the best run by that measure"
        f" ({tests}, corrected for all {pairs} of runs, 0.05).{''.join(marks)} Boxes: quartiles of {every[0]} over"
        " topics"
    )
    table = TableBlock("scores-table", caption, score_rows(judged, every, view, found.below), filter="runs")
    unknown = [] if judged.has_nonrelevant else [f"{RELEVANT_ONLY}."]
    legend = Text(
        "Read the Judged columns first: a value below 1 means that the run retrieved unjudged documents, which count as"
        " not relevant. Two runs may differ significantly although their intervals overlap, because their scores are"
        " correlated over topics."
    )
    before = [*paragraph_blocks(view.partial_answers), *paragraph_blocks([*unknown, *found.notes]), legend]
    curves = recall_curves(precision_recall(judged, rel=view.min_relevant))
    figures = Figures([interval_figure(judged, every[0]), figure_of_lines("curves", curves)])
    return Section("scores", "The systems", [*before, figures, table])


def interval_figure(judged: Judged, measure: Measure) -> Figure:
    """The mean of each run by a measure with its interval, the best first; of many runs the best."""
    values = score(judged, [measure])
    means = rounded_means(values, [measure])[:, 0]
    low, high = _interval_ends(measure, values[..., 0])
    best = order_best_first(judged.tags, means)[:MANY]
    estimates = [IntervalRow(judged.tags[run], float(means[run]), float(low[run]), float(high[run])) for run in best]
    which = f"the {MANY} best of {len(means)} runs" if len(means) > MANY else "best run first"
    lines = " Lines: 95% confidence intervals over topics." if np.isfinite(low).any() else ""
    caption = f"{measure}, {which}.{lines}"
    return Figure("runs", interval_chart("runs", estimates, str(measure), f"{measure} of each run", caption), caption)


def _interval_ends(measure: Measure, topics: Floats) -> tuple[Floats, Floats]:
    """The ends of the intervals of means; NaN where a measure has none."""
    if measure.aggregate == "mean" and measure.name != JUDGED:
        return mean_intervals(topics, measure.range)
    return (np.full(len(topics), np.nan),) * 2


def score_rows(
    judged: Judged, measures: Sequence[Measure], view: View, below: Mapping[str, Mapping[str, Outcome]]
) -> list[dict[str, Any]]:
    """One row per run, best by the first measure first; `below` has the runs below the best, by measure."""
    values = score(judged, measures)
    means = rounded_means(values, measures)
    cells = [
        _measure_cells(judged.tags, measure, values[..., at], means[:, at], below.get(str(measure), {}))
        for at, measure in enumerate(measures)
    ]
    fives, span = quartiles(values[..., 0]), axis_span(values[..., 0].ravel().tolist())
    return [
        {
            "run": Cell(judged.tags[run], below=describe_run(view, judged.tags[run])),
            "rank": run_rank(means[:, 0], run),
            **{str(measure): column[run] for measure, column in zip(measures, cells, strict=True)},
            f"{measures[0]} by topic": Cell("-")
            if np.isnan(fives[run].median)
            else Cell("", picture=box_plot_svg(fives[run], span)),
        }
        for run in order_best_first(judged.tags, means[:, 0])
    ]


def describe_run(view: View, tag: str) -> str:
    """What is known of a run, where runs differ in it."""
    info, every = view.run_info[tag], view.run_info
    kinds, pooled = ({getattr(each, name) for each in every.values()} for name in ("kind", "pooled"))
    return ", ".join(
        [
            *([info.team] if any(each.team != name for name, each in every.items()) else []),
            *([info.kind] if len(kinds) > 1 else []),
            *(["pooled" if info.pooled else "not pooled"] if len(pooled) > 1 else []),
        ]
    )


def _measure_cells(
    tags: Sequence[str], measure: Measure, topics: Floats, means: Floats, below: Mapping[str, Outcome]
) -> list[Cell]:
    """The cells of a measure: each run's mean, and its interval in small print."""
    low, high = _interval_ends(measure, topics)
    return [
        as_cell(mean)._replace(
            text=MARKS.get(below.get(tag, Outcome.NOT_SIGNIFICANT), "") + as_cell(mean).text,
            below="" if np.isnan(least) else f"{least:.3f} to {most:.3f}",
        )
        for tag, mean, least, most in zip(tags, means.tolist(), low.tolist(), high.tolist(), strict=True)
    ]


def compare_with_best_run(view: View, measures: Sequence[Measure]) -> BestRunOutcomes:
    """The runs below the best run by each measure, with what unjudged documents leave of that."""
    from cranfield.analysis.best_run import outcomes_below_best

    judged = view.judged
    means = rounded_means(score(judged, measures), measures)
    best = {
        str(measure): judged.tags[int(np.nanargmax(means[:, at]))]
        for at, measure in enumerate(measures)
        if not np.isnan(means[:, at]).all()
    }
    return outcomes_below_best(view, judged, measures, best)


RANKS = 10


class TopicScoreGrid(NamedTuple):
    """The scores of runs on topics by one measure, best run first, with what is known of the topics."""

    measure: Measure
    tags: list[str]
    means: list[float]
    qids: Sequence[str]
    titles: Sequence[str]
    scores: Floats  # (runs, topics)
    order: list[int]  # of these runs among those of the view
    topics: list[int]  # the same of the topics


def topic_score_grid(view: View, measure: Measure, titles: Mapping[str, str] | None) -> TopicScoreGrid:
    """The scores of a view by topic."""
    judged = view.judged
    values = score(judged, [measure])
    means = rounded_means(values, [measure])[:, 0]
    return order_grid(judged.tags, judged.qids, measure, means=means, scores=values[..., 0], titles=titles or {})


def order_grid(
    tags: Sequence[str],
    qids: Sequence[str],
    measure: Measure,
    *,
    means: Floats,
    scores: Floats,
    titles: Mapping[str, str],
) -> TopicScoreGrid:
    """The scores (runs, topics) with the best run first and topics in natural order."""
    order = order_best_first(tags, means)
    places = sorted(range(len(qids)), key=lambda place: natural_sort_key(qids[place]))
    ordered_qids = [qids[place] for place in places]
    return TopicScoreGrid(
        measure,
        [tags[run] for run in order],
        means[order].tolist(),
        qids=ordered_qids,
        titles=[titles.get(qid, "") for qid in ordered_qids],
        scores=scores[np.ix_(order, places)],
        order=order,
        topics=places,
    )


def order_best_first(tags: Sequence[str], means: Floats) -> list[int]:
    """The places of runs by their means, the best first; those that tie by name."""
    return sorted(range(len(tags)), key=lambda run: (-np.nan_to_num(means[run], nan=-1), tags[run]))


def runs_by_topic_section(view: View, grid: TopicScoreGrid) -> Section:
    """Which run does well on which topic."""
    hrefs = [f"#topic-{at}" for at in range(len(grid.qids))]
    tokens = first_ranks(view.judged, view.qrels.grade)[np.ix_(grid.order, grid.topics)]
    holes = (tokens == HOLE).sum(axis=(0, 2))
    topic, rel = int(holes.argmax()), view.min_relevant
    about = f"Grades of the first {RANKS} documents of every run"
    key = f"Number: grade (relevant if at least {rel}). {HOLE}: unjudged. {NOTHING}: no document at this rank."
    one = rank_grid("ranks-of-topic", f"{about} on topic {grid.qids[topic]}", grid.tags, tokens[:, topic], rel)
    every = rank_table("all-ranks", f"{about} on every topic", grid.tags, grid.qids, tokens)
    holes_here = f"The topic shown has the most unjudged documents ({holes[topic]})."
    best_two: list[Block] = (
        [Text("Two runs compared", 3), comparison_html(grid, (0, 1), hrefs)] if len(grid.tags) > 1 else []
    )
    blocks: list[Block] = [
        score_map(grid, hrefs),
        *best_two,
        Text("Grades of the first ranks", 3),
        Text(f"{key} {holes_here if holes[topic] else 'All documents are judged.'}"),
        Html(one),
        Html(every),
    ]
    return Section("by-topic", "Runs by topic", blocks)


def score_map(grid: TopicScoreGrid, hrefs: Sequence[str]) -> Html:
    """The scores as a heat map; `hrefs` are what the topics link to."""
    rows = [GridRow(tag, mean) for tag, mean in zip(grid.tags, grid.means, strict=True)]
    columns = [
        GridColumn(qid, f"{qid}: {title}" if title else qid, href)
        for qid, title, href in zip(grid.qids, grid.titles, hrefs, strict=True)
    ]
    caption = f"{grid.measure} of every run on every topic, best run first; a stronger colour means a higher score"
    return Html(heatmap("map", caption, str(grid.measure), rows=rows, columns=columns, scores=grid.scores))


def comparison_html(grid: TopicScoreGrid, runs: tuple[int, int], hrefs: Sequence[str]) -> Html:
    """Two of the runs by topic, below the sentence that sums it up; the script chooses other runs.

    Topics on which either score is undefined come last.
    """
    first, second = grid.scores[list(runs)].tolist()
    differences = [one - other for one, other in zip(first, second, strict=True)]
    largest = max([abs(each) for each in differences if not isnan(each)], default=0.0) or 1.0
    rows = [
        {
            "topic": Cell(grid.qids[at], below=grid.titles[at], href=hrefs[at]),
            "first": rounded_cell(first[at], 4)._replace(kind="first"),
            "second": rounded_cell(second[at], 4)._replace(kind="second"),
            "difference": signed_cell(differences[at])._replace(kind="difference"),
            "bar": Cell("", picture=difference_bar(differences[at], largest)),
        }
        for at in sorted(range(len(differences)), key=lambda at: (isnan(differences[at]), -differences[at]))
    ]
    tags = (grid.tags[runs[0]], grid.tags[runs[1]])
    heads = {"first": tags[0], "second": tags[1], "bar": "right: first run is better"}
    caption = f"{grid.measure} of two runs by topic, the largest difference first"
    summary = f'<p class="summary" data-summary="comparison">{html_text(summarise_differences(tags, differences))}</p>'
    names = f'data-first="{html_text(tags[0])}" data-second="{html_text(tags[1])}"'
    html = str(table(TableBlock("comparison", caption, rows, heads=heads)))
    return Html(join_markup([summary, html.replace("<table ", f"<table data-compare {names} ", 1)]))


def first_ranks(judged: Judged, grades: Ints | None = None) -> NDArray[np.str_]:
    """The grades at the first ranks of every run and topic, as text (runs, topics, ranks); `grades` by row of qrels.

    >>> from cranfield.metrics.examples import example
    >>> first_ranks(example([2, None, 0]))[0, 0, :4].tolist()
    ['2', '?', '0', '·']
    """
    retrieved = judged.retrieved[:, None] > np.arange(RANKS)
    tokens = np.where(retrieved, HOLE, NOTHING).astype(object)
    top = (judged.rank <= RANKS) & is_judged(judged.grade)
    grade = judged.grade if grades is None else grades[judged.qrels_row[judged.judgment]]
    tokens[judged.ranking[top], judged.rank[top] - 1] = [f"{value:.12g}" for value in grade[top].tolist()]
    return tokens.astype(str).reshape(*judged.shape, RANKS)


def topics(view: View, grid: TopicScoreGrid) -> Section:
    """Judged and relevant documents and the scores of each topic."""
    best = grid.tags[0]
    caption = (
        f"Topics, sorted by the median run, the hardest first. Score and dot: {grid.measure} of {best}, in the picture."
        " Box: quartiles of all runs. Thick line: median"
    )
    rows = topic_rows(view.judged, grid, view.min_relevant)
    ids = [str(row.pop("id")) for row in rows]
    table = TableBlock("topics-table", caption, rows, filter="topics", ids=ids)
    return Section("topics", "The topics", [table])


def topic_rows(judged: Judged, grid: TopicScoreGrid, rel: int = 1) -> list[dict[str, Any]]:
    """One row per topic, hardest first: by the median run, then by the best."""
    labels, hits = (
        np.bincount(judged.qrels_topic[counts], minlength=len(judged.qids))[grid.topics]
        for counts in (is_judged(judged.qrels_grade), judged.qrels_grade >= rel)
    )
    fives, span = quartiles(grid.scores.T), axis_span(grid.scores.ravel().tolist())
    winners = np.nan_to_num(grid.scores, nan=-np.inf).argmax(axis=0)
    order = sorted(range(len(grid.qids)), key=lambda at: (_undefined_last_key(fives[at]), at))
    return [
        _topic_row(grid, at, fives[at], span=span, winner=int(winners[at]), counts=(int(labels[at]), int(hits[at])))
        for at in order
    ]


def _undefined_last_key(five: Quartiles) -> tuple[float, float]:
    return (np.inf, np.inf) if np.isnan(five.median) else (five.median, five.highest)


def _topic_row(
    grid: TopicScoreGrid, at: int, five: Quartiles, *, span: tuple[float, float], winner: int, counts: tuple[int, int]
) -> dict[str, Any]:
    own = float(grid.scores[0, at])
    point = None if np.isnan(own) else own
    return {
        "id": f"topic-{at}",
        "topic": Cell(grid.qids[at], below=grid.titles[at]),
        "score": as_cell(own)._replace(kind="score"),
        "median": as_cell(five.median),
        "all runs": Cell("-") if np.isnan(five.median) else Cell("", picture=box_plot_svg(five, span, point)),
        "lowest": as_cell(five.lowest),
        "lower quartile": as_cell(five.lower),
        "upper quartile": as_cell(five.upper),
        "best": as_cell(five.highest),
        "best run": grid.tags[winner] if five.highest > 0 else "-",
        "judged": counts[0],
        "relevant": counts[1],
    }
