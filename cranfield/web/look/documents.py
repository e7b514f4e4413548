"""The corpus, or what a search finds, the best first; and one document: its text, inert, and what is known of it.

And why a line of the qrels is what it is: what `cranfield why` says.
"""

from collections.abc import Sequence
from typing import Any, cast, get_args

from markupsafe import Markup, escape

from cranfield.charts.svg.markup import join_markup
from cranfield.display.layout import fields_of, layout_of
from cranfield.display.markup import PICTURES
from cranfield.display.reflow import Display
from cranfield.formats import Document
from cranfield.judging.labels.shown import ShownGrades, shown_grades_of_document
from cranfield.judging.labels.why import (
    Why,
    as_document,
    event_rows,
    evidence_lines,
    explain_grade,
    pool_lines,
    text_availability,
    verdict,
)
from cranfield.report.blocks import Block, Cell, Facts, Html, TableBlock, Text
from cranfield.search.rankers import match_any_word
from cranfield.store.corpus import list_documents, listed_documents, topics_of_document
from cranfield.store.store import Store, document_hash
from cranfield.text import format_moment, visible_text
from cranfield.web.language import Language, translatable
from cranfield.web.look.labels import NOT_A_CHOICE, WHOSE, label_choice_blocks, label_parameters, labellers_in
from cranfield.web.look.times import seconds_cell
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
    has_rows,
    link_line,
    page_of_rows,
    short_text,
    table_blocks,
)
from cranfield.web.templates import DISPLAY_LINKS, ShownText

MOST = 1000  # documents that a search finds


def _document_table_rows(store: Store, query: Query) -> Sequence[Row]:
    return _search_documents(store, query["search"]) if query["search"] else _document_rows(store)


def _document_rows(store: Store, first: int = 0, most: int = -1) -> list[Row]:
    return [
        {"document": one.docno, "title": one.title, "length": one.length} for one in list_documents(store, first, most)
    ]


def _search_documents(store: Store, text: str) -> list[Row]:
    """The documents with any word of the text, by BM25."""
    expression = match_any_word(text)
    scores = dict(store.search(expression, MOST)) if expression else {}
    about = listed_documents(store, list(scores))
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
        return [Text(_no_documents_text(store))]
    caption = (
        translatable("Documents, with the length of their texts in characters")
        if hits is None
        else translatable("Documents, with the length of their texts in characters, best match first")
    )
    return [
        Text(_order_note(hits, query.language)),
        *(_unknown_documents_note(store, query.language) if hits is None else []),
        TableBlock("documents", caption, [_link_row(row) for row in rows], sortable=False),
        *part.links,
    ]


def _no_documents_text(store: Store) -> str:
    if not store.count("document"):
        return translatable("There are no documents yet.")
    if not store.count_added("document"):
        return translatable("There are no texts in this store, so no words can be found.")
    return translatable("No document contains any of these words.")


def _unknown_documents_note(store: Store, language: Language) -> list[Text]:
    number = store.count("document") - store.count_added("document")
    if not number or not store.has("document"):
        return []
    note = language.ngettext(
        "The list includes %(num)s document that only runs or judgments name.",
        "The list includes %(num)s documents that only runs or judgments name.",
        number,
    )
    return [Text(note)]


def _order_note(hits: Sequence[Row] | None, language: Language) -> str:
    if hits is None:
        return translatable("The documents are in the order in which they were added.")
    if len(hits) == MOST:
        return language.gettext(
            "The best %(number)s documents that contain any of these words, ranked by the store's full-text index"
            " (BM25).",
            number=format(MOST, ","),
        )
    return language.ngettext(
        "%(num)s document contains any of these words, found by the store's full-text index (BM25).",
        "%(num)s documents contain any of these words, ranked by the store's full-text index (BM25).",
        len(hits),
    )


def _link_row(row: Row) -> Row:
    return {**row, "document": Cell(row["document"], href=address("document", docno=row["document"]))}


DOCUMENTS = LookView(
    translatable("Documents"),
    _document_table_rows,
    (SEARCH, PAGE),
    _parts,
    entry=translatable("Documents"),
    group=translatable("Collection"),
    has_data=has_rows("document"),
)


