"""The page on which an assessor judges: what it shows, and the answers to its forms."""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple, cast, get_args
from uuid import uuid4

from markupsafe import Markup

from cranfield.display.layout import ShownField, fields_of
from cranfield.display.markup import Mark
from cranfield.display.reflow import Display
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.session.command import OTHER, REASONS, LateError
from cranfield.judging.session.pace import IDLE
from cranfield.judging.session.session import Session, Twin
from cranfield.judging.session.view import NAMES, RecentDecision, document_heading
from cranfield.web.commands import LATE, Fields, commands_of, integer_field, obey, record_active_time
from cranfield.web.guidelines import guidelines_markup
from cranfield.web.open_sessions import OpenSession, wording_of
from cranfield.web.templates import ShownText, render_page

DISPLAY = {
    "theme": ("auto", "light", "dark"),
    "size": ("normal", "large", "larger"),
    "width": ("normal", "narrow", "wide"),
}
FETCH_BATCH_BLOCKS = 10  # blocks of a text that are fetched together


def page(screen: OpenSession, form: str, forms: Collection[str] = ()) -> str:
    """The whole page; `form` is the token of its forms. A reader may ask for `all` of a long text at once, or for
    another display of its lines. What the time before any other loading was, nobody knows.
    """
    displays = [one for one in get_args(Display) if one in forms]
    if "all" in forms or displays:
        screen.whole = screen.session.pair if "all" in forms else screen.whole
        screen.display = displays[0] if displays else screen.display
        screen.controller.touch()
    else:
        screen.session.exclude_pause()
    screen.refused = ""
    return _render("judge.html", screen, form)


def answer(screen: OpenSession, command: str, fields: Fields, form: str, quick: bool) -> str:
    """Execute a command; returns the changing part of the page where the script asks for it."""
    obey(screen, command, fields)
    return render_changing_part(screen, form) if quick else ""


def render_changing_part(screen: OpenSession, form: str) -> str:
    """The changing part of the page, as it is."""
    return _render("judge_part.html", screen, form)


class OwnLabel(NamedTuple):
    """A decision on the page of all, its number as `again` counts, and when it was."""

    number: int
    at: str
    recent: RecentDecision


MOST = 500  # decisions on a page
LONG = 20_000  # characters of two texts that are compared by lines


def labels(screen: OpenSession, form: str, query: Fields) -> str:
    """The page of an assessor's own decisions: those of a topic, of a grade, unsure or noted ones, as asked."""
    session = screen.session
    every = list(enumerate(session.decisions(), 1))
    matches = [
        (number, event)
        for number, event in every
        if query.get("topic", "") in ("", event.qid)
        and query.get("grade", "") in ("", str(event.grade))
        and (event.unsure or not query.get("unsure"))
        and (event.note or not query.get("noted"))
    ]
    decisions = session.recall(event for _, event in matches[:MOST])
    return render_page(
        "labels.html",
        screen.language,
        rows=[
            OwnLabel(n, event.at[:16].replace("T", " "), one._replace(title=_task_text(screen, one.title)))
            for (n, event), one in zip(matches, decisions, strict=False)
        ],
        found=len(matches),
        every=len(every),
        topics=list(dict.fromkeys(event.qid for _, event in every)),
        grades=session.view.grades,
        asked=query,
        path=f"/{screen.role}",
        noun=session.view.noun,
        wording=wording_of(screen.role),
        hidden=_hidden_fields(screen, form),
    )


def _hidden_fields(screen: OpenSession, form: str) -> dict[str, str]:
    session = screen.session
    about = {"document": screen.opaque(session.pair), "after": str(session.last_event)}
    return {"form": form, "page": uuid4().hex, **about}


def text(screen: OpenSession, document: str, start: str) -> str:
    """More of the text of the document on screen, from a block on; an error if it is no longer there."""
    if document != screen.opaque(screen.session.pair):
        raise LateError(LATE)
    first = max(integer_field({"block": start}, "block"), 1)
    return render_page("judge_text.html", screen.language, **_text_blocks(screen, first, first + FETCH_BATCH_BLOCKS))


def record_activity(screen: OpenSession, fields: Fields) -> str:
    """A sign of life: the active time that a page has measured, of the document on screen alone."""
    if fields.get("document") == screen.opaque(screen.session.pair):
        record_active_time(screen.session.report_time, fields)
        screen.controller.touch()
    return ""


