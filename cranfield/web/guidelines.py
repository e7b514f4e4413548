"""Guidelines in Markdown as pages show them. They may come from a stranger's store: markup in them is text."""

from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from cranfield.display.reflow import flowing_spans
from cranfield.text import visible_text

LONGEST = 20_000  # characters that are laid out; a wide table of more would take seconds
FIRST_LEVEL = 3  # of a heading: the guidelines are in a part of a page
LINK = {"rel": "noopener noreferrer", "target": "_blank"}


class WebMarkdown(MarkdownIt):
    """Markdown whose links lead to other sites or to a mailbox, never to a page of this server."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name of markdown-it
        """Whether an address is a link."""
        return url.lower().startswith(("https://", "http://", "mailto:"))


@lru_cache(maxsize=8)
def guidelines_markup(text: str) -> Markup:
    r"""Guidelines with headings, lists, tables, emphasis and links. Lines that are not wrapped prose stay lines.

    Longer texts stay as they are. Raw HTML is escaped, pictures are not loaded, and only links to web and mail
    addresses are links (by markdown-it).

    >>> print(guidelines_markup("# Grades\n0: no word on *wings*\n1: a <b>word</b>"), end="")
    <h3>Grades</h3>
    <p>0: no word on <em>wings</em><br>
    1: a &lt;b&gt;word&lt;/b&gt;</p>
    """
    if len(text) > LONGEST:
        return Markup('<div class="text">{}</div>').format(visible_text(text).strip("\n"))
    markdown = WebMarkdown("commonmark", {"html": False, "xhtmlOut": False})
    markdown.enable("table").disable("image")
    tokens = markdown.parse(visible_text(text).strip("\n"))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + FIRST_LEVEL - 1, 6)}"
        _change_parts(token, token.children or [])
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))


def _change_parts(token: Token, parts: Sequence[Token]) -> None:
    keeps_lines = not _flows(token.content)
    for part in parts:
        if part.type == "softbreak" and keeps_lines:
            part.type, part.tag = "hardbreak", "br"
        elif part.type == "link_open":
            part.attrs |= LINK


def _flows(text: str) -> bool:
    return 2 * sum(end - start for start, end in flowing_spans(text)) >= len(text)
