"""The topics, how hard each is, one with everybody's labels, and the first ranks of every run with their holes."""

from collections.abc import Sequence

import numpy as np

from cranfield.analysis.collections import (
    RANKS,
    FirstRanks,
    TopicDocument,
    first_ranks,
    pool_topic_rows,
    topic_documents,
)
from cranfield.analysis.hardness import Hardness, HardTopic, hardness_in
from cranfield.charts.svg.intervals import share_bar
from cranfield.judging.labels.shown import ShownGrades, shown_grades_of_topic
from cranfield.report.blocks import Block, Cell, Facts, Html, TableBlock, Text, sentences
from cranfield.report.table import HOLE, NOTHING, UNDECIDED, rank_grid
from cranfield.store.chain import Event
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.web.look import scores
from cranfield.web.look.labels import WHOSE, label_choice_blocks, label_parameters, labellers_in
from cranfield.web.look.view import (
    CUTOFF,
    MEASURE,
    PAGE,
    POOL,
    TOPIC,
    LookView,
    Query,
    QueryError,
    Row,
    address,
    link_line,
    page_of_rows,
)

MOST = 100  # ranks
TOPIC_PAGE_RUNS = 25  # runs that the page of a topic shows


def _shown_grades(store: Store, query: Query) -> ShownGrades:
    if query["topic"] is None:
        raise QueryError("there are no topics in this store", 404)
    return shown_grades_of_topic(store, query["topic"], labellers_in(query))


def _first(store: Store, query: Query, shown: ShownGrades) -> list[FirstRanks]:
    if query["cutoff"] > MOST:
        raise QueryError(f"cutoff is {query['cutoff']}; expected at most {MOST}")
    return first_ranks(store, query["topic"], query["cutoff"], shown)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"run": one.run, "rank": rank, "document": docno, "grade": grade, "undecided": is_open}
        for one in _first(store, query, _shown_grades(store, query))
        for rank, (docno, grade, is_open) in enumerate(zip(one.docnos, one.grades, one.undecided, strict=True), 1)
    ]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    shown = _shown_grades(store, query)
    runs = _first(store, query, shown)
    part = page_of_rows(query, len(runs), what="runs")
    topic = link_line([("Documents of this topic", address("topic", topic=query["topic"], **label_parameters(query)))])
    about = label_choice_blocks(store, query, shown.undecided, UNDECIDED_GRID_NOTE)
    return [
        topic,
        *about,
        *first_ranks_grid(store, query["topic"], runs[part.first : part.last], query["cutoff"]),
        *part.links,
    ]


UNDECIDED_GRID_NOTE = f"they are shown as {UNDECIDED}"
UNDECIDED_COUNTS_NOTE = "they are counted as undecided, and in no grade"
UNDECIDED_TABLE_NOTE = "they have no grade here"


def grid_of_topic(store: Store, query: Query, shown: ShownGrades) -> list[Block]:
    """The grid of the best runs of a topic, and where the others are."""
    qid = query["topic"]
    runs = first_ranks(store, qid, shown=shown)
    more = (
        f"All {counted(len(runs), 'run')}, to rank {MOST}"
        if len(runs) > TOPIC_PAGE_RUNS
        else f"To rank {MOST}, and as CSV"
    )
    return [
        *first_ranks_grid(store, qid, runs[:TOPIC_PAGE_RUNS], RANKS),
        *([link_line([(more, address("ranks", topic=qid, **label_parameters(query)))])] if runs else []),
    ]


def first_ranks_grid(store: Store, qid: str, runs: Sequence[FirstRanks], ranks: int) -> list[Block]:
    """The grid of these runs, with what its signs mean."""
    if not runs:
        return [Text("No run answers this topic.")]
    rel = store.collection.min_relevant
    tokens = np.array([[*_grade_tokens(one), *[NOTHING] * (ranks - len(one.grades))] for one in runs])
    links = [[address("why", topic=qid, docno=docno) for docno in one.docnos] for one in runs]
    caption = (
        f"Grades of the first {ranks} documents of {counted(len(runs), 'run')}; runs with most relevant ones first"
    )
    holes = int((tokens == HOLE).sum())
    legend = (
        f"A number is the grade that counts (relevant from {rel}), {HOLE} an unjudged document, {UNDECIDED} one whose"
        f" labels differ while nothing says which count, {NOTHING} none"
        f" retrieved; each leads to what is known of it. {counted(holes, 'document')} unjudged among them."
    )
    return [Text(legend), Html(rank_grid("ranks", caption, [one.run for one in runs], tokens, rel, links=links))]


