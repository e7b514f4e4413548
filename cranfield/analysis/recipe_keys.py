"""What a recipe may contain: every key with its allowed values; anything else is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats.records import FIELDS, Kind
from cranfield.formats.table import AUTO, formats_of

MOST = 10**18  # whole numbers are below it
KINDS: Mapping[str, Kind] = {"corpus": "corpus", "topics": "topics", "qrels": "qrels", "runs": "run"}


class Right(NamedTuple):
    """What a value has to be, in words and as a test."""

    words: str
    holds: Callable[[Any], bool]


def _whole(least: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value < MOST


def _one_of(*words: str) -> Right:
    return Right(" or ".join(f'"{word}"' for word in words), lambda value: isinstance(value, str) and value in words)


def _is_grade(text: str) -> bool:
    return bool(re.fullmatch(r"-?\d{1,18}", text))


def _table(key: Callable[[str], bool], value: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda table: isinstance(table, dict) and all(key(k) and value(v) for k, v in table.items())


def _is_text(value: object) -> bool:
    return isinstance(value, str)


TEXT = Right("text", _is_text)
NAME = Right(
    "text that is not empty", lambda value: isinstance(value, str) and bool(value.strip()) and "\0" not in value
)
PATH = Right(
    "a path with names of up to 255 bytes",
    lambda value: NAME.holds(value) and all(len(name.encode(errors="replace")) < 256 for name in Path(value).parts),
)
YES_NO = Right("true or false", lambda value: isinstance(value, bool))
WHOLE = Right("a whole number", _whole(1 - MOST))
SOME_TABLES = Right("one or more tables, written as [[{}]]", lambda v: isinstance(v, list) and all(map(_is_table, v)))


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


OF_QRELS: Mapping[str, Right] = {
    "grades": Right("grades of the file with those of the scale, such as { 1 = 4 }", _table(_is_grade, WHOLE.holds)),
    "assessor": NAME,
    "kind": _one_of("human", "model", "import"),
    "times": Right("a whole number from 1", _whole(1)),
    "off_scale": _one_of("cannot-judge"),
    "ids": _one_of("unpadded"),
    "lists": _one_of("counted", "lines"),
}
IDS: Mapping[str, Right] = {"ids": _one_of("ordinal")}
OF_BLOCKS: Mapping[str, Right] = {
    "start": Right("a regular expression with one group, the id", lambda value: _groups(value) == 1),
    "end": Right("a regular expression without groups", lambda value: _groups(value) == 0),
    "repeated": Right("a list of ids", lambda value: isinstance(value, list) and all(map(NAME.holds, value))),
    "skip": Right("a list of ids", lambda value: isinstance(value, list) and all(map(NAME.holds, value))),
    "outside": Right("a whole number from 0", _whole(0)),
    "paragraph_title": YES_NO,
    "stop": Right("a regular expression without groups", lambda value: _groups(value) == 0),
    "double_spaced": YES_NO,
}
BLOCKS: Mapping[str, Right] = {"blocks": Right("a table with start", lambda v: _is_table(v) and "start" in v)}
COUNTED = ("documents", "topics", "judgments")
NUMBERS = Right(f"numbers of {', '.join(COUNTED)}", _table(COUNTED.__contains__, _whole(0)))


TOP: Mapping[str, Right] = {
    "name": NAME,
    "description": TEXT,
    "licence": TEXT,
    "citation": TEXT,
    "min_relevant": WHOLE,
    "grades": Right('grades with their meanings, such as 1 = "relevant"', _table(_is_grade, _is_text)),
    "counts": NUMBERS,
    "quirks": Right("a list of texts", lambda value: isinstance(value, list) and all(map(_is_text, value))),
    **{kind: SOME_TABLES._replace(words=SOME_TABLES.words.format(kind)) for kind in KINDS},
}


def _groups(pattern: object) -> int | None:
    """How many groups a regular expression has, None if it is none."""
    try:
        return re.compile(str(pattern)).groups if isinstance(pattern, str) else None
    except re.error:
        return None


def keys_of(kind: str) -> dict[str, Right]:
    """The keys of a part, with what is right for each.

    >>> keys_of("runs")["format"].words
    '"auto" or "parquet" or "json" or "jsonl" or "tsv" or "csv" or "msmarco" or "trec"'
    """
    of = KINDS[kind]
    common = {
        "path": PATH,
        "format": _one_of(AUTO, *(row.name for row in formats_of(of))),
        "sha256": Right("64 hexadecimal digits", lambda value: bool(re.fullmatch("[0-9a-f]{64}", str(value)))),
    }
    fields = {} if kind == "runs" else FIELDS[of]
    known = Right(f"names of fields by ours: {', '.join(fields)}", _table(fields.__contains__, _is_text))
    own = {"topics": IDS, "corpus": IDS, "qrels": OF_QRELS}.get(kind, {})
    return {**common, **({"field": known} if fields else {}), **own, **({} if kind == "runs" else BLOCKS)}


def check(data: Mapping[str, Any], path: Path) -> None:
    """Refuse a key that means nothing, a value that is not right, and a recipe without what it needs.

    >>> check({"name": "Tiny", "min_relevant": "1"}, Path("tiny.toml"))
    Traceback (most recent call last):
    cranfield.errors.InputError: tiny.toml: min_relevant is '1'; expected a whole number
    """
    _check_table(data, TOP, "a recipe", "", path)
    for kind in KINDS:
        for number, part in enumerate(data.get(kind, []), 1):
            place = f"[[{kind}]]" + (f" {number}" if len(data[kind]) > 1 else "")
            _check_table(part, keys_of(kind), place, f"{place}: ", path)
            _check_table(part.get("blocks", {}), OF_BLOCKS, f"blocks of {place}", f"{place}: ", path)
            if "path" not in part:
                raise InputError(f"{place} has no path", path)
            if "blocks" in part and {"format", "field", "lists"} & set(part):
                raise InputError(f"{place} has blocks, and so no format, field or lists", path)
    lacking = [name for name in ("name", "grades", "corpus", "topics") if not data.get(name)]
    if lacking:
        raise InputError(f"there is no {lacking[0]}; a recipe needs a name, [grades], [[corpus]] and [[topics]]", path)


def _check_table(table: Mapping[str, Any], keys: Mapping[str, Right], what: str, place: str, path: Path) -> None:
    for key, value in table.items():
        if key not in keys:
            raise InputError(f"unknown key {key!r} in {what}; it may have {', '.join(keys)}", path)
        if not keys[key].holds(value):
            raise InputError(f"{place}{key} is {value!r:.60}; expected {keys[key].words}", path)
