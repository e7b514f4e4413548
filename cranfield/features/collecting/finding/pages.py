"""The page on which an assessor searches, and judges what is found; and those of topics in development.

Searching knows the corpus and her own labels alone. A topic in development has its author's page, to try and judge it,
and a line in the organiser's list.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.errors import InputError
from cranfield.features.collecting.finding import development
from cranfield.features.collecting.finding import store as own
from cranfield.features.collecting.finding.engines import OwnLearner, full_text
from cranfield.features.collecting.vectors import corpus_of
from cranfield.formats import Topic
from cranfield.judging.session.view import document_heading, words_of
from cranfield.report.blocks import TableBlock
from cranfield.store.assignments import other_holder
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.commands import Fields, integer_field
from cranfield.web.language import Language, language_of, translatable
from cranfield.web.open_sessions import RolePage
from cranfield.web.organise.section import OrganiserSection, SectionRequest
from cranfield.web.results import Worker
from cranfield.web.templates import ShownText, render_page

SNIPPET_MARGIN_CHARS = 140  # characters of a snippet on either side
ENGINES = {"text": "words of the documents", "learnt": "your labels"}


class Hit(NamedTuple):
    """A document of a search, as it is listed: its rank, its heading, a part of its text, and one's own grade."""

    rank: int
    title: str
    snippet: Markup
    grade: int | None


async def _search(request: Request, worker: Worker, sessions: object, assessor: str, form: str) -> Response:
    """The page; searching and judging lead back to it, so that nothing is done twice when it is reloaded."""
    if request.method != "POST":
        query, language = dict(request.query_params), language_of(request)
        return HTMLResponse(await worker.run(lambda store: _page(store, assessor, query, form, language)))
    fields, command = request.state.fields, request.path_params["command"]
    if command == "grade":
        number = integer_field(fields, "search")
        await worker.run(partial(_graded, assessor=assessor, fields=fields))
        return _back(search=number)
    return await _find(worker, assessor, fields)


def _back(**to: object) -> Response:
    return RedirectResponse(f"/search?{urlencode(to)}", 303)


def _graded(store: Store, assessor: str, fields: Fields) -> None:
    search = own.search_of(store, assessor, integer_field(fields, "search"))
    event = fields.get("event", "")[:64]
    own.judge_found(
        store, assessor, search, integer_field(fields, "rank"), grade=integer_field(fields, "grade"), event_id=event
    )


async def _find(worker: Worker, assessor: str, fields: Fields) -> Response:
    """Search beside the thread of the store, so that labels do not wait, and record it."""
    qid, start = fields.get("topic", ""), time.monotonic()
    engine = "like" if fields.get("like") else "learnt" if fields.get("engine") == "learnt" else "text"
    find = partial(_search_by_engine, assessor=assessor, qid=qid, engine=engine, fields=fields)
    path = await worker.run(lambda store: store.path)
    query, docnos = await (
        worker.run(find) if path == ":memory:" else asyncio.to_thread(_search_separately, path, find)
    )
    record = partial(
        own.record_search, assessor=assessor, qid=qid, query=query, engine=engine, docnos=docnos,
        seconds=time.monotonic() - start, event_id=fields.get("event", "")[:64],
    )  # fmt: skip
    return _back(search=await worker.run(record))


def _search_separately(
    path: str | PathLike[str], find: Callable[[Store], tuple[str, Sequence[str]]]
) -> tuple[str, Sequence[str]]:
    """What is found, by a connection of its own."""
    with Store.open(path) as store:
        return find(store)


def _search_by_engine(
    store: Store, *, assessor: str, qid: str, engine: str, fields: Fields
) -> tuple[str, Sequence[str]]:
    own.check(store, assessor, qid)
    query = fields.get("query", "").strip()
    if engine == "text":
        return query, full_text(store, query)
    least = store.collection.min_relevant
    labels = {docno: label.grade >= least for docno, label in own.known_labels(store, assessor, qid).items()}
    learner = OwnLearner(corpus_of(store), qid, labels)
    if engine == "like":
        docno = own.search_of(store, assessor, integer_field(fields, "like")).docno(integer_field(fields, "rank"))
        return docno, learner.similar_documents(docno)
    if not any(labels.values()):
        raise InputError("this engine learns from your labels of this topic; judge a relevant document first")
    return "", learner.best()


