"""Tables of scores by topic in the shapes of pivots, as a row for each run, topic and measure."""

from __future__ import annotations

from typing import Any

from cranfield.errors import InputError
from cranfield.metrics.frames import SYNONYMS
from cranfield.metrics.notation import as_measure_list

KEYS = {name: ours for ours in ("run", "query_id") for name in (ours, *SYNONYMS[ours])} | {"measure": "measure"}
DOCUMENTS = ("doc_id", *SYNONYMS["doc_id"])
NO_SCORES = ("judged", "labels_of")  # the other columns of what `evaluate` returns


def long_scores(table: Any, measures: Any = None) -> Any:
    """Scores with the columns run, query_id, measure and value; what is no table of scores stays as it is.

    Names say what rows and columns are, never values: `run`, `query_id` and `measure` are columns, levels of the index,
    or levels of the columns, as `DataFrame.pivot` names them. Columns whose level has no name are measures.

    >>> import pandas as pd
    >>> rows = [("a", "q1", "AP", 0.5), ("a", "q2", "AP", 1.0), ("b", "q1", "AP", 0.25), ("b", "q2", "AP", 0.0)]
    >>> scores = pd.DataFrame(rows, columns=["run", "query_id", "measure", "value"])
    >>> long_scores(scores.pivot(index="query_id", columns="run", values="value"), "AP").equals(scores)
    True
    >>> long_scores(scores.groupby(["run", "measure"])["value"].mean().unstack())
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: scores of runs without topics; expected scores by topic, as evaluate(..., per_topic=True) returns them
    """  # noqa: E501
    import pandas as pd

    if not isinstance(table, pd.DataFrame):
        return table
    if {"run", "query_id", "measure", "value"} <= {*table.columns} or {*DOCUMENTS} & {*map(str, table.columns)}:
        return table
    keys = [name for name in table.columns if isinstance(name, str) and name in KEYS]
    has_names = any(name in KEYS for name in table.index.names)
    wide = table.set_index(keys, append=has_names) if keys else table
    rows = [KEYS.get(str(name), "") for name in wide.index.names]
    columns = [KEYS.get(str(name), "") for name in wide.columns.names]
    levels = {*rows, *columns}
    if "" in rows or not levels & {"run", "query_id"}:
        return table
    if "run" not in levels:
        raise InputError('the columns of these scores have no name; expected .rename_axis(columns="run")')
    if "query_id" not in levels:
        right = "expected scores by topic, as evaluate(..., per_topic=True) returns them"
        raise InputError(f"scores of runs without topics; {right}")
    wide = wide.drop(columns=[name for name in NO_SCORES if name in wide.columns]).rename_axis(index=rows)
    if columns == [""]:
        columns = ["column" if "measure" in levels else "measure"]
    long = wide.rename_axis(columns=columns).melt(ignore_index=False, value_name="value").reset_index()
    if "measure" not in long:
        names = [] if measures is None else [str(one) for one in as_measure_list(measures)]
        if len(names) != 1:
            raise InputError("this table of runs and topics does not name its measure; give it, as in measures='AP'")
        long = long.assign(measure=names[0])
    long = long[["run", "query_id", "measure", "value"]].sort_values(["run", "query_id"], kind="stable")
    numbers = pd.to_numeric(long["value"], errors="coerce")
    if (wrong := numbers.isna() & long["value"].notna()).any():
        raise InputError(f"a score is {long['value'][wrong].iloc[0]!r}; expected a number")
    return long.assign(value=numbers).reset_index(drop=True)
