"""Names in figures: on one line, short enough, and never a box where the font has no character."""

from __future__ import annotations

import re
from functools import cache
from unicodedata import bidirectional

from matplotlib.font_manager import FontProperties, findfont, get_font

from cranfield.text import visible_line

FONT = "DejaVu Sans"  # comes with matplotlib, so that a figure is the same everywhere
LEFT_TO_RIGHT = "\u200e"  # without ink; around a name written from the right, numbers beside it keep their places
ESCAPED = 22  # characters that a name with escapes needs at least
MARK = r"<U\+[0-9A-F]{4,6}>"


@cache
def _characters() -> frozenset[int]:
    """What the font can show, in regular and in bold."""
    fonts = [findfont(FontProperties(family=FONT, weight=weight)) for weight in ("normal", "bold")]
    regular, bold = (set(get_font(font).get_charmap()) for font in fonts)
    return frozenset(regular & bold | set(map(ord, "\t\n\r")))


def displayed(name: str) -> str:
    r"""A name on one line; characters that the font lacks are escaped, as control characters are.

    >>> print(displayed("$a_{b"), displayed("a\x00\tb"), displayed("\u4e2d-\u0627"))
    $a_{b a<U+0000> b <U+4E2D>-ا
    """
    return visible_line("".join(each if ord(each) in _characters() else f"<U+{ord(each):04X}>" for each in name))


def shortened(name: str, length: int = 24) -> str:
    """A name of about this length at most; a long one loses its middle, never part of an escaped character.

    >>> shortened("a-very-long-tag-of-a-run-indeed-of-ours", 15), shortened("\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 9, 20)
    ('a-very-…of-ours', '<U+4E2D>…<U+4E2D>')
    """
    name = displayed(name)
    units = re.findall(f"{MARK}|.", name)
    kept = (length if len(units) == len(name) else max(length, ESCAPED)) - 1
    if len(name) > kept + 1:
        name = _fitting(units, kept - kept // 2) + "…" + _fitting(units[::-1], kept // 2, -1)
    return f"{LEFT_TO_RIGHT}{name}{LEFT_TO_RIGHT}" if any(map(_from_the_right, name)) else name


def _from_the_right(character: str) -> bool:
    return bidirectional(character) in ("R", "AL")


def _fitting(units: list[str], room: int, step: int = 1) -> str:
    """The first units that fit, put in order."""
    taken: list[str] = []
    for unit in units:
        room -= len(unit)
        if room < 0:
            break
        taken.append(unit)
    return "".join(taken[::step])
