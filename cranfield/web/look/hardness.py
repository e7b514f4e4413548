"""How hard each topic is: its judgments, the scores of the runs, and how far assessors agree."""

from collections.abc import Sequence

from cranfield.analysis.hardness import Hardness, HardTopic, hardness_of
from cranfield.report.blocks import Block, Cell, TableBlock, Text, sentences
from cranfield.store.store import Store
from cranfield.web.look.scores import LABELS, TOPICS, source_of
from cranfield.web.look.view import MEASURE, PAGE, LookView, Query, Row, address, pages


def _hardness(store: Store, query: Query) -> tuple[Hardness, list[Block]]:
    source, notes = source_of(store, query)
    return hardness_of(store, source, query["measure"]), notes


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return [row._asdict() for row in _hardness(store, query)[0].topics]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    hardness, notes = _hardness(store, query)
    part = pages(query, len(hardness.topics), what="topics")
    caption = (
        f"Judged topics by mean {query['measure']} of the runs that answered them, the hardest first; spread: the"
        " standard deviation over these; zero: those that score 0; agreement: the share of equal labels, of documents"
        " with several"
    )
    rows = [_cells(row) for row in hardness.topics[part.first : part.last]]
    warning = "A low mean of few judged documents says little: what was not judged counts as not relevant."
    return [*notes, *sentences(hardness.notes), Text(warning), TableBlock("hardness", caption, rows), *part.links]


def _cells(row: HardTopic) -> Row:
    cells = row._asdict() | {"topic": Cell(row.topic, href=address("topic", topic=row.topic))}
    ends = [cells.pop(name) for name in ("best", "worst")]
    return cells | {"range": f"{ends[1]:.3f} to {ends[0]:.3f}"}


HARDNESS = LookView("Hardness of topics", _rows, (MEASURE, TOPICS, LABELS, PAGE), _parts, entry="Topics", heavy=True)
