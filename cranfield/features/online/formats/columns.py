"""From Arrow's columns of a log to those of a LogPart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.formats.parts import BadLine, CodedNames, KeptColumn, LoggedActions, LogPart
from cranfield.features.online.interactions import KINDS

if TYPE_CHECKING:
    import pyarrow as pa


class LogTable(NamedTuple):
    """The lines of impressions, and Arrow's column of each field; None where there is none."""

    line: Ints
    columns: Mapping[str, pa.ChunkedArray | None]
    attributes: Mapping[str, pa.ChunkedArray] = {}  # of texts, or of lists of them

    def rows(self, keep: Mask) -> LogTable:
        """Only these."""
        import pyarrow as pa

        mask = pa.array(keep)
        return LogTable(
            self.line[keep],
            {name: column and column.filter(mask) for name, column in self.columns.items()},
            {name: column.filter(mask) for name, column in self.attributes.items()},
        )


def part_of(table: LogTable, bad: list[BadLine]) -> tuple[LogPart, list[BadLine]]:
    """The lines that can be read as a part, and the others, with the reasons."""
    wrong, reasons = np.zeros(len(table.line), bool), list(bad)
    for rows, kind, message in _unreadable(table):
        wrong[rows] = True
        reasons += [BadLine(int(line), kind, message) for line in table.line[rows]]
    return _part(table.rows(~wrong) if wrong.any() else table), reasons


def _unreadable(table: LogTable) -> list[tuple[Ints, str, str]]:
    """Rows without an id or a list, or whose teams or propensities are not as long as it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    n_rows, ids, teams = len(table.line), table.columns["id"], table.columns["teams"]
    length = _lengths(table.columns["docs"], n_rows)
    no_id = np.ones(n_rows, bool) if ids is None else _array(pc.fill_null(pc.equal(ids, ""), True), bool)
    problems = [(no_id, "lines without an id", "the id is missing")]
    problems.append(
        (
            length < 0,
            "lines without docs",
            "docs is missing; expected a list of document ids, or [] if nothing was found",
        )
    )
    document_columns = {name: column for name, column in table.attributes.items() if not _is_text(column)}
    for name in ("teams", "propensity", *document_columns):
        theirs = _lengths(document_columns.get(name, table.columns.get(name)), n_rows)
        wrong = (theirs >= 0) & (theirs != length)
        problems.append(
            (wrong, f"{name} of another length", f"{name} and docs differ in length; expected one entry per document")
        )
    unknown_teams, unknown_kind, below_one, null_docs = (np.zeros(n_rows, bool) for _ in range(4))
    if teams is not None:
        unknown_teams = ~_array(pc.fill_null(pc.match_substring_regex(teams, "^[a-z-]*$"), True), bool)
    problems.append(
        (unknown_teams, "unknown teams", "teams has an invalid character; expected a to z, or - for no team")
    )
    if (actions := table.columns["actions"]) is not None:
        rows, flat = _flat(actions)
        is_kind = pc.is_in(pc.struct_field(flat, "kind"), pa.array(KINDS))
        unknown_kind[rows[~_array(is_kind, bool)]] = True
        is_below = pc.fill_null(pc.less(pc.struct_field(flat, "position"), 1), False)
        below_one[rows[_array(is_below, bool)]] = True
    if (docs := table.columns["docs"]) is not None:
        rows, flat = _flat(docs)
        if flat.null_count:
            null_docs[rows[_array(flat.is_null(), bool)]] = True
    kinds = f"the kind of an action is unknown; expected one of {', '.join(KINDS)} in its field kind"
    problems.append((unknown_kind, "unknown actions", kinds))
    below = "a position is below 1; expected positions from 1 (the first document); add 1 if yours count from 0"
    problems.append((below_one, "positions below 1", below))
    problems.append((null_docs, "documents without an id", "docs contains null; expected document ids"))
    return [(np.flatnonzero(rows), kind, message) for rows, kind, message in problems if rows.any()]


def _is_text(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(column.type))


def _lengths(column: pa.ChunkedArray | None, rows: int) -> Ints:
    """How long the lists or texts of a column are; -1 where there is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column is None:
        return np.full(rows, -1)
    measure = pc.utf8_length if pa.types.is_string(column.type) else pc.list_value_length
    return _array(pc.fill_null(measure(column), -1), np.int64)


