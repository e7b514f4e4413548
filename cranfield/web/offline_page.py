"""The page that needs no server: one assessor's work, the scripts that judge it, and nothing else, in one HTML file."""

import json
from base64 import b64encode
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from cranfield import hooks
from cranfield.display.layout import fields_of, layout_of
from cranfield.display.markup import PICTURES
from cranfield.errors import InputError, StoreError
from cranfield.formats.whole_files import write_text
from cranfield.judging.frontends.keys import DEFAULT
from cranfield.judging.labels.pairs import evidence_of, is_adjudicator_event, visible_marks
from cranfield.judging.planning.overview import topics_missing_from_work, work_without_claiming
from cranfield.judging.session import transitions
from cranfield.judging.session.command import OTHER, REASONS
from cranfield.judging.session.order import MARK, order_named, session_events, stored_docno
from cranfield.judging.session.pace import FAST, IDLE
from cranfield.judging.session.recording import RECENT
from cranfield.judging.session.view import NO_TEXT, document_heading, safe_document, safe_topic
from cranfield.judging.session.work import AssessorWork, judging_order_and_seed, take_up
from cranfield.store.assignments import has_assignments
from cranfield.store.bundles.page import OfflinePage, count_bundles, is_bundle, opaque_id, record_handed_out_page
from cranfield.store.chain import Event
from cranfield.store.log import criteria
from cranfield.store.log import guidelines as guidelines_of
from cranfield.store.pools import Pool
from cranfield.store.store import Store, document_hash
from cranfield.text import visible_text
from cranfield.web.commands import COMMANDS
from cranfield.web.guidelines import guidelines_markup
from cranfield.web.judge_page import DISPLAY
from cranfield.web.language import ENGLISH, Language
from cranfield.web.templates import ShownText, asset_text, render_page, script_texts
from cranfield.web.wording import JUDGING

SCRIPTS = (
    "texts",
    "display",
    "forms",
    "active_time",
    "offline_work",
    "offline_session",
    "offline_log",
    "offline_view",
    "offline",
)
IMAGES_LIMIT = 20 << 20  # bytes
MODULES = ("judge", "find")  # what listens to the page alone
SAID = ("unsure", "note", "reason", "grade", "seconds", "position", "fast", "highlight_terms", "document_sha256")
NOT_OFFLINE = (DEFAULT["docno"], DEFAULT["mark_topic"])
KEYS_HELP = {key: about for key, about in JUDGING.keys_help(DEFAULT).items() if key not in NOT_OFFLINE}


class PageContents(NamedTuple):
    """What is in a page."""

    topics: int
    documents: int  # to judge
    repeats: int  # second showings to judge
    events: int
    earlier: int  # bundles and pages that were made for the assessor before
    pictures: int = 0  # that documents show and had no room


def write_page(
    store: Store, path: str | PathLike[str], assessor: str, *, topics: Collection[str] | None = None,
    pool: int | None = None, limit: int | None = None, images_limit: int = IMAGES_LIMIT, language: Language = ENGLISH,
) -> PageContents:  # fmt: skip
    """Write what is assigned to an assessor as a page; its topics stay the assessor's until given away.

    Only some topics, one pool, or at most `limit` documents that are still to be judged, where asked for. Pictures of
    `images_limit` bytes at most are in it; for others what is said of them.
    """
    if Path(path).exists():
        raise InputError("the file already exists; choose another file name", path)
    if is_bundle(store):
        raise StoreError("this is a bundle; export the page from the store that it comes from")
    work = _assigned_work(store, assessor, topics, pool)
    page = OfflinePage.begin(store, assessor, work.order, work.seed, work.pool.number)
    data = PageData(store, work, page, limit)
    content = data.content()
    content["pictures"], omissions = pictures_in(store, data.pictures, images_limit)
    if not data.open:
        raise StoreError(f"{assessor} has judged all requested documents")
    earlier = count_bundles(store, assessor)
    record_handed_out_page(store, page, data.topics)  # known before it is there
    write_text(fspath(path), html(assessor, content, guidelines_of(store), language))
    return PageContents(
        topics=len(data.topics),
        documents=data.open - data.open_repeats,
        repeats=data.open_repeats,
        events=len(content["past"]),
        earlier=earlier,
        pictures=omissions,
    )


