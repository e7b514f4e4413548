"""The organiser's pages: the state of judging, the links of assessors, and each table by itself."""

from __future__ import annotations

from cranfield.formats.text_tables import as_json, separated
from cranfield.report.components.table import Table, table
from cranfield.store.invitations import invite
from cranfield.store.store import Store
from cranfield.web.templates import rendered
from cranfield.web.views import VIEWS, shown

TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8"}


def page(store: Store, form: str, said: str = "", link: str = "") -> str:
    """All tables that have rows; `said` and `link` come of what the organiser has just done."""
    return rendered("organise.html", form=form, tables=tables(store, list(VIEWS)), said=said, link=link)


def tables(store: Store, names: list[str]) -> list[tuple[str, object]]:
    """Each view's name and its table as markup; None where it has no rows."""
    found = ((name, VIEWS[name].title, shown(VIEWS[name].rows(store))) for name in names)
    return [(name, table(Table(name, title, rows)) if rows else None) for name, title, rows in found]


def view(store: Store, name: str, kind: str) -> str:
    """One view, as JSON or CSV."""
    rows = VIEWS[name].rows(store)
    return as_json(list(rows)) if kind == "json" else separated(",")(rows, "")


def invited(store: Store, assessor: str, base: str) -> tuple[str, str]:
    """Invite an assessor; what to say, and the link, which is shown this once."""
    token = invite(store, assessor)
    return f"A link for {assessor}. It is shown only now; pass it on.", f"{base}/enter/{token}"
