"""What Furo's pages lack for a screen reader and a keyboard, put in when the site is built."""

import re
from pathlib import Path
from typing import Any

ATTRIBUTES = (
    (r'role="heading">', r'role="heading" aria-level="2">'),  # the captions of the list of pages
    (r'<aside class="sidebar-drawer">', r'<aside class="sidebar-drawer" aria-label="All pages">'),
    (r'<aside class="toc-drawer([^"]*)">', r'<aside class="toc-drawer\1" aria-label="On this page">'),
    (r"<pre>", r'<pre tabindex="0">'),  # what scrolls sideways does so by keyboard, too
    (r'<div class="(table-wrapper[^"]*)">', r'<div class="\1" tabindex="0">'),
    (r'(id="furo-main-content">)\s*<noscript>', r"\1<h1>Search</h1><noscript>"),  # the page of searching has no heading
)


def mend_page(page: str) -> str:
    """A page with it.

    >>> mend_page('<p role="heading">Start</p> <pre>cranfield demo</pre>')
    '<p role="heading" aria-level="2">Start</p> <pre tabindex="0">cranfield demo</pre>'
    >>> mend_page(mend_page("<pre>")) == mend_page("<pre>")
    True
    """
    for pattern, attributes in ATTRIBUTES:
        page = re.sub(pattern, attributes, page)
    return page


def mend(app: Any, error: Exception | None) -> None:
    """Mend all pages of a site that was built."""
    if error is None and app.builder.name == "html":
        for path in Path(app.outdir).rglob("*.html"):
            path.write_text(mend_page(path.read_text(encoding="utf-8")), encoding="utf-8")
