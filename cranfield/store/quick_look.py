"""Reads of a store file without opening a Store: names that a shell completes, and the last import and event."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from cranfield import hooks

MOST = 200  # names that a shell can show
MAGIC = b"SQLite format 3\0"
LAST = chr(0x10FFFF)
NAME_QUERIES: Mapping[str, str] = {
    "run": "SELECT tag FROM run",
    "team": "SELECT DISTINCT team FROM run",
    "topic": "SELECT qid FROM topic",
    "document": "SELECT docno FROM document"
    " WHERE coalesce(import, 0) NOT IN (SELECT id FROM import WHERE last_event IS NULL)",
    "topic set": "SELECT DISTINCT name FROM topic_set",
    "assessor": "SELECT name FROM assessor",
    "pool": "SELECT CAST(id AS TEXT) FROM pool",
    "release": "SELECT name FROM release",
    "import": "SELECT CAST(id AS TEXT) FROM import",
    "round": "SELECT name FROM round",
}


def is_database(path: Path) -> bool:
    """Whether a file may be a store."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def known_names(path: Path, kind: str, beginning: str = "") -> list[str]:
    """The first names of this kind in a store that begin so, for shells; none where there is no store."""
    import sqlite3

    if not is_database(path):
        return []
    names = NAME_QUERIES.get(kind) or next(
        part.names[kind] for part in hooks.tables_of_features().values() if kind in part.names
    )
    query = f"WITH known (name) AS ({names}) SELECT name FROM known WHERE name >= ? AND name < ? ORDER BY name LIMIT ?"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return [name for (name,) in connection.execute(query, (beginning, beginning + LAST, MOST))]
    except sqlite3.Error:
        return []


def last_written_numbers(path: Path) -> tuple[int | None, int | None] | None:
    """The numbers of the last import and the last judgment event of a store; None where no store can be read."""
    import sqlite3

    if not (path.is_file() and is_database(path)):
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as conn:
            last = "SELECT (SELECT max(id) FROM import), (SELECT max(id) FROM judgment_event)"
            number, event = conn.execute(last).fetchone()
    except sqlite3.Error:
        return None
    return number, event
