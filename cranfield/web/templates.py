"""The templates of the pages; every value is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from cranfield.report.components.markup import shown, told
from cranfield.report.components.table import table
from cranfield.text import UNSEEN

PAGES = files("cranfield.web") / "pages"
REPORT = files("cranfield.report")
SHARED = ("blocks.html.jinja", "top.html.jinja", "page.js")  # of the report


@cache
def environment() -> Environment:
    """The environment of all pages."""
    found = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["table"] = table
    found.filters |= {"shown": shown, "told": told, "exact": exact}
    return found


def exact(value: str) -> Markup:
    """A value that a form sends back as it is; its control characters are written as references.

    >>> print(exact('a"\x1b'))
    a&#34;&#27;
    """
    return Markup(UNSEEN.sub(lambda found: f"&#{ord(found[0])};", str(escape(value))))


def _source(name: str) -> str:
    return ((REPORT if name in SHARED else PAGES) / name).read_text("utf-8")


def rendered(name: str, **values: object) -> str:
    """A page."""
    return environment().get_template(name).render(**values)


@cache
def asset(name: str) -> str:
    """The content of a style sheet or script."""
    return _source(name)


@cache
def components() -> str:
    """The style sheet of the report's tables and charts."""
    return (REPORT / "components" / "components.css").read_text("utf-8")
