"""Interleaved lists to show, as lines of a log that lacks what will happen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from cranfield.formats.files import Path
from cranfield.formats.whole_files import write_lines


def write_lists(path: Path, lists: Iterable[Mapping[str, object]]) -> None:
    """Write a line per list."""
    write_lines(path, (json.dumps(dict(one), ensure_ascii=False) for one in lists))