def _display(store: Store, text: str) -> Display:
    if text not in get_args(Display):
        raise QueryError(NOT_A_CHOICE, name="lines", value=short_text(text), choices=", ".join(get_args(Display)))
    return cast(Display, text)


NO_GRADE_NOTE = translatable("No grade is shown for them.")
LINES = Parameter("lines", "", _display)
PIECE = 50_000  # characters of a text on one page


def _document(store: Store, query: Query) -> dict[str, Any]:
    shown = _read_document_grades(store, query)
    undecided = [qid for qid, _ in shown.undecided.items]
    return store.document(_chosen_docno(query))._asdict() | {"topics": shown.grades, "undecided": undecided}


def _read_document_grades(store: Store, query: Query) -> ShownGrades:
    shown = shown_grades_of_document(store, _chosen_docno(query), labellers_in(query))
    return shown._replace(grades=dict.fromkeys(topics_of_document(store, _chosen_docno(query))) | dict(shown.grades))


def _chosen_docno(query: Query) -> str:
    if query["docno"] is None:
        raise QueryError(translatable("no document is named; expected docno="))
    return str(query["docno"])


def _rows_document(store: Store, query: Query) -> Sequence[Row]:
    document = store.document(_chosen_docno(query))
    return [{"document": document.docno, "title": document.title, "url": document.url, "text": document.text}]


def _parts_document(store: Store, query: Query) -> Sequence[Block]:
    if query["docno"] is None:
        return [Text(translatable("Enter the docno of a document, or choose a document from the collection."))]
    document, shown = store.document(query["docno"]), _read_document_grades(store, query)
    about = label_choice_blocks(store, query, shown.undecided, NO_GRADE_NOTE, noun="topic")
    return [
        Facts(_facts(document, query.language)),
        *_text(document, query),
        *_document_topic_blocks(document, query, shown, about),
    ]


def _facts(document: Document, language: Language) -> list[tuple[str, str]]:
    about = {
        name: str(it)
        for name, it in document.metadata.items()
        if (name != "layout" or not layout_of(document.metadata, document.text))
        and (name != "shown" or not fields_of(document.metadata))
    }
    fields = [("title", document.title), ("address", document.url), *about.items()]
    size = language.gettext(
        "%(number)s characters, SHA-256 %(hash)s",
        number=format(len(document.text), ","),
        hash=document_hash(document.text, document.metadata),
    )
    text = [("text", size)] if document.text else []
    return [("docno", document.docno), *((term, value) for term, value in fields if value), *text]


def _text(document: Document, query: Query) -> list[Block]:
    """The text, or a piece of a long one."""
    if not document.text and not layout_of(document.metadata, ""):
        return [Text(translatable("The store does not have the text of this document."))]
    text = ShownText.from_document(document, query["lines"] or "auto", PIECE)
    pieces = text.blocks()
    part = page_of_rows(query, len(pieces), 1, "parts")
    label = escape(query.language.gettext("Text of the document"))
    name = f'role="region" aria-label="{label}" tabindex="0"'
    kind = "text document" + (" original" if text.display == "lines" else "")
    body = f'<div class="{kind}" lang="" {name}><div class="block">{pieces[part.first]}</div></div>'
    image = Markup('<p class="block"><img src="{}{}" alt="{}"></p>')
    fields = (one for one in fields_of(document.metadata) if one.picture)
    pictures = [image.format(PICTURES, one.picture, visible_text(one.value)) for one in fields]
    return [
        Text(translatable("Text"), 2),
        *part.links,
        Html(join_markup([*pictures, body])),
        *_link_to_other_display(text, query),
    ]


def _link_to_other_display(text: ShownText, query: Query) -> list[Block]:
    """A link to another display of the lines of a text."""
    if (other := text.other_display) is None:
        return []
    about = {"docno": query["docno"], **label_parameters(query), **({} if other == "auto" else {"lines": other})}
    return [link_line([(DISPLAY_LINKS[other], address("document", **about))], query.language)]


