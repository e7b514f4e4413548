"""The verdict at the top of the page, and the section with the reusability card: units, pool depths, stability."""

from collections.abc import Sequence
from typing import Any

from cranfield.analysis import comparison, depths
from cranfield.analysis.change_rows import change_rows, overlap_sentence, sort_worst_first
from cranfield.analysis.verdict import (
    NEXT_STEP,
    NOT_TESTED,
    Loss,
    Verdict,
    describe_finding,
    describe_next_system_loss,
    left_out_losses,
    numbers,
    remedy,
    reservations,
    sort_by_ranks_lost,
    sort_by_score_lost,
    state_tested_kinds,
    worst_cases,
)
from cranfield.charts.curves import losses_by_depth, pairs_by_topics, reversed_pairs, tau_by_depth
from cranfield.charts.svg.lines import Slope, slopegraph
from cranfield.formats.text_tables import format_cell
from cranfield.report.card import Card
from cranfield.report.table import signed_cell
from cranfield.text import counted

from .blocks import (
    Block,
    Cell,
    Facts,
    Figure,
    Figures,
    Section,
    TableBlock,
    Text,
    Top,
    as_cell,
    figure_of_lines,
    paragraph_blocks,
    rounded_cell,
)

Row = dict[str, Any]
CARD = "Reusability card"
UNIT_HEADS = {
    "rank": "rank as judged",
    "rank without": "rank if left out",
    "score": "score as judged",
    "without": "score if left out",
}
MOST_SIZES = 4  # of topic sets that are drawn


def trust_section(card: Card) -> Section:
    """The card as a section of the page."""
    verdict = card.verdict
    blocks = [
        *verdict_blocks(verdict, card.closed_topics),
        *paragraph_blocks([card.left_out.line] if card.left_out.line else []),
        *unit_blocks(verdict),
        *depth_blocks(verdict, card.dial),
        *_stability_blocks(card),
    ]
    return Section("trust", CARD, blocks)


def verdict_blocks(verdict: Verdict, closed_topics: int | None = None) -> list[Block]:
    """The pool and the numbers of the verdict; no numbers where there is none."""
    left_out = verdict.left_out
    are = "is" if closed_topics == 1 else "are"
    topics = f" {closed_topics} of {counted(left_out.topics, 'topic')}"
    judged = f"{topics} {are} judged to this depth, with at most 2% of the documents missing."
    coverage = "" if closed_topics is None else judged
    lack = f" Not tested: {left_out.no_verdict}." if left_out.no_verdict else ""
    who = paragraph_blocks([*verdict.partial_answers, *(verdict.who.notes if verdict.who else ())])
    about = Text(f"{overlap_sentence(left_out).capitalize()}.{coverage}{lack}")
    caption = f"Losses of left-out {left_out.by}s, with the main numbers first"
    measures = left_out.measures
    by_measure = [numbers(verdict, measure) for measure in measures]
    rows = [
        {
            "what": same[0].name,
            **{measure: Cell(number.value, below=number.about) for measure, number in zip(measures, same, strict=True)},
            "how to read it": same[0].reading,
        }
        for same in zip(*by_measure, strict=True)
        if not same[0].shared
    ]
    table = TableBlock("verdict", caption, rows, sortable=False, cards=True)
    if left_out.no_verdict:
        return [about, *who]
    shared = [
        (number.name, "; ".join(filter(None, (number.value, number.about, number.reading))))
        for number in by_measure[0]
        if number.shared
    ]
    return [about, *who, table, Facts(shared)]


def unit_blocks(verdict: Verdict) -> list[Block]:
    """What each left-out unit loses by the first measure."""
    left_out, measure = verdict.left_out, verdict.left_out.measures[0]
    rows = [_unit_row(row, left_out.by) for row in sort_worst_first(change_rows(left_out, [measure]))]
    alone = f"Each {left_out.by} scored as if it had not contributed to the pool"
    caption = f"{alone}, by {measure}; the largest rank drop comes first"
    return [
        Text(f"Each {left_out.by} left out", 3),
        TableBlock("units", caption, rows, filter=f"{left_out.by}s", heads=UNIT_HEADS),
    ]


def _unit_row(row: Row, by: str) -> Row:
    """The same row, its numbers first."""
    name = Cell(str(row[by]), below=str(row["run"]) if by != "run" else "")
    return {
        by: name,
        "rank": row["rank"],
        "rank without": row["rank without"],
        "score": row["score"],
        "without": row["without"],
        **({"95%": f"{format_cell(row['low'])} to {format_cell(row['high'])}"} if "low" in row else {}),
        "change %": signed_cell(row["change %"], 2),
        "unique": row["unique"],
        "relevant": row["relevant"],
        **({"missed": row["missed"]} if "missed" in row else {}),
        "tau": rounded_cell(row["tau"], 3),
    }


