"""TOML, and YAML at the start of files of others, as plain data: no aliases, no objects; what JSON has not is text.

A date of YAML is the text that stands there, and is written without quotes again.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import accumulate
from math import isfinite
from os import PathLike
from typing import Any

from cranfield.errors import InputError
from cranfield.extras import require_extra

LONGEST = 1_000_000  # characters
DEEPEST = 100  # brackets in brackets, which the parser follows slowly
PLACE = re.compile(r" \(at line (\d+), column \d+\)$")


def parse_toml(text: str, path: str | PathLike[str] | None = None) -> dict[str, Any]:
    """What a text in TOML says; an error names the line.

    >>> parse_toml("a = 1")
    {'a': 1}
    >>> parse_toml("a = 1\\nb = x", "my.toml")
    Traceback (most recent call last):
    cranfield.errors.InputError: my.toml:2: not TOML: Invalid value
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = PLACE.search(str(error))
        raise InputError(f"not TOML: {PLACE.sub('', str(error))}", path, int(place[1]) if place else None) from error


def parse_yaml_fields(text: str, path: str | PathLike[str], first: int, what: str) -> dict[str, Any]:
    """The fields of a text that begins on line `first` of a file; `what` is what messages call it.

    >>> parse_yaml_fields("a: [1, 2003-01-01]", "a.run", 1, "a header")
    {'a': [1, '2003-01-01']}
    >>> parse_yaml_fields("- a", "a.run", 1, "a header")
    Traceback (most recent call last):
    cranfield.errors.InputError: a.run:1: a header that is a list; expected named fields
    """
    require_extra("files", what, "yaml", path=path)
    import yaml

    loader = read_dates_as_text(getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if len(text) > LONGEST:
        raise InputError(f"{what} of more than {LONGEST} characters", path, first)
    if _depth(text) > DEEPEST:
        raise InputError(f"{what} nested more than {DEEPEST} deep", path, first)
    try:
        for event, depth in _parse_events(text, loader):
            if isinstance(event, yaml.AliasEvent):
                raise InputError(
                    f"{what} with aliases, which could expand without limit; replace the aliases by their values",
                    path,
                    first,
                )
            if depth > DEEPEST:
                raise InputError(f"{what} nested more than {DEEPEST} deep", path, first)
        fields = yaml.load(text, loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first + mark.line if mark else first
        raise InputError(f"not YAML: {getattr(error, 'problem', None) or error}".splitlines()[0], path, line) from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"not YAML: {error}".splitlines()[0], path, first) from None
    except (AttributeError, LookupError, TypeError):
        raise InputError("not YAML: a value that does not match its tag", path, first) from None
    if not isinstance(fields, dict | None):
        raise InputError(f"{what} that is a {type(fields).__name__}; expected named fields", path, first)
    return {str(name): _json_value(value) for name, value in (fields or {}).items()}


def yaml_text(fields: Mapping[str, Any]) -> str:
    """The fields as YAML, in their order.

    >>> yaml_text({"b": "2003-01-01", "a": "1"})
    "b: 2003-01-01\\na: '1'\\n"
    """
    require_extra("files", "a header in YAML", "yaml")
    import yaml

    dumper = read_dates_as_text(yaml.SafeDumper)
    return str(yaml.dump(dict(fields), Dumper=dumper, sort_keys=False, allow_unicode=True, width=1 << 20))


@cache
def read_dates_as_text(base: Any) -> Any:
    """A loader or a dumper to which dates are texts like others."""
    resolvers = {
        first: [(tag, pattern) for tag, pattern in rules if not tag.endswith(":timestamp")]
        for first, rules in base.yaml_implicit_resolvers.items()
    }
    return type(f"{base.__name__}WithoutDates", (base,), {"yaml_implicit_resolvers": resolvers})


def _parse_events(text: str, loader: Any) -> Iterator[tuple[Any, int]]:
    """What the text consists of, and how deep; a loader itself may end the process where it is too deep."""
    import yaml

    depth = 0
    for event in yaml.parse(text, loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        yield event, depth


def _depth(text: str) -> int:
    """How deep brackets are nested, those in quotes included: an upper bound.

    >>> _depth("a: [1, {b: 2}]")
    2
    """
    steps = ((mark in "[{") - (mark in "]}") for mark in text)
    return max(accumulate(steps, lambda depth, step: max(depth + step, 0), initial=0))


def _json_value(value: Any) -> Any:
    """The value as JSON has it; what JSON has not is text."""
    if isinstance(value, Mapping):
        return {str(name): _json_value(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set):
        return [_json_value(part) for part in value]
    is_number = isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value))
    return value if value is None or is_number else str(value)
