"""The templates of the pages, in which every value is escaped; and the text of a document in blocks and pieces."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from importlib.resources import files
from itertools import pairwise
from typing import Any, Self

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from cranfield import hooks
from cranfield.charts.svg.markup import fact_markup, plain_text, sentence_markup
from cranfield.display.layout import HEADINGS, Region, layout_of, move_regions, region_tree
from cranfield.display.markup import Mark, Structure, TextMarkup, cut_positions
from cranfield.display.reflow import Display, block_shapes, other_display
from cranfield.formats import Document
from cranfield.judging.labels.pairs import Evidence
from cranfield.judging.session.view import term_highlighter, visible_document_text
from cranfield.report.table import TableBlock, table
from cranfield.text import UNSEEN, format_moment, original_position_map, visible_position_map
from cranfield.web.language import Language
from cranfield.web.translated_blocks import page_message, translate_table

BLOCK = 10_000  # characters of a block at most


class ShownText:
    r"""A stored text as it is displayed, with its layout; what its blocks hold, joined, is `visible(text)`.

    >>> shown = ShownText("Oil the chain.")
    >>> print(shown.blocks([Evidence(8, 13, "chain")], "oil")[0])
    <mark class="highlighted">Oil</mark> the <mark class="evidence">chain</mark>.
    >>> [str(block) for block in ShownText("Oil it.\n" * 2, longest=10).blocks()]
    ['Oil it.\n', 'Oil it.\n']
    """

    def __init__(
        self, text: str, layout: Sequence[Region] = (), display: Display = "auto", longest: int = BLOCK
    ) -> None:
        self.stored, self.plain, self.layout, self.display = text, visible_document_text(text), layout, display
        self.cuts = [0, *cut_positions(self.plain, longest), len(self.plain)] if self.plain or layout else []
        places = [] if display == "lines" else move_regions(layout, self._place)
        self._markup = TextMarkup(self.plain, region_tree(places, self.plain), display)
        self._last_blocks: tuple[object, list[Markup]] = None, []  # the blocks that were asked for last

    @classmethod
    def from_document(cls, document: Document, display: Display = "auto", longest: int = BLOCK) -> Self:
        """The text of a document with the layout that this has."""
        return cls(document.text, layout_of(document.metadata, document.text), display, longest)

    @classmethod
    def titled(cls, document: Document) -> Self:
        """The text of a document as assessors read it: the title with which it begins is its heading."""
        return cls(document.text, reading_layout(document))

    @property
    def is_laid_out(self) -> bool:
        """Whether it has a layout, or lines that are recognised as prose or as drawn."""
        return bool(self.layout) or next(block_shapes(self.plain), None) is not None

    @property
    def other_display(self) -> Display | None:
        """The display that a reader may choose instead."""
        return other_display(self.plain, self.display, is_laid_out=bool(self.layout))

    @property
    def is_titled(self) -> bool:
        """Whether the text begins with a heading."""
        first = self._markup.root.inside[:1]
        return any(one.kind in HEADINGS and not self.plain[: one.start].strip() for one in first)

    def blocks(self, marks: Sequence[Evidence] = (), terms: str = "") -> list[Markup]:
        """Each block; no block at all if there is no text."""
        if self._last_blocks[0] != (request := (tuple(marks), terms)):
            spans = [*self._evidence(marks), *self._hits(terms)]
            self._last_blocks = request, [self._markup.write(start, end, spans) for start, end in pairwise(self.cuts)]
        return self._last_blocks[1]

    def marked_text(self, marks: Sequence[Mark] = ()) -> Markup:
        """All of the text in one block, with these stretches of it marked.

        >>> print(ShownText("On oil", [Region(0, 6, "h1")]).marked_text([Mark(3, 6, "highlighted")]))
        <h2 dir="auto">On <mark class="highlighted">oil</mark></h2>
        """
        return self._markup.write(0, len(self.plain), marks)

    @property
    def structure(self) -> list[Any]:
        """What a script builds the elements from that hold the whole text."""
        return Structure.from_markup(self.marked_text())

    def stored_span(self, start: int, end: int) -> tuple[int, int]:
        r"""The stored characters of a selection in a browser, which counts UTF-16 units of the visible text.

        >>> ShownText("a\t\U0001f600 tyre").stored_span(10, 15), "a\t\U0001f600 tyre"[3:8]
        ((3, 8), ' tyre')
        """
        units = self.plain.encode("utf-16-le", "surrogatepass")
        first, last = (len(units[: 2 * place].decode("utf-16-le", "ignore")) for place in (start, end))
        return self._stored_place_map(first), self._stored_place_map(last)

    @cached_property
    def _stored_place_map(self) -> Callable[[int], int]:
        return original_position_map(self.stored)

    @cached_property
    def _place(self) -> Callable[[int], int]:
        return visible_position_map(self.stored)

    def _evidence(self, marks: Sequence[Evidence]) -> Iterator[Mark]:
        for mark in marks:
            yield Mark(self._place(mark.start), self._place(mark.end), "evidence")

    def _hits(self, terms: str) -> Iterator[Mark]:
        pattern = term_highlighter(terms)
        yield from (Mark(*hit.span(), "highlighted") for hit in pattern.finditer(self.plain)) if pattern else ()


def reading_layout(document: Document) -> list[Region]:
    r"""The layout of a document or, if it has none, its title where the text begins with it.

    >>> reading_layout(Document("d", "on wings", "on\nwings are"))
    [Region(start=0, end=8, kind='h1', dir='', lang='', picture='')]
    >>> reading_layout(Document("d", "on wings", "of wings")), reading_layout(Document("d", "", "on"))
    ([], [])
    """
    layout, words = layout_of(document.metadata, document.text), document.title.split()
    if layout or not words:
        return layout
    title = re.compile(r"\s*+(" + r"\s+".join(map(re.escape, words)) + r")(?!\w)").match(document.text)
    return [Region(*title.span(1), "h1")] if title and document.text[title.end() :].strip() else []


DISPLAY_LINKS: Mapping[Display, str] = {
    "auto": "Show the formatted text",
    "lines": "Show the lines as they are",
    "flow": "Rewrap all lines",
}
PAGES = files("cranfield.web") / "pages"
REPORT = files("cranfield.report")
SHARED = ("blocks.html.jinja", "top.html.jinja", "page.js")  # of the report


@cache
def environment(language: Language) -> Environment:
    """The environment of all pages in a language."""
    jinja = Environment(
        extensions=["jinja2.ext.i18n"],
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.globals |= {"table": partial(_table_html, language), "display_links": DISPLAY_LINKS, "language": language}
    jinja.globals["script_texts"] = partial(script_texts, language)
    jinja.install_gettext_callables(*_gettext_functions(language))  # type: ignore[attr-defined]
    vars(jinja)["newstyle_gettext"] = True  # whose functions take the values
    jinja.filters |= {
        "shown": plain_text,
        "told": sentence_markup,
        "fact": fact_markup,
        "exact": form_value,
        "moment": format_moment,
    }
    jinja.filters |= {"translated": language.look_up, "message": partial(page_message, language)}
    return jinja


def _gettext_functions(language: Language) -> tuple[Callable[..., Markup], Callable[..., Markup]]:
    """The functions of templates that translate a text, and one in the form for a number, with values in it."""

    def gettext(text: str, **values: object) -> Markup:
        return Markup(language.look_up(text)) % language.isolate_values(values)

    def ngettext(singular: str, plural: str, num: int, **values: object) -> Markup:
        found = Markup(language.translations.ngettext(singular, plural, num))
        return found % language.isolate_values({"num": num, **values})

    return gettext, ngettext


def _table_html(language: Language, block: TableBlock) -> Markup:
    return table(translate_table(language, block))


def form_value(value: str) -> Markup:
    """A value that a form sends back as it is; its control characters are written as references.

    >>> print(form_value('a"\x1b'))
    a&#34;&#27;
    """
    return Markup(re.sub(UNSEEN, lambda match: f"&#{ord(match[0])};", str(escape(value))))


def _source(name: str) -> str:
    """The text of a page; that of a feature has its name before it, as in tasks/team.html."""
    feature, _, page = name.rpartition("/")
    if feature:
        return (files(hooks.features()[feature].package) / "templates" / page).read_text("utf-8")
    return ((REPORT if name in SHARED else PAGES) / name).read_text("utf-8")


def render_page(name: str, language: Language, /, **values: object) -> str:
    """A page in a language."""
    return environment(language).get_template(name).render(**values)


SCRIPT_TEXT = re.compile(r'\btr\(("(?:[^"\\\n]|\\.)*")')
SCRIPTS = ("texts.js", "display.js", "forms.js", "judge.js", "find.js", "organise.js", "active_time.js", "page.js")


@cache
def script_texts(language: Language, names: Sequence[str] = SCRIPTS) -> Markup:
    """The attribute of <html> with the translated texts of scripts, as JSON; nothing if the catalogue has none."""
    texts = dict.fromkeys(json.loads(found) for name in names for found in SCRIPT_TEXT.findall(asset_text(name)))
    translated = {text: language.translations.gettext(text) for text in texts}
    changed = {text: other for text, other in translated.items() if text != other}
    return Markup(' data-texts="{}"').format(json.dumps(changed, ensure_ascii=False)) if changed else Markup("")


@cache
def asset_text(name: str) -> str:
    """The content of a style sheet or script."""
    return _source(name)


@cache
def components_css() -> str:
    """The style sheet of the report's tables and charts."""
    return (REPORT / "components.css").read_text("utf-8")