def _grade_tokens(one: FirstRanks) -> list[str]:
    return [
        UNDECIDED if is_open else HOLE if grade is None else str(grade)
        for grade, is_open in zip(one.grades, one.undecided, strict=True)
    ]


def _heading(store: Store, query: Query) -> str:
    return f"First ranks on topic {query['topic']}" if query["topic"] else "First ranks"


CUT = CUTOFF._replace(label="Ranks", default=lambda store: str(RANKS))
FIRST_RANKS = LookView("First ranks", _rows, (TOPIC, CUT, *WHOSE, PAGE), _parts, heading=_heading, entry="Topics")


CAPTION = (
    "Topics: documents of the pool, labelled documents (judged, of them relevant, and by grade), and documents of the"
    " pool without a label (unjudged). In the bars relevant is solid, judged otherwise grey, unjudged dashed"
)


def _rows_topics(store: Store, query: Query) -> Sequence[Row]:
    return pool_topic_rows(store, query["pool"], labellers_in(query))[0]


def _parts_topics(store: Store, query: Query) -> Sequence[Block]:
    rows, shown = pool_topic_rows(store, query["pool"], labellers_in(query))
    if not rows:
        return [Text("There are no topics yet.")]
    part = page_of_rows(query, len(rows), what="topics")
    whole = max(row["judged"] + row["unjudged"] for row in rows)
    table = [_topic_cells(row, whole, query) for row in rows[part.first : part.last]]
    hard = link_line([("How hard each topic is", address("hardness", **label_parameters(query)))])
    about = label_choice_blocks(store, query, shown.undecided, UNDECIDED_COUNTS_NOTE) if shown.undecided.items else []
    return [
        hard,
        *about,
        *sentences([shown.line] if shown.line else []),
        TableBlock("topics", CAPTION, table),
        *part.links,
    ]


def _topic_cells(row: Row, whole: int, query: Query) -> Row:
    """A row with a link to its topic, its bar, and the labels by grade in one column."""
    pool = {"pool": query["pool"]} if "pool" in query.explicit else {}
    href = address("topic", topic=row["topic"], **pool, **label_parameters(query))
    bar = share_bar([row["relevant"], row["judged"] - row["relevant"], row["unjudged"]], whole)
    grades = [name.removeprefix("grade ") for name in row if name.startswith("grade ")]
    counts = " / ".join(str(row[f"grade {grade}"]) for grade in grades)
    return {
        "topic": Cell(row["topic"], href=href),
        "title": row["title"],
        "state": Cell(row["state"], kind="whole"),
        "documents": Cell("", picture=bar),
        **{name: row[name] for name in ("pooled", "judged", "unjudged", "undecided", "relevant")},
        f"of grade {' / '.join(grades)}": Cell(counts, kind="whole"),
    }


TOPICS = LookView("Topics", _rows_topics, (POOL, *WHOSE, PAGE), _parts_topics, entry="Topics")


def _rows_topic(store: Store, query: Query) -> Sequence[Row]:
    return [_row(one) for one in topic_documents(store, query["topic"], query["pool"], _shown_grades(store, query))]


def _row(one: TopicDocument) -> Row:
    return {
        "document": one.docno,
        "depth": one.entry.depth if one.entry else None,
        "runs": len(one.entry.runs) if one.entry else None,
        "grade": one.grade,
        "undecided": one.undecided,
        "decisions": "; ".join(map(_decision, one.decisions)),
    }


