"""The organiser's page on stopping: what active learning found of each topic, and what the rules say."""

from collections.abc import Mapping
from typing import Any

from cranfield.charts.curves import Line, LineChart
from cranfield.charts.svg.lines import line_chart
from cranfield.errors import InputError
from cranfield.features.collecting.added_options import StopOptions
from cranfield.features.collecting.commands import is_by_learning, newest_curves, stop_rows, stop_table
from cranfield.features.collecting.stopping import RULES
from cranfield.report.blocks import Block, Cell, Html, TableBlock, Text
from cranfield.store.pools import newest_pool_to_judge
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.page_text import page_blocks
from cranfield.web.organise.section import OrganiserSection, SectionRequest

CERTIFIED = ("target", "qbcb:0.8")
NAMED = 4  # topics whose curves have a name: those of most relevant documents


def _values(request: SectionRequest) -> Mapping[str, Any]:
    if not (every := newest_curves(request.store)):
        return {"blocks": [], "has_pool": newest_pool_to_judge(request.store) is not None}
    verdicts = {rule: {row["topic"]: row["stop"] for row in stop_rows(every, rule)} for rule in RULES}
    table = [
        {
            "topic": visible_line(row["topic"]),
            "judged": row["judged"],
            "relevant": row["relevant"],
            "ratio": Cell(f"{row['ratio']:.1f}", row["ratio"]),
            **{rule: request.language.gettext("may stop") if of[row["topic"]] else "" for rule, of in verdicts.items()},
        }
        for row in stop_rows(every, "knee6")
    ]
    judged = {qid: one for qid, one in every.items() if len(one.judged)}
    most = sorted(judged, key=lambda qid: -int(judged[qid].relevant[-1]))[:NAMED]
    lines = [
        Line(
            visible_line(qid),
            [0, *one.judged.tolist()],
            [0, *one.relevant.tolist()],
            most.index(qid) if qid in most else None,
        )
        for qid, one in judged.items()
    ]
    text = "Relevant documents found (vertical axis) by documents judged (horizontal axis), with a line for each topic"
    chart = LineChart("What was found", text, "judged", "relevant", lines, 0)
    rules = TableBlock(
        "stopping", translatable("Topics for which a rule allows judging to stop (no rule guarantees recall)"), table
    )
    return {
        "blocks": [
            *([Html(line_chart("found", chart))] if lines else []),
            rules,
            *(block for rule in CERTIFIED for block in _certificate(request.store, rule, request.language)),
        ]
    }


def _certificate(store: Store, rule: str, language: Language) -> list[Block]:
    """What a rule says that certifies a recall, or why it cannot, and what that would take."""
    try:
        rows, title = stop_table(StopOptions(rule), store, None)
    except InputError as error:
        return page_blocks([Text(error.message)], language=language)
    table = [row | {"topic": visible_line(row["topic"]), "stop": "may stop" if row["stop"] else ""} for row in rows]
    return [TableBlock(rule.partition(":")[0], title, table, heads={"drawn_relevant": "drawn and relevant"})]


STOPPING = OrganiserSection(
    translatable("Stopping"),
    "collecting/stopping.html",
    _values,
    entry=translatable("Stopping"),
    has_data=is_by_learning,
)