def depth_blocks(verdict: Verdict, dial: Row | None) -> list[Block]:
    """What each depth would have cost and changed; `dial` is the document of `cranfield depths`, if it has one."""
    if verdict.left_out.no_verdict:
        return []
    if dial is None:
        return [Text("The pool was not built to a fixed depth, so there are no shallower pools to compare.")]
    title = depths.depth_table_title(dial)
    rows, measure = [_round_row(row) for row in depths.rows(dial)], dial["rows"][0]["measure"]
    figures = [
        figure_of_lines("dial", losses_by_depth(dial, measure)),
        figure_of_lines("dial-tau", tau_by_depth(dial, measure)),
    ]
    table = TableBlock("dial-table", title[0].upper() + title[1:], rows, sortable=False)
    return [Text("Was the pool deep enough?", 3), Text(depths.HOW_TO_READ), Figures(figures), table]


def depth_numbers(row: Row) -> list[tuple[str, str]]:
    """One row of the document of `cranfield depths` in words."""
    several = {"rows": [row]}
    return [(name, value.text) for name, value in _round_row(depths.rows(several)[0]).items() if name != "depth"]


def _stability_blocks(card: Card) -> list[Block]:
    first = card.stability["measures"][0]
    rows = [_round_row(row) for row in comparison.stability_rows(card.stability)]
    read = [Text(line) for line in comparison.stability_sentences(first, card.stability["topics"])]
    table = TableBlock("stability-table", f"Disjoint topic sets compared, by {card.measure}", rows, sortable=False)
    figures = [
        figure_of_lines("swaps", reversed_pairs(first, MOST_SIZES)),
        figure_of_lines("power", pairs_by_topics(first)),
    ]
    return [Text("How much depends on the topics?", 3), *read, Figures(figures), table]


def _round_row(row: Row) -> Row:
    """Percentages with two decimals, coefficients with three."""
    decimals = {name: 2 if name.endswith("%") or name.startswith("difference") else 3 for name in row}
    return {
        name: rounded_cell(value, decimals[name]) if isinstance(value, float) else as_cell(value)
        for name, value in row.items()
    }


RANK_LOSSES_NAMED, SCORE_LOSSES_NAMED = 3, 2  # runs that the graph names
NO_SIGN = "\N{EN DASH}"
TESTED = "What was tested"


def top_of_verdict(verdict: Verdict) -> Top:
    """The top for a verdict."""
    if verdict.left_out.no_verdict:
        advice = remedy(verdict.left_out)
        sentence = _capitalize(f"{verdict.left_out.no_verdict}.")
        return Top("none", NO_SIGN, NOT_TESTED, sentence=sentence, cases=[], advice=advice, figure=None)
    cases = [(_capitalize(name), words) for name, _, words in worst_cases(verdict)]
    advice = " ".join(filter(None, [state_tested_kinds(verdict), describe_next_system_loss(verdict), NEXT_STEP]))
    sentence = " ".join([describe_finding(verdict), *reservations(verdict)])
    return Top("tested", "", TESTED, sentence=sentence, cases=cases, advice=advice, figure=ranks(verdict))


def top_without_card(lack: str) -> Top:
    """The top of a page without a card."""
    sentence = f"There is no reusability card: {lack}."
    return Top("none", NO_SIGN, NOT_TESTED, sentence=sentence, cases=[], advice="", figure=None)


def _capitalize(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"


def ranks(verdict: Verdict) -> Figure:
    """The ranks of the left-out runs, with their unit's own contribution and without."""
    left_out, measure = verdict.left_out, verdict.left_out.measures[0]
    return rank_figure("ranks", left_out.by, measure, left_out_losses(left_out, measure))


def rank_figure(key: str, by: str, measure: str, every: Sequence[Loss]) -> Figure:
    """The same of what left-out runs lose."""
    worst = [*sort_by_ranks_lost(every)[:RANK_LOSSES_NAMED], *sort_by_score_lost(every)[:SCORE_LOSSES_NAMED]]
    numbers = {run: at for at, run in enumerate(dict.fromkeys(loss.change.run for loss in worst))}
    slopes = [
        Slope(loss.change.run, loss.change.full_rank, loss.change.reduced_rank, numbers.get(loss.change.run))
        for loss in every
    ]
    fallen = sum(slope.after > slope.before for slope in slopes)
    caption = (
        f"Rank by {measure} with and without the {by}'s own contribution to the pool. Each line is a separate"
        f" leave-one-out test, so runs may share a rank. {fallen} of {counted(len(slopes), 'run')} fall."
    )
    title = f"Rank by {measure} with and without each {by}'s own contribution"
    return Figure(key, slopegraph(key, slopes, ("as judged", "if left out"), title, caption), caption)
