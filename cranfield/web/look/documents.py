"""The corpus, or what a search finds, the best first; and one document: its text, inert, and what is known of it.

And why a line of the qrels is what it is: what `cranfield why` says.
"""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from cranfield.charts.svg.markup import join
from cranfield.display.layout import fields_of, layout_of
from cranfield.display.markup import PICTURES
from cranfield.formats import Document
from cranfield.judging.labels.shown import ShownGrades, shown_grades_of_document
from cranfield.judging.labels.why import Why, as_document, event_rows, evidence, pooled, text_availability, verdict, why
from cranfield.report.blocks import Block, Cell, Facts, Html, TableBlock, Text
from cranfield.search.rankers import any_word
from cranfield.store.corpus import list_documents, listed_of, topics_with
from cranfield.store.store import Store, document_hash
from cranfield.text import counted, format_moment, visible
from cranfield.web.look.labels import WHOSE, label_choice_blocks, label_parameters, labellers_in
from cranfield.web.look.view import (
    DOCNO,
    PAGE,
    SEARCH,
    TOPIC,
    LookView,
    Parameter,
    Query,
    QueryError,
    Row,
    address,
    link_line,
    page_of_rows,
    table_of,
)
from cranfield.web.templates import ShownText

MOST = 1000  # documents that a search finds


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return _search_documents(store, query["search"]) if query["search"] else _document_rows(store)


def _document_rows(store: Store, first: int = 0, most: int = -1) -> list[Row]:
    return [
        {"document": one.docno, "title": one.title, "length": one.length} for one in list_documents(store, first, most)
    ]


def _search_documents(store: Store, text: str) -> list[Row]:
    """The documents with any word of the text, by BM25."""
    expression = any_word(text)
    scores = dict(store.search(expression, MOST)) if expression else {}
    about = listed_of(store, list(scores))
    return [
        {"document": docno, "title": about[docno].title, "length": about[docno].length, "score": score}
        for docno, score in scores.items()
    ]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    hits = _search_documents(store, query["search"]) if query["search"] else None
    documents = store.count("document") if hits is None else len(hits)
    part = page_of_rows(query, documents, what="documents")
    rows = _document_rows(store, part.first, part.last - part.first) if hits is None else hits[part.first : part.last]
    if not rows:
        return [Text("No document has any of these words." if query["search"] else "There are no documents yet.")]
    caption = "Documents, with the characters of their texts" + (", best match first" if hits is not None else "")
    return [
        Text(_order_note(hits)),
        TableBlock("documents", caption, [_link_row(row) for row in rows], sortable=False),
        *part.links,
    ]


def _order_note(hits: Sequence[Row] | None) -> str:
    if hits is None:
        return "In the order in which they were added."
    many = f"The best {MOST:,} documents" if len(hits) == MOST else counted(len(hits), "document")
    return f"{many} with any of these words, by the store's full-text index (BM25)."


def _link_row(row: Row) -> Row:
    return {**row, "document": Cell(row["document"], href=address("document", docno=row["document"]))}


DOCUMENTS = LookView("Documents", _rows, (SEARCH, PAGE), _parts, entry="Collection")


ORIGINAL = Parameter("original", "", lambda store, text: text)  # whether lines are shown as they are
PIECE = 50_000  # characters of a text on one page


def _document(store: Store, query: Query) -> dict[str, Any]:
    shown = _shown_grades(store, query)
    undecided = [qid for qid, _ in shown.undecided.items]
    return store.document(_docno(query))._asdict() | {"topics": shown.grades, "undecided": undecided}


def _shown_grades(store: Store, query: Query) -> ShownGrades:
    shown = shown_grades_of_document(store, _docno(query), labellers_in(query))
    return shown._replace(grades=dict.fromkeys(topics_with(store, _docno(query))) | dict(shown.grades))


def _docno(query: Query) -> str:
    if query["docno"] is None:
        raise QueryError("no document is given; expected docno=")
    return str(query["docno"])


def _rows_document(store: Store, query: Query) -> Sequence[Row]:
    document = store.document(_docno(query))
    return [{"document": document.docno, "title": document.title, "url": document.url, "text": document.text}]


def _parts_document(store: Store, query: Query) -> Sequence[Block]:
    if query["docno"] is None:
        return [Text("Give the docno of a document, or choose one from the collection's documents.")]
    document, shown = store.document(query["docno"]), _shown_grades(store, query)
    about = label_choice_blocks(store, query, shown.undecided, "they show no grade", noun="topic")
    return [Facts(_facts(document)), *_text(document, query), *_topics(document, query, shown, about)]


def _facts(document: Document) -> list[tuple[str, str]]:
    about = {
        name: str(it)
        for name, it in document.metadata.items()
        if (name != "layout" or not layout_of(document.metadata, document.text))
        and (name != "shown" or not fields_of(document.metadata))
    }
    fields = [("title", document.title), ("address", document.url), *about.items()]
    text = (
        [("text", f"{len(document.text):,} characters, SHA-256 {document_hash(document.text, document.metadata)}")]
        if document.text
        else []
    )
    return [("docno", document.docno), *((term, value) for term, value in fields if value), *text]


