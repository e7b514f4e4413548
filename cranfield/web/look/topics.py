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
from cranfield.report.blocks import Block, Cell, Facts, Html, TableBlock, Text, paragraph_blocks
from cranfield.report.table import HOLE, NOTHING, UNDECIDED, rank_grid
from cranfield.store.chain import Event
from cranfield.store.store import Store
from cranfield.web.language import translatable
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
    has_rows,
    link_line,
    page_of_rows,
)

STATES = (
    translatable("nothing pooled"),
    translatable("not begun"),
    translatable("in progress"),
    translatable("judged"),
)  # of topics
MOST = 100  # ranks
TOPIC_PAGE_RUNS = 25  # runs that the page of a topic shows


def _read_topic_grades(store: Store, query: Query) -> ShownGrades:
    if query["topic"] is None:
        raise QueryError(
            translatable("there are no topics in this store; add some with `cranfield import topics`"), 404
        )
    return shown_grades_of_topic(store, query["topic"], labellers_in(query))


def _first_ranks(store: Store, query: Query, shown: ShownGrades) -> list[FirstRanks]:
    if query["cutoff"] > MOST:
        raise QueryError(
            translatable("cutoff is %(value)s; expected at most %(most)s"), value=query["cutoff"], most=MOST
        )
    return first_ranks(store, query["topic"], query["cutoff"], shown)


def _topic_rows(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"run": one.run, "rank": rank, "document": docno, "grade": grade, "undecided": is_open}
        for one in _first_ranks(store, query, _read_topic_grades(store, query))
        for rank, (docno, grade, is_open) in enumerate(zip(one.docnos, one.grades, one.undecided, strict=True), 1)
    ]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    shown = _read_topic_grades(store, query)
    runs = _first_ranks(store, query, shown)
    part = page_of_rows(query, len(runs), what="runs")
    topic = link_line(
        [(translatable("Documents of this topic"), address("topic", topic=query["topic"], **label_parameters(query)))],
        query.language,
    )
    about = label_choice_blocks(store, query, shown.undecided, UNDECIDED_GRID_NOTE)
    return [
        topic,
        *about,
        *first_ranks_grid(store, query, runs[part.first : part.last], query["cutoff"]),
        *part.links,
    ]


UNDECIDED_GRID_NOTE = translatable("They are shown as ≠.")
UNDECIDED_COUNTS_NOTE = translatable("They count as undecided, not as a grade.")
UNDECIDED_TABLE_NOTE = translatable("They have no grade here.")


def grid_of_topic(store: Store, query: Query, shown: ShownGrades) -> list[Block]:
    """The grid of the best runs of a topic, and where the others are."""
    qid = query["topic"]
    runs = first_ranks(store, qid, shown=shown)
    more = (
        query.language.gettext("All %(number)s runs, to rank %(rank)s", number=format(len(runs), ","), rank=MOST)
        if len(runs) > TOPIC_PAGE_RUNS
        else query.language.gettext("Ranks to %(rank)s, also as CSV", rank=MOST)
    )
    return [
        *first_ranks_grid(store, query, runs[:TOPIC_PAGE_RUNS], RANKS),
        *(
            [link_line([(more, address("ranks", topic=qid, **label_parameters(query)))], query.language)]
            if runs
            else []
        ),
    ]


