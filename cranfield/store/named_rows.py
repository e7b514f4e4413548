"""Rows that have a name: documents and topics, known by docno and qid, and by the number of the row."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import DamageError, InputError
from cranfield.store.connection import Connection

NAMES = {"document": "docno", "topic": "qid"}  # the column with the name
TEXT = {"document": "text", "topic": "title"}  # the column that what was added has, and what is only named has not


class NamedRows(Connection):
    """An open store as tables of named rows. They are never deleted, only marked as removed."""

    def count(self, table: str) -> int:
        """How many rows a table has; of documents and topics, without those that were removed."""
        gone = f"(SELECT count(*) FROM {table} WHERE {TEXT[table]} IS NULL AND removed = 1)" if table in TEXT else "0"
        return int(self.rows(f"SELECT count(*) - {gone} FROM {table}")[0][0])

    def names(self, table: str, column: str) -> list[str]:
        """All names, by row number."""
        names = [name for (name,) in self.rows(f"SELECT {column} FROM {table} ORDER BY id")]
        first, last = self.rows(f"SELECT min(id), max(id) FROM {table}")[0]
        if names and (first, last) != (1, len(names)):
            raise DamageError(table, last, f"{len(names)} rows from {first} on; rows are missing")
        return names

    def most(self, table: str) -> int:
        """The number of the last row, 0 where there is none."""
        return int(self.rows(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0])

    def numbers(self, table: str, column: str, names: Sequence[str]) -> list[int]:
        """The row number of each name, -1 where there is none."""
        return list(map(int, self.row_numbers(table, column, names)))

    def row_numbers(self, table: str, column: str, names: Sequence[str]) -> Ints:
        """The same as an array; millions are found fastest in byte order."""
        [columns] = self.rows(
            "SELECT group_concat(wanted.key), group_concat(coalesce(named.id, -1))"
            f" FROM json_each(?) AS wanted LEFT JOIN {table} AS named ON named.{column} = wanted.value",
            [json.dumps(list(names))],
        )
        keys, found = (np.fromstring(column or "", np.int64, sep=",") for column in columns)
        numbers = np.empty_like(found)
        numbers[keys] = found
        return numbers

    def has(self, table: str) -> bool:
        """Whether a corpus ("document") or topics ("topic") were added."""
        return bool(self.rows(f"SELECT 1 FROM {table} WHERE {TEXT[table]} IS NOT NULL LIMIT 1"))

    def known_qids(self, qids: Sequence[str]) -> None:
        """Refuse a qid that is no topic of the store; where no topics were added yet, take them as they come."""
        if not self.has("topic"):
            self._take("topic", qids)
            return
        here = "SELECT qid FROM json_each(?) JOIN topic ON qid = value WHERE removed = 0"
        known = {qid for (qid,) in self.rows(here, [json.dumps(list(qids))])}
        unknown = [qid for qid in qids if qid not in known]
        if unknown:
            raise InputError(f"topic {unknown[0]!r} is not in the store ({len(unknown)} of {len(qids)} are not)")

    def known_docnos(self, docnos: Sequence[str]) -> None:
        """Make a row without text for each docno that is not here yet."""
        self._take("document", docnos)

    def _take(self, table: str, names: Sequence[str]) -> None:
        """Make a bare row for each name that has none; one that was removed is restored."""
        self.conn.execute(
            f"INSERT INTO {table} ({NAMES[table]}) SELECT value FROM json_each(?) WHERE true"
            " ON CONFLICT DO UPDATE SET removed = 0 WHERE removed = 1",
            [json.dumps(list(names))],
        )