def pictures_in(store: Store, digests: Collection[str], most: int) -> tuple[dict[str, str], int]:
    """Pictures as addresses that hold them, by their addresses on a server; and how many more there are."""
    addresses, omissions = dict[str, str](), 0
    for digest in digests:
        if picture := _picture(store, digest):
            kind, data = picture
            most -= len(data)
            if most < 0:
                omissions += 1
            else:
                addresses[f"{PICTURES}{digest}"] = f"data:image/{kind};base64,{b64encode(data).decode()}"
    return addresses, omissions


def _picture(store: Store, digest: str) -> tuple[str, bytes] | None:
    added = filter(None, hooks.ask(lambda extension: extension.pictures()))
    return next(filter(None, (pictures.find(store, digest) for pictures in added)), None)


def _assigned_work(store: Store, assessor: str, topics: Collection[str] | None, number: int | None) -> AssessorWork:
    """What is assigned to an assessor, in an order that is blind."""
    pool = work_without_claiming(store, assessor, number, topics) if has_assignments(store) else None
    missing = topics_missing_from_work(store, pool, topics, number)
    if pool is None or missing:
        of = f" of topic {', '.join(missing)}" if missing else f" of pool {number}" if number is not None else ""
        raise StoreError(f"nothing{of} is assigned to {assessor!r}; use `cranfield assign`")
    order, seed = _blind_order(store, pool, assessor)
    return take_up(store, assessor, pool, order=order, seed=seed, topics=topics)


def _blind_order(store: Store, pool: Pool, assessor: str) -> tuple[str, int]:
    """The order and seed of the assessor's last events where they are blind; a page cannot choose batches."""
    order, seed = judging_order_and_seed(store, pool, session_events(store, assessor), None, None)
    return order if order_named(order).blind else "hash", seed


