"""The organiser's pages: the state of judging, the links of assessors."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.report.blocks import Block
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from cranfield.web.look.query import Query
from cranfield.web.look.table import HOME, VIEWS, navigation
from cranfield.web.look.view import table_of
from cranfield.web.templates import rendered

SHOWN = ("links", "work", "pace", "agreement", "repeats", "drift", "assigned")


def page(store: Store, form: str, said: str = "", link: str = "") -> str:
    """All tables that have rows; `said` and `link` come of what the organiser has just done."""
    bar = navigation(HOME)
    return rendered("organise.html", navigation=bar, form=form, tables=tables(store, SHOWN), said=said, link=link)


def tables(store: Store, names: Sequence[str]) -> list[tuple[str, Sequence[Block]]]:
    """The views that have rows: each one's name and its table."""
    found = ((name, VIEWS[name].title, VIEWS[name].rows(store, Query(name))) for name in names)
    return [(name, table_of(name, title, rows)) for name, title, rows in found if rows]


def invited(store: Store, assessor: str, base: str) -> tuple[str, str]:
    """Invite an assessor; what to say, and the link, which is shown this once."""
    token = invite(store, assessor)
    return f"A link for {assessor}. It is shown only now; pass it on.", f"{base}/enter/{token}"