def _text(document: Document, query: Query) -> list[Block]:
    """The text, or a piece of a long one."""
    if not document.text and not layout_of(document.metadata, ""):
        return [Text("The store does not have the text of this document.")]
    text = ShownText.from_document(document, query["original"] is not None, PIECE)
    pieces = text.blocks()
    part = page_of_rows(query, len(pieces), 1, "parts")
    name = 'role="region" aria-label="Text of the document" tabindex="0"'
    kind = "text document" + (" original" if text.original else "")
    body = f'<div class="{kind}" lang="" {name}><div class="block">{pieces[part.first]}</div></div>'
    image = Markup('<p class="block"><img src="{}{}" alt="{}"></p>')
    fields = (one for one in fields_of(document.metadata) if one.picture)
    pictures = [image.format(PICTURES, one.picture, visible(one.value)) for one in fields]
    return [Text("Text", 2), *part.links, Html(join([*pictures, body])), *_other_way(text, query)]


def _other_way(text: ShownText, query: Query) -> list[Block]:
    """A link to the lines of a text as they are, or back."""
    if not text.is_laid_out:
        return []
    about = {"docno": query["docno"], **label_parameters(query), **({} if text.original else {"original": "yes"})}
    return [link_line([("Text laid out" if text.original else "Lines as they are", address("document", **about))])]


def _topics(document: Document, query: Query, shown: ShownGrades, about: Sequence[Block]) -> list[Block]:
    if not shown.grades:
        return [Text("Topics", 2), Text("It is in no pool, and nobody has judged it.")]
    undecided, chosen = {qid for qid, _ in shown.undecided.items}, label_parameters(query)
    rows = [
        {"topic": Cell(qid, href=address("topic", topic=qid, **chosen))}
        | {"grade": Cell("labels differ") if qid in undecided else grade}
        | {"why": Cell("why", href=address("why", topic=qid, docno=document.docno))}
        for qid, grade in shown.grades.items()
    ]
    return [
        Text("Topics", 2),
        *about,
        TableBlock("topics", "Topics for which it was pooled or judged, with the grade that counts", rows),
    ]


def _heading(store: Store, query: Query) -> str:
    return f"Document {query['docno']}" if query["docno"] else "Document"


DOCUMENT = LookView(
    "Document",
    _rows_document,
    (DOCNO, *WHOSE, PAGE, ORIGINAL),
    parts=_parts_document,
    document=_document,
    heading=_heading,
    entry="Collection",
)


def _explain(store: Store, query: Query) -> Why:
    if query["topic"] is None or query["docno"] is None:
        raise QueryError("a label has a topic and a document; expected topic= and docno=")
    return why(store, query["topic"], query["docno"])


def _why_rows(store: Store, query: Query) -> Sequence[Row]:
    return event_rows(store, _explain(store, query))


def _why_document(store: Store, query: Query) -> object:
    return as_document(_explain(store, query))


def _why_parts(store: Store, query: Query) -> Sequence[Block]:
    if query["topic"] is None or query["docno"] is None:
        return [Text("Give a topic and a document to see what is behind its grade.")]
    account = _explain(store, query)
    grade = verdict(account)
    return [
        Text(f"{grade[:1].upper()}{grade[1:]}"),
        Text(text_availability(account)),
        *_event_blocks(store, account),
        Text("Pools", 2),
        *[Text(line) for line in pooled(account)],
        *_run_blocks(account),
        link_line(
            [
                ("Read the document", address("document", docno=account.docno)),
                ("Topic", address("topic", topic=account.qid)),
            ]
        ),
    ]


def _event_blocks(store: Store, account: Why) -> list[Block]:
    if not account.events:
        return [Text("Events", 2), Text("Nobody has judged it.")]
    caption = 'Everything that was recorded, in order; "counts" marks the label that is in the qrels'
    rows = [{**row, "at": Cell(format_moment(row["at"]), kind="whole")} for row in event_rows(store, account)]
    table = table_of("events", caption, [{name: row[name] for name in row if name != "evidence"} for row in rows])
    return [Text("Events", 2), *table, *[Text(line) for line in evidence(account)]]


def _run_blocks(account: Why) -> list[Block]:
    if not account.ranks:
        return [Text("Runs", 2), Text("In no run.")]
    rows = [{"run": one.tag, "team": one.team, "rank": one.rank, "score": one.score} for one in account.ranks]
    return [Text("Runs", 2), *table_of("runs", f"{counted(len(rows), 'run')} retrieved it, best rank first", rows)]


def _why_heading(store: Store, query: Query) -> str:
    return f"Why: topic {query['topic']}, document {query['docno']}" if query["docno"] else "Why"


WHY = LookView(
    "Why", _why_rows, (TOPIC, DOCNO), parts=_why_parts, document=_why_document, heading=_why_heading, entry="Why"
)
