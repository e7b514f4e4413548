"""Texts that are given where a path is expected, and are never opened as one."""

import re
from pathlib import Path

JSON = re.compile(r'\s*(\{\s*"|\[\s*[\["{])')
NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
LINES = {  # of TREC files
    "a run": re.compile(rf"\s*\S+\s+\S+\s+\S+\s+-?\d+\s+{NUMBER}\s+\S+\s*"),
    "qrels": re.compile(rf"\s*\S+\s+\S+\s+\S+\s+{NUMBER}\s*"),
}


def refuse_text(given: object, remedy: str = "text.splitlines()") -> None:
    """Refuse a string that holds lines of a file or JSON instead of a path; a file of this name is a file.

    >>> refuse_text("q1 0 d1 1")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: text like qrels: 'q1 0 d1 1'; expected a path, or [line.split() for line in text.splitlines()]
    >>> refuse_text("no.run")
    """  # noqa: E501
    from cranfield.errors import InputError

    if not isinstance(given, str) or not (form := _detect_text_form(given)):
        return
    rows = "the result of json.loads" if form == "JSON" else f"[line.split() for line in {remedy}]"
    raise InputError(f"text like {form}: {given.splitlines()[0]!r:.60}; expected a path, or {rows}")


def _detect_text_form(text: str) -> str:
    """What a string holds that is not a path; empty for a path."""
    if "\n" not in text and _is_file(text):
        return ""
    if JSON.match(text):
        return "JSON"
    line = next(filter(None, map(str.strip, text.splitlines())), "")
    form = next((form for form, pattern in LINES.items() if pattern.fullmatch(line)), "")
    return form or ("lines" if "\n" in text.strip() else "")


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def is_bare_name(text: object) -> bool:
    """Whether a string is no file's path and has neither a folder nor an ending, as ids of documents often are.

    >>> is_bare_name("d1"), is_bare_name("bm25.run"), is_bare_name(Path("d1"))
    (True, False, False)
    """
    return isinstance(text, str) and not _is_file(text) and Path(text).name == text and not Path(text).suffix