def _document_topic_blocks(document: Document, query: Query, shown: ShownGrades, about: Sequence[Block]) -> list[Block]:
    if not shown.grades:
        return [
            Text(translatable("Topics"), 2),
            Text(translatable("This document is not in a pool, and nobody has judged it.")),
        ]
    undecided, chosen = {qid for qid, _ in shown.undecided.items}, label_parameters(query)
    rows = [
        {"topic": Cell(qid, href=address("topic", topic=qid, **chosen))}
        | {"grade": Cell(query.language.gettext("labels differ")) if qid in undecided else grade}
        | {"why": Cell(query.language.gettext("why"), href=address("why", topic=qid, docno=document.docno))}
        for qid, grade in shown.grades.items()
    ]
    return [
        Text(translatable("Topics"), 2),
        *about,
        TableBlock(
            "topics",
            translatable("Topics for which the document was pooled or judged, with the grade used for scoring"),
            rows,
        ),
    ]


def _heading(store: Store, query: Query) -> str:
    name = query["docno"]
    return query.language.gettext("Document %(name)s", name=name) if name else query.language.gettext("Document")


DOCUMENT = LookView(
    translatable("Document"),
    _rows_document,
    (DOCNO, *WHOSE, PAGE, LINES),
    parts=_parts_document,
    document=_document,
    heading=_heading,
    entry=translatable("Documents"),
    group=translatable("Collection"),
)


def _explain_label(store: Store, query: Query) -> Why:
    if query["topic"] is None or query["docno"] is None:
        raise QueryError(translatable("a label needs a topic and a document; expected topic= and docno="))
    return explain_grade(store, query["topic"], query["docno"])


def _why_rows(store: Store, query: Query) -> Sequence[Row]:
    return event_rows(store, _explain_label(store, query))


def _why_document(store: Store, query: Query) -> object:
    return as_document(_explain_label(store, query))


def _why_parts(store: Store, query: Query) -> Sequence[Block]:
    if query["topic"] is None or query["docno"] is None:
        return [Text(translatable("Enter a topic and a document to see how the document's grade was decided."))]
    account = _explain_label(store, query)
    grade = verdict(account)
    return [
        Text(f"{grade[:1].upper()}{grade[1:]}"),
        Text(text_availability(account)),
        *_event_section(store, account, query.language),
        Text(translatable("Pools"), 2),
        *[Text(line) for line in pool_lines(account)],
        *_run_blocks(account, query.language),
        link_line(
            [
                (translatable("Read the document"), address("document", docno=account.docno)),
                (translatable("Topic"), address("topic", topic=account.qid)),
            ],
            query.language,
        ),
    ]


def _event_section(store: Store, account: Why, language: Language) -> list[Block]:
    if not account.events:
        return [Text(translatable("Events"), 2), Text(translatable("Nobody has judged this document."))]
    caption = translatable('Recorded events, oldest first; "counts" marks the label in the qrels')
    rows = [
        {**row, "at": Cell(format_moment(row["at"]), kind="whole"), "seconds": seconds_cell(row["seconds"])}
        for row in event_rows(store, account)
    ]
    table = table_blocks(
        "events", caption, [{name: row[name] for name in row if name != "evidence"} for row in rows], language=language
    )
    return [Text(translatable("Events"), 2), *table, *[Text(line) for line in evidence_lines(account)]]


def _run_blocks(account: Why, language: Language) -> list[Block]:
    if not account.ranks:
        return [Text(translatable("Runs"), 2), Text(translatable("No run retrieved this document."))]
    rows = [{"run": one.tag, "team": one.team, "rank": one.rank, "score": one.score} for one in account.ranks]
    return [
        Text(translatable("Runs"), 2),
        *table_blocks(
            "runs",
            language.ngettext(
                "%(num)s run retrieved this document",
                "%(num)s runs retrieved this document, best rank first",
                len(rows),
            ),
            rows,
            language=language,
        ),
    ]


def _why_heading(store: Store, query: Query) -> str:
    if not query["docno"]:
        return query.language.gettext("Why")
    return query.language.gettext(
        "Why: topic %(topic)s, document %(document)s", topic=query["topic"], document=query["docno"]
    )


WHY = LookView(
    translatable("Why"),
    _why_rows,
    (TOPIC, DOCNO),
    parts=_why_parts,
    document=_why_document,
    heading=_why_heading,
    entry=translatable("Why"),
    has_data=has_rows("judgment_event"),
)
