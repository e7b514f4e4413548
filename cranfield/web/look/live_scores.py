"""Live scores: each run's score with its bounds while judging goes on, and which orders are still open."""

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.analysis.evaluation import JUDGED_DEPTH
from cranfield.analysis.live_scores import LiveScores, live_scores
from cranfield.call_view import CallView, newest_pool_depth
from cranfield.charts.intervals import IntervalRow
from cranfield.charts.svg.intervals import interval_chart
from cranfield.report.blocks import Block, Cell, Figure, Figures, TableBlock, Text, paragraph_blocks, rounded_cell
from cranfield.store.store import Store
from cranfield.web.language import Language, translatable
from cranfield.web.look.labels import WHOSE, labellers_in
from cranfield.web.look.view import MEASURE, LookView, Query, Row, has_rows

MAX_CHART_RUNS = 30


def _scores_and_notes(store: Store, query: Query) -> tuple[LiveScores, Sequence[Block]]:
    notes: list[str] = []
    view = CallView.view_of_store(store, labellers_in(query), tell=notes.append)
    _ = view.judged
    return live_scores(view, query["measure"], newest_pool_depth(store) or JUDGED_DEPTH), paragraph_blocks(notes)


def _live_score_rows(store: Store, query: Query) -> Sequence[Row]:
    return [one._asdict() for one in _scores_and_notes(store, query)[0].scores]


def _document(store: Store, query: Query) -> Mapping[str, Any]:
    found = _scores_and_notes(store, query)[0]
    return {
        "measure": str(found.measure),
        "depth": found.depth,
        "topics": found.topics,
        "unlabelled_topics": found.unlabelled_topics,
        "scores": [one._asdict() for one in found.scores],
        "open_pairs": [list(pair) for pair in found.open_pairs],
        "examined_pairs": found.examined_pairs,
        "challengers": list(found.challengers),
    }


def _parts(store: Store, query: Query) -> Sequence[Block]:
    found, notes = _scores_and_notes(store, query)
    rows = [
        {
            "run": one.run,
            str(found.measure): rounded_cell(one.score, 4),
            "lowest": rounded_cell(one.low, 4),
            "highest": rounded_cell(one.high, 4),
            "judged": Cell(f"{one.judged:.0%}", one.judged),
        }
        for one in found.scores
    ]
    language = query.language
    caption = language.ngettext(
        "%(measure)s over %(num)s topic, best run first. The columns lowest and highest show the bounds of each score."
        " judged: share of the first %(depth)s ranks with a label",
        "%(measure)s over %(num)s topics, best run first. The columns lowest and highest show the bounds of each score."
        " judged: share of the first %(depth)s ranks with a label",
        found.topics,
        measure=found.measure,
        depth=found.depth,
    )
    return [
        Text(found.order_in_words),
        Text(_explanation(found, language)),
        *notes,
        Figures([_figure(found, language)]),
        TableBlock("live-scores", caption, rows, filter=translatable("runs")),
    ]


def _explanation(found: LiveScores, language: Language) -> str:
    bounds = language.gettext(
        "The score counts unjudged documents as not relevant. The bounds show how far labels for the run's first"
        " %(depth)s documents can move the score. The order of two runs is settled if no label for their own first"
        " documents can change it. In measures such as AP, relevant documents that only other runs find lower the"
        " score further.",
        depth=found.depth,
    )
    missing = language.ngettext(
        "%(num)s topic of the pool has no labels yet. No score includes this topic, and its labels can change the"
        " order of any two runs.",
        "%(num)s topics of the pool have no labels yet. No score includes these topics, and their labels can change the"
        " order of any two runs.",
        found.unlabelled_topics,
    )
    hidden = language.gettext("Assessors cannot open this page.")
    return " ".join([bounds, *([missing] if found.unlabelled_topics else []), hidden])


def _figure(found: LiveScores, language: Language) -> Figure:
    shown = found.scores[:MAX_CHART_RUNS]
    caption = (
        language.gettext(
            "%(measure)s, the %(number)s best of %(all)s runs. Dots: scores so far. Lines: from the lowest to the"
            " highest possible score.",
            measure=found.measure,
            number=MAX_CHART_RUNS,
            all=len(found.scores),
        )
        if len(shown) < len(found.scores)
        else language.gettext(
            "%(measure)s, best first. Dots: scores so far. Lines: from the lowest to the highest possible score.",
            measure=found.measure,
        )
    )
    estimates = [IntervalRow(one.run, one.score, one.low, one.high) for one in shown]
    title = language.gettext("%(measure)s of each run with its bounds", measure=found.measure)
    return Figure("live", interval_chart("live", estimates, str(found.measure), title, caption), caption)


LIVE_SCORES = LookView(
    translatable("Live scores"),
    _live_score_rows,
    [MEASURE, *WHOSE],
    _parts,
    _document,
    entry=translatable("Live scores"),
    has_data=has_rows("run", "pool", "judgment_event"),
    heavy=True,
)
