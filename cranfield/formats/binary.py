"""What is no text that can be read: what to call it, and what to do with it."""

import codecs
import os
from typing import NoReturn

from cranfield.errors import InputError

MARKS = (  # what has this mark at this place
    ("a zip archive or a file of an office program; unpack it, or save it as CSV", b"PK\x03\x04", 0),
    ("a tar archive; unpack it", b"ustar", 257),
    ("an SQLite database; a store is given alone, and a file of judgments or runs is text", b"SQLite format 3\0", 0),
)


def refuse(data: bytes, path: str | os.PathLike[str]) -> NoReturn:
    r"""Refuse the first bytes of a file, or all, which are UTF-16 or binary.

    >>> refuse(b"PK\x03\x04\0", "runs.zip")
    Traceback (most recent call last):
    cranfield.errors.InputError: runs.zip: a zip archive or a file of an office program; unpack it, or save it as CSV
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError("UTF-16 text; convert the file, as with iconv -f utf16 -t utf8", path, 1)
    if kind := next((what for what, mark, at in MARKS if data.startswith(mark, at)), ""):
        raise InputError(kind, path)
    raise InputError("binary data; expected text", path, data.count(b"\n", 0, data.index(b"\0")) + 1)
