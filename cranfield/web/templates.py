"""The templates of the pages; every value is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined

from cranfield.report.components.markup import shown
from cranfield.report.components.table import table

PAGES = files("cranfield.web") / "pages"
REPORT = files("cranfield.report")
SHARED = ("blocks.html.jinja", "top.html.jinja")  # of the report


@cache
def environment() -> Environment:
    """The environment of all pages."""
    found = Environment(
        loader=FunctionLoader(lambda name: ((REPORT if name in SHARED else PAGES) / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["table"], found.filters["shown"] = table, shown
    return found


def rendered(name: str, **values: object) -> str:
    """A page."""
    return environment().get_template(name).render(**values)


@cache
def asset(name: str) -> str:
    """The content of a style sheet or script."""
    return (PAGES / name).read_text("utf-8")


@cache
def script() -> str:
    """What interacts with the report's tables and charts."""
    return (REPORT / "page.js").read_text("utf-8")


@cache
def components() -> str:
    """The style sheet of the report's tables and charts."""
    return (REPORT / "components" / "components.css").read_text("utf-8")
