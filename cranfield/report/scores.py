"""The sections on the scores of the runs and on the topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import CranfieldError
from cranfield.metrics.evaluate import score
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation.parse import parse
from cranfield.metrics.reusability.rescoring import means as rounded_means
from cranfield.source import Source

from .blocks import Block, Cell, Figure, Section, Table, Text, as_cell
from .inline import svg

MOST_DRAWN = 25  # runs in the figure of scores over topics
BELOW = "†"


def scores(source: Source, measures: Sequence[Measure]) -> Section:
    """All runs by all measures, with intervals and significance, and two figures."""
    judged = source.judged
    asked = [*measures, parse("Judged@10")] if all(m.name != "Judged" for m in measures) else list(measures)
    rows = score_rows(judged, asked, source)
    caption = (
        f"Means over {len(judged.qids)} topics, best {asked[0]} first, with 95 % confidence intervals (t). {BELOW}:"
        f" significantly below the best run by that measure (paired t test, {len(judged.tags) - 1} comparisons,"
        " Holm-corrected, .05)"
    )
    return Section(
        "scores", "The systems", [_before(), Table("scores-table", caption, rows), *_pictures(source, asked)]
    )


def _before() -> Text:
    return Text(
        "Read Judged@10 first: below 1, a run retrieves unjudged documents, which count as not relevant. Intervals of"
        " two runs may overlap although the runs differ significantly, since their scores vary together over topics."
    )


def score_rows(judged: Judged, measures: Sequence[Measure], source: Source) -> list[dict[str, Any]]:
    """One row per run, best by the first measure first."""
    values = score(judged, measures)
    means = rounded_means(values, measures)
    below = [significantly_below(source, measure, judged.tags, means[:, at]) for at, measure in enumerate(measures)]
    order = sorted(range(len(judged.tags)), key=lambda run: (-np.nan_to_num(means[run, 0], nan=-1), judged.tags[run]))
    return [
        {
            "run": judged.tags[run],
            **_about(source, judged.tags[run]),
            **{
                str(measure): _score(float(means[run, at]), values[run, :, at], measure, judged.tags[run] in below[at])
                for at, measure in enumerate(measures)
            },
        }
        for run in order
    ]


def _about(source: Source, tag: str) -> dict[str, Any]:
    """What is known of a run, where runs differ in it."""
    info = source.about[tag]
    several = {name: len({getattr(i, name) for i in source.about.values()}) > 1 for name in ("kind", "pooled")}
    team = {"team": info.team} if any(i.team != t for t, i in source.about.items()) else {}
    kind = {"kind": info.kind} if several["kind"] else {}
    return {**team, **kind, **({"pooled": info.pooled} if several["pooled"] else {})}


def _score(value: float, topics: Floats, measure: Measure, below: bool) -> Cell:
    has_interval = measure.aggregate == "mean" and measure.name != "Judged"
    low, high = interval(topics) if has_interval else (np.nan, np.nan)
    shown = as_cell(value)
    span = "" if np.isnan(low) else f"{low:.3f} to {high:.3f}"
    return shown._replace(text=(BELOW if below else "") + shown.text, below=span)


def interval(values: Floats, level: float = 0.95) -> tuple[float, float]:
    """The t interval of a mean over topics; NaN with fewer than two. Misleads where a few topics dominate the mean.

    >>> tuple(round(bound, 3) for bound in interval(np.array([0.2, 0.4, 0.6])))
    (-0.097, 0.897)
    """
    from scipy.stats import t

    defined = values[~np.isnan(values)]
    if len(defined) < 2:
        return np.nan, np.nan
    half = float(t.ppf((1 + level) / 2, len(defined) - 1) * defined.std(ddof=1) / np.sqrt(len(defined)))
    return float(defined.mean()) - half, float(defined.mean()) + half


def significantly_below(source: Source, measure: Measure, tags: Sequence[str], means: Floats) -> set[str]:
    """The runs significantly below the best run: paired t test, Holm-corrected; none where it is undefined."""
    from cranfield.metrics.significance.compare import compare

    if measure.aggregate != "mean" or measure.name == "Judged" or np.isnan(means).all():
        return set()
    try:
        table = compare(source.judged, measures=[measure], baseline=tags[int(np.nanargmax(means))])
    except CranfieldError:  # one run or one topic
        return set()
    return set(table.loc[table["significant"] & (table["difference"] < 0), "run_a"].astype(str))


def _pictures(source: Source, measures: Sequence[Measure]) -> list[Block]:
    from cranfield.metrics.curve import precision_recall
    from cranfield.metrics.evaluate import evaluate
    from cranfield.plots.plots import precision_recall_plot, score_distribution

    curves = precision_recall(source.judged, rel=source.min_relevant)
    table = evaluate(source.judged, measures=[measures[0]], per_topic=True)
    best = table.groupby("run")["value"].mean().sort_values(ascending=False, kind="stable").index[:MOST_DRAWN]
    few = f" of the best {MOST_DRAWN} runs" if len(source.runs.tags) > MOST_DRAWN else ""
    about = "Interpolated precision at eleven recall points, mean over topics, one line per run."
    spread = f"{measures[0]} over topics{few}: one dot per topic, boxes show quartiles, crosses the mean."
    drawn = [("curves", precision_recall_plot(curves), "Precision and recall", about)]
    if table["value"].notna().any():
        own = table[table["run"].isin(best)]
        drawn.append(("spread", score_distribution(own), f"Scores over topics{few}", spread))
    return [Figure(key, svg(figure, key, title, text), text) for key, figure, title, text in drawn]


def topics(source: Source, titles: Mapping[str, str] | None) -> Section:
    """Judged and relevant documents and the scores of each topic."""
    from cranfield.plots.figures import topic_plot

    rows = topic_rows(source, titles)
    name = f"AP(rel={source.min_relevant})" if source.min_relevant != 1 else "AP"
    caption = f"Topics, hardest first: judged and relevant documents, {name} of the median and the best run"
    drawn = [
        {"topic": row["topic"], "median": row["median"].value or 0, "best": row["best"].value or 0} for row in rows
    ]
    text = f"{name} by topic, hardest first: bars show the median run, diamonds the best."
    figure = Figure("hardness", svg(topic_plot(drawn, "AP"), "hardness", "Topic difficulty", text), text)
    return Section("topics", "The topics", [Table("topics-table", caption, rows), figure])


def topic_rows(source: Source, titles: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """One row per topic, hardest first: by the median run's AP, then the best run's."""
    judged = source.judged
    found = score(judged, [parse("AP").set(rel=source.min_relevant)])[..., 0]
    labels = np.bincount(judged.qrels_topic[judged.qrels_grade >= 0], minlength=len(judged.qids))
    relevant = judged.qrels_grade >= source.min_relevant
    hits = np.bincount(judged.qrels_topic[relevant], minlength=len(judged.qids))
    medians, best = np.nanmedian(found, axis=0), found.argmax(axis=0)
    order = sorted(range(len(judged.qids)), key=lambda at: (medians[at], found[best[at], at], judged.qids[at]))
    return [
        {
            "topic": judged.qids[at],
            **({"title": titles.get(judged.qids[at], "")} if titles and any(titles.values()) else {}),
            "judged": int(labels[at]),
            "relevant": int(hits[at]),
            "median": as_cell(float(medians[at])),
            "best": as_cell(float(found[best[at], at])),
            "best run": judged.tags[int(best[at])] if found[best[at], at] else "-",
        }
        for at in order
    ]
