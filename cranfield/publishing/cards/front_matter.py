"""YAML in which every text is one line without controls, so none of it can end the block that it stands in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.text import visible_line


def yaml_text(document: Mapping[str, Any]) -> str:
    r"""A document as YAML, in its own order.

    >>> print(yaml_text({"a": "---\nb: c", "d": ["no", "1"], "e": {"f": 2}}), end="")
    a: '--- b: c'
    d:
    - 'no'
    - '1'
    e:
      f: 2
    """
    import yaml

    return str(yaml.safe_dump(_plain(document), sort_keys=False, allow_unicode=True, width=1_000_000))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return visible_line(value)
    if isinstance(value, Mapping):
        return {visible_line(str(key)): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