def _page(store: Store, assessor: str, query: Fields, form: str, language: Language) -> str:
    own.check(store, assessor)
    search = own.search_of(store, assessor, integer_field(query, "search")) if query.get("search") else None
    qid = search.qid if search else query.get("topic", "")
    own.check(store, assessor, qid)
    topics = [topic for topic in store.topics() if not other_holder(store, assessor, topic.qid)]
    topic = next((topic for topic in topics if topic.qid == qid), None)
    every, labels = own.searches(store, assessor, qid) if qid else [], own.known_labels(store, assessor, qid)
    least, collection = store.collection.min_relevant, store.collection
    rank = integer_field(query, "rank") if search and query.get("rank") else 0
    document = store.document(search.docno(rank)) if search and rank else None
    text = ShownText.titled(document) if document else None
    label = labels.get(search.docno(rank)) if search and rank else None
    terms = ", ".join(words_of(search.query)) if search and search.engine == "text" else ""
    return render_page(
        "collecting/search.html",
        language,
        form=form,
        event=uuid4().hex,
        topics=topics,
        topic=topic,
        search=search,
        rank=rank,
        heading=document_heading(document) if document else "",
        blocks=text.blocks((), terms) if text else [],
        titled=text is not None and text.is_titled,
        label=label,
        elsewhere=label is not None and label.order not in own.SEARCH_ORDERS,
        hits=_hits(store, search, labels, terms) if search and not rank else [],
        grades=collection.grades,
        engines=ENGINES if any(one.grade >= least for one in labels.values()) else {"text": ENGINES["text"]},
        counts=list(reversed(own.query_counts(every, labels, least))),
        names={"like": "like ", "learnt": "learnt from your labels", "text": ""},
        since=own.last_relevant_words(labels, every, least),
    )


def _hits(store: Store, search: own.Search, labels: dict[str, own.SearcherLabel], terms: str) -> list[Hit]:
    hits = []
    for rank, docno in enumerate(search.shown, 1):
        document, label = store.document(docno), labels.get(docno)
        title = visible_line(document.title or document.text[:80]) or f"Document {rank}"
        hits.append(Hit(rank, title, snippet(document.text, terms), label.grade if label else None))
    return hits


def snippet(text: str, terms: str) -> Markup:
    r"""Some of a text, around the first of the terms; one line, safe to show.

    >>> print(snippet("a wing\nof a <b>", "wing"))
    a <mark class="highlighted">wing</mark> of a &lt;b&gt;
    """
    from cranfield.judging.session.view import term_highlighter

    pattern = term_highlighter(terms)
    hit = pattern.search(text) if pattern else None
    start = max(hit.start() - SNIPPET_MARGIN_CHARS, 0) if hit else 0
    part = " ".join(text[start : start + 2 * SNIPPET_MARGIN_CHARS].split())
    blocks = ShownText(("... " if start else "") + part).blocks((), terms)
    return blocks[0] if blocks else Markup("")


SEARCH = RolePage(lambda store: None, _search)


async def _develop(request: Request, worker: Worker, sessions: object, assessor: str, form: str) -> Response:
    """The page; what its forms do leads back to it."""
    if request.method != "POST":
        qid, language = request.query_params.get("topic", ""), language_of(request)
        return HTMLResponse(await worker.run(lambda store: _develop_page(store, assessor, qid, form, language)))
    fields, command = request.state.fields, request.path_params["command"]
    await worker.run(lambda store: _obey(store, assessor, command, fields))
    return RedirectResponse(f"/develop?{urlencode({'topic': fields.get('topic', '').strip()})}", 303)


def _obey(store: Store, author: str, command: str, fields: Fields) -> None:
    qid, event = fields.get("topic", "").strip(), fields.get("event", "")[:64]
    if command == "try":
        title, description, narrative = (fields.get(name, "").strip() for name in ("title", "description", "narrative"))
        development.propose(store, Topic(qid, title, description, narrative), author, event)
    elif command == "label":
        one = development.candidate(store, qid, author)
        docno = development.next_document(store, one)
        if docno and integer_field(fields, "number") == len(one.labels) + 1:
            development.label(store, qid, author, docno, grade=integer_field(fields, "grade"), event_id=event)
    elif command in development.STATES:
        development.candidate(store, qid, author)
        development.decide(store, qid, command, fields.get("reason", ""), author)


def _develop_page(store: Store, author: str, qid: str, form: str, language: Language) -> str:
    one = development.candidate(store, qid, author) if qid else None
    docno = development.next_document(store, one) if one else None
    document = store.document(docno) if docno else None
    text = ShownText.titled(document) if document else None
    least = store.collection.min_relevant
    return render_page(
        "collecting/develop.html",
        language,
        form=form,
        event=uuid4().hex,
        rows=[(each, each.says(least)) for each in development.candidates(store, author)],
        one=one,
        says=one.says(least) if one else "",
        document=document,
        heading=document_heading(document) if document else "",
        blocks=text.blocks() if text else [],
        titled=text is not None and text.is_titled,
        of=development.ALL,
        grades=store.collection.grades,
    )


def _values(request: SectionRequest) -> Mapping[str, Any]:
    rows = [
        {name: visible_line(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in development.candidate_rows(request.store)
    ]
    return {"blocks": [TableBlock("candidates", translatable("Topics in development"), rows)] if rows else []}


DEVELOP = RolePage(lambda store: None, _develop)
TOPICS = OrganiserSection(
    translatable("Topics in development"),
    "collecting/candidates.html",
    _values,
    entry=translatable("Development"),
    group=translatable("Collection"),
    has_data=lambda store: bool(development.candidate_rows(store)),
)
