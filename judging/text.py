"""Text of unknown origin, made safe to show: every control is seen and none is obeyed.

A pooled document may hold escape sequences that retitle a terminal, bidirectional controls that reorder its lines, or
characters that nobody sees. Here each becomes a visible mark. Newlines become one kind and tabs become spaces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

TAB = 8
NEWLINES = re.compile("\r\n|[\r\x85\u2028\u2029]")
CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
FORMATS = (  # Unicode's invisible format characters, less the Arabic signs that are seen, and the letters without ink
    r"\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    r"\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
SURROGATES = r"\ud800-\udfff"
SELECTORS = r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # one after a character chooses its shape; more hide something
ACCENTS = r"[\u0300-\u034e\u0350-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"  # five climb off the line
UNSEEN = re.compile(f"[{CONTROLS}{FORMATS}{SURROGATES}]|(?<={SELECTORS}){SELECTORS}|(?<={ACCENTS * 4}){ACCENTS}")


def visible(text: str) -> str:
    r"""The text with its controls shown as marks; only newlines and what has ink are left as they are.

    Joiners are marked too, although Persian and some emoji need them: what an assessor reads is then less pretty,
    but two texts that differ never look alike. A soft hyphen is shown as the hyphen it stands for.

    >>> print(visible("\x1b[2Jgone\x00 \u202eabc\x9b1m a\u200bb"))
    ␛[2Jgone␀ <U+202E>abc<U+009B>1m a<U+200B>b
    >>> visible("a\r\nb\rc\td")
    'a\nb\nc       d'
    """
    return UNSEEN.sub(_mark, NEWLINES.sub("\n", text)).replace("\xad", "-").expandtabs(TAB)


def visible_line(text: str) -> str:
    r"""The text on one line.

    >>> visible_line("a title\n  in\ttwo lines\n")
    'a title in two lines'
    """
    return " ".join(visible(text).split())


def _mark(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"


def wrap(text: str, width: int) -> list[str]:
    r"""The rows of a text in a column `width` cells wide, its own line breaks kept; CJK characters take two cells.

    >>> wrap("one two three\n\n  indented", 10)
    ['one two', 'three', '', '  indented']
    >>> wrap("漢字漢字", 5)
    ['漢字', '漢字']
    """
    return [row for line in text.split("\n") for row in _wrapped(line, max(width, 2))]


def _wrapped(line: str, width: int) -> list[str]:
    if len(line) <= width and line.isascii():
        return [line.rstrip()]
    rows, row, used = [], "", 0
    for piece, size in _pieces(line, width):
        if used + size > width:
            rows.append(row.rstrip())
            row, used = "", 0
        if row or not piece.isspace() or not rows:
            row, used = row + piece, used + size
    rows.append(row.rstrip())
    return [row for row in rows if row] or [""]


def _pieces(line: str, width: int) -> Iterator[tuple[str, int]]:
    """Words and the spaces between them, each with its cells; what is wider than a row in several pieces."""
    for word in re.findall(r"\s+|\S+", line):
        start = used = 0
        for place, character in enumerate(word):
            size = cells(character)
            if used + size > width:
                yield word[start:place], used
                start, used = place, 0
            used += size
        yield word[start:], used


def cells(character: str) -> int:
    """How many cells of a terminal a character takes.

    >>> cells("a"), cells("漢"), cells("\u0301")
    (1, 2, 0)
    """
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