def _part(table: LogTable) -> LogPart:
    import pyarrow as pa
    import pyarrow.compute as pc

    of, n = table.columns, len(table.line)
    docs = of["docs"]
    list_documents = pa.array([], pa.string()) if docs is None else _flat(docs)[1]
    rows, actions = _flat(of["actions"]) if of["actions"] is not None else (np.zeros(0, np.int64), None)
    action_documents = pa.array([], pa.string()) if actions is None else pc.struct_field(actions, "doc")
    both = encode(pa.concat_arrays([list_documents, action_documents]))
    length = np.maximum(_lengths(docs, n), 0)
    propensity = np.full(int(length.sum()), np.nan)
    if (column := of["propensity"]) is not None:
        valid = np.repeat(_array(column.is_valid(), bool), length)
        flat = _flat(column)[1]
        propensity[valid] = _floats(flat, len(flat))
    team = np.full(int(length.sum()), -1, np.int8)
    if (column := of["teams"]) is not None:
        valid = np.repeat(_array(column.is_valid(), bool), length)
        letters = np.frombuffer("".join(column.drop_null().to_pylist()).encode(), np.uint8).astype(np.int8)
        team[valid] = np.where(letters == ord("-"), -1, letters - ord("a"))
    return LogPart(
        line=table.line,
        id=[] if of["id"] is None else of["id"].to_pylist(),
        at=_seconds(of["at"], n),
        **{name: coded_or_none(of[name], n) for name in ("experiment", "arm", "user", "session", "qid", "query")},
        first=_ints(of["first"], n),
        bounds=np.concatenate([[0], np.cumsum(length)]),
        document=CodedNames(both.codes[: len(list_documents)], both.names),
        team=team,
        propensity=propensity,
        actions=_actions(rows, actions, both.codes[len(list_documents) :]),
        attributes={name: _attribute(column, length) for name, column in table.attributes.items()},
    )


def _attribute(column: pa.ChunkedArray, length: Ints) -> KeptColumn:
    if _is_text(column):
        return KeptColumn(encode(_combine(column)), "list")
    flat, codes = encode(_flat(column)[1]), np.full(int(length.sum()), -1)
    codes[np.repeat(_array(column.is_valid(), bool), length)] = flat.codes
    return KeptColumn(CodedNames(codes, flat.names), "document")


def encode(array: pa.Array) -> CodedNames:
    """Texts by number; an empty one is none."""
    entries = array.dictionary_encode()
    names: list[str] = entries.dictionary.to_pylist()
    codes = _array(entries.indices.fill_null(-1), np.int64)
    if "" in names:
        codes[codes == names.index("")] = -1
    return CodedNames(codes, names)


def coded_or_none(column: pa.ChunkedArray | None, rows: int) -> CodedNames:
    """A column of texts by number."""
    return CodedNames.empty(rows) if column is None else encode(_combine(column))


def _actions(rows: Ints, actions: pa.StructArray | None, documents: Ints) -> LoggedActions:
    import pyarrow as pa
    import pyarrow.compute as pc

    if actions is None:
        return LoggedActions.empty()
    kind = pc.index_in(pc.struct_field(actions, "kind"), pa.array(KINDS))
    n = len(actions)
    return LoggedActions(
        impression=rows,
        kind=_array(kind, np.int8),
        position=_ints(pc.struct_field(actions, "position"), n) - 1,
        document=documents,
        at=_seconds(pc.struct_field(actions, "at"), n),
        seconds=_floats(pc.struct_field(actions, "seconds"), n),
        value=_floats(pc.struct_field(actions, "value"), n),
    )


def _seconds(column: pa.ChunkedArray | pa.Array | None, rows: int) -> Floats:
    """Times as seconds since 1970; those that are texts are ISO 8601."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column is None or not pa.types.is_string(column.type):
        return _floats(column, rows)
    offset = pc.any(pc.match_substring_regex(column, r"[+-]\d\d:?\d\d$")).as_py()
    zone = "UTC" if (len(column) and (column[0].as_py() or "Z")[-1:] in "Z") or offset else None
    moments = pc.cast(column, pa.timestamp("us", zone))
    return _floats(pc.cast(moments, pa.int64()), rows) / 1e6


def _floats(column: pa.ChunkedArray | pa.Array | None, rows: int) -> Floats:
    import pyarrow as pa
    import pyarrow.compute as pc

    if column is None:
        return np.full(rows, np.nan)
    return _array(pc.fill_null(pc.cast(column, pa.float64()), np.nan), float)


def _ints(column: pa.ChunkedArray | pa.Array | None, rows: int) -> Ints:
    import pyarrow.compute as pc

    if column is None:
        return np.zeros(rows, np.int64)
    return _array(pc.fill_null(column, 0), np.int64)


def _flat(column: pa.ChunkedArray) -> tuple[Ints, Any]:
    """The entries of lists, and the row of each."""
    import pyarrow.compute as pc

    lists = _combine(column)
    return _array(pc.list_parent_indices(lists), np.int64), pc.list_flatten(lists)


def _combine(column: pa.ChunkedArray | pa.Array) -> Any:
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole


def _array(column: Any, kind: Any) -> NDArray[Any]:
    import pyarrow as pa

    values = column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)
    return np.asarray(values).astype(kind)