def _render(template: str, screen: OpenSession, form: str) -> str:
    session, view, language = screen.session, screen.session.view, screen.language
    eta = language.translate_message(view.eta)
    new_topic = _new_topic(screen)
    html = render_page(
        template,
        screen.language,
        **_text_blocks(screen, 0, None if screen.whole and screen.whole == session.pair else 1),
        view=view,
        new_topic=new_topic,
        keys=screen.keys,
        own_keys=screen.own_keys,
        display=DISPLAY,
        can=commands_of(screen.role),
        wording=wording_of(screen.role),
        idle=IDLE,
        hidden=_hidden_fields(screen, form),
        heading=_heading(screen),
        fields=fields_of(view.document.metadata) if view.document else [],
        parts=_pair_documents(screen),
        twin=(twin := session.twin if isinstance(session, Session) else None),
        both=_twin_documents(screen, twin) if twin and screen.beside == session.pair else (),
        besides=screen.besides,
        asked=screen.asked(session.pair[0]) if session.pair else {},
        notices=screen.notices(),
        qid=session.pair[0] if session.pair else "",
        choices=screen.choices,
        docno=view.document.docno if view.document and view.docno_shown else "",
        reasons=REASONS,
        other=OTHER.strip(),
        recent=[one._replace(title=_task_text(screen, one.title)) for one in session.recent()],
        guidelines=guidelines_markup(screen.guidelines),
        said=screen.hear(),
        refused=screen.refused,
        left=screen.language.gettext("; %(time)s left overall", time=eta) if eta else "",
    )
    screen.controller.appear(not view.done)
    return html


def _text_blocks(screen: OpenSession, first: int, end: int | None) -> dict[str, object]:
    """Blocks of the text on screen, how many there are, and where to get those after them."""
    session = screen.session
    blocks = screen.text.blocks(session.marks, session.view.terms)
    return {
        "blocks": list(enumerate(blocks))[first:end],
        "next_block": end if end is not None and end < len(blocks) else 0,
        "document": screen.opaque(session.pair),
        "path": f"/{screen.role}",
        "titled": screen.text.is_titled,
        "lines": screen.display,
        "other_display": screen.text.other_display,
        "key_original": screen.keys["original"],
        "looks": screen.opaque_tag(f"{session.marks} {session.view.terms} {screen.display}"),
    }


def _heading(screen: OpenSession) -> str:
    """The title of the document on screen."""
    document = screen.session.view.document
    return _task_text(screen, document_heading(document)) if document else ""


def _task_text(screen: OpenSession, title: str) -> str:
    """A title; in tasks of features it is a text of the page, such as a question."""
    return title if screen.role in ("judge", "adjudicate") else screen.language.translate_message(title)


class PairDocument(NamedTuple):
    """A document of a pair: its name, its heading, its text, and what else is shown of it."""

    name: str
    heading: str
    blocks: list[Markup]
    fields: list[ShownField]


def _pair_documents(screen: OpenSession) -> list[PairDocument]:
    view = screen.session.view
    names = (name.replace("document", view.part_noun) for name in NAMES)
    parts = zip(names, view.parts, strict=True) if view.parts else ()
    return [
        PairDocument(
            name, document_heading(part), ShownText.titled(part).blocks((), view.terms), fields_of(part.metadata)
        )
        for name, part in parts
    ]


def _twin_documents(screen: OpenSession, twin: Twin) -> list[PairDocument]:
    """The document on screen and its near-duplicate, laid out, with the words marked that only one of them has."""
    session, pair = cast("Session", screen.session), cast("Pair", screen.session.pair)
    texts = [ShownText.from_document(session.document_of(docno)) for docno in (pair[1], twin.docno)]
    names = (
        screen.language.gettext("This document"),
        screen.language.gettext(
            "Document %(number)s, which you graded %(grade)s", number=twin.number, grade=twin.grade
        ),
    )
    spans = differing_marks(*(text.plain for text in texts))
    return [
        PairDocument(name, "", [text.marked_text(marks)], [])
        for name, text, marks in zip(names, texts, spans, strict=True)
    ]


def differing_marks(one: str, other: str) -> tuple[list[Mark], list[Mark]]:
    """Where each text has what the other has not. Long texts are compared by their lines.

    >>> differing_marks("oil the chain", "oil a chain")
    ([Mark(start=4, end=7, kind='highlighted')], [Mark(start=4, end=5, kind='highlighted')])
    """
    size = r"\s+|\S+" if len(one) + len(other) < LONG else r"[^\n]*\n|[^\n]+"
    mine, others = re.findall(size, one), re.findall(size, other)
    places, other_places = ([0, *accumulate(map(len, pieces))] for pieces in (mine, others))
    changes = SequenceMatcher(None, mine, others, autojunk=False).get_opcodes()
    unlike = [spans for kind, *spans in changes if kind != "equal"]
    left = [Mark(places[start], places[end], "highlighted") for start, end, _, _ in unlike if start < end]
    right = [Mark(other_places[start], other_places[end], "highlighted") for _, _, start, end in unlike if start < end]
    return left, right


def _new_topic(screen: OpenSession) -> bool:
    """Whether the topic on screen was not there before; said, unless it is the first."""
    topic, before = screen.session.view.topic, screen.qid
    if topic is None or topic.qid == before:
        return False
    screen.qid = topic.qid
    screen.say(screen.language.gettext("Next topic: %(title)s.", title=topic.title) if before is not None else "")
    return True
