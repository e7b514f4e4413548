"""The templates of the pages; every value is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined

PAGES = files("cranfield.web") / "pages"


@cache
def environment() -> Environment:
    """The environment of all pages."""
    return Environment(
        loader=FunctionLoader(lambda name: (PAGES / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(name: str, **values: object) -> str:
    """A page."""
    return environment().get_template(name).render(**values)


@cache
def asset(name: str) -> str:
    """The content of a style sheet or script."""
    return (PAGES / name).read_text("utf-8")


@cache
def components() -> str:
    """The style sheet of the report's tables and charts."""
    return (files("cranfield.report.components") / "components.css").read_text("utf-8")
