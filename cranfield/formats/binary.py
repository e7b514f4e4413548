"""Files that are not what they should be: binary data, web pages, pointers to files; what to do with each."""

import codecs
import os
import re
from typing import NoReturn

from cranfield.errors import InputError

MARKS = (  # what has this mark at this place
    ("a zip archive or a file of an office program; unpack it, or save it as CSV", b"PK\x03\x04", 0),
    ("a tar archive; unpack it", b"ustar", 257),
    (
        "an SQLite database; expected a text file with judgments or runs; to read a store, give no other files",
        b"SQLite format 3\0",
        0,
    ),
)


def refuse(data: bytes, path: str | os.PathLike[str]) -> NoReturn:
    r"""Refuse the first bytes of a file, or all, which are UTF-16 or binary.

    >>> refuse(b"PK\x03\x04\0", "runs.zip")
    Traceback (most recent call last):
    cranfield.errors.InputError: runs.zip: a zip archive or a file of an office program; unpack it, or save it as CSV
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(
            "UTF-16 text; expected UTF-8; convert the file, for example with iconv -f utf16 -t utf8", path, 1
        )
    if kind := next((what for what, mark, at in MARKS if data.startswith(mark, at)), ""):
        raise InputError(kind, path)
    raise InputError("binary data; expected text", path, data.count(b"\n", 0, data.index(b"\0")) + 1)


WEB_PAGE = re.compile(rb"\s*<(!doctype\s+html|html)\b", re.IGNORECASE)
GIT_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def refuse_stand_in(head: bytes, path: str | os.PathLike[str], expected: str) -> None:
    """Refuse the start of a file that another program left in place of the expected one.

    >>> refuse_stand_in(b"<!DOCTYPE html>", "a.run", "a run")
    Traceback (most recent call last):
    cranfield.errors.InputError: a.run:1: a web page; expected a run; download the file again, or check its address
    """
    if head.startswith(GIT_LFS_POINTER):
        raise InputError(f"a Git LFS pointer; expected {expected}; fetch the file with `git lfs pull`", path, 1)
    if WEB_PAGE.match(head):
        raise InputError(f"a web page; expected {expected}; download the file again, or check its address", path, 1)
