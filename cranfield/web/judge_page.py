"""The page on which an assessor judges: what it shows, and the answers to its forms."""

from __future__ import annotations

from uuid import uuid4

from cranfield.judging.frontends.keys import DEFAULT
from cranfield.judging.frontends.view_text import heading
from cranfield.judging.session.reasons import OTHER, REASONS
from cranfield.judging.session.view import View
from cranfield.text import visible
from cranfield.web.commands import Fields, obey
from cranfield.web.open_sessions import OpenSession
from cranfield.web.templates import rendered
from cranfield.web.text_pieces import pieces


def page(opened: OpenSession, form: str) -> str:
    """The whole page; `form` is the token of its forms."""
    return _shown("judge.html", opened, form)


def obeyed(opened: OpenSession, command: str, fields: Fields, form: str, quick: bool) -> str:
    """Execute a command; returns the changing part of the page where the script asks for it."""
    obey(opened, command, fields)
    return _shown("judge_part.html", opened, form) if quick else ""


def active(opened: OpenSession, sign: str) -> str:
    """A sign of life, or of absence: what passed until now was reading, or was not."""
    if sign == "returned":
        opened.controller.returned()
    else:
        opened.controller.touch()
    opened.controller.drawn()
    return ""


def _shown(template: str, opened: OpenSession, form: str) -> str:
    session, view = opened.session, opened.session.view
    html = rendered(
        template,
        view=view,
        keys=DEFAULT,
        hidden={
            "form": form,
            "page": uuid4().hex,
            "document": opened.opaque(session.pair),
            "after": str(session.last_event),
        },
        heading=heading(view.document) if view.document else "",
        docno=view.document.docno if view.document and view.docno_shown else "",
        pieces=list(pieces(session.text, session.marks, view.terms)),
        reasons=REASONS,
        other=OTHER.strip(),
        recent=session.recent(),
        guidelines=visible(opened.guidelines).strip("\n"),
        said=opened.hear(),
        left=_left(view),
    )
    opened.controller.drawn(not view.done)
    return html


def _left(view: View) -> str:
    return f"; {view.eta} left overall" if view.eta else ""