def first_ranks_grid(store: Store, query: Query, runs: Sequence[FirstRanks], ranks: int) -> list[Block]:
    """The grid of these runs, with what its signs mean."""
    if not runs:
        return [Text(translatable("No run has results for this topic."))]
    language, rel = query.language, store.collection.min_relevant
    tokens = np.array([[*_grade_tokens(one), *[NOTHING] * (ranks - len(one.grades))] for one in runs])
    links = [[address("why", topic=query["topic"], docno=docno) for docno in one.docnos] for one in runs]
    caption = language.ngettext(
        "Grades of the first %(ranks)s documents of %(num)s run",
        "Grades of the first %(ranks)s documents of %(num)s runs; runs with the most relevant documents come first",
        len(runs),
        ranks=ranks,
    )
    signs = language.gettext(
        "Each number is the grade used for scoring. Grades from %(grade)s are relevant. %(hole)s: unjudged."
        " %(undecided)s: labels differ. %(nothing)s: no document at this rank. Each symbol"
        " links to the document's events.",
        grade=rel,
        hole=HOLE,
        undecided=UNDECIDED,
        nothing=NOTHING,
    )
    holes = int((tokens == HOLE).sum())
    unjudged = language.ngettext("%(num)s document is unjudged.", "%(num)s documents are unjudged.", holes)
    return [
        Text(f"{signs} {unjudged}"),
        Html(rank_grid("ranks", caption, [one.run for one in runs], tokens, rel, links=links)),
    ]


def _grade_tokens(one: FirstRanks) -> list[str]:
    return [
        UNDECIDED if is_open else HOLE if grade is None else str(grade)
        for grade, is_open in zip(one.grades, one.undecided, strict=True)
    ]


def _heading(store: Store, query: Query) -> str:
    if not query["topic"]:
        return query.language.gettext("First ranks")
    return query.language.gettext("First ranks on topic %(topic)s", topic=query["topic"])


CUT = CUTOFF._replace(label=translatable("Ranks"), default=lambda store: str(RANKS))
FIRST_RANKS = LookView(
    translatable("First ranks"),
    _topic_rows,
    (TOPIC, CUT, *WHOSE, PAGE),
    _parts,
    heading=_heading,
    entry=translatable("Topics"),
    group=translatable("Collection"),
)


CAPTION = translatable(
    "pooled: pool documents; judged: labelled documents; unjudged: pool documents without a label; relevant: labelled"
    " relevant. Bars: relevant is solid, judged not relevant is grey, unjudged is dashed"
)


def _rows_topics(store: Store, query: Query) -> Sequence[Row]:
    return pool_topic_rows(store, query["pool"], labellers_in(query))[0]


def _parts_topics(store: Store, query: Query) -> Sequence[Block]:
    rows, shown = pool_topic_rows(store, query["pool"], labellers_in(query))
    if not rows:
        return [Text(translatable("There are no topics yet."))]
    part = page_of_rows(query, len(rows), what="topics")
    whole = max(row["judged"] + row["unjudged"] for row in rows)
    table = [_topic_cells(row, whole, query) for row in rows[part.first : part.last]]
    hard = link_line(
        [(translatable("How hard each topic is"), address("hardness", **label_parameters(query)))], query.language
    )
    about = label_choice_blocks(store, query, shown.undecided, UNDECIDED_COUNTS_NOTE) if shown.undecided.items else []
    return [
        hard,
        *about,
        *paragraph_blocks([shown.line] if shown.line else []),
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
        "state": Cell(query.language.look_up(row["state"]), kind="whole"),
        "documents": Cell("", picture=bar),
        **{name: row[name] for name in ("pooled", "judged", "unjudged", "undecided", "relevant")},
        query.language.gettext("of grade %(grades)s", grades=" / ".join(grades)): Cell(counts, kind="whole"),
    }


TOPICS = LookView(
    translatable("Topics"),
    _rows_topics,
    (POOL, *WHOSE, PAGE),
    _parts_topics,
    entry=translatable("Topics"),
    group=translatable("Collection"),
    has_data=has_rows("topic"),
)


def _rows_topic(store: Store, query: Query) -> Sequence[Row]:
    return [
        _document_row(one)
        for one in topic_documents(store, query["topic"], query["pool"], _read_topic_grades(store, query))
    ]