class PageData:
    """What the scripts of a page need to know, from which nobody can tell docnos, runs or ranks."""

    def __init__(self, store: Store, work: AssessorWork, page: OfflinePage, limit: int | None = None) -> None:
        self.store, self.work, self.page = store, work, page
        self.key = page.key(store)
        self.documents = dict(self._chosen_documents(limit))
        self.topics = list(self.documents)
        self.pictures: dict[str, None] = {}  # that documents show
        self._ids = {event.id: event.event_id for event in work.past}
        open_docnos = [d for qid, docnos in self.documents.items() for d in docnos if self._is_open(qid, d)]
        self.open = len(open_docnos)
        self.open_repeats = sum(docno.endswith(MARK) for docno in open_docnos)

    def _is_open(self, qid: str, docno: str) -> bool:
        decision = self.work.state.decision((qid, docno))
        return decision is None or decision.kind == "later"

    def _chosen_documents(self, limit: int | None) -> Iterator[tuple[str, Sequence[str]]]:
        """The documents of each topic: those that are done, and as many of the others as there may be."""
        for qid in self.work.documents.topics:
            docnos = []
            for docno in self.work.documents.order(qid):
                is_open = self._is_open(qid, docno)
                if is_open and limit == 0:
                    continue
                limit = limit - 1 if is_open and limit is not None else limit
                docnos.append(docno)
            if any(self._is_open(qid, docno) for docno in docnos):
                yield qid, docnos

    def content(self) -> dict[str, Any]:
        """All of it."""
        store = self.store
        return {
            "header": json.dumps(self.page.line(self.key)),
            "grades": [[grade, visible_text(meaning)] for grade, meaning in store.collection.grades.items()],
            "seconds": {"idle": IDLE, "fast": FAST},
            "recent": RECENT,
            "decides": [name for name, one in COMMANDS.items() if one.decides],
            "topics": [self._topic(qid) for qid in self.topics],
            "past": [self._event_line(one) for one in self.work.past if one.docno in self.documents.get(one.qid, ())],
        }

    def _opaque(self, qid: str, docno: str) -> str:
        return opaque_id(self.key, qid, stored_docno(docno), docno.endswith(MARK))

    def _topic(self, qid: str) -> dict[str, Any]:
        topic = safe_topic(self.work.documents.topics[qid])
        return {
            "id": opaque_id(self.key, qid),
            "name": topic.qid,
            "title": topic.title,
            "description": topic.description.strip("\n"),
            "narrative": topic.narrative.strip("\n"),
            "criteria": [[one.at, one.text] for one in criteria(self.store, qid, self.page.assessor)],
            "documents": [self._document(qid, docno) for docno in self.documents[qid]],
        }

    def _document(self, qid: str, docno: str) -> dict[str, Any]:
        document = self.store.document(stored_docno(docno))
        safe, layout = safe_document(document), layout_of(document.metadata, document.text)
        text = ShownText.titled(document)
        shown_here = [*(one.picture for one in layout), *(one.picture for one in fields_of(document.metadata))]
        self.pictures |= dict.fromkeys(filter(None, shown_here))
        about: dict[str, Any] = {"title": safe.title, "heading": document_heading(safe), "text": safe.text}
        if fields := fields_of(safe.metadata):
            about["fields"] = fields
        if text.is_laid_out:
            about["structure"] = text.structure
        elif text.other_display == "flow":
            about["flowing"] = ShownText.from_document(document, "flow").structure
        if text.is_titled:
            about["titled"] = True
        return {"id": self._opaque(qid, docno), **about, "sha256": document_hash(document.text, document.metadata)}

    def _event_line(self, event: Event) -> dict[str, Any]:
        """An earlier event, as a line of a download has it."""
        own = {name: value for name in SAID if (value := getattr(event, name)) or (value == 0 and value is not False)}
        own |= {"evidence": marks} if (marks := self._evidence_marks(event)) else {}
        own |= {"supersedes": self._ids[event.supersedes]} if event.supersedes in self._ids else {}
        own |= {"adjudicates": True} if is_adjudicator_event(event) else {}
        about = {"event_id": event.event_id, "kind": event.kind, "document": self._opaque(event.qid, event.docno)}
        return about | own

    def _evidence_marks(self, event: Event) -> list[dict[str, Any]]:
        """The evidence of an event, in UTF-16 units of the text as it is shown."""
        text = self.store.document(stored_docno(event.docno)).text if event.evidence else ""
        shown_text = visible_text(text)
        units = [tuple(len(shown_text[:place].encode("utf-16-le")) // 2 for place in span)
                 for span in visible_marks(evidence_of(event), text)]  # fmt: skip
        cut = shown_text.encode("utf-16-le")
        return [{"start": a, "end": b, "quote": cut[2 * a : 2 * b].decode("utf-16-le")} for a, b in units]


def html(assessor: str, content: dict[str, Any], guidelines: str = "", language: Language = ENGLISH) -> str:
    """The page: all that it executes and all that styles it is named in its policy by its hash."""
    style, scripts, modules = asset_text("web.css"), [transitions.script(), *_assets(SCRIPTS)], _assets(MODULES)
    script = " ".join(map(_policy_source, [*scripts, *modules]))
    return render_page(
        "offline.html",
        language,
        texts=script_texts(language, (*(f"{name}.js" for name in (*SCRIPTS, *MODULES)),)),
        policy=f"default-src 'none'; script-src {script}; style-src {_policy_source(style)}; img-src data:;"
        " base-uri 'none'; form-action 'none'",
        style=style,
        scripts=scripts,
        modules=modules,
        data=json.dumps(content | {"noText": language.look_up(NO_TEXT)}, ensure_ascii=False).replace("<", "\\u003c"),
        assessor=visible_text(assessor),
        keys=DEFAULT,
        keys_help=KEYS_HELP,
        display=DISPLAY,
        reasons=REASONS,
        other=OTHER.strip(),
        grades=content["grades"],
        guidelines=guidelines_markup(guidelines),
    )


def _assets(names: Sequence[str]) -> list[str]:
    return [asset_text(f"{name}.js") for name in names]


def _policy_source(text: str) -> str:
    """How a policy names a script or a style sheet."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
