"""The section on the scores of the runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import CranfieldError
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse
from cranfield.metrics.reusability.leave_one_out import means as rounded_means
from cranfield.metrics.reusability.leave_one_out import rank
from cranfield.metrics.significance.pairs import mean_intervals
from cranfield.report.components.intervals import box, quartiles, span_of
from cranfield.report.components.lines import Axes, Line, line_chart
from cranfield.source import Source
from cranfield.text import counted

from .blocks import Cell, Figure, Figures, Section, Table, Text, as_cell, sentences
from .by_topic import best_first

FEW, MANY = 6, 30  # runs that are all named in the figure; of more than many, only the range is shown
BELOW = "†"
JUDGED = "Judged"


def scores(source: Source, measures: Sequence[Measure]) -> Section:
    """All runs by all measures, with intervals and significance, and precision against recall."""
    judged = source.judged
    asked = [*measures, parse("Judged@10")] if all(m.name != JUDGED for m in measures) else list(measures)
    caption = (
        f"Means over {counted(len(judged.qids), 'topic')}, best {asked[0]} first, with 95 % confidence intervals where"
        f" a measure has a highest value. {BELOW}: significantly below the best run by that measure (paired t test,"
        f" {counted(len(judged.tags) - 1, 'comparison')}, Holm-corrected, .05). Boxes: quartiles of {asked[0]} by topic"
    )
    table = Table("scores-table", caption, score_rows(judged, asked, source), filter="runs")
    before = [*sentences(source.partial_answers), _before()]
    return Section("scores", "The systems", [*before, table, Figures([_curves(source)])])


def _before() -> Text:
    return Text(
        "Read Judged@10 first: below 1, a run retrieves unjudged documents, which count as not relevant. Intervals of"
        " two runs may overlap although the runs differ significantly, since their scores vary together over topics."
    )


def score_rows(judged: Judged, measures: Sequence[Measure], source: Source) -> list[dict[str, Any]]:
    """One row per run, best by the first measure first."""
    values = score(judged, measures)
    means = rounded_means(values, measures)
    cells = [_column(source, measure, values[..., at], means[:, at]) for at, measure in enumerate(measures)]
    fives, span = quartiles(values[..., 0]), span_of(values[..., 0].ravel().tolist())
    return [
        {
            "run": Cell(judged.tags[run], below=about_run(source, judged.tags[run])),
            "rank": rank(means[:, 0], run),
            **{str(measure): column[run] for measure, column in zip(measures, cells, strict=True)},
            f"{measures[0]} by topic": Cell("-")
            if np.isnan(fives[run].median)
            else Cell("", picture=box(fives[run], span)),
        }
        for run in best_first(judged.tags, means[:, 0])
    ]


def about_run(source: Source, tag: str) -> str:
    """What is known of a run, where runs differ in it."""
    info, every = source.about[tag], source.about
    kinds, pooled = ({getattr(each, name) for each in every.values()} for name in ("kind", "pooled"))
    return ", ".join(
        [
            *([info.team] if any(each.team != name for name, each in every.items()) else []),
            *([info.kind] if len(kinds) > 1 else []),
            *(["pooled" if info.pooled else "not pooled"] if len(pooled) > 1 else []),
        ]
    )


def _column(source: Source, measure: Measure, topics: Floats, means: Floats) -> list[Cell]:
    """The cells of a measure: each run's mean, and its interval in small print."""
    judged = source.judged
    below = significantly_below(source, measure, judged.tags, means)
    has_interval = measure.aggregate == "mean" and measure.name != JUDGED
    low, high = mean_intervals(topics, measure.range) if has_interval else (np.full(len(topics), np.nan),) * 2
    return [
        as_cell(mean)._replace(
            text=(BELOW if tag in below else "") + as_cell(mean).text,
            below="" if np.isnan(least) else f"{least:.3f} to {most:.3f}",
        )
        for tag, mean, least, most in zip(judged.tags, means.tolist(), low.tolist(), high.tolist(), strict=True)
    ]


def significantly_below(source: Source, measure: Measure, tags: Sequence[str], means: Floats) -> set[str]:
    """The runs significantly below the best run: paired t test, Holm-corrected; none where it is undefined."""
    from cranfield.metrics.significance.compare import compare

    if measure.aggregate != "mean" or measure.name == JUDGED or np.isnan(means).all():
        return set()
    try:
        table = compare(source.judged, measures=[measure], baseline=tags[int(np.nanargmax(means))])
    except CranfieldError:  # one run or one topic
        return set()
    return set(table.loc[table["significant"] & (table["difference"] < 0), "run_a"].astype(str))


def _curves(source: Source) -> Figure:
    """Precision against recall: a few runs, or the best, the median and the worst among all."""
    from cranfield.metrics.evaluate import precision_recall

    table = precision_recall(source.judged, rel=source.min_relevant)
    curves = table.pivot(index="run", columns="recall", values="precision")
    curves = curves.loc[curves.mean(axis=1).sort_values(ascending=False, kind="stable").index]
    count = len(curves)
    named = list(range(count)) if count <= FEW else [0, count // 2, count - 1]
    recall, drawn = [float(point) for point in curves.columns], named if count > MANY else range(count)
    values = curves.to_numpy()
    lines = [
        Line(str(curves.index[at]), recall, values[at].tolist(), named.index(at) if at in named else None)
        for at in drawn
    ]
    text = "Interpolated precision at eleven recall points, mean over topics."
    which = " One line per run." if count <= FEW else " Named: the best, the median and the worst run by their mean."
    span = (values.min(axis=0).tolist(), values.max(axis=0).tolist()) if count > MANY else None
    text += which + ("" if span is None else f" Shaded: the range of all {count} runs.")
    axes = Axes("recall", "precision", 0.0, 1.0, range=span)
    return Figure("curves", line_chart("curves", lines, axes, "Precision and recall", text), text)