def _decision(event: Event) -> str:
    what = f"{event.grade}" if event.grade is not None else event.kind.replace("-", " ")
    doubt = ", unsure" if event.unsure else ""
    return f"{event.assessor}: {what}{doubt}{' (adjudicated)' if event.kind == 'adjudicate' else ''}"


def _parts_topic(store: Store, query: Query) -> Sequence[Block]:
    qid = query["topic"]
    topic = next((topic for topic in store.topics() if topic.qid == qid), None)
    if topic is None:
        return [Text("There are no topics yet.")]
    shown = _shown_grades(store, query)
    documents = _documents(query, topic_documents(store, qid, query["pool"], shown))
    grid, about = (
        grid_of_topic(store, query, shown),
        label_choice_blocks(store, query, shown.undecided, UNDECIDED_TABLE_NOTE),
    )
    places = link_line([("Documents", "#documents"), ("First ranks of the runs", "#ranks")])
    ranks = [Text("What the first ranks hold", 2), *grid]
    fields = [("title", topic.title), ("description", topic.description), ("narrative", topic.narrative)]
    facts = [(term, text) for term, text in fields if text] or [("topic", "only its number is known")]
    return [Facts(facts), places, *about, Text("Documents", 2), *documents, *ranks]


def _documents(query: Query, documents: Sequence[TopicDocument]) -> list[Block]:
    """The documents, a page of them."""
    if not documents:
        return [Text("Nothing was pooled or judged for this topic.")]
    part = page_of_rows(query, len(documents), what="documents")
    rows = [_link_row(query["topic"], _row(one)) for one in documents[part.first : part.last]]
    caption = (
        "Documents of the pool, and judged ones outside it: the rank that brought each in, by how many runs, the grade"
        " that counts, and everybody's current decision"
    )
    return [TableBlock("documents", caption, rows), *part.links]


def _link_row(qid: str, row: Row) -> Row:
    docno = row["document"]
    why = Cell("why", href=address("why", topic=qid, docno=docno))
    grade = Cell("labels differ") if row["undecided"] else row["grade"]
    cells = {name: row[name] for name in row if name != "undecided"}
    return {**cells, "document": Cell(docno, href=address("document", docno=docno)), "grade": grade, "why": why}


def _heading_topic(store: Store, query: Query) -> str:
    return f"Topic {query['topic']}" if query["topic"] else "Topic"


TOPIC_VIEW = LookView(
    "Topic", _rows_topic, (TOPIC, POOL, *WHOSE, PAGE), _parts_topic, heading=_heading_topic, entry="Topics"
)


def _hardness(store: Store, query: Query) -> tuple[Hardness, list[Block]]:
    source, notes = scores.source_and_notes(store, query)
    return hardness_in(store, source, query["measure"]), notes


def _rows_hardness(store: Store, query: Query) -> Sequence[Row]:
    return [row._asdict() for row in _hardness(store, query)[0].topics]


def _parts_hardness(store: Store, query: Query) -> Sequence[Block]:
    hardness, notes = _hardness(store, query)
    part = page_of_rows(query, len(hardness.topics), what="topics")
    caption = (
        f"Judged topics by mean {query['measure']} of the runs that answered them, the hardest first; spread: the"
        " standard deviation over these; zero: those that score 0; agreement: the share of equal labels, of documents"
        " with several"
    )
    rows = [_hardness_cells(row) for row in hardness.topics[part.first : part.last]]
    warning = "A low mean of few judged documents says little: what was not judged counts as not relevant."
    return [*notes, *sentences(hardness.notes), Text(warning), TableBlock("hardness", caption, rows), *part.links]


def _hardness_cells(row: HardTopic) -> Row:
    cells = row._asdict() | {"topic": Cell(row.topic, href=address("topic", topic=row.topic))}
    ends = [cells.pop(name) for name in ("best", "worst")]
    return cells | {"range": f"{ends[1]:.3f} to {ends[0]:.3f}"}


HARDNESS = LookView(
    "Hardness of topics",
    _rows_hardness,
    (MEASURE, scores.TOPICS, *WHOSE, PAGE),
    _parts_hardness,
    entry="Topics",
    heavy=True,
)
