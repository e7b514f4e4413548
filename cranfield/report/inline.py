"""Figures as part of a page: scalable, readable by screen readers, in the page's own colours, dark or light."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from markupsafe import Markup

from cranfield.plots.style import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INKS: Mapping[str, str] = {  # matplotlib's colours, and the page's
    "#000000": "currentColor", "#ffffff": "var(--paper)", "#595959": "var(--grey-dark)", "#808080": "var(--grey)",
    "#b2b2b2": "var(--grey)", "#b3b3b3": "var(--grey)", "#bfbfbf": "var(--grey-light)", "#cccccc": "var(--grey-light)",
    "#e0e0e0": "var(--grid)",
}  # fmt: skip
COLOUR = re.compile("|".join(INKS), re.IGNORECASE)
NUMBER = re.compile(r"-?\d+\.\d+")
MEASURED = ("d", "x", "y", "width", "height", "transform", "points")  # attributes that hold lengths
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # no XML can hold them


def svg(figure: Figure, key: str, title: str, description: str) -> Markup:
    """The figure as an <svg> element; its ids begin with `key`, so that several fit on one page.

    >>> from cranfield.plots.style import picture
    >>> str(svg(picture(1, 1)[0], "one", "An empty <frame>", "Nothing is in it.")).partition("An ")[0]
    '<svg viewBox="0 0 72 72" role="img" aria-labelledby="one-title one-desc"><title id="one-title">'
    """
    text = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", drawn(figure, ".svg").decode("utf-8"))
    root = ElementTree.fromstring(text)
    for element in list(root.iter()):
        _clean(element, key)
    root.attrib = {"viewBox": root.attrib["viewBox"], "role": "img", "aria-labelledby": f"{key}-title {key}-desc"}
    for place, (name, words) in enumerate((("title", title), ("desc", description))):
        labelled = ElementTree.Element(name, {"id": f"{key}-{name}"})
        labelled.text = words
        root.insert(place, labelled)
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # what it holds of the data is escaped


def _clean(element: ElementTree.Element, key: str) -> None:
    """Without namespaces, style sheets and metadata; its ids made the page's; short numbers; the page's colours."""
    element.tag = element.tag.rpartition("}")[2]
    for child in list(element):
        if child.tag.rpartition("}")[2] in ("metadata", "style"):
            element.remove(child)
    if element.tag != "text" and not (element.text or "").strip():
        element.text = None
    element.tail = None
    element.attrib = dict(_attributes(element, key))


def _attributes(element: ElementTree.Element, key: str) -> Iterator[tuple[str, str]]:
    for full, value in element.attrib.items():
        name = full.rpartition("}")[2]
        if name == "id":
            yield name, f"{key}-{value}"
        elif name == "href":
            yield name, value.replace("#", f"#{key}-", 1)
        elif name in MEASURED:
            yield name, NUMBER.sub(_shorter, value)
        else:
            yield name, _of_page(value.replace("url(#", f"url(#{key}-"))


def _shorter(number: re.Match[str]) -> str:
    """A number with two decimals at most.

    >>> [NUMBER.sub(_shorter, text) for text in ("12.3456", "-0.001", "7.50")]
    ['12.35', '0', '7.5']
    """
    short = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _of_page(style: str) -> str:
    """A style in the page's colours, with fonts to fall back on."""
    coloured = COLOUR.sub(lambda found: INKS[found[0].lower()], style)
    return coloured.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