def _document_row(one: TopicDocument) -> Row:
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
        return [Text(translatable("There are no topics yet."))]
    shown = _read_topic_grades(store, query)
    every = topic_documents(store, qid, query["pool"], shown)
    documents = _documents(query, every)
    fields = [("title", topic.title), ("description", topic.description), ("narrative", topic.narrative)]
    facts = [(term, text) for term, text in fields if text] or [
        ("topic", query.language.gettext("The store contains only the topic's id."))
    ]
    if not every and not store.last_row_number("run"):
        return [Facts(facts), *documents]
    grid, about = (
        grid_of_topic(store, query, shown),
        label_choice_blocks(store, query, shown.undecided, UNDECIDED_TABLE_NOTE),
    )
    places = link_line(
        [(translatable("Documents"), "#documents"), (translatable("First ranks of the runs"), "#ranks")], query.language
    )
    ranks = [Text(translatable("Grades of the first ranks"), 2), *grid]
    return [Facts(facts), places, *about, Text(translatable("Documents"), 2), *documents, *ranks]


def _documents(query: Query, documents: Sequence[TopicDocument]) -> list[Block]:
    """The documents, a page of them."""
    if not documents:
        return [Text(translatable("No document was pooled or judged for this topic."))]
    part = page_of_rows(query, len(documents), what="documents")
    rows = [_link_row(query, _document_row(one)) for one in documents[part.first : part.last]]
    caption = translatable(
        "Pool documents, and judged documents outside the pool. depth: best rank in a pooled run; runs: number of runs"
        " that contributed it; grade: the grade that counts; decisions: current decision of each assessor"
    )
    return [TableBlock("documents", caption, rows), *part.links]


def _link_row(query: Query, row: Row) -> Row:
    docno = row["document"]
    why = Cell(query.language.gettext("why"), href=address("why", topic=query["topic"], docno=docno))
    grade = Cell(query.language.gettext("labels differ")) if row["undecided"] else row["grade"]
    cells = {name: row[name] for name in row if name != "undecided"}
    return {**cells, "document": Cell(docno, href=address("document", docno=docno)), "grade": grade, "why": why}


def _heading_topic(store: Store, query: Query) -> str:
    if not query["topic"]:
        return query.language.gettext("Topic")
    return query.language.gettext("Topic %(topic)s", topic=query["topic"])


TOPIC_VIEW = LookView(
    translatable("Topic"),
    _rows_topic,
    (TOPIC, POOL, *WHOSE, PAGE),
    _parts_topic,
    heading=_heading_topic,
    entry=translatable("Topics"),
    group=translatable("Collection"),
)


def _hardness(store: Store, query: Query) -> tuple[Hardness, list[Block]]:
    source, notes = scores.view_and_notes(store, query)
    return hardness_in(store, source, query["measure"]), notes


def _rows_hardness(store: Store, query: Query) -> Sequence[Row]:
    return [row._asdict() for row in _hardness(store, query)[0].topics]


def _parts_hardness(store: Store, query: Query) -> Sequence[Block]:
    hardness, notes = _hardness(store, query)
    part = page_of_rows(query, len(hardness.topics), what="topics")
    caption = query.language.gettext(
        "Judged topics by mean %(measure)s of the runs that answered them, the hardest first; spread: standard"
        " deviation over runs; zero: number of runs that score 0; agreement: share of multiply labelled documents whose"
        " labels agree",
        measure=query["measure"],
    )
    rows = [_hardness_cells(row) for row in hardness.topics[part.first : part.last]]
    warning = translatable(
        "If few documents are judged, a low mean says little: unjudged documents count as not relevant."
    )
    return [
        *notes,
        *paragraph_blocks(hardness.notes),
        Text(warning),
        TableBlock("hardness", caption, rows),
        *part.links,
    ]


def _hardness_cells(row: HardTopic) -> Row:
    cells = row._asdict() | {"topic": Cell(row.topic, href=address("topic", topic=row.topic))}
    ends = [cells.pop(name) for name in ("best", "worst")]
    return cells | {"range": f"{ends[1]:.3f} to {ends[0]:.3f}"}


HARDNESS = LookView(
    translatable("Hardness of topics"),
    _rows_hardness,
    (MEASURE, scores.TOPICS, *WHOSE, PAGE),
    _parts_hardness,
    entry=translatable("Topics"),
    group=translatable("Collection"),
    heavy=True,
)
