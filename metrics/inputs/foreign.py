"""What other libraries hold: frames of polars, Arrow and DuckDB, runs and qrels of ranx."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def native(given: Any) -> Any:
    """The same as a DataFrame of pandas or as dicts, where it is another library's; anything else as it is.

    >>> import pyarrow as pa
    >>> native(pa.table({"query_id": ["q1"], "doc_id": ["d1"], "score": [0.5]}))
      query_id doc_id  score
    0       q1     d1    0.5
    """
    if _is_ranx(given):
        return given.to_dict()
    if isinstance(given, Mapping):
        return {tag: native(run) for tag, run in given.items()} if any(map(_is_foreign, given.values())) else given
    if isinstance(given, list | tuple) and given and all(map(_is_ranx, given)):
        return {run.name or f"run {number}": run.to_dict() for number, run in enumerate(given, 1)}
    return _frame(given) if _is_foreign(given) else given


def _is_foreign(given: object) -> bool:
    return _is_ranx(given) or (hasattr(given, "__arrow_c_stream__") and _library(given) != "pandas")


def _is_ranx(given: object) -> bool:
    return _library(given) == "ranx" and hasattr(given, "to_dict")


def _library(given: object) -> str:
    return type(given).__module__.partition(".")[0]


def _frame(given: object) -> Any:
    import pyarrow as pa

    return pa.table(given).to_pandas()
