"""Plain text; which encoding a file has: what it says, UTF-8, or Western where it has few accents."""

import codecs
import re
from typing import NamedTuple

from cranfield.features.documents.conversion.builder import Conversion, SkipError

LONGEST_TITLE = 120
BYTE_ORDER = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
WESTERN = "cp1252"
MOST_HIGH = 0.2  # of the bytes, where a text is taken for Windows' Western
FIRST_LINE = re.compile(r"([^\n]+)\n[^\S\n]*\n")
CHARSET = re.compile(rb"<meta[^>]{0,300}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


class DecodedText(NamedTuple):
    """A text and its encoding, as Python names it."""

    text: str
    encoding: str


def decode(data: bytes, fallback: str = "", charset: str = "") -> DecodedText:
    r"""A text by its byte order mark, what it declares, UTF-8, what was asked for, or cp1252 with few accents.

    >>> decode(b"caf\xc3\xa9"), decode(b"caf\xe9 au lait, deux sucres").encoding
    (DecodedText(text='café', encoding='utf-8'), 'cp1252')
    >>> decode(bytes([0xCF, 0xF0, 0xE8]))
    Traceback (most recent call last):
    cranfield.features.documents.conversion.builder.SkipError: not UTF-8; name the encoding with --encoding
    """
    mark = next((mark for mark in sorted(BYTE_ORDER, key=len, reverse=True) if data.startswith(mark)), b"")
    if mark:
        return _as(data, BYTE_ORDER[mark], "its byte order mark")
    if charset and charset_name(charset) not in ("", "utf-8"):
        return _as(data, charset_name(charset), "what it declares")
    try:
        return DecodedText(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if fallback:
        return _as(data, fallback, "--encoding")
    if sum(byte >= 0x80 for byte in data) < MOST_HIGH * len(data) and b"\0" not in data:
        return DecodedText(data.decode(WESTERN, "replace"), WESTERN)
    raise SkipError("not UTF-8; name the encoding with --encoding")


def charset_name(charset: str) -> str:
    """The name that Python has for a charset of text; nothing for one that it does not know."""
    try:
        codec = codecs.lookup(charset)
    except (LookupError, ValueError):
        return ""
    if not codec._is_text_encoding:
        return ""
    return WESTERN if codec.name in ("iso8859-1", "ascii") else codec.name


def _as(data: bytes, encoding: str, why: str) -> DecodedText:
    try:
        return DecodedText(data.decode(encoding).removeprefix("\ufeff"), encoding)
    except (UnicodeError, ValueError):
        raise SkipError(f"damaged: not {encoding}, as {why} says") from None


def txt(data: bytes, fallback: str = "") -> Conversion:
    r"""A text file. Its first line is its title if it is short, and a blank line follows.

    >>> txt(b"Brakes\n\nOil them.").title, txt(b"Brakes\nOil them.").title
    ('Brakes', '')
    """
    text, encoding = decode(data, fallback)
    if "\0" in text:
        raise SkipError("not a text: the file contains NUL characters")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    begin = text.lstrip("\n")
    first = FIRST_LINE.match(begin)
    title = first[1].strip() if first else ""
    return Conversion(text, title if len(title) <= LONGEST_TITLE else "", metadata={"encoding": encoding})


def html_text(data: bytes, fallback: str = "") -> DecodedText:
    """The source of a page, in the encoding that it declares."""
    match = CHARSET.search(data[:2048])
    return decode(data, fallback, match[1].decode("ascii") if match else "")
